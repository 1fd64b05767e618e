//! Integer time as a model for the engines: places and clocks are variables, transitions and the `tick` are actions.
//!
//! A clock counts units of `1/scale` of the net and stops one above the largest constant that it is compared with,
//! since beyond its value makes no difference. The `tick` lets a unit pass: all clocks go up, if the invariants of the
//! marked places hold half a unit later and a unit later (see [`super::integer`] for why that is enough, and for what
//! integer time misses where comparisons are strict). Once all clocks have stopped it leads back to the same state:
//! time that passes for ever is no end of a path, and a state without any action is a timelock. Formulas mean something
//! else by a deadlock: that nothing but the `tick` will ever be possible. A net without clocks has no `tick`.
//!
//! The firing rule here is the one of the definitions: predicates as written at rational values. The packed space works
//! on boxes of integers, so that a run of the one is checked by the other.

use super::model::{ClockNet, Transition};
use super::predicate::{ClockId, Predicate};
use super::rational::Rational;
use super::scaled::{ScaleError, Scaled};
use super::zone::{ClockBox, Interval};
use crate::model::{ActionId, Row, Standstill, State, Step, Terms, TransitionSystem, Unit, VariableId};
use crate::net::{NetBuilder, PetriNet};
use num_bigint::BigInt;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A net with clocks in integer time.
#[derive(Clone, Debug)]
pub struct IntegerNet {
    net: ClockNet,
    scale: i32,
    /// By how much the unit is finer than the constants of the net ask for.
    factor: u32,
    /// Constants that clocks are compared with elsewhere.
    constants: Vec<(ClockId, Rational)>,
    /// Units of integer time in one of the net, before it is made finer: a multiple of this.
    least: i32,
    closed: bool,
    pub(super) conditions: Vec<Vec<ClockBox>>,
    pub(super) invariants: Vec<Vec<ClockBox>>,
    /// Where each clock stops.
    pub(super) tops: Vec<u64>,
    /// For each clock, ascending, the values at which what it is compared with may begin or cease to hold: now, half a
    /// unit later, or a unit later.
    moments: Vec<Vec<u64>>,
    /// For each transition, the places whose invariants it may violate.
    pub(super) checks: Vec<Vec<usize>>,
    /// Names of the variables: clocks and places may be called alike, so these are not.
    names: Vec<String>,
    tick: String,
}

/// Why a net has no integer time.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoIntegerNet {
    /// A constraint cannot be represented.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// There is no state.
    #[error("the invariants of the initial marking exclude zero: there is no state; correct them")]
    Start,
    /// Numbers that are too large even to say who touches whom.
    #[error("the weights of the net add up to more than 64 bits; use smaller ones")]
    Weights,
}

/// Does one of the boxes bound a clock?
pub(super) fn tests(boxes: &[ClockBox], clock: usize) -> bool {
    boxes.iter().any(|b| b.intervals.get(clock).is_some_and(|&i| i != Interval::ALL))
}

impl IntegerNet {
    /// The net in integer time.
    ///
    /// # Errors
    /// [`NoIntegerNet`].
    pub fn new(net: ClockNet) -> Result<Self, NoIntegerNet> {
        IntegerNet::with_factor(net, 1)
    }

    /// The net in a unit of time that is finer by a factor.
    ///
    /// # Errors
    /// [`NoIntegerNet`].
    pub fn with_factor(net: ClockNet, factor: u32) -> Result<Self, NoIntegerNet> {
        IntegerNet::build(net, factor, Vec::new(), 1)
    }

    /// The same net, in which clocks are told apart up to these constants, too. `None` if they are already, or if that
    /// is more than can be.
    pub(super) fn compared_with(&self, constants: Vec<(ClockId, Rational)>) -> Option<Self> {
        let fits = |(clock, moment): &(ClockId, Rational)| {
            let parts = moment * BigInt::from(self.scale);
            parts.is_integer() && parts.to_integer() < BigInt::from(self.tops[clock.index()])
        };
        if constants.iter().all(fits) {
            return None;
        }
        let constants = self.constants.iter().cloned().chain(constants).collect();
        IntegerNet::build(self.net.clone(), self.factor, constants, self.least).ok()
    }

    /// The units of integer time in one of the net if clocks are compared with these constants alone, besides the net,
    /// and a unit is divided by so many, if not by more already. `None` if that is more than can be.
    pub(super) fn scale_with(&self, factor: u32, constants: &[(ClockId, Rational)]) -> Option<i32> {
        Scaled::with_constants(&self.net, factor.max(self.factor), 1, constants).ok().map(|scaled| scaled.scale)
    }

    /// The same net in a unit that suits these constants and no others. `None` if it is so already, or that is more
    /// than can be.
    pub(super) fn in_unit(&self, scale: i32, constants: Vec<(ClockId, Rational)>) -> Option<Self> {
        let net = IntegerNet::build(self.net.clone(), 1, constants, scale).ok()?;
        (net.scale != self.scale || net.tops != self.tops).then_some(net)
    }

    fn build(
        net: ClockNet,
        factor: u32,
        constants: Vec<(ClockId, Rational)>,
        least: i32,
    ) -> Result<Self, NoIntegerNet> {
        let scaled = Scaled::with_constants(&net, factor, least, &constants)?;
        let tops = scaled.maximal_constants().iter().map(|&most| u64::from(most.unsigned_abs()) + 1).collect();
        let closed = scaled.is_closed();
        let Scaled { scale, conditions, invariants, .. } = scaled;
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut unique = |name: &str| {
            let mut name = name.to_owned();
            while !taken.insert(name.clone()) {
                name.push('\'');
            }
            name
        };
        // Places and transitions have the names that they have; clocks and the tick give way.
        let places: Vec<String> = net.places.iter().map(|place| unique(&place.id)).collect();
        net.transitions.iter().for_each(|transition| _ = unique(&transition.id));
        let clocks = net.clocks.iter().map(|clock| unique(clock)).collect();
        let names = [places, clocks].concat();
        let tick = unique("tick");
        let checks = net.transitions.iter().map(|transition| checks(transition, &invariants)).collect();
        let boxes: Vec<&ClockBox> = conditions.iter().chain(&invariants).flatten().collect();
        let moments = (0..net.clocks.len()).map(|clock| moments(&boxes, clock)).collect();
        let model = IntegerNet {
            net,
            scale,
            factor,
            constants,
            least,
            closed,
            conditions,
            invariants,
            tops,
            moments,
            checks,
            names,
            tick,
        };
        model.to_net().ok_or(NoIntegerNet::Weights)?;
        if model.allows(model.initial().as_slice(), 0) { Ok(model) } else { Err(NoIntegerNet::Start) }
    }

    /// The net.
    pub fn net(&self) -> &ClockNet {
        &self.net
    }

    /// Units of integer time in a unit of the net.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Are there only the comparisons `<=`, `=` and `>=`? Then integer time reaches all that dense time does.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The variable of a clock, by the number of the clock.
    pub(super) fn clock_variable(&self, clock: usize) -> VariableId {
        VariableId((self.net.places.len() + clock) as u32)
    }

    /// The units until a condition or an invariant may hold that does not now, or the other way round; `None` if time
    /// changes nothing any more.
    pub(super) fn until_next(&self, clock: impl Fn(usize) -> u64) -> Option<u64> {
        let next = |(x, moments): (usize, &Vec<u64>)| {
            let now = clock(x);
            moments.get(moments.partition_point(|&moment| moment <= now)).map(|moment| moment - now)
        };
        self.moments.iter().enumerate().filter_map(next).min()
    }

    fn transition(&self, action: ActionId) -> Option<&Transition> {
        self.net.transitions.get(action.index())
    }

    /// Is this the passing of a unit?
    pub(super) fn is_tick(&self, action: ActionId) -> bool {
        action.index() == self.net.transitions.len() && !self.net.clocks.is_empty()
    }

    /// The values of clocks so many halves of a unit later, in the unit of the net.
    fn moment(&self, clocks: &[u64], halves: u64) -> Vec<Rational> {
        let unit = BigInt::from(2) * self.scale;
        let value = |&v: &u64| Rational::new(BigInt::from(2) * v + halves, unit.clone());
        clocks.iter().map(value).collect()
    }

    /// Do the invariants of the marked places hold so many halves of a unit later?
    fn allows(&self, state: &[u64], halves: u64) -> bool {
        let (tokens, clocks) = state.split_at(self.net.places.len());
        let moment = self.moment(clocks, halves);
        self.net.places.iter().zip(tokens).all(|(place, &n)| n == 0 || place.invariant.holds(&moment))
    }

    /// Let time pass, on the clocks of a state.
    fn pass(&self, clocks: &mut [u64], units: u64) {
        clocks.iter_mut().zip(&self.tops).for_each(|(clock, &top)| *clock = (*clock + units).min(top));
    }

    /// The state after an action.
    fn after(&self, state: &[u64], action: ActionId) -> Option<Vec<u64>> {
        if state.len() != self.variables() {
            return None;
        }
        let mut next = state.to_vec();
        let (tokens, clocks) = next.split_at_mut(self.net.places.len());
        if self.is_tick(action) {
            if !(self.allows(state, 1) && self.allows(state, 2)) {
                return None;
            }
            self.pass(clocks, 1);
            return Some(next);
        }
        let transition = self.transition(action)?;
        if !transition.condition.holds(&self.moment(clocks, 0)) {
            return None;
        }
        for arc in &transition.inputs {
            tokens[arc.place.index()] = tokens[arc.place.index()].checked_sub(arc.weight.into())?;
        }
        for arc in &transition.outputs {
            tokens[arc.place.index()] = tokens[arc.place.index()].checked_add(arc.weight.into())?;
        }
        transition.resets.iter().for_each(|clock| clocks[clock.index()] = 0);
        self.allows(&next, 0).then_some(next)
    }

    /// The interaction net: a place for each variable, a transition for each action.
    pub(super) fn to_net(&self) -> Option<PetriNet> {
        let mut builder = NetBuilder::new(self.net.name.clone());
        let initial = self.initial();
        let mut places = Vec::new();
        for (name, &tokens) in self.names.iter().zip(initial.as_slice()) {
            places.push(builder.place(name.clone(), tokens).ok()?);
        }
        for action in self.action_ids() {
            let t = builder.transition(self.action(action)).ok()?;
            let arcs = self.transition(action);
            for arc in arcs.iter().flat_map(|transition| &transition.inputs) {
                builder.input(places[arc.place.index()], t, arc.weight.into()).ok()?;
            }
            for arc in arcs.iter().flat_map(|transition| &transition.outputs) {
                builder.output(t, places[arc.place.index()], arc.weight.into()).ok()?;
            }
            let Row { reads, writes, .. } = self.row(action);
            let others = reads.iter().chain(writes.iter().filter(|variable| !reads.contains(variable)));
            let known = |variable: &&VariableId| {
                let arcs = arcs.iter().flat_map(|transition| transition.inputs.iter().chain(&transition.outputs));
                !arcs.into_iter().any(|arc| arc.place.index() == variable.index())
            };
            for variable in others.filter(known) {
                builder.read_arc(places[variable.index()], t, 1).ok()?;
            }
        }
        builder.build().ok()
    }
}

/// The values of a clock that boxes compare it with, and those next to them.
fn moments(boxes: &[&ClockBox], clock: usize) -> Vec<u64> {
    let ends = boxes.iter().flat_map(|b| {
        let Interval { lower, upper } = b.intervals[clock];
        [lower.finite().map(|end| -end), upper.finite()]
    });
    let around = ends.flatten().flat_map(|end| [end - 1, end, end + 1]);
    let moments: BTreeSet<u64> = around.filter_map(|moment| u64::try_from(moment).ok()).collect();
    moments.into_iter().collect()
}

/// The places whose invariants a transition may violate: those that it marks, and those that compare a clock that it
/// sets to zero.
fn checks(transition: &Transition, invariants: &[Vec<ClockBox>]) -> Vec<usize> {
    let marks = |p: usize| transition.outputs.iter().any(|arc| arc.place.index() == p);
    let resets = |p: usize| transition.resets.iter().any(|clock| tests(&invariants[p], clock.index()));
    let timed = |p: usize| !matches!(invariants[p].as_slice(), [b] if b.is_all());
    (0..invariants.len()).filter(|&p| timed(p) && (marks(p) || resets(p))).collect()
}

impl TransitionSystem for IntegerNet {
    fn name(&self) -> &str {
        &self.net.name
    }

    /// Clocks are no tokens, and are not to be added to them.
    fn terms(&self) -> Terms {
        let model = "clocknet";
        Terms { model, variable: "variable", action: "transition", state: "state", counts: false, assigned: false }
    }

    fn variables(&self) -> usize {
        self.names.len()
    }

    fn variable(&self, variable: VariableId) -> &str {
        self.names.get(variable.index()).map_or("?", String::as_str)
    }

    fn value(&self, _: VariableId, _: u64) -> Option<Cow<'_, str>> {
        None
    }

    fn unit(&self, variable: VariableId) -> Option<Unit> {
        let clock = variable.index().checked_sub(self.net.places.len())?;
        let most = self.tops.get(clock)?.saturating_sub(1);
        Some(Unit { parts: self.scale.unsigned_abs().into(), most })
    }

    fn tick(&self) -> Option<ActionId> {
        (!self.net.clocks.is_empty()).then_some(ActionId(self.net.transitions.len() as u32))
    }

    fn actions(&self) -> usize {
        self.net.transitions.len() + usize::from(!self.net.clocks.is_empty())
    }

    fn action(&self, action: ActionId) -> &str {
        match self.transition(action) {
            Some(transition) => &transition.id,
            None if self.is_tick(action) => &self.tick,
            None => "?",
        }
    }

    fn row(&self, action: ActionId) -> Row {
        let clocks = 0..self.net.clocks.len();
        let mut reads = BTreeSet::new();
        let read_all = |reads: &mut BTreeSet<VariableId>, boxes: &[ClockBox]| {
            reads.extend(clocks.clone().filter(|&x| tests(boxes, x)).map(|x| self.clock_variable(x)));
        };
        let place = |p: usize| VariableId(p as u32);
        if self.is_tick(action) {
            // A clock that goes up reads itself.
            let all: Vec<VariableId> = clocks.map(|x| self.clock_variable(x)).collect();
            let timed = self.net.places.iter().enumerate().filter(|(_, p)| p.invariant != Predicate::True);
            reads.extend(timed.map(|(p, _)| place(p)).chain(all.iter().copied()));
            return Row { reads: reads.into_iter().collect(), writes: all, must_write: Vec::new() };
        }
        let Some(transition) = self.transition(action) else { return Row::default() };
        let weight = |arcs: &[super::model::Arc], p: VariableId| {
            arcs.iter().find(|arc| arc.place.0 == p.0).map_or(0, |arc| arc.weight)
        };
        reads.extend(transition.inputs.iter().chain(&transition.outputs).map(|arc| place(arc.place.index())));
        let changes = |&p: &VariableId| weight(&transition.inputs, p) != weight(&transition.outputs, p);
        let mut writes: BTreeSet<VariableId> = reads.iter().copied().filter(changes).collect();
        let resets = || transition.resets.iter().map(|clock| self.clock_variable(clock.index()));
        writes.extend(resets());
        read_all(&mut reads, &self.conditions[action.index()]);
        for &p in &self.checks[action.index()] {
            reads.insert(place(p));
            read_all(&mut reads, &self.invariants[p]);
        }
        let must_write = resets().filter(|clock| !reads.contains(clock)).collect();
        Row { reads: reads.into_iter().collect(), writes: writes.into_iter().collect(), must_write }
    }

    fn initial(&self) -> State {
        let tokens = self.net.places.iter().map(|place| u64::from(place.initial));
        State::new(tokens.chain(self.net.clocks.iter().map(|_| 0)).collect())
    }

    fn fire(&self, state: &State, step: Step) -> Option<State> {
        (step.choice == 0).then(|| self.after(state.as_slice(), step.action)).flatten().map(State::new)
    }

    fn enables(&self, state: &State, action: ActionId) -> bool {
        self.after(state.as_slice(), action).is_some()
    }

    /// From moment to moment: in between nothing changes, however large the constants are.
    fn stands_still(&self, state: &State, how: Standstill) -> bool {
        let (mut now, places) = (state.clone(), self.net.places.len());
        loop {
            let mut transitions = (0..self.net.transitions.len() as u32).map(ActionId);
            if transitions.any(|action| self.enables(&now, action)) {
                return false;
            }
            if !self.tick().is_some_and(|tick| self.enables(&now, tick)) {
                return true;
            }
            let mut values = now.as_slice().to_vec();
            let Some(units) = self.until_next(|clock| values[places + clock]) else {
                return how == Standstill::Deadlock;
            };
            self.pass(&mut values[places..], units);
            now = State::new(values);
        }
    }

    fn step(&self, from: &State, action: ActionId, to: &State) -> Option<Step> {
        let step = Step::from(action);
        (self.fire(from, step).as_ref() == Some(to)).then_some(step)
    }
}
