//! Expressions and assignments with their names resolved, and their values.
//!
//! A variable is a *slot* of a frame of numbers: at first a slot of the whole state, and after
//! [`Expression::relocate`] a slot of the few variables that a group knows. Expressions are small trees, folded where
//! they are constant, and evaluated in place: no stack, no allocation.
//!
//! Arithmetic is that of C on 32 bits, wrapping. `and`, `or` and `imply` evaluate their right side only if they need
//! it, so that `i < 3 and a[i] == 0` is safe. What has no value is a [`Trap`].

use std::sync::Arc;

use super::ast::{Binary, Unary};

/// The reason why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Trap {
    /// A division by zero, or a remainder of one.
    #[error("division by zero")]
    Division,
    /// An index outside its array.
    #[error("index {index} is outside an array of size {size}")]
    Index {
        /// The index.
        index: i32,
        /// How many cells there are.
        size: u32,
    },
}

/// The values of a variable, and their codes as values of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Domain {
    /// 0 to 255, coded as it is.
    Byte,
    /// 16 bits with sign; coded so that the order is kept.
    Int,
    /// The number of a state or of messages, coded as it is; what is assigned always fits.
    Small,
}

impl Domain {
    /// The stored part of an assigned number: its lower bits.
    pub fn truncate(self, number: i32) -> i32 {
        match self {
            Domain::Byte => number & 0xff,
            Domain::Int => i32::from(number as i16),
            Domain::Small => number,
        }
    }

    /// Difference between a code and its number.
    pub fn offset(self) -> i32 {
        match self {
            Domain::Byte | Domain::Small => 0,
            Domain::Int => 1 << 15,
        }
    }
}

/// An expression over a frame.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Expression {
    /// A number.
    Constant(i32),
    /// A variable.
    Slot(u32),
    /// A cell of an array variable, which lies in `size` slots from `first`.
    Cell {
        /// Where the array starts.
        first: u32,
        /// How many cells it has.
        size: u32,
        /// Which one.
        index: Box<Expression>,
    },
    /// A cell of a constant array.
    Table {
        /// The cells, shared by all uses of the array.
        values: Arc<[i32]>,
        /// Which one.
        index: Box<Expression>,
    },
    /// Is a variable one of these numbers?
    Among {
        /// The variable.
        slot: u32,
        /// The numbers.
        numbers: Box<[i32]>,
    },
    /// An operator before its operand.
    Unary(Unary, Box<Expression>),
    /// An operator between its operands.
    Binary(Binary, Box<(Expression, Expression)>),
}

impl Expression {
    /// Is a variable this number?
    pub fn is(slot: u32, number: i32) -> Self {
        Expression::Among { slot, numbers: Box::new([number]) }
    }

    /// An operator before its operand, folded.
    pub fn unary(operator: Unary, operand: Expression) -> Self {
        Expression::Unary(operator, Box::new(operand)).folded()
    }

    /// An operator between its operands, folded.
    pub fn binary(operator: Binary, left: Expression, right: Expression) -> Self {
        Expression::Binary(operator, Box::new((left, right))).folded()
    }

    /// A cell of an array variable, folded.
    pub fn cell(first: u32, size: u32, index: Expression) -> Self {
        match index {
            Expression::Constant(number) if (0..i64::from(size)).contains(&i64::from(number)) => {
                Expression::Slot(first + number.unsigned_abs())
            }
            index => Expression::Cell { first, size, index: Box::new(index) },
        }
    }

    /// A cell of a constant array, folded.
    pub fn table(values: Arc<[i32]>, index: Expression) -> Self {
        Expression::Table { values, index: Box::new(index) }.folded()
    }

    /// The constant that it is, if its parts are constants and it has a value.
    fn folded(self) -> Self {
        let constant = match &self {
            Expression::Unary(_, operand) => matches!(**operand, Expression::Constant(_)),
            Expression::Binary(_, sides) => {
                matches!(**sides, (Expression::Constant(_), Expression::Constant(_)))
            }
            Expression::Table { index, .. } => matches!(**index, Expression::Constant(_)),
            _ => false,
        };
        if !constant {
            return self;
        }
        self.value(&[]).map_or(self, Expression::Constant)
    }

    /// Its value in a frame, which has all slots that it names.
    ///
    /// # Errors
    /// When it has none.
    pub fn value(&self, frame: &[i32]) -> Result<i32, Trap> {
        Ok(match self {
            Expression::Constant(number) => *number,
            Expression::Slot(slot) => at(frame, *slot),
            Expression::Cell { first, size, index } => at(frame, first + position(index.value(frame)?, *size)?),
            Expression::Table { values, index } => {
                let size = u32::try_from(values.len()).unwrap_or(u32::MAX);
                values[position(index.value(frame)?, size)? as usize]
            }
            Expression::Among { slot, numbers } => i32::from(numbers.contains(&at(frame, *slot))),
            Expression::Unary(operator, operand) => {
                let number = operand.value(frame)?;
                match operator {
                    Unary::Negate => number.wrapping_neg(),
                    Unary::Complement => !number,
                    Unary::Not => i32::from(number == 0),
                }
            }
            Expression::Binary(operator, sides) => {
                let left = sides.0.value(frame)?;
                match (operator, left != 0) {
                    (Binary::And, false) => return Ok(0),
                    (Binary::Or, true) | (Binary::Imply, false) => return Ok(1),
                    _ => {}
                }
                apply(*operator, left, sides.1.value(frame)?)?
            }
        })
    }

    /// The same over other slots: each one that is named is exchanged for its image. Arrays must stay together.
    pub fn relocate(&self, image: &impl Fn(u32) -> u32) -> Self {
        let boxed = |inner: &Expression| Box::new(inner.relocate(image));
        match self {
            Expression::Constant(number) => Expression::Constant(*number),
            Expression::Slot(slot) => Expression::Slot(image(*slot)),
            Expression::Cell { first, size, index } => {
                Expression::Cell { first: image(*first), size: *size, index: boxed(index) }
            }
            Expression::Table { values, index } => Expression::Table { values: values.clone(), index: boxed(index) },
            Expression::Among { slot, numbers } => Expression::Among { slot: image(*slot), numbers: numbers.clone() },
            Expression::Unary(operator, operand) => Expression::Unary(*operator, boxed(operand)),
            Expression::Binary(operator, sides) => {
                Expression::Binary(*operator, Box::new((sides.0.relocate(image), sides.1.relocate(image))))
            }
        }
    }

    /// Call back with each range of slots that its value may depend on: the first one and how many.
    pub fn visit_reads(&self, visit: &mut impl FnMut(u32, u32)) {
        match self {
            Expression::Constant(_) => {}
            Expression::Slot(slot) | Expression::Among { slot, .. } => visit(*slot, 1),
            Expression::Cell { first, size, index } => {
                index.visit_reads(visit);
                visit(*first, *size);
            }
            Expression::Table { index, .. } => index.visit_reads(visit),
            Expression::Unary(_, operand) => operand.visit_reads(visit),
            Expression::Binary(_, sides) => {
                sides.0.visit_reads(visit);
                sides.1.visit_reads(visit);
            }
        }
    }
}

/// The number in a slot. Which slots there are was settled when names were resolved.
fn at(frame: &[i32], slot: u32) -> i32 {
    frame.get(slot as usize).copied().unwrap_or_default()
}

/// An index as an offset, if the array has it.
pub(super) fn position(index: i32, size: u32) -> Result<u32, Trap> {
    match u32::try_from(index) {
        Ok(offset) if offset < size => Ok(offset),
        _ => Err(Trap::Index { index, size }),
    }
}

/// An operator applied to both operands.
fn apply(operator: Binary, left: i32, right: i32) -> Result<i32, Trap> {
    Ok(match operator {
        Binary::Imply => i32::from(left == 0 || right != 0),
        Binary::Or => i32::from(left != 0 || right != 0),
        Binary::And => i32::from(left != 0 && right != 0),
        Binary::BitOr => left | right,
        Binary::BitXor => left ^ right,
        Binary::BitAnd => left & right,
        Binary::Equal => i32::from(left == right),
        Binary::NotEqual => i32::from(left != right),
        Binary::Less => i32::from(left < right),
        Binary::LessEqual => i32::from(left <= right),
        Binary::Greater => i32::from(left > right),
        Binary::GreaterEqual => i32::from(left >= right),
        Binary::ShiftLeft => left.wrapping_shl(right.cast_unsigned()),
        Binary::ShiftRight => left.wrapping_shr(right.cast_unsigned()),
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide | Binary::Remainder if right == 0 => return Err(Trap::Division),
        Binary::Divide => left.wrapping_div(right),
        Binary::Remainder => left.wrapping_rem(right),
    })
}

/// The target of an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A variable.
    Slot(u32),
    /// A cell of an array variable.
    Cell {
        /// Where the array starts.
        first: u32,
        /// How many cells it has.
        size: u32,
        /// Which one.
        index: Expression,
    },
}

/// `target = value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The target.
    pub target: Target,
    /// The domain of the target.
    pub domain: Domain,
    /// The new value.
    pub value: Expression,
}

impl Assignment {
    /// A variable becomes a number that fits.
    pub fn set(slot: u32, number: i32) -> Self {
        Assignment { target: Target::Slot(slot), domain: Domain::Small, value: Expression::Constant(number) }
    }

    /// The number that a variable becomes, if it is a constant.
    pub fn sets(&self, slot: u32) -> Option<i32> {
        match (&self.target, &self.value) {
            (Target::Slot(target), &Expression::Constant(number)) if *target == slot => Some(number),
            _ => None,
        }
    }

    /// Change the frame; which slot has changed.
    ///
    /// # Errors
    /// When the value or the index has no value. The frame is as it was.
    pub fn perform(&self, frame: &mut [i32]) -> Result<usize, Trap> {
        let (slot, number) = self.value(frame)?;
        if let Some(place) = frame.get_mut(slot) {
            *place = number;
        }
        Ok(slot)
    }

    /// Which slot would change, and to what.
    ///
    /// # Errors
    /// When the value or the index has no value.
    pub fn value(&self, frame: &[i32]) -> Result<(usize, i32), Trap> {
        let number = self.domain.truncate(self.value.value(frame)?);
        let slot = match &self.target {
            Target::Slot(slot) => *slot,
            Target::Cell { first, size, index } => first + position(index.value(frame)?, *size)?,
        };
        Ok((slot as usize, number))
    }

    /// The same over other slots.
    pub fn relocate(&self, image: &impl Fn(u32) -> u32) -> Self {
        let target = match &self.target {
            Target::Slot(slot) => Target::Slot(image(*slot)),
            Target::Cell { first, size, index } => {
                Target::Cell { first: image(*first), size: *size, index: index.relocate(image) }
            }
        };
        Assignment { target, domain: self.domain, value: self.value.relocate(image) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(operator: Binary, left: i32, right: i32) -> Result<i32, Trap> {
        Expression::Binary(operator, Box::new((Expression::Slot(0), Expression::Slot(1)))).value(&[left, right])
    }

    #[test]
    fn arithmetic_is_that_of_c() {
        assert_eq!(value(Binary::Divide, -7, 2), Ok(-3));
        assert_eq!(value(Binary::Remainder, -7, 2), Ok(-1));
        assert_eq!(value(Binary::Divide, i32::MIN, -1), Ok(i32::MIN));
        assert_eq!(value(Binary::Add, i32::MAX, 1), Ok(i32::MIN));
        assert_eq!(value(Binary::Divide, 1, 0), Err(Trap::Division));
        assert_eq!(value(Binary::Remainder, 1, 0), Err(Trap::Division));
        assert_eq!(value(Binary::Imply, 0, 0), Ok(1));
    }

    #[test]
    fn assignment_truncates() {
        for (domain, number, expected) in [
            (Domain::Byte, 256, 0),
            (Domain::Byte, -1, 255),
            (Domain::Int, 32_768, -32_768),
            (Domain::Int, -32_769, 32_767),
        ] {
            assert_eq!(domain.truncate(number), expected);
        }
    }

    #[test]
    fn the_right_side_only_if_needed() {
        let trap = Expression::Binary(Binary::Divide, Box::new((Expression::Constant(1), Expression::Constant(0))));
        for (operator, left, expected) in [
            (Binary::And, 0, Ok(0)),
            (Binary::Or, 2, Ok(1)),
            (Binary::Imply, 0, Ok(1)),
            (Binary::And, 1, Err(Trap::Division)),
        ] {
            assert_eq!(Expression::binary(operator, Expression::Constant(left), trap.clone()).value(&[]), expected);
        }
    }

    #[test]
    fn constants_are_folded_and_traps_are_not() {
        let sum = Expression::binary(Binary::Add, Expression::Constant(1), Expression::Constant(2));
        assert_eq!(sum, Expression::Constant(3));
        assert_eq!(Expression::cell(5, 4, sum), Expression::Slot(8));
        assert!(matches!(Expression::cell(5, 4, Expression::Constant(4)), Expression::Cell { .. }));
        assert_eq!(Expression::table([7, 9].into(), Expression::Constant(1)), Expression::Constant(9));
        assert!(matches!(Expression::table([7, 9].into(), Expression::Constant(-1)), Expression::Table { .. }));
    }
}
