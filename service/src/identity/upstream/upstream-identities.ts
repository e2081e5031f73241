/** The accounts of upstream providers that a user has linked. */
import { type Db, queryNamed, type Transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import {
  changeSecurity,
  type FullSession,
  requireFreshProof,
} from '../account/require-reauthentication.ts';
import { notifyOwner } from '../account/require-step-up.ts';
import type { IdentityContext } from '../context.ts';
import type { UpstreamSubject } from '../tickets.ts';
import type { RequestOrigin, User } from '../types.ts';
import type { Callback } from './connect-provider.ts';
import { listProviders, toOffers } from './provider-store.ts';
import { redeemCallback } from './redeem-callback.ts';

/** The name in the security log and in mails: the host of the issuer. */
const nameOf = (issuer: string): string => new URL(issuer).host;

/** Links an account, or notes its use. @returns undefined when another user has linked it */
async function storeIdentity(
  tx: Transaction,
  { clock }: IdentityContext,
  userId: number,
  { issuer, subject, email }: UpstreamSubject,
): Promise<{ readonly isNew: boolean } | undefined> {
  const { rows } = await queryNamed<{ is_new: boolean }>(
    tx,
    `insert into upstream_identity as known (issuer, subject, user_id, email, linked_at,
       last_used_at)
     values (:issuer, :subject, :user_id, :email, :now, :now)
     on conflict (issuer, subject) do update
       set last_used_at = excluded.last_used_at, email = excluded.email
       where known.user_id = excluded.user_id
     returning known.xmax = 0 as is_new`,
    { issuer, subject, user_id: userId, email: email ?? null, now: clock.now() },
  );
  return rows[0] && { isNew: rows[0].is_new };
}

/**
 * Notes that a linked account was used for a sign-in, and links a new one: its owner has verified
 * the second factor of the user.
 * @throws `invalid_ticket` when another user has linked it meanwhile
 */
export async function useIdentity(
  tx: Transaction,
  context: IdentityContext,
  { user, origin }: { readonly user: User; readonly origin: RequestOrigin },
  upstream: UpstreamSubject,
): Promise<void> {
  const stored = await storeIdentity(tx, context, user.userId, upstream);
  if (!stored) throw failure('invalid_ticket');
  if (!stored.isNew) return;
  const name = nameOf(upstream.issuer);
  await notifyOwner(tx, context.clock, {
    ...{ userId: user.userId, type: 'upstream_linked', origin, details: { name } },
    notice: { kind: 'upstreamLinked', values: { name } },
  });
}

/**
 * Links the account of a request that this session started.
 * @throws `reauthentication_required`, `invalid_ticket`, `not_found`, `upstream_refused`,
 *   `upstream_unreachable`, `upstream_identity_taken`, `rate_limited`
 */
export async function linkIdentity(
  context: IdentityContext,
  session: FullSession,
  callback: Callback,
  browser: string | undefined,
): Promise<void> {
  await requireFreshProof(context.database, context, session);
  const { account } = await redeemCallback(context, callback, {
    ip: session.origin.ip,
    browser,
    fits: ({ purpose, sid }) => purpose === 'link' && sid === session.sid,
  });
  const name = nameOf(account.issuer);
  await changeSecurity(context, session, async (tx, { userId }) => {
    const stored = await storeIdentity(tx, context, userId, account);
    if (!stored) throw failure('upstream_identity_taken');
    const notice = { kind: 'upstreamLinked', values: { name } } as const;
    return {
      result: undefined,
      change: { type: 'upstream_linked', details: { name }, ...(stored.isNew && { notice }) },
    };
  });
}

/**
 * Unlinks an account; a way to sign in remains.
 * @throws `reauthentication_required`, `not_found`, `last_sign_in_method`
 */
export function unlinkIdentity(
  context: IdentityContext,
  session: FullSession,
  identityId: number,
): Promise<void> {
  return changeSecurity(context, session, async (tx, { userId }) => {
    const { rows } = await queryNamed<{ issuer: string; has_another: boolean }>(
      tx,
      `delete from upstream_identity gone where user_id = :user_id and id = :identity_id
       returning issuer, exists (select 1 from app_user where id = :user_id
           and password_hash is not null)
         or exists (select 1 from upstream_identity other join upstream_provider p
           on p.issuer = other.issuer and p.is_enabled
           where other.user_id = :user_id and other.id <> gone.id) as has_another`,
      { user_id: userId, identity_id: identityId },
    );
    const [row] = rows;
    if (!row) throw failure('not_found');
    if (!row.has_another)
      throw failure('last_sign_in_method', { detail: 'Set a password first, by a reset.' });
    const name = nameOf(row.issuer);
    return {
      result: undefined,
      change: {
        type: 'upstream_unlinked',
        notice: { kind: 'upstreamUnlinked', values: { name } },
        details: { name },
      },
    };
  });
}

/** The linked accounts, oldest first, and the providers at which more can be linked. */
export async function readIdentities(db: Db, userId: number) {
  const { rows } = await queryNamed<{
    id: number;
    issuer: string;
    email: string | null;
    linked_at: Date;
    last_used_at: Date;
  }>(
    db,
    `select id, issuer, email, linked_at, last_used_at from upstream_identity
     where user_id = :user_id order by id`,
    { user_id: userId },
  );
  const providers = await listProviders(db);
  const { rows: users } = await queryNamed<{ has_password: boolean }>(
    db,
    'select password_hash is not null as has_password from app_user where id = :user_id',
    { user_id: userId },
  );
  return {
    has_password: users[0]?.has_password ?? false,
    identities: rows.map(({ id, issuer, email, linked_at, last_used_at }) => ({
      id,
      name: providers.find((provider) => provider.issuer === issuer)?.label ?? nameOf(issuer),
      issuer,
      ...(email !== null && { email }),
      linked_at: linked_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
    providers: toOffers(providers),
  };
}
