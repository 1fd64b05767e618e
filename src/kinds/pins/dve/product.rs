//! A model together with the property process that watches it.
//!
//! **The product.** One variable more: the state of the property process. A group of the system becomes a group that
//! takes a step of the system and a transition of the process whose guard holds in the state that is left: it reads
//! what the step and the guards read, and the state of the process. So rows stay narrow, and whatever explores models
//! explores this one.
//!
//! **The question.** The property holds if no run of the product passes accepting states infinitely often. Where the
//! system has no step the process goes on alone, in a state that stays as it is (`property`); as a group that would
//! have to read whatever decides that no other group has a step: everything. So the product stops there instead, and
//! what the process could do is part of the question. Let D be: the process accepts the word that repeats this state
//! for ever. If D holds then some guard does, and a state in which the product has no step is one in which the system
//! has none. With paths on which a deadlock repeats for ever, the question is
//!
//! ```text
//! A ¬ G F (accepting ∧ ¬deadlock ∨ D ∧ deadlock)
//! ```
//!
//! D is a condition, since guards are conditions or, if formulas have no counterpart, state labels: from state p of the
//! process the edges lead, under one valuation of the guards, to an accepting state that leads back to itself (Kleene
//! 1956, with formulas as weights).

use std::borrow::Cow;

use crate::formula::{Comparison, Expr, Formula, FormulaId, Pool};
use crate::model::{LabelId, VariableId};
use smallvec::SmallVec;

use super::super::next_state::{
    Batch, Direct, Group, ModelError, Moves, NextState, Process, Signature, Successors, Value, Values, Variable,
};
use super::condition::{Translator, both, either};
use super::model::Dve;
use super::property::Property;

/// Most nodes of the question, written out as a tree.
const MOST_NODES: u64 = 100_000;

/// A model with the property process that watches it.
#[derive(Clone, Debug)]
pub struct Watched {
    model: Dve,
    property: Property,
    signature: Signature,
    /// The variable that is the state of the process.
    variable: usize,
    /// For each group: where in its short state the system's group finds what it reads, and each label what it reads.
    views: Vec<View>,
}

/// Where a group of the product has what its parts read.
#[derive(Clone, Debug)]
struct View {
    system: Vec<usize>,
    /// By state label; empty for those that are no guards.
    guards: Vec<Vec<usize>>,
    /// How many values that must be written come before the state of the process.
    written: usize,
}

impl Watched {
    /// The product of a model with its property process, if it has one.
    pub fn new(model: &Dve) -> Option<Self> {
        let (model, property) = (model.clone(), model.property()?.clone());
        let mut signature = model.signature().clone();
        let variable = signature.variables.len();
        let kind = signature.types.len();
        signature.types.push(property.name.clone());
        signature.variables.push(Variable { name: property.name.clone(), kind });
        for initial in &mut signature.initial {
            initial.push(code(property.initial));
        }
        let mut guards: Vec<usize> = property.edges.iter().filter_map(|edge| edge.guard).collect();
        guards.sort_unstable();
        guards.dedup();
        let mut views = Vec::with_capacity(signature.groups.len());
        for group in &mut signature.groups {
            let of_system = std::mem::take(&mut group.reads);
            let of_guards = guards.iter().flat_map(|&guard| &signature.labels[guard].reads);
            let mut reads: Vec<usize> = of_system.iter().chain(of_guards).copied().collect();
            reads.push(variable);
            reads.sort_unstable();
            reads.dedup();
            let places = |row: &[usize]| row.iter().map(|slot| reads.partition_point(|other| other < slot)).collect();
            let mut by_label = vec![Vec::new(); signature.labels.len()];
            for &guard in &guards {
                by_label[guard] = places(&signature.labels[guard].reads);
            }
            views.push(View { system: places(&of_system), guards: by_label, written: group.must_write.len() });
            let must_write = std::mem::take(&mut group.must_write);
            *group = Group {
                reads,
                must_write: must_write.into_iter().chain([variable]).collect(),
                ..std::mem::take(group)
            };
        }
        Some(Watched { model, property, signature, variable, views })
    }

    /// The property process.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// The question whether the property holds, with paths on which a deadlock repeats for ever.
    ///
    /// # Errors
    /// When the question would be too large: in words.
    pub fn question(&self, pool: &mut Pool) -> Result<FormulaId, String> {
        let domain = |slot: u32| self.model.domain(slot as usize);
        let mut edges = Vec::with_capacity(self.property.edges.len());
        for edge in &self.property.edges {
            let mut translator = Translator { pool: &mut *pool, domain: &domain };
            let guard = match edge.guard {
                None => translator.pool.add(Formula::True),
                Some(label) => match translator.condition(self.model.condition(label)) {
                    Some(condition) => condition,
                    None => pool.add(Formula::Label(LabelId(label as u32))),
                },
            };
            edges.push((edge.from, edge.to, guard));
        }
        let stays = self.stays(pool, &edges);
        let dead = pool.add(Formula::Deadlock);
        let alive = pool.not(dead);
        let mut accepting = pool.add(Formula::False);
        let mut accepted = pool.add(Formula::False);
        for (state, &stays) in stays.iter().enumerate() {
            let value = pool.add_expr(Expr::Tokens(vec![VariableId(self.variable as u32)]));
            let number = pool.add_expr(Expr::Const(state as i128));
            let here = pool.add(Formula::Compare(value, Comparison::Eq, number));
            if self.property.accepting.contains(&state) {
                accepting = either(pool, accepting, here);
            }
            let stays = both(pool, here, stays);
            accepted = either(pool, accepted, stays);
        }
        let accepting = both(pool, accepting, alive);
        let accepted = both(pool, accepted, dead);
        let seen = either(pool, accepting, accepted);
        let operators: [fn(FormulaId) -> Formula; 4] =
            [Formula::Finally, Formula::Globally, Formula::Not, Formula::Forall];
        let formula = operators.into_iter().fold(seen, |inner, operator| pool.add(operator(inner)));
        match nodes(pool, formula) {
            0..=MOST_NODES => Ok(formula),
            _ => Err(format!("property process {} has too many states", self.property.name)),
        }
    }

    /// For each state of the process: where does it accept the word that repeats one state of the system for ever?
    fn stays(&self, pool: &mut Pool, edges: &[(usize, usize, FormulaId)]) -> Vec<FormulaId> {
        let count = self.property.states.len();
        let never = pool.add(Formula::False);
        let mut ways = vec![vec![never; count]; count];
        for &(from, to, guard) in edges {
            ways[from][to] = either(pool, ways[from][to], guard);
        }
        for via in 0..count {
            for from in 0..count {
                for to in 0..count {
                    // Through `via` once more is no other way.
                    if from != via && to != via {
                        let through = both(pool, ways[from][via], ways[via][to]);
                        ways[from][to] = either(pool, ways[from][to], through);
                    }
                }
            }
        }
        let accepted = |pool: &mut Pool, from: usize| {
            self.property.accepting.iter().fold(never, |any, &state| {
                let way =
                    if from == state { ways[state][state] } else { both(pool, ways[from][state], ways[state][state]) };
                either(pool, any, way)
            })
        };
        (0..count).map(|from| accepted(pool, from)).collect()
    }

    /// The transitions of the process that are possible from one of its states, in their order, by the guards that
    /// hold.
    fn targets(
        &self,
        state: Value,
        holds: impl Fn(usize) -> Result<bool, ModelError>,
    ) -> Result<SmallVec<[Value; 4]>, ModelError> {
        let mut targets = SmallVec::new();
        for edge in self.property.edges.iter().filter(|edge| code(edge.from) == state) {
            let holds = edge.guard.map_or(Ok(true), &holds)?;
            if holds && !targets.contains(&code(edge.to)) {
                targets.push(code(edge.to));
            }
        }
        Ok(targets)
    }
}

/// The code of a state of the process.
fn code(state: usize) -> Value {
    u32::try_from(state).unwrap_or(u32::MAX)
}

/// How many nodes the tree of a formula has.
fn nodes(pool: &Pool, formula: FormulaId) -> u64 {
    let mut sizes: rustc_hash::FxHashMap<FormulaId, u64> = Default::default();
    for id in pool.subformulas(&[formula]) {
        let size = pool[id].children().iter().fold(1_u64, |sum, operand| sum.saturating_add(sizes[operand]));
        sizes.insert(id, size);
    }
    sizes[&formula]
}

impl Direct for Watched {
    fn moves(&self, state: &[Value], moves: &mut Moves) -> Result<(), ModelError> {
        let (of_system, of_process) = state.split_at(self.variable);
        let frame = self.model.frame(of_system);
        let of_process = of_process.first().copied().unwrap_or_default();
        let targets = self.targets(of_process, |label| self.model.holds(label, &frame))?;
        self.model.moves(of_system, moves)?;
        moves.and_each(self.variable, &targets);
        Ok(())
    }
}

impl NextState for Watched {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let view = &self.views[group];
        let (mut found, mut own) = (Successors::default(), Vec::with_capacity(view.system.len()));
        for short in batch.iter() {
            // The state of the process is the last variable of all.
            let state = short.last().copied().unwrap_or_default();
            let targets = self.targets(state, |label| {
                let values: SmallVec<[Value; 8]> = view.guards[label].iter().map(|&at| short[at]).collect();
                self.model.label(label, &values)
            })?;
            // A step that fails is an error even where the process has stopped: so it is without the process.
            own.clear();
            own.extend(view.system.iter().map(|&at| short[at]));
            found.clear();
            self.model.next(group, &Batch::new(&own, own.len(), 1), &mut found)?;
            for (action, values) in found.iter().flatten() {
                let (must, may) = values.split_at(view.written);
                for &target in &targets {
                    successors.push(action, must.iter().copied().chain([target]).chain(may.iter().copied()));
                }
            }
            successors.end();
        }
        Ok(())
    }

    fn label(&self, label: usize, short: &[Value]) -> Result<bool, ModelError> {
        self.model.label(label, short)
    }

    fn direct(&self) -> Option<&dyn Direct> {
        Some(self)
    }

    fn values(&self, kind: usize) -> Values {
        match kind == self.model.signature().types.len() {
            true => Values::Named(code(self.property.states.len())),
            false => self.model.values(kind),
        }
    }

    fn is_control(&self, kind: usize) -> bool {
        kind == self.model.signature().types.len() || self.model.is_control(kind)
    }

    fn source(&self, group: usize) -> Option<Cow<'_, str>> {
        self.model.source(group)
    }

    fn processes(&self) -> Vec<Process> {
        // That of the property moves with every step, so that its edges are no steps of its own.
        self.model.processes()
    }

    fn show(&self, kind: usize, value: Value) -> Cow<'_, str> {
        if kind < self.model.signature().types.len() {
            return self.model.show(kind, value);
        }
        match self.property.states.get(value as usize) {
            Some(name) => name.as_str().into(),
            None => value.to_string().into(),
        }
    }

    fn read(&self, kind: usize, text: &str) -> Option<Value> {
        if kind < self.model.signature().types.len() {
            return self.model.read(kind, text);
        }
        self.property.states.iter().position(|state| state == text).map(code)
    }

    fn number(&self, kind: usize, value: Value) -> Option<i64> {
        (kind < self.model.signature().types.len()).then(|| self.model.number(kind, value)).flatten()
    }

    fn action(&self, action: u32) -> Cow<'_, str> {
        self.model.action(action)
    }
}
