//! Rules on the complete runs of a model with more markings than are listed: by sets of markings.
//!
//! **Idea.** Beside the model stands the deterministic automaton of the rule: a place for each of its states, of which
//! one has a token, and a transition for each way in which a step moves it. It follows whatever the model does and
//! forbids nothing, so that the markings that are reachable together say all: the rule is broken if there is one that
//! is final and has the automaton where it does not accept. Sets of markings are decision diagrams
//! ([`crate::symbolic`]). The run that is found is replayed step by step.

use super::deadline::Observer;
use super::labelled::{Ends, Firing, Labelled};
use super::reader::{Checked, Reader};
use crate::budget::Budget;
use crate::formula::{Comparison, Expr, Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::kinds::bpmn::model_of;
use crate::kinds::bpmn::process_net::{self, Meaning, ProcessNet};
use crate::mdd::with_deep_stack;
use crate::model::VariableId;
use crate::net::{BuildError, NetBuilder, PetriNet};
use crate::processes::reachable;
use crate::stop_reason::StopReason;
use crate::symbolic::Checker;

/// Asks for a rule. An error where the limits are not enough, or the model is none that sets can be made of.
pub(super) fn check(model: &Labelled<'_>, reader: &Reader, budget: &Budget) -> Result<Checked, StopReason> {
    // Recursion is as deep as there are places.
    with_deep_stack(model.initial().len(), || found(model, reader, budget))
}

fn found(model: &Labelled<'_>, reader: &Reader, budget: &Budget) -> Result<Checked, StopReason> {
    let (observer, letters) = reader.observer();
    let watched = Watched::new(model, &observer, &letters)?;
    let (relation, states) = reachable(&*watched.kind, budget)?;
    let mut checker = Checker::new(&relation, states, PathSemantics::Maximal)?;
    let mut pool = Pool::new();
    let over = is_over(model, &mut pool);
    let marked: Vec<FormulaId> =
        watched.broken.iter().map(|&place| compared(&mut pool, place, Comparison::Le, 1)).collect();
    let broken = pool.add(Formula::Or(marked));
    let kept = pool.add(Formula::Not(broken));
    let [broken, kept] = [broken, kept].map(|which| pool.add(Formula::And(vec![over, which])));
    let some = !checker.sat(&pool, kept, budget)?.is_empty();
    if checker.sat(&pool, broken, budget)?.is_empty() {
        return Ok(Checked { all: Some(true), some: Some(some), run: None });
    }
    let reached = pool.add(Formula::Finally(broken));
    let reached = pool.add(Formula::Exists(reached));
    let initial: Vec<u64> = watched.initial.iter().map(|&tokens| tokens.into()).collect();
    let initial = checker.state_of(&initial).ok_or(StopReason::Unsupported("the first marking is no state"))?;
    let path = checker.run(&pool, reached, &initial, false, budget)?;
    let run: Vec<usize> = path.prefix.iter().map(|taken| watched.origins[taken.label as usize]).collect();
    match is_broken_by(model, reader, &run) {
        true => Ok(Checked { all: Some(false), some: Some(some), run: Some(run) }),
        false => Err(StopReason::Unsupported("a run that was found does not replay")),
    }
}

/// Is it a complete run that breaks the rule?
fn is_broken_by(model: &Labelled<'_>, reader: &Reader, run: &[usize]) -> bool {
    let (mut tokens, mut state) = (model.initial().clone(), reader.begin());
    for &step in run {
        let Ok(Some(next)) = model.fire(step, &tokens) else { return false };
        (tokens, state) = (next, reader.next(state, step));
    }
    model.is_final(&tokens) && !reader.accepts(state)
}

/// Where a run is over.
fn is_over(model: &Labelled<'_>, pool: &mut Pool) -> FormulaId {
    let places = model.initial().len();
    let exactly = |pool: &mut Pool, tokens: &dyn Fn(usize) -> u32| {
        let equal = (0..places).map(|place| compared(pool, place, Comparison::Eq, tokens(place))).collect();
        pool.add(Formula::And(equal))
    };
    match (model.ends(), model.firing()) {
        (Ends::Sink(sink), _) => exactly(pool, &|place| u32::from(place == *sink)),
        (Ends::Final(ends), _) => {
            let ends = ends.iter().map(|end| exactly(pool, &|place| end[place])).collect();
            pool.add(Formula::Or(ends))
        }
        (Ends::Process, Firing::Process(net, _)) => {
            let inside = (0..places).filter(|&place| net.places[place].meaning.is_inside());
            let mut all: Vec<FormulaId> = inside.map(|place| compared(pool, place, Comparison::Eq, 0)).collect();
            all.push(pool.add(Formula::Deadlock));
            pool.add(Formula::And(all))
        }
        (Ends::Process | Ends::Deadlock, _) => pool.add(Formula::Deadlock),
    }
}

/// That a number is compared so with the tokens in a place.
fn compared(pool: &mut Pool, place: usize, comparison: Comparison, number: u32) -> FormulaId {
    let number = pool.add_expr(Expr::Const(number.into()));
    let tokens = pool.add_expr(Expr::Tokens(vec![VariableId(place as u32)]));
    pool.add(Formula::Compare(number, comparison, tokens))
}

/// A model with the automaton of a rule beside it. The places of the automaton come behind its own.
struct Watched {
    kind: Box<dyn Kind>,
    initial: Vec<u32>,
    /// By action, the transition of the model.
    origins: Vec<usize>,
    /// The places that say that the rule is broken.
    broken: Vec<usize>,
}

/// A transition of the model while the automaton moves from a place to a place; nothing where it stays whatever its
/// state.
type Move = (usize, Option<(usize, usize)>);

impl Watched {
    fn new(model: &Labelled<'_>, observer: &Observer, letters: &[Option<usize>]) -> Result<Watched, StopReason> {
        let places = model.initial().len();
        let (states, moves) = moves(observer, letters, places);
        let mut initial = model.initial().to_vec();
        initial.extend((0..states.len()).map(|number| u32::from(number == 0)));
        let broken = states.iter().enumerate().filter(|&(_, &state)| observer.broken[state]);
        let broken = broken.map(|(number, _)| places + number).collect();
        let none = || StopReason::Unsupported("the model and the rule cannot be put together");
        let (kind, origins) = match model.firing() {
            Firing::Net(net) => {
                let net = beside_net(net, &initial, &moves).map_err(|_| none())?;
                (Box::new(net) as Box<dyn Kind>, moves.iter().map(|&(step, _)| step).collect())
            }
            Firing::Process(net, _) => {
                let process = model_of(&beside_process(net, &initial, &moves)).ok_or_else(none)?;
                let mut origins = vec![0; process.actions.iter().map(Vec::len).sum()];
                for (actions, &(step, _)) in process.actions.iter().zip(&moves) {
                    actions.iter().for_each(|action| origins[action.index()] = step);
                }
                (process.model, origins)
            }
        };
        Ok(Watched { kind, initial, origins, broken })
    }
}

/// The states of the automaton that are reached by letters, the first being where it begins; and the transitions of the
/// model with it, where its first place has this number.
fn moves(observer: &Observer, letters: &[Option<usize>], first: usize) -> (Vec<usize>, Vec<Move>) {
    let target = |state: usize, letter: usize| observer.edges[state][letter].first().map_or(state, |edge| edge.target);
    let mut states = vec![0];
    let mut next = 0;
    while let Some(&state) = states.get(next) {
        for letter in letters.iter().flatten() {
            let target = target(state, *letter);
            if !states.contains(&target) {
                states.push(target);
            }
        }
        next += 1;
    }
    let place = |state: usize| first + states.iter().position(|&known| known == state).unwrap_or(0);
    let mut moves = Vec::new();
    for (step, letter) in letters.iter().enumerate() {
        match letter {
            Some(letter) if states.iter().any(|&state| target(state, *letter) != state) => {
                moves.extend(states.iter().map(|&state| (step, Some((place(state), place(target(state, *letter)))))));
            }
            _ => moves.push((step, None)),
        }
    }
    (states, moves)
}

/// A process with an automaton beside it.
fn beside_process(net: &ProcessNet, initial: &[u32], moves: &[Move]) -> ProcessNet {
    let mut watched = ProcessNet { places: net.places.clone(), ..ProcessNet::default() };
    for (number, &initial) in initial.iter().enumerate().skip(net.places.len()) {
        let name = format!("rule {number}");
        // It is not inside a pool.
        let meaning = Meaning::Message;
        watched.places.push(process_net::Place { id: name.clone(), name, meaning, initial, most: None });
    }
    for (number, &(step, taken)) in moves.iter().enumerate() {
        let mut transition = net.transitions[step].clone();
        transition.id = format!("t{number}");
        transition.name = transition.id.clone();
        match taken {
            Some((from, to)) if from == to => transition.reads.push(from),
            Some((from, to)) => {
                transition.inputs.push((from, 1));
                transition.outputs.push((to, 1));
            }
            None => {}
        }
        watched.transitions.push(transition);
    }
    // Identifiers of places and transitions are told apart.
    watched.places.iter_mut().enumerate().for_each(|(number, place)| place.id = format!("p{number}"));
    watched
}

/// A net with an automaton beside it.
fn beside_net(net: &PetriNet, initial: &[u32], moves: &[Move]) -> Result<PetriNet, BuildError> {
    let mut builder = NetBuilder::new("watched");
    let place = |number: usize| VariableId(number as u32);
    for (number, &tokens) in initial.iter().enumerate() {
        builder.place(format!("p{number}"), tokens.into())?;
    }
    for (number, &(step, taken)) in moves.iter().enumerate() {
        let known = &net.transitions()[step];
        let added = builder.transition(format!("t{number}"))?;
        for arc in &known.pre {
            builder.input(arc.place, added, arc.weight)?;
        }
        for arc in &known.post {
            builder.output(added, arc.place, arc.weight)?;
        }
        for arc in &known.inhibitors {
            builder.inhibitor(arc.place, added, arc.weight)?;
        }
        if let Some((from, to)) = taken {
            builder.input(place(from), added, 1)?;
            builder.output(added, place(to), 1)?;
        }
    }
    builder.build()
}
