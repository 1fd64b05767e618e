//! Multi-terminal decision diagrams: functions from the values of variables to values, each kept once.
//!
//! A *slot* is a variable of the program; each has two levels, its current value above its next one. A node has a child
//! for each value of its level, written as *runs* of equal children, so that a comparison with a constant is two runs
//! however large the domain is. Diagrams are reduced: a node with one run is its child, and equal nodes are one. A leaf
//! is a value, or a fault: what a term is where a guard is missing, or a divisor is zero.
//!
//! Sources: Clarke, McMillan, Zhao, Fujita, Yang, *Spectral transforms for large Boolean functions with applications to
//! technology mapping*, DAC 1993; Bahar et al., *Algebraic decision diagrams and their applications*, ICCAD 1993.

use crate::term::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A function of the values of levels: a node or a leaf of [`Diagrams`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Diagram(u32);

/// Leaves have numbers from here on.
const LEAVES: u32 = 1 << 31;

/// There are more runs than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// The value of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// A value.
    Value(Value),
    /// None: the message says why.
    Fault(String),
}

/// Runs of children: the first value of each, and the child; the first run starts at 0, and neighbours differ.
type Runs = Box<[(u32, Diagram)]>;

/// An operation on diagrams, for the cache of results.
type Key = (u32, Diagram, Diagram, Diagram);

/// The result for three diagrams, from those for their children.
type Compute<'f> = dyn FnMut(&mut Diagrams, [Diagram; 3]) -> Result<Diagram, TooLarge> + 'f;

/// Diagrams that share their nodes.
#[derive(Clone, Debug)]
pub struct Diagrams {
    /// By slot, how many values its variable has.
    sizes: Vec<u32>,
    nodes: Vec<(u32, Runs)>,
    known: HashMap<(u32, Runs), Diagram>,
    leaves: Vec<Leaf>,
    leaf_of: HashMap<Leaf, Diagram>,
    results: HashMap<Key, Diagram>,
    /// Runs of all nodes: their number, and the greatest that is allowed.
    runs: usize,
    most: usize,
}

/// The operations of this file, as numbers of the cache; those of the caller follow.
const CHOICE: u32 = 0;
const SOME: u32 = 1;
const FIX: u32 = 2;
/// The first number for operations of the caller.
pub(crate) const OTHERS: u32 = 3;

impl Diagrams {
    /// No diagrams yet, over slots with so many values; their nodes may have `most` runs together.
    pub fn new(sizes: Vec<u32>, most: usize) -> Self {
        let mut empty = Diagrams {
            sizes,
            nodes: Vec::new(),
            known: HashMap::new(),
            leaves: Vec::new(),
            leaf_of: HashMap::new(),
            results: HashMap::new(),
            runs: 0,
            most,
        };
        for value in [false, true] {
            empty.leaf(Leaf::Value(Value::Bool(value)));
        }
        empty
    }

    /// The constant false.
    pub const FALSE: Diagram = Diagram(LEAVES);
    /// The constant true.
    pub const TRUE: Diagram = Diagram(LEAVES + 1);

    /// A constant.
    pub fn leaf(&mut self, leaf: Leaf) -> Diagram {
        if let Some(&known) = self.leaf_of.get(&leaf) {
            return known;
        }
        let diagram = Diagram(LEAVES + self.leaves.len() as u32);
        self.leaves.push(leaf.clone());
        self.leaf_of.insert(leaf, diagram);
        diagram
    }

    /// A constant.
    pub fn constant(&mut self, value: Value) -> Diagram {
        self.leaf(Leaf::Value(value))
    }

    /// What the diagram is if it is a constant.
    pub fn as_leaf(&self, diagram: Diagram) -> Option<&Leaf> {
        diagram.0.checked_sub(LEAVES).map(|number| &self.leaves[number as usize])
    }

    /// Its value if it is a constant, and no fault.
    pub fn as_value(&self, diagram: Diagram) -> Option<Value> {
        match self.as_leaf(diagram) {
            Some(Leaf::Value(value)) => Some(*value),
            _ => None,
        }
    }

    /// Its level and the runs of its children; `None` of a constant.
    pub fn node(&self, diagram: Diagram) -> Option<(u32, &[(u32, Diagram)])> {
        self.nodes.get(diagram.0 as usize).filter(|_| diagram.0 < LEAVES).map(|(level, runs)| (*level, &**runs))
    }

    /// Its level; that of constants is below all others.
    pub fn level(&self, diagram: Diagram) -> u32 {
        if diagram.0 >= LEAVES { u32::MAX } else { self.nodes[diagram.0 as usize].0 }
    }

    /// How many values there are on a level.
    pub fn size(&self, level: u32) -> u32 {
        self.sizes[level as usize / 2]
    }

    /// From now on there may be so many runs more.
    pub fn allow(&mut self, more: usize) {
        self.most = self.runs + more;
    }

    /// The node of these children, by the first values of their runs.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn make(&mut self, level: u32, mut runs: Vec<(u32, Diagram)>) -> Result<Diagram, TooLarge> {
        runs.dedup_by(|next, before| next.1 == before.1);
        if let [(_, only)] = runs[..] {
            return Ok(only);
        }
        let key = (level, runs.into_boxed_slice());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.runs + key.1.len() > self.most {
            return Err(TooLarge);
        }
        self.runs += key.1.len();
        let diagram = Diagram(self.nodes.len() as u32);
        self.nodes.push(key.clone());
        self.known.insert(key, diagram);
        Ok(diagram)
    }

    /// The children of a diagram on a level, which is not below its own.
    fn runs(&self, level: u32, diagram: Diagram) -> Runs {
        match self.node(diagram) {
            Some((own, runs)) if own == level => runs.into(),
            _ => Box::new([(0, diagram)]),
        }
    }

    /// The child of a diagram for a value of a level that is not below its own.
    pub fn child(&self, level: u32, diagram: Diagram, value: u32) -> Diagram {
        match self.node(diagram) {
            Some((own, runs)) if own == level => runs[runs.partition_point(|&(first, _)| first <= value) - 1].1,
            _ => diagram,
        }
    }

    /// A result that is remembered, or computed child by child.
    fn by_children(
        &mut self,
        operation: u32,
        operands: [Diagram; 3],
        compute: &mut Compute<'_>,
    ) -> Result<Diagram, TooLarge> {
        let key = (operation, operands[0], operands[1], operands[2]);
        if let Some(&known) = self.results.get(&key) {
            return Ok(known);
        }
        let level = operands.iter().map(|&operand| self.level(operand)).min().unwrap_or(u32::MAX);
        let all = operands.map(|operand| self.runs(level, operand));
        let (mut at, mut runs, mut first) = ([0; 3], Vec::new(), 0);
        loop {
            let children = [0, 1, 2].map(|operand| all[operand][at[operand]].1);
            runs.push((first, compute(self, children)?));
            let next = [0, 1, 2].map(|operand| all[operand].get(at[operand] + 1).map(|&(first, _)| first));
            let Some(least) = next.iter().flatten().min().copied() else { break };
            for operand in 0..3 {
                at[operand] += usize::from(next[operand] == Some(least));
            }
            first = least;
        }
        let result = self.make(level, runs)?;
        self.results.insert(key, result);
        Ok(result)
    }

    /// A function of the values of two diagrams. `quick` may know the result of two diagrams at once, and has to of
    /// two constants; `operation` is a number from [`OTHERS`] on that stands for it.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub(crate) fn apply(
        &mut self,
        operation: u32,
        a: Diagram,
        b: Diagram,
        quick: &mut dyn FnMut(&mut Self, Diagram, Diagram) -> Option<Diagram>,
    ) -> Result<Diagram, TooLarge> {
        if let Some(result) = quick(self, a, b) {
            return Ok(result);
        }
        let mut compute = |all: &mut Self, [a, b, _]: [Diagram; 3]| all.apply(operation, a, b, quick);
        self.by_children(operation, [a, b, b], &mut compute)
    }

    /// The second where the first is true, else the third. Where the condition is a fault, so is the result.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn choice(&mut self, condition: Diagram, yes: Diagram, no: Diagram) -> Result<Diagram, TooLarge> {
        match self.as_leaf(condition) {
            Some(Leaf::Value(Value::Bool(true))) => return Ok(yes),
            Some(Leaf::Value(_)) => return Ok(no),
            Some(Leaf::Fault(_)) => return Ok(condition),
            None => {}
        }
        if (yes, no) == (Self::TRUE, Self::FALSE) {
            return Ok(condition);
        }
        if yes == no && !self.has_fault(condition) {
            return Ok(yes);
        }
        self.by_children(CHOICE, [condition, yes, no], &mut |all, [c, a, b]| all.choice(c, a, b))
    }

    /// Is one of the values a fault?
    pub fn has_fault(&self, diagram: Diagram) -> bool {
        self.fault(diagram).is_some()
    }

    /// The message of a fault among its values.
    pub fn fault(&self, diagram: Diagram) -> Option<&str> {
        self.parts(diagram).into_iter().find_map(|part| match self.as_leaf(part) {
            Some(Leaf::Fault(message)) => Some(&**message),
            _ => None,
        })
    }

    /// The levels that it depends on, from the top.
    pub fn support(&self, diagram: Diagram) -> Vec<u32> {
        let nodes = self.parts(diagram).into_iter().filter_map(|part| self.node(part));
        nodes.map(|(level, _)| level).collect::<BTreeSet<u32>>().into_iter().collect()
    }

    /// How many nodes it has.
    pub fn nodes_of(&self, diagram: Diagram) -> usize {
        self.parts(diagram).into_iter().filter(|&part| self.node(part).is_some()).count()
    }

    /// Its nodes and leaves, each once.
    fn parts(&self, diagram: Diagram) -> HashSet<Diagram> {
        let (mut seen, mut open) = (HashSet::new(), vec![diagram]);
        while let Some(diagram) = open.pop() {
            if seen.insert(diagram)
                && let Some((_, runs)) = self.node(diagram)
            {
                open.extend(runs.iter().map(|&(_, child)| child));
            }
        }
        seen
    }

    /// Conjunction. A fault beside false is none.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn and(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooLarge> {
        let (a, b) = (a.min(b), a.max(b));
        self.apply(OTHERS, a, b, &mut |all, a, b| {
            if a == Self::FALSE || b == Self::FALSE {
                return Some(Self::FALSE);
            }
            if a == Self::TRUE || a == b {
                return Some(b);
            }
            if b == Self::TRUE {
                return Some(a);
            }
            (all.level(a) == u32::MAX && all.level(b) == u32::MAX).then(|| if all.has_fault(a) { a } else { b })
        })
    }

    /// Negation.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn not(&mut self, a: Diagram) -> Result<Diagram, TooLarge> {
        self.choice(a, Self::FALSE, Self::TRUE)
    }

    /// Disjunction. A fault beside true is none.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn or(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooLarge> {
        let (a, b) = (self.not(a)?, self.not(b)?);
        let neither = self.and(a, b)?;
        self.not(neither)
    }

    /// Is the condition true for some value of a level? It has no faults.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn some(&mut self, condition: Diagram, level: u32) -> Result<Diagram, TooLarge> {
        let own = self.level(condition);
        if own > level {
            return Ok(condition);
        }
        if own == level {
            let mut result = Self::FALSE;
            for (_, child) in self.runs(level, condition) {
                result = self.or(result, child)?;
            }
            return Ok(result);
        }
        let mark = self.constant(Value::Int(i64::from(level)));
        let mut compute = |all: &mut Self, [child, ..]: [Diagram; 3]| all.some(child, level);
        self.by_children(SOME, [condition, mark, mark], &mut compute)
    }

    /// The diagram where a level has this value.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn fix(&mut self, diagram: Diagram, level: u32, value: u32) -> Result<Diagram, TooLarge> {
        let own = self.level(diagram);
        if own > level {
            return Ok(diagram);
        }
        if own == level {
            return Ok(self.child(level, diagram, value));
        }
        let marks = [i64::from(level), i64::from(value)].map(|mark| self.constant(Value::Int(mark)));
        let mut compute = |all: &mut Self, [child, ..]: [Diagram; 3]| all.fix(child, level, value);
        self.by_children(FIX, [diagram, marks[0], marks[1]], &mut compute)
    }

    /// Values of levels for which a condition is true; that of other levels does not matter.
    pub fn example(&self, mut condition: Diagram) -> Option<HashMap<u32, u32>> {
        let mut values = HashMap::new();
        while let Some((level, runs)) = self.node(condition) {
            // A condition without faults that is not false is true somewhere.
            let &(first, child) = runs.iter().find(|(_, child)| *child != Self::FALSE)?;
            values.insert(level, first);
            condition = child;
        }
        (condition == Self::TRUE).then_some(values)
    }
}
