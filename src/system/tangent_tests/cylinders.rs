//! Tangents of cylinders, bodies and points on bodies in water.

use super::*;
use crate::elements::line::Fluid;
use crate::elements::{Cylinder, InWater};
use crate::model::{Point, PointLoad, Support};

/// A cylinder on a body about other reference points, at a height over the surface, in a current
/// with shear, with the water moving by the host or not.
fn with_cylinder(noise: &mut Noise, height: f64, fluid: bool) -> Case {
    let mut case = with_reference_points(noise);
    case.model.gravity = Vec3::new(0.0, 0.0, -9.0);
    case.model.origin = Vec3::new(3.0, -2.0, 0.5);
    case.bodies[1].x.z = height - 0.5;
    let ends: [[f64; 3]; 2] = [0, 1].map(|_| (noise.vec3() * 1.5).into());
    let coefficients = [0.9, 0.8, 0.7, 0.6];
    let mut cylinder = Cylinder::new([&ends[0], &ends[1]], 0.8, 3, coefficients);
    cylinder.node[0].to = Some(1).into();
    case.model.elements.cylinders.push(cylinder);
    let row = |noise: &mut Noise| noise.vec3().into();
    case.water = Water { density: 1.3, current: vec![(0.0, row(noise)), (20.0, row(noise))], ..Water::default() };
    if fluid {
        let water = |_| Fluid { velocity: row(noise), acceleration: row(noise), elevation: 0.2 * noise.number() };
        case.fluid = (0..4).map(water).collect();
    }
    case
}

/// Under water all derivatives; at the surface those of buoyancy at rest, as the part in the water
/// is held in derivatives of forces that depend on the motion.
#[test]
fn tangents_of_cylinders() {
    let mut noise = Noise(15);
    for fluid in [false, true] {
        for k in 0..12 {
            with_cylinder(&mut noise, -8.0, fluid).check(&format!("cylinder under water {k}"));
            let mut case = with_cylinder(&mut noise, 0.2, false);
            case.water.current.clear();
            // |u| u has no second derivative at rest.
            case.model.elements.cylinders[0].coefficients[0] = 0.0;
            case.model.elements.cylinders[0].coefficients[2] = 0.0;
            case.bodies[1].v = Vec6::zeros();
            case.bodies[1].vdot = Vec6::zeros();
            case.check(&format!("cylinder at the surface {k}"));
            with_cylinder(&mut noise, 9.0, fluid).check(&format!("cylinder over water {k}"));
        }
    }
}

/// On the bed, where it has set in and in its smooth depths, which no cylinder leaves by a step of
/// the differences; without friction, held by it and slipping.
#[test]
fn tangents_of_cylinders_on_the_seabed() {
    let mut noise = Noise(16);
    for (height, adhesion) in [(-6.0, 0.0), (-6.0, 0.4), (-1.0, 0.0), (-1.0, 0.4)] {
        for k in 0..9 {
            let mut case = with_cylinder(&mut noise, height, false);
            let current = std::mem::take(&mut case.water.current);
            case.water = Water {
                depth: 0.5,
                stiffness: 3.0,
                damping: 0.7,
                smoothing: 2.0,
                adhesion,
                friction: [0.0, 0.6, 0.6][k % 3],
                slip: [1.0, 30.0, 0.1][k % 3],
                current,
                ..Water::default()
            };
            case.own = (0..8).map(|_| 2.0 * noise.number()).collect();
            case.check(&format!("cylinder on the bed {height} {k}"));
            let depth = |x: f64, y: f64| 0.5 + 0.2 * (x - y) - 0.1 * x * y;
            let points = [-9.0, 7.0].map(|y| [-8.0, 9.0].map(|x| [x, y, depth(x, y)]));
            case.water.set_bathymetry(&points.concat()).unwrap();
            case.check(&format!("cylinder on a slope {height} {k}"));
        }
    }
}

/// With the shear of a current, the host's motion of the water, and all coefficients in either
/// axes; points wholly under water and at the surface, where the part in the water changes with
/// their height.
#[test]
fn tangents_of_bodies_and_their_points_in_moving_water() {
    let mut noise = Noise(17);
    for frame in [Frame::Inertial, Frame::Body] {
        for height in [-8.0, -0.5] {
            let mut case = with_cylinder(&mut noise, height, false);
            case.model.elements.cylinders.clear();
            let a = noise.mat6();
            let h = &mut case.hydrodynamics[1];
            h.added_mass = Some(FrameMatrix { matrix: a * a.transpose(), frame });
            h.linear_damping = Some(FrameMatrix { matrix: noise.mat6(), frame });
            h.quadratic_drag = Some(FrameMatrix { matrix: noise.mat6(), frame });
            case.model.bodies[1].in_water = Some(InWater { volume: 0.7, centre: noise.vec3() });
            let (position, velocity) = (noise.vec3(), Vec3::zeros());
            let support = Support::Attached(1);
            case.model.points.push(Point { mass: 0.0, volume: 0.4, cda: 0.6, ca: 0.8, position, velocity, support });
            case.loads.points.push(PointLoad { force: noise.vec3(), given: true });
            case.loads.point_motions.push(None);
            case.check(&format!("a body in a current {height}"));
            let row = |noise: &mut Noise| noise.vec3().into();
            let water = |_| Fluid { velocity: row(&mut noise), acceleration: row(&mut noise), elevation: 0.1 };
            case.fluid = (0..2).map(water).collect();
            case.check(&format!("a body in waves {height}"));
        }
    }
}
