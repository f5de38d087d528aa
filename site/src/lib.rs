//! The documentation as a site: `scripts/docs` passes it to mdBook, `tests/docs/pages.rs` tests it.
//!
//! The pages of `docs/`, the README and the changelog become pages of a book ([`pages`]), formulas
//! in them MathML, which browsers show without scripts or fonts from other sites ([`formulas`]).
//! Each function of `pintle.h` has an entry in a reference, made from the header, the Fortran
//! module and the C++ header ([`mod@reference`]); names of functions in pages link to it. [`html`]
//! checks the links of the built site.

pub mod formulas;
pub mod html;
pub mod pages;
pub mod reference;
