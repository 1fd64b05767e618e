//! The steps of a program as conjunctions of clusters, as starset makes them (`src/kinds/pins/smv/relation.rs`): the
//! same rows in the same order, inputs quantified in the same conjunctions, the same bounds.

use starset_smv::{Compiler, Diagram, Diagrams, Model, Role, Steps, TooLarge};
use std::collections::{BTreeSet, HashMap};

/// Runs of the nodes of all rows together.
const ROWS: usize = 4_000_000;
/// Nodes of steps that leave most variables as they are, up to which they are one cluster.
const LOCAL: usize = 50_000;
/// Runs of nodes that may be made for a conjunction, for each node that it may have, and at most.
const TRIED: (usize, usize) = (40, 400_000);
/// Runs of nodes that may be made to quantify an input.
const QUANTIFIED: usize = 400_000;

/// A program as conditions.
pub(crate) struct Conditions<'m> {
    /// Their diagrams, and slots.
    pub(crate) compiler: Compiler<'m>,
    /// By slot: is its variable one of the state?
    pub(crate) of_state: Vec<bool>,
    /// Conditions on first states.
    pub(crate) first: Vec<Diagram>,
    /// The steps, by label; their rows are clusters.
    pub(crate) steps: Vec<Steps>,
}

impl<'m> Conditions<'m> {
    /// Of a program, over the variables of the state in this order, with clusters of so many nodes.
    pub(crate) fn new(model: &'m Model, ordered: &[usize], cluster: usize) -> Result<Self, String> {
        let slots = with_inputs(model, ordered);
        let mut compiler = Compiler::new(model, &slots, ROWS).ok_or("a domain is too large")?;
        let first = compiler.first().map_err(|trouble| format!("first states: {trouble:?}"))?;
        let steps = compiler.steps().map_err(|trouble| format!("steps: {trouble:?}"))?;
        let of_state = slots.iter().map(|&variable| model.variables[variable].role != Role::Input).collect();
        let mut all = Conditions { compiler, of_state, first, steps: Vec::new() };
        for Steps { label, rows, kept } in steps {
            let rows = all.clusters(rows, &kept, cluster).map_err(|TooLarge| "the rows are too large")?;
            all.steps.push(Steps { label, rows, kept });
        }
        Ok(all)
    }

    fn clusters(&mut self, rows: Vec<Diagram>, kept: &[u32], most: usize) -> Result<Vec<Diagram>, TooLarge> {
        let rows = self.without_inputs(rows)?;
        let local = 2 * kept.len() >= self.of_state.iter().filter(|&&of_state| of_state).count();
        match self.product(&rows, if local { LOCAL } else { most }) {
            Some(product) => Ok(vec![product]),
            None => self.conjoined(rows, most),
        }
    }

    /// The conjunction of all rows, if that is small.
    fn product(&mut self, rows: &[Diagram], most: usize) -> Option<Diagram> {
        let diagrams = &mut self.compiler.diagrams;
        let mut all = Diagrams::TRUE;
        let mut rows = rows.to_vec();
        rows.sort_by_key(|&row| std::cmp::Reverse(diagrams.level(row)));
        diagrams.allow(tried(most));
        for row in rows {
            all = diagrams.and(all, row).ok()?;
        }
        (diagrams.nodes_of(all) <= most).then_some(all)
    }

    /// The same rows, with each input quantified in the conjunction of those that read it.
    fn without_inputs(&mut self, mut rows: Vec<Diagram>) -> Result<Vec<Diagram>, TooLarge> {
        let diagrams = &mut self.compiler.diagrams;
        let inputs: BTreeSet<u32> = rows.iter().flat_map(|&row| diagrams.support(row)).collect();
        let mut open: Vec<u32> = inputs.into_iter().filter(|&level| !self.of_state[level as usize / 2]).collect();
        while !open.is_empty() {
            let readers = |level: u32| rows.iter().filter(|&&row| diagrams.support(row).contains(&level)).count();
            let at = (0..open.len()).min_by_key(|&at| readers(open[at])).unwrap_or(0);
            let level = open.swap_remove(at);
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
    fn conjoined(&mut self, rows: Vec<Diagram>, most: usize) -> Result<Vec<Diagram>, TooLarge> {
        let diagrams = &mut self.compiler.diagrams;
        let supports: Vec<BTreeSet<u32>> =
            rows.iter().map(|&row| diagrams.support(row).into_iter().collect()).collect();
        let mut readers: HashMap<u32, usize> = HashMap::new();
        for &level in supports.iter().flatten().filter(|&&level| level % 2 == 0) {
            *readers.entry(level).or_default() += 1;
        }
        let (mut open, mut written) = ((0..rows.len()).collect::<Vec<usize>>(), BTreeSet::new());
        let mut clusters: Vec<Diagram> = Vec::new();
        while !open.is_empty() {
            let gain = |&row: &usize| -> i64 {
                let current = supports[row].iter().filter(|&&level| level % 2 == 0);
                let last = current.filter(|level| readers[level] == 1).count() as i64;
                let new = supports[row].iter().filter(|&level| level % 2 == 1 && !written.contains(level)).count();
                2 * last - new as i64
            };
            let best =
                (0..open.len()).max_by_key(|&at| (gain(&open[at]), std::cmp::Reverse(supports[open[at]].first())));
            let row = open.swap_remove(best.unwrap_or(0));
            for level in &supports[row] {
                match level % 2 {
                    0 => *readers.entry(*level).or_default() -= 1,
                    _ => _ = written.insert(*level),
                }
            }
            if let Some(last) = clusters.last_mut() {
                diagrams.allow(tried(most));
                if let Ok(both) = diagrams.and(*last, rows[row])
                    && diagrams.nodes_of(both) <= most
                {
                    *last = both;
                    continue;
                }
            }
            clusters.push(rows[row]);
        }
        Ok(clusters)
    }
}

/// The variables of the state in their order, and each input before the first of those that something depends on along
/// with it.
fn with_inputs(model: &Model, ordered: &[usize]) -> Vec<usize> {
    let place: HashMap<usize, usize> = ordered.iter().enumerate().map(|(place, &variable)| (variable, place)).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); ordered.len() + 1];
    let terms = model.trans.iter().map(|&term| (None, term));
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
