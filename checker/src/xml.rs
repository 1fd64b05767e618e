//! As much of XML as models in PNML need: elements, attributes, text. What is not understood is refused.

use crate::effort::work;
use crate::text::Scanner;
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

    /// The only child with this name, if there is one.
    pub(crate) fn only(&self, name: &str) -> Checked<Option<&Element>> {
        let mut found = self.children.iter().filter(|child| child.name == name);
        match (found.next(), found.next()) {
            (child, None) => Ok(child),
            _ => refuse(format!("<{}> has more than one <{name}>", self.name)),
        }
    }

    /// The text of the only child `text`, without blanks around it.
    pub(crate) fn label(&self) -> Checked<&str> {
        match self.only("text")? {
            Some(text) if text.children.is_empty() => Ok(text.text.trim()),
            _ => refuse(format!("<{}> has not exactly one <text>", self.name)),
        }
    }
}

/// Nested deeper than any model.
const MAX_DEPTH: usize = 1000;

/// The root element of a document.
pub(crate) fn parse(text: &str) -> Checked<Element> {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document = Element::default();
    let mut text = Scanner { rest, what: "XML", skip: str::trim_start };
    content(&mut text, &mut document, 0)?;
    match document.children.pop() {
        Some(root) if document.children.is_empty() && document.text.trim().is_empty() => Ok(root),
        _ => refuse("XML: not one complete element, or text outside of it"),
    }
}

/// Read what is in an element, and its end tag; at depth 0 the whole document.
fn content(text: &mut Scanner<'_>, element: &mut Element, depth: usize) -> Checked<()> {
    loop {
        let words = text.take(|c| c != '<');
        element.text.push_str(&unescape(words)?);
        if text.rest.is_empty() {
            return if depth == 0 { Ok(()) } else { text.refuse(&format!("</{}> is missing", element.name)) };
        }
        if text.sign("<!--") {
            text.until("-->")?;
        } else if text.sign("<?") {
            text.until("?>")?;
        } else if text.sign("<!") {
            return refuse("XML: declarations and CDATA sections are not read");
        } else if text.sign("</") {
            let (name, _) = name(text)?;
            text.expect(">")?;
            if depth > 0 && name == element.name {
                return Ok(());
            }
            return refuse(format!("XML: </{name}> ends nothing"));
        } else if depth >= MAX_DEPTH {
            return refuse("XML: elements nested too deeply");
        } else {
            text.expect("<")?;
            let (mut child, is_complete) = start_tag(text)?;
            if !is_complete {
                content(text, &mut child, depth + 1)?;
            }
            element.children.push(child);
        }
    }
}

/// A name without its prefix, and whether there is one.
fn name<'a>(text: &mut Scanner<'a>) -> Checked<(&'a str, bool)> {
    let full = text.take(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'));
    let name = full.rsplit(':').next().unwrap_or_default();
    if name.is_empty() { text.refuse("a name is missing") } else { Ok((name, name != full)) }
}

/// After `<`: the element, and whether it is complete.
fn start_tag(text: &mut Scanner<'_>) -> Checked<(Element, bool)> {
    let mut element = Element { name: name(text)?.0.to_owned(), ..Element::default() };
    loop {
        if text.sign("/>") {
            return Ok((element, true));
        }
        if text.sign(">") {
            return Ok((element, false));
        }
        let (attribute, is_foreign) = name(text)?;
        text.expect("=")?;
        let quote = if text.sign("'") { "'" } else { "\"" };
        if quote == "\"" {
            text.expect(quote)?;
        }
        let value = text.until(quote)?;
        // Attributes of other name spaces mean nothing to us.
        if !is_foreign {
            work(element.attributes.len())?;
            if element.attribute(attribute).is_some() {
                return refuse(format!("XML: `{attribute}` is given twice"));
            }
            element.attributes.push((attribute.to_owned(), unescape(value)?));
        }
    }
}

fn unescape(text: &str) -> Checked<String> {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((entity, rest)) = part.split_once(';') else { return refuse("XML: `;` is missing") };
        let number = |digits, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let c = match (entity, entity.strip_prefix("#x"), entity.strip_prefix('#')) {
            ("lt", ..) => Some('<'),
            ("gt", ..) => Some('>'),
            ("amp", ..) => Some('&'),
            ("quot", ..) => Some('"'),
            ("apos", ..) => Some('\''),
            (_, Some(digits), _) => number(digits, 16),
            (_, _, Some(digits)) => number(digits, 10),
            _ => None,
        };
        let Some(c) = c else { return refuse(format!("XML: unknown entity &{entity};")) };
        out.push(c);
        out.push_str(rest);
    }
    Ok(out)
}
