//! Model files: a model as TOML, to be read, edited, kept under version control; and input files of
//! MoorDyn.

use std::ffi::c_char;
use std::path::Path;

use super::boundary::{self, pintle_system, room, scalar_output, text, with_system, without_system};
use crate::{Memory, Simulation, Work};

/// Makes a system from a model file (TOML; docs/hosts.md lists the keys): the same entities, names,
/// arguments and checks as the functions of this section, with initial loads, motions and options.
/// The new system is in phase BUILDING: the host may add to it, and calls pintle_initialize. The
/// caller owns it and frees it with pintle_destroy. Inputs that the file gives over time are set by
/// pintle_initialize and by each step, until the host sets them itself.
///
/// - `path`: of the file; tables that it names are files in its folder or in folders there.
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: BAD_UTF8 (path), IO, FORMAT (not TOML or UTF-8, key unknown or missing, value of another
/// type or size, no body of that name), and for values that a function refuses, its status: BAD_ID,
/// BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY. The message names file, line and key. No system is made
/// then, and `*out` is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_load_model(path: *const c_char, out: *mut *mut pintle_system) -> i32 {
    without_system("pintle_load_model", || {
        let path = text("path", path)?;
        let out = scalar_output("out", out)?;
        let _room = room(Memory::model_file(Path::new(path)))?;
        out.write(boundary::new_handle(Simulation::load_model(Path::new(path))?)?)
    })
}

/// Writes the model to a file that pintle_load_model reads back bit for bit: a run of the new
/// system is that of this one from its start. The file is replaced as pintle_write_checkpoint
/// replaces one. Loads and motions are those given in phase BUILDING, and later ones belong to the
/// run (pintle_write_checkpoint); options, scheme, and the fluid's matrices are the present ones.
/// Load callbacks are left out, and a comment in the file says where: the host sets them again.
///
/// - `sys`: the system.
/// - `path`: of the file.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (path names no file), IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_save_model(sys: *const pintle_system, path: *const c_char) -> i32 {
    with_system("pintle_save_model", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Description))?;
        let path = text("path", path)?;
        system.save_model(Path::new(path))
    })
}

/// Makes a system from an input file of MoorDyn, version 1 or 2 (docs/mooring.md describes the
/// conversion): line types with their tables, bodies, points and lines, each numbered from 0 in the
/// order of the file, gravity, water, seabed, a current and waves (from files beside
/// it), and the outputs of the file as channels under their names. Free points and bodies are free;
/// fixed and coupled bodies and coupled points are prescribed; points on bodies are attached, and
/// their mass and volume become part of the body. Rods become cylinders on bodies of their own, on
/// bodies of the file or on the ground, with names such as "rod 1" (docs/mooring.md). The new
/// system is in phase BUILDING: the host may add to it, and calls pintle_initialize, then
/// pintle_solve_equilibrium. pintle_get_warning lists entries of the file that are ignored, such as
/// time steps, and names or units of columns that contradict the expected ones. The caller owns the
/// system and frees it with pintle_destroy.
///
/// - `path`: of the file; tables that it names are files in its folder or in folders there.
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: BAD_UTF8 (path), IO, FORMAT (no such file, a word that is not understood, a table that
/// is incomplete or whose path is absolute or has a `..`), UNSUPPORTED (control, waves but those of
/// `WaveKin` 1, 2, 3 and 7, currents but those of `Currents` 1, 2 and 5, vortex-induced vibrations,
/// tables of bending stiffness, two lines with bending stiffness at an end of a rod without length,
/// external damping of points, quadratic one of rods), and for values that a function refuses, its
/// status: BAD_SIZE, BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY. The message names file, line and word.
/// No system is made then, and `*out` is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_load_moordyn(path: *const c_char, out: *mut *mut pintle_system) -> i32 {
    without_system("pintle_load_moordyn", || {
        let path = text("path", path)?;
        let out = scalar_output("out", out)?;
        let _room = room(Memory::moordyn(Path::new(path)))?;
        out.write(boundary::new_handle(Simulation::load_moordyn(Path::new(path), false)?)?)
    })
}

/// As pintle_load_moordyn, for a file that the host trusts: the paths of its tables may be absolute
/// and have `..`.
///
/// - `path`: of the file.
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: those of pintle_load_moordyn, BAD_UTF8 (path), IO, FORMAT, UNSUPPORTED, BAD_SIZE,
/// BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY, for the same reasons.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_load_trusted_moordyn(path: *const c_char, out: *mut *mut pintle_system) -> i32 {
    without_system("pintle_load_trusted_moordyn", || {
        let path = text("path", path)?;
        let out = scalar_output("out", out)?;
        let _room = room(Memory::moordyn(Path::new(path)))?;
        out.write(boundary::new_handle(Simulation::load_moordyn(Path::new(path), true)?)?)
    })
}
