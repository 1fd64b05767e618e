//! `states` and `check` with `--hosts`: several processes on this machine.

use super::{model, run, starset};

/// Without the feature nobody is asked.
#[test]
#[cfg(not(feature = "distributed"))]
fn without_the_feature_it_is_refused() {
    let (out, err, status) = run(starset().arg("states").arg(model("philo-5.pnml")).args(["--hosts", "hosts"]));
    assert!(err.contains("build it with the feature `distributed`") && status == 2 && out.is_empty(), "{err}");
}

#[test]
fn what_it_cannot_do_is_refused() {
    let refused = |arguments: &[&str], why: &str| {
        let (out, err, status) = run(starset().arg("states").args(arguments));
        assert!(err.contains(why) && status == 2 && out.is_empty(), "{arguments:?}: {status} {err}");
    };
    let philo = model("philo-5.pnml");
    let philo = philo.to_str().unwrap();
    refused(&[philo, "--hosts", "hosts", "--engine", "symbolic"], "--engine explicit");
    refused(&[philo, "--hosts", "hosts", "--disk", "states"], "cannot be used with");
    refused(&[philo, "--process", "1"], "--hosts");
    refused(&["-", "--hosts", "hosts"], "needs a model in a file");
}

#[cfg(feature = "distributed")]
mod distributed {
    use super::super::{generate, model, run, starset, states_json};
    use crate::shared::shared;
    use serde_json::Value;
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};

    /// A list of processes on ports that are free.
    fn hosts(folder: &Path, processes: usize) -> PathBuf {
        let free: Vec<_> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let lines: String = free.iter().map(|at| format!("{}\n", at.local_addr().unwrap())).collect();
        let path = folder.join("hosts");
        std::fs::write(&path, lines).unwrap();
        path
    }

    /// A process on one thread.
    fn start(net: &Path, hosts: &Path, process: usize, arguments: &[&str]) -> Child {
        start_as("states", net, hosts, process, arguments)
    }

    /// The same with some command.
    fn start_as(command: &str, net: &Path, hosts: &Path, process: usize, arguments: &[&str]) -> Child {
        let name = command;
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("starset"));
        command.arg(name).arg(net).args(["--threads", "1", "--time", "120", "--hosts"]).arg(hosts);
        let command = command.args(["--process", &process.to_string()]).args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// What a process has said, and its exit status.
    fn end(child: Child) -> (String, String, i32) {
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code().unwrap())
    }

    /// What so many processes tell of a net.
    fn together(net: &Path, processes: usize) -> Value {
        let folder = tempfile::tempdir().unwrap();
        let hosts = hosts(folder.path(), processes);
        let arguments = ["--deadlocks", "--bounds", "--json"];
        let children: Vec<_> = (0..processes).map(|process| start(net, &hosts, process, &arguments)).collect();
        let mut ended = children.into_iter().map(end);
        let (out, err, status) = ended.next().unwrap();
        assert_eq!(status, 0, "{}: {err}", net.display());
        // Only one of them reports.
        ended.for_each(|(out, err, status)| assert_eq!((&*out, status), ("", 0), "{err}"));
        serde_json::from_str(&out).unwrap()
    }

    const FIGURES: [&str; 6] =
        ["states", "transitions", "deadlocks", "bounds", "max_tokens_in_place", "max_tokens_per_marking"];

    fn compare(net: &Path, processes: usize) {
        let found = together(net, processes);
        let (expected, _) = states_json(net, &["--deadlocks", "--bounds", "--engine", "explicit"]);
        for figure in FIGURES {
            assert_eq!(found[figure], expected[figure], "{}: {figure}", net.display());
        }
        assert_eq!(found["deadlock"].is_null(), expected["deadlock"].is_null(), "{}", net.display());
        assert_eq!((&found["engine"], &found["search"]), (&"explicit".into(), &"bfs".into()));
        let distributed = &found["distributed"];
        assert_eq!((&distributed["processes"], &distributed["threads"]), (&processes.into(), &1.into()));
        assert_eq!(found["states"] != "1", distributed["sent_states"].as_u64().unwrap() > 0, "{}", net.display());
    }

    #[test]
    fn two_and_four_processes_have_the_figures_of_one() {
        for name in ["philo-5.pnml", "kanban-3.pnml", "turns.dve", "buffer.counters", "order.bpmn"] {
            compare(&model(name), 2);
        }
        compare(&model("kanban-3.pnml"), 4);
    }

    #[test]
    fn instances_of_the_contest() {
        let Some(folder) = shared("mcc") else { return };
        for (name, processes) in [
            ("Peterson-PT-2", 2),
            ("TokenRing-PT-005", 4),
            ("Philosophers-PT-000005", 2),
            ("SwimmingPool-PT-01", 4),
            ("Referendum-PT-0010", 2),
            ("HouseConstruction-PT-00002", 4),
            ("ERK-PT-000010", 2),
        ] {
            compare(&folder.join(name).join("model.pnml"), processes);
        }
    }

    /// Whichever process is killed: the others end with its name, and no figure is told as that of all states.
    #[test]
    fn a_process_that_is_killed_ends_the_others() {
        let (_kept, net) = generate("kanban", 7);
        for victim in [1, 0] {
            let folder = tempfile::tempdir().unwrap();
            let list = hosts(folder.path(), 3);
            let mut children: Vec<_> =
                (0..3).map(|process| start(&net, &list, process, &["--json", "--progress", "json"])).collect();
            // They have begun once the first one tells of states.
            let told = BufReader::new(children[0].stderr.take().unwrap());
            let begun = told.lines().find(|line| line.as_ref().unwrap().contains("\"states_at_least\":\""));
            assert!(begun.is_some());
            let name = std::fs::read_to_string(&list).unwrap().lines().nth(victim).unwrap().to_owned();
            let mut killed = children.remove(victim);
            killed.kill().unwrap();
            killed.wait().unwrap();
            for (at, child) in children.into_iter().enumerate() {
                let (out, err, status) = end(child);
                assert_eq!(status, 3, "{err}");
                let gone = format!("process {victim} ({name}) is gone");
                if victim == 1 && at == 0 {
                    let found: Value = serde_json::from_str(&out).unwrap();
                    assert!(found["states"].is_null() && found["transitions"].is_null(), "{out}");
                    assert_eq!(found["reason"], "lost");
                    assert!(found["message"].as_str().unwrap().starts_with(&gone), "{out}");
                    let least: u64 = found["states_at_least"].as_str().unwrap().parse().unwrap();
                    assert!(least > 0 && least < 41_644_800, "{least}");
                } else {
                    assert!(err.contains(&gone) && out.is_empty(), "{out}{err}");
                }
            }
        }
    }

    #[test]
    fn wrong_lists_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("hosts");
        let told = |text: &str, process: &str| {
            std::fs::write(&list, text).unwrap();
            let limits = ["--time", "0.5", "--process", process];
            run(starset().arg("states").arg(model("philo-5.pnml")).arg("--hosts").arg(&list).args(limits))
        };
        let wrong = [
            ("127.0.0.1\n", "0", "hosts:1: `127.0.0.1`: there is no port; write one host:port a line"),
            ("a:1\n\nb:1\na:1\n", "0", "hosts:4: `a:1` is on line 1 already"),
            ("a:1\nb:1\n", "2", "there is no process 2: --hosts lists 2, which count from 0"),
            ("no.such.host.invalid:4000\n", "0", "cannot listen at no.such.host.invalid:4000: "),
            ("", "0", "hosts: it lists no process"),
        ];
        for (text, process, why) in wrong {
            let (out, err, status) = told(text, process);
            assert!(err.contains(why) && status == 2 && out.is_empty(), "{status} {err}");
        }
        // It may be known later, and may come later.
        let own = std::fs::read_to_string(hosts(folder.path(), 1)).unwrap();
        let (_, err, status) = told(&format!("no.such.host.invalid:4000\n{own}"), "1");
        assert!(err.contains("process 0 (no.such.host.invalid:4000) is missing: ") && status == 3, "{status} {err}");
        let (out, err, status) = told(&format!("{own}127.0.0.1:9\n"), "0");
        assert!(err.contains("process 1 (127.0.0.1:9) is missing: it has not come") && status == 3, "{status} {err}");
        assert!(out.contains("  states                 unknown\n"), "{out}");
        let mut command = starset();
        let command = command.arg("states").arg(model("philo-5.pnml")).arg("--hosts").arg(&list);
        let (_, err, status) = run(command.env_remove("SLURM_PROCID").env_remove("JOB_COMPLETION_INDEX"));
        assert!(err.contains("--hosts needs --process, from 0 to 1") && status == 2, "{err}");
        // The list of one process is that of Slurm's only task.
        let list = hosts(folder.path(), 1);
        let mut command = starset();
        let command = command.arg("states").arg(model("philo-5.pnml")).arg("--hosts").arg(&list);
        let (out, err, status) = run(command.envs([("SLURM_PROCID", "0"), ("SLURM_NTASKS", "1")]));
        assert!(out.contains("  states                 243\n") && status == 0, "{err}");
    }

    #[test]
    fn models_that_differ_do_not_go_together() {
        let folder = tempfile::tempdir().unwrap();
        let list = hosts(folder.path(), 2);
        let children = [start(&model("philo-5.pnml"), &list, 0, &[]), start(&model("kanban-3.pnml"), &list, 1, &[])];
        for child in children {
            let (out, err, status) = end(child);
            assert!(err.contains("their models differ, or their options") && status == 2 && out.is_empty(), "{err}");
        }
    }

    /// What is found before the time is over is told.
    #[test]
    fn what_is_known_at_the_limit_is_told() {
        let (_kept, net) = generate("kanban", 7);
        let folder = tempfile::tempdir().unwrap();
        let list = hosts(folder.path(), 1);
        let mut command = starset();
        let formulas = ["-f", "EF #P1 = 1", "-f", "AG EF #P1 = 7", "-f", "AG #P1 <= 7", "--witness"];
        command.arg("check").arg(net).args(formulas).args(["--time", "3", "--process", "0", "--hosts"]).arg(list);
        let (out, err, status) = run(&mut command);
        assert!(out.starts_with("1: true\n  shows EF #P1 = 1 (6 steps,"), "{out}{err}");
        let lines: Vec<&str> = out.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!((lines.len(), status), (3, 3), "{out}{err}");
        assert!(lines[1].starts_with("2: unknown") && lines[2].starts_with("3: "), "{out}{err}");
    }

    /// A formula without a value: as in memory and on disk.
    #[test]
    fn formulas_without_a_value_end_alike() {
        let folder = tempfile::tempdir().unwrap();
        let list = hosts(folder.path(), 1);
        let [list, disk] = [list, folder.path().join("states")].map(|path| path.to_str().unwrap().to_owned());
        let elsewhere = [&[][..], &["--disk", &disk], &["--hosts", &list, "--process", "0"]];
        for formula in ["AG 1 / (#Eat_0 + #Eat_1 + #Eat_2) <= 1", "AG EF 1 / (#Eat_0 + #Eat_1 + #Eat_2) <= 1"] {
            for options in elsewhere {
                let asked = ["-f", formula, "-f", "EF #Eat_0 = 1"];
                let (out, err, status) =
                    run(starset().arg("check").arg(model("philo-5.pnml")).args(asked).args(options));
                let mut lines: Vec<&str> = out.lines().collect();
                lines.sort_unstable();
                assert_eq!((&lines[..], status), (&["1: unknown", "2: true"][..], 2), "{options:?} {err}");
                assert!(err.contains("1: the formula divides by zero in a reachable state"), "{options:?} {err}");
            }
        }
    }

    /// Formulas of reachability: process 0 prints the answers, which all have.
    #[test]
    fn questions_are_answered_together() {
        let folder = tempfile::tempdir().unwrap();
        let philo = model("philo-5.pnml");
        let formulas = ["-f", "EF deadlock", "-f", "AG #Eat_0 + #Eat_1 <= 1 & EF #Eat_0 + #Eat_2 = 2"];
        let ask = |number: usize, arguments: &[&str]| {
            let list = hosts(folder.path(), number);
            let all: Vec<Child> =
                (0..number).map(|process| start_as("check", &philo, &list, process, arguments)).collect();
            all.into_iter().map(end).collect::<Vec<_>>()
        };
        for (process, (out, err, status)) in ask(3, &formulas).into_iter().enumerate() {
            let expected = if process == 0 { "1: true\n2: true\n" } else { "" };
            assert_eq!((&out[..], status), (expected, 0), "{err}");
            assert!(err.contains("243 states, 3 processes of 1 thread, 6 levels, "), "{err}");
        }
        let (out, err, status) = ask(2, &["-f", "EF deadlock", "--witness"]).remove(0);
        assert!(out.starts_with("1: true\n  shows EF deadlock (5 steps,") && status == 0, "{out}{err}");
        // One that shows witnesses asks for other parts of what is combined: they do not go together.
        let list = hosts(folder.path(), 2);
        let combined = ["-f", "EF #Eat_0 = 2 & EF #Eat_1 = 2", "-f", "EF (#Catch2_1 = 1 & #Think_0 = 1)"];
        let shown = [&combined[..], &["--witness"]].concat();
        let all = [(0, &shown[..]), (1, &combined[..])];
        let all = all.map(|(process, arguments)| start_as("check", &philo, &list, process, arguments));
        for (out, err, status) in all.map(end) {
            assert!(
                status == 2 && out.is_empty() && err.contains("their models differ, or their options"),
                "{out}{err}"
            );
        }
        // What is asked has to be the same.
        let other =
            [[["-f", "EF deadlock"], ["-f", "AG !deadlock"]], [["-f", "AG EF #Eat_0 = 1"], ["-f", "AG EF #Eat_0 = 0"]]];
        for asked in other {
            let hosts = hosts(folder.path(), 2);
            let all = [0, 1].map(|process| start_as("check", &philo, &hosts, process, &asked[process]));
            for (out, err, status) in all.map(end) {
                let told = err.contains("their models differ, or their options");
                assert!(status == 2 && out.is_empty() && told, "{err}");
            }
        }
        // Formulas of CTL, beside one of reachability that is found at once; of LTL and CTL*; and one about steps.
        let formulas = ["AG EF #Eat_0 = 1", "E (#Eat_0 = 0 U #Eat_1 = 1)", "EF #Eat_0 = 1", "AF (EG #Eat_0 = 0)"];
        let formulas: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
        let (out, err, status) = ask(2, &formulas).remove(0);
        assert_eq!((&out[..], status), ("1: false\n2: true\n3: true\n4: true\n", 0), "{err}");
        assert!(err.contains("243 states"), "{err}");
        let formulas = ["E (G F #Eat_0 = 1)", "G F #Eat_0 = 1", "EF (#Eat_1 = 1 & E (G #Eat_0 = 0 & F #Eat_1 = 0))"];
        let formulas: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
        let (out, err, status) = ask(2, &formulas).remove(0);
        assert_eq!((&out[..], status), ("1: true\n2: false\n3: true\n", 0), "{err}");
        let (out, err, status) = ask(2, &["-f", "AG EF #Eat_0 = 0", "-f", "E (G F action(\"FF1a_0\"))"]).remove(0);
        assert!(out.starts_with("1: true\n2: unknown") && status == 3, "{out}{err}");
    }
}
