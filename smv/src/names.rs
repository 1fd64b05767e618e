//! Names as identifiers of the language: letters, digits and `_`, none of them twice, none a reserved word.

use crate::lexer::is_reserved;
use std::collections::{HashMap, HashSet};

/// The names of a program that is written, which share one space: variables, definitions, constants, properties.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// For names that were wanted several times, the last number that was tried.
    last: HashMap<String, u64>,
    constants: HashMap<String, String>,
}

impl Names {
    /// An identifier like this text that nothing has yet.
    pub fn fresh(&mut self, text: &str) -> String {
        let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            name.insert(0, '_');
        }
        if is_reserved(&name) {
            name.push('_');
        }
        if !self.taken.insert(name.clone()) {
            let last = self.last.entry(name.clone()).or_insert(1);
            name = loop {
                *last += 1;
                let free = format!("{name}_{last}");
                if self.taken.insert(free.clone()) {
                    break free;
                }
            };
        }
        name
    }

    /// The constant for the name of a value: the number that it is, or an identifier; the same for the same text.
    pub fn constant(&mut self, text: &str) -> String {
        if text.parse::<i32>().is_ok_and(|number| number.to_string() == text) {
            return text.to_owned();
        }
        if let Some(known) = self.constants.get(text) {
            return known.clone();
        }
        let name = self.fresh(text);
        self.constants.insert(text.to_owned(), name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut names = Names::default();
        let texts = ["p", "p", "p 2", "p_2", "X", "next", "1", "", "ä", "running"];
        let made: Vec<String> = texts.map(|text| names.fresh(text)).into();
        assert_eq!(made, ["p", "p_2", "p_2_2", "p_2_3", "X_", "next_", "_1", "_", "__2", "running_"]);
        let constants = ["-3", "07", "idle", "idle", "p"].map(|text| names.constant(text));
        assert_eq!(constants, ["-3", "_07", "idle", "idle", "p_3"]);
    }
}
