//! From a system to the text of a model file, which gives the same system bit for bit. Defaults are
//! left out, except for settings, whose defaults may change with the version.

use super::text::{File, frame_name, pose, vector, vector6};
use super::{beams, elements, inputs, lines, shapes};
use crate::elements::InWater;
use crate::elements::machine::{Friction, Machine};
use crate::elements::stop::Stop;
use crate::model::file::{VERSION, writer};
use crate::model::{
    Body, Clutch, EntityKind, FrameMatrix, Gear, Hydrodynamics, Joint, JointLoad, JointSpring, Load, Loads, Marker,
    OPTION_KEYS, Support,
};
use crate::simulation::Simulation;
use crate::spatial::inertia::entries;
use crate::spatial::{BodyState, RigidInertia, Vec6};
use writer::{number, numbers};

const HEAD: &str = "\
# A model of pintle (docs/hosts.md lists the keys).
# pose, frame_a, frame_b, frame: x y z, then unit quaternion w x y z. velocity, acceleration, wrench: linear, then angular.
# inertia: xx yy zz xy xz yz. Matrices act on (translation, rotation): 6 rows, or the 6 numbers of a diagonal.
";

/// The file.
pub(super) fn text(system: &Simulation) -> String {
    let mut file = File::new(system, HEAD);
    file.entry("pintle_model", VERSION);
    file.entry("gravity", vector(&system.model.gravity));
    if let Some(body) = system.model.openfast_platform {
        file.entry("openfast_platform", file.end(Some(body)));
    }
    if !system.model.outputs.is_empty() {
        let names = system.model.outputs.iter().map(|output| writer::text(&output.name)).collect::<Vec<_>>();
        file.entry("moordyn_channels", format!("[{}]", names.join(", ")));
    }
    file.settings();
    lines::save_environment(&mut file);
    let (model, loads) = (&system.model, described_loads(system));
    for (index, body) in model.bodies.iter().enumerate() {
        file.body(index, body, loads);
    }
    beams::save(&mut file, loads);
    for (index, joint) in model.joints.iter().enumerate() {
        file.joint(index, joint, [&loads.joints[index], &loads.slides[index]]);
    }
    file.points(loads);
    elements::save(&mut file);
    for (index, (marker, load)) in model.markers.iter().zip(&loads.markers).enumerate() {
        file.marker(index, marker, load);
    }
    for (index, gear) in model.gears.iter().enumerate() {
        file.gear(index, gear);
    }
    for (index, (clutch, capacities)) in model.clutches.iter().zip(&loads.clutches).enumerate() {
        file.clutch(index, clutch, *capacities);
    }
    lines::save(&mut file);
    inputs::save(&mut file);
    shapes::save(&mut file);
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

impl File<'_> {
    fn settings(&mut self) {
        let inputs = &self.system.inputs;
        self.line("\n[settings]");
        self.entry("scheme", writer::text(&self.system.given().scheme()));
        for (key, value) in OPTION_KEYS.iter().zip(inputs.settings.values()) {
            // Switches and counts without a decimal point; the sign of zero does not matter to
            // them.
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
        if let Some(InWater { volume, centre }) = &body.in_water {
            self.line("[body.in_water]");
            self.entry("volume", number(*volume));
            self.entry("centre", numbers(centre.as_slice()));
        }
    }

    fn inertia(&mut self, inertia: &RigidInertia) {
        let (com, kept): ([f64; 3], _) = (inertia.eta.into(), entries(&inertia.inertia));
        // The stored inertia is about the reference point; if that is the centre of mass, both are
        // the same.
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
        if joint.radius != 0.0 {
            self.entry("radius", number(joint.radius));
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
        // Clearing all loads marks loads as given also for joints that cannot have any.
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
        let keys = ["spring_table", "slide_spring_table", "damper", "slide_damper"];
        let tables = joint.spring_tables.iter().chain(&joint.dampers).zip(keys);
        for (points, key) in tables.filter(|(points, _)| !points.is_empty()) {
            let points: Vec<String> = points.iter().map(|point| numbers(point)).collect();
            self.entry(key, format!("[{}]", points.join(", ")));
        }
        for ((machine, load), prefix) in joint.machines.iter().zip([load, slide]).zip(["", "slide_"]) {
            self.machine(machine, load.brake, prefix);
        }
        for (strength, key) in joint.strength.into_iter().zip(["strength_force", "strength_moment"]) {
            if strength != f64::INFINITY {
                self.entry(key, number(strength));
            }
        }
    }

    fn machine(&mut self, Machine { friction, stop }: &Machine, brake: f64, prefix: &str) {
        if let Some(Friction { kinetic, holding, viscous, quadratic, slip, load, .. }) = friction {
            let keys = ["kinetic", "holding", "viscous", "quadratic", "slip"];
            let mut entries: Vec<_> = keys.into_iter().zip([*kinetic, *holding, *viscous, *quadratic, *slip]).collect();
            if load.is_any() {
                let keys = ["axial", "radial", "bending", "static_ratio"];
                entries.extend(keys.into_iter().zip([load.axial, load.radial, load.bending, load.static_ratio]));
            }
            let entries: Vec<_> =
                entries.into_iter().map(|(key, value)| format!("{key} = {}", number(value))).collect();
            self.entry(&format!("{prefix}friction"), format!("{{ {} }}", entries.join(", ")));
        }
        if brake != 0.0 {
            self.entry(&format!("{prefix}brake"), number(brake));
        }
        self.stop(&format!("{prefix}stop"), stop);
    }

    fn stop(&mut self, key: &str, stop: &Option<Stop>) {
        if let Some(Stop { bounds, law, stiffness, damping, restitution, .. }) = stop {
            let [lower, upper] = bounds.map(number);
            let [stiffness, damping, restitution] = [*stiffness, *damping, *restitution].map(number);
            let law = writer::text(law.name());
            let table = format!(
                "{{ lower = {lower}, upper = {upper}, law = {law}, stiffness = {stiffness}, damping = {damping}, restitution = {restitution} }}"
            );
            self.entry(key, table);
        }
    }

    fn joint_spring(&mut self, key: &str, spring: &Option<JointSpring>) {
        if let Some(spring) = spring {
            let [stiffness, damping, rest] = [spring.stiffness, spring.damping, spring.rest].map(number);
            self.entry(key, format!("{{ stiffness = {stiffness}, damping = {damping}, rest = {rest} }}"));
        }
    }

    fn marker(&mut self, index: usize, marker: &Marker, load: &Load) {
        self.entity(EntityKind::Marker, index);
        self.entry("body", self.end(Some(marker.body)));
        self.entry("frame", pose(&marker.frame));
        self.load(load);
    }

    fn gear(&mut self, index: usize, gear: &Gear) {
        self.entity(EntityKind::Gear, index);
        let of = |joint: usize| self.joint_name(joint);
        if let Some((joints, ratio)) = gear.two() {
            let [a, b] = joints.map(of);
            self.entry("joint_a", a);
            self.entry("joint_b", b);
            self.entry("ratio", number(ratio));
            return;
        }
        let joints = gear.joints.iter().map(|joint| of(*joint)).collect::<Vec<_>>().join(", ");
        self.entry("joints", format!("[{joints}]"));
        self.entry("coefficients", numbers(&gear.coefficients));
    }

    fn joint_name(&self, joint: usize) -> String {
        self.system.model.names.of(EntityKind::Joint, joint).map_or_else(|| joint.to_string(), writer::text)
    }

    fn clutch(&mut self, index: usize, clutch: &Clutch, [back, forth]: [f64; 2]) {
        self.entity(EntityKind::Clutch, index);
        let keys = [["joint_a", "slide_a"], ["joint_b", "slide_b"]];
        for ((joint, which), [joint_key, slide_key]) in clutch.coordinates.into_iter().zip(keys) {
            self.entry(joint_key, self.joint_name(joint));
            if which == 1 {
                self.entry(slide_key, true);
            }
        }
        let Clutch { ratio, static_ratio, slip, stop, .. } = clutch;
        let keys = ["ratio", "capacity_back", "capacity_forth", "static_ratio", "slip"];
        for (key, value) in keys.into_iter().zip([*ratio, back, forth, *static_ratio, *slip]) {
            self.entry(key, number(value));
        }
        self.stop("stop", stop);
    }

    fn points(&mut self, loads: &Loads) {
        for (index, point) in self.system.model.points.iter().enumerate() {
            self.entity(EntityKind::Point, index);
            self.entry("mass", number(point.mass));
            self.entry("volume", number(point.volume));
            self.entry("position", vector(&point.position));
            match point.support {
                Support::Free | Support::Waiting => {}
                Support::Fixed => self.entry("fixed", true),
                Support::Prescribed => self.entry("prescribed", true),
                Support::Attached(body) => self.entry("body", self.named(EntityKind::Body, body)),
            }
            if point.velocity.iter().any(|x| x.to_bits() != 0) {
                self.entry("velocity", vector(&point.velocity));
            }
            if [point.cda, point.ca].map(f64::to_bits) != [0; 2] {
                self.entry("cda", number(point.cda));
                self.entry("ca", number(point.ca));
            }
            let load = &loads.points[index];
            if load.given {
                self.entry("load", vector(&load.force));
            }
            if let (Support::Prescribed, Some(motion)) = (point.support, &loads.point_motions[index]) {
                self.line("[point.motion]");
                let linear = |v: &Vec6| vector(&v.fixed_rows::<3>(0).into());
                self.entry("position", vector(&motion.x));
                self.entry("velocity", linear(&motion.v));
                self.entry("acceleration", linear(&motion.vdot));
            }
        }
    }
}

fn is_zero(values: &[f64]) -> bool {
    values.iter().all(|x| *x == 0.0)
}

/// Whether it differs from the default, including the sign of zero.
fn is_set(v: &Vec6) -> bool {
    v.iter().any(|x| x.to_bits() != 0)
}
