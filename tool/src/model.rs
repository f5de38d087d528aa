//! Arguments of all commands about the model: the file, the scheme, options, and the start.

use crate::failure::{self, Failure, Outcome};
use crate::{interrupt, parameters};
use pintle::error::did_you_mean;
use pintle::simulation::EQUILIBRIUM_SEARCH;
use pintle::spatial::convert::difference;
use pintle::{EntityKind, Frame, Id, Simulation};
use std::path::{Path, PathBuf};

/// Displacements below this part of the model's extent, and rotations below it in rad, are not
/// told.
const UNMOVED: f64 = 1e-6;

/// The model and how it is solved.
#[derive(clap::Args)]
#[group(skip)]
pub struct Arguments {
    /// A model file (.toml), or an input file of MoorDyn (.txt, .dat)
    pub model: PathBuf,
    /// Time scheme, in place of that of the file: generalized-alpha, newmark, hht, rk4, ab3 ...
    #[arg(long)]
    scheme: Option<String>,
    /// Spectral radius of generalized-alpha at infinite frequency, 0 to 1
    #[arg(long)]
    rho_inf: Option<f64>,
    /// Steps by tolerance: most that an internal step may err, in model lengths and rad
    #[arg(long)]
    tolerance: Option<f64>,
    /// Another option of the library, or another value in the file: max_time_step=0.001,
    /// body.hull.mass=1200 ... May be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Waves, in place of those of the file, written as in its table [environment.waves]: 'jonswap
    /// = { height = 6, period = 12 }', 'regular = { height = 2, period = 8, heading = 0.5 }' ...
    #[arg(long, value_name = "TOML")]
    waves: Option<String>,
    /// Moves the model to its static equilibrium first
    #[arg(long)]
    equilibrium: bool,
}

impl Arguments {
    /// The model, in phase BUILDING. Errors: in the file or an option.
    pub fn load(&self) -> Outcome<Simulation> {
        let mut system = self.read()?;
        if let Some(scheme) = &self.scheme {
            system.settings().set_scheme(scheme).map_err(|error| Failure::input(format!("--scheme: {error}")))?;
        }
        let options = self.set().filter(|(key, _)| !is_in_file(key));
        let given = options.map(|(key, value)| {
            let number = value.parse::<f64>();
            let number = number.map_err(|_| Failure::Input(format!("--set {key}={value}: expected KEY=NUMBER")))?;
            Ok((key, number, "--set"))
        });
        let rho_inf = self.rho_inf.map(|value| Ok(("rho_inf", value, "--rho-inf")));
        let tolerance = self.tolerance.map(|value| Ok(("step_tolerance", value, "--tolerance")));
        for option in given.chain(rho_inf).chain(tolerance) {
            let (key, value, from) = option?;
            system.settings().set_option(key, value).map_err(|error| Failure::input(format!("{from}: {error}")))?;
        }
        if let Some(text) = &self.waves {
            let set = system.settings().set_waves_from_text(text);
            set.map_err(|error| Failure::input(format!("--waves: {error}")))?;
        }
        interrupt::stop_long_calls(&mut system);
        Ok(system)
    }

    /// Keys and values of `--set`.
    fn set(&self) -> impl Iterator<Item = (&str, &str)> {
        let split = |text: &'_ String| text.find('=').unwrap_or(text.len());
        self.options
            .iter()
            .map(move |text| (text[..split(text)].trim(), text[split(text)..].trim_start_matches('=').trim()))
    }

    /// Whether the model is an input file of MoorDyn.
    fn is_of_moordyn(&self) -> bool {
        self.model.extension().is_some_and(|kind| kind == "txt" || kind == "dat")
    }

    /// The model file with the values of `--set`. Errors: unreadable; no such value.
    fn file(&self) -> Outcome<Vec<u8>> {
        let unread = |error| Failure::Input(format!("cannot read \"{}\": {error}", self.model.display()));
        let mut bytes = std::fs::read(&self.model).map_err(unread)?;
        for (key, value) in self.set().filter(|(key, _)| is_in_file(key)) {
            // The library tells what is wrong with a file that is no text.
            let Ok(text) = str::from_utf8(&bytes) else { break };
            bytes = parameters::replace(text, key, value)?.into_bytes();
        }
        Ok(bytes)
    }

    /// The model as its file describes it, with the values of `--set`.
    fn read(&self) -> Outcome<Simulation> {
        let replaced: Vec<_> = self.set().filter(|(key, _)| is_in_file(key)).collect();
        if self.is_of_moordyn() {
            return match replaced.first() {
                Some((key, _)) => Err(Failure::Input(format!("--set {key}: only model files have values to replace"))),
                None => Simulation::load_moordyn(&self.model, false).map_err(Failure::input),
            };
        }
        let with: String = replaced.iter().map(|(key, value)| format!(" --set {key}={value}")).collect();
        let with = if with.is_empty() { with } else { format!(" (with{with})") };
        let read = pintle::simulation::read_model(&self.model, &self.file()?);
        read.map_err(|error| Failure::input(format!("{error}{with}")))
    }

    /// Initializes the model, and finds the equilibrium if that is wanted. Returns in words what
    /// option "assemble" moved. Errors: of the computation.
    pub fn start(&self, system: &mut Simulation, time: f64) -> Outcome<Vec<String>> {
        system.initialize(time).map_err(Failure::of_run)?;
        let moved = moved(system)?;
        if self.equilibrium {
            let (iterations, tolerance) = EQUILIBRIUM_SEARCH;
            system.solve_equilibrium(iterations, tolerance).map_err(Failure::of_run)?;
        }
        Ok(moved)
    }

    /// The file, as an input that no output may replace.
    pub fn input(&self) -> (&str, &Path) {
        ("the model", &self.model)
    }

    /// The name of the file without its ending, for pictures and frames; without control
    /// characters, which XML does not allow.
    pub fn stem(&self) -> String {
        let stem = self.model.file_stem().map_or_else(|| "model".into(), |stem| stem.to_string_lossy());
        stem.replace(char::is_control, "_")
    }
}

/// Whether `--set` means a value of the file: options have no dots in their names.
fn is_in_file(key: &str) -> bool {
    key.contains('.') || key == "gravity"
}

/// What `initialize` moved onto the joints, a line for each body.
fn moved(system: &Simulation) -> Outcome<Vec<String>> {
    let (description, outputs) = (system.description(), system.outputs());
    let (mut differences, mut extent) = (Vec::new(), 0.0f64);
    for body in (0..description.count(EntityKind::Body)).filter(|body| description.body_prescribed(*body) == Ok(false))
    {
        let described = description.body_initial_motion(body).map_err(Failure::of_run)?;
        let pose = outputs.body_pose(body).map_err(Failure::of_run)?;
        let velocity = outputs.body_velocity(body, Frame::Inertial).map_err(Failure::of_run)?;
        let [place] = difference(&[described.pose], &[pose]).map_err(Failure::of_run)?[..] else { continue };
        let rate: [f64; 6] = std::array::from_fn(|k| velocity[k] - described.velocity[k]);
        extent = pose[..3].iter().fold(extent, |extent, x| extent.max(x.abs()));
        differences.push((body, [&place[..3], &place[3..], &rate[..3], &rate[3..]].map(norm)));
    }
    // Of a body at the origin rounding is left.
    let least = UNMOVED * if extent > UNMOVED { extent } else { 1.0 };
    let mut lines = Vec::new();
    for (body, [distance, turn, velocity, omega]) in differences {
        let what = [
            (distance > least, format!("moved by {distance:.3e} m")),
            (turn > UNMOVED, format!("turned by {:.3e} deg", turn.to_degrees())),
            (velocity > least, format!("velocity changed by {velocity:.3e} m/s")),
            (omega > UNMOVED, format!("angular velocity changed by {omega:.3e} rad/s")),
        ];
        let what: Vec<String> = what.into_iter().filter(|(is_told, _)| *is_told).map(|(_, text)| text).collect();
        if !what.is_empty() {
            let name = description.name(EntityKind::Body, body).map_err(Failure::of_run)?;
            lines.push(format!("{name}: {}", what.join(", ")));
        }
    }
    Ok(lines)
}

fn norm(components: &[f64]) -> f64 {
    components.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Prints on stderr what option "assemble" moved, one body per line.
pub fn tell_moved(moved: &[String]) {
    moved.iter().for_each(|line| failure::tell(&format!("assembled: {line}")));
}

/// The entities that arguments name, by name or id. Errors: there is none.
pub fn entities(system: &Simulation, kind: EntityKind, called: &[String], argument: &str) -> Outcome<Vec<Id>> {
    let find = |text: &String| {
        let by_id = || text.parse::<Id>().ok().filter(|id| (0..system.description().count(kind)).contains(id));
        let names: Vec<String> =
            (0..system.description().count(kind)).filter_map(|id| system.description().name(kind, id).ok()).collect();
        let near = || did_you_mean(text, &mut names.iter().map(String::as_str));
        let refused = || Failure::Input(format!("{argument} {text}: no {} has this name or id{}", kind.name(), near()));
        system.description().find(kind, text).ok().or_else(by_id).ok_or_else(refused)
    };
    called.iter().map(find).collect()
}

/// Prints warnings of the library on stderr, one per line.
pub fn tell_warnings(system: &Simulation) {
    let warnings = system.outputs().warning().unwrap_or_default();
    warnings.lines().for_each(|line| failure::tell(&format!("warning: {line}")));
}
