"""Nets of other packages as nets of starset. Nothing of those packages is imported: what they give is looked at."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from starset._native import Builder, Net
from starset.errors import MisuseError, StarsetError

# Kinds of arcs in pm4py.
_RESET = "reset"
_INHIBITOR = "inhibitor"
# What pm4py itself goes by, also of arcs that have no such property.
_KINDS = {"ResetArc": _RESET, "InhibitorArc": _INHIBITOR}


def from_pm4py(net: Any, initial_marking: Any, final_marking: Any = None) -> Net:
    """A net of pm4py: see `Net.from_pm4py`."""
    builder = Builder(net.name or "net")
    places = sorted(net.places, key=lambda place: str(place.name))
    transitions = sorted(net.transitions, key=lambda transition: str(transition.name))
    names = _names([(str(place.name), place) for place in places] + _called(transitions))
    for place in places:
        builder.place(names[id(place)], int(initial_marking.get(place, 0)))
    for transition in transitions:
        builder.transition(names[id(transition)], transition.label, silent=transition.label is None)
    _within(initial_marking, names, "the initial marking")
    for arc in sorted(net.arcs, key=lambda arc: (names[id(arc.source)], names[id(arc.target)])):
        source, target, weight = names[id(arc.source)], names[id(arc.target)], int(arc.weight)
        kind = (getattr(arc, "properties", None) or {}).get("arctype") or _KINDS.get(type(arc).__name__)
        if kind == _RESET:
            raise MisuseError(f"the arc from {source!r} to {target!r} is a reset arc, which starset does not have")
        if kind == _INHIBITOR:
            builder.inhibitor(source, target, weight)
        else:
            builder.arc(source, target, weight)
    if final_marking:
        _within(final_marking, names, "the final marking")
        builder.final_marking({names[id(place)]: int(tokens) for place, tokens in final_marking.items()})
    return builder.build()


def _within(marking: Any, names: dict[int, str], what: str) -> None:
    for place in marking:
        if id(place) not in names:
            raise MisuseError(f"{what} has the place {place.name!r}, which is not in the net")


def _called(transitions: list[Any]) -> list[tuple[str, Any]]:
    """Transitions with their labels where no other has the same, else with their names, which may be random."""
    labels = Counter(transition.label for transition in transitions)
    return [(str(t.label if t.label and labels[t.label] == 1 else t.name), t) for t in transitions]


def _names(nodes: list[tuple[str, Any]]) -> dict[int, str]:
    """A name for each node: its own, with a number where several have the same."""
    taken: set[str] = set()
    own = {name for name, _ in nodes}
    names: dict[int, str] = {}
    for wanted, node in nodes:
        name, number = wanted, 2
        while name in taken or (number > 2 and name in own):
            name, number = f"{wanted}_{number}", number + 1
        taken.add(name)
        names[id(node)] = name
    return names


def from_snakes(net: Any) -> Net:
    """A net of SNAKES: see `Net.from_snakes`."""
    builder = Builder(net.name or "net")
    for place in net.place():
        tokens = list(place.tokens)
        if not all(_is_black(token) for token in tokens):
            raise MisuseError(
                f"the place {place.name!r} has tokens that are not black; starset reads coloured nets from PNML only"
            )
        builder.place(place.name, len(tokens))
    for transition in net.transition():
        if str(transition.guard) != "True":
            raise MisuseError(f"the transition {transition.name!r} has a guard; black tokens leave nothing to guard")
        builder.transition(transition.name)
        for place, label in transition.input():
            _input(builder, place.name, transition.name, label)
        for place, label in transition.output():
            builder.arc(transition.name, place.name, _weight(label, place.name, transition.name))
    return builder.build()


def _input(builder: Builder, place: str, transition: str, label: Any) -> None:
    match type(label).__name__:
        case "Test":
            builder.read_arc(place, transition, _weight(label._annotation, place, transition))
        case "Inhibitor":
            builder.inhibitor(place, transition, _weight(label._annotation, place, transition))
        case _:
            builder.arc(place, transition, _weight(label, place, transition))


def _is_black(token: Any) -> bool:
    return type(token).__name__ == "BlackToken"


def _weight(label: Any, place: str, transition: str) -> int:
    """How many black tokens an annotation stands for."""
    match type(label).__name__:
        case "Value" if _is_black(label.value):
            return 1
        # Whatever token there is: all are black.
        case "Variable":
            return 1
        case "MultiArc":
            return sum(_weight(part, place, transition) for part in label._components)
        case kind:
            raise MisuseError(
                f"the arc between {place!r} and {transition!r} is a {kind} that does not stand for black tokens;"
                " starset reads coloured nets from PNML only"
            )


def from_aeon(network: Any) -> Net:
    """A network of `biodivine_aeon`: see `Net.from_aeon`."""
    return _from_text(network.to_aeon(), "aeon")


def from_pyboolnet(primes: Any) -> Net:
    """A network of `pyboolnet`: see `Net.from_pyboolnet`."""

    def literal(name: str, value: int) -> str:
        return name if value else f"!{name}"

    def function(implicants: list[dict[str, int]]) -> str:
        terms = [" & ".join(literal(name, value) for name, value in term.items()) or "1" for term in implicants]
        return " | ".join(terms) or "0"

    lines = [f"{name}, {function(implicants[1])}\n" for name, implicants in primes.items()]
    return _from_text("".join(["targets, factors\n", *lines]), "bnet")


def from_networkx(graph: Any) -> Net:
    """A signed graph of networkx: see `Net.from_networkx`."""
    arrows = {1: "->", -1: "-|"}
    lines = []
    for source, target, data in graph.edges(data=True):
        given = "function" in graph.nodes[target] or data.get("sign") not in arrows
        lines.append(f"{source} {'-??' if given else arrows[data['sign']]} {target}\n")
    for name, data in graph.nodes(data=True):
        if "function" in data:
            lines.append(f"${name}: {data['function']}\n")
            # A variable in it that changes nothing has no edge.
            named = dict.fromkeys(re.findall(r"\w+", str(data["function"])))
            lines += [f"{other} -?? {name}\n" for other in named if other in graph and not graph.has_edge(other, name)]
        elif graph.degree(name) == 0:
            # A line of its own, as no edge names it.
            lines.append(f"{name} -?? {name}\n${name}: {name}\n")
    return _from_text("".join(lines), "aeon")


def to_networkx(net: Net) -> Any:
    """The influences of a network: see `Net.to_networkx`."""
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(net.places)
    for source, target, sign in net.influences():
        graph.add_edge(source, target, sign=sign)
    try:
        text = net.to_text("bnet")
    except StarsetError:
        return graph
    for line in text.splitlines():
        name, _, function = line.partition(",")
        if name in graph and function.strip() != name:
            graph.nodes[name]["function"] = function.strip()
    return graph


def _from_text(text: str, form: str) -> Net:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"network.{form}")
        file.write_text(text, encoding="utf-8")
        return Net.read(str(file))
