//! An importer for tests: calls the exported functions of either standard, keeps what they log.

use pintle_fmi::model::Model;
use pintle_fmi::{fmi2, fmi3};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

pub const OK: c_int = 0;
pub const DISCARD: c_int = 2;
pub const ERROR: c_int = 3;

/// A folder of its own, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("pintle fmi {} {number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// With a model in it.
    pub fn with(text: &str) -> Folder {
        let folder = Folder::new();
        std::fs::write(folder.0.join("model.toml"), text).unwrap();
        folder
    }

    pub fn model(&self) -> PathBuf {
        self.0.join("model.toml")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A model of the repository.
pub fn example(name: &str) -> Folder {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(format!("{name}.toml"));
    Folder::with(&std::fs::read_to_string(path).unwrap())
}

/// The log: statuses and messages.
#[derive(Default)]
struct Record(Vec<(c_int, String)>);

/// An instance, as an importer uses it.
pub struct Unit {
    pub version: u32,
    pub handle: *mut c_void,
    pub model: Model,
    log: Box<Record>,
    callbacks: Box<fmi2::Callbacks>,
}

/// The logger of 2.0 for one argument after the format: variadic functions take that where ours
/// does.
extern "C" fn logger2(
    log: *mut c_void,
    _: *const c_char,
    status: c_int,
    _: *const c_char,
    _: *const c_char,
    message: *const c_char,
) {
    logger3(log, status, null(), message);
}

extern "C" fn logger3(log: *mut c_void, status: c_int, _: *const c_char, message: *const c_char) {
    let (log, text) = unsafe { (&mut *log.cast::<Record>(), CStr::from_ptr(message)) };
    log.0.push((status, text.to_string_lossy().into_owned()));
}

impl Unit {
    /// Instantiates the FMU, or returns the log.
    pub fn try_new(version: u32, folder: &Folder, token: &str, early: bool) -> Result<Unit, String> {
        let mut log = Box::new(Record::default());
        let environment = (&raw mut *log).cast::<c_void>();
        let (name, token) = (c"unit", CString::new(token).unwrap());
        // Blanks in paths are %20 in URIs.
        let uri = format!("file://{}", folder.0.display()).replace(' ', "%20");
        let [uri, path] = [uri, format!("{}/", folder.0.display())].map(|text| CString::new(text).unwrap());
        let logger = unsafe { std::mem::transmute::<*const (), fmi2::Logger2>(logger2 as *const ()) };
        let unused = null();
        let callbacks = Box::new(fmi2::Callbacks {
            logger: Some(logger),
            allocate_memory: unused,
            free_memory: unused,
            step_finished: unused,
            environment,
        });
        let handle = unsafe {
            match version {
                2 => fmi2::fmi2Instantiate(name.as_ptr(), 1, token.as_ptr(), uri.as_ptr(), &raw const *callbacks, 0, 1),
                _ => fmi3::fmi3InstantiateCoSimulation(
                    name.as_ptr(),
                    token.as_ptr(),
                    path.as_ptr(),
                    0,
                    1,
                    0,
                    early.into(),
                    null(),
                    0,
                    environment,
                    Some(logger3 as fmi3::Logger3),
                    null(),
                ),
            }
        };
        if handle.is_null() {
            return Err(log.0.pop().map_or_else(String::new, |(_, text): (_, String)| text));
        }
        let model = Model::load(&folder.model()).unwrap();
        Ok(Unit { version, handle, model, log, callbacks })
    }

    pub fn new(version: u32, folder: &Folder) -> Unit {
        Unit::try_new(version, folder, "", false).unwrap()
    }

    /// In step mode from time zero.
    pub fn started(version: u32, folder: &Folder) -> Unit {
        let unit = Unit::new(version, folder);
        unit.start();
        unit
    }

    pub fn start(&self) {
        assert_eq!(self.enter(0.0), OK, "{}", self.said());
        assert_eq!(self.exit(), OK, "{}", self.said());
    }

    /// What was logged last.
    pub fn said(&self) -> String {
        self.log.0.last().map_or_else(String::new, |(status, text)| format!("{status}: {text}"))
    }

    pub fn enter(&self, time: f64) -> c_int {
        unsafe {
            match self.version {
                2 => {
                    let status = fmi2::fmi2SetupExperiment(self.handle, 0, 0.0, time, 0, 0.0);
                    if status == OK { fmi2::fmi2EnterInitializationMode(self.handle) } else { status }
                }
                _ => fmi3::fmi3EnterInitializationMode(self.handle, 0, 0.0, time, 0, 0.0),
            }
        }
    }

    pub fn exit(&self) -> c_int {
        unsafe {
            match self.version {
                2 => fmi2::fmi2ExitInitializationMode(self.handle),
                _ => fmi3::fmi3ExitInitializationMode(self.handle),
            }
        }
    }

    /// The value reference of a variable.
    pub fn find(&self, name: &str) -> u32 {
        use pintle_fmi::model::{OUTPUT_ARRAYS, Reference};
        let model = &self.model;
        let place = |mut names: &mut dyn Iterator<Item = String>| (&mut names).position(|own| own == name);
        let input = place(&mut model.inputs.iter().map(|input| input.name.clone())).map(Reference::Input);
        let output = || place(&mut model.outputs.iter().map(|output| output.name.clone())).map(Reference::Output);
        let parameter = || place(&mut model.parameters.iter().map(|own| own.name.clone())).map(Reference::Parameter);
        let wrench = || place(&mut model.carriers.iter().map(|own| own.wrench_name())).map(Reference::InputArray);
        let arrays =
            model.carriers.iter().flat_map(|own| OUTPUT_ARRAYS.map(|(what, _)| format!("{}.{what}", own.name)));
        let array = || place(&mut arrays.clone()).map(|k| Reference::OutputArray(k / 3, k % 3));
        let scheme = || (name == "settings.scheme").then_some(Reference::Scheme);
        let found = input.or_else(output).or_else(parameter).or_else(wrench).or_else(array).or_else(scheme);
        found.unwrap_or_else(|| panic!("no variable {name}")).value()
    }

    pub fn set_reference(&self, reference: u32, values: &[f64]) -> c_int {
        unsafe {
            match self.version {
                2 => fmi2::fmi2SetReal(self.handle, &reference, 1, values.as_ptr()),
                _ => fmi3::fmi3SetFloat64(self.handle, &reference, 1, values.as_ptr(), values.len()),
            }
        }
    }

    pub fn try_set(&self, name: &str, values: &[f64]) -> c_int {
        self.set_reference(self.find(name), values)
    }

    pub fn set(&self, name: &str, value: f64) {
        assert_eq!(self.try_set(name, &[value]), OK, "{name}: {}", self.said());
    }

    pub fn get_reference(&self, reference: u32, values: &mut [f64]) -> c_int {
        unsafe {
            match self.version {
                2 => fmi2::fmi2GetReal(self.handle, &reference, 1, values.as_mut_ptr()),
                _ => fmi3::fmi3GetFloat64(self.handle, &reference, 1, values.as_mut_ptr(), values.len()),
            }
        }
    }

    pub fn get(&self, name: &str) -> f64 {
        let mut value = [f64::NAN];
        assert_eq!(self.get_reference(self.find(name), &mut value), OK, "{name}: {}", self.said());
        value[0]
    }

    /// All outputs.
    pub fn outputs(&self) -> Vec<f64> {
        let count = self.model.outputs.len();
        let (references, mut values): (Vec<u32>, _) = ((0..count as u32).collect(), vec![f64::NAN; count]);
        let status = unsafe {
            match self.version {
                2 => fmi2::fmi2GetReal(self.handle, references.as_ptr(), count, values.as_mut_ptr()),
                _ => fmi3::fmi3GetFloat64(self.handle, references.as_ptr(), count, values.as_mut_ptr(), count),
            }
        };
        assert_eq!(status, OK, "{}", self.said());
        values
    }

    /// A step; status, and the time that was reached.
    pub fn try_step(&self, time: f64, dt: f64) -> (c_int, f64, bool) {
        let (mut reached, mut early) = (f64::NAN, 0u8);
        let status = unsafe {
            match self.version {
                2 => {
                    let status = fmi2::fmi2DoStep(self.handle, time, dt, 0);
                    assert_eq!(fmi2::fmi2GetRealStatus(self.handle, 2, &mut reached), OK);
                    status
                }
                _ => {
                    let (mut event, mut end) = (7u8, 7u8);
                    let (at, early) = (&raw mut reached, &raw mut early);
                    let status = fmi3::fmi3DoStep(self.handle, time, dt, 0, &mut event, &mut end, early, at);
                    assert_eq!([event, end], [0, 0]);
                    status
                }
            }
        };
        (status, reached, early != 0)
    }

    pub fn step(&self, time: f64, dt: f64) {
        assert_eq!(self.try_step(time, dt).0, OK, "{}", self.said());
    }

    pub fn save(&self, mut state: *mut c_void) -> *mut c_void {
        let status = unsafe {
            match self.version {
                2 => fmi2::fmi2GetFMUstate(self.handle, &mut state),
                _ => fmi3::fmi3GetFMUState(self.handle, &mut state),
            }
        };
        assert_eq!(status, OK, "{}", self.said());
        state
    }

    pub fn restore(&self, state: *mut c_void) -> c_int {
        unsafe {
            match self.version {
                2 => fmi2::fmi2SetFMUstate(self.handle, state),
                _ => fmi3::fmi3SetFMUState(self.handle, state),
            }
        }
    }

    pub fn drop_state(&self, mut state: *mut c_void) {
        let status = unsafe {
            match self.version {
                2 => fmi2::fmi2FreeFMUstate(self.handle, &mut state),
                _ => fmi3::fmi3FreeFMUState(self.handle, &mut state),
            }
        };
        assert_eq!((status, state.is_null()), (OK, true));
    }

    pub fn bytes(&self, state: *mut c_void) -> Vec<u8> {
        let mut size = 0;
        unsafe {
            match self.version {
                2 => assert_eq!(fmi2::fmi2SerializedFMUstateSize(self.handle, state, &mut size), OK),
                _ => assert_eq!(fmi3::fmi3SerializedFMUStateSize(self.handle, state, &mut size), OK),
            }
            let mut bytes = vec![0; size];
            let status = match self.version {
                2 => fmi2::fmi2SerializeFMUstate(self.handle, state, bytes.as_mut_ptr(), size),
                _ => fmi3::fmi3SerializeFMUState(self.handle, state, bytes.as_mut_ptr(), size),
            };
            assert_eq!(status, OK);
            bytes
        }
    }

    pub fn state_of(&self, bytes: &[u8]) -> (c_int, *mut c_void) {
        let mut state = null_mut();
        let status = unsafe {
            match self.version {
                2 => fmi2::fmi2DeSerializeFMUstate(self.handle, bytes.as_ptr(), bytes.len(), &mut state),
                _ => fmi3::fmi3DeserializeFMUState(self.handle, bytes.as_ptr(), bytes.len(), &mut state),
            }
        };
        (status, state)
    }

    /// Derivatives of unknowns along a direction.
    pub fn try_derivative(&self, unknowns: &[u32], knowns: &[u32], seed: &[f64]) -> (c_int, Vec<f64>) {
        let (n, m, mut out) = (unknowns.len(), knowns.len(), vec![f64::NAN; unknowns.len()]);
        let (unknowns, knowns) = (unknowns.as_ptr(), knowns.as_ptr());
        let status = unsafe {
            match self.version {
                2 => fmi2::fmi2GetDirectionalDerivative(
                    self.handle,
                    unknowns,
                    n,
                    knowns,
                    m,
                    seed.as_ptr(),
                    out.as_mut_ptr(),
                ),
                _ => fmi3::fmi3GetDirectionalDerivative(
                    self.handle,
                    unknowns,
                    n,
                    knowns,
                    m,
                    seed.as_ptr(),
                    seed.len(),
                    out.as_mut_ptr(),
                    n,
                ),
            }
        };
        (status, out)
    }

    pub fn derivative(&self, unknowns: &[u32], known: u32) -> Vec<f64> {
        let (status, found) = self.try_derivative(unknowns, &[known], &[1.0]);
        assert_eq!(status, OK, "{}", self.said());
        found
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        unsafe {
            match self.version {
                2 => fmi2::fmi2FreeInstance(self.handle),
                _ => fmi3::fmi3FreeInstance(self.handle),
            }
        }
        // Lives as long as the instance may log.
        let _ = &self.callbacks;
    }
}
