! pintle for Fortran: rigid multibody dynamics for programs that have no structural solver of their own.
!
!   type(pintle_system) :: sys
!   integer(c_int32_t) :: body, joint, status
!   real(c_double) :: pose(7)
!
!   call pintle_create(sys)
!   call pintle_set_gravity(sys, [0d0, 0d0, -9.81d0])
!   call pintle_add_rigid_body(sys, 1d0, [0d0, 0d0, 0d0], [0.1d0, 0.1d0, 0.1d0, 0d0, 0d0, 0d0], &
!                              [1d0, 0d0, 0d0, 1d0, 0d0, 0d0, 0d0], body)
!   call pintle_add_joint_at(sys, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, body, [0d0, 0d0, 0d0], joint=joint)
!   call pintle_initialize(sys, 0d0)
!   call pintle_step(sys, 0.01d0, status)
!   call pintle_get_body_pose(sys, body, pose)
!   call pintle_destroy(sys)
!
! Every function of pintle.h is here under its own name, with its arguments in the same order; pintle.h says what each
! does, in which units, frames and phases, and which errors it has. What differs from C:
!
! STATUS. Functions become subroutines; the status is an optional last argument. Give it, and it is PINTLE_OK or what
! went wrong; pintle_explain turns it into a message and a severity. Leave it out, and a failure ends the program with
! that message, as ALLOCATE without STAT does. After a failure the results are undefined, but handles stay as they were.
!
! SYSTEMS AND STATES. A type(pintle_system) variable is empty until pintle_create, pintle_clone or pintle_load_model;
! pintle_destroy frees it and makes it empty. One that is local, or part of something allocated, is also freed when it
! ceases to exist (elements of arrays are not: destroy them). Assignment copies the reference: both variables then mean
! the same system, and the one that created it is the one to destroy it. The same holds for type(pintle_state) and
! pintle_state_save.
!
! ARRAYS. Fixed shapes are checked by the compiler: pose(7), and a(6,6) where a(i,j) is row i, column j. Batches are
! x(7,n) or x(6,n); n is taken from them, and the library compares it.
!
! TEXT. Trailing blanks of what is passed in are dropped; what comes out is allocated to its length.
!
! Compile pintle_raw.f90, then this file, and link with -lpintle. Fortran 2003. MIT OR Apache-2.0.
module pintle
  use pintle_constants
  use pintle_raw, only: pintle_api, pintle_load_fn
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_funloc, c_funptr, c_int32_t, &
      c_int64_t, c_int8_t, c_loc, c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private :: c_associated, c_char, c_double, c_f_pointer, c_funloc, c_funptr, c_int32_t, &
      c_int64_t, c_int8_t, c_loc, c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_size_t, error_unit

  ! Short names of the kinds, for the declarations below.
  integer, parameter, private :: dp = c_double, i4 = c_int32_t, i8 = c_int64_t

  ! A multibody system. `handle` is C's pintle_system *, for calls of module pintle_raw.
  type :: pintle_system
    private
    type(c_ptr), public :: handle = c_null_ptr
    ! Where the variable stood that the system was created in: a copy of the bits stands elsewhere, and frees nothing.
    type(c_ptr) :: owner = c_null_ptr
  contains
    final :: system_ceases
  end type pintle_system

  ! A saved state. `handle` is C's pintle_state *.
  type :: pintle_state
    private
    type(c_ptr), public :: handle = c_null_ptr
    type(c_ptr) :: owner = c_null_ptr
  contains
    final :: state_ceases
  end type pintle_state

  private :: finish, hold, release_system, system_ceases, release_state, state_ceases
  private :: items, pairs, take_text, text_of, joined

contains

  ! ---- Status ------------------------------------------------------------------------------------------------------

  ! What a status means: the library's name and message for it, and how severe it is on OpenFAST's scale (0 none to
  ! 4 fatal). The message is that of the last failed call on `sys`, or of this thread if `sys` is not given.
  subroutine pintle_explain(status, message, severity, sys)
    integer(i4), intent(in) :: status
    character(len=:), allocatable, intent(out), optional :: message
    integer(i4), intent(out), optional :: severity
    type(pintle_system), intent(in), optional :: sys
    character(len=:), allocatable :: details
    type(pintle_system) :: asked
    integer(i4) :: ignored
    if (present(severity)) severity = pintle_status_severity(status)
    if (.not. present(message)) return
    message = ''
    if (status == PINTLE_OK) return
    if (present(sys)) asked%handle = sys%handle
    call pintle_error_message(asked, details, ignored)
    message = pintle_status_name(status) // ': ' // details
  end subroutine pintle_explain

  ! Ends every call: gives the status to who asked for it, and stops the program at a failure that nobody asked for.
  subroutine finish(code, status)
    integer(i4), intent(in) :: code
    integer(i4), intent(out), optional :: status
    character(len=:), allocatable :: message
    if (present(status)) then
      status = code
    else if (code /= PINTLE_OK) then
      call pintle_explain(code, message)
      write (error_unit, '(a)') message
      stop 1
    end if
  end subroutine finish

  ! ---- Library -----------------------------------------------------------------------------------------------------

  function pintle_version() result(version)
    use pintle_raw, only: raw => c_pintle_version
    character(len=:), allocatable :: version
    version = text_of(raw())
  end function pintle_version

  function pintle_abi_version() result(abi)
    use pintle_raw, only: raw => c_pintle_abi_version
    integer(i4) :: abi
    abi = raw()
  end function pintle_abi_version

  function pintle_status_name(status) result(name)
    use pintle_raw, only: raw => c_pintle_status_name
    integer(i4), intent(in) :: status
    character(len=:), allocatable :: name
    name = text_of(raw(status))
  end function pintle_status_name

  function pintle_status_severity(status) result(severity)
    use pintle_raw, only: raw => c_pintle_status_severity
    integer(i4), intent(in) :: status
    integer(i4) :: severity
    severity = raw(status)
  end function pintle_status_severity

  ! The message of the last failed call on `sys`; an empty `sys` asks for that of this thread, whatever it was about.
  subroutine pintle_error_message(sys, text, status)
    use pintle_raw, only: raw => c_pintle_error_message
    type(pintle_system), intent(in) :: sys
    character(len=:), allocatable, intent(out) :: text
    integer(i4), intent(out), optional :: status
    call take_text(raw, sys, text, status)
  end subroutine pintle_error_message

  ! The table of all functions as C function pointers, for those who pass it on to C.
  subroutine pintle_get_api(api, status)
    use pintle_raw, only: raw => c_pintle_get_api
    type(pintle_api), intent(out) :: api
    integer(i4), intent(out), optional :: status
    integer(c_int8_t) :: byte(1)
    call finish(raw(PINTLE_ABI, size(transfer(api, byte), kind=i8), api), status)
  end subroutine pintle_get_api

  ! ---- Life cycle --------------------------------------------------------------------------------------------------

  ! A system that the variable created before is freed.
  subroutine pintle_create(sys, status)
    use pintle_raw, only: raw => c_pintle_create
    type(pintle_system), intent(inout), target :: sys
    integer(i4), intent(out), optional :: status
    type(c_ptr) :: handle
    integer(i4) :: code
    code = raw(handle)
    if (code == PINTLE_OK) call hold(sys, handle)
    call finish(code, status)
  end subroutine pintle_create

  ! As pintle_create; `out` must be another variable than `sys`.
  subroutine pintle_clone(sys, out, status)
    use pintle_raw, only: raw => c_pintle_clone
    type(pintle_system), intent(in) :: sys
    type(pintle_system), intent(inout), target :: out
    integer(i4), intent(out), optional :: status
    type(c_ptr) :: handle
    integer(i4) :: code
    code = raw(sys%handle, handle)
    if (code == PINTLE_OK) call hold(out, handle)
    call finish(code, status)
  end subroutine pintle_clone

  ! As pintle_create, with the model that a file describes.
  subroutine pintle_load_model(path, sys, status)
    use pintle_raw, only: raw => c_pintle_load_model
    character(len=*), intent(in) :: path
    type(pintle_system), intent(inout), target :: sys
    integer(i4), intent(out), optional :: status
    type(c_ptr) :: handle
    integer(i4) :: code
    code = raw(trim(path) // c_null_char, handle)
    if (code == PINTLE_OK) call hold(sys, handle)
    call finish(code, status)
  end subroutine pintle_load_model

  subroutine pintle_save_model(sys, path, status)
    use pintle_raw, only: raw => c_pintle_save_model
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: path
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(path) // c_null_char), status)
  end subroutine pintle_save_model

  subroutine pintle_destroy(sys, status)
    use pintle_raw, only: raw => c_pintle_destroy
    type(pintle_system), intent(inout) :: sys
    integer(i4), intent(out), optional :: status
    integer(i4) :: code
    code = raw(sys%handle)
    if (code == PINTLE_OK) sys%owner = c_null_ptr
    call finish(code, status)
  end subroutine pintle_destroy

  ! Makes the variable the owner of a new system.
  subroutine hold(sys, handle)
    type(pintle_system), intent(inout), target :: sys
    type(c_ptr), intent(in) :: handle
    call release_system(sys)
    sys%handle = handle
    sys%owner = c_loc(sys)
  end subroutine hold

  ! Frees the system if this variable created it.
  subroutine release_system(sys)
    type(pintle_system), intent(inout), target :: sys
    integer(i4) :: ignored
    if (c_associated(sys%owner, c_loc(sys))) call pintle_destroy(sys, ignored)
  end subroutine release_system

  ! Without TARGET, which release_system needs: with it gfortran 12 hands a final procedure the wrong address.
  subroutine system_ceases(sys)
    type(pintle_system), intent(inout) :: sys
    call release_system(sys)
  end subroutine system_ceases

  subroutine pintle_phase(sys, phase, status)
    use pintle_raw, only: raw => c_pintle_phase
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(out) :: phase
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, phase), status)
  end subroutine pintle_phase

  subroutine pintle_initialize(sys, t0, status)
    use pintle_raw, only: raw => c_pintle_initialize
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: t0
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, t0), status)
  end subroutine pintle_initialize

  ! ---- Model -------------------------------------------------------------------------------------------------------

  subroutine pintle_set_gravity(sys, gravity, status)
    use pintle_raw, only: raw => c_pintle_set_gravity
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: gravity(3)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, gravity), status)
  end subroutine pintle_set_gravity

  subroutine pintle_add_body(sys, mass, pose, body, status)
    use pintle_raw, only: raw => c_pintle_add_body
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: mass(6, 6), pose(7)
    integer(i4), intent(out) :: body
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, mass, pose, body), status)
  end subroutine pintle_add_body

  subroutine pintle_add_rigid_body(sys, mass, com, inertia, pose, body, status)
    use pintle_raw, only: raw => c_pintle_add_rigid_body
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: mass, com(3), inertia(6), pose(7)
    integer(i4), intent(out) :: body
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, mass, com, inertia, pose, body), status)
  end subroutine pintle_add_rigid_body

  subroutine pintle_set_body_velocity(sys, body, velocity, status)
    use pintle_raw, only: raw => c_pintle_set_body_velocity
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    real(dp), intent(in) :: velocity(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, velocity), status)
  end subroutine pintle_set_body_velocity

  subroutine pintle_set_body_acceleration(sys, body, acceleration, status)
    use pintle_raw, only: raw => c_pintle_set_body_acceleration
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    real(dp), intent(in) :: acceleration(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, acceleration), status)
  end subroutine pintle_set_body_acceleration

  subroutine pintle_add_joint(sys, kind, body_a, body_b, frame_a, frame_b, joint, status)
    use pintle_raw, only: raw => c_pintle_add_joint
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: kind, body_a, body_b
    real(dp), intent(in) :: frame_a(7), frame_b(7)
    integer(i4), intent(out) :: joint
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, kind, body_a, body_b, frame_a, frame_b, joint), status)
  end subroutine pintle_add_joint

  ! FIXED and SPHERICAL joints need no axis: leave it out, and name the argument behind it: joint=joint.
  subroutine pintle_add_joint_at(sys, kind, body_a, body_b, point, axis, joint, status)
    use pintle_raw, only: raw => c_pintle_add_joint_at
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: kind, body_a, body_b
    real(dp), intent(in) :: point(3)
    real(dp), intent(in), optional :: axis(3)
    integer(i4), intent(out) :: joint
    integer(i4), intent(out), optional :: status
    real(dp), target :: given_axis(3)
    type(c_ptr) :: axis_or_null
    axis_or_null = c_null_ptr
    if (present(axis)) then
      given_axis = axis
      axis_or_null = c_loc(given_axis)
    end if
    call finish(raw(sys%handle, kind, body_a, body_b, point, axis_or_null, joint), status)
  end subroutine pintle_add_joint_at

  subroutine pintle_set_body_prescribed(sys, body, prescribed, status)
    use pintle_raw, only: raw => c_pintle_set_body_prescribed
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    logical, intent(in) :: prescribed
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, merge(1_i4, 0_i4, prescribed)), status)
  end subroutine pintle_set_body_prescribed

  subroutine pintle_set_joint_driven(sys, joint, driven, status)
    use pintle_raw, only: raw => c_pintle_set_joint_driven
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint
    logical, intent(in) :: driven
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, joint, merge(1_i4, 0_i4, driven)), status)
  end subroutine pintle_set_joint_driven

  subroutine pintle_set_joint_spring(sys, joint, stiffness, damping, rest, status)
    use pintle_raw, only: raw => c_pintle_set_joint_spring
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint
    real(dp), intent(in) :: stiffness, damping, rest
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, joint, stiffness, damping, rest), status)
  end subroutine pintle_set_joint_spring

  subroutine pintle_set_joint_pitch(sys, joint, pitch, status)
    use pintle_raw, only: raw => c_pintle_set_joint_pitch
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint
    real(dp), intent(in) :: pitch
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, joint, pitch), status)
  end subroutine pintle_set_joint_pitch

  ! `tension_only` is false unless given.
  subroutine pintle_add_spring(sys, body_a, point_a, body_b, point_b, stiffness, damping, rest_length, tension_only, &
      spring, status)
    use pintle_raw, only: raw => c_pintle_add_spring
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body_a, body_b
    real(dp), intent(in) :: point_a(3), point_b(3), stiffness, damping, rest_length
    logical, intent(in), optional :: tension_only
    integer(i4), intent(out) :: spring
    integer(i4), intent(out), optional :: status
    integer(i4) :: only_pulls
    only_pulls = 0
    if (present(tension_only)) only_pulls = merge(1_i4, 0_i4, tension_only)
    call finish(raw(sys%handle, body_a, point_a, body_b, point_b, stiffness, damping, rest_length, only_pulls, &
        spring), status)
  end subroutine pintle_add_spring

  subroutine pintle_add_bushing(sys, body_a, body_b, frame_a, frame_b, stiffness, damping, bushing, status)
    use pintle_raw, only: raw => c_pintle_add_bushing
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body_a, body_b
    real(dp), intent(in) :: frame_a(7), frame_b(7), stiffness(6, 6), damping(6, 6)
    integer(i4), intent(out) :: bushing
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body_a, body_b, frame_a, frame_b, stiffness, damping, bushing), status)
  end subroutine pintle_add_bushing

  subroutine pintle_add_marker(sys, body, frame, marker, status)
    use pintle_raw, only: raw => c_pintle_add_marker
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    real(dp), intent(in) :: frame(7)
    integer(i4), intent(out) :: marker
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, frame, marker), status)
  end subroutine pintle_add_marker

  subroutine pintle_set_name(sys, kind, id, name, status)
    use pintle_raw, only: raw => c_pintle_set_name
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: kind, name
    integer(i4), intent(in) :: id
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(kind) // c_null_char, id, trim(name) // c_null_char), status)
  end subroutine pintle_set_name

  subroutine pintle_find(sys, kind, name, id, status)
    use pintle_raw, only: raw => c_pintle_find
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: kind, name
    integer(i4), intent(out) :: id
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(kind) // c_null_char, trim(name) // c_null_char, id), status)
  end subroutine pintle_find

  subroutine pintle_count(sys, kind, count, status)
    use pintle_raw, only: raw => c_pintle_count
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: kind
    integer(i4), intent(out) :: count
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(kind) // c_null_char, count), status)
  end subroutine pintle_count

  subroutine pintle_set_added_mass(sys, body, a, frame, status)
    use pintle_raw, only: raw => c_pintle_set_added_mass
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body, frame
    real(dp), intent(in) :: a(6, 6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, a, frame), status)
  end subroutine pintle_set_added_mass

  subroutine pintle_set_linear_damping(sys, body, c, frame, status)
    use pintle_raw, only: raw => c_pintle_set_linear_damping
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body, frame
    real(dp), intent(in) :: c(6, 6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, c, frame), status)
  end subroutine pintle_set_linear_damping

  subroutine pintle_set_quadratic_drag(sys, body, d, frame, status)
    use pintle_raw, only: raw => c_pintle_set_quadratic_drag
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body, frame
    real(dp), intent(in) :: d(6, 6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, d, frame), status)
  end subroutine pintle_set_quadratic_drag

  ! ---- Settings ----------------------------------------------------------------------------------------------------

  subroutine pintle_set_scheme(sys, name, status)
    use pintle_raw, only: raw => c_pintle_set_scheme
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: name
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(name) // c_null_char), status)
  end subroutine pintle_set_scheme

  subroutine pintle_get_scheme(sys, name, status)
    use pintle_raw, only: raw => c_pintle_get_scheme
    type(pintle_system), intent(in) :: sys
    character(len=:), allocatable, intent(out) :: name
    integer(i4), intent(out), optional :: status
    call take_text(raw, sys, name, status)
  end subroutine pintle_get_scheme

  subroutine pintle_set_option(sys, key, value, status)
    use pintle_raw, only: raw => c_pintle_set_option
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: key
    real(dp), intent(in) :: value
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(key) // c_null_char, value), status)
  end subroutine pintle_set_option

  subroutine pintle_get_option(sys, key, value, status)
    use pintle_raw, only: raw => c_pintle_get_option
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: key
    real(dp), intent(out) :: value
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(key) // c_null_char, value), status)
  end subroutine pintle_get_option

  ! ---- Inputs ------------------------------------------------------------------------------------------------------

  subroutine pintle_clear_loads(sys, status)
    use pintle_raw, only: raw => c_pintle_clear_loads
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle), status)
  end subroutine pintle_clear_loads

  subroutine pintle_set_body_load(sys, body, frame, wrench, status)
    use pintle_raw, only: raw => c_pintle_set_body_load
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body, frame
    real(dp), intent(in) :: wrench(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, frame, wrench), status)
  end subroutine pintle_set_body_load

  subroutine pintle_set_body_loads(sys, frame, wrenches, status)
    use pintle_raw, only: raw => c_pintle_set_body_loads
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: frame
    real(dp), intent(in) :: wrenches(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, frame, items(shape(wrenches), 6), wrenches), status)
  end subroutine pintle_set_body_loads

  subroutine pintle_set_marker_load(sys, marker, frame, wrench, status)
    use pintle_raw, only: raw => c_pintle_set_marker_load
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: marker, frame
    real(dp), intent(in) :: wrench(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, marker, frame, wrench), status)
  end subroutine pintle_set_marker_load

  subroutine pintle_set_marker_loads(sys, frame, wrenches, status)
    use pintle_raw, only: raw => c_pintle_set_marker_loads
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: frame
    real(dp), intent(in) :: wrenches(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, frame, items(shape(wrenches), 6), wrenches), status)
  end subroutine pintle_set_marker_loads

  subroutine pintle_set_joint_load(sys, joint, generalized_force, status)
    use pintle_raw, only: raw => c_pintle_set_joint_load
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint
    real(dp), intent(in) :: generalized_force
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, joint, generalized_force), status)
  end subroutine pintle_set_joint_load

  subroutine pintle_set_joint_motion(sys, joint, q, qd, qdd, status)
    use pintle_raw, only: raw => c_pintle_set_joint_motion
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint
    real(dp), intent(in) :: q, qd, qdd
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, joint, q, qd, qdd), status)
  end subroutine pintle_set_joint_motion

  subroutine pintle_set_body_motion(sys, body, pose, velocity, acceleration, status)
    use pintle_raw, only: raw => c_pintle_set_body_motion
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    real(dp), intent(in) :: pose(7), velocity(6), acceleration(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, pose, velocity, acceleration), status)
  end subroutine pintle_set_body_motion

  ! `fn` is a module procedure with bind(c) and the interface pintle_load_fn; without it the present one is removed.
  ! `user` is handed to it: c_loc of a variable with TARGET that lives as long as the system, or nothing.
  subroutine pintle_set_load_callback(sys, body, fn, user, status)
    use pintle_raw, only: raw => c_pintle_set_load_callback
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    procedure(pintle_load_fn), optional :: fn
    type(c_ptr), intent(in), optional :: user
    integer(i4), intent(out), optional :: status
    type(c_funptr) :: fn_or_null
    type(c_ptr) :: user_or_null
    fn_or_null = c_null_funptr
    user_or_null = c_null_ptr
    if (present(fn)) fn_or_null = c_funloc(fn)
    if (present(user)) user_or_null = user
    call finish(raw(sys%handle, body, fn_or_null, user_or_null), status)
  end subroutine pintle_set_load_callback

  subroutine pintle_mark_discontinuity(sys, status)
    use pintle_raw, only: raw => c_pintle_mark_discontinuity
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle), status)
  end subroutine pintle_mark_discontinuity

  ! ---- Stepping ----------------------------------------------------------------------------------------------------

  subroutine pintle_step(sys, dt, status)
    use pintle_raw, only: raw => c_pintle_step
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: dt
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, dt), status)
  end subroutine pintle_step

  subroutine pintle_advance(sys, dt, status)
    use pintle_raw, only: raw => c_pintle_advance
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: dt
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, dt), status)
  end subroutine pintle_advance

  subroutine pintle_accept(sys, status)
    use pintle_raw, only: raw => c_pintle_accept
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle), status)
  end subroutine pintle_accept

  subroutine pintle_reject(sys, status)
    use pintle_raw, only: raw => c_pintle_reject
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle), status)
  end subroutine pintle_reject

  subroutine pintle_time(sys, time, status)
    use pintle_raw, only: raw => c_pintle_time
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: time
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, time), status)
  end subroutine pintle_time

  subroutine pintle_get_statistic(sys, key, value, status)
    use pintle_raw, only: raw => c_pintle_get_statistic
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: key
    real(dp), intent(out) :: value
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(key) // c_null_char, value), status)
  end subroutine pintle_get_statistic

  subroutine pintle_get_warning(sys, text, status)
    use pintle_raw, only: raw => c_pintle_get_warning
    type(pintle_system), intent(in) :: sys
    character(len=:), allocatable, intent(out) :: text
    integer(i4), intent(out), optional :: status
    call take_text(raw, sys, text, status)
  end subroutine pintle_get_warning

  ! ---- Outputs -----------------------------------------------------------------------------------------------------

  subroutine pintle_get_body_pose(sys, body, pose, status)
    use pintle_raw, only: raw => c_pintle_get_body_pose
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    real(dp), intent(out) :: pose(7)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, pose), status)
  end subroutine pintle_get_body_pose

  subroutine pintle_get_body_displacement(sys, body, displacement, status)
    use pintle_raw, only: raw => c_pintle_get_body_displacement
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body
    real(dp), intent(out) :: displacement(7)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, displacement), status)
  end subroutine pintle_get_body_displacement

  subroutine pintle_get_body_velocity(sys, body, frame, velocity, status)
    use pintle_raw, only: raw => c_pintle_get_body_velocity
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body, frame
    real(dp), intent(out) :: velocity(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, frame, velocity), status)
  end subroutine pintle_get_body_velocity

  subroutine pintle_get_body_acceleration(sys, body, frame, acceleration, status)
    use pintle_raw, only: raw => c_pintle_get_body_acceleration
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body, frame
    real(dp), intent(out) :: acceleration(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, frame, acceleration), status)
  end subroutine pintle_get_body_acceleration

  subroutine pintle_get_body_poses(sys, poses, status)
    use pintle_raw, only: raw => c_pintle_get_body_poses
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: poses(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, items(shape(poses), 7), poses), status)
  end subroutine pintle_get_body_poses

  subroutine pintle_get_body_velocities(sys, velocities, status)
    use pintle_raw, only: raw => c_pintle_get_body_velocities
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: velocities(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, items(shape(velocities), 6), velocities), status)
  end subroutine pintle_get_body_velocities

  subroutine pintle_get_body_accelerations(sys, accelerations, status)
    use pintle_raw, only: raw => c_pintle_get_body_accelerations
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: accelerations(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, items(shape(accelerations), 6), accelerations), status)
  end subroutine pintle_get_body_accelerations

  subroutine pintle_get_marker_pose(sys, marker, pose, status)
    use pintle_raw, only: raw => c_pintle_get_marker_pose
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: marker
    real(dp), intent(out) :: pose(7)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, marker, pose), status)
  end subroutine pintle_get_marker_pose

  subroutine pintle_get_marker_velocity(sys, marker, frame, velocity, status)
    use pintle_raw, only: raw => c_pintle_get_marker_velocity
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: marker, frame
    real(dp), intent(out) :: velocity(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, marker, frame, velocity), status)
  end subroutine pintle_get_marker_velocity

  subroutine pintle_get_marker_acceleration(sys, marker, frame, acceleration, status)
    use pintle_raw, only: raw => c_pintle_get_marker_acceleration
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: marker, frame
    real(dp), intent(out) :: acceleration(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, marker, frame, acceleration), status)
  end subroutine pintle_get_marker_acceleration

  subroutine pintle_get_marker_poses(sys, poses, status)
    use pintle_raw, only: raw => c_pintle_get_marker_poses
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: poses(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, items(shape(poses), 7), poses), status)
  end subroutine pintle_get_marker_poses

  subroutine pintle_get_marker_velocities(sys, velocities, status)
    use pintle_raw, only: raw => c_pintle_get_marker_velocities
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: velocities(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, items(shape(velocities), 6), velocities), status)
  end subroutine pintle_get_marker_velocities

  subroutine pintle_get_marker_accelerations(sys, accelerations, status)
    use pintle_raw, only: raw => c_pintle_get_marker_accelerations
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: accelerations(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, items(shape(accelerations), 6), accelerations), status)
  end subroutine pintle_get_marker_accelerations

  subroutine pintle_get_joint_coordinate(sys, joint, q, qd, qdd, status)
    use pintle_raw, only: raw => c_pintle_get_joint_coordinate
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint
    real(dp), intent(out), optional :: q, qd, qdd
    integer(i4), intent(out), optional :: status
    real(dp) :: found(3)
    integer(i4) :: code
    code = raw(sys%handle, joint, found(1), found(2), found(3))
    if (present(q)) q = found(1)
    if (present(qd)) qd = found(2)
    if (present(qdd)) qdd = found(3)
    call finish(code, status)
  end subroutine pintle_get_joint_coordinate

  subroutine pintle_get_joint_reaction(sys, joint, frame, wrench, status)
    use pintle_raw, only: raw => c_pintle_get_joint_reaction
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint, frame
    real(dp), intent(out) :: wrench(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, joint, frame, wrench), status)
  end subroutine pintle_get_joint_reaction

  subroutine pintle_get_joint_reaction_on_a(sys, joint, frame, wrench, status)
    use pintle_raw, only: raw => c_pintle_get_joint_reaction_on_a
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: joint, frame
    real(dp), intent(out) :: wrench(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, joint, frame, wrench), status)
  end subroutine pintle_get_joint_reaction_on_a

  subroutine pintle_get_body_reaction(sys, body, frame, wrench, status)
    use pintle_raw, only: raw => c_pintle_get_body_reaction
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: body, frame
    real(dp), intent(out) :: wrench(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, body, frame, wrench), status)
  end subroutine pintle_get_body_reaction

  subroutine pintle_get_spring_force(sys, spring, length, tension, status)
    use pintle_raw, only: raw => c_pintle_get_spring_force
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: spring
    real(dp), intent(out), optional :: length, tension
    integer(i4), intent(out), optional :: status
    real(dp) :: length_found, tension_found
    integer(i4) :: code
    code = raw(sys%handle, spring, length_found, tension_found)
    if (present(length)) length = length_found
    if (present(tension)) tension = tension_found
    call finish(code, status)
  end subroutine pintle_get_spring_force

  subroutine pintle_get_constraint_violation(sys, position, velocity, status)
    use pintle_raw, only: raw => c_pintle_get_constraint_violation
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out), optional :: position, velocity
    integer(i4), intent(out), optional :: status
    real(dp) :: position_found, velocity_found
    integer(i4) :: code
    code = raw(sys%handle, position_found, velocity_found)
    if (present(position)) position = position_found
    if (present(velocity)) velocity = velocity_found
    call finish(code, status)
  end subroutine pintle_get_constraint_violation

  subroutine pintle_get_redundant_constraints(sys, text, status)
    use pintle_raw, only: raw => c_pintle_get_redundant_constraints
    type(pintle_system), intent(in) :: sys
    character(len=:), allocatable, intent(out) :: text
    integer(i4), intent(out), optional :: status
    call take_text(raw, sys, text, status)
  end subroutine pintle_get_redundant_constraints

  subroutine pintle_get_energy(sys, kinetic, potential, status)
    use pintle_raw, only: raw => c_pintle_get_energy
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out), optional :: kinetic, potential
    integer(i4), intent(out), optional :: status
    real(dp) :: kinetic_found, potential_found
    integer(i4) :: code
    code = raw(sys%handle, kinetic_found, potential_found)
    if (present(kinetic)) kinetic = kinetic_found
    if (present(potential)) potential = potential_found
    call finish(code, status)
  end subroutine pintle_get_energy

  subroutine pintle_get_momentum(sys, about, momentum, status)
    use pintle_raw, only: raw => c_pintle_get_momentum
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: about(3)
    real(dp), intent(out) :: momentum(6)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, about, momentum), status)
  end subroutine pintle_get_momentum

  ! ---- State: rollback and restart ---------------------------------------------------------------------------------

  subroutine pintle_state_save(sys, state, status)
    use pintle_raw, only: raw => c_pintle_state_save
    type(pintle_system), intent(in) :: sys
    type(pintle_state), intent(inout), target :: state
    integer(i4), intent(out), optional :: status
    logical :: is_new
    integer(i4) :: code
    is_new = .not. c_associated(state%handle)
    code = raw(sys%handle, state%handle)
    if (is_new .and. code == PINTLE_OK) state%owner = c_loc(state)
    call finish(code, status)
  end subroutine pintle_state_save

  subroutine pintle_state_restore(sys, state, status)
    use pintle_raw, only: raw => c_pintle_state_restore
    type(pintle_system), intent(in) :: sys
    type(pintle_state), intent(in) :: state
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, state%handle), status)
  end subroutine pintle_state_restore

  subroutine pintle_state_destroy(state, status)
    use pintle_raw, only: raw => c_pintle_state_destroy
    type(pintle_state), intent(inout) :: state
    integer(i4), intent(out), optional :: status
    integer(i4) :: code
    code = raw(state%handle)
    if (code == PINTLE_OK) state%owner = c_null_ptr
    call finish(code, status)
  end subroutine pintle_state_destroy

  subroutine release_state(state)
    type(pintle_state), intent(inout), target :: state
    integer(i4) :: ignored
    if (c_associated(state%owner, c_loc(state))) call pintle_state_destroy(state, ignored)
  end subroutine release_state

  subroutine state_ceases(state)
    type(pintle_state), intent(inout) :: state
    call release_state(state)
  end subroutine state_ceases

  subroutine pintle_state_serialize(state, bytes, status)
    use pintle_raw, only: raw => c_pintle_state_serialize
    type(pintle_state), intent(in) :: state
    integer(c_int8_t), allocatable, intent(out) :: bytes(:)
    integer(i4), intent(out), optional :: status
    integer(i8) :: length
    integer(i4) :: code
    allocate (bytes(0))
    code = raw(state%handle, 0_i8, bytes, length)
    if (code == PINTLE_OK) then
      deallocate (bytes)
      allocate (bytes(length))
      code = raw(state%handle, size(bytes, kind=i8), bytes, length)
    end if
    call finish(code, status)
  end subroutine pintle_state_serialize

  subroutine pintle_state_deserialize(sys, bytes, state, status)
    use pintle_raw, only: raw => c_pintle_state_deserialize
    type(pintle_system), intent(in) :: sys
    integer(c_int8_t), intent(in) :: bytes(:)
    type(pintle_state), intent(inout), target :: state
    integer(i4), intent(out), optional :: status
    logical :: is_new
    integer(i4) :: code
    is_new = .not. c_associated(state%handle)
    code = raw(sys%handle, size(bytes, kind=i8), bytes, state%handle)
    if (is_new .and. code == PINTLE_OK) state%owner = c_loc(state)
    call finish(code, status)
  end subroutine pintle_state_deserialize

  subroutine pintle_write_checkpoint(sys, path, status)
    use pintle_raw, only: raw => c_pintle_write_checkpoint
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: path
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(path) // c_null_char), status)
  end subroutine pintle_write_checkpoint

  subroutine pintle_read_checkpoint(sys, path, status)
    use pintle_raw, only: raw => c_pintle_read_checkpoint
    type(pintle_system), intent(in) :: sys
    character(len=*), intent(in) :: path
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, trim(path) // c_null_char), status)
  end subroutine pintle_read_checkpoint

  ! ---- Analyses ----------------------------------------------------------------------------------------------------

  subroutine pintle_solve_equilibrium(sys, max_iterations, tolerance, status)
    use pintle_raw, only: raw => c_pintle_solve_equilibrium
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: max_iterations
    real(dp), intent(in) :: tolerance
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, max_iterations, tolerance), status)
  end subroutine pintle_solve_equilibrium

  subroutine pintle_get_coordinates(sys, poses, velocities, status)
    use pintle_raw, only: raw => c_pintle_get_coordinates
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: poses(:, :), velocities(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, pairs(shape(poses), shape(velocities)), poses, velocities), status)
  end subroutine pintle_get_coordinates

  subroutine pintle_set_coordinates(sys, poses, velocities, status)
    use pintle_raw, only: raw => c_pintle_set_coordinates
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: poses(:, :), velocities(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, pairs(shape(poses), shape(velocities)), poses, velocities), status)
  end subroutine pintle_set_coordinates

  subroutine pintle_eval_accelerations(sys, poses, velocities, accelerations, status)
    use pintle_raw, only: raw => c_pintle_eval_accelerations
    type(pintle_system), intent(in) :: sys
    real(dp), intent(in) :: poses(:, :), velocities(:, :)
    real(dp), intent(out) :: accelerations(:, :)
    integer(i4) :: n
    integer(i4), intent(out), optional :: status
    n = pairs(shape(poses), shape(velocities))
    if (items(shape(accelerations), 6) /= n) n = -1
    call finish(raw(sys%handle, n, poses, velocities, accelerations), status)
  end subroutine pintle_eval_accelerations

  subroutine pintle_retract(poses, increments, moved, status)
    use pintle_raw, only: raw => c_pintle_retract
    real(dp), intent(in) :: poses(:, :), increments(:, :)
    real(dp), intent(out) :: moved(:, :)
    integer(i4) :: n
    integer(i4), intent(out), optional :: status
    n = pairs(shape(poses), shape(increments))
    if (items(shape(moved), 7) /= n) n = -1
    call finish(raw(n, poses, increments, moved), status)
  end subroutine pintle_retract

  subroutine pintle_difference(from, to, increments, status)
    use pintle_raw, only: raw => c_pintle_difference
    real(dp), intent(in) :: from(:, :), to(:, :)
    real(dp), intent(out) :: increments(:, :)
    integer(i4) :: n
    integer(i4), intent(out), optional :: status
    n = pairs(shape(from), shape(increments))
    if (items(shape(to), 7) /= n) n = -1
    call finish(raw(n, from, to, increments), status)
  end subroutine pintle_difference

  subroutine pintle_get_mass_matrix(sys, mass, status)
    use pintle_raw, only: raw => c_pintle_get_mass_matrix
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: mass(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, items(shape(mass), size(mass, 2)), mass), status)
  end subroutine pintle_get_mass_matrix

  subroutine pintle_get_constraint_jacobian(sys, jacobian, status)
    use pintle_raw, only: raw => c_pintle_get_constraint_jacobian
    type(pintle_system), intent(in) :: sys
    real(dp), intent(out) :: jacobian(:, :)
    integer(i4), intent(out), optional :: status
    call finish(raw(sys%handle, size(jacobian, 1, kind=i4), size(jacobian, 2, kind=i4), jacobian), status)
  end subroutine pintle_get_constraint_jacobian

  ! Loads on `bodies`, then on `load_markers`, are the inputs; motions of `sensor_markers` the outputs. Each may be empty.
  subroutine pintle_linearize(sys, bodies, load_markers, sensor_markers, a, b, c, d, status)
    use pintle_raw, only: raw => c_pintle_linearize
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: bodies(:), load_markers(:), sensor_markers(:)
    real(dp), intent(out) :: a(:, :), b(:, :), c(:, :), d(:, :)
    integer(i4), intent(out), optional :: status
    integer :: states, inputs, outputs
    integer(i4) :: n
    states = size(a, 1)
    inputs = 6 * (size(bodies) + size(load_markers))
    outputs = 18 * size(sensor_markers)
    n = items(shape(a), states)
    if (size(a, 2) /= states .or. any(shape(b) /= [states, inputs])) n = -1
    if (any(shape(c) /= [outputs, states]) .or. any(shape(d) /= [outputs, inputs])) n = -1
    call finish(raw(sys%handle, size(bodies, kind=i4), bodies, size(load_markers, kind=i4), load_markers, &
        size(sensor_markers, kind=i4), sensor_markers, n, a, b, c, d), status)
  end subroutine pintle_linearize

  subroutine pintle_get_state_name(sys, state, name, status)
    use pintle_raw, only: raw => c_pintle_get_state_name
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: state
    character(len=:), allocatable, intent(out) :: name
    integer(i4), intent(out), optional :: status
    character(kind=c_char), allocatable :: buffer(:)
    integer(i4) :: code, length
    allocate (buffer(0))
    code = raw(sys%handle, state, 0_i4, buffer, length)
    if (code == PINTLE_ERR_BUFFER_TOO_SMALL) then
      deallocate (buffer)
      allocate (buffer(length + 1))
      code = raw(sys%handle, state, size(buffer, kind=i4), buffer, length)
    end if
    name = joined(buffer)
    call finish(code, status)
  end subroutine pintle_get_state_name

  ! shapes(12, bodies, n), with n the size of `frequencies` and of `damping_ratios`.
  subroutine pintle_get_modes(sys, count, frequencies, damping_ratios, shapes, motion, status)
    use pintle_raw, only: raw => c_pintle_get_modes
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(out) :: count
    real(dp), intent(out) :: frequencies(:), damping_ratios(:), shapes(:, :, :), motion(2)
    integer(i4), intent(out), optional :: status
    integer(i4) :: n
    n = size(frequencies, kind=i4)
    if (size(damping_ratios) /= n .or. size(shapes, 1) /= 12 .or. size(shapes, 3) /= n) n = -1
    call finish(raw(sys%handle, n, count, frequencies, damping_ratios, size(shapes, 2, kind=i4), shapes, motion), status)
  end subroutine pintle_get_modes

  ! out(6 k, 6 k, 3) for k markers: d(acceleration), d(velocity), d(displacement) over their wrenches.
  subroutine pintle_get_load_compliance(sys, markers, dt, out, status)
    use pintle_raw, only: raw => c_pintle_get_load_compliance
    type(pintle_system), intent(in) :: sys
    integer(i4), intent(in) :: markers(:)
    real(dp), intent(in) :: dt
    real(dp), intent(out) :: out(:, :, :)
    integer(i4), intent(out), optional :: status
    integer(i4) :: n
    n = size(out, kind=i4)
    if (any(shape(out) /= [6 * size(markers), 6 * size(markers), 3])) n = -1
    call finish(raw(sys%handle, size(markers, kind=i4), markers, dt, n, out), status)
  end subroutine pintle_get_load_compliance

  subroutine pintle_suggest_time_step(radius, dt, status)
    use pintle_raw, only: raw => c_pintle_suggest_time_step
    real(dp), intent(in) :: radius
    real(dp), intent(out) :: dt
    integer(i4), intent(out), optional :: status
    call finish(raw(radius, dt), status)
  end subroutine pintle_suggest_time_step

  ! ---- Rotation helpers --------------------------------------------------------------------------------------------

  subroutine pintle_quat_to_dcm(q, dcm, status)
    use pintle_raw, only: raw => c_pintle_quat_to_dcm
    real(dp), intent(in) :: q(4)
    real(dp), intent(out) :: dcm(3, 3)
    integer(i4), intent(out), optional :: status
    call finish(raw(q, dcm), status)
  end subroutine pintle_quat_to_dcm

  subroutine pintle_quat_from_dcm(dcm, q, status)
    use pintle_raw, only: raw => c_pintle_quat_from_dcm
    real(dp), intent(in) :: dcm(3, 3)
    real(dp), intent(out) :: q(4)
    integer(i4), intent(out), optional :: status
    call finish(raw(dcm, q), status)
  end subroutine pintle_quat_from_dcm

  subroutine pintle_quat_to_rotvec(q, rotvec, status)
    use pintle_raw, only: raw => c_pintle_quat_to_rotvec
    real(dp), intent(in) :: q(4)
    real(dp), intent(out) :: rotvec(3)
    integer(i4), intent(out), optional :: status
    call finish(raw(q, rotvec), status)
  end subroutine pintle_quat_to_rotvec

  subroutine pintle_quat_from_rotvec(rotvec, q, status)
    use pintle_raw, only: raw => c_pintle_quat_from_rotvec
    real(dp), intent(in) :: rotvec(3)
    real(dp), intent(out) :: q(4)
    integer(i4), intent(out), optional :: status
    call finish(raw(rotvec, q), status)
  end subroutine pintle_quat_from_rotvec

  subroutine pintle_quat_to_euler_zyx(q, angles, status)
    use pintle_raw, only: raw => c_pintle_quat_to_euler_zyx
    real(dp), intent(in) :: q(4)
    real(dp), intent(out) :: angles(3)
    integer(i4), intent(out), optional :: status
    call finish(raw(q, angles), status)
  end subroutine pintle_quat_to_euler_zyx

  subroutine pintle_quat_from_euler_zyx(angles, q, status)
    use pintle_raw, only: raw => c_pintle_quat_from_euler_zyx
    real(dp), intent(in) :: angles(3)
    real(dp), intent(out) :: q(4)
    integer(i4), intent(out), optional :: status
    call finish(raw(angles, q), status)
  end subroutine pintle_quat_from_euler_zyx

  ! ---- Between Fortran and C ---------------------------------------------------------------------------------------

  ! The number of poses in a batch of 7, and of 6-vectors in another; -1, which the library refuses, if they differ.
  pure function pairs(poses_shape, vectors_shape) result(n)
    integer, intent(in) :: poses_shape(2), vectors_shape(2)
    integer(i4) :: n
    n = items(poses_shape, 7)
    if (items(vectors_shape, 6) /= n) n = -1
  end function pairs

  ! The length of a batch. One whose items do not have `rows` numbers gives -1, which the library refuses.
  pure function items(batch_shape, rows) result(n)
    integer, intent(in) :: batch_shape(2), rows
    integer(i4) :: n
    n = -1
    if (batch_shape(1) == rows) n = int(batch_shape(2), i4)
  end function items

  ! Asks `getter` for the length of its text, then for the text.
  subroutine take_text(getter, sys, text, status)
    use pintle_raw, only: c_pintle_get_scheme
    procedure(c_pintle_get_scheme) :: getter
    type(pintle_system), intent(in) :: sys
    character(len=:), allocatable, intent(out) :: text
    integer(i4), intent(out), optional :: status
    character(kind=c_char), allocatable :: buffer(:)
    integer(i4) :: code, length
    allocate (buffer(0))
    code = getter(sys%handle, 0_i4, buffer, length)
    if (code == PINTLE_ERR_BUFFER_TOO_SMALL) then
      deallocate (buffer)
      allocate (buffer(length + 1))
      code = getter(sys%handle, size(buffer, kind=i4), buffer, length)
    end if
    text = joined(buffer)
    call finish(code, status)
  end subroutine take_text

  ! The text up to its NUL, or all of it.
  pure function joined(characters) result(text)
    character(kind=c_char), intent(in) :: characters(:)
    character(len=:), allocatable :: text
    integer :: i
    text = repeat(' ', size(characters))
    do i = 1, size(characters)
      if (characters(i) == c_null_char) then
        text = text(1:i - 1)
        return
      end if
      text(i:i) = characters(i)
    end do
  end function joined

  ! A static text of the library.
  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    interface
      function strlen(text) bind(c, name="strlen") result(length)
        import :: c_ptr, c_size_t
        implicit none
        type(c_ptr), value :: text
        integer(c_size_t) :: length
      end function strlen
    end interface
    call c_f_pointer(pointer, characters, [strlen(pointer)])
    text = joined(characters)
  end function text_of

end module pintle
