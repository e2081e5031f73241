/** `GET /healthz`: the process runs. `GET /readyz`: it can serve, database included. */

import Type from 'typebox';
import type { ClockWatch, Database } from '../db/index.ts';
import { type Failure, failure } from '../lib/failures.ts';
import { operations } from './operations.ts';
import { StringEnum } from './schemas.ts';
import type { HttpServer } from './types.ts';

const Health = Type.Object({ status: Type.Literal('ok') }, { description: 'The process runs.' });

const ReadsFrom = StringEnum(
  ['standby', 'primary'],
  'Where lists, dashboards and exports are read: from the standby of `DATABASE_READ_URL`, or ' +
    'from the primary while that cannot answer. Absent without `DATABASE_READ_URL`.',
);
const StandbyState = StringEnum(
  ['ready', 'behind', 'unreachable', 'promoted', 'unrelated'],
  '`ready`: it answers reads. `behind`: it lags by more than 0.1 seconds. `unreachable`: it ' +
    'does not answer. `promoted`: it is no standby. `unrelated`: it follows another history ' +
    'than the primary. Absent without `DATABASE_READ_URL`.',
);

const Readiness = Type.Object(
  {
    status: Type.Literal('ok'),
    clock_offset_ms: Type.Integer({
      description: 'Clock of this instance minus that of the database, in milliseconds.',
    }),
    reads_from: Type.Optional(ReadsFrom),
    standby: Type.Optional(StandbyState),
  },
  { description: 'The instance can serve.' },
);

export interface HealthDeps {
  readonly database: Database;
  readonly clocks: Pick<ClockWatch, 'measure'>;
  /** How long ago the revocation feed was read. */
  readonly feedAge_ms: () => number;
}

/** Guarded requests have been answered 503 for this long. */
const FEED_AGE_MAX_MS = 5000;

type NotReady = 'draining' | 'database_unreachable' | 'database_read_only' | 'feed_stale';

const DETAILS: Readonly<Record<NotReady, string>> = {
  draining: 'The instance is closing.',
  database_unreachable: 'The database does not respond.',
  database_read_only: 'The database takes no changes.',
  feed_stale: 'Revocations of tokens cannot be read.',
};

/** A 503 whose member `reason` says why the instance cannot serve. */
function notReady(reason: NotReady, cause?: unknown): Failure {
  return failure('unavailable', { detail: DETAILS[reason], extra: { reason }, cause });
}

async function isReadOnly(db: Database): Promise<boolean> {
  const { rows } = await db.query<{ is_read_only: boolean }>(
    "select current_setting('transaction_read_only') = 'on' as is_read_only",
  );
  return rows[0]?.is_read_only === true;
}

/** @throws `unavailable` with a reason; @returns the offset of the clock in milliseconds */
async function checkReadiness(app: HttpServer, deps: HealthDeps): Promise<number> {
  if (app.isDraining()) throw notReady('draining');
  const checks = Promise.all([deps.clocks.measure(), isReadOnly(deps.database)]);
  const [offset_ms, isStandby] = await checks.catch((error: unknown) => {
    throw notReady('database_unreachable', error);
  });
  if (isStandby) throw notReady('database_read_only');
  if (deps.feedAge_ms() > FEED_AGE_MAX_MS) throw notReady('feed_stale');
  return offset_ms;
}

/** An instance without its standby serves: the primary answers everything. */
function describeReads({ replica }: Database) {
  if (!replica) return {};
  const reads_from = replica.state === 'ready' ? ('standby' as const) : ('primary' as const);
  return { reads_from, standby: replica.state };
}

export function registerHealth(app: HttpServer, deps: HealthDeps): void {
  app.get(
    '/healthz',
    {
      logLevel: 'warn',
      exposeHeadRoute: true,
      config: { access: 'open', roles: 'every', handlesFailures: true },
      schema: { ...operations.getHealth, response: { 200: Health } },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      logLevel: 'warn',
      exposeHeadRoute: true,
      config: { access: 'open', roles: 'every', handlesFailures: true },
      schema: { ...operations.getReadiness, response: { 200: Readiness } },
    },
    async () => {
      const clock_offset_ms = await checkReadiness(app, deps);
      return { status: 'ok' as const, clock_offset_ms, ...describeReads(deps.database) };
    },
  );
}
