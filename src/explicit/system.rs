//! The transition system of a net on packed states: plan, layout, compiled transitions and the store, kept
//! in step with each other when the encoding grows.
//!
//! A search holds state numbers and rules only. When a firing meets a count that the layout cannot hold,
//! [`System::grow`] widens the plan, encodes all states anew under their old numbers and compiles the
//! transitions again, in the same order; the search reads its current state again and repeats the firing.
//! Growing looks up the largest count of each place in the store, so that counters that are full grow together
//! and a search of large counts encodes its store O(log n) times rather than once per counter and bit.
//!
//! With [`Options::drw`] off the same search decodes each state it takes up and encodes each state it
//! reaches: the baseline that DRW is measured against.

use super::layout::{Facts, Layout, Plan};
use super::program::{Cursor, Program, Rule, RuleOrder};
use super::store::{Inserted, StateId, Store};
use super::survey::Survey;
use super::{Options, Stopped};
use crate::budget::{Budget, Exhausted};
use crate::net::{Marking, PetriNet, TransitionId};
use crate::structure::{Effort, PlaceBounds, p_semiflows};

/// The packed transition system.
#[derive(Debug)]
pub(super) struct System<'n> {
    pub(super) net: &'n PetriNet,
    plan: Plan,
    layout: Layout,
    order: RuleOrder,
    program: Program,
    pub(super) store: Store,
    /// Decoded token counts of the current state, when DRW is off.
    plain: Option<Vec<u64>>,
    memory: u64,
    /// How often the encoding grew.
    pub(super) growths: u32,
}

/// The result of firing a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fired {
    /// The successor is in the buffer.
    Done,
    /// The layout cannot represent the successor: grow, and try again.
    Misfit,
}

impl<'n> System<'n> {
    /// Compile the net; the store is empty. `extra` bits are reserved beside the marking.
    pub(super) fn new(net: &'n PetriNet, options: &Options, extra: u32, budget: &Budget) -> System<'n> {
        let effort = Effort { rows: 20_000, work: 5_000_000 };
        let semiflows = match options.invariants {
            // The limits are the search's to report.
            true => p_semiflows(net, effort, budget).map(|f| f.flows).unwrap_or_default(),
            false => Vec::new(),
        };
        let bounds = PlaceBounds::new(net, &semiflows).as_slice().to_vec();
        let facts = Facts { survey: Survey::new(net), semiflows, bounds };
        let plan = Plan::new(net, &facts, options, extra);
        let order = RuleOrder::new(net, &plan, &facts.survey);
        let layout = Layout::new(net, &plan);
        let program = Program::new(net, &layout, &order);
        let memory = budget.memory().unwrap_or(u64::MAX);
        let store = Store::new(layout.key_words(), layout.key_halves(), memory);
        let plain = (!options.drw).then(Vec::new);
        System { net, plan, layout, order, program, store, plain, memory, growths: 0 }
    }

    /// The current layout; it changes when the encoding grows.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The initial state, with 0 in the extra field. The plan always fits it.
    pub(super) fn initial(&self) -> Vec<u64> {
        let mut words = vec![0; self.layout.words()];
        let fits = self.layout.encode(self.net.initial_marking().as_slice(), &mut words);
        debug_assert!(fits);
        words
    }

    /// Number of rules.
    pub(super) fn rules(&self) -> Rule {
        self.order.transition.len() as Rule
    }

    /// The transition of a rule.
    pub(super) fn transition(&self, rule: Rule) -> TransitionId {
        self.order.transition[rule as usize]
    }

    /// Read a stored state into `words` and make it the current one.
    #[inline]
    pub(super) fn load(&mut self, id: StateId, words: &mut Vec<u64>) {
        words.resize(self.layout.words(), 0);
        self.store.get(id, &mut words[..self.layout.key_words()]);
        self.layout.complete(words);
        if let Some(tokens) = &mut self.plain {
            self.layout.decode(words, tokens);
        }
    }

    /// Make `words` the current state.
    pub(super) fn make_current(&mut self, words: &[u64]) {
        if let Some(tokens) = &mut self.plain {
            self.layout.decode(words, tokens);
        }
    }

    /// Enumerate the enabled rules of the current state from `from` on.
    #[inline]
    pub(super) fn cursor(&self, words: &[u64], from: Rule) -> Cursor {
        match self.plain {
            None => self.program.cursor(words, from),
            Some(_) => Cursor::plain(from),
        }
    }

    /// The next enabled rule of the current state.
    #[inline]
    pub(super) fn next(&self, words: &[u64], cursor: &mut Cursor) -> Option<Rule> {
        match &self.plain {
            None => self.program.next(words, cursor),
            Some(tokens) => cursor.advance_plain(self.rules(), |r| self.enabled_plain(tokens, r)),
        }
    }

    /// Fire an enabled rule of the current state `words` into `next`.
    #[inline]
    pub(super) fn fire(&self, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        let fits = match &self.plain {
            None => {
                next.clear();
                next.extend_from_slice(words);
                self.program.fire(next, rule)
            }
            Some(tokens) => self.fire_plain(tokens, words, rule, next),
        };
        if fits { Fired::Done } else { Fired::Misfit }
    }

    /// Is a rule enabled in any given state?
    pub(super) fn is_enabled(&self, words: &[u64], rule: Rule) -> bool {
        self.program.enabled(words, rule)
    }

    /// The rules enabled in any given state.
    pub(super) fn enabled_rules(&self, words: &[u64]) -> impl Iterator<Item = Rule> {
        let mut cursor = self.program.cursor(words, 0);
        std::iter::from_fn(move || self.program.next(words, &mut cursor))
    }

    /// Is no rule enabled in the given state?
    pub(super) fn is_deadlock(&self, words: &[u64]) -> bool {
        self.enabled_rules(words).next().is_none()
    }

    fn enabled_plain(&self, tokens: &[u64], rule: Rule) -> bool {
        let t = self.net.transition(self.transition(rule));
        t.pre.iter().all(|a| tokens[a.place.index()] >= a.weight)
            && t.inhibitors.iter().all(|a| tokens[a.place.index()] < a.weight)
    }

    fn fire_plain(&self, tokens: &[u64], words: &[u64], rule: Rule, next: &mut Vec<u64>) -> bool {
        let t = self.net.transition(self.transition(rule));
        let mut after = tokens.to_vec();
        for a in &t.pre {
            after[a.place.index()] -= a.weight;
        }
        for a in &t.post {
            match after[a.place.index()].checked_add(a.weight) {
                Some(n) => after[a.place.index()] = n,
                None => return false,
            }
        }
        next.resize(self.layout.words(), 0);
        let fits = self.layout.encode(&after, next);
        self.layout.set_extra(next, self.layout.extra(words));
        fits
    }

    /// Add a state to the store.
    #[inline]
    pub(super) fn insert(&mut self, words: &[u64]) -> Result<Inserted, Exhausted> {
        self.store.insert(words)
    }

    /// The marking of a state.
    pub(super) fn marking(&self, words: &[u64]) -> Marking {
        let mut tokens = Vec::new();
        self.layout.decode(words, &mut tokens);
        Marking::new(tokens)
    }

    /// Make room for the result of firing `rule` in the stored state `id`.
    pub(super) fn grow(&mut self, id: StateId, rule: Rule, budget: &Budget) -> Result<(), Stopped> {
        let mut words = Vec::new();
        self.load(id, &mut words);
        let culprit = self.marking(&words).fire(self.net, self.transition(rule)).ok_or(Stopped::TooManyTokens)?;
        let mut tokens = Vec::new();
        let mut most = vec![0; self.net.place_count()];
        for id in 0..self.store.len() {
            if id.is_multiple_of(4096) {
                budget.check()?;
            }
            self.load(id, &mut words);
            self.layout.decode(&words, &mut tokens);
            most.iter_mut().zip(&tokens).for_each(|(most, &n)| *most = n.max(*most));
        }
        let plan = self.plan.grown(culprit.as_slice(), &most);
        let layout = Layout::new(self.net, &plan);
        let mut store = Store::new(layout.key_words(), layout.key_halves(), self.memory);
        store.set_limit(self.memory.saturating_sub(self.store.bytes()));
        let mut key = vec![0; layout.words()];
        for id in 0..self.store.len() {
            if id.is_multiple_of(4096) {
                budget.check()?;
            }
            self.load(id, &mut words);
            self.layout.decode(&words, &mut tokens);
            let fits = layout.encode(&tokens, &mut key);
            debug_assert!(fits);
            layout.set_extra(&mut key, self.layout.extra(&words));
            store.insert(&key)?;
        }
        store.set_limit(self.memory);
        self.program = Program::new(self.net, &layout, &self.order);
        (self.plan, self.layout, self.store) = (plan, layout, store);
        self.growths += 1;
        Ok(())
    }
}
