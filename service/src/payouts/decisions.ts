/**
 * The audit log of payouts: who decided what, and when. Each row is sealed with a keyed hash over
 * itself and the row before, as the ledger seals its batches: a changed, removed or added row
 * breaks the chain.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import {
  ADVISORY_LOCKS,
  type Database,
  type Db,
  PerDatabase,
  queryNamed,
  type Transaction,
  takeLock,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import { toCanonicalJson } from './document.ts';

export type DecisionKind =
  | 'approved'
  | 'approved_by_policy'
  | 'rejected'
  | 'refused_by_signer'
  | 'paid_after_refund'
  | 'released_to_queue'
  | 'returned_to_review'
  | 'mismatch_accepted'
  | 'mismatch_refunded'
  | 'currency_stopped'
  | 'currency_resumed'
  | 'policy_changed';

export interface NewDecision {
  readonly payoutId?: number;
  readonly decision: DecisionKind;
  /** `user:1`, `client:id`, `policy:3`, `signer:id`, `chain:code`, `service:step`. */
  readonly decidedBy: string;
  /** Of a person. */
  readonly userId?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly assertion?: AuthenticationResponseJSON;
}

export interface Decision {
  readonly position: number;
  readonly payout_id: number | null;
  readonly decision: DecisionKind;
  readonly decided_by: string;
  readonly user_id: number | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly assertion: { readonly id?: string } | null;
  readonly created_at: Date;
}

const keys = new PerDatabase<KeyObject>('installDecisions');

/** Gives the log its key; before the first decision. */
export function installDecisions(database: Database, masterKey: MasterKey): void {
  keys.set(database, createSecretKey(masterKey.derive('payout-decisions')));
}

const FIRST = Buffer.alloc(32);

function seal(key: KeyObject, before: Buffer, decision: Decision): Buffer {
  const text = toCanonicalJson({ ...decision, created_at: decision.created_at.toISOString() });
  return createHmac('sha256', key).update(before).update(text).digest();
}

/**
 * Decisions follow each other, so one is written at a time. Take the lock before any row of a
 * payout, always in this order.
 */
export function lockDecisions(tx: Transaction): Promise<void> {
  return takeLock(tx, ADVISORY_LOCKS.payoutDecisions);
}

/** A place in the log, with its seal in hexadecimal. */
interface Place {
  readonly position: number;
  readonly mac: string;
}

/**
 * The end of the log, or the entry at a position. Undefined: the log has no such entry.
 */
export async function readPlace(db: Db, position?: number): Promise<Place | undefined> {
  if (position === 0) return { position, mac: FIRST.toString('hex') };
  const { rows } = await db.query<{ position: number; mac: Buffer }>(
    `select position, mac from payout_decision where position = coalesce($1, position)
     order by position desc limit 1`,
    [position ?? null],
  );
  const [row] = rows;
  if (!row) return position === undefined ? readPlace(db, 0) : undefined;
  return { position: row.position, mac: row.mac.toString('hex') };
}

/**
 * Where the log ends, under a seal of its own: without it, entries could be removed from its
 * end unnoticed.
 */
const sealEnd = (key: KeyObject, { position, mac }: Place): Buffer =>
  createHmac('sha256', key).update(`end ${position} ${mac}`).digest();

async function writeEnd(tx: Transaction, position: number, mac: Buffer): Promise<void> {
  const end = sealEnd(keys.get(tx), { position, mac: mac.toString('hex') });
  await queryNamed(
    tx,
    `insert into payout_decision_end (only_row, position, seal) values (true, :position, :end)
     on conflict (only_row) do update set position = excluded.position, seal = excluded.seal`,
    { position, end },
  );
}

const INSERT_DECISION = `insert into payout_decision (position, payout_id, decision, decided_by,
    user_id, details, assertion, created_at, mac)
  values (:position, :payout_id, :decision, :decided_by, :user_id, :details::text::jsonb,
    :assertion::text::jsonb, :created_at, :mac)`;

/** Writes decisions in their order; the caller holds the lock. */
export async function recordDecisions(
  tx: Transaction,
  clock: Clock,
  decisions: readonly NewDecision[],
): Promise<void> {
  const { rows } = await tx.query<{ position: number; mac: Buffer }>(
    'select position, mac from payout_decision order by position desc limit 1',
  );
  if (decisions.length === 0) return;
  let { position, mac } = rows[0] ?? { position: 0, mac: FIRST };
  for (const { payoutId, decision, decidedBy, userId, details = {}, assertion } of decisions) {
    const row: Decision = {
      position: ++position,
      payout_id: payoutId ?? null,
      decision,
      decided_by: decidedBy,
      user_id: userId ?? null,
      details,
      assertion: assertion ?? null,
      created_at: clock.now(),
    };
    mac = seal(keys.get(tx), mac, row);
    await queryNamed(tx, INSERT_DECISION, {
      ...row,
      details: JSON.stringify(row.details),
      assertion: row.assertion && JSON.stringify(row.assertion),
      mac,
    });
  }
  await writeEnd(tx, position, mac);
}

/** Writes one decision; the caller holds the lock. */
export function recordDecision(
  tx: Transaction,
  clock: Clock,
  decision: NewDecision,
): Promise<void> {
  return recordDecisions(tx, clock, [decision]);
}

const COLUMNS = `position, payout_id, decision, decided_by, user_id, details, assertion,
  created_at`;

/** The decisions about payouts, in their order. */
export async function listDecisions(db: Db, payoutIds: readonly number[]): Promise<Decision[]> {
  const { rows } = await db.query<Decision>(
    `select ${COLUMNS} from payout_decision where payout_id = any($1::bigint[]) order by position`,
    [payoutIds],
  );
  return rows;
}

/** True for an approval of the document that a payout has now. */
export const approves = (
  { payout_id, decision, details }: Decision,
  { id, document_hash }: { readonly id: number; readonly document_hash: string },
): boolean =>
  payout_id === id && decision === 'approved' && details.document_hash === document_hash;

export interface DecisionsReport {
  readonly decisions: number;
  readonly problems: readonly string[];
}

const PAGE_ROWS = 1000;

interface End {
  readonly position: number;
  readonly seal: Buffer;
}

/** Where the log ended at least, when it was read: entries may come meanwhile. */
async function readEnd(db: Db): Promise<End | undefined> {
  return (await db.query<End>('select position, seal from payout_decision_end')).rows[0];
}

/**
 * Recomputes the chain of seals, and looks whether the log still has the end that was sealed. A log
 * from before ends were sealed gets its end with the next decision.
 */
export async function verifyDecisions(db: Db): Promise<DecisionsReport> {
  const key = keys.get(db);
  const end = await readEnd(db);
  let before: Buffer = FIRST;
  let position = 0;
  let isEndFound = false;
  for (;;) {
    const { rows } = await db.query<Decision & { mac: Buffer }>(
      `select ${COLUMNS}, mac from payout_decision where position > $1 order by position
        limit ${PAGE_ROWS}`,
      [position],
    );
    for (const { mac, ...row } of rows) {
      if (row.position !== position + 1)
        return { decisions: position, problems: [`decision ${position + 1} is missing`] };
      if (!seal(key, before, row).equals(mac))
        return { decisions: position, problems: [`decision ${row.position} was changed`] };
      before = mac;
      position = row.position;
      if (position === end?.position)
        isEndFound = sealEnd(key, { position, mac: mac.toString('hex') }).equals(end.seal);
    }
    if (rows.length === PAGE_ROWS) continue;
    const isWhole = end ? isEndFound : position === 0;
    const problem = `the log of decisions does not end where it was sealed, at ${end?.position}`;
    return { decisions: position, problems: isWhole ? [] : [problem] };
  }
}
