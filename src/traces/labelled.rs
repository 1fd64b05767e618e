//! Nets and processes as models of traces: which steps are seen, by which words, and where a run is complete.
//!
//! | model | seen | not seen | seen or not | complete |
//! |---|---|---|---|---|
//! | net | transitions, by name | silent ones | – | in a final marking of the file; else where the only place without output has one token and no other has any; without such a place in a deadlock |
//! | process | tasks and calls, as they begin | ends of activities | events, gateways, begins of sub-processes | in a final marking (docs/processes.md) |
//!
//! Logs of processes may tell of events and sub-processes, and most do not: both are traces of the model. What is seen
//! is called by its name; by its identifier, too, where no other step has that for a name; or by one of both alone.

use super::rules::Rule;
use crate::formula::{Decision, Naming};
use crate::kinds::bpmn::ReadProcess;
use crate::kinds::bpmn::diagram::{Diagram, Node, NodeId, SequenceFlow, Sort};
use crate::kinds::bpmn::process_net::{Deed, ProcessNet};
use crate::net::{PetriNet, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A marking: tokens by place.
pub(super) type Tokens = Box<[u32]>;

/// Who sees a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    /// Nobody.
    Silent,
    /// A log may have it or not.
    Either,
    /// Everybody.
    Seen,
}

/// Where a run is complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// In one of these markings, as the file says.
    Final(Vec<Tokens>),
    /// Where this place, the only one without output, has a token and no other has any.
    Sink(usize),
    /// Where nothing can fire.
    Deadlock,
    /// Where nothing can happen and nothing is inside a pool.
    Process,
}

/// How a model fires.
#[derive(Clone, Copy, Debug)]
pub(super) enum Firing<'m> {
    /// As a net.
    Net(&'m PetriNet),
    /// As the net of a process.
    Process(&'m ProcessNet, &'m Diagram),
}

/// A model whose steps have labels.
#[derive(Clone, Debug)]
pub struct Labelled<'m> {
    firing: Firing<'m>,
    initial: Tokens,
    ends: Ends,
    sights: Vec<Sight>,
    /// By transition, whether it is an activity: of a process also the begin of a sub-process.
    activities: Vec<bool>,
    /// By transition, what people call its activity.
    names: Vec<&'m str>,
    /// Transitions by the words for them.
    words: FxHashMap<&'m str, Vec<usize>>,
    /// Words for all activities of a process: some have no transition, as nothing leads to them.
    tasks: FxHashSet<&'m str>,
    /// Names that are the identifiers of others.
    ambiguous: FxHashSet<&'m str>,
    /// Which words count.
    naming: Naming,
}

impl<'m> Labelled<'m> {
    /// A net, whose activities are called by names, identifiers or either. `None` if it has more tokens at first than are
    /// counted.
    pub fn net(net: &'m PetriNet, naming: Naming) -> Option<Self> {
        let initial: Option<Tokens> = net.places().iter().map(|place| u32::try_from(place.initial).ok()).collect();
        let mut model = Labelled::without_labels(Firing::Net(net), initial?, ends(net), naming);
        let mut ids = Vec::new();
        for transition in net.transition_ids() {
            let known = net.transition(transition);
            let name = known.name.as_deref().map_or(known.id.as_str(), str::trim);
            let sight = if net.is_silent(transition) { Sight::Silent } else { Sight::Seen };
            model.add(sight, sight == Sight::Seen, name);
            ids.push((known.id.as_str(), transition.index()));
        }
        model.call(ids);
        Some(model)
    }

    /// A process of BPMN.
    pub fn process(read: &'m ReadProcess, naming: Naming) -> Self {
        let net = &read.net;
        let firing = Firing::Process(net, &read.diagram);
        let mut model = Labelled::without_labels(firing, net.initial().into(), Ends::Process, naming);
        let mut ids = Vec::new();
        for (number, transition) in net.transitions.iter().enumerate() {
            // What begins is what is seen of a step.
            let node = transition.begins.first().copied().or(transition.node);
            let name = node.map_or("", |node| read.diagram.nodes[node].shown().trim());
            let sight = node.map_or(Sight::Silent, |node| sight(&read.diagram, node, transition.deed));
            model.add(sight, !transition.begins.is_empty(), name);
            ids.extend(node.map(|node| (read.diagram.nodes[node].id.as_str(), number)));
        }
        model.call(ids);
        for activity in &net.activities {
            let (name, id) = (activity.name.trim(), activity.id.as_str());
            model.tasks.extend((naming != Naming::Id).then_some(name));
            model.tasks.extend((naming != Naming::Name).then_some(id));
        }
        model
    }

    fn without_labels(firing: Firing<'m>, initial: Tokens, ends: Ends, naming: Naming) -> Self {
        Labelled {
            firing,
            initial,
            ends,
            sights: Vec::new(),
            activities: Vec::new(),
            names: Vec::new(),
            words: FxHashMap::default(),
            tasks: FxHashSet::default(),
            ambiguous: FxHashSet::default(),
            naming,
        }
    }

    /// The next transition.
    fn add(&mut self, sight: Sight, is_activity: bool, name: &'m str) {
        if sight != Sight::Silent {
            self.words.entry(name).or_default().push(self.sights.len());
        }
        self.sights.push(sight);
        self.activities.push(is_activity);
        self.names.push(name);
    }

    /// Identifiers are words for what is seen as well: where they are nobody's name, if either may be meant.
    fn call(&mut self, ids: Vec<(&'m str, usize)>) {
        let seen = ids.into_iter().filter(|&(_, transition)| self.sights[transition] != Sight::Silent);
        let mut by_id: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        seen.for_each(|(id, transition)| by_id.entry(id).or_default().push(transition));
        match self.naming {
            Naming::Name => {}
            Naming::Id => self.words = by_id,
            Naming::Either => {
                for (id, transitions) in by_id {
                    let known = self.words.entry(id).or_insert_with(|| transitions.clone());
                    if *known != transitions {
                        self.ambiguous.insert(id);
                    }
                }
            }
        }
    }

    /// Is a word the name of some activities and the identifier of others? Then the name counts.
    pub fn is_ambiguous(&self, word: &str) -> bool {
        self.ambiguous.contains(word)
    }

    /// Where a run is complete.
    pub fn ends(&self) -> &Ends {
        &self.ends
    }

    /// How it fires.
    pub(super) fn firing(&self) -> Firing<'m> {
        self.firing
    }

    /// The tokens at first.
    pub(super) fn initial(&self) -> &Tokens {
        &self.initial
    }

    /// The transitions that a word stands for.
    pub(super) fn called(&self, word: &str) -> &[usize] {
        self.words.get(word).map_or(&[], Vec::as_slice)
    }

    /// Does the model have an activity of this name, or with this identifier?
    pub fn knows(&self, word: &str) -> bool {
        self.words.contains_key(word) || self.tasks.contains(word)
    }

    /// The transitions that a proposition of a rule is about: a word for an activity, or what stands for a decision.
    pub(super) fn meant(&self, name: &str) -> Vec<usize> {
        match Decision::of_proposition(name) {
            Some(decision) => self.deciding(&decision),
            None => self.called(name).iter().copied().filter(|&transition| self.is_activity(transition)).collect(),
        }
    }

    /// By transition, whether it is a position in the traces of a rule: an activity, or a decision that the rule is about.
    pub(super) fn positions(&self, rule: &Rule) -> Vec<bool> {
        let mut positions = self.activities.clone();
        for decision in rule.decisions() {
            self.deciding(decision).into_iter().for_each(|transition| positions[transition] = true);
        }
        positions
    }

    /// The transitions that are a decision.
    fn deciding(&self, decision: &Decision) -> Vec<usize> {
        let calls = |word: &str, id: &str, name: &str| match self.naming {
            Naming::Id => word == id,
            Naming::Name => word == if name.is_empty() { id } else { name.trim() },
            Naming::Either => word == id || word == name.trim(),
        };
        let is = |(way, node): (&SequenceFlow, &Node)| {
            let of = |gateway: &str| calls(gateway, &node.id, &node.name);
            match decision {
                Decision::Gateway(gateway) => of(gateway),
                Decision::Flow { gateway, flow } => {
                    gateway.as_deref().is_none_or(of) && calls(flow, &way.id, &way.name)
                }
            }
        };
        self.transitions().filter(|&transition| self.ways(transition).into_iter().any(is)).collect()
    }

    /// Does the model have a gateway that may decide so?
    pub fn has_decision(&self, decision: &Decision) -> bool {
        !self.deciding(decision).is_empty()
    }

    /// A word in a decision that is the name of one flow, or gateway, and the identifier of another, if both counts.
    pub fn ambiguous_in<'d>(&self, decision: &'d Decision) -> Option<&'d str> {
        let ways = self.transitions().flat_map(|transition| self.ways(transition));
        let (flows, gateways): (Vec<_>, Vec<_>) =
            ways.map(|(flow, gateway)| ((&*flow.id, &*flow.name), (&*gateway.id, &*gateway.name))).unzip();
        let is_twofold = |word: &str, of: &[(&str, &str)]| {
            let other = |&(id, name): &(&str, &str)| name.trim() == word && id != word;
            of.iter().any(|(id, _)| *id == word) && of.iter().any(other)
        };
        let (gateway, flow) = match decision {
            Decision::Gateway(gateway) => (Some(gateway), None),
            Decision::Flow { gateway, flow } => (gateway.as_ref(), Some(flow)),
        };
        let gateway = gateway.filter(|word| is_twofold(word, &gateways));
        let word = gateway.or_else(|| flow.filter(|word| is_twofold(word, &flows)));
        word.map(String::as_str).filter(|_| self.naming == Naming::Either)
    }

    /// The flows by which gateways go on with a step, each with its gateway.
    pub fn ways(&self, transition: usize) -> Vec<(&'m SequenceFlow, &'m Node)> {
        let Firing::Process(net, diagram) = self.firing else { return Vec::new() };
        let flows = net.transitions[transition].ways.iter().map(|&way| &diagram.flows[way]);
        flows.map(|flow| (flow, &diagram.nodes[flow.source])).collect()
    }

    /// What people call the activity that a word stands for.
    pub(super) fn shown<'w>(&'w self, word: &'w str) -> &'w str {
        self.called(word).first().map_or(word, |&transition| self.names[transition])
    }

    /// Who sees a transition.
    pub(super) fn sight(&self, transition: usize) -> Sight {
        self.sights[transition]
    }

    /// Is a transition an activity?
    pub(super) fn is_activity(&self, transition: usize) -> bool {
        self.activities[transition]
    }

    /// Does a word stand for an activity?
    pub fn has_activity(&self, word: &str) -> bool {
        self.called(word).iter().any(|&transition| self.activities[transition]) || self.tasks.contains(word)
    }

    /// The identifier of a step, and what people call it.
    pub fn step(&self, transition: usize) -> (&str, &str) {
        match self.firing {
            Firing::Net(net) => {
                let step = net.transition(TransitionId(transition as u32));
                (&step.id, step.name.as_deref().unwrap_or(&step.id))
            }
            Firing::Process(net, _) => (&net.transitions[transition].id, &net.transitions[transition].name),
        }
    }

    /// The activities among the steps of a run, by their names.
    pub fn activities(&self, run: impl IntoIterator<Item = usize>) -> Vec<&'m str> {
        run.into_iter().filter(|&step| self.is_activity(step)).map(|step| self.name(step)).collect()
    }

    /// What people call the activity of a transition.
    pub(super) fn name(&self, transition: usize) -> &'m str {
        self.names[transition]
    }

    /// All transitions.
    pub(super) fn transitions(&self) -> std::ops::Range<usize> {
        0..self.sights.len()
    }

    /// May a transition fire, if there are not too many tokens?
    fn is_enabled(&self, transition: usize, tokens: &[u32]) -> bool {
        match self.firing {
            Firing::Process(net, _) => net.transitions[transition].is_enabled(&net.places, tokens),
            Firing::Net(net) => {
                let step = net.transition(TransitionId(transition as u32));
                let has = |place: usize, least: u64| u64::from(tokens[place]) >= least;
                step.pre.iter().all(|arc| has(arc.place.index(), arc.weight))
                    && !step.inhibitors.iter().any(|arc| has(arc.place.index(), arc.weight))
            }
        }
    }

    /// The tokens after a transition has fired: `None` where it is not enabled, an error where there would be more than
    /// are counted.
    pub(super) fn fire(&self, transition: usize, tokens: &[u32]) -> Result<Option<Tokens>, TooMany> {
        if !self.is_enabled(transition, tokens) {
            return Ok(None);
        }
        let mut next: Tokens = tokens.into();
        match self.firing {
            Firing::Process(net, _) => {
                net.transitions[transition].fire(&net.places, &mut next).map(|()| Some(next)).ok_or(TooMany)
            }
            Firing::Net(net) => {
                let step = net.transition(TransitionId(transition as u32));
                // As many tokens are there.
                step.pre.iter().for_each(|arc| next[arc.place.index()] -= arc.weight as u32);
                for arc in &step.post {
                    let sum = u64::from(next[arc.place.index()]).checked_add(arc.weight).ok_or(TooMany)?;
                    next[arc.place.index()] = u32::try_from(sum).map_err(|_| TooMany)?;
                }
                Ok(Some(next))
            }
        }
    }

    /// May a run be over here?
    pub(super) fn is_final(&self, tokens: &[u32]) -> bool {
        let is_still = || !self.transitions().any(|transition| self.is_enabled(transition, tokens));
        match (&self.ends, &self.firing) {
            (Ends::Final(ends), _) => ends.iter().any(|end| **end == *tokens),
            (Ends::Sink(sink), _) => tokens.iter().enumerate().all(|(place, &held)| held == u32::from(place == *sink)),
            (Ends::Process, Firing::Process(net, _)) => {
                let is_inside = |(place, &held): (usize, &u32)| held > 0 && net.places[place].meaning.is_inside();
                !tokens.iter().enumerate().any(is_inside) && is_still()
            }
            (Ends::Process | Ends::Deadlock, _) => is_still(),
        }
    }

    /// The name of a place.
    pub fn place(&self, place: usize) -> &str {
        match self.firing {
            Firing::Net(net) => {
                let place = &net.places()[place];
                place.name.as_deref().unwrap_or(&place.id)
            }
            Firing::Process(net, _) => &net.places[place].name,
        }
    }
}

/// More tokens than are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMany;

/// Who sees a transition of a process.
fn sight(diagram: &Diagram, node: NodeId, deed: Deed) -> Sight {
    match (deed, diagram.nodes[node].sort) {
        (Deed::End, _) => Sight::Silent,
        (Deed::Begin, Sort::Task | Sort::ReceiveTask) => Sight::Seen,
        // A sub-process that is not drawn is a task.
        (Deed::Begin, Sort::Sub) if !diagram.is_expanded(node) => Sight::Seen,
        _ => Sight::Either,
    }
}

/// Where runs of a net are complete.
fn ends(net: &PetriNet) -> Ends {
    let mut finals = Vec::new();
    for marking in &net.annotations().finals {
        let mut tokens: Tokens = vec![0; net.place_count()].into();
        // A marking with more tokens than are counted is never reached.
        let fits = marking.iter().all(|&(place, held)| match u32::try_from(held) {
            Ok(held) => {
                tokens[place.index()] = held;
                true
            }
            Err(_) => false,
        });
        if fits {
            finals.push(tokens);
        }
    }
    if !finals.is_empty() {
        return Ends::Final(finals);
    }
    let mut has_output = vec![false; net.place_count()];
    for transition in net.transitions() {
        transition.pre.iter().for_each(|arc| has_output[arc.place.index()] = true);
    }
    let sinks: Vec<usize> = (0..has_output.len()).filter(|&place| !has_output[place]).collect();
    match sinks[..] {
        [sink] => Ends::Sink(sink),
        _ => Ends::Deadlock,
    }
}
