//! Most permissive updates: a variable takes its time to change, and meanwhile others see of it what they like.
//!
//! **Meaning.** A variable is 0, 1, on its way up or on its way down. It sets out, or turns round, where its function may
//! have the other value for *some* choice of 0 or 1 for each variable on its way, itself among them; and it arrives
//! whenever it likes. So nothing is missed that a model of more levels, of which the network is an abstraction, can do.
//! States of the network are those where nothing is on its way. Its attractors are the minimal trap spaces.
//!
//! **May.** Whether a function may have a value is asked of its decision diagram: at a variable on its way both
//! children count. That is a condition with a part for each child, as large as the diagram.
//!
//! Source: Paulevé, Kolčák, Chatain, Haar, *Reconciling qualitative, abstract, and scalable modeling of biological
//! networks*, Nature Communications 11, 2020.

use super::condition::{Condition, Conditions};
use super::function::{Component, FALLING, RISING};
use super::relation::diagrams_of;
use smallvec::SmallVec;
use starset_smv::{Diagram, Diagrams};
use std::collections::HashMap;

/// The greatest level of a variable that may move.
const MOST: u32 = FALLING;

/// The levels after this one, where the function may be 1, or 0.
pub(super) fn after(level: u32, may_be_1: bool, may_be_0: bool) -> SmallVec<[u32; 2]> {
    let (arrived, turned) = match level {
        0 => (None, may_be_1.then_some(RISING)),
        1 => (None, may_be_0.then_some(FALLING)),
        RISING => (Some(1), may_be_0.then_some(FALLING)),
        _ => (Some(0), may_be_1.then_some(RISING)),
    };
    arrived.into_iter().chain(turned).collect()
}

/// Give Boolean variables that may move four levels, and as conditions what their functions may be.
///
/// # Errors
/// Why they have none.
pub(super) fn extend(conditions: &mut Conditions, components: &mut [Component]) -> Result<(), String> {
    if let Some(other) = components.iter().find(|component| component.most != 1) {
        let why = "most permissive updates are of networks whose variables are all Boolean";
        return Err(format!("{why}: `{}` has levels up to {}", other.name, other.most));
    }
    let targets: Vec<Option<Condition>> = components
        .iter()
        .map(|component| component.target.as_ref().and_then(|target| target.first().copied()))
        .collect();
    let moving: Vec<Condition> = targets.iter().flatten().copied().collect();
    let too_large = |_| "the functions are too large for most permissive updates".to_owned();
    let (mut diagrams, mut made) = {
        let (diagrams, made) =
            diagrams_of(&conditions.program(&moving), &vec![2; components.len()]).map_err(too_large)?;
        (diagrams, made.into_iter())
    };
    let mut known = HashMap::new();
    for (variable, component) in components.iter_mut().enumerate() {
        let Some(be_1) = targets[variable].and_then(|_| made.next()) else { continue };
        let own =
            diagrams.make(2 * variable as u32, &[(0, Diagrams::FALSE), (1, Diagrams::TRUE)]).map_err(too_large)?;
        if be_1 == own {
            component.target = None;
            continue;
        }
        let be_0 = diagrams.not(be_1).map_err(too_large)?;
        component.most = MOST;
        component.target = Some([be_1, be_0].map(|one| may(conditions, &diagrams, one, &mut known)).into());
    }
    Ok(())
}

/// May a diagram be true, where variables on their way have any value?
fn may(
    conditions: &mut Conditions,
    diagrams: &Diagrams,
    root: Diagram,
    known: &mut HashMap<Diagram, Condition>,
) -> Condition {
    for (constant, value) in [(Diagrams::FALSE, false), (Diagrams::TRUE, true)] {
        known.insert(constant, conditions.constant(value));
    }
    // Children before their parents.
    let mut open = vec![(root, false)];
    while let Some((node, ready)) = open.pop() {
        let Some((level, runs)) = diagrams.node(node).filter(|_| !known.contains_key(&node)) else { continue };
        let children = [runs[0].1, runs[runs.len() - 1].1];
        if !ready {
            open.extend([(node, true), (children[0], false), (children[1], false)]);
            continue;
        }
        let variable = level as usize / 2;
        let [below_0, below_1] = children.map(|child| known[&child]);
        let (is_not_0, moves) = (conditions.at_least(variable, 1), conditions.at_least(variable, RISING));
        let is_0 = conditions.not(is_not_0);
        let may_be_0 = conditions.or(is_0, moves);
        let (by_0, by_1) = (conditions.and(may_be_0, below_0), conditions.and(is_not_0, below_1));
        known.insert(node, conditions.or(by_0, by_1));
    }
    known[&root]
}
