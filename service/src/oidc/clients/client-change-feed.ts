/** Tells the registries that a client changed: those of this process when it is committed, other nodes' by notification. */
import type { Database, Transaction } from '../../db/index.ts';

const CHANNEL = 'oauth_client';

const handlersHere = new WeakMap<Database, (() => void)[]>();

export async function announceClientChange(tx: Transaction): Promise<void> {
  await tx.query(`select pg_notify('${CHANNEL}', '')`);
  tx.afterCommit(() => {
    for (const handler of handlersHere.get(tx.database) ?? []) handler();
  });
}

/** Calls `handler` after each change of a client, and whenever one may have gone unheard. */
export async function followClientChanges(database: Database, handler: () => void): Promise<void> {
  handlersHere.set(database, [...(handlersHere.get(database) ?? []), handler]);
  await database.listen(CHANNEL, handler);
  database.onListenGap(handler);
}
