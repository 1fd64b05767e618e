//! A program as a circuit.
//!
//! The value of a variable is its code in bits. Next values are what is assigned; a choice of a set, and the next value of
//! a variable that nothing is assigned, are inputs. `TRANS`, and `INVAR` of next values, are the condition on steps. A term
//! that may be a fault has a signal that says where it is one, as far as guards let it through; whoever uses the circuit
//! sees to it that this is nowhere the case. What has no form here (numbers among names) makes no circuit.

use super::values::Coding;
use crate::budget::Budget;
use crate::circuit::{Circuit, Gates, Signal};
use starset_smv::{Model, Node, Op, Role, Term, Type, Value, When};
use std::collections::HashMap;
use std::rc::Rc;

/// Gates that a program may have.
const MOST: usize = 3_000_000;
/// Parts of conditions on steps that are looked at for what they say of single values.
const READ: usize = 200_000;
/// Bits of an integer of the language.
const INTEGER: usize = 32;

/// The program has no circuit, or none within the limits.
struct Beyond;

/// The value of a term.
#[derive(Clone, Debug)]
enum Bits {
    Truth(Signal),
    /// In two's complement, of 32 bits or fewer.
    Number(Vec<Signal>),
    Word(Vec<Signal>),
    /// Of several values, those that it may have, and where it has them.
    Names(Vec<(Value, Signal)>),
    /// A set: none by itself.
    Several,
}

/// The value of a term, and where it has none.
#[derive(Clone, Debug)]
struct Made {
    bits: Rc<Bits>,
    fault: Signal,
}

impl Made {
    fn new(bits: Bits) -> Self {
        Made { bits: Rc::new(bits), fault: Signal::FALSE }
    }
}

type Found<T> = Result<T, Beyond>;

/// The circuit of a program, whose states have these variables, with these conditions as labels.
pub(super) fn circuit(model: &Model, state: &[usize], labels: &[Term], budget: &Budget) -> Option<Circuit> {
    let mut all = Making::new(model, state, budget);
    all.complete(labels).ok().map(|()| all.circuit)
}

/// The inputs of a program, in their order.
pub(super) fn inputs(model: &Model) -> impl Iterator<Item = usize> {
    (0..model.variables.len()).filter(|&variable| model.variables[variable].role == Role::Input)
}

struct Making<'m> {
    model: &'m Model,
    budget: &'m Budget,
    circuit: Circuit,
    /// By variable: its code, now and next; of an input now only.
    codes: Vec<[Option<Vec<Signal>>; 2]>,
    /// Terms of current values, and the same of next ones.
    known: HashMap<(Term, bool), Made>,
    faults: Vec<Signal>,
    /// By variable: what is assigned to its next values, and whether it speaks of next values alone.
    assigned: Vec<Option<(Term, bool)>>,
    /// Variables whose next value is being made.
    open: Vec<bool>,
    /// By variable: what conditions say of its next value, where, and what it is then.
    told: Vec<Vec<(Term, Signal, Made)>>,
    /// Where the next value is what a condition says.
    chosen: HashMap<Term, Signal>,
    /// Which of the alternatives of a disjunction is taken, by inputs.
    taken: HashMap<Term, Vec<Signal>>,
    /// Do terms speak of next values?
    speaks: HashMap<Term, bool>,
    /// Whether conditions hold by the alternatives that are taken.
    held: HashMap<Term, Option<Signal>>,
    /// Parts of conditions that may still be read.
    left: usize,
}

impl<'m> Making<'m> {
    fn new(model: &'m Model, state: &[usize], budget: &'m Budget) -> Self {
        let mut circuit = Circuit::default();
        let mut codes = vec![[None, None]; model.variables.len()];
        for &variable in state {
            let width = width(&Coding::of(&model.variables[variable]));
            let latches: Vec<usize> = (0..width).map(|_| circuit.latch()).collect();
            codes[variable][0] = Some(latches.iter().map(|&latch| circuit.latches[latch].now).collect());
            circuit.variables.push(latches);
        }
        let mut assigned = vec![None; model.variables.len()];
        for assignment in &model.assignments {
            if assignment.when != When::Init {
                assigned[assignment.variable] = Some((assignment.value, assignment.when == When::Current));
            }
        }
        let (open, told) = (vec![false; model.variables.len()], vec![Vec::new(); model.variables.len()]);
        let (known, faults, taken) = (HashMap::new(), Vec::new(), HashMap::new());
        let (speaks, held, chosen) = (HashMap::new(), HashMap::new(), HashMap::new());
        Making {
            model,
            budget,
            circuit,
            codes,
            known,
            faults,
            assigned,
            open,
            told,
            chosen,
            taken,
            speaks,
            held,
            left: READ,
        }
    }

    /// Make all that there is.
    fn complete(&mut self, labels: &[Term]) -> Found<()> {
        let model = self.model;
        // First states.
        let mut first = Vec::new();
        for variable in 0..model.variables.len() {
            if model.variables[variable].role != Role::Input {
                let code = self.code(variable, false)?;
                first.push(self.is_code(&Coding::of(&model.variables[variable]), &code));
            }
        }
        self.circuit.legal = self.circuit.gates.all(first.iter().copied());
        first.clear();
        for assignment in model.assignments.iter().filter(|assignment| assignment.when != When::Next) {
            self.inside(assignment.variable, assignment.value, false)?;
            let own = self.variable(assignment.variable, false)?;
            let (within, fault) = self.member(&own, assignment.value, false)?;
            self.faults.push(fault);
            first.push(within);
        }
        for &condition in model.init.iter().chain(&model.invar) {
            first.push(self.condition(condition, false)?);
        }
        first.push(self.circuit.legal);
        self.circuit.initial = self.circuit.gates.all(first);
        // Steps.
        for &condition in &model.trans {
            self.read(condition, Signal::TRUE)?;
        }
        let mut number = 0;
        for variable in 0..model.variables.len() {
            if model.variables[variable].role != Role::Input {
                for next in self.code(variable, true)? {
                    self.circuit.latches[number].next = next;
                    number += 1;
                }
            }
        }
        let mut steps = Vec::new();
        for &condition in &model.trans {
            let whole = self.condition(condition, false)?;
            steps.push(self.holds(condition)?.unwrap_or(whole));
        }
        for &condition in &model.invar {
            steps.push(self.condition(condition, true)?);
        }
        self.circuit.step = self.circuit.gates.all(steps);
        for &label in labels {
            let label = self.condition(label, false)?;
            self.circuit.labels.push(label);
        }
        for input in inputs(model) {
            let aside = self.code(input, false)?;
            self.circuit.asides.push(aside);
        }
        self.circuit.fault = self.circuit.gates.any(std::mem::take(&mut self.faults));
        Ok(())
    }

    /// Read off what a condition on steps says of single next values, where another condition holds: `next(x) = e`, for an
    /// `e` without next values. Then the next value is `e`, and no input, which makes no other steps.
    fn read(&mut self, term: Term, here: Signal) -> Found<()> {
        let terms = &self.model.terms;
        self.left = self.left.saturating_sub(1);
        match terms.node(term) {
            _ if self.left == 0 => Ok(()),
            Node::Apply(Op::And, _) if terms.kind(term) == Type::Bool => {
                terms.conjuncts(term).into_iter().try_for_each(|part| self.read(part, here))
            }
            Node::Apply(Op::Or, operands) if terms.kind(term) == Type::Bool => {
                let (steps, guards) = self.alternatives(operands);
                let mut here = here;
                for guard in guards {
                    let guard = self.term(guard, false)?.truth()?;
                    here = self.circuit.gates.and(here, !guard);
                }
                let taken = self.taken(term, steps.len());
                steps.into_iter().zip(taken).try_for_each(|(step, taken)| {
                    let here = self.circuit.gates.and(here, taken);
                    self.read(step, here)
                })
            }
            &Node::If(condition, yes, no) if !self.speaks(condition) => {
                let condition = self.term(condition, false)?.truth()?;
                for (side, holds) in [(yes, condition), (no, !condition)] {
                    let here = self.circuit.gates.and(here, holds);
                    self.read(side, here)?;
                }
                Ok(())
            }
            Node::Apply(Op::Eq | Op::Iff, sides) => {
                let &[a, b] = &sides[..] else { return Ok(()) };
                for (left, right) in [(a, b), (b, a)] {
                    if let &Node::Variable { variable, next: true } = terms.node(left)
                        && !self.speaks(right)
                        && !terms.is_set(right)
                    {
                        let made = self.term(right, false)?;
                        self.tell(term, variable, here, made);
                        break;
                    }
                }
                Ok(())
            }
            &Node::Variable { variable, next: true } => {
                self.tell(term, variable, here, Made::new(Bits::Truth(Signal::TRUE)));
                Ok(())
            }
            Node::Apply(Op::Not, operand) => {
                if let &Node::Variable { variable, next: true } = terms.node(operand[0]) {
                    self.tell(term, variable, here, Made::new(Bits::Truth(Signal::FALSE)));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn tell(&mut self, term: Term, variable: usize, here: Signal, made: Made) {
        let described = &self.model.variables[variable];
        let fits = match (&*made.bits, described.kind) {
            (Bits::Truth(_), Type::Bool) => true,
            (Bits::Word(word), Type::Word { width, .. }) => word.len() == width as usize,
            (Bits::Number(_) | Bits::Names(_), Type::Int | Type::Symbol | Type::Mixed) => true,
            _ => false,
        };
        if fits && described.role == Role::State && self.assigned[variable].is_none() {
            match self.told[variable].iter_mut().find(|(other, ..)| *other == term) {
                Some((_, where_else, _)) => *where_else = self.circuit.gates.or(*where_else, here),
                None => self.told[variable].push((term, here, made)),
            }
        }
    }

    /// The operands of a disjunction that speak of next values, and the others.
    fn alternatives(&mut self, operands: &[Term]) -> (Vec<Term>, Vec<Term>) {
        operands.iter().partition(|&&operand| self.speaks(operand))
    }

    /// Does a term speak of next values?
    fn speaks(&mut self, root: Term) -> bool {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.speaks.contains_key(&term) {
                open.pop();
                continue;
            }
            let operands = self.model.terms.operands(term);
            let before = open.len();
            open.extend(operands.iter().filter(|operand| !self.speaks.contains_key(operand)));
            if open.len() == before {
                let itself = matches!(self.model.terms.node(term), Node::Variable { next: true, .. });
                let speaks = itself || operands.iter().any(|operand| self.speaks[operand]);
                self.speaks.insert(term, speaks);
                open.pop();
            }
        }
        self.speaks[&root]
    }

    /// Which of so many alternatives of a disjunction is taken, by inputs.
    fn taken(&mut self, term: Term, count: usize) -> Vec<Signal> {
        if let Some(taken) = self.taken.get(&term) {
            return taken.clone();
        }
        let (mut rest, mut taken) = (Signal::TRUE, Vec::with_capacity(count));
        for _ in 1..count {
            let input = self.circuit.input();
            taken.push(self.circuit.gates.and(rest, input));
            rest = self.circuit.gates.and(rest, !input);
        }
        taken.push(rest);
        self.taken.insert(term, taken.clone());
        taken
    }

    /// Does a condition on steps hold by the alternatives that are taken? `None` if it has no form in which some are.
    fn holds(&mut self, term: Term) -> Found<Option<Signal>> {
        if let Some(&held) = self.held.get(&term) {
            return Ok(held);
        }
        let held = self.held(term)?;
        self.held.insert(term, held);
        Ok(held)
    }

    fn held(&mut self, term: Term) -> Found<Option<Signal>> {
        let terms = &self.model.terms;
        let of = |all: &mut Self, term: Term| -> Found<Signal> {
            match all.holds(term)? {
                Some(holds) => Ok(holds),
                None => all.term(term, false)?.truth(),
            }
        };
        Ok(match terms.node(term) {
            Node::Apply(Op::And, _) if terms.kind(term) == Type::Bool => {
                let mut every = Signal::TRUE;
                for part in terms.conjuncts(term) {
                    let holds = of(self, part)?;
                    every = self.circuit.gates.and(every, holds);
                }
                Some(every)
            }
            Node::Apply(Op::Or, operands) if terms.kind(term) == Type::Bool => {
                let (steps, guards) = self.alternatives(operands);
                let mut any = Signal::FALSE;
                for guard in guards {
                    let guard = self.term(guard, false)?.truth()?;
                    any = self.circuit.gates.or(any, guard);
                }
                let taken = self.taken(term, steps.len());
                for (step, taken) in steps.into_iter().zip(taken) {
                    let holds = of(self, step)?;
                    let both = self.circuit.gates.and(taken, holds);
                    any = self.circuit.gates.or(any, both);
                }
                Some(any)
            }
            &Node::If(condition, yes, no) if !self.speaks(condition) => {
                let condition = self.term(condition, false)?.truth()?;
                let (yes, no) = (of(self, yes)?, of(self, no)?);
                Some(self.circuit.gates.choose(condition, yes, no))
            }
            _ => match self.chosen.get(&term).copied() {
                // That it is so is seen without a look at the values.
                Some(chosen) => {
                    let same = self.term(term, false)?.truth()?;
                    Some(self.circuit.gates.or(chosen, same))
                }
                None => None,
            },
        })
    }

    /// A condition; where it has no value is noted.
    fn condition(&mut self, term: Term, primed: bool) -> Found<Signal> {
        let made = self.term(term, primed)?;
        self.faults.push(made.fault);
        made.truth()
    }

    /// Is a code that of a value?
    fn is_code(&mut self, coding: &Coding, code: &[Signal]) -> Signal {
        let codes = coding.codes();
        if coding.has_gaps() {
            let of = |number| self.circuit.gates.equal(code, &Gates::word(number, code.len()));
            let each: Vec<Signal> = coding.all().map(|(code, _)| u64::from(code)).map(of).collect();
            return self.circuit.gates.any(each);
        }
        if code.len() < 32 && 1_u64 << code.len() == u64::from(codes) {
            return Signal::TRUE;
        }
        !{
            let most = Gates::word(u64::from(codes) - 1, code.len());
            self.circuit.gates.is_less(&most, code)
        }
    }

    /// The code of a variable.
    fn code(&mut self, variable: usize, next: bool) -> Found<Vec<Signal>> {
        if let Some(code) = &self.codes[variable][usize::from(next)] {
            return Ok(code.clone());
        }
        let model = self.model;
        let described = &model.variables[variable];
        let coding = Coding::of(described);
        let code = if !next {
            // An input.
            self.any_code(&coding)
        } else if described.role == Role::Frozen {
            self.code(variable, false)?
        } else if described.role == Role::Input || std::mem::replace(&mut self.open[variable], true) {
            return Err(Beyond);
        } else {
            match self.assigned[variable] {
                None => {
                    let mut code = self.any_code(&coding);
                    let (mut before, mut parts) = (Signal::FALSE, Vec::new());
                    for (term, condition, made) in std::mem::take(&mut self.told[variable]) {
                        let told = self.coded(&coding, &made)?;
                        // What is no value of the variable has a code all the same, of another one.
                        let outside = self.is_outside(&coding, &made.bits)?;
                        let here = self.circuit.gates.and(condition, !outside);
                        let chosen = self.circuit.gates.and(here, !before);
                        self.chosen.insert(term, chosen);
                        before = self.circuit.gates.or(before, here);
                        parts.push((here, told));
                    }
                    for (here, told) in parts.into_iter().rev() {
                        code = self.circuit.gates.either(here, &told, &code);
                    }
                    code
                }
                Some((value, primed)) => {
                    self.inside(variable, value, primed)?;
                    let made = self.one_of(value, primed)?;
                    self.faults.push(made.fault);
                    self.coded(&coding, &made)?
                }
            }
        };
        self.codes[variable][usize::from(next)] = Some(code.clone());
        Ok(code)
    }

    /// Any code of a value, as inputs say.
    fn any_code(&mut self, coding: &Coding) -> Vec<Signal> {
        let code: Vec<Signal> = (0..width(coding)).map(|_| self.circuit.input()).collect();
        let is_code = self.is_code(coding, &code);
        let least = coding.all().map(|(code, _)| code).next().unwrap_or(0);
        self.circuit.gates.either(is_code, &code, &Gates::word(u64::from(least), code.len()))
    }

    /// The value with a code.
    fn decoded(&mut self, coding: &Coding, code: &[Signal]) -> Bits {
        match (coding.kind, coding.least()) {
            (Type::Bool, _) => Bits::Truth(code[0]),
            (Type::Word { .. }, _) => Bits::Word(code.to_vec()),
            (_, Some(least)) => {
                let number = Gates::natural(code);
                Bits::Number(self.circuit.gates.add(&number, &Gates::number(least.into())))
            }
            _ => {
                let mut names = Vec::new();
                for (number, value) in coding.all() {
                    names.push((value, self.circuit.gates.equal(code, &Gates::word(u64::from(number), code.len()))));
                }
                Bits::Names(names)
            }
        }
    }

    /// The code of a value; of one that the domain has not, anything.
    fn coded(&mut self, coding: &Coding, made: &Made) -> Found<Vec<Signal>> {
        let width = width(coding);
        Ok(match (&*made.bits, coding.least()) {
            (Bits::Truth(truth), None) => vec![*truth],
            (Bits::Word(word), None) => word.clone(),
            (Bits::Number(number), Some(least)) => {
                Gates::resized(&self.circuit.gates.add(number, &Gates::number(-i128::from(least))), width)
            }
            _ => {
                let candidates: Vec<Value> = coding.all().map(|(_, value)| value).collect();
                let names = self.names(&made.bits, &candidates)?;
                let mut code = vec![Signal::FALSE; width];
                for (value, here) in names {
                    let Some(number) = coding.code(value) else { continue };
                    for (bit, signal) in code.iter_mut().enumerate() {
                        if number >> bit & 1 == 1 {
                            *signal = self.circuit.gates.or(*signal, here);
                        }
                    }
                }
                code
            }
        })
    }

    /// A value as one of names; numbers as far as they are among the candidates.
    fn names(&mut self, bits: &Bits, candidates: &[Value]) -> Found<Vec<(Value, Signal)>> {
        match bits {
            Bits::Names(names) => Ok(names.clone()),
            Bits::Number(number) => {
                let mut names = Vec::new();
                for &value in candidates {
                    if let Value::Int(other) = value {
                        names.push((value, self.circuit.gates.equals(number, &Gates::number(other.into()))));
                    }
                }
                Ok(names)
            }
            _ => Err(Beyond),
        }
    }

    fn variable(&mut self, variable: usize, next: bool) -> Found<Made> {
        let coding = Coding::of(&self.model.variables[variable]);
        let code = self.code(variable, next)?;
        Ok(Made::new(self.decoded(&coding, &code)))
    }

    /// Note where what is assigned is no value of the variable.
    fn inside(&mut self, variable: usize, of: Term, primed: bool) -> Found<()> {
        let coding = Coding::of(&self.model.variables[variable]);
        let outside = self.outside(&coding, of, primed)?;
        self.faults.push(outside);
        Ok(())
    }

    /// Where a term stands for a value that a domain has not.
    fn outside(&mut self, coding: &Coding, of: Term, primed: bool) -> Found<Signal> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let mut any = Signal::FALSE;
                for &member in members {
                    let outside = self.outside(coding, member, primed)?;
                    any = self.circuit.gates.or(any, outside);
                }
                Ok(any)
            }
            &Node::Range(from, to) => {
                let size = to.checked_sub(from).filter(|size| (0..1 << 20).contains(size)).ok_or(Beyond)?;
                let inside = (from..=from + size).all(|number| coding.code(Value::Int(number)).is_some());
                Ok(Signal::constant(!inside))
            }
            &Node::If(condition, yes, no) if model.terms.is_set(of) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.outside(coding, yes, primed)?, self.outside(coding, no, primed)?);
                let outside = self.circuit.gates.choose(condition.truth()?, yes, no);
                Ok(self.circuit.gates.or(condition.fault, outside))
            }
            _ => {
                let made = self.term(of, primed)?;
                let outside = self.is_outside(coding, &made.bits)?;
                Ok(self.circuit.gates.or(made.fault, outside))
            }
        }
    }

    /// Is a value none of a domain?
    fn is_outside(&mut self, coding: &Coding, bits: &Bits) -> Found<Signal> {
        Ok(match (bits, coding.least()) {
            (Bits::Truth(_) | Bits::Word(_), None) => Signal::FALSE,
            (Bits::Number(number), Some(_)) if !coding.has_gaps() => {
                let (least, most) = (coding.value(0), coding.value(coding.codes() - 1));
                let (Some(Value::Int(least)), Some(Value::Int(most))) = (least, most) else {
                    return Err(Beyond);
                };
                let below = self.circuit.gates.less(number, &Gates::number(least.into()));
                let above = self.circuit.gates.less(&Gates::number(most.into()), number);
                self.circuit.gates.or(below, above)
            }
            _ => {
                let candidates: Vec<Value> = coding.all().map(|(_, value)| value).collect();
                let names = self.names(bits, &candidates)?;
                let inside: Vec<Signal> =
                    names.iter().filter(|(value, _)| coding.code(*value).is_some()).map(|&(_, at)| at).collect();
                !self.circuit.gates.any(inside)
            }
        })
    }

    /// One of the values that a term stands for, as inputs say.
    fn one_of(&mut self, of: Term, primed: bool) -> Found<Made> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let mut all = Vec::with_capacity(members.len());
                for &member in members {
                    all.push(self.one_of(member, primed)?);
                }
                let mut chosen = all.pop().ok_or(Beyond)?;
                for made in all {
                    let here = self.circuit.input();
                    let bits = self.choice(here, &made.bits, &chosen.bits)?;
                    let fault = self.circuit.gates.choose(here, made.fault, chosen.fault);
                    chosen = Made { bits: Rc::new(bits), fault };
                }
                Ok(chosen)
            }
            &Node::Range(from, to) => {
                let most = u64::try_from(to.checked_sub(from).ok_or(Beyond)?).map_err(|_| Beyond)?;
                let bits: Vec<Signal> = (0..64 - most.leading_zeros()).map(|_| self.circuit.input()).collect();
                let above = self.circuit.gates.is_less(&Gates::word(most, bits.len()), &bits);
                let bits = self.circuit.gates.either(above, &Gates::word(0, bits.len()), &bits);
                let number = Gates::natural(&bits);
                Ok(Made::new(Bits::Number(self.circuit.gates.add(&number, &Gates::number(from.into())))))
            }
            &Node::If(condition, yes, no) if model.terms.is_set(of) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.one_of(yes, primed)?, self.one_of(no, primed)?);
                self.chosen(&condition, &yes, &no)
            }
            _ => self.term(of, primed),
        }
    }

    /// Is a value one of those that a term stands for, and where is that a fault?
    fn member(&mut self, value: &Made, of: Term, primed: bool) -> Found<(Signal, Signal)> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let (mut any, mut fault) = (Signal::FALSE, Signal::FALSE);
                for &member in members {
                    let (within, wrong) = self.member(value, member, primed)?;
                    any = self.circuit.gates.or(any, within);
                    fault = self.circuit.gates.or(fault, wrong);
                }
                Ok((any, fault))
            }
            &Node::Range(from, to) => match &*value.bits {
                Bits::Number(number) => {
                    let below = self.circuit.gates.less(number, &Gates::number(from.into()));
                    let above = self.circuit.gates.less(&Gates::number(to.into()), number);
                    Ok((!self.circuit.gates.or(below, above), value.fault))
                }
                Bits::Names(names) => {
                    let is_within = |value: &Value| matches!(value, Value::Int(number) if (from..=to).contains(number));
                    let within = names.iter().filter(|(value, _)| is_within(value)).map(|&(_, at)| at);
                    Ok((self.circuit.gates.any(within), value.fault))
                }
                _ => Err(Beyond),
            },
            &Node::If(condition, yes, no) if model.terms.is_set(of) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.member(value, yes, primed)?, self.member(value, no, primed)?);
                let truth = condition.truth()?;
                let (within, wrong) =
                    (self.circuit.gates.choose(truth, yes.0, no.0), self.circuit.gates.choose(truth, yes.1, no.1));
                Ok((within, self.circuit.gates.or(condition.fault, wrong)))
            }
            _ => {
                let one = self.term(of, primed)?;
                let same = self.same(&value.bits, &one.bits)?;
                Ok((same, self.circuit.gates.or(value.fault, one.fault)))
            }
        }
    }

    /// Are all values of one term among those of another?
    fn subset(&mut self, left: Term, right: Term, primed: bool) -> Found<(Signal, Signal)> {
        let model = self.model;
        match model.terms.node(left) {
            Node::Set(members) => {
                let (mut all, mut fault) = (Signal::TRUE, Signal::FALSE);
                for &member in members {
                    let (within, wrong) = self.subset(member, right, primed)?;
                    all = self.circuit.gates.and(all, within);
                    fault = self.circuit.gates.or(fault, wrong);
                }
                Ok((all, fault))
            }
            &Node::Range(from, to) => {
                let size = to.checked_sub(from).filter(|size| (0..1 << 10).contains(size)).ok_or(Beyond)?;
                let (mut all, mut fault) = (Signal::TRUE, Signal::FALSE);
                for number in from..=from + size {
                    let number = Made::new(Bits::Number(Gates::number(number.into())));
                    let (within, wrong) = self.member(&number, right, primed)?;
                    all = self.circuit.gates.and(all, within);
                    fault = self.circuit.gates.or(fault, wrong);
                }
                Ok((all, fault))
            }
            &Node::If(condition, yes, no) if model.terms.is_set(left) => {
                let condition = self.term(condition, primed)?;
                let (yes, no) = (self.subset(yes, right, primed)?, self.subset(no, right, primed)?);
                let truth = condition.truth()?;
                let (within, wrong) =
                    (self.circuit.gates.choose(truth, yes.0, no.0), self.circuit.gates.choose(truth, yes.1, no.1));
                Ok((within, self.circuit.gates.or(condition.fault, wrong)))
            }
            _ => {
                let value = self.term(left, primed)?;
                self.member(&value, right, primed)
            }
        }
    }

    /// Are two values the same?
    fn same(&mut self, a: &Bits, b: &Bits) -> Found<Signal> {
        Ok(match (a, b) {
            (Bits::Truth(a), Bits::Truth(b)) => self.circuit.gates.same(*a, *b),
            (Bits::Number(a), Bits::Number(b)) => self.circuit.gates.equals(a, b),
            (Bits::Word(a), Bits::Word(b)) if a.len() == b.len() => self.circuit.gates.equal(a, b),
            (Bits::Names(a), Bits::Names(b)) => {
                let mut any = Signal::FALSE;
                for (value, here) in a {
                    if let Some((_, there)) = b.iter().find(|(other, _)| other == value) {
                        let both = self.circuit.gates.and(*here, *there);
                        any = self.circuit.gates.or(any, both);
                    }
                }
                any
            }
            (Bits::Names(names), number @ Bits::Number(_)) | (number @ Bits::Number(_), Bits::Names(names)) => {
                let values: Vec<Value> = names.iter().map(|&(value, _)| value).collect();
                let number = Bits::Names(self.names(number, &values)?);
                self.same(&Bits::Names(names.clone()), &number)?
            }
            _ => return Err(Beyond),
        })
    }

    /// The first value where a condition holds, else the second.
    fn choice(&mut self, condition: Signal, yes: &Bits, no: &Bits) -> Found<Bits> {
        let gates = &mut self.circuit.gates;
        Ok(match (yes, no) {
            (Bits::Truth(yes), Bits::Truth(no)) => Bits::Truth(gates.choose(condition, *yes, *no)),
            (Bits::Number(yes), Bits::Number(no)) => Bits::Number(gates.choose_number(condition, yes, no)),
            (Bits::Word(yes), Bits::Word(no)) if yes.len() == no.len() => Bits::Word(gates.either(condition, yes, no)),
            (Bits::Names(yes), Bits::Names(no)) => {
                let mut names = Vec::with_capacity(yes.len().max(no.len()));
                for &(value, here) in yes {
                    let there = no.iter().find(|(other, _)| *other == value).map_or(Signal::FALSE, |&(_, at)| at);
                    names.push((value, gates.choose(condition, here, there)));
                }
                for &(value, there) in no {
                    if !yes.iter().any(|(other, _)| *other == value) {
                        names.push((value, gates.and(!condition, there)));
                    }
                }
                Bits::Names(names)
            }
            (Bits::Names(_), Bits::Number(number)) => {
                let number = constant_name(number)?;
                self.choice(condition, yes, &number)?
            }
            (Bits::Number(number), Bits::Names(_)) => {
                let number = constant_name(number)?;
                self.choice(condition, &number, no)?
            }
            _ => return Err(Beyond),
        })
    }

    fn chosen(&mut self, condition: &Made, yes: &Made, no: &Made) -> Found<Made> {
        let truth = condition.truth()?;
        // A branch that is a fault has no value of any type.
        let bits = match (yes.fault, no.fault) {
            (Signal::TRUE, _) => no.bits.clone(),
            (_, Signal::TRUE) => yes.bits.clone(),
            _ => Rc::new(self.choice(truth, &yes.bits, &no.bits)?),
        };
        let gates = &mut self.circuit.gates;
        let fault = gates.choose(truth, yes.fault, no.fault);
        Ok(Made { bits, fault: gates.or(condition.fault, fault) })
    }

    /// The value of a term.
    fn term(&mut self, root: Term, primed: bool) -> Found<Made> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known.contains_key(&(term, primed)) {
                open.pop();
                continue;
            }
            let before = open.len();
            if !matches!(self.model.terms.node(term), Node::Member(..)) && !self.model.terms.is_set(term) {
                let operands = self.model.terms.operands(term);
                open.extend(operands.into_iter().filter(|&operand| !self.known.contains_key(&(operand, primed))));
            }
            if open.len() == before {
                if self.circuit.gates.len() > MOST || self.budget.check().is_err() {
                    return Err(Beyond);
                }
                let made = self.node(term, primed)?;
                self.known.insert((term, primed), made);
                open.pop();
            }
        }
        self.known.get(&(root, primed)).cloned().ok_or(Beyond)
    }

    /// The value of a term whose operands have theirs.
    fn node(&mut self, term: Term, primed: bool) -> Found<Made> {
        let model = self.model;
        let terms = &model.terms;
        match terms.node(term) {
            Node::Const(value) => Ok(Made::new(match *value {
                Value::Bool(value) => Bits::Truth(Signal::constant(value)),
                Value::Int(value) => {
                    let value = i32::try_from(value).map_err(|_| Beyond)?;
                    Bits::Number(Gates::number(value.into()))
                }
                Value::Symbol(_) => Bits::Names(vec![(*value, Signal::TRUE)]),
                Value::Word(bits) => match terms.kind(term) {
                    Type::Word { width, .. } => Bits::Word(Gates::word(bits, width as usize)),
                    _ => return Err(Beyond),
                },
            })),
            &Node::Variable { variable, next } => {
                if primed && next {
                    return Err(Beyond);
                }
                self.variable(variable, next || primed)
            }
            Node::Lack(..) => Ok(Made { bits: Rc::new(Bits::Several), fault: Signal::TRUE }),
            &Node::Member(left, right) => {
                let (within, fault) = self.subset(left, right, primed)?;
                Ok(Made { bits: Rc::new(Bits::Truth(within)), fault })
            }
            _ if terms.is_set(term) => Ok(Made::new(Bits::Several)),
            &Node::If(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|operand| self.known[&(operand, primed)].clone());
                self.chosen(&condition, &yes, &no)
            }
            Node::Apply(op, operands) => {
                let made: Vec<Made> = operands.iter().map(|operand| self.known[&(*operand, primed)].clone()).collect();
                let kinds: Vec<Type> = operands.iter().map(|&operand| terms.kind(operand)).collect();
                self.applied(*op, &made, &kinds, terms.kind(term))
            }
            Node::Set(_) | Node::Range(..) | Node::Temporal(..) => Err(Beyond),
        }
    }

    fn applied(&mut self, op: Op, operands: &[Made], kinds: &[Type], to: Type) -> Found<Made> {
        let gates = &mut self.circuit.gates;
        if matches!(op, Op::And | Op::Or) && to == Type::Bool {
            // What one operand decides is no fault.
            let (mut value, mut fault, mut decided) = (Signal::constant(op == Op::And), Signal::FALSE, Signal::FALSE);
            for made in operands {
                let truth = made.truth()?;
                value = if op == Op::And { gates.and(value, truth) } else { gates.or(value, truth) };
                fault = gates.or(fault, made.fault);
                if operands.iter().any(|made| made.fault != Signal::FALSE) {
                    let decides = if op == Op::And { !truth } else { truth };
                    let decides = gates.and(decides, !made.fault);
                    decided = gates.or(decided, decides);
                }
            }
            if fault == Signal::FALSE {
                return Ok(Made::new(Bits::Truth(value)));
            }
            // Where one operand is a fault and another decides, the value is that of the other.
            let value = gates.choose(decided, Signal::constant(op == Op::Or), value);
            return Ok(Made { bits: Rc::new(Bits::Truth(value)), fault: gates.and(fault, !decided) });
        }
        let mut fault = gates.any(operands.iter().map(|made| made.fault));
        if operands.iter().any(|made| matches!(*made.bits, Bits::Several)) {
            // A fault always: no value is needed.
            return match fault {
                Signal::TRUE => Ok(Made { bits: Rc::new(Bits::Several), fault }),
                _ => Err(Beyond),
            };
        }
        if op == Op::Count {
            let mut sum = Gates::number(0);
            for made in operands {
                let one = Gates::natural(&[made.truth()?]);
                sum = self.circuit.gates.add(&sum, &one);
            }
            return Ok(Made { bits: Rc::new(Bits::Number(sum)), fault });
        }
        let (first, rest) = operands.split_first().ok_or(Beyond)?;
        let second = kinds.get(1).copied().unwrap_or(Type::Bool);
        let mut all = Bits::clone(&first.bits);
        if rest.is_empty() {
            all = self.unary(op, &all, kinds[0], to)?;
        }
        if rest.len() > 1 && !matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Min | Op::Max) {
            return Err(Beyond);
        }
        for made in rest {
            let (value, wrong) = self.binary(op, &all, &made.bits, (kinds[0], second))?;
            all = value;
            fault = self.circuit.gates.or(fault, wrong);
        }
        Ok(Made { bits: Rc::new(all), fault })
    }

    fn unary(&mut self, op: Op, a: &Bits, from: Type, to: Type) -> Found<Bits> {
        let gates = &mut self.circuit.gates;
        let is_signed = matches!(from, Type::Word { signed: true, .. });
        let target = if let Type::Word { width, .. } = to { width as usize } else { 0 };
        Ok(match (op, a) {
            (Op::Not, Bits::Truth(a)) => Bits::Truth(!*a),
            (Op::Not, Bits::Word(a)) => Bits::Word(a.iter().map(|&bit| !bit).collect()),
            (Op::Neg, Bits::Number(a)) => wrapped(gates.negate(a)),
            (Op::Neg, Bits::Word(a)) => Bits::Word(gates.opposite(a)),
            (Op::Abs, Bits::Number(a)) => wrapped(gates.absolute(a)),
            (Op::Abs, Bits::Word(a)) if is_signed => {
                let opposite = gates.opposite(a);
                Bits::Word(gates.either(a[a.len() - 1], &opposite, a))
            }
            (Op::Abs | Op::Cast, Bits::Word(a)) => Bits::Word(a.clone()),
            (Op::ToInt, Bits::Truth(a)) => Bits::Number(Gates::natural(&[*a])),
            (Op::ToInt, Bits::Word(a)) if is_signed => wrapped(a.clone()),
            (Op::ToInt, Bits::Word(a)) => wrapped(Gates::natural(a)),
            (Op::ToBool, Bits::Number(a) | Bits::Word(a)) => Bits::Truth(gates.any(a.iter().copied())),
            (Op::ToWord, Bits::Truth(a)) => Bits::Word(vec![*a]),
            (Op::FromInt, Bits::Number(a)) => Bits::Word(Gates::resized(a, target)),
            (Op::Bits(high, low), Bits::Word(a)) => Bits::Word(a[low as usize..=high as usize].to_vec()),
            (Op::Resize, Bits::Word(a)) if is_signed && target < a.len() => {
                let low = a[..target - 1].iter().copied();
                Bits::Word(low.chain([a[a.len() - 1]]).collect())
            }
            (Op::Extend | Op::Resize, Bits::Word(a)) if is_signed => Bits::Word(Gates::resized(a, target)),
            (Op::Extend | Op::Resize, Bits::Word(a)) => {
                Bits::Word((0..target).map(|bit| a.get(bit).copied().unwrap_or(Signal::FALSE)).collect())
            }
            _ => return Err(Beyond),
        })
    }

    /// A value of two, and where there is none.
    fn binary(&mut self, op: Op, a: &Bits, b: &Bits, (from, second): (Type, Type)) -> Found<(Bits, Signal)> {
        let is_signed = matches!(from, Type::Word { signed: true, .. });
        if matches!(op, Op::Iff | Op::Eq) {
            return Ok((Bits::Truth(self.same(a, b)?), Signal::FALSE));
        }
        let gates = &mut self.circuit.gates;
        let mut fault = Signal::FALSE;
        let value = match (a, b) {
            (Bits::Truth(a), Bits::Truth(b)) if op == Op::Xor => Bits::Truth(gates.xor(*a, *b)),
            (Bits::Number(a), Bits::Number(b)) => match op {
                Op::Lt => Bits::Truth(gates.less(a, b)),
                Op::Le => Bits::Truth(!gates.less(b, a)),
                Op::Add => wrapped(gates.add(a, b)),
                Op::Sub => {
                    let b = gates.negate(b);
                    wrapped(gates.add(a, &b))
                }
                Op::Mul => wrapped(gates.multiply(a, b)),
                Op::Div | Op::Mod => {
                    fault = !gates.any(b.iter().copied());
                    let (quotient, rest) = gates.divide(a, b);
                    wrapped(if op == Op::Div { quotient } else { rest })
                }
                Op::Min | Op::Max => {
                    let less = gates.less(a, b);
                    Bits::Number(gates.choose_number(if op == Op::Min { less } else { !less }, a, b))
                }
                _ => return Err(Beyond),
            },
            (Bits::Word(a), Bits::Number(by)) if matches!(op, Op::ShiftLeft | Op::ShiftRight) => {
                let above = gates.less(&Gates::number(a.len() as i128), by);
                fault = gates.or(by[by.len() - 1], above);
                let fill = if is_signed && op == Op::ShiftRight { a[a.len() - 1] } else { Signal::FALSE };
                Bits::Word(gates.shifted(a, &by[..by.len() - 1], op == Op::ShiftLeft, fill))
            }
            (Bits::Word(a), Bits::Word(b)) if op == Op::Concat && matches!(second, Type::Word { .. }) => {
                Bits::Word(b.iter().chain(a).copied().collect())
            }
            (Bits::Word(a), Bits::Word(b)) if a.len() == b.len() => {
                let each = |gates: &mut Gates, of: fn(&mut Gates, Signal, Signal) -> Signal| -> Vec<Signal> {
                    a.iter().zip(b).map(|(&a, &b)| of(gates, a, b)).collect()
                };
                let less = |gates: &mut Gates, a: &[Signal], b: &[Signal]| match is_signed {
                    true => gates.is_less_signed(a, b),
                    false => gates.is_less(a, b),
                };
                match op {
                    Op::And => Bits::Word(each(gates, Gates::and)),
                    Op::Or => Bits::Word(each(gates, Gates::or)),
                    Op::Xor => Bits::Word(each(gates, Gates::xor)),
                    Op::Lt => Bits::Truth(less(gates, a, b)),
                    Op::Le => Bits::Truth(!less(gates, b, a)),
                    Op::Add => Bits::Word(gates.sum(a, b, Signal::FALSE)),
                    Op::Sub => Bits::Word(gates.difference(a, b)),
                    Op::Mul => Bits::Word(gates.product(a, b)),
                    Op::Div | Op::Mod => {
                        fault = !gates.any(b.iter().copied());
                        let wide = |word: &[Signal]| if is_signed { word.to_vec() } else { Gates::natural(word) };
                        let (quotient, rest) = gates.divide(&wide(a), &wide(b));
                        Bits::Word(Gates::resized(if op == Op::Div { &quotient } else { &rest }, a.len()))
                    }
                    Op::Min | Op::Max => {
                        let less = less(gates, a, b);
                        Bits::Word(gates.either(if op == Op::Min { less } else { !less }, a, b))
                    }
                    _ => return Err(Beyond),
                }
            }
            _ => return Err(Beyond),
        };
        Ok((value, fault))
    }
}

impl Made {
    fn truth(&self) -> Found<Signal> {
        match *self.bits {
            Bits::Truth(truth) => Ok(truth),
            Bits::Several if self.fault == Signal::TRUE => Ok(Signal::FALSE),
            _ => Err(Beyond),
        }
    }
}

/// The bits of a code.
fn width(coding: &Coding) -> usize {
    (32 - (coding.codes().max(2) - 1).leading_zeros()) as usize
}

/// An integer of the language: what does not fit is lost.
fn wrapped(number: Vec<Signal>) -> Bits {
    Bits::Number(if number.len() > INTEGER { Gates::resized(&number, INTEGER) } else { number })
}

/// A constant number among names.
fn constant_name(number: &[Signal]) -> Found<Bits> {
    let value = Gates::as_number(number).and_then(|value| i64::try_from(value).ok()).ok_or(Beyond)?;
    Ok(Bits::Names(vec![(Value::Int(value), Signal::TRUE)]))
}
