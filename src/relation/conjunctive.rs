//! Steps of all variables at once: a conjunction of conditions on current and next values.
//!
//! **Problem.** In a synchronous model every step moves every variable. As one event such a step is a diagram over all
//! levels, the product of conditions each of which is small, and the product can be far too large.
//!
//! **Idea.** The conditions stay apart, in clusters. An image conjoins the set with one cluster after the other, and a
//! current value is forgotten as soon as no later cluster reads it (early quantification; Burch, Clarke, Long 1991;
//! Ranjan et al. 1995). What is between two clusters is a set of tuples with a value for each level as before; only what
//! a value stands for changes from cluster to cluster ([`Mode`]): the current value of the variable, its next value, the
//! pair of both where both are still needed, or nothing. So no other kind of diagram is needed, and no second level for a
//! variable. A [`Plan`] says of each cluster what the values on each level stand for before and after it.
//!
//! The conditions are diagrams over interleaved levels, each current value above the next value of the same variable,
//! with runs of equal children ([`Condition`]).

use super::Relation;
use std::sync::Arc;

/// A node of a condition, by number; [`NEVER`] and [`ALWAYS`] are no nodes.
pub(crate) type Node = u32;
/// The condition that never holds.
pub(crate) const NEVER: Node = 0;
/// The condition that always holds.
pub(crate) const ALWAYS: Node = 1;

/// A node: what holds below depends on the current or the next value on a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    /// The level.
    pub(crate) level: u32,
    /// Is it the next value?
    pub(crate) next: bool,
    /// Runs of values with the same child: the first value of each, the first of all being 0, and the child.
    pub(crate) runs: Box<[(u32, Node)]>,
}

impl Test {
    /// The child for a value.
    #[inline(always)]
    pub(crate) fn child(&self, value: u32) -> Node {
        self.runs[self.runs.partition_point(|&(first, _)| first <= value) - 1].1
    }
}

/// A condition on the current and next values of some levels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    /// The nodes from number 2 on.
    pub(crate) tests: Vec<Test>,
    /// The first node.
    pub(crate) root: Node,
}

impl Condition {
    /// The test of a node, unless it is a constant.
    #[inline(always)]
    pub(crate) fn test(&self, node: Node) -> Option<&Test> {
        self.tests.get((node as usize).wrapping_sub(2))
    }

    /// How many numbers its nodes have, with the constants.
    pub(crate) fn numbers(&self) -> u32 {
        self.tests.len() as u32 + 2
    }

    fn mentions(&self, level: u32, next: bool) -> bool {
        self.tests.iter().any(|test| test.level == level && test.next == next)
    }
}

/// What the values on a level stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Nothing: there is the value 0 alone.
    Nothing,
    /// The current value.
    Current,
    /// The next value.
    Next,
    /// Both: the current value times the size of the domain, and the next value.
    Both,
    /// A value that stays as it is.
    Kept,
}

impl Mode {
    fn of(current: bool, next: bool) -> Mode {
        match (current, next) {
            (false, false) => Mode::Nothing,
            (true, false) => Mode::Current,
            (false, true) => Mode::Next,
            (true, true) => Mode::Both,
        }
    }
}

/// The part of a cluster in an image or a pre-image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// The number of the cluster.
    pub(crate) cluster: usize,
    /// By level, what values stand for before and after it.
    pub(crate) modes: Box<[(Mode, Mode)]>,
    /// By level: does something change there or below even where the condition always holds?
    pub(crate) changes: Box<[bool]>,
}

/// The steps with one label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ConjunctiveSteps {
    /// The label.
    pub(crate) label: u32,
    /// The clusters: at least one.
    pub(crate) clusters: Vec<Condition>,
    /// How an image goes through them.
    pub(crate) forward: Vec<Plan>,
    /// How a pre-image does.
    pub(crate) backward: Vec<Plan>,
    /// How an image does that forgets nothing.
    pub(crate) pairs: Vec<Plan>,
    /// The levels whose values stay.
    kept: Box<[u32]>,
}

impl ConjunctiveSteps {
    /// The steps that satisfy all of these conditions, one after the other in images, where the variables of the `kept`
    /// levels stay as they are, and next values that no condition mentions are any. There are `levels` of them.
    pub(crate) fn new(label: u32, mut clusters: Vec<Condition>, kept: &[u32], levels: u32) -> ConjunctiveSteps {
        if clusters.is_empty() {
            clusters.push(Condition { tests: Vec::new(), root: ALWAYS });
        }
        let is_kept: Vec<bool> = (0..levels).map(|level| kept.contains(&level)).collect();
        let mentions = |next: bool| -> Vec<Vec<bool>> {
            let of = |cluster: &Condition| (0..levels).map(|level| cluster.mentions(level, next)).collect();
            clusters.iter().map(of).collect()
        };
        let (reads, writes) = (mentions(false), mentions(true));
        let count = clusters.len();
        // Going one way, `old` values are forgotten after their last mention, and `new` ones are known from their first.
        let plans =
            |order: Vec<usize>, old: &[Vec<bool>], new: &[Vec<bool>], mode: fn(bool, bool) -> Mode| -> Vec<Plan> {
                let plan = |at: usize| {
                    let modes: Box<[(Mode, Mode)]> = (0..levels as usize)
                        .map(|level| {
                            if is_kept[level] {
                                return (Mode::Kept, Mode::Kept);
                            }
                            let after = |done: usize| {
                                let open = done == 0 || order[done..].iter().any(|&cluster| old[cluster][level]);
                                let known = order[..done].iter().any(|&cluster| new[cluster][level]);
                                mode(open, known)
                            };
                            (after(at), after(at + 1))
                        })
                        .collect();
                    let mut changes = vec![false; levels as usize + 1];
                    for level in (0..levels as usize).rev() {
                        changes[level] = changes[level + 1] || modes[level].0 != modes[level].1;
                    }
                    Plan { cluster: order[at], modes, changes: changes.into() }
                };
                (0..count).map(plan).collect()
            };
        let forward = plans((0..count).collect(), &reads, &writes, Mode::of);
        let backward = plans((0..count).rev().collect(), &writes, &reads, |old, new| Mode::of(new, old));
        let pairs = plans((0..count).collect(), &reads, &writes, |_, new| Mode::of(true, new));
        ConjunctiveSteps { label, clusters, forward, backward, pairs, kept: kept.into() }
    }

    /// Does a step lead from one state to another?
    pub(crate) fn leads(&self, from: &[u32], to: &[u32]) -> bool {
        let holds = |condition: &Condition| {
            let mut node = condition.root;
            while let Some(test) = condition.test(node) {
                node = test.child(if test.next { to } else { from }[test.level as usize]);
            }
            node == ALWAYS
        };
        self.kept.iter().all(|&level| from[level as usize] == to[level as usize]) && self.clusters.iter().all(holds)
    }

    /// Do all steps keep the value of a level?
    pub(crate) fn keeps(&self, level: u32) -> bool {
        self.kept.contains(&level)
    }

    /// How many numbers the nodes of its clusters have.
    pub(crate) fn numbers(&self) -> u32 {
        self.clusters.iter().map(Condition::numbers).sum()
    }
}

/// What a relation has of steps of all variables at once, and of initial states that are not listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Conjunctive {
    /// By level, how many values there are.
    pub(crate) sizes: Vec<u32>,
    /// The steps, by label.
    pub(crate) steps: Vec<ConjunctiveSteps>,
    /// The conditions that initial states satisfy, and they alone; `None` where they are listed.
    pub(crate) first: Option<Vec<Condition>>,
    /// By number of a state label, the condition that it is on current values; none where the model has to be asked.
    pub(crate) labels: Vec<Condition>,
}

impl Relation {
    /// The same relation with steps of all variables at once, and initial states by conditions.
    pub(crate) fn with_conjunctive(self, conjunctive: Conjunctive) -> Relation {
        Relation { conjunctive: Arc::new(conjunctive), ..self }
    }

    /// The steps of all variables at once, and conditions on initial states.
    pub(crate) fn conjunctive(&self) -> &Conjunctive {
        &self.conjunctive
    }

    /// Has it steps of all variables at once? They are no events.
    pub(crate) fn is_conjunctive(&self) -> bool {
        !self.conjunctive.steps.is_empty()
    }

    /// How many operator numbers an image or a pre-image by the steps of all variables needs.
    pub(crate) fn conjunctive_operators(&self) -> u32 {
        self.conjunctive.steps.iter().map(ConjunctiveSteps::numbers).sum()
    }

    /// All labels, of events and of steps of all variables; several times where several have them.
    pub(crate) fn labels(&self) -> impl Iterator<Item = u32> {
        let of_events = self.events().iter().flat_map(|event| event.labels.iter().copied());
        of_events.chain(self.conjunctive.steps.iter().map(|steps| steps.label))
    }
}
