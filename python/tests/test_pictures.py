"""Pictures and tables of notebooks are well-formed, and names do not become elements of them."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from starset import Automaton, Net
from starset._html import _number

HOSTILE = "<script>alert(1)</script>&\"'"


@pytest.fixture(scope="module")
def hostile() -> Net:
    """A net whose names are markup."""
    arcs = [(f"p{HOSTILE}", f"t{HOSTILE}"), (f"t{HOSTILE}", f"q{HOSTILE}")]
    return Net.from_edges(arcs, {f"p{HOSTILE}": 1}, name=HOSTILE)


def svgs(net: Net) -> Iterator[str]:
    yield net._repr_svg_()
    yield net.initial._repr_svg_() or ""
    yield net.reachability_graph()._repr_svg_()
    yield Automaton.from_ltl('G("<script>" -> F "a & b")')._repr_svg_()
    yield Automaton.from_ltl("(a U b) | G(c -> X d)")._repr_svg_()


def test_pictures(hostile: Net) -> None:
    for net in [hostile, Net.family("philo", 3)]:
        for svg in svgs(net):
            root = ElementTree.fromstring(svg)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert not [element for element in root.iter() if element.tag.endswith("script")]


class Tags(HTMLParser):
    """The elements of a document, and whether they are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_tables(hostile: Net) -> None:
    answer = hostile.check("AF !deadlock")
    no = hostile.check("AG !deadlock")
    assert answer.value is True and no.value is False and no.witness is not None
    unknown = hostile.check("EF deadlock", timeout=0)
    parts: list[Any] = [answer, no, no.witness, no.witness[0], unknown, hostile.reachable(), ~hostile.reachable(), hostile.soundness()]
    for part in [*parts, Net.family("philo", 100).reachable()]:
        html = part._repr_html_()
        tags = Tags(html)
        assert tags.open == [] and "script" not in tags.seen
    # Python refuses to write as many digits as this has.
    assert _number(3**12_000) == "2.85 × 10<sup>5725</sup>"
    assert _number(10**6) == "1\u202f000\u202f000"
    assert "unknown" in unknown._repr_html_() and "out of time" in unknown._repr_html_()
