//! ETF as a list of tokens. Ends of lines count, as rows of tables end with them.

use super::super::source::{Fault, Place};

/// A token and where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    /// Its sort.
    pub kind: Kind,
    /// Where it starts.
    pub place: Place,
}

/// The sort of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A name without its backslashes, and whether it is a word of the format (it had none).
    Name(String, bool),
    /// A number.
    Number(u32),
    /// The bytes of a quoted or hexadecimal value.
    Value(Vec<u8>),
    /// `:`, `/` or `*`
    Mark(char),
    /// The end of a line.
    Line,
    /// The end of the text.
    End,
}

impl Kind {
    /// The token as it is quoted in messages.
    pub(super) fn quoted(&self) -> String {
        match self {
            Kind::Name(name, _) => format!("`{name}`"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Value(bytes) => format!("\"{}\"", String::from_utf8_lossy(bytes)),
            Kind::Mark(mark) => format!("`{mark}`"),
            Kind::Line => "the end of the line".to_owned(),
            Kind::End => "the end of the file".to_owned(),
        }
    }
}

/// Words of the format; as names they are written with a backslash.
pub(super) const WORDS: [&str; 8] = ["begin", "end", "state", "edge", "init", "trans", "map", "sort"];

/// The tokens of a text; the last one is [`Kind::End`].
///
/// # Errors
/// At what no token starts with, and at tokens without an end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut characters = Characters { text, offset: 0, place: Place::START };
    loop {
        let place = characters.place;
        let kind = match characters.next() {
            None => Kind::End,
            Some('\n') => Kind::Line,
            Some(blank) if blank.is_whitespace() => continue,
            Some('%') => {
                while characters.peek().is_some_and(|c| c != '\n') {
                    characters.next();
                }
                continue;
            }
            Some(mark @ (':' | '/' | '*')) => Kind::Mark(mark),
            Some('"') => Kind::Value(characters.string(place)?),
            Some('#') => Kind::Value(characters.chunk(place)?),
            Some(digit) if digit.is_ascii_digit() => Kind::Number(characters.number(digit, place)?),
            Some(first) if first.is_ascii_alphabetic() || first == '_' || first == '\\' => {
                characters.name(first, place)?
            }
            Some(other) => {
                return Err(Fault::new(
                    place,
                    format!("unexpected character {other:?}: quote it, or put \\ before it"),
                ));
            }
        };
        let end = kind == Kind::End;
        tokens.push(Token { kind, place });
        if end {
            return Ok(tokens);
        }
    }
}

struct Characters<'a> {
    text: &'a str,
    offset: usize,
    place: Place,
}

impl Characters<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.offset += character.len_utf8();
        self.place = self.place.after(character);
        Some(character)
    }

    /// The next character, if it belongs to the token.
    fn next_if(&mut self, belongs: impl Fn(char) -> bool) -> Option<char> {
        self.peek().filter(|&character| belongs(character))?;
        self.next()
    }

    fn number(&mut self, first: char, place: Place) -> Result<u32, Fault> {
        let mut digits = String::from(first);
        while let Some(digit) = self.next_if(|c| c.is_ascii_digit()) {
            digits.push(digit);
        }
        digits
            .parse()
            .ok()
            .filter(|&number| number < u32::MAX)
            .ok_or_else(|| Fault::new(place, format!("the number {digits} is too large: use one below {}", u32::MAX)))
    }

    fn name(&mut self, first: char, place: Place) -> Result<Kind, Fault> {
        let (mut name, mut plain) = (String::new(), true);
        let mut character = Some(first);
        while let Some(current) = character {
            if current == '\\' {
                plain = false;
                // What is not printed could not be written again.
                let escaped = self.next_if(|c| !c.is_control());
                let what = "a backslash in a name stands before a character that is printed";
                name.push(escaped.ok_or_else(|| Fault::new(place, what))?);
            } else {
                name.push(current);
            }
            character = self.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '\\'));
        }
        let word = plain && WORDS.contains(&name.as_str());
        Ok(Kind::Name(name, word))
    }

    fn string(&mut self, place: Place) -> Result<Vec<u8>, Fault> {
        let mut value = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(value.into_bytes()),
                Some('\\') => match self.next() {
                    Some(escaped @ ('\\' | '"')) => value.push(escaped),
                    Some(other) => value.extend(['\\', other]),
                    None => {}
                },
                None | Some('\n') => return Err(Fault::new(place, "this value does not end in its line: add `\"`")),
                Some(character) => value.push(character),
            }
        }
    }

    fn chunk(&mut self, place: Place) -> Result<Vec<u8>, Fault> {
        let mut digits = Vec::new();
        while let Some(digit) = self.next_if(|c| c.is_ascii_hexdigit()) {
            digits.push(u8::try_from(digit.to_digit(16).unwrap_or_default()).unwrap_or_default());
        }
        if self.next() != Some('#') || digits.len() % 2 != 0 {
            return Err(Fault::new(place, "expected pairs of hexadecimal digits between two `#`"));
        }
        Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
    }
}
