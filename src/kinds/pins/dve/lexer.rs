//! DVE as a list of tokens.
//!
//! Names, natural numbers, punctuation, and comments in both styles of C. Words of the language are names here: the
//! parser knows them, so that a message can say what stood where a word was expected. `and`, `or`, `not` and `imply`
//! are other spellings of operators and become operators at once.

use super::super::source::{Fault, Place};

/// A token and where it starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    /// Its sort.
    pub kind: Kind<'a>,
    /// Where it starts.
    pub place: Place,
    /// Where it starts and ends in the text, in bytes.
    pub span: (usize, usize),
}

/// The sort of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind<'a> {
    /// A name, or a word of the language.
    Name(&'a str),
    /// A natural number.
    Number(i32),
    /// Punctuation or an operator: one or two characters.
    Mark(&'static str),
    /// The end of the text.
    End,
}

impl Kind<'_> {
    /// The token as it is quoted in messages.
    pub(super) fn quoted(&self) -> String {
        match self {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Mark(mark) => format!("`{mark}`"),
            Kind::End => "the end of the file".to_owned(),
        }
    }
}

/// Longer marks come before their beginnings.
const MARKS: [&str; 34] = [
    "->", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "?",
    "!", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~",
];

/// The tokens of a text; the last one is [`Kind::End`].
///
/// # Errors
/// At a character that no token starts with, at a number that is too large, and at a comment without an end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut cursor = Cursor { text, offset: 0, place: Place::START };
    loop {
        cursor.skip_blanks()?;
        let (start, place) = (cursor.offset, cursor.place);
        let kind = match cursor.rest().chars().next() {
            None => Kind::End,
            Some(first) if first.is_ascii_digit() => {
                let digits = cursor.take_while(|c| c.is_ascii_digit());
                let number = digits.parse().map_err(|_| {
                    Fault::new(place, format!("the number {digits} is too large: use one below 2147483648"))
                })?;
                Kind::Number(number)
            }
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                operator(cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_'))
            }
            Some(first) => {
                let mark = MARKS.iter().find(|mark| cursor.rest().starts_with(**mark)).ok_or_else(|| {
                    Fault::new(place, format!("unexpected character {first:?}: no token of DVE starts with it"))
                })?;
                cursor.advance(mark.len());
                Kind::Mark(mark)
            }
        };
        tokens.push(Token { kind, place, span: (start, cursor.offset) });
        if kind == Kind::End {
            return Ok(tokens);
        }
    }
}

/// A name, or the operator that it spells.
fn operator(name: &str) -> Kind<'_> {
    match name {
        "and" => Kind::Mark("&&"),
        "or" => Kind::Mark("||"),
        "not" => Kind::Mark("not"),
        "imply" => Kind::Mark("imply"),
        _ => Kind::Name(name),
    }
}

/// A position in the text.
struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    place: Place,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Go on by so many bytes.
    fn advance(&mut self, bytes: usize) {
        for character in self.rest()[..bytes].chars() {
            self.place = self.place.after(character);
        }
        self.offset += bytes;
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.advance(length);
        &rest[..length]
    }

    /// White space and comments.
    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            self.take_while(char::is_whitespace);
            let rest = self.rest();
            if rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if rest.starts_with("/*") {
                let end =
                    rest.find("*/").ok_or_else(|| Fault::new(self.place, "this comment does not end: add `*/`"))?;
                self.advance(end + 2);
            } else {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        tokens(text).map(|tokens| tokens.iter().map(|token| token.kind).collect()).unwrap_or_default()
    }

    #[test]
    fn marks_are_as_long_as_they_can_be() {
        let expected = ["->", "-", ">=", "-", "<<", "=", "!="].map(Kind::Mark);
        assert_eq!(kinds("-> - >= -<<= !="), [&expected[..], &[Kind::End]].concat());
    }

    #[test]
    fn words_for_operators() {
        assert_eq!(
            kinds("a and not b"),
            [Kind::Name("a"), Kind::Mark("&&"), Kind::Mark("not"), Kind::Name("b"), Kind::End]
        );
    }

    #[test]
    fn comments_and_places() {
        let tokens = tokens("// one\n/* two\n */ x").unwrap_or_default();
        assert_eq!(tokens[0].place, Place { line: 3, column: 5 });
    }

    #[test]
    fn what_cannot_be_read() {
        for (text, column) in [("a $", 3), ("99999999999", 1), (" /* a", 2), ("é", 1)] {
            assert_eq!(tokens(text).err().map(|fault| fault.place.column), Some(column), "{text}");
        }
    }
}
