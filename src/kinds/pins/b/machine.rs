//! A B machine behind the next-state interface.
//!
//! The variables of the model are the constants of the machine and then its variables: each set-up of the constants
//! with each of its initialisations is an initial state. Operations are the groups. Their rows come from their texts
//! ([`super::rows`]); a group that has several results for the same inputs reads what it may write and writes it
//! always, so that results with the same target are recognised as one.
//!
//! ProB counts states and transitions in this way too, with two differences: the set-ups of the constants are states
//! of their own there ([`BMachine::setups`]), and setting up and initialising are transitions.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use crate::budget::Budget;
use indexmap::{Equivalent, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use super::super::next_state::{
    Batch, COPY, ModelError, NextState, Signature, Successors, Value as Code, Values, Whole,
};

use super::ast::{Bound, Expr, Operation, Question};
use super::check::{Checker, Global};
use super::compiled::{Program, Run};
use super::context::{Context, Env, LARGE, Large};
use super::definitions::{Definitions, Tokens};
use super::error::Error;
use super::lexer::{self, Token};
use super::parser::Parser;
use super::plan::Plan;
use super::types::Type;
use super::values::{Names, Table, Value};
use super::words::{Outcome, Word, Words};

/// The most warnings: those of one operation may be about many values.
const WARNINGS: usize = 16;

/// So many threads keep their words.
pub(super) const THREADS: usize = 64;

/// So many times and more than every other time without an answer, the code of an operation is given up.
const FAILED: u32 = 16;

/// The least integer of a variable: fewer than 2^32 values are told apart.
const LEAST: i64 = i32::MIN as i64;

/// Limits on what is set up before the exploration.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of deferred sets of which nothing is known.
    pub set_size: u32,
    /// Most initial states.
    pub initial: usize,
    /// Most iterations of a loop.
    pub loops: usize,
    /// How long it may take.
    pub budget: Budget,
    /// Hears of warnings that come up during the exploration.
    pub warn: Option<fn(&str)>,
}

impl Default for Options {
    fn default() -> Self {
        Options { set_size: 2, initial: 1 << 20, loops: 1 << 20, budget: Budget::unlimited(), warn: None }
    }
}

/// An operation with its inputs and outputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Action(u32, Vec<Value>, Vec<Value>);

impl Equivalent<Action> for (u32, &[Value], &[Value]) {
    fn equivalent(&self, action: &Action) -> bool {
        (self.0, self.1, self.2) == (action.0, &action.1[..], &action.2[..])
    }
}

/// Hears of a result of an operation: its action, what is written in the order of the rows, and all that is written.
type Each<'a> = &'a mut dyn FnMut(u32, &[Code], &[(u32, Value)]);

/// A machine, ready to be explored.
pub struct BMachine {
    pub(super) signature: Signature,
    pub(super) context: Context,
    pub(super) operations: Vec<Operation>,
    /// For each of them: how it is executed.
    pub(super) plans: Vec<Plan>,
    /// Operations and labels as code.
    pub(super) program: Program,
    /// Words of threads.
    pub(super) words: Vec<Mutex<Option<Box<Words>>>>,
    pub(super) questions: Vec<Question>,
    /// Where they are written.
    pub(super) sources: Vec<String>,
    /// For each group: how many of its writes read what they keep.
    pub(super) keeps: Vec<Vec<bool>>,
    pub(super) labels: Vec<Expr>,
    /// Types of the model, and the values that they have so far.
    pub(super) types: Vec<Type>,
    pub(super) tables: Vec<Table>,
    pub(super) names: Names,
    pub(super) actions: RwLock<IndexSet<Action, FxBuildHasher>>,
    /// For each group: its action without inputs and outputs.
    pub(super) plain_actions: Vec<OnceLock<u32>>,
    /// Slots without values, to be used again.
    pub(super) environments: Mutex<Vec<Vec<Value>>>,
    pub(super) slots: usize,
    pub(super) files: Vec<String>,
    pub(super) setups: usize,
    pub(super) constants: usize,
    pub(super) warnings: Mutex<Vec<String>>,
    pub(super) warn: Option<fn(&str)>,
    /// Were arguments tried of a function (1), and operations left out as not well defined (2)?
    pub(super) guarded: AtomicU8,
}

impl std::fmt::Debug for BMachine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BMachine").field("signature", &self.signature).finish_non_exhaustive()
    }
}

impl BMachine {
    /// How many set-ups the constants have; 0 if the machine has neither constants nor properties. They are states of
    /// their own for ProB.
    pub fn setups(&self) -> usize {
        self.setups
    }

    /// The files that it was read from, as messages name them.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// What its DEFINITIONS ask of its behaviour.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// How many of the variables of the model are constants of the machine.
    pub fn constants(&self) -> usize {
        self.constants
    }

    /// Reasons why the state space may differ from that of the machine.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn warn(&self, text: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if warnings.len() < WARNINGS && !warnings.contains(&text) {
            self.warn.iter().for_each(|warn| warn(&text));
            warnings.push(text);
        }
    }

    /// Runs a function in an environment whose state variables have the values of a short state.
    fn with_state<T>(
        &self,
        reads: &[usize],
        short: &[Code],
        budget: &Budget,
        run: impl FnOnce(&mut Env) -> Result<T, ModelError>,
    ) -> Result<T, ModelError> {
        let pooled = self.environments.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut env = Env::of(pooled.unwrap_or_else(|| vec![Value::Undefined; self.slots]), budget);
        for (slot, code) in reads.iter().zip(short) {
            let Some(value) = self.tables[self.signature.variables[*slot].kind].value(*code) else {
                return Err(ModelError(format!("no value of {} has this code", self.signature.variables[*slot].name)));
            };
            env.slots[*slot] = value;
        }
        let result = run(&mut env);
        for slot in reads {
            env.slots[*slot] = Value::Undefined;
        }
        self.environments.lock().unwrap_or_else(PoisonError::into_inner).push(env.slots);
        result
    }

    /// The same machine without code.
    #[cfg(test)]
    pub(super) fn on_values(mut self) -> Self {
        self.program.groups.iter_mut().for_each(|code| *code = None);
        self.program.labels.iter_mut().for_each(|code| *code = None);
        self
    }

    /// Have all operations and labels code?
    #[cfg(test)]
    pub(super) fn is_compiled(&self) -> bool {
        self.program.groups.iter().all(Option::is_some) && self.program.labels.iter().all(Option::is_some)
    }

    /// Runs a function with words that no other thread has.
    fn with_words<T>(&self, run: impl FnOnce(&mut Words) -> T) -> T {
        let free = self.words.iter().find_map(|place| place.try_lock().ok());
        let Some(mut place) = free else { return run(&mut self.program.words()) };
        let words = place.get_or_insert_with(|| Box::new(self.program.words()));
        let result = run(words);
        if words.is_full() {
            *place = None;
        }
        result
    }

    /// The words of a short state. None if a value has no word.
    fn load(&self, reads: &[usize], short: &[Code], words: &mut Words) -> Option<()> {
        for (slot, code) in reads.iter().zip(short).filter(|(slot, _)| !self.program.is_fixed(**slot)) {
            let table = &self.tables[self.signature.variables[*slot].kind];
            words.slots[*slot] = words.of_code(self.program.sorts[*slot], *code, table)?;
        }
        Some(())
    }

    /// Executes the code of an operation, if it has an answer.
    fn run(
        &self,
        group: usize,
        short: &[Code],
        budget: &Budget,
        words: &mut Words,
        successors: &mut Successors,
    ) -> Option<()> {
        let code = self.program.groups[group].as_ref()?;
        let (asked, failed) = &mut words.tries[group];
        if *failed > FAILED && *failed > *asked / 2 {
            return None;
        }
        *asked += 1;
        *failed += 1;
        self.load(&self.signature.groups[group].reads, short, words)?;
        let run = Run { program: &self.program, context: &self.context, budget };
        let mut outcomes = std::mem::take(&mut words.outcomes);
        outcomes.clear();
        let done = run.outcomes(code, words, &mut outcomes);
        if done.is_some() {
            words.tries[group].1 -= 1;
            self.tell(group, short, &outcomes, words, successors);
        }
        words.outcomes = outcomes;
        done
    }

    /// Tells the outcomes of an operation as successors.
    fn tell(&self, group: usize, short: &[Code], outcomes: &[Outcome], words: &mut Words, successors: &mut Successors) {
        let keeps = &self.keeps[group];
        let mut seen = FxHashSet::default();
        let repeats = outcomes.len() > 1 && keeps.contains(&true);
        let mut codes = SmallVec::<[Code; 16]>::new();
        for outcome in outcomes {
            codes.clear();
            self.codes(group, short, outcome, words, &mut codes);
            if repeats && !seen.insert((&outcome.arguments, codes.clone())) {
                continue;
            }
            successors.push(self.action_of_words(group, &outcome.arguments, words), codes.iter().copied());
        }
    }

    /// What an outcome writes, in the order of the rows.
    fn codes(
        &self,
        group: usize,
        short: &[Code],
        outcome: &Outcome,
        words: &mut Words,
        codes: &mut SmallVec<[Code; 16]>,
    ) {
        let row = &self.signature.groups[group];
        for (slot, keeps) in row.writes().zip(&self.keeps[group]) {
            let update = outcome.updates.iter().find(|(other, _)| *other as usize == slot);
            codes.push(match (update, keeps) {
                (Some((_, word)), _) => {
                    words.code(self.program.sorts[slot], *word, &self.tables[self.signature.variables[slot].kind])
                }
                (None, true) => row.reads.binary_search(&slot).map_or(COPY, |at| short[at]),
                (None, false) => COPY,
            });
        }
    }

    /// The number of an operation with these words as inputs and outputs.
    fn action_of_words(&self, group: usize, arguments: &[Word], words: &mut Words) -> u32 {
        if let Some(action) = words.actions[group].get(arguments) {
            return action as u32;
        }
        let slots = self.plans[group].inputs.iter().chain(&self.plans[group].outputs);
        let values: Vec<Value> =
            slots.zip(arguments).map(|(slot, word)| words.value(self.program.sorts[*slot as usize], *word)).collect();
        let (inputs, outputs) = values.split_at(self.plans[group].inputs.len());
        let action = self.action_of(group, inputs, outputs);
        words.actions[group].put(arguments, action.into());
        action
    }

    /// The value of an expression without variables, of a type.
    fn literal(&self, ty: &Type, text: &str) -> Option<Value> {
        let tokens: Tokens = lexer::tokens(text, 0).ok()?.into();
        let definitions = Definitions::default();
        let mut parser = Parser::new(tokens, &definitions, 0);
        let mut expr = parser.whole(30).ok()?;
        if *parser.token() != Token::End {
            return None;
        }
        let mut checker = Checker::default();
        for (set, name) in self.names.sets.iter().enumerate() {
            checker.globals.insert(name.as_str().into(), Global::Given(set as u32));
            for (at, name) in self.names.elements[set].iter().enumerate() {
                checker.globals.insert(name.as_str().into(), Global::Element(set as u32, at as u32));
            }
        }
        checker.want(&mut expr, ty).and_then(|()| checker.settle()).ok()?;
        checker.finish(&mut expr);
        self.context.value(&expr, &mut Env::new(checker.slots.len(), Budget::none())).ok()
    }

    /// Tell all that an operation does in a state, of which these variables have these codes.
    fn results(
        &self,
        group: usize,
        known: (&[usize], &[Code]),
        env: &mut Env,
        each: Each<'_>,
    ) -> Result<(), ModelError> {
        let row = &self.signature.groups[group];
        env.lenient = true;
        env.forms.clear();
        let outcomes = self.context.outcomes(&self.plans[group], env);
        env.lenient = false;
        let outcomes = outcomes.map_err(|error| self.fail(&row.name, error))?;
        self.judge(&row.name, env)?;
        // Outcomes that write the same are one.
        let mut seen = FxHashSet::default();
        let repeats = outcomes.len() > 1 && self.keeps[group].contains(&true);
        let mut codes = Vec::with_capacity(row.must_write.len() + row.may_write.len());
        for outcome in &outcomes {
            let large = |(slot, value): &(u32, Value)| {
                Large::is(value) && self.context.large.differs(value, env.forms.get(slot).copied())
            };
            if outcome.updates.iter().any(large) {
                return Err(ModelError(format!(
                    "refused: {}: a variable gets a set of more than {LARGE} elements, which ProB may keep as a formula and \
                     count twice",
                    row.name
                )));
            }
            codes.clear();
            codes.extend(row.writes().zip(&self.keeps[group]).map(|(slot, keeps)| {
                match outcome.updates.binary_search_by_key(&(slot as u32), |(slot, _)| *slot) {
                    Ok(at) => self.number(slot, &outcome.updates[at].1),
                    Err(_) if *keeps => match known.0.binary_search(&slot) {
                        Ok(at) => known.1[at],
                        Err(_) => self.number(slot, &env.slots[slot]),
                    },
                    Err(_) => COPY,
                }
            }));
            if repeats && !seen.insert((&outcome.inputs, &outcome.outputs, codes.clone())) {
                continue;
            }
            each(self.action_of(group, &outcome.inputs, &outcome.outputs), &codes, &outcome.updates);
        }
        Ok(())
    }

    /// The code of a value of a variable.
    fn number(&self, slot: usize, value: &Value) -> Code {
        self.tables[self.signature.variables[slot].kind].number(value)
    }

    /// The number of an operation with these inputs and outputs.
    fn action_of(&self, group: usize, inputs: &[Value], outputs: &[Value]) -> u32 {
        let plain = inputs.is_empty() && outputs.is_empty();
        if plain && let Some(action) = self.plain_actions[group].get() {
            return *action;
        }
        let known =
            self.actions.read().unwrap_or_else(PoisonError::into_inner).get_index_of(&(group as u32, inputs, outputs));
        let action = known.unwrap_or_else(|| {
            let full = Action(group as u32, inputs.to_vec(), outputs.to_vec());
            self.actions.write().unwrap_or_else(PoisonError::into_inner).insert_full(full).0
        }) as u32;
        if plain { *self.plain_actions[group].get_or_init(|| action) } else { action }
    }

    /// Looks at what came up while an operation was executed: refuses it, or warns.
    fn judge(&self, name: &str, env: &mut Env) -> Result<(), ModelError> {
        let (applied, dropped) = (std::mem::take(&mut env.applied), env.dropped.is_some());
        let both = u8::from(applied) | u8::from(dropped) << 1;
        let before = self.guarded.load(Ordering::Relaxed);
        let all = if both & !before == 0 { before } else { self.guarded.fetch_or(both, Ordering::Relaxed) | both };
        if all == 3 {
            return Err(ModelError(format!(
                "refused: {name}: a function is applied to an integer without bounds, and one outside its domain: where ProB \
                 ends is not known"
            )));
        }
        if let Some(error) = env.dropped.take() {
            let error = error.during(name).within(&self.files);
            self.warn(format!("{error}; the operation counts as not enabled there"));
        }
        if let Some(pos) = env.unbounded.take() {
            self.warn(format!(
                "{}:{}:{}: {name}: a number without bounds was taken from {}..{}",
                self.files.get(pos.file as usize).map_or("", String::as_str),
                pos.line,
                pos.column,
                self.context.minint,
                self.context.maxint
            ));
        }
        Ok(())
    }

    fn fail(&self, what: &str, error: Error) -> ModelError {
        ModelError(error.during(what).within(&self.files).to_string())
    }
}

impl NextState for BMachine {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let reads = &self.signature.groups[group].reads[..];
        self.with_words(|words| {
            for short in batch.iter() {
                if self.run(group, short, batch.budget(), words, successors).is_none() {
                    self.with_state(reads, short, batch.budget(), |env| {
                        self.results(group, (reads, short), env, &mut |action, codes, _| {
                            successors.push(action, codes.iter().copied())
                        })
                    })?;
                }
                successors.end();
            }
            Ok(())
        })
    }

    fn whole(&self, group: usize, state: &[Code]) -> Option<Whole> {
        let (all, mut found): (Vec<usize>, _) = ((0..state.len()).collect(), Vec::new());
        let mut each = |action: u32, _: &[Code], updates: &[(u32, Value)]| {
            let mut next = state.to_vec();
            for (slot, value) in updates {
                let slot = *slot as usize;
                next[slot] = self.tables[self.signature.variables[slot].kind].number(value);
            }
            found.push((action, next));
        };
        let done =
            self.with_state(&all, state, Budget::none(), |env| self.results(group, (&all, state), env, &mut each));
        Some(done.map(|()| found))
    }

    /// ProB counts them.
    fn initialisations(&self) -> usize {
        self.signature.initial.len()
    }

    fn label(&self, label: usize, short: &[Code]) -> Result<bool, ModelError> {
        self.label_within(label, short, Budget::none())
    }

    fn label_within(&self, label: usize, short: &[Code], budget: &Budget) -> Result<bool, ModelError> {
        let row = &self.signature.labels[label];
        let known = self.with_words(|words| {
            let node = self.program.labels[label].as_ref()?;
            self.load(&row.reads, short, words)?;
            Run { program: &self.program, context: &self.context, budget }.eval(node, words)
        });
        if let Some(word) = known {
            return Ok(word != 0);
        }
        self.with_state(&row.reads, short, budget, |env| {
            self.context.holds(&self.labels[label], env).map_err(|error| self.fail(&row.name, error))
        })
    }

    fn setups(&self) -> usize {
        self.setups
    }

    fn values(&self, kind: usize) -> Values {
        match self.types.get(kind) {
            Some(Type::Int) => Values::Numbers { least: LEAST },
            _ => Values::Named(self.tables.get(kind).map_or(0, Table::len)),
        }
    }

    fn show(&self, kind: usize, value: Code) -> Cow<'_, str> {
        let value = self.tables.get(kind).and_then(|table| table.value(value)).unwrap_or(Value::Undefined);
        self.names.show(&value, &self.types[kind]).into()
    }

    fn read(&self, kind: usize, text: &str) -> Option<Code> {
        let value = self.literal(self.types.get(kind)?, text)?;
        Some(self.tables[kind].number(&value))
    }

    fn number(&self, kind: usize, value: Code) -> Option<i64> {
        match self.tables[kind].value(value)? {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }

    fn source(&self, group: usize) -> Option<Cow<'_, str>> {
        self.sources.get(group).map(|source| source.as_str().into())
    }

    fn action(&self, action: u32) -> Cow<'_, str> {
        let actions = self.actions.read().unwrap_or_else(PoisonError::into_inner);
        let Some(Action(group, inputs, outputs)) = actions.get_index(action as usize) else { return "?".into() };
        let operation = &self.operations[*group as usize];
        let list = |bound: &[Bound], values: &[Value]| {
            let shown: Vec<_> = bound.iter().zip(values).map(|(var, value)| self.names.show(value, &var.ty)).collect();
            shown.join(",")
        };
        let mut text = operation.name.to_string();
        if !inputs.is_empty() {
            text += &format!("({})", list(&operation.inputs, inputs));
        }
        match outputs.len() {
            0 => {}
            1 => text += &format!("-->{}", list(&operation.outputs, outputs)),
            _ => text += &format!("-->({})", list(&operation.outputs, outputs)),
        }
        text.into()
    }
}
