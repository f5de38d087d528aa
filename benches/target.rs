//! The models that pintle is made fast for, through the C ABI of one or several builds of
//! `libpintle.so`.
//!
//!     cargo bench --bench target -- [words] [rounds=N] [path/to/libpintle.so ...]
//!
//! Without a path it measures the library that Cargo builds from this source. Several libraries are
//! measured in turns, step counts and motions being the same, so that their ratio can be trusted on
//! a machine that is not quiet. Words choose among the models by name.
//!
//! The first table has the target models: a moored platform, a machine of 30, 100 and 300 bodies, a
//! mooring line of 20, 100 and 500 segments. Each is measured as it is, and with one more marker,
//! one more spring, and one more load callback that adds nothing; `extra` is the time of that model
//! over the time of the plain one. The second table has structures with many loops and neighbours
//! at sizes that grow by four; `growth` is the time per body and step over that at the next smaller
//! size, 1 where time is linear in size.
//!
//! Each round restores the same state and takes the same steps. Times are processor times of the
//! fastest round, because other programs on the machine only add time.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::null_mut;

type System = *mut c_void;
type LoadFunction = unsafe extern "C" fn(
    *mut c_void,
    f64,
    i32,
    *const f64,
    *const f64,
    *const f64,
    *mut f64,
    *mut f64,
    *mut f64,
) -> i32;

/// The functions of a library that the models need, looked up by name.
macro_rules! library {
    ($($name:ident($($argument:ty),*);)*) => {
        struct Library {
            path: PathBuf,
            $($name: unsafe extern "C" fn($($argument),*) -> i32,)*
        }

        impl Library {
            fn load(path: &Path) -> Library {
                let file = CString::new(path.to_str().expect("the path is UTF-8")).unwrap();
                // SAFETY: the types of the functions are those of pintle.h; the library stays
                // loaded.
                unsafe {
                    let handle = libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
                    assert!(!handle.is_null(), "{path:?}: {:?}", CStr::from_ptr(libc::dlerror()));
                    Library {
                        path: path.into(),
                        $($name: {
                            let name = CString::new(concat!("pintle_", stringify!($name))).unwrap();
                            let symbol = libc::dlsym(handle, name.as_ptr());
                            assert!(!symbol.is_null(), "{path:?} has no {name:?}");
                            std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> i32>(symbol)
                        },)*
                    }
                }
            }
        }
    };
}

library! {
    create(*mut System);
    destroy(*mut System);
    error_message(System, i32, *mut c_char, *mut i32);
    set_gravity(System, *const f64);
    set_environment(System, *const c_char, f64);
    set_option(System, *const c_char, f64);
    add_body(System, *const f64, *const f64, *mut i32);
    add_rigid_body(System, f64, *const f64, *const f64, *const f64, *mut i32);
    set_body_prescribed(System, i32, i32);
    set_body_motion(System, i32, *const f64, *const f64, *const f64);
    set_body_load(System, i32, i32, *const f64);
    set_added_mass(System, i32, *const f64, i32);
    set_linear_damping(System, i32, *const f64, i32);
    set_load_callback(System, i32, Option<LoadFunction>, *mut c_void);
    add_joint_at(System, i32, i32, i32, *const f64, *const f64, *mut i32);
    set_joint_spring(System, i32, f64, f64, f64);
    add_spring(System, i32, *const f64, i32, *const f64, f64, f64, f64, i32, *mut i32);
    add_bushing(System, i32, i32, *const f64, *const f64, *const f64, *const f64, *mut i32);
    add_marker(System, i32, *const f64, *mut i32);
    add_point(System, f64, f64, *const f64, *mut i32);
    fix_point(System, i32);
    attach_point(System, i32, i32, *const f64);
    add_point_spring(System, i32, i32, f64, f64, f64, i32, *mut i32);
    add_line_type(System, f64, f64, f64, f64, f64, f64, f64, f64, f64, *mut i32);
    add_line(System, i32, i32, i32, f64, i32, *mut i32);
    initialize(System, f64);
    step(System, f64);
    get_statistic(System, *const c_char, *mut f64);
    state_save(System, *mut *mut c_void);
    state_restore(System, *mut c_void);
    state_destroy(*mut *mut c_void);
    set_irregular_waves(System, f64, f64, f64, f64, f64, i32, i32);
}

const GROUND: i32 = -1;
const INERTIAL: i32 = 0;
const REVOLUTE: i32 = 2;
const ORIGIN: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// A system that is being described, and later stepped.
struct Model<'a> {
    library: &'a Library,
    system: System,
    /// Time step, s.
    step: f64,
    /// Bodies, points and segments: what times are divided by, and the number of steps depends on.
    size: usize,
    /// The body that gets the extra marker, spring or callback.
    body: i32,
    /// True if the host moves `body`, which carries a fairlead.
    moved: bool,
}

/// Calls a function of the library on the model's system; the program ends if it fails.
macro_rules! call {
    ($model:expr, $name:ident($($argument:expr),*)) => {
        // SAFETY: arrays have the lengths that pintle.h asks for; the system lives as long as the
        // model.
        $model.check(stringify!($name), unsafe { ($model.library.$name)($model.system, $($argument),*) })
    };
}

impl<'a> Model<'a> {
    fn new(library: &'a Library, gravity: f64, step: f64) -> Model<'a> {
        let mut system = null_mut();
        // SAFETY: the pointer is to a variable of this frame.
        assert_eq!(unsafe { (library.create)(&mut system) }, 0);
        let model = Model { library, system, step, size: 0, body: 0, moved: false };
        call!(model, set_gravity([0.0, 0.0, -gravity].as_ptr()));
        model
    }

    fn check(&self, function: &str, status: i32) {
        if status != 0 {
            let mut text: [c_char; 400] = [0; 400];
            // SAFETY: the buffer has the length that is passed; the library ends the text with a
            // zero.
            let text = unsafe {
                (self.library.error_message)(self.system, 400, text.as_mut_ptr(), null_mut());
                CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
            };
            panic!("pintle_{function} of {:?}: {text}", self.library.path);
        }
    }

    /// A bar of 1 kg between two points in the plane y = 0.
    fn bar(&mut self, [xa, za]: [f64; 2], [xb, zb]: [f64; 2]) -> i32 {
        let square = (xb - xa).powi(2) + (zb - za).powi(2);
        let half = 0.5 * (za - zb).atan2(xb - xa);
        let pose = [0.5 * (xa + xb), 0.0, 0.5 * (za + zb), half.cos(), 0.0, half.sin(), 0.0];
        let across = square / 12.0 + 0.0005;
        self.rigid_body(1.0, &[0.001, across, across, 0.0, 0.0, 0.0], &pose)
    }

    fn rigid_body(&mut self, mass: f64, inertia: &[f64; 6], pose: &[f64; 7]) -> i32 {
        let mut id = -1;
        call!(self, add_rigid_body(mass, [0.0; 3].as_ptr(), inertia.as_ptr(), pose.as_ptr(), &mut id));
        self.size += 1;
        id
    }

    fn hinge_about(&self, axis: [f64; 3], a: i32, b: i32, point: [f64; 3]) -> i32 {
        let mut id = -1;
        call!(self, add_joint_at(REVOLUTE, a, b, point.as_ptr(), axis.as_ptr(), &mut id));
        id
    }

    /// A hinge about the y axis.
    fn hinge(&self, a: i32, b: i32, [x, z]: [f64; 2]) -> i32 {
        self.hinge_about([0.0, 1.0, 0.0], a, b, [x, 0.0, z])
    }

    fn spring(&self, a: i32, at_a: [f64; 3], b: i32, at_b: [f64; 3], [stiffness, damping, rest]: [f64; 3]) {
        let mut id = -1;
        call!(self, add_spring(a, at_a.as_ptr(), b, at_b.as_ptr(), stiffness, damping, rest, 0, &mut id));
    }

    fn marker(&self, body: i32) {
        let mut id = -1;
        call!(self, add_marker(body, ORIGIN.as_ptr(), &mut id));
    }

    fn point(&mut self, mass: f64, position: [f64; 3]) -> i32 {
        let mut id = -1;
        call!(self, add_point(mass, 0.0, position.as_ptr(), &mut id));
        id
    }

    fn fixed_point(&mut self, position: [f64; 3]) -> i32 {
        let id = self.point(0.0, position);
        call!(self, fix_point(id));
        id
    }

    /// The sea of OC3, and the type of its mooring lines.
    fn sea(&self) -> i32 {
        let mut id = -1;
        call!(self, set_environment(c"water_density".as_ptr(), 1025.0));
        call!(self, set_environment(c"depth".as_ptr(), 320.0));
        // Numerical damping of the waves along segments, which the step does not resolve.
        call!(self, set_option(c"rho_inf".as_ptr(), 0.3));
        call!(self, add_line_type(0.09, 77.7066, 384.243e6, -0.8, 0.0, 1.6, 1.0, 0.1, 0.0, &mut id));
        id
    }

    /// A line of OC3 from the bed to a fairlead on a body whose reference point is at `center`.
    fn mooring_line(&mut self, kind: i32, angle: f64, body: i32, center: [f64; 3], segments: usize) {
        let ((s, c), mut id) = (angle.sin_cos(), -1);
        let anchor = self.fixed_point([853.87 * c, 853.87 * s, -320.0]);
        let place = [5.2 * c, 5.2 * s, -70.0];
        let fairlead = self.point(0.0, place);
        let on_body: [f64; 3] = std::array::from_fn(|i| place[i] - center[i]);
        call!(self, attach_point(fairlead, body, on_body.as_ptr()));
        call!(self, add_line(kind, anchor, fairlead, 902.2, segments as i32, &mut id));
        self.size += segments;
    }

    /// Surge of 2 m in 10 s at the end of a step.
    fn swing(&self, step: usize) {
        let w = std::f64::consts::TAU / 10.0;
        let (s, c) = (w * self.step * step as f64).sin_cos();
        let (x, v, a) = (2.0 * (1.0 - c), 2.0 * w * s, 2.0 * w * w * c);
        let pose = [5.2 + x, 0.0, -70.0, 1.0, 0.0, 0.0, 0.0];
        let (velocity, acceleration) = ([v, 0.0, 0.0, 0.0, 0.0, 0.0], [a, 0.0, 0.0, 0.0, 0.0, 0.0]);
        call!(self, set_body_motion(self.body, pose.as_ptr(), velocity.as_ptr(), acceleration.as_ptr()));
    }

    /// Steps from number `from` (0: the first of the model) to before number `to`.
    fn steps(&self, from: usize, to: usize) {
        for step in from..to {
            if self.moved {
                self.swing(step + 1);
            }
            call!(self, step(self.step));
        }
    }

    fn iterations(&self) -> f64 {
        let mut value = 0.0;
        call!(self, get_statistic(c"iterations".as_ptr(), &mut value));
        value
    }
}

impl Drop for Model<'_> {
    fn drop(&mut self) {
        // SAFETY: the system was created by this library.
        unsafe { (self.library.destroy)(&mut self.system) };
    }
}

// ---------------------------------------------------------------------------------------------------- target models

/// Waves on the platform, and drag that grows with the square of its velocity; no derivatives, as
/// from most hosts.
unsafe extern "C" fn waves(
    _: *mut c_void,
    time: f64,
    _: i32,
    _: *const f64,
    velocity: *const f64,
    _: *const f64,
    wrench: *mut f64,
    _: *mut f64,
    _: *mut f64,
) -> i32 {
    // SAFETY: the library passes six numbers each.
    let (velocity, wrench) =
        unsafe { (std::slice::from_raw_parts(velocity, 6), std::slice::from_raw_parts_mut(wrench, 6)) };
    let phase = std::f64::consts::TAU * time / 10.0;
    let (excitation, drag) = ([1e6, 0.0, 5e5, 0.0, 2e7, 0.0], [1e5, 1e5, 5e4, 1e9, 1e9, 1e7]);
    for i in 0..6 {
        wrench[i] = excitation[i] * (phase + 0.3 * i as f64).sin() - drag[i] * velocity[i] * velocity[i].abs();
    }
    0
}

/// A load callback that returns no load.
unsafe extern "C" fn nothing(
    _: *mut c_void,
    _: f64,
    _: i32,
    _: *const f64,
    _: *const f64,
    _: *const f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
) -> i32 {
    0
}

fn diagonal(values: [f64; 6]) -> [f64; 36] {
    let mut matrix = [0.0; 36];
    (0..6).for_each(|i| matrix[7 * i] = values[i]);
    matrix
}

/// The 6x6 inertia of a body about its axis z; `arm` is mass times the height of the reference
/// point over the center.
fn spar_inertia(mass: [f64; 3], turning: [f64; 3], arm: f64) -> [f64; 36] {
    let mut matrix = diagonal([mass[0], mass[1], mass[2], turning[0], turning[1], turning[2]]);
    for (i, j, value) in [(0, 4, -arm), (4, 0, -arm), (1, 3, arm), (3, 1, arm)] {
        matrix[i + 6 * j] = value;
    }
    matrix
}

/// The spar of OC3 on three lines, with a nacelle on a yaw bearing, two markers, a spring and a
/// load callback.
fn platform(library: &Library, segments: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.80665, 0.1);
    let kind = model.sea();
    let own = spar_inertia([8066048.0; 3], [6.8027e10, 6.8017e10, 1.9433e8], 629157033.5);
    let added = spar_inertia([7982662.67, 7982662.67, 222882.5], [3.9733e10, 3.9733e10, 0.0], 495449188.8);
    let mut body = -1;
    call!(model, add_body(own.as_ptr(), ORIGIN.as_ptr(), &mut body));
    model.size += 1;
    call!(model, set_added_mass(body, added.as_ptr(), INERTIAL));
    let damping = diagonal([1e5, 1e5, 1.3e5, 0.0, 0.0, 1.3e7]);
    call!(model, set_linear_damping(body, damping.as_ptr(), INERTIAL));
    let (hydrostatics, mut id) = (diagonal([0.0, 0.0, 332941.0, -4999180000.0, -4999180000.0, 98340000.0]), -1);
    let frame = ORIGIN.as_ptr();
    call!(model, add_bushing(GROUND, body, frame, frame, hydrostatics.as_ptr(), [0.0; 36].as_ptr(), &mut id));
    for k in 0..3 {
        model.mooring_line(kind, std::f64::consts::TAU * f64::from(k) / 3.0, body, [0.0; 3], segments);
    }
    let top = [0.0, 0.0, 87.6];
    let nacelle = model.rigid_body(1e5, &[1e6, 1e6, 1e6, 0.0, 0.0, 0.0], &[0.0, 0.0, 87.6, 1.0, 0.0, 0.0, 0.0]);
    let yaw = model.hinge_about([0.0, 0.0, 1.0], body, nacelle, top);
    call!(model, set_joint_spring(yaw, 1e8, 1e7, 0.0));
    [body, nacelle].into_iter().for_each(|body| model.marker(body));
    model.body = nacelle;
    model.spring(body, [5.0, 0.0, 10.0], GROUND, [200.0, 0.0, 10.0], [1e4, 1e3, 195.0]);
    let buoyancy = [0.0, 0.0, 81_688_765.0, 0.0, 0.0, 0.0];
    call!(model, set_body_load(body, INERTIAL, buoyancy.as_ptr()));
    call!(model, set_load_callback(body, Some(waves), null_mut()));
    model
}

/// Arms that hang in a binary tree of sprung hinges; each carries a four-bar loop, a spring across
/// it, a pendulum on the coupler and a marker there: five bodies and a loop for each arm.
fn machine(library: &Library, bodies: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.81, 1e-3);
    let (mut arms, mut ends) = (Vec::new(), Vec::new());
    for k in 0..bodies / 5 {
        let (parent, [x, z]) = if k == 0 { (GROUND, [0.0; 2]) } else { (arms[(k - 1) / 2], ends[(k - 1) / 2]) };
        let lean = if k % 2 == 0 { 0.5 } else { -0.5 };
        let end = [x + lean, z - 2.0];
        let arm = model.bar([x, z], end);
        let hinge = model.hinge(parent, arm, [x, z]);
        call!(model, set_joint_spring(hinge, 200.0, 5.0, 0.0));
        // The loop: crank, coupler and rocker beside the arm.
        let on_arm = |s: f64| [x + s * lean, z - 2.0 * s];
        let (top, bottom) = (on_arm(0.2), on_arm(0.8));
        let (crank_end, rocker_end) = ([top[0] + 0.5, top[1] - 0.1], [bottom[0] + 0.7, bottom[1] + 0.1]);
        let (crank, coupler) = (model.bar(top, crank_end), model.bar(crank_end, rocker_end));
        let rocker = model.bar(rocker_end, bottom);
        model.hinge(arm, crank, top);
        model.hinge(crank, coupler, crank_end);
        model.hinge(coupler, rocker, rocker_end);
        model.hinge(rocker, arm, bottom);
        model.spring(arm, [0.0; 3], coupler, [0.0; 3], [500.0, 10.0, 0.5]);
        let pendulum = model.bar(rocker_end, [rocker_end[0] + 0.2, rocker_end[1] - 0.6]);
        model.hinge(coupler, pendulum, rocker_end);
        model.marker(coupler);
        arms.push(arm);
        ends.push(end);
    }
    model.body = arms[arms.len() / 2];
    model
}

/// The line of OC3 on a body that the host moves.
fn line(library: &Library, segments: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.80665, 0.1);
    let kind = model.sea();
    let center = [5.2, 0.0, -70.0];
    let body = model.rigid_body(1.0, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &[5.2, 0.0, -70.0, 1.0, 0.0, 0.0, 0.0]);
    call!(model, set_body_prescribed(body, 1));
    model.mooring_line(kind, 0.0, body, center, segments);
    model.moved = true;
    model
}

// -------------------------------------------------------------------------------------------------------- structures

/// Four-bar loops, each hung at the coupler of the one before.
fn series(library: &Library, bodies: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.81, 1e-3);
    let (mut base, mut pins) = (GROUND, [[0.0, 0.0], [0.5, 0.0]]);
    for _ in 0..bodies / 3 {
        // Both cranks lean to the right, so that the loops move.
        let [[left, z], [right, _]] = pins;
        let ends = [[left - 0.15, z - 0.5], [right + 0.35, z - 0.5]];
        let links = [model.bar(pins[0], ends[0]), model.bar(ends[0], ends[1]), model.bar(ends[1], pins[1])];
        model.hinge(base, links[0], pins[0]);
        model.hinge(links[0], links[1], ends[0]);
        model.hinge(links[1], links[2], ends[1]);
        model.hinge(links[2], base, pins[1]);
        base = links[1];
        pins = [[ends[0][0] + 0.25, z - 0.5], [ends[1][0] - 0.25, z - 0.5]];
    }
    model
}

/// Two rails of bars side by side, with a rung between them at each joint: neighbouring loops share
/// a rung.
fn ladder(library: &Library, bodies: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.81, 1e-3);
    let mut rails = [GROUND; 2];
    for k in 0..bodies / 3 {
        let points = [0.0, 1.0].map(|x| [0.0, 1.0].map(|i| [x + 0.05 * (k as f64 + i), -0.5 * (k as f64 + i)]));
        for (rail, [from, to]) in rails.iter_mut().zip(points) {
            let bar = model.bar(from, to);
            model.hinge(*rail, bar, from);
            *rail = bar;
        }
        let rung = model.bar(points[0][1], points[1][1]);
        model.hinge(rails[0], rung, points[0][1]);
        model.hinge(rung, rails[1], points[1][1]);
    }
    model
}

/// A square net of points, a spring between neighbours, the corners fixed.
fn net(library: &Library, points: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.81, 1e-3);
    let (side, mut id) = (points.isqrt(), -1);
    let mut row_before = Vec::new();
    for i in 0..side {
        let mut row = Vec::new();
        for j in 0..side {
            let is_corner = (i == 0 || i == side - 1) && (j == 0 || j == side - 1);
            let position = [i as f64, j as f64, 0.0];
            row.push(if is_corner { model.fixed_point(position) } else { model.point(0.1, position) });
            let neighbours = [row_before.get(j).copied(), (j > 0).then(|| row[j - 1])];
            for other in neighbours.into_iter().flatten() {
                call!(model, add_point_spring(other, row[j], 1000.0, 1.0, 0.95, 0, &mut id));
            }
        }
        row_before = row;
    }
    model.size = side * side;
    model
}

/// A square frame of bodies, a bushing between neighbours, its lowest row on the ground.
fn frame(library: &Library, bodies: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.81, 1e-3);
    let (side, mut id) = (bodies.isqrt(), -1);
    let stiffness = diagonal([1e5, 1e5, 1e5, 1e4, 1e4, 1e4]);
    let damping = diagonal([100.0, 100.0, 100.0, 10.0, 10.0, 10.0]);
    let at = |x: f64, z: f64| [x, 0.0, z, 1.0, 0.0, 0.0, 0.0];
    for i in 0..side {
        for j in 0..side {
            let (x, z) = (j as f64, i as f64 + 0.5);
            let body = model.rigid_body(1.0, &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &at(x, z));
            let (k, c) = (stiffness.as_ptr(), damping.as_ptr());
            let (below, on_below) = if i == 0 { (GROUND, at(x, 0.0)) } else { (body - side as i32, at(0.0, 0.5)) };
            call!(model, add_bushing(below, body, on_below.as_ptr(), at(0.0, -0.5).as_ptr(), k, c, &mut id));
            if j > 0 {
                let (left, right) = (at(0.5, 0.0), at(-0.5, 0.0));
                call!(model, add_bushing(body - 1, body, left.as_ptr(), right.as_ptr(), k, c, &mut id));
            }
        }
    }
    model
}

/// One body that many others hang on.
fn star(library: &Library, branches: usize) -> Model<'_> {
    let mut model = Model::new(library, 9.81, 1e-3);
    let hub = model.bar([0.0, 0.0], [1.0, 0.0]);
    model.hinge(GROUND, hub, [0.0, 0.0]);
    for k in 0..branches {
        let x = (k + 1) as f64 / branches as f64;
        let branch = model.bar([x, 0.0], [x + 0.2, -0.5]);
        model.hinge(hub, branch, [x, 0.0]);
    }
    model
}

// ------------------------------------------------------------------------------------------------------- measurement

/// Builds a model of a size.
type Build = for<'a> fn(&'a Library, usize) -> Model<'a>;

const TARGETS: [(&str, Build, &[usize]); 3] =
    [("platform", platform, &[20]), ("machine", machine, &[30, 100, 300]), ("line", line, &[20, 100, 500])];

/// What a model gets in addition; waves, of 200 components, only where there is water.
const EXTRAS: [&str; 5] = ["", "+ marker", "+ spring", "+ callback", "+ waves"];

const STRUCTURES: [(&str, Build, &[usize]); 5] = [
    ("four-bars in series", series, &[150, 600, 2400, 9600]),
    ("ladder", ladder, &[150, 600, 2400, 9600]),
    ("net of springs", net, &[225, 900]),
    ("frame of bushings", frame, &[100, 400]),
    ("star", star, &[250, 1000]),
];

/// Processor time of this process, s.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a pointer to a timespec of this frame.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Steps after a restored state that are not timed.
const WARM_UP: usize = 3;

/// A model in motion, the state that every round starts from, and what the fastest round took.
struct Run<'a> {
    model: Model<'a>,
    state: *mut c_void,
    start: usize,
    steps: usize,
    microseconds: f64,
    iterations: f64,
}

impl<'a> Run<'a> {
    fn new(model: Model<'a>, extra: &str, start: usize) -> Run<'a> {
        let body = model.body;
        match extra {
            "+ marker" => model.marker(body),
            "+ spring" => model.spring(body, [0.0; 3], GROUND, [0.0, 3.0, 0.0], [0.1, 0.01, 3.0]),
            "+ callback" => call!(model, set_load_callback(body, Some(nothing), null_mut())),
            "+ waves" => call!(model, set_irregular_waves(6.0, 12.0, 3.3, 0.0, 0.0, 1, 200)),
            _ => {}
        }
        call!(model, initialize(0.0));
        model.steps(0, start);
        let mut state = null_mut();
        call!(model, state_save(&mut state));
        let steps = (3000 / model.size).clamp(5, 100);
        Run { model, state, start, steps, microseconds: f64::INFINITY, iterations: 0.0 }
    }

    fn round(&mut self) {
        call!(self.model, state_restore(self.state));
        let first = self.start + WARM_UP;
        self.model.steps(self.start, first);
        let iterations = self.model.iterations();
        let begin = processor_time();
        self.model.steps(first, first + self.steps);
        let seconds = processor_time() - begin;
        self.microseconds = self.microseconds.min(1e6 * seconds / self.steps as f64);
        self.iterations = (self.model.iterations() - iterations) / self.steps as f64;
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        // SAFETY: the state was saved by this library.
        unsafe { (self.model.library.state_destroy)(&mut self.state) };
    }
}

fn heading(table: &str, time: &str, against: &str, libraries: &[Library]) {
    print!("\n{table:32}");
    for k in 0..libraries.len() {
        print!(" | {:>10} {:>7} {:>7}", format!("[{}] {time}", k + 1), "it/step", against);
        if k > 0 {
            print!(" {:>7}", "to [1]");
        }
    }
    println!();
}

/// One line of a table: for each library the time, iterations, the time over `before`, and over the
/// first library's.
fn row(label: &str, times: &[f64], iterations: &[f64], before: &[f64]) {
    print!("{label:32}");
    for k in 0..times.len() {
        print!(" | {:10.3} {:7.2} {:7.3}", times[k], iterations[k], times[k] / before[k]);
        if k > 0 {
            print!(" {:7.3}", times[k] / times[0]);
        }
    }
    println!();
}

fn targets(libraries: &[Library], rounds: usize, wanted: impl Fn(&str) -> bool) {
    heading("target model", "us/step", "extra", libraries);
    for (name, build, sizes) in TARGETS {
        for size in sizes.iter().filter(|_| wanted(name)) {
            let run = |extra| libraries.iter().map(move |library| Run::new(build(library, *size), extra, 20));
            let extras = if name == "machine" { &EXTRAS[..4] } else { &EXTRAS[..] };
            let mut runs: Vec<Run> = extras.iter().copied().flat_map(run).collect();
            for _ in 0..rounds {
                runs.iter_mut().for_each(Run::round);
            }
            let times: Vec<f64> = runs.iter().map(|run| run.microseconds).collect();
            let iterations: Vec<f64> = runs.iter().map(|run| run.iterations).collect();
            let n = libraries.len();
            for (k, extra) in extras.iter().enumerate() {
                let these = k * n..(k + 1) * n;
                row(&format!("{name} {size} {extra}"), &times[these.clone()], &iterations[these], &times[..n]);
            }
        }
    }
}

fn structures(libraries: &[Library], rounds: usize, wanted: impl Fn(&str) -> bool) {
    heading("structure", "us/body", "growth", libraries);
    for (name, build, sizes) in STRUCTURES {
        let mut before: Option<Vec<f64>> = None;
        for size in sizes.iter().filter(|_| wanted(name)) {
            let mut runs: Vec<Run> = libraries.iter().map(|library| Run::new(build(library, *size), "", 2)).collect();
            for _ in 0..rounds {
                runs.iter_mut().for_each(Run::round);
            }
            let times: Vec<f64> = runs.iter().map(|run| run.microseconds / run.model.size as f64).collect();
            let iterations: Vec<f64> = runs.iter().map(|run| run.iterations).collect();
            row(&format!("{name} {size}"), &times, &iterations, before.as_ref().unwrap_or(&times));
            before = Some(times);
        }
    }
}

/// Builds the library of this source as Cargo releases it, and says where it is.
fn built_library() -> PathBuf {
    let output = Command::new(option_env!("CARGO").unwrap_or("cargo"))
        .args(["rustc", "--release", "--lib", "--crate-type", "cdylib,staticlib", "--message-format=json"])
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let path = text.split('"').find(|part| part.ends_with("/libpintle.so"));
    path.unwrap_or_else(|| panic!("no libpintle.so: {}", String::from_utf8_lossy(&output.stderr))).into()
}

fn main() {
    // Cargo's own arguments start with a dash.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (paths, words): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|word| word.contains(".so"));
    let rounds = words.iter().find_map(|word| word.strip_prefix("rounds="));
    let rounds = rounds.map_or(15, |number| number.parse().expect("rounds= takes a number"));
    let words: Vec<&&String> = words.iter().filter(|word| !word.starts_with("rounds=")).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));

    let libraries: Vec<Library> = match paths.is_empty() {
        true => vec![Library::load(&built_library())],
        false => paths.iter().map(|path| Library::load(Path::new(path))).collect(),
    };
    for (k, library) in libraries.iter().enumerate() {
        println!("[{}] {}", k + 1, library.path.display());
    }
    targets(&libraries, rounds, wanted);
    structures(&libraries, rounds, wanted);
}
