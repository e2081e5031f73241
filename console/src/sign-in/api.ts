/** The calls of the sign-in page. */
import { call } from '../api/http.ts';
import { hashPassword } from '../lib/password.ts';
import { promptForPasskey } from './passkey-prompt.ts';

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
  /** The method whose place the code takes. */
  | { readonly method: 'AUTHENTICATOR' | 'PASSKEY'; readonly recovery_code: string }
  | { readonly method: 'PASSKEY'; readonly passkey_credential: unknown };

export interface ConsentRequest {
  readonly client_id: string;
  readonly client_name: string;
  /** The operator's own application. */
  readonly first_party: boolean;
  readonly redirect_uri: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  /** Kinds of traffic that a device asks for. */
  readonly categories: readonly string[];
  /** Nothing is left to ask. */
  readonly allowed_already: boolean;
  readonly must_sign_in_again: boolean;
  readonly login_hint?: string;
}

/** Whether the request still waits for an answer. */
export async function isRequestWaiting(interactionId: string): Promise<boolean> {
  return (
    await call<{ waiting: boolean }>('GET', '/oauth2/authorize/state', {
      query: { interaction_id: interactionId },
    })
  ).waiting;
}

export function logIn(email: string, passwordHash: string): Promise<LoginResult> {
  return call('POST', '/user/login-with-password', {
    body: { email, login_password: passwordHash },
  });
}

export async function sendEmailCode(email: string, ticket: string): Promise<void> {
  await call('POST', '/user/login/email-code', { body: { email, login_ticket: ticket } });
}

export function proveFactor(email: string, ticket: string, proof: FactorProof): Promise<SignedIn> {
  return call('POST', '/user/login/2fa', { body: { email, login_ticket: ticket, ...proof } });
}

/** Asks the browser for the person's passkey, and gives what it signed. `path` answers the challenge. */
export function askPasskey(path: string, body: Readonly<Record<string, string>>): Promise<unknown> {
  return promptForPasskey(() => call('POST', path, { body }));
}

export interface Registration {
  readonly email: string;
  readonly nickname: string;
  readonly password: string;
  readonly referralCode: string;
}

export async function register({
  email,
  nickname,
  password,
  referralCode,
}: Registration): Promise<string> {
  const body = {
    email,
    nickname,
    login_password: hashPassword(password),
    ...(referralCode !== '' && { referral_code: referralCode }),
  };
  return (await call<{ register_ticket: string }>('POST', '/user/register', { body }))
    .register_ticket;
}

/** Makes the account, and signs in with the ticket and the code that made it. Undefined: it is there, but has to sign in by itself. */
export async function verifyRegistration(
  email: string,
  ticket: string,
  code: string,
): Promise<SignedIn | undefined> {
  const body = { email, register_ticket: ticket, validate_code: code };
  const { login_ticket } = await call<{ login_ticket: string }>('POST', '/user/register/verify', {
    body,
  });
  return takeUpRegistration(email, login_ticket, code).catch(() => undefined);
}

/** Signs in with the ticket and the code of a registration, for the moment after they made the account. */
export function takeUpRegistration(email: string, ticket: string, code: string): Promise<SignedIn> {
  return proveFactor(email, ticket, { method: 'EMAIL', validate_code: code });
}

export async function requestReset(email: string): Promise<string> {
  return (await call<{ reset_ticket: string }>('POST', '/user/password/reset', { body: { email } }))
    .reset_ticket;
}

/** Proves the mailbox, unless the password that is meant to come is refused; gives the factors of which one is needed as well. */
export async function verifyReset(
  email: string,
  ticket: string,
  code: string,
  password: string,
): Promise<readonly FactorMethod[]> {
  const body = {
    email,
    reset_ticket: ticket,
    validate_code: code,
    login_password: hashPassword(password),
  };
  const answer = await call<{
    need_two_factor: boolean;
    two_factor_methods: readonly FactorMethod[];
  }>('POST', '/user/password/reset/verify', { body });
  return answer.need_two_factor ? answer.two_factor_methods : [];
}

export async function completeReset(
  email: string,
  ticket: string,
  password: string,
  proof?: FactorProof,
): Promise<void> {
  await call('POST', '/user/password/reset/complete', {
    body: { email, reset_ticket: ticket, login_password: hashPassword(password), ...proof },
  });
}

/** What the interaction asks of the signed-in person. */
export function readConsent(interactionId: string, token: string): Promise<ConsentRequest> {
  return call('GET', '/oauth2/authorize/consent', {
    query: { interaction_id: interactionId },
    token,
  });
}

/** Answers the interaction, and gives where the browser goes on. */
export async function decideConsent(
  interactionId: string,
  token: string,
  decision: 'allow' | 'deny',
  categories: readonly string[],
): Promise<string> {
  const body = { interaction_id: interactionId, decision, categories };
  return (await call<{ redirect_to: string }>('POST', '/oauth2/authorize/consent', { token, body }))
    .redirect_to;
}
