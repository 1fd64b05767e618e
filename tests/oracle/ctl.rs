//! CTL by labelling (Clarke, Emerson and Sistla 1986): one fixpoint per operator, iterated as it stands.
//!
//! The path semantics enters in two places only: in a deadlock a path may end (`maximal`), goes on in the
//! same state (`stutter`, by the successor relation), or does not exist (`infinite`); and a state counts as
//! the beginning of a path only if there is one.

use super::{Set, Setting, Undefined, atoms};
use starset::formula::{Formula, FormulaId, PathSemantics};
use std::collections::BTreeMap;

pub(super) fn label(setting: Setting, formula: FormulaId, sat: &mut BTreeMap<FormulaId, Set>) -> Result<(), Undefined> {
    if sat.contains_key(&formula) {
        return Ok(());
    }
    let node = setting.pool[formula].clone();
    let set = match &node {
        Formula::Exists(path) | Formula::Forall(path) => {
            let path = setting.pool[*path].clone();
            let mut operands = Vec::new();
            for a in path.children() {
                label(setting, a, sat)?;
                operands.push(sat[&a].clone());
            }
            if matches!(node, Formula::Exists(_)) {
                exists(setting, &path, &operands)
            } else {
                forall(setting, &path, &operands)
            }
        }
        _ if node.is_atom() => atoms::atom(setting, &node)?,
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

fn complement(set: &Set) -> Set {
    set.iter().map(|&b| !b).collect()
}

/// The states with a successor in `set`.
fn pre(setting: Setting, set: &Set) -> Set {
    setting.states().map(|s| setting.successors(s).iter().any(|&t| set[t])).collect()
}

/// Repeat `step` from a set until it changes nothing.
fn fixpoint(mut set: Set, step: impl Fn(&Set) -> Set) -> Set {
    loop {
        let next = step(&set);
        if next == set {
            return set;
        }
        set = next;
    }
}

/// The states where some path begins.
fn beginnings(setting: Setting) -> Set {
    let all = vec![true; setting.graph.states()];
    match setting.paths {
        PathSemantics::Infinite => fixpoint(all, |z| pre(setting, z)),
        PathSemantics::Maximal | PathSemantics::Stutter => all,
    }
}

fn exists(setting: Setting, path: &Formula, operands: &[Set]) -> Set {
    let n = setting.graph.states();
    let begins = beginnings(setting);
    let ends = |s: usize| setting.paths == PathSemantics::Maximal && setting.is_deadlock(s);
    let (nothing, everything) = (vec![false; n], vec![true; n]);
    let build = |f: &dyn Fn(usize) -> bool| -> Set { (0..n).map(f).collect() };
    let a = &operands[0];
    let b = operands.last().unwrap();
    match path {
        Formula::Next(_) => pre(setting, &build(&|s| a[s] && begins[s])),
        Formula::Finally(_) => fixpoint(nothing, |z| {
            let before = pre(setting, z);
            build(&|s| (a[s] && begins[s]) || before[s])
        }),
        Formula::Globally(_) => fixpoint(everything, |z| {
            let before = pre(setting, z);
            build(&|s| a[s] && (ends(s) || before[s]))
        }),
        Formula::Until(..) => fixpoint(nothing, |z| {
            let before = pre(setting, z);
            build(&|s| (b[s] && begins[s]) || (a[s] && before[s]))
        }),
        Formula::Release(..) => fixpoint(everything, |z| {
            let before = pre(setting, z);
            build(&|s| b[s] && ((a[s] && begins[s]) || ends(s) || before[s]))
        }),
        Formula::WeakUntil(..) => fixpoint(everything, |z| {
            let before = pre(setting, z);
            build(&|s| (b[s] && begins[s]) || (a[s] && (ends(s) || before[s])))
        }),
        Formula::StrongRelease(..) => fixpoint(nothing, |z| {
            let before = pre(setting, z);
            build(&|s| b[s] && ((a[s] && begins[s]) || before[s]))
        }),
        _ => panic!("not CTL: a quantifier over {path:?}"),
    }
}

/// `A φ` as `¬E ¬φ`, the negation moved through the temporal operator.
fn forall(setting: Setting, path: &Formula, operands: &[Set]) -> Set {
    let dual = match path {
        Formula::Next(a) => Formula::Next(*a),
        Formula::Finally(a) => Formula::Globally(*a),
        Formula::Globally(a) => Formula::Finally(*a),
        Formula::Until(a, b) => Formula::Release(*a, *b),
        Formula::Release(a, b) => Formula::Until(*a, *b),
        Formula::WeakUntil(a, b) => Formula::StrongRelease(*a, *b),
        Formula::StrongRelease(a, b) => Formula::WeakUntil(*a, *b),
        _ => panic!("not CTL: a quantifier over {path:?}"),
    };
    let negated: Vec<Set> = operands.iter().map(complement).collect();
    complement(&exists(setting, &dual, &negated))
}
