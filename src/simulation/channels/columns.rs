//! The channels of one entity, kind by kind: suffix of the name, unit, and the function that reads
//! the value. A new channel is a line in one of these lists; [`lists`] has the lists of each kind.
//! Force elements have theirs in their own files.
//!
//! Values are read from the results of the getters of `simulation::outputs`, so that both are equal
//! to the last bit.
//!
//! Units are SI symbols for the dimension: a host that computes in mm and tonnes reads "m" as its
//! unit of length. Angles are in rad, except under OpenFAST's names.
//!
//! No suffix is the end of another after a dot (`slide_rate`, not `slide.rate`, because there is
//! `rate`). So channels of entities with different labels have different names, even if the labels
//! contain dots.

use crate::elements::OutputNames;
use crate::error::{Error, Result};
use crate::model::{Coordinate, EntityKind, Joint, Model, Point, Support};
use crate::spatial::Vec6;

/// One channel of an entity whose outputs are a `T`.
pub(super) struct Column<T: 'static> {
    suffix: &'static str,
    unit: &'static str,
    value: fn(&T) -> f64,
}

/// The channels that entities of a kind have in common.
pub(super) struct Columns<T: 'static>(&'static [Column<T>]);

impl<T> Columns<T> {
    /// Number of channels.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Errors: a value is not finite.
    #[inline]
    pub fn check(&self, outputs: &T) -> Result<()>
    where
        T: Outputs,
    {
        // x * 0 is zero for all numbers that are finite, and so is their sum.
        if outputs.sum_of(|x| x * 0.0) == 0.0 { Ok(()) } else { self.blame(outputs) }
    }

    #[cold]
    fn blame(&self, outputs: &T) -> Result<()> {
        match self.0.iter().find(|column| !(column.value)(outputs).is_finite()) {
            Some(column) => Err(Error::Overflow { output: column.suffix }),
            None => Ok(()),
        }
    }

    /// Writes the value of each.
    pub fn write(&self, outputs: &T, values: &mut [f64]) {
        self.0.iter().zip(values).for_each(|(column, value)| *value = (column.value)(outputs));
    }
}

/// Names and units of a list, whatever the source of its values.
pub(super) trait Named {
    /// Number of channels.
    fn count(&self) -> usize;
    /// Suffix and unit of one.
    fn named(&self, k: usize) -> Option<(&'static str, &'static str)>;
}

impl<T> Named for Columns<T> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn named(&self, k: usize) -> Option<(&'static str, &'static str)> {
        self.0.get(k).map(|column| (column.suffix, column.unit))
    }
}

/// A force element has its own names.
impl Named for OutputNames {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn named(&self, k: usize) -> Option<(&'static str, &'static str)> {
        self.0.get(k).map(|(suffix, quantity)| (*suffix, quantity.unit()))
    }
}

/// The lists of a kind, with the type of outputs that each reads.
macro_rules! columns {
    ($($(#[$doc:meta])* $list:ident: $outputs:ty { $($suffix:literal $unit:literal $value:expr;)* })*) => {
        $($(#[$doc])* pub(super) static $list: Columns<$outputs> =
            Columns(&[$(Column { suffix: $suffix, unit: $unit, value: $value }),*]);)*
    };
}

/// Source of values, which are copied: they are finite if these numbers are.
pub(super) trait Outputs {
    /// Sum of a function of each number.
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64;
}

impl Outputs for f64 {
    #[inline]
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        of(*self)
    }
}

impl<const N: usize> Outputs for [f64; N] {
    #[inline]
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.iter().fold(0.0, |sum, x| sum + of(*x))
    }
}

impl Outputs for [[f64; 3]; 3] {
    #[inline]
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.as_flattened().iter().fold(0.0, |sum, x| sum + of(*x))
    }
}

impl Outputs for Whole {
    #[inline]
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        of(self.time) + self.energy.sum_of(of)
    }
}

impl Outputs for Moving {
    #[inline]
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        let rates: [[f64; 6]; 2] = [self.velocity.into(), self.acceleration.into()];
        self.pose.sum_of(&of) + rates[0].sum_of(&of) + rates[1].sum_of(&of) + self.angles.sum_of(&of)
    }
}

impl Outputs for LineEnds {
    #[inline]
    fn sum_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.length.sum_of(&of)
            + self.tensions.sum_of(&of)
            + self.means.sum_of(&of)
            + self.forces.as_flattened().iter().map(|x| of(*x)).sum::<f64>()
    }
}

/// Outputs of a line that do not depend on its segments.
pub(super) struct LineEnds {
    /// Unstretched length and its rate.
    pub length: [f64; 2],
    /// Tensions of the end segments.
    pub tensions: [f64; 2],
    /// Their means over the last step of the host.
    pub means: [f64; 2],
    /// Net forces of the ends.
    pub forces: [[f64; 3]; 2],
}

/// Outputs of the whole system.
pub(super) struct Whole {
    pub time: f64,
    /// Kinetic and potential.
    pub energy: [f64; 2],
}

/// Pose, velocity and acceleration of a body's reference point or of a marker, in I.
pub(super) struct Moving {
    pub pose: [f64; 7],
    pub velocity: Vec6,
    pub acceleration: Vec6,
    /// Roll, pitch, yaw of that pose.
    pub angles: [f64; 3],
}

impl Moving {
    /// These motions with angles in degrees.
    pub fn in_degrees(mut self) -> Moving {
        let angular = self.velocity.iter_mut().skip(3).chain(self.acceleration.iter_mut().skip(3));
        angular.chain(&mut self.angles).for_each(|x| *x = x.to_degrees());
        self
    }
}

columns! {
    /// Channels of the system.
    SYSTEM: Whole {
        "time" "s" |o| o.time;
        "energy.kinetic" "J" |o| o.energy[0];
        "energy.potential" "J" |o| o.energy[1];
    }

    /// Channels of a body's reference point, and of a marker.
    MOTION: Moving {
        "pos.x" "m" |o| o.pose[0];
        "pos.y" "m" |o| o.pose[1];
        "pos.z" "m" |o| o.pose[2];
        "quat.w" "-" |o| o.pose[3];
        "quat.x" "-" |o| o.pose[4];
        "quat.y" "-" |o| o.pose[5];
        "quat.z" "-" |o| o.pose[6];
        "roll" "rad" |o| o.angles[0];
        "pitch" "rad" |o| o.angles[1];
        "yaw" "rad" |o| o.angles[2];
        "vel.x" "m/s" |o| o.velocity[0];
        "vel.y" "m/s" |o| o.velocity[1];
        "vel.z" "m/s" |o| o.velocity[2];
        "omega.x" "rad/s" |o| o.velocity[3];
        "omega.y" "rad/s" |o| o.velocity[4];
        "omega.z" "rad/s" |o| o.velocity[5];
        "acc.x" "m/s^2" |o| o.acceleration[0];
        "acc.y" "m/s^2" |o| o.acceleration[1];
        "acc.z" "m/s^2" |o| o.acceleration[2];
        "alpha.x" "rad/s^2" |o| o.acceleration[3];
        "alpha.y" "rad/s^2" |o| o.acceleration[4];
        "alpha.z" "rad/s^2" |o| o.acceleration[5];
    }

    /// Channels of a prescribed body, and of a joint.
    REACTION: [f64; 6] {
        "reaction.fx" "N" |o| o[0];
        "reaction.fy" "N" |o| o[1];
        "reaction.fz" "N" |o| o[2];
        "reaction.mx" "N m" |o| o[3];
        "reaction.my" "N m" |o| o[4];
        "reaction.mz" "N m" |o| o[5];
    }

    /// Channels of a joint whose coordinate is an angle.
    ANGLE: [f64; 3] {
        "angle" "rad" |o| o[0];
        "rate" "rad/s" |o| o[1];
        "acc" "rad/s^2" |o| o[2];
    }

    /// The load on it.
    MOMENT: f64 {
        "load" "N m" |o| *o;
    }

    /// Channels of a joint whose coordinate is a displacement.
    DISPLACEMENT: [f64; 3] {
        "displacement" "m" |o| o[0];
        "rate" "m/s" |o| o[1];
        "acc" "m/s^2" |o| o[2];
    }

    /// The load on it.
    FORCE: f64 {
        "load" "N" |o| *o;
    }

    /// Channels of a joint that slides.
    SLIDE: [f64; 3] {
        "slide" "m" |o| o[0];
        "slide_rate" "m/s" |o| o[1];
        "slide_acc" "m/s^2" |o| o[2];
    }

    /// The load on the slide of a CYLINDRICAL joint.
    SLIDE_FORCE: f64 {
        "slide_load" "N" |o| *o;
    }

    /// Friction and stops on an angle: mode, their forces, work dissipated.
    MACHINE_ON_ANGLE: [f64; 4] {
        "mode" "-" |o| o[0];
        "friction" "N m" |o| o[1];
        "stop" "N m" |o| o[2];
        "dissipated" "J" |o| o[3];
    }

    /// The same on a displacement.
    MACHINE: [f64; 4] {
        "mode" "-" |o| o[0];
        "friction" "N" |o| o[1];
        "stop" "N" |o| o[2];
        "dissipated" "J" |o| o[3];
    }

    /// The same on the slide of a CYLINDRICAL joint.
    MACHINE_ON_SLIDE: [f64; 4] {
        "slide_mode" "-" |o| o[0];
        "slide_friction" "N" |o| o[1];
        "slide_stop" "N" |o| o[2];
        "slide_dissipated" "J" |o| o[3];
    }

    /// A clutch on an angle of b: mode, its torque, rate of slip, work dissipated.
    CLUTCH: [f64; 4] {
        "mode" "-" |o| o[0];
        "torque" "N m" |o| o[1];
        "slip_rate" "rad/s" |o| o[2];
        "slip_energy" "J" |o| o[3];
    }

    /// The same on a displacement.
    SLIDING_CLUTCH: [f64; 4] {
        "mode" "-" |o| o[0];
        "torque" "N" |o| o[1];
        "slip_rate" "m/s" |o| o[2];
        "slip_energy" "J" |o| o[3];
    }

    /// The load of a gear on the coordinate of its last joint, an angle.
    GEAR: f64 {
        "gear_load" "N m" |o| *o;
    }

    /// The same, if that coordinate is a displacement.
    RACK: f64 {
        "gear_load" "N" |o| *o;
    }

    /// Channels of a point: position, velocity, acceleration.
    POINT: [[f64; 3]; 3] {
        "pos.x" "m" |o| o[0][0];
        "pos.y" "m" |o| o[0][1];
        "pos.z" "m" |o| o[0][2];
        "vel.x" "m/s" |o| o[1][0];
        "vel.y" "m/s" |o| o[1][1];
        "vel.z" "m/s" |o| o[1][2];
        "acc.x" "m/s^2" |o| o[2][0];
        "acc.y" "m/s^2" |o| o[2][1];
        "acc.z" "m/s^2" |o| o[2][2];
    }

    /// Channels of a point that is fixed or prescribed.
    POINT_REACTION: [f64; 3] {
        "reaction.fx" "N" |o| o[0];
        "reaction.fy" "N" |o| o[1];
        "reaction.fz" "N" |o| o[2];
    }

    /// Channels of a line; more depend on the number of its segments.
    LINE: LineEnds {
        "length" "m" |o| o.length[0];
        "length_rate" "m/s" |o| o.length[1];
        "tension_a" "N" |o| o.tensions[0];
        "tension_b" "N" |o| o.tensions[1];
        "tension_mean_a" "N" |o| o.means[0];
        "tension_mean_b" "N" |o| o.means[1];
        "force_a.x" "N" |o| o.forces[0][0];
        "force_a.y" "N" |o| o.forces[0][1];
        "force_a.z" "N" |o| o.forces[0][2];
        "force_b.x" "N" |o| o.forces[1][0];
        "force_b.y" "N" |o| o.forces[1][1];
        "force_b.z" "N" |o| o.forces[1][2];
    }

    /// Channels of the platform of `set_openfast_platform`, in degrees: whole names.
    OPENFAST: Moving {
        "PtfmSurge" "m" |o| o.pose[0];
        "PtfmSway" "m" |o| o.pose[1];
        "PtfmHeave" "m" |o| o.pose[2];
        "PtfmRoll" "deg" |o| o.angles[0];
        "PtfmPitch" "deg" |o| o.angles[1];
        "PtfmYaw" "deg" |o| o.angles[2];
        "PtfmTVxi" "m/s" |o| o.velocity[0];
        "PtfmTVyi" "m/s" |o| o.velocity[1];
        "PtfmTVzi" "m/s" |o| o.velocity[2];
        "PtfmRVxi" "deg/s" |o| o.velocity[3];
        "PtfmRVyi" "deg/s" |o| o.velocity[4];
        "PtfmRVzi" "deg/s" |o| o.velocity[5];
        "PtfmTAxi" "m/s^2" |o| o.acceleration[0];
        "PtfmTAyi" "m/s^2" |o| o.acceleration[1];
        "PtfmTAzi" "m/s^2" |o| o.acceleration[2];
        "PtfmRAxi" "deg/s^2" |o| o.acceleration[3];
        "PtfmRAyi" "deg/s^2" |o| o.acceleration[4];
        "PtfmRAzi" "deg/s^2" |o| o.acceleration[5];
    }
}

/// The lists of coordinate and load of a joint.
pub(super) fn of_coordinate(coordinate: Coordinate) -> (&'static Columns<[f64; 3]>, &'static Columns<f64>) {
    match coordinate {
        Coordinate::Angle => (&ANGLE, &MOMENT),
        Coordinate::Displacement => (&DISPLACEMENT, &FORCE),
    }
}

/// The lists of an entity, in the order of its channels.
pub(super) fn lists(model: &Model, kind: EntityKind, index: usize) -> impl Iterator<Item = &'static dyn Named> + use<> {
    let list = |first: Option<&'static dyn Named>, second| [first, second, None, None, None, None, None];
    let lists: [Option<&'static dyn Named>; 7] = match kind {
        EntityKind::Body => list(Some(&MOTION), if_so(model.bodies[index].prescribed, &REACTION)),
        EntityKind::Joint => of_joint(&model.joints[index]),
        EntityKind::Marker => list(Some(&MOTION), None),
        EntityKind::Point => list(Some(&POINT), if_so(has_reaction(&model.points[index]), &POINT_REACTION)),
        EntityKind::Gear => list(Some(of_gear(model, index)), None),
        EntityKind::Line => list(Some(&LINE), None),
        EntityKind::Clutch => list(Some(of_clutch(model, index)), None),
        EntityKind::Callback | EntityKind::LineType | EntityKind::Beam => [None; 7],
        force => {
            let element = model.elements.get(force, index);
            list(element.map(|element| element.outputs() as &dyn Named), None)
        }
    };
    lists.into_iter().flatten()
}

fn of_joint(joint: &Joint) -> [Option<&'static dyn Named>; 7] {
    let kind = joint.kind;
    let coordinate = kind.coordinate().map(of_coordinate);
    [
        coordinate.map(|(columns, _)| columns as _),
        coordinate.map(|(_, load)| load as _),
        if_so(kind.has_slide(), &SLIDE),
        if_so(kind.has_free_slide(), &SLIDE_FORCE),
        of_machine(joint, 0).map(|columns| columns as _),
        of_machine(joint, 1).map(|columns| columns as _),
        Some(&REACTION),
    ]
}

/// The columns of friction and stops on the coordinate (0) or slide (1) of a joint; None without.
pub(super) fn of_machine(joint: &Joint, which: usize) -> Option<&'static Columns<[f64; 4]>> {
    let columns = match (which, joint.kind.coordinate()) {
        (0, Some(Coordinate::Angle)) => &MACHINE_ON_ANGLE,
        (0, _) => &MACHINE,
        _ => &MACHINE_ON_SLIDE,
    };
    (!joint.machines[which].is_none()).then_some(columns)
}

/// The columns of the load of a gear.
pub(super) fn of_gear(model: &Model, gear: usize) -> &'static Columns<f64> {
    let last = model.gears[gear].joints.last();
    match last.and_then(|joint| model.joints[*joint].kind.coordinate()) {
        Some(Coordinate::Displacement) => &RACK,
        _ => &GEAR,
    }
}

/// The columns of a clutch.
pub(super) fn of_clutch(model: &Model, clutch: usize) -> &'static Columns<[f64; 4]> {
    match model.clutches[clutch].coordinates[1] {
        (joint, 0) if model.joints[joint].kind.coordinate() == Some(Coordinate::Angle) => &CLUTCH,
        _ => &SLIDING_CLUTCH,
    }
}

/// Whether a point is fixed, or its motion imposed.
pub(super) fn has_reaction(point: &Point) -> bool {
    matches!(point.support, Support::Fixed | Support::Prescribed)
}

fn if_so(there: bool, list: &'static dyn Named) -> Option<&'static dyn Named> {
    there.then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::{EachKind, Elements, Listed};

    /// The outputs of every force element.
    struct ElementOutputs(Vec<&'static OutputNames>);

    impl EachKind for ElementOutputs {
        type Error = std::convert::Infallible;

        fn kind<E: Listed>(&mut self) -> std::result::Result<(), Self::Error> {
            self.0.push(E::default().outputs());
            Ok(())
        }
    }

    #[test]
    fn no_suffix_is_the_end_of_another_after_a_dot() {
        let lists: [&dyn Named; 14] = [
            &LINE,
            &CLUTCH,
            &GEAR,
            &RACK,
            &MOTION,
            &REACTION,
            &ANGLE,
            &MOMENT,
            &DISPLACEMENT,
            &FORCE,
            &SLIDE,
            &SLIDE_FORCE,
            &POINT,
            &POINT_REACTION,
        ];
        let names = |list: &dyn Named| (0..list.count()).map(|k| list.named(k).unwrap().0).collect::<Vec<_>>();
        let mut elements = ElementOutputs(Vec::new());
        let Ok(()) = Elements::each_kind(&mut elements);
        let lists = lists.into_iter().chain(elements.0.into_iter().map(|list| list as &dyn Named));
        let all: Vec<_> = lists.flat_map(names).collect();
        for short in all.iter().chain(&["time", "kinetic", "potential"]) {
            let end = format!(".{short}");
            assert!(all.iter().all(|long| !long.ends_with(&end)), "{short}");
        }
        for whole in names(&OPENFAST) {
            assert!(!whole.contains('.'), "{whole}: all channels of entities have a dot in their names");
        }
    }
}
