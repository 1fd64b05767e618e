//! What is printed as JSON is as its schema says (docs/schemas), each schema is used, and docs/json.md names its fields.

use super::{generate, model, run, starset};
use jsonschema::Validator;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Commands on shipped models, each with its exit status. `{}` is a folder for what they write; what is in it at the
/// begin: `endless.pnml`, a net whose breadth-first search does not end, and `three.xml`, properties of `philo-5.pnml` of
/// which one cannot be read.
const COMMANDS: &[(&str, i32)] = &[
    ("states philo-5.pnml --deadlocks --bounds --list 3 --save {}/all.set", 0),
    ("states philo-5.pnml --engine explicit --deadlocks --bounds", 0),
    ("states philo-5.pnml --engine both --deadlocks --bounds", 0),
    ("states kanban-3.pnml --search chaining --order sloan", 0),
    ("states pipeline-2.pnml --deadlocks --bounds --list 2", 3),
    ("states {}/endless.pnml --search bfs --time 0.3 --deadlocks --bounds --list 2 --save {}/none.set", 3),
    ("states {}/endless.pnml --search bfs --memory 24M --time 100", 3),
    ("states {}/endless.pnml --engine explicit --time 0.3", 3),
    ("states {}/units.pnml --network", 0),
    ("states coloured/philo-5.pnml", 0),
    ("states pipe.dot --deadlocks --list 2", 0),
    ("states sender.aut receiver.aut --engine explicit", 0),
    ("states buffer.counters --deadlocks", 0),
    ("states claim.pnwc --deadlocks --list 1", 0),
    ("states order.bpmn --deadlocks --list 1", 0),
    ("states claim.pnwc --time-model integer", 0),
    ("states claim.pnwc --time-model dense", 0),
    ("states claim.pnwc --time-model dense --time 0.000001", 3),
    ("states turns.dve", 0),
    ("states thermostat.dve --engine explicit", 0),
    ("states toggle.etf --deadlocks", 0),
    ("states lift.smv --engine explicit", 0),
    ("states locker.mch --deadlocks --list 2", 0),
    ("states philo-5.pnml --report {}/states.html", 0),
    ("attractors switch.bnet --basins --save {}/switch.set", 0),
    ("attractors philo-5.pnml --list 1", 0),
    ("attractors {}/endless.pnml --time 0.000001", 3),
    ("check philo-5.pnml -f deadlock --weak-fair all --justice false", 0),
    ("check philo-5.pnml -f AG!deadlock -f EF<FF1a_0>true -f 'AG EF #Eat_0 = 1' -f 'A G F #Eat_0 = 1' --witness", 0),
    ("check philo-5.pnml -f 'E(G F #Eat_0 = 1 & E F deadlock)' -f 'bounds(Eat_0) <= 1' -f true --witness", 0),
    ("check philo-5.pnml -f 'A G F #Eat_0 = 1' --paths stutter --engine explicit --witness", 0),
    ("check philo-5.pnml -f 'A G F #Eat_0 = 1' -f 'AG EF #Eat_0 = 1' --paths infinite --engine symbolic --witness", 0),
    ("check philo-5.pnml -f 'E F deadlock' --engine both --report {}/check.html", 0),
    ("check philo-5.pnml -f 'EF deadlock' --fail-if-false", 0),
    ("check philo-5.pnml -f 'AG !deadlock' --fail-if-false", 1),
    ("check philo-5.pnml -f 'EF 1 / #Eat_0 = 1' -f 'EF deadlock' --witness", 2),
    ("check philo-5.pnml -x {}/three.xml --witness", 3),
    ("check philo-5.pnml --automaton {}/always.hoa", 0),
    (
        "check pipeline-2.pnml -f 'EF #Buffer_1 > 5' -f 'AG EF #Buffer_1 = 0' -f 'G F #Buffer_1 > 100000' --witness --without recurring",
        3,
    ),
    ("check {}/endless.pnml -f 'AG EF #Pm4 > 100' -f 'A G F #Pm4 > 100' --time 0.000001 --witness", 3),
    ("check pipe.dot -f 'G (action(send) -> X action(consume, stop))' --witness", 0),
    ("check turns.dve --witness", 0),
    ("check locker.mch --witness --report {}/check.html", 0),
    ("check mutex.smv --engine explicit --witness", 0),
    ("check lift.smv --engine symbolic --witness", 0),
    ("states philo-5.pnml --each fireable,live,stable,bound", 0),
    ("states {}/grows.pnwc --each bound --time 1", 3),
    ("states philo-5.pnml --verbose", 0),
    ("check philo-5.pnml -f 'EF deadlock' -f 'A G F #Eat_0 = 1' --verbose", 0),
    ("simulate philo-5.pnml --steps 3", 0),
    ("simulate lift.smv --steps 3 --seed 2", 0),
    ("simulate philo-5.pnml --steps 1000", 0),
    ("check claim.pnwc -f 'EF deadlock' --witness", 0),
    ("satset philo-5.pnml -f deadlock -f '!(E F deadlock)' --list 2 --save {}/dead.set", 0),
    ("satset philo-5.pnml --load {}/dead.set --list 1", 0),
    ("satset {}/endless.pnml -f deadlock --time 0.000001", 3),
    ("cross philo-5.pnml -f 'EF deadlock' -f 'A G F #Eat_0 = 1'", 0),
    ("cross toggle.etf", 0),
    ("cross --random 3", 0),
    ("cross --random 3 --networks --time 0.000001", 3),
    ("automaton 'G(request -> F grant)'", 0),
    ("automaton 'F p & F !p' --dot", 0),
    ("automaton 'G p' --stats", 0),
    ("automaton 'F a & F b & F c & F d & F e & F f & F g & F h & F i & G F j' --time 0.000001", 3),
    ("time claim.pnwc", 0),
    ("time claim.pnwc --final closed --all --horizon 3", 0),
    ("time claim.pnwc --time 0.000001", 3),
    ("time philo-5.pnml", 0),
    ("soundness claim.pnwc", 0),
    ("soundness {}/grows.pnwc", 3),
    ("soundness order.bpmn", 0),
    ("soundness order.bpmn --timers", 0),
    ("soundness claim.pnwc --time 0.000001", 3),
    ("replay orders.csv order.bpmn --rules order.rules", 0),
    ("replay orders.csv order.bpmn --time 0.000001", 3),
    ("rules order.rules order.bpmn", 0),
    ("rules order-times.rules order.bpmn", 0),
    ("rules credit.rules credit.bpmn", 0),
    ("combine union {}/all.set {}/dead.set --save {}/union.set", 0),
    ("combine difference {}/all.set {}/dead.set", 0),
    ("combine equal {}/all.set {}/dead.set", 0),
    ("info philo-5.pnml", 0),
    ("info pipeline-2.pnml", 0),
    ("info token-ring-6.pnml --order sloan", 0),
    ("info pipe.dot", 0),
    ("info buffer.counters", 0),
    ("info claim.pnwc", 0),
    ("info turns.dve", 0),
    ("info lift.smv", 0),
    ("info locker.mch", 0),
];

/// Of the same form, but what they print is no JSON: their files are, or what they say of progress.
const OTHERS: &[(&str, i32)] = &[
    ("states {}/endless.pnml --search bfs --time 1 --progress json", 3),
    ("states {}/endless.pnml --progress json", 0),
    ("check phils-5.pnml -f 'AG EF deadlock' --engine symbolic --progress json", 0),
    ("batch {}/instance --examinations OneSafe,ReachabilityDeadlock,StateSpace --results {}/results.jsonl", 0),
    ("batch {}/broken --examinations StateSpace --results {}/broken.jsonl", 3),
];

/// The schemas by what they are the schemas of, with their files.
struct Schemas(BTreeMap<String, (PathBuf, Value, Validator)>);

impl Schemas {
    fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        Schemas(files.map(Self::schema).collect())
    }

    fn schema(file: PathBuf) -> (String, (PathBuf, Value, Validator)) {
        let schema: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{}", file.display());
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let title = schema["title"].as_str().unwrap();
        assert_eq!(schema["properties"]["schema"]["const"], title);
        let name = title.strip_prefix("starset/").unwrap().replace('/', "-");
        assert_eq!(file.file_name().unwrap().to_str().unwrap(), format!("{name}.json"));
        (title.to_owned(), (file, schema, validator))
    }

    /// What an object is called that is as its schema says.
    #[track_caller]
    fn check(&self, object: &Value, by: &str) -> String {
        let title = object["schema"].as_str().unwrap_or_else(|| panic!("{by}: no schema: {object}"));
        let (_, _, validator) = self.0.get(title).unwrap_or_else(|| panic!("{by}: no file of {title}"));
        let wrong: Vec<String> =
            validator.iter_errors(object).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{by}: {}\n{object:#}", wrong.join("\n"));
        // All fields are known: a new one is refused.
        let mut more = object.clone();
        more.as_object_mut().unwrap().insert("new".to_owned(), true.into());
        assert!(!validator.is_valid(&more), "{title}");
        title.to_owned()
    }
}

/// The words of a command line, in which quotes keep blanks together.
fn words(line: &str, folder: &Path) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(|word| word.replace("{}", folder.to_str().unwrap()))),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn printed(line: &str, expected: i32, folder: &Path) -> (String, String) {
    let mut command = starset();
    command.args(words(line, folder)).current_dir(model(""));
    let (out, err, status) = run(&mut command);
    assert_eq!(status, expected, "{line}: {out}{err}");
    (out, err)
}

/// A document of the book.
fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap()
}

/// The data of a page.
fn data(page: &Path) -> Value {
    let page = fs::read_to_string(page).unwrap();
    let data = page.split_once("id=\"data\"").unwrap().1.split_once('>').unwrap().1.split("</script>").next();
    serde_json::from_str(data.unwrap()).unwrap()
}

/// A workflow that puts tokens where nothing needs to take them away.
const GROWS: &str = "net grows\nplace i init 1\nplace p\nplace q\nplace o\ntrans a : i -> p\ntrans b : p -> p q\n\
    trans c : p -> o\ntrans d : q p -> p\n";

#[test]
fn outputs_are_as_their_schemas_say() {
    let schemas = Schemas::read();
    let (folder, endless) = generate("kanban", 200);
    let folder = folder.path();
    fs::rename(endless, folder.join("endless.pnml")).unwrap();
    let property = |id: &str, formula: &str| format!("<property><id>{id}</id><formula>{formula}</formula></property>");
    let deadlock = "<exists-path><finally><deadlock/></finally></exists-path>";
    let bound = "<place-bound><place>Eat_0</place></place-bound>";
    let all = property("A", deadlock) + &property("B", "<what/>") + &property("C", bound);
    let text = format!("<property-set xmlns=\"http://mcc.lip6.fr/\">{all}</property-set>");
    fs::write(folder.join("three.xml"), text).unwrap();
    let (automaton, _) = printed("automaton 'G true'", 0, folder);
    fs::write(folder.join("always.hoa"), automaton).unwrap();
    fs::write(folder.join("grows.pnwc"), GROWS).unwrap();
    printed("convert pipe.dot {}/units.pnml", 0, folder);
    for instance in ["instance", "broken"] {
        fs::create_dir(folder.join(instance)).unwrap();
    }
    fs::copy(model("philo-5.pnml"), folder.join("instance/model.pnml")).unwrap();
    fs::write(folder.join("broken/model.pnml"), "<pnml>").unwrap();

    let mut used = BTreeSet::new();
    let mut lines = |text: &str, by: &str| {
        for line in text.lines() {
            used.insert(schemas.check(&serde_json::from_str(line).unwrap(), by));
        }
    };
    for &(line, status) in COMMANDS {
        let (out, _) = printed(&format!("{line} --json"), status, folder);
        // Where the limits end the reading of a model, there is no object.
        assert!(!out.is_empty() || status == 3, "{line}");
        lines(&out, line);
    }
    for &(line, status) in OTHERS {
        let (_, err) = printed(line, status, folder);
        let objects: Vec<&str> = err.lines().filter(|line| line.starts_with('{')).collect();
        lines(&objects.join("\n"), line);
    }
    for name in ["results.jsonl", "broken.jsonl"] {
        lines(&fs::read_to_string(folder.join(name)).unwrap(), name);
    }
    // A page saves a run in a browser only: the document shows one.
    let report = document("report.md");
    let run = report.split_once("```json\n").unwrap().1.split("```").next().unwrap().replace('\n', " ");
    lines(&run, "report.md");
    for page in ["states.html", "check.html"] {
        let data = data(&folder.join(page));
        lines(&data.to_string(), page);
        data["results"].as_array().unwrap().iter().for_each(|result| lines(&result.to_string(), page));
    }
    let known: BTreeSet<String> = schemas.0.keys().cloned().collect();
    assert_eq!(used, known, "schemas that are not used");
}

/// The fields of each schema are in the documents, in the section about it.
#[test]
fn fields_are_documented() {
    for (title, (_, schema, _)) in Schemas::read().0 {
        let name = match &title[..] {
            "starset/batch/1" => "batch.md",
            "starset/report/1" | "starset/run/1" => "report.md",
            _ => "json.md",
        };
        let text = document(name);
        let section = text.split_once(&format!("`{title}`")).unwrap_or_else(|| panic!("{name}: {title}")).1;
        let section = section.split("\n## `starset/").next().unwrap();
        let link = format!("schemas/{}.json", title["starset/".len()..].replace('/', "-"));
        assert!(section.contains(&link), "{name}: {link}");
        for field in schema["properties"].as_object().unwrap().keys().filter(|field| *field != "schema") {
            assert!(section.contains(&format!("`{field}`")), "{name}: {title}: {field}");
        }
    }
}

/// Every identifier in the source has a file, and what is called the same in several files is the same.
#[test]
fn schemas_are_complete_and_alike() {
    let schemas = Schemas::read();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "js") {
                let text = fs::read_to_string(path).unwrap();
                let names = text.split("\"starset/").skip(1).filter_map(|rest| rest.split(['"', '\\']).next());
                let whole = names.filter(|name| name.ends_with(|c: char| c.is_ascii_digit()));
                found.extend(whole.map(|name| format!("starset/{name}")));
            }
        }
    }
    let known: BTreeSet<String> = schemas.0.keys().cloned().collect();
    assert_eq!(found, known);
    let mut shared: BTreeMap<&String, &Value> = BTreeMap::new();
    for (_, schema, _) in schemas.0.values() {
        for (name, value) in schema["$defs"].as_object().into_iter().flatten() {
            assert_eq!(*shared.entry(name).or_insert(value), value, "{name}");
        }
    }
}

/// `starset schema` lists them all and prints each.
#[test]
fn schemas_are_printed() {
    let names = run(starset().arg("schema")).0;
    let schemas = Schemas::read();
    assert_eq!(names.lines().count(), schemas.0.len());
    for name in names.lines() {
        let text = run(starset().args(["schema", name])).0;
        let (file, ..) = &schemas.0[&format!("starset/{name}/1")];
        assert_eq!(text, fs::read_to_string(file).unwrap());
    }
    assert_eq!(run(starset().args(["schema", "nothing"])).2, 2);
}

/// A phase is seen only where it takes a while, so the schema is compared with the sources.
#[test]
fn progress_has_the_phases_of_its_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(root.join("docs/schemas/progress-1.json")).unwrap()).unwrap();
    let listed = schema["properties"]["phase"]["enum"].as_array().unwrap();
    let listed: BTreeSet<&str> = listed.iter().map(|phase| phase.as_str().unwrap()).collect();
    let sources =
        ["check.rs", "states.rs", "progress.rs"].map(|file| fs::read_to_string(root.join("src/cli").join(file)));
    let text = sources.map(Result::unwrap).concat();
    let begins = ["phase(\"", "phase = \"", "phase: \""];
    let said = begins.iter().flat_map(|begin| text.split(begin).skip(1)).map(|rest| rest.split('"').next().unwrap());
    assert_eq!(said.collect::<BTreeSet<&str>>(), listed);
}
