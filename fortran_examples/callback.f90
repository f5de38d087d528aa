! A load that depends on the motion, written in Fortran: pintle calls it inside its iteration. A mass slides on a spring
! whose force grows with the cube of its elongation (Duffing's oscillator).
!
! The function also gives its derivative, which keeps Newton's method quadratic. The program checks the energy, which
! stays to second order in the step, and that a function that gives up stops the step and nothing else. Exit status 1
! means that a number is not what it must be.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,callback}.f90 target/release/libpintle.a -lm -o target/callback
module cubic_spring
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_int32_t, c_ptr
  implicit none

  ! What the function needs to know travels through its argument `user`.
  type :: spring
    real(c_double) :: linear = 40.0_c_double, cubic = 900.0_c_double  ! N/m, N/m^3
    real(c_double) :: limit = 1.0_c_double                            ! m: it breaks there
    integer :: calls = 0
    logical :: gives_stiffness = .true.
  end type spring

contains

  ! Must be a module procedure with bind(c), and these arguments: the compiler checks them where it is handed over. Those
  ! that it has no use for make gfortran -Wextra complain, unless told -Wno-unused-dummy-argument.
  function spring_force(user, time, body, pose, velocity, acceleration, wrench, stiffness36, damping36) &
      bind(c) result(failure)
    type(c_ptr), value :: user
    real(c_double), value :: time
    integer(c_int32_t), value :: body
    real(c_double), intent(in) :: pose(7), velocity(6), acceleration(6)
    real(c_double), intent(inout) :: wrench(6), stiffness36(6, 6), damping36(6, 6)
    integer(c_int32_t) :: failure
    type(spring), pointer :: s
    real(c_double) :: x
    call c_f_pointer(user, s)
    s%calls = s%calls + 1
    x = pose(1)
    wrench(1) = -s%linear * x - s%cubic * x**3
    if (s%gives_stiffness) stiffness36(1, 1) = s%linear + 3 * s%cubic * x**2

    ! Everything but zero fails the step. (The test is written so that NaN fails as well.)
    failure = merge(0_c_int32_t, 1_c_int32_t, abs(x) < s%limit)
  end function spring_force

  pure function potential_energy(s, x) result(energy)
    type(spring), intent(in) :: s
    real(c_double), intent(in) :: x
    real(c_double) :: energy
    energy = 0.5_c_double * s%linear * x**2 + 0.25_c_double * s%cubic * x**4
  end function potential_energy

end module cubic_spring

program callback
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t, c_loc
  use pintle
  use cubic_spring
  use example
  implicit none

  real(dp), parameter :: mass = 2.0_dp, start = 0.4_dp, duration = 10.0_dp
  real(dp) :: change, change_half, iterations, iterations_plain, unused

  call oscillate(0.01_dp, .true., change, iterations)
  call oscillate(0.005_dp, .true., change_half, unused)
  call oscillate(0.01_dp, .false., unused, iterations_plain)
  print '(2(a, es9.2))', 'largest change of energy: relative ', change, ', at half the step ', change_half
  print '(2(a, f5.2))', 'iterations per step: ', iterations, ' with the derivative, without ', iterations_plain
  call require(abs(log(change / change_half) / log(2.0_dp) - 2) < 0.1_dp, 'the energy error is not of second order')
  call require(iterations < iterations_plain, 'the derivative does not help')
  call break_the_spring()

contains

  ! The mass at rest, `x` from the middle. `s` must live as long as the system: pintle keeps its address.
  subroutine create_oscillator(sys, s, x)
    type(pintle_system), intent(inout) :: sys
    type(spring), intent(inout), target :: s
    real(dp), intent(in) :: x
    integer(c_int32_t) :: body
    call pintle_create(sys)
    call pintle_add_rigid_body(sys, mass, [0.0_dp, 0.0_dp, 0.0_dp], [1.0_dp, 1.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], &
                               [x, 0.0_dp, 0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], body)
    call pintle_set_load_callback(sys, body, spring_force, c_loc(s))
    call pintle_set_option(sys, 'rho_inf', 1.0_dp)
    call pintle_set_option(sys, 'rel_tolerance', 1e-12_dp)
    call pintle_set_option(sys, 'abs_tolerance', 1e-12_dp)
    call pintle_initialize(sys, 0.0_dp)
  end subroutine create_oscillator

  ! Gives the largest change of energy over the run, relative, and Newton iterations per step.
  subroutine oscillate(dt, gives_stiffness, change, iterations)
    real(dp), intent(in) :: dt
    logical, intent(in) :: gives_stiffness
    real(dp), intent(out) :: change, iterations
    type(pintle_system) :: sys
    type(spring), target :: s
    real(dp) :: pose(7), kinetic, energy_start
    integer :: n, steps
    steps = nint(duration / dt)
    s%gives_stiffness = gives_stiffness
    energy_start = potential_energy(s, start)
    change = 0
    call create_oscillator(sys, s, start)
    do n = 1, steps
      call pintle_step(sys, dt)
      call pintle_get_body_pose(sys, 0, pose)
      call pintle_get_energy(sys, kinetic=kinetic)
      change = max(change, abs((kinetic + potential_energy(s, pose(1))) / energy_start - 1))
    end do
    call pintle_get_statistic(sys, 'iterations', iterations)
    iterations = iterations / steps
    call require(s%calls >= steps, 'the function is called in every step')
    call pintle_destroy(sys)
  end subroutine oscillate

  ! Pushed too hard, the spring breaks: the step fails, the accepted state stays, and the program decides.
  subroutine break_the_spring()
    type(pintle_system) :: sys
    type(spring), target :: s
    integer(c_int32_t) :: status
    character(len=:), allocatable :: message
    real(dp) :: pose(7)
    call create_oscillator(sys, s, start)
    call pintle_set_body_load(sys, 0, PINTLE_FRAME_INERTIAL, [1e6_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp])
    call pintle_step(sys, 0.01_dp, status)
    call pintle_explain(status, message, sys=sys)
    print '(2a)', 'pushed too hard: ', message
    call require(status == PINTLE_ERR_CALLBACK, 'status of a broken spring')
    call pintle_get_body_pose(sys, 0, pose)
    call require(abs(pose(1) - start) <= 0, 'the accepted state stays')
    call pintle_destroy(sys)
  end subroutine break_the_spring

end program callback
