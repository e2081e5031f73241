/**
 * Deletes what is left of webhooks that operators have deleted: their messages, which may be
 * millions, in batches, and then the row.
 */
import {
  type Database,
  defineStatement,
  execute,
  transaction,
  type Values,
} from '../../db/index.ts';
import type { Job } from '../../jobs/index.ts';

const EVERY_MS = 60_000;
/** Behind every id. */
const LAST_ID = Number.MAX_SAFE_INTEGER;
/** Messages of one statement, unless a test says otherwise. */
const DELETED_MAX = 5000;

const FIND_REMOVED = defineStatement(
  'webhooks-find-removed',
  'select id from webhook where removed_at is not null order by id',
);
// Each batch begins where the one before ended: deleted rows stay in the index while a long
// transaction may still read them.
const DELETE_MESSAGES = defineStatement(
  'webhook-deliveries-delete',
  `with gone as (
     delete from webhook_delivery where ctid = any (array(
       select ctid from webhook_delivery
       where webhook_id = :id and id < :before
       order by id desc limit :max for update skip locked))
     returning id)
   select count(*)::int as deleted, min(id) as last from gone`,
);
/** A message that was locked, or that was queued meanwhile, is left for the next run. */
const DELETE_WEBHOOK = defineStatement(
  'webhook-delete',
  `delete from webhook where id = :id and removed_at is not null
     and not exists (select from webhook_delivery where webhook_id = :id)`,
);

interface Batch {
  readonly deleted: number;
  readonly last: number | null;
}

interface RemoveDeps {
  readonly database: Database;
  readonly batchSize?: number;
  /** Ends it after a batch, when the instance ends; the next run continues. */
  readonly signal?: AbortSignal;
}

async function deleteBatch(database: Database, values: Values): Promise<Batch> {
  const { rows } = await execute<Batch>(database, DELETE_MESSAGES, values);
  return rows[0] ?? { deleted: 0, last: null };
}

/** @returns false when the instance ends before all is deleted */
async function deleteMessages(
  { database, batchSize: max = DELETED_MAX, signal }: RemoveDeps,
  id: number,
): Promise<boolean> {
  for (let batch: Batch = { deleted: max, last: LAST_ID }; batch.deleted === max; ) {
    if (signal?.aborted) return false;
    batch = await deleteBatch(database, { id, before: batch.last, max });
  }
  return true;
}

/** Safe to kill between two statements, and to run on two instances. */
export async function removeWebhooks(deps: RemoveDeps): Promise<void> {
  const { rows } = await execute<{ id: number }>(deps.database, FIND_REMOVED, {});
  for (const { id } of rows)
    if (await deleteMessages(deps, id))
      // In a transaction, which names the job to the audit log.
      await transaction(deps.database, (tx) => execute(tx, DELETE_WEBHOOK, { id }));
}

export function createWebhookRemoval(database: Database): Job {
  return {
    name: 'remove-webhooks',
    every_ms: EVERY_MS,
    isLong: true,
    hasWork: async () => (await execute(database, FIND_REMOVED, {})).rowCount > 0,
    run: (signal) => removeWebhooks({ database, signal }),
  };
}
