//! A program as a transition system: first states, and the steps of its events, one by one.
//!
//! A state has a value for each state and frozen variable. A step has inputs, too; they are left out of what is
//! returned, so that steps with different inputs are one if they lead to the same state.
//!
//! **Events.** All parts of a synchronous program move together: it has one event. A program with processes has one for
//! each value of the hidden selector, which is substituted. What keeps its value in an event is neither written nor, by
//! that, read: a variable whose next value is assigned itself, or is demanded to be (`next(x) = x`), a frozen one, and
//! one that is always assigned something that rests on such variables alone.

use crate::ast::{Role, When};
use crate::eval::{Evaluator, Failure, Memory};
use crate::model::Model;
use crate::solve::{Choice, Limits, Problem, Solutions, Solver};
use crate::substitute::{next_value, substitute};
use crate::term::{Node, Op, Term, Terms, Type, Value};
use std::collections::{BTreeSet, HashMap};

/// First states and steps of a model.
#[derive(Clone, Debug)]
pub struct System {
    state: Vec<usize>,
    initial: Problem,
    events: Vec<Event>,
}

/// A part of the steps.
#[derive(Clone, Debug)]
pub struct Event {
    /// The process, or `main`.
    pub name: String,
    /// The value of the selector, if there is one.
    pub turn: Option<Value>,
    /// The variables that its steps depend on, by number, sorted.
    pub reads: Vec<usize>,
    /// The variables that its steps give a value, by number, sorted.
    pub writes: Vec<usize>,
    /// Where the first of them is assigned, or declared: lines from 1.
    pub line: u32,
    problem: Problem,
}

impl System {
    /// The system of a model, which gets further terms: of next values, and of single events.
    pub fn new(model: &mut Model) -> Self {
        let of_state = |variable: &usize| model.variables[*variable].role != Role::Input;
        let state: Vec<usize> = (0..model.variables.len()).filter(of_state).collect();
        let selector = model.selector();
        let initial = initial(model, &state);
        let turns: Vec<Option<Value>> = match selector {
            None => vec![None],
            Some(selector) => {
                let domain = &model.variables[selector].domain;
                (0..domain.size() as u64).map(|number| Some(domain.value(number))).collect()
            }
        };
        let events = turns.into_iter().map(|turn| Event::new(model, &state, selector.zip(turn))).collect();
        System { state, initial, events }
    }

    /// The variables that a state has values for, by number, in their order.
    pub fn state(&self) -> &[usize] {
        &self.state
    }

    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The first states, as far as the limits allow.
    ///
    /// # Errors
    /// [`Failure`] at a fault of the model.
    pub fn first_states(&self, model: &Model, limits: Limits) -> Result<Solutions, Failure> {
        Solver::new(model, Memory::default()).all(&self.initial, limits)
    }

    /// The steps of an event, as far as the limits allow: what it writes, where what it reads has these values.
    ///
    /// # Errors
    /// [`Failure`] at a fault of the model.
    pub fn steps(
        &self,
        model: &Model,
        memory: &mut Memory,
        event: usize,
        values: impl IntoIterator<Item = Value>,
        limits: Limits,
    ) -> Result<Solutions, Failure> {
        let event = &self.events[event];
        let mut solver = Solver::new(model, std::mem::take(memory));
        for (&variable, value) in event.reads.iter().zip(values) {
            solver.values.set(variable, false, Some(value));
        }
        let steps = solver.all(&event.problem, limits);
        *memory = solver.values.into_memory();
        let mut steps = steps?;
        let width = event.writes.len();
        if event.problem.unknown.len() > width {
            // What differs in inputs alone is the same.
            steps.all.iter_mut().for_each(|step| step.truncate(width));
            steps.all.sort_unstable();
            steps.all.dedup();
        }
        Ok(steps)
    }
}

impl System {
    /// Inputs with which an event leads from a state to another one: those that it rests on, and their values. What it
    /// reads has the values `from`, and what it writes gets `to`. `None` if there are none within the limits.
    ///
    /// # Errors
    /// [`Failure`] at a fault of the model.
    pub fn inputs(
        &self,
        model: &Model,
        memory: &mut Memory,
        event: usize,
        (from, to): (&[Value], &[Value]),
        limits: Limits,
    ) -> Result<Option<Vec<(usize, Value)>>, Failure> {
        let event = &self.events[event];
        let mut solver = Solver::new(model, std::mem::take(memory));
        event.reads.iter().zip(from).for_each(|(&variable, &value)| solver.values.set(variable, false, Some(value)));
        event.writes.iter().zip(to).for_each(|(&variable, &value)| solver.values.set(variable, true, Some(value)));
        let found = solver.all(&event.problem, Limits { solutions: 1, ..limits });
        *memory = solver.values.into_memory();
        let inputs = event.problem.unknown.iter().map(|&(variable, _)| variable).skip(event.writes.len());
        Ok(found?.all.pop().map(|values| inputs.zip(values.into_iter().skip(event.writes.len())).collect()))
    }

    /// Is this a run from a first state: values of the state, and of some inputs in each step? False also where the other
    /// inputs are not found within the limits.
    ///
    /// # Errors
    /// [`Failure`] at a fault of the model.
    pub fn is_run(
        &self,
        model: &Model,
        memory: &mut Memory,
        states: &[Vec<Value>],
        inputs: &[Vec<(usize, Value)>],
        limits: Limits,
    ) -> Result<bool, Failure> {
        let Some(first) = states.first() else { return Ok(false) };
        let mut solver = Solver::new(model, std::mem::take(memory));
        self.state.iter().zip(first).for_each(|(&variable, &value)| solver.values.set(variable, false, Some(value)));
        let found = solver.all(&self.initial, Limits { solutions: 1, ..limits });
        *memory = solver.values.into_memory();
        let mut is_run = !found?.all.is_empty();
        for (pair, inputs) in states.windows(2).zip(inputs) {
            is_run = is_run && self.is_step(model, memory, (&pair[0], &pair[1]), inputs, limits)?;
        }
        Ok(is_run && inputs.len() + 1 >= states.len())
    }

    /// Does some event lead from a state to another one, with these inputs?
    fn is_step(
        &self,
        model: &Model,
        memory: &mut Memory,
        (from, to): (&[Value], &[Value]),
        inputs: &[(usize, Value)],
        limits: Limits,
    ) -> Result<bool, Failure> {
        for event in &self.events {
            let mut solver = Solver::new(model, std::mem::take(memory));
            for (&variable, (&before, &after)) in self.state.iter().zip(from.iter().zip(to)) {
                solver.values.set(variable, false, Some(before));
                solver.values.set(variable, true, Some(after));
            }
            inputs.iter().for_each(|&(variable, value)| solver.values.set(variable, false, Some(value)));
            let found = solver.all(&event.problem, Limits { solutions: 1, ..limits });
            *memory = solver.values.into_memory();
            let is_kept = |(variable, (before, after)): (&usize, (&Value, &Value))| {
                event.writes.binary_search(variable).is_ok() || before == after
            };
            if !found?.all.is_empty() && self.state.iter().zip(from.iter().zip(to)).all(is_kept) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The values of a term, several of a set, where variables have these values, with `true` next ones; none where it
    /// rests on others.
    ///
    /// # Errors
    /// [`Failure`] where its value is a fault.
    pub fn values(
        &self,
        model: &Model,
        memory: &mut Memory,
        term: Term,
        known: &[(usize, bool, Value)],
    ) -> Result<Vec<Value>, Failure> {
        let mut evaluator = Evaluator::resumed(model, std::mem::take(memory));
        known.iter().for_each(|&(variable, next, value)| evaluator.set(variable, next, Some(value)));
        let values = evaluator.choices(term);
        *memory = evaluator.into_memory();
        Ok(values?.unwrap_or_default())
    }

    /// Does a condition on states hold where its variables have these values?
    ///
    /// # Errors
    /// [`Failure`] where its value is a fault.
    pub fn holds(
        &self,
        model: &Model,
        memory: &mut Memory,
        condition: Term,
        values: &[(usize, Value)],
    ) -> Result<bool, Failure> {
        let mut evaluator = Evaluator::resumed(model, std::mem::take(memory));
        for &(variable, value) in values {
            evaluator.set(variable, false, Some(value));
        }
        let holds = evaluator.holds(condition);
        *memory = evaluator.into_memory();
        holds?.ok_or_else(|| Failure("a condition on states rests on something else".to_owned()))
    }
}

/// What first states are.
fn initial(model: &Model, state: &[usize]) -> Problem {
    let conditions = model.init.iter().chain(&model.invar);
    let constraints = conditions.flat_map(|&term| model.terms.conjuncts(term)).collect();
    let at_first = model.assignments.iter().filter(|assignment| assignment.when != When::Next);
    let choices = at_first.map(|assignment| Choice {
        variable: assignment.variable,
        next: false,
        value: assignment.value,
        line: assignment.place.line,
    });
    Problem {
        constraints,
        choices: choices.collect(),
        unknown: state.iter().map(|&variable| (variable, false)).collect(),
    }
}

/// What an event assigns a variable: the value, and whether it is one that holds of current values as well.
struct Assigned {
    value: Term,
    line: u32,
    /// The same of current values, of what is always assigned.
    current: Option<Term>,
}

/// What is demanded of steps.
struct Demands {
    /// Conditions.
    trans: Vec<Term>,
    /// What holds of current values, and of next ones.
    invariants: Vec<(Term, Term)>,
    /// Next values, by variable.
    assigned: HashMap<usize, Assigned>,
}

impl Event {
    fn new(model: &mut Model, state: &[usize], turn: Option<(usize, Value)>) -> Event {
        let name = match turn {
            Some((selector, value)) => model.show(value, model.variables[selector].kind),
            None => "main".to_owned(),
        };
        let Demands { trans, invariants, assigned } = Event::of_turn(model, turn);
        let kept = kept(model, state, &trans, &assigned);
        let mut constraints: BTreeSet<Term> = BTreeSet::new();
        let rewrite = |terms: &mut Terms, term: Term| at_once(terms, &kept, term);
        for &term in &trans {
            let _new = constraints.insert(rewrite(&mut model.terms, term));
        }
        for &(current, next) in &invariants {
            // Where all that it reads stays as it is, it goes on to hold.
            let next = rewrite(&mut model.terms, next);
            if next != current {
                let _new = constraints.insert(next);
            }
        }
        let mut choices = Vec::new();
        for (&variable, Assigned { value, line, .. }) in &assigned {
            if !kept.contains(&variable) {
                let value = rewrite(&mut model.terms, *value);
                choices.push(Choice { variable, next: true, value, line: *line });
            }
        }
        choices.sort_by_key(|choice| choice.variable);
        let holds = Node::Const(Value::Bool(true));
        let constraints: Vec<Term> = constraints.into_iter().filter(|&term| *model.terms.node(term) != holds).collect();
        let writes: Vec<usize> = state.iter().copied().filter(|variable| !kept.contains(variable)).collect();
        let mut read: BTreeSet<usize> = BTreeSet::new();
        for term in constraints.iter().copied().chain(choices.iter().map(|choice| choice.value)) {
            read.extend(
                model.terms.variables(term).into_iter().filter(|&(_, next)| !next).map(|(variable, _)| variable),
            );
        }
        let (inputs, reads): (Vec<usize>, Vec<usize>) =
            read.into_iter().partition(|&variable| model.variables[variable].role == Role::Input);
        let line = choices.iter().map(|choice| choice.line).min();
        let line = line.or_else(|| writes.first().map(|&variable| model.variables[variable].place.line));
        let unknown =
            writes.iter().map(|&variable| (variable, true)).chain(inputs.into_iter().map(|input| (input, false)));
        let problem = Problem { constraints, choices, unknown: unknown.collect() };
        Event { name, turn: turn.map(|(_, value)| value), reads, writes, line: line.unwrap_or(1), problem }
    }

    /// What is demanded of steps in a turn.
    fn of_turn(model: &mut Model, turn: Option<(usize, Value)>) -> Demands {
        let in_turn = |terms: &mut Terms, all: &[Term]| match turn {
            None => all.to_vec(),
            Some((selector, value)) => substitute(terms, all, &|terms, _, variable, _| {
                (variable == selector).then(|| terms.add(Node::Const(value), Type::Symbol))
            }),
        };
        let trans = in_turn(&mut model.terms, &model.trans);
        let trans = trans.into_iter().flat_map(|term| model.terms.conjuncts(term)).collect();
        let invariants: Vec<Term> = model.invar.iter().flat_map(|&term| model.terms.conjuncts(term)).collect();
        let primed = substitute(&mut model.terms, &invariants, &next_value);
        let invariants = invariants.into_iter().zip(primed).collect();
        let mut assigned = HashMap::new();
        for assignment in model.assignments.clone() {
            let (variable, line) = (assignment.variable, assignment.place.line);
            let value = match assignment.when {
                When::Init => continue,
                When::Next => in_turn(&mut model.terms, &[assignment.value])[0],
                When::Current => substitute(&mut model.terms, &[assignment.value], &next_value)[0],
            };
            let current = (assignment.when == When::Current).then_some(assignment.value);
            assigned.insert(variable, Assigned { value, line, current });
        }
        Demands { trans, invariants, assigned }
    }
}

/// The variables that keep their values.
fn kept(model: &mut Model, state: &[usize], demands: &[Term], assigned: &HashMap<usize, Assigned>) -> BTreeSet<usize> {
    let mut kept = BTreeSet::new();
    for &variable in state {
        let kind = model.variables[variable].kind;
        let itself = model.terms.add(Node::Variable { variable, next: false }, kind);
        let is_kept = match assigned.get(&variable) {
            _ if model.variables[variable].role == Role::Frozen => true,
            Some(assigned) => assigned.value == itself,
            None => {
                let next = model.terms.add(Node::Variable { variable, next: true }, kind);
                let op = if kind == Type::Bool { Op::Iff } else { Op::Eq };
                let stays = model.terms.add(Node::Apply(op, vec![itself.min(next), itself.max(next)]), Type::Bool);
                demands.contains(&stays)
            }
        };
        if is_kept {
            kept.insert(variable);
        }
    }
    // What rests on values that stay, stays.
    let always: Vec<(usize, Term, Term)> = assigned
        .iter()
        .filter_map(|(&variable, assigned)| Some((variable, assigned.value, assigned.current?)))
        .filter(|&(_, value, _)| !model.terms.is_set(value))
        .collect();
    loop {
        let before = kept.len();
        for &(variable, next, current) in &always {
            if !kept.contains(&variable) && at_once(&mut model.terms, &kept, next) == current {
                kept.insert(variable);
            }
        }
        if kept.len() == before {
            return kept;
        }
    }
}

/// The term with current values for the next values of what is kept.
fn at_once(terms: &mut Terms, kept: &BTreeSet<usize>, term: Term) -> Term {
    substitute(terms, &[term], &|terms, term, variable, next| {
        let kind = terms.kind(term);
        (next && kept.contains(&variable)).then(|| terms.add(Node::Variable { variable, next: false }, kind))
    })[0]
}
