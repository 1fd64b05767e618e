//! Traces in the forms of NuSMV, and random runs: each is run again on the program itself, by the meaning of its terms.

use super::written;
use crate::cli::{model, run, starset};
use starset_smv::{Evaluator, Memory, Model, Role, System, Value, When};
use std::collections::BTreeMap;
use std::path::Path;

/// Names and their values.
type Values = BTreeMap<String, String>;

/// A trace as it was printed: the values of each state, and the inputs of the step to the next one; and the states that
/// the last one repeats.
#[derive(Debug, Default, PartialEq)]
struct Trace {
    states: Vec<Values>,
    inputs: Vec<Values>,
    loops: Vec<usize>,
}

/// All traces in NuSMV's text.
fn in_text(out: &str) -> Vec<Trace> {
    let mut traces: Vec<Trace> = Vec::new();
    let (mut inputs, mut is_input, mut is_inside, mut looped) = (Values::new(), false, false, false);
    for line in out.lines() {
        if line.starts_with("Trace Description: ") {
            traces.push(Trace::default());
            (inputs, is_inside) = (Values::new(), true);
            continue;
        }
        let Some(trace) = traces.last_mut().filter(|_| is_inside) else { continue };
        let number = traces_number(line);
        if line.starts_with("  -> Input: ") {
            assert_eq!(number, Some(trace.states.len() + 1), "{line}");
            is_input = true;
            trace.inputs.push(inputs.clone());
        } else if line.starts_with("  -> State: ") {
            assert_eq!(number, Some(trace.states.len() + 1), "{line}");
            is_input = false;
            if std::mem::take(&mut looped) {
                trace.loops.push(trace.states.len());
            }
            trace.states.push(trace.states.last().cloned().unwrap_or_default());
        } else if line == "  -- Loop starts here" {
            looped = true;
        } else if let Some((name, value)) = line.strip_prefix("    ").and_then(|line| line.split_once(" = ")) {
            let part = if is_input { trace.inputs.last_mut() } else { trace.states.last_mut() };
            let before = part.unwrap().insert(name.to_owned(), value.to_owned());
            assert_ne!(before.as_deref(), Some(value), "what has not changed is told: {line}");
            if is_input {
                inputs.insert(name.to_owned(), value.to_owned());
            }
        } else if !line.starts_with("Trace Type: ") {
            is_inside = false;
        }
    }
    traces
}

/// The number of a state, or of an input, in its trace.
fn traces_number(line: &str) -> Option<usize> {
    line.split_once('.')?.1.strip_suffix(" <-")?.parse().ok()
}

/// All traces in the XML of plugin 4.
fn in_xml(out: &str) -> Vec<Trace> {
    let mut traces: Vec<Trace> = Vec::new();
    let mut is_input = false;
    for line in out.lines().map(str::trim) {
        if line.starts_with("<counter-example ") {
            traces.push(Trace::default());
        }
        let Some(trace) = traces.last_mut() else { continue };
        if line.starts_with("<state ") || line.starts_with("<combinatorial ") {
            is_input = false;
            if line.starts_with("<state ") {
                trace.states.push(Values::new());
            } else {
                // The number of the step.
                assert_eq!(line, format!("<combinatorial id=\"{}\">", trace.states.len() + 1));
            }
        } else if line.starts_with("<input ") {
            is_input = true;
            trace.inputs.push(Values::new());
        } else if let Some(rest) = line.strip_prefix("<value variable=\"") {
            let (name, rest) = rest.split_once("\">").unwrap();
            let value = rest.strip_suffix("</value>").unwrap();
            let part = if is_input { trace.inputs.last_mut() } else { trace.states.last_mut() };
            part.unwrap().insert(name.to_owned(), value.to_owned());
        } else if let Some(loops) = line.strip_prefix("<loops>") {
            let loops = loops.strip_suffix("</loops>").unwrap();
            let numbers = loops.split(',').map(str::trim).filter(|text| !text.is_empty());
            trace.loops = numbers.map(|text| text.parse::<usize>().unwrap() - 1).collect();
        }
    }
    traces
}

/// Run a trace again on the program: its first state is one, each step is one with its inputs, definitions have their
/// values, and a loop closes.
fn replay(program: &Model, trace: &Trace) {
    let mut program = program.clone();
    let system = System::new(&mut program);
    let mut memory = Memory::default();
    let value = |values: &Values, variable: usize| -> Value {
        let declared = &program.variables[variable];
        let text = values.get(&declared.name).unwrap_or_else(|| panic!("{} is not told: {values:?}", declared.name));
        program.read_value(text, declared.kind).unwrap_or_else(|| panic!("{text} is no value of {}", declared.name))
    };
    let known = |at: usize| {
        let mut all = Vec::new();
        for (variable, declared) in program.variables.iter().enumerate() {
            match declared.role {
                Role::Input => {
                    all.extend(trace.inputs.get(at).map(|inputs| (variable, false, value(inputs, variable))))
                }
                _ => {
                    all.push((variable, false, value(&trace.states[at], variable)));
                    all.extend(trace.states.get(at + 1).map(|state| (variable, true, value(state, variable))));
                }
            }
        }
        all
    };
    let holds = |term, at: usize| {
        let mut evaluator = Evaluator::new(&program);
        known(at).into_iter().for_each(|(variable, next, value)| evaluator.set(variable, next, Some(value)));
        assert_eq!(evaluator.holds(term), Ok(Some(true)), "{} at {at}", program.show_term(term));
    };
    program.init.iter().for_each(|&term| holds(term, 0));
    for at in 0..trace.states.len() {
        let is_last = at + 1 == trace.states.len();
        program.invar.iter().for_each(|&term| holds(term, at));
        program.trans.iter().filter(|_| !is_last).for_each(|&term| holds(term, at));
        for assignment in &program.assignments {
            let (next, asked) = match assignment.when {
                When::Init => (false, at == 0),
                When::Current => (false, true),
                When::Next => (true, !is_last),
            };
            if asked {
                let allowed = system.values(&program, &mut memory, assignment.value, &known(at)).unwrap();
                let is = value(&trace.states[at + usize::from(next)], assignment.variable);
                assert!(allowed.contains(&is), "line {}, state {at}: {is:?} of {allowed:?}", assignment.place.line);
            }
        }
        if !is_last {
            for (variable, declared) in program.variables.iter().enumerate().filter(|(_, v)| v.role == Role::Frozen) {
                let [now, then] = [at, at + 1].map(|at| value(&trace.states[at], variable));
                assert_eq!(now, then, "{}", declared.name);
            }
        }
        for (name, term) in &program.defines {
            let of_state = program
                .terms
                .variables(*term)
                .iter()
                .all(|&(variable, next)| !next && program.variables[variable].role != Role::Input);
            if of_state {
                let values = system.values(&program, &mut memory, *term, &known(at)).unwrap();
                let texts: Vec<String> =
                    values.into_iter().map(|value| program.show(value, program.terms.kind(*term))).collect();
                assert_eq!(trace.states[at].get(name), Some(&texts.join(", ")), "{name} at {at}");
            }
        }
    }
    for &start in &trace.loops {
        let is_state = |name: &String| program.variables.iter().any(|variable| variable.name == *name);
        let [first, last] = [&trace.states[start], trace.states.last().unwrap()]
            .map(|state| state.iter().filter(|(name, _)| is_state(name)).collect::<Vec<_>>());
        assert_eq!(first, last);
    }
}

fn program(path: &Path) -> Model {
    starset_smv::read(&std::fs::read_to_string(path).unwrap(), false).unwrap()
}

/// The traces of what a program asks, in both forms; each is run again.
fn traces(path: &Path, more: &[&str]) -> Vec<Trace> {
    let [text, xml] = ["nusmv", "xml"].map(|form| {
        let mut command = starset();
        command.arg("check").arg(path).args(["--trace", form, "--threads", "1", "--engine", "symbolic"]).args(more);
        let (out, err, status) = run(&mut command);
        assert!(status == 0 && !out.contains("step: ") && !out.contains("Z ("), "{out}{err}");
        out
    });
    let (text, xml) = (in_text(&text), in_xml(&xml));
    // XML has all of each state; its definitions of steps are the only ones that text leaves where a step is missing.
    assert_eq!(text.len(), xml.len());
    let program = program(path);
    for (one, other) in text.iter().zip(&xml) {
        assert_eq!((&one.states.len(), &one.inputs, &one.loops), (&other.states.len(), &other.inputs, &other.loops));
        replay(&program, one);
        replay(&program, other);
    }
    text
}

/// Frozen variables, inputs, words, arrays, instances, definitions of all sorts, and two initial states.
const ALL: &str = "MODULE cell(go)
    VAR c : 0..3;
    FROZENVAR top : 2..3;
    DEFINE full := c = top; both := {c, 0}; next_up := next(c) > c; driven := go & c < 2;
    ASSIGN init(c) := 0; next(c) := go & c < top ? c + 1 : c;
    MODULE main
    IVAR go : boolean; w : 0..2; unused : {one, two};
    VAR z : {red, green, 7}; k : unsigned word[2]; s : signed word[4]; arr : array 0..2 of boolean;
        a : cell(go); b : cell(w = 1);
    DEFINE sum := a.c + b.c; list := [1, sum]; more := w + 1;
    ASSIGN init(z) := red; next(z) := case a.full : green; TRUE : z; esac;
        init(k) := 0ud2_0; next(k) := k + 0ud2_1; init(s) := -0sd4_3; next(s) := s; next(arr[0]) := !arr[0];
        init(arr[1]) := TRUE; next(arr[1]) := arr[1]; arr[2] := arr[0];
    INIT b.top = 2 & !arr[0] TRANS w = 2 -> next(a.c) = a.c;
    LTLSPEC G sum < 3 CTLSPEC AG (sum = 2 -> EF sum = 0) LTLSPEC F G w = 1 INVARSPEC b.c < 2
    LTLSPEC G (go -> X a.c > 0 & w != 2) INVARSPEC next(b.c) = b.c JUSTICE w != 2 LTLSPEC G F k = 0ud2_1";

#[test]
fn traces_are_runs_of_their_programs() {
    let (_folder, path) = written(ALL);
    let found = traces(&path, &[]);
    assert!(found.len() >= 6 && found.iter().any(|trace| !trace.loops.is_empty()), "{found:?}");
    let first = &found[0];
    for name in ["a.top", "arr[2]", "list[1]", "a.both", "a.next_up", "b.driven"] {
        assert!(first.states[0].contains_key(name), "{name}: {:?}", first.states[0]);
    }
    assert!(first.inputs[0].contains_key("unused") && first.inputs[0].contains_key("more"));
    // Processes: whose turn it is.
    let found = traces(&model("mutex.smv"), &[]);
    assert!(found.iter().all(|trace| trace.inputs[0].contains_key("_process_selector_")), "{found:?}");
    assert!(found[0].inputs[0].contains_key("a.running"), "{found:?}");
    let found = traces(&model("lift.smv"), &[]);
    assert!(!found.is_empty());
}

/// The first state of a text is whole, frozen variables first; later ones tell what changes, and inputs stand before.
#[test]
fn text_is_that_of_nusmv() {
    let program = "MODULE main IVAR up : boolean; VAR n : 0..2; FROZENVAR f : {one}; DEFINE d := n = 2;
        ASSIGN init(n) := 0; next(n) := up & n < 2 ? n + 1 : n; INVARSPEC n < 2; LTLSPEC F n = 1";
    let (_folder, path) = written(program);
    let ask = |form: &str| {
        run(starset().arg("check").arg(&path).args(["--trace", form, "--threads", "1", "--engine", "symbolic"])).0
    };
    let expected = "\
1: false
-- invariant n < 2  is false
-- as demonstrated by the following execution sequence
Trace Description: AG alpha Counterexample
Trace Type: Counterexample
  -> State: 1.1 <-
    f = one
    n = 0
    d = FALSE
  -> Input: 1.2 <-
    up = TRUE
  -> State: 1.2 <-
    n = 1
  -> Input: 1.3 <-
  -> State: 1.3 <-
    n = 2
    d = TRUE
2: false
-- specification F n = 1  is false
-- as demonstrated by the following execution sequence
Trace Description: LTL Counterexample
Trace Type: Counterexample
  -- Loop starts here
  -> State: 2.1 <-
    f = one
    n = 0
    d = FALSE
  -> Input: 2.2 <-
    up = FALSE
  -> State: 2.2 <-
";
    assert_eq!(ask("nusmv"), expected);
    let xml = ask("xml");
    let (_, first) = xml.split_once("<?xml").unwrap();
    let (first, _) = first.split_once("2: false").unwrap();
    let values = |n: &str, d: &str| {
        let value = |name: &str, value: &str| format!("\t\t\t<value variable=\"{name}\">{value}</value>\n");
        value("f", "one") + &value("n", n) + &value("d", d)
    };
    let mut expected = " version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <counter-example type=\"0\" id=\"1\" desc=\"AG alpha Counterexample\" >\n"
        .to_owned();
    for (at, n, d) in [(1, "0", "FALSE"), (2, "1", "FALSE"), (3, "2", "TRUE")] {
        expected += &format!("\t<node>\n\t\t<state id=\"{at}\">\n{}\t\t</state>\n", values(n, d));
        if at < 3 {
            let input = "\t\t\t<value variable=\"up\">TRUE</value>\n";
            expected += &format!("\t\t<input id=\"{}\">\n{input}\t\t</input>\n", at + 1);
        }
        expected += "\t</node>\n";
    }
    expected += "\t<loops> </loops>\n</counter-example>\n";
    assert_eq!(first, expected);
}

/// Witnesses tell the inputs of steps, and the variables that remember steps in none of their forms.
#[test]
fn latches_are_hidden() {
    let (_folder, path) = written(ALL);
    let dot = path.with_extension("dot");
    let page = path.with_extension("html");
    let mut command = starset();
    command.arg("check").arg(&path).args(["--witness", "--threads", "1", "--engine", "symbolic"]);
    command.arg("--witness-dot").arg(&dot).arg("--report").arg(&page);
    let (out, err, status) = run(&mut command);
    assert!(status == 0 && !out.contains("step: ") && out.contains("main (go = TRUE"), "{out}{err}");
    let (out, err, status) = run(command.arg("--json"));
    assert!(status == 0 && !out.contains("step: ") && out.contains("\"inputs\":[{"), "{out}{err}");
    let first: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    let source = first["witness"]["runs"][0]["sources"][0]["k"].as_str().unwrap();
    assert!(source.contains("program.smv:12: init(k)"), "{source}");
    for file in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "smv" && extension != "html") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("step: "), "{}", path.display());
        }
    }
}

/// The same seed gives the same run, another one another, and each is a run.
#[test]
fn simulated_runs_are_runs() {
    let (_folder, path) = written(ALL);
    let simulate = |path: &Path, more: &[&str]| {
        let (out, err, status) = run(starset().arg("simulate").arg(path).args(more));
        assert_eq!(status, 0, "{err}");
        out
    };
    for path in [path, model("lift.smv"), model("mutex.smv")] {
        let program = program(&path);
        let mut seen = std::collections::BTreeSet::new();
        for seed in ["1", "2", "3"] {
            let arguments = ["--steps", "12", "--seed", seed, "--trace", "nusmv"];
            let out = simulate(&path, &arguments);
            assert_eq!(out, simulate(&path, &arguments));
            assert!(out.starts_with("Trace Description: Simulation Trace\nTrace Type: Simulation\n"), "{out}");
            let trace = in_text(&out).pop().unwrap();
            assert_eq!(trace.states.len(), 13);
            replay(&program, &trace);
            let xml = in_xml(&simulate(&path, &["--steps", "12", "--seed", seed, "--trace", "xml"])).pop().unwrap();
            assert_eq!(xml.inputs, trace.inputs);
            replay(&program, &xml);
            seen.insert(out);
        }
        assert!(seen.len() > 1);
    }
    // Other kinds of models; a run ends where nothing is possible.
    let out = simulate(&model("philo-5.pnml"), &["--steps", "3", "--seed", "5"]);
    assert!(out.starts_with("  0  Fork_0 Think_0") && out.lines().count() == 4, "{out}");
    let out = simulate(&model("philo-5.pnml"), &["--steps", "1000", "--seed", "5"]);
    assert!(out.ends_with("-- deadlock: the path ends\n") && out.lines().count() < 1000, "{out}");
    let out = simulate(&model("philo-5.pnml"), &["--steps", "3", "--trace", "nusmv"]);
    assert!(out.contains("  -> Input: 1.2 <-\n    transition = "), "{out}");
}

/// Where initial states are too many to be listed, a witness begins in one that sets have found.
#[test]
fn witnesses_of_many_initial_states() {
    let bits: String = (0..14).map(|at| format!("b{at} : boolean; ")).collect();
    let text = format!(
        "MODULE main VAR {bits} ASSIGN next(b0) := b1; CTLSPEC b0 -> AX b0 LTLSPEC b3 -> X b3 CTLSPEC AF b0 \
        LTLSPEC b2 | b1 | b0 INVARSPEC b13 | b12"
    );
    let (_folder, path) = written(&text);
    let found = traces(&path, &[]);
    assert_eq!(found.len(), 5);
    // Few of them: the one that is shown is where it fails.
    let text = "MODULE main VAR n : 0..9; ASSIGN next(n) := n; CTLSPEC AG n != 7 LTLSPEC G n < 9";
    let (_folder, path) = written(text);
    for engine in ["symbolic", "explicit", "auto"] {
        let (out, err, status) = run(starset().arg("check").arg(&path).args(["--witness", "--engine", engine]));
        assert!(status == 0 && out.contains("0  n = 7") && out.contains("0  n = 9"), "{engine}: {out}{err}");
    }
}
