//! The statements of answers as formulas; and certificates of many answers about one model, which share its reachable
//! set.
//!
//! | question | formula |
//! |---|---|
//! | a deadlock | `EF deadlock` |
//! | one-safe | `AG` (no place holds more than one token) |
//! | a stable marking | for some place p, `AG #p = ` what is in it at first |
//! | quasi-live | for every transition t, `EF enabled(t)` |
//! | live | for every transition t, `AG EF enabled(t)` |
//! | the bound of a sum is n | `AG` (it is at most n), and `EF` (it is n) |

use super::{Maker, Means, Sets, Uncertified, is_by_tables};
use crate::budget::{Budget, Exhausted};
use crate::decide::{Bits, Global, Question, Settings, StateSpace, Subject, Value, explore};
use crate::files;
use crate::formula::{Comparison, Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::{Kind, Writing, write, write_tables};
use crate::mdd::with_deep_stack;
use crate::model::Groups;
use crate::net::{PlaceId, TransitionId};
use crate::stop_reason::StopReason;
use crate::witness::Witness;
use rustc_hash::FxHashMap;
use starset_checker::{self as checker, Net};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The text that certificates of a model are about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelText {
    /// The text.
    pub text: String,
    /// How a file with this text is called at its end, if it is not the file that the model was read from.
    pub form: Option<&'static str>,
}

/// The most time for what the engine of bits knows of a question: it may never end.
const BITS: Duration = Duration::from_secs(60);
/// The same where the reachable set is known, which is another way.
const BITS_FOR_RUNS: Duration = Duration::from_millis(150);
/// The most of it for ranks where sets may be as good.
const RANKS: Duration = Duration::from_secs(1);
/// Tables of models with more states are not written.
const MOST_STATES: usize = 200_000;

/// The text that certificates of a model are about: that of its file, of a net in PNML or a network; of a net in another
/// form, or of the unfolding of a coloured one, PNML; of a program of SMV, one of a single module with definitions of what
/// is asked, unless this is what the file has; of other models, tables of the steps between their reachable states, in ETF.
///
/// # Errors
/// When the file cannot be read, or is no text; when there are no tables.
pub fn model_text(model: &dyn Kind, path: &Path, budget: &Budget) -> Result<ModelText, Uncertified> {
    if is_by_tables(model) {
        let text = write_tables(model, MOST_STATES, &budget.part(1, 3)).map_err(|error| match error.exhausted() {
            Some(exhausted) => exhausted.into(),
            None => Uncertified::Tables(error.to_string()),
        })?;
        return Ok(ModelText { text, form: Some("etf") });
    }
    let text = file_text(path).map_err(|error| Uncertified::Model(format!("{}: {error}", path.display())));
    if model.as_net().is_some() {
        return match text {
            Ok(text) if is_read(&text)? => Ok(ModelText { text, form: None }),
            _ => Ok(ModelText { text: pnml(model, budget)?, form: Some("pnml") }),
        };
    }
    Ok(match model.flat() {
        Some(flat) if text.as_ref().ok() != Some(&flat.text) => ModelText { text: flat.text, form: Some("smv") },
        _ => ModelText { text: text?, form: None },
    })
}

/// A net as PNML.
fn pnml(model: &dyn Kind, budget: &Budget) -> Result<String, Uncertified> {
    let mut text = Vec::new();
    write(model, "pnml", &Writing::default(), budget, &mut text).map_err(|error| match error.exhausted() {
        Some(exhausted) => exhausted.into(),
        None => Uncertified::Model(error.to_string()),
    })?;
    String::from_utf8(text).map_err(|error| Uncertified::Model(error.to_string()))
}

/// Does the checker read a net or a network in this text?
fn is_read(text: &str) -> Result<bool, Uncertified> {
    Ok(checker::with_stack(|| checker::bounded(text.len(), || Net::read(text)).is_ok())?)
}

/// The text of the file that a model is read from, as the checker wants it.
fn file_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    if files::is_stdin(path) {
        return Err(io::Error::other("it has been read"));
    }
    let folder = path.is_dir() || files::is_archive(path);
    let mut file = if folder { files::open_in(path, "model.pnml")? } else { files::open(path)? };
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// A certificate that the checker has accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// The certificate.
    pub text: String,
    /// How long it took to make.
    pub made: Duration,
    /// How long it took to check.
    pub checked: Duration,
}

/// A question with its answer, and a witness of it if there is one.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredQuestion<'a> {
    /// The question.
    pub question: &'a Question,
    /// The answer.
    pub value: &'a Value,
    /// Why.
    pub witness: Option<&'a Witness>,
    /// How many states explicit search stored, if it found the answer.
    pub visited: Option<u64>,
}

/// The statement of an answer: a formula is true, or false.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Statement {
    formula: FormulaId,
    paths: PathSemantics,
    verdict: bool,
}

/// Certificates for answers about a model that was read from a file with this text. What runs, inequalities or few
/// states prove comes first; the others get slices of what is left of the time, in rounds, the last of which is long.
/// Equal statements have one certificate. `known` is the reachable set of the model, if it has been found for the
/// answers. `done` is called once for each answer, with its number.
pub fn certify(
    (model, groups, text): (&dyn Kind, &Groups, &str),
    pool: &Pool,
    (answers, known): (&[AnsweredQuestion<'_>], Option<StateSpace>),
    settings: &Settings<'_>,
    budget: &Budget,
    done: &mut (dyn FnMut(usize, Result<Certified, Uncertified>) + Send),
) {
    let (own, mut pool) = (pool, pool.clone());
    let visited = answers.iter().filter_map(|answer| answer.visited).max();
    let maker = Maker::new(model, text, (known.as_ref(), visited));
    let is_unlisted = |maker: &Result<Maker<'_>, _>| maker.as_ref().is_ok_and(Maker::is_unlisted);
    let mut by_bits = ByBits {
        subject: Subject { model, groups, pool: own },
        bits: if settings.ways.sat && is_unlisted(&maker) { None } else { Some(None) },
        for_runs: known.is_some(),
    };
    let (known, sets) = (Mutex::new(known), OnceLock::<Result<Sets, Uncertified>>::new());
    let explored = || {
        let found = || match known.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(space) => Sets::new(space),
            None => Sets::new(explore(model, settings, true, &budget.part(1, 2), &|_| ())?),
        };
        sets.get_or_init(found).as_ref().map_err(Clone::clone)
    };
    let statements: Vec<Result<Statement, Uncertified>> =
        answers.iter().map(|answer| statement(model, groups, &mut pool, answer.question, answer.value)).collect();
    let (firsts, same) = grouped(&statements);
    let mut done = |number: usize, result: Result<Certified, Uncertified>| {
        same[number].iter().for_each(|&other| done(other, result.clone()));
        done(number, result);
    };
    with_deep_stack(model.variables(), || {
        let mut pending = firsts;
        let is_listed = maker.as_ref().is_ok_and(|maker| maker.is_listed(&budget.part(1, 2)) == Ok(true));
        let first = if is_listed { ROUNDS.len() - 2 } else { 0 };
        for (round, part) in ROUNDS.into_iter().enumerate().skip(first) {
            let count = pending.len();
            let mut later = Vec::new();
            for (at, number) in pending.into_iter().enumerate() {
                let AnsweredQuestion { question, value, witness, .. } = answers[number];
                let begun = Instant::now();
                let mut is_by_bits = false;
                let result = maker.as_ref().map_err(Clone::clone).and_then(|maker| {
                    let statement = statements[number].clone()?;
                    let mut explored = || explored();
                    let (asked, verdict) = ((statement.formula, statement.paths), (statement.verdict, witness));
                    let share = budget.share(part * (count - at));
                    let for_bits = share.clone().with_time(if by_bits.for_runs { BITS_FOR_RUNS } else { BITS });
                    let is_for_bits = round <= 1 || sets.get().is_some_and(Result::is_err);
                    let engine = if is_for_bits { by_bits.engine(&for_bits, (question, value)) } else { None };
                    is_by_bits = engine.is_some();
                    let (means, share) = match (round, engine) {
                        (_, Some(bits)) => {
                            (Means::Bits(bits, question, if round <= 1 { RANKS } else { BITS }), &for_bits)
                        }
                        (0, None) => (Means::Few, &share),
                        (1, None) => (Means::Many, &share),
                        _ => (Means::Sets(&mut explored), &share),
                    };
                    let text = maker.certify(means, &pool, asked, verdict, share)?;
                    let made = begun.elapsed();
                    let proved = maker.check(&text, budget)?;
                    let checked = begun.elapsed() - made;
                    if proved.verdict == statement.verdict {
                        Ok(Certified { text, made, checked })
                    } else {
                        Err(Uncertified::NotProved)
                    }
                });
                if result.is_err() && is_by_bits && by_bits.for_runs {
                    by_bits.bits = Some(None);
                }
                // Sets that are not exact may have states that prove nothing.
                let result = result.map_err(|why| match why {
                    Uncertified::Refused(_) | Uncertified::NotProved if is_by_bits => Exhausted::Work.into(),
                    why => why,
                });
                match result {
                    // There are other ways.
                    Err(_) if is_by_bits && round + 1 < ROUNDS.len() && budget.check().is_ok() => later.push(number),
                    Err(Uncertified::Stopped(StopReason::Exhausted(Exhausted::Work | Exhausted::Time)))
                        if round + 1 < ROUNDS.len() && budget.check().is_ok() =>
                    {
                        later.push(number);
                    }
                    result => done(number, result),
                }
            }
            pending = later;
        }
    });
}

/// The first of all equal statements, and those that are equal to each of these. What has none is equal to nothing.
fn grouped(statements: &[Result<Statement, Uncertified>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let (mut firsts, mut same) = (Vec::new(), vec![Vec::new(); statements.len()]);
    let mut known: FxHashMap<Statement, usize> = FxHashMap::default();
    for (number, statement) in statements.iter().enumerate() {
        match statement.as_ref().ok().map(|&statement| *known.entry(statement).or_insert(number)) {
            Some(first) if first != number => same[first].push(number),
            _ => firsts.push(number),
        }
    }
    (firsts, same)
}

/// The engine of bits, once it has been asked for.
struct ByBits<'a> {
    subject: Subject<'a>,
    /// `Some(None)` where it is of no use.
    bits: Option<Option<Bits<'a>>>,
    /// Is it asked for runs alone, as long as it finds them, since the reachable set is known?
    for_runs: bool,
}

impl<'a> ByBits<'a> {
    /// The engine, if it is of use.
    fn engine(&mut self, budget: &Budget, (question, value): (&Question, &Value)) -> Option<&mut Bits<'a>> {
        let subject = self.subject;
        if self.for_runs && !is_shown_by_a_run(subject.pool, question, value) {
            return None;
        }
        self.bits.get_or_insert_with(|| Bits::new(subject, budget).ok().flatten()).as_mut()
    }
}

/// In each round every answer gets its share of one of so many parts of the time. The first two rounds need no
/// reachable set.
const ROUNDS: [usize; 4] = [6, 4, 4, 1];

/// May a run show why the answer is as it is? It does where it is about one path, whose formula has no quantifiers.
pub fn is_shown_by_a_run(pool: &Pool, question: &Question, value: &Value) -> bool {
    let (Question::Formula { linear, .. }, Value::Verdict(verdict)) = (question, value) else { return false };
    let (mut formula, mut holds) = (*linear, *verdict);
    while let Formula::Not(inside) = pool[formula] {
        (formula, holds) = (inside, !holds);
    }
    let quantified = |&part: &FormulaId| matches!(pool[part], Formula::Exists(_) | Formula::Forall(_));
    match pool[formula] {
        Formula::Exists(path) if holds => !pool.subformulas(&[path]).iter().any(quantified),
        Formula::Forall(path) if !holds => !pool.subformulas(&[path]).iter().any(quantified),
        _ => false,
    }
}

/// The statement of an answer about the model.
fn statement(
    model: &dyn Kind,
    groups: &Groups,
    pool: &mut Pool,
    question: &Question,
    value: &Value,
) -> Result<Statement, Uncertified> {
    let paths = PathSemantics::Maximal;
    match (question, value) {
        (Question::Formula { linear, paths, .. }, Value::Verdict(verdict)) => {
            Ok(Statement { formula: *linear, paths: *paths, verdict: *verdict })
        }
        (Question::Global(global), Value::Verdict(verdict)) => {
            let formula = global_formula(model, groups, pool, *global)?;
            Ok(Statement { formula, paths, verdict: *verdict })
        }
        (Question::Bound(variables), Value::Number(bound)) => {
            let bound = i128::try_from(bound).map_err(|_| Uncertified::Formula("a bound of more than 127 bits"))?;
            let variables: Vec<PlaceId> = variables.clone();
            let never = pool.compare(variables.clone(), Comparison::Le, bound);
            let once = pool.compare(variables, Comparison::Eq, bound);
            let (never, once) = (pool.always(never), pool.sometimes(once));
            Ok(Statement { formula: pool.and(vec![never, once]), paths, verdict: true })
        }
        (Question::Automaton { last: Some(_), .. }, _) => Err(Uncertified::Formula("a formula about finite runs")),
        (Question::Automaton { .. }, _) => Err(Uncertified::Formula("an automaton")),
        (Question::Distance { .. }, _) => Err(Uncertified::Formula("a number of steps")),
        (Question::Statistic(_), _) => Err(Uncertified::Formula("a number about the state space")),
        _ => Err(Uncertified::Formula("what is unknown")),
    }
}

fn global_formula(
    model: &dyn Kind,
    groups: &Groups,
    pool: &mut Pool,
    global: Global,
) -> Result<FormulaId, Uncertified> {
    let sums = || groups.variables.iter().map(|group| group.iter().map(|variable| PlaceId(variable.0)).collect());
    let enabled = |pool: &mut Pool| -> Vec<FormulaId> {
        let actions = groups.actions.iter().map(|group| group.iter().map(|action| TransitionId(action.0)).collect());
        let some_time = |actions| {
            let atom = pool.add(Formula::Enabled(actions));
            pool.sometimes(atom)
        };
        actions.map(some_time).collect()
    };
    Ok(match global {
        Global::Deadlock => {
            let dead = pool.add(Formula::Deadlock);
            pool.sometimes(dead)
        }
        Global::OneSafe => {
            let small = sums().map(|places| pool.compare(places, Comparison::Le, 1)).collect();
            let small = pool.and(small);
            pool.always(small)
        }
        Global::StableMarking => {
            let Some(net) = model.as_net() else { return Err(Uncertified::Formula("a global property of a network")) };
            let mut stable = Vec::new();
            for places in sums() {
                let places: Vec<PlaceId> = places;
                let initial = places.iter().map(|&place| i128::from(net.place(place).initial)).sum();
                let same = pool.compare(places, Comparison::Eq, initial);
                stable.push(pool.always(same));
            }
            pool.or(stable)
        }
        Global::QuasiLiveness => {
            let all = enabled(pool);
            pool.and(all)
        }
        Global::Liveness => {
            let all = enabled(pool).into_iter().map(|again| pool.always(again)).collect();
            pool.and(all)
        }
    })
}
