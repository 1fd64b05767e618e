//! Steps that change few variables at a time, apart.
//!
//! **Problem.** Interleaved programs are written as one condition on steps: a disjunction, whose alternatives say of most
//! variables that they stay as they are, or a count of the variables that change, as asynchronous Boolean networks are
//! written. As one condition it is about all variables at once.
//!
//! **Idea.** Each alternative becomes steps of its own. What a step changes says to which steps it belongs: alternatives
//! that change the same variables are one, and an alternative that need not change what it may change is divided. So no
//! step is there twice, and numbers of steps are right.

use crate::compile::{Compiler, Steps, Trouble, without_true};
use crate::diagram::{Diagram, Diagrams, TooLarge};
use crate::model::Model;
use crate::term::{Node, Op, Term, Terms, Type, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Groups of steps that are told apart, for each alternative, and beside that.
const MOST: (usize, usize) = (2, 16);

/// A way to satisfy a condition on steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alternative {
    /// What is demanded, but for what stays.
    pub(crate) conditions: Vec<Term>,
    /// The variables that stay as they are.
    pub(crate) kept: BTreeSet<usize>,
    /// A variable that changes.
    pub(crate) changing: Option<usize>,
}

impl Model {
    /// The conditions of `TRANS`, conjunctions apart.
    pub(crate) fn parts_of_steps(&self) -> Vec<Term> {
        self.trans.iter().flat_map(|&condition| self.terms.conjuncts(condition)).collect()
    }

    /// Are there steps that leave most variables as they are, of processes or by the form of `TRANS`?
    pub fn is_interleaved(&self) -> bool {
        self.selector().is_some() || self.interleaving().is_some()
    }

    /// The part of `TRANS` with the most alternatives of which most variables stay as they are, by its place among the
    /// parts. None with processes: their steps are told apart by whose turn it is.
    pub(crate) fn interleaving(&self) -> Option<(usize, Vec<Alternative>)> {
        if self.selector().is_some() {
            return None;
        }
        let parts = self.parts_of_steps();
        let found = parts.iter().enumerate().filter_map(|(at, &part)| Some((at, alternatives(&self.terms, part)?)));
        found.max_by_key(|(at, all)| (all.len(), std::cmp::Reverse(*at)))
    }
}

/// The ways to satisfy a condition, if all but one of them leave variables as they are.
fn alternatives(terms: &Terms, term: Term) -> Option<Vec<Alternative>> {
    let (mut open, mut all) = (vec![term], Vec::new());
    while let Some(term) = open.pop() {
        match terms.node(term) {
            Node::Apply(Op::Or, sides) if terms.kind(term) == Type::Bool => open.extend(sides.iter().rev()),
            _ => match counted(terms, term) {
                Some(counted) => all.extend(counted),
                None => all.push(alternative(terms, term)),
            },
        }
    }
    let keeping = all.iter().filter(|alternative| !alternative.kept.is_empty()).count();
    (keeping >= 2 && keeping + 1 >= all.len()).then_some(all)
}

/// A conjunction as an alternative.
fn alternative(terms: &Terms, term: Term) -> Alternative {
    let mut all = Alternative::default();
    for part in terms.conjuncts(term) {
        match kept(terms, part) {
            Some(variable) => {
                all.kept.insert(variable);
            }
            None => all.conditions.push(part),
        }
    }
    all
}

/// The variable that a condition says stays as it is.
fn kept(terms: &Terms, term: Term) -> Option<usize> {
    let Node::Apply(Op::Eq | Op::Iff, sides) = terms.node(term) else { return None };
    now_and_next(terms, sides)
}

/// The variable that a condition says changes.
fn changes(terms: &Terms, term: Term) -> Option<usize> {
    match terms.node(term) {
        Node::Apply(Op::Xor, sides) => now_and_next(terms, sides),
        Node::Apply(Op::Not, inner) => kept(terms, inner[0]),
        _ => None,
    }
}

/// The variable whose current and next values these are.
fn now_and_next(terms: &Terms, sides: &[Term]) -> Option<usize> {
    match (terms.node(*sides.first()?), terms.node(*sides.get(1)?)) {
        (&Node::Variable { variable, next }, &Node::Variable { variable: other, next: later }) => {
            (variable == other && next != later).then_some(variable)
        }
        _ => None,
    }
}

/// The alternatives of `count(next(x) != x, …) = 1`, or `<= 1`: one variable changes, or none.
fn counted(terms: &Terms, term: Term) -> Option<Vec<Alternative>> {
    let Node::Apply(op @ (Op::Eq | Op::Le), sides) = terms.node(term) else { return None };
    let one = |term: Term| *terms.node(term) == Node::Const(Value::Int(1));
    let count = match op {
        Op::Eq if one(sides[0]) => sides[1],
        _ if one(sides[1]) => sides[0],
        _ => return None,
    };
    let Node::Apply(Op::Count, operands) = terms.node(count) else { return None };
    let operands: Vec<usize> = operands.iter().map(|&operand| changes(terms, operand)).collect::<Option<_>>()?;
    let variables: BTreeSet<usize> = operands.iter().copied().collect();
    let others = |variable: usize| variables.iter().copied().filter(|&other| other != variable).collect();
    let ways = variables.iter().map(|&variable| Alternative {
        kept: others(variable),
        changing: Some(variable),
        ..Alternative::default()
    });
    let still = (*op == Op::Le).then(|| Alternative { kept: variables.clone(), ..Alternative::default() });
    (variables.len() == operands.len()).then(|| ways.chain(still).collect())
}

/// Slots that stay as they are, and what else is demanded.
type Group = (BTreeSet<u32>, Diagram);

impl Compiler<'_> {
    /// Steps that change few variables each, where `TRANS` says so. `None` if it does not say that, or would have to be
    /// divided too often.
    pub(crate) fn interleaved(&mut self) -> Result<Option<Vec<Steps>>, Trouble> {
        let Some((at, alternatives)) = self.model.interleaving() else { return Ok(None) };
        let mut parts = self.model.parts_of_steps();
        parts.remove(at);
        let mut rows = self.conditions(&parts)?;
        rows.extend(self.rows_without_trans()?);
        let mut same: HashMap<u32, Diagram> = HashMap::new();
        let mut open: Vec<Group> = Vec::new();
        let most = MOST.0 * alternatives.len() + MOST.1;
        for Alternative { conditions, kept, changing } in alternatives {
            let mut all = Diagrams::TRUE;
            for condition in conditions {
                let condition = self.term(condition)?;
                all = self.diagrams.and(all, condition)?;
            }
            let mut slots = BTreeSet::new();
            for (variable, is_kept) in kept.into_iter().map(|kept| (kept, true)).chain(changing.map(|one| (one, false)))
            {
                let slot = self.slot(variable).ok_or(TooLarge)?;
                let stays = match same.get(&slot) {
                    Some(&stays) => stays,
                    None => self.same(variable)?,
                };
                same.insert(slot, stays);
                if is_kept {
                    slots.insert(slot);
                } else {
                    let changes = self.diagrams.not(stays)?;
                    all = self.diagrams.and(all, changes)?;
                }
            }
            if self.diagrams.has_fault(all) {
                return Ok(None);
            }
            open.push((slots, all));
        }
        let Some(groups) = self.by_changes(open, &same, &rows, most)? else { return Ok(None) };
        if groups.keys().any(|kept| 2 * kept.len() < same.len()) {
            return Ok(None);
        }
        let mut all = Vec::new();
        for (slots, condition) in groups {
            let mut rows = rows.clone();
            rows.push(condition);
            for row in &mut rows {
                *row = self.at_rest(*row, &slots, &same)?;
            }
            let mut steps = self.kept(0, without_true(rows))?;
            steps.kept.extend(slots);
            all.push(steps);
        }
        Ok(Some(all))
    }

    /// A row with the current values for the next ones of what stays.
    fn at_rest(
        &mut self,
        row: Diagram,
        kept: &BTreeSet<u32>,
        same: &HashMap<u32, Diagram>,
    ) -> Result<Diagram, TooLarge> {
        let mut row = row;
        for level in self.diagrams.support(row) {
            let slot = level / 2;
            if level % 2 == 1 && kept.contains(&slot) {
                let diagonal = self.diagrams.and(row, same[&slot])?;
                row = self.diagrams.some(diagonal, level)?;
            }
        }
        Ok(row)
    }

    /// Alternatives, divided and united by what changes in them. `None` where that gives more than `most`.
    fn by_changes(
        &mut self,
        mut open: Vec<Group>,
        same: &HashMap<u32, Diagram>,
        rows: &[Diagram],
        most: usize,
    ) -> Result<Option<BTreeMap<BTreeSet<u32>, Diagram>>, TooLarge> {
        let mut groups: BTreeMap<BTreeSet<u32>, Diagram> = BTreeMap::new();
        let mut frame: Vec<u32> = same.keys().copied().collect();
        frame.sort_unstable();
        while let Some((mut kept, condition)) = open.pop() {
            if groups.len() + open.len() > most {
                return Ok(None);
            }
            let mut condition = self.at_rest(condition, &kept, same)?;
            for &slot in &frame {
                if condition == Diagrams::FALSE {
                    break;
                }
                if kept.contains(&slot) {
                    continue;
                }
                let still = self.diagrams.and(condition, same[&slot])?;
                if still == Diagrams::FALSE {
                    continue;
                }
                let changes = self.diagrams.not(same[&slot])?;
                let changing = self.diagrams.and(condition, changes)?;
                let still = self.diagrams.some(still, 2 * slot + 1)?;
                if self.are_possible(changing, slot, rows)? {
                    let mut kept = kept.clone();
                    kept.insert(slot);
                    open.push((kept, still));
                    condition = changing;
                } else {
                    kept.insert(slot);
                    condition = still;
                }
            }
            if condition != Diagrams::FALSE {
                let known = groups.entry(kept).or_insert(Diagrams::FALSE);
                *known = self.diagrams.or(*known, condition)?;
            }
        }
        Ok(Some(groups))
    }

    /// May steps satisfy a condition, for all that rows say about the next value of a slot?
    fn are_possible(&mut self, condition: Diagram, slot: u32, rows: &[Diagram]) -> Result<bool, TooLarge> {
        let mut condition = condition;
        for &row in rows {
            if condition != Diagrams::FALSE && self.diagrams.support(row).contains(&(2 * slot + 1)) {
                condition = self.diagrams.and(condition, row)?;
            }
        }
        Ok(condition != Diagrams::FALSE)
    }
}
