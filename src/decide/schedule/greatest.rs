//! Formulas with `bounds(p, …)` about nets: the bounds are asked first.
//!
//! **Problem.** A bound is a number like any other once it is known, but as a part of a formula it is known to those
//! only who have the whole reachable set, which a net without bounds does not have. Semiflows, linear programs, walks
//! and a coverability graph know most bounds at once, and of places without bounds that they have none.
//!
//! **Idea.** All bounds of the formulas are asked as questions of their own, by these ways and for a short time; what
//! comes of it is put in their places ([`Pool::with_bounds`]). What stays open is left to those who explore. Formulas
//! of which a set or a witness is wanted are asked as they are: these are about the formula that was given.

use super::lanes::Lanes;
use crate::decide::answer::Value;
use crate::decide::recorder::Recorder;
use crate::decide::settings::{Settings, Ways};
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::{Question, Request, Subject, Task};
use crate::formula::{self, FormulaId};
use crate::net::PlaceId;
use std::time::Duration;

/// The part of the time that bounds are asked for, and the longest.
const PART: u32 = 8;
const LONGEST: Duration = Duration::from_secs(1);

/// Bounds that are soon known, replaced.
pub(super) struct Greatest;

impl Pass for Greatest {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        let &Task { subject, requests, settings, budget, listener, .. } = task;
        let formula = |asked: &Request| match asked.question {
            Question::Formula { formula, linear, .. } if !asked.set && !asked.witness => Some([formula, linear]),
            _ => None,
        };
        let formulas: Vec<FormulaId> = requests.iter().filter_map(formula).flatten().collect();
        let sums = subject.pool.bounds_in(&formulas);
        let several = subject.model.initial_states().len() > 1;
        if sums.is_empty() || several || subject.model.as_net().is_none() || !settings.ways.structure {
            return next.solve(task);
        }
        let ways = Ways { diagrams: false, search: false, bit_state: false, reductions: false, ..settings.ways };
        let quick = Settings { ways, ..settings.clone() };
        let questions: Vec<Request> = sums.iter().map(|sum| Question::Bound(sum.clone()).into()).collect();
        let kept = Recorder::new(questions.len());
        let limited = budget.part(1, PART).with_time(LONGEST);
        Lanes.solve(&Task::new(subject, &questions, &quick, &limited, &kept));
        let heard = kept.into_recorded();
        let first = requests.iter().position(|asked| formula(asked).is_some()).unwrap_or(0);
        heard.iter().flat_map(|heard| &heard.faults).for_each(|fault| listener.faulty(first, fault.clone()));
        let known = |places: &[PlaceId]| {
            let at = sums.iter().position(|sum| sum[..] == *places)?;
            match &heard.get(at)?.answer.as_ref()?.value {
                Value::Number(number) => Some(formula::Greatest::Number(i128::try_from(number).ok()?)),
                Value::Infinite => Some(formula::Greatest::Infinite),
                _ => None,
            }
        };
        let mut pool = subject.pool.clone();
        let replaced = requests.iter().map(|asked| match (formula(asked), &asked.question) {
            (Some([_, linear]), &Question::Formula { paths, .. }) if !subject.pool.bounds_in(&[linear]).is_empty() => {
                let simple = pool.with_bounds(linear, known);
                let simple = pool.simplify(simple, paths);
                Request { question: Question::formula(&mut pool, simple, paths, settings.route), ..asked.clone() }
            }
            _ => asked.clone(),
        });
        let replaced: Vec<Request> = replaced.collect();
        next.solve(&Task { subject: Subject { pool: &pool, ..subject }, requests: &replaced, ..*task });
    }
}
