//! Conditions on steps: what they say of single next values, and whether they hold.

use super::Making;
use super::made::{Bits, Found, Made};
use crate::circuit::Signal;
use starset_smv::{Node, Op, Role, Term, Type};

impl Making<'_> {
    /// Read off what a condition on steps says of single next values, where another condition holds: `next(x) = e`, for an
    /// `e` without next values. Then the next value is `e`, and no input, which makes no other steps.
    pub(super) fn read(&mut self, term: Term, here: Signal) -> Found<()> {
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

    pub(super) fn tell(&mut self, term: Term, variable: usize, here: Signal, made: Made) {
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
    pub(super) fn taken(&mut self, term: Term, count: usize) -> Vec<Signal> {
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
    pub(super) fn holds(&mut self, term: Term) -> Found<Option<Signal>> {
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
}
