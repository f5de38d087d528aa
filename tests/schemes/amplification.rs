//! Every scheme on y'' + 2 zeta w y' + w^2 y = 0 equals the recursion of its formula, step by step
//! to rounding.
//!
//! With A = [0 1; -w^2 -2 zeta w] and y = (y, y'): Runge-Kutta methods of order p with p stages
//! multiply by sum_k (h A)^k/k!, Adams-Bashforth methods add h A sum_j b_j y(n-j), the
//! semi-implicit ones iterate F = A (y + k h F); the Newmark family solves one equation for a(n+1)
//! (Newmark 1959; Hilber, Hughes, Taylor 1977; Chung, Hulbert 1993).
//!
//! Bound: each step rounds off some units (64 of them) of the largest number in it, and no
//! recursion carries an error further than it carries y: steps x 64 eps x max |y|. Newton's
//! increments carry the rounding of y into y'' by 1/(beta h^2).

use crate::models::*;

const STEPS: usize = 200;
const W: f64 = 1.7;
const WH: [f64; 2] = [0.3, 0.11];
const START: [f64; 2] = [0.8, 0.5];
const UNIT: f64 = 64.0 * f64::EPSILON;

type Y = [f64; 2];

/// What the library computes: y, y', y'' at 0, h, 2 h, ...
fn computed(along: Along, scheme: &str, options: &[(&str, f64)], zeta: f64, h: f64) -> Vec<[f64; 3]> {
    // a growing iteration follows its recursion as well
    let accept = ("on_no_convergence", 1.0);
    let all = [&[("max_time_step", 1.0), ("abs_tolerance", 0.0), ("rel_tolerance", 0.0), accept], options].concat();
    let mut sim = oscillator(along, W, zeta, START, scheme, &all);
    let mut out = vec![motion(&sim, along)];
    for n in 0..STEPS {
        sim.step(h).unwrap_or_else(|e| panic!("{scheme}, step {n}: {e}"));
        out.push(motion(&sim, along));
    }
    out
}

/// A y.
fn rate(y: Y, zeta: f64) -> Y {
    [y[1], -W * W * y[0] - 2.0 * zeta * W * y[1]]
}

fn plus(y: Y, c: f64, r: Y) -> Y {
    [y[0] + c * r[0], y[1] + c * r[1]]
}

/// Largest difference, y' over w and y'' over w^2, against the bound with a condition number for
/// y''.
fn assert_same(claim: &str, got: &[[f64; 3]], expected: impl Fn(usize) -> [f64; 3], condition: f64) {
    let mut largest = 0.0f64;
    for (n, got) in got.iter().enumerate() {
        let expected = expected(n);
        largest = [got[0], got[1] / W, got[2] / (W * W)].iter().fold(largest, |l, x| l.max(x.abs()));
        let bound = UNIT * (n + 1) as f64 * largest;
        for (k, (unit, condition)) in [(1.0, 1.0), (W, 1.0), (W * W, condition)].into_iter().enumerate() {
            let off = (got[k] - expected[k]).abs() / unit;
            assert!(
                off <= bound * condition,
                "{claim}: step {n}, component {k}: {} instead of {}, off by {off:e}, allowed {:e}",
                got[k],
                expected[k],
                bound * condition
            );
        }
    }
}

/// Runs the library, and a recursion y(n+1) from all y before, begun with the library's own first
/// `given` states.
fn assert_recursion(scheme: &str, options: &[(&str, f64)], given: usize, next: impl Fn(&[Y], f64, f64) -> Y) {
    for zeta in [0.0, 0.5] {
        // longer steps lie outside the stability regions of multistep methods: parasitic roots
        // would carry errors further
        for wh in if given > 1 { [0.11, 0.05] } else { WH } {
            let h = wh / W;
            let got = computed(Along::X, scheme, options, zeta, h);
            let mut y: Vec<Y> = got[..given].iter().map(|y| [y[0], y[1]]).collect();
            while y.len() < got.len() {
                y.push(next(&y, zeta, h));
            }
            let claim = format!("{scheme} {options:?}, zeta {zeta}, w h {wh}");
            assert_same(&claim, &got, |n| [y[n][0], y[n][1], rate(y[n], zeta)[1]], 1.0);
        }
    }
}

#[test]
fn runge_kutta_methods_multiply_by_the_truncated_exponential() {
    for scheme in ["euler", "leuler", "heun", "rk2", "rk3", "rk4"] {
        let order = runge_kutta_order(scheme).unwrap();
        assert_recursion(scheme, &[], 1, |y, zeta, h| {
            let last = *y.last().unwrap();
            let mut term = last;
            let mut sum = last;
            for k in 1..=order {
                term = plus([0.0; 2], h / k as f64, rate(term, zeta));
                sum = plus(sum, 1.0, term);
            }
            sum
        });
    }
}

#[test]
fn adams_bashforth_methods_are_their_recursion() {
    for (family, order) in ["ab", "lab"].into_iter().flat_map(|f| (2..=5).map(move |p| (f, p))) {
        let b = adams_bashforth(order);
        assert_recursion(&format!("{family}{order}"), &[], order, |y, zeta, h| {
            let rates = b.iter().zip(y.iter().rev());
            rates.fold(*y.last().unwrap(), |sum, (b, y)| plus(sum, h * b, rate(*y, zeta)))
        });
    }
}

#[test]
fn adams_bashforth_methods_start_with_the_runge_kutta_method_of_their_order() {
    // The first p - 1 states, which the test above takes from the library. Order 5 needs six
    // stages: their polynomial is the exponential to z^5/120, and some multiple of z^6, which is (w
    // h)^6 = 7e-4 here.
    for (family, order) in ["ab", "lab"].into_iter().flat_map(|f| (2..=5).map(move |p| (f, p))) {
        let h = WH[0] / W;
        let got = computed(Along::X, &format!("{family}{order}"), &[], 0.0, h);
        for n in 0..order - 1 {
            let u = |y: &[f64; 3]| C(y[0], -y[1] / W);
            let factor = u(&got[n + 1]) / u(&got[n]);
            let off = (factor - exponential(order, C(0.0, WH[0]))).size();
            let allowed = if order < 5 { UNIT } else { WH[0].powi(6) / 120.0 };
            assert!(off <= allowed, "{family}{order}, step {n}: off by {off:e}");
        }
    }
}

/// Weight of the evaluated rate: the f of MoorDyn's page, or one minus the R of its code with (C0,
/// C1).
pub fn weight(code: bool, [c0, c1]: [f64; 2], m: usize, of: usize) -> f64 {
    let (i, n) = (m as f64, of as f64);
    if code {
        1.0 - (c0 * (1.0 - 1.0 / n) + c1 * (1.0 - ((4.0 * ((i + 1.0) / n - 0.5)).tanh() + 1.0) / 2.0))
    } else if of < 10 {
        (0.1 - 0.01 * n) / n
    } else {
        0.07 / n + (i / n).tanh() / (10.0 + 0.051 * n * n)
    }
}

#[test]
fn backward_euler_and_midpoint_iterate_the_derivative() {
    let schemes = [
        ("beuler", 1),
        ("beuler", 2),
        ("beuler", 7),
        ("beuler", 12),
        ("midpoint", 1),
        ("midpoint", 4),
        ("anderson", 1),
    ];
    for ((family, substeps), code) in schemes.into_iter().flat_map(|s| [(s, false), (s, true)]) {
        let k = if family == "midpoint" { 0.5 } else { 1.0 };
        let options = [("relaxation", f64::from(u8::from(code)))];
        assert_recursion(&format!("{family}{substeps}"), &options, 1, |y, zeta, h| {
            let y = *y.last().unwrap();
            let mut f = rate(y, zeta);
            for m in 0..substeps {
                let evaluated = rate(plus(y, k * h, f), zeta);
                let weight = if m + 1 == substeps { 1.0 } else { weight(code, [0.9, 0.0], m, substeps) };
                f = plus([0.0; 2], 1.0 - weight, f);
                f = plus(f, weight, evaluated);
            }
            plus(y, h, f)
        });
    }
}

/// acaN and wilsonN: the iteration for A; a is carried by wilson.
fn accelerated(scheme: &str, along: Along, substeps: usize, code: bool, zeta: f64, h: f64) {
    let wilson = scheme.starts_with("wilson");
    let theta = if wilson { 1.37 } else { 1.0 };
    let end = h * theta;
    let (now, later) = if wilson { (1.0 / 3.0, 1.0 / 6.0) } else { (0.25, 0.25) };
    let constants = if wilson { [0.9, 0.0] } else { [0.9, 0.15] };
    let got = computed(along, scheme, &[("relaxation", f64::from(u8::from(code)))], zeta, h);
    let mut y = vec![START];
    let mut carried = rate(START, zeta)[1];
    for n in 0..STEPS {
        let [x, v] = y[n];
        let a = if wilson { carried } else { rate(y[n], zeta)[1] };
        let mut found = rate(y[n], zeta)[1];
        for m in 0..substeps {
            let there = [x + end * v + end * end * (now * a + later * found), v + 0.5 * end * (a + found)];
            let weight = if m + 1 == substeps { 1.0 } else { weight(code, constants, m, substeps) };
            found = (1.0 - weight) * found + weight * rate(there, zeta)[1];
        }
        carried = a + (found - a) / theta;
        y.push([x + h * v + h * h * (now * a + later * carried), v + 0.5 * h * (a + carried)]);
    }
    let claim = format!("{scheme} along {along:?}, code {code}, zeta {zeta}, h {h}");
    assert_same(&claim, &got, |n| [y[n][0], y[n][1], rate(y[n], zeta)[1]], 1.0);
}

#[test]
fn average_acceleration_and_wilson_iterate_the_acceleration() {
    for (family, substeps) in [("aca", 1), ("aca", 3), ("aca", 11), ("wilson", 1), ("wilson", 3), ("wilson", 11)] {
        for (zeta, wh) in [0.0, 0.5].into_iter().flat_map(|z| WH.map(|wh| (z, wh))) {
            for (along, code) in [(Along::X, false), (Along::X, true), (Along::Turn, true)] {
                accelerated(&format!("{family}{substeps}"), along, substeps, code, zeta, wh / W);
            }
        }
    }
}

/// One step of the Newmark family as its books print it; a is what the family carries, y'' of
/// Newmark and HHT.
fn newmark_family(p: Family, [x, v, a]: [f64; 3], zeta: f64, h: f64) -> [f64; 3] {
    let Family { am, af, gamma, beta } = p;
    // (1 - am) a+ + am a + (1 - af) (2 zeta w v+ + w^2 x+) + af (2 zeta w v + w^2 x) = 0
    let (x0, v0) = (x + h * v + h * h * (0.5 - beta) * a, v + h * (1.0 - gamma) * a);
    let (c, k) = (2.0 * zeta * W, W * W);
    let known = am * a + (1.0 - af) * (c * v0 + k * x0) + af * (c * v + k * x);
    let next = -known / ((1.0 - am) + (1.0 - af) * (c * gamma * h + k * beta * h * h));
    [x0 + h * h * beta * next, v0 + h * gamma * next, next]
}

/// The first step after a start that knows y'' alone, damped as the documentation has it: Newmark's
/// with the a of smooth motion at both ends.
fn first_of_family(p: Family, y: Y, zeta: f64, h: f64) -> [f64; 3] {
    let d = p.af - p.am;
    let stiff = 2.0 * zeta * W * h + 0.5 * (p.gamma - 0.5) * W * W * h * h;
    let damped = rate(y, zeta)[1] * (1.0 - (stiff / (1.0 + stiff)).powi(3));
    let newmark = Family { am: 0.0, af: 0.0, gamma: p.gamma - d, beta: p.beta - 0.5 * d };
    let [x, v, a] = newmark_family(newmark, [y[0], y[1], damped], zeta, h);
    [x, v, a - d * (a - damped)]
}

/// Parameters.
#[derive(Clone, Copy, Debug)]
struct Family {
    am: f64,
    af: f64,
    gamma: f64,
    beta: f64,
}

#[test]
fn newmark_hht_and_generalized_alpha_are_those_of_the_books() {
    let newmark = |gamma, beta| Family { am: 0.0, af: 0.0, gamma, beta };
    let hht = |alpha: f64| Family { am: 0.0, af: -alpha, gamma: 0.5 - alpha, beta: (1.0 - alpha).powi(2) / 4.0 };
    let optimal = |rho: f64| {
        let (am, af) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Family { am, af, gamma: 0.5 - am + af, beta: (1.0 - am + af).powi(2) / 4.0 }
    };
    let mut cases = vec![
        ("newmark", vec![], newmark(0.5, 0.25)),
        ("newmark", vec![("newmark_gamma", 0.6), ("newmark_beta", 0.3025)], newmark(0.6, 0.3025)),
        ("hht", vec![("hht_alpha", -0.05)], hht(-0.05)),
        ("hht", vec![("hht_alpha", -0.3)], hht(-0.3)),
    ];
    cases.extend([0.0, 0.5, 0.8, 1.0].map(|rho| ("generalized-alpha", vec![("rho_inf", rho)], optimal(rho))));
    let motions = [(Along::X, 0.0), (Along::X, 0.5), (Along::Turn, 0.0), (Along::Turn, 0.5)];
    for ((scheme, options, family), given) in cases.iter().flat_map(|case| [(case, 0.0), (case, 1.0)]) {
        let options = [&options[..], &[("initial_acceleration", given)]].concat();
        for (along, zeta) in motions {
            for wh in WH {
                let h = wh / W;
                let got = computed(along, scheme, &options, zeta, h);
                let mut states = vec![[START[0], START[1], rate(START, zeta)[1]]];
                for n in 0..STEPS {
                    states.push(match n {
                        0 if given == 0.0 => first_of_family(*family, START, zeta, h),
                        _ => newmark_family(*family, states[n], zeta, h),
                    });
                }
                let claim = format!("{scheme} {options:?} along {along:?}, zeta {zeta}, w h {wh}");
                // the output is the acceleration of the motion, not the averaged acceleration of
                // the scheme
                let read = |n: usize| [states[n][0], states[n][1], rate([states[n][0], states[n][1]], zeta)[1]];
                assert_same(&claim, &got, read, 1.0 + 1.0 / (family.beta * wh * wh));
            }
        }
    }
}
