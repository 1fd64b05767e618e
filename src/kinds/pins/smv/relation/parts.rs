//! Rows as what diagrams go through: inputs quantified, clusters, conditions on levels.
//!
//! **Clusters.** Rows are brought into an order in which current values are read for the last time early, and few next
//! values are new at a time (Ranjan, Aziz, Brayton, Plessier, Pixley, *Efficient BDD algorithms for FSM synthesis and
//! verification*, IWLS 1995). Neighbours are conjoined while they stay small.

use super::super::values::Coding;
use super::given::{LARGEST, QUANTIFIED, Sizes, tried};
use crate::relation::{ALWAYS, Condition, Conjunctive, ConjunctiveSteps, NEVER, Node, Relation, Test};
use starset_smv::{Diagram, Diagrams, Steps, TooLarge};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The rows of a program, over slots of diagrams.
pub(super) struct Rows {
    pub(super) diagrams: Diagrams,
    /// By slot: the level; `u32::MAX` of an input.
    pub(super) levels: Vec<u32>,
    /// By level.
    pub(super) codings: Vec<Coding>,
    /// Conditions on first states.
    pub(super) first: Vec<Diagram>,
    pub(super) steps: Vec<Steps>,
    pub(super) labels: Vec<Diagram>,
}

impl Rows {
    /// A relation over the levels of another one, with these rows as its steps and first states.
    pub(super) fn relation(self, mut relation: Relation, sizes: Sizes) -> Option<Relation> {
        let Rows { diagrams, levels, codings, first, steps, labels } = self;
        let mut making = Making { diagrams, levels, codings, sizes, made: HashMap::new() };
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
}

/// Rows on their way to clusters.
pub(super) struct Making {
    pub(super) diagrams: Diagrams,
    /// By slot: the level, if its variable has one.
    pub(super) levels: Vec<u32>,
    /// By level.
    pub(super) codings: Vec<Coding>,
    sizes: Sizes,
    made: HashMap<Diagram, Condition>,
}

impl Making {
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
        let diagrams = &mut self.diagrams;
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
    pub(super) fn children(&self, coding: &Coding, level: u32, diagram: Diagram) -> Vec<(u32, Diagram)> {
        let diagrams = &self.diagrams;
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
    fn without_inputs(&mut self, rows: Vec<Diagram>) -> Result<Vec<Diagram>, TooLarge> {
        let supported = |all: &Self, row: Diagram| -> (Diagram, Vec<u32>) {
            let inputs = all.diagrams.support(row).into_iter().filter(|&level| all.is_input(level));
            (row, inputs.collect())
        };
        // Each with the inputs that it reads.
        let mut rows: Vec<(Diagram, Vec<u32>)> = rows.into_iter().map(|row| supported(self, row)).collect();
        loop {
            let mut readers: BTreeMap<u32, usize> = BTreeMap::new();
            rows.iter().flat_map(|(_, inputs)| inputs).for_each(|&input| *readers.entry(input).or_default() += 1);
            // Those that the fewest rows read come first.
            let Some((&level, _)) = readers.iter().min_by_key(|&(_, &count)| count) else { break };
            let (read, mut others): (Vec<_>, Vec<_>) =
                rows.into_iter().partition(|(_, inputs)| inputs.contains(&level));
            self.diagrams.allow(QUANTIFIED);
            let mut all = Diagrams::TRUE;
            for (row, _) in read {
                all = self.diagrams.and(all, row)?;
            }
            let all = self.diagrams.some(all, level)?;
            others.push(supported(self, all));
            rows = others;
        }
        Ok(rows.into_iter().map(|(row, _)| row).filter(|&row| row != Diagrams::TRUE).collect())
    }

    /// The rows in an order for early quantification, small neighbours conjoined.
    fn clusters(&mut self, rows: Vec<Diagram>) -> Result<Vec<Diagram>, TooLarge> {
        let most = self.sizes.cluster;
        let diagrams = &mut self.diagrams;
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

/// A condition under construction.
struct Made<'k> {
    making: &'k Making,
    tests: Vec<Test>,
    known: HashMap<Diagram, Node>,
}

impl Made<'_> {
    fn node(&mut self, diagram: Diagram) -> Node {
        let diagrams = &self.making.diagrams;
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
