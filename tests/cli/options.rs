//! Usage, messages, and the commands beside `states`.

use super::{model, run, starset, states_json};
use starset::budget::Budget;
use starset::kinds::Reading;
use starset::kinds::net::families::FAMILIES;
use starset::order::HEURISTICS;

#[test]
fn usage_errors_have_status_2() {
    for arguments in [
        &[] as &[&str],
        &["states"],
        &["states", "a", "b"],
        &["frobnicate"],
        &["states", "--frobnicate", "a"],
        &["states", "a", "--time", "soon"],
        &["states", "a", "--memory", "8X"],
        &["states", "a", "--memory", "1k"],
        &["batch", "a", "--memory", "1k"],
        &["states", "a", "--threads", "0"],
        &["states", "a", "--search", "random"],
        &["states", "a", "-q", "-v"],
        &["generate", "frobs", "3"],
        &["generate", "kanban", "-3"],
        &["generate", "slot", "1"],
        &["completions", "ed"],
    ] {
        let (out, err, status) = run(starset().args(arguments));
        assert_eq!((out.as_str(), status), ("", 2), "{arguments:?}");
        assert!(!err.is_empty(), "{arguments:?}");
    }
}

/// What a newcomer may try first is answered with what to do.
#[test]
fn slips_are_answered_with_a_remedy() {
    let model = model("philo-5.pnml");
    let (_, err, status) = run(starset().arg(&model));
    assert!(status == 2 && err.contains(&format!("try `starset states {}`", model.display())), "{err}");
    let (_, err, status) = run(starset().arg("batch").arg(&model).args(["--results", "/nonexistent/results"]));
    assert!(status == 2 && err.contains("this is XML, not a list; give the folder"), "{err}");
    let (_, err, status) = run(starset().arg("mcc").arg(&model).args(["--examination", "UpperBounds"]));
    assert!(status == 2 && err.contains("give the folder with that and model.pnml"), "{err}");
    let (_, err, status) = run(starset().arg("check").arg(&model).arg("AG !deadlock"));
    assert!(status == 2 && err.contains("AG !deadlock: there is no such file; a formula is given with -f"), "{err}");
    let (_, err, status) = run(starset().arg("check").arg(&model).args(["-f", "EF deadlock", "AG !deadlock"]));
    assert!(
        status == 2 && err.contains("AG !deadlock: there is no such file; a formula is given with -f, in quotes"),
        "{err}"
    );
    let (_, err, status) = run(starset().arg("states").arg(model.with_extension("")));
    assert!(status == 2 && err.contains(&format!("give `{}`, which there is", model.display())), "{err}");
    let (_, err, status) = run(starset().arg("states").arg(model.parent().unwrap()));
    assert!(status == 2 && err.contains("the folder holds no model.pnml"), "{err}");
    let (_, err, status) = run(starset().args(["states", "--memory", "1k"]).arg(&model));
    assert!(status == 2 && err.contains("write 1M or more"), "{err}");
}

/// The short help of `check` is one screen with its options in groups, also where lines have 80 columns.
#[test]
fn short_help_is_one_screen() {
    for columns in ["80", "100"] {
        let (out, _, status) = run(starset().args(["check", "-h"]).env("COLUMNS", columns));
        assert_eq!(status, 0);
        for group in ["Formulas:", "Engine:", "Results:", "Limits:", "Examples:"] {
            assert!(out.lines().any(|line| line == group), "{group}\n{out}");
        }
        assert!(out.lines().count() <= 50, "{columns} columns: {} lines\n{out}", out.lines().count());
    }
    let (long, _, _) = run(starset().args(["check", "--help"]));
    assert!(long.contains("--from") && long.contains("--reproducers"), "{long}");
}

#[test]
fn bad_input_is_one_line_with_its_place() {
    let bad = "<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\n\
        <place id=\"p\"/>\n<place id=\"p\"/></page></net></pnml>";
    let (out, err, status) = run(starset().args(["states", "-"]).write_stdin(bad));
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.starts_with("starset: <stdin>:4:") && err.contains("make identifiers unique"), "{err}");
    assert_eq!(err.lines().count(), 1);
    let (_, err, status) = run(starset().args(["info", "/nonexistent.pnml"]));
    assert_eq!(status, 2);
    assert!(err.starts_with("starset: /nonexistent.pnml: cannot open"), "{err}");
}

#[test]
fn help_and_version() {
    let (out, _, status) = run(starset().arg("--help"));
    assert!(status == 0 && out.contains("Exit status") && out.contains("states"), "{out}");
    let (out, _, status) = run(starset().arg("--version"));
    assert_eq!((out.as_str(), status), (concat!("starset ", env!("CARGO_PKG_VERSION"), "\n"), 0));
}

#[test]
fn the_picture_of_a_diagram() {
    let folder = tempfile::tempdir().unwrap();
    let dot = folder.path().join("set.dot");
    let (object, status) = states_json(&model("kanban-3.pnml"), &["--dot", dot.to_str().unwrap()]);
    let text = std::fs::read_to_string(&dot).unwrap();
    let levels: Vec<_> = text.lines().filter(|line| line.contains("rank=same")).collect();
    let nodes: usize = levels.iter().map(|level| level.matches("; n").count()).sum();
    assert_eq!((status, levels.len(), Some(nodes as u64)), (0, 16, object["nodes"].as_u64()));
    std::fs::remove_file(&dot).unwrap();
    let (_folder, big) = super::generate("philo", 300);
    let (_, err, status) = run(starset().arg("states").arg(&big).arg("--dot").arg(&dot));
    assert!(status == 0 && err.contains("at most 5000 are drawn") && !dot.exists(), "{err}");
}

#[test]
fn pictures() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, dot) = (folder.path().join("net.svg"), folder.path().join("net.dot"));
    let (_, err, status) = run(starset().arg("info").arg(model("philo-5.pnml")).arg("--svg").arg(&svg));
    assert_eq!((err.as_str(), status), ("", 0));
    let text = std::fs::read_to_string(&svg).unwrap();
    assert_eq!(text.matches("<circle class=\"p\"").count(), 25);
    assert_eq!(text.matches("<rect class=\"t\"").count(), 25);
    let mut command = starset();
    command.arg("info").arg(model("philo-5.pnml")).arg("--dot").arg(&dot).args(["--draw", "10"]);
    let (_, err, status) = run(&mut command);
    assert_eq!(status, 0);
    assert!(err.contains("10 of 50 places and transitions"), "{err}");
    assert_eq!(std::fs::read_to_string(&dot).unwrap().matches("[shape=").count(), 10);
    let (_, err, status) = run(starset().arg("info").arg(model("philo-5.pnml")).args(["--svg", "/nonexistent/a.svg"]));
    assert!(status == 2 && err.contains("cannot save to /nonexistent/a.svg"), "{err}");
    // Of a network, its components; each edge is there.
    let (_, err, status) = run(starset().arg("info").arg(model("pipe.dot")).arg("--dot").arg(&dot));
    assert_eq!((err.as_str(), status), ("", 0));
    let text = std::fs::read_to_string(&dot).unwrap();
    let network = starset::kinds::network::read_dot(&text, "net.dot").unwrap();
    assert_eq!((network.components().len(), text.matches("subgraph").count()), (2, 2));
    let (_, err, status) = run(starset().arg("info").arg(model("pipe.dot")).arg("--svg").arg(&svg));
    assert_eq!((err.as_str(), status), ("", 0));
    let text = std::fs::read_to_string(&svg).unwrap();
    assert_eq!((text.matches("<circle class=\"p\"").count(), text.matches("<rect class=\"t\"").count()), (5, 5));
}

/// Each option in the help of a command is used by some test of this folder.
#[test]
fn every_option_is_tested() {
    let tests = [
        include_str!("../clocks/commands.rs"),
        include_str!("../formats/outside.rs"),
        include_str!("../networks/mod.rs"),
        include_str!("../pins/learned.rs"),
        include_str!("../pins/machines.rs"),
        include_str!("../processes/mod.rs"),
        include_str!("../processes/page.rs"),
        include_str!("../processes/peers.rs"),
        include_str!("../processes/timers.rs"),
        include_str!("../traces/behaviour.rs"),
        include_str!("../traces/program.rs"),
        include_str!("engine.rs"),
        include_str!("hosts.rs"),
        include_str!("limits.rs"),
        include_str!("lts.rs"),
        include_str!("options.rs"),
        include_str!("passes.rs"),
        include_str!("report.rs"),
        include_str!("states.rs"),
        include_str!("terminal.rs"),
    ];
    let tests = tests.concat();
    for command in ["states", "time", "soundness", "replay", "rules", "info", "generate", "completions", "man"] {
        let (help, _, _) = run(starset().args([command, "--help"]));
        let names = help.split_whitespace().filter_map(|word| word.strip_prefix("--"));
        for name in names.map(|n| n.trim_matches(|c: char| !c.is_ascii_alphanumeric())) {
            let used = ["\"--", "--"].iter().any(|dashes| tests.contains(&format!("{dashes}{name}\"")));
            assert!(used, "no test uses --{name} of {command}");
        }
    }
}

#[test]
fn quiet_and_verbose() {
    let (_, err, _) = run(starset().args(["states", "--quiet"]).arg(model("kanban-3.pnml")));
    assert_eq!(err, "");
    for arguments in [["states", "models/order.bpmn"], ["soundness", "models/order.bpmn"]] {
        let (_, err, _) = run(starset().args(arguments));
        assert!(err.contains("may go off at any time"), "{err}");
        let (_, err, _) = run(starset().args(arguments).arg("--quiet"));
        assert_eq!(err, "", "{arguments:?}");
    }
    let (_, err, _) = run(starset().args(["--verbose", "states"]).arg(model("kanban-3.pnml")));
    assert!(err.contains("memory limit ") && err.contains("16 places"), "{err}");
}

#[test]
fn progress() {
    let (_, err, _) = run(starset().args(["states", "-q", "--progress", "json"]).arg(model("kanban-3.pnml")));
    let first: serde_json::Value = serde_json::from_str(err.lines().next().unwrap()).unwrap();
    assert_eq!(first["schema"], "starset/progress/1");
    assert_eq!(first["levels"], 16);
    for mode in ["auto", "never"] {
        let (_, err, _) = run(starset().args(["states", "-q", "--progress", mode]).arg(model("kanban-3.pnml")));
        assert_eq!(err, "", "{mode}");
    }
}

#[test]
fn orders() {
    let (auto, _) = states_json(&model("kanban-3.pnml"), &["--order", "auto", "--seed", "7"]);
    assert_eq!((auto["states"].as_str(), auto["orders_tried"].as_u64()), (Some("58400"), Some(1)));
    for heuristic in HEURISTICS.iter().filter(|h| !h.name.starts_with("nupn")) {
        let (object, status) = states_json(&model("kanban-3.pnml"), &["--order", heuristic.name]);
        assert_eq!(status, 0, "{}", heuristic.name);
        assert_eq!(
            (object["states"].as_str(), object["order"]["name"].as_str()),
            (Some("58400"), Some(heuristic.name))
        );
        assert!(object["order"]["soups"].as_u64().unwrap() > 0);
    }
    let (_, err, status) = run(starset().arg("states").arg(model("kanban-3.pnml")).args(["--order", "nupn"]));
    assert!(status == 2 && err.contains("use --order auto"), "{err}");
    let (_, err, status) = run(starset().arg("states").arg(model("kanban-3.pnml")).args(["--order", "nonsense"]));
    assert!(status == 2 && err.contains("nonsense") && err.contains("sloan"), "{err}");
}

/// The order that a first run found is the first of the second one, and a file that is damaged counts as none.
#[test]
fn orders_are_kept_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = folder.path().join("ring.pnml");
    let (_, err, status) = run(starset().args(["generate", "slot", "14", "-o"]).arg(&file));
    assert_eq!(status, 0, "{err}");
    let found = || states_json(&file, &["--engine", "symbolic", "--cache", cache.to_str().unwrap()]).0;
    let (first, files) = (found(), || std::fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path()));
    let kept: Vec<_> = files().collect();
    assert_eq!(kept.len(), 1);
    let text = std::fs::read_to_string(&kept[0]).unwrap();
    let name = first["order"]["name"].as_str().unwrap();
    assert!(text.contains(name), "{text}");
    std::fs::write(&kept[0], text.replacen(name, "kept", 1)).unwrap();
    let second = found();
    assert_eq!((&second["states"], &second["order"]["name"]), (&first["states"], &"kept".into()));
    let (out, _, _) = run(starset().arg("info").arg(&file).arg("--cache").arg(&cache));
    assert!(out.contains("variable orders        kept (score"), "{out}");
    std::fs::write(&kept[0], "nonsense").unwrap();
    assert_eq!(found()["states"], first["states"]);
    assert!(std::fs::read_to_string(&kept[0]).unwrap().contains(name), "written anew");
    let (_, err, status) = run(starset().arg("states").arg(&file).arg("--cache").arg(&file));
    assert!(status == 2 && err.contains("ring.pnml") && err.contains("--cache names a folder"), "{err}");
}

#[test]
fn order_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("order");
    let net = starset::kinds::net::pnml::read_path(&model("kanban-3.pnml")).unwrap();
    let mut lines: Vec<_> = net.places().iter().rev().map(|p| p.id.as_str()).collect();
    std::fs::write(&file, lines.join("\n")).unwrap();
    let (object, _) = states_json(&model("kanban-3.pnml"), &["--order", file.to_str().unwrap()]);
    assert_eq!((object["states"].as_str(), object["order"]["name"].as_str()), (Some("58400"), file.to_str()));
    lines[2] = "nowhere";
    std::fs::write(&file, lines.join("\n")).unwrap();
    let (_, err, status) = run(starset().arg("states").arg(model("kanban-3.pnml")).arg("--order").arg(&file));
    assert!(status == 2 && err.contains("line 3: there is no place `nowhere`"), "{err}");
    // Variables of other models go by their names, too: what questions add has none.
    for (name, states) in [("lift.smv", "7"), ("pipe.dot", "6"), ("switch.bnet", "16")] {
        let loaded = starset::kinds::read(&[model(name)], &Reading::default(), &Budget::unlimited()).unwrap().model;
        let names: Vec<&str> = loaded.variable_ids().map(|variable| loaded.variable(variable)).collect();
        std::fs::write(&file, names.iter().rev().copied().collect::<Vec<_>>().join("\n")).unwrap();
        let (object, _) = states_json(&model(name), &["--order", file.to_str().unwrap()]);
        assert_eq!(object["states"], states, "{name}");
        let (out, err, status) =
            run(starset().arg("check").arg(model(name)).args(["-f", "EF deadlock", "--order"]).arg(&file));
        assert!(status == 0 && out.starts_with("1: "), "{name}: {out}{err}");
    }
    let (out, err, status) = run(starset().arg("check").arg(model("lift.smv")).arg("--order").arg(&file));
    assert!(status == 2 && err.contains("there is no variable `"), "{out}{err}");
}

#[test]
fn info() {
    let (out, err, status) = run(starset().arg("info").arg(model("kanban-3.pnml")));
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(out.contains("  bounded                yes, by P-semiflows: at most 3 tokens in a place\n"), "{out}");
    let (out, _, _) = run(starset().args(["info", "--json"]).arg(model("pipeline-2.pnml")));
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["schema"], "starset/info/1");
    assert!(object["bound"].is_null());
    assert!(object["orders"][0]["score"].as_f64().unwrap() > 0.0);
}

#[test]
fn generate() {
    for family in FAMILIES {
        let (out, err, status) = run(starset().args(["generate", family.name, "3"]));
        assert_eq!((err.as_str(), status), ("", 0), "{}", family.name);
        let net = starset::kinds::net::pnml::read(out.as_bytes(), "out").unwrap();
        assert_eq!(net, family.generate(3).unwrap());
    }
    let (out, err, status) = run(starset().arg("generate"));
    assert!(out.is_empty() && status == 2 && FAMILIES.iter().all(|family| err.contains(family.name)), "{err}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.pnml");
    let (out, _, status) = run(starset().args(["generate", "kanban", "3", "--output"]).arg(&path));
    assert_eq!((out.as_str(), status), ("", 0));
    assert_eq!(starset::kinds::net::pnml::read_path(&path).unwrap().place_count(), 16);
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (out, _, status) = run(starset().args(["completions", shell]));
        assert!(status == 0 && out.contains("deadlocks"), "{shell}");
    }
    let (out, _, status) = run(starset().arg("man"));
    assert!(status == 0 && out.contains(".TH starset 1"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    starset().arg("man").arg(&pages).assert().success();
    assert!(std::fs::read_to_string(pages.join("starset-states.1")).unwrap().contains("deadlocks"));
}
