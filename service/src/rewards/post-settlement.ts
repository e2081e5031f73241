/** Posts the lines of a batch into the ledger and hashes them into its tree, some thousands at a time. */
import {
  ADVISORY_LOCKS,
  type Database,
  type Transaction,
  transaction,
  tryNamedLock,
} from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { BATCH_MAX, type Posting, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { rootOf } from './merkle.ts';
import {
  type BillIds,
  CHUNK,
  hashChunks,
  type Line,
  readChunks,
  readLines,
} from './reward-lines.ts';
import { rootReference } from './root-reference.ts';
import { type Batch, findBatch, lockBatch } from './settlements.ts';

/** Lines of one transaction; the ledger takes at most a thousand postings at once. */
const STEP = 8 * CHUNK;
/** Steps at once; more only wait for the database's cores. */
const WORKERS = 4;

export interface PostDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly rewardCurrency: string;
}

/** Name of the posting of a line: from a bill to its line. */
export function postingName(batchId: number, leaf: number): string {
  return `reward:${batchId}:${leaf}`;
}

/** Batch and leaf of a posting's name; undefined when it is not of a reward that rules paid. */
export function readPostingName(
  idempotencyKey: string,
): { batchId: number; leaf: number } | undefined {
  const match = /^reward:(\d{1,15}):(\d{1,15})$/.exec(idempotencyKey);
  return match ? { batchId: Number(match[1]), leaf: Number(match[2]) } : undefined;
}

function toPosting(line: Line, currency: string): Posting {
  const person = { userId: line.userId, wallet: 'bonus' } as const;
  const house = { house: 'reward_pool' } as const;
  const amount = BigInt(line.amount);
  const isPayment = amount > 0n;
  return {
    idempotencyKey: postingName(line.batchId, line.leaf),
    debit: isPayment ? house : person,
    credit: isPayment ? person : house,
    currency,
    amount: isPayment ? amount : -amount,
    businessId: line.level > 0 ? 'referral_reward' : 'reward',
    eventAt: line.hour,
    rewardType: line.rewardType,
    ...(line.nodeId !== '' && { nodeId: line.nodeId }),
    // A penalty or correction must be booked even when the money is gone.
    ...(!isPayment && { mayOverdraw: true }),
  };
}

/** Notes lines that will not be paid, with the reason that their people see. */
async function noteRefused(
  tx: Transaction,
  lines: readonly Line[],
  codes: readonly string[],
): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(
    'insert into reward_refusal (batch_id, leaf, code) select * from unnest($1::bigint[], $2::bigint[], $3::text[])',
    [lines.map(({ batchId }) => batchId), lines.map(({ leaf }) => leaf), codes],
  );
}

/** Posts what is to be paid. @returns the bills that came of it */
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
    await noteRefused(
      tx,
      some.filter((_, n) => results[n]?.status === 'refused'),
      results.flatMap((result) => (result.status === 'refused' ? result.code : [])),
    );
  }
  return bills;
}

/** Lines of a batch that an operator closed: nothing is paid any more. */
async function refuseLines(tx: Transaction, lines: readonly Line[]): Promise<BillIds> {
  const unpaid = lines.filter((line) => line.status === 'paid');
  await noteRefused(
    tx,
    unpaid,
    unpaid.map(() => 'settlement_closed'),
  );
  return new Map();
}

const INSERT_CHUNKS = `insert into reward_chunk (batch_id, chunk, root, leaf_format)
  select $1, $2::bigint + n - 1, root, format from unnest($3::bytea[], $4::int[]) with ordinality as r (root, format, n)`;

/**
 * One step, by whoever comes first: nodes and workers share the steps of a batch. The chunk that a step writes says
 * that it is done, in the transaction that did it.
 */
async function postStep(
  { database, rewardCurrency }: PostDeps,
  { id, saltKey, closedAt }: Batch,
  step: number,
): Promise<void> {
  await transaction(database, async (tx) => {
    if (!(await tryNamedLock(tx, ADVISORY_LOCKS.rewardStep, `reward step ${id} ${step}`))) return;
    const chunk = (step * STEP) / CHUNK;
    const { rowCount: isDone } = await tx.query(
      'select from reward_chunk where batch_id = $1 and chunk = $2',
      [id, chunk],
    );
    if (isDone > 0) return;
    const lines = await readLines(tx, id, step * STEP, STEP);
    const bills =
      closedAt === null ? await postLines(tx, lines, rewardCurrency) : await refuseLines(tx, lines);
    const chunks = hashChunks(saltKey, lines, bills);
    await tx.query(INSERT_CHUNKS, [
      id,
      chunk,
      chunks.map(({ root }) => root),
      chunks.map(({ format }) => format),
    ]);
  });
}

async function postSteps(deps: PostDeps, batch: Batch): Promise<void> {
  const { rows } = await deps.database.query<{ chunk: number }>(
    'select chunk from reward_chunk where batch_id = $1',
    [batch.id],
  );
  const done = new Set(rows.map(({ chunk }) => Math.floor((chunk * CHUNK) / STEP)));
  const steps = Array.from({ length: Math.ceil(batch.lines / STEP) }, (_, step) => step).filter(
    (step) => !done.has(step),
  );
  const work = async (): Promise<void> => {
    for (let step = steps.shift(); step !== undefined; step = steps.shift())
      await postStep(deps, batch, step);
  };
  await Promise.all(Array.from({ length: deps.database.kind === 'server' ? WORKERS : 1 }, work));
}

interface Sums {
  readonly credits: string;
  readonly debits: string;
}

const TREASURY = { house: 'treasury' } as const;
const POOL = { house: 'reward_pool' } as const;

/**
 * Transfers one of which puts the root into the sealed ledger, as its reference: the one that funds the batch from the
 * treasury, or returns its penalties there; if nothing moved, or the books cannot take the sum, one of a minor unit,
 * which goes back at once.
 */
function rootTransfers(
  { id, hour }: Batch,
  reference: string,
  { credits, debits }: Sums,
  currency: string,
): Posting[][] {
  const common = { currency, businessId: 'adjustment', eventAt: hour, reference };
  const isFunding = BigInt(credits) > 0n;
  const amount = BigInt(isFunding ? credits : debits);
  const [debit, credit] = isFunding ? [TREASURY, POOL] : [POOL, TREASURY];
  const carrier = [
    {
      ...common,
      idempotencyKey: `reward-carrier:${id}`,
      debit: TREASURY,
      credit: POOL,
      amount: 1n,
    },
    {
      ...common,
      idempotencyKey: `reward-carrier-back:${id}`,
      debit: POOL,
      credit: TREASURY,
      amount: 1n,
    },
  ];
  return amount > 0n
    ? [[{ ...common, idempotencyKey: `reward-root:${id}`, debit, credit, amount }], carrier]
    : [carrier];
}

/** Seals the root. @returns the transfer that carries it; null when there is no line, or the books take nothing more */
async function sealRoot(
  tx: Transaction,
  batch: Batch,
  root: Buffer,
  sums: Sums,
  currency: string,
): Promise<number | null> {
  if (batch.lines === 0) return null;
  for (const postings of rootTransfers(
    batch,
    rootReference(batch.id, batch.lines, root),
    sums,
    currency,
  )) {
    const [result] = await postTransfers(tx, postings, { atomic: true });
    if (result && result.status !== 'refused') return result.transferId;
  }
  return null;
}

// What was refused moved nothing.
const SUMS = `select coalesce(sum(amount) filter (where amount > 0), 0)::text as credits, coalesce(-sum(amount) filter (where amount < 0), 0)::text as debits
  from reward_line l where batch_id = $1 and status = 'paid'
    and not exists (select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf)`;

/** What everybody may know: what was paid in the whole network is the operator's. */
function settledEvent(batch: Batch, root: Buffer) {
  return {
    isBroadcast: true,
    type: 'rewards.settled',
    data: {
      batch: batch.id,
      kind: batch.kind,
      hour: batch.hour.toISOString(),
      root: root.toString('hex'),
    },
  } as const;
}

async function finish({ database, clock, rewardCurrency }: PostDeps, id: number): Promise<void> {
  await transaction(database, async (tx) => {
    const batch = await lockBatch(tx, id, 'posting');
    if (!batch) return;
    const chunks = await readChunks(tx, id);
    if (chunks.length < Math.ceil(batch.lines / CHUNK)) return;
    const root = rootOf(chunks.map((chunk) => chunk.root));
    const { rows } = await tx.query<Sums>(SUMS, [id]);
    const sums = rows[0] ?? { credits: '0', debits: '0' };
    const transfer = await sealRoot(tx, batch, root, sums, rewardCurrency);
    const net = BigInt(sums.credits) - BigInt(sums.debits);
    await tx.query(
      "update reward_batch set state = 'settled', posted = lines, root = $2, root_transfer = $3, amount = $4, settled_at = $5, failure = null where id = $1",
      [id, root, transfer, String(net), clock.now()],
    );
    if (batch.lines > 0) await recordEvent(tx, clock, settledEvent(batch, root));
  });
}

/** Posts what is left of a computed batch and closes it. May be killed anywhere and run again, by any node. */
export async function postBatch(deps: PostDeps, id: number): Promise<void> {
  const batch = await findBatch(deps.database, id);
  if (batch?.state === 'posting') await postSteps(deps, batch);
  await finish(deps, id);
}
