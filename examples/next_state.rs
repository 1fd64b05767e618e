//! A model made in Rust: a next-state function with rows that say what each group reads and writes.
//!
//! Two jugs of 3 and 5 litres are filled, emptied, and poured into each other. Is there a way to have 4 litres?
//!
//! `cargo run --release --example next_state`
#![allow(clippy::print_stdout)]

use starset::Model;
use starset::kinds::pins::{Batch, Group, ModelError, NextState, PinsModel, Signature, Successors, Variable};

struct Jugs(Signature);

impl NextState for Jugs {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let action = group as u32;
        for short in batch.iter() {
            // A short state has the values of what the group reads, a successor those of what it writes.
            match (group, short) {
                (0, []) => successors.push(action, [3]),
                (1, []) => successors.push(action, [5]),
                (2 | 3, []) => successors.push(action, [0]),
                (4, &[small, big]) => {
                    let poured = small.min(5 - big);
                    successors.push(action, [small - poured, big + poured]);
                }
                (5, &[small, big]) => {
                    let poured = big.min(3 - small);
                    successors.push(action, [small + poured, big - poured]);
                }
                _ => return Err(ModelError(format!("group {group} is asked about {short:?}"))),
            }
            successors.end();
        }
        Ok(())
    }
}

/// The jugs: variable 0 is the small one, variable 1 the big one.
fn jugs() -> Jugs {
    let variables = ["small", "big"].map(|name| Variable { name: name.to_owned(), kind: 0 });
    let groups = [
        Group::new("fill small", &[], &[0]),
        Group::new("fill big", &[], &[1]),
        Group::new("empty small", &[], &[0]),
        Group::new("empty big", &[], &[1]),
        Group::new("pour into big", &[0, 1], &[0, 1]),
        Group::new("pour into small", &[0, 1], &[0, 1]),
    ];
    Jugs(Signature {
        name: "jugs".to_owned(),
        types: vec!["litres".to_owned()],
        variables: variables.into(),
        initial: vec![vec![0, 0]],
        groups: groups.into(),
        ..Signature::default()
    })
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::new(PinsModel::new("jugs", jugs())?);
    println!("{} states", model.states()?);
    assert_eq!(model.states()?.to_string(), "16");
    let answer = model.check("EF #big = 4")?;
    println!("4 litres: {:?}\n{}", answer.verdict(), answer.witness().unwrap_or_default());
    assert_eq!(answer.verdict(), Some(true));
    assert!(answer.witness().is_some_and(|run| run.contains("pour into ")));
    // Two groups read two variables, in each of the 16 states; the others read nothing, and were asked once.
    println!("asked {:?} times", model.kind().next_state_calls());
    assert_eq!(model.kind().next_state_calls(), Some(2 * 16 + 4));
    Ok(())
}
