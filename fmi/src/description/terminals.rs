//! terminalsAndIcons.xml of FMI 3.0: groups of variables that importers connect together. Bodies
//! and markers have a wrench and a motion, joints a load and a coordinate.

use super::{Xml, document, empty, full};
use crate::model::{Model, OUTPUT_ARRAYS};
use crate::names;
use pintle::EntityKind;
use std::collections::BTreeMap;
use std::io;

/// The document; None for a model without terminals.
pub fn terminals(model: &Model) -> io::Result<Option<Vec<u8>>> {
    let joints = joints(model);
    if model.carriers.is_empty() && joints.is_empty() {
        return Ok(None);
    }
    document(|writer| {
        full(writer, "fmiTerminalsAndIcons", &[("fmiVersion", "3.0")], |writer| {
            full(writer, "Terminals", &[], |writer| {
                for carrier in &model.carriers {
                    let arrays = OUTPUT_ARRAYS.map(|(name, _)| (name, format!("{}.{name}", carrier.name)));
                    let wrench = ("wrench", carrier.wrench_name());
                    terminal(writer, &carrier.name, "pintle.motion", arrays.into_iter().chain([wrench]))?;
                }
                for (name, members) in joints {
                    terminal(writer, &name, "pintle.coordinate", members.into_iter())?;
                }
                Ok(())
            })
        })
    })
    .map(Some)
}

fn terminal(
    writer: &mut Xml,
    name: &str,
    kind: &str,
    members: impl Iterator<Item = (&'static str, String)>,
) -> io::Result<()> {
    full(writer, "Terminal", &[("name", name), ("matchingRule", "plug"), ("terminalKind", kind)], |writer| {
        for (member, variable) in members {
            let attributes = [("variableName", variable.as_str()), ("memberName", member), ("variableKind", "signal")];
            empty(writer, "TerminalMemberVariable", &attributes)?;
        }
        Ok(())
    })
}

/// Joints with a coordinate: their loads and coordinates, under names that are the same for all
/// kinds.
fn joints(model: &Model) -> BTreeMap<String, Vec<(&'static str, String)>> {
    let mut joints: BTreeMap<String, Vec<(&'static str, String)>> = BTreeMap::new();
    let mut add = |variable: &str, suffix: &str, member| {
        if let Some(joint) = variable.strip_suffix(&names::variable(Some(""), suffix)) {
            joints.entry(joint.to_owned()).or_default().push((member, variable.to_owned()));
        }
    };
    for input in model.inputs.iter().filter(|input| input.owner.0 == EntityKind::Joint && input.suffix == "load") {
        add(&input.name, "load", "load");
    }
    let of_joints = |owner: Option<(EntityKind, _)>| owner.is_some_and(|(kind, _)| kind == EntityKind::Joint);
    for output in model.outputs.iter().filter(|output| of_joints(output.owner)) {
        let member = match output.suffix.as_str() {
            "angle" | "displacement" => "coordinate",
            "rate" => "rate",
            "acc" => "acceleration",
            _ => continue,
        };
        add(&output.name, &output.suffix, member);
    }
    joints
}
