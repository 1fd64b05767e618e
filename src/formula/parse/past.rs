//! The operators of the past, whose letters are names as well.
//!
//! `Y`, `Z`, `O`, `H`, `S` and `T` are what NuSMV, BLACK and the literature write. Models have places called so, and
//! formulas about them were read before there was a past. So the place in the text decides: where an operand is
//! expected, `Y` is an operator if another operand begins behind it (`Y p`, `Y (p)`, `Y !p`, `Y #p = 1`), which is no
//! formula otherwise, and a name else (`Y = 1`, `Y & p`, `Y U p`); between two operands `S` and `T` are operators, and
//! where an operand is expected they are names. In double quotes all of them are names. They are words of their own,
//! not joined to others: `Yp` is a name.
//!
//! `N`, the weak next of finite words, is an operator in formulas about these alone, by the same rules.
//!
//! `P` is read as `O`, with a remark: in tense logic (Prior 1967) it says "at some time in the past", and some tools
//! mean `Y`.

use super::lexer::is_name_start;
use super::operators::{INFIX, Prefix};
use super::{Atoms, Parser};

/// Names that may be taken for operators of the past.
pub(crate) const PAST_LETTERS: [&str; 7] = ["Y", "Z", "O", "H", "S", "T", "P"];

impl Parser<'_> {
    /// The operator of the past that `word`, which is next, stands for, if an operand follows it.
    #[inline(never)]
    pub(super) fn past_prefix(&mut self, word: &str) -> Option<Prefix> {
        let prefix = match word {
            "Y" => Prefix::Yesterday,
            "Z" => Prefix::WeakYesterday,
            "O" | "P" => Prefix::Once,
            "H" => Prefix::Historically,
            "N" if self.finite => Prefix::WeakNext,
            _ => return None,
        };
        if !self.begins_operand(self.at + word.len(), true) {
            return None;
        }
        if word == "P" {
            let remark =
                "`P` is read as `O`, \"now or at some time in the past\"; for \"in the state before\" write `Y`";
            self.remarks.push((self.at, remark.to_owned()));
        }
        Some(prefix)
    }

    /// Does what follows from there begin an operand, and go on no other way? `S` and `T` do where they are no
    /// operators, as far as one look ahead tells.
    fn begins_operand(&self, at: usize, ahead: bool) -> bool {
        let rest = self.text[at..].trim_start();
        let Some(c) = rest.chars().next() else { return false };
        if is_name_start(c) {
            let word = self.word_at(self.text.len() - rest.len());
            let behind = self.text.len() - rest.len() + word.len();
            return match word {
                "S" | "T" => !ahead || !self.begins_operand(behind, false),
                _ => INFIX.iter().all(|(spelling, _)| *spelling != word),
            };
        }
        match c {
            '!' => !rest.starts_with("!="),
            '(' | '"' | '#' | '%' | '~' | '¬' | '◯' | '○' | '◇' | '♢' | '□' | '∃' | '∀' | '⊤' | '⊥' => {
                true
            }
            '[' => rest.starts_with("[]"),
            '<' => self.atoms == Atoms::Propositions && rest.starts_with("<>"),
            c => c.is_ascii_digit(),
        }
    }
}
