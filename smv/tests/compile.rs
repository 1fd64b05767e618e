//! What compilers make of programs: steps apart, rows, limits.
#![allow(clippy::unwrap_used)]

use starset_smv::{Compiler, Model, Steps, Trouble, read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn order(model: &Model) -> Vec<usize> {
    (0..model.variables.len()).collect()
}

/// The steps of a program: how many rows there are, and which slots stay.
fn steps(text: &str) -> Vec<(usize, Vec<u32>)> {
    let model = read(text, false).unwrap();
    let mut compiler = Compiler::new(&model, &order(&model), 100_000).unwrap();
    let mut found: Vec<(usize, Vec<u32>)> = Vec::new();
    for Steps { rows, mut kept, .. } in compiler.steps().unwrap() {
        kept.sort_unstable();
        found.push((rows.len(), kept));
    }
    found.sort();
    found
}

const VARIABLES: &str = "MODULE main VAR a : 0..3; b : 0..3; c : boolean; ";

#[test]
fn alternatives_that_keep_most_variables_are_steps_of_their_own() {
    // Both that change a alone are one; the last changes nothing where c holds.
    let text = "DEFINE rest := next(b) = b & next(c) = c;
        TRANS a = 0 & next(a) = 1 & rest | a = 1 & next(a) = 2 & rest
            | a = next(a) & next(b) = 3 - b & next(c) = c | b = 0 & next(c) & next(a) = a & b = next(b)";
    let found = steps(&format!("{VARIABLES}{text}"));
    assert_eq!(found, [(1, vec![0, 1]), (1, vec![0, 1, 2]), (1, vec![0, 2]), (1, vec![1, 2])]);
    // Rows about more variables than half are left together.
    let found = steps(&format!("{VARIABLES} TRANS next(a) = a & next(b) = 0 | next(a) = a & next(b) = 1"));
    assert_eq!(found.len(), 1);
}

#[test]
fn networks_that_change_one_variable_are_steps_of_each() {
    let text = "ASSIGN next(a) := {a, (a + 1) mod 4}; next(b) := {b, 0}; next(c) := {c, a = b};
        TRANS count(next(a) != a, next(b) != b, next(c) != c) = 1";
    let kept: Vec<Vec<u32>> = steps(&format!("{VARIABLES}{text}")).into_iter().map(|(_, kept)| kept).collect();
    assert_eq!(kept.len(), 3);
    assert!(kept.iter().all(|kept| kept.len() == 2), "{kept:?}");
}

#[test]
fn consequences_of_a_guard_are_rows_of_their_own() {
    let text = "TRANS c -> next(a) = b & next(b) = a TRANS !c -> next(a) = a & next(b) = 0 & next(c)";
    let found = steps(&format!("{VARIABLES}{text}"));
    assert_eq!(found, [(5, vec![])]);
    // A fault that another part guards stays there.
    let text = "TRANS c -> b != 0 & next(a) = 3 / b TRANS c -> next(b) = b";
    let model = read(&format!("{VARIABLES}{text}"), false).unwrap();
    assert!(Compiler::new(&model, &order(&model), 100_000).unwrap().steps().is_ok());
}

#[test]
fn work_and_the_watch_end_compilation() {
    let variables: String = (0..12).map(|at| format!("x{at} : 0..7; ")).collect();
    let sum: Vec<String> = (0..12).map(|at| format!("x{at} * {}", 1 << at)).collect();
    let text = format!("MODULE main VAR {variables} TRANS ({}) mod 9973 = 5", sum.join(" + "));
    let model = read(&text, false).unwrap();
    let mut compiler = Compiler::new(&model, &order(&model), 2_000_000).unwrap();
    let looks = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&looks);
    compiler.diagrams.stop_when(Arc::new(move || seen.fetch_add(1, Ordering::Relaxed) == 1));
    assert_eq!(compiler.steps(), Err(Trouble::TooLarge));
    assert_eq!(looks.load(Ordering::Relaxed), 2);
}
