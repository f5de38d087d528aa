//! Limits of stability: those of the library, measured, against those of the theory, computed here
//! from the stability function of Runge-Kutta methods and the boundary locus of Adams-Bashforth
//! methods; statistic `stable_step`.

use crate::common::*;
use crate::models::*;
use pintle::{Frame, GROUND, JointKind, Simulation};

const W: f64 = 1.3;
const EXPLICIT: [&str; 14] =
    ["euler", "leuler", "heun", "rk2", "rk3", "rk4", "ab2", "ab3", "ab4", "ab5", "lab2", "lab3", "lab4", "lab5"];

/// Direction of the upper root of a damping ratio.
fn direction(zeta: f64) -> C {
    C(-zeta, (1.0 - zeta * zeta).sqrt())
}

/// Order of a multistep method by its name.
fn multistep(scheme: &str) -> usize {
    scheme.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap()
}

/// rho(xi)/sigma(xi) on the unit circle: where h s lies when xi is a root.
fn locus(b: &[f64], angle: f64) -> C {
    let k = b.len();
    let power = |n: usize| C::polar(1.0, angle * n as f64);
    let sigma = b.iter().enumerate().fold(C(0.0, 0.0), |sum, (j, b)| sum + power(k - 1 - j).times(*b));
    (power(k) - power(k - 1)) / sigma
}

/// Theoretical limit of w h. For multistep methods: the point of the boundary locus on the ray that
/// is nearest to the origin, valid where the ray starts inside.
fn limit(scheme: &str, zeta: f64) -> f64 {
    let ray = direction(zeta);
    let bisect = |mut a: f64, mut b: f64, inside: &dyn Fn(f64) -> bool| {
        for _ in 0..80 {
            let m = 0.5 * (a + b);
            *(if inside(m) { &mut a } else { &mut b }) = m;
        }
        a
    };
    if let Some(order) = runge_kutta_order(scheme) {
        let inside = |x: f64| exponential(order, ray.times(x)).size() <= 1.0;
        let first = (1..10_000).map(|k| k as f64 * 1e-3).find(|x| !inside(*x)).unwrap();
        return bisect(first - 1e-3, first, &inside);
    }
    let b = adams_bashforth(multistep(scheme));
    let side = |angle: f64| {
        let z = locus(&b, angle) / ray;
        (z.1, z.0)
    };
    let n = 100_000;
    let mut nearest = f64::INFINITY;
    // nearer to 1 the locus and the imaginary axis agree to rounding (0.03^6 = 7e-10)
    for k in n / 100..n {
        let angles = [k, k + 1].map(|k| std::f64::consts::PI * k as f64 / n as f64);
        let [low, high] = angles.map(side);
        if (low.0 < 0.0) != (high.0 < 0.0) && low.1 > 0.0 && (low.1 - high.1).abs() < 0.1 {
            let at = bisect(angles[0], angles[1], &|angle| (side(angle).0 < 0.0) == (low.0 < 0.0));
            nearest = nearest.min(side(at).1);
        }
    }
    nearest
}

/// Whether the oscillator grows over a few thousand steps of w h.
fn grows(scheme: &str, options: &[(&str, f64)], zeta: f64, wh: f64) -> bool {
    let all = [&[("max_time_step", 1e9), ("cfl", 1e-3)], options].concat();
    let mut sim = oscillator(Along::X, W, zeta, [1.0, 0.4], scheme, &all);
    let mut largest = [0.0f64; 2];
    for n in 0..6000 {
        if sim.step(wh / W).is_err() {
            return true;
        }
        let [y, v, _] = motion(&sim, Along::X);
        let size = y.abs().max(v.abs() / W);
        if size > 1e100 {
            return true;
        }
        if n >= 2000 {
            largest[usize::from(n >= 4000)] = largest[usize::from(n >= 4000)].max(size);
        }
    }
    largest[1] > largest[0]
}

#[test]
fn theory_gives_the_published_limits() {
    // Hairer, Wanner II, sect. IV.2 and V.1; Durran (1991) for ab3 and ab4 on the imaginary axis
    for (scheme, published) in [("rk3", 3f64.sqrt()), ("rk4", 8f64.sqrt())] {
        assert!((limit(scheme, 0.0) / published - 1.0).abs() < 1e-10);
    }
    for (scheme, published, digit) in [("ab3", 0.7236, 1e-4), ("ab4", 0.43, 1e-3)] {
        assert!((limit(scheme, 0.0) - published).abs() < digit, "{scheme}: {}", limit(scheme, 0.0));
    }
    // euler: |1 + x (-zeta + i ..)|^2 = 1 - 2 zeta x + x^2
    assert!((limit("euler", 0.5) - 1.0).abs() < 1e-10);
}

#[test]
fn measured_limits_are_those_of_the_theory() {
    for zeta in [0.0, 0.05, 0.5] {
        for scheme in EXPLICIT {
            if zeta == 0.0 && !["rk3", "rk4", "ab3", "ab4", "lab3", "lab4"].contains(&scheme) {
                continue;
            }
            let exact = limit(scheme, zeta);
            // 2000 steps at 0.5 % from the limit: a root of modulus 1 +- 0.005 x (slope 0.1 at
            // least) multiplies by 1 +- 0.6
            let (below, above) = (grows(scheme, &[], zeta, 0.995 * exact), grows(scheme, &[], zeta, 1.005 * exact));
            println!(
                "{scheme:6} zeta {zeta}: theoretical limit of w h {exact:.5}, stable below {}, above {}",
                !below, !above
            );
            assert!(!below && above, "{scheme}, zeta {zeta}: limit {exact}, grows below: {below}, above: {above}");
        }
    }
}

#[test]
fn schemes_without_a_limit_grow_at_the_theoretical_rate_on_an_undamped_oscillator() {
    // The principal root: near exp(i w h), by Newton's method on xi^k - xi^(k-1) - z
    // sigma(xi); |R(z)| for one step.
    for scheme in ["euler", "leuler", "heun", "rk2", "ab2", "ab5", "lab2", "lab5"] {
        for wh in [0.05, 0.1, 0.2] {
            let z = C(0.0, wh);
            let root = match runge_kutta_order(scheme) {
                Some(order) => exponential(order, z).size(),
                None => principal_root(&adams_bashforth(multistep(scheme)), z).size(),
            };
            assert!(root > 1.0, "{scheme} {wh}: {root}");
            let mut sim = oscillator(Along::X, W, 0.0, [1.0, 0.4], scheme, &[("max_time_step", 1e9), ("cfl", 1e-3)]);
            let size = |sim: &Simulation| {
                let [y, v, _] = motion(sim, Along::X);
                y.hypot(v / W)
            };
            // after 200 steps the parasitic roots, of size below 0.8 for w h up to 0.2, have died
            // (0.8^200 = 4e-20)
            for _ in 0..200 {
                sim.step(wh / W).unwrap();
            }
            let before = size(&sim);
            for _ in 0..500 {
                sim.step(wh / W).unwrap();
            }
            let growth = (size(&sim) / before).ln() / 500.0;
            // u = y - i y'/w is an eigenvector of A, and -i w has the conjugate root: two of them
            // beat where xi != conj only; here |u| grows as |xi|^n exactly. Rounding: 500 steps of
            // 8 eps over 500.
            assert!((growth - root.ln()).abs() < 1e-13 + 1e-9 * root.ln(), "{scheme} {wh}: {growth:e} {:e}", root.ln());
        }
    }
}

fn principal_root(b: &[f64], z: C) -> C {
    let k = b.len();
    let mut xi = C::polar(1.0, z.1);
    for _ in 0..50 {
        let power = |n: usize| (0..n).fold(C(1.0, 0.0), |p, _| p * xi);
        let term = |j: usize| k - 1 - j;
        let value = b.iter().enumerate().fold(power(k) - power(k - 1), |s, (j, b)| s - z * power(term(j)).times(*b));
        let slope = |n: usize| if n == 0 { C(0.0, 0.0) } else { power(n - 1).times(n as f64) };
        let rate = b.iter().enumerate().fold(slope(k) - slope(k - 1), |s, (j, b)| s - z * slope(term(j)).times(*b));
        xi = xi - value / rate;
    }
    xi
}

#[test]
fn newmark_family_has_no_limit() {
    // A transient of the roots that fall together may overshoot: by no more than h y''(0) in y', so
    // w h in y'/w (Goudreau, Taylor 1973). After a thousand steps roots inside the unit circle have
    // forgotten it (a double root of 1 - 1/w h too, at w h up to 30; at 1e3 they are at infinity
    // already), and average acceleration keeps y'^2 + w^2 y^2 exactly.
    for (scheme, options) in [
        ("newmark", vec![]),
        ("newmark", vec![("newmark_gamma", 0.6), ("newmark_beta", 0.3025)]),
        ("hht", vec![("hht_alpha", -0.05)]),
        ("hht", vec![("hht_alpha", -0.3)]),
        ("generalized-alpha", vec![("rho_inf", 0.0)]),
        ("generalized-alpha", vec![("rho_inf", 0.8)]),
        ("generalized-alpha", vec![("rho_inf", 1.0)]),
    ] {
        for wh in [3.0, 30.0, 1e3] {
            let mut sim = oscillator(Along::X, W, 0.0, [1.0, 0.4], scheme, &options);
            let start = 1.0f64.hypot(0.4 / W);
            for n in 0..3000 {
                sim.step(wh / W).unwrap();
                let [y, v, _] = motion(&sim, Along::X);
                let size = y.hypot(v / W);
                let overshoot = if n < 1000 { 1.0 + wh } else { 1.0 };
                assert!(size < (1.0 + 1e-9) * overshoot * start, "{scheme} {options:?}, w h {wh}, step {n}: {size}");
            }
        }
    }
}

/// The estimate of the library.
fn stable_step(sim: &mut Simulation, scheme: &str) -> f64 {
    sim.settings().set_scheme(scheme).unwrap();
    sim.outputs().statistic("stable_step").unwrap()
}

/// The library bisects to 2^-40 of 0.01; eigenvalues carry some 1e-12. ab5's limit is a
/// near-tangent crossing.
fn assert_limits(claim: &str, sim: &mut Simulation, w: f64, zeta: f64) {
    for scheme in EXPLICIT {
        // where an undamped mode has no step at all, that of a damping ratio of 0.05 counts
        let least = if ["rk3", "rk4", "ab3", "ab4", "lab3", "lab4"].contains(&scheme) { 0.0 } else { 0.05 };
        let exact = limit(scheme, f64::max(zeta, least)) / w;
        let got = stable_step(sim, scheme);
        assert!((got / exact - 1.0).abs() < 1e-6, "{claim}, {scheme}: {got} instead of {exact}");
    }
    for scheme in ["newmark", "hht", "generalized-alpha", "beuler5", "midpoint5", "anderson5", "aca5", "wilson5"] {
        assert_eq!(stable_step(sim, scheme), f64::INFINITY, "{claim}, {scheme}");
    }
}

#[test]
fn stable_step_of_an_oscillator_is_the_limit_over_its_frequency() {
    for along in [Along::X, Along::Turn] {
        for zeta in [0.0, 0.02, 0.3, 0.5] {
            let mut sim = oscillator(along, 7.0, zeta, [0.0, 0.0], "rk4", &[]);
            assert_limits(&format!("{along:?}, zeta {zeta}"), &mut sim, 7.0, zeta);
        }
    }
}

#[test]
fn stable_step_of_two_bodies_on_one_spring_is_that_of_their_exact_frequency() {
    // free in space: w^2 = k (1/m1 + 1/m2); a damper c: 2 zeta w = c (1/m1 + 1/m2)
    for (m1, m2) in [(1.0, 1.0), (1.0, 5.0), (40.0, 2.0)] {
        for c in [0.0, 3.0] {
            let mut sim = Simulation::new();
            let [a, b] = [(m1, 0.0), (m2, 2.0)].map(|(m, x)| {
                sim.build()
                    .add_rigid_body(m, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([x, 0.0, 0.0], UNROTATED))
                    .unwrap()
            });
            sim.elements().add_spring(a, &[0.0; 3], b, &[0.0; 3], 300.0, c, 2.0, false).unwrap();
            sim.initialize(0.0).unwrap();
            let inverse = 1.0 / m1 + 1.0 / m2;
            let w = (300.0f64 * inverse).sqrt();
            assert_limits(&format!("masses {m1} and {m2}, c {c}"), &mut sim, w, c * inverse / (2.0 * w));
        }
    }
}

#[test]
fn stable_step_with_joints_is_that_of_the_mechanism() {
    // A compound pendulum about y with a torsional spring at its joint, w^2 = k/(J + m l^2); then
    // two bodies held together by a fixed joint on one bushing, w^2 = k/(m1 + m2), the lighter one
    // alone would have sqrt(11) times that.
    let (m, l, j, k) = (2.0, 0.7, 0.3, 50.0);
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let body =
        sim.build().add_rigid_body(m, &[0.0; 3], &[j, j, j, 0.0, 0.0, 0.0], &pose([0.0, 0.0, -l], UNROTATED)).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.build().set_joint_spring(joint, k, 1.5, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    let inertia = j + m * l * l;
    let w = (k / inertia).sqrt();
    assert_limits("pendulum on a joint spring", &mut sim, w, 1.5 / (2.0 * w * inertia));

    let mut sim = Simulation::new();
    let [a, b] = [(1.0, 0.0), (10.0, 1.0)].map(|(m, x)| {
        sim.build()
            .add_rigid_body(m, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([x, 0.0, 0.0], UNROTATED))
            .unwrap()
    });
    sim.build().add_joint_at(JointKind::Fixed, a, b, &[0.5, 0.0, 0.0], None).unwrap();
    sim.elements()
        .add_bushing(GROUND, a, &ORIGIN, &ORIGIN, &diagonal([90.0, 0.0, 0.0, 0.0, 0.0, 0.0]), &diagonal([0.0; 6]))
        .unwrap();
    sim.initialize(0.0).unwrap();
    assert_limits("two bodies as one", &mut sim, (90.0f64 / 11.0).sqrt(), 0.0);
}

#[test]
fn host_steps_are_cut_at_cfl_times_the_stable_step() {
    // w h = limit of rk4 at zeta 0.05 times cfl: ceil(dt/that) equal parts
    for (cfl, dt) in [(0.5, 3.0), (0.9, 10.0), (0.25, 0.1)] {
        for scheme in ["rk4", "ab3", "euler"] {
            let mut sim = oscillator(Along::X, W, 0.2, [1.0, 0.0], scheme, &[("cfl", cfl)]);
            sim.step(dt).unwrap();
            let parts = (dt / (cfl * limit(scheme, 0.2) / W)).ceil();
            assert_eq!(sim.outputs().statistic("substeps").unwrap(), parts, "{scheme}, cfl {cfl}, dt {dt}");
            assert!(sim.outputs().body_velocity(0, Frame::Inertial).unwrap()[0].abs() < 2.0);
        }
    }
}
