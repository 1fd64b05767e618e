//! Rules with a length of time: `response(order, pay) within P5D`.
//!
//! | rule | meaning |
//! |---|---|
//! | `existence(a) within d` | an `a` begins at most `d` after the start |
//! | `absence(a) within d` | none does |
//! | `response(a, b) within d` | after each `a` a `b` begins, at most `d` later |
//! | `precedence(a, b) within d` | before each `b` an `a` began, at most `d` earlier |
//! | `succession(a, b) within d` | both |
//! | `not_response(a, b) within d` | after no `a` a `b` begins at most `d` later; the same as `not_precedence`, `not_succession` |
//!
//! A time of exactly `d` is within. What begins at the same time has its order in the run all the same. Where a position
//! is both, an `a` and a `b`, each is its own answer, as in the templates without time.
//!
//! **Idea.** A deterministic observer of few states with one clock looks at each activity, and says at the end of a
//! complete run whether that broke the rule. The clock measures the time since the start; since the first `a` that waits
//! for its answer, as a `b` that is in time for that one is in time for those behind it; or since the last `a`.

use crate::kinds::bpmn::{NoLength, seconds};
use crate::kinds::clocks::rational::{self, Rational};

/// What a rule with a length of time is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Template {
    Existence,
    Absence,
    Response,
    Precedence,
    Succession,
    NotResponse,
}

/// By their names, which are those of Declare.
const TEMPLATES: [(&str, Template); 8] = [
    ("existence", Template::Existence),
    ("absence", Template::Absence),
    ("response", Template::Response),
    ("precedence", Template::Precedence),
    ("succession", Template::Succession),
    ("notresponse", Template::NotResponse),
    ("notprecedence", Template::NotResponse),
    ("notsuccession", Template::NotResponse),
];

/// A length of time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Length {
    /// Of processes: so many seconds.
    Seconds(Rational),
    /// Of nets with clocks: so many units.
    Units(Rational),
}

/// The time in a rule.
#[derive(Clone, Debug)]
pub struct Deadline {
    template: Template,
    /// How long.
    pub length: Length,
}

/// What an observer demands of its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guard {
    /// Nothing.
    Any,
    /// It is at most the length of time.
    AtMost,
    /// It is more.
    MoreThan,
}

/// Where an observer may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) guard: Guard,
    /// Does its clock begin anew?
    pub(super) resets: bool,
    pub(super) target: usize,
}

/// An automaton that looks at activities. It begins in state 0; of the edges of a letter one may be taken, whatever the
/// time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Observer {
    /// By state and letter.
    pub(super) edges: Vec<Vec<Vec<Edge>>>,
    /// The states in which a complete run has broken the rule.
    pub(super) broken: Vec<bool>,
}

impl Deadline {
    /// The rule in front of `within`, and the length behind it; `None` if the rule has no such word at its end.
    pub(super) fn split(text: &str) -> Option<(&str, &str)> {
        let (_, behind) = text.rsplit_once(')')?;
        let length = behind.trim_start().strip_prefix("within")?;
        let is_end = length.starts_with(char::is_whitespace) && !length.contains('"');
        is_end.then(|| (&text[..text.len() - behind.len()], length.trim()))
    }

    /// Reads the time of a rule, with what stands in the brackets of its template; what is wrong is a sentence.
    pub(super) fn parse<'r>(rule: &'r str, length: &str) -> Result<(Deadline, Vec<&'r str>), String> {
        let length = match (rational::parse(length), seconds(length)) {
            (Some(units), _) => Length::Units(units),
            (None, Ok(seconds)) => Length::Seconds(seconds),
            (None, Err(NoLength::Calendar)) => {
                return Err(format!("`{length}` has years or months, which differ in length; write days or weeks"));
            }
            (None, Err(NoLength::NoDuration)) => {
                return Err(format!(
                    "`{length}` is no length of time; write a duration of ISO 8601, as in `within P5D`, \
                     or of nets with clocks a number of units, as in `within 5`"
                ));
            }
        };
        let known = rule.trim().split_once('(').and_then(|(name, rest)| {
            let name = name.trim().replace('_', "").to_lowercase();
            let template = TEMPLATES.into_iter().find(|(known, _)| *known == name)?.1;
            Some((template, operands(rest.strip_suffix(')')?)))
        });
        let (template, operands) = known.ok_or_else(|| {
            "`within` stands behind existence(a), absence(a), response(a, b), precedence(a, b), succession(a, b) or \
             not_response(a, b), and no other rule"
                .to_owned()
        })?;
        Ok((Deadline { template, length }, operands))
    }

    /// The observers: a complete run breaks the rule if one of them says so.
    pub(super) fn observers(&self) -> Vec<Observer> {
        let edge = |guard, resets, target| Edge { guard, resets, target };
        let to = |target| edge(Guard::Any, false, target);
        let new = |target| edge(Guard::Any, true, target);
        let early = |target| edge(Guard::AtMost, false, target);
        let late = |target| edge(Guard::MoreThan, false, target);
        // By letter: neither, a, b, both.
        let stay = |state| vec![vec![to(state)]; 4];
        // The time since the first `a` without an answer: 0 while there is none, 2 once an answer comes too late.
        let response = Observer {
            edges: vec![
                vec![vec![to(0)], vec![new(1)], vec![to(0)], vec![to(0)]],
                vec![vec![to(1)], vec![to(1)], vec![early(0), late(2)], vec![early(0), late(2)]],
                stay(2),
            ],
            broken: vec![false, true, true],
        };
        // The time since the last `a`: 0 before the first, 2 once a `b` had none.
        let precedence = Observer {
            edges: vec![
                vec![vec![to(0)], vec![new(1)], vec![to(2)], vec![new(1)]],
                vec![vec![to(1)], vec![new(1)], vec![early(1), late(2)], vec![new(1)]],
                stay(2),
            ],
            broken: vec![false, false, true],
        };
        match self.template {
            Template::Existence => vec![Observer {
                edges: vec![vec![vec![to(0)], vec![early(1), late(0)]], vec![vec![to(1)]; 2]],
                broken: vec![true, false],
            }],
            Template::Absence => vec![Observer {
                edges: vec![vec![vec![to(0)], vec![early(1), late(0)]], vec![vec![to(1)]; 2]],
                broken: vec![false, true],
            }],
            Template::Response => vec![response],
            Template::Precedence => vec![precedence],
            Template::Succession => vec![response, precedence],
            Template::NotResponse => vec![Observer {
                edges: vec![
                    vec![vec![to(0)], vec![new(1)], vec![to(0)], vec![to(2)]],
                    vec![vec![to(1)], vec![new(1)], vec![early(2), late(1)], vec![to(2)]],
                    stay(2),
                ],
                broken: vec![false, false, true],
            }],
        }
    }
}

/// What stands between the commas outside of brackets and quotes.
fn operands(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut begin, mut parts) = (0, false, 0, Vec::new());
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' if quoted => drop(signs.next()),
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}
