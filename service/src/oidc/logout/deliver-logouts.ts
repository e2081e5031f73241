/**
 * Sends logout tokens: claimed for a minute, sent, noted. A process that dies in between sends
 * again after the claim ran out; an application that is already logged out answers the same.
 */
import { type Db, defineStatement, execute, type RetentionRule } from '../../db/index.ts';
import { type Metrics, OutgoingError } from '../../http/index.ts';
import { TOKEN_REVOCATIONS } from '../../identity/index.ts';
import type { Job } from '../../jobs/index.ts';
import { COUNTED_MAX } from '../../lib/counted-max.ts';
import { nextAttemptAt, TargetQueues } from '../../lib/target-queues.ts';
import type { OidcContext } from '../context.ts';
import { LOGOUT_NOTICES } from './join-session.ts';
import { signLogoutToken } from './logout-token.ts';

/** Waits between attempts: seven within half a day, the longest that a session lives. */
const BACKOFF_S: readonly number[] = [5, 60, 600, 3600, 10_800, 28_800];
const CLAIM_S = 60;
const EVERY_MS = 2000;
/** Tokens of one application that are sent at the same time. */
const CONCURRENCY = 10;

const FIND_DUE_CLIENTS = defineStatement(
  'logout-notices-find-due',
  `select client_id from oauth_client c where exists (
     select from logout_notice n
     where n.client_id = c.client_id and n.next_attempt_at <= :now)`,
);
const CLAIM_NOTICES = defineStatement(
  'logout-notices-claim',
  `update logout_notice set attempts = attempts + 1, next_attempt_at = :claimed_until
   where id in (
     select id from logout_notice
     where client_id = :client_id and next_attempt_at <= :now
     order by next_attempt_at limit ${CONCURRENCY} for update skip locked)
   returning id, user_id as "userId", sid, attempts`,
);
const REMOVE_NOTICE = defineStatement(
  'logout-notice-remove',
  'delete from logout_notice where id = :id',
);
const POSTPONE_NOTICE = defineStatement(
  'logout-notice-postpone',
  'update logout_notice set next_attempt_at = :next where id = :id',
);

type Target = { readonly client_id: string };

interface Claimed {
  readonly id: number;
  readonly userId: number;
  readonly sid: string;
  readonly attempts: number;
}

export interface LogoutSender {
  /** Starts sending what is due; applications already busy continue by themselves. */
  readonly job: Job;
  /** Waits for requests under way. */
  stop(): Promise<void>;
}

/** True where the application has taken the token, or wants none any more. */
async function send(context: OidcContext, clientId: string, notice: Claimed): Promise<boolean> {
  const client = await context.clients.find(clientId);
  const url = client?.metadata?.backchannel_logout_uri;
  if (!client || url === undefined) return true;
  const token = await signLogoutToken(context, client, notice);
  try {
    const { status } = await context.outgoing.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    });
    return status >= 200 && status < 300;
  } catch (error) {
    if (error instanceof OutgoingError) return false;
    throw error;
  }
}

async function deliver(context: OidcContext, clientId: string, notice: Claimed): Promise<void> {
  const { database, clock } = context;
  const { id, attempts } = notice;
  if (await send(context, clientId, notice)) {
    await execute(database, REMOVE_NOTICE, { id });
    return;
  }
  const wait_s = BACKOFF_S[attempts - 1];
  const next = wait_s === undefined ? null : nextAttemptAt(clock.now(), wait_s);
  await execute(database, POSTPONE_NOTICE, { id, next });
}

export function createLogoutSender(context: OidcContext): LogoutSender {
  const { database, clock, onError } = context;
  const queues = new TargetQueues<Target>({
    findDue: async () =>
      (await execute<Target>(database, FIND_DUE_CLIENTS, { now: clock.now() })).rows,
    keyOf: ({ client_id }) => client_id,
    async sendSome({ client_id }) {
      const now = clock.now();
      const { rows } = await execute<Claimed>(database, CLAIM_NOTICES, {
        client_id,
        now,
        claimed_until: new Date(now.getTime() + CLAIM_S * 1000),
      });
      await Promise.all(rows.map((notice) => deliver(context, client_id, notice)));
      return rows.length === CONCURRENCY;
    },
    onError,
  });
  return {
    job: {
      name: 'deliver-logouts',
      every_ms: EVERY_MS,
      isExclusive: false,
      wakeOn: [LOGOUT_NOTICES, TOKEN_REVOCATIONS],
      run: () => queues.kick(),
    },
    stop: () => queues.stop(),
  };
}

// Each part names the condition of a partial index.
const COUNT_NOTICES = `select
    (select count(*)::int from (select from logout_notice
      where next_attempt_at is not null limit $1) w) as waiting,
    (select count(*)::int from (select from logout_notice
      where next_attempt_at is null limit $1) f) as failed`;

type NoticeCounts = Readonly<Record<'waiting' | 'failed', number>>;

/** Logout tokens that wait, and those that were not taken: up to `max` of each. */
export async function countLogoutNotices(db: Db, max = COUNTED_MAX): Promise<NoticeCounts> {
  const { rows } = await db.query<NoticeCounts>(COUNT_NOTICES, [max]);
  return rows[0] ?? { waiting: 0, failed: 0 };
}

export function registerLogoutMetrics(metrics: Metrics, db: Db): void {
  metrics.gauge(
    'edge_account_logout_notices',
    'Logout tokens that wait for an application, or that it did not take, each up to 10,000.',
    'state',
    () => countLogoutNotices(db),
  );
}

/** What could not be delivered is kept a week, for the operator to look at. */
export const LOGOUT_RETENTION: readonly RetentionRule[] = [
  {
    table: 'application_session',
    reason: 'Applications hear when a session ends.',
    since: 'expires_at',
    kept_s: 0,
    rowsPerDay: 1_000_000,
  },
  {
    table: 'logout_notice',
    reason: 'Messages that an application could not receive.',
    since: 'created_at',
    kept_s: 604_800,
    rowsPerDay: 1_000_000,
  },
];
