//! The numbers of the contract, and the one place where an [`Error`] becomes a status.
//!
//! Statuses are numbered in blocks: 200s the caller's mistake, 300s numerics, 400s environment,
//! 500s our bug. A retired number is kept as a comment and never reused.

use std::ffi::CStr;

use crate::Error;

/// Success.
pub const PINTLE_OK: i32 = 0;

/// A required pointer is NULL.
pub const PINTLE_ERR_NULL_ARGUMENT: i32 = 200;
/// A handle that is not a live object of its type.
pub const PINTLE_ERR_BAD_HANDLE: i32 = 201;
/// An id that the model does not have.
pub const PINTLE_ERR_BAD_ID: i32 = 202;
/// A length that does not match.
pub const PINTLE_ERR_BAD_SIZE: i32 = 203;
/// A value outside its range; the message has the range.
pub const PINTLE_ERR_BAD_VALUE: i32 = 204;
/// NaN or infinity in an argument.
pub const PINTLE_ERR_NOT_FINITE: i32 = 205;
/// The call is not allowed in the present phase, or the object is in use by a call that has not
/// returned.
pub const PINTLE_ERR_BAD_PHASE: i32 = 206;
/// The buffer is shorter than the result.
pub const PINTLE_ERR_BUFFER_TOO_SMALL: i32 = 207;
/// Part of the interface, but not supported in this version.
pub const PINTLE_ERR_UNSUPPORTED: i32 = 208;
/// Text that is not UTF-8.
pub const PINTLE_ERR_BAD_UTF8: i32 = 209;
/// Header and library have different versions.
pub const PINTLE_ERR_ABI_MISMATCH: i32 = 210;
/// Bytes or a file that are not a state or not a model, or are damaged.
pub const PINTLE_ERR_FORMAT: i32 = 211;
/// The state of another model.
pub const PINTLE_ERR_FINGERPRINT: i32 = 212;

/// The iteration of a step did not converge; a smaller step may.
pub const PINTLE_ERR_NO_CONVERGENCE: i32 = 300;
/// A matrix has no inverse.
pub const PINTLE_ERR_SINGULAR: i32 = 301;
/// Constraints that contradict each other.
pub const PINTLE_ERR_REDUNDANT_CONSTRAINTS: i32 = 302;
/// Initial positions or velocities that violate a joint.
pub const PINTLE_ERR_INCONSISTENT_STATE: i32 = 303;
/// A load callback returned nonzero, or numbers that are not finite.
pub const PINTLE_ERR_CALLBACK: i32 = 304;
/// Numbers are no longer finite, in a step or in a result, or a step diverged.
pub const PINTLE_ERR_UNSTABLE: i32 = 305;
/// The progress callback stopped the call; nothing has changed.
pub const PINTLE_ERR_STOPPED: i32 = 306;

/// The operating system refused to read or write.
pub const PINTLE_ERR_IO: i32 = 400;
/// No memory.
pub const PINTLE_ERR_OUT_OF_MEMORY: i32 = 401;

/// A bug of this library, caught; the system is in phase FAILED.
pub const PINTLE_ERR_PANIC: i32 = 500;

/// The model is being described.
pub const PINTLE_PHASE_BUILDING: i32 = 0;
/// Initialized; no step is pending.
pub const PINTLE_PHASE_READY: i32 = 1;
/// A trial step is pending: accept it, reject it, or advance again.
pub const PINTLE_PHASE_TRIAL: i32 = 2;
/// A panic was caught: getters of the accepted state, restore and destroy work.
pub const PINTLE_PHASE_FAILED: i32 = 3;

/// Given in the axes of the inertial frame I.
pub const PINTLE_FRAME_INERTIAL: i32 = 0;
/// Given in the axes of the body concerned, which turn with it: of a marker the body that it is on,
/// of a reaction in a joint the body that it acts on; not those of the marker or of the joint
/// frame.
pub const PINTLE_FRAME_BODY: i32 = 1;

/// No freedom.
pub const PINTLE_JOINT_FIXED: i32 = 0;
/// The origins of both frames coincide.
pub const PINTLE_JOINT_SPHERICAL: i32 = 1;
/// Turns about z.
pub const PINTLE_JOINT_REVOLUTE: i32 = 2;
/// Slides along z.
pub const PINTLE_JOINT_PRISMATIC: i32 = 3;
/// Turns about z and slides along it.
pub const PINTLE_JOINT_CYLINDRICAL: i32 = 4;
/// Origins coincide, x of frame a stays perpendicular to y of frame b.
pub const PINTLE_JOINT_UNIVERSAL: i32 = 5;
/// The origin of b stays in the xy plane of a, z axes parallel.
pub const PINTLE_JOINT_PLANAR: i32 = 6;
/// Turns about z and slides along it, tied by the pitch.
pub const PINTLE_JOINT_SCREW: i32 = 7;
/// The origins keep their initial distance.
pub const PINTLE_JOINT_DISTANCE: i32 = 8;
/// The origin of b stays on the z axis of a; rotations are free.
pub const PINTLE_JOINT_POINT_ON_LINE: i32 = 9;
/// The origin of b stays in the xy plane of a; rotations are free.
pub const PINTLE_JOINT_POINT_ON_PLANE: i32 = 10;
/// The disc of a radius about the origin of b, normal to z of frame b, rolls without slip on the xy
/// plane of a, on the side of z.
pub const PINTLE_JOINT_ROLLING: i32 = 11;

/// A spring and a damper that do not pull.
pub const PINTLE_STOP_SPRING: i32 = 0;
/// Velocities jump, with Newton's restitution; a spring carries what rests.
pub const PINTLE_STOP_IMPULSE: i32 = 1;
/// A spring with the damping that gives the restitution.
pub const PINTLE_STOP_RESTITUTION: i32 = 2;

/// A contact of a sphere with a plane.
pub const PINTLE_CONTACT_PLANE: i32 = 0;
/// A contact of a sphere with a sphere.
pub const PINTLE_CONTACT_SPHERE: i32 = 1;
/// A contact of a sphere with the inside of a sphere.
pub const PINTLE_CONTACT_HOLLOW: i32 = 2;

/// A stop or a contact closes.
pub const PINTLE_EVENT_CLOSES: i32 = 0;
/// A stop or a contact opens.
pub const PINTLE_EVENT_OPENS: i32 = 1;
/// Velocities jump: a stop or a contact is hit, or a brake locks.
pub const PINTLE_EVENT_HITS: i32 = 2;
/// Friction holds.
pub const PINTLE_EVENT_STICKS: i32 = 3;
/// Friction gives way, or changes its direction.
pub const PINTLE_EVENT_SLIPS: i32 = 4;
/// A joint breaks.
pub const PINTLE_EVENT_BREAKS: i32 = 5;

/// The status of an error.
pub(super) fn of(error: &Error) -> i32 {
    match error {
        Error::NullArgument { .. } => PINTLE_ERR_NULL_ARGUMENT,
        Error::BadHandle { .. } => PINTLE_ERR_BAD_HANDLE,
        Error::BadId { .. } => PINTLE_ERR_BAD_ID,
        Error::BadSize { .. } => PINTLE_ERR_BAD_SIZE,
        Error::BadValue { .. } => PINTLE_ERR_BAD_VALUE,
        Error::NotFinite { .. } => PINTLE_ERR_NOT_FINITE,
        Error::BadPhase { .. } => PINTLE_ERR_BAD_PHASE,
        Error::BufferTooSmall { .. } => PINTLE_ERR_BUFFER_TOO_SMALL,
        Error::BadUtf8 { .. } => PINTLE_ERR_BAD_UTF8,
        Error::AbiMismatch { .. } => PINTLE_ERR_ABI_MISMATCH,
        Error::Format { .. } => PINTLE_ERR_FORMAT,
        Error::Fingerprint { .. } => PINTLE_ERR_FINGERPRINT,
        Error::NoConvergence { .. } | Error::NoEquilibrium { .. } | Error::TooFar { .. } => PINTLE_ERR_NO_CONVERGENCE,
        Error::Singular { .. } => PINTLE_ERR_SINGULAR,
        Error::RedundantConstraints { .. } => PINTLE_ERR_REDUNDANT_CONSTRAINTS,
        Error::InconsistentState { .. } => PINTLE_ERR_INCONSISTENT_STATE,
        Error::Callback { .. } => PINTLE_ERR_CALLBACK,
        Error::Stopped { .. } => PINTLE_ERR_STOPPED,
        Error::Unsupported { .. } => PINTLE_ERR_UNSUPPORTED,
        Error::Unstable { .. } | Error::Diverged { .. } | Error::Torn { .. } | Error::Overflow { .. } => {
            PINTLE_ERR_UNSTABLE
        }
        Error::InFile { cause, .. } => of(cause),
        Error::Io { .. } => PINTLE_ERR_IO,
        Error::OutOfMemory { .. } => PINTLE_ERR_OUT_OF_MEMORY,
        Error::Panic { .. } => PINTLE_ERR_PANIC,
    }
}

/// The name of a status, as in the header; `PINTLE_ERR_UNKNOWN` for what this version does not
/// know.
pub(super) fn name(status: i32) -> &'static CStr {
    match status {
        PINTLE_OK => c"PINTLE_OK",
        PINTLE_ERR_NULL_ARGUMENT => c"PINTLE_ERR_NULL_ARGUMENT",
        PINTLE_ERR_BAD_HANDLE => c"PINTLE_ERR_BAD_HANDLE",
        PINTLE_ERR_BAD_ID => c"PINTLE_ERR_BAD_ID",
        PINTLE_ERR_BAD_SIZE => c"PINTLE_ERR_BAD_SIZE",
        PINTLE_ERR_BAD_VALUE => c"PINTLE_ERR_BAD_VALUE",
        PINTLE_ERR_NOT_FINITE => c"PINTLE_ERR_NOT_FINITE",
        PINTLE_ERR_BAD_PHASE => c"PINTLE_ERR_BAD_PHASE",
        PINTLE_ERR_BUFFER_TOO_SMALL => c"PINTLE_ERR_BUFFER_TOO_SMALL",
        PINTLE_ERR_UNSUPPORTED => c"PINTLE_ERR_UNSUPPORTED",
        PINTLE_ERR_BAD_UTF8 => c"PINTLE_ERR_BAD_UTF8",
        PINTLE_ERR_ABI_MISMATCH => c"PINTLE_ERR_ABI_MISMATCH",
        PINTLE_ERR_FORMAT => c"PINTLE_ERR_FORMAT",
        PINTLE_ERR_FINGERPRINT => c"PINTLE_ERR_FINGERPRINT",
        PINTLE_ERR_NO_CONVERGENCE => c"PINTLE_ERR_NO_CONVERGENCE",
        PINTLE_ERR_SINGULAR => c"PINTLE_ERR_SINGULAR",
        PINTLE_ERR_REDUNDANT_CONSTRAINTS => c"PINTLE_ERR_REDUNDANT_CONSTRAINTS",
        PINTLE_ERR_INCONSISTENT_STATE => c"PINTLE_ERR_INCONSISTENT_STATE",
        PINTLE_ERR_CALLBACK => c"PINTLE_ERR_CALLBACK",
        PINTLE_ERR_UNSTABLE => c"PINTLE_ERR_UNSTABLE",
        PINTLE_ERR_STOPPED => c"PINTLE_ERR_STOPPED",
        PINTLE_ERR_IO => c"PINTLE_ERR_IO",
        PINTLE_ERR_OUT_OF_MEMORY => c"PINTLE_ERR_OUT_OF_MEMORY",
        PINTLE_ERR_PANIC => c"PINTLE_ERR_PANIC",
        _ => c"PINTLE_ERR_UNKNOWN",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::contact::Surface;
    use crate::elements::stop::StopLaw;
    use crate::system::Change;
    use crate::{Frame, JointKind, Phase};

    #[test]
    fn constants_are_those_of_the_core() {
        let phases = [Phase::Building, Phase::Ready, Phase::Trial, Phase::Failed];
        let codes = [PINTLE_PHASE_BUILDING, PINTLE_PHASE_READY, PINTLE_PHASE_TRIAL, PINTLE_PHASE_FAILED];
        assert_eq!(phases.map(|phase| phase as i32), codes);

        assert_eq!(Frame::from_code(PINTLE_FRAME_INERTIAL), Ok(Frame::Inertial));
        assert_eq!(Frame::from_code(PINTLE_FRAME_BODY), Ok(Frame::Body));

        let laws = [PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE, PINTLE_STOP_RESTITUTION];
        assert_eq!(StopLaw::ALL.map(|law| law as i32), laws);

        let surfaces = [PINTLE_CONTACT_PLANE, PINTLE_CONTACT_SPHERE, PINTLE_CONTACT_HOLLOW];
        assert_eq!(Surface::ALL.map(|surface| surface as i32), surfaces);

        let changes = [
            (PINTLE_EVENT_CLOSES, Change::Closes),
            (PINTLE_EVENT_OPENS, Change::Opens),
            (PINTLE_EVENT_HITS, Change::Hits),
            (PINTLE_EVENT_STICKS, Change::Sticks),
            (PINTLE_EVENT_SLIPS, Change::Slips),
            (PINTLE_EVENT_BREAKS, Change::Breaks),
        ];
        for (code, change) in changes {
            assert_eq!(change as i32, code);
        }

        let kinds = [
            (PINTLE_JOINT_FIXED, JointKind::Fixed),
            (PINTLE_JOINT_SPHERICAL, JointKind::Spherical),
            (PINTLE_JOINT_REVOLUTE, JointKind::Revolute),
            (PINTLE_JOINT_PRISMATIC, JointKind::Prismatic),
            (PINTLE_JOINT_CYLINDRICAL, JointKind::Cylindrical),
            (PINTLE_JOINT_UNIVERSAL, JointKind::Universal),
            (PINTLE_JOINT_PLANAR, JointKind::Planar),
            (PINTLE_JOINT_SCREW, JointKind::Screw),
            (PINTLE_JOINT_DISTANCE, JointKind::Distance),
            (PINTLE_JOINT_POINT_ON_LINE, JointKind::PointOnLine),
            (PINTLE_JOINT_POINT_ON_PLANE, JointKind::PointOnPlane),
            (PINTLE_JOINT_ROLLING, JointKind::Rolling),
        ];
        for (code, kind) in kinds {
            assert_eq!(JointKind::from_code(code), Ok(kind));
        }
        for kind in [-1, PINTLE_JOINT_ROLLING + 1] {
            assert!(matches!(JointKind::from_code(kind), Err(Error::BadValue { .. })), "kind {kind}");
        }
    }
}
