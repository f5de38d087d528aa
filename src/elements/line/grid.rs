//! Rectangular grids that are given as lists of rows, a row for each node.

use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;

/// The coordinates along the axes of a grid, from rows that begin with the coordinates of a node:
/// the first coordinate rises fastest. `names` are those of the coordinates. Errors: not finite;
/// coordinates that do not rise; a node that is missing or not in its place.
pub(super) fn axes<const D: usize, const W: usize>(points: &[[f64; W]], names: [&str; D]) -> Result<[Vec<f64>; D]> {
    check_finite("points", points.as_flattened())?;
    let place = |of: [f64; D]| {
        let place = names.iter().zip(of).map(|(name, x)| format!("{name} = {}", Number(x)));
        place.collect::<Vec<String>>().join(", ")
    };
    let refuse = |k: usize, detail: String| {
        let place = place(std::array::from_fn(|axis| points[k][axis]));
        Err(Error::bad_value("points", format!("points[{k}] at {place}: {detail}")))
    };
    let mut strides = [1; D];
    let axes: [Vec<f64>; D] = std::array::from_fn(|axis| {
        let stride = strides[axis];
        let is_first = |point: &&[f64; W]| (axis + 1..D).all(|slower| point[slower] == points[0][slower]);
        let nodes: Vec<f64> = points.iter().step_by(stride).take_while(is_first).map(|point| point[axis]).collect();
        if let Some(next) = strides.get_mut(axis + 1) {
            *next = stride * nodes.len();
        }
        nodes
    });
    for (k, point) in points.iter().enumerate() {
        let node: [usize; D] = std::array::from_fn(|axis| k / strides[axis] % axes[axis].len());
        let expected = std::array::from_fn(|axis| axes[axis][node[axis]]);
        if point[..D] != expected {
            return refuse(k, format!("expected {}, row by row without holes", place(expected)));
        }
        let falls = |axis: &usize| node[*axis] > 0 && point[*axis] <= axes[*axis][node[*axis] - 1];
        if let Some(axis) = (0..D).find(falls) {
            return refuse(k, format!("{} must rise", names[axis]));
        }
    }
    let full = axes.iter().map(Vec::len).product::<usize>();
    if points.len() != full {
        let sizes = axes.iter().map(|axis| axis.len().to_string()).collect::<Vec<String>>().join(" x ");
        return refuse(points.len() - 1, format!("the last of {}, but the grid has {sizes} = {full}", points.len()));
    }
    Ok(axes)
}
