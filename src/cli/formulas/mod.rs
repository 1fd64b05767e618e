//! From the options that name formulas to questions about models.

mod args;
mod question;
mod reader;

pub(crate) use args::FormulaArgs;
pub(crate) use question::{NamedQuestion, Part};
pub(super) use reader::automata_in;

use super::{Console, Failure};
use args::{Paths, is_in_words_of_models};
use reader::{Reader, Texts, echoed};
use starset::automaton::hoa;
use starset::budget::Budget;
use starset::decide::{Hybrid, HybridError, Settings, hybrid, is_hybrid, states_for_attractors};
use starset::formula::{
    Pool, has_assumptions, is_xml, parse_finite, parse_with_remarks, read_formula_file, replace_formulas,
};
use starset::kinds::{Loaded, Saved, TimedQuestion, Tuned, Tuning, named_set};
use starset::mdd::with_deep_stack;
use starset::symbolic::Route;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Sets of states with names are computed for all paths.
const UNDER_ASSUMPTIONS: &str = "states have no names under assumptions about paths";

/// The name of the set of all states in attractors, which need not be given.
const ATTRACTORS: &str = "attractors";

impl FormulaArgs {
    /// The questions, each with the model that it needs. They are those that are given or, if `own` is set, all that
    /// the model itself asks, with the route and techniques of `settings`. With `exact`, those of which integer time may
    /// miss something are refused. The budget is for automata of formulas about finite runs.
    pub(crate) fn parts(
        &self,
        loaded: Loaded,
        (own, settings): (bool, &Settings<'_>),
        exact: bool,
        budget: &Budget,
        console: &Console,
    ) -> Result<Vec<Part>, Failure> {
        let route = settings.route;
        let (mut loaded, mut texts) = self.rescaled(loaded);
        self.name_sets(&mut loaded, &texts, settings, budget)?;
        self.without_names(&mut loaded, &mut texts, budget)?;
        let mut pool = loaded.questions.pool.clone();
        let questions = self.read((&loaded, &texts), &mut pool, (own, route), budget, console)?;
        let timed: Vec<TimedQuestion> = questions.iter().map(NamedQuestion::timed).collect();
        let Some(Tuning { parts, notes }) = loaded.tuned(&pool, &timed).filter(|_| !timed.is_empty()) else {
            let numbers = (0..questions.len()).collect();
            return Ok(vec![Part { loaded, pool, questions, numbers }]);
        };
        for (number, note) in notes {
            let note = format!("{}: {note}", questions[number].id);
            if exact {
                let advice = "with --exact ask whether something is reached (E F, E U) that compares with <=, = and >=, or avoided";
                return Err(Failure::Input(format!("{note}; {advice}")));
            }
            console.note(note);
        }
        let mut all: Vec<Option<NamedQuestion>> = questions.into_iter().map(Some).collect();
        let (mut made, mut as_it_is) = (Vec::new(), None);
        for Tuned { model, questions } in parts {
            let numbers = questions.clone();
            let mine = questions.into_iter().filter_map(|number| all.get_mut(number)?.take());
            let Some(model) = model else {
                as_it_is = Some((made.len(), mine.collect(), numbers));
                continue;
            };
            let (other, mut theirs) = (loaded.as_model(model), Pool::new());
            let again = |question: NamedQuestion| question.again((&loaded, &pool), (&other, &mut theirs), route);
            let questions = mine.map(again).collect::<Result<_, _>>()?;
            made.push(Part { loaded: other, pool: theirs, questions, numbers });
        }
        if let Some((place, questions, numbers)) = as_it_is {
            made.insert(place, Part { loaded, pool, questions, numbers });
        }
        Ok(made)
    }

    /// Give names to the sets in files, and to the attractors, which are sought with these settings.
    fn name_sets(
        &self,
        loaded: &mut Loaded,
        texts: &Texts,
        settings: &Settings<'_>,
        budget: &Budget,
    ) -> Result<(), Failure> {
        let named_twice = |name: String| Failure::Input(format!("--set: two sets are called {name}"));
        for given in &self.sets {
            let Some((name, file)) = given.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty())
            else {
                return Err(Failure::Input(format!("--set {given}: write NAME=FILE")));
            };
            if loaded.model.tick().is_some() {
                let why = "sets of states of models in which time passes are not named in formulas";
                return Err(Failure::Input(format!("--set {given}: {why}")));
            }
            let set = Saved::load(Path::new(file), &*loaded.model, budget)?.named(name, &*loaded.model)?;
            loaded.symbols.name_set(set).map_err(named_twice)?;
        }
        let is_given = self.sets.iter().any(|given| given.split('=').next() == Some(ATTRACTORS));
        if !is_given && loaded.model.tick().is_none() && self.mentions(&format!("%{ATTRACTORS}"), texts) {
            let model = &*loaded.model;
            let set = with_deep_stack(model.most_levels(), || {
                let space = states_for_attractors(model, settings, budget)?;
                let found = space.attractors(model, settings, budget)?.union(budget)?;
                named_set(ATTRACTORS, &space.relation, &found, budget)
            });
            let set = set.map_err(|stop| Failure::Unknown(format!("the attractors of the model: {stop}")))?;
            if let Some(set) = set {
                loaded.symbols.name_set(set).map_err(named_twice)?;
            }
        }
        Ok(())
    }

    /// Put formulas without names of states in the place of those that give some: what they quantify are sets, which have a
    /// name then. In files these are formulas on lines; a file that is no text, or in which none is like this, is left as it is.
    fn without_names(&self, loaded: &mut Loaded, texts: &mut Texts, budget: &Budget) -> Result<(), Failure> {
        for (number, text) in (1..).zip(&self.formulas).filter(|(_, text)| is_hybrid(text)) {
            let about = (&*format!("formula {number}"), &*format!("hybrid_{number}"));
            texts.formulas.insert(number, self.without_names_of(text, about, loaded, budget)?);
        }
        for (file, path) in (1..).zip(self.files.iter().filter(|path| path.is_file())) {
            let Ok(text) = read_formula_file(path) else { continue };
            if is_xml(&text) || !is_hybrid(&text) {
                continue;
            }
            let assumes = has_assumptions(&text);
            let without = replace_formulas(&text, |line, formula| {
                if !is_hybrid(formula) {
                    return Ok(None);
                }
                let about = (&*format!("{}:{line}", path.display()), &*format!("hybrid_f{file}_{line}"));
                if assumes {
                    return Err(Failure::Input(format!("{}: {UNDER_ASSUMPTIONS}", about.0)));
                }
                let without = self.without_names_of(formula, about, loaded, budget)?;
                texts.written.insert(without.trim().to_owned(), formula.trim().to_owned());
                Ok::<_, Failure>(Some(without))
            })?;
            texts.files.insert(path.clone(), without);
        }
        Ok(())
    }

    /// The same of one formula, of which messages say where it is; the names of its sets begin with `prefix`.
    fn without_names_of(
        &self,
        text: &str,
        (place, prefix): (&str, &str),
        loaded: &mut Loaded,
        budget: &Budget,
    ) -> Result<String, Failure> {
        let wrong = |why: &dyn Display| Failure::Input(format!("{place}: {why}"));
        let paths = match self.paths {
            None => None,
            Some(Paths::Whole(paths)) => Some(paths),
            Some(Paths::Finite) => return Err(wrong(&"states have no names in formulas about finite runs")),
        };
        if self.fairness.texts().next().is_some() {
            return Err(wrong(&UNDER_ASSUMPTIONS));
        }
        let Hybrid { text, sets } = match hybrid(&*loaded.model, (text, prefix), paths, budget) {
            Ok(found) => found,
            Err(HybridError::Stopped(stop)) => return Err(Failure::Unknown(format!("{place}: {stop}"))),
            Err(why) => return Err(wrong(&why)),
        };
        for set in sets {
            loaded.symbols.name_set(set).map_err(|name| wrong(&format!("two sets are called {name}")))?;
        }
        Ok(text)
    }

    /// Does a formula that is given have this text in it?
    fn mentions(&self, text: &str, texts: &Texts) -> bool {
        let in_file = |path: &PathBuf| match texts.files.get(path) {
            Some(known) => known.contains(text),
            // What comes through a pipe can be read once.
            None => path.is_file() && read_formula_file(path).is_ok_and(|read| read.contains(text)),
        };
        let assumptions: Vec<String> = self.fairness.texts().map(|(_, text)| text).collect();
        let given = self.formulas.iter().chain(&self.compute).chain(&self.last).chain(&assumptions);
        given.into_iter().any(|given| given.contains(text)) || self.files.iter().chain(&self.automata).any(in_file)
    }

    /// Make the model so that the formulas have the meaning that they should, and keep what was read for that: files
    /// may be pipes, which can be read once.
    fn rescaled(&self, loaded: Loaded) -> (Loaded, Texts) {
        // Only where time passes does it depend on the formulas.
        if loaded.model.tick().is_none() {
            return (loaded, Texts::default());
        }
        // A file that cannot be read is an error when it is read for what it says.
        let read = |path: &PathBuf| Some((path.clone(), read_formula_file(path).ok()?));
        let files = self.files.iter().chain(&self.automata).filter_map(read).collect();
        let texts = Texts { files, ..Texts::default() };
        let of = |path: &PathBuf| texts.files.get(path).cloned();
        let automata = self.automata.iter().filter_map(|path| hoa::read_all(&of(path)?).ok());
        let propositions = automata.flatten().flat_map(|automaton| automaton.propositions().to_vec());
        let assumptions = self.fairness.texts().map(|(_, text)| text);
        let formulas = self.formulas.iter().cloned().chain(self.files.iter().filter_map(of));
        let all: Vec<String> = formulas.chain(propositions).chain(assumptions).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        (loaded.rescaled(&all).unwrap_or(loaded), texts)
    }

    /// Read and resolve all formulas, before anything is computed: those that are given or, if `own` is set, all that
    /// the model itself asks; for path quantifiers that are computed in this way. The pool begins with the formulas of
    /// the model.
    fn read(
        &self,
        (loaded, texts): (&Loaded, &Texts),
        pool: &mut Pool,
        (own, route): (bool, Route),
        budget: &Budget,
        console: &Console,
    ) -> Result<Vec<NamedQuestion>, Failure> {
        let fair = self.fairness.read(loaded, !self.is_finite(), pool)?;
        let last = self.last(loaded, pool)?;
        let (questions, missing) = (Vec::new(), self.ids.iter().collect());
        let mut reader =
            Reader { args: self, loaded, texts, pool, route, budget, console, questions, missing, fair, last };
        let mut asked = loaded.questions.asked.iter();
        for (number, text) in self.formulas.iter().enumerate() {
            let number = number + 1;
            if is_in_words_of_models(text)
                && let Some(question) = asked.next()
            {
                reader.question(number.to_string(), question)?;
                continue;
            }
            let known = texts.formulas.get(&number).unwrap_or(text);
            let read = match self.paths {
                Some(Paths::Finite) => parse_finite(known, &loaded.symbols, reader.pool),
                _ => parse_with_remarks(known, &loaded.symbols, reader.pool),
            };
            let (formula, remarks) = read.map_err(|e| Failure::Input(format!("formula {number}: {e}")))?;
            for (column, remark) in remarks {
                console.warning(format_args!("formula {number}, column {column}: {remark}"));
            }
            reader.formula(number.to_string(), formula, None, &[])?;
            reader.show_reading(text);
            if let Some(question) = reader.questions.last_mut() {
                question.written = Some(echoed(text));
            }
        }
        for path in &self.files {
            reader.properties(path)?;
        }
        for path in &self.automata {
            reader.automata(path)?;
        }
        for text in &self.compute {
            reader.compute(text)?;
        }
        reader.own(own)?;
        match reader.missing.first() {
            Some(id) if reader.args.files.is_empty() => {
                Err(Failure::Input(format!("the model asks nothing that is called `{id}`")))
            }
            Some(id) => Err(Failure::Input(format!("no property `{id}` in the property files"))),
            None => Ok(reader.questions),
        }
    }
}
