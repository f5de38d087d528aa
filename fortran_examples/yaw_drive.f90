! A controller in the host: the yaw drive of a wind turbine. The nacelle with its spinning rotor turns on top of a tower that
! sways as the host says.
!
!   1. The yaw motor is a torque on the joint, from a sampled PI controller that follows the wind through a step and a ramp of
!      more than one turn; the bearing has friction.
!   2. The same yaw joint is driven: the host gives the angle, and reads back the torque that this takes.
!
! Everything is checked against equations of the yaw motion that do not come from pintle, at two time steps: the errors of a
! second-order scheme go to a quarter. Exit status 1 means that a number is not what it must be.
! c_examples/yaw_drive.c is the same in C and prints the same numbers.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,yaw_drive}.f90 target/release/libpintle.a -lm -o target/yaw_drive
program yaw_drive
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t
  use pintle
  use example
  implicit none

  real(dp), parameter :: pi = 3.14159265358979323846_dp

  ! SI units, z up. Distances are from the yaw bearing at the top of the tower; x points downwind, z is the yaw axis.
  real(dp), parameter :: gravity = 9.81_dp, tower_top = 87.6_dp
  real(dp), parameter :: nacelle_mass = 240e3_dp, nacelle_x = 1.9_dp, nacelle_z = 1.75_dp, nacelle_inertia = 1.74e6_dp
  real(dp), parameter :: rotor_mass = 110e3_dp, rotor_x = -5.0_dp, rotor_z = 2.4_dp
  real(dp), parameter :: rotor_polar = 38.8e6_dp, rotor_diametral = 19.4e6_dp, rotor_speed = 1.267_dp
  real(dp), parameter :: friction = 35e6_dp  ! moment per yaw rate

  ! What the equations of the yaw motion need: moments of mass, and the inertia about the yaw axis.
  real(dp), parameter :: mass_x = nacelle_mass * nacelle_x + rotor_mass * rotor_x
  real(dp), parameter :: mass_z = nacelle_mass * nacelle_z + rotor_mass * rotor_z
  real(dp), parameter :: mass_xz = nacelle_mass * nacelle_x * nacelle_z + rotor_mass * rotor_x * rotor_z
  real(dp), parameter :: yaw_inertia = nacelle_inertia + nacelle_mass * nacelle_x * nacelle_x + rotor_diametral &
                                       + rotor_mass * rotor_x * rotor_x

  real(dp), parameter :: time_step = 0.05_dp, duration = 80.0_dp
  real(dp), parameter :: sway_amplitude = 1.0_dp, sway_frequency = 1.5_dp

  ! The controller: sampled every 0.2 s, its torque is held in between. With the friction the poles are those of a period of
  ! 9 s, damped by 0.8, and of a decay in 3.3 s.
  real(dp), parameter :: sample_time = 0.2_dp, gain = 20.5e6_dp, integral_gain = 3.64e6_dp

  type :: turbine
    type(pintle_system) :: sys
    integer(c_int32_t) :: tower, nacelle, rotor, yaw, shaft
  end type turbine

  real(dp) :: full, half, of_full(2), of_half(2)

  print '(5a, /)', 'yaw drive, pintle ', pintle_version(), ', dt ', decimal(time_step, 2), ' s'
  print '(a)', 'PI controller', 'time (s)  wind (deg)   yaw (deg) independent  torque (kN m)'
  call control(time_step, .true., full)
  call control(0.5_dp * time_step, .false., half)
  call check_order('yaw angle', 'rad', full, half, 1e-4_dp)

  print '(/, a)', 'driven'
  print '(a)', 'time (s)   yaw (deg)  torque (kN m)       expected    tilt (kN m)       expected'
  call drive(time_step, .true., of_full)
  call drive(0.5_dp * time_step, .false., of_half)
  call check_order('torque', 'N m', of_full(1), of_half(1), 1e3_dp)
  call check_order('tilting moment', 'N m', of_full(2), of_half(2), 5e3_dp)

contains

  ! The tower top moves along x: displacement, velocity, acceleration.
  pure function sway(t) result(s)
    real(dp), intent(in) :: t
    real(dp) :: s(3), phase
    phase = sway_frequency * t
    s(1) = sway_amplitude * (1 - cos(phase))
    s(2) = sway_amplitude * sway_frequency * sin(phase)
    s(3) = sway_amplitude * sway_frequency * sway_frequency * cos(phase)
  end function sway

  pure function wind_direction(t) result(angle)
    real(dp), intent(in) :: t
    real(dp) :: angle
    angle = 0
    if (t >= 2) angle = (30 + 10 * min(max(t - 10, 0.0_dp), 35.0_dp)) * pi / 180
  end function wind_direction

  ! The controller's torque; it keeps the integral of the error.
  subroutine motor_torque(integral, t, yaw, torque)
    real(dp), intent(inout) :: integral
    real(dp), intent(in) :: t, yaw
    real(dp), intent(out) :: torque
    real(dp) :: error
    error = wind_direction(t) - yaw
    integral = integral + sample_time * error
    torque = gain * error + integral_gain * integral
  end subroutine motor_torque

  ! The yaw motion without pintle: yaw_inertia yaw'' + friction yaw' = torque + mass_x sway'' sin(yaw), over one sample time
  ! by the classical Runge-Kutta method.
  subroutine integrate_sample(t, torque, y)
    real(dp), intent(in) :: t, torque
    real(dp), intent(inout) :: y(2)
    integer, parameter :: steps = 40
    real(dp), parameter :: h = sample_time / steps
    real(dp), parameter :: at(4) = [0.0_dp, 0.5_dp, 0.5_dp, 1.0_dp], weight(4) = [1.0_dp, 2.0_dp, 2.0_dp, 1.0_dp]
    real(dp) :: slope(2), total(2), s(3), trial(2)
    integer :: n, i
    do n = 0, steps - 1
      slope = 0
      total = 0
      do i = 1, 4
        trial = y + at(i) * h * slope
        s = sway(t + (n + at(i)) * h)
        slope(1) = trial(2)
        slope(2) = (torque - friction * trial(2) + mass_x * s(3) * sin(trial(1))) / yaw_inertia
        total = total + weight(i) * slope
      end do
      y = y + h / 6 * total
    end do
  end subroutine integrate_sample

  ! The prescribed body at the END of the coming step.
  subroutine move_tower(w, t)
    type(turbine), intent(in) :: w
    real(dp), intent(in) :: t
    real(dp) :: s(3)
    s = sway(t)
    call pintle_set_body_motion(w%sys, w%tower, [s(1), 0.0_dp, tower_top, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], &
                                [s(2), 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], &
                                [s(3), 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp])
  end subroutine move_tower

  subroutine create_turbine(w, driven)
    type(turbine), intent(inout) :: w
    logical, intent(in) :: driven
    real(dp), parameter :: origin(3) = 0, zero(3) = 0, upright(4) = [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]
    real(dp), parameter :: top(3) = [0.0_dp, 0.0_dp, tower_top], hub(3) = [rotor_x, 0.0_dp, tower_top + rotor_z]
    real(dp), parameter :: x(3) = [1.0_dp, 0.0_dp, 0.0_dp], z(3) = [0.0_dp, 0.0_dp, 1.0_dp]
    call pintle_create(w%sys)
    call pintle_set_gravity(w%sys, [0.0_dp, 0.0_dp, -gravity])
    call pintle_add_rigid_body(w%sys, 50e3_dp, origin, [1e6_dp, 1e6_dp, 1e6_dp, zero], [top, upright], w%tower)
    call pintle_add_rigid_body(w%sys, nacelle_mass, [nacelle_x, 0.0_dp, nacelle_z], &
                               [nacelle_inertia, nacelle_inertia, nacelle_inertia, zero], [top, upright], w%nacelle)
    call pintle_add_rigid_body(w%sys, rotor_mass, origin, [rotor_polar, rotor_diametral, rotor_diametral, zero], &
                               [hub, upright], w%rotor)
    call pintle_set_body_velocity(w%sys, w%rotor, [zero, rotor_speed * x])
    call pintle_set_body_prescribed(w%sys, w%tower, .true.)
    call pintle_add_joint_at(w%sys, PINTLE_JOINT_REVOLUTE, w%tower, w%nacelle, top, z, w%yaw)
    call pintle_add_joint_at(w%sys, PINTLE_JOINT_REVOLUTE, w%nacelle, w%rotor, hub, x, w%shaft)

    ! Friction in the bearing: a joint spring without stiffness.
    call pintle_set_joint_spring(w%sys, w%yaw, 0.0_dp, friction, 0.0_dp)
    call pintle_set_joint_driven(w%sys, w%yaw, driven)
    call move_tower(w, 0.0_dp)
    call pintle_initialize(w%sys, 0.0_dp)
  end subroutine create_turbine

  ! The motor follows the wind. Gives the largest error of the yaw angle, rad.
  subroutine control(dt, verbose, worst)
    real(dp), intent(in) :: dt
    logical, intent(in) :: verbose
    real(dp), intent(out) :: worst
    type(turbine) :: w
    real(dp) :: ours, other, yaw, reference(2), t, torque
    integer :: k, n
    call create_turbine(w, .false.)
    ours = 0
    other = 0
    yaw = 0
    reference = 0
    worst = 0
    do k = 0, nint(duration / sample_time) - 1
      t = k * sample_time
      call motor_torque(ours, t, yaw, torque)
      if (verbose .and. mod(k, 50) == 0) print '(f8.1, 3f12.4, f15.1)', t, wind_direction(t) * 180 / pi, &
          yaw * 180 / pi, reference(1) * 180 / pi, 1e-3_dp * torque

      ! The torque jumps at each sample, and is held over the steps to the next. Without saying that it jumps, errors would
      ! be of first order, and far larger.
      call pintle_set_joint_load(w%sys, w%yaw, torque)
      call pintle_mark_discontinuity(w%sys)
      do n = 1, nint(sample_time / dt)
        call move_tower(w, t + n * dt)
        call pintle_step(w%sys, dt)
      end do
      call pintle_get_joint_coordinate(w%sys, w%yaw, q=yaw)

      call motor_torque(other, t, reference(1), torque)
      call integrate_sample(t, torque, reference)
      worst = max(worst, abs(yaw - reference(1)))
    end do
    call require(abs(yaw - wind_direction(duration)) < 0.01_dp, 'the yaw angle at the end')
    call require(yaw > 2 * pi, 'angles count over turns')
    call pintle_destroy(w%sys)
  end subroutine control

  ! The host gives the angle: 400 degrees in 80 s, smoothly. Errors of the motor's torque and of the bearing's tilting moment.
  subroutine drive(dt, verbose, errors)
    real(dp), intent(in) :: dt
    logical, intent(in) :: verbose
    real(dp), intent(out) :: errors(2)
    real(dp), parameter :: turn = 400 * pi / 180, frequency = 2 * pi / duration
    type(turbine) :: w
    real(dp) :: t, phase, yaw, rate, acceleration, wrench(6), s(3), torque, tilt
    integer :: n
    call create_turbine(w, .true.)
    errors = 0
    do n = 1, nint(duration / dt)
      t = n * dt
      phase = frequency * t
      yaw = turn * (t / duration - sin(phase) / (2 * pi))
      rate = turn / duration * (1 - cos(phase))
      acceleration = turn / duration * frequency * sin(phase)
      call move_tower(w, t)
      call pintle_set_joint_motion(w%sys, w%yaw, yaw, rate, acceleration)
      call pintle_step(w%sys, dt)

      ! The motor's torque is the reaction about the joint's axis. About y the bearing carries weight, sway, and the
      ! gyroscopic moment of the rotor.
      call pintle_get_joint_reaction(w%sys, w%yaw, PINTLE_FRAME_BODY, wrench)
      s = sway(t)
      torque = yaw_inertia * acceleration + friction * rate - mass_x * s(3) * sin(yaw)
      tilt = rotor_polar * rotor_speed * rate - mass_x * gravity + mass_z * s(3) * cos(yaw) - mass_xz * rate * rate
      errors = max(errors, abs([wrench(6) - torque, wrench(5) - tilt]))
      if (verbose .and. mod(n, nint(10 / dt)) == 0) print '(f8.1, f12.4, 4f15.2)', t, yaw * 180 / pi, &
          1e-3_dp * wrench(6), 1e-3_dp * torque, 1e-3_dp * wrench(5), 1e-3_dp * tilt
    end do
    call pintle_destroy(w%sys)
  end subroutine drive

  subroutine check_order(what, unit, full, half, limit)
    character(len=*), intent(in) :: what, unit
    real(dp), intent(in) :: full, half, limit
    print '(9a)', what, ': largest error ', scientific(full, 3), ' ', unit, ', at half the step ', scientific(half, 3), &
        ', ratio ', decimal(full / half, 2)
    call require(full < limit .and. abs(full / half - 4) < 1.0_dp, what)
  end subroutine check_order

end program yaw_drive
