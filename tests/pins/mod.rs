//! Models behind a next-state function: their states against figures of others, and what formulas mean on them.

mod certified;
mod event_b;
mod learned;
mod machines;
#[cfg(feature = "prob")]
mod prob;
mod property;
mod tables;

use crate::shared::shared;
use starset::StopReason;
use starset::budget::Budget;
use starset::explicit::{Attempt, Encoding, Options};
use starset::formula::{PathSemantics, Pool, parse};
use starset::kinds::{Loaded, Reading, read};
use starset::model::{State, Step};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name)
}

fn load(path: &Path) -> Loaded {
    read(&[path.to_owned()], &Reading::default(), &Budget::unlimited()).unwrap()
}

/// States, transitions, deadlocks, and calls of the next-state function.
fn counts(path: &Path) -> [u64; 4] {
    let (loaded, budget) = (load(path), Budget::unlimited());
    let engine = loaded.model.compile(&Encoding::default(), &budget).unwrap();
    let all = engine.explore(&Options::default(), &budget).unwrap();
    let number = |number: u128| u64::try_from(number).unwrap();
    [number(all.states), number(all.transitions), number(all.deadlocks), loaded.model.next_state_calls().unwrap()]
}

/// States, transitions and deadlocks by the firing rule.
fn by_the_rule(loaded: &Loaded) -> [u64; 3] {
    let model = &loaded.model;
    let mut stack = model.initial_states();
    let mut seen: HashSet<State> = stack.iter().cloned().collect();
    let (mut transitions, mut deadlocks) = (0, 0);
    while let Some(state) = stack.pop() {
        let before = transitions;
        for action in model.action_ids() {
            let fire = |choice| model.fire(&state, Step { action, choice });
            let successors: Vec<State> = (0..).map_while(fire).collect();
            assert_eq!(model.enables(&state, action), !successors.is_empty());
            for next in successors {
                let step = model.step(&state, action, &next).unwrap();
                assert_eq!(model.fire(&state, step).as_ref(), Some(&next));
                transitions += 1;
                if seen.insert(next.clone()) {
                    stack.push(next);
                }
            }
        }
        deadlocks += u64::from(transitions == before);
        assert_eq!(model.is_deadlock(&state), transitions == before);
    }
    [seen.len() as u64, transitions, deadlocks]
}

fn holds(loaded: &Loaded, text: &str) -> bool {
    let (mut pool, budget) = (Pool::new(), Budget::unlimited());
    let formula = parse(text, &loaded.symbols, &mut pool).unwrap();
    // What is printed means the same.
    let printed = pool.display(formula, &loaded.symbols).to_string();
    assert_eq!(parse(&printed, &loaded.symbols, &mut pool).unwrap(), formula, "{text} is printed as {printed}");
    let engine = loaded.model.compile(&Encoding::default(), &budget).unwrap();
    let (paths, options) = (PathSemantics::Maximal, Options::default());
    engine.check_ctl(&pool, formula, paths, Attempt(0), &options, &budget).unwrap().holds
}

#[test]
fn shipped_models_have_the_states_of_their_firing_rule() {
    for (name, expected) in [
        ("thermostat.dve", None),
        ("locker.mch", Some([9, 25, 1])),
        ("toggle.etf", Some([5, 4, 1])),
        ("turns.dve", Some([9, 12, 3])),
        ("key.smv", Some([8, 21, 0])),
        ("lift.smv", Some([7, 14, 0])),
        ("mutex.smv", Some([20, 72, 0])),
    ] {
        let [states, transitions, deadlocks, calls] = counts(&model(name));
        let found = [states, transitions, deadlocks];
        assert_eq!(found, by_the_rule(&load(&model(name))), "{name}");
        assert_eq!(found, expected.unwrap_or(found), "{name}");
        assert!(calls > 0);
    }
}

/// Numbers in formulas are those of the model, negative ones too, whatever stands for them in a state.
#[test]
fn formulas_are_about_the_numbers_of_the_model() {
    let check = |name: &str, expectations: &[(&str, bool)]| {
        let loaded = load(&model(name));
        for &(formula, expected) in expectations {
            assert_eq!(holds(&loaded, formula), expected, "{name}: {formula}");
        }
    };
    check(
        "thermostat.dve",
        &[
            ("EF #degrees = 3", true),
            ("EF #degrees = 4", false),
            ("EF #degrees = -2", true),
            ("AG (#degrees >= -2 & -3 < #degrees)", true),
            ("AG #degrees > -2", false),
            ("EF (#degrees * 2 + #starts = -3)", true),
            ("EF tokens(degrees, starts) = 7", true),
            ("EF (Heater = broken & deadlock)", true),
            ("AG (Heater = broken -> #degrees = 3)", true),
        ],
    );
    check(
        "locker.mch",
        &[
            ("EF #coins = -3", true),
            ("EF #coins = 1", false),
            ("AG (mode = closed -> #coins = 0)", true),
            ("AF mode = closed", false),
            ("AG (deadlock -> mode = closed)", true),
        ],
    );
    check("toggle.etf", &[("EF (light = off & #count = 2)", true), ("AG (light = on -> #count > 0)", true)]);
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A model that fails ends the search by name; it is not taken for one that stops.
#[test]
fn errors_of_the_model_end_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "byte x, y = 2; process P { state q; init q; trans q -> q { effect y = y - 1, x = 6 / y; }; } system async;";
    let loaded = load(&written(folder.path(), "divides.dve", text));
    let budget = Budget::unlimited();
    let engine = loaded.model.compile(&Encoding::default(), &budget).unwrap();
    let stop = engine.explore(&Options::default(), &budget).unwrap_err();
    assert_eq!(stop.reason(), "model");
    assert!(matches!(&stop, StopReason::Model(text) if text.ends_with("P.q->q: division by zero")), "{stop}");
    assert!(engine.find_deadlock(&Options::default(), &budget).is_err());
    // In the initial state, too.
    let text = text.replace("y = 2", "y = 1");
    let path = written(folder.path(), "fails.dve", &text);
    let error = read(&[path], &Reading::default(), &budget).unwrap_err().to_string();
    assert!(error.ends_with("P.q->q: division by zero"), "{error}");
}

/// Each small instance of BEEM whose states are known.
#[test]
fn beem_has_its_known_states() {
    let Some(folder) = shared("pins/beem") else { return };
    let table = std::fs::read_to_string(folder.join("instances.csv")).unwrap();
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let Some(states) = fields[3].parse().ok().filter(|&states: &u64| states < 9000) else { continue };
        let found = counts(&folder.join(fields[0]));
        assert_eq!(found[0], states, "states of {}", fields[0]);
        assert_eq!(found[1], fields[4].parse().unwrap_or(found[1]), "transitions of {}", fields[0]);
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn gear_has_the_figures_of_ltsmin() {
    let Some(folder) = shared("pins/etf") else { return };
    let [states, transitions, deadlocks, calls] = counts(&folder.join("gear.1.etf"));
    assert_eq!([states, transitions, deadlocks], [2689, 3567, 16]);
    assert!(calls <= 10_801, "{calls}");
}

/// States, transitions without initialisations, deadlocks, and most calls: the papers' figures (SPEC.md).
#[test]
fn machines_of_the_papers_have_their_figures() {
    let Some(folder) = shared("pins/machines") else { return };
    for (name, figures, most) in [
        ("MutexSimple", [9, 22, 0], 26),
        ("Philosophers", [243, 945, 2], 1221),
        ("SiemensMiniPilot_Abrial_mch_0", [180, 990, 0], 182),
        ("file_system", [697, 5234, 0], 1198),
        ("pkeyprot2", [4411, 62_899, 0], 2004),
    ] {
        let [states, transitions, deadlocks, calls] = counts(&folder.join(format!("{name}.mch")));
        assert_eq!([states, transitions, deadlocks], figures, "{name}");
        assert!(calls <= most, "{name}: {calls} calls, of {most}");
    }
}
