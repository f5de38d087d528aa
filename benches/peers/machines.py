#!/usr/bin/env python3
"""Stops and friction in pintle, Exudyn and MuJoCo: what an elastic floor does to the energy, how a held block creeps, the
period of stick-slip, and the time of a step; into docs/benchmarks.md.

    benches/peers/machines.py                   installs, builds, measures, writes the section

Exudyn's stops and friction are those of CoordinateSpringDamperExt (generalized-alpha, spectral radius 0.8, as pintle), with the
stiffness of its bristles so that they move by 1e-6 m at the largest force; MuJoCo's are joint limits with a stiffness given
directly, and frictionloss, with its own integrator for damping (implicitfast) and its default solver. Times are processor times
of the loops of each code in C or C++, the least of five, in turn.
"""

import ctypes
import math
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- machines: written by benches/peers/machines.py -->", "<!-- machines: end -->"
G = 9.81
# Stick-slip: mass, stiffness, speed of the belt, largest and kinetic friction.
MASS, SPRING, BELT, STATIC, KINETIC = 1.0, 50.0, 0.1, 1.6, 1.0
ROTORS = [1, 10, 100, 400]
# Rotors in friction: rate, friction, moment. What slips does so for the whole run.
SLIPS, HELD = (50.0, 0.01, 0.0), (0.0, 1.0, 0.5)


def period():
    """Sticks until the spring has the largest force, then slips: closed form."""
    w, jump = math.sqrt(SPRING / MASS), STATIC - KINETIC
    return 2.0 * jump / (SPRING * BELT) + 2.0 / w * (math.pi - math.atan(jump * w / (SPRING * BELT)))


def period_of(times, speeds):
    """The mean time between the ends of sticking, where the acceleration leaves zero, of the last ones."""
    sticks = [abs(v) < 0.02 * BELT for v in speeds]
    starts = [times[k] for k in range(1, len(times)) if sticks[k - 1] and not sticks[k]]
    starts = starts[len(starts) // 3 :]
    return (starts[-1] - starts[0]) / (len(starts) - 1) if len(starts) > 2 else float("nan")


class Pintle:
    name = "pintle"

    def __init__(self):
        import pintle_peer

        self.peer, self.doubles = pintle_peer, pintle_peer.doubles

    def slider(self, place, speed, gravity):
        """A system with a mass on a slide along x; not closed."""
        system = self.peer.System().__enter__()
        made = ctypes.c_int32()
        system.call("set_gravity", self.doubles(gravity))
        inertia = self.doubles([0.1, 0.1, 0.1, 0.0, 0.0, 0.0])
        pose = self.doubles([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        system.call("add_rigid_body", ctypes.c_double(MASS), self.doubles([0.0] * 3), inertia, pose, ctypes.byref(made))
        system.call("set_body_velocity", 0, self.doubles([speed, 0.0, 0.0, 0.0, 0.0, 0.0]))
        axis = self.doubles([1.0, 0.0, 0.0])
        system.call("add_joint_at", 3, -1, 0, self.doubles([0.0] * 3), axis, ctypes.byref(made))
        system.call("set_joint_offset", 0, ctypes.c_double(place))
        return system

    def friction(self, system, kinetic, static):
        numbers = [ctypes.c_double(x) for x in (kinetic, static, 0.0, 0.0, 1e-6)]
        system.call("set_joint_friction", 0, 0, *numbers)

    def coordinate(self, system):
        q, qdot = ctypes.c_double(), ctypes.c_double()
        system.call("get_joint_coordinate", 0, ctypes.byref(q), ctypes.byref(qdot), None)
        return q.value, qdot.value

    def run(self, system, h, steps):
        assert self.peer.LOOP(self.peer.STEP, system.handle, h, steps) == 0

    def floor(self, k, h):
        system = self.slider(1.0, 0.0, [-G, 0.0, 0.0])
        numbers = [ctypes.c_double(x) for x in (0.0, math.inf)]
        system.call("set_joint_stop", 0, 0, *numbers, 0, ctypes.c_double(k), ctypes.c_double(0.0), ctypes.c_double(0.0))
        system.call("initialize", ctypes.c_double(0.0))
        self.run(system, h, round(3.0 / h))
        q, v = self.coordinate(system)
        return (0.5 * MASS * v * v + MASS * G * q + 0.5 * k * min(q, 0.0) ** 2) / (MASS * G)

    def slope(self, h):
        angle = math.atan(0.5)
        limit = 0.6 * MASS * G * math.cos(angle)
        system = self.slider(0.0, 0.0, [G * math.sin(angle), 0.0, -G * math.cos(angle)])
        self.friction(system, limit, limit)
        system.call("initialize", ctypes.c_double(0.0))
        self.run(system, h, round(10.0 / h))
        before = self.coordinate(system)[0]
        self.run(system, h, round(90.0 / h))
        after = self.coordinate(system)[0]
        return after, (after - before) / 90.0

    def stick_slip(self, h):
        # In the frame of the belt, the end of the spring moves with -BELT: a load that grows along the steps.
        system = self.slider(0.0, 0.0, [0.0, 0.0, 0.0])
        self.friction(system, KINETIC, STATIC)
        system.call("set_joint_spring", 0, ctypes.c_double(SPRING), ctypes.c_double(0.0), ctypes.c_double(0.0))
        system.call("set_option", b"input_order", ctypes.c_double(1.0))
        system.call("initialize", ctypes.c_double(0.0))
        times, speeds = [], []
        for k in range(round(10.0 / h)):
            t = (k + 1) * h
            system.call("set_joint_load", 0, ctypes.c_double(-SPRING * BELT * t))
            system.call("step", ctypes.c_double(h))
            # The event of the last step, to locate the end of sticking.
            count = ctypes.c_int32()
            system.call("event_count", ctypes.byref(count))
            for i in range(count.value):
                when, change = ctypes.c_double(), ctypes.c_int32()
                system.call("get_event", i, ctypes.byref(when), ctypes.byref(change), None, None, None)
                if change.value == 4:
                    times.append(when.value)
        times = times[len(times) // 3 :]
        return (times[-1] - times[0]) / (len(times) - 1)

    def rotors(self, count, h, steps, of):
        """Rotors on a shaft each: time of a step."""
        rate, friction, moment = of
        system = self.peer.System().__enter__()
        made = ctypes.c_int32()
        for k in range(count):
            pose = self.doubles([3.0 * k, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
            inertia = self.doubles([0.1, 0.1, 0.1, 0.0, 0.0, 0.0])
            system.call("add_rigid_body", ctypes.c_double(MASS), self.doubles([0.0] * 3), inertia, pose, ctypes.byref(made))
            system.call("set_body_velocity", k, self.doubles([0.0, 0.0, 0.0, 0.0, 0.0, rate]))
            axis = self.doubles([0.0, 0.0, 1.0])
            system.call("add_joint_at", 2, -1, k, pose, axis, ctypes.byref(made))
            numbers = [ctypes.c_double(x) for x in (friction, friction, 0.0, 0.0, 1e-6)]
            system.call("set_joint_friction", k, 0, *numbers)
            system.call("set_joint_load", k, ctypes.c_double(moment))
        system.call("initialize", ctypes.c_double(0.0))
        begin = time.process_time()
        self.run(system, h, steps)
        return (time.process_time() - begin) / steps


class Exudyn:
    name = "Exudyn"

    def slider(self, place, speed, force):
        from exudyn_peer import exu, utilities

        container = exu.SystemContainer()
        system = container.AddSystem()
        node = system.AddNode(utilities.Node1D(referenceCoordinates=[0.0], initialCoordinates=[place], initialVelocities=[speed]))
        system.AddObject(utilities.ObjectMass1D(mass=MASS, nodeNumber=node))
        ground = system.AddNode(utilities.NodePointGround())
        markers = [
            system.AddMarker(utilities.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0)),
            system.AddMarker(utilities.MarkerNodeCoordinate(nodeNumber=node, coordinate=0)),
        ]
        system.AddLoad(utilities.LoadCoordinate(markerNumber=markers[1], load=force))
        return exu, utilities, container, system, node, markers

    def connect(self, made, **numbers):
        exu, utilities, _, system, _, markers = made
        generic = system.AddNode(utilities.NodeGenericData(initialCoordinates=[0.0, 0.0, 0.0], numberOfDataCoordinates=3))
        system.AddObject(utilities.CoordinateSpringDamperExt(markerNumbers=markers, nodeNumber=generic, **numbers))

    def run(self, made, h, end, each=0):
        exu, _, _, system, node, _ = made
        system.Assemble()
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(end / h)
        settings.timeIntegration.endTime = end
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
        settings.timeIntegration.adaptiveStep = False
        settings.solution.file.write = False
        states = []

        def note(system, t):
            output = [exu.OutputVariableType.Coordinates, exu.OutputVariableType.Coordinates_t]
            states.append([t, *[float(system.GetNodeOutput(node, kind)) for kind in output]])
            return True

        if each:
            system.SetPostStepUserFunction(note)
        begin = time.process_time()
        try:
            done = system.SolveDynamic(settings, updateInitialValues=True)
        except exu.SolverError:
            done = False
        cpu = time.process_time() - begin
        if not each:
            note(system, end)
        return states, bool(done), cpu / round(end / h)

    def floor(self, k, h):
        made = self.slider(1.0, 0.0, -MASS * G)
        self.connect(made, limitStopsLower=0.0, limitStopsUpper=1e9, limitStopsStiffness=k, useLimitStops=True)
        states, done, _ = self.run(made, h, 3.0)
        _, q, v = states[-1]
        return (0.5 * MASS * v * v + MASS * G * q + 0.5 * k * min(q, 0.0) ** 2) / (MASS * G) if done else float("nan")

    def slope(self, h):
        angle = math.atan(0.5)
        limit = 0.6 * MASS * G * math.cos(angle)
        made = self.slider(0.0, 0.0, MASS * G * math.sin(angle))
        self.connect(made, dynamicFrictionForce=limit, stickingStiffness=limit / 1e-6, stickingDamping=2.0 * math.sqrt(limit / 1e-6))
        states, done, _ = self.run(made, h, 100.0, 1)
        if not done:
            return float("nan"), float("nan")
        before = next(q for t, q, _ in states if t >= 10.0)
        return states[-1][1], (states[-1][1] - before) / (states[-1][0] - 10.0)

    def stick_slip(self, h):
        made = self.slider(0.0, 0.0, 0.0)
        _, utilities, _, system, _, markers = made
        system.AddObject(utilities.CoordinateSpringDamper(markerNumbers=markers, stiffness=SPRING))
        pull = lambda system, t, load: -SPRING * BELT * t  # in the frame of the belt, as above
        system.AddLoad(utilities.LoadCoordinate(markerNumber=markers[1], load=0.0, loadUserFunction=pull))
        stick = STATIC / 1e-6
        self.connect(
            made, dynamicFrictionForce=KINETIC, staticFrictionOffsetForce=STATIC - KINETIC, stickingStiffness=stick,
            stickingDamping=2.0 * math.sqrt(stick), exponentialDecayStatic=1e-3,
        )
        states, done, _ = self.run(made, h, 10.0, 1)
        return period_of([s[0] for s in states], [s[2] for s in states]) if done else float("nan")

    def rotors(self, count, h, steps, of):
        rate, friction, moment = of
        from exudyn_peer import exu, utilities

        container = exu.SystemContainer()
        system = container.AddSystem()
        ground = system.AddMarker(utilities.MarkerNodeCoordinate(nodeNumber=system.AddNode(utilities.NodePointGround()), coordinate=0))
        for k in range(count):
            node = system.AddNode(utilities.Node1D(referenceCoordinates=[0.0], initialVelocities=[rate]))
            system.AddObject(utilities.ObjectRotationalMass1D(inertia=0.1, nodeNumber=node))
            marker = system.AddMarker(utilities.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
            made = (exu, utilities, container, system, node, [ground, marker])
            system.AddLoad(utilities.LoadCoordinate(markerNumber=marker, load=moment))
            stick = friction / 1e-6
            self.connect(made, dynamicFrictionForce=friction, stickingStiffness=stick, stickingDamping=2.0 * math.sqrt(0.1 * stick))
        return self.run(made, h, h * steps)[2]


class Mujoco:
    name = "MuJoCo"

    def build(self, joints, body_gravity, h):
        import mujoco

        text = f'<mujoco><option timestep="{h}" gravity="{body_gravity}" integrator="implicitfast"/><compiler angle="radian"/><worldbody>'
        text += "".join(joints) + "</worldbody></mujoco>"
        model = mujoco.MjModel.from_xml_string(text)
        return mujoco, model, mujoco.MjData(model)

    def body(self, joint, k=0):
        inertial = f'<inertial pos="0 0 0" mass="{MASS}" diaginertia="0.1 0.1 0.1"/>'
        return f'<body pos="{3 * k} 0 0">{inertial}{joint}</body>'

    def floor(self, k, h):
        # solref (-stiffness, -damping) per mass, with an impedance that is nearly one.
        joint = f'<joint type="slide" axis="1 0 0" limited="true" range="-1 1e9" solreflimit="-{k / MASS} 0" solimplimit="0.9999 0.9999 0.001"/>'
        mujoco, model, data = self.build([self.body(joint)], f"{-G} 0 0", h)
        mujoco.mj_step(model, data, nstep=round(3.0 / h))
        q, v = float(data.qpos[0]) + 1.0, float(data.qvel[0])
        return (0.5 * MASS * v * v + MASS * G * q + 0.5 * k * min(q, 0.0) ** 2) / (MASS * G)

    def slope(self, h):
        angle = math.atan(0.5)
        limit = 0.6 * MASS * G * math.cos(angle)
        joint = f'<joint type="slide" axis="1 0 0" frictionloss="{limit}"/>'
        mujoco, model, data = self.build([self.body(joint)], f"{G * math.sin(angle)} 0 {-G * math.cos(angle)}", h)
        mujoco.mj_step(model, data, nstep=round(10.0 / h))
        before = float(data.qpos[0])
        mujoco.mj_step(model, data, nstep=round(90.0 / h))
        return float(data.qpos[0]), (float(data.qpos[0]) - before) / 90.0

    def stick_slip(self, h):
        return None  # its friction has one coefficient

    def rotors(self, count, h, steps, of):
        rate, friction, moment = of
        joint = f'<joint type="hinge" axis="0 0 1" frictionloss="{friction}"/>'
        mujoco, model, data = self.build([self.body(joint, k) for k in range(count)], "0 0 0", h)
        data.qvel[:], data.qfrc_applied[:] = rate, moment
        begin = time.process_time()
        mujoco.mj_step(model, data, nstep=steps)
        return (time.process_time() - begin) / steps


def measure():
    """In the environment of the peers: the tables as lines of Markdown."""
    codes = [Pintle(), Exudyn(), Mujoco()]
    names = " | ".join(code.name for code in codes)
    text = lambda value, form="{:.3g}": "no such model" if value is None else "no convergence" if math.isnan(value) else form.format(value)
    yield f"| ball from 1 m on an elastic floor, energy after 3 s over that at the start | {names} |"
    yield "|---|" + "---|" * len(codes)
    for k in (1e4, 1e6, 1e8):
        for h in (0.01, 0.001):
            row = " | ".join(text(code.floor(k, h), "{:.4f}") for code in codes)
            yield f"| {k:.0e} N/m, steps of {1e3 * h:g} ms | {row} |"
    yield ""
    yield f"| block on a slope of tan 0.5 with friction 0.6, 100 s | {names} |"
    yield "|---|" + "---|" * len(codes)
    for h in (0.01, 0.001):
        found = [code.slope(h) for code in codes]
        yield f"| moved, m, steps of {1e3 * h:g} ms | " + " | ".join(text(moved, "{:.1e}") for moved, _ in found) + " |"
        yield f"| creeps at the end, m/s, steps of {1e3 * h:g} ms | " + " | ".join(text(rate, "{:.1e}") for _, rate in found) + " |"
    yield ""
    yield f"| stick-slip on a belt, error of the period of {period():.4f} s, s | {names} |"
    yield "|---|" + "---|" * len(codes)
    for h in (0.01, 0.005, 0.001):
        found = [code.stick_slip(h) for code in codes]
        errors = [None if value is None else value - period() for value in found]
        yield f"| steps of {1e3 * h:g} ms | " + " | ".join(text(error, "{:.1e}") for error in errors) + " |"
    yield ""
    yield f"| rotors in friction, steps of 1 ms, us per step | {names} |"
    yield "|---|" + "---|" * len(codes)
    for what, of in (("slip", SLIPS), ("are held", HELD)):
        for count in ROTORS:
            rounds = [[code.rotors(count, 1e-3, 2000, of) for code in codes] for _ in range(5)]
            yield f"| {count} that {what} | " + " | ".join(f"{1e6 * min(times):.3g}" for times in zip(*rounds)) + " |"


def main():
    if "--measure" in sys.argv:
        for line in measure():
            print(line, flush=True)
        return
    from run import ROOT, install, release_library, target_directory

    cache = target_directory() / "peers"
    cache.mkdir(parents=True, exist_ok=True)
    python = install(cache)
    environment = os.environ | {"PEERS_PINTLE": release_library(), "PEERS_CACHE": str(cache)}
    command = [python, HERE / "machines.py", "--measure"]
    tables = subprocess.run(command, env=environment, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(tables)
    page = ROOT / "docs" / "benchmarks.md"
    before = page.read_text()
    section = f"{BEGIN}\n\n{tables.strip()}\n\n{END}"
    page.write_text(re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: section, before, flags=re.DOTALL))


if __name__ == "__main__":
    main()
