! Mooring lines inside a module in the manner of OpenFAST: Init, UpdateStates, CalcOutput, End, with ErrStat and ErrMsg; the
! fairleads move as the glue code says, and what comes back are the forces of the lines on them.
!
! The driver tries each interval with a motion that is wrong by centimetres, takes it back, and repeats it with the right
! one, as glue codes do that look for agreement between modules. Nothing may be left of the first trial: all forces must be
! those of a run that knows the motion at once, bit by bit. Exit status 1 means that a number is not what it must be.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,mooring_module}.f90 target/release/libpintle.a -lm -o target/mooring_module

! The mooring module. Types and arguments are those of OpenFAST, cut down to what is used here.
module MooringLines
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t
  use pintle
  implicit none
  private
  public :: Mooring_Init, Mooring_UpdateStates, Mooring_CalcOutput, Mooring_End

  ! OpenFAST's levels; its glue code stops at ErrID_Fatal. pintle_explain gives the same numbers.
  integer, parameter, public :: ErrID_None = 0, ErrID_Fatal = 4, ErrMsgLen = 1024

  type, public :: Mooring_InitInputType
    real(dp) :: Gravity, WaterDensity, Depth
    real(dp) :: Diameter, MassPerLength, EA, BA, Cdn, Can, Cdt, Length
    integer :: Segments
    real(dp), allocatable :: Anchors(:, :)  ! (3, lines)
  end type Mooring_InitInputType

  ! A point mesh with motions, in inertial axes: a fairlead per line.
  type, public :: Mooring_InputType
    real(dp), allocatable :: Position(:, :), Velocity(:, :), Acceleration(:, :)
  end type Mooring_InputType

  ! A point mesh with loads: what the lines do to the fairleads; and tensions of their upper segments.
  type, public :: Mooring_OutputType
    real(dp), allocatable :: Force(:, :), Tension(:)
  end type Mooring_OutputType

  ! All states live inside the system: accepted and tried ones.
  type, public :: Mooring_MiscVarType
    type(pintle_system) :: sys
    integer(c_int32_t), allocatable :: fairlead(:), line(:)
    integer :: segments
    integer :: Interval = -1  ! the one that was tried last, and is not accepted yet
    real(dp) :: dt
  end type Mooring_MiscVarType

contains

  subroutine Mooring_Init(InitInp, u, m, dt, ErrStat, ErrMsg)
    type(Mooring_InitInputType), intent(in) :: InitInp
    type(Mooring_InputType), intent(in) :: u  ! at time 0
    type(Mooring_MiscVarType), intent(inout) :: m
    real(dp), intent(in) :: dt
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status, line_type, anchor
    integer :: i
    m%dt = dt
    m%Interval = -1
    m%segments = InitInp%Segments
    allocate (m%fairlead(size(u%Position, 2)), m%line(size(u%Position, 2)))
    call pintle_create(m%sys, status)
    if (Failed()) return
    call pintle_set_gravity(m%sys, [0.0_dp, 0.0_dp, -InitInp%Gravity], status)
    if (Failed()) return
    call pintle_set_environment(m%sys, 'water_density', InitInp%WaterDensity, status)
    if (Failed()) return
    call pintle_set_environment(m%sys, 'depth', InitInp%Depth, status)
    if (Failed()) return
    call pintle_add_line_type(m%sys, InitInp%Diameter, InitInp%MassPerLength, InitInp%EA, InitInp%BA, 0.0_dp, &
                              InitInp%Cdn, InitInp%Can, InitInp%Cdt, 0.0_dp, line_type, status)
    if (Failed()) return
    do i = 1, size(m%line)
      call pintle_add_point(m%sys, 0.0_dp, 0.0_dp, InitInp%Anchors(:, i), anchor, status)
      if (Failed()) return
      call pintle_fix_point(m%sys, anchor, status)
      if (Failed()) return
      call pintle_add_point(m%sys, 0.0_dp, 0.0_dp, u%Position(:, i), m%fairlead(i), status)
      if (Failed()) return
      call pintle_set_point_prescribed(m%sys, m%fairlead(i), .true., status)
      if (Failed()) return
      call pintle_add_line(m%sys, line_type, anchor, m%fairlead(i), InitInp%Length, &
                           int(InitInp%Segments, c_int32_t), m%line(i), status)
      if (Failed()) return
    end do
    call pintle_set_option(m%sys, 'rho_inf', 0.3_dp, status)
    if (Failed()) return

    ! The lines hang at rest from here on.
    call pintle_initialize(m%sys, 0.0_dp, status)
    if (Failed()) return

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Mooring_Init', ErrStat, ErrMsg)
    end function Failed

  end subroutine Mooring_Init

  ! From t to t + dt with the inputs at t + dt. Called again with the same n it takes the trial back and starts from the same
  ! state. A higher n says that the interval before is settled.
  subroutine Mooring_UpdateStates(n, u, m, ErrStat, ErrMsg)
    integer, intent(in) :: n
    type(Mooring_InputType), intent(in) :: u
    type(Mooring_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    integer :: i
    if (m%Interval >= 0) then
      if (n > m%Interval) then
        call pintle_accept(m%sys, status)
      else
        call pintle_reject(m%sys, status)
      end if
      if (Failed()) return
    end if
    m%Interval = -1  ! until there is a trial again
    do i = 1, size(m%fairlead)
      call pintle_set_point_motion(m%sys, m%fairlead(i), u%Position(:, i), u%Velocity(:, i), u%Acceleration(:, i), status)
      if (Failed()) return
    end do
    call pintle_advance(m%sys, m%dt, status)
    if (Failed()) return
    m%Interval = n

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Mooring_UpdateStates', ErrStat, ErrMsg)
    end function Failed

  end subroutine Mooring_UpdateStates

  ! Forces and tensions at the end of the interval that was tried last, or at the start.
  subroutine Mooring_CalcOutput(m, y, ErrStat, ErrMsg)
    type(Mooring_MiscVarType), intent(in) :: m
    type(Mooring_OutputType), intent(inout) :: y
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    real(dp) :: tensions(m%segments)
    integer(c_int32_t) :: status
    integer :: i
    if (.not. allocated(y%Force)) allocate (y%Force(3, size(m%line)), y%Tension(size(m%line)))
    do i = 1, size(m%line)
      call pintle_get_line_end_force(m%sys, m%line(i), 1_c_int32_t, y%Force(:, i), status)
      if (Failed()) return
      call pintle_get_line_tensions(m%sys, m%line(i), tensions, status)
      if (Failed()) return
      y%Tension(i) = tensions(m%segments)
    end do

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Mooring_CalcOutput', ErrStat, ErrMsg)
    end function Failed

  end subroutine Mooring_CalcOutput

  subroutine Mooring_End(m, ErrStat, ErrMsg)
    type(Mooring_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    deallocate (m%fairlead, m%line)
    call pintle_destroy(m%sys, status)
    if (IsFatal(status, m, 'Mooring_End', ErrStat, ErrMsg)) return
  end subroutine Mooring_End

  ! Turns a status into OpenFAST's ErrStat and ErrMsg.
  logical function IsFatal(status, m, routine, ErrStat, ErrMsg)
    integer(c_int32_t), intent(in) :: status
    type(Mooring_MiscVarType), intent(in) :: m
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

end module MooringLines

program mooring_module
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use example
  use MooringLines
  implicit none

  real(dp), parameter :: pi = 3.14159265358979323846_dp, dt = 0.1_dp
  integer, parameter :: lines = 3, steps = 400, segments = 20

  ! Lines with the properties of OC3 Hywind's: Jonkman (2010), NREL/TP-500-47535.
  real(dp), parameter :: anchor_radius = 853.87_dp, fairlead_radius = 5.2_dp, depth = 320.0_dp, fairlead_depth = 70.0_dp

  ! Tension of line 1 at 10, 20, 30 and 40 s by MoorDyn 2.7.2, its Runge-Kutta method with steps of 1.25 ms, kN.
  real(dp), parameter :: known(4) = [722.206_dp, 649.183_dp, 555.459_dp, 484.631_dp], largest_known = 1332.188_dp
  real(dp) :: direct(3, lines, steps), repeated(3, lines, steps), tension(lines, steps)
  integer :: k

  call simulate(.false., direct, tension)
  print '(a)', ' time (s)   tensions of lines 1, 2 and 3 (kN)    known for line 1'
  do k = 1, 4
    print '(f9.1, 4f13.3)', 10.0_dp * k, 1e-3_dp * tension(:, 100 * k), known(k)
    call require(abs(1e-3_dp * tension(1, 100 * k) - known(k)) < 5e-3_dp * largest_known, &
                 'tension of line 1: ' // decimal(1e-3_dp * tension(1, 100 * k), 3))
  end do
  call simulate(.true., repeated, tension)
  print '(a, es9.2, a)', 'every interval tried twice: largest difference of a force ', maxval(abs(repeated - direct)), ' N'
  call require(all(abs(repeated - direct) <= 0), 'the rejected trials left something behind')

contains

  ! A sine that sets in within 10 s: value, velocity, acceleration.
  function swing(t, amplitude, period) result(s)
    real(dp), intent(in) :: t, amplitude, period
    real(dp) :: s(3), w, u, ramp, slope, bend
    w = 2 * pi / period
    u = min(t / 10, 1.0_dp)
    ramp = u * u * (3 - 2 * u)
    slope = 6 * u * (1 - u) / 10
    bend = 0
    if (u < 1) bend = (6 - 12 * u) / 100
    s = amplitude * [ramp * sin(w * t), slope * sin(w * t) + ramp * w * cos(w * t), &
                     bend * sin(w * t) + 2 * slope * w * cos(w * t) - ramp * w * w * sin(w * t)]
  end function swing

  ! Where the module next door takes the fairleads: a platform that surges, sways and heaves.
  function platform(t) result(u)
    real(dp), intent(in) :: t
    type(Mooring_InputType) :: u
    real(dp) :: moved(3, 3), angle
    integer :: i
    allocate (u%Position(3, lines), u%Velocity(3, lines), u%Acceleration(3, lines))
    moved(1, :) = swing(t, 2.0_dp, 10.0_dp)
    moved(2, :) = swing(t, 0.5_dp, 13.0_dp)
    moved(3, :) = swing(t, 1.0_dp, 9.0_dp)
    do i = 1, lines
      angle = 2 * pi * (i - 1) / lines
      u%Position(:, i) = [fairlead_radius * cos(angle), fairlead_radius * sin(angle), -fairlead_depth] + moved(:, 1)
      u%Velocity(:, i) = moved(:, 2)
      u%Acceleration(:, i) = moved(:, 3)
    end do
  end function platform

  ! The glue code: with `twice` it tries each interval with a wrong motion first.
  subroutine simulate(twice, forces, tensions)
    logical, intent(in) :: twice
    real(dp), intent(out) :: forces(3, lines, steps), tensions(lines, steps)
    type(Mooring_InitInputType) :: InitInp
    type(Mooring_InputType) :: u
    type(Mooring_OutputType) :: y
    type(Mooring_MiscVarType) :: m
    integer :: n, i, ErrStat
    character(len=ErrMsgLen) :: ErrMsg
    allocate (InitInp%Anchors(3, lines))
    do i = 1, lines
      InitInp%Anchors(:, i) = [anchor_radius * cos(2 * pi * (i - 1) / lines), anchor_radius * sin(2 * pi * (i - 1) / lines), &
                               -depth]
    end do
    InitInp%Gravity = 9.80665_dp
    InitInp%WaterDensity = 1025.0_dp
    InitInp%Depth = depth
    InitInp%Diameter = 0.09_dp
    InitInp%MassPerLength = 77.7066_dp
    InitInp%EA = 384.243e6_dp
    InitInp%BA = -0.8_dp  ! a fraction of critical
    InitInp%Cdn = 1.6_dp
    InitInp%Can = 1.0_dp
    InitInp%Cdt = 0.1_dp
    InitInp%Length = 902.2_dp
    InitInp%Segments = segments
    call Mooring_Init(InitInp, platform(0.0_dp), m, dt, ErrStat, ErrMsg)
    call require(ErrStat < ErrID_Fatal, ErrMsg)
    do n = 0, steps - 1
      if (twice) then
        u = platform((n + 1) * dt)
        u%Position = u%Position + 0.05_dp
        call Mooring_UpdateStates(n, u, m, ErrStat, ErrMsg)
        call require(ErrStat < ErrID_Fatal, ErrMsg)
      end if
      if (n == steps / 2) call check_refusal(n, m)
      u = platform((n + 1) * dt)
      call Mooring_UpdateStates(n, u, m, ErrStat, ErrMsg)
      call require(ErrStat < ErrID_Fatal, ErrMsg)
      call Mooring_CalcOutput(m, y, ErrStat, ErrMsg)
      call require(ErrStat < ErrID_Fatal, ErrMsg)
      forces(:, :, n + 1) = y%Force
      tensions(:, n + 1) = y%Tension
    end do
    call Mooring_End(m, ErrStat, ErrMsg)
    call require(ErrStat < ErrID_Fatal, ErrMsg)
  end subroutine simulate

  ! A bad input comes back as OpenFAST wants it, and does no harm: the interval is repeated with the good one.
  subroutine check_refusal(n, m)
    integer, intent(in) :: n
    type(Mooring_MiscVarType), intent(inout) :: m
    type(Mooring_InputType) :: bad
    integer :: ErrStat
    character(len=ErrMsgLen) :: ErrMsg
    bad = platform((n + 1) * dt)
    bad%Velocity(1, 2) = ieee_value(1.0_dp, ieee_quiet_nan)
    call Mooring_UpdateStates(n, bad, m, ErrStat, ErrMsg)
    call require(ErrStat == ErrID_Fatal, 'ErrStat of a NaN')
    call require(index(ErrMsg, 'Mooring_UpdateStates: PINTLE_ERR_NOT_FINITE: ') == 1, 'ErrMsg of a NaN')
  end subroutine check_refusal

end program mooring_module
