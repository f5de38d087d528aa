"""Any arguments for any function in any phase lead to an exception or a result, never to a crash; where Python can detect that
an argument is wrong, the exception names function and argument."""

import inspect
import itertools
import re

import numpy as np
import pytest

import libpintle as pintle
from conftest import IDENTITY, moored, pendulum
from libpintle._builder import Builder

#: Values that no function may accept in place of its arguments, and values that some accept.
VALUES = [
    None, "", "text", "bob\0", "\ud800", b"bytes", object(), 1, -1, -2, 10**30, 1.5, float("nan"), float("inf"), 1j, True, [], [[]], {},
    [1.0, 2.0, 3.0], [1.0] * 6, [float("nan")] * 6, IDENTITY, np.zeros((6, 6)), np.zeros((3, 3)), np.zeros((1, 6)), np.zeros((1, 7)),
    np.zeros((2, 2, 2)), np.zeros(6, complex), np.array(["a"] * 6), np.zeros(6, object), np.array([None] * 6), [[1], [1, 2]],
    np.ma.masked_array([1.0] * 6), np.zeros((12, 12))[::2, ::2], np.zeros(0), np.float32(1.5), lambda *_: None, [0], [0, 0], [0, 10**12],
    0, pintle.Frame.BODY, "body",
]  # fmt: skip

METHODS = [
    name
    for name, one in inspect.getmembers(pintle.System)
    if callable(one)
    and not name.startswith("_")
    and name not in ("close", "load_model", "load_moordyn", "load_trusted_moordyn", "run")
]
FUNCTIONS = [
    name
    for name in pintle.__all__
    if inspect.isfunction(getattr(pintle, name)) and name not in ("error_message", "version", "abi_version")
]


def expected(error):
    """Allowed outcomes: a PintleError with a message, or an argument that Python refuses."""
    return isinstance(error, (pintle.PintleError, TypeError, ValueError, OverflowError))


def required(function):
    return [
        name
        for name, one in inspect.signature(function).parameters.items()
        if one.default is inspect.Parameter.empty and name != "self" and one.kind is not inspect.Parameter.VAR_KEYWORD
    ]


def systems():
    yield "building", pendulum()
    ready = pendulum()
    ready.initialize(0.0)
    yield "ready", ready
    trial = ready.clone()
    trial.advance(0.01)
    yield "trial", trial
    lines = moored()
    lines.initialize(0.0)
    yield "lines", lines
    closed = pendulum()
    closed.close()
    yield "closed", closed


@pytest.mark.parametrize("name", METHODS)
def test_a_method_refuses_what_it_cannot_take(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for phase, original in systems():
        wanted = required(getattr(original, name))
        for k, value in itertools.product(range(max(len(wanted), 1)), VALUES):
            system = original.clone() if phase != "closed" else original
            # The others are as plain as can be: id 0, the first array that fits by chance or not.
            arguments = [value if i == k else 0 for i in range(len(wanted))]
            try:
                getattr(system, name)(*arguments)
            except Exception as error:
                assert expected(error), f"{name}{tuple(arguments)!r} in {phase}: {error!r}"
                if phase == "closed" and isinstance(error, ValueError):
                    assert name in str(error), error
            else:
                assert phase != "closed" or name in ("error_message",), f"{name} of a closed system gave something"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_refuses_what_it_cannot_take(name):
    function = getattr(pintle, name)
    wanted = required(function)
    for values in itertools.product(VALUES, repeat=min(len(wanted), 2)):
        try:
            function(*values, *[values[0]] * (len(wanted) - len(values)))
        except Exception as error:
            assert expected(error), f"{name}{values!r}: {error!r}"


@pytest.mark.parametrize("name", [name for name in METHODS if required(getattr(pintle.System, name)) and name not in vars(Builder)])
def test_the_culprit_is_named(name):
    """Each parameter in turn gets an object that has no C type, the others values of a correct type. (test_builder.py has those of
    the methods that take points, bodies by name and defaults.)"""
    system, function = pendulum(), getattr(pintle.System, name)
    types = inspect.signature(function).parameters
    for culprit in required(function):
        arguments = {other: plain(other, types[other].annotation, inspect.getdoc(function)) for other in required(function)}
        arguments[culprit] = object()
        with pytest.raises((TypeError, ValueError)) as caught:
            getattr(system, name)(**arguments)
        assert re.match(f"{name}: .*{culprit}", str(caught.value)), caught.value


def plain(name, annotation, documented):
    """Zeros of the type and shape that the function asks for."""
    shape = re.search(rf"^    {name}: shape \(([^)]*)\)", documented, re.MULTILINE)
    if shape:
        return np.zeros([int(one) if one.strip().isdigit() else 0 for one in shape[1].split(",") if one.strip()])
    if annotation in ("ArrayLike", "Sequence[int]"):
        return []
    return {"int": 0, "float": 0.0}.get(annotation, "body" if "str" in annotation else None)


def test_shapes_and_types_are_said(system):
    for call, words in [
        (lambda: system.set_body_load(0, 0, [1, 2, 3]), r"set_body_load: wrench has shape \(3,\), not \(6,\)"),
        (lambda: system.set_body_load(0, 0, np.zeros((6, 1))), r"set_body_load: wrench has shape \(6, 1\), not \(6,\)"),
        (lambda: system.set_body_loads(0, np.zeros((1, 5))), r"set_body_loads: wrenches has shape \(1, 5\), not \(n, 6\)"),
        (lambda: system.set_added_mass(0, np.zeros(36), 0), r"set_added_mass: a has shape \(36,\), not \(6, 6\)"),
        (lambda: system.set_body_load(2**31, 0, [0] * 6), r"set_body_load: body is 2147483648, which is no 32-bit integer"),
        (lambda: system.find("body", "a\0b"), "find: name has a NUL character"),
        (lambda: system.get_body_pose(0, out=np.zeros(6)), r"get_body_pose: out has shape \(6,\), not \(7,\)"),
        (lambda: system.get_body_pose(0, out=np.zeros(14)[::2]), "get_body_pose: out must be contiguous"),
        (lambda: pintle.retract(np.zeros((2, 7)), np.zeros((1, 6))), "retract: poses has 2 rows, increments has 1"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()
    frozen = np.zeros(7)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="get_body_pose: out is read-only"):
        system.get_body_pose(0, out=frozen)
    for call, words in [
        (lambda: system.get_body_pose("0"), "get_body_pose: body must be an integer, not str"),
        (lambda: system.get_body_pose(0.0), "get_body_pose: body must be an integer, not float"),
        (lambda: system.step("0.1"), "step: dt must be a number, not str"),
        (lambda: system.set_body_load(0, 0, np.zeros(6, complex)), "set_body_load: wrench must be real numbers, not of dtype complex128"),
        (lambda: system.set_body_load(0, 0, ["1"] * 6), "set_body_load: wrench must be real numbers, not of dtype <U1"),
        (lambda: system.get_body_pose(0, out=np.zeros(7, np.float32)), "get_body_pose: out must be of dtype float64"),
        (lambda: system.get_body_pose(0, out=[0] * 7), "get_body_pose: out must be a numpy array, not list"),
        (lambda: system.find("body", 3), "find: name must be text, not int"),
        (lambda: system.set_load_callback(0, 3), "set_load_callback: function must be callable or None"),
        (lambda: system.state_restore(b""), "state_restore: state must be a State, not bytes"),
    ]:
        with pytest.raises(TypeError, match=words):
            call()


def test_a_refusal_of_the_library_has_status_name_and_message(system):
    with pytest.raises(pintle.UsageError) as caught:
        system.get_body_pose(7)
    error = caught.value
    assert error.status == pintle.Status.BAD_ID and error.status_name == "PINTLE_ERR_BAD_ID"
    assert "7" in error.message and error.message == system.error_message()
    assert str(error) == f"PINTLE_ERR_BAD_ID: {error.message}" and isinstance(error, ValueError)
    with pytest.raises(pintle.ResourceError):
        pintle.System.load_model("/nowhere/at/all.toml")
    assert {pintle.status_severity(one) for one in (pintle.Status.OK, pintle.Status.IO)} == {0, 4}


def test_other_floats_and_orders_are_converted(system):
    for wrench in (np.arange(6, dtype=np.float32), np.arange(12.0)[::2] / 2, np.arange(6.0).astype(">f8"), range(6), tuple(range(6))):
        system.set_body_load(0, pintle.Frame.INERTIAL, wrench)
        assert np.array_equal(system.get_body_load(0), np.arange(6.0))


def test_matrices_are_row_column_in_both_directions(system):
    c = np.arange(36.0).reshape(6, 6)
    for given in (c, np.asfortranarray(c), c.tolist()):
        system.set_linear_damping(0, given, pintle.Frame.BODY)
        back = system.get_linear_damping(0)
        assert np.array_equal(back.c, c) and back.frame is pintle.Frame.BODY
    turn = pintle.quat_to_dcm(pintle.quat_from_rotvec([0, 0, np.pi / 2]))
    assert np.allclose(turn @ [1, 0, 0], [0, 1, 0], atol=1e-15)  # x turns to y: rounding of sine and cosine
    out = np.empty((3, 3), order="F")
    assert pintle.quat_to_dcm([1, 0, 0, 0], out=out).base is not None and np.array_equal(out, np.eye(3))
