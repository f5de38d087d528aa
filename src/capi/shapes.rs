//! Shapes: how bodies look. They have no mass and no forces, and are part of neither fingerprints
//! nor states; model files have them, and programs that draw read them.

use std::ffi::c_char;

use super::boundary::{
    inputs, on, optional_output, pintle_system, scalar_output, text, text_output, with_system, with_system_mut,
};
use crate::simulation::{shape as shape_of, shapes};
use crate::{Error, Shape, ShapeKind, add_shape};

/// Adds a shape: how a body looks on the pages of `pintle view`, in ParaView and in other programs
/// that draw (docs/view.md). It has no mass and no forces, and is part of neither the fingerprint
/// of the model nor its states. pintle_save_model writes it, pintle_load_model reads it. A body may
/// have several; one without has the box of its inertia. Numbers are in the axes of the body
/// (ground: in I):
///
/// - "box": size x y z of its edges, frame (x y z, then qw qx qy qz) with its centre and axes: n =
///   10
/// - "cylinder", "capsule": end_a (x y z), end_b (x y z), diameter: n = 7; ends of a capsule are
///   the centres of its half spheres
/// - "sphere": position (x y z) of its centre, diameter: n = 4
/// - "stl": scale, frame (x y z, then qw qx qy qz): n = 8; triangles of an STL file, which is read
///   by the program that draws
///
/// - `sys`: the system.
/// - `body`: id, or PINTLE_GROUND.
/// - `kind`: "box", "cylinder", "capsule", "sphere" or "stl".
/// - `n`: the number of numbers of the kind.
/// - `numbers`: `[n]`, as above.
/// - `file`: of "stl", its file, relative to the folder of the model file; of other kinds "".
///   pintle_save_model leaves out shapes whose file is not in that folder or in a folder there.
/// - `name`: what programs call it; "" for the name of the body.
/// - `colour`: such as "#e0a526"; "" lets programs choose.
/// - `shape`: receives the id; may be NULL.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_UTF8, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (kind
/// unknown, a size, diameter or scale that is not positive, a quaternion that is not unit, equal
/// ends, a missing file, or one of another kind, no colour), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_shape(
    sys: *mut pintle_system,
    body: i32,
    kind: *const c_char,
    n: i32,
    numbers: *const f64,
    file: *const c_char,
    name: *const c_char,
    colour: *const c_char,
    shape: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_shape", "body", body), sys, |system| {
        let kind = ShapeKind::from_name(text("kind", kind)?)?;
        let numbers = inputs::<1>("numbers", (n, kind.count() as i32, "numbers of the kind"), numbers)?;
        let owned = |argument, pointer| text(argument, pointer).map(str::to_owned);
        let added = Shape {
            body,
            kind,
            numbers: numbers.as_flattened().to_vec(),
            file: owned("file", file)?,
            name: owned("name", name)?,
            colour: owned("colour", colour)?,
        };
        optional_output(shape).write(add_shape(system, added)?)
    })
}

/// The number of shapes.
///
/// - `sys`: the system.
/// - `n`: receives the number.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_shape_count(sys: *const pintle_system, n: *mut i32) -> i32 {
    with_system("pintle_shape_count", sys, |system| scalar_output("n", n)?.write(shapes(system).len() as i32))
}

/// The body and the numbers of a shape.
///
/// - `sys`: the system.
/// - `shape`: id.
/// - `body`: receives the id of its body, or PINTLE_GROUND; may be NULL.
/// - `n`: receives how many numbers its kind has; may be NULL.
/// - `numbers[10]`: receives these (pintle_add_shape), and zeros after them; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[numbers;10]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_shape_info(
    sys: *const pintle_system,
    shape: i32,
    body: *mut i32,
    n: *mut i32,
    numbers: *mut f64,
) -> i32 {
    with_system(on("pintle_get_shape_info", "shape", shape), sys, |system| {
        let found = shape_of(system, shape)?;
        let mut all = [0.0; 10];
        all.iter_mut().zip(&found.numbers).for_each(|(to, x)| *to = *x);
        optional_output(body).write(found.body)?;
        optional_output(n).write(found.numbers.len() as i32)?;
        optional_output(numbers.cast()).write(all)
    })
}

/// A text of a shape.
///
/// - `sys`: the system.
/// - `shape`: id.
/// - `what`: "kind", "file", "name" or "colour", which are those of pintle_add_shape.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_UTF8, BAD_VALUE (what unknown),
/// BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_shape_text(
    sys: *const pintle_system,
    shape: i32,
    what: *const c_char,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system(on("pintle_get_shape_text", "shape", shape), sys, |system| {
        let output = text_output(cap, buf, len)?;
        let found = shape_of(system, shape)?;
        output.write(match text("what", what)? {
            "kind" => found.kind.name,
            "file" => &found.file,
            "name" => &found.name,
            "colour" => &found.colour,
            other => {
                let detail = format!("\"{other}\" is not a text of a shape: kind, file, name, colour");
                return Err(Error::bad_value("what", detail));
            }
        })
    })
}
