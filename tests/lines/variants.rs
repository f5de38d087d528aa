//! The same line described in other ways, in two parts or with a table; and a step that is cut
//! where the line snaps.

use crate::common::*;
use crate::models::*;
use crate::reference::{Chain, Material, Sea, Tip};
use pintle::{Id, Simulation};

const CABLE: Material = Material { d: 0.1, w: 12.0, ea: 6e5, ba: 3e3, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };

fn circling(t: f64) -> [V3; 3] {
    let (s, c) = (2.0 * t).sin_cos();
    [[9.0 + 0.5 * (1.0 - c), 0.0, 1.0 + 0.4 * (1.0 - c)], [s, 0.0, 0.8 * s], [2.0 * c, 0.0, 1.6 * c]]
}

fn drive(sim: &mut Simulation, point: Id, path: fn(f64) -> [V3; 3], t: f64) {
    let [x, v, a] = path(t);
    sim.inputs().set_point_motion(point, &x, &v, &a).unwrap();
}

/// Without water the forces on a node do not depend on its tangent: two lines joined at a massless
/// point are equal to one line.
#[test]
fn two_lines_on_a_point_without_mass_are_one() {
    for scheme in ["generalized-alpha", "rk4"] {
        let run = |parts: usize| {
            let mut sim = system(scheme, &Sea::NONE);
            let (a, b) = (fixed(&mut sim, [0.0; 3]), moved(&mut sim, circling(0.0)[0]));
            let kind = line_type(&mut sim, &CABLE);
            // Where the catenary of the whole has its middle the point is not: both begin where the
            // equilibrium of all is.
            let ids = if parts == 1 {
                vec![sim.elements().add_line(kind, a, b, 12.0, 12).unwrap()]
            } else {
                let middle = free(&mut sim, 0.0, [4.5, 0.0, -3.0]);
                vec![
                    sim.elements().add_line(kind, a, middle, 6.0, 6).unwrap(),
                    sim.elements().add_line(kind, middle, b, 6.0, 6).unwrap(),
                ]
            };
            drive(&mut sim, b, circling, 0.0);
            sim.initialize(0.0).unwrap();
            sim.solve_equilibrium(300, 1e-10).unwrap();
            for k in 1..=100 {
                drive(&mut sim, b, circling, 0.01 * f64::from(k));
                sim.step(0.01).unwrap();
            }
            let mut all: Vec<V3> = Vec::new();
            for id in &ids {
                all.extend(&nodes(&sim, *id, 12 / parts)[all.len().min(1)..]);
            }
            let pulls: Vec<f64> = ids.iter().flat_map(|id| tensions(&sim, *id, 12 / parts)).collect();
            (all, pulls)
        };
        let ((x, t), (y, u)) = (run(1), run(2));
        // Equilibria are 1e-10 of weights off, and the ringing of 6e5 N/m is not damped away in a
        // second.
        assert!(apart(&x, &y) < 1e-6, "{scheme}: {:e}", apart(&x, &y));
        assert_close(scheme, &u, &t, 0.3);
    }
}

#[test]
fn a_straight_table_is_a_stiffness() {
    let run = |table: bool| {
        let mut sim = system("generalized-alpha", &Sea::NONE);
        let (a, b) = (fixed(&mut sim, [0.0; 3]), moved(&mut sim, circling(0.0)[0]));
        let kind = line_type(&mut sim, &CABLE);
        if table {
            sim.elements()
                .set_line_type_table(kind, "ea", &[0.0, 0.01, 0.05], &[0.0, 0.01 * CABLE.ea, 0.05 * CABLE.ea])
                .unwrap();
            sim.elements().set_line_type_table(kind, "ba", &[0.0, 1.0, 2.0], &[0.0, CABLE.ba, 2.0 * CABLE.ba]).unwrap();
        }
        let id = sim.elements().add_line(kind, a, b, 9.3, 8).unwrap();
        drive(&mut sim, b, circling, 0.0);
        sim.initialize(0.0).unwrap();
        for k in 1..=200 {
            drive(&mut sim, b, circling, 0.01 * f64::from(k));
            sim.step(0.01).unwrap();
        }
        (nodes(&sim, id, 8), tensions(&sim, id, 8))
    };
    let ((x, t), (y, u)) = (run(false), run(true));
    assert!(t.iter().any(|t| *t > 100.0));
    assert!(apart(&x, &y) < 1e-8, "{:e}", apart(&x, &y));
    assert_close("tensions", &u, &t, 1e-2);
}

/// A straight line of a rope that stiffens: what pulls is what the table says, between and beyond
/// its points.
#[test]
fn a_table_of_tensions_is_straight_between_its_points() {
    let (x, y) = ([0.0, 0.02, 0.05, 0.1], [0.0, 1e3, 5e3, 3e4]);
    let of = |strain: f64| {
        let k = (1..x.len() - 1).find(|k| strain < x[*k]).unwrap_or(x.len() - 1);
        y[k - 1] + (strain - x[k - 1]) * (y[k] - y[k - 1]) / (x[k] - x[k - 1])
    };
    for strain in [0.005, 0.019, 0.03, 0.07, 0.09, 0.13] {
        let mut sim = system("generalized-alpha", &Sea { g: 0.0, ..Sea::NONE });
        let ends = [fixed(&mut sim, [0.0; 3]), fixed(&mut sim, [6.0 * (1.0 + strain), 0.0, 8.0 * (1.0 + strain)])];
        let kind = line_type(&mut sim, &CABLE);
        sim.elements().set_line_type_table(kind, "ea", &x, &y).unwrap();
        let id = sim.elements().add_line(kind, ends[0], ends[1], 10.0, 5).unwrap();
        sim.initialize(0.0).unwrap();
        assert_close(&format!("{strain}"), &tensions(&sim, id, 5), &[of(strain); 5], 1e-6 * of(strain));
        sim.step(0.1).unwrap();
        assert_close(&format!("{strain}"), &tensions(&sim, id, 5), &[of(strain); 5], 1e-6 * of(strain));
    }
}

fn jerk(t: f64) -> [V3; 3] {
    let (s, c) = (3.0 * t).sin_cos();
    [[9.0 + 0.6 * (1.0 - c), 0.0, 0.0], [1.8 * s, 0.0, 0.0], [5.4 * c, 0.0, 0.0]]
}

/// A slack line that snaps tight: largest tension and its error, with and without cuts where
/// tensions change.
#[test]
fn steps_are_cut_where_a_line_snaps() {
    let tips = [Tip::Moved(|_| [[0.0; 3]; 3]), Tip::Moved(jerk)];
    let chain = Chain { of: CABLE, n: 6, length: |_| [10.0, 0.0], sea: Sea::NONE, tips };
    let h = 0.02;
    let run = |limit: f64| {
        let mut sim = system("generalized-alpha", &Sea::NONE);
        sim.settings().set_option("line_tension_change", limit).unwrap();
        let ends = [fixed(&mut sim, [0.0; 3]), moved(&mut sim, jerk(0.0)[0])];
        let id = line(&mut sim, &CABLE, ends, 10.0, 6);
        drive(&mut sim, ends[1], jerk, 0.0);
        sim.initialize(0.0).unwrap();
        let (mut r, mut v) = (nodes(&sim, id, 6), speeds(&sim, id, 6));
        let (mut error, mut most) = (0.0f64, 0.0f64);
        for k in 1..=100 {
            let t = h * f64::from(k);
            drive(&mut sim, ends[1], jerk, t);
            sim.step(h).unwrap();
            chain.run(t - h, h / 80.0, 80, &mut r, &mut v);
            let exact = chain.tensions(t, &r, &v)[5];
            error = error.max((tensions(&sim, id, 6)[5] - exact).abs());
            most = most.max(exact);
        }
        println!(
            "limit {limit}: {:.2} % of {most:.0} N, {} substeps",
            1e2 * error / most,
            sim.outputs().statistic("substeps").unwrap()
        );
        (error / most, sim.outputs().statistic("substeps").unwrap())
    };
    let ((whole, steps), (cut, substeps)) = (run(0.0), run(500.0));
    assert_eq!(steps, 100.0);
    assert!(substeps > 110.0, "{substeps}");
    assert!(cut < 0.6 * whole, "{cut} for {whole}");
}
