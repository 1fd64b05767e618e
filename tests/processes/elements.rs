//! Each element by a small diagram, with numbers that were counted by hand.

use super::asked;
use starset::budget::Budget;
use starset::kinds::bpmn::{Environment, ReadProcess, read_bpmn, read_bpmn_in};
use starset::kinds::{ReadError, bpmn::process_net::Beyond};
use starset::processes::{Answers, Stopped};

/// A diagram with one process.
pub(super) fn diagram(body: &str) -> String {
    let model = "http://www.omg.org/spec/BPMN/20100524/MODEL";
    format!(
        "<b:definitions xmlns:b='{model}' xmlns='{model}' xmlns:x='urn:x'>\n<process id='P'>{body}</process></b:definitions>"
    )
}

fn read_in(text: &str, environment: Environment) -> Result<ReadProcess, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.bpmn");
    std::fs::write(&path, text).unwrap();
    read_bpmn(&path, environment)
}

/// Flows `a>b`, with blanks between them.
fn flows(all: &str) -> String {
    let flow = |flow: &str| {
        let (source, target) = flow.split_once('>').unwrap();
        format!("<sequenceFlow id='{source}-{target}' sourceRef='{source}' targetRef='{target}'/>")
    };
    all.split_whitespace().map(flow).collect()
}

/// An event of the signal S.
fn signal(kind: &str, id: &str) -> String {
    format!("<{kind} id='{id}'><signalEventDefinition signalRef='S'/></{kind}>")
}

/// One that interrupts the activity `u`, on its border.
fn border(id: &str) -> String {
    signal("boundaryEvent", id).replacen('>', " attachedToRef='u'>", 1)
}

/// The nodes of a part of the process that throws S and goes on.
fn thrown() -> String {
    format!("<startEvent id='i'/>{}<task id='a'/><endEvent id='x'/>", signal("intermediateThrowEvent", "t"))
}

/// An event sub-process that S starts.
fn handler(id: &str) -> String {
    format!(
        "<subProcess id='{id}' triggeredByEvent='true'>{}<task id='h{id}'/><endEvent id='y{id}'/>{}</subProcess>",
        signal("startEvent", &format!("c{id}")),
        flows(&format!("c{id}>h{id} h{id}>y{id}"))
    )
}

fn of(nodes: &str, all: &str) -> Answers {
    asked(&read_in(&diagram(&format!("{nodes}{}", flows(all))), Environment::default()).unwrap())
}

/// Markings, deadlocks, final markings, and whether it is sound.
fn numbers(answers: &Answers) -> (u32, u32, u32, bool) {
    let counts = answers.counts.as_ref().unwrap();
    let number = |count: &num_bigint::BigUint| u32::try_from(count).unwrap();
    (number(&counts.states), number(&counts.deadlocks), number(&counts.completed), answers.sound().unwrap())
}

#[test]
fn a_signal_reaches_who_waits_and_is_gone() {
    let (throw, catch) = (signal("intermediateThrowEvent", "t"), signal("intermediateCatchEvent", "c"));
    let frame = "<startEvent id='s'/><parallelGateway id='f'/><endEvent id='d'/><endEvent id='e'/>";
    // The catch event waits as soon as the signal can be thrown: both go on in one step, and then end in either order.
    let answers = of(&format!("{frame}{throw}{catch}"), "s>f f>t f>c t>d c>e");
    assert_eq!(numbers(&answers), (7, 0, 1, true));
    // It may come too late. (a, t) pairs: before, thrown early, or begun and thrown.
    let answers = of(&format!("{frame}{throw}{catch}<task id='a'/>"), "s>f f>t f>a a>c t>d c>e");
    assert!(!numbers(&answers).3 && answers.no_deadlock.verdict() == Some(false));
    // A signal that nothing throws may come at any time.
    assert_eq!(numbers(&of(&format!("<startEvent id='s'/>{catch}<endEvent id='e'/>"), "s>c c>e")), (4, 0, 1, true));
}

/// A signal may end the part of the process that it comes from: what would go on there is gone with it.
#[test]
fn a_signal_may_end_who_throws_it() {
    let inner = format!("<subProcess id='u'>{}{}</subProcess>", thrown(), flows("i>t t>a a>x"));
    let border = border("b");
    let nodes = format!("<startEvent id='s'/>{inner}{border}<endEvent id='d'/><endEvent id='e'/>");
    // start, s-u, i-t, b-e, e reached.
    let answers = of(&nodes, "s>u u>d b>e");
    assert_eq!(numbers(&answers).0, 5);
    assert_eq!(answers.no_dead_activity.verdict(), Some(false));
    // An event sub-process of the same part: start, i-t, handling, handled, the sub-process, the pool, nothing.
    let answers = of(&format!("{}{}", thrown(), handler("v")), "i>t t>a a>x");
    assert_eq!(numbers(&answers).0, 7);
    assert_eq!(answers.no_dead_activity.verdict(), Some(false));
    // One who waits inside of what ends does not go on; one outside does.
    let waiting = format!("{}<endEvent id='z'/>", signal("intermediateCatchEvent", "w"));
    let both = format!(
        "<subProcess id='u'><startEvent id='i'/><parallelGateway id='f'/>{}{waiting}<endEvent id='x'/>{}</subProcess>",
        signal("intermediateThrowEvent", "t"),
        flows("i>f f>t f>w t>x w>z")
    );
    let answers = of(&format!("<startEvent id='s'/>{both}{border}<endEvent id='d'/><endEvent id='e'/>"), "s>u u>d b>e");
    // start, s-u, i-f, both, b-e, e reached.
    assert_eq!(numbers(&answers).0, 6);
}

/// Of several that a signal reaches and that wait with one token one goes on.
#[test]
fn a_signal_moves_a_token_once() {
    let frame = format!(
        "<startEvent id='s'/><parallelGateway id='f'/>{}<endEvent id='d'/><endEvent id='e'/><endEvent id='g'/>",
        signal("intermediateThrowEvent", "t")
    );
    // Two catch events behind one gateway: start, s-f, both, {t-d, one of two}, {d, one of two}, {t-d, e or g}, {d, e or g}.
    let events = format!("{}{}", signal("intermediateCatchEvent", "c"), signal("intermediateCatchEvent", "k"));
    let answers = of(&format!("{frame}<eventBasedGateway id='w'/>{events}"), "s>f f>t f>w w>c w>k t>d c>e k>g");
    assert_eq!(numbers(&answers), (11, 0, 2, true));
    // Two events on the border of a task that runs: either ends it. Beside: it has not begun, or it has ended.
    let answers = of(
        &format!("{frame}<task id='u'/>{}{}<endEvent id='h'/>", border("b"), border("k")),
        "s>f f>t f>u u>h t>d b>e k>g",
    );
    assert_eq!((answers.no_dead_activity.verdict(), answers.sound()), (Some(true), Some(true)));
    let counts = answers.counts.as_ref().unwrap();
    assert_eq!(counts.completed, 3_u32.into());
    // The thrower ends the sub-process itself, by an escalation: start, s-u, i-t, k-g, g reached.
    let both = "<intermediateThrowEvent id='t'><signalEventDefinition signalRef='S'/><escalationEventDefinition/>\
                </intermediateThrowEvent>";
    let nodes = format!(
        "<startEvent id='s'/><subProcess id='u'><startEvent id='i'/>{both}<task id='a'/><endEvent id='x'/>{}</subProcess>\
         {}<boundaryEvent id='k' attachedToRef='u'><escalationEventDefinition/></boundaryEvent>\
         <endEvent id='d'/><endEvent id='e'/><endEvent id='g'/>",
        flows("i>t t>a a>x"),
        border("b")
    );
    let answers = of(&nodes, "s>u u>d b>e k>g");
    assert_eq!(numbers(&answers).0, 5);
    assert_eq!(answers.no_deadlock.verdict(), Some(true));
}

/// Two event sub-processes of one part both begin. An end that terminates takes along who goes on by its signal.
#[test]
fn parts_that_end_with_a_signal() {
    // Each of the two is handling, handled, or over (4 · 4), with the pool; before: start and i-t; after: nothing.
    let answers = of(&format!("{}{}{}", thrown(), handler("v"), handler("w")), "i>t t>a a>x");
    assert_eq!(numbers(&answers).0, 19);
    let end = "<endEvent id='t'><signalEventDefinition signalRef='S'/><terminateEventDefinition/></endEvent>";
    let nodes = format!(
        "<startEvent id='s'/><parallelGateway id='f'/><task id='a'/>{end}{}<task id='k'/><endEvent id='e'/>",
        signal("intermediateCatchEvent", "c")
    );
    let answers = of(&nodes, "s>f f>a a>t f>c c>k k>e");
    assert_eq!(answers.no_dead_activity.verdict(), Some(false));
    assert_eq!(numbers(&answers).2, 1);
}

#[test]
fn an_error_ends_the_sub_process_around_it() {
    let error = |kind: &str, id: &str, more: &str| {
        format!("<{kind} id='{id}'{more}><errorEventDefinition errorRef='E'/></{kind}>")
    };
    let inner = format!(
        "<subProcess id='u'><startEvent id='i'/><parallelGateway id='f'/><task id='a'/>{}{}</subProcess>",
        error("endEvent", "x", ""),
        flows("i>f f>a f>x")
    );
    let nodes = format!(
        "<startEvent id='s'/>{inner}{}<endEvent id='d'/><endEvent id='e'/>",
        error("boundaryEvent", "b", " attachedToRef='u'")
    );
    // The sub-process never ends by itself: the error end takes its token, and all others in it, to the event.
    let answers = of(&nodes, "s>u u>d b>e");
    // start, s-u, i-f, {f-a, f-x}, {f-x}, b-e, e reached.
    assert_eq!(numbers(&answers), (7, 0, 1, true));
}

#[test]
fn an_escalation_that_does_not_interrupt_lets_the_sub_process_go_on() {
    let nodes = "<startEvent id='s'/><subProcess id='u'><startEvent id='i'/><endEvent id='x'><escalationEventDefinition/>\
                 </endEvent><sequenceFlow id='ix' sourceRef='i' targetRef='x'/></subProcess>\
                 <boundaryEvent id='b' attachedToRef='u' cancelActivity='false'><escalationEventDefinition/></boundaryEvent>\
                 <endEvent id='d'/><endEvent id='e'/>";
    // start, s-u, {u, ix}, {u, b-e}, then the end of u, of b-e in either order: u and b-e have two and three stages.
    assert_eq!(numbers(&of(nodes, "s>u u>d b>e")), (3 + 3 * 2, 0, 1, true));
}

#[test]
fn event_sub_processes_interrupt_or_not() {
    let event = |more: &str| {
        format!(
            "<startEvent id='s'/><task id='a'/><endEvent id='e'/><subProcess id='v' triggeredByEvent='true'>\
             <startEvent id='w'{more}><conditionalEventDefinition/></startEvent><endEvent id='z'/>{}</subProcess>",
            flows("w>z")
        )
    };
    // Not started; the pool runs with a token on s-a, on a-e, at e; the event at any time before the pool ends, and again:
    // three stages with it idle, on w-z, at its end; then nothing runs.
    let answers = of(&event(" isInterrupting='false'"), "s>a a>e");
    assert_eq!(numbers(&answers), (1 + 3 * 3 + 1, 0, 1, true));
    // When it interrupts, nothing of the process is left: once the event has come the end is never reached.
    let answers = of(&event(""), "s>a a>e");
    // Not started; three stages idle; for (end reached, not reached): w-z, after it, idle (of which the first is known),
    // and ended.
    assert_eq!(numbers(&answers), (1 + 3 + 2 + 2 + 1 + 2, 0, 2, true));
}

#[test]
fn a_sub_process_may_begin_again() {
    let nodes = "<startEvent id='s'/><subProcess id='u'><standardLoopCharacteristics/><startEvent id='i'/><task id='a'/>\
                 <sequenceFlow id='ia' sourceRef='i' targetRef='a'/></subProcess><endEvent id='e'/>";
    let answers = of(nodes, "s>u u>e");
    // start, s-u, {u, ia}, {u}, u-e, e reached.
    assert_eq!(numbers(&answers), (6, 0, 1, true));
    assert_eq!(answers.counts.unwrap().steps.unwrap(), 6u32.into());
}

#[test]
fn messages_come_from_outside_or_not() {
    let catch = "<startEvent id='s'/><intermediateCatchEvent id='c'><messageEventDefinition/></intermediateCatchEvent>\
                 <endEvent id='e'/>";
    let text = diagram(&format!("{catch}{}", flows("s>c c>e")));
    let sound = |closed| asked(&read_in(&text, Environment { closed, ..Environment::default() }).unwrap()).sound();
    assert_eq!((sound(false), sound(true)), (Some(true), Some(false)));
}

#[test]
fn channels_grow_or_are_bounded() {
    let model = "http://www.omg.org/spec/BPMN/20100524/MODEL";
    let (sender, receiver) = (flows("s>g g>a a>h h>g h>e"), flows("r>z"));
    let text = format!(
        "<definitions xmlns='{model}'><collaboration><messageFlow id='m' sourceRef='a' targetRef='r'/></collaboration>\
         <process id='P'><startEvent id='s'/><exclusiveGateway id='g'/><sendTask id='a'/><exclusiveGateway id='h'/>\
         <endEvent id='e'/>{sender}</process><process id='Q'><startEvent id='r'><messageEventDefinition/></startEvent>\
         <endEvent id='z'/>{receiver}</process></definitions>"
    );
    let answers = |channel| {
        let process = read_in(&text, Environment { channel, ..Environment::default() }).unwrap();
        let answers = asked(&process);
        let grows = match answers.stopped {
            Some(Stopped::Unbounded(place)) => Some(process.net.places[place].id.clone()),
            _ => None,
        };
        (grows, answers)
    };
    let (grows, unbounded) = answers(None);
    assert_eq!((grows.as_deref(), unbounded.sound()), (Some("m"), None));
    assert_eq!(unbounded.no_dead_activity.verdict(), Some(true));
    let (grows, lost) = answers(Some((2, Beyond::Lost)));
    assert_eq!((grows, lost.sound(), lost.clean.verdict()), (None, Some(true), Some(false)));
    // The receiver takes one message only: the sender waits for room that never comes.
    let (_, blocked) = answers(Some((2, Beyond::Blocked)));
    assert_eq!((blocked.sound(), blocked.no_deadlock.verdict()), (Some(false), Some(false)));
}

#[test]
fn what_has_no_meaning_is_refused_by_name() {
    let two = |nodes: &str, all: &str| diagram(&format!("{nodes}{}", flows(all)));
    let task = "<task id='a' name='Pay'/>";
    for (text, words) in [
        (diagram("<complexGateway id='g'/>"), "`g` is a complex gateway"),
        (diagram("<adHocSubProcess id='u' name='Any'/>"), "`u` “Any” is an ad-hoc sub-process"),
        (two(&format!("{task}<startEvent id='s'/>"), "a>s"), "flow `a-s` (“Pay” to “s”) leads into a start event"),
        (two(&format!("{task}<endEvent id='e'/>"), "e>a"), "leads out of an end event"),
        (two(&format!("{task}<subProcess id='u'><task id='b'/></subProcess>"), "a>b"), "crosses the border"),
        (diagram("<boundaryEvent id='b' attachedToRef='z'/>"), "boundary event `b` is attached to no activity"),
        (
            diagram("<intermediateThrowEvent id='l'><linkEventDefinition name='L'/></intermediateThrowEvent>"),
            "link `l`",
        ),
        (diagram("<endEvent id='c'><compensateEventDefinition/></endEvent>"), "`c` throws compensation"),
        (
            diagram(
                "<startEvent id='s' parallelMultiple='true'><messageEventDefinition/><timerEventDefinition/></startEvent>",
            ),
            "waits for several things at once",
        ),
        ("<a/>".to_owned(), "`<a>` is no diagram of BPMN 2.0"),
        (diagram("").replace("process", "choreography"), "there is a choreography and no process"),
        (diagram("<task"), "mend the nesting"),
    ] {
        let error = read_in(&text, Environment::default()).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("d.bpmn:"), "{text}: {error}");
    }
}

#[test]
fn oddities_are_read_and_warned_of() {
    for (nodes, all, words) in [
        ("<task id='a'/>", "a>z", "sequence flow `a-z` has no target"),
        ("<startEvent id='s'/><task id='a'/>", "", "`a` (“a”) has no incoming flow"),
        ("<startEvent id='s'/><task id='a'/><endEvent id='e'/>", "s>a", "`a` (“a”) has no outgoing flow"),
        ("<startEvent id='s'/><task id='a'/><task id='a'/>", "s>a", "`a` is another node's identifier"),
        ("<startEvent id='s'/><task id='a'/>", "s>a s>a", "is another sequence flow's identifier"),
        ("<callActivity id='a'/>", "", "call activity `a` is a task"),
        ("<intermediateCatchEvent id='c'><terminateEventDefinition/></intermediateCatchEvent>", "", "`c` catches"),
        ("<x:task id='a'/><extensionElements><task id='b'/></extensionElements>", "", "nothing runs"),
        ("<subProcess id='u'><multiInstanceLoopCharacteristics/><task id='a'/></subProcess>", "", "runs once"),
    ] {
        let process = read_in(&diagram(&format!("{nodes}{}", flows(all))), Environment::default()).unwrap();
        let warnings: Vec<String> = process.diagram.warnings.iter().map(ToString::to_string).collect();
        assert!(warnings.iter().any(|warning| warning.contains(words)), "{nodes}: {warnings:?}");
    }
}

/// A process without activities that cannot end is not sound in the relaxed sense either, by states and by sets.
#[test]
fn relaxed_soundness_asks_for_an_end() {
    let nodes = "<startEvent id='s'/><exclusiveGateway id='x'/><parallelGateway id='y'/><endEvent id='e'/>";
    let answers = of(nodes, "s>x x>y y>x");
    assert_eq!((answers.easy.verdict(), answers.relaxed.verdict()), (Some(false), Some(false)));
    let text = diagram(&format!("{nodes}{}", flows("s>x x>y y>x")));
    let process = read_in(&text, Environment::default()).unwrap();
    let sets = starset::processes::by_sets(&process.net, &Budget::unlimited()).unwrap();
    assert_eq!((sets.easy.verdict(), sets.relaxed.verdict()), (Some(false), Some(false)));
    let answers = of("<startEvent id='s'/><endEvent id='e'/>", "s>e");
    assert_eq!((answers.easy.verdict(), answers.relaxed.verdict()), (Some(true), Some(true)));
}

/// Diagrams with bytes changed, pieces left out and pieces put in: what is read has answers that do not contradict each
/// other. `STARSET_MILLISECONDS` says how long.
#[test]
fn changed_diagrams_are_read_or_refused() {
    let mut read_ones = [0; 2];
    crate::changed::changed("fuzz/seeds/bpmn", |data| {
        let found = read_bpmn_in(data, "d", "d.bpmn", Environment::default());
        read_ones[usize::from(found.is_ok())] += 1;
        match found {
            Ok(process) if process.net.transitions.len() <= 1_000 => {
                assert!(starset::kinds::bpmn::model_of(&process.net).is_some());
                let answers = asked(&process);
                let is = |known: &starset::processes::Known| known.verdict() == Some(true);
                assert!(!is(&answers.option_to_complete) || is(&answers.no_deadlock));
                assert!(!is(&answers.relaxed) || is(&answers.no_dead_activity));
            }
            Ok(_) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
    eprintln!("{} refused, {} read", read_ones[0], read_ones[1]);
    assert!(read_ones.iter().all(|&count| count > 5), "{read_ones:?}");
}
