! The C functions and constants of pintle, as Fortran sees them: interfaces without code.
!
! Generated from src/capi by scripts/generate: do not edit.
!
! Programs use module pintle (pintle.f90), which stands on this one: it takes and gives Fortran strings, has optional
! arguments, and a type for a system. This module is for those who want C's view. pintle.h documents every function;
! here stands only how it maps:
!
!   pintle_step                             c_pintle_step, so that a program may use both modules
!   int32_t, int64_t, double by value       integer(c_int32_t), integer(c_int64_t), real(c_double), VALUE
!   const double pose[7]                    real(c_double), intent(in) :: pose(7)
!   double a[36], double dcm[9]             a(6,6), dcm(3,3): column-major in C too, so that a(i,j) is the entry in row
!                                           i, column j; an actual argument of shape (36) or (9) fits as well
!   double x[n][7]                          x(7,n)
!   what a function writes                  intent(out): undefined when the function fails
!   pintle_system *, pintle_state *         type(c_ptr), VALUE; pintle_system ** is type(c_ptr) by reference
!   const char *                            character(kind=c_char) :: name(*), which ends with c_null_char
!   input that may be NULL                  type(c_ptr), VALUE: c_null_ptr, or c_loc of an array with TARGET
!   function pointer                        type(c_funptr), VALUE: c_null_funptr, or c_funloc of a function that has
!                                           the abstract interface of that name
!   uint8_t                                 integer(c_int8_t): the same bits
!
! MIT OR Apache-2.0.

module pintle_constants
  use, intrinsic :: iso_c_binding, only: c_int32_t
  implicit none
  private :: c_int32_t

  ! Stands for the inertial frame where the id of a body is asked for.
  integer(c_int32_t), parameter :: PINTLE_GROUND = -1_c_int32_t

  ! Success.
  integer(c_int32_t), parameter :: PINTLE_OK = 0_c_int32_t

  ! A required pointer is NULL.
  integer(c_int32_t), parameter :: PINTLE_ERR_NULL_ARGUMENT = 200_c_int32_t

  ! A handle that is not a live object of its type.
  integer(c_int32_t), parameter :: PINTLE_ERR_BAD_HANDLE = 201_c_int32_t

  ! An id that the model does not have.
  integer(c_int32_t), parameter :: PINTLE_ERR_BAD_ID = 202_c_int32_t

  ! A length that does not match.
  integer(c_int32_t), parameter :: PINTLE_ERR_BAD_SIZE = 203_c_int32_t

  ! A value outside its range; the message has the range.
  integer(c_int32_t), parameter :: PINTLE_ERR_BAD_VALUE = 204_c_int32_t

  ! NaN or infinity in an argument.
  integer(c_int32_t), parameter :: PINTLE_ERR_NOT_FINITE = 205_c_int32_t

  ! The call is not allowed in the present phase, or the object is in use by a call that has not returned.
  integer(c_int32_t), parameter :: PINTLE_ERR_BAD_PHASE = 206_c_int32_t

  ! The buffer is shorter than the result.
  integer(c_int32_t), parameter :: PINTLE_ERR_BUFFER_TOO_SMALL = 207_c_int32_t

  ! Part of the interface, but not supported in this version.
  integer(c_int32_t), parameter :: PINTLE_ERR_UNSUPPORTED = 208_c_int32_t

  ! Text that is not UTF-8.
  integer(c_int32_t), parameter :: PINTLE_ERR_BAD_UTF8 = 209_c_int32_t

  ! Header and library have different versions.
  integer(c_int32_t), parameter :: PINTLE_ERR_ABI_MISMATCH = 210_c_int32_t

  ! Bytes or a file that are not a state or not a model, or are damaged.
  integer(c_int32_t), parameter :: PINTLE_ERR_FORMAT = 211_c_int32_t

  ! The state of another model.
  integer(c_int32_t), parameter :: PINTLE_ERR_FINGERPRINT = 212_c_int32_t

  ! The iteration of a step did not converge; a smaller step may.
  integer(c_int32_t), parameter :: PINTLE_ERR_NO_CONVERGENCE = 300_c_int32_t

  ! A matrix has no inverse.
  integer(c_int32_t), parameter :: PINTLE_ERR_SINGULAR = 301_c_int32_t

  ! Constraints that contradict each other.
  integer(c_int32_t), parameter :: PINTLE_ERR_REDUNDANT_CONSTRAINTS = 302_c_int32_t

  ! Initial positions or velocities that violate a joint.
  integer(c_int32_t), parameter :: PINTLE_ERR_INCONSISTENT_STATE = 303_c_int32_t

  ! A load callback returned nonzero, or numbers that are not finite.
  integer(c_int32_t), parameter :: PINTLE_ERR_CALLBACK = 304_c_int32_t

  ! Numbers are no longer finite, in a step or in a result, or a step diverged.
  integer(c_int32_t), parameter :: PINTLE_ERR_UNSTABLE = 305_c_int32_t

  ! The progress callback stopped the call; nothing has changed.
  integer(c_int32_t), parameter :: PINTLE_ERR_STOPPED = 306_c_int32_t

  ! The operating system refused to read or write.
  integer(c_int32_t), parameter :: PINTLE_ERR_IO = 400_c_int32_t

  ! No memory.
  integer(c_int32_t), parameter :: PINTLE_ERR_OUT_OF_MEMORY = 401_c_int32_t

  ! A bug of this library, caught; the system is in phase FAILED.
  integer(c_int32_t), parameter :: PINTLE_ERR_PANIC = 500_c_int32_t

  ! The model is being described.
  integer(c_int32_t), parameter :: PINTLE_PHASE_BUILDING = 0_c_int32_t

  ! Initialized; no step is pending.
  integer(c_int32_t), parameter :: PINTLE_PHASE_READY = 1_c_int32_t

  ! A trial step is pending: accept it, reject it, or advance again.
  integer(c_int32_t), parameter :: PINTLE_PHASE_TRIAL = 2_c_int32_t

  ! A panic was caught: getters of the accepted state, restore and destroy work.
  integer(c_int32_t), parameter :: PINTLE_PHASE_FAILED = 3_c_int32_t

  ! Given in the axes of the inertial frame I.
  integer(c_int32_t), parameter :: PINTLE_FRAME_INERTIAL = 0_c_int32_t

  ! Given in the axes of the body concerned, which turn with it: of a marker the body that it is on, of a reaction in a
  ! joint the body that it acts on; not those of the marker or of the joint frame.
  integer(c_int32_t), parameter :: PINTLE_FRAME_BODY = 1_c_int32_t

  ! No freedom.
  integer(c_int32_t), parameter :: PINTLE_JOINT_FIXED = 0_c_int32_t

  ! The origins of both frames coincide.
  integer(c_int32_t), parameter :: PINTLE_JOINT_SPHERICAL = 1_c_int32_t

  ! Turns about z.
  integer(c_int32_t), parameter :: PINTLE_JOINT_REVOLUTE = 2_c_int32_t

  ! Slides along z.
  integer(c_int32_t), parameter :: PINTLE_JOINT_PRISMATIC = 3_c_int32_t

  ! Turns about z and slides along it.
  integer(c_int32_t), parameter :: PINTLE_JOINT_CYLINDRICAL = 4_c_int32_t

  ! Origins coincide, x of frame a stays perpendicular to y of frame b.
  integer(c_int32_t), parameter :: PINTLE_JOINT_UNIVERSAL = 5_c_int32_t

  ! The origin of b stays in the xy plane of a, z axes parallel.
  integer(c_int32_t), parameter :: PINTLE_JOINT_PLANAR = 6_c_int32_t

  ! Turns about z and slides along it, tied by the pitch.
  integer(c_int32_t), parameter :: PINTLE_JOINT_SCREW = 7_c_int32_t

  ! The origins keep their initial distance.
  integer(c_int32_t), parameter :: PINTLE_JOINT_DISTANCE = 8_c_int32_t

  ! The origin of b stays on the z axis of a; rotations are free.
  integer(c_int32_t), parameter :: PINTLE_JOINT_POINT_ON_LINE = 9_c_int32_t

  ! The origin of b stays in the xy plane of a; rotations are free.
  integer(c_int32_t), parameter :: PINTLE_JOINT_POINT_ON_PLANE = 10_c_int32_t

  ! The disc of a radius about the origin of b, normal to z of frame b, rolls without slip on the xy plane of a, on the
  ! side of z.
  integer(c_int32_t), parameter :: PINTLE_JOINT_ROLLING = 11_c_int32_t

  ! A spring and a damper that do not pull.
  integer(c_int32_t), parameter :: PINTLE_STOP_SPRING = 0_c_int32_t

  ! Velocities jump, with Newton's restitution; a spring carries what rests.
  integer(c_int32_t), parameter :: PINTLE_STOP_IMPULSE = 1_c_int32_t

  ! A spring with the damping that gives the restitution.
  integer(c_int32_t), parameter :: PINTLE_STOP_RESTITUTION = 2_c_int32_t

  ! A contact of a sphere with a plane.
  integer(c_int32_t), parameter :: PINTLE_CONTACT_PLANE = 0_c_int32_t

  ! A contact of a sphere with a sphere.
  integer(c_int32_t), parameter :: PINTLE_CONTACT_SPHERE = 1_c_int32_t

  ! A contact of a sphere with the inside of a sphere.
  integer(c_int32_t), parameter :: PINTLE_CONTACT_HOLLOW = 2_c_int32_t

  ! A stop or a contact closes.
  integer(c_int32_t), parameter :: PINTLE_EVENT_CLOSES = 0_c_int32_t

  ! A stop or a contact opens.
  integer(c_int32_t), parameter :: PINTLE_EVENT_OPENS = 1_c_int32_t

  ! Velocities jump: a stop or a contact is hit, or a brake locks.
  integer(c_int32_t), parameter :: PINTLE_EVENT_HITS = 2_c_int32_t

  ! Friction holds.
  integer(c_int32_t), parameter :: PINTLE_EVENT_STICKS = 3_c_int32_t

  ! Friction gives way, or changes its direction.
  integer(c_int32_t), parameter :: PINTLE_EVENT_SLIPS = 4_c_int32_t

  ! A joint breaks.
  integer(c_int32_t), parameter :: PINTLE_EVENT_BREAKS = 5_c_int32_t

  ! The ABI that this header describes: compare with pintle_abi_version(). Raised when a program that was compiled
  ! before would no longer work.
  integer(c_int32_t), parameter :: PINTLE_ABI = 1_c_int32_t
end module pintle_constants

module pintle_raw
  use pintle_constants
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int32_t, c_int64_t, c_int8_t, c_ptr
  implicit none
  private :: c_char, c_double, c_funptr, c_int32_t, c_int64_t, c_int8_t, c_ptr

  ! All functions but pintle_get_api, for hosts that load the library at run time.
  type, bind(c) :: pintle_api
    integer(c_int64_t) :: size
    integer(c_int32_t) :: abi
    integer(c_int32_t) :: reserved
    type(c_funptr) :: version
    type(c_funptr) :: abi_version
    type(c_funptr) :: status_name
    type(c_funptr) :: error_message
    type(c_funptr) :: status_severity
    type(c_funptr) :: create
    type(c_funptr) :: clone
    type(c_funptr) :: destroy
    type(c_funptr) :: phase
    type(c_funptr) :: initialize
    type(c_funptr) :: set_gravity
    type(c_funptr) :: add_body
    type(c_funptr) :: add_rigid_body
    type(c_funptr) :: set_body_velocity
    type(c_funptr) :: set_body_acceleration
    type(c_funptr) :: add_joint
    type(c_funptr) :: add_joint_at
    type(c_funptr) :: add_spring
    type(c_funptr) :: add_bushing
    type(c_funptr) :: add_marker
    type(c_funptr) :: set_name
    type(c_funptr) :: find
    type(c_funptr) :: count
    type(c_funptr) :: set_added_mass
    type(c_funptr) :: set_linear_damping
    type(c_funptr) :: set_quadratic_drag
    type(c_funptr) :: set_scheme
    type(c_funptr) :: get_scheme
    type(c_funptr) :: set_option
    type(c_funptr) :: get_option
    type(c_funptr) :: clear_loads
    type(c_funptr) :: set_body_load
    type(c_funptr) :: set_body_loads
    type(c_funptr) :: set_marker_load
    type(c_funptr) :: set_marker_loads
    type(c_funptr) :: set_load_callback
    type(c_funptr) :: mark_discontinuity
    type(c_funptr) :: step
    type(c_funptr) :: advance
    type(c_funptr) :: accept
    type(c_funptr) :: reject
    type(c_funptr) :: time
    type(c_funptr) :: get_statistic
    type(c_funptr) :: get_body_pose
    type(c_funptr) :: get_body_displacement
    type(c_funptr) :: get_body_velocity
    type(c_funptr) :: get_body_acceleration
    type(c_funptr) :: get_body_poses
    type(c_funptr) :: get_body_velocities
    type(c_funptr) :: get_body_accelerations
    type(c_funptr) :: get_marker_pose
    type(c_funptr) :: get_marker_velocity
    type(c_funptr) :: get_marker_acceleration
    type(c_funptr) :: get_marker_poses
    type(c_funptr) :: get_marker_velocities
    type(c_funptr) :: get_marker_accelerations
    type(c_funptr) :: get_joint_reaction
    type(c_funptr) :: get_spring_force
    type(c_funptr) :: get_constraint_violation
    type(c_funptr) :: get_energy
    type(c_funptr) :: get_momentum
    type(c_funptr) :: state_save
    type(c_funptr) :: state_restore
    type(c_funptr) :: state_destroy
    type(c_funptr) :: state_serialize
    type(c_funptr) :: state_deserialize
    type(c_funptr) :: write_checkpoint
    type(c_funptr) :: read_checkpoint
    type(c_funptr) :: quat_to_dcm
    type(c_funptr) :: quat_from_dcm
    type(c_funptr) :: quat_to_rotvec
    type(c_funptr) :: quat_from_rotvec
    type(c_funptr) :: quat_to_euler_zyx
    type(c_funptr) :: quat_from_euler_zyx
    type(c_funptr) :: set_body_prescribed
    type(c_funptr) :: set_joint_driven
    type(c_funptr) :: set_joint_spring
    type(c_funptr) :: set_joint_pitch
    type(c_funptr) :: set_joint_load
    type(c_funptr) :: set_joint_motion
    type(c_funptr) :: set_body_motion
    type(c_funptr) :: get_joint_coordinate
    type(c_funptr) :: get_body_reaction
    type(c_funptr) :: solve_equilibrium
    type(c_funptr) :: get_coordinates
    type(c_funptr) :: set_coordinates
    type(c_funptr) :: eval_accelerations
    type(c_funptr) :: retract
    type(c_funptr) :: difference
    type(c_funptr) :: get_mass_matrix
    type(c_funptr) :: get_constraint_jacobian
    type(c_funptr) :: linearize
    type(c_funptr) :: get_state_name
    type(c_funptr) :: get_modes
    type(c_funptr) :: get_load_compliance
    type(c_funptr) :: suggest_time_step
    type(c_funptr) :: get_warning
    type(c_funptr) :: load_model
    type(c_funptr) :: save_model
    type(c_funptr) :: get_redundant_constraints
    type(c_funptr) :: get_joint_reaction_on_a
    type(c_funptr) :: set_body_velocity_in
    type(c_funptr) :: set_joint_offset
    type(c_funptr) :: set_joint_slide_driven
    type(c_funptr) :: set_joint_slide_spring
    type(c_funptr) :: set_joint_slide_load
    type(c_funptr) :: set_joint_slide_motion
    type(c_funptr) :: set_coupled_load_callback
    type(c_funptr) :: set_progress_callback
    type(c_funptr) :: get_joint_slide
    type(c_funptr) :: frame_from_axes
    type(c_funptr) :: set_spring_table
    type(c_funptr) :: get_spring_table
    type(c_funptr) :: add_point
    type(c_funptr) :: fix_point
    type(c_funptr) :: attach_point
    type(c_funptr) :: set_point_prescribed
    type(c_funptr) :: set_point_velocity
    type(c_funptr) :: set_point_motion
    type(c_funptr) :: set_point_load
    type(c_funptr) :: get_point_load
    type(c_funptr) :: add_point_spring
    type(c_funptr) :: get_point_position
    type(c_funptr) :: get_point_velocity
    type(c_funptr) :: get_point_acceleration
    type(c_funptr) :: get_point_positions
    type(c_funptr) :: get_point_velocities
    type(c_funptr) :: get_point_accelerations
    type(c_funptr) :: get_point_reaction
    type(c_funptr) :: get_point_info
    type(c_funptr) :: get_spring_points
    type(c_funptr) :: get_name
    type(c_funptr) :: get_gravity
    type(c_funptr) :: get_body_mass
    type(c_funptr) :: get_body_initial_motion
    type(c_funptr) :: get_body_prescribed
    type(c_funptr) :: get_added_mass
    type(c_funptr) :: get_linear_damping
    type(c_funptr) :: get_quadratic_drag
    type(c_funptr) :: get_joint_info
    type(c_funptr) :: get_joint_driven
    type(c_funptr) :: get_joint_slide_driven
    type(c_funptr) :: get_joint_spring
    type(c_funptr) :: get_joint_slide_spring
    type(c_funptr) :: get_joint_offset
    type(c_funptr) :: get_joint_pitch
    type(c_funptr) :: get_joint_distance
    type(c_funptr) :: get_spring_info
    type(c_funptr) :: get_bushing_info
    type(c_funptr) :: get_marker_info
    type(c_funptr) :: get_body_load
    type(c_funptr) :: get_body_loads
    type(c_funptr) :: get_marker_load
    type(c_funptr) :: get_marker_loads
    type(c_funptr) :: get_joint_load
    type(c_funptr) :: get_joint_slide_load
    type(c_funptr) :: get_joint_motion_input
    type(c_funptr) :: get_joint_slide_motion_input
    type(c_funptr) :: get_body_motion_input
    type(c_funptr) :: get_load_callback
    type(c_funptr) :: get_coupled_load_callback
    type(c_funptr) :: get_coupled_load_body
    type(c_funptr) :: get_progress_callback
    type(c_funptr) :: set_openfast_platform
    type(c_funptr) :: channel_count
    type(c_funptr) :: channel_name
    type(c_funptr) :: channel_unit
    type(c_funptr) :: get_channels
    type(c_funptr) :: get_body_compliance
    type(c_funptr) :: get_joint_compliance
    type(c_funptr) :: linearize_inputs
    type(c_funptr) :: add_gear
    type(c_funptr) :: get_gear_info
    type(c_funptr) :: get_gear_load
    type(c_funptr) :: get_point_motion_input
    type(c_funptr) :: get_openfast_platform
    type(c_funptr) :: add_line_type
    type(c_funptr) :: set_line_type_table
    type(c_funptr) :: get_line_type_table
    type(c_funptr) :: get_line_type_info
    type(c_funptr) :: set_point_drag
    type(c_funptr) :: get_point_drag
    type(c_funptr) :: add_line
    type(c_funptr) :: get_line_info
    type(c_funptr) :: set_line_length
    type(c_funptr) :: get_line_length
    type(c_funptr) :: get_line_length_input
    type(c_funptr) :: release_line
    type(c_funptr) :: get_line_released
    type(c_funptr) :: get_line_positions
    type(c_funptr) :: get_line_velocities
    type(c_funptr) :: get_line_accelerations
    type(c_funptr) :: get_line_tensions
    type(c_funptr) :: get_line_end_force
    type(c_funptr) :: get_line_end_tensions
    type(c_funptr) :: get_line_end_forces
    type(c_funptr) :: set_environment
    type(c_funptr) :: get_environment
    type(c_funptr) :: set_current
    type(c_funptr) :: get_current
    type(c_funptr) :: set_fluid_callback
    type(c_funptr) :: get_fluid_callback
    type(c_funptr) :: load_moordyn
    type(c_funptr) :: add_moordyn_channel
    type(c_funptr) :: get_point_initial_motion
    type(c_funptr) :: get_discontinuity
    type(c_funptr) :: load_trusted_moordyn
    type(c_funptr) :: add_cylinder
    type(c_funptr) :: get_cylinder_info
    type(c_funptr) :: get_cylinder_loads
    type(c_funptr) :: set_waves
    type(c_funptr) :: set_irregular_waves
    type(c_funptr) :: set_wave_spectrum
    type(c_funptr) :: set_wave_record
    type(c_funptr) :: get_waves
    type(c_funptr) :: get_water_motion
    type(c_funptr) :: set_line_failure
    type(c_funptr) :: get_line_failure
    type(c_funptr) :: add_beam
    type(c_funptr) :: add_beam_station
    type(c_funptr) :: add_uniform_beam
    type(c_funptr) :: set_beam_lumped
    type(c_funptr) :: attach_beam
    type(c_funptr) :: add_beam_node
    type(c_funptr) :: mesh_beam
    type(c_funptr) :: beam_body
    type(c_funptr) :: get_beam_info
    type(c_funptr) :: get_beam_station
    type(c_funptr) :: get_beam_motion
    type(c_funptr) :: set_line_stiffness
    type(c_funptr) :: get_line_stiffness
    type(c_funptr) :: get_line_node_loads
    type(c_funptr) :: add_beam_load
    type(c_funptr) :: set_beam_load
    type(c_funptr) :: beam_load_count
    type(c_funptr) :: get_beam_load
    type(c_funptr) :: get_beam_load_motion
    type(c_funptr) :: get_beam_section_load
    type(c_funptr) :: get_beam_strains
    type(c_funptr) :: set_joint_stop
    type(c_funptr) :: get_joint_stop
    type(c_funptr) :: set_joint_friction
    type(c_funptr) :: get_joint_friction
    type(c_funptr) :: set_joint_brake
    type(c_funptr) :: get_joint_brake
    type(c_funptr) :: get_joint_machine
    type(c_funptr) :: event_count
    type(c_funptr) :: get_event
    type(c_funptr) :: advance_to
    type(c_funptr) :: add_joint_damper_point
    type(c_funptr) :: joint_damper_point_count
    type(c_funptr) :: get_joint_damper_point
    type(c_funptr) :: get_joint_damper_force
    type(c_funptr) :: add_contact_plane
    type(c_funptr) :: add_contact_spheres
    type(c_funptr) :: set_contact_law
    type(c_funptr) :: get_contact_law
    type(c_funptr) :: get_contact_info
    type(c_funptr) :: get_contact
    type(c_funptr) :: get_event_contact
    type(c_funptr) :: set_spring
    type(c_funptr) :: set_body_mass
    type(c_funptr) :: set_seabed_grid
    type(c_funptr) :: get_seabed_grid
    type(c_funptr) :: set_current_grid
    type(c_funptr) :: get_current_grid
    type(c_funptr) :: add_joint_spring_point
    type(c_funptr) :: joint_spring_point_count
    type(c_funptr) :: get_joint_spring_point
    type(c_funptr) :: get_joint_spring_force
    type(c_funptr) :: clamp_line
    type(c_funptr) :: get_line_clamp
    type(c_funptr) :: join_lines
    type(c_funptr) :: get_line_joint
    type(c_funptr) :: get_line_end_moment
    type(c_funptr) :: set_line_pressure
    type(c_funptr) :: get_line_pressure
    type(c_funptr) :: set_line_type_viscoelastic
    type(c_funptr) :: get_line_type_viscoelastic
    type(c_funptr) :: set_line_slow_strains
    type(c_funptr) :: get_line_slow_strains
    type(c_funptr) :: set_line_coordinates
    type(c_funptr) :: set_point_coordinates
    type(c_funptr) :: add_coupling
    type(c_funptr) :: get_coupling
    type(c_funptr) :: set_body_in_water
    type(c_funptr) :: get_body_in_water
    type(c_funptr) :: set_line_type_syrope
    type(c_funptr) :: get_line_type_syrope
    type(c_funptr) :: set_line_largest_tensions
    type(c_funptr) :: get_line_largest_tensions
    type(c_funptr) :: set_joint_strength
    type(c_funptr) :: get_joint_strength
    type(c_funptr) :: break_joint
    type(c_funptr) :: get_joint_broken
    type(c_funptr) :: add_tendon
    type(c_funptr) :: get_tendon_info
    type(c_funptr) :: get_tendon_point
    type(c_funptr) :: set_tendon_length
    type(c_funptr) :: get_tendon_length
    type(c_funptr) :: get_tendon_length_input
    type(c_funptr) :: get_tendon_force
    type(c_funptr) :: add_shape
    type(c_funptr) :: shape_count
    type(c_funptr) :: get_shape_info
    type(c_funptr) :: get_shape_text
    type(c_funptr) :: get_spring_mean_tension
    type(c_funptr) :: get_line_mean_tensions
    type(c_funptr) :: add_clutch
    type(c_funptr) :: set_clutch_capacity
    type(c_funptr) :: get_clutch_capacity
    type(c_funptr) :: get_clutch_info
    type(c_funptr) :: get_clutch
    type(c_funptr) :: get_event_clutch
    type(c_funptr) :: set_bushing_table
    type(c_funptr) :: get_bushing_table
    type(c_funptr) :: set_bushing_preload
    type(c_funptr) :: get_bushing_preload
    type(c_funptr) :: set_tendon_sheave
    type(c_funptr) :: get_tendon_sheave
    type(c_funptr) :: get_tendon_wrap
    type(c_funptr) :: set_joint_radius
    type(c_funptr) :: get_joint_radius
    type(c_funptr) :: set_clutch_stop
    type(c_funptr) :: get_clutch_stop
    type(c_funptr) :: set_joint_friction_load
    type(c_funptr) :: get_joint_friction_load
    type(c_funptr) :: set_joint_table
    type(c_funptr) :: set_tendon_friction
    type(c_funptr) :: get_tendon_friction
    type(c_funptr) :: get_tendon_slip
    type(c_funptr) :: set_contact_resistance
    type(c_funptr) :: get_contact_resistance
    type(c_funptr) :: get_contact_moment
  end type pintle_api

  abstract interface
    ! A load on a body that depends on its motion; see pintle_set_load_callback.
    function pintle_load_fn(user, time, body, pose, velocity, acceleration, wrench, stiffness36, damping36) bind(c) &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: user
      real(c_double), value :: time
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: pose(7)
      real(c_double), intent(in) :: velocity(6)
      real(c_double), intent(in) :: acceleration(6)
      real(c_double), intent(inout) :: wrench(6)
      real(c_double), intent(inout) :: stiffness36(6, 6)
      real(c_double), intent(inout) :: damping36(6, 6)
      integer(c_int32_t) :: code
    end function pintle_load_fn
  end interface

  abstract interface
    ! Called from time to time during a long call, which it may stop; see pintle_set_progress_callback.
    function pintle_progress_fn(user, time, fraction) bind(c) result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: user
      real(c_double), value :: time
      real(c_double), value :: fraction
      integer(c_int32_t) :: code
    end function pintle_progress_fn
  end interface

  abstract interface
    ! Loads on a set of bodies that depend on the motion of all of them; see pintle_set_coupled_load_callback.
    function pintle_coupled_load_fn(user, time, n, bodies, poses, velocities, accelerations, wrenches, stiffness, &
        damping, mass) bind(c) result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: user
      real(c_double), value :: time
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(in) :: bodies(n)
      real(c_double), intent(in) :: poses(7, n)
      real(c_double), intent(in) :: velocities(6, n)
      real(c_double), intent(in) :: accelerations(6, n)
      real(c_double), intent(inout) :: wrenches(6, n)
      real(c_double), intent(inout) :: stiffness(6*n, 6*n)
      real(c_double), intent(inout) :: damping(6*n, 6*n)
      real(c_double), intent(inout) :: mass(6*n, 6*n)
      integer(c_int32_t) :: code
    end function pintle_coupled_load_fn
  end interface

  abstract interface
    ! Computes the motion of the water at nodes of lines, at points, on cylinders; see pintle_set_fluid_callback for
    ! their order and the times of calls.
    function pintle_fluid_fn(user, time, n, positions, velocities, accelerations, elevations) bind(c) result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: user
      real(c_double), value :: time
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: positions(3, n)
      real(c_double), intent(inout) :: velocities(3, n)
      real(c_double), intent(inout) :: accelerations(3, n)
      real(c_double), intent(inout) :: elevations(n)
      integer(c_int32_t) :: code
    end function pintle_fluid_fn
  end interface

  interface
    ! Sets the strength of a joint: it breaks where the norm of the force, or of the moment, of its reaction
    ! (pintle_get_joint_reaction) reaches it.
    function c_pintle_set_joint_strength(sys, joint, force, moment) bind(c, name="pintle_set_joint_strength") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: force
      real(c_double), value :: moment
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_strength

    ! The strength of a joint (pintle_set_joint_strength).
    function c_pintle_get_joint_strength(sys, joint, force, moment) bind(c, name="pintle_get_joint_strength") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: force
      real(c_double), intent(out) :: moment
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_strength

    ! Breaks a joint at the accepted time, for the rest of the run: the bodies go on with their velocities, and the
    ! scheme starts anew.
    function c_pintle_break_joint(sys, joint) bind(c, name="pintle_break_joint") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t) :: code
    end function c_pintle_break_joint

    ! Whether a joint is broken: in the trial if one is pending, else in the accepted state.
    function c_pintle_get_joint_broken(sys, joint, broken) bind(c, name="pintle_get_joint_broken") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), intent(out) :: broken
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_broken

    ! Adds a contact between a sphere on body b and the half-space below a plane on body a, such as a floor, a fender or
    ! a bed.
    function c_pintle_add_contact_plane(sys, body_a, frame_a, body_b, centre_b, radius_b, contact) bind(c, &
        name="pintle_add_contact_plane") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body_a
      real(c_double), intent(in) :: frame_a(7)
      integer(c_int32_t), value :: body_b
      real(c_double), intent(in) :: centre_b(3)
      real(c_double), value :: radius_b
      integer(c_int32_t), intent(out) :: contact
      integer(c_int32_t) :: code
    end function c_pintle_add_contact_plane

    ! Adds a contact between a sphere on body b and one on body a, or the inside of a hollow sphere on body a, such as
    ! the clearance of a bearing.
    function c_pintle_add_contact_spheres(sys, body_a, centre_a, radius_a, body_b, centre_b, radius_b, inside, &
        contact) bind(c, name="pintle_add_contact_spheres") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body_a
      real(c_double), intent(in) :: centre_a(3)
      real(c_double), value :: radius_a
      integer(c_int32_t), value :: body_b
      real(c_double), intent(in) :: centre_b(3)
      real(c_double), value :: radius_b
      integer(c_int32_t), value :: inside
      integer(c_int32_t), intent(out) :: contact
      integer(c_int32_t) :: code
    end function c_pintle_add_contact_spheres

    ! Sets the law of a contact, in place of the former one.
    function c_pintle_set_contact_law(sys, contact, law, stiffness, exponent, damping, restitution, kinetic, holding, &
        slip) bind(c, name="pintle_set_contact_law") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: contact
      integer(c_int32_t), value :: law
      real(c_double), value :: stiffness
      real(c_double), value :: exponent
      real(c_double), value :: damping
      real(c_double), value :: restitution
      real(c_double), value :: kinetic
      real(c_double), value :: holding
      real(c_double), value :: slip
      integer(c_int32_t) :: code
    end function c_pintle_set_contact_law

    ! The law of a contact, as set.
    function c_pintle_get_contact_law(sys, contact, law, stiffness, exponent, damping, restitution, kinetic, holding, &
        slip) bind(c, name="pintle_get_contact_law") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: contact
      integer(c_int32_t), intent(out) :: law
      real(c_double), intent(out) :: stiffness
      real(c_double), intent(out) :: exponent
      real(c_double), intent(out) :: damping
      real(c_double), intent(out) :: restitution
      real(c_double), intent(out) :: kinetic
      real(c_double), intent(out) :: holding
      real(c_double), intent(out) :: slip
      integer(c_int32_t) :: code
    end function c_pintle_get_contact_law

    ! Sets the resistance of a contact to the relative angular velocity of its bodies, in place of the former one: dry
    ! friction in two directions against what rolls, and against what spins about the normal.
    function c_pintle_set_contact_resistance(sys, contact, rolling, spinning) bind(c, &
        name="pintle_set_contact_resistance") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: contact
      real(c_double), value :: rolling
      real(c_double), value :: spinning
      integer(c_int32_t) :: code
    end function c_pintle_set_contact_resistance

    ! The resistance of a contact, as set.
    function c_pintle_get_contact_resistance(sys, contact, rolling, spinning) bind(c, &
        name="pintle_get_contact_resistance") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: contact
      real(c_double), intent(out) :: rolling
      real(c_double), intent(out) :: spinning
      integer(c_int32_t) :: code
    end function c_pintle_get_contact_resistance

    ! The moment of rolling and spinning resistance at present (pintle_set_contact_resistance).
    function c_pintle_get_contact_moment(sys, contact, rolling_mode, spinning_mode, moment) bind(c, &
        name="pintle_get_contact_moment") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: contact
      integer(c_int32_t), intent(out) :: rolling_mode
      integer(c_int32_t), intent(out) :: spinning_mode
      real(c_double), intent(out) :: moment(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_contact_moment

    ! A contact as it was added.
    function c_pintle_get_contact_info(sys, contact, surface, body_a, frame_a, radius_a, body_b, centre_b, radius_b) &
        bind(c, name="pintle_get_contact_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: contact
      integer(c_int32_t), intent(out) :: surface
      integer(c_int32_t), intent(out) :: body_a
      real(c_double), intent(out) :: frame_a(7)
      real(c_double), intent(out) :: radius_a
      integer(c_int32_t), intent(out) :: body_b
      real(c_double), intent(out) :: centre_b(3)
      real(c_double), intent(out) :: radius_b
      integer(c_int32_t) :: code
    end function c_pintle_get_contact_info

    ! What a contact does at present.
    function c_pintle_get_contact(sys, contact, mode, gap, normal, tangential, point) bind(c, &
        name="pintle_get_contact") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: contact
      integer(c_int32_t), intent(out) :: mode
      real(c_double), intent(out) :: gap
      real(c_double), intent(out) :: normal
      real(c_double), intent(out) :: tangential(3)
      real(c_double), intent(out) :: point(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_contact

    ! The contact at which an event of the last step or trial happened (pintle_get_event).
    function c_pintle_get_event_contact(sys, i, contact) bind(c, name="pintle_get_event_contact") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: i
      integer(c_int32_t), intent(out) :: contact
      integer(c_int32_t) :: code
    end function c_pintle_get_event_contact

    ! Adds a spring with a damper between two points; tension is stiffness times elongation plus damping times its rate.
    function c_pintle_add_spring(sys, body_a, point_a, body_b, point_b, stiffness, damping, rest_length, tension_only, &
        spring) bind(c, name="pintle_add_spring") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body_a
      real(c_double), intent(in) :: point_a(3)
      integer(c_int32_t), value :: body_b
      real(c_double), intent(in) :: point_b(3)
      real(c_double), value :: stiffness
      real(c_double), value :: damping
      real(c_double), value :: rest_length
      integer(c_int32_t), value :: tension_only
      integer(c_int32_t), intent(out) :: spring
      integer(c_int32_t) :: code
    end function c_pintle_add_spring

    ! Sets stiffness, damping and rest length of a spring, in place of the former ones, as of a winch or a valve.
    function c_pintle_set_spring(sys, spring, stiffness, damping, rest_length) bind(c, name="pintle_set_spring") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: spring
      real(c_double), value :: stiffness
      real(c_double), value :: damping
      real(c_double), value :: rest_length
      integer(c_int32_t) :: code
    end function c_pintle_set_spring

    ! Replaces stiffness and rest length of a spring, or its former table, by a table of tensions over lengths:
    ! interpolated by monotone cubics (Fritsch, Carlson 1980), and beyond the ends by straight lines with the slopes of
    ! the ends.
    function c_pintle_set_spring_table(sys, spring, n, lengths, forces) bind(c, name="pintle_set_spring_table") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: spring
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: lengths(n)
      real(c_double), intent(in) :: forces(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_spring_table

    ! The table of a spring, as given to pintle_set_spring_table.
    function c_pintle_get_spring_table(sys, spring, cap, lengths, forces, n) bind(c, name="pintle_get_spring_table") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: spring
      integer(c_int32_t), value :: cap
      real(c_double), intent(out) :: lengths(cap)
      real(c_double), intent(out) :: forces(cap)
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_get_spring_table

    ! The mean tension of a spring over the last step of pintle_step or pintle_advance, as pintle_get_line_mean_tensions
    ! has those of lines.
    function c_pintle_get_spring_mean_tension(sys, spring, tension) bind(c, name="pintle_get_spring_mean_tension") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: spring
      real(c_double), intent(out) :: tension
      integer(c_int32_t) :: code
    end function c_pintle_get_spring_mean_tension

    ! Adds a bushing: a 6x6 spring and damper between two frames.
    function c_pintle_add_bushing(sys, body_a, body_b, frame_a, frame_b, stiffness, damping, bushing) bind(c, &
        name="pintle_add_bushing") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body_a
      integer(c_int32_t), value :: body_b
      real(c_double), intent(in) :: frame_a(7)
      real(c_double), intent(in) :: frame_b(7)
      real(c_double), intent(in) :: stiffness(6, 6)
      real(c_double), intent(in) :: damping(6, 6)
      integer(c_int32_t), intent(out) :: bushing
      integer(c_int32_t) :: code
    end function c_pintle_add_bushing

    ! Takes the force, or moment, of a bushing on one component of its deflection from a table, in the place of the
    ! diagonal entry of K or of a former table: interpolated by monotone cubics (Fritsch, Carlson 1980), and beyond the
    ! ends by straight lines with the slopes of the ends.
    function c_pintle_set_bushing_table(sys, bushing, axis, n, deflections, forces) bind(c, &
        name="pintle_set_bushing_table") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: bushing
      integer(c_int32_t), value :: axis
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: deflections(n)
      real(c_double), intent(in) :: forces(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_bushing_table

    ! The table of a bushing on one component of its deflection, as given to pintle_set_bushing_table.
    function c_pintle_get_bushing_table(sys, bushing, axis, cap, deflections, forces, n) bind(c, &
        name="pintle_get_bushing_table") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: bushing
      integer(c_int32_t), value :: axis
      integer(c_int32_t), value :: cap
      real(c_double), intent(out) :: deflections(cap)
      real(c_double), intent(out) :: forces(cap)
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_get_bushing_table

    ! Sets the wrench that a bushing exerts without deflection: the weight that a mount carries, the tension of a bolt.
    function c_pintle_set_bushing_preload(sys, bushing, preload) bind(c, name="pintle_set_bushing_preload") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: bushing
      real(c_double), intent(in) :: preload(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_bushing_preload

    ! The present preload of a bushing.
    function c_pintle_get_bushing_preload(sys, bushing, preload) bind(c, name="pintle_get_bushing_preload") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: bushing
      real(c_double), intent(out) :: preload(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_bushing_preload

    ! Adds a circular cylinder in water: hydrostatics in closed form at any attitude, and Morison's inertia and drag on
    ! the part of it in the water (docs/water.md).
    function c_pintle_add_cylinder(sys, body, end_a, end_b, diameter, segments, cd, ca, cd_end, ca_end, cylinder) &
        bind(c, name="pintle_add_cylinder") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: end_a(3)
      real(c_double), intent(in) :: end_b(3)
      real(c_double), value :: diameter
      integer(c_int32_t), value :: segments
      real(c_double), value :: cd
      real(c_double), value :: ca
      real(c_double), value :: cd_end
      real(c_double), value :: ca_end
      integer(c_int32_t), intent(out) :: cylinder
      integer(c_int32_t) :: code
    end function c_pintle_add_cylinder

    ! The loads of the water on a cylinder: wrenches about its end A in I.
    function c_pintle_get_cylinder_loads(sys, cylinder, submerged, buoyancy, drag, inertia) bind(c, &
        name="pintle_get_cylinder_loads") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cylinder
      real(c_double), intent(out) :: submerged
      real(c_double), intent(out) :: buoyancy(6)
      real(c_double), intent(out) :: drag(6)
      real(c_double), intent(out) :: inertia(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_cylinder_loads

    ! The number of events of friction, stops, contacts and clutches, and of joints that broke, in the last step or
    ! trial, of which at most 1000 are kept.
    function c_pintle_event_count(sys, n) bind(c, name="pintle_event_count") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_event_count

    ! An event of friction, a stop, a contact or a clutch, or of a joint that broke, in the last step or trial, in the
    ! order of their times.
    function c_pintle_get_event(sys, i, time, change, joint, slide, impulse) bind(c, name="pintle_get_event") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: i
      real(c_double), intent(out) :: time
      integer(c_int32_t), intent(out) :: change
      integer(c_int32_t), intent(out) :: joint
      integer(c_int32_t), intent(out) :: slide
      real(c_double), intent(out) :: impulse
      integer(c_int32_t) :: code
    end function c_pintle_get_event

    ! Adds a place to a beam at which the host gives loads (pintle_set_beam_load): a force and a moment there, or per
    ! length.
    function c_pintle_add_beam_load(sys, beam, s, offset, distributed, place) bind(c, name="pintle_add_beam_load") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      real(c_double), value :: s
      real(c_double), intent(in) :: offset(3)
      integer(c_int32_t), value :: distributed
      integer(c_int32_t), intent(out) :: place
      integer(c_int32_t) :: code
    end function c_pintle_add_beam_load

    ! Sets the load at a place of a beam.
    function c_pintle_set_beam_load(sys, beam, place, frame, wrench) bind(c, name="pintle_set_beam_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: place
      integer(c_int32_t), value :: frame
      real(c_double), intent(in) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_beam_load

    ! How many places a beam has at which loads act.
    function c_pintle_beam_load_count(sys, beam, count) bind(c, name="pintle_beam_load_count") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), intent(out) :: count
      integer(c_int32_t) :: code
    end function c_pintle_beam_load_count

    ! A place of a beam at which loads act, and the load that is set there, as it was given.
    function c_pintle_get_beam_load(sys, beam, place, s, offset, distributed, frame, wrench) bind(c, &
        name="pintle_get_beam_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: place
      real(c_double), intent(out) :: s
      real(c_double), intent(out) :: offset(3)
      integer(c_int32_t), intent(out) :: distributed
      integer(c_int32_t), intent(out) :: frame
      real(c_double), intent(out) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_beam_load

    ! The motion of a place of a beam at which loads act.
    function c_pintle_get_beam_load_motion(sys, beam, place, pose, velocity) bind(c, &
        name="pintle_get_beam_load_motion") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: place
      real(c_double), intent(out) :: pose(7)
      real(c_double), intent(out) :: velocity(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_beam_load_motion

    ! Force and moment of a section of a beam about its place, anywhere along the beam: what the part behind it does on
    ! the part before it, just before a load at that arc length.
    function c_pintle_get_beam_section_load(sys, beam, s, frame, wrench) bind(c, name="pintle_get_beam_section_load") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      real(c_double), value :: s
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_beam_section_load

    ! The strains of a section of a beam, anywhere along it: those of the force and the moment of
    ! pintle_get_beam_section_load less what damping has of them.
    function c_pintle_get_beam_strains(sys, beam, s, strains) bind(c, name="pintle_get_beam_strains") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      real(c_double), value :: s
      real(c_double), intent(out) :: strains(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_beam_strains

    ! Adds a beam: geometrically exact, with any stiffness and mass of its sections (docs/beams.md).
    function c_pintle_add_beam(sys, damping, beam) bind(c, name="pintle_add_beam") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(in) :: damping(6)
      integer(c_int32_t), intent(out) :: beam
      integer(c_int32_t) :: code
    end function c_pintle_add_beam

    ! Adds a station to a beam, behind those that it has.
    function c_pintle_add_beam_station(sys, beam, s, pose, stiffness, mass) bind(c, name="pintle_add_beam_station") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      real(c_double), value :: s
      real(c_double), intent(in) :: pose(7)
      real(c_double), intent(in) :: stiffness(6, 6)
      real(c_double), intent(in) :: mass(6, 6)
      integer(c_int32_t) :: code
    end function c_pintle_add_beam_station

    ! Adds a straight beam of one section: a beam with stations at both ends.
    function c_pintle_add_uniform_beam(sys, point_a, point_b, axis, stiffness, mass, damping, beam) bind(c, &
        name="pintle_add_uniform_beam") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(in) :: point_a(3)
      real(c_double), intent(in) :: point_b(3)
      real(c_double), intent(in) :: axis(3)
      real(c_double), intent(in) :: stiffness(6)
      real(c_double), intent(in) :: mass(4)
      real(c_double), intent(in) :: damping(6)
      integer(c_int32_t), intent(out) :: beam
      integer(c_int32_t) :: code
    end function c_pintle_add_uniform_beam

    ! Says whether the inertia of each element is lumped at its ends, or spread over it as its points move (the
    ! default).
    function c_pintle_set_beam_lumped(sys, beam, lumped) bind(c, name="pintle_set_beam_lumped") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: lumped
      integer(c_int32_t) :: code
    end function c_pintle_set_beam_lumped

    ! Makes a node of a beam a part of a body, or fixes it to the ground: no joint is needed, and the node may be
    ! anywhere on the body.
    function c_pintle_attach_beam(sys, beam, node, body) bind(c, name="pintle_attach_beam") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: node
      integer(c_int32_t), value :: body
      integer(c_int32_t) :: code
    end function c_pintle_attach_beam

    ! Adds a node to a beam that pintle_mesh_beam shall divide at given places: where something is attached, or where
    ! sections change fast.
    function c_pintle_add_beam_node(sys, beam, s) bind(c, name="pintle_add_beam_node") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      real(c_double), value :: s
      integer(c_int32_t) :: code
    end function c_pintle_add_beam_node

    ! Divides a beam into elements.
    function c_pintle_mesh_beam(sys, beam, n_elements) bind(c, name="pintle_mesh_beam") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: n_elements
      integer(c_int32_t) :: code
    end function c_pintle_mesh_beam

    ! The body that is a node of a beam.
    function c_pintle_beam_body(sys, beam, node, body) bind(c, name="pintle_beam_body") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: node
      integer(c_int32_t), intent(out) :: body
      integer(c_int32_t) :: code
    end function c_pintle_beam_body

    ! A beam as it was added.
    function c_pintle_get_beam_info(sys, beam, damping, lumped, n_stations, n_elements, first_element) bind(c, &
        name="pintle_get_beam_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      real(c_double), intent(out) :: damping(6)
      integer(c_int32_t), intent(out) :: lumped
      integer(c_int32_t), intent(out) :: n_stations
      integer(c_int32_t), intent(out) :: n_elements
      integer(c_int32_t), intent(out) :: first_element
      integer(c_int32_t) :: code
    end function c_pintle_get_beam_info

    ! A station of a beam as it was added.
    function c_pintle_get_beam_station(sys, beam, station, s, pose, stiffness, mass) bind(c, &
        name="pintle_get_beam_station") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      integer(c_int32_t), value :: station
      real(c_double), intent(out) :: s
      real(c_double), intent(out) :: pose(7)
      real(c_double), intent(out) :: stiffness(6, 6)
      real(c_double), intent(out) :: mass(6, 6)
      integer(c_int32_t) :: code
    end function c_pintle_get_beam_station

    ! The motion of a section of a beam, anywhere along it.
    function c_pintle_get_beam_motion(sys, beam, s, pose, velocity) bind(c, name="pintle_get_beam_motion") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: beam
      real(c_double), value :: s
      real(c_double), intent(out) :: pose(7)
      real(c_double), intent(out) :: velocity(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_beam_motion

    ! Adds a clutch between two coordinates of joints: dry friction on the slip s = q_b - ratio q_a, q their coordinates
    ! (pintle_get_joint_coordinate) or slides.
    function c_pintle_add_clutch(sys, joint_a, slide_a, joint_b, slide_b, ratio, capacity_back, capacity_forth, &
        static_ratio, slip, clutch) bind(c, name="pintle_add_clutch") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint_a
      integer(c_int32_t), value :: slide_a
      integer(c_int32_t), value :: joint_b
      integer(c_int32_t), value :: slide_b
      real(c_double), value :: ratio
      real(c_double), value :: capacity_back
      real(c_double), value :: capacity_forth
      real(c_double), value :: static_ratio
      real(c_double), value :: slip
      integer(c_int32_t), intent(out) :: clutch
      integer(c_int32_t) :: code
    end function c_pintle_add_clutch

    ! Sets the capacities of a clutch, from the accepted time on.
    function c_pintle_set_clutch_capacity(sys, clutch, capacity_back, capacity_forth) bind(c, &
        name="pintle_set_clutch_capacity") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: clutch
      real(c_double), value :: capacity_back
      real(c_double), value :: capacity_forth
      integer(c_int32_t) :: code
    end function c_pintle_set_clutch_capacity

    ! The capacities of a clutch, as set.
    function c_pintle_get_clutch_capacity(sys, clutch, capacity_back, capacity_forth) bind(c, &
        name="pintle_get_clutch_capacity") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: clutch
      real(c_double), intent(out) :: capacity_back
      real(c_double), intent(out) :: capacity_forth
      integer(c_int32_t) :: code
    end function c_pintle_get_clutch_capacity

    ! Sets stops at both ends of the range of s = q_b - ratio q_a, in place of those before, as pintle_set_joint_stop
    ! does on one joint.
    function c_pintle_set_clutch_stop(sys, clutch, lower, upper, law, stiffness, damping, restitution) bind(c, &
        name="pintle_set_clutch_stop") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: clutch
      real(c_double), value :: lower
      real(c_double), value :: upper
      integer(c_int32_t), value :: law
      real(c_double), value :: stiffness
      real(c_double), value :: damping
      real(c_double), value :: restitution
      integer(c_int32_t) :: code
    end function c_pintle_set_clutch_stop

    ! The stops of a clutch, as set.
    function c_pintle_get_clutch_stop(sys, clutch, lower, upper, law, stiffness, damping, restitution) bind(c, &
        name="pintle_get_clutch_stop") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: clutch
      real(c_double), intent(out) :: lower
      real(c_double), intent(out) :: upper
      integer(c_int32_t), intent(out) :: law
      real(c_double), intent(out) :: stiffness
      real(c_double), intent(out) :: damping
      real(c_double), intent(out) :: restitution
      integer(c_int32_t) :: code
    end function c_pintle_get_clutch_stop

    ! A clutch as it was added.
    function c_pintle_get_clutch_info(sys, clutch, joint_a, slide_a, joint_b, slide_b, ratio, static_ratio, slip) &
        bind(c, name="pintle_get_clutch_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: clutch
      integer(c_int32_t), intent(out) :: joint_a
      integer(c_int32_t), intent(out) :: slide_a
      integer(c_int32_t), intent(out) :: joint_b
      integer(c_int32_t), intent(out) :: slide_b
      real(c_double), intent(out) :: ratio
      real(c_double), intent(out) :: static_ratio
      real(c_double), intent(out) :: slip
      integer(c_int32_t) :: code
    end function c_pintle_get_clutch_info

    ! What a clutch does at present: of the trial if one is pending, else of the accepted state.
    function c_pintle_get_clutch(sys, clutch, mode, torque, slip_rate, limit_back, limit_forth, dissipated) bind(c, &
        name="pintle_get_clutch") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: clutch
      integer(c_int32_t), intent(out) :: mode
      real(c_double), intent(out) :: torque
      real(c_double), intent(out) :: slip_rate
      real(c_double), intent(out) :: limit_back
      real(c_double), intent(out) :: limit_forth
      real(c_double), intent(out) :: dissipated
      integer(c_int32_t) :: code
    end function c_pintle_get_clutch

    ! The clutch at which an event of the last step or trial happened (pintle_get_event).
    function c_pintle_get_event_clutch(sys, i, clutch) bind(c, name="pintle_get_event_clutch") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: i
      integer(c_int32_t), intent(out) :: clutch
      integer(c_int32_t) :: code
    end function c_pintle_get_event_clutch

    ! Adds a gear between two joints: q_b - q_b0 = ratio (q_a - q_a0), q their coordinates (pintle_get_joint_coordinate:
    ! angle or displacement, in either place) and q0 the coordinates at the poses that bodies were added with.
    function c_pintle_add_gear(sys, joint_a, joint_b, ratio, gear) bind(c, name="pintle_add_gear") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint_a
      integer(c_int32_t), value :: joint_b
      real(c_double), value :: ratio
      integer(c_int32_t), intent(out) :: gear
      integer(c_int32_t) :: code
    end function c_pintle_add_gear

    ! Adds a gear between the coordinates of two or more joints: the sum of c_i (q_i - q_i0) is 0, q and q0 as for
    ! pintle_add_gear, which is the one of two joints with coefficients -ratio and 1.
    function c_pintle_add_coupling(sys, n, joints, coefficients, gear) bind(c, name="pintle_add_coupling") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(in) :: joints(n)
      real(c_double), intent(in) :: coefficients(n)
      integer(c_int32_t), intent(out) :: gear
      integer(c_int32_t) :: code
    end function c_pintle_add_coupling

    ! A part of a gear: one of its joints, and the coefficient of its coordinate.
    function c_pintle_get_coupling(sys, gear, part, n, joint, coefficient) bind(c, name="pintle_get_coupling") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: gear
      integer(c_int32_t), value :: part
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t), intent(out) :: joint
      real(c_double), intent(out) :: coefficient
      integer(c_int32_t) :: code
    end function c_pintle_get_coupling

    ! Joints and ratio of a gear.
    function c_pintle_get_gear_info(sys, gear, joint_a, joint_b, ratio) bind(c, name="pintle_get_gear_info") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: gear
      integer(c_int32_t), intent(out) :: joint_a
      integer(c_int32_t), intent(out) :: joint_b
      real(c_double), intent(out) :: ratio
      integer(c_int32_t) :: code
    end function c_pintle_get_gear_info

    ! The load that a gear transmits: its generalized force on the coordinate of its last joint, on body b of that joint
    ! (the opposite acts on its body a): a torque on an angle, a force on a displacement.
    function c_pintle_get_gear_load(sys, gear, torque) bind(c, name="pintle_get_gear_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: gear
      real(c_double), intent(out) :: torque
      integer(c_int32_t) :: code
    end function c_pintle_get_gear_load

    ! Replaces the table of a spring or a damper on a joint's coordinate.
    function c_pintle_set_joint_table(sys, joint, slide, what, n, x, y) bind(c, name="pintle_set_joint_table") &
        result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      character(kind=c_char), intent(in) :: what(*)
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: x(n)
      real(c_double), intent(in) :: y(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_table

    ! Adds a point to the table of a damper on a joint's coordinate, which acts against its rate: a monotone cubic
    ! through 0 at rest and the points, in whatever order they come, and straight lines beyond.
    function c_pintle_add_joint_damper_point(sys, joint, slide, rate, force) bind(c, &
        name="pintle_add_joint_damper_point") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), value :: rate
      real(c_double), value :: force
      integer(c_int32_t) :: code
    end function c_pintle_add_joint_damper_point

    ! The number of points in the table of a damper on a joint.
    function c_pintle_joint_damper_point_count(sys, joint, slide, n) bind(c, name="pintle_joint_damper_point_count") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_joint_damper_point_count

    ! A point in the table of a damper on a joint.
    function c_pintle_get_joint_damper_point(sys, joint, slide, point, rate, force) bind(c, &
        name="pintle_get_joint_damper_point") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: rate
      real(c_double), intent(out) :: force
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_damper_point

    ! The force of the damper with a table on a joint's coordinate, on body b: of the sign against the rate.
    function c_pintle_get_joint_damper_force(sys, joint, slide, force) bind(c, name="pintle_get_joint_damper_force") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), intent(out) :: force
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_damper_force

    ! Adds a point to the table of a spring on a joint's coordinate, which pushes it back: a monotone cubic through the
    ! points, in whatever order they come, and straight lines beyond; a single point is a constant force.
    function c_pintle_add_joint_spring_point(sys, joint, slide, coordinate, force) bind(c, &
        name="pintle_add_joint_spring_point") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), value :: coordinate
      real(c_double), value :: force
      integer(c_int32_t) :: code
    end function c_pintle_add_joint_spring_point

    ! The number of points in the table of a spring on a joint.
    function c_pintle_joint_spring_point_count(sys, joint, slide, n) bind(c, name="pintle_joint_spring_point_count") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_joint_spring_point_count

    ! A point in the table of a spring on a joint.
    function c_pintle_get_joint_spring_point(sys, joint, slide, point, coordinate, force) bind(c, &
        name="pintle_get_joint_spring_point") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: coordinate
      real(c_double), intent(out) :: force
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_spring_point

    ! The force of the springs on a joint's coordinate, on body b: of pintle_add_joint_spring_point and of
    ! pintle_set_joint_spring, without the damping of that.
    function c_pintle_get_joint_spring_force(sys, joint, slide, force) bind(c, name="pintle_get_joint_spring_force") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), intent(out) :: force
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_spring_force

    ! Lets ends of lines break off together, as when the point breaks that they are tied to: at a time, or when the
    ! tension of one of their end segments is above a limit, whichever comes first.
    function c_pintle_set_line_failure(sys, n, lines, ends, time, tension, point) bind(c, &
        name="pintle_set_line_failure") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(in) :: lines(n)
      integer(c_int32_t), intent(in) :: ends(n)
      real(c_double), value :: time
      real(c_double), value :: tension
      integer(c_int32_t), value :: point
      integer(c_int32_t) :: code
    end function c_pintle_set_line_failure

    ! The failure of an end of a line (pintle_set_line_failure).
    function c_pintle_get_line_failure(sys, line, end, time, tension, point) bind(c, name="pintle_get_line_failure") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: end
      real(c_double), intent(out) :: time
      real(c_double), intent(out) :: tension
      integer(c_int32_t), intent(out) :: point
      integer(c_int32_t) :: code
    end function c_pintle_get_line_failure

    ! Releases an end of a line, as when it breaks there: from the present time on the end is not tied, and moves freely
    ! with its present velocity.
    function c_pintle_release_line(sys, line, end) bind(c, name="pintle_release_line") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: end
      integer(c_int32_t) :: code
    end function c_pintle_release_line

    ! Whether the ends of a line were released (pintle_release_line, pintle_set_line_failure).
    function c_pintle_get_line_released(sys, line, end_a, end_b) bind(c, name="pintle_get_line_released") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), intent(out) :: end_a
      integer(c_int32_t), intent(out) :: end_b
      integer(c_int32_t) :: code
    end function c_pintle_get_line_released

    ! Sets the axial stiffness of a line from the present time on, as of polyester, which is stiffer the faster it is
    ! loaded.
    function c_pintle_set_line_stiffness(sys, line, ea) bind(c, name="pintle_set_line_stiffness") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      real(c_double), value :: ea
      integer(c_int32_t) :: code
    end function c_pintle_set_line_stiffness

    ! The axial stiffness of a line (pintle_add_line_type, pintle_set_line_stiffness).
    function c_pintle_get_line_stiffness(sys, line, ea) bind(c, name="pintle_get_line_stiffness") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      real(c_double), intent(out) :: ea
      integer(c_int32_t) :: code
    end function c_pintle_get_line_stiffness

    ! Moves the nodes of a line at constant time, as to where another program left them.
    function c_pintle_set_line_coordinates(sys, line, n, positions, velocities) bind(c, &
        name="pintle_set_line_coordinates") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: positions(3, n)
      real(c_double), intent(in) :: velocities(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_set_line_coordinates

    ! Sets the internal pressure of a line, such as a riser or a hose.
    function c_pintle_set_line_pressure(sys, line, n, pressure) bind(c, name="pintle_set_line_pressure") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: pressure(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_line_pressure

    ! The internal pressure at the nodes of a line (pintle_set_line_pressure).
    function c_pintle_get_line_pressure(sys, line, n, pressure) bind(c, name="pintle_get_line_pressure") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: pressure(n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_pressure

    ! The forces of one cause on the nodes of a line, from end A to end B, without the inertia of the line and of the
    ! water that moves along.
    function c_pintle_get_line_node_loads(sys, line, what, n, out) bind(c, name="pintle_get_line_node_loads") &
        result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      character(kind=c_char), intent(in) :: what(*)
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: out(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_node_loads

    ! Clamps an end of a line with bending stiffness, as a bend stiffener or a flange does: the line leaves the end
    ! along `axis`, and passes a moment on.
    function c_pintle_clamp_line(sys, line, end, body, axis) bind(c, name="pintle_clamp_line") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: end
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: axis(3)
      integer(c_int32_t) :: code
    end function c_pintle_clamp_line

    ! The clamp of an end of a line (pintle_clamp_line).
    function c_pintle_get_line_clamp(sys, line, end, clamped, body, axis) bind(c, name="pintle_get_line_clamp") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: end
      integer(c_int32_t), intent(out) :: clamped
      integer(c_int32_t), intent(out) :: body
      real(c_double), intent(out) :: axis(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_clamp

    ! Joins ends of two lines with bending stiffness at one point, as where two cables are spliced, or a bend stiffener
    ! begins: bending passes on, as at an inner node.
    function c_pintle_join_lines(sys, line_a, end_a, line_b, end_b) bind(c, name="pintle_join_lines") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line_a
      integer(c_int32_t), value :: end_a
      integer(c_int32_t), value :: line_b
      integer(c_int32_t), value :: end_b
      integer(c_int32_t) :: code
    end function c_pintle_join_lines

    ! The end that an end of a line is joined to (pintle_join_lines).
    function c_pintle_get_line_joint(sys, line, end, other_line, other_end) bind(c, name="pintle_get_line_joint") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: end
      integer(c_int32_t), intent(out) :: other_line
      integer(c_int32_t), intent(out) :: other_end
      integer(c_int32_t) :: code
    end function c_pintle_get_line_joint

    ! The bending moment of a clamped end of a line on what holds it, about the end: what a hang-off is designed for; or
    ! of a joined end on the other line.
    function c_pintle_get_line_end_moment(sys, line, end, moment) bind(c, name="pintle_get_line_end_moment") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: end
      real(c_double), intent(out) :: moment(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_end_moment

    ! Adds a type of lines, with their material properties.
    function c_pintle_add_line_type(sys, diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat, type) bind(c, &
        name="pintle_add_line_type") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: diameter
      real(c_double), value :: mass_per_length
      real(c_double), value :: ea
      real(c_double), value :: ba
      real(c_double), value :: ei
      real(c_double), value :: cdn
      real(c_double), value :: can
      real(c_double), value :: cdt
      real(c_double), value :: cat
      integer(c_int32_t), intent(out) :: type
      integer(c_int32_t) :: code
    end function c_pintle_add_line_type

    ! Replaces a number of a type of lines, or a former table, by a table: linear between its points, and extrapolated
    ! linearly beyond the ends, not below zero.
    function c_pintle_set_line_type_table(sys, type, what, n, x, y) bind(c, name="pintle_set_line_type_table") &
        result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      character(kind=c_char), intent(in) :: what(*)
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: x(n)
      real(c_double), intent(in) :: y(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_line_type_table

    ! A table of a type of lines, as given to pintle_set_line_type_table.
    function c_pintle_get_line_type_table(sys, type, what, cap, x, y, n) bind(c, name="pintle_get_line_type_table") &
        result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      character(kind=c_char), intent(in) :: what(*)
      integer(c_int32_t), value :: cap
      real(c_double), intent(out) :: x(cap)
      real(c_double), intent(out) :: y(cap)
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_get_line_type_table

    ! A type of lines as it was described.
    function c_pintle_get_line_type_info(sys, type, diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat) bind(c, &
        name="pintle_get_line_type_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      real(c_double), intent(out) :: diameter
      real(c_double), intent(out) :: mass_per_length
      real(c_double), intent(out) :: ea
      real(c_double), intent(out) :: ba
      real(c_double), intent(out) :: ei
      real(c_double), intent(out) :: cdn
      real(c_double), intent(out) :: can
      real(c_double), intent(out) :: cdt
      real(c_double), intent(out) :: cat
      integer(c_int32_t) :: code
    end function c_pintle_get_line_type_info

    ! Sets drag and added mass of a point in water.
    function c_pintle_set_point_drag(sys, point, cda, ca) bind(c, name="pintle_set_point_drag") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), value :: cda
      real(c_double), value :: ca
      integer(c_int32_t) :: code
    end function c_pintle_set_point_drag

    ! Drag and added mass of a point (pintle_set_point_drag).
    function c_pintle_get_point_drag(sys, point, cda, ca) bind(c, name="pintle_get_point_drag") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: cda
      real(c_double), intent(out) :: ca
      integer(c_int32_t) :: code
    end function c_pintle_get_point_drag

    ! Adds a line between two points: end A at the first, end B at the second.
    function c_pintle_add_line(sys, type, point_a, point_b, length, segments, line) bind(c, name="pintle_add_line") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      integer(c_int32_t), value :: point_a
      integer(c_int32_t), value :: point_b
      real(c_double), value :: length
      integer(c_int32_t), value :: segments
      integer(c_int32_t), intent(out) :: line
      integer(c_int32_t) :: code
    end function c_pintle_add_line

    ! A line as it was described.
    function c_pintle_get_line_info(sys, line, type, point_a, point_b, length, segments) bind(c, &
        name="pintle_get_line_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), intent(out) :: type
      integer(c_int32_t), intent(out) :: point_a
      integer(c_int32_t), intent(out) :: point_b
      real(c_double), intent(out) :: length
      integer(c_int32_t), intent(out) :: segments
      integer(c_int32_t) :: code
    end function c_pintle_get_line_info

    ! Sets the unstretched length of a line and its rate at the END of the coming step, as a winch changes them; in
    ! between the length is the cubic with these values at both ends.
    function c_pintle_set_line_length(sys, line, length, rate) bind(c, name="pintle_set_line_length") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      real(c_double), value :: length
      real(c_double), value :: rate
      integer(c_int32_t) :: code
    end function c_pintle_set_line_length

    ! The unstretched length of a line and its rate.
    function c_pintle_get_line_length(sys, line, length, rate) bind(c, name="pintle_get_line_length") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      real(c_double), intent(out) :: length
      real(c_double), intent(out) :: rate
      integer(c_int32_t) :: code
    end function c_pintle_get_line_length

    ! The unstretched length of a line and its rate that are set for the end of the coming step
    ! (pintle_set_line_length).
    function c_pintle_get_line_length_input(sys, line, length, rate) bind(c, name="pintle_get_line_length_input") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      real(c_double), intent(out) :: length
      real(c_double), intent(out) :: rate
      integer(c_int32_t) :: code
    end function c_pintle_get_line_length_input

    ! The positions of the nodes of a line, from end A to end B.
    function c_pintle_get_line_positions(sys, line, n, positions) bind(c, name="pintle_get_line_positions") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: positions(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_positions

    ! The velocities of the nodes of a line, from end A to end B.
    function c_pintle_get_line_velocities(sys, line, n, velocities) bind(c, name="pintle_get_line_velocities") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: velocities(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_velocities

    ! The accelerations of the nodes of a line, from end A to end B.
    function c_pintle_get_line_accelerations(sys, line, n, accelerations) bind(c, &
        name="pintle_get_line_accelerations") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: accelerations(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_accelerations

    ! The tensions of the segments of a line, from end A to end B: elastic and damping force, positive where a segment
    ! pulls; a slack one may push a little, by its damping.
    function c_pintle_get_line_tensions(sys, line, n, tensions) bind(c, name="pintle_get_line_tensions") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: tensions(n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_tensions

    ! The net force of an end of a line on its point: tension, weight, drag and seabed of the half segment there,
    ! without its inertia.
    function c_pintle_get_line_end_force(sys, line, end, force) bind(c, name="pintle_get_line_end_force") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: end
      real(c_double), intent(out) :: force(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_end_force

    ! The tensions of the end segments of all lines: those of ends A and B of line 0, then of line 1, and so on.
    function c_pintle_get_line_end_tensions(sys, n, tensions) bind(c, name="pintle_get_line_end_tensions") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: tensions(2, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_end_tensions

    ! The mean tensions of the end segments of all lines over the last step of pintle_step or pintle_advance, whatever
    ! internal steps it was cut into: those of ends A and B of line 0, then of line 1, and so on.
    function c_pintle_get_line_mean_tensions(sys, n, tensions) bind(c, name="pintle_get_line_mean_tensions") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: tensions(2, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_mean_tensions

    ! The net forces of the ends of all lines on their points (pintle_get_line_end_force): end A of line 0, its end B,
    ! end A of line 1, and so on.
    function c_pintle_get_line_end_forces(sys, n, forces) bind(c, name="pintle_get_line_end_forces") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: forces(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_end_forces

    ! Sets stops at both ends of the range of a joint's coordinate, in place of those before.
    function c_pintle_set_joint_stop(sys, joint, slide, lower, upper, law, stiffness, damping, restitution) bind(c, &
        name="pintle_set_joint_stop") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), value :: lower
      real(c_double), value :: upper
      integer(c_int32_t), value :: law
      real(c_double), value :: stiffness
      real(c_double), value :: damping
      real(c_double), value :: restitution
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_stop

    ! The stops of a joint, as set.
    function c_pintle_get_joint_stop(sys, joint, slide, lower, upper, law, stiffness, damping, restitution) bind(c, &
        name="pintle_get_joint_stop") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), intent(out) :: lower
      real(c_double), intent(out) :: upper
      integer(c_int32_t), intent(out) :: law
      real(c_double), intent(out) :: stiffness
      real(c_double), intent(out) :: damping
      real(c_double), intent(out) :: restitution
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_stop

    ! Sets dry friction and drag on a joint's coordinate, in place of those before.
    function c_pintle_set_joint_friction(sys, joint, slide, kinetic, holding, viscous, quadratic, slip) bind(c, &
        name="pintle_set_joint_friction") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), value :: kinetic
      real(c_double), value :: holding
      real(c_double), value :: viscous
      real(c_double), value :: quadratic
      real(c_double), value :: slip
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_friction

    ! The friction of a joint, as set.
    function c_pintle_get_joint_friction(sys, joint, slide, kinetic, holding, viscous, quadratic, slip) bind(c, &
        name="pintle_get_joint_friction") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), intent(out) :: kinetic
      real(c_double), intent(out) :: holding
      real(c_double), intent(out) :: viscous
      real(c_double), intent(out) :: quadratic
      real(c_double), intent(out) :: slip
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_friction

    ! Sets what the reaction of a joint adds to its friction, as of a yaw bearing or a sliding bearing: with F and M its
    ! force and moment on body b at the origin of frame b, and z the axis of the joint, axial max(0, F_z) + radial
    ! |F_xy| + bending |M_xy| is added to kinetic of pintle_set_joint_friction, and static_ratio times that to holding.
    function c_pintle_set_joint_friction_load(sys, joint, slide, axial, radial, bending, static_ratio) bind(c, &
        name="pintle_set_joint_friction_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), value :: axial
      real(c_double), value :: radial
      real(c_double), value :: bending
      real(c_double), value :: static_ratio
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_friction_load

    ! What the reaction of a joint adds to its friction, as set.
    function c_pintle_get_joint_friction_load(sys, joint, slide, axial, radial, bending, static_ratio) bind(c, &
        name="pintle_get_joint_friction_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), intent(out) :: axial
      real(c_double), intent(out) :: radial
      real(c_double), intent(out) :: bending
      real(c_double), intent(out) :: static_ratio
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_friction_load

    ! Sets the capacity of the brake on a joint: it adds to kinetic and to holding of its friction, from the accepted
    ! time on.
    function c_pintle_set_joint_brake(sys, joint, slide, capacity) bind(c, name="pintle_set_joint_brake") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), value :: capacity
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_brake

    ! The capacity of the brake on a joint, as set.
    function c_pintle_get_joint_brake(sys, joint, slide, capacity) bind(c, name="pintle_get_joint_brake") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      real(c_double), intent(out) :: capacity
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_brake

    ! What friction and stops on a joint do at present: of the trial if one is pending, else of the accepted state.
    function c_pintle_get_joint_machine(sys, joint, slide, mode, friction, stop_force, limit, dissipated) bind(c, &
        name="pintle_get_joint_machine") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: slide
      integer(c_int32_t), intent(out) :: mode
      real(c_double), intent(out) :: friction
      real(c_double), intent(out) :: stop_force
      real(c_double), intent(out) :: limit
      real(c_double), intent(out) :: dissipated
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_machine

    ! Adds a point: a mass without rotation, free to move until it is fixed, attached or prescribed.
    function c_pintle_add_point(sys, mass, volume, position, point) bind(c, name="pintle_add_point") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: mass
      real(c_double), value :: volume
      real(c_double), intent(in) :: position(3)
      integer(c_int32_t), intent(out) :: point
      integer(c_int32_t) :: code
    end function c_pintle_add_point

    ! Fixes a point at its position.
    function c_pintle_fix_point(sys, point) bind(c, name="pintle_fix_point") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      integer(c_int32_t) :: code
    end function c_pintle_fix_point

    ! Attaches a point to a body, with which it moves; springs on it, and its load, act on the body there, as do its
    ! drag and added mass (pintle_set_point_drag).
    function c_pintle_attach_point(sys, point, body, position) bind(c, name="pintle_attach_point") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: position(3)
      integer(c_int32_t) :: code
    end function c_pintle_attach_point

    ! Says whether the host imposes the motion of a point (pintle_set_point_motion), which is held like that of a
    ! prescribed body.
    function c_pintle_set_point_prescribed(sys, point, prescribed) bind(c, name="pintle_set_point_prescribed") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      integer(c_int32_t), value :: prescribed
      integer(c_int32_t) :: code
    end function c_pintle_set_point_prescribed

    ! Sets the initial velocity of a point.
    function c_pintle_set_point_velocity(sys, point, velocity) bind(c, name="pintle_set_point_velocity") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(in) :: velocity(3)
      integer(c_int32_t) :: code
    end function c_pintle_set_point_velocity

    ! Moves a free point at constant time, as pintle_set_coordinates moves bodies: accelerations follow from the present
    ! loads, and the next step starts anew.
    function c_pintle_set_point_coordinates(sys, point, position, velocity) bind(c, &
        name="pintle_set_point_coordinates") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(in) :: position(3)
      real(c_double), intent(in) :: velocity(3)
      integer(c_int32_t) :: code
    end function c_pintle_set_point_coordinates

    ! Sets the motion of a prescribed point at the END of the coming step (in BUILDING: at the start, where it replaces
    ! the initial position and velocity).
    function c_pintle_set_point_motion(sys, point, position, velocity, acceleration) bind(c, &
        name="pintle_set_point_motion") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(in) :: position(3)
      real(c_double), intent(in) :: velocity(3)
      real(c_double), intent(in) :: acceleration(3)
      integer(c_int32_t) :: code
    end function c_pintle_set_point_motion

    ! Sets the force on a point, in place of the one before: at the initial time in BUILDING, later at the END of the
    ! coming step.
    function c_pintle_set_point_load(sys, point, force) bind(c, name="pintle_set_point_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(in) :: force(3)
      integer(c_int32_t) :: code
    end function c_pintle_set_point_load

    ! The force on a point that is set (pintle_set_point_load).
    function c_pintle_get_point_load(sys, point, force) bind(c, name="pintle_get_point_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: force(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_load

    ! Adds a spring with a damper between two points: as pintle_add_spring, and with an id among those springs.
    function c_pintle_add_point_spring(sys, point_a, point_b, stiffness, damping, rest_length, tension_only, spring) &
        bind(c, name="pintle_add_point_spring") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point_a
      integer(c_int32_t), value :: point_b
      real(c_double), value :: stiffness
      real(c_double), value :: damping
      real(c_double), value :: rest_length
      integer(c_int32_t), value :: tension_only
      integer(c_int32_t), intent(out) :: spring
      integer(c_int32_t) :: code
    end function c_pintle_add_point_spring

    ! The position of a point.
    function c_pintle_get_point_position(sys, point, position) bind(c, name="pintle_get_point_position") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: position(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_position

    ! The velocity of a point.
    function c_pintle_get_point_velocity(sys, point, velocity) bind(c, name="pintle_get_point_velocity") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: velocity(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_velocity

    ! The acceleration of a point.
    function c_pintle_get_point_acceleration(sys, point, acceleration) bind(c, name="pintle_get_point_acceleration") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: acceleration(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_acceleration

    ! The positions of all points.
    function c_pintle_get_point_positions(sys, n, positions) bind(c, name="pintle_get_point_positions") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: positions(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_positions

    ! The velocities of all points.
    function c_pintle_get_point_velocities(sys, n, velocities) bind(c, name="pintle_get_point_velocities") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: velocities(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_velocities

    ! The accelerations of all points.
    function c_pintle_get_point_accelerations(sys, n, accelerations) bind(c, name="pintle_get_point_accelerations") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: accelerations(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_accelerations

    ! The reaction of a fixed or prescribed point: the force that must be applied for its imposed motion, in addition to
    ! gravity, springs and its load.
    function c_pintle_get_point_reaction(sys, point, force) bind(c, name="pintle_get_point_reaction") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: force(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_reaction

    ! A point as it was described.
    function c_pintle_get_point_info(sys, point, mass, volume, body, position, fixed, prescribed) bind(c, &
        name="pintle_get_point_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: mass
      real(c_double), intent(out) :: volume
      integer(c_int32_t), intent(out) :: body
      real(c_double), intent(out) :: position(3)
      integer(c_int32_t), intent(out) :: fixed
      integer(c_int32_t), intent(out) :: prescribed
      integer(c_int32_t) :: code
    end function c_pintle_get_point_info

    ! The position and velocity with which a point was described, not the present ones.
    function c_pintle_get_point_initial_motion(sys, point, position, velocity) bind(c, &
        name="pintle_get_point_initial_motion") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: position(3)
      real(c_double), intent(out) :: velocity(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_initial_motion

    ! The points at the ends of a spring (pintle_add_point_spring).
    function c_pintle_get_spring_points(sys, spring, point_a, point_b) bind(c, name="pintle_get_spring_points") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: spring
      integer(c_int32_t), intent(out) :: point_a
      integer(c_int32_t), intent(out) :: point_b
      integer(c_int32_t) :: code
    end function c_pintle_get_spring_points

    ! The motion that is set for a prescribed point (pintle_set_point_motion); if none was set, the described one.
    function c_pintle_get_point_motion_input(sys, point, position, velocity, acceleration) bind(c, &
        name="pintle_get_point_motion_input") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: position(3)
      real(c_double), intent(out) :: velocity(3)
      real(c_double), intent(out) :: acceleration(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_point_motion_input

    ! Adds a tendon: a massless rope through the eyes `points[0]` to `points[n-1]`, in which it slides without friction,
    ! such as a hoist, a block and tackle, a towing line over a fairlead or a cable of a robot.
    function c_pintle_add_tendon(sys, n, bodies, points, stiffness_ea, damping, rest_length, tendon) bind(c, &
        name="pintle_add_tendon") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(in) :: bodies(n)
      real(c_double), intent(in) :: points(3, n)
      real(c_double), value :: stiffness_ea
      real(c_double), value :: damping
      real(c_double), value :: rest_length
      integer(c_int32_t), intent(out) :: tendon
      integer(c_int32_t) :: code
    end function c_pintle_add_tendon

    ! A tendon as it was added.
    function c_pintle_get_tendon_info(sys, tendon, n, stiffness_ea, damping, rest_length) bind(c, &
        name="pintle_get_tendon_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), intent(out) :: n
      real(c_double), intent(out) :: stiffness_ea
      real(c_double), intent(out) :: damping
      real(c_double), intent(out) :: rest_length
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_info

    ! A point of a tendon.
    function c_pintle_get_tendon_point(sys, tendon, point, body, position) bind(c, name="pintle_get_tendon_point") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), value :: point
      integer(c_int32_t), intent(out) :: body
      real(c_double), intent(out) :: position(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_point

    ! Lets a tendon run over a sheave at one of its inner points, in the place of an eye or of a former sheave.
    function c_pintle_set_tendon_sheave(sys, tendon, point, radius, axis, wrap) bind(c, &
        name="pintle_set_tendon_sheave") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), value :: point
      real(c_double), value :: radius
      real(c_double), intent(in) :: axis(3)
      real(c_double), value :: wrap
      integer(c_int32_t) :: code
    end function c_pintle_set_tendon_sheave

    ! The sheave at a point of a tendon, as given to pintle_set_tendon_sheave.
    function c_pintle_get_tendon_sheave(sys, tendon, point, radius, axis, wrap) bind(c, &
        name="pintle_get_tendon_sheave") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: radius
      real(c_double), intent(out) :: axis(3)
      real(c_double), intent(out) :: wrap
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_sheave

    ! The angle by which a tendon wraps a sheave at present.
    function c_pintle_get_tendon_wrap(sys, tendon, point, wrap) bind(c, name="pintle_get_tendon_wrap") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: wrap
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_wrap

    ! Lets the rope of a tendon rub at one of its inner points, an eye or a sheave (Euler, Eytelwein): where it turns by
    ! the angle w, the tensions on both sides differ by at most the factor exp(coefficient w).
    function c_pintle_set_tendon_friction(sys, tendon, point, coefficient) bind(c, name="pintle_set_tendon_friction") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), value :: point
      real(c_double), value :: coefficient
      integer(c_int32_t) :: code
    end function c_pintle_set_tendon_friction

    ! The coefficient of friction at a point of a tendon.
    function c_pintle_get_tendon_friction(sys, tendon, point, coefficient) bind(c, name="pintle_get_tendon_friction") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: coefficient
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_friction

    ! What friction does at a point of a tendon at present.
    function c_pintle_get_tendon_slip(sys, tendon, point, before, after, limit, slips, dissipated) bind(c, &
        name="pintle_get_tendon_slip") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      integer(c_int32_t), value :: point
      real(c_double), intent(out) :: before
      real(c_double), intent(out) :: after
      real(c_double), intent(out) :: limit
      integer(c_int32_t), intent(out) :: slips
      real(c_double), intent(out) :: dissipated
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_slip

    ! Sets the unstretched length of a tendon and its rate at the END of the coming step, as a winch changes them; in
    ! between the length is the cubic with these values at both ends.
    function c_pintle_set_tendon_length(sys, tendon, length, rate) bind(c, name="pintle_set_tendon_length") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      real(c_double), value :: length
      real(c_double), value :: rate
      integer(c_int32_t) :: code
    end function c_pintle_set_tendon_length

    ! The unstretched length of a tendon and its rate.
    function c_pintle_get_tendon_length(sys, tendon, length, rate) bind(c, name="pintle_get_tendon_length") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      real(c_double), intent(out) :: length
      real(c_double), intent(out) :: rate
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_length

    ! The unstretched length of a tendon and its rate that are set for the end of the coming step
    ! (pintle_set_tendon_length).
    function c_pintle_get_tendon_length_input(sys, tendon, length, rate) bind(c, &
        name="pintle_get_tendon_length_input") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      real(c_double), intent(out) :: length
      real(c_double), intent(out) :: rate
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_length_input

    ! What a tendon does at present.
    function c_pintle_get_tendon_force(sys, tendon, length, tension) bind(c, name="pintle_get_tendon_force") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: tendon
      real(c_double), intent(out) :: length
      real(c_double), intent(out) :: tension
      integer(c_int32_t) :: code
    end function c_pintle_get_tendon_force

    ! Makes a type of lines viscoelastic, as synthetic ropes are.
    function c_pintle_set_line_type_viscoelastic(sys, type, ea_dynamic, ea_slope, ba_dynamic) bind(c, &
        name="pintle_set_line_type_viscoelastic") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      real(c_double), value :: ea_dynamic
      real(c_double), value :: ea_slope
      real(c_double), value :: ba_dynamic
      integer(c_int32_t) :: code
    end function c_pintle_set_line_type_viscoelastic

    ! The dynamic stiffness of a type of lines (pintle_set_line_type_viscoelastic, pintle_set_line_type_syrope).
    function c_pintle_get_line_type_viscoelastic(sys, type, ea_dynamic, ea_slope, ba_dynamic) bind(c, &
        name="pintle_get_line_type_viscoelastic") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      real(c_double), intent(out) :: ea_dynamic
      real(c_double), intent(out) :: ea_slope
      real(c_double), intent(out) :: ba_dynamic
      integer(c_int32_t) :: code
    end function c_pintle_get_line_type_viscoelastic

    ! Gives a type of lines the Syrope model of polyester ropes: a viscoelastic type (pintle_set_line_type_viscoelastic)
    ! whose slow spring has curves in place of EA.
    function c_pintle_set_line_type_syrope(sys, type, curve, k1, k2, ea_dynamic, ea_slope, ba_dynamic) bind(c, &
        name="pintle_set_line_type_syrope") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      integer(c_int32_t), value :: curve
      real(c_double), value :: k1
      real(c_double), value :: k2
      real(c_double), value :: ea_dynamic
      real(c_double), value :: ea_slope
      real(c_double), value :: ba_dynamic
      integer(c_int32_t) :: code
    end function c_pintle_set_line_type_syrope

    ! The working curve of a type of lines (pintle_set_line_type_syrope).
    function c_pintle_get_line_type_syrope(sys, type, curve, k1, k2) bind(c, name="pintle_get_line_type_syrope") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: type
      integer(c_int32_t), intent(out) :: curve
      real(c_double), intent(out) :: k1
      real(c_double), intent(out) :: k2
      integer(c_int32_t) :: code
    end function c_pintle_get_line_type_syrope

    ! Sets the largest mean tensions that the segments of a line have had, which choose the working curve
    ! (pintle_set_line_type_syrope).
    function c_pintle_set_line_largest_tensions(sys, line, n, tensions) bind(c, &
        name="pintle_set_line_largest_tensions") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: tensions(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_line_largest_tensions

    ! The largest mean tensions that the segments of a line have had (pintle_set_line_largest_tensions).
    function c_pintle_get_line_largest_tensions(sys, line, n, tensions) bind(c, &
        name="pintle_get_line_largest_tensions") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: tensions(n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_largest_tensions

    ! Sets the slow strains of a viscoelastic line at the present time: how far its segments have crept, which is what a
    ! saved state has of the loads before.
    function c_pintle_set_line_slow_strains(sys, line, n, strains) bind(c, name="pintle_set_line_slow_strains") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: strains(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_line_slow_strains

    ! The slow strains of a viscoelastic line (pintle_set_line_slow_strains).
    function c_pintle_get_line_slow_strains(sys, line, n, strains) bind(c, name="pintle_get_line_slow_strains") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: line
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: strains(n)
      integer(c_int32_t) :: code
    end function c_pintle_get_line_slow_strains

    ! Sets a number of the water, which acts on lines, points and cylinders, or of the seabed, which acts on lines and,
    ! without friction, on cylinders.
    function c_pintle_set_environment(sys, key, value) bind(c, name="pintle_set_environment") result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), value :: value
      integer(c_int32_t) :: code
    end function c_pintle_set_environment

    ! A number of the water or the seabed.
    function c_pintle_get_environment(sys, key, value) bind(c, name="pintle_get_environment") result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), intent(out) :: value
      integer(c_int32_t) :: code
    end function c_pintle_get_environment

    ! Sets the steady current, in place of the one before: velocities at depths, linear in between, constant above and
    ! below; pintle_set_current_grid adds one that changes in time.
    function c_pintle_set_current(sys, n, depths, velocities) bind(c, name="pintle_set_current") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: depths(n)
      real(c_double), intent(in) :: velocities(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_set_current

    ! The steady current (pintle_set_current).
    function c_pintle_get_current(sys, cap, depths, velocities, n) bind(c, name="pintle_get_current") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      real(c_double), intent(out) :: depths(cap)
      real(c_double), intent(out) :: velocities(3, cap)
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_get_current

    ! Sets a current that changes in time, or also in x and y, by velocities at the nodes of a rectangular grid, in
    ! place of the grid before.
    function c_pintle_set_current_grid(sys, n, points) bind(c, name="pintle_set_current_grid") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: points(7, n)
      integer(c_int32_t) :: code
    end function c_pintle_set_current_grid

    ! The nodes of the grid of currents (pintle_set_current_grid).
    function c_pintle_get_current_grid(sys, cap, points, n) bind(c, name="pintle_get_current_grid") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      real(c_double), intent(out) :: points(7, cap)
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_get_current_grid

    ! Sets the depths of the seabed at the nodes of a rectangular grid, in place of "depth" (pintle_set_environment),
    ! which remains the depth of waves.
    function c_pintle_set_seabed_grid(sys, n, points) bind(c, name="pintle_set_seabed_grid") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: points(3, n)
      integer(c_int32_t) :: code
    end function c_pintle_set_seabed_grid

    ! The nodes of the grid of the seabed (pintle_set_seabed_grid).
    function c_pintle_get_seabed_grid(sys, cap, points, n) bind(c, name="pintle_get_seabed_grid") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      real(c_double), intent(out) :: points(3, cap)
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_get_seabed_grid

    ! Sets the function that computes the motion of the water, at all nodes of all lines, at all points, on the axes of
    ! all cylinders and at all bodies in water (pintle_set_body_in_water), in one call; currents and waves are added.
    function c_pintle_set_fluid_callback(sys, fn, user, implicit) bind(c, name="pintle_set_fluid_callback") &
        result(code)
      import :: c_funptr, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      type(c_funptr), value :: fn
      type(c_ptr), value :: user
      integer(c_int32_t), value :: implicit
      integer(c_int32_t) :: code
    end function c_pintle_set_fluid_callback

    ! Whether a fluid callback is set, and when it is called.
    function c_pintle_get_fluid_callback(sys, is_set, implicit) bind(c, name="pintle_get_fluid_callback") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: is_set
      integer(c_int32_t), intent(out) :: implicit
      integer(c_int32_t) :: code
    end function c_pintle_get_fluid_callback

    ! Sets linear waves (Airy) as a sum of long-crested components, in place of the waves before.
    function c_pintle_set_waves(sys, n, amplitudes, frequencies, headings, phases) bind(c, name="pintle_set_waves") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: amplitudes(n)
      real(c_double), intent(in) :: frequencies(n)
      real(c_double), intent(in) :: headings(n)
      real(c_double), intent(in) :: phases(n)
      integer(c_int32_t) :: code
    end function c_pintle_set_waves

    ! Sets the waves of an irregular sea with a JONSWAP spectrum (Hasselmann et al.
    function c_pintle_set_irregular_waves(sys, height, period, peak_factor, heading, spreading, seed, components) &
        bind(c, name="pintle_set_irregular_waves") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: height
      real(c_double), value :: period
      real(c_double), value :: peak_factor
      real(c_double), value :: heading
      real(c_double), value :: spreading
      integer(c_int32_t), value :: seed
      integer(c_int32_t), value :: components
      integer(c_int32_t) :: code
    end function c_pintle_set_irregular_waves

    ! The same as pintle_set_irregular_waves with a spectrum of the host.
    function c_pintle_set_wave_spectrum(sys, n, frequencies, densities, heading, spreading, seed, components) bind(c, &
        name="pintle_set_wave_spectrum") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: frequencies(n)
      real(c_double), intent(in) :: densities(n)
      real(c_double), value :: heading
      real(c_double), value :: spreading
      integer(c_int32_t), value :: seed
      integer(c_int32_t), value :: components
      integer(c_int32_t) :: code
    end function c_pintle_set_wave_spectrum

    ! Sets waves whose elevation at x = y = 0 is that of a record: its Fourier series, which passes through the samples,
    ! repeats itself after `n` steps, and lacks the record's mean and its frequencies above `max_frequency`.
    function c_pintle_set_wave_record(sys, n, start, step, elevations, heading, max_frequency) bind(c, &
        name="pintle_set_wave_record") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), value :: start
      real(c_double), value :: step
      real(c_double), intent(in) :: elevations(n)
      real(c_double), value :: heading
      real(c_double), value :: max_frequency
      integer(c_int32_t) :: code
    end function c_pintle_set_wave_record

    ! The components of the waves, by whichever function they were set.
    function c_pintle_get_waves(sys, cap, amplitudes, frequencies, headings, phases, n) bind(c, &
        name="pintle_get_waves") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      real(c_double), intent(out) :: amplitudes(cap)
      real(c_double), intent(out) :: frequencies(cap)
      real(c_double), intent(out) :: headings(cap)
      real(c_double), intent(out) :: phases(cap)
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_get_waves

    ! The motion of the water at places and the present time: currents and waves, as lines, points and cylinders there
    ! feel it.
    function c_pintle_get_water_motion(sys, n, positions, velocities, accelerations, elevations) bind(c, &
        name="pintle_get_water_motion") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: positions(3, n)
      real(c_double), intent(out) :: velocities(3, n)
      real(c_double), intent(out) :: accelerations(3, n)
      real(c_double), intent(out) :: elevations(n)
      integer(c_int32_t) :: code
    end function c_pintle_get_water_motion

    ! The version of the library, as "MAJOR.MINOR.PATCH".
    function c_pintle_version() bind(c, name="pintle_version") result(text)
      import :: c_ptr
      implicit none
      type(c_ptr) :: text
    end function c_pintle_version

    ! The ABI of the library: a host that was compiled with another PINTLE_ABI must not continue.
    function c_pintle_abi_version() bind(c, name="pintle_abi_version") result(code)
      import :: c_int32_t
      implicit none
      integer(c_int32_t) :: code
    end function c_pintle_abi_version

    ! The name of a status as in this header, for example "PINTLE_ERR_BAD_ID".
    function c_pintle_status_name(status) bind(c, name="pintle_status_name") result(text)
      import :: c_int32_t, c_ptr
      implicit none
      integer(c_int32_t), value :: status
      type(c_ptr) :: text
    end function c_pintle_status_name

    ! The message of the last failed call, with function, argument, entity and value.
    function c_pintle_error_message(sys, cap, buf, len) bind(c, name="pintle_error_message") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_error_message

    ! A status on the scale 0 ok, 1 info, 2 warning, 3 severe, 4 fatal (OpenFAST's ErrID): 0 for PINTLE_OK, 4 for every
    ! other number, known or not.
    function c_pintle_status_severity(status) bind(c, name="pintle_status_severity") result(code)
      import :: c_int32_t
      implicit none
      integer(c_int32_t), value :: status
      integer(c_int32_t) :: code
    end function c_pintle_status_severity

    ! A time step for a model with a rotor, as Ashes calculates it: 2 pi radius/(6 x 11.4 m/s) x 2/360, in which the
    ! rotor turns by 2 degrees at 11.4 m/s and tip speed ratio 6, cut to one significant digit.
    function c_pintle_suggest_time_step(radius, dt) bind(c, name="pintle_suggest_time_step") result(code)
      import :: c_double, c_int32_t
      implicit none
      real(c_double), value :: radius
      real(c_double), intent(out) :: dt
      integer(c_int32_t) :: code
    end function c_pintle_suggest_time_step

    ! Makes an empty system in phase BUILDING.
    function c_pintle_create(out) bind(c, name="pintle_create") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), intent(out) :: out
      integer(c_int32_t) :: code
    end function c_pintle_create

    ! Makes a copy, independent of the original: model, settings, accepted and trial state, inputs, statistics.
    function c_pintle_clone(sys, out) bind(c, name="pintle_clone") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      type(c_ptr), intent(out) :: out
      integer(c_int32_t) :: code
    end function c_pintle_clone

    ! Frees a system and sets `*sys` to NULL.
    function c_pintle_destroy(sys) bind(c, name="pintle_destroy") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), intent(inout) :: sys
      integer(c_int32_t) :: code
    end function c_pintle_destroy

    ! The phase of a system.
    function c_pintle_phase(sys, phase) bind(c, name="pintle_phase") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: phase
      integer(c_int32_t) :: code
    end function c_pintle_phase

    ! Ends the description of the model, BUILDING to READY: checks the model as a whole, checks that joints are
    ! assembled and velocities admissible (with option "assemble" = 1 it projects instead), finds redundant constraints
    ! (they are handled, counted in the statistics, and named by pintle_get_redundant_constraints), and computes
    ! accelerations and reactions at the initial time.
    function c_pintle_initialize(sys, t0) bind(c, name="pintle_initialize") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: t0
      integer(c_int32_t) :: code
    end function c_pintle_initialize

    ! Sets the acceleration of gravity; 0 0 0 unless set.
    function c_pintle_set_gravity(sys, gravity) bind(c, name="pintle_set_gravity") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(in) :: gravity(3)
      integer(c_int32_t) :: code
    end function c_pintle_set_gravity

    ! Adds a body with any 6x6 mass matrix.
    function c_pintle_add_body(sys, mass, pose, body) bind(c, name="pintle_add_body") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(in) :: mass(6, 6)
      real(c_double), intent(in) :: pose(7)
      integer(c_int32_t), intent(out) :: body
      integer(c_int32_t) :: code
    end function c_pintle_add_body

    ! Adds a rigid body from mass, centre of mass and inertia.
    function c_pintle_add_rigid_body(sys, mass, com, inertia, pose, body) bind(c, name="pintle_add_rigid_body") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: mass
      real(c_double), intent(in) :: com(3)
      real(c_double), intent(in) :: inertia(6)
      real(c_double), intent(in) :: pose(7)
      integer(c_int32_t), intent(out) :: body
      integer(c_int32_t) :: code
    end function c_pintle_add_rigid_body

    ! Sets mass, centre of mass and inertia of a body, in place of the former ones: ballast, fuel, cargo.
    function c_pintle_set_body_mass(sys, body, mass, com, inertia) bind(c, name="pintle_set_body_mass") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), value :: mass
      real(c_double), intent(in) :: com(3)
      real(c_double), intent(in) :: inertia(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_mass

    ! Sets the initial velocity of a body.
    function c_pintle_set_body_velocity(sys, body, velocity) bind(c, name="pintle_set_body_velocity") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: velocity(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_velocity

    ! Sets the initial velocity of a body in axes of choice; zero unless set.
    function c_pintle_set_body_velocity_in(sys, body, frame, velocity) bind(c, name="pintle_set_body_velocity_in") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: frame
      real(c_double), intent(in) :: velocity(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_velocity_in

    ! Sets the initial acceleration of a body, used only with option "initial_acceleration" = 1 (for comparison with
    ! codes that start so).
    function c_pintle_set_body_acceleration(sys, body, acceleration) bind(c, name="pintle_set_body_acceleration") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: acceleration(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_acceleration

    ! Adds a joint between two bodies, or a body and ground, from a frame on each side.
    function c_pintle_add_joint(sys, kind, body_a, body_b, frame_a, frame_b, joint) bind(c, name="pintle_add_joint") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: kind
      integer(c_int32_t), value :: body_a
      integer(c_int32_t), value :: body_b
      real(c_double), intent(in) :: frame_a(7)
      real(c_double), intent(in) :: frame_b(7)
      integer(c_int32_t), intent(out) :: joint
      integer(c_int32_t) :: code
    end function c_pintle_add_joint

    ! Adds a joint from one point and one axis in I, at the initial poses: it is assembled by construction.
    function c_pintle_add_joint_at(sys, kind, body_a, body_b, point, axis, joint) bind(c, name="pintle_add_joint_at") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: kind
      integer(c_int32_t), value :: body_a
      integer(c_int32_t), value :: body_b
      real(c_double), intent(in) :: point(3)
      type(c_ptr), value :: axis
      integer(c_int32_t), intent(out) :: joint
      integer(c_int32_t) :: code
    end function c_pintle_add_joint_at

    ! Says whether the motion of a body is imposed by the host (pintle_set_body_motion) instead of following from loads;
    ! pintle_get_body_reaction returns the wrench that it needs.
    function c_pintle_set_body_prescribed(sys, body, prescribed) bind(c, name="pintle_set_body_prescribed") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: prescribed
      integer(c_int32_t) :: code
    end function c_pintle_set_body_prescribed

    ! Says whether the coordinate of a joint is imposed by the host (pintle_set_joint_motion).
    function c_pintle_set_joint_driven(sys, joint, driven) bind(c, name="pintle_set_joint_driven") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: driven
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_driven

    ! Sets a spring with a damper on the coordinate q of a joint, in place of the one before: the generalized force
    ! -stiffness (q - rest) - damping qd acts on b, and the opposite on a.
    function c_pintle_set_joint_spring(sys, joint, stiffness, damping, rest) bind(c, name="pintle_set_joint_spring") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: stiffness
      real(c_double), value :: damping
      real(c_double), value :: rest
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_spring

    ! Sets the coordinate of a joint at coincident joint frames, zero unless set: it is the offset of coordinates, rest
    ! positions of springs, loads and drives.
    function c_pintle_set_joint_offset(sys, joint, q0) bind(c, name="pintle_set_joint_offset") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: q0
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_offset

    ! Says whether the slide of a CYLINDRICAL joint is imposed by the host (pintle_set_joint_slide_motion).
    function c_pintle_set_joint_slide_driven(sys, joint, driven) bind(c, name="pintle_set_joint_slide_driven") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: driven
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_slide_driven

    ! Sets a spring with a damper on the slide s of a CYLINDRICAL joint, in place of the one before: the force
    ! -stiffness (s - rest) - damping sd along z of a acts on b, and the opposite on a.
    function c_pintle_set_joint_slide_spring(sys, joint, stiffness, damping, rest) bind(c, &
        name="pintle_set_joint_slide_spring") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: stiffness
      real(c_double), value :: damping
      real(c_double), value :: rest
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_slide_spring

    ! Sets the pitch of a SCREW joint, which it needs.
    function c_pintle_set_joint_pitch(sys, joint, pitch) bind(c, name="pintle_set_joint_pitch") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: pitch
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_pitch

    ! Sets the radius of the disc of a ROLLING joint, which it needs.
    function c_pintle_set_joint_radius(sys, joint, radius) bind(c, name="pintle_set_joint_radius") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: radius
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_radius

    ! Adds a marker: a point with axes on a body, for loads and sensors.
    function c_pintle_add_marker(sys, body, frame, marker) bind(c, name="pintle_add_marker") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: frame(7)
      integer(c_int32_t), intent(out) :: marker
      integer(c_int32_t) :: code
    end function c_pintle_add_marker

    ! Names an entity.
    function c_pintle_set_name(sys, kind, id, name) bind(c, name="pintle_set_name") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: kind(*)
      integer(c_int32_t), value :: id
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int32_t) :: code
    end function c_pintle_set_name

    ! The id of the entity with a name.
    function c_pintle_find(sys, kind, name, id) bind(c, name="pintle_find") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: kind(*)
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int32_t), intent(out) :: id
      integer(c_int32_t) :: code
    end function c_pintle_find

    ! How many entities of a kind the model has.
    function c_pintle_count(sys, kind, count) bind(c, name="pintle_count") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: kind(*)
      integer(c_int32_t), intent(out) :: count
      integer(c_int32_t) :: code
    end function c_pintle_count

    ! Adds a shape: how a body looks on the pages of `pintle view`, in ParaView and in other programs that draw
    ! (docs/view.md).
    function c_pintle_add_shape(sys, body, kind, n, numbers, file, name, colour, shape) bind(c, &
        name="pintle_add_shape") result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      character(kind=c_char), intent(in) :: kind(*)
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: numbers(n)
      character(kind=c_char), intent(in) :: file(*)
      character(kind=c_char), intent(in) :: name(*)
      character(kind=c_char), intent(in) :: colour(*)
      integer(c_int32_t), intent(out) :: shape
      integer(c_int32_t) :: code
    end function c_pintle_add_shape

    ! The number of shapes.
    function c_pintle_shape_count(sys, n) bind(c, name="pintle_shape_count") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_shape_count

    ! The body and the numbers of a shape.
    function c_pintle_get_shape_info(sys, shape, body, n, numbers) bind(c, name="pintle_get_shape_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: shape
      integer(c_int32_t), intent(out) :: body
      integer(c_int32_t), intent(out) :: n
      real(c_double), intent(out) :: numbers(10)
      integer(c_int32_t) :: code
    end function c_pintle_get_shape_info

    ! A text of a shape.
    function c_pintle_get_shape_text(sys, shape, what, cap, buf, len) bind(c, name="pintle_get_shape_text") &
        result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: shape
      character(kind=c_char), intent(in) :: what(*)
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_get_shape_text

    ! Sets the added mass of a body, about its reference point; zero unless set.
    function c_pintle_set_added_mass(sys, body, a, frame) bind(c, name="pintle_set_added_mass") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: a(6, 6)
      integer(c_int32_t), value :: frame
      integer(c_int32_t) :: code
    end function c_pintle_set_added_mass

    ! Sets the linear damping of a body, about its reference point; zero unless set.
    function c_pintle_set_linear_damping(sys, body, c, frame) bind(c, name="pintle_set_linear_damping") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: c(6, 6)
      integer(c_int32_t), value :: frame
      integer(c_int32_t) :: code
    end function c_pintle_set_linear_damping

    ! Sets the quadratic drag of a body, about its reference point; zero unless set.
    function c_pintle_set_quadratic_drag(sys, body, d, frame) bind(c, name="pintle_set_quadratic_drag") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: d(6, 6)
      integer(c_int32_t), value :: frame
      integer(c_int32_t) :: code
    end function c_pintle_set_quadratic_drag

    ! Lets the motion of the water act on a body: current, waves and what the host's fluid callback returns, at the
    ! reference point of the body.
    function c_pintle_set_body_in_water(sys, body, in_water, volume, centre) bind(c, name="pintle_set_body_in_water") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: in_water
      real(c_double), value :: volume
      real(c_double), intent(in) :: centre(3)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_in_water

    ! Whether the motion of the water acts on a body (pintle_set_body_in_water).
    function c_pintle_get_body_in_water(sys, body, in_water, volume, centre) bind(c, name="pintle_get_body_in_water") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), intent(out) :: in_water
      real(c_double), intent(out) :: volume
      real(c_double), intent(out) :: centre(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_in_water

    ! Makes a system from a model file (TOML; docs/hosts.md lists the keys): the same entities, names, arguments and
    ! checks as the functions of this section, with initial loads, motions and options.
    function c_pintle_load_model(path, out) bind(c, name="pintle_load_model") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: out
      integer(c_int32_t) :: code
    end function c_pintle_load_model

    ! Writes the model to a file that pintle_load_model reads back bit for bit: a run of the new system is that of this
    ! one from its start.
    function c_pintle_save_model(sys, path) bind(c, name="pintle_save_model") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t) :: code
    end function c_pintle_save_model

    ! Makes a system from an input file of MoorDyn, version 1 or 2 (docs/mooring.md describes the conversion): line
    ! types with their tables, bodies, points and lines, each numbered from 0 in the order of the file, gravity, water,
    ! seabed, a current and waves (from files beside it), and the outputs of the file as channels under their names.
    function c_pintle_load_moordyn(path, out) bind(c, name="pintle_load_moordyn") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: out
      integer(c_int32_t) :: code
    end function c_pintle_load_moordyn

    ! As pintle_load_moordyn, for a file that the host trusts: the paths of its tables may be absolute and have `..`.
    function c_pintle_load_trusted_moordyn(path, out) bind(c, name="pintle_load_trusted_moordyn") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: out
      integer(c_int32_t) :: code
    end function c_pintle_load_trusted_moordyn

    ! Chooses the time integration scheme; "generalized-alpha" unless set.
    function c_pintle_set_scheme(sys, name) bind(c, name="pintle_set_scheme") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int32_t) :: code
    end function c_pintle_set_scheme

    ! The name of the scheme.
    function c_pintle_get_scheme(sys, cap, buf, len) bind(c, name="pintle_get_scheme") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_get_scheme

    ! Sets an option.
    function c_pintle_set_option(sys, key, value) bind(c, name="pintle_set_option") result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), value :: value
      integer(c_int32_t) :: code
    end function c_pintle_set_option

    ! The value of an option.
    function c_pintle_get_option(sys, key, value) bind(c, name="pintle_get_option") result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), intent(out) :: value
      integer(c_int32_t) :: code
    end function c_pintle_get_option

    ! The name of an entity.
    function c_pintle_get_name(sys, kind, id, cap, buf, len) bind(c, name="pintle_get_name") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: kind(*)
      integer(c_int32_t), value :: id
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_get_name

    ! The acceleration of gravity.
    function c_pintle_get_gravity(sys, gravity) bind(c, name="pintle_get_gravity") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(out) :: gravity(3)
      integer(c_int32_t) :: code
    end function c_pintle_get_gravity

    ! The mass matrix of a body.
    function c_pintle_get_body_mass(sys, body, mass) bind(c, name="pintle_get_body_mass") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: mass(6, 6)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_mass

    ! The pose, velocity and acceleration with which a body was described, not the present ones.
    function c_pintle_get_body_initial_motion(sys, body, pose, velocity, acceleration) bind(c, &
        name="pintle_get_body_initial_motion") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: pose(7)
      real(c_double), intent(out) :: velocity(6)
      real(c_double), intent(out) :: acceleration(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_initial_motion

    ! Whether the motion of a body is imposed (pintle_set_body_prescribed).
    function c_pintle_get_body_prescribed(sys, body, prescribed) bind(c, name="pintle_get_body_prescribed") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), intent(out) :: prescribed
      integer(c_int32_t) :: code
    end function c_pintle_get_body_prescribed

    ! The added mass of a body about its reference point, as set; zero, in frame INERTIAL, unless set.
    function c_pintle_get_added_mass(sys, body, a, frame) bind(c, name="pintle_get_added_mass") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: a(6, 6)
      integer(c_int32_t), intent(out) :: frame
      integer(c_int32_t) :: code
    end function c_pintle_get_added_mass

    ! The linear damping of a body about its reference point, as set.
    function c_pintle_get_linear_damping(sys, body, c, frame) bind(c, name="pintle_get_linear_damping") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: c(6, 6)
      integer(c_int32_t), intent(out) :: frame
      integer(c_int32_t) :: code
    end function c_pintle_get_linear_damping

    ! The quadratic drag of a body about its reference point, as set.
    function c_pintle_get_quadratic_drag(sys, body, d, frame) bind(c, name="pintle_get_quadratic_drag") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: d(6, 6)
      integer(c_int32_t), intent(out) :: frame
      integer(c_int32_t) :: code
    end function c_pintle_get_quadratic_drag

    ! A joint as it was added: kind, bodies, frames.
    function c_pintle_get_joint_info(sys, joint, kind, body_a, body_b, frame_a, frame_b, driven) bind(c, &
        name="pintle_get_joint_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), intent(out) :: kind
      integer(c_int32_t), intent(out) :: body_a
      integer(c_int32_t), intent(out) :: body_b
      real(c_double), intent(out) :: frame_a(7)
      real(c_double), intent(out) :: frame_b(7)
      integer(c_int32_t), intent(out) :: driven
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_info

    ! Whether the coordinate of a joint is imposed (pintle_set_joint_driven).
    function c_pintle_get_joint_driven(sys, joint, driven) bind(c, name="pintle_get_joint_driven") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), intent(out) :: driven
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_driven

    ! Whether the slide of a joint is imposed (pintle_set_joint_slide_driven).
    function c_pintle_get_joint_slide_driven(sys, joint, driven) bind(c, name="pintle_get_joint_slide_driven") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), intent(out) :: driven
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_slide_driven

    ! The spring and damper on the coordinate of a joint, as set.
    function c_pintle_get_joint_spring(sys, joint, stiffness, damping, rest) bind(c, name="pintle_get_joint_spring") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: stiffness
      real(c_double), intent(out) :: damping
      real(c_double), intent(out) :: rest
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_spring

    ! The spring and damper on the slide of a CYLINDRICAL joint, as set.
    function c_pintle_get_joint_slide_spring(sys, joint, stiffness, damping, rest) bind(c, &
        name="pintle_get_joint_slide_spring") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: stiffness
      real(c_double), intent(out) :: damping
      real(c_double), intent(out) :: rest
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_slide_spring

    ! The coordinate of a joint at coincident joint frames (pintle_set_joint_offset).
    function c_pintle_get_joint_offset(sys, joint, q0) bind(c, name="pintle_get_joint_offset") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: q0
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_offset

    ! The pitch of a SCREW joint.
    function c_pintle_get_joint_pitch(sys, joint, pitch) bind(c, name="pintle_get_joint_pitch") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: pitch
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_pitch

    ! The radius of the disc of a ROLLING joint.
    function c_pintle_get_joint_radius(sys, joint, radius) bind(c, name="pintle_get_joint_radius") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: radius
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_radius

    ! The distance that a DISTANCE joint keeps between the origins of its frames, from the reference poses.
    function c_pintle_get_joint_distance(sys, joint, distance) bind(c, name="pintle_get_joint_distance") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: distance
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_distance

    ! A spring as it was added.
    function c_pintle_get_spring_info(sys, spring, body_a, point_a, body_b, point_b, stiffness, damping, rest_length, &
        tension_only) bind(c, name="pintle_get_spring_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: spring
      integer(c_int32_t), intent(out) :: body_a
      real(c_double), intent(out) :: point_a(3)
      integer(c_int32_t), intent(out) :: body_b
      real(c_double), intent(out) :: point_b(3)
      real(c_double), intent(out) :: stiffness
      real(c_double), intent(out) :: damping
      real(c_double), intent(out) :: rest_length
      integer(c_int32_t), intent(out) :: tension_only
      integer(c_int32_t) :: code
    end function c_pintle_get_spring_info

    ! A bushing as it was added.
    function c_pintle_get_bushing_info(sys, bushing, body_a, body_b, frame_a, frame_b, stiffness, damping) bind(c, &
        name="pintle_get_bushing_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: bushing
      integer(c_int32_t), intent(out) :: body_a
      integer(c_int32_t), intent(out) :: body_b
      real(c_double), intent(out) :: frame_a(7)
      real(c_double), intent(out) :: frame_b(7)
      real(c_double), intent(out) :: stiffness(6, 6)
      real(c_double), intent(out) :: damping(6, 6)
      integer(c_int32_t) :: code
    end function c_pintle_get_bushing_info

    ! A cylinder as it was added.
    function c_pintle_get_cylinder_info(sys, cylinder, body, end_a, end_b, diameter, segments, coefficients) bind(c, &
        name="pintle_get_cylinder_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cylinder
      integer(c_int32_t), intent(out) :: body
      real(c_double), intent(out) :: end_a(3)
      real(c_double), intent(out) :: end_b(3)
      real(c_double), intent(out) :: diameter
      integer(c_int32_t), intent(out) :: segments
      real(c_double), intent(out) :: coefficients(4)
      integer(c_int32_t) :: code
    end function c_pintle_get_cylinder_info

    ! A marker as it was added.
    function c_pintle_get_marker_info(sys, marker, body, frame) bind(c, name="pintle_get_marker_info") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: marker
      integer(c_int32_t), intent(out) :: body
      real(c_double), intent(out) :: frame(7)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_info

    ! The load that is set on a body: the input, not the load at the state of the outputs.
    function c_pintle_get_body_load(sys, body, frame, wrench) bind(c, name="pintle_get_body_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_load

    ! The loads on all bodies that are set, each as for pintle_get_body_load.
    function c_pintle_get_body_loads(sys, frame, n, wrenches) bind(c, name="pintle_get_body_loads") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: frame
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: wrenches(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_loads

    ! The load that is set at a marker: the input, not the load at the state of the outputs.
    function c_pintle_get_marker_load(sys, marker, frame, wrench) bind(c, name="pintle_get_marker_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: marker
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_load

    ! The loads at all markers that are set, each as for pintle_get_marker_load.
    function c_pintle_get_marker_loads(sys, frame, n, wrenches) bind(c, name="pintle_get_marker_loads") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: frame
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: wrenches(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_loads

    ! The generalized force that is set on the coordinate of a joint.
    function c_pintle_get_joint_load(sys, joint, generalized_force) bind(c, name="pintle_get_joint_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: generalized_force
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_load

    ! The force that is set on the slide of a CYLINDRICAL joint.
    function c_pintle_get_joint_slide_load(sys, joint, force) bind(c, name="pintle_get_joint_slide_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: force
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_slide_load

    ! The motion that is set on the coordinate of a driven joint.
    function c_pintle_get_joint_motion_input(sys, joint, q, qd, qdd) bind(c, name="pintle_get_joint_motion_input") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: q
      real(c_double), intent(out) :: qd
      real(c_double), intent(out) :: qdd
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_motion_input

    ! The motion that is set on the driven slide of a joint, as pintle_get_joint_motion_input.
    function c_pintle_get_joint_slide_motion_input(sys, joint, s, sd, sdd) bind(c, &
        name="pintle_get_joint_slide_motion_input") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: s
      real(c_double), intent(out) :: sd
      real(c_double), intent(out) :: sdd
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_slide_motion_input

    ! The motion that is set for a prescribed body; if none was set, the described one.
    function c_pintle_get_body_motion_input(sys, body, pose, velocity, acceleration) bind(c, &
        name="pintle_get_body_motion_input") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: pose(7)
      real(c_double), intent(out) :: velocity(6)
      real(c_double), intent(out) :: acceleration(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_motion_input

    ! Whether a body has a load callback of its own (pintle_set_load_callback).
    function c_pintle_get_load_callback(sys, body, is_set) bind(c, name="pintle_get_load_callback") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), intent(out) :: is_set
      integer(c_int32_t) :: code
    end function c_pintle_get_load_callback

    ! The number of bodies of a coupled load callback, and whether it is still set.
    function c_pintle_get_coupled_load_callback(sys, callback, n_bodies, is_set) bind(c, &
        name="pintle_get_coupled_load_callback") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: callback
      integer(c_int32_t), intent(out) :: n_bodies
      integer(c_int32_t), intent(out) :: is_set
      integer(c_int32_t) :: code
    end function c_pintle_get_coupled_load_callback

    ! One of the bodies of a coupled load callback, in the order in which they were given last.
    function c_pintle_get_coupled_load_body(sys, callback, k, body) bind(c, name="pintle_get_coupled_load_body") &
        result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: callback
      integer(c_int32_t), value :: k
      integer(c_int32_t), intent(out) :: body
      integer(c_int32_t) :: code
    end function c_pintle_get_coupled_load_body

    ! Whether a discontinuity is marked at the present time (pintle_mark_discontinuity), so that the step from there
    ! starts the scheme anew.
    function c_pintle_get_discontinuity(sys, is_marked) bind(c, name="pintle_get_discontinuity") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: is_marked
      integer(c_int32_t) :: code
    end function c_pintle_get_discontinuity

    ! Whether a progress callback is set (pintle_set_progress_callback).
    function c_pintle_get_progress_callback(sys, is_set) bind(c, name="pintle_get_progress_callback") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: is_set
      integer(c_int32_t) :: code
    end function c_pintle_get_progress_callback

    ! Sets all loads on bodies, markers, beams, joints and points to zero.
    function c_pintle_clear_loads(sys) bind(c, name="pintle_clear_loads") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t) :: code
    end function c_pintle_clear_loads

    ! Sets the load on a body, replacing the former one.
    function c_pintle_set_body_load(sys, body, frame, wrench) bind(c, name="pintle_set_body_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: frame
      real(c_double), intent(in) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_load

    ! Sets the loads on all bodies, replacing the former ones.
    function c_pintle_set_body_loads(sys, frame, n, wrenches) bind(c, name="pintle_set_body_loads") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: frame
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: wrenches(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_loads

    ! Sets the load at a marker, replacing the former one.
    function c_pintle_set_marker_load(sys, marker, frame, wrench) bind(c, name="pintle_set_marker_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: marker
      integer(c_int32_t), value :: frame
      real(c_double), intent(in) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_marker_load

    ! Sets the loads at all markers, replacing the former ones.
    function c_pintle_set_marker_loads(sys, frame, n, wrenches) bind(c, name="pintle_set_marker_loads") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: frame
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: wrenches(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_set_marker_loads

    ! Sets the load on the coordinate of a joint, in place of the one before: it acts on b, and the opposite on a.
    function c_pintle_set_joint_load(sys, joint, generalized_force) bind(c, name="pintle_set_joint_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: generalized_force
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_load

    ! Sets the motion of a driven joint at the END of the coming step (in BUILDING: at the start).
    function c_pintle_set_joint_motion(sys, joint, q, qd, qdd) bind(c, name="pintle_set_joint_motion") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: q
      real(c_double), value :: qd
      real(c_double), value :: qdd
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_motion

    ! Sets the force on the slide of a CYLINDRICAL joint, in place of the one before: it acts on b, and the opposite on
    ! a.
    function c_pintle_set_joint_slide_load(sys, joint, force) bind(c, name="pintle_set_joint_slide_load") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: force
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_slide_load

    ! Sets the motion of a driven slide at the END of the coming step (in BUILDING: at the start).
    function c_pintle_set_joint_slide_motion(sys, joint, s, sd, sdd) bind(c, name="pintle_set_joint_slide_motion") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), value :: s
      real(c_double), value :: sd
      real(c_double), value :: sdd
      integer(c_int32_t) :: code
    end function c_pintle_set_joint_slide_motion

    ! Sets the motion of a prescribed body at the END of the coming step (in BUILDING: at the start, where it replaces
    ! the initial pose and velocity).
    function c_pintle_set_body_motion(sys, body, pose, velocity, acceleration) bind(c, name="pintle_set_body_motion") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(in) :: pose(7)
      real(c_double), intent(in) :: velocity(6)
      real(c_double), intent(in) :: acceleration(6)
      integer(c_int32_t) :: code
    end function c_pintle_set_body_motion

    ! Sets the function that computes the load on a body inside the iteration, at the trial motion; it adds to the other
    ! loads.
    function c_pintle_set_load_callback(sys, body, fn, user) bind(c, name="pintle_set_load_callback") result(code)
      import :: c_funptr, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      type(c_funptr), value :: fn
      type(c_ptr), value :: user
      integer(c_int32_t) :: code
    end function c_pintle_set_load_callback

    ! Sets the function that computes the loads on a set of bodies inside the iteration, at their trial motion, with
    ! cross terms between the bodies and a mass matrix; it adds to the other loads.
    function c_pintle_set_coupled_load_callback(sys, n, bodies, fn, user, callback) bind(c, &
        name="pintle_set_coupled_load_callback") result(code)
      import :: c_funptr, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(in) :: bodies(n)
      type(c_funptr), value :: fn
      type(c_ptr), value :: user
      integer(c_int32_t), intent(out) :: callback
      integer(c_int32_t) :: code
    end function c_pintle_set_coupled_load_callback

    ! Marks a jump of the loads at the present time, so that the step from there starts the scheme's history anew, with
    ! the loads set for its end acting from its start on.
    function c_pintle_mark_discontinuity(sys) bind(c, name="pintle_mark_discontinuity") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t) :: code
    end function c_pintle_mark_discontinuity

    ! Advances by one step and accepts it.
    function c_pintle_step(sys, dt) bind(c, name="pintle_step") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: dt
      integer(c_int32_t) :: code
    end function c_pintle_step

    ! Makes a trial step from the ACCEPTED state, to phase TRIAL.
    function c_pintle_advance(sys, dt) bind(c, name="pintle_advance") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: dt
      integer(c_int32_t) :: code
    end function c_pintle_advance

    ! Makes a trial step from the ACCEPTED state to a time, as pintle_advance does, or to the first event of friction or
    ! a stop before that time: there the loads are those of that time (option "input_order" 1), or those of the step.
    function c_pintle_advance_to(sys, t, stop_at_events, reached) bind(c, name="pintle_advance_to") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), value :: t
      integer(c_int32_t), value :: stop_at_events
      real(c_double), intent(out) :: reached
      integer(c_int32_t) :: code
    end function c_pintle_advance_to

    ! Makes the trial the accepted state, TRIAL to READY, with the loads that it was computed with: those that were set
    ! since are for the end of the next step.
    function c_pintle_accept(sys) bind(c, name="pintle_accept") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t) :: code
    end function c_pintle_accept

    ! Discards the trial, TRIAL to READY.
    function c_pintle_reject(sys) bind(c, name="pintle_reject") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t) :: code
    end function c_pintle_reject

    ! The time of the trial if one is pending, else of the accepted state.
    function c_pintle_time(sys, time) bind(c, name="pintle_time") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(out) :: time
      integer(c_int32_t) :: code
    end function c_pintle_time

    ! Sets the function that long calls call from time to time, and which may stop them: steps (of many internal steps,
    ! or of large models), pintle_initialize, pintle_solve_equilibrium, pintle_linearize, pintle_get_modes and the like.
    function c_pintle_set_progress_callback(sys, fn, user) bind(c, name="pintle_set_progress_callback") result(code)
      import :: c_funptr, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      type(c_funptr), value :: fn
      type(c_ptr), value :: user
      integer(c_int32_t) :: code
    end function c_pintle_set_progress_callback

    ! A number about the model or about the work done since pintle_initialize (restoring a state does not reset it).
    function c_pintle_get_statistic(sys, key, value) bind(c, name="pintle_get_statistic") result(code)
      import :: c_char, c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), intent(out) :: value
      integer(c_int32_t) :: code
    end function c_pintle_get_statistic

    ! Warnings, one per line: entries of the file of pintle_load_moordyn that are ignored; the last step that was
    ! accepted without convergence (option "on_no_convergence" = 1), its time, iterations and residual energies, and how
    ! many there were; that loads which change in every step are held over each (option "input_order" = 0) by a scheme
    ! that is of higher order without ("rk3", "rk4", "ab2" to "ab5", "lab2" to "lab5"); that imposed positions change in
    ! every step while their rates stay zero, with a scheme that needs the rates.
    function c_pintle_get_warning(sys, cap, buf, len) bind(c, name="pintle_get_warning") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_get_warning

    ! Adds channels under the names that OpenFAST's module ElastoDyn has for the motion of a floating platform, for a
    ! body: PtfmSurge, PtfmSway, PtfmHeave (m): its reference point in I; PtfmRoll, PtfmPitch, PtfmYaw (deg): yaw about
    ! z, then pitch about the new y, then roll about the new x, as in pintle_quat_to_euler_zyx, but yaw is within half a
    ! turn of zero only at the start and counted over turns from there; PtfmTVxi, yi, zi (m/s), PtfmTAxi .
    function c_pintle_set_openfast_platform(sys, body) bind(c, name="pintle_set_openfast_platform") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t) :: code
    end function c_pintle_set_openfast_platform

    ! Adds a channel under the name that MoorDyn's section OUTPUTS has for it, in small or capital letters.
    function c_pintle_add_moordyn_channel(sys, name) bind(c, name="pintle_add_moordyn_channel") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int32_t) :: code
    end function c_pintle_add_moordyn_channel

    ! The number of channels.
    function c_pintle_channel_count(sys, n) bind(c, name="pintle_channel_count") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: n
      integer(c_int32_t) :: code
    end function c_pintle_channel_count

    ! The name of a channel.
    function c_pintle_channel_name(sys, i, cap, buf, len) bind(c, name="pintle_channel_name") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: i
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_channel_name

    ! The unit of a channel: the symbol of its SI unit ("m", "rad", "N m", "-" for a number), which means the host's
    ! unit of that dimension, because units are any consistent set.
    function c_pintle_channel_unit(sys, i, cap, buf, len) bind(c, name="pintle_channel_unit") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: i
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_channel_unit

    ! The values of all channels in one call, equal to the results of the functions of outputs.
    function c_pintle_get_channels(sys, n, values) bind(c, name="pintle_get_channels") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: values(n)
      integer(c_int32_t) :: code
    end function c_pintle_get_channels

    ! The body whose motion has channels under OpenFAST's names (pintle_set_openfast_platform).
    function c_pintle_get_openfast_platform(sys, body) bind(c, name="pintle_get_openfast_platform") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), intent(out) :: body
      integer(c_int32_t) :: code
    end function c_pintle_get_openfast_platform

    ! The pose of a body.
    function c_pintle_get_body_pose(sys, body, pose) bind(c, name="pintle_get_body_pose") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: pose(7)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_pose

    ! The displacement of a body from its reference pose (the one that it was added with).
    function c_pintle_get_body_displacement(sys, body, displacement) bind(c, name="pintle_get_body_displacement") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      real(c_double), intent(out) :: displacement(7)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_displacement

    ! The velocity of a body.
    function c_pintle_get_body_velocity(sys, body, frame, velocity) bind(c, name="pintle_get_body_velocity") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: velocity(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_velocity

    ! The acceleration of a body.
    function c_pintle_get_body_acceleration(sys, body, frame, acceleration) bind(c, &
        name="pintle_get_body_acceleration") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: acceleration(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_acceleration

    ! The poses of all bodies.
    function c_pintle_get_body_poses(sys, n, poses) bind(c, name="pintle_get_body_poses") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: poses(7, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_poses

    ! The velocities of all bodies, in I.
    function c_pintle_get_body_velocities(sys, n, velocities) bind(c, name="pintle_get_body_velocities") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: velocities(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_velocities

    ! The accelerations of all bodies, in I.
    function c_pintle_get_body_accelerations(sys, n, accelerations) bind(c, name="pintle_get_body_accelerations") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: accelerations(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_accelerations

    ! The pose of a marker.
    function c_pintle_get_marker_pose(sys, marker, pose) bind(c, name="pintle_get_marker_pose") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: marker
      real(c_double), intent(out) :: pose(7)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_pose

    ! The velocity of a marker.
    function c_pintle_get_marker_velocity(sys, marker, frame, velocity) bind(c, name="pintle_get_marker_velocity") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: marker
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: velocity(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_velocity

    ! The acceleration of a marker.
    function c_pintle_get_marker_acceleration(sys, marker, frame, acceleration) bind(c, &
        name="pintle_get_marker_acceleration") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: marker
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: acceleration(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_acceleration

    ! The poses of all markers.
    function c_pintle_get_marker_poses(sys, n, poses) bind(c, name="pintle_get_marker_poses") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: poses(7, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_poses

    ! The velocities of all markers, in I.
    function c_pintle_get_marker_velocities(sys, n, velocities) bind(c, name="pintle_get_marker_velocities") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: velocities(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_velocities

    ! The accelerations of all markers, in I.
    function c_pintle_get_marker_accelerations(sys, n, accelerations) bind(c, name="pintle_get_marker_accelerations") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: accelerations(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_marker_accelerations

    ! The coordinate of a joint, b against a, zero at coincident joint frames unless pintle_set_joint_offset was called.
    function c_pintle_get_joint_coordinate(sys, joint, q, qd, qdd) bind(c, name="pintle_get_joint_coordinate") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: q
      real(c_double), intent(out) :: qd
      real(c_double), intent(out) :: qdd
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_coordinate

    ! The displacement of the origin of b along z of a in a joint that slides.
    function c_pintle_get_joint_slide(sys, joint, s, sd, sdd) bind(c, name="pintle_get_joint_slide") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      real(c_double), intent(out) :: s
      real(c_double), intent(out) :: sd
      real(c_double), intent(out) :: sdd
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_slide

    ! The reaction in a joint: the wrench of its constraints, a drive's included, of body a on body b at the origin of
    ! b's joint frame.
    function c_pintle_get_joint_reaction(sys, joint, frame, wrench) bind(c, name="pintle_get_joint_reaction") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_reaction

    ! The reaction in a joint on its other side: the wrench of body b on body a at the origin of a's joint frame.
    function c_pintle_get_joint_reaction_on_a(sys, joint, frame, wrench) bind(c, &
        name="pintle_get_joint_reaction_on_a") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: joint
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_reaction_on_a

    ! The reaction of a prescribed body: the wrench about its reference point that must be applied for its imposed
    ! motion, in addition to gravity, joints, elements and loads.
    function c_pintle_get_body_reaction(sys, body, frame, wrench) bind(c, name="pintle_get_body_reaction") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: body
      integer(c_int32_t), value :: frame
      real(c_double), intent(out) :: wrench(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_reaction

    ! The state of a spring.
    function c_pintle_get_spring_force(sys, spring, length, tension) bind(c, name="pintle_get_spring_force") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: spring
      real(c_double), intent(out) :: length
      real(c_double), intent(out) :: tension
      integer(c_int32_t) :: code
    end function c_pintle_get_spring_force

    ! Violation of the joints: largest absolute residual of all constraint equations.
    function c_pintle_get_constraint_violation(sys, position, velocity) bind(c, &
        name="pintle_get_constraint_violation") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(out) :: position
      real(c_double), intent(out) :: velocity
      integer(c_int32_t) :: code
    end function c_pintle_get_constraint_violation

    ! Names the constraints that follow from the others, as in closed loops: one line for each joint that has some, for
    ! example `joint 3 "closing" (REVOLUTE, bodies 1 and 2): 3 of its 5 constraints follow from the others: translation
    ! along inertial z, rotation about y, rotation about x` (axes of frame a unless inertial).
    function c_pintle_get_redundant_constraints(sys, cap, buf, len) bind(c, name="pintle_get_redundant_constraints") &
        result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(cap)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_get_redundant_constraints

    ! The mechanical energy: kinetic energy of bodies, points and lines, and of the added mass of bodies and points, 1/2
    ! v^T A v, so that the sum is conserved without dissipation, in still water, below its surface (the added mass of
    ! lines, which turns with them, is left out); potential energy of weight and buoyancy, springs, bushings, springs on
    ! joints, and of lines and cylinders with the seabed under them.
    function c_pintle_get_energy(sys, kinetic, potential) bind(c, name="pintle_get_energy") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(out) :: kinetic
      real(c_double), intent(out) :: potential
      integer(c_int32_t) :: code
    end function c_pintle_get_energy

    ! The momentum of all bodies, points and lines, without that of the fluid: the added mass is not in it, though its
    ! kinetic energy is in pintle_get_energy.
    function c_pintle_get_momentum(sys, about, momentum) bind(c, name="pintle_get_momentum") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      real(c_double), intent(in) :: about(3)
      real(c_double), intent(out) :: momentum(6)
      integer(c_int32_t) :: code
    end function c_pintle_get_momentum

    ! Saves the accepted state, and a pending trial, with everything that a step depends on: motion, inputs, options,
    ! the scheme's history, and data from the start of the run.
    function c_pintle_state_save(sys, state) bind(c, name="pintle_state_save") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      type(c_ptr), intent(inout) :: state
      integer(c_int32_t) :: code
    end function c_pintle_state_save

    ! Restores a saved state, and the phase in which it was saved: READY, or TRIAL with its trial.
    function c_pintle_state_restore(sys, state) bind(c, name="pintle_state_restore") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      type(c_ptr), value :: state
      integer(c_int32_t) :: code
    end function c_pintle_state_restore

    ! Frees a state and sets `*state` to NULL.
    function c_pintle_state_destroy(state) bind(c, name="pintle_state_destroy") result(code)
      import :: c_int32_t, c_ptr
      implicit none
      type(c_ptr), intent(inout) :: state
      integer(c_int32_t) :: code
    end function c_pintle_state_destroy

    ! Writes a state as bytes: versioned and checksummed, the same on every machine of the same byte order.
    function c_pintle_state_serialize(state, cap, bytes, len) bind(c, name="pintle_state_serialize") result(code)
      import :: c_int32_t, c_int64_t, c_int8_t, c_ptr
      implicit none
      type(c_ptr), value :: state
      integer(c_int64_t), value :: cap
      integer(c_int8_t), intent(out) :: bytes(cap)
      integer(c_int64_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_state_serialize

    ! Reads a state from bytes.
    function c_pintle_state_deserialize(sys, len, bytes, state) bind(c, name="pintle_state_deserialize") result(code)
      import :: c_int32_t, c_int64_t, c_int8_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int64_t), value :: len
      integer(c_int8_t), intent(in) :: bytes(len)
      type(c_ptr), intent(inout) :: state
      integer(c_int32_t) :: code
    end function c_pintle_state_deserialize

    ! Writes the state that pintle_state_save saves, including a pending trial, to a file, which is replaced as a whole
    ! or not at all, however many threads and processes write it at once and whenever they are killed.
    function c_pintle_write_checkpoint(sys, path) bind(c, name="pintle_write_checkpoint") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t) :: code
    end function c_pintle_write_checkpoint

    ! Reads a file that pintle_write_checkpoint wrote and restores it as pintle_state_restore does.
    function c_pintle_read_checkpoint(sys, path) bind(c, name="pintle_read_checkpoint") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t) :: code
    end function c_pintle_read_checkpoint

    ! Quaternion to matrix.
    function c_pintle_quat_to_dcm(q, dcm) bind(c, name="pintle_quat_to_dcm") result(code)
      import :: c_double, c_int32_t
      implicit none
      real(c_double), intent(in) :: q(4)
      real(c_double), intent(out) :: dcm(3, 3)
      integer(c_int32_t) :: code
    end function c_pintle_quat_to_dcm

    ! Matrix to quaternion.
    function c_pintle_quat_from_dcm(dcm, q) bind(c, name="pintle_quat_from_dcm") result(code)
      import :: c_double, c_int32_t
      implicit none
      real(c_double), intent(in) :: dcm(3, 3)
      real(c_double), intent(out) :: q(4)
      integer(c_int32_t) :: code
    end function c_pintle_quat_from_dcm

    ! Quaternion to rotation vector.
    function c_pintle_quat_to_rotvec(q, rotvec) bind(c, name="pintle_quat_to_rotvec") result(code)
      import :: c_double, c_int32_t
      implicit none
      real(c_double), intent(in) :: q(4)
      real(c_double), intent(out) :: rotvec(3)
      integer(c_int32_t) :: code
    end function c_pintle_quat_to_rotvec

    ! Rotation vector to quaternion.
    function c_pintle_quat_from_rotvec(rotvec, q) bind(c, name="pintle_quat_from_rotvec") result(code)
      import :: c_double, c_int32_t
      implicit none
      real(c_double), intent(in) :: rotvec(3)
      real(c_double), intent(out) :: q(4)
      integer(c_int32_t) :: code
    end function c_pintle_quat_from_rotvec

    ! Quaternion to Euler angles: yaw about z, then pitch about the new y, then roll about the new x.
    function c_pintle_quat_to_euler_zyx(q, angles) bind(c, name="pintle_quat_to_euler_zyx") result(code)
      import :: c_double, c_int32_t
      implicit none
      real(c_double), intent(in) :: q(4)
      real(c_double), intent(out) :: angles(3)
      integer(c_int32_t) :: code
    end function c_pintle_quat_to_euler_zyx

    ! Euler angles to quaternion: yaw about z, then pitch about the new y, then roll about the new x.
    function c_pintle_quat_from_euler_zyx(angles, q) bind(c, name="pintle_quat_from_euler_zyx") result(code)
      import :: c_double, c_int32_t
      implicit none
      real(c_double), intent(in) :: angles(3)
      real(c_double), intent(out) :: q(4)
      integer(c_int32_t) :: code
    end function c_pintle_quat_from_euler_zyx

    ! A frame from its origin and two of its axes, for pintle_add_joint, pintle_add_bushing and pintle_add_marker.
    function c_pintle_frame_from_axes(origin, z, x, frame) bind(c, name="pintle_frame_from_axes") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      real(c_double), intent(in) :: origin(3)
      real(c_double), intent(in) :: z(3)
      type(c_ptr), value :: x
      real(c_double), intent(out) :: frame(7)
      integer(c_int32_t) :: code
    end function c_pintle_frame_from_axes

    ! Moves the accepted state to a static equilibrium under the present loads at constant time, by Newton's method with
    ! line search, and with artificial inertia where needed.
    function c_pintle_solve_equilibrium(sys, max_iterations, tolerance) bind(c, name="pintle_solve_equilibrium") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: max_iterations
      real(c_double), value :: tolerance
      integer(c_int32_t) :: code
    end function c_pintle_solve_equilibrium

    ! The coordinates of all bodies, as arguments of pintle_set_coordinates and pintle_eval_accelerations.
    function c_pintle_get_coordinates(sys, n, poses, velocities) bind(c, name="pintle_get_coordinates") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: poses(7, n)
      real(c_double), intent(out) :: velocities(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_coordinates

    ! Makes given coordinates the accepted state at constant time; accelerations and multipliers follow from the present
    ! loads, and the next step starts anew.
    function c_pintle_set_coordinates(sys, n, poses, velocities) bind(c, name="pintle_set_coordinates") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: poses(7, n)
      real(c_double), intent(in) :: velocities(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_set_coordinates

    ! The accelerations that bodies would have at given coordinates, under the present loads, at the present time: `M
    ! vdot = f - g - B^T lambda`, `B vdot = -gamma`.
    function c_pintle_eval_accelerations(sys, n, poses, velocities, accelerations) bind(c, &
        name="pintle_eval_accelerations") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: poses(7, n)
      real(c_double), intent(in) :: velocities(6, n)
      real(c_double), intent(out) :: accelerations(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_eval_accelerations

    ! Moves poses by increments: x + u, exp(theta) R, rotation vectors in I.
    function c_pintle_retract(n, poses, increments, moved) bind(c, name="pintle_retract") result(code)
      import :: c_double, c_int32_t
      implicit none
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: poses(7, n)
      real(c_double), intent(in) :: increments(6, n)
      real(c_double), intent(out) :: moved(7, n)
      integer(c_int32_t) :: code
    end function c_pintle_retract

    ! The increments between poses, so that pintle_retract moves the first to the second.
    function c_pintle_difference(n, from, to, increments) bind(c, name="pintle_difference") result(code)
      import :: c_double, c_int32_t
      implicit none
      integer(c_int32_t), value :: n
      real(c_double), intent(in) :: from(7, n)
      real(c_double), intent(in) :: to(7, n)
      real(c_double), intent(out) :: increments(6, n)
      integer(c_int32_t) :: code
    end function c_pintle_difference

    ! The mass matrix in I, added mass and the mass of coupled load callbacks included: 6 x 6 blocks of the bodies in
    ! the order of their ids, then 3 x 3 blocks of the points, then of the nodes of lines.
    function c_pintle_get_mass_matrix(sys, n, mass) bind(c, name="pintle_get_mass_matrix") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: mass(n, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_mass_matrix

    ! The constraint Jacobian B: `B v` are the rates of the independent constraints for the velocities v of all bodies
    ! (linear, then angular, in I) and then of all points, whose columns are zero.
    function c_pintle_get_constraint_jacobian(sys, m, n, jacobian) bind(c, name="pintle_get_constraint_jacobian") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: m
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: jacobian(m, n)
      integer(c_int32_t) :: code
    end function c_pintle_get_constraint_jacobian

    ! Linearises about the present state, constraints eliminated: xdot = A x + B u, y = C x + D u for deviations x, u, y
    ! from the motion through it.
    function c_pintle_linearize(sys, n_bodies, bodies, n_loads, load_markers, n_sensors, sensor_markers, n_states, a, &
        b, c, d) bind(c, name="pintle_linearize") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n_bodies
      integer(c_int32_t), intent(in) :: bodies(n_bodies)
      integer(c_int32_t), value :: n_loads
      integer(c_int32_t), intent(in) :: load_markers(n_loads)
      integer(c_int32_t), value :: n_sensors
      integer(c_int32_t), intent(in) :: sensor_markers(n_sensors)
      integer(c_int32_t), value :: n_states
      real(c_double), intent(out) :: a(n_states, n_states)
      real(c_double), intent(out) :: b(n_states, 6*(n_bodies+n_loads))
      real(c_double), intent(out) :: c(18*n_sensors, n_states)
      real(c_double), intent(out) :: d(18*n_sensors, 6*(n_bodies+n_loads))
      integer(c_int32_t) :: code
    end function c_pintle_linearize

    ! The meaning of a state of pintle_linearize at the present state of the system, such as `body 0 "hull": rotation
    ! z`.
    function c_pintle_get_state_name(sys, state, cap, buf, len) bind(c, name="pintle_get_state_name") result(code)
      import :: c_char, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: state
      integer(c_int32_t), value :: cap
      character(kind=c_char), intent(out) :: buf(*)
      integer(c_int32_t), intent(out) :: len
      integer(c_int32_t) :: code
    end function c_pintle_get_state_name

    ! Natural modes exp(s t) of the present state: eigenvalues of the matrix of pintle_linearize with Im s >= 0, slowest
    ! first.
    function c_pintle_get_modes(sys, n, count, frequencies, damping_ratios, n_bodies, shapes, motion) bind(c, &
        name="pintle_get_modes") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(out) :: count
      real(c_double), intent(out) :: frequencies(n)
      real(c_double), intent(out) :: damping_ratios(n)
      integer(c_int32_t), value :: n_bodies
      real(c_double), intent(out) :: shapes(12, n_bodies, n)
      real(c_double), intent(out) :: motion(2)
      integer(c_int32_t) :: code
    end function c_pintle_get_modes

    ! How the motions of markers at the end of a step answer to wrenches there: the interface Jacobian of an implicit
    ! coupling, from the iteration matrix of the scheme.
    function c_pintle_get_load_compliance(sys, n_markers, markers, dt, n, out) bind(c, &
        name="pintle_get_load_compliance") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n_markers
      integer(c_int32_t), intent(in) :: markers(n_markers)
      real(c_double), value :: dt
      integer(c_int32_t), value :: n
      real(c_double), intent(out) :: out(n)
      integer(c_int32_t) :: code
    end function c_pintle_get_load_compliance

    ! As pintle_get_load_compliance, for the reference points of bodies in place of markers: derivatives of their
    ! motions at the end of a step with respect to loads there (pintle_set_body_load).
    function c_pintle_get_body_compliance(sys, n, bodies, dt, m, out) bind(c, name="pintle_get_body_compliance") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(in) :: bodies(n)
      real(c_double), value :: dt
      integer(c_int32_t), value :: m
      real(c_double), intent(out) :: out(m)
      integer(c_int32_t) :: code
    end function c_pintle_get_body_compliance

    ! As pintle_get_load_compliance, for the coordinates of joints in place of markers: derivatives of these at the end
    ! of a step with respect to generalized forces on them (pintle_set_joint_load), for a host that computes the torque
    ! of a generator, a brake or an actuator with the motion.
    function c_pintle_get_joint_compliance(sys, n, joints, dt, m, out) bind(c, name="pintle_get_joint_compliance") &
        result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n
      integer(c_int32_t), intent(in) :: joints(n)
      real(c_double), value :: dt
      integer(c_int32_t), value :: m
      real(c_double), intent(out) :: out(m)
      integer(c_int32_t) :: code
    end function c_pintle_get_joint_compliance

    ! pintle_linearize with loads on joints among the inputs: first the wrenches on bodies, then those on markers, then
    ! the generalized forces on coordinates of joints, then the forces on slides.
    function c_pintle_linearize_inputs(sys, n_bodies, bodies, n_loads, load_markers, n_joints, joints, n_slides, &
        slides, n_sensors, sensor_markers, n_states, a, b, c, d) bind(c, name="pintle_linearize_inputs") result(code)
      import :: c_double, c_int32_t, c_ptr
      implicit none
      type(c_ptr), value :: sys
      integer(c_int32_t), value :: n_bodies
      integer(c_int32_t), intent(in) :: bodies(n_bodies)
      integer(c_int32_t), value :: n_loads
      integer(c_int32_t), intent(in) :: load_markers(n_loads)
      integer(c_int32_t), value :: n_joints
      integer(c_int32_t), intent(in) :: joints(n_joints)
      integer(c_int32_t), value :: n_slides
      integer(c_int32_t), intent(in) :: slides(n_slides)
      integer(c_int32_t), value :: n_sensors
      integer(c_int32_t), intent(in) :: sensor_markers(n_sensors)
      integer(c_int32_t), value :: n_states
      real(c_double), intent(out) :: a(n_states, n_states)
      real(c_double), intent(out) :: b(n_states, 6*(n_bodies+n_loads)+n_joints+n_slides)
      real(c_double), intent(out) :: c(18*n_sensors, n_states)
      real(c_double), intent(out) :: d(18*n_sensors, 6*(n_bodies+n_loads)+n_joints+n_slides)
      integer(c_int32_t) :: code
    end function c_pintle_linearize_inputs

    ! Returns the whole table, so that a host that loads the library at run time looks up one symbol only.
    function c_pintle_get_api(abi_version, size, out) bind(c, name="pintle_get_api") result(code)
      import :: c_int32_t, c_int64_t, pintle_api
      implicit none
      integer(c_int32_t), value :: abi_version
      integer(c_int64_t), value :: size
      type(pintle_api), intent(out) :: out
      integer(c_int32_t) :: code
    end function c_pintle_get_api
  end interface
end module pintle_raw
