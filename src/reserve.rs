//! Reserve memory for the case that the system has none: a failed allocation becomes a status, not
//! the end of the host.
//!
//! Rust's standard library ends the process when one of its own allocations fails (of a message, of
//! a list). So the heap of a library for hosts (`libpintle`, the FMU's) is the system's with a
//! reserve: a block that the system refuses comes from the reserve. It has two parts:
//!
//! - a fixed block for small allocations, always there: messages, names, the growth of short lists;
//! - memory that a call which needs it in proportion to the model (initialization, the first step
//!   of a scheme, analyses, clones, files) has requested before it began, by [`promise`]. The
//!   request can fail, and then the call fails before anything has changed; once it is granted, the
//!   call cannot run out of memory. A step that needs more than the first one of its kind requests
//!   it on the way ([`with_room`]), and fails as a whole if it is refused. The pages are not
//!   touched unless they are needed, and are returned when the call ends.
//!
//! A call that was served by the reserve succeeds. Blocks that outlive it stay in the reserve until
//! they are freed; once half of the fixed block is in use, calls are refused until the system gives
//! memory again ([`ready`]).
//!
//! Safety: blocks come from the system's allocator or from heaps over memory that this file owns,
//! and return to the one whose memory contains their address.

#[cfg(feature = "reserve")]
use crate::error::Error;
use crate::error::Result;

/// Size of the fixed block. It is zeroed memory, which takes no pages until it is used.
#[cfg(feature = "reserve")]
const FIXED: usize = 1 << 19;

/// Largest block of the fixed part: larger ones belong to lists that grow with the model, which are
/// requested by calls that may fail.
#[cfg(feature = "reserve")]
const LARGEST: usize = 1 << 16;

pub use heap::{Promise, promise, ready};

/// Reserves a number of bytes while the guard lives; 0 reserves nothing. Errors: there is no
/// memory.
#[inline]
pub fn room(bytes: usize) -> Result<Option<Promise>> {
    if bytes == 0 { Ok(None) } else { promise(bytes) }
}

/// Runs some work with a number of bytes reserved, in the middle of a call that has not requested
/// them before; false, with nothing done, if there is no memory.
pub fn with_room(bytes: usize, work: &mut dyn FnMut()) -> bool {
    let Ok(_room) = promise(bytes) else { return false };
    work();
    true
}

/// cbindgen:ignore
#[cfg(feature = "reserve")]
mod heap {
    use super::{Error, FIXED, LARGEST, Result};
    use linked_list_allocator::Heap;
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::cell::UnsafeCell;
    use std::ptr::{self, NonNull};
    #[cfg(not(target_os = "linux"))]
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The system's heap with the reserve behind it.
    struct WithReserve;

    #[global_allocator]
    static HEAP: WithReserve = WithReserve;

    /// Blocks of the reserve that are not freed yet.
    static LIVE: AtomicUsize = AtomicUsize::new(0);

    static RESERVE: Reserve =
        Reserve { lock: Lock::new(), parts: UnsafeCell::new(Parts { fixed: None, promised: ptr::null_mut() }) };

    /// A static variable of its own, all zeros, so that it takes no space in the file.
    static FIXED_BLOCK: Block = Block(UnsafeCell::new([0; FIXED]));

    /// Both parts of the reserve.
    struct Reserve {
        lock: Lock,
        parts: UnsafeCell<Parts>,
    }

    /// A lock that does not allocate. On Linux it is the C library's, so that race detectors see
    /// what it protects (Rust's are made of atomics, which helgrind reports as races).
    #[cfg(target_os = "linux")]
    #[repr(align(16))]
    struct Lock(UnsafeCell<[u8; 64]>);

    #[cfg(target_os = "linux")]
    unsafe extern "C" {
        fn pthread_mutex_lock(mutex: *mut u8) -> i32;
        fn pthread_mutex_unlock(mutex: *mut u8) -> i32;
        fn pthread_self() -> usize;
    }

    /// A number that no other running thread has.
    #[cfg(target_os = "linux")]
    fn this_thread() -> usize {
        // SAFETY: asks for nothing and cannot fail.
        unsafe { pthread_self() }
    }

    /// A number that no other running thread has: the address of a variable of its own.
    #[cfg(not(target_os = "linux"))]
    fn this_thread() -> usize {
        thread_local!(static OWN: u8 = const { 0 });
        OWN.with(|own| ptr::from_ref(own) as usize)
    }

    #[cfg(target_os = "linux")]
    impl Lock {
        /// A `pthread_mutex_t` is smaller than this, and zeros are PTHREAD_MUTEX_INITIALIZER, in
        /// glibc and in musl.
        const fn new() -> Lock {
            Lock(UnsafeCell::new([0; 64]))
        }

        fn lock(&self) {
            // SAFETY: a mutex that is initialised, and that stays where it is; a plain one has no
            // errors to return.
            unsafe { pthread_mutex_lock(self.0.get().cast()) };
        }

        fn unlock(&self) {
            // SAFETY: as above; this thread has it locked.
            unsafe { pthread_mutex_unlock(self.0.get().cast()) };
        }
    }

    #[cfg(not(target_os = "linux"))]
    struct Lock(AtomicBool);

    #[cfg(not(target_os = "linux"))]
    impl Lock {
        const fn new() -> Lock {
            Lock(AtomicBool::new(false))
        }

        fn lock(&self) {
            while self.0.swap(true, Ordering::Acquire) {
                std::thread::yield_now();
            }
        }

        fn unlock(&self) {
            self.0.store(false, Ordering::Release);
        }
    }

    /// The memory of the fixed part.
    #[repr(align(64))]
    struct Block(UnsafeCell<[u8; FIXED]>);

    // SAFETY: the parts are reached through `Reserve::with` only, which holds the lock.
    unsafe impl Sync for Reserve {}
    // SAFETY: the block is reached through its heap only, which is one of the parts.
    unsafe impl Sync for Block {}

    struct Parts {
        /// The heap over the fixed block, once it was needed.
        fixed: Option<Heap>,
        /// The first chunk of a list.
        promised: *mut Chunk,
    }

    /// The reserved memory of one call: this head, and the heap over the memory after it.
    struct Chunk {
        next: *mut Chunk,
        layout: Layout,
        heap: Heap,
        /// Whether the call is still running.
        held: bool,
        /// The thread of the call, which alone may use the chunk.
        owner: usize,
    }

    impl Reserve {
        /// Runs `body` with the parts under the lock. `body` must not allocate from this allocator.
        fn with<R>(&self, body: impl FnOnce(&mut Parts) -> R) -> R {
            self.lock.lock();
            // SAFETY: the lock gives exclusive access until it is released.
            let result = body(unsafe { &mut *self.parts.get() });
            self.lock.unlock();
            result
        }
    }

    impl Parts {
        /// The heap over the fixed block.
        fn fixed(&mut self) -> &mut Heap {
            // SAFETY: the block lives as long as the library, and only this heap uses it.
            self.fixed.get_or_insert_with(|| unsafe { Heap::new(FIXED_BLOCK.0.get().cast(), FIXED) })
        }

        /// Each chunk of the list.
        fn chunks(&mut self) -> impl Iterator<Item = &mut Chunk> {
            let mut next = self.promised;
            std::iter::from_fn(move || {
                // SAFETY: NULL, or a chunk that `promise` has put into the list and `release` has
                // not taken out.
                let chunk = unsafe { next.as_mut() }?;
                next = chunk.next;
                Some(chunk)
            })
        }

        /// Returns chunks to the system whose call has ended and whose blocks are freed.
        fn release(&mut self) {
            let mut link = &raw mut self.promised;
            // SAFETY: `link` points to the head of the list or into a chunk that stays; chunks came
            // from `System` with their layout.
            unsafe {
                while !(*link).is_null() {
                    let chunk = *link;
                    if !(*chunk).held && (*chunk).heap.used() == 0 {
                        *link = (*chunk).next;
                        System.dealloc(chunk.cast(), (*chunk).layout);
                    } else {
                        link = &raw mut (*chunk).next;
                    }
                }
            }
        }
    }

    /// A block of the reserve; NULL if it has none.
    #[cold]
    fn spare(layout: Layout) -> *mut u8 {
        let owner = this_thread();
        let given = RESERVE.with(|parts| {
            let mine = |chunk: &&mut Chunk| chunk.held && chunk.owner == owner;
            let promised = parts.chunks().filter(mine).find_map(|chunk| chunk.heap.allocate_first_fit(layout).ok());
            let small = layout.size() <= LARGEST;
            promised.or_else(|| if small { parts.fixed().allocate_first_fit(layout).ok() } else { None })
        });
        match given {
            Some(block) => {
                LIVE.fetch_add(1, Ordering::Relaxed);
                block.as_ptr()
            }
            None => ptr::null_mut(),
        }
    }

    /// Whether a block is in a heap's memory.
    fn holds(heap: &Heap, block: *mut u8) -> bool {
        (heap.bottom()..heap.top()).contains(&block)
    }

    /// Whether a block is from the reserve.
    #[cold]
    fn is_spare(block: *mut u8) -> bool {
        RESERVE.with(|parts| {
            parts.fixed.as_ref().is_some_and(|heap| holds(heap, block)) || parts.chunks().any(|c| holds(&c.heap, block))
        })
    }

    /// Frees a block, if it is from the reserve.
    #[cold]
    fn take_back(block: *mut u8, layout: Layout) -> bool {
        let taken = RESERVE.with(|parts| {
            let Parts { fixed, .. } = &mut *parts;
            let of_fixed = fixed.as_mut().filter(|heap| holds(heap, block));
            // SAFETY: the block was given by the heap that holds it, with this layout.
            let give = |heap: &mut Heap| unsafe { heap.deallocate(NonNull::new_unchecked(block), layout) };
            if let Some(heap) = of_fixed {
                give(heap);
                return true;
            }
            let Some(chunk) = parts.chunks().find(|chunk| holds(&chunk.heap, block)) else { return false };
            give(&mut chunk.heap);
            parts.release();
            true
        });
        if taken {
            LIVE.fetch_sub(1, Ordering::Relaxed);
        }
        taken
    }

    // SAFETY: blocks are the system's, or those of heaps over memory of this file; each goes back
    // to where its address lies. Nothing here unwinds.
    unsafe impl GlobalAlloc for WithReserve {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promise is the same.
            let block = unsafe { System.alloc(layout) };
            if block.is_null() { spare(layout) } else { block }
        }

        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: as above; a block of the reserve has the size of the layout.
            unsafe {
                let block = System.alloc_zeroed(layout);
                if !block.is_null() {
                    return block;
                }
                let block = spare(layout);
                if !block.is_null() {
                    block.write_bytes(0, layout.size());
                }
                block
            }
        }

        #[inline]
        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            // A thread that frees a block of the reserve has synchronised with its allocation, and
            // so sees the count.
            if LIVE.load(Ordering::Relaxed) == 0 || !take_back(block, layout) {
                // SAFETY: not the reserve's, so the system's.
                unsafe { System.dealloc(block, layout) };
            }
        }

        #[inline]
        unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: as above; both blocks have the sizes of their layouts.
            unsafe {
                if LIVE.load(Ordering::Relaxed) == 0 || !is_spare(block) {
                    let moved = System.realloc(block, layout, size);
                    if !moved.is_null() {
                        return moved;
                    }
                }
                let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                if !moved.is_null() {
                    ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                    self.dealloc(block, layout);
                }
                moved
            }
        }
    }

    /// Reserved memory of a running call; released on drop.
    #[must_use]
    pub struct Promise(*mut Chunk);

    impl Drop for Promise {
        fn drop(&mut self) {
            RESERVE.with(|parts| {
                parts.chunks().filter(|chunk| ptr::eq(&raw const **chunk, self.0)).for_each(|chunk| chunk.held = false);
                parts.release();
            });
        }
    }

    /// Reserves a number of bytes, in addition to the system's memory; 0 reserves nothing. Errors:
    /// the system does not have them.
    pub fn promise(bytes: usize) -> Result<Option<Promise>> {
        if bytes == 0 {
            return Ok(None);
        }
        let refused = Error::OutOfMemory { argument: "memory", bytes };
        let head = size_of::<Chunk>().next_multiple_of(64);
        let size = bytes.checked_add(head + 1024).filter(|size| isize::try_from(*size).is_ok());
        let Some(layout) = size.and_then(|size| Layout::from_size_align(size, 64).ok()) else { return Err(refused) };
        // SAFETY: the layout is not of size zero; the head is written before anyone sees the chunk,
        // and the heap has the memory behind it to itself.
        let chunk = unsafe {
            let chunk = System.alloc(layout).cast::<Chunk>();
            if chunk.is_null() {
                return Err(refused);
            }
            let heap = Heap::new(chunk.cast::<u8>().add(head), layout.size() - head);
            chunk.write(Chunk { next: ptr::null_mut(), layout, heap, held: true, owner: this_thread() });
            chunk
        };
        RESERVE.with(|parts| {
            // SAFETY: written above, and in no list yet.
            unsafe { (*chunk).next = parts.promised };
            parts.promised = chunk;
        });
        Ok(Some(Promise(chunk)))
    }

    /// Checks that a call which needs only a little memory has it. Errors: half of the fixed block
    /// is in use, and the system has no more.
    #[inline]
    pub fn ready() -> Result<Option<Promise>> {
        if LIVE.load(Ordering::Relaxed) == 0 { Ok(None) } else { refilled() }
    }

    #[cold]
    fn refilled() -> Result<Option<Promise>> {
        let used = RESERVE.with(|parts| parts.fixed().used());
        if used > FIXED / 2 { promise(FIXED) } else { Ok(None) }
    }
}

/// Without a reserve nothing is reserved, and nothing refused.
#[cfg(not(feature = "reserve"))]
mod heap {
    use super::Result;

    /// An empty guard.
    pub struct Promise;

    /// Always succeeds.
    pub fn promise(_: usize) -> Result<Option<Promise>> {
        Ok(None)
    }

    /// Always succeeds.
    pub fn ready() -> Result<Option<Promise>> {
        Ok(None)
    }
}
