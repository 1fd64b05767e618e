//! Values in words.
//!
//! ProB writes a value as a Prolog term in a compact form of SICStus: `D`, and then a tag for each part of the term
//! with its text, which ends with a zero byte. Values of other writers are shown as text if they are some, and in
//! hexadecimal otherwise. Nothing but what is shown depends on this: values are compared as bytes.

/// Terms deeper than this are shown in hexadecimal.
const DEEPEST: u32 = 64;

/// A value in words.
pub(super) fn show(value: &[u8]) -> String {
    let body = value.strip_prefix(b"D");
    if let Some(text) = body.and_then(whole) {
        return text;
    }
    let text = std::str::from_utf8(body.unwrap_or(value)).ok().map(|text| text.trim_end_matches('\0'));
    match text.filter(|text| !text.is_empty() && !text.chars().any(char::is_control)) {
        Some(text) => text.to_owned(),
        None => value.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// The bytes that are written for an integer or an atom, in the form of a value that is known.
pub(super) fn like(known: &[u8], text: &str) -> Option<Vec<u8>> {
    let body = known.strip_prefix(b"D")?;
    let written = match (body.first()?, body.last()?) {
        (b'I', 0) if text.parse::<i64>().is_ok() => format!("DI{text}\0"),
        (b'A', 0) => format!("DA{text}\0"),
        (_, last) if *last != 0 => format!("D{text}"),
        _ => return None,
    };
    (show(written.as_bytes()) == text).then(|| written.into_bytes())
}

/// The one term that these bytes are.
fn whole(bytes: &[u8]) -> Option<String> {
    let (text, rest) = term(bytes, 0)?;
    rest.is_empty().then_some(text)
}

fn term(bytes: &[u8], depth: u32) -> Option<(String, &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    if depth > DEEPEST {
        return None;
    }
    match tag {
        b'A' | b'I' | b'F' | b'_' => {
            let (text, rest) = word(rest)?;
            let number = matches!(tag, b'I') && text.parse::<i128>().is_err();
            (!number).then_some((text, rest))
        }
        b'"' => {
            let (text, rest) = word(rest)?;
            Some((format!("\"{text}\""), rest))
        }
        b']' => Some(("[]".to_owned(), rest)),
        b'[' => {
            let (head, rest) = term(rest, depth + 1)?;
            let (mut text, mut rest) = (format!("[{head}"), rest);
            while let Some(after) = rest.strip_prefix(b"[") {
                let (head, after) = term(after, depth + 1)?;
                text += &format!(",{head}");
                rest = after;
            }
            let (tail, rest) = term(rest, depth + 1)?;
            let tail = if tail == "[]" { String::new() } else { format!("|{tail}") };
            Some((format!("{text}{tail}]"), rest))
        }
        b'S' => {
            let (functor, rest) = word(rest)?;
            let (&arity, mut rest) = rest.split_first()?;
            let mut arguments = Vec::new();
            for _ in 0..arity {
                let (argument, after) = term(rest, depth + 1)?;
                arguments.push(argument);
                rest = after;
            }
            Some((format!("{functor}({})", arguments.join(",")), rest))
        }
        _ => None,
    }
}

/// Text up to the next zero byte.
fn word(bytes: &[u8]) -> Option<(String, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == 0)?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    (!text.chars().any(char::is_control)).then(|| (text.to_owned(), &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_shown() {
        for (value, expected) in [
            (&b"DI42\0"[..], "42"),
            (b"DAa\0", "a"),
            (b"DSa\0\x02Ab\0Ac\0", "a(b,c)"),
            (b"D[I1\0[I2\0]", "[1,2]"),
            (b"D[I1\0A_\0", "[1|_]"),
            (b"DTrue", "True"),
            (b"D-3\0", "-3"),
            (b"z\x01\x02", "7a0102"),
            (b"DSa\0\x02Ab\0", "445361000241620 0"),
        ] {
            assert_eq!(show(value), expected.replace(' ', ""));
        }
        assert_eq!(show(&[&b"D"[..], &b"[".repeat(100_000)].concat()).len(), 100_000);
    }

    #[test]
    fn words_become_values_of_the_same_form() {
        assert_eq!(like(b"DI42\0", "-3").as_deref(), Some(&b"DI-3\0"[..]));
        assert_eq!(like(b"DI42\0", "a"), None);
        assert_eq!(like(b"DTRUE", "FALSE").as_deref(), Some(&b"DFALSE"[..]));
        assert_eq!(like(b"DSa\0\x01Ab\0", "a(c)"), None);
    }
}
