! What all examples share: a way to stop with a message, files, and numbers as C's printf writes them.
!
! pintle itself stops a program with a message when a call fails whose status nobody asked for; openfast_style.f90 shows
! how a host passes errors on instead.
module example
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: create, decimal, directory, require, scientific

contains

  ! The examples verify their own numbers: this stops the program, with exit status 1, when one is off.
  subroutine require(condition, message)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: message
    if (condition) return
    write (error_unit, '(2a)') 'wrong result: ', message
    stop 1
  end subroutine require

  ! The directory on the command line, or nothing.
  function directory() result(path)
    character(len=:), allocatable :: path
    integer :: length
    call get_command_argument(1, length=length)
    allocate (character(len=length) :: path)
    if (length > 0) call get_command_argument(1, path)
  end function directory

  ! Opens a file for writing, or stops.
  subroutine create(path, unit)
    character(len=*), intent(in) :: path
    integer, intent(in) :: unit
    integer :: failure
    open (unit, file=path, status='replace', action='write', iostat=failure)
    call require(failure == 0, 'cannot write ' // path)
  end subroutine create

  ! As printf("%.*f", decimals, x).
  pure function decimal(x, decimals) result(text)
    real(dp), intent(in) :: x
    integer, intent(in) :: decimals
    character(len=:), allocatable :: text
    character(len=64) :: wide
    character(len=16) :: edit
    write (edit, '(a, i0, a)') '(f64.', decimals, ')'
    write (wide, edit) x
    text = trim(adjustl(wide))
  end function decimal

  ! As printf("%.*e", decimals, x).
  pure function scientific(x, decimals) result(text)
    real(dp), intent(in) :: x
    integer, intent(in) :: decimals
    character(len=:), allocatable :: text
    character(len=64) :: wide
    character(len=16) :: edit
    write (edit, '(a, i0, a)') '(es64.', decimals, ')'
    write (wide, edit) x
    text = trim(adjustl(wide))
    text = text(1:index(text, 'E') - 1) // 'e' // text(index(text, 'E') + 1:)
  end function scientific

end module example
