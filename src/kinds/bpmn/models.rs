//! Diagrams as models for engines.
//!
//! A diagram in which nothing empties places is a net of places and transitions with inhibitor arcs: all that is known of
//! nets serves it. Where a place holds at most so many tokens, a transition that puts some there is two of the net: one
//! for where there is room, one for where there is none. Any other diagram is a next-state function ([`Steps`]).

use super::mapping::{Environment, Like, net};
use super::problem::Problem;
use super::process_net::{Beyond, PlaceId, ProcessNet, Transition};
use super::steps::Steps;
use super::{diagram::Diagram, fbpmn, rba, read, resolve};
use crate::budget::Budget;
use crate::files;
use crate::formula::Symbols;
use crate::kinds::beginning::is_process;
use crate::kinds::pins::{PinsError, PinsModel};
use crate::kinds::text::TextError;
use crate::kinds::{Kind, Loaded, ReadError, Reading};
use crate::model::{ActionId, VariableId};
use crate::net::{BuildError, NetBuilder, PetriNet};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// A diagram that was read, with its net.
#[derive(Clone, Debug)]
pub struct ReadProcess {
    /// The file.
    pub file: String,
    /// The diagram.
    pub diagram: Diagram,
    /// Its net.
    pub net: ProcessNet,
}

/// The diagram in a file, and its net.
///
/// # Errors
/// [`ReadError`]: the file cannot be read, is no diagram, or has what is refused.
pub fn read_bpmn(path: &Path, environment: Environment) -> Result<ReadProcess, ReadError> {
    let file = files::shown(path);
    let input = files::open(path).map_err(|error| ReadError::Open { file: file.clone(), error })?;
    let stem = || path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let name = if files::is_stdin(path) { "stdin".to_owned() } else { stem() };
    Ok(read_bpmn_in(std::io::BufReader::new(input), &name, &file, environment)?)
}

/// The same of what is read from elsewhere: a name for the net, and one for the file in messages.
///
/// # Errors
/// [`TextError`] by the line.
pub fn read_bpmn_in(
    input: impl BufRead,
    name: &str,
    file: &str,
    environment: Environment,
) -> Result<ReadProcess, TextError> {
    let refuse = |problem: Problem| TextError::new(file, problem.line as usize, problem.message);
    let elements = read::elements(input).map_err(refuse)?;
    let mut diagram = resolve::diagram(&elements).map_err(refuse)?;
    match environment.like {
        Like::Default => {}
        Like::Rba => diagram = rba::diagram(&elements, diagram).map_err(refuse)?,
        Like::Fbpmn => diagram = fbpmn::diagram(&elements, diagram).map_err(refuse)?,
    }
    let net = net(name, &diagram, environment).map_err(refuse)?;
    Ok(ReadProcess { file: file.to_owned(), diagram, net })
}

/// The diagram in a file as a model.
pub(in crate::kinds) fn bpmn(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    loaded(read_bpmn(paths.first().ok_or(ReadError::Nothing)?, reading.processes)?, reading)
}

/// A diagram as a model, with what is warned of.
pub(in crate::kinds) fn loaded(process: ReadProcess, reading: &Reading) -> Result<Loaded, ReadError> {
    let ReadProcess { file, diagram, net } = process;
    let mut loaded = of_net(net, &file, reading)?;
    loaded.remarks.extend(diagram.warnings.iter().map(|problem| format!("{file}:{problem}")));
    Ok(loaded)
}

/// The net of a diagram as a model.
fn of_net(net: ProcessNet, file: &str, reading: &Reading) -> Result<Loaded, ReadError> {
    match petri_net(&net) {
        Some(plain) => {
            let plain = plain.map_err(|error| TextError::new(file, 1, error.to_string()))?;
            let symbols = symbols(&net, &plain);
            let loaded = Loaded::new(plain.net);
            Ok(Loaded { symbols: symbols.with_labels(reading.labels), ..loaded })
        }
        None => {
            let ids: Vec<[String; 2]> =
                net.places.iter().map(|place| [&place.id, &place.name].map(Clone::clone)).collect();
            let steps: Vec<[String; 2]> = net.transitions.iter().map(|t| [&t.id, &t.name].map(Clone::clone)).collect();
            let (name, together) = (net.name.clone(), net.together.clone());
            let model = match reading.check_rows {
                true => PinsModel::with_checked_rows(&name, Steps::new(net)),
                false => PinsModel::new(&name, Steps::new(net)),
            };
            let model = model.map_err(|error| PinsError::Initial { file: file.to_owned(), error })?;
            let mut loaded = Loaded::new(model);
            for (number, [id, name]) in (0..).zip(ids) {
                if id != name {
                    loaded.symbols.group_places(&id, vec![VariableId(number)]);
                }
            }
            for (number, [id, name]) in (0..).zip(steps) {
                if id != name {
                    loaded.symbols.group_transitions(&id, vec![ActionId(number)]);
                }
            }
            for (name, members) in together {
                let members = members.iter().map(|&member| ActionId(member as u32)).collect();
                loaded.symbols.group_transitions(&name, members);
            }
            Ok(loaded)
        }
    }
}

/// The names of a plain net, where that of a transition of the diagram's net stands for all that it has become.
fn symbols(net: &ProcessNet, plain: &PlainNet) -> Symbols {
    // Of several none has the name alone.
    let apart = build(net, true).map_or_else(|_| Symbols::new(&plain.net), |apart| Symbols::new(&apart.net));
    let mut symbols = apart;
    let mut group = |name: &str, members: &[usize]| {
        let members = members.iter().flat_map(|&member| plain.variants[member].iter().copied());
        symbols.group_transitions(name, members.collect());
    };
    for (number, transition) in net.transitions.iter().enumerate() {
        if plain.variants[number].len() > 1 {
            group(&transition.id, &[number]);
            if transition.name != transition.id {
                group(&transition.name, &[number]);
            }
        }
    }
    for (name, members) in &net.together {
        group(name, members);
    }
    symbols
}

/// The net of a diagram as a model.
#[derive(Debug)]
pub struct ProcessModel {
    /// The model.
    pub model: Box<dyn Kind>,
    /// By transition of the net, the actions that it is there.
    pub actions: Vec<Vec<ActionId>>,
}

/// The net as a model; `None` if there is no such model.
pub fn model_of(net: &ProcessNet) -> Option<ProcessModel> {
    match petri_net(net) {
        Some(Ok(plain)) => Some(ProcessModel { model: Box::new(plain.net), actions: plain.variants }),
        Some(Err(_)) => None,
        None => {
            let model = PinsModel::new(&net.name, Steps::new(net.clone())).ok()?;
            let actions = (0..net.transitions.len()).map(|t| vec![ActionId(t as u32)]).collect();
            Some(ProcessModel { model: Box::new(model), actions })
        }
    }
}

/// Is a file called as diagrams are, or does it begin as they do?
pub fn is_bpmn(path: &Path) -> bool {
    files::has_extension(path, "bpmn") || is_process(&files::head(path))
}

/// A net without transitions that empty places.
#[derive(Debug)]
pub struct PlainNet {
    /// The net; its places are those of the diagram's net.
    pub net: PetriNet,
    /// By transition of the diagram's net, those of this one.
    pub variants: Vec<Vec<ActionId>>,
}

/// The net of a diagram as a net of places and transitions; `None` where something empties places.
pub fn petri_net(net: &ProcessNet) -> Option<Result<PlainNet, BuildError>> {
    (!net.has_resets()).then(|| build(net, false))
}

/// The plain net; `apart` if no transition that is one of several has the name of what it is one of.
fn build(net: &ProcessNet, apart: bool) -> Result<PlainNet, BuildError> {
    let mut builder = NetBuilder::new(net.name.clone());
    let place_id = |place: PlaceId| VariableId(place as u32);
    for place in &net.places {
        let added = builder.place(place.id.clone(), place.initial.into())?;
        builder.name_place(added, place.name.clone());
    }
    let mut variants = Vec::with_capacity(net.transitions.len());
    for transition in &net.transitions {
        let (mut ways, all) = (Vec::new(), self::ways(net, transition));
        let several = apart && all.len() > 1;
        for (number, way) in (1..).zip(all) {
            let (mut id, mut name) = (transition.id.clone(), transition.name.clone());
            if number > 1 || several {
                (id, name) = (format!("{id}.{number}"), format!("{name} ({number})"));
            }
            while builder.has(&id) {
                id.push('\'');
            }
            let added = builder.transition(id)?;
            builder.name_transition(added, name);
            for &(place, taken) in &transition.inputs {
                builder.input(place_id(place), added, taken.into())?;
            }
            for &place in &transition.reads {
                builder.read_arc(place_id(place), added, 1)?;
            }
            for &place in &transition.inhibitors {
                builder.inhibitor(place_id(place), added, 1)?;
            }
            for &(place, put) in &way.outputs {
                builder.output(added, place_id(place), put.into())?;
            }
            for &(place, below) in &way.below {
                builder.inhibitor(place_id(place), added, below.into())?;
            }
            for &(place, least) in &way.least {
                builder.read_arc(place_id(place), added, least.into())?;
            }
            ways.push(added);
        }
        variants.push(ways);
    }
    Ok(PlainNet { net: builder.build()?, variants })
}

/// What a transition puts, where these places have few enough tokens, and those so many.
#[derive(Clone, Debug, Default)]
struct Way {
    outputs: Vec<(PlaceId, u32)>,
    below: Vec<(PlaceId, u32)>,
    least: Vec<(PlaceId, u32)>,
}

/// The ways in which a transition puts its tokens: by how much room there is.
fn ways(net: &ProcessNet, transition: &Transition) -> Vec<Way> {
    let mut ways = vec![Way::default()];
    for &(place, put) in &transition.outputs {
        let mut next = Vec::new();
        for way in ways {
            let Some((most, beyond)) = net.places[place].most else {
                next.push(Way { outputs: [way.outputs, vec![(place, put)]].concat(), ..way });
                continue;
            };
            let room = most.saturating_sub(put);
            if put <= most {
                let mut fits = way.clone();
                fits.outputs.push((place, put));
                fits.below.push((place, room + 1));
                next.push(fits);
            }
            if beyond == Beyond::Lost {
                // One token at a time comes to such places.
                let mut full = way;
                full.least.push((place, room + 1));
                next.push(full);
            }
        }
        ways = next;
    }
    ways
}
