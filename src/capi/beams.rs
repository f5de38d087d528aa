//! Beams: towers, blades, booms.

use super::boundary::{
    flag, input, on, optional_output, pintle_system, room, scalar_output, with_system, with_system_mut,
};
use crate::{Beams, Error, Memory};

/// Adds a beam: geometrically exact, with any stiffness and mass of its sections (docs/beams.md).
/// Describe its sections by pintle_add_beam_station, say which nodes are bodies of the model
/// (pintle_attach_beam), and divide it into elements (pintle_mesh_beam): all in phase BUILDING.
///
/// - `sys`: the system.
/// - `damping[6]`: mu, a time >= 0, of each strain: extension, shear 2 and 3, twist, bending 2
///   and 3. Section loads are C (strains + mu rates); a mode of the angular frequency w has the
///   damping ratio mu w/2 where all six are equal.
/// - `beam`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (negative).
/// cbindgen:ptrs-as-arrays=[[damping;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_beam(sys: *mut pintle_system, damping: *const f64, beam: *mut i32) -> i32 {
    with_system_mut("pintle_add_beam", sys, |system| {
        let damping = input::<6>("damping", damping)?;
        let beam = scalar_output("beam", beam)?;
        let _room = room(Memory::beam(1, 0))?;
        beam.write(system.elements().add_beam(&damping)?)
    })
}

/// Adds a station to a beam, behind those that it has. Between stations, the axis is a cubic along
/// the first axes of both sections, orientations turn evenly, stiffness and mass are linear. The
/// beam is without stress in this shape.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length along the axis, above that of the station before, and not less than the
///   distance from there.
/// - `pose[7]`: place of the section in I and orientation of its axes at the start: axis 1 along
///   the beam, less than 60 degrees from the lines to the stations beside it, axes 2 and 3 in the
///   section.
/// - `stiffness[36]`: C, column-major, symmetric and positive definite: force and moment in the
///   axes of the section per strain (extension, shear 2, shear 3) and curvature (twist, bending 2,
///   bending 3).
/// - `mass[36]`: mass per length about the place of the section, column-major, in the form of the
///   6x6 mass matrix of a rigid body.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s, pose, stiffness, mass; a
/// beam that has its elements), OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[pose;7], [stiffness;36], [mass;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_beam_station(
    sys: *mut pintle_system,
    beam: i32,
    s: f64,
    pose: *const f64,
    stiffness: *const f64,
    mass: *const f64,
) -> i32 {
    with_system_mut(on("pintle_add_beam_station", "beam", beam), sys, |system| {
        let pose = input::<7>("pose", pose)?;
        let (stiffness, mass) = (input::<36>("stiffness", stiffness)?, input::<36>("mass", mass)?);
        let _room = room(Memory::beam(1, 0))?;
        system.elements().add_beam_station(beam, s, &pose, &stiffness, &mass)
    })
}

/// Adds a straight beam of one section: a beam with stations at both ends. Attach it and divide it
/// into elements as any other.
///
/// - `sys`: the system.
/// - `point_a[3]`, `point_b[3]`: ends of the axis in I.
/// - `axis[3]`: direction in I of axis 2 of the section; the part of it along the beam is left out.
/// - `stiffness[6]`: EA, GA2, GA3, GJ, EI2, EI3, all > 0.
/// - `mass[4]`: mass per length, and moments of inertia per length about axes 1, 2, 3.
/// - `damping[6]`: as in pintle_add_beam.
/// - `beam`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (a beam without length, or along
/// axis; stiffness, mass, damping), OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[point_a;3], [point_b;3], [axis;3], [stiffness;6], [mass;4], [damping;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_uniform_beam(
    sys: *mut pintle_system,
    point_a: *const f64,
    point_b: *const f64,
    axis: *const f64,
    stiffness: *const f64,
    mass: *const f64,
    damping: *const f64,
    beam: *mut i32,
) -> i32 {
    with_system_mut("pintle_add_uniform_beam", sys, |system| {
        let (point_a, point_b) = (input::<3>("point_a", point_a)?, input::<3>("point_b", point_b)?);
        let axis = input::<3>("axis", axis)?;
        let (stiffness, mass) = (input::<6>("stiffness", stiffness)?, input::<4>("mass", mass)?);
        let damping = input::<6>("damping", damping)?;
        let beam = scalar_output("beam", beam)?;
        let _room = room(Memory::beam(2, 0))?;
        beam.write(system.elements().add_uniform_beam([&point_a, &point_b], &axis, &stiffness, &mass, &damping)?)
    })
}

/// Says whether the inertia of each element is lumped at its ends, or spread over it as its points
/// move (the default). Spread, frequencies converge with the fourth order in the length of
/// elements; lumped, with the second, but steps keep momentum to rounding, and rotors may use
/// "rho_inf" above 0.9 (docs/beams.md).
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `lumped`: 1 or 0.
///
/// Phases: BUILDING, before the beam has its elements. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (lumped; a beam that has its elements).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_beam_lumped(sys: *mut pintle_system, beam: i32, lumped: i32) -> i32 {
    with_system_mut(on("pintle_set_beam_lumped", "beam", beam), sys, |system| {
        system.elements().lump_beam(beam, flag("lumped", lumped)?)
    })
}

/// Makes a node of a beam a part of a body, or fixes it to the ground: no joint is needed, and the
/// node may be anywhere on the body. Other nodes become bodies of their own.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `node`: 0 to the number of elements that the beam will have.
/// - `body`: id, or PINTLE_GROUND.
///
/// Phases: BUILDING, before the beam has its elements. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (node;
/// a node that is attached already; a beam that has its elements).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_attach_beam(sys: *mut pintle_system, beam: i32, node: i32, body: i32) -> i32 {
    with_system_mut(on("pintle_attach_beam", "body", body), sys, |system| {
        let _room = room(Memory::beam(1, 0))?;
        system.elements().attach_beam(beam, node, body)
    })
}

/// Adds a node to a beam that pintle_mesh_beam shall divide at given places: where something is
/// attached, or where sections change fast.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length of the node, above that of the node before, from the first station to the last
///   at most.
///
/// Phases: BUILDING, after the stations. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s; a
/// beam that has its elements), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_beam_node(sys: *mut pintle_system, beam: i32, s: f64) -> i32 {
    with_system_mut(on("pintle_add_beam_node", "beam", beam), sys, |system| {
        let _room = room(Memory::beam(1, 0))?;
        system.elements().add_beam_node(beam, s)
    })
}

/// Divides a beam into elements. Each node that is not attached becomes a new
/// body without mass of its own, with the pose of the section there (pintle_beam_body): joints,
/// springs, lines, markers, loads, imposed motions and getters of bodies act on it. Elements have
/// the kind "beam_element".
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `n_elements`: how many of equal arc length, at most 100000; 0 for elements between the nodes
///   of pintle_add_beam_node.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (n_elements; fewer than two stations or
/// nodes; attached nodes that it does not have, or neighbours on one body; axis 2 along an element;
/// a beam that has its elements), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_mesh_beam(sys: *mut pintle_system, beam: i32, n_elements: i32) -> i32 {
    with_system_mut(on("pintle_mesh_beam", "beam", beam), sys, |system| {
        let nodes = Beams::of(system).get(beam).map_or(0, |beam| beam.ends.len());
        let _room = room(Memory::beam(0, usize::try_from(n_elements).unwrap_or(0).max(nodes)))?;
        system.elements().mesh_beam(beam, n_elements)
    })
}

/// The body that is a node of a beam.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `node`: 0 to the number of its elements.
/// - `body`: receives the id, or PINTLE_GROUND.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (node; a beam without elements).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_beam_body(sys: *const pintle_system, beam: i32, node: i32, body: *mut i32) -> i32 {
    with_system(on("pintle_beam_body", "beam", beam), sys, |system| {
        let body = scalar_output("body", body)?;
        body.write(Beams::of(system).body(beam, node)?)
    })
}

/// A beam as it was added.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `damping[6]`: receives mu of each strain; may be NULL.
/// - `lumped`: receives 1 if inertia is lumped, else 0; may be NULL.
/// - `n_stations`: receives how many stations it has; may be NULL.
/// - `n_elements`: receives how many elements it has, 0 before pintle_mesh_beam; may be NULL.
/// - `first_element`: receives the number of its first element among those of all beams (kind
///   "beam_element"); may be NULL.
///
/// Phases: all. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[damping;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_beam_info(
    sys: *const pintle_system,
    beam: i32,
    damping: *mut f64,
    lumped: *mut i32,
    n_stations: *mut i32,
    n_elements: *mut i32,
    first_element: *mut i32,
) -> i32 {
    with_system(on("pintle_get_beam_info", "beam", beam), sys, |system| {
        let (damping, n_stations) = (optional_output(damping.cast::<[f64; 6]>()), optional_output(n_stations));
        let lumped = optional_output(lumped);
        let (n_elements, first_element) = (optional_output(n_elements), optional_output(first_element));
        let beam = Beams::of(system).get(beam)?;
        damping.write(beam.damping)?;
        lumped.write(i32::from(beam.lumped))?;
        n_stations.write(beam.sections.0.len() as i32)?;
        n_elements.write(beam.elements() as i32)?;
        first_element.write(beam.first_element as i32)
    })
}

/// A station of a beam as it was added.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `station`: 0 to one less than the number of its stations.
/// - `s`: receives its arc length; may be NULL.
/// - `pose[7]`: receives place and orientation of the section in I; may be NULL.
/// - `stiffness[36]`: receives C, column-major; may be NULL.
/// - `mass[36]`: receives the mass per length, column-major; may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (station).
/// cbindgen:ptrs-as-arrays=[[pose;7], [stiffness;36], [mass;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_beam_station(
    sys: *const pintle_system,
    beam: i32,
    station: i32,
    s: *mut f64,
    pose: *mut f64,
    stiffness: *mut f64,
    mass: *mut f64,
) -> i32 {
    with_system(on("pintle_get_beam_station", "beam", beam), sys, |system| {
        let (s, pose) = (optional_output(s), optional_output(pose.cast::<[f64; 7]>()));
        let (stiffness, mass) = (optional_output(stiffness.cast()), optional_output(mass.cast()));
        let stations = &Beams::of(system).get(beam)?.sections.0;
        let found = usize::try_from(station).ok().and_then(|index| stations.get(index));
        let found =
            found.ok_or_else(|| Error::bad_value("station", format!("{station} is not one of {}", stations.len())))?;
        let columns = |matrix: &crate::spatial::Mat6| -> [f64; 36] { std::array::from_fn(|k| matrix[k]) };
        s.write(found.s)?;
        pose.write(found.pose.to_array())?;
        stiffness.write(columns(&found.stiffness))?;
        mass.write(columns(&found.mass))
    })
}

/// The motion of a section of a beam, anywhere along it.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam.
/// - `pose[7]`: receives place of the section in I and orientation of its axes; may be NULL.
/// - `velocity[6]`: receives the velocity of its place and its angular velocity in I; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s), UNSTABLE
/// (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[pose;7], [velocity;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_beam_motion(
    sys: *const pintle_system,
    beam: i32,
    s: f64,
    pose: *mut f64,
    velocity: *mut f64,
) -> i32 {
    with_system(on("pintle_get_beam_motion", "beam", beam), sys, |system| {
        let (pose, velocity) = (optional_output(pose.cast()), optional_output(velocity.cast()));
        let (place, rate) = Beams::of(system).motion(beam, s)?;
        pose.write(place)?;
        velocity.write(rate)
    })
}
