"""Traffic reports: what the service refuses, and the hours in which the bytes of others count."""
from datetime import datetime, timedelta, timezone

HOUR_MS = 3_600_000
SPAN_MAX_MS = 24 * HOUR_MS
SKEW_MS = 300_000
# 100 Gbit/s.
BYTES_PER_MS_MAX = 12_500_000
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def to_ms(text):
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // timedelta(milliseconds=1)


def to_text(ms):
    at = EPOCH + timedelta(milliseconds=ms)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03}Z"


def find_refusal(report, device, received_ms, window_s):
    """The code of the first rule that a report breaks, or None."""
    start, end = to_ms(report["from"]), to_ms(report["to"])
    if report["node_id"] != device["node_id"]:
        return "unknown_node"
    if not 0 < end - start <= SPAN_MAX_MS:
        return "report_span"
    if end > received_ms + SKEW_MS:
        return "report_in_future"
    if end < received_ms - window_s * 1000:
        return "report_too_late"
    if report["bytes_up"] + report["bytes_down"] > BYTES_PER_MS_MAX * (end - start):
        return "report_implausible"
    registered = to_ms(device["registered_at"])
    if end <= registered or start < registered - registered % HOUR_MS:
        return "report_before_registration"
    revoked = device["revoked"]
    if start >= to_ms(revoked["from"]) and end <= to_ms(revoked["to"]):
        return "report_after_cut"
    return None


def judge_all(reports, device, received_ms, window_s):
    """What the service answers to each report of a batch."""
    seen = {}
    for report in reports:
        refusal = find_refusal(report, device, received_ms, window_s)
        before = seen.get(report["report_id"])
        if refusal != "unknown_node":
            seen.setdefault(report["report_id"], report)
            if before is not None and before != report:
                refusal = "report_id_reused"
        if refusal is not None:
            yield {"status": "refused", "code": refusal}
        else:
            yield {"status": "accepted" if before is None else "replayed"}


def spread_over_hours(report):
    """Each hour gets the bytes up to its end, rounded down, less those up to its begin."""
    start, end = to_ms(report["from"]), to_ms(report["to"])

    def up_to(field, at):
        return report[field] * (at - start) // (end - start)

    hours = []
    for hour in range(start - start % HOUR_MS, end, HOUR_MS):
        first, last = max(hour, start), min(hour + HOUR_MS, end)
        share = {
            field: up_to(field, last) - up_to(field, first) for field in ("bytes_up", "bytes_down")
        }
        hours.append({"hour": to_text(hour), **share})
    return hours
