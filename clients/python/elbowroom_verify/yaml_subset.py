"""A strict subset of YAML 1.2: block and flow collections of plain and quoted scalars, and comments.

Whatever readers may understand in different ways is outside the scope: anchors, aliases, tags, documents, block scalars,
scalars of several lines, complex keys, merge keys, tabs, and numbers that are not decimal.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from .outcome import BadInput, OutsideScope

_DECIMAL = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_ODD_NUMBER = re.compile(r"[-+]?(0[ox][0-9a-fA-F]+|\.inf|\.nan)|0[ox].*", re.IGNORECASE | re.ASCII)
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\[\]{},:#&*!|>'"%@`?-][^\[\]{},#:]*|-[^\s\[\]{},#:][^\[\]{},#:]*)\s*:(?=\s|$)""")
MAX_DEPTH = 100


def parse(text: str, name: str) -> Any:
    return _Reader(text, name).document()


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines: list[tuple[int, int, str]] = []  # number, indentation, content
        for number, line in enumerate(text.split("\n"), 1):
            line = line.rstrip("\r")
            if "\t" in line:
                raise OutsideScope(f"{name}:{number}: a tab in YAML")
            content = _without_comment(line).rstrip()
            if content.strip() == "":
                continue
            if content.startswith(("---", "...", "%")):
                raise OutsideScope(f"{name}:{number}: documents and directives of YAML")
            self.lines.append((number, len(content) - len(content.lstrip()), content.strip()))
        self.at = 0

    def refuse(self, what: str) -> OutsideScope:
        number = self.lines[min(self.at, len(self.lines) - 1)][0] if self.lines else 1
        return OutsideScope(f"{self.name}:{number}: {what} (write JSON, or resolve the scene)")

    def document(self) -> Any:
        if not self.lines:
            raise BadInput(f"{self.name}: it is empty")
        data = self.block(self.lines[0][1], 0)
        if self.at < len(self.lines):
            raise self.refuse("a line that is indented differently")
        return data

    def block(self, indent: int, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise self.refuse("nesting that is too deep")
        content = self.lines[self.at][2]
        if content == "-" or content.startswith("- "):
            return self.sequence(indent, depth)
        if _KEY.match(content):
            return self.mapping(indent, depth)
        return self.flow(content)

    def sequence(self, indent: int, depth: int) -> list[Any]:
        found: list[Any] = []
        while self.at < len(self.lines) and self.lines[self.at][1] == indent:
            number, _, content = self.lines[self.at]
            if content != "-" and not content.startswith("- "):
                break
            rest = content[1:].lstrip()
            if rest == "":
                found.append(self.below(indent, depth))
            else:
                inner = indent + len(content) - len(rest)
                self.lines[self.at] = (number, inner, rest)
                found.append(self.block(inner, depth + 1))
        return found

    def mapping(self, indent: int, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.at < len(self.lines) and self.lines[self.at][1] == indent:
            number, _, content = self.lines[self.at]
            match = _KEY.match(content)
            if match is None:
                break
            key = self.key(match.group(1))
            if key in found:
                raise BadInput(f"{self.name}:{number}: the key {key!r} is given twice")
            rest = content[match.end() :].strip()
            if rest == "":
                found[key] = self.below(indent, depth, is_value=True)
            else:
                self.lines[self.at] = (number, indent, rest)
                found[key] = self.flow(rest)
        return found

    def below(self, indent: int, depth: int, is_value: bool = False) -> Any:
        """The value on the lines below a key or a dash; a list may be at the indentation of its key."""
        self.at += 1
        if self.at < len(self.lines):
            inner, content = self.lines[self.at][1], self.lines[self.at][2]
            is_list = content == "-" or content.startswith("- ")
            if inner > indent or (is_value and inner == indent and is_list):
                return self.block(inner, depth + 1)
        return None

    def key(self, text: str) -> str:
        value = self.quoted(text) if text[0] in "\"'" else text.strip()
        if value == "<<":
            raise self.refuse("a merge key")
        if text[0] not in "\"'" and not isinstance(self.plain(value), str):
            raise self.refuse(f"the key {value}, which is no text")
        return value

    def flow(self, content: str) -> Any:
        """A scalar, or a flow collection that may continue on lines below."""
        self.at += 1
        if content[0] not in "[{":
            return self.scalar(content)
        while _open_brackets(content) > 0 and self.at < len(self.lines):
            content += " " + self.lines[self.at][2]
            self.at += 1
        value, rest = self.item(content, 0)
        if rest.strip():
            raise self.refuse(f"{rest[:20]!r} after a list or mapping")
        return value

    def item(self, text: str, depth: int) -> tuple[Any, str]:
        if depth > MAX_DEPTH:
            raise self.refuse("nesting that is too deep")
        text = text.lstrip()
        if text[:1] == "[":
            items: list[Any] = []
            text = text[1:].lstrip()
            while text[:1] != "]":
                value, text = self.item(text, depth + 1)
                items.append(value)
                text = self.separator(text, "]")
            return items, text[1:]
        if text[:1] == "{":
            found: dict[str, Any] = {}
            text = text[1:].lstrip()
            while text[:1] != "}":
                match = _KEY.match(text)
                if match is None:
                    raise self.refuse(f"{text[:20]!r}, where a key is expected")
                key = self.key(match.group(1))
                if key in found:
                    raise BadInput(f"{self.name}: the key {key!r} is given twice")
                found[key], text = self.item(text[match.end() :], depth + 1)
                text = self.separator(text, "}")
            return found, text[1:]
        quoted = re.match(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'", text)
        end = quoted.end() if quoted else next((i for i, c in enumerate(text) if c in ",]}"), len(text))
        return self.scalar(text[:end].strip()), text[end:]

    def separator(self, text: str, end: str) -> str:
        text = text.lstrip()
        if text[:1] == ",":
            return text[1:].lstrip()
        if text[:1] != end:
            raise self.refuse(f"{text[:20]!r}, where a comma or {end} is expected")
        return text

    def scalar(self, text: str) -> Any:
        if text == "":
            raise self.refuse("an empty value")
        if text[0] in "\"'":
            return self.quoted(text)
        if text[0] in "&*!|>%@`?[]{}," or text in ("-", ":") or ": " in text or text.endswith(":") or any(c in text for c in "{}[]"):
            raise self.refuse(f"the value {text[:20]!r}")
        return self.plain(text)

    def plain(self, text: str) -> Any:
        if text in ("null", "Null", "NULL", "~"):
            return None
        if text in ("true", "True", "TRUE"):
            return True
        if text in ("false", "False", "FALSE"):
            return False
        if _ODD_NUMBER.fullmatch(text):
            raise self.refuse(f"the number {text}")
        if _DECIMAL.fullmatch(text):
            value = float(text)
            if not math.isfinite(value):
                raise BadInput(f"{self.name}: {text[:40]} is not a finite number")
            return value
        return text

    def quoted(self, text: str) -> str:
        if text[0] == "'":
            if not re.fullmatch(r"'(?:[^']|'')*'", text):
                raise self.refuse(f"the text {text[:20]}")
            return text[1:-1].replace("''", "'")
        try:
            value = json.loads(text)
        except ValueError:
            raise self.refuse(f"the text {text[:20]}") from None
        if not isinstance(value, str):
            raise self.refuse(f"the text {text[:20]}")
        return value


def _without_comment(line: str) -> str:
    """The line up to a # that begins it or follows a blank, outside of quotes. A quote begins a text only where a value or
    key may begin."""
    quote, before = "", ""
    for i, c in enumerate(line):
        if quote:
            if c == quote and not (quote == '"' and _is_escaped(line, i)):
                quote = ""
        elif c in "\"'" and before.strip()[-1:] in ("", "[", "{", ",", ":", "-"):
            quote = c
        elif c == "#" and (i == 0 or line[i - 1] == " "):
            return line[:i]
        before += c
    return line


def _is_escaped(line: str, at: int) -> bool:
    count = 0
    while at - 1 - count >= 0 and line[at - 1 - count] == "\\":
        count += 1
    return count % 2 == 1


def _open_brackets(text: str) -> int:
    bare = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'", "", text)
    return sum(bare.count(c) for c in "[{") - sum(bare.count(c) for c in "]}")
