//! Formulas under fairness assumptions, in every way, against fair components by brute force.
//!
//! The brute force reads the formula and the assumptions as people write them; all ways read the one formula that says the
//! same about all paths (`Pool::under`). Models are nets, networks and models behind a next-state function. The number of
//! trials of each is `STARSET_FAIR_CASES`, from the seed `STARSET_FAIR_SEED` on.

use crate::oracle::{Fair, Setting, check};
use crate::reference::Graph;
use starset::budget::Budget;
use starset::cross::{Judgement, Plan, Quantity, Question, compare};
use starset::formula::{
    Assumption, AssumptionKind, Condition, Formula, FormulaId, Logic, PathSemantics, Pool, Symbols, read_assumption,
};
use starset::kinds::Kind;
use starset::model::{State, Step, TransitionSystem};
use starset::net::{Marking, NetBuilder, PetriNet, TransitionId};
use starset::random::{
    FormulaShape, NetShape, NetworkShape, PartitionedShape, Rng, formula, formula_over_steps, net, network, partitioned,
};
use std::collections::BTreeMap;

/// The most states of a model; brute force has a multiple of them.
const MOST: usize = 60;

/// All reachable states of a model and the steps between them, by its firing rule.
pub(crate) fn graph_of(model: &dyn TransitionSystem) -> Option<Graph> {
    let mut states = vec![model.initial()];
    let mut numbers: BTreeMap<State, usize> = BTreeMap::from([(model.initial(), 0)]);
    let mut edges = Vec::new();
    while edges.len() < states.len() {
        let state = states[edges.len()].clone();
        let mut of_state = Vec::new();
        for action in model.action_ids() {
            for choice in 0.. {
                let Some(next) = model.fire(&state, Step { action, choice }) else { break };
                let number = *numbers.entry(next.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(next);
                }
                of_state.push((action, number));
            }
        }
        edges.push(of_state);
        if states.len() > MOST {
            return None;
        }
    }
    Some(Graph::new(states.iter().map(|state| Marking::new(state.as_slice().to_vec())).collect(), edges))
}

/// Assumptions as they are read, and the same for brute force.
pub(crate) fn assumptions(
    rng: &mut Rng,
    (model, skeleton): (&dyn TransitionSystem, &PetriNet),
    symbols: &Symbols,
    pool: &mut Pool,
) -> (Vec<Assumption>, Vec<Fair>) {
    let mut all = (Vec::new(), Vec::new());
    for _ in 0..1 + rng.below(3) {
        let size = rng.below(3);
        let shape = FormulaShape { logic: if size < 2 { Logic::Boolean } else { Logic::Ctl }, size: size.min(1) };
        let mut condition = || {
            let drawn = formula(rng, skeleton, &shape, pool);
            (format!("({})", pool.display(drawn, symbols)), drawn)
        };
        let ((p, first), (q, second)) = (condition(), condition());
        let t = TransitionId(rng.below(model.actions()) as u32);
        let name = format!("\"{}\"", model.action(t));
        let all_at_once = rng.one_in(4);
        let (kind, text, fair) = match rng.below(4) {
            0 => (AssumptionKind::Justice, p, vec![Fair::Justice(first)]),
            1 => (AssumptionKind::Compassion, format!("{p}, {q}"), vec![Fair::Compassion(first, second)]),
            kind => {
                let (kind, fair): (_, fn(Vec<TransitionId>) -> Fair) = if kind == 2 {
                    (AssumptionKind::WeakFair, Fair::Weak)
                } else {
                    (AssumptionKind::StrongFair, Fair::Strong)
                };
                if all_at_once && model.actions() < 5 {
                    (kind, "all".to_owned(), model.action_ids().map(|t| fair(vec![t])).collect())
                } else {
                    (kind, name, vec![fair(vec![t])])
                }
            }
        };
        // Values with names are compared with no numbers.
        let Ok(read) = read_assumption(kind, &text, symbols, pool) else { continue };
        assert_eq!(read.conditions().len(), fair.len(), "{read}");
        all.0.push(read);
        all.1.extend(fair);
    }
    all
}

/// What has been compared.
#[derive(Default, Debug)]
struct Seen {
    trials: usize,
    /// Assumptions that change the set.
    different: usize,
    /// Initial states without a fair path.
    vacuous: usize,
    opinions: usize,
    /// Agreeing answers of ways, by the semantics of paths.
    answers: BTreeMap<String, usize>,
    /// Ways that did not answer, by what they are.
    stopped: BTreeMap<String, usize>,
}

/// Compare all ways on a model with a formula.
fn is_right(
    (model, graph, symbols): (&dyn Kind, &Graph, &Symbols),
    (pool, asked, paths): (&mut Pool, FormulaId, PathSemantics),
    (fair, by_definition): (&[Assumption], &[Fair]),
    (seed, seen): (u64, &mut Seen),
) {
    let closed = pool.close(asked);
    let setting = Setting::new(graph, pool, paths);
    let Ok(plain) = check(setting, closed) else { return };
    let Ok(expected) = check(setting.under(by_definition), closed) else { return };
    let (plain, expected) = (&plain[&closed], &expected[&closed]);
    let shown: Vec<String> = fair.iter().map(ToString::to_string).collect();
    let what = format!("seed {seed}, {paths}: {} under {}", pool.display(asked, symbols), shown.join(", "));
    let (under, some) = (pool.under(asked, fair), pool.some_fair_path(fair));
    // The formulas mean what they should, for another checker that knows of no assumptions.
    let any = pool.add(Formula::True);
    let any = pool.add(Formula::Exists(any));
    let fair_states = check(Setting::new(graph, pool, paths).under(by_definition), any).unwrap().remove(&any).unwrap();
    let questions = [Question::Formula(under, paths), Question::Formula(some, paths)];
    let mut plan = Plan::sample(model, &mut Rng::new(seed + 1));
    if seed.is_multiple_of(16) {
        plan = Plan::everything(model, seed, &[], &Budget::unlimited());
    }
    let budget = Budget::unlimited().with_memory(4 << 20);
    let opinions = compare(model, pool, &questions, &plan, &budget);
    for (opinions, expected) in opinions.questions.iter().zip([expected, &fair_states]) {
        let judgement = Judgement::of(opinions);
        assert!(judgement.disagreement.is_none(), "{what}: {:?}", judgement.disagreement);
        let count = expected.iter().filter(|&&holds| holds).count().to_string();
        for (quantity, value) in judgement.quantities {
            match quantity {
                Quantity::Verdict => assert_eq!(value, expected[0].to_string(), "{what}"),
                Quantity::Satisfying => assert_eq!(value, count, "{what}"),
                _ => {}
            }
        }
        seen.opinions += judgement.ways;
        *seen.answers.entry(paths.to_string()).or_default() += judgement.ways;
        for why in judgement.stopped.values() {
            *seen.stopped.entry((*why).to_owned()).or_default() += 1;
        }
    }
    seen.trials += 1;
    seen.different += usize::from(plain != expected);
    seen.vacuous += usize::from(!fair_states[0]);
}

/// A formula about states, and now and then about steps.
fn draw(rng: &mut Rng, skeleton: &PetriNet, pool: &mut Pool) -> (FormulaId, PathSemantics) {
    let logic = [Logic::Ltl, Logic::Ctl, Logic::CtlStar][rng.below(3)];
    let shape = FormulaShape { logic, size: 1 + rng.below(4) };
    let drawn = if rng.one_in(3) {
        formula_over_steps(rng, skeleton, &shape, true, pool)
    } else {
        formula(rng, skeleton, &shape, pool)
    };
    (drawn, PathSemantics::ALL[rng.below(3)])
}

/// So many trials of models that are drawn so.
fn trials<K: Kind>(draw_model: impl Fn(&mut Rng) -> K) -> Seen {
    let cases = std::env::var("STARSET_FAIR_CASES").ok().map_or(100, |cases| cases.parse().unwrap());
    let first: u64 = std::env::var("STARSET_FAIR_SEED").ok().map_or(0, |seed| seed.parse().unwrap());
    let mut seen = Seen::default();
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        let model = draw_model(&mut rng);
        let Some(graph) = graph_of(&model) else { continue };
        let (symbols, mut pool) = (Symbols::of(&model), Pool::new());
        let skeleton = model.interactions().into_owned();
        if skeleton.place_count() == 0 || model.actions() == 0 {
            continue;
        }
        let (asked, paths) = draw(&mut rng, &skeleton, &mut pool);
        let (fair, by_definition) = assumptions(&mut rng, (&model, &skeleton), &symbols, &mut pool);
        if fair.is_empty() {
            continue;
        }
        let asked = (&mut pool, asked, paths);
        is_right((&model, &graph, &symbols), asked, (&fair, &by_definition), (seed, &mut seen));
    }
    assert!(seen.trials > cases as usize / 2 && seen.different > seen.trials / 40, "{seen:?}");
    assert!(seen.vacuous > 0 && seen.opinions > 3 * seen.trials, "{seen:?}");
    eprintln!("{seen:?}");
    seen
}

#[test]
fn nets_under_assumptions() {
    let shape =
        NetShape { places: 5, transitions: 5, tokens: 3, weight: 2, inhibitors: true, reads: true, max_states: MOST };
    trials(|rng| net(rng, &shape));
}

#[test]
fn networks_under_assumptions() {
    let shape = NetworkShape { components: 3, states: 4, labels: 4, edges: 6, max_states: MOST };
    trials(|rng| network(rng, &shape));
}

#[test]
fn partitioned_models_under_assumptions() {
    let shape = PartitionedShape { variables: 3, values: 3, groups: 4, successors: 2, initial: 1, labels: 1 };
    trials(|rng| partitioned(rng, &shape).model().unwrap_or_else(|_| unreachable!("it has an initial state")));
}

/// States in order: `start` goes to `end`, a deadlock, and to `ring`, which goes to itself.
fn fork() -> PetriNet {
    let mut b = NetBuilder::new("fork");
    let [start, end, ring] = [("start", 1), ("end", 0), ("ring", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
    for (id, from, to) in [("stop", start, end), ("go", start, ring), ("again", ring, ring)] {
        let t = b.transition(id).unwrap();
        b.input(from, t, 1).unwrap();
        b.output(t, to, 1).unwrap();
    }
    b.build().unwrap()
}

/// The table of ends in docs/semantics.md: which of `start`, `end`, `ring` satisfy the formula under each semantics, by
/// brute force and as rewritten; and the verdicts of all ways.
#[test]
fn ends_by_hand() {
    let net = fork();
    let (graph, symbols) = (graph_of(&net).unwrap(), Symbols::new(&net));
    for (assumption, text, expected) in [
        ((AssumptionKind::Justice, "end = 1"), "E true", ["se.", "se.", "..."]),
        ((AssumptionKind::Justice, "end = 1"), "A false", ["..r", "..r", "ser"]),
        ((AssumptionKind::Justice, "end = 1"), "AF end = 1", ["ser", "ser", "ser"]),
        ((AssumptionKind::Justice, "end = 1"), "EX true", ["s..", "se.", "..."]),
        ((AssumptionKind::Justice, "end = 1"), "<go> true", ["...", "...", "..."]),
        ((AssumptionKind::Justice, "end = 1"), "[go] false", ["ser", "ser", "ser"]),
        ((AssumptionKind::Justice, "ring = 1"), "AF ring = 1", ["ser", "ser", "ser"]),
        ((AssumptionKind::Justice, "ring = 1"), "E true", ["s.r", "s.r", "s.r"]),
        ((AssumptionKind::Compassion, "end = 1, ring = 1"), "E true", ["s.r", "s.r", "s.r"]),
        ((AssumptionKind::Compassion, "end = 1, end = 1"), "E true", ["ser", "ser", "s.r"]),
        // What must not be passed for ever may be passed on the way.
        ((AssumptionKind::Compassion, "start = 1, end = 1"), "AF end = 1", [".e.", ".e.", ".e."]),
        ((AssumptionKind::Compassion, "start = 1, end = 1"), "A G F ring = 1", ["..r", "..r", "ser"]),
        ((AssumptionKind::WeakFair, "all"), "E true", ["ser", "ser", "s.r"]),
        ((AssumptionKind::StrongFair, "stop, go"), "E true", ["ser", "ser", "s.r"]),
        ((AssumptionKind::StrongFair, "stop, go"), "EF end = 1", ["se.", "se.", "..."]),
    ] {
        for (paths, expected) in PathSemantics::ALL.into_iter().zip(expected) {
            let mut pool = Pool::new();
            let asked = starset::formula::parse(text, &symbols, &mut pool).unwrap();
            let fair = [read_assumption(assumption.0, assumption.1, &symbols, &mut pool).unwrap()];
            let by_definition: Vec<Fair> = match (assumption.0, fair[0].conditions()) {
                (AssumptionKind::Justice, &[Condition::Justice(f)]) => vec![Fair::Justice(f)],
                (AssumptionKind::Compassion, &[Condition::Compassion(p, q)]) => vec![Fair::Compassion(p, q)],
                (AssumptionKind::WeakFair, _) => net.transition_ids().map(|t| Fair::Weak(vec![t])).collect(),
                _ => net.transition_ids().take(2).map(|t| Fair::Strong(vec![t])).collect(),
            };
            let under = pool.under(asked, &fair);
            let setting = Setting::new(&graph, &pool, paths);
            for (setting, formula) in [(setting.under(&by_definition), asked), (setting, under)] {
                let sat = check(setting, formula).unwrap().remove(&formula).unwrap();
                let letter = |(place, letter): (usize, &str)| {
                    let state = (0..3).find(|&s| graph.markings[s].as_slice()[place] == 1).unwrap();
                    if sat[state] { letter.to_owned() } else { ".".to_owned() }
                };
                let found: String = ["s", "e", "r"].into_iter().enumerate().map(letter).collect();
                assert_eq!(found, expected, "{text} under {}, {paths} paths", fair[0]);
            }
            let plan = Plan::everything(&net, 0, &[], &Budget::unlimited());
            let questions = [Question::Formula(under, paths)];
            let opinions = compare(&net, &mut pool, &questions, &plan, &Budget::unlimited().with_memory(4 << 20));
            let judgement = Judgement::of(&opinions.questions[0]);
            let verdict = expected.starts_with('s').to_string();
            assert!(judgement.quantities.contains(&(Quantity::Verdict, &verdict)), "{text}, {paths}: {judgement:?}");
        }
    }
}
