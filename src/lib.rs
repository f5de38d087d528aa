//! pintle moves rigid multibody systems through time for host codes that have no structural solver
//! of their own.
//!
//! The modules, in the direction in which data flows; imports follow the arrows and never go back
//! (docs/architecture.md describes them, and how to extend them):
//!
//! ```text
//! capi  ->  simulation  ->  scheme  ->  system  ->  elements
//!                |             |           |
//!                |             +-----------+-->  linear
//!                +->  analysis  ->  system
//! ```
//!
//! - `capi`: the C API (`include/pintle.h`): checked arguments in, status and message out. No
//!   physics.
//! - [`simulation`]: phases, accepted and trial state, inputs, sub-stepping, snapshots, model
//!   files, statistics. No mathematics.
//! - `scheme`: advances a state over one internal step; independent of joints and springs.
//! - `analysis`: equilibrium, linearisation, modes, load compliance of a state.
//! - `system`: the assembled model: numbering, joints, residual, iteration matrix, accelerations,
//!   energies.
//! - [`elements`]: elements on one to eight nodes, one file each; they depend on the motions of
//!   their places, not on the system.
//! - `linear`: factorises and solves the iteration matrix by blocks.
//! - [`floating_point`]: the floating-point environment of libraries for hosts.
//! - [`reserve`]: the heap of libraries for hosts, in which a failed allocation is an error.
//! - [`model`]: the description of a model and its validation, model files as text; [`spatial`]:
//!   algebra of rotations, poses, inertias.
//!
//! Everything below `capi` but `floating_point` and `reserve` is safe Rust and usable on its own:
//!
//! ```
//! use pintle::{GROUND, JointKind, Simulation};
//!
//! # fn main() -> pintle::Result<()> {
//! let mut pendulum = Simulation::new();
//! pendulum.settings().set_gravity(&[0.0, 0.0, -9.81])?;
//! let pose = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
//! let bob = pendulum.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose)?;
//! pendulum.build().add_joint_at(JointKind::Revolute, GROUND, bob, &[0.0; 3], Some(&[0.0, 1.0, 0.0]))?;
//! pendulum.initialize(0.0)?;
//! for _ in 0..100 {
//!     pendulum.step(0.01)?;
//! }
//! let (kinetic, potential) = pendulum.outputs().energy()?;
//! assert!((kinetic + potential).abs() < 1e-2);
//! # Ok(())
//! # }
//! ```

mod analysis;
#[cfg(feature = "capi")]
pub mod capi;
pub mod elements;
pub mod error;
pub mod floating_point;
mod linear;
pub mod model;
mod number;
mod phase;
pub mod reserve;
mod scheme;
pub mod simulation;
pub mod spatial;
mod system;

pub use elements::TendonSlip;
pub use elements::friction_load::FrictionLoad;
pub use error::{Error, Result};
pub use model::{
    BodyLoad, BodyLoadFn, BodyMotion, CoupledLoad, CoupledLoadFn, CoupledMotion, EntityKind, Frame, GROUND, Id,
    JointKind, ProgressFn, Shape, ShapeKind,
};
pub use simulation::{
    Beams, Bed, BodiesInWater, Clutches, ContactLaw, Contacts, CurrentGrids, InputChoice, InputList, JointMachines,
    JointTable, LinearInputs, LinearModel, Memory, Mode, Phase, Simulation, Snapshot, Tendons, Work, add_clutch,
    add_shape, advance_to, break_joint, joint_radius, set_bushing_preload, set_bushing_table, set_clutch_capacity,
    set_clutch_stop, set_contact_resistance, set_joint_friction_load, set_joint_radius, set_joint_strength,
    set_joint_table, set_tendon_friction, set_tendon_sheave,
};
