//! The reader of coloured (symmetric) nets.
//!
//! Like the reader of place/transition nets it makes one pass over the elements and connects arcs at the end;
//! what stands inside `<structure>` is kept as it is until then, since sorts and variables are often declared
//! after the nodes that use them. All that is read is checked against the declarations, so that a coloured net
//! that exists is well sorted.

mod ages;
mod declarations;
mod expressions;
mod node;
mod tapaal;

pub(super) use tapaal::read as read_tapaal;

use super::arc::ArcKind;
use super::error::{Located, PnmlProblem};
use super::identifiers::{Identifiers, Meaning, Symbol};
use super::sections::{Clocks, GAMES, skip_section};
use crate::kinds::net::coloured::{ColouredNet, ColouredPlace, ColouredTransition, Guard, Multiset, Sort, Variable};
use crate::net::{PlaceId, TransitionId};
use crate::xml::{Location, XmlCursor, excerpt};
use declarations::Declarations;
use expressions::{Expressions, Scope};
use node::Node;
use std::collections::BTreeSet;
use std::io::BufRead;

struct PendingPlace {
    id: String,
    name: Option<String>,
    location: Location,
    sort: Option<Node>,
    initial: Option<Node>,
}

struct PendingTransition {
    id: String,
    name: Option<String>,
    condition: Option<Node>,
}

struct PendingArc {
    id: String,
    location: Location,
    source: Symbol,
    target: Symbol,
    inscription: Option<Node>,
}

/// Reads one coloured net.
pub(super) struct Reader<'x, R> {
    xml: &'x mut XmlCursor<R>,
    name: String,
    ids: Identifiers,
    declarations: Vec<Node>,
    places: Vec<PendingPlace>,
    transitions: Vec<PendingTransition>,
    arcs: Vec<PendingArc>,
    /// Elements of expressions read so far.
    nodes: usize,
}

impl<'x, R: BufRead> Reader<'x, R> {
    /// At the opening tag of `<net>`.
    pub(super) fn begin(xml: &'x mut XmlCursor<R>) -> Result<Self, Located> {
        let name = xml.attribute("id")?.unwrap_or_else(|| "net".to_owned());
        Ok(Reader {
            xml,
            name,
            ids: Identifiers::default(),
            declarations: Vec::new(),
            places: Vec::new(),
            transitions: Vec::new(),
            arcs: Vec::new(),
            nodes: 0,
        })
    }

    fn error(&self, problem: PnmlProblem) -> Located {
        Located::at(self.xml.location(), problem)
    }

    fn unknown(&self) -> Located {
        let child = excerpt(self.xml.name());
        let parent = excerpt(self.xml.parent());
        self.error(PnmlProblem::UnknownElement { child, parent })
    }

    /// The whole `<net>`.
    pub(super) fn net(mut self) -> Result<ColouredNet, Located> {
        let mut pages = 0_usize;
        loop {
            match self.xml.next_child()? {
                Some("page") => {
                    let location = self.xml.location();
                    if let Some(id) = self.xml.attribute("id")? {
                        self.ids.declare(id, Meaning::Other, location)?;
                    }
                    pages += 1;
                }
                Some("place") => self.place()?,
                Some("transition") => self.transition()?,
                Some("arc") => self.arc()?,
                Some("referencePlace") => self.reference(Meaning::PlaceReference)?,
                Some("referenceTransition") => self.reference(Meaning::TransitionReference)?,
                Some("declaration") => declaration(self.xml, &mut self.declarations, &mut self.nodes)?,
                Some("toolspecific") => skip_section(self.xml, Clocks::Refused)?,
                // `labels` are text boxes of TAPAAL.
                Some("name" | "graphics" | "labels") => self.xml.skip()?,
                Some(_) => return Err(self.unknown()),
                None if pages == 0 => break,
                None => pages -= 1,
            }
        }
        self.finish()
    }

    fn place(&mut self) -> Result<(), Located> {
        let location = self.xml.location();
        let id = self.xml.require("id")?;
        let number = PlaceId(self.places.len() as u32);
        self.ids.declare(id.clone(), Meaning::Place(number), location)?;
        if let Some(what) = ages::time_of_place(self.xml)? {
            return Err(self.error(PnmlProblem::Unsupported(what)));
        }
        let mut place = PendingPlace { id, name: None, location, sort: None, initial: None };
        while let Some(child) = self.xml.next_child()? {
            match child {
                "name" => place.name = self.name()?,
                "type" => {
                    let sort = self.structure("type")?;
                    if place.sort.replace(sort).is_some() {
                        return Err(self.second_label("type", &place.id));
                    }
                }
                "hlinitialMarking" => {
                    let initial = self.structure("hlinitialMarking")?;
                    if place.initial.replace(initial).is_some() {
                        return Err(self.second_label("hlinitialMarking", &place.id));
                    }
                }
                "colorinvariant" => return Err(self.error(PnmlProblem::Unsupported(ages::TIME))),
                "toolspecific" => skip_section(self.xml, Clocks::Refused)?,
                // Where time bounds nothing ages do not matter.
                "graphics" | "initialMarkingAge" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        place.name = place.name.filter(|name| *name != place.id);
        self.places.push(place);
        Ok(())
    }

    fn transition(&mut self) -> Result<(), Located> {
        let location = self.xml.location();
        let id = self.xml.require("id")?;
        let number = TransitionId(self.transitions.len() as u32);
        self.ids.declare(id.clone(), Meaning::Transition(number), location)?;
        if self.xml.attribute("player")?.is_some_and(|player| player.trim() == "1") {
            return Err(self.error(PnmlProblem::Unsupported(GAMES)));
        }
        let mut transition = PendingTransition { id, name: None, condition: None };
        while let Some(child) = self.xml.next_child()? {
            match child {
                "name" => transition.name = self.name()?,
                "condition" => {
                    let condition = self.structure("condition")?;
                    if transition.condition.replace(condition).is_some() {
                        return Err(self.second_label("condition", &transition.id));
                    }
                }
                "toolspecific" => skip_section(self.xml, Clocks::Refused)?,
                "graphics" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        transition.name = transition.name.filter(|name| *name != transition.id);
        self.transitions.push(transition);
        Ok(())
    }

    fn arc(&mut self) -> Result<(), Located> {
        let location = self.xml.location();
        let (source, target) = (self.xml.require("source")?, self.xml.require("target")?);
        let id = self.xml.attribute("id")?;
        let shown = id.clone().unwrap_or_else(|| format!("{source} → {target}"));
        if let Some(kind) = self.xml.attribute("type")? {
            self.only_normal(&kind)?;
        }
        if let Some(what) = ages::time_of_arc(self.xml)? {
            return Err(self.error(PnmlProblem::Unsupported(what)));
        }
        let mut inscription = None;
        while let Some(child) = self.xml.next_child()? {
            match child {
                "hlinscription" => {
                    let expression = self.structure("hlinscription")?;
                    if inscription.replace(expression).is_some() {
                        return Err(self.second_label("hlinscription", &shown));
                    }
                }
                "type" | "arctype" => match self.xml.attribute("value")? {
                    Some(kind) => {
                        self.only_normal(&kind)?;
                        self.xml.skip()?;
                    }
                    None => {
                        let mut kind = None;
                        while let Some(child) = self.xml.next_child()? {
                            match child {
                                "text" => kind = Some(self.xml.text()?.to_owned()),
                                _ => return Err(self.unknown()),
                            }
                        }
                        self.only_normal(&kind.unwrap_or_default())?;
                    }
                },
                "colorinterval" => return Err(self.error(PnmlProblem::Unsupported(ages::TIME))),
                "toolspecific" => skip_section(self.xml, Clocks::Refused)?,
                "name" | "graphics" | "arcpath" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        // Nothing refers to an arc, and tools repeat the identifiers of arcs.
        let (source, target) = (self.ids.intern(&source), self.ids.intern(&target));
        self.arcs.push(PendingArc { id: shown, location, source, target, inscription });
        Ok(())
    }

    fn only_normal(&self, kind: &str) -> Result<(), Located> {
        match ArcKind::parse(kind.trim()) {
            Ok(ArcKind::Normal) => Ok(()),
            Ok(_) => Err(self.error(PnmlProblem::Unsupported("inhibitor and read arcs in coloured nets"))),
            Err(problem) => Err(self.error(problem)),
        }
    }

    fn reference(&mut self, meaning: fn(Symbol) -> Meaning) -> Result<(), Located> {
        let location = self.xml.location();
        let (id, target) = (self.xml.require("id")?, self.xml.require("ref")?);
        let target = self.ids.intern(&target);
        self.ids.declare(id, meaning(target), location)?;
        while let Some(child) = self.xml.next_child()? {
            match child {
                // A reference place may repeat the type of what it refers to.
                "toolspecific" => skip_section(self.xml, Clocks::Refused)?,
                "name" | "graphics" | "type" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        Ok(())
    }

    fn name(&mut self) -> Result<Option<String>, Located> {
        let mut name = None;
        while let Some(child) = self.xml.next_child()? {
            if child == "text" {
                let text = self.xml.text()?;
                name = (!text.is_empty()).then(|| text.to_owned());
            } else {
                self.xml.skip()?;
            }
        }
        Ok(name)
    }

    /// The expression in the `<structure>` of a label.
    fn structure(&mut self, label: &'static str) -> Result<Node, Located> {
        let location = self.xml.location();
        let mut found = None;
        while let Some(child) = self.xml.next_child()? {
            match child {
                "structure" => {
                    let node = Node::read(self.xml, &mut self.nodes)?;
                    if found.replace(node).is_some() {
                        return Err(self.second_label("structure", label));
                    }
                }
                "text" | "graphics" | "toolspecific" | "offset" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        let node = found.ok_or(Located::at(location, PnmlProblem::NoStructure { label }))?;
        match node.children.len() {
            1 => Ok(node),
            count => Err(node.arity("exactly one element in it", count)),
        }
    }

    fn second_label(&self, label: &'static str, id: &str) -> Located {
        self.error(PnmlProblem::SecondLabel { label, id: excerpt(id) })
    }

    /// All is read: make sense of it.
    fn finish(mut self) -> Result<ColouredNet, Located> {
        self.ids.resolve_references()?;
        let mut declarations = Declarations::resolve(&self.declarations)?;
        let left_out = |(at, text): &(Location, String)| {
            format!("{}: line {}, column {}: text `{text}` between elements is left out", self.name, at.line, at.column)
        };
        let remarks = self.xml.strays().iter().map(left_out).collect();
        let mut net = ColouredNet { name: self.name, remarks, ..ColouredNet::default() };
        let nothing = Scope::default();
        for place in self.places {
            let Some(sort) = &place.sort else {
                return Err(Located::at(place.location, PnmlProblem::NoSort(excerpt(&place.id))));
            };
            let sort = sort.only()?;
            let range = declarations.range(sort)?;
            if range.colours.is_some() {
                return Err(sort.error(PnmlProblem::ClassAsSort(excerpt(&place.id))));
            }
            let initial = match &place.initial {
                Some(node) => {
                    let mut expressions = Expressions { declarations: &mut declarations, scope: &nothing };
                    expressions.multiset(node.only()?, range.sort)?
                }
                None => Multiset::Sum(Vec::new()),
            };
            net.places.push(ColouredPlace { id: place.id, name: place.name, sort: range.sort, initial });
        }
        let mut sides: Vec<[Vec<(usize, PendingArc)>; 2]> =
            self.transitions.iter().map(|_| Default::default()).collect();
        for arc in self.arcs {
            let (place, transition, side) = ends(&self.ids, &arc)?;
            sides[transition][side].push((place, arc));
        }
        for (transition, sides) in self.transitions.into_iter().zip(sides) {
            net.transitions.push(finish_transition(transition, &sides, &net.places, &mut declarations)?);
        }
        net.sorts = declarations.sorts;
        Ok(net)
    }
}

/// Inside `<declaration>`.
fn declaration<R: BufRead>(
    xml: &mut XmlCursor<R>,
    declarations: &mut Vec<Node>,
    nodes: &mut usize,
) -> Result<(), Located> {
    let unknown = |xml: &XmlCursor<R>| {
        let (child, parent) = (excerpt(xml.name()), excerpt(xml.parent()));
        Located::at(xml.location(), PnmlProblem::UnknownElement { child, parent })
    };
    while let Some(child) = xml.next_child()? {
        match child {
            "structure" => {
                while let Some(child) = xml.next_child()? {
                    match child {
                        "declarations" => declarations.push(Node::read(xml, nodes)?),
                        _ => return Err(unknown(xml)),
                    }
                }
            }
            "text" | "name" | "graphics" | "toolspecific" => xml.skip()?,
            _ => return Err(unknown(xml)),
        }
    }
    Ok(())
}

/// Which place and which transition the arc joins; side 0 are inputs of the transition.
fn ends(ids: &Identifiers, arc: &PendingArc) -> Result<(usize, usize, usize), Located> {
    let (source, target) = (ids.meaning(arc.source), ids.meaning(arc.target));
    let problem = match (source, target) {
        (Meaning::Place(p), Meaning::Transition(t)) => return Ok((p.index(), t.index(), 0)),
        (Meaning::Transition(t), Meaning::Place(p)) => return Ok((p.index(), t.index(), 1)),
        (Meaning::Place(_) | Meaning::Transition(_), Meaning::Place(_) | Meaning::Transition(_)) => {
            PnmlProblem::SameKind {
                arc: excerpt(&arc.id),
                what: if matches!(source, Meaning::Place(_)) { "the places" } else { "the transitions" },
                source_id: ids.name(arc.source),
                target_id: ids.name(arc.target),
            }
        }
        _ => {
            let lost =
                if matches!(source, Meaning::Place(_) | Meaning::Transition(_)) { arc.target } else { arc.source };
            PnmlProblem::Dangling { referrer: format!("arc `{}`", excerpt(&arc.id)), id: ids.name(lost) }
        }
    };
    Err(Located::at(arc.location, problem))
}

/// The expressions of a transition and its arcs.
fn finish_transition(
    transition: PendingTransition,
    sides: &[Vec<(usize, PendingArc)>; 2],
    places: &[ColouredPlace],
    declarations: &mut Declarations,
) -> Result<ColouredTransition, Located> {
    let inscriptions = sides.iter().flatten().filter_map(|(_, arc)| arc.inscription.as_ref());
    let mut used = BTreeSet::new();
    for node in transition.condition.iter().chain(inscriptions) {
        let mut variables = Vec::new();
        node.visit(&mut |node| {
            if node.element == "variable" {
                variables.push(node);
            }
        });
        for variable in variables {
            used.insert(declarations.variable(variable)?);
        }
    }
    let scope: Scope = used.iter().enumerate().map(|(number, &declared)| (declared, number)).collect();
    let variables = used.iter().map(|&declared| {
        let declaration = declarations.variable_declaration(declared);
        let range = declaration.range.clone();
        Variable { name: declaration.name.clone(), sort: range.sort, domain: range.colours }
    });
    let variables = variables.collect();
    let mut expressions = Expressions { declarations, scope: &scope };
    let guard = match &transition.condition {
        Some(node) => expressions.guard(node.only()?)?,
        None => Guard::Constant(true),
    };
    let mut arcs = [Vec::new(), Vec::new()];
    for (side, arcs) in sides.iter().zip(&mut arcs) {
        for (place, arc) in side {
            let sort = places[*place].sort;
            let tokens = match &arc.inscription {
                Some(node) => expressions.multiset(node.only()?, sort)?,
                // Without colours there is only one thing that an arc can move.
                None if *expressions.declarations.sorts.get(sort) == Sort::Dot => Multiset::All(1),
                None => return Err(Located::at(arc.location, PnmlProblem::NoInscription(excerpt(&arc.id)))),
            };
            arcs.push((*place, tokens));
        }
    }
    let [inputs, outputs] = arcs;
    Ok(ColouredTransition { id: transition.id, name: transition.name, variables, guard, inputs, outputs })
}
