! A floating wind turbine platform on three taut mooring lines, pushed about by prescribed forces and moments: the platform
! case of Kynema-FMB's tests, and the least that a hydrodynamics host has to do: loads in, step, motions out.
!
!   floating_platform [directory]       writes directory/floating_platform.csv when a directory is given
!
! The program runs 60 s and compares the motion at 10.01 s and at 60 s with independent solutions. Exit status 1 means that
! a number is not what it must be. c_examples/floating_platform.c is the same in C and writes the same numbers.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,floating_platform}.f90 target/release/libpintle.a -lm -o target/floating_platform
program floating_platform
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t
  use pintle
  use example
  implicit none

  real(dp), parameter :: pi = 3.14159265358979323846_dp

  ! The model: reference point = centre of mass, inertial frame at the still water line, z up, SI units.
  integer, parameter :: lines = 3
  real(dp), parameter :: mass = 1.419625e7_dp
  real(dp), parameter :: inertia(6) = [1.2898e10_dp, 1.2851e10_dp, 1.4189e10_dp, 0.0_dp, 0.0_dp, 0.0_dp]
  real(dp), parameter :: start(7) = [0.0_dp, 0.0_dp, -7.53_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]
  real(dp), parameter :: gravity = 9.8124_dp
  real(dp), parameter :: fairlead(3, lines) = reshape([-40.87_dp, 0.0_dp, -14.0_dp, 20.43_dp, -35.39_dp, -14.0_dp, &
                                                       20.43_dp, 35.39_dp, -14.0_dp], [3, lines])
  real(dp), parameter :: anchor(3, lines) = reshape([-105.47_dp, 0.0_dp, -58.4_dp, 52.73_dp, -91.34_dp, -58.4_dp, &
                                                     52.73_dp, 91.34_dp, -58.4_dp], [3, lines])
  real(dp), parameter :: line_stiffness = 48.9e3_dp, line_rest_length = 55.432_dp
  real(dp), parameter :: line_pull = 1907514.4912628897_dp  ! vertical pull of the three lines at the start, N
  real(dp), parameter :: time_step = 0.01_dp, duration = 60.0_dp

  type :: platform
    type(pintle_system) :: sys
    integer(c_int32_t) :: body, line(lines)
  end type platform

  type :: motion
    real(dp) :: position(3)  ! surge, sway, heave: displacement of the reference point, m
    real(dp) :: angle(3)     ! roll, pitch, yaw, degrees
    real(dp) :: tension(lines)
  end type motion

  ! Moments at which independent solutions are known, and half a unit of the last digit given. That at 60 s: Euler's
  ! equations and the springs by the classical Runge-Kutta method, step 0.005 s, without pintle.
  integer, parameter :: points = 2
  real(dp), parameter :: known_time(points) = [10.01_dp, 60.0_dp], rounding = 0.5e-10_dp
  real(dp), parameter :: known(3, points) = reshape( &
      [-0.000301454149_dp, 2.1671437349_dp, 2.0676041751_dp, &
       -0.001997901004_dp, -2.930229592826_dp, -4.147206629935_dp], [3, points])

  integer, parameter :: csv = 20
  real(dp) :: full(3, points), half(3, points)
  character(len=:), allocatable :: output
  integer :: k

  output = directory()
  print '(3a, /)', 'floating platform, pintle ', pintle_version(), ', rho_inf 1, dt 0.01 s, from Fortran'
  call run(time_step, full, .true.)

  ! The same once more at half the step, to know how large the error of the first run may be.
  call run(0.5_dp * time_step, half, .false.)

  print '(/, a, 3f16.10)', 'u(10.01 s)   ', full(:, 1)
  print '(a, 3f16.10)', 'independent  ', known(:, 1)
  call require(abs(full(2, 1) - known(2, 1)) < 5e-6_dp, 'sway at 10.01 s')
  do k = 1, points
    call check_point(k)
  end do
  if (len(output) > 0) print '(/, 3a)', 'written: ', output, '/floating_platform.csv'

contains

  ! What a hydrodynamics code would compute: buoyancy that carries weight and lines, and forces and moments of five periods.
  subroutine set_loads(p, t)
    type(platform), intent(in) :: p
    real(dp), intent(in) :: t
    real(dp) :: buoyancy
    buoyancy = line_pull + mass * gravity
    call pintle_set_body_load(p%sys, p%body, PINTLE_FRAME_INERTIAL, &
                              [0.0_dp, &
                               1e6_dp * sin(2 * pi * t / 20), &
                               buoyancy + 0.5_dp * line_pull * sin(2 * pi * t / 20), &
                               5e5_dp * sin(2 * pi * t / 15), &
                               1e6_dp * sin(2 * pi * t / 30), &
                               2e7_dp * sin(2 * pi * t / 60)])
  end subroutine set_loads

  subroutine create_platform(p)
    type(platform), intent(inout) :: p
    integer :: i
    call pintle_create(p%sys)
    call pintle_set_gravity(p%sys, [0.0_dp, 0.0_dp, -gravity])
    call pintle_add_rigid_body(p%sys, mass, [0.0_dp, 0.0_dp, 0.0_dp], inertia, start, p%body)

    ! Springs take their ends in the axes of the body they hang on; ends on ground are in the inertial frame. The platform
    ! starts upright, so that its axes are those of the inertial frame and only the origin differs.
    do i = 1, lines
      call pintle_add_spring(p%sys, p%body, fairlead(:, i) - start(1:3), PINTLE_GROUND, anchor(:, i), line_stiffness, &
                             0.0_dp, line_rest_length, spring=p%line(i))
    end do

    ! rho_inf = 1: no numerical damping, the platform has none either.
    call pintle_set_option(p%sys, 'rho_inf', 1.0_dp)

    ! The loads at t = 0 belong to the initial accelerations, which initialize computes.
    call set_loads(p, 0.0_dp)
    call pintle_initialize(p%sys, 0.0_dp)
  end subroutine create_platform

  subroutine read_motion(p, m)
    type(platform), intent(in) :: p
    type(motion), intent(out) :: m
    real(dp) :: displacement(7)
    integer :: i
    call pintle_get_body_displacement(p%sys, p%body, displacement)
    call pintle_quat_to_euler_zyx(displacement(4:7), m%angle)
    m%position = displacement(1:3)
    m%angle = m%angle * (180 / pi)
    do i = 1, lines
      call pintle_get_spring_force(p%sys, p%line(i), tension=m%tension(i))
    end do
  end subroutine read_motion

  subroutine write_motion(t, m)
    real(dp), intent(in) :: t
    type(motion), intent(in) :: m
    integer :: i
    write (csv, '(20a)') decimal(t, 3), (',', decimal(m%position(i), 9), i=1, 3), &
        (',', decimal(m%angle(i), 9), i=1, 3), (',', decimal(m%tension(i), 3), i=1, lines)
  end subroutine write_motion

  subroutine print_motion(t, m)
    real(dp), intent(in) :: t
    type(motion), intent(in) :: m
    print '(f10.2, 3f11.5, f12.5, f13.5, f11.5, 3x, 3f8.1)', t, m%position, m%angle, 1e-3_dp * m%tension
  end subroutine print_motion

  ! Runs with step dt; at_known receives the displacements at the known moments. A recorded run prints a table, and
  ! writes every tenth of a second to the file if a directory was given.
  subroutine run(dt, at_known, recorded)
    real(dp), intent(in) :: dt
    real(dp), intent(out) :: at_known(3, points)
    logical, intent(in) :: recorded
    type(platform) :: p
    type(motion) :: m
    real(dp) :: t
    integer :: n, k
    logical :: noted, to_file
    to_file = recorded .and. len(output) > 0
    call create_platform(p)
    call read_motion(p, m)
    if (recorded) then
      print '(2a)', '  time (s)  surge (m)   sway (m)  heave (m)  roll (deg)  pitch (deg)  yaw (deg)', &
          '   line tensions (kN)'
      call print_motion(0.0_dp, m)
    end if
    if (to_file) then
      call create(output // '/floating_platform.csv', csv)
      write (csv, '(2a)') 'time_s,surge_m,sway_m,heave_m,roll_deg,pitch_deg,yaw_deg,', &
          'tension_1_N,tension_2_N,tension_3_N'
      call write_motion(0.0_dp, m)
    end if

    do n = 1, nint(duration / dt)
      t = n * dt

      ! The coming step ends at t, and the loads are those of its END.
      call set_loads(p, t)
      call pintle_step(p%sys, dt)

      call read_motion(p, m)
      noted = .false.
      do k = 1, points
        if (n == nint(known_time(k) / dt)) then
          noted = .true.
          at_known(:, k) = m%position
        end if
      end do
      if (recorded .and. (noted .or. mod(n, nint(10 / dt)) == 0)) call print_motion(t, m)
      if (to_file .and. mod(n, nint(0.1_dp / dt)) == 0) call write_motion(t, m)
    end do
    if (to_file) close (csv)
    call pintle_destroy(p%sys)
  end subroutine run

  ! A second-order scheme: the error at dt is 4/3 of the difference to the run at dt/2, and a quarter of it is left at dt/2.
  ! Both are checked against the independent solution; the estimate gets 10 % room for the next order in dt.
  subroutine check_point(k)
    integer, intent(in) :: k
    real(dp) :: estimate, error, error_half
    estimate = 4.0_dp / 3 * sqrt(sum((full(:, k) - half(:, k))**2))
    error = sqrt(sum((full(:, k) - known(:, k))**2))
    error_half = sqrt(sum((half(:, k) - known(:, k))**2))
    print '(a, f5.2, 3(a, es8.2), a)', 'at ', known_time(k), ' s: error ', error, ' m, at half the step ', error_half, &
        ' m; expected from their difference ', estimate, ' m'
    call require(abs(error - estimate) <= 0.1_dp * estimate + 2 * rounding, 'error of the full step')
    call require(abs(error_half - 0.25_dp * estimate) <= 0.1_dp * 0.25_dp * estimate + 2 * rounding, &
                 'error of the half step')
  end subroutine check_point

end program floating_platform
