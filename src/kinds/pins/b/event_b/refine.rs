//! An event of a refined machine as one substitution.
//!
//! The state has the variables of all levels: those of the machine, and those of the machines that it refines that are
//! no variables of it any more. So invariants that glue levels together have a value in each state. An event is the
//! chain of events that it refines. Its own guards say when it happens, and its own actions what becomes of the
//! variables of the machine. What becomes of the others is said by the event of the last level that has the variable:
//! by an assignment, or by the witness that the event below has for the new value. Parameters of these events that are
//! gone stand for what their witnesses say. An event that refines none leaves variables above as they are.
//!
//! All is put into *one* condition on new values, solved at once: `ANY` the new values that are no plain assignment,
//! and the parameters above that something reads, `WHERE` actions and witnesses hold. The guards of the levels above
//! are asked only for a parameter whose witness does not fix it: that they follow from those below is what Rodin has
//! proved (guard strengthening), and so is that the actions fit (simulation).
//!
//! Events that are merged have the same actions, and refine the same events, or the machine is refused where that matters.
//!
//! Source: Hallerstede, Leuschel, Plagge, *Validation of Formal Models by Refinement Animation*, SCP 2013; Abrial,
//! *Modeling in Event-B*, 2010, chapter 14.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::ast::{Expr, Kind, Name, Op, Operation, Sub, SubKind};
use super::super::error::{Error, Pos, Res};
use super::project::{Action, Event, INITIALISATION, Labelled, Machine, Named};
use super::terms;

/// The machines of a refinement, the most abstract one first.
pub(super) struct Chain<'p> {
    machines: Vec<&'p Machine>,
}

/// What becomes of a variable.
enum After {
    /// The value of an expression.
    Is(Expr),
    /// A value that is searched for.
    Some,
}

/// The parts of a substitution as they are collected.
struct Building {
    /// By variable, in the order in which they came up.
    after: Vec<(Named, After)>,
    /// Conditions on new values.
    such: Vec<Expr>,
    /// Parameters above: their conditions.
    parameters: FxHashMap<Name, Vec<Expr>>,
}

impl<'p> Chain<'p> {
    /// A chain.
    pub(super) fn new(machines: Vec<&'p Machine>) -> Self {
        Chain { machines }
    }

    fn is_variable(&self, level: usize, name: &Name) -> bool {
        self.machines[level].variables.iter().any(|(other, _)| other == name)
    }

    /// The event of a level, with all that it extends.
    fn event(&self, level: usize, name: &Named) -> Res<Event> {
        let machine = self.machines[level];
        let Some(event) = machine.events.iter().find(|event| event.name == name.0) else {
            return Err(Error::typing(name.1, format!("{} has no event {}", machine.name, name.0)));
        };
        self.expanded(level, event)
    }

    /// An event with all that it has from the one that it extends.
    fn expanded(&self, level: usize, event: &Event) -> Res<Event> {
        if !event.extended {
            return Ok(event.clone());
        }
        let refined = self.refined(level, event)?;
        let [above] = refined.as_slice() else {
            return Err(Error::typing(event.pos, format!("{} extends no event, or more than one", event.name)));
        };
        let above = self.event(level - 1, above)?;
        let mut all = event.clone();
        all.parameters.splice(0..0, above.parameters);
        all.guards.splice(0..0, above.guards);
        all.actions.splice(0..0, above.actions);
        Ok(all)
    }

    /// The events that an event refines.
    fn refined(&self, level: usize, event: &Event) -> Res<Vec<Named>> {
        if level == 0 {
            return match event.refines.first() {
                Some((name, pos)) => Err(Error::typing(*pos, format!("{} refines {name} of no machine", event.name))),
                None => Ok(Vec::new()),
            };
        }
        match event.refines.is_empty() && &*event.name == INITIALISATION {
            true => Ok(vec![(event.name.clone(), event.pos)]),
            false => Ok(event.refines.clone()),
        }
    }

    /// An event of the most concrete machine as an operation; INITIALISATION as well, which has no inputs.
    ///
    /// # Errors
    /// When it refers to what is not there, or is not supported.
    pub(super) fn operation(&self, event: &Event) -> Res<Operation> {
        self.built(event).map_err(|error| error.during(&event.name))
    }

    fn built(&self, event: &Event) -> Res<Operation> {
        let top = self.machines.len() - 1;
        let event = self.expanded(top, event)?;
        let mut building = Building { after: Vec::new(), such: Vec::new(), parameters: FxHashMap::default() };
        for action in &event.actions {
            for (name, pos) in action.targets() {
                if !self.is_variable(top, name) {
                    return Err(Error::typing(*pos, format!("{name} is no variable of {}", self.machines[top].name)));
                }
            }
            building.act(action, None)?;
        }
        // Names of parameters above, which may be others below.
        let own = |event: &Event| event.parameters.iter().map(|(name, _)| (name.clone(), name.clone())).collect();
        let (mut below, mut names): (Event, FxHashMap<Name, Name>) = (event.clone(), own(&event));
        for level in (0..top).rev() {
            let refined = self.refined(level + 1, &below)?;
            let Some(first) = refined.first() else { break };
            let above = self.event(level, first)?;
            for other in &refined[1..] {
                self.merged(level, &below, &above, &self.event(level, other)?)?;
            }
            names = self.level(level, &above, &below, &names, &mut building)?;
            below = above;
        }
        building.operation(event)
    }

    /// What an event of a level above adds; the names of its parameters.
    fn level(
        &self,
        level: usize,
        above: &Event,
        below: &Event,
        names: &FxHashMap<Name, Name>,
        building: &mut Building,
    ) -> Res<FxHashMap<Name, Name>> {
        let mut own = FxHashMap::default();
        for (name, _) in &above.parameters {
            let known = names.get(name).filter(|_| below.parameters.iter().any(|(other, _)| other == name));
            let unique = || format!("{name}°{}", self.machines[level].name).as_str().into();
            own.insert(name.clone(), known.cloned().unwrap_or_else(unique));
        }
        let renamed = |name: &Name| {
            let other = own.get(name)?;
            (other != name).then(|| Expr::new(above_pos(above), Kind::Name(other.clone())))
        };
        // Witnesses are about the parameters of both.
        let both = |name: &Name| {
            let other = names.get(name).or_else(|| own.get(name))?;
            (other != name).then(|| Expr::new(above_pos(above), Kind::Name(other.clone())))
        };
        let witness = |name: &str| {
            let found = below.witnesses.iter().find(|(label, _)| **label == *name);
            found.map(|(_, such)| {
                let mut such = such.clone();
                such.replace(&both);
                such
            })
        };
        for (name, unique) in &own {
            if building.parameters.contains_key(unique) || names.values().any(|other| other == unique) {
                continue;
            }
            let found = witness(name);
            let fixed = found.as_ref().is_some_and(|such| is_equation(such, unique));
            let mut such: Vec<Expr> = found.into_iter().collect();
            if !fixed {
                such.extend(above.guards.iter().filter(|guard| !guard.theorem).filter_map(|guard| {
                    let mut guard = guard.formula.clone();
                    guard.replace(&renamed);
                    mentions(&guard, unique).then_some(guard)
                }));
            }
            building.parameters.insert(unique.clone(), such);
        }
        for action in &above.actions {
            let targets = action.targets();
            let gone = |named: &&&Named| !self.is_variable(level + 1, &named.0);
            let number = targets.iter().filter(gone).count();
            if number == 0 {
                continue;
            }
            let action = action.renamed(&renamed);
            match action {
                Action::Assign(pairs) => {
                    let pairs = pairs.into_iter().filter(|(target, _)| !self.is_variable(level + 1, &target.0));
                    building.act(&Action::Assign(pairs.collect()), None)?;
                }
                // A witness has the new value, which the action allows.
                action => {
                    let found = targets.iter().filter(gone).filter_map(|(name, _)| {
                        let primed = format!("{name}'");
                        Some((name.clone(), witness(&primed)?))
                    });
                    let gone_all: FxHashSet<Name> = targets.iter().filter(gone).map(|(name, _)| name.clone()).collect();
                    building.act(&action, Some((&gone_all, found.collect())))?;
                }
            }
        }
        Ok(own)
    }

    /// Events that an event below merges do the same to what is gone below, and further up; the first of them is taken.
    fn merged(&self, level: usize, below: &Event, a: &Event, b: &Event) -> Res<()> {
        let relevant = |event: &Event| -> Vec<Action> {
            let is_gone = |(name, _): &&Named| !self.is_variable(level + 1, name);
            event.actions.iter().filter(|action| action.targets().iter().any(&is_gone)).cloned().collect()
        };
        let (left, right) = (relevant(a), relevant(b));
        let alike = |action: &Action| right.iter().any(|other| is_same(action, other));
        let (a_name, b_name, machine) = (&a.name, &b.name, &self.machines[level].name);
        let refused = |what: &str| {
            Err(Error::refused(b.pos, format!("{a_name} and {b_name} of {machine} are merged and {what}")))
        };
        if left.len() != right.len() || !left.iter().all(alike) {
            return refused("have different actions on what is refined");
        }
        // A parameter that no witness fixes takes the values that guards allow.
        let is_open = |(name, _): &Named| {
            let is_fixed = |(label, such): &(Name, Expr)| label == name && is_equation(such, name);
            !below.parameters.iter().any(|(other, _)| other == name) && !below.witnesses.iter().any(is_fixed)
        };
        let guards = |event: &Event| event.guards.iter().map(|guard| guard.formula.clone()).collect::<Vec<_>>();
        let (own, other) = (guards(a), guards(b));
        let is_guarded_alike = own.len() == other.len() && own.iter().zip(&other).all(|(a, b)| terms::same(a, b));
        if !left.is_empty() && !is_guarded_alike && a.parameters.iter().any(is_open) {
            return refused("have different guards for a parameter without a witness");
        }
        let above = |event: &Event| -> Res<FxHashSet<Name>> {
            Ok(self.refined(level, event)?.into_iter().map(|(name, _)| name).collect())
        };
        let is_gone = |(name, _): &Named| !self.is_variable(level, name);
        let has_gone = self.machines[..level].iter().any(|machine| machine.variables.iter().any(is_gone));
        if has_gone && above(a)? != above(b)? {
            return refused("refine different events, of variables that are gone");
        }
        Ok(())
    }
}

/// The place of an event.
fn above_pos(event: &Event) -> Pos {
    event.pos
}

/// Does a name occur in a formula?
fn mentions(expr: &Expr, name: &Name) -> bool {
    let mut names = Vec::new();
    terms::free(expr, &mut names);
    names.contains(name)
}

/// Is a predicate `name = E`, where E does not read the name?
fn is_equation(such: &Expr, name: &str) -> bool {
    equation(such, name).is_some()
}

/// The expression that a predicate says that a name equals.
fn equation<'e>(such: &'e Expr, name: &str) -> Option<&'e Expr> {
    let Kind::Op(Op::Equal, sides) = &such.kind else { return None };
    [(0, 1), (1, 0)].into_iter().find_map(|(left, right)| match &sides[left].kind {
        Kind::Name(found) if **found == *name && !mentions(&sides[right], found) => Some(&sides[right]),
        _ => None,
    })
}

fn is_same(a: &Action, b: &Action) -> bool {
    let targets = a.targets().into_iter().map(|(name, _)| name).eq(b.targets().into_iter().map(|(name, _)| name));
    targets
        && match (a, b) {
            (Action::Assign(a), Action::Assign(b)) => a.iter().zip(b).all(|(a, b)| terms::same(&a.1, &b.1)),
            (Action::In(_, a), Action::In(_, b)) | (Action::Such(_, a), Action::Such(_, b)) => terms::same(a, b),
            _ => false,
        }
}

/// The variable of a primed name.
fn unprimed(name: &str) -> Option<&str> {
    name.strip_suffix('\'')
}

/// Names of variables, and what their witnesses say of their new values.
type Witnesses<'w> = (&'w FxHashSet<Name>, Vec<(Name, Expr)>);

impl Building {
    fn put(&mut self, target: &Named, after: After) -> Res<()> {
        if self.after.iter().any(|((name, _), _)| *name == target.0) {
            return Err(Error::refused(target.1, format!("{} is assigned to twice", target.0)));
        }
        self.after.push((target.clone(), after));
        Ok(())
    }

    /// An action, perhaps with witnesses for what it does to variables that are gone; then it does nothing to others.
    fn act(&mut self, action: &Action, witnesses: Option<Witnesses<'_>>) -> Res<()> {
        let primed = |(name, pos): &Named| Expr::new(*pos, Kind::Name(format!("{name}'").as_str().into()));
        if let Some((gone, found)) = witnesses {
            let mut open = false;
            for target in action.targets() {
                if !gone.contains(&target.0) {
                    continue;
                }
                let such = found.iter().find(|(name, _)| *name == target.0).map(|(_, such)| such);
                match such.and_then(|such| equation(such, &format!("{}'", target.0))) {
                    Some(value) => self.put(target, After::Is(value.clone()))?,
                    None => {
                        self.put(target, After::Some)?;
                        self.such.extend(such.cloned());
                        open = true;
                    }
                }
            }
            if !open {
                return Ok(());
            }
            match action {
                Action::Assign(_) => {}
                Action::In(target, set) => self.such.push(terms::member(target.1, primed(target), set.clone())),
                Action::Such(_, such) => self.such.push(such.clone()),
            }
            return Ok(());
        }
        match action {
            Action::Assign(pairs) => {
                for (target, value) in pairs {
                    self.put(target, After::Is(value.clone()))?;
                }
            }
            Action::In(target, set) => {
                self.put(target, After::Some)?;
                self.such.push(terms::member(target.1, primed(target), set.clone()));
            }
            Action::Such(targets, such) => {
                for target in targets {
                    self.put(target, After::Some)?;
                }
                self.such.push(such.clone());
            }
        }
        Ok(())
    }

    /// The operation: its guard, new values to be searched for, and assignments.
    fn operation(mut self, event: Event) -> Res<Operation> {
        let pos = event.pos;
        let primed = |name: &str| -> Name { format!("{name}'").as_str().into() };
        // Names that are searched for, and conditions on them, as one leads to the next.
        let mut locals: Vec<Name> = Vec::new();
        for ((name, _), after) in &self.after {
            if matches!(after, After::Some) {
                locals.push(primed(name));
            }
        }
        let assigned: FxHashSet<Name> = self.after.iter().map(|((name, _), _)| name.clone()).collect();
        let keeps = |name: &Name| {
            let plain: Name = unprimed(name)?.into();
            (!assigned.contains(&plain)).then(|| Expr::new(pos, Kind::Name(plain)))
        };
        let mut such: Vec<Expr> = Vec::new();
        let mut todo: Vec<Expr> = std::mem::take(&mut self.such);
        for (_, after) in &mut self.after {
            if let After::Is(value) = after {
                value.replace(&keeps);
            }
        }
        let mut read: Vec<Name> = Vec::new();
        for (_, after) in &self.after {
            if let After::Is(value) = after {
                terms::free(value, &mut read);
            }
        }
        loop {
            for mut expr in todo.drain(..) {
                expr.replace(&keeps);
                terms::free(&expr, &mut read);
                such.push(expr);
            }
            let Some(name) = read.iter().find(|name| !locals.contains(name) && self.is_local(name)).cloned() else {
                break;
            };
            match unprimed(&name) {
                Some(plain) => {
                    let value = self.after.iter().find_map(|((other, _), after)| match after {
                        After::Is(value) if **other == *plain => Some(value.clone()),
                        _ => None,
                    });
                    let left = Expr::new(pos, Kind::Name(name.clone()));
                    todo.extend(value.map(|value| Expr::op(pos, Op::Equal, vec![left, value])));
                }
                None => todo.extend(self.parameters.get(&name).cloned().unwrap_or_default()),
            }
            locals.push(name);
        }
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for ((name, pos), after) in self.after {
            targets.push(Expr::new(pos, Kind::Name(name.clone())));
            values.push(match after {
                After::Is(value) => value,
                After::Some => Expr::new(pos, Kind::Name(primed(&name))),
            });
        }
        let mut body = match targets.is_empty() {
            true => Sub::new(pos, SubKind::Skip),
            false => Sub::new(pos, SubKind::Assign(targets, values)),
        };
        if !locals.is_empty() {
            body = Sub::new(pos, SubKind::Any(terms::bound(&locals), terms::all(pos, such), Box::new(body)));
        }
        let guards: Vec<Expr> = event
            .guards
            .iter()
            .filter(|guard| !guard.theorem)
            .map(|Labelled { formula, .. }| formula.clone())
            .collect();
        if !guards.is_empty() {
            body = Sub::new(pos, SubKind::Pre(terms::all(pos, guards), Box::new(body)));
        }
        let inputs: Vec<Name> = event.parameters.iter().map(|(name, _)| name.clone()).collect();
        Ok(Operation { name: event.name, outputs: Vec::new(), inputs: terms::bound(&inputs), body })
    }

    /// Is a name one that is searched for where it is read?
    fn is_local(&self, name: &Name) -> bool {
        let is_assigned = |plain: &str| self.after.iter().any(|((other, _), _)| **other == *plain);
        unprimed(name).map_or_else(|| self.parameters.contains_key(name), is_assigned)
    }
}
