//! Models written as programs: the same states, and the same answers to what is written beside them.

use crate::cli::{model, run, starset};
use starset::budget::Budget;
use starset::decide::{self, Settings, Subject, Value};
use starset::formula::{Logic, PathSemantics, Pool};
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::smv::{Asked, Smv};
use starset::kinds::to_smv::{Made, Written, made};
use starset::kinds::{Kind, Loaded, Purpose, Reading, read};
use starset::model::{Groups, TransitionSystem};
use starset::random::{
    FormulaShape, NetShape, NetworkShape, PartitionedShape, Rng, formula, formula_over_labels, formula_over_steps, net,
    network, partitioned,
};
use starset::symbolic::Route;

/// What is decided of questions about a model; none of an answer is an error.
fn verdicts(model: &dyn Kind, pool: &Pool, asked: Vec<decide::Question>) -> Vec<bool> {
    let (groups, kept) = (Groups::single(model), decide::Recorder::new(asked.len()));
    let requests: Vec<decide::Request> = asked.into_iter().map(Into::into).collect();
    let subject = Subject { model, groups: &groups, pool };
    decide::decide(subject, &requests, &Settings::default(), &Budget::unlimited(), &kept);
    let verdict = |value: Option<Value>| match value {
        Some(Value::Verdict(verdict)) => verdict,
        other => panic!("{other:?}"),
    };
    kept.into_recorded().into_iter().map(|recorded| verdict(recorded.answer.map(|answer| answer.value))).collect()
}

/// What a program answers to its own questions.
pub(super) fn of_program(text: &str) -> (Loaded, Vec<bool>) {
    let (program, Asked { questions, .. }) = Smv::asked("written.smv", text, &[], Purpose::Questions).unwrap();
    let mut pool = questions.pool.clone();
    let mut asked = Vec::new();
    for question in &questions.list {
        assert_eq!(question.refused, None, "{text}");
        let formula = pool.under(question.formula, &question.fairness);
        asked.push(decide::Question::formula(&mut pool, formula, question.paths.unwrap(), Route::Fixpoints));
    }
    let model = PinsModel::new("written", program).unwrap();
    let verdicts = verdicts(&model, &pool, asked);
    (
        Loaded::new(Smv::read("written.smv", text).map(|program| PinsModel::new("plain", program).unwrap()).unwrap()),
        verdicts,
    )
}

/// The number of states, by the firing rule.
fn states(model: &dyn Kind) -> usize {
    graph(model).0
}

/// How many states there are, and how many pairs of a state and a successor.
pub(super) fn graph(model: &dyn Kind) -> (usize, usize) {
    let mut seen: std::collections::HashSet<_> = model.initial_states().into_iter().collect();
    let mut open: Vec<_> = seen.iter().cloned().collect();
    let mut steps = std::collections::HashSet::new();
    while let Some(state) = open.pop() {
        for action in model.action_ids() {
            for next in (0..).map_while(|choice| model.fire(&state, starset::model::Step { action, choice })) {
                steps.insert((state.clone(), next.clone()));
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    (seen.len(), steps.len())
}

/// Write a model with these questions, and compare: how many are written, and how many of them are true.
fn compare(
    model: &dyn Kind,
    pool: &mut Pool,
    questions: &[(starset::formula::FormulaId, PathSemantics)],
) -> (usize, usize) {
    let names: Vec<String> = (0..questions.len()).map(|number| format!("q{number}")).collect();
    let given = questions.iter().zip(&names).map(|(&(formula, paths), id)| Written { id, formula, paths });
    let given: Vec<Written<'_>> = given.collect();
    let Made { text, left_out, .. } = made(model, pool, &given, 10_000, &Budget::unlimited()).unwrap();
    let kept = given.iter().filter(|question| left_out.iter().all(|(id, _)| id != question.id));
    let kept: Vec<&Written<'_>> = kept.collect();
    let asked =
        kept.iter().map(|question| decide::Question::formula(pool, question.formula, question.paths, Route::Fixpoints));
    let asked = asked.collect();
    let expected = verdicts(model, pool, asked);
    let (program, found) = of_program(&text);
    assert_eq!(found, expected, "{text}");
    assert_eq!(states(&*program.model), states(model), "{text}");
    (found.len(), found.iter().filter(|found| **found).count())
}

const PATHS: [PathSemantics; 3] = PathSemantics::ALL;

#[test]
fn random_nets_answer_the_same_as_programs() {
    let (mut written, mut holding) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
        let mut pool = Pool::new();
        let questions: Vec<_> = (0..6)
            .map(|number| {
                let logic = if number % 3 == 2 { Logic::Ltl } else { Logic::Ctl };
                (formula(&mut rng, &net, &FormulaShape { logic, size: 7 }, &mut pool), PATHS[(number / 2) % 3])
            })
            .collect();
        let (some, hold) = compare(&net, &mut pool, &questions);
        written += some;
        holding += hold;
    }
    assert!(written > 80 && holding > 30 && written - holding > 30, "{written} {holding}");
}

#[test]
fn random_networks_answer_the_same_as_programs() {
    let (mut written, mut holding) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let network = network(&mut rng, &NetworkShape { max_states: 60, ..NetworkShape::default() });
        let skeleton = network.skeleton();
        let mut pool = Pool::new();
        let questions: Vec<_> = (0..6)
            .map(|number| {
                let shape = FormulaShape { logic: if number % 2 == 1 { Logic::Ltl } else { Logic::Ctl }, size: 7 };
                let made = match number % 2 {
                    1 => formula_over_steps(&mut rng, &skeleton, &shape, false, &mut pool),
                    _ => formula(&mut rng, &skeleton, &shape, &mut pool),
                };
                (made, PATHS[(number / 2) % 3])
            })
            .collect();
        let (some, hold) = compare(&network, &mut pool, &questions);
        written += some;
        holding += hold;
    }
    assert!(written > 80 && holding > 30 && written - holding > 30, "{written} {holding}");
}

/// Tables: several initial states, steps that are not determined, state labels.
#[test]
fn random_models_behind_a_function_answer_the_same_as_programs() {
    let (mut written, mut holding, mut several) = (0, 0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let drawn = partitioned(&mut rng, &PartitionedShape::default());
        let model = drawn.model().unwrap();
        several += usize::from(model.initial_states().len() > 1);
        let (labels, interactions) = (model.labels(), model.interactions().into_owned());
        let mut pool = Pool::new();
        let questions: Vec<_> = (0..4)
            .map(|number| {
                let shape = FormulaShape { logic: if number == 3 { Logic::Ltl } else { Logic::Ctl }, size: 6 };
                (formula_over_labels(&mut rng, &interactions, labels, &shape, &mut pool), PATHS[number % 3])
            })
            .collect();
        let (some, hold) = compare(&model, &mut pool, &questions);
        written += some;
        holding += hold;
    }
    assert!(written > 60 && holding > 20 && written - holding > 20 && several > 3, "{written} {holding} {several}");
}

#[test]
fn shipped_models_have_the_same_states_as_programs() {
    let (folder, reading, budget) = (tempfile::tempdir().unwrap(), Reading::default(), Budget::unlimited());
    for name in [
        "philo-5.pnml",
        "readers-writers-4.pnml",
        "token-ring-6.pnml",
        "pipe.dot",
        "buffer.counters",
        "turns.dve",
        "toggle.etf",
        "locker.mch",
        "lift.smv",
        "mutex.smv",
    ] {
        let path = folder.path().join(name).with_extension("smv");
        let (_, err, status) = run(starset().arg("convert").arg(model(name)).arg(&path));
        assert_eq!(status, 0, "{name}: {err}");
        let of = |path: std::path::PathBuf| states(&*read(&[path], &reading, &budget).unwrap().model);
        assert_eq!(of(path), of(model(name)), "{name}");
    }
}

#[test]
fn questions_are_written_with_their_names() {
    let convert = |name: &str, arguments: &[&str]| {
        run(starset().arg("convert").arg(model(name)).args(["-", "--to", "smv"]).args(arguments))
    };
    let (out, err, status) = convert("pipe.dot", &["-f", "AG EF deadlock", "-f", "A G F !deadlock & E F deadlock"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("CTLSPEC NAME formula_1 := AG (EF (deadlock));\n"), "{out}");
    assert!(err.contains("2 is not written: it is neither of CTL nor of LTL"), "{err}");
    assert!(out.contains("-- 2 is not written"), "{out}");
    // What a model asks itself.
    let (out, _, _) = convert("turns.dve", &[]);
    assert!(out.contains("LTLSPEC NAME again"), "{out}");
    let (out, err, status) = convert("lift.smv", &["-f", "CTLSPEC EF floor = 3"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("INVARSPEC NAME bounded := (floor <= limit);\n"), "{out}");
    assert!(out.ends_with("CTLSPEC (EF ((floor = 3)));\n"), "{out}");
}

#[test]
fn what_is_no_program_is_refused_with_a_remedy() {
    for (name, arguments, expected) in [
        ("claim.pnwc", &["--to", "smv"][..], "time passes in the model"),
        (
            "pipeline-2.pnml",
            &["--to", "smv", "--most", "1000"],
            "there are more than 1000 reachable markings; raise --most",
        ),
        ("lift.smv", &["--to", "smv", "-f", "AG floor = 1"], "write questions in its language"),
        ("pipe.dot", &["--to", "aut", "-f", "AG true"], "questions are written into programs of SMV alone"),
    ] {
        let (out, err, status) = run(starset().arg("convert").arg(model(name)).arg("-").args(arguments));
        assert_eq!((out.as_str(), status), ("", 2), "{name}");
        assert!(err.contains(expected), "{err}");
    }
}

/// Where initial states are not all listed, none is taken for all, and their number is not that of the list.
#[test]
fn initial_states_that_are_not_listed_are_not_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let [program, network] = ["many.smv", "ring.bnet"].map(|name| folder.path().join(name));
    std::fs::write(&program, "MODULE main VAR x : 0..20000; y : boolean; ASSIGN next(x) := x; next(y) := !y;").unwrap();
    let factors: String = (0..14).map(|at| format!("x{at}, x{}\n", (at + 1) % 14)).collect();
    std::fs::write(&network, format!("targets, factors\n{factors}")).unwrap();
    for (path, form, expected) in [
        (&program, "aut", "more than 4096 initial states"),
        (&program, "etf", "more than 4096 initial states"),
        (&network, "aut", "more than 2 initial states"),
        (&network, "etf", "more than 2 initial states"),
        (&network, "smv", "more than 2 initial states"),
    ] {
        let (out, err, status) = run(starset().arg("convert").arg(path).args(["-", "--to", form]));
        assert!(out.is_empty() && status == 2 && err.contains(expected), "{form}: {err}");
    }
    // All of them are there where they are listed.
    std::fs::write(&network, "targets, factors\nx, y\ny, x\n").unwrap();
    let (out, err, status) = run(starset().arg("convert").arg(&network).args(["-", "--to", "smv"]));
    assert_eq!(status, 0, "{err}");
    assert_eq!(
        (
            states(&*of_program(&out).0.model),
            states(&*read(&[network], &Reading::default(), &Budget::unlimited()).unwrap().model)
        ),
        (4, 4),
        "{out}"
    );
}

/// A flat program is read as the same model: states, steps and properties.
#[test]
fn flat_programs_answer_the_same() {
    let text = "MODULE main IVAR go : boolean; VAR p : process cell(q.n); q : process cell(p.n); a : array -1..1 of 0..2;
        w : signed word[3]; e : {one.two, 3, idle}; CONSTANTS other.c;
        DEFINE sum := p.n + q.n + a[0]; big := sum > 2; far := next(a[1]) > a[1];
        ASSIGN init(a[0]) := 0; next(a[0]) := {0, 1, 2}; a[1] := 1; next(a[-1]) := a[0];
          init(w) := -0sd3_4; next(w) := case big : w + 0sd3_1; w < 0sd3_0 : -w; TRUE : resize(w >> 1, 3); esac;
          init(e) := idle; next(e) := big ? {one.two, 3} : (go ? idle : e);
        TRANS go -> !far | w[1:0] = 0ud2_1 | signed(w[2:2]) = 0sd1_0;
        JUSTICE running; COMPASSION (big, p.n = 0);
        CTLSPEC NAME first := AG (big -> EBF 0..2 !big); LTLSPEC G (go -> O [0, 2] !big) | F (X big U sum = 0);
        INVARSPEC next(p.n) <= 2; CTLSPEC AG (count(p.n = 0, q.n = 0) >= 0 & toint(big) in {0, 1} & e != other.c);
        CTLSPEC E [big BU 0..1 e = one.two] | A [TRUE U w = -0sd3_4]; LTLSPEC (p.n = 0) S big -> H (Y big | Z !big);
        MODULE cell(o) VAR n : 0..2; ASSIGN init(n) := 0; next(n) := case n < 2 & o < 2 : n + 1; TRUE : 0; esac; FAIRNESS running;
        INVARSPEC n <= o + 1;";
    let program = starset_smv::read(text, false).unwrap();
    let flat = program.flat();
    let (before, expected) = of_program(text);
    let (after, found) = of_program(&flat);
    assert_eq!(found, expected, "{flat}");
    assert!(found.contains(&true) && found.contains(&false));
    let count = states(&*before.model);
    assert!(count > 50, "{count}");
    assert_eq!(states(&*after.model), count, "{flat}");
    assert_eq!(before.model.actions(), after.model.actions());
    assert_eq!(starset_smv::read(&flat, false).unwrap().flat(), flat);
}
