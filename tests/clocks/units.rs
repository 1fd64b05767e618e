//! Formulas mean what they do in dense time, each whatever stands beside it: against brute force over a fine grid.
//!
//! The oracle looks at every moment of the fine grid and at the middle between each two of them, so that no value of a clock
//! between two whole numbers is passed over.

use super::brute::{Brute, State};
use super::{nets, number};
use crate::cli::{run, starset};
use crate::shared::shared;
use serde_json::Value;
use starset::Model;
use starset::kinds::clocks::line_format;
use starset::kinds::clocks::model::ClockNet;
use starset::kinds::clocks::random::{Shape, net};
use starset::rng::Rng;
use std::collections::HashMap;

/// Of a state of the fine grid.
enum Condition {
    /// A clock is compared with a number of halves.
    Clock(usize, &'static str, i64),
    Tokens(usize, u32),
    Enabled(usize),
    Not(Box<Condition>),
    Both(bool, Box<Condition>, Box<Condition>),
}

impl Condition {
    fn random(rng: &mut Rng, net: &ClockNet, depth: usize) -> Condition {
        if depth > 0 && !rng.one_in(3) {
            let part = |rng: &mut Rng| Box::new(Condition::random(rng, net, depth - 1));
            return match rng.below(3) {
                0 => Condition::Not(part(rng)),
                n => Condition::Both(n == 1, part(rng), part(rng)),
            };
        }
        match rng.below(8) {
            0 => Condition::Tokens(rng.below(net.places.len()), 1),
            1 => Condition::Enabled(rng.below(net.transitions.len())),
            _ => {
                let relation = ["=", "<=", ">", "!=", "<", ">="][rng.below(6)];
                let halves = if rng.one_in(5) { 1 } else { 0 };
                Condition::Clock(rng.below(net.clocks.len()), relation, 2 * rng.below(4) as i64 + halves)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Condition::Clock(x, relation, halves) => format!("x{x} {relation} {halves}/2"),
            Condition::Tokens(p, n) => format!("#p{p} >= {n}"),
            Condition::Enabled(t) => format!("enabled(t{t})"),
            Condition::Not(a) => format!("!({})", a.text()),
            Condition::Both(and, a, b) => format!("(({}) {} ({}))", a.text(), if *and { "&" } else { "|" }, b.text()),
        }
    }

    fn holds(&self, brute: &Brute<'_>, state: &State) -> bool {
        match self {
            Condition::Clock(x, relation, halves) => {
                let (value, moment) = (state.1[*x], 4 * halves);
                match *relation {
                    "=" => value == moment,
                    "!=" => value != moment,
                    "<" => value < moment,
                    "<=" => value <= moment,
                    ">" => value > moment,
                    _ => value >= moment,
                }
            }
            Condition::Tokens(p, n) => state.0[*p] >= *n,
            Condition::Enabled(t) => brute.fire(*t, state).is_some(),
            Condition::Not(a) => !a.holds(brute, state),
            Condition::Both(true, a, b) => a.holds(brute, state) && b.holds(brute, state),
            Condition::Both(false, a, b) => a.holds(brute, state) || b.holds(brute, state),
        }
    }
}

/// The fine grid with the middles between its moments: states, and what follows each.
struct Fine<'n> {
    brute: Brute<'n>,
    states: Vec<State>,
    next: Vec<Vec<usize>>,
}

impl<'n> Fine<'n> {
    fn of(net: &'n ClockNet, constant: i64) -> Self {
        let brute = Brute::explore(net, constant);
        let mut states = brute.states.clone();
        let ids: HashMap<State, usize> = states.iter().cloned().zip(0..).collect();
        let mut next: Vec<Vec<usize>> = Vec::new();
        let mut middles = Vec::new();
        for state in &brute.states {
            let fired = (0..net.transitions.len()).filter_map(|t| brute.fire(t, state));
            let mut all: Vec<usize> = fired.map(|state| ids[&state]).collect();
            let middle = brute.later(state);
            if brute.inside(&middle) {
                all.push(states.len());
                let later = brute.later(&middle);
                middles.push(if brute.inside(&later) { vec![ids[&later]] } else { Vec::new() });
                states.push(middle);
            }
            next.push(all);
        }
        next.extend(middles);
        Fine { brute, states, next }
    }

    /// Does some run come to `goal`, with `until` all the way?
    fn reaches(&self, until: &dyn Fn(&State) -> bool, goal: &dyn Fn(&State) -> bool) -> bool {
        let (mut seen, mut open) = (vec![false; self.states.len()], vec![0]);
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if goal(&self.states[at]) {
                return true;
            }
            if until(&self.states[at]) {
                open.extend(&self.next[at]);
            }
        }
        false
    }
}

/// A formula with what it is in dense time.
fn question(rng: &mut Rng, fine: &Fine<'_>, net: &ClockNet) -> (String, bool) {
    let goal = Condition::random(rng, net, 3);
    let holds = |state: &State| goal.holds(&fine.brute, state);
    match rng.below(6) {
        0 | 1 => (format!("E F ({})", goal.text()), fine.reaches(&|_| true, &holds)),
        2 | 3 => (format!("A G ({})", goal.text()), !fine.reaches(&|_| true, &|state| !holds(state))),
        n => {
            // What is between two moments of the grid is passed over with several clocks: docs/clocks.md.
            let left = match net.clocks.len() {
                1 => Condition::random(rng, net, 2),
                _ => Condition::Tokens(rng.below(net.places.len()), 1),
            };
            let found = fine.reaches(&|state| left.holds(&fine.brute, state), &holds);
            let text = format!("E (({}) U ({}))", left.text(), goal.text());
            if n == 4 { (text, found) } else { (format!("!{text}"), !found) }
        }
    }
}

#[test]
fn formulas_mean_what_they_do_in_dense_time() {
    let seeds = number("SEED").map_or(0..nets(1500), |seed| seed..seed + 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.pnwc");
    let (mut asked, mut holding) = (0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let shape = Shape { clocks: 2, places: 4, transitions: 5, constant: 3, closed: !seed.is_multiple_of(4) };
        let net = net(&mut rng, &shape);
        let fine = Fine::of(&net, 4);
        if fine.states.is_empty() {
            continue;
        }
        let questions: Vec<(String, bool)> = (0..6).map(|_| question(&mut rng, &fine, &net)).collect();
        let text = line_format::write(&net).unwrap();
        std::fs::write(&path, &text).unwrap();
        let model = Model::read(&path).unwrap();
        let formulas: Vec<&str> = questions.iter().map(|(formula, _)| formula.as_str()).collect();
        let together = model.check_all(&formulas).unwrap();
        for ((formula, expected), verdict) in questions.iter().zip(&together) {
            assert_eq!(verdict.verdict(), Some(*expected), "SEED={seed}\n{text}{formula}");
            asked += 1;
            holding += u32::from(*expected);
        }
        // Alone they are what they are beside others.
        let alone = model.check(formulas[0]).unwrap();
        assert_eq!(alone.verdict(), Some(questions[0].1), "SEED={seed}\n{text}{}", formulas[0]);
    }
    let found = format!("{asked} asked, {holding} hold");
    assert!(number("SEED").is_some() || asked > 1000 && holding > 200 && holding < asked - 200, "{found}");
    eprintln!("{found}");
}

/// What `check` says of formulas, together.
fn verdicts(formulas: &[&str], more: &[&str]) -> (String, String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("eq.pnwc");
    std::fs::write(&path, "net eq\nclocks x\nplace s init 1 inv x<=2\nplace a\ntrans go : s -> a when x>=1\n").unwrap();
    let path = shared("faults/clock-formula.pnwc").unwrap_or(path);
    let arguments = formulas.iter().flat_map(|formula| ["-f", formula]);
    run(starset().arg("check").arg(path).args(arguments).args(more))
}

#[test]
fn a_formula_has_a_unit_of_its_own() {
    let (never, half, between) = ("AG (x = 0 | x >= 1)", "EF x = 1/2", "EF (x < 1 & x > 0)");
    for (formula, verdict) in [(never, "false"), (half, "true"), (between, "true"), ("EF x = 2", "true")] {
        let (out, err, status) = verdicts(&[formula], &[]);
        assert_eq!((out.trim(), status), (format!("1: {verdict}").as_str(), 0), "{err}");
    }
    // Thirds beside halves are other models.
    let (out, err, status) = verdicts(&[never, half, "EF x = 1/3", between], &["--threads", "1"]);
    let mut lines: Vec<&str> = out.lines().collect();
    lines.sort_unstable();
    assert_eq!((lines.join(" ").as_str(), status), ("1: false 2: true 3: true 4: true", 0), "{err}");
    assert!(err.contains("1: integer time may miss") && err.contains("a unit is divided by 2"), "{err}");
    for formula in [never, between, "AG EF #a = 1", "EX x = 1"] {
        let (out, err, status) = verdicts(&[formula], &["--exact"]);
        assert!(status == 2 && out.is_empty() && err.contains("--exact"), "{formula}: {out}{err}");
    }
    for formula in [half, "AG !(x = 1/2 & x >= 1)", "EF enabled(go)", "E (#s = 1 U x >= 2)", "AG x < 3"] {
        let (_, err, status) = verdicts(&[formula], &["--exact"]);
        assert_eq!((status, err.as_str()), (0, ""), "{formula}");
    }
}

/// Numbers of parts are no numbers of other parts.
#[test]
fn a_saved_set_is_of_one_unit() {
    let folder = tempfile::tempdir().unwrap();
    let (path, set) = (folder.path().join("eq.pnwc"), folder.path().join("half.set"));
    std::fs::write(&path, "net eq\nclocks x\nplace s init 1 inv x<=2\nplace a\ntrans go : s -> a when x>=1\n").unwrap();
    let satset = |arguments: &[&str]| run(starset().arg("satset").arg(&path).args(arguments));
    let set = set.to_str().unwrap();
    let (out, err, status) = satset(&["-f", "x > 1/2 & x < 2", "--save", set]);
    assert!(status == 0 && out.contains("holds in"), "{err}");
    let (_, err, status) = satset(&["--load", set]);
    assert!(status == 2 && err.contains("eq in units of 1/2") && err.contains("do not count as those of eq"), "{err}");
    let (out, err, status) = satset(&["--load", set, "-f", "x = 1/2"]);
    assert_eq!(status, 0, "{out}{err}");
    // Nor are sets of two units combined.
    let whole = folder.path().join("whole.set");
    satset(&["-f", "x <= 1", "--save", whole.to_str().unwrap()]);
    let (out, err, status) = run(starset().args(["combine", "union", set]).arg(&whole));
    assert!(status == 2 && out.is_empty() && err.contains("do not count alike"), "{out}{err}");
    // Above all that a clock is compared with, its values are one: which, is a matter of the formulas.
    let more = folder.path().join("more.set");
    satset(&["-f", "x >= 4", "--save", more.to_str().unwrap()]);
    let (_, err, status) = satset(&["--load", more.to_str().unwrap()]);
    assert!(status == 2 && err.contains("x up to 4") && err.contains("do not count as those of eq"), "{err}");
    let (out, err, status) = satset(&["--load", more.to_str().unwrap(), "-f", "x >= 4"]);
    let [one, other] = [0, 1].map(|line| out.lines().nth(line).unwrap().split_once(": ").unwrap().1);
    assert!(status == 0 && one == other, "{out}{err}");
    let (_, err, status) = run(starset().args(["combine", "equal"]).arg(&more).arg(&whole));
    assert!(status == 2 && err.contains("x up to 4 and eq with clocks x up to 2"), "{err}");
    // Several units are several models.
    let (_, err, status) = satset(&["--load", set, "-f", "EF x = 1/2", "-f", "EF x = 1/3"]);
    assert!(status == 2 && err.contains("units of time of their own"), "{err}");
}

/// A page has formulas of several units, each as it was written and with its unit, in their order.
#[test]
fn a_page_has_formulas_of_several_units() {
    let folder = tempfile::tempdir().unwrap();
    let (path, page) = (folder.path().join("wait.pnwc"), folder.path().join("wait.html"));
    std::fs::write(&path, "net wait\nclocks x\nplace s init 1 inv x<=2\nplace a\ntrans go : s -> a when x>=1\n")
        .unwrap();
    let asked = ["-f", "EF x=1/2", "-f", "EF  #a = 1", "-f", "EF x = 1/3", "--report", page.to_str().unwrap()];
    let (out, err, status) = run(starset().arg("check").arg(&path).args(asked).arg("--witness"));
    assert_eq!((err.as_str(), status), ("", 0));
    assert!(out.contains("shows EF x=1/2 (1 step, shortest, maximal paths, clocks in 1/2)"), "{out}");
    assert!(out.contains("shows EF  #a = 1 (3 steps, shortest, maximal paths, clocks in 1/2)"), "{out}");
    assert!(out.contains("shows EF x = 1/3 (1 step, shortest, maximal paths, clocks in 1/3)"), "{out}");
    let html = std::fs::read_to_string(&page).unwrap();
    let (_, data) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let told = data["results"].as_array().unwrap().iter().map(|result| {
        let states = result["witness"]["runs"][0]["states"].as_array().unwrap().len();
        (result["written"].as_str().unwrap(), result["scale"].as_u64().unwrap(), states)
    });
    assert_eq!(told.collect::<Vec<_>>(), [("EF x=1/2", 2, 2), ("EF  #a = 1", 2, 4), ("EF x = 1/3", 3, 2)]);
    assert_eq!(data["beside"].as_array().unwrap().len(), 3);
}
