//! Load callbacks: loads of the host that depend on the motion and are evaluated inside the
//! iteration.

use super::Id;
use super::fluid::FluidCallback;
use super::load::BodyLoadFn;
use std::sync::Arc;

/// Motion of a set of bodies as a coupled load callback sees it: the trial motion of the present
/// iteration, inertial axes, one row per body in the order of the set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoupledMotion<'a> {
    /// Time of the loads.
    pub time: f64,
    /// The set.
    pub bodies: &'a [Id],
    /// Positions of the reference points, then quaternions w x y z.
    pub poses: &'a [[f64; 7]],
    /// Linear, then angular velocities.
    pub velocities: &'a [[f64; 6]],
    /// Linear, then angular accelerations.
    pub accelerations: &'a [[f64; 6]],
}

/// Results of a coupled load callback; zero on entry. Matrices are 6n x 6n, column-major, over
/// (translation, rotation) of the bodies in the order of the set; each may stay zero.
#[derive(Debug, PartialEq)]
pub struct CoupledLoad<'a> {
    /// Force and moment about the reference point of each body, inertial axes.
    pub wrenches: &'a mut [[f64; 6]],
    /// `-dw/d(displacement, rotation)`.
    pub stiffness: &'a mut [f64],
    /// `-dw/dvelocity`.
    pub damping: &'a mut [f64],
    /// `-dw/dacceleration`.
    pub mass: &'a mut [f64],
}

/// Loads on a set of bodies that depend on the motion of all of them. `Err(code)` fails the step.
pub type CoupledLoadFn = Arc<dyn Fn(&CoupledMotion, &mut CoupledLoad) -> Result<(), i32> + Send + Sync>;

/// A coupled load callback: its id, its bodies, and its function unless that was removed.
#[derive(Clone)]
pub struct CoupledCallback {
    /// Its id.
    pub id: usize,
    /// Indices of its bodies, in the order of its arguments.
    pub bodies: Vec<usize>,
    /// None once it is removed.
    pub function: Option<CoupledLoadFn>,
}

/// The load callbacks of a system.
#[derive(Clone, Default)]
pub struct Callbacks {
    /// One per body.
    pub bodies: Vec<Option<BodyLoadFn>>,
    /// Those of sets of bodies.
    pub coupled: Vec<CoupledCallback>,
    /// The fluid callback.
    pub fluid: Option<FluidCallback>,
}

/// The empty list of [`Callbacks::nobody`].
static NOBODY: Callbacks = Callbacks { bodies: Vec::new(), coupled: Vec::new(), fluid: None };

impl Callbacks {
    /// No callbacks, for evaluations that do not depend on forces.
    pub fn nobody() -> &'static Callbacks {
        &NOBODY
    }

    /// Whether these are [`Callbacks::nobody`]; a system without load callbacks still has an entry
    /// per body.
    pub fn are_nobody(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Whether there is a load callback.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.bodies.iter().any(Option::is_some) || self.active().next().is_some()
    }

    /// Whether one acts on a body.
    pub fn concern(&self, body: usize) -> bool {
        self.bodies.get(body).is_some_and(Option::is_some) || self.active().any(|set| set.bodies.contains(&body))
    }

    /// The coupled ones that are not removed.
    pub fn active(&self) -> impl Iterator<Item = &CoupledCallback> {
        self.coupled.iter().filter(|callback| callback.function.is_some())
    }
}
