//! A host: writes an input file to a folder of its own, calls the exported functions.
#![allow(dead_code)] // every test program takes what it needs

use moordyn_pintle::parts::*;
use moordyn_pintle::version2::*;
use std::ffi::{CStr, CString, c_int, c_uint};
use std::path::PathBuf;
use std::ptr::null;
use std::sync::atomic::{AtomicUsize, Ordering};

pub const OK: c_int = 0;
pub const NAN: c_int = -4;
pub const INVALID_VALUE: c_int = -6;
pub const NON_IMPLEMENTED: c_int = -7;

/// A folder of its own, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("pintle moordyn {} {number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A path in it, for a call.
    pub fn path(&self, name: &str) -> CString {
        CString::new(self.0.join(name).to_str().unwrap()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The sections of an input file before the options.
pub const LINE_TYPES: &str = "--- LINE TYPES ---
TypeName   Diam    Mass/m     EA         BA/-zeta    EI         Cd     Ca     CdAx    CaAx
(name)     (m)     (kg/m)     (N)        (N-s/-)     (N-m^2)    (-)    (-)    (-)     (-)
main       0.09    77.7066    384.243E6  -0.8        0          1.6    1.0    0.1     0.0
";
pub const POINTS: &str = "--- POINTS ---
ID    Type      X       Y       Z       Mass   Volume  CdA    Ca
(#)   (-)       (m)     (m)     (m)     (kg)   (m^3)   (m^2)  (-)
";
pub const LINES: &str = "--- LINES ---
ID   LineType   AttachA  AttachB  UnstrLen  NumSegs  LineOutputs
(#)   (name)     (#)      (#)       (m)       (-)     (-)
";
pub const BODIES: &str = "--- BODIES ---
ID   Attachment  X0  Y0  Z0  r0  p0  y0  Mass  CG  I  Volume  CdA  Ca
(#)  (-)         (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
";
pub const ROD_TYPES: &str = "--- ROD TYPES ---
TypeName      Diam     Mass/m    Cd     Ca      CdEnd    CaEnd
(name)        (m)      (kg/m)    (-)    (-)     (-)      (-)
";
pub const RODS: &str = "--- RODS ---
ID   RodType  Attachment  Xa    Ya    Za   Xb   Yb   Zb  NumSegs  RodOutputs
(#)  (name)    (#/key)    (m)   (m)   (m)  (m)  (m)  (m)  (-)      (-)
";

/// The OC3 line: anchor, coupled fairlead.
pub fn one_line(options: &str, outputs: &str) -> String {
    format!(
        "{LINE_TYPES}{POINTS}1 Fixed 853.87 0 -320 0 0 0 0\n2 Coupled 5.2 0 -70 0 0 0 0\n\
         {LINES}1 main 1 2 902.2 20 {outputs}\n--- OPTIONS ---\n320 WtrDpth\n{options}\n"
    )
}

/// A coupled body with two lines, and a coupled point with one.
pub fn body_and_point() -> String {
    format!(
        "{LINE_TYPES}{BODIES}1 Coupled 0 0 0 0 0 0 1e5 0 1e6|2e6|3e6 50 0 0\n{POINTS}1 Fixed 600 0 -200 0 0 0 0\n\
         2 Fixed -600 0 -200 0 0 0 0\n3 Body1 10 0 -10 0 0 0 0\n4 Body1 -10 0 -10 0 0 0 0\n5 Coupled 0 300 -10 0 0 0 0\n\
         6 Fixed 0 900 -200 0 0 0 0\n{LINES}1 main 1 3 640 20 -\n2 main 2 4 640 20 -\n3 main 6 5 640 20 -\n\
         --- OPTIONS ---\n200 WtrDpth\n"
    )
}

/// A running system in a folder of its own.
pub struct System {
    pub handle: Handle,
    pub folder: Folder,
    pub dofs: usize,
}

impl System {
    /// Before its start.
    pub fn new(input: &str) -> System {
        System::new_in(Folder::new(), input)
    }

    /// The same in a folder that has other files.
    pub fn new_in(folder: Folder, input: &str) -> System {
        std::fs::write(folder.0.join("lines.txt"), input).unwrap();
        let handle = unsafe { MoorDyn_Create(folder.path("lines.txt").as_ptr()) };
        assert!(!handle.is_null(), "{}", last_error());
        let mut dofs: c_uint = 0;
        assert_eq!(unsafe { MoorDyn_NCoupledDOF(handle, &mut dofs) }, OK);
        System { handle, folder, dofs: dofs as usize }
    }

    /// Started at rest.
    pub fn started(input: &str, x: &[f64]) -> System {
        System::new(input).start(x)
    }

    /// Starts it at rest.
    pub fn start(self, x: &[f64]) -> System {
        assert_eq!(x.len(), self.dofs);
        assert_eq!(unsafe { MoorDyn_Init(self.handle, x.as_ptr(), null()) }, OK, "{}", last_error());
        self
    }

    /// A step; returns status, forces and time.
    pub fn try_step(&self, x: &[f64], xd: &[f64], dt: f64) -> (c_int, Vec<f64>, f64) {
        let (mut f, mut t, mut dt) = (vec![0.0; self.dofs], 0.0, dt);
        let status = unsafe { MoorDyn_Step(self.handle, x.as_ptr(), xd.as_ptr(), f.as_mut_ptr(), &mut t, &mut dt) };
        (status, f, t)
    }

    pub fn step(&self, x: &[f64], xd: &[f64], dt: f64) -> (Vec<f64>, f64) {
        let (status, f, t) = self.try_step(x, xd, dt);
        assert_eq!(status, OK, "{}", last_error());
        (f, t)
    }

    pub fn line(&self, number: u32) -> Handle {
        unsafe { MoorDyn_GetLine(self.handle, number) }
    }

    pub fn point(&self, number: u32) -> Handle {
        unsafe { MoorDyn_GetPoint(self.handle, number) }
    }

    pub fn rod(&self, number: u32) -> Handle {
        unsafe { MoorDyn_GetRod(self.handle, number) }
    }

    pub fn body(&self, number: u32) -> Handle {
        unsafe { MoorDyn_GetBody(self.handle, number) }
    }

    pub fn serialized(&self) -> Vec<u64> {
        let mut size = 0usize;
        assert_eq!(unsafe { MoorDyn_Serialize(self.handle, &mut size, std::ptr::null_mut()) }, OK);
        let mut words = vec![0; size / 8];
        assert_eq!(unsafe { MoorDyn_Serialize(self.handle, &mut size, words.as_mut_ptr()) }, OK);
        words
    }

    pub fn deserialize(&self, words: &[u64]) -> c_int {
        unsafe { MoorDyn_Deserialize(self.handle, words.as_ptr()) }
    }
}

impl Drop for System {
    fn drop(&mut self) {
        assert_eq!(unsafe { MoorDyn_Close(self.handle) }, OK);
    }
}

pub fn last_error() -> String {
    let mut text = [0; 1024];
    unsafe { PintleMoorDyn_LastError(text.len(), text.as_mut_ptr()) };
    unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap().to_owned()
}

/// A vector that a function of a part writes.
pub fn vector<const N: usize>(call: impl FnOnce(*mut f64) -> c_int) -> [f64; N] {
    let mut out = [0.0; N];
    assert_eq!(call(out.as_mut_ptr()), OK, "{}", last_error());
    out
}

pub fn point_force(point: Handle) -> [f64; 3] {
    vector(|out| unsafe { MoorDyn_GetPointForce(point, out) })
}

pub fn position(point: Handle) -> [f64; 3] {
    vector(|out| unsafe { MoorDyn_GetPointPos(point, out) })
}

pub fn node(line: Handle, i: u32) -> [f64; 3] {
    vector(|out| unsafe { MoorDyn_GetLineNodePos(line, i, out) })
}

pub fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
