//! Conjuncts of path formulas that are fairness conditions: `G F q`, and `G F q` unless `F G` of something.
//!
//! An automaton for the conjunction of k such conditions has up to 2^k edges, or locations. None of them says anything about
//! a beginning of a path, and each is about conditions on states and steps only. So a product can do without an automaton
//! for them: it takes them beside the acceptance of an automaton for the rest.
//!
//! The formula is read from outside, with its sign, so that no normal form is needed: `A (Φ → φ)` is refuted by
//! `Φ ∧ ¬φ`. What is found is
//!
//! | conjunct | condition |
//! |---|---|
//! | `G F q`, or a disjunction of such | justice of the disjunction of all q |
//! | `G (F q ∧ F r ∧ φ ∧ …)` | justice of q and of r; `G (φ ∧ …)` stays |
//! | `F G p` or `G F q`, with one p | compassion of ¬p and q |
//!
//! with Boolean combinations p, q, r of propositions and action atoms; p without action atoms, as a state of which one step
//! is ¬p and another is not is no state of ¬p. `F G p` alone stays in the rest: its automaton is small, and the condition
//! all the stronger there.

use super::decompose::{Decomposition, PathNode};
use super::pool::{FormulaId, Pool};

/// A formula over propositions, the last node being the whole.
pub(crate) type Nodes = Vec<PathNode>;

/// A path formula in two parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FairConjuncts {
    /// What is left of it.
    pub(crate) rest: Nodes,
    /// These hold infinitely often.
    pub(crate) justice: Vec<Nodes>,
    /// If the first of a pair holds infinitely often, so does the second.
    pub(crate) compassion: Vec<(Nodes, Nodes)>,
}

/// A node, or its negation.
type Signed = (usize, bool);

impl FairConjuncts {
    /// Of a formula, or of its negation; `None` if nothing can be split off.
    pub(crate) fn of(nodes: &[PathNode], negated: bool) -> Option<FairConjuncts> {
        FairConjuncts::found(nodes, negated, true)
    }

    /// The same, where conditions of compassion stay in the rest.
    pub(crate) fn justice_of(nodes: &[PathNode], negated: bool) -> Option<FairConjuncts> {
        FairConjuncts::found(nodes, negated, false)
    }

    fn found(nodes: &[PathNode], negated: bool, with_compassion: bool) -> Option<FairConjuncts> {
        let last = nodes.len().checked_sub(1)?;
        let finder = Finder::new(nodes);
        let (mut rest, mut justice, mut compassion) = (Vec::new(), Vec::new(), Vec::new());
        let any = |of: Vec<Signed>| part(nodes, &of.into_iter().map(Root::Is).collect::<Vec<_>>(), false);
        for conjunct in finder.junction((last, !negated), true) {
            match finder.condition(conjunct) {
                Some(Found::Compassion(p, q)) if with_compassion => compassion.push((any(vec![p]), any(q))),
                None | Some(Found::Compassion(..)) => rest.push(Root::Is(conjunct)),
                Some(Found::Justice(all, others)) => {
                    justice.extend(all.into_iter().map(any));
                    if !others.is_empty() {
                        rest.push(Root::Always(others));
                    }
                }
            }
        }
        let found = !justice.is_empty() || !compassion.is_empty();
        found.then(|| FairConjuncts { rest: part(nodes, &rest, true), justice, compassion })
    }
}

/// Does a formula over propositions speak of steps?
pub(crate) fn reads_actions(nodes: &[PathNode]) -> bool {
    nodes.iter().any(|node| matches!(node, PathNode::Action(_)))
}

/// A part of a formula with those of its propositions and action atoms that it has.
pub(crate) fn alone(nodes: &[PathNode], propositions: &[FormulaId], actions: &[FormulaId]) -> Decomposition {
    let mut part = Decomposition { propositions: Vec::new(), actions: Vec::new(), nodes: Vec::new() };
    let number = |kept: &mut Vec<FormulaId>, id: FormulaId| {
        let known = kept.iter().position(|&known| known == id);
        known.unwrap_or_else(|| {
            kept.push(id);
            kept.len() - 1
        }) as u32
    };
    for node in nodes {
        let node = match node {
            PathNode::Prop(old) => PathNode::Prop(number(&mut part.propositions, propositions[*old as usize])),
            PathNode::Action(old) => PathNode::Action(number(&mut part.actions, actions[*old as usize])),
            other => other.clone(),
        };
        part.nodes.push(node);
    }
    part
}

impl Pool {
    /// Do the path formulas in a formula speak of steps in fairness conditions only? (Modalities speak of them, too.)
    pub(crate) fn acts_fairly(&self, formula: FormulaId) -> bool {
        use super::ast::Formula;
        self.subformulas(&[formula]).into_iter().all(|id| {
            let (path, negated) = match self[id] {
                Formula::Exists(path) => (path, false),
                Formula::Forall(path) => (path, true),
                _ => return true,
            };
            let nodes = self.decompose(path).nodes;
            !reads_actions(&nodes)
                || FairConjuncts::of(&nodes, negated).is_some_and(|split| !reads_actions(&split.rest))
        })
    }
}

/// A condition that is found: each of some disjunctions, and what else holds always; or a pair.
enum Found {
    Justice(Vec<Vec<Signed>>, Vec<Signed>),
    Compassion(Signed, Vec<Signed>),
}

struct Finder<'a> {
    nodes: &'a [PathNode],
    /// Which are Boolean combinations of atoms, and which of these have action atoms?
    plain: Vec<bool>,
    acts: Vec<bool>,
}

impl<'a> Finder<'a> {
    fn new(nodes: &'a [PathNode]) -> Self {
        let (mut plain, mut acts): (Vec<bool>, Vec<bool>) = (Vec::new(), Vec::new());
        for node in nodes {
            let operands = node.operands();
            let temporal = !matches!(
                node,
                PathNode::True
                    | PathNode::False
                    | PathNode::Prop(_)
                    | PathNode::Action(_)
                    | PathNode::Not(_)
                    | PathNode::And(_)
                    | PathNode::Or(_)
                    | PathNode::Implies(..)
                    | PathNode::Iff(..)
            );
            plain.push(!temporal && operands.iter().all(|&a| plain[a]));
            acts.push(matches!(node, PathNode::Action(_)) || operands.iter().any(|&a| acts[a]));
        }
        Finder { nodes, plain, acts }
    }

    /// The operands of a conjunction (or, of a disjunction), with those of its operands that are such; of another formula,
    /// itself. Combinations of atoms are not taken apart.
    fn junction(&self, root: Signed, conjunction: bool) -> Vec<Signed> {
        let (mut found, mut stack) = (Vec::new(), vec![root]);
        while let Some((id, positive)) = stack.pop() {
            let same = positive == conjunction;
            match &self.nodes[id] {
                _ if self.plain[id] => found.push((id, positive)),
                PathNode::Not(a) => stack.push((*a, !positive)),
                PathNode::And(operands) if same => stack.extend(operands.iter().rev().map(|&a| (a, positive))),
                PathNode::Or(operands) if !same => stack.extend(operands.iter().rev().map(|&a| (a, positive))),
                PathNode::Implies(a, b) if !same => stack.extend([(*b, positive), (*a, !positive)]),
                _ => found.push((id, positive)),
            }
        }
        found
    }

    /// The operand of `G` (or, of `F`), if the formula is one.
    fn operand(&self, (mut id, mut positive): Signed, always: bool) -> Option<Signed> {
        while let PathNode::Not(a) = self.nodes[id] {
            (id, positive) = (a, !positive);
        }
        match self.nodes[id] {
            PathNode::Globally(a) if positive == always => Some((a, positive)),
            PathNode::Finally(a) if positive != always => Some((a, positive)),
            _ => None,
        }
    }

    /// p, if the formula is `G F p` (or, `F G p`) with a combination p of atoms.
    fn twice(&self, formula: Signed, always: bool) -> Option<Signed> {
        let inner = self.operand(self.operand(formula, always)?, !always)?;
        self.plain[inner.0].then_some(inner)
    }

    fn condition(&self, formula: Signed) -> Option<Found> {
        if let Some(all) = self.operand(formula, true) {
            let (mut often, mut others) = (Vec::new(), Vec::new());
            for part in self.junction(all, true) {
                match self.operand(part, false).filter(|inner| self.plain[inner.0]) {
                    Some(inner) => often.push(vec![inner]),
                    None => others.push(part),
                }
            }
            return (!often.is_empty()).then_some(Found::Justice(often, others));
        }
        let (mut often, mut finally) = (Vec::new(), Vec::new());
        for part in self.junction(formula, false) {
            match (self.twice(part, true), self.twice(part, false)) {
                (Some(q), _) => often.push(q),
                (None, Some(p)) => finally.push(p),
                (None, None) => return None,
            }
        }
        match (&often[..], &finally[..]) {
            ([], _) => None,
            (_, []) => Some(Found::Justice(vec![often], Vec::new())),
            (_, &[(p, positive)]) if !self.acts[p] => Some(Found::Compassion((p, !positive), often)),
            _ => None,
        }
    }
}

/// A part of a formula that is put together.
enum Root {
    /// A node, or its negation.
    Is(Signed),
    /// `G` of a conjunction.
    Always(Vec<Signed>),
}

/// The conjunction, or the disjunction, of some parts, with the nodes that they need and no others.
fn part(nodes: &[PathNode], roots: &[Root], conjunction: bool) -> Nodes {
    let mut needed = vec![false; nodes.len()];
    let mut stack: Vec<usize> = Vec::new();
    for root in roots {
        match root {
            Root::Is(of) => stack.push(of.0),
            Root::Always(all) => stack.extend(all.iter().map(|of| of.0)),
        }
    }
    while let Some(id) = stack.pop() {
        if !std::mem::replace(&mut needed[id], true) {
            stack.extend(nodes[id].operands());
        }
    }
    let (mut kept, mut places) = (Vec::new(), vec![0; nodes.len()]);
    for (id, node) in nodes.iter().enumerate().filter(|(id, _)| needed[*id]) {
        places[id] = kept.len();
        kept.push(node.with_operands(|a| places[a]));
    }
    let mut ends = Vec::new();
    for root in roots {
        ends.push(match root {
            Root::Is(of) => signed(&mut kept, &places, *of),
            Root::Always(all) => {
                let all: Vec<usize> = all.iter().map(|&of| signed(&mut kept, &places, of)).collect();
                let all = match all[..] {
                    [one] => one,
                    _ => pushed(&mut kept, PathNode::And(all)),
                };
                pushed(&mut kept, PathNode::Globally(all))
            }
        });
    }
    match (&ends[..], conjunction) {
        ([], true) => kept.push(PathNode::True),
        ([], false) => kept.push(PathNode::False),
        (&[end], _) if end + 1 == kept.len() => {}
        (_, true) => kept.push(PathNode::And(ends)),
        (_, false) => kept.push(PathNode::Or(ends)),
    }
    kept
}

fn signed(kept: &mut Nodes, places: &[usize], (id, positive): Signed) -> usize {
    if positive { places[id] } else { pushed(kept, PathNode::Not(places[id])) }
}

fn pushed(kept: &mut Nodes, node: PathNode) -> usize {
    kept.push(node);
    kept.len() - 1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Pool, Symbols, parse};

    /// A formula in words, with operands in brackets.
    fn text(nodes: &[PathNode]) -> String {
        let mut texts: Vec<String> = Vec::new();
        for node in nodes {
            let at = |a: &usize| texts[*a].clone();
            let join = |operands: &[usize], with: &str| {
                format!("({})", operands.iter().map(at).collect::<Vec<_>>().join(with))
            };
            texts.push(match node {
                PathNode::True => "1".to_owned(),
                PathNode::False => "0".to_owned(),
                PathNode::Prop(number) => format!("p{number}"),
                PathNode::Action(number) => format!("a{number}"),
                PathNode::Not(a) => format!("!{}", at(a)),
                PathNode::And(operands) => join(operands, "&"),
                PathNode::Or(operands) => join(operands, "|"),
                PathNode::Implies(a, b) => join(&[*a, *b], "->"),
                PathNode::Iff(a, b) => join(&[*a, *b], "<->"),
                PathNode::Next(a) => format!("X{}", at(a)),
                PathNode::Finally(a) => format!("F{}", at(a)),
                PathNode::Globally(a) => format!("G{}", at(a)),
                PathNode::Until(a, b) => join(&[*a, *b], "U"),
                PathNode::Release(a, b) => join(&[*a, *b], "R"),
                PathNode::WeakUntil(a, b) => join(&[*a, *b], "W"),
                PathNode::StrongRelease(a, b) => join(&[*a, *b], "M"),
                PathNode::Yesterday(a) => format!("Y{}", at(a)),
                PathNode::WeakYesterday(a) => format!("Z{}", at(a)),
                PathNode::Since(a, b) => join(&[*a, *b], "S"),
                PathNode::Trigger(a, b) => join(&[*a, *b], "T"),
            });
        }
        texts.pop().unwrap()
    }

    #[test]
    fn conjuncts_are_found() {
        let symbols = Symbols::of_labels(["t", "u"]);
        let found = |formula: &str, negated: bool| {
            let mut pool = Pool::new();
            // Atoms: enabled(t) is p0 or p1, by which comes first in the pool.
            let path = parse(formula, &symbols, &mut pool).unwrap();
            let split = FairConjuncts::of(&pool.decompose(path).nodes, negated)?;
            let justice: Vec<String> = split.justice.iter().map(|nodes| text(nodes)).collect();
            let pairs = split.compassion.iter().map(|(p, q)| format!("{}>{}", text(p), text(q)));
            Some(format!("{}; {}; {}", text(&split.rest), justice.join(" "), pairs.collect::<Vec<_>>().join(" ")))
        };
        let t = "enabled(t)";
        for (formula, negated, expected) in [
            (format!("G F {t}"), false, "1; p0; "),
            (format!("G F {t} & X {t}"), false, "Xp0; p0; "),
            (format!("!(G F {t} -> X {t})"), false, "!Xp0; p0; "),
            (format!("G F {t} -> X {t}"), true, "!Xp0; p0; "),
            (format!("!F G !({t} & action(u))"), false, "1; !!(p0&a0); "),
            (format!("G (F {t} & F action(u))"), false, "1; p0 a0; "),
            (format!("G (F {t} & X {t})"), false, "GXp0; p0; "),
            (format!("F (G !{t} | X {t} | action(u))"), true, "G(!Xp0&!a0); !!p0; "),
            (format!("G F {t} | G F action(u)"), false, "1; (p0|a0); "),
            (format!("G F {t} -> G F action(u)"), false, "1; ; p0>a0"),
            (format!("(F G !{t} | G F action(u)) & F {t}"), false, "Fp0; ; !!p0>a0"),
        ] {
            assert_eq!(found(&formula, negated).as_deref(), Some(expected), "{formula}");
        }
        for formula in [
            "F G enabled(t)",
            "G F X enabled(t)",
            "G (F enabled(t) | enabled(u))",
            "G F action(t) -> G F action(u)",
            "(G F enabled(t) & G F enabled(u)) -> G F action(u)",
            "F G enabled(t) | F enabled(u)",
            "G F enabled(t) | X G F enabled(u)",
        ] {
            assert_eq!(found(formula, false), None, "{formula}");
        }
    }
}
