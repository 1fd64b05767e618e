//! The options that name formulas, `-f`, `-x`, `--id`, `--automaton`, and say what their paths are, `--paths`,
//! `--justice`, `--compassion`, `--weak-fair`, `--strong-fair`.

use super::super::Failure;
use super::super::options::{Choices, choice};
use clap::Args;
use starset::formula::{
    Assumption, AssumptionKind, FormulaId, PathSemantics, Pool, parse, read_assumption, read_assumption_line,
};
use starset::kinds::Loaded;
use std::path::PathBuf;

/// Which formulas to check, and what a path is.
#[derive(Args, Debug)]
pub(crate) struct FormulaArgs {
    /// CTL*, CTL or LTL, as in 'AG EF #p = 1'; repeatable
    ///
    /// A CTL*, CTL or LTL formula, as in 'AG (#p <= 1 -> EF enabled(t))'; may be given several times. Of an SMV program
    /// also a property with its word, as in 'CTLSPEC AG x = 1'
    #[arg(short, long = "formula", value_name = "FORMULA", allow_hyphen_values = true, help_heading = "Formulas")]
    pub(super) formulas: Vec<String>,
    /// File of formulas: contest, lines, LoLA, TAPAAL
    ///
    /// A property file: XML of the Model Checking Contest; a formula on each line, perhaps with a name as in
    /// 'safe: AG #p <= 1'; `#1:` and so on before formulas over actions, as in the RERS challenge; .formula or
    /// .task of LoLA, .q of TAPAAL (docs/formats.md); may be given several times
    #[arg(short = 'x', long = "properties", value_name = "FILE", help_heading = "Formulas")]
    pub(super) files: Vec<PathBuf>,
    /// Only the property with this identifier; repeatable
    ///
    /// Of the properties in files, or of those that the model itself asks, only the one with this identifier; may be
    /// given several times
    #[arg(long = "id", value_name = "ID", help_heading = "Formulas")]
    pub(super) ids: Vec<String>,
    /// File of automata in HOA format; repeatable
    ///
    /// Automata in HOA format: which markings have a path that each accepts? Propositions are state formulas,
    /// as in "#p = 1", or labels, which say what the next step is; may be given several times
    #[arg(long = "automaton", value_name = "FILE", help_heading = "Formulas")]
    pub(super) automata: Vec<PathBuf>,
    /// The invariant and assertions of the model itself
    ///
    /// Check the invariant of the model, part by part, and its assertions (of languages that have some). Without any
    /// formula all that the model itself asks is checked
    #[arg(long, help_heading = "Formulas")]
    pub(super) invariant: bool,
    /// Meaning of finite paths
    ///
    /// Meaning of paths where a deadlock can be reached [default: maximal for CTL; for LTL and CTL* stutter, of
    /// networks infinite]
    #[arg(long, value_parser = choice(PATHS), help_heading = "Formulas")]
    pub(super) paths: Option<Paths>,
    /// With --paths finite: where runs may end
    ///
    /// With --paths finite: a run may end where this condition on single states holds [default: in a deadlock]
    #[arg(
        long = "final",
        value_name = "FORMULA",
        allow_hyphen_values = true,
        hide_short_help = true,
        help_heading = "Formulas"
    )]
    pub(super) last: Option<String>,
    /// Steps between states: 'MIN [f, g]' or 'MAX [f, g]'
    ///
    /// The number of steps from a reachable state of f to one of g: 'MIN [f, g]', the least; 'MAX [f, g]', the most before g is met.
    /// As COMPUTE of NuSMV: f holds where a path begins that counts (see --paths, --justice); may be given several times
    #[arg(long, value_name = "MIN|MAX", hide_short_help = true, help_heading = "Formulas")]
    pub(super) compute: Vec<String>,
    /// A saved set that formulas call %NAME; repeatable
    ///
    /// A set of states of this model that was saved with --save (of satset, states, combine, attractors), for formulas to
    /// name: 'EF %NAME'. States of it that are not reachable do not matter. %attractors need not be given
    #[arg(long = "set", value_name = "NAME=FILE", hide_short_help = true, help_heading = "Formulas")]
    pub(super) sets: Vec<String>,
    #[command(flatten)]
    pub(super) fairness: FairnessArgs,
}

/// Which paths count: the fair ones.
#[derive(Args, Debug)]
pub(super) struct FairnessArgs {
    /// Only paths on which F holds again and again
    ///
    /// Quantifiers range over the paths alone on which the state formula F holds infinitely often; at the end of a path:
    /// over those in whose last state it holds. In a file of formulas: a line 'justice F'. Assumptions may be given
    /// several times; a path satisfies all of them
    #[arg(long, value_name = "F", allow_hyphen_values = true, help_heading = "Formulas")]
    justice: Vec<String>,
    /// Count paths alone on which Q holds again and again if P does; repeatable
    ///
    /// Quantifiers range over the paths alone on which the state formula Q holds infinitely often, or P does not. In a
    /// file of formulas: a line 'compassion P, Q'
    #[arg(long, value_names = ["P", "Q"], num_args = 2, allow_hyphen_values = true, hide_short_help = true, help_heading = "Formulas")]
    compassion: Vec<String>,
    /// Count paths alone on which T is taken, or not possible, again and again; repeatable
    ///
    /// Quantifiers range over the paths alone on which the transition, action or label T is infinitely often taken or
    /// not possible. T may be a list with commas, for one assumption for each, or all. In a file of formulas: a line
    /// 'weak-fair T'
    #[arg(long, value_name = "T", hide_short_help = true, help_heading = "Formulas")]
    weak_fair: Vec<String>,
    /// Count paths alone on which T is taken again and again if possible again and again; repeatable
    ///
    /// Quantifiers range over the paths alone on which the transition, action or label T is infinitely often taken if it
    /// is infinitely often possible. T may be a list with commas, or all. In a file of formulas: a line 'strong-fair T'
    #[arg(long, value_name = "T", hide_short_help = true, help_heading = "Formulas")]
    strong_fair: Vec<String>,
}

impl FairnessArgs {
    /// The assumptions as they are in files: what follows their words.
    pub(super) fn texts(&self) -> impl Iterator<Item = (AssumptionKind, String)> + '_ {
        let justice = self.justice.iter().map(|text| (AssumptionKind::Justice, text.clone()));
        let pairs = self.compassion.chunks_exact(2).map(|pair| pair.join(", "));
        let compassion = pairs.map(|text| (AssumptionKind::Compassion, text));
        let weak_fair = self.weak_fair.iter().map(|text| (AssumptionKind::WeakFair, text.clone()));
        let strong_fair = self.strong_fair.iter().map(|text| (AssumptionKind::StrongFair, text.clone()));
        justice.chain(compassion).chain(weak_fair).chain(strong_fair)
    }

    /// The assumptions about a model, with those of its `own` or without.
    pub(super) fn read(&self, loaded: &Loaded, own: bool, pool: &mut Pool) -> Result<Vec<Assumption>, Failure> {
        let mut all = Vec::new();
        for line in loaded.questions.assumptions.iter().filter(|_| own) {
            let read = read_assumption_line(line, &loaded.symbols, pool);
            all.push(read.map_err(|wrong| Failure::Input(format!("{line}, of the model: {wrong}")))?);
        }
        let mut read = |(kind, text): (AssumptionKind, String)| {
            let read = read_assumption(kind, &text, &loaded.symbols, pool);
            read.map_err(|wrong| {
                let column = text.get(..wrong.at).map_or(0, |begin| begin.chars().count()) + 1;
                Failure::Input(format!("--{} {text}, column {column}: {wrong}", kind.word()))
            })
        };
        for given in self.texts() {
            all.push(read(given)?);
        }
        Ok(all)
    }
}

/// What paths are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Paths {
    /// As far as they can go.
    Whole(PathSemantics),
    /// Finite runs that end somewhere.
    Finite,
}

const PATHS: Choices<Paths> = &[
    ("maximal", Paths::Whole(PathSemantics::Maximal), "Infinite, or ending in a deadlock"),
    ("stutter", Paths::Whole(PathSemantics::Stutter), "Infinite; a deadlock repeats for ever"),
    ("infinite", Paths::Whole(PathSemantics::Infinite), "Infinite only"),
    ("finite", Paths::Finite, "Finite runs that end in a deadlock, or where --final says"),
];

impl FormulaArgs {
    /// Refuse to read standard input twice, where it is the model already if `taken`.
    pub(crate) fn once(&self, taken: bool) -> Result<(), Failure> {
        let read = self.files.iter().chain(&self.automata).filter(|path| path.as_os_str() == "-").count();
        if read + usize::from(taken) > 1 {
            return Err(Failure::Input("standard input (-) can be read once; give all else in files".to_owned()));
        }
        Ok(())
    }

    /// The formulas in the language of the model.
    pub(crate) fn in_words_of_models(&self) -> Vec<String> {
        self.formulas.iter().filter(|text| is_in_words_of_models(text)).cloned().collect()
    }

    /// Are all questions in the language of the model?
    pub(crate) fn is_in_words_of_models(&self) -> bool {
        let others = [self.files.is_empty(), self.automata.is_empty(), !self.invariant, self.compute.is_empty()];
        others.iter().all(|empty| *empty) && self.formulas.iter().all(|text| is_in_words_of_models(text))
    }

    /// Are variables of the model named in other words than those of its own language?
    pub(crate) fn names_variables(&self) -> bool {
        !self.is_in_words_of_models()
            || !self.sets.is_empty()
            || self.last.is_some()
            || self.fairness.texts().next().is_some()
    }

    /// Are parts of the model's own invariant asked?
    pub(crate) fn asks_invariant(&self) -> bool {
        self.invariant
    }

    /// Is nothing asked?
    pub(crate) fn is_empty(&self) -> bool {
        let files = self.files.is_empty() && self.automata.is_empty();
        self.formulas.is_empty() && files && !self.invariant && self.compute.is_empty()
    }

    /// Are formulas about finite runs?
    pub(crate) fn is_finite(&self) -> bool {
        self.paths == Some(Paths::Finite)
    }

    /// Where finite runs end, as it was written.
    pub(crate) fn final_text(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Where finite runs end, if they do not in deadlocks.
    pub(super) fn last(&self, loaded: &Loaded, pool: &mut Pool) -> Result<Option<FormulaId>, Failure> {
        let Some(text) = &self.last else { return Ok(None) };
        if !self.is_finite() {
            return Err(Failure::Input("--final says where finite runs end: give --paths finite, too".to_owned()));
        }
        let last = parse(text, &loaded.symbols, pool);
        last.map(Some).map_err(|error| Failure::Input(format!("--final: {error}")))
    }
}

/// Is a formula a property as SMV writes it, with its word?
pub(super) fn is_in_words_of_models(text: &str) -> bool {
    let word = text.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    ["CTLSPEC", "SPEC", "LTLSPEC", "INVARSPEC", "PSLSPEC", "COMPUTE"].contains(&word)
}
