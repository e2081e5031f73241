import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../api/me.ts';
import { PAGE_SIZE, type PageOf } from '../api/page.ts';
import { hashPassword } from '../lib/password.ts';
import { callAsMe } from '../session/session.ts';

export interface SecondFactors {
  readonly two_factor_methods: readonly string[];
  readonly has_authenticator: boolean;
  readonly passkeys: readonly {
    readonly id: number;
    readonly name: string;
    readonly is_synced: boolean;
    readonly created_at: string;
    readonly last_used_at?: string;
  }[];
  readonly recovery_codes_left: number;
  readonly is_email_factor_on: boolean;
  readonly money_frozen_until?: string;
}

export interface Session {
  readonly sid: string;
  readonly is_current: boolean;
  readonly client_id?: string;
  readonly amr: readonly string[];
  readonly ip: string;
  readonly user_agent: string;
  readonly auth_time: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface Connection {
  readonly client_id: string;
  readonly client_name: string;
  readonly first_party: boolean;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly created_at: string;
}

export interface SecurityEvent {
  readonly id: number;
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip: string;
  readonly user_agent: string;
  readonly created_at: string;
}

export const factorsQuery = queryOptions({
  queryKey: ['security', 'factors'],
  queryFn: ({ signal }) => callAsMe<SecondFactors>('GET', '/me/second-factors', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['security', 'sessions'],
  queryFn: async ({ signal }) =>
    (await callAsMe<{ sessions: readonly Session[] }>('GET', '/me/sessions', { signal })).sessions,
});

export const connectionsQuery = queryOptions({
  queryKey: ['security', 'connections'],
  queryFn: async ({ signal }) =>
    (await callAsMe<{ connections: readonly Connection[] }>('GET', '/me/connections', { signal }))
      .connections,
});

export function fetchEvents(current: number, signal: AbortSignal): Promise<PageOf<SecurityEvent>> {
  return callAsMe('GET', '/me/security-events', { signal, query: { current, size: PAGE_SIZE } });
}

export interface AuthenticatorSecret {
  readonly secret: string;
  readonly otpauth_uri: string;
}

/** Shown once, with the first strong factor. */
export interface Enrolled {
  readonly recovery_codes?: readonly string[];
}

export const startAuthenticator = () => callAsMe<AuthenticatorSecret>('POST', '/me/authenticator');
export const confirmAuthenticator = (code: string) =>
  callAsMe<Enrolled>('POST', '/me/authenticator/confirm', { body: { authenticator_code: code } });
export const removeAuthenticator = () => callAsMe<void>('POST', '/me/authenticator/remove');
export const removePasskey = (id: number) => callAsMe<void>('POST', `/me/passkeys/${id}/delete`);
export const renewRecoveryCodes = () => callAsMe<Required<Enrolled>>('POST', '/me/recovery-codes');
export const setEmailFactor = (enabled: boolean) =>
  callAsMe<void>('POST', '/me/email-factor', { body: { enabled } });
export const endSession = (sid: string) =>
  callAsMe<void>('POST', `/me/sessions/${encodeURIComponent(sid)}/end`);
export const endOtherSessions = () =>
  callAsMe<{ ended: number }>('POST', '/me/sessions/end-others');
export const endConnection = (clientId: string) =>
  callAsMe<void>('DELETE', `/me/connections/${encodeURIComponent(clientId)}`);
export const changeNickname = (nickname: string) =>
  callAsMe<Me>('PATCH', '/me', { body: { nickname } });
export const closeAccount = (password: string, abandonsBalance: boolean) =>
  callAsMe<void>('POST', '/me/close', {
    body: { login_password: hashPassword(password), abandon_balance: abandonsBalance },
  });

export function changePassword(password: string, next: string): Promise<void> {
  return callAsMe('POST', '/me/password', {
    body: { login_password: hashPassword(password), new_login_password: hashPassword(next) },
  });
}

export async function startEmailChange(email: string): Promise<string> {
  return (await callAsMe<{ email_ticket: string }>('POST', '/me/email', { body: { email } }))
    .email_ticket;
}

export function finishEmailChange(ticket: string, oldCode: string, newCode: string): Promise<Me> {
  return callAsMe('POST', '/me/email/verify', {
    body: { email_ticket: ticket, validate_code: oldCode, new_validate_code: newCode },
  });
}

/** Makes a passkey in the browser and hands it in. */
export async function addPasskey(name: string): Promise<Enrolled> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = await callAsMe<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    'POST',
    '/me/passkeys/options',
  );
  const passkey_credential = await startRegistration({ optionsJSON });
  return callAsMe('POST', '/me/passkeys', { body: { name, passkey_credential } });
}
