//! All assignments of variables that satisfy constraints: first states, and steps from a state.
//!
//! **Method.** Constraints are evaluated under what is known. A conjunction is its parts; an equation, a membership or
//! a literal with one unknown variable gives that variable its values; a choice whose condition is known is its branch.
//! When nothing more follows, a disjunction is tried part by part, else the variable with the fewest values is, of
//! those that a constraint has. Variables that no constraint has keep all their values. What different parts find twice
//! is kept once.
//!
//! The work is that of the number of solutions, and of what is tried in vain; both are bounded.

use crate::eval::{Evaluator, Failure, Memory};
use crate::model::Model;
use crate::term::{Node, Op, Term, Type, Value};
use std::collections::HashSet;

/// What a solution is asked of.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The constraints.
    pub(crate) constraints: Vec<Term>,
    /// Variables whose value is one of a term, a set perhaps, and what is to be said if it is none of theirs. The value
    /// of a pair is asked for when all it rests on is known.
    pub(crate) choices: Vec<Choice>,
    /// The variables that a solution gives values to; with `true`, next values.
    pub(crate) unknown: Vec<(usize, bool)>,
}

/// A variable that has a value of a term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) variable: usize,
    pub(crate) next: bool,
    pub(crate) value: Term,
    pub(crate) line: u32,
}

/// The limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// So many solutions.
    pub solutions: usize,
    /// So many values that are tried.
    pub trials: u64,
}

/// Solutions, and whether they are all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solutions {
    /// One or none for each way to give values to the variables, each once.
    pub all: Vec<Vec<Value>>,
    /// Are there no others? The limits ended the search otherwise.
    pub complete: bool,
}

/// Why a search ends early.
enum Stop {
    Failure(Failure),
    Limit,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failure(failure)
    }
}

/// Open choices at the same time, each with several values.
const DEEPEST: usize = 500;

/// Finds all solutions.
pub(crate) struct Solver<'m> {
    model: &'m Model,
    pub(crate) values: Evaluator<'m>,
    unknown: Vec<(usize, bool)>,
    found: Vec<Vec<Value>>,
    seen: HashSet<Vec<Value>>,
    limits: Limits,
    depth: usize,
}

impl<'m> Solver<'m> {
    pub(crate) fn new(model: &'m Model, memory: Memory) -> Self {
        let values = Evaluator::resumed(model, memory);
        let limits = Limits { solutions: usize::MAX, trials: u64::MAX };
        Solver { model, values, unknown: Vec::new(), found: Vec::new(), seen: HashSet::new(), limits, depth: 0 }
    }

    /// All solutions: the values of the unknown variables, in their order. What is known is set in `values` before.
    ///
    /// # Errors
    /// [`Failure`] at a fault of an expression, and at a value that is outside of a domain.
    pub(crate) fn all(&mut self, problem: &Problem, limits: Limits) -> Result<Solutions, Failure> {
        self.unknown.clone_from(&problem.unknown);
        (self.limits, self.depth) = (limits, 0);
        self.found.clear();
        self.seen.clear();
        let complete = match self.narrow(problem.constraints.clone(), problem.choices.clone()) {
            Ok(()) => true,
            Err(Stop::Limit) => false,
            Err(Stop::Failure(failure)) => return Err(failure),
        };
        Ok(Solutions { all: std::mem::take(&mut self.found), complete })
    }

    fn known(&self, variable: usize, next: bool) -> Option<Value> {
        if next { self.values.next[variable] } else { self.values.current[variable] }
    }

    fn is_open(&self, variable: usize, next: bool) -> bool {
        self.known(variable, next).is_none()
    }

    /// Follow what is certain; then try what is not. Values that are set here are taken back.
    fn narrow(&mut self, constraints: Vec<Term>, choices: Vec<Choice>) -> Result<(), Stop> {
        if self.limits.trials == 0 || self.depth > DEEPEST {
            return Err(Stop::Limit);
        }
        self.limits.trials -= 1;
        self.depth += 1;
        let mut set = Vec::new();
        let result = self.narrowed(constraints, choices, &mut set);
        for (variable, next) in set {
            self.values.set(variable, next, None);
        }
        self.depth -= 1;
        result
    }

    fn narrowed(
        &mut self,
        mut constraints: Vec<Term>,
        mut choices: Vec<Choice>,
        set: &mut Vec<(usize, bool)>,
    ) -> Result<(), Stop> {
        let mut several: Option<(usize, bool, Vec<Value>)>;
        loop {
            let before = set.len();
            several = None;
            let mut open = Vec::new();
            for choice in choices {
                let Some(values) = self.values.choices(choice.value)? else {
                    open.push(choice);
                    continue;
                };
                let domain = &self.model.variables[choice.variable].domain;
                if let Some(&outside) = values.iter().find(|&&value| domain.number(value).is_none()) {
                    let variable = &self.model.variables[choice.variable];
                    let shown = self.model.show(outside, variable.kind);
                    let message = format!(
                        "line {}: `{}` is assigned {shown}, which is none of its values",
                        choice.line, variable.name
                    );
                    return Err(Failure(message).into());
                }
                match self.known(choice.variable, choice.next) {
                    Some(value) if values.contains(&value) => {}
                    Some(_) => return Ok(()),
                    None if values.len() == 1 => {
                        self.values.set(choice.variable, choice.next, Some(values[0]));
                        set.push((choice.variable, choice.next));
                    }
                    None => {
                        if several.as_ref().is_none_or(|(_, _, fewest)| values.len() < fewest.len()) {
                            several = Some((choice.variable, choice.next, values));
                        }
                        open.push(choice);
                    }
                }
            }
            choices = open;
            let mut left = Vec::new();
            let mut open = constraints;
            while let Some(term) = open.pop() {
                match self.values.holds(term)? {
                    Some(true) => {}
                    Some(false) => return Ok(()),
                    None => match self.certain(term, set, &mut open)? {
                        Step::Done => {}
                        Step::Never => return Ok(()),
                        Step::Open => left.push(term),
                    },
                }
            }
            constraints = left;
            if set.len() == before {
                break;
            }
        }
        if let Some((variable, next, values)) = several {
            return self.each(variable, next, values, &constraints, &choices);
        }
        if let Some(at) = constraints.iter().position(|&term| self.is_disjunction(term)) {
            for part in self.disjuncts(constraints[at]) {
                let mut with = constraints.clone();
                with[at] = part;
                self.narrow(with, choices.clone())?;
            }
            return Ok(());
        }
        self.guess(&constraints, &choices)
    }

    /// Nothing follows any more: try the values of a variable, or have a solution.
    fn guess(&mut self, constraints: &[Term], choices: &[Choice]) -> Result<(), Stop> {
        let mut fewest: Option<(usize, bool)> = None;
        for term in constraints.iter().copied().chain(choices.iter().map(|choice| choice.value)) {
            for at in 0..self.values.support(term).len() {
                let (variable, next) = self.values.support(term)[at];
                let size = |variable: usize| self.model.variables[variable].domain.size();
                let is_better = fewest.is_none_or(|(best, _)| size(variable) < size(best));
                if is_better && self.is_open(variable, next) && self.unknown.contains(&(variable, next)) {
                    fewest = Some((variable, next));
                }
            }
        }
        let open = self.unknown.iter().copied().find(|&(variable, next)| self.is_open(variable, next));
        if let Some((variable, next)) = fewest.or(open) {
            let domain = &self.model.variables[variable].domain;
            // So many values are found, or count as trials: no more of them can be tried.
            let most = (self.limits.solutions as u128).saturating_add(u128::from(self.limits.trials)).min(1 << 24);
            let values = (0..domain.size().min(most) as u64).map(|number| domain.value(number)).collect();
            self.each(variable, next, values, constraints, choices)?;
            return if domain.size() > most { Err(Stop::Limit) } else { Ok(()) };
        }
        if !constraints.is_empty() || !choices.is_empty() {
            return Err(Failure("a condition depends on values that nothing gives".to_owned()).into());
        }
        let solution: Option<Vec<Value>> =
            self.unknown.iter().map(|&(variable, next)| self.known(variable, next)).collect();
        if let Some(solution) = solution
            && !self.seen.contains(&solution)
        {
            if self.found.len() >= self.limits.solutions {
                return Err(Stop::Limit);
            }
            self.seen.insert(solution.clone());
            self.found.push(solution);
        }
        Ok(())
    }

    fn each(
        &mut self,
        variable: usize,
        next: bool,
        values: Vec<Value>,
        constraints: &[Term],
        choices: &[Choice],
    ) -> Result<(), Stop> {
        for value in values {
            self.values.set(variable, next, Some(value));
            let result = self.narrow(constraints.to_vec(), choices.to_vec());
            self.values.set(variable, next, None);
            result?;
        }
        Ok(())
    }

    /// What a constraint without a value yet implies.
    fn certain(&mut self, term: Term, set: &mut Vec<(usize, bool)>, open: &mut Vec<Term>) -> Result<Step, Failure> {
        let model = self.model;
        let terms = &model.terms;
        match terms.node(term) {
            Node::Apply(Op::And, parts) if terms.kind(term) == Type::Bool => {
                open.extend(parts);
                Ok(Step::Done)
            }
            &Node::Variable { variable, next } => Ok(self.fix(variable, next, Value::Bool(true), set)),
            Node::Apply(Op::Not, inner) => match *terms.node(inner[0]) {
                Node::Variable { variable, next } => Ok(self.fix(variable, next, Value::Bool(false), set)),
                _ => Ok(Step::Open),
            },
            Node::Apply(Op::Or, _) if self.is_disjunction(term) => {
                // All parts but one are false.
                let mut last = None;
                for part in self.disjuncts(term) {
                    if !matches!(self.values.holds(part), Ok(Some(false))) {
                        if last.is_some() {
                            return Ok(Step::Open);
                        }
                        last = Some(part);
                    }
                }
                match last {
                    Some(part) => {
                        open.push(part);
                        Ok(Step::Done)
                    }
                    None => Ok(Step::Open),
                }
            }
            &Node::If(condition, yes, no) => match self.values.holds(condition)? {
                Some(true) => {
                    open.push(yes);
                    Ok(Step::Done)
                }
                Some(false) => {
                    open.push(no);
                    Ok(Step::Done)
                }
                None => Ok(Step::Open),
            },
            Node::Apply(Op::Eq | Op::Iff, sides) => {
                for (this, that) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    let Node::Variable { variable, next } = *terms.node(this) else { continue };
                    if let (true, Some(value)) = (self.is_open(variable, next), self.values.value(that)?) {
                        return Ok(self.fix(variable, next, value, set));
                    }
                }
                Ok(Step::Open)
            }
            &Node::Member(this, that) => {
                if let &Node::Variable { variable, next } = terms.node(this)
                    && let (true, Some(values)) = (self.is_open(variable, next), self.values.choices(that)?)
                    && let [value] = values[..]
                {
                    return Ok(self.fix(variable, next, value, set));
                }
                Ok(Step::Open)
            }
            _ => Ok(Step::Open),
        }
    }

    fn fix(&mut self, variable: usize, next: bool, value: Value, set: &mut Vec<(usize, bool)>) -> Step {
        if self.model.variables[variable].domain.number(value).is_none() {
            return Step::Never;
        }
        self.values.set(variable, next, Some(value));
        set.push((variable, next));
        Step::Done
    }

    fn is_disjunction(&self, term: Term) -> bool {
        let terms = &self.model.terms;
        matches!(terms.node(term), Node::Apply(Op::Or, _)) && terms.kind(term) == Type::Bool
    }

    /// The parts of a disjunction, of which none is one.
    fn disjuncts(&self, term: Term) -> Vec<Term> {
        let (mut parts, mut open, mut seen) = (Vec::new(), vec![term], HashSet::new());
        while let Some(term) = open.pop() {
            match self.model.terms.node(term) {
                _ if !seen.insert(term) => {}
                Node::Apply(Op::Or, operands) if self.is_disjunction(term) => open.extend(operands.iter().rev()),
                _ => parts.push(term),
            }
        }
        parts
    }
}

/// What became of a constraint.
enum Step {
    Done,
    Never,
    Open,
}
