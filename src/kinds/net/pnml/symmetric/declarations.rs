//! Declarations: sorts, partitions, variables, and what their identifiers mean.
//!
//! Declarations may come in any order, so they are collected first and resolved on demand. A chain of sorts
//! that leads back to itself is cut by a limit on its length.

use super::super::error::{Located, PnmlProblem};
use super::super::sections::is_dot;
use super::node::Node;
use crate::kinds::net::coloured::{Sort, SortId, Sorts};
use crate::xml::excerpt;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Sorts that may refer to one another in a chain.
const MAX_CHAIN: usize = 100;

/// A set of colours that expressions can name: a sort, or one class of a partition.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub(super) sort: SortId,
    /// The colours, if these are not all of the sort.
    pub(super) colours: Option<Arc<[u64]>>,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct VariableDeclaration {
    pub(super) name: String,
    pub(super) range: Range,
}

/// A declared partition.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// The sort that it divides.
    pub(super) of: SortId,
    /// The sort of its classes.
    pub(super) classes: SortId,
    /// The class of each colour.
    pub(super) class: Arc<[u64]>,
}

/// All declarations of a net.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) sorts: Sorts,
    /// Sorts by identifier, and classes of partitions.
    ranges: FxHashMap<String, Range>,
    /// Colours by identifier: the sort and the number.
    colours: FxHashMap<String, (SortId, u64)>,
    variables: FxHashMap<String, usize>,
    variable_list: Vec<VariableDeclaration>,
    partitions: FxHashMap<String, Partition>,
}

impl Declarations {
    /// Make sense of the `<declarations>` of a file.
    pub(super) fn resolve(roots: &[Node]) -> Result<Self, Located> {
        let mut all = Declarations::default();
        let mut named: FxHashMap<&str, &Node> = FxHashMap::default();
        let (mut variables, mut ids) = (Vec::new(), FxHashMap::default());
        for node in roots.iter().flat_map(|root| &root.children) {
            let id = match node.element.as_str() {
                "namedsort" | "partition" | "variabledecl" => node.require("id")?,
                _ => return Err(node.unknown("declarations")),
            };
            if let Some(first) = ids.insert((node.element == "variabledecl", id), node.location) {
                return Err(node.error(PnmlProblem::DuplicateId { id: excerpt(id), first }));
            }
            match node.element.as_str() {
                "variabledecl" => variables.push((id, node)),
                _ => drop(named.insert(id, node)),
            }
        }
        let mut order: Vec<(&&str, &&Node)> = named.iter().collect();
        order.sort_by_key(|(_, node)| (node.location.line, node.location.column));
        for (id, node) in order {
            all.named_sort(id, node, &named, 0)?;
        }
        for (id, node) in variables {
            let range = all.range(node.only()?)?;
            let name = node.attribute("name").unwrap_or(id).to_owned();
            all.variables.insert(id.to_owned(), all.variable_list.len());
            all.variable_list.push(VariableDeclaration { name, range });
        }
        Ok(all)
    }

    /// Resolve a named sort or a partition, and before it those that it refers to.
    fn named_sort(
        &mut self,
        id: &str,
        node: &Node,
        named: &FxHashMap<&str, &Node>,
        chain: usize,
    ) -> Result<SortId, Located> {
        if let Some(known) = self.ranges.get(id) {
            return Ok(known.sort);
        }
        if chain > MAX_CHAIN {
            return Err(node.error(PnmlProblem::SortChain(excerpt(id))));
        }
        if node.element == "partition" {
            return self.partition(id, node, named, chain);
        }
        let definition = node.only()?;
        let sort = match definition.element.as_str() {
            "cyclicenumeration" | "finiteenumeration" => self.enumeration(id, definition)?,
            _ => self.component(definition, named, chain)?,
        };
        self.ranges.insert(id.to_owned(), Range { sort, colours: None });
        Ok(sort)
    }

    /// A sort inside a declaration: a reference that may lead to a sort not resolved yet, or a sort by itself.
    fn component(&mut self, node: &Node, named: &FxHashMap<&str, &Node>, chain: usize) -> Result<SortId, Located> {
        if node.element == "usersort" {
            let id = node.require("declaration")?;
            if let Some(declaration) = named.get(id) {
                return self.named_sort(id, declaration, named, chain + 1);
            }
        }
        if node.element == "productsort" {
            let parts = node.children.iter().map(|part| self.component(part, named, chain));
            let parts = parts.collect::<Result<_, _>>()?;
            return self.product(node, parts);
        }
        self.whole(node)
    }

    /// A sort; not a class of a partition, which is a part of one.
    fn whole(&mut self, node: &Node) -> Result<SortId, Located> {
        match self.range(node)? {
            Range { sort, colours: None } => Ok(sort),
            Range { colours: Some(_), .. } => Err(node.error(PnmlProblem::ClassInSort)),
        }
    }

    /// The product of these sorts; of one sort, that sort.
    fn product(&mut self, node: &Node, parts: Vec<SortId>) -> Result<SortId, Located> {
        match parts[..] {
            [part] => Ok(part),
            _ => self.add(node, Sort::Product(parts)),
        }
    }

    fn enumeration(&mut self, id: &str, node: &Node) -> Result<SortId, Located> {
        let mut constants: Vec<(&str, &str)> = Vec::new();
        for child in &node.children {
            match child.element.as_str() {
                "feconstant" => {
                    let id = child.require("id")?;
                    constants.push((id, child.attribute("name").unwrap_or(id)));
                }
                _ => return Err(child.unknown(&node.element)),
            }
        }
        // Two colours of one name would make two places of one name.
        let names: FxHashSet<&str> = constants.iter().map(|&(_, name)| name).collect();
        let distinct = names.len() == constants.len();
        let name = |&(id, name): &(&str, &str)| if distinct { name.to_owned() } else { id.to_owned() };
        let colours = constants.iter().map(name).collect();
        let cyclic = node.element == "cyclicenumeration";
        let sort = self.add(node, Sort::Enumeration { id: id.to_owned(), colours, cyclic })?;
        for (number, (constant, child)) in constants.iter().zip(&node.children).enumerate() {
            self.constant(constant.0, child, sort, number as u64)?;
        }
        Ok(sort)
    }

    fn constant(&mut self, id: &str, node: &Node, sort: SortId, colour: u64) -> Result<(), Located> {
        match self.colours.insert(id.to_owned(), (sort, colour)) {
            None => Ok(()),
            Some(_) => Err(node.error(PnmlProblem::SecondColour(excerpt(id)))),
        }
    }

    fn add(&mut self, node: &Node, sort: Sort) -> Result<SortId, Located> {
        self.sorts.add(sort).map_err(|error| node.error(PnmlProblem::Sort(error)))
    }

    fn partition(
        &mut self,
        id: &str,
        node: &Node,
        named: &FxHashMap<&str, &Node>,
        chain: usize,
    ) -> Result<SortId, Located> {
        let Some((base, elements)) = node.children.split_first() else {
            return Err(node.arity("a sort and its classes", 0));
        };
        let of = self.component(base, named, chain)?;
        let size = self.sorts.size(of);
        let mut class = FxHashMap::default();
        let (mut names, mut members) = (Vec::new(), Vec::new());
        for (number, element) in elements.iter().enumerate() {
            if element.element != "partitionelement" {
                return Err(element.unknown("partition"));
            }
            let mut colours = Vec::new();
            for child in &element.children {
                let (sort, colour) = match child.element.as_str() {
                    "useroperator" => self.colour(child)?,
                    "finiteintrangeconstant" => self.integer(child)?,
                    _ => return Err(child.unknown("partitionelement")),
                };
                if sort != of || class.insert(colour, number as u64).is_some() {
                    return Err(child.error(PnmlProblem::Partition(excerpt(id))));
                }
                colours.push(colour);
            }
            colours.sort_unstable();
            names.push(element.attribute("name").map_or_else(|| element.require("id"), Ok)?.to_owned());
            members.push(colours);
        }
        if class.len() as u64 != size {
            return Err(node.error(PnmlProblem::Partition(excerpt(id))));
        }
        let classes =
            self.add(node, Sort::Enumeration { id: format!("partition {id}"), colours: names, cyclic: false })?;
        for ((number, element), colours) in elements.iter().enumerate().zip(members) {
            let element_id = element.require("id")?;
            self.constant(element_id, element, classes, number as u64)?;
            let range = Range { sort: of, colours: Some(colours.into()) };
            if self.ranges.insert(element_id.to_owned(), range).is_some() {
                return Err(element.error(PnmlProblem::SecondColour(excerpt(element_id))));
            }
        }
        let class = (0..size).filter_map(|colour| class.get(&colour).copied()).collect();
        self.ranges.insert(id.to_owned(), Range { sort: classes, colours: None });
        self.partitions.insert(id.to_owned(), Partition { of, classes, class });
        Ok(classes)
    }

    /// The colours that a sort element stands for.
    pub(super) fn range(&mut self, node: &Node) -> Result<Range, Located> {
        let sort = match node.element.as_str() {
            "usersort" => {
                let id = node.require("declaration")?;
                match self.ranges.get(id) {
                    Some(range) => return Ok(range.clone()),
                    // Some tools use this name without a declaration; it has no other meaning.
                    None if is_dot(id) => self.add(node, Sort::Dot)?,
                    None => return Err(node.error(undeclared("sort", id))),
                }
            }
            "dot" => self.add(node, Sort::Dot)?,
            "finiteintrange" => {
                let bound = |attribute| -> Result<i64, Located> {
                    let text = node.require(attribute)?;
                    let problem = || PnmlProblem::Integer { text: excerpt(text) };
                    text.trim().parse().map_err(|_| node.error(problem()))
                };
                let (start, end) = (bound("start")?, bound("end")?);
                self.add(node, Sort::Range { start, end })?
            }
            "productsort" => {
                let parts = node.children.iter().map(|part| self.whole(part));
                let parts = parts.collect::<Result<_, Located>>()?;
                self.product(node, parts)?
            }
            // Where it stands is its only use, as it has no name.
            "cyclicenumeration" | "finiteenumeration" => self.enumeration(&node.element, node)?,
            _ => return Err(node.unknown("a sort")),
        };
        Ok(Range { sort, colours: None })
    }

    /// The colour that `<useroperator>` names.
    pub(super) fn colour(&self, node: &Node) -> Result<(SortId, u64), Located> {
        let id = node.require("declaration")?;
        self.colours.get(id).copied().ok_or_else(|| node.error(undeclared("colour", id)))
    }

    /// Is this the name of the sort without colours, and of no colour?
    pub(super) fn is_dot(&self, node: &Node) -> Result<bool, Located> {
        let id = node.require("declaration")?;
        Ok(is_dot(id) && !self.colours.contains_key(id))
    }

    /// The colour that `<finiteintrangeconstant>` names.
    pub(super) fn integer(&mut self, node: &Node) -> Result<(SortId, u64), Located> {
        let text = node.require("value")?;
        let problem = || node.error(PnmlProblem::Integer { text: excerpt(text) });
        let value: i64 = text.trim().parse().map_err(|_| problem())?;
        let sort = self.range(node.only()?)?.sort;
        match self.sorts.get(sort) {
            Sort::Range { start, end } if (*start..=*end).contains(&value) => {
                Ok((sort, (i128::from(value) - i128::from(*start)) as u64))
            }
            _ => Err(problem()),
        }
    }

    /// The variable that an element refers to.
    pub(super) fn variable(&self, node: &Node) -> Result<usize, Located> {
        let id = node.require("refvariable")?;
        self.variables.get(id).copied().ok_or_else(|| node.error(undeclared("variable", id)))
    }

    pub(super) fn variable_declaration(&self, variable: usize) -> &VariableDeclaration {
        &self.variable_list[variable]
    }

    /// The partition that an element refers to.
    pub(super) fn partition_of(&self, node: &Node) -> Result<&Partition, Located> {
        let id = node.require("refpartition")?;
        self.partitions.get(id).ok_or_else(|| node.error(undeclared("partition", id)))
    }

    /// The class of a partition that `<useroperator>` names.
    pub(super) fn class_of(&self, node: &Node) -> Option<&Range> {
        let id = node.attribute("declaration").filter(|_| node.element == "useroperator")?;
        self.ranges.get(id).filter(|range| range.colours.is_some())
    }

    /// The partition of which `<useroperator>` names a class.
    pub(super) fn classes_of(&self, node: &Node) -> Option<&Partition> {
        self.class_of(node)?;
        let (classes, _) = self.colour(node).ok()?;
        self.partitions.values().find(|partition| partition.classes == classes)
    }

    /// The sort in words.
    pub(super) fn describe(&self, sort: SortId) -> String {
        match self.sorts.get(sort) {
            Sort::Dot => "dot".to_owned(),
            Sort::Enumeration { id, .. } => excerpt(id),
            Sort::Range { start, end } => format!("{start}..{end}"),
            Sort::Product(parts) => {
                let names: Vec<&SortId> = parts.iter().collect();
                let shown = names.iter().take(8).map(|&&part| match self.sorts.get(part) {
                    Sort::Product(_) => "(…)".to_owned(),
                    _ => self.describe(part),
                });
                let more = if names.len() > 8 { " × …" } else { "" };
                format!("{}{more}", shown.collect::<Vec<_>>().join(" × "))
            }
        }
    }
}

fn undeclared(what: &'static str, id: &str) -> PnmlProblem {
    PnmlProblem::Undeclared { what, id: excerpt(id) }
}
