//! Whether valgrind runs this process: then kernels for newer processors are left alone (`linear::processor`), as valgrind does not know
//! all of their instructions (3.19 ends a process at a `vmovq` between two registers) and hosts under memcheck would end with
//! them. Plain kernels give the same bits.

use std::sync::atomic::{AtomicU8, Ordering};

/// What the first question was answered by.
static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;

/// Whether it does; asked once.
#[inline(always)]
pub fn runs_this_process() -> bool {
    match ANSWER.load(Ordering::Relaxed) {
        UNKNOWN => first(),
        answer => answer == YES,
    }
}

#[cold]
#[inline(never)]
fn first() -> bool {
    let answer = ask();
    ANSWER.store(if answer { YES } else { NO }, Ordering::Relaxed);
    answer
}

/// RUNNING_ON_VALGRIND of its manual (Client requests): rotations that leave a register as it was, and an exchange of a register with
/// itself, which do nothing on a processor, and which valgrind takes for a question.
fn ask() -> bool {
    const RUNNING_ON_VALGRIND: u64 = 0x1001;
    let question = [RUNNING_ON_VALGRIND, 0, 0, 0, 0, 0];
    let mut answer = 0u64;
    // SAFETY: changes no register but rdx, and reads the six numbers of the question at most.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") question.as_ptr(),
            inout("rdx") answer,
            out("rdi") _,
            options(nostack, readonly),
        );
    }
    answer != 0
}
