! Systems and states are freed once, by the variable that created them, by a call of destroy or when it goes out of scope.
! A leak shows in the memory of the process, because thousands of systems are created and freed; a second free makes the C library abort.
module holders
  use pintle
  implicit none

  ! What a host has: a system inside its own type.
  type :: holder
    type(pintle_system) :: sys
    type(pintle_state) :: state
  end type holder

end module holders

program lifetimes
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_ptr, dp => c_double
  use, intrinsic :: iso_fortran_env, only: error_unit
  use pintle
  use pintle_raw, only: c_pintle_phase
  use holders
  implicit none
  integer :: round, pages

  do round = 1, 3000
    if (round == 100) pages = pages_in_use()
    call local()
    call component()
    call created_twice()
    call copied()
    call bits_copied()
    call destroyed()
  end do
  pages = pages_in_use() - pages
  print '(i0, a)', pages, ' pages more'
  call check(pages < 1000, 'systems or states are not freed')

contains

  ! A system large enough for a leak to show (about 40 kB), with a state.
  subroutine build(sys, state)
    type(pintle_system), intent(inout) :: sys
    type(pintle_state), intent(inout) :: state
    integer(c_int32_t) :: body
    integer :: i
    call pintle_create(sys)
    do i = 1, 20
      call pintle_add_rigid_body(sys, 1.0_dp, [0.0_dp, 0.0_dp, 0.0_dp], &
                                 [1.0_dp, 1.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], &
                                 [0.0_dp, 0.0_dp, 0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], body)
    end do
    call pintle_initialize(sys, 0.0_dp)
    call pintle_state_save(sys, state)
    call pintle_state_save(sys, state)
  end subroutine build

  ! Freed when the procedure returns.
  subroutine local()
    type(pintle_system) :: sys
    type(pintle_state) :: state
    call build(sys, state)
  end subroutine local

  ! Freed with what they are part of.
  subroutine component()
    type(holder), allocatable :: h
    type(c_ptr) :: handle
    allocate (h)
    call build(h%sys, h%state)
    handle = h%sys%handle
    call check(is_live(handle), 'a system inside another type')
    deallocate (h)
    call check(.not. is_live(handle), 'a system inside another type ceases with it')
  end subroutine component

  ! The first system is freed by the second creation, and the second one at the end.
  subroutine created_twice()
    type(pintle_system) :: sys
    type(pintle_state) :: state
    type(c_ptr) :: first
    call build(sys, state)
    first = sys%handle
    call build(sys, state)
    call check(is_live(sys%handle), 'the second system lives')
    if (c_associated(first, sys%handle)) return
    call check(.not. is_live(first), 'the first system is freed')
  end subroutine created_twice

  ! An assigned copy means the same system and does not free it.
  subroutine copied()
    type(pintle_system) :: sys
    type(pintle_state) :: state
    call build(sys, state)
    call borrow(sys, state)
    call check(is_live(sys%handle), 'the copy does not free')
    call pintle_step(sys, 0.01_dp)
    call pintle_state_restore(sys, state)
  end subroutine copied

  subroutine borrow(sys, state)
    type(pintle_system), intent(in) :: sys
    type(pintle_state), intent(in) :: state
    type(pintle_system) :: same
    type(pintle_state) :: same_state
    same = sys
    same_state = state
    call pintle_step(same, 0.01_dp)
    call pintle_state_restore(same, same_state)
  end subroutine borrow

  ! So with copies that no assignment sees: by SOURCE, and of a type with components.
  subroutine bits_copied()
    type(holder) :: h
    type(holder), allocatable :: twin, other
    call build(h%sys, h%state)
    allocate (twin, source=h)
    allocate (other)
    other = h
    call pintle_step(twin%sys, 0.01_dp)
    call pintle_step(other%sys, 0.01_dp)
    deallocate (twin)
    deallocate (other)
    call check(is_live(h%sys%handle), 'copies of bits do not free')
  end subroutine bits_copied

  ! Destroying is final, and may be repeated.
  subroutine destroyed()
    type(pintle_system) :: sys
    type(pintle_state) :: state
    call build(sys, state)
    call pintle_state_destroy(state)
    call pintle_destroy(sys)
    call pintle_destroy(sys)
    call check(.not. c_associated(sys%handle), 'destroyed means empty')
  end subroutine destroyed

  ! Asks the library, which recognises what was freed a moment ago.
  function is_live(handle) result(live)
    type(c_ptr), intent(in) :: handle
    logical :: live
    integer(c_int32_t) :: phase
    live = c_pintle_phase(handle, phase) == PINTLE_OK
  end function is_live

  ! Of this process, 4 kB each: Linux says so in the second number of this file.
  function pages_in_use() result(pages)
    integer :: pages, total, unit
    unit = 30
    open (unit, file='/proc/self/statm', status='old', action='read')
    read (unit, *) total, pages
    close (unit)
  end function pages_in_use

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    write (error_unit, '(2a)') 'wrong: ', what
    stop 1
  end subroutine check

end program lifetimes
