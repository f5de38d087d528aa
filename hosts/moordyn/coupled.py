"""A platform of pintle on mooring lines of MoorDyn, compared with the same platform on pintle's own lines.

    coupled.py [FILE.csv]      writes tensions and motions of both when a file is given

The OC4 DeepCwind semisubmersible is let go 5 m aside in surge. With MoorDyn, motions of the fairleads (markers) and forces on them are
exchanged at each step: MoorDyn moves its ends on with the velocities that they have at the start of the step, and its forces at
the end load the platform during the step. The two are coupled explicitly, at a step short enough for that; inside, MoorDyn takes
steps of 4 ms, which its chains and the seabed ask for. pintle's own lines are in the same iteration as the platform, at 0.1 s.

Exit status 1: tensions differ by more than 0.5 % of the largest; 2: a program failed, with the cause on the standard error.
"""

import math
import sys
import time
from pathlib import Path

import moordyn
import numpy as np

import libpintle as pintle

HERE = Path(__file__).parent
END, SAMPLE = 60.0, 0.5
LINES, SEGMENTS, LENGTH = 3, 20, 835.5
OWN_STEP, EXCHANGE = 0.1, 0.0125


def row(system, tensions):
    """Surge, heave, pitch, tensions of the three fairleads."""
    pose = system.get_body_pose(0)
    return [pose[0], pose[2], pintle.quat_to_euler_zyx(pose[3:])[1], *tensions]


def with_moordyn():
    """Rows at each sample, seconds of CPU."""
    platform = pintle.System.load_model(HERE / "platform.toml")
    places, rates = platform.get_marker_poses()[:, :3], np.zeros((LINES, 3))
    lines = moordyn.Create(str(HERE / "oc4_lines.txt"))
    moordyn.Init(lines, places.ravel().tolist(), rates.ravel().tolist())
    loads = np.zeros((LINES, 6))
    for k in range(LINES):
        loads[k, :3] = moordyn.GetPointForce(moordyn.GetPoint(lines, k + 1))
    platform.set_marker_loads(pintle.Frame.INERTIAL, loads)
    platform.initialize(0.0)
    chains = [moordyn.GetLine(lines, k + 1) for k in range(LINES)]
    rows = [row(platform, [moordyn.GetLineFairTen(chain) for chain in chains])]
    begin = time.process_time()
    for n in range(1, round(END / EXCHANGE) + 1):
        places, rates = platform.get_marker_poses()[:, :3], platform.get_marker_velocities()[:, :3]
        forces = moordyn.Step(lines, places.ravel().tolist(), rates.ravel().tolist(), (n - 1) * EXCHANGE, EXCHANGE)
        loads[:, :3] = np.reshape(forces, (LINES, 3))
        platform.set_marker_loads(pintle.Frame.INERTIAL, loads)
        platform.step(EXCHANGE)
        if n % round(SAMPLE / EXCHANGE) == 0:
            rows.append(row(platform, [moordyn.GetLineFairTen(chain) for chain in chains]))
    seconds = time.process_time() - begin
    moordyn.Close(lines)
    platform.close()
    return np.array(rows), seconds


def with_own_lines():
    """Rows at each sample, seconds of CPU."""
    platform = pintle.System.load_model(HERE / "platform.toml")
    chain = platform.add_line_type(0.0766, 113.35, 753.6e6, -1.0, 0.0, 2.0, 0.8, 0.25, 0.0)
    for k in range(LINES):
        fairlead = platform.get_marker_info(k).frame[:3]
        angle = math.radians(60.0 + 120.0 * k)
        anchor = platform.add_point(0.0, 0.0, [837.6 * math.cos(angle), 837.6 * math.sin(angle), -200.0])
        platform.fix_point(anchor)
        end = platform.add_point(0.0, 0.0, fairlead + platform.get_body_pose(0)[:3])
        platform.attach_point(end, 0, fairlead)
        platform.add_line(chain, anchor, end, LENGTH, SEGMENTS)
    platform.initialize(0.0)
    rows = [row(platform, platform.get_line_end_tensions()[:, 1])]
    begin = time.process_time()
    for n in range(1, round(END / OWN_STEP) + 1):
        platform.step(OWN_STEP)
        if n % round(SAMPLE / OWN_STEP) == 0:
            rows.append(row(platform, platform.get_line_end_tensions()[:, 1]))
    seconds = time.process_time() - begin
    platform.close()
    return np.array(rows), seconds


def main(path):
    (theirs, moordyn_time), (own, own_time) = with_moordyn(), with_own_lines()
    tension = np.abs(theirs[:, 3:] - own[:, 3:]).max() / own[:, 3:].max()
    surge = np.abs(theirs[:, 0] - own[:, 0]).max()
    print(f"largest difference: tension {100 * tension:.2f} % of the largest, surge {surge:.4f} m")
    print(f"CPU for {END:.0f} s: MoorDyn's lines, exchanged every {EXCHANGE} s: {moordyn_time:.3f} s;", end=" ")
    print(f"pintle's own, at steps of {OWN_STEP} s: {own_time:.3f} s")
    if path is not None:
        names = ["surge", "heave", "pitch", *(f"tension{k + 1}" for k in range(LINES))]
        head = ",".join(["time", *(f"{name}_{code}" for code in ("moordyn", "pintle") for name in names)])
        times = SAMPLE * np.arange(len(own))[:, None]
        np.savetxt(path, np.hstack([times, theirs, own]), delimiter=",", header=head, comments="")
    return tension < 0.005


if __name__ == "__main__":
    try:
        sys.exit(not main(sys.argv[1] if len(sys.argv) > 1 else None))
    except (RuntimeError, OSError, pintle.PintleError) as error:
        print(f"coupled.py: {error}", file=sys.stderr)
        sys.exit(2)
