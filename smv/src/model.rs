//! A program after its modules are instantiated: variables, what their values may be at first, always and next,
//! fairness, properties.

use crate::ast::{Role, Sort, When};
use crate::error::Place;
use crate::lexer::{Kind, Word, signed};
use crate::term::{Term, Terms, Type, Value};
use std::collections::{BTreeSet, HashMap};

/// The hidden input of programs with processes.
pub(crate) const SELECTOR: &str = "_process_selector_";

/// A variable with a finite domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name, with those of the instances around it: `p1.state`, `a[2]`.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// The type of its values.
    pub kind: Type,
    /// Its values.
    pub domain: Domain,
    /// Where it is declared.
    pub place: Place,
}

/// The values of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// False and true.
    Booleans,
    /// The integers from the first to the second.
    Range(i64, i64),
    /// These, in the order of the declaration.
    Values(Vec<Value>),
    /// All words of so many bits.
    Words(u32),
}

impl Domain {
    /// How many there are.
    pub fn size(&self) -> u128 {
        match self {
            Domain::Booleans => 2,
            Domain::Range(low, high) => (high - low + 1) as u128,
            Domain::Values(values) => values.len() as u128,
            Domain::Words(width) => 1 << width,
        }
    }

    /// The value with this number.
    pub fn value(&self, number: u64) -> Value {
        match self {
            Domain::Booleans => Value::Bool(number != 0),
            Domain::Range(low, _) => Value::Int(low + number as i64),
            Domain::Values(values) => values[number as usize],
            Domain::Words(_) => Value::Word(number),
        }
    }

    /// The number of a value, if it is one of them.
    pub fn number(&self, value: Value) -> Option<u64> {
        match (self, value) {
            (Domain::Booleans, Value::Bool(value)) => Some(u64::from(value)),
            (Domain::Range(low, high), Value::Int(value)) if (low..=high).contains(&&value) => {
                Some((value - low) as u64)
            }
            (Domain::Values(values), _) => values.iter().position(|&known| known == value).map(|at| at as u64),
            // A word of another width may be equal to none of these.
            (&Domain::Words(width), Value::Word(bits)) if bits.checked_shr(width).unwrap_or(0) == 0 => Some(bits),
            _ => None,
        }
    }
}

/// An assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The variable.
    pub variable: usize,
    /// Which of its values.
    pub when: When,
    /// What it may be: a term, perhaps a set.
    pub value: Term,
    /// Where it stands.
    pub place: Place,
}

/// A property of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its sort.
    pub sort: Sort,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The formula, as it is written, and the instance that it is about.
    pub text: String,
    /// The formula.
    pub formula: Term,
    /// Does the formula mention an input or a next value, by itself or in a definition, even if it does not depend on it?
    /// NuSMV then takes an invariant as one of steps.
    pub mentions_steps: bool,
    /// The second formula of a `COMPUTE`.
    pub until: Option<Term>,
    /// Its number among those that are no part of the file.
    pub further: Option<usize>,
    /// Where it stands.
    pub place: Place,
}

/// A program that can be run.
#[derive(Clone, Default, Debug)]
pub struct Model {
    /// All terms.
    pub terms: Terms,
    /// The names of symbolic constants.
    pub symbols: Vec<String>,
    /// The variables, in the order of their declarations.
    pub variables: Vec<Variable>,
    /// What is assigned.
    pub assignments: Vec<Assignment>,
    /// Conditions on first states.
    pub init: Vec<Term>,
    /// Conditions on all states.
    pub invar: Vec<Term>,
    /// Conditions on steps.
    pub trans: Vec<Term>,
    /// Conditions that hold again and again.
    pub justice: Vec<Term>,
    /// Where these conditions stand, each the first time.
    pub places: HashMap<Term, Place>,
    /// Pairs: if the first holds again and again, so does the second.
    pub compassion: Vec<(Term, Term)>,
    /// Definitions, by name, those of arrays element by element: for traces.
    pub defines: Vec<(String, Term)>,
    /// The variables that remember a condition on the last step, and that condition ([`crate::Latches`]).
    pub latched: Vec<(usize, Term)>,
    /// The properties, in the order in which they stand, instance by instance.
    pub properties: Vec<Property>,
    /// What a reader should know: deprecated or misleading parts.
    pub remarks: Vec<(Place, String)>,
    /// The variables that may be assigned a fault, or what is none of their values, for all that is known.
    pub unproved: BTreeSet<usize>,
}

impl Model {
    /// The terms of constraints, fairness and properties: all that stand by themselves but assignments and definitions.
    pub(crate) fn demands(&self) -> impl Iterator<Item = Term> {
        let conditions = self.init.iter().chain(&self.invar).chain(&self.trans).chain(&self.justice).copied();
        let pairs = self.compassion.iter().flat_map(|&(p, q)| [p, q]);
        let asked = self.properties.iter().flat_map(|property| [Some(property.formula), property.until]);
        conditions.chain(pairs).chain(asked.flatten())
    }

    /// A value as the language writes it.
    pub fn show(&self, value: Value, kind: Type) -> String {
        match (value, kind) {
            (Value::Bool(value), _) => if value { "TRUE" } else { "FALSE" }.to_owned(),
            (Value::Int(value), _) => value.to_string(),
            (Value::Symbol(symbol), _) => self.symbols[symbol as usize].clone(),
            (Value::Word(bits), Type::Word { width, signed }) => show_word(Word { bits, width, signed }),
            (Value::Word(bits), _) => bits.to_string(),
        }
    }
}

impl Model {
    /// Has each state a successor, for all that is known without a search? Assignments alone always leave a choice.
    pub fn is_total(&self) -> bool {
        self.trans.is_empty() && self.invar.is_empty()
    }

    /// The hidden input that says whose turn it is, if there are processes.
    pub fn selector(&self) -> Option<usize> {
        self.variables.iter().position(|variable| variable.name == SELECTOR && variable.role == Role::Input)
    }

    /// Of each assignment of next or current values, and each condition on steps and states: the variables of the state
    /// that it is about, sorted. Alternatives of which most variables stay as they are count one by one.
    pub fn rows(&self) -> Vec<Vec<usize>> {
        let mut parts = self.parts_of_steps();
        let mut all: Vec<(Vec<Term>, Option<usize>)> = Vec::new();
        if let Some((at, alternatives)) = self.interleaving() {
            parts.remove(at);
            all.extend(alternatives.into_iter().map(|alternative| (alternative.conditions, alternative.changing)));
        }
        let assigned = self.assignments.iter().filter(|assignment| assignment.when != When::Init);
        all.extend(assigned.map(|assignment| (vec![assignment.value], Some(assignment.variable))));
        let invariants = self.invar.iter().flat_map(|&condition| self.terms.conjuncts(condition));
        all.extend(parts.into_iter().chain(invariants).map(|condition| (vec![condition], None)));
        let rows = all.into_iter().map(|(terms, target)| {
            let read = terms.iter().flat_map(|&term| self.terms.variables(term)).map(|(variable, _)| variable);
            let of_state = |&variable: &usize| self.variables[variable].role != Role::Input;
            let row: BTreeSet<usize> = read.chain(target).filter(of_state).collect();
            row.into_iter().collect()
        });
        rows.filter(|row: &Vec<usize>| !row.is_empty()).collect()
    }

    /// The value of a type that a text is, as [`Model::show`] writes it; words may be decimal numbers, too.
    pub fn read_value(&self, text: &str, kind: Type) -> Option<Value> {
        let symbol = || self.symbols.iter().position(|symbol| symbol == text).map(|at| Value::Symbol(at as u32));
        match kind {
            Type::Bool => match text {
                "TRUE" => Some(Value::Bool(true)),
                "FALSE" => Some(Value::Bool(false)),
                _ => None,
            },
            Type::Int => text.parse().ok().map(Value::Int),
            Type::Symbol => symbol(),
            Type::Mixed => symbol().or_else(|| text.parse().ok().map(Value::Int)),
            Type::Word { width, signed } => {
                let (negative, digits) = match text.strip_prefix('-') {
                    Some(rest) => (true, rest),
                    None => (false, text),
                };
                let tokens = crate::lexer::tokens(digits).ok()?;
                let [token, _] = &tokens[..] else { return None };
                let sign_bit = u32::from(signed);
                // A constant is the bits of a word, a number one of its values.
                let (number, end) = match token.kind {
                    Kind::Word(word) if (word.width, word.signed) == (width, signed) => {
                        (i128::from(word.bits), 1_i128 << width)
                    }
                    Kind::Number(number) => (i128::from(number), 1_i128 << (width - sign_bit)),
                    _ => return None,
                };
                let least = if signed { -1_i128 << (width - 1) } else { 0 };
                let value = if negative { -number } else { number };
                let inside = (least..end).contains(&value);
                inside.then_some(Value::Word(value as u64 & (u64::MAX >> (64 - width))))
            }
            Type::Formula => None,
        }
    }
}

/// A word as a constant: `0ud3_7`, `-0sd4_3`.
fn show_word(word: Word) -> String {
    if !word.signed {
        return format!("0ud{}_{}", word.width, word.bits);
    }
    let value = signed(word.bits, word.width);
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}0sd{}_{}", word.width, value.unsigned_abs())
}
