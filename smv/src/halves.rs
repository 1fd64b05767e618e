//! Long words as several variables.
//!
//! A word of more bits than a value of a state has becomes variables for its parts, from `w.low` up, and `w` a definition:
//! their concatenation. What is assigned to it is assigned part by part, and a set is a condition on the whole.

use crate::ast::When;
use crate::model::{Assignment, Domain, Model, Variable};
use crate::substitute::substitute;
use crate::term::{Node, Op, Term, Terms, Type};
use std::collections::HashMap;

/// The names of so many parts, the lowest first.
const NAMES: [&[&str]; 2] = [&["low", "high"], &["low", "middle", "high"]];

/// A part of a word.
#[derive(Clone, Copy)]
struct Part {
    variable: usize,
    /// The lowest of its bits in the word, and how many it has.
    from: u32,
    width: u32,
}

impl Part {
    fn kind(self) -> Type {
        Type::Word { width: self.width, signed: false }
    }
}

impl Model {
    /// Words of more than `most` bits become variables of no more each. There are no latches yet.
    pub fn split_words(&mut self, most: u32) {
        let mut parts: HashMap<usize, Vec<Part>> = HashMap::new();
        for number in 0..self.variables.len() {
            let Type::Word { width, .. } = self.variables[number].kind else { continue };
            let count = width.div_ceil(most);
            let Some(names) = count.checked_sub(2).and_then(|more| NAMES.get(more as usize)) else { continue };
            let whole = self.variables[number].clone();
            let (mut of_word, mut from) = (Vec::new(), 0);
            for (at, name) in (0..count).zip(*names) {
                let width = (width - from).div_ceil(count - at);
                let variable = if at == 0 { number } else { self.variables.len() };
                let part = Part { variable, from, width };
                let described = Variable {
                    name: format!("{}.{name}", whole.name),
                    kind: part.kind(),
                    domain: Domain::Words(width),
                    ..whole.clone()
                };
                match self.variables.get_mut(variable) {
                    Some(first) => *first = described,
                    None => self.variables.push(described),
                }
                of_word.push(part);
                from += width;
            }
            if self.unproved.contains(&number) {
                self.unproved.extend(of_word.iter().map(|part| part.variable));
            }
            let word = concatenation(&mut self.terms, &of_word, false, whole.kind);
            self.defines.push((whole.name, word));
            parts.insert(number, of_word);
        }
        if !parts.is_empty() {
            self.assign_parts(&parts);
            self.replace_words(&parts);
        }
    }

    /// What is assigned to a word, assigned to its parts.
    fn assign_parts(&mut self, parts: &HashMap<usize, Vec<Part>>) {
        for assignment in std::mem::take(&mut self.assignments) {
            let Assignment { variable, when, value, place } = assignment;
            let Some(parts) = parts.get(&variable) else {
                self.assignments.push(assignment);
                continue;
            };
            let kind = self.terms.kind(value);
            if self.terms.is_set(value) {
                let word = concatenation(&mut self.terms, parts, when == When::Next, kind);
                let member = self.terms.add(Node::Member(word, value), Type::Bool);
                match when {
                    When::Init => self.init.push(member),
                    When::Current => self.invar.push(member),
                    When::Next => self.trans.push(member),
                }
                continue;
            }
            for &part in parts {
                let bits = Op::Bits(part.from + part.width - 1, part.from);
                let value = self.terms.add(Node::Apply(bits, vec![value]), part.kind());
                self.assignments.push(Assignment { variable: part.variable, when, value, place });
            }
        }
    }

    /// Parts in the place of words, in all terms.
    fn replace_words(&mut self, parts: &HashMap<usize, Vec<Part>>) {
        let mut terms = std::mem::take(&mut self.terms);
        let replace = |terms: &mut Terms, term: Term, variable: usize, next: bool| {
            let kind = terms.kind(term);
            // Those of its low part, which has the number of the word, stay.
            let of_word = parts.get(&variable).filter(|parts| parts[0].kind() != kind)?;
            Some(concatenation(terms, of_word, next, kind))
        };
        let mut all: Vec<&mut Term> = self.assignments.iter_mut().map(|assignment| &mut assignment.value).collect();
        for list in [&mut self.init, &mut self.invar, &mut self.trans, &mut self.justice] {
            all.extend(list);
        }
        all.extend(self.compassion.iter_mut().flat_map(|(p, q)| [p, q]));
        all.extend(self.defines.iter_mut().map(|(_, term)| term));
        for property in &mut self.properties {
            all.push(&mut property.formula);
            all.extend(&mut property.until);
        }
        let (conditions, places): (Vec<Term>, Vec<_>) = std::mem::take(&mut self.places).into_iter().unzip();
        let roots: Vec<Term> = all.iter().map(|term| **term).chain(conditions).collect();
        let mut made = substitute(&mut terms, &roots, &replace).into_iter();
        all.into_iter().zip(&mut made).for_each(|(term, new)| *term = new);
        self.places = made.zip(places).collect();
        self.terms = terms;
    }
}

/// The word that parts make, the highest first.
fn concatenation(terms: &mut Terms, parts: &[Part], next: bool, kind: Type) -> Term {
    let (mut whole, mut width) = (None, 0);
    for part in parts {
        let one = terms.add(Node::Variable { variable: part.variable, next }, part.kind());
        width += part.width;
        whole = Some(match whole {
            None => one,
            Some(low) => terms.add(Node::Apply(Op::Concat, vec![one, low]), Type::Word { width, signed: false }),
        });
    }
    let whole = whole.unwrap_or_else(|| terms.bool(false));
    match kind {
        Type::Word { signed: true, .. } => terms.add(Node::Apply(Op::Cast, vec![whole]), kind),
        _ => whole,
    }
}
