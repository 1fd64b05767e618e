//! Random circuits, their files, and what they mean by the definition: one state after the other.

use std::collections::HashMap;

/// Numbers by xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % u64::from(most)) as u32
    }
}

/// A circuit as the file has it: variables are inputs, latches, gates, in this order.
pub(crate) struct Drawn {
    pub(crate) inputs: u32,
    /// Next value, and reset: 0, 1, or 2 for either.
    pub(crate) latches: Vec<(u32, u32)>,
    pub(crate) gates: Vec<[u32; 2]>,
    pub(crate) bad: Vec<u32>,
    pub(crate) constraints: Vec<u32>,
    pub(crate) justice: Vec<Vec<u32>>,
    pub(crate) fairness: Vec<u32>,
}

impl Drawn {
    pub(crate) fn new(random: &mut Random) -> Self {
        let (inputs, latches, gates) = (random.below(3), 1 + random.below(4), random.below(9));
        let variables = inputs + latches + gates;
        let any = |random: &mut Random| random.below(variables * 2 + 2);
        let below = |random: &mut Random, gate: u32| {
            let literal = (inputs + latches + gate + 1) * 2;
            let first = random.below(literal);
            [first, random.below(first + 1)]
        };
        Drawn {
            inputs,
            latches: (0..latches).map(|_| (any(random), random.below(3))).collect(),
            gates: (0..gates).map(|gate| below(random, gate)).collect(),
            bad: (0..1 + random.below(2)).map(|_| any(random)).collect(),
            constraints: (0..random.below(2)).map(|_| any(random)).collect(),
            justice: (0..random.below(3)).map(|_| (0..1 + random.below(2)).map(|_| any(random)).collect()).collect(),
            fairness: (0..random.below(2)).map(|_| any(random)).collect(),
        }
    }

    pub(crate) fn file(&self, binary: bool) -> Vec<u8> {
        let (latches, gates) = (self.latches.len() as u32, self.gates.len() as u32);
        let numbers = [
            self.inputs + latches + gates,
            self.inputs,
            latches,
            0,
            gates,
            self.bad.len() as u32,
            self.constraints.len() as u32,
            self.justice.len() as u32,
            self.fairness.len() as u32,
        ];
        let mut text = if binary { "aig" } else { "aag" }.to_owned();
        numbers.iter().for_each(|number| text.push_str(&format!(" {number}")));
        text.push('\n');
        if !binary {
            (1..=self.inputs).for_each(|variable| text.push_str(&format!("{}\n", variable * 2)));
        }
        for (number, (next, reset)) in (0..).zip(&self.latches) {
            let literal = (self.inputs + number + 1) * 2;
            if !binary {
                text.push_str(&format!("{literal} "));
            }
            text.push_str(&format!("{next}"));
            match reset {
                0 => {}
                1 => text.push_str(" 1"),
                _ => text.push_str(&format!(" {literal}")),
            }
            text.push('\n');
        }
        let mut line = |number: u32| text.push_str(&format!("{number}\n"));
        self.bad.iter().chain(&self.constraints).for_each(|&literal| line(literal));
        self.justice.iter().for_each(|literals| line(literals.len() as u32));
        self.justice.iter().flatten().chain(&self.fairness).for_each(|&literal| line(literal));
        let mut bytes = text.into_bytes();
        for (number, [first, second]) in (0..).zip(&self.gates) {
            let literal = (self.inputs + latches + number + 1) * 2;
            if !binary {
                bytes.extend(format!("{literal} {first} {second}\n").into_bytes());
                continue;
            }
            for mut difference in [literal - first, first - second] {
                while difference > 127 {
                    bytes.push((difference & 127) as u8 | 128);
                    difference >>= 7;
                }
                bytes.push(difference as u8);
            }
        }
        bytes.extend(b"l0 a latch\nc\nanything \xff goes here\n");
        bytes
    }

    /// The values of all literals, given those of latches and inputs as bits.
    pub(crate) fn values(&self, state: u32, input: u32) -> Vec<bool> {
        let mut values = vec![false];
        values.extend((0..self.inputs).map(|at| input >> at & 1 == 1));
        values.extend((0..self.latches.len()).map(|at| state >> at & 1 == 1));
        for gate in &self.gates {
            let [a, b] = gate.map(|literal| values[literal as usize / 2] ^ (literal % 2 == 1));
            values.push(a && b);
        }
        values.into_iter().flat_map(|value| [value, !value]).collect()
    }

    pub(crate) fn is_first(&self, state: u32) -> bool {
        self.latches.iter().enumerate().all(|(at, (_, reset))| *reset == 2 || state >> at & 1 == *reset)
    }

    /// For each reachable state: steps under the constraints, with the values there.
    pub(crate) fn graph(&self) -> HashMap<u32, Vec<(Vec<bool>, u32)>> {
        let mut open: Vec<u32> = (0..1 << self.latches.len()).filter(|&state| self.is_first(state)).collect();
        let mut graph = HashMap::new();
        while let Some(state) = open.pop() {
            if graph.contains_key(&state) {
                continue;
            }
            let mut steps = Vec::new();
            for input in 0..1 << self.inputs {
                let values = self.values(state, input);
                if self.constraints.iter().all(|&literal| values[literal as usize]) {
                    let bit = |(at, (next, _)): (usize, &(u32, u32))| u32::from(values[*next as usize]) << at;
                    let next = self.latches.iter().enumerate().map(bit).sum();
                    open.push(next);
                    steps.push((values, next));
                }
            }
            graph.insert(state, steps);
        }
        graph
    }
}
