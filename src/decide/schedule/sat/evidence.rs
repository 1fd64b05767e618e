//! What an answer of the engine of bits rests on, for those who prove it to somebody else.
//!
//! The engine is asked anew, and tells what it found: clauses that are an invariant, the states of a run, or clauses that
//! bound how often an automaton sees its marks.

use super::linear::Linear;
use super::product::{Location, Product, Way, beside};
use super::{Asked, is_deterministic};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use crate::decide::conditions::Condition;
use crate::decide::task::{Question, Subject};
use crate::formula::{FormulaId, Pool};
use crate::model::{State, VariableId};
use crate::sat::{Clause, Endless, Outcome, Run, counted, decide, fair_run, is_faultless, looping};

/// That a bit of the number of a variable's value, the lowest being 0, is such.
pub type BitOfValue = (VariableId, u32, bool);
/// Where one of each of these lists is so.
pub type Clauses = Vec<Vec<BitOfValue>>;

/// Why a formula is true, or false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BitEvidence {
    /// Sets of states by location of an automaton, which has one alone if a condition holds in all reachable states; and how many
    /// bits the numbers of the values of each variable have. First states are at the first location.
    ///
    /// At each location there are several sets, whose numbers say how many marks may still come. A step, and an edge that it may
    /// take, lead from where a state is in a set to where the next one is in a set with this number; with the next lower one, if
    /// the edge has the mark whose turn it is: that of the number modulo how many marks there are. A condition holds in all states
    /// of its sets.
    Sets(Vec<Vec<(u32, Clauses)>>, Vec<u32>),
    /// A condition fails in the last state of this run.
    Run(Vec<State>),
    /// A path formula fails on this run, whose last state is an earlier one; or a condition, where runs have no end.
    Loop(Vec<State>),
}

/// An edge of an automaton: conditions that hold where it is taken, or with `false` do not; where it leads; its marks.
#[derive(Clone, Debug)]
pub struct BitEdge {
    /// The conditions.
    pub guard: Vec<(FormulaId, bool)>,
    /// The location that it leads to.
    pub target: usize,
    /// Its marks, by number.
    pub marks: Vec<usize>,
}

/// An automaton over conditions, whose first location is number 0. It accepts where each mark comes again and again.
#[derive(Clone, Debug)]
pub struct BitAutomaton<'p> {
    /// Its conditions.
    pub pool: &'p Pool,
    /// By location: the edges.
    pub edges: Vec<Vec<BitEdge>>,
    /// How many marks there are.
    pub marks: usize,
    /// The location from which everything is accepted.
    pub top: Option<usize>,
}

/// A model for the engine of bits.
#[derive(Debug)]
pub struct Bits<'a> {
    subject: Subject<'a>,
    circuit: Circuit,
    /// By latch: the variable, and the bit of its value.
    places: Vec<(VariableId, u32)>,
}

impl<'a> Bits<'a> {
    /// The model, if it is one.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn new(subject: Subject<'a>, budget: &Budget) -> Result<Option<Self>, Exhausted> {
        let Some(circuit) = subject.model.circuit(budget) else { return Ok(None) };
        if !is_faultless(&circuit, budget)? {
            return Ok(None);
        }
        let mut places = vec![(VariableId(0), 0); circuit.latches.len()];
        for (variable, latches) in circuit.variables.iter().enumerate() {
            latches.iter().zip(0..).for_each(|(&latch, bit)| places[latch] = (VariableId(variable as u32), bit));
        }
        Ok(Some(Bits { subject, circuit, places }))
    }

    /// The model.
    pub fn subject(&self) -> Subject<'a> {
        self.subject
    }

    /// Why a question has this verdict: where it is one of all reachable states and no more, an invariant or a run; where it is one
    /// of single runs, a run without end.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn evidence(
        &mut self,
        question: &Question,
        verdict: bool,
        budget: &Budget,
    ) -> Result<Option<BitEvidence>, Exhausted> {
        let asked = Asked::new(self.subject, &question.clone().into()).filter(|asked| asked.exact);
        let signal = asked.as_ref().and_then(|asked| asked.signal(self.subject, &mut self.circuit));
        let (Some(asked), Some(signal)) = (asked, signal) else {
            return self.run_without_end(question, verdict, budget);
        };
        Ok(match decide(&self.circuit, signal, budget)? {
            Outcome::Holds(clauses) if verdict == asked.holds => {
                let clauses = clauses.iter().map(|clause| self.of_values(clause)).collect();
                Some(BitEvidence::Sets(vec![vec![(0, clauses)]], self.widths()))
            }
            Outcome::Fails(run) if verdict != asked.holds && asked.by_loop => {
                looping(&self.circuit, &run, budget)?.map(|run| BitEvidence::Loop(self.states(&run)))
            }
            Outcome::Fails(run) if verdict != asked.holds => Some(BitEvidence::Run(self.states(&run))),
            _ => None,
        })
    }

    fn run_without_end(
        &self,
        question: &Question,
        verdict: bool,
        budget: &Budget,
    ) -> Result<Option<BitEvidence>, Exhausted> {
        let &Question::Formula { linear, paths, .. } = question else { return Ok(None) };
        let (model, mut pool) = (self.subject.model, self.subject.pool.clone());
        let asked = Linear::new(model, &mut pool, linear, paths).filter(|asked| {
            asked.holds != verdict && asked.by_run && (!asked.deterministic || is_deterministic(&self.circuit))
        });
        let Some(asked) = asked else { return Ok(None) };
        let Some(product) = Product::new(model, &self.circuit, (&mut pool, &asked), budget) else { return Ok(None) };
        Ok(match fair_run(&product.circuit, &product.justice, budget)? {
            Endless::Loop(run, _) => {
                let state = |latches: &Vec<bool>| State::new(product.circuit.values(latches));
                Some(BitEvidence::Loop(run.states.iter().map(state).collect()))
            }
            Endless::None | Endless::Unsuitable => None,
        })
    }

    /// Sets that show that an automaton accepts no path of the model; `None` if that is not so, or too hard.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn nothing_accepted(
        &self,
        automaton: &BitAutomaton<'_>,
        budget: &Budget,
    ) -> Result<Option<BitEvidence>, Exhausted> {
        let mut circuit = self.circuit.clone();
        let mut locations = Vec::new();
        for edges in &automaton.edges {
            let mut ways = Vec::new();
            for edge in edges {
                let mut guard = Signal::TRUE;
                for &(formula, holds) in &edge.guard {
                    let condition = Condition::new(self.subject.model, automaton.pool, formula);
                    let Some(signal) = condition.and_then(|condition| condition.signal(&mut circuit)) else {
                        return Ok(None);
                    };
                    guard = circuit.gates.and(guard, if holds { signal } else { !signal });
                }
                ways.push(Way { guard, target: edge.target, marks: edge.marks.clone() });
            }
            locations.push(Location { is_choice: ways.len() > 1, ways });
        }
        let (own, count) = (circuit.latches.len(), locations.len());
        let (at, marked) = beside(&mut circuit, 0, &locations, automaton.marks);
        let good = automaton.top.map_or(Signal::TRUE, |top| !at[top]);
        let Some(found) = counted(&circuit, &marked, good, budget)? else { return Ok(None) };
        let counts = circuit.latches.len();
        // The latches behind those of the model are known at each location, and for each number of marks that are left.
        let sets = (0..count).map(|location| {
            let of_number = |left: usize| {
                let value = |latch: usize| match latch {
                    _ if latch < own => None,
                    _ if latch < counts => Some(latch - own == location),
                    // So many have come.
                    _ => Some(latch - counts < found.most - 1 - left),
                };
                let clauses = found.clauses.iter().filter_map(|clause| {
                    let is_open = clause.iter().all(|&(latch, holds)| value(latch) != Some(holds));
                    let rest: Clause = clause.iter().copied().filter(|&(latch, _)| value(latch).is_none()).collect();
                    is_open.then(|| self.of_values(&rest))
                });
                (left as u32, clauses.collect())
            };
            (0..found.most).map(of_number).collect()
        });
        Ok(Some(BitEvidence::Sets(sets.collect(), self.widths())))
    }

    fn states(&self, run: &Run) -> Vec<State> {
        run.states.iter().map(|latches| State::new(self.circuit.values(latches))).collect()
    }

    fn of_values(&self, clause: &Clause) -> Vec<BitOfValue> {
        clause.iter().map(|&(latch, value)| (self.places[latch].0, self.places[latch].1, value)).collect()
    }

    fn widths(&self) -> Vec<u32> {
        self.circuit.variables.iter().map(|latches| latches.len() as u32).collect()
    }
}
