//! Derivatives of the forces of a contact, by the chain rule over the motions of its places.

use super::{Contact, Rub, STATES, Touch, Track};
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

    /// Of the part of a vector in the directions of friction.
    fn part(&self, rub: Rub, x: &Vec3, n: &Vec3, dn: &By) -> By {
        let inside = self.inside(x, n, dn);
        match rub {
            Rub::Sliding | Rub::Rolling => inside,
            Rub::Spinning => self.plus(&inside.times(&-Mat3::identity())),
        }
    }
}

/// What the derivatives of friction need.
struct Known {
    /// N.
    normal_force: f64,
    /// n dN, by positions and by velocities.
    dnormal: [By; 2],
    /// Of n and of the lever, by positions.
    dn: By,
    dlever: By,
}

impl Contact {
    /// Adds the derivatives of the residuals of the places, with N with its derivatives, and the
    /// force on b.
    #[inline(never)]
    pub(super) fn add_tangents(
        &self,
        at: &[Site; 2],
        touch: &Touch,
        z: &[f64],
        (normal, force): ([f64; 3], &Vec3),
        out: &mut Tangents<2>,
    ) {
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        let Touch { relative, normal: n, curvature, lever, velocity, spin, .. } = *touch;
        let radius = self.radii[1];
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
        let by_position = dnormal_by_position.plus(&dn.times(&(normal_force * one)));
        let known = Known { normal_force, dnormal: [dnormal_by_position, dnormal_by_velocity], dn, dlever };
        let mut sums = [by_position, dnormal_by_velocity];
        let rates = [rate_by_position, rate_by_velocity];
        self.add_friction(Rub::Sliding, (at, touch), z, (&known, &rates), &mut sums);
        self.add_forces(touch, (&sums[0], &sums[1], &dlever), force, out);
        let rates = [By([zero; 4]), By([zero, -one, zero, one])];
        for rub in Rub::RESISTANCES.into_iter().filter(|rub| rub.first() < z.len()) {
            let mut sums = [By([zero; 4]); 2];
            self.add_friction(rub, (at, touch), &z[rub.first()..], (&known, &rates), &mut sums);
            add_moments(&sums, out);
        }
    }

    /// Adds the derivatives of the force or moment of friction on b, by positions and by
    /// velocities, with its own variables, and the derivatives of the rate that it acts against.
    #[inline(never)]
    fn add_friction(
        &self,
        rub: Rub,
        (at, touch): (&[Site; 2], &Touch),
        z: &[f64],
        (known, rates): (&Known, &[By; 2]),
        sums: &mut [By; 2],
    ) {
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        let nothing = By([zero; 4]);
        let (modes, track, n) = (Modes::read(&z[..STATES]), Track::read(z), touch.normal);
        let Known { normal_force, dnormal, dn, dlever } = known;
        match modes.grip {
            Grip::Free => {}
            Grip::Stuck => {
                let (whole, dwhole) = self.displacement_by_position(rub, (at, touch), &track, dlever);
                sums[0] = sums[0].plus(&dwhole.part(rub, &whole, &n, dn).times(&(-modes.stiffness * one)));
            }
            _ => {
                let slip = touch.slip_of(rub);
                let (whole, along, [added, slope]) = Contact::slip_direction(&at[0], &slip, &track);
                let inside = rub.part(&whole, &n);
                let (size, kinetic) = (inside.norm(), self.friction_of(rub).kinetic);
                if size < f64::MIN_POSITIVE {
                    return;
                }
                let direction = inside / size;
                let held = one + along * along.transpose() * slope;
                let rate = touch.rate_of(rub);
                let by_position = rates[0].part(rub, &rate, &n, dn);
                let by_velocity = rates[1].part(rub, &rate, &n, &nothing);
                let dalong = By([zero, -skew(&along), zero, zero]);
                let turned = dalong.times(&(one * added + along * slip.transpose() * slope));
                let whole_by_position = by_position.times(&held).plus(&turned);
                let unit = (one - direction * direction.transpose()) / size;
                let turns = [
                    whole_by_position.part(rub, &whole, &n, dn),
                    by_velocity.times(&held).part(rub, &whole, &n, &nothing),
                ]
                .map(|by| by.times(&(unit * (-kinetic * normal_force))));
                // d dN from n dN.
                let instead = direction * n.transpose() * -kinetic;
                for k in 0..2 {
                    sums[k] = sums[k].plus(&turns[k]).plus(&dnormal[k].times(&instead));
                }
            }
        }
    }

    /// The displacement of what sticks before its part in the directions of friction is taken, and
    /// its derivative.
    fn displacement_by_position(
        &self,
        rub: Rub,
        (at, touch): (&[Site; 2], &Touch),
        track: &Track,
        dlever: &By,
    ) -> (Vec3, By) {
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        let turned = |turn: &Vec3| {
            let inverse = at[0].r * rotation::inverse_tangent(&at[0].r.tr_mul(turn)) * at[0].r.transpose();
            By([zero, -skew(turn) - inverse, zero, inverse])
        };
        if rub != Rub::Sliding {
            let [turns_along, turn] = track.turned(at);
            return (turns_along + turn, By([zero, -skew(&turns_along), zero, zero]).plus(&turned(&turn)));
        }
        let (whole, [turns_along, turn, lever]) = self.whole_displacement(at, touch, track);
        let start = 2.0 * lever - touch.lever;
        let mean = dlever.plus(&By([zero, -skew(&start), zero, zero])).times(&(0.5 * one));
        let dwhole = By([-one, -skew(&turns_along), one, zero])
            .plus(&turned(&turn).times(&-skew(&lever)))
            .plus(&mean.times(&skew(&turn)));
        (whole, dwhole)
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

/// Adds the derivatives of the residuals of both places by a moment on b, whose opposite is on a.
fn add_moments(sums: &[By; 2], out: &mut Tangents<2>) {
    for (i, sign) in [1.0, -1.0].into_iter().enumerate() {
        for k in 0..4 {
            add_block(&mut out.stiffness[i][k / 2], 1, k % 2, &(sums[0].0[k] * sign));
            add_block(&mut out.damping[i][k / 2], 1, k % 2, &(sums[1].0[k] * sign));
        }
    }
}
