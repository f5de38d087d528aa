//! A current on a grid of x, y, depth and time: linear along each of them, constant beyond the
//! grid.

use super::grid::axes;
use crate::error::{Error, Result};

/// Numbers of a row: x, y, depth, time, and the velocity.
const NUMBERS: usize = 7;

/// Steps reach a time of the grid to this part of it.
const ROUNDING: f64 = 1e-9;

/// Velocities of the water at the nodes of a rectangular grid.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentGrid {
    /// x, y, depth below the mean water level and time of nodes, each rising.
    axes: [Vec<f64>; 4],
    /// Velocities, inertial axes; x rises fastest, time slowest.
    velocities: Vec<[f64; 3]>,
}

impl CurrentGrid {
    /// From rows of x, y, depth, time and velocity; x rises fastest, time slowest. Errors: no rows;
    /// not finite; coordinates that do not rise; a node that is missing or not in its place.
    pub fn new(points: &[[f64; NUMBERS]]) -> Result<CurrentGrid> {
        if points.is_empty() {
            return Err(Error::BadSize { argument: "points", given: 0, expected: "1 or more".into() });
        }
        let axes = axes(points, ["x", "y", "depth", "time"])?;
        Ok(CurrentGrid { axes, velocities: points.iter().map(|[.., u, v, w]| [*u, *v, *w]).collect() })
    }

    /// Rows of x, y, depth, time and velocity, as they were given.
    pub fn points(&self) -> impl ExactSizeIterator<Item = [f64; NUMBERS]> {
        let [xs, ys, depths, times] = &self.axes;
        let point = move |(k, [u, v, w]): (usize, &[f64; 3])| {
            let (column, k) = (k % xs.len(), k / xs.len());
            let (row, k) = (k % ys.len(), k / ys.len());
            [xs[column], ys[row], depths[k % depths.len()], times[k / depths.len()], *u, *v, *w]
        };
        self.velocities.iter().enumerate().map(point)
    }

    /// The depths, if the current is the same at all x and y.
    pub fn depths_of_profile(&self) -> Option<&[f64]> {
        let [xs, ys, depths, _] = &self.axes;
        (xs.len() == 1 && ys.len() == 1).then_some(depths)
    }

    /// Velocity and acceleration at a time and place of the host's coordinates. The acceleration is
    /// the derivative by time at a fixed place. At a time of the grid above 0 it is the mean of
    /// both sides, so that steps which end and begin there integrate its jump at second order; at
    /// time 0 a run begins, with what follows.
    pub fn motion(&self, time: f64, [x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
        let [xs, ys, depths, times] = &self.axes;
        let corners = [between(xs, x), between(ys, y), between(depths, -z)];
        let layer = |of_time: usize| {
            let mut sum = [0.0; 3];
            for corner in 0..8 {
                let (mut weight, mut node, mut stride) = (1.0, 0, 1);
                for (k, axis) in [xs, ys, depths].into_iter().enumerate() {
                    let ((lower, part), is_upper) = (corners[k], corner >> k & 1);
                    weight *= if is_upper == 1 { part } else { 1.0 - part };
                    node += (lower + is_upper) * stride;
                    stride *= axis.len();
                }
                if weight > 0.0 {
                    let velocity = &self.velocities[of_time * stride + node];
                    sum.iter_mut().zip(velocity).for_each(|(sum, u)| *sum += weight * u);
                }
            }
            sum
        };
        let (before, part) = between(times, time);
        let from = layer(before);
        // Per time, over the interval that begins at a node of the grid.
        let slope = |node: usize| match (times.get(node), times.get(node + 1)) {
            (Some(start), Some(end)) => {
                let (u, next) = (layer(node), layer(node + 1));
                std::array::from_fn(|k| (next[k] - u[k]) / (end - start))
            }
            _ => [0.0; 3],
        };
        let is_at = |node: &usize| times.get(*node).is_some_and(|at| *at > 0.0 && (time - at).abs() <= ROUNDING * at);
        if let Some(node) = [before, before + 1].into_iter().find(is_at) {
            let former = node.checked_sub(1).map_or([0.0; 3], slope);
            let next = slope(node);
            return [layer(node), std::array::from_fn(|k| 0.5 * (former[k] + next[k]))];
        }
        let is_inside = times[0] <= time && time < times[times.len() - 1];
        let acceleration = if is_inside { slope(before) } else { [0.0; 3] };
        let velocity = if part > 0.0 {
            let to = layer(before + 1);
            std::array::from_fn(|k| (1.0 - part) * from[k] + part * to[k])
        } else {
            from
        };
        [velocity, acceleration]
    }
}

/// The node before a place of an axis, and the part of the way from there to the next node: 0
/// beyond the ends.
fn between(axis: &[f64], x: f64) -> (usize, f64) {
    let before = axis.partition_point(|node| *node <= x).saturating_sub(1);
    let part = axis.get(before + 1).map_or(0.0, |next| (x - axis[before]) / (next - axis[before]));
    (before, part.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const XS: [f64; 3] = [-4.0, 1.0, 2.5];
    const YS: [f64; 2] = [-1.0, 3.0];
    const DEPTHS: [f64; 3] = [0.0, 5.0, 11.0];
    const TIMES: [f64; 3] = [0.0, 2.0, 7.0];

    fn grid(velocity: impl Fn([f64; 4]) -> [f64; 3]) -> Vec<[f64; 7]> {
        let mut points = Vec::new();
        for time in TIMES {
            for depth in DEPTHS {
                for y in YS {
                    for x in XS {
                        let [u, v, w] = velocity([x, y, depth, time]);
                        points.push([x, y, depth, time, u, v, w]);
                    }
                }
            }
        }
        points
    }

    /// Linear along each axis.
    fn flow([x, y, depth, time]: [f64; 4]) -> [f64; 3] {
        [(1.0 + 0.3 * x) * (2.0 - 0.5 * y) * (1.0 - 0.05 * depth) * (0.2 + 0.4 * time), x * time - depth, y * depth]
    }

    /// What is linear along each axis is met to rounding, with its derivative by time.
    #[test]
    fn currents_that_are_linear_along_each_axis_are_met() {
        let current = CurrentGrid::new(&grid(flow)).unwrap();
        for [x, y, depth, time] in
            [[-3.0, 0.5, 4.0, 1.0], [2.0, 2.9, 10.0, 6.5], [1.0, -1.0, 5.0, 0.0], [2.5, 3.0, 11.0, 3.0]]
        {
            let [velocity, acceleration] = current.motion(time, [x, y, -depth]);
            let (now, later) = (flow([x, y, depth, time]), flow([x, y, depth, time + 1.0]));
            for k in 0..3 {
                assert!((velocity[k] - now[k]).abs() < 1e-13, "{velocity:?} {now:?}");
                assert!((acceleration[k] - (later[k] - now[k])).abs() < 1e-13, "{acceleration:?} {now:?} {later:?}");
            }
        }
    }

    #[test]
    fn currents_are_constant_beyond_the_grid() {
        let current = CurrentGrid::new(&grid(flow)).unwrap();
        for ([x, y, depth, time], nearest) in [
            ([-9.0, 4.0, 20.0, 1.0], [-4.0, 3.0, 11.0, 1.0]),
            ([3.0, -2.0, -3.0, 3.0], [2.5, -1.0, 0.0, 3.0]),
            ([1.5, 0.5, 7.0, -5.0], [1.5, 0.5, 7.0, 0.0]),
            ([1.5, 0.5, 7.0, 1e9], [1.5, 0.5, 7.0, 7.0]),
        ] {
            let [velocity, acceleration] = current.motion(time, [x, y, -depth]);
            let right = flow(nearest);
            assert!((0..3).all(|k| (velocity[k] - right[k]).abs() < 1e-13), "{velocity:?} {right:?}");
            assert!(time == nearest[3] || acceleration == [0.0; 3], "{acceleration:?}");
        }
    }

    /// At a time of the grid the acceleration is the mean of both sides, also where rounding misses
    /// the time; at time 0 it is that of what follows.
    #[test]
    fn accelerations_at_times_of_the_grid_are_means() {
        let speed = |[_, _, _, time]: [f64; 4]| [if time == 2.0 { 6.0 } else { 0.0 }, 0.0, 0.0];
        let current = CurrentGrid::new(&grid(speed)).unwrap();
        let at = |time: f64| current.motion(time, [0.0, 0.0, -1.0]).map(|vector| vector[0]);
        let [speed, acceleration] = at(0.0);
        assert!(speed == 0.0 && (acceleration - 3.0).abs() < 1e-14, "{acceleration}");
        assert_eq!(at(-1e-12), [0.0, 0.0]);
        for time in [2.0, 2.0 - 4e-16, 2.0 + 4e-16] {
            let [speed, acceleration] = at(time);
            assert!((speed - 6.0).abs() < 1e-14 && (acceleration - 0.5 * (3.0 - 1.2)).abs() < 1e-14, "{acceleration}");
        }
        assert!((at(1.999)[1] - 3.0).abs() < 1e-14 && (at(2.001)[1] + 1.2).abs() < 1e-14);
        assert!((at(7.0)[1] + 0.6).abs() < 1e-14 && at(7.001) == [0.0, 0.0]);
    }

    #[test]
    fn rows_come_back_and_holes_are_refused() {
        let whole = grid(flow);
        let current = CurrentGrid::new(&whole).unwrap();
        assert_eq!(current.points().collect::<Vec<_>>(), whole);
        assert_eq!(current.depths_of_profile(), None);
        let refusal = |points: &[[f64; 7]]| CurrentGrid::new(points).unwrap_err().to_string();
        assert!(refusal(&whole[..53]).contains("points[52] at x = 1, y = 3, depth = 11, time = 7: the last of 53"));
        let mut hole = whole.clone();
        hole.remove(20);
        let said = refusal(&hole);
        assert!(said.contains("points[20] at x = -4, y = 3, depth = 0, time = 2: expected x = 2.5, y = -1"), "{said}");
        assert!(refusal(&[]).contains("1 or more"));
        let single = CurrentGrid::new(&whole[..1]).unwrap();
        assert_eq!(single.depths_of_profile(), Some(&[0.0][..]));
        assert_eq!(single.motion(3.0, [9.0; 3])[0], flow([-4.0, -1.0, 0.0, 0.0]));
    }
}
