/** Reads the batches between two heads, and refuses what their seals do not cover. */
import type { KeyObject } from 'node:crypto';
import type { Db } from '../../db/index.ts';
import type { ReferenceData } from '../reference-data.ts';
import { LEAF_BYTES } from '../seal.ts';
import { readTransfers } from '../verify/read-sealed.ts';
import { readRefusals, readSteps } from '../verify/read-sealed-steps.ts';
import { checkSeal, readSeals } from '../verify/verify-chain.ts';
import { countRefusals, type SealRow, type Walk } from '../verify/verify-rows.ts';
import { idInShard } from '../wallet-ids.ts';
import type { ShardPlace } from './archive-label.ts';
import { type ArchivedRow, computeLeaf, type SealedBatch, type SealedRow } from './sealed-batch.ts';

/** The ledger does not agree with its seals or heads: nothing is signed over it. */
export class LedgerDisagrees extends Error {
  constructor(
    row: string,
    problem = 'does not agree with the seals of the ledger: run edge-account verify',
  ) {
    super(`${row} ${problem}`);
    this.name = 'LedgerDisagrees';
  }
}

/** Of each shard; a seal covers up to some hundred rows, all of which are in memory. */
const SEALS_AT_ONCE = 2;

export interface ReadSource {
  readonly db: Db;
  readonly key: KeyObject;
  readonly reference: ReferenceData;
}

const range = (first: number, count: number, shard: number): number[] =>
  Array.from({ length: count }, (_, i) => idInShard(first + i, shard));

type SealedRows = ReadonlyMap<string, SealedRow>;

/** Every row under some seals, by kind and number. */
async function readRows(
  { db, reference }: ReadSource,
  walk: Walk,
  seals: readonly SealRow[],
): Promise<SealedRows> {
  const { shard } = walk;
  const refusals = seals.reduce((sum, seal) => sum + countRefusals(seal), 0);
  const transfers = await readTransfers(
    db,
    reference,
    seals.flatMap((seal) => range(seal.first_transfer, seal.transfers, shard)),
  );
  const steps = await readSteps(
    db,
    reference,
    seals.flatMap((seal) => range(seal.first_step, seal.steps, shard)),
  );
  const refused = await readRefusals(db, range(walk.refusals, refusals, shard));
  const rows = new Map<string, SealedRow>();
  for (const [id, { sealed, wrongEntries }] of transfers) {
    if (wrongEntries[0]) throw new LedgerDisagrees(wrongEntries[0].row);
    rows.set(`transfer ${id}`, { kind: 'transfer', row: sealed });
  }
  for (const [id, row] of steps) rows.set(`hold_step ${id}`, { kind: 'hold_step', row });
  for (const [id, row] of refused) rows.set(`refusal ${id}`, { kind: 'refusal', row });
  return rows;
}

/** The rows of a seal in the order of its leaves, each compared with its own. */
function takeRows(walk: Walk, seal: SealRow, rows: SealedRows): ArchivedRow[] {
  const names = [
    ...range(seal.first_transfer, seal.transfers, walk.shard).map((id) => `transfer ${id}`),
    ...range(seal.first_step, seal.steps, walk.shard).map((id) => `hold_step ${id}`),
    ...range(walk.refusals, countRefusals(seal), walk.shard).map((id) => `refusal ${id}`),
  ];
  return names.map((name, i) => {
    const sealed = rows.get(name);
    const leaf = seal.leaves.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES);
    if (!sealed || sealed.row.createdAt_us !== seal.created_us || !computeLeaf(sealed).equals(leaf))
      throw new LedgerDisagrees(name);
    return { sealed, leaf };
  });
}

/** Takes one seal: the walk stands behind it afterwards. @throws LedgerDisagrees */
function takeBatch(key: KeyObject, walk: Walk, seal: SealRow, rows: SealedRows): SealedBatch {
  const problem = checkSeal(key, walk, seal);
  if (problem) throw new LedgerDisagrees(`seal ${walk.shard}/${walk.seals + 1}`);
  const batch: SealedBatch = {
    head: {
      shard: walk.shard,
      position: seal.position,
      firstTransfer: seal.first_transfer,
      transfers: seal.transfers,
      firstStep: seal.first_step,
      steps: seal.steps,
      createdAt_us: seal.created_us,
    },
    rows: takeRows(walk, seal, rows),
  };
  walk.seals = seal.position;
  walk.transfers += seal.transfers;
  walk.steps += seal.steps;
  walk.refusals += countRefusals(seal);
  walk.mac = seal.mac;
  return batch;
}

/**
 * The batches of a shard between two places, in their order.
 * @throws LedgerDisagrees for what its seal does not cover, or when the end is not that of the head
 */
export async function* readBatches(
  source: ReadSource,
  from: ShardPlace,
  to: ShardPlace,
): AsyncGenerator<SealedBatch> {
  const walk: Walk = { ...from, mac: Buffer.from(from.mac, 'hex') };
  while (walk.seals < to.seals) {
    const read = await readSeals(source.db, walk, SEALS_AT_ONCE);
    const seals = read.filter(({ position }) => position <= to.seals);
    if (seals.length === 0) throw new LedgerDisagrees(`seal ${walk.shard}/${walk.seals + 1}`);
    const rows = await readRows(source, walk, seals);
    for (const seal of seals) yield takeBatch(source.key, walk, seal, rows);
  }
  if (walk.seals !== to.seals || walk.mac.toString('hex') !== to.mac)
    throw new LedgerDisagrees(`seal ${walk.shard}/${to.seals}`);
}

/** The batches of all shards in the order of time. */
export async function* mergeByTime(
  shards: readonly AsyncGenerator<SealedBatch>[],
): AsyncGenerator<SealedBatch> {
  const heads = await Promise.all(
    shards.map(async (shard) => ({ shard, next: await shard.next() })),
  );
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads)
      if (!head.next.done && (!first || isBefore(head.next, first.next))) first = head;
    if (!first || first.next.done) return;
    yield first.next.value;
    first.next = await first.shard.next();
  }
}

function isBefore(a: IteratorResult<SealedBatch>, b: IteratorResult<SealedBatch>): boolean {
  return !a.done && (b.done === true || a.value.head.createdAt_us < b.value.head.createdAt_us);
}
