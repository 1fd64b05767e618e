//! The reader of place/transition nets.
//!
//! One pass over the elements. A file may name a node before it declares it (arcs before places, references
//! across pages), so identifiers are interned on first sight and arcs are kept by symbol until the end, when
//! every symbol has a meaning or is an error. Pages only group things: the reader walks through them with a
//! counter, so nested pages cost no stack.

use super::arc::ArcKind;
use super::error::{Located, PnmlProblem, Time};
use super::identifiers::{Identifiers, Meaning, Symbol};
use super::nupn::Section;
use super::sections::{Clocks, GAMES, is_dot, skip_section};
use super::snakes;
use super::tokens::tokens;
use super::woped::{self, Subprocesses};
use crate::net::{Annotations, BuildError, NetBuilder, PetriNet, TransitionId};
use crate::xml::{Location, XmlCursor, excerpt};
use std::io::BufRead;

/// An arc whose ends may not have been declared yet.
#[derive(Debug)]
struct PendingArc {
    id: Box<str>,
    source: Symbol,
    target: Symbol,
    weight: u64,
    kind: ArcKind,
    location: Location,
}

/// A property that all transitions must share, since a net has no way to tell them apart by it.
#[derive(Default, Debug)]
struct Uniform(Option<Option<String>>);

impl Uniform {
    /// Equality of a transition's value, or of its absence, with those of the transitions before it.
    fn agrees(&mut self, value: &Option<String>) -> bool {
        self.0.get_or_insert_with(|| value.clone()) == value
    }
}

/// Inside `<declaration>`: only coloured nets declare anything with a structure.
fn declaration<R: BufRead>(xml: &mut XmlCursor<R>) -> Result<(), Located> {
    while let Some(child) = xml.next_child()? {
        if child == "structure" {
            return Err(Located::at(xml.location(), PnmlProblem::Coloured));
        }
        xml.skip()?;
    }
    Ok(())
}

/// Does this net type promise a place/transition net?
fn check_type(name: &str) -> Result<(), PnmlProblem> {
    let lower = name.to_ascii_lowercase();
    let contains = |words: &[&str]| words.iter().any(|w| lower.contains(w));
    // "…/grammar/pnml" and the core model promise nothing; there the elements decide.
    let known = ["ptnet", "p/t net", "p/t-net", "place/transition", "pnmlcoremodel", "epnml", "grammar/pnml"];
    if contains(&known) { Ok(()) } else { Err(PnmlProblem::NetType(excerpt(name))) }
}

/// A number of tokens. PIPE names its one class of them.
fn count(text: &str, at: Location) -> Result<u64, Located> {
    tokens(text.strip_prefix("Default,").unwrap_or(text), at)
}

pub(super) struct Reader<'x, R> {
    xml: &'x mut XmlCursor<R>,
    net: NetBuilder,
    ids: Identifiers,
    arcs: Vec<PendingArc>,
    nupn: Option<Section>,
    title: Option<String>,
    silent: Vec<TransitionId>,
    subprocesses: Subprocesses,
    /// Final markings: places that may not have been declared yet, with their tokens, and where they stand.
    finals: Vec<Vec<(Symbol, u64, Location)>>,
    priorities: Uniform,
    timing: Uniform,
    clocks: Clocks,
    location: Location,
}

impl<'x, R: BufRead> Reader<'x, R> {
    /// At the opening tag of `<net>`.
    pub(super) fn begin(xml: &'x mut XmlCursor<R>, clocks: Clocks) -> Result<Self, Located> {
        let location = xml.location();
        let name = xml.attribute("id")?.filter(|id| !id.trim().is_empty()).unwrap_or_else(|| "net".to_owned());
        if let Some(net_type) = xml.attribute("type")? {
            check_type(&net_type).map_err(|p| Located::at(location, p))?;
        }
        Ok(Reader {
            xml,
            net: NetBuilder::new(name),
            ids: Identifiers::default(),
            arcs: Vec::new(),
            nupn: None,
            title: None,
            silent: Vec::new(),
            subprocesses: Subprocesses::default(),
            finals: Vec::new(),
            priorities: Uniform::default(),
            timing: Uniform::default(),
            clocks,
            location,
        })
    }

    fn error(&self, problem: PnmlProblem) -> Located {
        Located::at(self.xml.location(), problem)
    }

    /// The error of parts that only nets with ages have.
    fn ages(&self, what: &'static str) -> Located {
        self.error(PnmlProblem::Time { what, time: Time::Ages })
    }

    fn unknown(&self) -> Located {
        let child = excerpt(self.xml.name());
        let parent = excerpt(self.xml.parent());
        self.error(PnmlProblem::UnknownElement { child, parent })
    }

    /// The whole `<net>`.
    pub(super) fn net(mut self) -> Result<PetriNet, Located> {
        let mut pages = 0_usize;
        loop {
            match self.xml.next_child()? {
                Some("page") => {
                    let location = self.xml.location();
                    pages += 1;
                    if let Some(id) = self.xml.attribute("id")? {
                        let symbol = self.ids.intern(&id);
                        if !self.subprocesses.enter(symbol, pages) {
                            self.ids.declare(id, Meaning::Other, location)?;
                        }
                    }
                }
                Some("net") if self.subprocesses.is_open() => pages += 1,
                Some("place") => self.place()?,
                Some("transition") => self.transition()?,
                // TAPAAL has elements of its own for each direction and kind.
                Some("arc" | "inputArc" | "outputArc") => self.arc(None)?,
                Some("inhibitorArc") => self.arc(Some(ArcKind::Inhibitor))?,
                Some("transportArc") => return Err(self.ages("transport arcs")),
                Some("referencePlace") => self.reference(Meaning::PlaceReference)?,
                Some("referenceTransition") => self.reference(Meaning::TransitionReference)?,
                Some("toolspecific") => self.toolspecific()?,
                Some("declaration") => declaration(self.xml)?,
                Some("name") if pages == 0 => self.title = self.name()?,
                Some("finalmarkings") => self.final_markings()?,
                // `token` and `labels` are PIPE's colour table and text boxes.
                Some("name" | "graphics" | "token" | "labels") => self.xml.skip()?,
                Some(_) => return Err(self.unknown()),
                None if pages == 0 => break,
                None => {
                    self.subprocesses.leave(pages);
                    pages -= 1;
                }
            }
        }
        self.finish()
    }

    fn place(&mut self) -> Result<(), Located> {
        let location = self.xml.location();
        let id = self.xml.require("id")?;
        if self.subprocesses.is_open() {
            let symbol = self.ids.intern(&id);
            if matches!(self.ids.meaning(symbol), Meaning::Place(_)) {
                self.subprocesses.share(symbol);
                return Ok(self.xml.skip()?);
            }
        }
        self.ids.check_new(&id, location)?;
        let place = self.net.place(&id, 0).map_err(|e| self.error(PnmlProblem::Build(e)))?;
        let (mut initial, mut capacity, mut is_dot) = (None, 0, false);
        if let Some(text) = self.xml.attribute("initialMarking")? {
            initial = Some(tokens(&text, location)?);
        }
        match self.xml.attribute("invariant")?.as_deref().map(str::trim) {
            None | Some("" | "< inf" | "<inf") => {}
            Some(_) => return Err(self.ages("invariants of places")),
        }
        while let Some(child) = self.xml.next_child()? {
            match child {
                "name" => {
                    if let Some(name) = self.name()?.filter(|n| *n != id) {
                        self.net.name_place(place, name);
                    }
                }
                "initialMarking" => {
                    let count = self.number("initialMarking")?;
                    if initial.replace(count).is_some() {
                        return Err(self.second_label("initialMarking", &id));
                    }
                }
                // PIPE writes 0 for "none".
                "capacity" => capacity = self.number("capacity")?,
                "type" => match self.xml.attribute("domain")? {
                    Some(domain) if snakes::is_universal(&domain) => self.xml.skip()?,
                    Some(_) => return Err(snakes::other_value(self.xml.location())),
                    None => {
                        self.dot()?;
                        is_dot = true;
                    }
                },
                // TAPAAL says it twice: as a number, and as so many dots. Ages are of interest to readers of nets with
                // ages.
                "hlinitialMarking" if is_dot && initial.is_some() => self.xml.skip()?,
                "initialMarkingAge" => self.xml.skip()?,
                "hlinitialMarking" => return Err(self.error(PnmlProblem::Coloured)),
                "toolspecific" => skip_section(self.xml, self.clocks)?,
                // `tagged` is PIPE's drawing.
                "graphics" | "tagged" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        let initial = initial.unwrap_or(0);
        if capacity > 0 {
            if initial > capacity {
                let problem = PnmlProblem::Overfull { id: excerpt(&id), initial, capacity };
                return Err(Located::at(location, problem));
            }
            self.net.capacity(place, capacity);
        }
        self.net.set_initial(place, initial);
        self.ids.declare(id, Meaning::Place(place), location)
    }

    fn transition(&mut self) -> Result<(), Located> {
        let location = self.xml.location();
        let id = self.xml.require("id")?;
        self.ids.check_new(&id, location)?;
        let (mut given, mut is_silent, mut is_subprocess) = (None, false, false);
        let (mut priority, mut timed) = ((None, location), (None, location));
        if self.xml.attribute("player")?.is_some_and(|player| player.trim() == "1") {
            return Err(self.error(PnmlProblem::Unsupported(GAMES)));
        }
        if self.xml.attribute("urgent")?.is_some_and(|u| u.trim().eq_ignore_ascii_case("true")) {
            return Err(self.ages("urgent transitions"));
        }
        while let Some(child) = self.xml.next_child()? {
            match child {
                "name" => {
                    given = self.name()?.filter(|n| *n != id).or(given.take());
                }
                "priority" => self.level("priority", &id, &mut priority)?,
                "timed" => self.level("timed", &id, &mut timed)?,
                "condition" => return Err(self.error(PnmlProblem::Coloured)),
                "interval" | "timeInterval" | "delay" => {
                    return Err(self.error(PnmlProblem::Unsupported("time intervals")));
                }
                // Rates and drawing of PIPE, log events of ProM: nothing that enables or disables.
                "graphics" | "rate" | "infiniteServer" | "orientation" | "logevent" => self.xml.skip()?,
                "toolspecific" => {
                    let has = |attribute: &str, text: &str| {
                        Ok::<_, Located>(self.xml.attribute(attribute)?.is_some_and(|value| value.contains(text)))
                    };
                    is_silent |= has("tool", "ProM")? && has("activity", "invisible")?;
                    match has("tool", "WoPeD")? {
                        true => is_subprocess |= woped::is_subprocess(self.xml)?,
                        false => skip_section(self.xml, self.clocks)?,
                    }
                }
                _ => return Err(self.unknown()),
            }
        }
        if is_subprocess {
            let symbol = self.ids.intern(&id);
            self.subprocesses.add(symbol, id.clone(), given, location);
            return self.ids.declare(id, Meaning::Other, location);
        }
        if !self.priorities.agrees(&priority.0) {
            let problem = PnmlProblem::Unsupported("transitions of different priorities, or with and without one,");
            return Err(Located::at(priority.1, problem));
        }
        if !self.timing.agrees(&timed.0) {
            let problem =
                PnmlProblem::Unsupported("immediate beside timed transitions, or beside some that are neither,");
            return Err(Located::at(timed.1, problem));
        }
        let transition = self.add_transition(&id, given, location)?;
        self.silent.extend(is_silent.then_some(transition));
        self.ids.declare(id, Meaning::Transition(transition), location)
    }

    /// What is written in a label of a transition, and where.
    fn level(&mut self, label: &'static str, id: &str, level: &mut (Option<String>, Location)) -> Result<(), Located> {
        let (text, at) = self.label(label)?;
        match std::mem::replace(level, (Some(text), at)).0 {
            Some(_) => Err(self.second_label(label, id)),
            None => Ok(()),
        }
    }

    fn add_transition(&mut self, id: &str, name: Option<String>, at: Location) -> Result<TransitionId, Located> {
        let transition = self.net.transition(id).map_err(|e| Located::at(at, PnmlProblem::Build(e)))?;
        name.into_iter().for_each(|name| self.net.name_transition(transition, name));
        Ok(transition)
    }

    fn reference(&mut self, meaning: fn(Symbol) -> Meaning) -> Result<(), Located> {
        let location = self.xml.location();
        let id = self.xml.require("id")?;
        let target = self.xml.require("ref")?;
        let target = self.ids.intern(&target);
        self.ids.declare(id, meaning(target), location)?;
        while let Some(child) = self.xml.next_child()? {
            match child {
                "toolspecific" => skip_section(self.xml, self.clocks)?,
                "name" | "graphics" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        Ok(())
    }

    /// An arc, of a kind that its element tells or that is still to be found.
    fn arc(&mut self, named: Option<ArcKind>) -> Result<(), Located> {
        let location = self.xml.location();
        let source = self.xml.require("source")?;
        let target = self.xml.require("target")?;
        let id = self.xml.attribute("id")?;
        let shown = id.clone().unwrap_or_else(|| format!("{source} → {target}"));
        let mut weight = None;
        for attribute in ["weight", "inscription"] {
            match self.xml.attribute(attribute)?.as_deref().map(str::trim) {
                None | Some("[0,inf)") => {}
                // TAPAAL writes both, and this one is 1 whatever the weight is.
                Some("1") if attribute == "inscription" && weight.is_some() => {}
                Some(interval) if interval.starts_with(['[', '(']) => return Err(self.ages("intervals at arcs")),
                Some(part) if part.starts_with(':') => return Err(self.ages("transport arcs")),
                Some(name) if attribute == "weight" && name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                    return Err(self.ages("constants as weights"));
                }
                Some(text) => {
                    if weight.replace(tokens(text, location)?).is_some() {
                        return Err(self.second_label("inscription", &shown));
                    }
                }
            }
        }
        let mut kind = named;
        if let Some(name) = self.xml.attribute("type")? {
            let found = ArcKind::parse(name.trim()).map_err(|p| self.error(p))?;
            if kind.replace(found).is_some_and(|k| k != found) {
                return Err(self.error(PnmlProblem::ArcTypes(excerpt(&shown))));
            }
        }
        while let Some(child) = self.xml.next_child()? {
            match child {
                "inscription" => {
                    let (named, count) = self.inscription()?;
                    if let Some(named) = named
                        && kind.replace(named).is_some_and(|k| k != named)
                    {
                        return Err(self.error(PnmlProblem::ArcTypes(excerpt(&shown))));
                    }
                    if weight.replace(count).is_some() {
                        return Err(self.second_label("inscription", &shown));
                    }
                }
                "type" | "arctype" | "arcType" => {
                    let (name, at) = match self.xml.attribute("value")? {
                        Some(name) => {
                            let at = self.xml.location();
                            self.xml.skip()?;
                            (name, at)
                        }
                        None => self.label("type")?,
                    };
                    let found = ArcKind::parse(name.trim()).map_err(|p| Located::at(at, p))?;
                    if kind.replace(found).is_some_and(|k| k != found) {
                        return Err(Located::at(at, PnmlProblem::ArcTypes(excerpt(&shown))));
                    }
                }
                // So many dots, as the weight says: places with other colours have been refused.
                "hlinscription" if weight.is_some() => self.xml.skip()?,
                "hlinscription" => return Err(self.error(PnmlProblem::Coloured)),
                // `arcpath` and `tagged` are PIPE's drawing.
                "toolspecific" => skip_section(self.xml, self.clocks)?,
                "name" | "graphics" | "arcpath" | "tagged" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        let weight = weight.unwrap_or(1);
        if weight == 0 {
            return Err(Located::at(location, PnmlProblem::ZeroWeight(excerpt(&shown))));
        }
        // Nothing refers to an arc, and tools repeat the identifiers of arcs.
        let (source, target) = (self.ids.intern(&source), self.ids.intern(&target));
        let kind = kind.unwrap_or(ArcKind::Normal);
        if kind == ArcKind::Inhibitor && self.clocks == Clocks::ReadElsewhere {
            return Err(Located::at(location, PnmlProblem::Unsupported("inhibitor arcs in nets with clocks")));
        }
        self.arcs.push(PendingArc { id: shown.into(), source, target, weight, kind, location });
        Ok(())
    }

    /// The sort of a place, which must be that of tokens without colours.
    fn dot(&mut self) -> Result<(), Located> {
        let location = self.xml.location();
        let mut dots = false;
        while let Some(child) = self.xml.next_child()? {
            if child != "structure" {
                self.xml.skip()?;
                continue;
            }
            while let Some(child) = self.xml.next_child()? {
                dots = match child {
                    "dot" => true,
                    "usersort" => self.xml.attribute("declaration")?.is_some_and(|sort| is_dot(&sort)),
                    _ => false,
                };
                self.xml.skip()?;
            }
        }
        if dots { Ok(()) } else { Err(Located::at(location, PnmlProblem::Coloured)) }
    }

    fn toolspecific(&mut self) -> Result<(), Located> {
        let is_nupn = self.xml.attribute("tool")?.is_some_and(|tool| tool.trim().eq_ignore_ascii_case("nupn"));
        if !is_nupn {
            return skip_section(self.xml, self.clocks);
        }
        if self.nupn.is_some() {
            return Err(self.error(PnmlProblem::Nupn("a second section".to_owned())));
        }
        self.nupn = Some(Section::read(self.xml, &mut self.ids)?);
        Ok(())
    }

    /// The markings in which the process of a net is done, as ProM and pm4py have them.
    fn final_markings(&mut self) -> Result<(), Located> {
        while let Some(child) = self.xml.next_child()? {
            if child != "marking" {
                return Err(self.unknown());
            }
            let (mut marking, mut names_places) = (Vec::new(), false);
            while let Some(child) = self.xml.next_child()? {
                if child != "place" {
                    return Err(self.unknown());
                }
                names_places = true;
                let location = self.xml.location();
                let place = self.xml.require("idref")?;
                let place = self.ids.intern(&place);
                let count = self.number("place")?;
                if count > 0 {
                    marking.push((place, count, location));
                }
            }
            // pm4py writes one without places where it knows of no end.
            if names_places {
                self.finals.push(marking);
            }
        }
        Ok(())
    }

    /// The text of `<name>`; whatever else it holds is drawing.
    fn name(&mut self) -> Result<Option<String>, Located> {
        let mut name = None;
        while let Some(child) = self.xml.next_child()? {
            if matches!(child, "text" | "value") {
                let text = self.xml.text()?;
                name = (!text.is_empty()).then(|| text.to_owned());
            } else {
                self.xml.skip()?;
            }
        }
        Ok(name)
    }

    /// The text of a label that must have one, and where it stands.
    fn label(&mut self, label: &'static str) -> Result<(String, Location), Located> {
        let begin = self.xml.location();
        let mut found = None;
        while let Some(child) = self.xml.next_child()? {
            match child {
                "text" | "value" => {
                    let text = self.xml.text()?.to_owned();
                    if found.replace((text, self.xml.location())).is_some() {
                        return Err(self.second_label("text", label));
                    }
                }
                "multiset" => {
                    let text = snakes::multiset(self.xml)?.to_string();
                    if found.replace((text, self.xml.location())).is_some() {
                        return Err(self.second_label("text", label));
                    }
                }
                "structure" => return Err(self.error(PnmlProblem::Coloured)),
                "graphics" | "toolspecific" | "offset" => self.xml.skip()?,
                _ => return Err(self.unknown()),
            }
        }
        found.ok_or(Located::at(begin, PnmlProblem::NoText { label }))
    }

    /// The weight of an arc, and its kind if that is said with it.
    fn inscription(&mut self) -> Result<(Option<ArcKind>, u64), Located> {
        const LABEL: &str = "inscription";
        let begin = self.xml.location();
        let mut found = None;
        while let Some(child) = self.xml.next_child()? {
            let part = match child {
                "text" | "value" => {
                    let text = self.xml.text()?.to_owned();
                    (None, count(&text, self.xml.location())?)
                }
                "test" => snakes::annotation(self.xml, ArcKind::Read)?,
                "inhibitor" => snakes::annotation(self.xml, ArcKind::Inhibitor)?,
                "variable" | "expression" | "tuple" | "multiarc" | "flush" => {
                    return Err(snakes::other_value(self.xml.location()));
                }
                "structure" => return Err(self.error(PnmlProblem::Coloured)),
                "graphics" | "toolspecific" | "offset" => {
                    self.xml.skip()?;
                    continue;
                }
                _ => return Err(self.unknown()),
            };
            if found.replace(part).is_some() {
                return Err(self.second_label("text", LABEL));
            }
        }
        found.ok_or(Located::at(begin, PnmlProblem::NoText { label: LABEL }))
    }

    /// The number in a label.
    fn number(&mut self, label: &'static str) -> Result<u64, Located> {
        let (text, at) = self.label(label)?;
        count(&text, at)
    }

    fn second_label(&self, label: &'static str, id: &str) -> Located {
        self.error(PnmlProblem::SecondLabel { label, id: excerpt(id) })
    }

    /// All is declared: connect the arcs.
    fn finish(mut self) -> Result<PetriNet, Located> {
        let subprocesses = std::mem::take(&mut self.subprocesses);
        for (symbol, subprocess) in subprocesses.without_net() {
            let transition = self.add_transition(&subprocess.id, subprocess.name.clone(), subprocess.location)?;
            self.ids.change(symbol, Meaning::Transition(transition));
        }
        self.ids.resolve_references()?;
        let arc_count = self.arcs.len();
        for arc in std::mem::take(&mut self.arcs) {
            let ends = [arc.source, arc.target];
            if !subprocesses.replaces(ends, arc.location, |symbol| self.ids.name(symbol))? {
                self.connect(&arc)?;
            }
        }
        let location = self.location;
        let nupn = self.nupn.take();
        let annotations = self.annotations()?;
        let ids = self.ids;
        let finished = self.net.build().map_err(|e| Located::at(location, PnmlProblem::Build(e)))?;
        let finished = finished.with_annotations(annotations);
        match nupn {
            Some(section) => {
                let nupn = section.resolve(&finished, arc_count, &ids)?;
                Ok(finished.with_nupn(nupn))
            }
            None => Ok(finished),
        }
    }

    /// The annotations beside the net; all identifiers are declared.
    fn annotations(&mut self) -> Result<Annotations, Located> {
        let mut finals = Vec::new();
        for marking in std::mem::take(&mut self.finals) {
            let mut tokens = Vec::new();
            for (symbol, count, location) in marking {
                let Meaning::Place(place) = self.ids.meaning(symbol) else {
                    let (referrer, id) = ("a final marking".to_owned(), self.ids.name(symbol));
                    return Err(Located::at(location, PnmlProblem::Dangling { referrer, id }));
                };
                tokens.push((place, count));
            }
            tokens.sort_unstable();
            finals.push(tokens);
        }
        let title = self.title.take().filter(|title| title.trim() != self.net.net_name().trim());
        Ok(Annotations { title, silent: std::mem::take(&mut self.silent), finals })
    }

    fn connect(&mut self, arc: &PendingArc) -> Result<(), Located> {
        let at = |problem| Located::at(arc.location, problem);
        let build = |e: BuildError| Located::at(arc.location, PnmlProblem::Build(e));
        match (self.ids.meaning(arc.source), self.ids.meaning(arc.target), arc.kind) {
            (Meaning::Place(p), Meaning::Transition(t), ArcKind::Normal) => self.net.input(p, t, arc.weight),
            (Meaning::Place(p), Meaning::Transition(t), ArcKind::Inhibitor) => self.net.inhibitor(p, t, arc.weight),
            (Meaning::Place(p), Meaning::Transition(t), ArcKind::Read) => self.net.read_arc(p, t, arc.weight),
            (Meaning::Transition(t), Meaning::Place(p), ArcKind::Normal) => self.net.output(t, p, arc.weight),
            (Meaning::Transition(_), Meaning::Place(_), kind) => {
                return Err(at(PnmlProblem::ArcDirection { arc: excerpt(&arc.id), kind: kind.name() }));
            }
            (source, target, _) => {
                let lost = [(source, arc.source), (target, arc.target)]
                    .into_iter()
                    .find(|(m, _)| !matches!(m, Meaning::Place(_) | Meaning::Transition(_)));
                return Err(at(match lost {
                    Some((_, symbol)) => PnmlProblem::Dangling {
                        referrer: format!("arc `{}`", excerpt(&arc.id)),
                        id: self.ids.name(symbol),
                    },
                    None => PnmlProblem::SameKind {
                        arc: excerpt(&arc.id),
                        what: if matches!(source, Meaning::Place(_)) { "the places" } else { "the transitions" },
                        source_id: self.ids.name(arc.source),
                        target_id: self.ids.name(arc.target),
                    },
                }));
            }
        }
        .map_err(build)
    }
}
