//! Where each variable lives in a packed state: the DRW idea (direct read and write) of EnPAC.
//!
//! **Problem.** An explicit search keeps hundreds of millions of states. Stored as bit fields they are ten
//! to a hundred times smaller than as vectors of integers, but the usual price is that every state is
//! decoded before it is used and encoded afterwards, which costs more than the search itself.
//!
//! **Idea.** Fix for each variable a word, a shift and a mask once, and let guards and firings work on the words. A
//! [`Layout`] is the table of these *fields*. A kind of model builds it ([`Builder`]) out of
//!
//! * *constants*: a variable that nothing changes takes no bits;
//! * *counters*: a field of so many bits for the value;
//! * *unit codes*: variables of which at most one is 1 and the others are 0 share a field that holds the number of that
//!   one: ⌈log₂(k+1)⌉ bits for k variables;
//! * *implied* variables, which others determine linearly, and which are not stored at all. They have a field in the
//!   *shadow words* of the working copy, behind the stored ones, which is recomputed when a state is taken from
//!   the store; hence guards need no case for them.
//!
//! No field crosses a word: a word is then a vector of counters on which a guard acts in parallel.
//!
//! Behind the variables is the *extra* field, in which a product keeps the location of its automaton. Its width differs
//! from search to search, but it moves no other field: the word that it may need is left free before the shadow words.
//! So what is compiled for a layout suits [`Layout::with_extra`], too.
//!
//! Reference: C. He, S. Wang, Z. Ding, "EnPAC: Petri net model checking for linear temporal logic" (2023).

use crate::model::VariableId;

/// A variable determined by others: `value = (total − Σ others) / weight`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Implied {
    pub(crate) variable: VariableId,
    pub(crate) total: i128,
    pub(crate) weight: i128,
    pub(crate) others: Vec<(VariableId, i128)>,
}

/// Bits needed for the values `0..=max`.
pub(crate) fn bits(max: u64) -> u32 {
    u64::BITS - max.leading_zeros()
}

/// The field of a variable: `(words[word] >> shift) & mask` is its value or, if `code` is not 0, a unit code
/// that equals `code` iff the value is 1 (and otherwise it is 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot {
    pub(crate) word: u32,
    pub(crate) shift: u32,
    pub(crate) mask: u64,
    pub(crate) code: u64,
    /// The value of a constant variable, which has no field (`mask` is 0).
    pub(crate) constant: u64,
}

impl Slot {
    /// The field's bits in its word.
    #[inline]
    pub(crate) fn field(&self) -> u64 {
        self.mask << self.shift
    }
    /// The top bit of the field in its word.
    #[inline]
    pub(crate) fn high(&self) -> u64 {
        self.field() & !(self.field() >> 1)
    }
    /// Does the field take part in masked comparisons (one bit, or a unit code) rather than in arithmetic?
    #[inline]
    pub(crate) fn is_coded(&self) -> bool {
        self.mask == 1 || self.code != 0
    }
    /// The value of the variable.
    #[inline]
    pub(crate) fn value(&self, words: &[u64]) -> u64 {
        let value = (words[self.word as usize] >> self.shift) & self.mask;
        match (self.code, self.mask) {
            (0, 0) => self.constant,
            (0, _) => value,
            (code, _) => u64::from(value == code),
        }
    }
    /// Overwrite a field without a unit code; false if the value does not fit, and then its low bits are written.
    #[inline]
    pub(crate) fn set(&self, words: &mut [u64], value: u64) -> bool {
        let word = &mut words[self.word as usize];
        *word = *word & !self.field() | (value & self.mask) << self.shift;
        value <= self.mask
    }
}

/// The table of fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    slots: Vec<Slot>,
    extra: Slot,
    /// Where the fields of stored variables end.
    end: Allocator,
    /// Words of a working copy.
    words: usize,
    /// The first words of a working copy, which are stored; the others hold implied variables.
    key_words: usize,
    /// 32-bit halves of the key that hold anything.
    key_halves: usize,
    /// Bits of the stored part.
    bits: u32,
    implied: Vec<Implied>,
    /// The same for words of 64 bits, where they are enough for all of them.
    sums: Option<Vec<Sum>>,
}

/// An implied variable: a field of the shadow words.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sum {
    slot: Slot,
    total: i64,
    weight: i64,
    others: Vec<(Slot, i64)>,
}

impl Sum {
    /// Nothing if the sum may leave 64 bits.
    fn of(implied: &Implied, slots: &[Slot]) -> Option<Sum> {
        let mut total = implied.total;
        let mut most = total.checked_abs()?;
        let mut others = Vec::new();
        for &(variable, weight) in &implied.others {
            let slot = slots[variable.index()];
            if slot.mask == 0 {
                total = total.checked_sub(weight.checked_mul(slot.constant.into())?)?;
                most = most.checked_add(weight.checked_mul(slot.constant.into())?.checked_abs()?)?;
            } else {
                let greatest = if slot.code == 0 { slot.mask } else { 1 };
                most = most.checked_add(weight.checked_mul(greatest.into())?.checked_abs()?)?;
                others.push((slot, i64::try_from(weight).ok()?));
            }
        }
        i64::try_from(most).ok()?;
        let (total, weight) = (i64::try_from(total).ok()?, i64::try_from(implied.weight).ok()?);
        Some(Sum { slot: slots[implied.variable.index()], total, weight, others })
    }

    #[inline]
    fn value(&self, words: &[u64]) -> u64 {
        let mut rest = self.total;
        for (slot, weight) in &self.others {
            let value = (words[slot.word as usize] >> slot.shift) & slot.mask;
            rest -= weight * if slot.code == 0 { value as i64 } else { i64::from(value == slot.code) };
        }
        (if self.weight == 1 { rest } else { rest / self.weight }) as u64 & self.slot.mask
    }
}

/// Allocates fields one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Allocator {
    word: u32,
    used: u32,
}

impl Allocator {
    fn field(&mut self, width: u32) -> Slot {
        if self.used + width > u64::BITS {
            self.word += 1;
            self.used = 0;
        }
        let mask = if width == 0 { 0 } else { u64::MAX >> (u64::BITS - width) };
        let shift = if width == 0 { 0 } else { self.used };
        self.used += width;
        Slot { word: self.word, shift, mask, code: 0, constant: 0 }
    }
}

/// Makes a [`Layout`]: fields come in the order in which they are added.
#[derive(Debug)]
pub(crate) struct Builder {
    slots: Vec<Slot>,
    allocator: Allocator,
    implied: Vec<(Implied, u32)>,
}

impl Builder {
    /// For so many variables, constants of value 0 for the time being.
    pub(crate) fn new(variables: usize) -> Builder {
        let blank = Slot { word: 0, shift: 0, mask: 0, code: 0, constant: 0 };
        Builder { slots: vec![blank; variables], allocator: Allocator::default(), implied: Vec::new() }
    }

    /// The variable always has this value.
    pub(crate) fn constant(&mut self, variable: VariableId, value: u64) {
        self.slots[variable.index()].constant = value;
    }

    /// A field of so many bits; with 0 bits the value is always 0.
    pub(crate) fn counter(&mut self, variable: VariableId, width: u32) {
        self.slots[variable.index()] = self.allocator.field(width);
    }

    /// One field for variables of which at most one is 1, and the others are 0.
    pub(crate) fn unit(&mut self, members: &[VariableId]) {
        let field = self.allocator.field(bits(members.len() as u64));
        for (code, member) in (1..).zip(members) {
            self.slots[member.index()] = Slot { code, ..field };
        }
    }

    /// A variable that is not stored, with a field of so many bits in the shadow words.
    pub(crate) fn implied(&mut self, implied: Implied, width: u32) {
        self.implied.push((implied, width));
    }

    /// The layout, with an extra field of no bits.
    pub(crate) fn build(self) -> Layout {
        let Builder { mut slots, allocator: end, implied } = self;
        // The word between is for an extra field that does not fit behind the others.
        let mut shadow = Allocator { word: end.word + 2, used: 0 };
        for (implied, width) in &implied {
            slots[implied.variable.index()] = shadow.field(*width);
        }
        let words = if implied.is_empty() { 0 } else { shadow.word as usize + 1 };
        let implied: Vec<Implied> = implied.into_iter().map(|(implied, _)| implied).collect();
        let sums = implied.iter().map(|implied| Sum::of(implied, &slots)).collect();
        let extra = Slot { word: 0, shift: 0, mask: 0, code: 0, constant: 0 };
        Layout { slots, extra, end, words, key_words: 0, key_halves: 0, bits: 0, implied, sums }.with_extra(0)
    }
}

impl Layout {
    /// The same fields with an extra field of so many bits, at most 64.
    pub(crate) fn with_extra(&self, width: u32) -> Layout {
        let mut allocator = self.end;
        let extra = allocator.field(width);
        let key_words = allocator.word as usize + 1;
        Layout {
            extra,
            words: if self.implied.is_empty() { key_words } else { self.words },
            key_words,
            key_halves: 2 * key_words - usize::from(allocator.used <= 32),
            bits: allocator.word * u64::BITS + allocator.used,
            ..self.clone()
        }
    }

    /// Words of a working copy.
    pub(crate) fn words(&self) -> usize {
        self.words
    }
    /// Words of the stored part.
    pub(crate) fn key_words(&self) -> usize {
        self.key_words
    }
    /// Bits of the stored part, without the rest of its last word.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }
    /// 32-bit halves of the stored part.
    pub(crate) fn key_halves(&self) -> usize {
        self.key_halves
    }
    /// The field of a variable.
    #[inline]
    pub(crate) fn slot(&self, p: VariableId) -> Slot {
        self.slots[p.index()]
    }
    /// The fields of all variables.
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }
    /// The extra field.
    #[inline]
    pub(crate) fn extra(&self, words: &[u64]) -> u64 {
        (words[self.extra.word as usize] >> self.extra.shift) & self.extra.mask
    }
    /// Overwrite the extra field.
    #[inline]
    pub(crate) fn set_extra(&self, words: &mut [u64], value: u64) {
        self.extra.set(words, value);
    }

    /// For each variable the greatest value that its field should hold where these values are to fit: fields that are
    /// too small for them or full (their greatest value is in `most`) grow, and all keep the room that they have.
    pub(crate) fn room(&self, values: &mut [u64], most: &[u64]) {
        for ((slot, value), &most) in self.slots.iter().zip(values).zip(most) {
            let full = slot.mask;
            *value = if *value > full || most == full { (*value).max(full.saturating_add(1)) } else { full };
        }
    }

    /// The values of all variables.
    pub(crate) fn decode(&self, words: &[u64], values: &mut Vec<u64>) {
        values.clear();
        values.extend(self.slots.iter().map(|s| s.value(words)));
    }

    /// Pack values, with 0 in the extra field; `false` if they cannot be represented.
    #[must_use]
    pub(crate) fn encode(&self, values: &[u64], words: &mut [u64]) -> bool {
        words.fill(0);
        for (slot, &n) in self.slots.iter().zip(values) {
            let word = &mut words[slot.word as usize];
            if slot.mask == 0 {
                if n != slot.constant {
                    return false;
                }
            } else if slot.code == 0 {
                if n > slot.mask {
                    return false;
                }
                *word |= n << slot.shift;
            } else if n > 0 {
                if n > 1 || *word & slot.field() != 0 {
                    return false;
                }
                *word |= slot.code << slot.shift;
            }
        }
        true
    }

    /// Write a state of this layout into `other_words` as another layout has it, which has room for it; the extra
    /// field, too. `values` are its values afterwards.
    pub(crate) fn recode(&self, words: &[u64], other: &Layout, values: &mut Vec<u64>, other_words: &mut [u64]) {
        self.decode(words, values);
        let fits = other.encode(values, other_words);
        debug_assert!(fits);
        other.set_extra(other_words, self.extra(words));
    }

    /// Compute the implied variables of a working copy whose key has just been read from the store.
    #[inline]
    pub(crate) fn complete(&self, words: &mut [u64]) {
        if self.words > self.key_words {
            self.fill_shadow(words);
        }
    }

    fn fill_shadow(&self, words: &mut [u64]) {
        words[self.key_words..].fill(0);
        if let Some(sums) = &self.sums {
            for sum in sums {
                words[sum.slot.word as usize] |= sum.value(words) << sum.slot.shift;
            }
            return;
        }
        for i in &self.implied {
            let others: i128 = i.others.iter().map(|&(q, w)| w * i128::from(self.slot(q).value(words))).sum();
            let slot = self.slot(i.variable);
            words[slot.word as usize] |= (((i.total - others) / i.weight) as u64 & slot.mask) << slot.shift;
        }
    }
}
