//! Does a way lead from each reachable state of one sort to one of another, the *goal*?
//!
//! Backwards from the goal, *parts* of the state space are covered: the states that some bits tell, from each of which a step
//! with the same inputs leads to an earlier part. A state that is in no part is drawn, and followed for some steps; then a way
//! to a part is looked for. If there is one, the states on it become parts, made larger by what they lead to the next part
//! without. Else an invariant tells states that no way to the goal leaves, a *trap*. It decides the question if it is
//! reachable, and else need not be covered.
//!
//! Source: Hassan, Bradley, Somenzi, *Incremental, inductive CTL model checking*, CAV 2012.

use super::ic3::Step;
use super::run::{Clause, Cube, Run};
use super::solver::{Encoded, Solver};
use super::{Search, certificate};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use crate::rng::Rng;
use batsat::Lit;

/// What was found out about ways to a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Again {
    /// One leads there from each reachable state of the first sort.
    Always,
    /// None leads there from the last state of this run, which is of the first sort.
    Never(Run),
    /// Nothing, as something did not stand the check.
    Unsuitable,
}

/// Steps by which a state that is drawn is followed.
const FOLLOWED: usize = 60;
/// Latches of which one is to change in such a step, before any step will do.
const TRIED: usize = 4;
/// Parts to which a way is looked for.
const GOALS: usize = 300;
/// States of which a step is looked for, at most.
const DRAWN: usize = 5_000;

/// A part, and how it is left: with these inputs for another one, or not, as it is inside of the goal.
struct Part {
    cube: Cube,
    then: Option<(Vec<bool>, usize)>,
}

/// States that cannot get to the goal, and why those of the first sort among them are not reachable.
struct Trap {
    states: Vec<Clause>,
    unreachable: Vec<Clause>,
}

/// Does a way lead from each reachable state where the first signal is true to one where the second one is? Both are over
/// latches.
///
/// # Errors
/// When the budget is used up.
pub fn always_again(circuit: &Circuit, from: Signal, goal: Signal, budget: &Budget) -> Result<Again, Exhausted> {
    let mut cover = Cover::new(circuit, from, goal, budget);
    let mut traps: Vec<Trap> = Vec::new();
    let mut steps = FOLLOWED;
    while let Some(state) = cover.draw()? {
        let mut run = cover.follow(state, steps)?;
        steps = FOLLOWED;
        let last = run.states[run.states.len() - 1].clone();
        if cover.part_with(&last)?.is_none() {
            let (work, good) = cover.away_from(&last);
            match Search::new(&work, good, budget).run(budget)? {
                Step::Fails(further) => {
                    run.states.extend(further.states.into_iter().skip(1));
                    run.inputs.extend(further.inputs);
                }
                Step::Holds(trap) => {
                    let (work, good) = cover.outside(&trap);
                    match Search::new(&work, good, budget).run(budget)? {
                        Step::Fails(run) => return cover.never(&trap, run, budget),
                        Step::Holds(unreachable) => {
                            cover.leave_out(&trap, &unreachable);
                            // The state that was drawn may be none of them.
                            steps = 0;
                            traps.push(Trap { states: trap, unreachable });
                        }
                    }
                    continue;
                }
            }
        }
        cover.add(&run)?;
    }
    Ok(if cover.is_right(&traps, budget)? { Again::Always } else { Again::Unsuitable })
}

/// Has each state with legal values a step? `None` where that is not seen soon.
///
/// # Errors
/// When the budget is used up.
pub fn always_steps(circuit: &Circuit, budget: &Budget) -> Result<Option<bool>, Exhausted> {
    if circuit.step == Signal::TRUE {
        return Ok(Some(true));
    }
    let (mut draw, mut lift) = (Time::new(circuit, budget), Time::new(circuit, budget));
    let legal = draw.literal(circuit.legal);
    draw.solver.clause([legal]);
    let (step, fails) = (draw.literal(circuit.step), !lift.literal(circuit.step));
    for _ in 0..DRAWN {
        if !draw.solver.solve(&[])? {
            return Ok(Some(true));
        }
        let state = draw.state();
        let mut assumptions = draw.latches(&state);
        assumptions.push(step);
        if !draw.solver.solve(&assumptions)? {
            return Ok(Some(false));
        }
        let inputs = draw.inputs();
        let Some(cube) = lift.enough(&state, &inputs, fails)? else { return Ok(None) };
        draw.leave_out(&cube);
    }
    Ok(None)
}

/// Gates at one point in time.
struct Time<'c> {
    circuit: &'c Circuit,
    solver: Solver,
    encoded: Encoded,
}

impl<'c> Time<'c> {
    fn new(circuit: &'c Circuit, budget: &Budget) -> Self {
        Time { circuit, solver: Solver::new(budget), encoded: Encoded::new(&circuit.gates) }
    }

    fn literal(&mut self, signal: Signal) -> Lit {
        self.encoded.literal(&mut self.solver, &self.circuit.gates, signal)
    }

    /// That a latch has a value, or with `next`, its next one.
    fn latch(&mut self, (latch, value): (usize, bool), next: bool) -> Lit {
        let latch = self.circuit.latches[latch];
        let literal = self.literal(if next { latch.next } else { latch.now });
        if value { literal } else { !literal }
    }

    /// That the latches have these values.
    fn latches(&mut self, state: &[bool]) -> Vec<Lit> {
        state.iter().copied().enumerate().map(|it| self.latch(it, false)).collect()
    }

    /// Values in the solution that was found.
    fn values(&self, signals: impl Iterator<Item = Signal>) -> Vec<bool> {
        signals.map(|signal| self.encoded.known(signal).is_some_and(|literal| self.solver.holds(literal))).collect()
    }

    fn state(&self) -> Vec<bool> {
        self.values(self.circuit.latches.iter().map(|latch| latch.now))
    }

    fn inputs(&self) -> Vec<bool> {
        self.values(self.circuit.inputs.iter().copied())
    }

    fn leave_out(&mut self, cube: &Cube) {
        let clause: Vec<Lit> = cube.iter().map(|&it| !self.latch(it, false)).collect();
        self.solver.clause(clause);
    }

    /// The part of a state with which, and with these inputs, a literal is contradicted; `None` if it is not.
    fn enough(&mut self, state: &[bool], inputs: &[bool], contradicted: Lit) -> Result<Option<Cube>, Exhausted> {
        let latches = self.latches(state);
        let mut assumptions = vec![contradicted];
        for (&input, &value) in self.circuit.inputs.iter().zip(inputs) {
            let literal = self.literal(input);
            assumptions.push(if value { literal } else { !literal });
        }
        assumptions.extend(&latches);
        if self.solver.solve(&assumptions)? {
            return Ok(None);
        }
        let all = state.iter().copied().enumerate().zip(latches);
        Ok(Some(all.filter(|&(_, literal)| self.solver.matters(literal)).map(|(it, _)| it).collect()))
    }

    /// That no step leads to these states: a literal.
    fn elsewhere(&mut self, cube: &Cube) -> Lit {
        let elsewhere = self.solver.fresh();
        let mut clause = vec![!elsewhere, !self.literal(self.circuit.step)];
        for &it in cube {
            clause.push(!self.latch(it, true));
        }
        self.solver.clause(clause);
        elsewhere
    }
}

struct Cover<'c> {
    circuit: &'c Circuit,
    from: Signal,
    goal: Signal,
    parts: Vec<Part>,
    /// States of the first sort that are in no part.
    draw: Time<'c>,
    /// Steps, to follow states and to make parts larger.
    steps: Time<'c>,
    rng: Rng,
}

impl<'c> Cover<'c> {
    fn new(circuit: &'c Circuit, from: Signal, goal: Signal, budget: &Budget) -> Self {
        let mut draw = Time::new(circuit, budget);
        for signal in [circuit.legal, from, !goal] {
            let literal = draw.literal(signal);
            draw.solver.clause([literal]);
        }
        Cover { circuit, from, goal, parts: Vec::new(), draw, steps: Time::new(circuit, budget), rng: Rng::new(1) }
    }

    /// A state that has to be looked at.
    fn draw(&mut self) -> Result<Option<Vec<bool>>, Exhausted> {
        Ok(self.draw.solver.solve(&[])?.then(|| self.draw.state()))
    }

    /// The part that a state is in, which is made if it is in the goal.
    fn part_with(&mut self, state: &[bool]) -> Result<Option<usize>, Exhausted> {
        let is_in = |part: &Part| part.cube.iter().all(|&(latch, value)| state[latch] == value);
        if let Some(at) = self.parts.iter().position(is_in) {
            return Ok(Some(at));
        }
        if !self.circuit.evaluate(state, &[], &[self.goal])[0] {
            return Ok(None);
        }
        let fails = !self.steps.literal(self.goal);
        let cube = self.steps.enough(state, &[], fails)?;
        Ok(cube.map(|cube| {
            self.parts.push(Part { cube, then: None });
            self.parts.len() - 1
        }))
    }

    /// Some steps from a state, as far as the first part.
    fn follow(&mut self, state: Vec<bool>, steps: usize) -> Result<Run, Exhausted> {
        let mut run = Run { states: vec![state], inputs: Vec::new() };
        let step = self.steps.literal(self.circuit.step);
        let next: Vec<Signal> = self.circuit.latches.iter().map(|latch| latch.next).collect();
        for _ in 0..steps {
            let state = &run.states[run.states.len() - 1];
            let mut assumptions = self.steps.latches(state);
            assumptions.push(step);
            let mut is_found = false;
            for _ in 0..TRIED {
                let latch = self.rng.below(state.len().max(1));
                let Some(&value) = state.get(latch) else { break };
                let changes = self.steps.latch((latch, !value), true);
                assumptions.push(changes);
                is_found = self.steps.solver.solve(&assumptions)?;
                assumptions.pop();
                if is_found {
                    break;
                }
            }
            if !is_found && !self.steps.solver.solve(&assumptions)? {
                break;
            }
            let inputs = self.steps.inputs();
            let next = self.circuit.evaluate(state, &inputs, &next);
            run.inputs.push(inputs);
            run.states.push(next);
            if self.part_with(&run.states[run.states.len() - 1])?.is_some() {
                break;
            }
        }
        Ok(run)
    }

    /// The states of a run to a part become parts.
    fn add(&mut self, run: &Run) -> Result<(), Exhausted> {
        let last = run.states.len() - 1;
        let Some(mut next) = self.part_with(&run.states[last])? else { return Ok(()) };
        for at in (0..last).rev() {
            let elsewhere = self.steps.elsewhere(&self.parts[next].cube);
            let cube = self.steps.enough(&run.states[at], &run.inputs[at], elsewhere)?;
            self.steps.solver.clause([!elsewhere]);
            let Some(cube) = cube else { return Ok(()) };
            self.draw.leave_out(&cube);
            self.parts.push(Part { cube, then: Some((run.inputs[at].clone(), next)) });
            next = self.parts.len() - 1;
        }
        Ok(())
    }

    /// Steps from a state, and that they do not lead to the goal or to one of the largest parts.
    fn away_from(&self, state: &[bool]) -> (Circuit, Signal) {
        let mut work = self.circuit.clone();
        let mut cubes: Vec<&Cube> =
            self.parts.iter().filter(|part| part.then.is_some()).map(|part| &part.cube).collect();
        cubes.sort_by_key(|cube| cube.len());
        let mut any = self.goal;
        for cube in cubes.into_iter().take(GOALS) {
            let all = of_cube(&mut work, cube);
            any = work.gates.or(any, all);
        }
        let state: Cube = state.iter().copied().enumerate().collect();
        work.initial = of_cube(&mut work, &state);
        (work, !any)
    }

    /// That no state of the first sort is in a trap.
    fn outside(&self, trap: &[Clause]) -> (Circuit, Signal) {
        let mut work = self.circuit.clone();
        let mut inside = self.from;
        for clause in trap {
            let fails: Cube = clause.iter().map(|&(latch, value)| (latch, !value)).collect();
            let fails = of_cube(&mut work, &fails);
            inside = work.gates.and(inside, !fails);
        }
        (work, !inside)
    }

    /// States of a trap, and others that are not reachable, need not be looked at.
    fn leave_out(&mut self, trap: &[Clause], reachable: &[Clause]) {
        for clause in reachable {
            let clause: Vec<Lit> = clause.iter().map(|&it| self.draw.latch(it, false)).collect();
            self.draw.solver.clause(clause);
        }
        let mut some = Vec::with_capacity(trap.len());
        for clause in trap {
            let fails = self.draw.solver.fresh();
            for &it in clause {
                let literal = self.draw.latch(it, false);
                self.draw.solver.clause([!fails, !literal]);
            }
            some.push(fails);
        }
        self.draw.solver.clause(some);
    }

    /// A run to a trap, once it is seen anew that it is one.
    fn never(&self, trap: &[Clause], run: Run, budget: &Budget) -> Result<Again, Exhausted> {
        let (work, _) = self.away_from(&run.states[run.states.len() - 1]);
        let is_trap = certificate::is_invariant(&work, !self.goal, (&[], trap), budget)?;
        Ok(if is_trap { Again::Never(run) } else { Again::Unsuitable })
    }

    /// Is each part left as it says, each trap unreachable, and each other state of the first sort in the goal or a part? By
    /// solvers that know nothing else.
    fn is_right(&self, traps: &[Trap], budget: &Budget) -> Result<bool, Exhausted> {
        for trap in traps {
            let (work, good) = self.outside(&trap.states);
            if !certificate::is_invariant(&work, good, (&[], &trap.unreachable), budget)? {
                return Ok(false);
            }
        }
        let mut all = Cover::new(self.circuit, self.from, self.goal, budget);
        traps.iter().for_each(|trap| all.leave_out(&trap.states, &trap.unreachable));
        for (at, part) in self.parts.iter().enumerate() {
            let mut assumptions: Vec<Lit> = part.cube.iter().map(|&it| all.steps.latch(it, false)).collect();
            match &part.then {
                None => assumptions.push(!all.steps.literal(self.goal)),
                Some((inputs, next)) => {
                    if *next >= at {
                        return Ok(false);
                    }
                    for (&input, &value) in self.circuit.inputs.iter().zip(inputs) {
                        let literal = all.steps.literal(input);
                        assumptions.push(if value { literal } else { !literal });
                    }
                    assumptions.push(all.steps.elsewhere(&self.parts[*next].cube));
                }
            }
            if all.steps.solver.solve(&assumptions)? {
                return Ok(false);
            }
            all.draw.leave_out(&part.cube);
        }
        Ok(!all.draw.solver.solve(&[])?)
    }
}

/// That a state is one of these.
fn of_cube(circuit: &mut Circuit, cube: &Cube) -> Signal {
    let mut all = Signal::TRUE;
    for &(latch, value) in cube {
        let now = circuit.latches[latch].now;
        all = circuit.gates.and(all, if value { now } else { !now });
    }
    all
}
