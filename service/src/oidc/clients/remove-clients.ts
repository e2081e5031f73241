/**
 * Removes clients. Consents of users, their sessions in the application, and logout tokens that
 * wait for it may be millions: each transaction deletes a bounded number, and the last one the
 * client.
 *
 * Its codes and grants stay until they expire. Without the client none is valid, nor with a new one
 * of the same id, which accepts grants only from its creation on (write-clients.ts).
 */
import { LONGEST_GRANT_S } from '../../config-schema.ts';
import {
  type Database,
  type Db,
  defineStatement,
  execute,
  type Statement,
  type Transaction,
  transaction,
} from '../../db/index.ts';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import { revoke } from '../../identity/index.ts';
import type { Job } from '../../jobs/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { notifyClientChange } from './client-change-feed.ts';

/** Recreated at startup where they are missing. */
const BUILT_IN_CLIENTS: ReadonlySet<string> = new Set([
  CONSOLE_CLIENT_ID,
  'edge-terminal',
  'edge-extension',
]);

const EVERY_MS = 60_000;
/** Rows of each table in one transaction, unless a test says otherwise. */
const DELETED_MAX = 5000;

/**
 * With a key, each batch begins where the one before ended: deleted rows stay in the index while a
 * long transaction may still read them.
 * @param key follows the client in an index
 */
const deleteSome = (table: string, key?: string): Statement =>
  defineStatement(
    `client-${table}-delete`,
    `with gone as (
       delete from ${table} where ctid = any (array(
         select ctid from ${table} where client_id = :id
           ${key === undefined ? '' : `and ${key} > :after::bigint order by ${key}`}
         limit :max for update skip locked))
       returning ${key ?? 0} as key)
     select count(*)::int as deleted, max(key) as last from gone`,
  );

/** A table that may have more of a client. */
interface Rest {
  readonly statement: Statement;
  /** The last key that is deleted. */
  readonly after: number;
}
const EVERYTHING: readonly Rest[] = [
  deleteSome('consent', 'user_id'),
  deleteSome('application_session'),
  deleteSome('logout_notice', 'id'),
].map((statement) => ({ statement, after: 0 }));

const MARK_REMOVED = defineStatement(
  'client-mark-removed',
  `update oauth_client set is_enabled = false, removed_at = :now
   where client_id = :id and removed_at is null`,
);
const FIND_REMOVED = defineStatement(
  'clients-find-removed',
  'select client_id as id from oauth_client where removed_at is not null order by client_id',
);
const DELETE_CLIENT = defineStatement(
  'client-delete',
  'delete from oauth_client where client_id = :id and removed_at is not null',
);

/** @returns the tables that may have more; none: the client is gone */
async function removeSome(
  tx: Transaction,
  id: string,
  { rest = EVERYTHING, max = DELETED_MAX }: { rest?: readonly Rest[]; max?: number | undefined },
): Promise<readonly Rest[]> {
  const further: Rest[] = [];
  for (const { statement, after } of rest) {
    const values = { id, after, max };
    const { rows } = await execute<{ deleted: number; last: number }>(tx, statement, values);
    const [batch] = rows;
    if (batch?.deleted === max) further.push({ statement, after: batch.last });
  }
  // The few that others had locked, or added meanwhile, are deleted with it.
  if (further.length === 0) await execute(tx, DELETE_CLIENT, { id });
  return further;
}

/**
 * Removes a client and revokes its tokens; its consents and grants end. Where it has more consents
 * than a transaction deletes, a job deletes the rest, and its id stays taken until then.
 * @throws `not_found`, `own_client` for built-in clients
 */
export async function deleteClient(db: Db, clock: Clock, clientId: string): Promise<void> {
  if (BUILT_IN_CLIENTS.has(clientId))
    throw failure('own_client', {
      detail: 'Built-in client, recreated at startup. Disable it instead.',
    });
  const now = clock.now();
  await transaction(db, async (tx) => {
    const { rowCount } = await execute(tx, MARK_REMOVED, { id: clientId, now });
    if (rowCount === 0) throw failure('not_found');
    // As long as it has grants: a client that gets its id accepts none of them.
    const until = new Date(now.getTime() + LONGEST_GRANT_S * 1000);
    await revoke(tx, clock, { kind: 'client', value: clientId, reason: 'client_removed', until });
    await removeSome(tx, clientId, {});
    await notifyClientChange(tx);
  });
}

interface RemoveDeps {
  readonly database: Database;
  readonly batchSize?: number;
  /** Ends it after a transaction, when the instance ends; the next run continues. */
  readonly signal?: AbortSignal;
}

/** Safe to kill between two transactions, and to run on two instances. */
export async function removeClients({
  database,
  batchSize: max,
  signal,
}: RemoveDeps): Promise<void> {
  const { rows } = await execute<{ id: string }>(database, FIND_REMOVED, {});
  for (const { id } of rows)
    for (let rest = EVERYTHING; rest.length > 0; ) {
      if (signal?.aborted) return;
      const order = { rest, max };
      rest = await transaction(database, (tx) => removeSome(tx, id, order));
    }
}

export function createClientRemoval(database: Database): Job {
  return {
    name: 'remove-clients',
    every_ms: EVERY_MS,
    isLong: true,
    hasWork: async () => (await execute(database, FIND_REMOVED, {})).rowCount > 0,
    run: (signal) => removeClients({ database, signal }),
  };
}
