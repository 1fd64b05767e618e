//! Meanings of names: the layout of the state, and expressions with their names resolved.
//!
//! The variables of the state are the global ones, then the buffers of channels, then for each process its state and
//! its own variables. A cell of an array is a variable. A name in a process means what the process declares, or else
//! what is global. An initial value may use constants, and the initial values of variables declared before. An array
//! without an index is its first cell: so DiVinE 2 takes it, and models of the benchmark (train-gate) count on it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::source::{Fault, Place};
use super::ast::{self, Name, Node, Type, VariableDeclaration};
use super::expression::{Domain, Expression, Target};

/// More variables than this are refused.
const MOST_VARIABLES: usize = 1 << 16;

/// A variable of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    /// Its name.
    pub name: String,
    /// Its domain.
    pub domain: Domain,
    /// The process whose state it is.
    pub process: Option<usize>,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A variable, in as many slots as it has cells.
    Variable {
        /// Its first slot.
        first: u32,
        /// How many cells it has, if it is an array.
        size: Option<u32>,
        /// Its domain.
        domain: Domain,
    },
    /// A constant.
    Constant {
        /// Its cells.
        values: Arc<[i32]>,
        /// Is it an array?
        array: bool,
    },
    /// A channel, by number.
    Channel(usize),
    /// A process, by number.
    Process(usize),
}

/// The declarations of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessScope {
    /// Its variables and constants.
    names: FxHashMap<String, Symbol>,
    /// Its states, by number.
    states: FxHashMap<String, i32>,
    /// Where the state has its state; the property process has none.
    pub slot: Option<u32>,
}

impl ProcessScope {
    /// Declare a state: its number.
    pub(super) fn declare_state(&mut self, name: &Name) -> Result<(), Fault> {
        let number = i32::try_from(self.states.len()).unwrap_or(i32::MAX);
        match self.states.insert(name.text.clone(), number) {
            None => Ok(()),
            Some(_) => Err(Fault::new(name.place, format!("state `{}` is declared twice", name.text))),
        }
    }

    /// The number of a state.
    pub(super) fn state(&self, name: &Name) -> Result<i32, Fault> {
        self.states.get(&name.text).copied().ok_or_else(|| {
            Fault::new(name.place, format!("there is no state `{}`: declare it after `state`", name.text))
        })
    }
}

/// All names, and the layout of the state.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// The variables of the state.
    pub slots: Vec<Slot>,
    /// Their initial values, as numbers.
    pub initial: Vec<i32>,
    /// Processes.
    pub processes: Vec<ProcessScope>,
    globals: FxHashMap<String, Symbol>,
    /// Remarks about parts that were left out, with their places.
    pub remarks: Vec<(Place, String)>,
}

impl Scope {
    /// Declare a global name that is not a variable.
    pub(super) fn declare_global(&mut self, name: &Name, symbol: Symbol) -> Result<(), Fault> {
        insert(&mut self.globals, name, symbol)
    }

    /// A new slot of the state: its number.
    pub(super) fn add_slot(&mut self, place: Place, slot: Slot, initial: i32) -> Result<u32, Fault> {
        if self.slots.len() >= MOST_VARIABLES {
            let message = format!("the model has more than {MOST_VARIABLES} variables: make an array smaller");
            return Err(Fault::new(place, message));
        }
        self.slots.push(slot);
        self.initial.push(initial);
        Ok(u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX))
    }

    /// Declare a variable or constant, global or of a process of this name.
    pub(super) fn declare_variable(
        &mut self,
        declaration: &VariableDeclaration,
        process: Option<(usize, &str)>,
    ) -> Result<(), Fault> {
        let (name, place) = (&declaration.name.text, declaration.name.place);
        let owner = process.map(|(number, _)| number);
        let domain = match declaration.kind {
            Type::Byte => Domain::Byte,
            Type::Int => Domain::Int,
        };
        let size = match &declaration.size {
            None => None,
            Some(expression) => match self.resolve(expression, owner)? {
                Expression::Constant(size) if size > 0 => Some(size.unsigned_abs()),
                Expression::Constant(size) => {
                    return Err(Fault::new(expression.place, format!("an array of size {size}: use 1 or more")));
                }
                _ => return Err(Fault::new(expression.place, "the size of an array must be constant")),
            },
        };
        let cells = size.unwrap_or(1) as usize;
        if declaration.braces && size.is_none() {
            return Err(Fault::new(place, format!("`{name}` is not an array: write its value without braces")));
        }
        // LTSmin and DiVinE read the values of the cells that there are.
        let (initial, more) = declaration.initial.split_at(declaration.initial.len().min(cells));
        if let Some(first) = more.first() {
            let message = format!("`{name}` has {cells} cells; the initial values from here on are left out");
            self.remarks.push((first.place, message));
        }
        if cells > MOST_VARIABLES {
            return Err(Fault::new(place, format!("`{name}` is too large: use up to {MOST_VARIABLES} cells")));
        }
        if declaration.constant && declaration.initial.is_empty() {
            return Err(Fault::new(place, format!("the constant `{name}` has no value: add `= …`")));
        }
        let mut values = Vec::with_capacity(cells);
        for expression in initial {
            let number = self
                .resolve(expression, owner)?
                .value(&self.initial)
                .map_err(|trap| Fault::new(expression.place, format!("this initial value fails: {trap}")))?;
            if domain.truncate(number) != number {
                let message = format!("{number} does not fit the type of `{name}`: byte is 0 to 255, int has 16 bits");
                return Err(Fault::new(expression.place, message));
            }
            values.push(number);
        }
        values.resize(cells, 0);
        let symbol = if declaration.constant {
            Symbol::Constant { values: values.into(), array: size.is_some() }
        } else {
            let full = match process {
                Some((_, process)) => format!("{process}.{name}"),
                None => name.clone(),
            };
            let first = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
            for (cell, number) in values.into_iter().enumerate() {
                let name = if size.is_some() { format!("{full}[{cell}]") } else { full.clone() };
                self.add_slot(place, Slot { name, domain, process: None }, number)?;
            }
            Symbol::Variable { first, size, domain }
        };
        match owner.and_then(|number| self.processes.get_mut(number)) {
            Some(scope) => insert(&mut scope.names, &declaration.name, symbol),
            None => insert(&mut self.globals, &declaration.name, symbol),
        }
    }

    /// The meaning of a name in a process, or globally.
    pub(super) fn find(&self, name: &Name, process: Option<usize>) -> Result<&Symbol, Fault> {
        process
            .and_then(|number| self.processes.get(number))
            .and_then(|scope| scope.names.get(&name.text))
            .or_else(|| self.globals.get(&name.text))
            .ok_or_else(|| Fault::new(name.place, format!("`{}` is not declared", name.text)))
    }

    /// The number of a process.
    pub(super) fn process(&self, name: &Name) -> Result<usize, Fault> {
        match self.globals.get(&name.text) {
            Some(Symbol::Process(number)) => Ok(*number),
            _ => Err(Fault::new(name.place, format!("there is no process `{}`", name.text))),
        }
    }

    /// The number of a channel.
    pub(super) fn channel(&self, name: &Name) -> Result<usize, Fault> {
        match self.globals.get(&name.text) {
            Some(Symbol::Channel(number)) => Ok(*number),
            _ => Err(Fault::new(name.place, format!("there is no channel `{}`", name.text))),
        }
    }

    /// An expression in a process, or of a global declaration, with its names resolved.
    pub(super) fn resolve(&self, expression: &ast::Expression, process: Option<usize>) -> Result<Expression, Fault> {
        Ok(match &expression.node {
            Node::Number(number) => Expression::Constant(*number),
            Node::Variable { process: other, name, index } => {
                let index = index.as_deref().map(|index| self.resolve(index, process)).transpose()?;
                match (self.variable(other.as_ref(), name, process)?, index) {
                    (Symbol::Variable { first, .. }, None) => Expression::Slot(*first),
                    (Symbol::Variable { first, size: Some(size), .. }, Some(index)) => {
                        Expression::cell(*first, *size, index)
                    }
                    (Symbol::Constant { values, .. }, None) => Expression::Constant(values[0]),
                    (Symbol::Constant { values, array: true }, Some(index)) => Expression::table(values.clone(), index),
                    (symbol, _) => return Err(misused(symbol, name)),
                }
            }
            Node::InState { process, state } => {
                let scope = &self.processes[self.process(process)?];
                let number = scope.state(state)?;
                let slot = scope.slot.ok_or_else(|| {
                    let message =
                        "the property process has no part in the state of the system: do not ask for its state";
                    Fault::new(process.place, message)
                })?;
                Expression::is(slot, number)
            }
            Node::Unary(operator, operand) => Expression::unary(*operator, self.resolve(operand, process)?),
            Node::Binary(operator, sides) => {
                Expression::binary(*operator, self.resolve(&sides.0, process)?, self.resolve(&sides.1, process)?)
            }
        })
    }

    /// A variable that is assigned to, and what it can hold.
    pub(super) fn target(
        &self,
        expression: &ast::Expression,
        process: Option<usize>,
    ) -> Result<(Target, Domain), Fault> {
        let Node::Variable { process: other, name, index } = &expression.node else {
            return Err(Fault::new(expression.place, "this cannot be changed: write a variable or a cell of an array"));
        };
        let index = index.as_deref().map(|index| self.resolve(index, process)).transpose()?;
        match (self.variable(other.as_ref(), name, process)?, index) {
            (Symbol::Variable { first, domain, .. }, None) => Ok((Target::Slot(*first), *domain)),
            (Symbol::Variable { first, size: Some(size), domain }, Some(index)) => {
                let target = match Expression::cell(*first, *size, index) {
                    Expression::Slot(slot) => Target::Slot(slot),
                    Expression::Cell { first, size, index } => Target::Cell { first, size, index: *index },
                    _ => return Err(Fault::new(name.place, "this cannot be changed")),
                };
                Ok((target, *domain))
            }
            (Symbol::Constant { .. }, _) => {
                Err(Fault::new(name.place, format!("`{}` is a constant: it cannot be changed", name.text)))
            }
            (symbol, _) => Err(misused(symbol, name)),
        }
    }

    /// The meaning of `x` or `P->x`.
    fn variable(&self, other: Option<&Name>, name: &Name, process: Option<usize>) -> Result<&Symbol, Fault> {
        let Some(other) = other else { return self.find(name, process) };
        let scope = &self.processes[self.process(other)?];
        scope
            .names
            .get(&name.text)
            .ok_or_else(|| Fault::new(name.place, format!("process `{}` has no variable `{}`", other.text, name.text)))
    }
}

fn insert(names: &mut FxHashMap<String, Symbol>, name: &Name, symbol: Symbol) -> Result<(), Fault> {
    match names.insert(name.text.clone(), symbol) {
        None => Ok(()),
        Some(_) => Err(Fault::new(name.place, format!("`{}` is declared twice", name.text))),
    }
}

fn misused(symbol: &Symbol, name: &Name) -> Fault {
    let message = match symbol {
        Symbol::Channel(_) => "a channel: it has no value",
        Symbol::Process(_) => "a process: write its name, a dot and a state",
        _ => "not an array: leave out the index",
    };
    Fault::new(name.place, format!("`{}` is {message}", name.text))
}
