//! Options: a value, then its key, one per line.

use super::lexer::{Row, number};
use crate::error::Result;

/// The value of an option.
#[derive(Debug)]
pub(crate) struct Number {
    /// Its value.
    pub value: f64,
    /// Its row.
    pub row: Row,
}

/// Options of the surroundings; None if not given.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Gravitational acceleration, m/s^2.
    pub gravity: Option<Number>,
    /// Density of water, kg/m^3.
    pub density: Option<Number>,
    /// Depth of water, m.
    pub depth: Option<Number>,
    /// Stiffness of the seabed, Pa/m.
    pub stiffness: Option<Number>,
    /// Damping of the seabed, Pa s/m.
    pub damping: Option<Number>,
    /// Coefficient of friction.
    pub friction: Option<Number>,
    /// A current in a file of its own, and the row that selects it.
    pub current: Option<(CurrentFile, Row)>,
    /// A file with the depths of the seabed on a grid, and the row that names it.
    pub seafloor: Option<(SeabedFile, Row)>,
    /// Waves in a file of their own, and the row that selects them.
    pub waves: Option<(WaveFile, Row)>,
    /// Whether the host gives the waves.
    pub waves_of_host: bool,
}

/// Files of the seabed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeabedFile {
    /// `SeafloorFile`: x, y and z of each node.
    Nodes,
    /// `WtrDpth` with the name of a file: a table of depths, as OpenFAST's module has it.
    Table,
}

/// Files of currents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CurrentFile {
    /// `Currents` 1: a steady profile.
    Profile,
    /// `Currents` 2: a profile over time.
    OverTime,
    /// `Currents` 5: a grid in space and time.
    Grid,
}

/// Files of waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaveFile {
    /// `WaveKin` 2: a spectrum.
    Spectrum,
    /// `WaveKin` 3: a record of the elevation.
    Record,
    /// `WaveKin` 7: components.
    Components,
}

/// Options that are read but not needed, with the reason. Keys in lower case.
const NOT_NEEDED: [(&[&str], &str); 6] = [
    (
        &["dtm", "dt", "cfl", "tscheme"],
        "the host chooses scheme and step, which stiff lines do not bound with implicit schemes",
    ),
    (
        &[
            "dtic",
            "icdt",
            "tmaxic",
            "ictmax",
            "cdscaleic",
            "icdfac",
            "threshic",
            "icthresh",
            "icgendynamic",
            "gendynamicic",
        ],
        "pintle_initialize and pintle_solve_equilibrium solve the statics",
    ),
    (
        &["fileic", "icfile"],
        "MoorDyn_Init of the stand-in for MoorDyn reads this state; pintle_set_coordinates and its like take its numbers",
    ),
    (
        &["writelog", "writeunits", "dtout", "disableoutput", "disableouttime", "outswitch", "sumprint", "echo"],
        "this library writes no files",
    ),
    (&["fricdamp", "cv"], "friction holds what rests instead of damping what creeps"),
    (
        &["dtwave", "wavekin_rampt", "unifycurrentgrid"],
        "waves are summed where they are needed, without a grid of places and times",
    ),
];

impl Options {
    /// Reads all options. Errors: an unknown one, one of the same name twice, a wrong value; an
    /// option that is not supported.
    pub fn read(rows: &[Row], notes: &mut Vec<String>) -> Result<Options> {
        let mut options = Options::default();
        let mut seen: Vec<(String, &Row)> = Vec::new();
        let mut friction: [Option<Number>; 2] = [None, None];
        for row in rows {
            let key = row.word(1, "the name of the option")?.to_lowercase();
            if let Some((_, former)) = seen.iter().find(|(other, _)| *other == key) {
                return Err(row.refuse(1, format!("said before: {}", former.place(0))));
            }
            let place = match &key[..] {
                "g" | "gravity" => &mut options.gravity,
                "rho" | "rhow" | "wtrdnsty" => &mut options.density,
                "wtrdpth" if number(&row.words()[0]).is_none() => {
                    options.take_seabed(SeabedFile::Table, row)?;
                    seen.push((key, row));
                    continue;
                }
                "wtrdpth" => &mut options.depth,
                "kbot" | "kb" => &mut options.stiffness,
                "cbot" | "cb" => &mut options.damping,
                "frictioncoefficient" => &mut options.friction,
                "mu_kt" => &mut friction[0],
                "mu_ka" => &mut friction[1],
                _ => {
                    options.other(&key, row, notes)?;
                    seen.push((key, row));
                    continue;
                }
            };
            if let Some(former) = place {
                notes.push(format!("{} counts, as the later one, not {}", row.place(1), former.row.place(1)));
            }
            *place = Some(Number { value: row.number(0, &row.words()[1])?, row: row.clone() });
            seen.push((key, row));
        }
        options.take_friction(friction)?;
        Ok(options)
    }

    /// Options that are not a number of the surroundings.
    fn other(&mut self, key: &str, row: &Row, notes: &mut Vec<String>) -> Result<()> {
        let value = &row.words()[0];
        let is_off = matches!(&value.to_lowercase()[..], "0" | "none" | "");
        match key {
            "wavekin" if value == "1" => {
                self.waves_of_host = true;
                notes.push(format!("{}: waves come from the host (pintle_set_fluid_callback)", row.place(1)));
                return Ok(());
            }
            "wavekin" if matches!(&value[..], "2" | "3" | "7") => {
                let file = match &value[..] {
                    "2" => WaveFile::Spectrum,
                    "3" => WaveFile::Record,
                    _ => WaveFile::Components,
                };
                self.waves = Some((file, row.clone()));
                return Ok(());
            }
            "wavekin" | "waterkin" if !is_off => {
                let detail = "of waves, only 1 (the host's, by pintle_set_fluid_callback), 2 (a spectrum), 3 (a record of \
                              the elevation) and 7 (components) are supported";
                return Err(row.unsupported(0, detail));
            }
            "currents" if !is_off => {
                let file = match &value[..] {
                    "1" => CurrentFile::Profile,
                    "2" => CurrentFile::OverTime,
                    "5" => CurrentFile::Grid,
                    _ => {
                        let detail = "of currents, only 1 (a steady profile), 2 (a profile over time) and 5 (a grid in \
                                      space and time) are supported";
                        return Err(row.unsupported(0, detail));
                    }
                };
                self.current = Some((file, row.clone()));
                return Ok(());
            }
            "seafloorfile" => {
                return if is_off { Ok(()) } else { self.take_seabed(SeabedFile::Nodes, row) };
            }
            "inertialf" if !is_off => {
                notes.push(format!("{}: not needed, reactions of prescribed bodies have their inertia", row.place(1)));
                return Ok(());
            }
            "statdynfricscale" | "mc" => {
                return match row.number(0, key)? {
                    1.0 => Ok(()),
                    _ => Err(row.unsupported(0, "friction has one coefficient, at rest as when sliding: expected 1")),
                };
            }
            "wavekin" | "waterkin" | "currents" | "inertialf" | "inertialf_rampt" => return Ok(()),
            _ => {}
        }
        match NOT_NEEDED.iter().find(|(keys, _)| keys.contains(&key)) {
            Some((_, why)) => notes.push(format!("{}: not needed, {why}", row.place(1))),
            None => return Err(row.refuse(1, "no option of this name is known (first the value, then the name)")),
        }
        Ok(())
    }

    /// The seabed has one grid.
    fn take_seabed(&mut self, file: SeabedFile, row: &Row) -> Result<()> {
        match self.seafloor.replace((file, row.clone())) {
            Some((_, former)) => Err(row.refuse(0, format!("the seabed has another grid: {}", former.place(0)))),
            None => Ok(()),
        }
    }

    /// OpenFAST's module has transverse and axial friction, which must be equal here.
    fn take_friction(&mut self, [across, along]: [Option<Number>; 2]) -> Result<()> {
        let value = |given: &Option<Number>| given.as_ref().map_or(0.0, |given| given.value);
        let differ = value(&across) != value(&along);
        for given in [across, along].into_iter().flatten() {
            if differ {
                let detail = "friction across (MU_KT) and along lines (MU_KA) must be the same";
                return Err(given.row.unsupported(0, detail));
            }
            if let Some(former) = self.friction.as_ref().filter(|former| former.value != given.value) {
                return Err(given.row.refuse(1, format!("said otherwise before: {}", former.row.place(1))));
            }
            self.friction = Some(given);
        }
        Ok(())
    }
}
