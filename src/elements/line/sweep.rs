//! One sweep from end A to end B: forces of segments and nodes, and their tangents, each touched once.

use super::algebra::{add_column, add_dyad, add_to_diagonal, dyad, times};
use super::chain::{Chain, NO_DIRECTION, NO_LENGTH};
use super::seabed::Seabed;
use super::water::{DRY, Wet, current, wet};
use super::{Around, EndColumns, Evaluation, Factors, Motions};
use crate::spatial::{Mat3, Vec3};

/// No tangents are wanted.
const FORCES: u8 = 0;
/// The mass matrix alone.
const MASSES: u8 = 1;
/// Everything but the derivatives by directions of tangents.
const TANGENTS: u8 = 2;
/// Everything.
const ALL: u8 = 3;

/// What a node needs of the segment on one of its sides.
#[derive(Clone, Copy)]
struct Side {
    /// From its lower to its higher node.
    chord: Vec3,
    /// Force of the segment along t.
    force: Vec3,
    /// d force / d chord.
    tangent: Mat3,
    /// Half its unstretched length.
    half: f64,
    wet: Wet,
}

/// Beyond an end.
const NOTHING: Side =
    Side { chord: Vec3::new(0.0, 0.0, 0.0), force: Vec3::new(0.0, 0.0, 0.0), tangent: ZERO, half: 0.0, wet: DRY };
const ZERO: Mat3 = Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// What is the same for all segments and nodes.
struct Sweep<'a> {
    chain: &'a Chain,
    motions: Motions<'a>,
    around: &'a Around<'a>,
    factors: Factors,
    /// Unstretched length of a segment, its inverse, and its rate.
    l: f64,
    inverse: f64,
    rate: f64,
    /// BA, where no table says.
    damping: Option<f64>,
    seabed: Option<Seabed>,
    /// Mass of water in a unit of length.
    water: f64,
    radius: f64,
}

impl Chain {
    /// Residual, tensions, forces of the ends and, where `factors` are given, blocks of the tangent.
    ///
    /// `length` is the unstretched length of the whole line now, `rate` its derivative by time. Without `factors` the blocks of
    /// `out` are left as they are; with those of damping and stiffness zero only the mass is evaluated.
    pub fn evaluate(
        &self,
        length: f64,
        rate: f64,
        motions: Motions,
        around: &Around,
        factors: Option<Factors>,
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
            seabed: Seabed::new(around.water, around.origin, self.diameter),
            water: around.water.density * self.area,
            radius: 0.5 * self.diameter,
        };
        match factors {
            None => sweep.run::<FORCES>(out),
            Some(f) if f.damping == 0.0 && f.stiffness == 0.0 => sweep.run::<MASSES>(out),
            Some(f) if f.all => sweep.run::<ALL>(out),
            Some(_) => sweep.run::<TANGENTS>(out),
        }
    }
}

impl Sweep<'_> {
    fn run<const WANTED: u8>(&self, out: &mut Evaluation) {
        let n = self.chain.segments;
        let mut left = NOTHING;
        let mut depth = self.depth(0);
        for i in 0..n {
            let next = self.depth(i + 1);
            let right = self.segment::<WANTED>(i, [depth, next], out);
            self.node::<WANTED>(i, &left, &right, out);
            left = right;
            depth = next;
        }
        self.node::<WANTED>(n, &left, &NOTHING, out);
        if WANTED >= MASSES {
            self.end_columns(out);
        }
        if self.chain.bends() {
            self.chain.bend(self.l, self.motions.x, (WANTED >= MASSES).then_some(self.factors.stiffness), out);
        } else if WANTED >= MASSES {
            out.ends[0].stiffness[2] = ZERO;
            out.ends[1].stiffness[2] = ZERO;
        }
    }

    /// Depth of a node's centre below the surface over it.
    #[inline(always)]
    fn depth(&self, node: usize) -> f64 {
        let elevation = self.around.fluid.map_or(0.0, |fluid| fluid[node].elevation);
        elevation - (self.motions.x[node].z + self.around.origin)
    }

    /// The segment from node j to the next.
    #[inline(always)]
    fn segment<const WANTED: u8>(&self, j: usize, depths: [f64; 2], out: &mut Evaluation) -> Side {
        let Motions { x, v, .. } = self.motions;
        let Factors { damping: cg, stiffness: ck, .. } = self.factors;
        let chord = x[j + 1] - x[j];
        let dv = v[j + 1] - v[j];
        let s = chord.norm_squared().sqrt();
        // What has no length has no direction: it is given one, which does not turn.
        let (t, over_s) = if s > NO_LENGTH * self.l { (chord / s, 1.0 / s) } else { (NO_DIRECTION, 0.0) };
        let sdot = t.dot(&dv);
        let strain = s * self.inverse - 1.0;
        let strain_rate = (sdot - s * self.inverse * self.rate) * self.inverse;
        let (tension, stiffness) = self.chain.axial.tension(strain);
        let (damping, ba) = self.chain.axial.damping(strain_rate, self.damping);
        let h = tension + damping;
        out.tensions[j] = h;
        let mut tangent = ZERO;
        if WANTED >= TANGENTS {
            let across = ck * h * over_s;
            let along = ((ck * (stiffness - ba * self.rate * self.inverse) + cg * ba) * self.inverse) - across;
            // t along^T + t (BA/l) ((dv - sdot t)/s)^T in one dyad.
            let turning = ck * ba * self.inverse * over_s;
            tangent = dyad(&t, &(t * (along - turning * sdot) + dv * turning));
            add_to_diagonal(&mut tangent, across);
            let minus = -tangent;
            out.upper[j] = minus;
            out.lower[j] = minus;
            // The ends want what is not K apart.
            if j == 0 {
                out.ends[0].damping[1] = dyad(&t, &(t * (-ba * self.inverse)));
            }
            if j + 1 == self.chain.segments {
                out.ends[1].damping[1] = dyad(&t, &(t * (-ba * self.inverse)));
            }
        } else if WANTED == MASSES {
            out.upper[j] = ZERO;
            out.lower[j] = ZERO;
        }
        let wet = if self.water > 0.0 { wet(depths, self.radius) } else { DRY };
        Side { chord, force: t * h, tangent, half: 0.5 * self.l, wet }
    }

    /// Node i between its two segments.
    #[inline(always)]
    fn node<const WANTED: u8>(&self, i: usize, left: &Side, right: &Side, out: &mut Evaluation) {
        let Factors { mass: cm, damping: cg, stiffness: ck, .. } = self.factors;
        let chain = self.chain;
        let (x, v, a) = (&self.motions.x[i], &self.motions.v[i], &self.motions.a[i]);
        let gravity = &self.around.gravity;
        let own = left.half + right.half;
        let mass = chain.mass * own;
        let is_end = i == 0 || i == chain.segments;
        let end = usize::from(i > 0);

        // Forces; what is in r with a minus.
        let mut forces = left.force - right.force - gravity * mass;
        let mut inertia = a * mass;
        // Blocks of M and C, then of K.
        let mut rates = ZERO;
        let mut stiffness = ZERO;
        if WANTED >= MASSES {
            add_to_diagonal(&mut rates, cm * mass);
            if is_end {
                out.ends[end].mass = ZERO;
                add_to_diagonal(&mut out.ends[end].mass, mass);
                out.ends[end].damping[0] = ZERO;
            }
        }

        let wetted = self.l * (left.wet.shares[1] + right.wet.shares[0]);
        if wetted > 0.0 {
            let chord = left.chord + right.chord;
            let squared = chord.norm_squared();
            let (q, over) = if squared > (NO_LENGTH * self.l).powi(2) {
                let over = 1.0 / squared.sqrt();
                (chord * over, over)
            } else {
                (NO_DIRECTION, 0.0)
            };
            let (mut velocity, shear) = current(self.around.water, -(x.z + self.around.origin));
            let mut fluid_acceleration = Vec3::zeros();
            if let Some(fluid) = self.around.fluid {
                velocity += Vec3::from(fluid[i].velocity);
                fluid_acceleration = Vec3::from(fluid[i].acceleration);
            }
            let rho = self.around.water.density;
            let half_rho_d = rho * self.radius * wetted;
            let (k1, k2) = (half_rho_d * chain.drag[0], std::f64::consts::PI * half_rho_d * chain.drag[1]);
            let water = self.water * wetted;
            let (across, along) = (water * chain.added[0], water * (chain.added[1] - chain.added[0]));

            let u = velocity - v;
            let sq = u.dot(&q);
            let up = u - q * sq;
            let speed = up.norm_squared().sqrt();
            let added = a * across + q * (along * q.dot(a));
            inertia += added;
            let mut wet_forces = gravity * water - up * (k1 * speed) - q * (k2 * sq.abs() * sq);
            if self.around.fluid.is_some() {
                let af = &fluid_acceleration;
                wet_forces -= af * (water + across) + q * (along * q.dot(af));
            }
            forces += wet_forces;

            if WANTED >= MASSES {
                let drag = if WANTED >= TANGENTS { k1 * speed } else { 0.0 };
                add_to_diagonal(&mut rates, cm * across + cg * drag);
                let mut beta = cm * along;
                if WANTED >= TANGENTS {
                    beta += cg * (2.0 * k2 * sq.abs() - drag);
                    if speed > 0.0 {
                        add_dyad(&mut rates, &up, &(up * (cg * k1 / speed)));
                    }
                }
                add_dyad(&mut rates, &q, &(q * beta));
                if is_end {
                    let EndColumns { mass, damping, .. } = &mut out.ends[end];
                    add_to_diagonal(mass, across);
                    add_dyad(mass, &q, &(q * along));
                    if WANTED >= TANGENTS {
                        add_to_diagonal(&mut damping[0], drag);
                        add_dyad(&mut damping[0], &q, &(q * (2.0 * k2 * sq.abs() - drag)));
                        if speed > 0.0 {
                            add_dyad(&mut damping[0], &up, &(up * (k1 / speed)));
                        }
                    }
                }
            }
            if WANTED >= TANGENTS {
                if let Some(slope) = shear {
                    // C times how the current changes upwards.
                    let across = slope - q * q.dot(&slope);
                    let turned = if speed > 0.0 { up * (k1 * up.dot(&slope) / speed) } else { Vec3::zeros() };
                    let change = across * (k1 * speed) + turned + q * (2.0 * k2 * sq.abs() * q.dot(&slope));
                    add_column(&mut stiffness, 2, &(change * ck));
                }
                if left.wet.slopes.is_some() || right.wet.slopes.is_some() {
                    let per_length = (added + wet_forces) * (ck * self.l / wetted);
                    self.surface(i, left, right, &per_length, &mut stiffness, out);
                }
            }
            if WANTED == ALL {
                let relative = a - fluid_acceleration;
                let mut by_q = dyad(&q, &(relative * along));
                add_to_diagonal(&mut by_q, along * q.dot(&relative));
                let mut around_q = dyad(&q, &u);
                add_to_diagonal(&mut around_q, sq);
                if speed > 0.0 {
                    let mut magnitude = dyad(&up, &(up / speed));
                    add_to_diagonal(&mut magnitude, speed);
                    by_q += times(&magnitude, &around_q) * k1;
                }
                add_dyad(&mut by_q, &q, &(u * (-2.0 * k2 * sq.abs())));
                add_to_diagonal(&mut by_q, -k2 * sq.abs() * sq);
                let mut projector = dyad(&q, &(q * -over));
                add_to_diagonal(&mut projector, over);
                let by_chord = times(&by_q, &projector) * ck;
                if i < chain.segments {
                    out.upper[i] += by_chord;
                } else {
                    stiffness += by_chord;
                }
                if i > 0 {
                    out.lower[i - 1] -= by_chord;
                } else {
                    stiffness -= by_chord;
                }
            }
        }

        if let Some(bed) = &self.seabed {
            let penetration = bed.penetration(x.z);
            if penetration > 0.0 {
                let area = chain.diameter * own;
                if let Some(contact) = bed.contact(penetration, v.z) {
                    forces.z -= contact.pressure * area;
                    if WANTED >= TANGENTS {
                        stiffness[(2, 2)] += ck * contact.stiffness * area;
                        rates[(2, 2)] += cg * contact.damping * area;
                        if is_end {
                            out.ends[end].damping[0][(2, 2)] += contact.damping * area;
                        }
                    }
                    if bed.holds() {
                        let stick = &self.around.sticks[i];
                        if WANTED >= TANGENTS {
                            let (r, k, c) = bed.friction_tangent(x, stick, &contact, area);
                            forces += r;
                            stiffness += k * ck;
                            rates += c * cg;
                            if is_end {
                                out.ends[end].damping[0] += c;
                            }
                        } else {
                            forces += bed.friction(x, stick, contact.pressure, area);
                        }
                    }
                }
            }
        }

        out.residual[i] = forces + inertia;
        if WANTED >= TANGENTS {
            out.diagonal[i] = left.tangent + right.tangent + stiffness + rates;
        } else if WANTED == MASSES {
            out.diagonal[i] = rates;
        }
        if is_end {
            out.end_forces[end] = -forces;
            if WANTED >= MASSES {
                out.ends[end].rates[0] = rates;
            }
        }
    }

    /// How the wet length of a node changes with the heights of its neighbours, where the surface cuts its segments.
    #[cold]
    fn surface(&self, i: usize, left: &Side, right: &Side, per_length: &Vec3, own: &mut Mat3, out: &mut Evaluation) {
        // Depths fall as heights rise.
        if let Some(slopes) = left.wet.slopes {
            add_column(&mut out.lower[i - 1], 2, &(per_length * -slopes[1][0]));
            add_column(own, 2, &(per_length * -slopes[1][1]));
        }
        if let Some(slopes) = right.wet.slopes {
            add_column(own, 2, &(per_length * -slopes[0][0]));
            add_column(&mut out.upper[i], 2, &(per_length * -slopes[0][1]));
        }
    }

    /// The columns of the ends with K apart from the rest; the rest of their own blocks and that of the neighbours is
    /// known, and K is what remains.
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
