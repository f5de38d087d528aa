//! Calls in random order with random arguments: every one returns a code of MoorDyn, none is a bug,
//! and a state that was saved before is restored to the last bit.

use crate::system::*;
use moordyn_pintle::parts::*;
use moordyn_pintle::version2::*;
use std::ptr::null_mut;

const REST: [f64; 9] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0];
const CALLS: usize = 3000;

/// Knuth's 64-bit linear congruence.
struct Random(u64);

impl Random {
    /// A whole number below n.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Numbers that hosts should not give among those that they may.
fn number(random: &mut Random, usual: f64) -> f64 {
    match random.below(30) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -usual,
        3 => 0.0,
        4 => 1e300,
        _ => usual,
    }
}

#[test]
fn random_calls_return_codes_and_leave_the_system_usable() {
    let mut random = Random(46);
    let system = System::started(&body_and_point(), &REST);
    let s = system.handle;
    unsafe { MoorDyn_SetVerbosity(s, 4096) };
    let saved = system.serialized();
    let mut counts = [0; 2];
    for call in 0..CALLS {
        // Handles of any kind, also none, in any place.
        let mut any = || match random.below(12) {
            0 => null_mut(),
            1 => s,
            2..5 => system.body(1),
            5..8 => system.point(1 + random.below(8) as u32),
            _ => system.line(1 + random.below(4) as u32),
        };
        let (a, b) = (any(), any());
        let i = match random.below(5) {
            0 => u32::MAX,
            _ => random.below(23) as u32,
        };
        let mut out = [0.0; 36];
        let p = out.as_mut_ptr();
        let status = unsafe {
            match random.below(24) {
                0..6 => {
                    let x: [f64; 9] = std::array::from_fn(|k| number(&mut random, REST[k] + 0.01 * (k as f64)));
                    let xd = [number(&mut random, 0.05); 9];
                    let dt = number(&mut random, 0.2);
                    system.try_step(&x, &xd, dt.min(10.0)).0
                }
                6 => system.deserialize(&saved),
                7 if call % 50 == 0 => MoorDyn_BreakLine(s, a, b),
                8 => MoorDyn_SetLineUnstretchedLength(a, number(&mut random, 640.0)),
                9 => MoorDyn_SetLineUnstretchedLengthVel(a, number(&mut random, 0.1)),
                10 => MoorDyn_GetLineNodePos(a, i, p),
                11 => MoorDyn_GetLineNodeVel(a, i, p),
                12 => MoorDyn_GetLineNodeForce(a, i, p),
                13 => MoorDyn_GetLineNodeTen(a, i, p),
                14 => MoorDyn_GetLineNodeM(a, i, p),
                15 => MoorDyn_GetLineNodeCurv(a, i, p),
                16 => MoorDyn_GetPointForce(a, p),
                17 => MoorDyn_GetPointM(a, p),
                18 => MoorDyn_GetBodyM(a, p),
                19 => MoorDyn_GetBodyState(a, p, p.add(6)),
                20 => MoorDyn_GetPointAttached(a, i, &mut null_mut(), &mut 0),
                21 => MoorDyn_ExternalWaveKinGetCoordinates(s, vec![0.0; 600].as_mut_ptr()),
                22 => MoorDyn_GetLineMaxTen(a, p),
                _ => MoorDyn_Init(s, REST.as_ptr(), REST.as_ptr()),
            }
        };
        assert!([OK, NAN, INVALID_VALUE].contains(&status), "call {call}: {status}, {}", last_error());
        counts[usize::from(status == OK)] += 1;
        assert!(status != OK || out.iter().all(|value| value.is_finite()), "call {call}: {out:?}");
    }
    assert!(counts.iter().all(|count| *count > CALLS / 5), "{counts:?}");
    assert_eq!(system.deserialize(&saved), OK, "{}", last_error());
    assert_eq!(system.serialized(), saved);
}
