//! MoorDyn's angles of bodies: about x, the new y, the new z, so that R = Rx Ry Rz.

/// Position and quaternion of a body from position and angles.
pub fn pose(r: [f64; 6]) -> [f64; 7] {
    let [x, y, z, a, b, c] = r;
    let [(sa, ca), (sb, cb), (sc, cc)] = [a, b, c].map(|angle| (0.5 * angle).sin_cos());
    let [w, i, j, k] = product(product([ca, sa, 0.0, 0.0], [cb, 0.0, sb, 0.0]), [cc, 0.0, 0.0, sc]);
    [x, y, z, w, i, j, k]
}

/// The product of two quaternions: the second rotation, and then the first.
pub fn product([a, b, c, d]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

/// A pose that is carried along with another body from one of its poses to the next.
pub fn carried(pose: [f64; 7], [before, after]: [[f64; 7]; 2]) -> [f64; 7] {
    let [.., w, x, y, z] = before;
    let [.., a, b, c, d] = after;
    let turn = product([a, b, c, d], [w, -x, -y, -z]);
    let r = matrix(turn);
    let [.., w, x, y, z] = pose;
    let q = product(turn, [w, x, y, z]);
    let arm: [f64; 3] = std::array::from_fn(|k| pose[k] - before[k]);
    let place = |i: usize| after[i] + r[i].iter().zip(arm).map(|(r, arm)| r * arm).sum::<f64>();
    [place(0), place(1), place(2), q[0], q[1], q[2], q[3]]
}

/// The rotation matrix of a quaternion, by rows.
pub fn matrix([w, x, y, z]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Position and angles of a body from position and quaternion.
pub fn place(pose: [f64; 7]) -> [f64; 6] {
    let [x, y, z, q @ ..] = pose;
    let r = matrix(q);
    let a = (-r[1][2]).atan2(r[2][2]);
    let b = r[0][2].atan2(r[0][0].hypot(r[0][1]));
    let c = (-r[0][1]).atan2(r[0][0]);
    [x, y, z, a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_return_from_quaternions() {
        for angles in [[0.0; 3], [0.3, -0.7, 2.1], [-2.9, 1.2, -0.4]] {
            let [a, b, c] = angles;
            let back = place(pose([1.0, 2.0, 3.0, a, b, c]));
            for (back, given) in back.iter().zip([1.0, 2.0, 3.0, a, b, c]) {
                assert!((back - given).abs() < 1e-14, "{angles:?}: {back} for {given}");
            }
        }
        // A quarter turn about x, then one about the new z (the old -y): x becomes the old z.
        let quarter = std::f64::consts::FRAC_PI_2;
        let [.., w, x, y, z] = pose([0.0, 0.0, 0.0, quarter, 0.0, quarter]);
        let r = matrix([w, x, y, z]);
        assert!((r[2][0] - 1.0).abs() < 1e-15 && r[0][0].abs() < 1e-15, "{r:?}");
    }
}
