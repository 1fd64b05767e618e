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
use std::sync::Arc;

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

/// An operation on diagrams, for the cache of results.
type Key = (u32, Diagram, Diagram, Diagram);

/// The result for three diagrams, from those for their children.
type Compute<'f> = dyn FnMut(&mut Diagrams, [Diagram; 3]) -> Result<Diagram, TooLarge> + 'f;

/// A node: its level, and where its runs are among those of all nodes: for each child the first of its values, which is
/// 0 for the first child; neighbours differ.
#[derive(Clone, Copy, Debug)]
struct Inner {
    level: u32,
    from: u32,
    end: u32,
}

/// Diagrams that share their nodes.
#[derive(Clone, Debug)]
pub struct Diagrams {
    /// By slot, how many values its variable has.
    sizes: Vec<u32>,
    nodes: Vec<Inner>,
    runs: Vec<(u32, Diagram)>,
    /// The numbers of the nodes by their hashes, or `NONE`: a power of two of places, a third of them free.
    known: Vec<u32>,
    leaves: Vec<Leaf>,
    leaf_of: HashMap<Leaf, Diagram, Hashing>,
    /// Results, each in the one place that its operation has; a power of two of places.
    results: Vec<(Key, Diagram)>,
    /// Runs of the nodes that are being made.
    open: Vec<(u32, Diagram)>,
    /// The greatest number of runs that is allowed.
    most: usize,
    /// The children that may still be computed.
    left: usize,
    watch: Watch,
}

/// Says when to stop.
#[derive(Clone)]
struct Watch(Arc<dyn Fn() -> bool + Send + Sync>);

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watch")
    }
}

/// Children that may be computed for each run that may be made.
const WORK: usize = 8;
/// Children that are computed from one look at the watch to the next.
const LOOKS: usize = 1 << 12;

/// No node.
const NONE: u32 = u32::MAX;
/// No operation.
const NO_KEY: Key = (NONE, Diagram(NONE), Diagram(NONE), Diagram(NONE));
/// Places for results: at first, and at most.
const RESULTS: (usize, usize) = (1 << 10, 1 << 21);

/// Quick hashes of numbers.
#[derive(Clone, Copy, Debug)]
struct Hashing;

impl std::hash::BuildHasher for Hashing {
    type Hasher = Hash;

    fn build_hasher(&self) -> Hash {
        Hash(0)
    }
}

struct Hash(u64);

impl std::hash::Hasher for Hash {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mixed(self.0, byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = mixed(self.0, number);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mixed(mixed(self.0, number as u32), (number >> 32) as u32);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// A number mixed into a hash: rotated, xored and multiplied, as Firefox does.
fn mixed(hash: u64, number: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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
            runs: Vec::new(),
            known: vec![NONE; RESULTS.0],
            leaves: Vec::new(),
            leaf_of: HashMap::with_hasher(Hashing),
            results: vec![(NO_KEY, Diagram(NONE)); RESULTS.0],
            open: Vec::new(),
            most: most.min(NONE as usize),
            left: most.saturating_mul(WORK),
            watch: Watch(Arc::new(|| false)),
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
        let &Inner { level, from, end } = self.nodes.get(diagram.0 as usize)?;
        Some((level, &self.runs[from as usize..end as usize]))
    }

    /// Its level; that of constants is below all others.
    pub fn level(&self, diagram: Diagram) -> u32 {
        self.nodes.get(diagram.0 as usize).map_or(u32::MAX, |node| node.level)
    }

    /// How many values there are on a level.
    pub fn size(&self, level: u32) -> u32 {
        self.sizes[level as usize / 2]
    }

    /// From now on there may be so many runs more, and work in proportion.
    pub fn allow(&mut self, more: usize) {
        self.most = self.runs.len().saturating_add(more).min(NONE as usize);
        self.left = more.saturating_mul(WORK);
    }

    /// Whatever is made ends as [`TooLarge`] once this is true.
    pub fn stop_when(&mut self, stop: Arc<dyn Fn() -> bool + Send + Sync>) {
        self.watch = Watch(stop);
    }

    /// Account for the computation of a child.
    fn tick(&mut self) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        if self.left.is_multiple_of(LOOKS) && (self.watch.0)() { Err(TooLarge) } else { Ok(()) }
    }

    /// The node of these children, by the first values of their runs.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn make(&mut self, level: u32, runs: &[(u32, Diagram)]) -> Result<Diagram, TooLarge> {
        let mark = self.open.len();
        for &(first, child) in runs {
            self.push(mark, first, child);
        }
        self.close(mark, level)
    }

    /// A child more for the node whose open runs begin at a mark.
    fn push(&mut self, mark: usize, first: u32, child: Diagram) {
        if self.open[mark..].last().is_none_or(|&(_, last)| last != child) {
            self.open.push((first, child));
        }
    }

    /// The node of the runs from a mark on.
    fn close(&mut self, mark: usize, level: u32) -> Result<Diagram, TooLarge> {
        if let [(_, only)] = self.open[mark..] {
            self.open.truncate(mark);
            return Ok(only);
        }
        let mask = self.known.len() - 1;
        let mut place = Self::hash(level, &self.open[mark..]) as usize & mask;
        while let Some(&Inner { level: own, from, end }) = self.nodes.get(self.known[place] as usize) {
            if own == level && self.runs[from as usize..end as usize] == self.open[mark..] {
                self.open.truncate(mark);
                return Ok(Diagram(self.known[place]));
            }
            place = (place + 1) & mask;
        }
        let from = self.runs.len();
        if from + (self.open.len() - mark) > self.most || self.nodes.len() >= LEAVES as usize {
            self.open.truncate(mark);
            return Err(TooLarge);
        }
        self.runs.extend(self.open.drain(mark..));
        let number = self.nodes.len() as u32;
        self.nodes.push(Inner { level, from: from as u32, end: self.runs.len() as u32 });
        self.known[place] = number;
        if self.nodes.len() * 3 > self.known.len() * 2 {
            self.grow();
        }
        Ok(Diagram(number))
    }

    fn hash(level: u32, runs: &[(u32, Diagram)]) -> u64 {
        let hash = runs.iter().fold(u64::from(level), |hash, &(first, child)| mixed(mixed(hash, first), child.0));
        hash ^ (hash >> 32)
    }

    /// Twice the places for nodes, and for results while they are few.
    fn grow(&mut self) {
        let places = 2 * self.known.len();
        self.known = vec![NONE; places];
        for (number, &Inner { level, from, end }) in self.nodes.iter().enumerate() {
            let mut place = Self::hash(level, &self.runs[from as usize..end as usize]) as usize & (places - 1);
            while self.known[place] != NONE {
                place = (place + 1) & (places - 1);
            }
            self.known[place] = number as u32;
        }
        if places <= RESULTS.1 {
            let before = std::mem::replace(&mut self.results, vec![(NO_KEY, Diagram(NONE)); places]);
            for (key, result) in before.into_iter().filter(|(key, _)| *key != NO_KEY) {
                let place = self.place(key);
                self.results[place] = (key, result);
            }
        }
    }

    /// Where the result of an operation is, if it is known.
    fn place(&self, key: Key) -> usize {
        let hash = mixed(mixed(mixed(u64::from(key.0), key.1.0), key.2.0), key.3.0);
        (hash ^ (hash >> 32)) as usize & (self.results.len() - 1)
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
        let (known, result) = self.results[self.place(key)];
        if known == key {
            return Ok(result);
        }
        let level = operands.iter().map(|&operand| self.level(operand)).min().unwrap_or(u32::MAX);
        // The runs that are next, and the last of each operand; none of those that are constant here.
        let mut at = operands.map(|operand| match self.nodes.get(operand.0 as usize) {
            Some(node) if node.level == level => (node.from as usize, node.end as usize - 1),
            _ => (usize::MAX, usize::MAX),
        });
        let (mark, mut first) = (self.open.len(), 0);
        loop {
            let children = [0, 1, 2].map(|operand| self.runs.get(at[operand].0).map_or(operands[operand], |run| run.1));
            match self.tick().and_then(|()| compute(self, children)) {
                Ok(child) => self.push(mark, first, child),
                Err(large) => {
                    self.open.truncate(mark);
                    return Err(large);
                }
            }
            let next = at.map(|(next, last)| if next == last { u32::MAX } else { self.runs[next + 1].0 });
            let least = next.into_iter().min().unwrap_or(u32::MAX);
            if least == u32::MAX {
                break;
            }
            for operand in 0..3 {
                at[operand].0 += usize::from(next[operand] == least);
            }
            first = least;
        }
        let result = self.close(mark, level)?;
        let place = self.place(key);
        self.results[place] = (key, result);
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
    fn parts(&self, diagram: Diagram) -> HashSet<Diagram, Hashing> {
        let (mut seen, mut open) = (HashSet::with_hasher(Hashing), vec![diagram]);
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
            let Inner { from, end, .. } = self.nodes[condition.0 as usize];
            let mut result = Self::FALSE;
            for run in from..end {
                let child = self.runs[run as usize].1;
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

    /// A condition on current values as one on next values, which those of kept slots are already.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn primed(&mut self, condition: Diagram, kept: &[u32]) -> Result<Diagram, TooLarge> {
        self.primed_once(condition, kept, &mut HashMap::new())
    }

    fn primed_once(
        &mut self,
        diagram: Diagram,
        kept: &[u32],
        known: &mut HashMap<Diagram, Diagram>,
    ) -> Result<Diagram, TooLarge> {
        let Some((level, runs)) = self.node(diagram) else { return Ok(diagram) };
        if let Some(&known) = known.get(&diagram) {
            return Ok(known);
        }
        let runs = runs.to_vec();
        let mut made = Vec::with_capacity(runs.len());
        for (first, child) in runs {
            made.push((first, self.primed_once(child, kept, known)?));
        }
        let level = if kept.contains(&(level / 2)) { level } else { level | 1 };
        let result = self.make(level, &made)?;
        known.insert(diagram, result);
        Ok(result)
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
