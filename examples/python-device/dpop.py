"""The key of a device and its proofs (RFC 9449)."""
import base64
import hashlib
import json
import time
import uuid

import p256


def encode(data):
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def to_json(value):
    return json.dumps(value, separators=(",", ":")).encode()


class Key:
    def __init__(self, private=None):
        self.private = private or p256.generate()
        x, y = (encode(n.to_bytes(32, "big")) for n in p256.multiply(self.private, p256.G))
        # RFC 7638: exactly these members, in this order.
        self.jwk = {"crv": "P-256", "kty": "EC", "x": x, "y": y}
        self.thumbprint = encode(hashlib.sha256(to_json(self.jwk)).digest())

    def prove(self, method, url, token=None, now=None, jti=None):
        """A proof for one request; `token` is the access token that is sent with it."""
        header = {"alg": "ES256", "typ": "dpop+jwt", "jwk": self.jwk}
        claims = {"htm": method, "htu": url.split("?")[0], "jti": jti or str(uuid.uuid4())}
        if token is not None:
            claims["ath"] = encode(hashlib.sha256(token.encode()).digest())
        claims["iat"] = int(time.time() if now is None else now)
        signed = f"{encode(to_json(header))}.{encode(to_json(claims))}"
        return f"{signed}.{encode(p256.sign(self.private, signed.encode()))}"
