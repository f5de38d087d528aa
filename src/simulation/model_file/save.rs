//! From a system to the text of a model file, which gives the same system bit for bit. What is as if never said is left
//! out, but for the settings: defaults may change with the version.

use crate::model::file::{VERSION, writer};
use crate::model::{
    Body, Bushing, EntityKind, Frame, FrameMatrix, Gear, Hydrodynamics, Joint, JointLoad, JointSpring, Load, Loads,
    Marker, OPTION_KEYS, Spring,
};
use crate::simulation::Simulation;
use crate::spatial::inertia::entries;
use crate::spatial::{BodyState, Pose, RigidInertia, Vec3, Vec6};
use writer::{number, numbers};

const HEAD: &str = "\
# A model of pintle (docs/hosts.md lists the keys).
# pose, frame_a, frame_b, frame: x y z, then unit quaternion w x y z. velocity, acceleration, wrench: linear, then angular.
# inertia: xx yy zz xy xz yz. Matrices act on (translation, rotation): 6 rows, or the 6 numbers of a diagonal.
";

/// The file.
pub(super) fn text(system: &Simulation) -> String {
    let mut file = File { system, text: HEAD.to_owned() };
    file.entry("pintle_model", VERSION);
    file.entry("gravity", vector(&system.model.gravity));
    file.settings();
    let (model, loads) = (&system.model, described_loads(system));
    for (index, body) in model.bodies.iter().enumerate() {
        file.body(index, body, loads);
    }
    for (index, joint) in model.joints.iter().enumerate() {
        file.joint(index, joint, [&loads.joints[index], &loads.slides[index]]);
    }
    for (index, spring) in model.springs.iter().enumerate() {
        file.spring(index, spring);
    }
    for (index, bushing) in model.bushings.iter().enumerate() {
        file.bushing(index, bushing);
    }
    for (index, (marker, load)) in model.markers.iter().zip(&loads.markers).enumerate() {
        file.marker(index, marker, load);
    }
    for (index, gear) in model.gears.iter().enumerate() {
        file.gear(index, gear);
    }
    for callback in system.callbacks.active() {
        let bodies: Vec<String> = callback.bodies.iter().map(usize::to_string).collect();
        file.line(&format!(
            "\n# The coupled load callback of bodies {} is not part of a model file: set it again.",
            bodies.join(", ")
        ));
    }
    file.text
}

/// Loads and motions for the initial time: later ones belong to the run.
fn described_loads(system: &Simulation) -> &Loads {
    system.run.as_ref().map_or(&system.inputs.loads, |run| &run.described_loads)
}

struct File<'s> {
    system: &'s Simulation,
    text: String,
}

impl File<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn entry(&mut self, key: &str, value: impl std::fmt::Display) {
        self.line(&format!("{key} = {value}"));
    }

    /// The head of an entity, and its name if it has one.
    fn entity(&mut self, kind: EntityKind, index: usize) {
        self.line(&format!("\n[[{}]] # {index}", kind.name()));
        if let Some(name) = self.system.model.names.of(kind, index) {
            self.entry("name", writer::text(name));
        }
    }

    fn settings(&mut self) {
        let inputs = &self.system.inputs;
        self.line("\n[settings]");
        self.entry("scheme", writer::text(&self.system.scheme()));
        for (key, value) in OPTION_KEYS.iter().zip(inputs.settings.values()) {
            // Switches and counts without a point; the sign of zero does not matter to them.
            self.entry(key, if value.fract() == 0.0 { (value + 0.0).to_string() } else { number(*value) });
        }
    }

    fn body(&mut self, index: usize, body: &Body, loads: &Loads) {
        self.entity(EntityKind::Body, index);
        self.inertia(&body.inertia);
        self.entry("pose", pose(&body.pose));
        for (key, value) in [("velocity", &body.velocity), ("acceleration", &body.acceleration)] {
            if is_set(value) {
                self.entry(key, vector6(value));
            }
        }
        if body.prescribed {
            self.entry("prescribed", true);
        }
        self.load(&loads.bodies[index]);
        if self.system.callbacks.bodies[index].is_some() {
            self.line("# Its load callback is not part of a model file: set it again.");
        }
        if let Some(motion) = &loads.motions[index] {
            self.motion(motion);
        }
        let Hydrodynamics { added_mass, linear_damping, quadratic_drag } = self.system.inputs.hydrodynamics[index];
        self.fluid("added_mass", &added_mass);
        self.fluid("linear_damping", &linear_damping);
        self.fluid("quadratic_drag", &quadratic_drag);
    }

    fn inertia(&mut self, inertia: &RigidInertia) {
        let (com, kept): ([f64; 3], _) = (inertia.eta.into(), entries(&inertia.inertia));
        // What is kept is the inertia about the reference point; if the centre of mass is there, both are the same.
        let centred = is_zero(&com)
            && RigidInertia::from_com(inertia.mass, &com, &kept)
                .is_ok_and(|same| entries(&same.inertia).map(f64::to_bits) == kept.map(f64::to_bits));
        self.entry("mass", number(inertia.mass));
        self.entry("com", numbers(&com));
        self.entry(if centred { "inertia" } else { "inertia_about_reference" }, numbers(&kept));
    }

    fn motion(&mut self, motion: &BodyState) {
        self.line("[body.motion]");
        self.entry("pose", pose(&motion.pose()));
        self.entry("velocity", vector6(&motion.v));
        self.entry("acceleration", vector6(&motion.vdot));
    }

    fn fluid(&mut self, key: &str, matrix: &Option<FrameMatrix>) {
        if let Some(FrameMatrix { matrix, frame }) = matrix {
            self.line(&format!("[body.{key}]"));
            self.entry("frame", frame_name(*frame));
            self.entry("matrix", writer::matrix(matrix));
        }
    }

    fn load(&mut self, load: &Load) {
        if load.given {
            let (frame, wrench) = (frame_name(load.frame), vector6(&load.wrench));
            self.entry("load", format!("{{ frame = {frame}, wrench = {wrench} }}"));
        }
    }

    fn joint(&mut self, index: usize, joint: &Joint, [load, slide]: [&JointLoad; 2]) {
        self.entity(EntityKind::Joint, index);
        self.entry("kind", writer::text(&joint.kind.name().to_ascii_lowercase()));
        self.ends(joint.body_a, joint.body_b);
        self.entry("frame_a", pose(&joint.frame_a));
        self.entry("frame_b", pose(&joint.frame_b));
        if joint.pitch != 0.0 {
            self.entry("pitch", number(joint.pitch));
        }
        if joint.offset.to_bits() != 0 {
            self.entry("offset", number(joint.offset));
        }
        if joint.driven {
            self.entry("driven", true);
        }
        if let Some(motion) = &load.drive {
            self.entry("motion", numbers(motion));
        }
        self.joint_spring("spring", &joint.spring);
        // Clearing all loads gives one to joints too that can have none.
        if load.given && joint.kind.coordinate().is_some() {
            self.entry("load", number(load.force));
        }
        if joint.slide_driven {
            self.entry("slide_driven", true);
        }
        if let Some(motion) = &slide.drive {
            self.entry("slide_motion", numbers(motion));
        }
        self.joint_spring("slide_spring", &joint.slide_spring);
        if slide.given && joint.kind.has_free_slide() {
            self.entry("slide_load", number(slide.force));
        }
    }

    fn joint_spring(&mut self, key: &str, spring: &Option<JointSpring>) {
        if let Some(spring) = spring {
            let [stiffness, damping, rest] = [spring.stiffness, spring.damping, spring.rest].map(number);
            self.entry(key, format!("{{ stiffness = {stiffness}, damping = {damping}, rest = {rest} }}"));
        }
    }

    fn spring(&mut self, index: usize, spring: &Spring) {
        self.entity(EntityKind::Spring, index);
        self.ends(spring.body_a, spring.body_b);
        self.entry("point_a", vector(&spring.point_a));
        self.entry("point_b", vector(&spring.point_b));
        self.entry("stiffness", number(spring.stiffness));
        self.entry("damping", number(spring.damping));
        self.entry("rest_length", number(spring.rest_length));
        if spring.tension_only {
            self.entry("tension_only", true);
        }
    }

    fn bushing(&mut self, index: usize, bushing: &Bushing) {
        self.entity(EntityKind::Bushing, index);
        self.ends(bushing.body_a, bushing.body_b);
        self.entry("frame_a", pose(&bushing.frame_a));
        self.entry("frame_b", pose(&bushing.frame_b));
        self.entry("stiffness", writer::matrix(&bushing.stiffness));
        self.entry("damping", writer::matrix(&bushing.damping));
    }

    fn marker(&mut self, index: usize, marker: &Marker, load: &Load) {
        self.entity(EntityKind::Marker, index);
        self.entry("body", self.end(Some(marker.body)));
        self.entry("frame", pose(&marker.frame));
        self.load(load);
    }

    fn gear(&mut self, index: usize, gear: &Gear) {
        self.entity(EntityKind::Gear, index);
        for (key, joint) in ["joint_a", "joint_b"].into_iter().zip(gear.joints) {
            let name = self.system.model.names.of(EntityKind::Joint, joint);
            self.entry(key, name.map_or_else(|| joint.to_string(), writer::text));
        }
        self.entry("ratio", number(gear.ratio));
    }

    fn ends(&mut self, body_a: Option<usize>, body_b: Option<usize>) {
        self.entry("body_a", self.end(body_a));
        self.entry("body_b", self.end(body_b));
    }

    /// The name of a body if it has one that is not the ground's, else its id.
    fn end(&self, body: Option<usize>) -> String {
        let Some(index) = body else { return writer::text("ground") };
        let name = self.system.model.names.of(EntityKind::Body, index).filter(|name| *name != "ground");
        name.map_or_else(|| index.to_string(), writer::text)
    }
}

fn frame_name(frame: Frame) -> String {
    writer::text(frame.name())
}

fn pose(pose: &Pose) -> String {
    numbers(&pose.to_array())
}

fn vector(v: &Vec3) -> String {
    numbers(v.as_slice())
}

fn vector6(v: &Vec6) -> String {
    numbers(v.as_slice())
}

fn is_zero(values: &[f64]) -> bool {
    values.iter().all(|x| *x == 0.0)
}

/// Whether it differs from what it is when nothing was said, sign of zero included.
fn is_set(v: &Vec6) -> bool {
    v.iter().any(|x| x.to_bits() != 0)
}
