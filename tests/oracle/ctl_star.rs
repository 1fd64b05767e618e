//! CTL* by tableau (Lichtenstein and Pnueli 1985; Emerson and Lei 1987 for the nesting).
//!
//! For `E φ`, φ in negation normal form with the state subformulas replaced by their sets: the *elementary*
//! formulas are "a holds next" for each `X a`, and "u holds next" for each until or release u. A node of the
//! tableau is a state with a truth value for each elementary formula; with those, the truth of every
//! subformula now follows. A node may follow another if its truths are what the other one promised. A path
//! through the tableau along which no until is promised for ever without being fulfilled is a path of the
//! system on which every formula said to be true is true; so `E φ` holds in a state if from one of its nodes
//! in which φ is true such a path sets out: an infinite one into a strongly connected component that fulfils
//! every until, or (maximal paths) one that ends in a deadlock whose node promises nothing.
//!
//! Where φ has action atoms, a node also has the label of the step that is taken from it, which its followers are
//! targets of; in a deadlock there is no step and no label.
//!
//! Operators of the past are elementary, too: "a held before" for each `Y a` and `Z a`, and "u held before" for each
//! since or trigger u. A node may follow another if it says of the past what was true there. The path begins in a node
//! that says of it what is true at the first position.
//!
//! Under assumptions about paths, the component has to have a part that satisfies them ([`super::fair`]).
//!
//! At the end of a finite path `X a` is false, also where it came from `¬X ¬a`; a release owes nothing.

use super::{Fair, Set, Setting, Undefined, atoms, fair};
use starset::formula::{Formula, FormulaId, PathSemantics};
use starset::net::TransitionId;
use std::collections::{BTreeMap, HashMap};

/// A path formula in negation normal form; operands are indices of earlier nodes.
enum Nnf {
    /// A state formula or its complement.
    In(Set),
    /// The label of the next step is one of these (true), or not.
    By(Vec<TransitionId>, bool),
    And(Vec<usize>),
    Or(Vec<usize>),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
    /// At the position before; or there is none, if that is true enough.
    Before(usize, bool),
    Since(usize, usize),
    Trigger(usize, usize),
}

pub(super) fn label(setting: Setting, formula: FormulaId, sat: &mut BTreeMap<FormulaId, Set>) -> Result<(), Undefined> {
    assert!(setting.pool.is_state(formula), "a path formula has no sat-set");
    if sat.contains_key(&formula) {
        return Ok(());
    }
    let node = setting.pool[formula].clone();
    let set = match &node {
        Formula::Exists(path) => exists(setting, *path, true, sat)?,
        Formula::Forall(path) => exists(setting, *path, false, sat)?.iter().map(|&b| !b).collect(),
        _ if node.is_atom() => atoms::atom(setting, &node)?,
        Formula::Diamond(labels, a) | Formula::Box(labels, a) => {
            label(setting, *a, sat)?;
            let diamond = matches!(node, Formula::Diamond(..));
            let meant = |t: TransitionId| labels.as_ref().is_none_or(|labels| labels.contains(&t));
            let after = |s: usize| {
                let mut targets: Vec<usize> =
                    setting.graph.edges[s].iter().filter(|edge| meant(edge.0)).map(|edge| edge.1).collect();
                if labels.is_none() {
                    targets = setting.successors(s);
                }
                targets
            };
            let fair = fair_states(setting)?;
            let holds = |s: usize| {
                let mut targets = after(s).into_iter().filter(|&t| fair[t]).map(|t| sat[a][t]);
                if diamond { targets.any(|holds| holds) } else { targets.all(|holds| holds) }
            };
            setting.states().map(holds).collect()
        }
        _ => {
            for a in node.children() {
                label(setting, a, sat)?;
            }
            let operands: Vec<&Set> = node.children().iter().map(|a| &sat[a]).collect();
            atoms::boolean(&node, &operands)
        }
    };
    sat.insert(formula, set);
    Ok(())
}

/// The negation normal form of one path formula under construction.
struct Normal<'s> {
    setting: Setting<'s>,
    nodes: Vec<Nnf>,
    known: HashMap<(FormulaId, bool), usize>,
}

impl Normal<'_> {
    /// The node of `formula` (`positive`) or of its negation.
    fn build(
        &mut self,
        formula: FormulaId,
        positive: bool,
        sat: &mut BTreeMap<FormulaId, Set>,
    ) -> Result<usize, Undefined> {
        if let Some(&node) = self.known.get(&(formula, positive)) {
            return Ok(node);
        }
        let node = if self.setting.pool.is_state(formula) {
            label(self.setting, formula, sat)?;
            Nnf::In(sat[&formula].iter().map(|&b| b == positive).collect())
        } else {
            match self.setting.pool[formula].clone() {
                Formula::Action(labels) => Nnf::By(labels, positive),
                Formula::Not(a) => {
                    let operand = self.build(a, !positive, sat)?;
                    self.known.insert((formula, positive), operand);
                    return Ok(operand);
                }
                Formula::And(operands) => {
                    let all = operands.iter().map(|&a| self.build(a, positive, sat)).collect::<Result<_, _>>()?;
                    if positive { Nnf::And(all) } else { Nnf::Or(all) }
                }
                Formula::Or(operands) => {
                    let all = operands.iter().map(|&a| self.build(a, positive, sat)).collect::<Result<_, _>>()?;
                    if positive { Nnf::Or(all) } else { Nnf::And(all) }
                }
                Formula::Implies(a, b) => {
                    let both = vec![self.build(a, !positive, sat)?, self.build(b, positive, sat)?];
                    if positive { Nnf::Or(both) } else { Nnf::And(both) }
                }
                Formula::Iff(a, b) => {
                    // (a ∧ b) ∨ (¬a ∧ ¬b), or (a ∧ ¬b) ∨ (¬a ∧ b)
                    let one = Nnf::And(vec![self.build(a, true, sat)?, self.build(b, positive, sat)?]);
                    let other = Nnf::And(vec![self.build(a, false, sat)?, self.build(b, !positive, sat)?]);
                    Nnf::Or(vec![self.add(one), self.add(other)])
                }
                Formula::Next(a) => Nnf::Next(self.build(a, positive, sat)?),
                Formula::Finally(a) => {
                    let (any, a) = (self.constant(positive), self.build(a, positive, sat)?);
                    if positive { Nnf::Until(any, a) } else { Nnf::Release(any, a) }
                }
                Formula::Globally(a) => {
                    let (none, a) = (self.constant(!positive), self.build(a, positive, sat)?);
                    if positive { Nnf::Release(none, a) } else { Nnf::Until(none, a) }
                }
                Formula::Until(a, b) | Formula::Release(a, b) => {
                    let until = matches!(self.setting.pool[formula], Formula::Until(..));
                    let (a, b) = (self.build(a, positive, sat)?, self.build(b, positive, sat)?);
                    if until == positive { Nnf::Until(a, b) } else { Nnf::Release(a, b) }
                }
                Formula::WeakUntil(a, b) => {
                    // a W b = b R (a ∨ b); ¬(a W b) = ¬b U (¬a ∧ ¬b)
                    let (a, b) = (self.build(a, positive, sat)?, self.build(b, positive, sat)?);
                    let either = self.add(if positive { Nnf::Or(vec![a, b]) } else { Nnf::And(vec![a, b]) });
                    if positive { Nnf::Release(b, either) } else { Nnf::Until(b, either) }
                }
                Formula::StrongRelease(a, b) => {
                    // a M b = b U (a ∧ b); ¬(a M b) = ¬b R (¬a ∨ ¬b)
                    let (a, b) = (self.build(a, positive, sat)?, self.build(b, positive, sat)?);
                    let both = self.add(if positive { Nnf::And(vec![a, b]) } else { Nnf::Or(vec![a, b]) });
                    if positive { Nnf::Until(b, both) } else { Nnf::Release(b, both) }
                }
                Formula::Yesterday(a) => Nnf::Before(self.build(a, positive, sat)?, !positive),
                Formula::WeakYesterday(a) => Nnf::Before(self.build(a, positive, sat)?, positive),
                Formula::Since(a, b) | Formula::Trigger(a, b) => {
                    let since = matches!(self.setting.pool[formula], Formula::Since(..));
                    let (a, b) = (self.build(a, positive, sat)?, self.build(b, positive, sat)?);
                    if since == positive { Nnf::Since(a, b) } else { Nnf::Trigger(a, b) }
                }
                other => panic!("not a path formula: {other:?}"),
            }
        };
        let index = self.add(node);
        self.known.insert((formula, positive), index);
        Ok(index)
    }

    fn add(&mut self, node: Nnf) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn constant(&mut self, value: bool) -> usize {
        self.add(Nnf::In(vec![value; self.setting.graph.states()]))
    }
}

/// The states with a path that satisfies `path` (`positive`) or its negation.
fn exists(
    setting: Setting,
    path: FormulaId,
    positive: bool,
    sat: &mut BTreeMap<FormulaId, Set>,
) -> Result<Set, Undefined> {
    let mut normal = Normal { setting, nodes: Vec::new(), known: HashMap::new() };
    let root = normal.build(path, positive, sat)?;
    from_nodes(setting, &normal.nodes, root)
}

/// The states where a fair path begins.
fn fair_states(setting: Setting) -> Result<Set, Undefined> {
    if setting.fair.is_empty() {
        return Ok(vec![true; setting.graph.states()]);
    }
    from_nodes(setting, &[Nnf::In(vec![true; setting.graph.states()])], 0)
}

/// The states with a fair path that satisfies the formula whose root this is.
fn from_nodes(setting: Setting, nodes: &[Nnf], root: usize) -> Result<Set, Undefined> {
    let assumptions = fair::known(setting)?;
    let is_past = |&i: &usize| matches!(nodes[i], Nnf::Before(..) | Nnf::Since(..) | Nnf::Trigger(..));
    let mut temporal: Vec<usize> =
        (0..nodes.len()).filter(|&i| matches!(nodes[i], Nnf::Next(_) | Nnf::Until(..) | Nnf::Release(..))).collect();
    // The bits of the past are the highest.
    let future = temporal.len();
    temporal.extend((0..nodes.len()).filter(is_past));
    let past = &temporal[future..];
    assert!(temporal.len() <= 16, "{} temporal operators are too many for brute force", temporal.len());
    let promises = 1usize << temporal.len();
    let bit: HashMap<usize, usize> = temporal.iter().enumerate().map(|(bit, &node)| (node, bit)).collect();

    // The ways to go on from each state: the label, where labels count, and the targets.
    let by_label = nodes.iter().any(|node| matches!(node, Nnf::By(..)))
        || setting.fair.iter().any(|fair| matches!(fair, Fair::Weak(_) | Fair::Strong(_)));
    let ways: Vec<Vec<(Option<TransitionId>, Vec<usize>)>> = setting
        .states()
        .map(|s| {
            if !by_label || setting.is_deadlock(s) {
                return vec![(None, setting.successors(s))];
            }
            let edges = &setting.graph.edges[s];
            let mut labels: Vec<TransitionId> = edges.iter().map(|edge| edge.0).collect();
            labels.sort_unstable();
            labels.dedup();
            let targets = |label| edges.iter().filter(|edge| edge.0 == label).map(|edge| edge.1).collect();
            labels.into_iter().map(|label| (Some(label), targets(label))).collect()
        })
        .collect();
    // The first number of a state; tableau node (s, way, v) has number first[s] + way * promises + v.
    let mut first = vec![0];
    for ways in &ways {
        first.push(first[first.len() - 1] + ways.len() * promises);
    }
    let first = &first;

    // The truth of every formula in every tableau node.
    let truths: Vec<Vec<bool>> = setting
        .states()
        .flat_map(|s| ways[s].iter().flat_map(move |way| (0..promises).map(move |v| (s, way.0, v))))
        .map(|(s, by, v)| {
            let mut truth: Vec<bool> = Vec::new();
            for (i, node) in nodes.iter().enumerate() {
                let next = || v >> bit[&i] & 1 == 1;
                let holds = match node {
                    Nnf::In(set) => set[s],
                    Nnf::By(labels, positive) => by.is_some_and(|by| labels.contains(&by)) == *positive,
                    Nnf::And(operands) => operands.iter().all(|&a| truth[a]),
                    Nnf::Or(operands) => operands.iter().any(|&a| truth[a]),
                    Nnf::Next(_) => next(),
                    Nnf::Until(a, b) => truth[*b] || (truth[*a] && next()),
                    Nnf::Release(a, b) => truth[*b] && (truth[*a] || next()),
                    Nnf::Before(..) => next(),
                    Nnf::Since(a, b) => truth[*b] || (truth[*a] && next()),
                    Nnf::Trigger(a, b) => truth[*b] && (truth[*a] || next()),
                };
                truth.push(holds);
            }
            truth
        })
        .collect();

    // A tableau node is preceded by the nodes of its state's predecessors with exactly the promises it keeps.
    let kept = |node: usize| -> usize {
        let truth = &truths[node];
        let keeps = |&i: &usize| match nodes[i] {
            Nnf::Next(a) => truth[a],
            _ => truth[i],
        };
        temporal[..future].iter().enumerate().filter(|(_, i)| keeps(i)).map(|(bit, _)| 1usize << bit).sum()
    };
    // What a node hands on of the past.
    let handed = |node: usize| -> usize {
        let truth = &truths[node];
        let hands = |&i: &usize| match nodes[i] {
            Nnf::Before(a, _) => truth[a],
            _ => truth[i],
        };
        past.iter().enumerate().filter(|(_, i)| hands(i)).map(|(bit, _)| 1usize << bit).sum()
    };
    let beginning: usize = {
        let weak = |&i: &usize| matches!(nodes[i], Nnf::Before(_, true) | Nnf::Trigger(..));
        past.iter().enumerate().filter(|(_, i)| weak(i)).map(|(bit, _)| 1usize << bit).sum()
    };
    // What a node says of the past: all numbers of nodes begin at multiples of the assignments.
    let to_past = |node: usize| (node % promises) >> future;
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); truths.len()];
    let mut predecessors = successors.clone();
    for s in setting.states() {
        for (number, (_, targets)) in ways[s].iter().enumerate() {
            for to in targets.iter().flat_map(|&t| first[t]..first[t + 1]) {
                for before in 0..1usize << past.len() {
                    let from = first[s] + number * promises + kept(to) + (before << future);
                    if handed(from) == to_past(to) {
                        successors[from].push(to);
                        predecessors[to].push(from);
                    }
                }
            }
        }
    }

    let mut good = vec![false; truths.len()];
    if setting.paths == PathSemantics::Maximal {
        let releases = temporal.iter().enumerate().filter(|(_, i)| matches!(nodes[**i], Nnf::Release(..)));
        let end: usize = releases.map(|(bit, _)| 1 << bit).sum();
        let ends = |s: usize| setting.is_deadlock(s) && assumptions.iter().all(|assumption| assumption.at_end(s));
        for s in setting.states().filter(|&s| ends(s)) {
            for before in 0..1usize << past.len() {
                good[first[s] + end + (before << future)] = true;
            }
        }
    }
    let of_node = |n: usize| {
        let s = first.partition_point(|&from| from <= n) - 1;
        (s, ways[s][(n - first[s]) / promises].0)
    };
    let fulfilled = |part: &[usize]| {
        nodes.iter().enumerate().all(|(i, node)| match node {
            Nnf::Until(_, b) => part.iter().any(|&n| !truths[n][i] || truths[n][*b]),
            _ => true,
        })
    };
    let split = |part: &[usize]| {
        let inside = |edges: &[Vec<usize>]| -> Vec<Vec<usize>> {
            let place = |n: &usize| part.binary_search(n).ok();
            part.iter().map(|&n| edges[n].iter().filter_map(place).collect()).collect()
        };
        let (successors, predecessors) = (inside(&successors), inside(&predecessors));
        let mut parts = components(&successors, &predecessors);
        parts.retain(|part| part.len() > 1 || successors[part[0]].contains(&part[0]));
        for of in &mut parts {
            of.iter_mut().for_each(|n| *n = part[*n]);
            of.sort_unstable();
        }
        parts
    };
    let every: Vec<usize> = (0..good.len()).collect();
    for component in split(&every) {
        if fair::has_fair_part(component.clone(), &of_node, &assumptions, &fulfilled, &split) {
            component.iter().for_each(|&n| good[n] = true);
        }
    }
    let mut waiting: Vec<usize> = (0..good.len()).filter(|&n| good[n]).collect();
    while let Some(n) = waiting.pop() {
        for &before in &predecessors[n] {
            if !std::mem::replace(&mut good[before], true) {
                waiting.push(before);
            }
        }
    }
    let begins = |n: usize| good[n] && truths[n][root] && to_past(n) == beginning;
    Ok(setting.states().map(|s| (first[s]..first[s + 1]).any(begins)).collect())
}

/// The strongly connected components of a graph (Kosaraju and Sharir: finishing times of a depth-first search,
/// then searches backward in the opposite order).
fn components(successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut finished = Vec::new();
    let mut seen = vec![false; successors.len()];
    for root in 0..successors.len() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((n, edge)) = stack.pop() {
            match successors[n].get(edge) {
                Some(&to) => {
                    stack.push((n, edge + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => finished.push(n),
            }
        }
    }
    let mut placed = vec![false; successors.len()];
    let mut components = Vec::new();
    for &root in finished.iter().rev() {
        if std::mem::replace(&mut placed[root], true) {
            continue;
        }
        let (mut component, mut stack) = (Vec::new(), vec![root]);
        while let Some(n) = stack.pop() {
            component.push(n);
            for &before in &predecessors[n] {
                if !std::mem::replace(&mut placed[before], true) {
                    stack.push(before);
                }
            }
        }
        components.push(component);
    }
    components
}
