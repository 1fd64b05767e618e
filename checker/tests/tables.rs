//! Tables of steps: what is read, and what is refused.

use starset_checker::{Effect, Net, Refused};

const TABLES: &str = "% Two lamps.
begin state
a:lamp b\\.1:int
end state
begin edge
action:action
end edge
begin init
0 2
end init
begin trans
0/1 * 1
1/0 2/0 0
end trans
begin trans
* 0/2 1
end trans
begin map lit:bool
1 * 1
end map
begin sort lamp
\"off\" #6F6e# % in hexadecimal digits
end sort
begin sort action
down \\end
end sort
";

#[test]
fn rows_are_steps() {
    let Ok(net) = Net::read(TABLES) else { panic!("not read") };
    let places: Vec<_> = net.places.iter().map(|place| (place.name.as_str(), place.initial)).collect();
    assert_eq!(places, [("a", 0), ("b.1", 2)]);
    assert_eq!((&net.places[0].values[..], net.places[1].values.len()), (&["off".to_owned(), "on".to_owned()][..], 0));
    assert_eq!(net.labels, ["down", "end"]);
    let steps: Vec<_> = net.steps.iter().map(|step| (step.label, step.effects.clone())).collect();
    let table = |place, old, new| (place, Effect::Table(vec![(old, new)]));
    assert_eq!(
        steps,
        [(1, vec![table(0, 0, 1)]), (0, vec![table(0, 1, 0), table(1, 2, 0)]), (1, vec![table(1, 0, 2)])]
    );
    assert_eq!(net.fire(&net.steps[0], &net.initial()), Some(vec![1, 2]));
    assert_eq!(net.fire(&net.steps[1], &net.initial()), None);
}

#[test]
fn what_is_not_understood_is_refused() {
    for (old, new, expected) in [
        ("0 2\n", "0\n", "not one initial value"),
        ("0 2\n", "2 2\n", "number of a value"),
        ("b\\.1:int", "a:int", "two variables"),
        ("b\\.1:int", "_:int", "a name is expected"),
        ("b\\.1:int", "state:int", "a name is expected"),
        ("b\\.1:int", "b 1", "NAME:SORT"),
        ("action:action\n", "action:action other:int\n", "not one label"),
        ("action:action\n", "action:int\n", "without name"),
        ("0/1 * 1", "0/2 * 1", "number of a value"),
        ("0/1 * 1", "0/1 * 2", "number of a value"),
        ("0/1 * 1", "0/1 * 1 1", "one label"),
        ("0/1 * 1", "0/1 1", "OLD/NEW"),
        ("0/1 * 1", "0/1 *", "one label"),
        ("0/1 * 1", "0/1 2 1", "OLD/NEW"),
        ("0/1 * 1", "0/4294967295 * 1", "too large"),
        ("begin trans\n0", "begin trans x\n0", "with a name"),
        ("end trans\nbegin map", "end map\nbegin map", "begin and end"),
        ("begin init\n0 2\nend init\n", "", "not one section `init`"),
        ("begin map", "begin init\n0 2\nend init\nbegin map", "not one section `init`"),
        ("begin map", "0\nbegin map", "begin and end"),
        ("begin map", "begin other\nend other\nbegin map", "begin and end"),
        ("end sort\nbegin sort action", "end sort\nbegin sort lamp\nend sort\nbegin sort action", "twice"),
        ("down \\end", "down down", "twice"),
        ("down \\end\nend sort\n", "down \\end\n", "without end"),
        ("\"off\"", "\"off", "without end"),
        ("#6F6e#", "#6F6#", "hexadecimal"),
        ("#6F6e#", "#FF#", "hexadecimal"),
        ("down \\end", "down 7", "a name is expected"),
        ("down \\end", "down \\", "backslash"),
        ("* 0/2 1", "* 0/2 ? 1", "not understood"),
    ] {
        assert!(TABLES.contains(old), "{old}");
        let refused = Net::read(&TABLES.replacen(old, new, 1));
        assert!(matches!(&refused, Err(Refused(why)) if why.contains(expected)), "{new}: {refused:?}");
    }
}
