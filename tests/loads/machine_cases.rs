//! Mechanisms with stops and contacts from the literature: a buoy with an end stop, and a
//! slider-crank with clearance.

use crate::common::*;
use pintle::{ContactLaw, Contacts, GROUND, Id, JointKind, JointMachines, Simulation};

// A heaving buoy that is driven against a stop with spring and damper: mass, damping, stiffness.
const M: f64 = 2.0e5;
const C: f64 = 4e4;
const K: f64 = 6e5;
// Amplitude and frequency of the wave's force.
const F: f64 = 4e5;
const W: f64 = 1.2;
// Place, stiffness and damping of the stop.
const STOP: f64 = 0.8;
const KS: f64 = 3e7;
const CS: f64 = 2e5;

/// Place after a time by Runge-Kutta of order four; the stop is open or closed for whole steps,
/// closes where it is reached and opens where it would pull.
fn buoy_by_quadrature(end: f64) -> f64 {
    let n = (end / 2e-5) as usize;
    let h = end / n as f64;
    let (mut x, mut v, mut closed) = (0.0, 0.0, false);
    for k in 0..n {
        let t = h * k as f64;
        let pushed = |x: f64, v: f64| KS * (x - STOP) + CS * v;
        closed = if closed { pushed(x, v) > 0.0 } else { x > STOP && pushed(x, v) > 0.0 };
        let f = |t: f64, x: f64, v: f64| {
            let stop = if closed { pushed(x, v) } else { 0.0 };
            (v, (F * (W * t).cos() - C * v - K * x - stop) / M)
        };
        let k1 = f(t, x, v);
        let k2 = f(t + 0.5 * h, x + 0.5 * h * k1.0, v + 0.5 * h * k1.1);
        let k3 = f(t + 0.5 * h, x + 0.5 * h * k2.0, v + 0.5 * h * k2.1);
        let k4 = f(t + h, x + h * k3.0, v + h * k3.1);
        x += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    x
}

#[test]
fn a_buoy_on_its_end_stop_converges_to_a_quadrature() {
    let end = 60.0;
    let expected = buoy_by_quadrature(end);
    let errors = [0.1, 0.05, 0.008, 0.004, 0.002].map(|h| {
        let mut sim = Simulation::new();
        let body =
            sim.build().add_rigid_body(M, &[0.0; 3], &[M, M, M, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED)).unwrap();
        let joint =
            sim.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
        sim.build().set_joint_spring(joint, K, C, 0.0).unwrap();
        sim.build().set_joint_stop((joint, false), [f64::NEG_INFINITY, STOP], 0, [KS, CS, 0.0]).unwrap();
        sim.settings().set_option("input_order", 1.0).unwrap();
        sim.inputs().set_joint_load(joint, F).unwrap();
        sim.initialize(0.0).unwrap();
        for k in 1..=(end / h).round() as usize {
            sim.inputs().set_joint_load(joint, F * (W * h * k as f64).cos()).unwrap();
            sim.step(h).unwrap();
        }
        assert!(sim.outputs().statistic("events").unwrap() >= 20.0);
        (sim.outputs().joint_coordinate(joint).unwrap()[0] - expected).abs()
    });
    // The wave has W h = 0.12 at 0.1 s: (W h)^2/12 of an amplitude of 1 m, several times over ten
    // hits. Contacts have steps of 13 ms at most, so that order two shows below.
    assert!(errors[0] < 0.02 && errors[1] < 0.005, "{errors:?}");
    let orders = [errors[2] / errors[3], errors[3] / errors[4]].map(|ratio: f64| ratio.log2());
    assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.4), "{errors:?} {orders:?}");
}

/// Flores, Leine and Glocker (2010), Multibody Syst. Dyn. 23, 165: a slider of 100 x 50 mm with a
/// clearance of 1 mm on each side, four corners with restitution and friction.
fn slider_crank(restitution: f64, friction: f64) -> Simulation {
    let [l1, l2, a, b, c] = [0.153, 0.306, 0.05, 0.025, 0.001];
    let [w1, w2] = [150.0, -75.0];
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    // Angles are about -y: x, z is the plane. Mass, inertia, place along x, velocity along z, rate.
    let tip = l1 * w1;
    let parts = [
        (0.038, 7.4e-5, 0.5 * l1, 0.5 * l1 * w1, w1),
        (0.038, 5.9e-4, l1 + 0.5 * l2, tip + 0.5 * l2 * w2, w2),
        (0.076, 2.7e-6, l1 + l2, tip + l2 * w2, 0.0),
    ];
    let mut before = GROUND;
    for ((mass, j, x, v, w), at) in parts.into_iter().zip([0.0, l1, l1 + l2]) {
        let place = pose([x, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(mass, &[0.0; 3], &[j, j, j, 0.0, 0.0, 0.0], &place).unwrap();
        sim.build().set_body_velocity(body, &[0.0, 0.0, v, 0.0, -w, 0.0]).unwrap();
        let axis = Some(&[0.0, -1.0, 0.0]);
        sim.build().add_joint_at(JointKind::Revolute, before, body, &[at, 0.0, 0.0], axis).unwrap();
        before = body;
    }
    for (x, z) in [(-a, b), (a, b), (-a, -b), (a, -b)] {
        // The upper guide looks down.
        let turned = if z > 0.0 { [0.0, 1.0, 0.0, 0.0] } else { UNROTATED };
        let guide = pose([0.0, 0.0, z + c * z.signum()], turned);
        let contact = sim.elements().add_contact_plane(GROUND, &guide, before, &[x, 0.0, z], 0.0).unwrap();
        let law = ContactLaw {
            law: 1,
            stiffness: 1e6,
            exponent: 1.0,
            damping: 0.0,
            restitution,
            kinetic: friction,
            holding: friction,
            slip: 0.0,
        };
        sim.elements().set_contact_law(contact, law).unwrap();
    }
    sim
}

#[test]
fn the_hits_of_a_slider_with_clearance_converge() {
    let hits = |h: f64| {
        let mut sim = slider_crank(0.4, 0.01);
        sim.initialize(0.0).unwrap();
        let (mut all, start) = (Vec::new(), energy(&sim));
        while all.len() < 4 {
            sim.step(h).unwrap();
            let events = JointMachines::of(&sim).events().unwrap().iter();
            let of_hits = events.filter(|event| event.change.name() == "hits");
            all.extend(of_hits.map(|event| (event.contact().unwrap(), event.time)));
        }
        // Of second order: bodies turn by 225 rad/s to each other.
        assert!(energy(&sim) < start * (1.0 + 1.5 * (225.0 * h) * (225.0 * h)), "{h}: {start} {}", energy(&sim));
        all.truncate(4);
        all
    };
    let fine = hits(2e-5);
    let errors = [1e-3, 5e-4, 1e-4].map(|h| {
        let found = hits(h);
        let of = |((a, t), (b, fine)): (&(usize, f64), &(usize, f64))| {
            assert_eq!(a, b, "{h}");
            (t - fine).abs()
        };
        found.iter().zip(&fine).map(of).fold(0.0, f64::max)
    });
    // 150 rad/s: (w h)^2/12 of 10 ms at 1 ms; errors of the hits have both signs, so that order two
    // shows over the whole range: a hundredth.
    assert!(errors[0] < 2e-4, "{errors:?} {fine:?}");
    assert!(errors[1] < errors[0] && errors[2] < 0.02 * errors[0], "{errors:?} {fine:?}");
}

/// One turn and a half of the crank with hundreds of hits: the slider stays in its guide, and no
/// energy comes from nowhere.
#[test]
fn a_slider_rattles_in_its_guide_without_gaining_energy() {
    for (restitution, friction) in [(0.4, 0.0), (0.4, 0.01), (0.1, 0.0), (0.9, 0.1), (0.0, 0.1)] {
        let mut sim = slider_crank(restitution, friction);
        sim.initialize(0.0).unwrap();
        let mut least = energy(&sim);
        let (start, mut deepest) = (least, 0.0f64);
        for k in 0..800 {
            sim.step(2.5e-4).unwrap();
            let now = energy(&sim);
            // Of second order: bodies turn by 0.056 rad to each other in a step.
            assert!(now < least + 1.5 * 0.056 * 0.056 * start, "{restitution} {k}: {} of {start}", now - least);
            least = least.min(now);
            let gaps = (0..4 as Id).map(|contact| Contacts::of(&sim).forces(contact).unwrap().gap);
            deepest = gaps.fold(deepest, f64::min);
        }
        // What rests is pressed in by 1e-6 model lengths at the force with which it began, which
        // grows about tenfold in a turn.
        assert!(deepest > -1e-5, "{restitution}: {deepest}");
        let [events, unlocated] = ["events", "unlocated_events"].map(|key| sim.outputs().statistic(key).unwrap());
        assert!(events > 20.0 && unlocated < 0.05 * events, "{restitution}: {unlocated} of {events}");
    }
}

fn energy(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}
