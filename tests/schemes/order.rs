//! Every scheme converges at its order: on a linear oscillator, a joint with fast rotation, a joint
//! at large amplitude, and six coupled coordinates with large rotations.
//!
//! Errors are those at a generic end, of positions, rotations, velocities and angular velocities;
//! the four steps lie where the next term of the expansion is below a tenth of an order (2^0.1 = 7
//! %) and rounding below the error.

use crate::common::models::heavy_top::{COM, reaction, top};
use crate::common::*;
use crate::problems::*;
use pintle::Frame;

fn all(problem: &Problem) {
    let mut cases: Vec<Claimed> = SCHEMES.map(|(scheme, order)| (scheme, &[][..], order)).to_vec();
    cases.extend([
        ("generalized-alpha", &[("rho_inf", 0.0)][..], 2),
        ("generalized-alpha", &[("rho_inf", 1.0)][..], 2),
        ("momentum-alpha", &[("rho_inf", 0.0)][..], 2),
        ("momentum-alpha", &[("rho_inf", 1.0)][..], 2),
        ("hht", &[("hht_alpha", -0.3)][..], 2),
        ("midpoint5", &[("relaxation", 0.0)][..], 2),
        ("aca3", &[("relaxation", 0.0)][..], 2),
        ("wilson3", &[("relaxation", 0.0)][..], 2),
        ("beuler5", &[("relaxation", 0.0)][..], 1),
        // damping by gamma is of first order
        ("newmark", &[("newmark_gamma", 0.6), ("newmark_beta", 0.3025)][..], 1),
    ]);
    assert_orders(problem, &cases);
}

#[test]
fn orders_on_the_linear_oscillator() {
    all(&linear_oscillator());
}

#[test]
fn orders_on_the_heavy_top() {
    all(&heavy_top());
}

#[test]
fn orders_on_the_pendulum_at_large_amplitude() {
    all(&pendulum());
}

#[test]
fn orders_on_the_damped_platform_with_large_rotations() {
    all(&platform());
}

#[test]
fn joints_hold_and_reactions_belong_to_the_end_of_the_step() {
    // After each step of a scheme of first-order form: the centre lies where the joint holds it and
    // moves as it turns, and the reaction is m (a - g) of this very motion, all by our own
    // arithmetic. Rounding: numbers of size 1 (positions), 150 (velocities, products of two
    // rotations), 440 N from terms of 15 x 150^2 that cancel; some tens of operations each.
    for (scheme, _) in SCHEMES
        .into_iter()
        .filter(|(scheme, _)| !["generalized-alpha", "momentum-alpha", "newmark", "hht"].contains(scheme))
    {
        let (mut sim, body, joint) = top();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("max_time_step", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 0..2000 {
            sim.step(2e-4).unwrap();
            let p = sim.outputs().body_pose(body).unwrap();
            let (v, w) = halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
            let (q, r) = (turn(&p), rotate(turn(&p), COM));
            let size = q.iter().map(|q| q * q).sum::<f64>().sqrt();
            assert!((size - 1.0).abs() < 4.0 * f64::EPSILON, "{scheme}, step {n}: |q| = {size}");
            let (gap, slip) = (distance(place(&p), r), distance(v, cross(w, r)));
            assert!(gap < 64.0 * f64::EPSILON, "{scheme}, step {n}: gap {gap:e}");
            assert!(slip < 64.0 * 150.0 * f64::EPSILON, "{scheme}, step {n}: slip {slip:e}");
            let own = unrotate(q, w);
            let expected = reaction(&[q[0], q[1], q[2], q[3], own[0], own[1], own[2]]);
            let found = halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()).0;
            let off = distance(found, expected);
            assert!(off < 64.0 * 15.0 * 150.0 * 150.0 * f64::EPSILON, "{scheme}, step {n}: {found:?} {expected:?}");
        }
    }
}
