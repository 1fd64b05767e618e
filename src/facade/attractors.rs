//! Attractors of a model, as sets.

use super::{Error, Model, SatSet};
use crate::StopReason;
use crate::budget::Budget;
use crate::decide::StateSpace;
use crate::mdd::Mdd;
use crate::report::state;
use crate::symbolic::{self, Shape};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The attractors of a model: the sets of reachable states that no step leaves and within which each state leads to every
/// other. They are counted, not listed: there may be more than could be.
///
/// ```
/// use starset::Model;
/// let model = Model::read("models/switch.bnet")?;
/// let attractors = model.attractors()?;
/// assert_eq!(attractors.len().to_string(), "3");
/// let sizes: Vec<String> = attractors.sizes().iter().map(|(size, number)| format!("{size}*{number}")).collect();
/// assert_eq!(sizes, ["1*2", "2*1"]);
/// // From where a fixed point can be reached, and from where nothing else can.
/// let first = &attractors.list(1)?[0];
/// let (weak, strong) = (first.weak_basin()?, first.strong_basin()?);
/// assert!(first.states.is_subset(&strong)? && strong.is_subset(&weak)?);
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Attractors {
    model: Model,
    space: Arc<StateSpace>,
    found: Arc<symbolic::Attractors>,
}

/// One attractor.
#[derive(Clone, Debug)]
pub struct Attractor {
    /// Its shape.
    pub shape: Shape,
    /// Its states.
    pub states: SatSet,
    all: Attractors,
}

impl Attractors {
    pub(super) fn new(model: &Model, space: &Arc<StateSpace>, found: symbolic::Attractors) -> Self {
        Attractors { model: model.clone(), space: Arc::clone(space), found: Arc::new(found) }
    }

    /// How many there are.
    pub fn len(&self) -> BigUint {
        self.found.count()
    }

    /// Is there none? Only a model without states has none.
    pub fn is_empty(&self) -> bool {
        self.found.sizes.is_empty()
    }

    /// By number of states, how many attractors have it.
    pub fn sizes(&self) -> &BTreeMap<BigUint, BigUint> {
        &self.found.sizes
    }

    /// By shape, how many attractors have it.
    pub fn shapes(&self) -> &BTreeMap<Shape, BigUint> {
        &self.found.shapes
    }

    /// All states that are in an attractor.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn states(&self) -> Result<SatSet, Error> {
        let set = self.model.run(|budget| self.found.union(budget))?;
        Ok(SatSet::new(&self.model, &self.space, set, "attractors"))
    }

    /// The first so many of them, fixed points first.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn list(&self, most: usize) -> Result<Vec<Attractor>, Error> {
        let found = self.model.run(|budget| self.found.list(most, budget))?;
        let one = |symbolic::Family { shape, states }| {
            let states = SatSet::new(&self.model, &self.space, states, "");
            Attractor { shape, states, all: self.clone() }
        };
        Ok(found.into_iter().map(one).collect())
    }
}

impl Attractor {
    /// The states from which it can be reached.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn weak_basin(&self) -> Result<SatSet, Error> {
        self.set(|found, states, budget| found.weak_basin(states, budget))
    }

    /// The states from which it can be reached, and no other attractor.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn strong_basin(&self) -> Result<SatSet, Error> {
        self.set(|found, states, budget| Ok(found.basins_of(states, budget)?[1].clone()))
    }

    /// The trap space around it: of each variable that has one value in all states of the least closed set of all
    /// combinations of values in which the attractor lies, its name and this value.
    ///
    /// ```
    /// let model = starset::Model::read("models/switch.bnet")?;
    /// let cycle = &model.attractors()?.list(3)?[2];
    /// let fixed: Vec<String> = cycle.trap_space()?.iter().map(|(name, value)| format!("{name}={value}")).collect();
    /// assert_eq!(fixed, ["left=1", "right=0", "signal=1"]);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up.
    pub fn trap_space(&self) -> Result<Vec<(String, String)>, Error> {
        let Attractors { model, space, found } = &self.all;
        let fixed = model.run(|budget| space.trap_space(found, self.states.diagram(), budget))?;
        let kind = self.all.model.kind();
        let named =
            |(variable, value)| (kind.variable(variable).to_owned(), state::value(kind, variable, value).into_owned());
        Ok(fixed.into_iter().map(named).collect())
    }

    fn set(
        &self,
        of: impl FnOnce(&symbolic::Attractors, &Mdd, &Budget) -> Result<Mdd, StopReason> + Send,
    ) -> Result<SatSet, Error> {
        let Attractors { model, space, found } = &self.all;
        let set = model.run(|budget| of(found, self.states.diagram(), budget))?;
        Ok(SatSet::new(model, space, set, ""))
    }
}
