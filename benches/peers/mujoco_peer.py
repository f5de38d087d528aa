"""MuJoCo: joint coordinates, no contacts; its loop in C takes all steps of a run in one call."""

import time

import mujoco
import numpy
import problems

NAME = "MuJoCo"
VERSION = mujoco.__version__
METHODS = ["implicit", "rk4"]
INTEGRATORS = {"implicit": mujoco.mjtIntegrator.mjINT_IMPLICIT, "rk4": mujoco.mjtIntegrator.mjINT_RK4}
MODELS = {}


def can(problem, method):
    """Its mass matrix in joint coordinates fills with the square of the chain's length: a step of 1000 links takes seconds."""
    return not ("chain" in problem.name and len(problem.bodies) > 100)


def tune(problem, method, step):
    return f"integrator {method}, no contacts"


def model(problem):
    if problem.name not in MODELS:
        spec = mujoco.MjSpec()
        spec.compiler.inertiafromgeom = False
        spec.compiler.balanceinertia = False
        spec.option.gravity = [0.0, 0.0, -problems.GRAVITY]
        bodies = []
        for body in problem.bodies:
            if body.parent == problems.GROUND:
                parent, rotation, place = spec.worldbody, body.rotation, body.point
            else:
                # Frames of bodies stand in their joints.
                before = problem.bodies[body.parent]
                parent = bodies[body.parent]
                rotation = problems.multiply([list(column) for column in zip(*before.rotation)], body.rotation)
                place = problems.turned_back(before.rotation, problems.minus(body.point, before.point))
            name = f"body {len(bodies)}"
            made = parent.add_body(name=name, pos=list(place), quat=list(problems.quaternion(rotation)))
            made.explicitinertial = True
            made.mass = body.mass
            made.ipos = list(problems.turned_back(body.rotation, problems.minus(body.position, body.point)))
            made.inertia = list(body.inertia)
            kind = mujoco.mjtJoint.mjJNT_BALL if body.joint == problems.SPHERICAL else mujoco.mjtJoint.mjJNT_HINGE
            made.add_joint(type=kind, axis=list(body.axis))
            bodies.append(made)
        compiled = spec.compile()
        # It would start again from the first state where numbers grow.
        compiled.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_AUTORESET
        # It numbers bodies along the branches.
        numbers = [compiled.body(f"body {k}").id for k in range(len(bodies))]
        MODELS[problem.name] = (compiled, mujoco.MjData(compiled), numbers)
    return MODELS[problem.name]


def run(problem, method, step, steps):
    """One run from the start."""
    compiled, data, numbers = model(problem)
    compiled.opt.integrator = INTEGRATORS[method]
    compiled.opt.timestep = step
    mujoco.mj_resetData(compiled, data)
    for body, number in zip(problem.bodies, numbers):
        if body.joint == problems.SPHERICAL:
            at = compiled.body_dofadr[number]
            data.qvel[at : at + 3] = body.omega
    begin = time.process_time()
    mujoco.mj_step(compiled, data, nstep=steps)
    cpu = time.process_time() - begin
    mujoco.mj_kinematics(compiled, data)
    positions = data.xipos[numbers].tolist()
    return {"cpu": cpu, "converged": bool(numpy.isfinite(positions).all()), "iterations": None, "positions": positions}
