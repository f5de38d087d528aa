//! States of instances, for getting and setting an FMU state, and their bytes.
//!
//! Bytes: magic, format, mode, times, values of the importer, the simulation's own snapshot with
//! its length, checksum (FNV-1a) of all before; little-endian throughout.

use crate::failure::Failure;
use crate::instance::{Instance, Mode, Outcome, Values};
use crate::model::hash;
use pintle::{Simulation, Snapshot};

const MAGIC: [u8; 8] = *b"PINTLFMU";
/// 2: the model's token.
const FORMAT: u64 = 2;

/// Everything that later calls depend on.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The token of its model.
    token: u64,
    mode: Mode,
    start_time: f64,
    last_step: f64,
    is_first: bool,
    is_whole: bool,
    values: Values,
    /// The values with which the simulation was built, and its snapshot; before the first step it
    /// is built again instead.
    run: Option<(Values, Snapshot)>,
}

/// The values with which the simulation was built, and the bytes of its snapshot.
type Run = (Values, Vec<u8>);

impl Instance {
    /// Copies the state, to an existing one if there is one.
    pub fn state(&self, into: Option<&mut State>) -> Outcome<Option<State>> {
        let _copy = self.room_to_copy()?;
        let runs = matches!(self.mode, Mode::Step | Mode::Terminated);
        let run = match (&self.simulation, &self.built_with) {
            (Some(simulation), Some(built)) if runs => Some((built, simulation)),
            _ => None,
        };
        let Instance { mode, start_time, last_step, is_first, is_whole, .. } = *self;
        let Some(state) = into else {
            let run = run.map(|(built, simulation)| Ok::<_, Failure>((built.clone(), simulation.save()?)));
            let values = self.values.clone();
            let token = self.token();
            return Ok(Some(State {
                token,
                mode,
                start_time,
                last_step,
                is_first,
                is_whole,
                values,
                run: run.transpose()?,
            }));
        };
        match (run, &mut state.run) {
            (Some((built, simulation)), Some((own, snapshot))) => {
                simulation.save_into(snapshot)?;
                own.clone_from(built);
            }
            (Some((built, simulation)), own) => *own = Some((built.clone(), simulation.save()?)),
            (None, own) => *own = None,
        }
        (state.token, state.mode) = (self.token(), mode);
        (state.start_time, state.last_step) = (start_time, last_step);
        (state.is_first, state.is_whole) = (is_first, is_whole);
        state.values.clone_from(&self.values);
        Ok(None)
    }

    /// Restores a state, of this instance or of another one of the same model. Errors: a state of
    /// another model; no memory. The instance is then unchanged.
    pub fn set_state(&mut self, state: &State) -> Outcome<()> {
        let _copy = self.room_to_copy()?;
        self.check_model(state.token, &state.values)?;
        match &state.run {
            None => self.simulation = None,
            Some((built, snapshot)) => {
                let serves = self.built_with.as_ref().is_some_and(|own| own.same_parameters(built));
                match self.simulation.as_mut().filter(|_| serves) {
                    Some(simulation) => simulation.restore(snapshot)?,
                    None => {
                        let mut simulation = self.made_for(built, state.start_time)?;
                        simulation.restore(snapshot)?;
                        self.simulation = Some(simulation);
                    }
                }
                self.built_with = Some(built.clone());
            }
        }
        let State { token: _, mode, start_time, last_step, is_first, is_whole, values, run: _ } = state;
        (self.mode, self.start_time, self.last_step) = (*mode, *start_time, *last_step);
        (self.is_first, self.is_whole) = (*is_first, *is_whole);
        self.values.clone_from(values);
        self.replaced();
        Ok(())
    }

    /// A simulation into which a state of such a run can be restored.
    fn made_for(&self, built: &Values, start_time: f64) -> Outcome<Simulation> {
        let _start = self.room_to_build()?;
        let mut maker = Instance::new(self.model.clone());
        maker.start_time = start_time;
        maker.build(built)
    }

    /// The token of the model, for states.
    fn token(&self) -> u64 {
        hash(0, &[self.model.token.as_bytes()])
    }

    fn check_model(&self, token: u64, values: &Values) -> Outcome<()> {
        let own = Values::of(&self.model);
        let widths =
            |v: &Values| [v.inputs.len(), v.wrenches.len(), v.rates.len(), v.touched.len(), v.parameters.len()];
        if token == self.token() && widths(&own) == widths(values) {
            return Ok(());
        }
        Err(Failure::error("the state belongs to another model, or to another version of this library"))
    }

    /// A state from its bytes. Errors: damaged or foreign bytes; a state of another model.
    pub fn deserialize(&self, bytes: &[u8]) -> Outcome<State> {
        let _state = self.room_to_exchange()?;
        let refuse = |why: &str| Failure::error(format!("{} bytes that are not a state: {why}", bytes.len()));
        let Some((body, checksum)) = bytes.split_last_chunk::<8>() else { return Err(refuse("too few")) };
        if !body.starts_with(&MAGIC) {
            return Err(refuse("no state of this kind of FMU"));
        }
        if hash(0, &[body]).to_le_bytes() != *checksum {
            return Err(refuse("damaged, the checksum does not match"));
        }
        let mut reader = Reader { bytes: &body[MAGIC.len()..] };
        let format = reader.integer().unwrap_or(0);
        if format != FORMAT {
            return Err(refuse(&format!("format {format}, this library reads {FORMAT}")));
        }
        let read = |reader: &mut Reader| -> Option<(State, Option<Run>)> {
            let mode = match reader.integer()? {
                0 => Mode::Instantiated,
                1 => Mode::Initialization,
                2 => Mode::Step,
                3 => Mode::Terminated,
                _ => return None,
            };
            let token = reader.integer()?;
            let (start_time, last_step, flags) = (reader.number()?, reader.number()?, reader.integer()?);
            let (is_first, is_whole) = (flags & 1 != 0, flags & 2 != 0);
            let values = reader.values()?;
            let run = match reader.integer()? {
                0 => None,
                _ => Some((reader.values()?, reader.block()?.to_vec())),
            };
            let state = State { token, mode, start_time, last_step, is_first, is_whole, values, run: None };
            reader.bytes.is_empty().then_some((state, run))
        };
        let (mut state, run) = read(&mut reader).ok_or_else(|| refuse("content that does not fit"))?;
        self.check_model(state.token, &state.values)?;
        if let Some((built, snapshot)) = run {
            self.check_model(state.token, &built)?;
            let made = match (&self.simulation, &self.built_with) {
                (Some(simulation), Some(own)) if own.same_parameters(&built) => simulation.deserialize(&snapshot)?,
                _ => self.made_for(&built, state.start_time)?.deserialize(&snapshot)?,
            };
            state.run = Some((built, made));
        }
        Ok(state)
    }
}

impl State {
    /// The bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let integer = |bytes: &mut Vec<u8>, x: u64| bytes.extend(x.to_le_bytes());
        integer(&mut bytes, FORMAT);
        integer(&mut bytes, self.mode as u64);
        integer(&mut bytes, self.token);
        integer(&mut bytes, self.start_time.to_bits());
        integer(&mut bytes, self.last_step.to_bits());
        integer(&mut bytes, u64::from(self.is_first) | u64::from(self.is_whole) << 1);
        write_values(&mut bytes, &self.values);
        integer(&mut bytes, self.run.is_some().into());
        if let Some((built, snapshot)) = &self.run {
            write_values(&mut bytes, built);
            let snapshot = snapshot.to_bytes();
            integer(&mut bytes, snapshot.len() as u64);
            bytes.extend(snapshot);
        }
        let checksum = hash(0, &[&bytes]);
        integer(&mut bytes, checksum);
        bytes
    }
}

fn write_values(bytes: &mut Vec<u8>, values: &Values) {
    let Values { inputs, wrenches, rates, touched, parameters, scheme } = values;
    for list in [inputs, wrenches, rates, parameters] {
        bytes.extend((list.len() as u64).to_le_bytes());
        bytes.extend(list.iter().flat_map(|x| x.to_bits().to_le_bytes()));
    }
    bytes.extend((touched.len() as u64).to_le_bytes());
    bytes.extend(touched.iter().map(|flag| u8::from(*flag)));
    bytes.extend((scheme.len() as u64).to_le_bytes());
    bytes.extend(scheme.bytes());
}

/// Reads the written values; None past the end.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn integer(&mut self) -> Option<u64> {
        let (first, rest) = self.bytes.split_first_chunk::<8>()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn number(&mut self) -> Option<f64> {
        self.integer().map(f64::from_bits)
    }

    /// A length and as many bytes.
    fn block(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.integer()?).ok()?;
        let (block, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(block)
    }

    fn numbers(&mut self) -> Option<Vec<f64>> {
        let length = usize::try_from(self.integer()?).ok().filter(|length| *length <= self.bytes.len() / 8)?;
        (0..length).map(|_| self.number()).collect()
    }

    fn values(&mut self) -> Option<Values> {
        let [inputs, wrenches, rates, parameters] =
            [self.numbers()?, self.numbers()?, self.numbers()?, self.numbers()?];
        let touched = self.block()?.iter().map(|byte| *byte == 1).collect();
        let scheme = String::from_utf8(self.block()?.to_vec()).ok()?;
        Some(Values { inputs, wrenches, rates, touched, parameters, scheme })
    }
}
