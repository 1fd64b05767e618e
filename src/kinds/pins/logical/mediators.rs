//! A network without its mediators.
//!
//! **Mediators** are variables whose function does not depend on themselves. Wherever one is read, its function can stand
//! in its place, and nothing reads it any more. So a constant is carried on to what it decides, and what nobody reads is
//! left out. Inputs with one value alone are constants, too. Functions may grow: a mediator stays where one of those that
//! read it would read more variables than [`READS`], and more than before, or have more nodes than [`NODES`].
//!
//! **What is kept** is said where it is used (`symbolic/attractors/mediators`).
//!
//! Source: Naldi, Remy, Thieffry, Chaouiya, *Dynamically consistent reduction of logical regulatory graphs*, Theoretical
//! Computer Science 412, 2011.

use starset_smv::{Diagram, Diagrams, TooLarge};
use std::collections::BTreeSet;

/// As many variables may be read by a function that another has become a part of.
const READS: usize = 12;
/// As many nodes it may have.
const NODES: usize = 1 << 10;
/// In as many parts mediators come back.
const PARTS: usize = 6;
/// As many runs of diagrams may be made for one mediator.
const RUNS: usize = 400_000;

/// The targets of a network by level, at least how much for each level of the variable from 1 on; none of an input.
pub(super) type Targets = Vec<Option<Vec<Diagram>>>;

/// A network without some of its mediators.
pub(super) struct Reduced {
    /// The targets of those that are left.
    pub(super) targets: Targets,
    /// The levels that are left out.
    pub(super) without: Vec<u32>,
}

/// Takes mediators out of a network: first comes what it is without all of them, then with more and more, which are left out
/// last; none where there are no mediators. Slots of diagrams are twice the levels.
pub(super) fn without_mediators(
    diagrams: &mut Diagrams,
    mut targets: Targets,
    admissible: &[Diagram],
) -> Result<Vec<Reduced>, TooLarge> {
    for &condition in admissible {
        let (Some((slot, runs)), [_]) = (diagrams.node(condition), &diagrams.support(condition)[..]) else { continue };
        let allowed = |value: &u32| {
            runs.iter().rev().find(|&&(first, _)| first <= *value).is_some_and(|run| run.1 == Diagrams::TRUE)
        };
        let values: Vec<u32> = (0..diagrams.size(slot)).filter(allowed).collect();
        let &[value] = &values[..] else { continue };
        for least in targets.iter_mut().flatten().flatten() {
            *least = diagrams.fix(*least, slot, value)?;
        }
    }
    let mut reads: Vec<BTreeSet<u32>> = targets.iter().map(|target| reads_of(diagrams, target.as_deref())).collect();
    let mut readers = vec![0; targets.len()];
    reads.iter().flatten().for_each(|&level| readers[level as usize] += 1);
    let (mut without, mut kept) = (Vec::new(), vec![false; targets.len()]);
    // Of each mediator, what targets were before it was left out.
    let mut earlier = Vec::new();
    loop {
        let is_open =
            |&level: &usize| !kept[level] && targets[level].is_some() && !reads[level].contains(&(level as u32));
        let open = (0..targets.len()).filter(is_open);
        let Some(at) = open.min_by_key(|&level| reads[level].len() * readers[level]) else { break };
        let Some(own) = targets[at].clone() else { break };
        let (level, mut changed) = (at as u32, Vec::new());
        diagrams.allow(RUNS);
        let mut are_small = true;
        for (reader, target) in targets.iter().enumerate() {
            let Some(target) = target.as_ref().filter(|_| reads[reader].contains(&level)) else { continue };
            let next: Result<Vec<Diagram>, TooLarge> =
                target.iter().map(|&least| substituted(diagrams, least, 2 * level, &own)).collect();
            let Ok(next) = next else {
                are_small = false;
                break;
            };
            changed.push((reader, reads_of(diagrams, Some(&next)), next));
        }
        let nodes = |target: &[Diagram]| target.iter().map(|&least| diagrams.nodes_of(least)).sum::<usize>();
        let fits = |(reader, after, target): &(usize, BTreeSet<u32>, Vec<Diagram>)| {
            after.len() <= READS.max(reads[*reader].len()) && nodes(target) <= NODES
        };
        if !are_small || !changed.iter().all(fits) {
            kept[at] = true;
            continue;
        }
        let mut before = vec![(at, targets[at].take())];
        let mut read_by = |reader: usize, after: BTreeSet<u32>| {
            let before = std::mem::replace(&mut reads[reader], after);
            before.iter().for_each(|&level| readers[level as usize] -= 1);
            reads[reader].iter().for_each(|&level| readers[level as usize] += 1);
        };
        for (reader, after, target) in changed {
            before.push((reader, targets[reader].replace(target)));
            read_by(reader, after);
        }
        read_by(at, BTreeSet::new());
        without.push(level);
        earlier.push(before);
    }
    let (mut networks, part) = (Vec::new(), without.len().div_ceil(PARTS));
    while !without.is_empty() {
        networks.push(Reduced { targets: targets.clone(), without: without.clone() });
        let fewer = without.len() - part.min(without.len());
        without.truncate(fewer);
        earlier.drain(fewer..).rev().flatten().for_each(|(level, before)| targets[level] = before);
    }
    Ok(networks)
}

/// The levels that a target depends on.
fn reads_of(diagrams: &Diagrams, target: Option<&[Diagram]>) -> BTreeSet<u32> {
    target.into_iter().flatten().flat_map(|&least| diagrams.support(least)).map(|slot| slot / 2).collect()
}

/// A condition in which a variable is what its target says.
fn substituted(
    diagrams: &mut Diagrams,
    condition: Diagram,
    slot: u32,
    target: &[Diagram],
) -> Result<Diagram, TooLarge> {
    let mut result = diagrams.fix(condition, slot, 0)?;
    for (value, &least) in (1..).zip(target) {
        let there = diagrams.fix(condition, slot, value)?;
        result = diagrams.choice(least, there, result)?;
    }
    Ok(result)
}
