//! The seabed under a cylinder: spring, damper and friction that lines have, on the axis at the
//! ends of segments. Own variables are the stick points of friction there, x and y.
//!
//! The bed acts with a force F at the place `a = s q` from end A, which moves with `v + omega x a`.
//! With `-dF = K_s dx + G_s dv` there, the wrench (F, a x F) about end A has
//!
//! ```text
//! -d(F, a x F) = J^T K_s J (u, theta) + J^T G_s (J (udot, domega) + (0, omega x (theta x a))) - (0, (theta x a) x F),   J = (I, -~a).
//! ```

use super::{Cylinder, End, Tangents};
use crate::elements::line::{Push, Seabed};
use crate::elements::local::point_wrench;
use crate::elements::{Site, Surroundings};
use crate::spatial::{Vec3, Vec6, add_block, mul_skew, skew_mul, skew_skew};

impl Cylinder {
    /// The bed, if this cylinder can meet it: one on the ground cannot.
    fn bed<'a>(&self, around: &Surroundings<'a>) -> Option<Seabed<'a>> {
        Seabed::new(around.water, around.origin, self.diameter).filter(|_| self.node[0].to != End::Ground)
    }

    /// The ends of segments: their places from end A, and area d l of a part of the axis.
    fn stations(&self, site: &Site) -> impl Iterator<Item = (Vec3, f64)> {
        let (n, axis) = (self.segments, site.r * self.axis / f64::from(self.segments));
        let area = self.diameter * axis.norm();
        (0..=n).map(move |k| (axis * f64::from(k), if k == 0 || k == n { 0.5 * area } else { area }))
    }

    /// The wrench of the bed about end A; adds its derivatives.
    pub(super) fn bed_wrench(
        &self,
        site: &Site,
        around: &Surroundings,
        sticks: &[f64],
        tangents: &mut Option<Tangents<1>>,
    ) -> Vec6 {
        let mut wrench = Vec6::zeros();
        let Some(bed) = self.bed(around) else { return wrench };
        let mut act = |push: &Push, arm: &Vec3| {
            wrench += point_wrench(&push.force, arm);
            if let Some(tangents) = tangents {
                add_push(push, arm, &site.omega, tangents);
            }
        };
        for (k, (arm, area)) in self.stations(site).enumerate() {
            let x = site.x + arm;
            let ground = bed.ground(&x);
            if ground.penetration <= 0.0 {
                continue;
            }
            let v = site.v + site.omega.cross(&arm);
            let contact = bed.contact(ground.penetration, ground.rate(&v));
            act(&ground.push(&contact, area, &v), &arm);
            if let Some(stick) = sticks.as_chunks().0.get(k).filter(|_| bed.holds() && contact.pressure > 0.0) {
                act(&bed.friction((&x, &v), stick, &ground, &contact, area), &arm);
            }
        }
        wrench
    }

    /// Sets the stick points by the places of the ends of segments and the former ones.
    pub(super) fn set_sticks(
        &self,
        site: &Site,
        around: &Surroundings,
        sticks: &mut [f64],
        stick: impl Fn(&Seabed, &Vec3, [f64; 2]) -> [f64; 2],
    ) {
        let Some(bed) = self.bed(around) else { return };
        for (own, (arm, _)) in sticks.as_chunks_mut().0.iter_mut().zip(self.stations(site)) {
            *own = stick(&bed, &(site.x + arm), *own);
        }
    }

    /// Energy of the bed under the axis.
    pub(super) fn bed_energy(&self, site: &Site, around: &Surroundings) -> f64 {
        let Some(bed) = self.bed(around) else { return 0.0 };
        let energy = |(arm, area)| area * bed.energy(bed.ground(&(site.x + arm)).penetration);
        self.stations(site).map(energy).sum()
    }
}

/// Adds the tangents of a force at a place on a cylinder that turns.
fn add_push(push: &Push, arm: &Vec3, omega: &Vec3, tangents: &mut Tangents<1>) {
    let Tangents { stiffness: [[k]], damping: [[g]] } = tangents;
    let Push { force, stiffness, damping, .. } = push;
    let by_turn = -mul_skew(stiffness, arm) - damping * skew_skew(omega, arm);
    let by_spin = -mul_skew(damping, arm);
    for (matrix, columns) in [(&mut *k, [stiffness, &by_turn]), (g, [damping, &by_spin])] {
        for (column, block) in columns.into_iter().enumerate() {
            add_block(matrix, 0, column, block);
            add_block(matrix, 1, column, &skew_mul(arm, block));
        }
    }
    add_block(k, 1, 1, &-skew_skew(force, arm));
}
