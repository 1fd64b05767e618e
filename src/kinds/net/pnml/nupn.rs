//! The `<toolspecific tool="nupn">` section: a tree of units over the places.
//!
//! ```xml
//! <toolspecific tool="nupn" version="1.1">
//!   <size places="3" transitions="2" arcs="4"/>
//!   <structure units="2" root="u0" safe="true">
//!     <unit id="u0"> <places>p0</places> <subunits>u1</subunits> </unit>
//!     <unit id="u1"> <places>p1 p2</places> <subunits/> </unit>
//!   </structure>
//! </toolspecific>
//! ```
//!
//! (Garavel 2019, "Nested-unit Petri nets".) Engines may trust the unit structure to drop places or to encode a unit in
//! a few bits, so a section that contradicts itself or the net is an error, not a hint to be ignored: the
//! sizes must be those of the file, the units a tree that contains every place once, and if the section
//! claims that the net is unit-safe, at least the initial marking must be.

use super::error::{Located, PnmlProblem};
use super::identifiers::{Identifiers, Meaning, Symbol};
use crate::net::{Nupn, PetriNet, PlaceId, Unit};
use crate::xml::{Location, XmlCursor, excerpt};
use rustc_hash::FxHashMap;
use std::io::BufRead;

/// The section as it stands in the file.
#[derive(Debug)]
pub(super) struct Section {
    location: Location,
    /// Places, transitions and arcs, if stated.
    size: Option<[u64; 3]>,
    /// Number of units, if there is a `<structure>`.
    declared_units: Option<u64>,
    root: String,
    safe: bool,
    units: Vec<RawUnit>,
}

#[derive(Debug)]
struct RawUnit {
    id: String,
    location: Location,
    places: Vec<Symbol>,
    subunits: Vec<String>,
}

impl Section {
    /// At the opening tag of the section.
    pub(super) fn read<R: BufRead>(xml: &mut XmlCursor<R>, ids: &mut Identifiers) -> Result<Self, Located> {
        let location = xml.location();
        let mut section =
            Section { location, size: None, declared_units: None, root: String::new(), safe: false, units: Vec::new() };
        while let Some(child) = xml.next_child()? {
            match child {
                "size" => {
                    let mut size = [0; 3];
                    for (slot, attribute) in size.iter_mut().zip(["places", "transitions", "arcs"]) {
                        *slot = number(xml, attribute)?;
                    }
                    section.size = Some(size);
                    xml.skip()?;
                }
                "structure" => section.structure(xml, ids)?,
                _ => xml.skip()?,
            }
        }
        Ok(section)
    }

    fn structure<R: BufRead>(&mut self, xml: &mut XmlCursor<R>, ids: &mut Identifiers) -> Result<(), Located> {
        if self.declared_units.is_some() {
            return Err(inconsistent(xml.location(), "a second <structure>"));
        }
        self.declared_units = Some(number(xml, "units")?);
        self.root = xml.require("root")?;
        self.safe = match xml.attribute("safe")?.as_deref().map(str::trim) {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                let text = format!("safe=\"{}\" is neither true nor false", excerpt(other));
                return Err(inconsistent(xml.location(), &text));
            }
        };
        while let Some(child) = xml.next_child()? {
            if child == "unit" {
                self.unit(xml, ids)?;
            } else {
                xml.skip()?;
            }
        }
        Ok(())
    }

    fn unit<R: BufRead>(&mut self, xml: &mut XmlCursor<R>, ids: &mut Identifiers) -> Result<(), Located> {
        let location = xml.location();
        let mut unit = RawUnit { id: xml.require("id")?, location, places: Vec::new(), subunits: Vec::new() };
        while let Some(child) = xml.next_child()? {
            match child {
                "places" => unit.places.extend(xml.text()?.split_whitespace().map(|id| ids.intern(id))),
                "subunits" => unit.subunits.extend(xml.text()?.split_whitespace().map(str::to_owned)),
                _ => xml.skip()?,
            }
        }
        self.units.push(unit);
        Ok(())
    }

    /// The unit structure of `net`, if the section fits it.
    pub(super) fn resolve(self, net: &PetriNet, arcs: usize, ids: &Identifiers) -> Result<Nupn, Located> {
        let at_section = |text: String| Err(inconsistent(self.location, &text));
        if let Some(size) = self.size {
            let actual = [net.place_count(), net.transition_count(), arcs].map(|n| n as u64);
            for ((stated, actual), what) in size.into_iter().zip(actual).zip(["places", "transitions", "arcs"]) {
                if stated != actual {
                    return at_section(format!("<size> says {stated} {what}, the file has {actual}"));
                }
            }
        }
        match self.declared_units {
            None => return at_section("no <structure>".to_owned()),
            Some(n) if n != self.units.len() as u64 => {
                return at_section(format!("<structure> says {n} units, there are {}", self.units.len()));
            }
            Some(_) => {}
        }
        let mut numbers = FxHashMap::default();
        for (i, unit) in self.units.iter().enumerate() {
            if numbers.insert(unit.id.as_str(), i).is_some() {
                return Err(inconsistent(unit.location, &format!("a second unit `{}`", excerpt(&unit.id))));
            }
        }
        let Some(&root) = numbers.get(self.root.as_str()) else {
            return at_section(format!("the root unit `{}` does not exist", excerpt(&self.root)));
        };

        let mut units = Vec::with_capacity(self.units.len());
        let mut has_parent = vec![false; self.units.len()];
        let mut owned = vec![false; net.place_count()];
        for raw in &self.units {
            let at_unit = |text: String| Err(inconsistent(raw.location, &text));
            let mut unit = Unit { id: raw.id.clone(), places: Vec::new(), subunits: Vec::new() };
            for &symbol in &raw.places {
                let Meaning::Place(place) = ids.meaning(symbol) else {
                    return at_unit(format!("`{}` of unit `{}` is no place", ids.name(symbol), excerpt(&raw.id)));
                };
                if std::mem::replace(&mut owned[place.index()], true) {
                    return at_unit(format!("place `{}` is in more than one unit", ids.name(symbol)));
                }
                unit.places.push(place);
            }
            for id in &raw.subunits {
                let Some(&child) = numbers.get(id.as_str()) else {
                    return at_unit(format!("the subunit `{}` does not exist", excerpt(id)));
                };
                if child == root || std::mem::replace(&mut has_parent[child], true) {
                    return at_unit(format!(
                        "unit `{}` cannot be a subunit: it is the root or has a parent already",
                        excerpt(id)
                    ));
                }
                unit.subunits.push(child);
            }
            units.push(unit);
        }
        // The root has no parent and nobody has two, so what is below the root is a tree; the rest is adrift.
        if let Some(unit) = adrift(&units, root) {
            return at_section(format!("unit `{}` is not below the root unit", excerpt(&units[unit].id)));
        }
        if let Some(place) = owned.iter().position(|&o| !o) {
            let id = excerpt(&net.place(PlaceId(place as u32)).id);
            return at_section(format!("place `{id}` is in no unit"));
        }
        let nupn = Nupn { units, root, safe: self.safe };
        if let Some(text) = self.safe.then(|| unsafe_initially(net, &nupn)).flatten() {
            return at_section(format!("the net is said to be unit-safe, but initially {text}"));
        }
        Ok(nupn)
    }
}

/// A unit that the root does not contain.
fn adrift(units: &[Unit], root: usize) -> Option<usize> {
    let mut reached = vec![false; units.len()];
    let mut stack = vec![root];
    while let Some(unit) = stack.pop() {
        reached[unit] = true;
        stack.extend(&units[unit].subunits);
    }
    reached.iter().position(|&r| !r)
}

/// How the initial marking contradicts unit-safety, if it does: two tokens in one unit, or in a unit and one
/// inside it.
fn unsafe_initially(net: &PetriNet, nupn: &Nupn) -> Option<String> {
    // Each entry carries a marked place of an enclosing unit.
    let mut stack: Vec<(usize, Option<PlaceId>)> = vec![(nupn.root, None)];
    while let Some((unit, mut marked)) = stack.pop() {
        for &place in &nupn.units[unit].places {
            match (net.place(place).initial, marked) {
                (0, _) => {}
                (1, None) => marked = Some(place),
                (1, Some(other)) => {
                    let (a, b) = (excerpt(&net.place(other).id), excerpt(&net.place(place).id));
                    return Some(format!("`{a}` and `{b}` are both marked"));
                }
                (n, _) => return Some(format!("`{}` holds {n} tokens", excerpt(&net.place(place).id))),
            }
        }
        stack.extend(nupn.units[unit].subunits.iter().map(|&s| (s, marked)));
    }
    None
}

fn number<R: BufRead>(xml: &XmlCursor<R>, attribute: &'static str) -> Result<u64, Located> {
    let text = xml.require(attribute)?;
    text.trim()
        .parse()
        .map_err(|_| inconsistent(xml.location(), &format!("{attribute}=\"{}\" is not a number", excerpt(&text))))
}

fn inconsistent(location: Location, text: &str) -> Located {
    Located::at(location, PnmlProblem::Nupn(text.to_owned()))
}
