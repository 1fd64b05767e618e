//! `.aeon`, the form of AEON: regulations `a -> b`, and functions `$b: expression`.
//!
//! `->` activates, `-|` inhibits, `-?` does either; a second `?` says that there may be no effect. A function that
//! contradicts its regulations is an error: AEON has no network then. Variables are in the order in which they are
//! named. A variable without regulations and without a function is an input; AEON takes its value for a parameter, with
//! the same attractors.
//!
//! **Unknown functions.** A variable with regulations and without a function has an unknown one, and a name in an expression
//! that is no variable is that of one, `f(a, b & c)`, the same wherever it stands. The values of an unknown function are
//! inputs beside the others, one for each combination of its arguments: `b(a,!c)` is what the function of `b` is where `a`
//! holds and `c` does not, and `f(1,0)` that of `f`. What regulations say of signs and effects is a condition on these
//! inputs, and the states are those that satisfy it. So a setting of the inputs is a *colour* of AEON.

use super::super::source::{Fault, Place};
use super::condition::{Condition, Conditions, Program};
use super::function::{Component, Read};
use super::infix::condition_with_calls;
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
    let mut unknown = Unknown { first: names.names.len(), names: Vec::new(), tables: HashMap::new() };
    for (target, name) in names.names.iter().enumerate() {
        let regulators: Vec<usize> =
            regulations.keys().filter(|(_, to)| *to == target).map(|&(from, _)| from).collect();
        let (found, place) = match functions.get(&target) {
            Some(&(text, begin)) => {
                let conditions = &mut read.conditions;
                let found = expression(text, begin, (target, &names, &regulators), &mut unknown, conditions)?;
                (Some((found, format!("line {}: ${name}:{text}", begin.line))), begin)
            }
            None if regulators.is_empty() => (None, Place::START),
            None => {
                let place = regulations[&(regulators[0], target)].place;
                let found = unknown.of_regulators((target, &names, &regulators), place, &mut read.conditions)?;
                (Some((found, format!("the function of {name} is not known"))), place)
            }
        };
        if let Some((found, _)) = found {
            let program = read.conditions.program(&[found]);
            if program.mentions().last().is_some_and(|&last| last >= unknown.first) {
                demand(found, (target, &names, &regulators), &regulations, place, &mut read)?;
            } else {
                check(&program, target, &names, &regulations, place)?;
            }
        }
        let (function, source) = found.map(|(found, source)| (vec![found], source)).unzip();
        read.components.push(Component { name: (*name).to_owned(), most: 1, target: function, source });
    }
    if !unknown.names.is_empty() {
        let values = unknown.names.len();
        read.notes.push(format!("1: functions are not known: {values} of their values are inputs"));
    }
    let input = |name| Component { name, most: 1, target: None, source: None };
    read.components.extend(unknown.names.into_iter().map(input));
    Ok(read)
}

/// The most arguments of an unknown function, and the most regulators of a variable with one in its function.
const MOST_ARGUMENTS: usize = 12;
/// The most values of unknown functions.
const MOST_VALUES: usize = 1 << 16;
/// Parts of a function that are looked at, for each combination of its regulators.
const MOST_PARTS: usize = 1 << 27;

/// A variable with its regulators, among all names.
type Target<'n, 't> = (usize, &'n Names<'t>, &'n [usize]);

/// Functions that are not known.
struct Unknown {
    /// The number of their first value, behind all variables.
    first: usize,
    /// Their values by name.
    names: Vec<String>,
    /// Of those with a name, how many arguments they have and their first value.
    tables: HashMap<String, (usize, usize)>,
}

impl Unknown {
    /// The first of the values of a function, which are named by their combinations of arguments.
    fn table(&mut self, arguments: usize, name: impl Fn(usize) -> String, place: Place) -> Result<usize, Fault> {
        if arguments > MOST_ARGUMENTS || self.names.len() + (1 << arguments) > MOST_VALUES {
            let what = format!("an unknown function of {arguments} arguments has too many values: give the function");
            return Err(Fault::new(place, what));
        }
        let first = self.first + self.names.len();
        self.names.extend((0..1 << arguments).map(name));
        Ok(first)
    }

    /// The unknown function of a variable: of its regulators.
    fn of_regulators(
        &mut self,
        (target, names, regulators): Target<'_, '_>,
        place: Place,
        conditions: &mut Conditions,
    ) -> Result<Condition, Fault> {
        let name = |row: usize| {
            let literal = |(at, &from): (usize, &usize)| {
                format!("{}{}", if row >> at & 1 == 1 { "" } else { "!" }, names.names[from])
            };
            format!(
                "{}({})",
                names.names[target],
                regulators.iter().enumerate().map(literal).collect::<Vec<_>>().join(",")
            )
        };
        let first = self.table(regulators.len(), name, place)?;
        let arguments: Vec<Condition> = regulators.iter().map(|&from| conditions.at_least(from, 1)).collect();
        Ok(applied(first, &arguments, conditions))
    }

    /// An unknown function with a name of these arguments.
    fn named(
        &mut self,
        name: &str,
        arguments: &[Condition],
        place: Place,
        conditions: &mut Conditions,
    ) -> Result<Condition, Fault> {
        let (count, first) = match self.tables.get(name) {
            Some(&known) => known,
            None => {
                let row = |row: usize| {
                    let value = |at: usize| if row >> at & 1 == 1 { "1" } else { "0" };
                    let values: Vec<&str> = (0..arguments.len()).map(value).collect();
                    if values.is_empty() { name.to_owned() } else { format!("{name}({})", values.join(",")) }
                };
                let first = self.table(arguments.len(), row, place)?;
                self.tables.insert(name.to_owned(), (arguments.len(), first));
                (arguments.len(), first)
            }
        };
        if count != arguments.len() {
            let what = format!("the function `{name}` has {count} arguments before, and {} here", arguments.len());
            return Err(Fault::new(place, what));
        }
        Ok(applied(first, arguments, conditions))
    }
}

/// The value of a function whose values begin with this one.
fn applied(first: usize, arguments: &[Condition], conditions: &mut Conditions) -> Condition {
    let mut values: Vec<Condition> = (0..1 << arguments.len()).map(|row| conditions.at_least(first + row, 1)).collect();
    // The first argument is the last bit.
    for &argument in arguments {
        let not = conditions.not(argument);
        let pairs = values.chunks_exact(2).map(|pair| {
            let (low, high) = (conditions.and(not, pair[0]), conditions.and(argument, pair[1]));
            conditions.or(low, high)
        });
        values = pairs.collect();
    }
    values[0]
}

/// What the regulations of a variable demand of the unknown functions in its own.
fn demand(
    function: Condition,
    (target, names, regulators): Target<'_, '_>,
    regulations: &BTreeMap<(usize, usize), Regulation>,
    place: Place,
    read: &mut Read,
) -> Result<(), Fault> {
    if regulators.len() > MOST_ARGUMENTS {
        let what = format!("there are unknown functions here, and more than {MOST_ARGUMENTS} regulators");
        return Err(Fault::new(place, what));
    }
    let conditions = &mut read.conditions;
    if conditions.program(&[function]).parts() > MOST_PARTS >> regulators.len() {
        let what = "the function is too large, with its unknown functions, to check it against its regulations";
        return Err(Fault::new(place, what));
    }
    let row = |row: usize| {
        let known = |variable: usize, _| Some(row >> regulators.binary_search(&variable).ok()? & 1 == 1);
        conditions.where_known(function, &known)
    };
    let rows: Vec<Condition> = (0..1 << regulators.len()).map(row).collect();
    for (at, &from) in regulators.iter().enumerate() {
        let regulation = regulations[&(from, target)];
        let pairs = (0..rows.len()).filter(|row| row >> at & 1 == 0).map(|row| (rows[row], rows[row | 1 << at]));
        let (mut demands, mut effect) = (Vec::new(), conditions.constant(false));
        for (low, high) in pairs {
            match regulation.activates {
                Some(true) => demands.push(conditions.implies(low, high)),
                Some(false) => demands.push(conditions.implies(high, low)),
                None => {}
            }
            let differs = conditions.xor(low, high);
            effect = conditions.or(effect, differs);
        }
        if regulation.essential {
            demands.push(effect);
        }
        let (from, to, line) = (names.names[from], names.names[target], regulation.place.line);
        if demands.contains(&conditions.constant(false)) {
            let what = format!(
                "whatever the unknown functions are, the effect of `{from}` on `{to}` is not that of line {line}"
            );
            return Err(Fault::new(place, what));
        }
        let nothing = conditions.constant(true);
        read.admissible.extend(demands.into_iter().filter(|&demand| demand != nothing));
    }
    Ok(())
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
    (target, names, regulators): Target<'_, '_>,
    unknown: &mut Unknown,
    conditions: &mut Conditions,
) -> Result<Condition, Fault> {
    let mut atom = |conditions: &mut Conditions, name: &str, arguments: Option<&[Condition]>, place: Place| {
        match (name, arguments) {
            ("true" | "1", None) => return Ok(conditions.constant(true)),
            ("false" | "0", None) => return Ok(conditions.constant(false)),
            _ => {}
        }
        match (names.number_of.get(name), arguments) {
            (Some(variable), None) if regulators.contains(variable) => Ok(conditions.at_least(*variable, 1)),
            (Some(_), None) => {
                let to = names.names[target];
                Err(Fault::new(place, format!("`{name}` does not regulate `{to}`: add a line `{name} -?? {to}`")))
            }
            (Some(_), Some(_)) => Err(Fault::new(
                place,
                format!("`{name}` is a variable, and no unknown function: an operator is missing"),
            )),
            (None, _) => unknown.named(checked(name, place)?, arguments.unwrap_or_default(), place, conditions),
        }
    };
    condition_with_calls(text, begin, conditions, &mut atom)
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
