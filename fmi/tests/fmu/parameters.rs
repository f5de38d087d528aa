//! Physical parameters: an FMU whose masses, springs, gravity and water are changed runs as the
//! model file that has these numbers; and the start in static equilibrium.

use crate::unit::{ERROR, Folder, OK, Unit};

/// A load on a spring below a crane's arm that turns on a spring, and a slide on a spring; the
/// depth of the water matters for the line only.
fn text(mass: f64, spring: [f64; 3], hinge: [f64; 3], slide: [f64; 3], gravity: f64, density: f64) -> String {
    format!(
        "pintle_model = 1\ngravity = [0, 0, {gravity}]\n\
         [environment]\nwater_density = {density}\ndepth = 30\n\
         [[body]]\nname = \"arm\"\nmass = 4\ninertia = [2, 2, 2, 0, 0, 0]\nposition = [0, 0, 0]\n\
         [[body]]\nname = \"load\"\nmass = {mass}\ninertia = [1, 1, 1, 0, 0, 0]\nposition = [2, 0, -3]\n\
         [[body]]\nname = \"cart\"\nmass = 3\ninertia = [1, 1, 1, 0, 0, 0]\nposition = [-5, 0, 0]\n\
         [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbody_a = \"ground\"\nbody_b = \"arm\"\npoint = [0, 0, 0]\n\
         axis = [0, 1, 0]\nspring = {{ stiffness = {}, damping = {}, rest = {} }}\n\
         [[joint]]\nname = \"rail\"\nkind = \"cylindrical\"\nbody_a = \"ground\"\nbody_b = \"cart\"\npoint = [-5, 0, 0]\n\
         axis = [0, 0, 1]\nspring = {{ stiffness = 10 }}\nslide_spring = {{ stiffness = {}, damping = {}, rest = {} }}\n\
         [[spring]]\nname = \"rope\"\nbody_a = \"arm\"\npoint_a = [2, 0, 0]\nbody_b = \"load\"\npoint_b = [0, 0, 0]\n\
         stiffness = {}\ndamping = {}\nrest_length = {}\n\
         [[point]]\nposition = [10, 0, -30]\nfixed = true\n[[point]]\nposition = [10, 0, -5]\nmass = 1\nvolume = 0.01\n\
         [[line_type]]\ndiameter = 0.1\nmass_per_length = 9\nea = 1e6\nba = 1e3\n\
         [[line]]\ntype = 0\npoint_a = 0\npoint_b = 1\nlength = 26\nsegments = 3\n",
        hinge[0], hinge[1], hinge[2], slide[0], slide[1], slide[2], spring[0], spring[1], spring[2],
    )
}

fn described() -> Folder {
    Folder::with(&text(20.0, [900.0, 3.0, 2.5], [800.0, 5.0, 0.1], [500.0, 2.0, 0.25], -9.81, 1025.0))
}

#[test]
fn changed_numbers_are_those_of_another_file() {
    let other = Folder::with(&text(35.0, [700.0, 9.0, 2.75], [1200.0, 8.0, 0.2], [300.0, 1.0, -0.5], -1.62, 900.0));
    let changes = [
        ("body.load.mass", 35.0),
        ("spring.rope.stiffness", 700.0),
        ("spring.rope.damping", 9.0),
        ("spring.rope.rest_length", 2.75),
        ("joint.hinge.spring.stiffness", 1200.0),
        ("joint.hinge.spring.damping", 8.0),
        ("joint.hinge.spring.rest", 0.2),
        ("joint.rail.slide_spring.stiffness", 300.0),
        ("joint.rail.slide_spring.damping", 1.0),
        ("joint.rail.slide_spring.rest", -0.5),
        ("gravity.z", -1.62),
        ("environment.water_density", 900.0),
    ];
    for version in [2, 3] {
        let (unit, right) = (Unit::new(version, &described()), Unit::started(version, &other));
        let plain = Unit::started(version, &described());
        for (name, value) in changes {
            assert_eq!(plain.get(name), unit.get(name), "{name}");
            unit.set(name, value);
            assert_eq!((unit.get(name), right.get(name)), (value, value), "{name}");
        }
        unit.start();
        for k in 0..20 {
            for unit in [&unit, &right, &plain] {
                unit.step(0.01 * f64::from(k), 0.01);
            }
            assert_eq!(unit.outputs(), right.outputs(), "step {k}");
        }
        assert_ne!(unit.outputs(), plain.outputs());
        // A state of the changed model, in another instance.
        let state = unit.save(std::ptr::null_mut());
        let fresh = Unit::started(version, &described());
        let (status, restored) = fresh.state_of(&unit.bytes(state));
        assert_eq!((status, fresh.restore(restored)), (OK, OK), "{}", fresh.said());
        for unit in [&unit, &fresh] {
            unit.step(0.2, 0.01);
        }
        assert_eq!(unit.outputs(), fresh.outputs());
        unit.drop_state(state);
        fresh.drop_state(restored);
    }
}

/// The rope carries the load without an acceleration: its tension is the weight, its length rest +
/// m g/k.
#[test]
fn runs_start_in_equilibrium_where_that_is_asked_for() {
    for version in [2, 3] {
        let unit = Unit::new(version, &described());
        unit.set("settings.equilibrium", 1.0);
        unit.set("body.load.mass", 35.0);
        unit.start();
        let weight = 35.0 * 9.81;
        for k in 0..50 {
            let (force, length) = (unit.get("spring.rope.tension"), unit.get("spring.rope.length"));
            assert!((force / weight - 1.0).abs() < 1e-6, "{k}: {force}");
            assert!((length - 2.5 - weight / 900.0).abs() < 1e-6, "{k}: {length}");
            unit.step(0.02 * f64::from(k), 0.02);
        }
    }
}

/// Values that the library refuses end the initialization with the name of the number; others may
/// follow.
#[test]
fn numbers_without_meaning_are_refused_by_name() {
    for version in [2, 3] {
        for (name, value, right) in
            [("body.load.mass", -1.0, 20.0), ("spring.rope.stiffness", -5.0, 900.0), ("settings.equilibrium", 0.5, 0.0)]
        {
            let unit = Unit::new(version, &described());
            unit.set(name, value);
            assert_eq!(unit.enter(0.0), OK);
            assert_eq!(unit.exit(), ERROR);
            assert!(unit.said().contains(name), "{}", unit.said());
            unit.set(name, right);
            assert_eq!(unit.exit(), OK, "{}", unit.said());
            unit.step(0.0, 0.01);
            assert_eq!(unit.try_set(name, &[right]), ERROR);
        }
    }
}
