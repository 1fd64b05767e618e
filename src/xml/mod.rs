//! Reading XML in one pass: a cursor over elements with line and column, and limits that hostile input
//! cannot get past.
//!
//! **Problem.** Nets (PNML) and properties (the Model Checking Contest's formula files) arrive as XML, from
//! many tools and sometimes from nobody's tool at all. A reader must say *where* a file is wrong, and must
//! not be brought down by it: entities that expand to gigabytes, elements nested a million deep, a tag that
//! never ends, a file in another encoding or that is not XML at all.
//!
//! **Idea.** `XmlCursor` pulls one token at a time out of any [`BufRead`](std::io::BufRead) and offers the
//! three moves that a recursive-descent reader of a data format needs: the next child of the current element
//! (`next_child`), the text of a leaf element (`text`), and
//! stepping over an element that is of no interest (`skip`). Readers that must not recurse
//! use the flat event stream (`advance`).
//!
//! **What is refused.** Document type declarations, hence every entity but the five predefined ones; nesting,
//! single tokens and whole files beyond `Limits`; text where only elements belong; encodings other than
//! UTF-8, US-ASCII and ISO-8859-1. Namespace prefixes are dropped: elements and attributes go by local name.
//!
//! Memory is bounded by the depth limit and by the longest single token; it does not grow with the file.

mod cursor;
mod error;
mod escape;
mod input;

pub(crate) use cursor::{Event, XmlCursor};
pub use error::Location;
pub(crate) use error::{Problem, XmlError, excerpt};
pub use escape::escaped;

/// Limits beyond which a file is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// Elements inside one another.
    pub depth: usize,
    /// Bytes of one tag, comment or piece of text, and of the text of one element.
    pub token_bytes: u64,
    /// Bytes of the whole file.
    pub total_bytes: u64,
}

impl Default for Limits {
    /// 1 000 levels, 64 MiB per token, 4 GiB in all.
    fn default() -> Self {
        Limits { depth: 1_000, token_bytes: 64 << 20, total_bytes: 4 << 30 }
    }
}

#[cfg(test)]
mod tests;
