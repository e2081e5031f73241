/**
 * Notifies the client registries of a change: those of this process after the commit, those of
 * other instances through `notify`.
 */
import type { Database, Transaction } from '../../db/index.ts';

const CHANNEL = 'oauth_client';

const handlersHere = new WeakMap<Database, (() => void)[]>();

export async function notifyClientChange(tx: Transaction): Promise<void> {
  await tx.query(`select pg_notify('${CHANNEL}', '')`);
  tx.afterCommit(() => {
    for (const handler of handlersHere.get(tx.database) ?? []) handler();
  });
}

/** Calls `handler` after each change of a client, and after a gap in the notifications. */
export async function followClientChanges(database: Database, handler: () => void): Promise<void> {
  handlersHere.set(database, [...(handlersHere.get(database) ?? []), handler]);
  await database.listen(CHANNEL, handler);
  database.onListenGap(handler);
}
