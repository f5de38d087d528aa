//! Arms from the points that are integrated to the reference points of the host, of all bodies: what getters of many bodies add to
//! the numbers of a state, four bodies at a time. The operations are those of the getter of one body (`References::pose`,
//! `velocity`, `state`) in the same order, so that the numbers are the same. (Only a zero may lose its sign where
//! a body without an arm stands among others.)

use super::motion::State;
use super::reference::FARTHEST;
use super::views::References;
use crate::linear::{Lanes, WorkInLanes, run_in_lanes};
use crate::spatial::Vec3;

/// Bodies side by side.
const LANES: usize = 4;

/// Above this, products of velocities and arms could be too large for a double.
const MODERATE: f64 = 1e90;

/// Arms in body axes.
#[derive(Clone, Default)]
pub struct Arms {
    /// Of four bodies each: twice x, y, z of their arms, and these themselves. Empty where no body has one.
    fours: Vec<[[f64; LANES]; 6]>,
    largest: f64,
}

impl Arms {
    /// Of the bodies in turn.
    pub fn new(arms: impl ExactSizeIterator<Item = Vec3>) -> Arms {
        let count = arms.len();
        let (mut fours, mut largest) = (Vec::new(), 0.0_f64);
        for (body, arm) in arms.enumerate().filter(|(_, arm)| *arm != Vec3::zeros()) {
            fours.resize(count.div_ceil(LANES), [[0.0; LANES]; 6]);
            for (k, x) in arm.iter().enumerate() {
                let four: &mut [[f64; LANES]; 6] = &mut fours[body / LANES];
                (four[k][body % LANES], four[k + 3][body % LANES]) = (x + x, *x);
            }
            largest = largest.max(arm.amax());
        }
        Arms { fours, largest }
    }

    /// Whether any body moves about another point than its reference point.
    #[inline]
    pub fn any(&self) -> bool {
        !self.fours.is_empty()
    }
}

/// Whether the squares of all numbers have a moderate sum: then so are the numbers. In lanes that do not wait for each other.
fn are_moderate(numbers: &[[f64; 6]]) -> bool {
    let mut lanes = [0.0; 8];
    let (parts, rest) = numbers.as_flattened().as_chunks::<8>();
    for part in parts {
        lanes.iter_mut().zip(part).for_each(|(sum, x)| *sum += x * x);
    }
    lanes.iter().chain([&rest.iter().map(|x| x * x).sum()]).sum::<f64>() < MODERATE * MODERATE
}

impl References<'_> {
    /// Poses of the reference points of as many bodies as are divisible by four: how many, none where they have no arms or the
    /// numbers are too large to be sure of the sums.
    pub fn poses(self, state: &State, poses: &mut [[f64; 7]]) -> usize {
        if !(self.0.arms.largest < FARTHEST && self.origin().amax() < FARTHEST) {
            return 0;
        }
        let Some(arms) = self.0.arms.fours.get(..poses.len() / LANES) else { return 0 };
        let places = self.0.layout.split_places(&state.q).0;
        run_in_lanes(Poses { arms, places, origin: (*self.origin()).into(), poses });
        arms.len() * LANES
    }

    /// The same of velocities.
    pub fn velocities(self, state: &State, velocities: &mut [[f64; 6]]) -> usize {
        let rates = self.0.layout.split(&state.v).0;
        let Some(arms) = self.moderate_arms(velocities.len(), [rates, &[]]) else { return 0 };
        let places = self.0.layout.split_places(&state.q).0;
        run_in_lanes(Velocities { arms, places, rates, velocities });
        arms.len() * LANES
    }

    /// The same of accelerations.
    pub fn accelerations(self, state: &State, accelerations: &mut [[f64; 6]]) -> usize {
        let (v, vdot) = (self.0.layout.split(&state.v).0, self.0.layout.split(&state.vdot).0);
        let Some(arms) = self.moderate_arms(accelerations.len(), [v, vdot]) else { return 0 };
        let places = self.0.layout.split_places(&state.q).0;
        run_in_lanes(Accelerations { arms, places, v, vdot, accelerations });
        arms.len() * LANES
    }

    fn moderate_arms(&self, count: usize, rates: [&[[f64; 6]]; 2]) -> Option<&[[[f64; LANES]; 6]]> {
        let is_moderate = self.0.arms.largest < MODERATE && rates.into_iter().all(are_moderate);
        self.0.arms.fours.get(..count / LANES).filter(|_| is_moderate)
    }
}

// ---- The loops -------------------------------------------------------------------------------------------------------

/// Two neighbouring numbers of four rows.
#[inline(always)]
fn columns<L: Lanes, const N: usize>(lanes: L, rows: &[[f64; N]; LANES], k: usize) -> [L::Four; 2] {
    lanes.columns([0, 1, 2, 3].map(|lane| [rows[lane][k], rows[lane][k + 1]]))
}

#[inline(always)]
fn put<L: Lanes, const N: usize>(lanes: L, rows: &mut [[f64; N]; LANES], k: usize, columns: [L::Four; 2]) {
    for (row, two) in rows.iter_mut().zip(lanes.rows(columns)) {
        row[k..k + 2].copy_from_slice(&two);
    }
}

/// Linear and angular part of four rows.
#[inline(always)]
fn parts<L: Lanes>(lanes: L, rows: &[[f64; 6]; LANES]) -> [[L::Four; 3]; 2] {
    let ([a, b], [c, d], [e, f]) = (columns(lanes, rows, 0), columns(lanes, rows, 2), columns(lanes, rows, 4));
    [[a, b, c], [d, e, f]]
}

#[inline(always)]
fn put_parts<L: Lanes>(lanes: L, rows: &mut [[f64; 6]; LANES], [[a, b, c], [d, e, f]]: [[L::Four; 3]; 2]) {
    put(lanes, rows, 0, [a, b]);
    put(lanes, rows, 2, [c, d]);
    put(lanes, rows, 4, [e, f]);
}

#[inline(always)]
fn sum<L: Lanes>(lanes: L, a: [L::Four; 3], b: [L::Four; 3]) -> [L::Four; 3] {
    [lanes.plus(a[0], b[0]), lanes.plus(a[1], b[1]), lanes.plus(a[2], b[2])]
}

#[inline(always)]
fn cross<L: Lanes>(lanes: L, a: [L::Four; 3], b: [L::Four; 3]) -> [L::Four; 3] {
    let entry = |j: usize, k: usize| lanes.minus(lanes.times(a[j], b[k]), lanes.times(a[k], b[j]));
    [entry(1, 2), entry(2, 0), entry(0, 1)]
}

/// Arms in inertial axes, as `rotation::rotate` has them.
#[inline(always)]
fn turned<L: Lanes>(lanes: L, arms: &[[f64; LANES]; 6], q: [L::Four; 3], w: L::Four) -> [L::Four; 3] {
    let [twice, arm] = [0, 3].map(|k| [0, 1, 2].map(|i| lanes.four(arms[k + i])));
    let by_w = [lanes.times(twice[0], w), lanes.times(twice[1], w), lanes.times(twice[2], w)];
    let half_way = sum(lanes, cross(lanes, q, twice), by_w);
    sum(lanes, arm, cross(lanes, q, half_way))
}

/// The same, with rotations out of positions.
#[inline(always)]
fn arms_of<L: Lanes>(lanes: L, arms: &[[f64; LANES]; 6], places: &[[f64; 7]; LANES]) -> [L::Four; 3] {
    let ([i, j], [k, w]) = (columns(lanes, places, 3), columns(lanes, places, 5));
    turned(lanes, arms, [i, j, k], w)
}

struct Poses<'a> {
    arms: &'a [[[f64; LANES]; 6]],
    places: &'a [[f64; 7]],
    origin: [f64; 3],
    poses: &'a mut [[f64; 7]],
}

impl WorkInLanes for Poses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let origin = self.origin.map(|x| lanes.four([x; LANES]));
        let (places, poses) = (self.places.as_chunks().0, self.poses.as_chunks_mut::<LANES>().0);
        for ((arms, places), poses) in self.arms.iter().zip(places).zip(poses) {
            let ([x, y], [z, _]) = (columns(lanes, places, 0), columns(lanes, places, 2));
            let ([i, j], [k, w]) = (columns(lanes, places, 3), columns(lanes, places, 5));
            let arm = turned(lanes, arms, [i, j, k], w);
            let [x, y, z] = sum(lanes, sum(lanes, [x, y, z], arm), origin);
            let rows = lanes.rows([x, y]).into_iter().zip(lanes.rows([z, z]));
            for ((pose, place), ([x, y], [z, _])) in poses.iter_mut().zip(places).zip(rows) {
                let [_, _, _, i, j, k, w] = *place;
                *pose = [x, y, z, w, i, j, k];
            }
        }
    }
}

struct Velocities<'a> {
    arms: &'a [[[f64; LANES]; 6]],
    places: &'a [[f64; 7]],
    rates: &'a [[f64; 6]],
    velocities: &'a mut [[f64; 6]],
}

impl WorkInLanes for Velocities<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let (places, rates) = (self.places.as_chunks().0, self.rates.as_chunks().0);
        let velocities = self.velocities.as_chunks_mut().0;
        for (((arms, places), rates), velocities) in self.arms.iter().zip(places).zip(rates).zip(velocities) {
            let arm = arms_of(lanes, arms, places);
            let [v, omega] = parts(lanes, rates);
            put_parts(lanes, velocities, [sum(lanes, v, cross(lanes, omega, arm)), omega]);
        }
    }
}

struct Accelerations<'a> {
    arms: &'a [[[f64; LANES]; 6]],
    places: &'a [[f64; 7]],
    v: &'a [[f64; 6]],
    vdot: &'a [[f64; 6]],
    accelerations: &'a mut [[f64; 6]],
}

impl WorkInLanes for Accelerations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let (places, v, vdot) = (self.places.as_chunks().0, self.v.as_chunks().0, self.vdot.as_chunks().0);
        let out = self.accelerations.as_chunks_mut().0;
        for ((((arms, places), v), vdot), out) in self.arms.iter().zip(places).zip(v).zip(vdot).zip(out) {
            let arm = arms_of(lanes, arms, places);
            let ([_, omega], [vdot, omegadot]) = (parts(lanes, v), parts(lanes, vdot));
            let centripetal = cross(lanes, omega, cross(lanes, omega, arm));
            let vdot = sum(lanes, sum(lanes, vdot, cross(lanes, omegadot, arm)), centripetal);
            put_parts(lanes, out, [vdot, omegadot]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::processor::as_if_old;
    use crate::model::{Body, Model};
    use crate::spatial::noise::Noise;
    use crate::spatial::{BodyState, Pose, RigidInertia, Vec6};
    use crate::system::System;

    /// Bodies of which every third has no arm, and a state of them; `scale` is the size of its rates.
    fn moving(bodies: usize, scale: f64) -> (System, State) {
        let mut noise = Noise(1);
        let mut model = Model { origin: Vec3::new(3.0, -200.0, 0.1), ..Model::default() };
        for body in 0..bodies {
            let inertia = RigidInertia::from_com(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
            let reference = if body % 3 == 1 { Vec3::zeros() } else { noise.vec3() };
            let (pose, velocity, acceleration) = (Pose::identity(), Vec6::zeros(), Vec6::zeros());
            model.bodies.push(Body { inertia, pose, velocity, acceleration, prescribed: false, reference });
        }
        let system = System::new(&model);
        let mut state = State::new(system.layout, 0, 0);
        for body in 0..bodies {
            let Pose { position: x, rotation: q } = noise.pose();
            let [v, vdot] = [0, 1].map(|_| noise.vec6() * scale);
            state.set_body(body, &BodyState { x, q, v, vdot });
        }
        (system, state)
    }

    /// What is read of all bodies, and how many bodies of each kind of numbers were read four at a time.
    fn read(system: &System, state: &State) -> (Vec<f64>, [usize; 3]) {
        let bodies = state.bodies();
        let (mut poses, mut v, mut vdot) = (vec![[0.0; 7]; bodies], vec![[0.0; 6]; bodies], vec![[0.0; 6]; bodies]);
        let done = [
            system.references().poses(state, &mut poses),
            system.references().velocities(state, &mut v),
            system.references().accelerations(state, &mut vdot),
        ];
        ([poses.concat(), v.concat(), vdot.concat()].concat(), done)
    }

    #[test]
    fn many_at_once_are_the_same_as_one_by_one_on_both_kinds_of_processors() {
        for bodies in [1, 4, 7, 40] {
            let (system, state) = moving(bodies, 3.0);
            let whole = bodies / LANES * LANES;
            let (mut poses, mut v, mut vdot) = (vec![0.0; 7 * bodies], vec![0.0; 6 * bodies], vec![0.0; 6 * bodies]);
            for body in 0..whole {
                let one = state.body(body);
                let told = system.references().state(body, &one);
                poses[7 * body..][..7].copy_from_slice(&system.references().pose(body, &one).to_array());
                v[6 * body..][..6].copy_from_slice(told.v.as_slice());
                vdot[6 * body..][..6].copy_from_slice(told.vdot.as_slice());
                assert_eq!(system.references().velocity(body, &one), told.v);
            }
            let expected = ([poses, v, vdot].concat(), [whole; 3]);
            assert_eq!(read(&system, &state), expected);
            assert_eq!(as_if_old(|| read(&system, &state)), expected);
        }
    }

    #[test]
    fn what_may_be_too_large_is_left_to_the_check_of_one_by_one() {
        let (system, state) = moving(8, 1e120);
        let (numbers, done) = read(&system, &state);
        assert_eq!(done, [8, 0, 0]);
        assert!(numbers[7 * 8..].iter().all(|x| *x == 0.0), "something was written");
    }
}
