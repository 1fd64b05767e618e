//! The variables that a substitution reads and writes, from its text.
//!
//! Reads are the free slots of guards and expressions, but for what the substitution has surely written before (`;`).
//! A variable is written *surely* if every way through the substitution that has a result writes it: a SELECT or a
//! PRE whose guard is false has no result, an IF without ELSE has one that writes nothing.

use std::collections::BTreeSet;

use super::ast::{Bound, Expr, Kind, Sub, SubKind};

/// Slots.
pub(super) type Slots = BTreeSet<u32>;

/// The variables that a substitution reads and writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Read before it is surely written.
    pub reads: Slots,
    /// Written in every result.
    pub must: Slots,
    /// Written in some result.
    pub may: Slots,
    /// May there be several results, apart from inputs?
    pub several: bool,
}

impl Rows {
    fn read(&mut self, expr: &Expr) {
        self.reads.extend(expr.free.iter());
    }

    fn write(&mut self, targets: &[Expr]) {
        for target in targets {
            if let Kind::Slot(slot) = target.kind {
                self.must.insert(slot);
                self.may.insert(slot);
            }
        }
    }

    fn hide(&mut self, bound: &[Bound]) {
        for var in bound {
            self.reads.remove(&var.slot);
            self.must.remove(&var.slot);
            self.may.remove(&var.slot);
        }
    }

    /// Both happen.
    fn and(&mut self, other: Rows) {
        self.reads.extend(other.reads);
        self.must.extend(other.must);
        self.may.extend(other.may);
        self.several |= other.several;
    }
}

/// One of some happens.
fn one_of(cases: impl IntoIterator<Item = Rows>) -> Rows {
    let mut cases = cases.into_iter();
    let mut rows = cases.next().unwrap_or_default();
    for case in cases {
        rows.must = &rows.must & &case.must;
        rows.reads.extend(case.reads);
        rows.may.extend(case.may);
        rows.several |= case.several;
    }
    rows
}

/// The rows of a substitution.
pub(super) fn rows(sub: &Sub) -> Rows {
    let mut all = Rows::default();
    match &sub.kind {
        SubKind::Skip | SubKind::Call(..) => {}
        SubKind::Assign(left, right) => {
            right.iter().for_each(|expr| all.read(expr));
            all.write(left);
        }
        SubKind::BecomesIn(left, set) => {
            all.read(set);
            all.write(left);
            all.several = true;
        }
        SubKind::BecomesSuch(left, bound, such) => {
            all.read(such);
            all.hide(bound);
            all.write(left);
            all.several = true;
        }
        SubKind::Pre(guard, body) | SubKind::Assert(guard, body) => {
            all = rows(body);
            all.read(guard);
        }
        SubKind::Select(cases, other) => {
            all = one_of(cases.iter().map(|(_, body)| rows(body)).chain(other.iter().map(|other| rows(other))));
            all.several |= cases.len() > 1;
            cases.iter().for_each(|(guard, _)| all.read(guard));
        }
        SubKind::If(cases, other) => {
            let other = other.as_ref().map_or_else(Rows::default, |other| rows(other));
            all = one_of(cases.iter().map(|(_, body)| rows(body)).chain([other]));
            cases.iter().for_each(|(guard, _)| all.read(guard));
        }
        SubKind::Choice(parts) => {
            all = one_of(parts.iter().map(rows));
            all.several = true;
        }
        SubKind::Any(bound, guard, body) => {
            all = rows(body);
            all.read(guard);
            all.hide(bound);
            all.several = true;
        }
        SubKind::Var(bound, body) => {
            all = rows(body);
            all.hide(bound);
        }
        SubKind::Sequence(parts) => {
            for part in parts {
                let mut next = rows(part);
                next.reads = &next.reads - &all.must;
                all.and(next);
            }
        }
        SubKind::Parallel(parts) => parts.iter().for_each(|part| all.and(rows(part))),
        SubKind::Case(subject, cases, other) => {
            let other = other.as_ref().map_or_else(Rows::default, |other| rows(other));
            all = one_of(cases.iter().map(|(_, body)| rows(body)).chain([other]));
            all.read(subject);
            cases.iter().flat_map(|(values, _)| values).for_each(|value| all.read(value));
        }
        SubKind::While(condition, body) => {
            all = rows(body);
            all.must.clear();
            all.read(condition);
        }
        SubKind::Inline(inputs, values, body, outputs, targets) => {
            all = rows(body);
            let written: Vec<Expr> = outputs
                .iter()
                .zip(targets)
                .filter(|(var, _)| all.must.contains(&var.slot))
                .map(|(_, t)| t.clone())
                .collect();
            let touched: Vec<Expr> = outputs
                .iter()
                .zip(targets)
                .filter(|(var, _)| all.may.contains(&var.slot))
                .map(|(_, t)| t.clone())
                .collect();
            all.hide(inputs);
            all.hide(outputs);
            values.iter().for_each(|value| all.read(value));
            all.write(&written);
            for target in &touched {
                if let Kind::Slot(slot) = target.kind {
                    all.may.insert(slot);
                }
            }
        }
    }
    all
}
