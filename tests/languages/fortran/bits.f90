! The other half of bits.c, call by call.
program bits
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t, dp => c_double
  use pintle
  implicit none
  real(dp), parameter :: zero(7) = [0.0_dp, 0.0_dp, 0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]
  real(dp), parameter :: z(3) = [0.0_dp, 0.0_dp, 1.0_dp]
  type(pintle_system) :: sys
  integer(c_int32_t) :: a, b, joint, spring, bushing
  real(dp) :: mass(6, 6), stiffness(6, 6), loads(6, 2)
  real(dp) :: poses(7, 2), velocities(6, 2), accelerations(6, 2), wrench(6), length, tension, about_z(6)
  integer :: i, n

  mass = 0
  stiffness = 0
  loads = 0
  do i = 1, 6
    mass(i, i) = merge(1.5_dp, 0.25_dp, i <= 3)
    stiffness(i, i) = 9.0_dp + i
  end do
  stiffness(4, 2) = 2.0_dp

  call pintle_create(sys)
  call pintle_set_gravity(sys, [0.0_dp, 0.0_dp, -9.81_dp])
  call pintle_add_rigid_body(sys, 2.0_dp, zero(1:3), [0.2_dp, 0.25_dp, 0.3_dp, 0.01_dp, 0.02_dp, 0.03_dp], &
                             [1.0_dp, 0.0_dp, 0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], a)
  call pintle_add_body(sys, mass, [2.0_dp, 0.0_dp, 0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], b)
  call pintle_set_body_velocity(sys, a, [0.0_dp, 1.0_dp, 2.0_dp, 0.0_dp, -2.0_dp, 1.0_dp])
  call pintle_add_joint_at(sys, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, a, zero(1:3), joint=joint)
  call pintle_add_spring(sys, b, zero(1:3), PINTLE_GROUND, [0.5_dp, 0.25_dp, 3.0_dp], 200.0_dp, 1.0_dp, 2.5_dp, .true., &
                         spring)
  call pintle_add_bushing(sys, a, b, zero, zero, stiffness, mass, bushing)
  call pintle_set_added_mass(sys, b, mass, PINTLE_FRAME_BODY)
  call pintle_set_option(sys, 'rho_inf', 0.6_dp)
  call pintle_initialize(sys, 0.0_dp)
  do n = 1, 200
    loads(1, 2) = 0.01_dp * n
    loads(6, 1) = -0.02_dp * n
    call pintle_set_body_loads(sys, PINTLE_FRAME_BODY, loads)
    call pintle_step(sys, 0.01_dp)
    call pintle_get_body_poses(sys, poses)
    call pintle_get_body_velocities(sys, velocities)
    call pintle_get_body_accelerations(sys, accelerations)
    call pintle_get_joint_reaction(sys, joint, PINTLE_FRAME_INERTIAL, wrench)
    call pintle_get_spring_force(sys, spring, length, tension)
    call pintle_get_momentum(sys, z, about_z)
    print '(z16.16)', transfer([reshape(poses, [14]), reshape(velocities, [12]), reshape(accelerations, [12]), &
        wrench, length, tension, about_z], [0_c_int64_t])
  end do
  call pintle_write_checkpoint(sys, 'bits.checkpoint')
  call pintle_destroy(sys)
end program bits
