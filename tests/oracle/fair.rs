//! Fairness assumptions by their definitions, on strongly connected parts of a graph.
//!
//! The steps that a fair path takes again and again make a strongly connected part of the graph (a set of nodes, not
//! always a whole component). A component has such a part if it satisfies every assumption itself, or, where it does not
//! because P is in it without Q, if what is left of it without P has one (the decomposition of Emerson and Lei 1987 for
//! Streett's condition, also Lichtenstein and Pnueli 1985).

use super::{Set, Setting, Undefined, ctl_star};
use starset::formula::FormulaId;
use starset::net::TransitionId;
use std::collections::BTreeMap;

/// An assumption about paths.
#[derive(Clone, Debug)]
pub enum Fair {
    /// This state formula holds infinitely often.
    Justice(FormulaId),
    /// If the first holds infinitely often, so does the second.
    Compassion(FormulaId, FormulaId),
    /// If one of the transitions is possible from some time on, one is taken infinitely often.
    Weak(Vec<TransitionId>),
    /// If one of the transitions is possible infinitely often, one is taken infinitely often.
    Strong(Vec<TransitionId>),
}

/// An assumption with the states that it speaks of.
pub(super) enum Known {
    Justice(Set),
    Compassion(Set, Set),
    Weak(Set, Vec<TransitionId>),
    Strong(Set, Vec<TransitionId>),
}

/// The assumptions of a setting; the quantifiers inside of them range over all paths.
pub(super) fn known(setting: Setting) -> Result<Vec<Known>, Undefined> {
    let set = |formula: &FormulaId| {
        let mut sat = BTreeMap::new();
        ctl_star::label(Setting { fair: &[], ..setting }, *formula, &mut sat)?;
        Ok(sat.remove(formula).unwrap())
    };
    let possible = |wanted: &[TransitionId]| {
        let edges = &setting.graph.edges;
        setting.states().map(|s| edges[s].iter().any(|(t, _)| wanted.contains(t))).collect::<Set>()
    };
    let known = |fair: &Fair| {
        Ok(match fair {
            Fair::Justice(f) => Known::Justice(set(f)?),
            Fair::Compassion(p, q) => Known::Compassion(set(p)?, set(q)?),
            Fair::Weak(list) => Known::Weak(possible(list), list.clone()),
            Fair::Strong(list) => Known::Strong(possible(list), list.clone()),
        })
    };
    setting.fair.iter().map(known).collect()
}

impl Known {
    /// Does it hold of a path that ends in this state?
    pub(super) fn at_end(&self, state: usize) -> bool {
        match self {
            Known::Justice(f) => f[state],
            Known::Compassion(p, q) => !p[state] || q[state],
            Known::Weak(..) | Known::Strong(..) => true,
        }
    }

    /// Does it hold of a path that passes exactly these nodes again and again, each a state and the step from there?
    /// If not, the nodes without which it could.
    fn fails(&self, nodes: &[(usize, Option<TransitionId>)]) -> Option<Vec<bool>> {
        let taken = |list: &[TransitionId]| nodes.iter().any(|node| node.1.is_some_and(|by| list.contains(&by)));
        let all = |culprit: &dyn Fn(usize) -> bool| Some(nodes.iter().map(|node| culprit(node.0)).collect());
        match self {
            Known::Justice(f) if nodes.iter().any(|node| f[node.0]) => None,
            Known::Justice(_) => all(&|_| true),
            Known::Compassion(_, q) if nodes.iter().any(|node| q[node.0]) => None,
            Known::Compassion(p, _) if nodes.iter().any(|node| p[node.0]) => all(&|state| p[state]),
            Known::Compassion(..) => None,
            Known::Weak(_, list) | Known::Strong(_, list) if taken(list) => None,
            Known::Weak(possible, _) if nodes.iter().any(|node| !possible[node.0]) => None,
            Known::Weak(..) => all(&|_| true),
            Known::Strong(possible, _) if nodes.iter().any(|node| possible[node.0]) => all(&|state| possible[state]),
            Known::Strong(..) => None,
        }
    }
}

/// Is there a fair strongly connected part among some nodes, in the eyes of `suits`, which knows other conditions that
/// need all of them? `split` finds the components of a set of nodes that have an edge inside.
pub(super) fn has_fair_part(
    among: Vec<usize>,
    node: &dyn Fn(usize) -> (usize, Option<TransitionId>),
    assumptions: &[Known],
    suits: &dyn Fn(&[usize]) -> bool,
    split: &dyn Fn(&[usize]) -> Vec<Vec<usize>>,
) -> bool {
    if !suits(&among) {
        return false;
    }
    let nodes: Vec<_> = among.iter().map(|&n| node(n)).collect();
    match assumptions.iter().find_map(|assumption| assumption.fails(&nodes)) {
        None => true,
        Some(culprits) => {
            let left: Vec<usize> =
                among.iter().zip(culprits).filter(|(_, culprit)| !culprit).map(|(&n, _)| n).collect();
            split(&left).into_iter().any(|part| has_fair_part(part, node, assumptions, suits, split))
        }
    }
}
