"""Bodies, joints, points, lines and springs as objects: the model is the one that the functions of the header make."""

import copy
import math
import pickle

import numpy as np
import pytest

import libpintle as pintle

NAN = float("nan")


def text(system, path):
    system.save_model(path)
    return path.read_text()


def test_objects_and_functions_make_the_same_model(tmp_path):
    with pintle.System() as system:
        system.environment(gravity=9.81, water_density=1000, depth=50)
        system.options(scheme="momentum-alpha", rho_inf=0.9)
        hull = system.body(10.0, [1, 2, 2.5], name="hull", position=[1, 0, -2], euler_deg=[0, 0, 90], com=[0, 0, -1], velocity=[1, 0, 0])
        arm = system.body(12.0, box=[1, 2, 3], omega=[0, 0, 1])
        system.revolute("ground", hull, point=[1, 0, 0], axis=[0, 2, 0], name="hinge").spring(5.0, 0.5)
        system.joint("spherical", "hull", arm, point=[1, 0, -3])
        chain = system.line_type(0.05, 10.0, 1e6, cdn=1.2, can=1.0, name="chain")
        system.line(chain, [20, 0, -40], (hull, [0, 0, -1]), 50.0, 5, name="mooring")
        system.spring("ground" and ("ground", [0, 0, 5]), (arm, [0, 0, 1]), 3.0, rest_length=1.0, tension_only=True)
        system.tendon([[0, 0, 9], (hull, [0, 0, 1]), [1, 0, 9]], 1e5, rest_length=30.0, sheaves={1: (0.25, [0, -1, 0], 3.0)}, friction={1: 0.3}, name="hoist")
        hull.cylinder([0, 0, -1], [0, 0, 1], 0.5)
        system.waves(2.0, 8.0, regular=True, heading=0.5, ramp=20)
        built = text(system, tmp_path / "built.toml")
    with pintle.System() as system:
        system.set_gravity([0, 0, -9.81])
        system.set_environment("water_density", 1000)
        system.set_environment("depth", 50)
        system.set_scheme("momentum-alpha")
        system.set_option("rho_inf", 0.9)
        turned = pintle.quat_from_euler_zyx(np.radians([0, 0, 90]))
        body = system.add_rigid_body(10.0, [0, 0, -1], [1, 2, 2.5, 0, 0, 0], [1, 0, -2, *turned])
        system.set_name("body", body, "hull")
        system.set_body_velocity(body, [1, 0, 0, 0, 0, 0])
        # A box of 12 kg has the moments b^2 + c^2, a^2 + c^2, a^2 + b^2.
        other = system.add_rigid_body(12.0, [0, 0, 0], [13, 10, 5, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0])
        system.set_body_velocity(other, [0, 0, 0, 0, 0, 1])
        # The box is also drawn.
        system.add_shape(other, "box", size=[1, 2, 3])
        joint = system.add_joint_at(pintle.JointKind.REVOLUTE, pintle.GROUND, body, [1, 0, 0], [0, 2, 0])
        system.set_name("joint", joint, "hinge")
        system.set_joint_spring(joint, 5.0, 0.5, 0.0)
        system.add_joint_at(pintle.JointKind.SPHERICAL, body, other, [1, 0, -3])
        kind = system.add_line_type(0.05, 10.0, 1e6, -1.0, 0.0, 1.2, 1.0, 0.0, 0.0)
        system.set_name("line_type", kind, "chain")
        anchor, fairlead = system.add_point(0, 0, [20, 0, -40]), system.add_point(0, 0, [0, 0, -1])
        system.fix_point(anchor)
        system.attach_point(fairlead, body, [0, 0, -1])
        system.set_name("line", system.add_line(kind, anchor, fairlead, 50.0, 5), "mooring")
        system.add_spring(pintle.GROUND, [0, 0, 5], other, [0, 0, 1], 3.0, 0.0, 1.0, 1)
        system.add_tendon([-1, body, -1], [[0, 0, 9], [0, 0, 1], [1, 0, 9]], 1e5, 0.0, 30.0)
        system.set_tendon_sheave(0, 1, 0.25, [0, -1, 0], 3.0)
        system.set_tendon_friction(0, 1, 0.3)
        system.set_name("tendon", 0, "hoist")
        system.add_cylinder(body, [0, 0, -1], [0, 0, 1], 0.5, 10, 1.0, 1.0, 0.0, 0.0)
        system.set_waves([1.0], [2 * math.pi / 8], [0.5], [0.0])
        system.set_environment("wave_ramp", 20)
        assert text(system, tmp_path / "called.toml") == built


def test_orientations_and_inertias_of_all_kinds_agree(tmp_path):
    turn = pintle.quat_from_rotvec([0, math.radians(30), 0])
    tensor = [[3, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 3]]
    ways = [dict(quat=turn), dict(quat=1.005 * turn), dict(euler_deg=[0, 30, 0]), dict(axis=[0, 7, 0], angle_deg=30)]
    with pintle.System() as system:
        for way in ways:
            system.body(2.0, tensor, **way)
        system.body(2.0, [3, 3, 3, 0.1, 0.2, 0.3], quat=turn)
        mass = system.get_body_mass(0)
        system.body(mass, quat=turn)
        for body in system.bodies():
            assert system.get_body_mass(body) == pytest.approx(mass, abs=1e-14)
            assert system.get_body_initial_motion(body).pose[3:] == pytest.approx(turn, abs=1e-15)


def test_an_object_is_the_id_and_knows_its_outputs():
    with pintle.System() as system:
        system.environment(gravity=[0, 0, -2.0])
        bob = system.body(1.0, [0.1] * 3, position=[1, 0, 0])
        hinge = system.revolute("ground", bob, point=[0, 0, 0], axis=[0, 1, 0])
        fixed = system.point([0, 0, 3])
        free = system.point([0, 0, 1], mass=2.0)
        spring = system.spring(fixed, free, 10.0, rest_length=1.0)
        assert (bob, hinge, fixed, free, spring) == (0, 0, 0, 1, 0) and isinstance(bob, pintle.Body)
        bob.name = "bob"
        assert repr(bob) == "<libpintle.Body 0 'bob'>" and system.find("body", "bob") == bob
        system.initialize(0.0)
        # About the hinge: (1 + 0.1) alpha = m g l, and a spring that pulls with 10 N on 2 kg that weigh 4 N.
        assert hinge.coordinate.qdd == pytest.approx(2.0 / 1.1, rel=1e-12)
        assert bob.acceleration[2] == pytest.approx(-2.0 / 1.1, rel=1e-12)
        assert spring.force == (2.0, 10.0)
        bob.load(force=[0, 0, 2.0])
        hinge.load(1.1)
        system.mark_discontinuity()
        system.step(0.01)
        # Only the moment is left: half of 1 rad/s^2 times t^2.
        assert hinge.coordinate.q == pytest.approx(0.5e-4, rel=1e-3)
        assert bob.pose.shape == (7,) and bob.velocity.shape == (6,) and free.position.shape == free.velocity.shape == (3,)
        assert np.array_equal(hinge.reaction, system.get_joint_reaction(0))
        assert type(copy.copy(bob)) is int and pickle.loads(pickle.dumps(bob)) == 0


def test_a_driven_joint_moves_as_it_is_told():
    with pintle.System() as system:
        cart = system.body(1.0, box=[1, 1, 1])
        slide = system.prismatic("ground", cart, point=[0, 0, 0], axis=[1, 0, 0]).drive()
        run = system.run(1.0, 0.1, inputs=lambda _, time: slide.move(time**2, 2 * time, 2.0))
        assert run["body0.pos.x"] == pytest.approx(run.time**2, abs=1e-12)


def test_a_line_breaks_off_at_a_time():
    with pintle.System() as system:
        system.environment(gravity=10.0)
        rope = system.line(system.line_type(0.01, 0.1, 1e5), [0, 0, 0], [1, 0, 0], 1.2, 4)
        with pytest.raises(ValueError, match="fail: end is 'c', not 'a' or 'b'"):
            rope.fail("c", time=1)
        with pytest.raises(pintle.UsageError, match="pintle_set_line_failure"):
            rope.fail("b")
        rope.fail("b", time=0.2)
        assert system.get_line_failure(rope, 1).time == 0.2
        system.run(0.15, 0.01)
        assert not rope.released.end_b
        system.run(0.3, 0.01)
        assert rope.released.end_b and not rope.released.end_a


def test_a_released_line_falls():
    with pintle.System() as system:
        system.environment(gravity=9.81, water_density=1000)
        rope = system.line(system.line_type(0.05, 10.0, 1e6), [0, 0, 0], [10, 0, 0], 11.0, 5)
        system.initialize(0.0)
        low = rope.positions[:, 2].min()
        rope.release("b")
        assert rope.released.end_b and not rope.released.end_a
        system.run(2.0, 0.01)
        assert rope.positions[-1, 2] < low < 0 and rope.tensions.shape == (5,)
        with pytest.raises(ValueError, match="release: end is 'c'"):
            rope.release("c")


WRONG = [
    (lambda s: s.body("1", [1, 1, 1]), "body: mass must be a number, not str"),
    (lambda s: s.body(NAN, [1, 1, 1]), "body: mass is nan, not finite"),
    (lambda s: s.body(1.0), "body: give either inertia or box"),
    (lambda s: s.body(1.0, [1, 1, 1], box=[1, 1, 1]), "body: give either inertia or box"),
    (lambda s: s.body(1.0, [1, 1]), r"body: inertia has shape \(2,\)"),
    (lambda s: s.body(1.0, [[1, 1, 0], [0, 1, 0], [0, 0, 1]]), "body: inertia is not symmetric"),
    (lambda s: s.body(np.eye(6), [1, 1, 1]), "body: inertia, box and com are part"),
    (lambda s: s.body(1.0, box=[1, -1, 1]), r"body: box is \[1.*\], not above 0"),
    (lambda s: s.body(1.0, [1, 1, 1], position=[0, 0]), r"body: position has shape \(2,\)"),
    (lambda s: s.body(1.0, [1, 1, 1], velocity=[0, 0, NAN]), "body: velocity is .*, not finite"),
    (lambda s: s.body(1.0, [1, 1, 1], quat=[1, 1, 0, 0]), "body: quat has the norm 1.41421, not 1"),
    (lambda s: s.body(1.0, [1, 1, 1], quat=[1, 0, 0, 0], euler_deg=[0, 0, 0]), "body: give one of quat"),
    (lambda s: s.body(1.0, [1, 1, 1], axis=[1, 0, 0]), "body: axis and angle_deg belong together"),
    (lambda s: s.body(1.0, [1, 1, 1], axis=[0, 0, 0], angle_deg=1), "body: axis has the length 0"),
    (lambda s: s.body(1.0, [1, 1, 1], name="bob"), "body: the name 'bob' is taken"),
    (lambda s: s.body(1.0, [1, 1, 1], name=""), "body: name has 0 letters"),
    (lambda s: s.body(1.0, [1, 1, 1], name=3), "body: name must be text, not int"),
    (lambda s: s.body(1.0, [-1, 1, 1]), "pintle_add_rigid_body: "),
    (lambda s: s.joint("hinge", "ground", 0), "joint: kind is 'hinge', not one of fixed, spherical, revolute"),
    (lambda s: s.revolute("ground", object(), point=[0, 0, 0], axis=[1, 0, 0]), "revolute: b must be a body, its name"),
    (lambda s: s.revolute("ground", "bop", point=[0, 0, 0], axis=[1, 0, 0]), "pintle_find: .*bop"),
    (lambda s: s.revolute("ground", 3, point=[0, 0, 0], axis=[1, 0, 0]), "id = 3 is not a body"),
    (lambda s: s.revolute("ground", 0, point=[0, 0], axis=[1, 0, 0]), r"revolute: point has shape \(2,\)"),
    (lambda s: s.revolute("ground", 0, point=[0, 0, 0], axis=[0, 0, 0]), "pintle_add_joint_at: axis"),
    (lambda s: s.screw("ground", 0, point=[0, 0, 0], axis=[0, 0, 1], pitch=NAN), "screw: pitch is nan"),
    (lambda s: s.rolling("ground", 0, radius=NAN), "rolling: radius is nan"),
    (lambda s: s.rolling("ground", 0, radius=1.0, plane=[0, 0, 0]), r"rolling: plane has shape \(3,\)"),
    (lambda s: s.point([0, 0, NAN]), "point: position is .*, not finite"),
    (lambda s: s.point([0, 0, 0], mass=-1), "pintle_add_point: mass"),
    (lambda s: s.point([0, 0, 0], body="bop"), "pintle_find: .*bop"),
    (lambda s: s.line_type(0.1, 1.0, "stiff"), "line_type: ea must be a number, not str"),
    (lambda s: s.line(0, [0, 0, 0], [1, 0, 0], 1.0), "id = 0 is not a line_type"),
    (lambda s: s.spring([0, 0, 0], (0, [0, 0]), 1.0, rest_length=1.0), r"spring: b has shape \(2,\)"),
    (lambda s: s.spring(s.bodies()[0], [0, 0, 0], 1.0, rest_length=1.0), "spring: a is a body: say where"),
    (lambda s: s.tendon([[0, 0, 0]], 1.0, rest_length=1.0), "tendon: through has 1 eyes, not 2 to 8"),
    (lambda s: s.tendon([[0, 0, 0], s.bodies()[0]], 1.0, rest_length=1.0), r"tendon: through\[1\] is a body: say where"),
    (lambda s: s.tendon([[0, 0, 0], [0, 0, 1], (0, [0, 0, 1])], 1.0, rest_length=1.0, sheaves={2: (1.0, [0, 1, 0], 1.0)}), "tendon: sheaves has 2, not 1 to 1"),
    (lambda s: s.tendon([[0, 0, 0], [0, 0, 1], (0, [0, 0, 1])], 1.0, rest_length=1.0, sheaves={1: (1.0, [0, 1], 1.0)}), r"tendon: sheaves\[1\] has shape"),
    (lambda s: s.tendon([[0, 0, 0], [0, 0, 1], (0, [0, 0, 1])], 1.0, rest_length=1.0, friction={1: -0.5}), r"tendon: friction\[1\] is -0.5"),
    (lambda s: s.tendon([[0, 0, 0], [0, 0, 1], (0, [0, 0, 1])], 1.0, 0.5, rest_length=1.0, friction={1: 0.5}), "tendon: friction goes without damping"),
    (lambda s: s.spring([0, 0, 0], (0, [0, 0, 1]), NAN, rest_length=1.0), "spring: stiffness is nan"),
    (lambda s: s.options(rho_inf="0.9"), "options: rho_inf must be a number"),
    (lambda s: s.options(rho=0.9), "pintle_set_option: .*rho"),
    (lambda s: s.environment(gravity=[0, 1]), r"environment: gravity has shape \(2,\)"),
    (lambda s: s.waves(-1.0, 8.0, regular=True), "waves: height is -1.0"),
    (lambda s: s.waves(1.0, 8.0, ramp=-1.0), "waves: ramp is -1.0, below 0"),
    (lambda s: s.waves(1.0, 0.0), "pintle_set_irregular_waves: period"),
]


@pytest.mark.parametrize("k", range(len(WRONG)))
def test_what_is_wrong_is_named_and_nothing_is_added(k, tmp_path):
    call, words = WRONG[k]
    with pintle.System() as system:
        system.environment(gravity=9.81, water_density=1000)
        system.body(1.0, [1, 1, 1], name="bob")
        before = text(system, tmp_path / "before.toml")
        with pytest.raises((TypeError, ValueError), match=words):
            call(system)
        assert text(system, tmp_path / "after.toml") == before
