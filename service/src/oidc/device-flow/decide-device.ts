/**
 * The person's side of the device flow (RFC 8628): they type the code that a device without a browser shows. The code
 * is short, so guesses are limited per person; a decision is taken once.
 */
import { type Db, type Transaction, transaction } from '../../db/index.ts';
import { type Principal, type RateLimit, takeHit } from '../../http/index.ts';
import { logSecurityEvent, type Origin } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { Client, ClientRegistry } from '../clients/index.ts';
import { grantedOf, readCategories } from '../consent/categories.ts';
import { type GrantLifetimes, makeGrant } from '../provider/grant-payload.ts';
import { writeObjects } from '../provider/unit-of-work.ts';
import { SCOPES, type Scope, splitScopes } from '../tokens/scopes.ts';

const GUESSES: RateLimit = { name: 'device-code', hits: 20, window_s: 600 };

export interface DeviceFlowDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly baseUrl: string;
  readonly lifetimes: GrantLifetimes;
}

/** As the provider stores it. */
interface DeviceCode {
  readonly clientId: string;
  readonly params: { readonly scope?: string; readonly device_categories?: string };
  readonly deviceInfo?: { readonly ip?: string; readonly ua?: string };
  readonly accountId?: string;
  readonly error?: string;
}

export interface ShownDevice {
  readonly userCode: string;
  readonly client: Client;
  readonly scopes: readonly Scope[];
  readonly categories: readonly string[];
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Letters as the device shows them, whatever the person made of the hyphen and case. */
function normalize(userCode: string): string {
  return userCode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

interface Waiting {
  readonly id: string;
  readonly code: DeviceCode;
}

async function findWaiting(
  db: Db,
  clock: Clock,
  userCode: string,
  lock: '' | 'for update' = '',
): Promise<Waiting> {
  const { rows } = await db.query<{ id: string; payload: DeviceCode }>(
    `select id, payload from oidc_object where model = 'DeviceCode' and user_code = $1 and expires_at > $2 ${lock}`,
    [normalize(userCode), clock.now()],
  );
  const row = rows[0];
  if (!row || row.payload.accountId !== undefined || row.payload.error !== undefined)
    throw failure('user_code_unknown');
  return { id: row.id, code: row.payload };
}

/** What waits, and whose it is. Never within a transaction: the clients may have to be read, on a connection of their own. */
async function findRequest(
  { db, clock, clients }: DeviceFlowDeps,
  userCode: string,
): Promise<{ code: DeviceCode; client: Client }> {
  const { code } = await findWaiting(db, clock, userCode);
  const client = await clients.find(code.clientId);
  if (!client) throw failure('user_code_unknown');
  return { code, client };
}

const scopesOf = ({ params }: DeviceCode, client: Client): Scope[] =>
  splitScopes(params.scope).filter(
    (scope): scope is Scope => scope in SCOPES && client.scopes.includes(scope),
  );

const categoriesOf = (code: DeviceCode): readonly string[] =>
  readCategories(code.params.device_categories) ?? [];

/** What waits under a code. @throws `user_code_unknown`, `rate_limited` */
export async function showDevice(
  deps: DeviceFlowDeps,
  userCode: string,
  principal: Principal,
): Promise<ShownDevice> {
  await takeHit(deps.db, deps.clock, GUESSES, String(principal.userId));
  const { code, client } = await findRequest(deps, userCode);
  const letters = normalize(userCode);
  return {
    userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`,
    client,
    scopes: scopesOf(code, client),
    categories: categoriesOf(code),
    ...(code.deviceInfo?.ip !== undefined && { ip: code.deviceInfo.ip }),
    ...(code.deviceInfo?.ua !== undefined && { userAgent: code.deviceInfo.ua }),
  };
}

export interface DeviceDecision {
  readonly userCode: string;
  readonly isAllowed: boolean;
  readonly scopes?: readonly string[];
  readonly categories?: readonly string[];
}

/** What the person's answer adds to the waiting code. */
async function answer(
  tx: Transaction,
  deps: DeviceFlowDeps,
  { code, client }: { code: DeviceCode; client: Client },
  { isAllowed, scopes, categories: chosen }: DeviceDecision,
  principal: Principal,
) {
  if (!isAllowed) return { error: 'access_denied', errorDescription: 'The person refused.' };
  const requested = scopesOf(code, client);
  const allowed = requested.filter((name) => !scopes || scopes.includes(name) || name === 'openid');
  const asked = categoriesOf(code);
  const categories = { asked, granted: grantedOf(asked, chosen) };
  const { clock, baseUrl, lifetimes } = deps;
  const grant = makeGrant(clock, {
    userId: principal.userId ?? 0,
    clientId: code.clientId,
    baseUrl,
    requested: allowed,
    allowed,
    categories,
    lifetimes,
  });
  await writeObjects(tx, [grant]);
  return {
    accountId: String(principal.userId),
    grantId: grant.id,
    scope: allowed.join(' '),
    resource: deps.baseUrl,
    amr: principal.amr,
    authTime: Math.floor((principal.authTime ?? principal.issuedAt).getTime() / 1000),
    sid: principal.sid,
  };
}

/** Takes the person's decision. @throws `user_code_unknown`, `rate_limited` */
export async function decideDevice(
  deps: DeviceFlowDeps,
  decision: DeviceDecision,
  principal: Principal,
  origin: Origin,
): Promise<void> {
  const { db, clock } = deps;
  const userId = principal.userId ?? 0;
  await takeHit(db, clock, GUESSES, String(userId));
  const { client } = await findRequest(deps, decision.userCode);
  await transaction(db, async (tx) => {
    await tx.query('select wait_for_endings($1)', [userId]);
    const { id, code } = await findWaiting(tx, clock, decision.userCode, 'for update');
    const added = await answer(tx, deps, { code, client }, decision, principal);
    await tx.query(
      "update oidc_object set payload = $2, grant_id = $3 where model = 'DeviceCode' and id = $1",
      [id, JSON.stringify({ ...code, ...added }), 'grantId' in added ? added.grantId : null],
    );
    if (decision.isAllowed)
      await rememberConnection(
        tx,
        clock,
        userId,
        client.clientId,
        splitScopes('scope' in added ? added.scope : ''),
      );
    const type = decision.isAllowed ? 'device_allowed' : 'device_denied';
    await logSecurityEvent(tx, clock, {
      userId,
      type,
      origin,
      details: { client_id: client.clientId, client_name: client.name },
    });
  });
}

/** Lists the device among the person's connections; each device asks anew, and what it was allowed is remembered for nothing else. */
async function rememberConnection(
  tx: Transaction,
  clock: Clock,
  userId: number,
  clientId: string,
  scopes: string[],
): Promise<void> {
  await tx.query(
    `insert into consent (user_id, client_id, scopes, is_remembered, created_at, updated_at) values ($1, $2, $3, false, $4, $4)
     on conflict (user_id, client_id) do update set updated_at = excluded.updated_at,
       is_remembered = consent.is_remembered and excluded.scopes <@ consent.scopes,
       scopes = (select array_agg(distinct scope order by scope) from unnest(consent.scopes || excluded.scopes) as scope)`,
    [userId, clientId, scopes, clock.now()],
  );
}
