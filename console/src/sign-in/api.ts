/** The calls of the sign-in page. */
import { call } from '../api/http.ts';
import { hashPassword } from '../lib/password.ts';

export type FactorMethod = 'EMAIL' | 'AUTHENTICATOR' | 'PASSKEY';

export interface LoginResult {
  readonly login_ticket: string;
  /** Masked. */
  readonly email: string;
  readonly two_factor_methods: readonly FactorMethod[];
}

export interface SignedIn {
  readonly access_token: string;
  readonly device_token: string;
  readonly expire: number;
  readonly email: string;
}

/** What a factor is proven with. */
export type FactorProof =
  | { readonly method: 'EMAIL'; readonly validate_code: string }
  | { readonly method: 'AUTHENTICATOR'; readonly authenticator_code: string }
  | { readonly method: 'AUTHENTICATOR'; readonly recovery_code: string }
  | { readonly method: 'PASSKEY'; readonly passkey_credential: unknown };

export interface ConsentScope {
  readonly scope: string;
  readonly description?: string;
}

export interface ConsentRequest {
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: readonly ConsentScope[];
  /** Nothing to ask: the client is the service's own, or the person allowed the same before. */
  readonly needs_consent?: boolean;
}

export function logIn(email: string, passwordHash: string): Promise<LoginResult> {
  return call('POST', '/user/login-with-password', { body: { email, login_password: passwordHash } });
}

export async function sendEmailCode(email: string, ticket: string): Promise<void> {
  await call('POST', '/user/login/email-code', { body: { email, login_ticket: ticket } });
}

export function proveFactor(email: string, ticket: string, proof: FactorProof): Promise<SignedIn> {
  return call('POST', '/user/login/2fa', { body: { email, login_ticket: ticket, ...proof } });
}

/** Asks the browser for the person's passkey, and gives what it signed. */
export async function askPasskey(email: string, ticket: string): Promise<unknown> {
  const options = await call<Record<string, unknown>>('POST', '/user/login/passkey-options', { body: { email, login_ticket: ticket } });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: (options.options ?? options) as never });
}

export interface Registration {
  readonly email: string;
  readonly nickname: string;
  readonly password: string;
  readonly referralCode: string;
}

export async function register({ email, nickname, password, referralCode }: Registration): Promise<string> {
  const body = { email, nickname, login_password: hashPassword(password), ...(referralCode !== '' && { referral_code: referralCode }) };
  return (await call<{ register_ticket: string }>('POST', '/user/register', { body })).register_ticket;
}

export async function verifyRegistration(email: string, ticket: string, code: string): Promise<void> {
  await call('POST', '/user/register/verify', { body: { email, register_ticket: ticket, validate_code: code } });
}

export async function requestReset(email: string): Promise<string> {
  return (await call<{ reset_ticket: string }>('POST', '/user/password/reset', { body: { email } })).reset_ticket;
}

export async function finishReset(email: string, ticket: string, code: string, password: string): Promise<void> {
  await call('POST', '/user/password/reset/verify', {
    body: { email, reset_ticket: ticket, validate_code: code, login_password: hashPassword(password) },
  });
}

interface RawConsent {
  readonly client_id?: string;
  readonly client_name?: string;
  readonly client?: { readonly client_id?: string; readonly name?: string; readonly client_name?: string };
  readonly scopes?: readonly (string | { readonly scope?: string; readonly name?: string; readonly description?: string })[];
  readonly needs_consent?: boolean;
}

/** What the interaction asks for. */
export async function readConsent(interactionId: string, token?: string): Promise<ConsentRequest> {
  const raw = await call<RawConsent>('GET', '/oauth2/authorize/consent', {
    query: { interaction_id: interactionId },
    ...(token !== undefined && { token }),
  });
  const client_id = raw.client_id ?? raw.client?.client_id ?? '';
  const scopes = (raw.scopes ?? []).map((entry): ConsentScope => {
    if (typeof entry === 'string') return { scope: entry };
    return { scope: entry.scope ?? entry.name ?? '', ...(entry.description !== undefined && { description: entry.description }) };
  });
  return {
    client_id,
    client_name: raw.client_name ?? raw.client?.name ?? raw.client?.client_name ?? client_id,
    scopes,
    ...(raw.needs_consent !== undefined && { needs_consent: raw.needs_consent }),
  };
}

/** Answers the interaction, and gives where the browser goes on. */
export async function decideConsent(interactionId: string, token: string, decision: 'allow' | 'deny'): Promise<string> {
  const body = { interaction_id: interactionId, decision };
  return (await call<{ redirect_to: string }>('POST', '/oauth2/authorize/consent', { token, body })).redirect_to;
}
