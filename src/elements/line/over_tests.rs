//! Lines in energy form: tangents against finite differences on all sides of the kinks, and the
//! work of a step.

use std::sync::Arc;

use super::syrope::CURVES;
use super::tangent_tests::{Case, Random};
use super::{Evaluation, Factors, Over, Table};
use crate::elements::energy_form::{EnergyForm, Memory};
use crate::spatial::{Mat3, Vec3};

/// A step of a line in a state at its start.
struct Step {
    case: Case,
    form: EnergyForm,
    start: Vec<Vec3>,
    strains: Vec<f64>,
    memories: Vec<Memory>,
    bent: Vec<[Memory; 3]>,
    carried: Vec<[f64; 3]>,
}

/// Numbers of a step of generalized-alpha with rho_inf 0.5, and of one without dissipation.
const DISSIPATING: EnergyForm =
    EnergyForm { h: 0.02, share: 1.5, dissipation: 1.0 / 6.0, drive: 1.0 / 3.0, decay: 0.0, backward: 0.0 };
const KEEPING: EnergyForm = EnergyForm { h: 0.02, share: 2.0, dissipation: 0.0, drive: 0.0, decay: 1.0, backward: 0.0 };

impl Step {
    /// From the state of a case by random displacements of this size, in still water of no density.
    fn new(random: &mut Random, mut case: Case, moved: f64, form: EnergyForm) -> Step {
        case.water.density = 0.0;
        let start = case.x.clone();
        let l = case.length / case.segments as f64;
        let strains = start.windows(2).map(|ends| (ends[1] - ends[0]).norm() / l - 1.0).collect();
        case.x.iter_mut().for_each(|x| *x += random.vector(moved));
        let mut memory = || Memory { y: 0.01 * random.next(), kappa: 1e5 };
        let memories = (0..case.segments).map(|_| memory()).collect();
        let bent = start.iter().map(|_| [0; 3].map(|_| Memory { y: 3.0 * random.next(), kappa: 0.0 })).collect();
        let carried = start.iter().map(|_| random.vector(100.0).into()).collect();
        Step { case, form, start, strains, memories, bent, carried }
    }

    fn evaluate(&self, with_tangents: bool) -> Evaluation {
        let (case, chain) = (&self.case, self.case.chain());
        let factors = Factors { mass: 0.0, damping: 0.0, stiffness: 1.0, all: false };
        let over = Over {
            form: &self.form,
            x: &self.start,
            segment: 2.0,
            strains: &self.strains,
            memories: &self.memories,
            bent: &self.bent,
            clamps: [None; 2],
            carried: &self.carried,
        };
        let mut out = Evaluation::new(case.segments, chain.bends());
        let lengths = (case.length, case.rate);
        let factors = with_tangents.then_some(factors);
        chain.evaluate(lengths, case.motions(), &case.around(), factors, Some(&over), &mut out);
        out
    }

    fn check_tangents(&self, name: &str) {
        let (nodes, out, step) = (self.case.x.len(), self.evaluate(true), 1e-6);
        let step_bends = self.case.chain().bends();
        let scale = out.diagonal.iter().map(|block| block.amax()).fold(0.0, f64::max);
        for column in 0..nodes {
            for k in 0..3 {
                let at = |moved: f64| {
                    let mut case = self.case.clone();
                    case.x[column][k] += moved;
                    let Step { form, start, strains, memories, bent, carried, .. } = self;
                    let (form, start, strains, bent) = (*form, start.clone(), strains.clone(), bent.clone());
                    let (memories, carried) = (memories.clone(), carried.clone());
                    Step { case, form, start, strains, memories, bent, carried }.evaluate(false).residual
                };
                let [after, before] = [at(step), at(-step)];
                for row in 0..nodes {
                    let wanted = (after[row] - before[row]) / (2.0 * step);
                    let block = match column as isize - row as isize {
                        0 => out.diagonal[row],
                        1 => out.upper[row],
                        -1 => out.lower[column],
                        2 if step_bends => out.upper_two[row],
                        -2 if step_bends => out.lower_two[column],
                        _ => Mat3::zeros(),
                    };
                    let error = (block.column(k) - wanted).amax();
                    assert!(error <= 2e-7 * scale, "{name}: ({row}, {column}) by {k} off by {error:e} of {scale:e}");
                }
            }
        }
    }
}

/// Segments of 2 m near their unstretched length, so that some of them tighten in a step and some
/// fall slack.
fn near_slack(random: &mut Random) -> Case {
    Case::new(random, Vec3::new(1.0, 0.4, 0.7), 1.0, 0.3)
}

/// A bed with slopes of up to 1 in cells of the size of segments and less, about its depth.
fn hills(case: &mut Case) {
    let depth = case.water.depth;
    let points = [-9.0, 1.8, 2.3, 9.0].map(|y| {
        let node = |x: f64| [x, y, depth + 0.5 * (1.3 * x + 0.7 * y).sin()];
        [-9.0, 1.0, 2.0, 4.5, 5.0, 9.0, 11.0].map(node)
    });
    case.water.set_bathymetry(&points.concat()).unwrap();
}

fn seeds() -> impl Iterator<Item = Random> {
    (1..=20).map(|seed: u64| Random(0x9e37_79b9_7f4a_7c15 ^ (seed << 32 | seed)))
}

#[test]
fn tangents_are_derivatives_on_all_sides_of_kinks() {
    let (mut crossings, mut creeps) = (0, 0);
    for mut random in seeds() {
        for form in [DISSIPATING, KEEPING, EnergyForm { backward: 0.2, ..KEEPING }] {
            let case = near_slack(&mut random);
            let mut step = Step::new(&mut random, case, 0.2, form);
            step.check_tangents("segments");
            crossings += step.evaluate(false).crossings;
            let case = Case::new(&mut random, Vec3::new(1.0, 0.4, 0.7), 1.05, 0.5);
            let mut bent = Step::new(&mut random, case, 0.5, form);
            bent.case.line_type.ei = 4e4;
            bent.check_tangents("bent");
            // A winch has made the line shorter since.
            step.case.length *= 0.98;
            step.case.rate = -0.8;
            step.check_tangents("winch");
            let table = Table { x: vec![0.0, 0.03, 0.1, 0.3], y: vec![0.0, 2e3, 1.5e4, 9e4] };
            step.case.line_type.tension = Some(Arc::new(table));
            step.check_tangents("table");
            for (slope, since) in [(0.0, 0.02), (0.0, 1e3), (0.7, 0.02), (0.0, f64::INFINITY)] {
                let case = near_slack(&mut random).creeping(&mut random, slope, since);
                let creeping = Step::new(&mut random, case, 0.2, form);
                creeping.check_tangents("viscoelastic");
                creeps += creeping.evaluate(false).crossings;
            }
            for curves in CURVES {
                for (slope, since) in [(0.0, 0.02), (0.0, 1e3), (0.7, 0.02), (0.0, f64::INFINITY)] {
                    let case = near_slack(&mut random).on_curves(&mut random, curves, slope, since);
                    Step::new(&mut random, case, 0.2, form).check_tangents("syrope");
                }
            }
            let case = near_slack(&mut random);
            let mut bed = Step::new(&mut random, case, 0.2, form);
            bed.case.water.depth = 17.5;
            (bed.case.water.stiffness, bed.case.water.damping) = (3e5, 3e4);
            (bed.case.water.smoothing, bed.case.line_type.diameter) = (0.5, 0.6);
            bed.check_tangents("seabed");
            hills(&mut bed.case);
            bed.check_tangents("slopes");
        }
    }
    assert!(crossings > 10 && creeps > 10, "{crossings} {creeps}");
}

/// Without dissipation the forces do the work of the energy that segments and bed give up, whatever
/// happens in the step.
#[test]
fn forces_do_the_work_of_the_energy() {
    for mut random in seeds() {
        for table in [false, true] {
            let mut case = near_slack(&mut random);
            case.line_type.ba = 0.0;
            if table {
                let table = Table { x: vec![0.0, 0.03, 0.1, 0.3], y: vec![0.0, 2e3, 1.5e4, 9e4] };
                case.line_type.tension = Some(Arc::new(table));
            }
            case.water.depth = 18.0;
            (case.water.stiffness, case.water.damping) = (3e5, 0.0);
            case.water.smoothing = 0.1;
            if table {
                hills(&mut case);
                case.line_type.ei = 4e4;
            }
            let step = Step::new(&mut random, case, 1.0, KEEPING);
            let energy = |x: &[Vec3]| {
                let found = step.case.chain().energies(
                    step.case.length,
                    |i| x[i],
                    |_| Vec3::zeros(),
                    |_| 0.0,
                    [None; 2],
                    &step.case.around(),
                );
                found.axial + found.seabed + found.bending
            };
            let out = step.evaluate(false);
            let moved = step.case.x.iter().zip(&step.start).map(|(to, from)| to - from);
            let work: f64 = out.effective.iter().zip(moved).map(|(force, by)| force.dot(&by)).sum();
            let given_up = energy(&step.start) - energy(&step.case.x);
            let size = energy(&step.start) + energy(&step.case.x);
            assert!((work - given_up).abs() < 1e-12 * size, "{work} J of {given_up} J");
        }
    }
}

/// Viscoelastic segments take up more work than they store, in steps of any length, taut or slack.
#[test]
fn viscoelastic_segments_lose_energy_in_every_step() {
    let (mut least, mut crossings, mut hardened) = (f64::INFINITY, 0, 0);
    for mut random in seeds() {
        for (since, curves) in [1e-6, 1e-3, 0.02, 1.0, 1e3]
            .into_iter()
            .flat_map(|since| CURVES.map(Some).into_iter().chain([None]).map(move |curves| (since, curves)))
        {
            let case = near_slack(&mut random);
            let case = match curves {
                None => case.creeping(&mut random, 0.0, since),
                Some(curves) => case.on_curves(&mut random, curves, 0.0, since),
            };
            let mut step = Step::new(&mut random, case, 0.3, KEEPING);
            step.form.h = since;
            // The strains at the start are those of the chords there.
            step.case.slow.iter_mut().zip(&step.strains).for_each(|(own, strain)| own[1] = *strain);
            let out = step.evaluate(false);
            let energy = |x: &[Vec3], slow: &[[f64; 3]]| {
                let case = Case { slow: slow.to_vec(), since: 0.0, ..step.case.clone() };
                let (chain, around) = (case.chain(), case.around());
                chain.energies(case.length, |i| x[i], |_| Vec3::zeros(), |_| 0.0, [None; 2], &around).axial
            };
            let moved = step.case.x.iter().zip(&step.start).map(|(to, from)| to - from);
            let work: f64 = out.effective.iter().zip(moved).map(|(force, by)| -force.dot(&by)).sum();
            let stored = energy(&step.case.x, &out.slow) - energy(&step.start, &step.case.slow);
            let size = energy(&step.start, &step.case.slow) + energy(&step.case.x, &out.slow) + work.abs();
            least = least.min((work - stored) / size);
            crossings += out.crossings;
            hardened += step.case.slow.iter().zip(&out.slow).filter(|(before, after)| after[2] > before[2]).count();
        }
    }
    assert!(least > -1e-13 && crossings > 10 && hardened > 10, "{least:e} {crossings} {hardened}");
}
