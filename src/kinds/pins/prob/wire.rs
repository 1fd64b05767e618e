//! Requests and replies as lists of frames.
//!
//! All numbers are decimal text in a frame of their own; a *list* is a number and then so many frames; a *matrix* is a
//! number of rows, each a name and a list of names. The reply to `init` has numbered parts in any order, each with the
//! number of its frames, so that those that nobody knows can be skipped.

use std::fmt;

/// A reply that is none: what is wrong with it, and at which frame.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("frame {frame} of the reply: {message}")]
pub struct Nonsense {
    /// The number of the frame, from 1 on.
    pub frame: usize,
    /// The expectation, or the part that does not fit.
    pub message: String,
}

/// Rows by name, each with the names of its columns.
pub type Matrix = Vec<(String, Vec<String>)>;

/// The description of a machine by its server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Described {
    /// The state before initialisation.
    pub root: Vec<Vec<u8>>,
    /// Names of groups; the first is the one that initialises.
    pub groups: Vec<String>,
    /// Names of variables.
    pub variables: Vec<String>,
    /// Names of their types.
    pub types: Vec<String>,
    /// Parts of the invariant, with the variables that they read.
    pub invariants: Matrix,
    /// Propositions for formulas, with the variables that they read.
    pub propositions: Matrix,
    /// Variables that groups may write.
    pub may_write: Matrix,
    /// Variables that they always write.
    pub must_write: Matrix,
    /// Variables that their actions read.
    pub reads: Matrix,
    /// Variables that their guards read.
    pub guards: Matrix,
}

/// A place in a reply.
struct Frames<'a> {
    frames: &'a [Vec<u8>],
    at: usize,
}

/// The longest excerpt of a frame in a message.
const EXCERPT: usize = 40;

impl<'a> Frames<'a> {
    fn wrong<T>(&self, message: impl fmt::Display) -> Result<T, Nonsense> {
        Err(Nonsense { frame: self.at, message: message.to_string() })
    }

    fn frame(&mut self, expected: &str) -> Result<&'a [u8], Nonsense> {
        let Some(frame) = self.frames.get(self.at) else {
            self.at += 1;
            return self.wrong(format!("it ends where {expected} is expected"));
        };
        self.at += 1;
        Ok(frame)
    }

    fn number(&mut self, expected: &str) -> Result<usize, Nonsense> {
        let frame = self.frame(expected)?;
        match std::str::from_utf8(frame).ok().and_then(|text| text.parse().ok()) {
            Some(number) => Ok(number),
            None => {
                let excerpt = String::from_utf8_lossy(frame.get(..EXCERPT).unwrap_or(frame));
                self.wrong(format!("`{excerpt}` is not {expected}"))
            }
        }
    }

    fn name(&mut self, expected: &str) -> Result<String, Nonsense> {
        let frame = self.frame(expected)?;
        match std::str::from_utf8(frame) {
            Ok(name) => Ok(name.to_owned()),
            Err(_) => self.wrong(format!("{expected} is not text")),
        }
    }

    /// A number, and as many items; there cannot be more than frames.
    fn list<T>(
        &mut self,
        expected: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Nonsense>,
    ) -> Result<Vec<T>, Nonsense> {
        let count = self.number(&format!("the number of {expected}"))?;
        if count > self.frames.len() {
            return self.wrong(format!("{count} {expected}, but there are {} frames", self.frames.len()));
        }
        (0..count).map(|_| item(self)).collect()
    }

    fn names(&mut self, expected: &str) -> Result<Vec<String>, Nonsense> {
        self.list(expected, |frames| frames.name(expected))
    }

    fn state(&mut self) -> Result<Vec<Vec<u8>>, Nonsense> {
        self.list("values", |frames| Ok(frames.frame("a value")?.to_vec()))
    }

    fn matrix(&mut self, expected: &str) -> Result<Matrix, Nonsense> {
        self.list(expected, |frames| Ok((frames.name(expected)?, frames.names("variables")?)))
    }

    /// The type of the message and the number of the request, which is not looked at.
    fn header(&mut self, kind: &str) -> Result<(), Nonsense> {
        let found = self.name("the type of the message")?;
        if found != kind {
            return self.wrong(format!("an answer to `{found}` where one to `{kind}` is expected"));
        }
        self.frame("the number of the request").map(|_| ())
    }

    fn end(&mut self) -> Result<(), Nonsense> {
        if self.at < self.frames.len() {
            self.at += 1;
            return self.wrong("it should end before");
        }
        Ok(())
    }
}

/// The reply to `init`.
///
/// # Errors
/// [`Nonsense`].
pub fn described(frames: &[Vec<u8>]) -> Result<Described, Nonsense> {
    let mut frames = Frames { frames, at: 0 };
    frames.header("init")?;
    let mut all = Described::default();
    while frames.at < frames.frames.len() {
        let part = frames.number("the number of a part")?;
        let length = frames.number("the length of a part")?;
        let end = frames.at.checked_add(length).filter(|&end| end <= frames.frames.len());
        let Some(end) = end else { return frames.wrong(format!("part {part} is longer than the reply")) };
        match part {
            1 => all.root = frames.state()?,
            2 => all.groups = frames.names("groups")?,
            3 => all.variables = frames.names("variables")?,
            4 => all.types = frames.names("types")?,
            5 => all.invariants = frames.matrix("state labels")?,
            6 => all.may_write = frames.matrix("groups")?,
            7 => all.must_write = frames.matrix("groups")?,
            8 => all.reads = frames.matrix("groups")?,
            9 => all.guards = frames.matrix("groups")?,
            16 => all.propositions = frames.matrix("state labels")?,
            _ => frames.at = end,
        }
        if frames.at != end {
            return frames.wrong(format!("part {part} has another length than it says"));
        }
    }
    let [variables, root, types] = [all.variables.len(), all.root.len(), all.types.len()];
    if root != variables || types != variables {
        return frames
            .wrong(format!("{variables} variables with {types} types, and {root} values before initialisation"));
    }
    if all.groups.is_empty() {
        return frames.wrong("no group initialises the machine");
    }
    Ok(all)
}

/// The reply to a request for successors: states of so many values.
///
/// # Errors
/// [`Nonsense`].
pub fn states(frames: &[Vec<u8>], kind: &str, width: usize) -> Result<Vec<Vec<Vec<u8>>>, Nonsense> {
    let mut frames = Frames { frames, at: 0 };
    frames.header(kind)?;
    let states = frames.list("states", |frames| {
        let state = frames.state()?;
        match state.len() == width {
            true => Ok(state),
            false => frames.wrong(format!("a state of {} values, and there are {width} variables", state.len())),
        }
    })?;
    frames.end()?;
    Ok(states)
}

/// The reply to a request for a state label.
///
/// # Errors
/// [`Nonsense`].
pub fn flag(frames: &[Vec<u8>], kind: &str) -> Result<bool, Nonsense> {
    let mut frames = Frames { frames, at: 0 };
    frames.header(kind)?;
    let value = match frames.number("0 or 1")? {
        0 => false,
        1 => true,
        other => return frames.wrong(format!("`{other}` is not 0 or 1")),
    };
    frames.end()?;
    Ok(value)
}

/// The frames of a request: its type, the number 0, and what belongs to it.
pub(super) fn request(kind: &str, more: impl IntoIterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    [kind.as_bytes().to_vec(), b"0".to_vec()].into_iter().chain(more).collect()
}

/// A list of values as frames.
pub(super) fn list(values: Vec<Vec<u8>>) -> impl Iterator<Item = Vec<u8>> {
    std::iter::once(values.len().to_string().into_bytes()).chain(values)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn frames(text: &str) -> Vec<Vec<u8>> {
        text.split(' ').map(|frame| frame.as_bytes().to_vec()).collect()
    }

    const INIT: &str = "init 0 77 2 what ever 3 3 2 x y 4 3 2 int int 1 3 2 ? ! 2 3 2 init go 9 4 1 go 1 x";

    #[test]
    fn parts_come_in_any_order_and_unknown_ones_are_skipped() {
        let all = described(&frames(INIT)).unwrap();
        assert_eq!((all.variables, all.groups), (vec!["x".to_owned(), "y".into()], vec!["init".into(), "go".into()]));
        assert_eq!((all.root, all.guards), (vec![b"?".to_vec(), b"!".to_vec()], vec![("go".into(), vec!["x".into()])]));
    }

    #[test]
    fn nonsense_is_named() {
        for (old, new, expected) in [
            ("init 0", "exit 0", "frame 1 of the reply: an answer to `exit` where one to `init` is expected"),
            (" 77 2", " 77 200", "frame 4 of the reply: part 77 is longer than the reply"),
            (" 77 2", " 77 x", "frame 4 of the reply: `x` is not the length of a part"),
            ("3 3 2 x y", "3 3 9 x y", "part 3 has another length than it says"),
            ("3 3 2 x y", "3 3 99999999999 x y", "99999999999 variables, but there are 32 frames"),
            ("3 3 2 x y", "3 4 2 x y", "part 3 has another length than it says"),
            ("1 3 2 ? !", "1 2 1 ?", "2 variables with 2 types, and 1 values before initialisation"),
            (" 2 3 2 init go", " 2 1 0", "no group initialises the machine"),
        ] {
            let found = described(&frames(&INIT.replace(old, new))).unwrap_err().to_string();
            assert!(found.contains(expected), "{new}: {found}");
        }
        assert_eq!(states(&frames("n 0 2 1 a 1 b"), "n", 1).unwrap().len(), 2);
        for (text, expected) in [
            ("n 0 2 1 a", "frame 6 of the reply: it ends where the number of values is expected"),
            ("n 0 1 2 a b", "a state of 2 values, and there are 1 variables"),
            ("n 0 0 0", "frame 4 of the reply: it should end before"),
            ("n", "frame 2 of the reply: it ends where the number of the request is expected"),
        ] {
            let found = states(&frames(text), "n", 1).unwrap_err().to_string();
            assert!(found.contains(expected), "{text}: {found}");
        }
        assert_eq!(flag(&frames("l 0 1"), "l"), Ok(true));
        assert!(flag(&frames("l 0 2"), "l").unwrap_err().to_string().contains("`2` is not 0 or 1"));
    }
}
