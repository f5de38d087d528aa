//! Mean tensions of springs and lines over a step of the host: impulses over times, whatever the
//! step does not resolve; and counts of what fell slack, tightened or came to the seabed.

use crate::common::energy::{G, system};
use crate::common::*;
use pintle::model::LineType;
use pintle::{GROUND, Id, Simulation};

const MASS: f64 = 10.0;

const SCHEMES: [(&str, &[(&str, f64)]); 6] = [
    ("generalized-alpha", &[("rho_inf", 0.0)]),
    ("generalized-alpha", &[]),
    ("generalized-alpha", &[("rho_inf", 1.0)]),
    ("momentum-alpha", &[]),
    ("hht", &[]),
    ("newmark", &[]),
];

/// A mass that falls by a metre before its rope of 2 m tightens. Its position and velocity along z,
/// and the mean tension at its end.
struct Fall {
    sim: Simulation,
    mass: Id,
    /// That moves with the end of the rope.
    moving: f64,
    is_line: bool,
}

impl Fall {
    fn new((scheme, options): (&str, &[(&str, f64)]), segments: i32, k: f64) -> Fall {
        let mut sim = system(scheme, options);
        let hook = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().fix_point(hook).unwrap();
        let mass = sim.build().add_point(MASS, 0.0, &[0.0, 0.0, -1.0]).unwrap();
        let is_line = segments > 0;
        let w = 0.1;
        if is_line {
            let of = LineType { diameter: 0.01, mass_per_length: w, ea: 2.0 * k, ba: 0.0, ..LineType::default() };
            let of = sim.elements().add_line_type(of).unwrap();
            sim.elements().add_line(of, hook, mass, 2.0, segments).unwrap();
        } else {
            sim.elements().add_point_spring(hook, mass, k, 0.0, 2.0, true).unwrap();
        }
        sim.initialize(0.0).unwrap();
        // The lower half of the last segment is of the end.
        let moving = MASS + if is_line { w / f64::from(segments) } else { 0.0 };
        Fall { sim, mass, moving, is_line }
    }

    fn speed(&self) -> f64 {
        self.sim.points().velocity(self.mass).unwrap()[2]
    }

    fn mean(&self) -> f64 {
        if self.is_line {
            let mut means = [[0.0; 2]];
            self.sim.lines().mean_tensions(&mut means).unwrap();
            means[0][1]
        } else {
            self.sim.lines().spring_mean_tension(0).unwrap()
        }
    }

    fn statistic(&self, key: &str) -> f64 {
        self.sim.outputs().statistic(key).unwrap()
    }
}

/// m (v(n+1) - v(n)) = h (H - m g), at every step, in one internal step or in several.
#[test]
fn a_mean_tension_is_the_impulse_of_a_step_over_its_length() {
    for case in SCHEMES {
        for segments in [0, 1] {
            for h in [2e-3, 2e-2, 0.1] {
                for parts in [1.0, 3.0] {
                    let mut fall = Fall::new(case, segments, 1e5);
                    fall.sim.settings().set_option("max_time_step", h / parts).unwrap();
                    // m v^2/2 = k x^2/2.
                    let peak = (1e5 * MASS * 2.0 * G).sqrt();
                    let mut largest = 0.0f64;
                    for n in 0..(2.0 / h) as usize {
                        let before = fall.speed();
                        fall.sim.step(h).unwrap();
                        let impulse = fall.moving * ((fall.speed() - before) / h + G);
                        let error = (fall.mean() - impulse).abs();
                        // What the iteration leaves: 1e-8 of a length of 2 m, k, and the rate of v.
                        assert!(error < 1e-5 * peak, "{case:?} {segments} {h} {parts} {n}: {} {impulse}", fall.mean());
                        largest = largest.max(fall.mean());
                    }
                    let least = if h < 5e-3 { 0.9 } else { 0.05 };
                    assert!(
                        largest > least * peak && largest < 1.1 * peak,
                        "{case:?} {segments} {h}: {largest} {peak}"
                    );
                }
            }
        }
    }
}

/// Where the motion is smooth, the mean is that of the tensions at both ends, to second order.
#[test]
fn mean_tensions_of_smooth_motion_lie_between_those_of_both_ends() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4", "ab3", "beuler5"] {
        let differences = [4e-3, 2e-3].map(|h| {
            let mut sim = system(scheme, &[]);
            let at = pose([0.0, 0.0, -1.08], UNROTATED);
            let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
            let [rope, spring] = [true, false].map(|pulls| {
                let hook = [if pulls { 0.0 } else { 0.1 }, 0.0, 0.0];
                sim.elements().add_spring(GROUND, &hook, body, &[0.0; 3], 1e3, 5.0, 1.0, pulls).unwrap()
            });
            sim.initialize(0.0).unwrap();
            let mut largest = 0.0f64;
            for id in [rope, spring] {
                assert_eq!(sim.lines().spring_mean_tension(id).unwrap(), sim.outputs().spring_force(id).unwrap().1);
            }
            for _ in 0..(0.3 / h) as usize {
                let before = [rope, spring].map(|id| sim.outputs().spring_force(id).unwrap().1);
                sim.step(h).unwrap();
                for (id, before) in [rope, spring].into_iter().zip(before) {
                    let mean = 0.5 * (before + sim.outputs().spring_force(id).unwrap().1);
                    largest = largest.max((sim.lines().spring_mean_tension(id).unwrap() - mean).abs());
                }
            }
            largest
        });
        // Tensions of 50 N change with 14 rad/s: by h^2 w^2/12 of them and less.
        assert!(differences[0] < 0.05, "{scheme}: {differences:?}");
        assert!(differences[1] < 0.3 * differences[0] + 1e-9, "{scheme}: {differences:?}");
    }
}

/// A rope tightens and falls slack once per bounce; a step with k h^2 > m does not resolve it.
#[test]
fn crossings_are_counted_in_accepted_steps() {
    for (segments, h) in [(0, 2e-3), (0, 5e-2), (1, 2e-3), (1, 5e-2)] {
        let k = 1e5;
        let mut fall = Fall::new(("generalized-alpha", &[]), segments, k);
        let mut changes = 0.0;
        let is_taut = |fall: &Fall| fall.sim.points().position(fall.mass).unwrap()[2] < -2.0;
        for _ in 0..(3.0 / h) as usize {
            let before = is_taut(&fall);
            // Of trials that are repeated or rejected nothing is counted.
            fall.sim.advance(h).unwrap();
            fall.sim.advance(h).unwrap();
            fall.sim.reject().unwrap();
            fall.sim.step(h).unwrap();
            changes += f64::from(is_taut(&fall) != before);
        }
        assert!(changes > 3.0);
        assert_eq!(fall.statistic("crossings"), changes);
        // A segment of 0.1 kg is stiffer than the mass on it.
        let m = if segments > 0 { 0.1 } else { MASS };
        let unresolved = if k * h * h > m { changes } else { 0.0 };
        assert_eq!(fall.statistic("unresolved_snaps"), unresolved, "{segments} {h}");
    }
}

/// Nodes of a line that lies down are counted, on a level bed and on one that is given by a grid.
#[test]
fn nodes_that_come_to_the_seabed_are_counted() {
    let landed = [false, true].map(|on_grid| {
        let mut sim = system("generalized-alpha", &[]);
        for (key, value) in [("depth", 5.0), ("seabed_stiffness", 1e5), ("seabed_damping", 1e3)] {
            sim.settings().set_environment(key, value).unwrap();
        }
        if on_grid {
            let corners = [[-50.0, -50.0], [50.0, -50.0], [-50.0, 50.0], [50.0, 50.0]];
            sim.settings().set_seabed_grid(&corners.map(|[x, y]| [x, y, 5.0])).unwrap();
        }
        // Both ends are free points, 0.5 m above the bed.
        let of = LineType { diameter: 0.1, mass_per_length: 20.0, ea: 1e5, ba: -0.8, ..LineType::default() };
        let of = sim.elements().add_line_type(of).unwrap();
        let ends = [0.0, 9.9].map(|x| sim.build().add_point(1.0, 0.0, &[x, 0.0, -4.5]).unwrap());
        sim.elements().add_line(of, ends[0], ends[1], 10.0, 7).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..300 {
            sim.step(0.01).unwrap();
        }
        sim.outputs().statistic("crossings").unwrap()
    });
    assert!(landed[0] >= 6.0 && landed[0] == landed[1], "{landed:?}");
}

/// A restored run reports the means of the one that was saved, and goes on with the same bits; so
/// does a clone. Coordinates that are set start anew, with the present tensions.
#[test]
fn means_belong_to_the_state() {
    for segments in [0, 3] {
        let mut fall = Fall::new(("generalized-alpha", &[]), segments, 1e5);
        let mut fresh = Fall::new(("generalized-alpha", &[]), segments, 1e5);
        // The rope tightens after 0.45 s, for 31 ms.
        (0..92).for_each(|_| fall.sim.step(0.005).unwrap());
        assert!(fall.mean() != 0.0);
        let bytes = fall.sim.save().unwrap().to_bytes();
        fresh.sim.restore(&fresh.sim.deserialize(&bytes).unwrap()).unwrap();
        let mut clone = Fall { sim: fall.sim.clone(), ..fresh };
        for _ in 0..2 {
            assert_eq!(fall.mean().to_bits(), fresh.mean().to_bits());
            assert_eq!(fall.mean().to_bits(), clone.mean().to_bits());
            [&mut fall, &mut fresh, &mut clone].into_iter().for_each(|one| one.sim.step(0.005).unwrap());
        }
        fall.sim.inputs().set_point_coordinates(fall.mass, &[0.0, 0.0, -2.01], &[0.0; 3]).unwrap();
        let tension = if segments > 0 {
            let mut ends = [[0.0; 2]];
            fall.sim.lines().end_tensions(&mut ends).unwrap();
            ends[0][1]
        } else {
            fall.sim.outputs().spring_force(0).unwrap().1
        };
        assert_eq!(fall.mean(), tension);
    }
}
