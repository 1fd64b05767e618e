"""The token game as a widget of notebooks: needs the package anywidget (`pip install 'starset[notebook]'`).

The browser draws and sends clicks. What is enabled, and where a step leads, the model itself says, so that the game is right for
every kind of net and for numbers of any size.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError("the token game needs anywidget: pip install 'starset[notebook]'") from error

from starset._native import Net, State
from starset.errors import StarsetError

_STATIC = Path(__file__).parent / "static"


class TokenGame(anywidget.AnyWidget):
    """A net in which enabled transitions are fired by a click.

    `state` is the marking that is shown, `fired` the transitions that led there; `fire`, `back` and `reset` do what the
    buttons do.
    """

    _esm = _STATIC / "game.js"
    _css = _STATIC / "game.css"

    svg = traitlets.Unicode().tag(sync=True)
    enabled = traitlets.List(traitlets.Int()).tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    marking = traitlets.Unicode().tag(sync=True)
    fired = traitlets.List(traitlets.Unicode()).tag(sync=True)
    wish = traitlets.Dict().tag(sync=True)

    def __init__(self, net: Net, state: State | None = None, **options: Any) -> None:
        if net.initial.svg() is None:
            raise StarsetError(f"a {net.kind} has no tokens to play with; the game is for nets")
        self.net = net
        self._run = [net.initial if state is None else state]
        super().__init__(names=net.transitions, **options)
        self._show()

    @property
    def state(self) -> State:
        """The marking that is shown."""
        return self._run[-1]

    def fire(self, transition: str) -> None:
        """Fire a transition."""
        self._run.append(self.state.fire(transition))
        self.fired = [*self.fired, transition]
        self._show()

    def back(self) -> None:
        """Take the last step back, if there is one."""
        if len(self._run) > 1:
            self._run.pop()
            self.fired = self.fired[:-1]
            self._show()

    def reset(self) -> None:
        """Begin again."""
        del self._run[1:]
        self.fired = []
        self._show()

    def _show(self) -> None:
        enabled = set(self.state.enabled())
        with self.hold_sync():
            self.svg = self.state.svg() or ""
            self.enabled = [number for number, name in enumerate(self.names) if name in enabled]
            self.marking = str(self.state)

    @traitlets.observe("wish")
    def _wished(self, change: dict[str, Any]) -> None:
        """What the browser asks for; each wish has a number, so that the same may be asked for twice."""
        wish = change["new"]
        match wish.get("do"):
            case "fire" if wish["transition"] in self.state.enabled():
                self.fire(wish["transition"])
            case "back":
                self.back()
            case "reset":
                self.reset()
