/**
 * The user's side of the device flow (RFC 8628): the user types the code that a device without a
 * browser shows. The code is short, so attempts are limited per user. It is decided once.
 */
import { type Db, queryNamed, type Transaction, transaction } from '../../db/index.ts';
import { consumeRateLimit, type Principal, type RateLimit } from '../../http/index.ts';
import { logSecurityEvent, type RequestOrigin } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { Client } from '../clients/index.ts';
import { readCategories, selectCategories } from '../consent/categories.ts';
import type { OidcContext } from '../context.ts';
import { createGrant } from '../provider/grants.ts';
import { writeObject } from '../provider/object-store.ts';
import {
  findRequestedScopes,
  listAudiences,
  type RequestedAccess,
} from '../resource-servers/requested-scopes.ts';

const USER_CODE_ATTEMPTS: RateLimit = { name: 'device-code', hits: 20, window_s: 600 };

/** A device code as the provider stores it. */
interface DeviceCode {
  readonly clientId: string;
  readonly params: RequestedAccess & { readonly device_categories?: string };
  readonly deviceInfo?: { readonly ip?: string; readonly ua?: string };
  readonly accountId?: string;
  readonly error?: string;
}

export interface WaitingDevice {
  readonly userCode: string;
  readonly client: Client;
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
  readonly categories: readonly string[];
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** The letters of a code, whatever hyphens, spaces and case the user typed. */
function normalize(userCode: string): string {
  return userCode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

async function findWaiting(
  db: Db,
  clock: Clock,
  userCode: string,
  lock: '' | 'for update' = '',
): Promise<{ id: string; code: DeviceCode }> {
  const { rows } = await queryNamed<{ id: string; payload: DeviceCode }>(
    db,
    `select id, payload from oidc_object
     where model = 'DeviceCode' and user_code = :user_code and expires_at > :now ${lock}`,
    { user_code: normalize(userCode), now: clock.now() },
  );
  const row = rows[0];
  if (!row || row.payload.accountId !== undefined || row.payload.error !== undefined)
    throw failure('user_code_unknown');
  return { id: row.id, code: row.payload };
}

/**
 * The device that waits under a code. Not called inside a transaction: reading the clients may need
 * a connection of its own.
 * @throws `user_code_unknown`, `rate_limited`
 */
export async function findDevice(
  { database, clock, clients }: OidcContext,
  userCode: string,
  { userId }: Principal,
): Promise<WaitingDevice> {
  await consumeRateLimit(database, clock, USER_CODE_ATTEMPTS, String(userId));
  const { code } = await findWaiting(database, clock, userCode);
  const client = await clients.find(code.clientId);
  if (!client) throw failure('user_code_unknown');
  const letters = normalize(userCode);
  return {
    userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`,
    client,
    scopes: await findRequestedScopes(clients, code.params, client),
    audiences: listAudiences(code.params),
    categories: readCategories(code.params.device_categories) ?? [],
    ip: code.deviceInfo?.ip,
    userAgent: code.deviceInfo?.ua,
  };
}

export interface DeviceDecision {
  readonly userCode: string;
  readonly isAllowed: boolean;
  /** Default: all that are requested. */
  readonly scopes?: readonly string[];
  /** Default: all that are requested. */
  readonly categories?: readonly string[];
}

/** What the decision to allow adds to the stored device code. */
async function allowDevice(
  tx: Transaction,
  context: OidcContext,
  { client, categories: requested, scopes, audiences }: WaitingDevice,
  { decision, principal }: { decision: DeviceDecision; principal: Principal },
) {
  const { userId = 0, amr, sid, authTime, issuedAt } = principal;
  const allowed = scopes.filter(
    (name) => !decision.scopes || decision.scopes.includes(name) || name === 'openid',
  );
  const categories = { requested, granted: selectCategories(requested, decision.categories) };
  const { clientId } = client;
  const grant = createGrant(context, {
    ...{ userId, clientId, requested: allowed, allowed, audiences, categories },
  });
  await writeObject(tx, grant);
  // Each device asks for consent: the row only lists the connection.
  await queryNamed(
    tx,
    `insert into consent (user_id, client_id, scopes, is_remembered, created_at, updated_at)
     values (:user_id, :client_id, :allowed, false, :now, :now)
     on conflict (user_id, client_id) do update set updated_at = excluded.updated_at,
       is_remembered = consent.is_remembered and excluded.scopes <@ consent.scopes,
       scopes = (
         select array_agg(distinct scope order by scope)
         from unnest(consent.scopes || excluded.scopes) as scope)`,
    { user_id: userId, client_id: clientId, allowed, now: context.clock.now() },
  );
  return {
    accountId: String(userId),
    grantId: grant.id,
    scope: allowed.join(' '),
    resource: audiences.length === 1 ? audiences[0] : audiences,
    amr,
    authTime: Math.floor((authTime ?? issuedAt).getTime() / 1000),
    sid,
  };
}

/** Records the user's decision. @throws `user_code_unknown`, `rate_limited` */
export async function decideDevice(
  context: OidcContext,
  decision: DeviceDecision,
  principal: Principal,
  origin: RequestOrigin,
): Promise<void> {
  const { database, clock } = context;
  const { userId = 0 } = principal;
  const device = await findDevice(context, decision.userCode, principal);
  const { clientId, name } = device.client;
  await transaction(database, async (tx) => {
    await tx.query('select wait_for_revocations($1)', [userId]);
    const { id, code } = await findWaiting(tx, clock, decision.userCode, 'for update');
    const added = decision.isAllowed
      ? await allowDevice(tx, context, device, { decision, principal })
      : { error: 'access_denied', errorDescription: 'The user denied the request.' };
    await queryNamed(
      tx,
      `update oidc_object set payload = :payload, grant_id = :grant_id
        where model = 'DeviceCode' and id = :id`,
      {
        id,
        payload: JSON.stringify({ ...code, ...added }),
        grant_id: 'grantId' in added ? added.grantId : null,
      },
    );
    await logSecurityEvent(tx, clock, {
      userId,
      type: decision.isAllowed ? 'device_allowed' : 'device_denied',
      origin,
      details: { client_id: clientId, client_name: name },
    });
  });
}
