//! The variables of a model for an importer, in the order of the description, with their value
//! references.
//!
//! A value reference is a class and a number in it. The number is that of the library's own lists
//! (channels, inputs, options), so that hosts can write the description themselves. docs/fmu.md has
//! the table.

use crate::memory::room;
use crate::names;
use crate::parameters::{Parameter, parameters};
use pintle::{EntityKind, Id, InputList, Memory, Simulation};
use std::collections::HashSet;
use std::path::Path;

/// Number of bits of the number; the class is above.
const CLASS_BITS: u32 = 28;

/// The variable of a value reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Channel, by its number.
    Output(usize),
    /// Input, by its number.
    Input(usize),
    /// Parameter, by its index in [`Model::parameters`].
    Parameter(usize),
    /// The name of the time scheme.
    Scheme,
    /// Pose, velocity or acceleration (0 to 2) of a carrier.
    OutputArray(usize, usize),
    /// Wrench on a carrier.
    InputArray(usize),
}

impl Reference {
    /// The value reference.
    pub fn value(self) -> u32 {
        let (class, number) = match self {
            Reference::Output(k) => (0, k),
            Reference::Input(k) => (1, k),
            Reference::Parameter(k) => (2, k),
            Reference::Scheme => (3, 0),
            Reference::OutputArray(carrier, what) => (4, 4 * carrier + what),
            Reference::InputArray(carrier) => (5, carrier),
        };
        (class << CLASS_BITS) | number as u32
    }

    /// From a value reference; the number may be past the end of its class.
    pub fn from_value(value: u32) -> Option<Reference> {
        let number = (value & ((1 << CLASS_BITS) - 1)) as usize;
        match value >> CLASS_BITS {
            0 => Some(Reference::Output(number)),
            1 => Some(Reference::Input(number)),
            2 => Some(Reference::Parameter(number)),
            3 if number == 0 => Some(Reference::Scheme),
            4 => Some(Reference::OutputArray(number / 4, number % 4)).filter(|_| number % 4 < 3),
            5 => Some(Reference::InputArray(number)),
            _ => None,
        }
    }
}

/// A channel.
#[derive(Debug, Clone)]
pub struct Output {
    /// Name of the variable.
    pub name: String,
    /// SI symbol; "-" for none.
    pub unit: &'static str,
    /// The entity; None for the system's.
    pub owner: Option<(EntityKind, Id)>,
    /// The suffix of its name.
    pub suffix: String,
    /// Whether it is a variable of the description: not time, which both standards define, and not
    /// a load or a length that is an input under the same name.
    pub is_told: bool,
}

/// A number that the importer sets for the end of the coming step.
#[derive(Debug, Clone)]
pub struct Input {
    /// Name of the variable.
    pub name: String,
    /// SI symbol; "-" for none.
    pub unit: &'static str,
    /// The entity.
    pub owner: (EntityKind, Id),
    /// The suffix of its name.
    pub suffix: &'static str,
    /// Its value until the importer sets it.
    pub start: f64,
    /// The group of inputs that are set together.
    pub group: usize,
}

/// A body or a marker, which has a wrench and a motion as arrays in FMI 3.0.
#[derive(Debug, Clone)]
pub struct Carrier {
    /// The prefix of its variables' names.
    pub name: String,
    /// The entity.
    pub owner: (EntityKind, Id),
    /// The first of its channels.
    pub first_output: usize,
    /// The first of the six inputs of its load.
    pub first_input: usize,
}

/// Name, unit, and the channels (counted from the carrier's first) of its three output arrays.
pub const OUTPUT_ARRAYS: [(&str, std::ops::Range<usize>); 3] =
    [("pose", 0..7), ("velocity", 10..16), ("acceleration", 16..22)];

/// A model and its variables.
pub struct Model {
    /// The system as its file describes it.
    pub base: Simulation,
    /// Its inputs by name.
    pub list: InputList,
    /// Channels; the first one is time.
    pub outputs: Vec<Output>,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// Number of groups of inputs.
    pub groups: usize,
    /// Parameters: the options, then initial poses and velocities of bodies that are not
    /// prescribed, the start in equilibrium, and physical numbers.
    pub parameters: Vec<Parameter>,
    /// Bodies, then markers.
    pub carriers: Vec<Carrier>,
    /// A hash of the model file and of the layout of the variables.
    pub token: String,
}

/// The layout of value references, as a part of the token.
const LAYOUT: &[u8] = b"pintle fmi 2";

/// FNV-1a, 64 bits, of several pieces.
pub fn hash(seed: u64, pieces: &[&[u8]]) -> u64 {
    let bytes = pieces.iter().flat_map(|piece| piece.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325 ^ seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Model {
    /// From a model file. Errors: those of `Simulation::load_model` and of `initialize` at time
    /// zero.
    pub fn load(path: &Path) -> pintle::Result<Model> {
        let _file = room(Memory::model_file(path))?;
        let base = Simulation::load_model(path)?;
        // The file existed when it was parsed.
        let text = std::fs::read(path).map_err(|error| pintle::Error::Io {
            argument: "path",
            detail: format!("cannot read \"{}\": {error}", path.display()),
        })?;
        let _variables = room(Model::variable_memory(&base))?;
        Model::new(base, &text)
    }

    /// From a system in phase BUILDING, and its text.
    pub fn new(base: Simulation, text: &[u8]) -> pintle::Result<Model> {
        let mut system = base.clone();
        system.initialize(0.0)?;
        let list = system.given().input_list();
        let (inputs, groups) = inputs(&system, &list)?;
        let outputs = outputs(&system, &inputs)?;
        let parameters = parameters(&base)?;
        let carriers = carriers(&system, &outputs, &inputs)?;
        let [a, b] = [0, 0x9e37_79b9_7f4a_7c15].map(|seed| hash(seed, &[LAYOUT, text]));
        let (c, d, e) = (b >> 48, (b >> 32) & 0xffff, b & 0xffff_ffff);
        let token = format!("{{{:08x}-{:04x}-{:04x}-{c:04x}-{d:04x}{e:08x}}}", a >> 32, (a >> 16) & 0xffff, a & 0xffff);
        Ok(Model { base, list, outputs, inputs, groups, parameters, carriers, token })
    }

    /// The channels that are variables of the description, with their numbers.
    pub fn told_outputs(&self) -> impl Iterator<Item = (usize, &Output)> {
        self.outputs.iter().enumerate().filter(|(_, output)| output.is_told)
    }

    /// The name of a variable in messages.
    pub fn name_of(&self, reference: u32) -> String {
        let name = match Reference::from_value(reference) {
            Some(Reference::Output(k)) => self.outputs.get(k).map(|output| output.name.clone()),
            Some(Reference::Input(k)) => self.inputs.get(k).map(|input| input.name.clone()),
            Some(Reference::Parameter(k)) => self.parameters.get(k).map(|parameter| parameter.name.clone()),
            Some(Reference::Scheme) => Some(SCHEME.to_owned()),
            Some(Reference::OutputArray(carrier, what)) => {
                self.carriers.get(carrier).map(|carrier| format!("{}.{}", carrier.name, OUTPUT_ARRAYS[what].0))
            }
            Some(Reference::InputArray(carrier)) => self.carriers.get(carrier).map(Carrier::wrench_name),
            None => None,
        };
        name.unwrap_or_else(|| format!("value reference {reference}"))
    }
}

/// Name of the parameter that chooses the time scheme.
pub const SCHEME: &str = "settings.scheme";

impl Carrier {
    /// Name of its input array.
    pub fn wrench_name(&self) -> String {
        format!("{}.wrench", self.name)
    }
}

fn outputs(system: &Simulation, inputs: &[Input]) -> pintle::Result<Vec<Output>> {
    let taken: HashSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let mut last: (Option<(EntityKind, Id)>, Option<String>) = (None, None);
    (0..system.channels().count()?)
        .map(|channel| {
            let (owner, suffix) = (system.channels().entity(channel)?, system.channels().suffix(channel)?);
            if owner != last.0 {
                let prefix = owner.map(|(kind, id)| names::of_entity(system, kind, id)).transpose()?;
                last = (owner, prefix);
            }
            let name = names::variable(last.1.as_deref(), &suffix);
            let is_told = channel > 0 && !taken.contains(name.as_str());
            Ok(Output { name, unit: system.channels().unit(channel)?, owner, suffix, is_told })
        })
        .collect()
}

/// The inputs with their start values, and the number of their groups; a group has one setter.
fn inputs(system: &Simulation, list: &InputList) -> pintle::Result<(Vec<Input>, usize)> {
    let mut starts = vec![0.0; list.len()];
    system.given().chosen_inputs(&list.choose(&(0..list.len()).collect::<Vec<_>>())?, &mut starts)?;
    let mut inputs: Vec<Input> = Vec::with_capacity(list.len());
    let mut groups = 0;
    for (input, start) in starts.into_iter().enumerate() {
        let (owner, suffix) = (list.entity(input)?, list.suffix(input)?);
        let setter = |suffix: &'static str| match owner.0 {
            EntityKind::Line | EntityKind::Tendon | EntityKind::Clutch => "",
            _ => suffix.split('.').next().unwrap_or(suffix),
        };
        let same = inputs.last().is_some_and(|last| last.owner == owner && setter(last.suffix) == setter(suffix));
        groups += usize::from(!same);
        let name = names::variable(Some(&names::of_entity(system, owner.0, owner.1)?), suffix);
        inputs.push(Input { name, unit: list.unit(input)?, owner, suffix, start, group: groups - 1 });
    }
    Ok((inputs, groups))
}

fn carriers(system: &Simulation, outputs: &[Output], inputs: &[Input]) -> pintle::Result<Vec<Carrier>> {
    let carries = |kind| matches!(kind, EntityKind::Body | EntityKind::Marker);
    let moving = outputs.iter().enumerate().filter_map(|(first, output)| {
        output.owner.filter(|(kind, _)| carries(*kind) && output.suffix == "pos.x").map(|owner| (owner, first))
    });
    // Both lists have the same order of kinds and entities.
    let mut loaded = inputs.iter().enumerate().filter(|(_, input)| carries(input.owner.0) && input.suffix == "load.fx");
    let mut carriers = Vec::new();
    for (owner, first_output) in moving {
        if let Some((first_input, _)) = loaded.find(|(_, input)| input.owner == owner) {
            let name = names::of_entity(system, owner.0, owner.1)?;
            carriers.push(Carrier { name, owner, first_output, first_input });
        }
    }
    Ok(carriers)
}
