//! Elimination in the pauses of an assembly: the bits that it has afterwards, also where entries turn out to be needed, and after
//! assemblies that were given up.

use super::kkt_tests::{Model, Part, chain, closed, enter, graphs, noise, residual, turned};
use super::{Assemble, Four, Kkt};

/// The parts of a model from the last node to the first, each with the first node that it belongs to: leaves come first.
fn from_the_leaves(model: &Model, seed: &mut u64) -> Vec<(usize, Part)> {
    let (starts, dofs) = (model.starts(), model.dofs());
    let joint_of: Vec<&Vec<usize>> =
        model.joints.iter().flat_map(|(nodes, rows)| std::iter::repeat_n(nodes, *rows)).collect();
    let first = |part: &Part| {
        let node = |unknown: usize| match unknown.checked_sub(dofs) {
            None => starts.partition_point(|start| *start <= unknown) - 1,
            Some(constraint) => joint_of[constraint].iter().copied().min().unwrap(),
        };
        node(part.row).min(node(part.column))
    };
    let mut parts: Vec<(usize, Part)> = model.parts(seed).into_iter().map(|part| (first(&part), part)).collect();
    parts.sort_by_key(|(node, _)| std::cmp::Reverse(*node));
    parts
}

/// Enters so many of the parts, with a pause after every third node.
fn enter_in_pauses(parts: &[(usize, Part)], count: usize, into: &mut Kkt) {
    into.clear();
    for group in parts[..count].chunk_by(|a, b| a.0 / 3 == b.0 / 3) {
        group.iter().for_each(|(_, part)| enter(std::slice::from_ref(part), into));
        into.pause(&[]);
    }
}

/// Assembles and factorises; how often it had to.
fn factorize(parts: &[(usize, Part)], kkt: &mut Kkt) -> usize {
    for count in 1..3 {
        enter_in_pauses(parts, parts.len(), kkt);
        if kkt.is_complete() {
            kkt.factorize().unwrap();
            return count;
        }
    }
    panic!("entries are never complete");
}

fn new(model: &Model) -> Kkt {
    Kkt::new(model.widths.iter().copied(), model.constraints())
}

/// Bits of solutions of one and of four right-hand sides.
fn solutions(kkt: &mut Kkt) -> Vec<u64> {
    let (n, mut seed) = (kkt.unknowns(), 3);
    let mut four: Vec<Four> = (0..n).map(|_| Four(std::array::from_fn(|_| noise(&mut seed)))).collect();
    let mut one: Vec<f64> = four.iter().map(|b| b.0[0]).collect();
    kkt.solve(&mut one);
    kkt.solve_four(&mut four, &mut vec![0.0; n]);
    one.iter().chain(four.iter().flat_map(|b| &b.0)).map(|x| x.to_bits()).collect()
}

fn of(parts: &[(usize, Part)]) -> Vec<Part> {
    let copy = |part: &Part| Part { entries: part.entries.clone(), ..*part };
    parts.iter().map(|(_, part)| copy(part)).collect()
}

/// Long enough that few entries wait at one time.
fn long() -> Vec<(&'static str, Model)> {
    vec![("chain of 90", chain(90)), ("chain of 90 that turns", turned(chain(90))), ("comb of 120", comb(120))]
}

/// Every third body hangs on the one three before it, the others on the one of these before them.
fn comb(bodies: usize) -> Model {
    let mut model = chain(bodies);
    for k in 3..bodies {
        model.joints[k].0 = vec![if k % 3 == 0 { k - 3 } else { k - k % 3 }, k];
    }
    model
}

#[test]
fn long_chains_and_trees_are_eliminated_during_the_assembly_with_the_bits_of_afterwards() {
    for (name, model) in long() {
        let (mut staged, mut kept) = (new(&model), new(&model));
        let mut seed = 11;
        for assembly in 0..4 {
            let parts = from_the_leaves(&model, &mut seed);
            assert_eq!(factorize(&parts, &mut staged), 1, "{name}");
            assert_eq!(staged.path_name(), "blocks in stages", "{name}");
            if assembly == 0 {
                factorize(&parts, &mut kept);
                kept.keep_entries();
            }
            factorize(&parts, &mut kept);
            assert_eq!(kept.path_name(), "blocks", "{name}");
            assert!(solutions(&mut staged) == solutions(&mut kept), "{name}, assembly {assembly}");
            let b = vec![1.0; staged.unknowns()];
            let mut x = b.clone();
            staged.solve(&mut x);
            assert!(residual(&of(&parts), &x, &b) < 1e-13, "{name}");
        }
    }
}

#[test]
fn all_graphs_are_solved_with_pauses_in_the_assembly() {
    for (name, model) in graphs().into_iter().chain([("closed chain of 200", closed(200))]) {
        let (mut kkt, mut seed) = (new(&model), 7);
        for _ in 0..3 {
            let parts = from_the_leaves(&model, &mut seed);
            factorize(&parts, &mut kkt);
            let b: Vec<f64> = (0..kkt.unknowns()).map(|_| noise(&mut seed)).collect();
            let mut x = b.clone();
            kkt.solve(&mut x);
            assert!(residual(&of(&parts), &x, &b) < 1e-12, "{name}");
        }
    }
}

/// A body without inertia, which is held by its joints, has no pivot by itself; bodies of masses far apart make solutions delicate. Both
/// need entries that have made room for others.
#[test]
fn entries_that_are_missed_are_assembled_once_more_and_kept() {
    for (name, model) in long() {
        for fault in ["massless", "heavy"] {
            let (mut staged, mut kept, mut seed) = (new(&model), new(&model), 5);
            let sound = from_the_leaves(&model, &mut seed);
            factorize(&sound, &mut staged);
            factorize(&sound, &mut kept);
            kept.keep_entries();
            let start = model.starts()[30];
            let mut faulty = from_the_leaves(&model, &mut seed);
            for (_, part) in faulty.iter_mut().filter(|(_, part)| part.row == start && part.column == start) {
                part.entries.iter_mut().for_each(|x| *x *= if fault == "heavy" { 1e6 } else { 1e-30 });
            }
            assert_eq!(factorize(&faulty, &mut staged), 2, "{name}, {fault}");
            assert_ne!(staged.path_name(), "blocks in stages", "{name}, {fault}");
            for parts in [&faulty, &sound] {
                factorize(parts, &mut staged);
                factorize(parts, &mut kept);
                assert!(solutions(&mut staged) == solutions(&mut kept), "{name}, {fault}");
                let b = vec![1.0; staged.unknowns()];
                let mut x = b.clone();
                staged.solve(&mut x);
                assert!(residual(&of(parts), &x, &b) < 1e-13, "{name}, {fault}");
            }
        }
    }
}

#[test]
fn an_assembly_that_is_given_up_leaves_no_trace() {
    for (name, model) in long() {
        let (mut disturbed, mut fresh, mut seed) = (new(&model), new(&model), 9);
        let first = from_the_leaves(&model, &mut seed);
        factorize(&first, &mut disturbed);
        let parts = from_the_leaves(&model, &mut seed);
        factorize(&parts, &mut fresh);
        for part in [1, 2, 3, 7] {
            enter_in_pauses(&first, first.len() * part / 8, &mut disturbed);
            assert_eq!(factorize(&parts, &mut disturbed), 1, "{name}");
            assert!(solutions(&mut disturbed) == solutions(&mut fresh), "{name}, given up after {part}/8");
        }
    }
}

/// Assembles with a residual that is complete where entries are, and numbers from elsewhere where it is not yet; factorises, and solves for it.
fn solve_along(parts: &[(usize, Part)], residual: &[f64], kkt: &mut Kkt) -> Option<Vec<f64>> {
    kkt.clear_along(0.25);
    let mut so_far: Vec<f64> = vec![1e3; residual.len()];
    let groups: Vec<_> = parts.chunk_by(|a, b| a.0 / 3 == b.0 / 3).collect();
    let last_of = |unknown: usize| {
        let has = |(_, part): &(usize, Part)| {
            (part.row..part.row + part.rows).contains(&unknown)
                || (part.column..part.column + part.entries.len() / part.rows).contains(&unknown)
        };
        groups.iter().rposition(|group| group.iter().any(has))
    };
    let last: Vec<Option<usize>> = (0..residual.len()).map(last_of).collect();
    for (k, group) in groups.iter().enumerate() {
        group.iter().for_each(|(_, part)| enter(std::slice::from_ref(part), kkt));
        (0..residual.len()).filter(|i| last[*i] == Some(k)).for_each(|i| so_far[i] = residual[i]);
        kkt.pause(&so_far);
    }
    assert!(kkt.is_complete());
    kkt.factorize_along(residual).unwrap();
    let mut x = vec![0.0; residual.len()];
    kkt.solve_along(&mut x).then_some(x)
}

#[test]
fn a_right_hand_side_that_goes_along_has_the_bits_of_one_afterwards() {
    for (name, model) in long().into_iter().chain(graphs()) {
        let (mut kkt, mut seed) = (new(&model), 13);
        for assembly in 0..3 {
            let parts = from_the_leaves(&model, &mut seed);
            let residual: Vec<f64> = (0..kkt.unknowns()).map(|_| noise(&mut seed)).collect();
            let along = solve_along(&parts, &residual, &mut kkt);
            // It is there once, from the second assembly on, where blocks are eliminated one after the other.
            let is_long = name.contains("90") || name.contains("120");
            assert!(along.is_some() || assembly == 0 || !is_long, "{name}, {assembly}");
            assert!(!kkt.solve_along(&mut vec![0.0; residual.len()]), "{name}");
            let dofs = model.dofs();
            let right = |(k, r): (usize, &f64)| if k < dofs { -0.25 * r } else { -r };
            let mut afterwards: Vec<f64> = residual.iter().enumerate().map(right).collect();
            kkt.solve(&mut afterwards);
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert!(along.is_none_or(|along| bits(&along) == bits(&afterwards)), "{name}, assembly {assembly}");
        }
    }
}
