#!/usr/bin/env python3
"""A second checker of certificates (docs/certificates.md), for small models, by enumeration.

    check_certificate.py MODEL CERTIFICATE [MODEL CERTIFICATE ...]

One line per certificate; status 0 if all are accepted. It lists the states of each set and looks at each state and each
step by itself: no diagrams. It shares no code with starset or with starset-checker, and reads place/transition nets and
tables of steps in ETF only.
"""
import itertools
import re
import sys
import xml.etree.ElementTree as ElementTree

sys.setrecursionlimit(100_000)
MOST_STATES = 200_000


class Refused(Exception):
    """Why a certificate is not accepted."""


def demand(condition, why):
    if not condition:
        raise Refused(why)


def checksum(text):
    """FNV-1a of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


# -- the model ---------------------------------------------------------------------------------------------------------


# What may be in an element, and its attributes. Names, drawings and sections of tools change nothing but for clocks and
# subprocesses; what is not known may, and is refused.
LABEL = ({"text"}, set())
ELEMENTS = {
    "pnml": ({"net"}, set()),
    "net": ({"page", "place", "transition", "referencePlace", "referenceTransition", "arc", "finalmarkings"},
            {"id", "type", "active"}),
    "place": ({"initialMarking", "capacity"}, {"id"}),
    "transition": (set(), {"id"}),
    "referencePlace": (set(), {"id", "ref"}),
    "referenceTransition": (set(), {"id", "ref"}),
    "arc": ({"inscription", "type", "arctype"}, {"id", "source", "target", "type"}),
    "initialMarking": LABEL,
    "capacity": LABEL,
    "inscription": LABEL,
}
ELEMENTS["page"] = ELEMENTS["net"]


def understood(element):
    if element.tag not in ELEMENTS:
        return
    children, attributes = ELEMENTS[element.tag]
    texts = [element.text] + [child.tail for child in element]
    demand(not any(text and text.strip() for text in texts), f"stray text in a <{element.tag}>")
    unknown = [name for name in element.attrib if not name.startswith("{") and name not in attributes]
    demand(not unknown, f"unknown attributes of a <{element.tag}>: {unknown}")
    for child in element:
        if child.tag == "toolspecific":
            demand(child.get("tool", "").strip() not in ("starset", "pnwc"), "the net has clocks")
            nets = [part for part in child if part.tag == "subprocess" and (part.text or "").strip() != "false"]
            demand(not nets, "a transition that is a net")
        elif child.tag not in ("name", "graphics"):
            demand(child.tag in children, f"a <{child.tag}> in a <{element.tag}>")
            understood(child)


class Net:
    """places: name -> index; initial; transitions: (name, [(place, least, below, change)])."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        for element in root.iter():
            element.tag = element.tag.rsplit("}", 1)[-1]
        nets = root.findall("net")
        demand(root.tag == "pnml" and len(nets) == 1, "not one net in PNML")
        kind = nets[0].get("type", "ptnet").strip().lower()
        demand(kind == "p/t net" or kind.rsplit("/")[-1] in ("ptnet", "ptnetb"), "not a place/transition net")
        understood(root)
        demand(all(place.findtext("capacity/text", "0").strip() == "0" for place in root.iter("place")), "a capacity")
        self.places, self.initial, meaning, arcs = {}, [], {}, []
        names = []
        for element in nets[0].iter():
            if element.tag == "place":
                meaning[element.get("id")] = ("p", len(self.initial))
                self.places[element.get("id")] = len(self.initial)
                self.initial.append(int(element.findtext("initialMarking/text", "0")))
            elif element.tag == "transition":
                meaning[element.get("id")] = ("t", len(names))
                names.append(element.get("id"))
            elif element.tag in ("referencePlace", "referenceTransition"):
                meaning[element.get("id")] = ("ref", element.get("ref"))
            elif element.tag == "arc":
                arcs.append(element)
        touches = [{} for _ in names]
        for arc in arcs:
            ends = []
            for end in (arc.get("source"), arc.get("target")):
                while meaning[end][0] == "ref":
                    end = meaning[end][1]
                ends.append(meaning[end])
            kind = arc.get("type")
            if arc.find("type") is not None:
                kind = arc.find("type").get("value") or arc.findtext("type/text")
            weight = int(arc.findtext("inscription/text", "1"))
            (a, b) = ends
            demand(a[0] != b[0], "an arc that joins two places or two transitions")
            place, transition = (a[1], b[1]) if a[0] == "p" else (b[1], a[1])
            touch = touches[transition].setdefault(place, {"take": 0, "put": 0, "read": 0, "below": None})
            if kind in (None, "normal"):
                touch["take" if a[0] == "p" else "put"] += weight
            elif kind in ("read", "test") and a[0] == "p":
                touch["read"] = max(touch["read"], weight)
            elif kind == "inhibitor" and a[0] == "p":
                touch["below"] = weight if touch["below"] is None else min(touch["below"], weight)
            else:
                raise Refused(f"an arc of kind {kind}")
        self.names = {name: number for number, name in enumerate(names)}
        self.steps = [
            [(p, max(t["take"], t["read"]), t["below"], t["put"] - t["take"]) for p, t in sorted(touch.items())]
            for touch in touches
        ]
        self.places_by_number, self.touches = list(self.places), touches
        self.initial = tuple(self.initial)
        self.label_of = list(range(len(names)))
        self.values = [[] for _ in self.places]

    def hash(self):
        lines = [f"place {name} {tokens}\n" for name, tokens in zip(self.places, self.initial)]
        for name, touch in zip(self.names, self.touches):
            effects = []
            for place, t in touch.items():
                below = 2**64 - 1 if t["below"] is None else t["below"]
                least = max(t["take"], t["read"])
                effects.append(f" {self.places_by_number[place]}:{least}:{below}:{t['take']}:{t['put']}")
            lines.append(f"step {name}{''.join(sorted(effects))}\n")
        return checksum("".join(sorted(lines)))

    def enabled(self, step, state):
        return all(least <= state[p] and (below is None or state[p] < below) for p, least, below, _ in self.steps[step])

    def fire(self, step, state):
        after = list(state)
        for p, _, _, change in self.steps[step]:
            after[p] += change
        return tuple(after)

    def can(self, labels, state):
        """Is a step with one of the labels possible? With any, for None."""
        return any(self.enabled(step, state) for step in self.steps_of(labels))

    def steps_of(self, labels):
        return [step for step, label in enumerate(self.label_of) if labels is None or label in labels]


WORDS = {"begin", "end", "state", "edge", "init", "trans", "map", "sort"}
PART = re.compile(r"""\s*(?:(?P<comment>%.*)|(?P<value>"(?:\\.|[^"\\])*"|\#(?:[0-9A-Fa-f]{2})*\#)|(?P<number>[0-9]+)|(?P<sign>[:/*])
                      |(?P<name>(?:[A-Za-z_]|\\.)(?:[A-Za-z0-9_']|\\.)*))""", re.VERBOSE)


class Tables(Net):
    """A system in flat ETF: each row is a step."""

    def __init__(self, text):
        sections = self.sections(text)
        only = lambda name: sections[name][0] if len(sections.get(name, [])) == 1 else demand(False, f"not one {name}")
        sorts = {}
        for head, lines in sections.get("sort", []):
            values = [self.named(part) if part[0] == "name" else part[1] for line in lines for part in line]
            demand(all(part[0] in ("name", "value") for line in lines for part in line), "a value is expected")
            demand(self.named(*head) not in sorts and len(set(values)) == len(values), "a sort or a value twice")
            sorts[self.named(*head)] = values
        declared = self.declared(only("state"))
        (label,) = self.declared(only("edge"))
        labels = sorts.get(label[1], [])
        self.places = {name: number for number, (name, _) in enumerate(declared)}
        demand(len(self.places) == len(declared), "two variables of one name")
        self.values = [sorts.get(sort, []) for _, sort in declared]
        initial = [part for line in only("init")[1] for part in line]
        demand(len(initial) == len(declared), "not one initial value for each variable")
        self.initial = tuple(self.number(part, values) for part, values in zip(initial, self.values))
        self.names = {name: number for number, name in enumerate(labels)}
        self.steps, self.label_of = [], []
        for head, lines in sections.get("trans", []):
            demand(not head, "a section `trans` with a name")
            for row in lines:
                row, step = list(row), []
                for place, values in enumerate(self.values):
                    old = row.pop(0)
                    if old != ("sign", "*"):
                        slash, new = row.pop(0), row.pop(0)
                        demand(slash == ("sign", "/"), "OLD/NEW is expected")
                        old, new = self.number(old, values), self.number(new, values)
                        step.append((place, old, old + 1, new - old))
                (label,) = row
                self.label_of.append(self.number(label, labels))
                demand(self.label_of[-1] < len(labels), "a label without name")
                self.steps.append(step)

    @staticmethod
    def parts(line):
        parts, at = [], 0
        while at < len(line.rstrip()):
            match = PART.match(line, at)
            demand(match, f"cannot read {line[at:at + 20]!r}")
            at, kind, text = match.end(), match.lastgroup, match.group(match.lastgroup)
            if kind == "comment":
                break
            if kind == "value":
                text = (re.sub(r'\\([\\"])', r"\1", text[1:-1]) if text[0] == '"' else bytes.fromhex(text[1:-1]).decode())
            parts.append((kind, text))
        return parts

    def sections(self, text):
        """Name -> [(head, lines)]."""
        sections, name = {}, None
        for line in text.split("\n"):
            parts = self.parts(line)
            words = [part[1] if part[0] == "name" and part[1] in WORDS else None for part in parts[:2]]
            if words[:1] == ["begin"]:
                demand(name is None and words[1:] and words[1] not in (None, "begin", "end"), "a section in a section")
                name = words[1]
                sections.setdefault(name, []).append((parts[2:], []))
            elif words[:1] == ["end"]:
                demand(name is not None and words == ["end", name] and len(parts) == 2, "a section ends that is not open")
                name = None
            else:
                demand(words[:1] in ([], [None]) and (name or not parts), "what is in no section")
                if parts:
                    sections[name][-1][1].append(parts)
        demand(name is None, "a section without end")
        return sections

    @staticmethod
    def named(part):
        kind, text = part
        demand(kind == "name" and text != "_" and text not in WORDS, "a name is expected")
        return re.sub(r"\\(.)", r"\1", text)

    def declared(self, section):
        head, lines = section
        demand(not head, "a section with a name")
        found = []
        for line in lines:
            for at in range(0, len(line), 3):
                name, colon, sort = line[at:at + 3]
                demand(colon == ("sign", ":"), "NAME:SORT is expected")
                found.append((self.named(name), self.named(sort)))
        return found

    @staticmethod
    def number(part, values):
        demand(part[0] == "number" and int(part[1]) < (len(values) or 2**32 - 1), "the number of a value is expected")
        return int(part[1])

    def hash(self):
        lines = [f"place {name} {value}\n" for name, value in zip(self.places, self.initial)]
        places, labels = list(self.places), list(self.names)
        for step, label in zip(self.steps, self.label_of):
            effects = []
            for place, old, _, change in step:
                of = lambda number: self.values[place][number] if self.values[place] else number
                effects.append(f" {places[place]}:{of(old)}:{of(old + change)}")
            lines.append(f"step {labels[label]}{''.join(sorted(effects))}\n")
        return checksum("".join(sorted(lines)))


def model_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = [line.split() for line in text.split("\n")]
    first = next((words for words in lines if words and not words[0].startswith("%")), [""])
    return Tables(text) if first[0] == "begin" else Net(path)


# -- formulas: nested tuples -------------------------------------------------------------------------------------------

TOKEN = re.compile(r'\s*(<->|->|<=|>=|!=|"(?:\\.|[^"\\])*"|[\w.]+|[()!&|<>=#*+,-])')


class Parser:
    def __init__(self, text, net):
        self.net, self.tokens, at = net, [], 0
        text = text.rstrip()
        while at < len(text):
            match = TOKEN.match(text, at)
            demand(match, f"formula: cannot read {text[at:at + 20]!r}")
            self.tokens.append(match.group(1))
            at = match.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        demand(token is not None and expected in (None, token), f"formula: {expected} is missing at {token}")
        self.at += 1
        return token

    def name(self):
        token = self.take()
        return re.sub(r"\\(.)", r"\1", token[1:-1]) if token.startswith('"') else token

    def whole(self):
        formula = self.chain()
        demand(self.peek() is None, "formula: more than expected")
        return formula

    def chain(self):
        first = self.operand()
        operator = self.peek()
        if operator not in ("&", "|", "->", "<->", "U", "R", "W", "M"):
            return first
        operands = [first]
        while self.peek() == operator:
            self.take()
            operands.append(self.operand())
            if operator not in "&|":
                break
        return ({"&": "and", "|": "or"}.get(operator, operator), *operands)

    def operand(self):
        token = self.peek()
        demand(token is not None, "formula: not complete")
        if token == "!":
            self.take()
            return ("not", self.operand())
        if token == "(":
            self.take()
            inside = self.chain()
            self.take(")")
            return inside
        if token == "#" or token == "-" or token.isdigit():
            return self.comparison()
        self.take()
        if set(token) <= set("AEXFG") and len(token) <= 2:
            formula = self.operand()
            for operator in reversed(token):
                formula = (operator, formula)
            return formula
        if token in ("true", "false", "deadlock"):
            return (token,)
        demand(token in ("enabled", "action"), f"formula: unexpected {token}")
        self.take("(")
        labels = set()
        while self.peek() != ")":
            name = self.name()
            demand(name in self.net.names, f"formula: no transition {name}")
            labels.add(self.net.names[name])
            if self.peek() == ",":
                self.take()
        self.take(")")
        return (token, *sorted(labels))

    def comparison(self):
        total, constant, numbers = {}, 0, False
        sides = [1, -1]
        operator = None
        for side in sides:
            sign = side
            if self.peek() == "-":
                self.take()
                sign = -side
            while True:
                factor = int(self.take()) if self.peek().isdigit() else None
                if factor is not None and self.peek() != "*":
                    constant, numbers = constant + sign * factor, True
                else:
                    if factor is not None:
                        self.take("*")
                    self.take("#")
                    name = self.name()
                    demand(name in self.net.places, f"formula: no place {name}")
                    place = self.net.places[name]
                    total[place] = total.get(place, 0) + sign * (1 if factor is None else factor)
                if self.peek() not in ("+", "-"):
                    break
                sign = side if self.take() == "+" else -side
            if side == 1:
                operator = self.take()
                demand(operator in ("=", "!=", "<", "<=", ">", ">="), "formula: no comparison")
                if not numbers and list(total.values()) == [1] and operator in ("=", "!="):
                    (place,) = total
                    if self.net.values[place]:
                        return ("compare", ((place, 1),), operator, self.net.values[place].index(self.name()))
        return ("compare", tuple(sorted((p, f) for p, f in total.items() if f)), operator, -constant)


NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TEMPORAL = {"X", "U", "R", "F", "G", "W", "M", "action"}


def operands(f):
    return () if f[0] in ("true", "false", "deadlock", "enabled", "action", "compare") else f[1:]


def of_step(f, step):
    """Of a formula about steps: is it true of this one, or of none? None of other formulas."""
    if f[0] == "not":
        inner = of_step(f[1], step)
        return None if inner is None else not inner
    return step in f[1:] if f[0] == "action" else None


def is_state(f):
    if f[0] in ("E", "A"):
        return True
    return f[0] not in TEMPORAL and all(is_state(a) for a in operands(f))


DEAD, ALIVE = ("deadlock",), ("not", ("deadlock",))


def canonical(f, negated, paths, exists=True):
    """The form that is checked."""
    again = lambda a, n=negated: canonical(a, n, paths, exists)
    kind = f[0]
    if kind in ("true", "false"):
        return ("true",) if (kind == "true") != negated else ("false",)
    if kind in ("deadlock", "enabled", "action"):
        return ("not", f) if negated else f
    if kind == "compare":
        return ("compare", f[1], NEGATED[f[2]] if negated else f[2], f[3])
    if kind == "not":
        return again(f[1], not negated)
    if kind in ("and", "or"):
        return ("and" if (kind == "and") != negated else "or", *[again(a) for a in f[1:]])
    if kind == "->":
        return ("and" if negated else "or", again(f[1], not negated), again(f[2]))
    if kind == "<->":
        one = ("and", again(f[1], False), again(f[2], negated))
        return ("or", one, ("and", again(f[1], True), again(f[2], not negated)))
    if kind in ("E", "A"):
        exists = (kind == "E") != negated
        path = canonical(f[1], negated, paths, exists)
        if paths == "infinite":
            path = ("and", path, ("R", ("false",), ALIVE)) if exists else ("or", path, ("U", ("true",), DEAD))
        return ("E" if exists else "A", path)
    if kind == "X":
        step = ("X", again(f[1]))
        if paths == "maximal":
            return ("and", ALIVE, step) if exists else ("or", DEAD, step)
        return step
    a, b = {
        "U": lambda: (f[1], f[2]),
        "R": lambda: (f[1], f[2]),
        "F": lambda: (("true",), f[1]),
        "G": lambda: (("false",), f[1]),
        "W": lambda: (f[2], ("or", f[1], f[2])),
        "M": lambda: (f[2], ("and", f[1], f[2])),
    }[kind]()
    release = kind in ("R", "G", "W")
    return ("R" if release != negated else "U", again(a), again(b))


def number(f, numbers):
    for a in operands(f):
        number(a, numbers)
    numbers.setdefault(f, len(numbers))


# -- the automaton -----------------------------------------------------------------------------------------------------


def automaton(path, negated, numbers):
    """Edges of each location (guard, target, marks); the operators U with a mark; the location that accepts everything; the
    sets of formulas that each location stands for."""
    untils = []

    def collect(f):
        if is_state(f):
            return
        for a in operands(f):
            collect(a)
        if f[0] == ("R" if negated else "U") and f not in untils:
            untils.append(f)

    collect(path)
    everything = (1 << len(untils)) - 1
    by_number = sorted(numbers, key=numbers.get)

    def rows(location):
        found = set()
        stack = [(list(location), frozenset(), frozenset(), frozenset(), 0)]
        while stack:
            todo, seen, guard, after, postponed = stack.pop()
            if not todo:
                found.add((tuple(sorted(guard)), tuple(sorted(after)), everything & ~postponed))
                continue
            f, todo = todo[-1], todo[:-1]
            if f in seen:
                stack.append((todo, seen, guard, after, postponed))
                continue
            seen = seen | {f}
            if is_state(f):
                if f[0] in ("true", "false"):
                    if (f[0] == "true") != negated:
                        stack.append((todo, seen, guard, after, postponed))
                else:
                    stack.append((todo, seen, guard | {numbers[f]}, after, postponed))
            elif of_step(f, None) is not None:
                stack.append((todo, seen, guard | {numbers[f]}, after, postponed))
            elif f[0] == "X":
                stack.append((todo, seen, guard, after | {numbers[f[1]]}, postponed))
            elif f[0] in ("and", "or"):
                if (f[0] == "and") != negated:
                    stack.append((todo + list(f[1:]), seen, guard, after, postponed))
                else:
                    stack.extend((todo + [a], seen, guard, after, postponed) for a in f[1:])
            else:
                until = (f[0] == "U") != negated
                mark = 1 << untils.index(f) if until else 0
                stack.append((todo + ([f[2]] if until else [f[2], f[1]]), seen, guard, after, postponed))
                later = f[1] if until else f[2]
                stack.append((todo + [later], seen, guard, after | {numbers[f]}, postponed | mark))
        found = sorted(found)
        if len(found) > 2000:
            return found
        better = lambda a, b: a != b and set(a[0]) <= set(b[0]) and set(a[1]) <= set(b[1]) and a[2] & b[2] == b[2]
        return [row for row in found if not any(better(other, row) for other in found)]

    locations, edges = {(numbers[path],): 0}, []
    queue = [(numbers[path],)]
    while len(edges) < len(queue):
        of_location = []
        for guard, after, marks in rows([by_number[n] for n in queue[len(edges)]]):
            if after not in locations:
                locations[after] = len(queue)
                queue.append(after)
            of_location.append((guard, locations[after], marks))
        edges.append(of_location)
    top, sets = locations.get(()), [[after] for after in queue]
    while True:
        classes, kept = [], {}
        for of_location in edges:
            classes.append(kept.setdefault(tuple(of_location), len(kept)))
        joined = [[] for _ in kept]
        for of_class, of_location in zip(classes, sets):
            joined[of_class] += of_location
        merged, sets = [], joined
        for of_location in kept:
            renamed = sorted({(guard, classes[target], marks) for guard, target, marks in of_location})
            better = lambda a, b: a != b and a[1] == b[1] and a[2] & b[2] == b[2] and set(a[0]) <= set(b[0])
            merged.append([edge for edge in renamed if not any(better(other, edge) for other in renamed)])
        top = classes[top] if top is not None else None
        done = len(merged) == len(edges)
        edges = merged
        if done:
            return edges, untils, top, sets


# -- certificates ------------------------------------------------------------------------------------------------------


def unescape(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r"}.get(m.group(1), m.group(1)), text)


def decimal(text):
    demand(re.fullmatch("[0-9]+", text), "a number is expected")
    return int(text)


def step_of(net, text):
    """The step that is called so: its number among those with its label, and this."""
    demand(" " in text, "a name is missing")
    way, name = text.split(" ", 1)
    return net.steps_of([net.names[unescape(name)]])[decimal(way)]


# A pair of a node of version 2: a comma, a value, a child.
PAIR = re.compile(r"(,)?(?:([0-9]+):)?(\+|-?[0-9]+)")


class Certificate:
    def __init__(self, path, net):
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        demand(text.endswith("\nend\n"), "the certificate is not complete")
        body, check = text[: -len("end\n")].rsplit("check ", 1)
        demand(int(check, 16) == checksum(body), "the checksum is wrong")
        lines = iter(body.split("\n")[:-1])

        def field(name):
            line = next(lines, "")
            demand(line.startswith(name + " "), f"`{name}` is expected")
            return line[len(name) + 1 :]

        self.version = field("starset-certificate")
        demand(self.version in ("1", "2"), "not a certificate of version 1 or 2")
        field("model")
        demand(int(field("net"), 16) == net.hash(), "the certificate is about another model")
        self.paths = field("paths")
        demand(self.paths in ("maximal", "stutter", "infinite"), "unknown path semantics")
        self.text = unescape(field("formula"))
        self.verdict = {"true": True, "false": False}[field("verdict")]
        self.order, offsets, self.steps = [], [], []
        if self.version == "1":
            for _ in range(decimal(field("levels"))):
                offset, name = field("level").split(" ", 1)
                offsets.append(decimal(offset))
                self.order.append(net.places[unescape(name)])
        else:
            levels, *parts = next(lines, "").split(" ")
            demand(levels == "levels", "`levels` is expected")
            for part in parts:
                first, last = map(decimal, part.split("-")) if "-" in part else [decimal(part)] * 2
                demand(first <= last < len(net.places), "no such place")
                self.order.extend(range(first, last + 1))
            offsets = [0] * len(self.order)
            for _ in range(decimal(field("steps"))):
                self.steps.append(step_of(net, field("step")))
        demand(len(set(self.order)) == len(self.order), "a place twice")
        below = None
        for level in reversed(range(len(self.order))):
            width = decimal(field("layer"))
            nodes = self.plain(lines, width) if self.version == "1" else self.nodes(lines, width, below is None)
            layer = []
            for pairs in nodes:
                demand(all(a[0] < b[0] for a, b in zip(pairs, pairs[1:])), "the values of a node must increase")
                node = {}
                for v, child in pairs:
                    demand(0 <= child and v + offsets[level] <= 2**62, "no such child, or too large a value")
                    demand(below is not None or child < 2**31, "too large a rank")
                    node[v + offsets[level]] = child if below is None else below[child]
                layer.append(node)
            below = layer
        self.top, self.claims = below or [], []
        for line in lines:
            words = line.split(" ")
            if words[0] == "claim":
                demand(len(words) == 3, "too much or too little in a claim")
                self.claims.append((decimal(words[1]), words[2], []))
            else:
                self.claims[-1][2].append(line)
        taken = []
        for number, (formula, kind, lines) in enumerate(self.claims):
            if kind == "run":
                taken = self.taken(net, lines, [step for step in taken if isinstance(step, int)])
                self.claims[number] = (formula, kind, taken)

    def taken(self, net, lines, before):
        """The lines of a run, with the numbers of its steps in place of their names."""
        found = []
        for at, line in enumerate(lines):
            kind, *rest = line.split(" ")
            demand(not found or isinstance(found[-1], int), "a run goes on after its end")
            if kind == "then":
                found.append(line)
            elif self.version == "1":
                demand(kind == "fire", "a line that is of no run")
                found.append(step_of(net, line[len("fire ") :]))
            elif kind == "fire":
                found += [self.steps[decimal(number)] for number in rest]
            else:
                demand(kind == "same" and at == 0 and len(rest) == 1, "a line that is of no run")
                demand(decimal(rest[0]) <= len(before), "the run before is not so long")
                found += before[: int(rest[0])]
        return found

    def plain(self, lines, width):
        """Nodes of version 1: values and children of each."""
        return [[tuple(map(decimal, pair.split(":", 1))) for pair in next(lines).split(" ")] for _ in range(width)]

    def nodes(self, lines, width, last_level):
        """Nodes of version 2: pairs without the values that are one more than those before, a child by its distance."""
        demand(width <= 10 * MOST_STATES, "too many nodes")
        found, greatest, child = [], -1, 0
        while len(found) < width:
            times, star, line = next(lines).rpartition("*")
            times = decimal(times) if star else 1
            demand(0 < times <= width - len(found), "too many nodes, or none")
            matches = list(PAIR.finditer(line))
            demand(matches and "".join(match[0] for match in matches) == line, "no node")
            for before, match in zip([None, *matches], matches):
                digits = before is not None and before[3] != "+" and match[0].lstrip(",")[0] not in "+-"
                demand((match[1] == ",") == digits, "a comma too many, or none")
                demand(not last_level or match[3].isdigit(), "no rank")
            for _ in range(times):
                node, value = [], -1
                for match in matches:
                    value = int(match[2]) if match[2] else value + 1
                    child = greatest + 1 if match[3] == "+" else int(match[3]) if last_level else child + int(match[3])
                    greatest = max(greatest, child)
                    demand(child >= 0, "no such child")
                    node.append((value, child))
                found.append(node)
        return found

    def states(self, root):
        """State (in the order of the levels) -> rank."""
        found, stack = {}, [((), self.top[root])]
        while stack:
            prefix, node = stack.pop()
            if len(prefix) == len(self.order):
                found[prefix] = node
            else:
                stack.extend((prefix + (value,), child) for value, child in node.items())
            demand(len(found) <= MOST_STATES, "too many states to list")
        return found


class Checker:
    def __init__(self, net, certificate):
        self.net, self.certificate = net, certificate
        formula = Parser(certificate.text, net).whole()
        if not is_state(formula):
            formula = ("A", formula)
        self.root = canonical(formula, not certificate.verdict, certificate.paths)
        self.numbers = {}
        number(self.root, self.numbers)
        self.formulas = sorted(self.numbers, key=self.numbers.get)
        self.proved, self.always = {}, set()
        demand(sorted(certificate.order) == list(range(len(net.initial))) or not certificate.order,
               "certificates on some of the places are not for this checker")

    def verify(self):
        claims = sorted(self.certificate.claims, key=lambda claim: claim[0])
        for formula, _, lines in [claim for claim in claims if claim[1] == "always"]:
            demand(formula < len(self.formulas), "a claim about nothing")
            f = self.formulas[formula]
            demand(f not in self.always, "a claim twice")
            Inequalities(self.net, lines).refute(f)
            self.always.add(f)
        for f in self.formulas:
            yes = lambda a: a in self.always
            if (f[0] == "true" or f[0] == "and" and all(map(yes, f[1:])) or f[0] == "or" and any(map(yes, f[1:]))
                    or f[0] in ("E", "A", "X", "U", "R") and yes(f[-1])):
                self.always.add(f)
        for formula, kind, lines in [claim for claim in claims if claim[1] != "always"]:
            demand(formula not in self.proved and formula < len(self.formulas), "a claim twice, or about nothing")
            f = self.formulas[formula]
            demand((f[0], kind) in (("A", "all"), ("E", "some"), ("E", "run")), "a claim about no formula of its kind")
            self.proved[formula] = getattr(self, "claim_" + kind)(f[1], lines)
        demand(self.holds(self.root, self.net.initial), "the claims do not imply the verdict")

    def tuple(self, state):
        return tuple(state[p] for p in self.certificate.order)

    def state(self, levels):
        state = [0] * len(levels)
        for place, value in zip(self.certificate.order, levels):
            state[place] = value
        return tuple(state)

    def successors(self, state):
        """(the label of a step, where it leads); a deadlock repeats by none."""
        net = self.net
        found = [(net.label_of[t], net.fire(t, state)) for t in range(len(net.steps)) if net.enabled(t, state)]
        return found or [(None, state)]

    def letters(self, guard):
        """The letters about states, and those about steps."""
        letters = [self.formulas[letter] for letter in guard]
        return [f for f in letters if is_state(f)], [f for f in letters if not is_state(f)]

    def holds(self, f, state):
        net, kind = self.net, f[0]
        if f in self.always:
            return True
        if kind in ("true", "false"):
            return kind == "true"
        if kind == "deadlock":
            return not net.can(None, state)
        if kind == "enabled":
            return net.can(f[1:], state)
        if kind == "not":
            return not self.holds(f[1], state)
        if kind == "compare":
            value = sum(factor * state[p] for p, factor in f[1])
            return {"=": value == f[3], "!=": value != f[3], "<": value < f[3], "<=": value <= f[3],
                    ">": value > f[3], ">=": value >= f[3]}[f[2]]
        if kind in ("and", "or"):
            return (all if kind == "and" else any)(self.holds(a, state) for a in f[1:])
        demand(kind in ("E", "A"), "not a state formula")
        proved = self.proved.get(self.numbers[f], ())
        return state in proved

    def sets(self, lines, keys):
        sets = {}
        for line in lines:
            words = line.split(" ")
            demand(words[0] == "set" and len(words) == keys + 2, "a line that is no set")
            key = tuple(map(decimal, words[1:-1]))
            demand(key not in sets, "two sets at one location")
            states = self.certificate.states(decimal(words[-1]))
            sets[key] = {self.state(levels): rank for levels, rank in states.items()}
        return sets

    def claim_all(self, path, lines):
        edges, untils, _, _ = automaton(path, True, self.numbers)
        marks = len(untils)
        sets = self.sets(lines, 1)
        demand(all(q < len(edges) for (q,) in sets), "no such location")
        for (q,), states in sets.items():
            for state, rank in states.items():
                for guard, target, seen in edges[q]:
                    letters, about_steps = self.letters(guard)
                    if any(self.holds(letter, state) for letter in letters):
                        continue
                    kind = rank % (marks + 1)
                    may_stay = kind < marks and not seen >> kind & 1
                    for step, after in self.successors(state):
                        if any(of_step(letter, step) for letter in about_steps):
                            continue
                        then = sets.get((target,), {}).get(after)
                        demand(then is not None and (then < rank or then == rank and may_stay),
                               f"claim A: {state} at {q} leads out of the sets")
        return set(sets.get((0,), {}))

    def claim_some(self, path, lines):
        edges, untils, top, _ = automaton(path, False, self.numbers)
        marks = len(untils)
        sets = self.sets(lines, 2)
        turns = max(marks, 1)
        demand(all(q < len(edges) and j < turns for q, j in sets), "no such location")
        for (q, j), states in sets.items():
            for state, rank in states.items():
                demand(self.goes_on(edges[q], state, rank, j, marks, top, sets), f"claim E: {state} at {q} is stuck")
        return set(sets.get((0, 0), {}))

    def goes_on(self, edges, state, rank, j, marks, top, sets):
        for guard, target, seen in edges:
            letters, about_steps = self.letters(guard)
            if not all(self.holds(letter, state) for letter in letters):
                continue
            successors = [
                after for step, after in self.successors(state) if all(of_step(letter, step) for letter in about_steps)
            ]
            if target == top:
                if successors:
                    return True
                continue
            marked = marks == 0 or seen >> j & 1
            aim = sets.get((target, (j + 1) % max(marks, 1) if marked else j), {})
            for after in successors:
                if after in aim and (marked or aim[after] < rank):
                    return True
        return False

    def run(self, lines):
        """The states of a run, its steps, possible or not, and its end: "anything", "deadlock", or the position of a loop."""
        states, steps, end, ended = [self.net.initial], [], "anything", False
        for line in lines:
            demand(not ended, "a run goes on after its end")
            if isinstance(line, int):
                steps.append(line)
                states.append(self.net.fire(line, states[-1]))
            else:
                words = line.split(" ")
                demand(words[0] == "then" and len(words) == 2 + (words[1:2] == ["loop"]), "a line that is of no run")
                demand(words[1] in ("anything", "deadlock", "loop"), "a run that does not end")
                end, ended = decimal(words[2]) if words[1] == "loop" else words[1], True
        if isinstance(end, int):
            demand(0 <= end < len(states) - 1 and states.pop() == states[end], "a run does not close its loop")
        return states, steps, end

    def claim_run(self, path, lines):
        states, steps, end = self.run(lines)
        demand(all(map(self.net.enabled, steps, states)), "a run fires what is not possible")
        fired = [self.net.label_of[step] for step in steps]
        demand(end != "deadlock" or self.holds(DEAD, states[-1]), "a run does not end in a deadlock")
        after = {"anything": None, "deadlock": len(states) - 1}.get(end, end)
        demand(self.on_run(path, states, fired, after)[0], "a run does not satisfy its formula")
        return {self.net.initial}

    def on_run(self, f, states, fired, after):
        length = len(states)
        follow = lambda values, i: values[i + 1] if i + 1 < length else after is not None and values[after]
        if f in self.always:
            return [True] * length
        if is_state(f):
            return [self.holds(f, state) for state in states]
        if of_step(f, None) is not None:
            # Of the step after the last position nothing is known, but that there is none after a deadlock.
            known = [of_step(f, step) for step in fired]
            return known + [after is not None and of_step(f, None)] * (length - len(known))
        parts = [self.on_run(a, states, fired, after) for a in f[1:]]
        if f[0] in ("and", "or"):
            return [(all if f[0] == "and" else any)(values) for values in zip(*parts)]
        if f[0] == "X":
            return [follow(parts[0], i) for i in range(length)]
        values = [f[0] == "R"] * length
        for _, i in itertools.product(range(length + 1), reversed(range(length))):
            a, b = parts[0][i], parts[1][i]
            values[i] = b or a and follow(values, i) if f[0] == "U" else b and (a or follow(values, i))
        return values


class Inequalities:
    """A claim `always`: rows (factors by place, bound), each of which says that a sum of tokens is at most a number."""

    def __init__(self, net, lines):
        self.net, self.rows, self.proof, self.open = net, [], [], []
        for line in lines:
            word, rest = line.split(" ", 1) if " " in line else (line, "")
            if word == "keeps":
                self.rows += self.flat(self.comparison(rest))
            elif word == "split":
                self.proof.append((word, decimal(rest)))
            else:
                demand(word == "sum", "not understood")
                terms = [tuple(map(decimal, term.split(":"))) for term in rest.split(" ")] if rest else []
                demand(all(len(term) == 2 and term[0] >= 0 and 0 <= term[1] < 2**62 for term in terms), "no sum")
                self.proof.append((word, terms))

    def comparison(self, text):
        f = Parser(text, self.net).whole()
        demand(f[0] == "compare", "an inequality is expected")
        return self.linear(f)

    def linear(self, f):
        """('row', row), ('all', conditions) or ('any', conditions)."""
        kind = f[0]
        if kind in ("true", "false"):
            return ("all" if kind == "true" else "any", [])
        if kind == "not":
            return self.negated(self.linear(f[1]))
        if kind in ("and", "or"):
            return ("all" if kind == "and" else "any", [self.linear(a) for a in f[1:]])
        if kind == "compare":
            return self.compare(dict(f[1]), f[2], f[3])
        demand(kind in ("deadlock", "enabled"), "a claim about a formula with quantifiers")
        steps = self.net.steps_of(None if kind == "deadlock" else f[1:])
        some = ("any", [self.possible(step) for step in steps])
        return self.negated(some) if kind == "deadlock" else some

    def compare(self, factors, operator, bound):
        least = lambda b: ("row", ({p: -f for p, f in factors.items()}, -b))
        most = lambda b: ("row", (factors, b))
        return {"<=": lambda: most(bound), "<": lambda: most(bound - 1), ">=": lambda: least(bound),
                ">": lambda: least(bound + 1), "=": lambda: ("all", [most(bound), least(bound)]),
                "!=": lambda: ("any", [most(bound - 1), least(bound + 1)])}[operator]()

    def possible(self, step):
        parts = []
        if isinstance(self.net, Tables):
            return ("all", [("any", [self.compare({p: 1}, "=", old)]) for p, old, _, _ in self.net.steps[step]])
        for p, least, below, _ in self.net.steps[step]:
            parts += [self.compare({p: 1}, ">=", least)] if least > 0 else []
            parts += [self.compare({p: 1}, "<", below)] if below is not None else []
        return ("all", parts)

    def negated(self, condition):
        kind, what = condition
        if kind == "row":
            return ("row", ({p: -f for p, f in what[0].items()}, -what[1] - 1))
        return ("any" if kind == "all" else "all", [self.negated(part) for part in what])

    def flat(self, condition):
        demand(condition[0] != "any", "no inequality")
        return [condition[1]] if condition[0] == "row" else [row for part in condition[1] for row in self.flat(part)]

    def is_kept(self, row):
        factors, bound = row
        if sum(f * self.net.initial[p] for p, f in factors.items()) > bound:
            return False
        for step in self.net.steps:
            touched = {p: (least, below, change) for p, least, below, change in step}
            gain, before, after = 0, 0, 0
            for p, f in factors.items():
                least, below, change = touched.get(p, (0, None, 0))
                top = None if below is None or p not in touched else below - 1
                gain += f * change
                # The least product before, the greatest after; None where there is no such number.
                low, high = (least, top) if f > 0 else (top, least)
                before = None if before is None or low is None else before + f * low
                after = None if after is None or high is None else after + f * (high + change)
            if not (gain <= 0 or before is not None and before > bound or after is not None and after <= bound):
                return False
        return True

    def refute(self, formula):
        for row in self.rows:
            demand(self.is_kept(row), f"a step breaks {row}")
        proof = iter(self.proof)

        def close(condition):
            rows, cases = len(self.rows), len(self.open)
            todo = [condition]
            while todo:
                kind, what = todo.pop(0)
                if kind == "row":
                    self.rows.append(what)
                elif kind == "all":
                    todo = list(what) + todo
                else:
                    self.open.append(what)
            word, what = next(proof, (None, None))
            if word == "split":
                demand(0 <= what < len(self.open), "a proof splits what is not there")
                for case in self.open[what]:
                    close(case)
            else:
                demand(word == "sum", "a proof is not complete")
                total, bound = {}, 0
                for row, times in what:
                    demand(row < len(self.rows), "no such inequality")
                    bound += times * self.rows[row][1]
                    for p, f in self.rows[row][0].items():
                        total[p] = total.get(p, 0) + times * f
                demand(bound < 0 and all(f >= 0 for f in total.values()), "a sum is not absurd")
            del self.rows[rows:], self.open[cases:]

        close(self.negated(self.linear(formula)))
        demand(next(proof, None) is None, "a claim goes on after its proof")


def check(model, path):
    """What the certificate proves; Refused if nothing."""
    try:
        net = model_of(model)
        certificate = Certificate(path, net)
        Checker(net, certificate).verify()
    except (KeyError, ValueError, IndexError, TypeError, StopIteration, AttributeError, UnicodeError) as error:
        raise Refused(f"not a certificate of this model: {error!r}") from error
    return f"{str(certificate.verdict).lower()} ({certificate.paths} paths): {certificate.text}"


def line(text):
    """Names of a model are part of what is said: none of them may end the line, or move what is seen of it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def main(arguments):
    if not arguments or len(arguments) % 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    status = 0
    for model, certificate in zip(arguments[::2], arguments[1::2]):
        try:
            print(line(f"proved: {check(model, certificate)}"))
        except Refused as refused:
            print(line(f"not proved: {refused}"))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
