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

const FIELDS = `batch_id as "batchId", leaf, hour, user_id as "userId", device_id as "deviceId", rule_version as "ruleVersion", level, part,
  reward_type as "rewardType", status, node_id as "nodeId", referee_id as "refereeId", quantity, rate, settled_before as "settledBefore", amount, reason`;

/** Leaves from `first` on, in order. */
export async function readLines(db: Db, batchId: number, first: number, count: number): Promise<Line[]> {
  const { rows } = await db.prepared<Line>('reward-lines', `select ${FIELDS} from reward_line where batch_id = $1 and leaf >= $2 and leaf < $3 order by leaf`, [
    batchId,
    first,
    first + count,
  ]);
  return rows;
}

/** What is hashed of a line: everything but the referee, who is the business of the referrer only as far as the reward shows. */
export function lineContent(line: Omit<Line, 'refereeId' | 'deviceId'>): string {
  const { batchId, leaf, hour, userId, nodeId, rewardType, level, part, status, quantity, rate, settledBefore, amount, reason, ruleVersion } = line;
  const what = [userId, nodeId, rewardType, level, part, status, quantity, rate, settledBefore, amount, reason ?? ''];
  return JSON.stringify(['edge-account reward line 1', batchId, leaf, hour.toISOString(), ruleVersion, ...what]);
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
