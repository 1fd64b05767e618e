//! JSON objects whose fields depend on the options and on the model: pairs of a name and a value, in their order.

use crate::kinds::Size;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A JSON object; docs/json.md describes its fields.
#[derive(Clone, Debug)]
pub struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    /// An object of this schema.
    pub fn new(schema: &'static str) -> Self {
        Fields(Vec::new()).with("schema", schema)
    }

    /// The begin of an object about a model: its name, and its sizes under what such a model is called.
    pub fn about(schema: &'static str, name: &str, kind: &'static str, sizes: &[Size]) -> Self {
        let sizes = sizes.iter().map(|size| (size.key.to_owned(), Value::from(size.count)));
        Fields::new(schema).with("model", name).with(kind, Value::Object(sizes.collect()))
    }

    /// One more field; `null` if there is no value.
    pub fn with(mut self, name: &'static str, value: impl Serialize) -> Self {
        // It is made of texts and numbers, which cannot fail to be written.
        self.0.push((name, serde_json::to_value(value).unwrap_or_default()));
        self
    }

    /// One more field, if there is a value.
    pub fn with_some(self, name: &'static str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Change a field that is there.
    pub fn set(&mut self, name: &'static str, value: Value) {
        self.0.iter_mut().filter(|(known, _)| *known == name).for_each(|field| field.1 = value.clone());
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// An object with a field for each of these pairs.
#[derive(Debug)]
pub struct Pairs<T, V = String>(pub Vec<(T, V)>);

impl<T: AsRef<str>, V: Serialize> Serialize for Pairs<T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name.as_ref(), value)))
    }
}
