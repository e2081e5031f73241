/** Posts the lines of a settlement and hashes them into its tree, in steps of some thousands. */
import {
  ADVISORY_LOCKS,
  type Database,
  type Db,
  defineStatement,
  executeUnprepared,
  queryNamed,
  type Transaction,
  transaction,
  tryNamedLock,
} from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { BATCH_MAX, type Posting, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { anchorRoot } from './anchor-root.ts';
import { listBuckets, partsOf } from './buckets.ts';
import { refuseHeld } from './closed-lines.ts';
import { combineRoots } from './combine-roots.ts';
import {
  type BillIds,
  CHUNK,
  hashChunks,
  type Line,
  lineKey,
  readBillIds,
  readLines,
} from './reward-lines.ts';
import { businessOfReward } from './reward-types.ts';
import { runWorkers } from './run-workers.ts';
import { findSettlement, lockSettlement, type Settlement } from './settlements.ts';
import { sumPaid, sumSettlement } from './sum-paid.ts';

/** Lines of one transaction; the ledger takes at most a thousand postings at once. */
const STEP_LINES = 8 * CHUNK;

export interface PostDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly rewardCurrency: string;
}

function toPosting(line: Line, currency: string): Posting {
  const person = { userId: line.userId, wallet: 'bonus' } as const;
  const house = { house: 'reward_pool' } as const;
  const amount = BigInt(line.amount);
  const isPayment = amount > 0n;
  return {
    idempotencyKey: lineKey(line.settlementId, line.leaf),
    debit: isPayment ? house : person,
    credit: isPayment ? person : house,
    currency,
    amount: isPayment ? amount : -amount,
    businessId: businessOfReward(line.rewardType),
    eventAt: line.hour,
    rewardType: line.rewardType,
    ...(line.nodeId !== '' && { nodeId: line.nodeId }),
    // A penalty or correction is posted even when the balance is too small.
    ...(!isPayment && { mayOverdraw: true }),
  };
}

/** Records lines that will not be paid, with the reason that their users see. */
async function recordRefused(
  tx: Transaction,
  lines: readonly Line[],
  codes: readonly string[],
): Promise<void> {
  if (lines.length === 0) return;
  await queryNamed(
    tx,
    `insert into reward_refusal (batch_id, leaf, code)
      select * from unnest(:batch_ids::bigint[], :leaves::bigint[], :codes::text[])`,
    {
      batch_ids: lines.map(({ settlementId }) => settlementId),
      leaves: lines.map(({ leaf }) => leaf),
      codes,
    },
  );
}

/** Posts the lines that are paid. @returns their bills */
async function postLines(
  tx: Transaction,
  lines: readonly Line[],
  currency: string,
): Promise<BillIds> {
  const paid = lines.filter((line) => line.status === 'paid');
  const bills = new Map<number, number>();
  for (let i = 0; i < paid.length; i += BATCH_MAX) {
    const some = paid.slice(i, i + BATCH_MAX);
    const results = await postTransfers(
      tx,
      some.map((line) => toPosting(line, currency)),
    );
    for (const [n, { leaf, amount }] of some.entries()) {
      const result = results[n];
      if (result && result.status !== 'refused')
        bills.set(leaf, result.transferId * 2 + (BigInt(amount) > 0n ? 0 : 1));
    }
    await recordRefused(
      tx,
      some.filter((_, n) => results[n]?.status === 'refused'),
      results.flatMap((result) => (result.status === 'refused' ? result.code : [])),
    );
  }
  return bills;
}

/** Refuses the lines of a settlement that an operator closed; `refuseHeld` those that it held. */
async function refuseLines(tx: Transaction, lines: readonly Line[]): Promise<BillIds> {
  const unpaid = lines.filter((line) => line.status === 'paid');
  await recordRefused(
    tx,
    unpaid,
    unpaid.map(() => 'settlement_closed'),
  );
  return new Map();
}

/** The bills of lines: a day has its own already; of other settlements they are posted here. */
async function billLines(
  tx: Transaction,
  { id, closedAt, paymentId }: Settlement,
  lines: readonly Line[],
  currency: string,
): Promise<BillIds> {
  if (closedAt !== null) return refuseLines(tx, lines);
  if (paymentId === null) return postLines(tx, lines, currency);
  return readBillIds(tx, id, lines[0]?.leaf ?? 0, STEP_LINES);
}

/** All refusals of the lines are recorded before. */
const INSERT_CHUNKS = defineStatement(
  'rewards_insert_chunks',
  `insert into reward_chunk (batch_id, chunk, root, leaf_format, credits, debits)
  select :batch, r.chunk, r.root, r.format, s.credits, s.debits
  from (
      select :first::bigint + n - 1 as chunk, root, format
      from unnest(:roots::bytea[], :formats::int[]) with ordinality as u (root, format, n)
    ) r
    cross join lateral (
      ${sumPaid(`l.batch_id = :batch
          and l.leaf >= r.chunk * ${CHUNK} and l.leaf < (r.chunk + 1) * ${CHUNK}`)}
    ) s`,
);

/**
 * One step: instances and workers share the steps of a settlement. The chunk that a step writes
 * marks it as done, in the same transaction. What a closed settlement held is refused in all steps.
 * @param first its first leaf
 */
async function postStep(
  { database, rewardCurrency }: PostDeps,
  settlement: Settlement,
  first: number,
): Promise<void> {
  const { id, saltKey, closedAt } = settlement;
  await transaction(database, async (tx) => {
    // No chunk shows that this is done: an instance that comes second waits for the first one.
    if (closedAt !== null) await refuseHeld(tx, id, first, STEP_LINES);
    if (!(await tryNamedLock(tx, ADVISORY_LOCKS.rewardStep, `reward step ${id} ${first}`))) return;
    const chunk = first / CHUNK;
    const { rowCount: isDone } = await queryNamed(
      tx,
      'select from reward_chunk where batch_id = :batch_id and chunk = :chunk',
      { batch_id: id, chunk },
    );
    if (isDone > 0) return;
    const lines = await readLines(tx, id, first, STEP_LINES);
    const bills = await billLines(tx, settlement, lines, rewardCurrency);
    const chunks = hashChunks(saltKey, lines, bills);
    // A generic plan, made while no line was refused, would read all refusals for each line.
    await executeUnprepared(tx, INSERT_CHUNKS, {
      batch: id,
      first: chunk,
      roots: chunks.map(({ root }) => root),
      formats: chunks.map(({ format }) => format),
    });
  });
}

/** First leaves of the steps of a settlement that have no chunk; all steps of a closed one. */
async function listSteps(db: Db, { id, lines, closedAt }: Settlement): Promise<number[]> {
  const { rows } = await db.query<{ chunk: number }>(
    'select chunk from reward_chunk where batch_id = $1',
    [id],
  );
  const done = new Set(rows.map(({ chunk }) => chunk * CHUNK));
  return partsOf(lines, await listBuckets(db, id))
    .flatMap((part) =>
      Array.from(
        { length: Math.ceil(part.lines / STEP_LINES) },
        (_, step) => part.first + step * STEP_LINES,
      ),
    )
    .filter((first) => closedAt !== null || !done.has(first));
}

async function postSteps(deps: PostDeps, settlement: Settlement): Promise<void> {
  const steps = await listSteps(deps.database, settlement);
  await runWorkers(deps.database, async () => {
    const first = steps.shift();
    if (first === undefined) return false;
    await postStep(deps, settlement, first);
    return true;
  });
}

/** Readable by every user, therefore without the amounts of the whole network. */
function settledEvent(settlement: Settlement, root: Buffer) {
  return {
    isBroadcast: true,
    type: 'rewards.settled',
    data: {
      batch: settlement.id,
      kind: settlement.kind,
      hour: settlement.hour.toISOString(),
      root: root.toString('hex'),
    },
  } as const;
}

async function finish(
  { database, clock, rewardCurrency }: PostDeps,
  { id, state, closedAt }: Settlement,
): Promise<void> {
  await transaction(database, async (tx) => {
    const settlement = await lockSettlement(tx, id, state);
    if (!settlement) return;
    // An operator closed it during the steps: the next run refuses what it held.
    if (settlement.closedAt !== null && closedAt === null) return;
    const root = await combineRoots(tx, settlement);
    if (!root) return;
    const sums = await sumSettlement(tx, id);
    const transfer = await anchorRoot(tx, settlement, { root, sums, currency: rewardCurrency });
    const net = BigInt(sums.credits) - BigInt(sums.debits);
    await queryNamed(
      tx,
      `update reward_batch set state = 'settled', step = null, posted = lines, root = :root,
          root_transfer = :transfer,
          amount = :amount, settled_at = :now, failure = null
        where id = :id`,
      { id, root, transfer, amount: String(net), now: clock.now() },
    );
    if (settlement.lines > 0) await recordEvent(tx, clock, settledEvent(settlement, root));
  });
}

/**
 * Hashes the lines of a settlement whose payment has posted their bills, and settles it. Can be
 * killed at any point and run again, on any instance.
 */
export async function settlePosted(deps: PostDeps, settlement: Settlement): Promise<void> {
  await postSteps(deps, settlement);
  await finish(deps, settlement);
}

/** Posts the remaining lines of a computed settlement and settles it, as `settlePosted` does. */
export async function postSettlement(deps: PostDeps, id: number): Promise<void> {
  const settlement = await findSettlement(deps.database, id);
  if (settlement?.state === 'posting') await settlePosted(deps, settlement);
}
