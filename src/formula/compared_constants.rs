//! With which numbers a text compares names: a look ahead, before it is known what the names stand for.
//!
//! A clock that has passed all that it is compared with shows the same value for ever. So what a model is depends on
//! the numbers in the formulas that are asked of it. The look sees names beside numbers with a comparison between them,
//! in any text; it may see too much, which does no harm. What it does not see is refused by the parser.

use super::parse::{is_name_part, is_name_start};

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Name(String),
    Number(String),
    Comparison,
    Other,
}

/// The names and numbers (`5`, `5.5`, `11/2`) that a text compares.
pub(crate) fn compared_constants(text: &str) -> Vec<(String, String)> {
    let tokens = tokens(text);
    let compared = |triple: &[Token]| match triple {
        [Token::Name(name), Token::Comparison, Token::Number(number)]
        | [Token::Number(number), Token::Comparison, Token::Name(name)] => Some((name.clone(), number.clone())),
        _ => None,
    };
    tokens.windows(3).filter_map(compared).collect()
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let word = |fits: &dyn Fn(char) -> bool| rest.find(|c| !fits(c)).unwrap_or(rest.len());
        let (token, length) = if c == '"' {
            let (name, length) = quoted(rest);
            (Some(Token::Name(name)), length)
        } else if is_name_start(c) {
            let end = word(&is_name_part);
            (Some(Token::Name(rest[..end].to_owned())), end)
        } else if c.is_ascii_digit() {
            let end = word(&|c| c.is_ascii_digit() || c == '.' || c == '/');
            (Some(Token::Number(rest[..end].to_owned())), end)
        } else if "<>=!≤≥≠".contains(c) {
            (Some(Token::Comparison), word(&|c| "<>=!≤≥≠".contains(c)))
        } else if c == '#' {
            (None, 1)
        } else {
            (Some(Token::Other), c.len_utf8())
        };
        tokens.extend(token);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// A quoted name at the begin of a text, and the length of its spelling.
fn quoted(text: &str) -> (String, usize) {
    let mut name = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (name, at + 1),
            '\\' => name.extend(chars.next().map(|(_, escaped)| escaped)),
            _ => name.push(c),
        }
    }
    (name, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beside_numbers() {
        let text = "AG (#a <= 16 -> 5.5 < b) & \"odd \\\"name\" >= 11/2 | #p + 1 = 7 & c ≠ x & é_1=3 & <t> a";
        let expected = [("a", "16"), ("b", "5.5"), ("odd \"name", "11/2"), ("é_1", "3")];
        assert_eq!(compared_constants(text), expected.map(|(name, number)| (name.to_owned(), number.to_owned())));
        for text in ["\"", "\"\\", "<", "5", "a <"] {
            assert_eq!(compared_constants(text), [], "{text}");
        }
    }
}
