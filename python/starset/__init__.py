"""starset: a symbolic model checker for Petri nets.

    >>> net = Net.family("philo", 5)
    >>> net.states()
    243
    >>> net.check("AG EF #Eat_0 = 1")
    Verdict(false, 'AG EF #Eat_0 = 1')

A `Net` is a model, read from a file or made from Python objects; `Net.check` gives a `Verdict`, `Net.satset` a `SatSet` of
states that is counted, listed, sampled and combined, `Net.soundness` says whether a workflow net is sound, and
`Automaton.from_ltl` translates formulas of linear time. `batch` and `portfolio` give jobs to the workers of a cluster
(`starset.cluster`). Errors are in `starset.errors`.
"""

from starset import errors
from starset._native import (
    Attractor,
    Attractors,
    Automaton,
    Builder,
    Certificate,
    Net,
    ProcessSoundness,
    Progress,
    Run,
    SatSet,
    Soundness,
    State,
    StateGraph,
    States,
    Verdict,
    Witness,
    __version__,
)
from starset.cluster import batch, portfolio
from starset.errors import OutOfMemory, OutOfTime, StarsetError, Unknown

__all__ = [
    "Attractor",
    "Attractors",
    "Automaton",
    "Builder",
    "Certificate",
    "Net",
    "OutOfMemory",
    "OutOfTime",
    "Progress",
    "Run",
    "SatSet",
    "ProcessSoundness",
    "Soundness",
    "StarsetError",
    "State",
    "StateGraph",
    "States",
    "Unknown",
    "Verdict",
    "Witness",
    "__version__",
    "batch",
    "errors",
    "portfolio",
]
