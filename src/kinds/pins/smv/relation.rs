//! The steps of a program as conditions for diagrams: rows, inputs quantified, clusters.
//!
//! **Levels.** A variable of the state has the level that the order gives it. An input has none; it stands beside the
//! variables that it decides while rows are made, and is quantified in the conjunction of the rows that read it.
//!
//! **Clusters.** Rows are brought into an order in which current values are read for the last time early, and few next
//! values are new at a time (Ranjan, Aziz, Brayton, Plessier, Pixley, *Efficient BDD algorithms for FSM synthesis and
//! verification*, IWLS 1995). Neighbours are conjoined while they stay small.

use super::values::Coding;
use crate::budget::Budget;
use crate::model::VariableId;
use crate::relation::{
    ALWAYS, Arm, Branches, Condition, Conjunctive, ConjunctiveSteps, END, Link, LinkId, NEVER, Node, Relation, Tail,
    Target, Test,
};
use starset_smv::{Compiler, Diagram, Diagrams, Model, Role, Steps, Term, TooLarge};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What is built as usual.
pub(super) const USUAL: Sizes = Sizes { rows: 4_000_000, cluster: 2_000, event: 2_000, local: 50_000 };
/// Greatest number of values of a variable whose current and next values are told apart in a set.
const LARGEST: u32 = 1 << 10;
/// Runs of nodes that may be made for a conjunction, for each node that it may have, and at most.
const TRIED: (usize, usize) = (40, 400_000);
/// Runs of nodes that may be made to quantify an input.
const QUANTIFIED: usize = 400_000;

/// Nodes up to which rows are conjoined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Runs of the nodes of all rows together.
    pub(super) rows: usize,
    /// Of a cluster.
    pub(super) cluster: usize,
    /// Of steps of all variables that are an event.
    pub(super) event: usize,
    /// Of steps that leave most variables as they are.
    pub(super) local: usize,
}

/// The relation with the steps of a program and its first states; `state` are its variables by slot, and `relation` has
/// their levels. `None` where the diagrams of its rows are too large.
pub(super) fn relation(
    model: &Model,
    state: &[usize],
    labels: &[Term],
    order: &[VariableId],
    mut relation: Relation,
    sizes: Sizes,
    budget: &Budget,
) -> Option<Relation> {
    let ordered: Vec<usize> = order.iter().map(|variable| state[variable.index()]).collect();
    let slots = with_inputs(model, &ordered);
    let mut rows = Compiler::new(model, &slots, sizes.rows)?;
    let budget = budget.clone();
    rows.diagrams.stop_when(Arc::new(move || budget.check().is_err()));
    let first = rows.first().ok()?;
    let steps = rows.steps().ok()?;
    let labels: Vec<Diagram> = labels.iter().map(|&label| rows.term(label)).collect::<Result<_, _>>().ok()?;
    if labels.iter().any(|&label| rows.diagrams.has_fault(label)) {
        return None;
    }
    let mut levels = vec![u32::MAX; slots.len()];
    for (level, &variable) in (0..).zip(&ordered) {
        levels[rows.slot(variable)? as usize] = level;
    }
    let codings = ordered.iter().map(|&variable| Coding::of(&model.variables[variable])).collect();
    let mut making = Making { rows, levels, codings, sizes, made: HashMap::new() };
    let mut together = Vec::new();
    for Steps { label, rows, kept } in steps {
        let rows = making.without_inputs(rows).ok()?;
        let kept: Vec<u32> = kept.iter().map(|&slot| making.levels[slot as usize]).collect();
        match making.product(&rows, 2 * kept.len() >= making.codings.len()) {
            Some(product) => making.event(&mut relation, label, product, &kept),
            None if making.has_large_domain(&kept) => return None,
            None => together.push(making.conjunction(label, rows, &kept).ok()?),
        }
    }
    let mut first: Vec<Condition> = first.into_iter().map(|row| making.condition(row)).collect();
    first.extend(making.domains(false));
    let labels = labels.into_iter().map(|label| making.condition(label)).collect();
    let sizes = making.codes();
    Some(relation.with_conjunctive(Conjunctive { sizes, steps: together, first: Some(first), labels }))
}

/// The variables of the state in their order, and each input before the first of those that something depends on along
/// with it.
fn with_inputs(model: &Model, ordered: &[usize]) -> Vec<usize> {
    let place: HashMap<usize, usize> = ordered.iter().enumerate().map(|(place, &variable)| (variable, place)).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); ordered.len() + 1];
    let terms = model.trans.iter().copied().map(|term| (None, term));
    let assigned = model.assignments.iter().map(|assignment| (Some(assignment.variable), assignment.value));
    let rows: Vec<(Option<usize>, Vec<usize>)> = terms
        .chain(assigned)
        .map(|(target, term)| (target, model.terms.variables(term).into_iter().map(|(variable, _)| variable).collect()))
        .collect();
    for input in (0..model.variables.len()).filter(|&variable| model.variables[variable].role == Role::Input) {
        let beside = rows.iter().filter(|(_, read)| read.contains(&input));
        let places =
            beside.flat_map(|(target, read)| target.iter().chain(read)).filter_map(|variable| place.get(variable));
        before[places.min().copied().unwrap_or(0)].push(input);
    }
    let mut all = Vec::new();
    for (at, inputs) in before.into_iter().enumerate() {
        all.extend(inputs);
        all.extend(ordered.get(at));
    }
    all
}

/// Runs of nodes that may be made for a conjunction that may have so many nodes.
fn tried(most: usize) -> usize {
    (TRIED.0 * most).min(TRIED.1)
}

/// Rows on their way to clusters.
struct Making<'m> {
    rows: Compiler<'m>,
    /// By slot: the level, if its variable has one.
    levels: Vec<u32>,
    /// By level.
    codings: Vec<Coding>,
    sizes: Sizes,
    made: HashMap<Diagram, Condition>,
}

impl Making<'_> {
    /// By level, how many codes there are, used or not.
    fn codes(&self) -> Vec<u32> {
        self.codings.iter().map(Coding::codes).collect()
    }

    /// That the values on levels with unused codes are values.
    fn domains(&self, next: bool) -> Vec<Condition> {
        let with_gaps = self.codings.iter().enumerate().filter(|(_, coding)| coding.has_gaps());
        with_gaps
            .map(|(level, coding)| {
                let node = |code: u32| if coding.value(code).is_some() { ALWAYS } else { NEVER };
                let runs = in_runs((0..coding.codes()).map(node));
                Condition { tests: vec![Test { level: level as u32, next, runs }], root: 2 }
            })
            .collect()
    }

    /// May a pair of values of a variable that does not stay be too large a number, or pairs too many?
    fn has_large_domain(&self, kept: &[u32]) -> bool {
        (0..).zip(&self.codings).any(|(level, coding)| coding.codes() > LARGEST && !kept.contains(&level))
    }

    /// The conjunction of all rows, if that is small.
    fn product(&mut self, rows: &[Diagram], local: bool) -> Option<Diagram> {
        let diagrams = &mut self.rows.diagrams;
        let most = if local { self.sizes.local } else { self.sizes.event };
        let mut all = Diagrams::TRUE;
        let mut rows = rows.to_vec();
        rows.sort_by_key(|&row| std::cmp::Reverse(diagrams.level(row)));
        diagrams.allow(tried(most));
        for row in rows {
            all = diagrams.and(all, row).ok()?;
        }
        (diagrams.nodes_of(all) <= most).then_some(all)
    }

    /// The children of a diagram on a level that is not below its own, for each code, unless they are false.
    fn children(&self, coding: &Coding, level: u32, diagram: Diagram) -> Vec<(u32, Diagram)> {
        let diagrams = &self.rows.diagrams;
        let size = diagrams.size(level);
        let runs = match diagrams.node(diagram) {
            Some((own, runs)) if own == level => runs.to_vec(),
            _ => vec![(0, diagram)],
        };
        let mut children = Vec::new();
        for (at, &(first, child)) in runs.iter().enumerate().filter(|(_, (_, child))| *child != Diagrams::FALSE) {
            let end = runs.get(at + 1).map_or(size, |&(first, _)| first);
            children.extend((first..end).filter_map(|number| Some((coding.code_of(number)?, child))));
        }
        if !coding.is_plain() {
            children.sort_unstable_by_key(|&(code, _)| code);
        }
        children
    }

    /// Steps that leave these levels as they are, as an event.
    fn event(&self, relation: &mut Relation, label: u32, product: Diagram, kept: &[u32]) {
        let is_kept = (0..self.codings.len() as u32).map(|level| kept.contains(&level)).collect();
        let mut slots = vec![0; self.codings.len()];
        for (slot, &level) in (0..).zip(&self.levels) {
            if level != u32::MAX {
                slots[level as usize] = slot;
            }
        }
        let mut event = EventBuilder { making: self, relation, is_kept, slots, known: HashMap::new(), idle: true };
        if let Some(first) = event.link(0, product) {
            let idle = event.idle;
            relation.add_event_from(label, first, idle);
        }
    }

    fn conjunction(&mut self, label: u32, rows: Vec<Diagram>, kept: &[u32]) -> Result<ConjunctiveSteps, TooLarge> {
        let rows = self.clusters(rows)?;
        let mut clusters: Vec<Condition> = rows.into_iter().map(|row| self.condition(row)).collect();
        clusters.extend(self.domains(true));
        Ok(ConjunctiveSteps::new(label, clusters, kept, self.codings.len() as u32))
    }

    /// The levels of diagrams that belong to inputs.
    fn is_input(&self, level: u32) -> bool {
        self.levels[level as usize / 2] == u32::MAX
    }

    /// The same rows, with each input quantified in the conjunction of those that read it.
    fn without_inputs(&mut self, mut rows: Vec<Diagram>) -> Result<Vec<Diagram>, TooLarge> {
        let diagrams = &self.rows.diagrams;
        let mut inputs: BTreeSet<u32> = rows.iter().flat_map(|&row| diagrams.support(row)).collect();
        inputs.retain(|&level| self.is_input(level));
        // Those that the fewest rows read come first.
        let mut open: Vec<u32> = inputs.into_iter().collect();
        while !open.is_empty() {
            let readers =
                |level: u32| rows.iter().filter(|&&row| self.rows.diagrams.support(row).contains(&level)).count();
            let at = (0..open.len()).min_by_key(|&at| readers(open[at])).unwrap_or(0);
            let level = open.swap_remove(at);
            let diagrams = &mut self.rows.diagrams;
            let (read, mut others): (Vec<Diagram>, Vec<Diagram>) =
                rows.iter().partition(|&&row| diagrams.support(row).contains(&level));
            diagrams.allow(QUANTIFIED);
            let mut all = Diagrams::TRUE;
            for row in read {
                all = diagrams.and(all, row)?;
            }
            others.push(diagrams.some(all, level)?);
            rows = others;
        }
        rows.retain(|&row| row != Diagrams::TRUE);
        Ok(rows)
    }

    /// The rows in an order for early quantification, small neighbours conjoined.
    fn clusters(&mut self, rows: Vec<Diagram>) -> Result<Vec<Diagram>, TooLarge> {
        let most = self.sizes.cluster;
        let diagrams = &mut self.rows.diagrams;
        let supports: Vec<BTreeSet<u32>> =
            rows.iter().map(|&row| diagrams.support(row).into_iter().collect()).collect();
        let mut readers: HashMap<u32, usize> = HashMap::new();
        for &level in supports.iter().flatten().filter(|&&level| level % 2 == 0) {
            *readers.entry(level).or_default() += 1;
        }
        let (mut open, mut written) = ((0..rows.len()).collect::<Vec<usize>>(), BTreeSet::new());
        let mut ordered = Vec::new();
        while !open.is_empty() {
            let gain = |&row: &usize| -> i64 {
                let current = supports[row].iter().filter(|&&level| level % 2 == 0);
                let last = current.filter(|level| readers[level] == 1).count() as i64;
                let new =
                    supports[row].iter().filter(|&level| level % 2 == 1 && !written.contains(level)).count() as i64;
                2 * last - new
            };
            let best =
                (0..open.len()).max_by_key(|&at| (gain(&open[at]), std::cmp::Reverse(supports[open[at]].first())));
            let row = open.swap_remove(best.unwrap_or(0));
            for level in &supports[row] {
                match level % 2 {
                    0 => *readers.entry(*level).or_default() -= 1,
                    _ => {
                        written.insert(*level);
                    }
                }
            }
            ordered.push(rows[row]);
        }
        let mut clusters: Vec<Diagram> = Vec::new();
        for row in ordered {
            if let Some(last) = clusters.last_mut() {
                diagrams.allow(tried(most));
                if let Ok(both) = diagrams.and(*last, row)
                    && diagrams.nodes_of(both) <= most
                {
                    *last = both;
                    continue;
                }
            }
            clusters.push(row);
        }
        Ok(clusters)
    }

    /// A diagram as a condition on levels and codes.
    fn condition(&mut self, diagram: Diagram) -> Condition {
        if let Some(made) = self.made.get(&diagram) {
            return made.clone();
        }
        let mut made = Made { making: self, tests: Vec::new(), known: HashMap::new() };
        let root = made.node(diagram);
        let condition = Condition { tests: made.tests, root };
        self.made.insert(diagram, condition.clone());
        condition
    }
}

/// An event under construction: a branch on each level that the steps read or write.
struct EventBuilder<'k, 'm, 'r> {
    making: &'k Making<'m>,
    relation: &'r mut Relation,
    /// By level: does the variable stay as it is?
    is_kept: Vec<bool>,
    /// By level.
    slots: Vec<u32>,
    known: HashMap<(u32, Diagram), Option<LinkId>>,
    /// Does everything stay as it is so far?
    idle: bool,
}

impl EventBuilder<'_, '_, '_> {
    /// The link for what a diagram says of a level and those below; `None` if it is never.
    fn link(&mut self, level: u32, diagram: Diagram) -> Option<LinkId> {
        let making = self.making;
        let diagrams = &making.rows.diagrams;
        if diagram == Diagrams::FALSE {
            return None;
        }
        let Some(&slot) = self.slots.get(level as usize) else { return Some(END) };
        let kept = self.is_kept[level as usize];
        if kept && diagrams.level(diagram) > 2 * slot {
            return self.link(level + 1, diagram);
        }
        if let Some(&known) = self.known.get(&(level, diagram)) {
            return known;
        }
        let coding = &making.codings[level as usize];
        let mut rows: Vec<(u32, Vec<Arm>)> = Vec::new();
        for (code, below) in making.children(coding, 2 * slot, diagram) {
            let mut arms = Vec::new();
            let mut arm = |target: Target, next: LinkId| arms.push(Arm { target, tail: Tail { next, times: 1 } });
            if kept {
                if let Some(next) = self.link(level + 1, below) {
                    arm(Target::KEPT, next);
                }
            } else {
                for (after, below) in making.children(coding, 2 * slot + 1, below) {
                    if let Some(next) = self.link(level + 1, below) {
                        self.idle &= after == code;
                        arm(Target::Value(after), next);
                    }
                }
            }
            if !arms.is_empty() {
                rows.push((code, arms));
            }
        }
        let link = (!rows.is_empty()).then(|| {
            let branches = Branches::of_each(rows.iter().map(|(code, arms)| (*code, &arms[..])));
            self.relation.link_to(Link::Branch { level, branches: Arc::new(branches) })
        });
        self.known.insert((level, diagram), link);
        link
    }
}

/// A condition under construction.
struct Made<'k, 'm> {
    making: &'k Making<'m>,
    tests: Vec<Test>,
    known: HashMap<Diagram, Node>,
}

impl Made<'_, '_> {
    fn node(&mut self, diagram: Diagram) -> Node {
        let diagrams = &self.making.rows.diagrams;
        let Some((level, runs)) = diagrams.node(diagram) else {
            return if diagram == Diagrams::TRUE { ALWAYS } else { NEVER };
        };
        if let Some(&known) = self.known.get(&diagram) {
            return known;
        }
        let children: Vec<(u32, Node)> = runs.iter().map(|&(first, child)| (first, self.node(child))).collect();
        let at = self.making.levels[level as usize / 2];
        let coding = &self.making.codings[at as usize];
        let child = |number: u32| children[children.partition_point(|&(first, _)| first <= number) - 1].1;
        let runs = if coding.is_plain() {
            children.into()
        } else {
            in_runs((0..coding.codes()).map(|code| coding.number(code).map_or(NEVER, child)))
        };
        self.tests.push(Test { level: at, next: level % 2 == 1, runs });
        let node = self.tests.len() as u32 + 1;
        self.known.insert(diagram, node);
        node
    }
}

/// The children of consecutive values as runs.
fn in_runs(children: impl Iterator<Item = Node>) -> Box<[(u32, Node)]> {
    let mut runs: Vec<(u32, Node)> = (0..).zip(children).collect();
    runs.dedup_by(|next, before| next.1 == before.1);
    runs.into()
}
