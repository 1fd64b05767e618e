//! Files with models behind a next-state function.

use super::b::{self, BMachine, Options};
use super::dve::{Dve, Watched};
use super::etf::Etf;
use super::logical::{Form, Logical, Named};
#[cfg(feature = "prob")]
use super::prob::{Patience, Peer, Started};
use super::smv::{Asked, Smv, in_file};
use super::{LabelRole, NextState, PinsError, PinsModel};
use crate::budget::Budget;
use crate::files;
use crate::formula::{Formula, FormulaId, PathSemantics, Symbols, parse};
use crate::kinds::reading::text;
use crate::kinds::{Loaded, ModelQuestion, ModelQuestions, Prober, Purpose, ReadError, Reading};
use crate::model::{LabelId, TransitionSystem};
use starset_smv::Circuit;
use std::io::{Error, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// The file with the graph in an archive of GINsim, and how large it may be.
const GRAPH: &str = "GINsim-data/regulatoryGraph.ginml";
const MOST: u64 = 1 << 28;

/// A model, called after its file. It asks whether its invariant and its assertions hold in every state.
fn loaded(path: &Path, model: impl NextState + 'static, reading: &Reading) -> Result<Loaded, ReadError> {
    loaded_within(path, model, reading, Budget::none())
}

/// The same where what it is asked at first may take long.
fn loaded_within(
    path: &Path,
    model: impl NextState + 'static,
    reading: &Reading,
    budget: &Budget,
) -> Result<Loaded, ReadError> {
    let stem = || path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let name = if files::is_stdin(path) { "stdin".to_owned() } else { stem() };
    let roles = model.signature().labels.iter().map(|label| label.role).collect();
    let model = match reading.check_rows {
        true => PinsModel::with_checked_rows(&name, model),
        false => PinsModel::within(&name, model, budget),
    };
    let model = model.map_err(|error| PinsError::Initial { file: path.display().to_string(), error })?;
    let mut loaded = Loaded::new(model);
    loaded.questions = invariants(&*loaded.model, roles);
    Ok(loaded)
}

/// The questions whether labels with these roles hold in every state, where they should.
fn invariants(model: &dyn TransitionSystem, roles: Vec<LabelRole>) -> ModelQuestions {
    let mut questions = ModelQuestions::default();
    for (label, role) in (0..).map(LabelId).zip(roles) {
        if role == LabelRole::Proposition {
            continue;
        }
        let pool = &mut questions.pool;
        let operators: [fn(FormulaId) -> Formula; 2] = [Formula::Globally, Formula::Forall];
        let holds = pool.add(Formula::Label(label));
        let formula = operators.into_iter().fold(holds, |inner, operator| pool.add(operator(inner)));
        let id = model.label(label).to_owned();
        questions.list.push(ModelQuestion { invariant: true, ..ModelQuestion::new(id, formula, None) });
    }
    questions
}

/// A DVE model in a file; if it has a property process, its product with that, which is asked whether the property
/// holds.
pub(in crate::kinds) fn dve(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let (text, file) = text(path)?;
    let model = Dve::read(&file, &text).map_err(PinsError::from)?;
    let remarks = model.remarks().to_vec();
    let Some(watched) = Watched::new(&model) else {
        return Ok(Loaded { remarks, ..loaded(path, model, reading)? });
    };
    let origin = "The product of a system with its property process.";
    let mut loaded = Loaded { origin, remarks, ..loaded(path, watched.clone(), reading)? };
    let formula = watched.question(&mut loaded.questions.pool);
    let formula = formula.map_err(|message| PinsError::Property { file, message })?;
    let (id, paths) = (watched.property().name.clone(), Some(PathSemantics::Stutter));
    loaded.questions.list.insert(0, ModelQuestion::new(id, formula, paths));
    Ok(loaded)
}

/// An ETF model in a file.
pub(in crate::kinds) fn etf(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let (text, file) = text(path)?;
    loaded(path, Etf::read(&file, &text).map_err(PinsError::from)?, reading)
}

/// An SMV program in a file, with what the file asks.
pub(in crate::kinds) fn smv(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let (text, file) = text(path)?;
    let (program, Asked { questions, mut remarks, notes }) = Smv::asked(&file, &text, &reading.asked, reading.purpose)?;
    let loaded = loaded(path, program, reading)?;
    remarks.extend(loaded.remarks);
    Ok(Loaded { questions, remarks, notes, ..loaded })
}

/// A logical network in a file of a form.
fn logical(paths: &[PathBuf], form: Form, reading: &Reading) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let (text, file) = match form {
        Form::Ginml => graph_of_ginsim(path)?,
        _ => text(path)?,
    };
    let read = Logical::read_fixed(&file, &text, form, reading.update, &reading.fixed);
    let Named { network, remarks, notes } = read.map_err(PinsError::from)?;
    Ok(Loaded { remarks, notes, ..loaded(path, network, reading)? })
}

/// The regulatory graph of GINsim, as a file of its own or in its archive, and the name of the file.
fn graph_of_ginsim(path: &Path) -> Result<(String, String), ReadError> {
    let (file, mut bytes) = (files::shown(path), Vec::new());
    let failed = |error| ReadError::Open { file: file.clone(), error };
    files::open(path).and_then(|input| input.take(MOST).read_to_end(&mut bytes)).map_err(failed)?;
    if files::is_zip(&bytes) {
        let found = files::file_in_zip(&bytes, GRAPH, MOST).map_err(failed)?;
        let none = || failed(Error::new(ErrorKind::NotFound, format!("no {GRAPH} is in the archive")));
        bytes = found.ok_or_else(none)?;
    }
    let text = String::from_utf8(bytes).map_err(|error| failed(Error::new(ErrorKind::InvalidData, error)))?;
    Ok((text, file))
}

/// A network of BoolNet.
pub(in crate::kinds) fn bnet(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    logical(paths, Form::Bnet, reading)
}

/// A network of BooleanNet.
pub(in crate::kinds) fn booleannet(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    logical(paths, Form::BooleanNet, reading)
}

/// A network of AEON.
pub(in crate::kinds) fn aeon(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    logical(paths, Form::Aeon, reading)
}

/// A network in SBML-qual.
pub(in crate::kinds) fn sbml(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    logical(paths, Form::Sbml, reading)
}

/// A network of GINsim.
pub(in crate::kinds) fn ginml(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    logical(paths, Form::Ginml, reading)
}

/// An and-inverter graph in a file, as the program that it is.
pub(in crate::kinds) fn aiger(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let file = files::shown(path);
    let mut bytes = Vec::new();
    let read = files::open(path).and_then(|mut input| input.read_to_end(&mut bytes));
    read.map_err(|error| ReadError::Open { file: file.clone(), error })?;
    let circuit = Circuit::read(&bytes).map_err(|fault| PinsError::from(in_file(fault, &file)))?;
    // Places are those of the program.
    let (program, Asked { questions, mut remarks, notes }) =
        Smv::asked(&format!("{file} as a program"), &circuit.program(), &reading.asked, reading.purpose)?;
    if let Some(output) =
        circuit.first_output().filter(|_| reading.purpose != Purpose::States && reading.asked.is_empty())
    {
        remarks.push(format!(
            "{file}: the circuit has outputs and no properties; where an output says what is bad, ask -f 'INVARSPEC !{output}'"
        ));
    }
    let loaded = loaded(path, program, reading)?;
    remarks.extend(loaded.remarks);
    Ok(Loaded { questions, remarks, notes, ..loaded })
}

/// A B machine in a file; what it uses lies beside it.
pub(in crate::kinds) fn machine(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    machine_by(|path, options| Ok((BMachine::open(path, options)?, Vec::new())), paths, reading, budget)
}

/// An Event-B machine, in the files of Rodin or a package of ProB.
pub(in crate::kinds) fn event_b(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    machine_by(BMachine::open_event_b, paths, reading, budget)
}

/// A machine, with what it asks itself; opening it gives notes, too.
fn machine_by(
    open: impl Fn(&Path, &Options) -> Result<(BMachine, Vec<String>), b::Error>,
    paths: &[PathBuf],
    reading: &Reading,
    budget: &Budget,
) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    if let Some(prober) = &reading.prober {
        return started(path, prober, reading);
    }
    let options = Options { budget: budget.clone(), warn: reading.warn, ..Options::default() };
    let (machine, notes) = open(path, &options).map_err(|error| match budget.check() {
        Ok(()) => PinsError::from(error),
        // What it did not come to is no fault of the machine.
        Err(exhausted) => b::Error::exhausted(exhausted).into(),
    })?;
    let (remarks, asked) = (machine.warnings(), machine.questions().to_vec());
    let files = machine.files().to_vec();
    let mut loaded = Loaded { remarks, notes, files, ..loaded_within(path, machine, reading, budget)? };
    let symbols = Symbols::of(&*loaded.model);
    let pool = &mut loaded.questions.pool;
    for question in asked {
        let formula = question.formula.and_then(|text| {
            let formula = parse(&text, &symbols, pool).map_err(|error| error.to_string())?;
            Ok(if question.linear { pool.add(Formula::Forall(formula)) } else { formula })
        });
        let (formula, refused) = match formula {
            Ok(formula) => (formula, None),
            Err(reason) => (pool.add(Formula::True), Some(reason)),
        };
        let asked = ModelQuestion::new(question.id, formula, Some(PathSemantics::Maximal));
        loaded.questions.list.push(ModelQuestion { written: Some(question.written), refused, ..asked });
    }
    Ok(loaded)
}

/// A machine that a server explores, by its socket.
pub(in crate::kinds) fn served(paths: &[PathBuf], reading: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    peer(paths.first().ok_or(ReadError::Nothing)?, reading)
}

#[cfg(feature = "prob")]
fn peer(path: &Path, reading: &Reading) -> Result<Loaded, ReadError> {
    let peer = Peer::connect(path, Patience::default(), None).map_err(PinsError::from)?;
    loaded(path, peer, reading)
}

#[cfg(feature = "prob")]
fn started(path: &Path, prober: &Prober, reading: &Reading) -> Result<Loaded, ReadError> {
    let patience = Patience::default();
    let server = Started::new(&prober.program, path, &prober.folder, patience).map_err(PinsError::from)?;
    let socket = server.socket.clone();
    let peer = Peer::connect(&socket, patience, Some(server)).map_err(PinsError::from)?;
    loaded(path, peer, reading)
}

#[cfg(not(feature = "prob"))]
fn peer(path: &Path, _: &Reading) -> Result<Loaded, ReadError> {
    let what = "this starset does not speak with other programs; build it with the feature `prob`";
    Err(PinsError::Server(super::ModelError(format!("{}: {what}", path.display()))).into())
}

#[cfg(not(feature = "prob"))]
fn started(path: &Path, _: &Prober, reading: &Reading) -> Result<Loaded, ReadError> {
    peer(path, reading)
}
