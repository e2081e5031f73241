import { type RequestBody, type ResponseBody, unwrap } from '@edge-account/sdk';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Me } from '../api/me.ts';
import { PAGE_SIZE } from '../api/page.ts';
import { hashPassword } from '../lib/password.ts';
import { api } from '../session/session-api.ts';
import { rememberPasskey } from '../sign-in/passkey-hint.ts';
import { type Callback, keepWaiting } from '../sign-in/upstream.ts';

export type SecondFactors = ResponseBody<'/me/second-factors', 'get'>;
export type Connection = ResponseBody<'/me/connections', 'get'>['connections'][number];
export type AuthenticatorSecret = ResponseBody<'/me/authenticator', 'post'>;
/** Recovery codes come once, with the first strong factor. */
export type Enrolled = ResponseBody<'/me/authenticator/confirm', 'post'>;

export type Identities = ResponseBody<'/me/upstream-identities', 'get'>;
export type Identity = Identities['identities'][number];

type PasskeyRegistration = RequestBody<'/me/passkeys', 'post'>;

export const factorsQuery = queryOptions({
  queryKey: ['security', 'factors'],
  queryFn: ({ signal }) => unwrap(api.GET('/me/second-factors', { signal })),
});

export type Session = ResponseBody<'/me/sessions', 'get'>['sessions'][number];

export const sessionsQuery = queryOptions({
  queryKey: ['security', 'sessions'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/me/sessions', { signal }))).sessions,
});

export const connectionsQuery = queryOptions({
  queryKey: ['security', 'connections'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/me/connections', { signal }))).connections,
});

export const identitiesQuery = queryOptions({
  queryKey: ['security', 'identities'],
  queryFn: ({ signal }) => unwrap(api.GET('/me/upstream-identities', { signal })),
});

/** False: the account was created with another provider, and no password was set since. */
export const useHasPassword = (): boolean => useQuery(identitiesQuery).data?.has_password ?? true;

/** Leaves this page for the provider, which sends the browser back here. */
export async function leaveToLink(provider: string): Promise<void> {
  const { authorization_url } = await unwrap(
    api.POST('/me/upstream-identities/start', { body: { provider } }),
  );
  keepWaiting({ purpose: 'link' });
  location.assign(authorization_url);
}

export const linkIdentity = (callback: Callback): Promise<Identities> =>
  unwrap(api.POST('/me/upstream-identities', { body: callback }));
export const unlinkIdentity = (id: number) =>
  unwrap(api.POST('/me/upstream-identities/{id}/delete', { params: { path: { id } } }));

export function fetchEvents(current: number, signal: AbortSignal) {
  const query = { current, size: PAGE_SIZE };
  return unwrap(api.GET('/me/security-events', { signal, params: { query } }));
}

export const startAuthenticator = () => unwrap(api.POST('/me/authenticator'));
export const confirmAuthenticator = (code: string) =>
  unwrap(api.POST('/me/authenticator/confirm', { body: { authenticator_code: code } }));
export const removeAuthenticator = () => unwrap(api.POST('/me/authenticator/remove'));
export const removePasskey = (id: number) =>
  unwrap(api.POST('/me/passkeys/{id}/delete', { params: { path: { id } } }));
export const renewRecoveryCodes = () => unwrap(api.POST('/me/recovery-codes'));
export const setEmailFactor = (enabled: boolean) =>
  unwrap(api.POST('/me/email-factor', { body: { enabled } }));
export const endSession = (sid: string) =>
  unwrap(api.POST('/me/sessions/{sid}/end', { params: { path: { sid } } }));
export const endOtherSessions = () => unwrap(api.POST('/me/sessions/end-others'));
export const endConnection = (clientId: string) =>
  unwrap(api.DELETE('/me/connections/{client_id}', { params: { path: { client_id: clientId } } }));
export const changeNickname = (nickname: string) =>
  unwrap(api.PATCH('/me', { body: { nickname } }));
export const exportAccount = (): Promise<Blob> =>
  unwrap(api.GET('/me/export', { parseAs: 'blob' }));
export const closeAccount = (password: string, abandonsBalance: boolean) =>
  unwrap(
    api.POST('/me/close', {
      body: { login_password: hashPassword(password), abandon_balance: abandonsBalance },
    }),
  );

export async function changePassword(password: string, next: string): Promise<void> {
  const body = { login_password: hashPassword(password), new_login_password: hashPassword(next) };
  await unwrap(api.POST('/me/password', { body }));
}

export async function startEmailChange(email: string): Promise<string> {
  return (await unwrap(api.POST('/me/email', { body: { email } }))).email_ticket;
}

export function finishEmailChange(ticket: string, oldCode: string, newCode: string): Promise<Me> {
  const body = { email_ticket: ticket, validate_code: oldCode, new_validate_code: newCode };
  return unwrap(api.POST('/me/email/verify', { body }));
}

/** Creates a passkey in the browser, and registers it. */
export async function addPasskey(name: string): Promise<Enrolled> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const options = await unwrap(api.POST('/me/passkeys/options'));
  const optionsJSON = options as object as PublicKeyCredentialCreationOptionsJSON;
  const passkey_credential = (await startRegistration({
    optionsJSON,
  })) as PasskeyRegistration['passkey_credential'];
  const enrolled = await unwrap(api.POST('/me/passkeys', { body: { name, passkey_credential } }));
  rememberPasskey();
  return enrolled;
}
