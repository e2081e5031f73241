import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE, type PageOf } from '../api/page.ts';
import { callAsMe } from '../session/session.ts';

export interface User {
  readonly user_id: number;
  readonly email: string;
  readonly nickname: string;
  readonly status: string;
  readonly created_at: string;
}

export interface Chain {
  readonly network: string;
  readonly name: string;
  readonly is_enabled: boolean;
  readonly cursor_height?: number;
  readonly head_height?: number;
  readonly lag?: number;
  readonly halted_at?: string;
  readonly halted_reason?: string;
  readonly note?: string;
  readonly checked_at?: string;
}

export interface LedgerHead {
  readonly day: string;
  readonly body: string;
  readonly signature: string;
  readonly kid: string;
}

export interface RulesVersion {
  readonly version: number;
  readonly draft: boolean;
  readonly active_from: readonly string[];
  readonly hash: string;
  readonly rules: unknown;
  readonly created_by: string;
  readonly created_at: string;
}

export interface Comparison {
  readonly active: string;
  readonly draft: string;
  readonly difference: string;
}

export interface DryRun {
  readonly currency: string;
  readonly by_reward_type: readonly ({ readonly reward_type: string } & Comparison)[];
  readonly users: readonly ({ readonly user_id: number } & Comparison)[];
  readonly users_total: number;
}

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly active: boolean;
  readonly disabled_reason?: string;
  readonly pending: number;
  readonly dead: number;
}

export function fetchUsers(keyword: string, current: number, signal: AbortSignal): Promise<PageOf<User>> {
  return callAsMe('GET', '/operator/users', { signal, query: { keyword, current, size: PAGE_SIZE } });
}

export function setUserStatus(userId: number, action: 'disable' | 'enable', reason: string): Promise<unknown> {
  return callAsMe('POST', `/operator/users/${userId}/${action}`, { body: { reason } });
}

const LOOK_AGAIN_MS = 5000;

export const chainsQuery = queryOptions({
  queryKey: ['operator', 'chains'],
  queryFn: ({ signal }) => callAsMe<readonly Chain[]>('GET', '/operator/chains', { signal }),
  refetchInterval: LOOK_AGAIN_MS,
});

export const headsQuery = queryOptions({
  queryKey: ['operator', 'heads'],
  queryFn: ({ signal }) => callAsMe<readonly LedgerHead[]>('GET', '/operator/ledger/heads', { signal }),
});

export const signHead = () => callAsMe<LedgerHead>('POST', '/operator/ledger/heads');

export const rulesQuery = queryOptions({
  queryKey: ['operator', 'rules'],
  queryFn: ({ signal }) => callAsMe<readonly RulesVersion[]>('GET', '/operator/rules', { signal }),
});

export const draftRules = (rules: unknown) => callAsMe<RulesVersion>('POST', '/operator/rules', { body: { rules } });
export const activateRules = (version: number) => callAsMe<RulesVersion>('POST', `/operator/rules/${version}/activate`, { body: {} });

const HOUR_MS = 3_600_000;
const DRY_RUN_HOURS = 24;

/** What a version would have paid in the last whole day of hours, beside what was paid. */
export function dryRunRules(version: number): Promise<DryRun> {
  const before = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const from = new Date(before - DRY_RUN_HOURS * HOUR_MS).toISOString();
  return callAsMe('POST', `/operator/rules/${version}/dry-run`, { body: { from, before: new Date(before).toISOString() } });
}

export const webhooksQuery = queryOptions({
  queryKey: ['operator', 'webhooks'],
  queryFn: ({ signal }) => callAsMe<readonly Webhook[]>('GET', '/operator/webhooks', { signal }),
});

const DEAD_KEPT_MS = 30 * 24 * HOUR_MS;

export function redeliverDead(id: number): Promise<{ readonly queued: number }> {
  return callAsMe('POST', `/operator/webhooks/${id}/redeliver`, { body: { since: new Date(Date.now() - DEAD_KEPT_MS).toISOString() } });
}
