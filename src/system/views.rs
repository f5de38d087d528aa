//! What others ask of a system beside numbering, evaluating and moving it, by concern: each a view that is one reference, taken for a
//! call or a few, and costs nothing. The methods stand in the files of their concern.
//!
//! | View | What |
//! |---|---|
//! | [`System::lines`] | mooring lines: how their nodes move and rest, energies, bounds of steps |
//! | [`System::gears`] | gears: misfits, loads, which of them contradict others, turns |
//! | [`System::joints`] | joints: coordinates, misfits, reactions, which of them contradict others or do not hold |
//! | [`System::coordinates`] | coordinates of joints in a state: followed, and counted over turns |
//! | [`System::constraints`] | constraints: rows, rates, violations, how they change with the state |
//! | [`System::balance`] | energy, momentum, reactions of imposed motions |
//! | [`System::kinetics`] | accelerations, corrections onto the constraints, matrices of inertia and stiffness |
//! | [`System::references`] | reference points of bodies and the origin: poses, velocities, arms |
//! | [`System::markers`] | markers: poses, rates, arms |
//! | [`System::elements`] | elements: own variables, events, forces, outputs, balance of what ropes pull at |
//! | [`System::nodes`] | nodes: free or imposed, whose they are, how those move that do not turn |
//! | [`System::loading`] | loads and imposed motions: what they impose, axes, largest accelerations |
//! | [`System::callbacks`] | callbacks of the host: asked ahead of evaluations, kept in states |
//! | [`System::adjust`] | gravity, released ends of lines, typical forces, ids of bodies: set |

use super::System;

/// Mooring lines: which nodes are whose, how they follow their ends and come to rest; see [`System::lines`].
#[derive(Clone, Copy)]
pub struct Lines<'a>(pub(super) &'a System);

/// Gears between joints: how far they are from being satisfied, what they transmit; see [`System::gears`].
#[derive(Clone, Copy)]
pub struct Gears<'a>(pub(super) &'a System);

/// Joints: their coordinates, misfits and reactions, and whether they hold their bodies; see [`System::joints`].
#[derive(Clone, Copy)]
pub struct Joints<'a>(pub(super) &'a System);

/// Coordinates of joints as a state carries them: followed and counted over turns; see [`System::coordinates`].
#[derive(Clone, Copy)]
pub struct JointCoordinates<'a>(pub(super) &'a System);

/// Constraints of joints and gears: their rows, rates and what states leave of them; see [`System::constraints`].
#[derive(Clone, Copy)]
pub struct Constraints<'a>(pub(super) &'a System);

/// Energy and momentum of the whole, and the forces that imposed motions need; see [`System::balance`].
#[derive(Clone, Copy)]
pub struct Balance<'a>(pub(super) &'a System);

/// Accelerations, and corrections onto the constraints: what a mechanism does at a given state; see [`System::kinetics`].
#[derive(Clone, Copy)]
pub struct Kinetics<'a>(pub(super) &'a System);

/// Reference points of bodies, which hosts speak of: where they are and how they move; see [`System::references`].
#[derive(Clone, Copy)]
pub struct References<'a>(pub(super) &'a System);

/// Markers on bodies: where they are and how they move; see [`System::markers`].
#[derive(Clone, Copy)]
pub struct Markers<'a>(pub(super) &'a System);

/// Elements at a state: their own variables, forces and outputs, and whether what ropes pull at is in balance; see
/// [`System::elements`].
#[derive(Clone, Copy)]
pub struct ElementForces<'a>(pub(super) &'a System);

/// Nodes: which of them move by the equations of motion, which entity each is, where those are that do not turn; see [`System::nodes`].
#[derive(Clone, Copy)]
pub struct Nodes<'a>(pub(super) &'a System);

/// Loads and imposed motions from outside, as this system takes them; see [`System::loading`].
#[derive(Clone, Copy)]
pub struct Loading<'a>(pub(super) &'a System);

/// What the host says in the middle of a step: load callbacks, and the water around lines and points; see [`System::callbacks`].
#[derive(Clone, Copy)]
pub struct HostCallbacks<'a>(pub(super) &'a System);

/// Changes what may change of an assembled model: gravity, ends of lines that are let go, typical forces, ids of bodies; see
/// [`System::adjust`].
pub struct Adjust<'a>(pub(super) &'a mut System);

impl System {
    /// What concerns lines.
    #[inline(always)]
    pub fn lines(&self) -> Lines<'_> {
        Lines(self)
    }

    /// What concerns gears.
    #[inline(always)]
    pub fn gears(&self) -> Gears<'_> {
        Gears(self)
    }

    /// What concerns joints.
    #[inline(always)]
    pub fn joints(&self) -> Joints<'_> {
        Joints(self)
    }

    /// What concerns coordinates of joints that a state carries.
    #[inline(always)]
    pub fn coordinates(&self) -> JointCoordinates<'_> {
        JointCoordinates(self)
    }

    /// What concerns constraints.
    #[inline(always)]
    pub fn constraints(&self) -> Constraints<'_> {
        Constraints(self)
    }

    /// Energy, momentum, and what imposed motions need.
    #[inline(always)]
    pub fn balance(&self) -> Balance<'_> {
        Balance(self)
    }

    /// Accelerations, and corrections onto the constraints.
    #[inline(always)]
    pub fn kinetics(&self) -> Kinetics<'_> {
        Kinetics(self)
    }

    /// What concerns reference points of bodies, and the origin that positions are measured from.
    #[inline(always)]
    pub fn references(&self) -> References<'_> {
        References(self)
    }

    /// What concerns markers.
    #[inline(always)]
    pub fn markers(&self) -> Markers<'_> {
        Markers(self)
    }

    /// What concerns elements.
    #[inline(always)]
    pub fn elements(&self) -> ElementForces<'_> {
        ElementForces(self)
    }

    /// What concerns nodes.
    #[inline(always)]
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes(self)
    }

    /// What concerns loads and imposed motions from outside.
    #[inline(always)]
    pub fn loading(&self) -> Loading<'_> {
        Loading(self)
    }

    /// What concerns callbacks of the host.
    #[inline(always)]
    pub fn callbacks(&self) -> HostCallbacks<'_> {
        HostCallbacks(self)
    }

    /// Changes what may change once the model is assembled.
    #[inline(always)]
    pub fn adjust(&mut self) -> Adjust<'_> {
        Adjust(self)
    }
}
