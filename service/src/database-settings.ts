/** Settings of the connections to PostgreSQL; a part of `config-schema.ts`. */
import Type from 'typebox';

export const DATABASE_SETTINGS = {
  DATABASE_URL: Type.Optional(
    Type.String({
      description:
        'PostgreSQL 15 or newer (`postgres://…`). Absent: the embedded database in `DATA_DIR`.',
    }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      description:
        'Connection for LISTEN and locks when `DATABASE_URL` passes through a transaction ' +
        'pooler. Default: `DATABASE_URL`.',
    }),
  ),
  DATABASE_OWNER_URL: Type.Optional(
    Type.String({
      description:
        'Connection of the owner of the schema, for `migrate`, `import`, `community rebuild` ' +
        'and `restore-check` only, when `DATABASE_URL` is that of an application role. Not ' +
        'through a pooler. Default: `DATABASE_URL`.',
    }),
  ),
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      description:
        'Connection to a streaming standby, or to a proxy that leads each connection to one of ' +
        'several: lists, dashboards, exports and statements are read there, never older than ' +
        'the request, and from the primary whenever the standby cannot answer. ' +
        '`DATABASE_POOL_SIZE` connections, plus one to each of the two. Absent: everything is ' +
        'read from the primary.',
    }),
  ),
  DATABASE_PREPARED_STATEMENTS: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description:
      '`off` for a transaction pooler that keeps no prepared statements (PgBouncer before 1.21): ' +
      'each statement is then parsed again.',
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 4,
    maximum: 200,
    description:
      'Connections of this instance to PostgreSQL, plus one for notifications and locks and one ' +
      'that watches the database. Jobs ' +
      'use at most half.',
  }),
};

/** True for a list of hosts or a choice among them, as other drivers take it. */
export function isMultiHost(url: string): boolean {
  const authority = url.split('//')[1]?.split(/[/?]/)[0] ?? '';
  return authority.includes(',') || /[?&](target_session_attrs|load_balance_hosts)=/.test(url);
}
