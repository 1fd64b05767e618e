//! Fairness assumptions: what is taken for granted of infinite behaviour, and how people write it.
//!
//! | assumption | a path is fair to it when |
//! |---|---|
//! | `justice F` | `G F F`: F holds again and again |
//! | `compassion P, Q` | `G F P -> G F Q`: if P holds again and again, so does Q |
//! | `weak-fair t` | `F G enabled(t) -> G F action(t)`: t is not possible for ever without being taken |
//! | `strong-fair t` | `G F enabled(t) -> G F action(t)`: what is possible again and again is taken again and again |
//!
//! F, P and Q are state formulas; quantifiers inside of them range over all paths. `t` is a name as in `enabled(t)`: a
//! transition, an action, a label, or a coloured transition with all its instances. `all` stands for each of them, one
//! by one. A list `t, u` is an assumption for each of its names.
//!
//! Weak fairness is justice of `!enabled(t) | action(t)`, and strong fairness compassion of `enabled(t)` and
//! `action(t)`: all assumptions are [`Condition`]s of two forms. None of them depends on where a path begins. At the end
//! of a path nothing is enabled, so that only `justice` and `compassion` say something there (docs/semantics.md).
//!
//! Lehmann, Pnueli and Stavi, "Impartiality, justice and fairness", ICALP 1981.

use super::ast::Formula;
use super::parse::{Defined, parse_defined};
use super::pool::{FormulaId, Pool};
use super::symbols::Symbols;
use crate::net::TransitionId;
use std::fmt;

/// The sorts of assumptions, by how they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssumptionKind {
    /// A condition that holds again and again.
    Justice,
    /// A condition that holds again and again if another one does.
    Compassion,
    /// Steps that are not possible for ever without one being taken.
    WeakFair,
    /// Steps of which one is taken again and again if some are possible again and again.
    StrongFair,
}

impl AssumptionKind {
    /// All of them.
    pub const ALL: [AssumptionKind; 4] =
        [AssumptionKind::Justice, AssumptionKind::Compassion, AssumptionKind::WeakFair, AssumptionKind::StrongFair];

    /// The word before the assumption: in files alone, as an option after `--`.
    pub fn word(self) -> &'static str {
        match self {
            AssumptionKind::Justice => "justice",
            AssumptionKind::Compassion => "compassion",
            AssumptionKind::WeakFair => "weak-fair",
            AssumptionKind::StrongFair => "strong-fair",
        }
    }
}

/// What a path satisfies that is fair to an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// `G F j`
    Justice(FormulaId),
    /// `G F p -> G F q`
    Compassion(FormulaId, FormulaId),
}

impl Condition {
    /// The condition as a path formula.
    pub fn path(self, pool: &mut Pool) -> FormulaId {
        match self {
            Condition::Justice(j) => again_and_again(pool, j),
            Condition::Compassion(p, q) => {
                let (p, q) = (again_and_again(pool, p), again_and_again(pool, q));
                pool.add(Formula::Implies(p, q))
            }
        }
    }
}

fn again_and_again(pool: &mut Pool, formula: FormulaId) -> FormulaId {
    let sometimes = pool.add(Formula::Finally(formula));
    pool.add(Formula::Globally(sometimes))
}

/// An assumption as it was written, and what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    text: String,
    conditions: Vec<Condition>,
}

impl Assumption {
    /// An assumption with a text for people.
    pub fn new(text: impl Into<String>, conditions: Vec<Condition>) -> Self {
        Assumption { text: text.into(), conditions }
    }

    /// What it says: one condition, or one for each of its names.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }
}

impl fmt::Display for Assumption {
    /// As in a file: `justice F`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why an assumption cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem}")]
pub struct WrongAssumption {
    /// Bytes before the problem, in what follows the word of the assumption.
    pub at: usize,
    /// What is wrong.
    pub problem: String,
}

/// Read what follows the word of an assumption.
///
/// ```
/// use starset::formula::{AssumptionKind, Pool, Symbols, read_assumption};
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("n");
/// let (p, t) = (b.place("p", 1)?, b.transition("t")?);
/// b.input(p, t, 1)?;
/// let symbols = Symbols::new(&b.build()?);
/// let mut pool = Pool::new();
/// let assumption = read_assumption(AssumptionKind::WeakFair, "t", &symbols, &mut pool).unwrap();
/// assert_eq!(assumption.to_string(), "weak-fair t");
/// let path = assumption.conditions()[0].path(&mut pool);
/// assert_eq!(pool.display(path, &symbols).to_string(), "G F (!enabled(t) | action(t))");
/// # Ok::<(), starset::net::BuildError>(())
/// ```
///
/// # Errors
/// [`WrongAssumption`] where it is none about the model.
pub fn read_assumption(
    kind: AssumptionKind,
    text: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Assumption, WrongAssumption> {
    read_assumption_with(kind, text, symbols, pool, &Defined::default())
}

/// Read an assumption as it stands in a file: its word, and what follows.
///
/// # Errors
/// [`WrongAssumption`], with the bytes before the problem in the line.
pub fn read_assumption_line(line: &str, symbols: &Symbols, pool: &mut Pool) -> Result<Assumption, WrongAssumption> {
    let Some((kind, text)) = assumption_of(line) else {
        let words = AssumptionKind::ALL.map(AssumptionKind::word).join(", ");
        return Err(WrongAssumption {
            at: 0,
            problem: format!("an assumption begins with one of {words}, as `justice p = 1`"),
        });
    };
    let before = offset_in(line, text);
    let read = read_assumption(kind, text, symbols, pool);
    read.map_err(|wrong| WrongAssumption { at: before + wrong.at, ..wrong })
}

/// As [`read_assumption`], where these names stand for formulas.
pub(super) fn read_assumption_with(
    kind: AssumptionKind,
    text: &str,
    symbols: &Symbols,
    pool: &mut Pool,
    defined: &Defined,
) -> Result<Assumption, WrongAssumption> {
    let wrong = |at: usize, problem: String| WrongAssumption { at, problem };
    let operands = operands(text);
    let mut state_formula = |operand: &str| {
        let before = offset_in(text, operand);
        let (formula, _) = parse_defined(operand, symbols, pool, defined).map_err(|e| {
            let column = operand.char_indices().nth(e.column - 1).map_or(operand.len(), |(at, _)| at);
            wrong(before + column, e.kind.to_string())
        })?;
        if pool.is_state(formula) {
            return Ok(formula);
        }
        let word = kind.word();
        Err(wrong(before, format!("{word} is about state formulas; quantify the path formula with E or A")))
    };
    let mut conditions = Vec::new();
    match (kind, &operands[..]) {
        (AssumptionKind::Justice, _) => conditions.push(Condition::Justice(state_formula(text.trim())?)),
        (AssumptionKind::Compassion, &[p, q]) => {
            conditions.push(Condition::Compassion(state_formula(p)?, state_formula(q)?));
        }
        (AssumptionKind::Compassion, operands) => {
            let found = operands.len();
            return Err(wrong(0, format!("compassion is about two formulas, with a comma between them, not {found}")));
        }
        (AssumptionKind::WeakFair | AssumptionKind::StrongFair, names) => {
            for &name in names {
                // A transition of this name stands in quotes.
                if name == "all" {
                    let each = symbols.apart().into_iter().map(|list| fair(kind, list.clone(), list, pool));
                    conditions.extend(each);
                    continue;
                }
                // Names are those of atoms, which are read as such.
                let mut atom = |word: &str| {
                    let read = parse_defined(&format!("{word}({name})"), symbols, pool, defined);
                    match read.map(|(formula, _)| &pool[formula]) {
                        Ok(Formula::Enabled(list) | Formula::Action(list)) if !name.is_empty() => Ok(list.clone()),
                        Ok(_) => Err("expected the name of a transition or action, or `all`".to_owned()),
                        Err(error) => Err(error.kind.to_string()),
                    }
                };
                let lists = atom("enabled").and_then(|enabled| Ok((enabled, atom("action")?)));
                let (enabled, taken) = lists.map_err(|problem| wrong(offset_in(text, name), problem))?;
                conditions.push(fair(kind, enabled, taken, pool));
            }
        }
    }
    Ok(Assumption { text: format!("{} {}", kind.word(), text.trim()), conditions })
}

/// Fairness of some transitions together: if one is enabled, one is to be taken.
fn fair(kind: AssumptionKind, enabled: Vec<TransitionId>, taken: Vec<TransitionId>, pool: &mut Pool) -> Condition {
    let (enabled, taken) = (pool.add(Formula::Enabled(enabled)), pool.add(Formula::Action(taken)));
    if kind == AssumptionKind::StrongFair {
        return Condition::Compassion(enabled, taken);
    }
    let impossible = pool.not(enabled);
    Condition::Justice(pool.or(vec![impossible, taken]))
}

/// The word of an assumption that a line begins with, and what follows.
pub(super) fn assumption_of(line: &str) -> Option<(AssumptionKind, &str)> {
    let line = line.trim_start();
    AssumptionKind::ALL.into_iter().find_map(|kind| {
        let rest = line.strip_prefix(kind.word())?;
        (rest.starts_with(char::is_whitespace) && is_begun(rest)).then_some((kind, rest))
    })
}

/// May this follow the word of an assumption? A variable may be called `justice`.
fn is_begun(rest: &str) -> bool {
    let rest = rest.trim_start();
    !rest.is_empty() && !rest.starts_with(|c: char| "=<>≤≥≠+*/&|)^".contains(c))
}

/// The word that a line begins with, and the assumption that may be meant, if it is written otherwise: in other letters,
/// without a blank behind it, or as `fairness`, which SMV says.
pub(super) fn misspelt(line: &str) -> Option<(&str, AssumptionKind)> {
    let line = line.trim_start();
    let (word, rest) = line.split_at(line.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?);
    let kind = meant(word)?;
    let begins = rest.starts_with('(') || word != kind.word() && rest.starts_with(char::is_whitespace);
    (begins && is_begun(rest)).then_some((word, kind))
}

/// The assumption that a word makes one think of.
pub(super) fn meant(word: &str) -> Option<AssumptionKind> {
    let kind = AssumptionKind::ALL.into_iter().find(|kind| word.eq_ignore_ascii_case(kind.word()));
    kind.or_else(|| word.eq_ignore_ascii_case("fairness").then_some(AssumptionKind::Justice))
}

/// The bytes of a text before a part of it.
pub(super) fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The parts of a list, without the blanks around them: commas in brackets and in double quotes are part of them.
pub(super) fn operands(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted, mut from) = (0usize, false, 0);
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[from..].trim());
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;

    fn read(line: &str) -> Result<String, String> {
        read_about(&["t", "u v"], line)
    }

    fn read_about(transitions: &[&str], line: &str) -> Result<String, String> {
        let mut b = NetBuilder::new("n");
        let p = b.place("p", 1).unwrap();
        for &name in transitions {
            let t = b.transition(name).unwrap();
            b.input(p, t, 1).unwrap();
        }
        let symbols = Symbols::new(&b.build().unwrap());
        let mut pool = Pool::new();
        let (kind, text) = assumption_of(line).ok_or("none")?;
        let read = read_assumption(kind, text, &symbols, &mut pool).map_err(|e| format!("{}: {e}", e.at))?;
        let paths: Vec<FormulaId> = read.conditions().iter().map(|condition| condition.path(&mut pool)).collect();
        let paths: Vec<String> = paths.iter().map(|&path| pool.display(path, &symbols).to_string()).collect();
        Ok(format!("{read}: {}", paths.join("; ")))
    }

    #[test]
    fn all_forms_are_read() {
        for (line, expected) in [
            ("justice p = 1", "justice p = 1: G F (#p = 1)"),
            (" justice  !(p = 1) ", "justice !(p = 1): G F !(#p = 1)"),
            (
                "compassion enabled(t, \"u v\"), EF p = 0",
                "compassion enabled(t, \"u v\"), EF p = 0: G F enabled(t, \"u v\") -> (G F E F (#p = 0))",
            ),
            ("weak-fair t", "weak-fair t: G F (!enabled(t) | action(t))"),
            ("strong-fair \"u v\"", "strong-fair \"u v\": G F enabled(\"u v\") -> G F action(\"u v\")"),
            (
                "weak-fair all",
                "weak-fair all: G F (!enabled(t) | action(t)); G F (!enabled(\"u v\") | action(\"u v\"))",
            ),
        ] {
            assert_eq!(read(line).as_deref(), Ok(expected));
        }
        assert_eq!(read("weak-fair t, \"u v\""), read("weak-fair all").map(|all| all.replacen("all", "t, \"u v\"", 1)));
    }

    #[test]
    fn a_transition_called_all_stands_in_quotes() {
        let of_all = |line| read_about(&["all", "t"], line).unwrap();
        let (each, one) = (of_all("weak-fair all"), of_all("weak-fair \"all\""));
        assert!(each.contains("enabled(all)") && each.contains("enabled(t)"), "{each}");
        assert!(one.contains("enabled(all)") && !one.contains("enabled(t)"), "{one}");
    }

    #[test]
    fn mistakes_are_placed() {
        for (line, problem) in [
            ("justice F p = 1", "1: justice is about state formulas; quantify the path formula with E or A"),
            ("justice q = 1", "1: unknown place `q`"),
            ("compassion p = 1", "0: compassion is about two formulas, with a comma between them, not 1"),
            ("compassion p = 1, q = 1", "8: unknown place `q`"),
            ("weak-fair t, w", "4: unknown transition `w`"),
            ("weak-fair t) | enabled(t", "1: expected the name of a transition or action, or `all`"),
            ("weak-fair t,", "3: expected the name of a transition or action, or `all`"),
            ("justice", "none"),
            ("justice = 1", "none"),
            ("weak-fairness t", "none"),
        ] {
            let found = read(line).unwrap_err();
            assert!(found.starts_with(problem), "{line}: {found}");
        }
    }
}
