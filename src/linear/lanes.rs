//! Four numbers side by side, one in each lane of a register where the processor has such (x86-64-v3), for work that does the same
//! for each row of an array, or with the columns of matrices of three rows (`threes`). Compilers find no lanes by themselves where rows have a length like 6 or 7, so such work is written with
//! the operations below: once, for both kinds of processors, with the same operations on each number and so the same bits.

use super::several::{Four, Number};

/// What four lanes can do.
pub trait Lanes: Copy {
    /// Four numbers.
    type Four: Copy;

    /// These numbers.
    fn four(self, numbers: [f64; 4]) -> Self::Four;

    /// What the four are.
    fn numbers(self, four: Self::Four) -> [f64; 4];

    /// `a + b`.
    fn plus(self, a: Self::Four, b: Self::Four) -> Self::Four;

    /// `a - b`.
    fn minus(self, a: Self::Four, b: Self::Four) -> Self::Four;

    /// `a b`.
    fn times(self, a: Self::Four, b: Self::Four) -> Self::Four;

    /// `|a|`.
    fn abs(self, a: Self::Four) -> Self::Four;

    /// Whether the first three of `a` are larger than those of `b`.
    fn exceed(self, a: Self::Four, b: Self::Four) -> bool;

    /// `factor a`.
    #[inline(always)]
    fn scaled(self, a: Self::Four, factor: f64) -> Self::Four {
        self.times(a, self.four([factor; 4]))
    }

    /// Two neighbouring columns of four rows.
    fn columns(self, rows: [[f64; 2]; 4]) -> [Self::Four; 2];

    /// Columns as rows again.
    fn rows(self, columns: [Self::Four; 2]) -> [[f64; 2]; 4];
}

/// Work in lanes: all that is under `run` must be `#[inline(always)]`, which the standard library's maps of arrays are not: each
/// operation in them would be a call.
pub trait WorkInLanes {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Does the work by the best instructions of this processor.
#[inline(always)]
pub fn run_in_lanes<W: WorkInLanes>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = super::processor::newer() {
        return processor.vectorize(newer::Inside(work, processor));
    }
    run_in_plain_lanes(work)
}

#[inline(never)]
pub fn run_in_plain_lanes<W: WorkInLanes>(work: W) -> W::Output {
    work.run(Plain)
}

/// Lanes of any processor: numbers one by one.
#[derive(Clone, Copy)]
pub struct Plain;

impl Lanes for Plain {
    type Four = Four;

    #[inline(always)]
    fn four(self, numbers: [f64; 4]) -> Four {
        Four(numbers)
    }

    #[inline(always)]
    fn numbers(self, Four(numbers): Four) -> [f64; 4] {
        numbers
    }

    #[inline(always)]
    fn plus(self, a: Four, b: Four) -> Four {
        a.plus(b)
    }

    #[inline(always)]
    fn minus(self, a: Four, b: Four) -> Four {
        a.minus(b)
    }

    #[inline(always)]
    fn times(self, Four(a): Four, Four(b): Four) -> Four {
        Four([a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]])
    }

    #[inline(always)]
    fn abs(self, Four([a, b, c, d]): Four) -> Four {
        Four([a.abs(), b.abs(), c.abs(), d.abs()])
    }

    #[inline(always)]
    fn exceed(self, Four(a): Four, Four(b): Four) -> bool {
        (a[0] > b[0]) & (a[1] > b[1]) & (a[2] > b[2])
    }

    #[inline(always)]
    fn columns(self, rows: [[f64; 2]; 4]) -> [Four; 2] {
        [rows.map(|row| row[0]), rows.map(|row| row[1])].map(Four)
    }

    #[inline(always)]
    fn rows(self, [Four(a), Four(b)]: [Four; 2]) -> [[f64; 2]; 4] {
        [[a[0], b[0]], [a[1], b[1]], [a[2], b[2]], [a[3], b[3]]]
    }
}

/// Registers of four numbers.
#[cfg(target_arch = "x86_64")]
mod newer {
    use super::{Lanes, WorkInLanes};
    use pulp::cast;
    use pulp::x86::V3;
    use std::arch::x86_64::{__m128d, __m256d};

    /// Work as the other crate takes it.
    pub struct Inside<W>(pub W, pub V3);

    impl<W: WorkInLanes> pulp::NullaryFnOnce for Inside<W> {
        type Output = W::Output;

        #[inline(always)]
        fn call(self) -> W::Output {
            self.0.run(self.1)
        }
    }

    impl Lanes for V3 {
        type Four = __m256d;

        #[inline(always)]
        fn four(self, numbers: [f64; 4]) -> __m256d {
            cast(numbers)
        }

        #[inline(always)]
        fn numbers(self, four: __m256d) -> [f64; 4] {
            cast(four)
        }

        #[inline(always)]
        fn plus(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_add_pd(a, b)
        }

        #[inline(always)]
        fn minus(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_sub_pd(a, b)
        }

        #[inline(always)]
        fn times(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_mul_pd(a, b)
        }

        #[inline(always)]
        fn abs(self, a: __m256d) -> __m256d {
            self.avx._mm256_andnot_pd(self.avx._mm256_set1_pd(-0.0), a)
        }

        #[inline(always)]
        fn exceed(self, a: __m256d, b: __m256d) -> bool {
            let larger = self.avx._mm256_cmp_pd::<{ std::arch::x86_64::_CMP_GT_OQ }>(a, b);
            self.avx._mm256_movemask_pd(larger) & 0b111 == 0b111
        }

        // Rows 0 and 2, and 1 and 3, in the halves of a register each: then the halves of both are exchanged within themselves,
        // and nothing moves from half to half but on its way from memory and to it.
        #[inline(always)]
        fn columns(self, [a, b, c, d]: [[f64; 2]; 4]) -> [__m256d; 2] {
            let avx = self.avx;
            let halves = |low, high| {
                let (low, high): (__m128d, __m128d) = (cast::<[f64; 2], _>(low), cast::<[f64; 2], _>(high));
                avx._mm256_insertf128_pd::<1>(avx._mm256_castpd128_pd256(low), high)
            };
            let (even, odd) = (halves(a, c), halves(b, d));
            [avx._mm256_unpacklo_pd(even, odd), avx._mm256_unpackhi_pd(even, odd)]
        }

        #[inline(always)]
        fn rows(self, [a, b]: [__m256d; 2]) -> [[f64; 2]; 4] {
            let even: [f64; 4] = cast(self.avx._mm256_unpacklo_pd(a, b));
            let odd: [f64; 4] = cast(self.avx._mm256_unpackhi_pd(a, b));
            [[even[0], even[1]], [odd[0], odd[1]], [even[2], even[3]], [odd[2], odd[3]]]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::processor;

    /// `a b + (a - b)` of the two first columns, and the columns back in their places.
    struct Sample<'a>(&'a mut [[f64; 2]; 4], &'a mut [f64; 8]);

    impl WorkInLanes for Sample<'_> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) {
            let [a, b] = lanes.columns(*self.0);
            let c = lanes.plus(lanes.times(a, b), lanes.minus(a, lanes.four([0.0, 1.0, 2.0, 3.0])));
            self.1.copy_from_slice(lanes.rows([c, a]).as_flattened());
        }
    }

    #[test]
    fn lanes_stay_where_they_are_on_both_kinds_of_processors() {
        let run = || {
            let (mut rows, mut out) = ([[0.1, 1.3], [0.7, -2.1], [1e-3, 17.0], [5.5, 0.3]], [0.0; 8]);
            run_in_lanes(Sample(&mut rows, &mut out));
            (rows, out)
        };
        let (rows, out) = run();
        assert_eq!((rows, out), processor::as_if_old(run));
        for (k, [a, b]) in rows.into_iter().enumerate() {
            assert_eq!(out[2 * k..2 * k + 2], [a * b + (a - k as f64), a]);
        }
    }

    /// Whether three numbers exceed others, and the sizes of four.
    struct Compared([f64; 4], [f64; 4]);

    impl WorkInLanes for Compared {
        type Output = (bool, [f64; 4]);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> (bool, [f64; 4]) {
            let (a, b) = (lanes.four(self.0), lanes.four(self.1));
            (lanes.exceed(a, b), lanes.numbers(lanes.abs(a)))
        }
    }

    #[test]
    fn three_numbers_exceed_others_only_all_together_whatever_the_fourth() {
        let limits = [1.0, -2.0, 0.5, 0.0];
        for (numbers, expected) in [
            ([1.5, -1.0, 0.6, f64::NAN], true),
            ([1.5, -1.0, 0.6, -7.0], true),
            ([1.0, -1.0, 0.6, 1.0], false),
            ([1.5, -2.5, 0.6, 1.0], false),
            ([1.5, -1.0, f64::NAN, 1.0], false),
        ] {
            let run = || run_in_lanes(Compared(numbers, limits));
            for (exceeds, sizes) in [run(), processor::as_if_old(run)] {
                assert_eq!(exceeds, expected, "{numbers:?}");
                assert_eq!(sizes.map(f64::to_bits), numbers.map(|x| x.abs().to_bits()));
            }
        }
    }
}
