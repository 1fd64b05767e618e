//! Coloured nets that are not unfolded: what is known of them without that is what their unfolding says.

use super::model::Model;
use starset::budget::Budget;
use starset::decide::{Global, Question, Recorder, Request, Settings, Subject, Value, decide};
use starset::formula::{Logic, PathSemantics, Pool, Symbols, parse};
use starset::kinds::net::coloured::{Folded, Limits, UnfoldError, unfold};
use starset::kinds::net::pnml::{Net, read_net};
use starset::kinds::{Kind, WriteError, Writing, write, write_tables};
use starset::model::{Groups, TransitionSystem};
use starset::random::{FormulaShape, Rng, formula};
use starset::symbolic::Route;
use std::time::Duration;

const GLOBALS: [Global; 5] =
    [Global::Deadlock, Global::OneSafe, Global::StableMarking, Global::QuasiLiveness, Global::Liveness];

/// The answers to all global properties, the bounds of these places, and these formulas, under all semantics of paths.
fn answers(
    (model, groups, symbols): (&dyn Kind, &Groups, &Symbols),
    places: &[String],
    formulas: &[String],
    budget: &Budget,
) -> Vec<Value> {
    let mut pool = Pool::new();
    let mut asked: Vec<Request> = GLOBALS.map(|global| Question::Global(global).into()).into();
    asked.extend(places.iter().map(|place| Question::Bound(symbols.place(place).unwrap().to_vec()).into()));
    for (number, text) in formulas.iter().enumerate() {
        let formula = parse(text, symbols, &mut pool).unwrap_or_else(|error| panic!("{error}: {text}"));
        let paths = PathSemantics::ALL[number % 3];
        asked.push(Question::formula(&mut pool, formula, paths, Route::Fixpoints).into());
    }
    let kept = Recorder::new(asked.len());
    decide(Subject { model, groups, pool: &pool }, &asked, &Settings::default(), budget, &kept);
    kept.into_recorded().into_iter().map(|recorded| recorded.answer.unwrap().value).collect()
}

#[test]
fn what_is_known_without_unfolding_is_what_the_unfolding_says() {
    let (mut models, mut known, mut yes) = (0, 0, 0);
    for seed in 20_000..20_150 {
        let mut rng = Rng::new(seed);
        let model = Model::random(&mut rng);
        if model.explore(60).is_none() {
            continue;
        }
        let Net::Coloured(net) = read_net(model.pnml().as_bytes(), "random").unwrap() else { panic!("no colours") };
        let unfolding = unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap();
        let why = UnfoldError::TooLarge { what: "transitions", limit: 0, culprit: "t".to_owned() };
        let folded = Folded::new(net, why).unwrap();
        let places: Vec<String> = (0..model.places.len()).map(|place| format!("p{place}")).collect();
        let skeleton = folded.skeleton();
        let formulas = (0..9).map(|number| {
            let logic = [Logic::Ctl, Logic::Ltl, Logic::CtlStar][number / 3];
            let (mut pool, size) = (Pool::new(), 1 + rng.below(4));
            let drawn = formula(&mut rng, skeleton.net(), &FormulaShape { logic, size }, &mut pool);
            pool.display(drawn, &folded.symbols()).to_string()
        });
        let formulas: Vec<String> = formulas.collect();
        let of_unfolding = (&unfolding.net as &dyn Kind, &unfolding.groups(), &unfolding.symbols());
        let expected = answers(of_unfolding, &places, &formulas, &Budget::unlimited());
        let of_folded = (&folded as &dyn Kind, &folded.groups(), &folded.symbols());
        let soon = Budget::unlimited().with_time(Duration::from_millis(60));
        let found = answers(of_folded, &places, &formulas, &soon);
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            if !matches!(found, Value::Unknown(_)) {
                assert_eq!(found, expected, "seed {seed}, question {number}: {formulas:?}\n{}", model.pnml());
                known += 1;
                yes += usize::from(*found == Value::Verdict(true));
            }
        }
        models += 1;
    }
    assert!(models > 50 && known > 6 * models && yes > models, "{known} answers, {yes} yes, of {models} nets");
}

/// A net in which `t` takes a token of each of these places of the colours 0 to `last` and gives it back, if the guard holds;
/// and `u` one of the first place.
fn taking(places: usize, last: u32, guard: &str) -> Folded {
    let (mut variables, mut nodes) = (String::new(), String::new());
    for place in 0..places {
        variables += &format!("<variabledecl id='x{place}'><usersort declaration='I'/></variabledecl>");
        let colours = "<structure><usersort declaration='I'/></structure>";
        let marking = "<structure><all><usersort declaration='I'/></all></structure>";
        nodes += &format!(
            "<place id='p{place}'><type>{colours}</type><hlinitialMarking>{marking}</hlinitialMarking></place>"
        );
        let token = format!("<structure><variable refvariable='x{place}'/></structure>");
        let ways = ["t", "u"].into_iter().take(if place == 0 { 2 } else { 1 }).flat_map(|transition| {
            [format!("source='p{place}' target='{transition}'"), format!("source='{transition}' target='p{place}'")]
        });
        for (number, ends) in ways.enumerate() {
            nodes += &format!("<arc id='a{place}{number}' {ends}><hlinscription>{token}</hlinscription></arc>");
        }
    }
    let text = format!(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'>\
         <declaration><structure><declarations><namedsort id='I' name='I'><finiteintrange start='0' end='{last}'/>\
         </namedsort>{variables}</declarations></structure></declaration>\
         <page id='g'><transition id='t'>{guard}</transition><transition id='u'/>{nodes}</page></net></pnml>"
    );
    let Net::Coloured(net) = read_net(text.as_bytes(), "taking").unwrap() else { panic!("no colours") };
    Folded::new(net, UnfoldError::TooLarge { what: "places", limit: 0, culprit: "p".to_owned() }).unwrap()
}

/// A marking that cannot be written down, and a binding that is not found among so many: then nothing is said of them.
#[test]
fn searches_that_do_not_end_say_nothing() {
    let variable = |number: u32| format!("<subterm><variable refvariable='x{number}'/></subterm>");
    let less =
        |one: u32, other: u32| format!("<subterm><lessthan>{}{}</lessthan></subterm>", variable(one), variable(other));
    let is_150 = |number: u32| {
        let constant = "<subterm><finiteintrangeconstant value='150'><finiteintrange start='0' end='199'/>\
                        </finiteintrangeconstant></subterm>";
        format!("<subterm><equality>{}{constant}</equality></subterm>", variable(number))
    };
    // A circle of smaller ones, which there is none of; or 150 three times.
    let circle = format!("<subterm><and>{}{}{}</and></subterm>", less(0, 1), less(1, 2), less(2, 0));
    let equal = format!("<subterm><and>{}{}{}</and></subterm>", is_150(0), is_150(1), is_150(2));
    let guard = format!("<condition><structure><or>{circle}{equal}</or></structure></condition>");
    let formulas = ["deadlock", "!enabled(t)", "A X false", "EF deadlock", "E F !enabled(t)", "A X E X false"];
    let formulas = formulas.map(str::to_owned);
    let found = |folded: &Folded| {
        let model = (folded as &dyn Kind, &folded.groups(), &folded.symbols());
        let soon = Budget::unlimited().with_time(Duration::from_millis(300));
        answers(model, &[], &formulas, &soon).split_off(GLOBALS.len())
    };
    let is_open = |value: &Value| matches!(value, Value::Unknown(_));
    let of_large = taking(1, 5_000_000, "");
    assert_eq!(of_large.is_alive(&of_large.initial()), None);
    assert!(found(&of_large).iter().all(is_open));
    // One transition that can fire is enough to know that one can.
    let of_guarded = taking(3, 199, &guard);
    assert_eq!(of_guarded.is_alive(&of_guarded.initial()), Some(true));
    let answers = found(&of_guarded);
    assert_eq!(answers[0], Value::Verdict(false));
    assert!(is_open(&answers[1]) && answers.iter().all(|value| *value != Value::Verdict(true)), "{answers:?}");
    let mut written = Vec::new();
    let refused = write(&of_guarded, "etf", &Writing::default(), &Budget::unlimited(), &mut written);
    assert!(matches!(refused, Err(WriteError::Folded(_))));
    assert!(matches!(write_tables(&of_guarded, 10, &Budget::unlimited()), Err(WriteError::Folded(_))));
    // With fewer colours a search ends, and says it.
    assert_eq!(found(&taking(1, 5, ""))[..2], [Value::Verdict(false), Value::Verdict(false)]);
}
