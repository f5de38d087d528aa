//! The seabed under a cylinder: the spring and the damper that lines have, without friction, on the
//! axis at the ends of segments.
//!
//! At s from end A the axis is at the height `z + s c` and rises at the rate `J . (v, omega)`,
//! `J = (zhat, s n)`, `n = q x zhat`. The bed acts there with the wrench `B J`, so that it is
//! conservative without its damper, and
//!
//! ```text
//! -dB J = (k J J^T + b J (0, dzdot/dtheta)^T - B (0 0; 0 s (q zhat^T - c I))) (u, theta) + b J J^T (udot, omega),
//! dzdot/dtheta = s ((omega . q) zhat - c omega),   k = -dB/dz,   b = -dB/dzdot.
//! ```

use super::morison::{Axis, level_axis};
use super::{Cylinder, End, Tangents};
use crate::elements::line::{Seabed, Water};
use crate::spatial::{Mat3, Vec3, Vec6, add_block, join};

impl Cylinder {
    /// The bed, if this cylinder can meet it: one on the ground cannot.
    fn bed(&self, water: &Water) -> Option<Seabed> {
        Seabed::new(water, 0.0, self.diameter).filter(|_| self.node[0].to != End::Ground)
    }

    /// The ends of segments: distance from end A, and area d l of a part of the axis.
    fn stations(&self) -> impl Iterator<Item = (f64, f64)> {
        let (n, segment) = (self.segments, self.axis.norm() / f64::from(self.segments));
        let area = self.diameter * segment;
        (0..=n).map(move |k| (segment * f64::from(k), if k == 0 || k == n { 0.5 * area } else { area }))
    }

    /// The wrench of the bed about end A, which is at a height over the mean water level; adds its
    /// derivatives.
    pub(super) fn bed_wrench(
        &self,
        Axis { q, site }: &Axis,
        height: f64,
        water: &Water,
        tangents: &mut Option<Tangents<1>>,
    ) -> Vec6 {
        let mut wrench = Vec6::zeros();
        let Some(bed) = self.bed(water) else { return wrench };
        let (vertical, n) = (Vec3::z(), level_axis(q));
        for (s, area) in self.stations() {
            let z = height + s * q.z;
            if bed.penetration(z) <= 0.0 {
                continue;
            }
            let j = join(&vertical, &(n * s));
            let contact = bed.contact(z, site.v.z + s * n.dot(&site.omega));
            wrench += j * (area * contact.pressure);
            let Some(Tangents { stiffness: [[k]], damping: [[g]] }) = tangents else { continue };
            *g += j * (j * (area * contact.damping)).transpose();
            let by_turn = (vertical * site.omega.dot(q) - site.omega * q.z) * (area * contact.damping * s);
            *k += j * (j * (area * contact.stiffness) + join(&Vec3::zeros(), &by_turn)).transpose();
            let turned = (q * vertical.transpose() - Mat3::identity() * q.z) * (area * contact.pressure * s);
            add_block(k, 1, 1, &-turned);
        }
        wrench
    }

    /// Energy of the bed under the axis.
    pub(super) fn bed_energy(&self, height: f64, c: f64, water: &Water) -> f64 {
        let Some(bed) = self.bed(water) else { return 0.0 };
        self.stations().map(|(s, area)| area * bed.energy(bed.penetration(height + s * c))).sum()
    }
}
