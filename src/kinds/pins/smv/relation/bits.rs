//! Rows over a slot for each bit of a state: those of the program as a circuit.
//!
//! **Problem.** A variable with very many values, or two of them that are added, have rows with a node for each value.
//! **Idea.** The circuit of the program (`circuit`) says of each bit what its next value is, by gates; these are made
//! diagrams over bits. The circuit's inputs stand for the choices of a step, and are quantified.
//!
//! **Order.** The bits of a variable are one below the other, the lowest first, so that a carry goes down. Variables of many
//! values that a row has together have their bits in turn: bits of the same weight are neighbours.
//!
//! The circuit says what the program does where no value is missing ([`Circuit::fault`]); otherwise there are no rows.

use super::super::circuit::circuit;
use super::super::values::Coding;
use super::given::{Sizes, Subject, stop};
use super::parts::Rows;
use crate::budget::Budget;
use crate::circuit::{Circuit, Signal};
use crate::model::VariableId;
use crate::relation::Relation;
use starset_smv::{Diagram, Diagrams, Steps, TooLarge};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Bits of variables that are put in turn with those of others.
const WIDE: usize = 5;

/// The relation over bits of the variables that `relation` has levels for, in this order; `None` where the program has no
/// circuit, or one whose diagrams are too large, and where its steps have labels.
pub(super) fn relation(
    program: Subject<'_>,
    order: &[VariableId],
    relation: &Relation,
    sizes: Sizes,
    budget: &Budget,
) -> Option<Relation> {
    if program.model.selector().is_some() {
        return None;
    }
    let circuit = circuit(program.model, program.state, program.labels, budget)?;
    let latches = in_turn(&circuit, &groups(program, &circuit), order);
    let mut level_of = vec![0; latches.len()];
    latches.iter().zip(0..).for_each(|(&latch, level)| level_of[latch] = level);
    let bits = circuit.variables.iter().map(|bits| bits.iter().map(|&latch| level_of[latch]).collect()).collect();
    let relation = relation.in_bits(bits)?;
    let rows = Making::new(&circuit, (&latches, &level_of), sizes, budget).rows().ok()?;
    rows.relation(relation, sizes)
}

/// For each variable of a state the group whose bits are in turn.
fn groups(program: Subject<'_>, circuit: &Circuit) -> Vec<usize> {
    let mut group: Vec<usize> = (0..circuit.variables.len()).collect();
    fn root(group: &[usize], mut at: usize) -> usize {
        while group[at] != at {
            at = group[at];
        }
        at
    }
    let slots: HashMap<usize, usize> =
        program.state.iter().enumerate().map(|(slot, &variable)| (variable, slot)).collect();
    for row in program.model.rows() {
        let wide = row
            .iter()
            .filter_map(|variable| slots.get(variable))
            .filter(|&&slot| circuit.variables[slot].len() >= WIDE);
        let wide: Vec<usize> = wide.copied().collect();
        for pair in wide.windows(2) {
            let (a, b) = (root(&group, pair[0]), root(&group, pair[1]));
            group[a.max(b)] = a.min(b);
        }
    }
    (0..group.len()).map(|slot| root(&group, slot)).collect()
}

/// The latches by level: variables in this order, those of a group where its first is.
fn in_turn(circuit: &Circuit, groups: &[usize], order: &[VariableId]) -> Vec<usize> {
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    order.iter().for_each(|variable| members.entry(groups[variable.index()]).or_default().push(variable.index()));
    let mut latches = Vec::new();
    for variable in order {
        let Some(members) = members.remove(&groups[variable.index()]) else { continue };
        let most = members.iter().map(|&member| circuit.variables[member].len()).max().unwrap_or(0);
        for bit in 0..most {
            latches.extend(members.iter().filter_map(|&member| circuit.variables[member].get(bit)));
        }
    }
    latches
}

/// Gates on their way to diagrams.
struct Making<'c> {
    circuit: &'c Circuit,
    diagrams: Diagrams,
    /// By slot: the level of its latch; `u32::MAX` of an input.
    levels: Vec<u32>,
    /// By latch.
    slots: Vec<u32>,
    /// By gate: where it is true, and where it is not.
    known: Vec<[Option<Diagram>; 2]>,
    /// Latches whose next value is an input of their own.
    free: Vec<bool>,
}

impl<'c> Making<'c> {
    /// `latches` are those by level, and `level_of` has the level of each.
    fn new(circuit: &'c Circuit, (latches, level_of): (&[usize], &[u32]), sizes: Sizes, budget: &Budget) -> Self {
        let gates = circuit.gates.len();
        let mut is_input = vec![false; gates];
        circuit.inputs.iter().for_each(|input| is_input[input.gate()] = true);
        // Of each input the first of the levels whose next values it decides, or of those that are read along with it.
        let mut first: Vec<u32> = vec![u32::MAX; gates];
        let (mut free, mut is_own) = (vec![false; latches.len()], vec![false; gates]);
        let mut latch_of = vec![None; gates];
        for (number, latch) in circuit.latches.iter().enumerate() {
            latch_of[latch.now.gate()] = Some(number);
        }
        for (number, latch) in circuit.latches.iter().enumerate() {
            let next = latch.next;
            if is_input[next.gate()] && !next.is_negated() && !std::mem::replace(&mut is_own[next.gate()], true) {
                free[number] = true;
                continue;
            }
            for gate in circuit.gates.cone(&[next]) {
                first[gate] = first[gate].min(level_of[number]);
            }
        }
        for part in conjuncts(circuit, circuit.step) {
            let cone = circuit.gates.cone(&[part]);
            let top = cone.iter().filter_map(|&gate| latch_of[gate]).map(|latch| level_of[latch]).min().unwrap_or(0);
            for gate in cone {
                first[gate] = if first[gate] == u32::MAX { top } else { first[gate] };
            }
        }
        let mut before: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for input in circuit.inputs.iter().map(|input| input.gate()).filter(|&gate| !is_own[gate]) {
            before.entry(first[input].min(latches.len() as u32)).or_default().push(input);
        }
        let (mut levels, mut slots, mut places) = (Vec::new(), vec![0; latches.len()], Vec::new());
        for (level, &latch) in (0..).zip(latches) {
            for input in before.remove(&level).unwrap_or_default() {
                places.push((input, 2 * levels.len() as u32));
                levels.push(u32::MAX);
            }
            slots[latch] = levels.len() as u32;
            places.push((circuit.latches[latch].now.gate(), 2 * slots[latch]));
            if free[latch] {
                places.push((circuit.latches[latch].next.gate(), 2 * slots[latch] + 1));
            }
            levels.push(level);
        }
        for input in before.into_values().flatten() {
            places.push((input, 2 * levels.len() as u32));
            levels.push(u32::MAX);
        }
        let mut diagrams = Diagrams::new(vec![2; levels.len()], sizes.rows);
        diagrams.stop_when(stop(budget));
        let mut known = vec![[None; 2]; gates];
        known[0] = [Some(Diagrams::FALSE), Some(Diagrams::TRUE)];
        let mut making = Making { circuit, diagrams, levels, slots, known, free };
        for (gate, level) in places {
            making.known[gate][0] = making.bit(level).ok();
        }
        making
    }

    /// That a bit is 1.
    fn bit(&mut self, level: u32) -> Result<Diagram, TooLarge> {
        self.diagrams.make(level, &[(0, Diagrams::FALSE), (1, Diagrams::TRUE)])
    }

    /// Where a signal is true.
    fn signal(&mut self, signal: Signal) -> Result<Diagram, TooLarge> {
        for gate in self.circuit.gates.cone(&[signal]) {
            if self.known[gate][0].is_none() {
                // Leaves are known.
                let (a, b) = self.circuit.gates.operands(gate).ok_or(TooLarge)?;
                let (a, b) = (self.known_signal(a)?, self.known_signal(b)?);
                self.known[gate][0] = Some(self.diagrams.and(a, b)?);
            }
        }
        self.known_signal(signal)
    }

    fn known_signal(&mut self, signal: Signal) -> Result<Diagram, TooLarge> {
        let [yes, no] = self.known[signal.gate()];
        let yes = yes.ok_or(TooLarge)?;
        if !signal.is_negated() {
            return Ok(yes);
        }
        if let Some(no) = no {
            return Ok(no);
        }
        let no = self.diagrams.not(yes)?;
        self.known[signal.gate()][1] = Some(no);
        Ok(no)
    }

    /// The parts of a conjunction, each where it is true.
    fn parts(&mut self, signal: Signal) -> Result<Vec<Diagram>, TooLarge> {
        let parts = conjuncts(self.circuit, signal).into_iter().map(|part| self.signal(part));
        parts.collect()
    }

    /// All rows.
    fn rows(mut self) -> Result<Rows, TooLarge> {
        let circuit = self.circuit;
        let legal = self.signal(circuit.legal)?;
        for fault in [circuit.fault, circuit.first_fault] {
            let fault = self.signal(fault)?;
            if self.diagrams.and(fault, legal)? != Diagrams::FALSE {
                return Err(TooLarge);
            }
        }
        let stay = circuit.latches.iter().zip(&self.slots).filter(|(latch, _)| latch.next == latch.now);
        let kept: Vec<u32> = stay.map(|(_, &slot)| slot).collect();
        let mut rows = self.parts(circuit.step)?;
        for part in self.parts(circuit.legal)? {
            rows.push(self.diagrams.primed(part, &kept)?);
        }
        for (number, latch) in circuit.latches.iter().enumerate() {
            if latch.next != latch.now && !self.free[number] {
                let (own, next) = (self.bit(2 * self.slots[number] + 1)?, self.signal(latch.next)?);
                let otherwise = self.diagrams.not(next)?;
                rows.push(self.diagrams.choice(own, next, otherwise)?);
            }
        }
        rows.retain(|&row| row != Diagrams::TRUE);
        let first = self.parts(circuit.initial)?;
        let labels = circuit.labels.iter().map(|&label| self.signal(label)).collect::<Result<_, _>>()?;
        let codings = vec![Coding::of_truth(); circuit.latches.len()];
        let steps = vec![Steps { label: 0, rows, kept }];
        Ok(Rows { diagrams: self.diagrams, levels: self.levels, codings, first, steps, labels })
    }
}

/// The signals whose conjunction a signal is.
fn conjuncts(circuit: &Circuit, signal: Signal) -> Vec<Signal> {
    let (mut seen, mut open) = (BTreeSet::from([signal, Signal::TRUE]), vec![signal]);
    let mut parts = Vec::new();
    while let Some(signal) = open.pop() {
        match circuit.gates.operands(signal.gate()).filter(|_| !signal.is_negated()) {
            Some((a, b)) => open.extend([a, b].into_iter().filter(|&operand| seen.insert(operand))),
            None => parts.push(signal),
        }
    }
    parts.sort_unstable();
    parts
}
