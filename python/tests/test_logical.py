"""Boolean networks of other packages, held against what those packages say themselves."""

from pathlib import Path
from typing import Any

import pytest

from starset import Net, SatSet, errors

# A cell cycle in small: growth starts it, and the checkpoint may stop it.
CYCLE = """targets, factors
Growth, Growth
Damage, Damage
Cyclin, (Growth & !Inhibitor & !Degrade)
Kinase, Cyclin & !Inhibitor
Degrade, Kinase
Inhibitor, Damage | (Inhibitor & !Kinase)
"""


def read(folder: Path, text: str, form: str = "bnet") -> Net:
    file = folder / f"network.{form}"
    file.write_text(text)
    return Net.read(str(file))


def found_by_aeon(aeon: Any, network: Any) -> int:
    graph = aeon.AsynchronousGraph(network)
    return sum(int(found.colors().cardinality()) for found in aeon.Attractors.attractors(graph))


def test_attractors_are_those_of_aeon(tmp_path: Path) -> None:
    aeon: Any = pytest.importorskip("biodivine_aeon")
    network = aeon.BooleanNetwork.from_bnet(CYCLE)
    assert Net.from_aeon(network).attractors().count() == read(tmp_path, CYCLE).attractors().count()
    # What goes there and comes back is the same.
    ours = read(tmp_path, CYCLE)
    again = Net.from_aeon(aeon.BooleanNetwork.from_bnet(ours.to_text("bnet")))
    assert again.attractors().sizes == ours.attractors().sizes
    # Unknown functions: a family of networks.
    family = aeon.BooleanNetwork.from_aeon("a -> b\nb -?? a\na -| c\nb -| c\nc -| a\n")
    assert Net.from_aeon(family).attractors().count() == found_by_aeon(aeon, family)
    with pytest.raises(errors.StarsetError, match="unknown functions"):
        Net.from_aeon(family).to_text("bnet")


def test_trap_spaces_are_those_of_pyboolnet(tmp_path: Path) -> None:
    file_exchange: Any = pytest.importorskip("pyboolnet.file_exchange")
    trap_spaces: Any = pytest.importorskip("pyboolnet.trap_spaces")
    primes = file_exchange.bnet2primes(CYCLE)
    net = Net.from_pyboolnet(primes)
    ours = read(tmp_path, CYCLE)
    assert sorted(net.places) == sorted(ours.places)
    found = net.attractors(trap_spaces=True)
    assert found.sizes == ours.attractors().sizes
    minimal = trap_spaces.compute_trap_spaces(primes, "min")
    spaces = [one.trap_space for one in found]
    assert all(space in spaces for space in minimal)
    assert net.attractors()[0].trap_space is None


def test_networks_go_to_networkx_and_back(tmp_path: Path) -> None:
    networkx: Any = pytest.importorskip("networkx")
    ours = read(tmp_path, CYCLE)
    graph = ours.to_networkx()
    assert graph.edges["Growth", "Cyclin"]["sign"] == 1 and graph.edges["Kinase", "Inhibitor"]["sign"] == -1
    assert "function" in graph.nodes["Cyclin"] and "function" not in graph.nodes["Growth"]
    assert Net.from_networkx(graph).attractors().sizes == ours.attractors().sizes
    # The text of a function has variables without an effect, which are no influences.
    idle = read(tmp_path, "a, 1\nb, c | !c\nc, b & a | b & !a\nd, d\n")
    back = Net.from_networkx(idle.to_networkx())
    assert (back.states(), back.attractors().sizes) == (16, {1: 2})
    # Signs without functions: a family of networks, here of one.
    ring = networkx.DiGraph()
    ring.add_edge("a", "b", sign=1)
    ring.add_edge("b", "a", sign=-1)
    ring.add_node("c")
    assert Net.from_networkx(ring).attractors().sizes == {4: 2}
    with pytest.raises(errors.StarsetError, match="logical networks"):
        Net.family("philo", 3).influences()


def test_updates_have_names(tmp_path: Path) -> None:
    file = tmp_path / "ring.bnet"
    file.write_text("a, !b\nb, a\n")
    sizes = {update: Net.read(str(file), update=update).attractors().sizes for update in ("synchronous", "most-permissive")}
    assert sizes == {"synchronous": {4: 1}, "most-permissive": {4: 1}}
    assert Net.read(str(file), fixed={"b": 1}).attractors().sizes == {1: 1}
    with pytest.raises(errors.StarsetError, match="there are asynchronous"):
        Net.read(str(file), update="random")


def test_a_cell_cycle(tmp_path: Path) -> None:
    """Attractors, basins, and phenotypes as formulas."""
    net = read(tmp_path, CYCLE)
    found = net.attractors(basins=True, trap_spaces=True)
    table = found.to_pandas()
    assert len(table) == found.count() == sum(found.kinds.values())
    cycling = [one for one in found if one.kind != "fixed point"]
    assert len(cycling) == 1
    (cycle,) = cycling
    assert cycle.trap_space == {"Growth": 1, "Damage": 0, "Inhibitor": 0}
    # The phenotypes: a cell divides again and again, or rests for ever.
    net = net.with_sets(cycle=cycle.states)
    divides = net.satset("AG (EF Kinase = 1 & EF Kinase = 0)")
    rests = net.satset("EF AG Kinase = 0")
    assert cycle.states <= divides
    assert isinstance(cycle.strong_basin, SatSet) and isinstance(cycle.weak_basin, SatSet)
    assert net.satset("AG EF %cycle") == cycle.strong_basin
    assert net.satset("EF %cycle") == cycle.weak_basin
    assert divides & rests == net.satset("false")
    # After damage it rests at some time, if nothing waits for ever.
    assert net.check("Damage = 1 -> AG EF AG Kinase = 0")
    assert not net.check("Damage = 0 & Growth = 1 -> AF %cycle")
