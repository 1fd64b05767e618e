//! Certificates of random models, formulas and path semantics against brute force; and what becomes of those that are
//! changed.
//!
//! `TRIALS=20000 CERTIFICATES=folder` makes more of them and leaves them for other checkers, `SEED` begins elsewhere.

#![allow(clippy::unwrap_used)]
use super::{Maker, Means, Sets, Uncertified};
use crate::budget::Budget;
use crate::decide::{Settings, explore};
use crate::formula::{Assumption, Condition, Formula, FormulaId, Logic, PathSemantics, Pool, Symbols, parse};
use crate::kinds::net::pnml;
use crate::kinds::network;
use crate::kinds::pins::PinsModel;
use crate::kinds::pins::etf::{self, Etf};
use crate::kinds::{Kind, write_tables};
use crate::model::LabelId;
use crate::net::{PetriNet, TransitionId};
use crate::oracle::{Fair, Setting, check};
use crate::random::{
    FormulaShape, NetShape, NetworkShape, Rng, formula, formula_over_steps, net, network as draw_network,
};
use crate::reference;
use crate::symbolic::Checker;
use starset_checker::Checksum;
use std::path::PathBuf;

const LOGICS: [Logic; 4] = [Logic::Ltl, Logic::Ctl, Logic::CtlStar, Logic::Reachability];

/// A net with a certificate.
struct Fixture {
    net: PetriNet,
    model: String,
    certificate: String,
    verdict: bool,
}

/// The verdict of brute force.
fn brute_force(net: &PetriNet, pool: &Pool, closed: FormulaId, paths: PathSemantics) -> Option<bool> {
    let graph = reference::explore(net, 1000)?;
    Some(check(Setting::new(&graph, pool, paths), closed).ok()?[&closed][0])
}

fn text_of(net: &PetriNet) -> String {
    let mut model = Vec::new();
    pnml::write(net, &mut model).unwrap();
    String::from_utf8(model).unwrap()
}

/// The case with this seed; none if its formula cannot be certified.
fn case(seed: u64) -> Option<Fixture> {
    drawn(seed, false, text_of)
}

/// The same of a formula under assumptions.
fn fair_case(seed: u64) -> Option<Fixture> {
    drawn(seed, true, text_of)
}

/// The same of the tables of a net.
fn tables_case(seed: u64) -> Option<Fixture> {
    drawn(seed, false, |net| write_tables(net, 1000, &Budget::unlimited()).unwrap())
}

fn drawn(seed: u64, fair: bool, text_of: fn(&PetriNet) -> String) -> Option<Fixture> {
    let mut rng = Rng::new(seed);
    let shape =
        NetShape { places: 5, transitions: 5, tokens: 3, weight: 2, inhibitors: true, reads: true, max_states: 60 };
    let net = net(&mut rng, &shape);
    let mut pool = Pool::new();
    let (logic, size) = (LOGICS[rng.below(4)], 1 + rng.below(7));
    let shape = FormulaShape { logic, size };
    let open = if rng.one_in(3) {
        formula_over_steps(&mut rng, &net, &shape, false, &mut pool)
    } else {
        formula(&mut rng, &net, &shape, &mut pool)
    };
    let paths = PathSemantics::ALL[rng.below(3)];
    let mut closed = pool.close(open);
    let mut asked = open;
    if fair {
        if net.transition_count() == 0 {
            return None;
        }
        let transition = TransitionId(rng.below(net.transition_count()) as u32);
        let mut condition = || formula(&mut rng, &net, &FormulaShape { logic: Logic::Boolean, size: 1 }, &mut pool);
        let (p, q, r) = (condition(), condition(), condition());
        let (enabled, taken) =
            (pool.add(Formula::Enabled(vec![transition])), pool.add(Formula::Action(vec![transition])));
        let impossible = pool.not(enabled);
        let weak = Condition::Justice(pool.or(vec![impossible, taken]));
        let (justice, compassion) = (Fair::Justice, Fair::Compassion);
        let (conditions, by_definition) = match rng.below(5) {
            0 => (vec![Condition::Justice(p)], vec![justice(p)]),
            1 => (vec![Condition::Compassion(p, q)], vec![compassion(p, q)]),
            2 => (vec![Condition::Justice(r), Condition::Compassion(p, q)], vec![justice(r), compassion(p, q)]),
            3 => (vec![weak], vec![Fair::Weak(vec![transition])]),
            _ => (vec![Condition::Compassion(enabled, taken)], vec![Fair::Strong(vec![transition])]),
        };
        let graph = reference::explore(&net, 1000)?;
        let expected = check(Setting::new(&graph, &pool, paths).under(&by_definition), closed).ok()?[&closed][0];
        asked = pool.under(closed, &[Assumption::new("drawn", conditions)]);
        closed = asked;
        // What is certified says the same about all paths.
        assert_eq!(brute_force(&net, &pool, closed, paths), Some(expected), "seed {seed}");
    }
    let verdict = brute_force(&net, &pool, closed, paths)?;
    let model = text_of(&net);
    let certificate = made(&net, &model, &pool, (asked, paths), verdict, seed)?;
    Some(Fixture { net, model, certificate, verdict })
}

/// A certificate of the verdict, and none of the opposite.
fn made(
    model: &dyn Kind,
    text: &str,
    pool: &Pool,
    asked: (FormulaId, PathSemantics),
    verdict: bool,
    seed: u64,
) -> Option<String> {
    let budget = Budget::unlimited().with_memory(4 << 20);
    let space = explore(model, &Settings::default(), true, &budget, &|_| ()).unwrap();
    let mut maker = Maker::new(model, text, (None, None)).unwrap();
    maker.few = [5, 30, 1000][seed as usize % 3];
    let sets = Sets::new(space).unwrap();
    let mut space = || Ok(&sets);
    let certificate = match maker.certify(Means::Sets(&mut space), pool, asked, (verdict, None), &budget) {
        Err(Uncertified::Formula(_) | Uncertified::Stopped(_)) => return None,
        made => made.unwrap_or_else(|error| panic!("seed {seed}: {error}")),
    };
    let opposite = maker.certify(Means::Sets(&mut space), pool, asked, (!verdict, None), &budget);
    assert!(matches!(opposite, Err(Uncertified::NotProved | Uncertified::Stopped(_))), "seed {seed}: {opposite:?}");
    let short = maker.certify(Means::Few, pool, asked, (verdict, None), &budget);
    assert!(maker.certify(Means::Few, pool, asked, (!verdict, None), &budget).is_err(), "seed {seed}");
    // All states of these models are not many, and prove the verdict one by one.
    let many = maker.certify(Means::Many, pool, asked, (verdict, None), &budget);
    let many = many.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert!(maker.certify(Means::Many, pool, asked, (!verdict, None), &budget).is_err(), "seed {seed}");
    for certificate in [Some(&certificate), short.as_ref().ok(), Some(&many)].into_iter().flatten() {
        let proved =
            maker.check(certificate, &budget).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{certificate}"));
        assert_eq!(proved.verdict, verdict, "seed {seed}");
    }
    // All of these few nets are small.
    assert!(maker.few < 1000 || short.is_ok(), "seed {seed}: {short:?}");
    Some(short.ok().filter(|_| seed.is_multiple_of(2)).unwrap_or(certificate))
}

/// The seeds of a test.
fn trials(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("SEED").unwrap_or(0);
    first..first + number("TRIALS").unwrap_or(usual)
}

/// Leave a certificate for other checkers.
fn leave(name: &str, model: &str, certificate: &str) {
    if let Some(folder) = std::env::var_os("CERTIFICATES").map(PathBuf::from) {
        std::fs::write(folder.join(format!("{name}.model")), model).unwrap();
        std::fs::write(folder.join(format!("{name}.cert")), certificate).unwrap();
    }
}

#[test]
fn verdicts_of_random_nets_are_certified() {
    let made = trials(150).filter_map(|seed| Some((seed, case(seed)?)));
    let left = made.inspect(|(seed, case)| leave(&format!("{seed}-{}", case.verdict), &case.model, &case.certificate));
    assert!(left.count() > 30);
}

#[test]
fn verdicts_of_random_tables_are_certified() {
    let made = trials(60).filter_map(|seed| Some((seed, tables_case(seed)?)));
    let left = made.inspect(|(seed, case)| leave(&format!("{seed}-{}", case.verdict), &case.model, &case.certificate));
    assert!(left.count() > 10);
}

/// A model behind a next-state function: what it says of itself, and its tables, are told apart by number.
#[test]
fn verdicts_of_random_systems_are_certified() {
    let (budget, mut made_so_far) = (Budget::unlimited().with_memory(4 << 20), 0);
    for seed in trials(60) {
        let mut rng = Rng::new(seed);
        let shape = NetworkShape { components: 3, states: 4, labels: 5, edges: 8, max_states: 100 };
        // States have names here, and some are never reached: values and actions that the tables know nothing of.
        let description = etf::describe(&draw_network(&mut rng, &shape), 1000, &budget).unwrap();
        let mut text = etf::write(&description);
        text.push_str(&format!(
            "begin map odd:truth\n{}end map\n",
            rows_of_a_map(&mut rng, description.variables.len())
        ));
        text.push_str("begin sort truth\nfalse true\nend sort\n");
        let model = PinsModel::new("drawn", Etf::read("drawn.etf", &text).unwrap()).unwrap();
        let (mut pool, net) = (Pool::new(), model.interactions().into_owned());
        let shape = FormulaShape { logic: LOGICS[rng.below(4)], size: 1 + rng.below(7) };
        let open = if rng.one_in(2) {
            formula_over_steps(&mut rng, &net, &shape, false, &mut pool)
        } else {
            formula(&mut rng, &net, &shape, &mut pool)
        };
        let odd = pool.add(Formula::Label(LabelId(0)));
        let open = if rng.one_in(2) { pool.and(vec![open, odd]) } else { open };
        let paths = PathSemantics::ALL[rng.below(3)];
        let closed = pool.close(open);
        let space = explore(&model, &Settings::default(), true, &budget, &|_| ()).unwrap();
        let mut checker = Checker::new(&space.relation, space.set.clone(), paths).unwrap();
        let Ok(set) = checker.sat(&pool, closed, &budget) else { continue };
        let verdict = set.contains(space.relation.initial());
        let tables = write_tables(&model, 1000, &budget).unwrap();
        made_so_far += usize::from(made(&model, &tables, &pool, (open, paths), verdict, seed).is_some());
    }
    assert!(made_so_far > 10);
}

/// Rows of a map, each true or false, over columns that have a few small numbers.
fn rows_of_a_map(rng: &mut Rng, columns: usize) -> String {
    let mut entry = |_| if rng.one_in(2) { "*".to_owned() } else { rng.below(3).to_string() };
    let rows =
        (0..4).map(|row| (0..columns).map(&mut entry).collect::<Vec<_>>().join(" ") + &format!(" {}\n", row % 2));
    rows.collect()
}

#[test]
fn verdicts_of_random_networks_are_certified() {
    let mut made_so_far = 0;
    for seed in trials(60) {
        let mut rng = Rng::new(seed);
        let shape = NetworkShape { components: 3, states: 4, labels: 5, edges: 8, max_states: 100 };
        let drawn = draw_network(&mut rng, &shape);
        let mut pool = Pool::new();
        let (logic, size) = (LOGICS[rng.below(4)], 1 + rng.below(7));
        let shape = FormulaShape { logic, size };
        let open = if rng.one_in(2) {
            formula_over_steps(&mut rng, &drawn.skeleton(), &shape, false, &mut pool)
        } else {
            formula(&mut rng, &drawn.skeleton(), &shape, &mut pool)
        };
        let paths = PathSemantics::ALL[rng.below(3)];
        let closed = pool.close(open);
        let mut text = Vec::new();
        network::write_dot(&drawn, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let budget = Budget::unlimited().with_memory(4 << 20);
        let space = explore(&drawn, &Settings::default(), true, &budget, &|_| ()).unwrap();
        let mut checker = Checker::new(&space.relation, space.set.clone(), paths).unwrap();
        let Ok(set) = checker.sat(&pool, closed, &budget) else { continue };
        let verdict = set.contains(space.relation.initial());
        made_so_far += usize::from(made(&drawn, &text, &pool, (open, paths), verdict, seed).is_some());
    }
    assert!(made_so_far > 10);
}

/// Some of a list.
fn any<'l, T>(rng: &mut Rng, list: &'l [T]) -> Option<&'l T> {
    (!list.is_empty()).then(|| &list[rng.below(list.len())])
}

/// Another number in one of the words of a line.
fn renumbered(rng: &mut Rng, line: &str, separators: &[char]) -> String {
    let digits: Vec<(usize, &str)> = line
        .split(separators)
        .map(|word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
        .filter(|(_, word)| word.parse::<u64>().is_ok())
        .collect();
    let Some(&(at, word)) = any(rng, &digits) else { return line.to_owned() };
    let number: u64 = word.parse().unwrap();
    let number = [number + 1, number.saturating_sub(1), number + 2, 0, 1][rng.below(5)];
    format!("{}{number}{}", &line[..at], &line[at + word.len()..])
}

/// The pairs of a line of nodes, with all their values, and what is before them.
fn node_of(line: &str) -> (&str, Vec<(u64, String)>) {
    let (times, mut rest) = line.split_at(line.find('*').map_or(0, |at| at + 1));
    let mut pairs: Vec<(u64, String)> = Vec::new();
    while !rest.is_empty() {
        rest = rest.trim_start_matches(',');
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let mut value = pairs.last().map_or(0, |pair| pair.0 + 1);
        if rest[digits..].starts_with(':') {
            (value, rest) = (rest[..digits].parse().unwrap(), &rest[digits + 1..]);
        }
        let end =
            rest[1..].find(|c: char| !c.is_ascii_digit() || rest.starts_with('+')).map_or(rest.len(), |at| at + 1);
        pairs.push((value, rest[..end].to_owned()));
        rest = &rest[end..];
    }
    (times, pairs)
}

fn line_of((times, pairs): (&str, Vec<(u64, String)>)) -> String {
    let mut line = times.to_owned();
    for (value, child) in pairs {
        let comma = if line.ends_with(|c: char| c.is_ascii_digit()) { "," } else { "" };
        line.push_str(&format!("{comma}{value}:{child}"));
    }
    line
}

/// A certificate with a change, a model that it may be about, and what was changed.
fn mutated<'c>(rng: &mut Rng, case: &'c Fixture, other: &'c Fixture) -> (String, &'c Fixture, &'static str) {
    let mut lines: Vec<String> = case.certificate.lines().map(str::to_owned).collect();
    let end = lines.len() - 2;
    let find = |lines: &[String], begin: &[&str]| -> Vec<usize> {
        (0..end).filter(|&at| begin.iter().any(|begin| lines[at].starts_with(begin))).collect()
    };
    let is_node = |line: &str| line.bytes().all(|byte| b"0123456789*:,+-".contains(&byte));
    let nodes: Vec<usize> = (0..end).filter(|&at| is_node(&lines[at])).collect();
    let field = |lines: &[String], name: &str| find(lines, &[name])[0];
    let (mut about, mut repaired) = (case, true);
    let kind = match rng.below(16) {
        0 | 1 => {
            for _ in 0..1 + rng.below(2) {
                if let Some(&at) = any(rng, &nodes) {
                    lines[at] = renumbered(rng, &lines[at], &['*', ':', ',', '+', '-']);
                }
            }
            "a number in a node"
        }
        2 => {
            if let Some(&at) = any(rng, &nodes) {
                let (times, mut pairs) = node_of(&lines[at]);
                if pairs.len() > 1 {
                    pairs.remove(rng.below(pairs.len()));
                }
                lines[at] = line_of((times, pairs));
            }
            "a state taken away"
        }
        3 => {
            if let Some(&at) = any(rng, &nodes) {
                let (times, mut pairs) = node_of(&lines[at]);
                let value = pairs.last().unwrap().0 + 1;
                pairs.push((value, ["0", "1", "+"][rng.below(3)].to_owned()));
                lines[at] = line_of((times, pairs));
            }
            "a state added"
        }
        4 => {
            // The nodes of the last level come first; their children are ranks.
            let first = find(&lines, &["layer"]).first().copied().unwrap_or(end);
            let ranks = (first + 1..end).take_while(|&at| is_node(&lines[at])).collect::<Vec<_>>();
            if let Some(&at) = any(rng, &ranks) {
                let (times, mut pairs) = node_of(&lines[at]);
                for (_, rank) in &mut pairs {
                    let old: u64 = rank.parse().unwrap();
                    *rank = if rng.below(2) == 0 { old + 1 } else { old.saturating_sub(1) }.to_string();
                }
                lines[at] = line_of((times, pairs));
            }
            "ranks"
        }
        5 => {
            let at = field(&lines, "verdict");
            lines[at] = if lines[at].ends_with("true") { "verdict false" } else { "verdict true" }.to_owned();
            "another verdict"
        }
        6 => {
            let at = field(&lines, "formula");
            lines[at] = other.certificate.lines().find(|line| line.starts_with("formula")).unwrap().to_owned();
            "another formula"
        }
        7 => {
            let at = field(&lines, "formula");
            let (old, new) = [
                (" U ", " R "),
                ("A (", "E ("),
                ("E (", "A ("),
                ("<=", ">="),
                (" & ", " | "),
                ("X ", ""),
                ("action", "enabled"),
                ("enabled", "action"),
            ][rng.below(8)];
            lines[at] = if rng.below(3) == 0 {
                renumbered(rng, &lines[at], &[' ', ')', '('])
            } else {
                lines[at].replacen(old, new, 1)
            };
            "the formula"
        }
        8 => {
            let at = field(&lines, "paths");
            lines[at] = format!("paths {}", PathSemantics::ALL[rng.below(3)]);
            "the path semantics"
        }
        9 => {
            about = other;
            let at = field(&lines, "net");
            lines[at] = other.certificate.lines().find(|line| line.starts_with("net")).unwrap().to_owned();
            "another net"
        }
        10 => {
            if let Some(&at) = any(rng, &find(&lines, &["set", "claim"])) {
                lines[at] = renumbered(rng, &lines[at], &[' ']);
            }
            "a number in a claim"
        }
        11 => {
            let (a, b) = (rng.below(end), rng.below(end));
            match rng.below(3) {
                0 => lines.swap(a, b),
                1 => drop(lines.remove(a)),
                _ => lines.insert(a, lines[b].clone()),
            }
            "lines"
        }
        12 => {
            if let Some(&at) = any(rng, &find(&lines, &["keeps", "sum", "split"])) {
                lines[at] = renumbered(rng, &lines[at], &[' ', ':', '(', ')']);
            }
            "a proof by inequalities"
        }
        13 => {
            if let Some(&at) = any(rng, &find(&lines, &["fire", "same", "step", "levels", "layer"])) {
                lines[at] = renumbered(rng, &lines[at], &[' ', '-']);
            }
            "a number of a step or a level"
        }
        14 => {
            lines.truncate(rng.below(lines.len()));
            repaired = false;
            "a truncated file"
        }
        _ => {
            let mut bytes = case.certificate.clone().into_bytes();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(7);
            }
            return (String::from_utf8_lossy(&bytes).into_owned(), case, "bits");
        }
    };
    let mut text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    if repaired && let Some(at) = text.rfind("check ") {
        text.truncate(at);
        let mut sum = Checksum::default();
        sum.add(text.as_bytes());
        text.push_str(&format!("check {:016x}\nend\n", sum.0));
    }
    (text, about, kind)
}

/// Accepted certificates are true.
#[test]
fn changed_certificates_are_refused_or_true() {
    changed(&(0..).filter_map(case).take(60).collect::<Vec<_>>(), 1000);
}

/// The same of tables.
#[test]
fn changed_certificates_of_tables_are_refused_or_true() {
    changed(&(0..).filter_map(tables_case).take(60).collect::<Vec<_>>(), 500);
}

/// The same of formulas under justice and compassion: `TRIALS` of them.
#[test]
fn changed_certificates_under_fairness_are_refused_or_true() {
    changed(&(0..).filter_map(fair_case).take(60).collect::<Vec<_>>(), 300);
}

fn changed(cases: &[Fixture], usual: u64) {
    let mut accepted = std::collections::BTreeMap::new();
    for seed in trials(usual) {
        let mut rng = Rng::new(seed);
        let (case, other) = (any(&mut rng, cases).unwrap(), any(&mut rng, cases).unwrap());
        let (text, about, kind) = mutated(&mut rng, case, other);
        let seen: &mut [usize; 3] = accepted.entry(kind).or_default();
        let proved = starset_checker::with_stack(|| starset_checker::check(&about.model, &text)).unwrap();
        leave(&format!("m{seed}-{}", proved.is_ok()), &about.model, &text);
        let Ok(proved) = proved else {
            seen[0] += 1;
            continue;
        };
        seen[1 + usize::from(text == case.certificate)] += 1;
        let (mut pool, symbols) = (Pool::new(), Symbols::new(&about.net));
        let open = parse(&proved.formula, &symbols, &mut pool).unwrap();
        let closed = pool.close(open);
        let expected = brute_force(&about.net, &pool, closed, proved.paths.parse().unwrap());
        assert_eq!(Some(proved.verdict), expected, "seed {seed}, {kind}: {proved}");
    }
    // How many of each kind are refused, accepted, and not changed at all: `--nocapture` shows it.
    #[allow(clippy::print_stdout)]
    for (kind, [refused, accepted, same]) in &accepted {
        println!("{kind}: {refused} refused, {accepted} accepted, {same} the same as before");
    }
    let [refused, all] = [1, 3].map(|kinds| accepted.values().flat_map(|seen| &seen[..kinds]).sum::<usize>());
    assert!(4 * refused > all, "{refused} of {all}");
}
