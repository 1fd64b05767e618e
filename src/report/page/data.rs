//! The data for the script of a page.

use super::beside::Beside;
use crate::formula::Symbols;
use crate::kinds::Kind;
use crate::kinds::network::{Component, Network};
use crate::kinds::pins::Process;
use crate::model::{ActionId, VariableId};
use crate::net::{Arc, PetriNet};
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The content of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a, R> {
    /// The model.
    pub model: &'a dyn Kind,
    /// A description of the model, if there is more to say than its name: a sentence.
    pub origin: &'a str,
    /// The answers: objects as the commands `check`, `satset` and `states` print as JSON.
    pub results: &'a [R],
    /// Of the diagram of the reachable states, from the top: the variable of each level, and the number of nodes.
    pub levels: Option<&'a [(VariableId, usize)]>,
    /// Actions whose transitions are to be drawn even if the net is too large to be drawn as a whole.
    pub focus: &'a [ActionId],
    /// Data of each of the results that is not in its JSON; none, or one for each.
    pub beside: &'a [Beside],
    /// The names that people gave, if they are shown instead of identifiers.
    pub symbols: Option<&'a Symbols>,
}

/// Arcs that a page has at most: with more of them there is no token game.
const MOST_ARCS: usize = 1_000_000;
/// Edges of a network that a page has at most.
const MOST_EDGES: usize = 200_000;
/// Greater weights are texts, since the numbers of a browser are rounded.
const EXACT: u64 = 1 << 53;

/// The action of a transition, and the numbers of the places that it takes from and puts into.
type Drawn<'a> = (&'a str, Vec<usize>, Vec<usize>);

#[derive(Serialize)]
pub(super) struct Data<'a, R> {
    schema: &'static str,
    net: Sizes,
    /// May transitions be fired as the arcs say? Of models that are no nets they are a drawing.
    playable: bool,
    /// Identifiers and initial tokens.
    places: Vec<(&'a str, String)>,
    transitions: Vec<&'a str>,
    /// Those of them that nobody sees.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    silent: Vec<usize>,
    /// Of each transition: input, output, and inhibitor arcs, each as place, weight, place, weight, …
    #[serde(skip_serializing_if = "Option::is_none")]
    arcs: Option<Vec<Vec<Vec<Value>>>>,
    /// Display names of places and transitions, where they are not the identifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Names<'a>>,
    /// Where several transitions may be drawn of one action.
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<Drawn<'a>>>,
    /// The terms for states, variables and actions, and whether values are counts.
    terms: Words<'a>,
    /// Variables that the picture has no place for: identifier, initial value, and whether a process is told by it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variables: Vec<(&'a str, String, bool)>,
    /// Sizes of a model that is no net: how many, of what.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<(usize, &'static str)>,
    levels: Option<Vec<(&'a str, usize)>>,
    results: &'a [R],
    beside: &'a [Beside],
    /// The components of a network, or the processes of a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<Components<'a>>,
}

#[derive(Serialize)]
struct Words<'a> {
    model: &'a str,
    state: &'a str,
    counts: bool,
}

#[derive(Serialize)]
struct Names<'a> {
    places: Vec<Option<&'a str>>,
    transitions: Vec<Option<&'a str>>,
}

impl<'a> Names<'a> {
    /// Of a net where any name is not the identifier.
    fn of(net: &PetriNet, symbols: &'a Symbols) -> Option<Self> {
        let place = |id: VariableId| symbols.place_name(id).filter(|name| *name != net.place(id).id);
        let transition = |id: ActionId| symbols.transition_name(id).filter(|name| *name != net.transition(id).id);
        let places: Vec<_> = net.place_ids().map(place).collect();
        let transitions: Vec<_> = net.transition_ids().map(transition).collect();
        let any = places.iter().chain(&transitions).any(Option::is_some);
        any.then_some(Names { places, transitions })
    }
}

#[derive(Serialize)]
struct Components<'a> {
    /// Are their edges all that there is to know of their steps?
    moves: bool,
    labels: Vec<&'a str>,
    components: Vec<Automaton<'a>>,
}

#[derive(Serialize)]
struct Automaton<'a> {
    name: Cow<'a, str>,
    states: Cow<'a, [String]>,
    initial: u32,
    /// Source, number of the label, target.
    edges: Vec<(u32, usize, u32)>,
    /// The text at each of the edges, if not its label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<String>,
}

impl<'a> Components<'a> {
    /// Of a network that is not too large for a page.
    fn of(network: &'a Network) -> Option<Self> {
        let edges: usize = network.components().iter().map(|component| component.edges.len()).sum();
        let automaton = |component: &'a Component| Automaton {
            name: component.name.as_str().into(),
            states: component.states.as_slice().into(),
            words: Vec::new(),
            initial: component.initial,
            edges: {
                let edge = |(source, label, target): &(u32, String, u32)| {
                    Some((*source, network.find_label(label)?.index(), *target))
                };
                component.edges.iter().filter_map(edge).collect()
            },
        };
        (edges <= MOST_EDGES).then(|| Components {
            moves: true,
            labels: network.label_ids().map(|label| network.label(label)).collect(),
            components: network.components().iter().map(automaton).collect(),
        })
    }

    /// Of the processes of a program that is not too large for a page.
    fn of_program(model: &'a dyn Kind) -> Option<Self> {
        let processes = model.processes();
        let edges: usize = processes.iter().map(|process| process.edges.len()).sum();
        if processes.is_empty() || edges > MOST_EDGES {
            return None;
        }
        let automaton = |process: Process| Automaton {
            edges: process.edges.iter().map(|&(from, by, to, _)| (from as u32, by, to as u32)).collect(),
            words: process.edges.into_iter().map(|(.., words)| words).collect(),
            name: process.name.into(),
            states: process.states.into(),
            initial: process.initial as u32,
        };
        Some(Components {
            moves: false,
            labels: model.action_ids().map(|action| model.action(action)).collect(),
            components: processes.into_iter().map(automaton).collect(),
        })
    }
}

#[derive(Serialize)]
struct Sizes {
    name: String,
    places: usize,
    transitions: usize,
    arcs: usize,
}

impl<'a, R> Data<'a, R> {
    /// Can the script draw?
    pub(super) fn has_arcs(&self) -> bool {
        self.arcs.is_some()
    }

    /// Are the components of a network drawn?
    pub(super) fn is_network(&self) -> bool {
        self.network.is_some()
    }

    pub(super) fn of(page: &Page<'a, R>, net: &'a PetriNet) -> Self {
        let model = page.model;
        let variable = |&(variable, nodes): &(VariableId, usize)| (model.variable(variable), nodes);
        let is_net = model.as_net().is_some();
        let network = match model.as_network() {
            Some(network) => Components::of(network),
            None => Components::of_program(model),
        };
        let arcs = (network.is_none() && net.arc_count() <= MOST_ARCS)
            .then(|| net.transition_ids().map(|t| arcs(net, t)).collect());
        Data {
            schema: "starset/report/1",
            net: Sizes {
                name: model.name().to_owned(),
                places: net.place_count(),
                transitions: net.transition_count(),
                arcs: net.arc_count(),
            },
            playable: is_net && arcs.is_some(),
            places: net.places().iter().map(|place| (place.id.as_str(), place.initial.to_string())).collect(),
            transitions: net.transitions().iter().map(|transition| transition.id.as_str()).collect(),
            silent: net.transition_ids().filter(|&t| net.is_silent(t)).map(|t| t.index()).collect(),
            arcs,
            names: page.symbols.filter(|_| is_net).and_then(|symbols| Names::of(net, symbols)),
            actions: (!is_net).then(|| actions(net)),
            terms: Words { model: model.terms().model, state: model.terms().state, counts: model.terms().counts },
            variables: if is_net || model.as_network().is_some() { Vec::new() } else { not_drawn(model, net) },
            sizes: if is_net { Vec::new() } else { model.sizes().iter().map(|size| (size.count, size.one)).collect() },
            levels: page.levels.map(|levels| levels.iter().map(variable).collect()),
            results: page.results,
            beside: page.beside,
            network,
        }
    }
}

/// The arcs of a transition; the last list is left out if it is empty.
fn arcs(net: &PetriNet, id: ActionId) -> Vec<Vec<Value>> {
    let transition = net.transition(id);
    let weight = |weight: u64| if weight <= EXACT { json!(weight) } else { json!(weight.to_string()) };
    let list = |arcs: &[Arc]| arcs.iter().flat_map(|arc| [json!(arc.place.index()), weight(arc.weight)]).collect();
    let mut lists = vec![list(&transition.pre), list(&transition.post)];
    if !transition.inhibitors.is_empty() {
        lists.push(list(&transition.inhibitors));
    }
    lists
}

/// Variables that a picture has no place for, with their initial values.
fn not_drawn<'a>(model: &'a dyn Kind, net: &PetriNet) -> Vec<(&'a str, String, bool)> {
    let state = model.initial();
    let drawn: FxHashSet<&str> = net.places().iter().map(|place| place.id.as_str()).collect();
    let variable = |variable: VariableId| {
        let (id, value) = (model.variable(variable), state.value(variable));
        let text = model.value(variable, value).unwrap_or_else(|| value.to_string().into());
        let is_drawn = drawn.contains(id) || drawn.contains(format!("{id}={text}").as_str());
        (!is_drawn).then(|| (id, text.into_owned(), model.is_control(variable)))
    };
    model.variable_ids().filter_map(variable).collect()
}

/// The action that a transition of a picture is drawn of.
pub(super) fn action_of(net: &PetriNet, transition: ActionId) -> &str {
    let transition = net.transition(transition);
    transition.name.as_deref().unwrap_or(&transition.id)
}

/// The actions of the transitions of a picture, with the places that they take from and put into.
fn actions(net: &PetriNet) -> Vec<Drawn<'_>> {
    let places = |arcs: &[Arc]| arcs.iter().map(|arc| arc.place.index()).collect();
    let action = |id: ActionId| (action_of(net, id), places(&net.transition(id).pre), places(&net.transition(id).post));
    net.transition_ids().map(action).collect()
}
