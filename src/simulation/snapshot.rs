//! Snapshots: everything that a step reads, in memory and as bytes, so that a restored run goes on bit by bit.
//!
//! A snapshot holds the accepted state with the scheme's history, the trial if one is pending, inputs, coefficients of
//! the fluid, options and scheme. It does not hold what phase BUILDING fixed, load callbacks or statistics.
//!
//! Bytes: magic, format version, payload length, fingerprint of the model, payload, checksum (FNV-1a) of all before;
//! little-endian throughout.

use super::{Inputs, Phase, Simulation};
use crate::error::{Error, Result};
use crate::model::fingerprint::{FNV_OFFSET, fnv1a};
use crate::model::{Frame, FrameMatrix, Hydrodynamics, JointLoad, Load, Loads, Settings};
use crate::scheme::{PastRates, Point, Rate, Restart, Scheme};
use crate::spatial::{Mat6, Quat, Vec3, Vec6};
use crate::system::{BodyState, State};

const MAGIC: [u8; 8] = *b"PINTLEST";
const FORMAT: u32 = 3;
const HEADER: usize = 8 + 4 + 8 + 8;
const CHECKSUM: usize = 8;

/// What stands before the past rates of a point: nothing follows; room without meaning; rates.
const NO_RATES: u8 = 0;
const EMPTY_RATES: u8 = 1;
const RATES: u8 = 2;

/// A saved state.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    fingerprint: u64,
    trial_pending: bool,
    accepted: Point,
    trial: Point,
    inputs: Inputs,
}

impl Simulation {
    /// Saves the state. Phase READY, TRIAL.
    pub fn save(&self) -> Result<Snapshot> {
        self.require(&[Phase::Ready, Phase::Trial], "there is a state to save in phase READY or TRIAL")?;
        let run = self.readable()?;
        Ok(Snapshot {
            fingerprint: run.fingerprint,
            trial_pending: self.phase == Phase::Trial,
            accepted: run.accepted.clone(),
            trial: run.trial.clone(),
            inputs: self.inputs.clone(),
        })
    }

    /// Saves into an existing snapshot, without allocation when it came from this model. Phase READY, TRIAL.
    pub fn save_into(&self, snapshot: &mut Snapshot) -> Result<()> {
        self.require(&[Phase::Ready, Phase::Trial], "there is a state to save in phase READY or TRIAL")?;
        let run = self.readable()?;
        snapshot.fingerprint = run.fingerprint;
        snapshot.trial_pending = self.phase == Phase::Trial;
        snapshot.accepted.copy_from(&run.accepted);
        snapshot.trial.copy_from(&run.trial);
        snapshot.inputs.copy_from(&self.inputs);
        Ok(())
    }

    /// Goes back to a saved state, and to the phase it was saved in. Phase READY, TRIAL, FAILED.
    /// Errors: `Fingerprint` for a state of another model.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        let run = self.readable()?;
        if snapshot.fingerprint != run.fingerprint {
            return Err(Error::Fingerprint { argument: "state", given: snapshot.fingerprint, own: run.fingerprint });
        }
        if let Some(run) = &mut self.run {
            run.accepted.copy_from(&snapshot.accepted);
            run.trial.copy_from(&snapshot.trial);
        }
        self.inputs.copy_from(&snapshot.inputs);
        self.phase = if snapshot.trial_pending { Phase::Trial } else { Phase::Ready };
        Ok(())
    }

    /// A snapshot from bytes. Phase READY, TRIAL, FAILED. Errors: `Format` for damaged or foreign bytes, `Fingerprint`
    /// for a state of another model.
    pub fn deserialize(&self, bytes: &[u8]) -> Result<Snapshot> {
        self.deserialize_named("bytes", bytes)
    }

    pub(super) fn deserialize_named(&self, argument: &'static str, bytes: &[u8]) -> Result<Snapshot> {
        let run = self.readable()?;
        let format = |detail: String| Error::Format { argument, detail };
        if bytes.len() < HEADER + CHECKSUM || bytes[..8] != MAGIC {
            return Err(format(format!("{} bytes that are not a pintle state", bytes.len())));
        }
        let mut reader = Reader { bytes: &bytes[8..bytes.len() - CHECKSUM], short: false };
        let version = reader.integer32();
        if version != FORMAT {
            return Err(format(format!("format {version} of a pintle state, this library reads {FORMAT}")));
        }
        let length = reader.integer();
        if length != (bytes.len() - HEADER - CHECKSUM) as u64 {
            return Err(format(format!("{} bytes, the header says {length} and {}", bytes.len(), HEADER + CHECKSUM)));
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if fnv1a(body, FNV_OFFSET).to_le_bytes() != checksum {
            return Err(format("checksum does not match: damaged".into()));
        }
        let fingerprint = reader.integer();
        if fingerprint != run.fingerprint {
            return Err(Error::Fingerprint { argument, given: fingerprint, own: run.fingerprint });
        }
        // Counts are those of the model: the fingerprint is.
        let mut snapshot = Snapshot {
            fingerprint,
            trial_pending: reader.integer32() == 1,
            accepted: run.accepted.clone(),
            trial: run.trial.clone(),
            inputs: self.inputs.clone(),
        };
        let valid = reader.point(&mut snapshot.accepted)
            && reader.point(&mut snapshot.trial)
            && reader.inputs(&mut snapshot.inputs)
            && !reader.short
            && reader.bytes.is_empty();
        if valid { Ok(snapshot) } else { Err(format("content does not belong to this model: damaged".into())) }
    }
}

impl Inputs {
    fn copy_from(&mut self, other: &Inputs) {
        self.loads.copy_from(&other.loads);
        self.accepted_loads.copy_from(&other.accepted_loads);
        self.loads_jump = other.loads_jump;
        self.hydrodynamics.clone_from(&other.hydrodynamics);
        self.settings.clone_from(&other.settings);
        self.scheme = other.scheme;
    }
}

impl Snapshot {
    /// Number of bytes of the serialized form.
    pub fn serialized_len(&self) -> usize {
        let mut counter = Counter(0);
        self.write_payload(&mut counter);
        HEADER + counter.0 + CHECKSUM
    }

    /// Writes the serialized form. Errors: `BufferTooSmall` unless `bytes` has room for it.
    pub fn serialize_into(&self, bytes: &mut [u8]) -> Result<()> {
        let length = self.serialized_len();
        if bytes.len() < length {
            let (given, needed) = (bytes.len() as i64, length as i64);
            return Err(Error::BufferTooSmall { argument: "cap", given, needed });
        }
        let mut cursor = Cursor { bytes, at: 0 };
        cursor.put(&MAGIC);
        cursor.put(&FORMAT.to_le_bytes());
        cursor.put(&((length - HEADER - CHECKSUM) as u64).to_le_bytes());
        cursor.put(&self.fingerprint.to_le_bytes());
        self.write_payload(&mut cursor);
        let checksum = fnv1a(&cursor.bytes[..cursor.at], FNV_OFFSET);
        cursor.put(&checksum.to_le_bytes());
        Ok(())
    }

    /// The serialized form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.serialized_len()];
        // The buffer has the length asked for.
        let _ = self.serialize_into(&mut bytes);
        bytes
    }

    /// Past rates: none, or one list per body. Under a multistep scheme all lists take room, so that the length of the
    /// bytes stays.
    fn write_rates(&self, point: &Point, out: &mut impl Sink) {
        let rates = &point.history.rates;
        let room = if self.inputs.scheme.is_multistep() { point.state.bodies.len() } else { rates.len() };
        out.put(&[match (room, rates.len()) {
            (0, _) => NO_RATES,
            (_, 0) => EMPTY_RATES,
            _ => RATES,
        }]);
        let padded = rates.iter().chain(std::iter::repeat(&[Rate::ZERO; 4])).take(room);
        padded.flatten().for_each(|rate| out.rate(rate));
    }

    fn write_payload(&self, out: &mut impl Sink) {
        out.put(&u32::from(self.trial_pending).to_le_bytes());
        for point in [&self.accepted, &self.trial] {
            out.numbers(&[point.state.time, point.history.step]);
            out.put(&(point.history.restart as u32).to_le_bytes());
            out.put(&point.history.age.to_le_bytes());
            for (body, a) in point.state.bodies.iter().zip(&point.history.a) {
                out.body(body);
                out.numbers(a.as_slice());
            }
            out.numbers(&point.state.lambda);
            out.numbers(&point.state.coordinates);
            out.numbers(point.state.drives.as_flattened().as_flattened());
            point.state.reactions.iter().for_each(|wrench| out.numbers(wrench.as_slice()));
            out.numbers(point.history.violations.as_flattened().as_flattened());
            self.write_rates(point, out);
            out.put(&point.history.pattern.to_le_bytes());
            out.put(&[u8::from(point.history.is_linear)]);
            point.history.deviations.iter().for_each(|deviation| out.numbers(deviation.as_slice()));
        }
        let inputs = &self.inputs;
        for loads in [&inputs.loads, &inputs.accepted_loads] {
            for load in loads.bodies.iter().chain(&loads.markers) {
                out.put(&[load.frame as u8, u8::from(load.given)]);
                out.numbers(load.wrench.as_slice());
            }
            for joint in loads.joints.iter().chain(&loads.slides) {
                out.put(&[u8::from(joint.given), u8::from(joint.drive.is_some())]);
                out.numbers(&[joint.force]);
                out.numbers(&joint.drive.unwrap_or_default());
            }
            for motion in &loads.motions {
                out.put(&[u8::from(motion.is_some())]);
                out.body(&motion.unwrap_or(AT_REST));
            }
        }
        out.put(&[u8::from(inputs.loads_jump)]);
        for h in &inputs.hydrodynamics {
            for m in [&h.added_mass, &h.linear_damping, &h.quadratic_drag] {
                out.put(&[m.map_or(2, |m| m.frame as u8)]);
                out.numbers(m.map_or(Mat6::zeros(), |m| m.matrix).as_slice());
            }
        }
        out.numbers(inputs.settings.values());
        inputs.scheme.code().iter().for_each(|number| out.put(&number.to_le_bytes()));
    }
}

/// Takes bytes.
trait Sink {
    fn put(&mut self, bytes: &[u8]);

    fn numbers(&mut self, values: &[f64]) {
        values.iter().for_each(|x| self.put(&x.to_bits().to_le_bytes()));
    }

    fn rate(&mut self, rate: &Rate) {
        self.numbers(rate.x.as_slice());
        self.numbers(rate.q.coords.as_slice());
        self.numbers(rate.v.as_slice());
    }

    fn body(&mut self, body: &BodyState) {
        self.numbers(&body.pose().to_array());
        self.numbers(body.v.as_slice());
        self.numbers(body.vdot.as_slice());
    }
}

/// What stands in the bytes where no motion is given.
const AT_REST: BodyState = BodyState {
    x: Vec3::new(0.0, 0.0, 0.0),
    q: Quat::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0)),
    v: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    vdot: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
};

struct Counter(usize);

impl Sink for Counter {
    fn put(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }
}

struct Cursor<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Sink for Cursor<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }
}

/// Gives bytes; past the end it gives zeros and remembers.
struct Reader<'a> {
    bytes: &'a [u8],
    short: bool,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.bytes.split_first_chunk::<N>() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => {
                self.short = true;
                [0; N]
            }
        }
    }

    fn integer32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn integer(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn number(&mut self) -> f64 {
        f64::from_bits(self.integer())
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    fn six(&mut self) -> Vec6 {
        Vec6::from(self.numbers::<6>())
    }

    /// False where the mark before them is none.
    fn rates(&mut self, rates: &mut Vec<PastRates>, bodies: usize) -> bool {
        let [mark] = self.take::<1>();
        rates.resize(if mark == NO_RATES { 0 } else { bodies }, [Rate::ZERO; 4]);
        rates.as_flattened_mut().iter_mut().for_each(|rate| *rate = self.rate());
        if mark == EMPTY_RATES {
            rates.clear();
        }
        mark <= RATES
    }

    fn rate(&mut self) -> Rate {
        let (x, [i, j, k, w]) = (Vec3::from(self.numbers::<3>()), self.numbers::<4>());
        Rate { x, q: nalgebra::Quaternion::new(w, i, j, k), v: self.six() }
    }

    /// None where the quaternion is none.
    fn body(&mut self) -> Option<BodyState> {
        let p = self.numbers::<7>();
        let q = Quat::new_unchecked(nalgebra::Quaternion::new(p[3], p[4], p[5], p[6]));
        let body = BodyState { x: Vec3::new(p[0], p[1], p[2]), q, v: self.six(), vdot: self.six() };
        ((q.quaternion().norm() - 1.0).abs() <= 1e-6).then_some(body)
    }

    /// False where a value cannot be.
    fn point(&mut self, point: &mut Point) -> bool {
        let [time, step] = self.numbers::<2>();
        point.history.step = step;
        point.history.restart = match self.integer32() {
            0 => Restart::No,
            1 => Restart::Parameters,
            2 => Restart::Discontinuity,
            _ => return false,
        };
        point.history.age = self.integer32();
        let State { time: own_time, bodies, lambda, coordinates, drives, reactions } = &mut point.state;
        *own_time = time;
        for (body, a) in bodies.iter_mut().zip(&mut point.history.a) {
            match self.body() {
                Some(state) => *body = state,
                None => return false,
            }
            *a = self.six();
        }
        let joints = coordinates.iter_mut().chain(drives.as_flattened_mut().as_flattened_mut());
        lambda.iter_mut().chain(joints).for_each(|x| *x = self.number());
        reactions.iter_mut().for_each(|wrench| *wrench = self.six());
        let violations = point.history.violations.as_flattened_mut().as_flattened_mut();
        violations.iter_mut().for_each(|x| *x = self.number());
        let known = self.rates(&mut point.history.rates, point.state.bodies.len());
        point.history.pattern = self.integer();
        point.history.is_linear = self.take::<1>() == [1];
        point.history.deviations.iter_mut().for_each(|deviation| *deviation = self.six());
        known && time.is_finite() && step >= 0.0
    }

    fn loads(&mut self, loads: &mut Loads) -> bool {
        self.wrenches(loads) && self.imposed(loads)
    }

    fn imposed(&mut self, loads: &mut Loads) -> bool {
        for joint in loads.on_joints_mut() {
            let [given, driven] = self.take::<2>();
            let ([force], drive) = (self.numbers::<1>(), self.numbers::<3>());
            *joint = JointLoad { force, drive: (driven == 1).then_some(drive), given: given == 1 };
        }
        loads.motions.iter_mut().all(|motion| {
            let [given] = self.take::<1>();
            let body = self.body();
            *motion = body.filter(|_| given == 1);
            body.is_some()
        })
    }

    fn wrenches(&mut self, loads: &mut Loads) -> bool {
        loads.bodies.iter_mut().chain(&mut loads.markers).all(|load| {
            let [frame, given] = self.take::<2>();
            let wrench = self.six();
            match Frame::from_code(i32::from(frame)) {
                Ok(frame) => {
                    *load = Load { frame, wrench, given: given == 1 };
                    true
                }
                Err(_) => false,
            }
        })
    }

    fn inputs(&mut self, inputs: &mut Inputs) -> bool {
        if !(self.loads(&mut inputs.loads) && self.loads(&mut inputs.accepted_loads)) {
            return false;
        }
        inputs.loads_jump = self.take::<1>() == [1];
        let mut valid = true;
        for h in &mut inputs.hydrodynamics {
            let mut matrix = || {
                let [frame] = self.take::<1>();
                let matrix = Mat6::from_column_slice(&self.numbers::<36>());
                match frame {
                    2 => None,
                    code => match Frame::from_code(i32::from(code)) {
                        Ok(frame) => Some(FrameMatrix { matrix, frame }),
                        Err(_) => {
                            valid = false;
                            None
                        }
                    },
                }
            };
            *h = Hydrodynamics { added_mass: matrix(), linear_damping: matrix(), quadratic_drag: matrix() };
        }
        let count = inputs.settings.values().len();
        let values: Vec<f64> = (0..count).map(|_| self.number()).collect();
        let scheme = Scheme::from_code([self.integer32(), self.integer32()]);
        match (Settings::from_values(&values), scheme) {
            (Some(settings), Some(scheme)) => {
                inputs.settings = settings;
                inputs.scheme = scheme;
                valid
            }
            _ => false,
        }
    }
}
