//! Models that several files share, and lines of the library with the data of the reference chains.

use crate::common::*;
use crate::reference::{Material, Sea};
use pintle::elements::line::LineType;
use pintle::simulation::SCHEME_NAMES;
use pintle::{Frame, Id, Simulation};

/// The line of OC3 Hywind (Jonkman 2010), without its fraction of critical damping.
pub const OC3: Material =
    Material { d: 0.09, w: 77.7066, ea: 384.243e6, ba: 0.0, ei: 0.0, cdn: 1.6, can: 1.0, cdt: 0.1, cat: 0.0 };
pub const OC3_LENGTH: f64 = 902.2;
pub const OC3_DEPTH: f64 = 320.0;
pub const OC3_ANCHOR: V3 = [853.87, 0.0, -320.0];
pub const OC3_FAIRLEAD: V3 = [5.2, 0.0, -70.0];

/// The line of the OC4 semi-submersible.
pub const OC4: Material =
    Material { d: 0.0766, w: 113.35, ea: 753.6e6, ba: 0.0, ei: 0.0, cdn: 2.0, can: 0.8, cdt: 0.25, cat: 0.0 };

/// All schemes, the numbered ones with 4 substeps.
pub fn schemes() -> impl Iterator<Item = String> {
    SCHEME_NAMES.into_iter().map(|name| name.replace('N', "4"))
}

/// A system with tight tolerances in this sea.
pub fn system(scheme: &str, sea: &Sea) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -sea.g]).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(key, 1e-12).unwrap();
    }
    sim.settings().set_environment("water_density", sea.rho).unwrap();
    if sea.depth > 0.0 {
        sim.settings().set_environment("depth", sea.depth).unwrap();
        sim.settings().set_environment("seabed_stiffness", sea.stiffness).unwrap();
        sim.settings().set_environment("seabed_damping", sea.damping).unwrap();
        sim.settings().set_environment("seabed_smoothing", sea.smoothing).unwrap();
        sim.settings().set_environment("seabed_adhesion", sea.adhesion).unwrap();
    }
    if norm(sea.current) > 0.0 {
        sim.settings().set_current(&[0.0], &[sea.current]).unwrap();
    }
    sim
}

/// The library's own tolerances, for steps as hosts take them.
pub fn host_tolerances(sim: &mut Simulation) {
    sim.settings().set_option("abs_tolerance", 1e-8).unwrap();
    sim.settings().set_option("rel_tolerance", 1e-6).unwrap();
}

pub fn fixed(sim: &mut Simulation, at: V3) -> Id {
    let id = sim.build().add_point(0.0, 0.0, &at).unwrap();
    sim.build().fix_point(id).unwrap();
    id
}

pub fn moved(sim: &mut Simulation, at: V3) -> Id {
    let id = sim.build().add_point(0.0, 0.0, &at).unwrap();
    sim.build().set_point_prescribed(id, true).unwrap();
    id
}

pub fn free(sim: &mut Simulation, mass: f64, at: V3) -> Id {
    sim.build().add_point(mass, 0.0, &at).unwrap()
}

pub fn line_type(sim: &mut Simulation, of: &Material) -> Id {
    let Material { d, w, ea, ba, ei, cdn, can, cdt, cat } = *of;
    let kind = LineType { diameter: d, mass_per_length: w, ea, ba, ei, cdn, can, cdt, cat, ..LineType::default() };
    sim.elements().add_line_type(kind).unwrap()
}

pub fn line(sim: &mut Simulation, of: &Material, ends: [Id; 2], length: f64, segments: usize) -> Id {
    let kind = line_type(sim, of);
    sim.elements().add_line(kind, ends[0], ends[1], length, segments as i32).unwrap()
}

pub fn nodes(sim: &Simulation, line: Id, segments: usize) -> Vec<V3> {
    let mut all = vec![[0.0; 3]; segments + 1];
    sim.lines().positions(line, &mut all).unwrap();
    all
}

pub fn speeds(sim: &Simulation, line: Id, segments: usize) -> Vec<V3> {
    let mut all = vec![[0.0; 3]; segments + 1];
    sim.lines().velocities(line, &mut all).unwrap();
    all
}

pub fn tensions(sim: &Simulation, line: Id, segments: usize) -> Vec<f64> {
    let mut all = vec![0.0; segments];
    sim.lines().tensions(line, &mut all).unwrap();
    all
}

pub fn end_forces(sim: &Simulation, line: Id) -> [V3; 2] {
    [0, 1].map(|end| sim.lines().end_force(line, end).unwrap())
}

/// The largest distance between two rows of places.
pub fn apart(one: &[V3], other: &[V3]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| distance(*a, *b)).fold(0.0, f64::max)
}

/// A platform of 14000 t, the size of OC4's, at `at`: one body on three lines that lie on the bed
/// for a part, a third of a circle apart, under a load that carries it and 1.8 MN of the lines.
pub fn platform(at: V3) -> (Simulation, Id, Vec<Id>) {
    let mut sim = system("generalized-alpha", &Sea::water(200.0));
    let of = OC4.damped(1.0, 835.5 / 20.0);
    let inertia = [1e10, 1e10, 2e10, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.4e7, &[0.0; 3], &inertia, &pose(at, UNROTATED)).unwrap();
    let kind = line_type(&mut sim, &of);
    let lines = (0..3)
        .map(|k| {
            let (s, c) = (std::f64::consts::TAU * f64::from(k) / 3.0).sin_cos();
            let anchor = fixed(&mut sim, [837.6 * c, 837.6 * s, -200.0]);
            let fairlead = free(&mut sim, 0.0, [0.0; 3]);
            sim.build().attach_point(fairlead, body, &[40.868 * c, 40.868 * s, -14.0]).unwrap();
            sim.elements().add_line(kind, anchor, fairlead, 835.5, 20).unwrap()
        })
        .collect();
    let load = [0.0, 0.0, 1.4e7 * 9.81 + 1.8e6, 0.0, 0.0, 0.0];
    sim.inputs().set_body_load(body, Frame::Inertial, &load).unwrap();
    (sim, body, lines)
}

/// Every scheme reaches a solution at its order, at most two: `off` is what the end of a run over a
/// time, which `start` begins with a scheme, misses of it.
pub fn check_second_order(start: impl Fn(&str) -> Simulation, time: f64, off: impl Fn(&Simulation) -> f64, case: &str) {
    for (scheme, form) in [
        ("generalized-alpha", 1.0),
        ("generalized-alpha", 0.0),
        ("momentum-alpha", 1.0),
        ("newmark", 1.0),
        ("newmark", 0.0),
        ("hht", 1.0),
        ("heun", 0.0),
        ("rk2", 0.0),
        ("rk3", 0.0),
        ("rk4", 0.0),
        ("ab2", 0.0),
        ("ab4", 0.0),
        ("lab4", 0.0),
        ("midpoint4", 0.0),
    ] {
        let error = |n: u32| {
            let mut sim = start(scheme);
            sim.settings().set_option("energy_form", form).unwrap();
            sim.initialize(0.0).unwrap();
            (0..n).for_each(|_| sim.step(time / f64::from(n)).unwrap());
            off(&sim).abs()
        };
        let [coarse, fine] = [error(320), error(640)];
        let order = (coarse / fine).log2();
        // Explicit schemes may cut both steps to the same stable ones, of little error.
        assert!(order > 1.8 && fine < 1e-5 || fine < 2e-8, "{scheme}, {form}, {case}: {order} {fine:e}");
    }
}

/// A saved state after a rejected trial goes on to the bit, in a fresh system as in a clone.
pub fn assert_restored_runs_agree(build: impl Fn() -> Simulation, case: &str) {
    let mut sim = build();
    sim.initialize(0.0).unwrap();
    (0..5).for_each(|_| sim.step(2e-3).unwrap());
    sim.advance(2e-3).unwrap();
    sim.reject().unwrap();
    let bytes = sim.save().unwrap().to_bytes();
    let mut fresh = build();
    fresh.initialize(0.0).unwrap();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    let mut clone = sim.clone();
    for one in [&mut sim, &mut fresh, &mut clone] {
        (0..5).for_each(|_| one.step(2e-3).unwrap());
    }
    let bits = |sim: &Simulation| sim.save().unwrap().to_bytes();
    assert!(bits(&sim) == bits(&fresh) && bits(&sim) == bits(&clone), "{case}");
}
