//! Views of a system by concern, beside its methods for numbering, evaluating and moving it: each
//! is one reference, made for one or a few calls, without cost. The methods are in the files of
//! their concern.
//!
//! | View | Contents |
//! |---|---|
//! | [`System::lines`] | mooring lines: motions and shapes at rest of their nodes, energies, bounds of steps |
//! | [`System::gears`] | gears: violations, loads, contradictions, turns |
//! | [`System::machines`] | friction and stops on joints: events, impulses, what sticks and rests |
//! | [`System::joints`] | joints: coordinates, violations, reactions, contradictions, open joints |
//! | [`System::coordinates`] | coordinates of joints in a state, counted over turns |
//! | [`System::constraints`] | constraints: rows, rates, violations, how they change with the state |
//! | [`System::balance`] | energy, momentum, reactions of imposed motions |
//! | [`System::kinetics`] | accelerations, projections onto the constraints, matrices of inertia and stiffness |
//! | [`System::references`] | reference points of bodies and the origin: poses, velocities, arms |
//! | [`System::markers`] | markers: poses, rates, arms |
//! | [`System::elements`] | elements: own variables, events, forces, outputs, balance at tension-only springs |
//! | [`System::nodes`] | nodes: free or imposed, their entities, motions of those that do not turn |
//! | [`System::loading`] | loads and imposed motions: what is imposed, axes, largest accelerations |
//! | [`System::callbacks`] | callbacks of the host: called before evaluations, stored in states |
//! | [`System::adjust`] | sets gravity, released ends of lines, force scale, ids of bodies |

use super::System;

/// Mooring lines: their nodes, how these follow the ends, shapes at rest; see [`System::lines`].
#[derive(Clone, Copy)]
pub struct Lines<'a>(pub(super) &'a System);

/// Gears between joints: violations and loads; see [`System::gears`].
#[derive(Clone, Copy)]
pub struct Gears<'a>(pub(super) &'a System);

/// Friction and stops on coordinates of joints: events, impulses, what sticks and rests; see
/// [`System::machines`].
#[derive(Clone, Copy)]
pub struct Machines<'a>(pub(super) &'a System);

/// Joints: their coordinates, violations and reactions, and whether they are open; see
/// [`System::joints`].
#[derive(Clone, Copy)]
pub struct Joints<'a>(pub(super) &'a System);

/// Coordinates of joints in a state, counted over turns; see [`System::coordinates`].
#[derive(Clone, Copy)]
pub struct JointCoordinates<'a>(pub(super) &'a System);

/// Constraints of joints and gears: rows, rates and violations; see [`System::constraints`].
#[derive(Clone, Copy)]
pub struct Constraints<'a>(pub(super) &'a System);

/// Energy and momentum, and the wrenches that imposed motions need; see [`System::balance`].
#[derive(Clone, Copy)]
pub struct Balance<'a>(pub(super) &'a System);

/// Accelerations, and projections onto the constraints; see [`System::kinetics`].
#[derive(Clone, Copy)]
pub struct Kinetics<'a>(pub(super) &'a System);

/// Reference points of bodies and their motions, as hosts read them; see [`System::references`].
#[derive(Clone, Copy)]
pub struct References<'a>(pub(super) &'a System);

/// Markers on bodies and their motions; see [`System::markers`].
#[derive(Clone, Copy)]
pub struct Markers<'a>(pub(super) &'a System);

/// Elements at a state: own variables, forces and outputs, and balance at tension-only springs; see
/// [`System::elements`].
#[derive(Clone, Copy)]
pub struct ElementForces<'a>(pub(super) &'a System);

/// Elements that steps take in energy form: their forces over a step, and by their laws; see
/// [`ElementForces::forms`].
#[derive(Clone, Copy)]
pub struct EnergyForms<'a>(pub(super) &'a System);

/// Nodes: whether they are free, their entities, motions of those that do not turn; see
/// [`System::nodes`].
#[derive(Clone, Copy)]
pub struct Nodes<'a>(pub(super) &'a System);

/// Loads and imposed motions of the host; see [`System::loading`].
#[derive(Clone, Copy)]
pub struct Loading<'a>(pub(super) &'a System);

/// Results of load and fluid callbacks in the middle of a step; see [`System::callbacks`].
#[derive(Clone, Copy)]
pub struct HostCallbacks<'a>(pub(super) &'a System);

/// Changes to an assembled model: gravity, released ends of lines, force scale, ids of bodies; see
/// [`System::adjust`].
pub struct Adjust<'a>(pub(super) &'a mut System);

impl System {
    /// Mooring lines.
    #[inline(always)]
    pub fn lines(&self) -> Lines<'_> {
        Lines(self)
    }

    /// Gears.
    #[inline(always)]
    pub fn gears(&self) -> Gears<'_> {
        Gears(self)
    }

    /// Friction and stops.
    #[inline(always)]
    pub fn machines(&self) -> Machines<'_> {
        Machines(self)
    }

    /// Joints.
    #[inline(always)]
    pub fn joints(&self) -> Joints<'_> {
        Joints(self)
    }

    /// Coordinates of joints in a state.
    #[inline(always)]
    pub fn coordinates(&self) -> JointCoordinates<'_> {
        JointCoordinates(self)
    }

    /// Constraints.
    #[inline(always)]
    pub fn constraints(&self) -> Constraints<'_> {
        Constraints(self)
    }

    /// Energy, momentum, and wrenches of imposed motions.
    #[inline(always)]
    pub fn balance(&self) -> Balance<'_> {
        Balance(self)
    }

    /// Accelerations, and projections onto the constraints.
    #[inline(always)]
    pub fn kinetics(&self) -> Kinetics<'_> {
        Kinetics(self)
    }

    /// Reference points of bodies, and the origin of positions.
    #[inline(always)]
    pub fn references(&self) -> References<'_> {
        References(self)
    }

    /// Markers.
    #[inline(always)]
    pub fn markers(&self) -> Markers<'_> {
        Markers(self)
    }

    /// Elements.
    #[inline(always)]
    pub fn elements(&self) -> ElementForces<'_> {
        ElementForces(self)
    }

    /// Nodes.
    #[inline(always)]
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes(self)
    }

    /// Loads and imposed motions.
    #[inline(always)]
    pub fn loading(&self) -> Loading<'_> {
        Loading(self)
    }

    /// Callbacks of the host.
    #[inline(always)]
    pub fn callbacks(&self) -> HostCallbacks<'_> {
        HostCallbacks(self)
    }

    /// Changes to the assembled model.
    #[inline(always)]
    pub fn adjust(&mut self) -> Adjust<'_> {
        Adjust(self)
    }
}
