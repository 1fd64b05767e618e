"""One hard problem, asked in many ways at once: the first answer ends the others.

Nobody can tell beforehand which variable order, which engine or which seed of the walks finds an answer soon, and the times of
ways differ by orders of magnitude and by luck. So each question is asked in each of several *variants* (options of `starset
check`), a task each, and workers take tasks in the order variant by variant: where there are few of them, each question is asked
in the first variant before any is asked in the second. The gain of n workers is what the best of n variants has over the first,
for one question more than n-fold at times (Luby, Sinclair, Zuckerman 1993, "Optimal speedup of Las Vegas algorithms"), and never
better than that best variant: no task is made smaller.

Verdicts do not depend on the variant. Those that arrive late all the same are compared, and two that differ are an error of the
program (`Disagreement`), never a verdict.
"""

from __future__ import annotations

import json
import os
import queue
import socket
import time as clock
from dataclasses import asdict, dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union
from xml.etree import ElementTree

from .backends import backend
from .work import Flag, ClusterError, Stopped, find_program, run

# All ways with the choices of the program; then engines and orders alone, and other walks.
VARIANTS = (
    (),
    ("--engine", "explicit"),
    ("--engine", "symbolic"),
    ("--engine", "symbolic", "--order", "force"),
    ("--engine", "symbolic", "--order", "sloan"),
    ("--seed", "1"),
    ("--engine", "symbolic", "--order", "semiflow-gradient"),
    ("--seed", "2"),
)


class Disagreement(Exception):
    """Two variants gave different verdicts: one of them is wrong. Please report it."""


@dataclass(frozen=True)
class Found:
    """What came of a question."""

    id: str
    verdict: Union[bool, str, None]
    """True or False; a bound, or the number of states, as text; None if nobody found out."""
    variant: tuple[str, ...]
    """The options of the variant that answered first."""
    seconds: float
    """From the call to the answer."""
    host: Optional[str]
    """The machine that answered."""
    answer: Mapping[str, Any]
    """What `starset check --json` printed (`starset/check/1`), or `starset states --json` (`starset/states/1`)."""
    unknown: Mapping[str, str] = field(default_factory=dict)
    """Why other variants gave no answer: out of time, an order that does not suit the net."""

    def line(self) -> str:
        """As a line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":")) + "\n"


def ask(command: Sequence[str], program: Optional[str], flag: Optional[Flag]) -> tuple[Optional[dict[str, Any]], str, str]:
    """What a worker does: the answer, or none and why; and its machine."""
    said = run([find_program(program), "--quiet", *command, "--json", "--until-closed"], flag)
    answers = [json.loads(line) for line in said.out.splitlines()]
    if said.status == 4:
        raise Disagreement(said.last or "the program contradicts itself")
    if answers and value(answers[0]) is not None:
        return answers[0], "", socket.gethostname()
    why = answers[0]["message"] if answers else None
    return None, why or said.last or f"status {said.status}", socket.gethostname()


def questions(
    model: str,
    formulas: Union[str, Sequence[str], Mapping[str, str], None],
    properties: Union[str, "os.PathLike[str]", None],
    states: bool,
) -> dict[str, list[str]]:
    """The questions by name, as commands of the program."""
    if isinstance(formulas, str):
        formulas = [formulas]
    if not isinstance(formulas, Mapping):
        formulas = {str(number): formula for number, formula in enumerate(formulas or (), 1)}
    asked = {name: ["check", model, "-f", formula] for name, formula in formulas.items()}
    if properties is not None:
        found = ElementTree.parse(properties).getroot().iter()
        ids = [(element.text or "").strip() for element in found if element.tag.rpartition("}")[2] == "id"]
        asked.update({name: ["check", model, "-x", str(properties), "--id", name] for name in ids})
    if states:
        asked["states"] = ["states", model]
    return asked


def value(answer: Mapping[str, Any]) -> Union[bool, str, None]:
    """What was asked for: a bound, a verdict, or how many states there are."""
    return next((answer[field] for field in ("bound", "verdict", "states") if answer.get(field) is not None), None)


def portfolio(
    model: Union[str, "os.PathLike[str]"],
    formulas: Union[str, Sequence[str], Mapping[str, str], None] = None,
    *,
    properties: Union[str, "os.PathLike[str]", None] = None,
    states: bool = False,
    client: Any = None,
    variants: Sequence[Sequence[str]] = VARIANTS,
    time: float = 3600,
    memory: str = "4G",
    threads: int = 1,
    results: Union[str, "os.PathLike[str]", None] = None,
    program: Optional[str] = None,
) -> list[Found]:
    """Ask each formula, and each property of a file, of `model` in each variant, on the workers of `client`; with `states` also how
    many states there are (the question `states`).

    `time`, `memory` and `threads` are those of each task. The answers come in the order of the questions; with `results` each is
    also appended to that file, as a line of JSON, when it is there. Raises `Disagreement` if two variants contradict each
    other, and `ClusterError` if no variant could be run at all.
    """
    asked = questions(str(model), formulas, properties, states)
    if not asked:
        raise ClusterError("no question: give formulas, the name of a file of properties, or states=True")
    limits = ["--time", str(time), "--memory", memory, "--threads", str(threads)]
    workers, begun = backend(client, 0, threads), clock.monotonic()
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    running: dict[int, tuple[Any, str, tuple[str, ...]]] = {}
    flags = {name: workers.flag() for name in asked}
    found: dict[str, Found] = {}
    unknown: dict[str, dict[str, str]] = {name: {} for name in asked}
    try:
        for variant in variants:
            for name, question in asked.items():
                command = [*question, *limits, *variant]
                future = workers.submit(ask, command, program, flags[name])
                running[id(future)] = (future, name, tuple(variant))
                future.add_done_callback(done.put)
        # What is there already when all is answered is compared, and nothing is waited for.
        while running and (len(found) < len(asked) or not done.empty()):
            future = done.get()
            _, name, variant = running.pop(id(future))
            try:
                answer, why, host = future.result()
            except (Disagreement, ClusterError):
                raise
            except BaseException as error:
                if name in found:
                    continue  # Cancelled, most likely.
                if not (isinstance(error, Stopped) or workers.is_death(error)):
                    raise
                answer, why, host = None, f"{type(error).__name__}: {error}", ""
            if answer is None:
                unknown[name].setdefault(" ".join(variant), why)
                continue
            verdict = value(answer)
            if name in found:
                agree(found[name], verdict, variant)
                continue
            seconds = clock.monotonic() - begun
            found[name] = Found(name, verdict, variant, seconds, host, answer, unknown[name])
            if results is not None:
                with open(results, "a", encoding="utf-8") as file:
                    file.write(found[name].line())
            workers.raise_flag(flags[name])
            for other, of, _ in running.values():
                if of == name:
                    workers.cancel(other)
    finally:
        for name, flag in flags.items():
            if name not in found:
                workers.raise_flag(flag)
        for future, _, _ in running.values():
            workers.cancel(future)
        workers.close()
    nothing = {name: Found(name, None, (), clock.monotonic() - begun, None, {}, unknown[name]) for name in asked}
    return [found.get(name, nothing[name]) for name in asked]


def agree(first: Found, verdict: Union[bool, str, None], variant: Sequence[str]) -> None:
    """Two verdicts about the same question are the same."""
    if first.verdict != verdict:
        ways = [" ".join(options) or "no options" for options in (first.variant, variant)]
        what = f"{first.id}: {first.verdict} with {ways[0]}, {verdict} with {ways[1]}"
        raise Disagreement(f"{what}; one is wrong, please report it")
