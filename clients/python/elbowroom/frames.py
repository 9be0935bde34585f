"""Binary frames of the service: a JSON header and arrays of float64 (docs/serve.md, "Binary frames")."""

from __future__ import annotations

import json
import struct
from typing import Any, Dict, List, Mapping, Optional, Tuple

from . import arrays
from .errors import ConnectionLost

FIRST_BYTE = 0x93
PREFIX = struct.Struct("<4sIII")
MAGIC = b"\x93ELB"
VERSION = 1


def frame_parts(header: Mapping[str, Any], payload: memoryview) -> List[Any]:
    """Returns the pieces of a frame, to be sent one after the other."""
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return [PREFIX.pack(MAGIC, VERSION, len(text), len(payload)) + text, payload]


def frame_length(data: "bytes | bytearray") -> Optional[int]:
    """Returns the length of the frame that begins with `data`; None while its prefix is incomplete."""
    if len(data) < PREFIX.size:
        return None
    magic, version, header, payload = PREFIX.unpack_from(data)
    if magic != MAGIC or version != VERSION:
        raise ConnectionLost("the service sent a frame of another version")
    return int(PREFIX.size + header + payload)


def read_frame(data: "bytes | bytearray") -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Returns the header and the arrays of a frame."""
    _, _, length, _ = PREFIX.unpack_from(data)
    header = json.loads(bytes(data[PREFIX.size : PREFIX.size + length]))
    found = {}
    at = PREFIX.size + length
    view = memoryview(data)
    for name, shape in header.get("arrays", {}).items():
        count = 8
        for size in shape:
            count *= size
        found[name] = arrays.unpack(view[at : at + count], shape)
        at += count
    return header, found
