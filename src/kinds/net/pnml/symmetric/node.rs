//! Expressions and declarations as they stand in the file.
//!
//! A file may use a sort before it declares it, so what is inside `<structure>` is kept as a tree until all
//! declarations are known. The trees are read and walked by recursion; their depth is limited.

use super::super::error::{Located, PnmlProblem};
use crate::xml::{Location, XmlCursor, excerpt};
use std::io::BufRead;

/// Elements of all expressions of a file, which are held in memory together.
const MAX_NODES: usize = 10_000_000;
/// Elements inside one another in one expression.
pub(super) const MAX_DEPTH: usize = 400;

/// The attributes that mean something; others are ignored.
const ATTRIBUTES: [&str; 8] = ["id", "name", "declaration", "refvariable", "refpartition", "value", "start", "end"];

/// An element of an expression or a declaration.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) element: String,
    pub(super) location: Location,
    attributes: Vec<(&'static str, String)>,
    pub(super) children: Vec<Node>,
}

impl Node {
    /// The element that the cursor has just entered, which is then left. `count` counts the elements read.
    pub(super) fn read<R: BufRead>(xml: &mut XmlCursor<R>, count: &mut usize) -> Result<Node, Located> {
        Node::read_at(xml, 0, count)
    }

    fn read_at<R: BufRead>(xml: &mut XmlCursor<R>, depth: usize, count: &mut usize) -> Result<Node, Located> {
        *count += 1;
        if *count > MAX_NODES {
            return Err(Located::at(xml.location(), PnmlProblem::ManyExpressions(MAX_NODES)));
        }
        if depth > MAX_DEPTH {
            return Err(Located::at(xml.location(), PnmlProblem::DeepExpression(MAX_DEPTH)));
        }
        let mut node = Node {
            element: xml.name().to_owned(),
            location: xml.location(),
            attributes: Vec::new(),
            children: Vec::new(),
        };
        for name in ATTRIBUTES {
            if let Some(value) = xml.attribute(name)? {
                node.attributes.push((name, value));
            }
        }
        // Some exporters leave text between the elements.
        while xml.next_child_past_text()?.is_some() {
            node.children.push(Node::read_at(xml, depth + 1, count)?);
        }
        Ok(node)
    }

    pub(super) fn error(&self, problem: PnmlProblem) -> Located {
        Located::at(self.location, problem)
    }

    /// An attribute that must be there.
    pub(super) fn require(&self, attribute: &'static str) -> Result<&str, Located> {
        let found = self.attributes.iter().find(|(name, _)| *name == attribute);
        found.map(|(_, value)| value.as_str()).ok_or_else(|| {
            let element = excerpt(&self.element);
            self.error(PnmlProblem::Xml(crate::xml::Problem::MissingAttribute { element, attribute }))
        })
    }

    pub(super) fn attribute(&self, attribute: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| *name == attribute).map(|(_, value)| value.as_str())
    }

    /// The element does not belong inside `parent`.
    pub(super) fn unknown(&self, parent: &str) -> Located {
        self.error(PnmlProblem::UnknownExpression { element: excerpt(&self.element), parent: excerpt(parent) })
    }

    /// The operands: what the `<subterm>`s hold, one element each.
    pub(super) fn operands(&self) -> Result<Vec<&Node>, Located> {
        let operand = |child: &'_ Node| -> Result<(), Located> {
            if child.element != "subterm" {
                return Err(child.unknown(&self.element));
            }
            child.only().map(|_| ())
        };
        self.children.iter().try_for_each(operand)?;
        Ok(self.children.iter().filter_map(|subterm| subterm.children.first()).collect())
    }

    /// The operands, of which there must be a number in this range.
    pub(super) fn operands_in(&self, least: usize, most: usize, needs: &'static str) -> Result<Vec<&Node>, Located> {
        let operands = self.operands()?;
        if (least..=most).contains(&operands.len()) { Ok(operands) } else { Err(self.arity(needs, operands.len())) }
    }

    /// The two operands.
    pub(super) fn pair(&self) -> Result<(&Node, &Node), Located> {
        match self.operands()?[..] {
            [first, second] => Ok((first, second)),
            ref operands => Err(self.arity("two operands", operands.len())),
        }
    }

    /// The one operand.
    pub(super) fn single(&self) -> Result<&Node, Located> {
        match self.operands()?[..] {
            [operand] => Ok(operand),
            ref operands => Err(self.arity("one operand", operands.len())),
        }
    }

    /// The one child.
    pub(super) fn only(&self) -> Result<&Node, Located> {
        match &self.children[..] {
            [child] => Ok(child),
            children => Err(self.arity("exactly one element in it", children.len())),
        }
    }

    pub(super) fn arity(&self, needs: &'static str, found: usize) -> Located {
        self.error(PnmlProblem::Arity { element: excerpt(&self.element), needs, found })
    }

    /// Call `visit` for this node and all below.
    pub(super) fn visit<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        visit(self);
        self.children.iter().for_each(|child| child.visit(visit));
    }
}
