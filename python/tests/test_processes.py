"""Processes: diagrams of BPMN in files and of pm4py, process trees, and nets both ways."""

import itertools
import random
from typing import Any

import pm4py
import pytest
from conftest import MODELS
from pm4py.objects.bpmn.obj import BPMN
from pm4py.objects.petri_net.utils import reachability_graph
from pm4py.objects.process_tree.obj import Operator, ProcessTree

from starset import Net, errors


def test_a_diagram_in_a_file() -> None:
    with pytest.warns(UserWarning, match="timer `late`"):
        net = Net.from_bpmn(MODELS / "order.bpmn")
    soundness = net.soundness()
    assert soundness
    assert soundness.notions["clean"] is False
    assert list(soundness.runs) == ["clean"]
    assert soundness.runs["clean"][0] == "A wish"
    assert soundness.to_dict()["markings"] == "44"
    assert soundness.to_html().startswith("<!")
    assert "<svg" in soundness.to_html()
    assert "<table" in soundness._repr_html_()
    assert net.times()["sound"] is True
    assert all(rule["all"] is not None for rule in net.rules(MODELS / "order.rules")["rules"])
    assert net.replay(MODELS / "orders.csv", MODELS / "order.rules")["variants"]
    with pytest.raises(errors.MisuseError, match="Net.read"):
        Net.from_bpmn(MODELS / "philo-5.pnml")


def tree(rng: random.Random, depth: int) -> ProcessTree:
    if depth == 0 or rng.random() < 0.2:
        return ProcessTree(label=rng.choice(["a", "b", "c", "d", None]))
    operator = rng.choice([Operator.SEQUENCE, Operator.XOR, Operator.PARALLEL, Operator.LOOP])
    node = ProcessTree(operator=operator)
    for _ in range(rng.randint(1, 2) if operator is Operator.LOOP else rng.randint(1, 3)):
        child = tree(rng, depth - 1)
        child.parent = node
        node.children.append(child)
    return node


def words(process: Any, most: int) -> set[tuple[str, ...]]:
    """The activities of complete runs of pm4py's nets, up to a length."""
    from pm4py.objects.petri_net.semantics import enabled_transitions, execute

    net, initial, final = process
    seen: set[Any] = set()
    found: set[tuple[str, ...]] = set()
    todo: list[tuple[Any, tuple[str, ...]]] = [(initial, ())]
    while todo:
        marking, word = todo.pop()
        key = (frozenset(marking.items()), word)
        if key in seen:
            continue
        seen.add(key)
        if marking == final:
            found.add(word)
        for transition in enabled_transitions(net, marking):
            longer = word if transition.label is None else (*word, transition.label)
            if len(longer) <= most:
                todo.append((execute(transition, net, marking), longer))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_process_trees(seed: int) -> None:
    """Sound, and with the same words as pm4py's own net of the tree; so is the net that is given back."""
    made = tree(random.Random(seed), 2)
    net = Net.from_process_tree(made)
    assert net.soundness().weak
    ours, theirs = net.to_pm4py(), pm4py.convert_to_petri_net(made)
    assert words(ours, 3) == words(theirs, 3), str(made)
    again = Net.from_pm4py(*ours)
    assert again.states() == net.states()
    assert sorted(again.places) == sorted(net.places)
    assert again.final_marking is not None


@pytest.mark.parametrize("operator", [Operator.OR, Operator.INTERLEAVING])
def test_other_operators(operator: Operator) -> None:
    node = ProcessTree(operator=operator)
    node.children = [ProcessTree(label=label, parent=node) for label in "abc"]
    net = Net.from_process_tree(node)
    assert net.soundness().classical
    found = words(net.to_pm4py(), 3)
    lengths = {len(word) for word in found}
    assert (lengths, len(found)) == (({1, 2, 3}, 15) if operator is Operator.OR else ({3}, 6))


def test_marks_of_nodes_are_refused() -> None:
    node = pm4py.parse_process_tree("->('a', 'b')")
    node.children[0].stop = True
    with pytest.raises(errors.MisuseError, match="'stop'"):
        Net.from_process_tree(node)


def test_diagrams_of_pm4py() -> None:
    node = pm4py.parse_process_tree("->('a', X('b', 'c'), +('d', 'e'), *('f', 'g'))")
    net = Net.from_bpmn(pm4py.convert_to_bpmn(node))
    soundness = net.soundness()
    assert soundness and all(soundness.notions.values())
    assert not soundness.dead
    petri = pm4py.convert_to_petri_net(pm4py.convert_to_bpmn(node))
    assert pm4py.check_soundness(*petri)[0]


@pytest.mark.parametrize("names", [("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a")])
def test_sub_processes_of_pm4py(names: tuple[str, str, str]) -> None:
    """Sub-processes lie in each other, whatever they are called."""
    diagram, outside = BPMN(process_id="P"), "P"
    for name in [*names, None]:
        start, end = BPMN.NormalStartEvent(process=outside), BPMN.NormalEndEvent(process=outside)
        task = BPMN.Task(name=f"before {name}", process=outside)
        inside = BPMN.SubProcess(id=name, process=outside) if name else BPMN.Task(name="work", process=outside)
        for node in (start, task, inside, end):
            diagram.add_node(node)
        for source, target in [(start, task), (task, inside), (inside, end)]:
            diagram.add_flow(BPMN.SequenceFlow(source, target, process=outside))
        outside = name or outside
    net = Net.from_bpmn(diagram)
    assert net.soundness()
    for before, after in itertools.pairwise([*(f"before {name}" for name in names), "before None", "work"]):
        assert net.check(f'precedence("{before}", "{after}")', paths="finite"), (before, after)
        assert not net.check(f'precedence("{after}", "{before}")', paths="finite"), (before, after)


def test_sub_processes_that_lie_in_each_other() -> None:
    diagram = BPMN(process_id="P")
    for name, outside in [("a", "b"), ("b", "a")]:
        diagram.add_node(BPMN.SubProcess(id=name, process=outside))
    with pytest.raises(errors.MisuseError, match="a sub-process that lies in itself"):
        Net.from_bpmn(diagram)


def test_silent_transitions_survive() -> None:
    net, initial, final = pm4py.convert_to_petri_net(pm4py.parse_process_tree("->('a', X('b', tau))"))
    ours = Net.from_pm4py(net, initial, final)
    back, start, end = ours.to_pm4py()
    silent = [t for t in back.transitions if t.label is None]
    assert len(silent) == len([t for t in net.transitions if t.label is None])
    assert words((back, start, end), 3) == words((net, initial, final), 3) == {("a",), ("a", "b")}
    assert len(reachability_graph.construct_reachability_graph(back, start).states) == ours.states()
