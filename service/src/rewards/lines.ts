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

/** Columns of a line. */
export const LINES = `select l.batch_id as "batchId", l.leaf, l.hour, l.user_id as "userId", l.device_id as "deviceId", l.rule_version as "ruleVersion",
    r.body_hash as "ruleHash", l.level, l.part, l.reward_type as "rewardType", l.status, l.node_id as "nodeId", l.referee_id as "refereeId", l.quantity, l.rate,
    l.settled_before as "settledBefore", l.amount, l.reason
  from reward_line l join reward_rules r on r.version = l.rule_version`;

/** Leaves from `first` on, in order. */
export async function readLines(db: Db, batchId: number, first: number, count: number): Promise<Line[]> {
  const { rows } = await db.prepared<Line>('reward-lines', `${LINES} where l.batch_id = $1 and l.leaf >= $2 and l.leaf < $3 order by l.leaf`, [
    batchId,
    first,
    first + count,
  ]);
  return rows;
}

/**
 * What is hashed of a line: everything but the referee, who is the business of the referrer only as far as the reward shows.
 * @param billId the bill that paid it; 0: none did
 */
export function lineContent(line: Omit<Line, 'refereeId' | 'deviceId'>, billId: number): string {
  const { batchId, leaf, hour, userId, nodeId, rewardType, level, part, status, quantity, rate, settledBefore, amount, reason, ruleVersion, ruleHash } = line;
  const what = [userId, nodeId, rewardType, level, part, status, quantity, rate, settledBefore, amount, reason ?? ''];
  return JSON.stringify(['edge-account reward line 2', batchId, leaf, hour.toISOString(), ruleVersion, ruleHash, ...what, billId]);
}

/** The salt of a leaf: 128 bits that tell nothing to who does not know the key of the batch. */
export function saltOf(saltKey: Buffer, leaf: number): Buffer {
  const index = Buffer.alloc(8);
  index.writeBigUInt64BE(BigInt(leaf));
  return hash('sha256', Buffer.concat([saltKey, index]), 'buffer').subarray(0, SALT_BYTES);
}

/** The bills that paid lines, by their leaves. */
export type BillIds = ReadonlyMap<number, number>;

const BILLS = `select l.leaf, t.id * 2 + case when l.amount > 0 then 0 else 1 end as bill
  from reward_line l join transfer t on t.idem = 'reward:' || l.batch_id || ':' || l.leaf
  where l.batch_id = $1 and l.leaf >= $2 and l.leaf < $3 and l.status = 'paid'`;

/** The bills of leaves from `first` on, as the ledger has them now. */
export async function readBillIds(db: Db, batchId: number, first: number, count: number): Promise<BillIds> {
  const { rows } = await db.query<{ leaf: number; bill: number }>(BILLS, [batchId, first, first + count]);
  return new Map(rows.map(({ leaf, bill }) => [leaf, bill]));
}

export function hashLine(saltKey: Buffer, line: Line, bills: BillIds): Buffer {
  return hashLeaf(saltOf(saltKey, line.leaf), lineContent(line, bills.get(line.leaf) ?? 0));
}

/** Roots of the subtrees that the lines fill; they begin at the first leaf of a subtree. */
export function chunkRoots(saltKey: Buffer, lines: readonly Line[], bills: BillIds): Buffer[] {
  const hashes = lines.map((line) => hashLine(saltKey, line, bills));
  return Array.from({ length: Math.ceil(hashes.length / CHUNK) }, (_, n) => rootOf(hashes.slice(n * CHUNK, (n + 1) * CHUNK)));
}
