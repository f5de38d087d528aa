//! The library's heap wishes large lists to lie on large pages, where the system has such.
#![cfg(target_os = "linux")]

use pintle as _;
use std::ops::Range;

const MEGABYTE: usize = 1 << 20;

/// How many bytes of a range of addresses are marked as wished on large pages (`hg` among the flags of proc_pid_smaps(5)).
fn marked(range: Range<usize>) -> usize {
    let maps = std::fs::read_to_string("/proc/self/smaps").expect("smaps of this process");
    let mut mapping = 0..0;
    let mut found = 0;
    for line in maps.lines() {
        if let Some(flags) = line.strip_prefix("VmFlags:") {
            if flags.split_whitespace().any(|flag| flag == "hg") {
                found += mapping.end.min(range.end).saturating_sub(mapping.start.max(range.start));
            }
        } else if let Some((start, end)) = line.split(' ').next().and_then(|addresses| addresses.split_once('-'))
            && let (Ok(start), Ok(end)) = (usize::from_str_radix(start, 16), usize::from_str_radix(end, 16))
        {
            mapping = start..end;
        }
    }
    found
}

fn addresses<T>(list: &[T]) -> Range<usize> {
    let start = list.as_ptr() as usize;
    start..start + size_of_val(list)
}

/// Whether this kernel knows large pages at all: it marks what is asked for directly.
fn has_large_pages() -> bool {
    let size = 4 * MEGABYTE;
    // SAFETY: a mapping of this function's own, which nobody else sees, and which is unmapped at its end.
    unsafe {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let block = libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0);
        assert_ne!(block, libc::MAP_FAILED);
        let granted = libc::madvise(block, size, libc::MADV_HUGEPAGE) == 0;
        libc::munmap(block, size);
        granted
    }
}

#[test]
fn large_lists_lie_on_large_pages_but_for_their_ends() {
    let size = 16 * MEGABYTE;
    let mut grown = vec![1u8; MEGABYTE / 2];
    grown.resize(size, 1);
    for list in [vec![1u8; size], vec![0u8; size], grown] {
        let marked = marked(addresses(&list));
        if has_large_pages() {
            assert!((size - 4 * MEGABYTE..=size).contains(&marked), "{marked} bytes of {size} are marked");
        } else {
            assert_eq!(marked, 0);
        }
        // What stands in the list stands there still.
        assert!(list.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
