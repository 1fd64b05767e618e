//! Contexts and machines in the files of Rodin.
//!
//! A file has one root, `org.eventb.core.machineFile` or `contextFile`, and elements for all that is declared, whose
//! attributes are texts. First the elements are read, of all files that are needed; then their formulas, as the names
//! that a project declares are no words of the language in them. Names of elements inside the file, comments, and what
//! plug-ins add are left aside; what Rodin itself would add and is not known here is refused.
//!
//! Source: the Rodin wiki, *Event-B model element definitions*; the plug-in `org.eventb.core` (`plugin.xml`).

use rustc_hash::FxHashSet;

use super::super::ast::Name;
use super::super::error::{Error, Pos, Res};
use super::formula::{assignment, formula};
use super::project::{Context, Event, INITIALISATION, Labelled, Machine, Named, Project};
use crate::xml::{Event as Xml, XmlCursor};

/// Before the names of Rodin's elements and attributes.
const CORE: &str = "org.eventb.core.";

/// Attributes that are read.
const ATTRIBUTES: [&str; 9] =
    ["label", "identifier", "predicate", "assignment", "expression", "target", "theorem", "extended", "inherited"];

/// Most files of a project.
const FILES: usize = 1000;

/// An element of a file: the end of its name, what it says, and what is in it.
#[derive(Clone, Debug, Default)]
struct Element {
    tag: String,
    pos: Pos,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Element>,
}

impl Element {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str())
    }

    fn need(&self, name: &'static str) -> Res<&str> {
        self.get(name)
            .ok_or_else(|| Error::syntax(self.pos, format!("this {} has no attribute {CORE}{name}", self.tag)))
    }

    fn is(&self, name: &str) -> bool {
        self.get(name) == Some("true")
    }

    fn identifier(&self) -> Res<Named> {
        Ok((self.need("identifier")?.trim().into(), self.pos))
    }

    fn target(&self) -> Res<Named> {
        Ok((self.need("target")?.trim().into(), self.pos))
    }

    fn named<'e>(&'e self, tag: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    /// The component that an element names, by its tag.
    fn first(&self, tag: &str) -> Option<Res<Named>> {
        self.named(tag).next().map(Element::target)
    }
}

/// The elements of a file with a machine or a context.
fn elements(text: &str, file: u16) -> Res<Element> {
    let mut xml = XmlCursor::new(text.as_bytes());
    let mut open: Vec<Element> = Vec::new();
    loop {
        let (opened, closed) = match xml.advance() {
            Ok(Xml::Open(_)) => (true, false),
            Ok(Xml::Close(_)) => (false, true),
            Ok(Xml::Text(_)) => continue,
            Ok(Xml::End) => return Err(Error::syntax(Pos { file, line: 1, column: 1 }, "there is no element".into())),
            Err(error) => {
                let pos = Pos { file, line: error.location.line as u32, column: error.location.column as u32 };
                return Err(Error::syntax(pos, error.problem.to_string()));
            }
        };
        let pos = Pos { file, line: xml.location().line as u32, column: xml.location().column as u32 };
        if opened {
            let mut element = Element { tag: xml.name().to_owned(), pos, ..Element::default() };
            if let Some(tag) = element.tag.strip_prefix(CORE) {
                element.tag = tag.to_owned();
                for name in ATTRIBUTES {
                    let value = xml.attribute(&format!("{CORE}{name}"));
                    if let Some(value) = value.map_err(|error| Error::syntax(pos, error.problem.to_string()))? {
                        element.attributes.push((name, value));
                    }
                }
            }
            open.push(element);
        }
        if closed && let Some(element) = open.pop() {
            match open.last_mut() {
                Some(around) => around.children.push(element),
                None => return Ok(element),
            }
        }
    }
}

/// The machine that the machine in a file refines, if it is one and refines one.
pub(super) fn refined(text: &str) -> Option<Name> {
    let root = elements(text, 0).ok()?;
    Some(root.first("refinesMachine")?.ok()?.0)
}

/// Finds the text of a component: its name for messages, and the text.
pub(super) type Find<'a> = &'a dyn Fn(&str) -> Option<(String, String)>;

/// Files as they are read.
struct Files<'a> {
    find: Find<'a>,
    project: Project,
    machines: Vec<(String, Element)>,
    contexts: Vec<(String, Element)>,
}

/// A machine, all that it refines, and all contexts that they see.
///
/// # Errors
/// When a file is not found or is none of Rodin's, or a formula is none.
pub(super) fn read(machine: &str, find: Find<'_>) -> Result<Project, Error> {
    let mut files = Files { find, project: Project::default(), machines: Vec::new(), contexts: Vec::new() };
    let result = files.machine(machine, Pos::default()).and_then(|()| parsed(&files.machines, &files.contexts));
    match result {
        Ok((machines, contexts)) => Ok(Project { machines, contexts, ..files.project }),
        Err(error) => Err(error.within(&files.project.files)),
    }
}

impl Files<'_> {
    /// The elements of a component's file.
    fn component(&mut self, name: &str, extension: &str, root: &str, from: Pos) -> Res<Element> {
        let file = format!("{name}.{extension}");
        let Some((shown, text)) = (self.find)(&file) else {
            return Err(Error::refused(from, format!("{file} is needed and is not in the project")));
        };
        if self.project.files.len() >= FILES {
            return Err(Error::refused(from, format!("a project of more than {FILES} files")));
        }
        let number = self.project.files.len() as u16;
        self.project.files.push(shown);
        self.project.texts.push(String::new());
        let element = elements(&text, number)?;
        if element.tag != root {
            let found =
                if element.tag.starts_with("sc") { "a file that Rodin has made of it" } else { "something else" };
            let pos = element.pos;
            return Err(Error::syntax(pos, format!("expected <{CORE}{root}>, found {found} (<{}>)", element.tag)));
        }
        if let Some(text) = self.project.texts.last_mut() {
            *text = lines(&element);
        }
        Ok(element)
    }

    fn machine(&mut self, name: &str, from: Pos) -> Res<()> {
        let (mut name, mut from) = (name.to_owned(), from);
        loop {
            if self.machines.iter().any(|(other, _)| *other == name) {
                return Err(Error::refused(from, format!("{name} refines itself")));
            }
            let element = self.component(&name, "bum", "machineFile", from)?;
            let seen: Vec<Named> = element.named("seesContext").map(Element::target).collect::<Res<_>>()?;
            let refines = element.first("refinesMachine").transpose()?;
            self.machines.push((name, element));
            for (context, pos) in seen {
                self.context(&context, pos)?;
            }
            match refines {
                Some((next, pos)) => (name, from) = (next.to_string(), pos),
                None => return Ok(()),
            }
        }
    }

    fn context(&mut self, name: &str, from: Pos) -> Res<()> {
        let mut todo = vec![(name.to_owned(), from)];
        while let Some((name, from)) = todo.pop() {
            if self.contexts.iter().any(|(other, _)| *other == name) {
                continue;
            }
            let element = self.component(&name, "buc", "contextFile", from)?;
            for extended in element.named("extendsContext") {
                let (name, pos) = extended.target()?;
                todo.push((name.to_string(), pos));
            }
            self.contexts.push((name, element));
        }
        Ok(())
    }
}

/// What stands in a file, at the lines of its elements, in words for people.
fn lines(root: &Element) -> String {
    let mut lines: Vec<String> = Vec::new();
    for child in &root.children {
        let line = (child.pos.line as usize).saturating_sub(1);
        if child.tag == "event" && line < 1 << 20 {
            lines.resize(lines.len().max(line + 1), String::new());
            let refines: Vec<&str> = child.named("refinesEvent").filter_map(|event| event.get("target")).collect();
            let mut text = format!("event {}", child.get("label").unwrap_or_default());
            if !refines.is_empty() {
                text += &format!(" refines {}", refines.join(", "));
            }
            lines[line] = text;
        }
    }
    lines.join("\n")
}

/// Formulas of a project.
fn parsed(machines: &[(String, Element)], contexts: &[(String, Element)]) -> Res<(Vec<Machine>, Vec<Context>)> {
    let mut names: FxHashSet<&str> = FxHashSet::default();
    for (_, element) in machines.iter().chain(contexts) {
        for child in element.children.iter().flat_map(|child| std::iter::once(child).chain(&child.children)) {
            names.extend(child.get("identifier").map(str::trim));
        }
    }
    let declared = |word: &str| names.contains(word);
    let declared: &dyn Fn(&str) -> bool = &declared;
    let machines = machines.iter().map(|(name, element)| machine(name, element, declared)).collect::<Res<_>>()?;
    let contexts = contexts.iter().map(|(name, element)| context(name, element, declared)).collect::<Res<_>>()?;
    Ok((machines, contexts))
}

/// A predicate with its label.
fn labelled(element: &Element, inside: &str, declared: &dyn Fn(&str) -> bool) -> Res<Labelled> {
    let label = element.get("label").unwrap_or("?").to_owned();
    let read = |text| formula(text, element.pos, declared);
    let formula =
        element.need("predicate").and_then(read).map_err(|error| error.during(&format!("{inside}{label}")))?;
    Ok(Labelled { label, formula, theorem: element.is("theorem") || element.tag == "theorem" })
}

/// An element that is not known here.
fn strange<T>(element: &Element) -> Res<T> {
    Err(Error::refused(element.pos, format!("the element {CORE}{} is not supported", element.tag)))
}

/// Is an element none of Rodin's own?
fn is_foreign(element: &Element) -> bool {
    element.tag.contains('.')
}

fn context(name: &str, root: &Element, declared: &dyn Fn(&str) -> bool) -> Res<Context> {
    let mut context = Context { name: name.to_owned(), ..Context::default() };
    for child in &root.children {
        match child.tag.as_str() {
            "extendsContext" => context.extends.push(child.target()?),
            "carrierSet" => context.sets.push(child.identifier()?),
            "constant" => context.constants.push(child.identifier()?),
            "axiom" | "theorem" => context.axioms.push(labelled(child, "", declared)?),
            _ if is_foreign(child) => {}
            _ => return strange(child),
        }
    }
    Ok(context)
}

fn machine(name: &str, root: &Element, declared: &dyn Fn(&str) -> bool) -> Res<Machine> {
    let mut machine = Machine { name: name.to_owned(), ..Machine::default() };
    for child in &root.children {
        match child.tag.as_str() {
            "refinesMachine" if machine.refines.is_none() => machine.refines = Some(child.target()?),
            "seesContext" => machine.sees.push(child.target()?),
            "variable" => machine.variables.push(child.identifier()?),
            "invariant" | "theorem" => machine.invariants.push(labelled(child, "", declared)?),
            "variant" => machine.variant = Some(child.pos),
            "event" => machine.events.push(event(child, declared)?),
            _ if is_foreign(child) => {}
            _ => return strange(child),
        }
    }
    Ok(machine)
}

fn event(root: &Element, declared: &dyn Fn(&str) -> bool) -> Res<Event> {
    let name: Name = root.need("label")?.trim().into();
    let inside = format!("{name}: ");
    let extended = root.is("extended") || root.is("inherited");
    let mut event = Event {
        name,
        pos: root.pos,
        extended,
        refines: Vec::new(),
        parameters: Vec::new(),
        guards: Vec::new(),
        actions: Vec::new(),
        witnesses: Vec::new(),
    };
    for child in &root.children {
        match child.tag.as_str() {
            "refinesEvent" => event.refines.push(child.target()?),
            "parameter" => event.parameters.push(child.identifier()?),
            "guard" => event.guards.push(labelled(child, &inside, declared)?),
            "witness" => {
                let witness = labelled(child, &inside, declared)?;
                event.witnesses.push((witness.label.trim().into(), witness.formula));
            }
            "action" => {
                let label = child.get("label").unwrap_or("?");
                let read = |text: &str| assignment(text, child.pos, declared);
                let action = child.need("assignment").and_then(read);
                event.actions.push(action.map_err(|error| error.during(&format!("{inside}{label}")))?);
            }
            _ if is_foreign(child) => {}
            _ => return strange(child),
        }
    }
    if &*event.name == INITIALISATION && !event.parameters.is_empty() {
        return Err(Error::syntax(root.pos, "INITIALISATION has parameters".into()));
    }
    Ok(event)
}
