//! Every model that the library accepts can be saved, and the file loads: random models of all
//! kinds of entities, with names of any characters and with numbers over the whole range of
//! doubles.

use crate::common::Random;
use crate::model_file::{load, saved};
use pintle::elements::InWater;
use pintle::model::{LineType, OPTION_KEYS};
use pintle::simulation::SCHEME_NAMES;
use pintle::{EntityKind, Frame, GROUND, Id, JointKind, Phase, Simulation, add_clutch, set_clutch_stop};

const EXTREMES: [f64; 16] = [
    0.0,
    -0.0,
    1e300,
    -1e300,
    1e-300,
    -1e-300,
    5e-324,
    -5e-324,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    2.225073858507201e-308,
    1e154,
    1e-154,
    1.0,
    -1.0,
];

struct Draw {
    dice: Random,
    /// Whether numbers may be extreme.
    wild: bool,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        ((0.5 + 0.5 * self.dice.signed()) * n as f64) as usize % n
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn number(&mut self) -> f64 {
        if self.wild && self.chance(6) {
            return EXTREMES[self.below(EXTREMES.len())];
        }
        let decades = if self.wild { 12.0 } else { 1.0 };
        self.dice.signed() * f64::powf(10.0, decades * self.dice.signed())
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    fn pose(&mut self) -> [f64; 7] {
        let q: [f64; 4] = std::array::from_fn(|_| self.dice.signed());
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Up to the tolerance off.
        let off = if self.chance(3) { 1.0 + 9e-7 * self.dice.signed() } else { 1.0 };
        let x: [f64; 3] = self.numbers();
        let q = if self.chance(4) { [1.0, -0.0, 0.0, 0.0] } else { q.map(|x| x / norm * off) };
        [x[0], x[1], x[2], q[0], q[1], q[2], q[3]]
    }

    /// G^T G: symmetric but for rounding, positive semi-definite, singular at times.
    fn positive(&mut self) -> [f64; 36] {
        let rank = 1 + self.below(6);
        let g: Vec<[f64; 6]> = (0..rank).map(|_| self.numbers()).collect();
        let off = 1.0 + 1e-7 * self.dice.signed();
        std::array::from_fn(|k| {
            let (i, j) = (k % 6, k / 6);
            g.iter().map(|row| row[i] * row[j]).sum::<f64>() * if i < j { off } else { 1.0 }
        })
    }

    /// Inertia of a few point masses about their centre of mass, in axes turned anyhow: with one or
    /// two singular.
    fn inertia(&mut self) -> [f64; 6] {
        let points: Vec<[f64; 3]> = (0..=self.below(4)).map(|_| self.numbers()).collect();
        let mut out = [0.0; 6];
        for [x, y, z] in points {
            for (sum, part) in out.iter_mut().zip([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])
            {
                *sum += part;
            }
        }
        out
    }

    fn name(&mut self) -> String {
        let ranges = [
            (0x20, 0x7f),
            (0, 0x20),
            (0x7f, 0xa0),
            (0xa0, 0x250),
            (0x2000, 0x2070),
            (0xfff0, 0xffff),
            (0x1f300, 0x1f600),
        ];
        let letters = (0..1 + self.below(20)).filter_map(|_| {
            let (from, to) = ranges[self.below(ranges.len())];
            char::from_u32(from + self.below((to - from) as usize) as u32)
        });
        letters.collect()
    }

    fn frame(&mut self) -> Frame {
        [Frame::Inertial, Frame::Body][self.below(2)]
    }

    fn end(&mut self, sim: &Simulation) -> Id {
        match sim.description().count(EntityKind::Body) {
            0 => GROUND,
            n => self.below(n as usize + 1) as Id - 1,
        }
    }
}

/// A model of which everything that was refused is left out; how much was accepted is counted.
fn model(seed: u64, wild: bool) -> (Simulation, u32) {
    let mut random = Draw { dice: Random(seed), wild };
    let r = &mut random;
    (0..5).for_each(|_| _ = r.dice.signed());
    let mut sim = Simulation::new();
    let mut accepted = 0;
    let mut note = |done: bool| accepted += u32::from(done);
    note(sim.settings().set_gravity(&r.numbers()).is_ok());
    if wild {
        let scheme = SCHEME_NAMES[r.below(SCHEME_NAMES.len())].replace('N', "7");
        note(sim.settings().set_scheme(&scheme).is_ok());
        for _ in 0..4 {
            let key = OPTION_KEYS[r.below(OPTION_KEYS.len())];
            let value = if r.chance(2) { r.number() } else { r.below(3) as f64 };
            note(sim.settings().set_option(key, value).is_ok());
        }
    }
    for _ in 0..1 + r.below(6) {
        let (pose, com) = (r.pose(), if r.chance(3) { [0.0, -0.0, 0.0] } else { r.numbers() });
        let (mass, inertia) = (r.number().abs(), r.inertia());
        let added = match r.below(4) {
            0 => sim.build().add_body(&r.positive(), &pose),
            1 => sim.build().add_body(&of_rigid_body(mass, &com, &inertia), &pose),
            2 => sim.build().add_body_about_reference(mass, &com, &inertia, &pose),
            _ => sim.build().add_rigid_body(mass, &com, &inertia, &pose),
        };
        let Ok(body) = added else { continue };
        note(true);
        note(r.chance(2) && sim.build().set_body_velocity(body, &r.numbers()).is_ok());
        note(r.chance(3) && sim.build().set_body_acceleration(body, &r.numbers()).is_ok());
        note(r.chance(3) && sim.inputs().set_body_load(body, r.frame(), &r.numbers()).is_ok());
        note(r.chance(4) && sim.settings().set_added_mass(body, &r.positive(), r.frame()).is_ok());
        note(r.chance(4) && sim.settings().set_linear_damping(body, &r.numbers(), r.frame()).is_ok());
        note(r.chance(4) && sim.settings().set_quadratic_drag(body, &r.numbers(), r.frame()).is_ok());
        let part = InWater { volume: r.numbers::<1>()[0], centre: r.numbers::<3>().into() };
        note(r.chance(4) && sim.settings().set_body_in_water(body, Some(part)).is_ok());
        if r.chance(4) {
            sim.build().set_body_prescribed(body, true).unwrap();
            note(r.chance(2) && sim.inputs().set_body_motion(body, &r.pose(), &r.numbers(), &r.numbers()).is_ok());
        }
        note(r.chance(2) && sim.build().set_name(EntityKind::Body, body, &r.name()).is_ok());
    }
    for _ in 0..r.below(5) {
        let (kind, a, b) = (JointKind::ALL[r.below(9)], r.end(&sim), r.end(&sim));
        let added = if r.chance(2) {
            sim.build().add_joint(kind, a, b, &r.pose(), &r.pose())
        } else {
            sim.build().add_joint_at(kind, a, b, &r.numbers(), Some(&r.numbers()))
        };
        let Ok(joint) = added else { continue };
        note(true);
        note(sim.build().set_joint_pitch(joint, r.number()).is_ok());
        note(
            r.chance(2) && sim.build().set_joint_spring(joint, r.number().abs(), r.number().abs(), r.number()).is_ok(),
        );
        note(r.chance(2) && sim.build().set_joint_driven(joint, true).is_ok());
        note(r.chance(2) && sim.inputs().set_joint_motion(joint, r.number(), r.number(), r.number()).is_ok());
        note(r.chance(2) && sim.inputs().set_joint_load(joint, r.number()).is_ok());
        note(r.chance(2) && sim.build().set_name(EntityKind::Joint, joint, &r.name()).is_ok());
    }
    for _ in 0..r.below(4) {
        let (a, b) = (r.end(&sim), r.end(&sim));
        let [k, c, l] = r.numbers().map(f64::abs);
        let taut = r.chance(2);
        if let Ok(spring) = sim.elements().add_spring(a, &r.numbers(), b, &r.numbers(), k, c, l, taut) {
            note(sim.build().set_name(EntityKind::Spring, spring, &r.name()).is_ok());
        }
        let (a, b) = (r.end(&sim), r.end(&sim));
        if let Ok(bushing) = sim.elements().add_bushing(a, b, &r.pose(), &r.pose(), &r.positive(), &r.numbers()) {
            note(r.chance(3) && pintle::set_bushing_preload(&mut sim, bushing, &r.numbers()).is_ok());
            let table = [r.number(), r.number() + 1.0, 3.0];
            note(
                r.chance(3)
                    && pintle::set_bushing_table(&mut sim, bushing, 3, &table, &[-1.0, 0.0, r.number()]).is_ok(),
            );
        }
        let body = r.end(&sim);
        if let Ok(marker) = sim.build().add_marker(body, &r.pose()) {
            note(r.chance(2) && sim.inputs().set_marker_load(marker, r.frame(), &r.numbers()).is_ok());
            note(sim.build().set_name(EntityKind::Marker, marker, &r.name()).is_ok());
        }
    }
    for _ in 0..r.below(6) {
        let Ok(point) = sim.build().add_point(r.number().abs(), r.number().abs(), &r.numbers()) else { continue };
        note(true);
        note(r.chance(2) && sim.build().set_point_velocity(point, &r.numbers()).is_ok());
        note(r.chance(2) && sim.inputs().set_point_load(point, &r.numbers()).is_ok());
        let body = r.end(&sim);
        note(match r.below(5) {
            0 => sim.build().fix_point(point).is_ok(),
            1 => sim.build().attach_point(point, body, &r.numbers()).is_ok(),
            2 => sim.build().set_point_prescribed(point, true).is_ok(),
            _ => false,
        });
        note(r.chance(2) && sim.inputs().set_point_motion(point, &r.numbers(), &r.numbers(), &r.numbers()).is_ok());
        note(r.chance(2) && sim.build().set_name(EntityKind::Point, point, &r.name()).is_ok());
        let [k, c, l] = r.numbers().map(f64::abs);
        let other = r.below(point as usize + 1) as Id;
        if let Ok(spring) = sim.elements().add_point_spring(point, other, k, c, l, r.chance(2)) {
            note(true);
            let table = [r.number().abs(), 2.0, 3.0];
            note(r.chance(3) && sim.elements().set_spring_table(spring, &table, &[-1.0, 0.0, r.number()]).is_ok());
        }
    }
    for _ in 0..r.below(4) {
        let keys = pintle::model::ENVIRONMENT_KEYS;
        let key = keys[r.below(if wild { keys.len() } else { 2 })];
        note(sim.settings().set_environment(key, if wild { r.number() } else { 1e3 * r.number().abs() }).is_ok());
    }
    note(r.chance(3) && sim.settings().set_current(&[0.0, r.number()], &[r.numbers(), r.numbers()]).is_ok());
    let grid = [[-1e3, 0.0, 1e3 * r.number()], [1e3, 0.0, 1e3 * r.number()]];
    note(r.chance(3) && sim.settings().set_seabed_grid(&grid).is_ok());
    let mut node = |time: f64| {
        let [u, v, w] = r.numbers();
        [0.0, 0.0, r.number(), time, u, v, w]
    };
    let grid = [node(0.0), node(2.0)];
    note(r.chance(3) && sim.settings().set_current_grid(&grid).is_ok());
    for _ in 0..r.below(3) {
        let numbers: [f64; 9] = r.numbers();
        let [diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat] =
            if r.chance(3) { numbers } else { numbers.map(f64::abs) };
        let given = LineType { diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat, ..LineType::default() };
        let Ok(id) = sim.elements().add_line_type(given) else { continue };
        note(true);
        for what in ["ea", "ba"] {
            let (x, y) = ([0.0, r.number(), 2.0], [0.0, 0.5, r.number()]);
            note(r.chance(3) && sim.elements().set_line_type_table(id, what, &x, &y).is_ok());
        }
        let law =
            pintle::model::Viscoelastic { stiffness: ea + r.number().abs(), slope: r.number(), damping: r.number() };
        note(r.chance(3) && sim.elements().set_line_type_viscoelastic(id, law).is_ok());
        let curves = pintle::model::Syrope { curve: pintle::model::WorkingCurve::Linear, k1: 0.3, k2: r.number() };
        let law = pintle::model::Viscoelastic { stiffness: 10.0 + r.number().abs(), ..law };
        note(r.chance(2) && sim.elements().set_line_type_syrope(id, law, curves).is_ok());
        note(r.chance(2) && sim.build().set_name(EntityKind::LineType, id, &r.name()).is_ok());
    }
    for _ in 0..r.below(4) {
        let [types, points] =
            [EntityKind::LineType, EntityKind::Point].map(|kind| sim.description().count(kind) as usize + 1);
        let (id, a, b) = (r.below(types) as Id, r.below(points) as Id, r.below(points) as Id);
        note(r.chance(2) && sim.build().set_point_drag(a, r.number(), r.number()).is_ok());
        if let Ok(line) = sim.elements().add_line(id, a, b, r.number(), r.below(5) as i32) {
            note(true);
            note(r.chance(2) && sim.inputs().set_line_largest_tensions(line, &[r.number()]).is_ok());
            note(r.chance(2) && sim.build().set_name(EntityKind::Line, line, &r.name()).is_ok());
        }
    }
    for _ in 0..r.below(3) {
        let joints = sim.description().count(EntityKind::Joint) as usize + 1;
        if let Ok(gear) = sim.elements().add_gear(r.below(joints) as Id, r.below(joints) as Id, r.number()) {
            note(true);
            note(r.chance(2) && sim.build().set_name(EntityKind::Gear, gear, &r.name()).is_ok());
        }
        let several = [0; 3].map(|_| r.below(joints) as Id);
        note(sim.elements().add_coupling(&several, &[0; 3].map(|_| r.number())).is_ok());
        let of = [0; 2].map(|_| (r.below(joints) as Id, r.chance(2)));
        let (numbers, capacities) = ([r.number(), 1.0 + r.number().abs(), r.number()], [0; 2].map(|_| r.number()));
        if let Ok(clutch) = add_clutch(&mut sim, of, numbers, capacities) {
            note(true);
            let (bounds, numbers) = ([-r.number().abs(), r.number().abs()], [r.number().abs(), 0.5, 0.5]);
            note(r.chance(2) && set_clutch_stop(&mut sim, clutch, bounds, r.below(3) as i32, numbers).is_ok());
        }
    }
    if r.chance(8) {
        sim.inputs().clear_loads().unwrap();
    }
    (sim, accepted)
}

/// [m I, m ~c^T; m ~c, J - m ~c ~c], column-major.
fn of_rigid_body(mass: f64, c: &[f64; 3], j: &[f64; 6]) -> [f64; 36] {
    let skew = [[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]];
    let tensor = [[j[0], j[3], j[4]], [j[3], j[1], j[5]], [j[4], j[5], j[2]]];
    std::array::from_fn(|k| {
        let (i, j) = (k % 6, k / 6);
        match (i < 3, j < 3) {
            (true, true) => f64::from(u8::from(i == j)) * mass,
            (false, true) => mass * skew[i - 3][j],
            (true, false) => mass * skew[j - 3][i],
            (false, false) => {
                let square: f64 = (0..3).map(|l| skew[i - 3][l] * skew[l][j - 3]).sum();
                tensor[i - 3][j - 3] - mass * square
            }
        }
    })
}

#[test]
fn whatever_is_accepted_can_be_saved_and_what_was_saved_loads() {
    let (mut faults, mut parts) = (Vec::new(), 0);
    for seed in 0..400 {
        let (original, accepted) = model(seed, seed % 3 > 0);
        parts += accepted;
        let text = saved(&original);
        match load(&text) {
            Ok(again) if saved(&again) == text && (seed % 8 > 0 || saved(&original.clone()) == text) => {}
            Ok(again) => {
                let second = saved(&again);
                let line = text.lines().zip(second.lines()).find(|(a, b)| a != b);
                faults.push(format!("seed {seed}: not the same: {line:?}"));
            }
            Err(error) => faults.push(format!("seed {seed}: {error}")),
        }
    }
    assert!(parts > 2400, "only {parts} parts were accepted");
    assert!(faults.is_empty(), "{} of 400 models:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn random_models_run_alike_and_their_states_are_restored() {
    let mut ran = 0;
    for seed in 0..300 {
        let (mut original, _) = model(1_000_000 + seed, false);
        let mut again = load(saved(&original)).unwrap();
        let (began, likewise) = (original.initialize(0.5), again.initialize(0.5));
        assert_eq!(began, likewise, "seed {seed}");
        if began.is_err() {
            continue;
        }
        ran += 1;
        for step in 0..3 {
            let outcome = original.advance(1e-3);
            assert_eq!(outcome, again.advance(1e-3), "seed {seed}");
            assert!(original.save() == again.save(), "seed {seed}, step {step}");
            assert!(
                original.save().unwrap().to_bytes() == again.save().unwrap().to_bytes(),
                "seed {seed}, step {step}"
            );
            // Through bytes into the other, and through a clone.
            let state = again.deserialize(&original.save().unwrap().to_bytes()).unwrap();
            again.restore(&state).unwrap();
            assert!(again.save().unwrap() == state, "seed {seed}, step {step}");
            original = original.clone();
            if original.phase() == Phase::Trial {
                original.accept().unwrap();
                again.accept().unwrap();
            }
        }
    }
    assert!(ran > 60, "only {ran} models could be initialized");
}
