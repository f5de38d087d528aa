//! Which blocks are eliminated about their joints, and that those which are not lose nothing by it.

use super::kkt_tests::{Model, chain, closed, enter, graphs, residual, spherical};
use super::{Assemble, Kkt};

/// A matrix of the model, factorised; the entries; and the residual of its solution for ones.
fn factorised(model: &Model, seed: u64) -> (Kkt, f64) {
    let parts = model.parts(&mut { seed });
    let mut kkt = Kkt::new(model.widths.iter().copied(), model.constraints());
    kkt.clear();
    enter(&parts, &mut kkt);
    kkt.factorize().unwrap();
    let b = vec![1.0; kkt.unknowns()];
    let mut x = b.clone();
    kkt.solve(&mut x);
    let rest = residual(&parts, &x, &b);
    (kkt, rest)
}

#[test]
fn bodies_on_spherical_joints_are_joined_and_others_are_not() {
    for (model, joined) in [
        (spherical(chain(40)), 40),
        (spherical(chain(1)), 1),
        // On a joint of other gradients.
        (chain(1), 0),
        // Held at both ends it is eliminated from there, each body with the joint before it, to whose constraints the one before
        // that has added: all but the first of each side.
        (Model { holds_points: true, ..closed(40) }, 2),
        // Gradients that are no units.
        (closed(40), 0),
    ] {
        let (kkt, rest) = factorised(&model, 1);
        assert_eq!(kkt.joined(), Some(joined));
        // Some roundings, carried along a chain that is well conditioned.
        assert!(rest < 1e-14, "{rest:.1e}");
    }
}

/// Where the joint feels next to nothing of a body, as of a point mass that swings on an arm, what it feels is a difference of numbers
/// of the size of its mass; the general way does not subtract.
#[test]
fn what_a_joint_hardly_feels_is_left_to_the_general_way() {
    let pendulum = |bodies: usize, inertia: f64| {
        let mut kkt = Kkt::new(vec![6; bodies], 3 * bodies);
        let arm = [1.0, 0.0, 0.0];
        let turned = [[0.0, arm[2], -arm[1]], [-arm[2], 0.0, arm[0]], [arm[1], -arm[0], 0.0]];
        kkt.clear();
        for joint in 0..bodies {
            for (body, sign) in
                [(joint, 1.0), (joint.wrapping_sub(1), -1.0)].into_iter().filter(|(body, _)| *body < bodies)
            {
                let (row, column) = (6 * body, 6 * bodies + 3 * joint);
                for k in 0..3 {
                    let mut gradient = [0.0; 6];
                    gradient[k] = sign;
                    gradient[3..].copy_from_slice(&turned[k]);
                    kkt.add(row, column + k, &[gradient]);
                    kkt.add(column + k, row, &gradient.map(|x| [x]));
                }
            }
        }
        for body in 0..bodies {
            // The one at the end is a point.
            let own = if body == bodies - 1 { inertia } else { 1.0 };
            let mut node = [[0.0; 6]; 6];
            for k in 0..3 {
                (node[k][k], node[3 + k][3 + k]) = (1.0, own);
            }
            kkt.add(6 * body, 6 * body, &node);
        }
        kkt.factorize().unwrap();
        kkt
    };
    for bodies in [1, 3] {
        assert_eq!(pendulum(bodies, 1.0).joined(), Some(bodies));
        assert_eq!(pendulum(bodies, 1e-12).joined(), Some(bodies - 1));
    }
}

#[test]
fn joined_blocks_are_among_the_graphs_of_all_tests() {
    let count = |model: &Model| factorised(model, 1).0.joined().unwrap_or(0);
    let counts: Vec<usize> = graphs().iter().map(|(_, model)| count(model)).collect();
    assert!(counts.iter().filter(|count| **count > 0).count() >= 6, "{counts:?}");
}
