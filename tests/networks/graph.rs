//! Boolean networks at random and their graphs of all states, computed without the library.

use starset::kinds::pins::logical::Update;
use starset::rng::Rng;
use std::fmt;

/// A function as a tree.
pub(super) enum Function {
    Constant(bool),
    Variable(usize),
    Not(Box<Function>),
    Both(Box<Function>, Box<Function>),
    Either(Box<Function>, Box<Function>),
}

impl Function {
    fn random(rng: &mut Rng, variables: usize, depth: usize) -> Function {
        let next = |rng: &mut Rng| Box::new(Function::random(rng, variables, depth.saturating_sub(1)));
        match (depth, rng.below(12)) {
            (_, 0) => Function::Constant(rng.below(2) == 0),
            (0, _) | (_, 1..=3) => Function::Variable(rng.below(variables)),
            (_, 4..=6) => Function::Not(next(rng)),
            (_, 7..=9) => Function::Both(next(rng), next(rng)),
            _ => Function::Either(next(rng), next(rng)),
        }
    }

    /// What holds of some variables, by the number that they are read as: the first is the last bit.
    pub(super) fn of_table(variables: &[usize], holds: impl Fn(usize) -> bool) -> Function {
        let literal = |row: usize, at: usize| {
            let variable = Function::Variable(variables[at]);
            if row >> at & 1 == 1 { variable } else { Function::Not(Box::new(variable)) }
        };
        let both = |a, b| Function::Both(Box::new(a), Box::new(b));
        let row = |row: usize| (0..variables.len()).map(|at| literal(row, at)).fold(Function::Constant(true), both);
        let either = |a, b| Function::Either(Box::new(a), Box::new(b));
        (0..1 << variables.len()).filter(|&row| holds(row)).map(row).fold(Function::Constant(false), either)
    }

    fn value(&self, state: usize) -> bool {
        match self {
            Function::Constant(value) => *value,
            Function::Variable(variable) => state >> variable & 1 == 1,
            Function::Not(a) => !a.value(state),
            Function::Both(a, b) => a.value(state) && b.value(state),
            Function::Either(a, b) => a.value(state) || b.value(state),
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::Constant(value) => write!(f, "{}", u8::from(*value)),
            Function::Variable(variable) => write!(f, "v{variable}"),
            Function::Not(a) => write!(f, "!({a})"),
            Function::Both(a, b) => write!(f, "({a} & {b})"),
            Function::Either(a, b) => write!(f, "({a} | {b})"),
        }
    }
}

/// A network; variables without a function are inputs.
pub(super) struct Network {
    functions: Vec<Option<Function>>,
}

impl Network {
    pub(super) fn random(rng: &mut Rng) -> Network {
        let variables = 1 + rng.below(6);
        Network::random_of(variables, rng)
    }

    /// One with these functions.
    pub(super) fn of(functions: Vec<Option<Function>>) -> Network {
        Network { functions }
    }

    /// One of so many variables.
    pub(super) fn random_of(variables: usize, rng: &mut Rng) -> Network {
        let function = |rng: &mut Rng| (!rng.one_in(6)).then(|| Function::random(rng, variables, 3));
        Network { functions: (0..variables).map(|_| function(rng)).collect() }
    }

    /// The number of a state, by the values of its variables.
    pub(super) fn number(&self, values: &[u64]) -> usize {
        values.iter().rev().fold(0, |number, &value| 2 * number + value as usize)
    }

    /// Has a variable no function?
    pub(super) fn is_input(&self, variable: usize) -> bool {
        self.functions[variable].is_none()
    }

    /// The state where all variables have what their functions say.
    pub(super) fn wanted(&self, state: usize) -> usize {
        let value = |(variable, function): (usize, &Option<Function>)| {
            let value = function.as_ref().map_or(state >> variable & 1 == 1, |function| function.value(state));
            usize::from(value) << variable
        };
        self.functions.iter().enumerate().map(value).sum()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (variable, function) in self.functions.iter().enumerate() {
            match function {
                Some(function) => writeln!(f, "v{variable}, {function}")?,
                None => writeln!(f, "v{variable}, v{variable}")?,
            }
        }
        Ok(())
    }
}

/// All states and their successors.
pub(super) struct Graph {
    pub(super) successors: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn new(network: &Network, update: Update) -> Graph {
        let successors = |state: usize| {
            let open = state ^ network.wanted(state);
            match update {
                Update::Synchronous => vec![network.wanted(state)],
                Update::Asynchronous => {
                    let moving = (0..network.functions.len()).filter(|&variable| open >> variable & 1 == 1);
                    moving.map(|variable| state ^ (1 << variable)).collect()
                }
                Update::Mixed => {
                    (1..1 << network.functions.len()).filter(|moved| moved & !open == 0).map(|m| state ^ m).collect()
                }
                Update::MostPermissive => unreachable!("its states are others"),
            }
        };
        Graph { successors: (0..1 << network.functions.len()).map(successors).collect() }
    }

    /// What is reached from a state.
    pub(super) fn reached(&self, state: usize) -> Vec<bool> {
        let (mut seen, mut open) = (vec![false; self.successors.len()], vec![state]);
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut seen[state], true) {
                open.extend(&self.successors[state]);
            }
        }
        seen
    }

    /// The states of each attractor, in their order.
    pub(super) fn attractors(&self) -> Vec<Vec<usize>> {
        let reached: Vec<Vec<bool>> = (0..self.successors.len()).map(|state| self.reached(state)).collect();
        let members = |state: usize| -> Vec<usize> { (0..reached.len()).filter(|&to| reached[state][to]).collect() };
        let is_bottom = |state: &usize| members(*state).into_iter().all(|to| reached[to][*state]);
        let mut all: Vec<Vec<usize>> = (0..reached.len()).filter(is_bottom).map(members).collect();
        all.sort();
        all.dedup();
        all
    }

    /// How many states reach an attractor, and how many reach no other.
    pub(super) fn basins(&self, attractor: &[usize]) -> (usize, usize) {
        let reaches = |from: usize| self.reached(from)[attractor[0]];
        let weak: Vec<bool> = (0..self.successors.len()).map(reaches).collect();
        let inside = |from: usize| (0..weak.len()).zip(self.reached(from)).all(|(to, seen)| !seen || weak[to]);
        (weak.iter().filter(|&&weak| weak).count(), (0..weak.len()).filter(|&from| inside(from)).count())
    }
}
