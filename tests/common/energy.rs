//! Energy over a run, for tests that none comes out of stiffness that jumps within a step.

use pintle::Simulation;

pub const G: f64 = 9.81;

/// The schemes that dissipate nothing, and their parameters.
pub const KEEPING: [(&str, &[(&str, f64)]); 3] =
    [("generalized-alpha", &[("rho_inf", 1.0)]), ("momentum-alpha", &[("rho_inf", 1.0)]), ("newmark", &[])];

/// An empty model with a scheme, its parameters and gravity along -z.
pub fn system(scheme: &str, options: &[(&str, f64)]) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim
}

pub fn energy(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}

/// The largest and the last of what the energy is above that of the present state, in units of
/// `fall`, over so many steps. Panics, with the case, where a step fails.
pub fn gains(sim: &mut Simulation, h: f64, steps: usize, fall: f64, case: &str) -> [f64; 2] {
    let start = energy(sim);
    let mut largest = 0.0f64;
    for n in 0..steps {
        sim.step(h).unwrap_or_else(|e| panic!("{case}, step {n}: {e}"));
        largest = largest.max((energy(sim) - start) / fall);
    }
    [largest, (energy(sim) - start) / fall]
}
