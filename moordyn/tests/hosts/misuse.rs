//! Misuse: codes and messages, nothing changed, no crash.

use crate::system::*;
use moordyn_pintle::parts::*;
use moordyn_pintle::version1::*;
use moordyn_pintle::version2::*;
use std::ptr::{null, null_mut};

const START: [f64; 3] = [5.2, 0.0, -70.0];

/// The last message begins with the function and names the argument.
fn says(function: &str, word: &str) {
    let message = last_error();
    assert!(message.starts_with(&format!("{function}: ")) && message.contains(word), "{message}");
}

#[test]
fn null_pointers_and_wrong_numbers_are_refused_by_name() {
    let system = System::started(&one_line("", "-"), &START);
    let (mut f, mut t, mut dt) = ([0.0; 3], 0.0, 0.1);
    let xd = [0.0; 3];
    unsafe {
        let s = system.handle;
        assert_eq!(MoorDyn_Step(s, null(), xd.as_ptr(), f.as_mut_ptr(), &mut t, &mut dt), INVALID_VALUE);
        says("MoorDyn_Step", "x is NULL");
        assert_eq!(MoorDyn_Step(s, START.as_ptr(), xd.as_ptr(), null_mut(), &mut t, &mut dt), INVALID_VALUE);
        says("MoorDyn_Step", "f is NULL");
        assert_eq!(MoorDyn_Step(s, START.as_ptr(), xd.as_ptr(), f.as_mut_ptr(), null_mut(), &mut dt), INVALID_VALUE);
        assert_eq!(MoorDyn_Step(s, START.as_ptr(), xd.as_ptr(), f.as_mut_ptr(), &mut t, null_mut()), INVALID_VALUE);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(system.try_step(&START, &xd, bad).0, NAN);
            says("MoorDyn_Step", "dt");
            assert_eq!(system.try_step(&[bad, 0.0, -70.0], &xd, 0.1).0, NAN);
            says("MoorDyn_Step", "x[0]");
            assert_eq!(system.try_step(&START, &[0.0, 0.0, bad], 0.1).0, NAN);
            says("MoorDyn_Step", "xd[2]");
        }
        let (status, _, time) = system.try_step(&START, &xd, -1.0);
        assert_eq!((status, time), (OK, 0.0));
        let mut out = [0.0; 3];
        assert_eq!(MoorDyn_GetLineNodePos(system.line(1), 21, out.as_mut_ptr()), INVALID_VALUE);
        says("MoorDyn_GetLineNodePos", "i = 21");
        assert_eq!(MoorDyn_GetLineNodePos(system.line(1), u32::MAX, out.as_mut_ptr()), INVALID_VALUE);
        assert_eq!(MoorDyn_GetLineNodePos(system.line(1), 0, null_mut()), INVALID_VALUE);
        assert!(system.line(0).is_null() && system.line(2).is_null() && system.line(u32::MAX).is_null());
        // A handle of another kind, and of another system.
        assert_eq!(MoorDyn_GetLineNodePos(system.point(1), 0, out.as_mut_ptr()), INVALID_VALUE);
        assert_eq!(MoorDyn_GetLineNodePos(s, 0, out.as_mut_ptr()), INVALID_VALUE);
        assert_eq!(MoorDyn_Close(system.line(1)), INVALID_VALUE);
        let other = System::started(&one_line("", "-"), &START);
        assert_eq!(MoorDyn_BreakLine(s, other.point(1), other.line(1)), INVALID_VALUE);
        for number in [-1, 2, i32::MIN] {
            let mut out = [0f32; 2];
            let [a, b] = [out.as_mut_ptr(), out.as_mut_ptr()];
            assert_eq!(MoorDyn_GetFASTtens(s, &number, a, b, a, b), INVALID_VALUE);
        }
        assert_eq!(MoorDyn_SetDt(s, -1.0), INVALID_VALUE);
        assert_eq!(MoorDyn_SetCFL(s, f64::NAN), INVALID_VALUE);
        assert_eq!(MoorDyn_SetTimeScheme(s, c"RK5".as_ptr()), INVALID_VALUE);
        says("MoorDyn_SetTimeScheme", "RK5");
        assert_eq!(MoorDyn_SetLineUnstretchedLength(system.line(1), -5.0), INVALID_VALUE);
        assert_eq!(MoorDyn_SetLineUnstretchedLengthVel(system.line(1), f64::NAN), NAN);
        assert_eq!(PintleMoorDyn_SetMaxStep(s, 0.0), INVALID_VALUE);
        assert_eq!(MoorDyn_SetLogFile(s, c"/no/such/folder/log".as_ptr()), -2);
        let u = [f64::NAN; 3 * 24];
        assert_eq!(MoorDyn_ExternalWaveKinSet(s, u.as_ptr(), u.as_ptr(), 0.0), NAN);
    }
    system.step(&START, &xd, 0.1);
}

#[test]
fn calls_before_the_start_and_after_a_failed_one_are_refused() {
    let system = System::new(&one_line("", "-"));
    let s = system.handle;
    assert_eq!(position(system.point(2)), START);
    unsafe {
        assert_eq!(system.try_step(&START, &[0.0; 3], 0.1).0, INVALID_VALUE);
        says("MoorDyn_Step", "MoorDyn_Init has not succeeded");
        assert_eq!(MoorDyn_Init(s, null(), null()), INVALID_VALUE);
        assert_eq!(MoorDyn_Init(s, [f64::NAN; 3].as_ptr(), null()), NAN);
        // Below the seabed.
        assert_ne!(MoorDyn_Init(s, [5.2, 0.0, -900.0].as_ptr(), null()), OK);
        assert_eq!(system.try_step(&START, &[0.0; 3], 0.1).0, INVALID_VALUE);
        let mut size = 0;
        assert_eq!(MoorDyn_Serialize(s, &mut size, null_mut()), INVALID_VALUE);
        let mut out = [0.0; 3];
        assert_eq!(MoorDyn_GetLineNodePos(system.line(1), 0, out.as_mut_ptr()), INVALID_VALUE);
        assert_eq!(MoorDyn_GetPointForce(system.point(1), out.as_mut_ptr()), INVALID_VALUE);
        // Hosts read the places of coupled points to fill x.
        assert_eq!(position(system.point(1)), [853.87, 0.0, -320.0]);
        assert_eq!(MoorDyn_Init(s, START.as_ptr(), null()), OK, "{}", last_error());
        assert_eq!(MoorDyn_Init(s, START.as_ptr(), null()), INVALID_VALUE);
    }
    system.step(&START, &[0.0; 3], 0.1);
}

#[test]
fn files_that_need_more_than_pintle_has_are_refused_with_their_line() {
    let folder = Folder::new();
    let refused = |text: &str, word: &str| {
        std::fs::write(folder.0.join("lines.txt"), text).unwrap();
        assert!(unsafe { MoorDyn_Create(folder.path("lines.txt").as_ptr()) }.is_null());
        says("MoorDyn_Create", word);
    };
    refused(&one_line("4 WaveKin", "-"), "line 16, \"4\": of waves, only 1");
    refused(&one_line("3 currents", "-"), "line 16, \"3\": of currents");
    refused("nothing", "no section");
    assert!(unsafe { MoorDyn_Create(c"no such file".as_ptr()) }.is_null());
    says("MoorDyn_Create", "no such file");
    assert!(unsafe { MoorDyn_Create(c"\xff".as_ptr()) }.is_null());
    says("MoorDyn_Create", "UTF-8");
}

#[test]
fn what_pintle_lacks_is_said_once_in_the_log() {
    // The host gives the motion of the water at nodes, and is asked for it elsewhere.
    let system = System::started(&one_line("1 writeLog\n1 WaveKin", "-"), &START);
    let waves = unsafe { MoorDyn_GetWaves(system.handle) };
    let mut u = [0.0; 3];
    let nothing = std::ptr::null_mut();
    for _ in 0..3 {
        let status = unsafe {
            MoorDyn_GetWavesKin(waves, 0.0, 0.0, -5.0, u.as_mut_ptr(), nothing, nothing, nothing, nothing.cast())
        };
        assert_eq!(status, NON_IMPLEMENTED);
    }
    let log = system.folder.text("lines.log");
    assert_eq!(log.matches("MoorDyn_GetWavesKin").count(), 1, "{log}");
}

/// Beyond its last point a table of stiffness is continued, which is told when the system is
/// closed.
#[test]
fn notes_of_the_run_are_in_the_log_when_the_system_is_closed() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("ea.txt"), "strain tension\n(-) (N)\n0 0\n0.001 4e5\n").unwrap();
    std::fs::write(folder.0.join("lines.txt"), one_line("1 writeLog", "-").replace("384.243E6", "ea.txt")).unwrap();
    unsafe {
        let system = MoorDyn_Create(folder.path("lines.txt").as_ptr());
        assert!(!system.is_null(), "{}", last_error());
        assert_eq!(MoorDyn_Init(system, START.as_ptr(), null()), OK, "{}", last_error());
        let mut constant = -1;
        assert_eq!((MoorDyn_IsLineConstantEA(MoorDyn_GetLine(system, 1), &mut constant), constant), (OK, 0));
        assert_eq!(MoorDyn_GetLineConstantEA(MoorDyn_GetLine(system, 1), &mut 0.0), INVALID_VALUE);
        assert!(!folder.text("lines.log").contains("beyond the table"));
        assert_eq!(MoorDyn_Close(system), OK);
    }
    assert!(
        folder.text("lines.log").contains("WRN segment 0 of line 0 is strained by"),
        "{}",
        folder.text("lines.log")
    );
}

/// The functions of version 1 share one system: one test for all.
#[test]
fn version_1_has_one_system_and_its_own_codes() {
    let system = System::new(&one_line("", "-"));
    let path = system.folder.path("lines.txt");
    let (mut f, mut t, mut dt) = ([0.0; 3], 0.0, 0.1);
    let xd = [0.0; 3];
    unsafe {
        assert_eq!(MoorDynInit(START.as_ptr(), xd.as_ptr(), c"nofile".as_ptr()), -255);
        assert_eq!(MoorDynStep(START.as_ptr(), xd.as_ptr(), f.as_mut_ptr(), &mut t, &mut dt), INVALID_VALUE);
        assert_eq!([MoorDynClose(), externalWaveKinInit(), GetPointPos(1, f.as_mut_ptr())], [INVALID_VALUE, 0, -5]);
        assert_eq!((GetNodePos(1, 0, null_mut()), GetFairTen(1)), (-5, -1.0));
        getWaveKinCoordinates(null_mut());
        setWaveKin(null(), null(), 0.0);
        SetDisableConsole(1);
        assert_eq!(MoorDynInit(START.as_ptr(), xd.as_ptr(), path.as_ptr()), OK, "{}", last_error());
        // A second one takes the place of the first.
        assert_eq!(MoorDynInit(START.as_ptr(), xd.as_ptr(), path.as_ptr()), OK);
        SetDisableConsole(0);
        assert_eq!(LinesCalc(START.as_ptr(), xd.as_ptr(), f.as_mut_ptr(), &mut t, &mut dt), OK);
        assert_eq!(t, 0.1);
        let mut force = [0.0; 3];
        assert_eq!((GetPointForce(2, force.as_mut_ptr()), force), (OK, f));
        assert_eq!((GetConnectPos(2, force.as_mut_ptr()), force), (OK, START));
        assert_eq!([GetPointPos(0, force.as_mut_ptr()), GetPointPos(-3, force.as_mut_ptr())], [INVALID_VALUE; 2]);
        assert_eq!((GetNodePos(1, 20, force.as_mut_ptr()), force), (OK, START));
        assert_eq!(GetNodePos(1, -1, force.as_mut_ptr()), INVALID_VALUE);
        assert!(GetFairTen(1) > 8e5 && GetFairTen(7) == -1.0);
        assert_eq!(externalWaveKinInit(), 24);
        AllOutput(0.0, 0.1);
        assert_eq!((LinesClose(), MoorDynClose()), (OK, INVALID_VALUE));
        assert_eq!(WaveNumber(0.0, 0.0, 0.0), 0.0);
    }
}

#[test]
fn the_last_error_is_cut_to_the_hosts_memory() {
    unsafe {
        assert_eq!(MoorDyn_Close(null_mut()), INVALID_VALUE);
        let whole = last_error();
        assert_eq!(whole, "MoorDyn_Close: system is NULL");
        let mut text = [1; 6];
        assert_eq!(PintleMoorDyn_LastError(text.len(), text.as_mut_ptr()), whole.len());
        assert_eq!(text, b"MoorD\0".map(|byte| byte as _));
        assert_eq!(PintleMoorDyn_LastError(0, null_mut()), whole.len());
    }
}
