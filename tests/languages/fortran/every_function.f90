! Calls every function of pintle once through module pintle, without branches: if the program ends without error, all were
! called and gave the documented results. tests/languages/fortran/programs.rs compares the calls in this file with the header.
module every_function_load
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_int32_t, c_ptr
  implicit none

contains

  ! A constant push along y; `user` counts the calls.
  function push(user, time, body, pose, velocity, acceleration, wrench, stiffness36, damping36) bind(c) result(failure)
    type(c_ptr), value :: user
    real(c_double), value :: time
    integer(c_int32_t), value :: body
    real(c_double), intent(in) :: pose(7), velocity(6), acceleration(6)
    real(c_double), intent(inout) :: wrench(6), stiffness36(6, 6), damping36(6, 6)
    integer(c_int32_t) :: failure
    integer, pointer :: calls
    call c_f_pointer(user, calls)
    calls = calls + 1
    wrench(2) = 3
    failure = 0
    if (body /= 0 .or. time < 0) failure = 1
    if (any(abs(stiffness36) > 0) .or. any(abs(damping36) > 0)) failure = 2
    if (abs(sum(pose(4:7)**2) - 1) > 1e-9_c_double) failure = 3
    if (abs(velocity(3)) > 100 .or. abs(acceleration(3)) > 100) failure = 4
  end function push

  ! A push along x on two bodies, which share an added mass of 0.5 across; `user` counts the calls.
  function tie(user, time, n, bodies, poses, velocities, accelerations, wrenches, stiffness, damping, mass) bind(c) &
      result(failure)
    type(c_ptr), value :: user
    real(c_double), value :: time
    integer(c_int32_t), value :: n
    integer(c_int32_t), intent(in) :: bodies(n)
    real(c_double), intent(in) :: poses(7, n), velocities(6, n), accelerations(6, n)
    real(c_double), intent(inout) :: wrenches(6, n), stiffness(6*n, 6*n), damping(6*n, 6*n), mass(6*n, 6*n)
    integer(c_int32_t) :: failure
    integer, pointer :: calls
    call c_f_pointer(user, calls)
    calls = calls + 1
    failure = 0
    if (n /= 2 .or. bodies(1) /= 1 .or. bodies(2) /= 0 .or. time < 0) failure = 1
    if (any(abs(stiffness) > 0) .or. any(abs(damping) > 0) .or. any(abs(velocities(2:, :)) > 0)) failure = 2
    if (any(abs(sum(poses(4:, :)**2, 1) - 1) > 1e-9_c_double)) failure = 3
    wrenches(1, 1) = 3.5_c_double - 0.5_c_double * accelerations(1, 2)
    wrenches(1, 2) = 3.5_c_double - 0.5_c_double * accelerations(1, 1)
    mass(1, 7) = 0.5_c_double
    mass(7, 1) = 0.5_c_double
  end function tie

  ! Water that flows along y; `user` counts the calls.
  function tide(user, time, n, positions, velocities, accelerations, elevations) bind(c) result(failure)
    type(c_ptr), value :: user
    real(c_double), value :: time
    integer(c_int32_t), value :: n
    real(c_double), intent(in) :: positions(3, n)
    real(c_double), intent(inout) :: velocities(3, n), accelerations(3, n), elevations(n)
    integer(c_int32_t) :: failure
    integer, pointer :: calls
    call c_f_pointer(user, calls)
    calls = calls + 1
    failure = 0
    if (time < 0 .or. any(abs(positions(:, 1) + [0.0_c_double, 0.0_c_double, 9.0_c_double]) > 1e-9_c_double)) failure = 1
    if (any(abs(accelerations) > 0) .or. any(abs(elevations) > 0)) failure = 2
    velocities(2, :) = 5
  end function tide

  ! Ends the call at once.
  function stop_it(user, time, fraction) bind(c) result(stopped)
    type(c_ptr), value :: user
    real(c_double), value :: time, fraction
    integer(c_int32_t) :: stopped
    integer, pointer :: calls
    call c_f_pointer(user, calls)
    calls = calls + 1
    stopped = merge(1, 2, time >= 0 .and. fraction <= 1)
  end function stop_it

end module every_function_load

program every_function
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_int8_t, c_loc, dp => c_double
  use, intrinsic :: iso_fortran_env, only: error_unit
  use pintle
  use every_function_load
  implicit none

  real(dp), parameter :: zero3(3) = 0.0_dp, z(3) = [0.0_dp, 0.0_dp, 1.0_dp], flat(4) = [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]
  real(dp), parameter :: unit_inertia(6) = [1.0_dp, 1.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], dt = 0.01_dp
  type(pintle_system) :: sys, copy
  type(pintle_state) :: state, from_bytes
  type(pintle_api) :: api
  character(len=:), allocatable :: text
  integer(c_int8_t), allocatable :: bytes(:)
  integer(c_int32_t) :: free, hung, turning, stuck, joint, hinge, weld, spring, bushing, hook, n, id, status, severity
  real(dp) :: mass(6, 6), pose(7), velocity(6), wrench(6), x, y, dcm(3, 3), q(4), v3(3), before(7), after(7)
  real(dp) :: poses(7, 4), six(6, 4), marker_poses(7, 2), marker_six(6, 2)
  real(dp), allocatable :: table_lengths(:), table_forces(:)
  real(dp) :: preload(6)
  integer, target :: calls = 0
  integer :: i

  ! ---- Library
  call check(pintle_version() == '0.2.0', 'version')
  call check(pintle_abi_version() == PINTLE_ABI, 'abi_version')
  call check(pintle_status_name(PINTLE_ERR_BAD_ID) == 'PINTLE_ERR_BAD_ID', 'status_name')
  call check(pintle_status_severity(PINTLE_OK) == 0, 'status_severity of success')
  call check(pintle_status_severity(777) == 4, 'status_severity of an unknown failure')
  call pintle_get_api(api)
  call check(api%abi == PINTLE_ABI .and. c_associated(api%step), 'get_api')

  ! ---- Life cycle and model
  call pintle_create(sys)
  call pintle_phase(sys, n)
  call check(n == PINTLE_PHASE_BUILDING, 'phase')
  call pintle_set_gravity(sys, [0.0_dp, 0.0_dp, -10.0_dp])
  call pintle_add_rigid_body(sys, 2.0_dp, zero3, unit_inertia, [5.0_dp, 0.0_dp, 0.0_dp, flat], free)
  mass = 0
  do i = 1, 6
    mass(i, i) = merge(3.0_dp, 1.0_dp, i <= 3)
  end do
  call pintle_add_body(sys, mass, [1.0_dp, 0.0_dp, 0.0_dp, flat], hung)
  call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [0.0_dp, 9.0_dp, 0.0_dp, flat], turning)
  call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [0.0_dp, 0.0_dp, 7.0_dp, flat], stuck)
  call check(free == 0 .and. hung == 1 .and. turning == 2 .and. stuck == 3, 'ids of bodies')
  call pintle_set_body_velocity(sys, free, [1.0_dp, 2.0_dp, 3.0_dp, 0.0_dp, 0.0_dp, 0.5_dp])
  call pintle_set_body_acceleration(sys, free, [0.0_dp, 0.0_dp, -10.0_dp, 0.0_dp, 0.0_dp, 0.0_dp])
  call pintle_add_joint_at(sys, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, hung, zero3, joint=joint)
  call pintle_add_joint_at(sys, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, turning, [0.0_dp, 9.0_dp, 0.0_dp], z, hinge)
  call pintle_add_joint(sys, PINTLE_JOINT_FIXED, PINTLE_GROUND, stuck, [0.0_dp, 0.0_dp, 8.0_dp, flat], &
                        [0.0_dp, 0.0_dp, 1.0_dp, flat], weld)
  call pintle_add_joint_at(sys, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, turning, zero3, joint=id, status=status)
  call check(status == PINTLE_ERR_NULL_ARGUMENT, 'add_joint_at without the axis that it needs')
  call pintle_add_spring(sys, hung, zero3, PINTLE_GROUND, [1.0_dp, 0.0_dp, 2.0_dp], 50.0_dp, 1.0_dp, 1.5_dp, .true., spring)
  call pintle_set_spring(sys, spring, 40.0_dp, 1.0_dp, 1.0_dp)
  call pintle_set_body_mass(sys, free, 2.0_dp, zero3, unit_inertia)
  call pintle_set_spring_table(sys, spring, [1.0_dp, 1.5_dp, 3.0_dp], [-25.0_dp, 0.0_dp, 75.0_dp])
  call pintle_get_spring_table(sys, spring, table_lengths, table_forces)
  call check(size(table_lengths) == 3 .and. abs(table_lengths(3) - 3) <= 0 .and. abs(table_forces(3) - 75) <= 0, 'get_spring_table')
  call pintle_add_bushing(sys, PINTLE_GROUND, turning, [0.0_dp, 9.0_dp, 0.0_dp, flat], [zero3, flat], 20 * mass, mass, &
                          bushing)
  call pintle_set_joint_table(sys, hinge, 0, 'damper', [-1.0_dp, 0.0_dp, 1.0_dp], [-2.5_dp, 0.0_dp, 7.5_dp])
  call pintle_set_bushing_table(sys, bushing, 4, [-1.0_dp, 0.0_dp, 1.0_dp], [-25.0_dp, 0.0_dp, 75.0_dp])
  call pintle_get_bushing_table(sys, bushing, 4, table_lengths, table_forces)
  call check(size(table_lengths) == 3 .and. abs(table_lengths(3) - 1) <= 0, 'get_bushing_table')
  call check(abs(table_forces(3) - 75) <= 0, 'get_bushing_table')
  call pintle_set_bushing_preload(sys, bushing, [zero3, zero3])
  call pintle_get_bushing_preload(sys, bushing, preload)
  call check(maxval(abs(preload)) <= 0, 'get_bushing_preload')
  call pintle_add_marker(sys, hung, [0.0_dp, 0.0_dp, 0.5_dp, flat], n)
  call pintle_add_marker(sys, stuck, [0.0_dp, 0.5_dp, 0.0_dp, flat], hook)
  call pintle_set_name(sys, 'body', stuck, 'the stuck one   ')
  call pintle_find(sys, 'body', 'the stuck one', id)
  call check(id == stuck, 'find')
  call pintle_count(sys, 'marker', n)
  call check(n == 2 .and. hook == 1, 'count')
  call pintle_set_added_mass(sys, free, mass, PINTLE_FRAME_BODY)
  call pintle_set_added_mass(sys, free, 0 * mass, PINTLE_FRAME_BODY)
  call pintle_set_linear_damping(sys, hung, 0.1_dp * mass, PINTLE_FRAME_INERTIAL)
  call pintle_set_quadratic_drag(sys, hung, 0.1_dp * mass, PINTLE_FRAME_INERTIAL)
  call pintle_set_body_in_water(sys, hung, .true., 0.5_dp, [0.0_dp, 0.1_dp, 0.0_dp])
  call pintle_get_body_in_water(sys, hung, id, x)
  call check(id == 1 .and. abs(x - 0.5_dp) <= 0, 'get_body_in_water')
  call pintle_set_body_in_water(sys, hung, .false., 0.0_dp, [0.0_dp, 0.0_dp, 0.0_dp])

  ! ---- Settings
  call pintle_set_scheme(sys, 'generalized-alpha')
  call pintle_get_scheme(sys, text)
  call check(text == 'generalized-alpha' .and. len(text) == 17, 'get_scheme')
  call pintle_set_option(sys, 'rho_inf', 0.7_dp)
  call pintle_get_option(sys, 'rho_inf', x)
  call check(abs(x - 0.7_dp) <= 0, 'get_option')

  ! ---- Model files
  call pintle_save_model(sys, 'every_function.toml')
  call pintle_load_model('every_function.toml', copy)
  call pintle_find(copy, 'body', 'the stuck one', id)
  call check(id == stuck, 'save_model, load_model')
  call pintle_load_model('every_function.nowhere', copy, status)
  call check(status == PINTLE_ERR_IO, 'load_model of a file that is not there')
  call pintle_load_moordyn('every_function.nowhere', copy, status)
  call check(status == PINTLE_ERR_IO, 'load_moordyn of a file that is not there')
  call pintle_load_trusted_moordyn('every_function.nowhere', copy, status)
  call check(status == PINTLE_ERR_IO, 'load_trusted_moordyn of a file that is not there')
  call pintle_add_moordyn_channel(copy, 'Body1PX')
  call pintle_add_joint_at(copy, PINTLE_JOINT_FIXED, PINTLE_GROUND, stuck, zero3, joint=id)
  call pintle_initialize(copy, 0.0_dp)
  call pintle_get_redundant_constraints(copy, text)
  call check(index(text, 'joint 3 (FIXED, bodies -1 and 3): 6 of its 6') == 1, 'get_redundant_constraints: ' // text)

  ! ---- Errors
  call pintle_step(sys, dt, status)
  call check(status == PINTLE_ERR_BAD_PHASE, 'a step of a system that is not initialized')
  call pintle_error_message(sys, text)
  call check(index(text, 'pintle_step') == 1, 'error_message: ' // text)
  call pintle_explain(status, text, severity, sys)
  call check(index(text, 'PINTLE_ERR_BAD_PHASE: pintle_step') == 1 .and. severity == 4, 'explain: ' // text)

  ! ---- Inputs
  call pintle_set_load_callback(sys, free, push, c_loc(calls))
  call pintle_initialize(sys, 0.0_dp)
  call check(calls > 0, 'set_load_callback')
  call pintle_set_load_callback(sys, free)
  calls = 0
  call pintle_clear_loads(sys)
  six = 0
  six(3, 1) = 20
  call pintle_set_body_loads(sys, PINTLE_FRAME_INERTIAL, six)
  call pintle_set_body_loads(sys, PINTLE_FRAME_INERTIAL, six(:, 1:3), status)
  call check(status == PINTLE_ERR_BAD_SIZE, 'set_body_loads of too few bodies')
  call pintle_set_body_loads(sys, PINTLE_FRAME_INERTIAL, six(1:5, :), status)
  call check(status == PINTLE_ERR_BAD_SIZE, 'set_body_loads with five numbers per body')
  call pintle_set_body_load(sys, hung, PINTLE_FRAME_INERTIAL, [0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp])
  call pintle_set_marker_loads(sys, PINTLE_FRAME_INERTIAL, six(:, 1:2))
  call pintle_set_marker_loads(sys, PINTLE_FRAME_INERTIAL, 0 * six(:, 1:2))
  call pintle_set_marker_load(sys, hook, PINTLE_FRAME_BODY, [0.0_dp, 0.0_dp, 4.0_dp, 0.0_dp, 0.0_dp, 0.0_dp])
  call pintle_mark_discontinuity(sys)

  ! ---- Stepping and outputs: the free body has no weight left, and flies straight.
  call pintle_step(sys, dt)
  call pintle_advance(sys, dt)
  call pintle_reject(sys)
  call pintle_advance(sys, 2 * dt)
  call pintle_advance(sys, dt)
  call pintle_accept(sys)
  call pintle_time(sys, x)
  call check(abs(x - 2 * dt) < 1e-15_dp .and. calls == 0, 'time')
  call pintle_get_statistic(sys, 'steps', x)
  call check(abs(x - 2) <= 0, 'get_statistic')
  call pintle_get_warning(sys, text)
  call check(len(text) == 0, 'get_warning')
  call pintle_suggest_time_step(62.941_dp, x)
  call check(abs(x - 0.03_dp) <= 0, 'suggest_time_step')
  call pintle_get_body_pose(sys, free, pose)
  call check(maxval(abs(pose(1:3) - [5 + 2 * dt, 4 * dt, 6 * dt])) < 1e-3_dp, 'get_body_pose')
  call pintle_get_body_displacement(sys, free, after)
  call check(maxval(abs(after(1:3) - pose(1:3) + [5.0_dp, 0.0_dp, 0.0_dp])) < 1e-14_dp, 'get_body_displacement')
  call pintle_get_body_velocity(sys, free, PINTLE_FRAME_INERTIAL, velocity)
  call check(maxval(abs(velocity - [1.0_dp, 2.0_dp, 3.0_dp, 0.0_dp, 0.0_dp, 0.5_dp])) < 0.1_dp, 'get_body_velocity')
  call pintle_get_body_acceleration(sys, free, PINTLE_FRAME_INERTIAL, wrench)
  call check(maxval(abs(wrench)) < 10, 'get_body_acceleration')
  call pintle_get_body_poses(sys, poses)
  call check(all(abs(poses(:, 1) - pose) <= 0), 'get_body_poses')
  call pintle_get_body_velocities(sys, six)
  call check(all(abs(six(:, 1) - velocity) <= 0), 'get_body_velocities')
  call pintle_get_body_accelerations(sys, six)
  call check(all(abs(six(:, 1) - wrench) <= 0), 'get_body_accelerations')
  call pintle_get_marker_pose(sys, hook, pose)
  call check(maxval(abs(pose - [0.0_dp, 0.5_dp, 7.0_dp, flat])) < 1e-9_dp, 'get_marker_pose')
  call pintle_get_marker_velocity(sys, hook, PINTLE_FRAME_BODY, velocity)
  call pintle_get_marker_acceleration(sys, hook, PINTLE_FRAME_BODY, wrench)
  call check(maxval(abs(velocity)) < 1e-6_dp .and. maxval(abs(wrench)) < 1e-3_dp, 'get_marker_velocity, _acceleration')
  call pintle_get_marker_poses(sys, marker_poses)
  call check(all(abs(marker_poses(:, 2) - pose) <= 0), 'get_marker_poses')
  call pintle_get_marker_velocities(sys, marker_six)
  call check(maxval(abs(marker_six(:, 2) - velocity)) < 1e-9_dp, 'get_marker_velocities')
  call pintle_get_marker_accelerations(sys, marker_six)
  call check(maxval(abs(marker_six(:, 2) - wrench)) < 1e-9_dp, 'get_marker_accelerations')
  call pintle_get_joint_reaction(sys, weld, PINTLE_FRAME_INERTIAL, wrench)
  call check(maxval(abs(wrench - [0.0_dp, 0.0_dp, 6.0_dp, -2.0_dp, 0.0_dp, 0.0_dp])) < 1e-6_dp, 'get_joint_reaction')
  call pintle_get_joint_reaction_on_a(sys, weld, PINTLE_FRAME_INERTIAL, velocity)
  call check(maxval(abs(velocity(1:3) + wrench(1:3))) < 1e-12_dp, 'get_joint_reaction_on_a')
  call pintle_get_spring_force(sys, spring, x, y)
  call pintle_get_spring_force(sys, spring, tension=x)
  call check(abs(x - y) <= 0 .and. abs(x - 25) < 5, 'get_spring_force')
  call pintle_get_spring_mean_tension(sys, spring, y)
  call check(abs(x - y) < 5, 'get_spring_mean_tension')
  call pintle_get_constraint_violation(sys, x, y)
  call check(x < 1e-6_dp .and. y < 1e-3_dp, 'get_constraint_violation')
  call pintle_get_energy(sys, x, y)
  call check(x > 14 .and. x < 20, 'get_energy')
  call pintle_get_momentum(sys, zero3, six(:, 1))
  call check(abs(six(1, 1) - 2) < 1, 'get_momentum')

  ! ---- State: every way back leads to the same bits.
  call pintle_state_save(sys, state)
  call pintle_step(sys, dt)
  call pintle_get_body_pose(sys, hung, before)
  call pintle_state_restore(sys, state)
  call pintle_clone(sys, copy)
  call pintle_step(copy, dt)
  call pintle_get_body_pose(copy, hung, after)
  call check(all(abs(after - before) <= 0), 'state_save, state_restore, clone')
  call pintle_state_serialize(state, bytes)
  call pintle_state_deserialize(sys, bytes, from_bytes)
  call pintle_write_checkpoint(sys, 'every_function.checkpoint')
  call pintle_step(sys, dt)
  call pintle_state_restore(sys, from_bytes)
  call pintle_step(sys, dt)
  call pintle_get_body_pose(sys, hung, after)
  call check(all(abs(after - before) <= 0), 'state_serialize, state_deserialize')
  call pintle_read_checkpoint(sys, 'every_function.checkpoint')
  call pintle_step(sys, dt)
  call pintle_get_body_pose(sys, hung, after)
  call check(all(abs(after - before) <= 0), 'write_checkpoint, read_checkpoint')
  bytes(size(bytes) / 2) = not(bytes(size(bytes) / 2))
  call pintle_state_deserialize(sys, bytes, from_bytes, status)
  call check(status == PINTLE_ERR_FORMAT, 'state_deserialize of damaged bytes')
  call pintle_state_destroy(state)
  call pintle_state_destroy(from_bytes)
  call pintle_destroy(copy)
  call pintle_destroy(sys)
  call check(.not. c_associated(sys%handle) .and. .not. c_associated(state%handle), 'destroy')
  call pintle_step(sys, dt, status)
  call check(status == PINTLE_ERR_NULL_ARGUMENT, 'a step of an empty system')

  call imposed_motions()
  call coupled_loads()
  call slides()
  call points_and_gears()
  call lines()
  call analyses()

  ! ---- Rotations: a quarter turn about z takes x to y.
  call pintle_quat_from_rotvec(z * acos(0.0_dp), q)
  call pintle_quat_to_dcm(q, dcm)
  call check(maxval(abs(matmul(dcm, [1.0_dp, 0.0_dp, 0.0_dp]) - [0.0_dp, 1.0_dp, 0.0_dp])) < 1e-15_dp, 'quat_to_dcm')
  call pintle_quat_from_dcm(dcm, q)
  call pintle_quat_to_rotvec(q, v3)
  call check(maxval(abs(v3 - z * acos(0.0_dp))) < 1e-15_dp, 'quat_from_dcm, quat_to_rotvec')
  call pintle_quat_to_euler_zyx(q, v3)
  call check(maxval(abs(v3 - z * acos(0.0_dp))) < 1e-15_dp, 'quat_to_euler_zyx')
  call pintle_quat_from_euler_zyx(v3, after(4:7))
  call check(maxval(abs(after(4:7) - q)) < 1e-15_dp, 'quat_from_euler_zyx')
  print '(a)', 'every function was called'

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    write (error_unit, '(2a)') 'wrong: ', what
    stop 1
  end subroutine check

  ! A mass of 2 on a spring of 8 along x, with a damper of 0.4: 2 rad/s, damping ratio 0.05.
  subroutine analyses()
    integer(c_int32_t) :: mass_id, slide, sensor
    real(dp) :: at(7, 1), rates(6, 1), found(6, 1), moved(7, 1), m6(6, 6), jacobian(5, 6), a(2, 2), b(2, 12), c(18, 2)
    real(dp) :: of_body(6, 6, 3), of_joint(1, 1, 3)
    character(len=:), allocatable :: unit
    real(dp), allocatable :: channels(:)
    real(dp) :: d(18, 12), frequencies(2), ratios(2), shapes(12, 1, 2), motion(2), compliance(6, 6, 3), stiffness(6, 6)
    call pintle_create(sys)
    call pintle_add_rigid_body(sys, 2.0_dp, zero3, unit_inertia, [zero3, flat], mass_id)
    call pintle_add_joint_at(sys, PINTLE_JOINT_PRISMATIC, PINTLE_GROUND, mass_id, zero3, [1.0_dp, 0.0_dp, 0.0_dp], slide)
    stiffness = 0
    stiffness(1, 1) = 8
    call pintle_add_bushing(sys, PINTLE_GROUND, mass_id, [zero3, flat], [zero3, flat], stiffness, 0.05_dp * stiffness, id)
    call pintle_add_marker(sys, mass_id, [zero3, flat], sensor)
    call pintle_set_body_load(sys, mass_id, PINTLE_FRAME_INERTIAL, [4.0_dp, zero3, 0.0_dp, 0.0_dp])
    call pintle_initialize(sys, 0.0_dp)
    call pintle_solve_equilibrium(sys, 50, 1e-10_dp)
    call pintle_get_coordinates(sys, at, rates)
    call check(abs(at(1, 1) - 0.5_dp) < 1e-9_dp .and. maxval(abs(rates)) <= 0, 'solve_equilibrium, get_coordinates')
    call pintle_retract(at, reshape([0.25_dp, zero3, 0.0_dp, 0.0_dp], [6, 1]), moved)
    call pintle_difference(at, moved, found)
    call check(abs(found(1, 1) - 0.25_dp) < 1e-15_dp, 'retract, difference')
    call pintle_eval_accelerations(sys, moved, rates, found)
    call check(abs(found(1, 1) + 1) < 1e-9_dp, 'eval_accelerations')
    call pintle_set_coordinates(sys, moved, rates)
    call pintle_set_coordinates(sys, at, rates)
    call pintle_set_coordinates(sys, at, rates(1:5, :), status)
    call check(status == PINTLE_ERR_BAD_SIZE, 'set_coordinates with five numbers per body')
    call pintle_get_mass_matrix(sys, m6)
    call check(abs(m6(1, 1) - 2) <= 0 .and. abs(m6(6, 6) - 1) < 1e-15_dp, 'get_mass_matrix')
    call pintle_get_constraint_jacobian(sys, jacobian)
    call check(maxval(abs(jacobian(:, 1))) < 1e-12_dp .and. maxval(abs(jacobian)) > 0.5_dp, 'get_constraint_jacobian')
    call pintle_channel_count(sys, n)
    allocate (channels(n))
    call pintle_get_channels(sys, channels)
    call pintle_channel_name(sys, 3, text)
    call pintle_channel_unit(sys, 3, unit)
    call check(abs(channels(4) - 0.5_dp) < 1e-9_dp .and. text == 'body0.pos.x' .and. unit == 'm', 'channels: ' // text)
    call pintle_get_channels(sys, channels(2:), status)
    call check(status == PINTLE_ERR_BAD_SIZE, 'get_channels, one too few')
    call pintle_linearize(sys, [mass_id], [sensor], [sensor], a, b, c, d)
    call check(abs(a(2, 1) + 4) < 1e-9_dp .and. abs(a(2, 2) + 0.2_dp) < 1e-9_dp, 'linearize: A')
    call check(abs(b(2, 1) - 0.5_dp) < 1e-12_dp .and. abs(c(1, 1) - 1) < 1e-12_dp .and. abs(d(13, 1) - 0.5_dp) < 1e-12_dp, &
               'linearize: B, C, D')
    call pintle_get_state_name(sys, 0, text)
    call check(index(text, 'body 0') == 1, 'get_state_name: ' // text)
    call pintle_get_modes(sys, n, frequencies, ratios, shapes, motion)
    call check(n == 1 .and. abs(frequencies(1) * 2 * acos(-1.0_dp) - 2) < 1e-9_dp, 'get_modes: frequency')
    call check(abs(ratios(1) - 0.05_dp) < 1e-9_dp .and. abs(abs(shapes(1, 1, 1)) - 1) < 1e-9_dp, 'get_modes: damping, shape')
    call pintle_get_load_compliance(sys, [sensor], dt, compliance)
    call check(compliance(1, 1, 1) > 0.4_dp .and. compliance(1, 1, 1) < 0.51_dp, 'get_load_compliance')
    call pintle_get_body_compliance(sys, [mass_id], dt, of_body)
    call check(maxval(abs(of_body - compliance)) < 1e-15_dp, 'get_body_compliance')
    call pintle_get_joint_compliance(sys, [slide], dt, of_joint)
    call check(abs(of_joint(1, 1, 1) - compliance(1, 1, 1)) < 1e-15_dp, 'get_joint_compliance')
    call pintle_linearize_inputs(sys, [mass_id], [integer(c_int32_t) ::], [slide], [integer(c_int32_t) ::], [sensor], a, &
                                 b(:, 1:7), c, d(:, 1:7))
    call check(abs(b(2, 7) - 0.5_dp) < 1e-12_dp .and. abs(d(13, 7) - 0.5_dp) < 1e-12_dp, 'linearize_inputs')
    call pintle_destroy(sys)
  end subroutine analyses

  ! Masses of 1 and 2 with 0.5 of added mass across, each pushed with 3.5: 1 * 3 + 0.5 * 1 = 2 * 1 + 0.5 * 3.
  subroutine coupled_loads()
    integer(c_int32_t) :: light, heavy, callback
    real(dp) :: found(6, 2)
    integer :: asked
    call pintle_create(sys)
    call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [zero3, flat], light)
    call pintle_add_rigid_body(sys, 2.0_dp, zero3, unit_inertia, [zero3, flat], heavy)
    calls = 0
    call pintle_set_coupled_load_callback(sys, [heavy, light], tie, c_loc(calls), callback)
    call pintle_count(sys, 'callback', n)
    call check(callback == 0 .and. n == 1, 'set_coupled_load_callback: id')
    call pintle_initialize(sys, 0.0_dp)
    call pintle_step(sys, dt)
    call pintle_get_body_accelerations(sys, found)
    call check(calls > 0 .and. abs(found(1, 1) - 3) < 1e-9_dp .and. abs(found(1, 2) - 1) < 1e-9_dp, &
               'set_coupled_load_callback: accelerations')
    asked = calls
    call pintle_set_option(sys, 'max_time_step', 1e-3_dp)
    call pintle_set_progress_callback(sys, stop_it, c_loc(calls))
    call pintle_step(sys, 1.0_dp, status)
    call pintle_time(sys, x)
    call check(status == PINTLE_ERR_STOPPED .and. abs(x - dt) <= 0 .and. calls > asked, 'set_progress_callback')
    call pintle_set_progress_callback(sys)
    call pintle_set_coupled_load_callback(sys, [light, heavy])
    call pintle_step(sys, 1.0_dp)
    call pintle_get_body_accelerations(sys, found)
    call check(maxval(abs(found)) < 1e-6_dp, 'set_coupled_load_callback: removed')
    call pintle_set_coupled_load_callback(sys, [light, heavy], status=status)
    call check(status == PINTLE_ERR_BAD_VALUE, 'set_coupled_load_callback: nothing to remove')
    call pintle_destroy(sys)
  end subroutine coupled_loads

  ! A chain of two lines in a tide, from the bed to a point that the program moves.
  subroutine lines()
    integer(c_int32_t) :: anchor, middle, fairlead, chain, low, high, type, a, b, segments, free_a, free_b, set, often
    integer, target :: calls
    real(dp) :: rows(3, 5), pull(4), force(3), both(6, 2), tops(2, 2), length, rate, ea, cda, ca, value
    real(dp), allocatable :: strains(:), tensions(:), depths(:), flow(:, :), nodes(:, :)
    real(dp) :: strong(3, 2), waves(2), time, limit, axis(3)
    real(dp), allocatable :: amplitudes(:), frequencies(:), headings(:), phases(:)
    call pintle_create(sys)
    call pintle_set_gravity(sys, -9.81_dp * z)
    call pintle_set_environment(sys, 'water_density', 1000.0_dp)
    call pintle_set_environment(sys, 'depth', 9.0_dp)
    call pintle_get_environment(sys, 'depth', value)
    call check(abs(value - 9) <= 0, 'get_environment')
    call pintle_set_current(sys, [0.0_dp, 9.0_dp], reshape([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], [3, 2]))
    call pintle_get_current(sys, depths, flow)
    call check(size(depths) == 2 .and. abs(depths(2) - 9) <= 0 .and. abs(flow(1, 1) - 1) <= 0, 'get_current')
    call pintle_set_current(sys, [real(dp) ::], reshape([real(dp) ::], [3, 0]))
    call pintle_set_seabed_grid(sys, reshape([-9.0_dp, 0.0_dp, 9.0_dp, 9.0_dp, 0.0_dp, 9.0_dp], [3, 2]))
    call pintle_get_seabed_grid(sys, flow)
    call check(size(flow, 2) == 2 .and. abs(flow(1, 2) - 9) <= 0, 'get_seabed_grid')
    call pintle_set_current_grid(sys, reshape([0.0_dp, 0.0_dp, 9.0_dp, 0.0_dp, 0.5_dp, 0.0_dp, 0.0_dp], [7, 1]))
    call pintle_get_current_grid(sys, nodes)
    call check(all(shape(nodes) == [7, 1]) .and. abs(nodes(5, 1) - 0.5_dp) <= 0, 'get_current_grid')
    call pintle_set_current_grid(sys, reshape([real(dp) ::], [7, 0]))
    call pintle_set_irregular_waves(sys, 2.0_dp, 8.0_dp, 3.3_dp, 0.0_dp, 0.0_dp, 5, 30)
    call pintle_set_wave_spectrum(sys, [0.5_dp, 1.0_dp], [1.0_dp, 0.0_dp], 0.0_dp, 0.0_dp, 5, 10)
    call pintle_set_wave_record(sys, 0.0_dp, 0.5_dp, [0.5_dp, 0.0_dp, -0.5_dp, 0.0_dp], 0.0_dp, 99.0_dp)
    call pintle_get_waves(sys, amplitudes, frequencies, headings, phases)
    call check(size(amplitudes) == 2 .and. abs(amplitudes(1) - 0.5_dp) < 1e-12_dp .and. all(abs(headings) <= 0), 'get_waves')
    call pintle_set_waves(sys, frequencies, frequencies, headings, phases)
    call pintle_get_waves(sys, amplitudes, frequencies, headings, phases)
    call check(all(abs(amplitudes - frequencies) <= 0), 'set_waves')
    call pintle_set_waves(sys, [real(dp) ::], [real(dp) ::], [real(dp) ::], [real(dp) ::])
    call pintle_add_point(sys, 0.0_dp, 0.0_dp, -9 * z, anchor)
    call pintle_add_point(sys, 5.0_dp, 0.0_dp, [2.0_dp, 0.0_dp, -5.0_dp], middle)
    call pintle_add_point(sys, 0.0_dp, 0.0_dp, [4.0_dp, 0.0_dp, -1.0_dp], fairlead)
    call pintle_fix_point(sys, anchor)
    call pintle_fix_point(sys, fairlead)
    call pintle_set_point_drag(sys, middle, 0.5_dp, 1.0_dp)
    call pintle_get_point_drag(sys, middle, cda, ca)
    call check(abs(cda - 0.5_dp) <= 0 .and. abs(ca - 1) <= 0, 'get_point_drag')
    call pintle_add_line_type(sys, 0.05_dp, 10.0_dp, 1e5_dp, -0.5_dp, 0.5_dp, 1.2_dp, 1.0_dp, 0.1_dp, 0.0_dp, chain)
    call pintle_set_line_type_table(sys, chain, 'ea', [0.0_dp, 0.1_dp], [0.0_dp, 1e4_dp])
    call pintle_get_line_type_table(sys, chain, 'ea', strains, tensions)
    call check(size(strains) == 2 .and. abs(tensions(2) - 1e4_dp) <= 0, 'get_line_type_table')
    call pintle_get_line_type_info(sys, chain, ea=ea)
    call check(abs(ea - 1e5_dp) <= 0, 'get_line_type_info')
    call pintle_add_line_type(sys, 0.05_dp, 10.0_dp, 1e5_dp, -0.5_dp, 0.5_dp, 1.2_dp, 1.0_dp, 0.1_dp, 0.0_dp, type)
    call pintle_set_line_type_viscoelastic(sys, type, 2e5_dp, 0.5_dp, 1e2_dp)
    call pintle_get_line_type_viscoelastic(sys, type, ea_dynamic=ea)
    call check(abs(ea - 2e5_dp) <= 0, 'get_line_type_viscoelastic')
    call pintle_add_line_type(sys, 0.05_dp, 10.0_dp, 1e5_dp, -0.5_dp, 0.5_dp, 1.2_dp, 1.0_dp, 0.1_dp, 0.0_dp, type)
    call pintle_set_line_type_table(sys, type, 'ea', [0.0_dp, 0.1_dp], [0.0_dp, 1e4_dp])
    call pintle_set_line_type_syrope(sys, type, 0_c_int32_t, 0.5_dp, 0.0_dp, 3e5_dp, 0.5_dp, 1e2_dp)
    call pintle_get_line_type_syrope(sys, type, a, ea)
    call check(a == 0 .and. abs(ea - 0.5_dp) <= 0, 'get_line_type_syrope')
    call pintle_add_line(sys, chain, anchor, middle, 4.6_dp, 4_c_int32_t, low)
    call pintle_add_line(sys, chain, middle, fairlead, 4.6_dp, 4_c_int32_t, high)
    call pintle_get_line_info(sys, high, type, a, b, length, segments)
    call check(type == chain .and. a == middle .and. b == fairlead .and. segments == 4, 'get_line_info')
    call pintle_clamp_line(sys, low, 0_c_int32_t, PINTLE_GROUND, -2 * z)
    call pintle_get_line_clamp(sys, low, 0_c_int32_t, a, b, axis)
    call check(a == 1 .and. b == PINTLE_GROUND .and. all(abs(axis + z) <= 0), 'get_line_clamp')
    call pintle_join_lines(sys, low, 1_c_int32_t, high, 0_c_int32_t)
    call pintle_get_line_joint(sys, high, 0_c_int32_t, a, b)
    call check(a == low .and. b == 1, 'get_line_joint')
    call pintle_get_line_stiffness(sys, high, value)
    call check(value <= 0, 'get_line_stiffness')
    call pintle_set_line_pressure(sys, low, [2e5_dp])
    call pintle_set_line_failure(sys, [high], [1_c_int32_t], 0.0_dp, 1e9_dp, -1_c_int32_t)
    call pintle_get_line_failure(sys, high, 1_c_int32_t, time, limit, a)
    call check(time <= 0 .and. abs(limit - 1e9_dp) <= 0 .and. a == -1, 'get_line_failure')
    calls = 0
    call pintle_set_fluid_callback(sys, tide, c_loc(calls), .true.)
    call pintle_get_fluid_callback(sys, set, often)
    call check(set == 1 .and. often == 1, 'get_fluid_callback')
    call pintle_initialize(sys, 0.0_dp)
    call pintle_set_line_length(sys, high, 4.59_dp, -1.0_dp)
    call pintle_get_line_length_input(sys, high, length, rate)
    call check(abs(length - 4.59_dp) <= 0 .and. abs(rate + 1) <= 0, 'get_line_length_input')
    call pintle_step(sys, dt)
    call check(calls > 0, 'set_fluid_callback')
    call pintle_get_line_length(sys, high, length, rate)
    call check(abs(length - 4.59_dp) <= 0 .and. abs(rate + 1) <= 0, 'get_line_length')
    rows = 0
    call pintle_get_water_motion(sys, rows(:, 1:2), flow(:, 1:2), strong(:, 1:2), waves(1:2))
    call check(all(abs(waves(1:2)) <= 0) .and. all(abs(strong(:, 1:2)) <= 0), 'get_water_motion')
    call pintle_get_line_positions(sys, high, rows)
    call check(maxval(abs(rows(:, 5) - [4.0_dp, 0.0_dp, -1.0_dp])) < 1e-12_dp, 'get_line_positions')
    call pintle_get_line_velocities(sys, high, rows)
    call check(rows(2, 3) > 0, 'get_line_velocities: the tide carries it along')
    call pintle_get_line_accelerations(sys, high, rows)
    call check(maxval(abs(rows(:, 5))) < 1e-12_dp, 'get_line_accelerations')
    call pintle_get_line_tensions(sys, high, pull)
    call pintle_get_line_end_tensions(sys, tops)
    call check(pull(4) > 0 .and. abs(tops(1, 2) - pull(1)) <= 0 .and. abs(tops(2, 2) - pull(4)) <= 0, 'get_line_end_tensions')
    call pintle_get_line_mean_tensions(sys, tops)
    call check(tops(2, 2) > 0 .and. tops(2, 2) < 2 * pull(4), 'get_line_mean_tensions')
    call pintle_get_line_end_force(sys, high, 1_c_int32_t, force)
    call pintle_get_line_end_forces(sys, both)
    call check(force(3) < 0 .and. maxval(abs(both(4:6, 2) - force)) <= 0, 'get_line_end_force, _forces')
    call pintle_get_line_end_moment(sys, low, 0_c_int32_t, force)
    call check(maxval(abs(force)) > 0 .and. abs(force(3)) <= 0, 'get_line_end_moment')
    call pintle_get_line_node_loads(sys, high, 'weight', rows)
    call check(abs(sum(rows(3, :)) + 9.81_dp * 10 * 4.59_dp) < 1e-9_dp, 'get_line_node_loads')
    call pintle_set_line_stiffness(sys, high, 1e5_dp, status)
    call check(status == PINTLE_ERR_BAD_VALUE, 'set_line_stiffness: a table')
    call pintle_set_line_slow_strains(sys, high, pull, status)
    call check(status == PINTLE_ERR_BAD_VALUE, 'set_line_slow_strains: not viscoelastic')
    call pintle_get_line_slow_strains(sys, high, pull)
    call check(maxval(abs(pull)) <= 0, 'get_line_slow_strains')
    call pintle_set_line_largest_tensions(sys, high, pull, status)
    call check(status == PINTLE_ERR_BAD_VALUE, 'set_line_largest_tensions: no curves')
    call pintle_get_line_largest_tensions(sys, high, pull)
    call check(maxval(abs(pull)) <= 0, 'get_line_largest_tensions')
    call pintle_get_line_pressure(sys, low, rows(1, :))
    call check(all(abs(rows(1, :) - 2e5_dp) <= 0), 'get_line_pressure')
    call pintle_set_line_pressure(sys, low, 0 * rows(1, :))
    call pintle_get_line_positions(sys, high, rows)
    call pintle_set_line_coordinates(sys, high, rows, 0 * rows)
    call pintle_set_line_coordinates(sys, high, rows, rows(:, 2:), status)
    call check(status == PINTLE_ERR_BAD_SIZE, 'set_line_coordinates')
    call pintle_set_point_coordinates(sys, middle, rows(:, 1), 0 * rows(:, 1))
    call pintle_release_line(sys, high, 1_c_int32_t)
    call pintle_get_line_released(sys, high, free_a, free_b)
    call check(free_a == 0 .and. free_b == 1, 'get_line_released')
    call pintle_set_fluid_callback(sys, implicit=.false.)
    call pintle_step(sys, dt)
    call pintle_destroy(sys)
  end subroutine lines

  ! Two sleeves on rods along z: one on a spring, which a force pulls; one that the program moves.
  subroutine slides()
    integer(c_int32_t) :: pulled, moved, rod, rail
    real(dp) :: frame(7), s, sd, sdd
    call pintle_frame_from_axes([0.0_dp, 0.0_dp, 1.0_dp], 3 * z, [2.0_dp, 0.0_dp, 1.0_dp], frame)
    call check(maxval(abs(frame - [0.0_dp, 0.0_dp, 1.0_dp, flat])) < 1e-15_dp, 'frame_from_axes')
    call pintle_frame_from_axes(zero3, [1.0_dp, 0.0_dp, 0.0_dp], frame=frame)
    call pintle_quat_to_dcm(frame(4:7), dcm)
    call check(maxval(abs(dcm(:, 3) - [1.0_dp, 0.0_dp, 0.0_dp])) < 1e-15_dp, 'frame_from_axes with any x')
    call pintle_create(sys)
    call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [zero3, flat], pulled)
    call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [zero3, flat], moved)
    call pintle_set_body_velocity_in(sys, pulled, PINTLE_FRAME_BODY, [zero3, zero3])
    call pintle_add_joint_at(sys, PINTLE_JOINT_CYLINDRICAL, PINTLE_GROUND, pulled, zero3, z, rod)
    call pintle_add_joint_at(sys, PINTLE_JOINT_CYLINDRICAL, PINTLE_GROUND, moved, zero3, z, rail)
    call pintle_set_joint_strength(sys, rail, 1e9_dp, 2e9_dp)
    call pintle_get_joint_strength(sys, rail, s, sd)
    call check(abs(s - 1e9_dp) <= 0 .and. abs(sd - 2e9_dp) <= 0, 'get_joint_strength')
    call pintle_set_joint_offset(sys, rod, 0.25_dp)
    call pintle_set_joint_slide_spring(sys, rod, 4.0_dp, 0.0_dp, 0.0_dp)
    call pintle_set_joint_slide_driven(sys, rail, .true.)
    call pintle_set_joint_slide_motion(sys, rail, 0.0_dp, 0.0_dp, 2.0_dp)
    call pintle_set_joint_slide_load(sys, rod, 1.0_dp)
    call pintle_initialize(sys, 0.0_dp)
    call pintle_set_joint_slide_motion(sys, rail, dt**2, 2 * dt, 2.0_dp)
    call pintle_step(sys, dt)
    call pintle_get_joint_slide(sys, rail, s, sd, sdd)
    call check(abs(s - dt**2) < 1e-12_dp .and. abs(sd - 2 * dt) < 1e-9_dp .and. abs(sdd - 2) < 1e-6_dp, 'set_joint_slide_motion')
    call pintle_get_joint_slide(sys, rod, sdd=sdd)
    ! s'' = 1 - 4 s, of which 4 s is 2e-4 by now
    call check(abs(sdd - (1 - 2 * dt**2)) < 1e-5_dp, 'set_joint_slide_load, _spring')
    call pintle_get_joint_coordinate(sys, rod, x)
    call check(abs(x - 0.25_dp) < 1e-12_dp, 'set_joint_offset')
    call pintle_destroy(sys)
  end subroutine slides

  ! A mass between a point that stays, one that the program moves and one on a wheel; a second wheel with a gear to the first.
  subroutine points_and_gears()
    integer(c_int32_t) :: ball, stay, hand, rim, wheels(2), axles(2), gear, twin, clutch, tendon, a, b, on, fixed
    real(dp) :: force(3), rows(3, 4), place(3), v(3), load
    character(len=:), allocatable :: colour
    call pintle_create(sys)
    do i = 1, 2
      place = [3.0_dp * i, 0.0_dp, 0.0_dp]
      call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [place, flat], wheels(i))
      call pintle_add_joint_at(sys, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, wheels(i), place, z, axles(i))
    end do
    call pintle_add_gear(sys, axles(1), axles(2), -2.0_dp, gear)
    ! The same once more, which carries no load.
    call pintle_add_coupling(sys, axles, [4.0_dp, 2.0_dp], twin)
    call pintle_add_clutch(sys, axles(1), .false., axles(2), .false., -2.0_dp, 1.0_dp, 1.0_dp, 1.5_dp, 0.0_dp, clutch)
    ! Too long to pull.
    call pintle_add_tendon(sys, [PINTLE_GROUND, wheels(1), wheels(2)], reshape([zero3, z, z], [3, 3]), 1e3_dp, 0.0_dp, 50.0_dp, &
      tendon)
    call pintle_set_tendon_sheave(sys, tendon, 1, 0.25_dp, z, 1.0_dp)
    call pintle_get_tendon_sheave(sys, tendon, 1, radius=x, wrap=y)
    call check(abs(x - 0.25_dp) + abs(y - 1) <= 0, 'set_tendon_sheave, get_tendon_sheave')
    call pintle_set_tendon_friction(sys, tendon, 1, 0.3_dp)
    call pintle_get_tendon_friction(sys, tendon, 1, x)
    call check(abs(x - 0.3_dp) <= 0, 'set_tendon_friction, get_tendon_friction')
    call pintle_add_shape(sys, wheels(1), 'sphere', [0.0_dp, 0.0_dp, 1.0_dp, 0.5_dp], colour='#e0a526', shape=a)
    call pintle_get_shape_info(sys, a, body=on, n=b)
    call pintle_shape_count(sys, n)
    call pintle_get_shape_text(sys, a, 'colour', colour)
    call check(a == 0 .and. n == 1 .and. on == wheels(1) .and. b == 4 .and. colour == '#e0a526', 'add_shape, get_shape_info')
    call pintle_add_point(sys, 2.0_dp, 0.0_dp, zero3, ball)
    call pintle_add_point(sys, 0.0_dp, 0.0_dp, -z, stay)
    call pintle_add_point(sys, 1.0_dp, 0.0_dp, z, hand)
    call pintle_add_point(sys, 0.0_dp, 0.0_dp, zero3, rim)
    call pintle_fix_point(sys, stay)
    call pintle_set_point_prescribed(sys, hand, .true.)
    call pintle_attach_point(sys, rim, wheels(1), [-1.0_dp, 0.0_dp, 0.0_dp])
    call pintle_add_point_spring(sys, ball, stay, 10.0_dp, 0.0_dp, 0.5_dp, .false., spring)
    call pintle_add_point_spring(sys, ball, hand, 10.0_dp, 0.0_dp, 0.5_dp, .false., id)
    call pintle_add_point_spring(sys, ball, rim, 10.0_dp, 0.0_dp, 2.0_dp, .false., id)
    call pintle_set_point_velocity(sys, ball, zero3)
    call pintle_set_point_load(sys, rim, [0.0_dp, 1.0_dp, 0.0_dp])
    call pintle_initialize(sys, 0.0_dp)
    call pintle_get_point_reaction(sys, stay, force)
    call check(maxval(abs(force + 5 * z)) < 1e-12_dp, 'get_point_reaction')
    ! The rim is on the left: a moment of -1 on the first wheel, which turns (1 + 4) times the inertia of one.
    call pintle_get_gear_load(sys, gear, load)
    call check(abs(load - 0.4_dp) < 1e-9_dp, 'get_gear_load')
    call pintle_set_point_motion(sys, hand, z, zero3, zero3)
    call pintle_step(sys, dt)
    call pintle_get_point_positions(sys, rows)
    call pintle_get_point_position(sys, hand, place)
    call check(maxval(abs(rows(:, 3) - z)) <= 0 .and. maxval(abs(place - z)) <= 0, 'get_point_position, _positions')
    call pintle_get_point_velocities(sys, rows)
    call pintle_get_point_velocity(sys, rim, v)
    call check(maxval(abs(rows(:, 4) - v)) <= 0 .and. v(2) > 0, 'get_point_velocity, _velocities')
    call pintle_get_point_accelerations(sys, rows)
    call pintle_get_point_acceleration(sys, rim, v)
    call check(maxval(abs(rows(:, 4) - v)) <= 0 .and. abs(v(2) - 0.2_dp) < 1e-3_dp, 'get_point_acceleration, _accelerations')
    call pintle_get_point_load(sys, rim, force)
    call check(abs(force(2) - 1) <= 0, 'get_point_load')
    call pintle_get_point_info(sys, rim, body=on, fixed=fixed)
    call check(on == wheels(1) .and. fixed == 0, 'get_point_info')
    call pintle_get_spring_points(sys, spring, a, b)
    call check(a == ball .and. b == stay, 'get_spring_points')
    call pintle_get_gear_info(sys, gear, ratio=x)
    call check(abs(x + 2) <= 0, 'get_gear_info')
    call pintle_get_tendon_info(sys, tendon, n=a, rest_length=x)
    call pintle_get_tendon_force(sys, tendon, tension=y)
    call check(a == 3 .and. abs(x - 50) + abs(y) <= 0, 'add_tendon, get_tendon_info, get_tendon_force')
    call pintle_get_coupling(sys, twin, 0, n=a, joint=b, coefficient=x)
    call check(a == 2 .and. b == axles(1) .and. abs(x - 4) <= 0, 'add_coupling, get_coupling')
    call pintle_set_clutch_stop(sys, clutch, -0.5_dp, 0.5_dp, PINTLE_STOP_SPRING, 100.0_dp, 1.0_dp, 0.0_dp)
    call pintle_get_clutch_stop(sys, clutch, lower=x, stiffness=y)
    call check(abs(x + 0.5_dp) + abs(y - 100) <= 0, 'set_clutch_stop, get_clutch_stop')
    ! The gear holds what the clutch would.
    call pintle_set_clutch_capacity(sys, clutch, 2.0_dp, 3.0_dp)
    call pintle_get_clutch_capacity(sys, clutch, x, y)
    call pintle_get_clutch_info(sys, clutch, joint_b=b, ratio=load)
    call check(b == axles(2) .and. abs(x - 2) + abs(y - 3) + abs(load + 2) <= 0, 'get_clutch_info, _capacity')
    call pintle_get_clutch(sys, clutch, mode=a, limit_forth=x)
    call check(a == 1 .and. abs(x - 1.5_dp) <= 0, 'add_clutch, get_clutch')
    call pintle_destroy(sys)
  end subroutine points_and_gears

  ! A carriage that the program moves, a wheel that it turns, a nut on a screw with a spring, a coin that rolls.
  subroutine imposed_motions()
    integer(c_int32_t) :: carriage, wheel, nut, axle, thread, coin, disc
    real(dp) :: qdd, place(7)
    call pintle_create(sys)
    call pintle_add_rigid_body(sys, 3.0_dp, zero3, unit_inertia, [zero3, flat], carriage)
    call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [0.0_dp, 9.0_dp, 0.0_dp, flat], wheel)
    call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [0.0_dp, 18.0_dp, 0.0_dp, flat], nut)
    call pintle_add_joint_at(sys, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, wheel, [0.0_dp, 9.0_dp, 0.0_dp], z, axle)
    call pintle_add_joint_at(sys, PINTLE_JOINT_SCREW, PINTLE_GROUND, nut, [0.0_dp, 18.0_dp, 0.0_dp], z, thread)
    call pintle_add_rigid_body(sys, 1.0_dp, zero3, unit_inertia, [0.0_dp, 27.0_dp, 0.5_dp, flat], coin)
    call pintle_add_joint(sys, PINTLE_JOINT_ROLLING, PINTLE_GROUND, coin, [zero3, flat], &
                          [zero3, sqrt(0.5_dp), sqrt(0.5_dp), 0.0_dp, 0.0_dp], disc)
    call pintle_set_joint_radius(sys, disc, 0.5_dp)
    call pintle_get_joint_radius(sys, disc, x)
    call check(abs(x - 0.5_dp) <= 0, 'set_joint_radius, get_joint_radius')
    call pintle_set_body_prescribed(sys, carriage, .true.)
    call pintle_set_joint_driven(sys, axle, .true.)
    call pintle_set_joint_pitch(sys, thread, 0.5_dp)
    call pintle_set_joint_spring(sys, thread, 4.0_dp, 0.0_dp, 0.0_dp)
    call pintle_set_joint_load(sys, thread, 0.0_dp)
    call pintle_set_joint_motion(sys, axle, 0.0_dp, 0.0_dp, 2.0_dp)
    call pintle_initialize(sys, 0.0_dp)
    call pintle_set_joint_load(sys, thread, 1.0_dp)
    call pintle_mark_discontinuity(sys)
    call pintle_set_joint_motion(sys, axle, dt**2, 2 * dt, 2.0_dp)
    call pintle_set_body_motion(sys, carriage, [dt, 0.0_dp, 0.0_dp, flat], [1.0_dp, zero3, 0.0_dp, 0.0_dp], &
                                [5.0_dp, zero3, 0.0_dp, 0.0_dp])
    call pintle_step(sys, dt)
    call pintle_get_body_pose(sys, carriage, place)
    call check(all(abs(place - [dt, 0.0_dp, 0.0_dp, flat]) <= 0), 'set_body_motion')
    call pintle_get_body_reaction(sys, carriage, PINTLE_FRAME_INERTIAL, wrench)
    call check(maxval(abs(wrench - [15.0_dp, zero3, 0.0_dp, 0.0_dp])) < 1e-9_dp, 'get_body_reaction')
    call pintle_get_joint_coordinate(sys, axle, x, y, qdd)
    call check(abs(x - dt**2) < 1e-12_dp .and. abs(y - 2 * dt) < 1e-9_dp .and. abs(qdd - 2) < 1e-6_dp, 'set_joint_motion')
    call pintle_get_joint_coordinate(sys, thread, qdd=qdd)
    ! J = 1 and m (p/2 pi)^2 turn with the nut.
    call check(abs(qdd * (1 + (0.25_dp / acos(-1.0_dp))**2) - 1) < 1e-3_dp, 'set_joint_load, get_joint_coordinate')
    call pintle_destroy(sys)
  end subroutine imposed_motions

end program every_function
