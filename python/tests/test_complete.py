"""The package has all functions of pintle.h, each documented, with types; and the header can be read by parsers of C."""

import inspect
import re

import pytest

import libpintle as pintle
import libpintle._system
from conftest import ROOT

HEADER = (ROOT / "include/pintle.h").read_text()
FUNCTIONS = re.findall(r"^(?:int32_t |const char \*)pintle_(\w+)\(", HEADER, re.MULTILINE)

#: Functions with another name in Python; get_api is for hosts that load the library by themselves.
ELSEWHERE = {
    "create": pintle.System.__init__,
    "destroy": pintle.System.close,
    "state_destroy": pintle.State.close,
    "state_serialize": pintle.State.serialize,
    "get_api": None,
}


def find(name):
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    return getattr(pintle.System, name, None) or getattr(pintle, name, None)


def test_every_function_of_the_header_is_there():
    assert len(FUNCTIONS) > 150
    assert [name for name in FUNCTIONS if name not in ELSEWHERE and find(name) is None] == []


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "get_api"])
def test_it_has_a_docstring_and_types_and_names_nothing_of_c(name):
    function = find(name)
    text = inspect.getdoc(function)
    assert text, name
    assert not re.search(r"pintle_|PINTLE_|\bNULL\b|may be NULL|column-major", text), text
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        assert parameter.name in ("self", "cls") or parameter.annotation is not inspect.Parameter.empty
    assert signature.return_annotation is not inspect.Signature.empty
    arguments = [one for one in signature.parameters if one not in ("self", "cls", "out", "path", "data")]
    if "Args:" in text:
        assert all(re.search(rf"^    {one}: ", text, re.MULTILINE) for one in arguments), text


def test_constants_are_those_of_the_header():
    numbers = {
        name: int(value) for name, value in re.findall(r"^#define PINTLE_(\w+) \(?(-?\d+)\)?$", HEADER, re.MULTILINE)
    }
    found = {"GROUND": pintle.GROUND, "ABI": pintle.abi_version(), "OK": pintle.Status.OK}
    kinds = {
        "ERR": pintle.Status,
        "PHASE": pintle.Phase,
        "FRAME": pintle.Frame,
        "JOINT": pintle.JointKind,
        "STOP": pintle.StopLaw,
        "CONTACT": pintle.ContactSurface,
        "EVENT": pintle.EventKind,
    }
    for prefix, kind in kinds.items():
        found.update({f"{prefix}_{one.name}": one.value for one in kind if one.name != "OK"})
    assert found == numbers


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert pintle.__version__ == pintle.version() == version("libpintle")


def test_pycparser_reads_the_header_after_the_documented_preparation():
    pycparser = pytest.importorskip("pycparser")
    import header

    tree = pycparser.CParser().parse(header.INTEGERS + header.declarations(HEADER, constants=False))
    declared = {one.name for one in tree.ext if isinstance(one, pycparser.c_ast.Decl)}
    assert {f"pintle_{name}" for name in FUNCTIONS} <= declared
    assert len(FUNCTIONS) == len(set(FUNCTIONS))
