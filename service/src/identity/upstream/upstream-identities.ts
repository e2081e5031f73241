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
import { listMethods, withoutMailbox } from '../second-factors/available-methods.ts';
import { freezeMoney } from '../second-factors/freeze-money.ts';
import type { UpstreamSubject } from '../tickets.ts';
import type { RequestOrigin, User } from '../types.ts';
import { addressOf, CHAIN_NAMES, WALLET_ISSUERS } from '../wallets/wallet-chains.ts';
import type { Callback } from './connect-provider.ts';
import { IS_ISSUER_ENABLED, listProviders, toOffers } from './provider-store.ts';
import { redeemCallback } from './redeem-callback.ts';

/** The name in the security log: the host of the issuer, or the kind of wallet. */
const nameOf = (issuer: string): string => CHAIN_NAMES[issuer] ?? new URL(issuer).host;

/** The name in mails, as on the sign-in page; the host once its provider is removed. */
async function labelOf(tx: Transaction, issuer: string): Promise<string> {
  const sql = 'select label from upstream_provider where issuer = :issuer order by id limit 1';
  const { rows } = await queryNamed<{ label: string }>(tx, sql, { issuer });
  return rows[0]?.label ?? nameOf(issuer);
}

/** Each linked account is one more way for an attacker to sign in. */
export const LINKED_ACCOUNTS_MAX = 20;

/**
 * Links an account, or notes its use.
 * @returns undefined when another user has linked it, or its provider is not enabled any more
 * @throws `linked_account_limit`
 */
async function storeIdentity(
  tx: Transaction,
  { clock }: IdentityContext,
  userId: number,
  { issuer, subject, email }: UpstreamSubject,
): Promise<{ readonly isNew: boolean } | undefined> {
  const { rows } = await queryNamed<{ is_new: boolean; had: number }>(
    tx,
    `insert into upstream_identity as known (issuer, subject, user_id, email, linked_at,
       last_used_at)
     select :issuer, :subject, :user_id::bigint, :email, :now::timestamptz, :now::timestamptz
     where ${IS_ISSUER_ENABLED}
     on conflict (issuer, subject) do update
       set last_used_at = excluded.last_used_at, email = excluded.email
       where known.user_id = excluded.user_id
     returning known.xmax = 0 as is_new,
       (select count(*)::int from upstream_identity where user_id = :user_id) as had`,
    { issuer, subject, user_id: userId, email: email ?? null, now: clock.now() },
  );
  const [row] = rows;
  if (row?.is_new && row.had >= LINKED_ACCOUNTS_MAX) throw failure('linked_account_limit');
  return row && { isNew: row.is_new };
}

interface Owner {
  readonly user: User;
  readonly origin: RequestOrigin;
}

/**
 * Notes that a linked account was used for a sign-in.
 * @throws `invalid_ticket` when it is not linked any more
 */
export async function noteUse(
  tx: Transaction,
  context: IdentityContext,
  userId: number,
  upstream: UpstreamSubject,
): Promise<void> {
  const stored = await storeIdentity(tx, context, userId, upstream);
  if (!stored || stored.isNew) throw failure('invalid_ticket');
}

/**
 * Links the account with which a user was registered.
 * @throws `invalid_ticket` when another user has linked it meanwhile
 */
export async function linkToNewUser(
  tx: Transaction,
  context: IdentityContext,
  { user, origin }: Owner,
  upstream: UpstreamSubject,
): Promise<void> {
  const stored = await storeIdentity(tx, context, user.userId, upstream);
  if (!stored) throw failure('invalid_ticket');
  const name = nameOf(upstream.issuer);
  await notifyOwner(tx, context.clock, {
    ...{ userId: user.userId, type: 'upstream_linked', origin, details: { name } },
    notice: {
      kind: 'upstreamLinked',
      values: { provider: await labelOf(tx, upstream.issuer) },
    },
  });
}

/**
 * After a second factor: notes the use of a linked account, and links a new one. A new one was
 * found by its address, so a code to that address proves the mailbox once more and nothing else: as
 * after a reset by the mailbox alone, money waits, and a stronger factor is not replaced.
 * @throws `invalid_ticket` when another user has linked it meanwhile, `method_unavailable`,
 *   `linked_account_limit`
 */
export async function useIdentity(
  tx: Transaction,
  context: IdentityContext,
  { user, origin, factor }: Owner & { readonly factor: string },
  upstream: UpstreamSubject,
): Promise<void> {
  const { clock } = context;
  const { userId } = user;
  const stored = await storeIdentity(tx, context, userId, upstream);
  if (!stored) throw failure('invalid_ticket');
  if (!stored.isNew) return;
  const isMailboxOnly = factor === 'email';
  if (isMailboxOnly) {
    const methods = withoutMailbox(await listMethods(tx, clock, userId));
    if (!methods.includes('EMAIL'))
      throw failure('method_unavailable', { extra: { two_factor_methods: methods } });
    await freezeMoney(tx, clock, userId);
  }
  const name = nameOf(upstream.issuer);
  await notifyOwner(tx, clock, {
    ...{ userId, type: 'upstream_linked', origin },
    details: { name, ...(isMailboxOnly && { money_frozen: true }) },
    notice: {
      kind: isMailboxOnly ? 'upstreamLinkedAndFrozen' : 'upstreamLinked',
      values: { provider: await labelOf(tx, upstream.issuer) },
    },
  });
}

/**
 * Links the account of a request that this session started.
 * @throws `reauthentication_required`, `invalid_ticket`, `not_found`, `upstream_refused`,
 *   `upstream_unreachable`, `upstream_identity_taken`, `linked_account_limit`, `rate_limited`
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
  await linkAccount(context, session, account);
}

/** @throws `reauthentication_required`, `upstream_identity_taken`, `linked_account_limit` */
export function linkAccount(
  context: IdentityContext,
  session: FullSession,
  account: UpstreamSubject,
): Promise<void> {
  const name = nameOf(account.issuer);
  return changeSecurity(context, session, async (tx, { userId }) => {
    const stored = await storeIdentity(tx, context, userId, account);
    if (!stored) throw failure('upstream_identity_taken');
    const values = { provider: await labelOf(tx, account.issuer) };
    const notice = { kind: 'upstreamLinked', values } as const;
    const change = { type: 'upstream_linked', details: { name }, notice } as const;
    return { result: undefined, ...(stored.isNew && { change }) };
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
         or exists (select 1 from upstream_identity other left join upstream_provider p
           on p.issuer = other.issuer and p.is_enabled
           where other.user_id = :user_id and other.id <> gone.id
             and (p.id is not null or other.issuer in ${WALLET_ISSUERS})) as has_another`,
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
        notice: {
          kind: 'upstreamUnlinked',
          values: { provider: await labelOf(tx, row.issuer) },
        },
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
    subject: string;
    email: string | null;
    linked_at: Date;
    last_used_at: Date;
  }>(
    db,
    `select id, issuer, subject, email, linked_at, last_used_at from upstream_identity
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
    identities: rows.map(({ id, issuer, subject, email, linked_at, last_used_at }) => ({
      id,
      name: providers.find((provider) => provider.issuer === issuer)?.label ?? nameOf(issuer),
      issuer,
      ...(email !== null && { email }),
      ...(issuer in CHAIN_NAMES && { address: addressOf(subject) }),
      linked_at: linked_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
    providers: toOffers(providers),
  };
}
