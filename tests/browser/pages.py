#!/usr/bin/env python3
"""Pages of starset in a real browser: pages.py [--screenshots FOLDER] PROGRAM

Makes pages with the program, opens them in a headless Chromium, and does what a reader does. Prints how many checks passed
and failed, and ends with status 1 if one failed. Needs Chromium and Python, and nothing else.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from chromium import Browser, BrowserError

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
WIDE, NARROW = (1400, 1000), (390, 844)
# Nodes of the picture that lie in what is seen of it.
SEEN = """(() => { const pane = document.getElementById("picture").getBoundingClientRect();
  return [...document.querySelectorAll("#picture g[id]")].filter((node) => { const box = node.getBoundingClientRect();
    return box.right > pane.left && box.left < pane.right && box.bottom > pane.top && box.top < pane.bottom; }).length; })()"""
MARKING = "document.getElementById('marking').textContent"
READY = "document.documentElement.dataset.ready === 'yes'"
# Light or dark, from 0 to 255: the page and its text.
TONES = """[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]
  .map((colour) => colour.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 3)"""


# A program whose edges have more to say than there is room for, beside states with long names.
PROGRAM = """byte relay[2]; byte j;
process Bus { state waiting, sending_up, sending_down; init waiting; trans
 waiting -> sending_up { guard relay[0] == 0 && relay[1] == 0 && j != 3; effect j = 1; },
 sending_up -> sending_up { guard j == 1 && relay[(j + 1) % 2] == 0; effect j = 2; },
 sending_up -> waiting { guard j == 2 || relay[j % 2] == 1; effect j = 0; },
 sending_up -> sending_down { guard j == 2 && relay[1] == 0; effect j = 1; },
 sending_down -> sending_down { guard j == 1 && relay[(j + 1) % 2] == 0; effect j = 0; },
 sending_down -> waiting { guard j == 0 || relay[0] == 1; effect j = 3; }; }
system async;
"""
# A process in which the first of two timers always wins, and a join waits for both: nodes with their places, and flows.
RACE = ([
    ("startEvent", "s", "Order comes", (60, 100, 36, 36), ""),
    ("eventBasedGateway", "g", "what first?", (150, 93, 50, 50), ""),
    ("intermediateCatchEvent", "v", "one hour", (260, 40, 36, 36), "PT1H"),
    ("intermediateCatchEvent", "w", "two hours, if nothing came before", (260, 170, 36, 36), "PT2H"),
    ("task", "a", "Remind the customer", (350, 18, 100, 80), ""),
    ("task", "b", "Cancel the order", (350, 148, 100, 80), ""),
    ("parallelGateway", "j", "both", (520, 93, 50, 50), ""),
    ("endEvent", "e", "Over", (640, 100, 36, 36), ""),
], "sg gv gw va wb aj bj je".split())


def race():
    """The text of its diagram."""
    places = {id: (x, y + height / 2, x + width) for _, id, _, (x, y, width, height), _ in RACE[0]}
    body, shapes = "", ""
    for kind, id, name, (x, y, width, height), time in RACE[0]:
        timer = f"<timerEventDefinition><timeDuration>{time}</timeDuration></timerEventDefinition>" if time else ""
        body += f'<{kind} id="{id}" name="{name}">{timer}</{kind}>'
        shapes += f'<di:BPMNShape bpmnElement="{id}"><dc:Bounds x="{x}" y="{y}" width="{width}" height="{height}"/></di:BPMNShape>'
    for source, target in RACE[1]:
        (_, y, x), (u, v, _) = places[source], places[target]
        body += f'<sequenceFlow id="{source}{target}" sourceRef="{source}" targetRef="{target}"/>'
        points = f'<d:waypoint x="{x}" y="{y}"/><d:waypoint x="{u}" y="{v}"/>'
        shapes += f'<di:BPMNEdge bpmnElement="{source}{target}">{points}</di:BPMNEdge>'
    plane = f'<di:BPMNDiagram><di:BPMNPlane bpmnElement="race">{shapes}</di:BPMNPlane></di:BPMNDiagram>'
    omg = "http://www.omg.org/spec"
    spaces = f'xmlns="{omg}/BPMN/20100524/MODEL" xmlns:di="{omg}/BPMN/20100524/DI" xmlns:dc="{omg}/DD/20100524/DC" xmlns:d="{omg}/DD/20100524/DI"'
    return f'<definitions {spaces}><process id="race">{body}</process>{plane}</definitions>'


# Labels of edges that are cut by the border of their drawing, or lie on another label or on a state.
CROWDED = """[...document.querySelectorAll("#components svg")].flatMap((svg) => {
  const box = (node) => node.getBoundingClientRect(), all = box(svg), labels = [...svg.querySelectorAll("text.l")];
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  return labels.filter((label, at) => { const own = box(label);
    return own.left < all.left - 1 || own.right > all.right + 1 || own.top < all.top - 1 || own.bottom > all.bottom + 1 ||
      labels.slice(at + 1).some((other) => meet(own, box(other))) || [...svg.querySelectorAll(".p")].some((state) => meet(own, box(state)));
  }).map((label) => label.textContent); })"""


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, what, found, wanted=True):
        if found == wanted:
            self.passed += 1
        else:
            self.failed += 1
            print(f"failed: {what}: {found!r}, not {wanted!r}")


class Pages:
    """Pages that the program writes."""

    def __init__(self, program, folder):
        self.program, self.folder, self.all = program, folder, {}

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=300)
        if done.returncode not in (0, 1, 3):
            raise BrowserError(f"starset {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def make(self, name, *arguments):
        path = os.path.join(self.folder, f"{name}.html")
        self.run(*arguments, "--report", path)
        self.all[name] = path
        return path

    def generate(self, family, size):
        path = os.path.join(self.folder, f"{family}-{size}.pnml")
        self.run("generate", family, str(size), "-o", path)
        return path

    def write_all(self):
        model = lambda name: os.path.join(MODELS, name)
        long = " | ".join(f"#Eat_{n} + {k} * #Think_{n} >= {k + 1}" for n in range(5) for k in range(3))
        formulas = ["AG EF #Eat_0 = 1", "EF deadlock", "#Eat_0 = 1 & enabled(End_0)", "deadlock | EF deadlock", f"{long} | #Eat_0 = 0"]
        self.make("check", "check", model("philo-5.pnml"), *(word for formula in formulas for word in ("-f", formula)))
        self.make("satset", "satset", model("kanban-3.pnml"), "-f", "#Pout4 >= 1", "--list", "4")
        self.make("states", "states", model("readers-writers-4.pnml"), "--deadlocks")
        self.make("middle", "states", self.generate("philo", 50))
        self.make("large", "check", self.generate("philo", 500), "-f", "EF #Eat_250 = 1", "--time", "60")
        self.make("thousands", "states", self.generate("slot", 190), "--time", "5")
        self.make("coloured", "check", model("coloured/philo-5.pnml"), "-f", "EF deadlock")
        self.make("network", "check", model("pipe.dot"), "-f", "EF deadlock")
        program = os.path.join(self.folder, "bus.dve")
        with open(program, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        self.make("program", "check", program, "-f", "EF Bus = sending_down", "-f", "EF deadlock")
        self.make("counters", "check", model("buffer.counters"), "-f", "EF deadlock")
        self.make("time", "time", model("claim.pnwc"))
        self.make("process", "soundness", model("order.bpmn"))
        diagram = os.path.join(self.folder, "race.bpmn")
        with open(diagram, "w", encoding="utf-8") as file:
            file.write(race())
        self.make("race", "soundness", diagram, "--timers")
        self.make("unsound", "soundness", diagram)
        self.batch()

    def batch(self):
        instances = os.path.join(self.folder, "instances")
        for name, file in [("Philosophers-5", "philo-5"), ("Kanban-3", "kanban-3"), ("Slot-4", "slot-4")]:
            os.makedirs(os.path.join(instances, name))
            with open(os.path.join(MODELS, f"{file}.pnml"), "rb") as source, open(os.path.join(instances, name, "model.pnml"), "wb") as to:
                to.write(source.read())
        expected = os.path.join(self.folder, "expected.csv")
        with open(expected, "w", encoding="utf-8") as file:
            file.write("instance,examination,formula_id,expected\nPhilosophers-5,StateSpace,STATES,244\nKanban-3,OneSafe,OneSafe,FALSE\n")
        results = os.path.join(self.folder, "results.jsonl")
        common = ["batch", instances, "--examinations", "StateSpace,OneSafe", "--memory", "1G", "--expected", expected, "-q"]
        self.run(*common, "--results", results)
        self.other_run(results)
        self.make("batch", *common, "--results", results, "--compare", os.path.join(self.folder, "other.jsonl"))

    def other_run(self, results):
        """An older run: one answer was another, one was not known, one job is missing."""
        with open(results, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        with open(os.path.join(self.folder, "other.jsonl"), "w", encoding="utf-8") as file:
            for record in records:
                key = (record["model"], record["examination"])
                record["seconds"] *= 3
                if key == ("Slot-4", "StateSpace"):
                    continue
                if key == ("Kanban-3", "OneSafe"):
                    record["answers"][0]["value"] = "TRUE"
                if key == ("Slot-4", "OneSafe"):
                    record["answers"][0]["value"] = "CANNOT_COMPUTE"
                file.write(json.dumps(record) + "\n")


def shown(check, browser, pages, screenshots):
    """Every page, wide and narrow, light and dark: something is seen, and nothing is wider than the window."""
    for name, path in pages.all.items():
        for (width, height), mobile in [(WIDE, False), (NARROW, True)]:
            for dark in [False, True]:
                form = f"{name} {'narrow' if mobile else 'wide'} {'dark' if dark else 'light'}"
                browser.size(width, height, mobile, dark)
                took = browser.open(path)
                if name != "time":
                    browser.until(READY)
                check(f"{form}: messages", browser.messages, [])
                check(f"{form}: is as wide as the window", browser.value("document.documentElement.scrollWidth") <= width)
                paper, ink = browser.value(TONES)
                check(f"{form}: paper and ink", (paper < 80, ink > 150) if dark else (paper > 200, ink < 100), (True, True))
                check(f"{form}: opens at once", took < 5)
                if name in ("network", "program"):
                    check(f"{form}: automata are seen", browser.value("document.querySelectorAll('#components .state').length >= 3"))
                elif browser.value("!!document.getElementById('picture')"):
                    check(f"{form}: nodes are seen", browser.value(SEEN) >= 3)
                if screenshots:
                    file = os.path.join(screenshots, form.replace(" ", "-") + ".png")
                    total = browser.value("document.documentElement.scrollHeight")
                    browser.size(width, min(max(height, total), 4000), mobile, dark)
                    browser.screenshot(file)


def token_game(check, browser, pages):
    browser.size(*WIDE)
    browser.open(pages.all["check"], "answer=initial")
    marking = lambda: set(browser.value(MARKING).split())
    begin = marking()
    browser.click("#t0 .t")
    after = (begin - {"Fork_0", "Think_0"}) | {"Catch1_0"}
    check("FF1a_0 has fired", marking(), after)
    check("it is said", browser.value("document.getElementById('fired').textContent"), "FF1a_0 fired")
    browser.click("#t0 .t")
    check("it cannot fire again", marking(), after)
    check("and why", "not enabled, since" in browser.value("document.getElementById('chosen').textContent"))
    browser.value("[...document.querySelectorAll('#enabled button')].find((button) => button.textContent === 'FF2a_0').click()")
    eats = (after - {"Catch1_0", "Fork_1"}) | {"Eat_0"}
    check("by its button", marking(), eats)
    values = browser.value("document.getElementById('values').textContent")
    check("what holds here", "3: true" in values and "2: needs a search" in values)
    browser.click("#back")
    check("back", marking(), after)
    check("what does not hold there", "3: false" in browser.value("document.getElementById('values').textContent"))
    browser.click("#forward")
    check("forward", marking(), eats)
    browser.click("#save")
    saved = browser.downloaded()
    check("the run in the file", json.loads(saved)["labels"], ["FF1a_0", "FF2a_0"])
    path = os.path.join(pages.folder, "run.json")

    def load(content):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        browser.value("document.getElementById('refused').textContent = '…'")
        browser.files("#load", path)
        browser.until("document.getElementById('refused').textContent !== '…'")
        return browser.value("document.getElementById('refused').textContent")

    browser.click("#restart")
    check("from the start", marking(), begin)
    check("is loaded", load(saved), "")
    browser.click("#last")
    check("the same marking", marking(), eats)
    wrong = json.loads(saved)
    wrong["labels"] = ["FF1a_0", "FF2a_1"]
    check("a step that cannot be", "step 2: FF2a_1 is not enabled, since Catch1_1 has 0 of 1 token" in load(json.dumps(wrong)))
    wrong["labels"] = ["nothing"]
    check("no such transition", "step 1: the net has no transition nothing" in load(json.dumps(wrong)))
    wrong = json.loads(saved)
    wrong["states"][2]["marking"]["Eat_0"] = "7"
    check("another marking than it leads to", "after FF2a_0 Eat_0 has 1 tokens, the file says 7" in load(json.dumps(wrong)))
    check("no JSON", "no JSON" in load("<html>"))
    check("no run", "no run in this file" in load("[1, null]"))
    witness = pages.run("check", os.path.join(MODELS, "philo-5.pnml"), "-f", "EF deadlock", "--witness", "--json")
    check("a witness is loaded", load(witness), "")
    browser.click("#last")
    check("to its deadlock", marking(), {f"Catch1_{n}" for n in range(5)})
    check("where nothing is enabled", "deadlock" in browser.value("document.getElementById('may').textContent"))
    # Inhibitor arcs: a reader must not begin while a writer waits.
    browser.open(pages.all["states"], "answer=initial")
    names = lambda: set(browser.value("[...document.querySelectorAll('#enabled button')].map((button) => button.textContent)"))
    check("before a writer waits", "Read" in names())
    browser.value("[...document.querySelectorAll('#enabled button')].find((button) => button.textContent === 'Ask').click()")
    check("while a writer waits", "Read" not in names())
    with open(os.path.join(MODELS, "..", "docs", "report.md"), encoding="utf-8") as file:
        check("the run in the documents", load(file.read().split("```json")[1].split("```")[0]), "")
    browser.click("#last")
    check("and its end", marking(), {"Readers=3", "Reading", "Writers=4"})
    # Listed markings of a set, and what cannot be played.
    browser.open(pages.all["satset"])
    browser.value("[...document.querySelectorAll('#answers button')].find((button) => button.textContent === 'markings on the net').click()")
    check("a marking of the set", browser.value("document.getElementById('step').textContent"), "Marking 1 of 4")
    check("holds there", "1: true" in browser.value("document.getElementById('values').textContent"))
    browser.open(pages.all["counters"])
    check("no net is not played", "no Petri net" in browser.value("document.getElementById('may').textContent"))


def search_and_walk(check, browser, pages):
    browser.size(*WIDE)
    browser.open(pages.all["large"], "answer=initial")
    check("a large net is not drawn as a whole", browser.value("document.querySelectorAll('#picture g[id]').length <= 200"))
    browser.type("#search", "eat_321")
    check("found", browser.value("document.querySelector('#found button').textContent"), "Eat_321")
    browser.click("#found button")
    sought = """(() => { const box = document.querySelector("#picture .sought .p").getBoundingClientRect(), pane = document.getElementById("picture").getBoundingClientRect();
      return box.left > pane.left && box.right < pane.right && box.top > pane.top && box.bottom < pane.bottom; })()"""
    check("and seen", browser.value(sought))
    check("with its neighbours", browser.value("[...document.querySelectorAll('#picture title')].some((title) => title.textContent.startsWith('FF2a_321'))"))
    browser.value("document.getElementById('search').value = ''")
    browser.type("#search", "no such name")
    check("nothing is found", browser.value("document.getElementById('found').textContent"), "nothing is called so")
    browser.open(pages.all["large"])
    browser.click("#last")
    check("a witness is followed", browser.value("!!document.querySelector('#picture .fired')"))
    browser.open(pages.all["check"])
    browser.type("#search", "Eat_4")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    check("in a whole drawing", browser.value(sought))
    # The wheel, and dragging.
    width = lambda: float(browser.value("document.querySelector('#picture svg').getAttribute('viewBox')").split()[2])
    left = lambda: float(browser.value("document.querySelector('#picture svg').getAttribute('viewBox')").split()[0])
    x, y = browser.value("(() => { const box = document.getElementById('picture').getBoundingClientRect(); return [box.x + 30, box.y + 150]; })()")
    before = width()
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
    check("the wheel makes larger", width() < before)
    before = left()
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", x + 60, y, button="left", buttons=1)
    browser.mouse("mouseReleased", x + 60, y, button="left", clickCount=1)
    check("a drag moves it", left() < before)
    # Two fingers that go apart, on a telephone.
    browser.size(*NARROW, mobile=True)
    browser.open(pages.all["check"])
    x, y = browser.value("(() => { const pane = document.getElementById('picture'); pane.scrollIntoView(); const box = pane.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
    before = width()
    fingers = lambda apart: [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(20))
    for apart in [30, 45, 60, 80]:
        browser.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers(apart))
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    check("a pinch makes larger", width() < 0.6 * before)
    check("nothing went wrong", browser.messages, [])


NAMED = """<pnml><net id='named' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>
<place id='p1'><name><text>ready</text></name><initialMarking><text>2</text></initialMarking></place>
<place id='p2'><name><text>in use</text></name></place><transition id='t1'><name><text>take</text></name></transition>
<arc id='a' source='p1' target='t1'/><arc id='b' source='t1' target='p2'/></page></net></pnml>"""


def names(check, browser, pages):
    net = os.path.join(pages.folder, "named.pnml")
    with open(net, "w", encoding="utf-8") as file:
        file.write(NAMED)
    browser.size(*WIDE)
    browser.open(pages.make("named", "states", net))
    check("names in the picture", browser.value("[...document.querySelectorAll('#picture .n')].map((name) => name.textContent)"), ["ready", "in use", "take"])
    browser.click("#t0 .t")
    check("of what fires", browser.value("document.getElementById('fired').textContent"), "take fired")
    check("and in markings", browser.value(MARKING), "ready in use")
    browser.click("#save")
    saved = json.loads(browser.downloaded())
    check("identifiers in files", (saved["labels"], saved["states"][1]["marking"]), (["t1"], {"p1": "1", "p2": "1"}))
    browser.value("document.getElementById('extent').value = '20'; document.getElementById('extent').dispatchEvent(new Event('change'))")
    check("names of what is near by", set(browser.value("[...document.querySelectorAll('#picture .n')].map((name) => name.textContent)")), {"ready", "in use", "take"})
    check("nothing went wrong", browser.messages, [])


def components(check, browser, pages):
    browser.size(*WIDE)
    browser.open(pages.all["network"])
    check("no net", browser.value("document.getElementById('net-box').hidden"))
    current = "[...document.querySelectorAll('#components .current title')].map((title) => title.textContent)"
    check("the components in their first states", browser.value(current), ["1", "4"])
    browser.click("#forward")
    check("one has moved", browser.value(current), ["2", "4"])
    moved = "[...document.querySelectorAll('#components figure.moved figcaption b')].map((name) => name.textContent)"
    check("which is marked", browser.value(moved), ["sender"])
    check("with its edge", browser.value("[...document.querySelectorAll('#components .hot title')].map((title) => title.textContent)"), ["produce"])
    browser.click("#forward")
    check("both take part", browser.value(moved), ["sender", "receiver"])
    steps = lambda: browser.value("[...document.querySelectorAll('#enabled button')].map((button) => button.textContent)")
    check("what is possible", sorted(steps()), ["consume", "produce", "stop"])
    browser.value("[...document.querySelectorAll('#components .on')].find((edge) => edge.textContent.startsWith('consume')).dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    check("a step by hand", browser.value(current), ["1", "4"])
    browser.click("#back")
    check("and back", browser.value(current), ["1", "5"])
    browser.click("#save")
    path = os.path.join(pages.folder, "steps.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(browser.downloaded())
    browser.files("#load", path)
    browser.until("document.getElementById('runs').selectedOptions[0].textContent === 'steps.json'")
    browser.click("#last")
    check("loaded", browser.value(current), ["1", "4"])
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"labels": ["send"]}, file)
    browser.files("#load", path)
    browser.until("document.getElementById('refused').textContent !== ''")
    check("refused", "step 1: send is not enabled" in browser.value("document.getElementById('refused').textContent"))
    browser.type("#component", "recei")
    check("one is found", browser.value("document.querySelectorAll('#components figure').length"), 1)
    check("nothing went wrong", browser.messages, [])
    browser.open(pages.all["program"])
    check("its edges have labels", browser.value("document.querySelectorAll('#components text.l').length"), 6)
    check("labels are whole and apart", browser.value(CROWDED), [])
    browser.click("#last")
    check("at the end, too", browser.value(CROWDED), [])
    check("states have their names", "sending_down" in browser.value("document.getElementById('components').textContent"))


def exploration(check, browser, pages):
    browser.size(*WIDE)
    browser.open(pages.all["states"])
    rows = lambda: browser.value("[...document.querySelectorAll('#bounds tbody tr')].map((row) => [row.children[0].textContent, row.children[1].textContent])")
    check("bounds of places", rows(), [["Readers", "4"], ["Reading", "4"], ["Writers", "4"], ["Waiting", "2"], ["Writing", "1"]])
    browser.click("#bounds th:nth-child(2) button")
    browser.click("#bounds th:nth-child(2) button")
    check("sorted", [bound for _, bound in rows()], ["1", "2", "4", "4", "4"])
    browser.open(pages.all["thousands"])
    check("nodes over time", browser.value("document.querySelector('#growth path').getAttribute('d').split('L').length > 3"))


def process(check, browser, pages):
    """The run that refutes something, on the diagram."""
    browser.size(*WIDE)
    browser.open(pages.all["process"])
    browser.until(READY)
    where = lambda: browser.value("document.getElementById('where').textContent")
    count = lambda selector: browser.value(f"document.querySelectorAll('{selector}').length")
    check("begins at the end", (where(), count("#tokens .token"), count(".held")), ("12 of 12 steps: Sold", 3, 3))
    browser.click("#first")
    check("the start", (where(), count("#tokens .token"), count(".held")), ("0 of 12 steps: the start", 0, 0))
    browser.click("#on")
    check("a step on", (where(), count("#tokens .token"), count(".done")), ("1 of 12 steps: A wish", 1, 1))
    browser.click("#animate")
    browser.until("document.getElementById('where').textContent.startsWith('3 of')")
    browser.click("#animate")
    inside = """[...document.querySelectorAll("#diagram g[id] > :not(title)")].every((part) => {
      const box = part.getBoundingClientRect(), all = document.getElementById("diagram").getBoundingClientRect();
      return box.left >= all.left - 1 && box.right <= all.right + 1 && box.top >= all.top - 1 && box.bottom <= all.bottom + 1; })"""
    check("all of it is in the picture", browser.value(inside))
    # With time: the moment of each step, what never happens, and the step in sight where the picture scrolls.
    browser.open(pages.all["race"])
    browser.until(READY)
    check("the end in time", where(), "3 of 3 steps: Remind the customer · at 1 h")
    check("all of the race is in the picture", browser.value(inside))
    text = """[...document.querySelectorAll("#diagram .node")].every((node) => { const box = node.querySelector(".box").getBoundingClientRect();
      return [...node.querySelectorAll("text:not(.label):not(.glyph)")].every((text) => { const own = text.getBoundingClientRect();
        return own.left >= box.left && own.right <= box.right && own.top >= box.top && own.bottom <= box.bottom; }); })"""
    check("names fit into tasks", browser.value(text))
    check("never in time", browser.value("[...document.querySelectorAll('.dead title')].map((title) => title.textContent)"),
          ["two hours, if nothing came before", "Cancel the order"])
    check("what the marks are", browser.value("document.querySelector('.dashes').parentNode.textContent.trim()"), "never happens in time")
    browser.size(*NARROW, True)
    for page, step in [("race", 3), ("unsound", 3), ("process", 12)]:
        browser.open(pages.all[page])
        browser.until(READY)
        in_sight = """(() => { const all = document.querySelector(".picture").getBoundingClientRect();
          return [...document.querySelectorAll(".done")].every((part) => { const box = part.getBoundingClientRect();
            return box.left >= all.left - 1 && box.right <= all.right + 1; }); })()"""
        check(f"{page}: the last step is in sight", (where().split(" ")[0], browser.value(in_sight)), (str(step), True))


def batch(check, browser, pages):
    browser.size(*WIDE)
    browser.open(pages.all["batch"])
    browser.until(READY)
    rows = lambda column: browser.value(f"[...document.querySelectorAll('#jobs tbody tr')].map((row) => row.children[{column}].textContent)")
    check("all jobs", len(rows(0)), 6)
    browser.click("#jobs th:nth-child(1) button")
    first = rows(0)
    browser.click("#jobs th:nth-child(1) button")
    check("sorted by name, and back", (first == sorted(first), rows(0) == sorted(first, reverse=True)), (True, True))
    title = "[...document.querySelectorAll('#jobs th')].findIndex((head) => head.textContent === 'seconds')"
    column = browser.value(title)
    browser.value(f"document.querySelectorAll('#jobs th button')[{column}].click()")
    times = [float(text) for text in rows(column)]
    check("sorted by time", times == sorted(times) or times == sorted(times, reverse=True))
    browser.type("#filter", "kanban")
    check("filtered", set(rows(0)), {"Kanban-3"})
    browser.value("document.getElementById('filter').value = ''")
    browser.value("(() => { const box = document.getElementById('status'); box.value = 'wrong'; box.dispatchEvent(new Event('change')); })()")
    check("those with a wrong answer", rows(0), ["Philosophers-5"])
    difference = browser.value("document.getElementById('compared').textContent")
    check("compared", [word in difference for word in ["gained", "lost", "differ"]], [True] * 3)
    check("what differs", "Kanban-3" in difference and "TRUE" in difference and "FALSE" in difference)
    check("a dot for each job of both", browser.value("document.querySelectorAll('#scatter circle').length"), 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--screenshots", metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.screenshots:
        os.makedirs(arguments.screenshots, exist_ok=True)
    check = Checks()
    with tempfile.TemporaryDirectory(prefix="pages-") as folder:
        pages = Pages(os.path.abspath(arguments.program), folder)
        pages.write_all()
        browser = Browser()
        try:
            shown(check, browser, pages, arguments.screenshots)
            for concern in [token_game, search_and_walk, names, components, exploration, process, batch]:
                try:
                    concern(check, browser, pages)
                except BrowserError as error:
                    check(concern.__name__, str(error), "")
        finally:
            browser.close()
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrowserError as error:
        sys.exit(f"pages.py: {error}")
