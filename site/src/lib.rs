//! The documentation as a site: what `scripts/docs` hands to mdBook, and what `tests/docs/pages.rs` looks at.
//!
//! The pages of `docs/`, the README and the changelog become pages of a book ([`pages`]), formulas in them MathML, which
//! browsers show without any script or font from elsewhere ([`formulas`]). Each function of `pintle.h` has its entry in a
//! reference, made from the header, the Fortran module and the C++ header ([`mod@reference`]); where a page names a function,
//! it leads there. [`html`] says what is wrong with links of the built site.

pub mod formulas;
pub mod html;
pub mod pages;
pub mod reference;
