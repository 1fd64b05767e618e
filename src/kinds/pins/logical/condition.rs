//! Conditions on the levels of variables, each part kept once.
//!
//! A condition is a number of a graph whose operands come before what is made of them. So whatever goes through a
//! condition goes through numbers in their order, and brackets nested a thousand deep cost no stack.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

/// A condition, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Condition(u32);

/// What a condition is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    Constant(bool),
    /// The variable has at least this level, which is not 0.
    AtLeast(usize, u32),
    Not(Condition),
    And(Condition, Condition),
    Or(Condition, Condition),
}

/// Conditions that share their parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    parts: Vec<Part>,
    known: HashMap<Part, Condition>,
}

impl Conditions {
    fn add(&mut self, part: Part) -> Condition {
        *self.known.entry(part).or_insert_with(|| {
            self.parts.push(part);
            Condition(self.parts.len() as u32 - 1)
        })
    }

    fn part(&self, condition: Condition) -> Part {
        self.parts[condition.0 as usize]
    }

    pub(super) fn constant(&mut self, value: bool) -> Condition {
        self.add(Part::Constant(value))
    }

    pub(super) fn at_least(&mut self, variable: usize, level: u32) -> Condition {
        self.add(if level == 0 { Part::Constant(true) } else { Part::AtLeast(variable, level) })
    }

    pub(super) fn not(&mut self, a: Condition) -> Condition {
        match self.part(a) {
            Part::Constant(value) => self.constant(!value),
            Part::Not(inner) => inner,
            _ => self.add(Part::Not(a)),
        }
    }

    pub(super) fn and(&mut self, a: Condition, b: Condition) -> Condition {
        match (self.part(a), self.part(b)) {
            (Part::Constant(false), _) | (_, Part::Constant(true)) => a,
            (_, Part::Constant(false)) | (Part::Constant(true), _) => b,
            _ if a == b => a,
            (Part::Not(c), _) if c == b => self.constant(false),
            (_, Part::Not(c)) if c == a => self.constant(false),
            _ => self.add(Part::And(a.min(b), a.max(b))),
        }
    }

    pub(super) fn or(&mut self, a: Condition, b: Condition) -> Condition {
        match (self.part(a), self.part(b)) {
            (Part::Constant(true), _) | (_, Part::Constant(false)) => a,
            (_, Part::Constant(true)) | (Part::Constant(false), _) => b,
            _ if a == b => a,
            (Part::Not(c), _) if c == b => self.constant(true),
            (_, Part::Not(c)) if c == a => self.constant(true),
            _ => self.add(Part::Or(a.min(b), a.max(b))),
        }
    }

    pub(super) fn implies(&mut self, a: Condition, b: Condition) -> Condition {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    pub(super) fn iff(&mut self, a: Condition, b: Condition) -> Condition {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }

    pub(super) fn xor(&mut self, a: Condition, b: Condition) -> Condition {
        let same = self.iff(a, b);
        self.not(same)
    }

    /// A condition where some variables have a level: is it at least so much?
    pub(super) fn where_known(
        &mut self,
        condition: Condition,
        known: &dyn Fn(usize, u32) -> Option<bool>,
    ) -> Condition {
        let program = self.program(&[condition]);
        let Ok(found) = program.translate::<_, Infallible>(|part, made| {
            Ok(match part {
                Part::Constant(value) => self.constant(value),
                Part::AtLeast(variable, least) => match known(variable, least) {
                    Some(value) => self.constant(value),
                    None => self.at_least(variable, least),
                },
                Part::Not(a) => self.not(made(a)),
                Part::And(a, b) => self.and(made(a), made(b)),
                Part::Or(a, b) => self.or(made(a), made(b)),
            })
        });
        found[0]
    }

    /// The parts of some conditions, operands first.
    pub(super) fn program(&self, roots: &[Condition]) -> Program {
        let (mut needed, mut open) = (BTreeSet::new(), roots.to_vec());
        while let Some(condition) = open.pop() {
            if needed.insert(condition) {
                match self.part(condition) {
                    Part::Constant(_) | Part::AtLeast(..) => {}
                    Part::Not(a) => open.push(a),
                    Part::And(a, b) | Part::Or(a, b) => open.extend([a, b]),
                }
            }
        }
        let place: HashMap<Condition, Condition> =
            needed.iter().zip(0..).map(|(&condition, number)| (condition, Condition(number))).collect();
        let part = |&condition: &Condition| match self.part(condition) {
            Part::Not(a) => Part::Not(place[&a]),
            Part::And(a, b) => Part::And(place[&a], place[&b]),
            Part::Or(a, b) => Part::Or(place[&a], place[&b]),
            leaf => leaf,
        };
        Program { parts: needed.iter().map(part).collect(), roots: roots.iter().map(|root| place[root]).collect() }
    }
}

/// Some conditions as a list of parts, each after its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Program {
    parts: Box<[Part]>,
    roots: Box<[Condition]>,
}

impl Program {
    /// The same conditions, and for each of so many copies of all variables the same of the copy.
    pub(super) fn with_copies(&self, copies: usize, variables: usize) -> Program {
        let (mut parts, mut roots) = (Vec::new(), Vec::new());
        for copy in 0..=copies {
            let begin = parts.len() as u32;
            let moved = |a: Condition| Condition(begin + a.0);
            parts.extend(self.parts.iter().map(|&part| match part {
                Part::Constant(value) => Part::Constant(value),
                Part::AtLeast(variable, least) => Part::AtLeast(copy * variables + variable, least),
                Part::Not(a) => Part::Not(moved(a)),
                Part::And(a, b) => Part::And(moved(a), moved(b)),
                Part::Or(a, b) => Part::Or(moved(a), moved(b)),
            }));
            roots.extend(self.roots.iter().map(|&root| moved(root)));
        }
        Program { parts: parts.into(), roots: roots.into() }
    }

    /// The variables that it mentions, in their order.
    pub(super) fn mentions(&self) -> BTreeSet<usize> {
        let variable = |part: &Part| if let Part::AtLeast(variable, _) = part { Some(*variable) } else { None };
        self.parts.iter().filter_map(variable).collect()
    }

    /// How many parts they have.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// How many conditions there are.
    pub(super) fn len(&self) -> usize {
        self.roots.len()
    }

    /// How many of the conditions hold of these levels; `room` is room for parts.
    pub(super) fn count(&self, level: impl Fn(usize) -> u32, room: &mut Vec<bool>) -> u32 {
        self.holding(level, room).filter(|&holds| holds).count() as u32
    }

    /// Of each condition, does it hold of these levels? `room` is room for parts.
    pub(super) fn holding(&self, level: impl Fn(usize) -> u32, room: &mut Vec<bool>) -> impl Iterator<Item = bool> {
        room.clear();
        for part in &self.parts {
            let value = |a: Condition| room[a.0 as usize];
            let holds = match *part {
                Part::Constant(value) => value,
                Part::AtLeast(variable, least) => level(variable) >= least,
                Part::Not(a) => !value(a),
                Part::And(a, b) => value(a) && value(b),
                Part::Or(a, b) => value(a) || value(b),
            };
            room.push(holds);
        }
        self.roots.iter().map(|root| room[root.0 as usize])
    }

    /// The first condition as a text over names, with operators and brackets; `None` if it is longer than `most`.
    pub(super) fn text<'n>(&self, name: impl Fn(usize) -> &'n str, most: usize) -> Option<String> {
        let mut texts: Vec<String> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let text = |a: Condition| texts[a.0 as usize].as_str();
            let next = match *part {
                Part::Constant(value) => u8::from(value).to_string(),
                Part::AtLeast(variable, _) => name(variable).to_owned(),
                Part::Not(a) => format!("!{}", text(a)),
                Part::And(a, b) => format!("({} & {})", text(a), text(b)),
                Part::Or(a, b) => format!("({} | {})", text(a), text(b)),
            };
            if next.len() > most {
                return None;
            }
            texts.push(next);
        }
        Some(std::mem::take(texts.get_mut(self.roots.first()?.0 as usize)?))
    }

    /// What `make` makes of the conditions, from what it makes of the operands of each part.
    pub(super) fn translate<T: Copy, E>(
        &self,
        mut make: impl FnMut(Part, &dyn Fn(Condition) -> T) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let mut made: Vec<T> = Vec::with_capacity(self.parts.len());
        for &part in &self.parts {
            let next = make(part, &|a| made[a.0 as usize])?;
            made.push(next);
        }
        Ok(self.roots.iter().map(|root| made[root.0 as usize]).collect())
    }
}
