//! Systems to call functions on, arguments for the calls, and a digest of everything that a failed
//! call must not change.

use super::table::Function;
use pintle::capi::boundary::{pintle_state, pintle_system};
use pintle::capi::status::*;
use pintle::capi::{
    beam_loads::*, beams::*, channels::*, clutches::*, contacts::*, elements::*, fluid::*, gears::*, inputs::*,
    joint_tables::*, library::*, life_cycle::*, line_changes::*, lines::*, machines::*, model::*, names::*, outputs::*,
    points::*, settings::*, shapes::*, state::*, stepping::*, tendons::*, viscoelastic::*, water::*, waves::*,
};
use pintle::model::OPTION_KEYS;
use pintle::simulation::STATISTIC_KEYS;
use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicU32, Ordering};

/// Kinds of entities, and how many of each the systems have.
pub const KINDS: [(&str, i32); 16] = [
    ("body", 7),
    ("joint", 5),
    ("spring", 4),
    ("bushing", 1),
    ("cylinder", 1),
    ("beam_element", 1),
    ("contact", 1),
    ("tendon", 1),
    ("marker", 2),
    ("callback", 1),
    ("gear", 1),
    ("point", 4),
    ("line", 2),
    ("line_type", 3),
    ("beam", 2),
    ("clutch", 1),
];

/// A beam that has no elements yet.
pub const UNDIVIDED: i32 = 1;

/// The body whose motion is imposed, the joint whose coordinates both are, which is a cylindrical
/// one, and a screw.
pub const PRESCRIBED: i32 = 3;
pub const DRIVEN: i32 = 2;
pub const CYLINDER: i32 = DRIVEN;
pub const SCREW: i32 = 3;

/// A disc that rests on a plane.
pub const ROLLING: i32 = 4;

/// A point that is free, one that is fixed, one on a body, and last one whose motion is imposed.
pub const FREE_POINT: i32 = 0;
pub const FIXED_POINT: i32 = 1;
pub const ATTACHED_POINT: i32 = 2;
pub const PRESCRIBED_POINT: i32 = 3;

/// Segments of each line: both end at the point on a body, one comes from the point whose motion is
/// imposed, the other from the fixed point.
pub const SEGMENTS: i32 = 2;

/// What places for results hold before the call.
const SENTINEL: u64 = 0xa5a5_a5a5_a5a5_a5a5;

/// Readable, aligned memory that is no live object; the library may not write to it either.
static JUNK: [u64; 32] = [0; 32];

// ---- Arguments -------------------------------------------------------------------------------------------------------

/// The value of an argument, before it is placed in memory.
#[derive(Clone, Debug)]
pub enum Value {
    Int(i64),
    Real(f64),
    Null,
    /// Pointers to numbers, to NUL-terminated text, to bytes, to the name of a file with these
    /// bytes.
    Reals(Vec<f64>),
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    File(Vec<u8>),
    /// A pointer to so many words for results.
    Place(usize),
    /// Handles: those of the world, and none at all.
    System,
    State,
    Junk,
    /// Pointers to the world's own variables for handles, and to another one with this handle.
    SystemSlot,
    StateSlot,
    NewSystem,
    Slot(Box<Value>),
}

/// An argument as it goes over the boundary.
#[derive(Clone, Copy)]
pub enum Arg {
    Int(i64),
    Real(f64),
    Pointer(*mut c_void),
}

impl From<&Arg> for i64 {
    fn from(arg: &Arg) -> i64 {
        if let Arg::Int(x) = arg { *x } else { panic!("an integer is expected") }
    }
}

impl From<&Arg> for i32 {
    fn from(arg: &Arg) -> i32 {
        i64::from(arg).try_into().expect("an int32_t")
    }
}

impl From<&Arg> for f64 {
    fn from(arg: &Arg) -> f64 {
        if let Arg::Real(x) = arg { *x } else { panic!("a double is expected") }
    }
}

impl<T> From<&Arg> for *mut T {
    fn from(arg: &Arg) -> *mut T {
        if let Arg::Pointer(p) = arg { p.cast() } else { panic!("a pointer is expected") }
    }
}

impl<T> From<&Arg> for *const T {
    fn from(arg: &Arg) -> *const T {
        <*mut T>::from(arg).cast_const()
    }
}

/// Any function is accepted; these tests pass NULL to remove it.
impl From<&Arg> for pintle_load_fn {
    fn from(arg: &Arg) -> pintle_load_fn {
        (!<*mut c_void>::from(arg).is_null()).then_some(no_load)
    }
}

unsafe extern "C" fn no_load(
    _: *mut c_void,
    _: f64,
    _: i32,
    _: *const f64,
    _: *const f64,
    _: *const f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
) -> i32 {
    0
}

impl From<&Arg> for pintle_fluid_fn {
    fn from(arg: &Arg) -> pintle_fluid_fn {
        (!<*mut c_void>::from(arg).is_null()).then_some(no_fluid)
    }
}

unsafe extern "C" fn no_fluid(
    _: *mut c_void,
    _: f64,
    _: i32,
    _: *const f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
) -> i32 {
    0
}

impl From<&Arg> for pintle_coupled_load_fn {
    fn from(arg: &Arg) -> pintle_coupled_load_fn {
        (!<*mut c_void>::from(arg).is_null()).then_some(no_coupled_load)
    }
}

unsafe extern "C" fn no_coupled_load(
    _: *mut c_void,
    _: f64,
    _: i32,
    _: *const i32,
    _: *const f64,
    _: *const f64,
    _: *const f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
) -> i32 {
    0
}

impl From<&Arg> for pintle_progress_fn {
    fn from(arg: &Arg) -> pintle_progress_fn {
        (!<*mut c_void>::from(arg).is_null()).then_some(go_on)
    }
}

unsafe extern "C" fn go_on(_: *mut c_void, _: f64, _: f64) -> i32 {
    0
}

/// What the pointers of a call point to.
#[derive(Default)]
pub struct Memory {
    blocks: Vec<Vec<u64>>,
    files: Vec<String>,
}

impl Memory {
    fn block(&mut self, words: Vec<u64>) -> Arg {
        self.blocks.push(words);
        Arg::Pointer(self.blocks.last_mut().expect("just pushed").as_mut_ptr().cast())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Arg {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        self.block(bytes.chunks(8).map(word).collect())
    }

    /// Gives a value its place.
    pub fn place(&mut self, value: &Value, world: &mut World) -> Arg {
        match value {
            Value::Int(x) => Arg::Int(*x),
            Value::Real(x) => Arg::Real(*x),
            Value::Null => Arg::Pointer(null_mut()),
            Value::Reals(numbers) => self.block(numbers.iter().map(|x| x.to_bits()).collect()),
            Value::Text(text) => self.bytes(&[text.as_slice(), b"\0"].concat()),
            Value::Bytes(bytes) => self.bytes(bytes),
            Value::File(bytes) => {
                let path = fresh_path();
                std::fs::write(&path, bytes).expect("the target directory is writable");
                self.files.push(path.clone());
                self.bytes(&[path.as_bytes(), b"\0"].concat())
            }
            Value::Place(words) => self.block(vec![SENTINEL; *words]),
            Value::System => Arg::Pointer(world.sys.cast()),
            Value::State => Arg::Pointer(world.state.cast()),
            Value::Junk => Arg::Pointer((&raw const JUNK).cast_mut().cast()),
            Value::SystemSlot => Arg::Pointer((&raw mut world.sys).cast()),
            Value::StateSlot => Arg::Pointer((&raw mut world.state).cast()),
            Value::NewSystem => Arg::Pointer((&raw mut world.spare).cast()),
            Value::Slot(inside) => {
                let handle: *mut c_void = (&self.place(inside, world)).into();
                self.block(vec![handle.addr() as u64])
            }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.files.iter().for_each(|path| drop(std::fs::remove_file(path)));
    }
}

/// The name of a file that no other test uses.
pub fn fresh_path() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}/abi-{}-{number}", env!("CARGO_TARGET_TMPDIR"), std::process::id())
}

// ---- Systems ---------------------------------------------------------------------------------------------------------

/// A system, a state of its model, and room for another system.
pub struct World {
    pub sys: *mut pintle_system,
    pub state: *mut pintle_state,
    /// Not a handle until a function put one here.
    spare: *mut pintle_system,
    /// `state`, serialized.
    pub bytes: Vec<u8>,
}

impl World {
    /// A system in phase BUILDING, READY or TRIAL.
    pub fn new(phase: i32) -> World {
        let mut model = described(1.0);
        let mut state = null_mut();
        ok(unsafe { pintle_initialize(model, 0.0) });
        step(model);
        ok(unsafe { pintle_state_save(model, &mut state) });
        if phase == PINTLE_PHASE_BUILDING {
            ok(unsafe { pintle_destroy(&mut model) });
            model = described(1.0);
        }
        if phase == PINTLE_PHASE_TRIAL {
            ok(unsafe { pintle_advance(model, 0.01) });
        }
        World { sys: model, state, spare: without_provenance_mut(SENTINEL as usize), bytes: bytes_of(state) }
    }

    /// Calls a function; says whether everything that the arguments point to is as before.
    pub fn call(&mut self, function: &Function, values: &[Value]) -> (i32, bool) {
        let (status, [before, after]) = self.results(function, values);
        (status, before == after)
    }

    /// Calls a function; returns what the arguments point to before and after.
    pub fn results(&mut self, function: &Function, values: &[Value]) -> (i32, [Vec<Vec<u64>>; 2]) {
        let mut memory = Memory::default();
        let arguments: Vec<Arg> = values.iter().map(|value| memory.place(value, self)).collect();
        let all = |world: &World| {
            let handles = [world.sys.addr(), world.state.addr(), world.spare.addr()];
            [memory.blocks.clone(), vec![handles.map(|handle| handle as u64).into()]].concat()
        };
        let before = all(self);
        let status = (function.call)(&arguments);
        (status, [before, all(self)])
    }

    /// All that the host can see of the system and the state, and how the system goes on: equal if
    /// nothing changed.
    pub fn portrait(&self) -> Vec<u64> {
        let mut portrait = self.face();
        let mut copy = null_mut();
        ok(unsafe { pintle_clone(self.sys, &mut copy) });
        let status = match phase(copy) {
            // What cannot be read in phase BUILDING is compared after initialize.
            PINTLE_PHASE_BUILDING => unsafe { pintle_initialize(copy, 0.0) },
            PINTLE_PHASE_TRIAL => unsafe { pintle_accept(copy) },
            _ => PINTLE_OK,
        };
        portrait.push(status as u64);
        if status == PINTLE_OK {
            view(copy, &mut portrait);
            step(copy);
            view(copy, &mut portrait);
        }
        ok(unsafe { pintle_destroy(&mut copy) });
        portrait
    }

    /// The begin of a portrait: what can be read of the system as it is, and its state.
    pub fn face(&self) -> Vec<u64> {
        let mut face = Vec::new();
        view(self.sys, &mut face);
        face.extend(self.bytes_of_state().iter().map(|byte| u64::from(*byte)));
        face
    }

    fn bytes_of_state(&self) -> Vec<u8> {
        if self.state.is_null() { Vec::new() } else { bytes_of(self.state) }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        unsafe {
            ok(pintle_state_destroy(&mut self.state));
            ok(pintle_destroy(&mut self.sys));
            if self.spare.addr() as u64 != SENTINEL {
                ok(pintle_destroy(&mut self.spare));
            }
        }
    }
}

/// A serialized state of another model.
pub fn stranger() -> Vec<u8> {
    let (mut sys, mut state) = (described(2.0), null_mut());
    unsafe {
        ok(pintle_initialize(sys, 0.0));
        ok(pintle_state_save(sys, &mut state));
        let bytes = bytes_of(state);
        ok(pintle_state_destroy(&mut state));
        ok(pintle_destroy(&mut sys));
        bytes
    }
}

/// Seven bodies, with one of everything: a chain of two from the ground, a free one between springs
/// in a fluid, one whose motion is imposed, one on a joint that is driven in its angle and in its
/// slide, and one on a screw with a spring, geared to the chain; and a point between springs to one
/// that is fixed, one on a body, and one whose motion is imposed; a line between these last, and
/// one from the fixed point to the body, in water with a current and over a seabed.
fn described(mass: f64) -> *mut pintle_system {
    let diagonal = |x: f64| -> [f64; 36] { std::array::from_fn(|k| if k % 7 == 0 { x } else { 0.0 }) };
    let at = |x: f64| [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let (zero, axis, inertia) = ([0.0; 3], [0.0, 1.0, 0.0], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let load: [f64; 6] = std::array::from_fn(|k| k as f64 - 1.5);
    let (mut sys, mut id) = (null_mut(), -1);
    unsafe {
        ok(pintle_create(&mut sys));
        ok(pintle_set_gravity(sys, [0.0, 0.0, -9.81].as_ptr()));
        ok(pintle_add_body(sys, diagonal(mass).as_ptr(), at(1.0).as_ptr(), &mut id));
        for x in [2.0, 4.0, 8.0, 10.0, 12.0] {
            ok(pintle_add_rigid_body(sys, 1.0, zero.as_ptr(), inertia.as_ptr(), at(x).as_ptr(), &mut id));
        }
        ok(pintle_add_rigid_body(sys, 1.0, zero.as_ptr(), inertia.as_ptr(), at(30.0).as_ptr(), &mut id));
        ok(pintle_set_body_velocity(sys, 2, load.as_ptr()));
        ok(pintle_add_joint_at(sys, PINTLE_JOINT_REVOLUTE, -1, 0, zero.as_ptr(), axis.as_ptr(), &mut id));
        let middle = [1.5, 0.0, 0.0];
        ok(pintle_add_joint_at(sys, PINTLE_JOINT_SPHERICAL, 0, 1, middle.as_ptr(), null(), &mut id));
        for (x, body, kind) in [(9.5, 4, PINTLE_JOINT_CYLINDRICAL), (12.0, 5, PINTLE_JOINT_SCREW)] {
            ok(pintle_add_joint_at(sys, kind, -1, body, [x, 0.0, 0.0].as_ptr(), axis.as_ptr(), &mut id));
        }
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let (under, upright) = ([30.0, 0.0, -0.5, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, half, half, 0.0, 0.0]);
        ok(pintle_add_joint(sys, PINTLE_JOINT_ROLLING, -1, 6, under.as_ptr(), upright.as_ptr(), &mut id));
        ok(pintle_set_joint_radius(sys, ROLLING, 0.5));
        ok(pintle_set_body_prescribed(sys, PRESCRIBED, 1));
        ok(pintle_set_joint_driven(sys, DRIVEN, 1));
        ok(pintle_set_joint_slide_driven(sys, CYLINDER, 1));
        ok(pintle_set_joint_pitch(sys, SCREW, 0.5));
        ok(pintle_set_joint_spring(sys, SCREW, 1.0, 0.25, 0.5));
        ok(pintle_set_joint_slide_spring(sys, CYLINDER, 1.0, 0.25, 0.5));
        for slide in [0, 1] {
            ok(pintle_set_joint_friction(sys, CYLINDER, slide, 0.25, 0.5, 0.0, 0.0, 1e-9));
            ok(pintle_add_joint_damper_point(sys, CYLINDER, slide, 1.0, 0.5));
            ok(pintle_add_joint_spring_point(sys, CYLINDER, slide, 1.0, 0.5));
        }
        ok(pintle_set_joint_motion(sys, DRIVEN, 0.0, 0.0, 0.125));
        ok(pintle_set_joint_slide_motion(sys, CYLINDER, 0.0, 0.0, 0.25));
        ok(pintle_set_joint_load(sys, SCREW, 0.75));
        ok(pintle_add_gear(sys, 0, SCREW, -0.5, &mut id));
        ok(pintle_add_clutch(sys, SCREW, 0, CYLINDER, 1, 0.5, 0.0, 0.0, 1.25, 1e-9, &mut id));
        ok(pintle_add_spring(sys, 1, zero.as_ptr(), 2, axis.as_ptr(), 20.0, 1.0, 1.5, 0, &mut id));
        ok(pintle_set_spring_table(sys, 0, 3, [1.0, 1.5, 3.0].as_ptr(), [-10.0, 0.0, 30.0].as_ptr()));
        for x in [4.0, 3.0, 0.0, 5.0] {
            ok(pintle_add_point(sys, 0.5, 0.25, [x, 1.0, 0.0].as_ptr(), &mut id));
        }
        ok(pintle_set_point_velocity(sys, FREE_POINT, axis.as_ptr()));
        ok(pintle_fix_point(sys, FIXED_POINT));
        ok(pintle_attach_point(sys, ATTACHED_POINT, 2, axis.as_ptr()));
        ok(pintle_set_point_prescribed(sys, PRESCRIBED_POINT, 1));
        ok(pintle_set_point_motion(sys, PRESCRIBED_POINT, [5.0, 1.0, 0.0].as_ptr(), axis.as_ptr(), zero.as_ptr()));
        for other in [FIXED_POINT, ATTACHED_POINT, PRESCRIBED_POINT] {
            ok(pintle_add_point_spring(sys, FREE_POINT, other, 40.0, 0.5, 0.75, 0, &mut id));
        }
        for point in [FREE_POINT, ATTACHED_POINT] {
            ok(pintle_set_point_load(sys, point, [0.25, -0.5, 4.0].as_ptr()));
        }
        ok(pintle_set_environment(sys, c"water_density".as_ptr(), 0.5));
        ok(pintle_set_environment(sys, c"depth".as_ptr(), 8.0));
        ok(pintle_set_current(sys, 2, [0.0, 4.0].as_ptr(), [0.5, 0.25, 0.0, 0.0, 0.0, 0.0].as_ptr()));
        let grid = [-9.0, -9.0, 8.0, 9.0, -9.0, 8.0, -9.0, 9.0, 8.0, 9.0, 9.0, 8.0];
        ok(pintle_set_seabed_grid(sys, 4, grid.as_ptr()));
        let row = |depth: f64, time: f64, speed: f64| [0.0, 0.0, depth, time, speed, 0.0, 0.0];
        let grid = [row(0.0, 0.0, 0.0), row(6.0, 0.0, 0.5), row(0.0, 2.0, 0.25), row(6.0, 2.0, 0.0)].concat();
        ok(pintle_set_current_grid(sys, 4, grid.as_ptr()));
        ok(pintle_set_waves(
            sys,
            2,
            [0.25, 0.125].as_ptr(),
            [1.0, 2.0].as_ptr(),
            [0.0, 0.5].as_ptr(),
            [0.25, 1.0].as_ptr(),
        ));
        ok(pintle_set_point_drag(sys, FREE_POINT, 0.5, 0.25));
        ok(pintle_add_line_type(sys, 0.05, 0.25, 500.0, -0.5, 0.25, 1.5, 1.0, 0.25, 0.5, &mut id));
        let (strains, tensions) = ([0.0, 0.5, 1.0], [0.0, 200.0, 500.0]);
        ok(pintle_set_line_type_table(sys, 0, c"ea".as_ptr(), 3, strains.as_ptr(), tensions.as_ptr()));
        ok(pintle_set_line_type_syrope(sys, 0, 0, 0.25, 0.0, 800.0, 20.0, 5.0));
        ok(pintle_add_line_type(sys, 0.05, 0.25, 500.0, -0.5, 0.25, 1.5, 1.0, 0.25, 0.5, &mut id));
        ok(pintle_set_line_type_table(
            sys,
            1,
            c"ba".as_ptr(),
            3,
            [0.0, 0.5, 1.0].as_ptr(),
            [0.0, 200.0, 500.0].as_ptr(),
        ));
        ok(pintle_add_line_type(sys, 0.05, 0.25, 500.0, -0.5, 0.25, 1.5, 1.0, 0.25, 0.5, &mut id));
        ok(pintle_set_line_type_viscoelastic(sys, 2, 600.0, 20.0, 5.0));
        ok(pintle_add_line(sys, 0, PRESCRIBED_POINT, ATTACHED_POINT, 1.25, SEGMENTS, &mut id));
        ok(pintle_add_line(sys, 1, FIXED_POINT, ATTACHED_POINT, 1.25, SEGMENTS, &mut id));
        (0..2).for_each(|line| ok(pintle_set_line_pressure(sys, line, 1, [50.0].as_ptr())));
        ok(pintle_set_fluid_callback(sys, Some(no_fluid), null_mut(), 0));
        let (k, c) = (diagonal(30.0), diagonal(2.0));
        let (a, b) = (at(4.0), at(0.0));
        ok(pintle_add_bushing(sys, -1, 2, a.as_ptr(), b.as_ptr(), k.as_ptr(), c.as_ptr(), &mut id));
        ok(pintle_set_bushing_table(sys, 0, 5, 3, [-1.0, 0.0, 2.0].as_ptr(), [-30.0, 0.0, 90.0].as_ptr()));
        ok(pintle_set_bushing_preload(sys, 0, [0.5, 0.0, -0.25, 0.0, 0.125, 0.0].as_ptr()));
        let deep = [0.0, 0.0, -9.0, 1.0, 0.0, 0.0, 0.0];
        ok(pintle_add_contact_plane(sys, -1, deep.as_ptr(), 2, [0.0; 3].as_ptr(), 0.25, &mut id));
        ok(pintle_set_contact_law(sys, 0, PINTLE_STOP_IMPULSE, 1e3, 1.0, 0.0, 0.5, 0.25, 0.5, 1e-9));
        ok(pintle_set_contact_resistance(sys, 0, 0.125, 0.0625));
        let eyes = [3.0, 0.0, 2.0, 0.0, 0.5, 0.0, 5.0, 0.0, 2.0];
        ok(pintle_add_tendon(sys, 3, [-1, 2, -1].as_ptr(), eyes.as_ptr(), 100.0, 0.0, 4.0, &mut id));
        ok(pintle_set_tendon_friction(sys, id, 1, 0.1));
        ok(pintle_add_cylinder(
            sys,
            2,
            [0.0; 3].as_ptr(),
            [0.5, 0.0, 1.0].as_ptr(),
            0.5,
            2,
            1.0,
            1.0,
            1.0,
            0.5,
            &mut id,
        ));
        let soft = [2.0, 1.0, 1.0, 0.5, 0.5, 0.5];
        let (ends, across) = ([[0.0; 3], [2.0, 0.0, 0.0]], [0.0, 0.0, 1.0]);
        for beam in 0..2 {
            let [a, b] = ends;
            ok(pintle_add_uniform_beam(
                sys,
                a.as_ptr(),
                b.as_ptr(),
                across.as_ptr(),
                soft.as_ptr(),
                [0.25, 0.5, 0.25, 0.25].as_ptr(),
                [0.125; 6].as_ptr(),
                &mut id,
            ));
            assert_eq!(id, beam);
        }
        ok(pintle_attach_beam(sys, 0, 0, -1));
        ok(pintle_attach_beam(sys, 0, 1, 1));
        ok(pintle_mesh_beam(sys, 0, 1));
        ok(pintle_add_beam_load(sys, 0, 1.0, [0.0, 0.5, 0.0].as_ptr(), 1, &mut id));
        for body in [0, 2] {
            ok(pintle_add_marker(sys, body, at(0.5).as_ptr(), &mut id));
        }
        let (ball, none) = ([0.0, 0.5, 0.0, 0.25], c"".as_ptr());
        ok(pintle_add_shape(sys, 2, c"sphere".as_ptr(), 4, ball.as_ptr(), none, none, none, &mut id));
        ok(pintle_set_name(sys, c"body".as_ptr(), 0, c"hull".as_ptr()));
        ok(pintle_set_added_mass(sys, 2, diagonal(0.5).as_ptr(), 1));
        ok(pintle_set_quadratic_drag(sys, 2, diagonal(0.25).as_ptr(), 0));
        ok(pintle_set_body_in_water(sys, 2, 1, 0.25, [0.0, 0.25, 0.0].as_ptr()));
        ok(pintle_set_coupled_load_callback(sys, 2, [0, 2].as_ptr(), Some(no_coupled_load), null_mut(), &mut id));
        ok(pintle_set_body_load(sys, 2, 0, load.as_ptr()));
        ok(pintle_set_marker_load(sys, 0, 1, load.as_ptr()));
    }
    sys
}

// ---- Looking at a system ---------------------------------------------------------------------------------------------

/// The message of a system's last failed call; NULL: of this thread's.
pub fn message(sys: *const pintle_system) -> String {
    let mut buffer = [0_u8; 4096];
    let mut len = -1;
    ok(unsafe { pintle_error_message(sys, 4096, buffer.as_mut_ptr().cast(), &mut len) });
    String::from_utf8(buffer[..len as usize].to_vec()).expect("UTF-8")
}

pub fn phase(sys: *const pintle_system) -> i32 {
    let mut phase = -1;
    ok(unsafe { pintle_phase(sys, &mut phase) });
    phase
}

/// One step, by which the test ends in READY.
pub fn step(sys: *mut pintle_system) {
    ok(unsafe { pintle_step(sys, 0.01) });
}

/// The accepted state and a pending trial, with all that a step depends on.
pub fn bytes_of_system(sys: *const pintle_system) -> Vec<u8> {
    let mut state = null_mut();
    ok(unsafe { pintle_state_save(sys, &mut state) });
    let bytes = bytes_of(state);
    ok(unsafe { pintle_state_destroy(&mut state) });
    bytes
}

pub fn bytes_of(state: *const pintle_state) -> Vec<u8> {
    let mut len = 0;
    ok(unsafe { pintle_state_serialize(state, 0, null_mut(), &mut len) });
    let mut bytes = vec![0; len as usize];
    ok(unsafe { pintle_state_serialize(state, len, bytes.as_mut_ptr(), &mut len) });
    bytes
}

#[track_caller]
pub fn ok(status: i32) {
    assert_eq!(status, PINTLE_OK, "{}", message(null()));
}

/// Phase, counts, names, options; time, motion, statistics and the bytes of the state where there
/// are any.
fn view(sys: *const pintle_system, view: &mut Vec<u64>) {
    let text = |text: &str| CString::new(text).expect("no NUL inside");
    let (mut number, mut x, mut scheme) = (-1, f64::NAN, [0 as c_char; 64]);
    view.push(phase(sys) as u64);
    unsafe {
        for (kind, _) in KINDS {
            ok(pintle_count(sys, text(kind).as_ptr(), &mut number));
            view.push(number as u64);
        }
        ok(pintle_shape_count(sys, &mut number));
        view.push(number as u64);
        ok(pintle_find(sys, c"body".as_ptr(), c"hull".as_ptr(), &mut number));
        view.push(number as u64);
        for key in OPTION_KEYS {
            ok(pintle_get_option(sys, text(key).as_ptr(), &mut x));
            view.push(x.to_bits());
        }
        ok(pintle_get_scheme(sys, 64, scheme.as_mut_ptr(), null_mut()));
        view.extend(scheme.iter().map(|c| *c as u64));
        if phase(sys) == PINTLE_PHASE_BUILDING {
            return;
        }
        for key in STATISTIC_KEYS {
            ok(pintle_get_statistic(sys, text(key).as_ptr(), &mut x));
            view.push(x.to_bits());
        }
        ok(pintle_time(sys, &mut x));
        view.push(x.to_bits());
        let bodies = KINDS[0].1;
        let mut rows = vec![0.0; 19 * bodies as usize];
        let (poses, rest) = rows.split_at_mut(7 * bodies as usize);
        let (velocities, accelerations) = rest.split_at_mut(6 * bodies as usize);
        ok(pintle_get_body_poses(sys, bodies, poses.as_mut_ptr()));
        ok(pintle_get_body_velocities(sys, bodies, velocities.as_mut_ptr()));
        ok(pintle_get_body_accelerations(sys, bodies, accelerations.as_mut_ptr()));
        view.extend(rows.iter().map(|x| x.to_bits()));
        ok(pintle_channel_count(sys, &mut number));
        let mut channels = vec![0.0; number as usize];
        ok(pintle_get_channels(sys, number, channels.as_mut_ptr()));
        view.extend(channels.iter().map(|x: &f64| x.to_bits()));
    }
    view.extend(bytes_of_system(sys).iter().map(|byte| u64::from(*byte)));
}
