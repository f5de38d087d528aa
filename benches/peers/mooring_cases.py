"""Mooring lines whose upper ends are moved, and how: the cases of mooring.py. SI; z up, 0 at the mean water level."""

import dataclasses
import math

GRAVITY, WATER = 9.80665, 1025.0
BED_STIFFNESS, BED_DAMPING = 3e6, 3e5
RAMP = 10.0  # s


@dataclasses.dataclass
class LineType:
    diameter: float
    mass: float  # per length
    ea: float
    ba: float  # below 0: fraction of critical
    cdn: float
    can: float
    cdt: float


# OC3 Hywind (Jonkman 2010, NREL/TP-500-47535) and OC4 DeepCwind (Robertson et al. 2014, NREL/TP-5000-60601).
OC3 = LineType(0.09, 77.7066, 384.243e6, -0.8, 1.6, 1.0, 0.1)
OC4 = LineType(0.0766, 113.35, 753.6e6, -1.0, 2.0, 0.8, 0.25)


class Jet:
    """A function of time with its first two derivatives."""

    def __init__(self, value, first=0.0, second=0.0):
        self.value, self.first, self.second = value, first, second

    def __add__(self, other):
        other = other if isinstance(other, Jet) else Jet(other)
        return Jet(self.value + other.value, self.first + other.first, self.second + other.second)

    def __mul__(self, other):
        a, b = self, other if isinstance(other, Jet) else Jet(other)
        second = a.second * b.value + 2.0 * a.first * b.first + a.value * b.second
        return Jet(a.value * b.value, a.first * b.value + a.value * b.first, second)

    __radd__, __rmul__ = __add__, __mul__

    def chain(self, f, first, second):
        return Jet(f, first * self.first, second * self.first**2 + first * self.second)

    def sin(self):
        s, c = math.sin(self.value), math.cos(self.value)
        return self.chain(s, c, -s)

    def cos(self):
        s, c = math.sin(self.value), math.cos(self.value)
        return self.chain(c, -s, -c)


def swing(t, amplitude, period):
    """A sine that grows to its amplitude in the first 10 s."""
    x = min(t / RAMP, 1.0)
    slope, bend = (6 * x * (1 - x) / RAMP, (6 - 12 * x) / RAMP**2) if x < 1.0 else (0.0, 0.0)
    ramp = Jet(x * x * (3 - 2 * x), slope, bend)
    return amplitude * ramp * Jet(2 * math.pi / period * t, 2 * math.pi / period).sin()


def turned(roll, pitch, yaw, p):
    """R_z(yaw) R_y(pitch) R_x(roll) p."""
    x, y, z = (Jet(c) for c in p)
    y, z = roll.cos() * y + -1.0 * roll.sin() * z, roll.sin() * y + roll.cos() * z
    x, z = pitch.cos() * x + pitch.sin() * z, -1.0 * pitch.sin() * x + pitch.cos() * z
    return [yaw.cos() * x + -1.0 * yaw.sin() * y, yaw.sin() * x + yaw.cos() * y, z]


@dataclasses.dataclass
class Case:
    name: str
    line_type: LineType
    length: float
    depth: float
    segments: int
    anchors: list
    fairleads: list
    swings: list  # (amplitude, period) of surge, sway, heave, roll, pitch, yaw
    time: float  # s, simulated
    timed: bool = True
    bed_damping: float = BED_DAMPING

    def motion(self, dt):
        """Per step and fairlead position, velocity, acceleration; the start included."""
        numbers = []
        for i in range(round(self.time / dt) + 1):
            x, y, z, *angles = (swing(i * dt, *one) for one in self.swings)
            for fairlead in self.fairleads:
                arm = turned(*angles, fairlead)
                place = [a + b for a, b in zip((x, y, z), arm)]
                numbers += [c.value for c in place] + [c.first for c in place] + [c.second for c in place]
        return numbers


STILL = (0.0, 10.0)


def oc3(name, segments, swings, time):
    anchors, fairleads = [(853.87, 0.0, -320.0)], [(5.2, 0.0, -70.0)]
    return Case(name, OC3, 902.2, 320.0, segments, anchors, fairleads, [*swings, STILL, STILL, STILL], time)


def cases():
    """All cases."""
    ordinary = [(2.0, 10.0), (0.5, 13.0), (1.0, 9.0)]
    headings = [math.radians(60.0 + 120.0 * k) for k in range(3)]
    around = lambda radius, z: [(radius * math.cos(a), radius * math.sin(a), z) for a in headings]
    oc4 = dict(line_type=OC4, length=835.5, depth=200.0, segments=20, anchors=around(837.6, -200.0), fairleads=around(40.868, -14.0))
    body = [(1.5, 10.0), (0.3, 13.0), (1.0, 9.0), (0.01, 11.0), (0.035, 10.0), (0.01, 17.0)]
    return [
        oc3("OC3, N = 20", 20, ordinary, 40.0),
        oc3("OC3, N = 100", 100, ordinary, 40.0),
        oc3("OC3, N = 500", 500, ordinary, 20.0),
        Case(name="OC4, 3 x 20", swings=body, time=40.0, **oc4),
        # MoorDyn's damper of the bed holds nodes that leave, pintle's does not: without one both have the same bed.
        Case(name="OC4, 3 x 20, no damper on the bed", swings=body, time=40.0, timed=False, bed_damping=0.0, **oc4),
        dataclasses.replace(oc3("snap, N = 20", 20, [(8.0, 10.0), STILL, STILL], 40.0), timed=False),
    ]
