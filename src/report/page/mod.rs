//! A page about a model and answers to questions about it, for a browser and without a network.
//!
//! **Problem.** A verdict, a marking of a hundred places and a run of fifty firings are hard to read as text.
//!
//! **Idea.** One file of HTML: the net as SVG ([`crate::picture`]; of a model of another kind, the net that is drawn of it,
//! [`Kind::picture`](crate::kinds::Kind::picture)), the answers as the JSON that the command line
//! prints, and a script that shows them: tables, the nodes on each level of the diagram, and the witness as a token
//! game on the picture, step by step. The address of a step is a fragment: `report.html#answer=1&run=1&step=3`. The page has
//! all places and arcs, so the script fires transitions for the reader, and of a net that is too large to be drawn as a whole
//! it draws what is near to a node that the reader chooses. Of a network it draws the components as automata.
//!
//! **Invariant.** Nothing is loaded from elsewhere, which a content security policy in the page enforces. Names that
//! come from nets and formulas are data, never markup: the only text that is written here as markup is escaped, the
//! JSON has no `<`, and the script makes texts only.
//!
//! ```
//! use starset::report::page::Page;
//! let net = starset::kinds::net::pnml::read_path("models/pipeline-2.pnml".as_ref())?;
//! let results = ["no question"];
//! let page =
//!     Page { model: &net, origin: "", results: &results, levels: None, focus: &[], beside: &[], symbols: None };
//! assert!(page.html()?.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beside;
mod data;

pub use beside::Beside;
pub use data::Page;

use super::frame::{BASIC_SCRIPT, BASIC_STYLE, framed, json};
use crate::model::ActionId;
use crate::net::PetriNet;
use crate::picture::View;
use crate::xml::escaped;
use data::{Data, action_of};
use rustc_hash::FxHashSet;
use serde::Serialize;

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");

/// The script: statements of one block, each file after those that it needs.
const SCRIPT: &[&str] = &[
    BASIC_SCRIPT,
    include_str!("names.js"),
    include_str!("games.js"),
    include_str!("answers.js"),
    include_str!("firing.js"),
    include_str!("formulas.js"),
    include_str!("picture.js"),
    include_str!("near.js"),
    include_str!("components.js"),
    include_str!("moves.js"),
    include_str!("play.js"),
    include_str!("free.js"),
    include_str!("levels.js"),
    include_str!("main.js"),
];

/// Places and transitions that are drawn here; of a larger net the script draws what is near to something.
const MOST_DRAWN: usize = 400;

impl<R: Serialize> Page<'_, R> {
    /// The page.
    ///
    /// # Errors
    /// If the results cannot be written as JSON.
    pub fn html(&self) -> Result<String, serde_json::Error> {
        let net = &*self.model.picture();
        let data = Data::of(self, net);
        let mut view = View::around(net, MOST_DRAWN, &self.focus(net));
        if let Some(symbols) = self.symbols.filter(|_| self.model.as_net().is_some()) {
            view = view.named(symbols);
        }
        let is_whole = view.note().is_none();
        let note = view
            .note()
            .filter(|_| !data.has_arcs() && !data.is_network())
            .map(|note| format!("The picture shows {note}."));
        let is_drawn = !data.is_network() && (is_whole || !data.has_arcs());
        let picture = if is_drawn { view.svg() } else { view.frame() };
        let data = json(&data)?;
        Ok(framed(
            BODY,
            &[
                ("TITLE", &escaped(self.model.name())),
                ("STYLE", &[BASIC_STYLE, STYLE].concat()),
                ("ORIGIN", &escaped(self.origin)),
                ("NOTE", &escaped(&note.unwrap_or_default())),
                ("WHOLE", if is_whole { "yes" } else { "no" }),
                ("PICTURE", &picture),
                ("DATA", &data),
                ("SCRIPT", &SCRIPT.concat()),
            ],
        ))
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
        let page = Page {
            model: &net,
            origin: "a <b>",
            results: &results,
            levels: Some(&[(place, 7)]),
            focus: &[],
            beside: &[],
            symbols: None,
        };
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
        let html = Page::<Value> {
            model: &net,
            origin: "",
            results: &[],
            levels: None,
            focus: &[],
            beside: &[],
            symbols: None,
        }
        .html()
        .unwrap();
        let names_of_languages = html.replace("http://www.w3.org/2000/svg", "");
        for word in ["http:", "https:", "src=", "href=", "url(\"", "@import", "fetch(", "{{"] {
            assert!(!names_of_languages.contains(word), "{word}");
        }
        assert!(html.contains("default-src 'none'"));
    }

    /// Of a large net the page has all places and arcs, and the script draws.
    #[test]
    fn large_nets_are_data() {
        let mut builder = NetBuilder::new("large");
        for number in 0..600 {
            let place = builder.place(format!("p{number}"), u64::from(number < 599)).unwrap();
            let transition = builder.transition(format!("t{number}")).unwrap();
            builder.input(place, transition, if number == 7 { 1 << 60 } else { 1 }).unwrap();
            builder.inhibitor(place, transition, 9).unwrap();
            if number % 200 == 5 {
                builder.name_transition(transition, "tau");
            }
        }
        let net = builder.build().unwrap();
        let page = Page::<Value> {
            model: &net,
            origin: "",
            results: &[],
            levels: None,
            focus: &[],
            beside: &[],
            symbols: None,
        };
        let html = page.html().unwrap();
        let data = data(&html);
        assert!(!html.contains("id=\"p0\"") && html.contains("data-whole=\"no\""));
        assert_eq!((data["places"].as_array().unwrap().len(), &data["playable"]), (600, &json!(true)));
        assert_eq!(data["silent"], json!([5, 205, 405]));
        assert_eq!(data["arcs"][7], json!([[7, (1u64 << 60).to_string()], [], [7, 9]]));
    }
}
