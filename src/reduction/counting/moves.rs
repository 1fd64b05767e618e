//! Places that exchange their tokens become one.
//!
//! A *move* is a transition that does nothing but take one token from p and put it on q. In the *merged* net one place
//! stands for both, moves within it are gone, and who takes from one of them takes from it. A marking of the net is
//! reachable if and only if the one with the sum of their tokens is reachable in the merged net, in two cases:
//!
//! * **Loops** (rule LOOP): moves lead from each of some places to each other of them. A run of the net without these
//!   moves is one of the merged net; a run of the merged net becomes one of the net in which before each transition the
//!   tokens are moved to where they are needed, and in the end they can be divided in any way.
//! * **Chains** (rule CONCAT): a move t leads from p to q, nothing else puts tokens on q, and q is empty at first. A
//!   run of the merged net becomes one of the net in which all tokens stay on p until they are needed on q: t fires as
//!   often as the next transition takes from q, and q is empty again afterwards. In the end any part of the tokens on p
//!   may move on.
//!
//! In both cases all divisions of the tokens are reachable. Places that an arc tests for absence stay as they are.
//!
//! Berthomieu, Le Botlan and Dal Zilio 2020, section 3.

use crate::reduction::draft::Draft;
use crate::reduction::free_cycles::{cycles, moves};

/// For each place the one that it is merged into, itself for most; `None` if there is nothing to merge.
pub(super) fn merging(draft: &Draft) -> Option<Vec<usize>> {
    let moves = moves(draft);
    cycles(draft, &moves).or_else(|| chains(draft, &moves))
}

/// For each place the first of its chain, where there are no cycles of moves; `None` if that is itself for all.
fn chains(draft: &Draft, moves: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut givers = vec![0u32; draft.initial.len()];
    draft.steps.iter().flat_map(|step| &step.post).for_each(|&(place, _)| givers[place] += 1);
    let mut before: Vec<Option<usize>> = vec![None; givers.len()];
    for &(from, to) in moves {
        if givers[to] == 1 && draft.initial[to] == 0 {
            before[to] = Some(from);
        }
    }
    if before.iter().all(Option::is_none) {
        return None;
    }
    // What is known of a place is known of all that lead to it, so that long chains are walked once.
    let mut first: Vec<Option<usize>> = vec![None; before.len()];
    for place in 0..before.len() {
        let mut chain = vec![place];
        let mut end = place;
        while let (None, Some(next)) = (first[end], before[end]) {
            end = next;
            chain.push(end);
        }
        let known = first[end].unwrap_or(end);
        chain.into_iter().for_each(|place| first[place] = Some(known));
    }
    first.into_iter().collect()
}
