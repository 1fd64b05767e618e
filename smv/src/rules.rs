//! Who may assign what: each value once, and nothing by itself.
//!
//! *Source*: SPEC.md, section 6. One assignment of `x`, of `init(x)`, of `next(x)`, and not `x` beside another. No
//! circle among current values, or among next values; definitions are looked through.

use crate::ast::When;
use crate::error::{Fault, Stage};
use crate::model::Model;
use std::collections::HashMap;

/// Check the rules.
///
/// # Errors
/// The first assignment that breaks one.
pub(crate) fn check(model: &Model) -> Result<(), Fault> {
    let mut seen: HashMap<(usize, When), ()> = HashMap::new();
    for assignment in &model.assignments {
        let name = &model.variables[assignment.variable].name;
        let fault = |message: String| Err(Fault::new(Stage::Assignments, assignment.place, message));
        if seen.insert((assignment.variable, assignment.when), ()).is_some() {
            return fault(format!("`{name}` is assigned twice"));
        }
        let current = seen.contains_key(&(assignment.variable, When::Current));
        let other = [When::Init, When::Next].iter().any(|&when| seen.contains_key(&(assignment.variable, when)));
        if current && other {
            return fault(format!("`{name}` is assigned always, and at first or next, too"));
        }
    }
    for next in [false, true] {
        circles(model, next)?;
    }
    Ok(())
}

/// Does a value depend on itself at the same time?
fn circles(model: &Model, next: bool) -> Result<(), Fault> {
    let mut reads: HashMap<usize, Vec<usize>> = HashMap::new();
    for assignment in &model.assignments {
        let counts = match assignment.when {
            When::Current => true,
            When::Init => !next,
            When::Next => next,
        };
        if !counts {
            continue;
        }
        // What is assigned always holds of next values as well.
        let primed = next && assignment.when == When::Next;
        let read = model.terms.variables(assignment.value).into_iter().filter(|&(_, other)| other == primed);
        reads.entry(assignment.variable).or_default().extend(read.map(|(variable, _)| variable));
    }
    // Depth first: 1 is open, 2 is done.
    let mut state: HashMap<usize, u8> = HashMap::new();
    for assignment in &model.assignments {
        let mut stack = vec![(assignment.variable, 0)];
        while let Some((variable, at)) = stack.pop() {
            if at == 0 {
                if state.get(&variable) == Some(&2) {
                    continue;
                }
                state.insert(variable, 1);
            }
            match reads.get(&variable).and_then(|all| all.get(at)) {
                None => {
                    state.insert(variable, 2);
                }
                Some(&other) => {
                    stack.push((variable, at + 1));
                    match state.get(&other) {
                        Some(1) => {
                            let name = &model.variables[other].name;
                            let message = format!("the value of `{name}` depends on itself at the same time");
                            return Err(Fault::new(Stage::Assignments, assignment.place, message));
                        }
                        Some(_) => {}
                        None => stack.push((other, 0)),
                    }
                }
            }
        }
    }
    Ok(())
}
