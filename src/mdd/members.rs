//! Picking and iterating the tuples of a set, in lexicographic order.

use super::set::Mdd;
use super::terminal::is_empty;

/// Iterator over the tuples of a set, in lexicographic order; see [`Mdd::members`].
#[derive(Debug)]
pub struct Members {
    set: Mdd,
    /// The tuple to resume after; `None` before the first and after the last.
    last: Option<Vec<u32>>,
    done: bool,
}

impl Mdd {
    /// The lexicographically smallest tuple; `None` for the empty set.
    pub fn pick(&self) -> Option<Vec<u32>> {
        self.successor(None)
    }

    /// The tuples of the set in lexicographic order, found one at a time (each step costs one path).
    pub fn members(&self) -> Members {
        Members { set: self.clone(), last: None, done: false }
    }

    /// The smallest tuple above `last` (or the smallest of all).
    fn successor(&self, last: Option<&[u32]>) -> Option<Vec<u32>> {
        self.read(|session, root| {
            let levels = session.levels() as usize;
            if is_empty(root) || (levels == 0 && last.is_some()) {
                return None;
            }
            // The nodes along the path of `last`, and the lowest level at which a larger value branches off.
            let mut tuple = Vec::with_capacity(levels);
            let mut edge = root;
            if let Some(last) = last {
                let mut path = vec![root];
                for &value in last {
                    let next = session.child(*path.last()?, value)?;
                    path.push(next);
                }
                let (level, value, child) = (0..levels).rev().find_map(|level| {
                    let larger = session.pairs(path[level]).find(|&(value, _)| value > last[level]);
                    larger.map(|(value, child)| (level, value, child))
                })?;
                tuple.extend_from_slice(&last[..level]);
                tuple.push(value);
                edge = child;
            }
            while tuple.len() < levels {
                let (value, child) = session.pairs(edge).next()?;
                tuple.push(value);
                edge = child;
            }
            Some(tuple)
        })
    }
}

impl Iterator for Members {
    type Item = Vec<u32>;
    fn next(&mut self) -> Option<Vec<u32>> {
        if self.done {
            return None;
        }
        let next = self.set.successor(self.last.as_deref());
        self.done = next.is_none();
        self.last.clone_from(&next);
        next
    }
}
