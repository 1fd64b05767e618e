//! `.aeon`, the form of AEON: regulations `a -> b`, and functions `$b: expression`.
//!
//! `->` activates, `-|` inhibits, `-?` does either; a second `?` says that there may be no effect. A function that
//! contradicts its regulations is an error: AEON has no network then. Variables are in the order in which they are
//! named. A variable without regulations and without a function is an input; AEON takes its value for a parameter, with
//! the same attractors. Other unknown functions, which stand for a network each, are refused.

use super::super::source::{Fault, Place};
use super::condition::{Condition, Conditions, Program};
use super::function::{Component, Read};
use super::infix::condition;
use super::relation::{RUNS, diagrams_of};
use std::collections::{BTreeMap, HashMap};

/// What is said of a regulation.
#[derive(Clone, Copy, Debug)]
struct Regulation {
    /// Does it activate (true), or inhibit? None if that is not said.
    activates: Option<bool>,
    /// Has it an effect for sure?
    essential: bool,
    place: Place,
}

/// Variables by name, in the order in which they are named.
#[derive(Debug, Default)]
struct Names<'t> {
    names: Vec<&'t str>,
    number_of: HashMap<&'t str, usize>,
}

impl<'t> Names<'t> {
    fn number(&mut self, name: &'t str) -> usize {
        *self.number_of.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

/// Read a text.
pub(super) fn read(text: &str) -> Result<Read, Fault> {
    let mut names = Names::default();
    let mut regulations: BTreeMap<(usize, usize), Regulation> = BTreeMap::new();
    let mut functions: BTreeMap<usize, (&str, Place)> = BTreeMap::new();
    for (number, whole) in (1..).zip(text.lines()) {
        let line = whole.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = Place { line: number, column: 1 };
        if let Some(rest) = line.strip_prefix('$') {
            let Some((name, function)) = rest.split_once(':') else {
                return Err(Fault::new(place, "no colon: a function is `$name: expression`"));
            };
            let column = whole.trim_end().chars().count() - function.chars().count() + 1;
            let begin = Place { column: u32::try_from(column).unwrap_or(u32::MAX), ..place };
            let target = names.number(checked(name.trim(), place)?);
            if functions.insert(target, (function, begin)).is_some() {
                return Err(Fault::new(place, format!("`{}` has a function already; leave one", name.trim())));
            }
            continue;
        }
        let (from, to, regulation) = regulation(line, place)?;
        let pair = (names.number(from), names.number(to));
        if let Some(before) = regulations.insert(pair, regulation) {
            let what = format!("line {} has a regulation of `{to}` by `{from}` already; leave one", before.place.line);
            return Err(Fault::new(place, what));
        }
    }
    if names.names.is_empty() {
        return Err(Fault::new(Place::START, "there is no variable here: a line is `a -> b` or `$b: a`"));
    }
    let mut read = Read::default();
    for (target, name) in names.names.iter().enumerate() {
        let regulators: Vec<usize> =
            regulations.keys().filter(|(_, to)| *to == target).map(|&(from, _)| from).collect();
        let (mut function, mut source) = (None, None);
        match functions.get(&target) {
            Some(&(text, begin)) => {
                let found = expression(text, begin, target, &names, &regulators, &mut read.conditions)?;
                let program = read.conditions.program(&[found]);
                check(&program, target, &names, &regulations, begin)?;
                function = Some(vec![found]);
                source = Some(format!("line {}: ${name}:{text}", begin.line));
            }
            None if regulators.is_empty() => {}
            None => {
                let first = regulations[&(regulators[0], target)].place;
                let what = format!(
                    "the function of `{name}` is not known, and networks with unknown functions are not read: add a \
                     line `${name}: …`"
                );
                return Err(Fault::new(first, what));
            }
        }
        read.components.push(Component { name: (*name).to_owned(), most: 1, target: function, source });
    }
    Ok(read)
}

/// A name as AEON takes it.
fn checked(name: &str, place: Place) -> Result<&str, Fault> {
    let fits = !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || character == '_');
    if fits && matches!(name, "true" | "false" | "0" | "1") {
        return Err(Fault::new(place, format!("`{name}` is a constant, and a variable is wanted here")));
    }
    if fits {
        return Ok(name);
    }
    Err(Fault::new(place, format!("`{name}` is no name: a name has letters, digits and `_`")))
}

/// `a -> b` and its relatives.
fn regulation(line: &str, place: Place) -> Result<(&str, &str, Regulation), Fault> {
    const ARROWS: [(&str, Option<bool>, bool); 6] = [
        ("->?", Some(true), false),
        ("-|?", Some(false), false),
        ("-??", None, false),
        ("->", Some(true), true),
        ("-|", Some(false), true),
        ("-?", None, true),
    ];
    for (arrow, activates, essential) in ARROWS {
        if let Some((from, to)) = line.split_once(arrow) {
            let (from, to) = (checked(from.trim(), place)?, checked(to.trim(), place)?);
            return Ok((from, to, Regulation { activates, essential, place }));
        }
    }
    Err(Fault::new(place, "neither a regulation (`a -> b`, `a -| b`, `a -? b`) nor a function (`$b: a`)"))
}

/// The function of a variable.
fn expression(
    text: &str,
    begin: Place,
    target: usize,
    names: &Names<'_>,
    regulators: &[usize],
    conditions: &mut Conditions,
) -> Result<Condition, Fault> {
    let mut atom = |conditions: &mut Conditions, name: &str, place: Place| {
        let variable = match name {
            "true" | "1" => return Ok(conditions.constant(true)),
            "false" | "0" => return Ok(conditions.constant(false)),
            _ => names.number_of.get(name),
        };
        match variable {
            Some(variable) if regulators.contains(variable) => Ok(conditions.at_least(*variable, 1)),
            Some(_) => {
                let to = names.names[target];
                Err(Fault::new(place, format!("`{name}` does not regulate `{to}`: add a line `{name} -?? {to}`")))
            }
            None => {
                let what = format!("`{name}` is no variable, and networks with unknown functions are not read");
                Err(Fault::new(place, what))
            }
        }
    };
    condition(text, begin, conditions, &mut atom)
}

/// Does a function do what its regulations say?
fn check(
    function: &Program,
    target: usize,
    names: &Names<'_>,
    regulations: &BTreeMap<(usize, usize), Regulation>,
    place: Place,
) -> Result<(), Fault> {
    let sizes = vec![2; names.names.len()];
    let too_large = |_| Fault::new(place, "the function is too large to check it against its regulations");
    let (mut diagrams, all) = diagrams_of(function, &sizes).map_err(too_large)?;
    for (&(from, _), regulation) in regulations.iter().filter(|((_, to), _)| *to == target) {
        let slot = u32::try_from(from).unwrap_or(u32::MAX);
        diagrams.allow(RUNS);
        let mut ends = || {
            let (low, high) = (diagrams.fix(all[0], 2 * slot, 0)?, diagrams.fix(all[0], 2 * slot, 1)?);
            let (not_low, not_high) = (diagrams.not(low)?, diagrams.not(high)?);
            let (up, down) = (diagrams.and(not_low, high)?, diagrams.and(low, not_high)?);
            Ok([up, down].map(|change| change != starset_smv::Diagrams::FALSE))
        };
        let [rises, falls] = ends().map_err(too_large)?;
        let (from, to) = (names.names[from], names.names[target]);
        if regulation.essential && !rises && !falls {
            let what = format!(
                "`{from}` has no effect on `{to}`, against line {}: put `?` after its arrow",
                regulation.place.line
            );
            return Err(Fault::new(place, what));
        }
        let wrong = match regulation.activates {
            Some(true) => falls,
            Some(false) => rises,
            None => false,
        };
        if wrong {
            let what =
                format!("the effect of `{from}` on `{to}` has another sign than line {} says", regulation.place.line);
            return Err(Fault::new(place, what));
        }
    }
    Ok(())
}
