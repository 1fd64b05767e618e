//! As much of XML as models in PNML need: elements, attributes, text. What is not understood is refused.

use crate::{Checked, refuse};

/// An element with what is in it. Names are without their prefixes.
#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Element>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The text of the only child `text`, without blanks around it.
    pub(crate) fn label(&self) -> Checked<&str> {
        let mut texts = self.children.iter().filter(|child| child.name == "text");
        match (texts.next(), texts.next()) {
            (Some(text), None) if text.children.is_empty() => Ok(text.text.trim()),
            _ => refuse(format!("<{}> has not exactly one <text>", self.name)),
        }
    }
}

/// Nested deeper than any model.
const MAX_DEPTH: usize = 1000;

/// The root element of a document.
pub(crate) fn parse(text: &str) -> Checked<Element> {
    let mut stack = vec![Element::default()];
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while !rest.is_empty() {
        let end = rest.find('<').unwrap_or(rest.len());
        let words = unescape(&rest[..end])?;
        match stack.last_mut() {
            Some(document) if document.name.is_empty() && !words.trim().is_empty() => {
                return refuse("XML: text outside of the root element");
            }
            Some(element) => element.text.push_str(&words),
            None => return refuse("XML: too many end tags"),
        }
        rest = &rest[end..];
        if rest.is_empty() {
            break;
        }
        if let Some(after) = rest.strip_prefix("<!--") {
            rest = skip_past(after, "-->")?;
        } else if let Some(after) = rest.strip_prefix("<?") {
            rest = skip_past(after, "?>")?;
        } else if rest.starts_with("<!") {
            return refuse("XML: declarations and CDATA sections are not read");
        } else if let Some(after) = rest.strip_prefix("</") {
            let (name, after) = name(after)?;
            let Some(after) = after.trim_start().strip_prefix('>') else { return refuse("XML: bad end tag") };
            rest = after;
            match (stack.pop(), stack.last_mut()) {
                (Some(done), Some(parent)) if done.name == name => parent.children.push(done),
                _ => return refuse(format!("XML: </{name}> ends nothing")),
            }
        } else {
            let (element, after, closed) = start_tag(&rest[1..])?;
            rest = after;
            let depth = stack.len();
            match stack.last_mut() {
                Some(parent) if closed => parent.children.push(element),
                _ if depth > MAX_DEPTH => return refuse("XML: elements nested too deeply"),
                _ => stack.push(element),
            }
        }
    }
    match (stack.pop(), stack.is_empty()) {
        (Some(mut document), true) if document.children.len() == 1 => Ok(document.children.remove(0)),
        _ => refuse("XML: not one complete element"),
    }
}

fn skip_past<'a>(text: &'a str, end: &str) -> Checked<&'a str> {
    match text.find(end) {
        Some(at) => Ok(&text[at + end.len()..]),
        None => refuse(format!("XML: `{end}` is missing")),
    }
}

/// A name without its prefix.
fn name(text: &str) -> Checked<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let name = text[..end].rsplit(':').next().unwrap_or_default();
    if name.is_empty() { refuse("XML: a name is missing") } else { Ok((name, &text[end..])) }
}

/// After `<`: the element, what follows it, and whether it is complete.
fn start_tag(text: &str) -> Checked<(Element, &str, bool)> {
    let (tag, mut rest) = name(text)?;
    let mut element = Element { name: tag.to_owned(), ..Element::default() };
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            return Ok((element, after, true));
        }
        if let Some(after) = rest.strip_prefix('>') {
            return Ok((element, after, false));
        }
        let full = rest.split(|c: char| c == '=' || c.is_whitespace()).next().unwrap_or_default();
        let (attribute, after) = name(rest)?;
        let Some(after) = after.trim_start().strip_prefix('=') else { return refuse("XML: `=` is missing") };
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return refuse("XML: a quotation mark is missing");
        };
        let Some((value, after)) = after[1..].split_once(quote) else { return refuse("XML: a value without end") };
        // Attributes of other name spaces mean nothing to us.
        if !full.contains(':') {
            if element.attribute(attribute).is_some() {
                return refuse(format!("XML: `{attribute}` is given twice"));
            }
            element.attributes.push((attribute.to_owned(), unescape(value)?));
        }
        rest = after;
    }
}

fn unescape(text: &str) -> Checked<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let Some((entity, after)) = rest[at + 1..].split_once(';') else { return refuse("XML: `;` is missing") };
        let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let c = match entity {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => match entity.strip_prefix("#x") {
                Some(digits) => number(digits, 16),
                None => entity.strip_prefix('#').and_then(|digits| number(digits, 10)),
            },
        };
        match c {
            Some(c) => out.push(c),
            None => return refuse(format!("XML: unknown entity &{entity};")),
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
