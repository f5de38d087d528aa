//! Inputs over time: numbers of a host that follow tables instead (`model::series`), of a model
//! file or of a file of their own (`table`). Each step sets them for its end, by the setters of the
//! host. An input that the host sets itself follows its table no more.
//!
//! Of a motion either all numbers have tables, or positions alone: then rates and accelerations are
//! the derivatives of these. An orientation is a quaternion that is normalised after interpolation,
//! q = p / |p|. Its angular velocity is the vector part of 2 p' p* / |p|^2, its angular
//! acceleration is the derivative of that: with n = |p|^2 the vector part of 2 p'' p* / n, less
//! omega n' / n.

mod table;

pub(super) use table::columns;
pub use table::follow_table;

use super::Simulation;
use super::named_inputs::{Group, InputList, Numbers, QUATERNION, WIDEST, What, derivatives};
use crate::error::{Error, Result};
use crate::model::fingerprint::fnv1a;
use crate::model::{EntityKind, Interpolation, Series};
use crate::number::Number;
use nalgebra::Quaternion;
use std::sync::Arc;

/// A group of inputs with tables of some of its numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Followed {
    pub(super) group: Group,
    /// Index in the group, and its table.
    pub(super) columns: Vec<(usize, Series)>,
    /// Whether the rates of a motion have tables, too.
    has_rates: bool,
    /// Whether this is all of the group.
    is_whole: bool,
}

/// A column of a table.
pub(super) struct Column {
    /// The input, in the list.
    pub(super) input: usize,
    pub(super) times: Arc<[f64]>,
    pub(super) values: Vec<f64>,
    /// None: that of its kind.
    pub(super) interpolation: Option<Interpolation>,
    pub(super) rests: bool,
}

impl Simulation {
    /// Lets inputs follow columns, instead of the ones that they follow. Phase BUILDING. Errors,
    /// with the name of the input: a column that is no table; a motion with some of its rates, or
    /// with a part of a quaternion; a motion by straight lines.
    pub(super) fn follow(&mut self, list: &InputList, columns: Vec<Column>) -> Result<()> {
        let mut groups: Vec<(Group, Vec<(usize, Column)>)> = Vec::new();
        for column in columns {
            let (group, component) = list.place(column.input)?;
            match groups.iter_mut().find(|(other, _)| *other == group) {
                Some((_, parts)) => {
                    let place = parts.iter().position(|(other, _)| *other > component).unwrap_or(parts.len());
                    parts.insert(place, (component, column));
                }
                None => groups.push((group, vec![(component, column)])),
            }
        }
        let followed = groups.into_iter().map(|(group, parts)| followed(list, group, parts));
        for followed in followed.collect::<Result<Vec<_>>>()? {
            self.series.retain(|other| other.group != followed.group);
            self.series.push(followed);
        }
        self.inputs.follows = vec![true; self.series.len()];
        Ok(())
    }

    /// Sets what follows a table to its values at a time, which an argument gives. Errors: outside
    /// of a table; values that a setter refuses.
    #[inline(never)]
    pub(super) fn follow_series(&mut self, argument: &'static str, time: f64) -> Result<()> {
        let series = self.series.clone();
        // All or nothing: errors are found before anything is set.
        for is_set in [false, true] {
            for (k, followed) in series.iter().enumerate() {
                // What follows belongs to the joint, which is broken.
                let Group { kind, id, .. } = followed.group;
                let is_broken = kind == EntityKind::Joint && self.model.joints[id as usize].is_broken;
                if is_broken || !self.inputs.follows[k] {
                    continue;
                }
                let numbers = self.numbers_at(followed, argument, time)?;
                if is_set && (!followed.group.what.is_length() || self.run.is_some()) {
                    self.write(followed.group, &numbers)?;
                    self.inputs.follows[k] = true;
                }
            }
        }
        Ok(())
    }

    /// The numbers of a group at a time.
    #[inline(never)]
    fn numbers_at(&self, followed: &Followed, argument: &'static str, time: f64) -> Result<Numbers> {
        let Followed { group, columns, has_rates, is_whole } = followed;
        let mut numbers = if *is_whole { [0.0; WIDEST] } else { self.read(*group)? };
        let mut turn = [[0.0; 4]; 3];
        let name = |component: usize| {
            self.given().input_list().names_of(*group).nth(component).map_or(String::new(), str::to_owned)
        };
        for (component, series) in columns {
            let Some(at) = series.at(time) else {
                let [first, last] = series.range().map(Number);
                let (name, time) = (name(*component), Number(time));
                let detail = format!("time {time} is outside of the table of \"{name}\", from {first} to {last}");
                return Err(Error::bad_value(argument, detail));
            };
            numbers[*component] = at[0];
            if *has_rates {
                continue;
            }
            for (place, rate) in derivatives(group.what, *component).into_iter().flatten().zip(&at[1..]) {
                place.into_iter().for_each(|place| numbers[place] = *rate);
            }
            if is_of_quaternion(group.what, *component) {
                (0..3).for_each(|order| turn[order][component - QUATERNION.start] = at[order]);
            }
        }
        if turn[0] != [0.0; 4] {
            let [p, rate, second] = turn.map(|[w, x, y, z]| Quaternion::new(w, x, y, z));
            let (n, growth) = (p.norm_squared(), 2.0 * p.coords.dot(&rate.coords));
            let omega = (rate * p.conjugate()).imag() * (2.0 / n);
            let alpha = (second * p.conjugate()).imag() * (2.0 / n) - omega * (growth / n);
            numbers[10..13].copy_from_slice(omega.as_slice());
            numbers[16..19].copy_from_slice(alpha.as_slice());
        }
        let index = self.model.index("input", group.kind, group.id)?;
        self.settle(group.what, index, &mut numbers, &|| name(0))?;
        if group.what.is_length() && self.run.is_none() {
            let (described, name) = (self.described_length(group.what, index), name(0));
            if described != numbers[0] {
                let (described, length, kind) = (Number(described), Number(numbers[0]), group.kind.name());
                let detail =
                    format!("\"{name}\" starts with {length}, but the {kind} is {described} long in the model");
                return Err(Error::bad_value(argument, detail));
            }
        }
        Ok(numbers)
    }

    /// The host has set an input: it follows its table no more.
    pub(super) fn leave_series(&mut self, what: What, index: usize) {
        self.leave(|group| group.what == what && group.id as usize == index);
    }

    /// The host has set all inputs of some kinds.
    pub(super) fn leave_all_series(&mut self, what: &[What]) {
        self.leave(|group| what.contains(&group.what));
    }

    fn leave(&mut self, is_left: impl Fn(&Group) -> bool) {
        for (follows, followed) in self.inputs.follows.iter_mut().zip(self.series.iter()) {
            *follows &= !is_left(&followed.group);
        }
    }

    /// A fingerprint of the model, with that of the tables.
    pub(super) fn with_series(&self, mut fingerprint: u64) -> u64 {
        let mut add = |bits: u64| fingerprint = fnv1a(&bits.to_le_bytes(), fingerprint);
        for Followed { group, columns, .. } in self.series.iter() {
            for (component, series) in columns {
                let mode = 2 * series.interpolation as u64 + u64::from(series.rests);
                [group.what as u64, group.id as u64, *component as u64, mode].into_iter().for_each(&mut add);
                series.times.iter().chain(&series.values).for_each(|x| add(x.to_bits()));
            }
        }
        fingerprint
    }

    /// How many numbers the tables have.
    pub(super) fn series_numbers(&self) -> usize {
        self.series.iter().flat_map(|followed| &followed.columns).map(|(_, series)| 2 * series.values.len()).sum()
    }
}

fn is_of_quaternion(what: What, component: usize) -> bool {
    what == What::BodyMotion && QUATERNION.contains(&component)
}

/// A group with its tables, which are in the order of its numbers.
fn followed(list: &InputList, group: Group, mut parts: Vec<(usize, Column)>) -> Result<Followed> {
    let names: Vec<&str> = list.names_of(group).collect();
    let refused = |component: usize, why: String| Error::bad_value("input", format!("\"{}\": {why}", names[component]));
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(refused(pair[0].0, "has two tables".into()));
    }
    let is_position =
        |component: usize| derivatives(group.what, component).is_some() || is_of_quaternion(group.what, component);
    let is_motion = (0..names.len()).any(is_position);
    let has = |component: usize| parts.iter().any(|(own, _)| *own == component);
    let has_rates = is_motion && parts.iter().any(|(component, _)| !is_position(*component));
    let turns = parts.iter().any(|(component, _)| is_of_quaternion(group.what, *component));
    let missing = (0..names.len())
        .find(|component| !has(*component) && (has_rates || (turns && is_of_quaternion(group.what, *component))));
    if let Some(component) = missing {
        let why = match has_rates {
            true => "has no table: a motion needs those of all of its numbers, or of positions alone",
            false => "has no table: an orientation needs those of all four numbers of its quaternion",
        };
        return Err(refused(component, why.into()));
    }
    if turns {
        align(&mut parts)
            .map_err(|component| refused(component, "has other times than the rest of the quaternion".into()))?;
    }
    let mut columns = Vec::with_capacity(parts.len());
    for (component, Column { times, values, interpolation, rests, .. }) in parts {
        let usual = if !is_motion || has_rates { Interpolation::Linear } else { Interpolation::Cubic };
        let interpolation = if has_rates { usual } else { interpolation.unwrap_or(usual) };
        if is_motion && !has_rates && interpolation == Interpolation::Linear && !group.what.is_length() {
            return Err(refused(
                component,
                "a motion by straight lines would jump in its rate: cubic or monotone".into(),
            ));
        }
        // A motion whose rates are given need not rest at its ends.
        let series = Series::new(times, values, interpolation, rests && !has_rates);
        columns.push((component, series.map_err(|cause| refused(component, cause.to_string()))?));
    }
    let is_whole = columns.len() == names.len() || matches!(group.what, What::JointMotion | What::SlideMotion);
    Ok(Followed { group, columns, has_rates, is_whole })
}

/// Makes each quaternion of a table one of the two that is nearest to the row before: between them
/// the turn is the shorter one. Errors: a part with other times.
fn align(parts: &mut [(usize, Column)]) -> std::result::Result<(), usize> {
    let mut turn: Vec<&mut (usize, Column)> = parts.iter_mut().filter(|(k, _)| QUATERNION.contains(k)).collect();
    let (times, rows) = (turn[0].1.times.clone(), turn[0].1.values.len());
    if let Some(other) = turn.iter().find(|(_, column)| column.times != times || column.values.len() != rows) {
        return Err(other.0);
    }
    for row in 1..rows {
        if turn.iter().map(|(_, column)| column.values[row] * column.values[row - 1]).sum::<f64>() < 0.0 {
            turn.iter_mut().for_each(|(_, column)| column.values[row] = -column.values[row]);
        }
    }
    Ok(())
}
