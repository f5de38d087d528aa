//! Errors in files, reported with file, line and word.

use crate::moordyn::{Folder, V1, V2, load};
use pintle::Error;

/// Kinds of errors: syntax, not modelled, refused by a checked function, of the operating system.
#[derive(Debug, PartialEq, Clone, Copy)]
enum What {
    Format,
    Unsupported,
    InFile,
    Io,
}

fn what(error: &Error) -> Option<What> {
    match error {
        Error::Format { argument: "path", .. } => Some(What::Format),
        Error::Unsupported { argument: "path", .. } => Some(What::Unsupported),
        Error::InFile { cause, .. } if matches!(**cause, Error::Io { .. }) => Some(What::Io),
        Error::InFile { .. } => Some(What::InFile),
        _ => None,
    }
}

/// Changes one place of a text, and expects an error at a line and a word.
fn refused(text: &str, from: &str, to: &str, expected: What, line: usize, word: &str, says: &str) {
    assert!(text.contains(from), "{from}");
    let text = text.replacen(from, to, 1);
    let folder = Folder::new().with("lines.txt", &text);
    let path = folder.0.join("lines.txt");
    let error = folder.load().err().unwrap_or_else(|| panic!("{from} -> {to}: accepted"));
    assert_eq!(what(&error), Some(expected), "{from} -> {to}: {error}");
    let place = format!("path: \"{}\" line {line}, \"{word}\": ", path.display());
    let message = error.to_string();
    assert!(message.starts_with(&place), "{from} -> {to}:\n{message}\n{place}");
    assert!(message.contains(says), "{from} -> {to}:\n{message}\n{says}");
}

#[test]
fn what_is_not_modelled_is_named() {
    let at = |from: &str, to: &str, line, word: &str, says: &str| {
        refused(V2, from, to, What::Unsupported, line, word, says);
    };
    at("3     Free ", "3     R1A  ", 19, "R1A", "rods");
    at("3     Free ", "3     Turbine1", 19, "Turbine1", "FAST.Farm");
    at("1    Coupled", "1    Turbine3", 11, "Turbine3", "FAST.Farm");
    at("1.2e4 ", "bending.dat", 7, "bending.dat", "EI");
    at("RK4           tScheme", "4  WaveKin", 37, "4", "waves");
    at("RK4           tScheme", "waves.dat  WaterKin", 37, "waves.dat", "waves");
    at("RK4           tScheme", "3  Currents", 37, "3", "currents");
    at("RK4           tScheme", "1.5  StatDynFricScale", 37, "1.5", "friction");
    at("RK4           tScheme", "0.2  MU_KT", 37, "0.2", "friction across");
    at("50            WtrDpth", "0  WtrDpth", 33, "0", "seabed");
}

#[test]
fn vortices_are_not_modelled() {
    let with_lift = V2.replace("CaAx\n", "CaAx Cl\n").replace("0.4     0.25", "0.4     0.25   0.0");
    refused(&with_lift, "0.1     0.0\n", "0.1     0.0   0.6\n", What::Unsupported, 7, "0.6", "vortex");
    let by_order = with_lift.replace("CaAx Cl", "CaAx tbd");
    refused(&by_order, "0.1     0.0\n", "0.1     0.0   0.6\n", What::Unsupported, 7, "0.6", "vortex");
}

#[test]
fn sections_that_are_not_modelled() {
    let control =
        |row: &str| format!("---- CONTROL ----\nChannelID Lines\n(-) (-) (-)\n{row}---------------------- OPTIONS");
    refused(V2, "---------------------- OPTIONS", &control("1 1,2\n"), What::Unsupported, 32, "1", "control");
    // an empty one is ignored
    load(V2.replacen("---------------------- OPTIONS", &control(""), 1)).unwrap();
    refused(V2, "- OUTPUTS -", "- SURPRISES -", What::Unsupported, 39, "SURPRISES", "section");
    // rod types without rods cause a warning and are ignored otherwise
    let types = "---- ROD TYPES ----\nName Diam\n(-) (m)\nbuoy 1\n---------------------- OPTIONS";
    let warning = load(V2.replacen("---------------------- OPTIONS", types, 1)).unwrap().outputs().warning().unwrap();
    assert!(warning.contains("line 32, \"buoy\": not needed"), "{warning}");
}

#[test]
fn words_that_are_not_understood() {
    let at = |from: &str, to: &str, line, word: &str, says: &str| refused(V2, from, to, What::Format, line, word, says);
    at("0.1     150.0", "0.1m    150.0", 6, "0.1m", "Diam: expected a number");
    at("0.1     150.0", "nan     150.0", 6, "nan", "Diam: expected a number");
    at("0.1     150.0", "0.1 , , 150.0", 6, "", "MassDen: expected a number");
    at("0.1     150.0", "150.0", 6, "chain", "CaAx is missing: it is column 10, the line has 9");
    at("0.4     0.25", "0.4     0.25  7", 6, "7", "the table has 10 columns");
    at("7.5e8 ", "7.5e8e", 6, "7.5e8e", "EA: expected a number or the name of a file");
    at("7.5e8 ", "0", 6, "0", "EA: a line needs stiffness");
    at("7.5e8 ", "SYROPE:rope.dat|1e8", 6, "SYROPE:rope.dat|1e8", "EA: expected SYROPE:file|EA_Dc|EA_D_Lm");
    at("-0.8 ", "SYROPE:rope.dat|1e8|20", 6, "SYROPE:rope.dat|1e8|20", "BA: expected SYROPE");
    at("cable ", "chain ", 7, "chain", "a line type of this name is there already");
    at("2    Free ", "2    Loose", 12, "Loose", "expected Free, Fixed, Coupled");
    at("2    Free ", "7    Free ", 12, "7", "expected the number 2");
    at("0.1|0.2|0.3", "0.1|0.2", 12, "0.1|0.2", "CG: expected 1 or 3");
    at("0.1|0.2|0.3", "0.1|0.2|x", 12, "0.1|0.2|x", "CG: expected a number");
    at("2|3 ", "2|3|4|5", 12, "2|3|4|5", "CdA: expected 1, 2, 3 or 6");
    at("0.5|0.6|0.7", "0.5|0.6", 12, "0.5|0.6", "Ca: expected 1 or 3");
    at("2     Body1 ", "2     Body4 ", 18, "Body4", "no such body: the file has 3");
    at("2     Body1 ", "2     Body ", 18, "Body", "no such body");
    at("2     Body1 ", "2     Hull ", 18, "Hull", "expected Fixed");
    at("3     Free ", "4     Free ", 19, "4", "expected the number 3");
    at("1.5    0.7", "1.5    0.7   3 4", 19, "3", "the table has 9 columns");
    at("1    chain      1 ", "1    rope       1 ", 26, "rope", "no line type of this name");
    at("3        P2 ", "3        P9 ", 27, "P9", "no such point: the file has 6");
    at("3        P2 ", "3        X2 ", 27, "X2", "expected the number of a point");
    at("3        P2 ", "3        R2A", 27, "R2A", "no such rod: the file has 0");
    at("230       20 ", "230       20.5", 26, "20.5", "NumSegs: expected an integer");
    at("0.002         dtM ", "0.002 dtMoor ", 30, "dtMoor", "no option of this name");
    at("9.81          g ", "9.81 dtM ", 31, "dtM", "said before: ");
    let why = "650000000 is not more than the static stiffness EA = 750000000";
    refused(V2, "7.5e8 ", "7.5e8|6.5e8", What::InFile, 6, "7.5e8|6.5e8", why);
    at("7.5e8 ", "7.5e8|8.5e8|1|2", 6, "7.5e8|8.5e8|1|2", "EA: expected at most 3 numbers");
    at("7.5e8 ", "7.5e8|rope.dat", 6, "7.5e8|rope.dat", "EA: expected numbers between |");
    at("7.5e8 ", "rope.dat|8.5e8", 6, "rope.dat|8.5e8", "EA: expected numbers between |");
    at("-0.8 ", "1e5|2e5", 6, "1e5|2e5", "BA: a damping of a dynamic stiffness, which EA does not have");
    at("1.0           dtIC", "1.0", 38, "1.0", "the name of the option is missing");
    at("1.0e6         kBot", "hard kBot", 34, "hard", "kBot: expected a number");
}

#[test]
fn values_that_are_refused() {
    let at = |from: &str, to: &str, line, word: &str, says: &str| refused(V2, from, to, What::InFile, line, word, says);
    at("9.81          g ", "-9.81         g ", 31, "-9.81", "gravity: -9.81 is negative");
    at("3.5     2|3 ", "-3.5    2|3 ", 12, "-3.5", "volume: -3.5 is negative");
    at("800    0.5 ", "800    -0.5", 19, "800", "volume: -0.5 is negative");
}

/// A NUL would end the text in C, in the name and in the message.
#[test]
fn names_with_a_nul_are_refused() {
    let error = load(V2.replace("chain ", "ch\0in ")).err().unwrap();
    assert_eq!(what(&error), Some(What::InFile));
    let message = error.to_string();
    assert!(message.contains("line 6, \"ch\\0in\": name: has a NUL as byte 2"), "{message}");
    assert!(!message.contains('\0'), "{message:?}");
}

#[test]
fn outputs_that_are_not_understood() {
    let at = |from: &str, to: &str, line, word: &str, says: &str| refused(V2, from, to, What::InFile, line, word, says);
    at("FairTen1", "FairTen9", 40, "FairTen9", "no such line: there are 3");
    at("FairTen1", "FairTen", 40, "FairTen", "no such line");
    at("L2N4PX", "L2N31PX", 42, "L2N31PX", "no such node: the line has 0 to 30");
    at("L2N4PX", "L2N4QX", 42, "L2N4QX", "is no name of MoorDyn's outputs");
    at("L2N4PX", "L2N4RX", 42, "L2N4RX", "only bodies turn");
    at("Point3VZ", "Point7VZ", 42, "Point7VZ", "no such point");
    at("Point3VZ", "fairten1", 42, "fairten1", "is a channel already");
    at("Body2RX", "Body4RX", 43, "Body4RX", "no such body");
    at("Point3VZ", "Rod1PX", 42, "Rod1PX", "no such rod");
    at("Point3VZ", "Body2FX", 42, "Body2FX", "net forces on bodies");
    at("Point3VZ", "L2N4FX", 42, "L2N4FX", "forces are told of the ends");
    at("Point3VZ", "Point3MX", 42, "Point3MX", "moments");
}

#[test]
fn tables_without_their_heads() {
    let at = |text: &str, from: &str, to: &str, line, word: &str, says: &str| {
        refused(text, from, to, What::Format, line, word, says);
    };
    at(
        V2,
        "(#)   (word/ID)   (m)     (m)     (m)     (kg)   (m^3)   (m^2)  (-)\n",
        "",
        16,
        "1",
        "the units of the columns",
    );
    at(
        V2,
        "ID    Attachment  X       Y       Z       Mass   Volume  CdA    Ca\n",
        "",
        16,
        "1",
        "the units of the columns",
    );
    let both = "ID   LineType   AttachA  AttachB  UnstrLen  NumSegs  LineOutputs\n(#)  (name)     (ID)     (ID)     (m)       (-)      (-)\n";
    at(V2, both, "", 24, "1", "the names of the columns");
    at(V1, "3     NConnects", "4     NConnects", 9, "4", "the section has 3 rows");
    // lengths and points that could be each other's
    let rows = V2.find("2    cable      3 ").unwrap()..V2.find("---------------------- OPTIONS").unwrap();
    let one = V2.replace(&V2[rows], "").replace("3        230       20 ", "3        2       5 ").replace("L2N4PX", "");
    at(&one.replace("AnchTen2", ""), "UnstrLen ", "Size ", 26, "1", "UnstrLen");
    at(V2, "- OPTIONS -", "- POINTS -", 29, "POINTS", "a second section");
}

#[test]
fn files_that_are_none() {
    for text in ["", "nothing\n", "pintle_model = 1\n", "\0\0\0", "--- MoorDyn Input File ---\n"] {
        let error = load(text).err().unwrap();
        assert_eq!(what(&error), Some(What::Format), "{error}");
        assert!(error.to_string().contains("lines.txt\" line 1"), "{error}");
    }
    let error = load("--- LINE TYPES ---\n").err().unwrap();
    assert!(error.to_string().contains("line 1, \"LINE TYPES\": "), "{error}");
    let error = Folder::new().load().err().unwrap();
    assert!(matches!(error, Error::Io { .. }), "{error}");
}

#[test]
fn what_checked_functions_refuse_has_its_place() {
    let at = |from: &str, to: &str, line, word: &str, says: &str| refused(V2, from, to, What::InFile, line, word, says);
    at("chain      0.1 ", "chain      0.0 ", 6, "chain", "diameter: 0 is not above 0");
    at("2.0    0.8 ", "2.0    -0.8 ", 6, "chain", "can: -0.8 is negative");
    at("230       20 ", "0       20 ", 26, "0", "length: 0 is not above 0");
    at("230       20 ", "230       0 ", 26, "0", "segments: 0");
    at("3        P2 ", "3        P3 ", 27, "P3", "point_b");
    at("800    0.5", "-800    0.5", 19, "-800", "mass: -800 is negative");
    at("4000   0.1|", "-4000   0.1|", 12, "-4000", "mass");
    at("2.0e4         cBot", "-2.0e4 cBot", 35, "-2.0e4", "value: -20000 is negative, for \"seabed_damping\"");
}

#[test]
fn files_beside_are_refused_with_their_place() {
    let text = V2.replace("7.5e8 ", "rope.dat");
    refused(&text, "rope.dat", "rope.dat", What::Io, 6, "rope.dat", "cannot read");
    for (rope, expected, says) in [
        ("0 0\n1\n", What::Format, "rope.dat\" line 2, \"1\": the force is missing"),
        ("0 0\n1 a\n", What::Format, "rope.dat\" line 2, \"a\": the force: expected a number"),
        ("0 0\nnext\n1 1\n", What::Format, "rope.dat\" line 2, \"next\": expected numbers"),
        ("a\nb\nc\nd\n0 0\n", What::Format, "rope.dat\" line 4, \"d\": expected numbers"),
        ("a\n", What::Format, "no numbers are in this file"),
        ("0 0\n", What::InFile, "lines.txt\" line 6, \"rope.dat\": "),
        ("0 0\n1 5\n2 3\n", What::InFile, "lines.txt\" line 6, \"rope.dat\": y: y[2] = 3 is less than y[1] = 5"),
    ] {
        let error = Folder::new().with("lines.txt", &text).with("rope.dat", rope).load().err().unwrap();
        assert_eq!(what(&error), Some(expected), "{error}");
        assert!(error.to_string().contains(says), "{error}\n{says}");
    }
    for (option, file, content, says) in [
        ("7 WaveKin", "wave_frequencies.txt", "0.5 1\n", "the imaginary part is missing"),
        ("7 WaveKin", "wave_frequencies.txt", "-0.5 1 0\n", "frequencies[0] = -0.5 is not above 0"),
        ("2 WaveKin", "wave_frequencies.txt", "0.5 1 0\n1 1 0\n", "line 1, \"0.5\": the first frequency must be 0"),
        ("2 WaveKin", "wave_frequencies.txt", "0 0 0\n1 1 0\n1 2 0\n", "line 3, \"1\": frequencies must rise"),
        ("2 WaveKin", "wave_frequencies.txt", "0 0 0\n1e-6 1 0\n2 0 0\n", "line 3, \"2\": more than 1000000 multiples"),
        ("3 WaveKin", "wave_elevation.txt", "0 0\n1 1\n3 0\n", "times must be equally spaced"),
        ("3 WaveKin", "wave_elevation.txt", "0 0\n", "2 to 200000 samples"),
    ] {
        let text = V1.replace("5.0      ICDfac", option);
        let error = Folder::new().with("lines.txt", &text).with(file, content).load().err().unwrap();
        assert!(error.to_string().contains(says), "{error}\n{says}");
        refused(&text, option, option, What::Io, 26, &option[..1], file);
    }
    for (bed, says) in [
        (
            "2 2\n0 50\n0 60\n0 0 -60\n50 0 -60\n0 60 -60\n",
            "\" line 6, \"0\": the file ends here: 3 nodes, but the grid has 4",
        ),
        (
            "2 2\n0 50\n0 60\n0 0 -60\n50 0 -60\n0 60 -60\n0 0 -61\n",
            "\" line 7, \"0\": the file ends here without the node x = 50, y = 60",
        ),
        ("2 2\n0 50 90\n0 60\n", "\" line 2, \"0\": 3 coordinates x, expected 2"),
        ("2 2\n0 50\n", "\" line 2, \"0\": the file ends here: expected a grid"),
        ("2 1\n0 50\n60\n0 61 -60\n50 60 -60\n", "\" line 4, \"0\": this place is not on the grid"),
        (
            "2 1\n50 50\n60\n50 60 -60\n50 60 -60\n",
            "\" line 5, \"50\": the file ends here without the node x = 50, y = 60",
        ),
        ("1 1\n0\n60\n0 60 -60\n", "2 or more"),
    ] {
        let text = V1.replace("5.0      ICDfac", "bed.txt SeafloorFile");
        let error = Folder::new().with("lines.txt", &text).with("bed.txt", bed).load().err().unwrap();
        assert!(error.to_string().contains(says), "{error}\n{says}");
        refused(&text, "bed.txt", "bed.txt", What::Io, 26, "bed.txt", "bed.txt");
        refused(&text, "bed.txt", "../bed.txt", What::Format, 26, "../bed.txt", "outside the folder");
    }
    let depth = "50            WtrDpth";
    for (bed, says) in [
        ("title\nnGridX 2\nnGridY 1\n", "the file ends before x of the columns"),
        ("title\nnGridX 2\nnGridY 1\n0 50 90\n0 60 60 60\n", "line 2, \"2\": the number of columns: the table has 3"),
        ("title\nnGridX 2\nnGridY 2\n0 50\n0 60 60\n", "line 3, \"2\": the number of rows: the table has 1"),
        ("title\nnGridX 2\nnGridY 2\n0 50\n0 60 60\n9 60\n", "line 6, \"9\": the depth is missing: it is column 3"),
        ("title\nnGridX 2\nnGridY 2\n0 50\n0 60 60\n9 60 60 1\n", "line 6, \"1\": the table has 3 columns"),
        ("title\nnGridX 2\nnGridY 2\n0 0\n0 60 60\n9 60 60\n", "lines.txt\" line 33, \"bed.txt\": "),
        ("title\nnGridX 2\nnGridY 2\n0 x\n0 60 60\n9 60 60\n", "line 4, \"x\": x: expected a number"),
    ] {
        let text = V2.replace(depth, "bed.txt  WtrDpth");
        let error = Folder::new().with("lines.txt", &text).with("bed.txt", bed).load().err().unwrap();
        assert!(error.to_string().contains(says), "{error}\n{says}");
        refused(&text, "bed.txt", "bed.txt", What::Io, 33, "bed.txt", "bed.txt");
        refused(&text, "bed.txt", "../bed.txt", What::Format, 33, "../bed.txt", "outside the folder");
    }
    let both = V2.replace(depth, "bed.txt WtrDpth\nbed.txt SeafloorFile");
    refused(&both, "bed.txt", "bed.txt", What::Format, 34, "bed.txt", "the seabed has another grid");
    let text = V1.replace("5.0      ICDfac", "1 Currents");
    refused(&text, "1 Currents", "1 Currents", What::Io, 26, "1", "current_profile.txt");
    let twice =
        Folder::new().with("lines.txt", &text).with("current_profile.txt", "0 1 0 0\n0 2 0 0\n").load().err().unwrap();
    assert!(twice.to_string().contains("current_profile.txt\" line 2, \"0\": this height is there already"), "{twice}");
}

#[test]
fn files_of_currents_are_refused_with_their_place() {
    let (over_time, grid) = ("current_profile_dynamic.txt", "current_profile_4d.txt");
    let head = "a\nb\n2\n3\n";
    for (option, file, content, says) in [
        ("2 Currents", over_time, "", "the file ends before line 5, which has the heights"),
        ("2 Currents", over_time, "a\nb\nc\nd\n\n\n0 1\n", "line 7, \"0\": the heights z are missing: they are line 5"),
        ("2 Currents", over_time, &format!("{head}-9 0\n\n"), "no rows of times and velocities"),
        ("2 Currents", over_time, &format!("{head}-9 x\n\n0 1 1\n"), "line 5, \"x\": a height"),
        ("2 Currents", over_time, &format!("{head}-9 -9\n\n0 1 1\n"), "line 5, \"-9\": this height is there already"),
        ("2 Currents", over_time, &format!("{head}-9 0\n\n0 1 1 1\n"), "line 7, \"0\": 4 words: expected a time"),
        ("2 Currents", over_time, &format!("{head}-9 0\n\n0 1 x\n"), "line 7, \"x\": a height, a time or a velocity"),
        ("2 Currents", over_time, &format!("{head}-9 0\n\n1 1 1\n1 2 2\n"), "line 8, \"1\": times must rise"),
        ("5 Currents", grid, "1 1 1 1\n0\n0\n0\n", "line 4, \"0\": the file ends here: expected a grid"),
        ("5 Currents", grid, "1 1 1 2\n0\n0\n0\n5\n", "line 5, \"5\": 1 coordinates t, expected 2"),
        ("5 Currents", grid, "1 1 1 1\n0\n0\n0\n5\n", "the file ends here: 0 nodes, but the grid has 1"),
        ("5 Currents", grid, "1 1 1 1\n0\n0\n0\n5\n0 0 0 6 1 0 0\n", "line 6, \"0\": this place is not on the grid"),
        ("5 Currents", grid, "1 1 1 1\n0\n0\n0\n5\n0 0 0 5 1 0\n", "line 6, \"0\": uz is missing: it is column 7"),
        ("5 Currents", grid, "1 1 1 1\n0\n0\n0\n5\n0 0 0 5 1 0 0 0\n", "line 6, \"0\": the table has 7 columns"),
    ] {
        let text = V1.replace("5.0      ICDfac", option);
        let error = Folder::new().with("lines.txt", &text).with(file, content).load().err().unwrap();
        assert_eq!(what(&error), Some(What::Format), "{error}");
        let message = error.to_string();
        assert!(message.contains(file) && message.contains(says), "{message}\n{says}");
        refused(&text, option, option, What::Io, 26, &option[..1], file);
    }
}

/// A file from a stranger must not make the library open files that the host did not mean.
#[test]
fn tables_outside_the_folder_of_the_file_are_read_only_if_it_is_trusted() {
    let elsewhere = Folder::new().with("rope.dat", "0 0\n0.01 1e6\n");
    let name = elsewhere.0.file_name().unwrap().to_str().unwrap();
    let absolute = elsewhere.0.join("rope.dat");
    for table in [absolute.to_str().unwrap(), &format!("../{name}/rope.dat"), &format!("./../{name}/rope.dat")] {
        let folder = Folder::new().with("lines.txt", V2.replace("7.5e8 ", table));
        let error = folder.load().err().unwrap();
        assert_eq!(what(&error), Some(What::Format), "{error}");
        let place = format!("lines.txt\" line 6, \"{}", &table[..20]);
        let says = "is outside the folder of this file: pintle_load_trusted_moordyn reads it";
        assert!(error.to_string().contains(&place) && error.to_string().ends_with(says), "{error}");
        let sim = folder.load_trusted().unwrap();
        assert_eq!(sim.description().line_type_table(0, "ea").unwrap(), [&[0.0, 0.01][..], &[0.0, 1e6]]);
    }
}

/// Neither a folder in that of the file nor a leading `./` leads out of it.
#[test]
fn tables_in_folders_beside_the_file_are_read() {
    for table in ["ropes/rope.dat", "./ropes/rope.dat", "./rope.dat"] {
        let folder = Folder::new().with("lines.txt", V2.replace("7.5e8 ", table));
        std::fs::create_dir(folder.0.join("ropes")).unwrap();
        let folder = folder.with(table, "0 0\n0.01 1e6\n");
        let sim = folder.load().unwrap();
        assert_eq!(sim.description().line_type_table(0, "ea").unwrap(), [&[0.0, 0.01][..], &[0.0, 1e6]]);
    }
}
