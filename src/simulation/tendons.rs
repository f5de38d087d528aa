//! Tendons: adding and reading them, and the winches that change their lengths.

use super::beams::add_cause;
use super::named_inputs::What;
use super::views::{Elements, HostInputs};
use super::{Phase, Simulation, outputs};
use crate::elements::{
    Attachment, Description, MOST_CHANGE, MOST_NODES, NoPath, Sheave, Tendon, TendonSlip, check_not_negative,
};
use crate::error::{Error, Result};
use crate::model::{Changes, EntityKind, GROUND, Id, LineLength};
use crate::number::{Number, Rounded};
use crate::spatial::pose::check_finite;

impl Simulation {
    /// Where a tendon has no path, in words.
    pub(super) fn describe_lost_path(&self, (tendon, NoPath { point, wrap }): (usize, NoPath)) -> String {
        let tendon = self.model.describe(EntityKind::Tendon, tendon);
        match wrap {
            None => format!(
                "{tendon}: the rope has no tangent to the sheave at point {point}: its neighbour is within the radius"
            ),
            Some(wrap) => format!(
                "{tendon}: the wrap of {} rad at point {point} differs by more than {} rad from the one described",
                Rounded(wrap),
                Rounded(MOST_CHANGE),
            ),
        }
    }

    /// The error of a step or an equilibrium, and where a tendon had no path.
    pub(super) fn with_lost_path(&self, mut error: Error, lost: Option<(usize, NoPath)>) -> Error {
        if let Some(lost) = lost {
            add_cause(&mut error, &format!(" ({})", self.describe_lost_path(lost)));
        }
        error
    }

    /// Gives a tendon that was added its length in the list of lengths, which has room for it.
    pub(super) fn wind_tendon(&mut self, index: usize) {
        let tendon = &mut self.model.elements.tendons[index];
        tendon.index = index;
        self.inputs.loads.lines.push(LineLength::described(tendon.rest_length));
    }
}

impl Elements<'_> {
    /// Adds a tendon through points in the axes of bodies (ground: inertial), EA over its strain,
    /// and a damper on its stretch. Phase BUILDING.
    ///
    /// Errors: fewer than two or more than eight points; a bad id; all on one body; numbers that
    /// are not finite or not positive.
    pub fn add_tendon(
        &mut self,
        bodies: &[Id],
        points: &[[f64; 3]],
        stiffness_ea: f64,
        damping: f64,
        rest_length: f64,
    ) -> Result<Id> {
        self.0.require_building()?;
        let n = bodies.len();
        if !(2..=MOST_NODES).contains(&n) || points.len() != n {
            let expected = format!("2 to {MOST_NODES} points, each on its body");
            return Err(Error::BadSize { argument: "n", given: n as i64, expected });
        }
        check_finite("points", points.as_flattened())?;
        let mut places = [Attachment::default(); MOST_NODES];
        for (place, (body, point)) in places.iter_mut().zip(bodies.iter().zip(points)) {
            *place = Attachment { to: self.0.model.body_or_ground("bodies", *body)?.into(), at: (*point).into() };
        }
        let places = &places[..n];
        if bodies.iter().all(|body| *body == bodies[0]) {
            let detail = format!("all of them are {}: a tendon needs two ends", bodies[0]);
            return Err(Error::bad_value("bodies", detail));
        }
        self.0.add_element(Tendon::new(places, stiffness_ea, damping, rest_length))
    }
}

/// Lets a tendon run over a sheave at one of its inner points, in the place of an eye or a former
/// sheave: a circle of a radius about this point with an axis in the axes of its body (ground:
/// inertial), about which the rope runs right-handed. The wrap is counted as the angle within half
/// a turn of `wrap` (rad). Phase BUILDING.
///
/// Errors: phase; a bad id; not an inner point; numbers that are not finite or outside their range.
pub fn set_tendon_sheave(
    simulation: &mut Simulation,
    tendon: Id,
    point: i32,
    radius: f64,
    axis: &[f64; 3],
    wrap: f64,
) -> Result<()> {
    simulation.require_building()?;
    let sheave = Sheave::new(radius, axis, wrap);
    let own = inner_point(simulation, tendon, point)?;
    let friction = own.friction;
    *own = sheave?;
    own.friction = friction;
    Ok(())
}

/// Lets a rope rub at one of its inner points: where it turns by an angle w, its tensions on both
/// sides differ by at most the factor exp(coefficient w). 0: no friction. Phase BUILDING, READY:
/// then from the accepted time on, in the place of another friction.
///
/// Errors: phase; a bad id; not an inner point; a coefficient that is negative or not finite; a
/// tendon with a damper; in READY 0, or a point without friction.
pub fn set_tendon_friction(simulation: &mut Simulation, tendon: Id, point: i32, coefficient: f64) -> Result<()> {
    simulation.require_change()?;
    let friction = check_not_negative("coefficient", coefficient);
    let before = inner_point(simulation, tendon, point)?.friction;
    friction?;
    if simulation.phase != Phase::Building {
        if before == 0.0 || coefficient == 0.0 {
            let detail = match before == 0.0 {
                true => format!("point {point} of tendon {tendon} has no friction: it is described in phase BUILDING"),
                false => {
                    format!("0 at point {point} of tendon {tendon}, which was described with friction and keeps some")
                }
            };
            return Err(Error::bad_value("coefficient", detail));
        }
        let place = tendon as u64 * MOST_NODES as u64 + point as u64;
        simulation.change(&Changes { frictions: vec![(place, coefficient)], ..Changes::default() });
        return Ok(());
    }
    let own = &mut simulation.model.elements.tendons[tendon as usize];
    if coefficient > 0.0 && own.damping > 0.0 {
        let detail = format!("{}: tendon {tendon} has a damper, which goes without friction", Number(coefficient));
        return Err(Error::bad_value("coefficient", detail));
    }
    own.sheaves_mut()[point as usize].friction = coefficient;
    Ok(())
}

/// An inner point of a tendon.
fn inner_point(simulation: &mut Simulation, tendon: Id, point: i32) -> Result<&mut Sheave> {
    let index = simulation.model.index("tendon", EntityKind::Tendon, tendon)?;
    let own = &mut simulation.model.elements.tendons[index];
    let last = own.sheaves().len() - 1;
    let Some(k) = usize::try_from(point).ok().filter(|k| (1..last).contains(k)) else {
        let detail = match last {
            1 => format!("{point}: tendon {tendon} has two points, and none between them"),
            _ => format!("{point}: the inner points of tendon {tendon} are 1 to {}", last - 1),
        };
        return Err(Error::bad_value("point", detail));
    };
    Ok(&mut own.sheaves_mut()[k])
}

impl HostInputs<'_> {
    /// Sets the unstretched length of a tendon at the end of the coming step, and its rate there.
    /// Phase READY, TRIAL. Errors: not finite; less than a hundredth of the described length.
    pub fn set_tendon_length(&mut self, tendon: Id, length: f64, rate: f64) -> Result<()> {
        self.0.set_length(What::TendonLength, tendon, length, rate)
    }
}

/// Tendons: as described, their lengths, and what they do at present.
#[derive(Clone, Copy)]
pub struct Tendons<'a>(&'a Simulation);

impl<'a> Tendons<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> Tendons<'a> {
        Tendons(simulation)
    }

    fn tendon(self, tendon: Id) -> Result<(usize, &'a Tendon)> {
        let index = self.0.model.index("tendon", EntityKind::Tendon, tendon)?;
        Ok((index, &self.0.model.elements.tendons[index]))
    }

    /// As it was added: number of points, EA, damping and unstretched length. Any phase.
    pub fn info(self, tendon: Id) -> Result<(usize, [f64; 3])> {
        let (_, own) = self.tendon(tendon)?;
        Ok((own.nodes().len(), [own.stiffness_ea, own.damping, own.rest_length]))
    }

    /// The index of one of its points.
    fn index(self, tendon: Id, point: i32) -> Result<(usize, &'a Tendon, usize)> {
        let (index, own) = self.tendon(tendon)?;
        let n = own.nodes().len();
        let outside = || Error::bad_value("point", format!("{point}: tendon {tendon} has {n} points"));
        Ok((index, own, usize::try_from(point).ok().filter(|k| *k < n).ok_or_else(outside)?))
    }

    /// One of its points: the body, and the place on it. Any phase. Errors: a bad id; no such
    /// point.
    pub fn point(self, tendon: Id, point: i32) -> Result<(Id, [f64; 3])> {
        let (_, own, k) = self.index(tendon, point)?;
        let place = own.nodes()[k];
        Ok((place.to.body().map_or(GROUND, |body| body as Id), place.at.into()))
    }

    /// The sheave at one of its points: radius, axis and wrap as described; zeros at an eye. Any
    /// phase. Errors: a bad id; no such point.
    pub fn sheave(self, tendon: Id, point: i32) -> Result<(f64, [f64; 3], f64)> {
        let (_, own, k) = self.index(tendon, point)?;
        let Sheave { radius, axis, wrap, .. } = own.sheaves()[k];
        Ok((radius, axis.into(), wrap))
    }

    /// The angle (rad) by which it wraps a sheave; 0 at an eye. Phase READY, TRIAL, FAILED. Errors:
    /// a bad id; no such point; no path.
    pub fn wrap(self, tendon: Id, point: i32) -> Result<f64> {
        let (index, own, k) = self.index(tendon, point)?;
        let (run, at) = (self.0.readable()?, self.0.point()?);
        if own.sheaves()[k].radius == 0.0 {
            return Ok(0.0);
        }
        let wrap = run.system.elements().tendon_wrap(index, k, &at.state);
        outputs::finite("wrap", [wrap]).map(|_| wrap)
    }

    /// How many places [`Tendons::places`] has. Any phase.
    pub fn place_count(self, tendon: Id) -> Result<usize> {
        self.tendon(tendon).map(|(_, own)| own.place_count())
    }

    /// Places along it at present, for pictures: its points, and those of the arcs on sheaves.
    /// Phase READY, TRIAL, FAILED. Errors: a bad id.
    pub fn places(self, tendon: Id) -> Result<Vec<[f64; 3]>> {
        let (index, _) = self.tendon(tendon)?;
        let (run, at) = (self.0.readable()?, self.0.point()?);
        Ok(run.system.elements().tendon_places(index, &at.state))
    }

    /// The coefficient of friction at one of its points. Any phase. Errors: a bad id; no such point.
    pub fn friction(self, tendon: Id, point: i32) -> Result<f64> {
        let (_, own, k) = self.index(tendon, point)?;
        Ok(own.sheaves()[k].friction)
    }

    /// What friction does at one of its points at present. Phase READY, TRIAL, FAILED. Errors: a bad
    /// id; no such point; no friction there; numbers too large for a double.
    pub fn slip(self, tendon: Id, point: i32) -> Result<TendonSlip> {
        let (index, own, k) = self.index(tendon, point)?;
        let (run, at) = (self.0.readable()?, self.0.point()?);
        if own.sheaves()[k].friction == 0.0 {
            return Err(Error::bad_value("point", format!("{point}: tendon {tendon} has no friction there")));
        }
        let found = run.system.elements().tendon_slip((index, k), &at.state, &at.loads.lines);
        let none = TendonSlip { tensions: [f64::NAN; 2], limit: 1.0, slips: false, dissipated: 0.0 };
        let slip = found.unwrap_or(none);
        outputs::finite("tension", slip.tensions).map(|_| slip)
    }

    /// Unstretched length and its rate. Any phase; in BUILDING as described.
    pub fn length(self, tendon: Id) -> Result<(f64, f64)> {
        self.0.length(What::TendonLength, tendon, true)
    }

    /// Unstretched length and its rate that are set for the end of the coming step. Any phase.
    pub fn length_input(self, tendon: Id) -> Result<(f64, f64)> {
        self.0.length(What::TendonLength, tendon, false)
    }

    /// Length along its points, and tension. Phase READY, TRIAL, FAILED. Errors: a bad id; numbers
    /// too large for a double.
    pub fn force(self, tendon: Id) -> Result<(f64, f64)> {
        let (index, _) = self.tendon(tendon)?;
        let (run, point) = (self.0.readable()?, self.0.point()?);
        let (length, tension) = run.system.elements().tendon_force(index, &point.state, &point.loads.lines);
        outputs::finite("length or tension", [length, tension]).map(|_| (length, tension))
    }
}
