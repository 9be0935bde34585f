"""Checked access to the values of parsed files. Errors name the place."""

from __future__ import annotations

import math
from typing import Any, Iterable, Optional

from .outcome import BadInput

#: Largest length (metres) and angle (radians) of a file.
MAX_LENGTH = 1e7
MAX_ANGLE = 1e6

Triple = tuple[float, float, float]


class TextForNumber(BadInput):
    """A text where a number is expected: in a scene it may have a unit."""


def record(data: Any, place: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadInput(f"{place}: it must be an object")
    return data


def known_keys(data: dict[str, Any], keys: Iterable[str], place: str) -> None:
    unknown = sorted(set(data) - set(keys))
    if unknown:
        raise BadInput(f"{place}: unknown key {unknown[0]!r}")
    for key, value in data.items():
        if value is None:
            raise BadInput(f"{place}: {key} is null (leave it out)")


def number(value: Any, place: str, largest: float = math.inf) -> float:
    if isinstance(value, str):
        raise TextForNumber(f"{place}: {value[:40]!r} is not a number", value)
    if not isinstance(value, float) or not math.isfinite(value):
        raise BadInput(f"{place}: it must be a finite number")
    if abs(value) > largest:
        raise BadInput(f"{place}: {value} is beyond {largest:g}")
    return value


def positive(value: Any, place: str) -> float:
    length = number(value, place, MAX_LENGTH)
    if not length > 0:
        raise BadInput(f"{place}: {length} is not greater than 0")
    return length


def numbers(value: Any, count: Optional[int], place: str, largest: float = math.inf) -> list[float]:
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise BadInput(f"{place}: it must be a list of {'numbers' if count is None else f'{count} numbers'}")
    return [number(item, f"{place}[{i}]", largest) for i, item in enumerate(value)]


def triple(value: Any, place: str, largest: float = MAX_LENGTH) -> Triple:
    x, y, z = numbers(value, 3, place, largest)
    return x, y, z


def text(value: Any, place: str) -> str:
    if not isinstance(value, str) or value == "":
        raise BadInput(f"{place}: it must be a text")
    return value


def texts(value: Any, place: str) -> list[str]:
    if not isinstance(value, list):
        raise BadInput(f"{place}: it must be a list of texts")
    return [text(item, f"{place}[{i}]") for i, item in enumerate(value)]


def items(value: Any, place: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise BadInput(f"{place}: it must be a list")
    return [record(item, f"{place}[{i}]") for i, item in enumerate(value)]
