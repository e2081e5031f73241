/** Online or offline is never stored: it is derived from what was last heard, so a dead node leaves no phantoms. */
import type { DEVICE_STATUSES, STATUS_REASON_CODES } from './schemas.ts';

export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** Intervals without a beat after which a device is offline. */
const MISSED_BEATS = 3;

export interface StatusFacts {
  readonly cut: 'disconnected' | 'deleted' | null;
  readonly cut_reason: string | null;
  readonly cut_at: Date | null;
  readonly bound_at: Date;
  readonly heard_at: Date | null;
}

export interface StatusRules {
  readonly now: Date;
  readonly heartbeatInterval_s: number;
}

/** Milliseconds of silence after which a device is offline. */
export function offlineAfter_ms(heartbeatInterval_s: number): number {
  return MISSED_BEATS * heartbeatInterval_s * 1000;
}

function isHeard(facts: StatusFacts): facts is StatusFacts & { heard_at: Date } {
  return facts.heard_at !== null && facts.heard_at >= facts.bound_at;
}

export function statusOf(
  facts: StatusFacts,
  { now, heartbeatInterval_s }: StatusRules,
): DeviceStatus {
  if (facts.cut !== null) return facts.cut;
  if (!isHeard(facts)) return 'offline';
  return now.getTime() - facts.heard_at.getTime() < offlineAfter_ms(heartbeatInterval_s)
    ? 'online'
    : 'offline';
}

function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 600) return `${seconds} s`;
  if (seconds < 36_000) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 259_200) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

function formatInstant(instant: Date | null): string {
  return `${instant?.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Why the status is what it is, for programs that have words of their own, and since when. */
export interface StatusReason {
  readonly code: (typeof STATUS_REASON_CODES)[number];
  /** When it was last heard, bound anew or cut off. */
  readonly since: Date;
}

export function statusReasonCodeOf(facts: StatusFacts, rules: StatusRules): StatusReason {
  if (facts.cut !== null)
    return {
      code: facts.cut_reason === `${facts.cut} by you` ? 'cut_by_owner' : 'cut_by_key_holder',
      since: facts.cut_at ?? facts.bound_at,
    };
  if (!isHeard(facts))
    return {
      code: facts.cut_at === null ? 'not_connected_yet' : 'registered_again',
      since: facts.bound_at,
    };
  return { code: statusOf(facts, rules) === 'online' ? 'heard' : 'silent', since: facts.heard_at };
}

/** The same in words that a person understands. */
export function statusReasonOf(facts: StatusFacts, rules: StatusRules): string {
  if (facts.cut !== null) return `${facts.cut_reason} on ${formatInstant(facts.cut_at)}`;
  if (!isHeard(facts) && facts.cut_at !== null)
    return `registered again on ${formatInstant(facts.bound_at)}, not connected since`;
  if (!isHeard(facts)) return 'registered, not connected yet';
  const silence = formatSpan(rules.now.getTime() - facts.heard_at.getTime());
  return statusOf(facts, rules) === 'online'
    ? `heard ${silence} ago`
    : `no heartbeat for ${silence}`;
}
