//! From the text of a model file to a system in phase BUILDING, entity by entity in the order of
//! ids.

use super::{beams, elements, inputs, lines, shapes};
use crate::elements::InWater;
use crate::elements::friction_load::FrictionLoad;
use crate::elements::stop::StopLaw;
use crate::error::{Error, Result};
use crate::model::file::{Document, End, Matrix, PLACEMENT, Table, VERSION};
use crate::model::{EntityKind, Frame, GROUND, Id, JointKind, OPTION_KEYS};
use crate::simulation::{
    Build, HostSettings, Simulation, add_clutch, set_clutch_stop, set_joint_friction_load, set_joint_radius,
    set_joint_strength,
};
use std::path::Path;

const BEFORE_ELEMENTS: [&str; 10] = [
    "pintle_model",
    "gravity",
    "openfast_platform",
    "moordyn_channels",
    "settings",
    "environment",
    "body",
    "beam",
    "joint",
    "point",
];
const BODY: [&str; 16] = [
    "name",
    "mass",
    "com",
    "inertia",
    "inertia_about_reference",
    "mass_matrix",
    "pose",
    "velocity",
    "acceleration",
    "prescribed",
    "motion",
    "load",
    "added_mass",
    "linear_damping",
    "quadratic_drag",
    "in_water",
];
const JOINT: [&str; 31] = [
    "name",
    "kind",
    "body_a",
    "body_b",
    "frame_a",
    "frame_b",
    "point",
    "axis",
    "pitch",
    "radius",
    "offset",
    "driven",
    "motion",
    "spring",
    "load",
    "slide_driven",
    "slide_motion",
    "slide_spring",
    "slide_load",
    "spring_table",
    "slide_spring_table",
    "damper",
    "slide_damper",
    "friction",
    "brake",
    "stop",
    "slide_friction",
    "slide_brake",
    "slide_stop",
    "strength_force",
    "strength_moment",
];
const POINT: [&str; 12] =
    ["name", "mass", "volume", "cda", "ca", "position", "fixed", "prescribed", "body", "velocity", "load", "motion"];
const GEAR: [&str; 6] = ["name", "joint_a", "joint_b", "ratio", "joints", "coefficients"];
const CLUTCH: [&str; 11] = [
    "name",
    "joint_a",
    "slide_a",
    "joint_b",
    "slide_b",
    "ratio",
    "capacity_back",
    "capacity_forth",
    "static_ratio",
    "slip",
    "stop",
];
const STOP: [&str; 6] = ["lower", "upper", "law", "stiffness", "damping", "restitution"];
const MARKER: [&str; 4] = ["name", "body", "frame", "load"];

/// The system of a file.
pub(super) fn model(path: &Path, bytes: &[u8]) -> Result<Simulation> {
    let document = Document::parse(path, bytes)?;
    let root = document.root();
    let version = root.require::<i64>("pintle_model")?;
    if version != VERSION {
        let detail = format!("{version} is not a version of model files that this library reads, which is {VERSION}");
        return Err(root.refuse("pintle_model", detail));
    }
    // Elements of beams are described by these.
    let elements = EntityKind::FORCES.map(EntityKind::name);
    let elements: Vec<&str> = elements.into_iter().filter(|name| *name != EntityKind::BeamElement.name()).collect();
    root.only(
        &[
            &BEFORE_ELEMENTS[..],
            &elements,
            &["marker", "gear", "clutch", "line_type", "line", "line_joint", "line_failure", "input", "shape"],
        ]
        .concat(),
    )?;
    let mut system = Simulation::new();
    if let Some(gravity) = root.get("gravity")? {
        root.check("gravity", system.settings().set_gravity(&gravity))?;
    }
    system.load_settings(&root)?;
    lines::load_environment(&mut system, &root)?;
    for table in root.tables("body", &[&BODY[..], &PLACEMENT].concat())? {
        system.load_body(&table)?;
    }
    beams::load(&mut system, &root)?;
    if root.has("openfast_platform") {
        let body = system.load_end(&root, "openfast_platform")?;
        let count = system.description().count(EntityKind::Body);
        system
            .settings()
            .set_openfast_platform(body)
            .map_err(|_| root.refuse("openfast_platform", format!("{body} is not a body: the model has {count}")))?;
    }
    for table in root.tables("joint", &JOINT)? {
        system.load_joint(&table)?;
    }
    for table in root.tables("point", &POINT)? {
        system.load_point(&table)?;
    }
    elements::load(&mut system, &root)?;
    for table in root.tables("marker", &MARKER)? {
        system.load_marker(&table)?;
    }
    for table in root.tables("gear", &GEAR)? {
        system.load_gear(&table)?;
    }
    for table in root.tables("clutch", &CLUTCH)? {
        system.load_clutch(&table)?;
    }
    lines::load(&mut system, &root)?;
    inputs::load(&mut system, &root, path)?;
    shapes::load(&mut system, &root)?;
    // Their names contain points and lines.
    for name in root.get::<Vec<&str>>("moordyn_channels")?.unwrap_or_default() {
        root.check("moordyn_channels", system.settings().add_moordyn_channel(name))?;
    }
    Ok(system)
}

impl Simulation {
    fn load_settings(&mut self, root: &Table) -> Result<()> {
        let known: Vec<&str> = ["scheme"].into_iter().chain(OPTION_KEYS).collect();
        // Poses of files by hand have few digits. `save` writes every option, this one too.
        self.settings().set_option("assemble", 1.0)?;
        let Some(table) = root.table("settings", &known)? else { return Ok(()) };
        if let Some(name) = table.get("scheme")? {
            table.check("scheme", self.settings().set_scheme(name))?;
        }
        for key in OPTION_KEYS {
            if let Some(value) = table.get(key)? {
                table.check(key, self.settings().set_option(key, value))?;
            }
        }
        Ok(())
    }

    fn load_body(&mut self, table: &Table) -> Result<()> {
        let body = self.load_inertia(table)?;
        self.load_name(table, EntityKind::Body, body)?;
        if let Some(velocity) = table.get("velocity")? {
            table.check("velocity", self.build().set_body_velocity(body, &velocity))?;
        }
        if let Some(acceleration) = table.get("acceleration")? {
            table.check("acceleration", self.build().set_body_acceleration(body, &acceleration))?;
        }
        if let Some(prescribed) = table.get("prescribed")? {
            table.check("prescribed", self.build().set_body_prescribed(body, prescribed))?;
        }
        if let Some(motion) = table.table("motion", &["pose", "velocity", "acceleration"])? {
            let (pose, velocity) = (motion.pose("pose")?, motion.require("velocity")?);
            let acceleration = motion.require("acceleration")?;
            blame(table, &motion, self.inputs().set_body_motion(body, &pose, &velocity, &acceleration))?;
        }
        if let Some((load, frame, wrench)) = load(table)? {
            load.check("wrench", self.inputs().set_body_load(body, frame, &wrench))?;
        }
        self.load_fluid(table, body, "added_mass", HostSettings::set_added_mass)?;
        self.load_fluid(table, body, "linear_damping", HostSettings::set_linear_damping)?;
        self.load_fluid(table, body, "quadratic_drag", HostSettings::set_quadratic_drag)?;
        if let Some(part) = table.table("in_water", &["volume", "centre"])? {
            let (volume, centre) = (part.get("volume")?.unwrap_or(0.0), part.get("centre")?.unwrap_or([0.0; 3]));
            let part_in_water = Some(InWater { volume, centre: centre.into() });
            part.check("volume", self.settings().set_body_in_water(body, part_in_water))?;
        }
        Ok(())
    }

    /// Adds the body; the file has one of three ways to describe its inertia.
    fn load_inertia(&mut self, table: &Table) -> Result<Id> {
        let pose = table.own_pose()?;
        if let Some(Matrix(matrix)) = table.get("mass_matrix")? {
            for key in ["mass", "com", "inertia", "inertia_about_reference"] {
                table.either("mass_matrix", key)?;
            }
            return table.check("mass_matrix", self.build().add_body(&matrix, &pose));
        }
        let (mass, com) = (table.require("mass")?, table.get("com")?.unwrap_or([0.0; 3]));
        table.either("inertia", "inertia_about_reference")?;
        match table.get("inertia_about_reference")? {
            Some(inertia) => table.check("mass", self.build().add_body_about_reference(mass, &com, &inertia, &pose)),
            None => {
                let inertia = table.require("inertia")?;
                table.check("mass", self.build().add_rigid_body(mass, &com, &inertia, &pose))
            }
        }
    }

    fn load_fluid<'s>(
        &'s mut self,
        body: &Table,
        id: Id,
        key: &str,
        set: fn(&mut HostSettings<'s>, Id, &[f64; 36], Frame) -> Result<()>,
    ) -> Result<()> {
        let Some(table) = body.table(key, &["frame", "matrix"])? else { return Ok(()) };
        let Matrix(matrix) = table.require("matrix")?;
        table.check("matrix", set(&mut self.settings(), id, &matrix, frame(&table)?))
    }

    fn load_joint(&mut self, table: &Table) -> Result<()> {
        let kind = table.check("kind", JointKind::from_name(table.require("kind")?))?;
        let (a, b) = (self.load_end(table, "body_a")?, self.load_end(table, "body_b")?);
        for frame in ["frame_a", "frame_b"] {
            table.either(frame, "point")?;
            table.either(frame, "axis")?;
        }
        let joint = if table.has("point") || table.has("axis") {
            let (point, axis) = (table.require("point")?, table.get("axis")?);
            self.build().add_joint_at(kind, a, b, &point, axis.as_ref())
        } else {
            self.build().add_joint(kind, a, b, &table.pose("frame_a")?, &table.pose("frame_b")?)
        };
        let joint = table.check("kind", joint)?;
        self.load_name(table, EntityKind::Joint, joint)?;
        if let Some(pitch) = table.get("pitch")? {
            table.check("pitch", self.build().set_joint_pitch(joint, pitch))?;
        }
        if let Some(radius) = table.get("radius")? {
            table.check("radius", set_joint_radius(self, joint, radius))?;
        }
        if let Some(offset) = table.get("offset")? {
            table.check("offset", self.build().set_joint_offset(joint, offset))?;
        }
        if let Some(driven) = table.get("driven")? {
            table.check("driven", self.build().set_joint_driven(joint, driven))?;
        }
        if let Some([q, qd, qdd]) = table.get::<[f64; 3]>("motion")? {
            table.check("motion", self.inputs().set_joint_motion(joint, q, qd, qdd))?;
        }
        self.load_joint_spring(table, joint, "spring", Build::set_joint_spring)?;
        if let Some(force) = table.get("load")? {
            table.check("load", self.inputs().set_joint_load(joint, force))?;
        }
        if let Some(driven) = table.get("slide_driven")? {
            table.check("slide_driven", self.build().set_joint_slide_driven(joint, driven))?;
        }
        if let Some([s, sd, sdd]) = table.get::<[f64; 3]>("slide_motion")? {
            table.check("slide_motion", self.inputs().set_joint_slide_motion(joint, s, sd, sdd))?;
        }
        self.load_joint_spring(table, joint, "slide_spring", Build::set_joint_slide_spring)?;
        if let Some(force) = table.get("slide_load")? {
            table.check("slide_load", self.inputs().set_joint_slide_load(joint, force))?;
        }
        for slide in [false, true] {
            self.load_machine(table, (joint, slide))?;
        }
        let keys = ["strength_force", "strength_moment"];
        if let Some(key) = keys.into_iter().find(|key| table.has(key)) {
            let number = |key| Ok::<f64, Error>(table.get(key)?.unwrap_or(f64::INFINITY));
            let [force, moment] = [number(keys[0])?, number(keys[1])?];
            let key = if moment >= 0.0 { key } else { keys[1] };
            table.check(key, set_joint_strength(self, joint, force, moment))?;
        }
        Ok(())
    }

    fn load_machine(&mut self, joint: &Table, of: (Id, bool)) -> Result<()> {
        let [spring, damper, friction, brake, stop] = match of.1 {
            false => ["spring_table", "damper", "friction", "brake", "stop"],
            true => ["slide_spring_table", "slide_damper", "slide_friction", "slide_brake", "slide_stop"],
        };
        for [coordinate, force] in joint.get::<Vec<[f64; 2]>>(spring)?.unwrap_or_default() {
            joint.check(spring, self.build().add_joint_spring_point(of, coordinate, force))?;
        }
        for [rate, force] in joint.get::<Vec<[f64; 2]>>(damper)?.unwrap_or_default() {
            joint.check(damper, self.build().add_joint_damper_point(of, rate, force))?;
        }
        let keys = ["kinetic", "holding", "viscous", "quadratic", "slip", "axial", "radial", "bending", "static_ratio"];
        if let Some(table) = joint.table(friction, &keys)? {
            let kinetic = table.get("kinetic")?.unwrap_or(0.0);
            let number = |key| Ok::<f64, Error>(table.get(key)?.unwrap_or(0.0));
            let holding = table.get("holding")?.unwrap_or(kinetic);
            let numbers = [kinetic, holding, number("viscous")?, number("quadratic")?, number("slip")?];
            table.check("kinetic", self.build().set_joint_friction(of, numbers))?;
            if let Some(key) = keys[5..].iter().find(|key| table.has(key)) {
                let [axial, radial, bending] = [number("axial")?, number("radial")?, number("bending")?];
                let static_ratio = table.get("static_ratio")?.unwrap_or(1.0);
                let load = FrictionLoad { axial, radial, bending, static_ratio };
                table.check(key, set_joint_friction_load(self, of, load))?;
            }
        }
        if let Some(capacity) = joint.get(brake)? {
            joint.check(brake, self.inputs().set_joint_brake(of.0, of.1, capacity))?;
        }
        if let Some(table) = joint.table(stop, &STOP)? {
            let (bounds, law, numbers) = stop_of(&table)?;
            table.check("stiffness", self.build().set_joint_stop(of, bounds, law, numbers))?;
        }
        Ok(())
    }

    fn load_joint_spring<'s>(
        &'s mut self,
        joint: &Table,
        id: Id,
        key: &str,
        set: fn(&mut Build<'s>, Id, f64, f64, f64) -> Result<()>,
    ) -> Result<()> {
        let Some(spring) = joint.table(key, &["stiffness", "damping", "rest"])? else { return Ok(()) };
        let (stiffness, damping) = (spring.require("stiffness")?, spring.get("damping")?.unwrap_or(0.0));
        let rest = spring.get("rest")?.unwrap_or(0.0);
        spring.check("stiffness", set(&mut self.build(), id, stiffness, damping, rest))
    }

    fn load_marker(&mut self, table: &Table) -> Result<()> {
        let (body, frame) = (self.load_end(table, "body")?, table.pose("frame")?);
        let marker = table.check("body", self.build().add_marker(body, &frame))?;
        self.load_name(table, EntityKind::Marker, marker)?;
        if let Some((load, frame, wrench)) = load(table)? {
            load.check("wrench", self.inputs().set_marker_load(marker, frame, &wrench))?;
        }
        Ok(())
    }

    fn load_gear(&mut self, table: &Table) -> Result<()> {
        if table.has("joints") {
            let of_two = ["joint_a", "joint_b", "ratio"].into_iter().find(|key| table.has(key));
            if let Some(key) = of_two {
                return Err(table.refuse(key, "a gear has joint_a, joint_b and ratio, or joints and coefficients"));
            }
            let ends: Vec<End> = table.require("joints")?;
            let joint = |end| self.find_id(table, "joints", EntityKind::Joint, end);
            let joints = ends.into_iter().map(joint).collect::<Result<Vec<Id>>>()?;
            let coefficients: Vec<f64> = table.require("coefficients")?;
            let gear = table.check("coefficients", self.elements().add_coupling(&joints, &coefficients))?;
            return self.load_name(table, EntityKind::Gear, gear);
        }
        let (a, b) =
            (self.load_id(table, "joint_a", EntityKind::Joint)?, self.load_id(table, "joint_b", EntityKind::Joint)?);
        let gear = table.check("ratio", self.elements().add_gear(a, b, table.require("ratio")?))?;
        self.load_name(table, EntityKind::Gear, gear)
    }

    fn load_clutch(&mut self, table: &Table) -> Result<()> {
        let a = self.load_id(table, "joint_a", EntityKind::Joint)?;
        let b = self.load_id(table, "joint_b", EntityKind::Joint)?;
        let slides = [table.get("slide_a")?.unwrap_or(false), table.get("slide_b")?.unwrap_or(false)];
        let number = |key, default| Ok::<f64, Error>(table.get(key)?.unwrap_or(default));
        let numbers = [number("ratio", 1.0)?, number("static_ratio", 1.0)?, number("slip", 0.0)?];
        let capacities = [number("capacity_back", 0.0)?, number("capacity_forth", 0.0)?];
        let clutch = add_clutch(self, [(a, slides[0]), (b, slides[1])], numbers, capacities);
        let clutch = table.check("joint_b", clutch)?;
        if let Some(stop) = table.table("stop", &STOP)? {
            let (bounds, law, numbers) = stop_of(&stop)?;
            stop.check("stiffness", set_clutch_stop(self, clutch, bounds, law, numbers))?;
        }
        self.load_name(table, EntityKind::Clutch, clutch)
    }

    pub(super) fn load_name(&mut self, table: &Table, kind: EntityKind, id: Id) -> Result<()> {
        match table.get("name")? {
            Some(name) => table.check("name", self.build().set_name(kind, id, name)),
            None => Ok(()),
        }
    }

    fn load_point(&mut self, table: &Table) -> Result<()> {
        let (mass, volume) = (table.get("mass")?.unwrap_or(0.0), table.get("volume")?.unwrap_or(0.0));
        let position: [f64; 3] = table.require("position")?;
        let point = table.check("position", self.build().add_point(mass, volume, &position))?;
        self.load_name(table, EntityKind::Point, point)?;
        if table.has("body") {
            let body = self.load_id(table, "body", EntityKind::Body)?;
            table.check("body", self.build().attach_point(point, body, &position))?;
        }
        if table.get("fixed")?.unwrap_or(false) {
            table.check("fixed", self.build().fix_point(point))?;
        }
        if table.get("prescribed")?.unwrap_or(false) {
            table.check("prescribed", self.build().set_point_prescribed(point, true))?;
        }
        // After its support, which may forbid a velocity.
        if let Some(velocity) = table.get("velocity")? {
            table.check("velocity", self.build().set_point_velocity(point, &velocity))?;
        }
        if table.has("cda") || table.has("ca") {
            let (cda, ca) = (table.get("cda")?.unwrap_or(0.0), table.get("ca")?.unwrap_or(0.0));
            table.check("cda", self.build().set_point_drag(point, cda, ca))?;
        }
        if let Some(load) = table.get("load")? {
            table.check("load", self.inputs().set_point_load(point, &load))?;
        }
        if let Some(motion) = table.table("motion", &["position", "velocity", "acceleration"])? {
            let (position, velocity) = (motion.require("position")?, motion.require("velocity")?);
            let acceleration = motion.require("acceleration")?;
            blame(table, &motion, self.inputs().set_point_motion(point, &position, &velocity, &acceleration))?;
        }
        Ok(())
    }

    /// The body under a key. Errors: `Format` if there is no body of that name.
    pub(super) fn load_end(&self, table: &Table, key: &str) -> Result<Id> {
        self.find_end(table, key, table.require(key)?)
    }

    /// The body that a value of a key names. Errors: as [`Simulation::load_end`].
    pub(super) fn find_end(&self, table: &Table, key: &str, end: End) -> Result<Id> {
        match end {
            End::Name("ground") => Ok(GROUND),
            end => self.find_id(table, key, EntityKind::Body, end),
        }
    }

    /// The id of an entity of a kind under a key, by its name or its id. Errors: `Format` if there
    /// is no entity of that name.
    pub(super) fn load_id(&self, table: &Table, key: &str, kind: EntityKind) -> Result<Id> {
        self.find_id(table, key, kind, table.require(key)?)
    }

    /// The id of an entity that the value of a key has.
    pub(super) fn find_id(&self, table: &Table, key: &str, kind: EntityKind, end: End) -> Result<Id> {
        match end {
            End::Id(id) => Ok(id),
            End::Name(name) => self.description().find(kind, name).map_err(|error| match error {
                Error::BadValue { detail, .. } => table.refuse(key, detail),
                other => other,
            }),
        }
    }
}

/// Locates the error in a motion: at a number in it, or at the whole motion if it is not allowed.
fn blame<T>(entity: &Table, motion: &Table, outcome: Result<T>) -> Result<T> {
    outcome.map_err(|cause| match cause.argument() {
        Some(argument) if motion.has(argument) => motion.refused(argument, cause),
        _ => entity.refused("motion", cause),
    })
}

/// `load = { frame = ..., wrench = [...] }`.
fn load<'d>(entity: &Table<'d>) -> Result<Option<(Table<'d>, Frame, [f64; 6])>> {
    let Some(table) = entity.table("load", &["frame", "wrench"])? else { return Ok(None) };
    let (frame, wrench) = (frame(&table)?, table.require("wrench")?);
    Ok(Some((table, frame, wrench)))
}

fn frame(table: &Table) -> Result<Frame> {
    table.check("frame", Frame::from_name(table.require("frame")?))
}

/// The numbers of stops: bounds, law, and stiffness, damping and restitution.
fn stop_of(table: &Table) -> Result<([f64; 2], i32, [f64; 3])> {
    let number = |key, default| Ok::<f64, Error>(table.get(key)?.unwrap_or(default));
    let bounds = [number("lower", f64::NEG_INFINITY)?, number("upper", f64::INFINITY)?];
    table.require::<&str>("law")?;
    let law = table.choice("law", &StopLaw::ALL.map(StopLaw::name))?.unwrap_or_default();
    Ok((bounds, law as i32, [table.require("stiffness")?, number("damping", 0.0)?, number("restitution", 0.0)?]))
}
