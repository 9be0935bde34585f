"""JSON without ambiguity, the text that JavaScript writes for it, and hashes."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from .outcome import BadInput

#: Largest file, bytes.
MAX_SIZE = 256 * 1024 * 1024


def read_text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    if len(content) > MAX_SIZE:
        raise BadInput(f"{path}: it has more than {MAX_SIZE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: this is not UTF-8 text") from None


def parse(text: str, name: str) -> Any:
    """Parses JSON. Every number becomes the double nearest to its decimals, as in JavaScript. Keys that are given
    twice, NaN, infinite numbers and lone surrogates are refused: readers disagree on them."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise BadInput(f"{name}: a key of {sorted(found)[:5]} is given twice")
        return found

    def refuse(constant: str) -> Any:
        raise BadInput(f"{name}: {constant} is not a number of JSON")

    def number(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            raise BadInput(f"{name}: {digits[:40]} is not a finite number")
        return value

    try:
        data = json.loads(text, object_pairs_hook=unique, parse_constant=refuse, parse_int=number, parse_float=number)
        text.encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name}: not JSON: {error}") from None
    return data


def number_text(x: float) -> str:
    """The shortest decimals of a double as ECMAScript writes them (Number::toString)."""
    if x == 0:
        return "0"
    sign, x = ("-", -x) if x < 0 else ("", x)
    mantissa, _, exponent = repr(x).partition("e")
    whole, _, part = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = (whole + part).lstrip("0")
    point -= len(whole + part) - len(digits)
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def text_of(data: Any, is_sorted: bool = False) -> str:
    """The text of `JSON.stringify`; with sorted keys, that of RFC 8785."""
    if isinstance(data, bool) or data is None or isinstance(data, str):
        try:
            text = json.dumps(data, ensure_ascii=False)
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise BadInput("a text with a lone surrogate") from None
        return text
    if isinstance(data, float):
        return number_text(data)
    if isinstance(data, list):
        return f"[{','.join(text_of(item, is_sorted) for item in data)}]"
    keys = list(data)
    if is_sorted:
        keys.sort(key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    else:
        # JavaScript keeps keys that are array indices before all others, in ascending order.
        indices = [key for key in keys if key.isascii() and key.isdigit() and str(int(key)) == key and int(key) < 2**32 - 1]
        keys = sorted(indices, key=int) + [key for key in keys if key not in set(indices)]
    return "{" + ",".join(f"{text_of(key)}:{text_of(data[key], is_sorted)}" for key in keys) + "}"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
