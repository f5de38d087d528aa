//! Lines as every scheme moves them.

use pintle::Simulation;
use pintle::model::LineType;

fn oc3() -> LineType {
    LineType {
        diameter: 0.09,
        mass_per_length: 77.7066,
        ea: 384.243e6,
        ba: -0.8,
        cdn: 1.6,
        can: 1.0,
        cdt: 0.1,
        ..LineType::default()
    }
}

#[test]
fn a_line_falls_from_its_chord() {
    let mut s = Simulation::new();
    s.set_gravity(&[0.0, 0.0, -9.80665]).unwrap();
    for (key, value) in [("water_density", 1025.0), ("depth", 320.0)] {
        s.set_environment(key, value).unwrap();
    }
    let a = s.add_point(0.0, 0.0, &[853.87, 0.0, -320.0]).unwrap();
    let b = s.add_point(0.0, 0.0, &[5.2, 0.0, -70.0]).unwrap();
    s.fix_point(a).unwrap();
    s.fix_point(b).unwrap();
    let t = s.add_line_type(oc3()).unwrap();
    s.add_line(t, a, b, 902.2, 20).unwrap();
    s.initialize(0.0).unwrap();
    for k in 0..3000 {
        s.step(0.1).unwrap();
        if k % 100 == 0 {
            println!("{k} {:?} {:?}", s.point_reaction(b).unwrap(), s.statistic("iterations"));
        }
    }
}
