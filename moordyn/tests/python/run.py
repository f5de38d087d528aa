#!/usr/bin/env python3
"""The Python package moordyn, whatever library is behind it: three lines with moved fairleads, states, nodes, codes.

    run.py RESULTS [OTHERS]

Writes forces and tensions to RESULTS, and compares them with those of OTHERS.
"""

import sys
import tempfile
import time
from pathlib import Path

import moordyn
import numpy as np

INPUT = """--------------------- MoorDyn Input File -----------------------------
Three lines as those of the OC3 spar buoy
---------------------- LINE TYPES ------------------------------------
TypeName   Diam    Mass/m     EA         BA/-zeta    EI         Cd     Ca     CdAx    CaAx
(name)     (m)     (kg/m)     (N)        (N-s/-)     (N-m^2)    (-)    (-)    (-)     (-)
main       0.09    77.7066    384.243E6  -0.8        0          1.6    1.0    0.1     0.0
---------------------- POINTS ----------------------------------------
ID    Type      X       Y       Z       Mass   Volume  CdA    Ca
(#)   (-)       (m)     (m)     (m)     (kg)   (m^3)   (m^2)  (-)
1     Fixed     853.87  0       -320.0  0      0       0      0
2     Fixed     -426.94 739.47  -320.0  0      0       0      0
3     Fixed     -426.94 -739.47 -320.0  0      0       0      0
4     Coupled   5.2     0.0     -70.0   0      0       0      0
5     Coupled   -2.6    4.5     -70.0   0      0       0      0
6     Coupled   -2.6    -4.5    -70.0   0      0       0      0
---------------------- LINES -----------------------------------------
ID   LineType   AttachA  AttachB  UnstrLen  NumSegs  LineOutputs
(#)   (name)     (#)      (#)       (m)       (-)     (-)
1     main       1        4         902.2     20      p
2     main       2        5         902.2     20      -
3     main       3        6         902.2     20      -
---------------------- OPTIONS ---------------------------------------
0.002         dtM           (s)
3.0e6         kBot          (Pa/m)
3.0e5         cBot          (Pa-s/m)
1025.0        WtrDnsty      (kg/m^3)
320           WtrDpth       (m)
60.0          TmaxIC        (s)
0.001         threshIC      (-)
0             writeLog      (-)
1             disableOutTime
---------------------- OUTPUTS ---------------------------------------
FairTen1
END
---------------------- need this line --------------------------------
"""
STEP = 0.05
STEPS = 400


def motion(t):
    """The displacement of all fairleads, from rest."""
    s = min(t / 10, 1)
    ramp = s * s * (3 - 2 * s)
    return ramp * np.array([2 * np.sin(2 * np.pi * t / 10), 0.5 * np.sin(2 * np.pi * t / 13), np.sin(2 * np.pi * t / 9)] * 3)


def run(folder):
    """Forces and tensions of all steps, and the processor time."""
    path = folder / "lines.txt"
    path.write_text(INPUT)
    system = moordyn.Create(str(path))
    assert moordyn.NCoupledDOF(system) == 9
    start = np.concatenate([moordyn.GetPointPos(moordyn.GetPoint(system, i)) for i in (4, 5, 6)])
    moordyn.Init(system, list(start), [0.0] * 9)
    lines = [moordyn.GetLine(system, i + 1) for i in range(moordyn.GetNumberLines(system))]
    forces, tensions, clock = [], [], time.process_time()
    for step in range(STEPS):
        t = step * STEP
        here, there = start + motion(t), start + motion(t + STEP)
        forces.append(moordyn.Step(system, list(here), list((there - here) / STEP), t, STEP))
        tensions.append([moordyn.GetLineFairTen(line) for line in lines])
    clock = time.process_time() - clock

    state = moordyn.Serialize(system)
    here, rates = list(start + motion(STEPS * STEP)), [0.1] * 9
    first = moordyn.Step(system, here, rates, STEPS * STEP, STEP)
    moordyn.Deserialize(system, state)
    assert moordyn.Step(system, here, rates, STEPS * STEP, STEP) == first, "a repeated step has other bits"

    line = lines[0]
    assert moordyn.GetLineN(line) == 20 and moordyn.GetLineNumberNodes(line) == 21
    assert np.allclose(moordyn.GetLineNodePos(line, 0), [853.87, 0, -320])
    assert np.allclose(moordyn.GetLineNodePos(line, 20), moordyn.GetPointPos(moordyn.GetPoint(system, 4)))
    assert abs(np.linalg.norm(moordyn.GetLineNodeTen(line, 20)) / moordyn.GetLineFairTen(line) - 1) < 1e-6
    assert moordyn.GetNumberRods(system) == 0 and moordyn.GetNumberPoints(system) == 6
    assert len(moordyn.GetPointForce(moordyn.GetPoint(system, 4))) == 3
    moordyn.Close(system)
    rows = [line.split() for line in (folder / "lines.out").read_text().splitlines()]
    assert rows[0] == ["Time", "FairTen1"] and rows[1] == ["(s)", "N"] and len(rows) > STEPS, rows[:3]
    return np.array(forces), np.array(tensions), clock


def main(arguments):
    """Runs, writes and compares."""
    with tempfile.TemporaryDirectory() as folder:
        forces, tensions, clock = run(Path(folder))
    np.savez(arguments[0], forces=forces, tensions=tensions, clock=clock)
    if len(arguments) < 2:
        return
    other = np.load(arguments[1])
    for name, own, bound in [("forces", forces, 0.003), ("tensions", tensions, 0.003)]:
        apart = np.abs(own - other[name]).max() / np.abs(other[name]).max()
        print(f"{name}: apart by {100 * apart:.3f} % of the largest")
        assert apart < bound, name
    print(f"{STEPS} steps: {clock:.3f} s of processor time, {float(other['clock']):.3f} s with MoorDyn")


main(sys.argv[1:])
