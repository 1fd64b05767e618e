//! Text for documents that people look at: SVG and HTML.

/// Text between tags or between quotes. What XML does not allow, even escaped, becomes a replacement character.
///
/// ```
/// assert_eq!(starset::xml::escaped("a<b & 'c'"), "a&lt;b &amp; &#39;c&#39;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}
