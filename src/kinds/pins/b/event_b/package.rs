//! ProB's packages of Event-B: one clause `package(load_event_b_project(Machines, Contexts, Remarks, Error))`.
//!
//! Formulas are trees already: a functor for each construct, whose first argument is a place (`none`, or `rodinpos`
//! with the component and the label). Names are those of the nodes of ProB's parser. Rodin's static checker has been there
//! before: events have all that they extend. The machine is the one that no other refines, the first of those.
//!
//! Source: the output of the exporter of ProB's plug-in for Rodin and of ProB 2 (`eventb_save`), version 3, and its
//! classes `ModelTranslator`, `TranslationVisitor` and `ASTProlog`.

use super::super::ast::{Binder, Carrier, Expr, Kind, Name, Op};
use super::super::error::{Error, Pos, Res};
use super::super::values::Value;
use super::project::{Action, Context, Event, Labelled, Machine, Named, Project};
use super::prolog::{Form, Term, clauses};
use super::terms;

/// Constructs of operands only: one, or two.
#[rustfmt::skip]
const OPERATORS: &[(&str, Op)] = &[
    ("negation", Op::Not), ("implication", Op::Implies), ("equivalence", Op::Iff), ("equal", Op::Equal),
    ("not_equal", Op::Unequal), ("subset", Op::Subset), ("not_subset", Op::NotSubset),
    ("subset_strict", Op::StrictSubset), ("not_subset_strict", Op::NotStrictSubset), ("less", Op::Less),
    ("less_equal", Op::LessEqual), ("greater", Op::Greater), ("greater_equal", Op::GreaterEqual), ("add", Op::Add),
    ("minus", Op::Subtract), ("multiplication", Op::Multiply), ("div", Op::Divide), ("modulo", Op::Modulo),
    ("power_of", Op::Power), ("unary_minus", Op::Negate), ("interval", Op::Interval), ("union", Op::Union),
    ("intersection", Op::Intersection), ("set_subtraction", Op::Difference), ("cartesian_product", Op::Product),
    ("minus_or_set_subtract", Op::Minus), ("mult_or_cart", Op::Times), ("general_union", Op::UnionAll),
    ("general_intersection", Op::InterAll), ("pow_subset", Op::PowerSet), ("pow1_subset", Op::PowerSet1),
    ("fin_subset", Op::FiniteSets), ("fin1_subset", Op::FiniteSets1), ("card", Op::Card), ("min", Op::Min),
    ("max", Op::Max), ("domain", Op::Domain), ("range", Op::Range), ("reverse", Op::Inverse), ("image", Op::Image),
    ("relations", Op::Relations), ("partial_function", Op::PartialFunctions), ("total_function", Op::TotalFunctions),
    ("partial_injection", Op::PartialInjections), ("total_injection", Op::TotalInjections),
    ("partial_surjection", Op::PartialSurjections), ("total_surjection", Op::TotalSurjections),
    ("partial_bijection", Op::PartialBijections), ("total_bijection", Op::TotalBijections),
    ("direct_product", Op::DirectProduct), ("parallel_product", Op::ParallelProduct),
    ("domain_restriction", Op::DomainRestrict), ("domain_subtraction", Op::DomainSubtract),
    ("range_restriction", Op::RangeRestrict), ("range_subtraction", Op::RangeSubtract), ("composition", Op::Compose),
    ("overwrite", Op::Override), ("convert_bool", Op::ToBool), ("identity", Op::Identity), ("closure", Op::Closure1),
];

/// Constructs without operands.
#[rustfmt::skip]
const CARRIERS: &[(&str, Carrier)] = &[
    ("integer_set", Carrier::Integer), ("natural_set", Carrier::Natural), ("natural1_set", Carrier::Natural1),
    ("bool_set", Carrier::Bool),
];

/// Reads a package: the project, and the name of its machine.
///
/// # Errors
/// When the text is no package, or has what is not supported.
pub(super) fn read(file: &str, text: &str) -> Result<(Project, String), Error> {
    let files = vec![file.to_owned()];
    // A clause ends with a point at the end of a line, whatever ends lines.
    let text = text.replace("\r\n", "\n");
    let read = clauses(&text, 0).and_then(|clauses| {
        let package = clauses.iter().find_map(|clause| match clause.parts() {
            Some(("package", [inner])) => Some(inner),
            _ => None,
        });
        project(package.ok_or_else(|| {
            let begin = Pos { file: 0, line: 1, column: 1 };
            Error::syntax(
                begin,
                "there is no package(load_event_b_project(...)): give a package of Event-B of ProB".into(),
            )
        })?)
    });
    match read {
        Ok((machines, contexts, name)) => {
            let project = Project { machines, contexts, files, texts: vec![text] };
            Ok((project, name))
        }
        Err(error) => Err(error.within(&files)),
    }
}

fn strange<T>(term: &Term, what: &str) -> Res<T> {
    let found = match &term.kind {
        Form::Atom(name) | Form::Compound(name, _) => name.as_str(),
        Form::Number(_) => "a number",
        Form::Variable => "a variable",
        Form::List(_) => "a list",
    };
    Err(Error::refused(term.pos, format!("expected {what}, found {found}, which is not supported here")))
}

fn list<'t>(term: &'t Term, what: &str) -> Res<&'t [Term]> {
    match &term.kind {
        Form::List(items) => Ok(items),
        _ => strange(term, what),
    }
}

fn atom(term: &Term) -> Res<Named> {
    match &term.kind {
        Form::Atom(name) => Ok((name.as_str().into(), term.pos)),
        _ => strange(term, "a name"),
    }
}

/// The name in `identifier(Pos, Name)`.
fn identifier(term: &Term) -> Res<Named> {
    match term.parts() {
        Some(("identifier", [_, name])) => atom(name),
        Some((_, [])) => atom(term),
        _ => strange(term, "a name"),
    }
}

fn identifiers(term: &Term) -> Res<Vec<Named>> {
    list(term, "names")?.iter().map(identifier).collect()
}

fn names(term: &Term) -> Res<Vec<Name>> {
    Ok(identifiers(term)?.into_iter().map(|(name, _)| name).collect())
}

/// The label of what stands at a place of Rodin.
fn label(term: &Term) -> String {
    let place = match &term.kind {
        Form::Compound(_, arguments) => arguments.first(),
        _ => None,
    };
    match place.and_then(Term::parts) {
        Some(("rodinpos", [_, label, ..])) => match label.parts() {
            Some((label, [])) => label.to_owned(),
            _ => "?".to_owned(),
        },
        _ => "?".to_owned(),
    }
}

fn project(term: &Term) -> Res<(Vec<Machine>, Vec<Context>, String)> {
    let Some(("load_event_b_project", [machines, contexts, ..])) = term.parts() else {
        return strange(term, "load_event_b_project(Machines, Contexts, ...)");
    };
    let machines: Vec<Machine> = list(machines, "machines")?.iter().map(machine).collect::<Res<_>>()?;
    let contexts: Vec<Context> = list(contexts, "contexts")?.iter().map(context).collect::<Res<_>>()?;
    let is_refined = |name: &str| {
        machines.iter().any(|machine| machine.refines.as_ref().is_some_and(|(refined, _)| **refined == *name))
    };
    match machines.iter().find(|machine| !is_refined(&machine.name)) {
        Some(machine) => {
            let name = machine.name.clone();
            Ok((machines, contexts, name))
        }
        None => Err(Error::refused(term.pos, "the package has no machine: a context has no behaviour".into())),
    }
}

/// Predicates with their labels.
fn labelled(term: &Term, theorem: bool) -> Res<Vec<Labelled>> {
    let one = |term: &Term| {
        let label = label(term);
        let formula = formula(term).map_err(|error| error.during(&label))?;
        Ok(Labelled { label, formula, theorem })
    };
    list(term, "predicates")?.iter().map(one).collect()
}

fn context(term: &Term) -> Res<Context> {
    let Some(("event_b_context", [_, name, clauses])) = term.parts() else { return strange(term, "event_b_context") };
    let mut context = Context { name: atom(name)?.0.to_string(), ..Context::default() };
    for clause in list(clauses, "clauses")? {
        match clause.parts() {
            Some(("extends", [_, names])) => context.extends = identifiers(names)?,
            Some(("constants" | "abstract_constants", [_, names])) => context.constants.extend(identifiers(names)?),
            Some(("axioms", [_, list])) => context.axioms.extend(labelled(list, false)?),
            Some(("theorems", [_, list])) => context.axioms.extend(labelled(list, true)?),
            Some(("sets", [_, sets])) => {
                for set in list(sets, "sets")? {
                    match set.parts() {
                        Some(("deferred_set", [_, name])) => context.sets.push(identifier(name)?),
                        _ => return strange(set, "deferred_set"),
                    }
                }
            }
            _ => return strange(clause, "a clause of a context"),
        }
    }
    Ok(context)
}

fn machine(term: &Term) -> Res<Machine> {
    let Some(("event_b_model", [_, name, clauses])) = term.parts() else { return strange(term, "event_b_model") };
    let mut machine = Machine { name: atom(name)?.0.to_string(), ..Machine::default() };
    for clause in list(clauses, "clauses")? {
        match clause.parts() {
            Some(("refines", [_, name])) => machine.refines = Some(identifier(name)?),
            Some(("sees", [_, names])) => machine.sees = identifiers(names)?,
            Some(("variables", [_, names])) => machine.variables = identifiers(names)?,
            Some(("invariant", [_, list])) => machine.invariants.extend(labelled(list, false)?),
            Some(("theorems", [_, list])) => machine.invariants.extend(labelled(list, true)?),
            Some(("variant", _)) => machine.variant = Some(clause.pos),
            Some(("events", [_, events])) => {
                machine.events = list(events, "events")?.iter().map(event).collect::<Res<_>>()?;
            }
            _ => return strange(clause, "a clause of a machine"),
        }
    }
    Ok(machine)
}

fn event(term: &Term) -> Res<Event> {
    let (name, rest) = match term.parts() {
        // A description stands around the event.
        Some(("description_event", [_, _, inner])) => return event_again(inner),
        // The status says whether the event has to end.
        Some(("event", [_, name, _, refines, parameters, guards, theorems, actions, witnesses]))
        | Some(("event", [_, name, refines, parameters, guards, theorems, actions, witnesses])) => {
            (name, [refines, parameters, guards, theorems, actions, witnesses])
        }
        _ => return strange(term, "event"),
    };
    let [refines, parameters, guards, theorems, actions, witnesses] = rest;
    let name = atom(name)?.0;
    let read = || {
        let mut all = labelled(guards, false)?;
        all.extend(labelled(theorems, true)?);
        let actions = list(actions, "actions")?.iter().map(action).collect::<Res<_>>()?;
        let witnesses = list(witnesses, "witnesses")?.iter().map(witness).collect::<Res<_>>()?;
        Ok(Event {
            name: name.clone(),
            pos: term.pos,
            extended: false,
            refines: identifiers(refines)?,
            parameters: identifiers(parameters)?,
            guards: all,
            actions,
            witnesses,
        })
    };
    read().map_err(|error: Error| error.during(&name))
}

/// An event that is described, but only once.
fn event_again(term: &Term) -> Res<Event> {
    match term.parts() {
        Some(("event", _)) => event(term),
        _ => strange(term, "event"),
    }
}

fn witness(term: &Term) -> Res<(Name, Expr)> {
    match term.parts() {
        Some(("witness", [_, name, such])) => Ok((identifier(name)?.0, formula(such)?)),
        _ => strange(term, "witness"),
    }
}

fn action(term: &Term) -> Res<Action> {
    let pos = term.pos;
    match term.parts() {
        Some(("assign", [_, targets, values])) => Action::assign(pos, formulas(targets)?, formulas(values)?),
        Some(("becomes_element_of", [_, targets, set])) => Action::becomes_in(pos, formulas(targets)?, formula(set)?),
        Some(("becomes_such", [_, targets, such])) => Action::becomes_such(pos, formulas(targets)?, formula(such)?),
        Some(("skip", _)) => Ok(Action::Assign(Vec::new())),
        _ => strange(term, "an action"),
    }
}

fn formulas(term: &Term) -> Res<Vec<Expr>> {
    list(term, "formulas")?.iter().map(formula).collect()
}

/// Operands of an associative construct: a list, or two.
fn several(arguments: &[Term]) -> Res<Vec<Expr>> {
    match arguments {
        [one] => formulas(one),
        more => more.iter().map(formula).collect(),
    }
}

/// A predicate or an expression.
fn formula(term: &Term) -> Res<Expr> {
    let pos = term.pos;
    let op = |op, parts| Ok(Expr::op(pos, op, parts));
    let Some((functor, all)) = term.parts() else { return strange(term, "a formula") };
    let arguments = all.get(1..).unwrap_or_default();
    let binder = |binder, names: &[Name], parts| Ok(Expr::new(pos, Kind::Binder(binder, terms::bound(names), parts)));
    if let Some((_, carrier)) = CARRIERS.iter().find(|(name, _)| *name == functor) {
        return Ok(Expr::new(pos, Kind::Carrier(*carrier)));
    }
    match (functor, arguments) {
        ("identifier", [name]) => Ok(terms::name(pos, &atom(name)?.0)),
        // `x$0` of classical B is the value before.
        ("primed_identifier", [name, _]) => Ok(terms::name(pos, &atom(name)?.0)),
        ("integer", [number]) => match number.kind {
            Form::Number(Some(n)) => Ok(Expr::literal(pos, Value::Int(n))),
            _ => Err(Error::refused(pos, "this number has more than 64 bits".into())),
        },
        ("truth", []) => Ok(terms::truth(pos)),
        ("falsity", []) => Ok(terms::falsity(pos)),
        ("boolean_true", []) => Ok(Expr::literal(pos, Value::Bool(true))),
        ("boolean_false", []) => Ok(Expr::literal(pos, Value::Bool(false))),
        ("empty_set", []) => Ok(terms::extension(pos, Vec::new())),
        ("set_extension", [items]) => Ok(terms::extension(pos, formulas(items)?)),
        ("conjunct", _) => op(Op::And, several(arguments)?),
        ("disjunct", _) => op(Op::Or, several(arguments)?),
        ("member", [left, right]) => Ok(terms::member(pos, formula(left)?, formula(right)?)),
        ("not_member", [left, right]) => {
            Ok(Expr::op(pos, Op::Not, vec![terms::member(pos, formula(left)?, formula(right)?)]))
        }
        ("forall", [bound, such]) => binder(Binder::Forall, &names(bound)?, vec![formula(such)?]),
        ("forall", [bound, such, then]) => {
            let body = Expr::op(pos, Op::Implies, vec![formula(such)?, formula(then)?]);
            binder(Binder::Forall, &names(bound)?, vec![body])
        }
        ("exists", [bound, such]) => binder(Binder::Exists, &names(bound)?, vec![formula(such)?]),
        ("finite", [set]) => Ok(terms::finite(pos, formula(set)?)),
        ("partition", [whole, parts]) => Ok(terms::partition(pos, formula(whole)?, formulas(parts)?)),
        ("couple", _) => {
            let pair = |left, right| Expr::op(pos, Op::Couple, vec![left, right]);
            several(arguments)?.into_iter().reduce(pair).map_or_else(|| strange(term, "a pair"), Ok)
        }
        ("function", [function, inputs]) => {
            let pair = |left, right| Expr::op(pos, Op::Couple, vec![left, right]);
            match formulas(inputs)?.into_iter().reduce(pair) {
                Some(argument) => op(Op::Apply, vec![formula(function)?, argument]),
                None => strange(term, "an argument"),
            }
        }
        ("total_relation", [left, right]) => Ok(terms::relations(pos, [formula(left)?, formula(right)?], true, false)),
        ("surjection_relation", [left, right]) => {
            Ok(terms::relations(pos, [formula(left)?, formula(right)?], false, true))
        }
        ("total_surjection_relation", [left, right]) => {
            Ok(terms::relations(pos, [formula(left)?, formula(right)?], true, true))
        }
        ("ring", [left, right]) => op(Op::Compose, vec![formula(right)?, formula(left)?]),
        ("typeof", [inner, _]) => formula(inner),
        ("event_b_identity", []) => terms::function(pos, "id").map_or_else(|| strange(term, "a function"), Ok),
        ("event_b_first_projection_v2", []) => {
            terms::function(pos, "prj1").map_or_else(|| strange(term, "a function"), Ok)
        }
        ("event_b_second_projection_v2", []) => {
            terms::function(pos, "prj2").map_or_else(|| strange(term, "a function"), Ok)
        }
        ("predecessor", []) => terms::function(pos, "pred").map_or_else(|| strange(term, "a function"), Ok),
        ("successor", []) => terms::function(pos, "succ").map_or_else(|| strange(term, "a function"), Ok),
        ("event_b_comprehension_set", [bound, value, such]) => {
            Ok(terms::comprehension(pos, &names(bound)?, formula(such)?, formula(value)?))
        }
        ("comprehension_set", [bound, such]) => binder(Binder::Set, &names(bound)?, vec![formula(such)?]),
        ("lambda", [bound, such, value]) => {
            binder(Binder::Lambda, &names(bound)?, vec![formula(such)?, formula(value)?])
        }
        ("quantified_union", [bound, such, value]) => {
            binder(Binder::Union, &names(bound)?, vec![formula(such)?, formula(value)?])
        }
        ("quantified_intersection", [bound, such, value]) => {
            binder(Binder::Inter, &names(bound)?, vec![formula(such)?, formula(value)?])
        }
        ("extended_expr" | "extended_pred", [name, ..]) => {
            let name = atom(name)?.0;
            Err(Error::refused(pos, format!("{name} is an operator of a theory, which are not supported")))
        }
        _ => match OPERATORS.iter().find(|(name, _)| *name == functor) {
            Some((_, operator)) => {
                let parts: Vec<Expr> = arguments.iter().map(formula).collect::<Res<_>>()?;
                if parts.len() != operands(*operator) {
                    return Err(Error::syntax(pos, format!("{functor} has {} operands", parts.len())));
                }
                op(*operator, parts)
            }
            None => strange(term, "a formula"),
        },
    }
}

/// How many operands an operator of the table has.
fn operands(op: Op) -> usize {
    match op {
        Op::Not | Op::Negate | Op::UnionAll | Op::InterAll | Op::PowerSet | Op::PowerSet1 | Op::FiniteSets => 1,
        Op::FiniteSets1 | Op::Card | Op::Min | Op::Max | Op::Domain | Op::Range | Op::Inverse | Op::ToBool => 1,
        Op::Identity | Op::Closure1 => 1,
        _ => 2,
    }
}
