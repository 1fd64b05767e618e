//! The relation of integer time: transitions are local, the tick touches all clocks and all places with invariants.
//!
//! **Problem.** What an action does on a level, to tokens or to a clock, is a step. *Whether* it may be taken is not a
//! matter of each level by itself: a condition is a union of boxes, and the invariant of a place counts only while the
//! place is marked. For the tick the invariants of all places come together, half a unit later (where they are not convex)
//! and a unit later.
//!
//! **Idea.** Such a demand is decided from the top level down. On the way it is known which of its boxes are still
//! possible, by the clocks that were seen, and whether its place is marked. What is still to be shown below a level is a
//! *rest*; an action is then a diagram whose nodes are rests: on each level it touches, values with the same rest after
//! them go on together. Rests of a level are numbered and met once, so the diagram is small if places are near the clocks
//! that they bound, as orders of variables have it. Values part into classes, so no step is counted twice.
//!
//! **Invariant.** A state that was reached satisfies the invariants of its marked places. So a transition looks at those
//! that it may violate only ([`IntegerNet::checks`]), and of a convex invariant the tick looks at the end of the unit only.
//!
//! The tick moves no tokens, so its diagram is an event as it is: of a place it tells whether it is marked, and goes on by one
//! of two links. What a transition does to tokens depends on their number, so it becomes chains of steps, one for each way
//! through its diagram. There may be too many of them, which is said rather than tried.

use super::system::IntegerNet;
use super::zone::{ClockBox, Interval};
use crate::budget::Budget;
use crate::model::{TransitionSystem, VariableId};
use crate::relation::{
    Arm, Branches, END, Effect, Level, Link, LinkId, Relation, RelationError, Step, Table, Tail, Target,
};
use indexmap::IndexMap;
use std::sync::Arc;

/// Ways through the diagrams of all transitions together beyond which there is no relation.
const WAYS: usize = 1 << 16;

/// Nodes in the diagram of an action beyond which there is no relation.
const RESTS: usize = 1 << 16;

/// Values of clocks that are looked at, over all nodes of the diagram of an action, beyond which there is no relation.
const VALUES: u64 = 1 << 22;

/// The relation of a net in integer time, with its variables on levels in the given order.
///
/// # Errors
/// When the order is none, or the invariants are entangled too much.
pub(super) fn relation(model: &IntegerNet, order: &[VariableId], budget: &Budget) -> Result<Relation, RelationError> {
    let initial = model.initial();
    let mut relation = Relation::new(model.variables(), order, |variable| {
        let initial = initial.value(variable) as u32;
        Level { name: model.variable(variable).to_owned(), offset: 0, initial }
    })?;
    let mut ways = 0;
    let places = model.net().places.len();
    let actions = (0..model.net().transitions.len()).map(|t| Deed::transition(model, t));
    let tick = model.tick().map(|_| Deed::tick(model));
    for (label, deed) in (0..).zip(actions.chain(tick)) {
        budget.check()?;
        let levels: Vec<(u32, usize)> = {
            let level = |variable: usize| (relation.level_of(variable), variable);
            let mut levels: Vec<_> = deed.touched(places).map(level).collect();
            levels.sort_unstable();
            levels.dedup();
            levels
        };
        let clock_level = |clock: usize| relation.level_of(places + clock);
        let diagram = Diagram::new(&deed, model, &levels, &clock_level).ok_or(ENTANGLED)?;
        if deed.tokens.is_empty() {
            diagram.add_to(&mut relation, label, &levels, |variable| largest(model, variable));
            continue;
        }
        ways += diagram.ways();
        if ways > WAYS {
            return Err(ENTANGLED);
        }
        for steps in diagram.chains() {
            relation.add_event(label, steps);
        }
    }
    Ok(relation.with_tick(model.tick().map(|tick| tick.0)))
}

/// The largest value that an action without arcs tells from all larger ones: of a place, 0.
fn largest(model: &IntegerNet, variable: usize) -> u32 {
    variable.checked_sub(model.net().places.len()).map_or(0, |clock| model.tops[clock] as u32)
}

const ENTANGLED: RelationError = RelationError::Unsupported(
    "too many places bound too many clocks together for a decision diagram, or constants are too large; search explicitly, \
     or use a coarser unit of time",
);

/// The effect of an action on a clock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnClock {
    Keep,
    Zero,
    Up,
}

/// A union of boxes that must hold, so many halves of a unit later.
struct Demand<'m> {
    boxes: Vec<&'m ClockBox>,
    halves: i64,
    /// It is about what the clocks show before the action, those that are set to zero, too.
    before: bool,
    /// It counts only if this place is marked after the action; it counts in any case if there is none.
    place: Option<usize>,
}

/// An action, level by level and over all levels.
struct Deed<'m> {
    /// By place that it touches: the least number of tokens, and their change.
    tokens: Vec<(usize, u32, i64)>,
    clocks: Vec<OnClock>,
    demands: Vec<Demand<'m>>,
}

/// Does a union of boxes demand anything?
fn demands(boxes: &[ClockBox]) -> bool {
    !matches!(boxes, [b] if b.is_all())
}

impl<'m> Deed<'m> {
    fn transition(model: &'m IntegerNet, t: usize) -> Self {
        let transition = &model.net().transitions[t];
        let mut tokens: Vec<(usize, u32, i64)> = Vec::new();
        for arc in &transition.inputs {
            tokens.push((arc.place.index(), arc.weight, -i64::from(arc.weight)));
        }
        for arc in &transition.outputs {
            match tokens.iter_mut().find(|(p, ..)| *p == arc.place.index()) {
                Some((_, _, change)) => *change += i64::from(arc.weight),
                None => tokens.push((arc.place.index(), 0, arc.weight.into())),
            }
        }
        let mut clocks = vec![OnClock::Keep; model.net().clocks.len()];
        transition.resets.iter().for_each(|clock| clocks[clock.index()] = OnClock::Zero);
        let condition = &model.conditions[t];
        let mut all = Vec::new();
        if demands(condition) {
            all.push(Demand { boxes: condition.iter().collect(), halves: 0, before: true, place: None });
        }
        for &p in &model.checks[t] {
            // Afterwards its clocks are zero, so boxes that exclude that are out.
            let holds = |b: &&ClockBox| {
                let zero = b.intervals.iter().zip(&clocks).filter(|&(_, &on)| on == OnClock::Zero);
                zero.into_iter().all(|(interval, _)| interval.holds_half(0))
            };
            let marks = transition.outputs.iter().any(|arc| arc.place.index() == p);
            let boxes = model.invariants[p].iter().filter(holds).collect();
            all.push(Demand { boxes, halves: 0, before: false, place: (!marks).then_some(p) });
        }
        Deed { tokens, clocks, demands: all }
    }

    fn tick(model: &'m IntegerNet) -> Self {
        let mut all = Vec::new();
        for (p, boxes) in model.invariants.iter().enumerate().filter(|(_, boxes)| demands(boxes)) {
            for halves in if boxes.len() > 1 { 1..=2 } else { 2..=2 } {
                all.push(Demand { boxes: boxes.iter().collect(), halves, before: true, place: Some(p) });
            }
        }
        Deed { tokens: Vec::new(), clocks: vec![OnClock::Up; model.net().clocks.len()], demands: all }
    }

    /// The variables that it touches.
    fn touched(&self, places: usize) -> impl Iterator<Item = usize> {
        let changed = self.clocks.iter().enumerate().filter(|&(_, &on)| on != OnClock::Keep).map(|(x, _)| x);
        let tests = |x: usize| self.demands.iter().any(|d| d.boxes.iter().any(|b| self.looks_at(d, b, x)));
        let tested = (0..self.clocks.len()).filter(move |&x| tests(x));
        let marked = self.demands.iter().filter_map(|demand| demand.place);
        let tokens = self.tokens.iter().map(|&(p, ..)| p);
        tokens.chain(marked).chain(changed.chain(tested).map(move |x| places + x))
    }

    /// Does a box of a demand look at a clock? At those that are set to zero it has looked before.
    fn looks_at(&self, demand: &Demand<'_>, b: &ClockBox, clock: usize) -> bool {
        b.intervals[clock] != Interval::ALL && (demand.before || self.clocks[clock] != OnClock::Zero)
    }
}

/// The open part of a demand.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pending {
    demand: usize,
    /// It counts in any case, or its place is known to be marked.
    counts: bool,
    /// The boxes that are still possible.
    boxes: Vec<usize>,
}

/// The open parts of all demands; those that are left out have none.
type Rest = Vec<Pending>;

/// A way from a node: the step, and the number of the rest that it leads to on the next level that is touched.
type Way = (Option<Step>, usize);

/// An action as a diagram: for each level that it touches, the ways from each of its rests.
struct Diagram {
    /// Is there a state that it is possible in, for all that is known above the first level?
    possible: bool,
    layers: Vec<Vec<Vec<Way>>>,
}

/// Makes the diagram of an action.
struct Making<'a, 'm> {
    deed: &'a Deed<'m>,
    places: usize,
    tops: &'a [u64],
    /// By demand and box, the lowest level of the clocks that the box looks at, if it looks at one.
    lowest: Vec<Vec<Option<u32>>>,
}

impl Diagram {
    /// The diagram of an action that touches these variables, by their levels; `None` if it is too large.
    fn new(
        deed: &Deed<'_>,
        model: &IntegerNet,
        levels: &[(u32, usize)],
        level_of: &dyn Fn(usize) -> u32,
    ) -> Option<Diagram> {
        let places = model.net().places.len();
        let lowest = |demand: &Demand<'_>| {
            let of_box = |b: &&ClockBox| {
                let clocks = (0..deed.clocks.len()).filter(|&x| deed.looks_at(demand, b, x));
                clocks.map(level_of).max()
            };
            demand.boxes.iter().map(of_box).collect()
        };
        let lowest = deed.demands.iter().map(lowest).collect();
        let making = Making { deed, places, tops: &model.tops, lowest };
        let all = |(demand, d): (usize, &Demand<'_>)| Pending {
            demand,
            counts: d.place.is_none(),
            boxes: (0..d.boxes.len()).collect(),
        };
        let mut rests: IndexMap<Rest, ()> = IndexMap::new();
        rests.extend(making.settled(deed.demands.iter().enumerate().map(all).collect(), None).map(|rest| (rest, ())));
        let possible = !rests.is_empty();
        let mut layers = Vec::with_capacity(levels.len());
        let (mut size, mut values) = (0, 0u64);
        for &(level, variable) in levels {
            let top = variable.checked_sub(places).map_or(0, |clock| model.tops[clock]);
            values = values.saturating_add(top.saturating_mul(rests.len() as u64));
            if values > VALUES {
                return None;
            }
            let mut next: IndexMap<Rest, ()> = IndexMap::new();
            let mut layer = Vec::with_capacity(rests.len());
            for (rest, ()) in &rests {
                let ways = making.ways(rest, level, variable);
                let number = |(step, rest): (Option<Step>, Rest)| (step, next.insert_full(rest, ()).0);
                layer.push(ways.into_iter().map(number).collect::<Vec<_>>());
            }
            layers.push(layer);
            rests = next;
            size += rests.len();
            if size > RESTS {
                return None;
            }
        }
        debug_assert!(rests.keys().all(Vec::is_empty), "all is decided on the last level");
        Some(Diagram { possible, layers })
    }

    /// Add it as one event, for an action without arcs: of a place it only tells whether it is marked. On level and variable
    /// of `levels` each; `largest` is the largest value of a variable that has a row of its own.
    fn add_to(&self, relation: &mut Relation, label: u32, levels: &[(u32, usize)], largest: impl Fn(usize) -> u32) {
        let mut below = vec![END];
        for (layer, &(level, variable)) in self.layers.iter().zip(levels).rev() {
            let largest = largest(variable);
            let link = |ways: &Vec<Way>| match &ways[..] {
                [(None, next)] => below[*next],
                [(Some(step), next)] => relation.link_to(Link::Step { step: step.clone(), next: below[*next] }),
                _ => {
                    let branches = Arc::new(branches(ways, largest, &below));
                    relation.link_to(Link::Branch { level, branches })
                }
            };
            below = layer.iter().map(link).collect();
        }
        if self.possible {
            relation.add_event_from(label, below[0], false);
        }
    }

    /// How many ways there are through it.
    fn ways(&self) -> usize {
        // Below the last level nothing is left to be shown, which is one rest.
        let mut below = vec![1];
        for layer in self.layers.iter().rev() {
            let count = |ways: &Vec<Way>| ways.iter().map(|&(_, next)| below[next]).fold(0usize, usize::saturating_add);
            below = layer.iter().map(count).collect();
        }
        if self.possible { below[0] } else { 0 }
    }

    /// The steps of each way, from the top.
    fn chains(&self) -> Vec<Vec<Step>> {
        let mut found = Vec::new();
        let mut open: Vec<(usize, usize, Vec<Step>)> = Vec::new();
        open.extend(self.possible.then(|| (0, 0, Vec::new())));
        while let Some((layer, node, steps)) = open.pop() {
            let Some(nodes) = self.layers.get(layer) else {
                found.push(steps);
                continue;
            };
            for (step, next) in &nodes[node] {
                open.push((layer + 1, *next, steps.iter().chain(step).cloned().collect()));
            }
        }
        found
    }
}

/// Several ways from a rest as one link. Values above the largest that has a row stay as they are.
fn branches(ways: &[Way], largest: u32, below: &[LinkId]) -> Branches {
    let tail = |next: usize| Tail { next: below[next], times: 1 };
    let accepts = |step: &Option<Step>, value| step.as_ref().is_none_or(|step| step.accepts(value));
    let row = |value: u32| -> Vec<Arm> {
        let ways = ways.iter().filter(|(step, _)| accepts(step, value));
        let target = |step: &Option<Step>| step.as_ref().and_then(|step| step.image(value).in_range().next());
        ways.map(|(step, next)| Arm { target: Target::Value(target(step).unwrap_or(value)), tail: tail(*next) })
            .collect()
    };
    let rows: Vec<(u32, Vec<Arm>)> =
        (0..=largest).map(|value| (value, row(value))).filter(|r| !r.1.is_empty()).collect();
    let rows = rows.iter().map(|(value, row)| (*value, &row[..]));
    match ways.iter().find(|(step, _)| accepts(step, largest + 1)) {
        Some((_, next)) => Branches::with_others(rows, &[Arm { target: Target::KEPT, tail: tail(*next) }]),
        None => Branches::of_each(rows),
    }
}

impl Making<'_, '_> {
    /// A rest without what is shown on the levels down to this one; `None` if something cannot be shown any more.
    fn settled(&self, rest: Rest, level: Option<u32>) -> Option<Rest> {
        let mut left = Vec::with_capacity(rest.len());
        for pending in rest {
            let is_shown = |&b: &usize| self.lowest[pending.demand][b].is_none_or(|lowest| Some(lowest) <= level);
            if pending.boxes.iter().any(is_shown) {
                continue;
            }
            if pending.boxes.is_empty() && pending.counts {
                return None;
            }
            left.push(pending);
        }
        Some(left)
    }

    /// The ways from a rest on a level.
    fn ways(&self, rest: &Rest, level: u32, variable: usize) -> Vec<(Option<Step>, Rest)> {
        match variable.checked_sub(self.places) {
            None => self.ways_of_place(rest, level, variable),
            Some(clock) => self.ways_of_clock(rest, level, clock),
        }
    }

    fn ways_of_place(&self, rest: &Rest, level: u32, place: usize) -> Vec<(Option<Step>, Rest)> {
        let (least, change) =
            self.deed.tokens.iter().find(|&&(p, ..)| p == place).map_or((0, 0), |&(_, least, change)| (least, change));
        let step = |least: u32, below: Option<u32>| {
            let tests = least > 0 || below.is_some() || change != 0;
            tests.then_some(Step { level, effect: Effect::Affine { least, below, change } })
        };
        let open = |pending: &Pending| !pending.counts && self.deed.demands[pending.demand].place == Some(place);
        if !rest.iter().any(open) {
            return vec![(step(least, None), rest.clone())];
        }
        // Such a place gets no tokens: it is marked afterwards if it has more than are taken.
        let unmarked: Rest = rest.iter().filter(|pending| !open(pending)).cloned().collect();
        let known = |pending: &Pending| Pending { counts: pending.counts || open(pending), ..pending.clone() };
        let marked = self.settled(rest.iter().map(known).collect(), Some(level));
        let mut ways = vec![(step(least, Some(least.saturating_add(1))), unmarked)];
        ways.extend(marked.map(|marked| (step(least.saturating_add(1), None), marked)));
        ways
    }

    fn ways_of_clock(&self, rest: &Rest, level: u32, clock: usize) -> Vec<(Option<Step>, Rest)> {
        let top = self.tops[clock];
        let mut classes: IndexMap<Rest, Vec<(u32, u32)>> = IndexMap::new();
        for value in 0..=top {
            let after = |pending: &Pending| {
                let demand = &self.deed.demands[pending.demand];
                let twice = 2 * value as i64 + demand.halves;
                let holds = |&b: &usize| {
                    let b = demand.boxes[b];
                    !self.deed.looks_at(demand, b, clock) || b.intervals[clock].holds_half(twice)
                };
                Pending { boxes: pending.boxes.iter().copied().filter(holds).collect(), ..pending.clone() }
            };
            let Some(left) = self.settled(rest.iter().map(after).collect(), Some(level)) else { continue };
            let target = match self.deed.clocks[clock] {
                OnClock::Keep => value,
                OnClock::Zero => 0,
                OnClock::Up => (value + 1).min(top),
            };
            classes.entry(left).or_default().push((value as u32, target as u32));
        }
        let way = |(left, pairs): (Rest, Vec<(u32, u32)>)| {
            let is_nothing = pairs.len() as u64 == top + 1 && pairs.iter().all(|(before, after)| before == after);
            let effect = || Effect::Table(Arc::new(Table::new(pairs.iter().copied())));
            ((!is_nothing).then(|| Step { level, effect: effect() }), left)
        };
        classes.into_iter().map(way).collect()
    }
}
