#!/usr/bin/env python3
"""Certificates for the reference checker, which is extracted from the proofs.

    reference.py PROGRAM MODEL CERTIFICATE [MODEL CERTIFICATE ...]

Reads models and certificates as contrib/check_certificate.py does, lists states, and writes problems as numbers to PROGRAM
(driver.ml). One line per certificate. Nothing here is trusted for a proof but what the numbers stand for: states, steps, the
values of atoms, the formula. Refused is a certificate that cannot be read, or about states that are too many to list.
"""
import importlib.util
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
SECOND = pathlib.Path(__file__).resolve().parents[2] / "contrib" / "check_certificate.py"
SPEC = importlib.util.spec_from_file_location("check_certificate", SECOND)
second = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(second)
# More reachable states than this are not listed for a claim of kind `always`.
MOST_REACHABLE = 3000


OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


class Problem:
    """A model and a certificate as a list of numbers; and one more for each claim of kind `always`."""

    def __init__(self, model, certificate):
        self.net = second.model_of(model)
        self.certificate = second.Certificate(certificate, self.net)
        self.checker = second.Checker(self.net, self.certificate)
        self.states, self.atoms, self.letters = {}, {}, {}
        self.numbers = self.encode()
        self.inequalities = []
        # Of tables they are for the other two.
        if not isinstance(self.net, second.Tables):
            claims = [claim for claim in self.certificate.claims if claim[1] == "always"]
            self.inequalities = [self.always(self.checker.formulas[formula], lines) for formula, _, lines in claims]

    def state(self, state):
        return self.states.setdefault(state, len(self.states))

    def leaf(self, f, code, table):
        positive = f[0] != "not"
        return [code, int(positive), table.setdefault(f if positive else f[1], len(table))]

    def formula(self, f, negated=False):
        """A formula with operators of two operands, in prefix order."""
        kind = f[0]
        if kind in ("true", "false"):
            return [int((kind == "true") == negated)]
        if kind in ("deadlock", "enabled", "action", "compare", "not"):
            about_steps = second.of_step(f, None) is not None
            code, positive, leaf = self.leaf(f, 3 if about_steps else 2, self.letters if about_steps else self.atoms)
            return [code, int(bool(positive) != negated), leaf]
        if kind in ("and", "or"):
            # State formulas first, so that no group of them becomes one letter.
            operands = sorted(f[1:], key=lambda a: not second.is_state(a))
            if all(map(second.is_state, operands)):
                operands = list(f[1:])
            found = self.formula(operands[-1], negated)
            for a in reversed(operands[:-1]):
                found = [4 if (kind == "and") != negated else 5, *self.formula(a, negated), *found]
            return found
        code = {"X": 6, "U": 8 if negated else 7, "R": 7 if negated else 8, "E": 10 if negated else 9, "A": 9 if negated else 10}
        return [code[kind], *(number for a in f[1:] for number in self.formula(a, negated))]

    def many(self, items):
        return [len(items), *(number for item in items for number in item)]

    def by_number(self, n, negated):
        return self.formula(self.checker.formulas[n], negated)

    def automaton(self, path, negated):
        """The automaton, its marks, and where everything is accepted."""
        edges, untils, top, sets = second.automaton(path, negated, self.checker.numbers)
        numbers = self.many([self.many([self.many([self.by_number(n, negated) for n in each]) for each in of_location])
                             for of_location in sets])
        marks = [self.formula(f, negated) for f in untils]
        numbers += self.many([self.many([
            self.many([self.by_number(n, negated) for n in guard])
            + self.many([mark for j, mark in enumerate(marks) if not seen >> j & 1]) + [target]
            for guard, target, seen in of_location]) for of_location in edges])
        return numbers + self.many(marks), len(edges), len(marks), top

    def ranked(self, states):
        return self.many([[self.state(state), rank] for state, rank in states.items()])

    def claim(self, formula, kind, lines):
        f = self.checker.formulas[formula]
        second.demand((f[0], kind) in (("A", "all"), ("E", "some"), ("E", "run")), "a claim about no formula of its kind")
        return self.formula(f) + getattr(self, kind)(f[1], lines)

    def all(self, path, lines):
        automaton, locations, _, _ = self.automaton(path, True)
        sets = self.checker.sets(lines, 1)
        second.demand(all(q < locations for (q,) in sets), "no such location")
        ranks = self.many([self.ranked(sets.get((q,), {})) for q in range(locations)])
        return self.many([[self.state(state)] for state in sets.get((0,), {})]) + [0] + automaton + ranks

    def some(self, path, lines):
        automaton, locations, marks, top = self.automaton(path, False)
        sets = self.checker.sets(lines, 2)
        turns = max(marks, 1)
        second.demand(all(q < locations and j < turns for q, j in sets), "no such location")
        ranks = self.many([self.many([self.ranked(sets.get((q, j), {})) for j in range(turns)]) for q in range(locations)])
        tops = [] if top is None else [[top]]
        return self.many([[self.state(state)] for state in sets.get((0, 0), {})]) + [1] + automaton + self.many(tops) + ranks

    def run(self, _, lines):
        # What is not possible leads somewhere all the same: that is for the reference checker to see.
        states, steps, end = self.checker.run(lines)
        # Rows of tables with one label are one step to it, so that another row may lead where this one would.
        rows = isinstance(self.net, second.Tables)
        second.demand(not rows or all(map(self.net.enabled, steps, states)), "a run fires what is not possible")
        back = {"anything": -1, "deadlock": len(states) - 1}.get(end, end)
        fired = [self.net.label_of[step] for step in steps] + [-1] * (len(states) - len(steps))
        positions = self.many([[self.state(state), step] for state, step in zip(states, fired)])
        return [1, self.state(self.net.initial), 2] + positions + [back]

    def factors(self, factors):
        return self.many([[p, f] for p, f in factors])

    def touches(self, step):
        most = lambda below: self.many([] if below is None else [[below - 1]])
        return self.many([[p, least, *most(below), change] for p, least, below, change in self.net.steps[step]])

    def condition(self, f):
        kind = f[0]
        if kind == "compare":
            return [0, *self.factors(f[1]), OPERATORS.index(f[2]), f[3]]
        if kind == "deadlock":
            return [2, 1, *self.many([self.touches(step) for step in self.net.steps_of(None)])]
        if kind == "enabled":
            return [1, *self.many([self.touches(step) for step in self.net.steps_of(f[1:])])]
        if kind == "not":
            return [2, *self.condition(f[1])]
        second.demand(kind in ("true", "false", "and", "or"), "a claim about a formula with quantifiers")
        return [3 if kind in ("true", "and") else 4, *self.many([self.condition(a) for a in f[1:]])]

    def always(self, f, lines):
        """A claim by inequalities, its proof as a tree: which branches there are is known from what is assumed."""
        claim, open_ = second.Inequalities(self.net, lines), []
        proof = iter(claim.proof)

        def close(condition):
            cases, todo = len(open_), [condition]
            while todo:
                kind, what = todo.pop(0)
                if kind == "all":
                    todo = list(what) + todo
                elif kind == "any":
                    open_.append(what)
            word, what = next(proof, (None, None))
            second.demand(word is not None, "a proof is not complete")
            if word == "split":
                second.demand(0 <= what < len(open_), "a proof splits what is not there")
                found = [0, what, *self.many([close(case) for case in open_[what]])]
            else:
                found = [1, *self.many(what)]
            del open_[cases:]
            return found

        tree = close(claim.negated(claim.linear(f)))
        second.demand(next(proof, None) is None, "a claim goes on after its proof")
        rows = self.many([[*self.factors(factors.items()), bound] for factors, bound in claim.rows])
        steps = self.many([self.touches(step) for step in self.net.steps_of(None)])
        return [2, *self.many([[tokens] for tokens in self.net.initial]), *steps, *rows, *self.condition(f), *tree]

    def encode(self):
        claims = sorted(self.certificate.claims, key=lambda claim: claim[0])
        seen = [(claim[0], claim[1] == "always") for claim in claims]
        second.demand(len(set(seen)) == len(seen), "a claim twice")
        second.demand(all(claim[0] < len(self.checker.formulas) for claim in claims), "a claim about nothing")
        root = self.formula(self.checker.root)
        initial = self.state(self.net.initial)
        proofs = self.many([self.claim(*claim) for claim in claims if claim[1] != "always"])
        always = [self.checker.formulas[claim[0]] for claim in claims if claim[1] == "always"]
        listed = []
        if always:
            # The reachable states are looked at one by one; the inequalities are a problem of their own.
            listed, queue = {self.net.initial: None}, [self.net.initial]
            for state in queue:
                second.demand(len(listed) <= MOST_REACHABLE, "too many states to list")
                for _, after in self.checker.successors(state):
                    if after not in listed:
                        listed[after] = None
                        queue.append(after)
        listed = [[self.state(state)] for state in listed]
        successors, at, states = [], 0, list(self.states)
        known = len(states)
        while at < known:
            found = [(t, after) for t, after in self.checker.successors(states[at]) if t is not None]
            successors.append(self.many([[t, self.state(after)] for t, after in found]))
            at += 1
        # States beyond those that something is said of have no successors here: nobody asks for them.
        successors += [[0]] * (len(self.states) - known)
        always = self.many([self.formula(f) for f in always])
        value = lambda f, state: [int(self.checker.holds(f, state))]
        atoms = self.many([self.many([value(f, state) for state in self.states]) for f in self.atoms])
        steps = [None, *range(len(self.net.names))]
        letters = self.many([self.many([[int(second.of_step(f, step))] for step in steps]) for f in self.letters])
        # The form that is checked has to be true, whatever the verdict.
        return [1, *root, 1, initial, *self.many(successors), *atoms, *letters, *proofs, *always, *self.many(listed)]


def problem(model, certificate):
    """Its numbers, and those of each claim by inequalities; Refused if it cannot be read."""
    try:
        problem = Problem(model, certificate)
        return [problem.numbers, *problem.inequalities]
    except (KeyError, ValueError, IndexError, TypeError, StopIteration, AttributeError, UnicodeError) as error:
        raise second.Refused(f"not a certificate of this model: {error!r}") from error


def answers(program, pairs):
    """Of each model and certificate: accepted (True or False), or why it was not asked."""
    found, asked = [], []
    for model, certificate in pairs:
        try:
            problems = problem(model, certificate)
            asked.extend(problems)
            found.append(len(problems))
        except second.Refused as refused:
            found.append(str(refused))
    text = "\n".join(" ".join(map(str, numbers)) for numbers in asked)
    said = iter(subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.split())
    every = lambda count: all([next(said) == "accepted" for _ in range(count)])
    return [answer if isinstance(answer, str) else every(answer) for answer in found]


def main(arguments):
    if len(arguments) < 3 or len(arguments) % 2 == 0:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    pairs = list(zip(arguments[1::2], arguments[2::2]))
    status = 0
    for answer in answers(arguments[0], pairs):
        print("accepted" if answer is True else f"refused: {answer or 'by the reference checker'}")
        status |= answer is not True
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
