//! An invariant, clause by clause.
//!
//! *Frames* are sets of clauses: that of number k holds in all states that k steps or fewer lead to, and has the clauses of
//! the frames behind it. A clause is kept once, with the last frame that it belongs to, as the states that it excludes. A state
//! of the last frame where the condition fails is an *obligation*: either a predecessor of it becomes one, in the frame
//! before, or a clause excludes it. A frame with all the clauses of the frame before it is an invariant.
//!
//! Obligations are made larger by all states that lead to the same with the same inputs (*lifting*), and clauses stronger
//! by leaving out literals. Where one cannot be left out as some states lead there, these are excluded as well if their own
//! predecessors allow it (*counterexamples to generalisation*), or the clause leaves out all that they contradict.
//!
//! Source: Hassan, Bradley, Somenzi, *Better generalization in IC3*, FMCAD 2013.

use super::run::{Clause, Cube, Run};
use super::solver::{Encoded, Solver};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use batsat::Lit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Literals that are of no use any more, after which the solver forgets what they were for, and those after which it is
/// made anew.
const RETIRED: (usize, usize) = (200, 3_000);
/// Literals of a clause in a row that cannot be left out, after which no more are tried.
const ATTEMPTS: usize = 12;
/// States in a row that are excluded so that one literal can be left out.
const EXCLUDED: usize = 3;

/// How the search ended.
pub(super) enum Step {
    /// The condition holds wherever these do, which are an invariant.
    Holds(Vec<Clause>),
    /// This run leads to where it fails.
    Fails(Run),
}

/// States that lead to where the condition fails.
struct Obligation {
    cube: Cube,
    /// The inputs with which they lead to the next.
    inputs: Vec<bool>,
    next: Option<usize>,
}

/// The search, as far as it is.
pub(super) struct Ic3<'c> {
    circuit: &'c Circuit,
    good: Signal,
    budget: Budget,
    /// Steps, from where frames hold.
    steps: Solver,
    encoded: Encoded,
    /// By frame: its clauses are meant. The first is that a state is a first one.
    meant: Vec<Lit>,
    retired: usize,
    /// Steps alone.
    lift: Solver,
    lifted: Encoded,
    lift_retired: usize,
    /// First states.
    first: Solver,
    first_encoded: Encoded,
    /// By frame, the states that are excluded up to there and no further.
    frames: Vec<Vec<Cube>>,
    obligations: Vec<Obligation>,
    /// What is open, the first frame first: frame and number, later ones first.
    open: BinaryHeap<Reverse<(usize, Reverse<usize>)>>,
    /// By latch: how often it was in a clause.
    weights: Vec<f64>,
}

impl<'c> Ic3<'c> {
    pub(super) fn new(circuit: &'c Circuit, good: Signal, budget: &Budget) -> Self {
        let gates = &circuit.gates;
        let (mut first, mut first_encoded) = (Solver::by_leaves(budget), Encoded::new(gates));
        let initial = first_encoded.literal(&mut first, gates, circuit.initial);
        first.clause([initial]);
        let mut all = Ic3 {
            circuit,
            good,
            budget: budget.clone(),
            steps: Solver::by_leaves(budget),
            encoded: Encoded::new(gates),
            meant: Vec::new(),
            retired: 0,
            lift: Solver::by_leaves(budget),
            lifted: Encoded::new(gates),
            lift_retired: 0,
            first,
            first_encoded,
            frames: vec![Vec::new(), Vec::new()],
            obligations: Vec::new(),
            open: BinaryHeap::new(),
            weights: vec![0.0; circuit.latches.len()],
        };
        all.renew();
        all.renew_lift();
        all
    }

    /// Search on.
    ///
    /// # Errors
    /// When the budget is used up. The search goes on when it is called again.
    pub(super) fn run(&mut self, budget: &Budget) -> Result<Step, Exhausted> {
        self.budget = budget.clone();
        [&self.steps, &self.lift, &self.first].into_iter().for_each(|solver| solver.allow(budget));
        loop {
            while let Some(&Reverse((frame, Reverse(number)))) = self.open.peek() {
                if let Some(run) = self.discharge(frame, number)? {
                    return Ok(Step::Fails(run));
                }
            }
            self.obligations.clear();
            let last = self.frames.len() - 1;
            let good = self.encoded.literal(&mut self.steps, &self.circuit.gates, self.good);
            let mut assumptions = self.meant[last..].to_vec();
            assumptions.push(!good);
            if self.steps.solve(&assumptions)? {
                let state = self.state();
                let cube = self.lifted_to_bad(&state)?;
                if let Some(run) = self.oblige(cube, Vec::new(), None, last)? {
                    return Ok(Step::Fails(run));
                }
                continue;
            }
            self.frames.push(Vec::new());
            let meant = self.steps.fresh();
            self.meant.push(meant);
            if let Some(invariant) = self.propagate()? {
                return Ok(Step::Holds(invariant));
            }
        }
    }

    /// Work on an obligation: exclude it, or look at a predecessor first. A run, if it is one to where the condition fails.
    fn discharge(&mut self, frame: usize, number: usize) -> Result<Option<Run>, Exhausted> {
        let cube = self.obligations[number].cube.clone();
        let last = self.frames.len() - 1;
        let excluded = (frame..=last).find(|&at| self.frames[at].iter().any(|other| is_part(other, &cube)));
        if let Some(at) = excluded {
            self.open.pop();
            if at < last {
                self.open.push(Reverse((at + 1, Reverse(number))));
            }
            return Ok(None);
        }
        match self.excludable(&cube, frame - 1)? {
            None => {
                let state = self.state();
                let inputs = self.inputs();
                let before = self.lifted_to(&state, &inputs, &cube)?;
                self.oblige(before, inputs, Some(number), frame - 1)
            }
            Some(core) => {
                let clause = self.generalised(core, frame - 1, true)?;
                let frame = self.exclude_far(clause, frame)?;
                self.open.pop();
                if frame < last {
                    self.open.push(Reverse((frame + 1, Reverse(number))));
                }
                Ok(None)
            }
        }
    }

    /// A further obligation. A run, if there are first states among these.
    fn oblige(
        &mut self,
        cube: Cube,
        inputs: Vec<bool>,
        next: Option<usize>,
        frame: usize,
    ) -> Result<Option<Run>, Exhausted> {
        let is_first = self.is_first(&cube)?;
        let number = self.obligations.len();
        self.obligations.push(Obligation { cube, inputs, next });
        if !is_first {
            self.open.push(Reverse((frame, Reverse(number))));
            return Ok(None);
        }
        let first = self.circuit.latches.iter().map(|latch| {
            let known = self.first_encoded.known(latch.now);
            known.is_some_and(|literal| self.first.holds(literal))
        });
        let first = first.collect();
        let (mut inputs, mut at) = (Vec::new(), number);
        while let Some(following) = self.obligations[at].next {
            inputs.push(self.obligations[at].inputs.clone());
            at = following;
        }
        Ok(Some(Run::new(self.circuit, first, inputs)))
    }

    /// Are there first states among these?
    fn is_first(&mut self, cube: &Cube) -> Result<bool, Exhausted> {
        let mut assumptions = Vec::with_capacity(cube.len());
        for &(latch, value) in cube {
            let now = self.circuit.latches[latch].now;
            let literal = self.first_encoded.literal(&mut self.first, &self.circuit.gates, now);
            assumptions.push(if value { literal } else { !literal });
        }
        self.first.solve(&assumptions)
    }

    /// A literal of a latch in the solver of steps.
    fn literal(&mut self, (latch, value): (usize, bool), next: bool) -> Lit {
        let latch = self.circuit.latches[latch];
        let signal = if next { latch.next } else { latch.now };
        let literal = self.encoded.literal(&mut self.steps, &self.circuit.gates, signal);
        if value { literal } else { !literal }
    }

    /// Can these states not be reached in a step from others of a frame? Then a part of the cube that cannot either, and has no
    /// first states.
    fn excludable(&mut self, cube: &Cube, frame: usize) -> Result<Option<Cube>, Exhausted> {
        if self.retired > RETIRED.1 {
            self.renew();
        }
        let outside = self.steps.fresh();
        let mut clause = vec![!outside];
        for &(latch, value) in cube {
            clause.push(self.literal((latch, !value), false));
        }
        self.steps.clause(clause);
        let step = self.encoded.literal(&mut self.steps, &self.circuit.gates, self.circuit.step);
        let mut assumptions = self.meant[frame..].to_vec();
        assumptions.extend([step, outside]);
        let targets: Vec<Lit> = cube.iter().map(|&it| self.literal(it, true)).collect();
        assumptions.extend(&targets);
        let found = self.steps.solve(&assumptions);
        let result = match found {
            Ok(true) => Ok(None),
            Ok(false) => {
                let parts = cube.iter().zip(&targets);
                Ok(Some(parts.filter(|&(_, &target)| self.steps.matters(target)).map(|(&it, _)| it).collect()))
            }
            Err(exhausted) => Err(exhausted),
        };
        // The solution is kept until the next question.
        self.steps.clause([!outside]);
        self.retired += 1;
        if self.retired.is_multiple_of(RETIRED.0) {
            self.steps.simplify();
        }
        match result? {
            None => Ok(None),
            Some(core) => self.without_first(core, cube).map(Some),
        }
    }

    /// A part of a cube with more of its literals, so that there are no first states in it; there are none in the cube.
    fn without_first(&mut self, mut core: Cube, cube: &Cube) -> Result<Cube, Exhausted> {
        while self.is_first(&core)? {
            let differs = |&&(latch, value): &&(usize, bool)| {
                let known = self.first_encoded.known(self.circuit.latches[latch].now);
                !core.contains(&(latch, value)) && known.is_none_or(|literal| self.first.holds(literal) != value)
            };
            match cube.iter().find(differs) {
                Some(&literal) => core.push(literal),
                None => core = cube.clone(),
            }
            core.sort_unstable();
        }
        Ok(core)
    }

    /// The cube with as few literals as is found to be enough. Are states excluded on the way that stand against it?
    fn generalised(&mut self, mut cube: Cube, frame: usize, excluding: bool) -> Result<Cube, Exhausted> {
        let mut order: Vec<(usize, bool)> = cube.clone();
        order.sort_by(|a, b| self.weights[a.0].total_cmp(&self.weights[b.0]));
        let mut failed = 0;
        for literal in order {
            if cube.len() == 1 || failed >= ATTEMPTS {
                break;
            }
            if !cube.contains(&literal) {
                continue;
            }
            let smaller: Cube = cube.iter().copied().filter(|&other| other != literal).collect();
            match self.reduced(smaller, frame, excluding)? {
                Some(core) => {
                    cube = core;
                    failed = 0;
                }
                None => failed += 1,
            }
        }
        Ok(cube)
    }

    /// A part of a cube that can be excluded after a frame, if one is found.
    fn reduced(&mut self, mut cube: Cube, frame: usize, excluding: bool) -> Result<Option<Cube>, Exhausted> {
        let mut excluded = 0;
        while !cube.is_empty() && !self.is_first(&cube)? {
            if let Some(core) = self.excludable(&cube, frame)? {
                return Ok(Some(core));
            }
            if !excluding {
                break;
            }
            let (state, inputs) = (self.state(), self.inputs());
            if excluded < EXCLUDED && frame > 0 && self.exclude_before(&state, &inputs, &cube, frame)? {
                excluded += 1;
                continue;
            }
            excluded = 0;
            let before = cube.len();
            cube.retain(|&(latch, value)| state[latch] == Some(value));
            if cube.len() == before {
                break;
            }
        }
        Ok(None)
    }

    /// Exclude a state of a frame that leads to some others, and what is like it. False if it cannot be.
    fn exclude_before(
        &mut self,
        state: &[Option<bool>],
        inputs: &[bool],
        cube: &Cube,
        frame: usize,
    ) -> Result<bool, Exhausted> {
        let before = self.lifted_to(state, inputs, cube)?;
        if before.is_empty() || self.is_first(&before)? {
            return Ok(false);
        }
        let Some(core) = self.excludable(&before, frame - 1)? else { return Ok(false) };
        let clause = self.generalised(core, frame - 1, false)?;
        self.exclude_far(clause, frame)?;
        Ok(true)
    }

    /// Exclude states up to a frame where they can be, and further as far as they can.
    fn exclude_far(&mut self, clause: Cube, mut frame: usize) -> Result<usize, Exhausted> {
        while frame < self.frames.len() - 1 && self.excludable(&clause, frame)?.is_some() {
            frame += 1;
        }
        self.exclude(clause, frame);
        Ok(frame)
    }

    /// Exclude states up to a frame.
    fn exclude(&mut self, cube: Cube, frame: usize) {
        for &(latch, _) in &cube {
            self.weights[latch] += 1.0;
        }
        for clauses in &mut self.frames[1..=frame] {
            clauses.retain(|other| !is_part(&cube, other));
        }
        self.add(&cube, frame);
        self.frames[frame].push(cube);
    }

    fn add(&mut self, cube: &Cube, frame: usize) {
        let mut clause = vec![!self.meant[frame]];
        for &(latch, value) in cube {
            clause.push(self.literal((latch, !value), false));
        }
        self.steps.clause(clause);
    }

    /// Move clauses to later frames. The clauses of a frame that has all of those before it.
    fn propagate(&mut self) -> Result<Option<Vec<Clause>>, Exhausted> {
        for frame in 1..self.frames.len() - 1 {
            for cube in self.frames[frame].clone() {
                // Another one may have taken its place.
                if self.frames[frame].contains(&cube) && self.excludable(&cube, frame)?.is_some() {
                    self.exclude(cube, frame + 1);
                }
            }
            if self.frames[frame].is_empty() {
                return Ok(Some(self.invariant(frame + 1)));
            }
        }
        Ok(None)
    }

    fn invariant(&self, frame: usize) -> Vec<Clause> {
        let opposite = |cube: &Cube| cube.iter().map(|&(latch, value)| (latch, !value)).collect();
        self.frames[frame..].iter().flatten().map(opposite).collect()
    }

    /// The state before the step that was found.
    fn state(&self) -> Vec<Option<bool>> {
        let value =
            |latch: &crate::circuit::Latch| self.encoded.known(latch.now).map(|literal| self.steps.holds(literal));
        self.circuit.latches.iter().map(value).collect()
    }

    /// The inputs of the step that was found.
    fn inputs(&self) -> Vec<bool> {
        let value = |&input: &Signal| self.encoded.known(input).is_some_and(|literal| self.steps.holds(literal));
        self.circuit.inputs.iter().map(value).collect()
    }

    /// What of a state is enough for the condition to fail.
    fn lifted_to_bad(&mut self, state: &[Option<bool>]) -> Result<Cube, Exhausted> {
        let good = self.lifted.literal(&mut self.lift, &self.circuit.gates, self.good);
        self.enough(state, &[], &[self.good], &[good])
    }

    /// What of a state is enough to lead to one of these with these inputs.
    fn lifted_to(&mut self, state: &[Option<bool>], inputs: &[bool], target: &Cube) -> Result<Cube, Exhausted> {
        let circuit = self.circuit;
        let step = self.lifted.literal(&mut self.lift, &circuit.gates, circuit.step);
        let elsewhere = self.lift.fresh();
        let (mut clause, mut signals) = (vec![!elsewhere, !step], vec![circuit.step]);
        for &(latch, value) in target {
            let next = circuit.latches[latch].next;
            let literal = self.lifted.literal(&mut self.lift, &circuit.gates, next);
            clause.push(if value { !literal } else { literal });
            signals.push(next);
        }
        self.lift.clause(clause);
        let cube = self.enough(state, inputs, &signals, &[elsewhere]);
        self.lift.clause([!elsewhere]);
        self.lift_retired += 1;
        if self.lift_retired.is_multiple_of(RETIRED.0) {
            self.lift.simplify();
        }
        if self.lift_retired > RETIRED.1 {
            self.renew_lift();
        }
        cube
    }

    /// The part of a state with which, and with these inputs, the last literals are contradicted.
    fn enough(
        &mut self,
        state: &[Option<bool>],
        inputs: &[bool],
        signals: &[Signal],
        contradicted: &[Lit],
    ) -> Result<Cube, Exhausted> {
        let circuit = self.circuit;
        let mut inside = vec![false; circuit.gates.len()];
        circuit.gates.cone(signals).into_iter().for_each(|gate| inside[gate] = true);
        let mut assumptions = contradicted.to_vec();
        for (&input, &value) in circuit.inputs.iter().zip(inputs).filter(|(input, _)| inside[input.gate()]) {
            let literal = self.lifted.literal(&mut self.lift, &circuit.gates, input);
            assumptions.push(if value { literal } else { !literal });
        }
        let mut literals = Vec::new();
        for (number, latch) in circuit.latches.iter().enumerate().filter(|(_, latch)| inside[latch.now.gate()]) {
            let value = state[number].unwrap_or_default();
            let literal = self.lifted.literal(&mut self.lift, &circuit.gates, latch.now);
            literals.push((number, value, if value { literal } else { !literal }));
        }
        assumptions.extend(literals.iter().map(|&(_, _, literal)| literal));
        let whole =
            |literals: &[(usize, bool, Lit)]| literals.iter().map(|&(latch, value, _)| (latch, value)).collect();
        if self.lift.solve(&assumptions)? {
            return Ok(whole(&literals));
        }
        literals.retain(|&(_, _, literal)| self.lift.matters(literal));
        Ok(whole(&literals))
    }

    /// The solver of steps anew.
    fn renew(&mut self) {
        (self.steps, self.encoded) = (Solver::by_leaves(&self.budget), Encoded::new(&self.circuit.gates));
        let first = self.encoded.literal(&mut self.steps, &self.circuit.gates, self.circuit.initial);
        self.meant = vec![first];
        for _ in 1..self.frames.len() {
            let meant = self.steps.fresh();
            self.meant.push(meant);
        }
        self.retired = 0;
        for frame in 1..self.frames.len() {
            for cube in self.frames[frame].clone() {
                self.add(&cube, frame);
            }
        }
    }

    /// The solver of steps alone anew.
    fn renew_lift(&mut self) {
        (self.lift, self.lifted) = (Solver::by_leaves(&self.budget), Encoded::new(&self.circuit.gates));
        self.lift_retired = 0;
    }
}

/// Has a cube all literals of another one? Both are sorted.
fn is_part(part: &Cube, of: &Cube) -> bool {
    let mut rest = of.iter();
    part.len() <= of.len() && part.iter().all(|literal| rest.any(|other| other == literal))
}
