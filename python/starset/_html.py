"""What notebooks show of verdicts, runs, sets and soundness: HTML without anything from outside."""

from __future__ import annotations

import math
from html import escape

from starset._native import ProcessSoundness, Run, SatSet, Soundness, State, Verdict, Witness

# States of a set, steps of a run, and places that change in one step, of which no more are shown.
_STATES, _STEPS, _PLACES = 5, 40, 12
# Characters of a state.
_LONGEST = 200
_COLOURS = {True: "#1a7f37", False: "#cf222e", None: "#9a6700"}


def _table(head: list[str], rows: list[list[str]]) -> str:
    cell = "<td style='text-align:left;vertical-align:top'>{}</td>".format
    body = "".join("<tr>" + "".join(cell(text) for text in row) + "</tr>" for row in rows)
    titles = "".join(f"<th style='text-align:left'>{title}</th>" for title in head)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _state(state: State) -> str:
    text = str(state)
    return escape(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def _number(count: int) -> str:
    """A count, exactly as long as that is of use."""
    if count < 10**30:
        return f"{count:,}".replace(",", "\u202f")
    # Python refuses to write numbers of thousands of digits.
    exponent = math.floor(math.log10(count))
    return f"{10 ** (math.log10(count) - exponent):.2f} × 10<sup>{exponent}</sup>"


def _answer(value: bool | None) -> str:
    word = {True: "true", False: "false", None: "unknown"}[value]
    return f"<b style='color:{_COLOURS[value]}'>{word}</b>"


def verdict(it: Verdict) -> str:
    """A verdict with its witness."""
    text = f"<div>{_answer(it.value)} <code>{escape(it.formula)}</code>"
    if it.message is not None:
        text += f" — {escape(it.message)}"
    text += "</div>"
    return text + (witness(it.witness) if it.witness is not None else "")


def witness(it: Witness) -> str:
    """The runs of a witness."""
    return "".join(run(one) for one in it.runs)


def _changes(before: State, after: State) -> str:
    pairs = [
        f"{escape(name)} {escape(str(old))}→{escape(str(new))}"
        for (name, old), new in zip(before.items(), after.values(), strict=True)
        if old != new
    ]
    more = f" … and {len(pairs) - _PLACES} more" if len(pairs) > _PLACES else ""
    return ", ".join(pairs[:_PLACES]) + more


def run(it: Run) -> str:
    """A run, step by step."""
    states, steps = it.states, it.steps
    rows = [["0", "", _state(states[0])]]
    for number, step in enumerate(steps[:_STEPS], 1):
        target = states[number] if number < len(states) else states[it.loop or 0]
        rows.append([str(number), escape(step), _changes(states[number - 1], target)])
    if len(steps) > _STEPS:
        rows.append(["…", "", f"{len(steps) - _STEPS} more steps"])
    ends = {
        "open": "whatever follows",
        "deadlock": "a deadlock: the path ends",
        "final": "a final state: the path ends",
        "loop": f"again from {it.loop}, for ever",
    }
    rows.append(["", "", f"<i>{ends[it.end]}</i>"])
    return f"<div><code>{escape(it.formula)}</code></div>" + _table(["", "step", "tokens"], rows)


def satset(it: SatSet) -> str:
    """The number of states of a set, and some of them."""
    count = it.count()
    formula = f" <code>{escape(it.formula)}</code>" if it.formula else ""
    text = f"<div><b>{_number(count)}</b> state{'' if count == 1 else 's'}{formula}</div>"
    if not count:
        return text
    rows = [[_state(state)] for state in it.smallest(_STATES)]
    if count > _STATES:
        rows.append(["…"])
    return text + _table(["state"], rows)


def soundness(it: Soundness) -> str:
    """The notions of soundness, and why the net is not sound."""
    rows = [[notion, _answer(sound)] for notion, sound in it.notions.items()]
    reasons = [line.strip() for line in str(it).splitlines()[1 + len(rows) :]]
    text = _table(["soundness", ""], rows) + "".join(f"<div>{escape(reason)}</div>" for reason in reasons)
    return text + "".join(run(one) for one in it.runs.values())


def process_soundness(it: ProcessSoundness) -> str:
    """The notions of soundness of a diagram, and what refutes them."""
    rows = [[notion.replace("_", " "), _answer(sound)] for notion, sound in it.notions.items()]
    reasons = [line.strip() for line in str(it).splitlines()[1 + len(rows) :]]
    return _table(["soundness", ""], rows) + "".join(f"<div>{escape(reason)}</div>" for reason in reasons)
