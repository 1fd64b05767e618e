//! The sorts of questions, each in a file: what each way can say of it ([`Questionnaire`](super::case::Questionnaire)).
//!
//! `formulas` has the most to say. `conjuncts` asks properties of the whole model conjunct by conjunct, `greatest` is about the greatest
//! numbers of tokens, and `passes` about searches beyond memory.

pub(super) mod bounds;
mod conjuncts;
pub(super) mod deadlock;
pub(super) mod figures;
pub(super) mod formulas;
mod greatest;
pub(super) mod liveness;
pub(super) mod one_safe;
mod passes;
pub(super) mod quasi_liveness;
pub(super) mod stable_marking;
