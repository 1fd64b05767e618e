//! The semantics of models, on small ones: each test is a rule of the language.

use std::collections::{BTreeSet, VecDeque};

use super::super::next_state::{Batch, COPY, LabelRole, ModelError, NextState, Successors, Value};
use super::{Dve, compare_moves};

fn read(text: &str) -> Dve {
    match Dve::read("test.dve", text) {
        Ok(model) => model,
        Err(error) => unreachable!("{error}"),
    }
}

fn error(text: &str) -> String {
    Dve::read("test.dve", text).err().map(|error| error.to_string()).unwrap_or_default()
}

/// The successors of a state: names of groups and states.
fn successors(model: &Dve, state: &[Value]) -> Result<Vec<(String, Vec<Value>)>, ModelError> {
    let mut all = Vec::new();
    for (number, group) in model.signature().groups.iter().enumerate() {
        let short: Vec<Value> = group.reads.iter().map(|&variable| state[variable]).collect();
        let mut found = Successors::default();
        model.next(number, &Batch::new(&short, short.len(), 1), &mut found)?;
        for (action, values) in found.iter().flatten() {
            let mut new = state.to_vec();
            for (variable, &value) in group.writes().zip(values).filter(|(_, value)| **value != COPY) {
                new[variable] = value;
            }
            all.push((model.action(action).into_owned(), new));
        }
    }
    assert_eq!(compare_moves(model, model, state), Ok(()));
    Ok(all)
}

/// All reachable states, in words: `variable=value` of those whose names are given.
fn reachable(model: &Dve, names: &str) -> Vec<String> {
    let signature = model.signature();
    let mut seen: BTreeSet<Vec<Value>> = signature.initial.iter().cloned().collect();
    let mut queue: VecDeque<_> = seen.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        for (_, new) in successors(model, &state).unwrap_or_default() {
            if seen.insert(new.clone()) {
                queue.push_back(new);
            }
        }
    }
    let words = |state: &Vec<Value>| {
        let all = signature
            .variables
            .iter()
            .zip(state)
            .filter(|(variable, _)| names.split(' ').any(|name| name == variable.name));
        all.map(|(variable, &value)| model.show(variable.kind, value).into_owned()).collect::<Vec<_>>().join(" ")
    };
    let set: BTreeSet<String> = seen.iter().map(words).collect();
    set.into_iter().collect()
}

fn check(text: &str, names: &str, expected: &[&str]) {
    assert_eq!(reachable(&read(text), names), expected, "{text}");
}

#[test]
fn variables_have_names_and_values() {
    let model = read(
        "byte x = 3, a[2] = {1}; int n = -x; channel {byte, int} c[1];
         process P { const byte k = 1; byte y = k; state p, q; init q; } system async;",
    );
    let signature = model.signature();
    let shown: Vec<String> = signature
        .variables
        .iter()
        .zip(&signature.initial[0])
        .map(|(variable, &value)| {
            let shown = model.show(variable.kind, value).into_owned();
            assert_eq!(model.read(variable.kind, &shown), Some(value));
            format!("{}:{}={shown}", variable.name, signature.types[variable.kind])
        })
        .collect();
    assert_eq!(
        shown.join(" "),
        "x:byte=3 a[0]:byte=1 a[1]:byte=0 n:int=-3 c:channel=0 c[0].0:byte=0 c[0].1:int=0 P:P=q P.y:byte=1"
    );
    assert_eq!(model.number(1, model.read(1, "-32768").unwrap_or_default()), Some(-32_768));
    assert_eq!(model.read(0, "256"), None);
    assert_eq!(model.read(1, "40000"), None);
    assert_eq!(model.read(3, "r"), None);
    assert_eq!(model.number(3, 0), None);
}

#[test]
fn assignment_truncates_and_effects_follow_each_other() {
    check(
        "byte x = 255; int n = 32767;
         process P { state p, q; init p; trans p -> q { effect x = x + 1, n = n + 1 + x; }; } system async;",
        "x n",
        &["0 -32768", "255 32767"],
    );
}

#[test]
fn rendezvous_sends_first_then_receiver_then_sender() {
    // x: received 1, receiver makes it 12, sender makes it 123; the value was computed before all that.
    check(
        "int x = 1; channel c;
         process P { state p, q; init p; trans p -> q { sync c!x; effect x = x * 10 + 3; }; }
         process Q { int y; state p, q; init p; trans p -> q { sync c?y; effect x = y * 10 + 2; }; }
         system async;",
        "x P Q Q.y",
        &["1 p p 0", "123 q q 1"],
    );
}

#[test]
fn nobody_meets_himself() {
    let model =
        read("channel c; process P { state p; init p; trans p -> p { sync c!; }, p -> p { sync c?; }; } system async;");
    assert!(model.signature().groups.is_empty());
}

#[test]
fn typed_channels_truncate_and_buffers_are_queues() {
    check(
        "channel {byte} c[0]; int y;
         process P { state p, q; init p; trans p -> q { sync c!257; }; }
         process Q { state p; init p; trans p -> p { sync c?y; }; } system async;",
        "y P",
        &["0 p", "1 q"],
    );
    let model = read(
        "channel {byte, int} c[2];
         process P { int x = 5; state p; init p; trans p -> p { guard x < 8; sync c!{x, -x}; effect x = x + 1; }; }
         process Q { int y, z; state p; init p; trans p -> p { sync c?{y, z}; }; } system async;",
    );
    let found = reachable(&model, "c c[0].0 c[1].0 Q.z");
    // Messages arrive in their order, at most two are under way, and the value is that before the effect.
    let expected =
        ["0 0 0 -5", "0 0 0 -6", "0 0 0 -7", "0 0 0 0", "1 5 0 0", "1 6 0 -5", "1 7 0 -6", "2 5 6 0", "2 6 7 -5"];
    assert_eq!(found, expected);
}

#[test]
fn committed_states_go_first() {
    let text = "byte x; channel c;
        process P { state p, q; init p; COMMIT trans p -> q { effect x = 1; }; }
        process Q { state p, q; init p; trans p -> q { effect x = 2; }, p -> q { sync c!; }; }
        process R { state p; init p; trans p -> p { sync c?; }; } system async;";
    let names = |text: &str| {
        let model = read(text);
        let all = successors(&model, &model.signature().initial[0]).unwrap_or_default();
        all.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(names(&text.replace("COMMIT", "")), ["P.p->q", "Q.p->q", "Q.p->q c!, R.p->p c?"]);
    assert_eq!(names(&text.replace("COMMIT", "commit p;")), ["P.p->q"]);
    // A rendezvous needs both committed.
    assert_eq!(
        names(&text.replace("COMMIT", "").replace("state p; init p;", "state p; init p; commit p;")),
        Vec::<String>::new()
    );
    let both = text.replace("COMMIT", "").replace("init p;", "init p; commit p;");
    assert_eq!(names(&both), ["P.p->q", "Q.p->q", "Q.p->q c!, R.p->p c?"]);
    // Only the states of processes with committed states are read, and only by those who are not committed.
    let model = read(&text.replace("COMMIT", "commit q;"));
    let reads: Vec<Vec<usize>> = model.signature().groups.iter().map(|group| group.reads.clone()).collect();
    assert_eq!(reads, [vec![1], vec![1, 2], vec![1, 2, 3]]);
}

#[test]
fn an_array_without_index_is_its_first_cell() {
    check(
        "byte a[2]; process P { state p; init p; trans p -> p { guard a == 0; effect a = 1; }; } system async;",
        "a[0] a[1]",
        &["0 0", "1 0"],
    );
}

#[test]
fn what_fails_names_the_step() {
    for (guard, expected) in [
        ("1 / x == 1", "test.dve:1: P.p->q: division by zero"),
        ("a[x - 1] == 1", "test.dve:1: P.p->q: index -1 is outside an array of size 2"),
        ("a[7] == 1", "test.dve:1: P.p->q: index 7 is outside an array of size 2"),
    ] {
        let text = format!(
            "byte x, a[2]; process P {{ state p, q; init p; trans p -> q {{ guard {guard}; }}; }} system async;"
        );
        let model = read(&text);
        let found = successors(&model, &model.signature().initial[0]).err().map(|error| error.to_string());
        assert_eq!(found.as_deref(), Some(expected));
    }
}

#[test]
fn assertions_are_labels() {
    let model = read("byte x; process P { state p, q; init p; assert q: x > 1; } system async;");
    let label = &model.signature().labels[0];
    assert_eq!((label.name.as_str(), label.role), ("assert P.q: x > 1", LabelRole::Assertion));
    assert_eq!(label.reads, [0, 1]);
    for (x, state, holds) in [(0, 0, true), (0, 1, false), (2, 1, true)] {
        assert_eq!(model.label(0, &[x, state]), Ok(holds));
    }
}

#[test]
fn the_property_process_is_an_automaton() {
    let model = read(
        "byte x; process P { byte y; state p, q; init p; trans p -> q {}; }
         process L { const byte k = 2; state a, b, c; init b; accept c, a;
           trans b -> a { guard P.q and P->y == k; }, a -> a {}, a -> c { guard P.q && P->y == 2; }; }
         system async property L;",
    );
    let signature = model.signature();
    assert_eq!(signature.variables.len(), 3);
    assert_eq!(signature.labels.len(), 1);
    assert_eq!(signature.labels[0].name, "P.q and P->y == k");
    assert_eq!(signature.labels[0].reads, [1, 2]);
    assert_eq!(model.label(0, &[1, 2]), Ok(true));
    let Some(property) = model.property() else { unreachable!("a property") };
    assert_eq!((property.initial, property.accepting.as_slice()), (1, &[0, 2][..]));
    let edges: Vec<_> = property.edges.iter().map(|edge| (edge.from, edge.to, edge.guard)).collect();
    assert_eq!(edges, [(1, 0, Some(0)), (0, 0, None), (0, 2, Some(0))]);
}

#[test]
fn errors_say_where_and_what() {
    let process = |body: &str| format!("byte x, a[2]; channel c;\nprocess P {{ {body} }}\nsystem async;");
    for (body, expected) in [
        ("state p; init q;", "test.dve:2:27: there is no state `q`"),
        ("state p; init p; trans p -> p { guard y; };", "test.dve:2:51: `y` is not declared"),
        ("state p; init p; trans p -> p { effect c = 1; };", "`c` is a channel"),
        ("state p; init p; trans p -> p { effect x[1] = 1; };", "`x` is not an array"),
        ("state p; init p; trans p -> p { effect 1 = 1; };", "this cannot be changed"),
        ("const byte k = 1; state p; init p; trans p -> p { effect k = 1; };", "`k` is a constant"),
        ("state p; init p; trans p -> p { sync d!; };", "there is no channel `d`"),
        ("state p, p; init p;", "declared twice"),
        ("byte y = 256; state p; init p;", "does not fit"),
        ("byte y[0]; state p; init p;", "size 0"),
        ("byte y = 1 / 0; state p; init p;", "division by zero"),
        ("byte y[99999999]; state p; init p;", "too large"),
        ("state p;", "no initial state"),
        ("", "no states"),
    ] {
        let found = error(&process(body));
        assert!(found.contains(expected), "{body}: {found}");
    }
    let pair = "channel c; process P { state p; init p; trans p -> p { sync c!1; }; }
        process Q { state p; init p; trans p -> p { sync c?; }; } system async;";
    assert!(error(pair).contains("make them equal"));
    let property = "byte x; process P { state p; init p; trans p -> p { effect x = 1; }; } system async property P;";
    assert!(error(property).contains("it may only watch"));
}

#[test]
fn no_text_makes_it_panic() {
    let text = "byte x, a[2] = {1}; const int k = 2; channel {byte} c[2]; channel d;
        process P { byte y; state p, q; init p; commit q; assert q: x > 1;
          trans p -> q { guard a[x] == 0 and not (Q.p) imply P->y < 3; sync c!x; effect a[x] = x + 1, x = a[1]; },
          -> q { sync d?y; }; }
        process Q { state p; init p; accept p; trans p -> p { sync c?x; }, p -> p { sync d!-1; }; }
        system async;";
    let tokens: Vec<&str> = text.split_inclusive([' ', ';', ',', '{', '}', '[', ']']).collect();
    let mut random = 1_u64;
    let mut next = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap_or_default() % bound
    };
    for _ in 0..20_000 {
        let mut mutant = tokens.clone();
        for _ in 0..=next(3) {
            let (at, other) = (next(mutant.len()), tokens[next(tokens.len())]);
            match next(3) {
                0 => drop(mutant.remove(at)),
                1 => mutant.insert(at, other),
                _ => mutant[at] = other,
            }
        }
        if let Ok(model) = Dve::read("mutant.dve", &mutant.concat()) {
            let _ = successors(&model, &model.signature().initial[0]);
            for (number, label) in model.signature().labels.iter().enumerate() {
                let short: Vec<Value> =
                    label.reads.iter().map(|&variable| model.signature().initial[0][variable]).collect();
                let _ = model.label(number, &short);
            }
        }
    }
}
