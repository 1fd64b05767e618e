//! `starset states` where the answer is known.

use super::{generate, model, run, starset, states_json};
use starset::budget::Budget;
use starset::mdd::SavedSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn text() {
    let (out, err, status) = run(starset().arg("states").arg(model("kanban-3.pnml")));
    let expected = "\
Kanban-PT-00003: 16 places, 16 transitions, 40 arcs
  states                 58400
  transitions            446400
  max tokens in place    3
  max tokens per marking 12
";
    assert_eq!((out.as_str(), status), (expected, 0));
    assert!(err.starts_with("saturation in ") && err.lines().count() == 1, "{err}");
}

/// A net without places has one state; its transitions can always fire.
#[test]
fn nets_without_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.pnml");
    for (kind, transitions, dead) in [("ptnet", "<transition id='t'/><transition id='u'/>", 0), ("symmetricnet", "", 1)]
    {
        let page = format!("<page id='g'>{transitions}</page>");
        let kind = format!("http://www.pnml.org/version-2009/grammar/{kind}");
        fs::write(&path, format!("<pnml><net id='n' type='{kind}'>{page}</net></pnml>")).unwrap();
        for engine in ["auto", "symbolic", "explicit"] {
            let (object, status) = states_json(&path, &["--deadlocks", "--engine", engine]);
            let count = transitions.matches("id").count().to_string();
            assert_eq!((&object["states"], &object["transitions"]), (&"1".into(), &count.into()), "{engine}");
            assert_eq!((&object["deadlocks"], status), (&dead.to_string().into(), 0), "{engine}");
        }
        let formulas = ["-f", "EF deadlock", "-f", "A F G deadlock", "-f", "!deadlock"];
        let (out, err, status) = run(starset().arg("cross").arg(&path).args(formulas));
        assert_eq!(status, 0, "{out}{err}");
        let (out, err, status) = run(starset().arg("info").arg(&path));
        assert!(out.contains("yes, by P-semiflows") && status == 0, "{out}{err}");
    }
}

#[test]
fn json() {
    let (object, status) = states_json(&model("kanban-3.pnml"), &[]);
    assert_eq!(status, 0);
    for (field, value) in [
        ("schema", "starset/states/1"),
        ("model", "Kanban-PT-00003"),
        ("states", "58400"),
        ("transitions", "446400"),
        ("max_tokens_in_place", "3"),
        ("max_tokens_per_marking", "12"),
        ("engine", "symbolic"),
        ("search", "saturation"),
    ] {
        assert_eq!(object[field], value, "{field}");
    }
    assert_eq!(object["net"]["places"], 16);
    assert!(object["reason"].is_null() && object["message"].is_null());
    assert!(object["seconds"].as_f64().unwrap() > 0.0);
    for field in ["nodes", "peak_nodes"] {
        assert!(object[field].as_u64().unwrap() >= 16, "{field}");
    }
    assert!(object.get("deadlocks").is_none() && object.get("bounds").is_none());
}

/// The fields are those that docs/json.md describes.
#[test]
fn json_is_documented() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("set");
    let all = ["--deadlocks", "--bounds", "--list", "1", "--save", save.to_str().unwrap()];
    let (symbolic, _) = states_json(&model("philo-5.pnml"), &all);
    let (explicit, _) = states_json(&model("philo-5.pnml"), &["--engine", "explicit"]);
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.md")).unwrap();
    let (_, section) = text.split_once("## `starset/states/1`").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let documented = |line: &str| line.strip_prefix("| `").and_then(|l| l.split_once('`')).map(|(f, _)| f.to_owned());
    let mut documented: Vec<_> = section.lines().filter_map(documented).collect();
    let [integer, dense] =
        ["integer", "dense"].map(|time| states_json(&model("claim.pnwc"), &["--time-model", time]).0);
    let (on_disk, _) = states_json(&model("philo-5.pnml"), &["--disk", folder.path().join("disk").to_str().unwrap()]);
    let objects = [symbolic, explicit, integer, dense, on_disk];
    let fields = objects.map(|object| object.as_object().unwrap().keys().cloned().collect::<Vec<_>>());
    // The sizes of a model are under what such a model is called.
    let of_all = |key: &String| *key != "schema" && *key != "clocknet";
    let mut found: Vec<_> = fields.concat().into_iter().filter(of_all).collect();
    let (machine, _) = states_json(&model("locker.mch"), &[]);
    found.extend(machine.as_object().unwrap().keys().find(|key| *key == "next_state_calls").cloned());
    let (_folder, endless) = generate("kanban", 200);
    let (stopped, _) = states_json(&endless, &["--engine", "explicit", "--time", "0.5"]);
    found.extend(stopped.as_object().unwrap().keys().find(|key| *key == "states_at_least").cloned());
    // With the feature of that name; `hosts` looks at it.
    found.push("distributed".to_owned());
    documented.sort();
    found.sort();
    found.dedup();
    assert_eq!(found, documented);
}

/// Initialisations are counted, and both engines ask a machine as often.
#[test]
fn machines_are_counted_alike() {
    let counted = ["symbolic", "explicit"].map(|engine| {
        let (object, status) = states_json(&model("locker.mch"), &["--check-rows", "--engine", engine]);
        assert_eq!((status, object["states"].as_str(), object["transitions"].as_str()), (0, Some("9"), Some("26")));
        object["next_state_calls"].as_u64().unwrap()
    });
    assert!(counted[0] == counted[1] && counted[0] > 0, "{counted:?}");
}

#[test]
fn contest_lines() {
    // One engine: which of several ways answers first is chance.
    let alone = ["--engine", "symbolic"];
    let (out, _, status) = run(starset().args(["states", "--format", "mcc"]).args(alone).arg(model("philo-5.pnml")));
    let (contest, ..) =
        run(starset().args(["mcc", "--examination", "StateSpace"]).args(alone).arg(model("philo-5.pnml")));
    assert_eq!(out, contest, "the lines are those of the contest's own command");
    let expected = "\
STATE_SPACE STATES 243 TECHNIQUES DECISION_DIAGRAMS SEQUENTIAL_PROCESSING TOPOLOGICAL
STATE_SPACE TRANSITIONS 945 TECHNIQUES DECISION_DIAGRAMS SEQUENTIAL_PROCESSING TOPOLOGICAL
STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES DECISION_DIAGRAMS SEQUENTIAL_PROCESSING TOPOLOGICAL
STATE_SPACE MAX_TOKEN_PER_MARKING 10 TECHNIQUES DECISION_DIAGRAMS SEQUENTIAL_PROCESSING TOPOLOGICAL
";
    assert_eq!((out.as_str(), status), (expected, 0));
}

/// Two deadlocks: all hold their left fork, or all their right one. Which one is shown does not depend on the
/// search.
#[test]
fn deadlocks() {
    let mut shown = Vec::new();
    for search in ["saturation", "bfs", "chaining"] {
        let (object, _) = states_json(&model("philo-5.pnml"), &["--deadlocks", "--search", search]);
        assert_eq!(object["deadlocks"], "2", "{search}");
        let marking = object["deadlock"].as_object().unwrap().clone();
        assert_eq!(marking.len(), 5);
        assert!(["Catch1", "Catch2"].iter().any(|p| (0..5).all(|i| marking[&format!("{p}_{i}")] == "1")));
        shown.push(marking);
    }
    assert!(shown.iter().all(|marking| *marking == shown[0]));
    let (out, _, _) = run(starset().arg("states").arg(model("philo-5.pnml")).arg("--deadlocks"));
    assert!(out.contains("\n  deadlocks              2\n  a deadlock             Catch"), "{out}");
    let (object, _) = states_json(&model("kanban-3.pnml"), &["--deadlocks"]);
    assert!(object["deadlocks"] == "0" && object["deadlock"].is_null());
}

#[test]
fn bounds() {
    let (object, _) = states_json(&model("readers-writers-4.pnml"), &["--bounds"]);
    let bounds = object["bounds"].as_object().unwrap();
    let most = bounds.values().map(|n| n.as_str().unwrap().parse::<u64>().unwrap()).max();
    assert_eq!(object["max_tokens_in_place"], most.unwrap().to_string());
    assert_eq!(bounds.len() as u64, object["net"]["places"].as_u64().unwrap());
    let (out, _, _) = run(starset().arg("states").arg(model("kanban-3.pnml")).arg("--bounds"));
    assert_eq!(out.lines().filter(|line| line.ends_with(" 3")).count(), 17, "{out}");
}

#[test]
fn list() {
    let (all, _) = states_json(&model("batches-10.pnml"), &["--list", "1000"]);
    let markings = all["markings"].as_array().unwrap();
    assert_eq!(all["states"], markings.len().to_string());
    let (first, _) = states_json(&model("batches-10.pnml"), &["--list", "3"]);
    assert_eq!(first["markings"].as_array().unwrap(), &markings[..3]);
    let (out, _, _) = run(starset().arg("states").arg(model("batches-10.pnml")).args(["--list", "3"]));
    let (_, listed) = out.split_once("markings\n").unwrap();
    assert_eq!(listed.lines().count(), 3, "{out}");
}

#[test]
fn save() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kanban.set");
    let (object, status) = states_json(&model("kanban-3.pnml"), &["--save", path.to_str().unwrap()]);
    assert_eq!((object["saved"].as_str(), status), (path.to_str(), 0));
    let budget = Budget::unlimited();
    let saved = SavedSet::load(fs::read(&path).unwrap().as_slice(), &budget).unwrap();
    assert_eq!(saved.model, "Kanban-PT-00003");
    assert_eq!(saved.set.count(&budget).unwrap().to_string(), "58400");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A line for each transition and place; what a file of an earlier run has answered is left out.
#[test]
fn transitions_and_places_are_asked_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.jsonl");
    let net = model("philo-5.pnml");
    let (out, err, status) = run(starset().arg("states").arg(&net).args(["--each", "live,fireable", "--json"]));
    assert_eq!((status, out.lines().count()), (0, 50), "{err}");
    let is_live = |line: &str| line.contains("\"property\":\"live\"");
    assert!(out.lines().all(|line| line.contains(if is_live(line) {
        "\"verdict\":false"
    } else {
        "\"verdict\":true"
    })));
    // The last line is cut off.
    let some: Vec<&str> = out.lines().filter(|line| is_live(line)).take(10).collect();
    fs::write(&file, some.join("\n").strip_suffix('}').unwrap()).unwrap();
    let rest = |net: &str, each: &str| {
        let mut command = starset();
        command.arg("states").arg(model(net)).args(["--each", each]).arg("--known").arg(&file);
        run(&mut command)
    };
    let (out, err, status) = rest("philo-5.pnml", "live");
    assert_eq!((status, out.lines().count()), (0, 25 - 9), "{err}");
    assert_eq!(rest("philo-5.pnml", "stable").0.lines().count(), 25);
    let (_, err, status) = rest("phils-5.pnml", "live");
    assert!(status == 2 && err.contains("some.jsonl: line 1 is about the model"), "{err}");
    fs::write(&file, "nothing\n").unwrap();
    let (_, err, status) = rest("philo-5.pnml", "live");
    assert!(status == 2 && err.contains("some.jsonl: line 1: ") && err.contains("give the output of"), "{err}");
    let mcc = |name: &str| run(starset().arg("mcc").arg(&net).args(["--examination", name])).0;
    assert_eq!(mcc("QuasiLivenessAll").matches(" TRUE TECHNIQUES ").count(), 25);
    assert_eq!(mcc("UpperBoundsAll").matches(" 1 TECHNIQUES ").count(), 25);
    let (_, err, status) = run(starset().arg("states").arg(&net).args(["--each", "live", "--engine", "both"]));
    assert!(status == 2 && err.contains("--each asks one engine"), "{err}");
}

/// A symbolic link stays one, and what it points to is written; a pipe that nobody reads ends in an error.
#[cfg(unix)]
#[test]
fn save_through_links_and_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let [link, second, target, pipe] = ["link", "second", "target.set", "pipe"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("link", &second).unwrap();
    std::os::unix::fs::symlink("target.set", &link).unwrap();
    for _ in 0..2 {
        let (object, status) = states_json(&model("kanban-3.pnml"), &["--save", second.to_str().unwrap()]);
        assert_eq!((object["saved"].as_str(), status), (second.to_str(), 0));
        assert!(
            fs::symlink_metadata(&link).unwrap().is_symlink() && fs::symlink_metadata(&second).unwrap().is_symlink()
        );
        assert!(SavedSet::load(fs::read(&target).unwrap().as_slice(), &Budget::unlimited()).is_ok());
    }
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (out, err, status) = run(starset().arg("states").arg(model("kanban-3.pnml")).arg("--save").arg(&pipe));
    assert!(out.is_empty() && status == 2 && err.contains("nobody reads this pipe"), "{out}{err}");
}

#[test]
fn save_where_it_is_impossible() {
    for path in ["/nonexistent/folder/set", "/"] {
        let (out, err, status) = run(starset().arg("states").arg(model("kanban-3.pnml")).args(["--save", path]));
        assert_eq!((out.as_str(), status), ("", 2));
        assert!(err.starts_with(&format!("starset: cannot save to {path}: ")) && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn standard_input_and_folders() {
    let net = fs::read(model("kanban-3.pnml")).unwrap();
    let (out, _, status) = run(starset().args(["states", "-"]).write_stdin(net));
    assert!(status == 0 && out.contains("58400"));
    let (folder, _) = generate("kanban", 3);
    let (object, status) = states_json(folder.path(), &[]);
    assert!(status == 0 && object["states"] == "58400");
}

/// Large numbers are abbreviated in text only.
#[test]
fn large_counts() {
    let (_folder, path) = generate("philo", 200);
    let (out, _, _) = run(starset().arg("states").arg(&path));
    assert!(out.contains("  states                 2.656e95  (96 digits, all with --json)\n"), "{out}");
    let (object, _) = states_json(&path, &[]);
    let expected = num_bigint::BigUint::from(3u32).pow(200).to_string();
    assert_eq!(object["states"], expected);
}

/// The figures that `--disk` must have as well.
const FIGURES: [&str; 6] =
    ["states", "transitions", "deadlocks", "bounds", "max_tokens_in_place", "max_tokens_per_marking"];

#[test]
fn states_on_disk_are_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["kanban-3.pnml", "philo-5.pnml", "turns.dve", "switch.bnet", "buffer.counters", "order.bpmn"] {
        let disk = folder.path().join(name);
        let disk = disk.to_str().unwrap();
        let arguments = ["--deadlocks", "--bounds", "--engine", "explicit"];
        let (memory, _) = states_json(&model(name), &arguments);
        let (object, status) = states_json(&model(name), &[&arguments[..], &["--disk", disk]].concat());
        assert_eq!(status, 0, "{name}");
        for figure in FIGURES {
            assert_eq!(object[figure], memory[figure], "{name}: {figure}");
        }
        assert_eq!(object["deadlock"].is_null(), memory["deadlock"].is_null(), "{name}");
        assert_eq!((&object["engine"], &object["search"]), (&"explicit".into(), &"bfs".into()), "{name}");
        assert_eq!(object["disk"]["folder"], disk);
        // What has been explored is not explored again.
        let (again, _) = states_json(&model(name), &["--disk", disk]);
        assert_eq!((&again["states"], &again["disk"]["resumed"]), (&memory["states"], &object["disk"]["levels"]));
    }
}

#[test]
fn exploration_on_disk_goes_on_after_its_quota() {
    let (_kept, net) = generate("kanban", 4);
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("states");
    let disk = disk.to_str().unwrap();
    let mut stopped = Vec::new();
    for quota in ["2K", "16K", "48K"] {
        let with_quota = format!("{disk}:{quota}");
        let (object, status) = states_json(&net, &["--disk", &with_quota]);
        assert_eq!((&object["reason"], status), (&"disk".into(), 3), "{quota}");
        assert!(object["states"].is_null() && object["message"].as_str().unwrap().contains("is used up"));
        let least: u64 = object["states_at_least"].as_str().unwrap().parse().unwrap();
        stopped.push((object["disk"]["levels"].as_u64().unwrap(), least));
    }
    assert!(stopped.is_sorted() && stopped[2].0 > stopped[0].0 && stopped[2].1 < 454_475, "{stopped:?}");
    let (out, err, status) = run(starset().arg("states").arg(&net).args(["--disk", disk]));
    assert!(out.contains("  states                 454475\n") && status == 0, "{out}{err}");
    assert!(err.contains(&format!(", from level {} on, at most ", stopped[2].0)), "{err}");
}

/// SIGKILL at any time, twice at least: what is written is enough, and what is not is no harm.
#[test]
fn exploration_on_disk_goes_on_after_a_kill() {
    let (_kept, net) = generate("kanban", 4);
    let folder = tempfile::tempdir().unwrap();
    let mut killed = 0;
    for millis in (10..).step_by(40) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("starset"));
        command.arg("states").arg(&net).args(["--json", "--disk"]).arg(folder.path()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(millis));
        let has_ended = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        if has_ended {
            break;
        }
        killed += 1;
    }
    let (object, status) = states_json(&net, &["--deadlocks", "--disk", folder.path().to_str().unwrap()]);
    assert_eq!((&object["states"], &object["transitions"]), (&"454475".into(), &"3979850".into()));
    assert_eq!((&object["deadlocks"], status), (&"0".into(), 0));
    assert!(killed > 1, "{killed}");
}

/// A machine is known by the files of those that it uses, too.
#[test]
fn exploration_on_disk_notices_another_file_of_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let (main, used, disk) =
        (folder.path().join("main.mch"), folder.path().join("used.mch"), folder.path().join("disk"));
    let machine = |most: u32| {
        format!(
            "MACHINE used VARIABLES n INVARIANT n : 0..9 INITIALISATION n := 0 OPERATIONS inc = PRE n < {most} THEN n := n + 1 END END"
        )
    };
    fs::write(&main, "MACHINE main INCLUDES used PROMOTES inc END").unwrap();
    fs::write(&used, machine(3)).unwrap();
    let explore = || run(starset().arg("states").arg(&main).arg("--quiet").arg("--disk").arg(&disk));
    for _ in 0..2 {
        let (out, err, status) = explore();
        assert!(out.contains("  states                 4\n") && status == 0, "{out}{err}");
    }
    fs::write(&used, machine(5)).unwrap();
    let (_, err, status) = explore();
    assert!(status == 2 && err.contains("another model was explored in it"), "{err}");
    // A project of Event-B is a folder.
    let disk = folder.path().join("bridge");
    let (out, err, status) = run(starset().args(["states", "models/bridge", "--quiet", "--disk"]).arg(&disk));
    assert!(out.contains("  states                 20\n") && status == 0, "{out}{err}");
}

#[test]
fn exploration_on_disk_refuses_what_it_cannot_do() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().to_str().unwrap();
    let refused = |arguments: &[&str], why: &str| {
        let (out, err, status) = run(starset().arg("states").args(arguments));
        assert!(err.contains(why) && status == 2 && out.is_empty(), "{arguments:?}: {status} {err}");
    };
    let (philo, kanban) = (model("philo-5.pnml"), model("kanban-3.pnml"));
    let (philo, kanban) = (philo.to_str().unwrap(), kanban.to_str().unwrap());
    refused(&[philo, "--disk", disk, "--engine", "symbolic"], "--engine explicit");
    refused(&[philo, "--disk", disk, "--list", "3"], "cannot be used with");
    refused(&["-", "--disk", disk], "needs a model in a file");
    refused(&[philo, "--disk", "states:1Z"], "write a size");
    refused(&[philo, "--disk", philo], "philo-5.pnml");
    assert_eq!(states_json(model("philo-5.pnml").as_path(), &["--disk", disk]).1, 0);
    refused(&[kanban, "--disk", disk], "another model was explored in it, or with other options; give an empty folder");
    refused(&[philo, "--disk", disk, "--labels", "id"], "with other options");
    fs::write(folder.path().join("manifest"), "states-on-disk/2 00000000\n{}\n").unwrap();
    refused(&[philo, "--disk", disk], "manifest: damaged: it is not as it was written");
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("run-1"), "of something else").unwrap();
    refused(&[philo, "--disk", other.path().to_str().unwrap()], "`run-1` of something else");
    assert!(other.path().join("run-1").exists());
    fs::write(folder.path().join("thesis.tex"), "").unwrap();
    refused(&[philo, "--disk", disk], "`thesis.tex` of something else");
}

/// The value of a clock is cut off where it makes no difference any more: that is no bound.
#[test]
fn clocks_have_no_bound() {
    let (out, err, status) = run(starset().arg("states").arg(model("claim.pnwc")).args(["--each", "bound"]));
    assert_eq!(status, 0, "{err}");
    let names: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("bound ")?.split(':').next()).collect();
    assert_eq!(names, ["filed", "review", "survey", "accepted", "refused", "report", "reminded", "closed"]);
}

/// Search state by state decides liveness, too.
#[test]
fn liveness_state_by_state() {
    for (name, live) in [("kanban-3", "TRUE"), ("philo-5", "FALSE")] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(model(&format!("{name}.pnml")), folder.path().join("model.pnml")).unwrap();
        let asked = ["--examination", "Liveness", "--engine", "explicit"];
        let (out, err, status) = run(starset().arg("mcc").arg(folder.path()).args(asked));
        assert!(status == 0 && out.contains(&format!("FORMULA Liveness {live} ")), "{name}: {out}{err}");
    }
}

/// All transitions of a net that has none are live, by whatever way: a deadlock says nothing.
#[test]
fn without_transitions_all_are_live() {
    let place = r#"<place id="p"><initialMarking><text>1</text></initialMarking></place>"#;
    for inside in [place, ""] {
        let folder = tempfile::tempdir().unwrap();
        let kind = r#"<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">"#;
        let text = format!(
            r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">{kind}{inside}</page></net></pnml>"#
        );
        std::fs::write(folder.path().join("model.pnml"), text).unwrap();
        let ways = [
            ["--engine", "auto"],
            ["--engine", "symbolic"],
            ["--engine", "explicit"],
            ["--without", "structure"],
            ["--without", "structure,diagrams,walks"],
        ];
        for way in ways {
            let mut command = starset();
            command.arg("mcc").arg(folder.path()).args(["--examination", "Liveness"]).args(way);
            let (out, err, status) = run(&mut command);
            assert!(status == 0 && out.contains("FORMULA Liveness TRUE "), "{way:?}: {out}{err}");
        }
    }
}
