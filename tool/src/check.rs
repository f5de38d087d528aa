//! `pintle check`: describes a model on the standard output.

use crate::failure::{Failure, Outcome};
use crate::{model, modes, view, whole_file};
use pintle::{Beams, EntityKind, Frame, JointKind, Simulation};
use std::fmt::Write;

/// Number of modes that are printed; `pintle modes` prints all.
const MODES: usize = 12;

/// Largest number of velocities of a model whose modes are computed without `--modes`. The time
/// grows with its cube: a second for some 300, on a processor of 2020.
const QUICK: f64 = 300.0;

/// A line is told that is longer or shorter than its length by more than this part.
const FAR: f64 = 0.1;

/// For models without gravity, m/s^2.
const STANDARD_GRAVITY: f64 = 9.81;

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
    let moved = arguments.model.start(&mut system, 0.0)?;
    let mut text = format!("{}\n", arguments.model.model.display());
    // Writing to a string does not fail.
    let _ = about(&system, &mut text);
    if !moved.is_empty() {
        text += &format!("assembled\n  {}\n", moved.join("\n  "));
    }
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
    let doubts = doubts(&system)?;
    let warnings = system.outputs().warning().unwrap_or_default();
    text += if warnings.is_empty() && doubts.is_empty() { "warnings\n  none\n" } else { "warnings\n" };
    for warning in warnings.lines().chain(doubts.iter().map(String::as_str)) {
        let _ = writeln!(text, "  {warning}");
    }
    whole_file::print(&text)
}

/// What is allowed but seldom meant: no gravity, bodies that nothing keeps from turning, lines far
/// from their length, huge accelerations.
fn doubts(system: &Simulation) -> Outcome<Vec<String>> {
    let (description, outputs, points) = (system.description(), system.outputs(), system.points());
    let name = |kind, id| description.name(kind, id).map_err(Failure::of_run);
    let ids = |kind| 0..description.count(kind);
    let mut doubts = Vec::new();
    let gravity = norm(&description.gravity());
    if gravity == 0.0 {
        doubts.push("gravity is zero".to_owned());
    }
    // Nodes of beams have the inertia of the beam.
    let mut nodes = Vec::new();
    for beam in ids(EntityKind::Beam) {
        nodes.extend((0..).map_while(|node| Beams::of(system).body(beam, node).ok()));
    }
    let free = |body: &i32| description.body_prescribed(*body) == Ok(false) && !nodes.contains(body);
    for body in ids(EntityKind::Body).filter(free) {
        let inertia = central_inertia(&description.body_mass(body).map_err(Failure::of_run)?);
        let about: Vec<&str> =
            ["x", "y", "z"].into_iter().zip(inertia).filter(|(_, i)| *i == 0.0).map(|(x, _)| x).collect();
        if !about.is_empty() {
            doubts.push(format!("{}: the inertia is zero about {}", name(EntityKind::Body, body)?, about.join(", ")));
        }
    }
    // Lines from end to end, and ropes; springs that push may well be far from their length.
    let mut length = |kind, id, now: f64, rest: f64| -> Outcome {
        if rest > 0.0 && !(1.0 - FAR..=1.0 + FAR).contains(&(now / rest)) {
            let (what, part) = if now > rest { ("stretched", now / rest - 1.0) } else { ("slack", 1.0 - now / rest) };
            let (name, percent) = (name(kind, id)?, 100.0 * part);
            doubts.push(format!(
                "{name}: {what} by {percent:.1} %: its ends are {now:.6} m apart, its length is {rest:.6} m"
            ));
        }
        Ok(())
    };
    for line in ids(EntityKind::Line) {
        let (ends, rest) =
            description.line_info(line).map(|line| (line.points, line.length)).map_err(Failure::of_run)?;
        let [a, b] = ends.map(|point| points.position(point as i32).unwrap_or([f64::NAN; 3]));
        length(EntityKind::Line, line, norm(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]]), rest)?;
    }
    for spring in ids(EntityKind::Spring) {
        let info = description.spring_info(spring).map_err(Failure::of_run)?;
        if info.tension_only {
            let (now, _) = outputs.spring_force(spring).map_err(Failure::of_run)?;
            length(EntityKind::Spring, spring, now, info.rest_length)?;
        }
    }
    let limit = 1000.0 * if gravity > 0.0 { gravity } else { STANDARD_GRAVITY };
    let bodies = ids(EntityKind::Body)
        .map(|id| (EntityKind::Body, id, outputs.body_acceleration(id, Frame::Inertial).map(|a| norm(&a[..3]))));
    let points = ids(EntityKind::Point).map(|id| (EntityKind::Point, id, points.acceleration(id).map(|a| norm(&a))));
    for (kind, id, acceleration) in bodies.chain(points) {
        let acceleration = acceleration.map_err(Failure::of_run)?;
        if acceleration > limit {
            doubts.push(format!("{}: starts with an acceleration of {acceleration:.3e} m/s^2", name(kind, id)?));
        }
    }
    Ok(doubts)
}

fn norm(components: &[f64]) -> f64 {
    components.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The diagonal of the inertia about the centre of mass; 0 where only rounding is left.
fn central_inertia(matrix: &[f64; 36]) -> [f64; 3] {
    let (entry, mass) = (|row: usize, column: usize| matrix[row + 6 * column], matrix[0]);
    // Rows 3 to 5, columns 0 to 2: mass times the cross product with the centre.
    let eta = [entry(5, 1), entry(3, 2), entry(4, 0)];
    std::array::from_fn(|k| {
        let others = (0..3).filter(|other| *other != k).map(|other| eta[other] * eta[other]).sum::<f64>();
        let (about_reference, offset) = (entry(3 + k, 3 + k), if mass > 0.0 { others / mass } else { 0.0 });
        let central = about_reference - offset;
        if central > 1e-12 * about_reference { central } else { 0.0 }
    })
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
