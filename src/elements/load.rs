//! Held loads on a place of one node: a wrench on a body or a marker, a force on a point.

use super::{Element, Local, Site, Surroundings};
use crate::spatial::{Frame, Vec3, Vec6, add_block, join, lower, skew, skew_skew, upper};

/// A wrench and the axes it is given in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Axes of the wrench; body axes turn with the body (a follower load).
    pub frame: Frame,
    /// Force, then moment about the reference point or marker.
    pub wrench: Vec6,
    /// Whether the host has given it: a load first given after `initialize` acts from the initial
    /// time on.
    pub given: bool,
}

impl Load {
    /// No load, never given.
    pub const NONE: Load =
        Load { frame: Frame::Inertial, wrench: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), given: false };

    /// Whether it is not zero.
    #[inline(always)]
    pub fn acts(&self) -> bool {
        self.wrench != Load::NONE.wrench
    }
}

impl Element<1> for Load {
    #[inline(always)]
    fn evaluate(&self, [site]: &[Site; 1], _: &Surroundings, _: &[f64], out: &mut Local<1>) {
        let (force, moment) = match self.frame {
            Frame::Inertial => (upper(&self.wrench), lower(&self.wrench)),
            Frame::Body => (site.r * upper(&self.wrench), site.r * lower(&self.wrench)),
        };
        out.residual[0] -= join(&Vec3::zeros(), &moment);
        out.add_force(0, site, &force);
        if let (Some(tangents), Frame::Body) = (&mut out.tangents, self.frame) {
            // The wrench turns, K = [0, ~f; 0, ~(m + s x f)] with ~(s x f) = ~s ~f - ~f ~s; the
            // last term is in K already.
            let stiffness = &mut tangents.stiffness[0][0];
            add_block(stiffness, 0, 1, &skew(&force));
            add_block(stiffness, 1, 1, &(skew(&moment) + skew_skew(&site.arm, &force)));
        }
    }
}

/// A force on a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointLoad {
    /// Force, inertial axes.
    pub force: Vec3,
    /// Whether the host has given it.
    pub given: bool,
}

impl PointLoad {
    /// No force, never given.
    pub const NONE: PointLoad = PointLoad { force: Vec3::new(0.0, 0.0, 0.0), given: false };
}

impl Element<1> for PointLoad {
    #[inline(always)]
    fn evaluate(&self, [site]: &[Site; 1], _: &Surroundings, _: &[f64], out: &mut Local<1>) {
        out.add_force(0, site, &self.force);
    }
}
