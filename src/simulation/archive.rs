//! Archives of states: one visitor writes, reads and measures, so that these cannot disagree.
//!
//! The visits destructure each struct: a field that is added and not archived does not compile. A
//! macro makes them twice, for `&` with [`Writer`] and for `&mut` with [`Reader`], whose methods
//! have the same names. Little-endian throughout.

mod changes;

use super::Inputs;
use super::saved::{Reference, Snapshot};
use crate::elements::Memory;
use crate::elements::line::{Bathymetry, CurrentGrid};
use crate::elements::waves::{self, Wave, Waves};
use crate::model::{Frame, FrameMatrix, Hydrodynamics, JointLoad, LineLength, Load, Loads, PointLoad, Settings, Water};
use crate::scheme::{
    Alpha, Filtered, History, Kinks, Linear, Marks, Multistep, Numbers, Pace, Past, Point, Restart, Scheme, Shape,
};
use crate::spatial::{BodyState, Quat, Vec3, Vec6};
use crate::system::{Layout, LineForces, State};
use nalgebra::Quaternion;
use std::sync::Arc;

/// Writes bytes; bytes beyond the end of the buffer are only counted.
pub(super) struct Writer<'a> {
    pub bytes: &'a mut [u8],
    /// Number of bytes written and counted.
    pub at: usize,
}

/// Reads bytes; past the end it returns zeros.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    /// False once a value was invalid.
    pub valid: bool,
}

/// Histories of the families of schemes, by the code that precedes them.
const SHAPES: [Shape; 5] = [Shape::Nothing, Shape::Alpha, Shape::Linear, Shape::Wilson, Shape::Multistep];

const RESTARTS: [Restart; 3] = [Restart::No, Restart::Parameters, Restart::Discontinuity];

impl Writer<'_> {
    pub fn put(&mut self, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(self.at..self.at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }

    pub fn integer32(&mut self, value: &u32) {
        self.put(&value.to_le_bytes());
    }

    pub fn integer(&mut self, value: &u64) {
        self.put(&value.to_le_bytes());
    }

    pub fn number(&mut self, value: &f64) {
        self.put(&value.to_bits().to_le_bytes());
    }

    /// Length of a list that the model does not determine.
    fn count<T>(&mut self, list: &[T]) {
        self.integer(&(list.len() as u64));
    }

    pub fn time(&mut self, time: &f64) {
        self.number(time);
    }

    pub fn size(&mut self, size: &f64) {
        self.number(size);
    }

    pub fn flag(&mut self, value: &bool) {
        self.put(&[u8::from(*value)]);
    }

    fn frame(&mut self, frame: &Frame) {
        self.put(&[*frame as u8]);
    }

    fn restart(&mut self, restart: &Restart) {
        self.put(&[*restart as u8]);
    }

    fn quaternion(&mut self, q: &Quat) {
        q.coords.iter().for_each(|x| self.number(x));
    }

    fn unit_quaternions(&mut self, _: Layout, _: &[f64]) {}

    fn optional<T: Copy>(&mut self, value: &Option<T>, missing: T, visit: impl Fn(&T, &mut Self)) {
        self.flag(&value.is_some());
        visit(&value.unwrap_or(missing), self);
    }

    fn waves(&mut self, waves: &Option<Arc<Waves>>) {
        let components = waves.as_ref().map_or(&[][..], |waves| waves.components());
        let [gravity, depth] = waves.as_ref().map_or([0.0; 2], |waves| [waves.gravity(), waves.depth()]);
        self.count(components);
        writing::numbers(&[gravity, depth], self);
        components.iter().for_each(|wave| writing::wave(wave, self));
    }

    fn bathymetry(&mut self, bathymetry: &Option<Arc<Bathymetry>>) {
        self.rows(bathymetry.as_ref().map(|grid| grid.points()));
    }

    fn current_grid(&mut self, currents: &Option<Arc<CurrentGrid>>) {
        self.rows(currents.as_ref().map(|grid| grid.points()));
    }

    /// The number of rows and the rows, without allocation.
    fn rows<const N: usize>(&mut self, rows: Option<impl ExactSizeIterator<Item = [f64; N]>>) {
        self.integer(&rows.as_ref().map_or(0, |rows| rows.len() as u64));
        rows.into_iter().flatten().for_each(|row| writing::numbers(&row, self));
    }

    fn past(&mut self, past: &Past, _: Layout, _: usize) {
        let mark = SHAPES.iter().position(|known| *known == past.shape()).unwrap_or(0) as u8;
        self.put(&[mark]);
        writing::past(past, self);
    }

    pub fn settings(&mut self, settings: &Settings) {
        settings.values().iter().for_each(|x| self.number(x));
    }

    pub fn scheme(&mut self, scheme: &Scheme) {
        scheme.code().iter().for_each(|number| self.integer32(number));
    }
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.bytes.split_first_chunk::<N>() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => {
                self.valid = false;
                [0; N]
            }
        }
    }

    pub fn integer32(&mut self, value: &mut u32) {
        *value = u32::from_le_bytes(self.take());
    }

    pub fn integer(&mut self, value: &mut u64) {
        *value = u64::from_le_bytes(self.take());
    }

    pub fn number(&mut self, value: &mut f64) {
        *value = f64::from_bits(u64::from_le_bytes(self.take()));
    }

    /// Restores the length of a list, at most the number of remaining bytes.
    fn count<T: Clone + Default>(&mut self, list: &mut Vec<T>) {
        let mut length = 0;
        self.integer(&mut length);
        let most = self.bytes.len() / size_of::<T>().max(1);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.valid &= length <= most;
        list.resize(length.min(most), T::default());
    }

    /// A finite number.
    pub fn time(&mut self, time: &mut f64) {
        self.number(time);
        self.valid &= time.is_finite();
    }

    /// A number that is not negative.
    pub fn size(&mut self, size: &mut f64) {
        self.number(size);
        self.valid &= *size >= 0.0;
    }

    pub fn flag(&mut self, value: &mut bool) {
        let [byte] = self.take();
        *value = byte == 1;
        self.valid &= byte <= 1;
    }

    fn frame(&mut self, frame: &mut Frame) {
        let [byte] = self.take();
        match Frame::from_code(i32::from(byte)) {
            Ok(read) => *frame = read,
            Err(_) => self.valid = false,
        }
    }

    fn restart(&mut self, restart: &mut Restart) {
        let [byte] = self.take();
        match RESTARTS.get(usize::from(byte)) {
            Some(read) => *restart = *read,
            None => self.valid = false,
        }
    }

    fn quaternion(&mut self, q: &mut Quat) {
        let mut read = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        read.coords.iter_mut().for_each(|x| self.number(x));
        // False for NaN, too.
        self.valid &= (read.norm() - 1.0).abs() <= 1e-6;
        *q = Quat::new_unchecked(read);
    }

    fn unit_quaternions(&mut self, layout: Layout, q: &[f64]) {
        let size = |place: &[f64; 7]| place[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
        // False for NaN, too.
        self.valid &= layout.split_places(q).0.iter().all(|place| (size(place) - 1.0).abs() <= 1e-6);
    }

    fn optional<T: Copy>(&mut self, value: &mut Option<T>, missing: T, visit: impl Fn(&mut T, &mut Self)) {
        let (mut is_there, mut inside) = (false, missing);
        self.flag(&mut is_there);
        visit(&mut inside, self);
        *value = is_there.then_some(inside);
    }

    fn waves(&mut self, waves: &mut Option<Arc<Waves>>) {
        let (mut components, mut numbers) = (Vec::new(), [0.0; 2]);
        self.count::<Wave>(&mut components);
        reading::numbers(&mut numbers, self);
        components.iter_mut().for_each(|wave| reading::wave(wave, self));
        let [gravity, depth] = numbers;
        let are_finite = gravity.is_finite() && (0.0..f64::INFINITY).contains(&depth);
        self.valid &= are_finite && waves::check(&components).is_ok();
        *waves = match self.valid && !components.is_empty() {
            true => Some(Arc::new(Waves::new(components, gravity, depth))),
            false => None,
        };
    }

    fn bathymetry(&mut self, bathymetry: &mut Option<Arc<Bathymetry>>) {
        let mut points: Vec<[f64; 3]> = Vec::new();
        self.count(&mut points);
        reading::numbers(points.as_flattened_mut(), self);
        let grid = (!points.is_empty()).then(|| Bathymetry::new(&points).ok());
        self.valid &= grid != Some(None);
        *bathymetry = grid.flatten().map(Arc::new);
    }

    fn current_grid(&mut self, currents: &mut Option<Arc<CurrentGrid>>) {
        let mut points: Vec<[f64; 7]> = Vec::new();
        self.count(&mut points);
        reading::numbers(points.as_flattened_mut(), self);
        let grid = (!points.is_empty()).then(|| CurrentGrid::new(&points).ok());
        self.valid &= grid != Some(None);
        *currents = grid.flatten().map(Arc::new);
    }

    fn past(&mut self, past: &mut Past, layout: Layout, multipliers: usize) {
        let [mark] = self.take();
        let Some(shape) = SHAPES.get(usize::from(mark)) else {
            self.valid = false;
            return;
        };
        *past = Past::new(*shape, layout, multipliers);
        reading::past(past, self);
    }

    pub fn settings(&mut self, settings: &mut Settings) {
        let mut values = settings.values().to_vec();
        values.iter_mut().for_each(|x| self.number(x));
        match Settings::from_values(&values) {
            Some(read) => *settings = read,
            None => self.valid = false,
        }
    }

    pub fn scheme(&mut self, scheme: &mut Scheme) {
        let (mut kind, mut substeps) = (0, 0);
        self.integer32(&mut kind);
        self.integer32(&mut substeps);
        match Scheme::from_code([kind, substeps]) {
            Some(read) => *scheme = read,
            None => self.valid = false,
        }
    }
}

/// The placeholder where no motion is given.
const AT_REST: BodyState = BodyState {
    x: Vec3::new(0.0, 0.0, 0.0),
    q: Quat::new_unchecked(Quaternion::new(1.0, 0.0, 0.0, 0.0)),
    v: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    vdot: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
};

macro_rules! visits {
    ($archive:ident $(, $mutable:tt)?) => {
        use super::*;

        pub fn point(point: &$($mutable)? Point, archive: &mut $archive) {
            let Point { state: own, loads: at_its_time, marks: said, history: past } = point;
            state(own, archive);
            loads(at_its_time, archive);
            marks(said, archive);
            history(past, own.layout, own.lambda.len(), archive);
        }

        pub fn state(state: &$($mutable)? State, archive: &mut $archive) {
            let State { layout, time, time_rest, q, v, vdot, lambda, coordinates, drives, reactions, z, lines, yaw } =
                state;
            archive.time(time);
            archive.time(time_rest);
            numbers(&$($mutable)? *q, archive);
            archive.unit_quaternions(*layout, q);
            numbers(v, archive);
            numbers(vdot, archive);
            numbers(lambda, archive);
            numbers(coordinates, archive);
            for drive in drives.into_iter().flatten() {
                numbers(drive, archive);
            }
            numbers(reactions, archive);
            archive.count(z);
            numbers(&$($mutable)? *z, archive);
            forces(lines, archive);
            archive.number(yaw);
        }

        fn marks(marks: &$($mutable)? Marks, archive: &mut $archive) {
            let Marks { restart, loads_jump } = marks;
            archive.restart(restart);
            archive.flag(loads_jump);
        }

        fn history(history: &$($mutable)? History, layout: Layout, multipliers: usize, archive: &mut $archive) {
            let History { step, restart, age, pace: Pace { next, error }, past } = history;
            archive.size(step);
            archive.restart(restart);
            archive.integer32(age);
            archive.size(next);
            archive.size(error);
            archive.past(past, layout, multipliers);
        }

        pub fn past(past: &$($mutable)? Past, archive: &mut $archive) {
            match past {
                Past::Nothing => {}
                Past::Alpha(Alpha { a, filtered, vdot, lambda, violations, unrounded, kinks }) => {
                    let Filtered { v: filtered_v, vdot: filtered_vdot } = filtered;
                    numbers(a, archive);
                    numbers(filtered_v, archive);
                    numbers(filtered_vdot, archive);
                    numbers(vdot, archive);
                    numbers(lambda, archive);
                    for pair in violations.into_iter().flatten() {
                        numbers(pair, archive);
                    }
                    for momentum in unrounded {
                        numbers(momentum, archive);
                    }
                    let Kinks { force, algorithmic, memories, turned, since } = kinks;
                    numbers(force, archive);
                    numbers(algorithmic, archive);
                    for Memory { y, kappa } in memories {
                        numbers([y, kappa], archive);
                    }
                    for turned in turned {
                        numbers(turned, archive);
                    }
                    archive.integer32(since);
                }
                Past::Linear(Linear { a, filtered: Filtered { v, vdot }, deviations, violations, is_known }) => {
                    numbers(a, archive);
                    numbers(v, archive);
                    numbers(vdot, archive);
                    numbers(deviations, archive);
                    for pair in violations.into_iter().flatten() {
                        numbers(pair, archive);
                    }
                    archive.flag(is_known);
                }
                Past::Wilson(a) => numbers(a, archive),
                Past::Multistep(Multistep { rates, pattern }) => {
                    for Numbers { u, v } in rates {
                        numbers(u, archive);
                        numbers(v, archive);
                    }
                    archive.integer(pattern);
                }
            }
        }

        fn forces(lines: &$($mutable)? LineForces, archive: &mut $archive) {
            let LineForces { tensions, end_forces, means } = lines;
            numbers(tensions, archive);
            numbers(means, archive);
            for force in end_forces.into_iter().flatten() {
                numbers(force, archive);
            }
        }

        fn body(body: &$($mutable)? BodyState, archive: &mut $archive) {
            let BodyState { x, q, v, vdot } = body;
            numbers(x, archive);
            archive.quaternion(q);
            numbers(v, archive);
            numbers(vdot, archive);
        }

        pub fn loads(loads: &$($mutable)? Loads, archive: &mut $archive) {
            let Loads { bodies, markers, beams, joints, slides, motions, points, point_motions, lines, clutches } = loads;
            for Load { frame, wrench, given } in bodies.into_iter().chain(markers).chain(beams) {
                archive.frame(frame);
                archive.flag(given);
                numbers(wrench, archive);
            }
            for JointLoad { force, drive, given, brake } in joints.into_iter().chain(slides) {
                archive.flag(given);
                archive.number(force);
                archive.number(brake);
                archive.optional(drive, [0.0; 3], |drive, archive| numbers(drive, archive));
            }
            for motion in motions.into_iter().chain(point_motions) {
                archive.optional(motion, AT_REST, body);
            }
            for PointLoad { force, given } in points {
                archive.flag(given);
                numbers(force, archive);
            }
            for LineLength { length, rate, given } in lines {
                archive.flag(given);
                numbers([length, rate], archive);
            }
            for capacities in clutches {
                numbers(capacities, archive);
            }
        }

        fn water(water: &$($mutable)? Water, archive: &mut $archive) {
            let Water { density, depth, stiffness, damping, smoothing, friction, slip, adhesion, .. } = water;
            let Water { current, current_grid, ramp, waves, bathymetry, .. } = water;
            numbers([density, depth, stiffness, damping, smoothing, friction, slip, adhesion, ramp], archive);
            archive.count(current);
            for (depth, velocity) in current {
                archive.number(depth);
                numbers(velocity, archive);
            }
            archive.waves(waves);
            archive.bathymetry(bathymetry);
            archive.current_grid(current_grid);
        }

        pub fn wave(wave: &$($mutable)? Wave, archive: &mut $archive) {
            let Wave { amplitude, frequency, heading, phase } = wave;
            numbers([amplitude, frequency, heading, phase], archive);
        }

        pub fn hydrodynamics(coefficients: &$($mutable)? Hydrodynamics, archive: &mut $archive) {
            let Hydrodynamics { added_mass, linear_damping, quadratic_drag } = coefficients;
            for matrix in [added_mass, linear_damping, quadratic_drag] {
                let missing = FrameMatrix { matrix: crate::spatial::Mat6::zeros(), frame: Frame::Inertial };
                archive.optional(matrix, missing, |matrix, archive| {
                    let FrameMatrix { matrix, frame } = matrix;
                    archive.frame(frame);
                    numbers(matrix, archive);
                });
            }
        }

        pub fn numbers<'n>(values: impl IntoIterator<Item = &'n $($mutable)? f64>, archive: &mut $archive) {
            values.into_iter().for_each(|x| archive.number(x));
        }

        pub fn snapshot(snapshot: &$($mutable)? Snapshot, archive: &mut $archive) {
            // The fingerprint is in the header.
            let Snapshot { fingerprint: _, trial_pending, accepted, trial, inputs, reference, breaks: _ } = snapshot;
            archive.flag(trial_pending);
            point(accepted, archive);
            point(trial, archive);
            let Inputs { loads: given, hydrodynamics: fluid, wet: _, water: around, .. } = inputs;
            // Changes come before, because the size of states depends on them.
            let Inputs { changes: _, settings, scheme, follows, .. } = inputs;
            loads(given, archive);
            for coefficients in fluid {
                hydrodynamics(coefficients, archive);
            }
            water(around, archive);
            archive.settings(settings);
            archive.scheme(scheme);
            for follows in follows {
                archive.flag(follows);
            }
            let Reference { initial, initial_loads, force_scale } = reference;
            state(initial, archive);
            loads(initial_loads, archive);
            archive.size(force_scale);
        }
    };
}

/// Visits for writing.
pub(super) mod writing {
    pub use super::changes::writing::{breaks, changes};
    visits!(Writer);
}

/// Visits for reading.
pub(super) mod reading {
    pub use super::changes::reading::{breaks, changes};
    visits!(Reader, mut);
}
