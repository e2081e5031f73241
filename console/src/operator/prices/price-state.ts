/** How prices and feeds fare. */
import { serverNow_ms } from '../../lib/server-clock.ts';
import type { PriceFeed } from './queries.ts';

/** An older price converts nothing; as the service limits it. */
const CONVERTS_FOR_MS = 600_000;

export const isTooOld = (iso: string): boolean =>
  serverNow_ms() - Date.parse(iso) > CONVERTS_FOR_MS;

/** `waits`: it was not asked yet. */
export type FeedState = 'runs' | 'fails' | 'late' | 'waits';

/** Requests that a feed may miss before it counts as late. */
const MISSED_MAX = 3;
const SLACK_MS = 60_000;

export function feedStateOf(
  { last_error, last_success_at, every_s }: PriceFeed,
  now_ms: number,
): FeedState {
  if (last_error !== undefined) return 'fails';
  if (last_success_at === undefined) return 'waits';
  const age_ms = now_ms - Date.parse(last_success_at);
  return age_ms > MISSED_MAX * every_s * 1000 + SLACK_MS ? 'late' : 'runs';
}

/** Who set a price: `feed:NAME`, or `operator:CLIENT`. */
export function readSource(source: string): { kind: 'feed' | 'client' | 'other'; name: string } {
  const [, kind, name = ''] = /^(feed|operator):(.+)$/.exec(source) ?? [];
  if (kind === undefined) return { kind: 'other', name: source };
  return { kind: kind === 'feed' ? 'feed' : 'client', name };
}
