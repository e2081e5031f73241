/** `/operator/audit`: who changed what, when, from where, and what it was before. */
import Type from 'typebox';
import { type AuditFilter, type Cursor, readEntries } from '../audit/index.ts';
import type { Database } from '../db/index.ts';
import { type HttpServer, prefersCsv, streamOf } from '../http/index.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import { AuditEntries, AuditEntryVO, AuditFilters, AuditQuery } from './audit-schemas.ts';
import { operations } from './operations/audit.ts';
import { CSV_HEAD, showAuditEntries, toCsvLine } from './show-audit-entries.ts';

const config = { access: { scopes: ['operator:audit'] }, readsFrom: 'standby' } as const;
const SIZE = 20;
const PIECE = 1000;

const CURSOR = /^(\d{1,15})-(\d{1,16})$/;
const writeCursor = ({ at, id }: Cursor): string => `${at.getTime()}-${id}`;

/** @throws `invalid_parameter` */
function readCursor(text: string): Cursor {
  const [, at_ms, id] = CURSOR.exec(text) ?? [];
  const at = new Date(Number(at_ms));
  if (id === undefined || Number.isNaN(at.getTime()))
    throw fieldError('cursor', 'malformed', 'must be `next` of a page');
  return { at, id: Number(id) };
}

const toFilter = (query: AuditFilters): AuditFilter => ({
  actorKind: query.actor_kind,
  actorId: query.actor_id,
  subjectKind: query.subject_kind,
  subjectId: query.subject_id,
  operation: query.operation,
  userId: query.user_id,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
  text: query.text,
});

async function* readAll(database: Database, filter: AuditFilter): AsyncGenerator<AuditEntryVO[]> {
  let cursor: Cursor | undefined;
  do {
    const { entries, next } = await readEntries(database, filter, { size: PIECE, cursor });
    if (entries.length > 0) yield await showAuditEntries(database, entries);
    cursor = next;
  } while (cursor !== undefined);
}

async function* writeCsv(pieces: AsyncIterable<AuditEntryVO[]>): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const piece of pieces) yield piece.map(toCsvLine).join('');
}

async function* writeJson(pieces: AsyncIterable<AuditEntryVO[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const piece of pieces) {
    yield separator + piece.map((entry) => stringifyExact(entry)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[' ? '[]' : ']';
}

export function registerAudit(app: HttpServer, { database }: { database: Database }): void {
  app.get(
    '/operator/audit',
    {
      config,
      schema: {
        ...operations.listAuditEntries,
        querystring: AuditQuery,
        response: { 200: AuditEntries },
      },
    },
    async ({ query }) => {
      const { size = SIZE } = query;
      const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor);
      const page = await readEntries(database, toFilter(query), { size, cursor });
      return {
        entries: await showAuditEntries(database, page.entries),
        ...(page.next && { next: writeCursor(page.next) }),
      };
    },
  );
  app.get(
    '/operator/audit/export',
    {
      config,
      schema: {
        ...operations.exportAuditEntries,
        querystring: AuditFilters,
        response: {
          200: {
            description: 'The entries.',
            content: {
              'application/json': { schema: Type.Array(AuditEntryVO) },
              'text/csv': { schema: Type.String({ description: 'One line an entry.' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const isCsv = prefersCsv(request);
      const file = `audit-log.${isCsv ? 'csv' : 'json'}`;
      reply
        .header('vary', 'Accept')
        .header('content-disposition', `attachment; filename="${file}"`)
        .type(isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
      const pieces = readAll(database, toFilter(request.query));
      return reply.send(streamOf(isCsv ? writeCsv(pieces) : writeJson(pieces)) as never);
    },
  );
}
