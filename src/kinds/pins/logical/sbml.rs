//! SBML-qual: species with levels, and transitions with terms in MathML.
//!
//! Of the terms of a transition the first that is true gives the target of its outputs, else the default term does.
//! Initial levels are named states of a model and no restriction here; they are left out, and a note says so. Refused
//! are species without a greatest level, effects other than assignment, and MathML beyond comparisons of levels and the
//! operators of logic.
//!
//! Source: Chaouiya et al., *SBML qualitative models*, BMC Systems Biology 7 (2013).

use super::super::source::{Fault, Place};
use super::condition::{Condition, Conditions};
use super::function::{Component, Read};
use crate::xml::{Event, Location, XmlCursor, XmlError};
use std::collections::HashMap;

type Xml<'a> = XmlCursor<&'a [u8]>;

/// Greatest level of a species: diagrams have a child for each.
pub(super) const MOST: u32 = 1 << 12;

fn place(location: Location) -> Place {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Place { line: number(location.line), column: number(location.column) }
}

/// The fault that an error of the XML is.
pub(super) fn ill_formed(error: XmlError) -> Fault {
    Fault::new(place(error.location), error.problem.to_string())
}

/// A fault at the element that was opened last.
pub(super) fn fault(xml: &Xml<'_>, message: impl Into<String>) -> Fault {
    Fault::new(place(xml.location()), message)
}

/// The attribute of the element opened last, trimmed.
pub(super) fn attribute(xml: &Xml<'_>, name: &str) -> Result<Option<String>, Fault> {
    Ok(xml.attribute(name).map_err(ill_formed)?.map(|value| value.trim().to_owned()))
}

/// The same, which has to be there.
pub(super) fn required(xml: &Xml<'_>, name: &'static str) -> Result<String, Fault> {
    xml.require(name).map(|value| value.trim().to_owned()).map_err(ill_formed)
}

/// A level in an attribute.
pub(super) fn level(xml: &Xml<'_>, name: &'static str) -> Result<u32, Fault> {
    let text = required(xml, name)?;
    let level = text.parse().ok().filter(|&level| level <= MOST);
    level.ok_or_else(|| fault(xml, format!("`{name}` is `{text}`: it should be a level from 0 to {MOST}")))
}

/// Read a text.
pub(super) fn read(text: &str) -> Result<Read, Fault> {
    let mut read = Read::default();
    let mut number_of: HashMap<String, usize> = HashMap::new();
    let mut leveled = false;
    let mut xml = Xml::new(text.as_bytes());
    // All species, wherever they stand.
    loop {
        match xml.advance().map_err(ill_formed)? {
            Event::End => break,
            Event::Open("qualitativeSpecies") => {}
            _ => continue,
        }
        let id = required(&xml, "id")?;
        if attribute(&xml, "maxLevel")?.is_none() {
            return Err(fault(&xml, format!("species `{id}` has no maxLevel; give it one")));
        }
        let most = level(&xml, "maxLevel")?;
        leveled |= attribute(&xml, "initialLevel")?.is_some();
        if number_of.insert(id.clone(), read.components.len()).is_some() {
            return Err(fault(&xml, format!("there are two species `{id}`; rename one of them")));
        }
        read.components.push(Component { name: id, most, target: None, source: None });
    }
    if read.components.is_empty() {
        return Err(Fault::new(
            Place::START,
            "there is no qualitativeSpecies here: only SBML-qual is read as a network",
        ));
    }
    if leveled {
        read.notes.push("1: initial levels are left out: every state is one to ask about".to_owned());
    }
    let mut xml = Xml::new(text.as_bytes());
    loop {
        match xml.advance().map_err(ill_formed)? {
            Event::End => return Ok(read),
            Event::Open("transition") => transition(&mut xml, &number_of, &mut read)?,
            _ => {}
        }
    }
}

/// A transition, whose tag is open.
fn transition(xml: &mut Xml<'_>, number_of: &HashMap<String, usize>, read: &mut Read) -> Result<(), Fault> {
    let (start, depth) = (place(xml.location()), xml.depth());
    let (mut outputs, mut terms, mut default) = (Vec::new(), Vec::new(), None);
    let mut thresholds: HashMap<String, i64> = HashMap::new();
    while xml.depth() >= depth {
        let Event::Open(name) = xml.advance().map_err(ill_formed)? else { continue };
        match name {
            "input" => {
                let effect = attribute(xml, "transitionEffect")?.unwrap_or_default();
                if effect == "consumption" {
                    return Err(fault(xml, "an input that is consumed is not read; only effects `none` are"));
                }
                if let (Some(id), Some(_)) = (attribute(xml, "id")?, attribute(xml, "thresholdLevel")?) {
                    thresholds.insert(id, level(xml, "thresholdLevel")?.into());
                }
            }
            "output" => {
                let (species, effect) = (required(xml, "qualitativeSpecies")?, required(xml, "transitionEffect")?);
                let variable = known(xml, number_of, &species)?;
                if effect != "assignmentLevel" {
                    let what = format!("the effect `{effect}` on `{species}` is not read; only `assignmentLevel` is");
                    return Err(fault(xml, what));
                }
                if read.components[variable].target.is_some() || outputs.contains(&variable) {
                    let what = format!("a second transition assigns `{species}`; join them to one");
                    return Err(fault(xml, what));
                }
                outputs.push(variable);
            }
            "defaultTerm" => default = Some(level(xml, "resultLevel")?),
            "functionTerm" => {
                let result = level(xml, "resultLevel")?;
                terms.push((math(xml, number_of, &thresholds, read)?, result));
            }
            _ => {}
        }
    }
    let Some(default) = default else {
        return Err(Fault::new(start, "this transition has no defaultTerm; give it one"));
    };
    for variable in outputs {
        let most = read.components[variable].most;
        if let Some(beyond) = terms.iter().map(|&(_, result)| result).chain([default]).find(|&result| result > most) {
            let name = &read.components[variable].name;
            return Err(Fault::new(start, format!("`{name}` gets level {beyond}, but its maxLevel is {most}")));
        }
        let targets = (1..=most).map(|least| first_true(&mut read.conditions, &terms, default, least)).collect();
        let component = &mut read.components[variable];
        component.target = Some(targets);
        component.source = Some(format!("line {}: the transition of {}", start.line, component.name));
    }
    Ok(())
}

/// That the result of the first of some terms that is true, else the default, is at least this.
pub(super) fn first_true(
    conditions: &mut Conditions,
    terms: &[(Condition, u32)],
    default: u32,
    least: u32,
) -> Condition {
    let mut result = conditions.constant(default >= least);
    for &(when, level) in terms.iter().rev() {
        result = if level >= least {
            conditions.or(when, result)
        } else {
            let not = conditions.not(when);
            conditions.and(not, result)
        };
    }
    result
}

fn known(xml: &Xml<'_>, number_of: &HashMap<String, usize>, species: &str) -> Result<usize, Fault> {
    number_of.get(species).copied().ok_or_else(|| fault(xml, format!("there is no species `{species}`")))
}

/// What an element of MathML is.
#[derive(Clone, Copy, Debug)]
enum Term {
    Truth(Condition),
    Level(usize),
    Number(i64),
}

/// An open `apply`.
#[derive(Debug, Default)]
struct Apply {
    operator: Option<String>,
    operands: Vec<Term>,
}

/// The condition of a function term, whose tag is open.
fn math(
    xml: &mut Xml<'_>,
    number_of: &HashMap<String, usize>,
    thresholds: &HashMap<String, i64>,
    read: &mut Read,
) -> Result<Condition, Fault> {
    let depth = xml.depth();
    let mut open = vec![Apply::default()];
    while xml.depth() >= depth {
        let found = match xml.advance().map_err(ill_formed)? {
            Event::Open("math" | "notes" | "annotation") => continue,
            Event::Open("apply") => {
                open.push(Apply::default());
                continue;
            }
            Event::Open("cn") => {
                let text = xml.text().map_err(ill_formed)?.to_owned();
                let number = text.parse().or_else(|_| text.strip_suffix(".0").unwrap_or(&text).parse());
                Term::Number(number.map_err(|_| fault(xml, format!("`{text}` is no integer")))?)
            }
            Event::Open("ci") => {
                let name = xml.text().map_err(ill_formed)?.to_owned();
                match thresholds.get(&name) {
                    Some(&threshold) if !number_of.contains_key(&name) => Term::Number(threshold),
                    _ => Term::Level(known(xml, number_of, &name)?),
                }
            }
            Event::Open(name @ ("true" | "false")) => {
                let value = name == "true";
                Term::Truth(read.conditions.constant(value))
            }
            Event::Open(name) => {
                let name = name.to_owned();
                match open.last_mut() {
                    Some(Apply { operator: operator @ None, operands })
                        if operands.is_empty() && open_is_apply(xml) =>
                    {
                        *operator = Some(name);
                        continue;
                    }
                    _ => return Err(fault(xml, format!("`<{name}>` is not read in a condition on levels"))),
                }
            }
            Event::Close("apply") => {
                let Some(Apply { operator, operands }) = open.pop().filter(|_| !open.is_empty()) else { continue };
                Term::Truth(applied(xml, operator.as_deref().unwrap_or(""), &operands, read)?)
            }
            _ => continue,
        };
        if let Some(last) = open.last_mut() {
            last.operands.push(found);
        }
    }
    match open.first().map(|whole| &whole.operands[..]) {
        Some(&[Term::Truth(condition)]) => Ok(condition),
        _ => Err(fault(xml, "a function term has one condition, made of comparisons of levels")),
    }
}

/// Is the element that was opened last inside of an `apply`?
fn open_is_apply(xml: &Xml<'_>) -> bool {
    xml.parent() == "apply"
}

/// An operator on its operands.
fn applied(xml: &Xml<'_>, operator: &str, operands: &[Term], read: &mut Read) -> Result<Condition, Fault> {
    let wrong = || fault(xml, format!("`{operator}` does not go with what it is applied to here"));
    let truth = |term: &Term| if let Term::Truth(condition) = term { Ok(*condition) } else { Err(wrong()) };
    let conditions = &mut read.conditions;
    match (operator, operands) {
        ("and", _) => {
            operands.iter().try_fold(conditions.constant(true), |all, term| Ok(conditions.and(all, truth(term)?)))
        }
        ("or", _) => {
            operands.iter().try_fold(conditions.constant(false), |all, term| Ok(conditions.or(all, truth(term)?)))
        }
        ("xor", _) => {
            operands.iter().try_fold(conditions.constant(false), |all, term| Ok(conditions.xor(all, truth(term)?)))
        }
        ("not", [a]) => Ok(conditions.not(truth(a)?)),
        ("implies", [a, b]) => Ok(conditions.implies(truth(a)?, truth(b)?)),
        ("eq", [Term::Truth(a), Term::Truth(b)]) => Ok(conditions.iff(*a, *b)),
        ("neq", [Term::Truth(a), Term::Truth(b)]) => Ok(conditions.xor(*a, *b)),
        ("eq" | "neq" | "geq" | "leq" | "gt" | "lt", &[a, b]) => {
            let holds = |a: i64, b: i64| match operator {
                "eq" => a == b,
                "neq" => a != b,
                "geq" => a >= b,
                "leq" => a <= b,
                "gt" => a > b,
                _ => a < b,
            };
            let mut result = conditions.constant(false);
            let (these, those) = (values(a, read).ok_or_else(wrong)?, values(b, read).ok_or_else(wrong)?);
            for (when_a, a) in these {
                for &(when_b, b) in &those {
                    if !holds(a, b) {
                        continue;
                    }
                    let both = read.conditions.and(when_a, when_b);
                    result = read.conditions.or(result, both);
                }
            }
            Ok(result)
        }
        _ => Err(wrong()),
    }
}

/// The values of a level or a number, and when it has each.
fn values(term: Term, read: &mut Read) -> Option<Vec<(Condition, i64)>> {
    let conditions = &mut read.conditions;
    match term {
        Term::Truth(_) => None,
        Term::Number(number) => Some(vec![(conditions.constant(true), number)]),
        Term::Level(variable) => {
            let most = read.components[variable].most;
            let mut exactly = |level: u32| {
                let (least, above) = (conditions.at_least(variable, level), conditions.at_least(variable, level + 1));
                if level == most {
                    return least;
                }
                let not_above = conditions.not(above);
                conditions.and(least, not_above)
            };
            Some((0..=most).map(|level| (exactly(level), i64::from(level))).collect())
        }
    }
}
