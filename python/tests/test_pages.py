"""Pages of runs: what is in them is what the run had. (tool/view/test.mjs opens such pages in a browser.)"""

import json
import pickle
import re
import zlib
from base64 import b64decode

import numpy as np
import pytest

import libpintle as pintle
from conftest import ROOT, moored, pendulum


class Page:
    """A page, decoded as its script does it; columns are one number over all frames."""

    def __init__(self, path):
        self.text = path.read_text()
        element = lambda name: re.search(f'id="{name}">(.*?)</script>', self.text, re.DOTALL)[1]  # noqa: E731
        self.run = json.loads(element("run"))
        data = zlib.decompress(b64decode(element("frames")))
        segments = sum(strand["segments"] for strand in self.run["strands"])
        exact = 1 + 7 * len(self.run["bodies"]) + len(self.run["channels"])
        widths = [(exact, 4), (3 * (segments + len(self.run["strands"])), 2), (segments, 1)]
        tables, frames, at = [], self.run["frames"], 0
        for columns, width in widths:
            count = columns * frames * width
            planes = np.frombuffer(data[at : at + count], "u1").reshape(width, columns, frames).astype("u4")
            numbers = sum(planes[k] << (8 * k) for k in range(width)) if columns else np.zeros((0, frames), "u4")
            tables.append(np.cumsum(numbers, axis=1, dtype="u4") & np.uint32(2 ** (8 * width) - 1))
            at += count
        assert at == len(data)
        floats = tables[0].view("f4")
        self.times, self.poses, self.channels = floats[0], floats[1 : 1 + 7 * len(self.run["bodies"])], floats[exact - len(self.run["channels"]) :]
        ends = np.array([self.run["nodeRanges"][k % 3] for k in range(len(tables[1]))]).reshape(-1, 2)
        self.nodes = ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * tables[1] / 65535
        least, most = self.run["tensionRange"]
        self.tensions = least + (most - least) * tables[2] / 255


def names(page):
    return [channel["name"] for channel in page.run["channels"]]


def test_frames_are_the_states_of_the_run(tmp_path):
    with pendulum() as system:
        system.initialize(1.0)
        twin = system.clone()
        run = system.run(1.4, 0.004)
    run.to_html(tmp_path / "swing.html")
    page = Page(tmp_path / "swing.html")
    assert (page.run["title"], page.run["frames"], page.run["start"]) == ("swing", 101, 1.0)
    assert page.run["scheme"] == "generalized-alpha, steps of 0.004 s"
    assert page.run["thinned"] == page.run["failure"] == ""
    for frame in range(0, 101, 20):
        assert page.poses[:, frame].tolist() == twin.get_body_pose(0).astype("f4").tolist()
        for _ in range(20 if frame < 100 else 0):
            twin.step(0.004)
    # What does not change is not in the charts: pos.y, roll and yaw.
    assert names(page) == ["bob.pos.x", "bob.pos.z", "bob.pitch", "joint0.angle"]
    assert page.channels[0].tolist() == run["bob.pos.x"].astype("f4").tolist()
    kinds = [part["kind"] for part in page.run["parts"]]
    assert kinds == ["box", "rod", "joint"] and page.run["parts"][2]["hasAxis"]
    # The homogeneous box of 1 kg with moments of inertia 0.1 is a cube with edges of sqrt(0.6).
    assert page.run["parts"][0]["size"] == pytest.approx([0.6**0.5] * 3, rel=1e-14)
    run.to_html(tmp_path / "named.html", title="</script><b>", channels="bob.vel.?,bob.pos.z")
    page = Page(tmp_path / "named.html")
    assert names(page) == ["bob.vel.x", "bob.vel.y", "bob.vel.z", "bob.pos.z"] and page.run["title"] == "</script><b>"
    assert "</script><b>" not in page.text


def test_lines_springs_points_and_waves_are_in_the_page(tmp_path):
    with moored() as system:
        bob = system.add_rigid_body(1.0, [0, 0, 0], [1, 1, 1, 0, 0, 0], [3, 0, 0, 1, 0, 0, 0])
        system.add_spring(pintle.GROUND, [0, 0, 5], bob, [0, 0, 1], 10.0, 0.0, 1.0, 0)
        system.add_point_spring(0, 1, 1.0, 0.0, 1.0, 0)
        system.set_waves([0.5, 1.0], [1.0, 0.7], [0.0, 0.3], [0.1, 0.2])
        system.initialize(0.0)
        run = system.run(1.0, 0.01)
        ends = [system.get_line_positions(0), [[0, 0, 5]], [system.get_body_pose(0)[:3] + [0, 0, 1]]]
        ends += [[system.get_point_position(point)] for point in (0, 1, 0, 1)]
        tensions = [*system.get_line_tensions(0), *(system.get_spring_force(k).tension for k in (0, 1))]
    run.to_html(tmp_path / "page.html")
    page = Page(tmp_path / "page.html")
    assert [strand["segments"] for strand in page.run["strands"]] == [5, 1, 1, 0, 0]
    sizes = np.array([most - least for least, most in page.run["nodeRanges"]])
    # The body does not turn, because the spring pulls along a line through its centre within rounding of this model.
    turned = 2 * np.linalg.norm(run["body0.roll"][-1:]) + np.linalg.norm(run["body0.pitch"][-1:])
    error = np.abs(page.nodes[:, -1].reshape(-1, 3) - np.concatenate(ends))
    assert (error[:6] <= sizes / 65535 + 1e-12).all() and (error[8:] <= sizes / 65535 + 1e-12).all()
    assert error[7].max() <= turned + sizes.max() / 65535
    # Tensions of springs outside of the range of the lines are moved to its ends.
    least, most = page.run["tensionRange"]
    assert page.tensions[:, -1] == pytest.approx(np.clip(tensions, least, most), abs=(most - least) / 255)
    assert page.run["waves"] == {"components": [[1.0, 0.7, 0.3, 0.2], [0.5, 1.0, 0.0, 0.1]], "gravity": 9.81, "ramp": 0.0}
    assert page.run["hasWater"] and page.run["depth"] is None


def test_beams_are_tubes_through_their_nodes(tmp_path):
    with pintle.System.load_model(ROOT / "models/flexible_pendulum.toml") as system:
        run = system.run(0.2, 0.01)
    run.to_html(tmp_path / "page.html")
    page = Page(tmp_path / "page.html").run
    (beam,) = page["beams"]
    assert beam["name"] == "rod"
    assert [page["bodies"][node["body"]] for node in beam["nodes"]] == [*(f"rod.{k}" for k in range(10)), "ball"]
    for node in beam["nodes"][:-1]:
        assert node["frame"] == [0, 0, 0, 1, 0, 0, 0]
    # On the ball, axis 2 of the section is up, along z.
    assert beam["nodes"][-1]["frame"] == pytest.approx([0, 0, 0, 0.5**0.5, 0.5**0.5, 0, 0], abs=1e-14)
    # A round section of 15 mm, with three digits in the file.
    assert np.array([node["halfAxes"] for node in beam["nodes"]]) == pytest.approx(np.full((11, 2), 0.015), abs=2e-5)
    # Charts have the end of the beam, not its other nodes.
    assert all(not channel["name"].startswith("rod.") for channel in page["channels"])
    # Nodes without mass of their own have no boxes.
    assert {part["kind"] for part in page["parts"]} <= {"sphere", "joint", "box", "rod"}
    assert {part["body"] for part in page["parts"]} == {page["bodies"].index("ball"), page["bodies"].index("rod.0")}


def test_beams_with_uneven_nodes_are_drawn(tmp_path):
    with pintle.System() as system:
        hub = system.add_rigid_body(1.0, [0, 0, 0], [1, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0])
        beam = system.add_uniform_beam([0, 0, 0], [4, 0, 0], [0, 1, 0], [1e6, 1e5, 1e5, 1e4, 4e4, 1e4], [1, 1, 1, 1], [0] * 6)
        for s in (0, 1, 2.5, 4):
            system.add_beam_node(beam, s)
        system.attach_beam(beam, 0, pintle.GROUND)
        system.attach_beam(beam, 1, hub)
        system.mesh_beam(beam, 0)
        system.add_uniform_beam([0, 1, 0], [4, 1, 0], [0, 0, 1], [1e6] * 6, [1] * 4, [0] * 6)
        run = system.run(0.02, 0.01)
    run.to_html(tmp_path / "page.html")
    # A beam without elements is not drawn, and of the first one a node whose place the library does not tell.
    (drawn,) = Page(tmp_path / "page.html").run["beams"]
    assert [node["body"] for node in drawn["nodes"]] == [pintle.GROUND, 1, 2]
    assert drawn["nodes"][0]["frame"] == pytest.approx([0, 0, 0, 1, 0, 0, 0], abs=1e-14)
    # sqrt(4 EI/EA) is 0.4 m and 0.2 m: at most a twentieth of the length is drawn, at 4 m 0.2 m.
    assert drawn["nodes"][1]["halfAxes"] == pytest.approx([0.2, 0.2])


def test_a_run_that_failed_says_so_and_shows_what_there_is(tmp_path):
    with pendulum() as system:
        system.initialize(0.0)

        def inputs(system, time):
            if time > 0.5:
                raise RuntimeError("no more")

        with pytest.raises(RuntimeError) as caught:
            system.run(1.0, 0.1, inputs=inputs)
    caught.value.run.to_html(tmp_path / "failed.html")
    page = Page(tmp_path / "failed.html")
    assert page.run["failure"] == "no more (at t = 0.500000 s)"
    assert page.times == pytest.approx(0.1 * np.arange(6), abs=1e-6)


@pytest.mark.parametrize("steps, most, interval", [(100, 2000, 1), (100, 50, 4), (101, 10, 16), (7, 2, 8)])
def test_frames_are_thinned_and_that_is_said(steps, most, interval, tmp_path):
    with pendulum() as system:
        system.initialize(0.0)
        run = system.run(steps * 0.01, 0.01, frames=most)
    run.to_html(tmp_path / "page.html")
    page = Page(tmp_path / "page.html")
    rows = sorted({*range(0, steps + 1, interval), steps})
    assert page.times == pytest.approx(run.time[rows], abs=1e-6) and len(rows) <= most
    assert page.channels[0].tolist() == run["bob.pos.x"][rows].astype("f4").tolist()
    assert page.run["thinned"].startswith("Thinned to a frame every") == (interval > 1)


def test_a_moored_platform_fits_into_a_megabyte(tmp_path):
    with pintle.System.load_model(ROOT / "models/oc4_moored.toml") as system:
        system.waves(6.0, 12.0)
        run = system.run(300.0, 0.05)
    run.to_html(tmp_path / "oc4.html")
    page = Page(tmp_path / "oc4.html")
    assert (tmp_path / "oc4.html").stat().st_size < 1_000_000
    assert page.run["frames"] == 1501 and len(page.run["waves"]["components"]) == 100
    assert {part["kind"] for part in page.run["parts"]} == {"cylinder"}


def test_shapes_are_drawn_and_wrong_ones_are_refused(tmp_path):
    (tmp_path / "plate.stl").write_text(
        "solid plate\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1000 0 0 vertex 0 5e2 0 endloop endfacet\nendsolid"
    )
    with pendulum() as system:
        system.add_shape(0, "box", size=[1, 2, 3], colour="#e0a526")
        system.add_shape(pintle.GROUND, "capsule", end_a=[0, 0, -1], end_b=[0, 0, 1], diameter=0.5, name="mast")
        system.add_shape(0, "sphere", diameter=1)
        system.add_shape(0, "stl", file=tmp_path / "plate.stl", scale=0.001)
        for wrong, words in [
            (dict(kind="cube"), "kind is 'cube', not one of box"),
            (dict(kind="box"), "size of a box is missing"),
            (dict(kind="box", size=[1, 2]), r"size has shape \(2,\), not \(3,\)"),
            (dict(kind="box", size=[1, 0, 2]), "size: 0 is not above 0"),
            (dict(kind="sphere", diameter=float("nan")), "diameter is not finite"),
            (dict(kind="sphere", diameter=1, size=[1, 1, 1]), "size is no key of a sphere"),
            (dict(kind="sphere", diameter=1, colour="red"), 'colour: "red" is no colour'),
            (dict(kind="cylinder", end_a=[0, 0, 0], end_b=[0, 0, 0], diameter=1), "end_b: is the same as end_a"),
            (dict(kind="stl", file=tmp_path / "none.stl"), "none.stl: No such file"),
            (dict(kind="stl", file=__file__), "is no STL file"),
        ]:
            with pytest.raises(ValueError, match=f"add_shape: .*{words}"):
                system.add_shape(0, **wrong)
        with pytest.raises(pintle.UsageError):
            system.add_shape(7, "sphere", diameter=1)
        assert system.shape_count() == 4
        system.save_model(tmp_path / "model.toml")
        system.initialize(0.0)
        run = system.clone().run(0.1, 0.01)
    run.to_html(tmp_path / "page.html")
    parts = Page(tmp_path / "page.html").run["parts"]
    assert [part["kind"] for part in parts] == ["box", "capsule", "sphere", "mesh", "joint"]
    assert [part["name"] for part in parts] == ["bob", "mast", "bob", "bob", "joint 0"]
    corners = np.frombuffer(b64decode(parts[3]["corners"]), "<f4")
    assert corners == pytest.approx([0, 0, 0, 1, 0, 0, 0, 0.5, 0])
    # The STL file has an absolute path, which model files do not have.
    again = pintle.System.load_model(tmp_path / "model.toml")
    assert [again.get_shape_text(k, "kind") for k in range(again.shape_count())] == ["box", "capsule", "sphere"]
    again.add_shape(0, "stl", file="plate.stl")
    again.save_model(tmp_path / "model.toml")
    (tmp_path / "plate.stl").unlink()
    with pytest.raises(ValueError, match="shape 3: file .*plate.stl: No such file"):
        pintle.System.load_model(tmp_path / "model.toml").run(0.1, 0.01).to_html(tmp_path / "page.html")


def test_a_run_may_be_pickled_and_have_no_frames(tmp_path):
    with pendulum() as system:
        system.initialize(0.0)
        run = pickle.loads(pickle.dumps(system.run(0.1, 0.01)))
        bare = system.run(0.2, 0.01, frames=0)
    run.to_html(tmp_path / "page.html")
    assert Page(tmp_path / "page.html").run["frames"] == 11
    with pytest.raises(ValueError, match="to_html: the run has no frames"):
        bare.to_html(tmp_path / "none.html")
    with pytest.raises(ValueError, match="to_html: no channel is called 'bob.pox.x' .*; did you mean 'bob.pos.x'"):
        run.to_html(tmp_path / "none.html", channels=["bob.pox.x"])
    assert not (tmp_path / "none.html").exists()
    with pytest.raises(OSError):
        run.to_html(tmp_path / "no/page.html")
    with pytest.raises(ValueError, match="run: frames is -1"):
        pendulum().run(1.0, 0.1, frames=-1)


def test_models_without_bodies_have_a_page(tmp_path):
    with pintle.System() as system:
        run = system.run(1.0, 0.5)
    run.to_html(tmp_path / "empty.html")
    page = Page(tmp_path / "empty.html")
    assert page.run["frames"] == 3 and page.run["bodies"] == page.run["parts"] == page.run["channels"] == []


def test_patterns_choose_channels():
    with pendulum() as system:
        run = system.run(0.1, 0.01, channels="*.pos.?,bob.vel.x,bob.pos.x")
        assert run.names == ("bob.pos.x", "bob.pos.y", "bob.pos.z", "marker0.pos.x", "marker0.pos.y", "marker0.pos.z", "bob.vel.x")
        with pytest.raises(ValueError, match="run: no channel is called 'bob.[*]s'"):
            system.run(0.2, 0.01, channels=["bob.*s"])
        with pytest.raises(TypeError, match="run: channels must be texts"):
            system.run(0.2, 0.01, channels=[3])
        assert system.time() == 0.1


def test_a_notebook_shows_the_page():
    with pendulum() as system:
        run = system.run(0.1, 0.01)
        assert run._repr_html_().startswith("<iframe srcdoc=")
        assert "bob.pos.x" in system.run(0.2, 0.01, frames=0)._repr_html_()
        assert "<td>body<td>1<td>bob" in system._repr_html_()
    assert "closed" in system._repr_html_()


def test_a_plot_has_a_panel_for_each_unit_and_names_at_its_curves(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    with pendulum() as system:
        run = system.run(1.0, 0.01)
    figure = run.plot()
    assert [panel.get_ylabel() for panel in figure.axes] == ["m", "rad"]
    assert [text.get_text() for text in figure.axes[0].texts] == ["bob.pos.x", "bob.pos.z"]
    # What does not change is left out, unless it is named in full.
    assert [text.get_text() for text in run.plot("bob.pos.?").axes[0].texts] == ["bob.pos.x", "bob.pos.z"]
    assert [text.get_text() for text in run.plot("bob.pos.y").axes[0].texts] == ["bob.pos.y"]
    figure.savefig(tmp_path / "run.svg")
    with pytest.raises(ValueError, match="plot: none of the channels changes"):
        run.plot("*.pos.y")
    matplotlib.pyplot.close("all")


def test_angles_of_a_tumbling_body_are_continuous_in_plots():
    from libpintle._plot import continuous

    time = np.arange(0, 10, 0.01)
    exact = np.column_stack([0.3 * time, 2 * time + 0.2, -0.7 * time])
    found = np.array([pintle.quat_to_euler_zyx(pintle.quat_from_euler_zyx(angles)) for angles in exact])
    names = ["b.roll", "b.pitch", "b.yaw", "a.yaw"]
    values = np.column_stack([found, found[:, 2]])
    drawn = continuous(names, range(4), values)
    assert np.abs(drawn[:, :3] - exact).max() < 1e-9
    assert np.abs(np.diff(values[:, 3])).max() > np.abs(np.diff(drawn[:, 3])).max()
    # Pitch alone is as it is.
    assert (continuous(names, [1], values) == values).all()


def test_names_at_the_ends_of_curves_do_not_overlap():
    from libpintle._plot import APART, spread

    heights = [0.5, 0.5, 0.9, 0.51]
    placed = spread(heights)
    assert min(np.diff(sorted(placed))) >= APART - 1e-12 and placed[2] == max(placed)
    assert np.mean(placed) == pytest.approx(np.mean(heights))
