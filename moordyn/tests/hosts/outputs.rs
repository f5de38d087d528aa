//! Files in MoorDyn's format.

use crate::system::*;
use moordyn_pintle::parts::*;
use moordyn_pintle::version2::*;

const START: [f64; 3] = [5.2, 0.0, -70.0];

#[test]
fn output_files_have_moordyns_columns() {
    let outputs = "--- OUTPUTS ---\nFairTen1\nL1N5PX\nPoint2FX\nEND\n---";
    let system = System::started(&one_line(&format!("0.2 dtOut\n1 writeLog\n{outputs}"), "p,t,v,s,K"), &START);
    for _ in 0..5 {
        system.step(&START, &[0.0; 3], 0.1);
    }
    let text = system.folder.text("lines.out");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "      Time            FairTen1              L1N5PX            Point2FX");
    assert_eq!(rows[1], "       (s)                   N                   m                   N");
    let times: Vec<&str> = rows[2..].iter().map(|row| row[..10].trim()).collect();
    assert_eq!(times, ["0.0000", "0.2000", "0.4000"]);
    let force = point_force(system.point(2));
    let numbers: Vec<f64> = rows[4].split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!((numbers[1] / norm(force) - 1.0).abs() < 1e-6 && (numbers[3] / force[0] - 1.0).abs() < 1e-6, "{numbers:?}");
    assert!(rows.iter().all(|row| row.len() == 10 + 3 * 20), "{text}");

    let text = system.folder.text("lines_Line1.out");
    let rows: Vec<&str> = text.lines().collect();
    let names: Vec<&str> = rows[0].split_whitespace().collect();
    assert_eq!(names.len(), 1 + 21 * 6 + 20 * 2);
    let places = [0, 1, 63, 64, 126, 127, 147];
    assert_eq!(places.map(|k| names[k]), ["Time", "Node0px", "Node20pz", "Node0vx", "Node20vz", "Seg1Te", "Seg1St"]);
    assert!(rows.iter().all(|row| row.split_whitespace().count() == names.len()));
    assert_eq!(rows.len(), 5);
    let log = system.folder.text("lines.log");
    assert!(log.contains("line 1: output \"K\" is not written"), "{log}");
}

/// Net forces on bodies and rods, which are no channels, in the order of the file; what is not
/// available is named.
#[test]
fn forces_on_bodies_and_rods_are_columns() {
    let outputs = "--- OUTPUTS ---\nBody1FZ body1Ten FairTen1\nB1MY\nRod1FZ\nRod1Sub\nPoint3PX\nEND\n---";
    let rods = format!("{ROD_TYPES}spar 0.5 400 1 1 1 1\n{RODS}1 spar Body1 0 0 -5 0 0 -9 2 -\n--- POINTS ---");
    let input = body_and_point().replace("--- POINTS ---", &rods) + "1 writeLog\n" + outputs;
    let x = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0];
    let system = System::started(&input, &x);
    system.step(&x, &[0.2, 0.0, 0.1, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0], 0.1);
    let text = system.folder.text("lines.out");
    let rows: Vec<&str> = text.lines().collect();
    let words = |row: &str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(rows[0]), ["Time", "Body1FZ", "body1Ten", "FairTen1", "B1MY", "Rod1FZ", "Point3PX"]);
    assert_eq!(words(rows[1]), ["(s)", "N", "N", "N", "Nm", "N", "m"]);
    let numbers: Vec<f64> = words(rows[3]).iter().map(|word| word.parse().unwrap()).collect();
    let body: [f64; 6] = vector(|out| unsafe { MoorDyn_GetBodyForce(system.body(1), out) });
    let rod: [f64; 6] = vector(|out| unsafe { MoorDyn_GetRodForce(system.rod(1), out) });
    let size = norm([body[0], body[1], body[2]]);
    for (found, expected) in [(1, body[2]), (2, size), (4, body[4]), (5, rod[2])] {
        assert!((numbers[found] - expected).abs() < 1e-6 * expected.abs(), "{numbers:?} {body:?} {rod:?}");
    }
    let log = system.folder.text("lines.log");
    assert!(log.contains("output \"Rod1Sub\" is not written"), "{log}");
}

#[test]
fn output_can_be_turned_off_and_a_log_opened_later() {
    let system = System::new(&one_line("1 disableOutput\n--- OUTPUTS ---\nFairTen1\n---", "p"));
    assert!(!system.folder.0.join("lines.out").exists() && !system.folder.0.join("lines_Line1.out").exists());
    unsafe {
        assert_eq!(MoorDyn_SetLogFile(system.handle, system.folder.path("own.log").as_ptr()), OK);
        assert_eq!(MoorDyn_SetVerbosity(system.handle, 4096), OK);
        assert_eq!(MoorDyn_SetLogLevel(system.handle, 2), OK);
        assert_eq!(MoorDyn_Log(system.handle, 1, c"quiet".as_ptr()), OK);
        assert_eq!(MoorDyn_Log(system.handle, 2, c"loud".as_ptr()), OK);
    }
    assert_eq!(system.folder.text("own.log"), "WRN loud\n");
}

#[test]
fn files_for_paraview_name_their_parts() {
    let system = System::started(&one_line("", "-"), &START);
    unsafe {
        assert_eq!(MoorDyn_SaveVTK(system.handle, system.folder.path("all.vtm").as_ptr()), OK, "{}", last_error());
        assert_eq!(MoorDyn_SaveLineVTK(system.line(1), c"/no/such/folder/a.vtp".as_ptr()), -2);
    }
    let text = system.folder.text("all.vtm");
    assert!(text.contains("name=\"line1\" file=\"all/line1.vtp\""), "{text}");
    let line = system.folder.text("all/line1.vtp");
    assert!(line.contains("NumberOfPoints=\"21\"") && line.contains("853.87 0 -320\n"), "{line}");
}

/// The length counts the NUL, as MoorDyn's does.
#[test]
fn schemes_are_stored_under_their_long_names() {
    let system = System::new(&one_line("RK4 tScheme\n0.004 dtM", "-"));
    let name_of = |system: &System| unsafe {
        let mut length = 0;
        assert_eq!(MoorDyn_GetTimeScheme(system.handle, std::ptr::null_mut(), &mut length), OK);
        let mut text = vec![0; length];
        assert_eq!(MoorDyn_GetTimeScheme(system.handle, text.as_mut_ptr(), &mut length), OK);
        assert_eq!(text[length - 1], 0);
        text[..length - 1].iter().map(|byte| *byte as u8 as char).collect::<String>()
    };
    let name = || name_of(&system);
    assert_eq!(name(), "4th order Runge-Kutta");
    assert_eq!(unsafe { MoorDyn_SetTimeScheme(system.handle, c"ACA20".as_ptr()) }, OK);
    assert_eq!(name(), "ACA20");
    // One that is not known is MoorDyn's default, with a warning.
    let other = System::new(&one_line("RK7 tScheme\n1 writeLog", "-"));
    assert_eq!(name_of(&other), "2nd order Runge-Kutta");
    let log = other.folder.text("lines.log");
    assert!(log.contains("time scheme \"RK7\": expected Euler") && log.contains("RK2 is stored"), "{log}");
    assert_eq!(vector::<1>(|out| unsafe { MoorDyn_GetDt(system.handle, out) }), [0.004]);
}
