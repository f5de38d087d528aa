//! The cost of a step through this library beside pintle's own.

use crate::system::*;
use moordyn_pintle::version2::MoorDyn_Step;
use pintle::simulation::load_moordyn_for_hosts;
use std::time::Instant;

/// Measured: 0.1 to 0.6 us of 11 us; the bound leaves room for a loaded machine.
#[test]
fn a_step_costs_little_more_than_pintles() {
    const ROUNDS: usize = 100;
    const STEPS: u32 = 20;
    let _alone = crate::alone();
    let system = System::started(&one_line("", "-"), &[5.2, 0.0, -70.0]);
    let (mut own, _) = load_moordyn_for_hosts(&system.folder.0.join("lines.txt")).unwrap();
    own.settings().set_option("rho_inf", 0.3).unwrap();
    own.initialize(0.0).unwrap();
    let xd = [0.1, 0.0, 0.0];
    let (mut x, mut least) = ([5.2, 0.0, -70.0], [f64::INFINITY; 2]);
    for _ in 0..ROUNDS {
        let mut y = x;
        let clock = Instant::now();
        for _ in 0..STEPS {
            y[0] += xd[0] * 0.01;
            own.inputs().set_point_motion(1, &y, &xd, &[0.0; 3]).unwrap();
            own.step(0.01).unwrap();
            own.points().reaction(1).unwrap();
        }
        least[0] = least[0].min(clock.elapsed().as_secs_f64());
        let (mut f, mut t, mut dt) = ([0.0; 3], 0.0, 0.01);
        let clock = Instant::now();
        for _ in 0..STEPS {
            let status =
                unsafe { MoorDyn_Step(system.handle, x.as_ptr(), xd.as_ptr(), f.as_mut_ptr(), &mut t, &mut dt) };
            assert_eq!(status, OK);
            x[0] += xd[0] * 0.01;
        }
        least[1] = least[1].min(clock.elapsed().as_secs_f64());
    }
    let [own, through] = least.map(|time| time / f64::from(STEPS) * 1e6);
    println!("{through:.2} us per step, {:.2} us more than pintle's", through - own);
    assert!(through - own < 3.0, "{through} us through this library, {own} us through pintle's own functions");
}
