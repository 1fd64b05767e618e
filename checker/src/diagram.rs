//! Sets of states as decision diagrams, and the two questions that are asked about steps.
//!
//! A node of level l has pairs (value, child) with ascending values; its children are nodes of level l+1. The children of
//! the last level are *ranks*: a diagram is a map from some states, its set, to numbers. As children, ranks are written as the
//! rank plus one, since 0 is the empty set, wherever it stands. Each node exists once.

use crate::effort::{keep, work};
use crate::net::Effect;
use crate::{Checked, refuse};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// The number of a node, or a rank plus one below the last level.
pub type Node = u32;
/// No state at all.
pub const EMPTY: Node = 0;
/// All states, as the aim of steps.
pub(crate) const ALL: Node = u32::MAX;

/// The steps of a model on the levels of the diagrams.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    /// What each step does to levels, ascending.
    steps: Vec<Vec<(u32, Effect)>>,
    /// By level, the steps whose first level it is; those that touch none are with the first level.
    tops: Vec<Vec<usize>>,
}

impl Moves {
    pub(crate) fn new(steps: Vec<Vec<(u32, Effect)>>) -> Moves {
        let mut tops = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let level = step.first().map_or(0, |&(level, _)| level as usize);
            tops.resize(tops.len().max(level + 1), Vec::new());
            tops[level].push(number);
        }
        Moves { steps, tops }
    }
}

/// Which rank may follow which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Follows {
    /// Any.
    Any,
    /// A lower one; or the same, if its remainder modulo the number is among these bits.
    Lower(u32, u64),
}

impl Follows {
    /// Ranks are given plus one.
    fn allows(self, from: Node, to: Node) -> bool {
        match self {
            Follows::Any => true,
            Follows::Lower(modulus, same) => to < from || to == from && same >> ((from - 1) % modulus) & 1 == 1,
        }
    }
}

/// A hasher for keys of few small numbers.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type Pairs = Rc<[(u64, Node)]>;
/// Nodes that are known by something.
type Memo<K> = HashMap<K, Node, BuildHasherDefault<Quick>>;

/// All nodes.
#[derive(Debug)]
pub struct Store {
    /// The pairs of each node.
    nodes: Vec<Pairs>,
    /// The nodes of each level.
    numbers: Vec<Memo<Pairs>>,
}

impl Store {
    /// A store of diagrams of so many levels.
    pub fn new(levels: u32) -> Store {
        Store { nodes: vec![Rc::default()], numbers: vec![Memo::default(); levels as usize] }
    }

    /// How many levels there are.
    pub fn levels(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// The pairs of a node.
    pub fn pairs(&self, node: Node) -> &[(u64, Node)] {
        &self.nodes[node as usize]
    }

    /// The highest rank in some sets, which are nodes of the first level.
    pub(crate) fn highest(&self, sets: &[Node]) -> u32 {
        let mut layer: HashSet<Node> = sets.iter().copied().collect();
        for _ in 0..self.levels() {
            layer = layer.into_iter().flat_map(|node| self.pairs(node)).map(|pair| pair.1).collect();
        }
        layer.into_iter().max().map_or(0, |rank| rank.saturating_sub(1))
    }

    /// The node with these pairs, whose values ascend and whose children are not empty.
    ///
    /// # Errors
    /// With more than 2^31 nodes.
    pub fn node(&mut self, level: u32, pairs: &[(u64, Node)]) -> Checked<Node> {
        if pairs.is_empty() {
            return Ok(EMPTY);
        }
        if let Some(&known) = self.numbers[level as usize].get(pairs) {
            return Ok(known);
        }
        keep(pairs.len() + 3)?;
        let (node, pairs) = (self.nodes.len() as Node, Pairs::from(pairs));
        if node > 1 << 31 {
            return refuse("the diagrams are too large");
        }
        self.nodes.push(Rc::clone(&pairs));
        self.numbers[level as usize].insert(pairs, node);
        Ok(node)
    }

    /// The node with these of the pairs of `f`, or with other children of the same values; some may be empty.
    fn part(&mut self, level: u32, f: Node, mut pairs: Vec<(u64, Node)>) -> Checked<Node> {
        if pairs == self.pairs(f) {
            return Ok(f);
        }
        pairs.retain(|pair| pair.1 != EMPTY);
        self.node(level, &pairs)
    }

    /// The child for a value; empty if there is none.
    fn child(&self, node: Node, value: u64) -> Node {
        if node == ALL {
            return ALL;
        }
        let pairs = self.pairs(node);
        pairs.binary_search_by_key(&value, |pair| pair.0).map_or(EMPTY, |at| pairs[at].1)
    }

    /// Is the state in the set?
    pub(crate) fn contains(&self, root: Node, state: &[u64]) -> bool {
        state.iter().fold(root, |node, &value| self.child(node, value)) != EMPTY
    }

    /// The states where a sum of levels with factors has a property.
    pub(crate) fn compared(&mut self, f: Node, sum: &HashMap<u32, i64>, holds: &dyn Fn(i128) -> bool) -> Checked<Node> {
        let end = sum.keys().max().map_or(0, |last| last + 1);
        let factors: Vec<i128> = (0..end).map(|level| sum.get(&level).map_or(0, |&factor| factor.into())).collect();
        self.compared_from(0, f, 0, &factors, holds, &mut Memo::default())
    }

    fn compared_from(
        &mut self,
        level: u32,
        f: Node,
        sum: i128,
        factors: &[i128],
        holds: &dyn Fn(i128) -> bool,
        known: &mut Memo<(Node, i128)>,
    ) -> Checked<Node> {
        let [factor, later @ ..] = factors else { return Ok(if holds(sum) { f } else { EMPTY }) };
        if let Some(&known) = known.get(&(f, sum)) {
            return Ok(known);
        }
        keep(1)?;
        let mut pairs = self.pairs(f).to_vec();
        work(pairs.len())?;
        for (value, child) in &mut pairs {
            let sum = sum + factor * i128::from(*value);
            *child = self.compared_from(level + 1, *child, sum, later, holds, known)?;
        }
        let node = self.part(level, f, pairs)?;
        known.insert((f, sum), node);
        Ok(node)
    }

    /// The states of the first set that are not in the second.
    pub(crate) fn minus(&mut self, f: Node, g: Node) -> Checked<Node> {
        self.without(f, g, Follows::Any)
    }

    /// The states of the first set that are not in the second with a rank that may follow.
    pub(crate) fn without(&mut self, f: Node, g: Node, follows: Follows) -> Checked<Node> {
        Walk::new(self, &Moves::default(), follows, true).astray(0, f, g, 0, &[])
    }

    /// Does each step lead from each state of `f` where it is possible to a state of `g` with a rank that may follow?
    pub(crate) fn all_lead(&mut self, f: Node, g: Node, moves: &Moves, follows: Follows) -> Checked<bool> {
        let mut walk = Walk::new(self, moves, follows, false);
        // The states are told apart no further than the steps ask for: down to the first level of a step, pairs of
        // nodes that the same values lead to.
        let mut front = HashSet::from([(f, g)]);
        for (level, steps) in moves.tops.iter().enumerate() {
            for &step in steps {
                work(front.len())?;
                for &(f, g) in &front {
                    if walk.astray(level as u32, f, g, step, &moves.steps[step])? != EMPTY {
                        return Ok(false);
                    }
                }
                walk.known[step] = Memo::default();
            }
            let mut below = HashSet::new();
            for (f, g) in front {
                work(walk.store.pairs(f).len())?;
                below.extend(walk.store.pairs(f).iter().map(|&(value, child)| (child, walk.store.child(g, value))));
            }
            front = below;
        }
        Ok(true)
    }

    /// The states of `f` from which none of the steps leads to `g` with a rank that may follow.
    pub(crate) fn none_leads(&mut self, f: Node, g: Node, moves: &Moves, follows: Follows) -> Checked<Node> {
        Walk::new(self, moves, follows, true).all_astray(0, f, g, &mut Memo::default())
    }
}

/// Where steps lead from one set to another.
struct Walk<'a> {
    store: &'a mut Store,
    moves: &'a Moves,
    follows: Follows,
    /// Does a step that is not possible in a state count as one that leads astray?
    impossible: bool,
    /// What [`Walk::astray`] has found for each step; the last is for what is left of steps that have done all they do.
    known: Vec<Memo<(Node, Node)>>,
}

impl<'a> Walk<'a> {
    fn new(store: &'a mut Store, moves: &'a Moves, follows: Follows, impossible: bool) -> Self {
        Walk { store, moves, follows, impossible, known: vec![Memo::default(); moves.steps.len() + 1] }
    }

    /// The states of `f` that a step, of which these effects are left, does not lead to `g` with a rank that may follow.
    fn astray(&mut self, level: u32, f: Node, g: Node, step: usize, effects: &[(u32, Effect)]) -> Checked<Node> {
        let done = effects.is_empty();
        if f == EMPTY || g == EMPTY && (done || self.impossible) {
            return Ok(f);
        }
        if done && (g == ALL || f == g && self.follows == Follows::Any) {
            return Ok(EMPTY);
        }
        if level == self.store.levels() {
            return Ok(if self.follows.allows(f, g) { EMPTY } else { f });
        }
        let step = if done { self.moves.steps.len() } else { step };
        if let Some(&known) = self.known[step].get(&(f, g)) {
            return Ok(known);
        }
        keep(1)?;
        work(self.store.pairs(f).len())?;
        let mut pairs = Vec::new();
        for &(value, child) in Rc::clone(&self.store.nodes[f as usize]).iter() {
            let (after, effects) = match effects {
                [(changed, effect), later @ ..] if *changed == level => (effect.after(value), later),
                _ => (Some(value), effects),
            };
            let astray = match after {
                Some(after) => self.astray(level + 1, child, self.store.child(g, after), step, effects)?,
                None if self.impossible => child,
                None => EMPTY,
            };
            pairs.extend((astray != EMPTY).then_some((value, astray)));
        }
        let node = self.store.part(level, f, pairs)?;
        self.known[step].insert((f, g), node);
        Ok(node)
    }

    /// The states of `f` that none of the steps leads to `g`, of those that touch nothing above the level.
    fn all_astray(&mut self, level: u32, f: Node, g: Node, known: &mut Memo<(Node, Node)>) -> Checked<Node> {
        let moves = self.moves;
        let Some(steps) = moves.tops.get(level as usize).filter(|_| f != EMPTY && g != EMPTY) else { return Ok(f) };
        if let Some(&known) = known.get(&(f, g)) {
            return Ok(known);
        }
        keep(1)?;
        let mut pairs = self.store.pairs(f).to_vec();
        work(pairs.len() + steps.len())?;
        for (value, child) in &mut pairs {
            *child = self.all_astray(level + 1, *child, self.store.child(g, *value), known)?;
        }
        let mut node = self.store.part(level, f, pairs)?;
        for &step in steps {
            node = self.astray(level, node, g, step, &moves.steps[step])?;
        }
        known.insert((f, g), node);
        Ok(node)
    }
}
