//! Facts about a model before its exploration: its size, and what else is known.
//!
//! Kinds of models have different things to say, so these are lists: each item has a key for machines, which is a field
//! of JSON objects (docs/json.md), and words for people.

use serde_json::Value;

/// How many there are of something that a model is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The field of JSON objects: `states`.
    pub key: &'static str,
    /// One of them in words: `local state`.
    pub one: &'static str,
    /// How many.
    pub count: usize,
}

impl Size {
    /// A number of parts called `one`, under a key.
    pub const fn new(key: &'static str, one: &'static str, count: usize) -> Self {
        Size { key, one, count }
    }
}

/// Sizes in words: `16 places, 1 transition`.
///
/// ```
/// use starset::kinds::{Size, in_words};
/// let sizes = [Size::new("places", "place", 16), Size::new("transitions", "transition", 1)];
/// assert_eq!(in_words(&sizes), "16 places, 1 transition");
/// ```
pub fn in_words(sizes: &[Size]) -> String {
    let words = |size: &Size| format!("{} {}{}", size.count, size.one, if size.count == 1 { "" } else { "s" });
    sizes.iter().map(words).collect::<Vec<_>>().join(", ")
}

/// Something that is known of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The field of JSON objects.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// The same for people: lines of a title and a text. None where it goes without saying.
    pub lines: Vec<(String, String)>,
}

impl Fact {
    /// A fact with one line of text.
    pub fn new(key: &'static str, value: impl Into<Value>, title: &str, text: impl Into<String>) -> Self {
        Fact { key, value: value.into(), lines: vec![(title.to_owned(), text.into())] }
    }
}

/// A program of SMV as one of a single module (`starset_smv::Model::flat`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flat {
    /// Its text.
    pub text: String,
    /// By state label, the name of its definition; none where it does not speak of states alone.
    pub labels: Vec<Option<String>>,
}
