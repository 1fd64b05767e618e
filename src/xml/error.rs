//! Places in a file, and what can be wrong there.

use std::fmt;

/// A place in a file: line and column, both from 1. Columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// Line, from 1.
    pub line: u64,
    /// Column, from 1, in characters.
    pub column: u64,
}

impl Location {
    /// Where every file begins.
    pub const START: Location = Location { line: 1, column: 1 };

    /// Move over `bytes` of UTF-8 text. A byte that continues a character does not count.
    pub(super) fn advance(&mut self, bytes: &[u8]) {
        let tail = match bytes.iter().rposition(|&b| b == b'\n') {
            Some(last) => {
                self.line += bytes.iter().filter(|&&b| b == b'\n').count() as u64;
                self.column = 1;
                &bytes[last + 1..]
            }
            None => bytes,
        };
        self.column += tail.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u64;
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// An XML file that cannot be read, and where. Displays as `line:column: problem`, so that a file name and a
/// colon in front make the usual form of a compiler's message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{location}: {problem}")]
pub(crate) struct XmlError {
    /// Where it was noticed.
    pub location: Location,
    /// The problem.
    pub problem: Problem,
}

/// The problem of an XML file. Every message ends with what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Problem {
    /// The input could not be read at all.
    #[error("cannot read on: {0}")]
    Read(String),
    /// Zero bytes.
    #[error("the file is empty; give an XML file")]
    Empty,
    /// The first character that is not a blank is not `<`.
    #[error("this is not XML (it does not begin with `<`); give an XML file")]
    NotXml,
    /// A compressed file or archive.
    #[error("this is a {0} file, not XML; unpack it first")]
    Compressed(&'static str),
    /// An encoding that is not read.
    #[error("the encoding {0} is not supported; convert the file, for instance with `iconv -f {0} -t UTF-8`")]
    Encoding(String),
    /// Bytes that are not UTF-8 in a file that is to be UTF-8.
    #[error("bytes that are not valid UTF-8; declare the encoding or convert the file to UTF-8")]
    InvalidUtf8,
    /// A control character that XML does not allow.
    #[error("a control character (U+{0:04X}), which XML does not allow; the file is damaged, get it again")]
    Control(u8),
    /// `<!DOCTYPE …>`.
    #[error("document type declarations are refused, as entities can expand without bound; remove `<!DOCTYPE …>`")]
    Doctype,
    /// `&name;` that is none of the five predefined entities and no valid character reference.
    #[error("unknown entity `&{0};`; only &lt; &gt; &amp; &quot; &apos; and character references are read")]
    Entity(String),
    /// End of file inside an element.
    #[error("the file ends inside `<{element}>`, opened at {opened}; it seems truncated, get it again")]
    Truncated {
        /// Innermost open element.
        element: String,
        /// Where that was opened.
        opened: Location,
    },
    /// End of file where no element has begun.
    #[error("the file holds no element; give an XML file")]
    NoElement,
    /// A closing tag for another element than the open one.
    #[error("`</{found}>` does not close `<{element}>`, opened at {opened}; mend the nesting")]
    Mismatched {
        /// Innermost open element.
        element: String,
        /// Where that was opened.
        opened: Location,
        /// Name in the closing tag.
        found: String,
    },
    /// Anything but blanks and comments after the root element.
    #[error("content after the end of the root element; remove it")]
    Trailing,
    /// A tag, comment or reference that breaks the XML grammar.
    #[error("malformed XML: {0}")]
    Malformed(&'static str),
    /// More elements inside one another than [`Limits::depth`](super::Limits::depth).
    #[error("elements nested more than {0} deep; this file is refused as hostile or broken")]
    TooDeep(usize),
    /// One token beyond [`Limits::token_bytes`](super::Limits::token_bytes).
    #[error("a single tag or text of more than {0} bytes; this file is refused as hostile or broken")]
    TokenTooLong(u64),
    /// A file beyond [`Limits::total_bytes`](super::Limits::total_bytes).
    #[error("the file is larger than {0} bytes, the limit for reading; give a smaller one")]
    FileTooLong(u64),
    /// Text where only elements belong.
    #[error("unexpected text `{text}` inside `<{element}>`; it belongs in an element of its own, or nowhere")]
    UnexpectedText {
        /// The enclosing element.
        element: String,
        /// The first characters of the text.
        text: String,
    },
    /// An element where only text belongs.
    #[error("unexpected element `<{child}>` inside `<{element}>`, which holds only text; remove it")]
    UnexpectedElement {
        /// The enclosing element.
        element: String,
        /// The element that does not belong there.
        child: String,
    },
    /// An attribute that must be there and is not.
    #[error("`<{element}>` has no attribute `{attribute}`; add {attribute}=\"…\"")]
    MissingAttribute {
        /// The element.
        element: String,
        /// The attribute.
        attribute: &'static str,
    },
}

/// The first characters of a name or text from the input, fit for one line of a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    let mut short: String = text.chars().map(|c| if c.is_control() { '·' } else { c }).take(LENGTH).collect();
    if text.chars().nth(LENGTH).is_some() {
        short.push('…');
    }
    short
}
