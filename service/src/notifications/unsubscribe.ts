/** Ends mails of notifications by the link that each of them has (RFC 8058). */
import {
  type Database,
  defineStatement,
  execute,
  type Transaction,
  transaction,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createTokenCipher, type TokenCipher } from '../lib/encrypted-token.ts';
import { failure } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { isOnByDefault, KINDS, type Kind } from './kinds.ts';

/** A link works as long as the notifications of its mail are kept. */
export const LINK_TTL_MS = 90 * 86_400_000;

interface Grant {
  readonly user: number;
  /** Unix time in milliseconds. */
  readonly until: number;
}

export type UnsubscribeTokens = TokenCipher<Grant>;

export function createUnsubscribeTokens(masterKey: Pick<MasterKey, 'derive'>): UnsubscribeTokens {
  return createTokenCipher<Grant>(masterKey.derive('notification-unsubscribe'));
}

/** The token of a mail to a user. */
export function issueToken(tokens: UnsubscribeTokens, clock: Clock, userId: number): string {
  return tokens.encrypt({ user: userId, until: clock.now().getTime() + LINK_TTL_MS });
}

/** Whose mails a token ends; undefined for one of another key or text, and for an old one. */
export function readToken(
  tokens: UnsubscribeTokens,
  clock: Clock,
  token: string,
): number | undefined {
  const grant = tokens.decrypt(token);
  return grant && clock.now().getTime() < grant.until ? grant.user : undefined;
}

const DROP_WAITING = defineStatement(
  'notification-mail-drop',
  `update notification set by_mail = false
   where user_id = :user_id and by_mail and mailed_at is null and kind = any (:kinds::text[])`,
);

/** What waits for a mail, and is not wanted by mail any more, is not sent. */
export async function dropWaiting(
  tx: Transaction,
  userId: number,
  kinds: readonly Kind[],
): Promise<void> {
  await execute(tx, DROP_WAITING, { user_id: userId, kinds });
}

const TURN_OFF = defineStatement(
  'notification-mail-off',
  `with plain as (
     delete from notification_choice where user_id = :user_id and channel = 'mail'
       and kind <> all (:kinds::text[]))
   insert into notification_choice (user_id, kind, channel, is_on)
   select :user_id, kind, 'mail', false from unnest(:kinds::text[]) as kind
   on conflict (user_id, kind, channel) do update set is_on = false`,
);

/** Turns mails of every kind off for the user of a token. @throws `not_found` */
export async function unsubscribe(
  database: Database,
  clock: Clock,
  tokens: UnsubscribeTokens,
  token: string,
): Promise<void> {
  const userId = readToken(tokens, clock, token);
  if (userId === undefined) throw failure('not_found');
  const byDefault = KINDS.filter((kind) => isOnByDefault(kind, 'mail'));
  await transaction(database, async (tx) => {
    await execute(tx, TURN_OFF, { user_id: userId, kinds: byDefault });
    await dropWaiting(tx, userId, KINDS);
  });
}
