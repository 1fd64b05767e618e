//! Random programs: their steps as events, as conjunctions, and as the program itself tells them.

use super::super::Smv;
use super::{Form, Sizes, USUAL};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::kinds::pins::{NextState, PinsModel};
use crate::mdd::{Mdd, MddManager};
use crate::model::{State, TransitionSystem, VariableId};
use crate::relation::{Level, Relation};
use crate::rng::Rng;
use crate::symbolic::{Checker, Search, count_transitions, deadlocks, fireable, reachable_set};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Variables and their values as they are written; some codes of the third are no values.
const VARIABLES: [(&str, &str, &[&str]); 5] = [
    ("b", "boolean", &["TRUE", "FALSE"]),
    ("n", "0..3", &["0", "1", "2", "3"]),
    ("g", "{5, 0, 2}", &["0", "2", "5"]),
    ("e", "{one, two, 3}", &["one", "two", "3"]),
    ("w", "unsigned word[3]", &["0ud3_0", "0ud3_1", "0ud3_6", "w + 0ud3_1", "w << 1", "(!w)[1:0] :: w[2:2]"]),
];

fn condition(rng: &mut Rng, next: bool, inputs: bool) -> String {
    let (name, _, values) = VARIABLES[rng.below(VARIABLES.len())];
    let name = if next && rng.one_in(2) { format!("next({name})") } else { name.to_owned() };
    let value = values[rng.below(values.len())];
    match rng.below(if inputs { 8 } else { 7 }) {
        0 | 1 => format!("{name} = {value}"),
        2 => format!("{name} != {value}"),
        3 => format!("({} & {})", condition(rng, next, inputs), condition(rng, next, inputs)),
        4 => format!("({} | {})", condition(rng, next, inputs), condition(rng, next, inputs)),
        5 => format!("!({})", condition(rng, next, inputs)),
        6 => ["n + g > 4", "n = g", "(n + 1) mod 3 = 0", "g - n < 2", "w > 0ud3_3", "toint(w) >= n"][rng.below(6)]
            .to_owned(),
        _ => ["i = 0", "i = 2", "i < n"][rng.below(3)].to_owned(),
    }
}

fn value(rng: &mut Rng, variable: usize, inputs: bool) -> String {
    let (name, _, values) = VARIABLES[variable];
    let one = |rng: &mut Rng| (values[rng.below(values.len())]).to_owned();
    match rng.below(6) {
        0 => name.to_owned(),
        1 => format!("{{{}, {}}}", one(rng), one(rng)),
        2 => format!("{{{name}, {}}}", one(rng)),
        3 | 4 => format!(
            "case {} : {}; TRUE : {}; esac",
            condition(rng, false, inputs),
            one(rng),
            value(rng, variable, inputs)
        ),
        _ => one(rng),
    }
}

/// An alternative of steps that leave most variables as they are.
fn alternative(rng: &mut Rng) -> String {
    let chosen = rng.below(VARIABLES.len());
    let mut parts = vec![condition(rng, false, false)];
    for (variable, &(name, _, values)) in VARIABLES.iter().enumerate() {
        if variable != chosen && !rng.one_in(12) {
            parts.push([format!("next({name}) = {name}"), format!("{name} = next({name})")][rng.below(2)].clone());
        } else if !rng.one_in(4) {
            parts.push(format!("next({name}) = {}", values[rng.below(values.len())]));
        }
    }
    format!("({})", parts.join(" & "))
}

/// A condition on steps that is several.
fn several(rng: &mut Rng) -> String {
    let [guard, a, b, c] = [false, true, true, true].map(|next| condition(rng, next, false));
    [format!("{guard} -> {a} & {b}"), format!("{guard} ? {a} & {b} : {c}"), format!("{a} & ({guard} | {b} & {c})")]
        [rng.below(3)]
    .clone()
}

/// A program; some have an input, processes, constraints.
fn program(rng: &mut Rng) -> String {
    let processes = rng.one_in(4);
    let inputs = !processes && rng.one_in(2);
    let apart = rng.one_in(3);
    let mut text = "MODULE main\n".to_owned();
    for (name, kind, _) in VARIABLES {
        let _ = writeln!(text, "VAR {name} : {kind};");
    }
    if inputs {
        text.push_str("IVAR i : 0..2;\n");
    }
    let mut other = String::new();
    for (variable, &(name, _, values)) in VARIABLES.iter().enumerate() {
        if !rng.one_in(5) {
            let constants: Vec<&&str> = values.iter().filter(|value| !value.contains("w")).collect();
            let _ = writeln!(text, "ASSIGN init({name}) := {};", constants[rng.below(constants.len())]);
        }
        if rng.one_in(7) || apart && !rng.one_in(4) {
            continue;
        }
        let assigned = format!("ASSIGN next({name}) := {};\n", value(rng, variable, inputs));
        if processes && rng.one_in(2) { other.push_str(&assigned) } else { text.push_str(&assigned) }
    }
    if rng.one_in(3) {
        let _ = writeln!(text, "TRANS {};", condition(rng, true, inputs));
    }
    if rng.one_in(4) {
        let _ = writeln!(text, "TRANS {};", several(rng));
    }
    if apart {
        let all: Vec<String> = (0..2 + rng.below(4)).map(|_| alternative(rng)).collect();
        let _ = writeln!(text, "TRANS {};", all.join(" | "));
    }
    if rng.one_in(4) {
        let _ = writeln!(text, "INVAR {};", condition(rng, false, false));
    }
    if rng.one_in(6) {
        let op = ["=", "<="][rng.below(2)];
        let beside = if rng.one_in(2) { format!("{} | ", condition(rng, false, false)) } else { String::new() };
        let _ = writeln!(text, "TRANS {beside}count(next(b) != b, next(n) != n, next(g) != g) {op} 1;");
    }
    if processes {
        let parameters = VARIABLES.map(|(name, ..)| name).join(", ");
        let _ = write!(text, "VAR p : process other({parameters});\nMODULE other({parameters})\n{other}");
    }
    text
}

/// All states that single steps reach, which groups have steps, the number of pairs of a state and a successor, group by
/// group, and that of states without any.
fn one_by_one(model: &PinsModel) -> (BTreeSet<State>, Vec<bool>, usize, usize) {
    let mut known: BTreeSet<State> = model.initial_states().into_iter().collect();
    let mut open: Vec<State> = known.iter().cloned().collect();
    let (mut steps, mut dead) = (0, 0);
    let mut fired = vec![false; 2];
    while let Some(state) = open.pop() {
        let mut any = false;
        for action in model.action_ids() {
            for choice in 0.. {
                let Some(next) = model.fire(&state, crate::model::Step { action, choice }) else { break };
                steps += 1;
                fired[action.index()] = true;
                any = true;
                if known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        dead += usize::from(!any);
    }
    (known, fired, steps, dead)
}

/// The sets of some formulas.
fn sets(checker: &mut Checker<'_>, pool: &Pool, formulas: &[FormulaId]) -> Vec<BTreeSet<Vec<u64>>> {
    let budget = Budget::unlimited();
    formulas
        .iter()
        .map(|&formula| states_of(&checker.sat(pool, formula, &budget).expect("there are no limits"), checker))
        .collect()
}

fn states_of(set: &Mdd, checker: &Checker<'_>) -> BTreeSet<Vec<u64>> {
    set.members().map(|tuple| checker.values_of(&tuple)).collect()
}

#[test]
fn events_conjunctions_and_single_steps_agree() {
    let count = std::env::var("STARSET_SMV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let mut rng = Rng::new(49);
    let budget = Budget::unlimited();
    let (mut done, mut joint, mut in_bits, mut several, mut stuck) = (0, 0, 0, 0, 0);
    for _ in 0..count {
        let text = program(&mut rng);
        let Ok(program) = Smv::read("random.smv", &text) else { continue };
        let mut order: Vec<VariableId> = (0..VARIABLES.len() as u32).map(VariableId).collect();
        rng.shuffle(&mut order);
        let apart = Sizes { cluster: [1, 20, 2_000][rng.below(3)], event: 0, local: 0, ..USUAL };
        let levels = Relation::new(order.len(), &order, |_| Level { name: String::new(), offset: 0, initial: 0 })
            .expect("there are no limits");
        let made = |form: Form, sizes| program.relation_of(&order, &levels, (form, sizes), &budget);
        let relations = [USUAL, apart].into_iter().map(|sizes| made(Form::Values, sizes));
        let Some(mut relations) = relations.collect::<Option<Vec<Relation>>>() else {
            panic!("{text}");
        };
        let of_bits: Vec<Relation> = [USUAL, apart].into_iter().filter_map(|sizes| made(Form::Bits, sizes)).collect();
        in_bits += usize::from(of_bits.iter().any(Relation::is_conjunctive));
        relations.extend(of_bits);
        let complete = program.lists_initial();
        let Ok(model) = PinsModel::new("random", program) else { continue };
        assert!(complete, "{text}");
        let (states, fired, steps, dead) = one_by_one(&model);
        assert_eq!(model.failed(), None, "{text}");
        let mut pool = Pool::default();
        let formulas = questions(&mut pool, &mut rng);
        let mut known = None;
        joint += usize::from(relations[1].is_conjunctive());
        several += usize::from(model.initial_states().len() > 1);
        stuck += usize::from(dead > 0);
        for relation in &relations {
            let space = MddManager::new(relation.levels(), &budget).expect("there are no limits");
            let set =
                reachable_set(relation, &space, Search::Saturation, &budget, &mut |_| ()).expect("there are no limits");
            let mut checker = Checker::new(relation, set.clone(), PathSemantics::Maximal).expect("there are no limits");
            let expected: BTreeSet<Vec<u64>> = states.iter().map(|state| state.as_slice().to_vec()).collect();
            assert_eq!(states_of(&set, &checker), expected, "{text}");
            assert_eq!(
                count_transitions(relation, &set, &budget).expect("there are no limits"),
                steps.into(),
                "{text}"
            );
            assert_eq!(
                deadlocks(relation, &set, &budget)
                    .expect("there are no limits")
                    .count(&budget)
                    .expect("there are no limits"),
                dead.into(),
                "{text}"
            );
            assert_eq!(fireable(relation, &set, 2, &budget).expect("there are no limits"), fired, "{text}");
            let found = sets(&mut checker, &pool, &formulas);
            assert_eq!(known.get_or_insert_with(|| found.clone()), &found, "{text}");
        }
        done += 1;
    }
    assert!(
        done >= count / 2 && joint >= done / 2 && in_bits >= done / 3 && several > count / 20 && stuck > count / 20,
        "{done} {joint} {in_bits} {several} {stuck}"
    );
}

/// Formulas whose fixpoints go forward and backward.
fn questions(pool: &mut Pool, rng: &mut Rng) -> Vec<FormulaId> {
    use crate::formula::Comparison::{Eq, Le};
    let atom = |pool: &mut Pool, rng: &mut Rng| {
        let variable = VariableId(rng.below(4) as u32);
        let comparison = if rng.one_in(2) { Eq } else { Le };
        pool.compare(vec![variable], comparison, rng.below(3) as i128)
    };
    let (a, b) = (atom(pool, rng), atom(pool, rng));
    let paths = [Formula::Next(a), Formula::Finally(a), Formula::Globally(a), Formula::Until(a, b)];
    let paths = paths.map(|path| pool.add(path));
    let repeated = pool.add(Formula::Globally(paths[1]));
    let mut all: Vec<FormulaId> = paths.into_iter().map(|path| pool.add(Formula::Exists(path))).collect();
    all.push(pool.add(Formula::Exists(repeated)));
    all.push(pool.add(Formula::Forall(paths[3])));
    all
}
