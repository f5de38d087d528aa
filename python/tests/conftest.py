"""Common parts of the tests: the directory of the sources, models."""

import sys
from pathlib import Path

import pytest

import libpintle as pintle

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

IDENTITY = [0, 0, 0, 1, 0, 0, 0]


def pendulum(length=1.0):
    """A bob of 1 kg, inertia 0.1, on a revolute joint about y; ready. Body 0, joint 0, marker 0."""
    system = pintle.System()
    system.set_gravity([0, 0, -9.81])
    body = system.add_rigid_body(1.0, [0, 0, 0], [0.1, 0.1, 0.1, 0, 0, 0], [length, 0, 0, 1, 0, 0, 0])
    system.add_joint_at(pintle.JointKind.REVOLUTE, pintle.GROUND, body, [0, 0, 0], [0, 1, 0])
    system.add_marker(body, IDENTITY)
    system.set_name("body", body, "bob")
    return system


def moored():
    """A free point on a line from a fixed one, in water; not initialized. Points 0 and 1, line 0."""
    system = pintle.System()
    system.set_gravity([0, 0, -9.81])
    system.set_environment("water_density", 1000.0)
    kind = system.add_line_type(0.05, 10.0, 1e6, -0.8, 0.0, 1.2, 1.0, 0.05, 0.0)
    top = system.add_point(0.0, 0.0, [0, 0, 0])
    end = system.add_point(50.0, 0.0, [0, 0, -20])
    system.fix_point(top)
    system.add_line(kind, top, end, 19.0, 5)
    return system


@pytest.fixture
def system():
    with pendulum() as made:
        made.initialize(0.0)
        yield made
