"""A floating spar in OpenFAST's HydroDyn, moved by pintle: free decay in heave, or moored in waves.

    spar.py LIBRARY decay|waves        LIBRARY: libhydrodyn_c_binding.so

Each step is repeated until loads and motion agree. HydroDyn gives its added mass as a matrix, which goes into pintle's own (option
of pintle_set_added_mass): that is the part of the coupling that diverges where water weighs as much as the body. What is left of
HydroDyn's loads changes by the square of the step, so that two exchanges do in still water.

Exit status: 0; 1: a number is not what it must be; 2: HydroDyn or the library failed, with the cause on the standard error.
"""

import sys
from math import cos, pi, sin, sqrt
from pathlib import Path

import numpy as np

import libpintle as pintle
from hydrodyn import HydroDyn, HydroDynError

DENSITY, GRAVITY, DEPTH = 1025.0, 9.80665, 200.0
DIAMETER, DRAUGHT = 9.0, 30.0
AREA = pi * DIAMETER**2 / 4
MASS = DENSITY * AREA * DRAUGHT
DT = 0.05
AGREEMENT = 1e-6  # of the weight: single precision of the interface allows 1e-7


def input_file(name, waves):
    text = (Path(__file__).parent / name).read_text()
    return text.replace("0                      WaveMod", "1                      WaveMod") if waves else text


def create_spar(heave, moored):
    """The spar about HydroDyn's reference point, at the water line; with `moored` on three soft springs."""
    system = pintle.System()
    system.set_gravity([0, 0, -GRAVITY])
    inertia = [90 * MASS, 90 * MASS, 12 * MASS, 0, 0, 0]
    spar = system.add_rigid_body(MASS, [0, 0, -18], inertia, [0, 0, heave, 1, 0, 0, 0])
    system.set_name("body", spar, "spar")
    system.set_option("rho_inf", 1.0)
    for k in range(3 if moored else 0):
        c, s = cos(2 * pi * k / 3), sin(2 * pi * k / 3)
        system.add_spring(spar, [4.5 * c, 4.5 * s, -15], pintle.GROUND, [200 * c, 200 * s, -60], 2e4, 0.0, 190.0, True)
    return system, spar


def motion(system, spar):
    pose = system.get_body_pose(spar)
    return [*pose[:3], *pintle.quat_to_euler_zyx(pose[3:])], system.get_body_velocity(spar)


def run(water, system, spar, steps):
    """Motions (surge, sway, heave, roll, pitch, yaw) after each step, and exchanges per step."""
    start, rates = motion(system, spar)
    loads, added_mass = water.loads(0.0, start, np.zeros(6))
    system.set_added_mass(spar, added_mass, pintle.Frame.INERTIAL)
    system.set_body_load(spar, pintle.Frame.INERTIAL, loads)
    system.initialize(0.0)
    motions, exchanges = np.empty((steps, 6)), np.empty(steps)
    for n in range(steps):
        time = n * DT
        before = (*motion(system, spar), system.get_body_acceleration(spar))
        system.set_added_mass(spar, added_mass, pintle.Frame.INERTIAL)
        for exchange in range(1, 31):
            system.set_body_load(spar, pintle.Frame.INERTIAL, loads)
            system.advance(DT)
            position, velocity = motion(system, spar)
            last, (loads, added_mass) = loads, water.loads(time + DT, position, velocity)
            if np.abs(loads - last).max() < AGREEMENT * MASS * GRAVITY:
                break
        else:
            raise SystemExit(f"no agreement at {time + DT} s")
        system.accept()
        water.update(time, DT, *before)
        motions[n], exchanges[n] = position, exchange
    return motions, exchanges


def period(values):
    """The period, from the upward zero crossings."""
    up = [n + values[n] / (values[n] - values[n + 1]) for n in range(len(values) - 1) if values[n] < 0 <= values[n + 1]]
    return (up[-1] - up[0]) / (len(up) - 1) * DT


def main(library, mode):
    waves = mode == "waves"
    files = [input_file(name, waves) for name in ("spar_seastate.dat", "spar_hydrodyn.dat")]
    steps = 2000 if waves else 1200
    with HydroDyn(library, *files, GRAVITY, DENSITY, DEPTH, DT, steps * DT) as water:
        system, spar = create_spar(0.0 if waves else 1.0, waves)
        with system:
            motions, exchanges = run(water, system, spar, steps)
    print(f"{mode}: {steps} steps of {DT} s, {exchanges.mean():.2f} exchanges per step, at most {exchanges.max():.0f}")
    if waves:
        surge, heave, pitch = np.ptp(motions[-800:, [0, 2, 4]], axis=0) / 2
        print(f"amplitudes: surge {surge:.4f} m, heave {heave:.4f} m, pitch {np.degrees(pitch):.4f} deg")
        return exchanges.mean() <= 3.0 and np.abs(motions).max() < 5.0
    measured, formula = period(motions[:, 2]), 2 * pi * sqrt(MASS / (DENSITY * GRAVITY * AREA))
    print(f"heave period {measured:.4f} s, formula {formula:.4f} s")
    # The period of the trapezoidal rule is longer by (w h)^2/12 = 7e-5; drag adds less than 1e-3.
    return exchanges.mean() <= 2.1 and abs(measured / formula - 1) < 1e-3


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in ("decay", "waves"):
        sys.exit(__doc__)
    try:
        sys.exit(not main(*sys.argv[1:]))
    except (HydroDynError, OSError, pintle.PintleError) as error:
        print(f"spar.py: {error}", file=sys.stderr)
        sys.exit(2)
