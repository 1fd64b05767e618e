"""Models, answers, states and sets of states."""

import copy
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import starset
from conftest import MODELS
from starset import Builder, Net, SatSet, errors


def test_a_net_says_what_it_is(philosophers: Net) -> None:
    assert philosophers.name == "Philosophers-PT-000005"
    assert philosophers.kind == "net"
    assert len(philosophers.places) == len(philosophers.transitions) == 25
    assert repr(philosophers) == "Net('Philosophers-PT-000005', 25 places, 25 transitions, 80 arcs)"
    assert philosophers.initial["Fork_0"] == 1
    assert philosophers.final_marking is None


def test_what_is_left_out_is_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="order.bpmn:17: timer `late` may go off at any time"):
        Net.read(MODELS / "order.bpmn")
    machine = tmp_path / "u.mch"
    machine.write_text(
        "MACHINE u VARIABLES n INVARIANT n : NATURAL INITIALISATION n := 0\n"
        "OPERATIONS up = ANY x WHERE x : INTEGER THEN n := x END END"
    )
    with pytest.warns(UserWarning, match="a number without bounds was taken from -1..3"):
        count = Net.read(machine).reachable().count()
    assert count == 5


@pytest.mark.parametrize(
    ("files", "kind", "states"),
    [
        (["philo-5.pnml"], "net", 243),
        (["coloured"], "", 0),
        (["sender.aut", "receiver.aut"], "network", 0),
        (["buffer.counters"], "machine", 12),
        (["claim.pnwc"], "clocknet", 0),
        (["thermostat.dve"], "system", 0),
        (["toggle.etf"], "system", 0),
        (["locker.mch"], "system", 0),
    ],
)
def test_all_kinds_are_read(files: list[str], kind: str, states: int) -> None:
    """Each has states, and its graph and its set of them have the same ones."""
    if files == ["coloured"]:
        files, kind = [str(sorted((MODELS / "coloured").glob("*.pnml"))[0].relative_to(MODELS))], "net"
    model = Net.read(*[MODELS / file for file in files])
    assert model.kind == kind
    assert model.states() == model.reachable().count()
    if model.states() <= 10_000:
        graph = model.reachability_graph()
        assert len(graph) == len(set(graph.states)) == model.states()
        assert all(state in model.reachable() for state in graph.states)
        assert set(model.reachable()) == set(graph.states)
    if states:
        assert model.states() == states


def test_counts_are_exact() -> None:
    assert Net.family("philo", 300).states() == 3**300
    assert Net.family("philo", 300).reachable().count() == 3**300
    with pytest.raises(OverflowError, match="count"):
        len(Net.family("philo", 50).reachable())


def test_answers(philosophers: Net) -> None:
    yes, no = philosophers.check("EF deadlock"), philosophers.check("AG EF #Eat_0 = 1")
    assert (yes.value, no.value, bool(yes), bool(no), str(yes), str(no)) == (True, False, True, False, "true", "false")
    assert yes.known and yes.reason is None and yes.message is None and yes.technique != "none"
    assert yes.paths == "maximal"
    assert yes.formula == "EF deadlock"
    assert yes.witness is not None
    run = yes.witness[0]
    assert run.states[0] == philosophers.initial
    assert run.states[-1] in philosophers.deadlocks()
    for before, step, after in zip(run.states, run.steps, run.states[1:], strict=False):
        assert before.fire(step) == after
    with pytest.raises(IndexError):
        yes.witness[len(yes.witness)]
    assert yes.witness[-1].steps == yes.witness.runs[-1].steps
    assert philosophers.check("EF deadlock", witness=False).witness is None


def test_formulas_together(philosophers: Net) -> None:
    formulas = ["EF deadlock", "AG EF #Eat_0 = 1", "A(G F #Think_0 = 1)", "EF #Eat_0 = 1"]
    together = [answer.value for answer in philosophers.check_all(formulas)]
    assert together == [philosophers.check(formula).value for formula in formulas] == [True, False, False, True]
    assert philosophers.check_all([]) == []


def test_an_unknown_answer_is_not_a_no(philosophers: Net) -> None:
    unknown = philosophers.check("EF deadlock", timeout=0)
    assert (unknown.value, unknown.known, unknown.reason, str(unknown)) == (None, False, "time", "unknown")
    with pytest.raises(starset.OutOfTime, match="out of time"):
        bool(unknown)
    with pytest.raises(TimeoutError):
        assert not unknown


def test_states_are_like_dictionaries(philosophers: Net) -> None:
    state = philosophers.initial
    assert dict(state) == dict(state.items()) == dict(zip(state.keys(), state.values(), strict=True))
    assert len(state) == len(list(state)) == 25
    assert "Eat_0" in state and "Eat_9" not in state
    assert (state.get("Eat_0"), state.get("Eat_9"), state.get("Eat_9", 7)) == (0, None, 7)
    assert state.marked == {name: 1 for name in philosophers.places if name[:4] in ("Fork", "Thin")}
    assert state == philosophers.state(state.marked)
    assert hash(state) == hash(philosophers.initial) and state == philosophers.initial
    assert state != Net.read(MODELS / "philo-5.pnml").initial
    assert state != "Fork_0"
    with pytest.raises(errors.NoSuchName):
        state["Eat_9"]
    with pytest.raises(errors.MisuseError, match="not possible"):
        state.fire("End_0")
    assert {step: str(after) for step, after in state.steps()} == {t: str(state.fire(t)) for t in state.enabled()}


def test_values_with_names() -> None:
    model = Net.read(MODELS / "buffer.counters")
    assert model.initial["consumer"] == "resting" and model.initial["free"] == 3
    assert model.state({"consumer": "gone", "full": 3}) in model.deadlocks()
    with pytest.raises(errors.MisuseError, match="free"):
        model.state({"free": "resting"})


def test_values_are_the_same_however_they_are_asked_for(tmp_path: Path) -> None:
    """A local state that is called 1 is a number; one that is called 01 is another one."""
    file = tmp_path / "n.dot"
    edges = 's [label="s"]; "1" [label="1"]; "01" [label="01"]; s -> "1" [label=""]; "1" -> "01" [label="a"];'
    file.write_text("digraph G { subgraph P { " + edges + " } }")
    net = Net.read(file)
    found = [(state["P"], state.get("P"), *state.values(), dict(state.items())["P"]) for state in net.reachable()]
    assert sorted(found, key=str) == sorted([(1,) * 4, ("01",) * 4], key=str)
    assert all(net.state(dict(state.items())) == state for state in net.reachable())


def test_the_algebra_of_sets(philosophers: Net) -> None:
    """Held against sets of Python."""
    texts = ["#Eat_0 = 1", "EF #Eat_1 = 1", "deadlock", "true", "false", "A F deadlock"]
    ours = [philosophers.satset(text) for text in texts]
    theirs = [set(states) for states in ours]
    everything = set(philosophers.reachable())
    for one, a in zip(ours, theirs, strict=True):
        assert len(one) == len(a) == one.count() and bool(one) == bool(a)
        assert set(~one) == everything - a
        for other, b in zip(ours, theirs, strict=True):
            assert set(one & other) == a & b
            assert set(one | other) == a | b
            assert set(one - other) == a - b
            assert set(one ^ other) == a ^ b
            assert (one == other) == (a == b)
            assert (one <= other) == one.issubset(other) == (a <= b)
            assert (one < other, one >= other, one > other) == (a < b, a >= b, a > b)
            assert one.isdisjoint(other) == a.isdisjoint(b)
    assert repr(ours[0] | ours[1]) == "SatSet(241 states)"
    assert ours[0].formula == "#Eat_0 = 1" and (~ours[0]).formula is None
    for state in everything:
        assert [state in states for states in ours] == [state in states for states in theirs]


def test_the_formula_of_a_state_means_it(philosophers: Net) -> None:
    for state in philosophers.reachable().sample(5, seed=3):
        assert list(philosophers.satset(state.formula)) == [state]


def test_sets_of_different_models_do_not_mix(philosophers: Net) -> None:
    other = Net.read(MODELS / "philo-5.pnml")
    with pytest.raises(errors.MisuseError, match="different models"):
        philosophers.reachable() & other.reachable()
    with pytest.raises(errors.MisuseError, match="different models"):
        other.initial in philosophers.reachable()  # noqa: B015
    with pytest.raises(TypeError):
        philosophers.reachable() & 1  # type: ignore[operator]
    with pytest.raises(TypeError):
        1 in philosophers.reachable()  # type: ignore[operator]  # noqa: B015
    assert philosophers.reachable() != other.reachable()
    # Handles with other limits are of the same model.
    assert philosophers.with_limits(timeout=60).reachable() == philosophers.reachable()


def test_samples(philosophers: Net) -> None:
    states = philosophers.reachable()
    drawn = states.sample(10, seed=42)
    assert len(set(drawn)) == 10 and drawn == states.sample(10, seed=42) and drawn != states.sample(10, seed=43)
    assert len(states.sample(1000)) == 243
    assert len(states.smallest(3)) == 3


def test_sets_are_saved(philosophers: Net, tmp_path: Path) -> None:
    states = philosophers.satset("#Eat_0 = 1")
    states.save(tmp_path / "eat.set")
    assert philosophers.load_set(tmp_path / "eat.set") == states
    (tmp_path / "no.set").write_text("nothing\n")
    with pytest.raises(errors.ReadError):
        philosophers.load_set(tmp_path / "no.set")


def test_certificates(philosophers: Net, tmp_path: Path) -> None:
    answer = philosophers.check("AG #Fork_0 <= 1", certificate=True)
    assert answer.certificate is not None and answer.certificate.verdict is True
    answer.certificate.save(tmp_path / "fork.cert", tmp_path / "fork.pnml")
    assert (tmp_path / "fork.cert").read_text() == answer.certificate.text
    # The model is that of the file.
    assert (tmp_path / "fork.pnml").read_text() == (MODELS / "philo-5.pnml").read_text()
    no = Net.family("philo", 3).certify("AG !deadlock")
    assert no.verdict is False and no.model.startswith("<?xml")
    assert philosophers.check("AG #Fork_0 <= 1").certificate is None


def test_bounds() -> None:
    net = Net.family("kanban", 5)
    assert net.bound(["Pm1"]) == 5
    with pytest.raises(errors.NoSuchName):
        net.bound(["nowhere"])
    grows = Net.from_edges([("p", "t"), ("t", "p"), ("t", "q")], {"p": 1})
    assert grows.bound(["q"]) is None
    with pytest.raises(starset.Unknown):
        grows.states()


def test_arcs() -> None:
    net = Net.from_edges([("p", "t", 2), ["t", "q"]], {"p": 4}, name="two")  # type: ignore[list-item]
    assert (net.name, net.states(), net.places, net.transitions) == ("two", 3, ["p", "q"], ["t"])
    for arcs, marking, message in [
        ([("p", "t")], {}, "place or a transition"),
        ([("p", "q")], {"p": 1, "q": 1}, "joins two places"),
        ([("p", "t", 0)], {"p": 1}, "weight 0"),
    ]:
        with pytest.raises(errors.MisuseError, match=message):
            Net.from_edges(arcs, marking)  # type: ignore[arg-type]
    assert Net.from_edges([("p", "t")], {}, ["t"]).transitions == ["t"]
    with pytest.raises(TypeError):
        Net.from_edges([(1, 2)], {"p": 1})  # type: ignore[list-item]


def test_building_part_by_part() -> None:
    b = Builder("net")
    b.place("p", 2, label="the first")
    b.place("q")
    b.transition("t", label="move")
    b.arc("p", "t")
    b.arc("t", "q")
    b.read_arc("p", "t", 2)
    b.final_marking({"q": 1, "p": 1})
    refused: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: b.place("p"), errors.MisuseError),
        (lambda: b.arc("p", "q"), errors.NoSuchName),
        (lambda: b.arc("p", "t", 0), errors.MisuseError),
        (lambda: b.place("r", -1), OverflowError),
    ]
    for what, error in refused:
        with pytest.raises(error):
            what()
    net = b.build()
    assert net.states() == 2
    assert net.final_marking is not None and net.final_marking.marked == {"p": 1, "q": 1}
    assert net.check(f"AF ({net.final_marking.formula})")
    with pytest.raises(errors.MisuseError, match="already"):
        b.build()


def test_nets_are_written(tmp_path: Path) -> None:
    net = Net.from_edges([("p", "t", 2), ("t", "q")], {"p": 4})
    for form in ["pnml", "net", "lola"]:
        (tmp_path / f"net.{form}").write_text(net.to_text(form))
        assert Net.read(tmp_path / f"net.{form}").states() == 3
    with pytest.raises(errors.MisuseError, match="no form"):
        net.to_text("pdf")


def test_errors_say_where(tmp_path: Path, philosophers: Net) -> None:
    broken = tmp_path / "broken.counters"
    broken.write_text("machine m\nconter x = 0\n")
    with pytest.raises(errors.ReadError) as caught:
        Net.read(broken)
    assert (caught.value.file, caught.value.line) == (str(broken), 2)
    with pytest.raises(FileNotFoundError) as missing:
        Net.read(tmp_path / "none.pnml")
    assert isinstance(missing.value, errors.NoSuchFile) and missing.value.file == str(tmp_path / "none.pnml")
    for read in (philosophers.load_set, philosophers.formulas):
        with pytest.raises(errors.NoSuchFile) as missing:
            read(tmp_path / "none")
        assert missing.value.file == str(tmp_path / "none")
    with pytest.raises(errors.FormulaError) as formula:
        philosophers.check("EF\n  #Eat_0 =")
    assert (formula.value.line, formula.value.column) == (2, 11)
    with pytest.raises(ValueError, match="column"):
        philosophers.satset("EF (")


def test_formulas_of_files(philosophers: Net, tmp_path: Path) -> None:
    file = tmp_path / "properties.ctl"
    file.write_text("safe: AG #Fork_0 <= 1\ndead: EF deadlock\n")
    formulas = philosophers.formulas(file)
    assert list(formulas) == ["safe", "dead"]
    assert [bool(answer) for answer in philosophers.check_all(list(formulas.values()))] == [True, True]
    with pytest.raises(errors.NoSuchFile):
        philosophers.formulas(tmp_path / "none")


def test_threads_share_a_model() -> None:
    net = Net.family("phils", 60)
    found: list[int] = []
    work = threading.Thread
    threads = [work(target=lambda: found.append(net.satset("EF deadlock").count())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1 and len(found) == 4


def test_what_cannot_be_copied_says_so(philosophers: Net) -> None:
    """There is no silent loss: an error rather than half an object."""
    for thing in [philosophers, philosophers.initial, philosophers.reachable()]:
        with pytest.raises(TypeError):
            pickle.dumps(thing)
        with pytest.raises(TypeError):
            copy.deepcopy(thing)
    with pytest.raises(TypeError):
        hash(philosophers.reachable())
    with pytest.raises(TypeError):
        SatSet()


def test_runs_of_soundness_are_runs() -> None:
    arcs = [("start", "split"), ("split", "a"), ("split", "b"), ("a", "x"), ("x", "end"), ("b", "y"), ("y", "end")]
    net = Net.from_edges(arcs, {"start": 1})
    soundness = net.soundness()
    answers = soundness.to_dict()
    refuted = {name for name, answer in answers.items() if isinstance(answer, dict) and answer.get("refuted_by")}
    assert refuted and set(soundness.runs) == refuted
    for demand, run in soundness.runs.items():
        assert run.states[0] == net.initial and len(run.states) == len(run) + 1
        for before, step, after in zip(run.states[:-1], run.steps, run.states[1:], strict=True):
            assert before.fire(step) == after
        assert run.steps == [step["transition"] for step in answers[demand]["refuted_by"]["steps"]]
    # From where it leads the end with nothing left over cannot be reached.
    stuck = soundness.runs["option_to_complete"].states[-1]
    assert soundness.runs["option_to_complete"].formula == "option to complete"
    assert stuck not in net.satset("EF (#end = 1 & #a = 0 & #b = 0)")
    assert "option to complete" in soundness._repr_html_()

    # Round and round for ever, where nothing has been put into r.
    arcs = [("i", "t"), ("t", "p"), ("p", "u"), ("u", "q"), ("q", "w"), ("w", "p")]
    arcs += [("i", "both"), ("both", "p"), ("both", "r"), ("p", "v"), ("r", "v"), ("v", "o")]
    loop = Net.from_edges(arcs, {"i": 1}).soundness().runs["completion_of_fair_runs"]
    assert loop.end == "loop" and loop.loop is not None
    assert loop.states[-1].fire(loop.steps[-1]) == loop.states[loop.loop]
    assert sorted(loop.steps[loop.loop :]) == ["u", "w"]

    sound = Net.from_edges([("i", "t"), ("t", "o")], {"i": 1}).soundness()
    assert sound.classical and sound.runs == {}

    claim = Net.read(MODELS / "claim.pnwc").soundness()
    run = claim.runs["option_to_complete"]
    assert run.end == "deadlock" and run.states[-1]["closed"] == 0
    assert [run.states[-1]["d"], run.steps.count("tick")] == [12, 19]


def test_formulas_about_runs_that_end() -> None:
    net = Net.family("philo", 5)
    ends = net.check("F (deadlock & N false)", paths="finite")
    assert ends.value and ends.paths == "finite"
    refuted = net.check("absence(FF2a_0)", paths="finite", final="#Eat_0 = 1", engine="explicit")
    assert refuted.value is False
    assert refuted.witness is not None
    [run] = refuted.witness.runs
    assert (run.end, run.states[-1]["Eat_0"]) == ("final", 1)
    assert "a final state: the path ends" in refuted._repr_html_()
    # All runs to deadlocks: from each marking one is reached, and nobody eats there.
    assert len(net.satset("F (deadlock & #Eat_0 = 0)", paths="finite")) == 243
    several = net.check_all(["response(FF2a_0, End_0)", "E true"], paths="finite", final="#Eat_0 = 1")
    assert [verdict.value for verdict in several] == [False, True]
    with pytest.raises(errors.MisuseError):
        net.check("F deadlock", final="deadlock")
    with pytest.raises(errors.FormulaError):
        net.check("AG EF deadlock", paths="finite")
    with pytest.raises(errors.FormulaError):
        net.check("F deadlock", paths="finite", fair=["justice deadlock"])


def test_formulas_about_the_past() -> None:
    net = Net.family("philo", 5)
    assert net.check("G (#Eat_0 = 1 -> O #Think_0 = 1)").value
    refuted = net.check("G (#Eat_0 = 1 -> Y #Think_0 = 1)")
    assert refuted.value is False and refuted.witness
    with pytest.raises(errors.NoCertificate):
        net.certify("G (#Eat_0 = 1 -> O #Think_0 = 1)")


def test_fairness_of_several_formulas() -> None:
    net = Net.family("philo", 5)
    asked = ["AG EF #Eat_0 = 1", "AF deadlock"]
    assert [verdict.value for verdict in net.check_all(asked)] == [False, False]
    assert [verdict.value for verdict in net.check_all(asked, fair=["justice !deadlock"])] == [True, False]


def test_attractors_are_those_of_the_graph() -> None:
    """Sizes and basins from the graph of states, by reachability between single states."""
    net = Net.read(MODELS / "switch.bnet")
    graph = net.reachability_graph()
    reached = [{number} for number in range(len(graph))]
    for _ in graph.states:
        for source, _label, target in graph.edges:
            reached[source] |= reached[target]
    bottom = {frozenset(goals) for goals in reached if all(reached[goal] == goals for goal in goals)}

    found = net.attractors(basins=True)
    assert found.count() == len(found) == len(bottom) == sum(found.kinds.values()) == sum(found.sizes.values())
    numbers = {str(state): number for number, state in enumerate(graph.states)}
    for one in found:
        states = frozenset(numbers[str(state)] for state in one.states)
        assert states in bottom and one.count() == len(states)
        assert (one.kind == "fixed point") == (len(states) == 1)
        weak = {number for number, goals in enumerate(reached) if states <= goals}
        strong = {number for number in weak if not any(other <= reached[number] for other in bottom - {states})}
        assert one.weak_basin is not None and one.strong_basin is not None
        assert {numbers[str(state)] for state in one.weak_basin} == weak
        assert {numbers[str(state)] for state in one.strong_basin} == strong
    assert found[-1].kind == list(found)[-1].kind
    with pytest.raises(IndexError):
        found[len(found)]

    table = found.to_pandas()
    assert list(table.columns) == ["kind", "size", "weak_basin", "strong_basin", *net.initial.keys()]
    assert [*table["size"]] == [one.count() for one in found]
    first = net.attractors(1)
    assert first.count() == 3 and len(first) == 1 and first[0].weak_basin is None
    assert list(first.to_pandas().columns)[:3] == ["kind", "size", next(iter(net.initial.keys()))]
