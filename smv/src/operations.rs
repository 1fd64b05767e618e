//! Operators: their types, and the terms that they become.
//!
//! *Source*: SPEC.md, section 4. Booleans are no integers, words no booleans; words agree in width and sign;
//! enumerations that share no value may be compared; sets stand on the right of `:=` and `in`, in branches and
//! definitions alone.

use crate::ast::{Expr, ExprKind};
use crate::elaborate::{Elaboration, Thing};
use crate::error::{Fault, Place, Stage};
use crate::lexer::Word;
use crate::term::{Lack, Node, Op, Temporal, Term, Type, Value};

fn wrong(place: Place, message: impl Into<String>) -> Fault {
    Fault::new(Stage::Types, place, message)
}

impl Elaboration<'_> {
    /// The term of an expression that is no name.
    pub(crate) fn operation(&mut self, scope: usize, expr: &Expr, next: bool) -> Result<Term, Fault> {
        let place = expr.place;
        match &expr.kind {
            ExprKind::Bool(value) => Ok(self.model.terms.bool(*value)),
            ExprKind::Number(value) => Ok(self.integer(*value)),
            ExprKind::Word(Word { bits, width, signed }) => {
                let kind = Type::Word { width: *width, signed: *signed };
                Ok(self.model.terms.add(Node::Const(Value::Word(*bits)), kind))
            }
            ExprKind::Next(_) if next => Err(Fault::new(Stage::Names, place, "`next` stands inside of `next`")),
            ExprKind::Next(inner) => self.term(scope, inner, true),
            ExprKind::Case(cases) => {
                let mut result = None;
                for (guard, value) in cases.iter().rev() {
                    let condition = self.term(scope, guard, next)?;
                    let condition = self.as_bool(condition);
                    self.scalar(condition, guard.place)?;
                    if self.model.terms.kind(condition) != Type::Bool {
                        let found = self.model.terms.kind(condition).name();
                        return Err(wrong(
                            guard.place,
                            format!(
                                "a guard is a boolean, and this is {found}: write TRUE for 1 (NuSMV before 2.5 read 1, too)"
                            ),
                        ));
                    }
                    let value_term = self.term(scope, value, next)?;
                    let rest = match result {
                        Some(rest) => rest,
                        None => {
                            let kind = self.model.terms.kind(value_term);
                            self.model.terms.add(Node::Lack(Lack::Case, place), kind)
                        }
                    };
                    result = Some(self.choice(condition, value_term, rest, value.place)?);
                }
                result.ok_or_else(|| wrong(place, "a `case` needs a line `guard : value;`"))
            }
            ExprKind::Set(members) => {
                let members: Result<Vec<Term>, Fault> =
                    members.iter().map(|member| self.term(scope, member, next)).collect();
                self.set(members?, place)
            }
            ExprKind::Bits(word, high, low) => {
                let word = self.term(scope, word, next)?;
                let (high, low) = (self.constant_integer(scope, high)?, self.constant_integer(scope, low)?);
                match self.model.terms.kind(word) {
                    Type::Word { width, .. } if 0 <= low && low <= high && high < i64::from(width) => {
                        let kind = Type::Word { width: (high - low + 1) as u32, signed: false };
                        Ok(self.model.terms.add(Node::Apply(Op::Bits(high as u32, low as u32), vec![word]), kind))
                    }
                    Type::Word { width, .. } => {
                        Err(wrong(place, format!("this word has bits {}:0, not {high}:{low}", width - 1)))
                    }
                    kind => Err(wrong(place, format!("bits are of words, and this is {}", kind.name()))),
                }
            }
            ExprKind::Apply(mark, operands) => self.apply(scope, mark, operands, next, place),
            ExprKind::Temporal(mark, operands, bounds) => self.temporal(scope, mark, operands, *bounds, next, place),
            ExprKind::Name(_) | ExprKind::Myself | ExprKind::Dot(..) | ExprKind::Index(..) | ExprKind::List(_) => {
                Err(wrong(place, "this is no value"))
            }
        }
    }

    pub(crate) fn integer(&mut self, value: i64) -> Term {
        self.model.terms.add(Node::Const(Value::Int(value)), Type::Int)
    }

    /// In old programs 0 and 1 stand for truth values: the term as one, if it can be.
    pub(crate) fn as_bool(&mut self, term: Term) -> Term {
        if !self.old || self.model.terms.kind(term) != Type::Int {
            return term;
        }
        let bits = |value: i64| (value == 0 || value == 1).then_some(value == 1);
        match self.model.terms.node(term).clone() {
            Node::Const(Value::Int(value)) => bits(value).map_or(term, |value| self.model.terms.bool(value)),
            Node::Range(0, 1) => {
                let both = vec![self.model.terms.bool(false), self.model.terms.bool(true)];
                self.model.terms.add_set(Node::Set(both), Type::Bool)
            }
            Node::Set(members) => {
                let members: Vec<Term> = members.into_iter().map(|member| self.as_bool(member)).collect();
                match members.iter().all(|&member| self.model.terms.kind(member) == Type::Bool) {
                    true => self.model.terms.add_set(Node::Set(members), Type::Bool),
                    false => term,
                }
            }
            Node::If(condition, yes, no) => {
                let (yes, no) = (self.as_bool(yes), self.as_bool(no));
                let kinds = (self.model.terms.kind(yes), self.model.terms.kind(no));
                if kinds != (Type::Bool, Type::Bool) {
                    return term;
                }
                let node = Node::If(condition, yes, no);
                match self.model.terms.is_set(yes) || self.model.terms.is_set(no) {
                    true => self.model.terms.add_set(node, Type::Bool),
                    false => self.model.terms.add(node, Type::Bool),
                }
            }
            Node::Lack(lack, place) => self.model.terms.add(Node::Lack(lack, place), Type::Bool),
            _ => term,
        }
    }

    /// Both as truth values, where one is, in old programs.
    fn agreed(&mut self, a: Term, b: Term) -> (Term, Term) {
        match (self.model.terms.kind(a), self.model.terms.kind(b)) {
            (Type::Bool | Type::Formula, Type::Int) => (a, self.as_bool(b)),
            (Type::Int, Type::Bool | Type::Formula) => (self.as_bool(a), b),
            _ => (a, b),
        }
    }

    fn scalar(&self, term: Term, place: Place) -> Result<(), Fault> {
        match self.model.terms.is_set(term) {
            true => Err(wrong(place, "a set stands on the right of `:=` and `in` alone; for a test write `x in …`")),
            false => Ok(()),
        }
    }

    /// `a[i]`.
    pub(crate) fn element(
        &mut self,
        scope: usize,
        array: &Expr,
        index: &Expr,
        next: bool,
        place: Place,
    ) -> Result<Thing, Fault> {
        let (low, elements) = match self.thing(scope, array, next)? {
            Thing::Array(low, elements) => (low, elements),
            Thing::Term(term) if matches!(self.model.terms.kind(term), Type::Word { .. }) => {
                return Err(wrong(place, "a bit of a word is `w[0:0]`"));
            }
            _ => return Err(wrong(place, "only arrays have elements")),
        };
        let at = self.term(scope, index, next)?;
        let at = match self.model.terms.kind(at) {
            Type::Int => at,
            Type::Word { .. } => self.model.terms.add(Node::Apply(Op::ToInt, vec![at]), Type::Int),
            kind => {
                return Err(wrong(
                    index.place,
                    format!("an index is an integer or a word, and this is {}", kind.name()),
                ));
            }
        };
        if let Node::Const(Value::Int(value)) = *self.model.terms.node(at) {
            let element = usize::try_from(value - low).ok().and_then(|number| elements.get(number));
            return element.cloned().ok_or_else(|| {
                let last = low + elements.len() as i64 - 1;
                Fault::new(Stage::Values, index.place, format!("the index {value} is outside of {low}..{last}"))
            });
        }
        self.selected(low, &elements, at, place)
    }

    /// The element at an index that is not constant: a chain of choices, element by element.
    fn selected(&mut self, low: i64, elements: &[Thing], at: Term, place: Place) -> Result<Thing, Fault> {
        if let Some(Thing::Array(inner, first)) = elements.first() {
            let (inner, width) = (*inner, first.len());
            let mut columns = Vec::new();
            for column in 0..width {
                let down: Option<Vec<Thing>> = elements
                    .iter()
                    .map(|row| match row {
                        Thing::Array(_, row) => row.get(column).cloned(),
                        _ => None,
                    })
                    .collect();
                let down = down.ok_or_else(|| wrong(place, "the rows of this array differ in length"))?;
                columns.push(self.selected(low, &down, at, place)?);
            }
            return Ok(Thing::Array(inner, columns));
        }
        let terms: Option<Vec<Term>> =
            elements.iter().map(|element| if let Thing::Term(term) = element { Some(*term) } else { None }).collect();
        let terms = terms.ok_or_else(|| wrong(place, "the elements of this array are no values"))?;
        let Some(&first) = terms.first() else { return Err(wrong(place, "this array is empty")) };
        let kind = self.model.terms.kind(first);
        let mut result = self.model.terms.add(Node::Lack(Lack::Index, place), kind);
        for (number, &term) in terms.iter().enumerate().rev() {
            let value = self.integer(low + number as i64);
            let here = self.model.terms.add(Node::Apply(Op::Eq, vec![at, value]), Type::Bool);
            result = self.choice(here, term, result, place)?;
        }
        Ok(Thing::Term(result))
    }

    fn choice(&mut self, condition: Term, yes: Term, no: Term, place: Place) -> Result<Term, Fault> {
        let (yes, no) = self.agreed(yes, no);
        let kind = self.common(yes, no, place)?;
        match *self.model.terms.node(condition) {
            Node::Const(Value::Bool(true)) => return Ok(yes),
            Node::Const(Value::Bool(false)) => return Ok(no),
            _ => {}
        }
        let set = self.model.terms.is_set(yes) || self.model.terms.is_set(no);
        let node = Node::If(condition, yes, no);
        Ok(if set { self.model.terms.add_set(node, kind) } else { self.model.terms.add(node, kind) })
    }

    /// The type that both have.
    fn common(&self, a: Term, b: Term, place: Place) -> Result<Type, Fault> {
        let (left, right) = (self.model.terms.kind(a), self.model.terms.kind(b));
        let named = |kind| matches!(kind, Type::Int | Type::Symbol | Type::Mixed);
        if left == right {
            Ok(left)
        } else if named(left) && named(right) {
            Ok(Type::Mixed)
        } else {
            Err(wrong(place, format!("{} and {} do not go together", left.name(), right.name())))
        }
    }

    fn set(&mut self, members: Vec<Term>, place: Place) -> Result<Term, Fault> {
        let booleans = members.iter().any(|&member| self.model.terms.kind(member) == Type::Bool);
        let members: Vec<Term> = match booleans {
            true => members.into_iter().map(|member| self.as_bool(member)).collect(),
            false => members,
        };
        let Some(&first) = members.first() else { return Err(wrong(place, "a set has members")) };
        let mut kind = self.model.terms.kind(first);
        for &member in &members {
            let other = self.model.terms.kind(member);
            if matches!(other, Type::Word { .. } | Type::Formula) {
                return Err(wrong(place, format!("a set has no member that is {}", other.name())));
            }
            kind = match (kind, other) {
                (a, b) if a == b => a,
                (Type::Bool, _) | (_, Type::Bool) => {
                    return Err(wrong(place, "booleans and other values do not go together in a set"));
                }
                _ => Type::Mixed,
            };
        }
        Ok(self.model.terms.add_set(Node::Set(members), kind))
    }

    /// The operands as terms that are no sets.
    fn scalars(&mut self, scope: usize, operands: &[Expr], next: bool) -> Result<Vec<Term>, Fault> {
        let mut terms = Vec::with_capacity(operands.len());
        for operand in operands {
            let term = self.term(scope, operand, next)?;
            self.scalar(term, operand.place)?;
            terms.push(term);
        }
        Ok(terms)
    }

    fn apply(
        &mut self,
        scope: usize,
        mark: &'static str,
        operands: &[Expr],
        next: bool,
        place: Place,
    ) -> Result<Term, Fault> {
        match mark {
            "?" => {
                let condition = self.term(scope, &operands[0], next)?;
                self.scalar(condition, operands[0].place)?;
                if self.model.terms.kind(condition) != Type::Bool {
                    return Err(wrong(operands[0].place, "the condition of `?` is a boolean"));
                }
                let (yes, no) = (self.term(scope, &operands[1], next)?, self.term(scope, &operands[2], next)?);
                return self.choice(condition, yes, no, place);
            }
            "union" => {
                let members = vec![self.term(scope, &operands[0], next)?, self.term(scope, &operands[1], next)?];
                return self.set(members, place);
            }
            ".." => {
                let (low, high) =
                    (self.constant_integer(scope, &operands[0])?, self.constant_integer(scope, &operands[1])?);
                if low > high {
                    return Err(wrong(place, format!("the range {low}..{high} is empty")));
                }
                return Ok(self.model.terms.add_set(Node::Range(low, high), Type::Int));
            }
            "in" => {
                let (left, right) = (self.term(scope, &operands[0], next)?, self.term(scope, &operands[1], next)?);
                let (left, right) = self.agreed(left, right);
                self.comparable(left, right, place)?;
                return Ok(self.model.terms.add(Node::Member(left, right), Type::Bool));
            }
            "extend" | "resize" | "uwconst" | "swconst" => return self.resized(scope, mark, operands, next, place),
            _ => {}
        }
        let mut terms = self.scalars(scope, operands, next)?;
        match (mark, &mut terms[..]) {
            ("=" | "!=", [a, b]) => (*a, *b) = self.agreed(*a, *b),
            ("!" | "&" | "|" | "xor" | "xnor" | "->" | "<->", all) => {
                all.iter_mut().for_each(|term| *term = self.as_bool(*term));
            }
            _ => {}
        }
        match mark {
            "!" | "&" | "|" | "xor" | "xnor" | "->" | "<->" | "=" | "!=" | "<" | ">" | "<=" | ">=" => {
                self.truth(mark, &terms, place)
            }
            _ => self.value(mark, &terms, place),
        }
    }

    /// Connectives and comparisons.
    fn truth(&mut self, mark: &str, terms: &[Term], place: Place) -> Result<Term, Fault> {
        let kinds: Vec<Type> = terms.iter().map(|&term| self.model.terms.kind(term)).collect();
        match (mark, terms) {
            ("!", &[a]) => match kinds[0] {
                Type::Bool | Type::Formula | Type::Word { .. } => Ok(self.model.terms.not(a)),
                kind => Err(wrong(
                    place,
                    format!(
                        "`!` is of booleans and words, and this is {}; for `!(x = y)` write the brackets",
                        kind.name()
                    ),
                )),
            },
            ("&" | "|" | "xor" | "xnor" | "->" | "<->", &[a, b]) => self.connective(mark, a, b, place),
            ("=", &[a, b]) => {
                self.comparable(a, b, place)?;
                Ok(self.equal(a, b))
            }
            ("!=", &[a, b]) => {
                self.comparable(a, b, place)?;
                let equal = self.equal(a, b);
                Ok(self.model.terms.not(equal))
            }
            ("<" | ">" | "<=" | ">=", &[a, b]) => {
                if kinds[0] != kinds[1] || !matches!(kinds[0], Type::Int | Type::Word { .. }) {
                    let (left, right) = (kinds[0].name(), kinds[1].name());
                    return Err(wrong(
                        place,
                        format!("`{mark}` compares two integers or two equal words, not {left} and {right}"),
                    ));
                }
                let (op, a, b) = match mark {
                    "<" => (Op::Lt, a, b),
                    ">" => (Op::Lt, b, a),
                    "<=" => (Op::Le, a, b),
                    _ => (Op::Le, b, a),
                };
                Ok(self.model.terms.add(Node::Apply(op, vec![a, b]), Type::Bool))
            }
            _ => Err(wrong(place, format!("`{mark}` is not of these operands"))),
        }
    }

    /// Arithmetic, bits and conversions.
    fn value(&mut self, mark: &str, terms: &[Term], place: Place) -> Result<Term, Fault> {
        let kinds: Vec<Type> = terms.iter().map(|&term| self.model.terms.kind(term)).collect();
        match (mark, terms) {
            ("-", &[a]) => self.arithmetic(Op::Neg, &[a], mark, place),
            ("+", _) => self.arithmetic(Op::Add, terms, mark, place),
            ("-", _) => self.arithmetic(Op::Sub, terms, mark, place),
            ("*", _) => self.arithmetic(Op::Mul, terms, mark, place),
            ("/", _) => self.arithmetic(Op::Div, terms, mark, place),
            ("mod", _) => self.arithmetic(Op::Mod, terms, mark, place),
            ("min", _) => self.arithmetic(Op::Min, terms, mark, place),
            ("max", _) => self.arithmetic(Op::Max, terms, mark, place),
            ("abs", &[_]) => self.arithmetic(Op::Abs, terms, mark, place),
            ("<<" | ">>", &[a, b]) => {
                let op = if mark == "<<" { Op::ShiftLeft } else { Op::ShiftRight };
                match (kinds[0], kinds[1]) {
                    (Type::Word { .. }, Type::Int | Type::Word { signed: false, .. }) => {
                        let by = match kinds[1] {
                            Type::Int => b,
                            _ => self.model.terms.add(Node::Apply(Op::ToInt, vec![b]), Type::Int),
                        };
                        Ok(self.model.terms.add(Node::Apply(op, vec![a, by]), kinds[0]))
                    }
                    _ => Err(wrong(place, "words are shifted, by an integer or an unsigned word")),
                }
            }
            ("::", &[a, b]) => match (kinds[0], kinds[1]) {
                (Type::Word { width: left, .. }, Type::Word { width: right, .. }) if left + right <= 64 => {
                    let kind = Type::Word { width: left + right, signed: false };
                    Ok(self.model.terms.add(Node::Apply(Op::Concat, vec![a, b]), kind))
                }
                _ => Err(wrong(place, "`::` puts two words together, of 64 bits at most")),
            },
            ("toint", &[a]) => match kinds[0] {
                Type::Int => Ok(a),
                Type::Bool => Ok(self.model.terms.add(Node::Apply(Op::ToInt, vec![a]), Type::Int)),
                Type::Word { width, signed } if width < 32 || signed && width == 32 => {
                    Ok(self.model.terms.add(Node::Apply(Op::ToInt, vec![a]), Type::Int))
                }
                _ => Err(wrong(place, "`toint` is of booleans, and of words that fit 32 bits")),
            },
            ("bool", &[a]) => match kinds[0] {
                Type::Bool => Ok(a),
                Type::Int | Type::Word { width: 1, .. } => {
                    Ok(self.model.terms.add(Node::Apply(Op::ToBool, vec![a]), Type::Bool))
                }
                _ => Err(wrong(place, "`bool` is of integers and word[1]")),
            },
            ("word1", &[a]) if kinds[0] == Type::Bool => {
                Ok(self.model.terms.add(Node::Apply(Op::ToWord, vec![a]), Type::Word { width: 1, signed: false }))
            }
            ("signed" | "unsigned", &[a]) => match kinds[0] {
                Type::Word { width, .. } => {
                    let kind = Type::Word { width, signed: mark == "signed" };
                    Ok(self.model.terms.add(Node::Apply(Op::Cast, vec![a]), kind))
                }
                _ => Err(wrong(place, format!("`{mark}` is of words"))),
            },
            ("sizeof", &[_]) => match kinds[0] {
                Type::Word { width, .. } => Ok(self.integer(i64::from(width))),
                _ => Err(wrong(place, "`sizeof` is of words")),
            },
            ("count", _) if kinds.iter().all(|&kind| kind == Type::Bool) => {
                Ok(self.model.terms.add(Node::Apply(Op::Count, terms.to_vec()), Type::Int))
            }
            _ => Err(wrong(place, format!("`{mark}` is not of these operands"))),
        }
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        let op = if self.model.terms.kind(a) == Type::Bool { Op::Iff } else { Op::Eq };
        self.model.terms.add(Node::Apply(op, vec![a, b]), Type::Bool)
    }

    /// May two values be compared?
    fn comparable(&self, a: Term, b: Term, place: Place) -> Result<(), Fault> {
        let (left, right) = (self.model.terms.kind(a), self.model.terms.kind(b));
        let fits = match (left, right) {
            (Type::Formula, _) | (_, Type::Formula) => false,
            (Type::Mixed, Type::Int | Type::Symbol) | (Type::Int | Type::Symbol, Type::Mixed) => true,
            _ => left == right,
        };
        match fits {
            true => Ok(()),
            false => Err(wrong(place, format!("{} is compared with {}", left.name(), right.name()))),
        }
    }

    fn connective(&mut self, mark: &str, a: Term, b: Term, place: Place) -> Result<Term, Fault> {
        let (left, right) = (self.model.terms.kind(a), self.model.terms.kind(b));
        let logical = |kind| matches!(kind, Type::Bool | Type::Formula);
        if matches!(left, Type::Word { .. }) && left == right {
            let terms = &mut self.model.terms;
            let not_a = terms.not(a);
            return Ok(match mark {
                "&" => terms.add(Node::Apply(Op::And, vec![a, b]), left),
                "|" => terms.add(Node::Apply(Op::Or, vec![a, b]), left),
                "xor" => terms.add(Node::Apply(Op::Xor, vec![a, b]), left),
                "->" => terms.add(Node::Apply(Op::Or, vec![not_a, b]), left),
                _ => {
                    let differ = terms.add(Node::Apply(Op::Xor, vec![a, b]), left);
                    terms.not(differ)
                }
            });
        }
        if !logical(left) || !logical(right) {
            let (left, right) = (left.name(), right.name());
            return Err(wrong(
                place,
                format!("`{mark}` is of two booleans or two equal words, not of {left} and {right}"),
            ));
        }
        let kind = if left == Type::Formula || right == Type::Formula { Type::Formula } else { Type::Bool };
        let terms = &mut self.model.terms;
        Ok(match mark {
            "&" => terms.and(a, b),
            "|" => terms.or(a, b),
            "->" => {
                let not_a = terms.not(a);
                terms.or(not_a, b)
            }
            "xor" => terms.add(Node::Apply(Op::Xor, vec![a, b]), kind),
            _ => terms.add(Node::Apply(Op::Iff, vec![a, b]), kind),
        })
    }

    fn arithmetic(&mut self, op: Op, terms: &[Term], mark: &str, place: Place) -> Result<Term, Fault> {
        let kind = self.model.terms.kind(terms[0]);
        let one = terms.iter().all(|&term| self.model.terms.kind(term) == kind);
        if !one || !matches!(kind, Type::Int | Type::Word { .. }) {
            let found: Vec<String> = terms.iter().map(|&term| self.model.terms.kind(term).name()).collect();
            let advice =
                if found.iter().any(|name| name == "a boolean") { "; write `toint(b)` for a boolean" } else { "" };
            return Err(wrong(
                place,
                format!("`{mark}` is of integers, or of equal words, not of {}{advice}", found.join(" and ")),
            ));
        }
        let node = Node::Apply(op, terms.to_vec());
        let term = self.model.terms.add(node, kind);
        // Constants are computed, so that they may be bounds of ranges.
        let constants = terms.iter().all(|&term| matches!(self.model.terms.node(term), Node::Const(_)));
        if constants && let Some(value) = crate::eval::Evaluator::new(&self.model).constant(term) {
            return Ok(self.model.terms.add(Node::Const(value), kind));
        }
        Ok(term)
    }

    fn resized(
        &mut self,
        scope: usize,
        mark: &str,
        operands: &[Expr],
        next: bool,
        place: Place,
    ) -> Result<Term, Fault> {
        let [value, size] = operands else { return Err(wrong(place, format!("`{mark}` has two operands"))) };
        let term = self.term(scope, value, next)?;
        let size = self.constant_integer(scope, size)?;
        let fits = |width: i64| (1..=64).contains(&width);
        match (mark, self.model.terms.kind(term)) {
            ("extend", Type::Word { width, signed }) if size >= 0 && fits(i64::from(width) + size) => {
                let kind = Type::Word { width: width + size as u32, signed };
                Ok(self.model.terms.add(Node::Apply(Op::Extend, vec![term]), kind))
            }
            ("resize", Type::Word { signed, .. }) if fits(size) => {
                let kind = Type::Word { width: size as u32, signed };
                Ok(self.model.terms.add(Node::Apply(Op::Resize, vec![term]), kind))
            }
            ("uwconst" | "swconst", Type::Int) if fits(size) => {
                let kind = Type::Word { width: size as u32, signed: mark == "swconst" };
                Ok(self.model.terms.add(Node::Apply(Op::FromInt, vec![term]), kind))
            }
            _ => Err(wrong(place, format!("`{mark}` is not of these operands; words have 1 to 64 bits"))),
        }
    }

    fn temporal(
        &mut self,
        scope: usize,
        mark: &'static str,
        operands: &[Expr],
        bounds: Option<(i64, Option<i64>)>,
        next: bool,
        place: Place,
    ) -> Result<Term, Fault> {
        if next {
            return Err(wrong(place, "a temporal operator stands inside of `next`"));
        }
        let terms: Vec<Term> =
            self.scalars(scope, operands, next)?.into_iter().map(|term| self.as_bool(term)).collect();
        for (&term, operand) in terms.iter().zip(operands) {
            let kind = self.model.terms.kind(term);
            if !matches!(kind, Type::Bool | Type::Formula) {
                return Err(wrong(operand.place, format!("`{mark}` is of conditions, and this is {}", kind.name())));
            }
        }
        let bounds = match bounds {
            None => None,
            Some((from, to)) => {
                let to = to.unwrap_or(from);
                match (u32::try_from(from), u32::try_from(to)) {
                    (Ok(low), Ok(high)) if low <= high => Some((low, high)),
                    _ => return Err(wrong(place, format!("there is no number of steps in {from}..{to}"))),
                }
            }
        };
        if mark == "W" {
            // What comes second releases either.
            let either = self.model.terms.or(terms[0], terms[1]);
            let node = Node::Temporal(Temporal::Release, vec![terms[1], either], None);
            return Ok(self.model.terms.add(node, Type::Formula));
        }
        let operator = match mark {
            "EX" => Temporal::Ex,
            "AX" => Temporal::Ax,
            "EF" | "EBF" => Temporal::Ef,
            "AF" | "ABF" => Temporal::Af,
            "EG" | "EBG" => Temporal::Eg,
            "AG" | "ABG" => Temporal::Ag,
            "EU" | "EBU" => Temporal::Eu,
            "AU" | "ABU" => Temporal::Au,
            "X" => Temporal::Next,
            "F" => Temporal::Finally,
            "G" => Temporal::Globally,
            "U" => Temporal::Until,
            "V" => Temporal::Release,
            "Y" => Temporal::Yesterday,
            "Z" => Temporal::WeakYesterday,
            "O" => Temporal::Once,
            "H" => Temporal::Historically,
            "S" => Temporal::Since,
            "T" => Temporal::Trigger,
            _ => return Err(wrong(place, format!("`{mark}` is not read"))),
        };
        Ok(self.model.terms.add(Node::Temporal(operator, terms, bounds), Type::Formula))
    }
}
