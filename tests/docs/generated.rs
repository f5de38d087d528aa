//! Every file that is generated from the Rust sources of the C ABI is up to date; and the generator
//! can wrap functions of all shapes, those of the present ABI and others.

use pintle_generator::header::Header;
use pintle_generator::sources::Entry;
use pintle_generator::{api_table, contract, cpp, fortran, generated, raw_fortran, read, sources};

use crate::common::programs::{fresh_directory, output, tool};

#[test]
fn generated_files_are_what_the_sources_say() {
    let stale: Vec<_> = generated().into_iter().filter(|file| file.is_stale()).map(|file| file.path).collect();
    assert!(stale.is_empty(), "run scripts/generate: it rewrites {stale:?}");
}

/// A function for each shape that the library's functions do not have, or may no longer have.
const MORE: &str = "
/// The axes.
///
/// - `origin[3]`: in I.
/// - `z[3]`: in I.
/// - `x[3]`: in I; may be NULL.
/// - `frame[7]`: receives the pose.
///
/// Errors: NOT_FINITE, BAD_VALUE (z zero).
int32_t pintle_more_axes(const double origin[3], const double z[3], const double x[3], double frame[7]);

/// All of a spring.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `body_a`: receives the id; may be NULL.
/// - `point_a[3]`: receives the point; may be NULL.
/// - `stiffness`: receives it; may be NULL.
///
/// Phases: all. Errors: BAD_ID.
int32_t pintle_get_more_of_spring(const pintle_system *sys,
                                  int32_t spring,
                                  int32_t *body_a,
                                  double point_a[3],
                                  double *stiffness);

/// The name of an entity.
///
/// - `sys`: the system.
/// - `kind`: as in pintle_count.
/// - `id`: id.
/// - `cap`, `buf[cap]`: the buffer.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_SIZE, BUFFER_TOO_SMALL.
int32_t pintle_get_more_name(const pintle_system *sys,
                             const char *kind,
                             int32_t id,
                             int32_t cap,
                             char *buf,
                             int32_t *len);

/// A function of the host for a set of bodies.
///
/// - `sys`: the system.
/// - `n`: the number of bodies of the set.
/// - `bodies`: `[n]`, ids.
/// - `fn`: the function; NULL removes it.
/// - `user`: handed to it.
/// - `callback`: receives the id; may be NULL.
///
/// Phases: all. Errors: BAD_ID.
int32_t pintle_set_more_callback(pintle_system *sys,
                                 int32_t n,
                                 const int32_t *bodies,
                                 pintle_load_fn fn,
                                 void *user,
                                 int32_t *callback);

/// A set of bodies.
///
/// - `sys`: the system.
/// - `n`: the number of bodies of the set.
/// - `bodies`: `[n]`, ids.
///
/// Phases: all. Errors: BAD_ID.
int32_t pintle_set_more_bodies(pintle_system *sys, int32_t n, const int32_t *bodies);

/// A long run.
///
/// - `sys`: the system.
/// - `steps`: how many.
///
/// Phases: READY. Errors: BAD_PHASE, NO_CONVERGENCE.
int32_t pintle_run_more(pintle_system *sys, int32_t steps);
";

/// The header with those functions, and entries to give them a section.
fn more() -> (String, Vec<Entry>) {
    let text = read("include/pintle.h");
    let first = text.find("/// The version of the library").expect("the first function");
    let extended = format!("{}{}\n{}", &text[..first], MORE.trim_start(), &text[first..]);
    let entry = |one: &pintle_generator::header::Function| Entry {
        name: one.name.clone(),
        module: "more".to_owned(),
        section: "More".to_owned(),
        pointer: String::new(),
    };
    let entries = Header::parse(&extended).functions.iter().map(entry).collect();
    (extended, entries)
}

#[test]
fn cpp_wrappers_of_more_functions_compile_and_have_the_interface_that_is_documented() {
    let (text, entries) = more();
    let directory = fresh_directory("generated-cpp");
    std::fs::write(directory.join("pintle.h"), &text).expect("writable");
    let mut header = Header::parse(&text);
    // A callback has data that somebody must own: its C++ wrapper is hand-written.
    header.functions.retain(|one| one.name != "pintle_set_more_callback");
    std::fs::write(directory.join("pintle.hpp"), cpp::text(&header, &entries)).expect("writable");
    let host = "#include \"pintle.hpp\"\n\
        pintle::Pose with(pintle::Vector3 v) { return pintle::more_axes(v, v, v); }\n\
        pintle::Pose without(pintle::Vector3 v) { return pintle::more_axes(v, v); }\n\
        double several(const pintle::System &s) { pintle::MoreOfSpring m = s.get_more_of_spring(0);\n\
        return m.stiffness + m.point_a[2] + m.body_a; }\n\
        std::string text(const pintle::System &s) { return s.get_more_name(\"body\", 0); }\n\
        std::int32_t twin(pintle::System &s) { s.set_more_bodies({0, 1}); s.run_more(3); return s.try_run_more(3); }\n";
    std::fs::write(directory.join("host.cpp"), host).expect("writable");
    for compiler in ["g++", "clang++"] {
        let mut command = tool(compiler);
        command.args(["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]);
        output(command.args(["-fsyntax-only", "-I"]).arg(&directory).arg(directory.join("host.cpp")));
    }
}

#[test]
fn fortran_wrappers_of_more_functions_compile_and_have_the_interface_that_is_documented() {
    let (text, entries) = more();
    let header = Header::parse(&text);
    let directory = fresh_directory("generated-fortran");
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).expect("writable");
    write("pintle_raw.f90", &raw_fortran::module_text(&header));
    write("pintle.f90", &fortran::module_text(&header, &entries));
    write(
        "host.f90",
        "subroutine host(sys, status)\nuse pintle\nuse, intrinsic :: iso_c_binding\nimplicit none\n\
         type(pintle_system), intent(in) :: sys\ninteger(c_int32_t), intent(out) :: status\n\
         real(c_double) :: v(3), frame(7), k\ninteger(c_int32_t) :: body\ncharacter(len=:), allocatable :: name\n\
         v = 1\ncall pintle_more_axes(v, v, v, frame)\ncall pintle_more_axes(v, v, frame=frame, status=status)\n\
         call pintle_get_more_of_spring(sys, 0, stiffness=k)\n\
         call pintle_get_more_of_spring(sys, 0, body, v, k, status)\n\
         call pintle_get_more_name(sys, 'body', 0, name)\ncall pintle_run_more(sys, 3)\n\
         call pintle_set_more_bodies(sys, [1, 2])\ncall pintle_set_more_callback(sys, [1, 2])\nend subroutine\n",
    );
    let mut gfortran = tool("gfortran");
    gfortran.current_dir(&directory).args(["-std=f2003", "-Wall", "-Wextra", "-Werror", "-c"]);
    output(gfortran.args(["pintle_raw.f90", "pintle.f90", "host.f90"]));
}

#[test]
#[should_panic(expected = "pintle_odd: no rule for its C++ wrapper")]
fn functions_without_a_rule_are_left_to_hand_written_code() {
    let odd = "/// - `n`: a number.\n/// - `x`: `[n][n]`.\nint32_t pintle_odd(pintle_system *sys, int32_t n, const double *x);\n\n";
    let (text, entries) = more();
    let at = text.find("/// The axes.").expect("the first of the new functions");
    cpp::text(&Header::parse(&format!("{}{odd}{}", &text[..at], &text[at..])), &entries);
}

#[test]
fn new_members_of_the_table_come_last_wherever_the_function_stands() {
    let mut entries = sources::entries();
    let pointer = "unsafe extern \"C\" fn(sys: *mut pintle_system, x: f64) -> i32".to_owned();
    let (module, section) = ("model".to_owned(), "The model".to_owned());
    entries.insert(3, Entry { name: "pintle_set_more".to_owned(), module, section, pointer: pointer.clone() });
    let known = contract::members();
    let text = api_table::text(&entries, &known);
    let fields: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("    pub ")).collect();
    assert_eq!(fields.last(), Some(&format!("set_more: {pointer},").as_str()));
    // size, abi and reserved, then what was promised, in its order.
    let names: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("    pub ")?.split(':').next()).collect();
    assert_eq!(names[3..names.len() - 1], known);
}

#[test]
fn lists_of_what_was_promised_get_what_is_new() {
    let (text, _) = more();
    let declarations = contract::declarations(&Header::parse(&text));
    let old = read(contract::DECLARATIONS);
    assert!(
        declarations.starts_with(&old)
            && declarations.contains("int32_t pintle_run_more(pintle_system *sys, int32_t steps);")
    );
    let symbols = contract::symbols(&Header::parse(&text));
    assert_eq!(symbols.lines().count(), read(contract::SYMBOLS).lines().count() + MORE.matches("\nint32_t").count());
    let status = text
        .replace("#define PINTLE_ERR_UNSTABLE 305\n", "#define PINTLE_ERR_UNSTABLE 305\n#define PINTLE_ERR_MORE 399\n");
    let constants = contract::declarations(&Header::parse(&status));
    assert!(constants.contains("SAME(PINTLE_ERR_MORE, 399);\nSAME(PINTLE_ERR_IO, 400);"), "in its family, by number");
}

#[test]
#[should_panic(expected = "programs that were compiled before would break")]
fn a_function_that_changes_its_parameters_is_refused() {
    let text = read("include/pintle.h");
    let changed = text.replace("(*step)(pintle_system *sys, double dt)", "(*step)(pintle_system *sys, int32_t dt)");
    assert_ne!(text, changed);
    contract::table(&Header::parse(&changed));
}

#[test]
#[should_panic(expected = "pintle_step is gone from src/capi")]
fn a_function_that_goes_is_refused() {
    let mut entries = sources::entries();
    entries.retain(|one| one.name != "pintle_step");
    api_table::text(&entries, &contract::members());
}
