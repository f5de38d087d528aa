//! The axes in which the host gives vectors and matrices.

use crate::error::{Error, Result};

/// Axes in which a vector or a 6x6 matrix is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Inertial axes.
    Inertial = 0,
    /// Body axes.
    Body = 1,
}

impl Frame {
    /// The name that model files know.
    pub fn name(self) -> &'static str {
        match self {
            Frame::Inertial => "inertial",
            Frame::Body => "body",
        }
    }

    /// From that name; the error lists the known ones.
    pub fn from_name(name: &str) -> Result<Frame> {
        [Frame::Inertial, Frame::Body]
            .into_iter()
            .find(|frame| frame.name() == name)
            .ok_or_else(|| Error::bad_value("frame", format!("\"{name}\" is unknown; known: inertial, body")))
    }

    /// From the C API's number.
    pub fn from_code(code: i32) -> Result<Frame> {
        match code {
            0 => Ok(Frame::Inertial),
            1 => Ok(Frame::Body),
            _ => Err(Error::bad_value("frame", format!("{code} is neither 0 (inertial) nor 1 (body)"))),
        }
    }
}
