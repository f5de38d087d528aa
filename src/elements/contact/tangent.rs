//! Derivatives of the forces of a contact, by the chain rule over the motions of its places.

use super::{Contact, Touch, Track};
use crate::elements::machine::{Grip, Modes};
use crate::elements::{Site, Tangents};
use crate::spatial::{Mat3, Vec3, add_block, rotation, skew};

/// The derivative of a vector by translations and rotations of the places a and b, or by their
/// velocities: u_a, theta_a, u_b, theta_b.
#[derive(Clone, Copy)]
struct By([Mat3; 4]);

// Contacts are few, and their code is small before it is fast.
impl By {
    /// M times it.
    #[inline(never)]
    fn times(&self, m: &Mat3) -> By {
        By(self.0.map(|block| m * block))
    }

    /// The sum with another one.
    #[inline(never)]
    fn plus(&self, other: &By) -> By {
        By(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }

    /// Of the part of a vector in the tangent plane: P dx - n (x . dn) - (n . x) dn.
    #[inline(never)]
    fn inside(&self, x: &Vec3, n: &Vec3, dn: &By) -> By {
        let p = Mat3::identity() - n * n.transpose();
        let by_normal = -(n * x.transpose() + Mat3::identity() * n.dot(x));
        self.times(&p).plus(&dn.times(&by_normal))
    }
}

impl Contact {
    /// Adds the derivatives of the residuals of the places, with N with its derivatives, and the
    /// force on b.
    #[inline(never)]
    pub(super) fn add_tangents(
        &self,
        at: &[Site; 2],
        touch: &Touch,
        (modes, track): (&Modes, &Track),
        (normal, force): ([f64; 3], &Vec3),
        out: &mut Tangents<2>,
    ) {
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        let Touch { relative, normal: n, curvature, lever, velocity, rate, .. } = *touch;
        let radius = self.radii[1];
        let spin = at[1].omega - at[0].omega;
        // Of the place of b as seen from a, of n, and of the lever, by positions.
        let place = By([-one, skew(&relative), one, zero]);
        let turn_a = By([zero, -skew(&n), zero, zero]);
        let dn = place.times(&curvature).plus(&turn_a);
        let dlever = dn.times(&(-radius * one));
        // Of velocity and rate, by positions and by velocities.
        let omega_a = skew(&at[0].omega);
        let velocity_by_position = By([omega_a, zero, -omega_a, zero]);
        let rate_by_position = velocity_by_position.plus(&dlever.times(&skew(&spin)));
        let rate_by_velocity = place.plus(&By([zero, skew(&lever), zero, -skew(&lever)]));
        // Of N n.
        let [normal_force, by_gap, by_gap_rate] = normal;
        let along = n * n.transpose();
        let gap = n * by_gap;
        let row = |vector: &Vec3| vector * n.transpose();
        let dgap_rate = velocity_by_position
            .times(&row(&(n * by_gap_rate)))
            .plus(&dn.times(&((n * by_gap_rate) * velocity.transpose())));
        // n dN: dN is a row, here times n.
        let dnormal_by_position = place.times(&row(&gap)).plus(&dgap_rate);
        let dnormal_by_velocity = place.times(&(along * by_gap_rate));
        let mut by_position = dnormal_by_position.plus(&dn.times(&(normal_force * one)));
        let mut by_velocity = dnormal_by_velocity;
        match modes.grip {
            Grip::Free => {}
            Grip::Stuck => {
                let (whole, [turns_along, turn, lever]) = self.whole_displacement(at, touch, track);
                let inverse = at[0].r * rotation::inverse_tangent(&at[0].r.tr_mul(&turn)) * at[0].r.transpose();
                let dturn = By([zero, -skew(&turn) - inverse, zero, inverse]);
                let start = 2.0 * lever - touch.lever;
                let mean = dlever.plus(&By([zero, -skew(&start), zero, zero])).times(&(0.5 * one));
                let dwhole = By([-one, -skew(&turns_along), one, zero])
                    .plus(&dturn.times(&-skew(&lever)))
                    .plus(&mean.times(&skew(&turn)));
                by_position = by_position.plus(&dwhole.inside(&whole, &n, &dn).times(&(-modes.stiffness * one)));
            }
            _ => {
                let (whole, along, [added, slope]) = self.slip_direction(&at[0], touch, track);
                let inside = whole - n * n.dot(&whole);
                let size = inside.norm();
                if size < f64::MIN_POSITIVE {
                    return self.add_forces(touch, (&by_position, &by_velocity, &dlever), force, out);
                }
                let direction = inside / size;
                let held = one + along * along.transpose() * slope;
                let slip = [rate_by_position.inside(&rate, &n, &dn), {
                    let nothing = By([zero; 4]);
                    rate_by_velocity.inside(&rate, &n, &nothing)
                }];
                let dalong = By([zero, -skew(&along), zero, zero]);
                let turned = dalong.times(&(one * added + along * touch.slip.transpose() * slope));
                let whole_by_position = slip[0].times(&held).plus(&turned);
                let unit = (one - direction * direction.transpose()) / size;
                let nothing = By([zero; 4]);
                let turns =
                    [whole_by_position.inside(&whole, &n, &dn), slip[1].times(&held).inside(&whole, &n, &nothing)]
                        .map(|by| by.times(&(unit * (-self.friction.kinetic * normal_force))));
                // d dN from n dN.
                let instead = direction * n.transpose() * -self.friction.kinetic;
                by_position = by_position.plus(&turns[0]).plus(&dnormal_by_position.times(&instead));
                by_velocity = by_velocity.plus(&turns[1]).plus(&dnormal_by_velocity.times(&instead));
            }
        }
        self.add_forces(touch, (&by_position, &by_velocity, &dlever), force, out);
    }

    /// Adds those of the wrenches about the places, from those of the force.
    fn add_forces(
        &self,
        touch: &Touch,
        (by_position, by_velocity, dlever): (&By, &By, &By),
        force: &Vec3,
        out: &mut Tangents<2>,
    ) {
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        let apart = By([-one, zero, one, zero]);
        let arms = [touch.relative + touch.lever, touch.lever];
        let darms = [apart.plus(dlever), *dlever];
        for (i, sign) in [1.0, -1.0].into_iter().enumerate() {
            // The residual is minus the wrench: F on a, -F on b.
            let moment = by_position.times(&skew(&arms[i])).plus(&darms[i].times(&-skew(force)));
            let moment_by_velocity = by_velocity.times(&skew(&arms[i]));
            for j in 0..2 {
                for half in 0..2 {
                    let k = 2 * j + half;
                    add_block(&mut out.stiffness[i][j], 0, half, &(by_position.0[k] * sign));
                    add_block(&mut out.stiffness[i][j], 1, half, &(moment.0[k] * sign));
                    add_block(&mut out.damping[i][j], 0, half, &(by_velocity.0[k] * sign));
                    add_block(&mut out.damping[i][j], 1, half, &(moment_by_velocity.0[k] * sign));
                }
            }
        }
    }
}
