//! Kernels in the instructions of newer processors (x86-64-v3: registers of four numbers), where there are such.
//!
//! The same code is compiled twice; what is chosen at run time does the same operations on each number, so that results have
//! the same bits: compilers do not make a product and a sum one operation unless they are told to. It
//! pays for few kernels: factorisations of chains take a quarter fewer instructions and some 8 % less time, and the code stands
//! there twice.

#[cfg(target_arch = "x86_64")]
use crate::valgrind;

/// Work that is compiled for more than one kind of processor: all that is under `run` must be `#[inline(always)]`.
pub trait Work {
    /// What comes out.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does the work by the best instructions of this processor; which these are is found once.
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = newer() {
        return processor.vectorize(Inside(work));
    }
    run_anywhere(work)
}

/// The newer instructions, where this processor has them, and valgrind does not stand between.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn newer() -> Option<pulp::x86::V3> {
    pulp::x86::V3::try_new().filter(|_| !is_old())
}

/// Does it by the instructions that every processor of the architecture has.
#[inline(never)]
pub fn run_anywhere<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(all(target_arch = "x86_64", not(test)))]
#[inline(always)]
fn is_old() -> bool {
    valgrind::runs_this_process()
}

#[cfg(test)]
thread_local! {
    /// Whether this thread does as if the processor were an old one.
    static OLD: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(all(target_arch = "x86_64", test))]
fn is_old() -> bool {
    OLD.get() || valgrind::runs_this_process()
}

/// What a function gives where the processor is an old one.
#[cfg(test)]
pub fn as_if_old<T>(function: impl FnOnce() -> T) -> T {
    OLD.set(true);
    let result = function();
    OLD.set(false);
    result
}

/// Work as the other crate takes it.
#[cfg(target_arch = "x86_64")]
struct Inside<W>(W);

#[cfg(target_arch = "x86_64")]
impl<W: Work> pulp::NullaryFnOnce for Inside<W> {
    type Output = W::Output;

    #[inline(always)]
    fn call(self) -> W::Output {
        self.0.run()
    }
}
