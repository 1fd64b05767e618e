//! The model: counters, control states, transitions.

use crate::model::VariableId;
use crate::net::{NetBuilder, PetriNet, PlaceId};
use rustc_hash::FxHashSet;

/// The greatest number in a machine. (Counters may grow beyond.)
const MOST: u64 = 1 << 31;

/// A counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// Its value at first, at most 2^31.
    pub initial: u64,
}

/// Control states: a variable with named values, which starts with the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// Name of the variable.
    pub name: String,
    /// Names of the states.
    pub states: Vec<String>,
}

/// The effect of a transition on a counter: it accepts values from `least` on and below `below`, and adds `change`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnCounter {
    /// The number of the counter.
    pub counter: usize,
    /// The least value that is accepted.
    pub least: u64,
    /// The first value that is not accepted any more.
    pub below: Option<u64>,
    /// The added number. A counter is never below 0: a value that would become so is not accepted.
    pub change: i64,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// From which control state to which, by their numbers; from each, to itself, if there is nothing here.
    pub control: Option<(u32, u32)>,
    /// Its effects on counters, at most one for each.
    pub counters: Vec<OnCounter>,
}

/// Why parts make no machine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// There is no counter and no control state.
    #[error("there is no counter and no control state; a machine has at least one")]
    Empty,
    /// Two variables, or two transitions, have one name.
    #[error("two things are called `{0}`; give each a name of its own")]
    SameName(String),
    /// A number names no counter or control state.
    #[error("transition `{0}` names a counter or a control state that is not there")]
    Missing(String),
    /// A transition has two rules for one counter.
    #[error("transition `{0}` says twice what it does on a counter")]
    Twice(String),
    /// A number is too large.
    #[error("a number of counter `{0}` is above 2^31")]
    TooHigh(String),
}

/// A counter machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterMachine {
    name: String,
    control: Option<Control>,
    counters: Vec<Counter>,
    transitions: Vec<Transition>,
}

impl CounterMachine {
    /// A machine of these parts.
    ///
    /// # Errors
    /// [`MachineError`] for what would be none.
    pub fn new(
        name: impl Into<String>,
        control: Option<Control>,
        counters: Vec<Counter>,
        transitions: Vec<Transition>,
    ) -> Result<Self, MachineError> {
        if control.is_none() && counters.is_empty() {
            return Err(MachineError::Empty);
        }
        if let Some(counter) = counters.iter().find(|counter| counter.initial > MOST) {
            return Err(MachineError::TooHigh(counter.name.clone()));
        }
        let mut names = FxHashSet::default();
        let variables = control.iter().map(|c| &c.name).chain(counters.iter().map(|counter| &counter.name));
        for name in variables.chain(transitions.iter().map(|transition| &transition.name)) {
            if !names.insert(name.as_str()) {
                return Err(MachineError::SameName(name.clone()));
            }
        }
        let states = control.as_ref().map_or(0, |control| control.states.len());
        if let (0, Some(control)) = (states, &control) {
            return Err(MachineError::Missing(control.name.clone()));
        }
        for transition in &transitions {
            let (from, to) = transition.control.unwrap_or((0, 0));
            let known = transition.counters.iter().all(|on| on.counter < counters.len());
            if !known || transition.control.is_some() && from.max(to) as usize >= states {
                return Err(MachineError::Missing(transition.name.clone()));
            }
            let mut seen = FxHashSet::default();
            for on in &transition.counters {
                if !seen.insert(on.counter) {
                    return Err(MachineError::Twice(transition.name.clone()));
                }
                if on.least.max(on.below.unwrap_or(0)).max(on.change.unsigned_abs()) > MOST {
                    return Err(MachineError::TooHigh(counters[on.counter].name.clone()));
                }
            }
        }
        Ok(CounterMachine { name: name.into(), control, counters, transitions })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its control states, if it has any: the first variable.
    pub fn control(&self) -> Option<&Control> {
        self.control.as_ref()
    }

    /// Its counters: the variables after the control state.
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// Its transitions.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// The variable that a counter is.
    pub(super) fn variable_of(&self, counter: usize) -> VariableId {
        VariableId((counter + usize::from(self.control.is_some())) as u32)
    }

    /// As a net, with a place for each counter. With `places` for each control state it is the same system; without, the
    /// control is one place, and the net says only who touches whom.
    pub(super) fn to_net(&self, places: bool) -> PetriNet {
        let mut builder = NetBuilder::new(self.name.clone());
        let control: Vec<String> = match &self.control {
            Some(control) if places => control.states.iter().map(|state| format!("{}={state}", control.name)).collect(),
            control => control.iter().map(|control| control.name.clone()).collect(),
        };
        let offset = control.len() as u32;
        // Names are unique, and numbers too small to overflow.
        for (name, number) in control.into_iter().zip(0..) {
            let _fresh = builder.place(name, u64::from(number == 0));
        }
        for counter in &self.counters {
            let _fresh = builder.place(counter.name.clone(), counter.initial);
        }
        for (transition, number) in self.transitions.iter().zip(0..) {
            // Places and transitions share one name space.
            let name = if places { transition.name.clone() } else { format!("transition {number}") };
            let Ok(t) = builder.transition(name) else { continue };
            if let Some((from, to)) = transition.control {
                let [from, to] = [from, to].map(|state| PlaceId(if places { state } else { 0 }));
                let _positive = builder.input(from, t, 1);
                let _positive = builder.output(t, to, 1);
            }
            for on in &transition.counters {
                let (place, change) = (PlaceId(on.counter as u32 + offset), on.change.unsigned_abs());
                // Of weight 0 there is no arc.
                let _arc = builder.read_arc(place, t, on.least);
                let _arc =
                    if on.change < 0 { builder.input(place, t, change) } else { builder.output(t, place, change) };
                let _arc = on.below.map(|below| builder.inhibitor(place, t, below));
            }
        }
        builder.build().unwrap_or_else(|_| unreachable!("numbers up to 2^31 do not overflow"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::kinds::counters::read_counters;

    #[test]
    fn what_is_no_machine_is_refused() {
        let counter = |name: &str, initial| Counter { name: name.to_owned(), initial };
        let transition = |name: &str, control, counters: &[(usize, i64)]| Transition {
            name: name.to_owned(),
            control,
            counters: counters
                .iter()
                .map(|&(counter, change)| OnCounter { counter, least: 0, below: None, change })
                .collect(),
        };
        let control = || Some(Control { name: "at".to_owned(), states: vec!["a".to_owned()] });
        let new = |control, counters, transitions| CounterMachine::new("m", control, counters, transitions);
        assert_eq!(new(None, vec![], vec![]), Err(MachineError::Empty));
        assert_eq!(new(control(), vec![counter("at", 0)], vec![]), Err(MachineError::SameName("at".to_owned())));
        assert_eq!(new(None, vec![counter("x", MOST + 1)], vec![]), Err(MachineError::TooHigh("x".to_owned())));
        let missing = || Err(MachineError::Missing("t".to_owned()));
        assert_eq!(new(control(), vec![], vec![transition("t", Some((0, 1)), &[])]), missing());
        assert_eq!(new(control(), vec![], vec![transition("t", None, &[(0, 1)])]), missing());
        let twice = vec![transition("t", None, &[(0, 1), (0, 1)])];
        assert_eq!(new(None, vec![counter("x", 0)], twice), Err(MachineError::Twice("t".to_owned())));
        let large = vec![transition("t", None, &[(0, i64::MAX)])];
        assert_eq!(new(None, vec![counter("x", 0)], large), Err(MachineError::TooHigh("x".to_owned())));
    }

    #[test]
    fn the_net_of_a_machine_is_the_same_system() {
        let text = "control at = a b\ncounter x = 2\ncounter y = 0\nmove: a -> b when x >= 1 do x -= 1, y += 2\n\
                    back: b -> a when y = 2\nrest: when x < 2 do y -= 1\n";
        let machine = read_counters(text, "m.counters").unwrap();
        let net = machine.to_net(true);
        let counts = |model: &dyn crate::model::TransitionSystem| {
            let mut aut = Vec::new();
            crate::kinds::network::write_graph(model, &Default::default(), &Default::default(), &mut aut).unwrap();
            let text = String::from_utf8(aut).unwrap();
            let (header, edges) = text.split_once('\n').unwrap();
            let label = |edge: &str| edge.split('"').nth(1).map(str::to_owned);
            let mut labels: Vec<Option<String>> = edges.lines().map(label).collect();
            labels.sort();
            (header.to_owned(), labels)
        };
        let (header, labels) = counts(&machine);
        assert!(labels.len() > 5 && labels.iter().all(Option::is_some), "{header} {labels:?}");
        assert_eq!((header, labels), counts(&net));
    }
}
