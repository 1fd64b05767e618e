//! ETF, the enumerated table format of LTSmin: the transition relation of each group as a table.
//!
//! [`read()`] gives a [`Description`], which says what the file says; [`Etf`] puts it behind the next-state interface;
//! [`write`](write()) gives the text again; [`describe()`] makes a description of any model, of whatever kind.
//!
//! ```text
//! begin state          variables and their sorts
//! x:byte P:P
//! end state
//! begin edge           labels of transitions and their sorts
//! action:action
//! end edge
//! begin init           the initial state
//! 0 0
//! end init
//! begin trans          a group: for each variable old/new or *, then a value for each edge label
//! 0/1 * 0
//! end trans
//! begin map even:bool  a state label: for each variable a value or *, then a value of the sort
//! 0 * 1
//! end map
//! begin sort action    values of a sort, numbered from 0
//! "step"
//! end sort
//! ```
//!
//! Numbers are indices into the table of the sort. A sort without a table has plain numbers.
//!
//! Reference: the manual page etf(5) of LTSmin, and its grammar.

mod describe;
mod lexer;
mod model;
mod read;
mod write;

pub(in crate::kinds) use describe::{Described, described, numbered};
pub use describe::{NoTables, describe};
pub use model::Etf;
pub use read::read;
pub use write::write;

use indexmap::{IndexMap, IndexSet};

/// The content of an ETF file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Description {
    /// The variables.
    pub variables: Vec<Declaration>,
    /// The labels of transitions.
    pub edge_labels: Vec<Declaration>,
    /// The initial state.
    pub initial: Vec<u32>,
    /// The groups. None is empty.
    pub relations: Vec<Relation>,
    /// The state labels.
    pub maps: Vec<Map>,
    /// Tables of values of sorts, by name. A sort without values has plain numbers.
    pub sorts: IndexMap<String, IndexSet<Vec<u8>>>,
}

/// A name and its sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name; `_` for none.
    pub name: String,
    /// The sort; `_` for none.
    pub sort: String,
}

/// A transition group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relation {
    /// The variables that it has to do with, sorted.
    pub columns: Vec<usize>,
    /// Its transitions.
    pub rows: Vec<Row>,
}

/// A transition of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The old values of the group's variables.
    pub old: Vec<u32>,
    /// The new ones.
    pub new: Vec<u32>,
    /// A value for each edge label.
    pub labels: Vec<u32>,
}

/// A state label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// The sort of its values.
    pub sort: String,
    /// For each variable a value, or none if any will do; and the value of the label.
    pub rows: Vec<(Vec<Option<u32>>, u32)>,
}
