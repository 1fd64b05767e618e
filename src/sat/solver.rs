//! A solver for clauses, and gates as clauses.
//!
//! Source: Eén, Sörensson, *An extensible SAT-solver*, SAT 2003; Tseitin, *On the complexity of derivation in
//! propositional calculus*, 1968.

use crate::budget::{Budget, Exhausted};
use crate::circuit::{Gates, Signal};
use batsat::{Callbacks, Lit, SolverInterface as _, lbool};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Looks at the budget when the solver asks whether to stop.
struct Watch {
    budget: Rc<RefCell<Budget>>,
    asked: Cell<u32>,
    /// It has said so: it is asked twice.
    stopped: Cell<bool>,
}

/// Questions of the solver from one look at the budget to the next.
const LOOKS: u32 = 1 << 8;

impl Callbacks for Watch {
    fn on_start(&mut self) {
        self.stopped.set(false);
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get().wrapping_add(1));
        if self.asked.get().is_multiple_of(LOOKS) && self.budget.borrow().check().is_err() {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}

/// Clauses, to which more are added.
pub(super) struct Solver {
    solver: batsat::Solver<Watch>,
    budget: Rc<RefCell<Budget>>,
    clause: Vec<Lit>,
    literals: u64,
    /// Are the values of gates guessed, or do they follow from those of leaves?
    guesses_gates: bool,
}

/// Bytes for a literal of a clause with its share of what else belongs to a clause.
const BYTES: u64 = 24;
/// Bytes of all clauses, unless the budget says less.
const MEMORY: u64 = 1 << 30;

impl Solver {
    pub(super) fn new(budget: &Budget) -> Self {
        let budget = Rc::new(RefCell::new(budget.clone()));
        let watch = Watch { budget: Rc::clone(&budget), asked: Cell::new(0), stopped: Cell::new(false) };
        let solver = batsat::Solver::new(batsat::SolverOpts::default(), watch);
        Solver { solver, budget, clause: Vec::new(), literals: 0, guesses_gates: true }
    }

    /// A solver for many easy questions: it guesses the values of leaves alone.
    pub(super) fn by_leaves(budget: &Budget) -> Self {
        Solver { guesses_gates: false, ..Solver::new(budget) }
    }

    /// From now on there is this budget.
    pub(super) fn allow(&self, budget: &Budget) {
        *self.budget.borrow_mut() = budget.clone();
    }

    /// A literal of a variable of its own.
    pub(super) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// A literal for a gate.
    fn gate(&mut self) -> Lit {
        Lit::new(self.solver.new_var(lbool::UNDEF, self.guesses_gates), true)
    }

    /// One of these holds.
    pub(super) fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(literals);
        self.literals += self.clause.len() as u64;
        // Once there is a contradiction, all is one.
        let _is_contradiction = !self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Is there a solution in which all of these hold?
    ///
    /// # Errors
    /// When the budget is used up.
    pub(super) fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Exhausted> {
        let budget = self.budget.borrow();
        if self.literals.saturating_mul(BYTES) > budget.memory().map_or(MEMORY, |memory| MEMORY.min(memory / 4)) {
            return Err(Exhausted::Memory);
        }
        budget.check()?;
        drop(budget);
        match self.solver.solve_limited(assumptions) {
            found if found == lbool::TRUE => Ok(true),
            found if found == lbool::FALSE => Ok(false),
            _ => Err(self.budget.borrow().check().err().unwrap_or(Exhausted::Time)),
        }
    }

    /// Does it hold in the solution that was found?
    pub(super) fn holds(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// Did it take part in the contradiction that was found?
    pub(super) fn matters(&self, assumption: Lit) -> bool {
        // The contradiction is a clause of what does not hold.
        self.solver.unsat_core_contains_lit(!assumption)
    }

    /// Forget clauses that hold for good.
    pub(super) fn simplify(&mut self) {
        let _is_contradiction = !self.solver.simplify();
    }
}

/// The literals of the gates of a circuit at one point in time, made as they are needed.
pub(super) struct Encoded {
    literals: Vec<Option<Lit>>,
}

impl Encoded {
    /// None yet.
    pub(super) fn new(gates: &Gates) -> Self {
        Encoded { literals: vec![None; gates.len()] }
    }

    /// A leaf is this literal.
    pub(super) fn set(&mut self, leaf: Signal, literal: Lit) {
        self.literals[leaf.gate()] = Some(if leaf.is_negated() { !literal } else { literal });
    }

    /// The literal of a signal.
    pub(super) fn literal(&mut self, solver: &mut Solver, gates: &Gates, signal: Signal) -> Lit {
        let mut open = vec![signal.gate()];
        while let Some(&gate) = open.last() {
            if self.literals[gate].is_some() {
                open.pop();
                continue;
            }
            match gates.operands(gate) {
                None => {
                    let literal = solver.fresh();
                    if gate == 0 {
                        solver.clause([!literal]);
                    }
                    self.literals[gate] = Some(literal);
                }
                Some((a, b)) => match (self.known(a), self.known(b)) {
                    (Some(a), Some(b)) => {
                        let literal = solver.gate();
                        solver.clause([!literal, a]);
                        solver.clause([!literal, b]);
                        solver.clause([literal, !a, !b]);
                        self.literals[gate] = Some(literal);
                    }
                    (first, second) => {
                        open.extend(
                            [(first, a), (second, b)].iter().filter(|(it, _)| it.is_none()).map(|(_, s)| s.gate()),
                        );
                    }
                },
            }
        }
        self.known(signal).unwrap_or_else(|| unreachable!("its gate has one now"))
    }

    /// The literal of a signal that has one.
    pub(super) fn known(&self, signal: Signal) -> Option<Lit> {
        self.literals[signal.gate()].map(|literal| if signal.is_negated() { !literal } else { literal })
    }
}
