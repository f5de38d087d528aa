//! Tangents of a line against finite differences of its residual, at random states of every kind.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use std::sync::Arc;

use super::syrope::CURVES;
use super::{
    Around, Chain, Evaluation, Factors, Fluid, Line, LineType, Motions, Slow, Syrope, Table, Viscoelastic, Water,
};
use crate::spatial::{Mat3, Vec3};

const SEGMENTS: usize = 5;

/// Numbers in -1..1 that look random (xorshift).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(super) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * size
    }
}

/// A line in a state, and what is around it.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) line_type: LineType,
    pub(super) segments: usize,
    pub(super) length: f64,
    pub(super) rate: f64,
    pub(super) x: Vec<Vec3>,
    pub(super) v: Vec<Vec3>,
    pub(super) a: Vec<Vec3>,
    pub(super) gravity: Vec3,
    pub(super) water: Water,
    pub(super) origin: f64,
    /// x and y of the origin.
    pub(super) place: [f64; 2],
    pub(super) fluid: Option<Vec<Fluid>>,
    pub(super) sticks: Vec<[f64; 2]>,
    /// Slow strains, and how long ago.
    pub(super) slow: Vec<[f64; 3]>,
    pub(super) since: f64,
}

impl Case {
    /// Segments of 2 m from (1, 2, -20) on along a direction, stretched by a factor, with random
    /// deviations and motions.
    pub(super) fn new(random: &mut Random, direction: Vec3, stretch: f64, deviation: f64) -> Case {
        let nodes = SEGMENTS + 1;
        let step = direction.normalize() * 2.0 * stretch;
        let start = Vec3::new(1.0, 2.0, -20.0);
        let x: Vec<_> = (0..nodes).map(|i| start + step * i as f64 + random.vector(deviation)).collect();
        let line_type = LineType {
            diameter: 0.1,
            mass_per_length: 30.0,
            ea: 2e5,
            ba: 3e3,
            cdn: 1.6,
            can: 1.0,
            cdt: 0.3,
            cat: 0.4,
            ..LineType::default()
        };
        Case {
            line_type,
            segments: SEGMENTS,
            length: 2.0 * SEGMENTS as f64,
            rate: 0.0,
            sticks: x.iter().map(|x| [x.x, x.y]).collect(),
            v: (0..nodes).map(|_| random.vector(1.0)).collect(),
            a: (0..nodes).map(|_| random.vector(2.0)).collect(),
            x,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            water: Water { density: 1025.0, ..Water::default() },
            origin: 0.0,
            place: [0.0; 2],
            fluid: None,
            slow: Vec::new(),
            since: f64::INFINITY,
        }
    }

    /// Of viscoelastic segments, with random slow strains of a time before.
    pub(super) fn creeping(mut self, random: &mut Random, slope: f64, since: f64) -> Case {
        self.line_type.viscoelastic = Some(Viscoelastic { stiffness: 3e5, slope, damping: 7e2 });
        self.slow = (0..self.segments).map(|_| [0.1 * random.next(), 0.1 * random.next(), 0.0]).collect();
        self.since = since;
        self
    }

    /// Of segments with curves of Syrope, most of which have had tension.
    pub(super) fn on_curves(self, random: &mut Random, curves: Syrope, slope: f64, since: f64) -> Case {
        let mut case = self.creeping(random, slope, since);
        let table = Table { x: vec![0.0, 0.05, 0.12, 0.2], y: vec![0.0, 5e3, 1.8e4, 3.6e4] };
        let law = Viscoelastic { stiffness: 6e5, slope, damping: 7e2 };
        (case.line_type.tension, case.line_type.viscoelastic) = (Some(Arc::new(table)), Some(law));
        case.line_type.check_syrope(&law, &curves).unwrap();
        case.line_type.syrope = Some(curves);
        let chain = case.chain();
        for own in &mut case.slow {
            let largest = (1.5e4 * (1.0 + random.next())).max(0.0);
            *own = chain.with_slow_strain(own[0], own[1], largest);
        }
        case
    }

    pub(super) fn chain(&self) -> Chain {
        let line = Line { length: self.length, segments: self.segments, ..Line::default() };
        Chain::new(&line, &self.line_type)
    }

    pub(super) fn motions(&self) -> Motions<'_> {
        Motions { x: &self.x, v: &self.v, a: &self.a, axes: [None; 2] }
    }

    pub(super) fn elevation(&self, node: usize) -> f64 {
        self.fluid.as_ref().map_or(0.0, |fluid| fluid[node].elevation)
    }

    pub(super) fn around(&self) -> Around<'_> {
        Around {
            gravity: self.gravity,
            water: &self.water,
            origin: Vec3::new(self.place[0], self.place[1], self.origin),
            fluid: self.fluid.as_deref(),
            sticks: &self.sticks,
            slow: Slow { strains: &self.slow, since: self.since },
        }
    }

    pub(super) fn evaluate(&self, factors: Option<Factors>) -> Evaluation {
        let chain = self.chain();
        let mut out = Evaluation::new(self.segments, chain.bends());
        chain.evaluate((self.length, self.rate), self.motions(), &self.around(), factors, None, &mut out);
        out
    }
}

/// Which of the motions is changed.
#[derive(Clone, Copy, PartialEq, Debug)]
enum By {
    Position,
    Velocity,
    Acceleration,
}

/// Rows of blocks of the derivative of the residual, by central differences of fourth order,
/// `[row][column]`.
fn differences(case: &Case, by: By, step: f64) -> Vec<Vec<Mat3>> {
    let nodes = case.x.len();
    let mut blocks = vec![vec![Mat3::zeros(); nodes]; nodes];
    for column in 0..nodes {
        for k in 0..3 {
            let at = |moved: f64| {
                let mut case = case.clone();
                let motion = match by {
                    By::Position => &mut case.x,
                    By::Velocity => &mut case.v,
                    By::Acceleration => &mut case.a,
                };
                motion[column][k] += moved;
                case.evaluate(None).residual
            };
            let [p2, p1, m1, m2] = [2.0 * step, step, -step, -2.0 * step].map(at);
            for row in 0..nodes {
                let slope = ((p1[row] - m1[row]) * 8.0 - (p2[row] - m2[row])) / (12.0 * step);
                blocks[row][column].set_column(k, &slope);
            }
        }
    }
    blocks
}

/// The block (row, column) of an evaluation.
fn block(out: &Evaluation, row: usize, column: usize) -> Mat3 {
    match column as isize - row as isize {
        0 => out.diagonal[row],
        1 => out.upper[row],
        -1 => out.lower[column],
        2 if !out.upper_two.is_empty() => out.upper_two[row],
        -2 if !out.lower_two.is_empty() => out.lower_two[column],
        _ => Mat3::zeros(),
    }
}

/// All tangents of a case against differences, relative to the largest entry of each kind.
fn check(name: &str, case: &Case) {
    let nodes = case.x.len();
    let kinds = [
        (By::Position, Factors { mass: 0.0, damping: 0.0, stiffness: 1.0, all: true }, 2e-6),
        (By::Velocity, Factors { mass: 0.0, damping: 1.0, stiffness: 0.0, all: true }, 1e-4),
        (By::Acceleration, Factors { mass: 1.0, damping: 0.0, stiffness: 0.0, all: true }, 1e-2),
    ];
    let mut found = Vec::new();
    for (by, factors, step) in kinds {
        let wanted = differences(case, by, step);
        let scale = wanted.iter().flatten().map(|block| block.amax()).fold(0.0, f64::max);
        let out = case.evaluate(Some(factors));
        for row in 0..nodes {
            for column in 0..nodes {
                let error = (block(&out, row, column) - wanted[row][column]).amax();
                assert!(error <= 2e-7 * scale, "{name} by {by:?}: block ({row}, {column}) off by {error} of {scale}");
            }
        }
        found.push(wanted);
    }
    // Together, and the columns of the ends apart.
    let factors = Factors { mass: 0.7, damping: 1.3, stiffness: 2.1, all: true };
    let out = case.evaluate(Some(factors));
    let sum = |row: usize, column: usize| {
        (found[0][row][column] * factors.stiffness, {
            found[1][row][column] * factors.damping + found[2][row][column] * factors.mass
        })
    };
    let scale = out.diagonal.iter().map(|block| block.amax()).fold(0.0, f64::max);
    for row in 0..nodes {
        for column in 0..nodes {
            let (k, rates) = sum(row, column);
            assert!((block(&out, row, column) - k - rates).amax() <= 2e-7 * scale, "{name}: ({row}, {column})");
        }
    }
    for (end, node) in [(0, 0), (1, nodes - 1)] {
        for away in 0..nodes.min(3) {
            let row = node.abs_diff(away);
            let (k, rates) = sum(row, node);
            let columns = &out.ends[end];
            assert!((columns.stiffness[away] - k).amax() <= 2e-7 * scale, "{name}: K of end {end} at {away}");
            assert!((columns.rates[away] - rates).amax() <= 2e-7 * scale, "{name}: rates of end {end} at {away}");
            if away < 2 {
                let (c, m) = (found[1][row][node], found[2][row][node]);
                assert!((columns.damping[away] - c).amax() <= 2e-7 * scale, "{name}: C of end {end} at {away}");
                assert!(away > 0 || (columns.mass - m).amax() <= 2e-7 * scale, "{name}: M of end {end}");
            }
        }
    }
}

/// Several random states of each kind.
fn check_all(name: &str, make: impl Fn(&mut Random) -> Case) {
    for seed in 1..=8 {
        check(name, &make(&mut Random(0x9e37_79b9_7f4a_7c15 ^ (seed << 32 | seed))));
    }
}

const SLANTED: Vec3 = Vec3::new(1.0, 0.4, 0.7);
const LEVEL: Vec3 = Vec3::new(1.0, 0.3, 0.0);

#[test]
fn taut_slack_and_snapped_lines() {
    check_all("taut", |random| Case::new(random, SLANTED, 1.2, 0.1));
    check_all("slack", |random| Case::new(random, SLANTED, 0.7, 0.1));
    check_all("snapped", |random| {
        // Some segments taut, some slack, at high speed.
        let mut case = Case::new(random, SLANTED, 1.0, 0.6);
        case.v.iter_mut().for_each(|v| *v *= 20.0);
        case
    });
}

#[test]
fn winches_and_fractions_of_critical_damping() {
    check_all("winch", |random| {
        let mut case = Case::new(random, SLANTED, 1.1, 0.3);
        case.rate = -0.8;
        case.line_type.ba = -0.7;
        case
    });
}

#[test]
fn tables() {
    check_all("tables", |random| {
        let mut case = Case::new(random, SLANTED, 1.1, 0.3);
        // All strains and rates of the states are off the points of the tables.
        let table = |x: &[f64], y: &[f64]| Some(Arc::new(Table { x: x.into(), y: y.into() }));
        case.line_type.tension = table(&[0.0, 0.053, 0.12], &[0.0, 5e3, 3e4]);
        case.line_type.damping = table(&[0.11, 0.4, 1.0], &[800.0, 900.0, 2e3]);
        case.rate = 0.3;
        case
    });
}

#[test]
fn viscoelastic_lines() {
    for slope in [0.0, 0.7] {
        for since in [0.0, 1e-3, 0.02, 1e3, f64::INFINITY] {
            check_all("viscoelastic", |random| Case::new(random, SLANTED, 1.2, 0.1).creeping(random, slope, since));
            check_all("viscoelastic, snapped", |random| {
                let mut case = Case::new(random, SLANTED, 1.0, 0.6).creeping(random, slope, since);
                (case.rate, case.line_type.ba) = (-0.8, -0.7);
                case
            });
        }
    }
}

#[test]
fn lines_on_curves_of_syrope() {
    for curves in CURVES {
        for (slope, since) in
            [(0.0, 0.0), (0.7, 0.0), (0.0, 1e-3), (0.7, 0.02), (0.0, 1e3), (0.7, 1e3), (0.0, f64::INFINITY)]
        {
            check_all("syrope", |random| Case::new(random, SLANTED, 1.1, 0.1).on_curves(random, curves, slope, since));
            check_all("syrope, snapped", |random| {
                let case = Case::new(random, SLANTED, 1.0, 0.3).on_curves(random, curves, slope, since);
                Case { rate: -0.8, ..case }
            });
        }
    }
}

#[test]
fn lines_in_the_air() {
    check_all("air", |random| {
        let mut case = Case::new(random, SLANTED, 1.2, 0.1);
        case.water.density = 0.0;
        case.gravity = Vec3::new(1.0, 2.0, -9.0);
        case
    });
}

/// On the bed: nodes penetrate by a part of the smoothing depth and more.
fn grounded(random: &mut Random) -> Case {
    let mut case = Case::new(random, LEVEL, 1.01, 0.0);
    case.water.depth = 20.0;
    for i in 0..case.x.len() {
        case.x[i] += Vec3::new(0.1 * random.next(), 0.1 * random.next(), -0.06 + 0.055 * random.next());
        case.v[i] *= 0.05;
        case.sticks[i] = [case.x[i].x, case.x[i].y];
    }
    case
}

/// The same on slopes that turn: cells of some segments, whose kinks some nodes are in.
fn on_slopes(random: &mut Random) -> Case {
    let mut case = grounded(random);
    let depth = |x: f64, y: f64| 20.0 + 0.2 * x - 0.3 * y + 0.07 * (x - 3.0) * y + (x * y).cos();
    let rows = [-30.0, 1.9, 2.1, 30.0];
    let points = rows.map(|y| [-30.0, 0.9, 4.0, 5.0, 9.0, 40.0].map(|x| [x - 1e3, y, depth(x, y)]));
    case.water.set_bathymetry(&points.concat()).unwrap();
    case.place = [-1e3, 0.0];
    let bed = |x: &Vec3| case.water.bed(&Vec3::new(x.x - 1e3, x.y, 0.0)).unwrap();
    for x in &mut case.x {
        x.z += 20.0 + bed(x);
    }
    case
}

#[test]
fn lines_on_a_bed_with_slopes() {
    check_all("slopes", on_slopes);
    for slide in [0.01, 0.5] {
        check_all("friction on slopes", |random| {
            let mut case = on_slopes(random);
            case.water.friction = 0.6;
            case.sticks.iter_mut().for_each(|stick| stick.iter_mut().for_each(|s| *s += slide * random.next()));
            case
        });
    }
}

#[test]
fn lines_on_the_bed() {
    check_all("grounded", grounded);
    check_all("lifting off", |random| {
        let mut case = grounded(random);
        // The damper pulls more than the spring pushes at some.
        case.v.iter_mut().for_each(|v| v.z = v.z.abs() * 40.0);
        case
    });
    for adhesion in [1.0, 0.3] {
        check_all("held by the bed", |random| {
            let mut case = grounded(random);
            case.v.iter_mut().for_each(|v| v.z = v.z.abs() * 40.0);
            (case.water.adhesion, case.water.friction) = (adhesion, 0.6);
            case.sticks.iter_mut().for_each(|stick| stick.iter_mut().for_each(|s| *s += 0.01 * random.next()));
            case
        });
    }
    check_all("sticking", |random| {
        let mut case = grounded(random);
        case.water.friction = 0.6;
        case.sticks.iter_mut().for_each(|stick| stick.iter_mut().for_each(|s| *s += 0.01 * random.next()));
        case
    });
    check_all("sliding", |random| {
        let mut case = grounded(random);
        case.water.friction = 0.6;
        case.sticks.iter_mut().for_each(|stick| stick.iter_mut().for_each(|s| *s += 0.3 + 0.1 * random.next()));
        case
    });
}

#[test]
fn bent_lines() {
    check_all("bent", |random| {
        let mut case = Case::new(random, SLANTED, 1.05, 0.5);
        case.line_type.ei = 4e4;
        case
    });
    check_all("straight", |random| {
        let mut case = Case::new(random, SLANTED, 1.05, 0.0);
        case.line_type.ei = 4e4;
        case
    });
    check_all("two segments", |random| {
        let mut case = Case::new(random, SLANTED, 1.05, 0.4);
        case.line_type.ei = 4e4;
        case.segments = 2;
        case.length = 4.0;
        case.x.truncate(3);
        case.v.truncate(3);
        case.a.truncate(3);
        case
    });
}

#[test]
fn one_segment() {
    check_all("one segment", |random| {
        let mut case = Case::new(random, SLANTED, 1.05, 0.4);
        case.segments = 1;
        case.length = 2.0;
        case.x.truncate(2);
        case.v.truncate(2);
        case.a.truncate(2);
        case
    });
}

#[test]
fn currents_and_moving_water() {
    check_all("sheared current", |random| {
        let mut case = Case::new(random, SLANTED, 1.1, 0.3);
        case.water.current = vec![(2.0, [1.5, 0.2, 0.0]), (16.5, [0.4, -0.6, 0.1]), (30.0, [0.0, 0.1, 0.0])];
        case.origin = 3.0;
        case
    });
    check_all("waves", |random| {
        let mut case = Case::new(random, SLANTED, 1.1, 0.3);
        let mut fluid = || Fluid {
            velocity: random.vector(2.0).into(),
            acceleration: random.vector(3.0).into(),
            elevation: random.next(),
        };
        case.fluid = Some((0..=SEGMENTS).map(|_| fluid()).collect());
        case
    });
}

#[test]
fn lines_through_the_surface() {
    check_all("steep", |random| {
        let mut case = Case::new(random, Vec3::new(0.5, 0.0, 1.0), 1.1, 0.2);
        case.origin = 14.0;
        case.water.current = vec![(0.0, [1.0, 0.5, 0.0])];
        case
    });
    check_all("floating", |random| {
        let mut case = Case::new(random, LEVEL, 1.01, 0.0);
        case.line_type.diameter = 0.4;
        case.origin = 20.0;
        case.x.iter_mut().for_each(|x| x.z += 0.15 * random.next());
        case
    });
}

#[test]
fn time_steps_leave_out_only_what_turns_with_the_tangents() {
    let mut random = Random(77);
    let mut case = Case::new(&mut random, SLANTED, 1.1, 0.3);
    let factors = Factors { mass: 0.3, damping: 2.0, stiffness: 1.0, all: true };
    let error = |case: &Case| {
        let (all, some) = (case.evaluate(Some(factors)), case.evaluate(Some(Factors { all: false, ..factors })));
        assert_eq!(all.residual, some.residual);
        all.diagonal.iter().zip(&some.diagonal).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
            + all.upper.iter().zip(&some.upper).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
    };
    assert!(error(&case) > 1.0);
    // Without drag, and added mass alike in all directions, nothing is left out.
    (case.line_type.cdn, case.line_type.cdt, case.line_type.cat) = (0.0, 0.0, case.line_type.can);
    assert_eq!(error(&case), 0.0);
}

#[test]
fn mass_alone_is_the_mass_of_the_whole() {
    let mut random = Random(78);
    let mut case = Case::new(&mut random, SLANTED, 1.1, 0.3);
    case.line_type.ei = 1e4;
    let factors = Factors { mass: 0.3, damping: 0.0, stiffness: 0.0, all: false };
    let mass = case.evaluate(Some(factors));
    // Nearly zero, so that the other branch is taken.
    let whole = case.evaluate(Some(Factors { stiffness: 1e-300, ..factors }));
    assert_eq!(mass.diagonal, whole.diagonal);
    assert_eq!(mass.residual, whole.residual);
    let zero = |blocks: &[Mat3]| blocks.iter().all(|block| block.amax() == 0.0);
    assert!(zero(&mass.upper) && zero(&mass.lower) && zero(&mass.upper_two) && zero(&mass.lower_two));
    assert_eq!(mass.ends[1].rates[0], mass.diagonal[SEGMENTS]);
}

#[test]
fn forces_are_the_same_whatever_tangents_are_wanted() {
    let mut case = grounded(&mut Random(79));
    (case.water.friction, case.line_type.ei) = (0.6, 1e4);
    case.sticks.iter_mut().step_by(2).for_each(|stick| stick[0] += 0.3);
    let factors = Factors { mass: 0.3, damping: 0.2, stiffness: 1.0, all: false };
    let forces = case.evaluate(None);
    let mass = Factors { damping: 0.0, stiffness: 0.0, ..factors };
    for factors in [mass, factors, Factors { all: true, ..factors }] {
        let out = case.evaluate(Some(factors));
        assert_eq!((&out.residual, &out.tensions), (&forces.residual, &forces.tensions));
        assert_eq!(out.end_forces, forces.end_forces);
    }
}
