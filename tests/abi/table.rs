//! How to call each function of the C ABI, and what each of its parameters is.

use super::world::{Arg, DRIVEN, KINDS, PRESCRIBED, SCREW, Value, World};
use pintle::capi::api_table::{pintle_api, pintle_get_api};
use pintle::capi::status::PINTLE_JOINT_REVOLUTE;
use pintle::capi::{
    analysis::*, inputs::*, library::*, life_cycle::*, model::*, model_file::*, outputs::*, rotation::*, settings::*,
    state::*, stepping::*,
};
use pintle::model::OPTION_KEYS;
use pintle::simulation::{SCHEME_NAMES, STATISTIC_KEYS};

/// What a parameter is: from it follow a valid value and all that are refused.
pub enum Role {
    /// A system that must be there; in `error_message` NULL stands for the thread.
    System,
    SystemOrThread,
    /// The variable that holds a handle, to be freed or reused; the variable that receives a new one.
    SystemSlot,
    NewSystem,
    State,
    StateSlot,
    /// The id of an entity of this kind.
    Id(&'static str),
    /// The same, where only some will do; the valid one.
    Chosen(&'static str, i32),
    /// A body or the ground; the valid one.
    End(i32),
    Frame,
    JointKind,
    Flag,
    /// The number of entities of this kind, before an array of so many rows.
    Count(&'static str),
    /// Just this number, the size of arrays after it; any that is not negative; one that is positive; an
    /// index below it.
    Exactly(i32),
    Few(i32),
    Positive(i32),
    Below(i32),
    /// Ids of entities of this kind, after their number.
    Ids(&'static str, Vec<i32>),
    /// A finite number; one that may not be negative; a time step.
    Real(f64),
    NotNegative(f64),
    Step,
    /// Finite numbers; the same where the last four are a unit quaternion.
    Array(Vec<f64>),
    Unit(Vec<f64>),
    /// So many words for results.
    Place(usize),
    /// Text out of a list that messages repeat; free text; a file.
    Word(&'static str, &'static [&'static str]),
    Text(&'static str),
    Path,
    /// The file of a model.
    ModelFile,
    /// Room in a buffer; length and content of a serialized state.
    Cap,
    Len,
    Bytes,
    /// Of `pintle_api`.
    AbiVersion,
    TableSize,
    /// Anything goes; why.
    Any(&'static str),
}

use Role::*;

/// Of `described`: 5 + 3 + 6 + 5 rows of joints on the five bodies that are free.
const CONSTRAINTS: i32 = 19;
const STATES: i32 = 2 * (30 - CONSTRAINTS);

/// A model file.
pub const MODEL: &str = "\
pintle_model = 1
[[body]]
name = \"hull\"
mass = 2.0
inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
pose = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
";

/// Bytes that `Cap` promises; `BUFFER` is the place for them.
const CAPACITY: usize = 16384;
const BUFFER: Role = Place(CAPACITY / 8);

impl Role {
    /// A value that the function accepts.
    pub fn valid(&self, world: &World) -> Value {
        match self {
            System | SystemOrThread => Value::System,
            SystemSlot => Value::SystemSlot,
            NewSystem => Value::NewSystem,
            State => Value::State,
            StateSlot => Value::StateSlot,
            Id(kind) => Value::Int(i64::from(count(kind) - 1)),
            Chosen(_, id) | End(id) => Value::Int((*id).into()),
            Frame | Flag => Value::Int(1),
            JointKind => Value::Int(PINTLE_JOINT_REVOLUTE.into()),
            Count(kind) => Value::Int(count(kind).into()),
            Exactly(n) | Few(n) | Positive(n) => Value::Int((*n).into()),
            Below(n) => Value::Int(i64::from(n - 1)),
            Ids(_, ids) => Value::Bytes(ids.iter().flat_map(|id| id.to_ne_bytes()).collect()),
            Real(x) | NotNegative(x) => Value::Real(*x),
            Step => Value::Real(0.01),
            Array(numbers) | Unit(numbers) => Value::Reals(numbers.clone()),
            Place(words) => Value::Place(*words),
            Word(text, _) | Text(text) => Value::Text((*text).into()),
            Path => Value::File(world.bytes.clone()),
            ModelFile => Value::File(MODEL.into()),
            Cap => Value::Int(CAPACITY as i64),
            Len => Value::Int(world.bytes.len() as i64),
            Bytes => Value::Bytes(world.bytes.clone()),
            AbiVersion => Value::Int(PINTLE_ABI.into()),
            TableSize => Value::Int(size_of::<pintle_api>() as i64),
            Any(_) => Value::Place(1),
        }
    }
}

/// How many entities of a kind the systems of these tests have.
pub fn count(kind: &str) -> i32 {
    KINDS.iter().find(|(name, _)| *name == kind).expect("a kind").1
}

/// A function of the C ABI.
pub struct Function {
    pub name: &'static str,
    pub parameters: Vec<(&'static str, Role)>,
    pub call: fn(&[Arg]) -> i32,
}

impl Function {
    /// Arguments that the function accepts, with some of them replaced.
    pub fn arguments(&self, world: &World, replaced: &[(&str, Value)]) -> Vec<Value> {
        for (name, _) in replaced {
            assert!(self.parameters.iter().any(|(own, _)| own == name), "{} has no `{name}`", self.name);
        }
        let value = |(name, role): &(&str, Role)| match replaced.iter().find(|(other, _)| other == name) {
            Some((_, value)) => value.clone(),
            None => role.valid(world),
        };
        self.parameters.iter().map(value).collect()
    }
}

/// Functions that have no status, and why no argument of theirs is bad.
pub const CANNOT_FAIL: [(&str, &str); 4] = [
    ("pintle_version", "takes nothing"),
    ("pintle_abi_version", "takes nothing"),
    ("pintle_status_name", "every number has a name"),
    ("pintle_status_severity", "every number has a severity"),
];

macro_rules! functions {
    ($($function:ident($($name:ident: $role:expr),*);)*) => { vec![$(Function {
        name: stringify!($function),
        parameters: vec![$((stringify!($name), $role)),*],
        call: |arguments| {
            let mut arguments = arguments.iter();
            // Argument by argument; the order of evaluation is that of the list.
            unsafe { $function($({
                let _ = stringify!($name);
                arguments.next().expect("an argument for each parameter").into()
            }),*) }
        },
    }),*] };
}

/// All functions that can fail, in the order of the header.
#[rustfmt::skip] // one line each
pub fn functions() -> Vec<Function> {
    let zeros = |n| Array(vec![0.0; n]);
    let numbers = |n| Array((0..n).map(|k| 0.25 * f64::from(k) - 0.5).collect());
    let diagonal = |n: usize, x: f64| Array((0..n * n).map(|k| if k % (n + 1) == 0 { x } else { 0.0 }).collect());
    let pose = || Unit(vec![0.5, -1.0, 2.0, 0.5, -0.5, 0.5, 0.5]);
    let quaternion = || Unit(vec![0.5, -0.5, 0.5, 0.5]);
    let kind = || Word("body", &["body", "joint", "spring", "bushing", "marker"]);
    let rows = |kind, width| Place(count(kind) as usize * width);
    let loads = |kind| Array(vec![1.5; count(kind) as usize * 6]);
    let all = count("body");
    let rest = |width| Array(vec![0.0; count("body") as usize * width]);
    // Where `described` put them.
    let poses = || Array([1.0, 2.0, 4.0, 8.0, 10.0, 12.0].iter().flat_map(|x| [*x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).collect());
    let markers = || Ids("marker", vec![1, 0]);
    functions! {
        pintle_error_message(sys: SystemOrThread, cap: Cap, buf: BUFFER, len: Any("may be NULL"));
        pintle_suggest_time_step(radius: NotNegative(62.941), dt: Place(1));
        pintle_create(out: NewSystem);
        pintle_clone(sys: System, out: NewSystem);
        pintle_destroy(sys: SystemSlot);
        pintle_phase(sys: System, phase: Place(1));
        pintle_initialize(sys: System, t0: Real(0.5));
        pintle_set_gravity(sys: System, gravity: numbers(3));
        pintle_add_body(sys: System, mass: diagonal(6, 2.0), pose: pose(), body: Place(1));
        pintle_add_rigid_body(sys: System, mass: NotNegative(2.0), com: numbers(3), inertia: Array(vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0]), pose: pose(), body: Place(1));
        pintle_set_body_velocity(sys: System, body: Id("body"), velocity: numbers(6));
        pintle_set_body_acceleration(sys: System, body: Id("body"), acceleration: numbers(6));
        pintle_add_joint(sys: System, kind: JointKind, body_a: End(0), body_b: End(2), frame_a: pose(), frame_b: pose(), joint: Place(1));
        pintle_add_joint_at(sys: System, kind: JointKind, body_a: End(2), body_b: End(1), point: numbers(3), axis: numbers(3), joint: Place(1));
        pintle_set_body_prescribed(sys: System, body: Id("body"), prescribed: Flag);
        pintle_set_joint_driven(sys: System, joint: Chosen("joint", DRIVEN), driven: Flag);
        pintle_set_joint_spring(sys: System, joint: Chosen("joint", SCREW), stiffness: NotNegative(2.0), damping: NotNegative(0.5), rest: Real(7.0));
        pintle_set_joint_pitch(sys: System, joint: Chosen("joint", SCREW), pitch: Real(-0.25));
        pintle_add_spring(sys: System, body_a: End(1), point_a: numbers(3), body_b: End(0), point_b: numbers(3), stiffness: NotNegative(5.0), damping: NotNegative(0.5), rest_length: NotNegative(1.0), tension_only: Flag, spring: Place(1));
        pintle_add_bushing(sys: System, body_a: End(0), body_b: End(2), frame_a: pose(), frame_b: pose(), stiffness: numbers(36), damping: numbers(36), bushing: Place(1));
        pintle_add_marker(sys: System, body: Id("body"), frame: pose(), marker: Place(1));
        pintle_set_name(sys: System, kind: kind(), id: Id("body"), name: Text("a new name"));
        pintle_find(sys: System, kind: kind(), name: Word("hull", &[]), id: Place(1));
        pintle_count(sys: System, kind: kind(), count: Place(1));
        pintle_set_added_mass(sys: System, body: Id("body"), a: diagonal(6, 3.0), frame: Frame);
        pintle_set_linear_damping(sys: System, body: Id("body"), c: numbers(36), frame: Frame);
        pintle_set_quadratic_drag(sys: System, body: Id("body"), d: numbers(36), frame: Frame);
        pintle_load_model(path: ModelFile, out: NewSystem);
        pintle_save_model(sys: System, path: Path);
        pintle_set_scheme(sys: System, name: Word("generalized-alpha", &SCHEME_NAMES));
        pintle_get_scheme(sys: System, cap: Cap, buf: BUFFER, len: Any("may be NULL"));
        pintle_set_option(sys: System, key: Word("energy_tolerance", &OPTION_KEYS), value: Real(0.5));
        pintle_get_option(sys: System, key: Word("rho_inf", &OPTION_KEYS), value: Place(1));
        pintle_clear_loads(sys: System);
        pintle_set_body_load(sys: System, body: Id("body"), frame: Frame, wrench: numbers(6));
        pintle_set_body_loads(sys: System, frame: Frame, n: Count("body"), wrenches: loads("body"));
        pintle_set_marker_load(sys: System, marker: Id("marker"), frame: Frame, wrench: numbers(6));
        pintle_set_marker_loads(sys: System, frame: Frame, n: Count("marker"), wrenches: loads("marker"));
        pintle_set_joint_load(sys: System, joint: Chosen("joint", SCREW), generalized_force: Real(3.0));
        pintle_set_joint_motion(sys: System, joint: Chosen("joint", DRIVEN), q: Real(0.25), qd: Real(0.5), qdd: Real(-0.5));
        pintle_set_body_motion(sys: System, body: Chosen("body", PRESCRIBED), pose: pose(), velocity: numbers(6), acceleration: numbers(6));
        pintle_set_load_callback(sys: System, body: Id("body"), fn: Any("NULL removes the callback; other pointers cannot be judged"), user: Any("the host's own, never followed"));
        pintle_mark_discontinuity(sys: System);
        pintle_step(sys: System, dt: Step);
        pintle_advance(sys: System, dt: Step);
        pintle_accept(sys: System);
        pintle_reject(sys: System);
        pintle_time(sys: System, time: Place(1));
        pintle_get_statistic(sys: System, key: Word("steps", &STATISTIC_KEYS), value: Place(1));
        pintle_get_warning(sys: System, cap: Cap, buf: BUFFER, len: Any("may be NULL"));
        pintle_get_body_pose(sys: System, body: Id("body"), pose: Place(7));
        pintle_get_body_displacement(sys: System, body: Id("body"), displacement: Place(7));
        pintle_get_body_velocity(sys: System, body: Id("body"), frame: Frame, velocity: Place(6));
        pintle_get_body_acceleration(sys: System, body: Id("body"), frame: Frame, acceleration: Place(6));
        pintle_get_body_poses(sys: System, n: Count("body"), poses: rows("body", 7));
        pintle_get_body_velocities(sys: System, n: Count("body"), velocities: rows("body", 6));
        pintle_get_body_accelerations(sys: System, n: Count("body"), accelerations: rows("body", 6));
        pintle_get_marker_pose(sys: System, marker: Id("marker"), pose: Place(7));
        pintle_get_marker_velocity(sys: System, marker: Id("marker"), frame: Frame, velocity: Place(6));
        pintle_get_marker_acceleration(sys: System, marker: Id("marker"), frame: Frame, acceleration: Place(6));
        pintle_get_marker_poses(sys: System, n: Count("marker"), poses: rows("marker", 7));
        pintle_get_marker_velocities(sys: System, n: Count("marker"), velocities: rows("marker", 6));
        pintle_get_marker_accelerations(sys: System, n: Count("marker"), accelerations: rows("marker", 6));
        pintle_get_joint_coordinate(sys: System, joint: Chosen("joint", SCREW), q: Place(1), qd: Place(1), qdd: Place(1));
        pintle_get_joint_reaction(sys: System, joint: Id("joint"), frame: Frame, wrench: Place(6));
        pintle_get_joint_reaction_on_a(sys: System, joint: Id("joint"), frame: Frame, wrench: Place(6));
        pintle_get_body_reaction(sys: System, body: Chosen("body", PRESCRIBED), frame: Frame, wrench: Place(6));
        pintle_get_spring_force(sys: System, spring: Id("spring"), length: Place(1), tension: Place(1));
        pintle_get_constraint_violation(sys: System, position: Place(1), velocity: Place(1));
        pintle_get_redundant_constraints(sys: System, cap: Cap, buf: BUFFER, len: Any("may be NULL"));
        pintle_get_energy(sys: System, kinetic: Place(1), potential: Place(1));
        pintle_get_momentum(sys: System, about: numbers(3), momentum: Place(6));
        pintle_state_save(sys: System, state: StateSlot);
        pintle_state_restore(sys: System, state: State);
        pintle_state_destroy(state: StateSlot);
        pintle_state_serialize(state: State, cap: Cap, bytes: BUFFER, len: Place(1));
        pintle_state_deserialize(sys: System, len: Len, bytes: Bytes, state: StateSlot);
        pintle_write_checkpoint(sys: System, path: Path);
        pintle_read_checkpoint(sys: System, path: Path);
        pintle_quat_to_dcm(q: quaternion(), dcm: Place(9));
        pintle_quat_from_dcm(dcm: diagonal(3, 1.0), q: Place(4));
        pintle_quat_to_rotvec(q: quaternion(), rotvec: Place(3));
        pintle_quat_from_rotvec(rotvec: zeros(3), q: Place(4));
        pintle_quat_to_euler_zyx(q: quaternion(), angles: Place(3));
        pintle_quat_from_euler_zyx(angles: zeros(3), q: Place(4));
        pintle_solve_equilibrium(sys: System, max_iterations: Positive(100), tolerance: Real(1e-6));
        pintle_get_coordinates(sys: System, n: Count("body"), poses: rows("body", 7), velocities: rows("body", 6));
        pintle_set_coordinates(sys: System, n: Count("body"), poses: poses(), velocities: rest(6));
        pintle_eval_accelerations(sys: System, n: Count("body"), poses: poses(), velocities: rest(6), accelerations: rows("body", 6));
        pintle_retract(n: Few(1), poses: pose(), increments: numbers(6), moved: Place(7));
        pintle_difference(n: Few(1), from: pose(), to: pose(), increments: Place(6));
        pintle_get_mass_matrix(sys: System, n: Exactly(6 * all), mass: Place(36 * 36));
        pintle_get_constraint_jacobian(sys: System, m: Exactly(CONSTRAINTS), n: Exactly(6 * all), jacobian: Place(36 * 36));
        pintle_linearize(sys: System, n_bodies: Few(1), bodies: Ids("body", vec![0]), n_loads: Few(2), load_markers: markers(), n_sensors: Few(2), sensor_markers: markers(), n_states: Exactly(STATES), a: Place(2048), b: Place(2048), c: Place(2048), d: Place(2048));
        pintle_get_state_name(sys: System, state: Below(STATES), cap: Cap, buf: BUFFER, len: Any("may be NULL"));
        pintle_get_modes(sys: System, n: Exactly(STATES), count: Place(1), frequencies: Place(64), damping_ratios: Place(64), n_bodies: Exactly(all), shapes: Place(4096), motion: Place(2));
        pintle_get_load_compliance(sys: System, n_markers: Few(2), markers: markers(), dt: Step, n: Exactly(432), out: Place(432));
        pintle_get_api(abi_version: AbiVersion, size: TableSize, out: Place(size_of::<pintle_api>() / 8));
    }
}
