//! The heap of a test: requests of each thread to malloc are counted, measured and, on request,
//! refused.
//!
//! The program defines malloc and related functions itself, before the C library's, so that all
//! allocations of the process pass through here, including those of the tested library with its own
//! allocator. For glibc.
#![allow(dead_code)] // every test file uses a part

use std::cell::Cell;
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
    fn malloc_usable_size(block: *mut c_void) -> usize;
}

/// Counters of a thread. No destructor, and in the program's own thread-local memory: reading it
/// does not allocate.
struct Thread {
    requests: Cell<u64>,
    bytes: Cell<usize>,
    frees: Cell<u64>,
    size: Cell<isize>,
    peak: Cell<isize>,
    /// Number of requests before the refused one; and whether all later ones are refused, too.
    grants: Cell<Option<u64>>,
    for_good: Cell<bool>,
    refused: Cell<u64>,
}

thread_local! {
    static THREAD: Thread = const {
        Thread {
            requests: Cell::new(0),
            bytes: Cell::new(0),
            frees: Cell::new(0),
            size: Cell::new(0),
            peak: Cell::new(0),
            grants: Cell::new(None),
            for_good: Cell::new(false),
            refused: Cell::new(0),
        }
    };
}

/// Counts a request; true if it is refused.
fn refuses(size: usize) -> bool {
    THREAD.with(|t| {
        t.requests.set(t.requests.get() + 1);
        t.bytes.set(t.bytes.get().wrapping_add(size));
        match t.grants.get() {
            None => false,
            Some(0) => {
                t.refused.set(t.refused.get() + 1);
                if !t.for_good.get() {
                    t.grants.set(None);
                }
                true
            }
            Some(n) => {
                t.grants.set(Some(n - 1));
                false
            }
        }
    })
}

fn entered(block: *mut c_void) -> *mut c_void {
    if !block.is_null() {
        let size = unsafe { malloc_usable_size(block) } as isize;
        THREAD.with(|t| {
            t.size.set(t.size.get() + size);
            t.peak.set(t.peak.get().max(t.size.get()));
        });
    }
    block
}

fn left(block: *mut c_void) {
    if !block.is_null() {
        let size = unsafe { malloc_usable_size(block) } as isize;
        THREAD.with(|t| t.size.set(t.size.get() - size));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    if refuses(size) { std::ptr::null_mut() } else { entered(unsafe { __libc_malloc(size) }) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let refused = refuses(count.saturating_mul(size));
    if refused { std::ptr::null_mut() } else { entered(unsafe { __libc_calloc(count, size) }) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    if refuses(size) {
        return std::ptr::null_mut();
    }
    left(block);
    let moved = unsafe { __libc_realloc(block, size) };
    entered(if moved.is_null() { block } else { moved });
    moved
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memalign(align: usize, size: usize) -> *mut c_void {
    if refuses(size) { std::ptr::null_mut() } else { entered(unsafe { __libc_memalign(align, size) }) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
    unsafe { memalign(align, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int {
    let block = unsafe { memalign(align, size) };
    if block.is_null() {
        return 12; // ENOMEM
    }
    unsafe { *out = block };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: *mut c_void) {
    if !block.is_null() {
        THREAD.with(|t| t.frees.set(t.frees.get() + 1));
        left(block);
    }
    unsafe { __libc_free(block) }
}

/// Number of allocations and frees of this thread in `action`.
pub fn traffic(action: impl FnOnce()) -> u64 {
    let now = || THREAD.with(|t| t.requests.get() + t.frees.get());
    let before = now();
    action();
    now() - before
}

/// Number of bytes that this thread allocates in `action`, including blocks that are freed later.
pub fn bytes<R>(action: impl FnOnce() -> R) -> (usize, R) {
    let now = || THREAD.with(|t| t.bytes.get());
    let before = now();
    let result = action();
    (now() - before, result)
}

/// The largest increase of this thread's allocated bytes in `action`.
pub fn peak<R>(action: impl FnOnce() -> R) -> (usize, R) {
    let before = THREAD.with(|t| {
        t.peak.set(t.size.get());
        t.size.get()
    });
    let result = action();
    (THREAD.with(|t| (t.peak.get() - before).max(0) as usize), result)
}

/// Runs `action`; of this thread's requests, the one after `grants` others is refused, and if
/// `for_good` all later ones. Returns the number of refused requests.
pub fn with_refusal<R>(grants: u64, for_good: bool, action: impl FnOnce() -> R) -> (u64, R) {
    THREAD.with(|t| {
        t.refused.set(0);
        t.for_good.set(for_good);
        t.grants.set(Some(grants));
    });
    let result = action();
    THREAD.with(|t| t.grants.set(None));
    (THREAD.with(|t| t.refused.get()), result)
}
