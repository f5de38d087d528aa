! How a host couples with pintle, in Fortran. docs/hosts.md shows the marked parts beside those of its C twin, coupling.c;
! a test compiles and runs both and compares what they print.
module coupling
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_f_pointer, c_int32_t, c_loc, c_ptr
  use pintle
  implicit none

  real(dp), parameter :: dt = 0.1_dp

contains

  ! The host's fluid: a buoy of 1 t in waves, heave only.
  pure subroutine fluid_load(time, pose, velocity, wrench)
    real(dp), intent(in) :: time, pose(7), velocity(6)
    real(dp), intent(out) :: wrench(6)
    wrench = 0
    wrench(3) = 9810.0_dp - 8000.0_dp * (pose(3) - 0.3_dp * sin(0.8_dp * time)) - 500.0_dp * velocity(3)
  end subroutine fluid_load

  ! [phases]
  subroutine create_buoy(sys, buoy)
    type(pintle_system), intent(inout) :: sys
    integer(c_int32_t), intent(out) :: buoy
    real(dp), parameter :: zero(3) = 0, inertia(6) = [500, 500, 500, 0, 0, 0]
    real(dp), parameter :: pose(7) = [0, 0, 0, 1, 0, 0, 0], buoyancy(6) = [0, 0, 9810, 0, 0, 0]
    call pintle_create(sys) ! BUILDING: the model is described
    call pintle_set_gravity(sys, [0.0_dp, 0.0_dp, -9.81_dp])
    call pintle_add_rigid_body(sys, 1000.0_dp, zero, inertia, pose, buoy)
    call pintle_set_body_load(sys, buoy, PINTLE_FRAME_INERTIAL, buoyancy) ! acts at the initial time
    call pintle_initialize(sys, 0.0_dp)                                   ! READY: there is an accepted state
  end subroutine create_buoy
  ! []

  subroutine print_heave(what, sys, buoy)
    character(len=*), intent(in) :: what
    type(pintle_system), intent(in) :: sys
    integer(c_int32_t), intent(in) :: buoy
    character(len=20) :: label
    real(dp) :: pose(7)
    call pintle_get_body_pose(sys, buoy, pose)
    label = what
    print '(a20, f16.10)', label, pose(3)
  end subroutine print_heave

  ! [loads and their time]
  subroutine step_explicitly(sys, buoy, steps)
    type(pintle_system), intent(in) :: sys
    integer(c_int32_t), intent(in) :: buoy
    integer, intent(in) :: steps
    real(dp) :: time, pose(7), velocity(6), wrench(6)
    integer :: n
    do n = 1, steps
      call pintle_time(sys, time)
      call pintle_get_body_pose(sys, buoy, pose)
      call pintle_get_body_velocity(sys, buoy, PINTLE_FRAME_INERTIAL, velocity)
      call fluid_load(time + dt, pose, velocity, wrench) ! for the END of the step, by the latest motion
      call pintle_set_body_load(sys, buoy, PINTLE_FRAME_INERTIAL, wrench)
      call pintle_step(sys, dt)
    end do
  end subroutine step_explicitly
  ! []

  ! [predictor-corrector]
  subroutine step_with_corrections(sys, buoy, steps)
    type(pintle_system), intent(in) :: sys
    integer(c_int32_t), intent(in) :: buoy
    integer, intent(in) :: steps
    real(dp) :: time, pose(7), velocity(6), wrench(6), heave
    integer :: n
    do n = 1, steps
      call pintle_time(sys, time)
      call pintle_get_body_pose(sys, buoy, pose)
      call pintle_get_body_velocity(sys, buoy, PINTLE_FRAME_INERTIAL, velocity)
      do
        heave = pose(3)
        call fluid_load(time + dt, pose, velocity, wrench)
        call pintle_set_body_load(sys, buoy, PINTLE_FRAME_INERTIAL, wrench)
        call pintle_advance(sys, dt)                ! TRIAL; each time from the accepted state
        call pintle_get_body_pose(sys, buoy, pose) ! of the trial
        call pintle_get_body_velocity(sys, buoy, PINTLE_FRAME_INERTIAL, velocity)
        if (abs(pose(3) - heave) <= 1e-12_dp) exit
      end do
      call pintle_accept(sys) ! READY again, one step further; pintle_reject would go back
    end do
  end subroutine step_with_corrections
  ! []

  ! [rollback]
  subroutine step_twice(sys, buoy)
    type(pintle_system), intent(in) :: sys
    integer(c_int32_t), intent(in) :: buoy
    type(pintle_state) :: saved ! made by the first save, used again by later ones
    call pintle_state_save(sys, saved)
    call step_explicitly(sys, buoy, 5)
    call print_heave('once', sys, buoy)
    call pintle_state_restore(sys, saved)
    call step_explicitly(sys, buoy, 5)
    call print_heave('again', sys, buoy) ! the same, bit for bit
    call pintle_state_destroy(saved)
  end subroutine step_twice
  ! []

  ! [sub-steps]
  subroutine use_sub_steps(sys)
    type(pintle_system), intent(in) :: sys
    call pintle_set_option(sys, 'max_time_step', 0.02_dp) ! a step of 0.1 becomes five
    call pintle_set_option(sys, 'input_order', 1.0_dp)    ! loads go linearly from the last accepted ones
  end subroutine use_sub_steps
  ! []

  ! [added mass]
  subroutine use_added_mass(sys, buoy)
    type(pintle_system), intent(in) :: sys
    integer(c_int32_t), intent(in) :: buoy
    real(dp) :: a(6, 6) ! about the reference point
    a = 0
    a(3, 3) = 1500.0_dp
    call pintle_set_added_mass(sys, buoy, a, PINTLE_FRAME_INERTIAL) ! then leave -A vdot out of the loads
  end subroutine use_added_mass
  ! []

  ! [model files]
  subroutine go_through_a_file(sys, buoy)
    type(pintle_system), intent(in) :: sys
    integer(c_int32_t), intent(in) :: buoy
    type(pintle_system) :: same
    call pintle_save_model(sys, 'buoy.toml')  ! the description, from whatever phase
    call pintle_load_model('buoy.toml', same) ! a system of its own, BUILDING: more may be added
    call pintle_initialize(same, 0.0_dp)
    call step_explicitly(same, buoy, 10)
    call print_heave('from a file', same, buoy)
    call pintle_destroy(same)
  end subroutine go_through_a_file
  ! []

  ! [errors and retry]
  recursive subroutine step_or_halve(sys, h, status)
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: h
    integer(c_int32_t), intent(out) :: status
    call pintle_step(sys, h, status)
    ! 300 to 399: numerics. The accepted state stands, and a smaller step may succeed.
    if (status >= 300 .and. status < 400 .and. h > 1e-6_dp) then
      call step_or_halve(sys, 0.5_dp * h, status)
      if (status == PINTLE_OK) call step_or_halve(sys, 0.5_dp * h, status)
    end if
    ! The caller asks pintle_explain for message and severity, on OpenFAST's scale.
  end subroutine step_or_halve
  ! []

  ! [threads]
  subroutine run_alone(pose)
    real(dp), intent(out) :: pose(7)
    type(pintle_system) :: sys
    integer(c_int32_t) :: buoy
    call create_buoy(sys, buoy) ! one system, one thread at a time
    call step_explicitly(sys, buoy, 20)
    call pintle_get_body_pose(sys, buoy, pose)
    call pintle_destroy(sys)
  end subroutine run_alone

  subroutine run_in_threads()
    real(dp) :: poses(7, 2)
    character(len=20), parameter :: label = 'thread'
    integer :: i
    !$omp parallel do num_threads(2)
    do i = 1, 2
      call run_alone(poses(:, i))
    end do
    !$omp end parallel do
    do i = 1, 2
      print '(a20, f16.10)', label, poses(3, i)
    end do
  end subroutine run_in_threads
  ! []

  ! [load callbacks]
  ! Two buoys in the same waves, heave only: each has an added mass of its own, and feels the other's acceleration.
  function shared_water(user, time, n, bodies, poses, velocities, accelerations, wrenches, stiffness, damping, mass) &
      bind(c) result(failure)
    type(c_ptr), value :: user
    real(dp), value :: time
    integer(c_int32_t), value :: n
    integer(c_int32_t), intent(in) :: bodies(n)
    real(dp), intent(in) :: poses(7, n), velocities(6, n), accelerations(6, n)
    real(dp), intent(inout) :: wrenches(6, n), stiffness(6*n, 6*n), damping(6*n, 6*n), mass(6*n, 6*n)
    integer(c_int32_t) :: failure, i, j, heave
    real(dp), pointer :: added(:)
    real(dp) :: a
    call c_f_pointer(user, added, [2]) ! own, shared
    do i = 1, n
      heave = 6 * i - 3
      wrenches(3, i) = 9810.0_dp - 8000.0_dp * (poses(3, i) - 0.3_dp * sin(0.8_dp * time)) - 500.0_dp * velocities(3, i)
      stiffness(heave, heave) = 8000.0_dp ! optional, but saves iterations
      damping(heave, heave) = 500.0_dp
      do j = 1, n
        a = added(merge(1, 2, i == j))
        wrenches(3, i) = wrenches(3, i) - a * accelerations(3, j)
        mass(heave, 6 * j - 3) = a
      end do
    end do
    failure = merge(0, 1, bodies(1) == 0) ! anything but 0 fails the step; bodies are in the order in which they were set
  end function shared_water

  subroutine couple_two_buoys()
    real(dp), target :: added(2) = [600.0_dp, -200.0_dp] ! lives as long as the system
    real(dp), parameter :: zero(3) = 0, inertia(6) = [500, 500, 500, 0, 0, 0]
    real(dp), parameter :: lifted(7) = [0.0_dp, 0.0_dp, 0.5_dp, 1.0_dp, zero], at_rest(7) = [3, 0, 0, 1, 0, 0, 0]
    type(pintle_system) :: sys
    integer(c_int32_t) :: buoys(2)
    integer :: n
    call pintle_create(sys)
    call pintle_set_gravity(sys, [0.0_dp, 0.0_dp, -9.81_dp])
    call pintle_add_rigid_body(sys, 1000.0_dp, zero, inertia, lifted, buoys(1))
    call pintle_add_rigid_body(sys, 1000.0_dp, zero, inertia, at_rest, buoys(2))
    call pintle_set_coupled_load_callback(sys, buoys, shared_water, c_loc(added))
    call pintle_initialize(sys, 0.0_dp)
    do n = 1, 20
      call pintle_step(sys, dt)
    end do
    call print_heave('lifted', sys, buoys(1))
    call print_heave('moved by the water', sys, buoys(2))
    call pintle_destroy(sys)
  end subroutine couple_two_buoys
  ! []

end module coupling

program hosts
  use coupling
  implicit none
  type(pintle_system) :: sys
  integer(c_int32_t) :: buoy, status
  character(len=:), allocatable :: message
  call create_buoy(sys, buoy)
  call step_explicitly(sys, buoy, 10)
  call print_heave('explicit', sys, buoy)
  call go_through_a_file(sys, buoy)
  call step_with_corrections(sys, buoy, 10)
  call print_heave('corrected', sys, buoy)
  call step_twice(sys, buoy)
  call use_sub_steps(sys)
  call use_added_mass(sys, buoy)
  call step_with_corrections(sys, buoy, 10)
  call print_heave('added mass', sys, buoy)
  call pintle_set_option(sys, 'max_time_step', 1e30_dp)
  call step_or_halve(sys, dt, status)
  if (status /= PINTLE_OK) then
    call pintle_explain(status, message)
    print '(a)', message
    stop 1
  end if
  call print_heave('retry', sys, buoy)
  call pintle_destroy(sys)
  call couple_two_buoys()
  call run_in_threads()
end program hosts
