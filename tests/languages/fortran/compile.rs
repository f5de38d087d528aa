//! Programs that the compiler must accept, and programs that it must refuse.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::toolchain::{WARNINGS, attempt, everything, fortran_program, fresh_directory, gfortran, module_sources};
use super::toolchain::{modules, read, root, run};

/// Options by which OpenFAST and similar programs change the kind of default reals.
const DEFAULT_REALS: [&[&str]; 2] = [&[], &["-fdefault-real-8", "-fdefault-double-8"]];

#[test]
fn modules_and_examples_compile_in_every_dialect_without_a_warning() {
    let directory = fresh_directory("dialects");
    for standard in ["f2003", "f2008", "f2018", "gnu"] {
        for kinds in DEFAULT_REALS {
            // Warnings of the optimiser depend on the kinds, but not on the dialect, which the
            // parser checks.
            let optimisations: &[&str] = if standard == "f2003" { &["-O3", "-O0"] } else { &["-O0"] };
            for optimisation in optimisations {
                let mut compiler = gfortran(&directory);
                compiler.args(["-Wall", "-Wextra", "-Werror", *optimisation, "-c"]).arg(format!("-std={standard}"));
                run(compiler.args(kinds).args(module_sources()));
            }
            for example in ["heavy_top", "floating_platform", "yaw_drive", "openfast_style", "callback"] {
                let sources = ["example", example].map(|one| root().join(format!("fortran_examples/{one}.f90")));
                let mut compiler = gfortran(&directory);
                compiler.args(WARNINGS).args(["-Wno-unused-dummy-argument", "-c"]).arg(format!("-std={standard}"));
                run(compiler.args(kinds).args(sources));
            }
        }
    }
}

#[test]
fn both_modules_can_be_used_together() {
    let both =
        "use pintle\nuse pintle_raw\nuse pintle_constants\nimplicit none\ntype(pintle_api) :: api\nprint *, api%abi\n";
    run_program("both", &format!("program both\n{both}end program\n"));
}

/// The example program in the head of pintle.f90 compiles.
#[test]
fn the_program_in_the_head_of_the_module_runs() {
    let module = read("include/pintle.f90");
    let head = module.lines().take_while(|line| line.starts_with('!'));
    let lines: Vec<_> = head.filter_map(|line| line.strip_prefix("!   ")).collect();
    assert!(lines.iter().any(|line| line.contains("pintle_step")), "the program is no longer there");
    let uses = "use, intrinsic :: iso_c_binding\nuse pintle\nimplicit none\n";
    run_program("head", &format!("program head\n{uses}{}\nend program\n", lines.join("\n")));
}

fn run_program(name: &str, text: &str) {
    let file = fresh_directory(&format!("{name}_source")).join("program.f90");
    fs::write(&file, text).expect("a file can be written");
    run(&mut fortran_program(name, &[file]));
}

// ---- What must not compile -------------------------------------------------------------------------------------------

/// A correct call and wrong ones.
const CALLS: [(&str, &[&str]); 14] = [
    (
        "call pintle_set_gravity(sys, [0.0_dp, 0.0_dp, -9.81_dp])",
        &[
            "call pintle_set_gravity(sys, [0.0_dp, -9.81_dp])",
            "call pintle_set_gravity(sys, [0.0, 0.0, -9.81])",
            "call pintle_set_gravity(sys, [0, 0, -10])",
            "call pintle_set_gravity(sys, -9.81_dp)",
            "call pintle_set_gravity(sys)",
            "call pintle_set_gravity([0.0_dp, 0.0_dp, -9.81_dp], sys)",
            "call pintle_set_gravity(sys%handle, [0.0_dp, 0.0_dp, -9.81_dp])",
        ],
    ),
    (
        "call pintle_get_body_pose(sys, body, pose)",
        &[
            "call pintle_get_body_pose(sys, body, velocity)",
            "call pintle_get_body_pose(sys, body, single_pose)",
            "call pintle_get_body_pose(sys, long_body, pose)",
            "call pintle_get_body_pose(sys, pose, body)",
            "call pintle_get_body_pose(sys, body, [0.0_dp, 0.0_dp, 0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp])",
            "call pintle_get_body_pose(state, body, pose)",
        ],
    ),
    // A 6x6 matrix may come flat, not short.
    (
        "call pintle_add_body(sys, mass, pose, body)",
        &["call pintle_add_body(sys, mass(:, 1:5), pose, body)", "call pintle_add_body(sys, mass, pose, 1)"],
    ),
    ("call pintle_add_body(sys, flat_mass, pose, body)", &["call pintle_add_body(sys, flat_mass(2:), pose, body)"]),
    (
        "call pintle_get_body_poses(sys, poses)",
        &["call pintle_get_body_poses(sys, pose)", "call pintle_get_body_poses(sys, 3, poses)"],
    ),
    ("call pintle_step(sys, 0.1_dp)", &["call pintle_step(sys, 0.1)", "call pintle_step(sys, 1)"]),
    (
        "call pintle_step(sys, 0.1_dp, status)",
        &["call pintle_step(sys, 0.1_dp, long_body)", "status = pintle_step(sys, 0.1_dp)"],
    ),
    ("call pintle_set_option(sys, 'rho_inf', 0.9_dp)", &["call pintle_set_option(sys, 1, 0.9_dp)"]),
    (
        "call pintle_add_joint_at(sys, 1, -1, body, pose(1:3), joint=joint)",
        &[
            "call pintle_add_joint_at(sys, 1, -1, body, pose(1:3), joint)",
            "call pintle_add_joint_at(sys, 1, -1, body, pose(1:3), pose(1:2), joint)",
        ],
    ),
    (
        "call pintle_add_spring(sys, 0, x3, 1, x3, 1.0_dp, 0.0_dp, 1.0_dp, .true., spring)",
        &["call pintle_add_spring(sys, 0, x3, 1, x3, 1.0_dp, 0.0_dp, 1.0_dp, 1, spring)"],
    ),
    (
        "call pintle_set_load_callback(sys, body, load)",
        &[
            "call pintle_set_load_callback(sys, body, short_load)",
            "call pintle_set_load_callback(sys, body, load, body)",
        ],
    ),
    ("call pintle_state_save(sys, state)", &["call pintle_state_save(sys, sys)"]),
    (
        "status = c_pintle_step(sys%handle, 0.1_dp)",
        &[
            "status = c_pintle_step(sys%handle, 0.1)",
            "status = c_pintle_step(sys, 0.1_dp)",
            "call c_pintle_step(sys%handle, 0.1_dp)",
        ],
    ),
    (
        "status = c_pintle_get_body_velocity(sys%handle, body, 0_c_int32_t, velocity)",
        &[
            "status = c_pintle_get_body_velocity(sys%handle, body, 0_c_int32_t, x3)",
            "status = c_pintle_get_body_velocity(sys%handle, long_body, 0_c_int32_t, velocity)",
            "status = c_pintle_get_body_velocity(sys%handle, body, velocity)",
        ],
    ),
];

const SURROUNDINGS: &str = "\
module loads
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function load(user, time, body, pose, velocity, acceleration, wrench, stiffness36, damping36) bind(c) result(failure)
    type(c_ptr), value :: user
    real(c_double), value :: time
    integer(c_int32_t), value :: body
    real(c_double), intent(in) :: pose(7), velocity(6), acceleration(6)
    real(c_double), intent(inout) :: wrench(6), stiffness36(6, 6), damping36(6, 6)
    integer(c_int32_t) :: failure
    failure = 0
  end function load
  function short_load(user, time, body, pose, wrench) bind(c) result(failure)
    type(c_ptr), value :: user
    real(c_double), value :: time
    integer(c_int32_t), value :: body
    real(c_double), intent(in) :: pose(7)
    real(c_double), intent(inout) :: wrench(6)
    integer(c_int32_t) :: failure
    failure = 0
  end function short_load
end module loads
program calls
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_float, c_int32_t, c_int64_t
  use pintle
  use pintle_raw
  use loads
  implicit none
  type(pintle_system) :: sys
  type(pintle_state) :: state
  integer(c_int32_t) :: body, joint, spring, status
  integer(c_int64_t) :: long_body
  real(dp) :: pose(7), velocity(6), x3(3), mass(6, 6), flat_mass(36), poses(7, 3)
  real(c_float) :: single_pose(7)
";

#[test]
fn short_arrays_and_wrong_kinds_do_not_compile() {
    let directory = fresh_directory("wrong_calls");
    for (right, wrong_ones) in CALLS {
        let output = compile(&directory, right);
        assert!(output.status.success(), "{right}\n{}", everything(&output));
        for wrong in wrong_ones {
            let output = compile(&directory, wrong);
            let complaint = everything(&output);
            assert!(!output.status.success(), "compiles: {wrong}");
            assert!(complaint.contains("Error:") && complaint.contains(wrong), "{wrong}\n{complaint}");
        }
    }
}

fn compile(directory: &Path, statement: &str) -> Output {
    fs::write(directory.join("call.f90"), format!("{SURROUNDINGS}  {statement}\nend program calls\n"))
        .expect("a file can be written");
    attempt(gfortran(directory).args(["-fsyntax-only", "-I"]).arg(modules()).arg("call.f90"))
}
