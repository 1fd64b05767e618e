//! Text of a B machine to tokens.
//!
//! Classical B has no reserved character for white space, two kinds of comments, and operators that are prefixes of
//! one another (`<`, `<-`, `<--`, `<->`): the longest one wins. Keywords are words like others here; the parser knows
//! them. A name may carry a prefix (`left.wheel`, from renamed machines) and the suffix `$0` (the value before).
//!
//! Unicode operators are read as what they stand for. Left out: reals, and multi-line strings.

use std::sync::Arc;

use super::error::{Error, Pos};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A word: a name or a keyword.
    Word(Arc<str>),
    /// A number.
    Number(i64),
    /// A string without its quotes.
    Text(Arc<str>),
    /// An operator or a delimiter.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

impl Token {
    /// The token as a message shows it.
    pub(super) fn show(&self) -> String {
        match self {
            Token::Word(word) => word.to_string(),
            Token::Number(number) => number.to_string(),
            Token::Text(text) => format!("\"{text}\""),
            Token::Symbol(symbol) => (*symbol).to_string(),
            Token::End => "end of file".to_string(),
        }
    }
}

/// All symbols, longer ones before their prefixes.
#[rustfmt::skip]
const SYMBOLS: &[&str] = &[
    ">+>>", "+->>", "-->>", ">->>", "/<<:", "<->", "<=>", "<--", "|->", "|>>", "<<|", "<<:", "/<:", "+->", "-->", ">->",
    ">+>", "/|\\", "\\|/", "<|", "|>", "<+", "+>", "><", "<-", "->", "<:", "/:", "/=", "<=", ">=", "=>", "==", ":=",
    "::", "..", "**", "||", "\\/", "/\\", "<>", "&", "=", "<", ">", ":", "+", "-", "*", "/", "\\", "(", ")", "[",
    "]", "{", "}", ",", ";", ".", "!", "#", "%", "|", "~", "'", "^",
];

/// Unicode operators, and how they are written otherwise: symbols or words.
#[rustfmt::skip]
const UNICODE: &[(char, &str)] = &[
    ('∀', "!"), ('∃', "#"), ('∧', "&"), ('∨', "or"), ('¬', "not"), ('⇒', "=>"), ('⇔', "<=>"), ('∈', ":"), ('∉', "/:"),
    ('⊆', "<:"), ('⊈', "/<:"), ('⊂', "<<:"), ('⊄', "/<<:"), ('∪', "\\/"), ('∩', "/\\"), ('∖', "\\"), ('×', "*"),
    ('↦', "|->"), ('↔', "<->"), ('⇸', "+->"), ('→', "-->"), ('⤔', ">+>"), ('↣', ">->"), ('⤀', "+->>"), ('↠', "-->>"),
    ('⤖', ">->>"), ('⋖', "<+"), ('◁', "<|"), ('⩤', "<<|"), ('▷', "|>"), ('⩥', "|>>"), ('∥', "||"), ('⊗', "><"), ('≠', "/="),
    ('≤', "<="), ('≥', ">="), ('λ', "%"), ('∣', "|"), ('·', "."), ('•', "."), ('−', "-"), ('÷', "/"), ('≔', ":="),
    ('‥', ".."), ('∼', "~"), ('⌒', "^"), ('ℕ', "NATURAL"), ('ℤ', "INTEGER"), ('ℙ', "POW"), ('⊤', "btrue"), ('⋃', "UNION"), ('⋂', "INTER"), ('⊥', "bfalse"),
];

/// The tokens of a text, each with its place.
///
/// # Errors
/// On a character that begins no token, an open comment or string, and on a number beyond 64 bits.
pub(super) fn tokens(text: &str, file: u16) -> Result<Vec<(Token, Pos)>, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Vec::new();
    let (mut rest, mut line, mut column) = (text, 1u32, 1u32);
    let mut advance = |rest: &mut &str, bytes: usize| {
        let (eaten, left) = rest.split_at(bytes);
        for c in eaten.chars() {
            if c == '\n' {
                line += 1;
                column = 1;
            } else {
                column += 1;
            }
        }
        *rest = left;
        (line, column)
    };
    let mut place = (1, 1);
    while let Some(c) = rest.chars().next() {
        let pos = Pos { file, line: place.0, column: place.1 };
        if c.is_whitespace() || c == '\u{feff}' {
            place = advance(&mut rest, c.len_utf8());
        } else if rest.starts_with("/*") {
            let Some(end) = rest[2..].find("*/") else {
                return Err(Error::syntax(pos, "this comment has no end: add */".into()));
            };
            place = advance(&mut rest, end + 4);
        } else if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            place = advance(&mut rest, end);
        } else if c == '∅' {
            found.extend([(Token::Symbol("{"), pos), (Token::Symbol("}"), pos)]);
            place = advance(&mut rest, c.len_utf8());
        } else if let Some((_, plain)) = UNICODE.iter().find(|(other, _)| *other == c) {
            found.push((
                match SYMBOLS.iter().find(|symbol| *symbol == plain) {
                    Some(symbol) => Token::Symbol(symbol),
                    None => Token::Word((*plain).into()),
                },
                pos,
            ));
            place = advance(&mut rest, c.len_utf8());
        } else if c.is_alphabetic() || c == '_' {
            let mut end = word_end(rest);
            // A name with a prefix: `left.wheel`.
            while rest[end..].starts_with('.') && rest[end + 1..].starts_with(|c: char| c.is_alphabetic()) {
                end += 1 + word_end(&rest[end + 1..]);
            }
            if rest[end..].starts_with("$0") {
                end += 2;
            }
            found.push((Token::Word(rest[..end].into()), pos));
            place = advance(&mut rest, end);
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if rest[end..].starts_with('.') && rest[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
                return Err(Error::refused(pos, "real numbers are not supported: use integers".into()));
            }
            let Ok(number) = rest[..end].parse() else {
                return Err(Error::refused(pos, "this number has more than 64 bits".into()));
            };
            found.push((Token::Number(number), pos));
            place = advance(&mut rest, end);
        } else if c == '"' {
            let (text, bytes) = string(rest, pos)?;
            found.push((Token::Text(text.into()), pos));
            place = advance(&mut rest, bytes);
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            found.push((Token::Symbol(symbol), pos));
            place = advance(&mut rest, symbol.len());
        } else {
            return Err(Error::syntax(pos, format!("the character '{c}' begins nothing in B")));
        }
    }
    found.push((Token::End, Pos { file, line: place.0, column: place.1 }));
    Ok(found)
}

/// Where the word at the start of a text ends.
fn word_end(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// The string at the start of a text, and how many bytes it takes.
fn string(text: &str, pos: Pos) -> Result<(String, usize), Error> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((out, at + 1)),
            '\\' => match chars.next() {
                Some((_, 'n')) => out.push('\n'),
                Some((_, 't')) => out.push('\t'),
                Some((_, c)) => out.push(c),
                None => break,
            },
            c => out.push(c),
        }
    }
    Err(Error::syntax(pos, "this string has no end: add \"".into()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(text: &str, expect: &str) {
        let shown: Vec<_> = tokens(text, 0).unwrap().iter().map(|(token, _)| token.show()).collect();
        assert_eq!(shown.join(" "), format!("{expect} end of file").trim());
    }

    #[test]
    fn longest_symbol_wins() {
        check("x<--f", "x <-- f");
        check("a<+b |->c>->>d", "a <+ b |-> c >->> d");
        check("xx$0 := left.wheel", "xx$0 := left.wheel");
        check("!x.(x:S)", "! x . ( x : S )");
    }

    #[test]
    fn comments_and_strings() {
        check("a /* b \n */ c // d\n \"e\\\"f\"", "a c \"e\"f\"");
        assert!(tokens("/* open", 0).is_err());
        assert!(tokens("99999999999999999999", 0).is_err());
    }
}
