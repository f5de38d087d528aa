//! Tangents of springs with tables on coordinates of joints, by their laws and in energy form.

use super::*;

/// Springs with tables on joints over a step, and by their laws: within a piece of the table and
/// across several.
#[test]
fn tangents_of_tables_on_joints_in_energy_form() {
    let mut noise = Noise(16);
    let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
    for kind in JointKind::ALL.into_iter().filter(|kind| kind.coordinate().is_some()) {
        for (body_a, body_b) in ENDS {
            for (backward, turn) in [(0.0, 0.05), (0.2, 0.3), (0.0, 0.6)] {
                let mut case = two_bodies(&mut noise);
                let mut joint = Joint::new(kind, body_a, body_b, noise.pose(), noise.pose());
                joint.pitch = -0.4;
                let table = vec![[-1.5, -4.0], [-0.6, -0.3], [0.1, 0.0], [0.4, 0.0], [0.9, 2.0]];
                joint.spring_tables[0] = table.clone();
                if kind.has_free_slide() {
                    joint.spring_tables[1] = table;
                }
                case.add_joint(joint, &mut noise);
                case.check(&format!("{kind:?} {body_a:?} {body_b:?} by law"));
                let mut start = case.bodies.clone();
                for body in &mut start {
                    body.x += noise.vec3() * turn;
                    body.q = rotation::exp(&(noise.vec3() * turn)) * body.q;
                }
                case.step = Some((EnergyForm { backward, ..form }, start, Memory { y: 0.07, kappa: 3.0 }));
                case.check(&format!("{kind:?} {body_a:?} {body_b:?} turn {turn} backward {backward}"));
            }
        }
    }
}
