//! Nets in which every run ends.
//!
//! **Idea.** Give each place a weight so that every firing makes the weighted sum of the tokens smaller: a *ranking*, which there
//! is no going below zero of. A linear program finds the weights if there are any. If there are none, some transitions, fired
//! often enough, take nothing away together (Farkas' lemma), and from enough tokens some run does not end.
//!
//! The solution of the program is rounded to whole numbers and verified. Inhibitor arcs only forbid firings.

use super::Incidence;
use super::linear_program::LinearProgram;
use crate::budget::Budget;
use crate::net::PetriNet;

/// By which the weights that were found are multiplied before they are rounded, until they still are a ranking.
const SCALES: [f64; 4] = [1.0, 6.0, 1e3, 1e6];
/// Weights beyond this are not looked at.
const HEAVIEST: f64 = 1e12;

/// Is it proved that no run goes on for ever, from no marking? Without a proof, because there is none or because the budget is
/// used up, that says nothing.
pub(crate) fn is_terminating(net: &PetriNet, budget: &Budget) -> bool {
    let Some(incidence) = Incidence::new(net) else { return false };
    let takes_nothing = |column: &Vec<(u32, i64)>| column.iter().all(|&(_, change)| change > 0);
    if incidence.columns().iter().any(takes_nothing) {
        return false;
    }
    let mut program = LinearProgram::minimize(net.places().iter().map(|_| 1.0));
    for column in incidence.columns() {
        let terms: Vec<(usize, f64)> =
            column.iter().map(|&(place, change)| (place as usize, -(change as f64))).collect();
        program.at_least(&terms, 1.0);
    }
    let Ok(weights) = program.solve(budget) else { return false };
    let rounded = |scale: f64| {
        let whole = |weight: &f64| Some((weight * scale).round().max(0.0)).filter(|&weight| weight <= HEAVIEST);
        weights.iter().map(|weight| whole(weight).map(|weight| weight as i128)).collect::<Option<Vec<i128>>>()
    };
    let mut rankings = SCALES.into_iter().filter_map(rounded);
    rankings.any(|weights| is_ranking(&incidence, &weights))
}

/// Does each firing make the sum smaller? The weights are no more than [`HEAVIEST`].
fn is_ranking(incidence: &Incidence, weights: &[i128]) -> bool {
    let sum = |column: &Vec<(u32, i64)>| -> i128 {
        column.iter().map(|&(place, change)| weights[place as usize] * i128::from(change)).sum()
    };
    incidence.columns().iter().all(|column| sum(column) < 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;
    use crate::random::{NetShape, Rng, net};
    use crate::reference::{Graph, explore};

    /// Is there a cycle of markings?
    fn has_cycle(graph: &Graph) -> bool {
        let count = graph.markings.len();
        let mut ahead = vec![0; count];
        graph.edges.iter().flatten().for_each(|&(_, next)| ahead[next] += 1);
        let mut queue: Vec<usize> = (0..count).filter(|&state| ahead[state] == 0).collect();
        let mut done = 0;
        while let Some(state) = queue.pop() {
            done += 1;
            for &(_, next) in &graph.edges[state] {
                ahead[next] -= 1;
                if ahead[next] == 0 {
                    queue.push(next);
                }
            }
        }
        done < count
    }

    #[test]
    fn no_run_of_a_terminating_net_goes_in_circles() {
        let (mut terminating, mut large, mut cyclic) = (0, 0, 0);
        for seed in 0..1500 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let Some(graph) = explore(&net, 300) else { continue };
            cyclic += usize::from(has_cycle(&graph));
            if is_terminating(&net, &Budget::unlimited()) {
                terminating += 1;
                large += usize::from(graph.markings.len() > 3);
                assert!(!has_cycle(&graph), "seed {seed}");
            }
        }
        assert!(terminating > 30 && large > 10 && cyclic > 100, "{terminating} {large} {cyclic}");
    }

    #[test]
    fn tokens_may_become_more_before_they_are_gone() {
        let mut b = NetBuilder::new("more");
        let (one, many) = (b.place("one", 1).unwrap(), b.place("many", 0).unwrap());
        let (split, take) = (b.transition("split").unwrap(), b.transition("take").unwrap());
        b.input(one, split, 1).unwrap();
        b.output(split, many, 7).unwrap();
        b.input(many, take, 3).unwrap();
        b.output(take, many, 2).unwrap();
        assert!(is_terminating(&b.build().unwrap(), &Budget::unlimited()));
    }
}
