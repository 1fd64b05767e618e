//! Sets of states as decision diagrams, and the two questions that are asked about steps.
//!
//! A node of level l has pairs (value, child) with ascending values; its children are nodes of level l+1. The children of
//! the last level are *ranks*: a diagram is a map from some states, its set, to numbers. As children, ranks are written as the
//! rank plus one, since 0 is the empty set, wherever it stands. Each node exists once.

use crate::net::Effect;
use crate::{Checked, refuse};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// The number of a node, or a rank plus one below the last level.
pub type Node = u32;
/// No state at all.
pub const EMPTY: Node = 0;
/// All states, as the aim of steps.
pub(crate) const ALL: Node = u32::MAX;

/// A hasher for small keys.
#[derive(Default)]
pub struct Quick(u64);

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

type Memo<K> = HashMap<K, Node, BuildHasherDefault<Quick>>;
type Seen<K> = HashSet<K, BuildHasherDefault<Quick>>;

/// The steps of a model on the levels of the diagrams.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    /// What a step does to levels, ascending.
    pub(crate) steps: Vec<Vec<(u32, Effect)>>,
    /// By level, the steps whose first level it is.
    tops: Vec<Vec<usize>>,
    /// Steps that touch none of the levels.
    idle: bool,
}

impl Moves {
    pub(crate) fn new(levels: u32, steps: Vec<Vec<(u32, Effect)>>) -> Moves {
        let mut tops = vec![Vec::new(); levels as usize];
        let mut idle = false;
        for (number, step) in steps.iter().enumerate() {
            match step.first() {
                Some((level, _)) => tops[*level as usize].push(number),
                None => idle = true,
            }
        }
        Moves { steps, tops, idle }
    }
}

/// Which rank may follow which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Follows {
    /// Any.
    Any,
    /// A lower one.
    Lower,
    /// A lower one, or the same if its remainder modulo the first number is below the second and not among these bits.
    Layer(u32, u32, u64),
}

impl Follows {
    /// Ranks are given plus one.
    fn allows(self, from: Node, to: Node) -> bool {
        match self {
            Follows::Any => true,
            Follows::Lower => to < from,
            Follows::Layer(modulus, proper, marks) => {
                let class = (from - 1) % modulus;
                to < from || to == from && class < proper && marks >> class & 1 == 0
            }
        }
    }
}

/// All nodes.
#[derive(Debug, Default)]
pub struct Store {
    levels: u32,
    /// Level and first pair of each node; the pairs of a node end where those of the next begin.
    nodes: Vec<(u32, usize)>,
    pairs: Vec<(u64, Node)>,
    /// Numbers of nodes by hash; 0 where there is none.
    table: Vec<Node>,
}

impl Store {
    /// A store of diagrams of so many levels.
    pub fn new(levels: u32) -> Store {
        Store { levels, nodes: vec![(u32::MAX, 0), (u32::MAX, 0)], pairs: Vec::new(), table: vec![EMPTY; 1024] }
    }

    /// How many levels there are.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// The pairs of a node.
    pub fn pairs(&self, node: Node) -> &[(u64, Node)] {
        let at = node as usize;
        if node == EMPTY { &[] } else { &self.pairs[self.nodes[at].1..self.nodes[at + 1].1] }
    }

    /// The node with these pairs, whose values ascend and whose children are not empty.
    ///
    /// # Errors
    /// With more than 2^31 nodes.
    pub fn node(&mut self, level: u32, pairs: &[(u64, Node)]) -> Checked<Node> {
        if pairs.is_empty() {
            return Ok(EMPTY);
        }
        if self.nodes.len() * 2 > self.table.len() {
            let mut table = vec![EMPTY; self.table.len() * 4];
            for node in 1..self.nodes.len() as u32 - 1 {
                let mut slot = Self::hash(self.nodes[node as usize].0, self.pairs(node)) as usize % table.len();
                while table[slot] != EMPTY {
                    slot = (slot + 1) % table.len();
                }
                table[slot] = node;
            }
            self.table = table;
        }
        let mut slot = Self::hash(level, pairs) as usize % self.table.len();
        loop {
            let node = self.table[slot];
            if node == EMPTY {
                break;
            }
            if self.nodes[node as usize].0 == level && self.pairs(node) == pairs {
                return Ok(node);
            }
            slot = (slot + 1) % self.table.len();
        }
        let node = self.nodes.len() as u32 - 1;
        if node > 1 << 31 {
            return refuse("the diagrams are too large");
        }
        self.table[slot] = node;
        self.nodes[node as usize].0 = level;
        self.pairs.extend_from_slice(pairs);
        self.nodes.push((u32::MAX, self.pairs.len()));
        Ok(node)
    }

    fn hash(level: u32, pairs: &[(u64, Node)]) -> u64 {
        let mut hasher = Quick(level.into());
        for &(value, child) in pairs {
            hasher.write_u64(value);
            hasher.write_u32(child);
        }
        hasher.finish()
    }

    /// The child for a value; empty if there is none.
    pub fn child(&self, node: Node, value: u64) -> Node {
        if node == ALL {
            return ALL;
        }
        let pairs = self.pairs(node);
        pairs.binary_search_by_key(&value, |pair| pair.0).map_or(EMPTY, |at| pairs[at].1)
    }

    /// Is the state in the set?
    pub fn contains(&self, root: Node, state: &[u64]) -> bool {
        state.iter().fold(root, |node, &value| self.child(node, value)) != EMPTY
    }

    /// The remainders modulo a number of the ranks in a diagram, as bits.
    pub(crate) fn remainders(&self, root: Node, modulus: u32) -> u64 {
        let (mut seen, mut found, mut stack) = (Seen::default(), 0, vec![root]);
        while let Some(node) = stack.pop().filter(|_| self.levels > 0) {
            let last = self.nodes[node as usize].0 + 1 == self.levels;
            for &(_, child) in self.pairs(node) {
                if last {
                    found |= 1 << ((child - 1) % modulus);
                } else if seen.insert(child) {
                    stack.push(child);
                }
            }
        }
        found
    }

    /// The map with these values of each node, some of them left out.
    fn rebuilt(&mut self, level: u32, mut pairs: Vec<(u64, Node)>) -> Checked<Node> {
        pairs.retain(|pair| pair.1 != EMPTY);
        self.node(level, &pairs)
    }

    /// The states of the first set that are not in the second.
    pub(crate) fn minus(&mut self, f: Node, g: Node) -> Checked<Node> {
        self.without(f, g, Follows::Any)
    }

    /// The states of the first set that are not in the second with a rank that may follow.
    pub(crate) fn without(&mut self, f: Node, g: Node, follows: Follows) -> Checked<Node> {
        self.rest(0, f, g, follows, &mut Memo::default())
    }

    fn rest(&mut self, level: u32, f: Node, g: Node, follows: Follows, memo: &mut Memo<(Node, Node)>) -> Checked<Node> {
        if f == EMPTY || g == EMPTY || g == ALL {
            return Ok(if g == ALL { EMPTY } else { f });
        }
        if level == self.levels {
            return Ok(if follows.allows(f, g) { EMPTY } else { f });
        }
        if f == g && follows == Follows::Any {
            return Ok(EMPTY);
        }
        if let Some(&known) = memo.get(&(f, g)) {
            return Ok(known);
        }
        let mut pairs = self.pairs(f).to_vec();
        for (value, child) in &mut pairs {
            *child = self.rest(level + 1, *child, self.child(g, *value), follows, memo)?;
        }
        let node = self.rebuilt(level, pairs)?;
        memo.insert((f, g), node);
        Ok(node)
    }

    /// The states where a sum (a factor for each level) compares with a number.
    pub(crate) fn compared(&mut self, root: Node, factors: &[i64], holds: &dyn Fn(i128) -> bool) -> Checked<Node> {
        let last = factors.iter().rposition(|&factor| factor != 0).map_or(0, |at| at + 1);
        self.compared_at(0, root, 0, (factors, last, holds), &mut Memo::default())
    }

    fn compared_at(
        &mut self,
        level: u32,
        f: Node,
        sum: i128,
        how: (&[i64], usize, &dyn Fn(i128) -> bool),
        memo: &mut Memo<(Node, u64, u64)>,
    ) -> Checked<Node> {
        let (factors, last, holds) = how;
        if f == EMPTY || level as usize >= last {
            return Ok(if holds(sum) { f } else { EMPTY });
        }
        let key = (f, sum as u64, (sum >> 64) as u64);
        if let Some(&known) = memo.get(&key) {
            return Ok(known);
        }
        let factor = i128::from(factors[level as usize]);
        let mut pairs = self.pairs(f).to_vec();
        for (value, child) in &mut pairs {
            *child = self.compared_at(level + 1, *child, sum + factor * i128::from(*value), how, memo)?;
        }
        let node = self.rebuilt(level, pairs)?;
        memo.insert(key, node);
        Ok(node)
    }

    /// Does each step lead from each state of `f` where it is possible to a state of `g` with a rank that may follow?
    pub(crate) fn all_lead(&self, f: Node, g: Node, moves: &Moves, follows: Follows, equal: bool) -> bool {
        // The states are told apart no further than the steps ask for: down to the first level of a step, pairs of
        // nodes that the same values lead to.
        let mut walk =
            Walk { store: self, moves, follows, equal, within: Seen::default(), step: Seen::default(), now: 0 };
        if moves.idle && !walk.within(0, f, g) {
            return false;
        }
        let deepest = moves.tops.iter().rposition(|tops| !tops.is_empty()).map_or(0, |at| at + 1);
        let mut front = Seen::from_iter([(f, g)]);
        for level in 0..deepest as u32 {
            for &step in &moves.tops[level as usize] {
                walk.now = step;
                walk.step = Seen::default();
                if !front.iter().all(|&(f, g)| walk.lead(level, f, g, 0)) {
                    return false;
                }
            }
            let mut below = Seen::default();
            for (f, g) in front {
                below.extend(self.pairs(f).iter().map(|&(value, child)| (child, self.child(g, value))));
            }
            front = below;
        }
        true
    }

    /// Is each state of `f` in `g`, with a rank that may follow?
    pub(crate) fn all_within(&self, f: Node, g: Node, follows: Follows, equal: bool) -> bool {
        let moves = Moves::default();
        let (within, step) = (Seen::default(), Seen::default());
        Walk { store: self, moves: &moves, follows, equal, within, step, now: 0 }.within(0, f, g)
    }

    /// The states of `f` from which none of the steps leads to `g` with a rank that may follow.
    pub(crate) fn none_leads(&mut self, f: Node, g: Node, moves: &Moves, follows: Follows) -> Checked<Node> {
        let deepest = moves.tops.iter().rposition(|tops| !tops.is_empty()).map_or(0, |at| at as u32 + 1);
        let mut rest = Memo::default();
        let f = if moves.idle { self.rest(0, f, g, follows, &mut rest)? } else { f };
        let mut memos = Memos { moves, follows, deepest, pair: Memo::default(), step: Memo::default(), rest };
        self.none_at(0, f, g, &mut memos)
    }

    fn none_at(&mut self, level: u32, f: Node, g: Node, memos: &mut Memos<'_>) -> Checked<Node> {
        if f == EMPTY || g == EMPTY || level == memos.deepest {
            return Ok(f);
        }
        if let Some(&known) = memos.pair.get(&(f, g)) {
            return Ok(known);
        }
        let mut pairs = self.pairs(f).to_vec();
        for (value, child) in &mut pairs {
            *child = self.none_at(level + 1, *child, self.child(g, *value), memos)?;
        }
        let moves = memos.moves;
        for &step in &moves.tops[level as usize] {
            let effect = &moves.steps[step][0].1;
            for (value, child) in pairs.iter_mut().filter(|pair| pair.1 != EMPTY) {
                if let Some(after) = effect.after(*value) {
                    *child = self.left(level + 1, *child, self.child(g, after), (step, 1), memos)?;
                }
            }
        }
        let node = self.rebuilt(level, pairs)?;
        memos.pair.insert((f, g), node);
        Ok(node)
    }

    /// The states of `f` from which the rest of a step does not lead to `g`.
    fn left(&mut self, level: u32, f: Node, g: Node, rest: (usize, usize), memos: &mut Memos<'_>) -> Checked<Node> {
        let (step, at) = rest;
        if f == EMPTY || g == EMPTY {
            return Ok(f);
        }
        let moves = memos.moves;
        let Some((changed, effect)) = moves.steps[step].get(at) else {
            return self.rest(level, f, g, memos.follows, &mut memos.rest);
        };
        let key = (f, g, step as u32);
        if let Some(&known) = memos.step.get(&key) {
            return Ok(known);
        }
        let mut pairs = self.pairs(f).to_vec();
        for (value, child) in &mut pairs {
            if *changed > level {
                *child = self.left(level + 1, *child, self.child(g, *value), rest, memos)?;
            } else if let Some(after) = effect.after(*value) {
                *child = self.left(level + 1, *child, self.child(g, after), (step, at + 1), memos)?;
            }
        }
        let node = self.rebuilt(level, pairs)?;
        memos.step.insert(key, node);
        Ok(node)
    }
}

/// What is known while [`Store::none_leads`] works.
struct Memos<'a> {
    moves: &'a Moves,
    follows: Follows,
    /// Below this level no step begins.
    deepest: u32,
    pair: Memo<(Node, Node)>,
    step: Memo<(Node, Node, u32)>,
    rest: Memo<(Node, Node)>,
}

/// What is known while [`Store::all_lead`] works: pairs for which the answer is yes.
struct Walk<'a> {
    store: &'a Store,
    moves: &'a Moves,
    follows: Follows,
    /// May each rank in the diagrams follow itself?
    equal: bool,
    within: Seen<(Node, Node)>,
    step: Seen<(Node, Node)>,
    now: usize,
}

impl Walk<'_> {
    fn within(&mut self, level: u32, f: Node, g: Node) -> bool {
        if f == EMPTY || g == EMPTY || level == self.store.levels {
            return f == EMPTY || g != EMPTY && self.follows.allows(f, g);
        }
        if self.equal && f == g || self.within.contains(&(f, g)) {
            return true;
        }
        let store = self.store;
        let yes = store.pairs(f).iter().all(|&(value, child)| self.within(level + 1, child, store.child(g, value)));
        if yes {
            self.within.insert((f, g));
        }
        yes
    }

    /// Does the rest of the step lead from `f` into `g`?
    fn lead(&mut self, level: u32, f: Node, g: Node, at: usize) -> bool {
        let moves = self.moves;
        let Some((changed, effect)) = moves.steps[self.now].get(at) else {
            return self.within(level, f, g);
        };
        if f == EMPTY || self.step.contains(&(f, g)) {
            return true;
        }
        let store = self.store;
        let yes = store.pairs(f).iter().all(|&(value, child)| {
            if *changed > level {
                return self.lead(level + 1, child, store.child(g, value), at);
            }
            effect.after(value).is_none_or(|after| self.lead(level + 1, child, store.child(g, after), at + 1))
        });
        if yes {
            self.step.insert((f, g));
        }
        yes
    }
}
