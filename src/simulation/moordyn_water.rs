//! Seabed, currents and waves from files beside an input file of MoorDyn.

use super::water::Bed;
use super::{Simulation, files};
use crate::error::Result;
use crate::model::moordyn::{
    CurrentFile, Row, SeabedFile, WaveFile, components, current, current_grid, current_over_time, depth_table,
    elevations, seafloor, spectrum,
};
use std::f64::consts::PI;
use std::path::{Path, PathBuf};

/// Files of currents and waves beside an input file.
pub(super) const WATER_FILES: [&str; 5] = [
    "current_profile.txt",
    "current_profile_dynamic.txt",
    "current_profile_4d.txt",
    "wave_elevation.txt",
    "wave_frequencies.txt",
];

/// The contents of a file beside the input file.
fn read(path: &Path, name: &str, row: &Row) -> Result<(PathBuf, Vec<u8>)> {
    let path = path.with_file_name(name);
    files::read(&path).map(|bytes| (path, bytes)).map_err(|cause| row.refused(0, cause))
}

impl Simulation {
    /// The grid of the seabed, from a file beside the input file or, as MoorDyn reads it, where the
    /// program runs. Without a number as WtrDpth, the depth for waves is the mean, or that at x = y
    /// = 0 if the grid is a table.
    pub(super) fn load_seafloor(
        &mut self,
        path: &Path,
        is_trusted: bool,
        (file, row): &(SeabedFile, Row),
        has_depth: bool,
    ) -> Result<()> {
        let name = Path::new(&row.words()[0]);
        if !is_trusted && files::leaves_folder(name) {
            return Err(row.refuse(0, "is outside the folder of this file: pintle_load_trusted_moordyn reads it"));
        }
        let beside = path.with_file_name("").join(name);
        let path = if is_trusted && !beside.exists() { name } else { &beside };
        let bytes = files::read(path).map_err(|cause| row.refused(0, cause))?;
        let points = match file {
            SeabedFile::Nodes => seafloor(path, &bytes)?,
            SeabedFile::Table => depth_table(path, &bytes)?,
        };
        self.settings().set_seabed_grid(&points).map_err(|cause| row.refused(0, cause))?;
        if has_depth {
            return Ok(());
        }
        let depth = match file {
            SeabedFile::Nodes => points.iter().map(|point| point[2]).sum::<f64>() / points.len() as f64,
            SeabedFile::Table => -Bed::of(self).height([0.0; 2]).unwrap_or_default(),
        };
        self.settings().set_environment("depth", depth.max(0.0))
    }

    /// The current.
    pub(super) fn load_current(&mut self, path: &Path, file: CurrentFile, row: &Row) -> Result<()> {
        let name = match file {
            CurrentFile::Profile => WATER_FILES[0],
            CurrentFile::OverTime => WATER_FILES[1],
            CurrentFile::Grid => WATER_FILES[2],
        };
        let (path, bytes) = read(path, name, row)?;
        let set = match file {
            CurrentFile::Profile => {
                let (depths, velocities): (Vec<f64>, Vec<[f64; 3]>) = current(&path, &bytes)?.into_iter().unzip();
                self.settings().set_current(&depths, &velocities)
            }
            CurrentFile::OverTime => self.settings().set_current_grid(&current_over_time(&path, &bytes)?),
            CurrentFile::Grid => self.settings().set_current_grid(&current_grid(&path, &bytes)?),
        };
        set.map_err(|cause| row.refused(0, cause))
    }

    /// The waves.
    pub(super) fn load_waves(&mut self, path: &Path, file: WaveFile, row: &Row) -> Result<()> {
        let name = WATER_FILES[if file == WaveFile::Record { 3 } else { 4 }];
        let (path, bytes) = read(path, name, row)?;
        let set = match file {
            WaveFile::Spectrum => self.settings().set_waves(spectrum(&path, &bytes)?),
            WaveFile::Components => self.settings().set_waves(components(&path, &bytes)?),
            WaveFile::Record => {
                let (times, elevations) = elevations(&path, &bytes)?;
                // All frequencies, up to half of the rate of samples.
                let highest = PI / times[1];
                self.settings().set_wave_record(times, &elevations, 0.0, highest)
            }
        };
        set.map_err(|cause| row.refused(0, cause))
    }
}
