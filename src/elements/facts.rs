//! The facts that describe an element, told one by one under the keys that they have in model files.
//!
//! An element names its facts once ([`super::Description::facts`]). What listens decides what becomes of them: a model file
//! is written from them or read into them, a fingerprint is taken of them.

use crate::error::{Error, Result};
use crate::spatial::{Mat6, Quat, Vec3};

/// Two columns of a table, where there is one.
pub type Columns = Option<[Vec<f64>; 2]>;

/// What listens to the facts of an element. Reading changes the values, all else leaves them as they are; only reading fails.
pub trait Facts {
    /// A number. With `default` a file may leave it out.
    fn number(&mut self, key: &'static str, value: &mut f64, default: Option<f64>) -> Result<()>;

    /// A switch, off where a file does not have it.
    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<()>;

    /// A point.
    fn point(&mut self, key: &'static str, value: &mut Vec3) -> Result<()>;

    /// A frame: origin and axes.
    fn frame(&mut self, key: &'static str, origin: &mut Vec3, axes: &mut Quat) -> Result<()>;

    /// A matrix. With `default` a file may leave it out.
    fn matrix(&mut self, key: &'static str, value: &mut Mat6, default: Option<Mat6>) -> Result<()>;

    /// A table of two columns with these names, that a file may leave out.
    fn columns(&mut self, key: &'static str, names: [&'static str; 2], columns: &mut Columns) -> Result<()>;

    /// A fact that is taken in place of others, where it is there: says that a file has no other one of these.
    fn replaces(&mut self, key: &'static str, others: &[&'static str]) -> Result<()>;

    /// What an element refuses of the fact under a key, with the place where it stands.
    fn refusal(&self, key: &'static str, cause: Error) -> Error;
}

/// Collects the keys.
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

    fn point(&mut self, key: &'static str, _: &mut Vec3) -> Result<()> {
        self.note(key)
    }

    fn frame(&mut self, key: &'static str, _: &mut Vec3, _: &mut Quat) -> Result<()> {
        self.note(key)
    }

    fn matrix(&mut self, key: &'static str, _: &mut Mat6, _: Option<Mat6>) -> Result<()> {
        self.note(key)
    }

    fn columns(&mut self, key: &'static str, _: [&'static str; 2], _: &mut Columns) -> Result<()> {
        self.note(key)
    }

    fn replaces(&mut self, _: &'static str, _: &[&'static str]) -> Result<()> {
        Ok(())
    }

    fn refusal(&self, _: &'static str, cause: Error) -> Error {
        cause
    }
}
