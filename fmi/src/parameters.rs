//! Parameters of a model: options, the start in equilibrium, initial poses and velocities, and
//! physical numbers of the model file, such as masses, springs and the environment.

use crate::failure::Failure;
use crate::memory::room;
use crate::names;
use pintle::model::{Coordinate, ENVIRONMENT_KEYS, OPTION_KEYS};
use pintle::simulation::EQUILIBRIUM_SEARCH;
use pintle::spatial::RigidInertia;
use pintle::{EntityKind, Id, Memory, Simulation, Work};

/// Numbers that one function of the library sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Gravitational acceleration.
    Gravity,
    /// A number of water and seabed, by its key.
    Environment(&'static str),
    /// Mass, centre of mass and inertia of a body.
    Mass(Id),
    /// Stiffness, damping and rest length of a spring.
    Spring(Id),
    /// The same of the spring on the coordinate of a joint.
    JointSpring(Id),
    /// The same on its slide.
    SlideSpring(Id),
}

/// The target of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An option, by its key.
    Option(&'static str),
    /// A number of the initial pose (0 to 6) and velocity (7 to 12) of a body.
    Initial(Id, usize),
    /// Whether the run starts in static equilibrium.
    Equilibrium,
    /// One of the numbers of a quantity, which follow each other.
    Physical(Quantity),
}

/// A number that is fixed before the run.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Name of the variable.
    pub name: String,
    /// SI symbol; "-" for none.
    pub unit: &'static str,
    /// The target.
    pub target: Target,
    /// Its value in the model file.
    pub start: f64,
}

/// Names of pose and velocity of a body.
const INITIAL: [(&str, &str); 13] = [
    ("initial.pos.x", "m"),
    ("initial.pos.y", "m"),
    ("initial.pos.z", "m"),
    ("initial.quat.w", "-"),
    ("initial.quat.x", "-"),
    ("initial.quat.y", "-"),
    ("initial.quat.z", "-"),
    ("initial.vel.x", "m/s"),
    ("initial.vel.y", "m/s"),
    ("initial.vel.z", "m/s"),
    ("initial.omega.x", "rad/s"),
    ("initial.omega.y", "rad/s"),
    ("initial.omega.z", "rad/s"),
];

const GRAVITY: [(&str, &str); 3] = [("gravity.x", "m/s^2"), ("gravity.y", "m/s^2"), ("gravity.z", "m/s^2")];

const MASS: [(&str, &str); 10] = [
    ("mass", "kg"),
    ("com.x", "m"),
    ("com.y", "m"),
    ("com.z", "m"),
    ("inertia.xx", "kg m^2"),
    ("inertia.yy", "kg m^2"),
    ("inertia.zz", "kg m^2"),
    ("inertia.xy", "kg m^2"),
    ("inertia.xz", "kg m^2"),
    ("inertia.yz", "kg m^2"),
];

const SPRING: [(&str, &str); 3] = [("stiffness", "N/m"), ("damping", "N s/m"), ("rest_length", "m")];
const ANGLE_SPRING: [(&str, &str); 3] =
    [("spring.stiffness", "N m/rad"), ("spring.damping", "N m s/rad"), ("spring.rest", "rad")];
const LENGTH_SPRING: [(&str, &str); 3] =
    [("spring.stiffness", "N/m"), ("spring.damping", "N s/m"), ("spring.rest", "m")];
const SLIDE_SPRING: [(&str, &str); 3] =
    [("slide_spring.stiffness", "N/m"), ("slide_spring.damping", "N s/m"), ("slide_spring.rest", "m")];

/// Name of the parameter that lets a run start in static equilibrium.
pub const EQUILIBRIUM: &str = "settings.equilibrium";

/// The start value of an option that may be infinite: 0 means no limit, because some importers
/// cannot read infinity.
pub fn told(option: f64) -> f64 {
    if option.is_infinite() { 0.0 } else { option }
}

/// All parameters of a model.
pub fn parameters(base: &Simulation) -> pintle::Result<Vec<Parameter>> {
    let mut parameters = Vec::new();
    for key in OPTION_KEYS {
        let (target, start) = (Target::Option(key), told(base.given().option(key)?));
        let unit = if key == "max_time_step" { "s" } else { "-" };
        parameters.push(Parameter { name: format!("settings.{key}"), unit, target, start });
    }
    let description = base.description();
    for body in 0..description.count(EntityKind::Body) {
        if description.body_prescribed(body)? {
            continue;
        }
        let (owner, motion) = (names::of_entity(base, EntityKind::Body, body)?, description.body_initial_motion(body)?);
        let starts = motion.pose.into_iter().chain(motion.velocity).enumerate();
        parameters.extend(INITIAL.iter().zip(starts).map(|((suffix, unit), (k, start))| Parameter {
            name: names::variable(Some(&owner), suffix),
            unit,
            target: Target::Initial(body, k),
            start,
        }));
    }
    parameters.push(Parameter { name: EQUILIBRIUM.into(), unit: "-", target: Target::Equilibrium, start: 0.0 });
    physical(base, &mut parameters)?;
    Ok(parameters)
}

/// Adds the numbers of the model file: gravity and environment, then those of bodies, springs and
/// springs on joints.
fn physical(base: &Simulation, into: &mut Vec<Parameter>) -> pintle::Result<()> {
    let description = base.description();
    let mut add = |owner: Option<&str>, quantity, names: &[(&str, &'static str)], starts: &[f64]| {
        into.extend(names.iter().zip(starts).map(|((suffix, unit), start)| Parameter {
            name: owner.map_or_else(|| (*suffix).to_owned(), |owner| names::variable(Some(owner), suffix)),
            unit,
            target: Target::Physical(quantity),
            start: *start,
        }));
    };
    add(None, Quantity::Gravity, &GRAVITY, &description.gravity());
    for key in ENVIRONMENT_KEYS {
        let unit = match key {
            "water_density" => "kg/m^3",
            "depth" | "seabed_smoothing" | "friction_slip" => "m",
            "seabed_stiffness" => "Pa/m",
            "seabed_damping" => "Pa s/m",
            "wave_ramp" => "s",
            _ => "-",
        };
        let (name, start) = (format!("environment.{key}"), base.given().environment_value(key)?);
        add(None, Quantity::Environment(key), &[(&name, unit)], &[start]);
    }
    for body in 0..description.count(EntityKind::Body) {
        let inertia = RigidInertia::from_matrix(&description.body_mass(body)?)?;
        // Nodes of beams have none.
        if inertia.mass > 0.0 {
            let (owner, about_com) = (names::of_entity(base, EntityKind::Body, body)?, inertia.about_com());
            let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|place| about_com[place]);
            let starts = [&[inertia.mass][..], inertia.eta.as_slice(), &entries].concat();
            add(Some(&owner), Quantity::Mass(body), &MASS, &starts);
        }
    }
    for spring in 0..description.count(EntityKind::Spring) {
        if description.spring_table(spring)?[0].is_empty() {
            let (owner, info) = (names::of_entity(base, EntityKind::Spring, spring)?, description.spring_info(spring)?);
            add(Some(&owner), Quantity::Spring(spring), &SPRING, &[info.stiffness, info.damping, info.rest_length]);
        }
    }
    for joint in 0..description.count(EntityKind::Joint) {
        let (owner, kind) = (names::of_entity(base, EntityKind::Joint, joint)?, description.joint_info(joint)?.kind);
        if let Some(coordinate) = kind.coordinate() {
            let names = if coordinate == Coordinate::Angle { &ANGLE_SPRING } else { &LENGTH_SPRING };
            add(Some(&owner), Quantity::JointSpring(joint), names, &description.joint_spring(joint)?);
        }
        if kind.has_free_slide() {
            let starts = description.joint_slide_spring(joint)?;
            add(Some(&owner), Quantity::SlideSpring(joint), &SLIDE_SPRING, &starts);
        }
    }
    Ok(())
}

impl Quantity {
    /// Sets it in a system in phase BUILDING. Errors: those of the library's function.
    fn set(self, system: &mut Simulation, values: &[f64]) -> pintle::Result<()> {
        let three = || <[f64; 3]>::try_from(values).unwrap_or_default();
        let [stiffness, damping, rest] = three();
        match self {
            Quantity::Gravity => system.settings().set_gravity(&three()),
            Quantity::Environment(key) => system.settings().set_environment(key, values[0]),
            Quantity::Mass(body) => {
                let [mass, x, y, z, inertia @ ..] = <[f64; 10]>::try_from(values).unwrap_or_default();
                system.build().set_body_mass(body, mass, &[x, y, z], &inertia)
            }
            Quantity::Spring(spring) => system.build().set_spring(spring, three()),
            Quantity::JointSpring(joint) => system.build().set_joint_spring(joint, stiffness, damping, rest),
            Quantity::SlideSpring(joint) => system.build().set_joint_slide_spring(joint, stiffness, damping, rest),
        }
    }
}

/// Sets the physical numbers that differ from those of the model file, in a system in phase
/// BUILDING. Errors: those of the library's functions, after the name of the first number of the
/// quantity.
pub fn set_physical(parameters: &[Parameter], values: &[f64], system: &mut Simulation) -> Result<(), Failure> {
    let quantity = |parameter: &Parameter| match parameter.target {
        Target::Physical(quantity) => Some(quantity),
        _ => None,
    };
    let mut from = 0;
    for group in parameters.chunk_by(|a, b| quantity(a) == quantity(b)) {
        let own = &values[from..from + group.len()];
        from += group.len();
        let is_changed = group.iter().zip(own).any(|(parameter, value)| parameter.start != *value);
        if let Some(quantity) = quantity(&group[0]).filter(|_| is_changed) {
            let of = |error: pintle::Error| Failure { message: format!("{}: {error}", group[0].name), ..error.into() };
            quantity.set(system, own).map_err(of)?;
        }
    }
    Ok(())
}

/// Moves a system to its static equilibrium. Errors: there is none.
pub fn settle(system: &mut Simulation) -> Result<(), Failure> {
    let _search = room(Memory::of(system).working(Work::Model))?;
    let (iterations, tolerance) = EQUILIBRIUM_SEARCH;
    let of = |error: pintle::Error| Failure { message: format!("{EQUILIBRIUM}: {error}"), ..error.into() };
    system.solve_equilibrium(iterations, tolerance).map(drop).map_err(of)
}
