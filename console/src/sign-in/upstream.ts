/**
 * Sign-in with an account of another provider: the browser leaves, and comes back to
 * `/sign-in/upstream/{provider}`. What continues then waits in the storage of this tab.
 */
import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { publicApi } from '../api/client.ts';
import { withChallenge } from './challenge/with-challenge.ts';

export type Provider = ResponseBody<'/user/login/upstream', 'get'>['providers'][number];
export type UpstreamResult = ResponseBody<'/user/login/upstream/finish', 'post'>;

/** The parameters with which the provider sent the browser back; undefined: it refused. */
export interface Callback {
  readonly provider: string;
  readonly state: string;
  readonly code: string;
  readonly iss?: string;
}

/** A sign-in that continues an authorization request, or a link of the security page. */
export type Waiting =
  | { readonly purpose: 'sign_in'; readonly interactionId: string; readonly referralCode: string }
  /** Without a callback the browser is at the provider; null: the provider refused. */
  | { readonly purpose: 'link'; readonly callback?: Callback | null };

const UPSTREAM_PATH = '/sign-in/upstream/';
const KEPT = 'edge-upstream';

export function keepWaiting(waiting: Waiting): void {
  sessionStorage.setItem(KEPT, JSON.stringify(waiting));
}

export function readWaiting(): Waiting | undefined {
  const kept = sessionStorage.getItem(KEPT);
  return kept === null ? undefined : (JSON.parse(kept) as Waiting);
}

export const forgetWaiting = (): void => sessionStorage.removeItem(KEPT);

/** Reads the address at which the provider has sent the browser back. */
function readCallback({ pathname, search }: Location): Callback | undefined {
  const provider = pathname.slice(UPSTREAM_PATH.length);
  const query = new URLSearchParams(search);
  const [state, code, iss] = ['state', 'code', 'iss'].map((name) => query.get(name));
  return state && code ? { provider, state, code, ...(iss && { iss }) } : undefined;
}

export interface UpstreamReturn {
  readonly interactionId: string;
  readonly referralCode: string;
  /** Undefined: the provider refused, or the user went back. */
  readonly callback: Callback | undefined;
}

/**
 * Another provider has sent the browser back: the address becomes that of the request again, so
 * that the code is in no history. A link of the security page continues there.
 */
export function readUpstreamReturn(): UpstreamReturn | 'leaving' | undefined {
  if (!location.pathname.startsWith(UPSTREAM_PATH)) return undefined;
  const callback = readCallback(location);
  const waiting = readWaiting();
  if (waiting?.purpose === 'link') {
    keepWaiting({ purpose: 'link', callback: callback ?? null });
    location.replace('/security');
    return 'leaving';
  }
  const { interactionId = '', referralCode = '' } = waiting ?? {};
  const query = new URLSearchParams({ interaction_id: interactionId });
  history.replaceState(null, '', `/authorize?${query}`);
  return { interactionId, referralCode, callback };
}

export async function listProviders(): Promise<readonly Provider[]> {
  return (await unwrap(publicApi.GET('/user/login/upstream'))).providers;
}

/** Leaves this page for the provider. */
export async function leaveForProvider(
  provider: string,
  interactionId: string,
  referralCode: string,
): Promise<void> {
  const { authorization_url } = await unwrap(
    publicApi.POST('/user/login/upstream', { body: { provider } }),
  );
  keepWaiting({ purpose: 'sign_in', interactionId, referralCode });
  location.assign(authorization_url);
}

export const finishUpstream = (callback: Callback): Promise<UpstreamResult> =>
  unwrap(publicApi.POST('/user/login/upstream/finish', { body: callback }));

export interface UpstreamRegistration {
  /** Stands for the account of the provider. */
  readonly ticket: string;
  readonly nickname: string;
  readonly referralCode: string;
}

/** Mails a code, and returns the ticket of the registration. */
export async function registerUpstream({
  ticket,
  nickname,
  referralCode,
}: UpstreamRegistration): Promise<string> {
  const body = {
    registration_ticket: ticket,
    nickname,
    ...(referralCode !== '' && { referral_code: referralCode }),
  };
  const { register_ticket } = await withChallenge((headers) =>
    unwrap(publicApi.POST('/user/register/upstream', { body, headers })),
  );
  return register_ticket;
}
