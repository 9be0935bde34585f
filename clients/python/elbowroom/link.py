"""Requests and responses over one transport, from any number of threads."""

from __future__ import annotations

import json
import threading
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from .errors import ConnectionLost, DeadlineExceeded, error_of
from .frames import FIRST_BYTE, frame_parts, read_frame
from .transports import Transport

Json = Dict[str, Any]
OnProgress = Callable[[Json], None]

_CANCELLED = -32800
_GRACE = 5.0
"""Seconds within which the service responds to a cancellation."""


class Cancellation:
    """Cancels the calls that it is given to: from another thread, a callback, or before they start."""

    def __init__(self) -> None:
        self.is_set = False
        self._calls: List[Callable[[], None]] = []
        self._lock = threading.Lock()

    def cancel(self) -> None:
        """Ends the calls; they raise `Cancelled`."""
        with self._lock:
            self.is_set = True
            calls = list(self._calls)
        for call in calls:
            call()

    def _add(self, call: Callable[[], None]) -> None:
        with self._lock:
            self._calls.append(call)
            is_set = self.is_set
        if is_set:
            call()

    def _remove(self, call: Callable[[], None]) -> None:
        with self._lock:
            self._calls.remove(call)


class _Request:
    """A request and its response once it is here."""

    def __init__(self, number: int, on_progress: Optional[OnProgress]) -> None:
        self.number = number
        self.on_progress = on_progress
        self.response: Optional[Tuple[Json, Dict[str, Any]]] = None


class Link:
    """
    Sends requests and waits for their responses. The threads that wait read in turn: one reads for all, so that a
    single thread needs no second one. Callbacks run in the thread that reads, and may call again.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._sending = threading.Lock()
        self._state = threading.Condition()
        self._pending: Dict[int, _Request] = {}
        self._reader: Optional[int] = None
        self._lost: Optional[ConnectionLost] = None
        self._last = 0
        self.on_report: Callable[[Json], None] = lambda report: None

    @property
    def is_open(self) -> bool:
        return self._lost is None

    def call(
        self,
        method: str,
        params: Mapping[str, Any],
        arrays: Optional[Tuple[Mapping[str, Any], memoryview]] = None,
        on_progress: Optional[OnProgress] = None,
        cancellation: Optional[Cancellation] = None,
        deadline: Optional[float] = None,
    ) -> Tuple[Any, Dict[str, Any]]:
        """
        Returns the result of a method and its arrays. `arrays`: shapes and bytes of a binary frame; `deadline`: seconds
        from now, after which the request is cancelled and DeadlineExceeded is raised.
        """
        until = None if deadline is None else time.monotonic() + deadline
        request = self._begin(method, params, arrays, on_progress)
        cancel = lambda: self._cancel(request.number)  # noqa: E731
        if cancellation:
            cancellation._add(cancel)
        try:
            self._wait(request, until, method)
        finally:
            request.on_progress = None
            if cancellation:
                cancellation._remove(cancel)
        assert request.response
        answer, found = request.response
        if "error" in answer:
            raise error_of(answer["error"])
        return answer["result"], found

    def pump(self, timeout: Optional[float], is_done: Callable[[], bool] = lambda: False) -> None:
        """Receives notifications for at most `timeout` seconds, or until `is_done`."""
        until = None if timeout is None else time.monotonic() + timeout
        try:
            self._read_until(is_done, until)
        except TimeoutError:
            pass

    def cancel_all(self) -> None:
        """Cancels all requests that have no response yet."""
        with self._state:
            numbers = list(self._pending)
        for number in numbers:
            self._cancel(number)

    def close(self) -> None:
        self._fail(ConnectionLost("the session is closed"))
        self._transport.close()

    def _cancel(self, number: int) -> None:
        if self.is_open:
            self._send([_line({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})])

    def _begin(
        self,
        method: str,
        params: Mapping[str, Any],
        arrays: Optional[Tuple[Mapping[str, Any], memoryview]],
        on_progress: Optional[OnProgress],
    ) -> _Request:
        """Sends a request. The service responds in the order in which requests are sent."""
        with self._sending:
            self._last += 1
            request = _Request(self._last, on_progress)
            header: Json = {"jsonrpc": "2.0", "id": request.number, "method": method, "params": params}
            parts = [_line(header)] if arrays is None else frame_parts({**header, "arrays": arrays[0]}, arrays[1])
            with self._state:
                if self._lost:
                    raise self._lost
                self._pending[request.number] = request
            self._transmit(parts)
        return request

    def _send(self, parts: List[Any]) -> None:
        with self._sending:
            if self._lost:
                raise self._lost
            self._transmit(parts)

    def _transmit(self, parts: List[Any]) -> None:
        """Sends a message. One that is interrupted ends the session: the next would continue it."""
        try:
            self._transport.send(parts)
        except BaseException as error:
            self._fail(error if isinstance(error, ConnectionLost) else ConnectionLost("a message was sent in part"))
            raise

    def _wait(self, request: _Request, until: Optional[float], method: str) -> None:
        is_done = lambda: request.response is not None  # noqa: E731
        try:
            self._read_until(is_done, until)
        except TimeoutError:
            self._cancel(request.number)
            try:
                self._read_until(is_done, time.monotonic() + _GRACE)
            except TimeoutError:
                pass
            if request.response is None or request.response[0].get("error", {}).get("code") == _CANCELLED:
                hint = "Give it more time, or an easier problem."
                raise DeadlineExceeded(f"{method}: no response within its deadline", hint) from None
        except KeyboardInterrupt:
            self._cancel(request.number)
            raise

    def _read_until(self, is_done: Callable[[], bool], until: Optional[float]) -> None:
        """Receives messages, or waits for another thread that does. Raises TimeoutError at the time `until`."""
        own = threading.get_ident()
        is_nested = self._reader == own  # a callback of this thread calls again
        while True:
            with self._state:
                while not is_done() and self._reader not in (None, own):
                    if self._lost:
                        raise self._lost
                    if not self._state.wait(_left(until)):
                        raise TimeoutError
                if is_done():
                    return
                if self._lost:
                    raise self._lost
                self._reader = own
            try:
                self._receive(_left(until))
            finally:
                if not is_nested:
                    with self._state:
                        self._reader = None
                        self._state.notify_all()

    def _receive(self, timeout: Optional[float]) -> None:
        try:
            message = self._transport.receive(timeout)
        except ConnectionLost as error:
            self._fail(error)
            raise
        header, arrays = read_frame(message) if message[0] == FIRST_BYTE else (json.loads(message), {})
        if "method" not in header:
            with self._state:
                number = header["id"]
                if number is None:  # a message that the service could not read: the oldest one
                    number = next(iter(self._pending), None)
                request = self._pending.pop(number, None)
                if request:
                    request.response = (header, arrays)
            return
        params = header["params"]
        if header["method"] == "$/watch":
            self.on_report(params)
        elif header["method"] == "$/progress":
            request = self._pending.get(params["id"])
            if request and request.on_progress:
                request.on_progress({key: value for key, value in params.items() if key != "id"})

    def _fail(self, error: ConnectionLost) -> None:
        with self._state:
            self._lost = self._lost or error
            self._state.notify_all()


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=_plain).encode() + b"\n"


def _plain(value: Any) -> Any:
    """Converts numpy arrays and numbers, and objects of this package, to JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def _left(until: Optional[float]) -> Optional[float]:
    return None if until is None else max(0.0, until - time.monotonic())
