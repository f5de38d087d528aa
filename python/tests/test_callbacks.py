"""Python callbacks inside the iteration: equal to the library's own elements, their exceptions are raised by the call, their
results are checked, and they live as long as the systems that call them."""

import gc
import threading

import numpy as np
import pytest

import libpintle as pintle
from conftest import IDENTITY, moored, pendulum

STIFFNESS = np.diag([400.0, 400.0, 400.0, 3.0, 3.0, 3.0])


def free_body():
    system = pintle.System()
    system.add_rigid_body(2.0, [0, 0, 0], [0.3, 0.3, 0.3, 0, 0, 0], IDENTITY)
    system.set_body_velocity(0, [0.3, 0, 0, 0, 0, 0])
    # Both loads below are found to this, so that nothing but it may differ.
    system.set_option("rel_tolerance", 1e-12)
    system.set_option("abs_tolerance", 1e-14)
    return system


def run(system):
    system.initialize(0.0)
    return system.run(0.5, 0.005, channels=["body0.pos.x", "body0.vel.x"])


def spring(time, body, pose, velocity, acceleration):
    return [-400.0 * pose[0], -400.0 * pose[1], -400.0 * pose[2], 0, 0, 0]


def test_a_load_callback_is_the_element_that_it_stands_for():
    reference = free_body()
    reference.add_bushing(pintle.GROUND, 0, IDENTITY, IDENTITY, np.diag([400.0] * 3 + [0.0] * 3), np.zeros((6, 6)))
    want = run(reference)
    matrix = np.diag([400.0] * 3 + [0.0] * 3)
    for load in (spring, lambda *a: (spring(*a), matrix), lambda *a: (np.array(spring(*a)), matrix, None)):
        system = free_body()
        system.set_load_callback(0, load)
        got = run(system)
        # Newton stops at 1e-12 of the motion (0.02 m) in each of 100 steps.
        assert np.abs(got.values - want.values).max() < 100 * 1e-12
        assert system.get_load_callback(0)
    # The callback has an effect: without it the body moves on uniformly.
    assert np.abs(run(free_body()).values - want.values).max() > 0.05


def test_a_coupled_callback_has_the_cross_terms():
    """Two bodies on one spring between them, as a bushing and as a function with a 12 x 12 matrix."""
    results = []
    for coupled in (False, True):
        system = free_body()
        system.add_rigid_body(1.0, [0, 0, 0], [0.2, 0.2, 0.2, 0, 0, 0], IDENTITY)
        if coupled:
            block = np.diag([400.0] * 3 + [0.0] * 3)
            matrix = np.block([[block, -block], [-block, block]])

            def load(time, bodies, poses, velocities, accelerations):
                assert bodies == [1, 0] and poses.shape == (2, 7) and velocities.shape == accelerations.shape == (2, 6)
                wrenches = np.zeros((2, 6))
                wrenches[0, :3] = 400.0 * (poses[1, :3] - poses[0, :3])
                wrenches[1] = -wrenches[0]
                return wrenches, matrix

            assert system.set_coupled_load_callback([1, 0], load) == 0
        else:
            system.add_bushing(0, 1, IDENTITY, IDENTITY, np.diag([400.0] * 3 + [0.0] * 3), np.zeros((6, 6)))
        results.append(run(system).values)
    assert np.abs(results[0] - results[1]).max() < 100 * 1e-12  # as above


def test_a_fluid_callback_moves_the_water():
    """Water with a uniform velocity is a current: the callback and set_current give the same motion."""
    ends = []
    for by_function in (False, True):
        system = moored()
        if by_function:
            system.set_fluid_callback(lambda time, positions: (np.tile([0.7, 0, 0], (len(positions), 1)), None, None))
        else:
            system.set_current([0.0], [[0.7, 0, 0]])
        system.initialize(0.0)
        system.run(1.0, 0.01, channels=[])
        ends.append(system.get_point_position(1))
    # The same drag from the same velocities: Newton's tolerance (1e-6 of increments of centimetres) in 100 steps.
    assert np.abs(ends[0] - ends[1]).max() < 1e-4 and ends[0][0] > 1e-3


class Bad(Exception):
    pass


def test_what_a_callback_raises_the_call_raises(system):
    def bad(*_):
        raise Bad("from inside")

    before = system.get_body_pose(0)
    system.set_load_callback(0, bad)
    for call in (lambda: system.step(0.01), lambda: system.advance(0.01), lambda: system.get_modes(), lambda: system.run(1.0, 0.01)):
        with pytest.raises(Bad, match="from inside"):
            call()
    assert np.array_equal(before, system.get_body_pose(0)) and system.phase() is pintle.Phase.READY
    # An old exception is not raised again: results that are not finite are refused by the library itself.
    system.set_load_callback(0, lambda *_: [np.nan] * 6)
    with pytest.raises(pintle.NumericsError) as caught:
        system.step(0.01)
    assert caught.value.status == pintle.Status.CALLBACK
    system.set_load_callback(0, None)
    system.step(0.01)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_ends_programs_passes_too(system, error):
    def leave(*_):
        raise error

    system.set_load_callback(0, leave)
    with pytest.raises(error):
        system.step(0.01)


@pytest.mark.parametrize(
    "result, words",
    [
        ([1, 2, 3], r"load callback: wrench has shape \(3,\), not \(6,\)"),
        ("text", "load callback: wrench must be real numbers"),
        (([0] * 6, np.zeros(36)), r"load callback: stiffness has shape \(36,\), not \(6, 6\)"),
        (([0] * 6, None, None, None), "load callback: returned a tuple of 4 items"),
        (object(), "load callback: wrench must be real numbers"),
    ],
)
def test_what_a_callback_returns_is_checked(system, result, words):
    system.set_load_callback(0, lambda *_: result)
    with pytest.raises((TypeError, ValueError), match=words):
        system.step(0.01)


def test_other_callbacks_are_checked_too():
    system = moored()
    system.set_fluid_callback(lambda time, positions: np.zeros((len(positions), 3)))
    with pytest.raises(ValueError, match="fluid callback: must return velocities, accelerations and elevations"):
        system.initialize(0.0)
    system.set_fluid_callback(lambda time, positions: (np.zeros((1, 3)), None, None))
    with pytest.raises(ValueError, match="fluid callback: velocities has 1 rows, not 8"):
        system.initialize(0.0)
    with pendulum() as two:
        two.set_coupled_load_callback([0], lambda *_: np.zeros((2, 6)))
        with pytest.raises(ValueError, match="coupled load callback: wrenches has 2 rows, not 1"):
            two.initialize(0.0)


def test_a_callback_cannot_turn_to_its_own_system(system):
    def inside(*_):
        for call in (lambda: system.step(0.01), lambda: system.get_body_pose(0), system.close):
            with pytest.raises(pintle.UsageError) as caught:
                call()
            assert caught.value.status == pintle.Status.BAD_PHASE
        return None

    system.set_load_callback(0, inside)
    system.step(0.01)
    assert not system.closed


def test_arguments_may_be_kept(system):
    seen = []

    def keep(time, body, pose, velocity, acceleration):
        seen.append((time, pose, velocity, acceleration))

    system.set_load_callback(0, keep)
    system.step(0.01)
    first = [array.copy() for array in seen[0][1:]]
    system.run(0.1, 0.01)
    assert all(np.array_equal(a, b) for a, b in zip(first, seen[0][1:]))
    assert not np.array_equal(seen[0][1], seen[-1][1])
    with pytest.raises(ValueError):
        seen[0][1][0] = 3.0


def test_a_system_inside_a_callback_of_another():
    """A system that is stepped in the load callback of another: an exception of its own callback is raised by the outer step."""
    inner, outer = pendulum(), pendulum()
    inner.initialize(0.0)

    def load(*_):
        with inner.state_save() as saved:
            inner.step(0.001)
            inner.state_restore(saved)
        return [0.0] * 6

    outer.set_load_callback(0, load)
    outer.initialize(0.0)
    outer.step(0.01)
    inner.set_load_callback(0, lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        outer.step(0.01)


def test_callbacks_live_as_long_as_clones():
    calls = []
    system = free_body()
    system.set_load_callback(0, lambda *_: calls.append(1))
    system.initialize(0.0)
    clone = system.clone()
    system.close()
    del system
    gc.collect()
    before = len(calls)
    clone.step(0.01)
    assert len(calls) > before


def test_systems_and_callbacks_that_refer_to_each_other_are_collected():
    import weakref

    system = free_body()
    system.set_load_callback(0, lambda *_: system is None)
    seen = weakref.ref(system)
    del system
    gc.collect()
    assert seen() is None


def test_progress_stops_and_raises():
    system = moored()
    system.initialize(0.0)
    system.set_option("max_time_step", 1e-4)
    seen = []
    system.set_progress_callback(lambda time, fraction: seen.append((time, fraction)))
    system.step(0.1)
    assert seen and all(0 <= fraction <= 1 for _, fraction in seen)
    before = system.get_point_position(1)
    system.set_progress_callback(lambda *_: False)
    with pytest.raises(pintle.NumericsError) as caught:
        system.step(0.1)
    assert caught.value.status == pintle.Status.STOPPED and np.array_equal(before, system.get_point_position(1))
    system.set_progress_callback(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        system.step(0.1)


def test_threads_step_systems_of_their_own():
    """Each thread has its own system, its own callback and its own exception."""
    want = free_body()
    want.set_load_callback(0, spring)
    want = run(want).values
    results, errors = {}, {}

    def work(k):
        system = free_body()
        system.set_load_callback(0, spring)
        results[k] = run(system).values
        system.set_load_callback(0, lambda *_: {}[k])
        try:
            system.step(0.01)
        except KeyError as error:
            errors[k] = error.args

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == {k: (k,) for k in range(4)}
    assert all(np.array_equal(results[k], want) for k in range(4))
