//! Rules about decisions of gateways: random processes whose traces are written down from how they are built, and the
//! program.

use super::elements::diagram;
use crate::cli::{run, starset};
use starset::budget::Budget;
use starset::formula::Naming;
use starset::kinds::bpmn::{Environment, read_bpmn_in, timed};
use starset::mdd::with_deep_stack;
use starset::rng::Rng;
use starset::traces::{Behaviour, Checked, Labelled, Rule, TimedBehaviour};
use std::collections::BTreeSet;

/// A step that a rule may be about: an activity that begins, and ways that a gateway takes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Seen {
    activity: Option<&'static str>,
    gateway: Option<&'static str>,
    ways: Vec<&'static str>,
}

type Words = BTreeSet<Vec<Seen>>;

const ACTIVITIES: [&str; 3] = ["a", "b", "c"];
const GATEWAYS: [&str; 2] = ["g", "h"];
const WAYS: [&str; 3] = ["yes", "no", "maybe"];

/// A process while it is drawn: each part begins and ends with a node, by its identifier.
struct Drawn {
    nodes: String,
    flows: String,
    count: usize,
}

/// A part: its first and its last node, and the sequences of what is seen of it.
type Part = (String, String, Words);

impl Drawn {
    fn node(&mut self, sort: &str, name: &str, inside: &str) -> String {
        self.count += 1;
        let id = format!("n{}", self.count);
        self.nodes.push_str(&format!("<{sort} id='{id}' name='{name}'>{inside}</{sort}>"));
        id
    }

    fn flow(&mut self, from: &str, to: &str, name: &str) {
        self.count += 1;
        let id = self.count;
        self.flows.push_str(&format!("<sequenceFlow id='f{id}' name='{name}' sourceRef='{from}' targetRef='{to}'/>"));
    }

    fn part(&mut self, rng: &mut Rng, depth: u32) -> Part {
        match if depth == 0 { 0 } else { rng.below(6) } {
            0 => {
                let name = *rng.pick(&ACTIVITIES).unwrap();
                let node = self.node("task", name, "");
                (node.clone(), node, Words::from([vec![Seen { activity: Some(name), ..Seen::default() }]]))
            }
            1 | 2 => {
                let (first, end, before) = self.part(rng, depth - 1);
                let (begin, last, after) = self.part(rng, depth - 1);
                self.flow(&end, &begin, "");
                let words = before.iter().flat_map(|a| after.iter().map(|b| [a.clone(), b.clone()].concat()));
                (first, last, words.collect())
            }
            3 => self.gateways(rng, depth, "exclusiveGateway"),
            4 => self.gateways(rng, depth, "inclusiveGateway"),
            _ => {
                let sort = *rng.pick(&["parallelGateway", "eventBasedGateway"]).unwrap();
                self.gateways(rng, depth, sort)
            }
        }
    }

    /// A gateway, parts behind it, and another gateway that joins them.
    fn gateways(&mut self, rng: &mut Rng, depth: u32, sort: &str) -> Part {
        let gateway = *rng.pick(&GATEWAYS).unwrap();
        let split = self.node(sort, gateway, "");
        let is_choice = matches!(sort, "exclusiveGateway" | "eventBasedGateway");
        // What joins is a decision as well, of a gateway that no rule names.
        let join = self.node(if is_choice { "exclusiveGateway" } else { sort }, "join", "");
        let mut branches = Vec::new();
        for _ in 0..2 {
            let way = *rng.pick(&WAYS).unwrap();
            let (mut begin, end, mut words) = self.part(rng, depth - 1);
            let mut first = Seen { gateway: Some(gateway), ways: vec![way], activity: None };
            if sort == "eventBasedGateway" {
                let event = match rng.below(2) {
                    0 => self.node("intermediateCatchEvent", "e", "<signalEventDefinition/>"),
                    _ => {
                        // Its receiving is the decision.
                        first.activity = Some("a");
                        self.node("receiveTask", "a", "")
                    }
                };
                self.flow(&event, &begin, "");
                begin = event;
            }
            self.flow(&split, &begin, way);
            self.flow(&end, &join, "");
            if is_choice {
                words = words.into_iter().map(|word| [vec![first.clone()], word].concat()).collect();
            }
            branches.push((way, words));
        }
        let [(one, left), (other, right)] = <[_; 2]>::try_from(branches).unwrap();
        let both = shuffled(&left, &right);
        let decided = |ways: &[&'static str], words: &Words| -> Words {
            let first = Seen { gateway: Some(gateway), ways: ways.to_vec(), activity: None };
            words.iter().map(|word| [vec![first.clone()], word.clone()].concat()).collect()
        };
        let words = match sort {
            "parallelGateway" => both,
            "inclusiveGateway" => {
                let some = [decided(&[one], &left), decided(&[other], &right), decided(&[one, other], &both)];
                some.into_iter().flatten().collect()
            }
            _ => left.union(&right).cloned().collect(),
        };
        (split, join, words)
    }
}

fn shuffled(left: &Words, right: &Words) -> Words {
    fn merge(a: &[Seen], b: &[Seen], before: &mut Vec<Seen>, all: &mut Words) {
        if a.is_empty() || b.is_empty() {
            all.insert([before, a, b].concat());
            return;
        }
        for (first, (a, b)) in [(&a[0], (&a[1..], b)), (&b[0], (a, &b[1..]))] {
            before.push(first.clone());
            merge(a, b, before, all);
            before.pop();
        }
    }
    let mut all = Words::new();
    for a in left {
        right.iter().for_each(|b| merge(a, b, &mut Vec::new(), &mut all));
    }
    all
}

/// What a rule may be about, with what it means.
fn holds(atom: &str, seen: &Seen) -> bool {
    let inside = |text: &'_ str| text.split_once('(').map(|(_, rest)| rest.trim_end_matches(')').to_owned());
    match (atom.split('(').next().unwrap(), inside(atom)) {
        ("flow", Some(names)) => match names.split_once(", ") {
            Some((gateway, way)) => seen.gateway == Some(gateway) && seen.ways.contains(&way),
            None => seen.ways.contains(&names.as_str()),
        },
        ("gateway", Some(name)) => seen.gateway == Some(&*name),
        _ => seen.activity == Some(atom),
    }
}

const ATOMS: [&str; 9] =
    ["a", "b", "c", "flow(yes)", "flow(g, no)", "flow(h, yes)", "gateway(g)", "gateway(h)", "flow(maybe)"];

const RULES: [&str; 12] = [
    "response(A, B)",
    "not_response(A, B)",
    "precedence(A, B)",
    "chain_response(A, B)",
    "not_chain_succession(A, B)",
    "alternate_response(A, B)",
    "G !(A & B)",
    "F (A & X B)",
    "G (A -> N (B | C))",
    "A",
    "end(A | B)",
    "at_most_one(A & !B)",
];

#[test]
fn decisions_are_those_of_how_a_process_is_built() {
    let mut rng = Rng::new(51);
    let (mut counts, mut cases) = ([0; 3], 0);
    while cases < 60 {
        let mut drawn = Drawn { nodes: String::new(), flows: String::new(), count: 0 };
        let (first, last, words) = drawn.part(&mut rng, 3);
        if words.len() > 300 || !drawn.nodes.contains("Gateway") {
            continue;
        }
        cases += 1;
        let body = format!("<startEvent id='s'/>{}<endEvent id='e'/>", drawn.nodes);
        drawn.flow("s", &first, "");
        drawn.flow(&last, "e", "");
        let text = diagram(&(body + &drawn.flows));
        let process = read_bpmn_in(text.as_bytes(), "d", "d", Environment::default()).unwrap();
        let model = Labelled::process(&process, Naming::Name);
        let budget = Budget::unlimited();
        let behaviour = Behaviour::explore(&model, &budget).unwrap();
        let timed = TimedBehaviour::process(&model, timed(&process, &budget).unwrap());
        for template in RULES {
            let atoms = [0; 3].map(|_| *rng.pick(&ATOMS).unwrap());
            let filled = |quoted: bool| {
                let atom = |at: usize| if quoted { format!("\"{}\"", atoms[at]) } else { atoms[at].to_owned() };
                template.replace('A', &atom(0)).replace('B', &atom(1)).replace('C', &atom(2))
            };
            let rule = Rule::parse("r", &filled(false)).unwrap().0;
            // The same with words that mean nothing.
            let plain = Rule::parse("r", &filled(true)).unwrap().0;
            let is_position = |seen: &&Seen| {
                let decided = plain.activities().any(|atom| atom.contains('(') && holds(atom, seen));
                seen.activity.is_some() || decided
            };
            let keeps = |word: &Vec<Seen>| {
                let trace: Vec<&Seen> = word.iter().filter(is_position).collect();
                plain.holds(&trace, |seen, atom| holds(atom, seen))
            };
            let expected = (words.iter().all(keeps), words.iter().any(keeps));
            let about = format!("{}\n{text}\n{words:?}", rule.text);
            let listed = behaviour.check(&rule, &budget).unwrap();
            let by_sets = Behaviour::check_by_sets(&model, &rule, &budget).unwrap().unwrap();
            for Checked { all, some, run } in [listed, by_sets] {
                assert_eq!((all, some), (Some(expected.0), Some(expected.1)), "{about}");
                let activities = run.map(|run| model.activities(run));
                let shown = |word: &Vec<Seen>| word.iter().filter_map(|seen| seen.activity).collect::<Vec<_>>();
                let is_broken = |run: &Vec<&str>| words.iter().any(|word| shown(word) == *run && !keeps(word));
                assert_eq!(activities.as_ref().map(is_broken), (!expected.0).then_some(true), "{about}");
            }
            let in_time = with_deep_stack(64, || timed.check(&rule, &budget)).unwrap();
            assert_eq!((in_time.all, in_time.some), expected, "{about}");
            counts[usize::from(expected.0) + usize::from(expected.1)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

#[test]
fn the_program_asks_which_way_gateways_take() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.rules");
    let asked = |rules: &str, options: &[&str]| {
        std::fs::write(&path, rules).unwrap();
        run(starset().arg("rules").arg(&path).arg("models/credit.bpmn").args(options))
    };
    let (out, err, status) = asked("not_response(flow(rejected), Ship)\n", &["--json"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    let steps = object["rules"][0]["broken_by"].as_array().unwrap();
    let flows: Vec<&str> = steps.iter().filter_map(|step| step["flows"][0]["name"].as_str()).collect();
    assert_eq!(flows, ["", "rejected", "yes", "", "accepted"]);
    // A gateway with an identifier, and a flow with one.
    let (out, err, _) = asked("F gateway(decide)\nresponse(flow(decide, f5), gateway(\"Appeal?\"))\n", &[]);
    assert!(err.is_empty() && out.matches(" true: ").count() == 2, "{out}{err}");
    let (out, err, _) = asked("F flow(ok)\nF gateway(check)\n", &[]);
    assert!(err.contains("rule 1: no gateway goes on by flow(ok)"), "{err}");
    assert!(err.contains("rule 2: no gateway goes on by gateway(check)"), "{err}");
    assert_eq!(out.matches("false in all complete runs").count(), 2, "{out}");
    let (_, err, status) = asked("F gateway(a, b)\n", &[]);
    assert!(status == 2 && err.contains("one name in brackets"), "{err}");
    for nameless in ["F flow(\"\", accepted)\n", "F gateway(\"\")\n"] {
        let (_, err, status) = asked(nameless, &[]);
        assert!(status == 2 && err.contains("without a name has its identifier"), "{err}");
    }
    std::fs::write(&path, "F flow(yes)\n").unwrap();
    let (_, err, status) =
        run(starset().args(["replay", "models/orders.csv", "models/order.bpmn", "--rules"]).arg(&path));
    assert!(status == 2 && err.contains("are about decisions of gateways"), "{err}");
}
