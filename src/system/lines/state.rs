//! Forces of lines in a state, and mean tensions of a step, which the host reads.

use super::LineElement;

/// Forces of lines at a state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineForces {
    /// Tension of the segments of all lines.
    pub tensions: Vec<f64>,
    /// Forces of the ends of each line on their carriers, without inertia; inertial axes.
    pub end_forces: Vec<[[f64; 3]; 2]>,
    /// Mean tensions over the last step of the host: of the end segments of each line, at A and B,
    /// then of each spring.
    pub means: Vec<f64>,
}

impl LineForces {
    /// Zero forces.
    pub fn zeros(lines: &[LineElement], springs: usize) -> LineForces {
        let segments = lines.last().map_or(0, |line| line.segments.end);
        let means = vec![0.0; 2 * lines.len() + springs];
        LineForces { tensions: vec![0.0; segments], end_forces: vec![[[0.0; 3]; 2]; lines.len()], means }
    }

    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, LineForces { tensions, end_forces, means }: &LineForces) {
        self.means.clone_from(means);
        self.tensions.clone_from(tensions);
        self.end_forces.clone_from(end_forces);
    }
}
