/** Which answers events make old, and asking for them again. */
import { EdgeError } from '@edge-account/sdk';
import type { Query, QueryClient } from '@tanstack/react-query';

/** By the first part of an event's type; an event of another kind makes all of them old. */
const STALE_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  device: ['devices', 'dashboard'],
  deposit: ['deposits', 'wallets', 'dashboard'],
  payout: ['payouts', 'wallets', 'dashboard'],
  member: ['people'],
  community: ['people'],
  session: ['security'],
  security: ['security'],
  notification: ['notifications'],
};

const GATHER_MS = 400;

/** A query that failed with Retry-After is not repeated before. */
function mayBeAsked({ state: { data, error, errorUpdatedAt } }: Query): boolean {
  const wait_s = error instanceof EdgeError ? (error.retryAfter_s ?? 0) : 0;
  return data !== undefined || Date.now() >= errorUpdatedAt + wait_s * 1000;
}

export interface Refresher {
  /**
   * An event has come: what it makes old is asked for again, together with what others do.
   * @param areReadsNew what is under way is sent only now
   */
  add(type: string, areReadsNew?: boolean): void;
  stop(): void;
}

export function createRefresher(client: QueryClient): Refresher {
  /** Asked for after the last event: the answers are no older than it. */
  let fresh = new WeakSet<Query>();
  const unsubscribe = client.getQueryCache().subscribe((change) => {
    if (change.type === 'updated' && change.action.type === 'fetch') fresh.add(change.query);
  });
  const isOld = (query: Query): boolean => mayBeAsked(query) && !fresh.has(query);
  const stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    const kinds = [...stale];
    stale.clear();
    if (kinds.includes('*')) void client.invalidateQueries({ predicate: isOld });
    else
      for (const kind of kinds)
        void client.invalidateQueries({ queryKey: [kind], predicate: isOld });
  };
  return {
    add(type, areReadsNew = false) {
      const sent = areReadsNew ? client.getQueryCache().findAll({ fetchStatus: 'fetching' }) : [];
      fresh = new WeakSet(sent);
      for (const kind of STALE_BY_KIND[type.split('.')[0] ?? ''] ?? ['*']) stale.add(kind);
      timer ??= setTimeout(refresh, GATHER_MS);
    },
    stop() {
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
