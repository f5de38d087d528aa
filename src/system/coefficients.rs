//! The three coefficients of the matrix of an evaluation: for a step, for accelerations, for an
//! analysis.

/// Factors with which mass, damping and stiffness enter the iteration matrix
/// `[c_m M + c_g G + c_k (K + K_Phi) T^T, B^T; B T^T, 0]`. They contain the scaling D_L of Bottasso
/// et al. (2008); the unknowns of the columns B^T are the multipliers times the same factor, as
/// with D_R.
#[derive(Debug, Clone, Copy)]
pub struct Coefficients {
    /// c_m.
    pub mass: f64,
    /// c_g.
    pub damping: f64,
    /// c_k; zero where only accelerations are wanted.
    pub stiffness: f64,
}
