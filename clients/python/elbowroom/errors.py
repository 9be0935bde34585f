"""Exceptions of this package. Negative answers, such as "no path found", are results, not exceptions."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional

_FILE = r"[^\s:]+\.(?:ya?ml|json|urdf|srdf|xacro|sdf|xml)"
_PLACE = re.compile(rf"^(?:frame: (?=states|motions|arrays))?((?:params|frame|states|motions|arrays|{_FILE})[^\s:]*(?::\d+)*)")


class ElbowroomError(Exception):
    """Base class. `place` names the wrong value (``params.q``, ``scene.yaml:3``) or is empty; `hint` states the fix."""

    def __init__(self, message: str, hint: str = "", code: Optional[int] = None) -> None:
        super().__init__(message + (f" ({hint})" if hint else ""))
        self.message = message
        self.hint = hint
        self.code = code
        found = _PLACE.match(message)
        self.place = found.group(1) if found else ""


class ServiceError(ElbowroomError):
    """Error response of the service; `code` is that of JSON-RPC."""


class InvalidParameters(ServiceError):
    """A parameter is wrong: unknown name, wrong length, not a number."""


class InvalidFrame(ServiceError):
    """A binary frame is malformed, or one of its numbers is not finite."""


class TooLarge(ServiceError):
    """A request or its response exceeds the limits of the service."""


class TimeLimitReached(ServiceError):
    """The service did not finish within its time limit."""


class Cancelled(ServiceError):
    """The request was cancelled."""


class DeadlineExceeded(ElbowroomError, TimeoutError):
    """The deadline of the call has passed, and the request was cancelled; or the service did not accept a connection."""


class ConnectionLost(ElbowroomError, ConnectionError):
    """The service has closed the connection, or could not be started."""


_BY_CODE = {
    -32602: InvalidParameters,
    -32003: InvalidFrame,
    -32001: TooLarge,
    -32002: TimeLimitReached,
    -32800: Cancelled,
}


def error_of(error: Mapping[str, Any]) -> ServiceError:
    """Returns the exception for the `error` of a response."""
    code = int(error["code"])
    return _BY_CODE.get(code, ServiceError)(str(error["message"]), str(error.get("data", {}).get("note", "")), code)
