"""Connections to a service. A message is one line of JSON or one binary frame, in both directions."""

from __future__ import annotations

import base64
import hashlib
import os
import select
import socket
import ssl
import struct
import subprocess
import tempfile
import time
from typing import Any, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import urlsplit

from .errors import ConnectionLost, DeadlineExceeded
from .frames import FIRST_BYTE, frame_length

_READ = 1 << 20


class Transport:
    """One connection. `send` may be called by several threads in turn, `receive` by one at a time."""

    def send(self, parts: Sequence[Any]) -> None:
        """Sends the pieces of one message."""
        raise NotImplementedError

    def receive(self, timeout: Optional[float]) -> bytearray:
        """Returns the next message. Raises TimeoutError after `timeout` seconds, ConnectionLost at the end."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class _Bytes:
    """Received bytes that are not consumed yet."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.searched = 0

    def take(self, count: int) -> bytearray:
        taken = self.data[:count]
        del self.data[:count]
        self.searched = 0
        return taken

    def message(self) -> Optional[bytearray]:
        """Returns the next message; None if it is incomplete."""
        if not self.data:
            return None
        if self.data[0] == FIRST_BYTE:
            length = frame_length(self.data)
            return self.take(length) if length is not None and length <= len(self.data) else None
        end = self.data.find(b"\n", self.searched)
        self.searched = len(self.data)
        return self.take(end + 1) if end >= 0 else None


class _StreamTransport(Transport):
    """Lines and frames over a pair of file descriptors."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._bytes = _Bytes()

    def send(self, parts: Sequence[Any]) -> None:
        try:
            for part in parts:
                view = memoryview(part)
                while view:
                    view = view[os.write(self._write, view) :]
        except OSError as error:
            raise ConnectionLost(f"the service does not read: {error}") from error

    def receive(self, timeout: Optional[float]) -> bytearray:
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            message = self._bytes.message()
            if message is not None:
                return message
            if until is not None and not select.select([self._read], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError
            try:
                chunk = os.read(self._read, _READ)
            except OSError as error:
                raise self.lost(str(error)) from error
            if not chunk:
                raise self.lost("")
            self._bytes.data += chunk

    def lost(self, why: str) -> ConnectionLost:
        return ConnectionLost(f"the service has closed the connection{': ' + why if why else ''}")


class UnixTransport(_StreamTransport):
    """Unix socket of ``elbowroom serve SCENE --socket PATH``."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            hint = f"Start one: elbowroom serve SCENE --socket {path}"
            raise ConnectionLost(f"{path}: no service listens there: {error.strerror}", hint) from error
        super().__init__(self._socket.fileno(), self._socket.fileno())

    def close(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads
        except OSError:
            pass
        self._socket.close()


class StdioTransport(_StreamTransport):
    """Starts a service of its own, which ends with the connection."""

    def __init__(self, command: Sequence[str]) -> None:
        self._log = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, bufsize=0, start_new_session=True
            )
        except OSError as error:
            hint = "Name the command: start(scene, command=['node', '…/bin/elbowroom.js'])"
            raise ConnectionLost(f"{command[0]} cannot be started: {error.strerror}", hint) from error
        assert self.process.stdin and self.process.stdout
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())

    def lost(self, why: str) -> ConnectionLost:
        """The reason, as the service stated it on stderr: with its place and note."""
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            pass
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()
        errors = [line.split(" error: ", 1)[1] for line in lines if line.startswith("elbowroom") and " error: " in line]
        notes = [line.strip()[6:] for line in lines if line.strip().startswith("note: ")]
        if errors:
            return ConnectionLost(errors[0], notes[0] if notes else "")
        tail = "; ".join(lines[-3:])
        return ConnectionLost(f"the service has ended, exit code {self.process.poll()}{': ' + tail if tail else ''}")

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.close()  # the service ends with its input
        except OSError:
            pass
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self._log.close()


class WebSocketTransport(Transport):
    """WebSocket (RFC 6455) of ``elbowroom serve SCENE --port N``."""

    def __init__(self, address: str, token: Optional[str] = None, timeout: float = 10.0) -> None:
        url = urlsplit(address)
        host, secure = url.hostname or "127.0.0.1", url.scheme in ("wss", "https")
        port = url.port or (443 if secure else 80)
        try:
            self._socket = socket.create_connection((host, port), timeout)
            if secure:
                self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=host)
        except OSError as error:
            hint = "Start one: elbowroom serve SCENE --port 8731"
            raise ConnectionLost(f"{address}: no service listens there: {error}", hint) from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._bytes = bytearray()
        self._parts: List[bytearray] = []
        try:
            self._handshake(url.netloc.rpartition("@")[2], token, time.monotonic() + timeout)
        except TimeoutError as error:
            self._socket.close()
            hint = "The service is busy, or this is another server. Try again."
            raise DeadlineExceeded(f"{address}: no response to the WebSocket handshake in {timeout} s", hint) from error
        except ConnectionLost:
            self._socket.close()
            raise

    def _handshake(self, host: str, token: Optional[str], until: float) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        headers: Mapping[str, str] = {
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": key,
            **({} if token is None else {"Authorization": f"Bearer {token}"}),
        }
        lines = ["GET /rpc HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        self._socket.sendall("\r\n".join(lines).encode())
        while b"\r\n\r\n" not in self._bytes:
            self._fill(max(0.0, until - time.monotonic()))
        head, _, rest = bytes(self._bytes).partition(b"\r\n\r\n")
        self._bytes = bytearray(rest)
        status, *given = head.decode("latin1").split("\r\n")
        accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
        if " 101 " not in f"{status} ":
            hint = "Give the token of the service: connect(address, token=…)" if " 401" in status else ""
            raise ConnectionLost(f"the service refused the WebSocket: {status}", hint)
        if not any(line.lower().startswith("sec-websocket-accept:") and accept in line for line in given):
            raise ConnectionLost("the service is not a WebSocket server")

    def send(self, parts: Sequence[Any]) -> None:
        opcode = 2 if memoryview(parts[0])[0] == FIRST_BYTE else 1
        self._send(opcode, b"".join(bytes(part) for part in parts))

    def _send(self, opcode: int, data: bytes) -> None:
        mask = os.urandom(4)
        count = len(data)
        if count < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | count)
        elif count < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0xFE, count)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0xFF, count)
        stream = (mask * (count // 4 + 1))[:count]
        masked = (int.from_bytes(data, "little") ^ int.from_bytes(stream, "little")).to_bytes(count, "little")
        try:
            self._socket.settimeout(None)
            self._socket.sendall(head + mask + masked)
        except OSError as error:
            raise ConnectionLost(f"the service has closed the connection: {error}") from error

    def receive(self, timeout: Optional[float]) -> bytearray:
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            part = self._part()
            if part is None:
                self._fill(None if until is None else max(0.0, until - time.monotonic()))
                continue
            opcode, is_last, data = part
            if opcode == 9:
                self._send(10, bytes(data))
            elif opcode == 8:
                raise ConnectionLost(f"the service has closed the connection: {data[2:].decode(errors='replace')}")
            elif opcode in (0, 1, 2):
                self._parts.append(data)
                if is_last:
                    message = self._parts[0] if len(self._parts) == 1 else bytearray().join(self._parts)
                    self._parts = []
                    return message

    def _part(self) -> Optional[Tuple[int, bool, bytearray]]:
        """Returns the next WebSocket frame: opcode, whether it ends its message, content; None if it is incomplete."""
        data = self._bytes
        if len(data) < 2:
            return None
        count, at = data[1] & 0x7F, 2
        if count >= 126:
            size = 2 if count == 126 else 8
            if len(data) < 2 + size:
                return None
            count, at = int.from_bytes(data[2 : 2 + size], "big"), 2 + size
        if len(data) < at + count:
            return None
        content = data[at : at + count]
        first = data[0]
        del data[: at + count]
        return first & 0x0F, bool(first & 0x80), content

    def _fill(self, timeout: Optional[float]) -> None:
        # `select` rather than a timeout of the socket, which would also apply to a thread that sends.
        pending = self._socket.pending() if isinstance(self._socket, ssl.SSLSocket) else 0
        try:
            if not pending and not select.select([self._socket], [], [], timeout)[0]:
                raise TimeoutError
            chunk = self._socket.recv(_READ)
        except TimeoutError:
            raise
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"the service has closed the connection: {error}") from error
        if not chunk:
            raise ConnectionLost("the service has closed the connection")
        self._bytes += chunk

    def close(self) -> None:
        try:
            self._send(8, struct.pack("!H", 1000))
            self._socket.shutdown(socket.SHUT_RDWR)
        except (OSError, ConnectionLost):
            pass
        self._socket.close()
