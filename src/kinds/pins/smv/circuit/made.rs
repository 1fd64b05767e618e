//! The value of a term as signals.

use crate::circuit::Signal;
use starset_smv::Value;
use std::rc::Rc;

/// The program has no circuit, or none within the limits.
pub(super) struct Beyond;

pub(super) type Found<T> = Result<T, Beyond>;

/// The value of a term.
#[derive(Clone, Debug)]
pub(super) enum Bits {
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
pub(super) struct Made {
    pub(super) bits: Rc<Bits>,
    pub(super) fault: Signal,
}

impl Made {
    pub(super) fn new(bits: Bits) -> Self {
        Made { bits: Rc::new(bits), fault: Signal::FALSE }
    }

    pub(super) fn truth(&self) -> Found<Signal> {
        match *self.bits {
            Bits::Truth(truth) => Ok(truth),
            Bits::Several if self.fault == Signal::TRUE => Ok(Signal::FALSE),
            _ => Err(Beyond),
        }
    }
}
