//! Bodies that turn about a place which the host moves; net forces of free bodies, and of rods that
//! are part of a body or of the ground.

use crate::system::*;
use moordyn_pintle::parts::*;
use moordyn_pintle::version2::*;
use std::ffi::{c_int, c_uint};

const G: f64 = 9.80665;
const RHO: f64 = 1025.0;

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn body_force(system: &System) -> [f64; 6] {
    vector(|out| unsafe { MoorDyn_GetBodyForce(system.body(1), out) })
}

fn body_place(system: &System, body: u32) -> [f64; 6] {
    let mut rates = [0.0; 6];
    vector(|out| unsafe { MoorDyn_GetBodyState(system.body(body), out, rates.as_mut_ptr()) })
}

fn rod_force(system: &System, rod: u32) -> [f64; 6] {
    vector(|out| unsafe { MoorDyn_GetRodForce(system.rod(rod), out) })
}

/// A host whose x, xd and f are 3 numbers for each pinned body, as MoorDyn's are that counts 6.
struct Host<'a> {
    system: &'a System,
    used: usize,
}

impl Host<'_> {
    fn start(&self, x: &[f64], xd: &[f64]) {
        assert_eq!((x.len(), xd.len()), (self.used, self.used));
        let status = unsafe { MoorDyn_Init(self.system.handle, x.as_ptr(), xd.as_ptr()) };
        assert_eq!(status, OK, "{}", last_error());
    }

    fn step(&self, x: &[f64], xd: &[f64], dt: f64) -> Vec<f64> {
        let (mut f, mut t, mut dt) = (vec![0.0; self.used], 0.0, dt);
        let status =
            unsafe { MoorDyn_Step(self.system.handle, x.as_ptr(), xd.as_ptr(), f.as_mut_ptr(), &mut t, &mut dt) };
        assert_eq!(status, OK, "{}", last_error());
        f
    }
}

/// x has 3 numbers of the pinned body after those of the coupled one, before those of rods and
/// points; what hangs on a body that starts elsewhere than in the file goes with it.
#[test]
fn a_pinned_body_has_three_numbers_and_takes_along_what_is_on_it() {
    let input = format!(
        "{LINE_TYPES}{ROD_TYPES}spar 0.5 400 1 1 1 1\n{BODIES}1 Coupled 0 0 0 0 0 0 1e5 0 1e6 50 0 0\n\
         2 CoupledPinned 0 0 -5 0 0 0 100 -1 10 0 0 0\n{RODS}1 spar Body2 0 0 0 0 0 -4 2 -\n\
         2 spar Body2Pinned 0 0 -4 0 0 -8 2 -\n3 spar VesPin 0 50 -5 0 50 -9 2 -\n\
         {POINTS}1 Coupled 0 300 -10 0 0 0 0\n2 Body2 0 0 -4 0 0 0 0\n\
         {LINES}1 main 2 1 400 20 -\n--- OPTIONS ---\n200 WtrDpth\n"
    );
    let system = System::new(&input);
    assert_eq!(system.dofs, 6 + 6 + 3 + 3, "as MoorDyn counts");
    let types = [1, 2].map(|body| {
        let mut kind: c_int = 99;
        assert_eq!(unsafe { MoorDyn_GetBodyType(system.body(body), &mut kind) }, OK);
        kind
    });
    assert_eq!(types, [-1, 2]);
    let mut bodies: c_uint = 0;
    assert_eq!((unsafe { MoorDyn_GetNumberBodies(system.handle, &mut bodies) }, bodies), (OK, 2));
    let host = Host { system: &system, used: 6 + 3 + 3 + 3 };
    let x = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 7.0, -5.0, 0.0, 51.0, -5.0, 0.0, 301.0, -10.0];
    let mut xd = [0.0; 15];
    xd[7] = 0.5;
    host.start(&x, &xd);
    let nodes =
        |rod: u32, i: u32| -> [f64; 3] { vector(|out| unsafe { MoorDyn_GetRodNodePos(system.rod(rod), i, out) }) };
    for (rod, i, place) in
        [(1, 0, [2.0, 7.0, -5.0]), (1, 2, [2.0, 7.0, -9.0]), (2, 0, [2.0, 7.0, -9.0]), (2, 2, [2.0, 7.0, -13.0])]
    {
        assert!(apart(&nodes(rod, i), &place) < 1e-12, "rod {rod}: {:?}", nodes(rod, i));
    }
    let v: [f64; 3] = vector(|out| unsafe { MoorDyn_GetRodNodeVel(system.rod(2), 2, out) });
    assert!(apart(&v, &[0.0, 0.5, 0.0]) < 1e-12, "{v:?}");
    assert!(apart(&position(system.point(2)), &[2.0, 7.0, -9.0]) < 1e-12);
    let f = host.step(&x, &xd, 0.05);
    assert!(apart(&body_place(&system, 2)[..3], &[2.0, 7.025, -5.0]) < 1e-9);
    let net: [f64; 6] = vector(|out| unsafe { MoorDyn_GetBodyForce(system.body(2), out) });
    assert!(net[..3] == f[6..9] && net[3..] == [0.0; 3] && net[2] < 0.0, "{net:?} {f:?}");
    assert!(apart(&point_force(system.point(1)), &f[12..]) == 0.0);
    // Repeated steps have the same bits.
    let saved = system.serialized();
    let first = (host.step(&x, &xd, 0.05), body_place(&system, 2));
    assert_eq!(system.deserialize(&saved), OK);
    assert_eq!(first, (host.step(&x, &xd, 0.05), body_place(&system, 2)));
}

/// A pendulum on a place that the host accelerates from rest swings about atan(-a/g), and the host
/// pushes its mass on the average.
#[test]
fn a_pinned_body_on_an_accelerated_place_swings_about_its_new_balance() {
    let input = format!("{BODIES}1 VesPin 0 0 -5 0 0 0 1000 -2 500 0 0 0\n--- OPTIONS ---\n0 WtrDnsty\n100 WtrDpth\n");
    let system = System::new(&input);
    let (host, a, h) = (Host { system: &system, used: 3 }, 0.5, 0.01);
    host.start(&[0.0, 0.0, -5.0], &[0.0; 3]);
    let balance = -(a / G).atan();
    // From 0 to twice the balance and back; the amplitude makes it longer by its square over 16.
    let rate = (1000.0 * 2.0 * G.hypot(a) / (500.0 + 4000.0)).sqrt() * (1.0 - balance * balance / 16.0);
    let steps = (std::f64::consts::TAU / rate / h).round() as i32;
    let (mut sum, mut push, mut most) = (0.0, 0.0, 0.0f64);
    for step in 0..steps {
        let t = h * f64::from(step);
        let f = host.step(&[0.0, 0.5 * a * t * t, -5.0], &[0.0, a * t, 0.0], h);
        let angle = body_place(&system, 1)[3];
        (sum, push, most) = (sum + angle, push + f[1], most.min(angle));
    }
    let [sum, push] = [sum, push].map(|sum| sum / f64::from(steps));
    assert!((sum - balance).abs() < 1e-3 && (most - 2.0 * balance).abs() < 1e-3, "{sum} {most} {balance}");
    assert!((push / (-1000.0 * a) - 1.0).abs() < 0.02, "{push}");
}

/// A free body of a given mass with a rod and an end of a line, and the same rod by itself.
fn with_rod(kind: &str, rod: &str, mass: &str) -> String {
    format!(
        "--- LINE TYPES ---\nName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx\n(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)\n\
         main 0.09 77.7 3.8e8 -0.8 2e5 1.6 1.0 0.1 0.0\n{ROD_TYPES}spar 0.5 400 1.2 0.9 1.1 0.7\n\
         {BODIES}1 {kind} 2 3 -20 0 0 0 {mass}\n{RODS}1 spar {rod}\n{POINTS}1 Fixed 200 30 -100 0 0 0 0\n\
         {LINES}1 main R1B 1 210 10 -\n--- OPTIONS ---\n100 WtrDpth\n"
    )
}

/// All that a free body feels is on its rod if it has no mass itself; mass matrices are the same,
/// too. The rod on a body that the host holds at rest feels what the rod feels that the host holds.
#[test]
fn forces_of_rods_on_bodies_are_those_of_the_body_and_of_a_rod_by_itself() {
    let none = "0 0 0 0 0 0";
    let system = System::started(&with_rod("Free", "Body1 0 0 0 4 1 -3 5 -", none), &[]);
    let (of_body, of_rod) = (body_force(&system), rod_force(&system, 1));
    let size = of_body.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(apart(&of_body, &of_rod) < 1e-9 * size, "{of_body:?} {of_rod:?}");
    let mass =
        |get: unsafe extern "C" fn(Handle, *mut f64) -> c_int, part| vector::<36>(|out| unsafe { get(part, out) });
    let [of_body, of_rod] = [mass(MoorDyn_GetBodyM, system.body(1)), mass(MoorDyn_GetRodM, system.rod(1))];
    assert!(apart(&of_body, &of_rod) < 1e-9 * of_body[35], "{of_body:?} {of_rod:?}");

    // Deep in the water, or with its end B 0.2 m in the seabed.
    for depth in [-20.0, -95.99] {
        let held = [2.0, 3.0, depth, 0.0, 0.0, 0.0];
        let down = [0.0, 0.0, -2.1, 0.0, 0.0, 0.0];
        let on_body = System::started(&with_rod("Coupled", "Body1 0 0 0 4 1 -4 5 -", none), &held);
        let by_itself = System::started(&with_rod("Fixed", "Coupled 2 3 -20 6 4 -24 5 -", none), &held);
        let (of_body, _) = on_body.step(&held, &down, 0.1);
        let (alone, _) = by_itself.step(&held, &down, 0.1);
        let own = rod_force(&on_body, 1);
        let size = own.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        assert!(depth > -90.0 || own[2] > 1e4, "the seabed pushes: {own:?}");
        assert!(
            apart(&own, &of_body) < 1e-6 * size && apart(&own, &alone) < 1e-6 * size,
            "{own:?} {of_body:?} {alone:?}"
        );
    }
}

/// On the ground: weight less buoyancy at the middle of a level rod.
#[test]
fn a_rod_on_the_ground_weighs_what_its_buoyancy_leaves() {
    let input = format!(
        "{ROD_TYPES}spar 0.5 400 0 1 0 1\n{RODS}1 spar Fixed 0 0 -20 8 0 -20 4 -\n--- OPTIONS ---\n100 WtrDpth\n"
    );
    let system = System::started(&input, &[]);
    let displaced = RHO * 0.25 * std::f64::consts::PI * 0.25;
    let weight = (displaced - 400.0) * G * 8.0;
    let force = rod_force(&system, 1);
    assert!(apart(&force, &[0.0, 0.0, weight, 0.0, -4.0 * weight, 0.0]) < 1e-9 * weight.abs(), "{force:?}");
    let m: [f64; 36] = vector(|out| unsafe { MoorDyn_GetRodM(system.rod(1), out) });
    assert!((m[7] / ((400.0 + displaced) * 8.0) - 1.0).abs() < 1e-12, "{m:?}");
}

/// Of a free body: weight and buoyancy at its centre of gravity, before it moves.
#[test]
fn the_force_of_a_free_body_is_weight_and_buoyancy() {
    let input = format!("{BODIES}1 Free 0 0 -10 0 0 0 2000 1|2|3 500 1.5 1 0.5\n--- OPTIONS ---\n100 WtrDpth\n");
    let system = System::started(&input, &[]);
    let up = (1.5 * RHO - 2000.0) * G;
    let force = body_force(&system);
    assert!(apart(&force, &[0.0, 0.0, up, 2.0 * up, -up, 0.0]) < 1e-9 * up.abs(), "{force:?} {up}");
    let (x, xd): (*const f64, *const f64) = (std::ptr::null(), std::ptr::null());
    let (mut t, mut dt) = (0.0, 0.01);
    assert_eq!(unsafe { MoorDyn_Step(system.handle, x, xd, std::ptr::null_mut(), &mut t, &mut dt) }, OK);
    let moved = body_place(&system, 1)[2] + 10.0;
    assert!(moved * up > 0.0, "{moved} {up}");
}

/// A coupled body has only what is on it: its own mass, volume and coefficients are the host's.
#[test]
fn the_mass_of_a_coupled_body_is_the_hosts() {
    let rest = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0];
    let [bare, heavy] = ["0 0 0 0 0 0", "1e5 -3 1e6|2e6|3e6 50 7 1"].map(|own| {
        let system = System::started(&body_and_point().replace("1e5 0 1e6|2e6|3e6 50 0 0", own), &rest);
        system.step(&rest, &[0.5, 0.0, 0.1, 0.0, 0.02, 0.0, 0.0, 0.0, 0.0], 0.1).0
    });
    assert!(bare == heavy && bare[2] < -1e5, "{bare:?} {heavy:?}");
}
