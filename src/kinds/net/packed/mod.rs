//! The packed space of a net: what the explicit engine sees of it.
//!
//! | file | what |
//! |---|---|
//! | `orbits` | one marking for many that are alike |
//! | `survey` | how full places get, from a short walk |
//! | `plan` | how many bits each place gets |
//! | `program` | transitions compiled to operations on packed words |
//! | `stubborn` | transitions that need not be fired |
//!
//! All of it is made once per net, but for plan and program, which are made anew when the encoding grows: with the
//! transitions in the same order.
//!
//! With [`Encoding::drw`] off the same search decodes each state it takes up and encodes each state it
//! reaches: the baseline that DRW is measured against.

mod orbits;
mod plan;
mod program;
mod stubborn;
mod survey;

use crate::budget::Budget;
use crate::explicit::{Action, Encoding, Fired, Layout, PackedModel, Rule};
use crate::model::{ActionId, Step, TransitionSystem, VariableId};
use crate::net::{self, Marking, PetriNet, PlaceId, TransitionId};
use crate::stop_reason::StopReason;
use crate::structure::{Effort, PlaceBounds, p_semiflows};
use fixedbitset::FixedBitSet;
use orbits::Orbits;
use plan::{Facts, Plan};
use program::{Cursor, Program, RuleOrder};
use std::sync::Arc;
pub(crate) use stubborn::Stubborn;
use survey::Survey;

/// The packed transition system of a net.
#[derive(Debug)]
pub(crate) struct PackedNet<'n> {
    net: &'n PetriNet,
    plan: Plan,
    layout: Layout,
    order: Arc<RuleOrder>,
    program: Program,
    drw: bool,
    orbits: Orbits,
}

impl<'n> PackedNet<'n> {
    /// Compile the net. What the budget does not allow for finding out about it is left out.
    pub(crate) fn new(net: &'n PetriNet, encoding: &Encoding, budget: &Budget) -> PackedNet<'n> {
        let effort = Effort { rows: 20_000, work: 5_000_000 };
        let semiflows = match encoding.invariants {
            // The limits are the search's to report.
            true => p_semiflows(net, effort, budget).map(|f| f.flows).unwrap_or_default(),
            false => Vec::new(),
        };
        let bounds = PlaceBounds::new(net, &semiflows).as_slice().to_vec();
        let facts = Facts { survey: Survey::new(net), semiflows, bounds };
        let plan = Plan::new(net, &facts, encoding);
        let order = Arc::new(RuleOrder::new(net, &plan, &facts.survey));
        let orbits = Orbits::new(encoding, net, &order);
        PackedNet::of_plan(net, plan, order, encoding.drw, orbits)
    }

    fn of_plan(net: &'n PetriNet, plan: Plan, order: Arc<RuleOrder>, drw: bool, orbits: Orbits) -> PackedNet<'n> {
        let layout = plan.layout(net);
        let program = Program::new(net, &layout, &order);
        PackedNet { net, plan, layout, order, program, drw, orbits }
    }

    /// The transition of a rule.
    pub(crate) fn transition(&self, rule: Rule) -> TransitionId {
        self.order.transition[rule as usize]
    }

    /// Is a rule enabled in any given state?
    #[inline]
    fn enables(&self, words: &[u64], rule: Rule) -> bool {
        self.program.enabled(words, rule)
    }

    /// The rules enabled in any given state.
    fn enabled_rules(&self, words: &[u64]) -> impl Iterator<Item = Rule> {
        let mut cursor = self.program.cursor(words, 0);
        std::iter::from_fn(move || self.program.next(words, &mut cursor))
    }

    fn enabled_plain(&self, tokens: &[u64], rule: Rule) -> bool {
        let t = self.net.transition(self.transition(rule));
        t.pre.iter().all(|a| tokens[a.place.index()] >= a.weight)
            && t.inhibitors.iter().all(|a| tokens[a.place.index()] < a.weight)
    }

    fn fire_plain(&self, tokens: &[u64], rule: Rule, next: &mut [u64]) -> bool {
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
        self.layout.encode(&after, next)
    }

    /// A place that a firing would give more tokens than there are numbers for.
    fn overflowing(&self, marking: &Marking, transition: TransitionId) -> Option<&str> {
        let t = self.net.transition(transition);
        let taken = |place| t.pre.iter().find(|a| a.place == place).map_or(0, |a| a.weight);
        let full =
            |a: &&net::Arc| marking.value(a.place).saturating_sub(taken(a.place)).checked_add(a.weight).is_none();
        t.post.iter().find(full).map(|a| self.net.place(a.place).id.as_str())
    }
}

/// Data of the current state.
#[derive(Debug, Default)]
pub(crate) struct Current {
    /// The token counts, without DRW.
    tokens: Vec<u64>,
    /// The rules that need not be fired.
    superfluous: FixedBitSet,
}

impl PackedModel for PackedNet<'_> {
    type Cursor = Cursor;
    type Scratch = Current;
    type Reducer = Stubborn;

    fn system(&self) -> &dyn TransitionSystem {
        self.net
    }

    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn grown(&self, _: &Current, words: &[u64], rule: Rule, most: &[u64]) -> Result<Self, StopReason> {
        let mut tokens = Vec::new();
        self.layout.decode(words, &mut tokens);
        let (marking, transition) = (Marking::new(tokens), self.transition(rule));
        let Some(culprit) = marking.fire(self.net, transition) else {
            let place = self.overflowing(&marking, transition).unwrap_or_default();
            return Err(StopReason::OutOfRange { variable: place.to_owned(), bits: u64::BITS });
        };
        let mut culprit = culprit.as_slice().to_vec();
        let plan = self.plan.grown(&culprit, most);
        self.orbits.arrange(&mut culprit);
        let plan = if self.orbits.are_single() { plan } else { plan.grown(&culprit, most) };
        Ok(PackedNet::of_plan(self.net, plan, self.order.clone(), self.drw, self.orbits.clone()))
    }

    fn step(&self, rule: Rule) -> Step {
        self.transition(rule).into()
    }

    #[inline]
    fn action(&self, rule: Rule) -> Action {
        rule
    }

    fn id(&self, action: Action) -> ActionId {
        self.transition(action)
    }

    fn action_of(&self, transition: ActionId) -> Option<Action> {
        self.order.rule_of.get(transition.index()).copied()
    }

    fn reads(&self, action: Action) -> Vec<PlaceId> {
        let t = self.net.transition(self.transition(action));
        t.pre.iter().chain(&t.inhibitors).map(|a| a.place).collect()
    }

    fn changes(&self, action: Action, these: &dyn Fn(VariableId) -> bool) -> bool {
        let t = self.net.transition(self.transition(action));
        let changed = |arcs: &[net::Arc], others: &[net::Arc]| {
            let same = |a: &net::Arc| others.binary_search_by_key(&a.place, |o| o.place).map(|k| &others[k]) == Ok(a);
            arcs.iter().any(|a| these(a.place) && !same(a))
        };
        changed(&t.pre, &t.post) || changed(&t.post, &t.pre)
    }

    #[inline]
    fn enter(&self, current: &mut Current, words: &[u64]) -> Result<(), StopReason> {
        if !self.drw {
            self.layout.decode(words, &mut current.tokens);
        }
        if self.orbits.are_of_swaps() {
            self.orbits.superfluous(&self.layout, words, &mut current.superfluous);
        }
        Ok(())
    }

    #[inline]
    fn cursor(&self, _: &Current, words: &[u64], from: Rule) -> Cursor {
        if self.drw { self.program.cursor(words, from) } else { Cursor::plain(from) }
    }

    #[inline]
    fn next(&self, current: &Current, words: &[u64], cursor: &mut Cursor) -> Option<Rule> {
        loop {
            let next = if self.drw {
                self.program.next(words, cursor)
            } else {
                let enabled = |rule| self.enabled_plain(&current.tokens, rule);
                cursor.advance_plain(self.order.transition.len() as Rule, enabled)
            };
            if next.is_none_or(|rule| !current.superfluous.contains(rule as usize)) {
                return next;
            }
        }
    }

    #[inline]
    fn fire(&self, current: &Current, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        next.clear();
        next.extend_from_slice(words);
        let fits = if self.drw { self.program.fire(next, rule) } else { self.fire_plain(&current.tokens, rule, next) };
        if fits && (self.orbits.are_single() || self.orbits.keep(&self.layout, next)) {
            Fired::Done
        } else {
            Fired::Misfit
        }
    }

    #[inline]
    fn is_enabled(&self, words: &[u64], rule: Action) -> Result<bool, StopReason> {
        Ok(self.enables(words, rule))
    }

    fn is_deadlock(&self, words: &[u64]) -> Result<bool, StopReason> {
        Ok(self.enabled_rules(words).next().is_none())
    }

    /// Tokens, and those that inhibit it.
    fn lacking(&self, words: &[u64], action: Action) -> u64 {
        let t = self.net.transition(self.transition(action));
        let tokens = |place| self.layout.slot(place).value(words);
        let lacking = t.pre.iter().map(|a| a.weight.saturating_sub(tokens(a.place)));
        let inhibiting = t.inhibitors.iter().map(|a| (tokens(a.place).saturating_add(1)).saturating_sub(a.weight));
        lacking.chain(inhibiting).fold(0, |sum: u64, n| sum.saturating_add(n))
    }

    #[inline]
    fn stands_for(&self, words: &[u64]) -> Option<u128> {
        if self.orbits.are_single() { Some(1) } else { self.orbits.size(&self.layout, words) }
    }

    fn kept(&self, state: &Marking) -> Option<(Marking, Vec<PlaceId>)> {
        if self.orbits.are_single() {
            return None;
        }
        let (tokens, places) = self.orbits.arranged(state.as_slice());
        Some((Marking::new(tokens), places))
    }

    fn are_alike(&self, one: TransitionId, other: TransitionId) -> bool {
        self.orbits.are_alike(one, other)
    }

    /// The transitions that are enabled.
    fn alive(&self, words: &[u64]) -> u64 {
        self.enabled_rules(words).count() as u64
    }

    fn reducer(&self, visible: &dyn Fn(Action) -> bool) -> Option<Stubborn> {
        Some(Stubborn::new(self, visible))
    }
}
