! The heavy top of Geradin & Cardona (2001), as Bruls, Cardona & Arnold (2012) use it: a disk of 15 kg at the end of a 1 m
! rod whose other end is held at the origin by a spherical joint. It spins with 150 rad/s, so that a step of 2 ms turns
! it by 17 degrees: a hard test for a time integrator on rotations.
!
!   heavy_top [directory]       writes directory/heavy_top.csv when a directory is given
!
! The program runs the top for 2 s at six step sizes and compares every step with a solution that is computed here
! without the library: Euler's equations about the fixed point. Exit status 1 means that a number is not what it must be.
! c_examples/heavy_top.c is the same in C and writes the same numbers.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,heavy_top}.f90 target/release/libpintle.a -lm -o target/heavy_top

! The published model, and its motion by the classical Runge-Kutta method.
module top_reference
  use, intrinsic :: iso_c_binding, only: dp => c_double
  implicit none

  real(dp), parameter :: mass = 15.0_dp
  real(dp), parameter :: inertia_com(3) = [0.234375_dp, 0.46875_dp, 0.234375_dp]  ! principal, about the centre of mass
  real(dp), parameter :: arm(3) = [0.0_dp, 1.0_dp, 0.0_dp]   ! from the fixed point to the centre of mass, body axes
  real(dp), parameter :: omega_start(3) = [0.0_dp, 150.0_dp, -4.61538_dp]
  real(dp), parameter :: gravity(3) = [0.0_dp, 0.0_dp, -9.81_dp]
  real(dp), parameter :: duration = 2.0_dp

  ! The exact motion after 2 s.
  real(dp), parameter :: displacement_end(3) = [-0.150416822747_dp, -1.724165591637_dp, -0.673022269560_dp]
  real(dp), parameter :: quaternion_end(4) = &
      [0.122947135041_dp, -0.491079892551_dp, 0.350430030343_dp, -0.787986887550_dp]

  ! The reference is known at multiples of the smallest step size; the others are multiples of it.
  integer, parameter :: reference_steps = 200000

  ! Three rotational freedoms are all that the joint leaves: orientation and angular velocity in body axes.
  type :: top_state
    real(dp) :: q(4), omega(3)
  end type top_state

contains

  pure function cross(a, b) result(c)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: c(3)
    c = [a(2) * b(3) - a(3) * b(2), a(3) * b(1) - a(1) * b(3), a(1) * b(2) - a(2) * b(1)]
  end function cross

  ! v + 2 w u x v + 2 u x (u x v), (w, u) = q: body axes to inertial axes.
  pure function rotated(q, v) result(r)
    real(dp), intent(in) :: q(4), v(3)
    real(dp) :: r(3), t(3)
    t = cross(q(2:4), v)
    r = v + 2 * (q(1) * t + cross(q(2:4), t))
  end function rotated

  ! q' = 1/2 q (0, omega);  J0 omega' = -omega x J0 omega + arm x R^T m g, J0 about the fixed point.
  pure function rate(s) result(r)
    type(top_state), intent(in) :: s
    type(top_state) :: r
    real(dp) :: j(3), torque(3), conjugate(4)
    j = inertia_com + [mass, 0.0_dp, mass]  ! the arm along y, 1 m
    conjugate = [s%q(1), -s%q(2:4)]
    torque = cross(arm, rotated(conjugate, mass * gravity))
    r%q(1) = -0.5_dp * dot_product(s%q(2:4), s%omega)
    r%q(2:4) = 0.5_dp * (s%q(1) * s%omega + cross(s%q(2:4), s%omega))
    r%omega = (torque - cross(s%omega, j * s%omega)) / j
  end function rate

  pure function moved(s, h, r) result(m)
    type(top_state), intent(in) :: s, r
    real(dp), intent(in) :: h
    type(top_state) :: m
    m = top_state(s%q + h * r%q, s%omega + h * r%omega)
  end function moved

  ! One step of the classical Runge-Kutta method; the quaternion is normalised after it.
  pure function stepped(s, h) result(next)
    type(top_state), intent(in) :: s
    real(dp), intent(in) :: h
    type(top_state) :: next, k1, k2, k3, k4
    k1 = rate(s)
    k2 = rate(moved(s, 0.5_dp * h, k1))
    k3 = rate(moved(s, 0.5_dp * h, k2))
    k4 = rate(moved(s, h, k3))
    next = moved(moved(moved(moved(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4)
    next%q = next%q / sqrt(sum(next%q**2))
  end function stepped

  ! Displacement of the centre of mass from its place at the start.
  pure function displacement(s) result(u)
    type(top_state), intent(in) :: s
    real(dp) :: u(3)
    u = rotated(s%q, arm) - arm
  end function displacement

  ! What the joint exerts on the top: m (a - g), a = omega' x arm + omega x (omega x arm).
  pure function reaction(s) result(force)
    type(top_state), intent(in) :: s
    real(dp) :: force(3)
    type(top_state) :: r
    r = rate(s)
    force = mass * (rotated(s%q, cross(r%omega, arm) + cross(s%omega, cross(s%omega, arm))) - gravity)
  end function reaction

  pure function distance(a, b) result(d)
    real(dp), intent(in) :: a(:), b(:)
    real(dp) :: d
    d = sqrt(sum((a - b)**2))
  end function distance

  ! Distance of two rotations: q and -q are the same one.
  pure function quaternion_distance(p, q) result(d)
    real(dp), intent(in) :: p(4), q(4)
    real(dp) :: d
    d = min(distance(p, q), distance(p, -q))
  end function quaternion_distance

end module top_reference

program heavy_top
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t, c_int64_t
  use pintle
  use example
  use top_reference
  implicit none

  ! What a run gives: errors of u in m, and u and q at the end.
  type :: run_result
    real(dp) :: dt, end_error, max_error, iterations_per_step, microseconds_per_step, last(7)
    integer :: failed_steps
  end type run_result

  ! Step sizes, their names in the file, and the error at 2 s where it is published: to two digits, so within half a unit
  ! of the second one. 0 where it is not.
  integer, parameter :: rows = 6
  real(dp), parameter :: steps_of(rows) = [2e-3_dp, 1e-3_dp, 5e-4_dp, 2.5e-4_dp, 1e-4_dp, 1e-5_dp]
  character(len=7), parameter :: names(rows) = ['0.002  ', '0.001  ', '0.0005 ', '0.00025', '0.0001 ', '1e-05  ']
  real(dp), parameter :: published(rows) = [9.6e-3_dp, 0.0_dp, 0.0_dp, 0.0_dp, 2.4e-5_dp, 2.4e-7_dp]
  real(dp), parameter :: half_unit(rows) = [0.05e-3_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.05e-5_dp, 0.05e-7_dp]

  integer, parameter :: csv = 20
  type(top_state), allocatable :: reference(:)
  character(len=:), allocatable :: output

  output = directory()
  print '(3a, /)', 'heavy top, pintle ', pintle_version(), ', from Fortran'
  call check_initial_accelerations()
  call compute_reference()
  call convergence_table()
  call reaction_table()

contains

  subroutine create_top(sys, body, joint)
    type(pintle_system), intent(inout) :: sys
    integer(c_int32_t), intent(out) :: body, joint
    call pintle_create(sys)
    call pintle_set_gravity(sys, gravity)

    ! The reference point of the body is its centre of mass: com = 0 in body axes, and the pose says where that is.
    call pintle_add_rigid_body(sys, mass, [0.0_dp, 0.0_dp, 0.0_dp], [inertia_com, 0.0_dp, 0.0_dp, 0.0_dp], &
                               [arm, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], body)

    ! Initial velocities must fit the joint: the centre of mass moves with omega x arm.
    call pintle_set_body_velocity(sys, body, [cross(omega_start, arm), omega_start])

    ! Ground is a, the top is b: the reaction will be what ground exerts on the top.
    call pintle_add_joint_at(sys, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, body, [0.0_dp, 0.0_dp, 0.0_dp], joint=joint)

    call pintle_set_option(sys, 'rho_inf', 0.9_dp)
    call pintle_set_option(sys, 'abs_tolerance', 1e-10_dp)
    call pintle_set_option(sys, 'rel_tolerance', 1e-10_dp)
    call pintle_initialize(sys, 0.0_dp)
  end subroutine create_top

  ! The library finds the accelerations that fit loads, velocities and joints; nobody has to supply them.
  subroutine check_initial_accelerations()
    real(dp), parameter :: expected(6) = [0.0_dp, -21.3017325444_dp, -30.9608307692_dp, 661.346169231_dp, 0.0_dp, 0.0_dp]
    type(pintle_system) :: sys
    integer(c_int32_t) :: body, joint
    real(dp) :: found(6)
    call create_top(sys, body, joint)
    call pintle_get_body_acceleration(sys, body, PINTLE_FRAME_INERTIAL, found)
    print '(a, 3f17.10, a, 3f17.9, /)', 'initial acceleration: linear', found(1:3), '  angular', found(4:6)

    ! The expected values are printed to 10 (linear) and 9 (angular) decimals: half a unit of the last one.
    call require(all(abs(found(1:3) - expected(1:3)) <= 0.505e-10_dp), 'linear initial acceleration')
    call require(all(abs(found(4:6) - expected(4:6)) <= 0.505e-9_dp), 'angular initial acceleration')
    call pintle_destroy(sys)
  end subroutine check_initial_accelerations

  subroutine compute_reference()
    real(dp) :: error, turned
    integer :: n
    allocate (reference(0:reference_steps))
    reference(0) = top_state([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], omega_start)
    do n = 1, reference_steps
      reference(n) = stepped(reference(n - 1), duration / reference_steps)
    end do

    ! Its own error: it must meet the exact end to the digits that are known, with room for the rounding of 2e5 steps.
    error = distance(displacement(reference(reference_steps)), displacement_end)
    turned = quaternion_distance(reference(reference_steps)%q, quaternion_end)
    print '(a, es8.1, a, es8.1)', 'reference at 2 s: error of u ', error, ' m, of q ', turned
    call require(error < 1e-11_dp .and. turned < 1e-11_dp, 'the reference does not reach the exact end')
  end subroutine compute_reference

  subroutine run(dt, result)
    real(dp), intent(in) :: dt
    type(run_result), intent(out) :: result
    type(pintle_system) :: sys
    real(dp), allocatable :: history(:, :)
    real(dp) :: iterations
    integer(c_int32_t) :: body, joint, status
    integer(c_int64_t) :: started, ended, ticks
    integer :: n, steps, stride
    steps = nint(duration / dt)
    stride = reference_steps / steps
    allocate (history(7, steps))
    call create_top(sys, body, joint)

    ! The whole work of a host without loads: step, read. The comparison comes later, so that it is not timed.
    result%dt = dt
    result%failed_steps = 0
    call system_clock(started, ticks)
    do n = 1, steps
      call pintle_step(sys, dt, status)
      if (status /= PINTLE_OK) result%failed_steps = result%failed_steps + 1
      call pintle_get_body_displacement(sys, body, history(:, n))
    end do
    call system_clock(ended)
    result%microseconds_per_step = 1e6_dp * real(ended - started, dp) / real(ticks, dp) / steps

    call pintle_get_statistic(sys, 'iterations', iterations)
    result%iterations_per_step = iterations / steps
    result%max_error = 0
    do n = 1, steps
      result%max_error = max(result%max_error, distance(history(1:3, n), displacement(reference(n * stride))))
    end do
    result%last = history(:, steps)
    result%end_error = maxval(abs(result%last(1:3) - displacement_end))
    call pintle_destroy(sys)
  end subroutine run

  pure function observed_order(coarse_error, fine_error, coarse_dt, fine_dt) result(order)
    real(dp), intent(in) :: coarse_error, fine_error, coarse_dt, fine_dt
    real(dp) :: order
    order = log(coarse_error / fine_error) / log(coarse_dt / fine_dt)
  end function observed_order

  subroutine convergence_table()
    type(run_result) :: r, before, coarse
    real(dp) :: order
    character(len=:), allocatable :: order_text
    integer :: i
    print '(a)', 'generalized-alpha, rho_inf 0.9, tolerances 1e-10, 2 s'
    print '(a)', 'error: largest component of u - exact at 2 s; largest: greatest distance from the exact u on the way'
    print '(a)', '      dt (s)   error (m)  order  largest (m)  failed steps  iterations/step  us/step'
    if (len(output) > 0) then
      call create(output // '/heavy_top.csv', csv)
      write (csv, '(a)') 'dt_s,error_m,order,largest_m,failed_steps,iterations_per_step,us_per_step'
    end if

    do i = 1, rows
      call run(steps_of(i), r)
      order_text = ''
      if (i > 1) then
        order = observed_order(before%end_error, r%end_error, before%dt, r%dt)
        order_text = decimal(order, 2)
        call require(abs(order - 2) < 0.1_dp, 'observed order ' // order_text // ' at dt = ' // names(i))
      end if
      print '(a12, es12.3, a7, es13.3, i14, f17.2, f9.2)', trim(names(i)), r%end_error, order_text, r%max_error, &
          r%failed_steps, r%iterations_per_step, r%microseconds_per_step
      if (len(output) > 0) write (csv, '(8a, i0, 4a)') trim(names(i)), ',', scientific(r%end_error, 6), ',', &
          order_text, ',', scientific(r%max_error, 6), ',', r%failed_steps, ',', decimal(r%iterations_per_step, 4), &
          ',', decimal(r%microseconds_per_step, 3)
      call require(r%failed_steps == 0, 'steps failed at dt = ' // names(i))
      call require(abs(r%end_error - published(i)) <= half_unit(i) .or. published(i) <= 0, &
                   'error ' // scientific(r%end_error, 4) // ' m at dt = ' // names(i))
      coarse = before
      before = r
    end do
    call check_end(coarse, r)

    if (len(output) > 0) then
      close (csv)
      print '(3a, /)', 'written: ', output, '/heavy_top.csv'
    end if
  end subroutine convergence_table

  ! The end of the finest run beside the exact one. Displacement and rotation must both approach it with the square of dt.
  subroutine check_end(coarse, fine)
    type(run_result), intent(in) :: coarse, fine
    real(dp) :: order_u, order_q
    print '(/, a)', 'at 2 s, dt = 1e-05:'
    print '(a, 3f14.9)', '  u     ', fine%last(1:3), '  exact ', displacement_end
    print '(a, 4f14.9)', '  q     ', fine%last(4:7), '  exact ', quaternion_end
    print *
    order_u = observed_order(distance(coarse%last(1:3), displacement_end), &
                             distance(fine%last(1:3), displacement_end), coarse%dt, fine%dt)
    order_q = observed_order(quaternion_distance(coarse%last(4:7), quaternion_end), &
                             quaternion_distance(fine%last(4:7), quaternion_end), coarse%dt, fine%dt)
    call require(abs(order_u - 2) < 0.1_dp, 'u(2 s) converges with order ' // decimal(order_u, 3))
    call require(abs(order_q - 2) < 0.1_dp, 'q(2 s) converges with order ' // decimal(order_q, 3))
  end subroutine check_end

  ! Largest error of the joint's force in the first steps: it shows whether the start is as good as the scheme.
  function reaction_error(dt, steps) result(error)
    real(dp), intent(in) :: dt
    integer, intent(in) :: steps
    real(dp) :: error, wrench(6)
    type(pintle_system) :: sys
    integer(c_int32_t) :: body, joint
    integer :: n, stride
    stride = nint(dt * reference_steps / duration)
    error = 0
    call create_top(sys, body, joint)
    do n = 1, steps
      call pintle_step(sys, dt)
      call pintle_get_joint_reaction(sys, joint, PINTLE_FRAME_INERTIAL, wrench)
      error = max(error, distance(wrench(1:3), reaction(reference(n * stride))))
    end do
    call pintle_destroy(sys)
  end function reaction_error

  subroutine reaction_table()
    real(dp) :: coarse, fine, order
    coarse = reaction_error(1e-3_dp, 40)
    fine = reaction_error(5e-4_dp, 40)
    order = log(coarse / fine) / log(2.0_dp)
    print '(a, i0, a)', 'joint reaction in the first 40 steps (', nint(sqrt(sum(reaction(reference(0))**2))), &
        ' N at the start)'
    print '(a)', '      dt (s)  max error (N)  order'
    print '(a12, f15.3)', '0.001', coarse
    print '(a12, f15.3, f7.2)', '0.0005', fine, order
    call require(coarse < 1, 'the reaction is wrong by ' // decimal(coarse, 3) // ' N')
    call require(abs(order - 2) < 0.2_dp, 'the reaction converges with order ' // decimal(order, 2))
  end subroutine reaction_table

end program heavy_top
