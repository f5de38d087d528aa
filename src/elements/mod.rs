//! Elements: forces and inertia that depend on the motion of nodes, and couple nodes with each
//! other.
//!
//! One file per element. It contains everything about one: the description as the host gave it, the
//! checks of its arguments, its facts in model files and fingerprints ([`Description`]); its
//! equations by blocks of nodes, its tangents, its own variables, its energy, its events
//! ([`Element`]); outputs by name, which are its channels. The list in this file names the kinds
//! that hosts describe (`list` has the generated code); a new kind is its file, `mod` and a line in
//! the list, and the C function that adds it.
//!
//! An element receives the motions of the places on its nodes ([`Site`]), its surroundings
//! ([`Surroundings`]) and its own variables, and fills a [`Local`]. Held loads, coefficients of the
//! fluid and masses of points are elements, too, but not in the list. An element does not know
//! bodies, points, unknowns or the matrix of the system: no import from `model`, `system` or above
//! belongs here.

/// Passes the list of elements to another macro: doc comment; type; its vector in [`Elements`]; its
/// name in the C API and in model files; its number of nodes.
macro_rules! list_of_elements {
    ($make:ident) => {
        with_element_of_tests! {
            $make:
            /// Springs with dampers between two points.
            Spring, springs, "spring", 2;
            /// Bushings between two frames.
            Bushing, bushings, "bushing", 2;
            /// Cylinders in water.
            Cylinder, cylinders, "cylinder", 1;
            /// Elements of beams.
            BeamElement, beam_elements, "beam_element", 2;
            /// Contacts of spheres with planes and spheres.
            Contact, contacts, "contact", 2;
            /// Tendons: ropes through several points.
            Tendon, tendons, "tendon", 8;
        }
    };
}

/// Appends the element that only tests have.
#[cfg(test)]
macro_rules! with_element_of_tests {
    ($make:ident: $($list:tt)*) => {
        $make! {
            $($list)*
            /// Elements that tests use.
            Trio, trios, "trio", 3;
        }
    };
}

/// Passes the list on unchanged.
#[cfg(not(test))]
macro_rules! with_element_of_tests {
    ($make:ident: $($list:tt)*) => { $make! { $($list)* } };
}

pub mod beam;
mod bushing;
mod bushing_over;
mod capstan;
mod coefficients;
pub mod contact;
pub mod coordinate_spring;
mod curve;
mod cylinder;
mod discrete_gradient;
mod divided;
mod end;
mod energy_form;
mod facts;
pub mod friction_load;
mod kind;
pub mod line;
mod list;
mod load;
mod local;
pub mod machine;
mod mean_gradient;
mod point_mass;
mod rubbing;
mod sheave;
mod spring;
pub mod stop;
mod tendon;
#[cfg(test)]
mod trio;
pub mod waves;
mod winch;

pub use beam::BeamElement;
pub use bushing::Bushing;
pub use coefficients::{BodyInWater, FrameMatrix, Hydrodynamics, InWater};
pub use contact::{Contact, ContactForces};
pub use curve::Curve;
pub use cylinder::{Cylinder, CylinderLoads};
pub use end::{Attachment, End, Site, Tie};
pub use energy_form::{EnergyForm, Memory, Turn};
pub use facts::{Columns, Facts, Keys};
pub use kind::EntityKind;
pub use list::{Connections, EachElement, EachKind, Elements, Listed, Parts};
pub use load::{Load, PointLoad};
pub use local::{Blocks, Local, Tangents, columns, rows};
pub use point_mass::PointMass;
pub use rubbing::TendonSlip;
pub use sheave::{MOST_CHANGE, NoPath, Sheave};
pub use spring::Spring;
pub use tendon::Tendon;
#[cfg(test)]
pub use trio::Trio;
pub use winch::{LineLength, SHORTEST};

use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::Vec3;
use crate::spatial::pose::check_finite;
use line::{Fluid, Water};

/// The largest number of nodes of an element.
pub const MOST_NODES: usize = 8;

/// The mechanics of an element with N nodes.
///
/// Residuals and their derivatives are those of `M vdot + g(q, v, z, t) - f`: inertia forces minus
/// applied wrenches.
pub trait Element<const N: usize> {
    /// Whether its equations contain accelerations: then a [`Local`] has M.
    const HAS_MASS: bool = false;

    /// Whether it has events.
    const HAS_EVENTS: bool = false;

    /// Number of places at which it asks for the motion of the water.
    fn water_places(&self) -> usize {
        0
    }

    /// One of these, with the origin of positions.
    fn water_place(&self, _k: usize, at: &[Site; N]) -> Vec3 {
        at[0].x
    }

    /// Number of its own variables z: stick points, filters, memory.
    fn states(&self) -> usize {
        0
    }

    /// Sets its own variables to those of a start at these motions of its places. Modes of machines
    /// are not set here: `system::machines` begins and ends them.
    fn begin(&self, _at: &[Site; N], _around: &Surroundings, _z: &mut [f64]) {}

    /// Adds residuals, about the points of the nodes, and those derivatives that `out` has.
    fn evaluate(&self, at: &[Site; N], around: &Surroundings, z: &[f64], out: &mut Local<N>);

    /// Whether its stiffness jumps, or changes fast.
    fn has_kink(&self) -> bool {
        false
    }

    /// How many numbers it keeps of the numerical dissipation of steps in energy form, by
    /// [`Element::evaluate_over`]; 0: steps do not take it in that form.
    fn memories(&self) -> usize {
        usize::from(self.has_kink())
    }

    /// Adds what of it is taken at the end of the step all the same, as other elements are.
    fn evaluate_beside(&self, _at: &[Site; N], _around: &Surroundings, _out: &mut Local<N>) {}

    /// Adds two parts whose difference is the rest by its law: all of it, and what
    /// [`Element::evaluate_beside`] adds, both perhaps without what they have in common.
    fn evaluate_parts(&self, at: &[Site; N], around: &Surroundings, z: &[f64], [all, beside]: [&mut Local<N>; 2]) {
        self.evaluate(at, around, z, all);
        self.evaluate_beside(at, around, beside);
    }

    /// Adds minus the effective wrenches of the rest over a step in energy form, in which its
    /// places move from `from` to `at`, and their derivatives by positions at the end. `last` are
    /// its memories at the start, `next` receives those at the end. Its surroundings and its own
    /// variables come with the form. Returns the stiffness that jumped, if one did.
    fn evaluate_over(
        &self,
        _from: &[Site; N],
        _at: &[Site; N],
        _: (&EnergyForm, &Surroundings, &[f64]),
        _last: &[Memory],
        _next: &mut [Memory],
        _out: &mut Local<N>,
    ) -> Option<f64> {
        None
    }

    /// Potential energy.
    fn potential(&self, _at: &[Site; N], _around: &Surroundings, _z: &[f64]) -> f64 {
        0.0
    }

    /// Advances its own variables to the end of an internal step of length `h`: `z` has their
    /// values at the start of the step, `at` the motions of its places at the end.
    fn advance(&self, _at: &[Site; N], _around: &Surroundings, _z: &mut [f64], _h: f64) {}

    /// Whether its law switches between the start and the end of an internal step, and after which
    /// part of the step, 0 to 1. Called after each step, with its own variables at the start and at
    /// the end.
    fn event(&self, _from: (&[Site; N], &[f64]), _to: (&[Site; N], &[f64])) -> Option<f64> {
        None
    }

    /// Passes the values of its outputs to `_each`, in the order of [`Description::outputs`].
    fn output_values(&self, _at: &[Site; N], _around: &Surroundings, _z: &[f64], _each: &mut dyn FnMut(f64)) {}
}

/// The description of an element.
pub trait Description {
    /// Its kind, in messages, names and model files.
    fn kind(&self) -> EntityKind;

    /// Its nodes, and the places on them.
    fn nodes(&self) -> &[Attachment];

    /// The same, mutable.
    fn nodes_mut(&mut self) -> &mut [Attachment];

    /// Visits its facts, including places on its nodes; a reader changes them. Derived values are
    /// updated. Errors: those of the visitor.
    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()>;

    /// Errors: a fact that is not finite or outside its range, named by its key, which is the
    /// argument of the C function.
    fn check(&self) -> Result<()>;

    /// How many nodes it has in the list of ties, where those that it does not use are on the
    /// ground.
    fn reserved(&self) -> usize {
        self.nodes().len()
    }

    /// Takes as many nodes as the last of some that are there, if their number is not fixed.
    fn take_nodes(&mut self, _are_there: &dyn Fn(usize) -> bool) {}

    /// Largest stiffness between its places, force per length, which determines how strongly two
    /// entities of a local scheme excite each other.
    fn stiffness(&self) -> f64;

    /// Least damping per stiffness, None without stiffness; zero if this differs by direction.
    fn damping_per_stiffness(&self) -> Option<f64>;

    /// Changes it to the element for estimates of stable steps: without prestress at these places,
    /// with its largest stiffness, acting in both directions; the model is then without gravity.
    fn relax(&mut self, places: &[Vec3], gravity: &Vec3);

    /// Bytes of memory beside its own size.
    fn memory(&self) -> usize {
        0
    }

    /// Names of its outputs, such as `tension`, and their quantities: suffixes of its channels. No
    /// name is the end of another one, of any kind of entity, after a dot.
    fn outputs(&self) -> &'static OutputNames;
}

/// Surroundings of elements at the time of an evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// Time.
    pub time: f64,
    /// Gravitational acceleration, inertial axes.
    pub gravity: Vec3,
    /// The origin of positions, in the host's coordinates.
    pub origin: Vec3,
    /// Water and seabed; the mean water level is at height zero of the host's coordinates.
    pub water: &'a Water,
    /// Loads of the host along beams.
    pub loads: &'a [Load],
    /// Unstretched lengths of tendons: at the start of a step in energy form, and at this time. A
    /// tendon that is not there has the length that it was described with.
    pub lengths: [&'a [LineLength]; 2],
    /// The host's motion of the water at the places of the element; empty if the host gives none.
    pub fluid: &'a [Fluid],
}

/// Names of outputs, and their quantities.
#[derive(Debug)]
pub struct OutputNames(pub &'static [(&'static str, Quantity)]);

/// The quantity of an output, which determines its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Length.
    Length,
    /// Angle, rad.
    Angle,
    /// Force.
    Force,
    /// Moment.
    Moment,
}

impl Quantity {
    /// The SI symbol of its dimension.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Length => "m",
            Quantity::Angle => "rad",
            Quantity::Force => "N",
            Quantity::Moment => "N m",
        }
    }
}

/// Errors: not finite, negative.
pub fn check_not_negative(argument: &'static str, x: f64) -> Result<()> {
    check_finite(argument, &[x])?;
    if x < 0.0 { Err(Error::bad_value(argument, format!("{} is negative", Number(x)))) } else { Ok(()) }
}
