! A falling body: 1 s, prints where it is.
program consumer
  use pintle
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t
  implicit none
  type(pintle_system) :: sys
  integer(c_int32_t) :: body
  integer :: n
  real(c_double) :: pose(7)

  call pintle_create(sys)
  call pintle_set_gravity(sys, [0d0, 0d0, -10d0])
  call pintle_add_rigid_body(sys, 1d0, [0d0, 0d0, 0d0], [1d0, 1d0, 1d0, 0d0, 0d0, 0d0], &
                             [0d0, 0d0, 0d0, 1d0, 0d0, 0d0, 0d0], body)
  call pintle_initialize(sys, 0d0)
  do n = 1, 10
    call pintle_step(sys, 0.1d0)
  end do
  call pintle_get_body_pose(sys, body, pose)
  call pintle_destroy(sys)
  write (*, '(3a, f6.3)') 'pintle ', pintle_version(), ' z ', pose(3)
end program consumer
