//! The common frame of all pages: a template with marks for its parts, and the basic style and script.

use serde::Serialize;

/// Colours for light and dark, type, tables, buttons.
pub(super) const BASIC_STYLE: &str = include_str!("basic.css");

/// Tools of the scripts: their data, elements that are made of texts, and numbers for people.
pub(super) const BASIC_SCRIPT: &str = include_str!("basic.js");

/// Data for a script, in an element of a page.
pub(super) fn json(data: &impl Serialize) -> Result<String, serde_json::Error> {
    // `<` is found in strings of JSON only: so nothing ends the element before its end.
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}

/// The template with each `{{NAME}}` replaced by the part of that name: once, whatever the part contains.
pub(super) fn framed(template: &str, parts: &[(&str, &str)]) -> String {
    let mut page =
        String::with_capacity(template.len() + parts.iter().map(|(_, text)| text.len() + 512).sum::<usize>());
    for (number, piece) in template.split("{{").enumerate() {
        match piece.split_once("}}").filter(|_| number > 0) {
            Some((name, rest)) => {
                page.extend(parts.iter().filter(|(mark, _)| *mark == name).map(|(_, text)| *text));
                page.push_str(rest);
            }
            None => page.push_str(piece),
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::framed;

    #[test]
    fn parts_are_not_looked_into() {
        let parts = [("A", "{{B}}"), ("B", "b")];
        assert_eq!(framed("<{{A}}{{B}}{{A}}>", &parts), "<{{B}}b{{B}}>");
    }
}
