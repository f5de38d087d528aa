//! Elements: what acts on the nodes of a model by how they move, and on one another through it.
//!
//! One file per element. It holds all that is known of one: the description as the host gave it, the checks of its arguments,
//! its facts in model files and fingerprints ([`Description`]); its equations by blocks of nodes, its tangents, its own
//! variables, its energy, its events ([`Element`]); outputs by name, which are its channels. The list in this file names the
//! kinds that hosts describe (`list` has what is made from it); a new one is its file, `mod` and a line in the list, and the
//! C function that adds it.
//!
//! An element is told how the places on its nodes move ([`Site`]), what surrounds it ([`Surroundings`]) and its own
//! variables, and it answers with a [`Local`]. What the host gives a body or a point beside the list acts alike: held loads,
//! coefficients of the fluid, the mass of a point. It knows nothing of bodies, points, unknowns or the matrix of the system: no
//! import from `model`, `system` or above belongs here.

/// Hands the list of elements to another macro: doc comment; type; its vector in [`Elements`]; its name in the C API and in
/// model files; its number of nodes.
macro_rules! list_of_elements {
    ($make:ident) => {
        with_element_of_tests! {
            $make:
            /// Springs with dampers between two points.
            Spring, springs, "spring", 2;
            /// Bushings between two frames.
            Bushing, bushings, "bushing", 2;
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

/// Passes the list on as it is.
#[cfg(not(test))]
macro_rules! with_element_of_tests {
    ($make:ident: $($list:tt)*) => { $make! { $($list)* } };
}

mod bushing;
mod coefficients;
mod curve;
mod end;
mod facts;
mod kind;
pub mod line;
mod list;
mod load;
mod local;
mod point_mass;
mod spring;
#[cfg(test)]
mod trio;

pub use bushing::Bushing;
pub use coefficients::{FrameMatrix, Hydrodynamics};
pub use curve::Curve;
pub use end::{Attachment, End, Site, Tie};
pub use facts::{Columns, Facts, Keys};
pub use kind::EntityKind;
pub use list::{Connections, EachElement, EachKind, Elements, Listed};
pub use load::{Load, PointLoad};
pub use local::{Blocks, Local, Tangents, columns, rows};
pub use point_mass::PointMass;
pub use spring::Spring;
#[cfg(test)]
pub use trio::Trio;

use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::Vec3;
use crate::spatial::pose::check_finite;
use line::{Fluid, Water};

/// The largest number of nodes of an element.
pub const MOST_NODES: usize = 8;

/// What an element with N nodes does.
///
/// Residuals and their derivatives are those of `M vdot + g(q, v, z, t) - f`: inertia forces minus applied wrenches.
pub trait Element<const N: usize> {
    /// Whether accelerations enter its equations: then a [`Local`] has room for M.
    const HAS_MASS: bool = false;

    /// Whether it is asked for events.
    const HAS_EVENTS: bool = false;

    /// Number of its own variables z: stick points, filters, memory.
    fn states(&self) -> usize {
        0
    }

    /// Sets its own variables, which are zero, to those of a start where its places move so.
    fn begin(&self, _at: &[Site; N], _z: &mut [f64]) {}

    /// Adds residuals, about the points of the nodes, and those derivatives that `out` has room for.
    fn evaluate(&self, at: &[Site; N], around: &Surroundings, z: &[f64], out: &mut Local<N>);

    /// Potential energy.
    fn potential(&self, _at: &[Site; N], _around: &Surroundings, _z: &[f64]) -> f64 {
        0.0
    }

    /// Takes its own variables over the end of an internal step of length `h`: `z` comes in as at the start of the step, at
    /// whose end the places move so.
    fn advance(&self, _at: &[Site; N], _z: &mut [f64], _h: f64) {}

    /// Whether its law switches between the start and the end of an internal step, and after which part of the step, 0 to
    /// 1: asked after each one, with its own variables at the start and at the end.
    fn event(&self, _from: (&[Site; N], &[f64]), _to: (&[Site; N], &[f64])) -> Option<f64> {
        None
    }

    /// Tells the values of its outputs, in the order of [`Description::outputs`].
    fn output_values(&self, _at: &[Site; N], _z: &[f64], _each: &mut dyn FnMut(f64)) {}
}

/// What an element that hosts describe knows of its description.
pub trait Description {
    /// What messages, names and model files call it.
    fn kind(&self) -> EntityKind;

    /// Its nodes, and the places on them.
    fn nodes(&self) -> &[Attachment];

    /// The same to change.
    fn nodes_mut(&mut self) -> &mut [Attachment];

    /// Tells its facts, places on its nodes included, and takes what a model file says of them. What follows from them is up
    /// to date afterwards. Errors: those of the listener.
    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()>;

    /// Errors: a fact that is not finite or outside its range, named by its key, which is the argument of the C function.
    fn check(&self) -> Result<()>;

    /// Largest stiffness between its places, force per length: how strongly two entities of a local scheme excite each
    /// other.
    fn stiffness(&self) -> f64;

    /// Least damping per stiffness, where it has stiffness: zero where this differs by direction.
    fn damping_per_stiffness(&self) -> Option<f64>;

    /// Makes it what stable steps are estimated from: without prestress where its places are, as stiff as it ever gets,
    /// acting in both directions.
    fn relax(&mut self, places: &[Vec3]);

    /// Bytes that it takes beside its own size.
    fn memory(&self) -> usize {
        0
    }

    /// What its outputs are called, such as `tension`, and what they are: suffixes of its channels. None is the end of
    /// another one, of any kind of entity, after a dot.
    fn outputs(&self) -> &'static OutputNames;
}

/// What surrounds elements at the time of an evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// Time.
    pub time: f64,
    /// Gravitational acceleration, inertial axes.
    pub gravity: Vec3,
    /// Where, in the host's coordinates, positions are measured from.
    pub origin: Vec3,
    /// Water and seabed; the mean water level is at height zero of the host's coordinates.
    pub water: &'a Water,
    /// What the host says of the water at the place of an element on one node, where it says anything.
    pub fluid: Option<&'a Fluid>,
}

/// Names of outputs, and what each is.
#[derive(Debug)]
pub struct OutputNames(pub &'static [(&'static str, Quantity)]);

/// What an output of an element is, which gives it its unit.
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
