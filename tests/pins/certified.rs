//! Certificates of models whose files the checker does not read: of the tables of their steps, which are written beside.

use super::{by_the_rule, counts, holds, load, model};
use crate::cli::{run, starset};
use crate::shared::shared;
use starset_checker::{Net, check, with_stack};
use std::path::Path;

/// What is certified of a model: the verdicts, each as what the checker says of the files that are written.
fn certified(path: &Path, formulas: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let asked = formulas.iter().flat_map(|formula| ["-f", formula]);
    let (out, err, status) = run(starset().arg("certify").arg(path).arg("--folder").arg(folder.path()).args(asked));
    assert_eq!(status, 0, "{}: {out}{err}", path.display());
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let tables = std::fs::read_to_string(folder.path().join(format!("{stem}.flat.etf"))).unwrap();
    let proved = |number: usize| {
        let certificate = std::fs::read_to_string(folder.path().join(format!("{number}.cert"))).unwrap();
        with_stack(|| check(&tables, &certificate)).unwrap().unwrap().to_string()
    };
    (1..=formulas.len()).map(proved).collect()
}

/// The verdicts that certificates prove are those of the explicit engine; the other verdict is not proved by them.
fn agrees(path: &Path, formulas: &[&str]) {
    let loaded = load(path);
    for (formula, proved) in formulas.iter().zip(certified(path, formulas)) {
        let expected = holds(&loaded, formula);
        assert!(proved.starts_with(&format!("{expected} (maximal paths)")), "{}: {formula}: {proved}", path.display());
    }
}

#[test]
fn shipped_models_are_certified() {
    agrees(&model("thermostat.dve"), &["EF deadlock", "AG EF deadlock", "A F deadlock"]);
    agrees(
        &model("turns.dve"),
        &["AG !(First = busy & Second = busy)", "AG EF First = busy", "A F First = busy", "EF AG turn = 1"],
    );
    agrees(&model("locker.mch"), &["EF deadlock", "AG EF deadlock", "A F deadlock"]);
    agrees(&model("toggle.etf"), &["AG (light = on -> #count > 0)", "EF (light = off & #count = 2)", "A F deadlock"]);
}

#[test]
fn models_of_others_are_certified() {
    let Some(folder) = shared("pins") else { return };
    for (name, states) in [
        ("etf/gear.1.etf", 2_689),
        ("machines/MutexSimple.mch", 9),
        ("machines/Philosophers.mch", 243),
        ("machines/SiemensMiniPilot_Abrial_mch_0.mch", 180),
        ("beem/bakery/bakery.2.dve", 1_146),
    ] {
        let path = folder.join(name);
        assert_eq!(counts(&path)[0], states);
        agrees(&path, &["EF deadlock", "AG EF deadlock", "AG !deadlock", "A F deadlock"]);
    }
}

/// A deadlock of a net with clocks is that nothing else comes, whatever time passes.
#[test]
fn nets_with_clocks_are_certified() {
    let formulas = ["EF deadlock", "A F deadlock", "EF enabled(pay)"];
    assert_eq!(
        certified(&model("claim.pnwc"), &formulas).iter().map(|proved| proved.starts_with("true")).collect::<Vec<_>>(),
        [true, true, true]
    );
    let Some(folder) = shared("clocks") else { return };
    // Both processes are in the critical section in the broken net alone.
    for (name, safe) in [("fischer2_k2.pnml", true), ("fischer2_k2_broken.pnwc", false)] {
        let proved = certified(&folder.join("nets").join(name), &["AG !deadlock", "AG (cs1 = 0 | cs2 = 0)"]);
        assert!(proved[1].starts_with(&safe.to_string()), "{name}: {proved:?}");
    }
}

/// The tables have the states and steps of the model.
#[test]
fn tables_for_the_checker_have_the_same_steps() {
    for name in ["thermostat.dve", "turns.dve", "locker.mch", "toggle.etf"] {
        let loaded = load(&model(name));
        let budget = starset::budget::Budget::unlimited();
        let text = starset::kinds::write_tables(&*loaded.model, 10_000, &budget).unwrap();
        let net = with_stack(|| Net::read(&text)).unwrap().unwrap();
        let (mut states, mut at, mut steps) = (vec![net.initial()], 0, 0);
        while at < states.len() {
            for step in &net.steps {
                let Some(next) = net.fire(step, &states[at]) else { continue };
                steps += 1;
                if !states.contains(&next) {
                    states.push(next);
                }
            }
            at += 1;
        }
        let expected = by_the_rule(&loaded);
        assert_eq!([states.len() as u64, steps], expected[..2], "{name}");
        // Values are the numbers that they have in the model.
        let reached: std::collections::HashSet<Vec<u64>> = states.into_iter().collect();
        assert!(reached.contains(loaded.model.initial().as_slice()));
        for action in loaded.model.action_ids() {
            let next = loaded.model.fire(&loaded.model.initial(), action.into());
            assert!(next.is_none_or(|next| reached.contains(next.as_slice())), "{name}");
        }
    }
}
