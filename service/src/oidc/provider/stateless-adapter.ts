/** The provider's storage of what is not stored: requests that wait for a person, and browser sessions. The browser carries them. */
import type { Adapter, AdapterPayload, Provider } from 'oidc-provider';
import type { BrowserSession, Seals } from './interaction-encryption.ts';
import { keyOf, type RequestUnit } from './unit-of-work.ts';

/** A sign-in belongs to the browser, not to one of the clients in it. */
const ANY_CLIENT = '';

function payloadOf({ uid, sid, ...session }: BrowserSession): AdapterPayload {
  return {
    kind: 'Session',
    uid,
    ...session,
    ...(sid !== undefined && { authorizations: { [ANY_CLIENT]: { sid } } }),
  } as AdapterPayload;
}

/** True where a request goes on with a decision of somebody else than the session's person, who must not inherit it. */
function isOfAnother({ accountId }: BrowserSession, unit: RequestUnit | undefined): boolean {
  return (
    unit?.signIn !== undefined && accountId !== undefined && unit.signIn.accountId !== accountId
  );
}

export function isSealed(model: string): boolean {
  return model === 'Interaction' || model === 'Session';
}

/** Makes the adapter of one of the models that `isSealed`. */
export function createSealedAdapter(
  model: string,
  seals: Seals,
  currentUnit: () => RequestUnit | undefined,
): Adapter {
  function findSession(sealed: string): AdapterPayload | undefined {
    const session = seals.session.open(sealed);
    return session && !isOfAnother(session, currentUnit()) ? payloadOf(session) : undefined;
  }

  return {
    async upsert(id, payload) {
      currentUnit()?.held.set(keyOf(model, id), payload);
    },
    find: async (id) =>
      model === 'Session' ? findSession(id) : currentUnit()?.held.get(keyOf(model, id)),
    async destroy(id) {
      currentUnit()?.held.delete(keyOf(model, id));
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    async consume() {},
    async revokeByGrantId() {},
  };
}

interface SessionFields extends BrowserSession {
  readonly authorizations?: Readonly<Record<string, { readonly sid?: string } | undefined>>;
}

/** Lets the session's cookie be the session itself, sealed. */
export function sealSessionCookies(provider: Provider, seals: Seals): void {
  const prototype = provider.Session.prototype as unknown as object;
  Object.defineProperties(prototype, {
    id: {
      get(this: SessionFields): string {
        const { uid, accountId, loginTs, amr, authorizations = {} } = this;
        const sid = Object.values(authorizations).find(
          (authorization) => authorization?.sid !== undefined,
        )?.sid;
        return seals.session.seal({ uid, accountId, loginTs, amr, sid });
      },
    },
    // There is no stored identifier that a former cookie could still name.
    resetIdentifier: {
      value(this: { touched: boolean }): void {
        this.touched = true;
      },
    },
  });
}
