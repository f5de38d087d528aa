//! One sweep from end A to end B: forces of segments and nodes, and their tangents, two of each at
//! a time.
//!
//! Nodes i and i + 1 are evaluated with the segments that begin at them, a lane for each; those
//! that end at them are the same segments one lane later. What few nodes have (friction, the slope
//! of a current, a surface that cuts, derivatives by the directions of tangents) is added to each
//! by itself, in `corrections`.

use super::algebra::dyad;
use super::chain::{Chain, NO_DIRECTION, NO_LENGTH};
use super::lanes::{Matrices, Two, Vectors, after, count, put};
use super::pair::{Pair, Wetted};
use super::seabed::{Contacts, Seabed};
use super::viscoelastic::Pairs;
use super::water::{current, wet};
use super::{Around, Evaluation, Factors, Motions, Over};
use crate::spatial::{Mat3, Vec3};

/// No tangents are wanted.
pub(super) const FORCES: u8 = 0;
/// The mass matrix alone.
pub(super) const MASSES: u8 = 1;
/// Everything; the derivatives by directions of tangents where factors ask for them.
pub(super) const TANGENTS: u8 = 2;

pub(super) const ZERO: Mat3 = Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// What two nodes need of the segments on one of their sides.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    /// From the lower to the higher node.
    pub(super) chord: Vectors,
    /// Force of the segment along t.
    pub(super) force: Vectors,
    /// d force / d chord.
    pub(super) tangent: Matrices,
    /// Half its unstretched length.
    pub(super) half: Two,
    /// Submerged share of the segment that its lower node carries, and its higher one.
    pub(super) shares: [Two; 2],
    /// Whether one of them is not wholly under water.
    pub(super) cut: bool,
}

/// Neither added.
const NO_DYAD: (Two, Vectors) = (Two::ZERO, Vectors::ZERO);

/// Beyond an end.
const NOTHING: Sides = Sides {
    chord: Vectors::ZERO,
    force: Vectors::ZERO,
    tangent: Matrices::ZERO,
    half: Two::ZERO,
    shares: [Two::ZERO; 2],
    cut: false,
};

impl Sides {
    /// Only the segments that are there.
    pub(super) fn of(self, are_there: [bool; 2]) -> Sides {
        let mask = Two::new(are_there.map(|is_there| f64::from_bits(if is_there { u64::MAX } else { 0 })));
        Sides {
            chord: self.chord.or(mask, Vectors::ZERO),
            force: self.force.or(mask, Vectors::ZERO),
            tangent: self.tangent.masked(mask),
            half: self.half & mask,
            shares: self.shares.map(|share| share & mask),
            cut: self.cut,
        }
    }
}

/// What is the same for all segments and nodes.
pub(super) struct Sweep<'a> {
    pub(super) chain: &'a Chain,
    pub(super) motions: Motions<'a>,
    pub(super) around: &'a Around<'a>,
    pub(super) factors: Factors,
    /// Unstretched length of a segment, its inverse, and its rate.
    pub(super) l: f64,
    pub(super) inverse: f64,
    pub(super) rate: f64,
    /// BA, where no table says.
    pub(super) damping: Option<f64>,
    /// Of viscoelastic segments.
    pub(super) pairs: Option<Pairs<'a>>,
    pub(super) seabed: Option<Seabed<'a>>,
    /// Mass of water in a unit of length.
    water: f64,
}

impl Chain {
    /// Residual, tensions, forces of the ends and, where `factors` are given, blocks of the
    /// tangent.
    ///
    /// `length` is the unstretched length of the whole line now, `rate` its derivative by time.
    /// Without `factors` the blocks of `out` are left as they are; with those of damping and
    /// stiffness zero only the mass is evaluated. With `over`, segments and seabed have the forces
    /// of a step that ends here.
    pub fn evaluate(
        &self,
        (length, rate): (f64, f64),
        motions: Motions,
        around: &Around,
        factors: Option<Factors>,
        over: Option<&Over>,
        out: &mut Evaluation,
    ) {
        let n = self.segments as f64;
        let l = length / n;
        let none = Factors { mass: 0.0, damping: 0.0, stiffness: 0.0, all: false };
        let sweep = Sweep {
            chain: self,
            motions,
            around,
            factors: factors.unwrap_or(none),
            l,
            inverse: 1.0 / l,
            rate: rate / n,
            damping: self.axial.damping_constant(self.mass, l),
            pairs: self.axial.pairs(self.mass, l),
            seabed: Seabed::new(around.water, around.origin, self.diameter),
            water: around.water.density * self.area,
        };
        match factors {
            None => sweep.run::<FORCES>(over, out),
            Some(f) if f.damping == 0.0 && f.stiffness == 0.0 => sweep.run::<MASSES>(None, out),
            Some(_) => sweep.run::<TANGENTS>(over, out),
        }
    }
}

impl Sweep<'_> {
    fn run<const WANTED: u8>(&self, over: Option<&Over>, out: &mut Evaluation) {
        let n = self.chain.segments;
        (out.crossings, out.landings) = (0, 0);
        let mut before = NOTHING;
        let mut i = 0;
        while i <= n {
            let right = match over {
                Some(over) => self.segments_over::<WANTED>(over, i, out),
                None => self.segments::<WANTED>(i, out),
            };
            self.nodes::<WANTED>(i, &before, &right, over, out);
            before = right;
            i += 2;
        }
        if WANTED >= MASSES {
            self.end_columns(out);
        }
        let stiffness = (WANTED >= MASSES).then_some(self.factors.stiffness);
        if self.chain.bends() {
            self.chain.bend(self.l, &self.motions, stiffness, over, out);
        } else {
            for end in &mut out.ends {
                end.clamp = None;
                if WANTED >= MASSES {
                    end.stiffness[2] = ZERO;
                }
            }
        }
    }

    /// Depth of a node's centre below the surface over it.
    #[inline(always)]
    pub(super) fn depth(&self, node: usize) -> f64 {
        let elevation = self.around.fluid.map_or(0.0, |fluid| fluid[node].elevation);
        elevation - (self.motions.x[node].z + self.around.origin.z)
    }

    /// The segments from nodes j and j + 1 to the next ones; beyond end B there is nothing.
    #[inline(always)]
    fn segments<const WANTED: u8>(&self, j: usize, out: &mut Evaluation) -> Sides {
        let n = self.chain.segments;
        let Motions { x, v, .. } = self.motions;
        let Factors { damping: cg, stiffness: ck, .. } = self.factors;
        let (next, last) = ((j + 1).min(n), (j + 2).min(n));
        let chord = Vectors::new(&x[next], &x[last]) - Vectors::new(&x[j], &x[next]);
        let dv = Vectors::new(&v[next], &v[last]) - Vectors::new(&v[j], &v[next]);
        let s = chord.dot(chord).sqrt();
        // What has no length has no direction: it is given one, which does not turn.
        let long = s.simd_gt(Two::splat(NO_LENGTH * self.l));
        let over_s = (Two::ONE / s) & long;
        let t = (chord * over_s).or(long, Vectors::both(&NO_DIRECTION));
        let sdot = t.dot(dv);
        let (inverse, rate) = (Two::splat(self.inverse), Two::splat(self.rate));
        let strain = s * inverse - Two::ONE;
        let strain_rate = (sdot - s * inverse * rate) * inverse;
        let (h, stiffness, ba) = if let Some(pairs) = &self.pairs {
            self.viscoelastic(pairs, j, [strain, strain_rate], out)
        } else {
            let (tension, stiffness) = self.chain.axial.tensions(strain);
            let (damping, ba) = self.chain.axial.dampings(strain_rate, self.damping);
            (tension + damping, stiffness, ba)
        };
        let (shares, cut) = self.shares([j, next, last]);
        // What is without length has no pressure, either.
        let pull = h - (self.chain.thrusts(j) & long);
        let mut sides =
            Sides { chord, force: t * pull, tangent: Matrices::ZERO, half: Two::splat(0.5 * self.l), shares, cut };
        if WANTED >= TANGENTS {
            let (ck, cg) = (Two::splat(ck), Two::splat(cg));
            let across = ck * pull * over_s;
            let along = (ck * (stiffness - ba * rate * inverse) + cg * ba) * inverse - across;
            // t along^T + t (BA/l) ((dv - sdot t)/s)^T in one dyad.
            let turning = ck * ba * inverse * over_s;
            sides.tangent = Matrices::dyad(t, t * (along - turning * sdot) + dv * turning, across);
            if j == 0 || j + 2 >= n {
                self.end_damping(j, t, ba, out);
            }
        }
        let there = j.min(n)..(j + 2).min(n);
        put(h, &mut out.tensions[there.clone()]);
        if WANTED >= MASSES {
            let minus = -&sides.tangent;
            minus.put(&mut out.upper[there.clone()]);
            minus.put(&mut out.lower[there]);
        }
        if j + 2 > n { sides.of([j < n, false]) } else { sides }
    }

    /// Tensions of two viscoelastic segments, and their derivatives by strain and rate.
    #[inline(never)]
    fn viscoelastic(&self, pairs: &Pairs, j: usize, [strain, rate]: [Two; 2], out: &mut Evaluation) -> (Two, Two, Two) {
        let (strain, rate, mut found) = (strain.to_array(), rate.to_array(), [[0.0; 2]; 3]);
        for lane in (0..2).filter(|lane| j + lane < self.chain.segments) {
            let slow = pairs.slow(&self.around.slow, j + lane, strain[lane]);
            let (tension, by_rate) = pairs.now(slow, strain[lane], rate[lane]);
            [found[0][lane], found[1][lane], found[2][lane]] = [tension.0, tension.1, by_rate];
            out.slow[j + lane] = pairs.kept(slow, strain[lane]);
        }
        let [tension, stiffness, by_rate] = found.map(Two::new);
        (tension, stiffness, by_rate)
    }

    /// The ends want of their segments what is not K apart.
    #[inline(never)]
    fn end_damping(&self, j: usize, t: Vectors, ba: Two, out: &mut Evaluation) {
        let n = self.chain.segments;
        let of = |lane: usize| dyad(&t.lane(lane), &(t.lane(lane) * (-ba.to_array()[lane] * self.inverse)));
        if j == 0 {
            out.ends[0].damping[1] = of(0);
        }
        if j < n && n <= j + 2 {
            out.ends[1].damping[1] = of(n - 1 - j);
        }
    }

    /// Submerged shares of the segments between three nodes, of which each segment's lower node
    /// carries the first and its higher one the second; whether they are not wholly under water.
    #[inline(always)]
    pub(super) fn shares(&self, nodes: [usize; 3]) -> ([Two; 2], bool) {
        if self.water == 0.0 {
            return ([Two::ZERO; 2], false);
        }
        let depths = [self.depth(nodes[0]), self.depth(nodes[1]), self.depth(nodes[2])];
        let reach = self.chain.surfacing;
        if depths[0] >= reach && depths[1] >= reach && depths[2] >= reach {
            return ([Two::HALF; 2], false);
        }
        let [first, second] = [[depths[0], depths[1]], [depths[1], depths[2]]].map(|ends| wet(ends, reach).shares);
        ([Two::new([first[0], second[0]]), Two::new([first[1], second[1]])], true)
    }

    /// Nodes i and i + 1; `before`: the segments from nodes i - 2 and i - 1, `right`: those from i
    /// and i + 1.
    #[inline(always)]
    fn nodes<const WANTED: u8>(
        &self,
        i: usize,
        before: &Sides,
        right: &Sides,
        over: Option<&Over>,
        out: &mut Evaluation,
    ) {
        let Factors { mass: cm, damping: cg, stiffness: ck, .. } = self.factors;
        let chain = self.chain;
        let n = chain.segments;
        let other = (i + 1).min(n);
        let both = |rows: &[Vec3]| Vectors::new(&rows[i], &rows[other]);
        let (v, a) = (both(self.motions.v), both(self.motions.a));
        let gravity = Vectors::both(&self.around.gravity);
        let own = after(before.half, right.half) + right.half;
        let mass = own * Two::splat(chain.mass);

        // Forces; what is in r with a minus.
        let of_segments = Vectors::after(before.force, right.force) - right.force;
        let mut forces = match over {
            None => of_segments - gravity * mass,
            // With those of the bed below.
            Some(_) => -gravity * mass,
        };
        let mut inertia = a * mass;
        let (mut rates, found);

        let wetted = (after(before.shares[1], right.shares[1]) + right.shares[0]) * Two::splat(self.l);
        if wetted.simd_gt(Two::ZERO).any() {
            let chord = Vectors::after(before.chord, right.chord) + right.chord;
            let squared = chord.dot(chord);
            let long = squared.simd_gt(Two::splat((NO_LENGTH * self.l).powi(2)));
            let over = (Two::ONE / squared.sqrt()) & long;
            let q = (chord * over).or(long, Vectors::both(&NO_DIRECTION));
            let half_rho_d = wetted * Two::splat(self.around.water.density * 0.5 * chain.diameter);
            let k1 = half_rho_d * Two::splat(chain.drag[0]);
            let k2 = half_rho_d * Two::splat(std::f64::consts::PI * chain.drag[1]);
            let water = wetted * Two::splat(self.water);
            let across = water * Two::splat(chain.added[0]);
            let along = water * Two::splat(chain.added[1] - chain.added[0]);

            let u = self.velocities([i, other]) - v;
            let sq = u.dot(q);
            let up = u - q * sq;
            let speed = up.dot(up).sqrt();
            let added = a * across + q * (along * q.dot(a));
            inertia = inertia + added;
            let axial = k2 * sq.abs();
            let mut wet_forces = gravity * water - up * (k1 * speed) - q * (axial * sq);
            if let Some(fluid) = self.around.fluid {
                let [first, second] = [i, other].map(|node| Vec3::from(fluid[node].acceleration));
                let af = Vectors::new(&first, &second);
                wet_forces = wet_forces - (af * (water + across) + q * (along * q.dot(af)));
            }
            forces = forces + wet_forces;
            let all = wet_forces + added;
            found = Wetted { is_wet: true, wetted, q, over, u, sq, up, speed, k1, k2, across, along, all };
            if WANTED >= TANGENTS {
                let (cm, cg) = (Two::splat(cm), Two::splat(cg));
                let drag = k1 * speed;
                let beta = cm * along + cg * (axial + axial - drag);
                let turned = cg * found.k1_over_speed();
                rates = Matrices::symmetric(cm * (mass + across) + cg * drag, (beta, q), (turned, up));
            } else {
                let cm = Two::splat(cm);
                rates = Matrices::symmetric(cm * (mass + across), (cm * along, q), NO_DYAD);
            }
        } else {
            rates = Matrices::symmetric(mass * Two::splat(cm), NO_DYAD, NO_DYAD);
            found = Wetted::NONE;
        }

        let mut stiffness = Two::ZERO;
        let mut contacts = Contacts::NONE;
        let mut whole = -of_segments;
        let mut slopes = [None; 2];
        if let Some(bed) = self.seabed.as_ref().filter(|bed| bed.has_grid()) {
            slopes = self.slopes(bed, [i, other], own, over);
            out.landings += slopes.iter().take(n + 1 - i).flatten().map(|push| u32::from(push.lands)).sum::<u32>();
            let pushes = slopes.map(|push| push.map_or(Vec3::zeros(), |push| push.force));
            let push = Vectors::new(&pushes[0], &pushes[1]);
            whole = whole + push;
            if over.is_none() {
                forces = forces - push;
            }
            if bed.holds() {
                contacts = self.slope_contacts(bed, [i, other]);
            }
        } else if let Some(bed) = &self.seabed {
            let area = own * Two::splat(chain.diameter);
            let penetration = bed.penetrations(Two::new([self.motions.x[i].z, self.motions.x[other].z]));
            if let Some(over) = over {
                let from = bed.penetrations(Two::new([over.x[i].z, over.x[other].z]));
                let lands = penetration.simd_gt(Two::ZERO) ^ from.simd_gt(Two::ZERO);
                out.landings += count(lands, n + 1 - i);
                if penetration.fast_max(from).simd_gt(Two::ZERO).any() {
                    let contacts = bed.contacts_over(from, penetration, over.form.h);
                    whole.z += contacts.pressure * area;
                    stiffness = Two::splat(ck * over.form.share) * contacts.stiffness * area;
                }
            }
            if penetration.simd_gt(Two::ZERO).any() && (over.is_none() || bed.holds()) {
                contacts = bed.contacts(penetration, v.z);
                if over.is_none() {
                    whole.z += contacts.pressure * area;
                    forces.z -= contacts.pressure * area;
                    if WANTED >= TANGENTS {
                        stiffness = Two::splat(ck) * contacts.stiffness * area;
                        rates.add_upright(Two::splat(cg) * contacts.damping * area);
                    }
                }
            }
        }
        if let Some(over) = over {
            forces = forces + self.forces_over(over, i, whole);
        }
        whole.put(&mut out.effective[i..(i + 2).min(n + 1)]);

        let there = i..(i + 2).min(n + 1);
        (forces + inertia).put(&mut out.residual[there.clone()]);
        if WANTED >= MASSES {
            let mut sum = &(&Matrices::after(&before.tangent, &right.tangent) + &right.tangent) + &rates;
            sum.add_upright(stiffness);
            sum.put(&mut out.diagonal[there.clone()]);
        }
        if i == 0 || i + 2 > n {
            let is_level = over.is_none() && slopes == [None; 2];
            let own_contacts = if is_level { contacts } else { Contacts::NONE };
            let pair = Pair { nodes: there.clone(), forces, own, mass, rates, contacts: own_contacts, found };
            self.end::<WANTED>(&pair, out);
        }
        let all = self.factors.all;
        let rare = all || before.cut || right.cut || !self.around.water.current.is_empty();
        if WANTED >= TANGENTS && rare && found.is_wet {
            self.correct(all, there.clone(), &found, out);
        }
        if WANTED >= TANGENTS && slopes != [None; 2] {
            self.add_slopes(&slopes, there.clone(), over.map_or(1.0, |over| over.form.share), out);
        }
        if self.around.water.friction > 0.0 && contacts.pressure.simd_gt(Two::ZERO).any() {
            self.hold(WANTED >= TANGENTS, there, own, &contacts, out);
        }
    }

    /// Velocities of the water at two nodes.
    #[inline(always)]
    fn velocities(&self, nodes: [usize; 2]) -> Vectors {
        let mut velocities = Vectors::ZERO;
        if !self.around.water.current.is_empty() {
            let at = |node: usize| current(self.around.water, -(self.motions.x[node].z + self.around.origin.z)).0;
            velocities = Vectors::new(&at(nodes[0]), &at(nodes[1]));
        }
        if let Some(fluid) = self.around.fluid {
            let [first, second] = nodes.map(|node| Vec3::from(fluid[node].velocity));
            velocities = velocities + Vectors::new(&first, &second);
        }
        velocities
    }

    /// The columns of the ends with K apart from the rest; the rest of their own blocks and that of
    /// the neighbours is known, and K is what remains.
    fn end_columns(&self, out: &mut Evaluation) {
        let n = self.chain.segments;
        let masses_only = self.factors.damping == 0.0 && self.factors.stiffness == 0.0;
        for (end, (node, neighbour)) in [(0, (0, 0)), (1, (n, n - 1))] {
            let columns = &mut out.ends[end];
            let beside = if end == 0 { &out.lower[neighbour] } else { &out.upper[neighbour] };
            if masses_only {
                columns.damping[1] = ZERO;
            }
            columns.damping[0] -= columns.damping[1];
            columns.rates[1] = columns.damping[1] * self.factors.damping;
            columns.rates[2] = ZERO;
            columns.rates[0] -= columns.rates[1];
            columns.stiffness[0] = out.diagonal[node] - columns.rates[0];
            columns.stiffness[1] = beside - columns.rates[1];
        }
    }
}
