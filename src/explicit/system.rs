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
use super::space::{Action, Fired, Space};
use super::store::{StateId, Store};
use super::survey::Survey;
use super::{Options, Stopped};
use crate::budget::Budget;
use crate::lts::Model;
use crate::net::{Arc, PetriNet, PlaceId, TransitionId};
use crate::structure::{Effort, PlaceBounds, p_semiflows};

/// The packed transition system.
#[derive(Debug)]
pub(super) struct System<'n> {
    pub(super) net: &'n PetriNet,
    plan: Plan,
    layout: Layout,
    order: RuleOrder,
    /// The rule of each transition.
    rule_of: Vec<Rule>,
    program: Program,
    pub(super) store: Store,
    /// Decoded token counts of the current state, when DRW is off.
    plain: Option<Vec<u64>>,
    memory: u64,
    /// How often the encoding grew.
    pub(super) growths: u32,
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
        let mut rule_of = vec![0; net.transition_count()];
        for (rule, t) in (0..).zip(&order.transition) {
            rule_of[t.index()] = rule;
        }
        System { net, plan, layout, order, rule_of, program, store, plain, memory, growths: 0 }
    }

    /// The transition of a rule.
    pub(super) fn transition(&self, rule: Rule) -> TransitionId {
        self.order.transition[rule as usize]
    }

    /// The rules enabled in any given state.
    pub(super) fn enabled_rules(&self, words: &[u64]) -> impl Iterator<Item = Rule> {
        let mut cursor = self.program.cursor(words, 0);
        std::iter::from_fn(move || self.program.next(words, &mut cursor))
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
}

impl Space for System<'_> {
    type Cursor = Cursor;

    fn model(&self) -> Model<'_> {
        Model::Net(self.net)
    }

    #[inline]
    fn store(&self) -> &Store {
        &self.store
    }

    #[inline]
    fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn growths(&self) -> u32 {
        self.growths
    }

    fn rules(&self) -> Rule {
        self.order.transition.len() as Rule
    }

    fn step(&self, rule: Rule) -> TransitionId {
        self.transition(rule)
    }

    #[inline]
    fn action(&self, rule: Rule) -> Action {
        rule
    }

    fn label(&self, action: Action) -> TransitionId {
        self.transition(action)
    }

    fn action_of(&self, label: TransitionId) -> Option<Action> {
        self.rule_of.get(label.index()).copied()
    }

    fn reads(&self, action: Action) -> Vec<PlaceId> {
        let t = self.net.transition(self.transition(action));
        t.pre.iter().chain(&t.inhibitors).map(|a| a.place).collect()
    }

    fn changes(&self, action: Action, these: &dyn Fn(PlaceId) -> bool) -> bool {
        let t = self.net.transition(self.transition(action));
        let changed = |arcs: &[Arc], others: &[Arc]| {
            let same = |a: &Arc| others.binary_search_by_key(&a.place, |o| o.place).map(|k| &others[k]) == Ok(a);
            arcs.iter().any(|a| these(a.place) && !same(a))
        };
        changed(&t.pre, &t.post) || changed(&t.post, &t.pre)
    }

    #[inline]
    fn load(&mut self, id: StateId, words: &mut Vec<u64>) {
        words.resize(self.layout.words(), 0);
        self.store.get(id, &mut words[..self.layout.key_words()]);
        self.layout.complete(words);
        if let Some(tokens) = &mut self.plain {
            self.layout.decode(words, tokens);
        }
    }

    fn make_current(&mut self, words: &[u64]) {
        if let Some(tokens) = &mut self.plain {
            self.layout.decode(words, tokens);
        }
    }

    #[inline]
    fn cursor(&self, words: &[u64], from: Rule) -> Cursor {
        match self.plain {
            None => self.program.cursor(words, from),
            Some(_) => Cursor::plain(from),
        }
    }

    #[inline]
    fn next(&self, words: &[u64], cursor: &mut Cursor) -> Option<Rule> {
        match &self.plain {
            None => self.program.next(words, cursor),
            Some(tokens) => cursor.advance_plain(self.rules(), |r| self.enabled_plain(tokens, r)),
        }
    }

    #[inline]
    fn fire(&self, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
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

    fn is_enabled(&self, words: &[u64], rule: Rule) -> bool {
        self.program.enabled(words, rule)
    }

    fn is_deadlock(&self, words: &[u64]) -> bool {
        self.enabled_rules(words).next().is_none()
    }

    fn count_enabled(&self, words: &[u64]) -> u64 {
        self.enabled_rules(words).count() as u64
    }

    fn lacking(&self, words: &[u64], action: Action) -> u64 {
        let t = self.net.transition(self.transition(action));
        let tokens = |place| self.layout.slot(place).tokens(words);
        let lacking = t.pre.iter().map(|a| a.weight.saturating_sub(tokens(a.place)));
        let inhibiting = t.inhibitors.iter().map(|a| (tokens(a.place) + 1).saturating_sub(a.weight));
        lacking.chain(inhibiting).fold(0, |sum: u64, n| sum.saturating_add(n))
    }

    fn grow(&mut self, id: StateId, rule: Rule, budget: &Budget) -> Result<(), Stopped> {
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

    #[inline]
    fn as_net(&self) -> Option<&System<'_>> {
        Some(self)
    }
}
