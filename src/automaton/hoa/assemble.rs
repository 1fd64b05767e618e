//! From what a document says to an automaton.
//!
//! Labels become disjunctions of cubes by distribution; the number of cubes of one label is bounded. The acceptance condition
//! becomes copies of the automaton with generalized Büchi marks ([`super::acceptance`]).

use super::HoaError;
use super::acceptance::{Disjunct, cases};
use super::reader::{Header, Label, Parser, State};
use crate::automaton::{Cube, Guard, Literal, Location, Marks, Prop, Tgba, TgbaBuilder};
use indexmap::IndexMap;

/// Cubes of one label.
const MAX_CUBES: usize = 1 << 14;
/// Subexpressions of one label, aliases expanded.
const LABEL_FUEL: u32 = 1 << 18;
/// Propositions of an automaton with implicit labels.
const MAX_IMPLICIT: usize = 16;
/// Edges of an automaton and of its copies.
const MAX_EDGES: usize = 1 << 22;

impl Parser {
    /// The automaton with these states; `end` is the token at the end of the document.
    pub(super) fn assemble(
        &self,
        header: &Header,
        states: &IndexMap<u32, State>,
        end: usize,
    ) -> Result<Tgba, HoaError> {
        let cases = match header.acceptance.as_ref().map(cases) {
            Some(Some(cases)) => cases,
            Some(None) => return self.error_at(end, "this acceptance condition is too large: its cases are too many"),
            None => Vec::new(),
        };
        let clauses = cases.iter().map(|case| case.infinitely.len()).max().unwrap_or(0);
        // What runs before the copies must not accept for lack of marks.
        let sets = if cases.iter().any(Disjunct::is_plain) { clauses } else { clauses.max(1) };
        if sets > Marks::MAX as usize {
            return self.error_at(end, format!("{sets} acceptance sets; at most 64 are supported"));
        }
        let edges: usize = states.values().map(|state| state.edges.len()).sum();
        let copies: Vec<&Disjunct> = cases.iter().filter(|case| !case.is_plain()).collect();
        if edges.saturating_mul(1 + 2 * copies.len()) > MAX_EDGES {
            let why = "this acceptance condition is too large for an automaton of so many edges";
            return self.error_at(end, why);
        }
        let mut builder = TgbaBuilder::new(header.propositions.iter().cloned(), sets as u32);
        for _ in 0..states.len() * (1 + copies.len()) {
            builder.location("");
        }
        let locate = |number: u32, token: usize| match states.get_index_of(&number) {
            Some(index) => Ok(index as u32),
            None => self.error_at(token, format!("state {number} is not defined")),
        };
        let in_copy = |copy: usize, state: u32| Location((copy * states.len()) as u32 + state);
        let mut starts = Vec::new();
        for &start in &header.starts {
            starts.push(locate(start, end)?);
        }
        let initial = match starts[..] {
            [only] => Location(only),
            _ => builder.location(""),
        };
        for (number, state) in states {
            let source = locate(*number, end)?;
            let implicit = state.label.is_none() && state.edges.iter().all(|e| e.label.is_none());
            let count = header.propositions.len();
            if implicit && !state.edges.is_empty() && (count > MAX_IMPLICIT || state.edges.len() != 1 << count) {
                let message = format!("state {number} has implicit labels but not one edge for each valuation");
                return self.error_at(state.edges[0].token, message);
            }
            for (i, edge) in state.edges.iter().enumerate() {
                let guard = match (&state.label, &edge.label) {
                    (Some(_), Some(_)) => return self.error_at(edge.token, "both the state and the edge are labelled"),
                    (Some(label), None) | (None, Some(label)) => cubes(label, true, &mut LABEL_FUEL.clone()),
                    (None, None) if implicit => Some(valuation(count, i)),
                    (None, None) => return self.error_at(edge.token, "this edge has no label, others have"),
                };
                let Some(guard) = guard else { return self.error_at(edge.token, "this label is too large") };
                let guard = Guard::from_cubes(guard);
                let target = locate(edge.target, edge.token)?;
                if cases.is_empty() {
                    continue;
                }
                let has = |set: u32| state.marks.contains(&set) || edge.marks.contains(&set);
                let marks = |case: &Disjunct| case.marks(sets as u32, has);
                let plain = cases.iter().find(|case| case.is_plain()).map_or(Marks::NONE, marks);
                let mut sources = vec![(Location(source), plain)];
                if starts.len() > 1 && starts.contains(&source) {
                    sources.push((initial, Marks::NONE));
                }
                for (source, marks) in sources {
                    builder.edge(source, guard.clone(), marks, Location(target));
                    // From here on the case is decided on.
                    for copy in 1..=copies.len() {
                        builder.edge(source, guard.clone(), Marks::NONE, in_copy(copy, target));
                    }
                }
                for (copy, case) in (1..).zip(&copies).filter(|(_, case)| !case.is_over(has)) {
                    builder.edge(in_copy(copy, source), guard.clone(), marks(case), in_copy(copy, target));
                }
            }
        }
        match builder.build(initial) {
            Ok(automaton) => Ok(match &header.name {
                Some(name) => automaton.with_title(name),
                None => automaton,
            }),
            Err(error) => self.error_at(end, error.to_string()),
        }
    }
}

/// The cube of the `index`-th valuation: bit `j` is proposition `j`.
fn valuation(props: usize, index: usize) -> Vec<Cube> {
    let literals = (0..props).map(|j| Literal { prop: Prop(j as u32), positive: index >> j & 1 == 1 });
    Cube::new(literals).into_iter().collect()
}

/// The label (or its negation) as cubes; `None` when they are too many or `fuel` is used up. Recursion is as
/// deep as the nesting, which the parser has bounded.
fn cubes(label: &Label, positive: bool, fuel: &mut u32) -> Option<Vec<Cube>> {
    *fuel = fuel.checked_sub(1)?;
    let found = match label {
        Label::Constant(value) if *value == positive => vec![Cube::default()],
        Label::Constant(_) => Vec::new(),
        Label::Prop(p) => Cube::new([Literal { prop: Prop(*p), positive }]).into_iter().collect(),
        Label::Shared(inner) => cubes(inner, positive, fuel)?,
        Label::Not(inner) => cubes(inner, !positive, fuel)?,
        Label::And(all) | Label::Or(all) if matches!(label, Label::Or(_)) == positive => {
            let mut any = Vec::new();
            for part in all {
                any.extend(cubes(part, positive, fuel)?);
                if any.len() > MAX_CUBES {
                    return None;
                }
            }
            any
        }
        Label::And(all) | Label::Or(all) => {
            let mut product = vec![Cube::default()];
            for part in all {
                let factor = cubes(part, positive, fuel)?;
                if product.len().saturating_mul(factor.len()) > MAX_CUBES {
                    return None;
                }
                product = product.iter().flat_map(|a| factor.iter().filter_map(|b| a.and(b))).collect();
                product.sort_unstable();
                product.dedup();
            }
            product
        }
    };
    Some(found)
}
