/** The browsers of a user that get notifications. */
import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import {
  type Database,
  type Db,
  defineStatement,
  execute,
  type Transaction,
  takePersonLock,
  transaction,
} from '../../db/index.ts';
import { type Outgoing, OutgoingError } from '../../http/index.ts';
import { openOfUser, sealForUser } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { createTokenCipher, type TokenCipher } from '../../lib/encrypted-token.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import type { Language } from '../../lib/language.ts';
import type { MasterKey } from '../../master-key.ts';
import {
  type RenewalBody,
  type SavedSubscription,
  SUBSCRIPTIONS_MAX,
  type SubscriptionBody,
  type SubscriptionList,
} from './schemas.ts';

/** Where a browser is reached, and the keys that it decrypts with. Stored encrypted. */
export type PushTarget = Pick<SubscriptionBody, 'endpoint' | 'keys'>;

interface Renewal {
  readonly subscription: number;
  readonly user: number;
}
export type RenewalTokens = TokenCipher<Renewal>;

export const createRenewalTokens = (masterKey: Pick<MasterKey, 'derive'>): RenewalTokens =>
  createTokenCipher<Renewal>(masterKey.derive('push-renewal'));

export interface SubscriptionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly outgoing: Pick<Outgoing, 'checkUrl'>;
  readonly tokens: RenewalTokens;
}

/** The user in a session of one browser. */
export interface BrowserSession {
  readonly userId: number;
  readonly sid: string;
  readonly userAgent: string;
  readonly language: Language;
}

/** @throws `invalid_parameter` for an address that is never sent to, and for a key off the curve */
function readTarget(
  outgoing: Pick<Outgoing, 'checkUrl'>,
  { endpoint, keys: { p256dh, auth } }: PushTarget,
): PushTarget {
  try {
    outgoing.checkUrl(endpoint);
  } catch (error) {
    if (error instanceof OutgoingError) throw fieldError('endpoint', error.problem, error.message);
    throw error;
  }
  try {
    p256.Point.fromBytes(Buffer.from(p256dh, 'base64url'));
  } catch {
    throw fieldError('keys.p256dh', 'not_a_point', 'is not a point of P-256');
  }
  return { endpoint, keys: { p256dh, auth } };
}

// An address that another user of the browser turned on is theirs no more, with what waits for it.
const DROP_OTHERS = defineStatement(
  'push-subscription-drop-others',
  `delete from push_subscription where endpoint_hash = :endpoint_hash
     and (user_id <> :user_id or id <> coalesce(:id, id))`,
);
const ADD = defineStatement(
  'push-subscription-add',
  `insert into push_subscription as s
     (user_id, sid, endpoint_hash, target_sealed, sealed, language, created_at)
   values (:user_id, :sid, :endpoint_hash, :target, :sealed, :language, :now)
   on conflict on constraint push_subscription_endpoint_key do update set
     sid = excluded.sid, target_sealed = excluded.target_sealed, sealed = excluded.sealed,
     language = excluded.language, failures = 0,
     due_at = case when s.due_at is not null then :now::timestamptz end
   returning id`,
);
const DROP_OLDEST = defineStatement(
  'push-subscription-drop-oldest',
  `delete from push_subscription where id in (
     select id from push_subscription where user_id = :user_id
     order by id desc offset ${SUBSCRIPTIONS_MAX})`,
);
// Null: as it was.
const REPLACE = defineStatement(
  'push-subscription-replace',
  `update push_subscription set endpoint_hash = :endpoint_hash, target_sealed = :target,
     sid = coalesce(:sid, sid), sealed = coalesce(:sealed::bytea, sealed),
     language = coalesce(:language, language), failures = 0,
     due_at = case when due_at is not null then :now::timestamptz end
   where id = :id and user_id = :user_id`,
);

const hashOf = ({ endpoint }: PushTarget): Buffer => createHash('sha256').update(endpoint).digest();

/** Under the key of the user. @throws `invalid_token` when the account was closed meanwhile */
async function seal(tx: Transaction, userId: number, value: object, now: Date): Promise<Buffer> {
  const sealed = await sealForUser(tx, userId, value, now);
  if (sealed === null) throw failure('invalid_token');
  return sealed;
}

const saved = (tokens: RenewalTokens, userId: number, id: number): SavedSubscription => ({
  id,
  renewal_token: tokens.encrypt({ subscription: id, user: userId }),
});

/**
 * Turns notifications on in a browser. The same address again is the same browser; the oldest
 * beyond the limit goes. @throws `invalid_parameter`
 */
export async function addSubscription(
  { database, clock, outgoing, tokens }: SubscriptionDeps,
  { userId, sid, userAgent, language }: BrowserSession,
  body: SubscriptionBody,
): Promise<SavedSubscription> {
  const target = readTarget(outgoing, body);
  const endpoint_hash = hashOf(target);
  return transaction(database, async (tx) => {
    const now = clock.now();
    const user = { user_id: userId };
    // One after the other, so that the limit holds.
    await takePersonLock(tx, userId);
    await execute(tx, DROP_OTHERS, { ...user, endpoint_hash, id: null });
    const { rows } = await execute<{ id: number }>(tx, ADD, {
      ...{ ...user, sid, endpoint_hash, language: body.language ?? language, now },
      target: await seal(tx, userId, target, now),
      sealed: await seal(tx, userId, { user_agent: userAgent }, now),
    });
    await execute(tx, DROP_OLDEST, user);
    return saved(tokens, userId, rows[0]?.id ?? 0);
  });
}

interface Replacement {
  readonly id: number;
  readonly userId: number;
  readonly target: PushTarget;
  /** Absent: the browser itself renewed its address, without a session. */
  readonly session?: BrowserSession;
}

async function replaceTarget(
  { database, clock }: SubscriptionDeps,
  { id, userId, target, session }: Replacement,
): Promise<void> {
  const endpoint_hash = hashOf(target);
  await transaction(database, async (tx) => {
    const now = clock.now();
    await execute(tx, DROP_OTHERS, { user_id: userId, endpoint_hash, id });
    const { rowCount } = await execute(tx, REPLACE, {
      ...{ id, user_id: userId, endpoint_hash, now },
      target: await seal(tx, userId, target, now),
      sid: session?.sid ?? null,
      sealed: session ? await seal(tx, userId, { user_agent: session.userAgent }, now) : null,
      language: session?.language ?? null,
    });
    if (rowCount === 0) throw failure('not_found');
  });
}

/**
 * Confirms a browser in a later session, with its address of now.
 * @throws `not_found` when it was cut off, `invalid_parameter`
 */
export async function confirmSubscription(
  deps: SubscriptionDeps,
  session: BrowserSession,
  id: number,
  body: SubscriptionBody,
): Promise<SavedSubscription> {
  const { userId } = session;
  const target = readTarget(deps.outgoing, body);
  const language = body.language ?? session.language;
  await replaceTarget(deps, { id, userId, target, session: { ...session, language } });
  return saved(deps.tokens, userId, id);
}

/**
 * Takes the new address of a browser whose push service replaced the former.
 * @throws `not_found` for a token of another key, or of a browser that was turned off
 */
export async function renewSubscription(deps: SubscriptionDeps, body: RenewalBody): Promise<void> {
  const grant = deps.tokens.decrypt(body.renewal_token);
  if (!grant) throw failure('not_found');
  const target = readTarget(deps.outgoing, body);
  await replaceTarget(deps, { id: grant.subscription, userId: grant.user, target });
}

const DELETE = defineStatement(
  'push-subscription-delete',
  'delete from push_subscription where id = :id and user_id = :user_id',
);

/** Cuts a browser off, with what waits for it. @throws `not_found` */
export async function deleteSubscription(
  database: Database,
  userId: number,
  id: number,
): Promise<void> {
  await transaction(database, async (tx) => {
    const { rowCount } = await execute(tx, DELETE, { id, user_id: userId });
    if (rowCount === 0) throw failure('not_found');
  });
}

const LIST = defineStatement(
  'push-subscriptions',
  `select id, sealed, created_at, sent_at, failures from push_subscription
   where user_id = :user_id order by id desc`,
);

interface Row {
  readonly id: number;
  readonly sealed: Buffer;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly failures: number;
}

/** The browsers of a user, newest first. */
export async function listSubscriptions(
  db: Db,
  userId: number,
): Promise<SubscriptionList['subscriptions']> {
  const { rows } = await execute<Row>(db, LIST, { user_id: userId });
  const sealed = rows.map((row) => row.sealed);
  const opened = await openOfUser<{ user_agent: string }>(db, userId, sealed);
  return rows.map(({ id, created_at, sent_at, failures }, i) => ({
    id,
    user_agent: opened[i]?.user_agent ?? '',
    created_at: created_at.toISOString(),
    ...(sent_at && { sent_at: sent_at.toISOString() }),
    is_failing: failures > 0,
  }));
}
