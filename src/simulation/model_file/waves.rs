//! Waves in model files: `[environment.waves]`, and the same as text.

use super::text::File;
use crate::error::{Error, Result};
use crate::model::file::{Document, Table, writer};
use crate::model::{Sea, Spectrum, Wave};
use crate::simulation::{HostSettings, Simulation};
use std::f64::consts::TAU;
use std::path::Path;
use writer::numbers;

/// The keys of components, which is how waves are saved.
const COMPONENTS: [&str; 4] = ["amplitudes", "frequencies", "headings", "phases"];

/// The ways to describe waves, of which one is chosen, and their keys.
const WAYS: [(&str, &[&str]); 5] = [
    ("regular", &["height", "period", "heading", "phase"]),
    ("jonswap", &["height", "period", "peak_factor", "heading", "spreading", "seed", "components"]),
    ("spectrum", &["frequencies", "densities", "heading", "spreading", "seed", "components"]),
    ("record", &["start", "step", "elevations", "heading", "max_frequency"]),
    ("components", &COMPONENTS),
];

/// Of seas, if not given.
const COMPONENTS_OF_A_SEA: i64 = 200;

/// The peak enhancement factor, if not given: the mean of JONSWAP.
const PEAK_FACTOR: f64 = 3.3;

/// Writes the components of the waves, if there are any.
pub(super) fn save(file: &mut File) {
    let waves = file.system.given().waves();
    if waves.is_empty() {
        return;
    }
    file.line("[environment.waves.components]");
    for (number, key) in COMPONENTS.iter().enumerate() {
        let list: Vec<f64> = waves.iter().map(|wave| wave.numbers()[number]).collect();
        file.entry(key, numbers(&list));
    }
}

/// Reads waves from the table that has the key `waves`.
pub(super) fn load(system: &mut Simulation, table: &Table) -> Result<()> {
    match table.table("waves", &WAYS.map(|(way, _)| way))? {
        Some(waves) => set(&mut system.settings(), &waves),
        None => Ok(()),
    }
}

fn set(settings: &mut HostSettings, waves: &Table) -> Result<()> {
    let chosen: Vec<_> = WAYS.into_iter().filter(|(way, _)| waves.has(way)).collect();
    let [(way, known)] = chosen[..] else {
        let names = WAYS.map(|(way, _)| way).join(", ");
        let key = chosen.last().map_or("", |(way, _)| way);
        return Err(waves.refuse(key, format!("{} ways to describe waves: expected one of {names}", chosen.len())));
    };
    let Some(given) = waves.table(way, known)? else { return Ok(()) };
    let or = |key: &str, value: f64| Ok::<f64, Error>(given.get(key)?.unwrap_or(value));
    let heading = or("heading", 0.0)?;
    let sea = || {
        let components = given.get("components")?.unwrap_or(COMPONENTS_OF_A_SEA);
        let seed: i64 = given.get("seed")?.unwrap_or(0);
        Ok::<Sea, Error>(Sea {
            heading,
            spreading: or("spreading", 0.0)?,
            seed: i32::try_from(seed).map_err(|_| given.refuse("seed", format!("{seed} is beyond 32 bits")))?,
            components: usize::try_from(components)
                .map_err(|_| given.refuse("components", format!("{components} is no number of components")))?,
        })
    };
    let outcome = match way {
        "regular" => {
            let (height, period): (f64, f64) = (given.require("height")?, given.require("period")?);
            if period <= 0.0 {
                return Err(given.refuse("period", format!("{period} is not above 0")));
            }
            let wave = Wave { amplitude: 0.5 * height, frequency: TAU / period, heading, phase: or("phase", 0.0)? };
            settings.set_waves(vec![wave])
        }
        "jonswap" => {
            let (height, period) = (given.require("height")?, given.require("period")?);
            let spectrum = Spectrum::Jonswap { height, period, peak_factor: or("peak_factor", PEAK_FACTOR)? };
            settings.set_irregular_waves(spectrum, &sea()?)
        }
        "spectrum" => {
            let (frequencies, densities): (Vec<f64>, Vec<f64>) =
                (given.require("frequencies")?, given.require("densities")?);
            same_length(&given, "densities", [densities.len(), frequencies.len()])?;
            let spectrum = Spectrum::Table { frequencies: &frequencies, densities: &densities };
            settings.set_irregular_waves(spectrum, &sea()?)
        }
        "record" => {
            let elevations: Vec<f64> = given.require("elevations")?;
            let times = [or("start", 0.0)?, given.require("step")?];
            settings.set_wave_record(times, &elevations, heading, given.require("max_frequency")?)
        }
        _ => {
            let mut lists: Vec<Vec<f64>> = Vec::new();
            for key in known {
                let list = given.require(key)?;
                lists.push(list);
                same_length(&given, key, [lists[lists.len() - 1].len(), lists[0].len()])?;
            }
            let wave = |k: usize| Wave {
                amplitude: lists[0][k],
                frequency: lists[1][k],
                heading: lists[2][k],
                phase: lists[3][k],
            };
            settings.set_waves((0..lists[0].len()).map(wave).collect())
        }
    };
    given.check(known[0], outcome)
}

fn same_length(table: &Table, key: &str, [given, expected]: [usize; 2]) -> Result<()> {
    match given == expected {
        true => Ok(()),
        false => Err(table.refuse(key, format!("{given} numbers where the first list has {expected}"))),
    }
}

impl HostSettings<'_> {
    /// Sets waves from the text of `[environment.waves]` of a model file, such as `jonswap = {
    /// height = 6, period = 12 }`. Phase BUILDING, READY. Errors: the text is no such table; those
    /// of [`HostSettings::set_waves`].
    pub fn set_waves_from_text(&mut self, text: &str) -> Result<()> {
        let path = Path::new("waves");
        let document = Document::parse(path, text.as_bytes())?;
        let root = document.root();
        root.only(&WAYS.map(|(way, _)| way))?;
        set(self, &root)
    }
}
