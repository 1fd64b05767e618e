//! SMV as a list of tokens.
//!
//! Two traits surprise. A minus sign and a hash are characters of names: `x-1` is one name, `x - 1` is a difference.
//! All one-letter operators (`X`, `F`, `S`, `T`, …) are reserved words. A line that begins with `#` and a number is a
//! mark of a preprocessor and sets the number of the next line.
//!
//! *Source*: the observations of NuSMV 2.6 in SPEC.md, section 1.

use crate::error::{Fault, Place, Stage};

/// A token and where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// Its sort.
    pub(crate) kind: Kind,
    /// Where it starts.
    pub(crate) place: Place,
}

/// The sort of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name.
    Name(Box<str>),
    /// A natural number.
    Number(i64),
    /// A constant of bits.
    Word(Word),
    /// A reserved word, an operator, or punctuation.
    Mark(&'static str),
    /// The end of the text.
    End,
}

/// A constant of bits: `0ud4_7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word {
    /// Its bits, the lowest ones.
    pub bits: u64,
    /// How many, 1 to 64.
    pub width: u32,
    /// Is it a number in two's complement?
    pub signed: bool,
}

/// The number that bits in two's complement are.
pub(crate) fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}

/// Reserved words that begin a section.
pub(crate) const SECTIONS: [&str; 26] = [
    "MODULE",
    "DEFINE",
    "MDEFINE",
    "CONSTANTS",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "FUN",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "PSLSPEC",
    "COMPUTE",
    "INVARSPEC",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "ASSIGN",
    "CONSTRAINT",
    "SIMPWFF",
    "CTLWFF",
    "LTLWFF",
];

/// Other reserved words.
const WORDS: [&str; 65] = [
    "NAME",
    "COMPWFF",
    "IN",
    "process",
    "array",
    "of",
    "boolean",
    "bool",
    "word",
    "word1",
    "Word",
    "signed",
    "unsigned",
    "extend",
    "resize",
    "sizeof",
    "toint",
    "count",
    "uwconst",
    "swconst",
    "READ",
    "WRITE",
    "CONSTARRAY",
    "typeof",
    "abs",
    "min",
    "max",
    "mod",
    "next",
    "init",
    "self",
    "union",
    "in",
    "xor",
    "xnor",
    "case",
    "esac",
    "TRUE",
    "FALSE",
    "MIN",
    "MAX",
    "EX",
    "AX",
    "EF",
    "AF",
    "EG",
    "AG",
    "E",
    "F",
    "O",
    "G",
    "H",
    "X",
    "Y",
    "Z",
    "A",
    "U",
    "S",
    "V",
    "T",
    "BU",
    "EBF",
    "ABF",
    "EBG",
    "ABG",
];

/// Words that are reserved in other programs that read SMV, or have a meaning of their own.
const RESERVED: [&str; 10] =
    ["integer", "real", "clock", "running", "floor", "MIRROR", "PRED", "PREDICATES", "Integer", "Real"];

/// May a word not be the name of a variable?
pub(crate) fn is_reserved(word: &str) -> bool {
    is_word(word) || RESERVED.contains(&word)
}

/// Is it a word of the language?
pub(crate) fn is_word(word: &str) -> bool {
    SECTIONS.iter().chain(&WORDS).any(|reserved| *reserved == word)
}

/// Longer marks come before their beginnings.
const MARKS: [&str; 36] = [
    "<->", "<<<", ">>>", "|->", "|=>", "->", ":=", "!=", "<=", ">=", "<<", ">>", "::", "..", "{", "}", "(", ")", "[",
    "]", ";", ",", ":", ".", "?", "!", "=", "<", ">", "+", "-", "*", "/", "&", "|", "@",
];

/// The tokens of a text; the last one is [`Kind::End`].
///
/// # Errors
/// At a character that no token starts with, at a number that is too large, and at a comment without an end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut cursor = Cursor { rest: text, place: Place { line: 1, column: 1 }, fresh: true };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        cursor.skip_blanks()?;
        let place = cursor.place;
        let kind = match cursor.rest.chars().next() {
            None => Kind::End,
            Some(first) if first.is_ascii_digit() => cursor.number()?,
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                let name = cursor.take(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-'));
                match SECTIONS.iter().chain(&WORDS).find(|word| **word == name) {
                    Some(word) => Kind::Mark(word),
                    None => Kind::Name(name.into()),
                }
            }
            Some('"') => {
                cursor.advance(1);
                let name = cursor.take(|c| c != '"' && c != '\n');
                if !cursor.rest.starts_with('"') {
                    return Err(Fault::new(Stage::Syntax, place, "a quoted name has no end on its line"));
                }
                cursor.advance(1);
                Kind::Name(name.into())
            }
            Some(first) => match MARKS.iter().find(|mark| cursor.rest.starts_with(**mark)) {
                Some(mark) => {
                    cursor.advance(mark.len());
                    Kind::Mark(mark)
                }
                None => {
                    let message = format!("unexpected character {first:?}: no token of SMV starts with it");
                    return Err(Fault::new(Stage::Syntax, place, message));
                }
            },
        };
        let end = kind == Kind::End;
        tokens.push(Token { kind, place });
        if end {
            return Ok(tokens);
        }
    }
}

/// Where reading has got to.
struct Cursor<'a> {
    rest: &'a str,
    place: Place,
    /// Nothing but blanks stands before it on its line.
    fresh: bool,
}

impl<'a> Cursor<'a> {
    fn advance(&mut self, bytes: usize) {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.place = Place { line: self.place.line.saturating_add(1), column: 1 };
                self.fresh = true;
            } else {
                self.place.column += 1;
                self.fresh &= c.is_whitespace();
            }
        }
        self.rest = rest;
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let taken = &self.rest[..end];
        self.advance(end);
        taken
    }

    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            self.take(char::is_whitespace);
            if self.rest.starts_with("/--") {
                let Some(end) = self.rest[3..].find("--/") else {
                    return Err(Fault::new(Stage::Syntax, self.place, "this comment has no end: close it by `--/`"));
                };
                self.advance(end + 6);
            } else if self.rest.starts_with("--") {
                self.take(|c| c != '\n');
            } else if self.rest.starts_with('#') && self.fresh {
                self.directive()?;
            } else {
                return Ok(());
            }
        }
    }

    /// A line that a preprocessor has left: `# 12 "file"`.
    fn directive(&mut self) -> Result<(), Fault> {
        let place = self.place;
        let line = self.take(|c| c != '\n');
        let number = line[1..].split_whitespace().next().and_then(|word| word.parse::<u32>().ok());
        let Some(number) = number else {
            let message = format!("`{}` is a line for a preprocessor: run `cpp -P` on the file first", line.trim());
            return Err(Fault::new(Stage::Syntax, place, message));
        };
        if !self.rest.is_empty() {
            self.advance(1);
        }
        // What `cpp` has put in comes from line 0.
        self.place = Place { line: number.max(1), column: 1 };
        Ok(())
    }

    /// A number, or a constant of bits.
    fn number(&mut self) -> Result<Kind, Fault> {
        let place = self.place;
        let digits = self.take(|c| c.is_ascii_digit());
        if digits == "0" && self.rest.starts_with(['u', 's', 'b', 'o', 'd', 'h', 'B', 'O', 'D', 'H']) {
            let text = self.take(|c| c.is_ascii_alphanumeric() || c == '_');
            return word(text).map(Kind::Word).map_err(|message| Fault::new(Stage::Syntax, place, message));
        }
        match digits.parse::<i64>() {
            Ok(number) if number <= i64::from(i32::MAX) => Ok(Kind::Number(number)),
            _ => Err(Fault::new(
                Stage::Syntax,
                place,
                format!("the number {digits} is too large: integers end at 2147483647; use words for larger ones"),
            )),
        }
    }
}

/// What follows the zero of a constant of bits.
fn word(text: &str) -> Result<Word, String> {
    let fault = |what: &str| format!("`0{text}` is no constant of bits: {what}");
    let (signed, rest) = match text.as_bytes().first() {
        Some(b's') => (true, &text[1..]),
        Some(b'u') => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, per_digit) = match rest.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'b') => (2, Some(1)),
        Some(b'o') => (8, Some(3)),
        Some(b'd') => (10, None),
        Some(b'h') => (16, Some(4)),
        _ => return Err(fault("write a base, b, o, d or h, as in `0ud4_7`")),
    };
    let (width, digits) =
        rest[1..].split_once('_').ok_or_else(|| fault("write `_` before its digits, as in `0ud4_7`"))?;
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    let bits = u128::from_str_radix(&digits, radix).map_err(|_| fault("its digits are not of its base"))?;
    let width = match (width.is_empty(), per_digit) {
        (false, _) => width.parse().map_err(|_| fault("its width is no number"))?,
        (true, Some(per_digit)) => per_digit * digits.len() as u32,
        (true, None) => return Err(fault("with base d it needs a width, as in `0ud4_7`")),
    };
    if !(1..=64).contains(&width) {
        return Err(fault("words have 1 to 64 bits"));
    }
    if bits >> width != 0 {
        return Err(fault("its value does not fit its width"));
    }
    Ok(Word { bits: bits as u64, width, signed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let tokens = tokens(text).expect("tokens");
        tokens
            .iter()
            .map(|token| match &token.kind {
                Kind::Name(name) => format!("n:{name}"),
                Kind::Number(number) => number.to_string(),
                Kind::Word(word) => format!("w:{}:{}:{}", word.bits, word.width, word.signed),
                Kind::Mark(mark) => (*mark).to_owned(),
                Kind::End => "end".to_owned(),
            })
            .collect()
    }

    #[test]
    fn minus_belongs_to_names() {
        assert_eq!(kinds("x-1 x -1 x - 1"), ["n:x-1", "n:x", "-", "1", "n:x", "-", "1", "end"]);
    }

    #[test]
    fn comments_and_marks_of_a_preprocessor() {
        let tokens = tokens("a -- b\n/-- c\nd --/ e\n# 7 \"f\"\ng").expect("tokens");
        let lines: Vec<u32> = tokens.iter().map(|token| token.place.line).collect();
        assert_eq!(lines, [1, 3, 7, 7]);
        // Faults have a line, also in what `cpp` puts in before the first.
        assert!(super::tokens("# 0 \"<built-in>\"\n~").is_err_and(|fault| fault.place.line == 1));
        assert!(super::tokens("#include \"a.smv\"").is_err_and(|fault| fault.message.contains("cpp -P")));
        assert!(super::tokens("/-- a").is_err());
    }

    #[test]
    fn words_and_numbers() {
        assert_eq!(kinds("0ud4_7 0sd4_8 0b_0101 0..3")[..3], ["w:7:4:false", "w:8:4:true", "w:5:4:false"]);
        assert!(tokens("0d_10").is_err() && tokens("0ub4_10000").is_err() && tokens("2147483648").is_err());
        assert_eq!(kinds("1..3 G F a"), ["1", "..", "3", "G", "F", "n:a", "end"]);
    }
}
