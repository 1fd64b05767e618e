//! The graph of the reachable states, one by one: for small models, and for programs that know graphs.
//!
//! The states are visited breadth-first by the firing rule of the model, which shares nothing with the engines.

use super::{Error, Model, NamedState};
use crate::model::{State, Step};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The reachable states with the steps between them. See [`Model::graph`].
#[derive(Clone, Debug)]
pub struct StateGraph {
    states: Vec<NamedState>,
    initial: usize,
    edges: Vec<(usize, String, usize)>,
}

/// States between two looks at the budget.
const CHECK: usize = 256;

impl StateGraph {
    /// The states, in the order in which a breadth-first search meets them.
    pub fn states(&self) -> &[NamedState] {
        &self.states
    }

    /// How many initial states there are: the first ones.
    pub fn initial(&self) -> usize {
        self.initial
    }

    /// The steps: from the state with this number, what is done, to the state with that number.
    pub fn edges(&self) -> &[(usize, String, usize)] {
        &self.edges
    }
}

impl Model {
    /// The graph of at most so many reachable states.
    ///
    /// ```
    /// use starset::{Error, Model};
    /// let model = Model::read("models/philo-5.pnml")?;
    /// let graph = model.graph(1000)?;
    /// assert_eq!((graph.states().len(), graph.edges().len()), (243, 945));
    /// assert!(matches!(model.graph(100), Err(Error::ManyStates(100))));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ManyStates`] when there are more, [`Error::Unknown`] when the budget is used up, and of a coloured net that
    /// is not unfolded.
    pub fn graph(&self, most: usize) -> Result<StateGraph, Error> {
        let model = self.kind();
        self.run(|budget| {
            let bytes = model.variables() as u64 * 16 + 64;
            let mut states: Vec<State> = Vec::new();
            let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
            let mut edges = Vec::new();
            if let Some(folded) = model.as_folded() {
                return Err(folded.stop().into());
            }
            if !model.lists_initial_states() {
                let why = "a model with too many initial states to list them has no graph";
                return Err(crate::stop_reason::StopReason::Unsupported(why).into());
            }
            for state in model.initial_states() {
                if let Entry::Vacant(entry) = numbers.entry(state) {
                    states.push(entry.key().clone());
                    entry.insert(states.len() - 1);
                }
            }
            let (initial, mut at) = (states.len(), 0);
            while let Some(state) = states.get(at).cloned() {
                if at % CHECK == 0 {
                    budget.check()?;
                    if budget.memory().is_some_and(|most| (states.len() + edges.len()) as u64 * bytes > most) {
                        return Err(crate::budget::Exhausted::Memory.into());
                    }
                }
                for action in model.action_ids() {
                    let steps = (0..u32::MAX).map(|choice| Step { action, choice });
                    for (step, next) in steps.map_while(|step| Some((step, model.fire(&state, step)?))) {
                        let number = *numbers.entry(next).or_insert_with_key(|next| {
                            states.push(next.clone());
                            states.len() - 1
                        });
                        if number >= most {
                            return Err(Error::ManyStates(most));
                        }
                        edges.push((at, model.describe(&state, step).into_owned(), number));
                    }
                }
                at += 1;
            }
            if let Some(how) = model.failed() {
                return Err(crate::stop_reason::StopReason::Model(how).into());
            }
            let states = states.into_iter().map(|state| NamedState::new(self, state)).collect();
            Ok(StateGraph { states, initial, edges })
        })
    }
}
