//! Forces of lines in a state, which the host reads.

use super::LineElement;

/// Forces of lines at a state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineForces {
    /// Tension of the segments of all lines.
    pub tensions: Vec<f64>,
    /// Forces of the ends of each line on their carriers, without inertia; inertial axes.
    pub end_forces: Vec<[[f64; 3]; 2]>,
}

impl LineForces {
    /// Zero forces.
    pub fn zeros(lines: &[LineElement]) -> LineForces {
        let segments = lines.last().map_or(0, |line| line.segments.end);
        LineForces { tensions: vec![0.0; segments], end_forces: vec![[[0.0; 3]; 2]; lines.len()] }
    }

    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, LineForces { tensions, end_forces }: &LineForces) {
        self.tensions.clone_from(tensions);
        self.end_forces.clone_from(end_forces);
    }
}
