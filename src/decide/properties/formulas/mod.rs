//! Formulas of reachability, CTL, LTL and CTL\*, and automata: is the initial state among those that satisfy them?
//!
//! | file | ways |
//! |---|---|
//! | here | the initial state, linear programs, walks, smaller models |
//! | `search` | state by state: for a path to a state, on the fly, for a run |
//! | `labels` | on the labelled graph of all states |
//! | `passes` | for a state and for a run, where memory is not enough |
//! | `diagrams` | fixpoints in the reachable set |
//!
//! Formulas `EF c` and `AG c` are also decided by a single state that a walk or a search comes across.
//!
//! A formula that need not have a value in every state (it divides, or multiplies counts) has none if that happens in
//! any reachable state; ways that look at some states only leave it alone ([`is_total`]).

mod diagrams;
mod labels;
mod passes;
mod search;

pub(in crate::decide) use diagrams::by_diagram;
pub use diagrams::sat_in;

use super::passes::Passes;
use crate::budget::{Budget, scaled};
use crate::decide::board::{self, Board};
use crate::decide::conditions::Visited;
use crate::decide::conditions::{Reachability, Structure, Values, Walk, is_total, knowledge};
use crate::decide::context::Context;
use crate::decide::properties::{PropertySolver, Together, decides};
use crate::decide::rewriting::{constants::Constants, initially};
use crate::decide::smaller::{
    capped::{self, Capped},
    localisation::decide_by_parts,
    reduced::{self, Due, Smaller},
    skeleton::{Approximation, Side, Skeletal},
    symmetry,
};
use crate::decide::{Explained, Question, Technique, Value};
use crate::explicit::{self, Attempt, Explicit, Facts, Stats};
use crate::formula::{FormulaId, Logic, PathSemantics, Pool};
use crate::model::{Path, State, Then};
use crate::net::PetriNet;
use crate::stop_reason::StopReason;
use crate::structure::Coverability;
use crate::symbolic::Route;
use crate::witness::Unconfirmed;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The part of the time for linear programs that facts for automata may take.
const KNOWLEDGE: u32 = 4;

/// The first limit on the tokens of an unbounded net, and the last.
const FIRST_LIMIT: u64 = 2;
const MOST_TOKENS: u64 = 1 << 12;

/// One formula.
struct FormulaQuestion<'a> {
    /// Its number on the board.
    number: usize,
    /// The formula with its quantifiers where they cost least, and with its quantifiers where they were: of a simpler
    /// logic, perhaps. Both simplified as far as is known.
    formula: FormulaId,
    plain: FormulaId,
    /// The same two as they were asked, which witnesses are about.
    asked: FormulaId,
    linear: FormulaId,
    paths: PathSemantics,
    /// The formula as a question of reachability, if it is one.
    reachability: Option<Reachability<'a>>,
    /// Has it a value in every state?
    total: bool,
    /// Is it of CTL?
    branching: bool,
    /// Can states be labelled with it, as far as is known?
    labelled: bool,
    /// Has it no quantifier inside another, and has explicit search not refused it as a question about runs?
    running: bool,
    /// Is it of LTL and not of CTL? Then one run explains it, not one for each quantifier that was moved into it.
    of_runs: bool,
    /// How often a search on the fly ran out of memory, and whether one has decided it.
    memory_failures: u32,
    passed: bool,
    /// Has a search for a state or a run that decides it run out of memory? And the passes for a run since then.
    out_of_memory: bool,
    passes: Passes,
    /// Has it no quantifier inside another?
    is_about_runs: bool,
    /// A way to a state that decides it, found on a walk: seldom a short one.
    walked: Option<Path>,
    /// The question on a reduced net, once that has been tried.
    smaller: Option<Smaller>,
    /// The question on a net with shorter runs, likewise.
    shorter: Option<Smaller>,
    /// Parts of a network do not decide it.
    whole: bool,
}

/// The formulas and automata that are asked.
pub(in crate::decide) struct Formulas<'a> {
    /// The pool of the questions, and what is made of their formulas.
    pool: Pool,
    queries: Vec<FormulaQuestion<'a>>,
    automata: Vec<usize>,
    /// Conditions known to be constant, once they have been looked for.
    constants: Option<Constants<'a>>,
    /// Facts about the conditions of formulas about runs.
    facts: Arc<Facts>,
    /// The net with markings that are alike made one, once that has been tried.
    symmetric: OnceLock<Option<Arc<dyn Explicit<'a> + 'a>>>,
    /// The reachability graph, as far as it has been built.
    graph: labels::Graph<'a>,
    /// Why it cannot be built, if so.
    no_labelling: Option<StopReason>,
    /// The next attempt to decide questions of CTL on the fly.
    attempt: Attempt,
    /// The seed for ties in the next guided search for runs.
    tie_seed: u64,
    /// Has every search had its turn?
    has_looked: bool,
    /// The limit of memory that the search for a state has reached.
    out_of_memory_at: Option<u64>,
    /// The passes for a state since then.
    passes: Passes,
    /// The next limit on the tokens of an unbounded net.
    limit: u64,
}

impl<'a> Formulas<'a> {
    pub(in crate::decide) fn new(board: &Board<'a>, _route: Route) -> Self {
        let pool = board.subject.pool;
        let (mut queries, mut automata) = (Vec::new(), Vec::new());
        for (number, asked) in board.questions() {
            match asked.question {
                Question::Formula { formula, linear, paths } => {
                    let is_about_runs = pool.is_about_runs(linear);
                    queries.push(FormulaQuestion {
                        number,
                        formula,
                        plain: linear,
                        asked: formula,
                        linear,
                        paths,
                        // Where only infinite paths count, what is reached must also begin one.
                        reachability: [formula, linear]
                            .into_iter()
                            .filter(|_| paths != PathSemantics::Infinite)
                            .find_map(|formula| Reachability::new(board.subject.model, pool, formula)),
                        total: is_total(pool, linear),
                        branching: pool.logic(formula) <= Logic::Ctl,
                        labelled: pool.acts_fairly(formula),
                        running: is_about_runs,
                        is_about_runs,
                        out_of_memory: false,
                        passes: Passes::default(),
                        of_runs: pool.logic(linear) == Logic::Ltl,
                        memory_failures: 0,
                        passed: false,
                        walked: None,
                        smaller: None,
                        shorter: None,
                        whole: false,
                    });
                }
                Question::Automaton { .. } => automata.push(number),
                _ => {}
            }
        }
        let pool = pool.clone();
        Formulas {
            pool,
            queries,
            automata,
            constants: None,
            facts: Arc::default(),
            symmetric: OnceLock::new(),
            graph: labels::Graph::Unknown,
            no_labelling: None,
            attempt: Attempt(0),
            tie_seed: 0,
            has_looked: false,
            out_of_memory_at: None,
            passes: Passes::default(),
            limit: FIRST_LIMIT,
        }
    }

    /// Replace what is constant in the open formulas, and answer those that become constant.
    fn by_linear_programs(&mut self, context: &Context<'a>, budget: &Budget) {
        let Some(mut constants) = self.constants.take() else { return };
        let simplify = |pool: &mut Pool, formulas: &mut [_]| constants.simplify(pool, formulas, budget);
        self.simplify(context, simplify, Technique::StateEquation);
        self.constants = Some(constants);
    }

    /// Find out what can be known of the conditions in open formulas about runs, and answer those whose automata accept
    /// nothing then.
    fn by_facts(&mut self, context: &Context<'a>, net: &'a PetriNet, budget: &Budget) {
        let Some(constants) = &mut self.constants else { return };
        let open: Vec<_> = self.queries.iter().filter(|query| query.is_running(context)).collect();
        if open.is_empty() {
            return;
        }
        let formulas: Vec<FormulaId> = open.iter().map(|query| query.plain).collect();
        let facts = knowledge::facts(net, &mut self.pool, &formulas, constants.refuter(), &budget.part(1, 2));
        for query in open {
            let known = explicit::by_facts(&mut self.pool, query.plain, query.paths, &facts, budget);
            if let Ok(Some(verdict)) = known {
                context.board.verdict(query.number, verdict, Technique::StateEquation);
                context.board.show(query.number, verdict, None);
            }
        }
        self.facts = Arc::new(facts);
    }

    /// Simplify the open formulas in this way, and answer those that the initial state decides then.
    fn simplify(
        &mut self,
        context: &Context<'a>,
        simplify: impl FnOnce(&mut Pool, &mut [(FormulaId, PathSemantics)]),
        technique: Technique,
    ) {
        let open = self.queries.iter_mut().filter(|query| query.total && context.board.is_open(query.number));
        let mut open: Vec<&mut FormulaQuestion<'_>> = open.collect();
        let formulas = open.iter().flat_map(|q| [(q.formula, q.paths), (q.plain, q.paths)]);
        let mut formulas: Vec<_> = formulas.collect();
        simplify(&mut self.pool, &mut formulas);
        for (query, simple) in open.iter_mut().zip(formulas.chunks_exact(2)) {
            (query.formula, query.plain) = (simple[0].0, simple[1].0);
            let decide = |&(f, paths): &_| initially::verdict(context.subject.model, &self.pool, f, paths);
            if let Some(verdict) = simple.iter().find_map(decide) {
                context.board.verdict(query.number, verdict, technique);
                context.board.show(query.number, verdict, None);
            }
        }
    }

    /// The net of which a marking is kept for those that no open question tells apart, unless paths are wanted.
    fn symmetric(&self, context: &Context<'a>) -> Option<Arc<dyn Explicit<'a> + 'a>> {
        let symmetric = || {
            let mut formulas = Vec::new();
            for query in self.queries.iter().filter(|query| query.is_wanted(context)) {
                if !query.total || context.board.wants_witness(query.number) {
                    return None;
                }
                formulas.extend([query.formula, query.plain]);
            }
            symmetry::compiled(context, &self.pool, &formulas, &[])
        };
        self.symmetric.get_or_init(symmetric).clone()
    }

    /// The questions of reachability that a state decides, found by a technique.
    fn seek(&mut self, context: &Context<'_>, technique: Technique, state: &impl Values) -> Sought {
        let mut sought = Sought { open: false, decided: Vec::new() };
        for (place, query) in self.queries.iter_mut().enumerate() {
            let Some(reachability) = query.reachability.filter(|_| query.total && query.looks(context)) else {
                continue;
            };
            match reachability.decided_by(state) {
                Some(true) => sought.decided.push(place),
                Some(false) if context.is_broken(technique) => sought.decided.push(place),
                Some(false) => sought.open = true,
                None => query.reachability = None,
            }
        }
        sought
    }

    /// Decide what this state decides, which `path` leads to. Says whether it leaves a question of reachability open.
    fn look_at(
        &mut self,
        context: &Context<'_>,
        state: &impl Values,
        technique: Technique,
        path: &dyn Fn() -> Path,
    ) -> bool {
        let Sought { mut open, decided } = self.seek(context, technique, state);
        for place in decided {
            open |= !self.queries[place].reached(context, (technique, None), &path(), context.budget);
        }
        open
    }
}

/// The effect of a state on the questions of reachability.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sought {
    /// Another state may decide one.
    open: bool,
    /// The places of those that it decides.
    decided: Vec<usize>,
}

impl Formulas<'_> {
    /// Show what walks have found, where nothing else was found.
    fn show_walks(&mut self, context: &Context<'_>) {
        for query in &mut self.queries {
            if let Some(path) = query.walked.take()
                && let Some(verdict) = context.board.verdict_of(query.number)
            {
                context.board.show(query.number, verdict, Some(&path));
            }
        }
    }
}

/// Is a run short enough to be written down with all its states?
fn is_showable(context: &Context<'_>, path: &Path) -> bool {
    board::is_showable(context.subject.model, path)
}

impl FormulaQuestion<'_> {
    /// Is its answer open, or a run wanted that a single state would give?
    fn looks(&self, context: &Context<'_>) -> bool {
        let Some(reachability) = self.reachability else { return false };
        let shown_by_state = || context.board.verdict_of(self.number) == Some(reachability.verdict_if_found);
        context.board.is_open(self.number) || (context.board.wants_witness(self.number) && shown_by_state())
    }

    /// A state that decides it is at the end of this path: give the verdict once that has been replayed, and show it if
    /// that is wanted. False if it is left open.
    fn reached(
        &mut self,
        context: &Context<'_>,
        how: (Technique, Option<Stats>),
        path: &Path,
        budget: &Budget,
    ) -> bool {
        let Some(reachability) = self.reachability else { return false };
        let verdict = reachability.verdict_if_found;
        if context.board.is_open(self.number) {
            let decides = |state: &State| reachability.decided_by(state) == Some(true);
            match context.board.found_by_path(self.number, verdict, how, path, &decides, budget) {
                Ok(()) => {}
                Err(Unconfirmed::Broken(_)) => {
                    // What has gone wrong once is left to other ways.
                    self.reachability = None;
                    return false;
                }
                Err(Unconfirmed::Undecided | Unconfirmed::Stopped(_)) => return false,
            }
        }
        if !context.board.wants_witness(self.number) || self.walked.is_some() {
            return true;
        }
        if !is_showable(context, path) {
            return false;
        }
        if !context.board.is_shown_by(self.number, verdict, path) {
            // Nor will the way to any other state.
            self.reachability = None;
            return false;
        }
        if how.0 == Technique::RandomWalk && context.settings.ways.search {
            self.walked = Some(path.clone());
        } else {
            context.board.show(self.number, verdict, Some(path));
        }
        true
    }

    /// Is its answer open, or a witness wanted?
    fn is_wanted(&self, context: &Context<'_>) -> bool {
        context.board.is_open(self.number) || context.board.wants_witness(self.number)
    }
}

impl<'a> PropertySolver<'a> for Formulas<'a> {
    fn is_open(&self, context: &Context<'a>) -> bool {
        let wanted = |&number: &usize| context.board.is_open(number) || context.board.wants_witness(number);
        self.queries.iter().any(|query| query.is_wanted(context)) || self.automata.iter().any(wanted)
    }

    fn by_initial_state(&mut self, context: &Context<'a>) {
        let model = context.subject.model;
        let here = || Path { prefix: Vec::new(), then: Then::Open };
        self.look_at(context, &model.initial(), Technique::Structure, &here);
        for query in self.queries.iter().filter(|query| query.total && context.board.is_open(query.number)) {
            if let Some(verdict) = initially::verdict(model, &self.pool, query.formula, query.paths) {
                context.board.verdict(query.number, verdict, Technique::Structure);
                context.board.show(query.number, verdict, None);
            }
        }
    }

    fn by_skeleton(&mut self, context: &Context<'a>, skeletal: &Skeletal) {
        let model = context.subject.model;
        let simplify = |pool: &mut Pool, formulas: &mut [_]| skeletal.simplify(model, pool, formulas);
        self.simplify(context, simplify, Technique::Skeleton);
        let mut pool = self.pool.clone();
        // Without and with runs that end.
        let mut asked = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for query in self.queries.iter().filter(|query| query.total && context.board.is_open(query.number)) {
            for (side, verdict) in [(Side::Lower, true), (Side::Upper, false)] {
                let transitions = context.subject.model.actions();
                let mut approximation = Approximation::new(skeletal.skeleton(), &mut pool, query.paths, transitions);
                let Some(formula) = approximation.of(query.formula, side) else { continue };
                let (of, questions) = &mut asked[usize::from(approximation.needs_idling())];
                of.push((query.number, verdict));
                questions.push(Question::formula(&mut pool, formula, query.paths, context.settings.route));
            }
        }
        let [(plain, questions), (idling, of_runs)] = asked;
        let answers = skeletal.ask(context, &pool, questions);
        let answers_of_runs = skeletal.ask_idle(context, &pool, of_runs);
        let answers = plain.into_iter().zip(answers).chain(idling.into_iter().zip(answers_of_runs));
        for ((number, verdict), value) in answers {
            if value == Value::Verdict(verdict) {
                context.board.verdict(number, verdict, Technique::Skeleton);
                context.board.show(number, verdict, None);
            }
        }
    }

    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, _structure: &Structure) {
        self.constants = Constants::new(net, context.settings.techniques.recurring);
        self.by_linear_programs(context, &context.programs_budget());
        if context.settings.techniques.knowledge {
            self.by_facts(context, net, &context.programs_budget().part(1, KNOWLEDGE));
        }
    }

    fn by_more_programs(&mut self, context: &Context<'a>, _net: &'a PetriNet, budget: &Budget) {
        if self.constants.as_mut().is_some_and(Constants::try_harder) {
            self.by_linear_programs(context, budget);
        }
    }

    fn by_coverability(&mut self, context: &Context<'a>, net: &'a PetriNet, cover: &Coverability) {
        if !cover.complete() {
            return;
        }
        // Every reachable marking is below a label: what no label allows is never reached.
        for query in self.queries.iter().filter(|query| query.total && context.board.is_open(query.number)) {
            if let Some(reachability) = query.reachability
                && reachability.is_excluded(net, cover)
            {
                context.board.verdict(query.number, !reachability.verdict_if_found, Technique::Coverability);
                context.board.show(query.number, !reachability.verdict_if_found, None);
            }
        }
    }

    fn on_folded(&mut self, context: &Context<'a>, visited: &Visited<'_>) -> bool {
        let Sought { mut open, decided } = self.seek(context, Technique::RandomWalk, visited);
        for place in decided {
            let query = &mut self.queries[place];
            let Some(reachability) = query.reachability else { continue };
            let is_it = |visited: &Visited<'_>| reachability.decided_by(visited) == Some(true);
            if !decides(context, visited, query.number, reachability.verdict_if_found, &is_it) {
                query.reachability = None;
                open = true;
            }
        }
        !open
    }

    fn distance(&self, context: &Context<'a>, turn: usize, skeleton: &PetriNet, totals: &State) -> Option<u64> {
        let open = self.queries.iter().filter(|query| query.total && context.board.is_open(query.number));
        let open: Vec<_> = open.filter_map(|query| query.reachability).collect();
        Some(open.get(turn.checked_rem(open.len())?)?.distance(skeleton, totals))
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        !self.look_at(context, walk, Technique::RandomWalk, &|| walk.path())
    }

    fn by_guided_walks(&mut self, context: &Context<'a>, walk: &mut Walk<'a>, budget: &Budget) {
        let Some(net) = context.net() else { return };
        let guided = |query: &FormulaQuestion<'_>| query.total && context.board.is_open(query.number);
        let sought: Vec<_> = self.queries.iter().filter(|query| guided(query)).map(|query| query.number).collect();
        let mut left = sought.len();
        for number in sought {
            let share = budget.share(left);
            left -= 1;
            let query = self.queries.iter().find(|query| query.number == number && guided(query));
            let Some(reachability) = query.and_then(|query| query.reachability) else { continue };
            walk.guide(
                &share,
                |walk| reachability.distance(net, walk),
                |walk| {
                    // What others look for may lie on the way.
                    self.look_at(context, walk, Technique::RandomWalk, &|| walk.path());
                    !context.board.is_open(number)
                },
            );
        }
    }

    fn together(&self, context: &Context<'a>, net: &'a PetriNet, budget: &Budget) -> Option<Together> {
        let open: Vec<_> = self.queries.iter().filter(|query| context.board.is_open(query.number)).collect();
        if !self.automata.is_empty() || open.iter().any(|query| !query.total) {
            return None;
        }
        let asked: Vec<_> = open.iter().map(|query| (query.plain, query.paths)).collect();
        let reduced = reduced::formulas(net, context.tokens(net), &self.pool, &asked, budget)?;
        Some(Together { numbers: open.iter().map(|query| query.number).collect(), reduced })
    }

    fn by_reduction(&mut self, context: &Context<'a>, slice: Duration) {
        let Some(net) = context.net() else { return self.by_parts(context, slice) };
        let pool = &self.pool;
        let open = |query: &FormulaQuestion<'_>| query.total && context.board.is_open(query.number);
        let asked: Vec<_> = self.queries.iter().map(|query| (query.plain, query.paths)).collect();
        let open = self.queries.iter_mut().enumerate().filter(|(_, query)| open(query));
        let due = open.map(|(place, query)| Due { place, question: query.number, smaller: &mut query.smaller });
        let mut open: Vec<_> = due.collect();
        let tokens = context.tokens(net);
        let found = reduced::ask_all(context, net, &mut open, slice, |number, budget| {
            reduced::formulas(net, tokens, pool, &[asked[number]], budget)
        });
        self.found_by_reduction(context, found);
        let (pool, count) = (&self.pool, self.queries.len());
        let open =
            |query: &FormulaQuestion<'_>| query.total && query.is_about_runs && context.board.is_open(query.number);
        let open = self.queries.iter_mut().enumerate().filter(|(_, query)| open(query));
        let due = open.map(|(place, query)| Due { place, question: query.number, smaller: &mut query.shorter });
        let mut open: Vec<_> = due.collect();
        let slice = scaled(slice, open.len() as f64 / count.max(1) as f64);
        let found = reduced::ask_all(context, net, &mut open, slice, |number, budget| {
            reduced::shortened(net, tokens, pool, asked[number], budget)
        });
        self.found_by_reduction(context, found);
    }

    fn by_token_limit(&mut self, context: &Context<'a>, net: &'a PetriNet, slice: &Budget) -> bool {
        let Some(capped) = Some(self.limit).filter(|&limit| limit <= MOST_TOKENS).and_then(|n| Capped::new(net, n))
        else {
            return false;
        };
        self.limit *= 2;
        let wanted = |query: &&FormulaQuestion<'_>| query.total && query.is_wanted(context);
        let mut left = self.queries.iter().filter(wanted).count();
        for query in self.queries.iter().filter(wanted) {
            let budget = context.board.until_settled(query.number, &slice.share(left));
            left -= 1;
            let wants_witness = context.board.wants_witness(query.number);
            let formula = (query.linear, query.paths);
            let asked = (query.number, wants_witness);
            if let Some((verdict, path)) = capped::ask(context, &capped, &self.pool, formula, asked, &budget) {
                context.board.verdict(query.number, verdict, Technique::TokenLimit);
                context.board.show(query.number, verdict, path.as_ref().filter(|path| is_showable(context, path)));
            }
        }
        self.queries.iter().any(|query| wanted(&query))
    }

    fn by_first_states(&mut self, context: &Context<'a>, budget: &Budget) {
        // What ends it will end the search, too.
        let _ended = self.search_locally(context, budget);
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        self.search(context, budget)
    }

    fn by_passes(&mut self, context: &Context<'a>, budget: &Budget) -> bool {
        self.pass(context, budget)
    }

    fn is_one_search(&self, context: &Context<'a>) -> bool {
        self.is_one_run(context)
    }

    fn finish(&mut self, context: &Context<'a>) {
        self.show_walks(context);
    }
}

impl Formulas<'_> {
    /// Put on the board what smaller nets have said.
    fn found_by_reduction(&self, context: &Context<'_>, found: Vec<(usize, Value)>) {
        for (query, value) in found {
            if let Value::Verdict(verdict) = value {
                context.board.verdict(self.queries[query].number, verdict, Technique::Reduction);
                context.board.show(self.queries[query].number, verdict, None);
            }
        }
    }

    /// Decide formulas of LTL on parts of a network.
    fn by_parts(&mut self, context: &Context<'_>, slice: Duration) {
        let Some(network) = context.subject.model.as_network() else { return };
        let wanted = |query: &FormulaQuestion<'_>| {
            query.paths == PathSemantics::Infinite && !query.whole && context.board.is_open(query.number)
        };
        let mut left = self.queries.iter().filter(|query| wanted(query)).count();
        let slice = context.budget.clone().with_time(slice);
        for query in self.queries.iter_mut().filter(|query| wanted(query)) {
            let budget = context.board.until_answered(query.number, &slice.share(left));
            left -= 1;
            match decide_by_parts(network, &mut self.pool, query.linear, &budget) {
                Ok(found) => {
                    context.board.verdict(query.number, found.violated.is_none(), Technique::Parts);
                    match found.violated {
                        Some(witness) => context.board.explain(query.number, Explained::Witness(witness)),
                        None => context.board.show(query.number, true, None),
                    }
                }
                Err(stop) if stop.is_time() => {}
                Err(_) => query.whole = true,
            }
        }
    }
}
