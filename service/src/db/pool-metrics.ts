import type { Database } from './types.ts';

/** Connections of the pool of this instance, and callers that wait for one. */
export function countConnections({ kind, pool }: Database): Record<string, number> {
  if (kind === 'embedded') return {};
  const { totalCount, idleCount, waitingCount } = pool;
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}
