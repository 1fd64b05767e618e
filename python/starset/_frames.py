"""States and attractors as tables of pandas, graphs of states as graphs of networkx."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from starset._native import Attractors, SatSet, State, StateGraph
from starset.errors import MisuseError

if TYPE_CHECKING:
    import pandas as pd


def _package(name: str, extra: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs {name}: pip install 'starset[{extra}]'") from error


def _table(columns: list[str], states: Iterable[State]) -> pd.DataFrame:
    frame: pd.DataFrame = _package("pandas", "frames").DataFrame([state.values() for state in states], columns=columns)
    return frame


def satset(states: SatSet, limit: int) -> pd.DataFrame:
    """The states of a set as a table: see `SatSet.to_pandas`."""
    count = states.count()
    if count > limit:
        raise MisuseError(f"the set has {count} states, and the limit is {limit}: raise it, or draw some with sample()")
    return _table(states.net.places, states)


def attractors(them: Attractors) -> pd.DataFrame:
    """Attractors as a table: see `Attractors.to_pandas`."""
    rows = []
    for one in them:
        row: list[Any] = [one.kind, one.count()]
        if one.weak_basin is not None and one.strong_basin is not None:
            row += [one.weak_basin.count(), one.strong_basin.count()]
        rows.append((row, next(iter(one.states))))
    columns = ["kind", "size", "weak_basin", "strong_basin"][: len(rows[0][0])] if rows else ["kind", "size"]
    names = list(rows[0][1].keys()) if rows else []
    cells = [row + list(state.values()) for row, state in rows]
    frame: pd.DataFrame = _package("pandas", "frames").DataFrame(cells, columns=columns + names)
    return frame


def graph(states: StateGraph) -> pd.DataFrame:
    """The states of a graph as a table: see `StateGraph.to_pandas`."""
    all_states = states.states
    return _table(all_states[0].keys() if all_states else [], all_states)


def networkx_graph(states: StateGraph) -> Any:
    """A graph of states for networkx: see `StateGraph.to_networkx`."""
    result = _package("networkx", "frames").MultiDiGraph()
    for number, state in enumerate(states.states):
        result.add_node(number, state=state, initial=number < states.initial)
    for source, label, target in states.edges:
        result.add_edge(source, target, label=label)
    return result
