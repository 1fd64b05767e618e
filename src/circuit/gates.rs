//! Conjunctions of two signals, each kept once.

use rustc_hash::FxHashMap;

/// A gate or a leaf, perhaps negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Signal(u32);

impl Signal {
    /// Never.
    pub const FALSE: Signal = Signal(0);
    /// Always.
    pub const TRUE: Signal = Signal(1);

    /// A constant.
    pub const fn constant(value: bool) -> Signal {
        Signal(value as u32)
    }

    /// The number of its gate.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it the negation of its gate?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self.0 == 1)
    }
}

impl std::ops::Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// No gate: a leaf has this for its operands.
const LEAF: (Signal, Signal) = (Signal(u32::MAX), Signal(u32::MAX));

/// Gates, operands first. The first is the constant false.
#[derive(Clone, Debug)]
pub struct Gates {
    operands: Vec<(Signal, Signal)>,
    known: FxHashMap<(Signal, Signal), Signal>,
}

impl Default for Gates {
    fn default() -> Self {
        Gates { operands: vec![LEAF], known: FxHashMap::default() }
    }
}

impl Gates {
    /// How many there are, leaves among them.
    pub fn len(&self) -> usize {
        self.operands.len()
    }

    /// Is there none but the constant?
    pub fn is_empty(&self) -> bool {
        self.operands.len() == 1
    }

    /// A signal of its own.
    pub fn leaf(&mut self) -> Signal {
        self.push(LEAF)
    }

    fn push(&mut self, operands: (Signal, Signal)) -> Signal {
        let number = self.operands.len() as u32;
        self.operands.push(operands);
        Signal(number << 1)
    }

    /// The operands of a gate; `None` of a leaf.
    pub fn operands(&self, gate: usize) -> Option<(Signal, Signal)> {
        Some(self.operands[gate]).filter(|&operands| operands != LEAF)
    }

    /// Both.
    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Signal::FALSE || a == !b {
            return Signal::FALSE;
        }
        if a == Signal::TRUE || a == b {
            return b;
        }
        for (one, other) in [(a, b), (b, a)] {
            let Some((x, y)) = self.operands(other.gate()) else { continue };
            match other.is_negated() {
                // a ∧ (a ∧ y)
                false if one == x || one == y => return other,
                // a ∧ (¬a ∧ y)
                false if one == !x || one == !y => return Signal::FALSE,
                // a ∧ ¬(a ∧ y)
                true if one == x => return self.and(one, !y),
                true if one == y => return self.and(one, !x),
                // a ∧ ¬(¬a ∧ y)
                true if one == !x || one == !y => return one,
                _ => {}
            }
        }
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        let gate = self.push((a, b));
        self.known.insert((a, b), gate);
        gate
    }

    /// One of them, or both.
    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    /// One of them alone.
    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let (first, second) = (self.and(a, !b), self.and(!a, b));
        self.or(first, second)
    }

    /// The same value.
    pub fn same(&mut self, a: Signal, b: Signal) -> Signal {
        !self.xor(a, b)
    }

    /// The first where the condition holds, else the second.
    pub fn choose(&mut self, condition: Signal, yes: Signal, no: Signal) -> Signal {
        if yes == no {
            return yes;
        }
        let (yes, no) = (self.and(condition, yes), self.and(!condition, no));
        self.or(yes, no)
    }

    /// All of them.
    pub fn all(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        signals.into_iter().fold(Signal::TRUE, |all, signal| self.and(all, signal))
    }

    /// One of them, or more.
    pub fn any(&mut self, signals: impl IntoIterator<Item = Signal>) -> Signal {
        signals.into_iter().fold(Signal::FALSE, |any, signal| self.or(any, signal))
    }

    /// The gates that signals are made of, by number: operands first, leaves among them.
    pub fn cone(&self, signals: &[Signal]) -> Vec<usize> {
        let mut inside = vec![false; self.len()];
        let mut open: Vec<usize> = signals.iter().map(|signal| signal.gate()).collect();
        while let Some(gate) = open.pop() {
            if !std::mem::replace(&mut inside[gate], true)
                && let Some((a, b)) = self.operands(gate)
            {
                open.extend([a.gate(), b.gate()]);
            }
        }
        (0..inside.len()).filter(|&gate| inside[gate]).collect()
    }

    /// The values of some signals where leaves have these, and all others are false.
    pub fn evaluate(&self, leaves: &[(Signal, bool)], signals: &[Signal]) -> Vec<bool> {
        let mut values = vec![false; self.len()];
        for &(leaf, value) in leaves {
            values[leaf.gate()] = value != leaf.is_negated();
        }
        for (gate, &(a, b)) in self.operands.iter().enumerate() {
            if (a, b) != LEAF {
                let of = |signal: Signal| values[signal.gate()] != signal.is_negated();
                values[gate] = of(a) && of(b);
            }
        }
        signals.iter().map(|signal| values[signal.gate()] != signal.is_negated()).collect()
    }
}
