//! `pintle`: runs, checks and analyses models from files. docs/tool.md is its manual.
//!
//! One file per subcommand (`run`, `view`, `check`, `modes`, `linearize`, `convert`, `fmu`); the
//! common ones are `model` (arguments and loading), `parameters` (values that `--set` replaces),
//! `failure` (exit codes), `interrupt` (signals), `beamdyn` (blades), `whole_file` (files that are
//! complete or do not exist), `channels` (selection of outputs, and their CSV), `steps` (the loop
//! of a run), `plot`, and `vtk` with `vtp` (frames for ParaView).

#![forbid(unsafe_code)]

mod angles;
mod beamdyn;
mod blade;
mod channels;
mod check;
mod convert;
mod failure;
mod fmu;
mod interrupt;
mod linearize;
mod model;
mod modes;
mod parameters;
mod plot;
mod run;
mod steps;
mod view;
mod vtk;
mod vtp;
mod whole_file;
mod windio;

use clap::{Parser, Subcommand};
use failure::Outcome;
use std::process::ExitCode;

/// Simulates rigid multibody systems: reads models from files and writes tables, plots, pages
/// that play runs, and frames for ParaView.
#[derive(Parser)]
#[command(name = "pintle", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 the computation failed (no convergence, singular, inconsistent ...); 2 wrong \
arguments or input files; 3 an output could not be written; 130, 143 stopped by SIGINT, SIGTERM.";

#[derive(Subcommand)]
enum Command {
    /// Simulates a model over time and writes the chosen outputs
    Run(run::Arguments),
    /// Simulates a model over time and writes an HTML page that plays the run
    View(view::Arguments),
    /// Describes a model: entities, degrees of freedom, redundant constraints, modes, warnings
    Check(check::Arguments),
    /// Natural frequencies, damping ratios and shapes
    Modes(modes::Arguments),
    /// Matrices A, B, C, D of the linearised system
    Linearize(linearize::Arguments),
    /// Writes a model file from an input file of MoorDyn, or of a blade of BeamDyn
    Convert(convert::Arguments),
    /// Packs a model as a functional mock-up unit (FMU) for co-simulation
    Fmu(fmu::Arguments),
}

fn main() -> ExitCode {
    // Exits with code 2 if the command line is wrong.
    let arguments = Arguments::parse();
    let outcome: Outcome = interrupt::watch().and_then(|()| match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::View(arguments) => view::view(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Modes(arguments) => modes::modes(&arguments),
        Command::Linearize(arguments) => linearize::linearize(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Fmu(arguments) => fmu::fmu(&arguments),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            failure.code()
        }
    }
}
