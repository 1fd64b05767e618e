//! Expressions: from elements to well-sorted terms, guards and multisets.
//!
//! Sorts are checked from the outside in for tokens (the sort of the place is known) and from the inside out
//! for guards. Recursion is as deep as the elements, whose depth is limited when they are read.

use super::super::error::{Located, PnmlProblem};
use super::declarations::{Declarations, Range};
use super::node::Node;
use crate::formula::Comparison;
use crate::kinds::net::coloured::{Guard, Multiset, Sort, SortId, Term};
use crate::xml::excerpt;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The variables of a transition: the number of each, by that of its declaration.
pub(super) type Scope = FxHashMap<usize, usize>;

/// Reads expressions under the declarations of a net, with the variables of one transition.
pub(super) struct Expressions<'a> {
    pub(super) declarations: &'a mut Declarations,
    pub(super) scope: &'a Scope,
}

impl Expressions<'_> {
    /// A multiset of tokens of this sort.
    pub(super) fn multiset(&mut self, node: &Node, sort: SortId) -> Result<Multiset, Located> {
        Ok(match node.element.as_str() {
            "add" => {
                let operands = node.operands_in(1, usize::MAX, "one operand or more")?;
                Multiset::Sum(
                    operands.into_iter().map(|operand| self.multiset(operand, sort)).collect::<Result<_, _>>()?,
                )
            }
            "subtract" => {
                let operands = node.operands_in(2, usize::MAX, "two operands or more")?;
                let mut rest = Vec::new();
                for operand in operands {
                    rest.push(self.multiset(operand, sort)?);
                }
                let others = rest.split_off(1);
                Multiset::Difference(Box::new(Multiset::Sum(rest)), Box::new(Multiset::Sum(others)))
            }
            "numberof" | "scalarproduct" => {
                let operands = node.operands_in(1, 2, "a number and a term")?;
                match operands[..] {
                    [number, term] => Multiset::Times(self.number(number)?, Box::new(self.multiset(term, sort)?)),
                    _ => self.multiset(operands[0], sort)?,
                }
            }
            "empty" => Multiset::Sum(Vec::new()),
            "all" => {
                let range = self.declarations.range(node.only()?)?;
                self.same(node, sort, range.sort)?;
                match range.colours {
                    Some(colours) => Multiset::Each(colours),
                    None => Multiset::All(self.declarations.sorts.size(sort)),
                }
            }
            "tuple" => {
                let operands = node.operands()?;
                // A tuple of one component is that component.
                if let [operand] = operands[..] {
                    return self.multiset(operand, sort);
                }
                let Sort::Product(parts) = self.declarations.sorts.get(sort).clone() else {
                    let expected = self.declarations.describe(sort);
                    return Err(node.error(PnmlProblem::TupleArity { expected, components: 1, found: operands.len() }));
                };
                if parts.len() != operands.len() {
                    let expected = self.declarations.describe(sort);
                    let problem = PnmlProblem::TupleArity { expected, components: parts.len(), found: operands.len() };
                    return Err(node.error(problem));
                }
                let mut components = Vec::new();
                for (operand, part) in operands.into_iter().zip(parts) {
                    components.push((self.multiset(operand, part)?, self.declarations.sorts.size(part)));
                }
                tuple(components)
            }
            _ => {
                let (term, found) = self.term(node)?;
                match self.declarations.class_of(node).filter(|class| class.sort == sort) {
                    // A class stands for all of its colours.
                    Some(Range { colours: Some(colours), .. }) if found != sort => Multiset::Each(Arc::clone(colours)),
                    _ => {
                        self.same(node, sort, found)?;
                        Multiset::One(term)
                    }
                }
            }
        })
    }

    fn same(&self, node: &Node, expected: SortId, found: SortId) -> Result<(), Located> {
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (self.declarations.describe(expected), self.declarations.describe(found));
        Err(node.error(PnmlProblem::SortMismatch { element: excerpt(&node.element), expected, found }))
    }

    /// A number of tokens.
    fn number(&self, node: &Node) -> Result<u64, Located> {
        if node.element != "numberconstant" {
            return Err(node.unknown("numberof"));
        }
        super::super::tokens::tokens(node.require("value")?, node.location)
    }

    /// A term and its sort.
    fn term(&mut self, node: &Node) -> Result<(Term, SortId), Located> {
        Ok(match node.element.as_str() {
            "variable" => {
                let declared = self.declarations.variable(node)?;
                let Some(&variable) = self.scope.get(&declared) else {
                    return Err(node.error(PnmlProblem::VariableInMarking));
                };
                (Term::Variable(variable), self.declarations.variable_declaration(declared).range.sort)
            }
            // TAPAAL calls the dot by the name of its sort.
            "useroperator" if self.declarations.is_dot(node)? => self.dot(node)?,
            "useroperator" => {
                let (sort, colour) = self.declarations.colour(node)?;
                (Term::Constant(colour), sort)
            }
            "finiteintrangeconstant" => {
                let (sort, colour) = self.declarations.integer(node)?;
                (Term::Constant(colour), sort)
            }
            "dotconstant" => self.dot(node)?,
            "successor" | "predecessor" => {
                let (term, sort) = self.term(node.single()?)?;
                if !matches!(self.declarations.sorts.get(sort), Sort::Enumeration { cyclic: true, .. }) {
                    let sort = self.declarations.describe(sort);
                    return Err(node.error(PnmlProblem::NotCyclic { element: excerpt(&node.element), sort }));
                }
                let size = self.declarations.sorts.size(sort);
                let by = if node.element == "successor" { 1 } else { size - 1 };
                (term.shifted(by % size, size), sort)
            }
            "tuple" => {
                let (mut components, mut parts) = (Vec::new(), Vec::new());
                let operands = node.operands()?;
                if let [operand] = operands[..] {
                    return self.term(operand);
                }
                for operand in operands {
                    let (term, sort) = self.term(operand)?;
                    components.push((term, self.declarations.sorts.size(sort)));
                    parts.push(sort);
                }
                let sort = self.declarations.sorts.add(Sort::Product(parts));
                (Term::Tuple(components), sort.map_err(|error| node.error(PnmlProblem::Sort(error)))?)
            }
            "partitionelementof" => {
                let partition = self.declarations.partition_of(node)?.clone();
                let operand = node.single()?;
                let (term, sort) = self.term(operand)?;
                self.same(operand, partition.of, sort)?;
                (Term::Class { of: Box::new(term), classes: partition.class }, partition.classes)
            }
            _ => return Err(node.unknown("an expression for one colour")),
        })
    }

    /// The one colour of tokens without colours.
    fn dot(&mut self, node: &Node) -> Result<(Term, SortId), Located> {
        let dot = self.declarations.sorts.add(Sort::Dot);
        Ok((Term::Constant(0), dot.map_err(|error| node.error(PnmlProblem::Sort(error)))?))
    }

    /// A condition.
    pub(super) fn guard(&mut self, node: &Node) -> Result<Guard, Located> {
        let comparison = match node.element.as_str() {
            "and" | "or" => {
                let operands = node.operands_in(1, usize::MAX, "one operand or more")?;
                let operands = operands.into_iter().map(|operand| self.guard(operand)).collect::<Result<_, _>>()?;
                return Ok(if node.element == "and" { Guard::And(operands) } else { Guard::Or(operands) });
            }
            "not" => return Ok(Guard::Not(Box::new(self.guard(node.single()?)?))),
            "imply" => {
                let (premise, conclusion) = node.pair()?;
                let premise = Guard::Not(Box::new(self.guard(premise)?));
                return Ok(Guard::Or(vec![premise, self.guard(conclusion)?]));
            }
            "booleanconstant" => {
                return match node.require("value")?.trim() {
                    "true" => Ok(Guard::Constant(true)),
                    "false" => Ok(Guard::Constant(false)),
                    _ => Err(node.unknown("a condition")),
                };
            }
            "equality" => Comparison::Eq,
            "inequality" => Comparison::Ne,
            "lessthan" | "ltp" => Comparison::Lt,
            "lessthanorequal" => Comparison::Le,
            "greaterthan" | "gtp" => Comparison::Gt,
            "greaterthanorequal" => Comparison::Ge,
            _ => return Err(node.unknown("a condition")),
        };
        let (first, second) = node.pair()?;
        let (mut left, mut sort) = self.term(first)?;
        let (mut right, mut other) = self.term(second)?;
        if matches!(comparison, Comparison::Eq | Comparison::Ne) {
            // A colour is equal to a class that it is in.
            if let Some(classes) = self.declarations.classes_of(second).filter(|of| of.of == sort) {
                (left, sort) = (Term::Class { of: Box::new(left), classes: Arc::clone(&classes.class) }, other);
            } else if let Some(classes) = self.declarations.classes_of(first).filter(|of| of.of == other) {
                (right, other) = (Term::Class { of: Box::new(right), classes: Arc::clone(&classes.class) }, sort);
            }
        }
        self.same(second, sort, other)?;
        let ordered = matches!(self.declarations.sorts.get(sort), Sort::Enumeration { .. } | Sort::Range { .. });
        if !ordered && !matches!(comparison, Comparison::Eq | Comparison::Ne) {
            let sort = self.declarations.describe(sort);
            return Err(node.error(PnmlProblem::NotOrdered { element: excerpt(&node.element), sort }));
        }
        Ok(Guard::Compare(left, comparison, right))
    }
}

/// The tuples of these components: a term where each of them is one.
fn tuple(components: Vec<(Multiset, u64)>) -> Multiset {
    if components.iter().all(|(component, _)| matches!(component, Multiset::One(_))) {
        let term = |(component, size)| match component {
            Multiset::One(term) => Some((term, size)),
            _ => None,
        };
        return Multiset::One(Term::Tuple(components.into_iter().filter_map(term).collect()));
    }
    Multiset::Tuples(components)
}
