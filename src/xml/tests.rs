#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Read};

/// Everything a file says, one line per event, or the error.
fn transcript(input: impl BufRead, limits: Limits) -> Result<String, String> {
    let mut xml = XmlCursor::with_limits(input, limits);
    let mut out = String::new();
    loop {
        let event = match xml.advance().map_err(|e| e.to_string())? {
            Event::Open(name) => format!("<{name}>"),
            Event::Close(name) => format!("</{name}>"),
            Event::Text(text) => format!("{text:?}"),
            Event::End => return Ok(out),
        };
        out.push_str(&format!("{} {event}\n", xml.location()));
    }
}

fn check(input: &[u8], expected: &str) {
    assert_eq!(transcript(input, Limits::default()).unwrap(), expected);
    // The same in tiny pieces: nothing depends on where buffers end (but the byte order mark comes whole).
    assert_eq!(transcript(BufReader::with_capacity(3, input), Limits::default()).unwrap(), expected);
}

fn check_error(input: &[u8], expected: &str) {
    assert_eq!(transcript(input, Limits::default()).unwrap_err(), expected);
}

#[test]
fn events_carry_their_place() {
    check(
        b"<?xml version='1.0' encoding='UTF-8'?>\n<!-- c -->\n<a>\n <b x='1'/>t\n</a>\n",
        "3:1 <a>\n3:4 \"\\n \"\n4:2 <b>\n4:12 </b>\n4:12 \"t\\n\"\n5:1 </a>\n",
    );
    check("<é>ü<q/></é>".as_bytes(), "1:1 <é>\n1:4 \"ü\"\n1:5 <q>\n1:9 </q>\n1:9 </é>\n");
    check(b"\xEF\xBB\xBF<a/>", "1:1 <a>\n1:5 </a>\n");
}

#[test]
fn references_and_cdata_are_text() {
    let mut xml = XmlCursor::new("<a>&lt;1&#62;<![CDATA[<&]]><!-- no --> x </a>".as_bytes());
    assert_eq!(xml.next_child().unwrap(), Some("a"));
    assert_eq!(xml.text().unwrap(), "<1><& x");
    assert_eq!(xml.next_child().unwrap(), None);
}

#[test]
fn prefixes_are_dropped() {
    let mut xml = XmlCursor::new("<p:a xmlns:p='u' xmlns:id='no' p:id='k'/>".as_bytes());
    assert_eq!(xml.next_child().unwrap(), Some("a"));
    assert_eq!(xml.attribute("id").unwrap().unwrap(), "k");
    assert_eq!(xml.attribute("p").unwrap(), None);
}

#[test]
fn attribute_values_are_normalised() {
    let mut xml = XmlCursor::new("<a v=\"x&amp;y\n&#65;\" w='\"'/>".as_bytes());
    xml.next_child().unwrap();
    assert_eq!(xml.require("v").unwrap(), "x&y A");
    assert_eq!(xml.require("w").unwrap(), "\"");
    let missing = xml.require("z").unwrap_err();
    assert_eq!(missing.to_string(), "1:1: `<a>` has no attribute `z`; add z=\"…\"");
}

#[test]
fn references_hide_no_control_characters() {
    let attribute = |text: &str, name| {
        let mut xml = XmlCursor::new(text.as_bytes());
        xml.next_child().unwrap();
        xml.require(name).map_err(|e| e.to_string())
    };
    assert_eq!(attribute("<a v='x&#10;y'/>", "v").as_deref(), Ok("x\ny"));
    let control = attribute("<a v='&#27;[31m'/>", "v").unwrap_err();
    assert!(control.starts_with("1:1: a control character (U+001B)"), "{control}");
}

#[test]
fn latin1_is_decoded() {
    let mut xml = XmlCursor::new(&b"<?xml version='1.0' encoding='ISO-8859-1'?><\xE9 n='\xFC'>\xDF</\xE9>"[..]);
    assert_eq!(xml.next_child().unwrap(), Some("é"));
    assert_eq!(xml.require("n").unwrap(), "ü");
    assert_eq!(xml.text().unwrap(), "ß");
}

#[test]
fn children_and_skipping() {
    let mut xml = XmlCursor::new("<r><a><x>1</x>junk</a> <b/> <c>2</c></r>".as_bytes());
    assert_eq!(xml.next_child().unwrap(), Some("r"));
    assert_eq!(xml.next_child().unwrap(), Some("a"));
    assert_eq!(xml.element(), "a");
    xml.skip().unwrap();
    assert_eq!(xml.next_child().unwrap(), Some("b"));
    assert_eq!(xml.next_child().unwrap(), None);
    assert_eq!(xml.next_child().unwrap(), Some("c"));
    assert_eq!(xml.text().unwrap(), "2");
    assert_eq!(xml.next_child().unwrap(), None);
    assert_eq!(xml.next_child().unwrap(), None);
}

#[test]
fn text_has_its_place() {
    let mut xml = XmlCursor::new("<r>\n <n>\n\n   42 </n>\n</r>".as_bytes());
    xml.next_child().unwrap();
    xml.next_child().unwrap();
    assert_eq!(xml.text().unwrap(), "42");
    assert_eq!(xml.location(), Location { line: 4, column: 4 });
}

#[test]
fn text_and_elements_are_not_mixed() {
    let mut xml = XmlCursor::new("<r>\n  5</r>".as_bytes());
    xml.next_child().unwrap();
    let e = xml.next_child().unwrap_err().to_string();
    assert_eq!(e, "2:3: unexpected text `5` inside `<r>`; it belongs in an element of its own, or nowhere");
    let mut xml = XmlCursor::new("<r>5<b/></r>".as_bytes());
    xml.next_child().unwrap();
    let e = xml.text().unwrap_err().to_string();
    assert_eq!(e, "1:5: unexpected element `<b>` inside `<r>`, which holds only text; remove it");
}

#[test]
fn bad_files_are_refused_with_place_and_remedy() {
    let malformed = [
        (&b""[..], "1:1: the file is empty; give an XML file"),
        (b"  \n", "2:1: the file holds no element; give an XML file"),
        (b"\n hello", "2:2: this is not XML (it does not begin with `<`); give an XML file"),
        (b"\x7fELF\x02\x01", "1:1: this is not XML (it does not begin with `<`); give an XML file"),
        (b"\x1f\x8b\x08\x00", "1:1: this is a gzip file, not XML; unpack it first"),
        (b"PK\x03\x04", "1:1: this is a zip file, not XML; unpack it first"),
        (
            b"\xFF\xFE<\0a\0",
            "1:1: the encoding UTF-16LE is not supported; convert the file, for instance with `iconv -f UTF-16LE -t UTF-8`",
        ),
        (
            b"\0<\0a\0/\0>",
            "1:1: the encoding UTF-16BE is not supported; convert the file, for instance with `iconv -f UTF-16BE -t UTF-8`",
        ),
        (
            b"<?xml version='1.0' encoding='KOI8-R'?><a/>",
            "1:1: the encoding KOI8-R is not supported; convert the file, for instance with `iconv -f KOI8-R -t UTF-8`",
        ),
        (b"<a>\nok \xE9</a>", "2:4: bytes that are not valid UTF-8; declare the encoding or convert the file to UTF-8"),
        (
            b"<a>\n\0</a>",
            "2:1: a control character (U+0000), which XML does not allow; the file is damaged, get it again",
        ),
        (
            b"<a b='\x01'/>",
            "1:7: a control character (U+0001), which XML does not allow; the file is damaged, get it again",
        ),
        (b"<a b='\xE9'/>", "1:7: bytes that are not valid UTF-8; declare the encoding or convert the file to UTF-8"),
        (
            b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
            "1:1: document type declarations are refused, as entities can expand without bound; remove `<!DOCTYPE …>`",
        ),
        (
            b"<a>&b;</a>",
            "1:4: unknown entity `&b;`; only &lt; &gt; &amp; &quot; &apos; and character references are read",
        ),
        (b"<a>\n<b>", "2:4: the file ends inside `<b>`, opened at 2:1; it seems truncated, get it again"),
        (b"<a>\n<b", "2:1: malformed XML: a tag is never closed by `>`; the file may be truncated"),
        (
            b"<a b='",
            "1:1: malformed XML: the value of an attribute is never closed by its quote; the file may be truncated",
        ),
        (b"<a>\n<b></a>", "2:4: `</a>` does not close `<b>`, opened at 2:1; mend the nesting"),
        (b"<a/>\n<b/>", "2:1: content after the end of the root element; remove it"),
        (b"<a/></b>", "1:5: content after the end of the root element; remove it"),
        (b"<a/> x", "1:6: content after the end of the root element; remove it"),
        (b"<a>1 < 2</a>", "1:6: malformed XML: a tag without a name; write `&lt;` for a plain `<`"),
        (b"<a>1 & 2</a>", "1:6: malformed XML: `&` begins no entity; write `&amp;` for a plain `&`"),
        (b"<a><!x></a>", "1:4: malformed XML: `<!` begins neither a comment nor a CDATA section; remove it"),
    ];
    for (input, expected) in malformed {
        check_error(input, expected);
    }
}

#[test]
fn bad_attributes_are_refused() {
    let cases = [
        ("<a b/>", "1:1: malformed XML: an attribute without a value; write name=\"value\""),
        ("<a b=c/>", "1:1: malformed XML: the value of an attribute is not quoted; write name=\"value\""),
        ("<a b='1' b='2'/>", "1:1: malformed XML: an attribute is given twice; remove one of them"),
        (
            "<a b='&x;'/>",
            "1:1: unknown entity `&x;`; only &lt; &gt; &amp; &quot; &apos; and character references are read",
        ),
        (
            "<a b='&#xFFFFFFFF;'/>",
            "1:1: malformed XML: an invalid character reference; write &#N; or &#xH; with a valid code point",
        ),
    ];
    for (input, expected) in cases {
        let mut xml = XmlCursor::new(input.as_bytes());
        xml.next_child().unwrap();
        assert_eq!(xml.attribute("b").unwrap_err().to_string(), expected);
    }
}

#[test]
fn limits_hold() {
    let limits = Limits { depth: 100, token_bytes: 1 << 16, total_bytes: 1 << 20 };
    let endless = |head: &'static str, unit: &'static [u8]| {
        struct Repeat(&'static [u8], usize);
        impl Read for Repeat {
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                for b in out.iter_mut() {
                    *b = self.0[self.1 % self.0.len()];
                    self.1 += 1;
                }
                Ok(out.len())
            }
        }
        transcript(BufReader::new(head.as_bytes().chain(Repeat(unit, 0))), limits).unwrap_err()
    };
    let long = "a single tag or text of more than 65536 bytes; this file is refused as hostile or broken";
    let deep = "elements nested more than 100 deep; this file is refused as hostile or broken";
    let large = "the file is larger than 1048576 bytes, the limit for reading; give a smaller one";
    assert_eq!(endless("", b"<a>"), format!("1:301: {deep}"));
    assert_eq!(endless("<a>", b"x"), format!("1:4: {long}"));
    assert_eq!(endless("<a ", b"x"), format!("1:1: {long}"));
    assert_eq!(endless("<a><!--", b"x"), format!("1:4: {long}"));
    assert_eq!(endless("<a><![CDATA[", b"x"), format!("1:4: {long}"));
    assert_eq!(endless("<a>&", b"x"), format!("1:4: {long}"));
    assert_eq!(endless("<a><!DOCTYPE", b"x"), format!("1:4: {long}"));
    assert!(endless("<a>\n", b"<b/>").ends_with(large));
    // Text in many pieces is one text.
    let pieces = format!("<a>{}</a>", "<![CDATA[0123456789]]>".repeat(7_000));
    let mut xml = XmlCursor::with_limits(pieces.as_bytes(), limits);
    xml.next_child().unwrap();
    assert!(xml.text().unwrap_err().to_string().ends_with(long));
}

#[test]
fn a_failing_source_is_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk on fire"))
        }
    }
    let e = transcript(BufReader::new(Broken), Limits::default()).unwrap_err();
    assert_eq!(e, "1:1: cannot read on: disk on fire");
    let e = transcript(BufReader::new("<a>".as_bytes().chain(Broken)), Limits::default()).unwrap_err();
    assert_eq!(e, "1:4: cannot read on: disk on fire");
}

proptest! {
    /// Any bytes have an end, and the location never runs backwards.
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop_oneof![
        Just(b'<'), Just(b'>'), Just(b'/'), Just(b'&'), Just(b';'), Just(b'a'), Just(b'='), Just(b'\''), Just(b'!'),
        Just(b'-'), Just(b'?'), Just(b'['), Just(b']'), Just(b'#'), Just(b' '), Just(b'\n'), Just(b':'), any::<u8>()
    ], 0..60)) {
        let mut xml = XmlCursor::new(bytes.as_slice());
        let mut last = Location::START;
        for _ in 0..=2 * bytes.len() {
            match xml.advance() {
                Ok(Event::End) | Err(_) => break,
                Ok(Event::Open(_)) => { let _ = xml.attribute("a"); }
                Ok(_) => {}
            }
            prop_assert!(xml.location() >= last);
            last = xml.location();
        }
        let mut xml = XmlCursor::new(bytes.as_slice());
        while let Ok(Some(_)) = xml.next_child() {
            let _ = xml.text();
        }
    }
}
