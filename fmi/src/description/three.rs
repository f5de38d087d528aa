//! modelDescription.xml of FMI 3.0: the scalars of 2.0, and arrays of bodies and markers.

use super::{Attribute, Facts, Xml, about, default_experiment, empty, full, log_categories, number, tool, unit, units};
use crate::model::{Model, OUTPUT_ARRAYS, Reference, SCHEME};
use std::io;

pub fn write(writer: &mut Xml, model: &Model, facts: &Facts) -> io::Result<()> {
    let tool = tool();
    let attributes = [
        ("fmiVersion", "3.0"),
        ("modelName", &facts.name),
        ("instantiationToken", &model.token),
        ("generationTool", &tool),
        ("variableNamingConvention", "structured"),
    ];
    full(writer, "fmiModelDescription", &attributes, |writer| {
        let abilities = [
            ("modelIdentifier", facts.identifier.as_str()),
            ("canGetAndSetFMUState", "true"),
            ("canSerializeFMUState", "true"),
            ("providesDirectionalDerivatives", "true"),
            ("canHandleVariableCommunicationStepSize", "true"),
            ("maxOutputDerivativeOrder", "0"),
            ("mightReturnEarlyFromDoStep", "true"),
        ];
        empty(writer, "CoSimulation", &abilities)?;
        units::write(writer, model)?;
        log_categories(writer)?;
        default_experiment(writer, facts)?;
        full(writer, "ModelVariables", &[], |writer| variables(writer, model))?;
        full(writer, "ModelStructure", &[], |writer| {
            for list in ["Output", "InitialUnknown"] {
                for reference in outputs(model) {
                    empty(writer, list, &[("valueReference", &reference.value().to_string())])?;
                }
            }
            Ok(())
        })
    })
}

/// Channels except time, then arrays, in the order of the variables.
fn outputs(model: &Model) -> impl Iterator<Item = Reference> {
    let scalars = model.told_outputs().map(|(k, _)| Reference::Output(k));
    let arrays = (0..model.carriers.len())
        .flat_map(|carrier| (0..OUTPUT_ARRAYS.len()).map(move |what| Reference::OutputArray(carrier, what)));
    scalars.chain(arrays)
}

/// The name of a channel or of an array of channels, its unit, and its number of elements.
fn output(model: &Model, reference: Reference) -> (String, &'static str, usize) {
    match reference {
        Reference::OutputArray(carrier, what) => {
            let (name, ref range) = OUTPUT_ARRAYS[what];
            // Arrays with several units have none.
            (format!("{}.{name}", model.carriers[carrier].name), "-", range.len())
        }
        Reference::Output(k) => (model.outputs[k].name.clone(), model.outputs[k].unit, 1),
        _ => (String::new(), "-", 1),
    }
}

fn variables(writer: &mut Xml, model: &Model) -> io::Result<()> {
    let real = |writer: &mut Xml, reference: Reference, attributes: &[Attribute], width: usize| {
        let reference = reference.value().to_string();
        let mut all = vec![("valueReference", reference.as_str())];
        all.extend(attributes);
        match width {
            1 => empty(writer, "Float64", &all),
            _ => full(writer, "Float64", &all, |writer| empty(writer, "Dimension", &[("start", &width.to_string())])),
        }
    };
    let time = [("name", "time"), ("causality", "independent"), ("variability", "continuous"), ("unit", "s")];
    real(writer, Reference::Output(0), &time, 1)?;
    let parameter = [("causality", "parameter"), ("variability", "fixed")];
    for (k, own) in model.parameters.iter().enumerate() {
        let start = number(own.start);
        let mut attributes = vec![("name", own.name.as_str()), ("start", start.as_str())];
        attributes.extend(parameter);
        attributes.extend(unit(own.unit));
        attributes.extend(about(&own.name).map(|text| ("description", text)));
        real(writer, Reference::Parameter(k), &attributes, 1)?;
    }
    let reference = Reference::Scheme.value().to_string();
    let mut attributes = vec![("name", SCHEME), ("valueReference", &reference), ("description", "the time scheme")];
    attributes.extend(parameter);
    full(writer, "String", &attributes, |writer| empty(writer, "Start", &[("value", &model.base.given().scheme())]))?;
    let input = [("causality", "input"), ("variability", "continuous")];
    for (k, own) in model.inputs.iter().enumerate() {
        let start = number(own.start);
        let mut attributes = vec![("name", own.name.as_str()), ("start", start.as_str())];
        attributes.extend(input);
        attributes.extend(unit(own.unit));
        real(writer, Reference::Input(k), &attributes, 1)?;
    }
    for (k, carrier) in model.carriers.iter().enumerate() {
        let name = carrier.wrench_name();
        let mut attributes = vec![("name", name.as_str()), ("start", "0.0 0.0 0.0 0.0 0.0 0.0")];
        attributes.extend(input);
        attributes.push(("description", "force, then moment; acts in addition to the load of the scalar inputs"));
        real(writer, Reference::InputArray(k), &attributes, 6)?;
    }
    for reference in outputs(model) {
        let (name, symbol, width) = output(model, reference);
        let mut attributes = vec![
            ("name", name.as_str()),
            ("causality", "output"),
            ("variability", "continuous"),
            ("initial", "calculated"),
        ];
        attributes.extend(unit(symbol));
        real(writer, reference, &attributes, width)?;
    }
    Ok(())
}
