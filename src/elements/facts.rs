//! The facts of an element: values with the keys that they have in model files.
//!
//! An element visits its facts once ([`super::Description::facts`]). The visitor writes a model
//! file, reads one, or computes a fingerprint.

use super::Sheave;
use crate::error::{Error, Result};
use crate::spatial::{Mat6, Quat, Vec3, Vec6};

/// Two columns of a table, if there is one.
pub type Columns = Option<[Vec<f64>; 2]>;

/// A visitor of the facts of an element. Only reading changes values, and only reading can fail.
pub trait Facts {
    /// A number, optional in a file if there is a `default`.
    fn number(&mut self, key: &'static str, value: &mut f64, default: Option<f64>) -> Result<()>;

    /// A switch, off if a file does not have it.
    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<()>;

    /// One of some words, the first if a file does not have it.
    fn choice(&mut self, key: &'static str, value: &mut usize, words: &[&'static str]) -> Result<()>;

    /// A point.
    fn point(&mut self, key: &'static str, value: &mut Vec3) -> Result<()>;

    /// A frame: origin and axes.
    fn frame(&mut self, key: &'static str, origin: &mut Vec3, axes: &mut Quat) -> Result<()>;

    /// A matrix, optional in a file if there is a `default`.
    fn matrix(&mut self, key: &'static str, value: &mut Mat6, default: Option<Mat6>) -> Result<()>;

    /// Force and moment, zero if a file does not have them.
    fn wrench(&mut self, key: &'static str, value: &mut Vec6) -> Result<()>;

    /// An optional table of two columns with these names.
    fn columns(&mut self, key: &'static str, names: [&'static str; 2], columns: &mut Columns) -> Result<()>;

    /// A sheave at a point; one of radius 0 if a file does not have it.
    fn sheave(&mut self, key: &'static str, value: &mut Sheave) -> Result<()>;

    /// If a file has this fact, it must not have any of `others`.
    fn replaces(&mut self, key: &'static str, others: &[&'static str]) -> Result<()>;

    /// The error for a refused fact, with the location of its key.
    fn refusal(&self, key: &'static str, cause: Error) -> Error;
}

/// Collects keys.
#[derive(Debug, Default)]
pub struct Keys(pub Vec<&'static str>);

impl Keys {
    fn note(&mut self, key: &'static str) -> Result<()> {
        self.0.push(key);
        Ok(())
    }
}

impl Facts for Keys {
    fn number(&mut self, key: &'static str, _: &mut f64, _: Option<f64>) -> Result<()> {
        self.note(key)
    }

    fn flag(&mut self, key: &'static str, _: &mut bool) -> Result<()> {
        self.note(key)
    }

    fn choice(&mut self, key: &'static str, _: &mut usize, _: &[&'static str]) -> Result<()> {
        self.note(key)
    }

    fn point(&mut self, key: &'static str, _: &mut Vec3) -> Result<()> {
        self.note(key)
    }

    fn frame(&mut self, key: &'static str, _: &mut Vec3, _: &mut Quat) -> Result<()> {
        self.note(key)
    }

    fn matrix(&mut self, key: &'static str, _: &mut Mat6, _: Option<Mat6>) -> Result<()> {
        self.note(key)
    }

    fn wrench(&mut self, key: &'static str, _: &mut Vec6) -> Result<()> {
        self.note(key)
    }

    fn columns(&mut self, key: &'static str, _: [&'static str; 2], _: &mut Columns) -> Result<()> {
        self.note(key)
    }

    fn sheave(&mut self, key: &'static str, _: &mut Sheave) -> Result<()> {
        self.note(key)
    }

    fn replaces(&mut self, _: &'static str, _: &[&'static str]) -> Result<()> {
        Ok(())
    }

    fn refusal(&self, _: &'static str, cause: Error) -> Error {
        cause
    }
}
