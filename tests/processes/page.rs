//! The page about a process: its picture and its runs.

use super::{asked, elements::diagram};
use crate::cli::{run, starset};
use crate::shared::{shared, table};
use starset::kinds::bpmn::layout::{Layout, read_layout};
use starset::kinds::bpmn::{Environment, read_bpmn, read_bpmn_in};
use starset::report::processes::page;
use std::collections::BTreeSet;

/// The data of a page.
fn data(html: &str) -> serde_json::Value {
    let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

/// The names of the elements that are drawn.
fn drawn(html: &str) -> Vec<&str> {
    html.split("<g id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).filter(|id| *id != "tokens").collect()
}

#[test]
fn pages_show_the_runs_on_the_diagram() {
    let Some(folder) = shared("bpmn/models") else { return };
    let (mut pages, mut shown) = (0, 0);
    for row in table(&folder.join("reference.csv")) {
        if row["explored"] != "full" {
            continue;
        }
        let path = folder.join(&row["file"]);
        let process = read_bpmn(&path, Environment::default()).unwrap();
        let layout = read_layout(&path).unwrap();
        let answers = asked(&process);
        let html = page(&process, &layout, &answers).unwrap();
        let (data, drawn) = (data(&html), drawn(&html));
        assert_eq!(drawn.len(), drawn.iter().collect::<BTreeSet<_>>().len(), "{}", row["file"]);
        // Nodes that have a shape in the file are drawn, and flows between them.
        let placed = process.diagram.nodes.iter().filter(|node| layout.shape(&node.id).is_some()).count();
        assert_eq!(drawn.iter().filter(|id| id.starts_with('n')).count(), placed, "{}", row["file"]);
        assert!(placed == 0 || html.contains("viewBox"), "{}", row["file"]);
        pages += usize::from(placed > 0);
        assert_eq!(data["runs"].as_array().unwrap().len(), answers.runs().count());
        for ((_, key, run), found) in answers.runs().zip(data["runs"].as_array().unwrap()) {
            let states = found["states"].as_array().unwrap();
            assert_eq!(states.len(), run.len() + 1);
            let last = &states.last().unwrap()["tokens"];
            let most = last.as_array().unwrap().iter().map(|token| token[1].as_u64().unwrap()).max();
            // Two tokens on a flow, or an end event that was reached twice.
            assert!(!["safe", "proper_completion"].contains(&key) || most >= Some(2), "{}: {last}", row["file"]);
            for token in states.iter().flat_map(|state| state["tokens"].as_array().unwrap()) {
                let element = token[0].as_str().unwrap();
                let is_drawn = drawn.contains(&element);
                assert_eq!(is_drawn, data["anchors"].get(element).is_some(), "{}: {element}", row["file"]);
                shown += usize::from(is_drawn);
            }
        }
    }
    assert!(pages >= 80 && shown > 1_000, "{pages} {shown}");
}

/// Names are text, whatever is in them, and a diagram without layout has its runs in words.
#[test]
fn names_are_no_markup() {
    let body = "<startEvent id='s' name='&lt;script&gt;alert(1)&lt;/script&gt;'/><parallelGateway id='j'/>\
                <exclusiveGateway id='x'/><sequenceFlow id='1' sourceRef='s' targetRef='x'/>\
                <sequenceFlow id='2' sourceRef='x' targetRef='j'/><sequenceFlow id='3' sourceRef='x' targetRef='j'/>";
    let process = read_bpmn_in(diagram(body).as_bytes(), "a{{DATA}}", "d.bpmn", Environment::default()).unwrap();
    let html = page(&process, &Layout::default(), &asked(&process)).unwrap();
    assert!(!html.contains("<script>alert") && html.contains("a{{DATA}}") && html.contains("does not say where"));
    let data = data(&html);
    let run = data["runs"].as_array().unwrap().iter().find(|run| run["title"] == "no deadlock").unwrap();
    assert!(run["states"][1]["done"].as_str().unwrap().starts_with("<script>"));
}

#[test]
fn the_program_writes_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let (_, err, status) = run(starset().args(["soundness", "models/order.bpmn", "--report"]).arg(&path));
    assert_eq!(status, 0, "{err}");
    let html = std::fs::read_to_string(&path).unwrap();
    assert_eq!((drawn(&html).len(), html.matches("class=\"pool\"").count()), (32, 2));
    // What is not clean ends with a message on its way.
    let run_of = &data(&html)["runs"][0];
    let last = &run_of["states"].as_array().unwrap().last().unwrap()["tokens"];
    assert!(run_of["title"] == "clean" && last.to_string().contains("\"m1\""), "{last}");
    let several = ["soundness", "models/order.bpmn", "models/order.bpmn", "--report", "page.html"];
    let (_, err, status) = run(starset().args(several));
    assert!(status == 2 && err.contains("--report is about one process"), "{err}");
    // With time, the runs have their moments.
    let (_, err, status) = run(starset().args(["soundness", "models/order.bpmn", "--timers", "--report"]).arg(&path));
    assert_eq!((err.as_str(), status), ("", 0));
    let html = std::fs::read_to_string(&path).unwrap();
    let run_of = &data(&html)["runs"][0];
    let states = run_of["states"].as_array().unwrap();
    let last = states.last().unwrap();
    assert!(
        run_of["title"] == "clean" && last["tokens"].to_string().contains("\"m1\"") && last["at"] == "14 d",
        "{last}"
    );
    assert_eq!((&states[0]["at"], drawn(&html).len()), (&"0".into(), 32));
}
