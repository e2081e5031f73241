"""ES256: ECDSA on P-256 with the nonces of RFC 6979, in plain Python.

Shows the arithmetic and needs no library. It is not constant-time: where there is a cryptographic
library or a secure element, use that.
"""
import hashlib
import hmac
import secrets

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
A = P - 3
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(p, q):
    """The sum of two points; None is the point at infinity."""
    if p is None or q is None:
        return p or q
    (x1, y1), (x2, y2) = p, q
    if x1 == x2 and (y1 + y2) % P == 0:
        return None
    slope = (3 * x1 * x1 + A) * pow(2 * y1, -1, P) if p == q else (y2 - y1) * pow(x2 - x1, -1, P)
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def multiply(k, point):
    total = None
    while k:
        total = add(total, point) if k & 1 else total
        point = add(point, point)
        k >>= 1
    return total


def nonces(private, digest):
    """The candidates of RFC 6979, section 3.2."""
    mac = lambda key, data: hmac.new(key, data, hashlib.sha256).digest()
    seed = private.to_bytes(32, "big") + (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    key, value = bytes(32), b"\x01" * 32
    for step in (b"\x00", b"\x01"):
        key = mac(key, value + step + seed)
        value = mac(key, value)
    while True:
        value = mac(key, value)
        yield int.from_bytes(value, "big")
        key = mac(key, value + b"\x00")
        value = mac(key, value)


def generate():
    return secrets.randbelow(N - 1) + 1


def sign(private, message):
    """The signature as JWS wants it: r and s, 32 bytes each."""
    digest = hashlib.sha256(message).digest()
    for k in nonces(private, digest):
        if not 0 < k < N:
            continue
        r = multiply(k, G)[0] % N
        s = pow(k, -1, N) * (int.from_bytes(digest, "big") + r * private) % N
        if r and s:
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
