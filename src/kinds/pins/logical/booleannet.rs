//! BooleanNet's text: a rule `A* = B and not C` for each variable.
//!
//! `#` begins a comment. A number and a colon before a rule are its rank, an order of updates of that tool alone. A line
//! without `*` gives variables a value to begin with, `A = B = True`: both are left out, as all states are initial here.
//! A variable without a rule is an input. The tool reads `and`, `or` and `not`; signs are read, too.
//!
//! Source: Albert, Thakar, Li, Zhang, Albert, *Boolean network simulations for life scientists*, Source Code for Biology
//! and Medicine 3, 2008.

use super::super::source::{Fault, Place};
use super::condition::{Condition, Conditions};
use super::function::{Component, Read};
use super::infix::{condition, is_in_names};
use std::collections::HashMap;

/// Words for operators, with signs of the same length.
const WORDS: [(&str, &str); 3] = [("and", "&  "), ("or", "| "), ("not", "!  ")];

/// The function of a variable: its text, and where that begins.
struct Rule<'t> {
    whole: &'t str,
    function: String,
    place: Place,
}

/// Read a text. Variables are in the order in which they are named.
pub(super) fn read(text: &str) -> Result<Read, Fault> {
    let mut names: Vec<&str> = Vec::new();
    let mut number_of: HashMap<&str, usize> = HashMap::new();
    let mut rules: HashMap<usize, Rule<'_>> = HashMap::new();
    let (mut values, mut ranks) = (0, 0);
    let mut number = |name| {
        *number_of.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() - 1
        })
    };
    for (line, whole) in (1..).zip(text.lines()) {
        let code = whole.split('#').next().unwrap_or_default();
        if code.trim().is_empty() {
            continue;
        }
        let at = |rest: &str| {
            let column = code[..code.len() - rest.len()].chars().count() + 1;
            Place { line, column: u32::try_from(column).unwrap_or(u32::MAX) }
        };
        let rule = match code.split_once(':') {
            Some((rank, rule)) if !rank.trim().is_empty() && rank.trim().bytes().all(|b| b.is_ascii_digit()) => {
                ranks += 1;
                rule
            }
            _ => code,
        };
        let start = at(rule.trim_start());
        let Some((left, function)) = rule.split_once('=') else {
            return Err(Fault::new(start, "no `=`: a rule is `A* = B and not C`, a value to begin with `A = True`"));
        };
        let Some(name) = left.trim_end().strip_suffix('*') else {
            values += 1;
            let assigned = rule.rsplit_once('=').map_or(left, |(left, _)| left);
            for name in assigned.split('=') {
                number(checked(name.trim(), start)?);
            }
            continue;
        };
        let target = number(checked(name.trim(), start)?);
        let rule = Rule { whole: code.trim(), function: in_signs(function), place: at(function) };
        if let Some(before) = rules.insert(target, rule) {
            let what =
                format!("`{}` has a rule already, in line {}; leave one of them", name.trim(), before.place.line);
            return Err(Fault::new(start, what));
        }
    }
    let mut read = Read::default();
    let mut inputs: Vec<String> = Vec::new();
    let mut targets: Vec<Option<Condition>> = vec![None; names.len()];
    for (target, slot) in targets.iter_mut().enumerate() {
        let Some(rule) = rules.get(&target) else { continue };
        let mut atom = |conditions: &mut Conditions, name: &str, _: Place| {
            match name.to_ascii_lowercase().as_str() {
                "true" | "1" => return Ok(conditions.constant(true)),
                "false" | "0" => return Ok(conditions.constant(false)),
                _ => {}
            }
            let variable = number_of.get(name).copied().unwrap_or_else(|| {
                let known = inputs.iter().position(|input| input == name);
                names.len()
                    + known.unwrap_or_else(|| {
                        inputs.push(name.to_owned());
                        inputs.len() - 1
                    })
            });
            Ok::<Condition, Fault>(conditions.at_least(variable, 1))
        };
        *slot = Some(condition(&rule.function, rule.place, &mut read.conditions, &mut atom)?);
    }
    for (variable, target) in targets.into_iter().enumerate() {
        let source = rules.get(&variable).map(|rule| format!("line {}: {}", rule.place.line, rule.whole));
        let (name, target) = (names[variable].to_owned(), target.map(|target| vec![target]));
        read.components.push(Component { name, most: 1, target, source });
    }
    let input = |name| Component { name, most: 1, target: None, source: None };
    read.components.extend(inputs.into_iter().map(input));
    if read.components.is_empty() {
        return Err(Fault::new(Place::START, "there is no variable here: a rule is `A* = B and not C`"));
    }
    for (what, number) in [("values to begin with", values), ("ranks of rules", ranks)] {
        if number > 0 {
            read.notes
                .push(format!("1: {number} {what} are left out: all states are initial, and updates have no order"));
        }
    }
    Ok(read)
}

/// A name that a variable may have.
fn checked(name: &str, place: Place) -> Result<&str, Fault> {
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_in_names) {
        return Err(Fault::new(
            place,
            format!("`{name}` is no name: a name has letters, digits and `_ - . : [ ] {{ }}`"),
        ));
    }
    Ok(name)
}

/// A function with signs for the words between names, each of the same length.
fn in_signs(function: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(function.len()), function);
    while let Some(character) = rest.chars().next() {
        let length = rest.find(|character| !is_in_names(character)).unwrap_or(rest.len()).max(character.len_utf8());
        let (word, after) = rest.split_at(length);
        let sign = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        text.push_str(sign.map_or(word, |(_, sign)| sign));
        rest = after;
    }
    text
}
