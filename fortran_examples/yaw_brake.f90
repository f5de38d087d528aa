! The yaw brake of a wind turbine. The brake holds the nacelle against the wind without creeping, gives way in a gust, catches
! the nacelle, and at last locks it while it turns.
!
!   yaw_brake
!
! The motion is known in closed form, and compared. Exit status 1 means that a number is not what it must be.
! c_examples/yaw_brake.c is the same in C.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,yaw_brake}.f90 target/release/libpintle.a -lm -o target/yaw_brake
program yaw_brake
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf
  use pintle
  use example, only: require
  implicit none

  ! SI units: inertia about the tower's axis, moments of the wind, capacity of the brake, and friction of the bearing.
  real(dp), parameter :: inertia = 5e6_dp, wind = 2e6_dp, gust = 7e6_dp, capacity = 4e6_dp, bearing = 0.5e6_dp
  real(dp), parameter :: slip = 1e-6_dp, dt = 0.05_dp, gust_time = 2
  real(dp), parameter :: zero(3) = 0, up(3) = [0.0_dp, 0.0_dp, 1.0_dp]
  character(len=*), parameter :: names(0:4) = ['closes', 'opens ', 'hits  ', 'sticks', 'slips ']

  type(pintle_system) :: sys
  integer(c_int32_t) :: nacelle, yaw, mode
  real(dp) :: held, angle, rate, before, friction, limit, dissipated, faster, slower, turned

  call pintle_create(sys)
  call pintle_add_rigid_body(sys, 240e3_dp, zero, [inertia, inertia, inertia, 0.0_dp, 0.0_dp, 0.0_dp], &
                             [0.0_dp, 0.0_dp, 0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], nacelle)
  call pintle_add_joint_at(sys, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, nacelle, zero, up, yaw)
  call pintle_set_joint_friction(sys, yaw, .false., bearing, bearing, 0.0_dp, 0.0_dp, slip)
  call pintle_set_joint_brake(sys, yaw, .false., capacity)
  call pintle_set_option(sys, 'input_order', 0.0_dp)
  call pintle_initialize(sys, 0.0_dp)

  ! Held: brake and bearing take 4.5 MN m, the wind gives 2.
  call run(wind, 60.0_dp)
  call pintle_get_joint_coordinate(sys, yaw, held, rate)
  call pintle_get_joint_machine(sys, yaw, .false., mode=mode, friction=friction, limit=limit)
  print '(a,i0,2(a,f0.3),a,es8.1,a)', 'held for 60 s: mode ', mode, ', brake and bearing give ', 1e-6_dp * friction, ' of ', &
    1e-6_dp * limit, ' MN m, turned by ', held, ' rad'
  ! Twice what the moment turns the spring of what sticks.
  call require(mode == 1 .and. abs(held) < 2 * slip, 'the nacelle creeps')

  ! A gust of two seconds: the nacelle slips, and comes to rest when the gust is over.
  call run(gust, 60 + gust_time)
  call run(wind, 70.0_dp)
  faster = (gust - limit) / inertia
  slower = (limit - wind) / inertia
  turned = faster * gust_time**2 / 2 + (faster * gust_time)**2 / (2 * slower)
  call pintle_get_joint_coordinate(sys, yaw, angle, rate)
  call pintle_get_joint_machine(sys, yaw, .false., dissipated=dissipated)
  print '(2(a,f0.6),a,f0.3,a)', 'turned by ', angle, ' rad, ', turned, ' in closed form; the brake took ', &
    1e-6_dp * dissipated, ' MJ'
  call require(abs(angle - turned) < 3 * slip, 'the angle of the gust')
  call require(abs(dissipated - limit * turned) < 3 * limit * slip, 'the work of the brake')

  ! The brake opens, and after a second it locks what moves.
  call pintle_set_joint_brake(sys, yaw, .false., 0.0_dp)
  call run(wind, 71.0_dp)
  call pintle_get_joint_coordinate(sys, yaw, before, rate)
  call require(abs(rate - (wind - bearing) / inertia) < 1e-4_dp, 'the rate of the open brake')
  call pintle_set_joint_brake(sys, yaw, .false., ieee_value(1.0_dp, ieee_positive_inf))
  call run(wind, 80.0_dp)
  call pintle_get_joint_coordinate(sys, yaw, angle, rate)
  print '(a,es8.1,a)', 'locked for 9 s: turned by ', angle - before, ' rad'
  call require(abs(angle - before) < slip, 'the lock')
  call pintle_destroy(sys)

contains

  ! Steps to a time under a moment, and prints what switches.
  subroutine run(moment, until)
    real(dp), intent(in) :: moment, until
    real(dp) :: t, time, impulse
    integer(c_int32_t) :: n, i, change
    call pintle_set_joint_load(sys, yaw, moment)
    call pintle_mark_discontinuity(sys)
    call pintle_time(sys, t)
    do while (t < until - dt / 2)
      call pintle_step(sys, dt)
      call pintle_event_count(sys, n)
      do i = 0, n - 1
        call pintle_get_event(sys, i, time, change, impulse=impulse)
        print '(f10.6,2a,f10.6,a)', time, ' s: ' , names(change) // ', impulse ', 1e-6_dp * impulse, ' MN m s'
      end do
      call pintle_time(sys, t)
    end do
  end subroutine run
end program yaw_brake
