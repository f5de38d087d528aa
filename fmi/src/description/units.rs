//! Units as powers of the SI's base units, in the common syntax of both standards.

use super::{Xml, empty, full, number};
use crate::model::Model;
use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::io;

/// Powers of kg, m, s and rad, and the factor.
fn of(unit: &str) -> Option<([i32; 4], f64)> {
    Some(match unit {
        "s" => ([0, 0, 1, 0], 1.0),
        "m" => ([0, 1, 0, 0], 1.0),
        "m/s" => ([0, 1, -1, 0], 1.0),
        "m/s^2" => ([0, 1, -2, 0], 1.0),
        "rad" => ([0, 0, 0, 1], 1.0),
        "rad/s" => ([0, 0, -1, 1], 1.0),
        "rad/s^2" => ([0, 0, -2, 1], 1.0),
        "deg" => ([0, 0, 0, 1], PI / 180.0),
        "deg/s" => ([0, 0, -1, 1], PI / 180.0),
        "deg/s^2" => ([0, 0, -2, 1], PI / 180.0),
        "N" => ([1, 1, -2, 0], 1.0),
        "N m" | "J" => ([1, 2, -2, 0], 1.0),
        "kg" => ([1, 0, 0, 0], 1.0),
        "kg m^2" => ([1, 2, 0, 0], 1.0),
        "kg/m^3" => ([1, -3, 0, 0], 1.0),
        "N/m" => ([1, 0, -2, 0], 1.0),
        "N s/m" => ([1, 0, -1, 0], 1.0),
        "N m/rad" => ([1, 2, -2, -1], 1.0),
        "N m s/rad" => ([1, 2, -1, -1], 1.0),
        "Pa/m" => ([1, -2, -2, 0], 1.0),
        "Pa s/m" => ([1, -2, -1, 0], 1.0),
        _ => return None,
    })
}

/// All units that the variables have.
pub fn write(writer: &mut Xml, model: &Model) -> io::Result<()> {
    let outputs = model.outputs.iter().map(|output| output.unit);
    let inputs = model.inputs.iter().map(|input| input.unit);
    let parameters = model.parameters.iter().map(|parameter| parameter.unit);
    let units: BTreeSet<&str> = outputs.chain(inputs).chain(parameters).filter(|unit| *unit != "-").collect();
    full(writer, "UnitDefinitions", &[], |writer| {
        for unit in units {
            full(writer, "Unit", &[("name", unit)], |writer| {
                let Some((powers, factor)) = of(unit) else { return Ok(()) };
                let powers = powers.map(|power| power.to_string());
                let mut attributes: Vec<(&str, &str)> = ["kg", "m", "s", "rad"]
                    .into_iter()
                    .zip(powers.iter().map(String::as_str))
                    .filter(|(_, power)| *power != "0")
                    .collect();
                let factor = (factor != 1.0).then(|| number(factor));
                attributes.extend(factor.as_deref().map(|factor| ("factor", factor)));
                empty(writer, "BaseUnit", &attributes)
            })?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pintle::{GROUND, JointKind, Simulation};

    /// A model that has all channels under names of their own.
    #[test]
    fn every_unit_of_a_variable_is_known() {
        let mut system = Simulation::new();
        let pose = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let body = system.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
        system.build().add_joint_at(JointKind::Cylindrical, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
        system.settings().set_openfast_platform(body).unwrap();
        system.settings().add_moordyn_channel("Body1RVX").unwrap();
        let model = Model::new(system, b"").unwrap();
        let units = model.outputs.iter().map(|output| output.unit).chain(model.inputs.iter().map(|input| input.unit));
        let units = units.chain(model.parameters.iter().map(|parameter| parameter.unit));
        for unit in units.filter(|unit| *unit != "-") {
            assert!(of(unit).is_some(), "{unit}");
        }
    }
}
