/** Reads of the audit log, bounded in a log of any length. */
import {
  type Db,
  plainArray,
  planAlongIndexes,
  queryNamed,
  readTransaction,
  type Values,
} from '../db/index.ts';

export const ACTOR_KINDS = ['person', 'client', 'command', 'service', 'database'] as const;

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly actor_kind: (typeof ACTOR_KINDS)[number];
  readonly actor_id: string;
  readonly client_id: string | null;
  readonly operation: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  /** JSON; numbers keep all their digits. */
  readonly before: string | null;
  readonly after: string | null;
  readonly reason: string | null;
  readonly reason_sealed: Buffer | null;
  readonly address: string | null;
  readonly origin_sealed: Buffer | null;
  readonly request_id: string | null;
  readonly request_key: string | null;
  readonly is_sealed: boolean;
}

/** A place between two entries. */
export interface Cursor {
  readonly at: Date;
  readonly id: number;
}

export interface AuditFilter {
  readonly actorKind?: AuditEntry['actor_kind'] | undefined;
  readonly actorId?: string | undefined;
  readonly subjectKind?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly operation?: string | undefined;
  /** Whose account or money it concerns. */
  readonly userId?: number | undefined;
  /** From this instant on. */
  readonly from?: Date | undefined;
  /** Before this instant. */
  readonly to?: Date | undefined;
  /** Substring of ids, operation, reason, before or after. */
  readonly text?: string | undefined;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Where the next page begins; absent: there are no more entries. */
  readonly next?: Cursor;
}

/** Entries that a page looks through for those that the filter names. */
const LOOKED_THROUGH = 2000;

/** What an entry about the money of people names. */
const OF_PERSON = ["after->>'user_id' = :user_id", "after->>'other_user_id' = :user_id"];

/**
 * The filters that an index serves, which bounds what is read: the narrowest that is given. No
 * entry is in two of them.
 */
function drivingFilters(filter: AuditFilter): string[][] {
  if (filter.userId === undefined) return [drivingConditions(filter)];
  const ofAccount = ["subject_kind = 'users'", 'subject_id = :user_id'];
  return [ofAccount, ...OF_PERSON.map((condition) => [condition])];
}

function drivingConditions(filter: AuditFilter): string[] {
  if (filter.subjectKind !== undefined && filter.subjectId !== undefined)
    return ['subject_kind = :subject_kind', 'subject_id = :subject_id'];
  if (filter.actorKind !== undefined && filter.actorId !== undefined)
    return ['actor_kind = :actor_kind', 'actor_id = :actor_id'];
  return filter.operation === undefined ? [] : ['operation = :operation'];
}

/** Where entries end that a page may have: at the cursor, or at the end of the time. */
function endOf({ to }: AuditFilter, cursor: Cursor | undefined): Cursor | undefined {
  if (to === undefined || (cursor && cursor.at < to)) return cursor;
  return { at: to, id: 0 };
}

/** Every entry that the index gives is one that the filter names. */
function isServedByIndex(filter: AuditFilter): boolean {
  const { actorKind, actorId, subjectKind, subjectId, operation, text, userId } = filter;
  const given = [actorKind, actorId, subjectKind, subjectId, operation, text].filter(
    (value) => value !== undefined,
  );
  if (given.length === 0) return true;
  if (userId !== undefined) return false;
  const pairs = [
    [subjectKind, subjectId],
    [actorKind, actorId],
  ];
  if (given.length === 2) return pairs.some((pair) => !pair.includes(undefined));
  return given.length === 1 && operation !== undefined;
}

const COLUMNS = `id, at, actor_kind, actor_id, client_id, operation, subject_kind, subject_id,
  before::text as before, after::text as after, reason, reason_sealed, address, origin_sealed,
  request_id, request_key`;

/** The rows that one index gives in order; every other filter is applied to these only. */
function toQuery(filter: AuditFilter, end: Cursor | undefined): string {
  const between = [
    ...(filter.from === undefined ? [] : ['at >= :from']),
    ...(end === undefined ? [] : ['(at, id) < (:end_at, :end_id)']),
  ];
  const newest = 'order by at desc, id desc limit :looked_through';
  const parts = drivingFilters(filter).map((driving) => {
    const conditions = [...driving, ...between];
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    return `(select ${COLUMNS} from audit_entry ${where} ${newest})`;
  });
  return `with looked as materialized (
    select * from (${parts.join(' union all ')}) parts ${newest})
  select * from (
    select *, (:actor_kind::text is null or actor_kind = :actor_kind)
      and (:actor_id::text is null or actor_id = :actor_id)
      and (:subject_kind::text is null or subject_kind = :subject_kind)
      and (:subject_id::text is null or subject_id = :subject_id)
      and (:operation::text is null or operation = :operation)
      and (:pattern::text is null or concat_ws(' ', actor_id, client_id, operation, subject_kind,
        subject_id, reason, before, after, request_id, request_key) ilike :pattern) as matches,
      row_number() over (order by at desc, id desc) as n
    from looked) numbered
  where matches or n = :looked_through
  order by at desc, id desc limit :size + 1`;
}

async function lookThrough(
  db: Db,
  text: string,
  values: Values,
): Promise<(Looked & { readonly is_sealed: boolean })[]> {
  return readTransaction(db, async (tx) => {
    await planAlongIndexes(tx);
    const { rows } = await queryNamed<Looked>(tx, text, values);
    const { rows: sealed } = await tx.query<{ entry_id: number }>(
      'select entry_id from audit_sealed where entry_id = any ($1::bigint[])',
      [plainArray(rows.map(({ id }) => id))],
    );
    const ids = new Set(sealed.map(({ entry_id }) => entry_id));
    return rows.map((row) => ({ ...row, is_sealed: ids.has(row.id) }));
  });
}

const escapePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

interface Looked extends Omit<AuditEntry, 'is_sealed'> {
  readonly matches: boolean;
  readonly n: number;
}

/**
 * A page of entries, newest first. It looks through a bounded number of entries: with several
 * filters it may hold fewer than `size`, and there may still be a next one.
 */
export async function readEntries(
  db: Db,
  filter: AuditFilter,
  { size, cursor }: { readonly size: number; readonly cursor?: Cursor | undefined },
): Promise<AuditPage> {
  const lookedThrough = isServedByIndex(filter) ? size + 1 : LOOKED_THROUGH;
  const end = endOf(filter, cursor);
  const rows = await lookThrough(db, toQuery(filter, end), {
    actor_kind: filter.actorKind ?? null,
    actor_id: filter.actorId ?? null,
    subject_kind: filter.subjectKind ?? null,
    subject_id: filter.subjectId ?? null,
    operation: filter.operation ?? null,
    user_id: filter.userId === undefined ? null : String(filter.userId),
    from: filter.from ?? null,
    pattern: filter.text === undefined ? null : escapePattern(filter.text),
    end_at: end?.at ?? null,
    end_id: end?.id ?? null,
    looked_through: lookedThrough,
    size,
  });
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const hasMore = rows.length > size || last?.n === lookedThrough;
  const entries = page.flatMap(({ matches, n: _, ...entry }) => (matches ? [entry] : []));
  return { entries, ...(hasMore && last && { next: { at: last.at, id: last.id } }) };
}
