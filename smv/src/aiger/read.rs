//! AIGER files, text and bytes.
//!
//! ```text
//! aag M I L O A B C J F    greatest variable, numbers of inputs, latches, outputs, gates, …; the last four may be left out
//! 2                        inputs (in `aig` they are the first variables, and not written)
//! 4 11 0                   latches: literal (not in `aig`), next value, and perhaps the first one
//! 4                        outputs, bad states, constraints; the sizes of justice properties; their literals; fairness
//! 6 4 2                    gates (in `aig` two differences of literals each, in groups of seven bits)
//! i0 on                    names
//! c                        comments
//! ```

use super::circuit::{Circuit, Latch, Literal};
use crate::error::{Fault, Place, Stage};
use std::collections::HashMap;

/// Most inputs and latches, and most gates.
const MOST: u32 = 1 << 20;

/// Where reading has got to.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Cursor<'a> {
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(Stage::Syntax, Place { line: self.line.max(1), column: 1 }, message)
    }

    /// The next line; none at the end.
    fn line(&mut self) -> Result<Option<&'a str>, Fault> {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        if rest.is_empty() {
            return Ok(None);
        }
        self.line = self.line.saturating_add(1);
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.at += length + 1;
        let text = std::str::from_utf8(&rest[..length]);
        text.map(|text| Some(text.trim_end_matches('\r'))).map_err(|_| self.fault("this line is no text (UTF-8)"))
    }

    /// The numbers of the next line, which are at least `least` and at most `most`.
    fn numbers(&mut self, least: usize, most: usize, what: &str) -> Result<Vec<u32>, Fault> {
        let Some(line) = self.line()? else {
            self.line = self.line.saturating_add(1);
            return Err(self.fault(format!("the file ends where {what} should be: its header counts more")));
        };
        let numbers: Option<Vec<u32>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
        let fits = |numbers: &Vec<u32>| (least..=most).contains(&numbers.len());
        numbers.filter(fits).ok_or_else(|| self.fault(format!("expected {what}, found `{}`", shortened(line))))
    }

    /// A difference of literals: seven bits in each byte, the lowest first; the highest bit says that more follow.
    fn difference(&mut self) -> Result<u32, Fault> {
        let begin = self.at;
        let mut value: u64 = 0;
        for shift in (0..35).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else {
                let at = self.bytes.len();
                return Err(self.fault(format!("byte {at}: the file ends among its gates: the header counts more")));
            };
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value).map_err(|_| self.too_large(begin));
            }
        }
        Err(self.too_large(begin))
    }

    fn too_large(&self, begin: usize) -> Fault {
        self.fault(format!("byte {}: this difference of literals is above 32 bits", begin + 1))
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(60).collect()
}

/// The numbers of a header.
#[derive(Clone, Copy)]
struct Header {
    binary: bool,
    greatest: u32,
    inputs: u32,
    latches: u32,
    outputs: u32,
    gates: u32,
    bad: u32,
    constraints: u32,
    justice: u32,
    fairness: u32,
}

fn header(cursor: &mut Cursor<'_>) -> Result<Header, Fault> {
    let line = cursor.line()?.unwrap_or_default();
    let mut words = line.split_whitespace();
    let binary = match words.next() {
        Some("aag") => false,
        Some("aig") => true,
        _ => return Err(cursor.fault("expected `aag M I L O A` or `aig M I L O A`, with perhaps `B C J F` after it")),
    };
    let numbers: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
    let Some(mut numbers) = numbers.filter(|numbers| (5..=9).contains(&numbers.len())) else {
        return Err(cursor.fault("five to nine numbers make a header: M I L O A, and B C J F as far as wanted"));
    };
    numbers.resize(9, 0);
    let [greatest, inputs, latches, outputs, gates, bad, constraints, justice, fairness] =
        <[u32; 9]>::try_from(numbers).unwrap_or_default();
    let all = [inputs, latches, gates].into_iter().map(u64::from).sum::<u64>();
    if u64::from(greatest) < all || (binary && u64::from(greatest) != all) {
        let relation = if binary { "is" } else { "is at least" };
        return Err(cursor.fault(format!("the greatest variable {relation} I + L + A = {all}, and not {greatest}")));
    }
    if greatest > u32::MAX / 2
        || [inputs, latches, gates, outputs, bad, constraints, justice, fairness].into_iter().any(|count| count > MOST)
    {
        return Err(cursor.fault(format!("more than {MOST} inputs, latches, gates or properties are not read")));
    }
    Ok(Header { binary, greatest, inputs, latches, outputs, gates, bad, constraints, justice, fairness })
}

/// Reads the parts of a circuit.
struct Reader<'a> {
    cursor: Cursor<'a>,
    header: Header,
    /// What is defined: by variable, the line.
    defined: HashMap<u32, u32>,
    /// Literals that are used, with their lines.
    used: Vec<(Literal, u32)>,
}

impl Reader<'_> {
    /// A literal is used.
    fn used(&mut self, literal: Literal) -> Result<Literal, Fault> {
        if literal / 2 > self.header.greatest {
            let greatest = self.header.greatest;
            return Err(self
                .cursor
                .fault(format!("the literal {literal} is above 2 * {greatest} + 1, as the header says")));
        }
        self.used.push((literal, self.cursor.line));
        Ok(literal)
    }

    /// A variable is defined.
    fn defines(&mut self, literal: Literal) -> Result<Literal, Fault> {
        if literal < 2 || literal % 2 == 1 || literal / 2 > self.header.greatest {
            let most = u64::from(self.header.greatest) * 2;
            return Err(self
                .cursor
                .fault(format!("what is defined is an even literal from 2 to {most}, not {literal}")));
        }
        match self.defined.insert(literal / 2, self.cursor.line) {
            None => Ok(literal),
            Some(line) => {
                Err(self.cursor.fault(format!("the literal {literal} is defined twice, first in line {line}")))
            }
        }
    }

    fn inputs(&mut self) -> Result<Vec<Literal>, Fault> {
        let all = (1..=self.header.inputs).map(|variable| match self.header.binary {
            true => self.defines(variable * 2),
            false => {
                let numbers = self.cursor.numbers(1, 1, "the literal of an input")?;
                self.defines(numbers[0])
            }
        });
        all.collect()
    }

    fn latches(&mut self) -> Result<Vec<Latch>, Fault> {
        let mut all = Vec::new();
        for number in 0..self.header.latches {
            let numbers = match self.header.binary {
                true => {
                    let numbers = self.cursor.numbers(1, 2, "the next value of a latch, and perhaps its first one")?;
                    [vec![(self.header.inputs + number + 1) * 2], numbers].concat()
                }
                false => {
                    let what = "the literal of a latch, its next value, and perhaps its first one";
                    self.cursor.numbers(2, 3, what)?
                }
            };
            let literal = self.defines(numbers[0])?;
            let next = self.used(numbers[1])?;
            let reset = match numbers.get(2) {
                None | Some(0) => Some(false),
                Some(1) => Some(true),
                Some(&itself) if itself == literal => None,
                Some(other) => {
                    let message =
                        format!("a latch begins with 0, 1, or its own literal {literal} for either, not {other}");
                    return Err(self.cursor.fault(message));
                }
            };
            all.push(Latch { literal, next, reset });
        }
        Ok(all)
    }

    fn literals(&mut self, count: u32, what: &str) -> Result<Vec<Literal>, Fault> {
        let mut all = Vec::new();
        for _ in 0..count {
            let numbers = self.cursor.numbers(1, 1, what)?;
            all.push(self.used(numbers[0])?);
        }
        Ok(all)
    }

    fn justice(&mut self) -> Result<Vec<Vec<Literal>>, Fault> {
        let mut sizes = Vec::new();
        for _ in 0..self.header.justice {
            sizes.push(self.cursor.numbers(1, 1, "the number of literals of a justice property")?[0]);
        }
        sizes.into_iter().map(|size| self.literals(size, "a literal of a justice property")).collect()
    }

    fn gates(&mut self) -> Result<Vec<(Literal, [Literal; 2])>, Fault> {
        let mut all = Vec::new();
        if self.header.binary {
            self.cursor.line = self.cursor.line.saturating_add(1);
        }
        for number in 0..self.header.gates {
            if !self.header.binary {
                let numbers = self.cursor.numbers(3, 3, "the literal of a gate and its two operands")?;
                let literal = self.defines(numbers[0])?;
                all.push((literal, [self.used(numbers[1])?, self.used(numbers[2])?]));
                continue;
            }
            let literal = self.defines((self.header.inputs + self.header.latches + number + 1) * 2)?;
            let begin = self.cursor.at;
            let first = literal.checked_sub(self.cursor.difference()?).filter(|&first| first < literal);
            let second = match first {
                Some(first) => first.checked_sub(self.cursor.difference()?),
                None => None,
            };
            let (Some(first), Some(second)) = (first, second) else {
                let message = format!("byte {}: the operands of gate {literal} are not below it", begin + 1);
                return Err(self.cursor.fault(message));
            };
            all.push((literal, [first, second]));
        }
        Ok(all)
    }

    /// Names, up to comments and the end.
    fn names(&mut self, circuit: &mut Circuit) -> Result<(), Fault> {
        while let Some(line) = self.cursor.line()? {
            if line == "c" {
                return Ok(());
            }
            let (begin, name) = line.split_once(' ').unwrap_or((line, ""));
            let mut letters = begin.chars();
            let sort = letters.next().unwrap_or(' ');
            let count = match sort {
                'i' => circuit.inputs.len(),
                'l' => circuit.latches.len(),
                'o' => circuit.outputs.len(),
                'b' => circuit.bad.len(),
                'c' => circuit.constraints.len(),
                'j' => circuit.justice.len(),
                'f' => circuit.fairness.len(),
                _ => {
                    let found = shortened(line);
                    let wanted = "a name as `i0 name` (of i, l, o, b, c, j, f) or `c` before comments";
                    return Err(self.cursor.fault(format!("expected {wanted}, found `{found}`")));
                }
            };
            match letters.as_str().parse::<usize>() {
                Ok(number) if number < count && !name.is_empty() => {
                    circuit.names.insert((sort, number), name.to_owned());
                }
                _ => return Err(self.cursor.fault(format!("`{}` names nothing of this circuit", shortened(line)))),
            }
        }
        Ok(())
    }

    /// All that is used is defined.
    fn check(&self) -> Result<(), Fault> {
        match self.used.iter().find(|(literal, _)| *literal > 1 && !self.defined.contains_key(&(literal / 2))) {
            None => Ok(()),
            Some(&(literal, line)) => {
                let message = format!("the literal {literal} is no input, no latch and no gate");
                Err(Fault::new(Stage::Names, Place { line, column: 1 }, message))
            }
        }
    }
}

/// The gates in an order in which operands come first.
fn ordered(
    gates: Vec<(Literal, [Literal; 2])>,
    lines: &HashMap<u32, u32>,
) -> Result<Vec<(Literal, [Literal; 2])>, Fault> {
    let by_variable: HashMap<u32, usize> = gates.iter().enumerate().map(|(at, gate)| (gate.0 / 2, at)).collect();
    // 1 is open, 2 is done.
    let (mut state, mut order) = (vec![0_u8; gates.len()], Vec::with_capacity(gates.len()));
    for start in 0..gates.len() {
        let mut stack = vec![(start, 0)];
        while let Some((at, operand)) = stack.pop() {
            if operand == 0 && state[at] == 2 {
                continue;
            }
            state[at] = 1;
            let (literal, operands) = gates[at];
            let Some(next) = operands.get(operand) else {
                state[at] = 2;
                order.push(gates[at]);
                continue;
            };
            stack.push((at, operand + 1));
            match by_variable.get(&(next / 2)) {
                Some(&below) if state[below] == 1 => {
                    let line = lines.get(&(literal / 2)).copied().unwrap_or(1);
                    let message = format!("gate {literal} depends on itself");
                    return Err(Fault::new(Stage::Assignments, Place { line, column: 1 }, message));
                }
                Some(&below) if state[below] == 0 => stack.push((below, 0)),
                _ => {}
            }
        }
    }
    Ok(order)
}

/// The circuit in a file.
pub(super) fn circuit(bytes: &[u8]) -> Result<Circuit, Fault> {
    let mut cursor = Cursor { bytes, at: 0, line: 0 };
    let header = header(&mut cursor)?;
    let mut reader = Reader { cursor, header, defined: HashMap::new(), used: Vec::new() };
    let mut circuit = Circuit {
        inputs: reader.inputs()?,
        latches: reader.latches()?,
        outputs: reader.literals(header.outputs, "the literal of an output")?,
        bad: reader.literals(header.bad, "the literal of a bad state")?,
        constraints: reader.literals(header.constraints, "the literal of a constraint")?,
        justice: reader.justice()?,
        fairness: reader.literals(header.fairness, "the literal of a fairness constraint")?,
        ..Circuit::default()
    };
    let gates = reader.gates()?;
    reader.check()?;
    reader.names(&mut circuit)?;
    circuit.gates = ordered(gates, &reader.defined)?;
    Ok(circuit)
}
