"""One run of a case of mooring_cases.py in pintle or in MoorDyn, in a process of its own: `mooring_codes.py` reads requests as
lines of JSON and answers each with one, like worker.py."""

import ctypes
import glob
import json
import os
import pathlib
import sys

import mooring_cases as given

answers = os.fdopen(os.dup(1), "w")
LOOPS = ctypes.CDLL(os.environ["MOORING_LOOPS"])
MOTIONS = {}


def doubles(values):
    values = list(values)
    return (ctypes.c_double * len(values))(*values)


def motion(case, dt):
    """The host's motion as numbers for C, made once."""
    if (case.name, dt) not in MOTIONS:
        MOTIONS[case.name, dt] = doubles(case.motion(dt))
    return MOTIONS[case.name, dt]


def address(function):
    return ctypes.cast(function, ctypes.c_void_p)


def input_file(case, scheme, dt):
    """MoorDyn's input."""
    t = case.line_type
    points = [(k, "Coupled", p) for k, p in enumerate(case.fairleads)]
    points += [(k + len(case.fairleads), "Fixed", p) for k, p in enumerate(case.anchors)]
    rows = [f"{k + 1} {kind} {p[0]!r} {p[1]!r} {p[2]!r} 0 0 0 0" for k, kind, p in points]
    n = len(case.fairleads)
    lines = [f"{k + 1} chain {n + k + 1} {k + 1} {case.length!r} {case.segments} -" for k in range(n)]
    options = {"dtM": dt, "tScheme": scheme, "g": given.GRAVITY, "WtrDnsty": given.WATER, "WtrDpth": case.depth}
    options |= {"kBot": given.BED_STIFFNESS, "cBot": case.bed_damping, "FrictionCoefficient": 0.0}
    options |= {"TmaxIC": 400.0, "dtIC": 1.0, "threshIC": 1e-6, "CdScaleIC": 4.0, "ICgenDynamic": 0}
    options |= {"writeLog": 0, "disableOutput": 1, "disableOutTime": 1}
    return "\n".join(
        [
            "MoorDyn input",
            "----- LINE TYPES -----",
            "TypeName Diam Mass/m EA BA EI Cdn Can Cdt Cat",
            "(-) (m) (kg/m) (N) (N-s) (N-m2) (-) (-) (-) (-)",
            f"chain {t.diameter!r} {t.mass!r} {t.ea!r} {t.ba!r} 0 {t.cdn!r} {t.can!r} {t.cdt!r} 0",
            "----- POINTS -----",
            "ID Type X Y Z M V CdA Ca",
            "(-) (-) (m) (m) (m) (kg) (m3) (m2) (-)",
            *rows,
            "----- LINES -----",
            "ID LineType AttachA AttachB UnstrLen NumSegs Outputs",
            "(-) (-) (-) (-) (m) (-) (-)",
            *lines,
            "----- OPTIONS -----",
            *(f"{value!r} {key}" if not isinstance(value, str) else f"{value} {key}" for key, value in options.items()),
            "----- end -----",
            "",
        ]
    )


class MoorDyn:
    """The wheel's library through its C API."""

    def __init__(self):
        self.library = ctypes.CDLL(glob.glob(os.environ["MOORING_MOORDYN"])[0])
        for name in ("MoorDyn_Create", "MoorDyn_GetLine"):
            getattr(self.library, name).restype = ctypes.c_void_p

        self.rest = {}  # states and tensions at rest by case: coming to rest takes MoorDyn longer than the runs

    def create(self, case, scheme, inner):
        path = pathlib.Path(f"moordyn_{os.getpid()}.txt")
        path.write_text(input_file(case, scheme, inner))
        handle = ctypes.c_void_p(self.library.MoorDyn_Create(str(path).encode()))
        self.library.MoorDyn_SetVerbosity(handle, 4096)
        start = doubles(c for place in case.fairleads for c in place)
        return handle, start, doubles([0.0] * len(start))

    def at_rest(self, case):
        """The file with the state at rest, and the tension there."""
        if case.name not in self.rest:
            handle, start, still = self.create(case, "Euler", min(0.004, 0.4 / case.segments))
            path, tension = f"moordyn_{os.getpid()}_{len(self.rest)}.state", ctypes.c_double()
            status = self.library.MoorDyn_Init(handle, start, still)
            line = ctypes.c_void_p(self.library.MoorDyn_GetLine(handle, 1))
            status = status or self.library.MoorDyn_GetLineFairTen(line, ctypes.byref(tension))
            status = status or self.library.MoorDyn_SaveState(handle, path.encode())
            self.library.MoorDyn_Close(handle)
            if status != 0:
                raise RuntimeError(f"MoorDyn does not come to rest: status {status}")
            self.rest[case.name] = path, tension.value
        return self.rest[case.name]

    def run(self, case, dt, scheme, inner):
        path, rest = self.at_rest(case)
        handle, start, still = self.create(case, scheme, inner)
        status = self.library.MoorDyn_Init_NoIC(handle, start, still)
        status = status or self.library.MoorDyn_LoadState(handle, path.encode())
        moves, lines, steps = motion(case, dt), len(case.fairleads), round(case.time / dt)
        tension, cpu = (ctypes.c_double * (lines * steps))(), ctypes.c_double()
        own = (ctypes.c_void_p * lines)(*(self.library.MoorDyn_GetLine(handle, k + 1) for k in range(lines)))
        step, read = address(self.library.MoorDyn_Step), address(self.library.MoorDyn_GetLineFairTen)
        loop = LOOPS.moordyn_loop
        if status == 0:
            status = loop(step, read, handle, lines, own, ctypes.c_double(dt), ctypes.c_int64(steps), moves, tension, ctypes.byref(cpu))
        self.library.MoorDyn_Close(handle)
        if status != 0:
            return {"error": f"MoorDyn: status {status}"}
        return {"cpu": cpu.value, "tension": list(tension), "rest": rest}


class Pintle:
    """libpintle through its C ABI."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ["PEERS_PINTLE"])

    def message(self, system):
        text = ctypes.create_string_buffer(512)
        self.library.pintle_error_message(system, len(text), text, None)
        return text.value.decode()

    def call(self, name, *arguments):
        if getattr(self.library, "pintle_" + name)(*arguments) != 0:
            raise RuntimeError(f"pintle_{name}: {self.message(None)}")

    def build(self, system, case, options, bed):
        number, made = ctypes.c_double, ctypes.c_int32()
        self.call("set_gravity", system, doubles([0.0, 0.0, -given.GRAVITY]))
        around = {"water_density": given.WATER, "depth": case.depth}
        around |= {"seabed_stiffness": given.BED_STIFFNESS, "seabed_damping": case.bed_damping} | (bed or {})
        for key, value in around.items():
            self.call("set_environment", system, key.encode(), number(value))
        t = case.line_type
        numbers = (t.diameter, t.mass, t.ea, t.ba, 0.0, t.cdn, t.can, t.cdt, 0.0)
        self.call("add_line_type", system, *map(number, numbers), ctypes.byref(made))
        kind, n = ctypes.c_int32(made.value), len(case.fairleads)
        for k, place in enumerate([*case.fairleads, *case.anchors]):
            self.call("add_point", system, number(0.0), number(0.0), doubles(place), ctypes.byref(made))
            if k < n:
                self.call("set_point_prescribed", system, made, 1)
            else:
                self.call("fix_point", system, made)
        for k in range(n):
            self.call("add_line", system, kind, n + k, k, number(case.length), case.segments, ctypes.byref(made))
        self.call("set_scheme", system, b"generalized-alpha")
        for key, value in options.items():
            self.call("set_option", system, key.encode(), number(value))

    def run(self, case, dt, options, bed=None):
        system = ctypes.c_void_p()
        self.call("create", ctypes.byref(system))
        try:
            return self.stepped(system, case, dt, options, bed)
        except RuntimeError as error:
            return {"error": str(error)}
        finally:
            self.library.pintle_destroy(ctypes.byref(system))

    def statistic(self, system, key):
        value = ctypes.c_double()
        self.call("get_statistic", system, key.encode(), ctypes.byref(value))
        return value.value

    def stepped(self, system, case, dt, options, bed):
        self.build(system, case, options, bed)
        moves, lines, steps = motion(case, dt), len(case.fairleads), round(case.time / dt)
        self.call("initialize", system, ctypes.c_double(0.0))
        tension, cpu, room = (ctypes.c_double * (lines * steps))(), ctypes.c_double(), (ctypes.c_double * case.segments)()
        functions = [address(getattr(self.library, "pintle_" + name)) for name in ("set_point_motion", "step", "get_line_tensions")]
        self.call("get_line_tensions", system, 0, case.segments, room)
        rest = room[case.segments - 1]
        length, count = ctypes.c_double(dt), ctypes.c_int64(steps)
        status = LOOPS.pintle_loop(*functions, system, lines, case.segments, length, count, moves, room, tension, ctypes.byref(cpu))
        if status != 0:
            return {"error": self.message(system)}
        iterations = self.statistic(system, "iterations") / steps
        return {"cpu": cpu.value, "tension": list(tension), "rest": rest, "iterations": iterations,
                "failed": self.statistic(system, "rejected_steps")}


def main():
    os.dup2(2, 1)  # what MoorDyn prints must not come between the answers
    code, by_name = {"moordyn": MoorDyn, "pintle": Pintle}[sys.argv[1]](), {case.name: case for case in given.cases()}
    for line in sys.stdin:
        request = json.loads(line)
        case = by_name[request.pop("case")]
        print(json.dumps(code.run(case, **request)), file=answers, flush=True)


if __name__ == "__main__":
    main()
