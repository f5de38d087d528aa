//! Memory for the moment in which the system has none: a failed allocation is a status, not the end of the host.
//!
//! Rust's standard library ends the process when an allocation of its own fails (of a message, of a list). So the heap of
//! a library for hosts (`libpintle`, the FMU's) is the system's with a reserve behind it: what the system refuses, the reserve
//! gives. It has two parts:
//!
//! - a fixed block for small things, always there: messages, names, the growth of short lists;
//! - what a call that needs memory in proportion to the model (initialization, the first step of a scheme, analyses,
//!   clones, files) asked for before it began, by [`promise`]. That can fail, and then the call fails before anything has
//!   changed; once it is granted, the call cannot run out of memory. A step that turns out to need more than the first one of its
//!   kind asks for it on the way ([`with_room`]), and fails as a whole where there is none.
//!   The pages are not touched unless they are needed, and go back when the call ends.
//!
//! A call that was served by the reserve succeeds. What it keeps stays in the reserve until it is freed; once half of the
//! fixed block is taken, calls are refused until the system gives memory again ([`ready`]).
//!
//! Safety: blocks come from the system's allocator or from heaps over memory that this file owns, and go back to where
//! their address says that they came from.

#[cfg(feature = "reserve")]
use crate::error::Error;
use crate::error::Result;

/// Size of the fixed block. It lies in zeroed memory that takes no room until it is used.
#[cfg(feature = "reserve")]
const FIXED: usize = 1 << 19;

/// Largest block that the fixed part gives: larger ones belong to lists that grow with the model, which are asked for by
/// calls that may fail.
#[cfg(feature = "reserve")]
const LARGEST: usize = 1 << 16;

pub use heap::{Promise, promise, ready};

/// Makes sure of so many bytes as long as the guard lives; of none nothing is asked. Errors: there is no memory.
#[inline]
pub fn room(bytes: usize) -> Result<Option<Promise>> {
    if bytes == 0 { Ok(None) } else { promise(bytes) }
}

/// Runs some work with so many bytes made sure of, in the middle of a call that did not ask for them before; false, with nothing
/// done, where there is no memory.
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

    /// Blocks that the reserve has given and that are not freed yet.
    static LIVE: AtomicUsize = AtomicUsize::new(0);

    static RESERVE: Reserve =
        Reserve { lock: Lock::new(), parts: UnsafeCell::new(Parts { fixed: None, promised: ptr::null_mut() }) };

    /// A variable of its own, all zeros, so that it takes no room in the file.
    static FIXED_BLOCK: Block = Block(UnsafeCell::new([0; FIXED]));

    /// Both parts of the reserve.
    struct Reserve {
        lock: Lock,
        parts: UnsafeCell<Parts>,
    }

    /// A lock that asks for no memory. On Linux it is the C library's, so that checkers of threads see what it protects
    /// (those of Rust are made of atomics, which helgrind takes for races).
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
        /// A `pthread_mutex_t` is smaller than this, and zeros are PTHREAD_MUTEX_INITIALIZER, in glibc and in musl.
        const fn new() -> Lock {
            Lock(UnsafeCell::new([0; 64]))
        }

        fn lock(&self) {
            // SAFETY: a mutex that is initialised, and that stays where it is; a plain one has no errors to return.
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

    /// What one call was promised: this head, and the heap over the memory behind it.
    struct Chunk {
        next: *mut Chunk,
        layout: Layout,
        heap: Heap,
        /// Whether the call is still running.
        held: bool,
        /// The thread that makes the call: what the chunk was promised for is asked for there, and calls of other threads
        /// must not eat it up.
        owner: usize,
    }

    impl Reserve {
        /// Runs `body` with the parts; others wait. Nothing in `body` asks for memory of this allocator.
        fn with<R>(&self, body: impl FnOnce(&mut Parts) -> R) -> R {
            self.lock.lock();
            // SAFETY: whoever has the lock is the only one here until it is given back.
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
                // SAFETY: NULL, or a chunk that `promise` has put into the list and `release` has not taken out.
                let chunk = unsafe { next.as_mut() }?;
                next = chunk.next;
                Some(chunk)
            })
        }

        /// Gives chunks back to the system whose call has ended and whose blocks are freed.
        fn release(&mut self) {
            let mut link = &raw mut self.promised;
            // SAFETY: `link` points to the head of the list or into a chunk that stays; chunks came from `System` with
            // their layout.
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

    /// A block of the reserve; NULL where it has none.
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

    /// Whether a heap's memory holds a block.
    fn holds(heap: &Heap, block: *mut u8) -> bool {
        (heap.bottom()..heap.top()).contains(&block)
    }

    /// Whether a block is one of the reserve's.
    #[cold]
    fn is_spare(block: *mut u8) -> bool {
        RESERVE.with(|parts| {
            parts.fixed.as_ref().is_some_and(|heap| holds(heap, block)) || parts.chunks().any(|c| holds(&c.heap, block))
        })
    }

    /// Takes a block back, if it is one of the reserve's.
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

    // SAFETY: blocks are the system's, or those of heaps over memory of this file; each goes back to where its address lies.
    // Nothing here unwinds.
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
            // A thread that frees a block of the reserve knows of its being given, and so sees the count.
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

    /// Memory that a running call may count on; given back on drop.
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

    /// Makes sure of so many bytes, on top of what the system gives; 0 needs none. Errors: the system does not have them.
    pub fn promise(bytes: usize) -> Result<Option<Promise>> {
        if bytes == 0 {
            return Ok(None);
        }
        let refused = Error::OutOfMemory { argument: "memory", bytes };
        let head = size_of::<Chunk>().next_multiple_of(64);
        let size = bytes.checked_add(head + 1024).filter(|size| isize::try_from(*size).is_ok());
        let Some(layout) = size.and_then(|size| Layout::from_size_align(size, 64).ok()) else { return Err(refused) };
        // SAFETY: the layout is not of size zero; the head is written before anyone sees the chunk, and the heap has the
        // memory behind it to itself.
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

    /// Makes sure that a call which needs only a little memory has it. Errors: half of the fixed block is taken, and the
    /// system has no more.
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

/// Without a reserve nothing is promised, and nothing refused.
#[cfg(not(feature = "reserve"))]
mod heap {
    use super::Result;

    /// Nothing.
    pub struct Promise;

    /// Grants all.
    pub fn promise(_: usize) -> Result<Option<Promise>> {
        Ok(None)
    }

    /// Grants all.
    pub fn ready() -> Result<Option<Promise>> {
        Ok(None)
    }
}
