"""The loop by hand, benches/limit.cpp: what the machine allows for chains of spherical joints."""

import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent

NAME = "loop by hand"
VERSION = "benches/limit.cpp"
METHODS = ["generalized-alpha"]
PROGRAM = pathlib.Path(os.environ["PEERS_CACHE"]) / "limit"
FLAGS = ["-O3", "-march=native", "-ffast-math", "-std=c++17"]
subprocess.run(["g++", *FLAGS, HERE.parent / "limit.cpp", "-o", PROGRAM], check=True)


def can(problem, method):
    return bool(problem.limit)


def tune(problem, method, step):
    return " ".join(FLAGS) + ", tolerance 1e-10"


def run(problem, method, step, steps):
    """One run from the start; it tells the position of the last body only."""
    command = [PROGRAM, problem.limit, repr(step), repr(step * steps), "0.9", "1e-10", "1"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    if answer.returncode != 0:
        return {"cpu": 0.0, "converged": False, "iterations": None, "positions": []}
    told = json.loads(answer.stdout)
    last = [told["x"], told["y"], told["z"]]
    return {"cpu": 1e-6 * told["us"] * steps, "converged": True, "iterations": told["it"],
            "positions": [None] * (len(problem.bodies) - 1) + [last]}
