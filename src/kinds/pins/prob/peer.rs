//! A server behind the next-state interface.
//!
//! Values are bytes that nobody but the server understands. Those of one type are numbered as they come; equal bytes
//! are equal values.

use super::link::{Link, Patience, Started};
use super::term;
use super::wire::{self, Described, Matrix};
use crate::kinds::pins::{
    Batch, Group, LabelRole, ModelError, NextState, Signature, StateLabel, Successors, Value, Values, Variable,
};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The values of a type, by number.
type Table = IndexSet<Vec<u8>, FxBuildHasher>;

/// A machine that a server explores.
#[derive(Debug)]
pub struct Peer {
    link: Link,
    signature: Signature,
    /// Names of groups and of state labels, as the server knows them.
    groups: Vec<String>,
    labels: Vec<String>,
    root: Vec<Vec<u8>>,
    tables: Vec<RwLock<Table>>,
}

const NEXT: &str = "get-next-state";
const LABEL: &str = "get-state-label";

/// A name without the two letters with which ProB begins each of them.
fn shown(name: &str) -> &str {
    name.strip_prefix("DA").unwrap_or(name)
}

impl Peer {
    /// Connect to the socket at a path, which `server` may have made, and ask for the machine and its initial states.
    ///
    /// # Errors
    /// When nobody serves there, or not as it should be.
    pub fn connect(path: &Path, patience: Patience, server: Option<Started>) -> Result<Self, ModelError> {
        let link = Link::new(path, patience, server)?;
        let described = link.ask("init", [b"0".to_vec()], wire::described)?;
        let fail = |message: String| ModelError(format!("{}: init: {message}", path.display()));
        let mut signature = signature(&described).map_err(fail)?;
        let labels = described.invariants.iter().chain(&described.propositions);
        let peer = Peer {
            labels: labels.map(|(name, _)| name.clone()).collect(),
            tables: signature.types.iter().map(|_| RwLock::default()).collect(),
            root: described.root,
            groups: described.groups,
            link,
            signature: std::mem::take(&mut signature),
        };
        let initial = peer.ask_next(&peer.groups[0], peer.root.clone())?;
        let codes = |state: Vec<Vec<u8>>| (0..).zip(state).map(|(at, value)| peer.code(at, value)).collect();
        let initial: IndexSet<Vec<Value>> = initial.into_iter().map(codes).collect();
        let signature = Signature { initial: initial.into_iter().collect(), ..peer.signature.clone() };
        Ok(Peer { signature, ..peer })
    }

    fn table(&self, kind: usize) -> RwLockReadGuard<'_, Table> {
        self.tables[kind].read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a value of a variable.
    fn code(&self, variable: usize, value: Vec<u8>) -> Value {
        self.code_in(self.signature.variables[variable].kind, value)
    }

    fn code_in(&self, kind: usize, value: Vec<u8>) -> Value {
        let known = self.table(kind).get_index_of(&value);
        let code = known
            .unwrap_or_else(|| self.tables[kind].write().unwrap_or_else(PoisonError::into_inner).insert_full(value).0);
        // There is no room for more.
        u32::try_from(code).unwrap_or(u32::MAX - 1)
    }

    /// A whole state, of which these variables are known.
    fn state(&self, row: &[usize], short: &[Value]) -> Vec<Vec<u8>> {
        let mut state = self.root.clone();
        for (&variable, &code) in row.iter().zip(short) {
            if let Some(value) = self.table(self.signature.variables[variable].kind).get_index(code as usize) {
                state[variable].clone_from(value);
            }
        }
        state
    }

    fn ask_next(&self, group: &str, state: Vec<Vec<u8>>) -> Result<Vec<Vec<Vec<u8>>>, ModelError> {
        let more = std::iter::once(group.as_bytes().to_vec()).chain(wire::list(state));
        self.link.ask(NEXT, more, |frames| wire::states(frames, NEXT, self.root.len()))
    }
}

/// The signature, with the initial states left out.
fn signature(described: &Described) -> Result<Signature, String> {
    let numbers: HashMap<&str, usize> =
        described.variables.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
    let numbered = |names: &[String]| -> Result<BTreeSet<usize>, String> {
        let number = |name: &String| numbers.get(name.as_str()).copied();
        let unknown = |name: &String| format!("a matrix has a column for `{}`, which is no variable", shown(name));
        names.iter().map(|name| number(name).ok_or_else(|| unknown(name))).collect()
    };
    let row = |matrix: &Matrix, name: &str| -> Result<BTreeSet<usize>, String> {
        let rows = matrix.iter().filter(|(row, _)| row == name);
        let mut all = BTreeSet::new();
        for (_, names) in rows {
            all.extend(numbered(names)?);
        }
        Ok(all)
    };
    let mut signature = Signature::default();
    let mut types: IndexSet<&str> = IndexSet::new();
    for (name, kind) in described.variables.iter().zip(&described.types) {
        let kind = types.insert_full(shown(kind)).0;
        signature.variables.push(Variable { name: shown(name).to_owned(), kind });
    }
    signature.types = types.into_iter().map(str::to_owned).collect();
    for group in &described.groups[1..] {
        // What may be written comes back as it was where it was not: so it is read.
        let may = row(&described.may_write, group)?;
        let must: BTreeSet<usize> = row(&described.must_write, group)?.union(&may).copied().collect();
        let mut reads = may;
        reads.extend(row(&described.reads, group)?);
        reads.extend(row(&described.guards, group)?);
        signature.groups.push(Group {
            name: shown(group).to_owned(),
            reads: reads.into_iter().collect(),
            must_write: must.into_iter().collect(),
            ..Group::default()
        });
    }
    for (matrix, role) in
        [(&described.invariants, LabelRole::Invariant), (&described.propositions, LabelRole::Proposition)]
    {
        for (name, names) in matrix {
            let reads = numbered(names)?.into_iter().collect();
            signature.labels.push(StateLabel { name: shown(name).to_owned(), role, reads });
        }
    }
    Ok(signature)
}

impl NextState for Peer {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let row = &self.signature.groups[group];
        for short in batch.iter() {
            let states = self.ask_next(&self.groups[group + 1], self.state(&row.reads, short))?;
            for mut state in states {
                let values = row.must_write.iter().map(|&at| self.code(at, std::mem::take(&mut state[at])));
                successors.push(u32::try_from(group).unwrap_or(u32::MAX), values);
            }
            successors.end();
        }
        Ok(())
    }

    fn label(&self, label: usize, short: &[Value]) -> Result<bool, ModelError> {
        let state = self.state(&self.signature.labels[label].reads, short);
        let more = std::iter::once(self.labels[label].as_bytes().to_vec()).chain(wire::list(state));
        self.link.ask(LABEL, more, |frames| wire::flag(frames, LABEL))
    }

    fn values(&self, kind: usize) -> Values {
        Values::Named(u32::try_from(self.table(kind).len()).unwrap_or(u32::MAX))
    }

    fn show(&self, kind: usize, value: Value) -> Cow<'_, str> {
        match self.table(kind).get_index(value as usize) {
            Some(value) => term::show(value).into(),
            None => value.to_string().into(),
        }
    }

    fn read(&self, kind: usize, text: &str) -> Option<Value> {
        let wanted = {
            let table = self.table(kind);
            if let Some(known) = table.iter().position(|value| term::show(value) == text) {
                return u32::try_from(known).ok();
            }
            term::like(table.first()?, text)?
        };
        Some(self.code_in(kind, wanted))
    }

    fn number(&self, _: usize, _: Value) -> Option<i64> {
        None
    }

    fn action(&self, action: u32) -> Cow<'_, str> {
        self.signature
            .groups
            .get(action as usize)
            .map_or_else(|| action.to_string().into(), |it| it.name.as_str().into())
    }
}
