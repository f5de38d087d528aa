//! A disc that rolls on a plane: the lowest point of its rim stays in the plane, and the two bodies
//! have the same velocity there.
//!
//! With n the normal of the plane, z the axis of the disc, and d = n - (n . z) z, the lowest point
//! is at `rho = -r d/|d|` from the centre of the disc. The gradients of all three equations have
//! the form `e . (velocity of b - velocity of a)` at that point: along the heading
//! `t = z x d/|d|` of the disc, sideways along n x t, and along n, where rho does not contribute
//! because rho . n is least at the lowest point. The third is the rate of the height; the first two
//! are not the rates of any function of the positions (Neimark, Fufaev, Dynamics of Nonholonomic
//! Systems, 1972, ch. 1). Axes that follow the heading keep the equations of wheels on one axle
//! dependent or independent while they turn.

use super::scalar::Scalar;
use super::{Index, JointElement, Level, Primitive, Row, Tangents, acceleration, rate};
use crate::linear::Assemble;
use crate::spatial::{Mat3, Mat6, Vec3, add_block, join, skew, skew_mul, skew_skew};
use crate::system::assembly::Assembly;
use crate::system::motion::Motion;

/// Row of the height; those before it are slips.
pub const HEIGHT: usize = 2;

/// A plane on body a and a disc on body b.
#[derive(Debug, Clone)]
pub struct Rolling {
    /// A point of the plane, on body a.
    pub a: Vec3,
    /// The normal of the plane, on body a.
    pub normal: Vec3,
    /// The centre of the disc, on body b.
    pub b: Vec3,
    /// The axis of the disc, on body b.
    pub axis: Vec3,
    /// r.
    pub radius: f64,
}

impl Rolling {
    /// Slip along the heading, slip sideways, height. Slips have no value. NaN where the disc lies
    /// flat, and each point of its rim is the lowest.
    #[inline(never)]
    pub fn evaluate(&self, a: &Motion, b: &Motion) -> [Scalar; 3] {
        let (n, z, centre) = (a.arm(&self.normal), b.arm(&self.axis), b.arm(&self.b));
        let cosine = n.dot(&z);
        let d = n - z * cosine;
        let size = d.norm();
        let down = -d / size;
        // Changes with the rotations of a and b: of d/|d|, of the lowest point, of the directions.
        let across = (Mat3::identity() - down * down.transpose()) / size;
        let steepest = [
            across * (z * z.transpose() - Mat3::identity()) * skew(&n),
            across * (z * n.transpose() + Mat3::identity() * cosine) * skew(&z),
        ];
        let heading = down.cross(&z);
        let sideways = n.cross(&heading);
        let headings = [skew_mul(&z, &steepest[0]), skew_mul(&z, &steepest[1]) - skew_skew(&down, &z)];
        let normals = [-skew(&n), Mat3::zeros()];
        let both = [skew_mul(&n, &headings[0]) + skew_skew(&heading, &n), skew_mul(&n, &headings[1])];
        let reach_b = centre + down * self.radius;
        let reach_a = (b.x + reach_b) - a.x;
        let reaches = [-steepest[0] * self.radius, -skew(&centre) - steepest[1] * self.radius];
        let height = n.dot(&(reach_a - a.arm(&self.a)));
        [(heading, headings, 0.0), (sideways, both, 0.0), (n, normals, height)].map(|(e, changes, value)| {
            let row = Row { a: join(&-e, &e.cross(&reach_a)), b: join(&e, &reach_b.cross(&e)) };
            let mut second = [[Mat6::zeros(); 2]; 2];
            for (j, (change, reach)) in changes.iter().zip(&reaches).enumerate() {
                // d(s x e) = ~s de - ~e ds; the arm from a also moves by the displacements.
                let moment = |s: &Vec3| skew_mul(s, change) - skew_mul(&e, reach);
                let displaced = skew(&e) * [-1.0, 1.0][j];
                add_block(&mut second[0][j], 0, 1, &-change);
                add_block(&mut second[0][j], 1, 0, &displaced);
                add_block(&mut second[0][j], 1, 1, &-moment(&reach_a));
                add_block(&mut second[1][j], 0, 1, change);
                add_block(&mut second[1][j], 1, 1, &moment(&reach_b));
            }
            Scalar { value, row, second }
        })
    }

    /// gamma of `B vdot + gamma`.
    pub fn velocity_terms(&self, a: &Motion, b: &Motion) -> [f64; 3] {
        self.evaluate(a, b).map(|scalar| scalar.velocity_term(a, b))
    }
}

impl JointElement {
    /// Adds the equations of a rolling disc. In a step, whose matrix has derivatives with respect
    /// to increments, slips are imposed as velocities at its end, divided by gamma': then their
    /// gradients are B up to terms of the size of the step. Where there is no step, the disc is
    /// held as if the slips were positions.
    #[inline(never)]
    pub(super) fn assemble_rolling<A: Assemble>(&self, assembly: &mut Assembly<A>, rolling: &Rolling, lambda: &[f64]) {
        let (motions, level, ends) = (assembly.motions, assembly.level, self.ends());
        let [a, b] = ends.map(|end| &motions[end]);
        let mut stiffness = [[Mat6::zeros(); 2]; 2];
        for (k, scalar) in rolling.evaluate(a, b).iter().enumerate() {
            let Some(index) = self.indices[k].map(Index::get) else { continue };
            let velocity = rate(&scalar.row, a, b);
            match level {
                Level::Position if k != HEIGHT => {
                    let by_position = scalar.rate_gradient(a, b);
                    assembly.add_slip(index, ends, [&scalar.row, &by_position], velocity, lambda);
                }
                _ => {
                    let residual = match level {
                        Level::Position => scalar.value,
                        Level::Velocity => velocity,
                        Level::Acceleration => acceleration(&scalar.row, a, b) + scalar.velocity_term(a, b),
                    };
                    assembly.add_constraint(Some(index), ends, &scalar.row, residual, lambda);
                }
            }
            for (sum, second) in stiffness.as_flattened_mut().iter_mut().zip(scalar.second.as_flattened()) {
                *sum += second * lambda[index];
            }
        }
        assembly.add_pair(ends, &Tangents { stiffness, damping: [[Mat6::zeros(); 2]; 2] }, false);
    }

    /// The disc, if it is one that rolls.
    #[inline(always)]
    fn rolling(&self) -> Option<&Rolling> {
        match self.primitives.first() {
            Some(Primitive::Rolling(rolling)) => Some(rolling),
            _ => None,
        }
    }

    /// Indices of its slips among the independent constraints.
    pub(in crate::system) fn slips(&self) -> impl Iterator<Item = Index> {
        let count = if self.rolling().is_some() { HEIGHT } else { 0 };
        self.indices[..count].iter().flatten().copied()
    }

    /// Whether it is a disc that rolls.
    pub(in crate::system) fn rolls(&self) -> bool {
        self.rolling().is_some()
    }

    /// The axis of the disc seen from body a, and the sine of its angle with the normal of the
    /// plane: 0 where the disc lies flat.
    pub(in crate::system) fn lean(&self, [a, b]: [&Motion; 2]) -> Option<(Vec3, f64)> {
        let rolling = self.rolling()?;
        let (n, z) = (a.arm(&rolling.normal), b.arm(&rolling.axis));
        Some((a.r.tr_mul(&z), n.cross(&z).norm()))
    }

    /// Largest slip that was left out because it followed from other constraints where the model
    /// was initialized, and the speed of the disc that it is compared with.
    pub(in crate::system) fn left_out_slip(&self, [a, b]: [&Motion; 2]) -> Option<[f64; 2]> {
        let rolling = self.rolling().filter(|_| self.indices[..HEIGHT].contains(&None))?;
        let mut largest = 0.0f64;
        for (scalar, index) in rolling.evaluate(a, b).iter().zip(&self.indices[..HEIGHT]) {
            if index.is_none() {
                largest = largest.max(rate(&scalar.row, a, b).abs());
            }
        }
        Some([largest, (b.omega - a.omega).norm() * rolling.radius])
    }
}
