/** The storage of each of the provider's models. */
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { endBrowserSession, isWholeLogout } from '../logout/finish-logout.ts';
import { toClientMetadata } from './client-metadata.ts';
import { sidOfSession } from './find-account.ts';
import { ObjectAdapter, type StorageContext } from './object-adapter.ts';
import { stateOf } from './request-state.ts';
import { CodeAdapter, DeviceCodeAdapter, RefreshTokenAdapter } from './sign-in-adapters.ts';

class ClientAdapter extends ObjectAdapter {
  override async find(clientId: string): Promise<AdapterPayload | undefined> {
    const client = await this.context.clients.find(clientId);
    return client && toClientMetadata(client, this.context.knownScopes);
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
    const state = stateOf(this.context.currentContext());
    state.sessionSid = sidOfSession(session);
    const { resumed } = state;
    return resumed && session?.accountId !== resumed.accountId ? undefined : session;
  }

  /** With the session of the browser the sign-in ends, if the user asked for that. */
  override async destroy(id: string): Promise<void> {
    const ctx = this.context.currentContext();
    if (!ctx || !isWholeLogout(ctx)) return super.destroy(id);
    await endBrowserSession(this.context, ctx, this.storedId(id));
  }
}

/** True for the id that the library gives the client's assertion, rather than a DPoP proof. */
function isAssertion(id: string, ctx: KoaContextWithOIDC | undefined): boolean {
  const assertion = ctx?.oidc.params?.client_assertion;
  if (typeof assertion !== 'string') return false;
  const { iss, jti } = decodeJwt(assertion);
  return createHash('sha256').update(`${iss}${jti}`).digest('base64url') === id;
}

/** A pushed request serves once. */
class PushedRequestAdapter extends ObjectAdapter {
  override async consume(id: string): Promise<void> {
    await super.consume(id).catch((error: unknown) => {
      const { errors } = this.context;
      throw error instanceof errors.InvalidGrant
        ? new errors.InvalidRequestUri('request_uri was used before')
        : error;
    });
  }
}

class ReplayAdapter extends ObjectAdapter {
  override async upsert(id: string, _payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { clock, recordJti, errors, currentContext } = this.context;
    const expiresAt = new Date(clock.now().getTime() + expiresIn * 1000);
    if (await recordJti(id, expiresAt)) return;
    if (isAssertion(id, currentContext()))
      throw new errors.InvalidClientAuth('client assertion tokens must only be used once');
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
  PushedAuthorizationRequest: PushedRequestAdapter,
  ReplayDetection: ReplayAdapter,
};

export function createAdapter(model: string, context: StorageContext): Adapter {
  return new (ADAPTERS[model] ?? ObjectAdapter)(model, context);
}
