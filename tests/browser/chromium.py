"""A headless Chromium, driven through the DevTools protocol over a pipe: nothing but the browser and Python is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]


class BrowserError(Exception):
    """The browser does not do what it is told."""


class Browser:
    """The browser with one tab. Messages are JSON, ended by a NUL, on file descriptors 3 (to it) and 4 (from it)."""

    def __init__(self):
        program = next((path for path in map(shutil.which, NAMES) if path), None)
        if program is None:
            raise BrowserError("there is no chromium: apt-get install chromium")
        self.folder = tempfile.TemporaryDirectory(prefix="browser-")
        self.downloads = os.path.join(self.folder.name, "downloads")
        os.mkdir(self.downloads)
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--disable-extensions",
            "--disable-dev-shm-usage", "--disable-background-networking", "--remote-debugging-pipe",
            f"--user-data-dir={self.folder.name}/profile", "about:blank",
        ]

        def descriptors():
            # High first, so that neither is overwritten before it is moved.
            high = [os.dup2(to_read, 103), os.dup2(back_write, 104)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, *arguments], preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(back_write)
        self.number, self.rest, self.session, self.events, self.messages = 0, b"", None, [], []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "DOM"]:
            self.call(f"{domain}.enable")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        try:
            self.folder.cleanup()
        except OSError:
            pass

    def call(self, method, timeout=60, **parameters):
        """Call a method, and hear the events until its result comes."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while True:
            answer = self.receive(end, method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer.get("result", {})
            self.hear(answer)

    def receive(self, end, what):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.back], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise BrowserError(f"no answer to {what}")
            chunk = os.read(self.back, 1 << 16)
            if not chunk:
                raise BrowserError("the browser has ended")
            self.rest += chunk
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def hear(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        self.events.append(method)
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description") or details.get("text"))
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(f"console: {parameters['type']}: {parameters['args']}")
        elif method == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])

    def size(self, width, height, mobile=False, dark=False):
        """The size of the window, and the preference for light or dark."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setTouchEmulationEnabled", enabled=mobile)
        scheme = "dark" if dark else "light"
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def open(self, path, fragment=""):
        """Open a file, until it is loaded. What it said on the console is in `messages`."""
        self.call("Page.navigate", url="about:blank")
        self.messages, self.events = [], []
        started = time.monotonic()
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}{'#' + fragment if fragment else ''}")
        self.until("document.readyState === 'complete' && location.protocol === 'file:'")
        return time.monotonic() - started

    def value(self, script):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(f"{script}: {details.get('exception', {}).get('description', details.get('text'))}")
        return result["result"].get("value")

    def until(self, script, timeout=30):
        end = time.monotonic() + timeout
        while not self.value(script):
            if time.monotonic() > end:
                raise BrowserError(f"never: {script}")
            time.sleep(0.03)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        """A click with the mouse on the middle of an element, which is scrolled into view first."""
        box = self.value(
            f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
            if (!element) return null;
            element.scrollIntoView({{ block: "center" }});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()"""
        )
        if box is None:
            raise BrowserError(f"there is no {selector}")
        self.mouse("mouseMoved", *box)
        self.mouse("mousePressed", *box, button="left", clickCount=1)
        self.mouse("mouseReleased", *box, button="left", clickCount=1)

    def type(self, selector, text):
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def files(self, selector, *paths):
        """Choose files in an input."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=list(paths))

    def downloaded(self, timeout=15):
        """The file that was saved last; it is taken away."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            done = [name for name in os.listdir(self.downloads) if not name.endswith(".crdownload")]
            if done:
                path = os.path.join(self.downloads, done[0])
                with open(path, encoding="utf-8") as file:
                    content = file.read()
                os.remove(path)
                return content
            time.sleep(0.05)
        raise BrowserError("nothing was saved")

    def screenshot(self, path, whole=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
