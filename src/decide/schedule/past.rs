//! Formulas with operators of the past, or with sets of states: none but the engines are asked about them.
//!
//! Such an operator is gone where a path formula has become an automaton, so products with automata know of no past,
//! symbolic or state by state, and witnesses are evaluated by the definition of all operators. Whatever rewrites
//! formulas, asks smaller models or looks at single states reads formulas that speak of now and later. So these
//! questions are a task of their own, with the ways and techniques that read formulas left out. The others go first,
//! with a share of the time, and are asked as if they were alone.
//!
//! A set of states as an atom is about all variables, and about the model of which it is: nothing smaller has it.

use crate::decide::answer::{Answer, Listener, Remapped, Remapping};
use crate::decide::settings::{Settings, Techniques, Ways};
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::{Question, Request, Task};
use crate::formula::FormulaId;

/// Questions about the past apart from the others.
pub(super) struct Past;

impl Pass for Past {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        let pool = task.subject.pool;
        let speaks = |formula: &FormulaId| pool.past(*formula) > 0 || pool.has_sets(*formula);
        let has_past = |asked: &Request| match &asked.question {
            Question::Formula { formula, linear, .. } => [formula, linear].into_iter().any(speaks),
            Question::Automaton { propositions, .. } => propositions.iter().any(speaks),
            Question::Distance { journey, .. } => journey.formulas().any(|formula| speaks(&formula)),
            _ => false,
        };
        let numbers = 0..task.requests.len();
        let (past, others): (Vec<usize>, Vec<usize>) = numbers.partition(|&number| has_past(&task.requests[number]));
        if past.is_empty() {
            return next.solve(task);
        }
        let ask = |numbers: Vec<usize>, settings: &Settings<'_>, parts: usize| {
            let requests: Vec<Request> = numbers.iter().map(|&number| task.requests[number].clone()).collect();
            let (budget, listener) = (task.budget.share(parts), Remapped(Part { listener: task.listener, numbers }));
            next.solve(&Task { requests: &requests, settings, budget: &budget, listener: &listener, ..*task });
        };
        if !others.is_empty() {
            ask(others, task.settings, 2);
        }
        ask(past, &of_engines(task.settings), 1);
    }
}

/// The engines alone, as far as they take part.
fn of_engines<'a>(settings: &Settings<'a>) -> Settings<'a> {
    let Ways { diagrams, search, sat, .. } = settings.ways;
    let Techniques { units, guidance, .. } = settings.techniques;
    let techniques = Techniques {
        fusion: false,
        counting: false,
        symmetries: false,
        mediators: false,
        together: false,
        units,
        guidance,
        skeleton: false,
        operands: false,
        state_approximation: false,
        reversible: false,
        recurring: false,
        termination: false,
        knowledge: settings.techniques.knowledge,
        fairness: settings.techniques.fairness,
        partial: false,
    };
    Settings { ways: Ways { diagrams, search, sat, ..Ways::NONE }, techniques, ..settings.clone() }
}

/// Hears of some of the questions.
struct Part<'a> {
    listener: &'a dyn Listener,
    /// What the listener calls them.
    numbers: Vec<usize>,
}

impl Remapping for Part<'_> {
    fn listener(&self) -> &dyn Listener {
        self.listener
    }

    fn number(&self, question: usize) -> Option<usize> {
        self.numbers.get(question).copied()
    }

    fn answered(&self, answer: Answer) {
        if let Some(question) = self.number(answer.question) {
            self.listener.answered(Answer { question, ..answer });
        }
    }
}
