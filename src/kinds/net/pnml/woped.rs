//! Subprocesses of WoPeD.
//!
//! A transition that WoPeD marks by `<subprocess>true</subprocess>` stands for a net. That is in a page with the
//! identifier of the transition, in an element `<net>` of its own, where the places before and after the transition
//! are there once more, under the same identifiers; subprocesses may have subprocesses.
//!
//! **Meaning.** The net takes the place of the transition: it begins with the tokens that the transition would take, and
//! ends with those that it would put. The copies of places are the places. A subprocess without a net is a transition.

use super::error::{Located, PnmlProblem};
use super::identifiers::Symbol;
use crate::xml::{Location, XmlCursor};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::io::BufRead;

/// A transition that stands for a net.
pub(super) struct Subprocess {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) location: Location,
    /// The places that its net shares with the one around it, if it has a net.
    shared: Option<FxHashSet<Symbol>>,
}

/// The subprocesses of a file.
#[derive(Default)]
pub(super) struct Subprocesses {
    all: IndexMap<Symbol, Subprocess, FxBuildHasher>,
    /// The nested pages that are being read: how deep they are, and of which subprocess.
    open: Vec<(usize, Symbol)>,
}

impl Subprocesses {
    /// Note a subprocess.
    pub(super) fn add(&mut self, symbol: Symbol, id: String, name: Option<String>, location: Location) {
        self.all.insert(symbol, Subprocess { id, name, location, shared: None });
    }

    /// A page begins, so deep. Is it that of a subprocess?
    pub(super) fn enter(&mut self, page: Symbol, depth: usize) -> bool {
        let Some(subprocess) = self.all.get_mut(&page).filter(|subprocess| subprocess.shared.is_none()) else {
            return false;
        };
        subprocess.shared = Some(FxHashSet::default());
        self.open.push((depth, page));
        true
    }

    /// A page, or a net in it, ends, so deep.
    pub(super) fn leave(&mut self, depth: usize) {
        self.open.pop_if(|(opened, _)| *opened == depth);
    }

    /// Is the net of a subprocess being read?
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The net that is being read shares a place.
    pub(super) fn share(&mut self, place: Symbol) {
        let open = self.open.last().and_then(|(_, page)| self.all.get_mut(page));
        open.and_then(|subprocess| subprocess.shared.as_mut()).map(|shared| shared.insert(place));
    }

    /// Does an arc between these fall away, as the net of a subprocess is there instead? `name` tells an identifier.
    ///
    /// # Errors
    /// The net lacks a place of the subprocess.
    pub(super) fn replaces(
        &self,
        ends: [Symbol; 2],
        location: Location,
        name: impl Fn(Symbol) -> String,
    ) -> Result<bool, Located> {
        let [source, target] = ends;
        for (end, other) in [(source, target), (target, source)] {
            let Some(shared) = self.all.get(&end).and_then(|subprocess| subprocess.shared.as_ref()) else { continue };
            let lacks = || Located::at(location, PnmlProblem::Subprocess { id: name(end), place: name(other) });
            return if shared.contains(&other) { Ok(true) } else { Err(lacks()) };
        }
        Ok(false)
    }

    /// Those without a net.
    pub(super) fn without_net(&self) -> impl Iterator<Item = (Symbol, &Subprocess)> {
        self.all.iter().filter(|(_, subprocess)| subprocess.shared.is_none()).map(|(&symbol, it)| (symbol, it))
    }
}

/// In a section of WoPeD at a transition: is it a subprocess?
pub(super) fn is_subprocess<R: BufRead>(xml: &mut XmlCursor<R>) -> Result<bool, Located> {
    let mut found = false;
    while let Some(child) = xml.next_child()? {
        if child == "subprocess" {
            found = xml.text()?.eq_ignore_ascii_case("true");
        } else {
            xml.skip()?;
        }
    }
    Ok(found)
}
