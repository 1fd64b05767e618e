//! `.bnet`: a line `name, function` for each variable, as BoolNet, PyBoolNet and AEON read it.
//!
//! Tools differ in what else they take. Here: a header is `targets, factors` in any case, wherever it stands; `#` begins
//! a comment anywhere; `true` and `false` are constants in any case; names have letters, digits and `_ - . : [ ] { }`,
//! `-` not first. What some tools take for a new input by mistake is an error with its line.

use super::super::source::{Fault, Place};
use super::condition::{Condition, Conditions, Program};
use super::function::{Component, Read};
use super::infix::{condition, is_in_names};
use std::collections::HashMap;

/// A line of a variable: its name, its function and where that begins.
struct Line<'t> {
    name: &'t str,
    function: &'t str,
    place: Place,
}

/// The constant that a word is, in any case.
fn constant(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "0" | "false" => Some(false),
        "1" | "true" => Some(true),
        _ => None,
    }
}

/// Read a text. Variables with a line come first, then those without, which are inputs.
pub(super) fn read(text: &str) -> Result<Read, Fault> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut number_of: HashMap<&str, usize> = HashMap::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let Some(line) = line_of(line, number)? else { continue };
        if let Some(&before) = number_of.get(line.name) {
            let before = lines[before].place.line;
            let what = format!("`{}` has a function already, in line {before}; leave one of them", line.name);
            return Err(Fault::new(Place { line: number, column: 1 }, what));
        }
        number_of.insert(line.name, lines.len());
        lines.push(line);
    }
    if lines.is_empty() {
        return Err(Fault::new(
            Place::START,
            "there is no variable here: a line is `name, function`, as in `a, !b & c`",
        ));
    }
    let (mut conditions, mut inputs, mut remarks) = (Conditions::default(), Vec::new(), Vec::new());
    let mut components = Vec::new();
    for line in &lines {
        let mut atom = |conditions: &mut Conditions, name: &str, place: Place| {
            if let Some(value) = constant(name) {
                if name.len() > 1 && !["true", "false"].contains(&name) {
                    remarks.push(format!("{}: `{name}` is taken as a constant", place.line));
                }
                return Ok::<Condition, Fault>(conditions.constant(value));
            }
            let variable = match number_of.get(name) {
                Some(&variable) => variable,
                None => {
                    lines.len()
                        + inputs.iter().position(|input| input == name).unwrap_or_else(|| {
                            inputs.push(name.to_owned());
                            inputs.len() - 1
                        })
                }
            };
            Ok(conditions.at_least(variable, 1))
        };
        let function = condition(line.function, line.place, &mut conditions, &mut atom)?;
        let source = Some(format!("line {}: {}, {}", line.place.line, line.name, line.function.trim()));
        components.push(Component { name: line.name.to_owned(), most: 1, target: Some(vec![function]), source });
    }
    let input = |name| Component { name, most: 1, target: None, source: None };
    components.extend(inputs.into_iter().map(input));
    Ok(Read { conditions, components, remarks, ..Read::default() })
}

/// The longest function that is written, in characters.
const LONGEST: usize = 1 << 20;

/// The text of a network: of its variables with their greatest levels, and the functions of those that are no inputs.
pub(super) fn written(variables: &[(&str, u32)], functions: &HashMap<usize, &Program>) -> Result<String, String> {
    let mut text = "targets, factors\n".to_owned();
    for (variable, &(name, most)) in variables.iter().enumerate() {
        if most != 1 {
            return Err(format!("`{name}` has levels up to {most}, and a .bnet file knows 0 and 1"));
        }
        if !name.chars().all(is_in_names) || name.starts_with('-') || constant(name).is_some() {
            return Err(format!("`{name}` is no name in a .bnet file: rename it"));
        }
        let function = match functions.get(&variable) {
            Some(function) => function
                .text(|variable| variables[variable].0, LONGEST)
                .ok_or_else(|| format!("the function of `{name}` would take more than {LONGEST} characters"))?,
            None => name.to_owned(),
        };
        text += &format!("{name}, {function}\n");
    }
    Ok(text)
}

/// What a line says; `None` of a header, a comment, or nothing.
fn line_of(whole: &str, number: u32) -> Result<Option<Line<'_>>, Fault> {
    let at = |byte: usize| whole[..byte].chars().fold(Place { line: number, column: 1 }, Place::after);
    if let Some(byte) = whole.find('\r') {
        return Err(Fault::new(at(byte), "a line ends with a carriage return alone; end lines with a line feed"));
    }
    let line = whole.split_once('#').map_or(whole, |(line, _)| line);
    if line.trim().is_empty() {
        return Ok(None);
    }
    let start = line.len() - line.trim_start().len();
    if line.trim_start().starts_with("//") {
        return Err(Fault::new(at(start), "a comment begins with `#` here"));
    }
    if let Some(byte) = line.find(';') {
        return Err(Fault::new(at(byte), "`;` has no meaning here; each function has a line of its own"));
    }
    let Some((name, function)) = line.split_once(',') else {
        let what = match line.trim() {
            name if name.chars().all(is_in_names) => format!("no comma: an input is `{name}, {name}`"),
            _ => "no comma: a function stands on one line with its name, `name, function`".to_owned(),
        };
        return Err(Fault::new(at(start), what));
    };
    let begin = at(name.len() + 1);
    let name = name.trim();
    if name.eq_ignore_ascii_case("targets") && function.trim().eq_ignore_ascii_case("factors") {
        return Ok(None);
    }
    if let Some(byte) = function.find(',') {
        let place = at(line.len() - function.len() + byte);
        let what = "a second comma: a function has one column; a third one belongs to probabilistic networks, which \
                    are not read";
        return Err(Fault::new(place, what));
    }
    if name.is_empty() {
        return Err(Fault::new(at(start), "the name before the comma is missing"));
    }
    if let Some(odd) = name.chars().find(|&character| !is_in_names(character)) {
        let what = format!("a name has letters, digits and `_ - . : [ ] {{ }}`, but not `{odd}`; rename `{name}`");
        return Err(Fault::new(at(start), what));
    }
    if name.starts_with('-') {
        return Err(Fault::new(at(start), format!("a name does not begin with `-`; rename `{name}`")));
    }
    if constant(name).is_some() {
        let what = format!("`{name}` is a constant in functions, and so no name of a variable; rename it");
        return Err(Fault::new(at(start), what));
    }
    if function.trim().is_empty() {
        let what = format!("the function after the comma is missing; an input is `{name}, {name}`");
        return Err(Fault::new(begin, what));
    }
    Ok(Some(Line { name, function, place: begin }))
}
