//! Arguments of all commands about the model: the file, the scheme, options, and the start.

use crate::failure::{self, Failure, Outcome};
use crate::interrupt;
use pintle::{EntityKind, Id, Simulation};
use std::path::{Path, PathBuf};

/// Iterations and tolerance of `--equilibrium`.
const EQUILIBRIUM: (i32, f64) = (200, 1e-8);

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
    /// Another option of the library: max_time_step=0.001, input_order=1 ... May be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Waves, in place of those of the file, written as in its table [environment.waves]:
    /// 'jonswap = { height = 6, period = 12 }', 'regular = { height = 2, period = 8, heading = 0.5 }' ...
    #[arg(long, value_name = "TOML")]
    waves: Option<String>,
    /// Moves the model to its static equilibrium first
    #[arg(long)]
    equilibrium: bool,
}

impl Arguments {
    /// The model, in phase BUILDING. Errors: in the file or an option.
    pub fn load(&self) -> Outcome<Simulation> {
        let of_moordyn = self.model.extension().is_some_and(|kind| kind == "txt" || kind == "dat");
        let loaded =
            if of_moordyn { Simulation::load_moordyn(&self.model, false) } else { Simulation::load_model(&self.model) };
        let mut system = loaded.map_err(Failure::input)?;
        if let Some(scheme) = &self.scheme {
            system.settings().set_scheme(scheme).map_err(|error| Failure::input(format!("--scheme: {error}")))?;
        }
        let given = self.options.iter().map(|text| {
            let (key, value) = text.split_once('=').unwrap_or((text, ""));
            let value = value.trim().parse::<f64>();
            let value = value.map_err(|_| Failure::Input(format!("--set {text}: expected KEY=NUMBER")))?;
            Ok((key.trim(), value, "--set"))
        });
        let rho_inf = self.rho_inf.map(|value| Ok(("rho_inf", value, "--rho-inf")));
        for option in given.chain(rho_inf) {
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

    /// Initializes the model, and finds the equilibrium if that is wanted. Errors: of the
    /// computation.
    pub fn start(&self, system: &mut Simulation, time: f64) -> Outcome {
        system.initialize(time).map_err(Failure::of_run)?;
        if self.equilibrium {
            let (iterations, tolerance) = EQUILIBRIUM;
            system.solve_equilibrium(iterations, tolerance).map_err(Failure::of_run)?;
        }
        Ok(())
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

/// The entities that arguments name, by name or id. Errors: there is none.
pub fn entities(system: &Simulation, kind: EntityKind, called: &[String], argument: &str) -> Outcome<Vec<Id>> {
    let find = |text: &String| {
        let by_id = || text.parse::<Id>().ok().filter(|id| (0..system.description().count(kind)).contains(id));
        let refused = || Failure::Input(format!("{argument} {text}: no {} has this name or id", kind.name()));
        system.description().find(kind, text).ok().or_else(by_id).ok_or_else(refused)
    };
    called.iter().map(find).collect()
}

/// Prints warnings of the library on stderr, one per line.
pub fn tell_warnings(system: &Simulation) {
    let warnings = system.outputs().warning().unwrap_or_default();
    warnings.lines().for_each(|line| failure::tell(&format!("warning: {line}")));
}
