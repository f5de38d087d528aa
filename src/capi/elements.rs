//! Force elements: springs and bushings between two bodies, or a body and the ground; cylinders in
//! water on a body or the ground.

use super::boundary::{
    between, flag, input, inputs, length, on, optional_output, pintle_system, room, scalar_output, with_system,
    with_system_mut, write_columns,
};
use crate::{Memory, set_bushing_preload, set_bushing_table};

/// Adds a spring with a damper between two points; tension is stiffness times elongation plus
/// damping times its rate. With tension_only it is zero while slack, and the damper's part is at
/// most the spring's, so that the tension of a line that tightens at speed starts from zero
/// (docs/theory.md).
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `point_a[3]`, `point_b[3]`: ends in the axes of each body (ground: in I).
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: length without force, >= 0.
/// - `tension_only`: 1 if it only pulls, like a rope; 0 if it also pushes.
/// - `spring`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
/// cbindgen:ptrs-as-arrays=[[point_a;3], [point_b;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_spring(
    sys: *mut pintle_system,
    body_a: i32,
    point_a: *const f64,
    body_b: i32,
    point_b: *const f64,
    stiffness: f64,
    damping: f64,
    rest_length: f64,
    tension_only: i32,
    spring: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_spring", body_a, body_b), sys, |system| {
        let (a, b) = (input::<3>("point_a", point_a)?, input::<3>("point_b", point_b)?);
        let spring = scalar_output("spring", spring)?;
        let tension_only = flag("tension_only", tension_only)?;
        spring.write(system.elements().add_spring(
            body_a,
            &a,
            body_b,
            &b,
            stiffness,
            damping,
            rest_length,
            tension_only,
        )?)
    })
}

/// Sets stiffness, damping and rest length of a spring, in place of the former ones, as of a winch
/// or a valve. In READY they act from the accepted time on, and the scheme starts anew; the change
/// belongs to the state. Equal values change nothing.
///
/// - `sys`: the system.
/// - `spring`: id of a spring without a table.
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: length without force, >= 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; a table).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_spring(
    sys: *mut pintle_system,
    spring: i32,
    stiffness: f64,
    damping: f64,
    rest_length: f64,
) -> i32 {
    with_system_mut(on("pintle_set_spring", "spring", spring), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        system.build().set_spring(spring, [stiffness, damping, rest_length])
    })
}

/// Replaces stiffness and rest length of a spring, or its former table, by a table of tensions over
/// lengths: interpolated by monotone cubics (Fritsch, Carlson 1980), and beyond the ends by
/// straight lines with the slopes of the ends. Damping is unchanged, and so is tension_only, which
/// treats tensions below zero as zero. Forces that decrease with length would be a negative
/// stiffness, and are refused. The cubics depend on the lengths in the table, so give more points
/// where the tension is curved.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `n`: how many points, at least 2.
/// - `lengths`: `[n]` lengths, >= 0, each more than the one before.
/// - `forces`: `[n]` tensions at these, positive where the spring pulls, none less than the one
///   before.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (lengths that
/// do not rise or are negative, forces that fall: the message names the point), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_spring_table(
    sys: *mut pintle_system,
    spring: i32,
    n: i32,
    lengths: *const f64,
    forces: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_spring_table", "spring", spring), sys, |system| {
        let _room = room(Memory::spring_table(length("n", (n, n, "points"))?))?;
        let lengths = inputs::<1>("lengths", (n, n, "points"), lengths)?.as_flattened();
        let forces = inputs::<1>("forces", (n, n, "points"), forces)?.as_flattened();
        system.elements().set_spring_table(spring, lengths, forces)
    })
}

/// The table of a spring, as given to pintle_set_spring_table. Call it with `cap` = 0 to learn `n`,
/// then with arrays of that size.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `lengths`: receives lengths, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `forces`: receives tensions at these, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `n`: receives how many points there are: 0 for a spring without a table.
///
/// Phases: all. Errors: BAD_ID, BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is
/// written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_spring_table(
    sys: *const pintle_system,
    spring: i32,
    cap: i32,
    lengths: *mut f64,
    forces: *mut f64,
    n: *mut i32,
) -> i32 {
    with_system(on("pintle_get_spring_table", "spring", spring), sys, |system| {
        write_columns(system.description().spring_table(spring), cap, [("lengths", lengths), ("forces", forces)], n)
    })
}

/// The mean tension of a spring over the last step of pintle_step or pintle_advance, as
/// pintle_get_line_mean_tensions has those of lines.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `tension`: receives it, positive where it pulls.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_spring_mean_tension(
    sys: *const pintle_system,
    spring: i32,
    tension: *mut f64,
) -> i32 {
    with_system(on("pintle_get_spring_mean_tension", "spring", spring), sys, |system| {
        let tension = scalar_output("tension", tension)?;
        tension.write(system.lines().spring_mean_tension(spring)?)
    })
}

/// Adds a bushing: a 6x6 spring and damper between two frames. The wrench of a on b, in frame a, is
/// -K (displacement, rotation vector) - C (rates), with a preload by pintle_set_bushing_preload and
/// forces that are not linear by pintle_set_bushing_table.
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `frame_a[7]`, `frame_b[7]`: pose of the frame in the axes of each body (ground: in I).
/// - `stiffness[36]`, `damping[36]`: K and C, column-major; K may be unsymmetric (hydrostatics).
/// - `bushing`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
/// cbindgen:ptrs-as-arrays=[[frame_a;7], [frame_b;7], [stiffness;36], [damping;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_bushing(
    sys: *mut pintle_system,
    body_a: i32,
    body_b: i32,
    frame_a: *const f64,
    frame_b: *const f64,
    stiffness: *const f64,
    damping: *const f64,
    bushing: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_bushing", body_a, body_b), sys, |system| {
        let (frame_a, frame_b) = (input::<7>("frame_a", frame_a)?, input::<7>("frame_b", frame_b)?);
        let (stiffness, damping) = (input::<36>("stiffness", stiffness)?, input::<36>("damping", damping)?);
        let bushing = scalar_output("bushing", bushing)?;
        bushing.write(system.elements().add_bushing(body_a, body_b, &frame_a, &frame_b, &stiffness, &damping)?)
    })
}

/// Takes the force, or moment, of a bushing on one component of its deflection from a table, in the
/// place of the diagonal entry of K or of a former table: interpolated by monotone cubics (Fritsch,
/// Carlson 1980), and beyond the ends by straight lines with the slopes of the ends. It acts against
/// the deflection: b receives minus the force, in frame a. Other entries of K and C are unchanged.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `axis`: 0, 1, 2 for the displacement along x, y, z of frame a; 3, 4, 5 for the rotation vector.
/// - `n`: how many points, at least 2.
/// - `deflections`: `[n]` displacements, or angles (rad), each more than the one before.
/// - `forces`: `[n]` forces, or moments, at these, none less than the one before.
///
/// In READY it acts from the accepted time on, in the place of a table, and belongs to the state.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (axis,
/// in READY one without a table; deflections that do not rise, forces that fall: the message names
/// the point), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_bushing_table(
    sys: *mut pintle_system,
    bushing: i32,
    axis: i32,
    n: i32,
    deflections: *const f64,
    forces: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_bushing_table", "bushing", bushing), sys, |system| {
        let _room = room(Memory::spring_table(length("n", (n, n, "points"))?))?;
        let deflections = inputs::<1>("deflections", (n, n, "points"), deflections)?.as_flattened();
        let forces = inputs::<1>("forces", (n, n, "points"), forces)?.as_flattened();
        set_bushing_table(system, bushing, axis, deflections, forces)
    })
}

/// The table of a bushing on one component of its deflection, as given to pintle_set_bushing_table.
/// Call it with `cap` = 0 to learn `n`, then with arrays of that size.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `axis`: 0 to 5, as in pintle_set_bushing_table.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `deflections`: receives deflections, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `forces`: receives forces at these, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `n`: receives how many points there are: 0 without a table.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (axis), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n;
/// nothing is written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_bushing_table(
    sys: *const pintle_system,
    bushing: i32,
    axis: i32,
    cap: i32,
    deflections: *mut f64,
    forces: *mut f64,
    n: *mut i32,
) -> i32 {
    with_system(on("pintle_get_bushing_table", "bushing", bushing), sys, |system| {
        let table = system.description().bushing_info(bushing).and_then(|info| info.table(axis));
        write_columns(table, cap, [("deflections", deflections), ("forces", forces)], n)
    })
}

/// Sets the wrench that a bushing exerts without deflection: the weight that a mount carries, the
/// tension of a bolt. In READY it acts from the accepted time on, where the scheme starts anew, and
/// belongs to the state: pintle_restore brings back the preload of its time.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `preload[6]`: force and moment of a on b without deflection, axes of frame a, about the origin
///   of frame b; 0 by default.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_bushing_preload(sys: *mut pintle_system, bushing: i32, preload: *const f64) -> i32 {
    with_system_mut(on("pintle_set_bushing_preload", "bushing", bushing), sys, |system| {
        let preload = input::<6>("preload", preload)?;
        let _room = room(Memory::of(system).change())?;
        set_bushing_preload(system, bushing, &preload)
    })
}

/// The present preload of a bushing.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `preload[6]`: receives force and moment, as in pintle_set_bushing_preload.
///
/// Phases: all. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_bushing_preload(sys: *const pintle_system, bushing: i32, preload: *mut f64) -> i32 {
    with_system(on("pintle_get_bushing_preload", "bushing", bushing), sys, |system| {
        scalar_output("preload", preload.cast())?.write(system.description().bushing_info(bushing)?.preload)
    })
}

/// Adds a circular cylinder in water: hydrostatics in closed form at any attitude, and Morison's
/// inertia and drag on the part of it in the water (docs/water.md). It has no mass of its own, but
/// for the added mass of the water: weight and inertia are those of the body. Several cylinders on
/// a body make a floater; each displaces its own volume, so that where they overlap the water
/// counts twice. Water density and current are those of pintle_set_environment and
/// pintle_set_current, waves those of pintle_set_fluid_callback. The seabed carries its axis, but
/// for cylinders on the ground, with the spring and the damper that it has for lines, and without
/// friction.
///
/// - `sys`: the system.
/// - `body`: id, or PINTLE_GROUND.
/// - `end_a[3]`, `end_b[3]`: centres of its flat ends in body axes (ground: in I).
/// - `diameter`: above 0.
/// - `segments`: into how many parts it is divided for drag and waves, 1 to 1000; hydrostatics and
///   added mass in still water do not depend on it.
/// - `cd`: drag across the axis, per length density * diameter * cd/2 * |u| u, >= 0.
/// - `ca`: added mass across the axis, in parts of the displaced mass, >= 0.
/// - `cd_end`: drag along the axis at each end in the water, density * area * cd_end/2 * |u| u,
///   >= 0.
/// - `ca_end`: added mass along the axis at each end in the water, in parts of the mass of a half
///   sphere of water, density * 2/3 * pi * radius^3, >= 0.
/// - `cylinder`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (diameter not above 0, ends
/// that coincide, segments not from 1 to 1000, negative coefficients).
/// cbindgen:ptrs-as-arrays=[[end_a;3], [end_b;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_cylinder(
    sys: *mut pintle_system,
    body: i32,
    end_a: *const f64,
    end_b: *const f64,
    diameter: f64,
    segments: i32,
    cd: f64,
    ca: f64,
    cd_end: f64,
    ca_end: f64,
    cylinder: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_cylinder", "body", body), sys, |system| {
        let (end_a, end_b) = (input::<3>("end_a", end_a)?, input::<3>("end_b", end_b)?);
        let cylinder = scalar_output("cylinder", cylinder)?;
        let coefficients = [cd, ca, cd_end, ca_end];
        cylinder.write(system.elements().add_cylinder(body, [&end_a, &end_b], diameter, segments, coefficients)?)
    })
}

/// The loads of the water on a cylinder: wrenches about its end A in I. Their sum is the wrench of
/// the water.
///
/// - `sys`: the system.
/// - `cylinder`: id.
/// - `submerged`: receives the length of the axis in the water, with the cross-sections that the
///   surface cuts counted by their part in the water; may be NULL.
/// - `buoyancy[6]`: receives the wrench of the hydrostatic pressure under the surface, which waves
///   move; may be NULL.
/// - `drag[6]`: receives that of drag on the sides and the ends; may be NULL.
/// - `inertia[6]`: receives that of the accelerations of the water (Froude-Krylov) and of the added
///   mass; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
/// cbindgen:ptrs-as-arrays=[[buoyancy;6], [drag;6], [inertia;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_cylinder_loads(
    sys: *const pintle_system,
    cylinder: i32,
    submerged: *mut f64,
    buoyancy: *mut f64,
    drag: *mut f64,
    inertia: *mut f64,
) -> i32 {
    with_system(on("pintle_get_cylinder_loads", "cylinder", cylinder), sys, |system| {
        let (submerged, buoyancy) = (optional_output(submerged), optional_output(buoyancy.cast::<[f64; 6]>()));
        let (drag, inertia) = (optional_output(drag.cast::<[f64; 6]>()), optional_output(inertia.cast::<[f64; 6]>()));
        let loads = system.outputs().cylinder_loads(cylinder)?;
        submerged.write(loads.submerged)?;
        buoyancy.write(loads.buoyancy.into())?;
        drag.write(loads.drag.into())?;
        inertia.write(loads.inertia.into())
    })
}
