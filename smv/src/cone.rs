//! The part of a program that its properties rest on: their cone of influence.
//!
//! **In the cone** are the variables of the properties, of fairness, of `INIT`, `INVAR` and `TRANS`, the hidden input of
//! processes, and with each variable those that its assignments read. Every other variable is free, or assigned by
//! terms of which no fault is possible; these are left out with their assignments.
//!
//! **Nothing is lost.** What is left of a state is its part in the cone.
//!
//! * First states and steps of the program are first states and steps of the cone when they are cut down to it: all that
//!   is demanded of the cone is demanded of the program.
//! * Each first state of the cone is the part of one of the program, and if *c* is the part of a state *s*, each step
//!   from *c* to *c'* is the part of a step from *s* to a state whose part is *c'*. For what is demanded beside the cone
//!   are assignments alone. They have values for all that they read, each one of its variable: there is neither an empty
//!   set nor a fault. No current value depends on itself, nor does a next one (`rules`), so that variables get their
//!   values one after the other, first those that nothing is assigned: each of them may have any value, and what is
//!   frozen keeps the one that it has. Nothing assigned to a variable of the cone is changed by that.
//!
//! So the relation of a state to its part is a bisimulation that relates first states to first states, in both
//! directions, and agrees on all conditions of properties and fairness. Paths, fair ones, infinite ones and those that
//! end correspond, and so do numbers of steps: CTL\*, invariants, also of steps, and `COMPUTE` have the same answers.
//!
//! A conjunction that may block what is beside it is in the cone: no dropped condition has to be satisfied.
//!
//! Source: Clarke, Grumberg, Peled, *Model Checking*, 1999, section 13.1, for programs of assignments.

use crate::ast::Role;
use crate::model::{Assignment, Model};
use crate::substitute::below;
use crate::term::{Node, Term, Terms};
use std::collections::HashMap;

impl Model {
    /// The part that the properties rest on, with the same properties in the same order, and without definitions. `None`
    /// if that is all of it, or has no state.
    pub fn cone(&self) -> Option<Model> {
        let inside = self.in_cone();
        if inside.iter().all(|&inside| inside) {
            return None;
        }
        let mut numbers = vec![None; self.variables.len()];
        let (mut variables, mut has_state) = (Vec::new(), false);
        for (at, variable) in self.variables.iter().enumerate().filter(|&(at, _)| inside[at]) {
            numbers[at] = Some(variables.len());
            has_state |= variable.role != Role::Input;
            variables.push(variable.clone());
        }
        let assigned: Vec<&Assignment> = self.assignments.iter().filter(|assigned| inside[assigned.variable]).collect();
        let roots: Vec<Term> = assigned.iter().map(|assigned| assigned.value).chain(self.demands()).collect();
        let (terms, of) = renumbered(&self.terms, &roots, &numbers)?;
        let all = |terms: &[Term]| terms.iter().map(|term| of[term]).collect();
        let assignments = assigned
            .into_iter()
            .map(|old| Some(Assignment { variable: numbers[old.variable]?, value: of[&old.value], ..*old }));
        let mut properties = self.properties.clone();
        for property in &mut properties {
            property.formula = of[&property.formula];
            property.until = property.until.map(|until| of[&until]);
        }
        has_state.then_some(())?;
        Some(Model {
            terms,
            symbols: self.symbols.clone(),
            variables,
            assignments: assignments.collect::<Option<_>>()?,
            places: HashMap::new(),
            init: all(&self.init),
            invar: all(&self.invar),
            trans: all(&self.trans),
            justice: all(&self.justice),
            compassion: self.compassion.iter().map(|(p, q)| (of[p], of[q])).collect(),
            defines: Vec::new(),
            latched: Vec::new(),
            properties,
            remarks: self.remarks.clone(),
            unproved: self.unproved.iter().filter_map(|&variable| numbers[variable]).collect(),
        })
    }

    /// By variable: is it in the cone? There are no latches yet.
    fn in_cone(&self) -> Vec<bool> {
        let mut reads: Vec<Vec<Term>> = vec![Vec::new(); self.variables.len()];
        for assignment in &self.assignments {
            reads[assignment.variable].push(assignment.value);
        }
        let mut terms: Vec<Term> = self.demands().collect();
        let mut open: Vec<usize> = self.selector().into_iter().chain(self.unproved.iter().copied()).collect();
        open.extend(self.latched.iter().map(|&(latch, _)| latch));
        let (mut seen, mut inside) = (vec![false; self.terms.len()], vec![false; self.variables.len()]);
        loop {
            while let Some(term) = terms.pop() {
                if std::mem::replace(&mut seen[term.0 as usize], true) {
                    continue;
                }
                match *self.terms.node(term) {
                    Node::Variable { variable, .. } => open.push(variable),
                    _ => terms.extend(self.terms.operands(term)),
                }
            }
            let Some(variable) = open.pop() else { return inside };
            if !std::mem::replace(&mut inside[variable], true) {
                terms.append(&mut reads[variable]);
            }
        }
    }
}

/// The terms that these are made of, with these numbers for variables, and what has become of each. Those with lower
/// numbers stay those with lower numbers. `None` if a variable has no number.
fn renumbered(terms: &Terms, roots: &[Term], numbers: &[Option<usize>]) -> Option<(Terms, HashMap<Term, Term>)> {
    let (mut made, mut of) = (Terms::default(), HashMap::new());
    for term in below(terms, roots) {
        let new = |operand: &Term| of[operand];
        let all = |operands: &[Term]| operands.iter().map(new).collect();
        let node = match terms.node(term) {
            &Node::Variable { variable, next } => Node::Variable { variable: numbers[variable]?, next },
            Node::Apply(op, operands) => Node::Apply(*op, all(operands)),
            Node::Set(members) => Node::Set(all(members)),
            Node::Temporal(operator, operands, bounds) => Node::Temporal(*operator, all(operands), *bounds),
            Node::If(condition, yes, no) => Node::If(new(condition), new(yes), new(no)),
            Node::Member(left, right) => Node::Member(new(left), new(right)),
            node @ (Node::Const(_) | Node::Lack(..) | Node::Range(..)) => node.clone(),
        };
        let kind = terms.kind(term);
        let copy = if terms.is_set(term) { made.add_set(node, kind) } else { made.add(node, kind) };
        of.insert(term, copy);
    }
    Some((made, of))
}
