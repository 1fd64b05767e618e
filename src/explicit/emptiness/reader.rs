//! Products of a model with an automaton: the automaton, its reading, and the result.

use crate::automaton::{Prop, Tgba};
use crate::explicit::atoms::Atoms;
use crate::explicit::buchi::Buchi;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::{Options, Stats};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::Path;
use crate::stop_reason::StopReason;

/// The automaton of a product, with its atoms and its path semantics.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a> {
    /// The automaton; it should accept the runs that are looked for.
    pub automaton: &'a Tgba,
    /// The meaning of each proposition of the automaton: a formula of `pool` on single states, or an action
    /// atom.
    pub atoms: &'a [FormulaId],
    /// The pool of the atoms.
    pub pool: &'a Pool,
    /// `Infinite` disregards runs that end in a deadlock; otherwise their last state repeats for ever. For
    /// `Maximal` the automaton must have been made with that in mind: a next step exists only where
    /// `deadlock` does not hold.
    pub paths: PathSemantics,
}

/// The result of the search for an accepting run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emptiness {
    /// Whether no run is accepted.
    pub empty: bool,
    /// An accepted run, if there is one and [`Options::run`] or [`Options::witness`] asked for it.
    pub path: Option<Path>,
    /// Effort; the states are those of the product.
    pub stats: Stats,
}

/// How an accepting run was found.
#[derive(Clone, Copy, Debug)]
pub(in crate::explicit) enum Accepted {
    /// The component of the last root has all marks.
    Component,
    /// The state on top of the stack is a deadlock and accepts.
    Deadlock,
    /// The automaton accepts whatever follows.
    Terminal,
}

/// The automaton, ready to be read, and what it reads.
pub(in crate::explicit) struct Reader<'a> {
    pub(in crate::explicit) buchi: Buchi<'a>,
    /// The propositions of its guards.
    pub(in crate::explicit) used: Vec<Prop>,
    pub(in crate::explicit) collapsed: bool,
}

impl<'a> Reader<'a> {
    pub(in crate::explicit) fn new(product: &Product<'a>, options: &Options) -> Result<Reader<'a>, StopReason> {
        if product.atoms.len() < product.automaton.propositions().len() {
            return Err(StopReason::Unsupported("the automaton has a proposition that stands for nothing"));
        }
        let used: Vec<Prop> = product.automaton.read();
        let is_action = |p: &Prop| matches!(product.pool[product.atoms[p.index()]], Formula::Action(_));
        // A firing that a guard reads is no repetition of a letter.
        let actions = used.iter().any(is_action);
        let collapsed = options.stubborn && !actions && product.automaton.stutter_invariant() == Some(true);
        let buchi = Buchi::new(product.automaton, options.heuristic_buchi, collapsed);
        Ok(Reader { buchi, used, collapsed })
    }

    /// The automaton's propositions, compiled for the states of a packed model.
    pub(in crate::explicit) fn atoms<S: PackedModel>(
        &self,
        space: &S,
        product: &Product<'_>,
    ) -> Result<Atoms, StopReason> {
        let propositions = product.automaton.propositions().len();
        Atoms::new(space, product.pool, &product.atoms[..propositions], &self.used)
    }
}
