//! The heavy top (Bruls, Cardona, Arnold 2012) as the library sees it, and its motion by other
//! means.
//!
//! The reference knows nothing of the library: Euler's equations about the fixed point in body axes
//! and a quaternion, the classical Runge-Kutta method at 5e-6 s. Half the step changes its state at
//! 1 s by 7e-12, which is rounding.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use pintle::{Frame, GROUND, JointKind, Result, Simulation};
use std::time::Instant;

const MASS: f64 = 15.0;
const INERTIA: [f64; 3] = [0.234375, 0.46875, 0.234375];
const ARM: [f64; 3] = [0.0, 1.0, 0.0];
const OMEGA: [f64; 3] = [0.0, 150.0, -4.61538];
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// How long the top turns, s.
pub const END: f64 = 1.0;

/// Its motion at the end.
pub struct Motion {
    position: Vector3<f64>,
    orientation: UnitQuaternion<f64>,
    velocity: Vector3<f64>,
    omega: Vector3<f64>,
}

/// One run of a scheme.
#[derive(Clone, Copy)]
pub struct Run {
    /// Length of the steps.
    pub step: f64,
    /// Largest component of the errors at the end: m, rad, m/s, rad/s.
    pub error: f64,
    /// Statistic of this name.
    pub evaluations: f64,
    /// The same for iterations.
    pub iterations: f64,
    /// Time that the steps took.
    pub seconds: f64,
}

/// Runs a scheme with so many steps; None where it fails, as an unstable step does.
pub fn run(scheme: &str, steps: usize) -> Result<Option<(Motion, Run)>> {
    let step = END / steps as f64;
    let mut top = Simulation::new();
    top.settings().set_gravity(&GRAVITY)?;
    top.settings().set_scheme(scheme)?;
    // explicit schemes cut no further: the step is what is being studied
    top.settings().set_option("max_time_step", step)?;
    let [x, y, z] = INERTIA;
    let pose = [ARM[0], ARM[1], ARM[2], 1.0, 0.0, 0.0, 0.0];
    let body = top.build().add_rigid_body(MASS, &[0.0; 3], &[x, y, z, 0.0, 0.0, 0.0], &pose)?;
    let omega = Vector3::from(OMEGA);
    let v = omega.cross(&Vector3::from(ARM));
    top.build().set_body_velocity(body, &[v.x, v.y, v.z, omega.x, omega.y, omega.z])?;
    top.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None)?;
    top.initialize(0.0)?;
    let start = Instant::now();
    for _ in 0..steps {
        if top.step(step).is_err() {
            return Ok(None);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let [x, y, z, w, i, j, k] = top.outputs().body_pose(body)?;
    let v = top.outputs().body_velocity(body, Frame::Inertial)?;
    let motion = Motion {
        position: Vector3::new(x, y, z),
        orientation: UnitQuaternion::new_normalize(Quaternion::new(w, i, j, k)),
        velocity: Vector3::new(v[0], v[1], v[2]),
        omega: Vector3::new(v[3], v[4], v[5]),
    };
    let (evaluations, iterations) = (top.outputs().statistic("evaluations")?, top.outputs().statistic("iterations")?);
    Ok(Some((motion, Run { step, error: f64::NAN, evaluations, iterations, seconds })))
}

impl Motion {
    /// Largest component of the difference from another motion.
    pub fn error(&self, exact: &Motion) -> f64 {
        let turn = (self.orientation * exact.orientation.inverse()).scaled_axis();
        let parts = [self.position - exact.position, turn, self.velocity - exact.velocity, self.omega - exact.omega];
        parts.iter().fold(0.0, |largest: f64, part| largest.max(part.amax()))
    }

    /// The exact motion at the end.
    pub fn reference() -> Motion {
        let steps = 200_000;
        let h = END / steps as f64;
        let (mut q, mut w) = (Quaternion::new(1.0, 0.0, 0.0, 0.0), Vector3::from(OMEGA));
        for _ in 0..steps {
            let (q1, w1) = rate(&q, &w);
            let (q2, w2) = rate(&(q + q1 * (0.5 * h)), &(w + w1 * (0.5 * h)));
            let (q3, w3) = rate(&(q + q2 * (0.5 * h)), &(w + w2 * (0.5 * h)));
            let (q4, w4) = rate(&(q + q3 * h), &(w + w3 * h));
            q += (q1 + (q2 + q3) * 2.0 + q4) * (h / 6.0);
            w += (w1 + (w2 + w3) * 2.0 + w4) * (h / 6.0);
        }
        let orientation = UnitQuaternion::new_normalize(q);
        let (position, omega) = (orientation * Vector3::from(ARM), orientation * w);
        Motion { position, orientation, velocity: omega.cross(&position), omega }
    }
}

/// Rates of the quaternion and of the angular velocity in body axes.
fn rate(q: &Quaternion<f64>, w: &Vector3<f64>) -> (Quaternion<f64>, Vector3<f64>) {
    let inertia = Vector3::new(INERTIA[0] + MASS, INERTIA[1], INERTIA[2] + MASS);
    let weight = UnitQuaternion::new_normalize(*q).inverse() * Vector3::from(GRAVITY) * MASS;
    let moment = Vector3::from(ARM).cross(&weight) - w.cross(&inertia.component_mul(w));
    (q * Quaternion::from_imag(*w) * 0.5, moment.component_div(&inertia))
}
