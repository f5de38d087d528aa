//! Asks the processor for memory that is read soon.
//!
//! Large models do not fit into the near caches, and each pass over them reads several lists side by side. Processors see that a
//! list is read in order and fetch what follows, but only up to the end of a page of 4 KB, and they begin anew in each page and for each
//! list. What is asked for some entries ahead is there when it is needed. Which lists are worth it was measured one by one.

/// How many bodies or constraints before its turn one is asked for in passes that do little with each: what is done meanwhile takes about
/// as long as memory does. It made no difference from 16 to 40; 8 were too few.
pub const AHEAD: usize = 24;

/// Bytes that a processor fetches at once.
const LINE: usize = 64;

/// Asks for so many entries from the first one on, in whatever memory that is: where there are none, nothing happens.
#[inline(always)]
pub fn entries<T>(list: &[T], first: usize, count: usize) {
    let start = list.as_ptr().wrapping_add(first);
    for line in 0..(count * size_of::<T>()).div_ceil(LINE) {
        ask(start.cast::<u8>().wrapping_add(line * LINE));
    }
}

/// Asks for one entry.
#[inline(always)]
pub fn entry<T>(list: &[T], k: usize) {
    entries(list, k, 1);
}

/// A hint, which changes nothing but time, whatever the address. Every processor of this architecture has it; others follow lists by
/// themselves.
#[inline(always)]
fn ask(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = pulp::core_arch::x86::Sse::try_new() {
        processor._mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_where_there_is_nothing_may_be_asked_for() {
        let list = [1.0, 2.0, 3.0];
        for first in [0, 3, 1 << 40, usize::MAX / 8, usize::MAX] {
            entries(&list, first, 100);
            entries::<f64>(&[], first, 1);
            entry(&[()], first);
        }
        assert_eq!(list, [1.0, 2.0, 3.0]);
    }
}
