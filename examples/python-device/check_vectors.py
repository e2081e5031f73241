"""Compares this device with the test vectors of docs/guides/device-protocol.md.

    python3 check_vectors.py ../../docs/guides/device-protocol.json
"""
import base64
import json
import sys

from device import FINAL, next_wait
from dpop import Key
from traffic import judge_all, spread_over_hours, to_ms
from websocket import accept_of, frame, parse


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check_proofs(vectors):
    """The proofs that the service accepts are made again, byte by byte."""
    keys = [Key(int.from_bytes(decode(key["private"]), "big")) for key in vectors["keys"]]
    for key, expected in zip(keys, vectors["keys"]):
        yield key.jwk == expected["jwk"] and key.thumbprint == expected["node_id"]
    for proof in vectors["proofs"]:
        if "refused" in proof["result"]:
            continue
        key = next(key for key in keys if key.thumbprint == proof["result"]["node_id"])
        url = vectors["base_url"] + proof["path"]
        claims = proof["claims"]
        made = key.prove(proof["method"], url, proof["token"], claims["iat"], claims["jti"])
        yield made == proof["proof"]


def check_frames(vectors):
    mask = bytes.fromhex(vectors["mask"])
    for each in vectors["from_device"]:
        payload = bytes.fromhex(each["payload"])
        yield frame(each["opcode"], payload, mask) == bytes.fromhex(each["frame"])
    for each in vectors["from_service"]:
        data = bytes.fromhex(each["frame"])
        yield parse(data + b"more") == (each["opcode"], bytes.fromhex(each["payload"]), b"more")
        yield parse(data[:-1]) is None


def check_backoff(vectors):
    for each in vectors:
        ceiling_s, waits = 1, []
        for _ in each["waits_ms"]:
            wait_s, ceiling_s = next_wait(ceiling_s, 0, each["random"])
            waits.append(round(wait_s * 1000, 3))
        yield waits == each["waits_ms"]
        wait_s, _ = next_wait(ceiling_s, 30, each["random"])
        yield round(wait_s * 1000, 3) == each["after_retry_after_30_s"]


def check_traffic(vectors):
    cases, received_ms = vectors["reports"], to_ms(vectors["received_at"])
    reports = [case["report"] for case in cases]
    results = judge_all(reports, vectors["device"], received_ms, vectors["window_s"])
    for case, result in zip(cases, results):
        yield result == case["result"]
        if "hours" in case:
            yield spread_over_hours(case["report"]) == case["hours"]


def check(vectors):
    yield from check_proofs(vectors["dpop"])
    yield accept_of(vectors["handshake"]["key"]) == vectors["handshake"]["accept"]
    yield from check_frames(vectors["frames"])
    yield from check_backoff(vectors["backoff"])
    yield set(vectors["final_problem_codes"]) <= FINAL
    yield from check_traffic(vectors["traffic"])


with open(sys.argv[1], encoding="utf-8") as file:
    results = list(check(json.load(file)))
print(f"{sum(results)} of {len(results)} checks agree")
sys.exit(0 if all(results) else 1)
