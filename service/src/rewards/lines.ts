/** Lines of a batch as they are stored, and as they are hashed. */
import { hash } from 'node:crypto';
import type { Db } from '../db/index.ts';
import { hashLeaf, rootOf } from './merkle.ts';

/** Leaves of one stored subtree; a power of two, so that the roots of subtrees make the whole tree. */
export const CHUNK = 512;
const SALT_BYTES = 16;

export interface Line {
  readonly batchId: number;
  /** From 0. */
  readonly leaf: number;
  readonly hour: Date;
  readonly userId: number;
  readonly deviceId: number | null;
  readonly ruleVersion: number;
  /** SHA-256 of the rules' text. */
  readonly ruleHash: string;
  readonly level: number;
  readonly part: string;
  readonly rewardType: string;
  readonly status: 'paid' | 'held' | 'rejected';
  readonly nodeId: string;
  readonly refereeId: number | null;
  /** The numbers are decimal text: they may be beyond 2^53. */
  readonly quantity: string;
  readonly rate: string;
  readonly settledBefore: string;
  readonly amount: string;
  readonly reason: string | null;
}

const SELECT = `select l.batch_id as "batchId", l.leaf, l.hour, l.user_id as "userId", l.device_id as "deviceId", l.rule_version as "ruleVersion",
    r.body_hash as "ruleHash", l.level, l.part, l.reward_type as "rewardType", l.status, l.node_id as "nodeId", l.referee_id as "refereeId", l.quantity, l.rate,
    l.settled_before as "settledBefore", l.amount, l.reason
  from reward_line l join reward_rules r on r.version = l.rule_version`;

/** Leaves from `first` on, in order. */
export async function readLines(db: Db, batchId: number, first: number, count: number): Promise<Line[]> {
  const { rows } = await db.prepared<Line>('reward-lines', `${SELECT} where l.batch_id = $1 and l.leaf >= $2 and l.leaf < $3 order by l.leaf`, [
    batchId,
    first,
    first + count,
  ]);
  return rows;
}

/** What is hashed of a line: everything but the referee, who is the business of the referrer only as far as the reward shows. */
export function lineContent(line: Omit<Line, 'refereeId' | 'deviceId'>): string {
  const { batchId, leaf, hour, userId, nodeId, rewardType, level, part, status, quantity, rate, settledBefore, amount, reason, ruleVersion, ruleHash } = line;
  const what = [userId, nodeId, rewardType, level, part, status, quantity, rate, settledBefore, amount, reason ?? ''];
  return JSON.stringify(['edge-account reward line 1', batchId, leaf, hour.toISOString(), ruleVersion, ruleHash, ...what]);
}

export interface LineFilter {
  readonly userId: number;
  readonly status?: Line['status'] | undefined;
  readonly rewardType?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
}

/** A person's lines, newest hour first: a page, and how many there are. */
export async function listLines(
  db: Db,
  filter: LineFilter,
  current: number,
  size: number,
): Promise<{ lines: (Line & { billId: number | null })[]; total: number }> {
  const where = `l.user_id = $1 and ($2::text is null or l.status = $2) and ($3::text is null or l.reward_type = $3) and ($4::text is null or l.node_id = $4)
    and l.hour >= coalesce($5::timestamptz, '-infinity') and l.hour < coalesce($6::timestamptz, 'infinity')
    and exists (select from reward_chunk c where c.batch_id = l.batch_id and c.chunk = l.leaf / ${CHUNK})`;
  const values = [filter.userId, filter.status ?? null, filter.rewardType ?? null, filter.nodeId ?? null, filter.from ?? null, filter.before ?? null];
  const { rows: counts } = await db.query<{ n: number }>(`select count(*) as n from reward_line l where ${where}`, values);
  const bill = `(select t.id * 2 + case when l.amount > 0 then 0 else 1 end from transfer t where t.idem = 'reward:' || l.batch_id || ':' || l.leaf) as "billId"`;
  const page = `${SELECT.replace('select ', `select ${bill}, `)} where ${where} order by l.hour desc, l.batch_id desc, l.leaf desc limit $7 offset $8`;
  const { rows } = await db.query<Line & { billId: number | null }>(page, [...values, size, (current - 1) * size]);
  return { lines: rows, total: counts[0]?.n ?? 0 };
}

/** The salt of a leaf: 128 bits that tell nothing to who does not know the key of the batch. */
export function saltOf(saltKey: Buffer, leaf: number): Buffer {
  const index = Buffer.alloc(8);
  index.writeBigUInt64BE(BigInt(leaf));
  return hash('sha256', Buffer.concat([saltKey, index]), 'buffer').subarray(0, SALT_BYTES);
}

export function hashLine(saltKey: Buffer, line: Line): Buffer {
  return hashLeaf(saltOf(saltKey, line.leaf), lineContent(line));
}

/** Roots of the subtrees that the lines fill; they begin at the first leaf of a subtree. */
export function chunkRoots(saltKey: Buffer, lines: readonly Line[]): Buffer[] {
  const hashes = lines.map((line) => hashLine(saltKey, line));
  return Array.from({ length: Math.ceil(hashes.length / CHUNK) }, (_, n) => rootOf(hashes.slice(n * CHUNK, (n + 1) * CHUNK)));
}
