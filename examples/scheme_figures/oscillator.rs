//! One mass on one linear spring of angular frequency 1, along x: what stability limits are
//! measured on.

use pintle::{Frame, GROUND, Result, Simulation};

const ORIGIN: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// The oscillator under a scheme.
#[derive(Clone, Copy)]
pub struct Oscillator<'a> {
    /// The scheme.
    pub scheme: &'a str,
    /// Option "relaxation".
    pub relaxation: f64,
    /// Damping ratio.
    pub damping: f64,
    /// Option "on_no_convergence".
    pub policy: f64,
}

impl Oscillator<'_> {
    /// The model at a position and velocity, initialized.
    pub fn start(&self, x: f64, v: f64, longest: f64) -> Result<Simulation> {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(self.scheme)?;
        sim.settings().set_option("relaxation", self.relaxation)?;
        sim.settings().set_option("on_no_convergence", self.policy)?;
        sim.settings().set_option("max_time_step", longest)?;
        let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose)?;
        sim.build().set_body_velocity(body, &[v, 0.0, 0.0, 0.0, 0.0, 0.0])?;
        let [mut stiffness, mut damping] = [[0.0; 36]; 2];
        (stiffness[0], damping[0]) = (1.0, 2.0 * self.damping);
        sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &stiffness, &damping)?;
        sim.initialize(0.0)?;
        Ok(sim)
    }

    /// Position and velocity after one step; None where it fails.
    pub fn one_step(&self, x: f64, v: f64, h: f64) -> Result<Option<[f64; 2]>> {
        let mut sim = self.start(x, v, h)?;
        Ok(if sim.step(h).is_ok() { Some(state(&sim)?) } else { None })
    }

    /// Spectral radius of a scheme that carries nothing but the state: of the matrix of two steps
    /// from unit states.
    pub fn spectral_radius(&self, h: f64) -> Result<f64> {
        let (Some([a, c]), Some([b, d])) = (self.one_step(1.0, 0.0, h)?, self.one_step(0.0, 1.0, h)?) else {
            return Ok(f64::INFINITY);
        };
        let (half, determinant) = (0.5 * (a + d), a * d - b * c);
        let root = half * half - determinant;
        Ok(if root < 0.0 { determinant.sqrt() } else { half.abs() + root.sqrt() })
    }

    /// Growth of the amplitude per step, of any scheme: from the largest energies of two later
    /// stretches of a run.
    pub fn growth(&self, h: f64) -> Result<f64> {
        const STRETCH: usize = 1000;
        let mut sim = self.start(1.0, 0.0, h)?;
        let mut largest = [0.0f64; 2];
        for n in 0..2 * STRETCH + 200 {
            if sim.step(h).is_err() {
                return Ok(f64::INFINITY);
            }
            let [x, v] = state(&sim)?;
            let energy = x * x + v * v;
            if energy > 1e100 || energy.is_nan() {
                return Ok(f64::INFINITY);
            }
            // the first steps belong to what starts the scheme
            for (k, largest) in largest.iter_mut().enumerate() {
                if (100 + k * STRETCH..200 + k * STRETCH).contains(&n) {
                    *largest = largest.max(energy);
                }
            }
        }
        // amplitudes of 1e-9 and less: all is damped away, down to tolerances and rounding
        let [early, late] = largest;
        Ok(if late < 1e-18 { 0.0 } else { (late / early).powf(0.5 / STRETCH as f64) })
    }
}

fn state(sim: &Simulation) -> Result<[f64; 2]> {
    Ok([sim.outputs().body_pose(0)?[0], sim.outputs().body_velocity(0, Frame::Inertial)?[0]])
}

/// The end of the first interval of steps, from 0 on, on which a claim holds: found in strides,
/// then by bisection. Infinite where it holds up to 100.
pub fn first_end(mut holds: impl FnMut(f64) -> Result<bool>) -> Result<f64> {
    let (mut good, mut bad) = (0.0, 0.01);
    while holds(bad)? {
        good = bad;
        bad *= 1.02;
        if bad > 100.0 {
            return Ok(f64::INFINITY);
        }
    }
    for _ in 0..30 {
        let middle = 0.5 * (good + bad);
        *(if holds(middle)? { &mut good } else { &mut bad }) = middle;
    }
    Ok(good)
}
