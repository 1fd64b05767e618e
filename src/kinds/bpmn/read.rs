//! The reader: from XML to the elements of a file, before their references mean anything.
//!
//! Elements of the namespace of BPMN 2.0 count, under whatever prefix; all others are passed over with what is in them.
//! One pass with a stack of the elements that are open: a file may nest sub-processes as deeply as XML may be nested.
//! `incoming` and `outgoing` are not read, nor is it where a flow is declared: tools write them carelessly, and the
//! flows themselves say all that they would.

use super::diagram::{Repeats, Sort, Trigger};
use super::problem::Problem;
use crate::xml::{Event, XmlCursor, XmlError};
use std::io::BufRead;

/// The namespace of BPMN 2.0.
const MODEL: &str = "http://www.omg.org/spec/BPMN/20100524/MODEL";

/// Where a node was declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    Process(usize),
    Node(usize),
}

/// A node as it stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RawNode {
    pub id: String,
    pub name: String,
    pub line: u64,
    pub sort: Sort,
    pub home: Home,
    pub triggers: Vec<Trigger>,
    /// References to event definitions elsewhere.
    pub defined: Vec<String>,
    pub interrupts: bool,
    pub attached: Option<String>,
    pub default: Option<String>,
    pub repeats: bool,
    /// The name of its element.
    pub element: String,
    /// Is its element empty (`<task/>`)?
    pub is_empty: bool,
    /// By trigger: is its element empty?
    pub empty_triggers: Vec<bool>,
    /// The duration of its timer, as it is written.
    pub duration: Option<String>,
    pub multiple: bool,
    pub compensates: bool,
    pub all_at_once: bool,
}

/// A flow of either sort, as it stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RawFlow {
    pub id: String,
    pub name: String,
    pub line: u64,
    pub source: Option<String>,
    pub target: Option<String>,
}

/// A process or a participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RawPool {
    pub id: String,
    pub name: String,
    pub line: u64,
    /// The process of a participant.
    pub process: Option<String>,
}

/// The elements of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Elements {
    pub processes: Vec<RawPool>,
    pub participants: Vec<RawPool>,
    pub nodes: Vec<RawNode>,
    pub flows: Vec<RawFlow>,
    pub messages: Vec<RawFlow>,
    /// Event definitions outside of events, by their identifiers.
    pub definitions: Vec<(String, Trigger)>,
    /// Is there a choreography, or a conversation?
    pub other_diagram: Option<(u64, String)>,
}

/// An open element that is looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    Definitions,
    Collaboration,
    Process(usize),
    Node(usize),
    /// The definition of an event in a node.
    Timer(usize),
}

fn xml(error: &XmlError) -> Problem {
    Problem::new(error.location.line, error.problem.to_string())
}

/// The elements of a file.
pub(super) fn elements(input: impl BufRead) -> Result<Elements, Problem> {
    Reader { xml: XmlCursor::new(input), namespaces: Vec::new(), open: Vec::new(), elements: Elements::default() }
        .read()
}

struct Reader<R> {
    xml: XmlCursor<R>,
    /// Depth of the element that declares it, prefix, and whether it is the namespace of BPMN.
    namespaces: Vec<(usize, String, bool)>,
    open: Vec<Open>,
    elements: Elements,
}

impl<R: BufRead> Reader<R> {
    fn read(mut self) -> Result<Elements, Problem> {
        loop {
            let event = self.xml.advance().map_err(|error| xml(&error))?;
            match event {
                Event::Open(name) => {
                    let name = name.to_owned();
                    self.enter(&name)?;
                }
                Event::Close(_) => {
                    self.closed();
                    let depth = self.xml.depth();
                    self.namespaces.retain(|(at, ..)| *at <= depth);
                }
                Event::Text(_) => {}
                Event::End => return Ok(self.elements),
            }
        }
    }

    /// After the closing tag of an element that was looked into.
    fn closed(&mut self) {
        let is_empty = self.xml.was_empty();
        match self.open.pop() {
            Some(Open::Node(node)) => self.elements.nodes[node].is_empty = is_empty,
            Some(Open::Timer(node)) => self.elements.nodes[node].empty_triggers.push(is_empty),
            _ => {}
        }
    }

    fn attribute(&self, name: &str) -> Result<Option<String>, Problem> {
        self.xml.own_attribute(name).map_err(|error| xml(&error))
    }

    fn line(&self) -> u64 {
        self.xml.location().line
    }

    /// The identifier of the element opened last; where it has none, one from its place.
    fn id(&self, name: &str) -> Result<String, Problem> {
        Ok(self.attribute("id")?.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("{name}-{}", self.line())))
    }

    /// The name of the element opened last, in one line.
    fn shown(&self) -> Result<String, Problem> {
        let name = self.attribute("name")?.unwrap_or_default();
        Ok(name.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn is_true(&self, name: &str) -> Result<bool, Problem> {
        Ok(matches!(self.attribute(name)?.as_deref().map(str::trim), Some("true" | "1")))
    }

    fn is_false(&self, name: &str) -> Result<bool, Problem> {
        Ok(matches!(self.attribute(name)?.as_deref().map(str::trim), Some("false" | "0")))
    }

    /// Is the element opened last one of BPMN?
    fn is_model(&mut self) -> Result<bool, Problem> {
        let depth = self.xml.depth();
        for (prefix, address) in self.xml.namespaces().map_err(|error| xml(&error))? {
            self.namespaces.push((depth, prefix, address == MODEL));
        }
        let prefix = self.xml.prefix();
        Ok(self.namespaces.iter().rev().find(|(_, known, _)| known == prefix).is_some_and(|(.., model)| *model))
    }

    fn skip(&mut self) -> Result<(), Problem> {
        self.xml.skip().map_err(|error| xml(&error))?;
        let depth = self.xml.depth();
        self.namespaces.retain(|(at, ..)| *at <= depth);
        Ok(())
    }

    /// After the opening tag of an element.
    fn enter(&mut self, name: &str) -> Result<(), Problem> {
        let (line, is_model) = (self.line(), self.is_model()?);
        let Some(&around) = self.open.last() else {
            if name != "definitions" || !is_model {
                let what = format!("`<{name}>` is no diagram of BPMN 2.0: expected `<definitions>` of {MODEL}");
                return Err(Problem::new(line, what));
            }
            self.open.push(Open::Definitions);
            return Ok(());
        };
        if !is_model || name == "extensionElements" {
            return self.skip();
        }
        let next = match (around, name) {
            (Open::Definitions | Open::Collaboration, "collaboration") => Some(Open::Collaboration),
            (Open::Definitions, "process") => Some(self.process(line)?),
            (Open::Definitions, "choreography" | "globalChoreographyTask" | "conversation" | "globalConversation") => {
                self.elements.other_diagram.get_or_insert((line, name.to_owned()));
                None
            }
            (Open::Collaboration, "conversation" | "subConversation" | "callConversation") => {
                self.elements.other_diagram.get_or_insert((line, name.to_owned()));
                None
            }
            (_, "participant") => {
                let (id, shown) = (self.id(name)?, self.shown()?);
                let process = self.attribute("processRef")?;
                self.elements.participants.push(RawPool { id, name: shown, line, process });
                None
            }
            (_, "messageFlow") => {
                let flow = self.flow(name)?;
                self.elements.messages.push(flow);
                None
            }
            (Open::Process(_) | Open::Node(_), "sequenceFlow") => {
                let flow = self.flow(name)?;
                self.elements.flows.push(flow);
                None
            }
            (Open::Definitions, _) if name.ends_with("EventDefinition") => {
                let id = self.id(name)?;
                if let Some(trigger) = self.trigger(name)? {
                    self.elements.definitions.push((id, trigger));
                }
                None
            }
            (Open::Node(node), _) if name.ends_with("EventDefinition") => {
                if let Some(trigger) = self.trigger(name)? {
                    let is_timer = matches!(trigger, Trigger::Timer(_));
                    self.elements.nodes[node].triggers.push(trigger);
                    if !is_timer {
                        self.skip()?;
                        let is_empty = self.xml.was_empty();
                        self.elements.nodes[node].empty_triggers.push(is_empty);
                        return Ok(());
                    }
                    Some(Open::Timer(node))
                } else {
                    None
                }
            }
            (Open::Node(node), "eventDefinitionRef") => {
                let text = self.text()?;
                self.elements.nodes[node].defined.push(text);
                return Ok(());
            }
            (Open::Timer(node), "timeCycle") => {
                let cycle = self.text()?;
                let repeats = repeats(&cycle);
                self.elements.nodes[node].duration = cycle.split_once('/').map(|(_, duration)| duration.to_owned());
                if let Some(Trigger::Timer(known)) = self.elements.nodes[node].triggers.last_mut() {
                    *known = repeats;
                }
                return Ok(());
            }
            (Open::Timer(node), "timeDuration") => {
                self.elements.nodes[node].duration = Some(self.text()?);
                return Ok(());
            }
            (Open::Node(node), "standardLoopCharacteristics") => {
                self.elements.nodes[node].repeats = true;
                None
            }
            (Open::Node(node), "multiInstanceLoopCharacteristics") => {
                self.elements.nodes[node].multiple = true;
                None
            }
            (Open::Process(process), _) => self.node(name, Home::Process(process))?.map(Open::Node),
            (Open::Node(node), _) => self.node(name, Home::Node(node))?.map(Open::Node),
            _ => None,
        };
        match next {
            Some(next) => {
                self.open.push(next);
                Ok(())
            }
            None => self.skip(),
        }
    }

    /// The text of the element opened last, which is left.
    fn text(&mut self) -> Result<String, Problem> {
        let (depth, mut text) = (self.xml.depth(), String::new());
        while self.xml.depth() >= depth {
            match self.xml.advance().map_err(|error| xml(&error))? {
                Event::Text(piece) => text.push_str(piece),
                Event::End => break,
                _ => {}
            }
        }
        self.namespaces.retain(|(at, ..)| *at < depth);
        Ok(text.trim().to_owned())
    }

    fn process(&mut self, line: u64) -> Result<Open, Problem> {
        let (id, name) = (self.id("process")?, self.shown()?);
        self.elements.processes.push(RawPool { id, name, line, process: None });
        Ok(Open::Process(self.elements.processes.len() - 1))
    }

    fn flow(&self, name: &str) -> Result<RawFlow, Problem> {
        Ok(RawFlow {
            id: self.id(name)?,
            name: self.shown()?,
            line: self.line(),
            source: self.attribute("sourceRef")?.map(|id| id.trim().to_owned()),
            target: self.attribute("targetRef")?.map(|id| id.trim().to_owned()),
        })
    }

    /// A node, if this element is one.
    fn node(&mut self, name: &str, home: Home) -> Result<Option<usize>, Problem> {
        let refuse = |what: &str| {
            let id = self.id(name)?;
            let shown = self.shown()?;
            let called = if shown.is_empty() { String::new() } else { format!(" “{shown}”") };
            Err(Problem::new(self.line(), format!("`{id}`{called} is {what}")))
        };
        let sort = match name {
            "task" | "userTask" | "serviceTask" | "sendTask" | "manualTask" | "scriptTask" | "businessRuleTask"
            | "callActivity" => Sort::Task,
            "receiveTask" => Sort::ReceiveTask,
            "subProcess" | "transaction" if self.is_true("triggeredByEvent")? => Sort::EventSub,
            "subProcess" | "transaction" => Sort::Sub,
            "exclusiveGateway" => Sort::Exclusive,
            "parallelGateway" => Sort::Parallel,
            "inclusiveGateway" => Sort::Inclusive,
            "eventBasedGateway" => Sort::EventBased,
            "startEvent" => Sort::Start,
            "endEvent" => Sort::End,
            "intermediateThrowEvent" | "implicitThrowEvent" => Sort::Throw,
            "intermediateCatchEvent" => Sort::Catch,
            "boundaryEvent" => Sort::Boundary,
            "complexGateway" => return refuse("a complex gateway, whose condition is a program; use others instead"),
            "adHocSubProcess" => {
                return refuse("an ad-hoc sub-process, whose activities have no order; say their order by flows");
            }
            _ => return Ok(None),
        };
        let interrupts = match sort {
            Sort::Boundary => !self.is_false("cancelActivity")?,
            _ => !self.is_false("isInterrupting")?,
        };
        let node = RawNode {
            id: self.id(name)?,
            name: self.shown()?,
            line: self.line(),
            sort,
            home,
            triggers: Vec::new(),
            defined: Vec::new(),
            interrupts,
            attached: self.attribute("attachedToRef")?,
            default: self.attribute("default")?,
            repeats: false,
            element: name.to_owned(),
            is_empty: false,
            empty_triggers: Vec::new(),
            duration: None,
            multiple: false,
            compensates: self.is_true("isForCompensation")?,
            all_at_once: self.is_true("parallelMultiple")?,
        };
        self.elements.nodes.push(node);
        Ok(Some(self.elements.nodes.len() - 1))
    }

    /// What the definition of an event, opened last, is about.
    fn trigger(&self, name: &str) -> Result<Option<Trigger>, Problem> {
        Ok(Some(match name {
            "messageEventDefinition" => Trigger::Message,
            "timerEventDefinition" => Trigger::Timer(None),
            "conditionalEventDefinition" => Trigger::Conditional,
            "signalEventDefinition" => Trigger::Signal(self.attribute("signalRef")?),
            "errorEventDefinition" => Trigger::Error(self.attribute("errorRef")?),
            "escalationEventDefinition" => Trigger::Escalation(self.attribute("escalationRef")?),
            "cancelEventDefinition" => Trigger::Cancel,
            "compensateEventDefinition" => Trigger::Compensation,
            "linkEventDefinition" => Trigger::Link(self.shown()?),
            "terminateEventDefinition" => Trigger::Terminate,
            _ => return Ok(None),
        }))
    }
}

/// How often a cycle of ISO 8601 goes round: `R3/PT1H` three times, `R/PT1H` for ever.
fn repeats(cycle: &str) -> Option<Repeats> {
    let (times, _) = cycle.strip_prefix('R')?.split_once('/')?;
    match times {
        "" => Some(Repeats::Always),
        times => times.parse().ok().map(Repeats::Times),
    }
}
