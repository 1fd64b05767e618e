//! Modules to one flat model: instances, parameters, names.
//!
//! Instances are textual copies. A parameter is an expression in the scope of the caller, by reference: `next(p)` of it
//! is the next value of what it stands for. The tree of instances is built first, then types, definitions on demand,
//! then constraints and properties of each instance, in the order of declarations.
//!
//! **Processes.** A hidden input says whose turn it is: that of a process, or of everything else. `next(x) := e` inside
//! of a process (and, where there are processes, outside of all) is gated: `x` keeps its value in the turns of others.
//! Nothing else is.
//!
//! *Source*: SPEC.md, sections 2, 5 and 6.

use crate::ast::{Constraint, Expr, ExprKind, Item, Module, PropertyItem, Role, Sort, TypeExpr};
use crate::error::{Fault, Place, Stage};
use crate::model::{Domain, Model, Property, SELECTOR, Variable};
use crate::parser::dotted;
use crate::term::{Node, Op, Term, Terms, Type, Value};
use std::collections::HashMap;

/// Greatest number of instances, and of elements of an array.
const MANY: usize = 100_000;

/// A copy of a module.
pub(crate) struct Instance<'a> {
    /// `""`, `"p1."`, `"a.b."`.
    pub(crate) prefix: String,
    parent: Option<usize>,
    module: &'a Module,
    /// The parameters, with the scope of each expression.
    parameters: HashMap<&'a str, (&'a Expr, usize)>,
    pub(crate) members: HashMap<String, Member<'a>>,
    /// The process that it belongs to: a number of an instance; 0 for what is in none.
    pub(crate) process: usize,
    /// All items: its module's, and those of modules that are pasted.
    items: Vec<&'a Item>,
}

/// What a name stands for in an instance.
#[derive(Clone)]
pub(crate) enum Member<'a> {
    Instance(usize),
    /// A definition, and the scope of its expression.
    Define(&'a Expr, usize),
    /// A variable that is not declared yet.
    Undeclared(Role, Place, &'a TypeExpr),
    Declared(Thing),
}

/// What an expression stands for.
#[derive(Clone, Debug)]
pub(crate) enum Thing {
    Term(Term),
    /// The least index, and the elements.
    Array(i64, Vec<Thing>),
    Instance(usize),
}

/// A program while it is instantiated.
pub(crate) struct Elaboration<'a> {
    modules: HashMap<&'a str, &'a Module>,
    pub(crate) instances: Vec<Instance<'a>>,
    pub(crate) model: Model,
    pub(crate) symbols: HashMap<String, u32>,
    /// Definitions that are resolved, and whether they mention steps: by instance, name, and whether they are primed. `None`
    /// while one is.
    pub(crate) defines: HashMap<(usize, String, bool), Option<(Thing, bool)>>,
    /// Was an input or a next value mentioned in what is read, even if its value does not matter?
    pub(crate) mentions_steps: bool,
    /// The input of processes, and the value of each instance that is one.
    pub(crate) selector: Option<(usize, HashMap<usize, Value>)>,
    /// Variables that processes assign: the last of them, and the number of the assignment.
    pub(crate) gated: HashMap<usize, (usize, usize)>,
    /// Are 0 and 1 read as truth values where one is wanted?
    pub(crate) old: bool,
    pub(crate) depth: usize,
}

/// The model of the modules.
///
/// # Errors
/// The first fault.
pub(crate) fn elaborate(modules: &[Module], old: bool) -> Result<Model, Fault> {
    let mut by_name: HashMap<&str, &Module> = HashMap::new();
    for module in modules {
        if by_name.insert(&module.name, module).is_some() {
            return Err(names(module.place, format!("module `{}` is declared twice", module.name)));
        }
    }
    let main = *by_name
        .get("main")
        .ok_or_else(|| names(Place { line: 1, column: 1 }, "there is no module `main`: a program starts in it"))?;
    if !main.parameters.is_empty() {
        return Err(names(main.place, "module `main` has no parameters"));
    }
    let mut all = Elaboration {
        modules: by_name,
        instances: Vec::new(),
        model: Model::default(),
        symbols: HashMap::new(),
        defines: HashMap::new(),
        mentions_steps: false,
        selector: None,
        gated: HashMap::new(),
        old,
        depth: 0,
    };
    all.instantiate(main, String::new(), None, HashMap::new(), false)?;
    all.distant_definitions()?;
    all.processes();
    all.declare()?;
    all.constrain()?;
    all.model.unproved = crate::faults::check(&all.model)?;
    Ok(all.model)
}

pub(crate) fn names(place: Place, message: impl Into<String>) -> Fault {
    Fault::new(Stage::Names, place, message)
}

impl<'a> Elaboration<'a> {
    fn instantiate(
        &mut self,
        module: &'a Module,
        prefix: String,
        parent: Option<usize>,
        parameters: HashMap<&'a str, (&'a Expr, usize)>,
        process: bool,
    ) -> Result<usize, Fault> {
        let number = self.instances.len();
        if number >= MANY || prefix.len() > 10_000 {
            return Err(names(module.place, "there are too many instances: does a module contain itself?"));
        }
        let owner = match (process, parent) {
            (true, _) => number,
            (false, Some(parent)) => self.instances[parent].process,
            (false, None) => 0,
        };
        let items = self.items(module, &mut Vec::new())?;
        self.instances.push(Instance {
            prefix,
            parent,
            module,
            parameters,
            members: HashMap::new(),
            process: owner,
            items: items.clone(),
        });
        for item in items {
            match item {
                Item::Variable { role, name, place, kind } => {
                    let member = match kind {
                        TypeExpr::Instance { module: of, place: at, actuals, process } => {
                            if *role != Role::State {
                                return Err(names(*place, format!("`{name}` is an instance: declare it under `VAR`")));
                            }
                            Member::Instance(self.child(number, name, of, *at, actuals, *process)?)
                        }
                        kind => {
                            self.symbols_of(kind);
                            Member::Undeclared(*role, *place, kind)
                        }
                    };
                    self.enter(number, name, *place, member)?;
                }
                Item::Define { name, place, value } if !name.contains('.') => {
                    self.enter(number, name, *place, Member::Define(value, number))?;
                }
                Item::Constant(name) => {
                    self.symbol(name);
                }
                _ => {}
            }
        }
        Ok(number)
    }

    /// The items of a module, and of those that it pastes.
    fn items(&self, module: &'a Module, open: &mut Vec<&'a str>) -> Result<Vec<&'a Item>, Fault> {
        if open.contains(&&*module.name) {
            return Err(names(module.place, format!("module `{}` pastes itself by `ISA`", module.name)));
        }
        open.push(&module.name);
        let mut items = Vec::new();
        for item in &module.items {
            if let Item::Isa(name, place) = item {
                let pasted = self.module(name, *place)?;
                if !pasted.parameters.is_empty() {
                    return Err(names(*place, format!("module `{name}` has parameters, which `ISA` does not give")));
                }
                items.extend(self.items(pasted, open)?);
            } else {
                items.push(item);
            }
        }
        open.pop();
        Ok(items)
    }

    fn module(&self, name: &str, place: Place) -> Result<&'a Module, Fault> {
        self.modules.get(name).copied().ok_or_else(|| names(place, format!("there is no module `{name}`")))
    }

    fn child(
        &mut self,
        parent: usize,
        name: &str,
        of: &str,
        place: Place,
        actuals: &'a [Expr],
        process: bool,
    ) -> Result<usize, Fault> {
        let module = self.module(of, place)?;
        let mut ancestor = Some(parent);
        while let Some(instance) = ancestor {
            if self.instances[instance].module.name == of {
                return Err(names(place, format!("module `{of}` contains itself")));
            }
            ancestor = self.instances[instance].parent;
        }
        if module.parameters.len() != actuals.len() {
            let (wanted, given) = (module.parameters.len(), actuals.len());
            return Err(names(place, format!("module `{of}` has {wanted} parameters, and {given} are given")));
        }
        let parameters =
            module.parameters.iter().map(|name| &**name).zip(actuals.iter().map(|actual| (actual, parent)));
        let prefix = format!("{}{name}.", self.instances[parent].prefix);
        self.instantiate(module, prefix, Some(parent), parameters.collect(), process)
    }

    fn enter(&mut self, instance: usize, name: &str, place: Place, member: Member<'a>) -> Result<(), Fault> {
        let scope = &mut self.instances[instance];
        if scope.parameters.contains_key(name) {
            return Err(names(place, format!("`{name}` is a parameter already: call it otherwise")));
        }
        if scope.members.insert(name.to_owned(), member).is_some() {
            return Err(names(place, format!("`{name}` is declared twice")));
        }
        Ok(())
    }

    /// Definitions of names of other instances: `left.ack := e`.
    fn distant_definitions(&mut self) -> Result<(), Fault> {
        for instance in 0..self.instances.len() {
            for item in self.instances[instance].items.clone() {
                let Item::Define { name, place, value } = item else { continue };
                let Some((path, last)) = name.rsplit_once('.') else { continue };
                let mut target = Some(instance);
                for part in path.split('.') {
                    target = match target.map(|at| self.member(at, part, *place, false)).transpose()?.flatten() {
                        Some(Thing::Instance(child)) => Some(child),
                        _ => None,
                    };
                }
                match target {
                    Some(target) => self.enter(target, last, *place, Member::Define(value, instance))?,
                    None => self.enter(instance, name, *place, Member::Define(value, instance))?,
                }
            }
        }
        Ok(())
    }

    /// The number of a symbolic constant.
    pub(crate) fn symbol(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.symbols.get(name) {
            return known;
        }
        let number = self.model.symbols.len() as u32;
        self.model.symbols.push(name.to_owned());
        self.symbols.insert(name.to_owned(), number);
        number
    }

    fn symbols_of(&mut self, kind: &TypeExpr) {
        match kind {
            TypeExpr::Values(values) => {
                for name in values.iter().filter_map(dotted) {
                    self.symbol(&name);
                }
            }
            TypeExpr::Array(_, _, of) => self.symbols_of(of),
            _ => {}
        }
    }

    /// The hidden input, if there are processes.
    fn processes(&mut self) {
        let processes: Vec<usize> =
            (1..self.instances.len()).filter(|&number| self.instances[number].process == number).collect();
        if processes.is_empty() {
            return;
        }
        let mut values = HashMap::new();
        for number in [0].into_iter().chain(processes) {
            let name = match number {
                0 => "main".to_owned(),
                _ => self.instances[number].prefix.trim_end_matches('.').to_owned(),
            };
            values.insert(number, Value::Symbol(self.symbol(&name)));
        }
        let mut domain: Vec<(usize, Value)> = values.iter().map(|(&number, &value)| (number, value)).collect();
        domain.sort_unstable();
        let place = self.instances[0].module.place;
        self.model
            .remarks
            .push((place, "`process` is deprecated: write the choice of the process as an input".to_owned()));
        self.model.variables.push(Variable {
            name: SELECTOR.to_owned(),
            role: Role::Input,
            kind: Type::Symbol,
            domain: Domain::Values(domain.into_iter().map(|(_, value)| value).collect()),
            place,
        });
        self.selector = Some((0, values));
    }

    /// Is it the turn of the process that an instance belongs to?
    pub(crate) fn running(&mut self, instance: usize) -> Option<Term> {
        let (variable, values) = self.selector.as_ref()?;
        self.mentions_steps = true;
        let value = values[&self.instances[instance].process];
        let variable = self.model.terms.add(Node::Variable { variable: *variable, next: false }, Type::Symbol);
        let value = self.model.terms.add(Node::Const(value), Type::Symbol);
        Some(self.model.terms.add(Node::Apply(Op::Eq, vec![variable, value]), Type::Bool))
    }

    /// Declare the variables of all instances, in the order in which they stand.
    fn declare(&mut self) -> Result<(), Fault> {
        self.declare_in(0)
    }

    fn declare_in(&mut self, instance: usize) -> Result<(), Fault> {
        for item in self.instances[instance].items.clone() {
            let Item::Variable { name, .. } = item else { continue };
            match self.instances[instance].members.get(name).cloned() {
                Some(Member::Undeclared(role, place, kind)) => {
                    let full = format!("{}{name}", self.instances[instance].prefix);
                    let thing = self.variable(instance, full, role, place, kind)?;
                    self.instances[instance].members.insert(name.clone(), Member::Declared(thing));
                }
                Some(Member::Instance(child)) => self.declare_in(child)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn variable(
        &mut self,
        scope: usize,
        name: String,
        role: Role,
        place: Place,
        kind: &TypeExpr,
    ) -> Result<Thing, Fault> {
        let (kind, domain) = match kind {
            TypeExpr::Boolean => (Type::Bool, Domain::Booleans),
            TypeExpr::Values(values) => self.values(scope, values)?,
            TypeExpr::Range(low, high) => {
                let (from, to) = (self.constant_integer(scope, low)?, self.constant_integer(scope, high)?);
                if from > to {
                    return Err(Fault::new(
                        Stage::Types,
                        place,
                        format!("the range {from}..{to} of `{name}` is empty"),
                    ));
                }
                (Type::Int, Domain::Range(from, to))
            }
            TypeExpr::Word { width, signed } => {
                let bits = self.constant_integer(scope, width)?;
                if !(1..=64).contains(&bits) {
                    return Err(Fault::new(
                        Stage::Types,
                        place,
                        format!("words have 1 to 64 bits, and `{name}` has {bits}"),
                    ));
                }
                (Type::Word { width: bits as u32, signed: *signed }, Domain::Words(bits as u32))
            }
            TypeExpr::Array(low, high, of) => {
                let (from, to) = (self.constant_integer(scope, low)?, self.constant_integer(scope, high)?);
                if from > to || to - from >= MANY as i64 || self.model.variables.len() >= MANY {
                    return Err(Fault::new(
                        Stage::Types,
                        place,
                        format!(
                            "the array {from}..{to} of `{name}` is empty, or the program has over {MANY} variables"
                        ),
                    ));
                }
                let mut elements = Vec::new();
                for index in from..=to {
                    elements.push(self.variable(scope, format!("{name}[{index}]"), role, place, of)?);
                }
                return Ok(Thing::Array(from, elements));
            }
            TypeExpr::Instance { place, .. } => {
                return Err(names(*place, "arrays of modules are not read: declare each instance"));
            }
            TypeExpr::Refused(what, place) => {
                return Err(names(*place, format!("{what} are not read: domains are finite here")));
            }
        };
        let variable = self.model.variables.len();
        self.model.variables.push(Variable { name, role, kind, domain, place });
        Ok(Thing::Term(self.model.terms.add(Node::Variable { variable, next: false }, kind)))
    }

    /// The type of a list of values.
    fn values(&mut self, scope: usize, listed: &[Expr]) -> Result<(Type, Domain), Fault> {
        let mut values: Vec<Value> = Vec::new();
        for expr in listed {
            let value = match dotted(expr) {
                Some(name) => Value::Symbol(self.symbol(&name)),
                None => match self.constant(scope, expr)? {
                    value @ Value::Int(_) => value,
                    _ => return Err(Fault::new(Stage::Types, expr.place, "an enumeration has integers and names")),
                },
            };
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let integers = values.iter().filter(|value| matches!(value, Value::Int(_))).count();
        let kind = match integers {
            0 => Type::Symbol,
            _ if integers == values.len() => Type::Int,
            _ => Type::Mixed,
        };
        Ok((kind, Domain::Values(values)))
    }

    /// The value of an expression without variables.
    pub(crate) fn constant(&mut self, scope: usize, expr: &Expr) -> Result<Value, Fault> {
        let term = self.term(scope, expr, false)?;
        let value = crate::eval::Evaluator::new(&self.model).constant(term);
        value.ok_or_else(|| Fault::new(Stage::Types, expr.place, "a constant is wanted here"))
    }

    pub(crate) fn constant_integer(&mut self, scope: usize, expr: &Expr) -> Result<i64, Fault> {
        match self.constant(scope, expr)? {
            Value::Int(value) => Ok(value),
            _ => Err(Fault::new(Stage::Types, expr.place, "a constant integer is wanted here")),
        }
    }

    /// Constraints, assignments and properties of all instances.
    fn constrain(&mut self) -> Result<(), Fault> {
        let mut properties = Vec::new();
        for instance in self.order(0) {
            for item in self.instances[instance].items.clone() {
                match item {
                    Item::Define { name, place, .. } => {
                        // What is defined and never used may be wrong, as in NuSMV it is an error all the same.
                        if let Some(thing) = self.member(instance, name, *place, false)? {
                            let full = format!("{}{name}", self.instances[instance].prefix);
                            self.note(full, thing);
                        }
                    }
                    Item::Assign { when, target, value } => self.assign(instance, *when, target, value)?,
                    Item::Constraint(sort, expr) => {
                        let term = self.condition(instance, expr)?;
                        self.expect_plain(term, expr.place)?;
                        self.model.places.entry(term).or_insert(expr.place);
                        match sort {
                            Constraint::Init => self.model.init.push(term),
                            Constraint::Invar => self.model.invar.push(term),
                            Constraint::Trans => self.model.trans.push(term),
                            Constraint::Justice => self.model.justice.push(term),
                        }
                        self.check_places(*sort, term, expr.place)?;
                    }
                    Item::Compassion(p, q) => {
                        let pair = (self.condition(instance, p)?, self.condition(instance, q)?);
                        self.expect_plain(pair.0, p.place)?;
                        self.expect_plain(pair.1, q.place)?;
                        self.model.compassion.push(pair);
                    }
                    Item::Property(property) => properties.push((instance, property)),
                    Item::Variable { .. } | Item::Constant(_) | Item::Isa(..) => {}
                }
            }
        }
        crate::rules::check(&self.model)?;
        for (instance, property) in properties {
            let property = self.property(instance, property)?;
            self.model.properties.push(property);
        }
        Ok(())
    }

    /// An instance and those inside, in the order of their declarations.
    fn order(&self, instance: usize) -> Vec<usize> {
        let mut order = vec![instance];
        for item in &self.instances[instance].items {
            let Item::Variable { name, .. } = item else { continue };
            if let Some(Member::Instance(child)) = self.instances[instance].members.get(name) {
                order.extend(self.order(*child));
            }
        }
        order
    }

    fn condition(&mut self, instance: usize, expr: &Expr) -> Result<Term, Fault> {
        let term = self.term(instance, expr, false)?;
        let term = self.as_bool(term);
        if !matches!(self.model.terms.kind(term), Type::Bool | Type::Formula) || self.model.terms.is_set(term) {
            let found = self.model.terms.kind(term).name();
            return Err(Fault::new(
                Stage::Types,
                expr.place,
                format!("a condition is wanted here, and this is {found}"),
            ));
        }
        Ok(term)
    }

    fn expect_plain(&self, term: Term, place: Place) -> Result<(), Fault> {
        match self.model.terms.kind(term) {
            Type::Formula => Err(Fault::new(Stage::Types, place, "temporal operators belong to properties")),
            _ => Ok(()),
        }
    }

    /// Do next values and inputs stand where they may?
    fn check_places(&self, sort: Constraint, term: Term, place: Place) -> Result<(), Fault> {
        for (variable, next) in self.model.terms.variables(term) {
            let found = &self.model.variables[variable];
            if next && sort != Constraint::Trans {
                return Err(Fault::new(Stage::Syntax, place, "`next` belongs to `TRANS`, `next(x) :=` and properties"));
            }
            if found.role == Role::Input && matches!(sort, Constraint::Init | Constraint::Invar) {
                let message = format!("`{}` is an input, and this is about states alone", found.name);
                return Err(Fault::new(Stage::Types, place, message));
            }
        }
        Ok(())
    }

    /// Note the terms that a definition stands for.
    fn note(&mut self, name: String, thing: Thing) {
        match thing {
            Thing::Term(term) => self.model.defines.push((name, term)),
            Thing::Array(low, elements) => {
                for (index, element) in (low..).zip(elements) {
                    self.note(format!("{name}[{index}]"), element);
                }
            }
            Thing::Instance(_) => {}
        }
    }

    fn property(&mut self, instance: usize, item: &PropertyItem) -> Result<Property, Fault> {
        let later = |fault: Fault| fault.in_property(item.further, &crate::print::expression(&item.formula));
        self.mentions_steps = false;
        let formula = self.condition(instance, &item.formula).map_err(later)?;
        let mentions_steps = self.mentions_steps;
        let formula = if item.sort == Sort::Invariant { self.at_once(formula) } else { formula };
        let until = item.until.as_ref().map(|until| self.condition(instance, until)).transpose().map_err(later)?;
        let sort = match item.sort {
            Sort::Psl if crate::logic::is_ctl(&self.model.terms, formula) => Sort::Ctl,
            Sort::Psl => Sort::Ltl,
            sort => sort,
        };
        for term in [Some(formula), until].into_iter().flatten() {
            crate::logic::suits(&self.model, sort, term, item.formula.place).map_err(later)?;
        }
        let prefix = self.instances[instance].prefix.trim_end_matches('.');
        let mut text = crate::print::expression(&item.formula);
        if let Some(until) = &item.until {
            let word = if item.sort == Sort::Longest { "MAX" } else { "MIN" };
            text = format!("{word} [ {text} , {} ]", crate::print::expression(until));
        }
        if !prefix.is_empty() {
            text = format!("{text} IN {prefix}");
        }
        let (name, further, place) = (item.name.clone(), item.further, item.place);
        Ok(Property { sort, name, text, formula, mentions_steps, until, further, place })
    }

    /// The term with current values for the next values of what is frozen: NuSMV takes these for no step.
    fn at_once(&mut self, term: Term) -> Term {
        let Model { terms, variables, .. } = &mut self.model;
        let is_later = |&(variable, next): &(usize, bool)| next && variables[variable].role == Role::Frozen;
        if !terms.variables(term).iter().any(is_later) {
            return term;
        }
        let current = |terms: &mut Terms, term: Term, variable: usize, next: bool| {
            let kind = terms.kind(term);
            is_later(&(variable, next)).then(|| terms.add(Node::Variable { variable, next: false }, kind))
        };
        crate::substitute::substitute(terms, &[term], &current)[0]
    }

    /// What a name stands for in an instance, if it is one there.
    pub(crate) fn member(
        &mut self,
        instance: usize,
        name: &str,
        place: Place,
        next: bool,
    ) -> Result<Option<Thing>, Fault> {
        if let Some(&(actual, scope)) = self.instances[instance].parameters.get(name) {
            return self.nested(place, |all| all.thing(scope, actual, next)).map(Some);
        }
        match self.instances[instance].members.get(name).cloned() {
            None => Ok(None),
            Some(Member::Instance(child)) => Ok(Some(Thing::Instance(child))),
            Some(Member::Declared(thing)) => self.primed(thing, next, place).map(Some),
            Some(Member::Undeclared(..)) => {
                Err(Fault::new(Stage::Types, place, format!("`{name}` is a variable, and a constant is wanted here")))
            }
            Some(Member::Define(value, scope)) => {
                let key = (instance, name.to_owned(), next);
                match self.defines.get(&key) {
                    Some(Some((thing, mentions_steps))) => {
                        self.mentions_steps |= mentions_steps;
                        return Ok(Some(thing.clone()));
                    }
                    Some(None) => {
                        return Err(Fault::new(
                            Stage::Assignments,
                            place,
                            format!("the definition of `{name}` refers to itself"),
                        ));
                    }
                    None => {}
                }
                self.defines.insert(key.clone(), None);
                let before = std::mem::take(&mut self.mentions_steps);
                let thing = self.nested(place, |all| all.thing(scope, value, next))?;
                self.defines.insert(key, Some((thing.clone(), self.mentions_steps)));
                self.mentions_steps |= before;
                Ok(Some(thing))
            }
        }
    }

    fn primed(&mut self, thing: Thing, next: bool, place: Place) -> Result<Thing, Fault> {
        match thing {
            Thing::Array(low, elements) => {
                let elements: Result<Vec<Thing>, Fault> =
                    elements.into_iter().map(|element| self.primed(element, next, place)).collect();
                Ok(Thing::Array(low, elements?))
            }
            Thing::Term(term) => {
                let Node::Variable { variable, .. } = *self.model.terms.node(term) else { return Ok(thing) };
                let Variable { role, domain, .. } = &self.model.variables[variable];
                // What has one value is a constant, in no step another one, as NuSMV has it.
                if domain.size() == 1 {
                    let (value, kind) = (domain.value(0), self.model.terms.kind(term));
                    return Ok(Thing::Term(self.model.terms.add(Node::Const(value), kind)));
                }
                let role = *role;
                let is_input = role == Role::Input;
                self.mentions_steps |= is_input || next && role != Role::Frozen;
                if !next {
                    return Ok(thing);
                }
                if is_input {
                    let name = &self.model.variables[variable].name;
                    return Err(Fault::new(Stage::Types, place, format!("`{name}` is an input: it has no next value")));
                }
                let kind = self.model.terms.kind(term);
                Ok(Thing::Term(self.model.terms.add(Node::Variable { variable, next: true }, kind)))
            }
            Thing::Instance(_) => Ok(thing),
        }
    }

    pub(crate) fn nested<T>(
        &mut self,
        place: Place,
        work: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.depth += 1;
        if self.depth > 20_000 {
            return Err(names(place, "definitions and parameters are nested too deeply"));
        }
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// The value of the expression as a term.
    pub(crate) fn term(&mut self, scope: usize, expr: &Expr, next: bool) -> Result<Term, Fault> {
        match self.thing(scope, expr, next)? {
            Thing::Term(term) => Ok(term),
            Thing::Array(..) => {
                Err(Fault::new(Stage::Types, expr.place, "an array as a whole is no value: take an element, `a[1]`"))
            }
            Thing::Instance(_) => {
                Err(Fault::new(Stage::Types, expr.place, "an instance is no value: take one of its names"))
            }
        }
    }

    /// What an expression stands for.
    pub(crate) fn thing(&mut self, scope: usize, expr: &Expr, next: bool) -> Result<Thing, Fault> {
        // A name with dots may be declared so, or be a symbolic constant.
        if matches!(expr.kind, ExprKind::Dot(..) | ExprKind::Index(..) | ExprKind::Name(_))
            && let Some(name) = dotted(expr)
        {
            let member = self.member(scope, &name, expr.place, next)?;
            match (member, self.symbols.get(&name)) {
                (Some(Thing::Instance(child)), _) => return Ok(Thing::Instance(child)),
                (Some(_), Some(_)) if !self.instances[scope].parameters.contains_key(&*name) => {
                    return Err(names(
                        expr.place,
                        format!("`{name}` is both a variable and a constant: call one otherwise"),
                    ));
                }
                (Some(thing), _) => return Ok(thing),
                (None, Some(&symbol)) => {
                    return Ok(Thing::Term(self.model.terms.add(Node::Const(Value::Symbol(symbol)), Type::Symbol)));
                }
                (None, None) => {}
            }
        }
        if let Some((base, last)) = split(expr)
            && let Ok(Thing::Instance(child)) = self.thing(scope, base, next)
            && let Some(thing) = self.member(child, &last, expr.place, next)?
        {
            return Ok(thing);
        }
        match &expr.kind {
            ExprKind::Name(name) => {
                if name == "running" {
                    return match self.running(scope) {
                        Some(term) => Ok(Thing::Term(term)),
                        None => Err(names(expr.place, "`running` is of processes, and there are none")),
                    };
                }
                if name == SELECTOR && self.selector.is_some() {
                    self.mentions_steps = true;
                    return Ok(Thing::Term(
                        self.model.terms.add(Node::Variable { variable: 0, next: false }, Type::Symbol),
                    ));
                }
                Err(names(expr.place, self.undefined(scope, name)))
            }
            ExprKind::Myself => Ok(Thing::Instance(scope)),
            ExprKind::Dot(inner, name) => {
                let Thing::Instance(child) = self.thing(scope, inner, next)? else {
                    return Err(names(expr.place, format!("`{name}` is asked of something that is no instance")));
                };
                match self.member(child, name, expr.place, next)? {
                    Some(thing) => Ok(thing),
                    None if name == "running" && self.selector.is_some() => {
                        Ok(Thing::Term(self.running(child).ok_or_else(|| names(expr.place, "no processes"))?))
                    }
                    None => Err(names(expr.place, self.undefined(child, name))),
                }
            }
            ExprKind::List(members) => {
                let elements: Result<Vec<Thing>, Fault> =
                    members.iter().map(|member| self.thing(scope, member, next)).collect();
                Ok(Thing::Array(0, elements?))
            }
            ExprKind::Index(array, index) => self.element(scope, array, index, next, expr.place),
            _ => self.operation(scope, expr, next).map(Thing::Term),
        }
    }

    fn undefined(&self, scope: usize, name: &str) -> String {
        if let Some((left, right)) = name.split_once('-')
            && self.instances[scope].members.contains_key(left)
        {
            return format!(
                "there is no `{name}`: `-` is a character of names; for a difference write `{left} - {right}`"
            );
        }
        let near = self.instances[scope].members.keys().filter(|known| known.eq_ignore_ascii_case(name)).min();
        match near {
            Some(near) => format!("there is no `{name}`: is it `{near}`?"),
            None => format!("there is no `{name}`: no variable, definition, parameter or constant is called so"),
        }
    }
}

/// The instance that a name with constant indices is asked of, and the name: `a` and `b[1]` of `a.b[1]`.
fn split(expr: &Expr) -> Option<(&Expr, String)> {
    match &expr.kind {
        ExprKind::Dot(base, name) => Some((base, name.clone())),
        ExprKind::Index(inner, index) => match (split(inner), &index.kind) {
            (Some((base, name)), ExprKind::Number(number)) => Some((base, format!("{name}[{number}]"))),
            _ => None,
        },
        _ => None,
    }
}
