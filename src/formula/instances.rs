//! Names of instances of coloured places and transitions, without a list of them.
//!
//! A coloured net may have far more instances than its unfolding keeps: colours that can never be in their
//! place and bindings that can never fire are left out. A formula may name them all the same, and means a place
//! that is always empty or a transition that is never enabled. [`InstanceNames`] recognises such names by
//! their parts.

use std::collections::BTreeSet;
use std::sync::Arc;

/// The names of all instances of one coloured node: a stem, then for each part `_` and one of its names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InstanceNames {
    /// The identifier of the coloured node.
    pub stem: String,
    /// The names for each part.
    pub parts: Vec<PartNames>,
}

/// The names that may stand for one part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PartNames {
    /// One of these.
    Listed(Arc<[String]>),
    /// An integer from the first to the second.
    Integers(i64, i64),
}

impl InstanceNames {
    /// Is this the name of an instance?
    pub(super) fn fits(&self, name: &str) -> bool {
        let Some(rest) = name.strip_prefix(&self.stem) else { return false };
        // A name of a part may hold `_` itself: follow all ways to read the name.
        let mut ends = BTreeSet::from([0]);
        for part in &self.parts {
            let begins = ends.iter().filter_map(|&end| Some((end + 1, rest.get(end..)?.strip_prefix('_')?)));
            ends = begins.flat_map(|(begin, text)| part.prefixes(text).into_iter().map(move |n| begin + n)).collect();
        }
        ends.contains(&rest.len())
    }
}

impl PartNames {
    /// The lengths of the names that `text` begins with.
    fn prefixes(&self, text: &str) -> Vec<usize> {
        match self {
            PartNames::Listed(names) => {
                names.iter().filter(|name| text.starts_with(&***name)).map(String::len).collect()
            }
            PartNames::Integers(least, greatest) => {
                let length =
                    text.char_indices().take_while(|&(i, c)| c.is_ascii_digit() || (i == 0 && c == '-')).count();
                let number = text[..length].parse().ok().filter(|n| (*least..=*greatest).contains(n));
                number.filter(|n: &i64| n.to_string() == text[..length]).map(|_| length).into_iter().collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_by_their_parts() {
        let listed = |names: &[&str]| PartNames::Listed(names.iter().map(|name| (*name).to_owned()).collect());
        let names = InstanceNames {
            stem: "p_1".to_owned(),
            parts: vec![listed(&["a", "a_b", "b"]), PartNames::Integers(-1, 12), listed(&["c", "b_c"])],
        };
        for name in ["p_1_a_-1_c", "p_1_a_b_12_c", "p_1_b_0_b_c"] {
            assert!(names.fits(name), "{name}");
        }
        for name in ["p_1", "p_1_a_b_c", "p_1_a_13_c", "p_1_a_01_c", "p_1_a_1_c_", "p_a_1_c", "p_1_a_1_é", "é"] {
            assert!(!names.fits(name), "{name}");
        }
    }
}
