//! Pages for browsers: what is in them, and what a browser makes of it.

use super::{model, run, starset};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The data in a page.
fn data(page: &Path) -> Value {
    let text = std::fs::read_to_string(page).unwrap();
    let (_, rest) = text.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// A browser without a window, if there is one.
fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    found.into_iter().find(|path| path.is_file())
}

/// The document that a browser makes of a page at a fragment of its address; no message on its console.
fn document(page: &Path, fragment: &str) -> Option<String> {
    let Some(browser) = browser() else {
        crate::shared::passed_over("there is no chromium");
        return None;
    };
    let profile = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    command.arg("--virtual-time-budget=3000").arg(format!("--user-data-dir={}", profile.path().display()));
    command.arg(format!("file://{}#{fragment}", page.display())).timeout(Duration::from_secs(120));
    let (document, messages, status) = run(&mut command);
    assert_eq!(status, 0, "{messages}");
    let console: Vec<_> = messages.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "{console:?}");
    assert!(document.contains("data-ready=\"yes\""), "the script did not come to its end: {messages}");
    Some(document)
}

/// The text of the element with this identifier, which has no elements inside.
fn text<'d>(document: &'d str, id: &str) -> &'d str {
    let (_, rest) = document.split_once(&format!(" id=\"{id}\"")).unwrap();
    rest.split_once('>').unwrap().1.split_once("</").unwrap().0
}

/// What stands in a section of a page: the text without its elements, words apart by one space.
fn section(document: &str, id: &str) -> String {
    let (_, rest) = document.split_once(&format!(" aria-labelledby=\"{id}-title\"")).unwrap();
    let pieces = rest.split("</section>").next().unwrap().split('<').filter_map(|piece| piece.split_once('>'));
    let text = pieces.map(|(_, text)| text).collect::<Vec<_>>().join(" ").replace("&amp;", "&");
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Each section of a page about answers and figures: they are those of the data, in words.
#[track_caller]
fn sections_show(document: &str, data: &Value) {
    let (levels, cost) = (section(document, "levels"), section(document, "cost"));
    for level in data["levels"].as_array().unwrap() {
        let row = format!(" {} {} ", level[0].as_str().unwrap(), level[1]);
        assert!(format!("{levels} ").contains(&row), "{row} in {levels}");
    }
    let nodes: u64 = data["levels"].as_array().unwrap().iter().map(|level| level[1].as_u64().unwrap()).sum();
    let about = format!("a diagram of {nodes} nodes on {} levels", data["levels"].as_array().unwrap().len());
    assert!(levels.contains(&about), "{about} in {levels}");
    let last = data["results"].as_array().unwrap().last().unwrap();
    let mib = last["peak_memory_bytes"].as_u64().unwrap() as f64 / f64::from(1 << 20);
    let order = last["order"]["name"].as_str().or(last["order"].as_str()).unwrap();
    for expected in [
        format!("time {:.3} s", last["seconds"].as_f64().unwrap()),
        format!("peak memory {mib:.1} MiB"),
        format!("peak nodes {}", last["peak_nodes"]),
        format!("variable order {order}"),
    ] {
        assert!(cost.contains(&expected), "{expected} in {cost}");
    }
}

/// Verdicts, sizes of sat-sets that are those of `satset`, the order with its nodes, time and memory.
#[test]
fn a_page_of_check_shows_all_that_it_promises() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let formulas = ["AG EF #Eat_0 = 1", "EF deadlock", "A G F #Eat_0 = 1", "E(G F #Eat_0 = 1 & G F #Eat_1 = 1)"];
    let formulas: Vec<&str> = formulas.iter().flat_map(|formula| ["-f", formula]).collect();
    let asked = |command: &str, more: &[&str]| {
        let (out, err, status) = run(starset().arg(command).arg(model("philo-5.pnml")).args(&formulas).args(more));
        assert_eq!((err.as_str(), status), ("", 0));
        out
    };
    let plain = asked("check", &[]);
    assert_eq!(asked("check", &["--report", page.to_str().unwrap()]), plain, "a page changes nothing else");
    let json = |text: String| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    let free = json(asked("check", &["--json"])).iter().all(|answer| answer["satisfying"].is_null());
    assert!(free, "without a page nothing is counted");
    let (data, sets) = (data(&page), json(asked("satset", &["--json"])));
    let Some(document) = document(&page, "") else { return };
    let answers = section(&document, "answers");
    for (answer, set) in data["results"].as_array().unwrap().iter().zip(&sets) {
        assert_eq!((&answer["verdict"], &answer["satisfying"]), (&set["verdict"], &set["satisfying"]));
        let text = |field: &str| set[field].as_str().unwrap();
        let row = format!(
            "{} {} {} {}, {} paths {} of {} ",
            text("id"),
            set["verdict"],
            text("written"),
            text("logic"),
            text("paths"),
            text("satisfying"),
            text("reachable")
        );
        assert!(answers.contains(&row), "{row} in {answers}");
    }
    sections_show(&document, &data);
}

/// Programs are told in their own words: processes, variables with their values, lines.
#[test]
fn pages_of_programs() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let asked = |name: &str, formula: &str| {
        let mut command = starset();
        command.arg("check").arg(model(name)).args(["-f", formula, "--report"]).arg(&page);
        let (_, err, status) = run(&mut command);
        // Of nets with clocks it is said what integer time may miss.
        assert!(status == 0 && (err.is_empty() || name.ends_with(".pnwc")), "{err}");
        data(&page)
    };
    let found = asked("turns.dve", "EF #Second = gone");
    assert_eq!(found["variables"][0], json!(["turn", "0", false]));
    assert_eq!(found["variables"][1], json!(["First", "idle", true]));
    assert_eq!(found["sizes"][0], json!([4, "variable"]));
    let second = found["network"]["components"].as_array().unwrap().iter().find(|one| one["name"] == "Second").unwrap();
    assert_eq!(second["states"], json!(["idle", "busy", "gone"]));
    let words: Vec<&str> = second["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(words.contains(&"turn == 1"), "{words:?}");
    let source = found["beside"][0]["sources"][0][0].as_str().unwrap();
    assert!(source.ends_with("turns.dve:8: idle -> busy { guard turn == 0; }"), "{source}");
    if let Some(document) = document(&page, "answer=1&step=2") {
        let game = section(&document, "game");
        assert!(!game.contains("token") && !game.contains("group"), "{game}");
        for told in [
            "turn = 1, First at idle, Second at idle",
            "turn: 0 → 1",
            "turns.dve:9: busy -> idle",
            "4 variables, 5 transition groups",
        ] {
            assert!(game.contains(told) || document.contains(told), "{told}: {game}");
        }
    }
    let found = asked("locker.mch", "EF #coins = -2");
    assert!(found["network"].is_null() && found["places"] == json!([]));
    let source = found["beside"][0]["sources"][0][0].as_str().unwrap();
    assert!(source.contains("locker.mch:") && source.contains("take(locker) = PRE"), "{source}");
    if let Some(document) = document(&page, "answer=1&step=1") {
        let game = section(&document, "game");
        assert!(game.contains("taken = {left}, mode = open, coins = -1") && game.contains("coins: 0 → -1"), "{game}");
    }
    let found = asked("toggle.etf", "EF #count = 2");
    assert_eq!(found["variables"], json!([["light", "off", false], ["count", "0", false]]));
    // The net with clocks, not its coding: 8 places, and time is no transition.
    let found = asked("claim.pnwc", "EF deadlock");
    assert_eq!((found["places"].as_array().unwrap().len(), found["transitions"].as_array().unwrap().len()), (8, 8));
    assert_eq!(found["variables"], json!([["d", "0", false], ["e", "0", false]]));
    if let Some(document) = document(&page, "answer=1&step=3") {
        assert!(section(&document, "game").contains("review survey; d = 2, e = 2"), "{}", section(&document, "game"));
    }
}

/// The part of the formula that a step justifies is marked in the formula, and only there.
#[test]
fn the_subformula_of_each_step_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = starset();
    command.args(["check", "--report"]).arg(&page).arg(model("philo-5.pnml"));
    let (_, err, status) = run(command.args(["-f", "E(#Think_0 = 1 U (#Eat_1 = 1 & EF deadlock))"]));
    assert_eq!((err.as_str(), status), ("", 0));
    let run = &data(&page)["results"][0]["witness"]["runs"][0];
    let formula = run["formula"].as_str().unwrap();
    let last = run["states"].as_array().unwrap().len() - 1;
    for (step, marked) in [(0, "#Think_0 = 1"), (last, "#Eat_1 = 1 &amp; (E F deadlock)")] {
        let Some(document) = document(&page, &format!("step={step}")) else { return };
        let (_, rest) = document.split_once("<code id=\"formula\">").unwrap();
        let shown = rest.split_once("</code>").unwrap().0;
        let marks: Vec<_> = shown.split("<mark class=\"holds\">").skip(1).map(|rest| rest.split('<').next()).collect();
        assert_eq!(marks, [Some(marked)], "step {step}: {shown}");
        let plain = shown.replace("<mark class=\"holds\">", "").replace("</mark>", "").replace("&amp;", "&");
        assert_eq!(plain, formula);
    }
}

/// What the diagrams could not count in time is said, and the verdict stands.
#[test]
fn explicit_search_leaves_sizes_open() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = starset();
    command.args(["check", "--engine", "explicit", "--report"]).arg(&page).arg(model("philo-5.pnml"));
    let (out, _, status) = run(command.args(["-f", "EF deadlock"]));
    assert_eq!((out.as_str(), status), ("1: true\n", 0));
    assert!(data(&page)["results"][0]["satisfying"].is_null() && data(&page)["levels"].is_null());
    let Some(document) = document(&page, "") else { return };
    assert!(section(&document, "levels").contains("No decision diagram was built."));
}

fn sorted(words: &str) -> Vec<&str> {
    let mut words: Vec<_> = words.split(' ').collect();
    words.sort_unstable();
    words
}

#[test]
fn a_page_holds_the_answers_and_shows_each_step() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = starset();
    command.args(["check", "--json", "--report"]).arg(&page).arg(model("philo-5.pnml"));
    command.args(["-f", "AG EF #Eat_0 = 1", "-f", "E(G F #Eat_0 = 1 & G F #Eat_1 = 1)", "-f", "AG #Eat_0 = 1"]);
    let (out, err, status) = run(&mut command);
    assert_eq!((err.as_str(), status), ("", 0));
    let printed: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let data = data(&page);
    assert_eq!(data["schema"], "starset/report/1");
    assert_eq!(data["results"], json!(printed));
    assert_eq!(data["levels"].as_array().unwrap().len(), 25);
    let witness = &printed[0]["witness"]["runs"][0];
    let states = witness["states"].as_array().unwrap();
    assert_eq!((printed[0]["verdict"].clone(), states.len()), (json!(false), 6), "to the deadlock");
    let Some(document) = document(&page, "answer=1&step=3") else { return };
    assert_eq!(text(&document, "step"), "Step 3 of 5");
    let marking = states[3]["marking"].as_object().unwrap();
    // The page goes by the places of the net, whose order is not that of the alphabet.
    let mut marked: Vec<_> = marking.keys().collect();
    marked.sort_unstable();
    assert_eq!(sorted(text(&document, "marking")), marked);
    assert_eq!(text(&document, "fired"), format!("<span class=\"fires\">{}", witness["labels"][2].as_str().unwrap()));
    // The tokens in the picture are those of the marking.
    for (number, place) in data["places"].as_array().unwrap().iter().enumerate() {
        let id = place[0].as_str().unwrap();
        let tokens = marking.get(id).map_or("0", |n| n.as_str().unwrap());
        assert!(document.contains(&format!("id=\"p{number}\"")));
        assert!(document.contains(&format!("<title>{id}: {tokens}</title>")), "{id}: {tokens}");
    }
    let changed = document.matches("class=\"changed\"").count();
    assert_eq!((changed, document.matches("class=\"fired\"").count()), (3, 1));
    assert_eq!(document.matches(">play witness<").count(), 3);
}

#[test]
fn a_loop_is_marked_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = starset();
    command.args(["satset", "--report"]).arg(&page).arg(model("philo-5.pnml"));
    let (_, err, status) = run(command.args(["-f", "E(G F #Eat_0 = 1 & G F #Eat_1 = 1)", "--list", "2"]));
    assert_eq!((err.as_str(), status), ("", 0));
    let result = &data(&page)["results"][0];
    assert_eq!((&result["satisfying"], &result["reachable"]), (&json!("241"), &json!("243")));
    let run = &result["witness"]["runs"][0];
    let (last, start) = (run["states"].as_array().unwrap().len() - 1, run["loop_index"].as_u64().unwrap());
    let data = data(&page);
    let Some(document) = document(&page, &format!("step={last}")) else { return };
    sections_show(&document, &data);
    assert_eq!(text(&document, "step"), format!("Step {last} of {last} – goes on at step {start}, for ever"));
    assert_eq!(document.matches("↻ the loop starts here").count(), 2, "in the script and in the list");
    assert!(document.contains("241 of 243") || document.contains("title=\"241\""));
    assert!(document.contains("<mark class=\"holds\">"));
}

/// What a reader does: steps by keys, over the end of the loop, then lets it play.
#[test]
fn keys_step_and_play() {
    const READER: &str = r#"<script>
        const key = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const seen = [], see = () => seen.push(location.hash.split("step=")[1]);
        for (const name of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"]) { key(name); see(); }
        key(" ");
        setTimeout(() => { see(); document.documentElement.dataset.seen = seen.join(" "); }, 2500);
        </script></body>"#;
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = starset();
    command.args(["check", "--report"]).arg(&page).arg(model("philo-5.pnml"));
    let (_, _, status) = run(command.args(["-f", "E(G F #Eat_0 = 1 & G F #Eat_1 = 1)"]));
    let results = &data(&page)["results"][0]["witness"]["runs"][0];
    let (last, start) = (results["states"].as_array().unwrap().len() - 1, results["loop_index"].as_u64().unwrap());
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, text.replace("</body>", READER)).unwrap();
    let Some(document) = document(&page, "") else { return };
    let played = 3;
    assert_eq!(status, 0);
    assert!(document.contains(&format!("data-seen=\"1 2 1 {last} {start} 0 {played}\"")), "{document}");
}

#[test]
fn the_page_of_states_shows_levels_and_a_deadlock() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = starset();
    command.args(["states", "--json", "--deadlocks", "--report"]).arg(&page).arg(model("philo-5.pnml"));
    let (out, _, status) = run(&mut command);
    let printed: Value = serde_json::from_str(&out).unwrap();
    let data = data(&page);
    assert_eq!((status, &data["results"]), (0, &json!([printed])));
    let nodes: u64 = data["levels"].as_array().unwrap().iter().map(|level| level[1].as_u64().unwrap()).sum();
    assert_eq!(Some(nodes), printed["nodes"].as_u64());
    let Some(document) = document(&page, "") else { return };
    sections_show(&document, &data);
    let answers = section(&document, "answers");
    for (name, field) in [
        ("states", "states"),
        ("transitions", "transitions"),
        ("most tokens in a place", "max_tokens_in_place"),
        ("most tokens in a marking", "max_tokens_per_marking"),
        ("deadlocks", "deadlocks"),
    ] {
        let shown = format!(" {name} {} ", printed[field].as_str().unwrap());
        assert!(format!("{answers} ").contains(&shown), "{shown} in {answers}");
    }
    let tokens = printed["deadlock"].as_object().unwrap();
    assert_eq!(sorted(text(&document, "marking")), tokens.keys().collect::<Vec<_>>());
    assert_eq!(document.matches("role=\"rowheader\"").count(), 25);
}

#[test]
fn hostile_names_and_huge_nets() {
    let folder = tempfile::tempdir().unwrap();
    let (net, page) = (folder.path().join("net.pnml"), folder.path().join("page.html"));
    let name = "&lt;/script>&lt;script>alert(1)&lt;/script>";
    let text = format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"{name}\" \
         type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\"><place id=\"{name}\"><initialMarking>\
         <text>12</text></initialMarking></place><place id=\"__proto__\"/><place id=\"constructor\"/><transition \
         id=\"{name}t\"/><arc id=\"a\" source=\"{name}\" target=\"{name}t\"/><arc id=\"b\" source=\"{name}t\" \
         target=\"__proto__\"/></page></net></pnml>"
    );
    std::fs::write(&net, text).unwrap();
    let (out, err, status) = run(starset().arg("check").arg(&net).args(["-f", "AG ! deadlock", "--report"]).arg(&page));
    assert_eq!((out.as_str(), err.as_str(), status), ("1: false\n", "", 0));
    assert_eq!(data(&page)["places"][0][0], "</script><script>alert(1)</script>");
    if let Some(document) = document(&page, "step=2") {
        assert!(document.contains("<title>__proto__: 2</title>") && document.contains("<title>constructor: 0</title>"));
        assert!(document.contains("<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;: 10</title>"));
    }
    let (_folder, big) = super::generate("philo", 300);
    let (_, _, status) = run(starset().arg("states").arg(&big).arg("--report").arg(&page));
    assert_eq!((status, data(&page)["levels"].as_array().unwrap().len()), (0, 1500));
    assert_eq!(data(&page)["arcs"].as_array().unwrap().len(), 1500);
    if let Some(document) = document(&page, "") {
        assert!(document.contains(" of 3\u{202f}000 places and transitions: what is nearest to "));
        assert_eq!(document.matches("<rect x=").count(), 500);
    }
}

#[test]
fn what_cannot_be_written_is_known_at_once() {
    let (out, err, status) =
        run(starset().arg("states").arg(model("philo-5.pnml")).args(["--report", "/nonexistent/a"]));
    assert!(out.is_empty() && status == 2 && err.contains("cannot save to /nonexistent/a"), "{err}");
    // The same of all other files of results.
    let (philo, folder) = (model("philo-5.pnml"), tempfile::tempdir().unwrap());
    let philo = philo.to_str().unwrap();
    let set = folder.path().join("a.set");
    let set = set.to_str().unwrap();
    starset().args(["satset", philo, "-f", "deadlock", "--save", set]).assert().success();
    let instance = folder.path().join("instance");
    std::fs::create_dir(&instance).unwrap();
    std::fs::copy(philo, instance.join("model.pnml")).unwrap();
    for arguments in [
        &["satset", philo, "-f", "deadlock", "--save"] as &[&str],
        &["check", philo, "-f", "deadlock", "--witness-dot"],
        &["combine", "union", set, set, "--save"],
        &["convert", philo, "--to", "aut"],
        &["generate", "philo", "3", "-o"],
        &["batch", instance.to_str().unwrap(), "--report"],
    ] {
        let (out, err, status) = run(starset().args(arguments).arg("/nonexistent/a.aut"));
        assert!(out.is_empty() && status == 2 && err.contains("cannot save to /nonexistent/a"), "{arguments:?}: {err}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing half-written");
}

/// Assumptions about paths are on the page, and that there are no such paths.
#[test]
fn assumptions_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = starset();
    command.arg("check").arg(model("philo-5.pnml")).args(["-f", "AF deadlock", "--justice", "#Eat_0 = 1"]);
    command.args(["--justice", "#Eat_1 = 1 & deadlock", "--report"]).arg(&page);
    let (out, err, _) = run(&mut command);
    assert_eq!(out, "1: true\n", "{err}");
    let result = &data(&page)["results"][0];
    assert_eq!(result["assumptions"], json!(["justice #Eat_0 = 1", "justice #Eat_1 = 1 & deadlock"]));
    assert_eq!(result["fair_path"], false);
    let Some(document) = document(&page, "") else { return };
    let shown = section(&document, "answers");
    for part in
        ["under justice #Eat_0 = 1", "under justice #Eat_1 = 1 & deadlock", "no such path begins in the initial"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
