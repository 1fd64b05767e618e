//! Steps and predicates over short states.
//!
//! A group sees the variables of its rows only. Its *frame* has one slot for each variable that it reads or writes,
//! in their order, so that arrays stay together; the step is moved over to these slots once, and then a short state
//! is spread over the frame, the step performed, and the written slots gathered. A slot that is written and not read
//! holds nothing of the state, and by the invariant of [`super::rows`] nothing asks for it.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::super::next_state::{COPY, Successors, Value};
use super::expression::{Domain, Expression, Trap};
use super::rows::Rows;
use super::scope::Slot;
use super::steps::Step;

/// Where a value goes in a frame, and how it is coded.
#[derive(Clone, Copy, Debug)]
struct Port {
    slot: usize,
    offset: i32,
}

impl Port {
    fn new(slot: usize, domain: Domain) -> Self {
        Port { slot, offset: domain.offset() }
    }

    /// The number of a code.
    fn decode(self, value: Value) -> i32 {
        value.cast_signed().wrapping_sub(self.offset)
    }

    /// The code of a number.
    fn encode(self, number: i32) -> Value {
        number.wrapping_add(self.offset).cast_unsigned()
    }
}

/// A step over short states.
#[derive(Clone, Debug)]
pub(super) struct Program {
    step: Step,
    size: usize,
    reads: Vec<Port>,
    must_write: Vec<Port>,
    may_write: Vec<Port>,
}

/// Room for frames, used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    frame: SmallVec<[i32; 32]>,
    written: SmallVec<[bool; 32]>,
}

impl Program {
    /// The program of a step.
    pub(super) fn new(step: &Step, rows: &Rows, slots: &[Slot]) -> Self {
        let mut all: Vec<u32> = rows.reads.iter().chain(&rows.must_write).chain(&rows.may_write).copied().collect();
        all.sort_unstable();
        all.dedup();
        let image = |slot: u32| u32::try_from(all.partition_point(|&other| other < slot)).unwrap_or(u32::MAX);
        let ports = |row: &BTreeSet<u32>| {
            row.iter().map(|&slot| Port::new(image(slot) as usize, slots[slot as usize].domain)).collect()
        };
        Program {
            step: step.relocate(&image),
            size: all.len(),
            reads: ports(&rows.reads),
            must_write: ports(&rows.must_write),
            may_write: ports(&rows.may_write),
        }
    }

    /// Push the successor of a short state, if it has one.
    ///
    /// # Errors
    /// When an expression has no value.
    pub(super) fn run(&self, action: u32, short: &[Value], room: &mut Room, into: &mut Successors) -> Result<(), Trap> {
        room.frame.clear();
        room.frame.resize(self.size, 0);
        for (port, &value) in self.reads.iter().zip(short) {
            room.frame[port.slot] = port.decode(value);
        }
        room.written.clear();
        // Nobody asks for marks where everything that is written must be.
        room.written.resize(if self.may_write.is_empty() { 0 } else { self.size }, false);
        if self.step.perform(&mut room.frame, &mut room.written)? {
            let must = self.must_write.iter().map(|port| port.encode(room.frame[port.slot]));
            let may = self
                .may_write
                .iter()
                .map(|port| if room.written[port.slot] { port.encode(room.frame[port.slot]) } else { COPY });
            into.push(action, must.chain(may));
        }
        Ok(())
    }
}

/// A predicate over short states.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    expression: Expression,
    reads: Vec<Port>,
}

impl Predicate {
    /// A predicate that reads these slots, which are sorted.
    pub(super) fn new(expression: &Expression, reads: &[u32], slots: &[Slot]) -> Self {
        let image = |slot: u32| u32::try_from(reads.partition_point(|&other| other < slot)).unwrap_or(u32::MAX);
        let ports = reads.iter().enumerate().map(|(at, &slot)| Port::new(at, slots[slot as usize].domain));
        Predicate { expression: expression.relocate(&image), reads: ports.collect() }
    }

    /// Does it hold?
    ///
    /// # Errors
    /// When it has no value.
    pub(super) fn holds(&self, short: &[Value]) -> Result<bool, Trap> {
        let frame: SmallVec<[i32; 16]> =
            self.reads.iter().zip(short).map(|(port, &value)| port.decode(value)).collect();
        Ok(self.expression.value(&frame)? != 0)
    }
}
