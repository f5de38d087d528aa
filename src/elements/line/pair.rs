//! Two nodes as a sweep evaluates them: what acts on them, and what the water does.

use super::lanes::{Matrices, Two, Vectors};
use super::seabed::Contacts;
use std::ops::Range;

/// Two nodes, one of which is an end.
pub(super) struct Pair {
    /// Those that are there.
    pub(super) nodes: Range<usize>,
    /// Minus what acts on them.
    pub(super) forces: Vectors,
    /// Unstretched length and mass that belong to them.
    pub(super) own: Two,
    pub(super) mass: Two,
    /// c_m M + c_g C.
    pub(super) rates: Matrices,
    pub(super) contacts: Contacts,
    pub(super) found: Wetted,
}

/// What the water does at two nodes.
#[derive(Clone, Copy)]
pub(super) struct Wetted {
    /// Whether anything of it acts.
    pub(super) is_wet: bool,
    /// Length under water.
    pub(super) wetted: Two,
    /// Tangent of the line, and what it was divided by to be of length one.
    pub(super) q: Vectors,
    pub(super) over: Two,
    /// Relative velocity, its part along the line, its part across, and the size of that.
    pub(super) u: Vectors,
    pub(super) sq: Two,
    pub(super) up: Vectors,
    pub(super) speed: Two,
    /// Factors of drag across and along.
    pub(super) k1: Two,
    pub(super) k2: Two,
    /// Added mass across, and what it is more along.
    pub(super) across: Two,
    pub(super) along: Two,
    /// Its part of the residual: buoyancy, drag, inertia of the water.
    pub(super) all: Vectors,
}

impl Wetted {
    /// None of it.
    pub(super) const NONE: Wetted = Wetted {
        is_wet: false,
        wetted: Two::ZERO,
        q: Vectors::ZERO,
        over: Two::ZERO,
        u: Vectors::ZERO,
        sq: Two::ZERO,
        up: Vectors::ZERO,
        speed: Two::ZERO,
        k1: Two::ZERO,
        k2: Two::ZERO,
        across: Two::ZERO,
        along: Two::ZERO,
        all: Vectors::ZERO,
    };

    /// `k1/|u_p|`, zero where there is no flow across.
    #[inline(always)]
    pub(super) fn k1_over_speed(&self) -> Two {
        (self.k1 / self.speed) & self.speed.simd_gt(Two::ZERO)
    }
}
