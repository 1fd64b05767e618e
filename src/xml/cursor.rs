//! The cursor: tokens from quick-xml, checked and turned into elements.
//!
//! quick-xml splits the bytes into tags, text and references; everything that makes those a well-formed
//! document within [`Limits`] is checked here, with the open elements and the place of each on a stack.
//! The cursor owns one buffer per kind of token and lends out what it holds, so that reading a file allocates
//! nothing per element.

use super::error::{Location, Problem, XmlError};
use super::input::Input;
use super::{Limits, error};
use quick_xml::XmlVersion;
use quick_xml::errors::{Error as QuickError, IllFormedError, SyntaxError};
use quick_xml::escape::{EscapeError, resolve_predefined_entity};
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event as Token};
use std::io::BufRead;

/// As many texts that were left out are remembered.
const MOST_STRAYS: usize = 5;

/// The last event that the cursor has passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event<'a> {
    /// The opening tag of an element with this local name; its attributes are at hand until the next event.
    Open(&'a str),
    /// The end of the element with this local name. An empty element (`<a/>`) is opened and closed.
    Close(&'a str),
    /// A piece of text. Comments, references and CDATA sections may split a text into several pieces.
    Text(&'a str),
    /// The end of the file, after the root element.
    End,
}

/// [`Event`] without what it borrows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Open,
    Close,
    Text,
    End,
}

/// How bytes become characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Utf8,
    Latin1,
}

/// An open element: where its name begins in [`XmlCursor::names`], and where its tag stands in the file.
#[derive(Debug)]
struct OpenElement {
    name: usize,
    location: Location,
}

/// A cursor over the elements of an XML file.
#[derive(Debug)]
pub(crate) struct XmlCursor<R> {
    reader: quick_xml::Reader<Input<R>>,
    limits: Limits,
    encoding: Encoding,
    /// Names of the open elements, one after the other.
    names: String,
    open: Vec<OpenElement>,
    /// Where the last event began.
    location: Location,
    /// Content of the last opening tag (name and attributes), or the name in the last closing tag.
    tag: String,
    /// Bytes of [`Self::tag`] that are the qualified name.
    name_len: usize,
    /// The last piece of text.
    piece: String,
    /// The text of the last leaf element, as gathered by [`XmlCursor::text`].
    gathered: String,
    /// Texts that were left out.
    strays: Vec<(Location, String)>,
    /// Bytes of the current token.
    token: Vec<u8>,
    begun: bool,
    /// Was the element closed last an empty one (`<a/>`)?
    was_empty: bool,
    /// The root element has been seen.
    rooted: bool,
}

impl<R: BufRead> XmlCursor<R> {
    /// A cursor before the root element of `input`, with the default [`Limits`].
    pub(crate) fn new(input: R) -> Self {
        XmlCursor::with_limits(input, Limits::default())
    }

    /// A cursor before the root element of `input`.
    pub(crate) fn with_limits(input: R, limits: Limits) -> Self {
        let mut reader = quick_xml::Reader::from_reader(Input::new(input, limits.token_bytes, limits.total_bytes));
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        // Nesting is checked here, where the place of the opening tag is known.
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        XmlCursor {
            reader,
            limits,
            encoding: Encoding::Utf8,
            names: String::new(),
            open: Vec::new(),
            location: Location::START,
            tag: String::new(),
            name_len: 0,
            piece: String::new(),
            gathered: String::new(),
            strays: Vec::new(),
            token: Vec::new(),
            begun: false,
            was_empty: false,
            rooted: false,
        }
    }

    /// Where the last event began; after [`XmlCursor::text`], where that text begins.
    pub(crate) fn location(&self) -> Location {
        self.location
    }

    /// Local name of the element opened or closed last.
    pub(crate) fn name(&self) -> &str {
        local(&self.tag[..self.name_len])
    }

    /// Local name of the innermost open element; empty outside the root.
    pub(crate) fn element(&self) -> &str {
        self.open.last().map_or("", |e| local(&self.names[e.name..]))
    }

    /// Local name of the element around [`element`](Self::element); empty outside the root.
    pub(crate) fn parent(&self) -> &str {
        match self.open.as_slice() {
            [.., parent, element] => local(&self.names[parent.name..element.name]),
            _ => "",
        }
    }

    /// An error at the cursor's location.
    pub(crate) fn error(&self, problem: Problem) -> XmlError {
        XmlError { location: self.location, problem }
    }

    /// Move to the next event.
    pub(crate) fn advance(&mut self) -> Result<Event<'_>, XmlError> {
        Ok(match self.step()? {
            Step::Open => Event::Open(self.name()),
            Step::Close => Event::Close(self.name()),
            Step::Text => Event::Text(&self.piece),
            Step::End => Event::End,
        })
    }

    /// Enter the next child of the innermost open element and return its local name; `None` if there is no
    /// further child, and then that element has been left. A child that was entered must be left before the
    /// next call for its parent, by [`skip`](Self::skip), [`text`](Self::text), or calls of this until `None`.
    /// Text that is not blank is an error here.
    pub(crate) fn next_child(&mut self) -> Result<Option<&str>, XmlError> {
        match self.past_blanks()? {
            Step::Open => Ok(Some(self.name())),
            Step::Close | Step::End => Ok(None),
            Step::Text => {
                let text = error::excerpt(self.piece.trim());
                self.location = start_of_text(self.location, &self.piece);
                Err(self.error(Problem::UnexpectedText { element: error::excerpt(self.element()), text }))
            }
        }
    }

    /// As [`next_child`](Self::next_child), but text is left out, and [`strays`](Self::strays) tells of it.
    pub(crate) fn next_child_past_text(&mut self) -> Result<Option<&str>, XmlError> {
        loop {
            match self.past_blanks()? {
                Step::Open => return Ok(Some(self.name())),
                Step::Close | Step::End => return Ok(None),
                Step::Text if self.strays.len() < MOST_STRAYS => {
                    let text = error::excerpt(self.piece.trim());
                    self.strays.push((start_of_text(self.location, &self.piece), text));
                }
                Step::Text => {}
            }
        }
    }

    /// The next step that is not blank text.
    fn past_blanks(&mut self) -> Result<Step, XmlError> {
        loop {
            match self.step()? {
                Step::Text if self.piece.trim().is_empty() => {}
                step => return Ok(step),
            }
        }
    }

    /// The texts that were left out so far, and where they stand; the first few of them.
    pub(crate) fn strays(&self) -> &[(Location, String)] {
        &self.strays
    }

    /// The text of the innermost open element, blanks around it removed; that element has then been left.
    /// An element inside it is an error.
    pub(crate) fn text(&mut self) -> Result<&str, XmlError> {
        self.gathered.clear();
        let mut begin = None;
        loop {
            match self.step()? {
                Step::Text => {
                    if begin.is_none() && !self.piece.trim().is_empty() {
                        begin = Some(start_of_text(self.location, &self.piece));
                    }
                    self.gathered.push_str(&self.piece);
                    if self.gathered.len() as u64 > self.limits.token_bytes {
                        return Err(self.error(Problem::TokenTooLong(self.limits.token_bytes)));
                    }
                }
                Step::Open => {
                    let child = error::excerpt(self.name());
                    return Err(
                        self.error(Problem::UnexpectedElement { element: error::excerpt(self.parent()), child })
                    );
                }
                Step::Close | Step::End => break,
            }
        }
        if let Some(begin) = begin {
            self.location = begin;
        }
        Ok(self.gathered.trim())
    }

    /// Step over the rest of the innermost open element, whatever it holds.
    pub(crate) fn skip(&mut self) -> Result<(), XmlError> {
        let depth = self.open.len();
        loop {
            let step = self.step()?;
            if self.open.len() < depth || step == Step::End {
                return Ok(());
            }
        }
    }

    /// Was the element closed last an empty one (`<a/>`), not two tags with nothing between them?
    pub(crate) fn was_empty(&self) -> bool {
        self.was_empty
    }

    /// Number of open elements.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Step over everything until fewer elements are open than that.
    pub(crate) fn leave_to(&mut self, depth: usize) -> Result<(), XmlError> {
        while self.open.len() >= depth && self.step()? != Step::End {}
        Ok(())
    }

    /// The prefix of the element opened last; empty without one.
    pub(crate) fn prefix(&self) -> &str {
        self.tag[..self.name_len].rsplit_once(':').map_or("", |(prefix, _)| prefix)
    }

    /// The namespaces that the element opened last declares: prefix (empty for the default one) and address.
    pub(crate) fn namespaces(&self) -> Result<Vec<(String, String)>, XmlError> {
        let mut found = Vec::new();
        if !self.tag[self.name_len..].contains("xmlns") {
            return Ok(found);
        }
        let start = BytesStart::from_content(self.tag.as_str(), self.name_len);
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|e| self.error(attribute_problem(&e)))?;
            let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            let prefix = match key.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) if rest.starts_with(':') => &rest[1..],
                _ => continue,
            };
            let value =
                attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| self.error(value_problem(&e)))?;
            found.push((prefix.to_owned(), value.into_owned()));
        }
        Ok(found)
    }

    /// The value of an attribute without prefix of the element opened last.
    pub(crate) fn own_attribute(&self, name: &str) -> Result<Option<String>, XmlError> {
        self.attribute_where(name, |key| key == name.as_bytes())
    }

    /// The value of an attribute (by local name) of the element opened last.
    pub(crate) fn attribute(&self, name: &str) -> Result<Option<String>, XmlError> {
        let local =
            |key: &[u8]| key.rsplit(|&byte| byte == b':').next() == Some(name.as_bytes()) && !key.starts_with(b"xmlns");
        self.attribute_where(name, local)
    }

    fn attribute_where(&self, name: &str, fits: impl Fn(&[u8]) -> bool) -> Result<Option<String>, XmlError> {
        // Most attributes that are asked for are not there.
        if !self.tag[self.name_len..].contains(name) {
            return Ok(None);
        }
        let start = BytesStart::from_content(self.tag.as_str(), self.name_len);
        let mut found = None;
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|e| self.error(attribute_problem(&e)))?;
            if !fits(attribute.key.as_ref()) {
                continue;
            }
            let value =
                attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| self.error(value_problem(&e)))?;
            // A reference can stand for what may not stand there itself.
            if let Some(c) = value.chars().find(|c| c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r')) {
                return Err(self.error(Problem::Control(c as u8)));
            }
            found = Some(value.into_owned());
        }
        Ok(found)
    }

    /// The value of an attribute that must be there.
    pub(crate) fn require(&self, name: &'static str) -> Result<String, XmlError> {
        self.attribute(name)?.ok_or_else(|| {
            self.error(Problem::MissingAttribute { element: error::excerpt(self.name()), attribute: name })
        })
    }

    /// Look at the first bytes: a byte order mark, another encoding, another kind of file.
    fn begin(&mut self) -> Result<(), XmlError> {
        self.begun = true;
        let input = self.reader.get_mut();
        let head = match input.fill_buf() {
            Ok(head) => head,
            Err(e) => return Err(self.error(Problem::Read(e.to_string()))),
        };
        let utf16 = |name: &str| Some(Problem::Encoding(name.to_owned()));
        let problem = match head {
            [] => Some(Problem::Empty),
            [0xEF, 0xBB, 0xBF, ..] => {
                input.drop_prefix(3);
                None
            }
            [0xFF, 0xFE, ..] | [b'<', 0, ..] => utf16("UTF-16LE"),
            [0xFE, 0xFF, ..] | [0, b'<', ..] => utf16("UTF-16BE"),
            [0x1F, 0x8B, ..] => Some(Problem::Compressed("gzip")),
            [b'P', b'K', 3, 4, ..] => Some(Problem::Compressed("zip")),
            [0xFD, b'7', b'z', b'X', b'Z', ..] => Some(Problem::Compressed("xz")),
            [b'B', b'Z', b'h', ..] => Some(Problem::Compressed("bzip2")),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Problem::Compressed("zstd")),
            _ => None,
        };
        problem.map_or(Ok(()), |p| Err(self.error(p)))
    }

    fn step(&mut self) -> Result<Step, XmlError> {
        if !self.begun {
            self.begin()?;
        }
        loop {
            self.token.clear();
            self.location = self.reader.get_mut().mark();
            let position = self.reader.buffer_position();
            let token = match self.reader.read_event_into(&mut self.token) {
                Ok(token) => token,
                Err(e) => return Err(self.token_error(&e)),
            };
            match token {
                Token::Start(start) => {
                    let bytes: &[u8] = &start;
                    let name_bytes = start.name().as_ref().len();
                    let (name, rest) = bytes.split_at(name_bytes);
                    let mut location = self.location;
                    location.advance(b"<");
                    self.tag.clear();
                    decode(self.encoding, name, location, &mut self.tag)?;
                    self.name_len = self.tag.len();
                    location.advance(name);
                    decode(self.encoding, rest, location, &mut self.tag)?;
                    return self.enter();
                }
                Token::End(end) => {
                    self.was_empty = self.reader.buffer_position() == position;
                    self.tag.clear();
                    decode(self.encoding, end.name().as_ref(), self.location, &mut self.tag)?;
                    self.name_len = self.tag.len();
                    return self.leave();
                }
                Token::Text(text) => {
                    self.piece.clear();
                    if self.open.is_empty() && !self.rooted && text.iter().any(forbidden) {
                        return Err(self.error(Problem::NotXml));
                    }
                    decode(self.encoding, &text, self.location, &mut self.piece)?;
                    if !self.open.is_empty() {
                        return Ok(Step::Text);
                    }
                    if !self.piece.trim().is_empty() {
                        self.location = start_of_text(self.location, &self.piece);
                        return Err(self.error(if self.rooted { Problem::Trailing } else { Problem::NotXml }));
                    }
                }
                Token::CData(text) => {
                    self.piece.clear();
                    decode(self.encoding, &text, self.location, &mut self.piece)?;
                    if self.open.is_empty() {
                        return Err(self.error(if self.rooted { Problem::Trailing } else { Problem::NotXml }));
                    }
                    return Ok(Step::Text);
                }
                Token::GeneralRef(reference) => {
                    let name = String::from_utf8_lossy(&reference).into_owned();
                    let number = reference.resolve_char_ref();
                    self.piece.clear();
                    match (number, resolve_predefined_entity(&name)) {
                        (Ok(Some(c)), _) => self.piece.push(c),
                        (_, Some(text)) => self.piece.push_str(text),
                        _ => return Err(self.error(Problem::Entity(error::excerpt(&name)))),
                    }
                    if self.open.is_empty() {
                        return Err(self.error(if self.rooted { Problem::Trailing } else { Problem::NotXml }));
                    }
                    return Ok(Step::Text);
                }
                Token::Decl(declaration) => {
                    if let Some(Ok(name)) = declaration.encoding() {
                        let name = String::from_utf8_lossy(&name).into_owned();
                        self.encoding =
                            encoding(&name).ok_or_else(|| self.error(Problem::Encoding(error::excerpt(&name))))?;
                    }
                }
                Token::DocType(_) => return Err(self.error(Problem::Doctype)),
                Token::Eof => {
                    return match self.open.last() {
                        Some(_) => Err(self.truncated()),
                        None if !self.rooted => Err(self.error(Problem::NoElement)),
                        None => Ok(Step::End),
                    };
                }
                Token::Comment(_) | Token::PI(_) | Token::Empty(_) => {}
            }
        }
    }

    /// After an opening tag.
    fn enter(&mut self) -> Result<Step, XmlError> {
        if self.name_len == 0 {
            return Err(self.error(Problem::Malformed("a tag without a name; write `&lt;` for a plain `<`")));
        }
        if self.open.is_empty() && self.rooted {
            return Err(self.error(Problem::Trailing));
        }
        if self.open.len() >= self.limits.depth {
            return Err(self.error(Problem::TooDeep(self.limits.depth)));
        }
        self.rooted = true;
        self.open.push(OpenElement { name: self.names.len(), location: self.location });
        self.names.push_str(&self.tag[..self.name_len]);
        Ok(Step::Open)
    }

    /// After a closing tag.
    fn leave(&mut self) -> Result<Step, XmlError> {
        let Some(element) = self.open.pop() else {
            return Err(self.error(if self.rooted { Problem::Trailing } else { Problem::NotXml }));
        };
        if self.names[element.name..] != self.tag[..self.name_len] {
            return Err(self.error(Problem::Mismatched {
                element: error::excerpt(&self.names[element.name..]),
                opened: element.location,
                found: error::excerpt(&self.tag[..self.name_len]),
            }));
        }
        self.names.truncate(element.name);
        Ok(Step::Close)
    }

    fn truncated(&self) -> XmlError {
        let problem = self.open.last().map_or(Problem::NoElement, |element| Problem::Truncated {
            element: error::excerpt(&self.names[element.name..]),
            opened: element.location,
        });
        self.error(problem)
    }

    /// An error of the tokenizer, in our words.
    fn token_error(&mut self, error: &QuickError) -> XmlError {
        let passed = self.reader.get_mut().take_passed();
        let problem = match (passed, error) {
            (Some(limit), _) => limit,
            (None, QuickError::Io(e)) => Problem::Read(e.to_string()),
            (None, QuickError::Syntax(e)) => Problem::Malformed(match e {
                SyntaxError::InvalidBangMarkup => "`<!` begins neither a comment nor a CDATA section; remove it",
                SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => "`<?` is never closed by `?>`; close it",
                SyntaxError::UnclosedComment => "a comment is never closed by `-->`; close it",
                SyntaxError::UnclosedDoctype => return self.error(Problem::Doctype),
                SyntaxError::UnclosedCData => "a CDATA section is never closed by `]]>`; close it",
                SyntaxError::UnclosedTag => "a tag is never closed by `>`; the file may be truncated",
                SyntaxError::UnclosedSingleQuotedAttributeValue | SyntaxError::UnclosedDoubleQuotedAttributeValue => {
                    "the value of an attribute is never closed by its quote; the file may be truncated"
                }
            }),
            (None, QuickError::IllFormed(IllFormedError::UnclosedReference)) => {
                Problem::Malformed("`&` begins no entity; write `&amp;` for a plain `&`")
            }
            (None, QuickError::IllFormed(_)) => Problem::Malformed("the document is not well formed; mend it"),
            (None, QuickError::InvalidAttr(e)) => attribute_problem(e),
            (None, QuickError::Escape(_)) => value_problem(error),
            (None, QuickError::Encoding(_)) => Problem::InvalidUtf8,
            (None, QuickError::Namespace(_)) => Problem::Malformed("an unknown namespace prefix; declare it"),
        };
        self.error(problem)
    }
}

/// `name` of `prefix:name`.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Where the first character that is not a blank stands in a piece of text that begins at `location`.
fn start_of_text(mut location: Location, piece: &str) -> Location {
    let blank = piece.len() - piece.trim_start().len();
    location.advance(&piece.as_bytes()[..blank]);
    location
}

/// The encoding of this name, if it is one that is read.
fn encoding(name: &str) -> Option<Encoding> {
    match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" | "ascii" => Some(Encoding::Utf8),
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" => Some(Encoding::Latin1),
        _ => None,
    }
}

/// Is this a control character that XML does not allow?
fn forbidden(&byte: &u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Append `bytes`, which begin at `location`, to `out` as characters.
fn decode(encoding: Encoding, bytes: &[u8], mut location: Location, out: &mut String) -> Result<(), XmlError> {
    if let Some(at) = bytes.iter().position(forbidden) {
        location.advance(&bytes[..at]);
        return Err(XmlError { location, problem: Problem::Control(bytes[at]) });
    }
    match (encoding, std::str::from_utf8(bytes)) {
        (Encoding::Utf8, Ok(text)) => out.push_str(text),
        (Encoding::Utf8, Err(e)) => {
            location.advance(&bytes[..e.valid_up_to()]);
            return Err(XmlError { location, problem: Problem::InvalidUtf8 });
        }
        // The first 256 characters of Unicode are those of ISO-8859-1.
        (Encoding::Latin1, _) => out.extend(bytes.iter().map(|&b| char::from(b))),
    }
    Ok(())
}

fn attribute_problem(error: &AttrError) -> Problem {
    Problem::Malformed(match error {
        AttrError::ExpectedEq(_) => "an attribute without a value; write name=\"value\"",
        AttrError::ExpectedValue(_) => "`=` without a value; write name=\"value\"",
        AttrError::UnquotedValue(_) => "the value of an attribute is not quoted; write name=\"value\"",
        AttrError::ExpectedQuote(..) => "the value of an attribute is never closed by its quote; close it",
        AttrError::Duplicated(..) => "an attribute is given twice; remove one of them",
    })
}

/// The problem of an attribute's value.
fn value_problem(error: &QuickError) -> Problem {
    match error {
        QuickError::Escape(EscapeError::UnrecognizedEntity(_, name)) => Problem::Entity(error::excerpt(name)),
        QuickError::Escape(EscapeError::UnterminatedEntity(_)) => {
            Problem::Malformed("`&` begins no entity; write `&amp;` for a plain `&`")
        }
        QuickError::Escape(EscapeError::InvalidCharRef(_)) => {
            Problem::Malformed("an invalid character reference; write &#N; or &#xH; with a valid code point")
        }
        _ => Problem::Malformed("the value of an attribute cannot be read; mend it"),
    }
}
