/** Lines of a settlement as they are stored, and as they are hashed. */
import { hash } from 'node:crypto';
import { type Db, defineStatement, execute, executeUnprepared, queryNamed } from '../db/index.ts';
import type { Part } from './buckets.ts';
import { dayBillKeySql } from './day-bills.ts';
import { hashLeaf, rootOf } from './merkle.ts';

/**
 * Leaves of one stored subtree; a power of two, so that the roots of subtrees make the whole tree.
 */
export const CHUNK = 512;
const SALT_BYTES = 16;
/** Ids of a user's wallets are those of the user times this, and what follows. */
export const WALLETS_PER_USER = 32;

export interface Line {
  readonly settlementId: number;
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
  /** SHA-256 of its reports; null: none, or settled before reports were recorded. */
  readonly reportsHash: string | null;
}

/** How leaves are hashed: 3 commits to reports and referee, 2 was before. */
export type LeafFormat = 2 | 3;

/** An older version of the service may have computed the lines without recording reports. */
function leafFormatOf(lines: readonly Line[]): LeafFormat {
  return lines.every(
    ({ rewardType, reportsHash }) =>
      reportsHash !== null || (rewardType !== 'TRAFFIC' && rewardType !== 'PENALTY'),
  )
    ? 3
    : 2;
}

/** Columns of a line that are the same wherever it is read. */
export const LINE_COLUMNS = `l.batch_id as "settlementId", l.leaf, l.hour, l.user_id as "userId",
    l.device_id as "deviceId", l.rule_version as "ruleVersion", r.body_hash as "ruleHash",
    l.level, l.part, l.reward_type as "rewardType", l.node_id as "nodeId",
    l.referee_id as "refereeId", l.quantity, l.rate, l.settled_before as "settledBefore",
    l.amount, encode(l.reports_hash, 'hex') as "reportsHash"`;
const LINES_FROM = `reward_line l join reward_rules r on r.version = l.rule_version`;

const READ_LINES = defineStatement(
  'reward_lines',
  `select ${LINE_COLUMNS}, l.status, l.reason from ${LINES_FROM}
  where l.batch_id = :batch and l.leaf >= :first and l.leaf < :end order by l.leaf`,
);

/** Idempotency key of the posting of a line: it leads from a bill to the line. */
export function lineKey(settlementId: number, leaf: number): string {
  return `reward:${settlementId}:${leaf}`;
}
/** `lineKey` in SQL. */
export const lineKeySql = (line: string): string =>
  `'reward:' || ${line}.batch_id || ':' || ${line}.leaf`;

/**
 * In SQL, the idempotency key of the posting that pays a line.
 * @param settlement its settlement, a row of `reward_batch`
 */
export const postingKeySql = (line: string, settlement: string): string =>
  `case when ${settlement}.payment_id is null then ${lineKeySql(line)}
      else ${dayBillKeySql(line, `${settlement}.payment_id`)} end`;

/** In SQL, the bill that a transfer is for a user. */
export const billIdSql = (transfer: string, user: string): string =>
  `(${transfer}.id * 2 + case when ${transfer}.credit_wallet / ${WALLETS_PER_USER} = ${user} then 0
      else 1 end)`;

/** Settlement and leaf of a posting; undefined when it is not of a reward that rules paid. */
export function parseLineKey(
  idempotencyKey: string,
): { settlementId: number; leaf: number } | undefined {
  const match = /^reward:(\d{1,15}):(\d{1,15})$/.exec(idempotencyKey);
  return match ? { settlementId: Number(match[1]), leaf: Number(match[2]) } : undefined;
}

/** Leaves from `first` on, in order. */
export async function readLines(
  db: Db,
  settlementId: number,
  first: number,
  count: number,
): Promise<Line[]> {
  const values = { batch: settlementId, first, end: first + count };
  return (await execute<Line>(db, READ_LINES, values)).rows;
}

function withIndex(saltKey: Buffer, leaf: number): Buffer {
  const index = Buffer.alloc(8);
  index.writeBigUInt64BE(BigInt(leaf));
  return Buffer.concat([saltKey, index]);
}

/** The salt of a leaf: 128 bits that cannot be computed without the key of the settlement. */
export function saltOf(saltKey: Buffer, leaf: number): Buffer {
  return hash('sha256', withIndex(saltKey, leaf), 'buffer').subarray(0, SALT_BYTES);
}

/**
 * Commits to the referee of a released line without disclosing the user: the referrer, who gets the
 * proof, must not learn it. Empty: the line has no single referee.
 */
export function refereeCommitment(saltKey: Buffer, leaf: number, refereeId: number | null): string {
  return refereeId === null
    ? ''
    : hash(
        'sha256',
        Buffer.concat([withIndex(saltKey, leaf), Buffer.from(`referee ${refereeId}`)]),
        'hex',
      );
}

/**
 * What is hashed of a line.
 * @param billId the bill that paid it; 0: none did
 */
function lineContent(saltKey: Buffer, line: Line, billId: number, format: LeafFormat): string {
  const {
    settlementId,
    leaf,
    hour,
    userId,
    nodeId,
    rewardType,
    level,
    part,
    status,
    quantity,
    rate,
    settledBefore,
    amount,
    reason,
    ruleVersion,
    ruleHash,
  } = line;
  const content = [
    userId,
    nodeId,
    rewardType,
    level,
    part,
    status,
    quantity,
    rate,
    settledBefore,
    amount,
    reason ?? '',
  ];
  const evidence =
    format === 2 ? [] : [line.reportsHash ?? '', refereeCommitment(saltKey, leaf, line.refereeId)];
  return JSON.stringify([
    `edge-account reward line ${format}`,
    settlementId,
    leaf,
    hour.toISOString(),
    ruleVersion,
    ruleHash,
    ...content,
    ...evidence,
    billId,
  ]);
}

/** The bills that paid lines, by their leaves. */
export type BillIds = ReadonlyMap<number, number>;

/** A refused line has no bill: a transfer under its key is of another request. */
const BILLS = defineStatement(
  'reward_line_bills',
  `select l.leaf, ${billIdSql('t', 'l.user_id')} as bill
  from reward_batch b
    join reward_line l on l.batch_id = b.id
    join transfer t on t.idempotency_key = ${postingKeySql('l', 'b')}
  where b.id = :batch and l.leaf >= :first and l.leaf < :end and l.status = 'paid'
    and not exists (
      select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf
    )`,
);

/** The bills of leaves from `first` on, as the ledger has them now. */
export async function readBillIds(
  db: Db,
  settlementId: number,
  first: number,
  count: number,
): Promise<BillIds> {
  const values = { batch: settlementId, first, end: first + count };
  const { rows } = await executeUnprepared<{ leaf: number; bill: number }>(db, BILLS, values);
  return new Map(rows.map(({ leaf, bill }) => [leaf, bill]));
}

/** The root over some lines, and how they were hashed. */
export interface Chunk {
  readonly root: Buffer;
  readonly format: LeafFormat;
}

/** The stored subtrees of some leaves of a settlement, in their order. */
export async function readChunks(
  db: Db,
  settlementId: number,
  { first, lines }: Pick<Part, 'first' | 'lines'>,
): Promise<Chunk[]> {
  return (
    await queryNamed<Chunk>(
      db,
      `select root, leaf_format as format from reward_chunk
        where batch_id = :batch_id and chunk >= :first and chunk < :end order by chunk`,
      { batch_id: settlementId, first: first / CHUNK, end: Math.ceil((first + lines) / CHUNK) },
    )
  ).rows;
}

export function hashLines(
  saltKey: Buffer,
  lines: readonly Line[],
  bills: BillIds,
  format: LeafFormat,
): Buffer[] {
  return lines.map((line) =>
    hashLeaf(
      saltOf(saltKey, line.leaf),
      lineContent(saltKey, line, bills.get(line.leaf) ?? 0, format),
    ),
  );
}

/** The subtrees that the lines fill; they begin at the first leaf of one. */
export function hashChunks(saltKey: Buffer, lines: readonly Line[], bills: BillIds): Chunk[] {
  return Array.from({ length: Math.ceil(lines.length / CHUNK) }, (_, n) => {
    const some = lines.slice(n * CHUNK, (n + 1) * CHUNK);
    const format = leafFormatOf(some);
    return { root: rootOf(hashLines(saltKey, some, bills, format)), format };
  });
}
