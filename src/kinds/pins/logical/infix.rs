//! Conditions with operators and brackets, read with a stack of operators: brackets may be nested as deep as there is
//! text.
//!
//! `!` binds strongest, then `^`, `&`, `|`, `=>` (to the right) and `<=>`.

use super::super::source::{Fault, Place};
use super::condition::{Condition, Conditions};

/// An operator between two conditions, or an open bracket or negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    Bracket(Place),
    /// Arguments of a function, which follow this many values.
    Call(Place, usize),
    Not,
    Infix(Operator),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Operator {
    Iff,
    Implies,
    Or,
    And,
    Xor,
}

/// What stands in a text of conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token<'t> {
    Name(&'t str),
    Infix(Operator),
    Not,
    Begin,
    End,
    Comma,
}

/// Spellings of other languages: what is meant.
const FOREIGN: [(&str, &str); 4] = [("~", "!"), ("*", "&"), ("+", "|"), ("//", "#")];

/// May a name have this character? `-` is one of them, but not the first.
pub(super) fn is_in_names(character: char) -> bool {
    character.is_alphanumeric() || "_-.:[]{}".contains(character)
}

/// The condition that is a text, which begins at a place. `atom` knows names; functions of others are unknown.
pub(super) fn condition(
    text: &str,
    start: Place,
    conditions: &mut Conditions,
    atom: &mut dyn FnMut(&mut Conditions, &str, Place) -> Result<Condition, Fault>,
) -> Result<Condition, Fault> {
    condition_with_calls(text, start, conditions, &mut |conditions, name, arguments, place| match arguments {
        None => atom(conditions, name, place),
        Some(_) => Err(Fault::new(place, format!("an operator is missing after `{name}`: `&` or `|`"))),
    })
}

/// What a name stands for, or a function of this name of some arguments.
pub(super) type Atom<'a> =
    &'a mut dyn FnMut(&mut Conditions, &str, Option<&[Condition]>, Place) -> Result<Condition, Fault>;

/// The same, in which a name may be that of a function: `f(a, b & c)`.
pub(super) fn condition_with_calls<'t>(
    text: &'t str,
    start: Place,
    conditions: &mut Conditions,
    atom: Atom<'_>,
) -> Result<Condition, Fault> {
    let (mut open, mut values): (Vec<Open>, Vec<Condition>) = (Vec::new(), Vec::new());
    // The functions whose arguments are read.
    let mut called: Vec<&'t str> = Vec::new();
    // Is a condition complete, so that an operator may follow?
    let mut complete = false;
    let (mut rest, mut place) = (text, start);
    loop {
        let blanks = rest.len() - rest.trim_start().len();
        place = rest[..blanks].chars().fold(place, Place::after);
        rest = &rest[blanks..];
        if rest.is_empty() {
            break;
        }
        let (token, length) = token(rest, place)?;
        match (token, complete) {
            (Token::Name(name), false) if rest[length..].trim_start().starts_with('(') => {
                called.push(name);
                open.push(Open::Call(place, values.len()));
                let bracket = rest.find('(').map_or(length, |at| at + 1);
                place = rest[..bracket].chars().fold(place, Place::after);
                rest = &rest[bracket..];
                continue;
            }
            (Token::Name(name), false) => {
                let value = atom(conditions, name, None, place)?;
                values.push(value);
                complete = true;
                negate(&mut open, &mut values, conditions);
            }
            (Token::Not, false) => open.push(Open::Not),
            (Token::Begin, false) => open.push(Open::Bracket(place)),
            (Token::Infix(operator), true) => {
                while let Some(&Open::Infix(before)) = open.last() {
                    // An implication binds to the right.
                    if before < operator || (before == operator && operator == Operator::Implies) {
                        break;
                    }
                    open.pop();
                    apply(before, &mut values, conditions);
                }
                open.push(Open::Infix(operator));
                complete = false;
            }
            (Token::Comma, true) if !called.is_empty() => {
                while let Some(&Open::Infix(operator)) = open.last() {
                    open.pop();
                    apply(operator, &mut values, conditions);
                }
                if !matches!(open.last(), Some(Open::Call(..))) {
                    return Err(Fault::new(place, "a comma stands between the arguments of a function only"));
                }
                complete = false;
            }
            (Token::Comma, _) => {
                return Err(Fault::new(place, "`,` is no operator, and no name has it; put `!`, `&`, `|` or rename"));
            }
            (Token::End, true) => {
                loop {
                    match open.pop() {
                        Some(Open::Infix(operator)) => apply(operator, &mut values, conditions),
                        Some(Open::Bracket(_)) => break,
                        Some(Open::Call(begin, first)) => {
                            let arguments = values.split_off(first);
                            let name = called.pop().unwrap_or_default();
                            values.push(atom(conditions, name, Some(&arguments), begin)?);
                            break;
                        }
                        _ => return Err(Fault::new(place, "a closing bracket without an opening one")),
                    }
                }
                negate(&mut open, &mut values, conditions);
            }
            (Token::Name(name), true) => {
                let what = format!("an operator is missing before `{name}`: the operators are `!`, `&` and `|`");
                return Err(Fault::new(place, what));
            }
            (Token::Not | Token::Begin, true) => {
                return Err(Fault::new(place, "an operator is missing here: `&` or `|`"));
            }
            (Token::Infix(_) | Token::End, false) => {
                return Err(Fault::new(place, "a name, a constant or an opening bracket is missing here"));
            }
        }
        place = rest[..length].chars().fold(place, Place::after);
        rest = &rest[length..];
    }
    if !complete {
        return Err(Fault::new(place, "a name or a constant is missing at the end"));
    }
    while let Some(last) = open.pop() {
        match last {
            Open::Infix(operator) => apply(operator, &mut values, conditions),
            Open::Bracket(place) | Open::Call(place, _) => {
                return Err(Fault::new(place, "this bracket is not closed on its line"));
            }
            Open::Not => {}
        }
    }
    values.pop().ok_or_else(|| Fault::new(start, "a function is missing"))
}

/// Apply the negations before a condition that is complete.
fn negate(open: &mut Vec<Open>, values: &mut [Condition], conditions: &mut Conditions) {
    while open.last() == Some(&Open::Not) {
        open.pop();
        if let Some(last) = values.last_mut() {
            *last = conditions.not(*last);
        }
    }
}

fn apply(operator: Operator, values: &mut Vec<Condition>, conditions: &mut Conditions) {
    let (Some(b), Some(a)) = (values.pop(), values.pop()) else { return };
    values.push(match operator {
        Operator::Iff => conditions.iff(a, b),
        Operator::Implies => conditions.implies(a, b),
        Operator::Or => conditions.or(a, b),
        Operator::And => conditions.and(a, b),
        Operator::Xor => conditions.xor(a, b),
    });
}

/// The token at the beginning of a text, and its length.
fn token(text: &str, place: Place) -> Result<(Token<'_>, usize), Fault> {
    const OPERATORS: [(&str, Token<'static>); 11] = [
        ("<=>", Token::Infix(Operator::Iff)),
        ("=>", Token::Infix(Operator::Implies)),
        ("&&", Token::Infix(Operator::And)),
        ("||", Token::Infix(Operator::Or)),
        ("&", Token::Infix(Operator::And)),
        ("|", Token::Infix(Operator::Or)),
        ("^", Token::Infix(Operator::Xor)),
        ("!", Token::Not),
        ("(", Token::Begin),
        (")", Token::End),
        (",", Token::Comma),
    ];
    if let Some((spelling, token)) = OPERATORS.iter().find(|(spelling, _)| text.starts_with(spelling)) {
        return Ok((token.clone(), spelling.len()));
    }
    if let Some((foreign, own)) = FOREIGN.iter().find(|(foreign, _)| text.starts_with(foreign)) {
        return Err(Fault::new(place, format!("`{foreign}` is written `{own}` here")));
    }
    let length = text.find(|character| !is_in_names(character)).unwrap_or(text.len());
    match text.chars().next() {
        Some('-') => Err(Fault::new(place, "a name does not begin with `-`; `not` is written `!` here")),
        Some(character) if length == 0 => {
            let what = format!("`{character}` is no operator, and no name has it; put `!`, `&`, `|` or rename");
            Err(Fault::new(place, what))
        }
        _ => Ok((Token::Name(&text[..length]), length)),
    }
}
