"""A WebSocket (RFC 6455) on a plain socket, as far as a device needs it."""
import base64
import hashlib
import os
import socket
import ssl
import struct
import time
import urllib.parse

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Refused(Exception):
    """The answer was not 101: status, headers, body."""


class Closed(Exception):
    """The connection has ended: code, reason."""


def accept_of(key):
    return base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()


def frame(opcode, payload, mask):
    """One frame of a client: whole, and masked."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 0x80 | 126, size)
    masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
    return bytes([0x80 | opcode]) + length + mask + masked


def parse(data):
    """Opcode, payload and the rest of the first frame of a server; None: not all is there yet."""
    if len(data) < 2:
        return None
    extra = {126: 2, 127: 8}.get(data[1], 0)
    start = 2 + extra
    size = int.from_bytes(data[2:start], "big") if extra else data[1]
    if len(data) < start + size:
        return None
    return data[0] & 0x0F, data[start : start + size], data[start + size :]


class WebSocket:
    def __init__(self, url, headers, timeout_s=15):
        target = urllib.parse.urlsplit(url)
        secure = target.scheme == "https"
        address = (target.hostname, target.port or (443 if secure else 80))
        raw = socket.create_connection(address, timeout_s)
        context = ssl.create_default_context() if secure else None
        self.socket = context.wrap_socket(raw, server_hostname=target.hostname) if secure else raw
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        fixed = {
            "Host": target.netloc,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": key,
        }
        lines = [f"{name}: {value}" for name, value in {**fixed, **headers}.items()]
        request = "\r\n".join([f"GET {target.path} HTTP/1.1", *lines, "", ""])
        self.socket.sendall(request.encode())
        self.read_answer(key, time.monotonic() + timeout_s)

    def read_answer(self, key, deadline):
        while b"\r\n\r\n" not in self.buffer:
            self.read_more(deadline)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        if " 101 " not in status:
            while len(self.buffer) < int(headers.get("content-length", 0)):
                self.read_more(deadline)
            raise Refused(int(status.split()[1]), headers, self.buffer)
        if headers.get("sec-websocket-accept") != accept_of(key):
            raise Closed(1006, "no WebSocket service answers here")

    def read_more(self, deadline):
        self.socket.settimeout(max(0.01, deadline - time.monotonic()))
        data = self.socket.recv(65536)
        if not data:
            raise Closed(1006, "the connection was lost")
        self.buffer += data

    def send(self, opcode, payload):
        self.socket.sendall(frame(opcode, payload, os.urandom(4)))

    def receive(self, timeout_s):
        """The next text; answers pings meanwhile. Raises Closed, or TimeoutError."""
        deadline = time.monotonic() + timeout_s
        while True:
            while (found := parse(self.buffer)) is None:
                self.read_more(deadline)
            opcode, payload, self.buffer = found
            if opcode == TEXT:
                return payload.decode()
            if opcode == PING:
                self.send(PONG, payload)
            elif opcode == CLOSE:
                self.send(CLOSE, payload[:2])
                code = int.from_bytes(payload[:2], "big") if payload else 1005
                raise Closed(code, payload[2:].decode())

    def close(self):
        self.socket.close()
