! pintle behind the types and routines that OpenFAST's registry writes for a module: continuous states that the glue code owns
! and copies, Init, UpdateStates, CalcOutput, CalcContStateDeriv, JacobianPInput, Pack, UnPack, End; and a second module, of
! the water around it. coupled_glue.f90 has the program: glue code that couples both with correction steps.

! The structural module. Types and arguments are OpenFAST's, without those of states that it does not have (xd, z, OtherState).
module Platform
  use, intrinsic :: iso_c_binding, only: dp => c_double, i1 => c_int8_t, c_int32_t
  use pintle
  implicit none
  private
  public :: Platform_Init, Platform_UpdateStates, Platform_CalcOutput, Platform_CalcContStateDeriv
  public :: Platform_JacobianPInput, Platform_PackContState, Platform_UnPackContState, Platform_End

  ! OpenFAST's levels; its glue code stops at ErrID_Fatal. pintle_explain gives the same numbers.
  integer, parameter, public :: ErrID_None = 0, ErrID_Fatal = 4, ErrMsgLen = 1024

  type, public :: Platform_InitInputType
    real(dp) :: Gravity, Mass, Inertia(3)          ! of the platform, about its reference point, which starts at zero
    real(dp) :: Jib(3), Rope, LoadMass, LoadInertia ! where the rope is tied, its length, and what hangs on it
  end type Platform_InitInputType

  ! A point mesh with loads: at the platform's reference point, in inertial axes.
  type, public :: Platform_InputType
    real(dp) :: Force(3) = 0, Moment(3) = 0
  end type Platform_InputType

  ! Poses and velocities of all bodies, and what the integrator knows beside them (accelerations, reactions, loads), as pintle
  ! serialises it; empty where a motion starts anew. Nothing of it is hidden elsewhere: a copy is an assignment.
  type, public :: Platform_ContinuousStateType
    real(dp), allocatable :: Pose(:, :), Velocity(:, :)
    integer(i1), allocatable :: Integrator(:)
  end type Platform_ContinuousStateType

  ! A point mesh with motions. Orientation is OpenFAST's: inertial to body, the transpose of pintle's.
  type, public :: Platform_OutputType
    real(dp) :: TranslationDisp(3) = 0, Orientation(3, 3) = 0
    real(dp) :: TranslationVel(3) = 0, RotationVel(3) = 0, TranslationAcc(3) = 0, RotationAcc(3) = 0
  end type Platform_OutputType

  type, public :: Platform_ParameterType
    real(dp) :: DT
    integer :: Bodies
    integer(c_int32_t) :: body
    integer(c_int32_t), allocatable :: sensor(:) ! markers at the reference points of all bodies
  end type Platform_ParameterType

  type, public :: Platform_MiscVarType
    type(pintle_system) :: sys
    type(pintle_state) :: state
  end type Platform_MiscVarType

contains

  subroutine Platform_Init(InitInp, u, p, x, m, Interval, ErrStat, ErrMsg)
    type(Platform_InitInputType), intent(in) :: InitInp
    type(Platform_InputType), intent(in) :: u
    type(Platform_ParameterType), intent(out) :: p
    type(Platform_ContinuousStateType), intent(out) :: x
    type(Platform_MiscVarType), intent(inout) :: m
    real(dp), intent(in) :: Interval
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    real(dp), parameter :: none(3) = 0, upright(4) = [1, 0, 0, 0], here(7) = [none, upright]
    integer(c_int32_t) :: status, hung, joint
    integer :: i
    p%DT = Interval
    p%Bodies = 2
    allocate (p%sensor(p%Bodies), x%Pose(7, p%Bodies), x%Velocity(6, p%Bodies), x%Integrator(0))
    call pintle_create(m%sys, status)
    if (Failed()) return
    call pintle_set_gravity(m%sys, [0.0_dp, 0.0_dp, -InitInp%Gravity], status)
    if (Failed()) return
    call pintle_add_rigid_body(m%sys, InitInp%Mass, none, [InitInp%Inertia, none], here, p%body, status)
    if (Failed()) return
    call pintle_add_rigid_body(m%sys, InitInp%LoadMass, none, [spread(InitInp%LoadInertia, 1, 3), none], &
                               [InitInp%Jib - [0.0_dp, 0.0_dp, InitInp%Rope], upright], hung, status)
    if (Failed()) return
    call pintle_add_joint_at(m%sys, PINTLE_JOINT_SPHERICAL, p%body, hung, InitInp%Jib, joint=joint, status=status)
    if (Failed()) return
    do i = 1, p%Bodies
      call pintle_add_marker(m%sys, int(i - 1, c_int32_t), here, p%sensor(i), status)
      if (Failed()) return
    end do
    ! Coordinates of the glue code need not meet the constraints to rounding.
    call pintle_set_option(m%sys, 'assemble', 1.0_dp, status)
    if (Failed()) return
    call pintle_set_body_load(m%sys, p%body, PINTLE_FRAME_INERTIAL, [u%Force, u%Moment], status)
    if (Failed()) return
    call pintle_initialize(m%sys, 0.0_dp, status)
    if (Failed()) return
    call pintle_get_coordinates(m%sys, x%Pose, x%Velocity, status)
    if (Failed()) return

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Platform_Init', ErrStat, ErrMsg)
    end function Failed

  end subroutine Platform_Init

  ! From x(t) to x(t + DT), with the inputs at utimes: the glue code's prediction, or its correction. It depends on its
  ! arguments alone, so that an interval is repeated by calling it with the same x again.
  subroutine Platform_UpdateStates(t, u, utimes, p, x, m, ErrStat, ErrMsg)
    real(dp), intent(in) :: t, utimes(:)
    type(Platform_InputType), intent(in) :: u(:)
    type(Platform_ParameterType), intent(in) :: p
    type(Platform_ContinuousStateType), intent(inout) :: x
    type(Platform_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    status = SetInput(InputAt(t, u, utimes), p, m)
    if (Failed()) return
    status = SetState(x, m)
    if (Failed()) return
    status = SetInput(InputAt(t + p%DT, u, utimes), p, m)
    if (Failed()) return
    call pintle_step(m%sys, p%DT, status)
    if (Failed()) return
    call pintle_get_coordinates(m%sys, x%Pose, x%Velocity, status)
    if (Failed()) return
    call pintle_state_save(m%sys, m%state, status)
    if (Failed()) return
    call pintle_state_serialize(m%state, x%Integrator, status)
    if (Failed()) return

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Platform_UpdateStates', ErrStat, ErrMsg)
    end function Failed

  end subroutine Platform_UpdateStates

  ! Motion of the platform in the state x under the input u, which acts on its accelerations at once.
  subroutine Platform_CalcOutput(u, p, x, y, m, ErrStat, ErrMsg)
    type(Platform_InputType), intent(in) :: u
    type(Platform_ParameterType), intent(in) :: p
    type(Platform_ContinuousStateType), intent(in) :: x
    type(Platform_OutputType), intent(out) :: y
    type(Platform_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    real(dp) :: accelerations(6, p%Bodies), dcm(3, 3)
    integer(c_int32_t) :: status
    integer :: b
    status = SetInput(u, p, m)
    if (Failed()) return
    call pintle_eval_accelerations(m%sys, x%Pose, x%Velocity, accelerations, status)
    if (Failed()) return
    b = p%body + 1
    call pintle_quat_to_dcm(x%Pose(4:7, b), dcm, status)
    if (Failed()) return
    y = Platform_OutputType(x%Pose(1:3, b), transpose(dcm), x%Velocity(1:3, b), x%Velocity(4:6, b), &
                            accelerations(1:3, b), accelerations(4:6, b))

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Platform_CalcOutput', ErrStat, ErrMsg)
    end function Failed

  end subroutine Platform_CalcOutput

  ! dx/dt in the state x under the input u: rates of positions and quaternions, and accelerations.
  subroutine Platform_CalcContStateDeriv(u, p, x, m, dxdt, ErrStat, ErrMsg)
    type(Platform_InputType), intent(in) :: u
    type(Platform_ParameterType), intent(in) :: p
    type(Platform_ContinuousStateType), intent(in) :: x
    type(Platform_MiscVarType), intent(inout) :: m
    type(Platform_ContinuousStateType), intent(out) :: dxdt
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    integer :: b
    dxdt = x
    status = SetInput(u, p, m)
    if (Failed()) return
    call pintle_eval_accelerations(m%sys, x%Pose, x%Velocity, dxdt%Velocity, status)
    if (Failed()) return
    do b = 1, p%Bodies
      ! qdot = (0, omega) q / 2, with omega in inertial axes.
      associate (w => x%Velocity(4:6, b), s => x%Pose(4, b), v => x%Pose(5:7, b))
        dxdt%Pose(1:3, b) = x%Velocity(1:3, b)
        dxdt%Pose(4:7, b) = 0.5_dp * [-dot_product(w, v), s * w(1) + w(2) * v(3) - w(3) * v(2), &
                                      s * w(2) + w(3) * v(1) - w(1) * v(3), s * w(3) + w(1) * v(2) - w(2) * v(1)]
      end associate
    end do

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Platform_CalcContStateDeriv', ErrStat, ErrMsg)
    end function Failed

  end subroutine Platform_CalcContStateDeriv

  ! Derivatives with respect to (Force, Moment), by the library's linearisation: dYdu of the outputs (displacement, rotation
  ! vector, velocity, angular velocity, acceleration, angular acceleration), dXdu of d(Velocity)/dt of all bodies, in the
  ! order of ContinuousStateType. Rates of poses do not depend on inputs.
  subroutine Platform_JacobianPInput(u, p, x, m, dYdu, dXdu, ErrStat, ErrMsg)
    type(Platform_InputType), intent(in) :: u
    type(Platform_ParameterType), intent(in) :: p
    type(Platform_ContinuousStateType), intent(in) :: x
    type(Platform_MiscVarType), intent(inout) :: m
    real(dp), intent(out) :: dYdu(18, 6), dXdu(6 * p%Bodies, 6)
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    real(dp), allocatable :: a(:, :), b(:, :), c(:, :), d(:, :)
    real(dp) :: mobility
    integer(c_int32_t) :: status
    integer :: n, i
    status = SetInput(u, p, m)
    if (Failed()) return
    status = SetState(x, m)
    if (Failed()) return
    call pintle_get_statistic(m%sys, 'mobility', mobility, status)
    if (Failed()) return
    n = 2 * nint(mobility)
    allocate (a(n, n), b(n, 6), c(18 * p%Bodies, n), d(18 * p%Bodies, 6))
    call pintle_linearize(m%sys, [p%body], [integer(c_int32_t) ::], p%sensor, a, b, c, d, status)
    if (Failed()) return
    dYdu = d(18 * p%body + 1:18 * p%body + 18, :)
    do i = 1, p%Bodies
      dXdu(6 * i - 5:6 * i, :) = d(18 * i - 5:18 * i, :)
    end do

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Platform_JacobianPInput', ErrStat, ErrMsg)
    end function Failed

  end subroutine Platform_JacobianPInput

  ! A state as bytes, for restart files: numbers of bytes and bodies, poses, velocities, integrator.
  subroutine Platform_PackContState(x, Buf)
    type(Platform_ContinuousStateType), intent(in) :: x
    integer(i1), allocatable, intent(out) :: Buf(:)
    Buf = [transfer([size(x%Integrator, kind=c_int32_t), size(x%Pose, 2, kind=c_int32_t)], [0_i1]), &
           transfer(x%Pose, [0_i1]), transfer(x%Velocity, [0_i1]), x%Integrator]
  end subroutine Platform_PackContState

  subroutine Platform_UnPackContState(Buf, x)
    integer(i1), intent(in) :: Buf(:)
    type(Platform_ContinuousStateType), intent(out) :: x
    integer(c_int32_t) :: sizes(2)
    integer :: n
    sizes = transfer(Buf(1:8), sizes)
    n = sizes(2)
    x%Pose = reshape(transfer(Buf(9:8 + 56 * n), [0.0_dp]), [7, n])
    x%Velocity = reshape(transfer(Buf(9 + 56 * n:8 + 104 * n), [0.0_dp]), [6, n])
    x%Integrator = Buf(9 + 104 * n:8 + 104 * n + sizes(1))
  end subroutine Platform_UnPackContState

  subroutine Platform_End(m, ErrStat, ErrMsg)
    type(Platform_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    call pintle_state_destroy(m%state, status)
    if (IsFatal(status, m, 'Platform_End', ErrStat, ErrMsg)) return
    call pintle_destroy(m%sys, status)
    if (IsFatal(status, m, 'Platform_End', ErrStat, ErrMsg)) return
  end subroutine Platform_End

  ! The input at a time between or behind those at which it is known: a straight line.
  pure function InputAt(t, u, utimes) result(at)
    real(dp), intent(in) :: t, utimes(:)
    type(Platform_InputType), intent(in) :: u(:)
    type(Platform_InputType) :: at
    real(dp) :: s
    at = u(1)
    if (size(u) == 1) return
    s = (t - utimes(1)) / (utimes(2) - utimes(1))
    at%Force = u(1)%Force + s * (u(2)%Force - u(1)%Force)
    at%Moment = u(1)%Moment + s * (u(2)%Moment - u(1)%Moment)
  end function InputAt

  integer(c_int32_t) function SetInput(u, p, m) result(status)
    type(Platform_InputType), intent(in) :: u
    type(Platform_ParameterType), intent(in) :: p
    type(Platform_MiscVarType), intent(inout) :: m
    call pintle_set_body_load(m%sys, p%body, PINTLE_FRAME_INERTIAL, [u%Force, u%Moment], status)
  end function SetInput

  ! Makes x the accepted state; where it has nothing of the integrator, accelerations follow from the loads that are set.
  integer(c_int32_t) function SetState(x, m) result(status)
    type(Platform_ContinuousStateType), intent(in) :: x
    type(Platform_MiscVarType), intent(inout) :: m
    if (size(x%Integrator) == 0) then
      call pintle_set_coordinates(m%sys, x%Pose, x%Velocity, status)
    else
      call pintle_state_deserialize(m%sys, x%Integrator, m%state, status)
      if (status == PINTLE_OK) call pintle_state_restore(m%sys, m%state, status)
    end if
  end function SetState

  ! Turns a status into OpenFAST's ErrStat and ErrMsg.
  logical function IsFatal(status, m, routine, ErrStat, ErrMsg)
    integer(c_int32_t), intent(in) :: status
    type(Platform_MiscVarType), intent(in) :: m
    character(len=*), intent(in) :: routine
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    character(len=:), allocatable :: message
    integer(c_int32_t) :: severity
    call pintle_explain(status, message, severity, m%sys)
    ErrStat = severity
    ErrMsg = ''
    if (ErrStat /= ErrID_None) ErrMsg = routine // ': ' // message
    IsFatal = ErrStat >= ErrID_Fatal
  end function IsFatal

end module Platform

! The fluid module, without pintle: buoyancy, added mass, waves that are radiated (a force that fades) and waves that come in.
module Water
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use Platform, only: Platform_InputType, Platform_OutputType
  implicit none
  private
  public :: Water_UpdateStates, Water_CalcOutput, motion

  type, public :: Water_ParameterType
    real(dp) :: DT, Weight, Stiffness(6), AddedMass(6), Radiation(6), Fading, Wave(6), Frequency
  end type Water_ParameterType

  type, public :: Water_ContinuousStateType
    real(dp) :: Radiated(6) = 0
  end type Water_ContinuousStateType

contains

  ! d(Radiated)/dt = Radiation velocity - Radiated / Fading by the trapezoidal rule, with the inputs at both ends.
  subroutine Water_UpdateStates(u, p, x)
    type(Platform_OutputType), intent(in) :: u(2)
    type(Water_ParameterType), intent(in) :: p
    type(Water_ContinuousStateType), intent(inout) :: x
    real(dp) :: mean(6), half
    half = 0.5_dp * p%DT / p%Fading
    mean = 0.5_dp * [u(1)%TranslationVel + u(2)%TranslationVel, u(1)%RotationVel + u(2)%RotationVel]
    x%Radiated = ((1 - half) * x%Radiated + p%DT * p%Radiation * mean) / (1 + half)
  end subroutine Water_UpdateStates

  ! The load on the platform where it moves as u says.
  function Water_CalcOutput(t, u, p, x) result(y)
    real(dp), intent(in) :: t
    type(Platform_OutputType), intent(in) :: u
    type(Water_ParameterType), intent(in) :: p
    type(Water_ContinuousStateType), intent(in) :: x
    type(Platform_InputType) :: y
    real(dp) :: load(6)
    load = p%Wave * sin(p%Frequency * t) - p%Stiffness * motion(u) - x%Radiated &
           - p%AddedMass * [u%TranslationAcc, u%RotationAcc]
    y = Platform_InputType(load(1:3) + [0.0_dp, 0.0_dp, p%Weight], load(4:6))
  end function Water_CalcOutput

  ! Displacement and small angles.
  pure function motion(u)
    type(Platform_OutputType), intent(in) :: u
    real(dp) :: motion(6)
    associate (r => u%Orientation)
      motion = [u%TranslationDisp, 0.5_dp * [r(2, 3) - r(3, 2), r(3, 1) - r(1, 3), r(1, 2) - r(2, 1)]]
    end associate
  end function motion

end module Water
