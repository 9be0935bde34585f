"""Vertices of mesh files. Hulls are not needed: a plane is checked against all vertices that a triangle uses.

Coordinates are doubles (STL: singles); what a file contains besides vertices and faces is skipped only if it is known
to have no extent.
"""

from __future__ import annotations

import math
import re
import struct

from .fields import MAX_LENGTH
from .outcome import BadInput, OutsideScope

Points = list[tuple[float, float, float]]


def read_mesh(content: bytes, name: str) -> Points:
    """The distinct vertices of the triangles of a mesh, in STL, OBJ or PLY by the ending of its name."""
    ending = name.lower().rsplit(".", 1)[-1]
    readers = {"stl": _read_stl, "obj": _read_obj, "ply": _read_ply}
    if ending not in readers:
        raise OutsideScope(f"{name}: meshes in .{ending} (STL, OBJ and PLY are read)")
    try:
        points = readers[ending](content, name)
    except (ValueError, IndexError, struct.error) as error:
        raise BadInput(f"{name}: {error}") from None
    if not points:
        raise BadInput(f"{name}: there are no triangles")
    for point in points:
        if not all(math.isfinite(x) and abs(x) <= MAX_LENGTH for x in point):
            raise BadInput(f"{name}: the vertex {point} is not finite, or too large")
    return list(dict.fromkeys(points))


def _number(word: str) -> float:
    """A number in ASCII. Python's own reader accepts 1_0 and digits of other scripts, which others do not."""
    if not word.isascii() or "_" in word:
        raise ValueError(f"{word[:40]!r} is not a number")
    return float(word)


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{name}: this is not UTF-8 text") from None


def _read_stl(content: bytes, name: str) -> Points:
    """Binary if the size is that of the stated number of triangles, whatever the header says; otherwise text."""
    if len(content) >= 84:
        (count,) = struct.unpack_from("<I", content, 80)
        if len(content) == 84 + 50 * count:
            points: Points = []
            for i in range(count):
                c = struct.unpack_from("<9f", content, 84 + 50 * i + 12)
                points += [(c[0], c[1], c[2]), (c[3], c[4], c[5]), (c[6], c[7], c[8])]
            return points
    words = _text(content, name).split()
    if not words or words[0].lower() != "solid":
        raise BadInput(f"{name}: this is not an STL file")
    points, vertices = [], 0
    for i, word in enumerate(words):
        lower = word.lower()
        if lower == "vertex":
            points.append((_number(words[i + 1]), _number(words[i + 2]), _number(words[i + 3])))
            vertices += 1
        elif lower == "endloop":
            if vertices != 3:
                raise BadInput(f"{name}: a loop of {vertices} vertices")
            vertices = 0
    return points


#: Statements of OBJ that have no extent of their own.
_OBJ_SKIPPED = {"vn", "vt", "vp", "g", "o", "s", "mtllib", "usemtl", "mg"}


def _read_obj(content: bytes, name: str) -> Points:
    vertices: Points = []
    used: Points = []
    text = _text(content, name).replace("\r\n", "\n")
    if re.search(r"\r|\\[^\S\n]+$", text, re.MULTILINE):
        raise OutsideScope(f"{name}: a return without a new line, or blanks after a backslash (readers differ on where such lines end)")
    lines = ([word.decode() for word in line.encode().split()] for line in re.sub("#.*", "", text).replace("\\\n", " ").split("\n"))
    for words in filter(None, lines):
        if words[0] == "v":
            if len(words) not in (4, 7):
                raise OutsideScope(f"{name}: the vertex {' '.join(words)!r} (weights of OBJ)")
            vertices.append((_number(words[1]), _number(words[2]), _number(words[3])))
        elif words[0] == "f":
            for word in words[1:]:
                index = int(first) if _number(first := word.split("/", 1)[0]) else 0
                at = index - 1 if index > 0 else len(vertices) + index
                if index == 0 or not 0 <= at < len(vertices):
                    raise BadInput(f"{name}: a face uses vertex {index} of {len(vertices)}")
                used.append(vertices[at])
        elif words[0] not in _OBJ_SKIPPED:
            raise OutsideScope(f"{name}: the statement {words[0]!r} of OBJ")
    return used


_PLY_TYPES = {
    "char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h", "ushort": "H", "uint16": "H",
    "int": "i", "int32": "i", "uint": "I", "uint32": "I", "float": "f", "float32": "f", "double": "d", "float64": "d",
}  # fmt: skip


def _read_ply(content: bytes, name: str) -> Points:
    end = re.search(rb"^end_header[ \t]*\r?\n", content, re.MULTILINE)
    head = b"" if end is None else content[: end.start()].replace(b"\r\n", b"\n")
    lines = [[word.decode("ascii", "replace") for word in line.split()] for line in head.split(b"\n")]
    if end is None or b"\r" in head or lines[0] != ["ply"]:
        raise BadInput(f"{name}: this is not a PLY file")
    body = content[end.end() :]
    kinds = [line[1] if line[2:] == ["1.0"] else "" for line in lines if line[:1] == ["format"]]
    orders = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
    if len(kinds) != 1 or kinds[0] not in orders:
        raise BadInput(f"{name}: not one known format of PLY 1.0")
    order, offset = orders[kinds[0]], 0
    words = [] if order else body.split()[::-1]

    def value(type_name: str) -> float:
        nonlocal offset
        if not order:
            return _number(words.pop().decode("ascii", "replace"))
        code = order + _PLY_TYPES[type_name]
        (x,) = struct.unpack_from(code, body, offset)
        offset += struct.calcsize(code)
        return float(x)

    elements: list[tuple[str, int, list[list[str]]]] = []
    for line in lines[1:]:
        if line[:1] == ["element"]:
            elements.append((line[1], int(line[2]) if line[2].isdigit() else -1, []))
        elif line[:1] == ["property"]:
            if any(t not in _PLY_TYPES for t in (line[2:4] if line[1] == "list" else line[1:2])):
                raise BadInput(f"{name}: unknown type of the property {' '.join(line)}")
            elements[-1][2].append(line[1:])
        elif line and line[0] not in ("format", "comment", "obj_info"):
            raise BadInput(f"{name}: {line[0]!r} in the header")
    for element, count, properties in elements:
        if element not in ("vertex", "face") and count != 0:
            raise OutsideScope(f"{name}: the element {element!r} of PLY")
        if count < 0 or len({one[-1] for one in properties}) < len(properties) or [one[0] for one in elements].count(element) > 1:
            raise BadInput(f"{name}: the element {element!r} or a property of it is stated twice, or its count is no number")
    vertices: Points = []
    used: Points = []
    for element, count, properties in elements:
        for _ in range(count):
            fields: dict[str, float] = {}
            corners: list[float] = []
            for one in properties:
                if one[0] == "list":
                    length = value(one[1])
                    if not (length.is_integer() and length >= 0):
                        raise BadInput(f"{name}: a list of length {length}")
                    listed = [value(one[2]) for _ in range(int(length))]
                    if one[3] in ("vertex_indices", "vertex_index"):
                        corners += listed
                else:
                    fields[one[1]] = value(one[0])
            if element == "vertex":
                if not {"x", "y", "z"} <= set(fields):
                    raise BadInput(f"{name}: a vertex without x, y, z")
                vertices.append((fields["x"], fields["y"], fields["z"]))
            elif element == "face":
                used += [vertices[int(i)] if 0 <= i < len(vertices) and i.is_integer() else (math.nan,) * 3 for i in corners]
    if words or order and body[offset:].strip(b"\0 \t\r\n"):
        raise BadInput(f"{name}: it has more values than its header states")
    return used
