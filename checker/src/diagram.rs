//! Sets of states as decision diagrams, and the two questions that are asked about steps.
//!
//! A node of level l has pairs (value, child) with ascending values; its children are nodes of level l+1. The children of
//! the last level are *ranks*: a diagram is a map from some states, its set, to numbers. As children, ranks are written as the
//! rank plus one, since 0 is the empty set, wherever it stands. Each node exists once.

use crate::effort::{keep, release, work};
use crate::net::Effect;
use crate::{Checked, refuse};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// The number of a node, or a rank plus one below the last level.
pub type Node = u32;
/// No state at all.
pub const EMPTY: Node = 0;
/// Pairs of nodes that are gathered before those that are there twice are left out.
const FRONT: usize = 1 << 16;
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
pub(crate) struct Quick(u64);

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

/// What is known of nodes.
pub(crate) type Memo<K> = HashMap<K, Node, BuildHasherDefault<Quick>>;
/// Pairs of nodes.
type Seen = HashSet<(Node, Node), BuildHasherDefault<Quick>>;

/// The nodes of a level, by their pairs: a hash table with open addressing.
#[derive(Clone, Debug, Default)]
struct Table {
    /// A power of two of them, or none; 0 is a free one.
    slots: Vec<Node>,
    used: usize,
}

impl Table {
    /// The slot of a node with this hash, or the free one where it belongs.
    fn slot(&self, hash: u64, is_it: impl Fn(Node) -> bool) -> Checked<usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        let mut more = 0;
        while self.slots[at] != EMPTY && !is_it(self.slots[at]) {
            at = (at + 1) & mask;
            more += 1;
        }
        work(more)?;
        Ok(at)
    }
}

fn hash(pairs: &[(u64, Node)]) -> u64 {
    let mut hasher = Quick::default();
    for &(value, child) in pairs {
        hasher.write_u64(value);
        hasher.write_u32(child);
    }
    hasher.finish()
}

/// All nodes.
#[derive(Debug)]
pub struct Store {
    /// The pairs of all nodes, one node after the other, and where those of each end.
    pairs: Vec<(u64, Node)>,
    ends: Vec<usize>,
    /// Is a node the child of several pairs?
    shared: Vec<Parents>,
    /// The nodes of each level.
    numbers: Vec<Table>,
    /// By modulus, the remainders of the ranks in each node as bits, as far as they are known.
    remainders: HashMap<u32, Vec<u64>>,
}

/// Of how many pairs a node is the child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Parents {
    None,
    One,
    Several,
}

impl Store {
    /// A store of diagrams of so many levels.
    pub fn new(levels: u32) -> Store {
        let numbers = vec![Table::default(); levels as usize];
        Store { pairs: Vec::new(), ends: vec![0], shared: vec![Parents::Several], numbers, remainders: HashMap::new() }
    }

    /// How many levels there are.
    pub fn levels(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// How many nodes there are, the empty one among them.
    pub fn nodes(&self) -> usize {
        self.ends.len()
    }

    /// Where the pairs of a node are.
    fn range(&self, node: Node) -> Range<usize> {
        let end = self.ends[node as usize];
        if node == EMPTY { 0..0 } else { self.ends[node as usize - 1]..end }
    }

    /// The pairs of a node.
    pub fn pairs(&self, node: Node) -> &[(u64, Node)] {
        &self.pairs[self.range(node)]
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
        let level = level as usize;
        if 4 * self.numbers[level].used >= 3 * self.numbers[level].slots.len() {
            self.grow(level)?;
        }
        let slot = self.numbers[level].slot(hash(pairs), |node| self.pairs(node) == pairs)?;
        let known = self.numbers[level].slots[slot];
        if known != EMPTY {
            return Ok(known);
        }
        keep(pairs.len() + 3)?;
        let node = self.ends.len() as Node;
        if node > 1 << 31 {
            return refuse("the diagrams are too large");
        }
        self.pairs.extend_from_slice(pairs);
        self.ends.push(self.pairs.len());
        self.shared.push(Parents::None);
        if level + 1 < self.numbers.len() {
            for &(_, child) in pairs {
                let parents = &mut self.shared[child as usize];
                *parents = if *parents == Parents::None { Parents::One } else { Parents::Several };
            }
        }
        let table = &mut self.numbers[level];
        table.slots[slot] = node;
        table.used += 1;
        Ok(node)
    }

    /// Twice as many slots for the nodes of a level.
    fn grow(&mut self, level: usize) -> Checked<()> {
        let size = (2 * self.numbers[level].slots.len()).max(8);
        let old = std::mem::replace(&mut self.numbers[level].slots, vec![EMPTY; size]);
        for node in old.into_iter().filter(|&node| node != EMPTY) {
            let slot = self.numbers[level].slot(hash(self.pairs(node)), |_| false)?;
            self.numbers[level].slots[slot] = node;
        }
        Ok(())
    }

    /// The node with these of the pairs of `f`, or with other children of the same values; those that are empty have been
    /// left out.
    fn part(&mut self, level: u32, f: Node, pairs: &[(u64, Node)]) -> Checked<Node> {
        if pairs == self.pairs(f) { Ok(f) } else { self.node(level, pairs) }
    }

    /// May a pair of nodes be met in more than one way by a walk that meets each pair above it once?
    fn is_met_again(&self, f: Node, g: Node) -> bool {
        let several = |node: Node| node != ALL && self.shared[node as usize] == Parents::Several;
        several(f) || several(g)
    }

    /// May each rank in a diagram be followed by itself?
    fn follows_itself(&mut self, level: u32, f: Node, follows: Follows) -> Checked<bool> {
        match follows {
            Follows::Any => Ok(true),
            Follows::Lower(modulus, same) if same != 0 && modulus <= u64::BITS => {
                Ok(self.remainders(level, f, modulus)? & !same == 0)
            }
            Follows::Lower(..) => Ok(false),
        }
    }

    /// The remainders of the ranks in a diagram, as bits. The modulus is at most 64.
    fn remainders(&mut self, level: u32, f: Node, modulus: u32) -> Checked<u64> {
        if level == self.levels() {
            return Ok(1 << ((f - 1) % modulus));
        }
        let nodes = self.ends.len();
        let known = self.remainders.entry(modulus).or_default();
        if known.len() < nodes {
            keep(nodes - known.len())?;
            known.resize(nodes, 0);
        }
        if known[f as usize] != 0 {
            return Ok(known[f as usize]);
        }
        let mut bits = 0;
        for at in self.range(f) {
            bits |= self.remainders(level + 1, self.pairs[at].1, modulus)?;
        }
        work(self.pairs(f).len())?;
        self.remainders.entry(modulus).or_default()[f as usize] = bits;
        Ok(bits)
    }

    /// The child for a value; empty if there is none.
    fn child(&self, node: Node, value: u64) -> Node {
        if node == ALL {
            return ALL;
        }
        match self.pairs(node) {
            &[(only, child)] => {
                if only == value {
                    child
                } else {
                    EMPTY
                }
            }
            pairs => pairs.binary_search_by_key(&value, |pair| pair.0).map_or(EMPTY, |at| pairs[at].1),
        }
    }

    /// Is the state in the set?
    pub(crate) fn contains(&self, root: Node, state: &[u64]) -> bool {
        state.iter().fold(root, |node, &value| self.child(node, value)) != EMPTY
    }

    /// The states where a sum of levels with factors has a property.
    pub(crate) fn compared(&mut self, f: Node, sum: &HashMap<u32, i64>, holds: &dyn Fn(i128) -> bool) -> Checked<Node> {
        let end = sum.keys().max().map_or(0, |last| last + 1);
        let factors: Vec<i128> = (0..end).map(|level| sum.get(&level).map_or(0, |&factor| factor.into())).collect();
        let mut known = Memo::default();
        let found = self.compared_from(0, f, 0, &factors, holds, &mut known)?;
        release(known.len());
        Ok(found)
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
        pairs.retain(|pair| pair.1 != EMPTY);
        let node = self.part(level, f, &pairs)?;
        known.insert((f, sum), node);
        Ok(node)
    }

    /// The states of the first set that are not in the second.
    pub(crate) fn minus(&mut self, f: Node, g: Node) -> Checked<Node> {
        self.without(f, g, Follows::Any)
    }

    /// The states of the first set that are not in the second with a rank that may follow.
    pub(crate) fn without(&mut self, f: Node, g: Node, follows: Follows) -> Checked<Node> {
        let moves = Moves::default();
        let mut walk = Walk::new(self, &moves, follows);
        let found = walk.astray(0, f, g, 0, &[])?;
        walk.forget();
        Ok(found)
    }

    /// Does each step lead from each state of `f` where it is possible to a state of `g` with a rank that may follow?
    pub(crate) fn all_lead(&mut self, f: Node, g: Node, moves: &Moves, follows: Follows) -> Checked<bool> {
        if f == EMPTY {
            return Ok(true);
        }
        let mut inside = Inside { store: self, follows, seen: Seen::default(), done: Seen::default() };
        // The states are told apart no further than the steps ask for: down to the first level of a step, pairs of
        // nodes that the same values lead to.
        let (mut front, mut kept) = (vec![(f, g)], 0);
        for (level, steps) in moves.tops.iter().enumerate() {
            for &step in steps {
                work(front.len())?;
                for &(f, g) in &front {
                    if !inside.leads(level as u32, f, g, &moves.steps[step])? {
                        return Ok(false);
                    }
                }
                release(inside.seen.len());
                inside.seen.clear();
            }
            let (mut below, mut most) = (Vec::new(), FRONT);
            for (f, g) in front {
                let pairs = inside.store.pairs(f);
                work(pairs.len())?;
                below.extend(pairs.iter().map(|&(value, child)| (child, inside.store.child(g, value))));
                if below.len() > most {
                    below.sort_unstable();
                    below.dedup();
                    most = 2 * below.len().max(FRONT);
                }
            }
            below.sort_unstable();
            below.dedup();
            release(kept);
            kept = below.len();
            keep(kept)?;
            front = below;
        }
        release(kept);
        release(inside.done.len());
        Ok(true)
    }

    /// The states of `f` from which none of the steps leads to `g` with a rank that may follow.
    pub(crate) fn none_leads(&mut self, f: Node, g: Node, moves: &Moves, follows: Follows) -> Checked<Node> {
        let (mut walk, mut known) = (Walk::new(self, moves, follows), Memo::default());
        let found = walk.all_astray(0, f, g, &mut known)?;
        release(known.len());
        walk.forget();
        Ok(found)
    }
}

/// Whether steps stay inside of a set.
struct Inside<'a> {
    store: &'a mut Store,
    follows: Follows,
    /// Pairs of nodes between which the step leads, and pairs of which the first is part of the second.
    seen: Seen,
    done: Seen,
}

impl Inside<'_> {
    /// Does a step, of which these effects are left, lead from each state of `f` where it is possible to one of `g` with a
    /// rank that may follow? `f` is not empty.
    fn leads(&mut self, level: u32, f: Node, g: Node, effects: &[(u32, Effect)]) -> Checked<bool> {
        let [(changed, effect), later @ ..] = effects else { return self.is_part(level, f, g, true) };
        if self.store.is_met_again(f, g) {
            if !self.seen.insert((f, g)) {
                return Ok(true);
            }
            keep(1)?;
        }
        work(self.store.pairs(f).len())?;
        for at in self.store.range(f) {
            let (value, child) = self.store.pairs[at];
            let (after, effects) =
                if *changed == level { (effect.after(value), later) } else { (Some(value), effects) };
            let Some(after) = after else { continue };
            if !self.leads(level + 1, child, self.store.child(g, after), effects)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is each state of `f` one of `g`, with a rank that may follow? From a step that has done all it does there may be
    /// other ways to the same pair.
    fn is_part(&mut self, level: u32, f: Node, g: Node, of_step: bool) -> Checked<bool> {
        if g == EMPTY {
            return Ok(false);
        }
        if level == self.store.levels() {
            return Ok(self.follows.allows(f, g));
        }
        if f == g && self.store.follows_itself(level, f, self.follows)? {
            return Ok(true);
        }
        if of_step || self.store.is_met_again(f, g) {
            if !self.done.insert((f, g)) {
                return Ok(true);
            }
            keep(1)?;
        }
        work(self.store.pairs(f).len())?;
        for at in self.store.range(f) {
            let (value, child) = self.store.pairs[at];
            if !self.is_part(level + 1, child, self.store.child(g, value), false)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Where steps lead from one set to another.
struct Walk<'a> {
    store: &'a mut Store,
    moves: &'a Moves,
    follows: Follows,
    /// What [`Walk::astray`] has found for each step; the last is for what is left of steps that have done all they do.
    known: Vec<Memo<(Node, Node)>>,
    /// Pairs of the nodes that are being made.
    pairs: Vec<(u64, Node)>,
}

impl<'a> Walk<'a> {
    fn new(store: &'a mut Store, moves: &'a Moves, follows: Follows) -> Self {
        Walk { store, moves, follows, known: vec![Memo::default(); moves.steps.len() + 1], pairs: Vec::new() }
    }

    /// What is known is not kept any more.
    fn forget(self) {
        release(self.known.iter().map(HashMap::len).sum());
    }

    /// The states of `f` where a step, of which these effects are left, is not possible, or does not lead to `g` with a rank
    /// that may follow.
    fn astray(&mut self, level: u32, f: Node, g: Node, step: usize, effects: &[(u32, Effect)]) -> Checked<Node> {
        let done = effects.is_empty();
        if f == EMPTY || g == EMPTY {
            return Ok(f);
        }
        if done && g == ALL {
            return Ok(EMPTY);
        }
        if level == self.store.levels() {
            return Ok(if self.follows.allows(f, g) { EMPTY } else { f });
        }
        if done && f == g && self.store.follows_itself(level, f, self.follows)? {
            return Ok(EMPTY);
        }
        let step = if done { self.moves.steps.len() } else { step };
        if let Some(&known) = self.known[step].get(&(f, g)) {
            return Ok(known);
        }
        keep(1)?;
        work(self.store.pairs(f).len())?;
        let first = self.pairs.len();
        for at in self.store.range(f) {
            let (value, child) = self.store.pairs[at];
            let (after, effects) = match effects {
                [(changed, effect), later @ ..] if *changed == level => (effect.after(value), later),
                _ => (Some(value), effects),
            };
            let astray = match after {
                Some(after) => self.astray(level + 1, child, self.store.child(g, after), step, effects)?,
                None => child,
            };
            if astray != EMPTY {
                self.pairs.push((value, astray));
            }
        }
        let node = self.store.part(level, f, &self.pairs[first..])?;
        self.pairs.truncate(first);
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
        work(self.store.pairs(f).len() + steps.len())?;
        let first = self.pairs.len();
        for at in self.store.range(f) {
            let (value, child) = self.store.pairs[at];
            let astray = self.all_astray(level + 1, child, self.store.child(g, value), known)?;
            if astray != EMPTY {
                self.pairs.push((value, astray));
            }
        }
        let mut node = self.store.part(level, f, &self.pairs[first..])?;
        self.pairs.truncate(first);
        for &step in steps {
            node = self.astray(level, node, g, step, &moves.steps[step])?;
        }
        known.insert((f, g), node);
        Ok(node)
    }
}
