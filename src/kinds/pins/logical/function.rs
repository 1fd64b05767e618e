//! Variables and their functions, as readers make them and the network takes them.

use super::condition::{Condition, Conditions, Program};

/// Which variables move in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Update {
    /// One that is not where its function wants it. A state where all are has no step.
    #[default]
    Asynchronous,
    /// All. A state where all are where they should be leads to itself.
    Synchronous,
    /// Any, at least one, of those that are not where they should be.
    Mixed,
    /// One that is on its way, or may set out; while it is on its way others take it for 0 and for 1, as it suits them.
    MostPermissive,
}

impl Update {
    /// All of them, each between its name and which variables move in a step.
    pub const ALL: [(&'static str, Update, &'static str); 4] = [
        ("asynchronous", Update::Asynchronous, "One that is not where its function wants it"),
        ("synchronous", Update::Synchronous, "All, so that each state has one successor"),
        ("mixed", Update::Mixed, "Any of those that are not where their functions want them"),
        ("most-permissive", Update::MostPermissive, "One, and others may see it moved already, or not yet"),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Update> {
        Update::ALL.into_iter().find(|&(known, ..)| known == name).map(|(_, update, _)| update)
    }

    /// Of a variable with this greatest level, the greatest that it has where it is on no way to another.
    pub(super) fn settled(self, most: u32) -> u32 {
        if self == Update::MostPermissive { most.min(1) } else { most }
    }
}

/// With most permissive updates, the levels of a variable on its way from 0 to 1, and from 1 to 0.
pub(super) const RISING: u32 = 2;
pub(super) const FALLING: u32 = 3;

/// What a file says of a variable, before functions are known to be complete.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) name: String,
    /// Its greatest level.
    pub(super) most: u32,
    /// For each level from 1 on: is the target at least this? `None` of an input.
    pub(super) target: Option<Vec<Condition>>,
    /// Where its function is written: a line, from 1.
    pub(super) source: Option<String>,
}

/// What a file says.
#[derive(Clone, Debug, Default)]
pub(super) struct Read {
    pub(super) conditions: Conditions,
    /// At least one.
    pub(super) components: Vec<Component>,
    /// What all values of inputs have in common that count; one of them at least does.
    pub(super) admissible: Vec<Condition>,
    /// What everybody should know: `line: remark`.
    pub(super) remarks: Vec<String>,
    /// What some may want to know.
    pub(super) notes: Vec<String>,
}

/// The function of a variable that may move.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// The variable.
    pub(super) variable: usize,
    /// For each level from 1 on: is the target at least this? With most permissive updates: may the target be 1, and may
    /// it be 0?
    pub(super) target: Program,
    pub(super) source: Option<String>,
}

impl Function {
    /// What its steps depend on.
    pub(super) fn reads(&self) -> Vec<usize> {
        let mut reads = self.target.mentions();
        reads.insert(self.variable);
        reads.into_iter().collect()
    }

    /// The level after a step.
    pub(super) fn after(&self, level: &dyn Fn(usize) -> u32, room: &mut Vec<bool>) -> u32 {
        let (now, target) = (level(self.variable), self.target.count(level, room));
        if target > now { now + 1 } else { now - u32::from(target < now) }
    }

    /// Of most permissive updates: may the target be 1, and may it be 0?
    pub(super) fn both(&self, level: &dyn Fn(usize) -> u32, room: &mut Vec<bool>) -> [bool; 2] {
        let mut holds = self.target.holding(level, room);
        [holds.next().unwrap_or(false), holds.next().unwrap_or(false)]
    }

    /// Does it want the variable where it is, whatever the others do? It is an input then.
    pub(super) fn keeps_all(&self, most: &[u32]) -> bool {
        let mut room = Vec::new();
        self.reads() == [self.variable]
            && (0..=most[self.variable]).all(|level| self.after(&|_| level, &mut room) == level)
    }
}
