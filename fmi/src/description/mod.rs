//! Descriptions for importers, which they read before they load the library: modelDescription.xml
//! of FMI 2.0 and 3.0, and the terminals of 3.0.

mod terminals;
mod three;
mod two;
mod units;

pub use terminals::terminals;

use crate::model::Model;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};
use std::io;

/// The standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

/// The contents of a description beside the variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Name of the model.
    pub name: String,
    /// Name of the library without its ending: an identifier of C.
    pub identifier: String,
    /// Step and end of the default experiment, which starts at zero.
    pub step: Option<f64>,
    /// End of the default experiment.
    pub end: Option<f64>,
}

/// modelDescription.xml.
pub fn model_description(version: Version, model: &Model, facts: &Facts) -> io::Result<Vec<u8>> {
    document(|writer| match version {
        Version::Two => two::write(writer, model, facts),
        Version::Three => three::write(writer, model, facts),
    })
}

/// The XML writer.
type Xml = Writer<Vec<u8>>;

fn document(content: impl FnOnce(&mut Xml) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    content(&mut writer)?;
    let mut bytes = writer.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// An attribute with its value.
type Attribute<'a> = (&'a str, &'a str);

/// An element without content.
fn empty(writer: &mut Xml, name: &str, attributes: &[Attribute]) -> io::Result<()> {
    writer.create_element(name).with_attributes(attributes.iter().copied()).write_empty().map(drop)
}

/// An element with content.
fn full(
    writer: &mut Xml,
    name: &str,
    attributes: &[Attribute],
    content: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    writer.create_element(name).with_attributes(attributes.iter().copied()).write_inner_content(content).map(drop)
}

/// A number with the digits to read it back exactly.
fn number(x: f64) -> String {
    format!("{x:?}")
}

/// The unit as an attribute, if there is one.
fn unit(unit: &'static str) -> Option<Attribute<'static>> {
    (unit != "-").then_some(("unit", unit))
}

/// The generation tool.
fn tool() -> String {
    format!("pintle {}", env!("CARGO_PKG_VERSION"))
}

/// The categories of the log, the same in both standards.
fn log_categories(writer: &mut Xml) -> io::Result<()> {
    full(writer, "LogCategories", &[], |writer| {
        for name in ["logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"] {
            empty(writer, "Category", &[("name", name)])?;
        }
        Ok(())
    })
}

fn default_experiment(writer: &mut Xml, facts: &Facts) -> io::Result<()> {
    let (step, end) = (facts.step.map(number), facts.end.map(number));
    let mut attributes = vec![("startTime", "0.0")];
    attributes.extend(end.as_deref().map(|end| ("stopTime", end)));
    attributes.extend(step.as_deref().map(|step| ("stepSize", step)));
    empty(writer, "DefaultExperiment", &attributes)
}

/// A description of an option in one line.
fn about(parameter: &str) -> Option<&'static str> {
    Some(match parameter {
        "settings.rho_inf" => "spectral radius of the scheme at infinite frequency: 1 no numerical damping, 0 the most",
        "settings.abs_tolerance" => "absolute tolerance of the iteration, in units of the model's scales",
        "settings.rel_tolerance" => "relative tolerance of the iteration",
        "settings.max_iterations" => "most iterations in one internal step",
        "settings.max_time_step" => "longest internal step; 0 for no limit",
        "settings.input_order" => "1: inputs go linearly over a communication step; 0: they are held",
        "settings.assemble" => "1: initial poses and velocities are moved onto the joints; 0: they must fit",
        crate::parameters::EQUILIBRIUM => "1: the run starts in the static equilibrium; 0: where the initial poses are",
        "settings.on_no_convergence" => "0: the step is discarded; 1: the last iterate is taken; 2: the step is cut",
        _ => return None,
    })
}
