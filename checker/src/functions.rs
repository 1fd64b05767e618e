//! Functions of bits as binary decision diagrams with values as leaves, each function once.
//!
//! Bits have levels, and a node tests one of its level; its children test later ones. Truth values are leaves as well, so
//! that a condition is a function with these two alone. Where an expression has no value the leaf says why.
//!
//! Bryant 1986; Burch, Clarke, Long 1991 for quantification within conjunctions.

use crate::diagram::{Memo, Quick};
use crate::effort::{keep, release, work};
use crate::smv::Value;
use crate::{Checked, refuse};
use std::collections::{BTreeSet, HashSet};
use std::hash::BuildHasherDefault;

/// The number of a node, or of a leaf.
pub(crate) type Function = u32;

/// Leaves have numbers from here on.
const LEAVES: u32 = 1 << 31;
/// The condition that never holds.
pub(crate) const FALSE: Function = LEAVES;
/// The condition that always holds.
pub(crate) const TRUE: Function = LEAVES + 1;

/// What a function may be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Leaf {
    Value(Value),
    /// The rank of a state in a set.
    Rank(u32),
    /// Nothing, for this reason.
    Lack(&'static str),
}

/// What is made of the values of two functions.
type Combine<'f> = dyn Fn(&Leaf, &Leaf) -> Leaf + 'f;
/// An operation with its operands.
type Key = (u32, Function, Function, Function);
/// A node: its level, and its children for the two values of the bit.
type Node = (u32, Function, Function);

/// Places for results of operations, as many as there are for nodes within these bounds: others are forgotten.
const RESULTS: (usize, usize) = (1 << 12, 1 << 20);
/// Why an operator of conditions has no value.
const NO_CONDITION: &str = "a condition is no truth value";
const NO_KEY: Key = (u32::MAX, 0, 0, 0);
const AND: u32 = 0;
const CHOICE: u32 = 1;
const MEET: u32 = 2;
const OR: u32 = 3;
const UNION: u32 = 4;

/// All functions.
pub(crate) struct Functions {
    nodes: Vec<Node>,
    /// The numbers of the nodes by their hashes, or `NONE`: a power of two of places, half of them free.
    numbers: Vec<u32>,
    leaves: Vec<Leaf>,
    leaf_numbers: Memo<Leaf>,
    results: Vec<(Key, Function)>,
}

const NONE: u32 = u32::MAX;
/// So many entries of a table, looked at in a row, are a step of work, and so many bits.
const IN_A_ROW: (usize, usize) = (1 << 6, 1 << 14);

/// The places for results where there are so many nodes.
fn room_for(nodes: usize) -> usize {
    (2 * nodes).next_power_of_two().clamp(RESULTS.0, RESULTS.1)
}

fn mixed(words: [u32; 4]) -> usize {
    let [a, b, c, d] = words.map(u64::from);
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = mix(mix(0, a << 32 | b), c << 32 | d);
    (hash ^ (hash >> 32)) as usize
}

impl Functions {
    pub(crate) fn new() -> Functions {
        let mut empty = Functions {
            nodes: Vec::new(),
            numbers: vec![NONE; 1 << 10],
            leaves: Vec::new(),
            leaf_numbers: Memo::default(),
            results: vec![(NO_KEY, 0); RESULTS.0],
        };
        for value in [false, true] {
            empty.leaf(Leaf::Value(Value::Bool(value)));
        }
        empty
    }

    /// A constant.
    pub(crate) fn leaf(&mut self, leaf: Leaf) -> Function {
        if let Some(&known) = self.leaf_numbers.get(&leaf) {
            return known;
        }
        let number = LEAVES + self.leaves.len() as u32;
        self.leaves.push(leaf.clone());
        self.leaf_numbers.insert(leaf, number);
        number
    }

    pub(crate) fn as_leaf(&self, f: Function) -> Option<&Leaf> {
        f.checked_sub(LEAVES).map(|number| &self.leaves[number as usize])
    }

    /// Its first child, unless it is a leaf.
    pub(crate) fn low(&self, f: Function) -> Option<Function> {
        self.nodes.get(f as usize).map(|node| node.1)
    }

    fn level(&self, f: Function) -> u32 {
        self.nodes.get(f as usize).map_or(u32::MAX, |node| node.0)
    }

    /// The children of a function for the two values of a level that is not below its own.
    fn children(&self, f: Function, level: u32) -> [Function; 2] {
        match self.nodes.get(f as usize) {
            Some(&(own, low, high)) if own == level => [low, high],
            _ => [f, f],
        }
    }

    /// The function that is one or the other of two by the bit of a level above theirs.
    pub(crate) fn node(&mut self, level: u32, low: Function, high: Function) -> Checked<Function> {
        if low == high {
            return Ok(low);
        }
        debug_assert!(self.level(low).min(self.level(high)) > level, "levels ascend");
        let node = (level, low, high);
        let mut place = self.place(node);
        loop {
            match self.nodes.get(self.numbers[place] as usize) {
                Some(known) if *known == node => return Ok(self.numbers[place]),
                Some(_) => place = (place + 1) & (self.numbers.len() - 1),
                None => break,
            }
        }
        keep(1)?;
        let number = self.nodes.len() as u32;
        if number >= LEAVES {
            return refuse("the diagrams are too large");
        }
        self.nodes.push(node);
        self.numbers[place] = number;
        if self.nodes.len() * 2 > self.numbers.len() {
            self.index(self.numbers.len() * 2);
        }
        if self.results.len() < room_for(self.nodes.len()) {
            self.make_room(2 * self.results.len());
        }
        Ok(number)
    }

    /// The function that is one or the other of two by the bit of a level, wherever theirs are.
    pub(crate) fn either(&mut self, level: u32, low: Function, high: Function) -> Checked<Function> {
        if self.level(low).min(self.level(high)) > level {
            return self.node(level, low, high);
        }
        let bit = self.node(level, FALSE, TRUE)?;
        self.choice(bit, high, low)
    }

    fn place(&self, (level, low, high): Node) -> usize {
        mixed([level, low, high, 0]) & (self.numbers.len() - 1)
    }

    /// So many places for the numbers of nodes. They are found as if they had been made one after the other.
    fn index(&mut self, places: usize) {
        self.numbers.clear();
        self.numbers.resize(places, NONE);
        for number in 0..self.nodes.len() {
            let mut place = self.place(self.nodes[number]);
            while self.numbers[place] != NONE {
                place = (place + 1) & (places - 1);
            }
            self.numbers[place] = number as u32;
        }
    }

    /// So many places for results.
    fn make_room(&mut self, places: usize) {
        let before = std::mem::replace(&mut self.results, vec![(NO_KEY, 0); places]);
        before.into_iter().filter(|(key, _)| *key != NO_KEY).for_each(|(key, result)| self.remember(key, result));
    }

    /// Is it a leaf, or a node that was there when there were so many?
    pub(crate) fn is_older(&self, f: Function, count: usize) -> bool {
        f >= LEAVES || (f as usize) < count
    }

    /// How many nodes there are.
    pub(crate) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Forget the nodes that were made since there were so many, but for those of some functions, which get new numbers.
    pub(crate) fn forget(&mut self, count: usize, kept: &mut [&mut Function]) -> Checked<()> {
        if self.nodes.len() == count {
            return Ok(());
        }
        work((self.results.len() + count) / IN_A_ROW.0)?;
        let mut needed: HashSet<Function, BuildHasherDefault<Quick>> = HashSet::default();
        let mut open: Vec<Function> = kept.iter().map(|f| **f).collect();
        while let Some(f) = open.pop() {
            if f < LEAVES && f as usize >= count && needed.insert(f) {
                work(1)?;
                open.extend([self.nodes[f as usize].1, self.nodes[f as usize].2]);
            }
        }
        let mut late: Vec<(Function, Node)> = needed.into_iter().map(|f| (f, self.nodes[f as usize])).collect();
        late.sort_unstable();
        let gone = self.nodes.len() - count;
        release(gone);
        if gone <= count {
            // The last one first: no other was looked for beyond its place before it was there.
            for number in (count..self.nodes.len()).rev() {
                let mut place = self.place(self.nodes[number]);
                while self.numbers[place] as usize != number {
                    place = (place + 1) & (self.numbers.len() - 1);
                }
                self.numbers[place] = NONE;
            }
            self.nodes.truncate(count);
        } else {
            self.nodes.truncate(count);
            self.index((2 * count).next_power_of_two().max(1 << 10));
        }
        let stays = |&((_, a, b, c), result): &(Key, Function)| {
            [a, b, c, result].into_iter().all(|f| f >= LEAVES || (f as usize) < count)
        };
        self.results.iter_mut().filter(|result| !stays(result)).for_each(|result| *result = (NO_KEY, 0));
        if self.results.len() != room_for(count) {
            self.make_room(room_for(count));
        }
        // Children are older than what they are children of.
        let mut now: Memo<Function> = Memo::default();
        for (number, (level, low, high)) in late {
            let [low, high] = [low, high].map(|child| now.get(&child).copied().unwrap_or(child));
            let node = self.node(level, low, high)?;
            now.insert(number, node);
        }
        kept.iter_mut().for_each(|f| **f = now.get(&**f).copied().unwrap_or(**f));
        Ok(())
    }

    /// A result that is remembered, or that of both children put together.
    #[inline]
    fn by_children(
        &mut self,
        operation: u32,
        operands: [Function; 3],
        of: impl Fn(&mut Self, [Function; 3]) -> Checked<Function>,
    ) -> Checked<Function> {
        let key = (operation, operands[0], operands[1], operands[2]);
        if let Some(known) = self.known(key) {
            return Ok(known);
        }
        work(1)?;
        let level = operands.iter().map(|&f| self.level(f)).min().unwrap_or(u32::MAX);
        let [a, b, c] = operands.map(|f| self.children(f, level));
        let low = of(self, [a[0], b[0], c[0]])?;
        let high = of(self, [a[1], b[1], c[1]])?;
        let result = self.node(level, low, high)?;
        self.remember(key, result);
        Ok(result)
    }

    fn known(&self, key: Key) -> Option<Function> {
        let (known, result) = self.results[self.place_of(key)];
        (known == key).then_some(result)
    }

    fn remember(&mut self, key: Key, result: Function) {
        let at = self.place_of(key);
        self.results[at] = (key, result);
    }

    fn place_of(&self, (operation, a, b, c): Key) -> usize {
        mixed([operation, a, b, c]) & (self.results.len() - 1)
    }

    /// Forget all results of operations, with room for those of so many nodes.
    pub(crate) fn forget_results(&mut self, nodes: usize) {
        self.results.clear();
        self.results.resize(room_for(nodes), (NO_KEY, 0));
    }

    /// Conjunction of conditions. What has no value beside false is false.
    pub(crate) fn and(&mut self, a: Function, b: Function) -> Checked<Function> {
        let (a, b) = (a.min(b), a.max(b));
        if a == FALSE || b == FALSE {
            return Ok(FALSE);
        }
        if a == TRUE || a == b {
            return Ok(b);
        }
        if b == TRUE {
            return Ok(a);
        }
        if a >= LEAVES && b >= LEAVES {
            return Ok(self.leaf(Leaf::Lack(NO_CONDITION)));
        }
        self.by_children(AND, [a, b, b], |all, [a, b, _]| all.and(a, b))
    }

    /// The second where the first holds, the third where it does not.
    pub(crate) fn choice(&mut self, condition: Function, yes: Function, no: Function) -> Checked<Function> {
        match self.as_leaf(condition) {
            Some(Leaf::Value(Value::Bool(holds))) => return Ok(if *holds { yes } else { no }),
            Some(Leaf::Lack(_)) => return Ok(condition),
            Some(_) => return Ok(self.leaf(Leaf::Lack(NO_CONDITION))),
            None if (yes, no) == (TRUE, FALSE) => return Ok(condition),
            None => {}
        }
        self.by_children(CHOICE, [condition, yes, no], |all, [c, a, b]| all.choice(c, a, b))
    }

    pub(crate) fn not(&mut self, condition: Function) -> Checked<Function> {
        self.choice(condition, FALSE, TRUE)
    }

    /// Disjunction of conditions. What has no value beside true is true; other values than truth values have none.
    pub(crate) fn or(&mut self, a: Function, b: Function) -> Checked<Function> {
        let (a, b) = (a.min(b), a.max(b));
        if a == TRUE || b == TRUE {
            return Ok(TRUE);
        }
        if a >= LEAVES && b >= LEAVES {
            return Ok(if (a, b) == (FALSE, FALSE) { FALSE } else { self.leaf(Leaf::Lack(NO_CONDITION)) });
        }
        self.by_children(OR, [a, b, b], |all, [a, b, _]| all.or(a, b))
    }

    /// The same of two functions that are truth values everywhere.
    fn union(&mut self, a: Function, b: Function) -> Checked<Function> {
        let (a, b) = (a.min(b), a.max(b));
        if a == TRUE || b == TRUE {
            return Ok(TRUE);
        }
        if a == FALSE || a == b {
            return Ok(b);
        }
        if b == FALSE {
            return Ok(a);
        }
        if a >= LEAVES && b >= LEAVES {
            return Ok(self.leaf(Leaf::Lack(NO_CONDITION)));
        }
        self.by_children(UNION, [a, b, b], |all, [a, b, _]| all.union(a, b))
    }

    /// The states of the first set that are not in the second.
    pub(crate) fn without(&mut self, a: Function, b: Function) -> Checked<Function> {
        let not = self.not(b)?;
        self.and(a, not)
    }

    /// Is there a value of some bits with which both conditions hold? The bits are the levels of a conjunction of them.
    pub(crate) fn meet(&mut self, a: Function, b: Function, mut bits: Function) -> Checked<Function> {
        if a == FALSE || b == FALSE {
            return Ok(FALSE);
        }
        let level = self.level(a).min(self.level(b));
        while let Some(&(_, _, below)) = self.nodes.get(bits as usize).filter(|node| node.0 < level) {
            bits = below;
        }
        if bits == TRUE || a >= LEAVES && b >= LEAVES {
            return self.and(a, b);
        }
        let (a, b) = (a.min(b), a.max(b));
        if self.level(bits) > level {
            return self.by_children(MEET, [a, b, bits], |all, [a, b, _]| all.meet(a, b, bits));
        }
        let key = (MEET, a, b, bits);
        if let Some(known) = self.known(key) {
            return Ok(known);
        }
        work(1)?;
        let ([a0, a1], [b0, b1]) = (self.children(a, level), self.children(b, level));
        let below = self.nodes[bits as usize].2;
        let low = self.meet(a0, b0, below)?;
        let result = match low {
            TRUE => TRUE,
            _ => {
                let high = self.meet(a1, b1, below)?;
                self.union(low, high)?
            }
        };
        self.remember(key, result);
        Ok(result)
    }

    /// The conjunction of the bits of some levels.
    pub(crate) fn bits(&mut self, levels: &BTreeSet<u32>) -> Checked<Function> {
        levels.iter().rev().try_fold(TRUE, |below, &level| self.node(level, FALSE, below))
    }

    /// A function of the values of two others.
    pub(crate) fn combine(&mut self, a: Function, b: Function, with: &Combine<'_>) -> Checked<Function> {
        let mut known = Memo::default();
        let result = self.combined(a, b, with, &mut known);
        release(known.len());
        result
    }

    fn combined(
        &mut self,
        a: Function,
        b: Function,
        with: &Combine<'_>,
        known: &mut Memo<(Function, Function)>,
    ) -> Checked<Function> {
        if let (Some(a), Some(b)) = (self.as_leaf(a), self.as_leaf(b)) {
            let leaf = match (a, b) {
                (Leaf::Lack(_), _) => a.clone(),
                (_, Leaf::Lack(_)) => b.clone(),
                _ => with(a, b),
            };
            return Ok(self.leaf(leaf));
        }
        if let Some(&known) = known.get(&(a, b)) {
            return Ok(known);
        }
        keep(1)?;
        let level = self.level(a).min(self.level(b));
        let ([a0, a1], [b0, b1]) = (self.children(a, level), self.children(b, level));
        let low = self.combined(a0, b0, with, known)?;
        let high = self.combined(a1, b1, with, known)?;
        let result = self.node(level, low, high)?;
        known.insert((a, b), result);
        Ok(result)
    }

    /// A function of the value of another.
    pub(crate) fn map(&mut self, f: Function, with: &dyn Fn(&Leaf) -> Leaf) -> Checked<Function> {
        self.combine(f, f, &|leaf, _| with(leaf))
    }

    /// Functions of later levels in place of the leaves; levels become others in the same order.
    pub(crate) fn graft(
        &mut self,
        f: Function,
        level_of: &dyn Fn(u32) -> u32,
        leaf_of: &mut dyn FnMut(&mut Self, Function) -> Checked<Function>,
    ) -> Checked<Function> {
        let mut known = Memo::default();
        let result = self.grafted(f, level_of, leaf_of, &mut known);
        release(known.len());
        result
    }

    fn grafted(
        &mut self,
        f: Function,
        level_of: &dyn Fn(u32) -> u32,
        leaf_of: &mut dyn FnMut(&mut Self, Function) -> Checked<Function>,
        known: &mut Memo<Function>,
    ) -> Checked<Function> {
        if let Some(&known) = known.get(&f) {
            return Ok(known);
        }
        keep(1)?;
        let grafted = match self.nodes.get(f as usize) {
            None => leaf_of(self, f)?,
            Some(&(level, low, high)) => {
                let low = self.grafted(low, level_of, leaf_of, known)?;
                let high = self.grafted(high, level_of, leaf_of, known)?;
                self.node(level_of(level), low, high)?
            }
        };
        known.insert(f, grafted);
        Ok(grafted)
    }

    /// The levels that a function depends on, and its leaves.
    pub(crate) fn parts(&self, f: Function) -> Checked<(BTreeSet<u32>, BTreeSet<Function>)> {
        let (mut is_spoken_of, mut leaves) = (Vec::new(), BTreeSet::new());
        // A bit for each node.
        let bits = if f < LEAVES { self.nodes.len() } else { 0 };
        work(bits / IN_A_ROW.1)?;
        let (mut seen, mut open) = (vec![0u64; bits.div_ceil(64)], vec![f]);
        while let Some(f) = open.pop() {
            let Some(&(level, low, high)) = self.nodes.get(f as usize) else {
                work(usize::from(leaves.insert(f)))?;
                continue;
            };
            let (word, bit) = (&mut seen[f as usize / 64], 1 << (f % 64));
            if *word & bit == 0 {
                *word |= bit;
                work(1)?;
                is_spoken_of.resize(is_spoken_of.len().max(level as usize + 1), false);
                is_spoken_of[level as usize] = true;
                open.extend([low, high]);
            }
        }
        let levels = (0..).zip(is_spoken_of).filter(|level| level.1).map(|level| level.0).collect();
        Ok((levels, leaves))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::Random;

    const BITS: u32 = 6;

    /// The function with this truth table, of the bits from a level on; and the table of a function.
    fn function(all: &mut Functions, table: u64, level: u32) -> Function {
        if level == BITS {
            return if table & 1 == 1 { TRUE } else { FALSE };
        }
        let half = 1 << (BITS - level - 1);
        let [low, high] = [table, table >> half].map(|table| function(all, table, level + 1));
        all.node(level, low, high).unwrap()
    }

    fn table(all: &Functions, f: Function) -> u64 {
        let value = |bits: u64| {
            let mut at = f;
            while all.as_leaf(at).is_none() {
                let level = all.level(at);
                at = all.children(at, level)[(bits >> (BITS - level - 1) & 1) as usize];
            }
            u64::from(at == TRUE) << bits
        };
        (0..1 << BITS).map(value).sum()
    }

    #[test]
    fn operations_are_those_of_truth_tables() {
        let mut all = Functions::new();
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..500 {
            // Sparse tables and dense ones.
            let [a, b, c] =
                [0, 1, 2].map(|_| random.next() & if random.next() & 1 == 0 { random.next() } else { u64::MAX });
            let [f, g, h] = [a, b, c].map(|table| function(&mut all, table, 0));
            assert_eq!([f, g, h].map(|f| table(&all, f)), [a, b, c]);
            let mark = all.count();
            let levels: BTreeSet<u32> = (0..BITS).filter(|level| random.next() >> level & 1 == 1).collect();
            let forgotten = levels.iter().fold(a & b, |table, level| {
                let shift = 1 << (BITS - level - 1);
                let low = (0..64u64).filter(|bits| bits & shift == 0).fold(0, |low, bits| low | 1 << bits);
                let some = table & low | table >> shift & low;
                some | some << shift
            });
            let bits = all.bits(&levels).unwrap();
            let results = [
                (all.and(f, g).unwrap(), a & b),
                (all.or(f, g).unwrap(), a | b),
                (all.union(f, g).unwrap(), a | b),
                (all.without(f, g).unwrap(), a & !b),
                (all.choice(f, g, h).unwrap(), a & b | !a & c),
                (all.meet(f, g, bits).unwrap(), forgotten),
            ];
            results.iter().for_each(|&(found, expected)| assert_eq!(table(&all, found), expected));
            let mut kept = results[5].0;
            all.forget(mark, &mut [&mut kept]).unwrap();
            assert_eq!(table(&all, kept), forgotten);
            assert_eq!(kept, function(&mut all, forgotten, 0), "equal functions are one");
        }
    }

    /// Nodes are forgotten back to any number, some are kept: what is left and made afterwards is the same.
    #[test]
    fn functions_are_the_same_after_others_are_forgotten() {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for _ in 0..40 {
            let mut all = Functions::new();
            // Functions with their tables, and how many nodes there were before each.
            let mut made: Vec<(Function, u64, usize)> = Vec::new();
            for _ in 0..200 {
                let count = all.count();
                if made.len() < 3 || random.next().is_multiple_of(4) {
                    let t = random.next() & if random.next() & 1 == 0 { random.next() } else { u64::MAX };
                    let f = function(&mut all, t, 0);
                    made.push((f, t, count));
                    continue;
                }
                let [x, y, z] = [0; 3].map(|_| made[random.next() as usize % made.len()]);
                let (f, t) = match random.next() % 5 {
                    0 => (all.and(x.0, y.0).unwrap(), x.1 & y.1),
                    1 => (all.or(x.0, y.0).unwrap(), x.1 | y.1),
                    2 => (all.choice(x.0, y.0, z.0).unwrap(), x.1 & y.1 | !x.1 & z.1),
                    3 => (all.without(x.0, y.0).unwrap(), x.1 & !y.1),
                    _ => {
                        let bits = all.bits(&BTreeSet::from([5])).unwrap();
                        let t = x.1 & y.1;
                        let low = t & 0x5555_5555_5555_5555;
                        let some = low | t >> 1 & 0x5555_5555_5555_5555;
                        (all.meet(x.0, y.0, bits).unwrap(), some | some << 1)
                    }
                };
                assert_eq!(table(&all, f), t);
                made.push((f, t, count));
                if random.next().is_multiple_of(8) {
                    let at = random.next() as usize % made.len();
                    let mark = made[at].2;
                    let (mut old, mut late): (Vec<_>, Vec<_>) = made.drain(..).partition(|of| all.is_older(of.0, mark));
                    late.retain(|_| random.next().is_multiple_of(3));
                    if random.next().is_multiple_of(3) {
                        late.clear();
                    }
                    all.forget(mark, &mut late.iter_mut().map(|of| &mut of.0).collect::<Vec<_>>()).unwrap();
                    late.iter_mut().for_each(|of| of.2 = mark);
                    old.iter_mut().for_each(|of| of.2 = of.2.min(mark));
                    made = old;
                    made.extend(late);
                    for &(f, t, _) in &made {
                        assert_eq!(table(&all, f), t);
                        assert_eq!(function(&mut all, t, 0), f, "equal functions are one");
                    }
                }
            }
        }
    }
}
