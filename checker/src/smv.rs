//! Reading flat programs of SMV: one module, `main`, without instances, arrays and processes.
//!
//! Variables are booleans, integers, symbols and words of up to 62 bits. Fairness and properties are passed over: what a
//! certificate says is in its formula. All that is not understood is refused. `starset convert` writes such programs.

use crate::effort::keep;
use crate::{Checked, refuse};
use std::collections::HashMap;

/// A value. Symbols have numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Symbol(usize),
    /// Bits, how many, and whether they are in two's complement.
    Word(u64, u32, bool),
}

/// An expression. Variables and definitions are resolved.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Expr {
    Const(Value),
    Variable(usize),
    Define(usize),
    Next(Box<Expr>),
    /// An operator or a function by its spelling.
    Apply(&'static str, Vec<Expr>),
    /// Bits of a word.
    Bits(Box<Expr>, u32, u32),
    /// Conditions with values, in turn.
    Case(Vec<(Expr, Expr)>),
    Set(Vec<Expr>),
    Range(i64, i64),
    /// A name, until all of the program is read.
    Name(String),
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    State,
    Frozen,
    Input,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) domain: Vec<Value>,
    /// What is assigned at first, next, always.
    pub(crate) assigned: [Option<Expr>; 3],
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Program {
    pub(crate) variables: Vec<Variable>,
    pub(crate) defines: Vec<(String, Expr)>,
    pub(crate) symbols: Vec<String>,
    /// Conditions of INIT, INVAR, TRANS.
    pub(crate) conditions: [Vec<Expr>; 3],
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    /// A name, or a word that means something.
    Name(String),
    /// A name in quotes, which is nothing else.
    Quoted(String),
    Value(Value),
    Sign(&'static str),
}

/// Longer signs before their beginnings.
const SIGNS: [&str; 33] = [
    "<->", "->", ":=", "!=", "<=", ">=", "<<", ">>", "::", "..", "{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "?",
    "!", "=", "<", ">", "+", "-", "*", "/", "&", "|", "@", "#",
];
const SECTIONS: [&str; 22] = [
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "INVAR",
    "TRANS",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "PSLSPEC",
    "COMPUTE",
    "ISA",
    "PRED",
    "MIRROR",
];
/// Most values of a variable.
const MOST: i64 = 1 << 16;
/// How deep expressions may be nested, and how many operands a chain of operators may have.
const DEEPEST: usize = 5000;
const LONGEST: usize = 20_000;

fn tokens(text: &str) -> Checked<Vec<Token>> {
    let (mut rest, mut tokens) = (text, Vec::new());
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("--") {
            rest = comment.find('\n').map_or("", |end| &comment[end..]);
            continue;
        }
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let length = |belongs: &dyn Fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        if first.is_ascii_digit() {
            let end = length(&|c| c.is_ascii_alphanumeric() || c == '_');
            tokens.push(Token::Value(number(&rest[..end])?));
            rest = &rest[end..];
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = length(&|c| c.is_ascii_alphanumeric() || "_$#-".contains(c));
            tokens.push(match &rest[..end] {
                "TRUE" => Token::Value(Value::Bool(true)),
                "FALSE" => Token::Value(Value::Bool(false)),
                name => Token::Name(name.to_owned()),
            });
            rest = &rest[end..];
        } else if let Some((name, after)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            tokens.push(Token::Quoted(name.to_owned()));
            rest = after;
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else {
            return refuse(format!("program: {first:?} is not understood"));
        }
    }
}

/// `12`, `0ud3_5`, `0sd3_2`.
fn number(text: &str) -> Checked<Value> {
    let word = |signed, text: &str| {
        let (width, digits) = text.split_once('_')?;
        let (width, bits): (u32, u64) = (width.parse().ok()?, digits.parse().ok()?);
        // The least number of a signed word is written as the negation of what is too large.
        ((1..=62).contains(&width) && bits >> width == 0).then_some(Value::Word(bits, width, signed))
    };
    let found = match (text.strip_prefix("0ud"), text.strip_prefix("0sd")) {
        (Some(rest), _) => word(false, rest),
        (_, Some(rest)) => word(true, rest),
        _ => text.parse::<i32>().ok().map(|number| Value::Int(number.into())),
    };
    found.map_or_else(|| refuse(format!("program: the number `{text}` is not understood")), Ok)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    program: Program,
}

/// Operators of two sides by how tight they bind; in between are `?:` and prefixes.
const LEVELS: [&[&str]; 12] = [
    &["->"],
    &["<->"],
    &["?"],
    &["|", "xor", "xnor"],
    &["&"],
    &["=", "!=", "<", ">", "<=", ">="],
    &["in"],
    &["union"],
    &[".."],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "mod"],
];
const FUNCTIONS: [&str; 14] = [
    "bool", "word1", "signed", "unsigned", "extend", "resize", "toint", "count", "uwconst", "swconst", "abs", "min",
    "max", "sizeof",
];

impl Reader {
    fn wrong<T>(&self, wanted: &str) -> Checked<T> {
        let found = self.tokens.get(self.at).map_or_else(
            || "the end".to_owned(),
            |token| match token {
                Token::Name(name) | Token::Quoted(name) => format!("`{name}`"),
                Token::Value(value) => format!("{value:?}"),
                Token::Sign(sign) => format!("`{sign}`"),
            },
        );
        refuse(format!("program: {wanted} is expected before {found} (token {})", self.at + 1))
    }

    fn comes(&self, text: &str) -> bool {
        match self.tokens.get(self.at) {
            Some(Token::Sign(sign)) => *sign == text,
            Some(Token::Name(name)) => name == text,
            _ => false,
        }
    }

    fn accept(&mut self, text: &str) -> bool {
        let comes = self.comes(text);
        self.at += usize::from(comes);
        comes
    }

    fn expect(&mut self, text: &str) -> Checked<()> {
        if self.accept(text) { Ok(()) } else { self.wrong(&format!("`{text}`")) }
    }

    fn integer(&mut self) -> Checked<i64> {
        let negative = self.accept("-");
        match self.tokens.get(self.at) {
            Some(&Token::Value(Value::Int(number))) => {
                self.at += 1;
                Ok(if negative { -number } else { number })
            }
            _ => self.wrong("a number"),
        }
    }

    /// `p.state`, `a[2].b`.
    fn path(&mut self) -> Checked<String> {
        let Some(Token::Name(name) | Token::Quoted(name)) = self.tokens.get(self.at) else {
            return self.wrong("a name");
        };
        let mut path = name.clone();
        self.at += 1;
        loop {
            let index = match &self.tokens[self.at.min(self.tokens.len())..] {
                [Token::Sign("."), Token::Name(name) | Token::Quoted(name), ..] => Some((2, format!(".{name}"))),
                [Token::Sign("."), Token::Value(Value::Int(number)), ..] => Some((2, format!(".{number}"))),
                [Token::Sign("["), Token::Value(Value::Int(number)), Token::Sign("]"), ..] => {
                    Some((3, format!("[{number}]")))
                }
                [Token::Sign("["), Token::Sign("-"), Token::Value(Value::Int(number)), Token::Sign("]"), ..] => {
                    Some((4, format!("[-{number}]")))
                }
                _ => None,
            };
            let Some((length, part)) = index else { return Ok(path) };
            path.push_str(&part);
            self.at += length;
        }
    }

    fn in_section(&self) -> bool {
        match self.tokens.get(self.at) {
            Some(Token::Name(name)) => !SECTIONS.contains(&name.as_str()),
            other => other.is_some(),
        }
    }

    fn module(&mut self) -> Checked<()> {
        self.expect("MODULE")?;
        self.expect("main")?;
        while self.at < self.tokens.len() {
            let Some(Token::Name(section)) = self.tokens.get(self.at).cloned() else { return self.wrong("a section") };
            self.at += 1;
            match section.as_str() {
                "VAR" => self.variables(Role::State)?,
                "IVAR" => self.variables(Role::Input)?,
                "FROZENVAR" => self.variables(Role::Frozen)?,
                "DEFINE" => {
                    while self.in_section() {
                        let name = self.path()?;
                        self.expect(":=")?;
                        let value = self.expression()?;
                        self.expect(";")?;
                        self.program.defines.push((name, value));
                    }
                }
                "CONSTANTS" => {
                    let name = self.path()?;
                    self.symbol(&name);
                    while self.accept(",") {
                        let name = self.path()?;
                        self.symbol(&name);
                    }
                    self.expect(";")?;
                }
                "ASSIGN" => self.assignments()?,
                "INIT" | "INVAR" | "TRANS" => {
                    let condition = self.expression()?;
                    self.accept(";");
                    let which = ["INIT", "INVAR", "TRANS"].iter().position(|name| *name == section).unwrap_or(0);
                    self.program.conditions[which].push(condition);
                }
                "FAIRNESS" | "JUSTICE" | "COMPASSION" | "SPEC" | "CTLSPEC" | "LTLSPEC" | "INVARSPEC" | "PSLSPEC"
                | "COMPUTE" => {
                    while self.in_section() {
                        self.at += 1;
                    }
                }
                _ => {
                    return refuse(format!(
                        "program: `{section}` is not of a flat program: `starset convert` writes one"
                    ));
                }
            }
        }
        Ok(())
    }

    fn symbol(&mut self, name: &str) -> Value {
        let symbols = &mut self.program.symbols;
        Value::Symbol(symbols.iter().position(|symbol| symbol == name).unwrap_or_else(|| {
            symbols.push(name.to_owned());
            symbols.len() - 1
        }))
    }

    fn variables(&mut self, role: Role) -> Checked<()> {
        while self.in_section() {
            let name = self.path()?;
            self.expect(":")?;
            let domain = self.domain()?;
            keep(domain.len())?;
            self.expect(";")?;
            if self.program.variables.iter().any(|variable| variable.name == name) {
                return refuse(format!("program: `{name}` is declared twice"));
            }
            self.program.variables.push(Variable { name, role, domain, assigned: [None, None, None] });
        }
        Ok(())
    }

    fn domain(&mut self) -> Checked<Vec<Value>> {
        if self.accept("boolean") {
            return Ok(vec![Value::Bool(false), Value::Bool(true)]);
        }
        if self.accept("{") {
            let mut values = Vec::new();
            loop {
                let value = match self.tokens.get(self.at) {
                    Some(Token::Name(_) | Token::Quoted(_)) => {
                        let name = self.path()?;
                        self.symbol(&name)
                    }
                    Some(&Token::Value(Value::Bool(value))) => {
                        self.at += 1;
                        Value::Bool(value)
                    }
                    _ => Value::Int(self.integer()?),
                };
                if !values.contains(&value) {
                    values.push(value);
                }
                if !self.accept(",") {
                    break;
                }
            }
            self.expect("}")?;
            return Ok(values);
        }
        let signed = self.accept("signed");
        if signed || self.accept("unsigned") || self.comes("word") {
            self.expect("word")?;
            self.expect("[")?;
            let width = self.integer()?;
            self.expect("]")?;
            return match u32::try_from(width) {
                Ok(width @ 1..=16) => Ok((0..1 << width).map(|bits| Value::Word(bits, width, signed)).collect()),
                _ => refuse("program: words of more than 16 bits are not checked"),
            };
        }
        if matches!(self.tokens.get(self.at), Some(Token::Name(_))) {
            return refuse("program: an instance or an array is not of a flat program: `starset convert` writes one");
        }
        let low = self.integer()?;
        self.expect("..")?;
        let high = self.integer()?;
        match high - low {
            0..MOST => Ok((low..=high).map(Value::Int).collect()),
            _ => refuse(format!("program: the range {low}..{high} is empty or too large")),
        }
    }

    fn assignments(&mut self) -> Checked<()> {
        while self.in_section() {
            let when = ["init", "next"].iter().position(|word| self.comes(word)).unwrap_or(2);
            if when < 2 {
                self.at += 1;
                self.expect("(")?;
            }
            let name = self.path()?;
            if when < 2 {
                self.expect(")")?;
            }
            self.expect(":=")?;
            let value = self.expression()?;
            self.expect(";")?;
            let variable = self.program.variables.iter_mut().find(|variable| variable.name == name);
            match variable.map(|variable| &mut variable.assigned[when]) {
                Some(slot @ None) => *slot = Some(value),
                _ => return refuse(format!("program: `{name}` is assigned twice, or before it is declared")),
            }
        }
        Ok(())
    }

    fn expression(&mut self) -> Checked<Expr> {
        self.deeper(|reader| reader.binary(0))
    }

    /// What is one level deeper than what is read.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Checked<Expr>) -> Checked<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return refuse("program: an expression is nested too deeply");
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn binary(&mut self, level: usize) -> Checked<Expr> {
        let Some(signs) = LEVELS.get(level) else { return self.concatenation() };
        let mut left = self.binary(level + 1)?;
        let mut length = 1;
        while let Some(&sign) = signs.iter().find(|sign| self.comes(sign)) {
            self.at += 1;
            length = longer(length)?;
            match sign {
                "->" => {
                    let right = self.deeper(|reader| reader.binary(level))?;
                    return Ok(Expr::Apply("|", vec![Expr::Apply("!", vec![left]), right]));
                }
                "?" => {
                    let yes = self.expression()?;
                    self.expect(":")?;
                    let no = self.deeper(|reader| reader.binary(level))?;
                    let always = Expr::Const(Value::Bool(true));
                    return Ok(Expr::Case(vec![(left, yes), (always, no)]));
                }
                ".." => {
                    let right = self.binary(level + 1)?;
                    left = match (constant(&left), constant(&right)) {
                        (Some(low), Some(high)) => Expr::Range(low, high),
                        _ => return self.wrong("a range of numbers"),
                    };
                }
                _ => left = Expr::Apply(sign, vec![left, self.binary(level + 1)?]),
            }
        }
        Ok(left)
    }

    fn concatenation(&mut self) -> Checked<Expr> {
        let mut left = self.prefixed()?;
        let mut length = 1;
        while self.accept("::") {
            length = longer(length)?;
            left = Expr::Apply("::", vec![left, self.prefixed()?]);
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Checked<Expr> {
        if self.accept("!") {
            return Ok(Expr::Apply("!", vec![self.nested()?]));
        }
        if self.accept("-") {
            return Ok(match self.nested()? {
                Expr::Const(Value::Int(number)) => Expr::Const(Value::Int(-number)),
                operand => Expr::Apply("neg", vec![operand]),
            });
        }
        let mut expr = self.primary()?;
        while self.accept("[") {
            let high = self.integer()?;
            self.expect(":")?;
            let low = self.integer()?;
            self.expect("]")?;
            match (u32::try_from(high), u32::try_from(low)) {
                (Ok(high), Ok(low)) if low <= high => expr = Expr::Bits(Box::new(expr), high, low),
                _ => return self.wrong("bits of a word"),
            }
        }
        Ok(expr)
    }

    fn nested(&mut self) -> Checked<Expr> {
        self.deeper(Self::prefixed)
    }

    fn primary(&mut self) -> Checked<Expr> {
        if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.accept("{") {
            return Ok(Expr::Set(self.list("}")?));
        }
        if self.accept("next") {
            self.expect("(")?;
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(Expr::Next(Box::new(inner)));
        }
        if self.accept("case") {
            let mut cases = Vec::new();
            while !self.accept("esac") {
                let guard = self.expression()?;
                self.expect(":")?;
                let value = self.expression()?;
                self.expect(";")?;
                cases.push((guard, value));
            }
            return Ok(Expr::Case(cases));
        }
        if let Some(&Token::Value(value)) = self.tokens.get(self.at) {
            self.at += 1;
            return Ok(Expr::Const(value));
        }
        if let Some(function) = FUNCTIONS.into_iter().find(|function| self.comes(function)) {
            self.at += 1;
            self.expect("(")?;
            return Ok(Expr::Apply(function, self.list(")")?));
        }
        Ok(Expr::Name(self.path()?))
    }

    fn list(&mut self, close: &str) -> Checked<Vec<Expr>> {
        let mut members = vec![self.expression()?];
        while self.accept(",") {
            members.push(self.expression()?);
        }
        self.expect(close)?;
        Ok(members)
    }
}

/// The length of a chain of operators with one operand more.
fn longer(length: usize) -> Checked<usize> {
    if length >= LONGEST { refuse("program: an expression has too many operands") } else { Ok(length + 1) }
}

fn constant(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Const(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

/// Names become variables, definitions and symbols.
fn resolve(expr: &mut Expr, known: &HashMap<String, Expr>) -> Checked<()> {
    match expr {
        Expr::Name(name) => match known.get(name) {
            Some(found) => *expr = found.clone(),
            None => return refuse(format!("program: `{name}` is not declared")),
        },
        Expr::Const(_) | Expr::Variable(_) | Expr::Define(_) | Expr::Range(..) => {}
        Expr::Next(inner) | Expr::Bits(inner, ..) => resolve(inner, known)?,
        Expr::Apply(_, operands) | Expr::Set(operands) => {
            operands.iter_mut().try_for_each(|operand| resolve(operand, known))?;
        }
        Expr::Case(cases) => {
            for (guard, value) in cases {
                resolve(guard, known)?;
                resolve(value, known)?;
            }
        }
    }
    Ok(())
}

/// Read a program.
pub(crate) fn read(text: &str) -> Checked<Program> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0, depth: 0, program: Program::default() };
    reader.module()?;
    let mut program = reader.program;
    let mut known = HashMap::new();
    let symbols = program.symbols.iter().enumerate();
    let symbols = symbols.map(|(number, name)| (name.clone(), Expr::Const(Value::Symbol(number))));
    let variables = program.variables.iter().enumerate();
    let variables = variables.map(|(number, variable)| (variable.name.clone(), Expr::Variable(number)));
    let defines = program.defines.iter().enumerate();
    let defines = defines.map(|(number, (name, _))| (name.clone(), Expr::Define(number)));
    for (name, expr) in symbols.chain(variables).chain(defines) {
        if let Some(_other) = known.insert(name.clone(), expr) {
            return refuse(format!("program: `{name}` is declared twice"));
        }
    }
    let assigned = program.variables.iter_mut().flat_map(|variable| variable.assigned.iter_mut().flatten());
    let defined = program.defines.iter_mut().map(|(_, value)| value);
    let conditions = program.conditions.iter_mut().flatten();
    assigned.chain(defined).chain(conditions).try_for_each(|expr| resolve(expr, &known))?;
    Ok(program)
}
