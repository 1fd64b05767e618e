//! The truth of a path formula on one path, from the definition of each operator.
//!
//! A path is a finite list of states, and either ends there or goes back to one of its positions for ever.
//! "At some later position" is then a search over at most twice the length of the list.

use super::{Set, Setting};
use starset::formula::{Formula, FormulaId};
use std::collections::BTreeMap;

/// States in order; `back` is the position that follows the last one, none on a path that ends.
#[derive(Clone, Debug)]
pub struct Path {
    pub states: Vec<usize>,
    pub back: Option<usize>,
}

impl Path {
    fn next(&self, position: usize) -> Option<usize> {
        if position + 1 < self.states.len() { Some(position + 1) } else { self.back }
    }

    /// The same path with its loop gone round so many times more before the last.
    pub fn unrolled(&self, rounds: usize) -> Path {
        let Some(back) = self.back else { return self.clone() };
        let mut states = self.states.clone();
        for _ in 0..rounds {
            states.extend_from_slice(&self.states[back..]);
        }
        Path { back: Some(back + states.len() - self.states.len()), states }
    }

    /// `position` and all that follow it, those of a loop once.
    fn from(&self, position: usize) -> Vec<usize> {
        let mut positions = Vec::new();
        let mut at = Some(position);
        while let Some(p) = at.filter(|p| !positions.contains(p)) {
            positions.push(p);
            at = self.next(p);
        }
        positions
    }
}

/// Of a formula with past the loop of the path is to be unrolled as often as its operators are nested.
///
/// Does `formula` hold (`positive`), or its negation hold, at `position`? At the end of a path `X` and `¬X`
/// are what `end` says: false where a path is sought (`E`), true where all paths are meant (`A`).
pub fn holds(
    setting: Setting,
    sat: &BTreeMap<FormulaId, Set>,
    path: &Path,
    position: usize,
    formula: FormulaId,
    positive: bool,
    end: bool,
) -> bool {
    if setting.pool.is_state(formula) {
        return sat[&formula][path.states[position]] == positive;
    }
    let at = |position: usize, f: FormulaId, positive| holds(setting, sat, path, position, f, positive, end);
    let until = |a: &dyn Fn(usize) -> bool, b: &dyn Fn(usize) -> bool| {
        let positions = path.from(position);
        (0..positions.len()).any(|k| b(positions[k]) && positions[..k].iter().all(|&p| a(p)))
    };
    let always = |a: &dyn Fn(usize) -> bool| path.from(position).into_iter().all(a);
    match setting.pool[formula].clone() {
        Formula::Not(a) => at(position, a, !positive),
        Formula::And(operands) if positive => operands.iter().all(|&a| at(position, a, true)),
        Formula::And(operands) => operands.iter().any(|&a| at(position, a, false)),
        Formula::Or(operands) if positive => operands.iter().any(|&a| at(position, a, true)),
        Formula::Or(operands) => operands.iter().all(|&a| at(position, a, false)),
        Formula::Implies(a, b) if positive => at(position, a, false) || at(position, b, true),
        Formula::Implies(a, b) => at(position, a, true) && at(position, b, false),
        Formula::Iff(a, b) => {
            (at(position, a, true) && at(position, b, positive))
                || (at(position, a, false) && at(position, b, !positive))
        }
        Formula::Next(a) => path.next(position).map_or(end, |p| at(p, a, positive)),
        Formula::Finally(a) | Formula::Globally(a) => {
            if matches!(setting.pool[formula], Formula::Globally(_)) == positive {
                always(&|p| at(p, a, positive))
            } else {
                until(&|_| true, &|p| at(p, a, positive))
            }
        }
        Formula::Until(a, b) if positive => until(&|p| at(p, a, true), &|p| at(p, b, true)),
        // Up to the first ¬a, b fails everywhere.
        Formula::Until(a, b) => {
            always(&|p| at(p, b, false)) || until(&|p| at(p, b, false), &|p| at(p, a, false) && at(p, b, false))
        }
        Formula::Release(a, b) if positive => {
            always(&|p| at(p, b, true)) || until(&|p| at(p, b, true), &|p| at(p, a, true) && at(p, b, true))
        }
        Formula::Release(a, b) => until(&|p| at(p, a, false), &|p| at(p, b, false)),
        Formula::WeakUntil(a, b) if positive => {
            always(&|p| at(p, a, true)) || until(&|p| at(p, a, true), &|p| at(p, b, true))
        }
        Formula::WeakUntil(a, b) => until(&|p| at(p, b, false), &|p| at(p, a, false) && at(p, b, false)),
        Formula::StrongRelease(a, b) if positive => until(&|p| at(p, b, true), &|p| at(p, a, true) && at(p, b, true)),
        Formula::StrongRelease(a, b) => {
            always(&|p| at(p, a, false)) || until(&|p| at(p, a, false), &|p| at(p, b, false))
        }
        Formula::Yesterday(a) => position.checked_sub(1).map_or(!positive, |p| at(p, a, positive)),
        Formula::WeakYesterday(a) => position.checked_sub(1).map_or(positive, |p| at(p, a, positive)),
        Formula::Since(a, b) | Formula::Trigger(a, b) => {
            let since = matches!(setting.pool[formula], Formula::Since(..)) == positive;
            // For some position b, and a after it; or for each position b, or a after it.
            let mut each = (0..=position).map(|j| {
                let mut after = j + 1..=position;
                let b = at(j, b, positive);
                if since { b && after.all(|k| at(k, a, positive)) } else { b || after.any(|k| at(k, a, positive)) }
            });
            if since { each.any(|holds| holds) } else { each.all(|holds| holds) }
        }
        other => panic!("not a path formula: {other:?}"),
    }
}
