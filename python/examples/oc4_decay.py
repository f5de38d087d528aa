"""The OC4 DeepCwind semisubmersible on its three mooring lines: free decays, c_examples/oc4_mooring.c in Python.

    python oc4_decay.py [decay ...]      surge, heave, pitch, yaw; all unless some are named

For each decay the platform is pulled aside by a constant load, comes to equilibrium there, and is let go.
"""

import math
import sys

import numpy as np

import libpintle as pintle

# Robertson et al. (2014), NREL/TP-5000-60601: platform with the NREL 5-MW turbine as one rigid body, in SI
# units, about the point of the tower's axis at the still water level. The added mass is that at zero frequency.
GRAVITY, WATER, DEPTH, VOLUME = 9.80665, 1025.0, 200.0, 13917.0
ANCHOR_RADIUS, FAIRLEAD_RADIUS, FAIRLEAD_DEPTH, LENGTH, SEGMENTS = 837.6, 40.868, 14.0, 835.5, 20

#: Number of the component, static load, expected natural period of this rigid body (s).
DECAYS = {"surge": (0, 70e3, 113.0), "heave": (2, 2e6, 17.3), "pitch": (4, 30e6, 25.5), "yaw": (5, 5e6, 80.2)}


def symmetric(entries):
    """A symmetric 6x6 matrix from the entries (row, column) of one triangle."""
    matrix = np.zeros((6, 6))
    for (row, column), value in entries.items():
        matrix[row, column] = matrix[column, row] = value
    return matrix


MASS = symmetric({
    (0, 0): 14072718.0, (1, 1): 14072718.0, (2, 2): 14072718.0, (0, 4): -139164818.427, (1, 3): 139164818.427,
    (1, 5): -94000.089, (2, 4): 94000.089, (3, 3): 12702321679.97, (4, 4): 12691907690.86, (5, 5): 12290103910.89,
    (3, 5): 8756409.875,
})  # fmt: skip
ADDED_MASS = symmetric({
    (0, 0): 8.74e6, (1, 1): 8.74e6, (2, 2): 14.99e6, (0, 4): -107.6e6, (1, 3): 107.6e6,
    (3, 3): 7.63e9, (4, 4): 7.63e9, (5, 5): 6.43e9,
})  # fmt: skip
HYDROSTATIC = symmetric({(2, 2): 3.836e6, (3, 3): -377.6e6, (4, 4): -377.6e6})


def load(system, component=0, pull=0.0):
    """Sets the load on the platform: buoyancy, which balances weight and lines, and the static load of the decay test."""
    wrench = np.zeros(6)
    wrench[2] = WATER * GRAVITY * VOLUME
    wrench[component] += pull
    system.set_body_load(0, pintle.Frame.INERTIAL, wrench)


def platform():
    """Builds and initializes the model."""
    system, origin = pintle.System(), [0, 0, 0, 1, 0, 0, 0]
    system.set_gravity([0, 0, -GRAVITY])
    body = system.add_body(MASS, origin)
    system.set_added_mass(body, ADDED_MASS, pintle.Frame.INERTIAL)
    system.add_bushing(pintle.GROUND, body, origin, origin, HYDROSTATIC, np.zeros((6, 6)))
    system.set_environment("water_density", WATER)
    system.set_environment("depth", DEPTH)
    chain = system.add_line_type(0.0766, 113.35, 753.6e6, -1.0, 0.0, 2.0, 0.8, 0.25, 0.0)
    for heading in np.radians([60.0, 180.0, 300.0]):
        direction = np.array([math.cos(heading), math.sin(heading)])
        anchor = system.add_point(0.0, 0.0, [*ANCHOR_RADIUS * direction, -DEPTH])
        system.fix_point(anchor)
        place = [*FAIRLEAD_RADIUS * direction, -FAIRLEAD_DEPTH]
        fairlead = system.add_point(0.0, 0.0, place)
        system.attach_point(fairlead, body, place)
        system.add_line(chain, anchor, fairlead, LENGTH, SEGMENTS)
    load(system)
    system.set_option("rho_inf", 0.9)
    system.initialize(0.0)
    return system


def motion(system, component):
    """Displacement of a component, m or rad."""
    pose = system.get_body_pose(0)
    return pose[component] if component < 3 else pintle.quat_to_euler_zyx(pose[3:])[component - 3]


def period(name):
    """The period: the time between downward crossings of the equilibrium."""
    component, pull, _ = DECAYS[name]
    with platform() as system:
        system.solve_equilibrium(200, 1e-9)
        rest = motion(system, component)
        load(system, component, pull)
        system.solve_equilibrium(200, 1e-9)
        # Removes the static load. A load holds from the start of the next step, so this is a discontinuity.
        load(system)
        system.mark_discontinuity()
        channel = ("x", "y", "z", "roll", "pitch", "yaw")[component]
        channel = f"body0.pos.{channel}" if component < 3 else f"body0.{channel}"
        run = system.run(400.0, 0.1, channels=[channel], progress=None)
    y = run[channel] - rest
    down = np.flatnonzero((y[:-1] > 0) & (y[1:] <= 0))[:4]
    passages = run.time[down] + 0.1 * y[down] / (y[down] - y[down + 1])
    return (passages[-1] - passages[0]) / (len(passages) - 1)


def main(names):
    """Prints the table of periods."""
    print("free decay   period (s)   expected")
    for name in names or DECAYS:
        found, expected = period(name), DECAYS[name][2]
        print(f"{name:10s} {found:12.2f} {expected:10.1f}", flush=True)
        if abs(found / expected - 1) > 0.015:
            sys.exit(f"the period of {name} is {found:.3f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
