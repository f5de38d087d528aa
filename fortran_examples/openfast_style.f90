! pintle inside a module in the manner of OpenFAST: Init, UpdateStates, CalcOutput, End, with ErrStat and ErrMsg; and a
! driver that repeats each interval with corrected inputs, as OpenFAST's glue code does.
!
! The platform floats; what floats it is computed by "another module" from the platform's motion. Load and motion of the
! end of a step depend on each other, so each step is repeated until they agree. With corrections the motion is that of
! the trapezoidal rule, whose frequency is known; without them the same driver gains energy. Exit status 1 means that a
! number is not what it must be.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,openfast_style}.f90 target/release/libpintle.a -lm -o target/openfast_style

! The structural module. Types and arguments are those of OpenFAST, cut down to what is used here.
module FloatBody
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t
  use pintle
  implicit none
  private
  public :: FloatBody_Init, FloatBody_UpdateStates, FloatBody_CalcOutput, FloatBody_End

  ! OpenFAST's levels; its glue code stops at ErrID_Fatal. pintle_explain gives the same numbers.
  integer, parameter, public :: ErrID_None = 0, ErrID_Fatal = 4, ErrMsgLen = 1024

  type, public :: FloatBody_InitInputType
    real(dp) :: Mass, Inertia(3), Position(3), Gravity
  end type FloatBody_InitInputType

  ! A point mesh with loads: at the reference point, in inertial axes.
  type, public :: FloatBody_InputType
    real(dp) :: Force(3), Moment(3)
  end type FloatBody_InputType

  ! A point mesh with motions. Orientation is OpenFAST's: inertial to body, the transpose of pintle's.
  type, public :: FloatBody_OutputType
    real(dp) :: TranslationDisp(3), Orientation(3, 3)
    real(dp) :: TranslationVel(3), RotationVel(3), TranslationAcc(3), RotationAcc(3)
  end type FloatBody_OutputType

  ! All states live inside the system: accepted and tried ones.
  type, public :: FloatBody_MiscVarType
    type(pintle_system) :: sys
    integer(c_int32_t) :: body
    integer :: Interval = -1  ! the one that was tried last, and is not accepted yet
    real(dp) :: dt
  end type FloatBody_MiscVarType

contains

  subroutine FloatBody_Init(InitInp, u, m, dt, ErrStat, ErrMsg)
    type(FloatBody_InitInputType), intent(in) :: InitInp
    type(FloatBody_InputType), intent(in) :: u  ! at time 0
    type(FloatBody_MiscVarType), intent(inout) :: m
    real(dp), intent(in) :: dt
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    m%dt = dt
    m%Interval = -1
    call pintle_create(m%sys, status)
    if (Failed()) return
    call pintle_set_gravity(m%sys, [0.0_dp, 0.0_dp, -InitInp%Gravity], status)
    if (Failed()) return
    call pintle_add_rigid_body(m%sys, InitInp%Mass, [0.0_dp, 0.0_dp, 0.0_dp], &
                               [InitInp%Inertia, 0.0_dp, 0.0_dp, 0.0_dp], &
                               [InitInp%Position, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], m%body, status)
    if (Failed()) return
    call pintle_set_name(m%sys, 'body', m%body, 'platform', status)
    if (Failed()) return
    call pintle_set_option(m%sys, 'rho_inf', 1.0_dp, status)
    if (Failed()) return

    ! The loads at the start belong to the initial accelerations, which initialize computes.
    call pintle_set_body_load(m%sys, m%body, PINTLE_FRAME_INERTIAL, [u%Force, u%Moment], status)
    if (Failed()) return
    call pintle_initialize(m%sys, 0.0_dp, status)
    if (Failed()) return

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'FloatBody_Init', ErrStat, ErrMsg)
    end function Failed

  end subroutine FloatBody_Init

  ! From t to t + dt with the inputs at t + dt. Called again with the same n it starts from the same state: pintle_advance
  ! always starts from the accepted one. A higher n says that the interval before is settled.
  subroutine FloatBody_UpdateStates(n, u, m, ErrStat, ErrMsg)
    integer, intent(in) :: n
    type(FloatBody_InputType), intent(in) :: u
    type(FloatBody_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    if (n > m%Interval .and. m%Interval >= 0) then
      call pintle_accept(m%sys, status)
      if (Failed()) return
    end if
    m%Interval = -1  ! until there is a trial again
    call pintle_set_body_load(m%sys, m%body, PINTLE_FRAME_INERTIAL, [u%Force, u%Moment], status)
    if (Failed()) return
    call pintle_advance(m%sys, m%dt, status)
    if (Failed()) return
    m%Interval = n

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'FloatBody_UpdateStates', ErrStat, ErrMsg)
    end function Failed

  end subroutine FloatBody_UpdateStates

  ! The motion at the end of the interval that was tried last.
  subroutine FloatBody_CalcOutput(m, y, ErrStat, ErrMsg)
    type(FloatBody_MiscVarType), intent(in) :: m
    type(FloatBody_OutputType), intent(out) :: y
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    real(dp) :: displacement(7), velocity(6), acceleration(6), dcm(3, 3)
    integer(c_int32_t) :: status
    call pintle_get_body_displacement(m%sys, m%body, displacement, status)
    if (Failed()) return
    call pintle_quat_to_dcm(displacement(4:7), dcm, status)
    if (Failed()) return
    call pintle_get_body_velocity(m%sys, m%body, PINTLE_FRAME_INERTIAL, velocity, status)
    if (Failed()) return
    call pintle_get_body_acceleration(m%sys, m%body, PINTLE_FRAME_INERTIAL, acceleration, status)
    if (Failed()) return
    y%TranslationDisp = displacement(1:3)
    y%Orientation = transpose(dcm)
    y%TranslationVel = velocity(1:3)
    y%RotationVel = velocity(4:6)
    y%TranslationAcc = acceleration(1:3)
    y%RotationAcc = acceleration(4:6)

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'FloatBody_CalcOutput', ErrStat, ErrMsg)
    end function Failed

  end subroutine FloatBody_CalcOutput

  subroutine FloatBody_End(m, ErrStat, ErrMsg)
    type(FloatBody_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    call pintle_destroy(m%sys, status)
    if (IsFatal(status, m, 'FloatBody_End', ErrStat, ErrMsg)) return
  end subroutine FloatBody_End

  ! Turns a status into OpenFAST's ErrStat and ErrMsg.
  logical function IsFatal(status, m, routine, ErrStat, ErrMsg)
    integer(c_int32_t), intent(in) :: status
    type(FloatBody_MiscVarType), intent(in) :: m
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

end module FloatBody

program openfast_style
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use example
  use FloatBody
  implicit none

  ! A cylinder in calm water: displaced mass = own mass, stiffness of the water plane.
  real(dp), parameter :: gravity = 9.81_dp, density = 1025.0_dp, area = 80.0_dp, draught = 12.0_dp
  real(dp), parameter :: mass = density * area * draught, stiffness = density * gravity * area
  real(dp), parameter :: start = 0.1_dp, dt = 0.1_dp  ! heave at the start, m; time step, s
  integer, parameter :: steps = 1000
  real(dp) :: expected, heave, amplitude, angle

  ! The trapezoidal rule turns by this angle in each step, and keeps the amplitude.
  angle = 2 * atan(0.5_dp * sqrt(stiffness / mass) * dt)
  expected = start * cos(steps * angle)

  call simulate(3, heave, amplitude)
  print '(3(a, f12.9), a)', '3 corrections: heave after 100 s ', heave, ' m, expected ', expected, &
      ' m, largest amplitude ', amplitude, ' m'
  call require(abs(heave - expected) < 1e-7_dp, 'heave after 100 s is ' // decimal(heave, 9))
  call require(abs(amplitude - start) < 1e-6_dp, 'the amplitude is ' // decimal(amplitude, 9))

  call simulate(0, heave, amplitude)
  print '(a, f12.9, a)', 'no correction: largest amplitude ', amplitude, ' m'
  call require(amplitude > 1.5_dp * start, 'without corrections the amplitude should grow')

contains

  ! The module next door: what the water does to the body, from the body's motion.
  function water(y) result(u)
    type(FloatBody_OutputType), intent(in) :: y
    type(FloatBody_InputType) :: u
    u%Force = [0.0_dp, 0.0_dp, mass * gravity - stiffness * (start + y%TranslationDisp(3))]
    u%Moment = 0
  end function water

  ! The glue code. In every interval: states with the inputs known so far, outputs, better inputs, and again.
  subroutine simulate(corrections, heave, amplitude)
    integer, intent(in) :: corrections
    real(dp), intent(out) :: heave, amplitude
    type(FloatBody_InitInputType) :: InitInp
    type(FloatBody_InputType) :: u
    type(FloatBody_OutputType) :: y
    type(FloatBody_MiscVarType) :: m
    integer :: n, j, ErrStat
    character(len=ErrMsgLen) :: ErrMsg
    InitInp = FloatBody_InitInputType(mass, [1e6_dp, 1e6_dp, 5e5_dp], [0.0_dp, 0.0_dp, start], gravity)
    y%TranslationDisp = 0
    u = water(y)
    call FloatBody_Init(InitInp, u, m, dt, ErrStat, ErrMsg)
    call require(ErrStat < ErrID_Fatal, ErrMsg)

    amplitude = 0
    do n = 0, steps - 1
      do j = 0, corrections
        call FloatBody_UpdateStates(n, u, m, ErrStat, ErrMsg)
        call require(ErrStat < ErrID_Fatal, ErrMsg)
        call FloatBody_CalcOutput(m, y, ErrStat, ErrMsg)
        call require(ErrStat < ErrID_Fatal, ErrMsg)
        u = water(y)
      end do
      if (n == steps / 2) call check_refusal(n, u, m)
      amplitude = max(amplitude, abs(start + y%TranslationDisp(3)))
    end do
    heave = start + y%TranslationDisp(3)
    call FloatBody_End(m, ErrStat, ErrMsg)
    call require(ErrStat < ErrID_Fatal, ErrMsg)
  end subroutine simulate

  ! A bad input comes back as OpenFAST wants it, and does no harm: the interval is repeated with the good one.
  subroutine check_refusal(n, u, m)
    integer, intent(in) :: n
    type(FloatBody_InputType), intent(in) :: u
    type(FloatBody_MiscVarType), intent(inout) :: m
    type(FloatBody_InputType) :: bad
    integer :: ErrStat
    character(len=ErrMsgLen) :: ErrMsg
    bad = u
    bad%Force(1) = ieee_value(1.0_dp, ieee_quiet_nan)
    call FloatBody_UpdateStates(n, bad, m, ErrStat, ErrMsg)
    print '(a, i0, 2a)', 'a NaN gives ErrStat ', ErrStat, ' and ', trim(ErrMsg)
    call require(ErrStat == ErrID_Fatal, 'ErrStat of a NaN')
    call require(index(ErrMsg, 'FloatBody_UpdateStates: PINTLE_ERR_NOT_FINITE: ') == 1, 'ErrMsg of a NaN')
    call FloatBody_UpdateStates(n, u, m, ErrStat, ErrMsg)
    call require(ErrStat < ErrID_Fatal, ErrMsg)
  end subroutine check_refusal

end program openfast_style
