//! Programs cut down to what their properties rest on: the same answers as the whole programs give.

use super::{asked, written};
use crate::cli::{run, starset};
use starset::budget::Budget;
use starset::decide::{self, Recorder, Request, Settings, Subject, Value};
use starset::formula::Pool;
use starset::kinds::Purpose;
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::smv::{Asked, Smv};
use starset::model::{Groups, TransitionSystem};
use starset::random::Rng;
use starset::symbolic::Route;

/// Variables with their types and values.
const VARIABLES: [(&str, &str, &[&str]); 6] = [
    ("a", "boolean", &["TRUE", "FALSE"]),
    ("b", "boolean", &["TRUE", "FALSE"]),
    ("n", "0..2", &["0", "1", "2"]),
    ("m", "0..3", &["0", "1", "3"]),
    ("e", "{one, two, 3}", &["one", "two", "3"]),
    ("w", "word[2]", &["0ud2_0", "0ud2_1", "0ud2_3"]),
];

/// A comparison of one of some variables with a value.
fn atom(rng: &mut Rng, of: &[usize], next: bool) -> String {
    let (name, _, values) = VARIABLES[of[rng.below(of.len())]];
    let name = if next && rng.one_in(2) { format!("next({name})") } else { name.to_owned() };
    format!("{name} {} {}", ["=", "!="][rng.below(2)], values[rng.below(values.len())])
}

pub(super) fn condition(rng: &mut Rng, of: &[usize], next: bool) -> String {
    match rng.below(4) {
        0 => format!("({} & {})", atom(rng, of, next), atom(rng, of, next)),
        1 => format!("({} | {})", atom(rng, of, next), atom(rng, of, next)),
        _ => format!("({})", atom(rng, of, next)),
    }
}

/// Something that a variable may be assigned.
fn value(rng: &mut Rng, variable: usize, of: &[usize]) -> String {
    let (name, _, values) = VARIABLES[variable];
    let one = |rng: &mut Rng| values[rng.below(values.len())].to_owned();
    match rng.below(6) {
        0 => one(rng),
        1 if name != "w" => format!("{{{name}, {}}}", one(rng)),
        _ => {
            let other = if rng.one_in(2) { name.to_owned() } else { one(rng) };
            format!("case {} : {}; TRUE : {other}; esac", condition(rng, of, false), one(rng))
        }
    }
}

/// A condition with temporal operators.
fn property(rng: &mut Rng, of: &[usize]) -> String {
    let (p, q) = (condition(rng, of, false), condition(rng, of, false));
    let input = ["i", "!i"][rng.below(2)];
    match rng.below(14) {
        0 => format!("CTLSPEC AG ({p} -> AF {q})"),
        1 => format!("CTLSPEC AG EF {p}"),
        2 => format!("CTLSPEC E [{p} U {q}]"),
        3 => format!("CTLSPEC EG {p}"),
        4 => format!("CTLSPEC AX EX {p}"),
        5 => format!("LTLSPEC G F {p} -> F {q}"),
        6 => format!("LTLSPEC {p} U X {q}"),
        7 => format!("LTLSPEC G ({input} -> X {p})"),
        8 => format!("LTLSPEC G ({p} -> O {q})"),
        9 => format!("INVARSPEC {p} | {q}"),
        10 => format!("INVARSPEC {input} | {p}"),
        11 => format!("INVARSPEC {}", condition(rng, of, true)),
        12 => format!("COMPUTE MIN [{p}, {q}]"),
        _ => format!("COMPUTE MAX [{p}, {q}]"),
    }
}

/// A property about whose turn it is.
fn turns(rng: &mut Rng, of: &[usize]) -> String {
    let (p, q) = (condition(rng, of, false), condition(rng, of, false));
    let turn = ["p.running", "!p.running"][rng.below(2)];
    match rng.below(6) {
        0 => format!("LTLSPEC G ({turn} -> {p} | X {q})"),
        1 => format!("LTLSPEC G F ({turn} & {p}) -> F {q}"),
        2 => format!("LTLSPEC ({turn} | {p}) U {q}"),
        3 => format!("LTLSPEC F G ({turn} -> {p})"),
        4 => format!("LTLSPEC !({p} U ({turn} & {q}))"),
        _ => format!("LTLSPEC G ({p} -> F {turn})"),
    }
}

/// A program of two halves, which are assigned by what is in them, or in the first one, or anywhere; with a constraint
/// here and there, and a question about few of its variables.
pub(super) fn program(rng: &mut Rng) -> String {
    program_that_asks(rng, property)
}

/// The same with such a question.
pub(super) fn program_that_asks(rng: &mut Rng, property: fn(&mut Rng, &[usize]) -> String) -> String {
    let mut order: Vec<usize> = (0..VARIABLES.len()).collect();
    rng.shuffle(&mut order);
    let (first, second) = order.split_at(2 + rng.below(3));
    let processes = rng.one_in(5);
    let mut text = "MODULE main\nIVAR i : boolean;\n".to_owned();
    for (name, kind, _) in VARIABLES {
        let frozen = !processes && rng.one_in(8);
        text.push_str(&format!("{} {name} : {kind};\n", if frozen { "FROZENVAR" } else { "VAR" }));
    }
    let mut other = String::new();
    for (at, &variable) in order.iter().enumerate() {
        let (name, _, values) = VARIABLES[variable];
        let reads = if rng.one_in(8) {
            &order[..]
        } else if at < first.len() || rng.one_in(2) {
            first
        } else {
            second
        };
        let frozen = text.contains(&format!("FROZENVAR {name} "));
        match rng.below(6) {
            // A variable may only rest on those before it at the same time.
            0 if at > 0 && !frozen => {
                text.push_str(&format!("ASSIGN {name} := {};\n", current(rng, variable, &order[..at])));
                continue;
            }
            1 if at > 0 => {
                text.push_str(&format!("ASSIGN init({name}) := {};\n", current(rng, variable, &order[..at])))
            }
            2 => {}
            _ => text.push_str(&format!("ASSIGN init({name}) := {};\n", values[rng.below(values.len())])),
        }
        if !frozen && !rng.one_in(6) {
            let assigned = format!("ASSIGN next({name}) := {};\n", value(rng, variable, reads));
            if processes && rng.one_in(2) { other.push_str(&assigned) } else { text.push_str(&assigned) }
        }
    }
    let side = |rng: &mut Rng| if rng.one_in(3) { second.to_vec() } else { first.to_vec() };
    for (word, next, often) in [("INIT", false, 8), ("INVAR", false, 8), ("TRANS", true, 4), ("JUSTICE", false, 3)] {
        if rng.one_in(often) {
            let side = side(rng);
            text.push_str(&format!("{word} {};\n", condition(rng, &side, next)));
        }
    }
    if rng.one_in(8) {
        let side = side(rng);
        text.push_str(&format!("COMPASSION ({}, {});\n", condition(rng, &side, false), condition(rng, &side, false)));
    }
    let few = [first[rng.below(first.len())], first[rng.below(first.len())]];
    let property = if processes && rng.one_in(2) { turns(rng, &few) } else { property(rng, &few) };
    text.push_str(&format!("{property}\n"));
    if processes {
        let parameters = VARIABLES.map(|(name, ..)| name).join(", ");
        let running = if rng.one_in(2) { "FAIRNESS running;\n" } else { "" };
        text.push_str(&format!("VAR p : process other({parameters});\nMODULE other({parameters})\n{other}{running}"));
    }
    text
}

/// A value that rests on current values of others alone.
fn current(rng: &mut Rng, variable: usize, of: &[usize]) -> String {
    let (_, _, values) = VARIABLES[variable];
    let [one, other] = [0, 1].map(|_| values[rng.below(values.len())]);
    format!("case {} : {one}; TRUE : {other}; esac", condition(rng, of, false))
}

/// The answers to what a program asks, of its reader for this purpose, and how many variables its states have; `None` if
/// it has no first state.
fn answers(text: &str, purpose: Purpose) -> Option<(Vec<Option<Value>>, usize)> {
    decided(text, purpose, |model, _, _, values| (values.to_vec(), model.variables()))
}

/// What is made of a program, the questions that it asks, and their answers; `None` if it has no first state.
pub(super) fn decided<T>(
    text: &str,
    purpose: Purpose,
    then: impl FnOnce(&PinsModel, &Pool, &[Request], &[Option<Value>]) -> T,
) -> Option<T> {
    let (program, Asked { questions, .. }) = Smv::asked("cut.smv", text, &[], purpose).ok()?;
    let mut pool: Pool = questions.pool.clone();
    let mut requests: Vec<Request> = Vec::new();
    for question in &questions.list {
        assert_eq!(question.refused, None, "{text}");
        let paths = question.paths.unwrap();
        let asked = match question.steps {
            Some(steps) => decide::Question::Distance { journey: pool.journey(steps, &question.fairness), paths },
            None => {
                let formula = pool.under(question.formula, &question.fairness);
                decide::Question::formula(&mut pool, formula, paths, Route::Fixpoints)
            }
        };
        requests.push(asked.into());
    }
    let model = PinsModel::new("cut", program).ok()?;
    let (groups, kept) = (Groups::single(&model), Recorder::new(requests.len()));
    let subject = Subject { model: &model, groups: &groups, pool: &pool };
    decide::decide(subject, &requests, &Settings::default(), &Budget::unlimited(), &kept);
    let values = kept.into_recorded().into_iter().map(|recorded| recorded.answer.map(|answer| answer.value));
    Some(then(&model, &pool, &requests, &values.collect::<Vec<_>>()))
}

#[test]
fn what_nothing_rests_on_does_not_matter() {
    let count = std::env::var("STARSET_SMV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let mut rng = Rng::new(149);
    let (mut smaller, mut done, mut held, mut failed) = (0, 0, 0, 0);
    for _ in 0..count {
        let text = program(&mut rng);
        let whole = answers(&text, Purpose::Questions);
        let cut = answers(&text, Purpose::Verdicts);
        let (Some((whole, all)), Some((cut, inside))) = (&whole, &cut) else {
            assert_eq!(whole.is_none(), cut.is_none(), "{text}");
            continue;
        };
        assert_eq!(whole, cut, "{text}");
        done += 1;
        if inside < all {
            smaller += 1;
            held += usize::from(cut[0] == Some(Value::Verdict(true)));
            failed += usize::from(cut[0] == Some(Value::Verdict(false)));
        }
    }
    assert!(
        done > count / 2 && smaller > count / 3 && held > count / 12 && failed > count / 12,
        "{done} {smaller} {held} {failed}"
    );
}

/// Two counters; what is asked is about the small one.
const COUNTERS: &str = "MODULE main VAR small : 0..3; big : array 0..3 of 0..1;
    ASSIGN init(small) := 0; next(small) := (small + 1) mod 4; init(big[0]) := 0;
    next(big[0]) := case small = 3 : big[1]; TRUE : {big[0], big[2]}; esac;
    CTLSPEC AG AF small = 2 LTLSPEC G small < 3 INVARSPEC small >= 0";

#[test]
fn what_is_shown_or_named_is_whole() {
    assert_eq!(asked(COUNTERS), "1: true, 2: false, 3: true");
    let (_folder, path) = written(COUNTERS);
    let said = |more: &[&str]| run(starset().arg("check").arg(&path).args(["--engine", "symbolic"]).args(more));
    let (_, note, _) = said(&["-v"]);
    assert!(note.contains("1 of 5 variables have a say in what is asked"), "{note}");
    let (out, note, _) = said(&["-v", "--witness"]);
    assert!(out.contains("big = [") && !note.contains("have a say"), "{out}{note}");
    // A question in other words knows all variables, and so does an assumption.
    let (out, err, status) = said(&["-f", "AG \"big[1]\" = 0"]);
    assert_eq!((out.trim(), status), ("1: false", 0), "{err}");
    let (out, err, status) = said(&["-f", "CTLSPEC AF small = 2", "--justice", "\"big[1]\" = 0"]);
    assert_eq!((out.trim(), status), ("1: true", 0), "{err}");
    // Of several questions those that are asked count.
    let (out, note, _) = said(&["-v", "-f", "CTLSPEC EF big[3] = 1"]);
    assert!(out.trim() == "1: true" && note.contains("1 of 5 variables"), "{out}{note}");
}

/// What is left out has values, for all that is known: an assignment that may be a fault is not.
#[test]
fn faults_are_not_left_out() {
    let (_folder, path) = written(
        "MODULE main VAR ready : boolean; n : 0..3; ASSIGN init(n) := 0; next(n) := n + 1; LTLSPEC F ready | G !ready",
    );
    let (_, err, status) = run(starset().arg("check").arg(&path));
    assert!(status == 2 && err.contains("`n` is assigned 4"), "{status} {err}");
}
