//! Archives of states: one visit of a value serves writing, reading and measuring, so that these cannot disagree.
//!
//! Each `visit` below takes its struct apart field by field: a field that is added and not archived does not compile.
//! Little-endian throughout.

use crate::model::{Drive, Frame, FrameMatrix, Hydrodynamics, JointLoad, Load, Loads};
use crate::scheme::{History, Marks, Point, Rate, Restart};
use crate::spatial::{BodyState, Quat, Vec3, Vec6};
use crate::system::State;
use nalgebra::Quaternion;

/// Takes bytes, or gives them.
pub(super) trait Archive {
    /// Writes these bytes, or overwrites them with those that are read.
    fn bytes(&mut self, bytes: &mut [u8]);

    /// What was read cannot be.
    fn refuse(&mut self) {}

    fn byte(&mut self, value: u8) -> u8 {
        let mut byte = [value];
        self.bytes(&mut byte);
        byte[0]
    }

    fn flag(&mut self, value: &mut bool) {
        let byte = self.byte(u8::from(*value));
        if byte > 1 {
            self.refuse();
        }
        *value = byte == 1;
    }

    fn integer32(&mut self, value: &mut u32) {
        let mut bytes = value.to_le_bytes();
        self.bytes(&mut bytes);
        *value = u32::from_le_bytes(bytes);
    }

    fn integer(&mut self, value: &mut u64) {
        let mut bytes = value.to_le_bytes();
        self.bytes(&mut bytes);
        *value = u64::from_le_bytes(bytes);
    }

    fn number(&mut self, value: &mut f64) {
        let mut bits = value.to_bits();
        self.integer(&mut bits);
        *value = f64::from_bits(bits);
    }

    fn numbers<'a>(&mut self, values: impl IntoIterator<Item = &'a mut f64>)
    where
        Self: Sized,
    {
        values.into_iter().for_each(|x| self.number(x));
    }
}

/// Appends to bytes.
pub(super) struct Writer(pub Vec<u8>);

impl Archive for Writer {
    fn bytes(&mut self, bytes: &mut [u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// Counts bytes.
pub(super) struct Counter(pub usize);

impl Archive for Counter {
    fn bytes(&mut self, bytes: &mut [u8]) {
        self.0 += bytes.len();
    }
}

/// Gives bytes; past the end it gives zeros.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    /// False once something was read that cannot be.
    pub valid: bool,
}

impl Archive for Reader<'_> {
    fn bytes(&mut self, bytes: &mut [u8]) {
        match self.bytes.split_at_checked(bytes.len()) {
            Some((first, rest)) => {
                bytes.copy_from_slice(first);
                self.bytes = rest;
            }
            None => {
                bytes.fill(0);
                self.valid = false;
            }
        }
    }

    fn refuse(&mut self) {
        self.valid = false;
    }
}

/// Visits the numbers of a point; past rates take room under a multistep scheme (`room`) also where there are none yet, so
/// that the length of the bytes stays the same over a run.
pub(super) fn point(point: &mut Point, room: bool, archive: &mut impl Archive) {
    let Point { state: own, loads: at_its_time, marks: said, history: past } = point;
    state(own, archive);
    loads(at_its_time, archive);
    marks(said, archive);
    history(past, own.bodies.len(), room, archive);
}

pub(super) fn state(state: &mut State, archive: &mut impl Archive) {
    let State { time, time_rest, bodies, lambda, coordinates, drives, reactions } = state;
    archive.numbers([&mut *time, time_rest]);
    bodies.iter_mut().for_each(|state| body(state, archive));
    archive.numbers(lambda);
    archive.numbers(coordinates);
    archive.numbers(drives.as_flattened_mut());
    reactions.iter_mut().for_each(|wrench| archive.numbers(wrench.iter_mut()));
    if !time.is_finite() {
        archive.refuse();
    }
}

fn marks(marks: &mut Marks, archive: &mut impl Archive) {
    let Marks { restart: why, loads_jump } = marks;
    restart(why, archive);
    archive.flag(loads_jump);
}

fn restart(restart: &mut Restart, archive: &mut impl Archive) {
    match [Restart::No, Restart::Parameters, Restart::Discontinuity].get(usize::from(archive.byte(*restart as u8))) {
        Some(read) => *restart = *read,
        None => archive.refuse(),
    }
}

/// What stands before past rates: nothing follows; room without meaning; rates.
const NO_RATES: u8 = 0;
const EMPTY_RATES: u8 = 1;
const RATES: u8 = 2;

fn history(history: &mut History, count: usize, room: bool, archive: &mut impl Archive) {
    let History { step, restart: why, a, age, violations, rates, pattern, deviations, is_linear } = history;
    archive.number(step);
    restart(why, archive);
    a.iter_mut().for_each(|a| archive.numbers(a.iter_mut()));
    archive.integer32(age);
    archive.numbers(violations.as_flattened_mut().as_flattened_mut());
    let mark = archive.byte(match (rates.is_empty(), room) {
        (true, false) => NO_RATES,
        (true, true) => EMPTY_RATES,
        (false, _) => RATES,
    });
    rates.resize(if mark == NO_RATES { 0 } else { count }, [Rate::ZERO; 4]);
    for Rate { x, q, v } in rates.as_flattened_mut() {
        archive.numbers(x.iter_mut().chain(q.coords.iter_mut()).chain(v.iter_mut()));
    }
    if mark == EMPTY_RATES {
        rates.clear();
    }
    archive.integer(pattern);
    deviations.iter_mut().for_each(|deviation| archive.numbers(deviation.iter_mut()));
    archive.flag(is_linear);
    if mark > RATES || !(*step >= 0.0 && step.is_finite()) {
        archive.refuse();
    }
}

fn body(body: &mut BodyState, archive: &mut impl Archive) {
    let BodyState { x, q, v, vdot } = body;
    let mut number = *q.quaternion();
    archive.numbers(x.iter_mut().chain(number.coords.iter_mut()).chain(v.iter_mut()).chain(vdot.iter_mut()));
    *q = Quat::new_unchecked(number);
    // Not so for NaN either.
    if !((number.norm() - 1.0).abs() <= 1e-6) {
        archive.refuse();
    }
}

pub(super) fn loads(loads: &mut Loads, archive: &mut impl Archive) {
    let Loads { bodies, markers, joints, motions } = loads;
    for Load { frame: axes, wrench, given } in bodies.iter_mut().chain(markers) {
        frame(axes, archive);
        archive.flag(given);
        archive.numbers(wrench.iter_mut());
    }
    for JointLoad { force, drive, given } in joints {
        archive.flag(given);
        archive.number(force);
        optional(drive, Drive::default(), archive, |drive, archive| archive.numbers(drive));
    }
    for motion in motions {
        optional(motion, AT_REST, archive, body);
    }
}

/// What stands in the bytes where no motion is given.
const AT_REST: BodyState = BodyState {
    x: Vec3::new(0.0, 0.0, 0.0),
    q: Quat::new_unchecked(Quaternion::new(1.0, 0.0, 0.0, 0.0)),
    v: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    vdot: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
};

/// A value that may be missing takes the same room then.
fn optional<T: Copy, A: Archive>(value: &mut Option<T>, missing: T, archive: &mut A, visit: impl Fn(&mut T, &mut A)) {
    let (mut is_there, mut inside) = (value.is_some(), value.unwrap_or(missing));
    archive.flag(&mut is_there);
    visit(&mut inside, archive);
    *value = is_there.then_some(inside);
}

fn frame(frame: &mut Frame, archive: &mut impl Archive) {
    match Frame::from_code(i32::from(archive.byte(*frame as u8))) {
        Ok(read) => *frame = read,
        Err(_) => archive.refuse(),
    }
}

pub(super) fn hydrodynamics(coefficients: &mut Hydrodynamics, archive: &mut impl Archive) {
    let Hydrodynamics { added_mass, linear_damping, quadratic_drag } = coefficients;
    for matrix in [added_mass, linear_damping, quadratic_drag] {
        let missing = FrameMatrix { matrix: crate::spatial::Mat6::zeros(), frame: Frame::Inertial };
        optional(matrix, missing, archive, |FrameMatrix { matrix, frame: axes }, archive| {
            frame(axes, archive);
            archive.numbers(matrix.iter_mut());
        });
    }
}
