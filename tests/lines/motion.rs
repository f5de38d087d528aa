//! Lines in motion against the chain of masses by Runge-Kutta, and against closed forms.

use crate::common::*;
use crate::models::*;
use crate::reference::{Chain, Material, Path, Sea, Tip};
use pintle::{Id, Simulation};
use std::f64::consts::TAU;

/// A rope that is soft enough for short runs with large motions.
const ROPE: Material = Material { d: 0.15, w: 30.0, ea: 4e5, ba: 4e3, ei: 0.0, cdn: 1.4, can: 0.9, cdt: 0.3, cat: 0.2 };
const SEA: Sea = Sea { rho: 1025.0, current: [0.4, -0.3, 0.1], ..Sea::NONE };

/// A line in the library and the same one in the reference; `chain.tips` says what the ends are
/// tied to.
struct Pair {
    sim: Simulation,
    id: Id,
    ends: [Id; 2],
    chain: Chain,
    r: Vec<V3>,
    v: Vec<V3>,
}

impl Pair {
    /// The reference begins where the library does. `at`: places of free tips.
    fn new(scheme: &str, chain: Chain, at: [V3; 2], options: &[(&str, f64)]) -> Pair {
        let mut sim = system(scheme, &chain.sea);
        options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
        let mut end = |tip: Tip, at: V3| match tip {
            Tip::Moved(path) => moved(&mut sim, path(0.0)[0]),
            Tip::Free([mass, volume, cda, ca]) => {
                let id = sim.build().add_point(mass, volume, &at).unwrap();
                sim.build().set_point_drag(id, cda, ca).unwrap();
                id
            }
        };
        let ends = [end(chain.tips[0], at[0]), end(chain.tips[1], at[1])];
        let id = line(&mut sim, &chain.of, ends, (chain.length)(0.0)[0], chain.n);
        let mut pair = Pair { sim, id, ends, chain, r: Vec::new(), v: Vec::new() };
        pair.give(0.0);
        pair.sim.initialize(0.0).unwrap();
        pair.r = nodes(&pair.sim, id, chain.n);
        pair.v = speeds(&pair.sim, id, chain.n);
        pair
    }

    fn give(&mut self, t: f64) {
        for (tip, id) in self.chain.tips.into_iter().zip(self.ends) {
            if let Tip::Moved(path) = tip {
                let [x, v, a] = path(t);
                self.sim.inputs().set_point_motion(id, &x, &v, &a).unwrap();
            }
        }
        let [length, rate] = (self.chain.length)(t);
        if t > 0.0 && (rate != 0.0 || length != (self.chain.length)(0.0)[0]) {
            self.sim.inputs().set_line_length(self.id, length, rate).unwrap();
        }
    }

    fn step(&mut self, h: f64) {
        let t = self.sim.time().unwrap() + h;
        self.give(t);
        self.sim.step(h).unwrap();
    }

    /// Runs both over a time, the reference in steps of `fine`. Returns the largest differences of
    /// positions, velocities, end forces and tensions.
    fn run(&mut self, time: f64, steps: usize, fine: f64) -> [f64; 4] {
        let start = self.sim.time().unwrap();
        (0..steps).for_each(|_| self.step(time / steps as f64));
        let count = (time / fine).ceil().max(1.0);
        self.chain.run(start, time / count, count as usize, &mut self.r, &mut self.v);
        self.apart()
    }

    fn apart(&self) -> [f64; 4] {
        let (n, t) = (self.chain.n, self.sim.time().unwrap());
        let forces = self.chain.end_forces(t, &self.r, &self.v);
        let expected = self.chain.tensions(t, &self.r, &self.v);
        let found = tensions(&self.sim, self.id, n);
        let most = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        [
            apart(&nodes(&self.sim, self.id, n), &self.r),
            apart(&speeds(&self.sim, self.id, n), &self.v),
            apart(&end_forces(&self.sim, self.id), &forces),
            most(&found, &expected),
        ]
    }
}

fn still_at<const X: i32, const Y: i32, const Z: i32>() -> Path {
    |_| [[X as f64, Y as f64, Z as f64], [0.0; 3], [0.0; 3]]
}

/// x0 + sum of a (1 - cos w t) along each axis: from rest.
fn sway(x0: V3, waves: [(f64, f64); 3], t: f64) -> [V3; 3] {
    let mut out = [x0, [0.0; 3], [0.0; 3]];
    for (k, (a, period)) in waves.into_iter().enumerate() {
        let w = TAU / period;
        let (s, c) = (w * t).sin_cos();
        out[0][k] += a * (1.0 - c);
        out[1][k] += a * w * s;
        out[2][k] += a * w * w * c;
    }
    out
}

fn constant(_: f64) -> [f64; 2] {
    [12.0, 0.0]
}

fn shaken(t: f64) -> [V3; 3] {
    sway([9.0, 1.0, -26.0], [(0.8, 3.0), (0.5, 2.0), (0.6, 2.5)], t)
}

/// The cases, with the places of free ends.
fn cases() -> Vec<(&'static str, Chain, [V3; 2])> {
    let held = Tip::Moved(still_at::<0, 0, -30>());
    let base = Chain { of: ROPE, n: 6, length: constant, sea: SEA, tips: [held, Tip::Moved(shaken)] };
    let here = [[0.0, 0.0, -30.0], [6.0, 2.0, -34.0]];
    let bed = Sea { depth: 30.0, stiffness: 2e4, damping: 2e3, ..SEA };
    vec![
        ("in the air", Chain { sea: Sea::NONE, ..base }, here),
        ("in a current", base, here),
        ("of one segment", Chain { n: 1, ..base }, here),
        ("of two segments", Chain { n: 2, ..base }, here),
        ("bends", Chain { of: Material { ei: 3e3, ..ROPE }, ..base }, here),
        ("on the bed", Chain { sea: bed, ..base }, here),
        ("on the bed that holds it", Chain { sea: Sea { adhesion: 0.7, ..bed }, ..base }, here),
        ("with a weight", Chain { tips: [held, Tip::Free([200.0, 0.05, 0.4, 0.7])], ..base }, here),
        ("with a light point", Chain { tips: [held, Tip::Free([0.0; 4])], ..base }, here),
        (
            "with two weights",
            Chain { tips: [Tip::Free([50.0, 0.1, 0.0, 0.5]), Tip::Free([80.0, 0.0, 0.2, 0.0])], ..base },
            here,
        ),
        ("hauled in", Chain { length: |t| [12.0 - 0.3 * t * t, -0.6 * t], ..base }, here),
        (
            "paid out, bends",
            Chain { of: Material { ei: 3e3, ..ROPE }, length: |t| [12.0 + 0.4 * t * t, 0.8 * t], ..base },
            here,
        ),
    ]
}

#[test]
fn runge_kutta_moves_lines_as_a_chain_of_masses_does() {
    for (what, chain, at) in cases() {
        // Frequencies to 4 sqrt(EA/w)/l = 230/s for two segments of 1 m, damping to 4 BA/(w l^2) =
        // 100 to 400/s: (w h)^5 of some metres in both, which run at the same steps, so that
        // differences are of rounding and of what is not the same.
        let h = 5e-4;
        let mut pair = Pair::new("rk4", chain, at, &[("max_time_step", 1.0), ("input_order", 1.0)]);
        let [x, v, force, tension] = pair.run(1.0, 2000, h);
        println!("{what}: {x:.2e} m, {v:.2e} m/s, {force:.2e} N, {tension:.2e} N");
        assert!(distance(pair.r[chain.n / 2 + 1], [6.0, 2.0, -34.0]) > 1e-3);
        // Imposed motions within a step are polynomials, right to h^4/384 of the fourth derivative
        // (20 m/s^4): 1e-14 m.
        assert!(x < 1e-7 && v < 1e-5, "{what}: {x:e} m, {v:e} m/s");
        assert!(force < 0.1 && tension < 0.1, "{what}: {force:e} N, {tension:e} N");
    }
}

#[test]
fn implicit_steps_approach_the_chain_of_masses_with_second_order() {
    for (what, chain, at) in cases() {
        if what.starts_with("on the bed") || chain.n == 1 {
            continue; // its law has a kink where contact begins; no node moves
        }
        let mut columns = [Vec::new(), Vec::new(), Vec::new()];
        for steps in [250, 500, 1000] {
            let mut pair = Pair::new("generalized-alpha", chain, at, &[("rho_inf", 0.7)]);
            let [x, v, _, tension] = pair.run(1.0, steps, 5e-4);
            for (column, error) in columns.iter_mut().zip([x, v, tension]) {
                column.push((1.0 / steps as f64, error));
            }
        }
        // Slack begins and ends at kinks, which spoil part of an order where they come.
        for (column, name) in columns.iter().zip(["position", "velocity", "tension"]) {
            println!("{what}, {name}: {column:?} {:?}", orders(column));
            assert!(orders(column).iter().all(|p| *p > 1.6), "{what}, {name}: {column:?} {:?}", orders(column));
        }
    }
}

/// A smooth motion: taut throughout.
fn taut(t: f64) -> [V3; 3] {
    sway([13.0, 0.0, -28.0], [(0.4, 3.0), (0.5, 2.0), (0.3, 2.5)], t)
}

fn errors(scheme: &str, options: &[(&str, f64)], sizes: [usize; 4], relative: &[f64]) -> [Vec<(f64, f64)>; 3] {
    let tips = [Tip::Moved(still_at::<0, 0, -30>()), Tip::Moved(taut)];
    let chain = Chain { of: ROPE, n: 6, length: constant, sea: SEA, tips };
    let mut reference = None;
    let mut columns = [Vec::new(), Vec::new(), Vec::new()];
    for steps in sizes {
        let mut pair = Pair::new(scheme, chain, [[0.0; 3]; 2], options);
        let mean = relative.iter().sum::<f64>() / relative.len() as f64;
        for k in 0..steps {
            pair.step(2.0 / steps as f64 * relative[k % relative.len()] / mean);
        }
        let (r, v) = reference.get_or_insert_with(|| {
            let (mut r, mut v) = (pair.r.clone(), pair.v.clone());
            chain.run(0.0, 5e-4, 4000, &mut r, &mut v);
            (r, v)
        });
        (pair.r, pair.v) = (r.clone(), v.clone());
        let [x, v, _, tension] = pair.apart();
        for (column, error) in columns.iter_mut().zip([x, v, tension]) {
            column.push((2.0 / steps as f64, error));
        }
    }
    columns
}

#[test]
fn positions_velocities_and_tensions_are_of_second_order() {
    for (scheme, options) in [
        ("generalized-alpha", vec![("rho_inf", 0.0)]),
        ("generalized-alpha", vec![("rho_inf", 0.8)]),
        ("generalized-alpha", vec![("rho_inf", 1.0)]),
        ("hht", vec![]),
    ] {
        for (what, relative) in [("equal", &[1.0][..]), ("changing", &[0.8, 1.3, 1.0, 0.9][..])] {
            let columns = errors(scheme, &options, [400, 800, 1600, 3200], relative);
            for (column, name) in columns.iter().zip(["position", "velocity", "tension"]) {
                assert_order(&format!("{scheme} {options:?}, {what} steps, {name}"), column, 2.0, 0.25);
            }
        }
    }
}

fn oc3_fairlead(t: f64) -> [V3; 3] {
    sway(OC3_FAIRLEAD, [(2.0, 10.0), (0.5, 13.0), (1.0, 9.0)], t)
}

/// The line of OC3 with its fairlead in motion, at the step of a host.
#[test]
fn the_line_of_oc3_follows_its_fairlead() {
    let n = 10;
    let of = OC3.damped(0.8, OC3_LENGTH / n as f64);
    let tips = [Tip::Moved(|_| [OC3_ANCHOR, [0.0; 3], [0.0; 3]]), Tip::Moved(oc3_fairlead)];
    let chain = Chain { of, n, length: |_| [OC3_LENGTH, 0.0], sea: Sea::water(OC3_DEPTH), tips };
    let mut most = [0.0f64; 2];
    for (column, (h, limit)) in [(0.1, 1e-2), (0.025, 2e-3)].into_iter().enumerate() {
        let mut pair = Pair::new("generalized-alpha", chain, [[0.0; 3]; 2], &[("rho_inf", 0.3)]);
        let (mut error, mut largest) = (0.0f64, 0.0f64);
        for _ in 0..60 {
            let t = pair.sim.time().unwrap();
            let [.., tension] = pair.run(0.5, (0.5 / h) as usize, 2e-3);
            let here = chain.tensions(t + 0.5, &pair.r, &pair.v)[n - 1];
            error = error.max((tensions(&pair.sim, pair.id, n)[n - 1] - here).abs());
            largest = largest.max(here);
            assert!(tension.is_finite());
        }
        println!("h {h}: {:.3} % of {:.1} kN", 1e2 * error / largest, 1e-3 * largest);
        most[column] = error / largest;
        assert!(most[column] < limit, "h {h}: {:e}", most[column]);
        let mean =
            pair.sim.outputs().statistic("iterations").unwrap() / pair.sim.outputs().statistic("substeps").unwrap();
        println!("{mean} iterations");
    }
}

/// A straight line between fixed ends: a winch strains all segments alike, and no node moves.
#[test]
fn a_winch_strains_a_straight_line() {
    let sea = Sea { g: 0.0, ..Sea::NONE };
    for scheme in ["generalized-alpha", "newmark", "rk4"] {
        // In whole steps of the host, and in steps cut in five.
        for [order, longest] in [[0.0, 1.0], [1.0, 1.0], [1.0, 4e-3]] {
            let mut sim = system(scheme, &sea);
            sim.settings().set_option("input_order", order).unwrap();
            sim.settings().set_option("max_time_step", longest).unwrap();
            let ends = [fixed(&mut sim, [0.0; 3]), fixed(&mut sim, [6.0, 0.0, 8.0])];
            let n = 5;
            let id = line(&mut sim, &ROPE, ends, 10.0, n);
            sim.initialize(0.0).unwrap();
            let rate = -0.05;
            for k in 1..=100 {
                let t = 0.02 * f64::from(k);
                let length = 10.0 + rate * t;
                sim.inputs().set_line_length(id, length, rate).unwrap();
                sim.step(0.02).unwrap();
                // T = EA (X/L - 1); of the rate of strain d(X/L)/dt only the part of L is there.
                let tension = ROPE.ea * (10.0 / length - 1.0) - ROPE.ba * 10.0 * rate / (length * length);
                assert_close(&format!("{scheme}, {t}"), &tensions(&sim, id, n), &vec![tension; n], 1e-8 * ROPE.ea);
                let expected: Vec<V3> = (0..=n).map(|i| scale(i as f64 / n as f64, [6.0, 0.0, 8.0])).collect();
                assert!(apart(&nodes(&sim, id, n), &expected) < 1e-9);
            }
            // Without a further call the length stays, and the rate is zero.
            let length = 10.0 + rate * 2.0;
            sim.inputs().set_line_length(id, length, 0.0).unwrap();
            (0..3).for_each(|_| sim.step(0.02).unwrap());
            let tension = ROPE.ea * (10.0 / length - 1.0);
            assert_close("held", &tensions(&sim, id, n), &vec![tension; n], 1e-8 * ROPE.ea);
        }
    }
}

/// A line whose end is released continues as a chain with a free end.
#[test]
fn a_released_end_falls_through_water() {
    let tips = [Tip::Moved(still_at::<0, 0, -30>()), Tip::Moved(still_at::<9, 0, -30>())];
    let chain = Chain { of: ROPE, n: 6, length: constant, sea: SEA, tips };
    for end in [0usize, 1] {
        let mut errors = Vec::new();
        for (scheme, steps) in [("rk4", 4000), ("generalized-alpha", 500), ("generalized-alpha", 1000)] {
            let mut pair = Pair::new(scheme, chain, [[0.0; 3]; 2], &[("max_time_step", 1.0)]);
            (0..10).for_each(|_| pair.step(1e-3));
            pair.r = nodes(&pair.sim, pair.id, chain.n);
            pair.v = speeds(&pair.sim, pair.id, chain.n);
            pair.sim.inputs().release_line(pair.id, end as i32).unwrap();
            pair.chain.tips[end] = Tip::Free([0.0; 4]);
            let start = pair.r[end * chain.n];
            let [x, v, force, tension] = pair.run(2.0, steps, 5e-4);
            println!("{scheme} {end}: {x:e} m, {v:e} m/s, {force:e} N, {tension:e} N");
            assert!(start[2] - pair.r[end * chain.n][2] > 1.0, "it falls");
            errors.push(x);
        }
        assert!(errors[0] < 1e-7, "{errors:?}");
        assert!(errors[2] < 1e-2 && errors[1] / errors[2] > 2.5, "second order but for kinks: {errors:?}");
    }
}

/// Lies on the bed, held at one end, in a current across: with friction it stays, without it is
/// carried away.
fn grounded(friction: f64, current: f64) -> (Simulation, Id) {
    let sea = Sea { current: [0.0, current, 0.0], ..Sea::water(50.0) };
    let mut sim = system("generalized-alpha", &sea);
    if friction > 0.0 {
        sim.settings().set_environment("seabed_friction", friction).unwrap();
        sim.settings().set_environment("friction_slip", 0.02).unwrap();
    }
    let chain = Material { w: 60.0, ea: 1e8, cdn: 2.0, can: 1.0, ..ROPE }.damped(0.5, 5.0);
    let ends = [fixed(&mut sim, [0.0, 0.0, -50.0]), fixed(&mut sim, [100.0, 0.0, -50.0])];
    let id = line(&mut sim, &chain, ends, 104.0, 20);
    (sim, id)
}

#[test]
fn a_line_on_the_bed_does_not_creep() {
    let n = 20;
    // Drag of 0.4 m/s: 0.5 1025 0.15 2 0.16 = 25 N/m; friction holds 0.6 (60 - 18) 9.81 = 247 N/m.
    let (mut sim, id) = grounded(0.6, 0.4);
    sim.initialize(0.0).unwrap();
    let begun = nodes(&sim, id, n);
    let h = 0.5;
    (0..200).for_each(|_| sim.step(h).unwrap());
    let early = nodes(&sim, id, n);
    (0..2000).for_each(|_| sim.step(h).unwrap());
    let late = nodes(&sim, id, n);
    println!("{:e} m in 100 s, {:e} m in the 1000 s after", apart(&begun, &early), apart(&early, &late));
    let aside = |r: &[V3]| r.iter().map(|x| x[1].abs()).fold(0.0, f64::max);
    // It sticks: its displacement is the slip length of the friction law times the ratio of drag to
    // friction.
    assert!(aside(&late) < 0.02 * 25.0 / 247.0 * 1.5, "{:e}", aside(&late));
    // What is left of a motion that dies out by itself.
    assert!(apart(&early, &late) < 1e-6, "{:e}", apart(&early, &late));
    let (mut sim, id) = grounded(0.0, 0.4);
    sim.initialize(0.0).unwrap();
    (0..200).for_each(|_| sim.step(h).unwrap());
    assert!(aside(&nodes(&sim, id, n)) > 1.0, "without friction it drifts until it is taut");
}

fn along(t: f64) -> [V3; 3] {
    let v = 0.02;
    [[100.0 + v * t, 0.0, -50.0], [v, 0.0, 0.0], [0.0; 3]]
}

/// Drawn along the bed by one end: the whole line slips, and mu times its weight holds it back.
#[test]
fn a_line_that_is_drawn_along_the_bed_is_held_by_mu_times_its_weight() {
    let sea = Sea::water(50.0);
    let (n, mu) = (20, 0.6);
    let mut sim = system("generalized-alpha", &sea);
    sim.settings().set_environment("seabed_friction", mu).unwrap();
    let of = Material { w: 60.0, ea: 1e8, cdn: 0.0, cdt: 0.0, ..ROPE }.damped(0.8, 5.0);
    let tail = free(&mut sim, 1e-3, [0.0, 0.0, -50.0]);
    let head = moved(&mut sim, [100.0, 0.0, -50.0]);
    let id = line(&mut sim, &of, [tail, head], 100.0, n);
    let give = |sim: &mut Simulation, t: f64| {
        let [x, v, _] = along(t);
        sim.inputs().set_point_motion(head, &x, &v, &[0.0; 3]).unwrap();
    };
    give(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    for k in 1..=600 {
        let t = 0.1 * f64::from(k);
        give(&mut sim, t);
        sim.step(0.1).unwrap();
    }
    let [_, force] = end_forces(&sim, id);
    let weight = (of.w - sea.rho * of.area()) * sea.g;
    let l = 100.0 / n as f64;
    // The drawn end stands on the bed without pressing on it: half a segment less, and it carries
    // the slope of the last one, which presses on no bed: H pen/l, of a static penetration of less
    // than the smoothing of 0.1 m.
    let expected = mu * weight * (100.0 - 0.5 * l);
    println!("{force:?} for {expected}");
    assert!((-force[0] / expected - 1.0).abs() < mu * 0.1 / l + 1e-3, "{force:?} for {expected}");
    let v = speeds(&sim, id, n);
    v.iter().for_each(|v| assert_close("speed", v, &[0.02, 0.0, 0.0], 1e-4));
}

fn stay_or_swing(t: f64) -> [V3; 3] {
    sway([3.0, 0.5, 2.0], [(0.2, 2.0), (0.1, 1.5), (0.1, 1.7)], t)
}

/// A point at the place of a body leads as one that the host moves alike.
#[test]
fn a_body_that_is_moved_leads_a_line_by_the_place_of_its_fairlead() {
    let tips = [Tip::Moved(still_at::<0, 0, 0>()), Tip::Moved(stay_or_swing)];
    let chain = Chain { of: ROPE, n: 4, length: |_| [3.5, 0.0], sea: Sea::NONE, tips };
    let mut pair = Pair::new("generalized-alpha", chain, [[0.0; 3]; 2], &[]);
    let mut sim = system("generalized-alpha", &chain.sea);
    let arm = [0.3, -0.2, 0.5];
    let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let start = sub(stay_or_swing(0.0)[0], arm);
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &inertia, &pose(start, UNROTATED)).unwrap();
    sim.build().set_body_prescribed(body, true).unwrap();
    let anchor = fixed(&mut sim, [0.0; 3]);
    let fairlead = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
    sim.build().attach_point(fairlead, body, &arm).unwrap();
    let id = line(&mut sim, &ROPE, [anchor, fairlead], 3.5, 4);
    let give = |sim: &mut Simulation, t: f64| {
        let [x, v, a] = stay_or_swing(t);
        let at = pose(sub(x, arm), UNROTATED);
        sim.inputs().set_body_motion(body, &at, &join(v, [0.0; 3]), &join(a, [0.0; 3])).unwrap();
    };
    give(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    for k in 1..=100 {
        pair.step(0.02);
        give(&mut sim, 0.02 * f64::from(k));
        sim.step(0.02).unwrap();
    }
    assert!(apart(&nodes(&sim, id, 4), &nodes(&pair.sim, pair.id, 4)) < 1e-10);
    assert!(apart(&end_forces(&sim, id), &end_forces(&pair.sim, pair.id)) < 1e-5);
}
