//! The functions of MoorDyn 2 for the system, its surroundings and its states, and three of pintle.
//! docs/moordyn_abi.md describes the choices.
#![allow(non_snake_case)]
#![allow(clippy::missing_safety_doc)] // that of MoorDyn's functions; see `arguments`

use crate::arguments::{array, output, text, write};
use crate::boundary::{self, CONSOLE, Held, Kind, alone, enter, index_in};
use crate::log::{ERROR, Log, MESSAGE, WARNING};
use crate::mooring::{Mooring, Motion};
use crate::output::Output;
use crate::state_file;
use crate::status::{Failure, Outcome, Status};
use pintle::Bed;
use std::ffi::{c_char, c_double, c_float, c_int, c_uint, c_void};
use std::path::Path;
use std::sync::atomic::Ordering;

/// A handle of a system, or of one of its parts.
pub type Handle = *mut c_void;
type Text = *const c_char;
type Numbers = *const c_double;
type Results = *mut c_double;

/// The file of MoorDyn if the host names none.
const USUAL_FILE: &str = "Mooring/lines.txt";

fn create(file: &str) -> Outcome<Handle> {
    let path = Path::new(file);
    let mooring = Mooring::load(path)?;
    let mut log = Log::new(CONSOLE.load(Ordering::Relaxed));
    if let Some(path) = mooring.input.log_beside(path) {
        log.open(&path)?;
    }
    log.tell(MESSAGE, &format!("MoorDyn's functions on pintle {}: {file}", env!("CARGO_PKG_VERSION")));
    let scheme = &mooring.scheme;
    log.tell(MESSAGE, &format!("time scheme \"{scheme}\" and its step: not used, pintle integrates implicitly"));
    log.warn(&mooring.simulation.outputs().warning()?);
    if let Some(note) = &mooring.note {
        log.tell(WARNING, note);
    }
    let output = Output::new(path, &mooring, &mut log)?;
    Ok(boundary::new_handle(mooring, log, output))
}

/// A new system from an input file; NULL if that fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Create(infilename: Text) -> Handle {
    let mut handle = std::ptr::null_mut();
    alone("MoorDyn_Create", || {
        let file = if infilename.is_null() { "" } else { text("infilename", infilename)? };
        handle = create(if file.is_empty() { USUAL_FILE } else { file })?;
        Ok(())
    });
    handle
}

/// Frees a system; its parts are gone too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Close(system: Handle) -> c_int {
    boundary::free("MoorDyn_Close", system)
}

/// The number of coupled degrees of freedom, with 6 for each pinned body, of which 3 are used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_NCoupledDOF(system: Handle, n: *mut c_uint) -> c_int {
    enter("MoorDyn_NCoupledDOF", system, |held| write("n", n, held.mooring.counted_dofs() as c_uint))
}

fn start(function: &'static str, system: Handle, [x, xd]: [Numbers; 2], search: bool) -> c_int {
    enter(function, system, |held| {
        let dofs = held.mooring.coupled_dofs();
        let x = array("x", x, dofs)?;
        let rest;
        let xd = if xd.is_null() {
            rest = vec![0.0; dofs];
            &rest[..]
        } else {
            array("xd", xd, dofs)?
        };
        if let Some(note) = held.mooring.start(x, xd, search)? {
            held.log.tell(WARNING, &note);
        }
        held.output.write(&mut held.mooring)
    })
}

/// Starts at time 0 with a search for the rest of light free points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Init(system: Handle, x: Numbers, xd: Numbers) -> c_int {
    start("MoorDyn_Init", system, [x, xd], true)
}

/// Starts at time 0 without that search.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Init_NoIC(system: Handle, x: Numbers, xd: Numbers) -> c_int {
    start("MoorDyn_Init_NoIC", system, [x, xd], false)
}

/// A step of `dt` from the system's own time, which is written to `t`; `f` are the forces at its
/// end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Step(
    system: Handle,
    x: Numbers,
    xd: Numbers,
    f: Results,
    t: Results,
    dt: Results,
) -> c_int {
    enter("MoorDyn_Step", system, |held| {
        let dofs = held.mooring.coupled_dofs();
        let (x, xd, f) = (array("x", x, dofs)?, array("xd", xd, dofs)?, output("f", f, dofs)?);
        let (t, dt) = (output("t", t, 1)?, array("dt", dt, 1)?[0]);
        if let Err(failure) = held.mooring.step(x, xd, dt) {
            held.warn()?;
            return Err(failure);
        }
        held.mooring.forces(f)?;
        t[0] = held.mooring.simulation.time()?;
        if dt > 0.0 { held.output.write(&mut held.mooring) } else { Ok(()) }
    })
}

/// The lowest level of messages on standard error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetVerbosity(system: Handle, verbosity: c_int) -> c_int {
    enter("MoorDyn_SetVerbosity", system, |held| {
        held.log.console = verbosity;
        Ok(())
    })
}

/// Writes the log to another file from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetLogFile(system: Handle, log_path: Text) -> c_int {
    enter("MoorDyn_SetLogFile", system, |held| held.log.open(Path::new(text("log_path", log_path)?)))
}

/// The lowest level of messages in the log file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetLogLevel(system: Handle, verbosity: c_int) -> c_int {
    enter("MoorDyn_SetLogLevel", system, |held| {
        held.log.level = verbosity;
        Ok(())
    })
}

/// Logs a message of the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Log(system: Handle, level: c_int, msg: Text) -> c_int {
    enter("MoorDyn_Log", system, |held| {
        held.log.tell(level.min(ERROR), text("msg", msg)?);
        Ok(())
    })
}

fn count(function: &'static str, system: Handle, n: *mut c_uint, of: impl Fn(&Held) -> usize) -> c_int {
    enter(function, system, |held| write("n", n, of(held) as c_uint))
}

/// The handle of the part with a number, from 1; NULL if there is none.
fn part(function: &'static str, system: Handle, kind: Kind, number: c_uint, of: impl Fn(&Held) -> usize) -> Handle {
    let mut found = std::ptr::null_mut();
    enter(function, system, |held| {
        let count = of(held);
        let index = (number as usize).checked_sub(1).filter(|index| *index < count);
        let index = index.ok_or_else(|| Failure::value(format!("{number} is not one of 1 to {count}")))?;
        found = held.handle(kind, index);
        Ok(())
    });
    found
}

/// The number of points, those of broken lines included.
fn points(held: &Held) -> usize {
    held.mooring.points().len() + held.mooring.broken.len()
}

/// The number of bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetNumberBodies(system: Handle, n: *mut c_uint) -> c_int {
    count("MoorDyn_GetNumberBodies", system, n, |held| held.mooring.bodies())
}

/// The number of rods.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetNumberRods(system: Handle, n: *mut c_uint) -> c_int {
    count("MoorDyn_GetNumberRods", system, n, |held| held.mooring.rods.len())
}

/// The number of points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetNumberPoints(system: Handle, n: *mut c_uint) -> c_int {
    count("MoorDyn_GetNumberPoints", system, n, points)
}

/// The number of lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetNumberLines(system: Handle, n: *mut c_uint) -> c_int {
    count("MoorDyn_GetNumberLines", system, n, |held| held.mooring.lines())
}

/// A body, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBody(system: Handle, b: c_uint) -> Handle {
    part("MoorDyn_GetBody", system, Kind::Body, b, |held| held.mooring.bodies())
}

/// A rod, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRod(system: Handle, r: c_uint) -> Handle {
    part("MoorDyn_GetRod", system, Kind::Rod, r, |held| held.mooring.rods.len())
}

/// A point, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPoint(system: Handle, c: c_uint) -> Handle {
    part("MoorDyn_GetPoint", system, Kind::Point, c, points)
}

/// A line, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLine(system: Handle, l: c_uint) -> Handle {
    part("MoorDyn_GetLine", system, Kind::Line, l, |held| held.mooring.lines())
}

/// The waves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetWaves(system: Handle) -> Handle {
    part("MoorDyn_GetWaves", system, Kind::Waves, 1, |_| 1)
}

/// The seafloor of a grid: NULL, if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetSeafloor(system: Handle) -> Handle {
    let mut found = std::ptr::null_mut();
    enter("MoorDyn_GetSeafloor", system, |held| {
        if !Bed::of(&held.mooring.simulation).grid().is_empty() {
            found = held.handle(Kind::Seafloor, 0);
        }
        Ok(())
    });
    found
}

/// From now on the host gives the motion of the water at `n` places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_ExternalWaveKinInit(system: Handle, n: *mut c_uint) -> c_int {
    enter("MoorDyn_ExternalWaveKinInit", system, |held| {
        held.mooring.ask_host_for_water()?;
        write("n", n, held.mooring.water_places() as c_uint)
    })
}

/// The number of places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_ExternalWaveKinGetN(system: Handle, n: *mut c_uint) -> c_int {
    count("MoorDyn_ExternalWaveKinGetN", system, n, |held| held.mooring.water_places())
}

/// The places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_ExternalWaveKinGetCoordinates(system: Handle, r: Results) -> c_int {
    enter("MoorDyn_ExternalWaveKinGetCoordinates", system, |held| {
        held.mooring.require_started()?;
        let places = output("r", r, 3 * held.mooring.water_places())?;
        held.mooring.write_water_places(places.as_chunks_mut::<3>().0)
    })
}

/// Velocities and accelerations there, which hold until others are given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_ExternalWaveKinSet(system: Handle, U: Numbers, Ud: Numbers, _t: c_double) -> c_int {
    enter("MoorDyn_ExternalWaveKinSet", system, |held| {
        let numbers = 3 * held.mooring.water_places();
        held.mooring.water.set(array("U", U, numbers)?, array("Ud", Ud, numbers)?)
    })
}

/// The same as `MoorDyn_ExternalWaveKinGetCoordinates`, under an older name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetWaveKinCoordinates(system: Handle, r: Results) -> c_int {
    unsafe { MoorDyn_ExternalWaveKinGetCoordinates(system, r) }
}

/// The same as `MoorDyn_ExternalWaveKinSet`, under an older name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetWaveKin(system: Handle, U: Numbers, Ud: Numbers, t: c_double) -> c_int {
    unsafe { MoorDyn_ExternalWaveKinSet(system, U, Ud, t) }
}

/// Velocity and acceleration of the water, elevation and dynamic pressure at a place: those of
/// current and waves, after MoorDyn_Init. Any result may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetWavesKin(
    waves: Handle,
    x: c_double,
    y: c_double,
    z: c_double,
    U: Results,
    Ud: Results,
    zeta: Results,
    PDyn: Results,
    _seafloor: Handle,
) -> c_int {
    boundary::enter_part("MoorDyn_GetWavesKin", waves, Kind::Waves, |held, _| {
        if held.mooring.simulation.given().fluid_callback().0 {
            return Err(Failure::missing("wave kinematics between the places where the host gives them"));
        }
        held.mooring.require_started()?;
        let motion = held.mooring.water_motion([x, y, z])?;
        for (name, out, value) in [("U", U, motion.velocity), ("Ud", Ud, motion.acceleration)] {
            if !out.is_null() {
                output(name, out, 3)?.copy_from_slice(&value);
            }
        }
        crate::arguments::write_if("zeta", zeta, motion.elevation)?;
        let pressure = pintle::simulation::wave_pressure(&held.mooring.simulation, &[x, y, z])?;
        crate::arguments::write_if("PDyn", PDyn, pressure)
    })
}

/// The wave number of the linear dispersion relation; 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn WaveNumber(Omega: c_double, g: c_double, h: c_double) -> c_double {
    crate::water::wave_number(Omega, g, h)
}

/// Writes a number of the seafloor.
fn depth(function: &'static str, seafloor: Handle, depth: Results, of: impl Fn(Bed) -> f64) -> c_int {
    boundary::enter_part(function, seafloor, Kind::Seafloor, |held, _| {
        write("depth", depth, of(Bed::of(&held.mooring.simulation)))
    })
}

/// The z of the seafloor at a place, below 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetDepthAt(seafloor: Handle, x: c_double, y: c_double, depth: Results) -> c_int {
    self::depth("MoorDyn_GetDepthAt", seafloor, depth, |bed| bed.height([x, y]).unwrap_or(0.0))
}

/// The mean z of its nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetAverageDepth(seafloor: Handle, depth: Results) -> c_int {
    self::depth("MoorDyn_GetAverageDepth", seafloor, depth, |bed| {
        let grid = bed.grid();
        -grid.iter().map(|node| node[2]).sum::<f64>() / grid.len() as f64
    })
}

/// The z of its shallowest node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetMinDepth(seafloor: Handle, depth: Results) -> c_int {
    self::depth("MoorDyn_GetMinDepth", seafloor, depth, |bed| {
        -bed.grid().iter().map(|node| node[2]).fold(f64::INFINITY, f64::min)
    })
}

/// Horizontal and vertical forces at fairleads (end B) and anchors (end A) of the first `numLines`
/// lines, as FAST 7 has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetFASTtens(
    system: Handle,
    numLines: *const c_int,
    FairHTen: *mut c_float,
    FairVTen: *mut c_float,
    AnchHTen: *mut c_float,
    AnchVTen: *mut c_float,
) -> c_int {
    enter("MoorDyn_GetFASTtens", system, |held| {
        let (asked, lines) = (array("numLines", numLines, 1)?[0], held.mooring.lines());
        let asked = usize::try_from(asked).ok().filter(|asked| *asked <= lines);
        let asked = asked.ok_or_else(|| Failure::value(format!("numLines is not in 0 to {lines}")))?;
        let mut out = [
            output("FairHTen", FairHTen, asked)?,
            output("FairVTen", FairVTen, asked)?,
            output("AnchHTen", AnchHTen, asked)?,
            output("AnchVTen", AnchVTen, asked)?,
        ];
        for line in 0..asked {
            let found = held.mooring.fast_tensions(line)?;
            out.iter_mut().zip(found).for_each(|(out, value)| out[line] = value);
        }
        Ok(())
    })
}

/// Releases a line from a point. Its end becomes a new point, the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_BreakLine(system: Handle, point: Handle, line: Handle) -> c_int {
    enter("MoorDyn_BreakLine", system, |held| {
        let point = index_in(point, Kind::Point, system)?;
        held.mooring.break_line(point, index_in(line, Kind::Line, system)?)
    })
}

/// The step of the file or the host, without effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetDt(system: Handle, dt: Results) -> c_int {
    enter("MoorDyn_GetDt", system, |held| write("dt", dt, held.mooring.dt))
}

/// Errors: not positive.
fn positive(name: &str, value: f64) -> Outcome<f64> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Failure::value(format!("{name} = {value}: expected a positive number")))
}

/// Stores a step; pintle chooses its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetDt(system: Handle, dt: c_double) -> c_int {
    enter("MoorDyn_SetDt", system, |held| {
        held.mooring.dt = positive("dt", dt)?;
        held.log.tell(MESSAGE, "MoorDyn_SetDt: not used, pintle chooses its inner steps");
        Ok(())
    })
}

/// The Courant number of the file or the host, without effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetCFL(system: Handle, cfl: Results) -> c_int {
    enter("MoorDyn_GetCFL", system, |held| write("cfl", cfl, held.mooring.cfl))
}

/// Stores a Courant number; pintle is not bounded by it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetCFL(system: Handle, cfl: c_double) -> c_int {
    enter("MoorDyn_SetCFL", system, |held| {
        held.mooring.cfl = positive("cfl", cfl)?;
        held.log.tell(MESSAGE, "MoorDyn_SetCFL: not used, implicit steps have no Courant limit");
        Ok(())
    })
}

/// The name of the scheme, and its length with the NUL. Either may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetTimeScheme(system: Handle, name: *mut c_char, name_len: *mut usize) -> c_int {
    enter("MoorDyn_GetTimeScheme", system, |held| {
        let scheme = held.mooring.scheme.as_bytes();
        crate::arguments::write_if("name_len", name_len, scheme.len() + 1)?;
        if !name.is_null() {
            let bytes = scheme.iter().chain([&0]);
            output("name", name, scheme.len() + 1)?
                .iter_mut()
                .zip(bytes)
                .for_each(|(out, byte)| *out = *byte as c_char);
        }
        Ok(())
    })
}

/// Stores a scheme; pintle integrates by its own. Errors: not a scheme of MoorDyn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetTimeScheme(system: Handle, name: Text) -> c_int {
    enter("MoorDyn_SetTimeScheme", system, |held| {
        held.mooring.set_scheme(text("name", name)?)?;
        held.log.tell(MESSAGE, "MoorDyn_SetTimeScheme: not used, pintle integrates implicitly");
        Ok(())
    })
}

fn save(held: &mut Held, path: Text) -> Outcome<()> {
    let path = text("filepath", path)?;
    let mut words = Vec::new();
    held.mooring.serialize(Some(&mut words))?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(path, bytes)
        .map_err(|error| Failure::new(Status::InvalidOutputFile, format!("cannot write \"{path}\": {error}")))
}

/// Restores a state, and goes on with the output from its time.
fn restore(held: &mut Held, words: &[u64]) -> Outcome<()> {
    held.mooring.deserialize(words)?;
    held.output.rewind(held.mooring.simulation.time()?);
    Ok(())
}

fn load(held: &mut Held, path: Text) -> Outcome<()> {
    let path = text("filepath", path)?;
    let refused = |detail: &str| Failure::new(Status::InvalidInputFile, format!("\"{path}\": {detail}"));
    let bytes = std::fs::read(path).map_err(|error| refused(&error.to_string()))?;
    if state_file::is_of_moordyn(&bytes) {
        return held.mooring.whole(|mooring| mooring.take_state_of_moordyn(&bytes, true));
    }
    let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect();
    let [first, second, ..] = words[..] else { return Err(refused("too short to be a state")) };
    let length = held.mooring.serialized_length([first, second])?;
    let words = words.get(..length).ok_or_else(|| refused("the file ends early"))?;
    restore(held, words)
}

/// Writes the state to a file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Save(system: Handle, filepath: Text) -> c_int {
    enter("MoorDyn_Save", system, |held| save(held, filepath))
}

/// Restores a state from a file of `MoorDyn_Save` or `MoorDyn_SaveState` of this library, or takes
/// the places and velocities that one of `MoorDyn_SaveState` of MoorDyn has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Load(system: Handle, filepath: Text) -> c_int {
    enter("MoorDyn_Load", system, |held| load(held, filepath))
}

/// The same as `MoorDyn_Save`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SaveState(system: Handle, filepath: Text) -> c_int {
    enter("MoorDyn_SaveState", system, |held| save(held, filepath))
}

/// The same as `MoorDyn_Load`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_LoadState(system: Handle, filepath: Text) -> c_int {
    enter("MoorDyn_LoadState", system, |held| load(held, filepath))
}

/// The size of the state in bytes, and the state; either may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Serialize(system: Handle, size: *mut usize, data: *mut u64) -> c_int {
    enter("MoorDyn_Serialize", system, |held| {
        if data.is_null() {
            let length = held.mooring.serialize(None)?;
            return crate::arguments::write_if("size", size, 8 * length);
        }
        let mut words = std::mem::take(&mut held.words);
        let outcome = held.mooring.serialize(Some(&mut words));
        held.words = words;
        let length = outcome?;
        output("data", data, length)?.copy_from_slice(&held.words);
        crate::arguments::write_if("size", size, 8 * length)
    })
}

/// Restores a state of `MoorDyn_Serialize` of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_Deserialize(system: Handle, data: *const u64) -> c_int {
    enter("MoorDyn_Deserialize", system, |held| {
        held.mooring.require_started()?;
        let start = array("data", data, 2)?;
        let length = held.mooring.serialized_length([start[0], start[1]])?;
        restore(held, array("data", data, length)?)
    })
}

/// Writes the system for ParaView: a file `.vtm`, and a folder with its parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SaveVTK(system: Handle, filename: Text) -> c_int {
    enter("MoorDyn_SaveVTK", system, |held| {
        crate::vtk::save_system(&mut held.mooring, Path::new(text("filename", filename)?))
    })
}

/// Copies the message of the last failed call of this thread, cut to `cap` bytes with its NUL, and
/// returns its length without it. pintle's own function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PintleMoorDyn_LastError(cap: usize, message: *mut c_char) -> usize {
    boundary::with_last_error(|last| {
        if cap > 0
            && let Ok(out) = output("message", message, cap)
        {
            let most = last.len().min(cap - 1);
            let length = (0..=most).rev().find(|length| last.is_char_boundary(*length)).unwrap_or(0);
            out.iter_mut().zip(&last.as_bytes()[..length]).for_each(|(out, byte)| *out = *byte as c_char);
            out[length] = 0;
        }
        last.len()
    })
}

/// Sets the meaning of x and xd of a step: 0: MoorDyn's, those of its start; 1: those of its end.
/// pintle's own function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PintleMoorDyn_SetMotion(system: Handle, motion: c_int) -> c_int {
    enter("PintleMoorDyn_SetMotion", system, |held| {
        let refused = || Failure::value(format!("motion = {motion}: expected 0 (start) or 1 (end)"));
        held.mooring.motion = Motion::from_number(motion).ok_or_else(refused)?;
        Ok(())
    })
}

/// Sets the longest inner step in seconds. pintle's own function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PintleMoorDyn_SetMaxStep(system: Handle, step: c_double) -> c_int {
    enter("PintleMoorDyn_SetMaxStep", system, |held| held.mooring.set_max_step(positive("step", step)?))
}
