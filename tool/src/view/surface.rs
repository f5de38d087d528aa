//! Solids as triangles, for programs that draw no solids. Round ones are prisms of [`SIDES`] sides.

use super::solid::Solid;
use pintle::spatial::{Pose, Vec3};

/// Sides of a round solid, and steps of a half sphere from its pole to its rim.
const SIDES: usize = 24;
const STEPS: usize = 6;

/// A closed surface in the axes of a body.
pub struct Surface {
    pub corners: Vec<[f64; 3]>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[usize; 3]>,
}

impl Surface {
    /// None for solids that have no size of their own: rods and joints.
    pub fn of(solid: &Solid) -> Option<Surface> {
        match solid {
            Solid::Box { frame, size } => Some(cuboid(frame, size)),
            Solid::Cylinder { ends: [a, b], diameter } => {
                let (length, radius) = ((Vec3::from(*b) - Vec3::from(*a)).norm(), 0.5 * diameter);
                Some(revolved([*a, *b], &[[0.0, 0.0], [0.0, radius], [length, radius], [length, 0.0]]))
            }
            Solid::Capsule { ends, diameter } => Some(capsule(*ends, 0.5 * diameter)),
            Solid::Sphere { position, diameter } => Some(capsule([*position; 2], 0.5 * diameter)),
            Solid::Mesh { frame, corners } => {
                let placed = place(frame);
                let corners: Vec<[f64; 3]> = corners.iter().map(|corner| placed(corner.map(f64::from))).collect();
                let triangles = (0..corners.len() / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
                Some(Surface { corners, triangles })
            }
            Solid::Rod { .. } | Solid::Joint { .. } => None,
        }
    }
}

/// From the axes of a frame to those around it.
fn place(frame: &[f64; 7]) -> impl Fn([f64; 3]) -> [f64; 3] + use<> {
    // Frames of solids were checked when they were read.
    let pose = Pose::from_array("frame", frame).unwrap_or_else(|_| Pose::identity());
    move |at| (pose.position + pose.matrix() * Vec3::from(at)).into()
}

fn cuboid(frame: &[f64; 7], size: &[f64; 3]) -> Surface {
    let placed = place(frame);
    // Corner k is at the upper end of the axes whose bits it has.
    let corner =
        |k: usize| placed(std::array::from_fn(|axis| if k >> axis & 1 == 1 { 0.5 } else { -0.5 } * size[axis]));
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let [x, y, z] = [0, 1, 2].map(|k| 1 << ((axis + k) % 3));
        // Counter-clockwise about x at its upper side, clockwise at its lower one.
        triangles.extend([[x, x + y, x + y + z], [x, x + y + z, x + z], [0, y + z, y], [0, z, y + z]]);
    }
    Surface { corners: (0..8).map(corner).collect(), triangles }
}

fn capsule(ends: [[f64; 3]; 2], radius: f64) -> Surface {
    let length = (Vec3::from(ends[1]) - Vec3::from(ends[0])).norm();
    let turn = |k: usize| std::f64::consts::FRAC_PI_2 * k as f64 / STEPS as f64;
    let lower = (0..=STEPS).map(|k| [-radius * turn(k).cos(), radius * turn(k).sin()]);
    let upper = (0..=STEPS).rev().map(|k| [length + radius * turn(k).cos(), radius * turn(k).sin()]);
    revolved(ends, &lower.chain(upper).collect::<Vec<_>>())
}

/// A profile of (distance from the first end along the axis, radius), turned about the axis. It
/// begins and ends on the axis.
fn revolved([a, b]: [[f64; 3]; 2], profile: &[[f64; 2]]) -> Surface {
    let from = Vec3::from(a);
    let along = (Vec3::from(b) - from).try_normalize(0.0).unwrap_or(Vec3::z());
    // The axis of space that is farthest from this one is not parallel to it.
    let away = Vec3::ith(along.iamin(), 1.0);
    let x = along.cross(&away).normalize();
    let y = along.cross(&x);
    let mut corners = Vec::with_capacity(SIDES * profile.len());
    for [distance, radius] in profile {
        for side in 0..SIDES {
            let (sine, cosine) = (std::f64::consts::TAU * side as f64 / SIDES as f64).sin_cos();
            corners.push((from + along * *distance + (x * cosine + y * sine) * *radius).into());
        }
    }
    let mut triangles = Vec::new();
    for ring in 1..profile.len() {
        for side in 0..SIDES {
            let [this, next] = [side, (side + 1) % SIDES];
            let [below, above] = [ring - 1, ring].map(|ring| [ring * SIDES + this, ring * SIDES + next]);
            // A ring without radius is a point: only one of the two triangles has an area.
            if profile[ring - 1][1] > 0.0 {
                triangles.push([below[0], below[1], above[1]]);
            }
            if profile[ring][1] > 0.0 {
                triangles.push([below[0], above[1], above[0]]);
            }
        }
    }
    Surface { corners, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    /// Gauss' theorem: the sum of the tetrahedra between the origin and the triangles, which is
    /// negative where triangles are clockwise.
    fn volume(surface: &Surface) -> f64 {
        let tetrahedron = |triangle: &[usize; 3]| {
            let [a, b, c] = triangle.map(|corner| Vec3::from(surface.corners[corner]));
            a.dot(&b.cross(&c)) / 6.0
        };
        surface.triangles.iter().map(tetrahedron).sum()
    }

    #[test]
    fn surfaces_enclose_the_volumes_of_their_solids() {
        let half = 0.5f64.sqrt();
        let turned = [3.0, -2.0, 1.0, half, half, 0.0, 0.0];
        let ends = [[1.0, 2.0, 3.0], [3.0, 3.0, 1.0]];
        // A prism of n sides has n/(2 pi) sin(2 pi/n) of the cross section of its circle.
        let sides = SIDES as f64;
        let prism = sides / TAU * (TAU / sides).sin();
        // Frusta between the rings of a sphere of radius 1, by Simpson's rule, which is exact for
        // them.
        let ring = |k: usize| PI * k as f64 / (2 * STEPS) as f64;
        let frustum = |k: usize| {
            let [r, s] = [ring(k).sin(), ring(k + 1).sin()];
            (ring(k).cos() - ring(k + 1).cos()) * PI / 3.0 * (r * r + r * s + s * s)
        };
        let sphere = prism * (0..2 * STEPS).map(frustum).sum::<f64>();
        for (solid, expected) in [
            (Solid::Box { frame: turned, size: [1.0, 2.0, 3.5] }, 7.0),
            (Solid::Cylinder { ends, diameter: 2.0 }, 3.0 * PI * prism),
            (Solid::Sphere { position: [4.0, 5.0, 6.0], diameter: 2.0 }, sphere),
            (Solid::Capsule { ends, diameter: 2.0 }, sphere + 3.0 * PI * prism),
        ] {
            let found = volume(&Surface::of(&solid).unwrap());
            // Tetrahedra of up to some hundred times the volume add up: their rounding.
            assert!((found - expected).abs() < 1e-12 * 100.0 * expected, "{found} {expected}");
        }
        assert!(Surface::of(&Solid::Rod { ends }).is_none());
    }
}
