! A flexible blade inside a module in the manner of OpenFAST's BeamDyn: Init, UpdateStates, CalcOutput, End, with ErrStat and
! ErrMsg. The glue code gives the motion of the root and loads per length at its aerodynamic nodes, off the blade's axis; what
! comes back are the motions of these nodes and the loads on the root.
!
! The driver spins the root up and holds its speed under a steady pressure. It tries each interval with loads that are wrong
! first, takes the trial back, and repeats the interval, as glue codes do that look for agreement between modules: all numbers
! must be those of a run that knows the loads at once, bit by bit. In the end the root carries what the blade's turning and
! the pressure need, in closed form. Exit status 1 means that a number is not what it must be.
!
! Compile in the root of the repository, after cargo build --release:
!   gfortran -Jtarget include/pintle{_raw,}.f90 fortran_examples/{example,blade_module}.f90 target/release/libpintle.a -lm -o target/blade_module

! The blade's module. Types and arguments are those of OpenFAST, cut down to what is used here.
module FlexibleBlade
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t
  use pintle
  implicit none
  private
  public :: Blade_Init, Blade_UpdateStates, Blade_CalcOutput, Blade_End

  ! OpenFAST's levels; its glue code stops at ErrID_Fatal. pintle_explain gives the same numbers.
  integer, parameter, public :: ErrID_None = 0, ErrID_Fatal = 4, ErrMsgLen = 1024

  type, public :: Blade_InitInputType
    real(dp) :: RootRadius, Length, Stiffness(6), MassPerLength(4), Damping(6)
    integer :: Elements
    ! Aerodynamic nodes: arc lengths from the root, and places in the axes of the section.
    real(dp), allocatable :: Span(:), Offset(:, :)
  end type Blade_InitInputType

  ! A mesh with the root's motion; and a line mesh with loads per length, in inertial axes.
  type, public :: Blade_InputType
    real(dp) :: RootPose(7), RootVelocity(6), RootAcceleration(6)
    real(dp), allocatable :: Force(:, :)
  end type Blade_InputType

  ! Motions of the aerodynamic nodes; the blade's wrench on its root, in the axes of the section there.
  type, public :: Blade_OutputType
    real(dp), allocatable :: Pose(:, :), Velocity(:, :)
    real(dp) :: RootLoad(6)
  end type Blade_OutputType

  ! All states live inside the system: accepted and tried ones.
  type, public :: Blade_MiscVarType
    type(pintle_system) :: sys
    integer(c_int32_t) :: root, beam
    integer(c_int32_t), allocatable :: place(:)
    integer :: Interval = -1  ! the one that was tried last, and is not accepted yet
    real(dp) :: dt
  end type Blade_MiscVarType

contains

  subroutine Blade_Init(InitInp, u, m, dt, ErrStat, ErrMsg)
    type(Blade_InitInputType), intent(in) :: InitInp
    type(Blade_InputType), intent(in) :: u  ! at time 0
    type(Blade_MiscVarType), intent(inout) :: m
    real(dp), intent(in) :: dt
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    real(dp), parameter :: zero(3) = 0, inertia(6) = [1, 1, 1, 0, 0, 0]
    real(dp) :: ends(3, 2)
    integer(c_int32_t) :: status
    integer :: i
    m%dt = dt
    m%Interval = -1
    allocate (m%place(size(InitInp%Span)))
    ends = 0
    ends(1, :) = InitInp%RootRadius + [0.0_dp, InitInp%Length]
    call pintle_create(m%sys, status)
    if (Failed()) return
    call pintle_set_gravity(m%sys, zero, status)
    if (Failed()) return
    call pintle_add_rigid_body(m%sys, 1.0_dp, zero, inertia, u%RootPose, m%root, status)
    if (Failed()) return
    call pintle_set_body_prescribed(m%sys, m%root, .true., status)
    if (Failed()) return
    call pintle_add_uniform_beam(m%sys, ends(:, 1), ends(:, 2), [0.0_dp, 1.0_dp, 0.0_dp], InitInp%Stiffness, &
                                 InitInp%MassPerLength, InitInp%Damping, m%beam, status)
    if (Failed()) return
    call pintle_attach_beam(m%sys, m%beam, 0_c_int32_t, m%root, status)
    if (Failed()) return
    call pintle_mesh_beam(m%sys, m%beam, int(InitInp%Elements, c_int32_t), status)
    if (Failed()) return
    do i = 1, size(m%place)
      call pintle_add_beam_load(m%sys, m%beam, InitInp%Span(i), InitInp%Offset(:, i), .true., m%place(i), status)
      if (Failed()) return
    end do
    call pintle_initialize(m%sys, 0.0_dp, status)
    if (Failed()) return

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Blade_Init', ErrStat, ErrMsg)
    end function Failed

  end subroutine Blade_Init

  ! From t to t + dt with the inputs at t + dt. Called again with the same n it takes the trial back and starts from the same
  ! state. A higher n says that the interval before is settled.
  subroutine Blade_UpdateStates(n, u, m, ErrStat, ErrMsg)
    integer, intent(in) :: n
    type(Blade_InputType), intent(in) :: u
    type(Blade_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    real(dp), parameter :: no_moment(3) = 0
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
    call pintle_set_body_motion(m%sys, m%root, u%RootPose, u%RootVelocity, u%RootAcceleration, status)
    if (Failed()) return
    do i = 1, size(m%place)
      call pintle_set_beam_load(m%sys, m%beam, m%place(i), PINTLE_FRAME_INERTIAL, [u%Force(:, i), no_moment], status)
      if (Failed()) return
    end do
    call pintle_advance(m%sys, m%dt, status)
    if (Failed()) return
    m%Interval = n

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Blade_UpdateStates', ErrStat, ErrMsg)
    end function Failed

  end subroutine Blade_UpdateStates

  ! Motions and the root's load at the end of the interval that was tried last, or at the start.
  subroutine Blade_CalcOutput(m, y, ErrStat, ErrMsg)
    type(Blade_MiscVarType), intent(in) :: m
    type(Blade_OutputType), intent(inout) :: y
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    integer :: i
    if (.not. allocated(y%Pose)) allocate (y%Pose(7, size(m%place)), y%Velocity(6, size(m%place)))
    do i = 1, size(m%place)
      call pintle_get_beam_load_motion(m%sys, m%beam, m%place(i), y%Pose(:, i), y%Velocity(:, i), status)
      if (Failed()) return
    end do
    call pintle_get_beam_section_load(m%sys, m%beam, 0.0_dp, PINTLE_FRAME_BODY, y%RootLoad, status)
    if (Failed()) return

  contains

    logical function Failed()
      Failed = IsFatal(status, m, 'Blade_CalcOutput', ErrStat, ErrMsg)
    end function Failed

  end subroutine Blade_CalcOutput

  subroutine Blade_End(m, ErrStat, ErrMsg)
    type(Blade_MiscVarType), intent(inout) :: m
    integer, intent(out) :: ErrStat
    character(len=*), intent(out) :: ErrMsg
    integer(c_int32_t) :: status
    deallocate (m%place)
    call pintle_destroy(m%sys, status)
    if (IsFatal(status, m, 'Blade_End', ErrStat, ErrMsg)) return
  end subroutine Blade_End

  ! Turns a status into OpenFAST's ErrStat and ErrMsg.
  logical function IsFatal(status, m, routine, ErrStat, ErrMsg)
    integer(c_int32_t), intent(in) :: status
    type(Blade_MiscVarType), intent(in) :: m
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

end module FlexibleBlade

program blade_module
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use example
  use FlexibleBlade
  implicit none

  real(dp), parameter :: pi = 3.14159265358979323846_dp, dt = 0.02_dp
  integer, parameter :: steps = 400, nodes = 7, elements = 6

  ! A blade along x that turns about z; the pressure acts along z, a quarter of a metre before the axis of the blade.
  real(dp), parameter :: radius = 1.0_dp, length = 20.0_dp, mass = 50.0_dp, bending = 5.0e7_dp, speed = 1.5_dp
  real(dp), parameter :: pressure = 200.0_dp, lead = 0.25_dp, spin_up = 3.0_dp
  real(dp) :: direct(6, steps), repeated(6, steps), tips(3, steps), expected(6)
  integer :: k

  call simulate(.false., direct, tips)
  print '(a)', ' time (s)   pull, shear, bending and twist of the root (kN, kN m)   tip along z (m)'
  do k = 80, steps, 80
    print '(f9.1, 5f14.4)', k * dt, 1e-3_dp * direct([1, 3, 5, 4], k), tips(3, k)
  end do
  ! Pull of the turning masses; pressure, and its moments about the axes of bending and of the blade.
  expected = 0
  expected(1) = 0.5_dp * mass * speed**2 * ((radius + length)**2 - radius**2)
  expected(3) = pressure * length
  expected(4) = pressure * length * lead
  ! The deflection of 0.08 m shortens radii and levers by 1e-5; half a thousandth is left of the ringing of the spin-up,
  ! which the damping takes away.
  do k = 1, 4
    if (k == 2) cycle
    call require(abs(direct(k, steps) - expected(k)) < 2e-3_dp * max(abs(expected(k)), expected(3)), &
                 'load of the root: ' // decimal(direct(k, steps), 3))
  end do
  call simulate(.true., repeated, tips)
  print '(a, es9.2, a)', 'every interval tried twice: largest difference of a load ', maxval(abs(repeated - direct)), ' N'
  call require(all(abs(repeated - direct) <= 0), 'the rejected trials left something behind')

contains

  ! Where the module next door takes the root, and the loads of the air: both set in within some seconds.
  function surroundings(t) result(u)
    real(dp), intent(in) :: t
    type(Blade_InputType) :: u
    real(dp) :: w, angle, rate, change
    w = pi / spin_up
    angle = 0.5_dp * speed * (min(t, spin_up) - sin(w * min(t, spin_up)) / w) + speed * max(t - spin_up, 0.0_dp)
    rate = 0.5_dp * speed * (1 - cos(w * min(t, spin_up)))
    change = 0
    if (t < spin_up) change = 0.5_dp * speed * w * sin(w * t)
    u%RootPose = [0.0_dp, 0.0_dp, 0.0_dp, cos(0.5_dp * angle), 0.0_dp, 0.0_dp, sin(0.5_dp * angle)]
    u%RootVelocity = [0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, rate]
    u%RootAcceleration = [0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, change]
    allocate (u%Force(3, nodes))
    u%Force = 0
    u%Force(3, :) = pressure * rate / speed
  end function surroundings

  ! The glue code: with `twice` it tries each interval with wrong loads first.
  subroutine simulate(twice, loads, tips)
    logical, intent(in) :: twice
    real(dp), intent(out) :: loads(6, steps), tips(3, steps)
    type(Blade_InitInputType) :: InitInp
    type(Blade_InputType) :: u
    type(Blade_OutputType) :: y
    type(Blade_MiscVarType) :: m
    integer :: n, i, ErrStat
    character(len=ErrMsgLen) :: ErrMsg
    InitInp%RootRadius = radius
    InitInp%Length = length
    InitInp%Stiffness = [1.0e9_dp, 3.0e8_dp, 3.0e8_dp, 3.0e7_dp, bending, bending]
    InitInp%MassPerLength = [mass, 20.0_dp, 10.0_dp, 10.0_dp]
    InitInp%Damping = 0.02_dp
    InitInp%Elements = elements
    allocate (InitInp%Span(nodes), InitInp%Offset(3, nodes))
    InitInp%Span = [(length * (i - 1) / (nodes - 1), i = 1, nodes)]
    InitInp%Offset = 0
    InitInp%Offset(2, :) = lead
    call Blade_Init(InitInp, surroundings(0.0_dp), m, dt, ErrStat, ErrMsg)
    call require(ErrStat < ErrID_Fatal, ErrMsg)
    do n = 0, steps - 1
      if (twice) then
        u = surroundings((n + 1) * dt)
        u%Force = u%Force + 30.0_dp
        call Blade_UpdateStates(n, u, m, ErrStat, ErrMsg)
        call require(ErrStat < ErrID_Fatal, ErrMsg)
      end if
      if (n == steps / 2) call check_refusal(n, m)
      u = surroundings((n + 1) * dt)
      call Blade_UpdateStates(n, u, m, ErrStat, ErrMsg)
      call require(ErrStat < ErrID_Fatal, ErrMsg)
      call Blade_CalcOutput(m, y, ErrStat, ErrMsg)
      call require(ErrStat < ErrID_Fatal, ErrMsg)
      loads(:, n + 1) = y%RootLoad
      tips(:, n + 1) = y%Pose(1:3, nodes)
    end do
    call Blade_End(m, ErrStat, ErrMsg)
    call require(ErrStat < ErrID_Fatal, ErrMsg)
  end subroutine simulate

  ! A bad input comes back as OpenFAST wants it, and does no harm: the interval is repeated with the good one.
  subroutine check_refusal(n, m)
    integer, intent(in) :: n
    type(Blade_MiscVarType), intent(inout) :: m
    type(Blade_InputType) :: bad
    integer :: ErrStat
    character(len=ErrMsgLen) :: ErrMsg
    bad = surroundings((n + 1) * dt)
    bad%Force(1, 2) = ieee_value(1.0_dp, ieee_quiet_nan)
    call Blade_UpdateStates(n, bad, m, ErrStat, ErrMsg)
    call require(ErrStat == ErrID_Fatal, 'ErrStat of a NaN')
    call require(index(ErrMsg, 'Blade_UpdateStates: PINTLE_ERR_NOT_FINITE: ') == 1, 'ErrMsg of a NaN')
  end subroutine check_refusal

end program blade_module
