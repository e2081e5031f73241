import { EdgeError } from '@edge-account/sdk';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followEvents, type LiveState } from './live-events.ts';

/** Which answers an event makes old; an event of another kind makes all of them old. */
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

/** Keeps the whole console up to date. @returns whether it is */
export function useLiveEvents(): LiveState {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    const stale = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      timer = undefined;
      const kinds = [...stale];
      stale.clear();
      if (kinds.includes('*')) void client.invalidateQueries({ predicate: mayBeAsked });
      else
        for (const kind of kinds)
          void client.invalidateQueries({ queryKey: [kind], predicate: mayBeAsked });
    };
    let hasBeenLost = false;
    const stop = followEvents({
      onEvent: ({ type }) => {
        for (const kind of STALE_BY_KIND[type.split('.')[0] ?? ''] ?? ['*']) stale.add(kind);
        timer ??= setTimeout(refresh, GATHER_MS);
      },
      onState: (next) => {
        setState(next);
        if (next === 'live' && hasBeenLost) void client.invalidateQueries();
        hasBeenLost ||= next === 'lost';
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client]);
  return state;
}
