"""Order of the reactions: the force that holds the tip of the heavy top, over the first 40 ms, with four steps.

The reference is rk4 with steps of 2 us. Halving the step divides the largest error by four, and the first step is no exception.
"""

import sys
from pathlib import Path

import numpy as np

import libpintle as pintle

MODEL = Path(__file__).resolve().parents[2] / "models/heavy_top.toml"


def reactions(scheme: str, dt: float, every: int) -> np.ndarray:
    with pintle.System.load_model(MODEL) as system:
        system.set_scheme(scheme)
        system.initialize(0.0)
        run = system.run(0.04, dt, every=every)
        return np.column_stack([run[f"tip.reaction.f{axis}"] for axis in "xyz"])


exact = reactions("rk4", 2e-6, 125)  # every 0.25 ms
largest = []
for n in (8, 4, 2, 1):
    errors = np.linalg.norm(reactions("generalized-alpha", n * 2.5e-4, 1) - exact[::n], axis=1)
    largest.append(errors.max())
    print("step %.2f ms: error at most %.4f N, after the first step %.4f N" % (n * 0.25, errors.max(), errors[1]))
print("largest reaction: %.1f N" % np.linalg.norm(exact, axis=1).max())
if any(abs(coarse / fine - 4) > 0.1 for coarse, fine in zip(largest, largest[1:])):
    sys.exit("the reactions are not of second order")
