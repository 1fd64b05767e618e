//! Rules: formulas about traces, each on a line of a file.
//!
//! A rule is a formula of linear time about finite words (LTLf) or a template of Declare, whose atoms are activities: at
//! each position of a trace the one activity holds that is done there. It is evaluated by the definition of its
//! operators, without an automaton. A trace without activities has no position: atoms, `X`, `F` and `U` are false of it,
//! negated atoms, `N`, `G` and `R` true. A rule may also be about decisions, `flow(accepted)` or `gateway(check)`
//! ([`Decision`]): then each step that is one of these is a position as well. Some templates may have a length of time behind them ([`super::deadline`]); what
//! [`Rule::holds`] says of these is about the template alone.

use super::deadline::Deadline;
use crate::automaton::finite::{ALIVE, parse_rule};
use crate::automaton::ltl::{Formula, Formulas, Lasso};
use crate::automaton::{Cube, Literal, Prop};
use crate::files;
use crate::formula::{Decision, is_comment, named};
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, or its number in the file.
    pub id: String,
    /// As it is written.
    pub text: String,
    /// The time in it.
    pub deadline: Option<Deadline>,
    /// Of a template with time, what it is about: each part is about one activity.
    parts: Vec<Rule>,
    /// The decisions that it is about.
    decisions: Vec<Decision>,
    pub(super) store: Formulas,
    holds: Formula,
    /// The same about finite words of at least one letter, as automata read them.
    pub(super) on_words: Formula,
    /// What holds in all positions.
    pub(super) alive: Prop,
}

/// Why rules are not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct RuleError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem and the remedy.
    pub message: String,
}

impl Rule {
    /// Reads a rule; what is wrong is a sentence. With remarks on what may be meant otherwise.
    ///
    /// # Errors
    /// If it is no formula about finite words.
    pub fn parse(id: &str, text: &str) -> Result<(Rule, Vec<String>), String> {
        let text = text.trim();
        let split = Deadline::split(text);
        let formula = split.map_or(text, |(rule, _)| rule);
        let (mut rule, remarks) = Rule::without_time(id, formula)?;
        if let Some((template, length)) = split {
            let (deadline, parts) = Deadline::parse(template, length)?;
            rule.deadline = Some(deadline);
            rule.parts = parts.into_iter().map(Rule::of_one_activity).collect::<Result<_, _>>()?;
        }
        text.clone_into(&mut rule.text);
        Ok((rule, remarks))
    }

    /// A rule about one activity, as stands in the brackets of a template with time.
    fn of_one_activity(text: &str) -> Result<Rule, String> {
        let (rule, _) = Rule::without_time("", text)?;
        match rule.store.is_boolean(rule.holds) {
            true => Ok(rule),
            false => Err(format!(
                "`{}` is about several activities; of rules with `within` each part is about one",
                rule.text
            )),
        }
    }

    fn without_time(id: &str, text: &str) -> Result<(Rule, Vec<String>), String> {
        let mut store = Formulas::new();
        let alive = store.proposition(ALIVE);
        let ([holds, on_words], remarks) = parse_rule(&mut store, text, alive).map_err(|error| error.to_string())?;
        let remarks = remarks.into_iter().map(|(column, remark)| format!("column {column}: {remark}")).collect();
        let (id, text) = (id.to_owned(), text.trim().to_owned());
        let decisions = store.propositions().filter_map(Decision::of_proposition).collect();
        Ok((Rule { id, text, deadline: None, parts: Vec::new(), decisions, store, holds, on_words, alive }, remarks))
    }

    /// The activities that it is about.
    pub fn activities(&self) -> impl Iterator<Item = &str> {
        self.store.propositions().filter(|name| *name != ALIVE && Decision::of_proposition(name).is_none())
    }

    /// The decisions that it is about.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Why a log cannot tell whether it is kept, if it cannot.
    pub fn beyond_logs(&self) -> Option<&'static str> {
        match (&self.deadline, self.decisions.is_empty()) {
            (Some(_), _) => {
                Some("`within` is about runs of models (starset rules); of logs the order of events is read alone")
            }
            (None, false) => {
                Some("`flow` and `gateway` are about decisions of gateways (starset rules), of which logs do not tell")
            }
            (None, true) => None,
        }
    }

    /// The letter of a position that observers of a rule with time read: which of its parts it is.
    pub(super) fn letter(&self, is: impl Fn(&str) -> bool) -> usize {
        let holds = |(bit, part): (usize, &Rule)| usize::from(part.holds(&[()], |(), name| is(name))) << bit;
        self.parts.iter().enumerate().map(holds).sum()
    }

    /// Does a trace keep it? `is` says whether a position of the trace has an activity of the rule, or is a decision, by
    /// the name of its proposition.
    pub fn holds<T>(&self, trace: &[T], is: impl Fn(&T, &str) -> bool) -> bool {
        let names: Vec<&str> = self.store.propositions().collect();
        let alive = Literal { prop: self.alive, positive: true };
        let letter = |position: &T| {
            let held = (0..).zip(&names).filter(|(number, name)| Prop(*number) != self.alive && is(position, name));
            let held = held.map(|(number, _)| Literal { prop: Prop(number), positive: true });
            // Positive literals contradict none.
            Cube::new(held.chain([alive])).unwrap_or_default()
        };
        let word = Lasso { prefix: trace.iter().map(letter).collect(), cycle: vec![Cube::default()] };
        self.store.satisfied(self.holds, &word)
    }
}

/// The rules in a file: one on each line, perhaps with a name and a colon before it. Blank lines do not count, nor those
/// that begin with `# ` or `//`. With remarks, each with the file and the line.
///
/// # Errors
/// [`RuleError`].
pub fn read_rules(path: &Path) -> Result<(Vec<Rule>, Vec<String>), RuleError> {
    let file = files::shown(path);
    let wrong = |line: usize, message: String| RuleError { file: file.clone(), line, message };
    let mut text = String::new();
    let read = files::open(path).and_then(|mut input| input.read_to_string(&mut text));
    read.map_err(|error| wrong(1, format!("cannot be read: {}", files::why(&error))))?;
    let (mut rules, mut remarks) = (Vec::<Rule>::new(), Vec::new());
    let mut ids = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}');
        if is_comment(line.trim()) {
            continue;
        }
        let (name, formula) = named(line);
        let id = name.map_or_else(|| (rules.len() + 1).to_string(), str::to_owned);
        let (rule, said) = Rule::parse(&id, formula).map_err(|message| wrong(number, message))?;
        remarks.extend(said.into_iter().map(|remark| format!("{file}:{number}: {remark}")));
        if !ids.insert(id.clone()) {
            return Err(wrong(number, format!("two rules are called `{id}`; give one of them another name")));
        }
        rules.push(rule);
    }
    match rules.is_empty() {
        true => Err(wrong(1, "the file has no rule; write one on each line, as in `response(a, b)`".to_owned())),
        false => Ok((rules, remarks)),
    }
}
