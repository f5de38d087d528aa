//! Energy form of a line: the forces of its segments and of the seabed over a step of
//! generalized-alpha (`elements::energy_form`, docs/theory.md). Bending is in `bending_over`.
//!
//! A segment has the mean tension of the lengths that it runs through, along a direction in which
//! it does the work of its energy. The bed has the mean pressure of the depths that a node runs
//! through, with a damper on the mean velocity. Where a winch pays out, strains at both ends of the
//! step are those of the unstretched lengths there.

use super::axial::Axial;
use super::chain::{Chain, NO_DIRECTION, NO_LENGTH};
use super::evaluation::{Around, Evaluation, Over};
use super::lanes::{Matrices, Two, Vectors, count, put};
use super::seabed::Seabed;
use super::sweep::{MASSES, Sides, Sweep, TANGENTS, ZERO};
use super::viscoelastic::Pairs;
use crate::elements::energy_form::Memory;
use crate::spatial::Vec3;

/// The tensions of two segments over a step.
pub(super) struct Means {
    /// Means over the strain.
    pub(super) tension: Two,
    pub(super) slope: Two,
    /// Secants of the tension, as part of the greatest EA, and their derivatives by the strain at
    /// the end.
    pub(super) secant: Two,
    pub(super) secant_slope: Two,
    /// Tensions at the end, and their derivatives by the strain.
    pub(super) end: [Two; 2],
    /// Of how many the stiffness jumps.
    pub(super) crossings: u32,
}

impl Chain {
    /// Makes the numerical dissipation of segments, by the strain, ready for a step: what a memory
    /// holds does not grow where the segment becomes stiffer. Those with tables are compared with
    /// the stiffness of the step (`scaled_memories`).
    pub fn scale_memories(&self, memories: &mut [Memory]) {
        let Some(ea) = self.axial.linear() else { return };
        for memory in memories.iter_mut().filter(|memory| memory.kappa < ea) {
            memory.y *= (memory.kappa / ea).sqrt();
        }
    }

    /// The forces of segments, bending and seabed on each node by their laws, from positions and
    /// velocities; less D u where accelerations were damped.
    #[inline(never)]
    pub fn forces_by_laws(
        &self,
        (length, rate): (f64, f64),
        (x, v): (&[Vec3], &[Vec3]),
        around: &Around,
        damped: Option<Damped>,
        forces: &mut [[f64; 3]],
    ) {
        let n = self.segments as f64;
        let (l, rate) = (length / n, rate / n);
        let constant = self.axial.damping_constant(self.mass, l);
        let pairs = self.axial.pairs(self.mass, l);
        let seabed = Seabed::new(around.water, around.origin, self.diameter);
        forces.fill([0.0; 3]);
        if let Some(bed) = &seabed {
            for (i, force) in forces.iter_mut().enumerate() {
                let ground = bed.ground(&x[i]);
                if ground.penetration <= 0.0 {
                    continue;
                }
                let contact = bed.contact(ground.penetration, ground.rate(&v[i]));
                let push = ground.push(&contact, self.share(i, l) * self.diameter, &v[i]);
                *force = push.force.into();
                if let Some(Damped { d, change }) = &damped {
                    let u = change(i);
                    let lost = push.damping * (u * d[0]) + push.stiffness * (u * d[1]);
                    force.iter_mut().zip(&lost).for_each(|(force, lost)| *force -= lost);
                }
            }
        }
        for j in 0..self.segments {
            let chord = x[j + 1] - x[j];
            let s = chord.norm();
            let t = if s > NO_LENGTH * l { chord / s } else { NO_DIRECTION };
            let strain_rate = (t.dot(&(v[j + 1] - v[j])) - s / l * rate) / l;
            let strain = s / l - 1.0;
            // The tension that turns with the segment is that of the springs.
            let (all, tension, ea, ba) = if let Some(pairs) = &pairs {
                let (h, ba) = pairs.now(pairs.slow(&around.slow, j, strain), strain, strain_rate);
                (h.0, h.0 - ba * strain_rate, h.1, ba)
            } else {
                let (tension, ea) = self.axial.tension(strain);
                let (damping, ba) = self.axial.damping(strain_rate, constant);
                (tension + damping, tension, ea, ba)
            };
            let thrust = if s > NO_LENGTH * l { self.thrust(j) } else { 0.0 };
            let mut force = t * (all - thrust);
            if let Some(Damped { d, change }) = &damped {
                let u = change(j + 1) - change(j);
                let along = t * t.dot(&u);
                let across = if s > NO_LENGTH * l { (u - along) * ((tension - thrust) / s) } else { Vec3::zeros() };
                force += along * ((d[0] * ba + d[1] * ea) / l) + across * d[1];
            }
            for k in 0..3 {
                forces[j][k] += force[k];
                forces[j + 1][k] -= force[k];
            }
        }
        if self.bends() {
            self.bending_by_law(l, x, damped.as_ref(), forces);
        }
    }
}

/// What damped the accelerations at the start of a step.
#[derive(Clone, Copy)]
pub struct Damped<'a> {
    /// Weights of damping and of stiffness.
    pub d: [f64; 2],
    /// The change u of a node.
    pub change: &'a dyn Fn(usize) -> Vec3,
}

impl Axial {
    /// The tension of two segments over a step, from the strains at its start to those at its end.
    #[inline(always)]
    pub(super) fn means(&self, from: Two, to: Two) -> Means {
        let Some(ea) = self.linear() else {
            let both = [0, 1].map(|lane| self.mean([from, to].map(|strain| strain.to_array()[lane])));
            let [tension, slope, secant, secant_slope, end, end_slope] =
                std::array::from_fn(|k| Two::new(both.map(|(numbers, _)| numbers[k])));
            let crossings = both.iter().map(|(_, crosses)| u32::from(*crosses)).sum();
            return Means { tension, slope, secant, secant_slope, end: [end, end_slope], crossings };
        };
        let (ea, taut) = (Two::splat(ea), to.simd_gt(Two::ZERO));
        let is_crossing = from.simd_gt(Two::ZERO) ^ taut;
        let [x0, x1] = [from, to].map(|strain| strain.fast_max(Two::ZERO));
        // A crossing is at least as long as the part of it that is stretched.
        let over = (Two::ONE / (to - from)) & is_crossing;
        let part = is_crossing.bitselect((x1 - x0) * over, Two::ONE & taut);
        let (end, end_slope) = (ea * x1, ea & taut);
        let tension = Two::HALF * ea * (x0 + x1) * part;
        let slope = is_crossing.bitselect((end - tension) * over, Two::HALF * end_slope);
        let secant_slope = ((Two::ONE & taut) - part) * over;
        let crossings = count(is_crossing, 2);
        Means { tension, slope, secant: part, secant_slope, end: [end, end_slope], crossings }
    }

    /// The numbers of [`Means`] of one segment with a table, in their order, and whether the
    /// stiffness jumps.
    fn mean(&self, [from, to]: [f64; 2]) -> ([f64; 6], bool) {
        let (start, end) = (self.tension(from), self.tension(to));
        let (change, unit) = (to - from, 1.0 / self.stiffest());
        let crosses = (end.1 - start.1).abs() * unit > 0.5;
        if change.abs() <= SHORT {
            return ([0.5 * (start.0 + end.0), 0.5 * end.1, end.1 * unit, 0.0, end.0, end.1], crosses);
        }
        let (mean, secant) = (self.work(from, to) / change, (end.0 - start.0) / change);
        let (slope, secant_slope) = ((end.0 - mean) / change, (end.1 - secant) / change);
        ([mean, slope, secant * unit, secant_slope * unit, end.0, end.1], crosses)
    }
}

/// Change of strain up to which a table counts as straight: its means would lose too many digits by
/// the division.
const SHORT: f64 = 1e-8;

/// The memories y of two segments with a table, as the stiffness of the step leaves them, and their
/// derivatives by the strain at the end.
#[inline(never)]
fn scaled_memories(memories: &[Memory], stiffest: f64, means: &Means) -> (Two, Two) {
    let (secants, slopes) = (means.secant.to_array(), means.secant_slope.to_array());
    let (mut scaled, mut by_strain) = ([0.0; 2], [0.0; 2]);
    for (lane, memory) in memories.iter().enumerate() {
        let kappa = stiffest * secants[lane];
        scaled[lane] = memory.y;
        if memory.kappa < kappa {
            scaled[lane] *= (memory.kappa / kappa).sqrt();
            by_strain[lane] = -0.5 * scaled[lane] * slopes[lane] / secants[lane];
        }
    }
    (Two::new(scaled), Two::new(by_strain))
}

impl Sweep<'_> {
    /// The segments from nodes j and j + 1 to the next ones over the step: as `Sweep::segments`,
    /// but the forces are whole, and only their tangents are multiplied by the share that the end
    /// of the step has of them.
    #[inline(always)]
    pub(super) fn segments_over<const WANTED: u8>(&self, over: &Over, j: usize, out: &mut Evaluation) -> Sides {
        let n = self.chain.segments;
        let (form, [next, last]) = (over.form, [(j + 1).min(n), (j + 2).min(n)]);
        let chord_of = |x: &[Vec3]| Vectors::new(&x[next], &x[last]) - Vectors::new(&x[j], &x[next]);
        let (chord, chord_before) = (chord_of(self.motions.x), chord_of(over.x));
        let s = chord.dot(chord).sqrt();
        // What is beyond end B has no length, before and now.
        let strain_before = Two::new([j, j + 1].map(|k| over.strains.get(k).copied().unwrap_or(-1.0)));
        let y_before = Two::new([j, j + 1].map(|k| over.memories.get(k).map_or(0.0, |memory| memory.y)));
        let least = Two::splat(NO_LENGTH * self.l);
        let long = s.simd_gt(least);
        let t = (chord * ((Two::ONE / s) & long)).or(long, Vectors::both(&NO_DIRECTION));
        let sum = s + chord_before.dot(chord_before).sqrt();
        let has_direction = sum.simd_gt(least);
        let over_sum = (Two::ONE / sum) & has_direction;
        let direction = ((chord + chord_before) * over_sum).or(has_direction, Vectors::both(&NO_DIRECTION));

        let (inverse, axial) = (Two::splat(self.inverse), &self.chain.axial);
        let strain = s * inverse - Two::ONE;
        let stretch = strain - strain_before;
        let means = match &self.pairs {
            Some(pairs) => self.viscoelastic_means(pairs, j, [strain_before, strain], form.h, out),
            None => axial.means(strain_before, strain),
        };
        let backward = Two::splat(form.backward);
        let mut tension = means.tension + backward * (means.end[0] - means.tension);
        let mut slope = means.slope + backward * (means.end[1] - means.slope);
        // The damper has the rate of the step: it dissipates at every step.
        let per_step = Two::splat(1.0 / form.h);
        let (damping, ba) = match &self.pairs {
            // Their dashpots are in the means.
            Some(_) => (Two::ZERO, Two::ZERO),
            None => axial.dampings(stretch * per_step, self.damping),
        };
        // Numerical dissipation, y a strain here.
        let (y_before, by_strain) = match axial.linear() {
            Some(_) => (y_before, Two::ZERO),
            None => scaled_memories(over.memories.get(j..(j + 2).min(n)).unwrap_or(&[]), axial.stiffest(), &means),
        };
        let y = Two::splat(form.drive) * stretch - Two::splat(form.decay) * y_before;
        let (ea, change) = (Two::splat(axial.stiffest()), y - y_before);
        let drive = Two::splat(form.drive) - Two::splat(1.0 + form.decay) * by_strain;
        let dissipation = Two::splat(form.dissipation) * ea;
        tension = tension + damping + dissipation * means.secant * change;
        slope = slope + ba * per_step + dissipation * (means.secant * drive + means.secant_slope * change);

        let there = j.min(n)..(j + 2).min(n);
        let (y, kappa) = (y.to_array(), (ea * means.secant).to_array());
        for (lane, memory) in out.reached[there.clone()].iter_mut().enumerate() {
            *memory = Memory { y: y[lane], kappa: kappa[lane] };
        }
        out.crossings += means.crossings;
        put(tension, &mut out.tensions[there.clone()]);
        let (shares, cut) = self.shares([j, next, last]);
        let half = Two::splat(0.5 * self.l);
        // The energy of pressure is linear in the length: its mean is p A.
        let pull = tension - (self.chain.thrusts(j) & has_direction);
        let mut sides = Sides { chord, force: direction * pull, tangent: Matrices::ZERO, half, shares, cut };
        if WANTED >= TANGENTS {
            // t* t1^T (dH - H/(s1 + s0)) + I H/(s1 + s0), H t* the force, p A in H.
            let factor = Two::splat(form.share * self.factors.stiffness);
            let across = factor * pull * over_sum;
            sides.tangent = Matrices::dyad(direction, t * (factor * slope * inverse - across), across);
            // All of a damper is in K.
            for end in [(j == 0).then_some(0), (j + 2 >= n).then_some(1)].into_iter().flatten() {
                out.ends[end].damping[1] = ZERO;
            }
        }
        if WANTED >= MASSES {
            let minus = -&sides.tangent;
            minus.put(&mut out.upper[there.clone()]);
            minus.put(&mut out.lower[there]);
        }
        if j + 2 > n { sides.of([j < n, false]) } else { sides }
    }

    /// The numbers of [`Means`] of two viscoelastic segments.
    #[inline(never)]
    fn viscoelastic_means(&self, pairs: &Pairs, j: usize, [from, to]: [Two; 2], h: f64, out: &mut Evaluation) -> Means {
        let (from, to, mut found, mut crossings) = (from.to_array(), to.to_array(), [[0.0; 2]; 4], 0);
        for lane in (0..2).filter(|lane| j + lane < self.chain.segments) {
            let [slow, _, largest] = self.around.slow.of(j + lane);
            let reached = pairs.step([slow, from[lane], largest], to[lane], self.around.slow.since.max(h));
            let numbers = [reached.tension.0, reached.tension.1, reached.taut.0, reached.taut.1];
            found.iter_mut().zip(numbers).for_each(|(found, number)| found[lane] = number);
            crossings += u32::from(reached.crosses);
            out.slow[j + lane] = pairs.kept((reached.slow, largest), to[lane]);
        }
        let [tension, slope, secant, secant_slope] = found.map(Two::new);
        Means { tension, slope, secant, secant_slope, end: [tension, slope], crossings }
    }

    /// Minus the forces at the end of the step on nodes i and i + 1, from those over the step.
    #[inline(always)]
    pub(super) fn forces_over(&self, over: &Over, i: usize, whole: Vectors) -> Vectors {
        let [first, second] = [i, (i + 1).min(self.chain.segments)].map(|node| Vec3::from(over.carried[node]));
        -(whole * Two::splat(over.form.share) + Vectors::new(&first, &second))
    }
}
