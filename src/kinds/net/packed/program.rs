//! Transitions compiled to operations on packed words.
//!
//! **Problem.** Decide whether a transition is enabled, and fire it, without unpacking the marking; and find
//! the enabled transitions without trying all of them.
//!
//! **Guards.** The fields a transition touches in one word are tested together. One-bit fields and unit
//! codes: the guard is `word & mask == value`, a firing flips bits. Counters: `count ≥ need` for all fields of
//! a word at once by the bit-parallel comparison of Knuth (TAOCP 4A, 7.1.3, with the top bit of every field
//! isolating it from its neighbours); a firing is one addition of the packed differences. An inhibitor arc is
//! the same comparison asked to fail.
//!
//! **Representability.** A firing is refused ([`Program::fire`] returns `false`) when the result does not fit
//! the layout: a token into a bit that is set or a unit that is occupied, or a counter that would pass its
//! mask, which is the same bit-parallel comparison on the complement, as the room left in a field of value x
//! is its complement.
//!
//! **Index.** Each transition hangs on one of its input places, its *home*; a marking's candidates are the
//! transitions of its marked homes, found by a bit scan over the non-empty fields. Homes are numbered in the
//! order of the fields, hence candidates come in the order of the rules, and a search resumes after any rule
//! ([`Cursor`]) without having stored which rules are enabled (the DYN idea of EnPAC).

use super::plan::Plan;
use super::survey::Survey;
use crate::explicit::{Layout, Rule};
use crate::net::{PetriNet, PlaceId, TransitionId};

/// Masked comparison and flip on one word.
#[derive(Clone, Copy, Debug)]
struct Coded {
    word: u32,
    mask: u64,
    value: u64,
    /// Bits that must be zero for the result to be representable.
    clear: u64,
    flip: u64,
}

/// Comparison and addition on the counters of one word.
#[derive(Clone, Copy, Debug)]
struct Counters {
    word: u32,
    /// Top bits of all counters of the word.
    high: u64,
    need: u64,
    room: u64,
    delta: u64,
}

/// Inhibitor arcs from the counters of one word: each of `fields` must hold less than `limit` says.
#[derive(Clone, Copy, Debug)]
struct Inhibitors {
    word: u32,
    high: u64,
    fields: u64,
    limit: u64,
}

/// One transition.
#[derive(Clone, Copy, Debug, Default)]
struct Compiled {
    coded: (u32, u32),
    counters: (u32, u32),
    inhibitors: (u32, u32),
    /// No marking of this layout enables it.
    dead: bool,
    /// Its result never fits this layout.
    misfit: bool,
}

/// Candidates that hang on one field.
#[derive(Clone, Copy, Debug, Default)]
struct Home {
    shift: u32,
    /// Mask of a unit's field, 0 for other fields: the unit code selects the bucket.
    select: u64,
    base: u32,
}

/// Bits of one word that tell which homes are marked.
#[derive(Clone, Copy, Debug, Default)]
struct Scan {
    /// All bits below the top bit of their field.
    low: u64,
    /// Top bits of the fields that are homes.
    high: u64,
}

/// The order in which transitions are tried: fixed for a search, whatever the layout becomes.
#[derive(Clone, Debug)]
pub(super) struct RuleOrder {
    /// The transition of each rule.
    pub(super) transition: Vec<TransitionId>,
    /// The rule of each transition.
    pub(super) rule_of: Vec<Rule>,
    /// The home of each rule; the first rules have none.
    home: Vec<Option<PlaceId>>,
}

impl RuleOrder {
    /// Choose homes and sort the transitions by them.
    pub(super) fn new(net: &PetriNet, plan: &Plan, survey: &Survey) -> RuleOrder {
        let mut consumers = vec![0u32; net.place_count()];
        for a in net.transitions().iter().flat_map(|t| &t.pre) {
            consumers[a.place.index()] += 1;
        }
        let mut position = vec![None; net.place_count()];
        for (k, p) in plan.sequence().iter().enumerate() {
            position[p.index()] = Some(k);
        }
        let mut rules: Vec<(Option<(usize, PlaceId)>, TransitionId)> = Vec::new();
        for t in net.transition_ids() {
            let inputs = net.transition(t).pre.iter().map(|a| a.place);
            // The home must be a field that can be empty: stored and not constant.
            let usable = inputs.filter(|p| plan.width(*p) > 0);
            let homes = usable.filter_map(|p| position[p.index()].map(|k| (k, p)));
            let home = homes.min_by_key(|&(k, p)| (survey.marked[p.index()], consumers[p.index()], k));
            rules.push((home, t));
        }
        rules.sort();
        let mut rule_of = vec![0; rules.len()];
        for (rule, (_, t)) in (0..).zip(&rules) {
            rule_of[t.index()] = rule;
        }
        RuleOrder {
            rule_of,
            home: rules.iter().map(|(h, _)| h.map(|(_, p)| p)).collect(),
            transition: rules.into_iter().map(|(_, t)| t).collect(),
        }
    }
}

/// All transitions of a net, compiled for a layout.
#[derive(Debug)]
pub(super) struct Program {
    rules: Vec<Compiled>,
    coded: Vec<Coded>,
    counters: Vec<Counters>,
    inhibitors: Vec<Inhibitors>,
    /// Rules without home are `0..rootless`.
    rootless: u32,
    scan: Vec<Scan>,
    /// Per bit of the words: the home whose top bit it is.
    homes: Vec<Home>,
    /// Rules of a home, by `base` (plus unit code).
    buckets: Vec<(Rule, Rule)>,
    /// Top bit of its home, per rule.
    bit: Vec<u32>,
}

/// In which fields is `x` less than `c`? Answers in the top bit of each field; bits outside of the fields
/// whose top bits are `high` are 0 in `c`.
#[inline(always)]
fn less(x: u64, c: u64, high: u64) -> u64 {
    let difference = ((x | high).wrapping_sub(c & !high)) ^ ((x ^ !c) & high);
    ((!x & c) | (!(x ^ c) & difference)) & high
}

/// An enumeration of the enabled rules of one marking that can be resumed after any rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    rule: Rule,
    end: Rule,
    word: u32,
    /// Homes of `word` still to be visited.
    homes: u64,
}

impl Program {
    /// Compile all transitions.
    pub(super) fn new(net: &PetriNet, layout: &Layout, order: &RuleOrder) -> Program {
        let mut high = vec![0u64; layout.words()];
        let mut scan = vec![Scan::default(); layout.words()];
        for slot in layout.slots().iter().filter(|s| s.mask != 0) {
            if !slot.is_coded() {
                high[slot.word as usize] |= slot.high();
            }
            scan[slot.word as usize].low |= slot.field() & !slot.high();
        }
        let mut program = Program {
            rules: Vec::with_capacity(order.transition.len()),
            coded: Vec::new(),
            counters: Vec::new(),
            inhibitors: Vec::new(),
            rootless: 0,
            scan,
            homes: vec![Home::default(); layout.words() * 64],
            buckets: Vec::new(),
            bit: Vec::with_capacity(order.transition.len()),
        };
        for &t in &order.transition {
            let compiled = program.compile(net, layout, t, &high);
            program.rules.push(compiled);
        }
        program.index(layout, order);
        program
    }

    fn compile(&mut self, net: &PetriNet, layout: &Layout, t: TransitionId, high: &[u64]) -> Compiled {
        let start = (self.coded.len(), self.counters.len(), self.inhibitors.len());
        let mut rule = Compiled::default();
        let t = net.transition(t);
        let mut places: Vec<PlaceId> = t.pre.iter().chain(&t.post).chain(&t.inhibitors).map(|a| a.place).collect();
        places.sort_by_key(|&p| (layout.slot(p).word, layout.slot(p).shift, p));
        places.dedup();
        let weight = |arcs: &[crate::net::Arc], p: PlaceId| {
            arcs.binary_search_by_key(&p, |a| a.place).ok().map(|k| arcs[k].weight)
        };
        for field in places.chunk_by(|&p, &q| {
            let (p, q) = (layout.slot(p), layout.slot(q));
            p.code != 0 && q.code != 0 && (p.word, p.shift) == (q.word, q.shift)
        }) {
            // The unit's code before and after, as far as the transition tells.
            let (mut before, mut after) = (None, None);
            for &p in field {
                let slot = layout.slot(p);
                let need = weight(&t.pre, p).unwrap_or(0);
                let gives = weight(&t.post, p).unwrap_or(0);
                let limit = weight(&t.inhibitors, p);
                if slot.mask == 0 {
                    rule.dead |= slot.constant < need || limit.is_some_and(|l| slot.constant >= l);
                } else if slot.code != 0 {
                    // No inhibitor arcs here: see `Plan::new`.
                    if need > 0 {
                        rule.dead |= need > 1 || before.is_some();
                        before = Some(slot.code);
                    }
                    if gives > 0 {
                        rule.misfit |= gives > 1 || after.is_some();
                        after = Some(slot.code);
                    }
                } else if slot.mask == 1 {
                    let bit = slot.field();
                    let op = self.coded_op(start.0, slot.word);
                    if need > 0 || limit == Some(1) {
                        rule.dead |= need > 1 || (need == 1 && limit == Some(1));
                        op.mask |= bit;
                        op.value |= if need > 0 { bit } else { 0 };
                    }
                    rule.misfit |= gives > 1;
                    match (need, gives) {
                        (0, 0) => {}
                        (0, _) => {
                            op.clear |= bit;
                            op.flip |= bit;
                        }
                        (_, 0) => op.flip |= bit,
                        _ => {}
                    }
                } else {
                    rule.dead |= need > slot.mask || limit.is_some_and(|l| l <= need);
                    if let Some(limit) = limit.filter(|&l| l <= slot.mask) {
                        let op = self.inhibitor_op(start.2, slot.word, high[slot.word as usize]);
                        op.fields |= slot.high();
                        op.limit |= limit << slot.shift;
                    }
                    let op = self.counters_op(start.1, slot.word, high[slot.word as usize]);
                    op.need |= (need & slot.mask) << slot.shift;
                    op.delta = op.delta.wrapping_add(gives.wrapping_sub(need) << slot.shift);
                    if gives > need {
                        rule.misfit |= gives - need > slot.mask;
                        op.room |= ((gives - need) & slot.mask) << slot.shift;
                    }
                }
            }
            if before.is_some() || after.is_some() {
                let slot = layout.slot(field[0]);
                let op = self.coded_op(start.0, slot.word);
                let mut code = 0;
                match before {
                    Some(c) => {
                        op.mask |= slot.field();
                        op.value |= c << slot.shift;
                        code = c;
                    }
                    None => op.clear |= slot.field(),
                }
                op.flip |= (code ^ after.unwrap_or(0)) << slot.shift;
            }
        }
        let range = |start: usize, end: usize| (start as u32, end as u32);
        rule.coded = range(start.0, self.coded.len());
        rule.counters = range(start.1, self.counters.len());
        rule.inhibitors = range(start.2, self.inhibitors.len());
        rule
    }

    fn coded_op(&mut self, start: usize, word: u32) -> &mut Coded {
        let at = self.coded[start..].iter().position(|o| o.word == word).map_or(self.coded.len(), |k| start + k);
        if at == self.coded.len() {
            self.coded.push(Coded { word, mask: 0, value: 0, clear: 0, flip: 0 });
        }
        &mut self.coded[at]
    }

    fn counters_op(&mut self, start: usize, word: u32, high: u64) -> &mut Counters {
        let at = self.counters[start..].iter().position(|o| o.word == word);
        let at = at.map_or(self.counters.len(), |k| start + k);
        if at == self.counters.len() {
            self.counters.push(Counters { word, high, need: 0, room: 0, delta: 0 });
        }
        &mut self.counters[at]
    }

    fn inhibitor_op(&mut self, start: usize, word: u32, high: u64) -> &mut Inhibitors {
        let at = self.inhibitors[start..].iter().position(|o| o.word == word);
        let at = at.map_or(self.inhibitors.len(), |k| start + k);
        if at == self.inhibitors.len() {
            self.inhibitors.push(Inhibitors { word, high, fields: 0, limit: 0 });
        }
        &mut self.inhibitors[at]
    }

    /// Build the buckets: rules are sorted by the position of their homes.
    fn index(&mut self, layout: &Layout, order: &RuleOrder) {
        let mut rule = 0;
        while rule < order.home.len() {
            let home = order.home[rule];
            let count = order.home[rule..].iter().take_while(|&&h| h == home).count();
            let bucket = (rule as Rule, (rule + count) as Rule);
            let mut bit = u32::MAX;
            match home {
                None => self.rootless = bucket.1,
                Some(p) => {
                    let slot = layout.slot(p);
                    bit = slot.word * 64 + slot.high().trailing_zeros();
                    let known = self.scan[slot.word as usize].high & slot.high() != 0;
                    self.scan[slot.word as usize].high |= slot.high();
                    let home = &mut self.homes[bit as usize];
                    if !known {
                        let (select, size) = if slot.code != 0 { (slot.mask, slot.mask + 1) } else { (0, 1) };
                        *home = Home { shift: slot.shift, select, base: self.buckets.len() as u32 };
                        self.buckets.resize(self.buckets.len() + size as usize, (0, 0));
                    }
                    self.buckets[home.base as usize + slot.code as usize] = bucket;
                }
            }
            self.bit.extend(std::iter::repeat_n(bit, count));
            rule += count;
        }
    }

    /// Start or resume an enumeration of the rules from `from` on.
    pub(super) fn cursor(&self, words: &[u64], from: Rule) -> Cursor {
        if from < self.rootless {
            return Cursor { rule: from, end: self.rootless, word: 0, homes: self.marked_homes(words, 0) };
        }
        let Some(&bit) = self.bit.get(from as usize) else {
            return Cursor { rule: from, end: from, word: self.scan.len() as u32, homes: 0 };
        };
        let word = bit / 64;
        let homes = self.marked_homes(words, word as usize) & (u64::MAX << (bit % 64));
        Cursor { rule: from, end: from, word, homes }
    }

    #[inline(always)]
    fn marked_homes(&self, words: &[u64], word: usize) -> u64 {
        let scan = self.scan[word];
        (((words[word] & scan.low) + scan.low) | words[word]) & scan.high
    }

    /// The next enabled rule; the cursor must belong to the same words.
    #[inline]
    pub(super) fn next(&self, words: &[u64], cursor: &mut Cursor) -> Option<Rule> {
        loop {
            while cursor.rule < cursor.end {
                let rule = cursor.rule;
                cursor.rule += 1;
                if self.enabled(words, rule) {
                    return Some(rule);
                }
            }
            while cursor.homes == 0 {
                cursor.word += 1;
                if cursor.word as usize >= self.scan.len() {
                    cursor.word = self.scan.len() as u32;
                    return None;
                }
                cursor.homes = self.marked_homes(words, cursor.word as usize);
            }
            let bit = cursor.homes.trailing_zeros();
            cursor.homes &= cursor.homes - 1;
            let home = self.homes[(cursor.word * 64 + bit) as usize];
            let code = (words[cursor.word as usize] >> home.shift) & home.select;
            let (start, end) = self.buckets[home.base as usize + code as usize];
            // Rules before the one the enumeration was resumed at are behind.
            cursor.rule = start.max(cursor.rule);
            cursor.end = end;
        }
    }

    /// Is the rule enabled?
    #[inline]
    pub(super) fn enabled(&self, words: &[u64], rule: Rule) -> bool {
        let rule = &self.rules[rule as usize];
        if rule.dead {
            return false;
        }
        for op in &self.coded[rule.coded.0 as usize..rule.coded.1 as usize] {
            if words[op.word as usize] & op.mask != op.value {
                return false;
            }
        }
        for op in &self.counters[rule.counters.0 as usize..rule.counters.1 as usize] {
            if less(words[op.word as usize], op.need, op.high) != 0 {
                return false;
            }
        }
        for op in &self.inhibitors[rule.inhibitors.0 as usize..rule.inhibitors.1 as usize] {
            if less(words[op.word as usize], op.limit, op.high) & op.fields != op.fields {
                return false;
            }
        }
        true
    }

    /// Fire an enabled rule in place. `false`, with `words` in no useful state, if the layout cannot represent
    /// the result.
    #[inline]
    #[must_use]
    pub(super) fn fire(&self, words: &mut [u64], rule: Rule) -> bool {
        let rule = &self.rules[rule as usize];
        let mut fits = !rule.misfit;
        for op in &self.coded[rule.coded.0 as usize..rule.coded.1 as usize] {
            let word = &mut words[op.word as usize];
            fits &= *word & op.clear == 0;
            *word ^= op.flip;
        }
        for op in &self.counters[rule.counters.0 as usize..rule.counters.1 as usize] {
            let word = &mut words[op.word as usize];
            fits &= op.room == 0 || less(!*word, op.room, op.high) == 0;
            *word = word.wrapping_add(op.delta);
        }
        fits
    }
}

impl Cursor {
    /// A cursor for [`Cursor::advance_plain`].
    pub(super) fn plain(from: Rule) -> Cursor {
        Cursor { rule: from, end: 0, word: 0, homes: 0 }
    }

    /// The next rule that is enabled according to `enabled`, tried one by one.
    pub(super) fn advance_plain(&mut self, rules: Rule, enabled: impl Fn(Rule) -> bool) -> Option<Rule> {
        while self.rule < rules {
            self.rule += 1;
            if enabled(self.rule - 1) {
                return Some(self.rule - 1);
            }
        }
        None
    }
}
