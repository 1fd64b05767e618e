//! The byte source under the cursor: counts lines and columns, and stops where a limit is passed.

use super::error::{Location, Problem};
use std::io::{self, BufRead, Read};

/// A reader that knows where it stands. What it lends out between two marks is one token.
#[derive(Debug)]
pub(super) struct Input<R> {
    inner: R,
    location: Location,
    token: u64,
    total: u64,
    token_limit: u64,
    total_limit: u64,
    /// The limit that was passed; the `io::Error` handed to the parser stands in for it.
    passed: Option<Problem>,
}

impl<R: BufRead> Input<R> {
    pub(super) fn new(inner: R, token_limit: u64, total_limit: u64) -> Self {
        Input { inner, location: Location::START, token: 0, total: 0, token_limit, total_limit, passed: None }
    }

    /// A token begins here.
    pub(super) fn mark(&mut self) -> Location {
        self.token = 0;
        self.location
    }

    /// The limit that made the last read fail, if one did.
    pub(super) fn take_passed(&mut self) -> Option<Problem> {
        self.passed.take()
    }

    /// Drop `n` bytes that are no part of the text (a byte order mark): they take up no column.
    pub(super) fn drop_prefix(&mut self, n: usize) {
        self.inner.consume(n);
    }
}

impl<R: BufRead> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(out.len());
        out[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let problem = if self.token > self.token_limit {
            Problem::TokenTooLong(self.token_limit)
        } else if self.total > self.total_limit {
            Problem::FileTooLong(self.total_limit)
        } else {
            return self.inner.fill_buf();
        };
        self.passed = Some(problem);
        Err(io::Error::other("limit passed"))
    }

    fn consume(&mut self, n: usize) {
        // What is consumed was lent by `fill_buf` just before, so this lends the same bytes again.
        if let Ok(bytes) = self.inner.fill_buf() {
            self.location.advance(&bytes[..n.min(bytes.len())]);
        }
        self.inner.consume(n);
        self.token += n as u64;
        self.total += n as u64;
    }
}
