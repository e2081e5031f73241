/**
 * Compares signed heads with the chain: a shard that no longer reaches what a head says had its
 * tail cut off.
 */
import { hash, type KeyObject } from 'node:crypto';
import { readAuditPlace } from '../../audit/index.ts';
import { type Db, queryNamed } from '../../db/index.ts';
import { proveKeys } from '../ledger-keys.ts';
import { type HeadBody, isSignedBy, listHeads, type SignedHead } from '../signed-heads.ts';
import type { Findings } from './findings.ts';
import type { VerifiedPlace } from './verified-place.ts';
import { type KnownNames, noteNames } from './verify-reference-data.ts';

const HEADS_MAX = 100_000;

/** Where the shards and the audit log stood. */
type Place = Pick<HeadBody, 'shards' | 'audit'>;

export const hashOf = ({ body }: SignedHead): string => hash('sha256', body, 'base64url');

async function checkShards(db: Db, findings: Findings, name: string, body: Place): Promise<void> {
  for (const { shard, seals, mac } of body.shards) {
    if (seals === 0) continue;
    const row = (
      await queryNamed<{ mac: Buffer }>(
        db,
        `select coalesce(mac, '') as mac from batch_seal
         where shard = :shard and position = :seals`,
        { shard, seals },
      )
    ).rows[0];
    if (!row)
      findings.add(
        'heads',
        `seal ${shard}/${seals}`,
        `is in the ${name} but no longer in the ledger: its tail was cut off`,
      );
    else if (row.mac.toString('hex') !== mac)
      findings.add('heads', `seal ${shard}/${seals}`, `is another one than in the ${name}`);
  }
}

async function checkAudit(
  db: Db,
  findings: Findings,
  name: string,
  { audit }: Place,
): Promise<void> {
  if (!audit) return;
  const found = await readAuditPlace(db, audit.position);
  const row = `audit seal ${audit.position}`;
  if (!found)
    findings.add('heads', row, `is in the ${name} but no longer in the audit log: it was cut off`);
  else if (found.mac !== audit.mac)
    findings.add('heads', row, `is another one than in the ${name}`);
}

async function checkBody(db: Db, findings: Findings, name: string, body: Place): Promise<void> {
  await checkShards(db, findings, name, body);
  await checkAudit(db, findings, name, body);
}

/** The keys that heads may be signed with; readers outside check heads by the published keys. */
async function checkKeys(db: Db, findings: Findings): Promise<Map<string, KeyObject>> {
  const keys = new Map<string, KeyObject>();
  for (const { kid, publicKey, isPublishedTruly } of await proveKeys(db)) {
    if (publicKey) keys.set(kid, publicKey);
    if (!publicKey)
      findings.add('heads', `ledger_key ${kid}`, 'was changed: its private part does not open');
    else if (!isPublishedTruly)
      findings.add(
        'heads',
        `ledger_key ${kid}`,
        'was changed: what is published is not the public part of its private one',
      );
  }
  return keys;
}

interface HeadCheck {
  readonly db: Db;
  readonly findings: Findings;
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** Takes what heads name. */
  readonly names: KnownNames;
}

async function checkExported(
  { db, findings, keys, names }: HeadCheck,
  exported: readonly SignedHead[],
): Promise<void> {
  for (const head of exported) {
    const key = keys.get(head.kid);
    if (!key || !isSignedBy(key, head))
      findings.add('heads', `exported head of ${head.day}`, 'was not signed by this ledger');
    else {
      const body = JSON.parse(head.body) as HeadBody;
      noteNames(names, body);
      await checkBody(db, findings, `exported head of ${head.day}`, body);
    }
  }
}

/**
 * Follows stored heads, the oldest first.
 * @param before the hash of the head before them; null: there was none; undefined: not known
 */
async function followHeads(
  { db, findings, keys, names }: HeadCheck,
  stored: readonly SignedHead[],
  before: string | null | undefined,
): Promise<void> {
  let previous = before;
  for (const head of stored) {
    const key = keys.get(head.kid);
    if (!key || !isSignedBy(key, head))
      findings.add('heads', `ledger_head ${head.day}`, 'does not carry a valid signature');
    else {
      const body = JSON.parse(head.body) as HeadBody;
      const follows = previous === undefined || body.previous === previous;
      if (!follows || body.day !== head.day)
        findings.add('heads', `ledger_head ${head.day}`, 'does not follow the one before it');
      noteNames(names, body);
      await checkBody(db, findings, `head of ${head.day}`, body);
    }
    previous = hashOf(head);
  }
}

interface KeptHeads {
  /** Heads that were kept outside of the database. */
  readonly exported: readonly SignedHead[];
  /** Takes what heads name, the oldest first. */
  readonly names: KnownNames;
}

/** Every stored head, and the exported ones. @returns how many */
export async function verifyHeads(
  db: Db,
  findings: Findings,
  { exported, names }: KeptHeads,
): Promise<number> {
  const check = { db, findings, keys: await checkKeys(db, findings), names };
  const stored = (await listHeads(db, { limit: HEADS_MAX })).reverse();
  await followHeads(check, stored, null);
  await checkExported(check, exported);
  return stored.length + exported.length;
}

/**
 * The same for the last head that a verification has seen, and those behind it; and what the
 * verification has seen is compared with the chain as what a head says is.
 */
export async function verifyHeadsSince(
  db: Db,
  findings: Findings,
  place: VerifiedPlace,
  { exported, names }: KeptHeads,
): Promise<number> {
  const check = { db, findings, keys: await checkKeys(db, findings), names };
  const { head } = place;
  const stored = (await listHeads(db, { limit: HEADS_MAX, from: head?.day })).reverse();
  const [first] = stored;
  if (head && (first?.day !== head.day || hashOf(first) !== head.hash))
    findings.add('heads', `ledger_head ${head.day}`, 'is not the one that was verified before');
  await followHeads(check, stored, head ? undefined : null);
  await checkBody(db, findings, `verification of ${place.verified_until}`, place);
  await checkExported(check, exported);
  return stored.length + exported.length;
}

interface LastHead extends KeptHeads {
  readonly last: SignedHead;
}

/**
 * The same for the last stored head alone, and the exported ones.
 * @returns what the last one says; undefined when it does not carry a valid signature
 */
export async function verifyLastHead(
  db: Db,
  findings: Findings,
  { last, exported, names }: LastHead,
): Promise<HeadBody | undefined> {
  const keys = await checkKeys(db, findings);
  const key = keys.get(last.kid);
  if (!key || !isSignedBy(key, last)) {
    findings.add('heads', `ledger_head ${last.day}`, 'does not carry a valid signature');
    return undefined;
  }
  const body = JSON.parse(last.body) as HeadBody;
  noteNames(names, body);
  await checkBody(db, findings, `head of ${last.day}`, body);
  await checkExported({ db, findings, keys, names }, exported);
  return body;
}
