//! Programs: modules and their sections.
//!
//! *Source*: SPEC.md, section 2. Sections come in any order, may be repeated and may be empty; `;` after constraints
//! and properties may be left out, so that the next reserved word ends a formula. What other versions of the language
//! have is refused by name.

use crate::ast::{Constraint, Expr, ExprKind, Item, Module, PropertyItem, Role, Sort, TypeExpr, When};
use crate::error::{Fault, Place, Stage};
use crate::lexer::{Kind, SECTIONS, Token, tokens};

/// Reads tokens from left to right.
pub(crate) struct Parser {
    tokens: Vec<Token>,
    next: usize,
    /// Open expressions around the current place.
    pub(crate) depth: usize,
    /// Directly inside the brackets of `E [p U q]`.
    pub(crate) bracketed: bool,
    /// Inside of a property of PSL.
    pub(crate) psl: bool,
}

/// The modules of a program.
///
/// # Errors
/// The first token that fits nowhere, and what would.
pub(crate) fn program(text: &str) -> Result<Vec<Module>, Fault> {
    let mut parser = Parser::new(text)?;
    let mut modules = Vec::new();
    while *parser.peek(0) != Kind::End {
        modules.push(parser.module()?);
    }
    Ok(modules)
}

/// A property by itself, with its number among such.
///
/// # Errors
/// As [`program`]; the message has the property.
pub(crate) fn property(text: &str, number: usize) -> Result<Item, Fault> {
    let read = || {
        let (mut parser, mut items) = (Parser::new(text)?, Vec::new());
        parser.section(&mut items)?;
        match (items.pop(), parser.peek(0)) {
            (Some(Item::Property(property)), Kind::End) if items.is_empty() => {
                Ok(Item::Property(PropertyItem { further: Some(number), ..property }))
            }
            _ => Err(parser.unexpected("one property, as `CTLSPEC AG x = 1`")),
        }
    };
    read().map_err(|fault| fault.in_further(text))
}

impl Parser {
    fn new(text: &str) -> Result<Self, Fault> {
        Ok(Parser { tokens: tokens(text)?, next: 0, depth: 0, bracketed: false, psl: false })
    }

    /// The token that many places ahead.
    pub(crate) fn peek(&self, ahead: usize) -> &Kind {
        &self.tokens[(self.next + ahead).min(self.tokens.len() - 1)].kind
    }

    pub(crate) fn place(&self) -> Place {
        self.tokens[self.next.min(self.tokens.len() - 1)].place
    }

    pub(crate) fn step(&mut self) {
        self.next += 1;
    }

    pub(crate) fn at(&self, mark: &str) -> bool {
        matches!(self.peek(0), Kind::Mark(found) if *found == mark)
    }

    pub(crate) fn accept(&mut self, mark: &str) -> bool {
        let found = self.at(mark);
        self.next += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, mark: &str) -> Result<(), Fault> {
        if self.accept(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    pub(crate) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(Stage::Syntax, self.place(), message)
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> Fault {
        let found = match self.peek(0) {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Word(_) => "a constant of bits".to_owned(),
            Kind::Mark(mark) if mark.chars().all(char::is_alphanumeric) => {
                return self.fault(format!("expected {wanted}, found `{mark}`, which is a word of the language"));
            }
            Kind::Mark(mark) => format!("`{mark}`"),
            Kind::End => "the end of the file".to_owned(),
        };
        self.fault(format!("expected {wanted}, found {found}"))
    }

    /// An integer literal.
    pub(crate) fn integer(&mut self) -> Result<i64, Fault> {
        let negative = self.accept("-");
        match *self.peek(0) {
            Kind::Number(number) => {
                self.step();
                Ok(if negative { -number } else { number })
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn name(&mut self, wanted: &str) -> Result<String, Fault> {
        match self.peek(0).clone() {
            Kind::Name(name) => {
                self.step();
                Ok(name.into_string())
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    fn module(&mut self) -> Result<Module, Fault> {
        if self.at("@") {
            return Err(self.fault("`@TIME_DOMAIN` is of infinite models, which are not read"));
        }
        if !self.at("MODULE") {
            return Err(self.unexpected("`MODULE`"));
        }
        self.step();
        let place = self.place();
        let name = self.name("the name of the module")?;
        let mut parameters = Vec::new();
        if self.accept("(") && !self.accept(")") {
            parameters.push(self.name("a parameter")?);
            while self.accept(",") {
                parameters.push(self.name("a parameter")?);
            }
            self.expect(")")?;
        }
        let mut items = Vec::new();
        while !self.at("MODULE") && *self.peek(0) != Kind::End {
            self.section(&mut items)?;
        }
        Ok(Module { name, place, parameters, items })
    }

    fn section(&mut self, items: &mut Vec<Item>) -> Result<(), Fault> {
        let place = self.place();
        let Kind::Mark(section) = *self.peek(0) else { return Err(self.unexpected("a section, as `VAR`")) };
        self.step();
        match section {
            "VAR" => self.variables(Role::State, items),
            "IVAR" => self.variables(Role::Input, items),
            "FROZENVAR" => self.variables(Role::Frozen, items),
            "DEFINE" | "MDEFINE" => self.definitions(items),
            "CONSTANTS" => self.constants(items),
            "ASSIGN" => self.assignments(items),
            "INIT" => self.constraint(Constraint::Init, items),
            "INVAR" => self.constraint(Constraint::Invar, items),
            "TRANS" => self.constraint(Constraint::Trans, items),
            "FAIRNESS" | "JUSTICE" => self.constraint(Constraint::Justice, items),
            "COMPASSION" => {
                self.expect("(")?;
                let left = self.expression()?;
                self.expect(",")?;
                let right = self.expression()?;
                self.expect(")")?;
                self.accept(";");
                items.push(Item::Compassion(left, right));
                Ok(())
            }
            "SPEC" | "CTLSPEC" => self.property(Sort::Ctl, place, items),
            "LTLSPEC" => self.property(Sort::Ltl, place, items),
            "INVARSPEC" => self.property(Sort::Invariant, place, items),
            "PSLSPEC" => self.property(Sort::Psl, place, items),
            "COMPUTE" => self.property(Sort::Shortest, place, items),
            "ISA" => {
                let place = self.place();
                let module = self.name("the name of a module")?;
                self.accept(";");
                items.push(Item::Isa(module, place));
                Ok(())
            }
            "FUN" | "CONSTRAINT" | "SIMPWFF" | "CTLWFF" | "LTLWFF" | "COMPWFF" => {
                self.next -= 1;
                Err(self.fault(format!("`{section}` is not read")))
            }
            _ => {
                self.next -= 1;
                Err(self.unexpected("a section, as `VAR`"))
            }
        }
    }

    /// A declared name: `x`, `x.y`, `z[1]`.
    fn declared(&mut self) -> Result<String, Fault> {
        let mut name = self.name("a name")?;
        loop {
            if self.accept(".") {
                let part = match *self.peek(0) {
                    Kind::Number(number) => {
                        self.step();
                        number.to_string()
                    }
                    _ => self.name("a name after the dot")?,
                };
                name = format!("{name}.{part}");
            } else if self.accept("[") {
                let index = self.integer()?;
                self.expect("]")?;
                name = format!("{name}[{index}]");
            } else {
                return Ok(name);
            }
        }
    }

    fn variables(&mut self, role: Role, items: &mut Vec<Item>) -> Result<(), Fault> {
        while matches!(self.peek(0), Kind::Name(_)) {
            let place = self.place();
            let name = self.declared()?;
            self.expect(":")?;
            let kind = self.kind()?;
            self.expect(";")?;
            items.push(Item::Variable { role, name, place, kind });
        }
        Ok(())
    }

    fn kind(&mut self) -> Result<TypeExpr, Fault> {
        let place = self.place();
        let mark = match self.peek(0).clone() {
            Kind::Mark(mark) => mark,
            Kind::Name(name) if !self.begins_range() => {
                self.step();
                return match &*name {
                    "real" => Ok(TypeExpr::Refused("real numbers", place)),
                    "integer" => Ok(TypeExpr::Refused("integers without bounds", place)),
                    "clock" => Ok(TypeExpr::Refused("clocks", place)),
                    _ => self.instance(name.into_string(), place, false),
                };
            }
            _ => "",
        };
        match mark {
            "boolean" => {
                self.step();
                Ok(TypeExpr::Boolean)
            }
            "{" => {
                self.step();
                let mut values = vec![self.expression()?];
                while self.accept(",") {
                    values.push(self.expression()?);
                }
                self.expect("}")?;
                Ok(TypeExpr::Values(values))
            }
            "array" => {
                self.step();
                if self.at("word") {
                    return Ok(TypeExpr::Refused("arrays indexed by words", place));
                }
                if self.accept("of") || matches!(self.peek(0), Kind::Name(name) if &**name == "integer") {
                    return Ok(TypeExpr::Refused("arrays without bounds", place));
                }
                let low = self.shift()?;
                self.expect("..")?;
                let high = self.shift()?;
                self.expect("of")?;
                self.depth += 1;
                if self.depth > 100 {
                    return Err(self.fault("this type is nested too deeply"));
                }
                let of = self.kind()?;
                self.depth -= 1;
                Ok(TypeExpr::Array(low, high, Box::new(of)))
            }
            "process" => {
                self.step();
                let place = self.place();
                let module = self.name("the name of a module")?;
                self.instance(module, place, true)
            }
            "word" | "unsigned" | "signed" => {
                self.step();
                if mark != "word" {
                    self.expect("word")?;
                }
                self.expect("[")?;
                let width = self.expression()?;
                self.expect("]")?;
                Ok(TypeExpr::Word { width, signed: mark == "signed" })
            }
            _ => {
                let low = self.shift()?;
                self.expect("..")?;
                let high = self.shift()?;
                Ok(TypeExpr::Range(low, high))
            }
        }
    }

    /// Does a name begin a range, `N..7`, and not an instance?
    fn begins_range(&self) -> bool {
        !matches!(self.peek(1), Kind::Mark("(" | ";"))
    }

    fn instance(&mut self, module: String, place: Place, process: bool) -> Result<TypeExpr, Fault> {
        let mut actuals = Vec::new();
        if self.accept("(") && !self.accept(")") {
            actuals.push(self.expression()?);
            while self.accept(",") {
                actuals.push(self.expression()?);
            }
            self.expect(")")?;
        }
        Ok(TypeExpr::Instance { module, place, actuals, process })
    }

    fn definitions(&mut self, items: &mut Vec<Item>) -> Result<(), Fault> {
        while matches!(self.peek(0), Kind::Name(_)) {
            let place = self.place();
            let name = self.declared()?;
            self.expect(":=")?;
            let value = self.expression()?;
            self.expect(";")?;
            items.push(Item::Define { name, place, value });
        }
        Ok(())
    }

    fn constants(&mut self, items: &mut Vec<Item>) -> Result<(), Fault> {
        if matches!(self.peek(0), Kind::Name(_)) {
            items.push(Item::Constant(self.declared()?));
            while self.accept(",") {
                items.push(Item::Constant(self.declared()?));
            }
            self.expect(";")?;
        }
        Ok(())
    }

    fn assignments(&mut self, items: &mut Vec<Item>) -> Result<(), Fault> {
        loop {
            let when = match self.peek(0) {
                Kind::Name(_) | Kind::Mark("self") => When::Current,
                Kind::Mark("init") => When::Init,
                Kind::Mark("next") => When::Next,
                _ => return Ok(()),
            };
            if when != When::Current {
                self.step();
                self.expect("(")?;
            }
            let target = self.shift()?;
            if when != When::Current {
                self.expect(")")?;
            }
            self.expect(":=")?;
            let value = self.expression()?;
            self.expect(";")?;
            items.push(Item::Assign { when, target, value });
        }
    }

    fn constraint(&mut self, sort: Constraint, items: &mut Vec<Item>) -> Result<(), Fault> {
        // A section may be empty.
        if !self.begins_expression() {
            return Ok(());
        }
        let condition = self.expression()?;
        self.accept(";");
        items.push(Item::Constraint(sort, condition));
        Ok(())
    }

    fn begins_expression(&self) -> bool {
        match self.peek(0) {
            Kind::End => false,
            Kind::Mark(mark) => !SECTIONS.contains(mark),
            _ => true,
        }
    }

    fn property(&mut self, sort: Sort, place: Place, items: &mut Vec<Item>) -> Result<(), Fault> {
        let mut name = None;
        if self.accept("NAME") {
            name = Some(self.declared()?);
            self.expect(":=")?;
        }
        let (mut sort, mut until) = (sort, None);
        let formula = match sort {
            Sort::Shortest => {
                match *self.peek(0) {
                    Kind::Mark("MIN") => {}
                    Kind::Mark("MAX") => sort = Sort::Longest,
                    _ => return Err(self.unexpected("`MIN` or `MAX`")),
                }
                self.step();
                self.expect("[")?;
                let from = self.expression()?;
                self.expect(",")?;
                until = Some(self.expression()?);
                self.expect("]")?;
                from
            }
            Sort::Psl => self.psl()?,
            _ => self.expression()?,
        };
        self.accept(";");
        items.push(Item::Property(PropertyItem { sort, name, place, formula, until, further: None }));
        Ok(())
    }

    /// The part of PSL that is CTL or LTL.
    fn psl(&mut self) -> Result<Expr, Fault> {
        self.psl = true;
        let formula = self.expression();
        self.psl = false;
        match formula {
            Ok(formula) => Ok(formula),
            Err(fault) => Err(Fault {
                message: format!("{} (of PSL, only formulas of CTL and LTL are read)", fault.message),
                ..fault
            }),
        }
    }
}

/// The text of a name with dots and constant indices, if the expression is one.
pub(crate) fn dotted(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Dot(inner, name) => Some(format!("{}.{name}", dotted(inner)?)),
        ExprKind::Index(inner, index) => match index.kind {
            ExprKind::Number(number) => Some(format!("{}[{number}]", dotted(inner)?)),
            _ => None,
        },
        _ => None,
    }
}
