//! The kind of each parameter of each function of the C ABI, from which tests derive a valid value
//! and all bad ones.
//!
//! `derived` derives most kinds from the header, `annotations` lists the others: parameters of new
//! functions for which no rule exists are added there, and a test names those that are missing.

use std::sync::OnceLock;

use super::calls::CALLS;
use super::world::{
    Arg, CYLINDER, DRIVEN, FREE_POINT, KINDS, PRESCRIBED, PRESCRIBED_POINT, ROLLING, SCREW, SEGMENTS, UNDIVIDED, Value,
    World,
};
use pintle::capi::api_table::pintle_api;
use pintle::capi::library::PINTLE_ABI;
use pintle::capi::status::PINTLE_JOINT_REVOLUTE;
use pintle::model::{ENVIRONMENT_KEYS, OPTION_KEYS};
use pintle::simulation::{SCHEME_NAMES, STATISTIC_KEYS};
use pintle_generator::header::Header;
use pintle_generator::shape::{Shape, shapes};

pub use pintle_generator::calls::CANNOT_FAIL;

/// The kind of a parameter, from which a valid value and all bad ones follow.
pub enum Role {
    /// A system that must be there; in `error_message` NULL stands for the thread.
    System,
    SystemOrThread,
    /// The variable that holds a handle, to be freed or reused; the variable that receives a new
    /// one.
    SystemSlot,
    NewSystem,
    State,
    StateSlot,
    /// The id of an entity of this kind.
    Id(&'static str),
    /// The same, if only some ids are accepted; a valid one.
    Chosen(&'static str, i32),
    /// A body or the ground; the valid one.
    End(i32),
    /// The same, if only one is accepted.
    Holder(i32),
    Frame,
    JointKind,
    Flag,
    /// The number of entities of this kind, before an array of so many rows.
    Count(&'static str),
    /// Just this number, the size of arrays after it; any that is not negative; one that is
    /// positive; an index below it.
    Exactly(i32),
    Few(i32),
    Positive(i32),
    Below(i32),
    /// Ids of entities of this kind, after their number.
    Ids(&'static str, Vec<i32>),
    /// Bodies, one of them perhaps the ground.
    Ends(Vec<i32>),
    /// Indices below a number, after the number of them.
    AllBelow(i32, Vec<i32>),
    /// The id of an entity of this kind, or -1, the valid one.
    OrNone(&'static str),
    /// A finite number; one that may not be negative; one that must be above zero; a time step.
    Real(f64),
    /// The same, or infinite.
    Bound(f64),
    NotNegative(f64),
    Above(f64),
    Step,
    /// Finite numbers; the same where the last four are a unit quaternion.
    Array(Vec<f64>),
    Unit(Vec<f64>),
    /// An array of this many words for results.
    Place(usize),
    /// Text out of a list that messages repeat; free text; a file.
    Word(&'static str, &'static [&'static str]),
    Text(&'static str),
    Path,
    /// The file of a model.
    ModelFile,
    MoordynFile,
    /// Room in a buffer; length and content of a serialized state.
    Cap,
    Len,
    Bytes,
    /// Of `pintle_api`.
    AbiVersion,
    TableSize,
    /// Any integer.
    Seed,
    /// Any value is accepted; the reason.
    Any(&'static str),
    /// The same, or NULL.
    Optional(Box<Role>),
}

use Role::*;

/// Of `described`: 5 + 3 + 6 + 5 + 3 rows of joints on the six bodies that are free, and a gear.
const CONSTRAINTS: i32 = 23;
const STATES: i32 = 2 * (36 + 3 - CONSTRAINTS + 2 * 3 * (SEGMENTS - 1));

/// Velocities of seven bodies, four points, and the nodes of two lines.
const DOFS: i32 = 6 * 7 + 3 * 4 + 2 * 3 * (SEGMENTS + 1);

/// 3 of the system, 22 of each body and marker, 6 of the prescribed one, 10 + 6 + 14 + 13 + 6 of the
/// joints and 8 of friction, 3 of each spring, 12 of the bushing, 9 of the cylinder, 12 of the
/// element of a beam, 8 of the contact, 2 of the tendon, 9 of each point, 3 more of those whose
/// motion is imposed, one of the gear, 4 of the clutch; 12 of each line, one of each of its
/// segments, 3 of each of its nodes.
const CHANNELS: i32 = 3
    + 22 * 9
    + 6
    + 49
    + 8
    + 3 * 4
    + 12
    + 9
    + 12
    + 8
    + 2
    + 9 * 4
    + 3 * 2
    + 1
    + 4
    + 2 * (12 + SEGMENTS + 3 * (SEGMENTS + 1));

/// A model file.
pub const MODEL: &str = "\
pintle_model = 1
[[body]]
name = \"hull\"
mass = 2.0
inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
pose = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
";

/// An input file of MoorDyn.
pub const MOORDYN: &str = "\
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s) (N-m^2) (-) (-) (-) (-)
chain 0.1 150.0 7.5e8 -0.8 0 2.0 0.8 0.4 0.25
--- POINTS ---
ID Attachment X Y Z Mass Volume CdA Ca
(#) (word) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 400 0 -50 0 0 0 0
2 Coupled 0 0 -5 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(#) (name) (#) (#) (m) (-) (-)
1 chain 1 2 420 10 -
--- OPTIONS ---
50 WtrDpth
--- need this line ---
";

/// Bytes that `Cap` promises; `BUFFER` is the place for them.
const CAPACITY: usize = 65536;
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
            Chosen(_, id) | End(id) | Holder(id) => Value::Int((*id).into()),
            Frame | Flag => Value::Int(1),
            JointKind => Value::Int(PINTLE_JOINT_REVOLUTE.into()),
            Count(kind) => Value::Int(count(kind).into()),
            Exactly(n) | Few(n) | Positive(n) => Value::Int((*n).into()),
            Below(n) => Value::Int(i64::from(n - 1)),
            OrNone(_) => Value::Int(-1),
            Ids(_, ids) | Ends(ids) | AllBelow(_, ids) => {
                Value::Bytes(ids.iter().flat_map(|id| id.to_ne_bytes()).collect())
            }
            Real(x) | Bound(x) | NotNegative(x) | Above(x) => Value::Real(*x),
            Step => Value::Real(0.01),
            Array(numbers) | Unit(numbers) => Value::Reals(numbers.clone()),
            Place(words) => Value::Place(*words),
            Word(text, _) | Text(text) => Value::Text((*text).into()),
            Path => Value::File(world.bytes.clone()),
            ModelFile => Value::File(MODEL.into()),
            MoordynFile => Value::File(MOORDYN.into()),
            Cap => Value::Int(CAPACITY as i64),
            Len => Value::Int(world.bytes.len() as i64),
            Bytes => Value::Bytes(world.bytes.clone()),
            AbiVersion => Value::Int(PINTLE_ABI.into()),
            TableSize => Value::Int(size_of::<pintle_api>() as i64),
            Seed => Value::Int(7),
            Any(_) => Value::Place(1),
            Optional(role) => role.valid(world),
        }
    }
}

/// How many entities of a kind the systems of these tests have.
pub fn count(kind: &str) -> i32 {
    // Shapes have no kind of entity.
    let all = || KINDS.iter().chain(&[("shape", 1)]);
    all().find(|(name, _)| *name == kind).expect("a kind").1
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

/// All functions that can fail, in the order of the header.
pub fn functions() -> Vec<Function> {
    static HEADER: OnceLock<Header> = OnceLock::new();
    let header = HEADER.get_or_init(Header::read);
    let mut annotations = annotations();
    let functions = CALLS
        .iter()
        .map(|(name, call)| {
            let function = header.functions.iter().find(|one| one.name == *name).expect("a function of the header");
            let mut given = annotations.remove(*name).unwrap_or_default();
            let shapes = shapes(header, function);
            let role = |(k, parameter): (usize, &str)| {
                let role = given.remove(parameter).or_else(|| derived(parameter, k, &shapes, &function.errors));
                role.unwrap_or_else(|| panic!("say in tests/abi/functions/table.rs what `{parameter}` of {name} is"))
            };
            let names = function.parameters.iter().map(|one| one.name.as_str());
            let parameters = names.clone().zip(names.enumerate().map(role)).collect();
            assert!(given.is_empty(), "{name} has no {:?}, of which tests/abi/functions/table.rs speaks", given.keys());
            Function { name, parameters, call: *call }
        })
        .collect();
    assert!(annotations.is_empty(), "tests/abi/functions/table.rs speaks of {:?}", annotations.keys());
    functions
}

/// The kind of a parameter, as far as its shape and its name determine it; None where that is not
/// enough to call the function.
fn derived(name: &str, place: usize, shapes: &[Shape], errors: &str) -> Option<Role> {
    let entity = |kind: &str| KINDS.iter().map(|(known, _)| *known).find(|known| *known == kind);
    let rows_of = shapes.iter().find_map(|one| if let Shape::Length(Some(kind)) = one { entity(kind) } else { None });
    let or_null = |optional: bool, role| if optional { Optional(Box::new(role)) } else { role };
    Some(match &shapes[place] {
        Shape::System { .. } => System,
        Shape::Frame => Frame,
        Shape::JointKind => JointKind,
        Shape::Flag => Flag,
        Shape::Id { or_ground: true, .. } => End(if name.ends_with("_b") { 2 } else { 0 }),
        Shape::Id { kind, .. } => Id(entity(kind)?),
        Shape::Length(Some(kind)) => Count(entity(kind)?),
        Shape::Real if name == "dt" => Step,
        Shape::Real if !errors.contains("negative") => Real(0.5),
        Shape::Array { size: size @ (4 | 7), optional } => {
            or_null(*optional, if *size == 4 { quaternion() } else { pose() })
        }
        Shape::Array { size, optional } => or_null(*optional, numbers(*size)),
        Shape::Batch(6) => Array(vec![1.5; count(rows_of?) as usize * 6]),
        Shape::Text if name == "path" => Path,
        Shape::Text if name == "kind" => kind(),
        Shape::Cap => Cap,
        Shape::Buffer => BUFFER,
        Shape::TextLength => Any("may be NULL"),
        Shape::Callback(_) => Any("NULL removes the callback; other pointers cannot be judged"),
        Shape::User => Any("the host's own, never followed"),
        Shape::OutInteger { optional, .. } | Shape::OutReal { optional } => or_null(*optional, Place(1)),
        Shape::OutArray { size, optional } => or_null(*optional, Place(*size)),
        Shape::OutBatch(row) => rows(rows_of?, *row),
        _ => return None,
    })
}

fn zeros(n: usize) -> Role {
    Array(vec![0.0; n])
}

fn numbers(n: usize) -> Role {
    Array((0..n).map(|k| 0.25 * k as f64 - 0.5).collect())
}

fn diagonal(n: usize, x: f64) -> Role {
    Array((0..n * n).map(|k| if k % (n + 1) == 0 { x } else { 0.0 }).collect())
}

fn pose() -> Role {
    Unit(vec![0.5, -1.0, 2.0, 0.5, -0.5, 0.5, 0.5])
}

fn quaternion() -> Role {
    Unit(vec![0.5, -0.5, 0.5, 0.5])
}

fn kind() -> Role {
    Word(
        "body",
        &[
            "body",
            "joint",
            "spring",
            "bushing",
            "cylinder",
            "beam_element",
            "contact",
            "tendon",
            "marker",
            "callback",
            "gear",
            "point",
            "line",
            "line_type",
            "beam",
            "clutch",
        ],
    )
}

/// Room for so many numbers of each entity of a kind.
fn rows(kind: &str, width: usize) -> Role {
    Place(count(kind) as usize * width)
}

type Annotations = std::collections::BTreeMap<&'static str, std::collections::BTreeMap<&'static str, Role>>;

macro_rules! annotations {
    ($($function:ident($($name:ident: $role:expr),*);)*) => {
        [$((stringify!($function), [$((stringify!($name), $role)),*].into())),*].into()
    };
}

/// Kinds of parameters that do not follow from the header: which values a call accepts, or accepts
/// beside the usual ones of the shape.
#[rustfmt::skip] // one line each
fn annotations() -> Annotations {
    let all = count("body");
    let rest = |width| Array(vec![0.0; count("body") as usize * width]);
    // Where `described` put them.
    let poses = || Array([1.0, 2.0, 4.0, 8.0, 10.0, 12.0, 30.0].iter().flat_map(|x| [*x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).collect());
    let markers = || Ids("marker", vec![1, 0]);
    annotations! {
        pintle_error_message(sys: SystemOrThread);
        pintle_suggest_time_step(radius: NotNegative(62.941));
        pintle_create(out: NewSystem);
        pintle_clone(out: NewSystem);
        pintle_destroy(sys: SystemSlot);
        pintle_add_body(mass: diagonal(6, 2.0));
        pintle_add_rigid_body(mass: NotNegative(2.0), inertia: Array(vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0]));
        pintle_add_joint_at(body_a: End(2), body_b: End(1), axis: numbers(3));
        pintle_set_gravity(gravity: Array(vec![0.0, 0.0, -5.0]));
        pintle_set_body_mass(mass: NotNegative(2.5), inertia: Array(vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0]));
        pintle_set_spring(spring: Chosen("spring", 1), stiffness: NotNegative(2.0), damping: NotNegative(0.5), rest_length: NotNegative(1.25));
        pintle_set_joint_driven(joint: Chosen("joint", DRIVEN));
        pintle_set_joint_spring(joint: Chosen("joint", SCREW), stiffness: NotNegative(2.0), damping: NotNegative(0.5), rest: Real(7.0));
        pintle_set_joint_offset(joint: Chosen("joint", SCREW));
        pintle_set_joint_slide_driven(joint: Chosen("joint", CYLINDER));
        pintle_set_joint_slide_spring(joint: Chosen("joint", CYLINDER), stiffness: NotNegative(2.0), damping: NotNegative(0.5), rest: Real(7.0));
        pintle_set_joint_pitch(joint: Chosen("joint", SCREW), pitch: Real(-0.25));
        pintle_set_joint_radius(joint: Chosen("joint", ROLLING), radius: Above(0.5));
        pintle_set_spring_table(spring: Chosen("spring", 0), n: Few(3), lengths: Array(vec![0.5, 1.0, 2.0]), forces: Array(vec![-1.0, 0.0, 4.0]));
        pintle_get_spring_table(spring: Chosen("spring", 0), cap: Few(4), lengths: Place(4), forces: Place(4), n: Place(1));
        pintle_set_bushing_table(axis: Below(6), n: Few(3), deflections: Array(vec![-1.0, 0.0, 2.0]), forces: Array(vec![-8.0, 0.0, 4.0]));
        pintle_get_bushing_table(axis: Below(6), cap: Few(4), deflections: Place(4), forces: Place(4), n: Place(1));
        pintle_set_joint_stop(joint: Chosen("joint", CYLINDER), lower: Bound(-0.5), upper: Bound(0.5), law: Below(3), stiffness: Above(2.0), damping: NotNegative(0.5), restitution: NotNegative(0.5));
        pintle_get_joint_stop(joint: Chosen("joint", CYLINDER));
        pintle_add_contact_plane(frame_a: pose(), radius_b: NotNegative(0.25));
        pintle_add_contact_spheres(radius_a: NotNegative(0.5), radius_b: NotNegative(0.25));
        pintle_set_contact_law(law: Below(3), stiffness: Above(2.0), exponent: Real(1.0), damping: NotNegative(0.5), restitution: NotNegative(0.5), kinetic: NotNegative(0.25), holding: NotNegative(0.5), slip: NotNegative(0.5));
        pintle_set_contact_resistance(rolling: NotNegative(0.125), spinning: NotNegative(0.0625));
        pintle_set_joint_friction(joint: Chosen("joint", CYLINDER), kinetic: NotNegative(0.25), holding: NotNegative(0.5), viscous: NotNegative(0.5), quadratic: NotNegative(0.5), slip: NotNegative(0.5));
        pintle_get_joint_friction(joint: Chosen("joint", CYLINDER));
        pintle_set_joint_friction_load(joint: Chosen("joint", CYLINDER), axial: Real(0.0), radial: NotNegative(0.25), bending: NotNegative(0.5), static_ratio: Real(1.5));
        pintle_get_joint_friction_load(joint: Chosen("joint", CYLINDER));
        pintle_set_joint_brake(joint: Chosen("joint", CYLINDER), capacity: Bound(0.5));
        pintle_get_joint_brake(joint: Chosen("joint", CYLINDER));
        pintle_set_joint_strength(force: Bound(1e9), moment: Bound(1e9));
        pintle_add_joint_damper_point(joint: Chosen("joint", CYLINDER), rate: Real(2.0), force: Real(4.0));
        pintle_set_joint_table(joint: Chosen("joint", CYLINDER), what: Word("damper", &["spring", "damper"]), n: Few(3), x: Array(vec![-1.0, 0.0, 2.0]), y: Array(vec![-8.0, 0.0, 4.0]));
        pintle_joint_damper_point_count(joint: Chosen("joint", CYLINDER));
        pintle_get_joint_damper_point(joint: Chosen("joint", CYLINDER), point: Below(1));
        pintle_get_joint_damper_force(joint: Chosen("joint", CYLINDER));
        pintle_add_joint_spring_point(joint: Chosen("joint", CYLINDER), coordinate: Real(2.0), force: Real(4.0));
        pintle_joint_spring_point_count(joint: Chosen("joint", CYLINDER));
        pintle_get_joint_spring_point(joint: Chosen("joint", CYLINDER), point: Below(1));
        pintle_get_joint_spring_force(joint: Chosen("joint", CYLINDER));
        pintle_get_joint_machine(joint: Chosen("joint", CYLINDER));
        pintle_get_event(i: Below(1));
        pintle_get_event_contact(i: Below(1));
        pintle_get_event_clutch(i: Below(1));
        pintle_add_clutch(joint_a: Chosen("joint", CYLINDER), joint_b: Chosen("joint", SCREW), slide_b: Below(1), ratio: Real(0.5), capacity_back: Bound(0.5), capacity_forth: Bound(0.25), static_ratio: Real(1.5), slip: NotNegative(0.5));
        pintle_set_clutch_stop(lower: Bound(-0.5), upper: Bound(0.5), law: Below(3), stiffness: Above(2.0), damping: NotNegative(0.5), restitution: NotNegative(0.5));
        pintle_set_clutch_capacity(capacity_back: Bound(0.5), capacity_forth: Bound(0.25));
        pintle_advance_to(t: Above(0.02));
        pintle_add_gear(joint_a: Chosen("joint", CYLINDER), joint_b: Chosen("joint", SCREW), ratio: Real(0.5));
        pintle_add_coupling(n: Few(2), joints: Ids("joint", vec![CYLINDER, SCREW]), coefficients: Array(vec![1.0, -2.0]));
        pintle_get_coupling(part: Below(2));
        pintle_add_spring(body_a: End(1), body_b: End(0), stiffness: NotNegative(5.0), damping: NotNegative(0.5), rest_length: NotNegative(1.0));
        pintle_add_shape(kind: Word("sphere", &["box", "cylinder", "capsule", "sphere", "stl"]), n: Exactly(4), numbers: Array(vec![0.5, -1.0, 2.0, 0.25]), file: Text(""), name: Text("ball"), colour: Text("#E0a526"));
        pintle_get_shape_info(shape: Id("shape"), n: Optional(Box::new(Place(1))));
        pintle_get_shape_text(shape: Id("shape"), what: Word("kind", &["kind", "file", "name", "colour"]));
        pintle_add_tendon(n: Few(3), bodies: Ends(vec![-1, 0, 2]), points: numbers(9), stiffness_ea: Above(50.0), damping: NotNegative(0.5), rest_length: Above(2.0));
        pintle_get_tendon_point(point: Below(3));
        pintle_set_tendon_sheave(point: Below(2), radius: Above(0.25), axis: Array(vec![0.0, -1.0, 0.5]), wrap: NotNegative(3.0));
        pintle_get_tendon_sheave(point: Below(3));
        pintle_get_tendon_wrap(point: Below(3));
        pintle_set_tendon_friction(point: Below(2), coefficient: NotNegative(0.25));
        pintle_get_tendon_friction(point: Below(3));
        pintle_get_tendon_slip(point: Below(2));
        pintle_set_tendon_length(length: Real(3.5), rate: Real(0.25));
        pintle_add_cylinder(body: End(2), end_a: Array(vec![0.0, 0.5, -1.0]), end_b: Array(vec![0.0, 0.5, 1.0]), diameter: Above(0.5), segments: Positive(4), cd: NotNegative(1.0), ca: NotNegative(0.5), cd_end: NotNegative(0.5), ca_end: NotNegative(0.25));
        pintle_add_beam(damping: Array(vec![0.5; 6]));
        pintle_add_beam_station(beam: Chosen("beam", UNDIVIDED), s: Real(4.0), pose: Unit(vec![4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), stiffness: diagonal(6, 2.0), mass: diagonal(6, 0.5));
        pintle_add_uniform_beam(point_a: Array(vec![0.0; 3]), point_b: Array(vec![2.0, 0.0, 0.0]), axis: Array(vec![0.0, 1.0, 0.0]), stiffness: Array(vec![2.0; 6]), mass: Array(vec![0.5; 4]), damping: Array(vec![0.5; 6]));
        pintle_set_beam_lumped(beam: Chosen("beam", UNDIVIDED));
        pintle_attach_beam(beam: Chosen("beam", UNDIVIDED), node: Below(100001), body: End(0));
        pintle_mesh_beam(beam: Chosen("beam", UNDIVIDED), n_elements: Positive(2));
        pintle_add_beam_node(beam: Chosen("beam", UNDIVIDED), s: Real(0.5));
        pintle_beam_body(beam: Chosen("beam", 0), node: Below(2));
        pintle_get_beam_station(station: Below(2));
        pintle_get_beam_motion(beam: Chosen("beam", 0), s: Real(0.5));
        pintle_add_beam_load(beam: Chosen("beam", 0), s: Real(1.5));
        pintle_set_beam_load(beam: Chosen("beam", 0), place: Below(1));
        pintle_get_beam_load(beam: Chosen("beam", 0), place: Below(1));
        pintle_get_beam_load_motion(beam: Chosen("beam", 0), place: Below(1));
        pintle_get_beam_section_load(beam: Chosen("beam", 0), s: Real(0.5));
        pintle_get_beam_strains(beam: Chosen("beam", 0), s: Real(0.5));
        pintle_add_point(mass: NotNegative(0.5), volume: NotNegative(0.25));
        pintle_fix_point(point: Chosen("point", FREE_POINT));
        pintle_attach_point(point: Chosen("point", FREE_POINT), body: Chosen("body", 5));
        pintle_set_point_velocity(point: Chosen("point", FREE_POINT));
        pintle_set_point_motion(point: Chosen("point", PRESCRIBED_POINT));
        pintle_get_point_motion_input(point: Chosen("point", PRESCRIBED_POINT));
        pintle_get_point_reaction(point: Chosen("point", PRESCRIBED_POINT));
        pintle_add_point_spring(point_a: Chosen("point", FREE_POINT), point_b: Chosen("point", PRESCRIBED_POINT), stiffness: NotNegative(5.0), damping: NotNegative(0.5), rest_length: NotNegative(1.0));
        pintle_add_line_type(diameter: Above(0.5), mass_per_length: Above(2.0), ea: NotNegative(1e3), ba: Real(-0.5), ei: NotNegative(1.0), cdn: NotNegative(1.0), can: NotNegative(1.0), cdt: NotNegative(0.5), cat: NotNegative(0.5));
        pintle_set_line_type_table(type: Chosen("line_type", 1), what: Word("ea", &["ea", "ba"]), n: Few(3), x: Array(vec![0.0, 0.5, 1.0]), y: Array(vec![0.0, 0.5, 4.0]));
        pintle_get_line_type_table(type: Chosen("line_type", 1), what: Word("ba", &["ea", "ba"]), cap: Few(4), x: Place(4), y: Place(4), n: Place(1));
        pintle_get_line_type_info(type: Id("line_type"));
        pintle_set_line_type_viscoelastic(type: Chosen("line_type", 2), ea_dynamic: Above(600.0), ea_slope: NotNegative(0.5), ba_dynamic: NotNegative(0.5));
        pintle_get_line_type_viscoelastic(type: Id("line_type"));
        pintle_set_line_type_syrope(type: Chosen("line_type", 0), curve: Below(4), k1: NotNegative(0.25), k2: Real(1.0), ea_dynamic: Above(2000.0), ea_slope: NotNegative(0.5), ba_dynamic: NotNegative(0.5));
        pintle_get_line_type_syrope(type: Id("line_type"));
        pintle_set_point_drag(cda: NotNegative(0.5), ca: NotNegative(0.25));
        pintle_get_point_drag(point: Id("point"));
        pintle_add_line(type: Id("line_type"), point_a: Chosen("point", FREE_POINT), point_b: Chosen("point", PRESCRIBED_POINT), length: Above(2.0), segments: Positive(4));
        pintle_set_line_length(length: Real(1.5), rate: Real(0.25));
        pintle_release_line(end: Below(2));
        pintle_get_line_failure(end: Below(2));
        pintle_clamp_line(line: Chosen("line", 1), end: Below(2), body: Holder(2), axis: numbers(3));
        pintle_get_line_clamp(end: Below(2));
        pintle_join_lines(line_a: Chosen("line", 0), end_a: Below(2), line_b: Chosen("line", 1), end_b: Below(2));
        pintle_get_line_joint(end: Below(2));
        pintle_get_line_end_moment(end: Below(2));
        pintle_set_line_stiffness(line: Chosen("line", 1), ea: Above(400.0));
        pintle_set_line_slow_strains(line: Chosen("line", 0), n: Exactly(SEGMENTS), strains: numbers(SEGMENTS as usize));
        pintle_get_line_slow_strains(line: Chosen("line", 0), n: Exactly(SEGMENTS), strains: Place(SEGMENTS as usize));
        pintle_set_line_largest_tensions(line: Chosen("line", 0), n: Few(SEGMENTS), tensions: Array(vec![40.0; SEGMENTS as usize]));
        pintle_get_line_largest_tensions(line: Chosen("line", 0), n: Exactly(SEGMENTS), tensions: Place(SEGMENTS as usize));
        pintle_set_line_pressure(n: Exactly(SEGMENTS + 1), pressure: numbers(SEGMENTS as usize + 1));
        pintle_get_line_pressure(n: Exactly(SEGMENTS + 1), pressure: Place(SEGMENTS as usize + 1));
        pintle_get_line_node_loads(what: Word("drag", &pintle::elements::line::NODE_LOADS), n: Exactly(SEGMENTS + 1), out: Place(3 * (SEGMENTS as usize + 1)));
        pintle_set_line_failure(n: Few(1), lines: Ids("line", vec![0]), ends: AllBelow(2, vec![1]), time: NotNegative(1e3), tension: NotNegative(1e7), point: OrNone("point"));
        pintle_get_line_positions(n: Exactly(SEGMENTS + 1), positions: Place(3 * (SEGMENTS as usize + 1)));
        pintle_get_line_velocities(n: Exactly(SEGMENTS + 1), velocities: Place(3 * (SEGMENTS as usize + 1)));
        pintle_get_line_accelerations(n: Exactly(SEGMENTS + 1), accelerations: Place(3 * (SEGMENTS as usize + 1)));
        pintle_get_line_tensions(n: Exactly(SEGMENTS), tensions: Place(SEGMENTS as usize));
        pintle_get_line_end_force(end: Below(2));
        pintle_set_environment(key: Word("depth", &ENVIRONMENT_KEYS), value: NotNegative(9.0));
        pintle_get_environment(key: Word("depth", &ENVIRONMENT_KEYS));
        pintle_set_current(n: Few(2), depths: Array(vec![0.0, 2.0]), velocities: Array(vec![1.0, 0.0, 0.0, 0.5, 0.0, 0.0]));
        pintle_get_current(cap: Few(4), depths: Place(4), velocities: Place(12), n: Place(1));
        pintle_set_seabed_grid(n: Few(4), points: Array(vec![-9.0, -9.0, 8.0, 9.0, -9.0, 9.0, -9.0, 9.0, 8.0, 9.0, 9.0, 8.5]));
        pintle_get_seabed_grid(cap: Few(4), points: Place(12), n: Place(1));
        pintle_set_current_grid(n: Few(4), points: Array(vec![0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.5, 0.0, 0.0, 0.0, 5.0, 2.0, 0.0, 0.0, 0.0]));
        pintle_get_current_grid(cap: Few(4), points: Place(28), n: Place(1));
        pintle_set_waves(n: Few(2), amplitudes: Array(vec![0.5, 0.25]), frequencies: Array(vec![0.5, 1.0]), headings: Array(vec![0.0, 1.0]), phases: Array(vec![0.0, 2.0]));
        pintle_set_irregular_waves(height: Above(2.0), period: Above(8.0), peak_factor: Real(3.0), heading: Real(0.5), spreading: NotNegative(4.0), seed: Seed, components: Positive(20));
        pintle_set_wave_spectrum(n: Few(2), frequencies: Array(vec![0.5, 1.0]), densities: Array(vec![1.0, 0.5]), heading: Real(0.5), spreading: NotNegative(0.0), seed: Seed, components: Positive(10));
        pintle_set_wave_record(n: Few(4), start: Real(0.0), step: Above(0.5), elevations: Array(vec![0.0, 0.5, -0.25, 0.125]), heading: Real(0.5), max_frequency: Above(20.0));
        pintle_get_waves(cap: Few(4), amplitudes: Place(4), frequencies: Place(4), headings: Place(4), phases: Place(4), n: Place(1));
        pintle_get_water_motion(n: Few(2), positions: Array(vec![0.0, 0.0, -1.0, 3.0, 1.0, 0.5]), velocities: Place(6), accelerations: Place(6), elevations: Place(2));
        pintle_set_name(id: Id("body"), name: Text("a new name"));
        pintle_find(name: Word("hull", &[]));
        pintle_set_added_mass(a: diagonal(6, 3.0));
        pintle_set_body_in_water(volume: NotNegative(0.5));
        pintle_load_model(path: ModelFile, out: NewSystem);
        pintle_load_moordyn(path: MoordynFile, out: NewSystem);
        pintle_load_trusted_moordyn(path: MoordynFile, out: NewSystem);
        pintle_add_moordyn_channel(name: Word("Body1PX", &[]));
        pintle_set_scheme(name: Word("generalized-alpha", &SCHEME_NAMES));
        pintle_set_option(key: Word("energy_tolerance", &OPTION_KEYS));
        pintle_get_option(key: Word("rho_inf", &OPTION_KEYS));
        pintle_set_joint_load(joint: Chosen("joint", SCREW));
        pintle_set_joint_motion(joint: Chosen("joint", DRIVEN));
        pintle_set_joint_slide_load(joint: Chosen("joint", CYLINDER));
        pintle_set_joint_slide_motion(joint: Chosen("joint", CYLINDER));
        pintle_set_coupled_load_callback(n: Few(2), bodies: Ids("body", vec![0, 2]));
        pintle_set_body_motion(body: Chosen("body", PRESCRIBED));
        pintle_get_statistic(key: Word("steps", &STATISTIC_KEYS));
        pintle_get_joint_coordinate(joint: Chosen("joint", SCREW));
        pintle_get_joint_slide(joint: Chosen("joint", CYLINDER));
        pintle_get_body_reaction(body: Chosen("body", PRESCRIBED));
        pintle_channel_name(i: Below(CHANNELS));
        pintle_channel_unit(i: Below(CHANNELS));
        pintle_get_channels(n: Exactly(CHANNELS), values: Place(CHANNELS as usize));
        pintle_state_save(state: StateSlot);
        pintle_state_restore(state: State);
        pintle_state_destroy(state: StateSlot);
        pintle_state_serialize(state: State, cap: Cap, bytes: BUFFER, len: Place(1));
        pintle_state_deserialize(len: Len, bytes: Bytes, state: StateSlot);
        pintle_frame_from_axes(x: Optional(Box::new(Array(vec![1.0, 0.25, 0.0]))));
        pintle_quat_from_dcm(dcm: diagonal(3, 1.0));
        pintle_solve_equilibrium(max_iterations: Positive(100), tolerance: Real(1e-6));
        pintle_get_coordinates(poses: rows("body", 7), velocities: rows("body", 6));
        pintle_set_coordinates(poses: poses(), velocities: rest(6));
        pintle_set_point_coordinates(point: Chosen("point", FREE_POINT), position: numbers(3), velocity: numbers(3));
        pintle_set_line_coordinates(n: Exactly(SEGMENTS + 1), positions: numbers(3 * (SEGMENTS as usize + 1)), velocities: numbers(3 * (SEGMENTS as usize + 1)));
        pintle_eval_accelerations(poses: poses(), velocities: rest(6), accelerations: rows("body", 6));
        pintle_retract(n: Few(1), poses: pose(), increments: numbers(6), moved: Place(7));
        pintle_difference(n: Few(1), from: pose(), to: pose(), increments: Place(6));
        pintle_get_mass_matrix(n: Exactly(DOFS), mass: Place((DOFS * DOFS) as usize));
        pintle_get_constraint_jacobian(m: Exactly(CONSTRAINTS), n: Exactly(DOFS), jacobian: Place(64 * 64));
        pintle_linearize(n_bodies: Few(1), bodies: Ids("body", vec![0]), n_loads: Few(2), load_markers: markers(), n_sensors: Few(2), sensor_markers: markers(), n_states: Exactly(STATES), a: Place(2048), b: Place(2048), c: Place(2048), d: Place(2048));
        pintle_get_state_name(state: Below(STATES));
        pintle_get_modes(n: Exactly(STATES), count: Place(1), frequencies: Place(64), damping_ratios: Place(64), n_bodies: Exactly(all), shapes: Place(4096), motion: Place(2));
        pintle_get_load_compliance(n_markers: Few(2), markers: markers(), n: Exactly(432), out: Place(432));
        pintle_get_name(id: Id("body"));
        pintle_get_joint_spring(joint: Chosen("joint", SCREW));
        pintle_get_joint_slide_spring(joint: Chosen("joint", CYLINDER));
        pintle_get_joint_offset(joint: Chosen("joint", SCREW));
        pintle_get_joint_pitch(joint: Chosen("joint", SCREW));
        pintle_get_joint_radius(joint: Chosen("joint", ROLLING));
        pintle_get_joint_load(joint: Chosen("joint", SCREW));
        pintle_get_joint_slide_load(joint: Chosen("joint", CYLINDER));
        pintle_get_joint_motion_input(joint: Chosen("joint", DRIVEN));
        pintle_get_joint_slide_motion_input(joint: Chosen("joint", CYLINDER));
        pintle_get_body_motion_input(body: Chosen("body", PRESCRIBED));
        pintle_get_coupled_load_body(k: Below(2));
        pintle_get_body_compliance(n: Few(2), bodies: Ids("body", vec![1, 0]), m: Exactly(432), out: Place(432));
        pintle_get_joint_compliance(n: Few(2), joints: Ids("joint", vec![0, SCREW]), m: Exactly(12), out: Place(12));
        pintle_linearize_inputs(n_bodies: Few(1), bodies: Ids("body", vec![0]), n_loads: Few(2), load_markers: markers(), n_joints: Few(2), joints: Ids("joint", vec![0, SCREW]), n_slides: Few(1), slides: Ids("joint", vec![CYLINDER]), n_sensors: Few(2), sensor_markers: markers(), n_states: Exactly(STATES), a: Place(2048), b: Place(2048), c: Place(2048), d: Place(2048));
        pintle_get_api(abi_version: AbiVersion, size: TableSize, out: Place(size_of::<pintle_api>() / 8));
    }
}
