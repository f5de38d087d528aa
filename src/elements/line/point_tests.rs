//! Water on points and the submerged shares of segments: closed forms, energies, finite
//! differences.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::tangent_tests::Random;
use super::water::{wet, wet_energy};
use super::{Fluid, Water, WetPoint};
use crate::spatial::Vec3;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

#[test]
fn shares_of_a_segment_are_those_of_fine_sums() {
    let mut random = Random(3);
    let radius = 0.3;
    for _ in 0..200 {
        let reach = if random.next() > 0.0 { 0.5 } else { 5.0 };
        let depths = [reach * random.next(), reach * random.next()];
        let wet = wet(depths, radius);
        let steps = 20_000;
        let mut sums = [0.0; 2];
        for k in 0..steps {
            let xi = (k as f64 + 0.5) / steps as f64;
            let x = ((depths[0] + xi * (depths[1] - depths[0]) + radius) / (2.0 * radius)).clamp(0.0, 1.0);
            let sigma = x * x * (3.0 - 2.0 * x) / steps as f64;
            sums[0] += (1.0 - xi) * sigma;
            sums[1] += xi * sigma;
        }
        // Second order of the midpoint rule: slopes of at most 1.5/(2 radius) times the reach.
        assert!((0..2).all(|i| (wet.shares[i] - sums[i]).abs() < 1e-7), "{depths:?}: {wet:?}, {sums:?}");
        let step = 1e-6;
        for j in 0..2 {
            let at = |moved: f64| {
                let mut depths = depths;
                depths[j] += moved;
                depths
            };
            let energy = (wet_energy(at(step), radius) - wet_energy(at(-step), radius)) / (2.0 * step);
            assert!((energy - wet.shares[j]).abs() < 1e-8, "{depths:?}: {energy}");
            if let Some(slopes) = wet.slopes {
                for i in 0..2 {
                    let [to, from] = [step, -step].map(|moved| super::water::wet(at(moved), radius).shares[i]);
                    assert!(((to - from) / (2.0 * step) - slopes[i][j]).abs() < 1e-5);
                }
            }
        }
    }
}

#[test]
fn a_point_half_in_the_water_floats_as_a_sphere() {
    let point = WetPoint { volume: 4.0 / 3.0 * std::f64::consts::PI, cda: 0.0, ca: 0.5, on_body: false };
    let water = Water { density: 1000.0, ..Water::default() };
    let zero = Vec3::zeros();
    for height in [-0.7, 0.0, 0.4] {
        let found = point.residual(height, &zero, &Vec3::x(), &GRAVITY, &water, None);
        // Cap of a unit sphere, h = 1 - height.
        let h = 1.0 - height;
        let cap = std::f64::consts::PI * h * h * (3.0 - h) / 3.0;
        assert!((found.residual - Vec3::new(500.0 * cap, 0.0, -9810.0 * cap)).norm() < 1e-8);
        assert!((found.mass - 500.0 * cap).abs() < 1e-9);
        let step = 1e-5;
        let [up, down] = [step, -step].map(|moved| point.energy(height + moved, GRAVITY.z, &water, 0.0));
        assert!(((up - down) / (2.0 * step) - found.residual.z).abs() < 1e-5 * 9810.0 * cap);
    }
    assert_eq!(point.residual(2.0, &zero, &zero, &GRAVITY, &water, None).residual, zero);
}

#[test]
fn tangents_of_points_are_those_of_differences() {
    let water =
        Water { density: 1025.0, current: vec![(-5.0, [1.0, 0.3, 0.1]), (5.0, [-0.2, 0.5, 0.0])], ..Water::default() };
    let point = WetPoint { volume: 0.8, cda: 1.7, ca: 0.6, on_body: false };
    let mut random = Random(8);
    for height in [-3.0, -0.2, 0.3] {
        let fluid = Fluid {
            velocity: random.vector(1.0).into(),
            acceleration: random.vector(1.0).into(),
            elevation: 0.1 * random.next(),
        };
        let (v, a) = (random.vector(1.0), random.vector(1.0));
        let at = |height, v: &Vec3, a: &Vec3| point.residual(height, v, a, &GRAVITY, &water, Some(&fluid));
        let found = at(height, &v, &a);
        let step = 1e-6;
        let scale = found.damping.amax() + found.stiffness.amax();
        let by_height = (at(height + step, &v, &a).residual - at(height - step, &v, &a).residual) / (2.0 * step);
        assert!((by_height - found.stiffness.column(2)).amax() < 1e-6 * scale);
        assert!(found.stiffness.columns(0, 2).amax() == 0.0);
        for k in 0..3 {
            let e = Vec3::ith(k, step);
            let by_velocity = (at(height, &(v + e), &a).residual - at(height, &(v - e), &a).residual) / (2.0 * step);
            assert!((by_velocity - found.damping.column(k)).amax() < 1e-6 * scale);
            let by_acceleration = (at(height, &v, &(a + e)).residual - at(height, &v, &(a - e)).residual) / 2e-6;
            assert!((by_acceleration - Vec3::ith(k, found.mass)).amax() < 1e-6 * scale);
        }
    }
}
