/**
 * The provider's storage. Codes and refresh tokens are consumed by a conditional UPDATE, so that of
 * any number of parallel redemptions one wins; the others, and every later one, revoke the grant.
 * Codes, tokens and sessions are stored by hash: a copy of the database redeems nothing.
 */
import type { Adapter, AdapterPayload, errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import { transaction } from '../../db/index.ts';
import { hashSecret } from '../../lib/ids.ts';
import type { OidcContext } from '../context.ts';
import { isPollingTooFast } from '../device-flow/enforce-poll-interval.ts';
import { toClientMetadata } from './client-metadata.ts';
import { loginSidOf } from './find-account.ts';
import { checkDpopBinding, REFRESH_RETRY_MS, successorOf } from './library-limits.ts';
import {
  consumeObject,
  deleteObject,
  endGrant,
  type FoundObject,
  findObject,
  writeObject,
} from './object-store.ts';
import { stateOf } from './request-state.ts';
import { restrictScopes } from './restrict-scopes.ts';

/** The context, and what the library provides. */
export interface StorageContext extends OidcContext {
  readonly errors: typeof Errors;
  /** The request that the provider serves now. */
  currentContext(): KoaContextWithOIDC | undefined;
}

const HASHED_MODELS: ReadonlySet<string> = new Set([
  'AuthorizationCode',
  'RefreshToken',
  'DeviceCode',
  'Session',
]);

/** Storage of any model; the ones below differ from it. */
class ObjectAdapter implements Adapter {
  readonly model: string;
  protected readonly context: StorageContext;

  constructor(model: string, context: StorageContext) {
    this.model = model;
    this.context = context;
  }

  protected storedId(id: string): string {
    return HASHED_MODELS.has(this.model) ? hashSecret(id) : id;
  }

  async upsert(id: string, { jti, ...payload }: AdapterPayload, expiresIn: number): Promise<void> {
    const { database, clock } = this.context;
    const { model } = this;
    await writeObject(database, {
      model,
      id: this.storedId(id),
      payload: HASHED_MODELS.has(model) ? payload : { ...payload, jti },
      grantId: payload.grantId,
      userCode: payload.userCode,
      expiresAt: new Date(clock.now().getTime() + expiresIn * 1000),
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { database, clock } = this.context;
    const found = await findObject(database, clock.now(), this.model, { id: this.storedId(id) });
    return found && { ...this.read(found), jti: id };
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const found = await findObject(this.context.database, this.context.clock.now(), this.model, {
      userCode,
    });
    return found && this.read(found);
  }

  /** Only tokens that end with the cookie session need it; here they end with the sign-in. */
  async findByUid(): Promise<undefined> {}

  protected read({
    payload,
    consumed_at,
    client_scopes,
    grant_payload,
  }: FoundObject): AdapterPayload {
    if (grant_payload)
      stateOf(this.context.currentContext()).grant = restrictScopes(
        grant_payload,
        client_scopes ?? [],
      );
    return {
      ...restrictScopes(payload, client_scopes ?? []),
      ...(consumed_at && { consumed: Math.floor(consumed_at.getTime() / 1000) }),
    };
  }

  /** Objects consumed after this instant may be consumed again; null: never. */
  protected againAfter(_now: Date): Date | null {
    return null;
  }

  async consume(id: string): Promise<void> {
    const { database, clock, errors } = this.context;
    const { model } = this;
    const now = clock.now();
    const storedId = this.storedId(id);
    const again = { model, id: storedId, againAfter: this.againAfter(now) };
    const consumed = await consumeObject(database, now, again);
    if (consumed) {
      stateOf(this.context.currentContext()).signIn = consumed.sign_in;
      return;
    }
    const used = await findObject(database, now, model, { id: storedId });
    if (used?.payload.grantId !== undefined) await this.endGrant(used.payload.grantId, 'replayed');
    throw new errors.InvalidGrant('it was used before');
  }

  async destroy(id: string): Promise<void> {
    await deleteObject(this.context.database, this.model, this.storedId(id));
  }

  protected async endGrant(grantId: string, reason: string): Promise<void> {
    const { database, clock, config } = this.context;
    const longestToken_s = config.LOGIN_TOKEN_TTL;
    await transaction(database, (tx) => endGrant(tx, clock, grantId, { reason, longestToken_s }));
  }

  /** Called for each model of the grant; the call for access tokens ends all of them. */
  async revokeByGrantId(grantId: string): Promise<void> {
    if (this.model === 'AccessToken') await this.endGrant(grantId, 'grant_revoked');
  }
}

class ClientAdapter extends ObjectAdapter {
  override async find(clientId: string): Promise<AdapterPayload | undefined> {
    const client = await this.context.clients.find(clientId);
    return client && toClientMetadata(client);
  }
}

class CodeAdapter extends ObjectAdapter {
  /** The code belongs to the sign-in: all clients of one browser session share its `sid`. */
  override upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const ctx = this.context.currentContext();
    return super.upsert(id, { ...payload, sid: ctx && loginSidOf(ctx) }, expiresIn);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const ctx = this.context.currentContext();
    const redirectUri = ctx?.oidc.params?.redirect_uri;
    // The operator may have removed it since the code was issued.
    if (
      typeof redirectUri === 'string' &&
      ctx?.oidc.client?.redirectUriAllowed(redirectUri) === false
    )
      return undefined;
    const code = await super.find(id);
    if (code && ctx?.oidc.route === 'token') await checkDpopBinding(code, ctx, this.context.errors);
    return code;
  }
}

class RefreshTokenAdapter extends ObjectAdapter {
  override upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { masterKey } = this.context;
    const successor = successorOf(this.context.currentContext(), masterKey);
    return super.upsert(successor ?? id, payload, expiresIn);
  }

  protected override againAfter(now: Date): Date {
    return new Date(now.getTime() - REFRESH_RETRY_MS);
  }

  protected override read(found: FoundObject): AdapterPayload {
    const { consumed_at } = found;
    const canRetry =
      consumed_at !== null && consumed_at >= this.againAfter(this.context.clock.now());
    return super.read(canRetry ? { ...found, consumed_at: null } : found);
  }
}

class DeviceCodeAdapter extends ObjectAdapter {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { database, clock, errors } = this.context;
    const { route, client } = this.context.currentContext()?.oidc ?? {};
    if (
      route === 'token' &&
      client &&
      (await isPollingTooFast(database, clock.now(), this.storedId(id), client.clientId))
    )
      throw new errors.SlowDown();
    return super.find(id);
  }
}

class GrantAdapter extends ObjectAdapter {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { grant } = stateOf(this.context.currentContext());
    return grant?.jti === id ? grant : super.find(id);
  }
}

/** Requests that wait for a user are not stored: the browser carries them encrypted. */
class InteractionAdapter extends ObjectAdapter {
  override async upsert(): Promise<void> {}
  override async destroy(): Promise<void> {}
  override async find(): Promise<AdapterPayload | undefined> {
    return stateOf(this.context.currentContext()).resumed?.interaction;
  }
}

class SessionAdapter extends ObjectAdapter {
  /** A session without a user is not stored. */
  override async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    if (payload.accountId !== undefined) await super.upsert(id, payload, expiresIn);
  }

  /** A request that continues with the decision of another user gets a session of its own. */
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const session = await super.find(id);
    const { resumed } = stateOf(this.context.currentContext());
    return resumed && session?.accountId !== resumed.accountId ? undefined : session;
  }
}

class ReplayAdapter extends ObjectAdapter {
  override async upsert(id: string, _payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { clock, recordJti, errors } = this.context;
    const expiresAt = new Date(clock.now().getTime() + expiresIn * 1000);
    if (!(await recordJti(id, expiresAt)))
      throw new errors.InvalidDpopProof('DPoP proof JWT Replay detected');
  }
}

const ADAPTERS: Readonly<Record<string, typeof ObjectAdapter>> = {
  Client: ClientAdapter,
  AuthorizationCode: CodeAdapter,
  RefreshToken: RefreshTokenAdapter,
  DeviceCode: DeviceCodeAdapter,
  Grant: GrantAdapter,
  Interaction: InteractionAdapter,
  Session: SessionAdapter,
  ReplayDetection: ReplayAdapter,
};

export function createAdapter(model: string, context: StorageContext): Adapter {
  return new (ADAPTERS[model] ?? ObjectAdapter)(model, context);
}
