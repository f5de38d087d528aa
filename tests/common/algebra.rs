//! Vectors, quaternions (w x y z, active, body to inertial) and dense linear systems for the
//! references.

/// A vector.
pub type V3 = [f64; 3];
/// A unit quaternion w x y z.
pub type Quat = [f64; 4];
/// A 3x3 matrix, rows.
pub type M3 = [[f64; 3]; 3];
/// A 6x6 matrix, rows.
pub type M6 = [[f64; 6]; 6];

/// No rotation.
pub const UNROTATED: Quat = [1.0, 0.0, 0.0, 0.0];
/// The pose of the inertial frame.
pub const ORIGIN: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

pub fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scale(c: f64, a: V3) -> V3 {
    [c * a[0], c * a[1], c * a[2]]
}

pub fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn norm(a: V3) -> f64 {
    dot(a, a).sqrt()
}

pub fn distance(a: V3, b: V3) -> f64 {
    norm(sub(a, b))
}

/// ~a, so that ~a b = a x b.
pub fn skew(a: V3) -> M3 {
    [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]]
}

pub fn diag(d: V3) -> M3 {
    [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]]
}

pub fn mul3(m: &M3, a: V3) -> V3 {
    m.map(|row| dot(row, a))
}

pub fn mul6(m: &M6, a: &[f64; 6]) -> [f64; 6] {
    m.map(|row| row.iter().zip(a).map(|(r, a)| r * a).sum())
}

/// First and last three components.
pub fn halves(a: [f64; 6]) -> (V3, V3) {
    ([a[0], a[1], a[2]], [a[3], a[4], a[5]])
}

pub fn join(a: V3, b: V3) -> [f64; 6] {
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

pub fn pose(x: V3, q: Quat) -> [f64; 7] {
    [x[0], x[1], x[2], q[0], q[1], q[2], q[3]]
}

pub fn unit(q: Quat) -> Quat {
    let n = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / n)
}

pub fn conjugate(q: Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

pub fn quat_mul(a: Quat, b: Quat) -> Quat {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// R(q) a.
pub fn rotate(q: Quat, a: V3) -> V3 {
    let u = [q[1], q[2], q[3]];
    let t = scale(2.0, cross(u, a));
    add(add(a, scale(q[0], t)), cross(u, t))
}

/// R(q)^T a.
pub fn unrotate(q: Quat, a: V3) -> V3 {
    rotate(conjugate(q), a)
}

/// The rotation by |a| about a.
pub fn quat_exp(a: V3) -> Quat {
    let angle = norm(a);
    if angle == 0.0 {
        return UNROTATED;
    }
    let s = (0.5 * angle).sin() / angle;
    [(0.5 * angle).cos(), s * a[0], s * a[1], s * a[2]]
}

/// R(q) as rows.
pub fn dcm(q: Quat) -> M3 {
    let c = [rotate(q, [1.0, 0.0, 0.0]), rotate(q, [0.0, 1.0, 0.0]), rotate(q, [0.0, 0.0, 1.0])];
    [[c[0][0], c[1][0], c[2][0]], [c[0][1], c[1][1], c[2][1]], [c[0][2], c[1][2], c[2][2]]]
}

/// R^T M R: a tensor given in inertial axes, seen in body axes.
pub fn to_body(q: Quat, m: &M3) -> M3 {
    let r = dcm(q);
    let mut out = [[0.0; 3]; 3];
    for (i, row) in out.iter_mut().enumerate() {
        for (j, o) in row.iter_mut().enumerate() {
            *o = (0..3).flat_map(|k| (0..3).map(move |l| (k, l))).map(|(k, l)| r[k][i] * m[k][l] * r[l][j]).sum();
        }
    }
    out
}

/// Norm of the difference of two unit quaternions as rotations (q and -q are the same).
pub fn quat_error(a: Quat, b: Quat) -> f64 {
    let d = |s: f64| (0..4).map(|i| (a[i] - s * b[i]).powi(2)).sum::<f64>().sqrt();
    d(1.0).min(d(-1.0))
}

/// Angle of the rotation from a to b (rad).
pub fn angle_between(a: Quat, b: Quat) -> f64 {
    let d = quat_mul(conjugate(a), b);
    2.0 * norm([d[1], d[2], d[3]]).atan2(d[0].abs())
}

/// Rotation vector of q, angle in [0, pi].
pub fn rotation_vector(q: Quat) -> V3 {
    let s = if q[0] < 0.0 { -1.0 } else { 1.0 };
    let v = [s * q[1], s * q[2], s * q[3]];
    let n = norm(v);
    if n == 0.0 { [0.0; 3] } else { scale(2.0 * n.atan2(s * q[0]) / n, v) }
}

/// The pose's position.
pub fn place(pose: &[f64; 7]) -> V3 {
    [pose[0], pose[1], pose[2]]
}

/// The pose's orientation.
pub fn turn(pose: &[f64; 7]) -> Quat {
    [pose[3], pose[4], pose[5], pose[6]]
}

/// Column-major form of a 6x6 matrix, as the API takes it.
pub fn columns(m: &M6) -> [f64; 36] {
    let mut out = [0.0; 36];
    for (i, row) in m.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            out[i + 6 * j] = *value;
        }
    }
    out
}

/// Diagonal 6x6 matrix, column-major.
pub fn diagonal(d: [f64; 6]) -> [f64; 36] {
    let mut out = [0.0; 36];
    for (i, value) in d.iter().enumerate() {
        out[7 * i] = *value;
    }
    out
}

/// xx yy zz xy xz yz of a symmetric tensor, as the API takes it.
pub fn six(m: &M3) -> [f64; 6] {
    [m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]]
}

/// Solution of a x = b by Gaussian elimination with row exchanges.
pub fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            if f != 0.0 {
                let (upper, lower) = a.split_at_mut(i);
                for (x, y) in lower[0][k..].iter_mut().zip(&upper[k][k..]) {
                    *x -= f * y;
                }
                b[i] -= f * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let s: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - s) / a[k][k];
    }
    b
}
