/** Makes notifications of events that concern one user, in the order of their positions. */
import { type Database, defineStatement, execute, transaction } from '../db/index.ts';
import type { EventType } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { addNotifications, type NewNotification } from './add-notifications.ts';
import type { Code, Kind } from './kinds.ts';
import { lockProgress, moveProgress } from './progress.ts';

/** Positions of one step. */
const STEP_ROWS = 1000;

/** Types of events that make a notification, and which one. */
const MESSAGES: Partial<Record<EventType, readonly [kind: Kind, code: Code]>> = {
  'deposit.credited': ['deposit', 'deposit_credited'],
  'deposit.below_minimum': ['deposit', 'deposit_below_minimum'],
  'deposit.on_hold': ['deposit', 'deposit_on_hold'],
  'deposit.reversed': ['deposit', 'deposit_reversed'],
  'deposit.rejected': ['deposit', 'deposit_rejected'],
  'deposit.unsupported': ['deposit', 'deposit_unsupported'],
  'payout.confirmed': ['payout', 'payout_confirmed'],
  'payout.rejected': ['payout', 'payout_rejected'],
  'payout.failed': ['payout', 'payout_failed'],
  'security.new_sign_in': ['sign_in', 'sign_in'],
};

const IS_BEHIND = defineStatement(
  'notification-events-behind',
  `select from notification_progress p join event_counter c on c.last_position > p.position
   where p.task = 'events'`,
);
// Positions are given after the commit, without gaps to come: all rows up to the last one are here.
const STEP_END = defineStatement(
  'notification-events-end',
  `select max(position) as "upTo" from (
     select position from event where position > :after
     order by position limit ${STEP_ROWS}) as row`,
);
// Of a withdrawal what arrives, as its list says it: its amount includes the fee.
const READ = defineStatement(
  'notification-events-read',
  `select position, user_id as "userId", type, created_at as "createdAt",
     data::jsonb ->> 'id' as id,
     coalesce(data::jsonb ->> 'arrives', data::jsonb ->> 'amount') as amount,
     data::jsonb ->> 'currency' as currency, data::jsonb ->> 'language' as language
   from event
   where position > :after and position <= :up_to and user_id is not null
     and type = any (:types::text[]) order by position`,
);

interface EventRow {
  readonly position: number;
  readonly userId: number;
  readonly type: EventType;
  readonly createdAt: Date;
  readonly id: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly language: string | null;
}

/** Tokens that are not listed can be sent in any number: one notification a UTC day. */
function causeOf({ type, position, createdAt }: EventRow): string {
  return type === 'deposit.unsupported'
    ? `${type}/${createdAt.toISOString().slice(0, 10)}`
    : `event/${position}`;
}

function toNotification(event: EventRow): NewNotification | undefined {
  const message = MESSAGES[event.type];
  if (!message) return undefined;
  const [kind, code] = message;
  const { id, amount, currency, language, userId, createdAt } = event;
  const money = code === 'deposit_unsupported' ? {} : { amount, currency };
  const known = Object.entries({ id, ...money, language }).filter(([, value]) => value !== null);
  const details = Object.fromEntries(known) as Record<string, string>;
  return { userId, kind, code, details, cause: causeOf(event), createdAt };
}

/** @returns whether more may follow */
async function followStep(database: Database, clock: Clock): Promise<boolean> {
  return transaction(database, async (tx) => {
    const progress = await lockProgress(tx, 'events');
    if (!progress) return false;
    const after = progress.position;
    const ends = await execute<{ upTo: number | null }>(tx, STEP_END, { after });
    const upTo = ends.rows[0]?.upTo;
    if (upTo === null || upTo === undefined) return false;
    const step = { after, up_to: upTo, types: Object.keys(MESSAGES) };
    const { rows } = await execute<EventRow>(tx, READ, step);
    await addNotifications(
      tx,
      clock,
      rows.map(toNotification).filter((draft) => draft !== undefined),
    );
    await moveProgress(tx, 'events', { ...progress, position: upTo });
    return true;
  });
}

/** Makes the notifications of all new events. Any number of instances may run it. */
export async function followEvents(
  database: Database,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const { rowCount } = await execute(database, IS_BEHIND, {});
    if (rowCount === 0 || !(await followStep(database, clock))) return;
  }
}
