/** Checks the files of an archive without a database. */
import type { KeyObject } from 'node:crypto';
import type { HeadBody, SignedHead } from '../signed-heads.ts';
import { createFindings, type Finding, type Findings } from '../verify/findings.ts';
import { AccountBooks, type Report } from './account-books.ts';
import {
  isSamePlace,
  isSignedByKeys,
  type Jwk,
  type ProvenLabel,
  placesOf,
  proveLabel,
  type ShardPlace,
} from './archive-label.ts';
import { type ArchiveFile, openArchive } from './read-archive.ts';
import { ShardReplay } from './shard-replay.ts';

export interface ArchiveChecks {
  /** Public keys of the ledger; absent: those in the file, which say nothing of its origin. */
  readonly keys?: readonly Jwk[];
  /** Signed heads that were kept elsewhere. */
  readonly heads?: readonly SignedHead[];
  /** Key of the seals, from the master key; absent: the seals are not recomputed. */
  readonly sealKey?: KeyObject;
}

export interface ArchiveReport {
  readonly file: string;
  /** Empty: everything agrees. */
  readonly findings: readonly Finding[];
  /** Days that its two heads close; null: from the first posting. */
  readonly from: string | null;
  readonly to: string | null;
  /** Id of the key that signed it; null: of none that is known. */
  readonly kid: string | null;
  /** It begins where the file before it ends: balances are carried over. */
  readonly continues: boolean;
  readonly transfers: number;
  readonly seals: number;
  /** Accounts so far, of all files that continue each other. */
  readonly accounts: number;
}

/** What one file leaves to the next. */
interface Course {
  readonly books: AccountBooks;
  readonly end: readonly ShardPlace[];
}

interface Places {
  readonly from: readonly ShardPlace[];
  readonly to: readonly ShardPlace[];
}

/** A file whose signatures hold. */
interface ProvenFile extends Places {
  readonly file: ArchiveFile;
  readonly keys: readonly Jwk[];
  readonly kid: string;
  readonly label: ProvenLabel;
}

/** @returns what is wrong, as text */
async function prove(path: string, { keys }: ArchiveChecks): Promise<ProvenFile | string> {
  const file = await openArchive(path);
  if (!file.label) return 'is no archive of a ledger';
  const known = keys ?? file.label.keys;
  const label = proveLabel(file.label, known);
  if (typeof label === 'string') return label;
  const [from, to] = [placesOf(label.from), placesOf(label.to)];
  if (!from || !to) return 'has a head that does not say where every shard stands';
  return { file, keys: known, kid: file.label.archive.kid, label, from, to };
}

/** A head that was kept elsewhere and stands where the archive ends must be the same. */
function checkHeads(
  findings: Findings,
  { keys, to }: ProvenFile,
  heads: readonly SignedHead[],
): void {
  for (const head of heads) {
    const isSigned = isSignedByKeys(head, keys);
    const places = isSigned ? placesOf(JSON.parse(head.body) as HeadBody) : undefined;
    const row = `exported head of ${head.day}`;
    if (!places) findings.add('heads', row, 'was not signed by a key of the archive');
    else if (places.some(({ seals, mac }, i) => seals === to[i]?.seals && mac !== to[i].mac))
      findings.add('heads', row, 'is another one than in the archive');
  }
}

async function replay(
  { file, label, from, to }: ProvenFile,
  findings: Findings,
  books: AccountBooks,
  sealKey: KeyObject | undefined,
): Promise<void> {
  const report: Report = (row, detail) => findings.add('balances', row, detail);
  const shards = from.map((place) => new ShardReplay(place, findings, sealKey));
  for await (const group of file.readGroups()) {
    if (findings.isFull()) return;
    const shard = group && shards[group.shard];
    if (!shard) {
      findings.add('chain', 'a row', 'is none that an archive has');
      continue;
    }
    shard.take(group);
    for (const { sealed } of group.rows)
      if (sealed.kind === 'transfer') books.add(sealed.row, report);
  }
  for (const [i, shard] of shards.entries()) {
    const end = to[i];
    if (end) shard.finish(end, label.digests[i]);
  }
  books.finish(report);
}

const countBetween = ({ from, to }: Places, field: 'transfers' | 'seals'): number =>
  to.reduce((sum, place, i) => sum + place[field] - (from[i]?.[field] ?? 0), 0);

async function verifyFile(
  path: string,
  checks: ArchiveChecks,
  before: Course | undefined,
): Promise<{ report: ArchiveReport; course?: Course }> {
  const findings = createFindings();
  const proven = await prove(path, checks);
  if (typeof proven === 'string') {
    findings.add('heads', path, proven);
    const nothing = { from: null, to: null, kid: null, continues: false };
    const counts = { transfers: 0, seals: 0, accounts: 0 };
    return { report: { file: path, findings: findings.all, ...nothing, ...counts } };
  }
  checkHeads(findings, proven, checks.heads ?? []);
  const continues = before !== undefined && isSamePlace(before.end, proven.from);
  const books = continues ? before.books : new AccountBooks();
  await replay(proven, findings, books, checks.sealKey);
  const report: ArchiveReport = {
    file: path,
    findings: findings.all,
    from: proven.label.from?.day ?? null,
    to: proven.label.to.day,
    kid: proven.kid,
    continues,
    transfers: countBetween(proven, 'transfers'),
    seals: countBetween(proven, 'seals'),
    accounts: books.size,
  };
  return { report, course: { books, end: proven.to } };
}

/** A file is missing, or no file of Apache Parquet. */
export class ArchiveUnreadable extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'ArchiveUnreadable';
  }
}

/**
 * Checks files one after the other: signatures, rows, seals, and the balance of every account from
 * entry to entry, also across files that continue each other.
 * @throws ArchiveUnreadable
 */
export async function* verifyArchives(
  paths: readonly string[],
  checks: ArchiveChecks,
): AsyncGenerator<ArchiveReport> {
  let course: Course | undefined;
  for (const path of paths) {
    const verified = await verifyFile(path, checks, course).catch((error: unknown) => {
      throw new ArchiveUnreadable(path, error);
    });
    yield verified.report;
    course = verified.course;
  }
}
