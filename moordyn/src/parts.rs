//! The functions of MoorDyn 2 for bodies, rods, points and lines.
#![allow(non_snake_case)]
#![allow(clippy::missing_safety_doc)] // that of MoorDyn's functions; see `arguments`

use crate::arguments::{array, output, text, write};
use crate::boundary::{Held, Kind, enter_part};
use crate::nodes::norm;
use crate::status::{Failure, Outcome};
use crate::version2::Handle;
use pintle::{Frame, Id};
use std::ffi::{c_char, c_double, c_int, c_uint};
use std::path::Path;

type Results = *mut c_double;
type Text = *const c_char;

/// Writes a vector that a part has.
fn vector<const N: usize>(
    function: &'static str,
    (part, kind): (Handle, Kind),
    out: Results,
    of: impl FnOnce(&mut Held, usize) -> Outcome<[f64; N]>,
) -> c_int {
    enter_part(function, part, kind, |held, index| {
        let out = output("the result", out, N)?;
        out.copy_from_slice(&of(held, index)?);
        Ok(())
    })
}

/// Writes the number of a part, from 1.
fn id(function: &'static str, part: Handle, kind: Kind, out: *mut c_int) -> c_int {
    enter_part(function, part, kind, |_, index| write("id", out, index as c_int + 1))
}

// ---- Bodies ----------------------------------------------------------------------------------------------------------

/// The number of a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyID(b: Handle, id: *mut c_int) -> c_int {
    self::id("MoorDyn_GetBodyID", b, Kind::Body, id)
}

/// -1 coupled, 0 free, 1 fixed, 2 coupled and pinned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyType(b: Handle, t: *mut c_int) -> c_int {
    enter_part("MoorDyn_GetBodyType", b, Kind::Body, |held, body| {
        write("t", t, held.mooring.input.bodies[body].number())
    })
}

fn place(held: &mut Held, body: usize) -> Outcome<[f64; 6]> {
    Ok(crate::angles::place(held.mooring.simulation.outputs().body_pose(body as Id)?))
}

fn velocity(held: &mut Held, body: usize) -> Outcome<[f64; 6]> {
    Ok(held.mooring.simulation.outputs().body_velocity(body as Id, Frame::Inertial)?)
}

fn half(of: [f64; 6], second: bool) -> [f64; 3] {
    std::array::from_fn(|k| of[k + 3 * usize::from(second)])
}

/// Position and angles; velocity and angular velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyState(b: Handle, r: Results, rd: Results) -> c_int {
    enter_part("MoorDyn_GetBodyState", b, Kind::Body, |held, body| {
        let (r, rd) = (output("r", r, 6)?, output("rd", rd, 6)?);
        r.copy_from_slice(&place(held, body)?);
        rd.copy_from_slice(&velocity(held, body)?);
        Ok(())
    })
}

/// Position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyPos(b: Handle, r: Results) -> c_int {
    vector("MoorDyn_GetBodyPos", (b, Kind::Body), r, |held, body| Ok(half(place(held, body)?, false)))
}

/// Angles about x, the new y, the new z, in rad.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyAngle(b: Handle, r: Results) -> c_int {
    vector("MoorDyn_GetBodyAngle", (b, Kind::Body), r, |held, body| Ok(half(place(held, body)?, true)))
}

/// Velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyVel(b: Handle, rd: Results) -> c_int {
    vector("MoorDyn_GetBodyVel", (b, Kind::Body), rd, |held, body| Ok(half(velocity(held, body)?, false)))
}

/// Angular velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyAngVel(b: Handle, rd: Results) -> c_int {
    vector("MoorDyn_GetBodyAngVel", (b, Kind::Body), rd, |held, body| Ok(half(velocity(held, body)?, true)))
}

/// Net force and moment about the reference point of a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyForce(b: Handle, f: Results) -> c_int {
    vector("MoorDyn_GetBodyForce", (b, Kind::Body), f, |held, body| held.mooring.body_force(body))
}

fn flat6(m: crate::nodes::Mat6) -> [f64; 36] {
    std::array::from_fn(|k| m[k / 6][k % 6])
}

/// Mass matrix about the reference point, with added mass, rods and the ends of lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetBodyM(b: Handle, m: Results) -> c_int {
    vector("MoorDyn_GetBodyM", (b, Kind::Body), m, |held, body| Ok(flat6(held.mooring.body_mass(body)?)))
}

/// Writes a body for ParaView.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SaveBodyVTK(b: Handle, filename: Text) -> c_int {
    enter_part("MoorDyn_SaveBodyVTK", b, Kind::Body, |held, body| {
        crate::vtk::save_body(&held.mooring, body, Path::new(text("filename", filename)?))
    })
}

// ---- Rods ------------------------------------------------------------------------------------------------------------

/// The number of a rod.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodID(l: Handle, id: *mut c_int) -> c_int {
    self::id("MoorDyn_GetRodID", l, Kind::Rod, id)
}

/// -2 coupled, -1 coupled and pinned, 0 free, 1 pinned, 2 part of a body or of the ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodType(l: Handle, t: *mut c_int) -> c_int {
    enter_part("MoorDyn_GetRodType", l, Kind::Rod, |held, rod| write("t", t, held.mooring.rods[rod].kind.number()))
}

/// Net force and moment on a rod about its end A.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodForce(l: Handle, f: Results) -> c_int {
    vector("MoorDyn_GetRodForce", (l, Kind::Rod), f, |held, rod| held.mooring.rod_force(rod))
}

/// Mass matrix of a rod about its end A, with added mass and the ends of lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodM(l: Handle, m: Results) -> c_int {
    vector("MoorDyn_GetRodM", (l, Kind::Rod), m, |held, rod| Ok(flat6(held.mooring.rod_mass(rod)?)))
}

/// The number of segments of a rod.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodN(l: Handle, n: *mut c_uint) -> c_int {
    enter_part("MoorDyn_GetRodN", l, Kind::Rod, |held, rod| write("n", n, held.mooring.rods[rod].segments as c_uint))
}

/// The number of nodes of a rod.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodNumberNodes(l: Handle, n: *mut c_uint) -> c_int {
    enter_part("MoorDyn_GetRodNumberNodes", l, Kind::Rod, |held, rod| {
        write("n", n, held.mooring.rods[rod].segments as c_uint + 1)
    })
}

/// The position of a node of a rod, from 0 at end A.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodNodePos(l: Handle, i: c_uint, pos: Results) -> c_int {
    vector("MoorDyn_GetRodNodePos", (l, Kind::Rod), pos, |held, rod| held.mooring.rod_position(rod, i as usize))
}

/// The velocity of a node of a rod.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetRodNodeVel(l: Handle, i: c_uint, vel: Results) -> c_int {
    vector("MoorDyn_GetRodNodeVel", (l, Kind::Rod), vel, |held, rod| held.mooring.rod_velocity(rod, i as usize))
}

/// Writes a rod for ParaView.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SaveRodVTK(l: Handle, filename: Text) -> c_int {
    enter_part("MoorDyn_SaveRodVTK", l, Kind::Rod, |held, rod| {
        crate::vtk::save_rod(&held.mooring, rod, Path::new(text("filename", filename)?))
    })
}

// ---- Points ----------------------------------------------------------------------------------------------------------

/// The number of a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointID(point: Handle, id: *mut c_int) -> c_int {
    self::id("MoorDyn_GetPointID", point, Kind::Point, id)
}

/// -1 coupled, 0 free, 1 fixed or on a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointType(point: Handle, t: *mut c_int) -> c_int {
    enter_part("MoorDyn_GetPointType", point, Kind::Point, |held, point| write("t", t, held.mooring.point_kind(point)?))
}

/// Position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointPos(point: Handle, pos: Results) -> c_int {
    vector("MoorDyn_GetPointPos", (point, Kind::Point), pos, |held, point| Ok(held.mooring.point_motion(point)?[0]))
}

/// Velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointVel(point: Handle, v: Results) -> c_int {
    vector("MoorDyn_GetPointVel", (point, Kind::Point), v, |held, point| Ok(held.mooring.point_motion(point)?[1]))
}

/// Net force without inertia.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointForce(point: Handle, f: Results) -> c_int {
    vector("MoorDyn_GetPointForce", (point, Kind::Point), f, |held, point| held.mooring.point_force(point))
}

fn flat(m: crate::nodes::Mat3) -> [f64; 9] {
    std::array::from_fn(|k| m[k / 3][k % 3])
}

/// Mass matrix, with added mass and the ends of lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointM(point: Handle, m: Results) -> c_int {
    vector("MoorDyn_GetPointM", (point, Kind::Point), m, |held, point| Ok(flat(held.mooring.point_mass(point)?)))
}

/// The number of ends of lines at a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointNAttached(point: Handle, n: *mut c_uint) -> c_int {
    enter_part("MoorDyn_GetPointNAttached", point, Kind::Point, |held, point| {
        write("n", n, held.mooring.attached(point, 0)?.1 as c_uint)
    })
}

/// The i-th of them: the line, and 0 for end A or 1 for end B.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetPointAttached(point: Handle, i: c_uint, l: *mut Handle, e: *mut c_int) -> c_int {
    enter_part("MoorDyn_GetPointAttached", point, Kind::Point, |held, point| {
        let (found, count) = held.mooring.attached(point, i as usize)?;
        let refused = || Failure::value(format!("i = {i}: point {} has {count} ends of lines", point + 1));
        let (line, end) = found.ok_or_else(refused)?;
        let (l, e) = (output("l", l, 1)?, output("e", e, 1)?);
        (l[0], e[0]) = (held.handle(Kind::Line, line), end as c_int);
        Ok(())
    })
}

/// Writes a point for ParaView.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SavePointVTK(point: Handle, filename: Text) -> c_int {
    enter_part("MoorDyn_SavePointVTK", point, Kind::Point, |held, point| {
        crate::vtk::save_point(&mut held.mooring, point, Path::new(text("filename", filename)?))
    })
}

// ---- Lines -----------------------------------------------------------------------------------------------------------

/// The number of a line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineID(l: Handle, id: *mut c_int) -> c_int {
    self::id("MoorDyn_GetLineID", l, Kind::Line, id)
}

/// The number of segments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineN(l: Handle, n: *mut c_uint) -> c_int {
    enter_part("MoorDyn_GetLineN", l, Kind::Line, |held, line| write("n", n, held.mooring.segments(line)? as c_uint))
}

/// The number of nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNumberNodes(l: Handle, n: *mut c_uint) -> c_int {
    enter_part("MoorDyn_GetLineNumberNodes", l, Kind::Line, |held, line| {
        write("n", n, held.mooring.segments(line)? as c_uint + 1)
    })
}

/// The unstretched length, as it was set last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineUnstretchedLength(l: Handle, ul: Results) -> c_int {
    enter_part("MoorDyn_GetLineUnstretchedLength", l, Kind::Line, |held, line| {
        write("ul", ul, held.mooring.simulation.given().line_length(line as Id)?.0)
    })
}

/// Sets the unstretched length, which is reached at the end of the next step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetLineUnstretchedLength(l: Handle, ul: c_double) -> c_int {
    enter_part("MoorDyn_SetLineUnstretchedLength", l, Kind::Line, |held, line| {
        held.mooring.require_started()?;
        let (_, rate) = held.mooring.simulation.given().line_length(line as Id)?;
        Ok(held.mooring.simulation.inputs().set_line_length(line as Id, ul, rate)?)
    })
}

/// Sets the rate of the unstretched length, which holds until another one is set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetLineUnstretchedLengthVel(l: Handle, v: c_double) -> c_int {
    enter_part("MoorDyn_SetLineUnstretchedLengthVel", l, Kind::Line, |held, line| {
        held.mooring.require_started()?;
        let (length, _) = held.mooring.simulation.given().line_length(line as Id)?;
        Ok(held.mooring.simulation.inputs().set_line_length(line as Id, length, v)?)
    })
}

/// The axial stiffness of a line, None for a table.
fn stiffness(held: &Held, line: usize) -> Outcome<Option<f64>> {
    let ea = held.mooring.simulation.lines().stiffness(line as Id)?;
    Ok((ea > 0.0).then_some(ea))
}

/// Whether the axial stiffness is a number and not a table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_IsLineConstantEA(l: Handle, b: *mut c_int) -> c_int {
    enter_part("MoorDyn_IsLineConstantEA", l, Kind::Line, |held, line| {
        write("b", b, c_int::from(stiffness(held, line)?.is_some()))
    })
}

/// The axial stiffness. Errors: it is a table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineConstantEA(l: Handle, EA: Results) -> c_int {
    enter_part("MoorDyn_GetLineConstantEA", l, Kind::Line, |held, line| {
        let refused = || Failure::value(format!("line {} has a table in place of EA", line + 1));
        write("EA", EA, stiffness(held, line)?.ok_or_else(refused)?)
    })
}

/// Sets the axial stiffness from now on. Errors: it is a table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetLineConstantEA(l: Handle, EA: c_double) -> c_int {
    enter_part("MoorDyn_SetLineConstantEA", l, Kind::Line, |held, line| {
        held.mooring.require_started()?;
        Ok(held.mooring.simulation.inputs().set_line_stiffness(line as Id, EA)?)
    })
}

/// Whether internal pressure acts on a line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_IsLinePressBend(l: Handle, b: *mut c_int) -> c_int {
    enter_part("MoorDyn_IsLinePressBend", l, Kind::Line, |held, line| {
        write("b", b, held.mooring.simulation.description().line_info(line as Id)?.has_pressure().into())
    })
}

/// Lets internal pressure act on a line, before MoorDyn_Init; 0 sets it to 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetLinePressBend(l: Handle, b: c_int) -> c_int {
    enter_part("MoorDyn_SetLinePressBend", l, Kind::Line, |held, line| {
        let simulation = &mut held.mooring.simulation;
        let has_pressure = simulation.description().line_info(line as Id)?.has_pressure();
        if (b != 0) != has_pressure {
            simulation.inputs().set_line_pressure(line as Id, &[0.0])?;
        }
        Ok(())
    })
}

/// Sets the internal pressure at the nodes of a line on which it acts (MoorDyn_SetLinePressBend).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SetLinePressInt(l: Handle, p: *const c_double) -> c_int {
    enter_part("MoorDyn_SetLinePressInt", l, Kind::Line, |held, line| {
        let simulation = &mut held.mooring.simulation;
        let info = simulation.description().line_info(line as Id)?;
        if !info.has_pressure() {
            return Err(Failure::value("call MoorDyn_SetLinePressBend before MoorDyn_Init"));
        }
        let pressure = array("p", p, info.segments + 1)?;
        Ok(simulation.inputs().set_line_pressure(line as Id, pressure)?)
    })
}

/// The position of a node, from 0 at end A.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodePos(l: Handle, i: c_uint, pos: Results) -> c_int {
    vector("MoorDyn_GetLineNodePos", (l, Kind::Line), pos, |held, line| {
        held.mooring.check_node(line, i as usize)?;
        Ok(held.mooring.positions(line)?[i as usize])
    })
}

/// The velocity of a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeVel(l: Handle, i: c_uint, vel: Results) -> c_int {
    vector("MoorDyn_GetLineNodeVel", (l, Kind::Line), vel, |held, line| {
        held.mooring.check_node(line, i as usize)?;
        Ok(held.mooring.velocities(line)?[i as usize])
    })
}

/// The net force of a node without inertia.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeForce(l: Handle, i: c_uint, f: Results) -> c_int {
    vector("MoorDyn_GetLineNodeForce", (l, Kind::Line), f, |held, line| {
        held.mooring.check_node(line, i as usize)?;
        held.mooring.node_force(line, i as usize)
    })
}

/// The tension at a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeTen(l: Handle, i: c_uint, t: Results) -> c_int {
    vector("MoorDyn_GetLineNodeTen", (l, Kind::Line), t, |held, line| held.mooring.node_tension(line, i as usize))
}

/// The force of one cause on a node.
fn node_load(function: &'static str, l: Handle, i: c_uint, f: Results, what: &str) -> c_int {
    vector(function, (l, Kind::Line), f, |held, line| held.mooring.node_load(line, i as usize, what))
}

/// The force of bending on a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeBendStiff(l: Handle, i: c_uint, t: Results) -> c_int {
    node_load("MoorDyn_GetLineNodeBendStiff", l, i, t, "bending")
}

/// Weight less buoyancy of a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeWeight(l: Handle, i: c_uint, f: Results) -> c_int {
    vector("MoorDyn_GetLineNodeWeight", (l, Kind::Line), f, |held, line| held.mooring.node_weight(line, i as usize))
}

/// The drag of a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeDrag(l: Handle, i: c_uint, f: Results) -> c_int {
    node_load("MoorDyn_GetLineNodeDrag", l, i, f, "drag")
}

/// The Froude-Krylov force of a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeFroudeKrilov(l: Handle, i: c_uint, f: Results) -> c_int {
    node_load("MoorDyn_GetLineNodeFroudeKrilov", l, i, f, "froude_krylov")
}

/// The force of the seabed on a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeSeabedForce(l: Handle, i: c_uint, f: Results) -> c_int {
    node_load("MoorDyn_GetLineNodeSeabedForce", l, i, f, "seabed")
}

/// The curvature at a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeCurv(l: Handle, i: c_uint, c: Results) -> c_int {
    vector("MoorDyn_GetLineNodeCurv", (l, Kind::Line), c, |held, line| {
        Ok([held.mooring.node_curvature(line, i as usize)?])
    })
}

/// Mass with added mass of a node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineNodeM(l: Handle, i: c_uint, m: Results) -> c_int {
    vector("MoorDyn_GetLineNodeM", (l, Kind::Line), m, |held, line| Ok(flat(held.mooring.node_mass(line, i as usize)?)))
}

/// The size of the tension in the segment at end B.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineFairTen(l: Handle, t: Results) -> c_int {
    vector("MoorDyn_GetLineFairTen", (l, Kind::Line), t, |held, line| {
        Ok([held.mooring.tensions(line)?.last().map_or(0.0, |tension| tension.abs())])
    })
}

/// The largest size of the tension at nodes 0 to N - 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetLineMaxTen(l: Handle, t: Results) -> c_int {
    vector("MoorDyn_GetLineMaxTen", (l, Kind::Line), t, |held, line| {
        let mut largest = 0.0f64;
        for node in 0..held.mooring.segments(line)? {
            largest = largest.max(norm(held.mooring.node_tension(line, node)?));
        }
        Ok([largest])
    })
}

/// Writes a line for ParaView.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_SaveLineVTK(l: Handle, filename: Text) -> c_int {
    enter_part("MoorDyn_SaveLineVTK", l, Kind::Line, |held, line| {
        crate::vtk::save_line(&mut held.mooring, line, Path::new(text("filename", filename)?))
    })
}
