//! From a parsed machine to a model: preferences, names and types, sizes of sets, constants, initial states, rows.
//!
//! Preferences among the DEFINITIONS have the meaning that ProB gives them: `SET_PREF_MAXINT`, `SET_PREF_MININT`,
//! `SET_PREF_DEFAULT_SETSIZE`, `scope_S`, and `SET_PREF_SHOW_EVENTB_ANY_VALUES`, with which the variables of an ANY
//! that is a whole operation count as inputs. Limits on the numbers of set-ups and transitions
//! (`SET_PREF_MAX_INITIALISATIONS`, `SET_PREF_MAX_OPERATIONS`) are not followed: all are found.

use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::AtomicU8;
use std::sync::{Mutex, OnceLock, RwLock};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::budget::Budget;
use crate::files;

use super::super::next_state::{Group, LabelRole, Signature, StateLabel, Variable};

use super::ast::{Bound, Carrier, Condition, Expr, Kind, Machine, Name, Op, Operation, Sub, SubKind, is_whole};
use super::check::{Checker, Global};
use super::compile::Compiler;
use super::context::{Context, Env, LARGE, Large};
use super::deferred::{self, Deferred};
use super::error::{Error, Fault, Pos, Res};
use super::includes::{self, Finder, Flat};
use super::machine::{BMachine, Options, THREADS};
use super::plan::Plan;
use super::rows;
use super::spaces;
use super::types::Type;
use super::values::{Names, Table, Value};

/// A preference that is a number or an interval: its ends.
fn preference(checker: &mut Checker, context: &Context, expr: &Expr) -> Option<(i64, i64)> {
    let mut expr = expr.clone();
    match expr.kind {
        Kind::Op(Op::Interval, _) => {}
        _ => {
            let pos = expr.pos;
            expr = Expr::op(pos, Op::Interval, vec![expr.clone(), expr]);
        }
    }
    checker.want(&mut expr, &Type::Int.set()).ok()?;
    checker.settle().ok()?;
    checker.finish(&mut expr);
    let Kind::Op(_, ends) = &expr.kind else { return None };
    let mut env = Env::new(checker.slots.len(), Budget::none());
    Some((context.int(&ends[0], &mut env).ok()?, context.int(&ends[1], &mut env).ok()?))
}

/// A conjunct about several integers as conjuncts about one or two, from which more follows before all are known:
/// `{a, b} <: S` as memberships, `card({a, b}) = 2` as inequalities.
fn one_by_one(expr: &Expr) -> Vec<Expr> {
    let integers = |expr: &Expr| match &expr.kind {
        Kind::Op(Op::SetOf, items) if expr.ty == Type::Int.set() => Some(items.clone()),
        _ => None,
    };
    let conjunct = |op: Op, left: &Expr, right: &Expr| {
        let mut free: Vec<u32> = left.free.iter().chain(right.free.iter()).copied().collect();
        free.sort_unstable();
        free.dedup();
        let made = Expr::op(expr.pos, op, vec![left.clone(), right.clone()]);
        Expr { ty: Type::Predicate, free: free.into(), ..made }
    };
    if let Kind::Op(op, sides) = &expr.kind {
        match op {
            Op::Subset => {
                if let Some(items) = integers(&sides[0]) {
                    return items.iter().map(|item| conjunct(Op::In, item, &sides[1])).collect();
                }
            }
            Op::Equal => {
                for (set, number) in [(0, 1), (1, 0)] {
                    if let (Kind::Op(Op::Card, of), Kind::Literal(Value::Int(n))) =
                        (&sides[set].kind, &sides[number].kind)
                        && let Some(items) = integers(&of[0])
                        && items.len() as i64 == *n
                    {
                        let pairs =
                            items.iter().enumerate().flat_map(|(at, a)| items[..at].iter().map(move |b| (a, b)));
                        return pairs.map(|(a, b)| conjunct(Op::Unequal, a, b)).collect();
                    }
                }
            }
            _ => {}
        }
    }
    vec![expr.clone()]
}

/// The variables of the ANY that an operation is become its inputs.
fn show_any(operation: &mut Operation) {
    let pos = operation.body.pos;
    match std::mem::replace(&mut operation.body.kind, SubKind::Skip) {
        SubKind::Any(bound, guard, body) => {
            operation.inputs.extend(bound);
            operation.body = Sub::new(pos, SubKind::Pre(guard, body));
        }
        kind => operation.body.kind = kind,
    }
}

/// A checked machine: what is left is to set up its constants and to initialise it.
struct Checked {
    checker: Checker,
    context: Context,
    names: Names,
    deferred: Vec<Deferred>,
    properties: Vec<Expr>,
    constants: Vec<Bound>,
    variables: Vec<Bound>,
}

impl BMachine {
    /// Reads a machine from a file; machines and definitions that it uses lie beside it.
    ///
    /// # Errors
    /// When it is no machine, not supported, or its constants or initialisation fail.
    pub fn open(path: &Path, options: &Options) -> Result<BMachine, Error> {
        let fail = |error: std::io::Error| {
            Error::refused(Pos::default(), format!("{} cannot be read: {error}", path.display()))
        };
        let mut text = Vec::new();
        files::open(path).and_then(|mut input| input.read_to_end(&mut text)).map_err(fail)?;
        let text = String::from_utf8_lossy(&text);
        let beside = path.parent().unwrap_or(Path::new("."));
        let finder = |name: &str| {
            let path = beside.join(name);
            let text = std::fs::read(&path).ok()?;
            Some((path.display().to_string(), String::from_utf8_lossy(&text).into_owned()))
        };
        BMachine::parse(&files::shown(path), &text, &finder, options)
    }

    /// Reads a machine from its text.
    ///
    /// # Errors
    /// As [`BMachine::open`].
    pub fn parse(name: &str, text: &str, finder: Finder<'_>, options: &Options) -> Result<BMachine, Error> {
        let flat = includes::read(name, text, finder)?;
        let files = flat.files.clone();
        build(flat, options).map_err(|error| error.within(&files))
    }
}

/// Checks a machine, sets up its constants and initialises it.
///
/// # Errors
/// When it is not well typed, not supported, or its constants or initialisation fail.
pub(super) fn build(mut flat: Flat, options: &Options) -> Res<BMachine> {
    let mut machine = std::mem::take(&mut flat.machine);
    let mut checker = Checker::default();
    let mut context = Context {
        maxint: 3,
        minint: -1,
        sizes: Vec::new(),
        given: Vec::new(),
        loops: options.loops,
        large: Large::default(),
        hard: FxHashSet::default(),
    };
    // Parameters: sets in capitals, numbers otherwise.
    let mut scalars = Vec::new();
    for parameter in &machine.parameters {
        if parameter.chars().all(|c| !c.is_lowercase()) {
            machine.sets.push((parameter.clone(), None, Pos::default()));
        } else {
            scalars.push((parameter.clone(), Pos::default()));
        }
    }
    machine.constants.splice(0..0, scalars);
    if machine.preferences.iter().any(|(name, expr)| {
        &**name == "SET_PREF_SHOW_EVENTB_ANY_VALUES" && matches!(expr.kind, Kind::Literal(Value::Bool(true)))
    }) {
        machine.operations.iter_mut().for_each(show_any);
    }
    let mut scopes = Vec::new();
    let mut set_size = options.set_size;
    for (name, expr) in &machine.preferences {
        match &**name {
            "SET_PREF_MAXINT" | "SET_PREF_MININT" | "SET_PREF_DEFAULT_SETSIZE" => {
                let Some((value, _)) = preference(&mut checker, &context, expr) else {
                    return Err(Error::refused(expr.pos, format!("{name} is no number")));
                };
                match &**name {
                    "SET_PREF_MAXINT" => context.maxint = value,
                    "SET_PREF_MININT" => context.minint = value,
                    _ => set_size = u32::try_from(value).unwrap_or(set_size),
                }
            }
            _ => {}
        }
    }
    for (name, expr) in &machine.preferences {
        if let Some(set) = name.strip_prefix("scope_")
            && let Some((low, high)) = preference(&mut checker, &context, expr)
        {
            let single = !matches!(expr.kind, Kind::Op(Op::Interval, _));
            let size = if single { high } else { high.saturating_sub(low).saturating_add(1) };
            scopes.push((set.to_string(), u32::try_from(size).unwrap_or(0)));
        }
    }
    let mut names = Names { plain: flat.labels.is_some(), ..Names::default() };
    let mut open = Vec::new();
    let declare = |checker: &mut Checker, name: &Name, global: Global, pos: Pos| match checker
        .globals
        .insert(name.clone(), global)
    {
        None => Ok(()),
        Some(_) => Err(Error::typing(pos, format!("{name} is declared twice"))),
    };
    for (number, (name, elements, pos)) in machine.sets.iter().enumerate() {
        let set = number as u32;
        declare(&mut checker, name, Global::Given(set), *pos)?;
        names.sets.push(name.to_string());
        names.elements.push(Vec::new());
        match elements {
            Some(elements) => {
                for (at, element) in elements.iter().enumerate() {
                    declare(&mut checker, element, Global::Element(set, at as u32), *pos)?;
                    names.elements[number].push(element.to_string());
                }
                context.sizes.push(elements.len() as u32);
            }
            None => {
                let scope = scopes.iter().find(|(other, _)| **other == **name).map(|(_, size)| *size);
                open.push((set, scope));
                context.sizes.push(set_size);
            }
        }
    }
    checker.unifier.sets = names.sets.clone();
    let mut constants = Vec::new();
    let mut variables = Vec::new();
    // A preference may have used slots: constants and variables come first.
    checker.slots.clear();
    for (list, into) in [(&machine.constants, &mut constants), (&machine.variables, &mut variables)] {
        for (name, pos) in list {
            let slot = checker.slot(name);
            declare(&mut checker, name, Global::Slot(slot), *pos)?;
            into.push(Bound { name: name.clone(), slot, ty: Type::Unknown });
        }
    }
    checker.operations = std::mem::take(&mut flat.callable);
    for expr in machine.properties.iter_mut().chain(&mut machine.invariant).chain(&mut machine.assertions) {
        checker.predicate(expr)?;
    }
    for sub in &mut flat.initialisations {
        checker.substitution(sub)?;
    }
    for operation in &mut machine.operations {
        checker.operation(operation)?;
    }
    // A formula that is not well typed is refused, not the machine.
    let Machine { questions, conditions, .. } = &mut machine;
    conditions.retain_mut(|condition| match checker.predicate(&mut condition.expr) {
        Ok(()) => true,
        Err(error) => {
            let reason = format!("line {}: {}", condition.expr.pos.line, error.text());
            questions[condition.question].formula = Err(reason);
            false
        }
    });
    checker.settle()?;
    for var in constants.iter_mut().chain(&mut variables) {
        var.ty = checker.unifier.resolve(&checker.slots[var.slot as usize].ty);
        if checker.unifier.open(&var.ty) {
            return Err(Error::typing(Pos::default(), format!("the type of {} cannot be inferred", var.name)));
        }
    }
    for expr in machine.properties.iter_mut().chain(&mut machine.invariant).chain(&mut machine.assertions) {
        checker.finish(expr);
    }
    machine.conditions.iter_mut().for_each(|condition| {
        checker.finish(&mut condition.expr);
    });
    for sub in &mut flat.initialisations {
        checker.finish_substitution(sub);
    }
    for operation in &mut machine.operations {
        checker.finish_bound(&mut operation.inputs);
        checker.finish_bound(&mut operation.outputs);
        checker.finish_substitution(&mut operation.body);
    }
    let properties: Vec<Expr> =
        machine.properties.iter().flat_map(|expr| expr.conjuncts()).flat_map(one_by_one).collect();
    let refs: Vec<&Expr> = properties.iter().collect();
    let known = deferred::analyse(&checker, &mut context, &open, constants.len() as u32, &refs)?;
    for (set, _) in &open {
        let size = context.sizes[*set as usize];
        if size > 10_000 {
            return Err(Error::refused(
                Pos::default(),
                format!("the set {} has {size} elements", names.sets[*set as usize]),
            ));
        }
        names.elements[*set as usize] = (1..=size).map(|n| format!("{}{n}", names.sets[*set as usize])).collect();
    }
    for known in &known {
        for (at, slot) in known.fixed.iter().enumerate() {
            if let Some(name) = names.elements[known.set as usize].get_mut(at) {
                *name = checker.slots[*slot as usize].name.to_string();
            }
        }
    }
    let checked = Checked { checker, context, names, deferred: known, properties, constants, variables };
    finish(checked, flat, machine, options)
}

/// The values that the constants may have, each a list in the order of the constants; none of them is a set-up of the machine
/// where all are fixed.
struct Setups {
    values: IndexSet<Vec<Value>, FxBuildHasher>,
    any: bool,
}

/// Sets up the constants.
fn set_up(checked: &Checked, env: &mut Env, options: &Options) -> Res<Setups> {
    let Checked { context, deferred, properties, constants, .. } = checked;
    let mut setups: IndexSet<Vec<Value>, FxBuildHasher> = IndexSet::default();
    // Different constants of a deferred set are its first elements.
    let mut fixed = Vec::new();
    for known in deferred {
        for (at, slot) in known.fixed.iter().enumerate() {
            env.slots[*slot as usize] = Value::Element(known.set, at as u32);
            fixed.push(*slot);
        }
    }
    // So are the parts of a partition whose sizes are known.
    let mut given = Vec::new();
    for known in deferred.iter().filter(|known| known.fixed.is_empty() && known.single.is_empty()) {
        let mut next = 0;
        for (slot, size) in known.parts.iter().zip(known.part_sizes.iter().flatten()) {
            let elements = (next..next + size).map(|n| Value::Element(known.set, n));
            env.slots[*slot as usize] = Value::sorted(elements.collect());
            given.push(*slot);
            next += size;
        }
    }
    // ProB leaves out constants that are fixed, and what says no more than that; is there anything left to set up?
    let fixes = |expr: &Expr| match &expr.kind {
        Kind::Op(Op::In, parts) => {
            matches!(parts[0].kind, Kind::Slot(slot) if fixed.contains(&slot)) && is_whole(&parts[1])
        }
        Kind::Op(Op::Unequal, parts) => {
            parts.iter().all(|part| matches!(part.kind, Kind::Slot(slot) if fixed.contains(&slot)))
        }
        _ => false,
    };
    let any = fixed.len() < constants.len() || !properties.iter().all(fixes);
    let free: Vec<Bound> =
        constants.iter().filter(|var| !fixed.contains(&var.slot) && !given.contains(&var.slot)).cloned().collect();
    let refs: Vec<&Expr> = properties.iter().collect();
    context
        .solve_all(&free, &refs, env, &mut |context, env| {
            if deferred::stands(deferred, &context.sizes, env) {
                setups.insert(constants.iter().map(|var| env.slots[var.slot as usize].clone()).collect());
                if setups.len() > options.initial {
                    return Err(Error::refused(
                        Pos::default(),
                        format!("more than {} set-ups of constants", options.initial),
                    ));
                }
            }
            Ok(())
        })
        .map_err(|error| match error.fault() {
            Fault::Infinite => error.during("constants"),
            _ => error,
        })?;
    if setups.is_empty() && env.unbounded.is_some() {
        let (low, high) = (context.minint, context.maxint);
        return Err(Error::refused(
            Pos::default(),
            format!("constants without bounds have no values in {low}..{high}"),
        ));
    }
    Ok(Setups { values: setups, any })
}

/// A warning where a number without bounds was taken.
fn note(env: &mut Env, context: &Context, files: &[String], what: &str) -> Option<String> {
    let pos = env.unbounded.take()?;
    let file = files.get(pos.file as usize).map_or("", String::as_str);
    Some(format!(
        "{file}:{}:{}: {what}: a number without bounds was taken from {}..{}",
        pos.line, pos.column, context.minint, context.maxint
    ))
}

/// The initial states after these set-ups: values of constants and variables.
fn initialise(
    checked: &Checked,
    setups: &Setups,
    whole: &Sub,
    env: &mut Env,
    options: &Options,
) -> Res<IndexSet<Vec<Value>, FxBuildHasher>> {
    let Checked { context, constants, variables, .. } = checked;
    let mut initial = IndexSet::<Vec<Value>, FxBuildHasher>::default();
    for setup in &setups.values {
        for (var, value) in constants.iter().zip(setup) {
            env.slots[var.slot as usize] = value.clone();
        }
        let results = context.execute(whole, env).map_err(|error| error.during("INITIALISATION"))?;
        for updates in results {
            for (slot, value) in updates.iter().filter(|(_, value)| Large::is(value)) {
                let form = env.forms.get(slot).copied();
                if form.is_some() && context.large.differs(value, form) {
                    let text = format!("INITIALISATION gives a variable a set of more than {LARGE} elements");
                    return Err(Error::refused(whole.pos, text));
                }
            }
            let mut state = setup.clone();
            for var in variables {
                match updates.binary_search_by_key(&var.slot, |(slot, _)| *slot) {
                    Ok(at) => state.push(updates[at].1.clone()),
                    Err(_) => {
                        return Err(Error::refused(whole.pos, format!("INITIALISATION gives {} no value", var.name)));
                    }
                }
            }
            initial.insert(state);
            if initial.len() > options.initial {
                return Err(Error::refused(Pos::default(), format!("more than {} initial states", options.initial)));
            }
        }
    }
    Ok(initial)
}

/// Sets up the constants, initialises, and puts the model together.
fn finish(checked: Checked, flat: Flat, machine: Machine, options: &Options) -> Res<BMachine> {
    let slots = checked.checker.slots.len();
    let mut env = Env::new(slots, &options.budget);
    let setups = set_up(&checked, &mut env, options)?;
    let mut warnings: Vec<String> = note(&mut env, &checked.context, &flat.files, "constants").into_iter().collect();
    let whole = Sub::new(Pos::default(), SubKind::Sequence(flat.initialisations));
    let initial = initialise(&checked, &setups, &whole, &mut env, options)?;
    // States that limits have cut short are none.
    options.budget.check().map_err(Error::exhausted)?;
    warnings.extend(note(&mut env, &checked.context, &flat.files, "INITIALISATION"));
    let Checked { mut context, names, constants, variables, .. } = checked;

    // Types, variables, and initial states in numbers.
    let mut signature = Signature { name: machine.name.clone(), ..Signature::default() };
    let (mut types, mut tables) = (Vec::new(), Vec::new());
    for var in constants.iter().chain(&variables) {
        let kind = types.iter().position(|ty| *ty == var.ty).unwrap_or_else(|| {
            signature.types.push(var.ty.show(&names.sets));
            tables.push(Table::of(&var.ty));
            types.push(var.ty.clone());
            types.len() - 1
        });
        signature.variables.push(Variable { name: var.name.to_string(), kind });
    }
    for (kind, ty) in types.iter().enumerate() {
        // Values of small types have numbers from the start, so that they can be read.
        if matches!(ty, Type::Bool | Type::Given(_)) {
            let values = spaces::type_values(&context, ty, &mut Env::new(slots, &options.budget), Pos::default())?;
            tables[kind] = Table::ordered(values);
        }
    }
    for state in &initial {
        let codes = state.iter().zip(&signature.variables).map(|(value, var)| tables[var.kind].number(value));
        signature.initial.push(codes.collect());
    }
    let count = signature.variables.len() as u32;
    let mut keeps = Vec::new();
    for operation in &machine.operations {
        let rows = rows::rows(&operation.body);
        let own = |set: &rows::Slots| -> Vec<usize> {
            set.iter().filter(|slot| **slot < count).map(|slot| *slot as usize).collect()
        };
        let (mut reads, mut must, mut may) = (rows.reads.clone(), rows.must.clone(), &rows.may - &rows.must);
        let mut kept = vec![false; own(&must).len() + own(&may).len()];
        if rows.several {
            let before = std::mem::take(&mut may);
            reads.extend(&before);
            must.extend(&before);
            kept = own(&must).iter().map(|slot| before.contains(&(*slot as u32))).collect();
        }
        keeps.push(kept);
        signature.groups.push(Group {
            name: operation.name.to_string(),
            reads: own(&reads),
            must_write: own(&must),
            may_write: own(&may),
            needs: Vec::new(),
        });
    }
    let mut labels = Vec::new();
    let [invariants, assertions] = flat.labels.unwrap_or_default();
    let parts = [
        (LabelRole::Invariant, &machine.invariant, invariants),
        (LabelRole::Assertion, &machine.assertions, assertions),
    ];
    for (role, list, names) in parts {
        // What has a name stays whole.
        let named = !names.is_empty();
        let parts = list.iter().flat_map(|expr| if named { vec![expr] } else { expr.conjuncts() });
        for (number, expr) in parts.enumerate() {
            let word = if role == LabelRole::Invariant { "invariant" } else { "assertion" };
            let reads = expr.free.iter().map(|slot| *slot as usize).collect();
            let name = names.get(number).cloned();
            let name = name.unwrap_or_else(|| format!("{word} {} (line {})", number + 1, expr.pos.line));
            signature.labels.push(StateLabel { name, role, reads });
            labels.push(expr.clone());
        }
    }
    for Condition { name, expr, .. } in machine.conditions {
        if signature.labels.iter().all(|label| label.name != name) {
            let reads = expr.free.iter().map(|slot| *slot as usize).collect();
            signature.labels.push(StateLabel { name, role: LabelRole::Proposition, reads });
            labels.push(expr);
        }
    }
    let source = |operation: &Operation| {
        let Pos { file, line, .. } = operation.body.pos;
        let text = flat.texts.get(usize::from(file)).and_then(|text| text.lines().nth((line as usize).checked_sub(1)?));
        format!(
            "{}:{line}: {}",
            flat.files.get(usize::from(file)).map_or("?", String::as_str),
            text.unwrap_or_default().trim()
        )
    };
    let sources = machine.operations.iter().map(source).collect();
    context.given = (0..context.sizes.len() as u32)
        .map(|set| context.value(&Expr::new(Pos::default(), Kind::Carrier(Carrier::Given(set))), &mut env))
        .collect::<Res<_>>()?;
    let plain_actions = machine.operations.iter().map(|_| OnceLock::new()).collect();
    let plans: Vec<Plan> = machine.operations.iter().map(|operation| Plan::of(operation, &mut context.hard)).collect();
    let all: Vec<Bound> = constants.iter().chain(&variables).cloned().collect();
    let fixed: Vec<(u32, Value)> = match setups.values.first() {
        Some(setup) if setups.values.len() == 1 => {
            constants.iter().map(|var| var.slot).zip(setup.iter().cloned()).collect()
        }
        _ => Vec::new(),
    };
    let mut compiler = Compiler::new(&context, slots, &all, &fixed);
    for ((plan, group), operation) in plans.iter().zip(&signature.groups).zip(&machine.operations) {
        compiler.operation(plan, &group.reads, &[&operation.inputs, &operation.outputs]);
    }
    labels.iter().for_each(|label| compiler.label(label));
    let program = compiler.finish();
    Ok(BMachine {
        signature,
        sources,
        context,
        operations: machine.operations,
        plans,
        program,
        words: (0..THREADS).map(|_| Mutex::default()).collect(),
        questions: machine.questions,
        keeps,
        labels,
        types,
        tables,
        names,
        actions: RwLock::default(),
        plain_actions,
        environments: Mutex::default(),
        slots,
        files: flat.files,
        setups: if setups.any { setups.values.len() } else { 0 },
        constants: constants.len(),
        warnings: Mutex::new(warnings),
        warn: options.warn,
        guarded: AtomicU8::new(0),
    })
}
