//! Values as words, and what is known of them.
//!
//! Compiled operations ([`super::compiled`]) work on words of 64 bits. A number, a truth value and an element of a given
//! set are their own words; any other value has a number in the [`Pool`] of its type, so that equal values are equal
//! words. What an expression is worth for words that it was asked for before is in a [`Cache`]. Pools and caches belong
//! to one thread ([`Words`]), and no lock is in the way.

use std::cmp::Ordering;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::context::Large;
use super::values::{Table, Value};

/// A value, of a type that is known.
pub(super) type Word = i64;

/// No word: an output without a value, a free place in a cache.
pub(super) const UNSET: Word = Word::MIN;

/// No number yet.
const NONE: u32 = u32::MAX;

/// Places of a cache in the beginning and in the end, as bits.
const FIRST_BITS: u32 = 4;
const LAST_BITS: u32 = 14;

/// Values in pools from which on the words of a thread are forgotten.
const POOLED: usize = 1 << 20;

/// The greatest code, or number of a value, whose counterpart is kept, and one.
const NOTED: usize = 1 << 22;
/// Sets from this number on, and those with more words, are taken apart again each time.
const KEPT: usize = 1 << 14;
const SHORT: usize = 1 << 8;

/// How the values of a type are words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// The number itself.
    Int,
    /// 0 or 1.
    Bool,
    /// The number of the element of a given set.
    Given(u32),
    /// The number in a pool.
    Pool(usize),
}

/// Numbers for the values of a type.
#[derive(Debug, Default)]
struct Pool {
    values: IndexSet<Value, FxBuildHasher>,
    /// Their codes in the states of the model, where known, and the way back.
    codes: Vec<u32>,
    numbers: Vec<u32>,
}

/// Answers by key, which may be forgotten: each key has one place.
#[derive(Debug)]
pub(super) struct Cache {
    width: usize,
    bits: u32,
    lost: usize,
    /// Keys, each followed by its answer.
    entries: Vec<Word>,
}

impl Cache {
    /// An empty cache for keys of some words.
    pub(super) fn new(width: usize) -> Cache {
        let bits = if width == 0 { 0 } else { FIRST_BITS };
        Cache { width, bits, lost: 0, entries: vec![UNSET; (width + 1) << bits] }
    }

    /// Where a key has its place.
    fn place(&self, key: &[Word]) -> usize {
        let hash = key
            .iter()
            .fold(0u64, |hash, word| (hash.rotate_left(26) ^ *word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let place = if self.bits == 0 { 0 } else { (hash >> (64 - self.bits)) as usize };
        place * (self.width + 1)
    }

    /// The answer to a key.
    pub(super) fn get(&self, key: &[Word]) -> Option<Word> {
        let place = self.place(key);
        let entry = &self.entries[place..=place + self.width];
        let same = entry.iter().zip(key).all(|(a, b)| a == b);
        (same && entry[self.width] != UNSET).then(|| entry[self.width])
    }

    /// Keeps an answer. Where too many were lost there is more room.
    pub(super) fn put(&mut self, key: &[Word], answer: Word) {
        let place = self.place(key);
        self.lost += usize::from(self.entries[place + self.width] != UNSET);
        if self.lost > 1 << (self.bits.saturating_sub(2)) && self.bits < LAST_BITS {
            let old = std::mem::take(&mut self.entries);
            self.bits += 2;
            self.lost = 0;
            self.entries = vec![UNSET; (self.width + 1) << self.bits];
            for entry in old.chunks_exact(self.width + 1).filter(|entry| entry[self.width] != UNSET) {
                let place = self.place(&entry[..self.width]);
                self.entries[place..=place + self.width].copy_from_slice(entry);
            }
        }
        let place = self.place(key);
        self.entries[place..place + self.width].copy_from_slice(key);
        self.entries[place + self.width] = answer;
    }
}

/// The parts of a pattern of pairs.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// A variable, with its sort.
    Leaf(u32, Sort),
    /// A pair.
    Pair(Box<[Pattern; 2]>),
}

/// The elements of a set, each as the words of the variables of a pattern.
type Items = Option<Arc<[Word]>>;

/// New words of some slots; sorted in an [`Outcome`].
pub(super) type Updates = SmallVec<[(u32, Word); 4]>;

/// One way in which an operation can happen.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Outcome {
    /// Words of its inputs and outputs.
    pub arguments: SmallVec<[Word; 4]>,
    /// Its updates.
    pub updates: Updates,
}

/// The words of one thread.
#[derive(Debug)]
pub(super) struct Words {
    /// By slot.
    pub slots: Vec<Word>,
    /// Slots with values, while an expression is evaluated for the first time.
    pub values: Vec<Value>,
    /// Answers of expressions.
    pub answers: Vec<Cache>,
    /// For each group: the numbers of its actions.
    pub actions: Vec<Cache>,
    /// For each group: how often it was asked, and how often there was no answer.
    pub tries: Vec<(u32, u32)>,
    /// Work since the last look at the time.
    pub work: u32,
    /// Room for what an operation does.
    pub outcomes: Vec<Outcome>,
    pools: Vec<Pool>,
    /// Values in all of them.
    pooled: usize,
    /// For each source, by number of the set.
    items: Vec<Vec<Items>>,
}

impl Words {
    /// No values yet: numbers of slots, pools and sources, and the widths of caches.
    pub(super) fn new(
        values: Vec<Value>,
        pools: usize,
        sources: usize,
        answers: Vec<Cache>,
        actions: Vec<Cache>,
    ) -> Words {
        Words {
            slots: vec![UNSET; values.len()],
            values,
            answers,
            tries: vec![(0, 0); actions.len()],
            actions,
            work: 0,
            outcomes: Vec::new(),
            pools: (0..pools).map(|_| Pool::default()).collect(),
            pooled: 0,
            items: vec![Vec::new(); sources],
        }
    }

    /// Are there so many that they are better forgotten?
    pub(super) fn is_full(&self) -> bool {
        self.pooled > POOLED
    }

    /// The word of a value, but of sets that are formulas or that ProB may keep as formulas.
    pub(super) fn word(&mut self, sort: Sort, value: &Value) -> Option<Word> {
        match (sort, value) {
            (Sort::Int, Value::Int(n)) => (*n != UNSET).then_some(*n),
            (Sort::Bool, Value::Bool(b)) => Some(Word::from(*b)),
            (Sort::Given(_), Value::Element(_, n)) => Some(Word::from(*n)),
            (Sort::Pool(pool), value) => {
                let values = &mut self.pools[pool].values;
                if let Some(number) = values.get_index_of(value) {
                    return Some(number as Word);
                }
                let plain = matches!(value, Value::Set(_) | Value::Pair(_) | Value::Record(_) | Value::Text(_));
                if !plain || Large::is(value) {
                    return None;
                }
                self.pooled += 1;
                Some(values.insert_full(value.clone()).0 as Word)
            }
            _ => None,
        }
    }

    /// The value of a word.
    pub(super) fn value(&self, sort: Sort, word: Word) -> Value {
        match sort {
            _ if word == UNSET => Value::Undefined,
            Sort::Int => Value::Int(word),
            Sort::Bool => Value::Bool(word != 0),
            Sort::Given(set) => Value::Element(set, word as u32),
            Sort::Pool(pool) => self.pools[pool].values.get_index(word as usize).cloned().unwrap_or(Value::Undefined),
        }
    }

    /// Words of a sort in the order of their values.
    pub(super) fn compare(&self, sort: Sort, a: Word, b: Word) -> Ordering {
        match sort {
            Sort::Pool(pool) if a != b && a != UNSET && b != UNSET => {
                let values = &self.pools[pool].values;
                values.get_index(a as usize).cmp(&values.get_index(b as usize))
            }
            _ => a.cmp(&b),
        }
    }

    /// The word of a code in states.
    pub(super) fn of_code(&mut self, sort: Sort, code: u32, table: &Table) -> Option<Word> {
        match sort {
            // Their tables are in the order of their words.
            Sort::Bool | Sort::Given(_) => return Some(code.into()),
            Sort::Int => {
                if let Some(n) = table.integer(code) {
                    return Some(n);
                }
            }
            Sort::Pool(_) => {}
        }
        if let Sort::Pool(pool) = sort
            && let Some(number) = self.pools[pool].numbers.get(code as usize).filter(|number| **number != NONE)
        {
            return Some(Word::from(*number));
        }
        let word = self.word(sort, &table.value(code)?)?;
        if let Sort::Pool(pool) = sort {
            self.note(pool, word, code);
        }
        Some(word)
    }

    /// The code in states of a word.
    pub(super) fn code(&mut self, sort: Sort, word: Word, table: &Table) -> u32 {
        match sort {
            Sort::Bool | Sort::Given(_) => return word as u32,
            Sort::Int => {
                if let Some(code) = table.of_integer(word) {
                    return code;
                }
            }
            Sort::Pool(_) => {}
        }
        if let Sort::Pool(pool) = sort
            && let Some(code) = self.pools[pool].codes.get(word as usize).filter(|code| **code != NONE)
        {
            return *code;
        }
        let code = table.number(&self.value(sort, word));
        if let Sort::Pool(pool) = sort {
            self.note(pool, word, code);
        }
        code
    }

    /// A value of a pool has this code in states. Great codes are not kept.
    fn note(&mut self, pool: usize, word: Word, code: u32) {
        let Pool { codes, numbers, .. } = &mut self.pools[pool];
        for (list, at, number) in [(codes, word as usize, code), (numbers, code as usize, word as u32)] {
            if at >= NOTED {
                continue;
            }
            if list.len() <= at {
                list.resize((at + 1).next_power_of_two(), NONE);
            }
            list[at] = number;
        }
    }

    /// The elements of a set of a pool, each as the words of a pattern; none if they are more than `most`.
    pub(super) fn items(&mut self, source: usize, pool: usize, set: Word, pattern: &Pattern, most: usize) -> Items {
        let number = set as usize;
        if let Some(Some(items)) = self.items[source].get(number) {
            return Some(Arc::clone(items));
        }
        let Some(Value::Set(set)) = self.pools[pool].values.get_index(number).cloned() else { return None };
        if set.len() > most {
            return None;
        }
        let mut found = Vec::with_capacity(set.len());
        for item in set.iter() {
            self.take_apart(item, pattern, &mut found)?;
        }
        let items: Arc<[Word]> = found.into();
        if number < KEPT && items.len() <= SHORT {
            let known = &mut self.items[source];
            known.resize(known.len().max(number + 1), None);
            known[number] = Some(Arc::clone(&items));
        }
        Some(items)
    }

    /// The words of a value that a pattern has variables for.
    fn take_apart(&mut self, value: &Value, pattern: &Pattern, into: &mut Vec<Word>) -> Option<()> {
        match pattern {
            Pattern::Leaf(_, sort) => into.push(self.word(*sort, value)?),
            Pattern::Pair(parts) => {
                let (left, right) = value.sides();
                self.take_apart(left, &parts[0], into)?;
                self.take_apart(right, &parts[1], into)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn caches_forget_but_do_not_mix_up() {
        for width in 0..4 {
            let (mut cache, mut all) = (Cache::new(width), HashMap::new());
            let mut rng = crate::rng::Rng::new(width as u64);
            for answer in 0..20_000 {
                let key: Vec<Word> = (0..width).map(|_| rng.below(200) as Word - 100).collect();
                if let Some(known) = cache.get(&key) {
                    assert_eq!(Some(&known), all.get(&key));
                } else {
                    cache.put(&key, answer);
                    all.insert(key.clone(), answer);
                    assert_eq!(cache.get(&key), Some(answer));
                }
            }
        }
    }

    #[test]
    fn words_are_values() {
        let mut words = Words::new(Vec::new(), 2, 1, Vec::new(), Vec::new());
        let pair = |a: i64, b: u32| Value::pair(Value::Int(a), Value::Element(0, b));
        let set = Value::set(vec![pair(3, 1), pair(-1, 0)]);
        let sort = Sort::Pool(0);
        let word = words.word(sort, &set).unwrap_or(UNSET);
        assert_eq!(words.word(sort, &set.clone()), Some(word));
        assert_eq!(words.value(sort, word), set);
        let pattern = Pattern::Pair(Box::new([Pattern::Leaf(0, Sort::Int), Pattern::Leaf(1, Sort::Given(0))]));
        assert_eq!(words.items(0, 0, word, &pattern, 9).as_deref(), Some(&[-1, 0, 3, 1][..]));
        assert_eq!(words.items(0, 0, word, &pattern, 9).as_deref(), Some(&[-1, 0, 3, 1][..]));
        let other = words.word(sort, &Value::set(vec![pair(-2, 0)])).unwrap_or(UNSET);
        assert!(words.compare(sort, other, word).is_lt() && words.compare(sort, UNSET, other).is_lt());
        let table = Table::default();
        let code = words.code(sort, word, &table);
        assert_eq!((words.of_code(sort, code, &table), table.value(code)), (Some(word), Some(set)));
    }
}
