"""Diagrams of BPMN, process trees and nets of pm4py. Nothing of pm4py is imported but to give a net back."""

from __future__ import annotations

import atexit
import itertools
import os
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starset._native import Builder, Net
from starset.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

_MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL"

# Elements by the names of pm4py's classes, without what an event is about.
_ELEMENTS = {
    "EndEvent": "endEvent",
    "EventBasedGateway": "eventBasedGateway",
    "ExclusiveGateway": "exclusiveGateway",
    "InclusiveGateway": "inclusiveGateway",
    "IntermediateCatchEvent": "intermediateCatchEvent",
    "IntermediateThrowEvent": "intermediateThrowEvent",
    "ParallelGateway": "parallelGateway",
    "SendTask": "sendTask",
    "StartEvent": "startEvent",
    "SubProcess": "subProcess",
    "Task": "task",
    "UserTask": "userTask",
}
_ABOUT = {
    "Cancel": "cancelEventDefinition",
    "Error": "errorEventDefinition",
    "Message": "messageEventDefinition",
    "Normal": None,
    "Terminate": "terminateEventDefinition",
}


def from_bpmn(diagram: Any) -> Net:
    """A diagram in a file, or one of pm4py: see `Net.from_bpmn`."""
    if isinstance(diagram, (str, os.PathLike)):
        if not os.fspath(diagram).lower().endswith(".bpmn"):
            raise MisuseError(f"{os.fspath(diagram)}: a diagram of BPMN is in a file .bpmn; `Net.read` reads all others")
        return Net.read(diagram)
    # Its soundness is asked of the file, which stays as long as the program.
    folder = tempfile.mkdtemp(prefix="starset-")
    file = Path(folder, "diagram.bpmn")
    file.write_text(_xml(diagram), encoding="utf-8")
    atexit.register(_remove, file)
    return Net.read(str(file))


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.parent.rmdir()


def _xml(diagram: Any) -> str:
    ET.register_namespace("", _MODEL)
    root = ET.Element(f"{{{_MODEL}}}definitions")
    nodes = sorted(diagram.get_nodes(), key=lambda node: str(node.get_id()))
    processes: dict[str, ET.Element] = {}
    parents: dict[str, ET.Element] = {}
    kinds = {str(node.get_id()): type(node).__name__ for node in nodes}
    inner = {str(node.get_id()): node for node in nodes if kinds[str(node.get_id())] == "SubProcess"}
    messages: list[Any] = []

    def process(name: Any) -> ET.Element:
        """The element in which what names this process lies: a process, or a sub-process with all that is around it."""
        name = str(name)
        if name not in parents:
            if name in inner:
                write(inner.pop(name))
            elif kinds.get(name) == "SubProcess":
                raise MisuseError(f"{name}: a sub-process that lies in itself")
            else:
                processes[name] = parents[name] = ET.SubElement(root, f"{{{_MODEL}}}process", id=name)
        return parents[name]

    def write(node: Any) -> None:
        element, about = _element(kinds[str(node.get_id())])
        written = ET.SubElement(process(node.get_process()), f"{{{_MODEL}}}{element}", id=str(node.get_id()))
        if node.get_name():
            written.set("name", str(node.get_name()).strip())
        if about is not None:
            ET.SubElement(written, f"{{{_MODEL}}}{about}")
        if element == "subProcess":
            parents[str(node.get_id())] = written
        if element == "boundaryEvent":
            raise MisuseError(f"{node.get_id()}: pm4py does not say which activity a boundary event is on")

    for name in list(inner):
        process(name)
    for node in nodes:
        if kinds[str(node.get_id())] not in ("SubProcess", "Collaboration", "Participant", "TextAnnotation"):
            write(node)
    for flow in sorted(diagram.get_flows(), key=lambda flow: str(flow.get_id())):
        if type(flow).__name__ == "MessageFlow":
            messages.append(flow)
        elif type(flow).__name__ == "SequenceFlow":
            _flow(process(flow.get_process() or flow.get_source().get_process()), "sequenceFlow", flow)
    if messages:
        collaboration = ET.Element(f"{{{_MODEL}}}collaboration", id="collaboration")
        root.insert(0, collaboration)
        for number, name in enumerate(processes):
            ET.SubElement(collaboration, f"{{{_MODEL}}}participant", id=f"participant{number}", processRef=name)
        for flow in messages:
            _flow(collaboration, "messageFlow", flow)
    return ET.tostring(root, encoding="unicode")


def _flow(parent: ET.Element, element: str, flow: Any) -> None:
    ends = {"sourceRef": str(flow.get_source().get_id()), "targetRef": str(flow.get_target().get_id())}
    ET.SubElement(parent, f"{{{_MODEL}}}{element}", {"id": str(flow.get_id()), **ends})


def _element(kind: str) -> tuple[str, str | None]:
    if kind in _ELEMENTS:
        return _ELEMENTS[kind], None
    for about, definition in _ABOUT.items():
        if kind.startswith(about) and kind[len(about) :] in _ELEMENTS:
            return _ELEMENTS[kind[len(about) :]], definition
    if kind.endswith("BoundaryEvent"):
        return "boundaryEvent", None
    raise MisuseError(f"a {kind} of pm4py is nothing that starset takes from there; give the file to `Net.read`")


# Marks of nodes in later versions of pm4py: where a process may begin, end, or leave what is around a node.
_MARKS = ("start", "stop", "skip")


def from_process_tree(tree: Any) -> Net:
    """A process tree of pm4py: see `Net.from_process_tree`. Each node of the tree takes a token from one place to another."""
    builder = Builder("process tree")
    numbers = itertools.count(1)

    def place(tokens: int = 0) -> str:
        name = f"p{next(numbers)}"
        builder.place(name, tokens)
        return name

    def step(label: str | None, sources: list[str], targets: list[str]) -> None:
        name = f"t{next(numbers)}"
        builder.transition(name, label, silent=label is None)
        for source in sources:
            builder.arc(source, name)
        for target in targets:
            builder.arc(name, target)

    def between(node: Any, source: str, target: str) -> None:
        for mark in _MARKS:
            if getattr(node, mark, False) is True:
                raise MisuseError(f"a node of the process tree is marked with {mark!r}, which is not supported")
        if node.operator is None:
            step(node.label, [source], [target])
            return
        operator, children = node.operator.value, list(node.children)
        if not children:
            raise MisuseError(f"the operator {operator} of the process tree has no children")
        build: Callable[[list[Any], str, str], None] | None = {
            "->": sequence,
            "X": choice,
            "+": parallel,
            "*": loop,
            "O": inclusive,
            "<>": interleaved,
        }.get(operator)
        if build is None:
            raise MisuseError(f"the operator {operator} of process trees is not supported")
        build(children, source, target)

    def sequence(children: list[Any], source: str, target: str) -> None:
        ends = [place() for _ in children[1:]]
        for child, start, end in zip(children, [source, *ends], [*ends, target], strict=True):
            between(child, start, end)

    def choice(children: list[Any], source: str, target: str) -> None:
        for child in children:
            # Nothing leads back into a place in which a choice begins or ends.
            start, end = place(), place()
            step(None, [source], [start])
            between(child, start, end)
            step(None, [end], [target])

    def parallel(children: list[Any], source: str, target: str) -> None:
        starts, ends = [place() for _ in children], [place() for _ in children]
        step(None, [source], starts)
        for child, start, end in zip(children, starts, ends, strict=True):
            between(child, start, end)
        step(None, ends, [target])

    def loop(children: list[Any], source: str, target: str) -> None:
        start, end = place(), place()
        step(None, [source], [start])
        between(children[0], start, end)
        if len(children) == 1:
            # As pm4py has it: once or more, with nothing between.
            step(None, [end], [start])
        for child in children[1:]:
            again, back = place(), place()
            step(None, [end], [again])
            between(child, again, back)
            step(None, [back], [start])
        step(None, [end], [target])

    def inclusive(children: list[Any], source: str, target: str) -> None:
        # Some take part, at least one: the first of them is chosen, then any others.
        starts, ends = [place() for _ in children], [place() for _ in children]
        for first, _ in enumerate(children):
            waits = {other: place() for other in range(first + 1, len(children))}
            step(None, [source], [starts[first], *waits.values(), *ends[:first]])
            for other, wait in waits.items():
                step(None, [wait], [starts[other]])
                step(None, [wait], [ends[other]])
        for child, start, end in zip(children, starts, ends, strict=True):
            between(child, start, end)
        step(None, ends, [target])

    def interleaved(children: list[Any], source: str, target: str) -> None:
        # In any order, one after the other.
        turn, starts, ends = place(), [place() for _ in children], [place() for _ in children]
        step(None, [source], [turn, *starts])
        for child, start, end in zip(children, starts, ends, strict=True):
            begun, done = place(), place()
            step(None, [start, turn], [begun])
            between(child, begun, done)
            step(None, [done], [end, turn])
        step(None, [turn, *ends], [target])

    source, target = place(1), place()
    between(tree, source, target)
    builder.final_marking({target: 1})
    return builder.build()


def to_pm4py(net: Net) -> tuple[Any, Any, Any]:
    """A net as one of pm4py, with its markings: see `Net.to_pm4py`."""
    from pm4py.objects.petri_net.obj import InhibitorNet, Marking
    from pm4py.objects.petri_net.utils import petri_utils

    root = ET.fromstring(net.to_text("pnml"))
    theirs = InhibitorNet(net.name)
    nodes: dict[str, Any] = {}
    initial, final = Marking(), Marking()
    for element in root.iter():
        # The places of a final marking refer to these.
        if _local(element) == "place" and "id" in element.attrib:
            place = InhibitorNet.Place(element.get("id"))
            theirs.places.add(place)
            nodes[element.get("id", "")] = place
            tokens = int(_text(element, "initialMarking") or 0)
            if tokens and element.find("{*}initialMarking") is not None:
                initial[place] = tokens
        elif _local(element) == "transition":
            marks = [found for found in element.iter() if _local(found) == "toolspecific"]
            is_silent = any("invisible" in found.get("activity", "") for found in marks)
            label = None if is_silent else _text(element, "name") or element.get("id")
            transition = InhibitorNet.Transition(element.get("id"), label)
            theirs.transitions.add(transition)
            nodes[element.get("id", "")] = transition
    for element in root.iter():
        if _local(element) != "arc":
            continue
        weight = int(_text(element, "inscription") or 1)
        kind = next((found.get("value") for found in element if _local(found) == "type"), None) or _text(element, "type")
        kind = kind if kind == "inhibitor" else None
        petri_utils.add_arc_from_to(nodes[element.get("source", "")], nodes[element.get("target", "")], theirs, weight, kind)
    if net.final_marking is not None:
        for name, value in net.final_marking.marked.items():
            final[nodes[_id(root, name)]] = int(value)
    return theirs, initial, final


def _local(element: ET.Element) -> str:
    """The name of an element without its prefix."""
    return element.tag.rsplit("}", 1)[-1]


def _text(element: ET.Element, child: str) -> str | None:
    """The text of the first child of this name."""
    return next((found.findtext("{*}text") for found in element if _local(found) == child), None)


def _id(root: ET.Element, name: str) -> str:
    """The identifier of a place of this name."""
    places = [element for element in root.iter() if _local(element) == "place"]
    named = [element for element in places if element.get("id") == name] or [e for e in places if _text(e, "name") == name]
    return str(named[0].get("id"))
