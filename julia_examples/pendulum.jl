# A pendulum in Julia, by @ccall: a body of 1 kg on a hinge at the origin, 1 m from its centre of mass, released from the horizontal.
#
# Run in the root of the repository, after cargo build --release:
#   LD_LIBRARY_PATH=target/release julia julia_examples/pendulum.jl

# The name without ".so": the runtime adds what the system has.
const libpintle = "libpintle"
const GROUND, REVOLUTE = -1, 2

# Throws the library's message.
function check(system, status)
    status == 0 && return
    text = zeros(UInt8, 512)
    @ccall libpintle.pintle_error_message(system::Ptr{Cvoid}, 512::Cint, text::Ptr{UInt8}, C_NULL::Ptr{Cint})::Cint
    error(String(text[1:findfirst(iszero, text)-1]))
end

function main()
    created = Ref{Ptr{Cvoid}}(C_NULL)
    check(C_NULL, @ccall libpintle.pintle_create(created::Ref{Ptr{Cvoid}})::Cint)
    system = created[]
    body, joint = Ref{Cint}(0), Ref{Cint}(0)
    gravity, origin, axis = [0.0, 0.0, -9.81], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]
    inertia, pose = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    try
        check(system, @ccall libpintle.pintle_set_gravity(system::Ptr{Cvoid}, gravity::Ptr{Cdouble})::Cint)
        check(
            system,
            @ccall libpintle.pintle_add_rigid_body(
                system::Ptr{Cvoid},
                1.0::Cdouble,
                origin::Ptr{Cdouble},
                inertia::Ptr{Cdouble},
                pose::Ptr{Cdouble},
                body::Ref{Cint},
            )::Cint
        )
        check(
            system,
            @ccall libpintle.pintle_add_joint_at(
                system::Ptr{Cvoid},
                REVOLUTE::Cint,
                GROUND::Cint,
                body[]::Cint,
                origin::Ptr{Cdouble},
                axis::Ptr{Cdouble},
                joint::Ref{Cint},
            )::Cint
        )
        check(system, @ccall libpintle.pintle_initialize(system::Ptr{Cvoid}, 0.0::Cdouble)::Cint)
        for _ in 1:1000
            check(system, @ccall libpintle.pintle_step(system::Ptr{Cvoid}, 0.01::Cdouble)::Cint)
        end
        check(system, @ccall libpintle.pintle_get_body_pose(system::Ptr{Cvoid}, body[]::Cint, pose::Ptr{Cdouble})::Cint)
        println("after 10 s: x ", round(pose[1], digits = 4), " m, z ", round(pose[3], digits = 4), " m")
    finally
        @ccall libpintle.pintle_destroy(created::Ref{Ptr{Cvoid}})::Cint
    end
end

main()
