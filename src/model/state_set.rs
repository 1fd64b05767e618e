//! Sets of states that have a name, as plain data: atoms of formulas.

use super::VariableId;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A node of a diagram: values, increasing, each with the index of a node of the next layer.
pub type Branching = Vec<(u64, u32)>;

/// A set of states of a model, with a name. Clones are the same set, and two sets that were made apart are different,
/// whatever is in them.
///
/// It is a diagram in layers: the first has one node, the root, or none, which is the set without states. Below the
/// last layer is one node, 0, the end of a state.
///
/// ```
/// use starset::model::{State, StateSet, VariableId};
/// // y = 1 and x = 0, or y = 2 and x = 5.
/// let layers = vec![vec![vec![(1, 0), (2, 1)]], vec![vec![(0, 0)], vec![(5, 0)]]];
/// let set = StateSet::new("some", vec![VariableId(1), VariableId(0)], layers).unwrap();
/// assert!(set.contains(|variable| State::new(vec![5, 2]).value(variable)));
/// assert!(!set.contains(|variable| State::new(vec![5, 1]).value(variable)));
/// assert_eq!(set.name(), "some");
/// ```
#[derive(Clone)]
pub struct StateSet(Arc<Diagram>);

struct Diagram {
    name: String,
    /// From the top.
    order: Vec<VariableId>,
    /// One for each variable.
    layers: Vec<Vec<Branching>>,
}

impl StateSet {
    /// A set as layers over variables from the top. `None` if there is not one layer for each variable, if the first has
    /// several nodes, if values do not increase, or if a node leads to one that is not there.
    pub fn new(name: impl Into<String>, order: Vec<VariableId>, layers: Vec<Vec<Branching>>) -> Option<StateSet> {
        let widths = layers.iter().skip(1).map(Vec::len).chain([1]);
        let fits = layers.len() == order.len()
            && layers.first().is_none_or(|top| top.len() <= 1)
            && layers.iter().zip(widths).all(|(layer, below)| {
                layer.iter().all(|node| {
                    node.is_sorted_by(|a, b| a.0 < b.0) && node.iter().all(|&(_, child)| (child as usize) < below)
                })
            });
        fits.then(|| StateSet(Arc::new(Diagram { name: name.into(), order, layers })))
    }

    /// The same without some variables, each of whose nodes has one child, or whose values lead to the same; `None`
    /// where they do not.
    pub(crate) fn without(&self, name: &str, left_out: impl Fn(VariableId) -> bool) -> Option<StateSet> {
        // By node of the layer below, the node that it stands for among those that are kept.
        let mut stands_for: Vec<u32> = vec![0];
        let (mut order, mut layers) = (Vec::new(), Vec::new());
        for (&variable, layer) in self.0.order.iter().zip(&self.0.layers).rev() {
            if left_out(variable) {
                let only = |node: &Branching| {
                    let mut below = node.iter().map(|&(_, child)| stands_for[child as usize]);
                    let first = below.next()?;
                    below.all(|other| other == first).then_some(first)
                };
                stands_for = layer.iter().map(only).collect::<Option<_>>()?;
                continue;
            }
            let node =
                |node: &Branching| node.iter().map(|&(value, child)| (value, stands_for[child as usize])).collect();
            let nodes: Vec<Branching> = layer.iter().map(node).collect();
            // Nodes that have become the same are one.
            let mut known = HashMap::new();
            let (mut kept, mut number) = (Vec::new(), Vec::new());
            for node in nodes {
                let next = kept.len() as u32;
                number.push(*known.entry(node.clone()).or_insert_with(|| {
                    kept.push(node);
                    next
                }));
            }
            stands_for = number;
            order.push(variable);
            layers.push(kept);
        }
        order.reverse();
        layers.reverse();
        // The root may stand for one that is not the first.
        match (stands_for.first(), layers.first_mut()) {
            (None, Some(top)) => top.clear(),
            (Some(&root), Some(top)) => *top = vec![top.get(root as usize)?.clone()],
            (_, None) => {}
        }
        StateSet::new(name, order, layers)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The variables of its layers, from the top.
    pub fn order(&self) -> &[VariableId] {
        &self.0.order
    }

    /// The nodes of each layer.
    pub(crate) fn layers(&self) -> &[Vec<Branching>] {
        &self.0.layers
    }

    /// Is the state with these values in the set?
    pub fn contains(&self, value: impl Fn(VariableId) -> u64) -> bool {
        self.holds(|layer| value(self.0.order[layer]))
    }

    /// The same of values by layer.
    pub(crate) fn holds(&self, value: impl Fn(usize) -> u64) -> bool {
        let mut at = 0;
        for (layer, nodes) in self.0.layers.iter().enumerate() {
            let Some(node) = nodes.get(at) else { return false };
            let Ok(arm) = node.binary_search_by_key(&value(layer), |&(value, _)| value) else { return false };
            at = node[arm].1 as usize;
        }
        true
    }
}

impl PartialEq for StateSet {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StateSet {}

impl Hash for StateSet {
    /// Where data lie in memory is a matter of chance; the order of a table must not be.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.name.hash(hasher);
    }
}

impl fmt::Debug for StateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0.name)
    }
}
