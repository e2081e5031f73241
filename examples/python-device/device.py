"""A device of an edge network, as docs/guides/device-protocol.md describes it.

    SERVICE=https://account.example.com python3 device.py

Python 3.10 or newer; nothing to install.
"""
import json
import os
import platform
import random
import time
import urllib.error
import urllib.parse
import urllib.request

from dpop import Key
from websocket import TEXT, Closed, Refused, WebSocket

SERVICE = os.environ.get("SERVICE", "http://localhost:8080")
CLIENT_ID = os.environ.get("CLIENT_ID", "edge-terminal")
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
ANSWER_TIMEOUT_S = 10
FINAL = {
    "invalid_grant", "token_revoked", "insufficient_scope", "wrong_token_kind",
    "token_not_bound", "token_bound_elsewhere", "token_not_fresh", "device_disconnected",
    "device_deleted", "not_found",
}


def next_wait(ceiling_s, retry_after_s, fraction):
    """Seconds to wait before the next attempt, and the ceiling of the wait after it."""
    wait_s = ceiling_s * (0.5 + fraction / 2)
    asked_s = retry_after_s * (1 + fraction / 4)
    return max(wait_s, asked_s), min(60, ceiling_s * 2)


class Problem(Exception):
    def __init__(self, status, headers, body):
        try:
            answer = json.loads(body)
        except ValueError:
            answer = {}
        self.status = status
        self.code = answer.get("code") or answer.get("error") or f"http_{status}"
        detail = answer.get("reason") or answer.get("detail") or answer.get("error_description")
        self.detail = detail or self.code
        self.retry_after_s = int(headers.get("retry-after") or 0)
        self.is_proof = "invalid_dpop_proof" in (headers.get("www-authenticate") or self.code)
        super().__init__(f"{self.code}: {self.detail}")


class Device:
    def __init__(self):
        # Keep the key and the refresh token on disk: the same key is the same device.
        self.key = Key()
        self.tokens = {}
        self.is_refused = False
        self.clock_offset_s = 0

    def authorize(self, method, path):
        """Headers of a request with the access token and a fresh proof."""
        token = self.tokens.get("access_token")
        now = time.time() + self.clock_offset_s
        proof = self.key.prove(method, SERVICE + path, token, now)
        return {"DPoP": proof, **({"Authorization": f"DPoP {token}"} if token else {})}

    def send(self, method, path, body=None, form=None, retry=True):
        headers = self.authorize(method, path)
        data = urllib.parse.urlencode(form).encode() if form else None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(SERVICE + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            self.learn_time(error.headers)
            problem = Problem(error.code, error.headers, error.read())
            if problem.is_proof and retry:
                return self.send(method, path, body, form, retry=False)
            raise problem from None

    def learn_time(self, headers):
        """A device with a wrong clock takes the time of the service."""
        sent = headers.get("date")
        if sent:
            parsed = time.strptime(sent, "%a, %d %b %Y %H:%M:%S %Z")
            offset_s = time.mktime(parsed) - time.timezone - time.time()
            self.clock_offset_s = offset_s if abs(offset_s) > 2 else 0

    def request_tokens(self, **grant):
        self.tokens = {"refresh_token": self.tokens.get("refresh_token")}
        answer = self.send("POST", "/oauth2/token", form={"client_id": CLIENT_ID, **grant})
        self.tokens.update(answer)

    def renew(self):
        token = self.tokens.get("refresh_token")
        self.request_tokens(grant_type="refresh_token", refresh_token=token)

    def sign_in(self):
        scope = "openid offline_access device:connect devices:read"
        form = {"client_id": CLIENT_ID, "scope": scope}
        login = self.send("POST", "/oauth2/device_authorization", form=form)
        print(f"enter the code {login['user_code']} at {login['verification_uri']}", flush=True)
        interval_s = login.get("interval", 5)
        while True:
            time.sleep(interval_s)
            try:
                code = login["device_code"]
                return self.request_tokens(grant_type=DEVICE_CODE, device_code=code)
            except Problem as problem:
                if problem.code not in ("authorization_pending", "slow_down"):
                    raise
                interval_s += 5 if problem.code == "slow_down" else 0

    def register(self):
        form = {"device_type": "TERMINAL", "browser": "python-device", "os": platform.system()}
        return self.send("PUT", f"/me/devices/{self.key.thumbprint}", form)

    def connect(self):
        """One connection. Raises Closed when it ends, Problem when it is refused."""
        path = "/me/devices/connect"
        try:
            socket = WebSocket(SERVICE + path, self.authorize("GET", path))
        except Refused as refused:
            self.learn_time(refused.args[1])
            raise Problem(*refused.args) from None
        try:
            self.keep_online(socket)
        finally:
            socket.close()

    def keep_online(self, socket):
        interval_s, is_waiting = ANSWER_TIMEOUT_S, True
        while True:
            try:
                message = json.loads(socket.receive(interval_s))
            except TimeoutError:
                if is_waiting:
                    raise Closed(1006, "the service does not answer") from None
                socket.send(TEXT, b'{"type":"beat"}')
                interval_s, is_waiting = ANSWER_TIMEOUT_S, True
                continue
            if message["type"] == "state":
                self.interval_s = message["heartbeat_interval"]
                print("online", flush=True)
            interval_s, is_waiting = self.interval_s, False

    def attempt(self):
        """Connects, with a new token if the last one was refused. Raises when it ends."""
        if self.is_refused:
            self.renew()
        self.is_refused = False
        self.connect()

    def run(self):
        """Reconnects until the device is disconnected; returns the reason."""
        ceiling_s = 1
        while True:
            started, retry_after_s, was_refused = time.monotonic(), 0, self.is_refused
            try:
                self.attempt()
            except Closed as closed:
                code, reason = closed.args
                if code in (4403, 4409):
                    return f"{code} {reason}"
                self.is_refused = code == 4401
                was_turned_away = code >= 4000 and time.monotonic() - started < 10
                ceiling_s = ceiling_s if was_turned_away else 1
            except Problem as problem:
                # A refused token is renewed once; what a new token does not change is final.
                is_token = problem.status == 401 and not problem.is_proof
                if problem.code in FINAL and (was_refused or not is_token):
                    return str(problem)
                reason, retry_after_s = str(problem), problem.retry_after_s
                self.is_refused = is_token
            except OSError as error:
                reason = str(error)
            print(f"waiting: {reason}", flush=True)
            wait_s, ceiling_s = next_wait(ceiling_s, retry_after_s, random.random())
            time.sleep(wait_s)


if __name__ == "__main__":
    device = Device()
    device.sign_in()
    print(f"registered as {device.register()['name']}", flush=True)
    print(f"ended: {device.run()}", flush=True)
