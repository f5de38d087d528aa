//! `pintle modes`: natural frequencies, damping ratios, and the largest component of each.

use crate::channels::quoted;
use crate::failure::{Failure, Outcome};
use crate::model;
use crate::whole_file::{self, WholeFile, keep_apart};
use pintle::{EntityKind, Mode, Simulation};
use std::path::PathBuf;

/// Velocities and accelerations below this are rounding: the state is an equilibrium.
const AT_REST: f64 = 1e-6;

/// The components of the shape of a body.
const COMPONENTS: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];

/// The model, and where shapes go.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: model::Arguments,
    /// Frequencies, damping ratios and shapes of all bodies (real and imaginary parts) as CSV
    #[arg(long, value_name = "CSV")]
    out: Option<PathBuf>,
    /// Modes about steady turning, in axes that turn with the model: option "rotating_modes"
    #[arg(long)]
    rotating: bool,
}

/// Errors: of files, of the computation.
pub fn modes(arguments: &Arguments) -> Outcome {
    keep_apart(&[arguments.model.input()], &[("--out", arguments.out.as_deref())])?;
    let mut system = arguments.model.load()?;
    if arguments.rotating {
        system.settings().set_option("rotating_modes", 1.0).map_err(Failure::of_run)?;
    }
    model::tell_moved(&arguments.model.start(&mut system, 0.0)?);
    let (modes, motion) = system.analysis().modes().map_err(Failure::of_run)?;
    if let Some(path) = &arguments.out {
        WholeFile::write_all(path, table(&system, &modes)?.as_bytes())?;
    }
    whole_file::print(&text(&system, &modes, motion)?)?;
    model::tell_warnings(&system);
    Ok(())
}

/// A list for readers.
pub fn text(system: &Simulation, modes: &[Mode], [velocity, acceleration]: [f64; 2]) -> Outcome<String> {
    if modes.is_empty() {
        return Ok("  none: nothing is free to move\n".into());
    }
    let mut text = String::from("  mode  frequency (Hz)  period (s)  damping ratio  moves most\n");
    for (k, Mode { frequency, damping_ratio, shape }) in modes.iter().enumerate() {
        let period = if *frequency > 0.0 { format!("{:.4}", 1.0 / frequency) } else { "-".into() };
        let most = largest(system, shape)?;
        text += &format!("  {:4}  {frequency:14.6}  {period:>10}  {damping_ratio:13.6}  {most}\n", k + 1);
    }
    if velocity.max(acceleration) > AT_REST {
        text += &format!(
            "  about a state that is no equilibrium: largest velocity {velocity:.3e}, acceleration {acceleration:.3e} \
             (--equilibrium goes to one)\n"
        );
    }
    Ok(text)
}

/// Body and component with the largest amplitude in a shape.
fn largest(system: &Simulation, shape: &[[f64; 12]]) -> Outcome<String> {
    let sizes =
        shape.iter().enumerate().flat_map(|(body, parts)| (0..6).map(move |k| (body, k, parts[k].hypot(parts[k + 6]))));
    match sizes.max_by(|a, b| a.2.total_cmp(&b.2)) {
        Some((body, component, size)) if size > 0.0 => {
            let name = system.description().name(EntityKind::Body, body as i32).map_err(Failure::of_run)?;
            Ok(format!("{name} {}", COMPONENTS[component]))
        }
        // Shapes contain bodies only.
        _ => Ok("points or lines".into()),
    }
}

fn table(system: &Simulation, modes: &[Mode]) -> Outcome<String> {
    let mut titles = vec!["mode".to_owned(), "frequency [Hz]".into(), "damping ratio [-]".into()];
    for body in 0..system.description().count(EntityKind::Body) {
        let name = system.description().name(EntityKind::Body, body).map_err(Failure::of_run)?;
        let parts =
            ["re", "im"].into_iter().flat_map(|part| COMPONENTS.map(|component| format!("{name}.{part}.{component}")));
        titles.extend(parts.map(|title| quoted(&title)));
    }
    let mut text = titles.join(",") + "\n";
    for (k, Mode { frequency, damping_ratio, shape }) in modes.iter().enumerate() {
        let values = [*frequency, *damping_ratio].into_iter().chain(shape.iter().flatten().copied());
        let cells = values.map(|value| format!("{value:?}"));
        text += &format!("{},{}\n", k + 1, cells.collect::<Vec<_>>().join(","));
    }
    Ok(text)
}
