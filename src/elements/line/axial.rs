//! Tension of a segment: EA or a table over the strain, and damping over the strain rate.
//!
//! A line does not push: its tension is zero where it is slack. Its damping stays: were it switched
//! off there, the force would jump by the damping, and Newton's iteration would go to and fro over
//! the jump.

use std::sync::Arc;

use super::LineType;
use super::lanes::Two;
use super::syrope::{Curves, Syrope};
use super::table::{Slope, Table, at, integral, stretched};
use super::viscoelastic::{Pairs, Viscoelastic};

/// What a segment answers to strain and strain rate.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axial {
    tension: Law,
    damping: Damping,
    viscoelastic: Option<Viscoelastic>,
    syrope: Option<Syrope>,
}

/// Tension over strain.
#[derive(Debug, Clone, PartialEq)]
enum Law {
    /// EA.
    Linear(f64),
    /// Its table.
    Table(Arc<Table>),
}

/// Damping force over strain rate.
#[derive(Debug, Clone, PartialEq)]
enum Damping {
    /// BA.
    Linear(f64),
    /// BA as a fraction of `l sqrt(EA w)`, the critical damping of a segment.
    Fraction(f64),
    /// Its table, which begins at zero.
    Table(Arc<Table>),
}

/// Those of two segments.
#[inline(always)]
fn both([first, second]: [Slope; 2]) -> (Two, Two) {
    (Two::new([first.0, second.0]), Two::new([first.1, second.1]))
}

impl Axial {
    /// Of a type of lines.
    pub(super) fn new(line_type: &LineType) -> Axial {
        let tension = match &line_type.tension {
            Some(table) => Law::Table(table.clone()),
            None => Law::Linear(line_type.ea),
        };
        let damping = match &line_type.damping {
            Some(table) => Damping::Table(from_zero(table)),
            None if line_type.ba < 0.0 => Damping::Fraction(-line_type.ba),
            None => Damping::Linear(line_type.ba),
        };
        Axial { tension, damping, viscoelastic: line_type.viscoelastic, syrope: line_type.syrope }
    }

    /// BA of a segment of unstretched length l and mass w per length; None where a table says.
    #[inline]
    pub(super) fn damping_constant(&self, mass: f64, l: f64) -> Option<f64> {
        match self.damping {
            Damping::Linear(ba) => Some(ba),
            Damping::Fraction(fraction) => Some(fraction * l * (self.stiffness() * mass).sqrt()),
            Damping::Table(_) => None,
        }
    }

    /// The pairs of springs and dashpots of a viscoelastic segment; None of others.
    #[inline]
    pub(super) fn pairs(&self, mass: f64, l: f64) -> Option<Pairs<'_>> {
        let slow = self.damping_constant(mass, l).unwrap_or(0.0);
        let curves = match (&self.tension, self.syrope) {
            (Law::Table(original), Some(law)) => Some(Curves::new(original, law)),
            _ => None,
        };
        self.viscoelastic.map(|law| Pairs::new(law, self.stiffness(), slow, curves))
    }

    /// EA at small strain, the static one where there are two.
    pub(super) fn stiffness(&self) -> f64 {
        match &self.tension {
            Law::Linear(ea) => *ea,
            Law::Table(table) => at(table, 0.0).1,
        }
    }

    /// EA that statics start with: that at small strain, or up to the last point of a table that
    /// begins without any.
    pub(super) fn stretching(&self) -> f64 {
        match &self.tension {
            Law::Table(table) if self.stiffness() == 0.0 => table.y[table.y.len() - 1] / table.x[table.x.len() - 1],
            _ => self.stiffness(),
        }
    }

    /// Tension at a strain, and its slope. A table's first piece goes on below its first point, but
    /// not below zero.
    #[inline]
    pub(super) fn tension(&self, strain: f64) -> Slope {
        match &self.tension {
            Law::Linear(ea) if strain > 0.0 => (ea * strain, *ea),
            Law::Linear(_) => (0.0, 0.0),
            Law::Table(table) => stretched(table, strain),
        }
    }

    /// Damping force at a strain rate, where a table says, and its slope: odd in the rate.
    #[inline]
    pub(super) fn damping(&self, rate: f64, constant: Option<f64>) -> Slope {
        match (&self.damping, constant) {
            (_, Some(ba)) => (ba * rate, ba),
            (Damping::Table(table), None) => {
                let (force, slope) = at(table, rate.abs());
                (if rate < 0.0 { -force } else { force }, slope)
            }
            _ => (0.0, 0.0),
        }
    }

    /// Tensions of two segments.
    #[inline(always)]
    pub(super) fn tensions(&self, strain: Two) -> (Two, Two) {
        if let Law::Linear(ea) = &self.tension {
            let (ea, stretched) = (Two::splat(*ea), strain.simd_gt(Two::ZERO));
            return ((ea * strain) & stretched, ea & stretched);
        }
        both(strain.to_array().map(|strain| self.tension(strain)))
    }

    /// Damping forces of two segments.
    #[inline(always)]
    pub(super) fn dampings(&self, rate: Two, constant: Option<f64>) -> (Two, Two) {
        match constant {
            Some(ba) => (Two::splat(ba) * rate, Two::splat(ba)),
            None => both(rate.to_array().map(|rate| self.damping(rate, constant))),
        }
    }

    /// Sets EA, where it is the only law.
    pub(super) fn set_stiffness(&mut self, stiffness: f64) {
        if let (Law::Linear(ea), None) = (&mut self.tension, &self.viscoelastic) {
            *ea = stiffness;
        }
    }

    /// EA, where it is the only law.
    #[inline(always)]
    pub(super) fn linear(&self) -> Option<f64> {
        if let (Law::Linear(ea), None) = (&self.tension, &self.viscoelastic) { Some(*ea) } else { None }
    }

    /// Elastic energy per unstretched length: the integral of the tension from zero strain.
    pub(super) fn energy(&self, strain: f64) -> f64 {
        self.work(0.0, strain)
    }

    /// The integral of the tension between two strains.
    pub(super) fn work(&self, from: f64, to: f64) -> f64 {
        match &self.tension {
            Law::Linear(ea) => 0.5 * ea * (to.max(0.0).powi(2) - from.max(0.0).powi(2)),
            Law::Table(table) => integral(table, from, to),
        }
    }

    /// Largest EA of all strains.
    pub(super) fn stiffest(&self) -> f64 {
        match (&self.tension, &self.viscoelastic) {
            (Law::Linear(ea), None) => *ea,
            (Law::Linear(ea), Some(law)) => law.stiffest(0.1 * ea),
            (Law::Table(table), Some(law)) => law.stiffest(table.y[table.y.len() - 1]),
            (Law::Table(table), None) => steepest(table),
        }
    }

    /// Largest EA and BA of all strains and rates.
    pub(super) fn largest(&self, mass: f64, l: f64) -> (f64, f64) {
        let stiffness = self.stiffest();
        let damping = match &self.damping {
            Damping::Table(table) => steepest(table),
            _ => self.damping_constant(mass, l).unwrap_or(0.0),
        };
        // Dashpots in series.
        let damping = match &self.viscoelastic {
            Some(law) if damping > 0.0 => damping * law.damping / (damping + law.damping),
            _ => damping,
        };
        (stiffness, damping)
    }
}

/// The table from zero on: a rate of zero has no damping.
fn from_zero(table: &Arc<Table>) -> Arc<Table> {
    if table.x[0] <= 0.0 {
        return table.clone();
    }
    let with_zero = |values: &[f64]| std::iter::once(0.0).chain(values.iter().copied()).collect();
    Arc::new(Table { x: with_zero(&table.x), y: with_zero(&table.y) })
}

/// The largest slope.
fn steepest(table: &Table) -> f64 {
    let slopes = table.x.windows(2).zip(table.y.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0]));
    slopes.fold(0.0, f64::max)
}
