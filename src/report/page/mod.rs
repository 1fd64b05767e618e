//! A page about a model and answers to questions about it, for a browser and without a network.
//!
//! **Problem.** A verdict, a marking of a hundred places and a run of fifty firings are hard to read as text.
//!
//! **Idea.** One file of HTML: the net as SVG ([`crate::picture`]; of a model of another kind, the net that is drawn of it,
//! [`Kind::picture`]), the answers as the JSON that the command line
//! prints, and a script that shows them: tables, the nodes on each level of the diagram, and the witness as a token
//! game on the picture, step by step. The address of a step is a fragment: `report.html#answer=1&run=1&step=3`.
//!
//! **Invariant.** Nothing is loaded from elsewhere, which a content security policy in the page enforces. Names that
//! come from nets and formulas are data, never markup: the only text that is written here as markup is escaped, the
//! JSON has no `<`, and the script makes texts only.
//!
//! ```
//! use starset::report::page::Page;
//! let net = starset::kinds::net::pnml::read_path("models/pipeline-2.pnml".as_ref())?;
//! let page = Page { model: &net, origin: "", results: &["no question"], levels: None, focus: &[] };
//! assert!(page.html()?.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::kinds::Kind;
use crate::model::{ActionId, VariableId};
use crate::net::{Arc, PetriNet};
use crate::picture::View;
use crate::xml::escaped;
use rustc_hash::FxHashSet;
use serde::Serialize;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const BODY: &str = include_str!("page.html");

/// Places and transitions that are drawn; of a larger net a part is.
const MOST_DRAWN: usize = 400;

/// What a page shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a, R> {
    /// The model.
    pub model: &'a dyn Kind,
    /// What the model is, if there is more to say than its name: a sentence.
    pub origin: &'a str,
    /// The answers: objects as the commands `check`, `satset` and `states` print as JSON.
    pub results: &'a [R],
    /// Of the diagram of the reachable states, from the top: the variable of each level, and the number of nodes.
    pub levels: Option<&'a [(VariableId, usize)]>,
    /// Actions whose transitions are to be drawn even if the net is too large to be drawn as a whole.
    pub focus: &'a [ActionId],
}

/// The action of a transition, and the numbers of the places that it takes from and puts into.
type Drawn<'a> = (&'a str, Vec<usize>, Vec<usize>);

/// What the script reads.
#[derive(Serialize)]
struct Data<'a, R> {
    schema: &'static str,
    net: Sizes,
    /// Identifiers and initial tokens.
    places: Vec<(&'a str, String)>,
    transitions: Vec<&'a str>,
    /// Where several transitions may be drawn of one action.
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<Drawn<'a>>>,
    levels: Option<Vec<(&'a str, usize)>>,
    results: &'a [R],
}

#[derive(Serialize)]
struct Sizes {
    places: usize,
    transitions: usize,
    arcs: usize,
}

impl<R: Serialize> Page<'_, R> {
    /// The page.
    ///
    /// # Errors
    /// If the results cannot be written as JSON.
    pub fn html(&self) -> Result<String, serde_json::Error> {
        let net = &*self.model.picture();
        let variable = |&(variable, nodes): &(VariableId, usize)| (self.model.variable(variable), nodes);
        let data = serde_json::to_string(&Data {
            schema: "starset/report/1",
            net: Sizes { places: net.place_count(), transitions: net.transition_count(), arcs: net.arc_count() },
            places: net.places().iter().map(|place| (place.id.as_str(), place.initial.to_string())).collect(),
            transitions: net.transitions().iter().map(|transition| transition.id.as_str()).collect(),
            actions: self.model.as_net().is_none().then(|| actions(net)),
            levels: self.levels.map(|levels| levels.iter().map(variable).collect()),
            results: self.results,
        })?;
        let view = View::around(net, MOST_DRAWN, &self.focus(net));
        let note = view.note().map(|note| format!("The picture shows {note}."));
        let parts = [
            ("TITLE", escaped(self.model.name())),
            ("STYLE", STYLE.to_owned()),
            ("ORIGIN", escaped(self.origin)),
            ("NOTE", escaped(&note.unwrap_or_default())),
            ("PICTURE", view.svg()),
            // `<` is found in strings of JSON only: so nothing ends the element before its end.
            ("DATA", data.replace('<', "\\u003c")),
            ("SCRIPT", SCRIPT.to_owned()),
        ];
        let mut page = String::with_capacity(parts.iter().map(|(_, text)| text.len() + 512).sum());
        // The texts between the marks, and after each the part that the mark names: once, whatever the part contains.
        for (number, piece) in BODY.split("{{").enumerate() {
            match piece.split_once("}}").filter(|_| number > 0) {
                Some((name, rest)) => {
                    page.extend(parts.iter().filter(|(mark, _)| *mark == name).map(|(_, text)| text.as_str()));
                    page.push_str(rest);
                }
                None => page.push_str(piece),
            }
        }
        Ok(page)
    }

    /// The transitions of the picture that are drawn in any case.
    fn focus(&self, net: &PetriNet) -> Vec<ActionId> {
        if self.model.as_net().is_some() {
            return self.focus.to_vec();
        }
        let names: FxHashSet<&str> = self.focus.iter().map(|&action| self.model.action(action)).collect();
        net.transition_ids().filter(|&transition| names.contains(action_of(net, transition))).collect()
    }
}

/// The action that a transition of a picture is drawn of.
fn action_of(net: &PetriNet, transition: ActionId) -> &str {
    let transition = net.transition(transition);
    transition.name.as_deref().unwrap_or(&transition.id)
}

/// The actions of the transitions of a picture, with the places that they take from and put into.
fn actions(net: &PetriNet) -> Vec<Drawn<'_>> {
    let places = |arcs: &[Arc]| arcs.iter().map(|arc| arc.place.index()).collect();
    let action = |id: ActionId| (action_of(net, id), places(&net.transition(id).pre), places(&net.transition(id).post));
    net.transition_ids().map(action).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::NetBuilder;
    use serde_json::{Value, json};

    /// The data in a page.
    fn data(page: &str) -> Value {
        let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn hostile_names_are_data() {
        let name = "</script><script>alert(1)</script><!-- {{DATA}}";
        let mut builder = NetBuilder::new(name);
        let place = builder.place("</script><img src=x onerror=alert(1)>", 2).unwrap();
        let transition = builder.transition("<!--<script>").unwrap();
        builder.input(place, transition, 1).unwrap();
        let net = builder.build().unwrap();
        let results = [json!({ "id": "</script>", "formula": "{{SCRIPT}}" })];
        let page = Page { model: &net, origin: "a <b>", results: &results, levels: Some(&[(place, 7)]), focus: &[] };
        let html = page.html().unwrap();
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("<img") && !html.contains("<!--") && !html.contains("<b>"));
        let data = data(&html);
        assert_eq!(data["results"], json!(results));
        assert_eq!(data["places"], json!([["</script><img src=x onerror=alert(1)>", "2"]]));
        assert_eq!(data["levels"][0][1], 7);
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let net = NetBuilder::new("empty").build().unwrap();
        let html = Page::<Value> { model: &net, origin: "", results: &[], levels: None, focus: &[] }.html().unwrap();
        let names_of_languages = html.replace("http://www.w3.org/2000/svg", "");
        for word in ["http:", "https:", "src=", "href=", "url(\"", "@import", "fetch(", "{{"] {
            assert!(!names_of_languages.contains(word), "{word}");
        }
        assert!(html.contains("default-src 'none'"));
    }

    #[test]
    fn what_was_fired_is_drawn() {
        let mut builder = NetBuilder::new("two parts");
        let (mut last, mut far) = (None, None);
        for number in 0..600 {
            let place = builder.place(format!("p{number}"), u64::from(number < 599)).unwrap();
            let transition = builder.transition(format!("t{number}")).unwrap();
            builder.input(place, transition, 1).unwrap();
            (last, far) = (Some(transition), Some(place));
        }
        let (net, last, far) = (builder.build().unwrap(), last.unwrap(), far.unwrap());
        let page = |focus| Page::<Value> { model: &net, origin: "", results: &[], levels: None, focus }.html().unwrap();
        let [place, transition] = [format!("id=\"p{}\"", far.index()), format!("id=\"t{}\"", last.index())];
        let (without, with) = (page(&[]), page(&[last]));
        assert!(!without.contains(&transition) && with.contains(&transition) && with.contains(&place));
        assert!(with.contains("400 of 1200 places and transitions"));
    }
}
