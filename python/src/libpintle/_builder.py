"""Building a model with objects, names of kinds, and defaults: the methods of System that return bodies, joints, points, lines,
springs and tendons. What they take is checked before anything is added; the functions below are those of the header, which say more."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from ._analyses import Analyses
from ._arguments import numbers
from ._calls import quat_from_euler_zyx, quat_from_rotvec
from ._constants import GROUND, JointKind
from ._entities import Body, Joint, Line, Point, Spring, Tendon, integer_of, number_of, vector_of
from ._errors import PintleError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._arguments import Array

#: Longest name, in bytes.
LONGEST = 255

#: Most eyes of a tendon.
MOST_EYES = 8

#: Damping of lines as ba has it: minus the part of a segment's critical damping.
CRITICAL = -1.0


class Builder(Analyses):
    """The base class of System with these methods."""

    __slots__ = ()

    def options(self, *, scheme: str | None = None, **values: float) -> None:
        """Sets options by name (set_option), and the scheme (set_scheme): options(rho_inf=0.9, max_iterations=30).

        Args:
            scheme: the time scheme; None keeps it.
            values: options.
        """
        self._alive("options")
        checked = {key: number_of("options", key, value) for key, value in values.items()}
        if scheme is not None:
            self.set_scheme(scheme)
        for key, value in checked.items():
            self.set_option(key, value)

    def environment(self, *, gravity: float | ArrayLike | None = None, **values: float) -> None:
        """Sets gravity, and water and seabed by name (set_environment): environment(gravity=9.81, water_density=1025, depth=200).

        Args:
            gravity: along -z, or a vector, shape (3,); None keeps it.
            values: keys of set_environment.
        """
        self._alive("environment")
        checked = {key: number_of("environment", key, value) for key, value in values.items()}
        if gravity is not None:
            single = np.ndim(gravity) == 0
            downwards = [0.0, 0.0, -number_of("environment", "gravity", gravity)] if single else gravity
            self.set_gravity(vector_of("environment", "gravity", downwards, 3))
        for key, value in checked.items():
            self.set_environment(key, value)

    def waves(
        self,
        height: float,
        period: float,
        *,
        heading: float = 0.0,
        regular: bool = False,
        peak_factor: float = 3.3,
        spreading: float = 0.0,
        seed: int = 0,
        components: int = 200,
        ramp: float = 0.0,
    ) -> None:
        """Sets the waves: an irregular sea (set_irregular_waves), or one regular wave.

        Args:
            height: significant wave height; of a regular wave its height, twice the amplitude.
            period: peak period; of a regular wave its period.
            heading: direction of travel, in rad from the x axis.
            regular: True for one wave.
            peak_factor: of the JONSWAP spectrum.
            spreading: exponent of the distribution of directions; 0: all travel along `heading`.
            seed: of phases and directions.
            components: their number.
            ramp: time from time zero over which the waves grow from nothing.
        """
        self._alive("waves")
        height, period = number_of("waves", "height", height), number_of("waves", "period", period)
        growing = number_of("waves", "ramp", ramp)
        if growing < 0.0:
            raise ValueError(f"waves: ramp is {growing}, below 0")
        if regular:
            if height < 0.0 or period <= 0.0:
                raise ValueError(f"waves: height is {height}, period is {period}, not positive")
            self.set_waves([height / 2], [2 * np.pi / period], [heading], [0.0])
        else:
            self.set_irregular_waves(height, period, peak_factor, heading, spreading, seed, components)
        self.set_environment("wave_ramp", growing)

    def body(
        self,
        mass: float | ArrayLike,
        inertia: ArrayLike | None = None,
        *,
        box: ArrayLike | None = None,
        name: str | None = None,
        position: ArrayLike = (0, 0, 0),
        quat: ArrayLike | None = None,
        euler_deg: ArrayLike | None = None,
        axis: ArrayLike | None = None,
        angle_deg: float | None = None,
        com: ArrayLike = (0, 0, 0),
        velocity: ArrayLike | None = None,
        omega: ArrayLike | None = None,
    ) -> Body:
        """Adds a rigid body.

        Args:
            mass: the mass, or a matrix about the reference point, shape (6, 6), with which inertia, box and com are not given.
            inertia: about the centre of mass, in body axes: the three principal moments xx yy zz, shape (3,); six entries xx yy zz
                xy xz yz; or the tensor, shape (3, 3).
            box: edges of a homogeneous box about the centre of mass, shape (3,), in place of inertia; it is also drawn.
            name: the name; None: body0, body1, ...
            position: of the reference point in I, shape (3,).
            quat: orientation as a quaternion w x y z; its norm may be off by 0.01.
            euler_deg: orientation as roll, pitch, yaw in degrees, in place of quat.
            axis: orientation as a turn about an axis, in place of quat.
            angle_deg: the angle about the axis.
            com: centre of mass from the reference point, in body axes.
            velocity: of the reference point in I.
            omega: angular velocity in I.

        Errors: TypeError, ValueError that name the argument; those of add_rigid_body or add_body.
        """
        self._alive("body")
        pose = np.concatenate([vector_of("body", "position", position, 3), _orientation(quat, euler_deg, axis, angle_deg)])
        twist = [vector_of("body", key, given, 3) for key, given in (("velocity", velocity), ("omega", omega)) if given is not None]
        centre = vector_of("body", "com", com, 3)
        self._check_name("body", "body", name)
        if np.ndim(mass) == 2:
            if inertia is not None or box is not None or centre.any():
                raise ValueError("body: inertia, box and com are part of a mass matrix")
            id = self.add_body(numbers(mass, "body", "mass"), pose)
        else:
            weight = number_of("body", "mass", mass)
            edges = None if box is None else vector_of("body", "box", box, 3)
            if (inertia is None) == (edges is None):
                raise ValueError("body: give either inertia or box")
            if edges is not None and not (edges > 0).all():
                raise ValueError(f"body: box is {edges.tolist()}, not above 0")
            if edges is not None:
                inertia = weight / 12 * ((edges**2).sum() - edges**2)
            id = self.add_rigid_body(weight, centre, _inertia(inertia), pose)
            if edges is not None:
                self.add_shape(id, "box", size=edges, frame=[*centre, 1, 0, 0, 0])
        if twist:
            zero = np.zeros(3)
            parts = [zero if given is None else np.asarray(given, float) for given in (velocity, omega)]
            self.set_body_velocity(id, np.concatenate(parts))
        made: Body = Body(self, id)
        return self._named(made, name)

    def joint(
        self,
        kind: str | int,
        a: int | str,
        b: int | str,
        *,
        point: ArrayLike = (0, 0, 0),
        axis: ArrayLike | None = None,
        name: str | None = None,
    ) -> Joint:
        """Adds a joint at a point and along an axis in I, at the initial poses (add_joint_at). The methods fixed, spherical,
        revolute, prismatic, cylindrical, universal, planar, screw, point_on_line and point_on_plane do the same for one kind.

        Args:
            kind: "revolute", "prismatic", ..., or a JointKind.
            a: a body, or "ground".
            b: a body, or "ground"; motions are those of b relative to a.
            point: origin of the joint, shape (3,).
            axis: its axis, shape (3,), of any length; None for "fixed" and "spherical".
            name: the name; None: joint0, joint1, ...

        Errors: TypeError, ValueError that name the argument; those of add_joint_at.
        """
        self._alive("joint")
        return self._joint("joint", _kind(kind), a, b, point, axis, name)

    def fixed(self, a: int | str, b: int | str, *, point: ArrayLike = (0, 0, 0), name: str | None = None) -> Joint:
        """Adds a joint without freedom."""
        self._alive("fixed")
        return self._joint("fixed", JointKind.FIXED, a, b, point, None, name)

    def spherical(self, a: int | str, b: int | str, *, point: ArrayLike, name: str | None = None) -> Joint:
        """Adds a ball joint."""
        self._alive("spherical")
        return self._joint("spherical", JointKind.SPHERICAL, a, b, point, None, name)

    def revolute(self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, name: str | None = None) -> Joint:
        """Adds a hinge: b turns about the axis."""
        self._alive("revolute")
        return self._joint("revolute", JointKind.REVOLUTE, a, b, point, axis, name)

    def prismatic(self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, name: str | None = None) -> Joint:
        """Adds a slider: b moves along the axis."""
        self._alive("prismatic")
        return self._joint("prismatic", JointKind.PRISMATIC, a, b, point, axis, name)

    def cylindrical(self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, name: str | None = None) -> Joint:
        """Adds a joint that turns about the axis and slides along it."""
        self._alive("cylindrical")
        return self._joint("cylindrical", JointKind.CYLINDRICAL, a, b, point, axis, name)

    def universal(self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, name: str | None = None) -> Joint:
        """Adds a universal joint; where the directions of both of its axes matter, add_joint has them."""
        self._alive("universal")
        return self._joint("universal", JointKind.UNIVERSAL, a, b, point, axis, name)

    def planar(self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, name: str | None = None) -> Joint:
        """Adds a joint that keeps b in the plane across the axis."""
        self._alive("planar")
        return self._joint("planar", JointKind.PLANAR, a, b, point, axis, name)

    def screw(
        self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, pitch: float, name: str | None = None
    ) -> Joint:
        """Adds a screw, with its pitch as set_joint_pitch has it."""
        self._alive("screw")
        checked = number_of("screw", "pitch", pitch)
        made = self._joint("screw", JointKind.SCREW, a, b, point, axis, name)
        self.set_joint_pitch(made, checked)
        return made

    def point_on_line(self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, name: str | None = None) -> Joint:
        """Adds a joint that keeps a point of b on a line of a, with all rotations free."""
        self._alive("point_on_line")
        return self._joint("point_on_line", JointKind.POINT_ON_LINE, a, b, point, axis, name)

    def point_on_plane(self, a: int | str, b: int | str, *, point: ArrayLike, axis: ArrayLike, name: str | None = None) -> Joint:
        """Adds a joint that keeps a point of b in a plane of a across the axis, with all rotations free."""
        self._alive("point_on_plane")
        return self._joint("point_on_plane", JointKind.POINT_ON_PLANE, a, b, point, axis, name)

    def rolling(
        self,
        a: int | str,
        b: int | str,
        *,
        radius: float,
        plane: ArrayLike = (0, 0, 0, 1, 0, 0, 0),
        disc: ArrayLike = (0, 0, 0, 1, 0, 0, 0),
        name: str | None = None,
    ) -> Joint:
        """Adds a disc that rolls without slip, as set_joint_radius has it.

        Args:
            a: the body with the plane, or "ground".
            b: the body with the disc, or "ground".
            radius: of the disc.
            plane: frame on a whose xy plane it is, shape (7,).
            disc: frame on b whose origin is the centre and whose z is the axis of the disc, shape (7,).
            name: the name; None: joint0, joint1, ...

        Errors: TypeError, ValueError that name the argument; those of add_joint.
        """
        self._alive("rolling")
        checked = number_of("rolling", "radius", radius)
        frames = [vector_of("rolling", key, given, 7) for key, given in (("plane", plane), ("disc", disc))]
        self._check_name("rolling", "joint", name)
        id = self.add_joint(JointKind.ROLLING, self._body("rolling", "a", a), self._body("rolling", "b", b), *frames)
        self.set_joint_radius(id, checked)
        made: Joint = Joint(self, id)
        return self._named(made, name)

    def point(
        self,
        position: ArrayLike,
        *,
        body: int | str | None = None,
        mass: float = 0.0,
        volume: float = 0.0,
        fixed: bool | None = None,
        name: str | None = None,
    ) -> Point:
        """Adds a point: on a body, fixed, or free with a mass.

        Args:
            position: shape (3,): in I, or on a body in its axes.
            body: the body on which it is; None: on none.
            mass: of a free point.
            volume: of a free point.
            fixed: True for a fixed point; None: fixed if it has no mass and is on no body.
            name: the name; None: point0, point1, ...

        Errors: TypeError, ValueError that name the argument; those of add_point.
        """
        self._alive("point")
        place = vector_of("point", "position", position, 3)
        on = GROUND if body is None else self._body("point", "body", body)
        self._check_name("point", "point", name)
        id = self.add_point(number_of("point", "mass", mass), number_of("point", "volume", volume), place)
        if on != GROUND:
            self.attach_point(id, on, place)
        elif fixed or (fixed is None and mass == 0):
            self.fix_point(id)
        made: Point = Point(self, id)
        return self._named(made, name)

    def line_type(
        self,
        diameter: float,
        mass_per_length: float,
        ea: float,
        *,
        ba: float = CRITICAL,
        ei: float = 0.0,
        cdn: float = 0.0,
        can: float = 0.0,
        cdt: float = 0.0,
        cat: float = 0.0,
        name: str | None = None,
    ) -> int:
        """Adds a type of lines (add_line_type) and returns its id.

        Args:
            diameter: volume-equivalent.
            mass_per_length: in air.
            ea: axial stiffness.
            ba: axial damping; below 0: minus the part of a segment's critical damping.
            ei: bending stiffness.
            cdn: transverse drag.
            can: transverse added mass.
            cdt: axial drag.
            cat: axial added mass.
            name: the name.
        """
        self._alive("line_type")
        self._check_name("line_type", "line_type", name)
        given = {"diameter": diameter, "mass_per_length": mass_per_length, "ea": ea, "ba": ba, "ei": ei}
        given.update(cdn=cdn, can=can, cdt=cdt, cat=cat)
        id = self.add_line_type(*(number_of("line_type", key, value) for key, value in given.items()))
        if name is not None:
            self.set_name("line_type", id, name)
        return id

    def line(self, type: int, a: Any, b: Any, length: float, segments: int = 20, *, name: str | None = None) -> Line:
        """Adds a mooring line between two ends.

        Args:
            type: of line_type.
            a: end A: a point; a place in I, shape (3,), where a fixed point is added; or (body, place), where a point is added
                at a place in the axes of the body.
            b: end B, as end A.
            length: unstretched.
            segments: how many.
            name: the name; None: line0, line1, ...

        Errors: TypeError, ValueError that name the argument; those of add_line.
        """
        self._alive("line")
        self._check_name("line", "line", name)
        self.get_name("line_type", integer_of("line", "type", type))
        if number_of("line", "length", length) <= 0.0 or integer_of("line", "segments", segments) < 1:
            raise ValueError(f"line: length is {length}, segments is {segments}, not above 0")
        ends = [self._end("line", key, end) for key, end in (("a", a), ("b", b))]
        points = [end if isinstance(end, int) else self.point(end[1], body=end[0]) for end in ends]
        made: Line = Line(self, self.add_line(type, points[0], points[1], length, segments))
        return self._named(made, name)

    def spring(
        self,
        a: Any,
        b: Any,
        stiffness: float,
        damping: float = 0.0,
        *,
        rest_length: float,
        tension_only: bool = False,
        name: str | None = None,
    ) -> Spring:
        """Adds a spring with a damper between two points, or between two places (add_spring).

        Args:
            a: a point; a place in I, shape (3,); or (body, place) in the axes of the body. Both ends are points, or both places.
            b: as a.
            stiffness: force / length.
            damping: force / velocity.
            rest_length: length without force.
            tension_only: True if it only pulls.
            name: the name; None: spring0, spring1, ...

        Errors: TypeError, ValueError that name the argument; those of add_spring.
        """
        self._alive("spring")
        self._check_name("spring", "spring", name)
        ends = [self._end("spring", key, end) for key, end in (("a", a), ("b", b))]
        points = [end for end in ends if isinstance(end, int)]
        given = {"stiffness": stiffness, "damping": damping, "rest_length": rest_length}
        for key, value in given.items():
            number_of("spring", key, value)
        if len(points) == 1:
            raise TypeError("spring: a and b must be two points or two places")
        if points:
            id = self.add_point_spring(points[0], points[1], stiffness, damping, rest_length, bool(tension_only))
        else:
            (body_a, place_a), (body_b, place_b) = ends
            id = self.add_spring(body_a, place_a, body_b, place_b, stiffness, damping, rest_length, bool(tension_only))
        made: Spring = Spring(self, id)
        return self._named(made, name)

    def tendon(
        self,
        through: Sequence[Any],
        stiffness_ea: float,
        damping: float = 0.0,
        *,
        rest_length: float,
        sheaves: Mapping[int, tuple[float, ArrayLike, float]] | None = None,
        friction: Mapping[int, float] | None = None,
        name: str | None = None,
    ) -> Tendon:
        """Adds a rope with one tension through two to eight eyes or over sheaves (add_tendon, set_tendon_sheave).

        Args:
            through: the eyes in the order of the rope: a place in I, shape (3,); or (body, place) in the axes of the body.
            stiffness_ea: force per strain.
            damping: force / velocity.
            rest_length: unstretched length.
            sheaves: for eyes that are no ends, by their index, (radius, axis, wrap): the axis in the axes of the body, about which
                the rope runs right-handed; the angle of the wrap is the one within half a turn of the given one (rad).
            friction: coefficients of friction of eyes and sheaves that are no ends, by their index; not with a damper.
            name: the name; None: tendon0, tendon1, ...

        Errors: TypeError, ValueError that name the argument; those of add_tendon, set_tendon_sheave and set_tendon_friction.
        """
        self._alive("tendon")
        self._check_name("tendon", "tendon", name)
        ends = [self._end("tendon", f"through[{k}]", end) for k, end in enumerate(through)]
        for k, end in enumerate(ends):
            if isinstance(end, int):
                raise TypeError(f"tendon: through[{k}] is a point: tendons run through places on bodies")
        if not 2 <= len(ends) <= MOST_EYES:
            raise ValueError(f"tendon: through has {len(ends)} eyes, not 2 to {MOST_EYES}")
        for key, value in {"stiffness_ea": stiffness_ea, "damping": damping, "rest_length": rest_length}.items():
            number_of("tendon", key, value)
        checked = []
        for k, sheave in (sheaves or {}).items():
            if not 0 < integer_of("tendon", "sheaves", k) < len(ends) - 1:
                raise ValueError(f"tendon: sheaves has {k}, not 1 to {len(ends) - 2}")
            if not isinstance(sheave, Sequence) or len(sheave) != 3:
                raise TypeError(f"tendon: sheaves[{k}] must be (radius, axis, wrap)")
            radius, wrap = (number_of("tendon", f"sheaves[{k}]", value) for value in (sheave[0], sheave[2]))
            axis = vector_of("tendon", f"sheaves[{k}]", sheave[1], 3)
            if radius <= 0.0 or wrap < 0.0 or not axis.any():
                raise ValueError(f"tendon: sheaves[{k}] has radius {radius}, axis {axis.tolist()}, wrap {wrap}")
            checked.append((k, radius, axis, wrap))
        rubs = dict(friction or {})
        for k, value in rubs.items():
            if not 0 < integer_of("tendon", "friction", k) < len(ends) - 1:
                raise ValueError(f"tendon: friction has {k}, not 1 to {len(ends) - 2}")
            if number_of("tendon", f"friction[{k}]", value) < 0.0:
                raise ValueError(f"tendon: friction[{k}] is {value}, not 0 or above")
        if damping > 0.0 and any(value > 0.0 for value in rubs.values()):
            raise ValueError(f"tendon: friction goes without damping, which is {damping}")
        id = self.add_tendon([body for body, _ in ends], [place for _, place in ends], stiffness_ea, damping, rest_length)
        made: Tendon = Tendon(self, id)
        for k, radius, axis, wrap in checked:
            self.set_tendon_sheave(id, k, radius, axis, wrap)
        for k, value in rubs.items():
            self.set_tendon_friction(id, k, value)
        return self._named(made, name)

    def bodies(self) -> tuple[Body, ...]:
        """All bodies, in the order of their ids."""
        self._alive("bodies")
        return tuple(Body(self, id) for id in range(self.count("body")))

    def joints(self) -> tuple[Joint, ...]:
        """All joints, in the order of their ids."""
        self._alive("joints")
        return tuple(Joint(self, id) for id in range(self.count("joint")))

    def lines(self) -> tuple[Line, ...]:
        """All lines, in the order of their ids."""
        self._alive("lines")
        return tuple(Line(self, id) for id in range(self.count("line")))

    def _joint(
        self, function: str, kind: int, a: int | str, b: int | str, point: ArrayLike, axis: ArrayLike | None, name: str | None
    ) -> Joint:
        origin = vector_of(function, "point", point, 3)
        along = None if axis is None else vector_of(function, "axis", axis, 3)
        self._check_name(function, "joint", name)
        id = self.add_joint_at(kind, self._body(function, "a", a), self._body(function, "b", b), origin, along)
        made: Joint = Joint(self, id)
        return self._named(made, name)

    # Checks

    def _body(self, function: str, argument: str, body: int | str) -> int:
        """The id of a body: an object, an id, a name, or "ground"."""
        if isinstance(body, str):
            return GROUND if body == "ground" else self.find("body", body)
        try:
            id = index(body)
        except TypeError:
            raise TypeError(f"{function}: {argument} must be a body, its name or 'ground', not {type(body).__name__}") from None
        if id != GROUND:
            self.get_name("body", id)
        return id

    def _end(self, function: str, argument: str, end: Any) -> Any:
        """An end of a line or a spring, or an eye: a point, or a body and a place on it."""
        if isinstance(end, Body):
            raise TypeError(f"{function}: {argument} is a body: say where, as (body, place)")
        try:
            point = index(end)
        except TypeError:
            pass
        else:
            self.get_name("point", point)
            return point
        if isinstance(end, Sequence) and len(end) == 2:
            return self._body(function, argument, end[0]), vector_of(function, argument, end[1], 3)
        return GROUND, vector_of(function, argument, end, 3)

    def _check_name(self, function: str, kind: str, name: str | None) -> None:
        """Raises before anything is added if a name cannot be given."""
        if name is None:
            return
        if not isinstance(name, str):
            raise TypeError(f"{function}: name must be text, not {type(name).__name__}")
        if not 0 < len(name.encode(errors="replace")) <= LONGEST or "\0" in name:
            raise ValueError(f"{function}: name has {len(name)} letters, or a NUL: 1 to {LONGEST} bytes are possible")
        try:
            self.find(kind, name)
        except PintleError:
            return
        raise ValueError(f"{function}: the name {name!r} is taken")

    def _named(self, made: Any, name: str | None) -> Any:
        if name is not None:
            made.name = name
        return made

    if TYPE_CHECKING:
        # Of System.
        def add_shape(self, body: int, kind: str, *, name: str | None = None, colour: str | None = None, **keys: Any) -> int: ...


def _kind(kind: str | int) -> int:
    if not isinstance(kind, str):
        return kind
    try:
        return JointKind[kind.upper()]
    except KeyError:
        names = ", ".join(one.name.lower() for one in JointKind)
        raise ValueError(f"joint: kind is {kind!r}, not one of {names}") from None


def _inertia(inertia: ArrayLike | None) -> Array:
    array = numbers(inertia, "body", "inertia")  # type: ignore[arg-type]
    if array.shape == (3,):
        return np.concatenate([array, np.zeros(3)])
    if array.shape == (3, 3):
        if not np.allclose(array, array.T, rtol=1e-9, atol=0):
            raise ValueError("body: inertia is not symmetric")
        return array[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    if array.shape == (6,):
        return array
    raise ValueError(f"body: inertia has shape {array.shape}, not (3,), (6,) or (3, 3)")


def _orientation(
    quat: ArrayLike | None, euler_deg: ArrayLike | None, axis: ArrayLike | None, angle_deg: float | None
) -> Array:
    """The quaternion of an orientation that is given in one way."""
    if sum(way is not None for way in (quat, euler_deg, axis)) > 1:
        raise ValueError("body: give one of quat, euler_deg, and axis with angle_deg")
    if angle_deg is not None and axis is None:
        raise ValueError("body: axis and angle_deg belong together")
    if quat is not None:
        q = vector_of("body", "quat", quat, 4)
        norm = float(np.linalg.norm(q))
        if abs(norm - 1) > 1e-2:
            raise ValueError(f"body: quat has the norm {norm:g}, not 1")
        return q / norm
    if euler_deg is not None:
        return quat_from_euler_zyx(np.radians(vector_of("body", "euler_deg", euler_deg, 3)))
    if axis is not None:
        if angle_deg is None:
            raise ValueError("body: axis and angle_deg belong together")
        direction, angle = vector_of("body", "axis", axis, 3), number_of("body", "angle_deg", angle_deg)
        length = float(np.linalg.norm(direction))
        if length == 0:
            raise ValueError("body: axis has the length 0")
        return quat_from_rotvec(direction / length * np.radians(angle))
    return np.array([1.0, 0.0, 0.0, 0.0])
