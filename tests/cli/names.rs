//! What people called places and transitions is what is printed, unless it is ambiguous or `--labels id` is given.

use super::{run, starset};
use std::fs;

/// `p` is called `ready`, `q` is called `in use`, `r` and `s` are both called `store`; `t` is `take`, `u` and `v` are `put`.
const NET: &str = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>\
<place id='p'><name><text>ready</text></name><initialMarking><text>2</text></initialMarking></place>\
<place id='q'><name><text>in use</text></name></place>\
<place id='r'><name><text>store</text></name></place><place id='s'><name><text>store</text></name></place>\
<transition id='t'><name><text>take</text></name></transition>\
<transition id='u'><name><text>put</text></name></transition><transition id='v'><name><text>put</text></name></transition>\
<arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/>\
<arc id='c' source='q' target='u'/><arc id='d' source='u' target='r'/>\
<arc id='e' source='q' target='v'/><arc id='f' source='v' target='s'/></page></net></pnml>";

#[test]
fn names_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (net, svg) = (folder.path().join("net.pnml"), folder.path().join("net.svg"));
    fs::write(&net, NET).unwrap();
    let printed = |arguments: &[&str]| {
        let mut command = starset();
        let (out, err, status) = run(command.arg(arguments[0]).arg(&net).args(&arguments[1..]));
        assert_eq!(status, 0, "{out}{err}");
        out
    };
    let formula = "AG (#q <= 1 | enabled(u) -> #p = 0)";
    let (named, by_id) = (printed(&["check", "-f", formula, "--witness"]), ["check", "-f", formula, "--witness"]);
    // The formula is said as it was written, everything else by the names that people gave.
    assert!(named.contains("violates AG (#q <= 1 | enabled(u) -> #p = 0) "), "{named}");
    assert!(named.contains("  0  ready=2\n"), "{named}");
    let by_id = printed(&[&by_id[..], &["--labels", "id"]].concat());
    assert!(by_id.contains("violates AG (#q <= 1 | enabled(u) -> #p = 0)") && by_id.contains("  0  p=2\n"), "{by_id}");
    let file = folder.path().join("formulas.txt");
    fs::write(&file, "safe: AG  #q<=1\n").unwrap();
    let of_file = printed(&["check", "-x", file.to_str().unwrap(), "--witness"]);
    assert!(of_file.contains(" AG  #q<=1"), "{of_file}");

    let run_to = |labels: &str| printed(&["check", "-f", "AG #r = 0", "--witness", "--labels", labels]);
    let named = run_to("either");
    assert!(named.contains("take: ready 2→1, \"in use\" 0→1") && named.contains("u: \"in use\" 1→0, r 0→1"), "{named}");
    assert!(run_to("id").contains("t: p 2→1, q 0→1"));

    let listed = printed(&["states", "--list", "1", "--bounds", "--deadlocks"]);
    assert!(
        listed.contains("  ready \"in use\"\n") && listed.contains("  \"in use\"  ") && listed.contains("  r  "),
        "{listed}"
    );
    let listed = printed(&["satset", "-f", "#ready = 1 & #\"in use\" = 1", "--list", "1"]);
    assert!(listed.contains("ready \"in use\""), "{listed}");
    // Machines get identifiers.
    let json = printed(&["states", "--list", "1", "--bounds", "--json"]);
    assert!(
        json.contains(r#"{"p":"1","q":"1"}"#) && json.contains(r#""bounds":{"p":"2","q":"2","r":"2","s":"2"}"#),
        "{json}"
    );
    let json = printed(&["check", "-f", "AG #r = 0", "--witness", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    let run = &answer["witness"]["runs"][0];
    assert_eq!((run["labels"][0].as_str(), run["states"][0]["marking"]["p"].as_str()), (Some("t"), Some("2")));

    for (labels, shown) in
        [("either", [">ready<", ">in use<", ">r<", ">take<", ">u<"]), ("id", [">p<", ">q<", ">r<", ">t<", ">u<"])]
    {
        printed(&["info", "--labels", labels, "--svg", &svg.display().to_string()]);
        let picture = fs::read_to_string(&svg).unwrap();
        assert!(shown.iter().all(|name| picture.contains(name)), "{labels}: {picture}");
        let graph = printed(&["convert", "-", "--to", "dot", "--labels", labels]);
        let labelled = |name: &str| graph.contains(&format!("label=\"{}", name.trim_matches(['<', '>'])));
        assert!(shown.iter().all(|name| labelled(name)), "{labels}: {graph}");
    }
}
