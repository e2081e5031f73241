/** Storage of what tokens are made from: codes, refresh tokens and device codes. */
import type { AdapterPayload } from 'oidc-provider';
import { isPollingTooFast } from '../device-flow/enforce-poll-interval.ts';
import { joinSession } from '../logout/join-session.ts';
import { loginSidOf } from './find-account.ts';
import { checkDpopBinding, REFRESH_RETRY_MS, successorOf } from './library-limits.ts';
import { ObjectAdapter } from './object-adapter.ts';
import type { FoundObject } from './object-store.ts';
import { stateOf } from './request-state.ts';

/** Codes and tokens: stored with the id of the sign-in, read with the application's. */
class SignInAdapter extends ObjectAdapter {
  override upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { loginSid } = stateOf(this.context.currentContext());
    return super.upsert(id, { ...payload, sid: loginSid }, expiresIn);
  }

  protected override async read(found: FoundObject): Promise<AdapterPayload> {
    const { clients, applications, currentContext } = this.context;
    const payload = await super.read(found);
    const client = await clients.find(String(payload.clientId));
    const { sid } = payload as { sid?: string };
    stateOf(currentContext()).loginSid = sid;
    if (sid === undefined || !client) return payload;
    return { ...payload, sid: applications.sessionOf(client, sid) };
  }

  /** An application that wants to know of logouts will hear of the end of this session. */
  protected async joinSession(): Promise<void> {
    const { database, clients, currentContext, errors } = this.context;
    const ctx = currentContext();
    const { loginSid } = stateOf(ctx);
    const client = ctx?.oidc.client && (await clients.find(ctx.oidc.client.clientId));
    if (client?.metadata?.backchannel_logout_uri === undefined || loginSid === undefined) return;
    if (!(await joinSession(database, loginSid, client.clientId)))
      throw new errors.InvalidGrant('the sign-in has ended');
  }
}

export class CodeAdapter extends SignInAdapter {
  /** The code belongs to the sign-in of the browser's session. */
  override upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const ctx = this.context.currentContext();
    stateOf(ctx).loginSid = ctx && loginSidOf(ctx);
    return super.upsert(id, payload, expiresIn);
  }

  override async consume(id: string): Promise<void> {
    await super.consume(id);
    await this.joinSession();
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

export class RefreshTokenAdapter extends SignInAdapter {
  override upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { masterKey } = this.context;
    const successor = successorOf(this.context.currentContext(), masterKey);
    return super.upsert(successor ?? id, payload, expiresIn);
  }

  protected override againAfter(now: Date): Date {
    return new Date(now.getTime() - REFRESH_RETRY_MS);
  }

  protected override read(found: FoundObject): Promise<AdapterPayload> {
    const { consumed_at } = found;
    const canRetry =
      consumed_at !== null && consumed_at >= this.againAfter(this.context.clock.now());
    return super.read(canRetry ? { ...found, consumed_at: null } : found);
  }
}

export class DeviceCodeAdapter extends SignInAdapter {
  override async consume(id: string): Promise<void> {
    await super.consume(id);
    await this.joinSession();
  }

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
