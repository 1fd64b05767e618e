//! An ETF file behind the next-state interface.
//!
//! A `trans` section is a group that reads its columns and must write those that change in some row. (LTSmin takes
//! all columns as read and written.) A row is found by the old values.
//!
//! A `map` over truth values is a state label. A map over another sort gives one label for each value that occurs,
//! `name=value`. Truth values are those of a sort whose values are among `true`, `false`, `1` and `0`, or of a sort
//! without a table of which no other number than 0 and 1 occurs. A state that no row covers has label false; where
//! rows overlap the first one counts.

use std::borrow::Cow;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::super::next_state::{
    Batch, Group, LabelRole, ModelError, NextState, Signature, StateLabel, Successors, Value, Values, Variable,
};
use super::super::source::SourceError;
use super::write::quote;
use super::{Description, Map, Relation, read};

/// An ETF model.
#[derive(Clone, Debug)]
pub struct Etf {
    signature: Signature,
    /// The values of each type; empty for plain numbers.
    values: Vec<IndexSet<Vec<u8>>>,
    /// The names of actions.
    actions: Vec<String>,
    tables: Vec<Table>,
    labels: Vec<Label>,
    /// Where the sections of groups begin.
    sources: Vec<String>,
}

/// The rows of a group.
#[derive(Clone, Debug, Default)]
struct Table {
    /// For each short state the first of its successors, which are linked.
    heads: FxHashMap<Box<[Value]>, u32>,
    successors: Vec<Successor>,
}

#[derive(Clone, Debug)]
struct Successor {
    action: u32,
    values: Box<[Value]>,
    next: Option<u32>,
}

/// A state label: where it holds.
#[derive(Clone, Debug, Default)]
struct Label {
    /// For each pattern of stars, its places in the row of the label, and what the map says of their values.
    patterns: Vec<(Vec<usize>, Verdicts)>,
}

/// For values without stars: which row of the map speaks of them first, and whether it says that the label holds.
type Verdicts = FxHashMap<Box<[Value]>, (usize, bool)>;

impl Etf {
    /// Read a model from text; `file` is what messages call it.
    ///
    /// # Errors
    /// At the first thing that is wrong in the text.
    pub fn read(file: &str, text: &str) -> Result<Self, SourceError> {
        let model = Etf::new(file, &read(file, text)?);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let begins = |&at: &usize| {
            let is_empty = lines.get(at + 1).is_some_and(|next| next.first() == Some(&"end"));
            lines[at].starts_with(&["begin", "trans"]) && !is_empty
        };
        let source = |at: usize| format!("{file}:{}: {}", at + 1, lines[at].join(" "));
        Ok(Etf { sources: (0..lines.len()).filter(begins).map(source).collect(), ..model })
    }

    /// The model of a description.
    pub fn new(name: &str, description: &Description) -> Self {
        let kind = |sort: &str| description.sorts.get_index_of(sort).unwrap_or_default();
        let variables = description.variables.iter().enumerate();
        let mut signature = Signature {
            name: name.to_owned(),
            types: description.sorts.keys().cloned().collect(),
            variables: variables
                .map(|(number, declared)| Variable {
                    name: if declared.name == "_" { format!("v{number}") } else { declared.name.clone() },
                    kind: kind(&declared.sort),
                })
                .collect(),
            initial: vec![description.initial.clone()],
            ..Signature::default()
        };
        let mut actions = IndexMap::new();
        let mut tables = Vec::with_capacity(description.relations.len());
        for (number, relation) in description.relations.iter().enumerate() {
            let (group, table) = table(description, relation, &mut actions);
            signature.groups.push(Group { name: format!("trans {}", number + 1), ..group });
            tables.push(table);
        }
        let mut labels = Vec::new();
        for map in &description.maps {
            for (label, table) in label_tables(description, map) {
                signature.labels.push(label);
                labels.push(table);
            }
        }
        Etf {
            signature,
            values: description.sorts.values().cloned().collect(),
            actions: actions.into_values().collect(),
            tables,
            labels,
            sources: Vec::new(),
        }
    }
}

/// A value of a sort as a person writes it.
fn shown(values: Option<&IndexSet<Vec<u8>>>, value: Value) -> Cow<'_, str> {
    match values.and_then(|values| values.get_index(value as usize)) {
        None => value.to_string().into(),
        Some(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => quote(bytes).into(),
        },
    }
}

/// A group and its rows; actions are combinations of labels.
fn table(description: &Description, relation: &Relation, actions: &mut IndexMap<Vec<u32>, String>) -> (Group, Table) {
    let changes = |column: &usize| relation.rows.iter().any(|row| row.old[*column] != row.new[*column]);
    let written: Vec<usize> = (0..relation.columns.len()).filter(changes).collect();
    let group = Group {
        reads: relation.columns.clone(),
        must_write: written.iter().map(|&column| relation.columns[column]).collect(),
        ..Group::default()
    };
    let mut table = Table::default();
    for row in relation.rows.iter().rev() {
        let entry = actions.entry(row.labels.clone());
        let action = u32::try_from(entry.index()).unwrap_or(u32::MAX);
        entry.or_insert_with(|| {
            let labels = description.edge_labels.iter().zip(&row.labels);
            let shown = labels.map(|(declared, &label)| shown(description.sorts.get(&declared.sort), label));
            shown.collect::<Vec<_>>().join(", ")
        });
        let number = u32::try_from(table.successors.len()).unwrap_or(u32::MAX);
        let next = table.heads.insert(row.old.as_slice().into(), number);
        let values = written.iter().map(|&column| row.new[column]).collect();
        table.successors.push(Successor { action, values, next });
    }
    (group, table)
}

/// The labels of a map.
fn label_tables(description: &Description, map: &Map) -> Vec<(StateLabel, Label)> {
    let sort = description.sorts.get(&map.sort);
    let truth = |value: u32| match &*shown(sort, value) {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    };
    let boolean = map.rows.iter().all(|(_, value)| truth(*value).is_some());
    let reads: Vec<usize> =
        (0..description.variables.len()).filter(|&at| map.rows.iter().any(|(row, _)| row[at].is_some())).collect();
    let label = |name: String, holds: &dyn Fn(u32) -> bool| {
        let mut patterns: IndexMap<Vec<usize>, Verdicts> = IndexMap::new();
        for (number, (row, value)) in map.rows.iter().enumerate() {
            let places: Vec<usize> = (0..reads.len()).filter(|&place| row[reads[place]].is_some()).collect();
            let key: Box<[Value]> = row.iter().flatten().copied().collect();
            patterns.entry(places).or_default().entry(key).or_insert((number, holds(*value)));
        }
        let label = StateLabel { name, role: LabelRole::Proposition, reads: reads.clone() };
        (label, Label { patterns: patterns.into_iter().collect() })
    };
    if boolean {
        return vec![label(map.name.clone(), &|value| truth(value) == Some(true))];
    }
    let values: IndexSet<u32> = map.rows.iter().map(|(_, value)| *value).collect();
    values
        .into_iter()
        .map(|one| label(format!("{}={}", map.name, shown(sort, one)), &move |value| value == one))
        .collect()
}

impl NextState for Etf {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn next(&self, group: usize, batch: &Batch<'_>, successors: &mut Successors) -> Result<(), ModelError> {
        let table = &self.tables[group];
        for short in batch.iter() {
            let mut at = table.heads.get(short).copied();
            while let Some(successor) = at.and_then(|number| table.successors.get(number as usize)) {
                successors.push(successor.action, successor.values.iter().copied());
                at = successor.next;
            }
            successors.end();
        }
        Ok(())
    }

    fn label(&self, label: usize, short: &[Value]) -> Result<bool, ModelError> {
        let mut key = Vec::with_capacity(short.len());
        let mut best: Option<(usize, bool)> = None;
        for (places, rows) in &self.labels[label].patterns {
            key.clear();
            key.extend(places.iter().map(|&place| short[place]));
            let found = rows.get(key.as_slice()).copied();
            best = match (best, found) {
                (Some(best), Some(found)) => Some(if found.0 < best.0 { found } else { best }),
                (best, found) => best.or(found),
            };
        }
        Ok(best.is_some_and(|(_, holds)| holds))
    }

    fn source(&self, group: usize) -> Option<Cow<'_, str>> {
        self.sources.get(group).map(|source| source.as_str().into())
    }

    fn values(&self, kind: usize) -> Values {
        let table = self.values.get(kind).filter(|values| !values.is_empty());
        let Some(table) = table else { return Values::Numbers { least: 0 } };
        // What the table has no value for stands for itself.
        let numbers = table.iter().map(|value| std::str::from_utf8(value).ok()?.parse::<i64>().ok());
        match numbers.collect::<Option<Vec<i64>>>().and_then(|numbers| numbers.into_iter().min()) {
            Some(least) => Values::Numbers { least: least.min(0) },
            None => Values::Named(u32::try_from(table.len()).unwrap_or(u32::MAX)),
        }
    }

    fn show(&self, kind: usize, value: Value) -> Cow<'_, str> {
        shown(self.values.get(kind), value)
    }

    fn read(&self, kind: usize, text: &str) -> Option<Value> {
        let values = self.values.get(kind)?;
        let found = values
            .get_index_of(text.as_bytes())
            .or_else(|| values.iter().position(|value| std::str::from_utf8(value).is_err() && quote(value) == text));
        match found {
            Some(index) => u32::try_from(index).ok(),
            // A number that the table has no value for stands for itself.
            None => text.parse().ok().filter(|&number: &u32| number as usize >= values.len() && number < u32::MAX),
        }
    }

    fn number(&self, kind: usize, value: Value) -> Option<i64> {
        self.show(kind, value).parse().ok()
    }

    fn action(&self, action: u32) -> Cow<'_, str> {
        match self.actions.get(action as usize) {
            Some(name) => name.as_str().into(),
            None => action.to_string().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::PinsModel;
    use super::super::{describe, write};
    use super::*;
    use crate::budget::Budget;

    const SQUARE: &str = "begin state
x:_ y:_ state\\.0:colour
end state
begin edge
action:action
end edge
begin init
0 0 \"red\"
end init
begin trans
0/1 * * 0
end trans
begin trans
* 0/1 * 1
* 0/1 * \"c d\"
end trans
begin trans
end trans
begin trans
1/1 1/0 0/1 1
end trans
begin map shape:shape
* 0 * square
1 * * circle
0 1 * square
end map
begin map multiplicity:flag
0 0 * 1
0 1 * 0
1 0 * 0
1 1 * 1
end map
begin map colour:colour
* * 0 0
* * 1 1
end map
begin sort action
a
b
end sort
begin sort flag
\"false\" \"true\"
end sort
";

    fn square() -> Etf {
        let text = SQUARE.replace("* 0/1 * \"c d\"\n", "").replace("0 0 \"red\"", "0 0 0")
            + "begin sort colour\nred green\nend sort\n";
        match Etf::read("square.etf", &text) {
            Ok(model) => model,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// The successors of a short state: actions and values.
    fn answers(model: &Etf, group: usize, short: &[Value]) -> Vec<(String, Vec<Value>)> {
        let mut successors = Successors::default();
        let _ = model.next(group, &Batch::new(short, short.len(), 1), &mut successors);
        let all = successors.iter().flatten();
        all.map(|(action, values)| (model.action(action).into_owned(), values.to_vec())).collect()
    }

    #[test]
    fn groups_read_columns_and_write_what_changes() {
        let model = square();
        let rows: Vec<_> = model
            .signature()
            .groups
            .iter()
            .map(|group| (group.reads.clone(), group.must_write.clone(), group.may_write.len()))
            .collect();
        assert_eq!(rows, [(vec![0], vec![0], 0), (vec![1], vec![1], 0), (vec![0, 1, 2], vec![1, 2], 0)]);
        assert_eq!(answers(&model, 0, &[0]), [("a".to_owned(), vec![1])]);
        assert_eq!(answers(&model, 0, &[1]), []);
        assert_eq!(answers(&model, 2, &[1, 1, 0]), [("b".to_owned(), vec![0, 1])]);
    }

    #[test]
    fn successors_come_in_the_order_of_rows() {
        let model = match Etf::read("square.etf", &SQUARE.replace("begin sort action\na\nb\nend sort\n", "")) {
            Ok(model) => model,
            Err(error) => unreachable!("{error}"),
        };
        assert_eq!(answers(&model, 1, &[0]), [("1".to_owned(), vec![1]), ("c d".to_owned(), vec![1])]);
    }

    #[test]
    fn values_are_shown_and_read() {
        let model = square();
        let colour = model.signature().variables[2].kind;
        assert_eq!(model.signature().variables[2].name, "state.0");
        for (value, text) in [(0, "red"), (1, "green"), (7, "7")] {
            assert_eq!(model.show(colour, value), text);
            assert_eq!(model.read(colour, text), Some(value));
        }
        assert_eq!(model.number(colour, 0), None);
        let plain = model.signature().variables[0].kind;
        assert_eq!(
            (model.show(plain, 3).as_ref(), model.read(plain, "3"), model.number(plain, 3)),
            ("3", Some(3), Some(3))
        );
    }

    #[test]
    fn maps_are_labels() {
        let model = square();
        let names: Vec<&str> = model.signature().labels.iter().map(|label| label.name.as_str()).collect();
        assert_eq!(names, ["shape=square", "shape=circle", "multiplicity", "colour=red", "colour=green"]);
        assert_eq!(model.signature().labels[0].reads, [0, 1]);
        // The first row that fits counts.
        for (x, y, square, both) in [(0, 0, true, true), (1, 0, true, false), (1, 1, false, true), (0, 1, true, false)]
        {
            assert_eq!(model.label(0, &[x, y]), Ok(square));
            assert_eq!(model.label(1, &[x, y]), Ok(!square));
            assert_eq!(model.label(2, &[x, y]), Ok(both));
        }
        assert_eq!(model.label(0, &[5, 5]), Ok(false));
        assert_eq!(model.label(4, &[1]), Ok(true));
    }

    #[test]
    fn errors_say_where_and_what() {
        for (old, new, expected) in [
            ("begin state\n", "begin\nstate\n", "square.etf:1:6: expected `state`, found the end of the line"),
            ("0 0 \"red\"", "0 0", "square.etf:7:7: the initial state has 2 values for 3 variables"),
            ("0/1 * * 0", "0/1 * * 0 0", "square.etf:11:1: this row has 5 entries for 3 variables and 1 edge labels"),
            ("0/1 * * 0", "0/1 * 0 *", "entry 3 of this row does not fit"),
            ("0/1 * * 0", "0/ * * 0", "square.etf:11:4: expected a number, found `*`"),
            ("* 0/1 * \"c d\"", "* * 0/1 1", "`*` in the same columns"),
            ("end trans\nbegin map shape", "end map\nbegin map shape", "expected `trans`, found `map`"),
            ("begin sort flag", "begin sort colour", "already"),
            ("\"false\" \"true\"", "\"true\" \"true\"", "the same as that of line"),
            ("begin init\n0 0 \"red\"\nend init\n", "", "expected a section `init`, found the end of the file"),
            ("0/1 * * 0", "0/4294967295 * * 0", "too large"),
            ("\"c d\"", "\"c d", "does not end in its line"),
            ("\"c d\"", "#6#", "pairs of hexadecimal digits"),
            ("x:_ y:_", "x:_ end:_", "expected `state`, found `:`"),
            ("0/1 * * 0", "0/1 $ * 0", "unexpected character '$'"),
        ] {
            let mut text = SQUARE.replace(old, new);
            if !old.contains("c d") && !new.contains("colour") {
                text = text.replace("\"c d\"", "1");
            }
            let found = read("square.etf", &text).err().map(|error| error.to_string());
            assert!(found.as_ref().is_some_and(|found| found.contains(expected)), "{new}: {found:?}");
        }
    }

    #[test]
    fn no_text_makes_it_panic() {
        let tokens: Vec<&str> = SQUARE.split_inclusive([' ', '\n', '/', ':']).collect();
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
            let text = mutant.concat();
            if let Ok(description) = read("mutant.etf", &text) {
                assert_eq!(read("again.etf", &write(&description)).as_ref(), Ok(&description), "{text}");
                let model = Etf::new("mutant.etf", &description);
                if let Ok(model) = PinsModel::new("mutant", model) {
                    let _ = describe(&model, 10, &Budget::unlimited());
                }
            }
        }
    }
}
