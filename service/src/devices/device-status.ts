/**
 * The status of a device. Online and offline are derived from the last heartbeat when they are
 * read, so an instance that ends leaves no device online.
 */
import type { DEVICE_STATUSES, STATUS_REASON_CODES } from './schemas.ts';

export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** Intervals without a heartbeat after which a device is offline. */
const MISSED_HEARTBEATS = 3;

export interface StatusFacts {
  readonly revoked_as: 'disconnected' | 'deleted' | null;
  readonly revoked_by: string | null;
  /** The last revocation; kept when the device registers again. */
  readonly revoked_at: Date | null;
  readonly bound_at: Date;
  readonly heard_at: Date | null;
}

export interface StatusRules {
  readonly now: Date;
  readonly heartbeatInterval_s: number;
}

/** Milliseconds of silence after which a device is offline. */
export function offlineAfter_ms(heartbeatInterval_s: number): number {
  return MISSED_HEARTBEATS * heartbeatInterval_s * 1000;
}

function isHeard(facts: StatusFacts): facts is StatusFacts & { heard_at: Date } {
  return facts.heard_at !== null && facts.heard_at >= facts.bound_at;
}

export function deviceStatusOf(
  facts: StatusFacts,
  { now, heartbeatInterval_s }: StatusRules,
): DeviceStatus {
  if (facts.revoked_as !== null) return facts.revoked_as;
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

/** The cause of the status as a code, and its time. */
export interface StatusReason {
  readonly code: (typeof STATUS_REASON_CODES)[number];
  /** When the device was last heard, registered or revoked. */
  readonly since: Date;
}

export function statusReasonCodeOf(facts: StatusFacts, rules: StatusRules): StatusReason {
  if (facts.revoked_as !== null)
    return {
      code: facts.revoked_by === 'owner' ? 'cut_by_owner' : 'cut_by_key_holder',
      since: facts.revoked_at ?? facts.bound_at,
    };
  if (!isHeard(facts))
    return {
      code: facts.revoked_at === null ? 'not_connected_yet' : 'registered_again',
      since: facts.bound_at,
    };
  return {
    code: deviceStatusOf(facts, rules) === 'online' ? 'heard' : 'silent',
    since: facts.heard_at,
  };
}

/** Who disconnected or deleted the device, as text. */
export function describeRevoked({
  revoked_as,
  revoked_by,
}: Pick<StatusFacts, 'revoked_as' | 'revoked_by'>): string {
  return `${revoked_as} by ${revoked_by === 'owner' ? 'you' : 'the holder of its key'}`;
}

/** The cause of the status as text. */
export function statusReasonOf(facts: StatusFacts, rules: StatusRules): string {
  if (facts.revoked_as !== null)
    return `${describeRevoked(facts)} on ${formatInstant(facts.revoked_at)}`;
  if (!isHeard(facts) && facts.revoked_at !== null)
    return `registered again on ${formatInstant(facts.bound_at)}, not connected since`;
  if (!isHeard(facts)) return 'registered, not connected yet';
  const silence = formatSpan(rules.now.getTime() - facts.heard_at.getTime());
  return deviceStatusOf(facts, rules) === 'online'
    ? `heard ${silence} ago`
    : `no heartbeat for ${silence}`;
}
