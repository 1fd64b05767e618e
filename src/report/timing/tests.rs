#![allow(clippy::unwrap_used)]

use super::*;
use crate::kinds::clocks::inquiry::{Inquiry, inquire};
use crate::kinds::clocks::line_format;
use crate::kinds::clocks::markings::Limits;

fn of(text: &str) -> String {
    let net = line_format::read(text, "test").unwrap();
    let scaled = Scaled::new(&net).unwrap();
    let from = (0..net.transitions.len() as u32).map(crate::kinds::clocks::model::TransitionId).collect();
    let asked = Inquiry { is_final: &|_| false, horizon: 100, nearer: false, from, limits: Limits::default() };
    page(&scaled, &inquire(&net, &asked).unwrap())
}

#[test]
fn a_block_is_drawn_with_a_run_and_its_region() {
    let two = "clocks x y\nplace p init 1 inv y<=9\nplace q inv x<=8\nplace r\ntrans t : p -> q when y>=1 reset x\n\
               trans u : q -> r when x<=5 & y<=6";
    let html = of(two);
    assert!(html.contains("A timelock in {q}") && html.contains("class=\"block\""), "{html}");
    assert!(html.contains("class=\"clock\"") && html.contains("class=\"marked\""));
    assert!(html.contains("A run there: <code>"));
    let one = of("clocks x\nplace p init 1 inv x<=8\nplace q\ntrans t : p -> q when x<=5");
    assert!(one.contains("5&lt;x&lt;=8") && one.contains("class=\"end\""), "{one}");
    let none = of("clocks x\nplace p init 1\ntrans t : p -> p when x<=5 reset x\ntrans s : p -> p");
    assert!(none.contains("<h2>No block</h2>"));
}

#[test]
fn names_are_texts_and_nothing_is_loaded() {
    let html =
        of("clocks x\nplace <script>alert(1)</script> init 1\ntrans <b> : <script>alert(1)</script> -> when x<=5");
    assert!(!html.contains("<script") && !html.contains("<b>") && html.contains("&lt;b&gt;"), "{html}");
    let names_of_languages = html.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "src=", "href=", "url(\"", "@import"] {
        assert!(!names_of_languages.contains(word), "{word}");
    }
    assert!(html.contains("default-src 'none'"));
}
