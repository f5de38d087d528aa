//! `pintle linearize`: the matrices of the linearised system, `xdot = A x + B u`, `y = C x + D u`,
//! as CSV with the names of their columns in the first line.

use crate::channels::quoted;
use crate::failure::{Failure, Outcome};
use crate::model;
use crate::whole_file::{WholeFile, keep_apart};
use pintle::{EntityKind, Id, LinearInputs, Simulation};
use std::path::{Path, PathBuf};

/// The model, inputs and outputs, and where the matrices go.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: model::Arguments,
    /// A, states x states; - is the standard output
    #[arg(long, value_name = "CSV")]
    out: PathBuf,
    /// B, states x inputs
    #[arg(long, value_name = "CSV")]
    b: Option<PathBuf>,
    /// C, outputs x states
    #[arg(long, value_name = "CSV")]
    c: Option<PathBuf>,
    /// D, outputs x inputs
    #[arg(long, value_name = "CSV")]
    d: Option<PathBuf>,
    /// Bodies whose loads are inputs, by name or id: 6 each, inertial axes
    #[arg(long, value_name = "BODIES", value_delimiter = ',')]
    bodies: Vec<String>,
    /// Markers whose loads are inputs: 6 each, inertial axes
    #[arg(long, value_name = "MARKERS", value_delimiter = ',')]
    markers: Vec<String>,
    /// Joints whose loads are inputs
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    joints: Vec<String>,
    /// CYLINDRICAL joints whose slide loads are inputs
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    slides: Vec<String>,
    /// Markers whose motions are outputs: displacement, rotation, velocity, angular velocity and
    /// their rates, 18 each
    #[arg(long, value_name = "MARKERS", value_delimiter = ',')]
    sensors: Vec<String>,
}

/// Errors: of files and arguments, of the computation.
pub fn linearize(arguments: &Arguments) -> Outcome {
    let Arguments { out, b, c, d, .. } = arguments;
    let others = [("--b", b), ("--c", c), ("--d", d)].map(|(name, path)| (name, path.as_deref()));
    keep_apart(&[arguments.model.input()], &[&[("--out", Some(out.as_path()))][..], &others].concat())?;
    let mut system = arguments.model.load()?;
    let find = |kind, called: &[String], argument| model::entities(&system, kind, called, argument);
    let bodies = find(EntityKind::Body, &arguments.bodies, "--bodies")?;
    let markers = find(EntityKind::Marker, &arguments.markers, "--markers")?;
    let joints = find(EntityKind::Joint, &arguments.joints, "--joints")?;
    let slides = find(EntityKind::Joint, &arguments.slides, "--slides")?;
    let sensors = find(EntityKind::Marker, &arguments.sensors, "--sensors")?;
    model::tell_moved(&arguments.model.start(&mut system, 0.0)?);
    let inputs = LinearInputs { bodies: &bodies, markers: &markers, joints: &joints, slides: &slides };
    let linear = system.analysis().linearize_inputs(&inputs, &sensors).map_err(|error| match error {
        // Joints without a coordinate among the arguments.
        pintle::Error::BadValue { .. } => Failure::input(error),
        error => Failure::of_run(error),
    })?;
    let states = (0..linear.states as i32).map(|k| system.analysis().state_name(k)).collect::<Result<Vec<_>, _>>();
    let states = states.map_err(Failure::of_run)?;
    let inputs = input_names(&system, &inputs)?;
    let outputs = 18 * sensors.len();
    for (path, matrix, rows, titles) in [
        (Some(&arguments.out), &linear.a, states.len(), &states),
        (arguments.b.as_ref(), &linear.b, states.len(), &inputs),
        (arguments.c.as_ref(), &linear.c, outputs, &states),
        (arguments.d.as_ref(), &linear.d, outputs, &inputs),
    ] {
        path.map_or(Ok(()), |path: &PathBuf| write(path, matrix, rows, titles))?;
    }
    model::tell_warnings(&system);
    Ok(())
}

/// Names of the inputs, in the convention of inputs by name.
fn input_names(system: &Simulation, inputs: &LinearInputs) -> Outcome<Vec<String>> {
    let list = system.given().input_list();
    let of = |kind: EntityKind, ids: &[Id], load: &str| {
        let mut names = Vec::new();
        for id in ids {
            let own = (0..list.len()).filter(|input| {
                list.entity(*input) == Ok((kind, *id))
                    && list.suffix(*input).is_ok_and(|suffix| suffix.starts_with(load))
            });
            names.extend(own.filter_map(|input| list.name(input).ok()).map(str::to_owned));
        }
        names
    };
    Ok([
        of(EntityKind::Body, inputs.bodies, "load"),
        of(EntityKind::Marker, inputs.markers, "load"),
        of(EntityKind::Joint, inputs.joints, "load"),
        of(EntityKind::Joint, inputs.slides, "slide_load"),
    ]
    .concat())
}

/// A column-major matrix as lines.
fn write(path: &Path, matrix: &[f64], rows: usize, titles: &[String]) -> Outcome {
    let mut text = titles.iter().map(|title| quoted(title)).collect::<Vec<_>>().join(",") + "\n";
    for row in 0..rows {
        let cells = (0..titles.len()).map(|column| format!("{:?}", matrix[column * rows + row]));
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    WholeFile::write_all(path, text.as_bytes())
}
