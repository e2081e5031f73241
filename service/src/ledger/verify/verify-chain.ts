/** Replays the chain of every shard: each seal over the one before it, each row against its leaf. */
import type { KeyObject } from 'node:crypto';
import type { Db } from '../../db/index.ts';
import { CREDIT, DEBIT, type EntryRow } from '../batch-state.ts';
import type { ReferenceData } from '../reference-data.ts';
import { LEAF_BYTES, leafOf, sealBatch, stepLine, transferLine } from '../seal.ts';
import { idInShard, SHARDS } from '../wallet-ids.ts';
import type { Findings } from './findings.ts';
import {
  type FoundTransfer,
  findLeg,
  type ReadTransfer,
  readSteps,
  readTransfers,
} from './read-sealed.ts';
import { readAmount, readNumber } from './stored-values.ts';

interface SealRow {
  readonly position: number;
  readonly first_transfer: number;
  readonly transfers: number;
  readonly first_step: number;
  readonly steps: number;
  readonly created_us: number;
  readonly mac: Buffer;
  readonly leaves: Buffer;
}

interface ShardRow {
  readonly seals: number;
  readonly transfers: number;
  readonly steps: number;
  readonly mac: Buffer;
}

type Texts<T, K extends keyof T> = Omit<T, K> & Readonly<Record<K, string | null>>;
type StoredSeal = Texts<SealRow, 'position' | 'first_transfer' | 'first_step' | 'created_us'>;
type StoredShard = Texts<ShardRow, 'seals' | 'transfers' | 'steps'>;

/** Where the replay of a shard stands. */
interface Walk {
  readonly shard: number;
  seals: number;
  transfers: number;
  steps: number;
  mac: Buffer;
}

export interface ChainCounts {
  transfers: number;
  seals: number;
}

const SEALS_AT_ONCE = 100;
const SEALS = `select position::text, first_transfer::text, coalesce(transfers, -1) as transfers, first_step::text, coalesce(steps, -1) as steps,
    (extract(epoch from created_at) * 1000000)::text as created_us, coalesce(mac, '') as mac, coalesce(leaves, '') as leaves
  from batch_seal where shard = $1 and position > $2 order by batch_seal.position limit ${SEALS_AT_ONCE}`;
const SHARD =
  "select seals::text, transfers::text, steps::text, coalesce(mac, '') as mac from ledger_shard where shard = $1";
const BEFORE = `select seq::text, balance_after from entry where wallet_id = $1 and position < $2
  and currency_id = $3 order by position desc limit 1`;

async function readSeals(db: Db, walk: Walk): Promise<SealRow[]> {
  const { rows } = await db.query<StoredSeal>(SEALS, [walk.shard, walk.seals]);
  return rows.map((row) => ({
    ...row,
    position: readNumber(row.position),
    first_transfer: readNumber(row.first_transfer),
    first_step: readNumber(row.first_step),
    created_us: readNumber(row.created_us),
  }));
}

async function readShard(db: Db, shard: number): Promise<ShardRow | undefined> {
  const row = (await db.query<StoredShard>(SHARD, [shard])).rows[0];
  return (
    row && {
      ...row,
      seals: readNumber(row.seals),
      transfers: readNumber(row.transfers),
      steps: readNumber(row.steps),
    }
  );
}

/** Why a seal does not follow from the one before it; undefined when it does. */
function checkSeal(key: KeyObject, walk: Walk, seal: SealRow): string | undefined {
  if (seal.position !== walk.seals + 1) return 'is missing';
  const head = {
    shard: walk.shard,
    position: seal.position,
    firstTransfer: seal.first_transfer,
    transfers: seal.transfers,
    firstStep: seal.first_step,
    steps: seal.steps,
    createdAt_us: seal.created_us,
  };
  const isInOrder = seal.first_transfer === walk.transfers && seal.first_step === walk.steps;
  const isWhole = seal.leaves.length === (seal.transfers + seal.steps) * LEAF_BYTES;
  return isInOrder && isWhole && sealBatch(key, walk.mac, head, seal.leaves).equals(seal.mac)
    ? undefined
    : 'was changed';
}

/** The entry as it should be, from the one before it. */
async function expectedEntry(
  db: Db,
  currencyId: number,
  entry: EntryRow,
  change: bigint,
): Promise<EntryRow> {
  const before = (
    await db.query<{ seq: string; balance_after: string }>(BEFORE, [
      entry.walletId,
      entry.position,
      currencyId,
    ])
  ).rows[0];
  return before
    ? {
        ...entry,
        seq: readNumber(before.seq) + 1,
        balanceAfter: readAmount(before.balance_after) + change,
      }
    : { ...entry, seq: 1, balanceAfter: change };
}

function leafOfTransfer(t: ReadTransfer): Buffer {
  return leafOf(transferLine(t, t.eventAt_us, t.createdAt_us));
}

/** Finds out whether a transfer or one of its entries was changed: with the right entry the leaf agrees again. */
async function blame(db: Db, t: ReadTransfer, leaf: Buffer): Promise<string> {
  const debit = await expectedEntry(db, t.currency.id, t.debit, -t.amount);
  const credit = await expectedEntry(db, t.currency.id, t.credit, t.amount);
  if (leafOfTransfer({ ...t, debit }).equals(leaf))
    return `entry ${t.debit.walletId}/${t.debit.position}`;
  if (leafOfTransfer({ ...t, credit }).equals(leaf))
    return `entry ${t.credit.walletId}/${t.credit.position}`;
  return `transfer ${t.id}`;
}

/** Of a transfer with an entry that is not where it says: true when the entry stands elsewhere, and with that place the leaf agrees again. */
async function isMisplaced(db: Db, t: ReadTransfer, leaf: Buffer): Promise<boolean> {
  const [debit = t.debit, credit = t.credit] = [
    await findLeg(db, t.id, DEBIT),
    await findLeg(db, t.id, CREDIT),
  ];
  return leafOfTransfer({ ...t, debit, credit }).equals(leaf);
}

/** What is wrong with a transfer that does not agree with its leaf. */
async function accuse(
  db: Db,
  { sealed, wrongEntries }: FoundTransfer,
  leaf: Buffer,
  seal: string,
): Promise<{ row: string; detail: string }> {
  const missing = wrongEntries.find((entry) => entry.detail.endsWith('is missing'));
  const detail = `does not agree with seal ${seal}`;
  if (!missing) return { row: await blame(db, sealed, leaf), detail };
  return (await isMisplaced(db, sealed, leaf)) ? { row: `transfer ${sealed.id}`, detail } : missing;
}

/** What is wrong with a transfer and its two entries. */
async function examine(
  db: Db,
  transfer: FoundTransfer,
  leaf: Buffer,
  seal: string,
): Promise<readonly { row: string; detail: string }[]> {
  return leafOfTransfer(transfer.sealed).equals(leaf)
    ? transfer.wrongEntries
    : [await accuse(db, transfer, leaf, seal)];
}

async function checkTransfers(
  db: Db,
  reference: ReferenceData,
  findings: Findings,
  walk: Walk,
  seals: readonly SealRow[],
): Promise<void> {
  const ids = seals.flatMap((seal) =>
    Array.from({ length: seal.transfers }, (_, i) =>
      idInShard(seal.first_transfer + i, walk.shard),
    ),
  );
  const found = await readTransfers(db, reference, ids);
  for (const seal of seals) {
    for (let i = 0; i < seal.transfers && !findings.isFull(); i++) {
      const id = idInShard(seal.first_transfer + i, walk.shard);
      const leaf = seal.leaves.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES);
      const transfer = found.get(id);
      if (!transfer) findings.add('chain', `transfer ${id}`, 'is missing');
      else
        for (const { row, detail } of await examine(
          db,
          transfer,
          leaf,
          `${walk.shard}/${seal.position}`,
        ))
          findings.add('chain', row, detail);
    }
  }
}

async function checkSteps(
  db: Db,
  reference: ReferenceData,
  findings: Findings,
  walk: Walk,
  seals: readonly SealRow[],
): Promise<void> {
  const ids = seals.flatMap((seal) =>
    Array.from({ length: seal.steps }, (_, i) => idInShard(seal.first_step + i, walk.shard)),
  );
  const found = await readSteps(db, reference, ids);
  for (const seal of seals) {
    for (let i = 0; i < seal.steps; i++) {
      const id = idInShard(seal.first_step + i, walk.shard);
      const at = (seal.transfers + i) * LEAF_BYTES;
      const step = found.get(id);
      if (!step) findings.add('chain', `hold_step ${id}`, 'is missing');
      else if (step.kind === 'place' && !step.terms)
        findings.add('chain', `hold ${step.holdId}`, 'is missing');
      else if (
        !leafOf(stepLine(step, step.createdAt_us)).equals(seal.leaves.subarray(at, at + LEAF_BYTES))
      )
        findings.add(
          'chain',
          `hold_step ${id}`,
          `or hold ${step.holdId} does not agree with seal ${walk.shard}/${seal.position}`,
        );
    }
  }
}

function isEnd(walk: Walk, end: ShardRow | undefined): boolean {
  return (
    end?.seals === walk.seals &&
    end.transfers === walk.transfers &&
    end.steps === walk.steps &&
    end.mac.equals(walk.mac)
  );
}

/** Takes the next seals of a shard as far as they follow from each other; true when there may be more. */
async function advance(
  db: Db,
  key: KeyObject,
  reference: ReferenceData,
  findings: Findings,
  walk: Walk,
  end: ShardRow | undefined,
): Promise<boolean> {
  const rows = await readSeals(db, walk);
  const good: SealRow[] = [];
  const start = { ...walk };
  let problem: string | undefined;
  for (const seal of rows) {
    problem = checkSeal(key, walk, seal);
    if (problem) break;
    good.push(seal);
    walk.seals = seal.position;
    walk.transfers += seal.transfers;
    walk.steps += seal.steps;
    walk.mac = seal.mac;
  }
  await checkTransfers(db, reference, findings, start, good);
  await checkSteps(db, reference, findings, start, good);
  // What stands behind the end was put there by somebody else; nothing is missing before it.
  if (problem && !isEnd(walk, end))
    findings.add('chain', `seal ${walk.shard}/${walk.seals + 1}`, problem);
  return problem === undefined && rows.length === SEALS_AT_ONCE;
}

function checkEnd(findings: Findings, walk: Walk, end: ShardRow | undefined): void {
  if (!end) findings.add('chain', `ledger_shard ${walk.shard}`, 'is missing');
  else if (end.seals > walk.seals)
    findings.add('chain', `seal ${walk.shard}/${walk.seals + 1}`, 'is missing');
  else if (!isEnd(walk, end))
    findings.add('chain', `ledger_shard ${walk.shard}`, 'does not agree with its last seal');
}

/** Shards are a number that never changes: what stands in another one is read by no replay. */
const STRANGERS = `with shard as (select * from ledger_shard where shard between 0 and ${SHARDS - 1})
  select 'ledger_shard ' || shard as row, 'is none of the ledger' as detail from ledger_shard where shard not between 0 and ${SHARDS - 1}
  union all select 'transfer ' || id, 'was never sealed' from transfer t left join shard l on l.shard = (greatest(t.id, 1) - 1) % ${SHARDS}
    where t.id <= 0 or t.may_overdraw is null or l.shard is null or (greatest(t.id, 1) - 1) / ${SHARDS} >= l.transfers
  union all select 'hold_step ' || id, 'was never sealed' from hold_step s left join shard l on l.shard = (greatest(s.id, 1) - 1) % ${SHARDS}
    where s.id <= 0 or l.shard is null or (greatest(s.id, 1) - 1) / ${SHARDS} >= l.steps
  union all select 'seal ' || s.shard || '/' || s.position, 'was never sealed' from batch_seal s left join shard l on l.shard = s.shard
    where l.shard is null or s.position < 1 or s.position > l.seals
  limit 20`;

/** Replays every shard. */
export async function verifyChain(
  db: Db,
  key: KeyObject,
  reference: ReferenceData,
  findings: Findings,
): Promise<ChainCounts> {
  const counts = { transfers: 0, seals: 0 };
  for (let shard = 0; shard < SHARDS; shard++) {
    const walk: Walk = { shard, seals: 0, transfers: 0, steps: 0, mac: Buffer.alloc(0) };
    const before = findings.all.length;
    const end = await readShard(db, shard);
    while (await advance(db, key, reference, findings, walk, end));
    if (findings.all.length === before) checkEnd(findings, walk, end);
    counts.transfers += walk.transfers;
    counts.seals += walk.seals;
  }
  for (const { row, detail } of (await db.query<{ row: string; detail: string }>(STRANGERS)).rows)
    findings.add('chain', row, detail);
  return counts;
}
