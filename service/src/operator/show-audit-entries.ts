/** Entries of the audit log as they are shown: with names and what is encrypted for people. */
import type { AuditEntry } from '../audit/index.ts';
import type { Database } from '../db/index.ts';
import { findNicknames, openOfUsers } from '../identity/index.ts';
import { csvField } from '../lib/csv.ts';
import { parseStored } from '../lib/exact-json.ts';
import type { AuditEntryVO } from './audit-schemas.ts';

interface Origin {
  readonly ip: string;
  readonly user_agent: string;
}

/** Decrypts a column of entries under the keys of the users whom `userOf` names. */
async function openColumn<T>(
  database: Database,
  entries: readonly AuditEntry[],
  userOf: (entry: AuditEntry) => string,
  columnOf: (entry: AuditEntry) => Buffer | null,
): Promise<Map<number, T>> {
  const sealed = entries.flatMap((entry) => {
    const bytes = columnOf(entry);
    return bytes === null ? [] : [{ id: entry.id, userId: Number(userOf(entry)), bytes }];
  });
  const opened = await openOfUsers<T>(database, sealed);
  const pairs = sealed.map(({ id }, i) => [id, opened[i]] as const);
  return new Map(pairs.filter((pair): pair is readonly [number, T] => pair[1] !== undefined));
}

type Values = Record<string, unknown>;

const values = (text: string | null): Values | undefined =>
  text === null ? undefined : (parseStored(text) as Values);

const present = <K extends string, V>(name: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { readonly [key in K]?: V };

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/** Whose account or money an entry concerns. */
function findPeople({ subject_kind, subject_id }: AuditEntry, after: Values | undefined): number[] {
  const named = [after?.user_id, after?.other_user_id].filter(isId);
  return subject_kind === 'users' && /^\d{1,15}$/.test(subject_id) ? [Number(subject_id)] : named;
}

/** In the order of the entries. */
export async function showAuditEntries(
  database: Database,
  entries: readonly AuditEntry[],
): Promise<AuditEntryVO[]> {
  const read = entries.map((entry) => {
    const [before, after] = [values(entry.before), values(entry.after)];
    return { entry, before, after, people: findPeople(entry, after ?? before) };
  });
  const named = read.flatMap(({ entry: { actor_kind, actor_id }, people }) =>
    actor_kind === 'person' ? [Number(actor_id), ...people] : people,
  );
  const names = await findNicknames(database, [...new Set(named)]);
  const origins = await openColumn<Origin>(
    database,
    entries,
    (entry) => entry.actor_id,
    (entry) => entry.origin_sealed,
  );
  const reasons = await openColumn<{ readonly reason: string }>(
    database,
    entries,
    (entry) => entry.subject_id,
    (entry) => entry.reason_sealed,
  );
  return read.map(({ entry, before, after, people }) => ({
    id: entry.id,
    at: entry.at.toISOString(),
    actor: {
      kind: entry.actor_kind,
      id: entry.actor_id,
      ...(entry.actor_kind === 'person' && present('name', names.get(Number(entry.actor_id)))),
      ...present('client_id', entry.client_id),
    },
    operation: entry.operation,
    subject: { kind: entry.subject_kind, id: entry.subject_id },
    people: people.map((user_id) => ({ user_id, ...present('name', names.get(user_id)) })),
    ...present('before', before),
    ...present('after', after),
    ...present('reason', entry.reason ?? reasons.get(entry.id)?.reason),
    ...present('ip', entry.address ?? origins.get(entry.id)?.ip),
    ...present('user_agent', origins.get(entry.id)?.user_agent),
    ...present('request_id', entry.request_id),
    ...present('idempotency_key', entry.request_key),
    is_sealed: entry.is_sealed,
  }));
}

const CSV_COLUMNS = [
  ...['id', 'at', 'actor_kind', 'actor_id', 'actor_name', 'client_id', 'operation'],
  ...['subject_kind', 'subject_id', 'user_ids', 'before', 'after', 'reason', 'ip', 'user_agent'],
  ...['request_id', 'idempotency_key', 'is_sealed'],
];

export const CSV_HEAD = `${CSV_COLUMNS.join(',')}\r\n`;

/** A line of the CSV file; before and after are JSON. */
export function toCsvLine(entry: AuditEntryVO): string {
  const { actor, subject, people, before, after } = entry;
  const cells = [
    ...[entry.id, entry.at, actor.kind, actor.id, actor.name, actor.client_id, entry.operation],
    ...[subject.kind, subject.id, people.map(({ user_id }) => user_id).join(' ')],
    before && JSON.stringify(before),
    ...[after && JSON.stringify(after), entry.reason, entry.ip, entry.user_agent],
    ...[entry.request_id, entry.idempotency_key, entry.is_sealed],
  ];
  return `${cells.map((cell) => csvField(String(cell ?? ''))).join(',')}\r\n`;
}
