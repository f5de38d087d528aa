//! Force elements: what acts between two places of a model by their relative motion.
//!
//! One file per element. It holds all that is known of one: the description as the host gave it, the checks of its arguments,
//! its facts in model files and fingerprints, force, tangents, energy, what bounds explicit steps, outputs by name, which are
//! its channels. The list in this file names the elements (`list` has what is made from it); a new one is its file, `mod` and a
//! line in the list, and the C function that adds it.
//!
//! What an element is told of the system is how its two ends move ([`Site`]), and it answers with wrenches and tangents. It
//! knows nothing of bodies, points, unknowns or matrices: no import from `model`, `system` or above belongs here.
//! Loads and load callbacks, which act on one node at the host's word, live in `system/forces`.

/// Hands the list of force elements to another macro: doc comment; type; its vector in [`Elements`]; its name in the C API and
/// in model files.
macro_rules! force_elements {
    ($make:ident) => {
        $make! {
            /// Springs with dampers between two points.
            Spring, springs, "spring";
            /// Bushings between two frames.
            Bushing, bushings, "bushing";
        }
    };
}

mod bushing;
mod curve;
mod end;
mod facts;
mod kind;
pub mod line;
mod list;
mod spring;

pub use bushing::Bushing;
pub use curve::Curve;
pub use end::{Attachment, End, Site, Tie};
pub use facts::{Columns, Facts, Keys};
pub use kind::EntityKind;
pub use list::{EachKind, Elements, Listed};
pub use spring::Spring;

use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat6, Vec3, Vec6, join};

/// What a force element knows of itself.
pub trait ForceElement {
    /// What messages, names and model files call it.
    fn kind(&self) -> EntityKind;

    /// What its ends are fixed to, and where.
    fn ends(&self) -> &[Attachment; 2];

    /// The same to change.
    fn ends_mut(&mut self) -> &mut [Attachment; 2];

    /// Tells its facts, places of its ends included, and takes what a model file says of them. What follows from them is up
    /// to date afterwards. Errors: those of the listener.
    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()>;

    /// Errors: a fact that is not finite or outside its range, named by its key, which is the argument of the C function.
    fn check(&self) -> Result<()>;

    /// Wrenches that its ends add to the residuals of their nodes: minus the wrench on each node, about the node's
    /// point, inertial axes. Adds the derivatives of these to `tangent`, where they are wanted.
    fn residuals(&self, ends: &[Site; 2], tangent: Option<&mut PairTangent>) -> [Vec6; 2];

    /// Elastic energy.
    fn potential(&self, ends: &[Site; 2]) -> f64;

    /// Largest stiffness between its ends, force per length: how strongly two entities of a local scheme excite each
    /// other.
    fn stiffness(&self) -> f64;

    /// Least damping per stiffness, where it has stiffness: zero where this differs by direction.
    fn damping_per_stiffness(&self) -> Option<f64>;

    /// Makes it what stable steps are estimated from: without prestress at the given distance of its ends, as stiff as it
    /// ever gets, acting in both directions.
    fn relax(&mut self, length: f64);

    /// Bytes that it takes beside its own size.
    fn memory(&self) -> usize {
        0
    }

    /// What its outputs are called, such as `tension`, and what they are: suffixes of its channels. None is the end of
    /// another one, of any kind of entity, after a dot.
    fn outputs(&self) -> &'static OutputNames;

    /// Tells their values, in this order.
    fn output_values(&self, ends: &[Site; 2], each: &mut dyn FnMut(f64));
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

/// Tangents between two nodes, `[row node][column node]`: derivatives of the residuals of the nodes by their translations
/// and rotations (u, theta), and by their velocities.
#[derive(Debug, Clone, Copy)]
pub struct PairTangent {
    /// K.
    pub stiffness: [[Mat6; 2]; 2],
    /// G.
    pub damping: [[Mat6; 2]; 2],
}

impl PairTangent {
    /// Zeros.
    #[inline(always)]
    pub fn zero() -> PairTangent {
        PairTangent { stiffness: [[Mat6::zeros(); 2]; 2], damping: [[Mat6::zeros(); 2]; 2] }
    }
}

/// The wrench about a node's point of a force at `arm` from there.
#[inline(always)]
fn point_wrench(force: &Vec3, arm: &Vec3) -> Vec6 {
    join(force, &arm.cross(force))
}

/// Errors: not finite, negative.
pub fn check_not_negative(argument: &'static str, x: f64) -> Result<()> {
    check_finite(argument, &[x])?;
    if x < 0.0 { Err(Error::bad_value(argument, format!("{} is negative", Number(x)))) } else { Ok(()) }
}
