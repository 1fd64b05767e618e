//! Tokens of the Hanoi Omega-Automata format, with their places.

use super::HoaError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A header's name, without the colon.
    Header(String),
    Identifier(String),
    Text(String),
    Number(u32),
    /// An alias, without the at sign.
    Alias(String),
    Symbol(char),
    Body,
    End,
    Abort,
}

/// A token with the line and column (from 1, in characters) of its first character.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: usize,
    pub(super) column: usize,
}

struct Cursor<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
}

impl Cursor<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|&c| accept(c)) {
            taken.push(c);
            self.advance();
        }
        taken
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, HoaError> {
        Err(HoaError { line: self.line, column: self.column, message: message.into() })
    }
}

/// Splits a document into tokens.
pub(super) fn tokenize(text: &str) -> Result<Vec<Placed>, HoaError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut cursor = Cursor { rest: text.chars().peekable(), line: 1, column: 1 };
    let mut tokens = Vec::new();
    while let Some(c) = cursor.peek() {
        if c.is_whitespace() {
            cursor.advance();
            continue;
        }
        let (line, column) = (cursor.line, cursor.column);
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let token = match c {
            '/' => {
                skip_comment(&mut cursor)?;
                continue;
            }
            '"' => Token::Text(quoted(&mut cursor)?),
            '0'..='9' => {
                let digits = cursor.take_while(|c| c.is_ascii_digit());
                match digits.parse() {
                    Ok(number) => Token::Number(number),
                    Err(_) => return Err(HoaError { line, column, message: format!("{digits} is too large") }),
                }
            }
            '@' => {
                cursor.advance();
                Token::Alias(cursor.take_while(in_name))
            }
            '-' => match cursor.take_while(in_name).as_str() {
                "--BODY--" => Token::Body,
                "--END--" => Token::End,
                "--ABORT--" => Token::Abort,
                other => return Err(HoaError { line, column, message: format!("unexpected {other:?}") }),
            },
            c if c.is_ascii_alphabetic() || c == '_' => {
                // Dots are no part of identifiers, but of the version number.
                let word = cursor.take_while(|c| in_name(c) || c == '.');
                if cursor.peek() == Some(':') {
                    cursor.advance();
                    Token::Header(word)
                } else {
                    Token::Identifier(word)
                }
            }
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                cursor.advance();
                Token::Symbol(c)
            }
            other => return cursor.error(format!("unexpected character {other:?}")),
        };
        tokens.push(Placed { token, line, column });
    }
    Ok(tokens)
}

/// Skips a comment; comments nest.
fn skip_comment(cursor: &mut Cursor<'_>) -> Result<(), HoaError> {
    let start = (cursor.line, cursor.column);
    cursor.advance();
    if cursor.peek() != Some('*') {
        return cursor.error("unexpected character '/'");
    }
    cursor.advance();
    let mut depth = 1;
    while depth > 0 {
        match (cursor.advance(), cursor.peek()) {
            (Some('*'), Some('/')) => {
                cursor.advance();
                depth -= 1;
            }
            (Some('/'), Some('*')) => {
                cursor.advance();
                depth += 1;
            }
            (Some(_), _) => {}
            (None, _) => {
                return Err(HoaError { line: start.0, column: start.1, message: "unclosed comment".to_owned() });
            }
        }
    }
    Ok(())
}

fn quoted(cursor: &mut Cursor<'_>) -> Result<String, HoaError> {
    let start = (cursor.line, cursor.column);
    cursor.advance();
    let mut text = String::new();
    loop {
        match cursor.advance() {
            Some('"') => return Ok(text),
            Some('\\') => text.extend(cursor.advance()),
            Some(c) => text.push(c),
            None => {
                return Err(HoaError { line: start.0, column: start.1, message: "unclosed string".to_owned() });
            }
        }
    }
}
