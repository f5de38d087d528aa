//! `pintle check`: describes a model on the standard output.

use crate::failure::{Failure, Outcome};
use crate::{model, modes, view, whole_file};
use pintle::{EntityKind, JointKind, Simulation};
use std::fmt::Write;

/// Number of modes that are printed; `pintle modes` prints all.
const MODES: usize = 12;

/// Largest number of velocities of a model whose modes are computed without `--modes`. The time
/// grows with its cube: a second for some 300, on a processor of 2020.
const QUICK: f64 = 300.0;

/// The model, and which lists are wanted.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: model::Arguments,
    /// Computes the modes of a large model, too
    #[arg(long)]
    modes: bool,
    /// Lists the channels, with their units
    #[arg(long)]
    channels: bool,
    /// Lists the inputs by name, with their units
    #[arg(long)]
    inputs: bool,
}

/// Errors: of the file; of the computation, such as an inconsistent start.
pub fn check(arguments: &Arguments) -> Outcome {
    let mut system = arguments.model.load()?;
    view::shapes(&arguments.model.model, &system)?;
    arguments.model.start(&mut system, 0.0)?;
    let mut text = format!("{}\n", arguments.model.model.display());
    // Writing to a string does not fail.
    let _ = about(&system, &mut text);
    freedom(&system, &mut text)?;
    text += "modes\n";
    let velocities = system.outputs().statistic("dofs").map_err(Failure::of_run)?;
    if velocities > QUICK && !arguments.modes {
        let _ = writeln!(text, "  not computed, as the model has {velocities} velocities: --modes, or pintle modes");
    } else {
        match system.analysis().modes() {
            Ok((found, motion)) => {
                text += &modes::text(&system, &found[..found.len().min(MODES)], motion)?;
                if found.len() > MODES {
                    let _ = writeln!(text, "  and {} more: pintle modes", found.len() - MODES);
                }
            }
            Err(pintle::Error::Stopped { .. }) => return Err(Failure::interrupted()),
            Err(error) => {
                let _ = writeln!(text, "  none: {error}");
            }
        }
    }
    if arguments.channels {
        text += "channels\n";
        for k in 0..system.channels().count().map_err(Failure::of_run)? {
            let (name, unit) = (system.channels().name(k), system.channels().unit(k));
            let _ = writeln!(text, "  {} [{}]", name.map_err(Failure::of_run)?, unit.map_err(Failure::of_run)?);
        }
    }
    if arguments.inputs {
        text += "inputs\n";
        let list = system.given().input_list();
        for k in 0..list.len() {
            let _ = writeln!(text, "  {} [{}]", list.name(k).unwrap_or_default(), list.unit(k).unwrap_or_default());
        }
    }
    let warnings = system.outputs().warning().unwrap_or_default();
    text += if warnings.is_empty() { "warnings\n  none\n" } else { "warnings\n" };
    for warning in warnings.lines() {
        let _ = writeln!(text, "  {warning}");
    }
    whole_file::print(&text)
}

/// Numbers of entities, and the scheme.
fn about(system: &Simulation, text: &mut String) -> std::fmt::Result {
    let description = system.description();
    for kind in EntityKind::ALL.into_iter().filter(|kind| system.description().count(*kind) > 0) {
        let count = system.description().count(kind);
        let detail = match kind {
            EntityKind::Body => {
                let prescribed = (0..count).filter(|body| description.body_prescribed(*body) == Ok(true)).count();
                if prescribed > 0 { format!(" ({prescribed} prescribed)") } else { String::new() }
            }
            EntityKind::Joint => {
                let kinds = (0..count).filter_map(|joint| description.joint_info(joint).ok()).map(|info| info.kind);
                let kinds: Vec<JointKind> = kinds.collect();
                let of_kind = |kind: &JointKind| {
                    let count = kinds.iter().filter(|other| *other == kind).count();
                    (count > 0).then(|| format!("{count} {}", kind.name().to_lowercase()))
                };
                format!(" ({})", JointKind::ALL.iter().filter_map(of_kind).collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        writeln!(text, "  {:12} {count}{detail}", plural(kind))?;
    }
    let (channels, inputs) = (system.channels().count().unwrap_or(0), system.given().input_list().len());
    writeln!(text, "  {:12} {channels}, inputs {inputs} (--channels, --inputs list them)", "channels")?;
    let scheme = system.given().scheme();
    let stable = system.outputs().statistic("stable_step").unwrap_or(f64::INFINITY);
    let limit = if stable.is_finite() { format!(", stable up to a step of {stable:.3e} s") } else { String::new() };
    writeln!(text, "  {:12} {scheme}{limit}", "scheme")?;
    let (kinetic, potential) = system.outputs().energy().unwrap_or((f64::NAN, f64::NAN));
    writeln!(text, "  {:12} kinetic {kinetic:.6e} J, potential {potential:.6e} J", "energy")
}

fn plural(kind: EntityKind) -> String {
    match kind {
        EntityKind::Body => "bodies".into(),
        kind => format!("{}s", kind.name().replace('_', " ")),
    }
}

/// Degrees of freedom, and redundant constraints.
fn freedom(system: &Simulation, text: &mut String) -> Outcome {
    let number = |key| system.outputs().statistic(key).map_err(Failure::of_run);
    let (mobility, dofs, constraints) = (number("mobility")?, number("dofs")?, number("constraints")?);
    let imposed = dofs - constraints - mobility;
    let imposed = if imposed > 0.0 { format!(" - {imposed} imposed") } else { String::new() };
    let _ = writeln!(
        text,
        "degrees of freedom\n  {mobility} = {dofs} velocities{imposed} - {constraints} independent constraints"
    );
    let redundant = system.analysis().redundant_constraints().map_err(Failure::of_run)?;
    let _ = writeln!(text, "redundant constraints\n  {}", number("redundant_constraints")?);
    for line in redundant.lines() {
        let _ = writeln!(text, "  {line}");
    }
    Ok(())
}
