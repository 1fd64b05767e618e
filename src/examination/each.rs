//! Questions about each transition or place of a model: can it fire, how many tokens can it hold?
//!
//! **Problem.** The global properties of the contest are conjunctions: a net is quasi-live if each transition can fire. Whoever
//! repairs a model asks which of them cannot.
//!
//! **Idea.** A question for each conjunct, all in one task, so that walks, linear programs, smaller nets, and diagrams serve
//! all of them, and each answer comes once it is known. Formulas begin with a quantifier over all paths: from several initial
//! states that is a question about all of them.

use crate::decide::{Question, Value};
use crate::formula::{Comparison, Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Loaded;
use crate::model::VariableId;
use crate::symbolic::Route;
use std::fmt;

/// A property of each transition or place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Each {
    /// The transition is enabled in some reachable marking.
    Fireable,
    /// From each reachable marking one can be reached that enables the transition.
    Live,
    /// The place holds the same number of tokens in all reachable markings.
    Stable,
    /// The greatest number of tokens of the place.
    Bound,
}

impl Each {
    /// All of them.
    pub const ALL: [Each; 4] = [Each::Fireable, Each::Live, Each::Stable, Each::Bound];

    /// Its name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Each::Fireable => "fireable",
            Each::Live => "live",
            Each::Stable => "stable",
            Each::Bound => "bound",
        }
    }

    /// Is it about transitions, not about places?
    pub fn is_of_transitions(self) -> bool {
        matches!(self, Each::Fireable | Each::Live)
    }

    /// The formula whose verdict tells the property of a group of transitions or places; none for numbers. What holds of
    /// a transition that can fire is the opposite of the formula: that it never can.
    fn formula(self, loaded: &Loaded, group: usize, pool: &mut Pool) -> Option<FormulaId> {
        let enabled = |pool: &mut Pool| pool.add(Formula::Enabled(loaded.groups.actions[group].clone()));
        match self {
            Each::Fireable => {
                let enabled = enabled(pool);
                let disabled = pool.not(enabled);
                Some(pool.always(disabled))
            }
            Each::Live => {
                let enabled = enabled(pool);
                let again = pool.sometimes(enabled);
                Some(pool.always(again))
            }
            Each::Stable => {
                let (places, initial) = (&loaded.groups.variables[group], loaded.model.initial());
                let sum = places.iter().map(|place| i128::from(initial.value(*place))).sum();
                let unchanged = pool.compare(places.clone(), Comparison::Eq, sum);
                Some(pool.always(unchanged))
            }
            Each::Bound => None,
        }
    }

    /// What the answer to the question says of the property.
    pub fn value(self, answer: Value) -> Value {
        match (self, answer) {
            (Each::Fireable, Value::Verdict(never)) => Value::Verdict(!never),
            (_, answer) => answer,
        }
    }
}

impl fmt::Display for Each {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A property of one transition or place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OfOne {
    /// The property.
    pub each: Each,
    /// The transition or place; of an unfolded net, the coloured one.
    pub name: String,
}

/// The questions of these properties, about all transitions or places of a model. `skip` says which are left out. Variables
/// that are no counts (their values have names, or begin elsewhere than at 0, or they are clocks) have no bound.
///
/// ```
/// use starset::examination::{Each, each_of};
/// use starset::formula::Pool;
/// use starset::kinds::Loaded;
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("once");
/// let p = b.place("p", 1)?;
/// let t = b.transition("t")?;
/// b.input(p, t, 1)?;
/// let loaded = Loaded::new(b.build()?);
/// let asked = each_of(&loaded, &[Each::Fireable, Each::Bound], &mut Pool::new(), |_| false);
/// let names: Vec<String> = asked.iter().map(|(of, _)| format!("{} {}", of.each, of.name)).collect();
/// assert_eq!(names, ["fireable t", "bound p"]);
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn each_of(
    loaded: &Loaded,
    properties: &[Each],
    pool: &mut Pool,
    skip: impl Fn(&OfOne) -> bool,
) -> Vec<(OfOne, Question)> {
    let mut questions = Vec::new();
    for &each in properties {
        let groups = if each.is_of_transitions() { loaded.groups.actions.len() } else { loaded.groups.variables.len() };
        for group in 0..groups {
            let name =
                if each.is_of_transitions() { loaded.name_of_actions(group) } else { loaded.name_of_variables(group) };
            let of = OfOne { each, name: name.to_owned() };
            let is_count = |&variable: &VariableId| {
                let (model, is_named) = (&loaded.model, loaded.symbols.has_named_values(variable));
                // The value of a clock stops where it makes no difference any more.
                !is_named && model.least(variable) == 0 && model.unit(variable).is_none()
            };
            let has_bound = each != Each::Bound || loaded.groups.variables[group].iter().all(is_count);
            if !has_bound || skip(&of) {
                continue;
            }
            let question = match each.formula(loaded, group, pool) {
                Some(formula) => Question::formula(pool, formula, PathSemantics::Maximal, Route::Fixpoints),
                None => Question::Bound(loaded.groups.variables[group].clone()),
            };
            questions.push((of, question));
        }
    }
    questions
}
