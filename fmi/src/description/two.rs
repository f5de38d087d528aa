//! modelDescription.xml of FMI 2.0. Time is not a variable: it is the importer's.

use super::{Attribute, Facts, Xml, about, default_experiment, empty, full, log_categories, number, tool, unit, units};
use crate::model::{Model, Reference, SCHEME};
use std::io;

pub fn write(writer: &mut Xml, model: &Model, facts: &Facts) -> io::Result<()> {
    let tool = tool();
    let attributes = [
        ("fmiVersion", "2.0"),
        ("modelName", &facts.name),
        ("guid", &model.token),
        ("generationTool", &tool),
        ("variableNamingConvention", "structured"),
    ];
    full(writer, "fmiModelDescription", &attributes, |writer| {
        let abilities = [
            ("modelIdentifier", facts.identifier.as_str()),
            ("canHandleVariableCommunicationStepSize", "true"),
            ("canInterpolateInputs", "true"),
            ("maxOutputDerivativeOrder", "0"),
            ("canNotUseMemoryManagementFunctions", "true"),
            ("canGetAndSetFMUstate", "true"),
            ("canSerializeFMUstate", "true"),
            ("providesDirectionalDerivative", "true"),
        ];
        empty(writer, "CoSimulation", &abilities)?;
        units::write(writer, model)?;
        log_categories(writer)?;
        default_experiment(writer, facts)?;
        let first_output = model.parameters.len() + 1 + model.inputs.len() + 1;
        full(writer, "ModelVariables", &[], |writer| variables(writer, model))?;
        let count = model.told_outputs().count();
        full(writer, "ModelStructure", &[], |writer| {
            for list in ["Outputs", "InitialUnknowns"] {
                if count == 0 {
                    continue;
                }
                full(writer, list, &[], |writer| {
                    (first_output..first_output + count)
                        .try_for_each(|index| empty(writer, "Unknown", &[("index", &index.to_string())]))
                })?;
            }
            Ok(())
        })
    })
}

/// Parameters, then inputs, then outputs except time.
fn variables(writer: &mut Xml, model: &Model) -> io::Result<()> {
    let variable = |writer: &mut Xml, reference: Reference, attributes: &[Attribute], kind, facts: &[Attribute]| {
        let reference = reference.value().to_string();
        let mut all = vec![("valueReference", reference.as_str())];
        all.extend(attributes);
        full(writer, "ScalarVariable", &all, |writer| empty(writer, kind, facts))
    };
    let parameter = [("causality", "parameter"), ("variability", "fixed"), ("initial", "exact")];
    for (k, own) in model.parameters.iter().enumerate() {
        let mut attributes = vec![("name", own.name.as_str())];
        attributes.extend(parameter);
        attributes.extend(about(&own.name).map(|text| ("description", text)));
        let start = number(own.start);
        let mut facts = vec![("start", start.as_str())];
        facts.extend(unit(own.unit));
        variable(writer, Reference::Parameter(k), &attributes, "Real", &facts)?;
    }
    let mut attributes = vec![("name", SCHEME), ("description", "the time scheme")];
    attributes.extend(parameter);
    variable(writer, Reference::Scheme, &attributes, "String", &[("start", &model.base.given().scheme())])?;
    for (k, input) in model.inputs.iter().enumerate() {
        let attributes = [("name", input.name.as_str()), ("causality", "input"), ("variability", "continuous")];
        let start = number(input.start);
        let mut facts = vec![("start", start.as_str())];
        facts.extend(unit(input.unit));
        variable(writer, Reference::Input(k), &attributes, "Real", &facts)?;
    }
    for (k, output) in model.told_outputs() {
        let attributes = [
            ("name", output.name.as_str()),
            ("causality", "output"),
            ("variability", "continuous"),
            ("initial", "calculated"),
        ];
        variable(writer, Reference::Output(k), &attributes, "Real", unit(output.unit).as_slice())?;
    }
    Ok(())
}
