//! Models of every kind as tables of transitions (ETF), and back: the same states, transitions and deadlocks.

use super::{by_the_rule, load, model, written};
use crate::shared::shared;
use starset::budget::Budget;
use starset::kinds::{Reading, WriteError, Writing, read, write};
use starset::model::{LabelId, State, TransitionSystem};
use std::path::{Path, PathBuf};

fn tables(path: &Path, most: usize) -> Result<String, WriteError> {
    let (budget, mut text) = (Budget::unlimited(), Vec::new());
    let loaded = read(&[path.to_owned()], &Reading::default(), &budget).unwrap();
    write(&*loaded.model, "etf", &Writing { most, ..Writing::default() }, &budget, &mut text)?;
    Ok(String::from_utf8(text).unwrap())
}

fn comes_back(path: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let text = tables(path, 100_000).unwrap();
    let again = written(folder.path(), "again.etf", &text);
    assert_eq!(by_the_rule(&load(&again)), by_the_rule(&load(path)), "{}", path.display());
    // The tables of what was read are these tables.
    let twice = written(folder.path(), "twice.etf", &tables(&again, 100_000).unwrap());
    assert_eq!(by_the_rule(&load(&twice)), by_the_rule(&load(path)), "{}", path.display());
}

#[test]
fn shipped_models_of_all_kinds_come_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut extensions = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(&folder).unwrap().chain(std::fs::read_dir(folder.join("coloured")).unwrap()) {
        let path: PathBuf = entry.unwrap().path();
        // Tables have one initial state.
        let several = ["lift.smv", "mutex.smv", "switch.bnet"];
        let large = ["kanban-3.pnml", "pipeline-2.pnml"].iter().chain(&several).any(|name| path.ends_with(name));
        let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else { continue };
        if !large && !["md", "html", "hoa", "csv", "rules"].contains(&extension) {
            comes_back(&path);
            extensions.insert(extension.to_owned());
        }
    }
    let expected = ["aut", "counters", "dot", "dve", "etf", "mch", "pnml", "pnwc"];
    assert!(expected.iter().all(|extension| extensions.contains(*extension)), "{extensions:?}");
}

#[test]
fn models_of_others_come_back() {
    let Some(folder) = shared("pins") else { return };
    for name in [
        "etf/gear.1.etf",
        "machines/MutexSimple.mch",
        "machines/Philosophers.mch",
        "machines/SiemensMiniPilot_Abrial_mch_0.mch",
        "machines/file_system.mch",
        "beem/bakery/bakery.1.dve",
        "beem/train-gate/train-gate.1.dve",
        "beem/adding/adding.1.dve",
    ] {
        comes_back(&folder.join(name));
    }
}

/// State labels are maps, with the same value in each reachable state.
#[test]
fn labels_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = model("locker.mch");
    let again = load(&written(folder.path(), "again.etf", &tables(&path, 1000).unwrap()));
    let (first, again) = (&load(&path).model, &again.model);
    assert!(first.labels() > 0 && first.labels() == again.labels());
    let shown = |model: &dyn TransitionSystem, state: &State| -> Vec<String> {
        let values = model.variable_ids().zip(state.as_slice());
        values
            .map(|(variable, &value)| model.value(variable, value).map_or(value.to_string(), |v| v.into_owned()))
            .collect()
    };
    let (mut stack, mut seen) = (vec![(first.initial(), again.initial())], std::collections::HashSet::new());
    while let Some((one, other)) = stack.pop() {
        if !seen.insert(one.clone()) {
            continue;
        }
        assert_eq!(shown(&**first, &one), shown(&**again, &other));
        for label in (0..first.labels() as u32).map(LabelId) {
            assert_eq!(first.labelled(&one, label), again.labelled(&other, label), "{}", first.label(label));
        }
        let all = |model: &dyn TransitionSystem, state: &State| -> Vec<State> {
            let steps =
                model.action_ids().flat_map(|action| (0..9).map(move |choice| starset::model::Step { action, choice }));
            let mut all: Vec<State> = steps.filter_map(|step| model.fire(state, step)).collect();
            all.sort_by_key(|state| shown(model, state));
            all
        };
        stack.extend(all(&**first, &one).into_iter().zip(all(&**again, &other)));
    }
    assert_eq!(seen.len(), 9);
}

#[test]
fn what_is_too_large_is_refused() {
    assert!(tables(&model("philo-5.pnml"), 242).unwrap_err().to_string().contains("more than 242 reachable states"));
    assert!(tables(&model("philo-5.pnml"), 243).is_ok());
}
