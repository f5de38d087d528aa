//! Local time steps: entities of very different stiffness keep the order of the method with steps
//! of their own, are evaluated once per own step, and with equal steps give the result of the
//! method on the whole model.

use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

/// A point that a spring holds: fixed, on a body of the reference (13 numbers from an offset), on
/// the arm that turns about y at the origin (2 numbers from an offset), or moved by the host.
#[derive(Clone, Copy)]
enum End {
    Fixed(V3),
    Body(usize, V3),
    Arm(usize, V3),
    Moved(V3),
}

/// A spring: ends, stiffness, damping, rest length.
type Link = (End, End, f64, f64, f64);

const TURN: V3 = [0.0, 1.0, 0.0];
/// Mass and inertia of free bodies.
const MASS: f64 = 1.0;
const INERTIA: V3 = [0.3, 0.4, 0.5];
/// Of the arm about its centre, which is at ARM.
const ARM: V3 = [0.0, 0.0, -0.5];
const ARM_INERTIA: f64 = 0.05;

fn moved(t: f64) -> [V3; 3] {
    let (s, c) = (4.0 * t).sin_cos();
    [[3.0 + 0.3 * s, 0.2 * c, 0.1], [1.2 * c, -0.8 * s, 0.0], [-4.8 * s, -3.2 * c, 0.0]]
}

fn point(end: End, t: f64, y: &[f64]) -> (V3, V3) {
    match end {
        End::Fixed(x) => (x, [0.0; 3]),
        End::Moved(x) => (add(moved(t)[0], x), moved(t)[1]),
        End::Body(at, x) => {
            let y = &y[at..at + BODY];
            let q = orientation(y);
            (add(position(y), rotate(q, x)), rotate(q, add(linear(y), cross(angular(y), x))))
        }
        End::Arm(at, x) => {
            let r = rotate(quat_exp(scale(y[at], TURN)), add(ARM, x));
            (r, cross(scale(y[at + 1], TURN), r))
        }
    }
}

/// The rate of the state under the springs; free bodies first, then the arm if there is one.
fn rate(links: &[Link], bodies: usize, arm: bool, t: f64, y: &[f64], dy: &mut [f64]) {
    let mut wrenches = vec![[0.0; 6]; bodies];
    let mut torque = 0.0;
    for (a, b, k, c, rest) in links {
        let ((xa, va), (xb, vb)) = (point(*a, t, y), point(*b, t, y));
        let (d, length) = (sub(xb, xa), distance(xa, xb));
        let n = scale(1.0 / length, d);
        let pull = scale(k * (length - rest) + c * dot(n, sub(vb, va)), n);
        for (end, force, x) in [(a, pull, xa), (b, scale(-1.0, pull), xb)] {
            match end {
                End::Body(at, arm) => {
                    let f = unrotate(orientation(&y[*at..at + BODY]), force);
                    let wrench = &mut wrenches[at / BODY];
                    *wrench = std::array::from_fn(|k| wrench[k] + join(f, cross(*arm, f))[k]);
                }
                End::Arm(..) => torque += dot(cross(x, force), TURN),
                _ => {}
            }
        }
    }
    let mass = mass_matrix(MASS, [0.0; 3], diag(INERTIA));
    for (k, wrench) in wrenches.into_iter().enumerate() {
        let part = k * BODY..(k + 1) * BODY;
        kirchhoff_rate(&mass, &y[part.clone()], wrench, &mut dy[part]);
    }
    if arm {
        let at = bodies * BODY;
        (dy[at], dy[at + 1]) = (y[at + 1], torque / (ARM_INERTIA + MASS * dot(ARM, ARM)));
    }
}

/// A case: bodies of the reference and of the model, springs, an arm or not, a prescribed body or
/// not.
struct Case {
    name: &'static str,
    starts: Vec<([f64; 7], [f64; 6])>,
    arm: Option<[f64; 2]>,
    carried: bool,
    links: Vec<Link>,
    /// Multiples of the smallest step that entities are to take.
    multiples: Vec<usize>,
    /// Fewest host steps for orders 1 to 5.
    fewest: [usize; 5],
}

impl Case {
    fn build(&self) -> Simulation {
        let mut sim = Simulation::new();
        let inertia = six(&diag(INERTIA));
        for (at, v) in &self.starts {
            let id = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, at).unwrap();
            sim.build().set_body_velocity(id, v).unwrap();
        }
        let mut last = self.starts.len() as Id;
        let arm = last;
        if let Some([angle, speed]) = self.arm {
            let (at, v) = crate::problems::swung([0.0; 3], ARM, TURN, angle, speed, [0.0; 3]);
            let j = [ARM_INERTIA, ARM_INERTIA, ARM_INERTIA, 0.0, 0.0, 0.0];
            let id = sim.build().add_rigid_body(MASS, &[0.0; 3], &j, &at).unwrap();
            sim.build().set_body_velocity(id, &v).unwrap();
            sim.build().add_joint_at(JointKind::Revolute, GROUND, id, &[0.0; 3], Some(&TURN)).unwrap();
            last += 1;
        }
        if self.carried {
            let [x, v, _] = moved(0.0);
            let id = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &pose(x, UNROTATED)).unwrap();
            sim.build().set_body_velocity(id, &join(v, [0.0; 3])).unwrap();
            sim.build().set_body_prescribed(id, true).unwrap();
        }
        let end = |end: End| match end {
            End::Fixed(x) => (GROUND, x),
            End::Body(at, x) => ((at / BODY) as Id, x),
            End::Arm(_, x) => (arm, x),
            End::Moved(x) => (last, x),
        };
        for (a, b, k, c, rest) in &self.links {
            let ((a, pa), (b, pb)) = (end(*a), end(*b));
            sim.elements().add_spring(a, &pa, b, &pb, *k, *c, *rest, false).unwrap();
        }
        sim
    }

    fn give(&self, sim: &mut Simulation, t: f64) {
        if self.carried {
            let [x, v, a] = moved(t);
            let id = self.starts.len() as Id + Id::from(self.arm.is_some());
            sim.inputs().set_body_motion(id, &pose(x, UNROTATED), &join(v, [0.0; 3]), &join(a, [0.0; 3])).unwrap();
        }
    }

    /// The state at the end by Runge-Kutta 4: stiffest w 40, 1 s in 4e4 steps: (1e-3)^4/120 per
    /// radian.
    fn exact(&self, end: f64) -> Vec<f64> {
        let mut y: Vec<f64> = self.starts.iter().flat_map(|(p, v)| body_state(p, v)).collect();
        y.extend(self.arm.into_iter().flatten());
        let f = |t: f64, y: &[f64], dy: &mut [f64]| rate(&self.links, self.starts.len(), self.arm.is_some(), t, y, dy);
        rk4_samples(f, &y, end, 1, 40_000).pop().unwrap()
    }

    /// The model, initialized for steps `host` of the host, cut into ticks; `cfl` is set so that
    /// the stiffest entity may take `ratio` ticks.
    fn ready(&self, scheme: &str, host: f64, ticks: usize, ratio: f64) -> Simulation {
        let mut sim = self.build();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("max_time_step", host / ticks as f64).unwrap();
        self.give(&mut sim, 0.0);
        sim.initialize(0.0).unwrap();
        let limit = sim.outputs().statistic("stable_step").unwrap();
        sim.settings().set_option("cfl", ratio * host / ticks as f64 / limit).unwrap();
        sim
    }

    fn run(&self, sim: &mut Simulation, host: f64, steps: usize) {
        let first = (sim.time().unwrap() / host).round() as usize;
        for n in first + 1..=first + steps {
            self.give(sim, n as f64 * host);
            sim.step(host).unwrap_or_else(|e| panic!("{}, step {n}: {e}", self.name));
        }
    }

    /// Error of everything that moves freely: lengths, angles, rates over 10 1/s.
    fn error(&self, sim: &Simulation, exact: &[f64]) -> f64 {
        let mut sum = 0.0;
        let mut add_up = |x: f64| sum += x * x;
        for k in 0..self.starts.len() {
            let y = &exact[k * BODY..(k + 1) * BODY];
            let p = sim.outputs().body_pose(k as Id).unwrap();
            let (v, w) = halves(sim.outputs().body_velocity(k as Id, Frame::Body).unwrap());
            add_up(distance(place(&p), position(y)));
            add_up(angle_between(turn(&p), orientation(y)));
            add_up(0.1 * distance(v, linear(y)));
            add_up(0.1 * distance(w, angular(y)));
        }
        if self.arm.is_some() {
            let (at, id) = (self.starts.len() * BODY, self.starts.len() as Id);
            add_up(angle_between(turn(&sim.outputs().body_pose(id).unwrap()), quat_exp(scale(exact[at], TURN))));
            add_up(0.1 * (sim.outputs().body_velocity(id, Frame::Inertial).unwrap()[4] - exact[at + 1]));
        }
        sum.sqrt()
    }
}

fn start(x: f64, spin: f64) -> ([f64; 7], [f64; 6]) {
    (pose([x, 0.1, -0.05], unit([0.9, 0.1, -0.2, 0.3])), [0.3, 0.4, -0.2, spin, -0.6, 0.4])
}

/// Four springs of stiffness k that hold the body of the reference at `at` about a place on the x
/// axis.
fn hold(at: usize, x: f64, k: f64) -> Vec<Link> {
    [[0.0, 1.0, 0.2], [0.1, -0.8, 0.5], [0.0, 0.1, -1.0], [-0.9, 0.2, 0.3]]
        .map(|d| (End::Body(at, scale(0.3, d)), End::Fixed(add([x, 0.0, 0.0], scale(1.5, d))), k, 0.02 * k.sqrt(), 1.1))
        .to_vec()
}

/// A body held by stiff springs, beside one held by soft ones; a weak spring between.
fn pair() -> Case {
    let mut links = hold(0, 0.0, 150.0);
    links.extend(hold(BODY, 1.5, 1.5));
    links.push((End::Body(0, [0.2, 0.1, 0.0]), End::Body(BODY, [-0.2, 0.0, 0.1]), 1.0, 0.05, 0.8));
    Case {
        name: "pair",
        starts: vec![start(0.0, 0.8), start(1.5, -0.5)],
        arm: None,
        carried: false,
        links,
        multiples: vec![1, 8],
        fewest: [2500, 60, 50, 80, 50],
    }
}

/// Three: a stiff one, one ten times softer, one a hundred times.
fn three() -> Case {
    let mut links = hold(0, 0.0, 150.0);
    links.extend(hold(BODY, 1.5, 20.0));
    links.extend(hold(2 * BODY, 3.0, 1.5));
    links.push((End::Body(0, [0.2, 0.1, 0.0]), End::Body(BODY, [-0.2, 0.0, 0.1]), 1.0, 0.05, 0.8));
    links.push((End::Body(BODY, [0.2, 0.1, 0.0]), End::Body(2 * BODY, [-0.2, 0.0, 0.1]), 0.8, 0.05, 0.9));
    let starts = vec![start(0.0, 0.8), start(1.5, -0.5), start(3.0, 0.3)];
    Case {
        name: "three",
        starts,
        arm: None,
        carried: false,
        links,
        multiples: vec![1, 2, 8],
        fewest: [2500, 60, 50, 40, 40],
    }
}

/// A stiffly held arm on a revolute joint, tied to a soft free body.
fn arm() -> Case {
    let mut links = vec![
        (End::Arm(BODY, [0.0, 0.0, -0.4]), End::Fixed([1.2, 0.0, -0.9]), 700.0, 0.2, 1.1),
        (End::Arm(BODY, [0.1, 0.0, -0.3]), End::Fixed([-1.3, 0.0, -0.8]), 700.0, 0.2, 1.2),
        (End::Arm(BODY, [0.0, 0.1, -0.2]), End::Body(0, [-0.2, 0.0, 0.1]), 1.0, 0.05, 1.0),
    ];
    for d in [[0.0, 1.0, 0.2], [0.1, -0.8, 0.5], [0.0, 0.1, -1.0], [0.9, 0.2, 0.3]] {
        links.push((End::Body(0, scale(0.3, d)), End::Fixed(add([1.5, 0.0, 0.0], scale(1.5, d))), 1.5, 0.03, 1.1));
    }
    Case {
        name: "arm",
        starts: vec![start(1.5, -0.5)],
        arm: Some([0.1, 0.5]),
        carried: false,
        links,
        multiples: vec![8, 1],
        fewest: [2500, 120, 80, 100, 180],
    }
}

/// The pair with a body beside it that the host moves, tied to both.
fn carried() -> Case {
    let mut case = pair();
    case.links.push((End::Moved([0.1, 0.0, 0.2]), End::Body(BODY, [0.2, 0.0, 0.0]), 1.0, 0.05, 1.0));
    case.links.push((End::Moved([0.0, 0.1, 0.0]), End::Body(0, [0.1, 0.2, 0.0]), 2.0, 0.05, 2.5));
    Case { name: "carried", carried: true, ..case }
}

const LOCAL: [(&str, &str, usize); 5] =
    [("leuler", "euler", 1), ("lab2", "ab2", 2), ("lab3", "ab3", 3), ("lab4", "ab4", 4), ("lab5", "ab5", 5)];
const TICKS: usize = 8;
/// The stiffest entity may take 1.3 ticks, the softest then 8 or more.
const RATIO: f64 = 1.3;

#[test]
fn local_steps_keep_the_order_at_a_fixed_ratio_of_steps() {
    let end = 0.8;
    let mut faults = Vec::new();
    for case in [pair(), three(), arm(), carried()] {
        let exact = case.exact(end);
        for (scheme, _, order) in LOCAL {
            let coarsest = case.fewest[order - 1];
            let errors = [1, 2, 4, 8].map(|k| {
                let steps = k * coarsest;
                let mut sim = case.ready(scheme, end / steps as f64, TICKS, RATIO);
                case.run(&mut sim, end / steps as f64, steps);
                case.error(&sim, &exact)
            });
            let orders: Vec<f64> = errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect();
            let shown = errors.map(|e| format!("{e:.2e}")).join(" ");
            println!("{}, {scheme}: errors {shown}, orders {orders:.3?}", case.name);
            if (orders[2] - order as f64).abs() > 0.1 || errors[3] < 2e-12 || errors[0] > 0.1 {
                faults.push(format!("{}, {scheme}: errors {shown}, orders {orders:.3?} instead of {order}", case.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn local_steps_cost_what_each_entity_takes() {
    // Per host step of P ticks: P/n evaluations of an entity of step n; the method of the whole
    // model takes P of all. Away from the start, which is Runge-Kutta steps of everything.
    for case in [pair(), three(), arm(), carried()] {
        for (local, whole, _) in LOCAL {
            let host = 0.004;
            let bodies = case.starts.len() + usize::from(case.arm.is_some()) + usize::from(case.carried);
            let mut sim = case.ready(local, host, TICKS, RATIO);
            let mut all = case.ready(whole, host, TICKS, RATIO);
            let mut cost = [0.0; 2];
            for (cost, sim) in cost.iter_mut().zip([&mut sim, &mut all]) {
                case.run(sim, host, 10);
                let before = sim.outputs().statistic("body_evaluations").unwrap();
                case.run(sim, host, 10);
                *cost = (sim.outputs().statistic("body_evaluations").unwrap() - before) / 10.0;
            }
            // The evaluation at the end of a host step is of the whole model, the moved body
            // included.
            let expected = case.multiples.iter().map(|n| TICKS / n).sum::<usize>() + usize::from(case.carried);
            println!("{}, {local}: {} evaluations of a body per host step, {whole} {}", case.name, cost[0], cost[1]);
            assert_eq!(cost, [expected as f64, (TICKS * bodies) as f64], "{}, {local}", case.name);
        }
    }
}

#[test]
fn equal_steps_are_the_method_of_the_whole_model() {
    // All entities at one tick: the same sums per body, with forces evaluated entity by entity: the
    // order in which springs are added differs, rounding does. 400 steps of 64 units, carried on by
    // stiff springs (w 40, v over 10 1/s).
    for case in [pair(), three(), arm(), carried()] {
        for (local, whole, _) in LOCAL {
            let host = 0.004;
            let mut a = case.ready(local, host, TICKS, 1.0);
            let mut b = case.ready(whole, host, TICKS, 1.0);
            // with a stable step below one tick, no entity takes longer steps
            a.settings().set_option("cfl", 1e-6).unwrap();
            case.run(&mut a, host, 50);
            case.run(&mut b, host, 50);
            for body in 0..a.description().count(pintle::EntityKind::Body) {
                let [pa, pb] = [&a, &b].map(|sim| sim.outputs().body_pose(body).unwrap());
                let [va, vb] = [&a, &b].map(|sim| sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
                let bound = 400.0 * 64.0 * f64::EPSILON;
                assert_close(&format!("{} {local}, pose", case.name), &pa, &pb, bound);
                assert_close(&format!("{} {local}, velocity", case.name), &va, &vb, 40.0 * bound);
            }
            assert_eq!(a.outputs().statistic("substeps").unwrap(), b.outputs().statistic("substeps").unwrap());
        }
    }
}

#[test]
fn undamped_neighbours_do_not_excite_each_other() {
    // 1 kg at 1 rad/s and on it 10 g at 20 rad/s, no damping: with steps of the slow body that
    // ignore the fast one lab3 makes 1e8 of the energy within 20 s. The steps chosen allow a mode
    // to grow by 0.3 % per period, 64 periods in 20 s: a factor of exp(2 * 64 * 0.003) = 1.5 in
    // energy at most.
    for scheme in ["lab3", "lab4"] {
        let mut sim = Simulation::new();
        let j = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let slow = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
        let fast = sim.build().add_rigid_body(0.01, &[0.0; 3], &j, &pose([2.1, 0.0, 0.0], UNROTATED)).unwrap();
        sim.elements().add_spring(GROUND, &[0.0; 3], slow, &[0.0; 3], 1.0, 0.0, 0.9, false).unwrap();
        sim.elements().add_spring(slow, &[0.0; 3], fast, &[0.0; 3], 4.0, 0.0, 1.0, false).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.0).unwrap();
        let energy = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
        let start = energy(&sim);
        for _ in 0..100 {
            sim.step(0.2).unwrap();
        }
        assert!(energy(&sim) < 1.5 * start, "{scheme}: {start} -> {}", energy(&sim));
        // and the slow body does take longer steps
        let [bodies, ticks] = ["body_evaluations", "substeps"].map(|key| sim.outputs().statistic(key).unwrap());
        assert!(bodies < 1.9 * ticks, "{scheme}: {bodies} evaluations of a body in {ticks} ticks");
    }
}

#[test]
fn ticks_of_another_length_start_the_history_anew() {
    // With all multiples 1 lab3 is ab3, which starts anew where the internal step changes: here by
    // max_time_step, under host steps of one length. Rates taken at the old spacing would be off by
    // a part of the motion; rounding as above.
    let run = |scheme: &str| {
        let mut sim = Simulation::new();
        let at = pose([1.0, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
        sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &diagonal([25.0; 6]), &[0.0; 36]).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("cfl", 1e-6).unwrap();
        let mut out = Vec::new();
        for longest in [0.01, 0.02, 0.005] {
            sim.settings().set_option("max_time_step", longest).unwrap();
            if out.is_empty() {
                sim.initialize(0.0).unwrap();
            }
            for _ in 0..20 {
                sim.step(0.04).unwrap();
                out.push(sim.outputs().body_pose(body).unwrap()[0]);
            }
        }
        out
    };
    for (local, whole) in [("lab2", "ab2"), ("lab3", "ab3"), ("lab5", "ab5")] {
        for (n, (a, b)) in run(local).into_iter().zip(run(whole)).enumerate() {
            assert!((a - b).abs() < 400.0 * 64.0 * f64::EPSILON, "{local}, step {n}: {a} {b}");
        }
    }
}
