"""Bodies, joints, points, lines, springs and tendons as objects. Each is the id of the entity, an int, so that it may stand wherever a
function of the system wants an id; besides it has the name, the outputs and the usual inputs of the entity."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arguments import numbers
from ._calls import JointCoordinate, JointSlide, LineReleased, SpringForce, TendonForce, TendonSlip
from ._constants import Frame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._arguments import Array
    from ._system import System

FRAMES = {"inertial": Frame.INERTIAL, "body": Frame.BODY}


def frame_of(function: str, frame: str | int) -> int:
    """The number of a frame: "inertial", "body" or a Frame."""
    if isinstance(frame, str):
        if frame not in FRAMES:
            raise ValueError(f"{function}: frame is {frame!r}, not one of {', '.join(FRAMES)}")
        return FRAMES[frame]
    return frame


def vector_of(function: str, name: str, value: ArrayLike, size: int) -> Array:
    """A vector of finite numbers. Raises TypeError or ValueError, so that nothing is added to the model before it is checked."""
    array = numbers(value, function, name)
    if np.shape(value) != (size,):
        raise ValueError(f"{function}: {name} has shape {np.shape(value)}, not ({size},)")
    if not np.isfinite(array).all():
        raise ValueError(f"{function}: {name} is {array.tolist()}, not finite")
    return array


def number_of(function: str, name: str, value: Any) -> float:
    """A finite number."""
    if isinstance(value, (str, bytes)) or np.ndim(value) != 0:
        raise TypeError(f"{function}: {name} must be a number, not {type(value).__name__}")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{function}: {name} must be a number, not {type(value).__name__}") from None
    if not np.isfinite(number):
        raise ValueError(f"{function}: {name} is {number}, not finite")
    return number


def integer_of(function: str, name: str, value: Any) -> int:
    """An integer of 32 bits."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{function}: {name} must be an integer, not {type(value).__name__}") from None
    if not -(2**31) <= number < 2**31:
        raise ValueError(f"{function}: {name} is {number}, which is no 32-bit integer")
    return number


class Entity(int):
    """The id of an entity, with its system."""

    #: The kind, as System.find has it.
    kind = ""
    system: System

    def __new__(cls, system: Any, id: int) -> Any:
        """The entity with an id. Error: BAD_ID."""
        system.get_name(cls.kind, id)
        made = super().__new__(cls, id)
        made.system = system
        return made

    @property
    def name(self) -> str:
        """The name, which begins those of its channels."""
        return self.system.get_name(self.kind, self)

    @name.setter
    def name(self, name: str) -> None:
        self.system.set_name(self.kind, self, name)

    def __repr__(self) -> str:
        return f"<libpintle.{type(self).__name__} {int(self)} {self.name!r}>"

    def __reduce__(self) -> Any:
        """Copies and pickles are ids alone: a system cannot be pickled."""
        return int, (int(self),)


class Body(Entity):
    """A rigid body; the id of it."""

    kind = "body"

    @property
    def pose(self) -> Array:
        """x y z of the reference point in I, quaternion w x y z, shape (7,)."""
        return self.system.get_body_pose(self)

    @property
    def position(self) -> Array:
        """The reference point in I, shape (3,)."""
        return self.pose[:3]

    @property
    def velocity(self) -> Array:
        """Of the reference point, then angular, in I, shape (6,)."""
        return self.system.get_body_velocity(self)

    @property
    def acceleration(self) -> Array:
        """Of the reference point, then angular, in I, shape (6,)."""
        return self.system.get_body_acceleration(self)

    def load(self, force: ArrayLike = (0, 0, 0), moment: ArrayLike = (0, 0, 0), frame: str | int = "inertial") -> None:
        """Sets the load at the reference point, which stays until another one is set (System.set_body_load).

        Args:
            force: shape (3,).
            moment: shape (3,).
            frame: the axes: "inertial" or "body".
        """
        wrench = np.concatenate([vector_of("load", "force", force, 3), vector_of("load", "moment", moment, 3)])
        self.system.set_body_load(self, frame_of("load", frame), wrench)

    def cylinder(
        self,
        end_a: ArrayLike,
        end_b: ArrayLike,
        diameter: float,
        *,
        cd: float = 1.0,
        ca: float = 1.0,
        cd_end: float = 0.0,
        ca_end: float = 0.0,
        segments: int = 10,
    ) -> int:
        """Adds a cylinder in water (System.add_cylinder) and returns its id.

        Args:
            end_a: shape (3,): centre of an end, in body axes.
            end_b: shape (3,): centre of the other end.
            diameter: the diameter.
            cd: drag across the axis.
            ca: added mass across the axis, in parts of the displaced mass.
            cd_end: drag along the axis at each end.
            ca_end: added mass along the axis at each end, in parts of the mass of a half sphere of water.
            segments: into how many parts it is divided for drag and waves.
        """
        return self.system.add_cylinder(self, end_a, end_b, diameter, segments, cd, ca, cd_end, ca_end)

    def shape(self, kind: str, **keys: Any) -> Body:
        """Adds a shape: how the body looks on pages (System.add_shape). Returns the body.

        Args:
            kind: "box", "cylinder", "capsule", "sphere" or "stl".
            keys: the keys of the kind, name and colour.
        """
        self.system.add_shape(self, kind, **keys)
        return self


class Joint(Entity):
    """A joint; the id of it."""

    kind = "joint"

    @property
    def coordinate(self) -> JointCoordinate:
        """Angle or displacement of b against a, its rate and acceleration (System.get_joint_coordinate)."""
        return self.system.get_joint_coordinate(self)

    @property
    def slide(self) -> JointSlide:
        """Displacement along the axis, its rate and acceleration (System.get_joint_slide)."""
        return self.system.get_joint_slide(self)

    @property
    def reaction(self) -> Array:
        """Force and moment of a on b at the joint, in I, shape (6,)."""
        return self.system.get_joint_reaction(self)

    def load(self, generalized_force: float) -> None:
        """Sets the moment about the axis, or the force along it (System.set_joint_load).

        Args:
            generalized_force: on b; its opposite on a.
        """
        self.system.set_joint_load(self, generalized_force)

    def spring(self, stiffness: float, damping: float = 0.0, rest: float = 0.0) -> Joint:
        """Adds a spring and a damper on the coordinate (System.set_joint_spring). Returns the joint.

        Args:
            stiffness: per rad, or per length.
            damping: per rate.
            rest: coordinate without force.
        """
        self.system.set_joint_spring(self, stiffness, damping, rest)
        return self

    def drive(self) -> Joint:
        """Lets the host impose the coordinate (System.set_joint_driven). Returns the joint."""
        self.system.set_joint_driven(self, True)
        return self

    def move(self, q: float, qd: float, qdd: float = 0.0) -> None:
        """Sets the coordinate that is imposed at the end of the next step (System.set_joint_motion).

        Args:
            q: coordinate.
            qd: its rate.
            qdd: its acceleration.
        """
        self.system.set_joint_motion(self, q, qd, qdd)


class Point(Entity):
    """A point; the id of it."""

    kind = "point"

    @property
    def position(self) -> Array:
        """Its position in I, shape (3,)."""
        return self.system.get_point_position(self)

    @property
    def velocity(self) -> Array:
        """Its velocity in I, shape (3,)."""
        return self.system.get_point_velocity(self)


class Line(Entity):
    """A mooring line; the id of it."""

    kind = "line"

    @property
    def positions(self) -> Array:
        """Its nodes from end A to end B, in I, shape (segments + 1, 3)."""
        return self.system.get_line_positions(self)

    @property
    def tensions(self) -> Array:
        """Tensions of its segments from end A to end B, shape (segments,)."""
        return self.system.get_line_tensions(self)

    @property
    def released(self) -> LineReleased:
        """Which ends are released."""
        return self.system.get_line_released(self)

    def release(self, end: str) -> None:
        """Lets an end go (System.release_line).

        Args:
            end: "a" or "b".
        """
        if end not in ("a", "b"):
            raise ValueError(f"release: end is {end!r}, not 'a' or 'b'")
        self.system.release_line(self, "ab".index(end))

    def fail(self, end: str, *, time: float = 0.0, tension: float = 0.0) -> None:
        """Lets an end break off at a time, or when the tension there is above a limit (System.set_line_failure). To be called
        before the run; release lets an end go at once.

        Args:
            end: "a" or "b".
            time: 0 for no time.
            tension: 0 for no limit.
        """
        if end not in ("a", "b"):
            raise ValueError(f"fail: end is {end!r}, not 'a' or 'b'")
        self.system.set_line_failure([self], ["ab".index(end)], time, tension, -1)

    def clamp(self, end: str, axis: ArrayLike, body: int = -1) -> None:
        """Clamps an end (System.clamp_line).

        Args:
            end: "a" or "b".
            axis: into the line, in the axes of the body or in I.
            body: the body that the end is on; -1 for the ground.
        """
        if end not in ("a", "b"):
            raise ValueError(f"clamp: end is {end!r}, not 'a' or 'b'")
        self.system.clamp_line(self, "ab".index(end), body, axis)


class Spring(Entity):
    """A spring; the id of it."""

    kind = "spring"

    @property
    def force(self) -> SpringForce:
        """Its length and its tension."""
        return self.system.get_spring_force(self)

    @property
    def mean_tension(self) -> float:
        """Its mean tension over the last step."""
        return self.system.get_spring_mean_tension(self)


class Tendon(Entity):
    """A tendon; the id of it."""

    kind = "tendon"

    @property
    def force(self) -> TendonForce:
        """Its length and its tension."""
        return self.system.get_tendon_force(self)

    def wrap(self, point: int) -> float:
        """The angle by which it wraps the sheave at one of its points (rad); 0 at an eye.

        Args:
            point: 0 to the number of its points - 1.
        """
        return self.system.get_tendon_wrap(self, point)

    def slip(self, point: int) -> TendonSlip:
        """What friction does at one of its points: tensions, their largest factor, energy (System.get_tendon_slip).

        Args:
            point: one with friction.
        """
        return self.system.get_tendon_slip(self, point)

    def wind(self, length: float, rate: float = 0.0) -> None:
        """Sets its unstretched length at the end of the coming step (System.set_tendon_length).

        Args:
            length: the unstretched length.
            rate: of that length.
        """
        self.system.set_tendon_length(self, length, rate)
