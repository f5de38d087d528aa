#!/usr/bin/env python3
"""FMUs in the hands of programs that others wrote: FMPy validates and simulates them, libcosim couples one with a spring.

    importers.py PACK LIBRARY MODELS [LIBPINTLE]

PACK is the example `pack` of the crate fmi, LIBRARY is pintle_fmi, MODELS the folder of model files; with LIBPINTLE, the
C library, runs of FMPy are held against it bit by bit. Needs FMPy, libcosimpy and pythonfmu from PyPI.
"""

import ctypes
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import fmpy
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

VALIDATED = ["buoy", "floating_platform", "four_bar", "heavy_top", "modes", "yaw_drive"]
HERE = Path(__file__).resolve().parent


class Importer:
    """What the checks have in common: where FMUs are made and unpacked."""

    def __init__(self, pack, library, models, folder):
        self.pack, self.library, self.models, self.folder = pack, library, Path(models), Path(folder)

    def fmu(self, model, version):
        """Packs a model of the repository, or one by its path."""
        path = self.models / f"{model}.toml" if isinstance(model, str) else model
        out = self.folder / f"{path.stem}_{version}.fmu"
        if not out.exists():
            subprocess.run([self.pack, str(version), self.library, path, out], check=True, stdout=subprocess.DEVNULL)
        return str(out)

    def slave(self, path, name="unit"):
        """An instance in step mode, and the value references by name."""
        description = fmpy.read_model_description(path)
        unpacked = fmpy.extract(path, str(self.folder / f"{Path(path).stem}_{name}"))
        kind = FMU2Slave if description.fmiVersion == "2.0" else FMU3Slave
        slave = kind(unzipDirectory=unpacked, modelIdentifier=description.coSimulation.modelIdentifier,
                     instanceName=name, guid=description.guid)
        slave.instantiate()
        if kind is FMU2Slave:
            slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        return slave, {variable.name: variable.valueReference for variable in description.modelVariables}


def step(slave, t, dt):
    slave.doStep(currentCommunicationPoint=t, communicationStepSize=dt)


def get(slave, references):
    return slave.getReal(references) if isinstance(slave, FMU2Slave) else slave.getFloat64(references)


def put(slave, references, values):
    (slave.setReal if isinstance(slave, FMU2Slave) else slave.setFloat64)(references, values)


def check_validation(importer):
    """FMPy's validator has nothing to say: schema, names, start values, units, structure."""
    for model in VALIDATED:
        for version in (2, 3):
            problems = validate_fmu(importer.fmu(model, version))
            assert not problems, (model, version, problems)
    print(f"FMPy validates {len(VALIDATED)} models in 2.0 and 3.0 without a message")


def check_simulation(importer, libpintle):
    """simulate_fmu in 2.0 and 3.0 gives the same bits, those of the C library."""
    for model, dt, outputs in [("heavy_top", 1e-3, ["body.top.pos.x", "body.top.omega.y", "joint.tip.reaction.fz"]),
                               ("floating_platform", 0.01, ["body.platform.pos.z", "body.platform.pitch"])]:
        results = []
        for version in (2, 3):
            result = fmpy.simulate_fmu(importer.fmu(model, version), stop_time=0.5, step_size=dt, output_interval=dt,
                                       output=outputs)
            results.append(np.array([list(row) for row in result.tolist()]))
        assert results[0].shape == (round(0.5 / dt) + 1, len(outputs) + 1), results[0].shape
        assert (results[0] == results[1]).all(), model
        if libpintle:
            own = c_run(libpintle, importer.models / f"{model}.toml", results[0][:, 0],
                        [name.split(".", 1)[1] for name in outputs])
            assert (own == results[0][:, 1:]).all(), model
            print(f"simulate_fmu of {model}: bit by bit the C library's numbers")


def c_run(library, model, times, names):
    """Channels at times, by the C API."""
    lib, system = ctypes.CDLL(str(library)), ctypes.c_void_p()

    def call(name, *arguments):
        status = getattr(lib, name)(*arguments)
        assert status == 0, (name, status)

    call("pintle_load_model", str(model).encode(), ctypes.byref(system))
    call("pintle_initialize", system, ctypes.c_double(times[0]))
    count = ctypes.c_int32()
    call("pintle_channel_count", system, ctypes.byref(count))
    text, length, places = ctypes.create_string_buffer(320), ctypes.c_int32(), {}
    for k in range(count.value):
        call("pintle_channel_name", system, k, 320, text, ctypes.byref(length))
        places[text.value.decode()] = k
    values, rows = (ctypes.c_double * count.value)(), []
    for k, at in enumerate(times):
        if k:
            call("pintle_step", system, ctypes.c_double(at - times[k - 1]))
        call("pintle_get_channels", system, count.value, values)
        rows.append([values[places[name]] for name in names])
    call("pintle_destroy", ctypes.byref(system))
    return np.array(rows)


def check_states(importer):
    """Get, set and serialize: the run goes on bit by bit, in the same instance and in another."""
    for version in (2, 3):
        path = importer.fmu("heavy_top", version)
        slave, names = importer.slave(path, f"states{version}")
        wanted = [names[name] for name in names if name.startswith("body.top.") and names[name] < 1 << 28]
        dt = 1e-3
        for n in range(10):
            step(slave, n * dt, dt)
        upper = version == 3
        state = slave.getFMUState() if upper else slave.getFMUstate()
        saved = slave.serializeFMUState(state) if upper else slave.serializeFMUstate(state)

        def onwards(unit):
            for n in range(10, 30):
                step(unit, n * dt, dt)
            return list(get(unit, wanted))

        expected = onwards(slave)
        (slave.setFMUState if upper else slave.setFMUstate)(state)
        assert onwards(slave) == expected
        other, _ = importer.slave(path, f"other{version}")
        copied = other.deserializeFMUState(saved) if upper else other.deSerializeFMUstate(saved)
        (other.setFMUState if upper else other.setFMUstate)(copied)
        assert onwards(other) == expected
        (slave.freeFMUState if upper else slave.freeFMUstate)(state)
        (other.freeFMUState if upper else other.freeFMUstate)(copied)
        for unit in (slave, other):
            unit.terminate()
            unit.freeInstance()
    print("states: set and serialized ones go on bit by bit")


def check_threads(importer):
    """Four instances on four threads."""
    slaves = [importer.slave(importer.fmu("heavy_top", 2 + k % 2), f"thread{k}") for k in range(4)]
    results = [None] * 4

    def run(k):
        slave, names = slaves[k]
        for n in range(500):
            step(slave, n * 1e-3, 1e-3)
        results[k] = list(get(slave, [names["body.top.pos.x"], names["body.top.quat.z"]]))

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == results[0] for result in results)
    print("4 instances on threads: the same numbers")


def check_derivatives(importer):
    """FMPy's directional derivative beside the difference of two steps: 100 N on 2 kg for 10 ms are linear."""
    slave, names = importer.slave(importer.fmu("oscillator", 2), "derivative")
    load, x = names["body.mass.load.fx"], names["body.mass.pos.x"]
    step(slave, 0.0, 0.01)
    state, values = slave.getFMUstate(), []
    for force in (0.0, 100.0):
        slave.setFMUstate(state)
        put(slave, [load], [force])
        step(slave, 0.01, 0.01)
        values.append(get(slave, [x])[0])
    found = slave.getDirectionalDerivative([x], [load], [1.0])[0]
    difference = (values[1] - values[0]) / 100.0
    # Rounding of positions of 1 m over a displacement of 2.5e-3 m.
    assert abs(found - difference) < 1e-11 * abs(difference), (found, difference)
    print(f"d x / d F by FMPy: {found:.15e}, relative to a difference off by {abs(found / difference - 1):.1e}")


def check_speed(importer):
    """Processor time of doStep, called straight from ctypes: printed, not judged. Clocks of processor time leave out other work."""
    for model, dt in (("heavy_top", 1e-3), ("floating_platform", 0.01)):
        for version in (2, 3):
            slave, _ = importer.slave(importer.fmu(model, version), f"speed{version}")
            one = slave.component
            flag, reached = ctypes.c_bool(), ctypes.c_double()
            best = float("inf")
            t = 0.0
            for _ in range(10):
                start = time.process_time()
                for _ in range(400):
                    if version == 2:
                        slave.dll.fmi2DoStep(ctypes.c_void_p(one), ctypes.c_double(t), ctypes.c_double(dt), 0)
                    else:
                        slave.dll.fmi3DoStep(ctypes.c_void_p(one), ctypes.c_double(t), ctypes.c_double(dt), ctypes.c_bool(0),
                                             ctypes.byref(flag), ctypes.byref(flag), ctypes.byref(flag), ctypes.byref(reached))
                    t += dt
                best = min(best, (time.process_time() - start) / 400)
            print(f"fmi{version}DoStep of {model} through ctypes: {1e6 * best:.2f} us")


BODY = """pintle_model = 1
[settings]
rho_inf = 1
[[body]]
name = "mass"
mass = 2
inertia = [1, 1, 1, 0, 0, 0]
pose = [1, 0, 0, 1, 0, 0, 0]
"""


def check_coupling(importer):
    """libcosim couples a body of 2 kg with a spring of 200 N/m. Its master hands the force of one step to the next: the same
    exchange by hand gives the same numbers; what it is off the oscillation is the master's error, of first order."""
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    log_output_level(CosimLogLevel.WARNING)
    model = importer.folder / "body.toml"
    model.write_text(BODY)
    body = importer.fmu(model, 2)
    subprocess.run([sys.executable, "-m", "pythonfmu", "build", "-f", str(HERE / "spring.py"), "-d", str(importer.folder)],
                   check=True, stdout=subprocess.DEVNULL)
    spring = str(importer.folder / "Spring.fmu")
    names = {variable.name: variable.valueReference for variable in fmpy.read_model_description(body).modelVariables}
    others = {variable.name: variable.valueReference for variable in fmpy.read_model_description(spring).modelVariables}
    load, x = names["body.mass.load.fx"], names["body.mass.pos.x"]
    end, errors = 0.5, []
    for dt in (2e-3, 1e-3):
        execution, observer = CosimExecution.from_step_size(int(dt * 1e9)), CosimObserver.create_last_value()
        a = execution.add_local_slave(CosimLocalSlave(body, "body"))
        b = execution.add_local_slave(CosimLocalSlave(spring, "spring"))
        execution.add_observer(observer)
        assert execution.connect_real_variables(a, x, b, others["x"]) == 0
        assert execution.connect_real_variables(b, others["force"], a, load) == 0
        assert execution.simulate_until(int(end * 1e9))
        coupled = observer.last_real_values(a, [x])[0]
        # By hand: at the start the spring has made no step.
        slave, _ = importer.slave(body, f"hand{int(1e6 * dt)}")
        force = 0.0
        for n in range(round(end / dt)):
            position = get(slave, [x])[0]
            put(slave, [load], [force])
            step(slave, n * dt, dt)
            force = -200.0 * position
        by_hand = get(slave, [x])[0]
        # Times of libcosim are whole nanoseconds, and so are its steps: rounding alone.
        assert abs(coupled - by_hand) < 1e-12, (dt, coupled, by_hand)
        errors.append(abs(coupled - np.cos(10 * end)))
        print(f"libcosim at {dt:g} s: {coupled:.9f}, by hand off by {abs(coupled - by_hand):.1e}, "
              f"off the oscillation by {errors[-1]:.2e}")
    assert 1.7 < errors[0] / errors[1] < 2.3, errors


def main():
    pack, library, models, *libpintle = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        importer = Importer(pack, library, models, folder)
        check_validation(importer)
        check_simulation(importer, libpintle[0] if libpintle else None)
        check_states(importer)
        check_threads(importer)
        check_derivatives(importer)
        check_speed(importer)
        check_coupling(importer)


if __name__ == "__main__":
    main()
