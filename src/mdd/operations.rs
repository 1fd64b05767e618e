//! Union, intersection and difference of sets, by the usual simultaneous descent with a cache.
//!
//! Both operands are on the same level; quasi-reduction keeps them so. Commutative operators order their
//! operands, so that either order finds the cached result. Time is O(|a| · |b|) in nodes in the worst case,
//! near the size of the result in practice.

use super::node::{Children, EdgeRef};
use super::session::{Held, Session};
use super::terminal::{is_empty, is_terminal};
use crate::budget::Exhausted;

const UNION: u32 = 1;
const INTERSECTION: u32 = 2;
const DIFFERENCE: u32 = 3;
/// Operator numbers below this one are taken.
pub(super) const FIRST_FREE_OPERATOR: u32 = 4;

type Outcome<'m, 'id> = Result<Held<'m, 'id>, Exhausted>;

impl<'m, 'id> Session<'m, 'id> {
    /// a ∪ b for sets on `level`.
    pub(crate) fn union(&self, level: u32, a: EdgeRef<'_, 'id>, b: EdgeRef<'_, 'id>) -> Outcome<'m, 'id> {
        if a == b || is_empty(b) {
            return Ok(self.hold(a));
        }
        if is_empty(a) {
            return Ok(self.hold(b));
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if let Some(result) = self.cached(UNION, [a, b, a]) {
            return Ok(result);
        }
        self.tick()?;
        let result = match (self.children(a), self.children(b)) {
            (Children::Binary(x), Children::Binary(y)) => {
                let zero = self.union(level + 1, x[0].borrowed(), y[0].borrowed())?;
                let one = self.union(level + 1, x[1].borrowed(), y[1].borrowed())?;
                self.binary_node(level, zero, one)?
            }
            _ => {
                let (mut xs, mut ys) = (self.pairs(a).peekable(), self.pairs(b).peekable());
                let mut list = self.list();
                loop {
                    match (xs.peek().copied(), ys.peek().copied()) {
                        (Some((v, x)), Some((w, y))) if v == w => {
                            list.push(v, self.union(level + 1, x, y)?);
                            xs.next();
                            ys.next();
                        }
                        (Some((v, x)), next) if next.is_none_or(|(w, _)| v < w) => {
                            list.push(v, self.hold(x));
                            xs.next();
                        }
                        (_, Some((w, y))) => {
                            list.push(w, self.hold(y));
                            ys.next();
                        }
                        (_, None) => break,
                    }
                }
                self.node(level, list)?
            }
        };
        self.remember(UNION, [a, b, a], &result);
        Ok(result)
    }

    /// a ∩ b for sets on `level`.
    pub(crate) fn intersection(&self, level: u32, a: EdgeRef<'_, 'id>, b: EdgeRef<'_, 'id>) -> Outcome<'m, 'id> {
        if a == b || is_empty(a) {
            return Ok(self.hold(a));
        }
        if is_empty(b) {
            return Ok(self.empty());
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if let Some(result) = self.cached(INTERSECTION, [a, b, a]) {
            return Ok(result);
        }
        self.tick()?;
        let result = match (self.children(a), self.children(b)) {
            (Children::Binary(x), Children::Binary(y)) => {
                let zero = self.intersection(level + 1, x[0].borrowed(), y[0].borrowed())?;
                let one = self.intersection(level + 1, x[1].borrowed(), y[1].borrowed())?;
                self.binary_node(level, zero, one)?
            }
            _ => {
                let mut ys = self.pairs(b).peekable();
                let mut list = self.list();
                for (v, x) in self.pairs(a) {
                    while ys.next_if(|&(w, _)| w < v).is_some() {}
                    if let Some((_, y)) = ys.next_if(|&(w, _)| w == v) {
                        list.push(v, self.intersection(level + 1, x, y)?);
                    }
                }
                self.node(level, list)?
            }
        };
        self.remember(INTERSECTION, [a, b, a], &result);
        Ok(result)
    }

    /// a ∖ b for sets on `level`.
    pub(crate) fn difference(&self, level: u32, a: EdgeRef<'_, 'id>, b: EdgeRef<'_, 'id>) -> Outcome<'m, 'id> {
        if a == b || is_empty(a) {
            return Ok(self.empty());
        }
        if is_empty(b) {
            return Ok(self.hold(a));
        }
        if let Some(result) = self.cached(DIFFERENCE, [a, b, a]) {
            return Ok(result);
        }
        self.tick()?;
        let result = match (self.children(a), self.children(b)) {
            (Children::Binary(x), Children::Binary(y)) => {
                let zero = self.difference(level + 1, x[0].borrowed(), y[0].borrowed())?;
                let one = self.difference(level + 1, x[1].borrowed(), y[1].borrowed())?;
                self.binary_node(level, zero, one)?
            }
            _ => {
                let mut ys = self.pairs(b).peekable();
                let mut list = self.list();
                for (v, x) in self.pairs(a) {
                    while ys.next_if(|&(w, _)| w < v).is_some() {}
                    match ys.next_if(|&(w, _)| w == v) {
                        Some((_, y)) => list.push(v, self.difference(level + 1, x, y)?),
                        None => list.push(v, self.hold(x)),
                    }
                }
                self.node(level, list)?
            }
        };
        self.remember(DIFFERENCE, [a, b, a], &result);
        Ok(result)
    }

    /// Is a ⊆ b? Stops at the first difference.
    pub(crate) fn is_subset(&self, a: EdgeRef<'_, 'id>, b: EdgeRef<'_, 'id>) -> Result<bool, Exhausted> {
        if a == b || is_empty(a) {
            return Ok(true);
        }
        if is_empty(b) || is_terminal(a) {
            return Ok(false);
        }
        if let Some(rest) = self.cached(DIFFERENCE, [a, b, a]) {
            return Ok(rest.is_empty());
        }
        self.tick_reading()?;
        let mut ys = self.pairs(b).peekable();
        for (v, x) in self.pairs(a) {
            while ys.next_if(|&(w, _)| w < v).is_some() {}
            match ys.next_if(|&(w, _)| w == v) {
                Some((_, y)) if self.is_subset(x, y)? => {}
                _ => return Ok(false),
            }
        }
        self.remember(DIFFERENCE, [a, b, a], &self.empty());
        Ok(true)
    }
}
