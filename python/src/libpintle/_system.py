"""System: life cycle, callbacks, states, tables, channels, runs: the methods that do more than convert arguments. The others
are generated, in `_calls`."""

from __future__ import annotations

from html import escape
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Sequence

from numpy import asarray, empty

from . import _callbacks
from ._arguments import encoded, ids, numbers, out_array, rows, same_length, wrong
from ._builder import Builder
from ._entities import integer_of
from ._errors import error_message, failure
from ._library import DOUBLES, INT, NULL, ffi, from_buffer, lib, new
from ._results import Table, WaterMotion, Waves
from ._run import Run, run
from ._shapes import arguments, read_stl
from ._state import _BYTES, State

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import ArrayLike

    from ._arguments import Array
    from ._callbacks import CoupledLoadFunction, FluidFunction, LoadFunction, ProgressFunction

_CELL = ffi.typeof("pintle_system **")
_destroy = lib.pintle_destroy


class System(Builder):
    """A multibody system: model, settings, accepted and trial state.

    Describe it, initialize it, and then repeat: set inputs, step (or advance, then accept or reject), get outputs. As a context
    manager it is closed at the end of the block. copy.copy, copy.deepcopy and clone make independent copies. A system may be
    used by one thread at a time; different systems may step in different threads at the same time, because a step releases
    Python's global interpreter lock.
    """

    __slots__ = ("_cell", "_handle", "_held", "_channels", "_segments", "_folder", "__weakref__")

    def __init__(self) -> None:
        """An empty one, in phase BUILDING.

        Errors: OUT_OF_MEMORY.
        """
        cell = new(_CELL)
        status = lib.pintle_create(cell)
        if status:
            raise failure(status, NULL)
        self._take(cell)

    def _take(self, cell: Any) -> None:
        self._cell = cell
        self._handle = cell[0]
        # References to the Python functions that the library may call, to keep them alive as long as the system.
        self._held: dict[object, Any] = {}
        self._channels: tuple[str, ...] | None = None
        self._segments: dict[int, int] = {}
        # To which the STL files of shapes are relative: that of the model file.
        self._folder = Path()

    @classmethod
    def _from(cls, cell: Any) -> System:
        system = cls.__new__(cls)
        system._take(cell)
        return system

    # Life cycle

    @classmethod
    def load_model(cls, path: str | PathLike[str]) -> System:
        """A system from a model file (TOML; docs/hosts.md lists the keys), in phase BUILDING.

        Errors: IO, FORMAT, and for values that a function refuses, its status: BAD_ID, BAD_VALUE, NOT_FINITE. The message
        names file, line and key. STL files that its shapes name are read when a page is made of a run.
        """
        system = cls._load("load_model", lib.pintle_load_model, path)
        system._folder = Path(path).absolute().parent
        return system

    @classmethod
    def load_moordyn(cls, path: str | PathLike[str]) -> System:
        """A system from an input file of MoorDyn, version 1 or 2 (docs/mooring.md), in phase BUILDING: call initialize, then
        solve_equilibrium. get_warning lists what in the file has no meaning here.

        Tables that it names are files in its folder or in folders there.

        Errors: IO, FORMAT, UNSUPPORTED, BAD_SIZE, BAD_VALUE, OUT_OF_MEMORY. The message names file, line and word.
        """
        return cls._load("load_moordyn", lib.pintle_load_moordyn, path)

    @classmethod
    def load_trusted_moordyn(cls, path: str | PathLike[str]) -> System:
        """As load_moordyn, for a file that the program trusts: the paths of its tables may be absolute and have `..`."""
        return cls._load("load_trusted_moordyn", lib.pintle_load_trusted_moordyn, path)

    @classmethod
    def _load(cls, function: str, call: Any, path: object) -> System:
        name, cell = encoded(path, function, "path"), new(_CELL)
        status = call(name, cell)
        if status:
            raise failure(status, NULL)
        return cls._from(cell)

    def clone(self) -> System:
        """A copy, independent of the original: model, settings, accepted and trial state, inputs, statistics. Both call the
        same Python functions.

        Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, OUT_OF_MEMORY.
        """
        cell = new(_CELL)
        status = lib.pintle_clone(self._alive("clone"), cell)
        if status:
            raise failure(status, self._handle)
        system = type(self)._from(cell)
        system._held = dict(self._held)
        system._channels = self._channels
        system._segments = dict(self._segments)
        system._folder = self._folder
        return system

    def __copy__(self) -> System:
        return self.clone()

    def __deepcopy__(self, memo: object) -> System:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a System cannot be pickled: save_model writes the model, bytes(system.state_save()) the state")

    def close(self) -> None:
        """Frees it; every later call raises ValueError. A second time does nothing.

        Errors: BAD_PHASE (inside a call on this system, such as in a load callback).
        """
        status = _destroy(self._cell)
        if status:
            raise failure(status, self._handle)
        self._handle = None
        self._held = {}

    @property
    def closed(self) -> bool:
        """Whether close was called."""
        return self._handle is None

    def __del__(self) -> None:
        cell = getattr(self, "_cell", None)
        if cell is not None:
            _destroy(cell)

    def __enter__(self) -> System:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<libpintle.System, closed>"
        try:
            return f"<libpintle.System, {self.count('body')} bodies, {self.phase().name}>"
        except Exception:  # in use, or failed
            return "<libpintle.System>"

    def _repr_html_(self) -> str:
        """In a notebook: what the model has."""
        if self._handle is None:
            return "<p>libpintle.System, closed</p>"
        kinds = ("body", "joint", "point", "line", "spring", "bushing", "cylinder", "marker", "gear")
        rows = []
        for kind in kinds:
            names = [escape(self.get_name(kind, id)) for id in range(min(self.count(kind), 20))]
            if names:
                more = ", ..." if self.count(kind) > len(names) else ""
                rows.append(f"<tr><td>{kind}<td>{self.count(kind)}<td>{', '.join(names)}{more}")
        return f"<p>libpintle.System, {self.phase().name}</p><table>{''.join(rows)}</table>"

    def error_message(self) -> str:
        """The message of the last failed call on this system. Empty if none failed yet."""
        return error_message(self._alive("error_message"))

    # Callbacks

    def set_load_callback(self, body: int, function: LoadFunction | None) -> None:
        """Sets the function that gives the load on a body inside the iteration, at the trial motion; None removes it.

        It is called with (time, body, pose, velocity, acceleration), in I, several times per step, and returns the wrench
        (6 numbers: force, moment about the reference point, in I), or a tuple (wrench, stiffness, damping) with
        -d wrench / d(displacement, rotation vector) and -d wrench / d velocity, of shape (6, 6), each of which may be None, or
        None for no load. Within a step it must be a function of its arguments. It must not call its own system.

        An exception that it raises is raised by the call that needed the load, and the system is unchanged.

        Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID.
        """
        name = "set_load_callback"
        try:
            set_it, body = lib.pintle_set_load_callback, index(body)
            self._hold(name, ("load", body), function, _callbacks.load, lambda fn, user: set_it(self._handle, body, fn, user))
        except (TypeError, OverflowError) as error:
            raise wrong(error, name, self._handle, ("body", body, int)) from None

    def set_coupled_load_callback(self, bodies: Sequence[int], function: CoupledLoadFunction | None) -> int:
        """Sets the function that gives the loads on a set of bodies inside the iteration; None removes it.

        It is called with (time, bodies, poses, velocities, accelerations), of shapes (n, 7), (n, 6), (n, 6), in I, and returns
        wrenches of shape (n, 6), as an array or a list, or a tuple (wrenches, stiffness, damping, mass) with
        -d wrenches / d(displacements, rotation vectors), / d velocities and / d accelerations, of shape (6 n, 6 n), each of
        which may be None or be left out at the end, or None for no loads. What set_load_callback says holds here too.

        Returns:
            the id of the callback: a set of bodies has one callback, whose id stays the same when its function is replaced.

        Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, BAD_VALUE (a body twice; nothing to remove).
        """
        name = "set_coupled_load_callback"
        self._alive(name)
        array, callback = ids(bodies, name, "bodies"), new(INT)
        set_it, n = lib.pintle_set_coupled_load_callback, len(array)
        key = ("coupled", frozenset(array))
        self._hold(
            name, key, function, _callbacks.coupled_load, lambda fn, user: set_it(self._handle, n, array, fn, user, callback)
        )
        return int(callback[0])

    def set_fluid_callback(self, function: FluidFunction | None, implicit: bool = False) -> None:
        """Sets the function that gives the motion of the water at all nodes of lines and at all points; None removes it.

        It is called with (time, positions), positions of shape (n, 3), in I: nodes of line 0 from end A to end B, of line 1,
        and so on, then points. It returns (velocities, accelerations, elevations), of shapes (n, 3), (n, 3), (n,), each of
        which may be None, or None for still water. The steady current is added.

        Args:
            function: the function.
            implicit: True calls it in every iteration of a step, False once per step at the predicted positions.

        Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE.
        """
        set_it, flag = lib.pintle_set_fluid_callback, 1 if implicit else 0
        self._hold(
            "set_fluid_callback", "fluid", function, _callbacks.fluid, lambda fn, user: set_it(self._handle, fn, user, flag)
        )

    def set_progress_callback(self, function: ProgressFunction | None) -> None:
        """Sets the function that long calls call from time to time, and that may stop them; None removes it.

        It is called with (time, fraction): the fraction of the call that is done, from 0 to 1, or 0 where it is not known. If
        it returns False, the call raises PintleError with STOPPED; if it raises an exception, the call raises that. Either
        way the system is unchanged. It must not call its own system.

        Phases: all.
        """
        set_it = lib.pintle_set_progress_callback
        self._hold(
            "set_progress_callback", "progress", function, _callbacks.progress, lambda fn, user: set_it(self._handle, fn, user)
        )

    def _hold(self, name: str, key: object, function: object, entry: Any, call: Callable[[Any, Any], int]) -> None:
        self._alive(name)
        if function is not None and not callable(function):
            raise TypeError(f"{name}: function must be callable or None, not {type(function).__name__}")
        handle = NULL if function is None else ffi.new_handle(function)
        status = call(NULL if function is None else entry, handle)
        if status:
            raise failure(status, self._handle)
        if function is None:
            self._held.pop(key, None)
        else:
            self._held[key] = handle

    # States

    def state_save(self, state: State | None = None) -> State:
        """Saves the accepted state, and a pending trial, with everything that a step depends on. A system of the same model
        that is restored from it continues bit for bit as this one does.

        Args:
            state: a State to overwrite, without allocation if it came from the same model; None makes a new one.

        Phases: READY, TRIAL. Errors: BAD_PHASE, OUT_OF_MEMORY.
        """
        handle = self._alive("state_save")
        state = State() if state is None else _state(state, "state_save")
        status = lib.pintle_state_save(handle, state._cell)
        if status:
            raise failure(status, handle)
        return state

    def state_restore(self, state: State) -> None:
        """Replaces the present state by a saved one, and the phase by that in which it was saved. A pending trial is dropped.

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, FINGERPRINT (another model).
        """
        handle = self._alive("state_restore")
        status = lib.pintle_state_restore(handle, _state(state, "state_restore")._handle("state_restore"))
        if status:
            raise failure(status, handle)

    def state_deserialize(self, data: bytes | bytearray | memoryview) -> State:
        """Reads a state from what State.serialize wrote, for state_restore.

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, FORMAT (not a state, or damaged), FINGERPRINT (another model),
        OUT_OF_MEMORY.
        """
        handle, state = self._alive("state_deserialize"), State()
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"state_deserialize: data must be bytes, not {type(data).__name__}")
        given = bytes(data)
        status = lib.pintle_state_deserialize(handle, len(given), from_buffer(_BYTES, given), state._cell)
        if status:
            raise failure(status, handle)
        return state

    # Tables

    def get_spring_table(self, spring: int) -> Table:
        """Lengths and tensions of a spring, as given to set_spring_table.

        Phases: all. Errors: BAD_ID.
        """
        return self._table("get_spring_table", lib.pintle_get_spring_table, 1, (("spring", spring),))

    def get_bushing_table(self, bushing: int, axis: int) -> Table:
        """Deflections and forces of a bushing on one component of its deflection, as given to set_bushing_table.

        Phases: all. Errors: BAD_ID, BAD_VALUE (axis).
        """
        return self._table("get_bushing_table", lib.pintle_get_bushing_table, 1, (("bushing", bushing), ("axis", axis)))

    def get_line_type_table(self, type: int, what: str) -> Table:
        """A table of a type of lines, "ea" or "ba", as given to set_line_type_table.

        Phases: all. Errors: BAD_ID, BAD_VALUE (what).
        """
        name = encoded(what, "get_line_type_table", "what")
        return self._table("get_line_type_table", lib.pintle_get_line_type_table, 1, (("type", type),), name)

    def get_current(self) -> Table:
        """The steady current: depths, and velocities there of shape (n, 3).

        Phases: all.
        """
        return self._table("get_current", lib.pintle_get_current, 3)

    def get_seabed_grid(self) -> Array:
        """The nodes of the grid of the seabed, shape (n, 3): x, y and depth below z = 0, in I; empty without a grid.

        Phases: all.
        """
        return self._rows(lib.pintle_get_seabed_grid, 3)

    def get_current_grid(self) -> Array:
        """The nodes of the grid of currents, shape (n, 7): x, y, depth below z = 0, time and velocity, in I; empty
        without a grid.

        Phases: all.
        """
        return self._rows(lib.pintle_get_current_grid, 7)

    def _rows(self, function: Callable[..., int], width: int) -> Array:
        n = new(INT)
        status = function(self._handle, 0, NULL, n)
        points = empty((n[0], width))
        if not status and n[0]:
            status = function(self._handle, n[0], from_buffer(DOUBLES, points), n)
        if status:
            raise failure(status, self._handle)
        return points

    def get_waves(self) -> Waves:
        """The components of the waves, one number of each for every component; empty without waves.

        Phases: all.
        """
        n = new(INT)
        status = lib.pintle_get_waves(self._handle, 0, NULL, NULL, NULL, NULL, n)
        waves = Waves(*(empty(n[0]) for _ in range(4)))
        if not status and n[0]:
            status = lib.pintle_get_waves(self._handle, n[0], *(from_buffer(DOUBLES, one) for one in waves), n)
        if status:
            raise failure(status, self._handle)
        return waves

    def get_water_motion(self, positions: ArrayLike) -> WaterMotion:
        """The motion of the water at positions of shape (n, 3), in I, and the present time.

        Steady current and waves, without what a fluid callback adds. Above the surface the motion is
        that of the surface.

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, NOT_FINITE, OUT_OF_MEMORY.
        """
        places = rows(positions, 3, "get_water_motion", "positions")
        n = len(places) // 3
        motion = WaterMotion(empty((n, 3)), empty((n, 3)), empty(n))
        status = lib.pintle_get_water_motion(self._handle, n, places, *(from_buffer(DOUBLES, one) for one in motion))
        if status:
            raise failure(status, self._handle)
        return motion

    def _table(
        self, function: str, call: Any, width: int, integers: tuple[tuple[str, int], ...] = (), *what: bytes
    ) -> Table:
        try:
            n = new(INT)
            which = (*(index(value) for _, value in integers), *what)
            status = call(self._handle, *which, 0, NULL, NULL, n)
            if status:
                raise failure(status, self._handle)
            cap = n[0]
            x, y = empty(cap), empty((cap, 3) if width == 3 else cap)
            if cap:
                status = call(self._handle, *which, cap, from_buffer(DOUBLES, x), from_buffer(DOUBLES, y), n)
                if status:
                    raise failure(status, self._handle)
        except (TypeError, OverflowError) as error:
            raise wrong(error, function, self._handle, *((*named, int) for named in integers)) from None
        return Table(x, y)

    # Looks

    def add_shape(self, body: int, kind: str, *, name: str | None = None, colour: str | None = None, **keys: Any) -> int:
        """Adds a shape to a body: how it looks on pages (docs/view.md), without mass and forces. save_model writes it. Returns
        the id.

        Args:
            body: the body, or GROUND.
            kind: "box" with size (3) and frame (7); "cylinder" or "capsule" with end_a (3), end_b (3) and diameter; "sphere" with
                position (3) and diameter; "stl" with file, scale and frame (7). Places are in the axes of the body; file is
                relative to the folder of the model file.
            name: what is shown under the mouse; None takes the name of the body.
            colour: as "#e0a526"; None takes the colour of the body.
            keys: the keys of the kind.

        Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE; ValueError and TypeError that name the key.
        """
        values, file = arguments("add_shape", kind, keys)
        self._alive("add_shape")
        if file:
            read_stl("add_shape", self._folder / file)
        texts = (encoded(text, "add_shape", key) for key, text in (("file", file), ("name", name or ""), ("colour", colour or "")))
        body, shape = integer_of("add_shape", "body", body), new(INT)
        status = lib.pintle_add_shape(
            self._handle, body, kind.encode(), len(values), from_buffer(DOUBLES, asarray(values)), *texts, shape
        )
        if status:
            raise failure(status, self._handle)
        made: int = shape[0]
        return made

    # Nodes of lines

    def get_line_positions(self, line: int, out: Array | None = None) -> Array:
        """The positions of the nodes of a line, from end A to end B, in I, of shape (segments + 1, 3).

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a double).
        """
        return self._of_line("get_line_positions", lib.pintle_get_line_positions, line, out)

    def get_line_velocities(self, line: int, out: Array | None = None) -> Array:
        """The velocities of the nodes of a line, as get_line_positions."""
        return self._of_line("get_line_velocities", lib.pintle_get_line_velocities, line, out)

    def get_line_accelerations(self, line: int, out: Array | None = None) -> Array:
        """The accelerations of the nodes of a line, as get_line_positions."""
        return self._of_line("get_line_accelerations", lib.pintle_get_line_accelerations, line, out)

    def get_line_tensions(self, line: int, out: Array | None = None) -> Array:
        """The tensions of the segments of a line, from end A to end B: elastic and damping force, positive where a segment
        pulls, of shape (segments,).

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a double).
        """
        return self._of_line("get_line_tensions", lib.pintle_get_line_tensions, line, out, (0,))

    def set_line_coordinates(self, line: int, positions: ArrayLike, velocities: ArrayLike) -> None:
        """Moves the nodes of a line at constant time, but for the ends that are tied, as to where another program left them; the
        next step starts anew.

        Args:
            line: id.
            positions: of its nodes from end A to end B, in I, of shape (segments + 1, 3).
            velocities: of the same.

        Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE, NOT_FINITE, SINGULAR, CALLBACK, NO_CONVERGENCE, UNSTABLE, STOPPED.
        """
        function = "set_line_coordinates"
        try:
            line = index(line)
        except TypeError as error:
            raise wrong(error, function, self._handle, ("line", line, int)) from None
        self._alive(function)
        x, v = rows(positions, 3, function, "positions"), rows(velocities, 3, function, "velocities")
        same_length(function, ("positions", len(x) // 3), ("velocities", len(v) // 3))
        status = lib.pintle_set_line_coordinates(self._handle, line, len(x) // 3, x, v)
        if status:
            raise failure(status, self._handle)

    def set_line_pressure(self, line: int, pressure: ArrayLike) -> None:
        """Sets the internal pressure of a line: a number, or one for each node from end A to end B. It pushes each segment apart
        with pressure times area; the mass per length must contain the contents (docs/mooring.md).

        Phases: BUILDING; READY for a line that was given one in BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_SIZE, NOT_FINITE,
        BAD_VALUE (a line that was given none in BUILDING).
        """
        try:
            line = index(line)
        except TypeError as error:
            raise wrong(error, "set_line_pressure", self._handle, ("line", line, int)) from None
        self._alive("set_line_pressure")
        values = numbers(pressure, "set_line_pressure", "pressure").reshape(-1)
        status = lib.pintle_set_line_pressure(self._handle, line, values.size, from_buffer(DOUBLES, values))
        if status:
            raise failure(status, self._handle)

    def get_line_pressure(self, line: int, out: Array | None = None) -> Array:
        """The internal pressure at the nodes of a line, from end A to end B, of shape (segments + 1,); zeros for one without.

        Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
        """
        return self._of_line("get_line_pressure", lib.pintle_get_line_pressure, line, out, (1,))

    def get_line_slow_strains(self, line: int, out: Array | None = None) -> Array:
        """The slow strains of a viscoelastic line, from end A to end B, of shape (segments,); zeros of other lines.

        Args:
            line: id.

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID.
        """
        return self._of_line("get_line_slow_strains", lib.pintle_get_line_slow_strains, line, out, (0,))

    def set_line_largest_tensions(self, line: int, tensions: ArrayLike) -> None:
        """Sets the largest mean tensions that the segments of a line with the Syrope model have had: a number, or one for each
        segment from end A to end B (docs/mooring.md).

        Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE, NOT_FINITE, BAD_VALUE (negative; another line).
        """
        try:
            line = index(line)
        except TypeError as error:
            raise wrong(error, "set_line_largest_tensions", self._handle, ("line", line, int)) from None
        self._alive("set_line_largest_tensions")
        values = numbers(tensions, "set_line_largest_tensions", "tensions").reshape(-1)
        status = lib.pintle_set_line_largest_tensions(self._handle, line, values.size, from_buffer(DOUBLES, values))
        if status:
            raise failure(status, self._handle)

    def get_line_largest_tensions(self, line: int, out: Array | None = None) -> Array:
        """The largest mean tensions that the segments of a line have had, from end A to end B, of shape (segments,); zeros of a
        line without the Syrope model.

        Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
        """
        return self._of_line("get_line_largest_tensions", lib.pintle_get_line_largest_tensions, line, out, (0,))

    def get_line_node_loads(self, line: int, what: str, out: Array | None = None) -> Array:
        """The forces of one cause on the nodes of a line, from end A to end B, in I, of shape (segments + 1, 3), without
        inertia.

        Args:
            line: id.
            what: "tension", "bending", "pressure", "weight", "buoyancy", "drag", "froude_krylov", "seabed", or "net", their sum.

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (what), UNSTABLE (numbers too large for a double).
        """
        cause = encoded(what, "get_line_node_loads", "what")

        def call(handle: Any, line: int, n: int, numbers: Any) -> int:
            return lib.pintle_get_line_node_loads(handle, line, cause, n, numbers)

        return self._of_line("get_line_node_loads", call, line, out)

    def _of_line(self, function: str, call: Any, line: int, out: Array | None, more: tuple[int, ...] = (1, 3)) -> Array:
        # more: how many more rows than segments there are, and numbers of each.
        try:
            line = index(line)
        except TypeError as error:
            raise wrong(error, function, self._handle, ("line", line, int)) from None
        self._alive(function)
        segments = self._segments.get(line)
        if segments is None:
            segments = self._segments[line] = self.get_line_info(line).segments
        shape = (segments + more[0], *more[1:])
        array = empty(shape) if out is None else out_array(out, shape, function)
        status = call(self._handle, line, shape[0], from_buffer(DOUBLES, array))
        if status:
            raise failure(status, self._handle)
        return array

    # Channels

    def channel_names(self) -> tuple[str, ...]:
        """The names of all channels: outputs by name, which are fixed from initialize on (docs/channels.md).

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE.
        """
        self._alive("channel_names")
        if self._channels is None:
            self._channels = tuple(self.channel_name(i) for i in range(self.channel_count()))
        return self._channels

    def channel_units(self) -> dict[str, str]:
        """The unit of each channel: "m", "rad", "N m"; "-" for a number."""
        self._alive("channel_units")
        return {name: self.channel_unit(i) for i, name in enumerate(self.channel_names())}

    def get_channels(self, out: Array | None = None) -> Array:
        """The values of all channels, in the order of channel_names.

        Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, UNSTABLE (numbers too large for a double), OUT_OF_MEMORY.
        """
        handle = self._alive("get_channels")
        n = len(self.channel_names())
        values = empty(n) if out is None else out_array(out, (n,), "get_channels")
        status = lib.pintle_get_channels(handle, n, from_buffer(DOUBLES, values))
        if status:
            raise failure(status, handle)
        return values

    def channels(self) -> dict[str, float]:
        """The values of all channels by name."""
        self._alive("channels")
        values = self.get_channels()
        return dict(zip(self.channel_names(), values.tolist()))

    # Runs

    def run(
        self,
        end: float,
        dt: float,
        *,
        channels: str | Sequence[str] | None = None,
        every: int = 1,
        inputs: Callable[[System, float], None] | None = None,
        progress: bool | None = None,
        frames: int = 2000,
    ) -> Run:
        """Steps to a time and records channels at the start and after steps. A system that is still in phase BUILDING is initialized
        at time 0 before.

        Args:
            end: time at which the run ends; the last step is shortened to end there.
            dt: time step.
            channels: those to record, by name or pattern (* any letters, ? one), as a list or with commas between them; None
                records all.
            every: number of steps between records; the end is always recorded.
            inputs: called before each step with the system and the time at its end, to set loads and motions.
            progress: True shows a progress bar (of tqdm, if installed), None shows one only on a terminal and with tqdm.
            frames: largest number of rows whose states are kept for Run.to_html; with more rows every second, fourth, ... is
                kept. 0 keeps none, for runs of a step or two.

        If a step fails, the exception has the rows recorded so far as its attribute `run`.
        """
        self._alive("run")
        return run(self, end, dt, channels=channels, every=every, inputs=inputs, progress=progress, frames=frames)


def _state(state: object, function: str) -> State:
    if not isinstance(state, State):
        raise TypeError(f"{function}: state must be a State, not {type(state).__name__}")
    return state
