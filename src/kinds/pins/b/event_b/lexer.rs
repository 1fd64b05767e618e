//! Text of a formula of Event-B to tokens.
//!
//! Rodin writes formulas with mathematical characters; each has a spelling in ASCII as well, which Rodin's editor
//! takes. Both become the same symbols here. Three relations and the override are characters of the private area of Unicode.
//! Spellings that are words (`POW`, `or`, `mod`) are names where the project declares them, as Rodin has it: a parser
//! asks [`Token::Word`] for that.
//!
//! Source: Métayer and Voisin, *The Event-B Mathematical Language*, 2009, sections 2 and 3.1.

use super::super::error::{Error, Pos, Res};
use super::super::types::Name;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name or a word of the language, perhaps primed.
    Word(Name),
    /// A number.
    Number(i64),
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
            Token::Symbol(symbol) => (*symbol).to_string(),
            Token::End => "the end".to_string(),
        }
    }
}

/// All symbols in ASCII, longer ones before their prefixes.
#[rustfmt::skip]
const SYMBOLS: &[&str] = &[
    "<<->>", "<<->", "<->>", "+->>", "-->>", ">->>", "/<<:", "<->", "<=>", "+->", "-->", ">->", ">+>", "<<|", "|>>",
    "|->", "/<:", "<<:", "<|", "|>", "<+", "><", "||", "**", "/:", "/=", "<:", "<=", ">=", "=>", ":=", "::", ":|", "..",
    ",,", "\\/", "/\\", "=", "<", ">", "&", "!", "#", "%", ".", "~", ";", "\\", "+", "-", "*", "/", "^", "(", ")", "[",
    "]", "{", "}", ",", "|", ":",
];

/// Mathematical characters and the symbols that they are. Symbols of letters are no words that could be declared.
#[rustfmt::skip]
const UNICODE: &[(char, &str)] = &[
    ('∀', "!"), ('∃', "#"), ('∧', "&"), ('∨', "or"), ('¬', "not"), ('⇒', "=>"), ('⇔', "<=>"), ('⊤', "btrue"),
    ('⊥', "bfalse"), ('∈', ":"), ('∉', "/:"), ('⊆', "<:"), ('⊈', "/<:"), ('⊂', "<<:"), ('⊄', "/<<:"), ('≠', "/="),
    ('≤', "<="), ('≥', ">="), ('∪', "\\/"), ('∩', "/\\"), ('∖', "\\"), ('×', "**"), ('↦', "|->"), ('↔', "<->"),
    ('\u{e100}', "<<->"), ('\u{e101}', "<->>"), ('\u{e102}', "<<->>"), ('\u{e103}', "<+"), ('⇸', "+->"), ('→', "-->"),
    ('⤔', ">+>"), ('↣', ">->"), ('⤀', "+->>"), ('↠', "-->>"), ('⤖', ">->>"), ('◁', "<|"), ('⩤', "<<|"), ('▷', "|>"),
    ('⩥', "|>>"), ('∼', "~"), ('∘', "circ"), ('⊗', "><"), ('∥', "||"), ('‥', ".."), ('∗', "*"), ('÷', "/"), ('−', "-"),
    ('∅', "{}"), ('λ', "%"), ('⋃', "UNION"), ('⋂', "INTER"), ('∣', "|"), ('·', "."), ('•', "."), ('∙', "."), ('≔', ":="),
    ('⦂', "oftype"), ('ℙ', "POW"), ('ℕ', "NAT"), ('ℤ', "INT"),
];

/// Words in ASCII that stand for symbols, unless the project declares them.
#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    ("or", "or"), ("not", "not"), ("true", "btrue"), ("false", "bfalse"), ("btrue", "btrue"), ("bfalse", "bfalse"),
    ("circ", "circ"), ("UNION", "UNION"), ("INTER", "INTER"), ("oftype", "oftype"), ("POW", "POW"), ("POW1", "POW1"),
    ("NAT", "NAT"), ("NAT1", "NAT1"), ("INT", "INT"),
];

/// The tokens of a formula that stands at a place.
///
/// # Errors
/// On a character that begins no token, an open comment, and a number beyond 64 bits.
pub(super) fn tokens(text: &str, pos: Pos, declared: &dyn Fn(&str) -> bool) -> Res<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let one = c.len_utf8();
        if c.is_whitespace() || c == '\u{feff}' {
            rest = &rest[one..];
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            let Some(end) = rest[2..].find("*/") else {
                return Err(Error::syntax(pos, "this comment has no end: add */".into()));
            };
            rest = &rest[end + 4..];
        } else if let Some((begin, symbol)) = [(":∈", "::"), (":∣", ":|")].iter().find(|(b, _)| rest.starts_with(b))
        {
            found.push(Token::Symbol(symbol));
            rest = &rest[begin.len()..];
        } else if let Some((_, symbol)) = UNICODE.iter().find(|(other, _)| *other == c) {
            rest = &rest[one..];
            // ℕ1 and ℙ1 are one token each.
            let first = match (*symbol, rest.starts_with('1')) {
                ("POW", true) => "POW1",
                ("NAT", true) => "NAT1",
                (symbol, _) => {
                    found.push(Token::Symbol(symbol));
                    continue;
                }
            };
            found.push(Token::Symbol(first));
            rest = &rest[1..];
        } else if c.is_alphabetic() || c == '_' {
            let is_part = |c: char| (c.is_alphanumeric() && !is_symbol(c)) || c == '_';
            let mut end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            if rest[end..].starts_with(['\'', '′']) {
                end += rest[end..].chars().next().map_or(0, char::len_utf8);
            }
            let word = rest[..end].replace('′', "'");
            let symbol = WORDS.iter().find(|(ascii, _)| *ascii == word && !declared(&word));
            found.push(symbol.map_or_else(|| Token::Word(word.as_str().into()), |(_, symbol)| Token::Symbol(symbol)));
            rest = &rest[end..];
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let Ok(number) = rest[..end].parse() else {
                return Err(Error::refused(pos, "this number has more than 64 bits".into()));
            };
            found.push(Token::Number(number));
            rest = &rest[end..];
        } else if rest.starts_with("{}") {
            found.push(Token::Symbol("{}"));
            rest = &rest[2..];
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            found.push(Token::Symbol(if *symbol == ",," { "|->" } else { symbol }));
            rest = &rest[symbol.len()..];
        } else {
            return Err(Error::syntax(pos, format!("the character '{c}' begins nothing in Event-B")));
        }
    }
    found.push(Token::End);
    Ok(found)
}

/// Is a letter a symbol of the language?
fn is_symbol(c: char) -> bool {
    UNICODE.iter().any(|(other, _)| *other == c)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(text: &str, expect: &str) {
        let declared = |word: &str| word == "NAT";
        let shown: Vec<_> = tokens(text, Pos::default(), &declared).unwrap().iter().map(Token::show).collect();
        assert_eq!(shown.join(" "), format!("{expect} the end"), "{text}");
    }

    #[test]
    fn both_spellings_are_the_same_symbols() {
        check("x ∈ ℕ1 ∧ f′ :∣ f'", "x : NAT1 & f' :| f'");
        check("a:POW1(b)&c|->d <<->> e", "a : POW1 ( b ) & c |-> d <<->> e");
        check("λx·x∈0‥3∣x∗2", "% x . x : 0 .. 3 | x * 2");
        check("%x.x:0..3|x*2 // c", "% x . x : 0 .. 3 | x * 2");
        check("∅ {} \u{e103} /* c */ ,, mod", "{} {} <+ |-> mod");
        // What the project declares is a name.
        check("NAT ℕ or", "NAT NAT or");
        let declared = |word: &str| word == "NAT";
        assert_eq!(tokens("NAT", Pos::default(), &declared).unwrap()[0], Token::Word("NAT".into()));
        assert!(tokens("x $ y", Pos::default(), &declared).is_err());
        assert!(tokens("99999999999999999999", Pos::default(), &declared).is_err());
        assert!(tokens("/* open", Pos::default(), &declared).is_err());
    }
}
