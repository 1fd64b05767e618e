//! The reachable states, breadth first: relational products with one cluster after the other, each current bit
//! quantified in the last that reads it, and next bits renamed in the end.

use crate::bits::Bits;
use crate::rows::Conditions;
use oxidd::error::OutOfMemory;
use oxidd::{BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager, ManagerRef, Subst};

/// Nodes from which on garbage is collected, and again when they have become twice as many, as starset does it.
const FEW: usize = 1 << 23;

/// The steps with one label.
struct Step<F> {
    /// The current bits that no cluster reads.
    unread: F,
    /// Each with the current bits that none of those after it reads.
    clusters: Vec<(F, F)>,
    /// Next bits as current ones.
    rename: Subst<F>,
}

/// A program by bits.
pub(crate) struct Search<F: Function> {
    manager: F::ManagerRef,
    first: F,
    steps: Vec<Step<F>>,
    width: usize,
    sizes: bool,
    nodes: Nodes,
}

/// How many nodes there are.
#[derive(Default)]
pub(crate) struct Nodes {
    /// At once, garbage included, as far as is seen between operations.
    pub(crate) peak: usize,
    /// Of the largest set between two clusters, or after all, if sets are counted.
    pub(crate) largest: usize,
    /// After the last collection.
    left: usize,
}

/// What is found.
pub(crate) struct Found<F> {
    /// The reachable states, as current bits.
    pub(crate) reached: F,
    /// How many bits they have.
    pub(crate) width: usize,
    /// Images that led to new states.
    pub(crate) rounds: usize,
    /// How many nodes there were.
    pub(crate) nodes: Nodes,
}

impl<F: BooleanFunctionQuant + FunctionSubst> Search<F> {
    /// Of the conditions of a program; neighbours among the clusters are conjoined up to so many nodes of bits.
    pub(crate) fn new(
        manager: F::ManagerRef,
        conditions: &Conditions<'_>,
        conjoin: usize,
    ) -> Result<Self, OutOfMemory> {
        let diagrams = &conditions.compiler.diagrams;
        let slots = 0..conditions.of_state.len() as u32;
        let sizes: Vec<u32> = slots
            .clone()
            .map(|slot| if conditions.of_state[slot as usize] { diagrams.size(2 * slot) } else { 1 })
            .collect();
        let mut bits = Bits::<F>::new(&manager, &sizes)?;
        let mut first = bits.always().clone();
        for slot in slots.clone() {
            first = first.and(&bits.domain(2 * slot)?)?;
        }
        for &row in &conditions.first {
            first = first.and(&bits.condition(diagrams, row)?)?;
        }
        let mut steps = Vec::new();
        for of_label in &conditions.steps {
            let moving: Vec<u32> = slots.clone().filter(|slot| !of_label.kept.contains(slot)).collect();
            let mut clusters: Vec<(F, Vec<u32>)> = Vec::new();
            for &row in &of_label.rows {
                let (condition, support) = (bits.condition(diagrams, row)?, diagrams.support(row));
                if let Some((last, read)) = clusters.last_mut().filter(|_| conjoin > 0) {
                    let both = last.and(&condition)?;
                    if both.node_count() <= conjoin {
                        *last = both;
                        read.extend(support);
                        continue;
                    }
                }
                clusters.push((condition, support));
            }
            if clusters.is_empty() {
                clusters.push((bits.always().clone(), Vec::new()));
            }
            let end = clusters.len() - 1;
            let reader = |level: u32| clusters.iter().rposition(|(_, read)| read.contains(&level));
            let readers: Vec<Option<usize>> = moving.iter().map(|&slot| reader(2 * slot)).collect();
            for &slot in &moving {
                let writer = clusters.iter().position(|(_, read)| read.contains(&(2 * slot + 1)));
                let condition = &mut clusters[writer.unwrap_or(end)].0;
                *condition = condition.and(&bits.domain(2 * slot + 1)?)?;
            }
            let cube = |of: Option<usize>| {
                let read = moving.iter().zip(&readers).filter(|(_, reader)| **reader == of);
                bits.cube(read.map(|(&slot, _)| 2 * slot))
            };
            let with_cube = |(at, (condition, _)): (usize, (F, Vec<u32>))| Ok((condition, cube(Some(at))?));
            let clusters = clusters.into_iter().enumerate().map(with_cube).collect::<Result<_, OutOfMemory>>()?;
            let next = moving.iter().flat_map(|&slot| bits.on(2 * slot + 1)).map(|&(number, _)| number).collect();
            let current = moving.iter().flat_map(|&slot| bits.on(2 * slot)).map(|(_, bit)| bit.clone()).collect();
            let rename = Subst::new(next, current);
            steps.push(Step { unread: cube(None)?, clusters, rename });
        }
        let width = bits.width();
        Ok(Search { manager, first, steps, width, sizes: false, nodes: Nodes::default() })
    }

    /// How many clusters there are, and their nodes.
    pub(crate) fn clusters(&self) -> (usize, usize) {
        let all = self.steps.iter().flat_map(|step| &step.clusters);
        all.fold((0, 0), |(count, nodes), (cluster, _)| (count + 1, nodes + cluster.node_count()))
    }

    /// Go through all states; `sizes` says whether all sets are counted, which takes time.
    pub(crate) fn reachable(mut self, sizes: bool) -> Result<Found<F>, OutOfMemory> {
        self.sizes = sizes;
        let (mut reached, mut frontier) = (self.first.clone(), self.first.clone());
        let mut rounds = 0;
        while frontier.satisfiable() {
            let from = if frontier.node_count() <= reached.node_count() { &frontier } else { &reached };
            let image = self.image(from)?;
            frontier = reached.imp_strict(&image)?;
            reached = reached.or(&frontier)?;
            self.look(&reached);
            rounds += usize::from(frontier.satisfiable());
        }
        Ok(Found { reached, width: self.width, rounds, nodes: self.nodes })
    }

    fn image(&mut self, from: &F) -> Result<F, OutOfMemory> {
        let mut all = self.manager.with_manager_shared(|manager| F::f(manager));
        for at in 0..self.steps.len() {
            let mut set = from.exists(&self.steps[at].unread)?;
            for cluster in 0..self.steps[at].clusters.len() {
                let (condition, read) = &self.steps[at].clusters[cluster];
                set = set.apply_exists(BooleanOperator::And, condition, read)?;
                self.look(&set);
            }
            all = all.or(&set.substitute(&self.steps[at].rename)?)?;
        }
        Ok(all)
    }

    /// Count nodes, and collect garbage.
    fn look(&mut self, set: &F) {
        if self.sizes {
            self.nodes.largest = self.nodes.largest.max(set.node_count());
        }
        self.manager.with_manager_shared(|manager| {
            let count = manager.num_inner_nodes();
            self.nodes.peak = self.nodes.peak.max(count);
            if count >= FEW.max(2 * self.nodes.left) {
                manager.gc();
                self.nodes.left = manager.num_inner_nodes();
            }
        });
    }
}
