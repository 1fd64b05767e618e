"""Nets of other packages, held against what those packages say themselves."""

from collections.abc import Callable
from typing import Any

import pm4py
import pytest
import snakes.nets
from pm4py.objects.petri_net.obj import InhibitorNet, Marking, PetriNet, ResetNet
from pm4py.objects.petri_net.utils import petri_utils, reachability_graph
from snakes.nets import Expression, Inhibitor, MultiArc, StateGraph, Substitution, Test, Value, Variable, dot

from starset import Net, errors


def order() -> tuple[Any, Any, Any]:
    """A process: an order is checked and packed side by side, and may be checked again."""
    net = PetriNet("order")
    places = {name: PetriNet.Place(name) for name in ["start", "a", "b", "c", "d", "end"]}
    net.places.update(places.values())
    for name, label, inputs, outputs in [
        ("t1", "receive", ["start"], ["a", "b"]),
        ("t2", "check", ["a"], ["c"]),
        ("t3", None, ["c"], ["a"]),
        ("t4", "pack", ["b"], ["d"]),
        ("t5", "send", ["c", "d"], ["end"]),
    ]:
        transition = PetriNet.Transition(name, label)
        net.transitions.add(transition)
        for place in inputs:
            petri_utils.add_arc_from_to(places[place], transition, net)
        for place in outputs:
            petri_utils.add_arc_from_to(transition, places[place], net)
    return net, Marking({places["start"]: 1}), Marking({places["end"]: 1})


def test_a_process_of_pm4py() -> None:
    net, initial, final = order()
    ours = Net.from_pm4py(net, initial, final)
    assert ours.name == "order"
    assert ours.states() == len(reachability_graph.construct_reachability_graph(net, initial).states)
    assert ours.initial.marked == {"start": 1}
    assert ours.final_marking is not None and ours.final_marking.marked == {"end": 1}
    assert ours.soundness().classical is True
    assert pm4py.check_soundness(net, initial, final)[0]
    # Labels are names; what has none keeps its own.
    assert sorted(ours.transitions) == ["check", "pack", "receive", "send", "t3"]
    assert ours.check("AG (enabled(send) -> EF #end = 1)")


def test_names_that_are_there_twice() -> None:
    net = PetriNet("twice")
    one, other = PetriNet.Place("p"), PetriNet.Place("p")
    transition = PetriNet.Transition("p", None)
    net.places.update([one, other])
    net.transitions.add(transition)
    petri_utils.add_arc_from_to(one, transition, net, weight=2)
    petri_utils.add_arc_from_to(transition, other, net)
    ours = Net.from_pm4py(net, Marking({one: 4}))
    assert sorted([*ours.places, *ours.transitions]) == ["p", "p_2", "p_3"]
    assert ours.states() == 3
    with pytest.raises(errors.MisuseError, match="not in the net"):
        Net.from_pm4py(net, Marking({PetriNet.Place("q"): 1}))


def test_special_arcs_of_pm4py() -> None:
    net = InhibitorNet("inhibited")
    p, q = InhibitorNet.Place("p"), InhibitorNet.Place("q")
    t = InhibitorNet.Transition("t", "t")
    net.places.update([p, q])
    net.transitions.add(t)
    petri_utils.add_arc_from_to(p, t, net)
    petri_utils.add_arc_from_to(t, q, net)
    petri_utils.add_arc_from_to(q, t, net, type="inhibitor")
    # The first firing inhibits all others.
    assert Net.from_pm4py(net, Marking({p: 5})).states() == 2

    reset = ResetNet("reset")
    p, t = ResetNet.Place("p"), ResetNet.Transition("t", "t")
    reset.places.add(p)
    reset.transitions.add(t)
    petri_utils.add_arc_from_to(p, t, reset, type="reset")
    with pytest.raises(errors.MisuseError, match="reset arc"):
        Net.from_pm4py(reset, Marking({p: 1}))
    # Arcs that are made without a property: pm4py goes by their class.
    for net, arc in [(ResetNet("r"), ResetNet.ResetArc), (InhibitorNet("i"), InhibitorNet.InhibitorArc)]:
        p, q, t = net.Place("p"), net.Place("q"), net.Transition("t", "t")
        net.places.update([p, q])
        net.transitions.add(t)
        petri_utils.add_arc_from_to(t, q, net)
        made = arc(p, t)
        net.arcs.add(made)
        p.out_arcs.add(made)
        t.in_arcs.add(made)
        if isinstance(net, ResetNet):
            with pytest.raises(errors.MisuseError, match="reset arc"):
                Net.from_pm4py(net, Marking({p: 1}))
        else:
            assert Net.from_pm4py(net, Marking({p: 1})).states() == 1


def small() -> Any:
    """A net of SNAKES with all arcs that are taken over."""
    net = snakes.nets.PetriNet("small")
    for name, tokens in [("p", 3), ("q", 0), ("gate", 1), ("full", 0)]:
        net.add_place(snakes.nets.Place(name, [dot] * tokens))
    net.add_transition(snakes.nets.Transition("move"))
    net.add_input("p", "move", Value(dot))
    net.add_output("q", "move", Value(dot))
    net.add_input("gate", "move", Test(Value(dot)))
    net.add_input("full", "move", Inhibitor(Value(dot)))
    net.add_transition(snakes.nets.Transition("fill"))
    net.add_input("q", "fill", MultiArc([Value(dot), Value(dot)]))
    net.add_output("full", "fill", Value(dot))
    net.add_transition(snakes.nets.Transition("pass"))
    net.add_input("full", "pass", Variable("x"))
    net.add_output("p", "pass", Variable("x"))
    return net


def test_a_net_of_snakes() -> None:
    net = small()
    graph = StateGraph(net)
    graph.build()
    ours = Net.from_snakes(net)
    assert ours.name == "small"
    assert ours.states() == len(graph)
    markings = set()
    for state in range(len(graph)):
        graph.goto(state)
        markings.add(tuple(sorted((place, len(tokens)) for place, tokens in graph.net.get_marking().items())))
    assert markings == {tuple(sorted((name, int(n)) for name, n in state.marked.items())) for state in ours.reachable()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda net: net.add_place(snakes.nets.Place("r", [1])), "not black"),
        (lambda net: net.add_transition(snakes.nets.Transition("t", Expression("x > 1"))), "guard"),
        (lambda net: net.add_input("p", "fill", Value(7)), "black tokens"),
        (lambda net: net.add_output("p", "fill", Expression("1 + 1")), "black tokens"),
    ],
)
def test_coloured_nets_of_snakes_are_refused(change: Callable[[Any], object], message: str) -> None:
    net = small()
    change(net)
    with pytest.raises(errors.MisuseError, match=message):
        Net.from_snakes(net)


def test_snakes_fires_what_we_fire() -> None:
    net = small()
    net.transition("move").fire(Substitution())
    assert Net.from_snakes(small()).initial.fire("move").marked == Net.from_snakes(net).initial.marked


def test_tables_and_graphs() -> None:
    import networkx as nx

    net = Net.from_edges([("p", "t"), ("t", "q"), ("q", "u"), ("u", "p")], {"p": 2})
    graph = net.reachability_graph().to_networkx()
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (3, 4)
    assert nx.is_strongly_connected(graph)
    assert graph.nodes[0]["state"] == net.initial and graph.nodes[0]["initial"]
    assert {data["label"] for _, _, data in graph.edges(data=True)} == {"t", "u"}
    table = net.reachable().to_pandas()
    assert sorted(table["p"].tolist()) == [0, 1, 2] and (table.sum(axis=1) == 2).all()
    assert sorted(net.reachability_graph().to_pandas()["q"].tolist()) == [0, 1, 2]
    with pytest.raises(errors.MisuseError, match="sample"):
        Net.family("philo", 50).reachable().to_pandas()
    with pytest.raises(errors.MisuseError, match="more than 2 states"):
        net.reachability_graph(2)
