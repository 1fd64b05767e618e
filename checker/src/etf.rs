//! Reading flat ETF, the enumerated table format of LTSmin, as `starset convert` writes it: variables, the transition
//! labels of one sort, one initial state, and tables of steps, a row each. Maps are passed over: what a certificate says
//! is in its formula. All that is not understood is refused.

use crate::effort::keep;
use crate::net::{Effect, Net, Place, Step};
use crate::{Checked, refuse};
use std::collections::{HashMap, HashSet};

/// What a line is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// A word of the format, or a name without a backslash in it.
    Word(String),
    /// A name with a backslash, which is no word of the format.
    Name(String),
    Number(u64),
    Value(String),
    Sign(char),
}

/// Words of the format. As names they have a backslash.
const WORDS: [&str; 8] = ["begin", "end", "state", "edge", "init", "trans", "map", "sort"];

/// Does a text begin, after comments, as ETF does?
pub(crate) fn is_etf(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('%'));
    first.and_then(|line| line.split_whitespace().next()) == Some("begin")
}

/// The tokens of a line, without its comment.
fn tokens(line: &str) -> Checked<Vec<Token>> {
    let (mut chars, mut tokens) = (line.chars().peekable(), Vec::new());
    while let Some(first) = chars.next() {
        tokens.push(match first {
            '%' => break,
            blank if blank.is_whitespace() => continue,
            ':' | '/' | '*' => Token::Sign(first),
            '"' => {
                let mut value = String::new();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(escaped @ ('\\' | '"')) => value.push(escaped),
                            Some(other) => value.extend(['\\', other]),
                            None => return refuse("ETF: a value without end"),
                        },
                        Some(other) => value.push(other),
                        None => return refuse("ETF: a value without end"),
                    }
                }
                Token::Value(value)
            }
            '#' => {
                let mut digits = String::new();
                while let Some(digit) = chars.next_if(char::is_ascii_hexdigit) {
                    digits.push(digit);
                }
                let pairs = (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok());
                match pairs.collect::<Option<Vec<u8>>>().map(String::from_utf8) {
                    Some(Ok(value)) if chars.next() == Some('#') && digits.len().is_multiple_of(2) => {
                        Token::Value(value)
                    }
                    _ => return refuse("ETF: a value in hexadecimal digits that is no text"),
                }
            }
            digit if digit.is_ascii_digit() => {
                let mut digits = String::from(digit);
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                match digits.parse::<u64>() {
                    Ok(number) if number < u64::from(u32::MAX) => Token::Number(number),
                    _ => return refuse(format!("ETF: the number {digits} is too large")),
                }
            }
            letter if letter.is_ascii_alphabetic() || letter == '_' || letter == '\\' => {
                let (mut name, mut plain, mut next) = (String::new(), true, Some(letter));
                while let Some(letter) = next {
                    plain &= letter != '\\';
                    match if letter == '\\' { chars.next() } else { Some(letter) } {
                        Some(letter) => name.push(letter),
                        None => return refuse("ETF: a backslash at the end of a line"),
                    }
                    next = chars.next_if(|&c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '\\'));
                }
                if plain { Token::Word(name) } else { Token::Name(name) }
            }
            other => return refuse(format!("ETF: {other:?} is not understood")),
        });
    }
    Ok(tokens)
}

/// A section: what follows its name, and its lines.
#[derive(Debug, Default)]
struct Section {
    head: Vec<Token>,
    lines: Vec<Vec<Token>>,
}

/// The sections by name, in the order of the file.
fn sections(text: &str) -> Checked<HashMap<String, Vec<Section>>> {
    let mut sections: HashMap<String, Vec<Section>> = HashMap::new();
    let mut open: Option<(String, Section)> = None;
    for line in text.lines() {
        let tokens = tokens(line)?;
        let word = |at: usize| match tokens.get(at) {
            Some(Token::Word(word)) if WORDS.contains(&word.as_str()) => Some(word.as_str()),
            _ => None,
        };
        match (word(0), word(1), open.take()) {
            (Some("begin"), Some(name), None) if !matches!(name, "begin" | "end") => {
                open = Some((name.to_owned(), Section { head: tokens[2..].to_vec(), lines: Vec::new() }));
            }
            (Some("end"), Some(name), Some((begun, section))) if name == begun && tokens.len() == 2 => {
                sections.entry(begun).or_default().push(section);
            }
            (None, _, Some((name, mut section))) => {
                section.lines.extend((!tokens.is_empty()).then_some(tokens));
                open = Some((name, section));
            }
            (None, _, None) if tokens.is_empty() => {}
            _ => return refuse("ETF: a section that does not begin and end, or what is in none"),
        }
    }
    match open {
        Some((name, _)) => refuse(format!("ETF: a section `{name}` without end")),
        None => Ok(sections),
    }
}

/// A name that is no word of the format, and not `_`, which stands for none.
fn name(token: &Token) -> Checked<&str> {
    match token {
        Token::Name(name) => Ok(name),
        Token::Word(name) if name != "_" && !WORDS.contains(&name.as_str()) => Ok(name),
        _ => refuse("ETF: a name is expected"),
    }
}

/// Names with their sorts.
fn declarations(section: &Section) -> Checked<Vec<(&str, &str)>> {
    let mut all = Vec::new();
    for line in &section.lines {
        for parts in line.chunks(3) {
            let [declared, Token::Sign(':'), sort] = parts else { return refuse("ETF: NAME:SORT is expected") };
            all.push((name(declared)?, name(sort)?));
        }
    }
    Ok(all)
}

/// The only section of this name.
fn only<'s>(sections: &'s HashMap<String, Vec<Section>>, name: &str) -> Checked<&'s Section> {
    match sections.get(name).map(Vec::as_slice) {
        Some([section]) if section.head.is_empty() => Ok(section),
        _ => refuse(format!("ETF: there is not one section `{name}`")),
    }
}

/// The values of each sort that has some.
fn sorts(sections: &[Section]) -> Checked<HashMap<&str, Vec<&str>>> {
    let mut sorts = HashMap::new();
    for section in sections {
        let [sort] = &section.head[..] else { return refuse("ETF: a sort without name") };
        let mut values = Vec::new();
        for token in section.lines.iter().flatten() {
            values.push(match token {
                Token::Value(value) => value.as_str(),
                token => name(token)?,
            });
        }
        if values.iter().collect::<HashSet<_>>().len() < values.len() || sorts.insert(name(sort)?, values).is_some() {
            return refuse("ETF: a sort that is there twice, or a value of one");
        }
    }
    Ok(sorts)
}

/// A number that stands for one of so many values; for any if there are none.
fn number(token: &Token, values: usize) -> Checked<u64> {
    match token {
        &Token::Number(number) if values == 0 || number < values as u64 => Ok(number),
        _ => refuse("ETF: the number of a value is expected"),
    }
}

pub(crate) fn read(text: &str) -> Checked<Net> {
    let sections = sections(text)?;
    let all = |name: &str| sections.get(name).map_or(&[][..], Vec::as_slice);
    let (state, edge, init) = (only(&sections, "state")?, only(&sections, "edge")?, only(&sections, "init")?);
    let (sorts, variables) = (sorts(all("sort"))?, declarations(state)?);
    let values = |sort: &str| sorts.get(sort).map_or(&[][..], Vec::as_slice);
    let sizes: Vec<usize> = variables.iter().map(|(_, sort)| values(sort).len()).collect();
    let [(_, sort)] = declarations(edge)?[..] else { return refuse("ETF: transitions have not one label") };
    let labels = values(sort);
    let first: Vec<&Token> = init.lines.iter().flatten().collect();
    if first.len() != variables.len()
        || variables.iter().map(|(name, _)| name).collect::<HashSet<_>>().len() != first.len()
    {
        return refuse("ETF: two variables of one name, or not one initial value for each");
    }
    let mut net = Net { name: "system".to_owned(), ..Net::default() };
    net.labels = labels.iter().copied().map(str::to_owned).collect();
    for ((&(name, sort), initial), &size) in variables.iter().zip(first).zip(&sizes) {
        // A table has a text for each value.
        keep(1 + size)?;
        let values = values(sort).iter().copied().map(str::to_owned).collect();
        net.places.push(Place { name: name.to_owned(), initial: number(initial, size)?, values });
    }
    for row in all("trans").iter().flat_map(|section| &section.lines) {
        let (mut rest, mut effects) = (&row[..], Vec::new());
        for (place, &size) in sizes.iter().enumerate() {
            rest = match rest {
                [Token::Sign('*'), rest @ ..] => rest,
                [old, Token::Sign('/'), new, rest @ ..] => {
                    let (old, new) = (number(old, size)?, number(new, size)?);
                    effects.push((place, Effect::Table(vec![(old, new)])));
                    rest
                }
                _ => return refuse("ETF: `*` or OLD/NEW is expected for each variable"),
            };
        }
        let [label] = rest else { return refuse("ETF: one label is expected for each transition") };
        keep(2 + 2 * effects.len())?;
        // Where there are no labels there is no number of one.
        let Some(label) = usize::try_from(number(label, labels.len())?).ok().filter(|&at| at < labels.len()) else {
            return refuse("ETF: a label without name");
        };
        net.steps.push(Step { label, effects, at: None });
    }
    if all("trans").iter().any(|section| !section.head.is_empty()) {
        return refuse("ETF: a section `trans` with a name");
    }
    Ok(net)
}
