/**
 * The answers that the pages of the signed-in user have, and the stream of events that keeps them
 * up to date. It is opened with the session, before the pages ask: nothing that is asked for once
 * it is open has to be asked for again.
 */
import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '../api/query-client.ts';
import { onSessionChange, readSession } from '../session/session.ts';
import { followEvents, type LiveState } from './live-events.ts';
import { createRefresher } from './refresh-queries.ts';

interface Queries {
  readonly subject: string;
  readonly client: QueryClient;
  readonly stop: () => void;
}

let queries: Queries | undefined;
let state: LiveState = 'connecting';
const listeners = new Set<() => void>();

function setState(next: LiveState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Whether the answers are up to date. */
export const readLiveState = (): LiveState => state;

export function onLiveChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns what ends that */
function follow(client: QueryClient): () => void {
  const refresher = createRefresher(client);
  let hasBeenLost = false;
  const stop = followEvents({
    onEvent: ({ type }, areReadsNew) => refresher.add(type, areReadsNew),
    onState: (next) => {
      setState(next);
      if (next === 'live' && hasBeenLost) void client.invalidateQueries();
      hasBeenLost ||= next === 'lost';
    },
  });
  return () => {
    refresher.stop();
    stop();
  };
}

function followSession(): void {
  const session = readSession();
  const subject = session.status === 'signed-in' ? session.tokens.subject : undefined;
  if (queries?.subject === subject) return;
  queries?.stop();
  queries = undefined;
  setState('connecting');
  if (subject === undefined) return;
  const client = createQueryClient();
  queries = { subject, client, stop: follow(client) };
}

/** Opens the stream of each session, and closes it with the session. */
export function keepQueries(): void {
  onSessionChange(followSession);
  followSession();
}

/** Undefined while no user is signed in. */
export function readQueries(): QueryClient | undefined {
  return queries?.client;
}
