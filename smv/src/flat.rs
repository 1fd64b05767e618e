//! A model as a flat program: one module, whose variables have the names of their instances.
//!
//! Terms are kept once each, and a text that wrote each where it is used could be exponentially long. So a term that is
//! used several times gets a name, by `DEFINE`; so do the definitions of the program. All operands stand in brackets.
//!
//! A condition that a property or an assumption of fairness asks of a state, and that is no variable, has a definition
//! called `atom_…`, which nothing uses: certificates name conditions by them.
//!
//! What is read back has the same variables, first states and steps, and the same properties in the same order. Names as
//! `p1.state` and `a[2]` are names of variables in flat programs, to NuSMV as well (`write_flat_model`). A program with
//! processes has its choice of the process as an input, which is called as NuSMV calls it.

use crate::ast::{Role, Sort, When};
use crate::logic::is_ctl;
use crate::model::{Domain, Model, Property};
use crate::term::{Lack, Node, Op, Temporal, Term, Type, Value};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The least number of terms in one that gets a name.
const WORTH_A_NAME: usize = 4;
/// How the definitions of what properties ask of states are called.
const ATOM: &str = "atom_";
/// Operands of a chain that stand in one bracket.
const CHAIN: usize = 1000;

impl Model {
    /// The text of a flat program.
    ///
    /// ```
    /// let text = "MODULE main VAR a : m(TRUE); MODULE m(x) VAR b : boolean; ASSIGN next(b) := x;";
    /// let flat = starset_smv::read(text, false).unwrap().flat();
    /// assert!(flat.contains("next(a.b) := TRUE;"), "{flat}");
    /// assert_eq!(starset_smv::read(&flat, false).unwrap().flat(), flat);
    /// ```
    pub fn flat(&self) -> String {
        self.flat_with(&[]).0
    }

    /// The text of a flat program with definitions of these conditions, too; and by condition the name of the one that
    /// nothing uses, if it speaks of states alone.
    pub fn flat_with(&self, conditions: &[Term]) -> (String, Vec<Option<String>>) {
        let mut writer = Writer { model: self, named: HashMap::new(), defined: Vec::new() };
        writer.name_terms(conditions);
        let mut text = "MODULE main\n".to_owned();
        writer.declarations(&mut text);
        writer.definitions(&mut text);
        writer.behaviour(&mut text);
        let mut names = HashSet::new();
        self.properties.iter().for_each(|property| writer.property(property, &mut names, &mut text));
        let atoms = writer.defined.iter().filter(|(name, _)| name.starts_with(ATOM));
        let atoms: HashMap<Term, &String> = atoms.map(|(name, term)| (*term, name)).collect();
        (text, conditions.iter().map(|condition| atoms.get(condition).map(|name| (*name).clone())).collect())
    }
}

struct Writer<'a> {
    model: &'a Model,
    /// Terms that have names.
    named: HashMap<Term, String>,
    /// Definitions, in their order.
    defined: Vec<(String, Term)>,
}

impl Writer<'_> {
    /// All terms that stand somewhere by themselves.
    fn roots(&self) -> Vec<Term> {
        let model = self.model;
        let all = model.assignments.iter().map(|assignment| assignment.value).chain(model.demands());
        let defined = model.defines.iter().filter(|(name, _)| !name.starts_with(ATOM)).map(|(_, term)| *term);
        all.chain(defined).collect()
    }

    /// Give names to definitions and to what is used several times.
    fn name_terms(&mut self, conditions: &[Term]) {
        let terms = &self.model.terms;
        let mut names: HashSet<String> = self.model.variables.iter().map(|variable| variable.name.clone()).collect();
        names.extend(self.model.symbols.iter().cloned());
        let deserves = |term: Term| {
            !matches!(terms.node(term), Node::Const(_) | Node::Variable { .. } | Node::Lack(..))
                && terms.kind(term) != Type::Formula
        };
        for (name, term) in &self.model.defines {
            if names.insert(name.clone()) {
                self.defined.push((name.clone(), *term));
                if deserves(*term) && !name.starts_with(ATOM) {
                    self.named.entry(*term).or_insert_with(|| name.clone());
                }
            }
        }
        let mut uses: HashMap<Term, u32> = HashMap::new();
        let mut open = self.roots();
        while let Some(term) = open.pop() {
            let count = uses.entry(term).or_default();
            *count += 1;
            if *count == 1 {
                open.extend(terms.operands(term));
            }
        }
        let mut several: Vec<Term> = uses.into_iter().filter(|&(_, count)| count > 1).map(|(term, _)| term).collect();
        several.sort_unstable();
        let mut fresh = |prefix: &str, number: &mut u32| loop {
            *number += 1;
            let name = format!("{prefix}{number}");
            if names.insert(name.clone()) {
                return name;
            }
        };
        let mut number = 0;
        for term in several {
            if !deserves(term) || self.named.contains_key(&term) || self.is_small(term) {
                continue;
            }
            let name = fresh("part_", &mut number);
            self.defined.push((name.clone(), term));
            self.named.insert(term, name);
        }
        let known = self.model.defines.iter().filter(|(name, _)| name.starts_with(ATOM));
        let mut known: HashSet<Term> = known.map(|&(_, term)| term).collect();
        let of_states = conditions.iter().copied().filter(|&condition| self.is_of_states(condition));
        let atoms: Vec<Term> = self.atoms().into_iter().chain(of_states).filter(|&atom| known.insert(atom)).collect();
        let mut number = 0;
        for atom in atoms {
            let name = fresh(ATOM, &mut number);
            self.defined.push((name, atom));
        }
    }

    /// Is it made of few terms?
    fn is_small(&self, term: Term) -> bool {
        let (mut seen, mut open) = (vec![term], vec![term]);
        while let Some(term) = open.pop() {
            for operand in self.model.terms.operands(term) {
                if !seen.contains(&operand) {
                    seen.push(operand);
                    open.push(operand);
                }
            }
            if seen.len() >= WORTH_A_NAME {
                return false;
            }
        }
        true
    }

    /// Does a condition speak of single states alone, without inputs?
    fn is_of_states(&self, condition: Term) -> bool {
        let of_state = |&(variable, next): &(usize, bool)| !next && self.model.variables[variable].role != Role::Input;
        self.model.terms.variables(condition).iter().all(of_state)
    }

    /// The conditions that properties and fairness ask of single states: what is below operators of formulas, and no
    /// variable or its comparison with a constant.
    fn atoms(&self) -> Vec<Term> {
        let (model, terms) = (self.model, &self.model.terms);
        let fallible = terms.fallible();
        let pairs = model.compassion.iter().flat_map(|&(p, q)| [p, q]);
        let mut open: Vec<Term> = model.properties.iter().map(|property| property.formula).collect();
        open.extend(model.justice.iter().copied().chain(pairs));
        open.reverse();
        let (mut seen, mut atoms) = (HashSet::new(), Vec::new());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let is_whole = terms.kind(term) == Type::Bool && fallible.contains(&term);
            let operands = terms.operands(term);
            let is_variable = |&side: &Term| matches!(terms.node(side), Node::Variable { .. });
            let is_constant = |&side: &Term| matches!(terms.node(side), Node::Const(_));
            match terms.node(term) {
                Node::Const(_) | Node::Variable { .. } => {}
                Node::Apply(Op::Eq, _) if operands.iter().any(is_variable) && operands.iter().any(is_constant) => {}
                Node::Temporal(..) => open.extend(operands.iter().rev()),
                Node::Apply(Op::Not | Op::And | Op::Or | Op::Iff | Op::Xor, _) | Node::If(..) if !is_whole => {
                    open.extend(operands.iter().rev());
                }
                _ => atoms.push(term),
            }
        }
        atoms.retain(|&atom| self.is_of_states(atom));
        atoms
    }

    fn declarations(&self, text: &mut String) {
        let mut in_domains: HashSet<u32> = HashSet::new();
        for variable in &self.model.variables {
            let word = match variable.role {
                Role::State => "VAR",
                Role::Frozen => "FROZENVAR",
                Role::Input => "IVAR",
            };
            let values = match &variable.domain {
                Domain::Booleans => "boolean".to_owned(),
                Domain::Range(low, high) => format!("{low}..{high}"),
                Domain::Values(values) => {
                    let shown: Vec<String> = values.iter().map(|&value| self.value(value, variable.kind)).collect();
                    in_domains.extend(values.iter().filter_map(|value| match value {
                        Value::Symbol(symbol) => Some(*symbol),
                        _ => None,
                    }));
                    format!("{{{}}}", shown.join(", "))
                }
                Domain::Words(width) => {
                    let signed = matches!(variable.kind, Type::Word { signed: true, .. });
                    format!("{}signed word[{width}]", if signed { "" } else { "un" })
                }
            };
            let _ = writeln!(text, "{word} {} : {values};", name(&variable.name));
        }
        let others = self.model.symbols.iter().zip(0..).filter(|(_, number)| !in_domains.contains(number));
        let others: Vec<String> = others.map(|(symbol, _)| name(symbol)).collect();
        if !others.is_empty() {
            let _ = writeln!(text, "CONSTANTS {};", others.join(", "));
        }
    }

    fn definitions(&self, text: &mut String) {
        for (defined, term) in &self.defined {
            let value = match self.named.get(term) {
                Some(other) if other != defined => name(other),
                _ => self.inside(*term),
            };
            let _ = writeln!(text, "DEFINE {} := {value};", name(defined));
        }
    }

    fn behaviour(&self, text: &mut String) {
        for assignment in &self.model.assignments {
            let variable = name(&self.model.variables[assignment.variable].name);
            let target = match assignment.when {
                When::Current => variable,
                When::Init => format!("init({variable})"),
                When::Next => format!("next({variable})"),
            };
            let _ = writeln!(text, "ASSIGN {target} := {};", self.term(assignment.value));
        }
        let sections = [
            ("INIT", &self.model.init),
            ("INVAR", &self.model.invar),
            ("TRANS", &self.model.trans),
            ("JUSTICE", &self.model.justice),
        ];
        for (word, conditions) in sections {
            for &condition in conditions {
                let _ = writeln!(text, "{word} {};", self.term(condition));
            }
        }
        for &(p, q) in &self.model.compassion {
            let _ = writeln!(text, "COMPASSION ({}, {});", self.term(p), self.term(q));
        }
    }

    /// A property. Those of several instances of a module have one name, which gets a number.
    fn property(&self, property: &Property, names: &mut HashSet<String>, text: &mut String) {
        let formula = self.term(property.formula);
        let word = match property.sort {
            Sort::Ctl => "CTLSPEC",
            Sort::Ltl => "LTLSPEC",
            Sort::Invariant => "INVARSPEC",
            Sort::Psl if is_ctl(&self.model.terms, property.formula) => "CTLSPEC",
            Sort::Psl => "LTLSPEC",
            Sort::Shortest | Sort::Longest => {
                let until = property.until.map_or_else(|| formula.clone(), |until| self.term(until));
                let word = if property.sort == Sort::Shortest { "MIN" } else { "MAX" };
                let _ = writeln!(text, "COMPUTE {word} [{formula}, {until}];");
                return;
            }
        };
        let named = property.name.as_ref().filter(|name| is_plain(name));
        let named = named.and_then(|name| {
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            std::iter::once(name.clone()).chain(numbered).find(|name| names.insert(name.clone()))
        });
        let named = named.map_or_else(String::new, |name| format!("NAME {name} := "));
        let _ = writeln!(text, "{word} {named}{formula};");
    }

    /// A constant.
    fn value(&self, value: Value, kind: Type) -> String {
        match value {
            Value::Symbol(symbol) => name(&self.model.symbols[symbol as usize]),
            _ => self.model.show(value, kind),
        }
    }

    /// A term where it is used.
    fn term(&self, term: Term) -> String {
        match self.named.get(&term) {
            Some(known) => name(known),
            None => self.inside(term),
        }
    }

    /// A term itself.
    fn inside(&self, term: Term) -> String {
        let terms = &self.model.terms;
        match terms.node(term) {
            Node::Const(Value::Int(value)) if *value < 0 => format!("({value})"),
            Node::Const(value) => self.value(*value, terms.kind(term)),
            &Node::Variable { variable, next } => {
                let name = name(&self.model.variables[variable].name);
                if next { format!("next({name})") } else { name }
            }
            Node::Apply(op @ (Op::And | Op::Or), _) => self.chain(*op, term),
            Node::Apply(op, operands) => self.applied(*op, operands, terms.kind(term)),
            Node::If(..) | Node::Lack(..) => self.cases(term),
            Node::Set(members) => format!("{{{}}}", self.list(members)),
            Node::Range(low, high) => format!("({low}..{high})"),
            &Node::Member(left, right) => format!("({} in {})", self.term(left), self.term(right)),
            Node::Temporal(operator, operands, bounds) => self.temporal(*operator, operands, *bounds),
        }
    }

    fn list(&self, operands: &[Term]) -> String {
        operands.iter().map(|&operand| self.term(operand)).collect::<Vec<_>>().join(", ")
    }

    /// A conjunction or disjunction with all its operands from left to right, some in each bracket.
    fn chain(&self, op: Op, term: Term) -> String {
        let (mut parts, mut first) = (Vec::new(), term);
        loop {
            match self.model.terms.node(first) {
                Node::Apply(inner, operands)
                    if *inner == op
                        && self.model.terms.kind(first) == self.model.terms.kind(term)
                        && (first == term || !self.named.contains_key(&first)) =>
                {
                    parts.extend(operands[1..].iter().rev().map(|&operand| self.term(operand)));
                    first = operands[0];
                }
                _ => break,
            }
        }
        parts.push(self.term(first));
        parts.reverse();
        format!("({})", chained(parts, if op == Op::And { " & " } else { " | " }))
    }

    fn applied(&self, op: Op, operands: &[Term], kind: Type) -> String {
        let is_constant = |term: Term| matches!(self.model.terms.node(term), Node::Const(_));
        let infix = |mark: &str| match operands {
            // Both sides of an equation are in the order of their making: constants look better on the right.
            [left, right] if matches!(op, Op::Eq | Op::Iff) && is_constant(*left) => {
                format!("({} {mark} {})", self.term(*right), self.term(*left))
            }
            [left, right] => format!("({} {mark} {})", self.term(*left), self.term(*right)),
            _ => self.list(operands),
        };
        let function = |name: &str| format!("{name}({})", self.list(operands));
        let first = || operands.first().map_or_else(String::new, |&operand| self.term(operand));
        let width = |term: Option<&Term>| match term.map(|&term| self.model.terms.kind(term)) {
            Some(Type::Word { width, .. }) => width,
            _ => 0,
        };
        let (target, signed) = match kind {
            Type::Word { width, signed } => (width, signed),
            _ => (0, false),
        };
        match op {
            Op::Not => format!("!({})", first()),
            Op::Neg => format!("-({})", first()),
            Op::And => infix("&"),
            Op::Or => infix("|"),
            Op::Xor => infix("xor"),
            Op::Iff => infix("<->"),
            Op::Eq => infix("="),
            Op::Lt => infix("<"),
            Op::Le => infix("<="),
            Op::Add => infix("+"),
            Op::Sub => infix("-"),
            Op::Mul => infix("*"),
            Op::Div => infix("/"),
            Op::Mod => infix("mod"),
            Op::ShiftLeft => infix("<<"),
            Op::ShiftRight => infix(">>"),
            Op::Concat => infix("::"),
            Op::Bits(high, low) => format!("({})[{high}:{low}]", first()),
            Op::Extend => format!("extend({}, {})", first(), target.saturating_sub(width(operands.first()))),
            Op::Resize => format!("resize({}, {target})", first()),
            Op::Cast => format!("{}signed({})", if signed { "" } else { "un" }, first()),
            Op::FromInt => format!("{}wconst({}, {target})", if signed { "s" } else { "u" }, first()),
            Op::ToInt => function("toint"),
            Op::ToBool => function("bool"),
            Op::ToWord => function("word1"),
            Op::Count => function("count"),
            Op::Min => function("min"),
            Op::Max => function("max"),
            Op::Abs => function("abs"),
        }
    }

    /// A chain of choices. Without a line for what is left it ends in the fault that there is none.
    fn cases(&self, term: Term) -> String {
        let (mut lines, mut rest) = (String::new(), term);
        while let (&Node::If(condition, yes, no), true) =
            (self.model.terms.node(rest), rest == term || !self.named.contains_key(&rest))
        {
            let _ = write!(lines, "{} : {}; ", self.term(condition), self.term(yes));
            rest = no;
        }
        match self.model.terms.node(rest) {
            Node::Lack(Lack::Case | Lack::Index, _) if !lines.is_empty() => {}
            // A fault by itself: a value that is never chosen.
            Node::Lack(..) => {
                let _ = write!(lines, "FALSE : {}; ", any_value(self.model, self.model.terms.kind(rest)));
            }
            _ => {
                let _ = write!(lines, "TRUE : {}; ", self.term(rest));
            }
        }
        format!("case {lines}esac")
    }

    fn temporal(&self, operator: Temporal, operands: &[Term], bounds: Option<(u32, u32)>) -> String {
        let of = |number: usize| operands.get(number).map_or_else(String::new, |&operand| self.term(operand));
        let steps = bounds.map(|(from, to)| format!("{from}..{to}"));
        let prefix = |mark: &str, bounded: &str| match &steps {
            Some(steps) => format!("({bounded} {steps} ({}))", of(0)),
            None => format!("({mark} ({}))", of(0)),
        };
        let linear = |mark: &str| match bounds {
            Some((from, to)) => format!("({mark} [{from}, {to}] ({}))", of(0)),
            None => format!("({mark} ({}))", of(0)),
        };
        let infix = |mark: &str| format!("({} {mark} {})", of(0), of(1));
        let until = |quantifier: &str| match &steps {
            Some(steps) => format!("{quantifier} [{} BU {steps} {}]", of(0), of(1)),
            None => format!("{quantifier} [{} U {}]", of(0), of(1)),
        };
        use Temporal as T;
        match operator {
            T::Ex => prefix("EX", "EX"),
            T::Ax => prefix("AX", "AX"),
            T::Ef => prefix("EF", "EBF"),
            T::Af => prefix("AF", "ABF"),
            T::Eg => prefix("EG", "EBG"),
            T::Ag => prefix("AG", "ABG"),
            T::Eu => until("E"),
            T::Au => until("A"),
            T::Next => linear("X"),
            T::Finally => linear("F"),
            T::Globally => linear("G"),
            T::Until => infix("U"),
            T::Release => infix("V"),
            T::Yesterday => linear("Y"),
            T::WeakYesterday => linear("Z"),
            T::Once => linear("O"),
            T::Historically => linear("H"),
            T::Since => infix("S"),
            T::Trigger => infix("T"),
        }
    }
}

/// Operands with a mark between them, some in each bracket: readers limit the length of a chain.
pub fn chained(mut parts: Vec<String>, mark: &str) -> String {
    while parts.len() > CHAIN {
        parts = parts.chunks(CHAIN).map(|some| format!("({})", some.join(mark))).collect();
    }
    parts.join(mark)
}

/// A value of a type.
fn any_value(model: &Model, kind: Type) -> String {
    match kind {
        Type::Bool | Type::Formula => "FALSE".to_owned(),
        Type::Int | Type::Mixed => "0".to_owned(),
        Type::Symbol => model.symbols.first().map_or_else(|| "0".to_owned(), |symbol| name(symbol)),
        Type::Word { .. } => model.show(Value::Word(0), kind),
    }
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_$#-".contains(c))
        && !crate::lexer::is_word(name)
}

/// A name as the program writes it: with quotes, unless it is made of names, numbers, dots and indices.
fn name(name: &str) -> String {
    let is_path = name.split('.').all(|part| {
        let (base, indices) = part.split_once('[').map_or((part, ""), |(base, rest)| (base, rest));
        let numbers = indices.split("][").map(|index| index.trim_end_matches(']'));
        is_plain(base) && (indices.is_empty() || numbers.into_iter().all(|number| number.parse::<i64>().is_ok()))
    });
    if is_path { name.to_owned() } else { format!("\"{name}\"") }
}
