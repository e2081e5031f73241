import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE, type PageOf } from '../api/page.ts';
import { serviceNow_ms } from '../lib/server-clock.ts';
import { callAsOperator } from './elevation.ts';

export interface User {
  readonly user_id: number;
  readonly email: string;
  readonly nickname: string;
  readonly status: 'active' | 'disabled' | 'closed';
  readonly created_at: string;
}

export interface ChainToken {
  readonly currency: string;
  readonly contract_address?: string;
  readonly decimals: number;
  readonly min_deposit: string;
  readonly is_enabled: boolean;
  readonly distrust_reason?: string;
  readonly distrust_reason_code?: string;
  readonly distrust_reason_values?: Readonly<Record<string, string>>;
}

export interface ChainNode {
  readonly url: string;
  /** Absent while it works. */
  readonly last_error?: string;
  readonly last_error_code?: string;
  readonly last_error_values?: Readonly<Record<string, string>>;
}

export interface Chain {
  readonly network: string;
  readonly name: string;
  readonly is_enabled: boolean;
  readonly xpub?: string;
  readonly required_confirmations: number;
  readonly tokens: readonly ChainToken[];
  readonly endpoints: readonly ChainNode[];
  readonly state:
    | 'unconfigured'
    | 'disabled'
    | 'starting'
    | 'following'
    | 'catching_up'
    | 'stalled'
    | 'halted';
  readonly cursor_height?: number;
  readonly head_height?: number;
  readonly lag?: number;
  readonly halted_reason?: string;
  readonly halted_reason_code?: string;
  readonly halted_reason_values?: Readonly<Record<string, string>>;
  readonly note?: string;
  readonly note_code?: string;
  readonly note_values?: Readonly<Record<string, string>>;
  readonly checked_at?: string;
  /** When a node last told of its head. */
  readonly answered_at?: string;
}

/** What is left out stays as it is. */
export interface ChainChange {
  readonly rpc_urls?: readonly string[];
  readonly xpub?: string;
  /** Currency of the chain's own coin. */
  readonly coin?: string;
  readonly required_confirmations?: number;
  readonly is_enabled?: boolean;
}

export interface TokenChange {
  readonly contract_address?: string;
  readonly decimals: number;
  readonly min_deposit: string;
  readonly is_enabled: boolean;
}

export interface HouseAccount {
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
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
  readonly event_types: readonly string[];
  readonly active: boolean;
  readonly disabled_reason?: string;
  readonly disabled_reason_code?: string;
  readonly disabled_reason_values?: Readonly<Record<string, string>>;
  readonly pending: number;
  readonly dead: number;
}

export function fetchUsers(
  keyword: string,
  current: number,
  signal: AbortSignal,
): Promise<PageOf<User>> {
  return callAsOperator('GET', '/operator/users', {
    signal,
    query: { keyword, current, size: PAGE_SIZE },
  });
}

export function setUserStatus(
  userId: number,
  action: 'disable' | 'enable',
  reason: string,
): Promise<unknown> {
  return callAsOperator('POST', `/operator/users/${userId}/${action}`, { body: { reason } });
}

const LOOK_AGAIN_MS = 5000;

export const chainsQuery = queryOptions({
  queryKey: ['operator', 'chains'],
  queryFn: ({ signal }) => callAsOperator<readonly Chain[]>('GET', '/operator/chains', { signal }),
  refetchInterval: LOOK_AGAIN_MS,
});

export function configureChain(network: string, change: ChainChange): Promise<Chain> {
  return callAsOperator('PUT', `/operator/chains/${encodeURIComponent(network)}`, { body: change });
}

/** From a block that the operator has looked at, a halted network goes on. */
export function resumeChain(
  network: string,
  block: { readonly height: number; readonly hash: string },
): Promise<Chain> {
  return callAsOperator('POST', `/operator/chains/${encodeURIComponent(network)}/resume`, {
    body: block,
  });
}

export function configureToken(
  network: string,
  currency: string,
  change: TokenChange,
): Promise<Chain> {
  return callAsOperator(
    'PUT',
    `/operator/chains/${encodeURIComponent(network)}/tokens/${encodeURIComponent(currency)}`,
    { body: change },
  );
}

export const houseQuery = queryOptions({
  queryKey: ['operator', 'house'],
  queryFn: ({ signal }) =>
    callAsOperator<readonly HouseAccount[]>('GET', '/operator/ledger/accounts', { signal }),
});

export const headsQuery = queryOptions({
  queryKey: ['operator', 'heads'],
  queryFn: ({ signal }) =>
    callAsOperator<readonly LedgerHead[]>('GET', '/operator/ledger/heads', { signal }),
});

export const signHead = () => callAsOperator<LedgerHead>('POST', '/operator/ledger/heads');

export const rulesQuery = queryOptions({
  queryKey: ['operator', 'rules'],
  queryFn: ({ signal }) =>
    callAsOperator<readonly RulesVersion[]>('GET', '/operator/rules', { signal }),
});

export const draftRules = (rules: unknown) =>
  callAsOperator<RulesVersion>('POST', '/operator/rules', { body: { rules } });
export const activateRules = (version: number) =>
  callAsOperator<RulesVersion>('POST', `/operator/rules/${version}/activate`, { body: {} });

const HOUR_MS = 3_600_000;
const DRY_RUN_HOURS = 24;

/** What a version would have paid in the last whole day of hours, beside what was paid. */
export function dryRunRules(version: number): Promise<DryRun> {
  const before = Math.floor(serviceNow_ms() / HOUR_MS) * HOUR_MS;
  const from = new Date(before - DRY_RUN_HOURS * HOUR_MS).toISOString();
  return callAsOperator('POST', `/operator/rules/${version}/dry-run`, {
    body: { from, before: new Date(before).toISOString() },
  });
}

export const webhooksQuery = queryOptions({
  queryKey: ['operator', 'webhooks'],
  queryFn: ({ signal }) =>
    callAsOperator<readonly Webhook[]>('GET', '/operator/webhooks', { signal }),
  refetchInterval: LOOK_AGAIN_MS,
});

/** How it stands now: the service switches one off whose receiver is gone. */
export const fetchWebhook = (id: number) =>
  callAsOperator<Webhook>('GET', `/operator/webhooks/${id}`);

const DEAD_KEPT_MS = 30 * 24 * HOUR_MS;

export function redeliverDead(id: number): Promise<{ readonly queued: number }> {
  return callAsOperator('POST', `/operator/webhooks/${id}/redeliver`, {
    body: { since: new Date(serviceNow_ms() - DEAD_KEPT_MS).toISOString() },
  });
}

export interface WebhookChange {
  readonly url: string;
  readonly description: string;
  readonly event_types: readonly string[];
}

/** The signing secret is told once. */
export function createWebhook(change: WebhookChange): Promise<{ readonly secret: string }> {
  return callAsOperator('POST', '/operator/webhooks', { body: change });
}

export function changeWebhook(
  id: number,
  change: Partial<WebhookChange> & { readonly active?: boolean },
): Promise<Webhook> {
  return callAsOperator('PATCH', `/operator/webhooks/${id}`, { body: change });
}

export async function deleteWebhook(id: number): Promise<void> {
  await callAsOperator('DELETE', `/operator/webhooks/${id}`);
}

export async function testWebhook(id: number): Promise<void> {
  await callAsOperator('POST', `/operator/webhooks/${id}/test`);
}

export interface Delivery {
  readonly id: number;
  readonly type: string;
  readonly attempts: number;
  readonly last_status?: number;
  readonly last_error?: string;
  readonly last_error_code?: string;
  readonly last_error_values?: Readonly<Record<string, string>>;
  readonly created_at: string;
}

export const deadLettersQuery = (id: number) =>
  queryOptions({
    queryKey: ['operator', 'webhooks', id, 'dead'],
    queryFn: ({ signal }) =>
      callAsOperator<PageOf<Delivery>>('GET', `/operator/webhooks/${id}/deliveries`, {
        signal,
        query: { state: 'dead', current: 1, size: PAGE_SIZE },
      }),
    refetchInterval: LOOK_AGAIN_MS,
  });

export async function redeliver(id: number, deliveryId: number): Promise<void> {
  await callAsOperator('POST', `/operator/webhooks/${id}/deliveries/${deliveryId}/redeliver`);
}
