//! A beam: its sections, and the bodies that are its nodes.

use crate::elements::beam::{LoadPlace, Sections, Station, Stretch};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::inertia::symmetric;
use crate::spatial::pose::check_finite;
use crate::spatial::{Pose, RigidInertia, Vec3};

/// The least cosine of the angle between axis 1 of a section and the line to the next station.
const LEAST_COSINE: f64 = 0.5;

/// A beam as described.
#[derive(Debug, Clone, Default)]
pub struct Beam {
    /// Its sections, in inertial axes at the initial poses of its nodes.
    pub sections: Sections,
    /// mu of each strain.
    pub damping: [f64; 6],
    /// Whether the inertia of its elements is at their ends only.
    pub lumped: bool,
    /// Nodes that are bodies of the host, None for the ground.
    pub attached: Vec<(usize, Option<usize>)>,
    /// Arc lengths of its nodes.
    pub ends: Vec<f64>,
    /// The bodies that are its nodes, None for the ground.
    pub nodes: Vec<Option<usize>>,
    /// The element whose sections turn furthest in the reference shape, and the angle, where that
    /// is worth a warning.
    pub bent: Option<(usize, f64)>,
    /// Its first element.
    pub first_element: usize,
    /// The places at which the host gives loads.
    pub loads: Vec<LoadPlace>,
}

impl Beam {
    /// Number of its elements.
    pub fn elements(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// Arc lengths of the first and the last station. Errors: fewer than two.
    pub fn span(&self) -> Result<[f64; 2]> {
        match self.sections.0.as_slice() {
            [first, .., last] => Ok([first.s, last.s]),
            stations => {
                let detail = format!("has {} stations, and needs one at each end", stations.len());
                Err(Error::bad_value("beam", detail))
            }
        }
    }

    /// Its element at an arc length: where two meet, the one behind. Errors: not finite; not
    /// between the first and the last node.
    pub fn element_at(&self, s: f64) -> Result<usize> {
        check_finite("s", &[s])?;
        let [first, last] = [self.ends.first(), self.ends.last()].map(|end| end.copied().unwrap_or(f64::NAN));
        if self.nodes.is_empty() || !(first..=last).contains(&s) {
            let (s, first, last) = (Number(s), Number(first), Number(last));
            return Err(Error::bad_value("s", format!("{s} is not on the beam, {first} to {last}")));
        }
        Ok(self.ends.partition_point(|end| *end <= s).clamp(1, self.elements()) - 1)
    }

    /// One of its elements.
    pub fn stretch(&self, element: usize) -> Stretch<'_> {
        let ends = [self.ends[element], self.ends[element + 1]];
        // An element exists only where its chord does.
        let (chord, _) = self.sections.chord(ends[0], ends[1]).unwrap_or((Pose::identity(), 0.0));
        Stretch { beam: (&self.sections, &self.loads), ends, is_last: element + 1 == self.elements(), chord }
    }

    /// Bytes of memory beside its own size.
    pub fn memory(&self) -> usize {
        let [stations, nodes] = [self.sections.0.len(), self.ends.len()];
        let loads = self.loads.len().saturating_mul(4 * size_of::<LoadPlace>());
        stations.saturating_mul(size_of::<Station>()).saturating_add(nodes.saturating_mul(32)).saturating_add(loads)
    }
}

/// A station from the numbers of a host: arc length; pose; stiffness and mass per length,
/// column-major. Errors: not finite; a stiffness that is not symmetric, or not positive definite; a
/// mass that no rigid body has.
pub fn station(s: f64, pose: &[f64; 7], stiffness: &[f64; 36], mass: &[f64; 36]) -> Result<Station> {
    check_finite("s", &[s])?;
    let pose = Pose::from_array("pose", pose)?;
    let stiffness = symmetric("stiffness", stiffness)?;
    if stiffness.cholesky().is_none() {
        return Err(Error::bad_value("stiffness", "is not positive definite"));
    }
    RigidInertia::from_matrix(mass)?;
    Ok(Station { s, pose, stiffness, mass: symmetric("mass", mass)? })
}

/// Checks two neighbouring stations. Errors: an arc length that does not rise, or is shorter than
/// the line between both; an axis 1 far from that line.
pub fn check_neighbours(before: &Station, next: &Station) -> Result<()> {
    let (length, line) = (next.s - before.s, next.pose.position - before.pose.position);
    let (last, s) = (Number(before.s), Number(next.s));
    if length <= 0.0 {
        return Err(Error::bad_value("s", format!("{s} is not above {last}, that of the station before")));
    }
    if line.norm() > length * (1.0 + 1e-6) {
        let detail = format!("{s} less {last} is shorter than the line between both stations, {}", Number(line.norm()));
        return Err(Error::bad_value("s", detail));
    }
    for (station, which) in [(before, "the station before"), (next, "this station")] {
        let cosine = (station.pose.rotation * Vec3::x()).dot(&line) / line.norm();
        // Also if both places coincide.
        if cosine.is_nan() || cosine < LEAST_COSINE {
            let angle = Number(cosine.clamp(-1.0, 1.0).acos().to_degrees());
            let detail = format!("axis 1 of {which} is {angle} degrees from the line between both");
            return Err(Error::bad_value("pose", detail));
        }
    }
    Ok(())
}
