! Glue code that couples the two modules of coupled_module.f90 with correction steps, as OpenFAST's does.
!
! The platform carries a load on a rope; the water next door has an added mass of 1.5 times the platform's, for which exchanging
! forces and motions in turn diverges. So the glue solves inputs and outputs together by Newton's method, with JacobianPInput.
! The program shows that halving the step divides the error by four, that the Jacobians are those of finite differences, and
! that a run which was packed and goes on in new modules gives the same bits. Exit status 1 means that a number is wrong.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,coupled_module,coupled_glue}.f90 target/release/libpintle.a -lm -o target/coupled_glue

program coupled_glue
  use, intrinsic :: iso_c_binding, only: dp => c_double, i1 => c_int8_t
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use example
  use Platform
  use Water
  implicit none

  real(dp), parameter :: gravity = 9.80665_dp, mass = 4e6_dp, hung = 2e5_dp, inertia(3) = [2e9_dp, 2e9_dp, 3e9_dp]
  real(dp), parameter :: duration = 20.0_dp

  ! The parts of the coupled simulation; and what changes with time, all of it.
  type :: Modules
    type(Platform_ParameterType) :: p
    type(Platform_MiscVarType) :: m
    type(Water_ParameterType) :: water
  end type Modules
  type :: GlueState
    type(Platform_ContinuousStateType) :: x
    type(Water_ContinuousStateType) :: w
    type(Platform_InputType) :: u, before  ! at the present time, and a step before it
    type(Platform_OutputType) :: y
  end type GlueState

  real(dp) :: ends(6, 4), error(3), order(2)
  integer :: k, ErrStat
  character(len=ErrMsgLen) :: ErrMsg

  do k = 1, 4
    call simulate(50 * 2**k, ends(:, k))
  end do
  do k = 1, 3
    error(k) = norm2(ends(1:3, k + 1) - ends(1:3, k))
  end do
  order = log(error(1:2) / error(2:3)) / log(2.0_dp)
  print '(a, 3f11.6, a)', 'platform after 20 s:', ends(1:3, 4), ' m'
  print '(a, 3es10.2, a, 2f7.3)', 'changes by halving the step:', error, ' m; order', order
  ! What comes behind the second order is smaller by w h, at most 1.3 / s times 0.2 s: 2 to the order is off by as much of it.
  call require(all(abs(2**order - 4) < 4 * 1.3_dp * duration / [100, 200]), 'order ' // decimal(order(2), 3))

contains

  subroutine check()
    call require(ErrStat < ErrID_Fatal, ErrMsg)
  end subroutine check

  subroutine build(dt, all, state)
    real(dp), intent(in) :: dt
    type(Modules), intent(inout) :: all
    type(GlueState), intent(out) :: state
    all%water = Water_ParameterType(dt, (mass + hung) * gravity, [2e5_dp, 2e5_dp, 2.5e6_dp, 8e8_dp, 8e8_dp, 1e8_dp], &
                                    1.5_dp * [mass, mass, mass, inertia], [4e5_dp, 4e5_dp, 8e5_dp, 1e8_dp, 1e8_dp, 1e8_dp], &
                                    3.0_dp, [2e6_dp, 1e6_dp, 3e6_dp, 2e7_dp, 8e7_dp, 1e7_dp], 0.9_dp)
    state%u%Force(3) = all%water%Weight
    call Platform_Init(Platform_InitInputType(gravity, mass, inertia, [15.0_dp, 5.0_dp, 40.0_dp], 20.0_dp, hung, 1e5_dp), &
                       state%u, all%p, state%x, all%m, dt, ErrStat, ErrMsg)
    call check()
    call solve(0.0_dp, all, state%x, state%w, state%u, state%y)
    state%before = state%u
  end subroutine build

  ! Inputs and outputs that agree: the platform's accelerations are those under the load of the water, which depends on them.
  ! Newton's method, with dYdu of the platform; the water's derivative is its added mass.
  subroutine solve(t, all, x, w, u, y)
    real(dp), intent(in) :: t
    type(Modules), intent(inout) :: all
    type(Platform_ContinuousStateType), intent(in) :: x
    type(Water_ContinuousStateType), intent(in) :: w
    type(Platform_InputType), intent(inout) :: u
    type(Platform_OutputType), intent(out) :: y
    real(dp) :: dYdu(18, 6), dXdu(6 * all%p%Bodies, 6), jacobian(6, 6), residual(6)
    integer :: iteration, i
    call Platform_JacobianPInput(u, all%p, x, all%m, dYdu, dXdu, ErrStat, ErrMsg)
    call check()
    do iteration = 1, 5
      call Platform_CalcOutput(u, all%p, x, y, all%m, ErrStat, ErrMsg)
      call check()
      residual = difference(Water_CalcOutput(t, y, all%water, w), u)
      if (maxval(abs(residual)) < 1e-12_dp * all%water%Weight) return
      jacobian = spread(all%water%AddedMass, 2, 6) * dYdu(13:18, :)
      do i = 1, 6
        jacobian(i, i) = jacobian(i, i) + 1
      end do
      residual = solution(jacobian, residual)
      u = Platform_InputType(u%Force + residual(1:3), u%Moment + residual(4:6))
    end do
    call require(iteration < 5, 'inputs and outputs do not agree')
  end subroutine solve

  pure function difference(a, b)
    type(Platform_InputType), intent(in) :: a, b
    real(dp) :: difference(6)
    difference = [a%Force - b%Force, a%Moment - b%Moment]
  end function difference

  ! a x = b by elimination, rows exchanged.
  pure function solution(matrix, b) result(x)
    real(dp), intent(in) :: matrix(6, 6), b(6)
    real(dp) :: x(6), a(6, 7), row(7)
    integer :: i, j, pivot
    a(:, 1:6) = matrix
    a(:, 7) = b
    do i = 1, 6
      pivot = i - 1 + maxloc(abs(a(i:, i)), 1)
      row = a(pivot, :) / a(pivot, i)
      a(pivot, :) = a(i, :)
      a(i, :) = row
      do j = 1, 6
        if (j /= i) a(j, :) = a(j, :) - a(j, i) * row
      end do
    end do
    x = a(:, 7)
  end function solution

  ! One interval: states with inputs that are extrapolated, then twice with those that agree with the states found.
  subroutine advance(n, all, state)
    integer, intent(in) :: n
    type(Modules), intent(inout) :: all
    type(GlueState), intent(inout) :: state
    integer, parameter :: corrections = 2
    type(GlueState) :: next
    real(dp) :: t
    integer :: j
    t = n * all%p%DT
    next%before = state%u
    next%u = Platform_InputType(2 * state%u%Force - state%before%Force, 2 * state%u%Moment - state%before%Moment)
    do j = 0, corrections
      next%x = state%x
      call Platform_UpdateStates(t, [state%u, next%u], [t, t + all%p%DT], all%p, next%x, all%m, ErrStat, ErrMsg)
      call check()
      call Platform_CalcOutput(next%u, all%p, next%x, next%y, all%m, ErrStat, ErrMsg)
      call check()
      next%w = state%w
      call Water_UpdateStates([state%y, next%y], all%water, next%w)
      call solve(t + all%p%DT, all, next%x, next%w, next%u, next%y)
    end do
    state = next
  end subroutine advance

  subroutine simulate(steps, moved)
    integer, intent(in) :: steps
    real(dp), intent(out) :: moved(6)
    type(Modules) :: all
    type(GlueState) :: state, half
    integer(i1), allocatable :: packed(:)
    integer :: n
    call build(duration / steps, all, state)
    half = state
    do n = 0, steps - 1
      if (n == steps / 2) then
        half = state
        call Platform_PackContState(state%x, packed)
        call check_derivatives(all, state)
        call check_exchange(n * all%p%DT, all, state)
        call check_refusal(n * all%p%DT, all, state)
      end if
      call advance(n, all, state)
    end do
    moved = motion(state%y)
    call Platform_End(all%m, ErrStat, ErrMsg)
    call check()
    call check_restart(steps, half, packed, state)
  end subroutine simulate

  ! From the middle on again, in new modules, with nothing of the platform's but what was packed: the same bits.
  subroutine check_restart(steps, half, packed, known)
    integer, intent(in) :: steps
    type(GlueState), intent(in) :: half, known
    integer(i1), intent(in) :: packed(:)
    type(Modules) :: all
    type(GlueState) :: state
    integer(i1), allocatable :: again(:), last(:)
    integer :: n
    call build(duration / steps, all, state)
    state = half
    call Platform_UnPackContState(packed, state%x)
    call Platform_PackContState(state%x, again)
    call require(size(again) == size(packed) .and. all_equal(again, packed), 'what is unpacked packs otherwise')
    do n = steps / 2, steps - 1
      call advance(n, all, state)
    end do
    call Platform_PackContState(state%x, again)
    call Platform_PackContState(known%x, last)
    call require(size(again) == size(last) .and. all_equal(again, last), 'a packed run goes on otherwise')
    if (steps == 100) print '(a, i0, a)', 'packed into ', size(packed), ' bytes, it goes on with the same bits'
    call Platform_End(all%m, ErrStat, ErrMsg)
    call check()
  end subroutine check_restart

  pure logical function all_equal(a, b)
    integer(i1), intent(in) :: a(:), b(:)
    all_equal = all(a == b)
  end function all_equal

  ! Jacobians against central differences, dx/dt against a short step.
  subroutine check_derivatives(all, state)
    type(Modules), intent(inout) :: all
    type(GlueState), intent(in) :: state
    real(dp), parameter :: amount(6) = [1e6_dp, 1e6_dp, 1e6_dp, 1e7_dp, 1e7_dp, 1e7_dp], short = 1e-3_dp
    type(Platform_ContinuousStateType) :: dxdt(2), x(2)
    type(Platform_ParameterType) :: p
    type(Platform_OutputType) :: y(2)
    real(dp) :: dYdu(18, 6), dXdu(6 * all%p%Bodies, 6), outputs(18), rates(6 * all%p%Bodies), off(2)
    integer :: j, side
    call Platform_JacobianPInput(state%u, all%p, state%x, all%m, dYdu, dXdu, ErrStat, ErrMsg)
    call check()
    off = 0
    do j = 1, 6
      do side = 1, 2
        associate (u => moved_input(state%u, j, (3 - 2 * side) * amount(j)))
          call Platform_CalcOutput(u, all%p, state%x, y(side), all%m, ErrStat, ErrMsg)
          call check()
          call Platform_CalcContStateDeriv(u, all%p, state%x, all%m, dxdt(side), ErrStat, ErrMsg)
          call check()
        end associate
      end do
      outputs = (flat(y(1)) - flat(y(2))) / (2 * amount(j))
      rates = reshape(dxdt(1)%Velocity - dxdt(2)%Velocity, [size(rates)]) / (2 * amount(j))
      off = max(off, [maxval(abs(outputs - dYdu(:, j))) / maxval(abs(dYdu(:, j))), &
                      maxval(abs(rates - dXdu(:, j))) / maxval(abs(dXdu(:, j)))])
      call require(maxval(abs(dYdu(:, j))) > 0 .and. maxval(abs(rates)) > 0, 'a load without effect')
    end do
    if (all%p%DT > 0.1_dp) print '(a, 2es9.1)', 'Jacobians against differences: dYdu, dXdu off by', off
    call require(maxval(off) < 1e-6_dp, 'JacobianPInput: ' // scientific(maxval(off), 1))

    ! Two short steps from these coordinates on, of which the first starts anew and meets the constraints. Over the second, the
    ! mean of dx/dt at both ends is off by a twelfth of the third derivative times the step squared; those are below 10, in m and s.
    ! The scheme holds positions together, and so velocities to second order: what they are off changes rates in first order.
    p = all%p
    p%DT = short
    x(1) = state%x
    x(1)%Integrator = [integer(i1) ::]
    call Platform_UpdateStates(0.0_dp, [state%u], [0.0_dp], p, x(1), all%m, ErrStat, ErrMsg)
    call check()
    x(2) = x(1)
    call Platform_UpdateStates(0.0_dp, [state%u], [0.0_dp], p, x(2), all%m, ErrStat, ErrMsg)
    call check()
    do side = 1, 2
      call Platform_CalcContStateDeriv(state%u, p, x(side), all%m, dxdt(side), ErrStat, ErrMsg)
      call check()
    end do
    call require(maxval(abs((x(2)%Pose - x(1)%Pose) / short - 0.5_dp * (dxdt(1)%Pose + dxdt(2)%Pose))) < short**2, &
                 'rates of poses')
    call require(maxval(abs((x(2)%Velocity - x(1)%Velocity) / short - 0.5_dp * (dxdt(1)%Velocity + dxdt(2)%Velocity))) &
                 < short, 'accelerations')
  end subroutine check_derivatives

  pure function moved_input(u, j, amount) result(other)
    type(Platform_InputType), intent(in) :: u
    integer, intent(in) :: j
    real(dp), intent(in) :: amount
    type(Platform_InputType) :: other
    other = u
    if (j <= 3) other%Force(j) = other%Force(j) + amount
    if (j > 3) other%Moment(j - 3) = other%Moment(j - 3) + amount
  end function moved_input

  ! An output in the order of dYdu.
  pure function flat(y)
    type(Platform_OutputType), intent(in) :: y
    real(dp) :: flat(18)
    flat = [motion(y), y%TranslationVel, y%RotationVel, y%TranslationAcc, y%RotationAcc]
  end function flat

  ! Loads and motions handed to and fro without the Jacobian: what is wrong grows.
  subroutine check_exchange(t, all, state)
    real(dp), intent(in) :: t
    type(Modules), intent(inout) :: all
    type(GlueState), intent(in) :: state
    type(Platform_InputType) :: u
    type(Platform_OutputType) :: y
    real(dp) :: wrong(2)
    integer :: k, exchange
    u = moved_input(state%u, 3, 1.0_dp)
    do k = 1, 2
      wrong(k) = norm2(difference(u, state%u))
      do exchange = 1, 5
        call Platform_CalcOutput(u, all%p, state%x, y, all%m, ErrStat, ErrMsg)
        call check()
        u = Water_CalcOutput(t, y, all%water, state%w)
      end do
    end do
    if (all%p%DT > 0.1_dp) print '(a, f7.2)', 'five plain exchanges multiply what is wrong by', wrong(2) / wrong(1)
    call require(wrong(2) > wrong(1), 'plain exchange converges: the example needs no Jacobian')
  end subroutine check_exchange

  ! A bad input comes back as OpenFAST wants it, and the states are as they were.
  subroutine check_refusal(t, all, state)
    real(dp), intent(in) :: t
    type(Modules), intent(inout) :: all
    type(GlueState), intent(in) :: state
    type(Platform_ContinuousStateType) :: x
    type(Platform_InputType) :: bad
    integer(i1), allocatable :: before(:), after(:)
    bad = moved_input(state%u, 1, ieee_value(1.0_dp, ieee_quiet_nan))
    x = state%x
    call Platform_UpdateStates(t, [bad], [t], all%p, x, all%m, ErrStat, ErrMsg)
    call require(ErrStat == ErrID_Fatal, 'ErrStat of a NaN')
    call require(index(ErrMsg, 'Platform_UpdateStates: PINTLE_ERR_NOT_FINITE: pintle_set_body_load') == 1, ErrMsg)
    call Platform_PackContState(state%x, before)
    call Platform_PackContState(x, after)
    call require(all_equal(before, after), 'a failed step changed the states')
  end subroutine check_refusal

end program coupled_glue
