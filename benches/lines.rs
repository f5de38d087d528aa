//! Times of an evaluation of a line per node: forces alone, with the mass matrix, with the tangents
//! of a time step, with both; and times of the start and of steps of lines of N and of 4 N
//! segments.
//!
//! `cargo bench --bench lines`. Times are the least of many runs, which other programs on the
//! machine disturb least.

use std::hint::black_box;
use std::time::Instant;

use pintle::elements::line::{Around, Chain, Evaluation, Factors, Line, LineType, Motions, Slow, Water};
use pintle::spatial::Vec3;
use pintle::{Id, Simulation};

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
        let motions = Motions { x: &self.x, v: &self.v, a: &self.a, axes: [None; 2] };
        let gravity = Vec3::new(0.0, 0.0, -9.80665);
        let around = Around {
            gravity,
            water: &self.water,
            origin: Vec3::zeros(),
            fluid: None,
            sticks: &self.sticks,
            slow: Slow::AT_REST,
        };
        let repeats = 20_000 / self.x.len() + 1;
        let mut least = f64::INFINITY;
        for _ in 0..60 {
            let start = Instant::now();
            for _ in 0..repeats {
                self.chain.evaluate(
                    (self.length, 0.0),
                    black_box(motions),
                    black_box(&around),
                    factors,
                    None,
                    &mut out,
                );
                black_box(&mut out);
            }
            let seconds = start.elapsed().as_secs_f64() / repeats as f64;
            least = least.min(seconds * 1e9 / self.x.len() as f64);
        }
        least
    }
}

/// The line of OC3 from the bed to a fairlead that the host moves.
fn moored(segments: i32) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.80665]).unwrap();
    sim.settings().set_environment("water_density", 1025.0).unwrap();
    sim.settings().set_environment("depth", 320.0).unwrap();
    let (diameter, mass_per_length, ea) = (0.09, 77.7066, 384.243e6);
    let of = LineType { diameter, mass_per_length, ea, ba: -0.8, cdn: 1.6, can: 1.0, cdt: 0.1, ..LineType::default() };
    let of = sim.elements().add_line_type(of).unwrap();
    let anchor = sim.build().add_point(0.0, 0.0, &[853.87, 0.0, -320.0]).unwrap();
    sim.build().fix_point(anchor).unwrap();
    let fairlead = sim.build().add_point(0.0, 0.0, &[5.2, 0.0, -70.0]).unwrap();
    sim.build().set_point_prescribed(fairlead, true).unwrap();
    sim.elements().add_line(of, anchor, fairlead, 902.2, segments).unwrap();
    sim.settings().set_option("rho_inf", 0.3).unwrap();
    (sim, fairlead)
}

/// Least times of a start and of a step (us), iterations per step and size of a saved state (MB);
/// the fairlead moves sinusoidally with 2 m and a period of 10 s.
fn whole(segments: i32) -> [f64; 4] {
    let (mut start, mut step, mut iterations, mut size) = (f64::INFINITY, f64::INFINITY, 0.0, 0.0);
    for _ in 0..5 {
        let (mut sim, fairlead) = moored(segments);
        let begin = Instant::now();
        sim.initialize(0.0).unwrap();
        start = start.min(begin.elapsed().as_secs_f64() * 1e6);
        let mut swing = |from: u32, to: u32| {
            for k in from..to {
                let (w, t) = (0.2 * std::f64::consts::PI, 0.1 * f64::from(k + 1));
                let (s, c) = (w * t).sin_cos();
                let (x, v, a) = (2.0 * (1.0 - c), 2.0 * w * s, 2.0 * w * w * c);
                sim.inputs()
                    .set_point_motion(fairlead, &[5.2 + x, 0.0, -70.0], &[v, 0.0, 0.0], &[a, 0.0, 0.0])
                    .unwrap();
                sim.step(0.1).unwrap();
            }
            sim.outputs().statistic("iterations").unwrap()
        };
        let before = swing(0, 20);
        let begin = Instant::now();
        let after = swing(20, 120);
        step = step.min(begin.elapsed().as_secs_f64() * 1e4);
        iterations = (after - before) / 100.0;
        size = sim.save().unwrap().to_bytes().len() as f64 / 1e6;
    }
    [start, step, iterations, size]
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
    println!(
        "\n{:>5} {:>9} {:>9} {:>11} {:>12} {:>10}",
        "N", "start, us", "step, us", "iterations", "us/node/it", "state, MB"
    );
    for segments in [20, 80, 320, 1280, 5120] {
        let [start, step, iterations, size] = whole(segments);
        let each = step / iterations / f64::from(segments);
        println!("{segments:5} {start:9.0} {step:9.1} {iterations:11.2} {each:12.3} {size:10.3}");
    }
}
