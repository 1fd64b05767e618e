//! Which paths count, and which logic a formula belongs to.
//!
//! A marking that enables no transition has no successor, so "for all paths" needs a decision about paths that
//! end. Three are in use and they differ; every engine takes a [`PathSemantics`] explicitly, and every answer
//! says which one was used. The meaning of each operator under each of them is written down in
//! `docs/semantics.md`.

use std::fmt;
use std::str::FromStr;

/// The meaning of paths where a deadlock can be reached.
///
/// ```
/// use starset::formula::PathSemantics;
/// assert_eq!("maximal".parse(), Ok(PathSemantics::Maximal));
/// assert_eq!(PathSemantics::Stutter.to_string(), "stutter");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PathSemantics {
    /// Paths are infinite, or finite and end in a deadlock. `X φ` is false at the end of a finite path, so in
    /// a deadlock `EX φ` is false, `AX φ` is true, and `EG φ` and `AF φ` hold iff φ does.
    Maximal,
    /// Paths are infinite; a deadlock repeats for ever. In a deadlock `X φ` holds iff φ does.
    Stutter,
    /// Paths are infinite; what reaches only deadlocks has no path: there `E φ` is false and `A φ` is true.
    Infinite,
}

impl PathSemantics {
    /// All three.
    pub const ALL: [PathSemantics; 3] = [PathSemantics::Maximal, PathSemantics::Stutter, PathSemantics::Infinite];
}

impl fmt::Display for PathSemantics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathSemantics::Maximal => "maximal",
            PathSemantics::Stutter => "stutter",
            PathSemantics::Infinite => "infinite",
        })
    }
}

/// A word that names no path semantics.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown path semantics `{0}`; expected maximal, stutter or infinite")]
pub struct UnknownPaths(String);

impl FromStr for PathSemantics {
    type Err = UnknownPaths;
    fn from_str(word: &str) -> Result<Self, UnknownPaths> {
        match word {
            "maximal" => Ok(PathSemantics::Maximal),
            "stutter" => Ok(PathSemantics::Stutter),
            "infinite" => Ok(PathSemantics::Infinite),
            _ => Err(UnknownPaths(word.to_owned())),
        }
    }
}

/// The smallest of the usual logics that a formula belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Logic {
    /// No path quantifier and no temporal operator: a condition on one marking.
    Boolean,
    /// Boolean combinations of `EF β` and `AG β` and of conditions, where β is a condition.
    Reachability,
    /// Every temporal operator directly under a path quantifier, and every quantifier over one.
    Ctl,
    /// `A φ`, or φ alone, which stands for it, where φ has no path quantifier.
    Ltl,
    /// None of the above.
    CtlStar,
}

impl Logic {
    /// The path semantics used when none is asked for: that of the Model Checking Contest, `maximal` for the
    /// branching-time logics up to CTL and `stutter` for LTL and for CTL* that is neither.
    pub fn default_paths(self) -> PathSemantics {
        match self {
            Logic::Boolean | Logic::Reachability | Logic::Ctl => PathSemantics::Maximal,
            Logic::Ltl | Logic::CtlStar => PathSemantics::Stutter,
        }
    }

    /// The path semantics used for a network of transition systems when none is asked for: that of the RERS
    /// challenge, where linear-time formulas speak of infinite traces alone.
    pub fn default_paths_of_network(self) -> PathSemantics {
        match self {
            Logic::Boolean | Logic::Reachability | Logic::Ctl => PathSemantics::Maximal,
            Logic::Ltl | Logic::CtlStar => PathSemantics::Infinite,
        }
    }
}

impl fmt::Display for Logic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Logic::Boolean => "Boolean",
            Logic::Reachability => "reachability",
            Logic::Ctl => "CTL",
            Logic::Ltl => "LTL",
            Logic::CtlStar => "CTL*",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for paths in PathSemantics::ALL {
            assert_eq!(paths.to_string().parse(), Ok(paths));
        }
        assert!("finite".parse::<PathSemantics>().is_err());
    }
}
