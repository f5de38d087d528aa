//! Models of any number of bodies: a chain, a tree, many four-bars, one closed chain. All planar
//! ones turn about y, so that every loop has redundant constraints.

use pintle::{GROUND, Id, JointKind, Simulation};

const Y: [f64; 3] = [0.0, 1.0, 0.0];
const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.0, 0.0, 0.0];

/// The models.
pub const NAMES: [&str; 4] = ["chain", "tree", "four-bars", "closed chain"];

fn body(sim: &mut Simulation, [x, z]: [f64; 2]) -> Id {
    sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &[x, 0.0, z, 1.0, 0.0, 0.0, 0.0]).unwrap()
}

fn hinge(sim: &mut Simulation, a: Id, b: Id, [x, z]: [f64; 2]) -> Id {
    sim.build().add_joint_at(JointKind::Revolute, a, b, &[x, 0.0, z], Some(&Y)).unwrap()
}

/// A model by name, with springs and dampers on joints (in the chain between neighbours) if
/// `stiff`; with one marker.
pub fn build(name: &str, bodies: usize, stiff: bool) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let mut hinges = Vec::new();
    match name {
        "chain" => {
            for k in 0..bodies {
                let x = k as f64;
                let id = body(&mut sim, [x + 0.5, 0.0]);
                sim.build().add_joint_at(JointKind::Spherical, id - 1, id, &[x, 0.0, 0.0], None).unwrap();
                if stiff && k > 0 {
                    sim.elements()
                        .add_spring(id - 1, &[0.0, 0.2, 0.0], id, &[0.0, 0.2, 0.0], 50.0, 0.5, 1.0, false)
                        .unwrap();
                }
            }
        }
        "tree" => {
            let mut at: Vec<[f64; 2]> = Vec::new();
            for k in 0..bodies {
                let parent = (k > 0).then(|| (k - 1) / 2);
                let [x, z] = parent.map_or([0.0, 0.0], |parent| at[parent]);
                let side = if k % 2 == 0 { 0.5 } else { -0.5 };
                at.push([x + side, z - 1.0]);
                let id = body(&mut sim, at[k]);
                hinges.push(hinge(
                    &mut sim,
                    parent.map_or(GROUND, |parent| parent as Id),
                    id,
                    [x + 0.5 * side, z - 0.5],
                ));
            }
        }
        "four-bars" => {
            for k in 0..bodies / 3 {
                let x = 3.0 * k as f64;
                let links = [[x, 0.5], [x + 0.5, 1.1], [x + 1.0, 0.6]].map(|at| body(&mut sim, at));
                let ends = [GROUND, links[0], links[1], links[2], GROUND];
                for (k, at) in [[x, 0.0], [x, 1.0], [x + 1.0, 1.2], [x + 1.0, 0.0]].into_iter().enumerate() {
                    hinges.push(hinge(&mut sim, ends[k], ends[k + 1], at));
                }
            }
        }
        _ => {
            // On a half circle, both ends on the ground.
            let point = |k: usize| {
                let angle = std::f64::consts::PI * k as f64 / bodies as f64;
                [-angle.cos() * bodies as f64 / 3.0, -angle.sin() * bodies as f64 / 3.0]
            };
            for k in 0..bodies {
                let ([xa, za], [xb, zb]) = (point(k), point(k + 1));
                let id = body(&mut sim, [0.5 * (xa + xb), 0.5 * (za + zb)]);
                hinges.push(hinge(&mut sim, id - 1, id, point(k)));
            }
            hinges.push(hinge(&mut sim, bodies as Id - 1, GROUND, point(bodies)));
        }
    }
    if stiff {
        hinges.iter().for_each(|joint| sim.build().set_joint_spring(*joint, 20.0, 0.2, 0.0).unwrap());
    }
    sim.build().add_marker(0, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    sim
}
