//! Nets of TAPAAL that fit: timed-arc Petri nets that are 1-safe, and all without time.
//!
//! There, tokens have ages. In a 1-safe net the token of a place has the age that a clock of the place shows, if every
//! transition that puts a token there resets it. An interval at an input arc becomes a condition on the clock of the
//! place; the invariant of a place, an upper bound on ages, becomes one on its clock. Places whose age nobody asks for
//! get no clock. The two semantics then agree, delay by delay (Jacobsen, Jacobsen, Møller, Srba, "Verification of
//! timed-arc Petri nets", SOFSEM 2011, section 2). Components are joined at shared places and transitions.
//!
//! Where no interval and no invariant bounds an age, ages do not matter: the net is a place/transition net, with
//! weights and inhibitor arcs, and a transport arc takes and gives as others do ([`read_untimed`]).
//!
//! Files of TAPAAL today have the sort `dot` in every place, and inscriptions of so many dots beside the numbers: they
//! are passed over.
//!
//! Refused in the others, each by name: transport arcs (an age would have to be copied between clocks), inhibitor arcs,
//! urgent transitions, coloured and stochastic nets, games, weights above 1, tokens that are old at the start, and nets
//! in which a place can hold two tokens when time is ignored.

use super::error::ReadError;
use super::markings::{ExploreError, Limits, MarkingTable};
use super::model::{ClockNet, NetBuilder};
use super::predicate::{ClockId, Predicate, Relation};
use super::rational::{self, Rational};
use super::scaled::Scaled;
use crate::kinds::net::pnml::is_dot;
use crate::net::PetriNet;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Reads a net without time; `None` if it has some. `source` is the name of the file in messages.
pub fn read_untimed(text: &str, source: &str) -> Result<Option<PetriNet>, ReadError> {
    let mut import = Import { text, source, constants: FxHashMap::default(), ..Import::default() };
    import.elements()?;
    import.without_ages()
}

/// Reads a net; `source` is the name of the file in messages.
pub fn read(text: &str, source: &str, limits: &Limits) -> Result<ClockNet, ReadError> {
    let mut import = Import { text, source, constants: FxHashMap::default(), ..Import::default() };
    import.elements()?;
    let net = import.build()?;
    safe(&net, limits).map_err(|problem| ReadError::about(source, problem))?;
    Ok(net)
}

/// Attributes of an element, and where it is.
struct Element {
    at: usize,
    component: String,
    attributes: FxHashMap<String, String>,
}

impl Element {
    /// An attribute; empty if there is none.
    fn get(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }
}

#[derive(Default)]
struct Import<'t> {
    text: &'t str,
    source: &'t str,
    constants: FxHashMap<String, Rational>,
    components: usize,
    places: Vec<Element>,
    transitions: Vec<Element>,
    arcs: Vec<Element>,
    shared: FxHashSet<String>,
    name: String,
}

/// A bound on an age.
type Limit = (Relation, Rational);

impl Import<'_> {
    fn error(&self, at: usize, problem: impl ToString) -> ReadError {
        let before = self.text.get(..at.min(self.text.len())).unwrap_or("");
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) as u32 + 1;
        ReadError::at(self.source, line, column, problem.to_string())
    }

    fn elements(&mut self) -> Result<(), ReadError> {
        let mut reader = Reader::from_str(self.text);
        let (mut component, mut active, mut in_query, mut in_weight) = (String::new(), true, false, false);
        loop {
            let at = reader.buffer_position() as usize;
            let e = match reader.read_event().map_err(|e| self.error(at, format!("this is not XML: {e}")))? {
                // What there is between the tags of these.
                Event::Start(e) if e.local_name().as_ref() == b"type" => {
                    let inside = reader.read_text(e.name()).map_err(|e| self.error(at, e))?;
                    if !is_of_dots(&inside.decode().map_err(|e| self.error(at, e))?) {
                        return Err(self.refused(at, "coloured nets"));
                    }
                    continue;
                }
                Event::Start(e) if matches!(e.local_name().as_ref(), b"hlinitialMarking" | b"hlinscription") => {
                    // So many dots, as the attributes say.
                    reader.read_to_end(e.name()).map_err(|e| self.error(at, e))?;
                    continue;
                }
                Event::Start(e) if e.local_name().as_ref() == b"declaration" => {
                    reader.read_to_end(e.name()).map_err(|e| self.error(at, e))?;
                    continue;
                }
                Event::Start(e) if e.local_name().as_ref() == b"initialMarkingAge" => {
                    reader.read_to_end(e.name()).map_err(|e| self.error(at, e))?;
                    if let Some(place) = self.places.last_mut() {
                        place.attributes.insert(OLD.to_owned(), "true".to_owned());
                    }
                    continue;
                }
                Event::Start(e) => {
                    in_query |= matches!(e.local_name().as_ref(), b"query" | b"queries");
                    in_weight |= e.local_name().as_ref() == b"inscription";
                    e
                }
                Event::End(e) => {
                    in_query &= !matches!(e.local_name().as_ref(), b"query" | b"queries");
                    in_weight &= e.local_name().as_ref() != b"inscription";
                    continue;
                }
                Event::Text(t) if in_weight => {
                    let text = t.decode().map_err(|e| self.error(at, e))?;
                    if let (false, Some(arc)) = (text.trim().is_empty(), self.arcs.last_mut()) {
                        arc.attributes.insert("weight".to_owned(), text.trim().to_owned());
                    }
                    continue;
                }
                Event::Empty(e) => e,
                Event::Eof => break,
                _ => continue,
            };
            // Queries name places and transitions too.
            if in_query || matches!(e.local_name().as_ref(), b"query" | b"queries") {
                continue;
            }
            let mut element = Element { at, component: component.clone(), attributes: self.attributes(&e, at)? };
            let get = |name: &str| element.attributes.get(name).cloned().unwrap_or_default();
            match e.local_name().as_ref() {
                b"net" => {
                    component = get("id");
                    active = get("active") != "false";
                    self.components += usize::from(active);
                    self.name = component.clone();
                }
                b"constant" => {
                    let value = rational::parse(&get("value"))
                        .ok_or_else(|| self.error(at, "the value of the constant is no number"))?;
                    self.constants.insert(get("name"), value);
                }
                b"shared-place" => {
                    self.shared.insert(get("name"));
                    self.places.push(element);
                }
                b"shared-transition" => {
                    self.shared.insert(get("name"));
                    self.transitions.push(element);
                }
                _ if !active => {}
                b"place" => self.places.push(element),
                b"page" => {}
                b"transition" => self.transitions.push(element),
                b"arc" => self.arcs.push(element),
                b"inputArc" | b"outputArc" => self.arcs.push(element),
                b"transportArc" => return Err(self.refused(at, "transport arcs")),
                b"inhibitorArc" => {
                    element.attributes.insert("type".to_owned(), "inhibitor".to_owned());
                    self.arcs.push(element);
                }
                b"condition" | b"colorinvariant" | b"colorinterval" => return Err(self.refused(at, "coloured nets")),
                b"type" | b"hlinitialMarking" | b"hlinscription" | b"declaration" | b"initialMarkingAge" => {}
                b"feature" if get("isGame") == "true" => return Err(self.refused(at, "games")),
                b"smc" | b"distribution" | b"rate" | b"custom_distribution" => {
                    return Err(self.refused(at, "stochastic nets"));
                }
                b"feature" if get("isStochastic") == "true" => return Err(self.refused(at, "stochastic nets")),
                b"pnml" | b"name" | b"value" | b"text" | b"graphics" | b"position" | b"offset" | b"labels"
                | b"arcpath" | b"k-bound" | b"feature" | b"token" | b"inscription" => {}
                other => {
                    let what = format!("elements `<{}>`", String::from_utf8_lossy(other));
                    return Err(self.refused(at, &what));
                }
            }
        }
        if self.components == 0 {
            return Err(self.error(0, "there is no active `<net>`; give a .tapn file of TAPAAL"));
        }
        Ok(())
    }

    fn refused(&self, at: usize, what: &str) -> ReadError {
        self.error(
            at,
            format!("{what} have no counterpart in nets with clocks; only 1-safe nets of timed arcs can be read"),
        )
    }

    fn attributes(&self, e: &BytesStart<'_>, at: usize) -> Result<FxHashMap<String, String>, ReadError> {
        let mut all = FxHashMap::default();
        for a in e.attributes() {
            let a = a.map_err(|e| self.error(at, e))?;
            let value = String::from_utf8_lossy(&a.value).replace("&lt;", "<").replace("&gt;", ">");
            all.insert(String::from_utf8_lossy(a.key.as_ref()).into_owned(), value.replace("&amp;", "&"));
        }
        Ok(all)
    }

    /// The name of a place or transition among all components.
    fn global(&self, component: &str, id: &str) -> String {
        if self.components > 1 && !self.shared.contains(id) { format!("{component}.{id}") } else { id.to_owned() }
    }

    fn constant(&self, text: &str, at: usize) -> Result<Rational, ReadError> {
        let text = text.trim();
        let known = || self.constants.get(text).cloned();
        rational::parse(text)
            .or_else(known)
            .ok_or_else(|| self.error(at, format!("`{text}` is no constant of the net")))
    }

    /// `<= 5` or `< inf`.
    fn invariant(&self, text: &str, at: usize) -> Result<Option<Limit>, ReadError> {
        let text = text.trim();
        let (relation, rest) = match (text.strip_prefix("<="), text.strip_prefix('<')) {
            (Some(rest), _) => (Relation::AtMost, rest),
            (None, Some(rest)) => (Relation::Less, rest),
            _ if text.is_empty() => return Ok(None),
            _ => return Err(self.error(at, format!("`{text}` is no invariant; write `<= 5`"))),
        };
        Ok(if rest.trim() == "inf" { None } else { Some((relation, self.constant(rest, at)?)) })
    }

    /// `[2,5)` or `[0,inf)`.
    fn interval(&self, text: &str, at: usize) -> Result<Vec<Limit>, ReadError> {
        let wrong = || self.error(at, format!("`{text}` is no interval; write `[2,5]`"));
        let body = text.trim();
        let (open, close) = (body.chars().next().ok_or_else(wrong)?, body.chars().last().ok_or_else(wrong)?);
        if !matches!(open, '[' | '(') || !matches!(close, ']' | ')') || body.len() < 2 {
            return Err(wrong());
        }
        let (low, high) = body[1..body.len() - 1].split_once(',').ok_or_else(wrong)?;
        let mut limits = Vec::new();
        let low = self.constant(low, at)?;
        if open == '(' || low > rational::integer(0) {
            limits.push((if open == '(' { Relation::Greater } else { Relation::AtLeast }, low));
        }
        if high.trim() != "inf" {
            limits.push((if close == ')' { Relation::Less } else { Relation::AtMost }, self.constant(high, at)?));
        }
        Ok(limits)
    }

    /// The name of a place or transition among all components.
    fn id(&self, element: &Element) -> String {
        let (name, own) = (element.get("name"), element.get("id"));
        self.global(&element.component, if self.shared.contains(name) || own.is_empty() { name } else { own })
    }

    /// How many tokens a place has, or an arc takes: a number or a constant.
    fn count(&self, text: &str, default: u64, at: usize) -> Result<u64, ReadError> {
        match text.trim() {
            "" => Ok(default),
            text => {
                let value = self.constant(text, at)?;
                let value = if value.is_integer() { u64::try_from(value.to_integer()).ok() } else { None };
                value.ok_or_else(|| self.error(at, format!("`{text}` is no number of tokens")))
            }
        }
    }

    /// The net, if no age matters.
    fn without_ages(&self) -> Result<Option<PetriNet>, ReadError> {
        for place in &self.places {
            if self.invariant(place.get("invariant"), place.at)?.is_some() {
                return Ok(None);
            }
        }
        let mut builder = crate::net::NetBuilder::new(&self.name);
        for place in &self.places {
            let name = self.id(place);
            if !self.shared.contains(place.get("name")) || builder.find_place(&name).is_none() {
                let tokens = self.count(place.get("initialMarking"), 0, place.at)?;
                builder.place(name, tokens).map_err(|e| self.error(place.at, e))?;
            }
        }
        for transition in &self.transitions {
            if transition.get("player") == "1" {
                return Err(self.refused(transition.at, "games"));
            }
            let name = self.id(transition);
            if !self.shared.contains(transition.get("name")) || builder.find_transition(&name).is_none() {
                builder.transition(name).map_err(|e| self.error(transition.at, e))?;
            }
        }
        for arc in &self.arcs {
            let end = |name: &str| self.global(&arc.component, arc.get(name));
            let (from, to) = (end("source"), end("target"));
            let weight = self.count(arc.get("weight"), 1, arc.at)?;
            let input = builder.find_place(&from).zip(builder.find_transition(&to));
            let output = builder.find_transition(&from).zip(builder.find_place(&to));
            let added = match (arc.get("type"), input, output) {
                ("inhibitor" | "tapnInhibitor", Some((place, transition)), _) => {
                    builder.inhibitor(place, transition, weight)
                }
                ("timed" | "normal" | "transport" | "", Some((place, transition)), _) => {
                    // The number of a transport arc comes after a colon.
                    let interval = arc.get("inscription").split(':').next().unwrap_or_default();
                    if interval.contains(',') && !self.interval(interval, arc.at)?.is_empty() {
                        return Ok(None);
                    }
                    builder.input(place, transition, weight)
                }
                ("timed" | "normal" | "transport" | "", _, Some((transition, place))) => {
                    builder.output(transition, place, weight)
                }
                (kind, ..) => {
                    let message = format!("an arc of the type `{kind}` from `{from}` to `{to}` is not one of the net");
                    return Err(self.error(arc.at, message));
                }
            };
            added.map_err(|e| self.error(arc.at, e))?;
        }
        builder.build().map(Some).map_err(|e| self.error(0, e))
    }

    fn build(&self) -> Result<ClockNet, ReadError> {
        let get = |e: &Element, name: &str| e.get(name).to_owned();
        let id = |e: &Element| self.id(e);
        // A place has a clock if its age is bounded by an invariant or an input arc.
        let mut invariants: FxHashMap<String, Limit> = FxHashMap::default();
        for place in &self.places {
            if let Some(limit) = self.invariant(&get(place, "invariant"), place.at)? {
                invariants.insert(id(place), limit);
            }
        }
        let transitions: FxHashSet<String> = self.transitions.iter().map(id).collect();
        let mut guards: FxHashMap<String, Vec<(String, Vec<Limit>)>> = FxHashMap::default();
        let mut outputs: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for arc in &self.arcs {
            match get(arc, "type").as_str() {
                "timed" | "normal" | "" => {}
                "transport" => return Err(self.refused(arc.at, "transport arcs")),
                "tapnInhibitor" | "inhibitor" => return Err(self.refused(arc.at, "inhibitor arcs")),
                other => return Err(self.refused(arc.at, &format!("arcs of the type `{other}`"))),
            }
            if !matches!(get(arc, "weight").as_str(), "" | "1") {
                return Err(self.refused(arc.at, "arcs with a weight above 1"));
            }
            let end = |name: &str| self.global(&arc.component, &get(arc, name));
            let (from, to) = (end("source"), end("target"));
            if transitions.contains(&to) {
                let inscription = get(arc, "inscription");
                guards.entry(to).or_default().push((from, self.interval(&inscription, arc.at)?));
            } else {
                outputs.entry(from).or_default().push(to);
            }
        }
        let mut timed: BTreeSet<String> = invariants.keys().cloned().collect();
        timed.extend(guards.values().flatten().filter(|(_, limits)| !limits.is_empty()).map(|(p, _)| p.clone()));
        let mut builder = NetBuilder::new(&self.name);
        let mut clocks: FxHashMap<String, ClockId> = FxHashMap::default();
        for place in &timed {
            let clock = builder.clock(&format!("age_{place}")).map_err(|e| self.error(0, e))?;
            clocks.insert(place.clone(), clock);
        }
        let compared = |place: &str, limits: &[Limit]| {
            let Some(&clock) = clocks.get(place) else { return Predicate::True };
            let atom = |(relation, constant): &Limit| Predicate::atom(clock, *relation, constant.clone());
            limits.iter().map(atom).fold(Predicate::True, Predicate::and)
        };
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for place in &self.places {
            let name = id(place);
            if !seen.insert(name.clone()) && self.shared.contains(&name) {
                continue;
            }
            let tokens = get(place, "initialMarking");
            let tokens = if tokens.is_empty() { Ok(0) } else { tokens.parse() };
            let tokens = tokens.map_err(|_| self.error(place.at, "the initial marking is no number of tokens"))?;
            if clocks.contains_key(&name) && place.get(OLD) == "true" {
                return Err(self.refused(place.at, "tokens that are old at the start"));
            }
            let invariant = compared(&name, invariants.get(&name).map(std::slice::from_ref).unwrap_or(&[]));
            builder.place(&name, tokens, invariant).map_err(|e| self.error(place.at, e))?;
        }
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for transition in &self.transitions {
            let name = id(transition);
            if get(transition, "urgent") == "true" {
                return Err(self.refused(transition.at, "urgent transitions"));
            }
            if get(transition, "player") == "1" {
                return Err(self.refused(transition.at, "games"));
            }
            if !seen.insert(name.clone()) && self.shared.contains(&name) {
                continue;
            }
            let inputs = guards.get(&name).map_or(&[] as &[_], Vec::as_slice);
            let outputs = outputs.get(&name).map_or(&[] as &[_], Vec::as_slice);
            let condition =
                inputs.iter().map(|(place, limits)| compared(place, limits)).fold(Predicate::True, Predicate::and);
            let resets: Vec<ClockId> = outputs.iter().filter_map(|p| clocks.get(p).copied()).collect();
            let t = builder.transition(&name, condition, &resets).map_err(|e| self.error(transition.at, e))?;
            let arcs = inputs.iter().map(|(p, _)| (p, true)).chain(outputs.iter().map(|p| (p, false)));
            for (place, input) in arcs {
                let place = builder.find_place(place).map_err(|e| self.error(transition.at, e))?;
                let added = if input { builder.input(t, place, 1) } else { builder.output(t, place, 1) };
                added.map_err(|e| self.error(transition.at, e))?;
            }
        }
        Ok(builder.build())
    }
}

/// The mark of places whose tokens have ages at the start.
const OLD: &str = "initialMarkingAge";

/// Is this, between the tags of the type of a place, that of tokens without colours?
fn is_of_dots(inside: &str) -> bool {
    let mut xml = Reader::from_str(inside);
    loop {
        match xml.read_event() {
            Ok(Event::Start(e) | Event::Empty(e)) => match e.local_name().as_ref() {
                b"dot" => return true,
                b"usersort" => {
                    let sort = e.try_get_attribute("declaration").ok().flatten();
                    return sort.is_some_and(|sort| is_dot(&String::from_utf8_lossy(&sort.value)));
                }
                _ => {}
            },
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// Is the net 1-safe, time ignored? If not, why.
fn safe(net: &ClockNet, limits: &Limits) -> Result<(), String> {
    let two = |p: usize| {
        let id = &net.places[p].id;
        format!("`{id}` can hold two tokens, which then have ages of their own; only 1-safe nets can be read")
    };
    if let Some(p) = net.places.iter().position(|p| p.initial > 1) {
        return Err(two(p));
    }
    let untimed = net.without_time();
    let scaled = Scaled::new(&untimed).map_err(|e| e.to_string())?;
    let mut markings = MarkingTable::new(&scaled, limits).map_err(|e| e.to_string())?;
    let mut m = 0;
    while (m as usize) < markings.len() {
        let successors = markings.successors(m).map_err(|e: ExploreError| e.to_string())?;
        for &(_, target) in successors.iter() {
            if let Some(p) =
                markings.marked(target).iter().find(|(_, held)| *held > 1).map(|&(place, _)| place as usize)
            {
                return Err(two(p));
            }
        }
        m += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::kinds::clocks::line_format;

    fn wrap(inside: &str) -> String {
        format!("<pnml><constant name=\"D\" value=\"7\"/><net active=\"true\" id=\"n\">{inside}</net></pnml>")
    }

    /// Weights, constants, inhibitor and transport arcs, and components, where no age matters.
    #[test]
    fn nets_without_time() {
        let place =
            |id: &str, tokens: u64| format!("<place id=\"{id}\" initialMarking=\"{tokens}\" invariant=\"&lt; inf\"/>");
        let transition = "<transition id=\"t\" urgent=\"true\"/>";
        let arc = |from: &str, to: &str, more: &str| format!("<arc source=\"{from}\" target=\"{to}\" {more}/>");
        let inside = [
            place("p", 9),
            place("q", 0),
            transition.to_owned(),
            arc("p", "t", "type=\"transport\" inscription=\"[0,inf):1\" weight=\"D\""),
            arc("t", "q", "type=\"transport\" inscription=\":1\" weight=\"2\""),
            arc("q", "t", "type=\"tapnInhibitor\" inscription=\"[0,inf)\" weight=\"3\""),
            "<query active=\"true\" query=\"EF q = 2\"/>".to_owned(),
        ];
        let net = read_untimed(&wrap(&inside.concat()), "net").unwrap().unwrap();
        let t = &net.transitions()[0];
        assert_eq!((t.pre[0].weight, t.post[0].weight, t.inhibitors[0].weight), (7, 2, 3));
        // An interval, or an invariant, and ages matter.
        for (from, to) in [("inscription=\"[0,inf):1\"", "inscription=\"[1,inf):1\""), ("&lt; inf", "&lt; 5")] {
            assert!(read_untimed(&wrap(&inside.concat().replacen(from, to, 1)), "net").unwrap().is_none());
        }
        // Components meet in what they share.
        let part = |id: &str| {
            let arcs = arc("s", "t", "inscription=\"[0,inf)\"") + &arc("t", "q", "");
            let inside = place("s\" name=\"s", 1) + &place("q", 0) + transition + &arcs;
            format!("<net active=\"true\" id=\"{id}\">{inside}</net>")
        };
        let text = format!("<pnml><shared-place name=\"s\" initialMarking=\"1\"/>{}{}</pnml>", part("A"), part("B"));
        let net = read_untimed(&text, "net").unwrap().unwrap();
        let names: Vec<&str> = net.places().iter().map(|place| place.id.as_str()).collect();
        assert_eq!(names, ["s", "A.q", "B.q"]);
        assert_eq!((net.transitions().len(), net.places()[0].initial), (2, 1));
        let message = read_untimed(&wrap(&inside.concat().replace("tapnInhibitor", "reset")), "net").unwrap_err();
        assert!(message.to_string().contains("an arc of the type `reset` from `q` to `t`"), "{message}");
    }

    #[test]
    fn ages_become_clocks() {
        let text = wrap(
            "<place id=\"p\" initialMarking=\"1\" invariant=\"&lt;= D\" name=\"p\"/>\
             <place id=\"q\" initialMarking=\"0\" invariant=\"&lt; inf\" name=\"q\"/>\
             <transition id=\"t\" name=\"t\" urgent=\"false\"/><transition id=\"u\" name=\"u\" urgent=\"false\"/>\
             <arc inscription=\"[2,5)\" source=\"p\" target=\"t\" type=\"timed\" weight=\"1\"/>\
             <arc inscription=\"1\" source=\"t\" target=\"q\" type=\"normal\" weight=\"1\"/>\
             <arc inscription=\"[0,inf)\" source=\"q\" target=\"u\" type=\"timed\" weight=\"1\"/>\
             <arc inscription=\"1\" source=\"u\" target=\"p\" type=\"normal\" weight=\"1\"/>",
        );
        let net = read(&text, "f", &Limits::default()).unwrap();
        let expected = "net n\nclocks age_p\nplace p init 1 inv age_p<=7\nplace q\n\
                        trans t : p -> q when age_p>=2 & age_p<5\ntrans u : q -> p reset age_p\n";
        assert_eq!(line_format::write(&net).unwrap(), expected);
    }

    #[test]
    fn refusals_by_name() {
        for (inside, what) in [
            ("<arc type=\"transport\"/>", "transport arcs"),
            ("<arc type=\"tapnInhibitor\"/>", "inhibitor arcs"),
            ("<transition id=\"t\" urgent=\"true\"/>", "urgent transitions"),
            ("<transportArc source=\"p\" transition=\"t\" target=\"q\"/>", "transport arcs"),
            ("<inhibitorArc source=\"p\" target=\"t\"/>", "inhibitor arcs"),
            ("<arc type=\"timed\" weight=\"2\"/>", "weight above 1"),
            (
                "<inputArc inscription=\"[0,1]\"><inscription><value>2</value></inscription></inputArc>",
                "weight above 1",
            ),
            ("<place id=\"p\"><type><text>Colour</text></type></place>", "coloured nets"),
            ("<place id=\"p\"><capacity/></place>", "elements `<capacity>`"),
            ("<place id=\"p\" initialMarking=\"2\"/>", "can hold two tokens"),
            ("<place id=\"p\"/><transition id=\"t\"/><arc source=\"t\" target=\"p\"/>", "can hold two tokens"),
        ] {
            let e = read(&wrap(inside), "f", &Limits::default()).unwrap_err().to_string();
            assert!(e.contains(what), "{e}");
        }
    }
}
