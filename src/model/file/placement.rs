//! Poses and frames in model files: 7 numbers, or a position and an orientation in one of four
//! ways.

use super::Table;
use crate::error::Result;
use crate::spatial::axes::{direction, frame_from_axes};
use crate::spatial::convert::{quat_from_euler_zyx, quat_from_rotvec};
use crate::spatial::pose::{UNIT_TOLERANCE, check_finite, unit_quaternion};

/// The keys of a position and an orientation.
pub(crate) const PLACEMENT: [&str; 7] = ["position", "quat", "euler_deg", "axis", "angle_deg", "x_axis", "z_axis"];

/// The ways to write an orientation.
const WAYS: [&[&str]; 4] = [&["quat"], &["euler_deg"], &["axis", "angle_deg"], &["x_axis", "z_axis"]];

/// How far the norm of a quaternion in a file may be from 1: 3 digits of each number are enough.
const NEARLY_UNIT: f64 = 1e-2;

impl Table<'_> {
    /// The pose or frame of an entity: 7 numbers under `key`, or a table of [`PLACEMENT`] under it.
    pub fn pose(&self, key: &str) -> Result<[f64; 7]> {
        if self.holds_table(key)
            && let Some(table) = self.table(key, &PLACEMENT)?
        {
            return table.placement();
        }
        let [x, y, z, q @ ..]: [f64; 7] = self.require(key)?;
        Ok(joined([x, y, z], nearly_unit(q)))
    }

    /// The pose of a body: under "pose", or by the keys [`PLACEMENT`] of its own table.
    pub fn own_pose(&self) -> Result<[f64; 7]> {
        let Some(other) = PLACEMENT.into_iter().find(|key| self.has(key)) else { return self.pose("pose") };
        self.either("pose", other)?;
        self.require::<[f64; 3]>("position")?;
        self.placement()
    }

    fn placement(&self) -> Result<[f64; 7]> {
        let position: [f64; 3] = self.get("position")?.unwrap_or_default();
        let mut given = WAYS.into_iter().filter_map(|way| way.iter().find(|key| self.has(key)));
        let way = *given.next().unwrap_or(&"position");
        given.try_for_each(|other| self.either(way, other))?;
        let triple = |key| self.require::<[f64; 3]>(key);
        // Arguments of errors are keys: each error is located at its own.
        let orientation = match way {
            "position" => Ok([1.0, 0.0, 0.0, 0.0]),
            "quat" => {
                let q = nearly_unit(self.require("quat")?);
                unit_quaternion("quat", &q).map(|_| q)
            }
            "euler_deg" => {
                let angles = triple("euler_deg")?;
                check_finite("euler_deg", &angles).and_then(|()| quat_from_euler_zyx(&angles.map(f64::to_radians)))
            }
            "axis" | "angle_deg" => {
                let (axis, angle) = (triple("axis")?, self.require::<f64>("angle_deg")?);
                check_finite("angle_deg", &[angle])
                    .and_then(|()| direction("axis", &axis))
                    .and_then(|axis| quat_from_rotvec(&(axis * angle.to_radians()).into()))
            }
            _ => {
                let (x, z) = (triple("x_axis")?, triple("z_axis")?);
                let axes = direction("x_axis", &x).and(direction("z_axis", &z));
                axes.and_then(|_| frame_from_axes(&[0.0; 3], &z, Some(&x))).map(|[_, _, _, q @ ..]| q)
            }
        };
        let finite = check_finite("position", &position);
        Ok(joined(position, self.check(way, finite.and(orientation))?))
    }
}

fn joined([x, y, z]: [f64; 3], [w, i, j, k]: [f64; 4]) -> [f64; 7] {
    [x, y, z, w, i, j, k]
}

/// Normalises a quaternion that was written with few digits. One that the library accepts keeps its
/// bits; any other is refused by the function that checks it.
fn nearly_unit(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let off = (norm - 1.0).abs();
    if off > UNIT_TOLERANCE && off <= NEARLY_UNIT { q.map(|x| x / norm) } else { q }
}
