"""The hand-written part of the package: ownership, copies, states, batches, analyses, runs. Results are those of the C ABI, bit
for bit."""

import copy
import ctypes
import gc
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import libpintle as pintle
from libpintle._library import V3, choose
from conftest import ROOT, moored, pendulum


def test_a_step_before_initialize_says_what_to_do():
    with pendulum() as system, pytest.raises(pintle.UsageError, match="pintle_step: not allowed in phase BUILDING: call pintle_initialize first"):
        system.step(0.1)


def test_the_numbers_are_those_of_the_c_abi(system):
    """The same model and steps through ctypes, which shares nothing with the package but the library."""
    library = ctypes.CDLL(str(Path(pintle.__file__).parent / "libpintle.so"))

    def doubles(*values):
        return (ctypes.c_double * len(values))(*values)

    handle, body = ctypes.c_void_p(), ctypes.c_int32()
    library.pintle_create(ctypes.byref(handle))
    library.pintle_set_gravity(handle, doubles(0, 0, -9.81))
    one, inertia = ctypes.c_double(1), doubles(0.1, 0.1, 0.1, 0, 0, 0)
    library.pintle_add_rigid_body(handle, one, doubles(0, 0, 0), inertia, doubles(1, 0, 0, 1, 0, 0, 0), ctypes.byref(body))
    library.pintle_add_joint_at(handle, 2, -1, body, doubles(0, 0, 0), doubles(0, 1, 0), ctypes.byref(ctypes.c_int32()))
    library.pintle_initialize(handle, ctypes.c_double(0))
    dts = [0.01, 0.02, 0.005, 0.013] * 25
    for dt in dts:
        assert library.pintle_step(handle, ctypes.c_double(dt)) == 0
        system.step(dt)
    pose = doubles(*[0] * 7)
    library.pintle_get_body_pose(handle, body, pose)
    library.pintle_destroy(ctypes.byref(handle))
    assert list(pose) == system.get_body_pose(0).tolist()


def test_the_library_is_the_build_for_the_processor(tmp_path):
    first, second = tmp_path / "libpintle.so", tmp_path / "glibc-hwcaps/x86-64-v3/libpintle.so"
    cpuinfo = tmp_path / "cpuinfo"

    def chosen(flags):
        cpuinfo.write_text("processor\t: 0\nflags\t\t: fpu sse2 " + " ".join(sorted(flags)) + "\n")
        return choose(tmp_path, cpuinfo)

    assert chosen(V3) == first, "there is one build"
    second.parent.mkdir(parents=True)
    second.touch()
    assert chosen(V3) == second
    assert [flag for flag in V3 if chosen(V3 - {flag}) != first] == []
    assert choose(tmp_path, tmp_path / "nowhere") == first


def test_the_heavy_top_has_its_known_error():
    """The published end after 2 s at steps of 2 ms: an error of 9.6e-3 m to two digits."""
    with pintle.System() as top:
        top.set_gravity([0, 0, -9.81])
        omega, arm = np.array([0.0, 150.0, -4.61538]), np.array([0.0, 1.0, 0.0])
        body = top.add_rigid_body(15.0, [0, 0, 0], [0.234375, 0.46875, 0.234375, 0, 0, 0], [*arm, 1, 0, 0, 0])
        top.set_body_velocity(body, [*np.cross(omega, arm), *omega])
        top.add_joint_at(pintle.JointKind.SPHERICAL, pintle.GROUND, body, [0, 0, 0])
        for key, value in {"rho_inf": 0.9, "abs_tolerance": 1e-10, "rel_tolerance": 1e-10}.items():
            top.set_option(key, value)
        top.initialize(0.0)
        top.run(2.0, 2e-3, channels=[])
        end = top.get_body_displacement(body)[:3]
    assert abs(np.abs(end - [-0.150416822747, -1.724165591637, -0.673022269560]).max() - 9.6e-3) <= 0.05e-3


def test_use_after_close():
    system = pendulum()
    assert not system.closed and repr(system) == "<libpintle.System, 1 bodies, BUILDING>"
    system.close()
    system.close()
    assert system.closed and repr(system) == "<libpintle.System, closed>"
    for call in (lambda: system.step(0.1), lambda: system.get_body_pose(0), system.clone, system.channels, lambda: copy.copy(system)):
        with pytest.raises(ValueError, match=r"^\w+: the system is closed$"):
            call()
    with pytest.raises(ValueError, match="closed"):
        with pendulum() as inside:
            pass
        inside.time()


def test_copies_are_independent(system):
    system.step(0.01)
    for twin in (system.clone(), copy.copy(system), copy.deepcopy([system])[0]):
        assert twin.get_body_pose(0).tolist() == system.get_body_pose(0).tolist()
        twin.step(0.01)
        assert twin.time() == pytest.approx(0.02, abs=1e-15) and system.time() == 0.01
    with pytest.raises(TypeError, match="save_model"):
        pickle.dumps(system)
    with pytest.raises(TypeError, match="bytes"):
        pickle.dumps(system.state_save())


def test_states_and_their_bytes_go_on_bit_for_bit(system):
    system.run(0.1, 0.01)
    state = system.state_save()
    data = bytes(state)
    want = system.run(0.2, 0.01).values
    other = pendulum()
    other.initialize(0.0)
    for saved in (state, other.state_deserialize(data), other.state_deserialize(bytearray(data))):
        other.state_restore(saved)
        assert np.array_equal(other.run(0.2, 0.01).values, want)
    assert system.state_save(state) is state and bytes(state) != data
    state.close()
    state.close()
    with pytest.raises(ValueError, match="state_restore: the state is closed or empty"):
        system.state_restore(state)
    with pytest.raises(ValueError, match="serialize: the state is closed or empty"):
        bytes(state)
    for broken in (b"", data[:-1], data[:50] + bytes([data[50] ^ 1]) + data[51:]):
        with pytest.raises(pintle.UsageError):
            other.state_deserialize(broken)
    with pytest.raises(TypeError, match="state_deserialize: data must be bytes, not str"):
        other.state_deserialize("text")


def test_a_state_may_outlive_its_system():
    system = pendulum()
    system.initialize(0.0)
    state = system.state_save()
    twin = system.clone()
    del system
    gc.collect()
    twin.state_restore(state)


def test_batches_come_in_place(system):
    poses = np.empty((1, 7))
    assert system.get_body_poses(out=poses) is poses
    assert np.array_equal(poses[0], system.get_body_pose(0)) and system.get_body_poses().shape == (1, 7)
    coordinates = system.get_coordinates()
    assert np.array_equal(coordinates.poses, poses) and coordinates.velocities.shape == (1, 6)
    acceleration = system.eval_accelerations(coordinates.poses, coordinates.velocities)
    assert np.array_equal(acceleration, system.get_body_accelerations())
    moved = pintle.retract(poses, [[0.1, 0, 0, 0, 0.2, 0]])
    # Rounding of one retraction and its inverse.
    assert np.allclose(pintle.difference(poses, moved), [[0.1, 0, 0, 0, 0.2, 0]], atol=1e-14)


def test_several_outputs_have_names(system):
    info = system.get_joint_info(0)
    assert info.kind is pintle.JointKind.REVOLUTE and info.body_a == pintle.GROUND and info.body_b == 0 and info.driven is False
    assert info.frame_a.shape == (7,)
    energy = system.get_energy()
    assert energy.kinetic == 0.0
    assert system.get_joint_coordinate(0).q == 0.0
    assert system.phase() is pintle.Phase.READY
    assert system.find("body", "bob") == 0 and system.get_name("body", 0) == "bob" and system.count("body") == 1


def test_long_texts_come_whole():
    name = "ä" * 127  # 254 of the 255 bytes that a name may have
    with pendulum() as system:
        system.set_name("joint", 0, name)
        assert system.get_name("joint", 0) == name


def test_tables_come_back():
    with pendulum() as system:
        spring = system.add_spring(pintle.GROUND, [0, 0, 0], 0, [0, 0, 0], 1.0, 0.0, 0.5, 0)
        assert len(system.get_spring_table(spring).x) == 0
        system.set_spring_table(spring, [0.0, 1.0, 3.0], [0.0, 5.0, 9.0])
        table = system.get_spring_table(spring)
        assert table.x.tolist() == [0.0, 1.0, 3.0] and table.y.tolist() == [0.0, 5.0, 9.0]
        assert system.get_current().y.shape == (0, 3)
        system.set_current([1.0, 2.0], [[1, 0, 0], [0, 1, 0]])
        assert system.get_current().y.tolist() == [[1, 0, 0], [0, 1, 0]]
        assert system.get_current_grid().shape == (0, 7)
        system.set_current_grid([[0, 0, 5, 0, 1, 0, 0], [0, 0, 5, 9, 2, 0, 0]])
        assert system.get_current_grid().tolist() == [[0, 0, 5, 0, 1, 0, 0], [0, 0, 5, 9, 2, 0, 0]]
        assert system.get_seabed_grid().shape == (0, 3)
        system.set_seabed_grid([[0, 0, 50], [9, 0, 60]])
        assert system.get_seabed_grid().tolist() == [[0, 0, 50], [9, 0, 60]]


def test_waves_come_back_and_move_the_water():
    with pendulum() as system:
        assert system.get_waves().amplitudes.shape == (0,)
        system.set_environment("water_density", 1000.0)
        system.set_waves([0.5], [0.8], [0.0], [0.0])
        assert [list(one) for one in system.get_waves()] == [[0.5], [0.8], [0.0], [0.0]]
        system.initialize(0.0)
        motion = system.get_water_motion([[0.0, 0.0, 0.5], [0.0, 0.0, -500.0]])
        assert motion.elevations.tolist() == [pytest.approx(0.5, abs=1e-11)] * 2
        assert motion.velocities[0] == pytest.approx([0.4, 0.0, 0.0], abs=1e-11)
        assert abs(motion.accelerations[1]).max() < 1e-12
        with pytest.raises(ValueError, match="frequencies has 2"):
            system.set_waves([0.5], [0.8, 0.9], [0.0], [0.0])


def test_analyses_are_those_of_the_pendulum(system):
    """A physical pendulum: I = m l^2 + 0.1 about its pivot, omega^2 = m g l / I."""
    omega = math.sqrt(9.81 / 1.1)
    system.set_coordinates([[0, 0, -1, math.cos(math.pi / 4), 0, math.sin(math.pi / 4), 0]], np.zeros((1, 6)))
    modes = system.get_modes()
    # Eigenvalues of a 2 x 2 matrix: rounding.
    assert modes.frequencies[0] == pytest.approx(omega / (2 * math.pi), rel=1e-12)
    assert modes.shapes.shape == (len(modes.frequencies), 1, 6) and np.abs(modes.shapes[0]).max() == pytest.approx(1.0)
    matrices = system.linearize([0], [], [0])
    assert [one.shape for one in matrices] == [(2, 2), (2, 6), (18, 2), (18, 6)]
    assert max(np.linalg.eigvals(matrices.a).imag) == pytest.approx(omega, rel=1e-12)
    by_joint = system.linearize_inputs(joints=[0], sensor_markers=[0])
    assert by_joint.b.shape == (2, 1)
    # A moment on the joint accelerates its angle by 1 / I, a wrench of that moment on the body does the same.
    assert system.get_joint_compliance([0], 0.01).acceleration[0, 0] > 0
    assert np.allclose(by_joint.b[:, 0], matrices.b[:, 4], rtol=1e-12, atol=1e-13)
    assert system.get_state_name(0).startswith('body 0 "bob"')
    mass, jacobian = system.get_mass_matrix(), system.get_constraint_jacobian()
    assert np.allclose(mass, np.diag([1, 1, 1, 0.1, 0.1, 0.1]), atol=1e-15) and jacobian.shape == (5, 6)
    swing = np.array([-1, 0, 0, 0, 1, 0])  # about y, the bob below: v = omega x r
    assert np.abs(jacobian @ swing).max() < 1e-14
    assert system.get_load_compliance([0], 0.01).displacement.shape == (6, 6)
    assert np.array_equal(system.get_body_compliance([0], 0.01).velocity, system.get_load_compliance([0], 0.01).velocity)


def test_lines_have_nodes():
    with moored() as system:
        system.initialize(0.0)
        system.solve_equilibrium(200, 1e-10)
        positions, tensions = system.get_line_positions(0), system.get_line_tensions(0)
        assert positions.shape == (6, 3) and tensions.shape == (5,)
        assert np.all(np.diff(positions[:, 2]) < 0)
        # 50 kg hang on the last segment, with half a segment of line in water: weight of 3.8/2 m of it less its buoyancy.
        half = 1.9 * (10.0 - 1000.0 * math.pi / 4 * 0.05**2)
        assert tensions[-1] == pytest.approx(9.81 * (50.0 + half), rel=1e-3)  # the segment's stretch: 5e-4
        out = np.empty((6, 3))
        assert system.get_line_velocities(0, out=out) is out and np.abs(out).max() == 0.0
        assert system.get_line_end_tensions().shape == (1, 2)
        assert system.get_line_accelerations(0).shape == (6, 3)


def test_channels_are_a_dict(system):
    values, units = system.channels(), system.channel_units()
    assert values["bob.pos.x"] == 1.0 and units["bob.pos.x"] == "m" and list(values) == list(units)
    assert values["time"] == 0.0 and len(values) == system.channel_count()
    with pendulum() as building, pytest.raises(pintle.UsageError):
        building.channels()


def test_a_run_records_what_a_loop_reads(system):
    twin = system.clone()
    run = system.run(0.105, 0.01, every=4, channels=["bob.pos.x", "bob.omega.y"])
    assert run.time == pytest.approx([0, 0.04, 0.08, 0.105], abs=1e-15) and run.time[-1] == pytest.approx(system.time())
    column = [twin.channels()["bob.pos.x"]]
    for n in range(1, 12):
        twin.step(0.01 if n < 11 else 0.105 - twin.time())
        if n % 4 == 0 or n == 11:
            column.append(twin.channels()["bob.pos.x"])
    assert run["bob.pos.x"].tolist() == column and run.units == ("m", "rad/s") and len(run) == 4
    assert len(system.run(system.time(), 0.01)) == 1
    with pytest.raises(KeyError):
        run["bob"]
    for arguments, words in [
        ((0.0, 0.01), "end"), ((1.0, 0.0), "dt"), ((1.0, float("nan")), "dt"), ((float("inf"), 0.1), "end"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=f"run: {words}"):
            system.run(*arguments)
    with pytest.raises(ValueError, match="no channel is called 'hull.x'"):
        system.run(1.0, 0.1, channels=["hull.x"])


def test_inputs_of_a_run_are_for_the_end_of_each_step(system):
    times = []

    def push(target, time):
        assert target is system
        times.append(time)
        target.set_body_load(0, pintle.Frame.INERTIAL, [0, 0, 9.81, 0, 0, 0])

    system.mark_discontinuity()
    system.run(0.1, 0.01, inputs=push)
    assert times == pytest.approx([0.01 * n for n in range(1, 11)])
    # The load carries the weight from the first step on: nothing moves but by rounding and Newton's tolerance.
    assert abs(system.get_joint_coordinate(0).q) < 1e-8


def test_a_run_that_fails_keeps_what_it_has(system):
    def stop(target, time):
        if time > 0.045:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as caught:
        system.run(1.0, 0.01, inputs=stop)
    assert len(caught.value.run) == 5 and caught.value.run.time[-1] == pytest.approx(0.04)


def test_a_run_as_a_dataframe(system):
    pytest.importorskip("pandas")
    run = system.run(0.1, 0.01, channels=["bob.pos.x", "bob.pos.z"])
    frame = run.to_dataframe()
    assert list(frame.columns) == ["bob.pos.x", "bob.pos.z"] and frame.index.name == "time" and len(frame) == 11
    assert frame["bob.pos.x"].to_numpy().tolist() == run["bob.pos.x"].tolist() and frame.attrs["units"]["bob.pos.x"] == "m"


def test_a_run_shows_its_progress(system, capsys, monkeypatch):
    import sys

    system.run(0.1, 0.01, progress=True)
    assert "100%" in capsys.readouterr().err.replace(" ", "")
    monkeypatch.setitem(sys.modules, "tqdm", None)  # as where it is not installed
    system.run(0.2, 0.01, progress=True)
    assert "100%" in capsys.readouterr().err.replace(" ", "")
    system.run(0.3, 0.01)
    assert capsys.readouterr().err == ""


def test_models_and_checkpoints_go_through_files(system, tmp_path):
    system.save_model(tmp_path / "model.toml")
    system.step(0.01)
    system.write_checkpoint(str(tmp_path / "point.bin"))
    with pintle.System.load_model(tmp_path / "model.toml") as other:
        other.initialize(0.0)
        other.read_checkpoint(tmp_path / "point.bin")
        assert other.get_body_pose(0).tolist() == system.get_body_pose(0).tolist()
    with pintle.System.load_model(ROOT / "models/heavy_top.toml") as shipped:
        assert shipped.count("body") == 1
    assert system.set_scheme("rk4") is None and system.get_scheme() == "rk4"


def test_far_away_and_turned_the_motion_is_the_same():
    """Poses at 1e6 m are read back to the rounding of such numbers, 1.2e-10, and the error that steps make of it."""
    runs = []
    for far in (0.0, 1e6):
        system = pintle.System()
        system.set_gravity([0, 0, -9.81])
        system.add_rigid_body(1.0, [0, 0, 0], [0.1, 0.1, 0.1, 0, 0, 0], [far + 1, 0, 0, 1, 0, 0, 0])
        system.add_joint_at(pintle.JointKind.REVOLUTE, pintle.GROUND, 0, [far, 0, 0], [0, 1, 0])
        system.initialize(0.0)
        runs.append(system.run(1.0, 0.01, channels=["body0.pos.x", "body0.pos.z"]).values - [far, 0])
    assert np.abs(runs[0] - runs[1]).max() < 1e-8


def test_nothing_leaks():
    """Systems, states, clones and callbacks made and dropped: memory stays."""
    import resource

    def cycle():
        for _ in range(200):
            system = pendulum()
            system.set_load_callback(0, lambda *_: None)
            system.initialize(0.0)
            system.clone().step(0.01)
            bytes(system.state_save())
            with pytest.raises(pintle.PintleError):
                system.get_body_pose(9)

    cycle()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3):
        cycle()
    # One leaked system has tens of kB: 600 of them would be 10 MB and more.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096
