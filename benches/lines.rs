//! What an evaluation of a line costs per node: forces alone, with the mass matrix, with the tangents of a time step, with all.
//!
//! `cargo bench --bench lines`. Times are the least of many runs, which the load of the machine disturbs least.

use std::hint::black_box;
use std::time::Instant;

use pintle::elements::line::{Around, Chain, Evaluation, Factors, Line, LineType, Motions, Water};
use pintle::spatial::Vec3;

/// A line from the bed at 320 m up to 70 m: part of it lies, part of it hangs, all of it moves.
struct Case {
    chain: Chain,
    length: f64,
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    a: Vec<Vec3>,
    sticks: Vec<[f64; 2]>,
    water: Water,
}

impl Case {
    fn new(segments: usize, bending: f64, friction: f64) -> Case {
        let length = 902.2;
        let line_type = LineType {
            diameter: 0.09,
            mass_per_length: 77.7066,
            ea: 384.243e6,
            ba: -0.8,
            ei: bending,
            cdn: 1.6,
            can: 1.0,
            cdt: 0.1,
            ..LineType::default()
        };
        let chain = Chain::new(&Line { length, segments, ..Line::default() }, &line_type);
        let at = |i: usize| {
            let s = i as f64 / segments as f64;
            let z = if s < 0.3 { -320.03 } else { -320.03 + 250.0 * ((s - 0.3) / 0.7).powi(2) };
            Vec3::new(850.0 * s, 3.0 * s, z)
        };
        let wave = |i: usize, k: f64| {
            Vec3::new((0.3 * i as f64 + k).sin(), (0.2 * i as f64 + k).cos(), 0.1 * (0.4 * i as f64).sin())
        };
        let nodes = 0..=segments;
        let x: Vec<_> = nodes.clone().map(at).collect();
        Case {
            chain,
            length,
            sticks: x.iter().map(|x| [x.x + 0.01, x.y]).collect(),
            x,
            v: nodes.clone().map(|i| wave(i, 1.0)).collect(),
            a: nodes.map(|i| wave(i, 2.0)).collect(),
            water: Water { density: 1025.0, depth: 320.0, friction, ..Water::default() },
        }
    }

    /// Least time of an evaluation per node, ns.
    fn time(&self, factors: Option<Factors>) -> f64 {
        let mut out = Evaluation::new(self.chain.segments(), self.chain.bends());
        let motions = Motions { x: &self.x, v: &self.v, a: &self.a };
        let gravity = Vec3::new(0.0, 0.0, -9.80665);
        let around = Around { gravity, water: &self.water, origin: 0.0, fluid: None, sticks: &self.sticks };
        let repeats = 20_000 / self.x.len() + 1;
        let mut least = f64::INFINITY;
        for _ in 0..60 {
            let start = Instant::now();
            for _ in 0..repeats {
                self.chain.evaluate(self.length, 0.0, black_box(motions), black_box(&around), factors, &mut out);
                black_box(&mut out);
            }
            let seconds = start.elapsed().as_secs_f64() / repeats as f64;
            least = least.min(seconds * 1e9 / self.x.len() as f64);
        }
        least
    }
}

fn main() {
    let step = Factors { mass: 400.0, damping: 20.0, stiffness: 1.0, all: false };
    let mass = Factors { damping: 0.0, stiffness: 0.0, ..step };
    let wanted = [
        ("forces", None),
        ("mass", Some(mass)),
        ("tangents", Some(step)),
        ("all", Some(Factors { all: true, ..step })),
    ];
    println!("{:10} {:>5} {:>9} {:>9} {:>9} {:>9}   ns per node", "", "N", "forces", "mass", "tangents", "all");
    for (name, bending, friction) in [("chain", 0.0, 0.0), ("friction", 0.0, 0.6), ("bending", 1e5, 0.0)] {
        for segments in [20, 100, 500] {
            let case = Case::new(segments, bending, friction);
            let times = wanted.map(|(_, factors)| format!("{:9.1}", case.time(factors)));
            println!("{name:10} {segments:5} {}", times.join(" "));
        }
    }
}
