/**
 * Replays the chain of every shard: each seal over the one before it, each row against its leaf.
 */
import type { KeyObject } from 'node:crypto';
import { type Db, queryNamed } from '../../db/index.ts';
import { EVERY_TRANSFER } from '../packed-entries.ts';
import { sealBatch } from '../seal.ts';
import { SHARDS } from '../wallet-ids.ts';
import type { Findings } from './findings.ts';
import { readNumber } from './stored-values.ts';
import {
  type Check,
  checkRefusals,
  checkSteps,
  checkTransfers,
  countRefusals,
  type SealRow,
  type Walk,
} from './verify-rows.ts';

interface ShardRow {
  readonly seals: number;
  readonly transfers: number;
  readonly steps: number;
  readonly refusals: number;
  readonly mac: Buffer;
}

type Texts<T, K extends keyof T> = Omit<T, K> & Readonly<Record<K, string | null>>;
type StoredSeal = Texts<SealRow, 'position' | 'first_transfer' | 'first_step' | 'created_us'>;
type StoredShard = Texts<ShardRow, 'seals' | 'transfers' | 'steps' | 'refusals'>;

interface ChainCheck extends Check {
  /** Key of the seals. */
  readonly key: KeyObject;
}

const SEALS_AT_ONCE = 100;
const SEALS = `select position::text, first_transfer::text, coalesce(transfers, -1) as transfers,
  first_step::text, coalesce(steps, -1) as steps,
    (extract(epoch from created_at) * 1000000)::text as created_us, coalesce(mac, '') as mac,
      coalesce(leaves, '') as leaves
  from batch_seal where shard = :shard and position > :seals order by batch_seal.position
    limit :limit`;
const SHARD = `select seals::text, transfers::text, steps::text, refusals::text,
    coalesce(mac, '') as mac from ledger_shard where shard = $1`;
/** The seals of a shard that follow a place, at most `limit`. */
export async function readSeals(
  db: Db,
  walk: Pick<Walk, 'shard' | 'seals'>,
  limit: number,
): Promise<SealRow[]> {
  const { rows } = await queryNamed<StoredSeal>(db, SEALS, {
    shard: walk.shard,
    seals: walk.seals,
    limit,
  });
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
      refusals: readNumber(row.refusals),
    }
  );
}

/** Why a seal does not follow from the one before it; undefined when it does. */
export function checkSeal(key: KeyObject, walk: Walk, seal: SealRow): string | undefined {
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
  const refusals = countRefusals(seal);
  const isWhole = refusals >= 0 && Number.isInteger(refusals);
  return isInOrder && isWhole && sealBatch(key, walk.mac, head, seal.leaves).equals(seal.mac)
    ? undefined
    : 'was changed';
}

function isEnd(walk: Walk, end: ShardRow | undefined): boolean {
  return (
    end?.seals === walk.seals &&
    end.transfers === walk.transfers &&
    end.steps === walk.steps &&
    end.refusals === walk.refusals &&
    end.mac.equals(walk.mac)
  );
}

/**
 * Takes the next seals of a shard as far as they follow from each other; true when there may be
 * more.
 */
async function advance(check: ChainCheck, walk: Walk, end: ShardRow | undefined): Promise<boolean> {
  const rows = await readSeals(check.db, walk, SEALS_AT_ONCE);
  const good: SealRow[] = [];
  const start = { ...walk };
  let problem: string | undefined;
  for (const seal of rows) {
    problem = checkSeal(check.key, walk, seal);
    if (problem) break;
    good.push(seal);
    walk.seals = seal.position;
    walk.transfers += seal.transfers;
    walk.steps += seal.steps;
    walk.refusals += countRefusals(seal);
    walk.mac = seal.mac;
  }
  await checkTransfers(check, start, good);
  await checkSteps(check, start, good);
  await checkRefusals(check, start, good);
  // What stands behind the end was not written by a posting; nothing is missing before it.
  if (problem && !isEnd(walk, end))
    check.findings.add('chain', `seal ${walk.shard}/${walk.seals + 1}`, problem);
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
const UNSEALED = `with shard as (select * from ledger_shard where shard between 0
  and ${SHARDS - 1})
  select 'ledger_shard ' || shard as row, 'is none of the ledger' as detail from ledger_shard
    where shard not between 0 and ${SHARDS - 1}
  union all select 'transfer ' || id, 'was never sealed' from ${EVERY_TRANSFER} t
    left join shard l on l.shard = (greatest(t.id, 1) - 1) % ${SHARDS}
    where t.id <= 0 or t.may_overdraw is null or l.shard is null
      or (greatest(t.id, 1) - 1) / ${SHARDS} >= l.transfers
  union all select 'hold_step ' || id, 'was never sealed' from hold_step s
    left join shard l on l.shard = (greatest(s.id, 1) - 1) % ${SHARDS}
    where s.id <= 0 or l.shard is null or (greatest(s.id, 1) - 1) / ${SHARDS} >= l.steps
  union all select 'refused_posting ' || id, 'was never sealed' from refused_posting r
    left join shard l on l.shard = (greatest(r.id, 1) - 1) % ${SHARDS}
    where r.id <= 0 or l.shard is null or (greatest(r.id, 1) - 1) / ${SHARDS} >= l.refusals
  union all select 'seal ' || s.shard || '/' || s.position, 'was never sealed' from batch_seal s
    left join shard l on l.shard = s.shard
    where l.shard is null or s.position < 1 or s.position > l.seals
  limit 20`;

const GENESIS: Omit<Walk, 'shard' | 'mac'> = { seals: 0, transfers: 0, steps: 0, refusals: 0 };

/**
 * Replays every shard.
 * @param from where each shard begins; absent: at its first seal
 * @returns where each shard ended
 */
export async function verifyChain(
  check: ChainCheck,
  from: ReadonlyMap<number, Walk> = new Map(),
): Promise<Walk[]> {
  const { db, findings } = check;
  const walks: Walk[] = [];
  for (let shard = 0; shard < SHARDS; shard++) {
    const walk: Walk = { ...GENESIS, mac: Buffer.alloc(0), ...from.get(shard), shard };
    const before = findings.all.length;
    const end = await readShard(db, shard);
    while (await advance(check, walk, end));
    if (findings.all.length === before) checkEnd(findings, walk, end);
    walks.push(walk);
  }
  return walks;
}

/** Finds rows that no replay of the chain reads. It reads every row. */
export async function findUnsealed({ db, findings }: Check): Promise<void> {
  for (const { row, detail } of (await db.query<{ row: string; detail: string }>(UNSEALED)).rows)
    findings.add('chain', row, detail);
}
