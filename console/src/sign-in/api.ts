/** The calls of the sign-in page. */
import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { bearer, publicApi } from '../api/client.ts';
import { hashPassword } from '../lib/password.ts';
import { withChallenge } from './challenge/with-challenge.ts';
import { rememberPasskey } from './passkey-hint.ts';
import { type PasskeyCredential, promptForPasskey } from './passkey-prompt.ts';

export type LoginResult = ResponseBody<'/user/login-with-password', 'post'>;
export type FactorMethod = LoginResult['two_factor_methods'][number];
export type SignedIn = ResponseBody<'/user/login/2fa', 'post'>;

/** What proves a second factor. */
export type FactorProof =
  | { readonly method: 'EMAIL'; readonly validate_code: string }
  | { readonly method: 'AUTHENTICATOR'; readonly authenticator_code: string }
  /** A recovery code replaces the method. */
  | { readonly method: 'AUTHENTICATOR' | 'PASSKEY'; readonly recovery_code: string }
  | { readonly method: 'PASSKEY'; readonly passkey_credential: PasskeyCredential };

/** What an interaction asks of the signed-in user. */
export type ConsentRequest = ResponseBody<'/oauth2/authorize/consent', 'get'>;

/** Whether the request still waits for an answer. */
export async function isRequestWaiting(interactionId: string): Promise<boolean> {
  const query = { interaction_id: interactionId };
  return (await unwrap(publicApi.GET('/oauth2/authorize/state', { params: { query } }))).waiting;
}

export function logIn(email: string, passwordHash: string): Promise<LoginResult> {
  const body = { email, login_password: passwordHash };
  return withChallenge((headers) =>
    unwrap(publicApi.POST('/user/login-with-password', { body, headers })),
  );
}

export async function sendEmailCode(email: string, ticket: string): Promise<void> {
  const body = { email, login_ticket: ticket };
  await withChallenge((headers) =>
    unwrap(publicApi.POST('/user/login/email-code', { body, headers })),
  );
}

export async function proveFactor(
  email: string,
  ticket: string,
  proof: FactorProof,
): Promise<SignedIn> {
  const body = { email, login_ticket: ticket, ...proof };
  const signedIn = await unwrap(publicApi.POST('/user/login/2fa', { body }));
  if (proof.method === 'PASSKEY') rememberPasskey();
  return signedIn;
}

/**
 * Signs in by a passkey alone. With autofill, the browser offers its passkeys in the field of the
 * address, and the promise stays pending until one is chosen.
 * @throws an AbortError when another way was chosen, a NotAllowedError when the user declined
 */
export async function signInByPasskey({ isAutofill = false } = {}): Promise<SignedIn> {
  let challenge = '';
  const passkey_credential = await promptForPasskey(
    async () => {
      const started = await unwrap(publicApi.POST('/user/login/passkey'));
      challenge = started.challenge;
      return started.options;
    },
    { isAutofill },
  );
  const body = { challenge, passkey_credential };
  const signedIn = await unwrap(publicApi.POST('/user/login/passkey/finish', { body }));
  rememberPasskey();
  return signedIn;
}

/** Asks the browser for a passkey at sign-in. */
export function askLoginPasskey(email: string, ticket: string): Promise<PasskeyCredential> {
  const body = { email, login_ticket: ticket };
  return promptForPasskey(() => unwrap(publicApi.POST('/user/login/passkey-options', { body })));
}

/** Asks the browser for a passkey at a reset of the password. */
export function askResetPasskey(email: string, ticket: string): Promise<PasskeyCredential> {
  const body = { email, reset_ticket: ticket };
  return promptForPasskey(() =>
    unwrap(publicApi.POST('/user/password/reset/passkey-options', { body })),
  );
}

export interface Registration {
  readonly email: string;
  readonly nickname: string;
  readonly password: string;
  readonly referralCode: string;
}

export async function register(registration: Registration): Promise<string> {
  const { email, nickname, password, referralCode } = registration;
  const body = {
    email,
    nickname,
    login_password: hashPassword(password),
    ...(referralCode !== '' && { referral_code: referralCode }),
  };
  const { register_ticket } = await withChallenge((headers) =>
    unwrap(publicApi.POST('/user/register', { body, headers })),
  );
  return register_ticket;
}

/**
 * Creates the account, and signs in with the ticket and the code that created it. Undefined: the
 * account exists, and needs a sign-in of its own.
 */
export async function verifyRegistration(
  email: string,
  ticket: string,
  code: string,
): Promise<SignedIn | undefined> {
  const body = { email, register_ticket: ticket, validate_code: code };
  const { login_ticket } = await unwrap(publicApi.POST('/user/register/verify', { body }));
  return signInAfterRegistration(email, login_ticket, code).catch(() => undefined);
}

/** Signs in with the ticket and code of a registration; possible shortly after it. */
export function signInAfterRegistration(
  email: string,
  ticket: string,
  code: string,
): Promise<SignedIn> {
  return proveFactor(email, ticket, { method: 'EMAIL', validate_code: code });
}

export async function requestReset(email: string): Promise<string> {
  const { reset_ticket } = await withChallenge((headers) =>
    unwrap(publicApi.POST('/user/password/reset', { body: { email }, headers })),
  );
  return reset_ticket;
}

/**
 * Proves the mailbox, unless the new password is refused. Returns the factors of which one is
 * required as well.
 */
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
  const answer = await unwrap(publicApi.POST('/user/password/reset/verify', { body }));
  return answer.need_two_factor ? answer.two_factor_methods : [];
}

export async function completeReset(
  email: string,
  ticket: string,
  password: string,
  proof?: FactorProof,
): Promise<void> {
  const body = { email, reset_ticket: ticket, login_password: hashPassword(password), ...proof };
  await unwrap(publicApi.POST('/user/password/reset/complete', { body }));
}

export function readConsent(interactionId: string, token: string): Promise<ConsentRequest> {
  const params = { query: { interaction_id: interactionId } };
  return unwrap(publicApi.GET('/oauth2/authorize/consent', { params, headers: bearer(token) }));
}

export interface ConsentDecision {
  readonly interactionId: string;
  readonly token: string;
  readonly decision: 'allow' | 'deny';
  readonly categories: readonly string[];
}

/** Answers the interaction, and returns where the browser continues. */
export async function decideConsent(answer: ConsentDecision): Promise<string> {
  const { interactionId, token, decision, categories } = answer;
  const body = { interaction_id: interactionId, decision, categories: [...categories] };
  const headers = bearer(token);
  return (await unwrap(publicApi.POST('/oauth2/authorize/consent', { headers, body }))).redirect_to;
}
