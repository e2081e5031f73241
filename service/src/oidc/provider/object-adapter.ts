/**
 * The provider's storage. Codes and refresh tokens are consumed by a conditional UPDATE, so that of
 * any number of parallel redemptions one wins; the others, and every later one, revoke the grant.
 * Codes, tokens and sessions are stored by hash: a copy of the database redeems nothing.
 */
import type { Adapter, AdapterPayload, errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import { transaction } from '../../db/index.ts';
import { hashSecret } from '../../lib/ids.ts';
import type { OidcContext } from '../context.ts';
import {
  consumeObject,
  deleteObject,
  endGrant,
  type FoundObject,
  findObject,
  type StoredObject,
  writeObject,
} from './object-store.ts';
import { stateOf } from './request-state.ts';
import { restrictScopes } from './restrict-scopes.ts';

/** The context, and what the library provides. */
export interface StorageContext extends OidcContext {
  readonly errors: typeof Errors;
  /** The scopes of the provider, which refuses clients with others. */
  readonly knownScopes: ReadonlySet<string>;
  /** The request that the provider serves now. */
  currentContext(): KoaContextWithOIDC | undefined;
}

const HASHED_MODELS: ReadonlySet<string> = new Set([
  'AuthorizationCode',
  'RefreshToken',
  'DeviceCode',
  'PushedAuthorizationRequest',
  'Session',
]);

/** Written with what else the request stores, before it is answered (write-deferred.ts). */
const DEFERRED_MODELS: ReadonlySet<string> = new Set(['AuthorizationCode', 'Session']);

/** Storage of any model; the ones below differ from it. */
export class ObjectAdapter implements Adapter {
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
    const { database, clock, currentContext } = this.context;
    const { model } = this;
    const object: StoredObject = {
      model,
      id: this.storedId(id),
      payload: HASHED_MODELS.has(model) ? payload : { ...payload, jti },
      grantId: payload.grantId,
      userCode: payload.userCode,
      expiresAt: new Date(clock.now().getTime() + expiresIn * 1000),
    };
    const { deferred } = stateOf(currentContext());
    if (deferred && DEFERRED_MODELS.has(model)) deferred.set(`${model} ${object.id}`, object);
    else await writeObject(database, object);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { database, clock } = this.context;
    const found = await findObject(database, clock.now(), this.model, { id: this.storedId(id) });
    return found && { ...(await this.read(found)), jti: id };
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const found = await findObject(this.context.database, this.context.clock.now(), this.model, {
      userCode,
    });
    return found && this.read(found);
  }

  /** Only tokens that end with the cookie session need it; here they end with the sign-in. */
  async findByUid(): Promise<undefined> {}

  protected async read({
    payload,
    consumed_at,
    client_scopes,
    grant_payload,
  }: FoundObject): Promise<AdapterPayload> {
    const state = stateOf(this.context.currentContext());
    if (grant_payload) state.grant = restrictScopes(grant_payload, client_scopes ?? []);
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
    const { database, currentContext } = this.context;
    const storedId = this.storedId(id);
    stateOf(currentContext()).deferred?.delete(`${this.model} ${storedId}`);
    await deleteObject(database, this.model, storedId);
  }

  protected async endGrant(grantId: string, reason: string): Promise<void> {
    const { database, clock } = this.context;
    await transaction(database, (tx) => endGrant(tx, clock, grantId, reason));
  }

  /** Called for each model of the grant; the call for access tokens ends all of them. */
  async revokeByGrantId(grantId: string): Promise<void> {
    if (this.model === 'AccessToken') await this.endGrant(grantId, 'grant_revoked');
  }
}
