//! State labels as sets: the states of a diagram in which a model says that its label holds.
//!
//! A label is a function over the variables that it reads, its row, and only the model can evaluate it. So a diagram is
//! descended with the values read on the way; below the last level of the row all states of a node agree, and the model
//! is asked once for each combination of values that some state has. Results are memoised by node and values: there are
//! at most as many as nodes times combinations, and no state is enumerated unless the row has all variables.

use crate::mdd::{EdgeRef, Held, Session, is_empty};
use crate::model::LabelId;
use crate::relation::{Learner, Relation};
use crate::stop_reason::StopReason;
use crate::symbolic::conjunctive::where_holds;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The values read so far, from the top.
type Prefix = SmallVec<[u32; 4]>;

/// The states of `states` in which a label holds.
pub(super) fn states<'m, 'id>(
    relation: &Relation,
    label: LabelId,
    session: &Session<'m, 'id>,
    states: EdgeRef<'_, 'id>,
) -> Result<Held<'m, 'id>, StopReason> {
    if let Some(condition) = relation.conjunctive().labels.get(label.index()) {
        return where_holds(condition, session, states, relation.levels());
    }
    let foreign = StopReason::Unsupported("the model has no such state label");
    let Some(learner) = relation.learned().map(|learned| &*learned.learner) else { return Err(foreign) };
    let Some(row) = learner.label_reads(label) else { return Err(foreign) };
    let mut places: Vec<(u32, usize)> = Vec::new();
    places.extend(row.iter().enumerate().map(|(place, variable)| (relation.level_of(variable.index()), place)));
    places.sort_unstable();
    let (asked, results) = (FxHashMap::default(), FxHashMap::default());
    Labelling { learner, label, places, session, asked, results }.descend(0, states, Prefix::new())
}

struct Labelling<'s, 'a, 'm, 'id> {
    learner: &'s dyn Learner,
    label: LabelId,
    /// The levels of the row from the top, and where the row has them.
    places: Vec<(u32, usize)>,
    session: &'s Session<'m, 'id>,
    /// The answers of the model, by the values from the top.
    asked: FxHashMap<Prefix, bool>,
    results: FxHashMap<(EdgeRef<'a, 'id>, Prefix), Held<'m, 'id>>,
}

impl<'a, 'm: 'a, 'id> Labelling<'_, 'a, 'm, 'id> {
    fn descend(&mut self, level: u32, node: EdgeRef<'a, 'id>, prefix: Prefix) -> Result<Held<'m, 'id>, StopReason> {
        if is_empty(node) {
            return Ok(self.session.empty());
        }
        let Some(&(next, _)) = self.places.get(prefix.len()) else {
            return Ok(if self.holds(prefix)? { self.session.hold(node) } else { self.session.empty() });
        };
        let key = (node, prefix);
        if let Some(result) = self.results.get(&key) {
            return Ok(result.clone());
        }
        self.session.tick()?;
        let mut list = self.session.list();
        for (value, child) in self.session.pairs(node) {
            let mut below = key.1.clone();
            if next == level {
                below.push(value);
            }
            list.push(value, self.descend(level + 1, child, below)?);
        }
        let result = self.session.node(level, list)?;
        self.results.insert(key, result.clone());
        Ok(result)
    }

    /// Does the label hold where these values are read?
    fn holds(&mut self, prefix: Prefix) -> Result<bool, StopReason> {
        if let Some(&holds) = self.asked.get(&prefix) {
            return Ok(holds);
        }
        self.session.check_time()?;
        let mut short = vec![0; prefix.len()];
        for (&(_, place), &value) in self.places.iter().zip(&prefix) {
            short[place] = value;
        }
        let holds = self.learner.holds(self.label, &short, self.session.budget())?;
        self.asked.insert(prefix, holds);
        Ok(holds)
    }
}
