"""Motions that are being executed while the scene of the session changes."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional

from .errors import ElbowroomError
from .link import Link
from .results import Pair, pair_of
from .trajectory import Trajectory


@dataclass(frozen=True)
class WatchReport:
    """
    `certified_until`: seconds of the motion until which it is proved, None: to its end. With replanning: a new
    `trajectory` that begins at `start` of the old one, or the `reason` why there is none.
    """

    certified_until: Optional[float]
    pair: Optional[Pair] = None
    trajectory: Optional[Trajectory] = None
    start: Optional[float] = None
    reason: str = ""


class Watch:
    """A watched motion; `unchecked`: number and reasons of the pairs that are not checked. Use it in a `with` block, or call `end`."""

    def __init__(self, link: Link, lock: threading.RLock, result: Mapping[str, Any]) -> None:
        self._link = link
        self._lock = lock
        self.id: int = result["watch"]
        self.certified_until: Optional[float] = result["certified_until"]
        self.warnings: List[str] = result.get("warnings", [])
        self.faults: List[str] = result.get("faults", [])
        self.unchecked: Dict[str, Any] = result.get("unchecked", {})
        self.reports: List[WatchReport] = []

    def advance(self, time: float) -> Optional[float]:
        """Reports that the motion has been executed up to `time`, s. Returns until when it is certified."""
        seen = len(self.reports)
        result, _ = self._link.call("watch.advance", {"watch": self.id, "time": time})
        with self._lock:
            # Another thread may have received reports that are newer than the response.
            newer = [report.certified_until for report in self.reports[seen:]]
            times = [until for until in [result["certified_until"], *newer] if until is not None]
            self.certified_until = min(times, default=None)
            return self.certified_until

    def wait(self, count: int = 1, timeout: float = 10.0) -> bool:
        """Waits until there are `count` reports. Returns False if they do not arrive in time."""
        self._link.pump(timeout, lambda: len(self.reports) >= count)
        return len(self.reports) >= count

    def end(self) -> None:
        self._link.call("watch.end", {"watch": self.id})

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._link.is_open:
            self.end()


OnReport = Callable[[Watch, WatchReport], None]


class Watches:
    """The watches of a session. A thread receives reports while no call waits."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._lock = threading.RLock()
        self._watches: Dict[int, Watch] = {}
        self._callbacks: Dict[int, OnReport] = {}
        self._early: List[Dict[str, Any]] = []
        self._thread: Optional[threading.Thread] = None
        link.on_report = self._receive

    def start(self, params: Dict[str, Any], on_report: Optional[OnReport]) -> Watch:
        result, _ = self._link.call("watch", params)
        watch = Watch(self._link, self._lock, result)
        with self._lock:
            self._watches[watch.id] = watch
            if on_report:
                self._callbacks[watch.id] = on_report
            early, self._early = self._early, []
            found = [self._record(raw) for raw in early]  # before any later report
        for report in found:
            if on_report and report:
                on_report(watch, report)
        if on_report and self._thread is None:
            self._thread = threading.Thread(target=self._listen, name="elbowroom watches", daemon=True)
            self._thread.start()
        return watch

    def _listen(self) -> None:
        try:
            self._link.pump(None)
        except ElbowroomError:
            pass  # the session is closed: its next call raises

    def _receive(self, raw: Dict[str, Any]) -> None:
        with self._lock:
            report = self._record(raw)
            watch = self._watches.get(raw["watch"])
            callback = self._callbacks.get(raw["watch"])
        if callback and watch and report:
            callback(watch, report)

    def _record(self, raw: Dict[str, Any]) -> Optional[WatchReport]:
        """Adds a report to its watch; keeps it for later if it arrived before the response to `watch`."""
        watch = self._watches.get(raw["watch"])
        if watch is None:
            self._early.append(raw)
            return None
        found = raw.get("trajectory")
        report = WatchReport(
            raw["certified_until"],
            pair_of(raw.get("pair")),
            Trajectory(found) if found else None,
            raw.get("from"),
            raw.get("reason", ""),
        )
        watch.certified_until = report.certified_until
        watch.reports.append(report)
        return report
