//! A check of rows against behaviour, while a model is explored (`--check-rows`).
//!
//! **Problem.** All engines trust the rows: a short state stands for all states that share it. A front end that leaves out a
//! variable of a row gives wrong answers that look like right ones, and the interface cannot tell, since a short state
//! has no other variables.
//!
//! **Idea.** A front end that can say what a group does to a *whole* state, from the text of the model and not by its
//! rows ([`NextState::whole`]), is held against what it says of short states. A short state that has been asked for is
//! completed: by the values of the initial state, by these with one variable changed that is not read, and by other
//! values at random: small ones, and some that the variables have been seen to have. Each completion must have the successors
//! of the short state, and all else must stay as it is.
//!
//! Such states need not be reachable. That is on purpose: what is not read must not matter at all. Of a group with many
//! short states some are checked only.

use super::next_state::{COPY, ModelError, NextState, Value, Values};
use crate::rng::Rng;
use std::sync::{Mutex, PoisonError};

/// So many short states of each group are checked, and later each one whose number this divides.
const FIRST: usize = 100;
const LATER: usize = 64;
/// So many values of a variable are remembered.
const VALUES: usize = 12;

/// Observations of a model.
#[derive(Debug)]
struct Seen {
    /// By variable: values that it has.
    values: Vec<Vec<Value>>,
    /// By group: short states that were asked for.
    asked: Vec<usize>,
    rng: Rng,
}

/// A check of the rows of a model.
#[derive(Debug)]
pub(super) struct RowCheck(Mutex<Seen>);

impl RowCheck {
    /// Nothing has been asked.
    pub(super) fn new(model: &dyn NextState) -> Self {
        let signature = model.signature();
        let mut seen = Seen {
            values: vec![Vec::new(); signature.variables.len()],
            asked: vec![0; signature.groups.len()],
            rng: Rng::new(0),
        };
        for (variable, declared) in signature.variables.iter().enumerate() {
            let kind = declared.kind;
            match model.values(kind) {
                Values::Named(count) => (0..count.min(4)).for_each(|code| seen.note(variable, code)),
                Values::Numbers { .. } => {
                    let small = (0..3).filter_map(|number: i64| model.read(kind, &number.to_string()));
                    small.for_each(|code| seen.note(variable, code));
                }
            }
        }
        for state in signature.initial.iter().take(VALUES) {
            (0..).zip(state).for_each(|(variable, &value)| seen.note(variable, value));
        }
        RowCheck(Mutex::new(seen))
    }

    /// Is what a group says of a short state what the model does?
    ///
    /// # Errors
    /// If not: the group, and what is wrong with its rows.
    pub(super) fn check(
        &self,
        model: &dyn NextState,
        group: usize,
        short: &[Value],
        answers: &[(u32, &[Value])],
    ) -> Result<(), ModelError> {
        let signature = model.signature();
        let (row, Some(initial)) = (&signature.groups[group], signature.initial.first()) else { return Ok(()) };
        let unread: Vec<usize> =
            (0..signature.variables.len()).filter(|variable| row.reads.binary_search(variable).is_err()).collect();
        let states = {
            let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            row.reads.iter().zip(short).for_each(|(&variable, &value)| seen.note(variable, value));
            for (_, answer) in answers {
                let written = row.writes().zip(*answer).filter(|(_, value)| **value != COPY);
                written.for_each(|(variable, &value)| seen.note(variable, value));
            }
            seen.asked[group] += 1;
            if seen.asked[group] > FIRST && !seen.asked[group].is_multiple_of(LATER) {
                return Ok(());
            }
            seen.states(row.reads.iter().copied().zip(short.iter().copied()), initial, &unread)
        };
        for (changed, state) in states {
            let Some(found) = model.whole(group, &state) else { return Ok(()) };
            let complain = |what: String| {
                let name = |variable: usize| &signature.variables[variable].name;
                let with =
                    changed.map_or_else(String::new, |variable| format!(" where `{}` is another", name(variable)));
                Err(ModelError(format!("the rows of `{}` are wrong: {what}{with}; please report this", row.name)))
            };
            let found = match found {
                Ok(found) => found,
                Err(error) => return complain(format!("it depends on what it does not read, and fails ({error})")),
            };
            let expected = |answer: &[Value]| {
                let mut next = state.clone();
                for (variable, &value) in row.writes().zip(answer).filter(|(_, value)| **value != COPY) {
                    next[variable] = value;
                }
                next
            };
            let writes: Vec<usize> = row.writes().collect();
            for (_, next) in &found {
                let wrong = (0..state.len()).find(|at| next[*at] != state[*at] && !writes.contains(at));
                if let Some(variable) = wrong {
                    return complain(format!("it writes `{}`", signature.variables[variable].name));
                }
            }
            let same = found.len() == answers.len()
                && found
                    .iter()
                    .zip(answers)
                    .all(|((action, next), (same, answer))| action == same && *next == expected(answer));
            if !same {
                return complain("its successors depend on what it does not read".to_owned());
            }
        }
        Ok(())
    }
}

impl Seen {
    fn note(&mut self, variable: usize, value: Value) {
        let values = &mut self.values[variable];
        if values.len() < VALUES && !values.contains(&value) {
            values.push(value);
        }
    }

    /// States that complete what is read, each with the variable that was changed, if it is one.
    fn states(
        &mut self,
        read: impl Iterator<Item = (usize, Value)>,
        initial: &[Value],
        unread: &[usize],
    ) -> Vec<(Option<usize>, Vec<Value>)> {
        let mut base = initial.to_vec();
        read.for_each(|(variable, value)| base[variable] = value);
        let mut states = vec![(None, base.clone())];
        let mut random = base.clone();
        for &variable in unread {
            let others: Vec<Value> =
                self.values[variable].iter().copied().filter(|&value| value != base[variable]).collect();
            if let Some(&other) = self.rng.pick(&others) {
                let mut state = base.clone();
                state[variable] = other;
                random[variable] = if self.rng.one_in(2) { other } else { base[variable] };
                states.push((Some(variable), state));
            }
        }
        states.push((None, random));
        states
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::next_state::{Batch, Group, Signature, Successors, Variable, Whole};
    use super::super::{PinsModel, dve::Dve};
    use super::*;
    use crate::budget::Budget;
    use crate::explicit::{Encoding, Options};
    use crate::kinds::Kind;
    use std::borrow::Cow;

    /// A front end with other rows than it says.
    struct Lying {
        model: Dve,
        signature: Signature,
    }

    impl NextState for Lying {
        fn signature(&self) -> &Signature {
            &self.signature
        }
        fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
            let (said, right) = (&self.signature.groups[group], &self.model.signature().groups[group]);
            for short in batch.iter() {
                let mut state = self.signature.initial[0].clone();
                said.reads.iter().zip(short).for_each(|(&variable, &value)| state[variable] = value);
                let whole: Vec<Value> = right.reads.iter().map(|&variable| state[variable]).collect();
                let mut found = Successors::default();
                self.model.next(group, &Batch::new(&whole, whole.len(), 1), &mut found)?;
                for (action, values) in found.iter().flatten() {
                    let value = |variable| right.writes().zip(values).find(|(at, _)| *at == variable).map(|(_, v)| *v);
                    successors.push(action, said.writes().filter_map(value));
                }
                successors.end();
            }
            Ok(())
        }
        fn whole(&self, group: usize, state: &[Value]) -> Option<Whole> {
            self.model.whole(group, state)
        }
        fn label(&self, label: usize, short: &[Value]) -> Result<bool, ModelError> {
            self.model.label(label, short)
        }
        fn values(&self, kind: usize) -> Values {
            self.model.values(kind)
        }
        fn show(&self, kind: usize, value: Value) -> Cow<'_, str> {
            self.model.show(kind, value)
        }
        fn read(&self, kind: usize, text: &str) -> Option<Value> {
            self.model.read(kind, text)
        }
        fn number(&self, kind: usize, value: Value) -> Option<i64> {
            self.model.number(kind, value)
        }
        fn action(&self, action: u32) -> Cow<'_, str> {
            self.model.action(action)
        }
    }

    const TEXT: &str = "byte x, y, z; process P { state q; init q;
        trans q -> q { guard x < 3 && y == 0; effect x = x + 1; }, q -> q { guard x == 3; effect y = 1, z = 1; }; }
        system async;";

    fn explored(change: impl FnOnce(&mut [Group], &[Variable])) -> Result<u128, String> {
        let model = Dve::read("lying.dve", TEXT).unwrap();
        let mut signature = model.signature().clone();
        change(&mut signature.groups, &signature.variables);
        // The first states are asked for at once.
        let model = PinsModel::with_checked_rows("lying", Lying { model, signature }).map_err(|e| e.to_string())?;
        let budget = Budget::unlimited();
        let engine = model.compile(&Encoding::default(), &budget).unwrap();
        let found = engine.explore(&Options::default(), &budget).map_err(|stop| stop.to_string())?;
        Ok(found.states)
    }

    #[test]
    fn rows_that_leave_something_out_are_found() {
        assert_eq!(explored(|_, _| ()), Ok(5));
        let find = |variables: &[Variable], name: &str| variables.iter().position(|v| v.name == name).unwrap();
        let unread = explored(|groups, variables| {
            let y = find(variables, "y");
            groups[0].reads.retain(|&variable| variable != y);
        });
        let expected = "its successors depend on what it does not read where `y` is another; please report this";
        assert!(unread.as_ref().is_err_and(|error| error.ends_with(expected)), "{unread:?}");
        let unwritten = explored(|groups, variables| {
            let z = find(variables, "z");
            groups[1].must_write.retain(|&variable| variable != z);
        });
        assert!(unwritten.as_ref().is_err_and(|error| error.contains("it writes `z`")), "{unwritten:?}");
    }
}
