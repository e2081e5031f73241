/** A token sees of its owner's events what it may read otherwise. */

import type { StoredEvent } from './read-events.ts';

/** First word of an event's type → the scope that shows it. */
const SCOPES: Readonly<Record<string, string>> = {
  device: 'devices:read',
  traffic: 'devices:read',
  reward: 'dashboard:read',
  rewards: 'dashboard:read',
  referral: 'community:read',
  community: 'community:read',
  session: 'identity:manage',
  security: 'identity:manage',
  user: 'identity:manage',
  notification: 'identity:manage',
};
const DEFAULT_SCOPE = 'account:read';

/** True when a token with these scopes may see events of this type. */
export function isVisible(type: string, scopes: ReadonlySet<string>): boolean {
  return scopes.has(SCOPES[type.split('.', 1)[0] ?? ''] ?? DEFAULT_SCOPE);
}

const NAMED_WALLETS: ReadonlySet<string> = new Set(['asset', 'bonus']);

/**
 * The event as its user may see it; undefined if hidden. The operator decides whether users see
 * further wallets.
 */
export function notifyUser(event: StoredEvent): StoredEvent | undefined {
  if (event.type !== 'wallet.changed') return event;
  const { wallets } = JSON.parse(event.data) as { wallets?: readonly string[] };
  const named = wallets?.filter((wallet) => NAMED_WALLETS.has(wallet));
  if (!named || named.length === wallets?.length) return event;
  return named.length === 0 ? undefined : { ...event, data: JSON.stringify({ wallets: named }) };
}
