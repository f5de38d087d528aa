//! How a matrix gets memory in the middle of a step, where none was promised.

/// Runs some work with so many bytes of memory made sure of; false, with nothing done, where there are none.
pub type WithRoom = fn(usize, &mut dyn FnMut()) -> bool;

/// How a matrix gets memory.
#[derive(Clone, Copy, Default)]
pub struct Asking {
    /// None: as it comes.
    pub with_room: Option<WithRoom>,
    /// Bytes that were refused since this was set.
    pub missing: Option<usize>,
}

impl Asking {
    /// Does some work that takes so many bytes; false, with nothing done, where they are refused.
    pub fn run(&mut self, bytes: usize, work: &mut dyn FnMut()) -> bool {
        let done = match self.with_room {
            Some(with_room) => with_room(bytes, work),
            None => {
                work();
                true
            }
        };
        if !done {
            self.missing = Some(bytes);
        }
        done
    }
}
