//! A test of rows on real states: are they sound?
//!
//! The interface cannot tell: short states have no other variables. So this performs the steps themselves on whole
//! states, as the reference. For a state and a group, (1) the successor of the short state, put back into the state,
//! must be what the step makes of the whole state; (2) with any variable changed that the group does not read, the
//! step must still be enabled or not as before, write the same values to the same variables, and leave alone what it
//! neither must nor may write; (3) all steps that the model says at once ([`Direct`]) are those of its groups.

use super::super::next_state::{Batch, COPY, Direct, Moves, NextState, Successors, Value};
use super::expression::Trap;
use super::model::Dve;

/// The effect of a step on a whole state: none, or new numbers with marks of those that were written.
type Outcome = Result<Option<(Vec<i32>, Vec<bool>)>, Trap>;

/// Check the rows of all groups on some states: what is wrong, in words. Empty if all is well.
pub fn check_rows<'a>(model: &Dve, states: impl IntoIterator<Item = &'a [Value]>) -> Vec<String> {
    let mut complaints = Vec::new();
    for state in states {
        for group in 0..model.signature().groups.len() {
            if let Err(complaint) = check_group(model, group, state) {
                complaints.push(format!("{}: {complaint}", model.signature().groups[group].name));
            }
        }
        complaints.extend(compare_moves(model, model, state).err());
    }
    complaints
}

fn check_group(model: &Dve, group: usize, state: &[Value]) -> Result<(), String> {
    let rows = &model.signature().groups[group];
    let numbers = model.frame(state);
    let expected = outcome(model, group, &numbers);
    compare_with_short(model, group, state, &expected)?;
    let writes: Vec<usize> = rows.writes().collect();
    for variable in (0..state.len()).filter(|variable| rows.reads.binary_search(variable).is_err()) {
        for change in [1, -1, 7] {
            let mut other = numbers.clone();
            other[variable] = model.domain(variable).truncate(other[variable].wrapping_add(change));
            let name = &model.signature().variables[variable].name;
            let found = outcome(model, group, &other);
            let same = match (&expected, &found) {
                (Ok(None), Ok(None)) => true,
                (Ok(Some((new, marks))), Ok(Some((found, found_marks)))) => {
                    marks == found_marks
                        && (0..state.len())
                            .all(|at| if marks[at] { new[at] == found[at] } else { found[at] == other[at] })
                }
                (Err(trap), Err(other)) => trap == other,
                _ => false,
            };
            if !same {
                return Err(format!("the answer depends on `{name}`, which is not read"));
            }
            if let Ok(Some((_, marks))) = &found
                && let Some(at) = (0..state.len()).find(|at| marks[*at] && !writes.contains(at))
            {
                return Err(format!("`{}` is written and not in the rows", model.signature().variables[at].name));
            }
        }
    }
    Ok(())
}

fn outcome(model: &Dve, group: usize, numbers: &[i32]) -> Outcome {
    let (mut frame, mut written) = (numbers.to_vec(), vec![false; numbers.len()]);
    Ok(model.step(group).perform(&mut frame, &mut written)?.then_some((frame, written)))
}

/// The answer to the short state is that of the whole state.
fn compare_with_short(model: &Dve, group: usize, state: &[Value], expected: &Outcome) -> Result<(), String> {
    let rows = &model.signature().groups[group];
    let short: Vec<Value> = rows.reads.iter().map(|&variable| state[variable]).collect();
    let mut successors = Successors::default();
    let answer = model.next(group, &Batch::new(&short, short.len(), 1), &mut successors);
    match (expected, answer) {
        (Err(_), Err(_)) => Ok(()),
        (Ok(expected), Ok(())) => {
            let mut found = Vec::new();
            for (_, values) in successors.iter().flatten() {
                let mut state = state.to_vec();
                for (variable, &value) in rows.writes().zip(values) {
                    if value != COPY {
                        state[variable] = value;
                    }
                }
                found.push(state);
            }
            let expected: Vec<Vec<Value>> = expected
                .iter()
                .map(|(new, _)| {
                    let codes = new.iter().enumerate();
                    codes.map(|(at, number)| (number + model.domain(at).offset()).cast_unsigned()).collect()
                })
                .collect();
            if found == expected { Ok(()) } else { Err(format!("successors {found:?}, and {expected:?} are right")) }
        }
        (expected, answer) => Err(format!("answer {answer:?}, and {expected:?} is right")),
    }
}

/// All steps from a state are those that its groups have, one after the other.
///
/// # Errors
/// The difference, in words.
pub fn compare_moves(model: &dyn NextState, direct: &dyn Direct, state: &[Value]) -> Result<(), String> {
    let (mut expected, mut moves, mut successors) = (Vec::new(), Moves::default(), Successors::default());
    let mut failed = false;
    for (group, rows) in model.signature().groups.iter().enumerate() {
        let short: Vec<Value> = rows.reads.iter().map(|&variable| state[variable]).collect();
        successors.clear();
        failed |= model.next(group, &Batch::new(&short, short.len(), 1), &mut successors).is_err();
        for (_, values) in successors.iter().flatten() {
            let mut writes: Vec<_> = rows.writes().zip(values.iter().copied()).collect();
            writes.retain(|&(_, value)| value != COPY);
            writes.sort_unstable();
            expected.push((group, writes));
        }
    }
    let answer = direct.moves(state, &mut moves);
    if failed || answer.is_err() {
        // Which failure comes first is not said; a guard that fails may not be asked.
        return if failed == answer.is_err() { Ok(()) } else { Err(format!("{answer:?} at once")) };
    }
    let sorted = |step: usize| {
        let mut writes = moves.writes(step).to_vec();
        writes.sort_unstable();
        writes
    };
    let found: Vec<_> = moves.groups().enumerate().map(|(step, group)| (group, sorted(step))).collect();
    if found == expected { Ok(()) } else { Err(format!("steps {found:?} at once, and {expected:?} are right")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "byte a[2], i, x; channel {byte} c[2];
        process P { state p, q; init p; trans p -> q { guard a[i] == 0; effect a[i] = x + 1, x = a[1]; },
            q -> p { sync c!x; effect i = 1 - i; }; }
        process Q { byte y; state p, z; init p; commit z; trans p -> z { sync c?y; effect x = y; }, z -> p {}; }
        process R { state p; init p; trans p -> p { guard x > 300; }; }
        system async;";

    fn model() -> Dve {
        match Dve::read("test.dve", MODEL) {
            Ok(model) => model,
            Err(error) => unreachable!("{error}"),
        }
    }

    #[test]
    fn rows_of_a_model_are_sound() {
        let model = model();
        let mut state = model.signature().initial[0].clone();
        for change in 0..state.len() {
            let old = std::mem::replace(&mut state[change], 1);
            assert_eq!(check_rows(&model, [state.as_slice()]), Vec::<String>::new());
            state[change] = old;
        }
    }

    #[test]
    fn wrong_rows_are_found() {
        let right = model();
        let mut state = right.signature().initial[0].clone();
        let place = right.signature().variables.iter().position(|variable| variable.name == "P").unwrap_or_default();
        for group in 0..2 {
            state[place] = u32::from(group == 1);
            let mut wrong = right.clone();
            wrong.signature.groups[group].reads.remove(0);
            assert!(!check_rows(&wrong, [state.as_slice()]).is_empty(), "a variable is missing in what {group} reads");
        }
        state[place] = 0;
        let mut wrong = right.clone();
        wrong.signature.groups[0].must_write.pop();
        assert!(!check_rows(&wrong, [state.as_slice()]).is_empty(), "a variable is missing in what it writes");
    }
}
