/**
 * Notifications in this browser: its service worker, its subscription, and what it keeps of them.
 * The worker is loaded when its user turns them on, not before.
 */
import { EdgeError, type ResponseBody, unwrap } from '@edge-account/sdk';
import { toServiceLanguage } from '../api/service-language.ts';
import { readClaims } from '../session/authorize.ts';
import { readSession } from '../session/session.ts';
import { api, signOut } from '../session/session-api.ts';
import { forgetRenewal, keepRenewal, readRenewal } from './push-renewal.ts';

const WORKER = '/push-worker.js';
const KEY = 'edge-push';

/** The subscription of this browser on the service, of whom and of which session. */
interface Kept {
  readonly id: number;
  readonly subject: string;
  readonly sid: string;
}

function readKept(): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined;
  } catch {
    // Storage is forbidden, or another program wrote there.
    return undefined;
  }
}

/** Which of the listed browsers this one is. */
export const ownSubscription = (): number | undefined => readKept()?.id;

/**
 * Only browsers of an iPhone or iPad say whether a page was opened from the home screen; they push
 * to nothing else.
 */
const isBesideHomeScreen = (): boolean =>
  'standalone' in navigator && navigator.standalone === false;

/** Why notifications cannot be turned on here; undefined: they can. */
export function findObstacle():
  | 'insecure'
  | 'not_installed'
  | 'unsupported'
  | 'blocked'
  | undefined {
  if (!isSecureContext) return 'insecure';
  const isKnown =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isKnown) return isBesideHomeScreen() ? 'not_installed' : 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : undefined;
}

function currentSession(): Omit<Kept, 'id'> | undefined {
  const session = readSession();
  if (session.status !== 'signed-in') return undefined;
  const { subject, accessToken } = session.tokens;
  return { subject, sid: readClaims(accessToken).sid ?? '' };
}

function bodyOf(subscription: PushSubscription, language: string) {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const known = toServiceLanguage(language);
  const { p256dh = '', auth = '' } = keys;
  return { endpoint, keys: { p256dh, auth }, ...(known && { language: known }) };
}

type Saved = ResponseBody<'/me/push-subscriptions', 'post'>;

async function keep({ id, renewal_token: token }: Saved, key: string): Promise<void> {
  const session = currentSession();
  if (!session) return;
  localStorage.setItem(KEY, JSON.stringify({ id, ...session }));
  await keepRenewal({ token, applicationServerKey: key });
}

const findRegistration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration('/') : undefined;

/** Ends what this browser has, without a word to the service. */
export async function forgetThisBrowser(): Promise<void> {
  if (!readKept()) return;
  localStorage.removeItem(KEY);
  await forgetRenewal();
  const registration = await findRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await registration?.unregister();
}

/** A subscription holds for one key of the service. */
async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(WORKER, { scope: '/', updateViaCache: 'none' });
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/**
 * Turns notifications on; the browser asks its user, so it is called when they press something.
 * @returns why it could not, undefined otherwise: `unreachable` is the browser's push service
 * @throws EdgeError
 */
export async function turnOn(
  applicationServerKey: string,
  language: string,
): Promise<'blocked' | 'unreachable' | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return 'blocked';
  const subscription = await subscribe(applicationServerKey).catch(() => undefined);
  if (!subscription) return 'unreachable';
  const body = bodyOf(subscription, language);
  try {
    await keep(await unwrap(api.POST('/me/push-subscriptions', { body })), applicationServerKey);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  return undefined;
}

/** What is gone already was turned off. */
function unlessGone(error: unknown): void {
  if (!(error instanceof EdgeError) || error.status !== 404) throw error;
}

/** Turns notifications off in a browser, this one or another. @throws EdgeError */
export async function turnOff(id: number): Promise<void> {
  const params = { path: { id } };
  await unwrap(api.DELETE('/me/push-subscriptions/{id}', { params })).catch(unlessGone);
  if (readKept()?.id === id) await forgetThisBrowser();
}

/**
 * In a later session of the same user the browser belongs to that, so that its end ends the
 * notifications too. In a session of another user, or cut off from elsewhere, it gets no more.
 */
export async function keepThisBrowser(language: string): Promise<void> {
  const kept = readKept();
  const session = currentSession();
  if (!kept || !session) return;
  // At once: before a page shows the browser as one of this user.
  if (kept.subject !== session.subject) return forgetThisBrowser();
  if (kept.sid === session.sid) return;
  const registration = await findRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  const renewal = await readRenewal();
  if (!subscription || !renewal) return forgetThisBrowser();
  const params = { path: { id: kept.id } };
  const body = bodyOf(subscription, language);
  try {
    const saved = await unwrap(api.PUT('/me/push-subscriptions/{id}', { params, body }));
    await keep(saved, renewal.applicationServerKey);
  } catch (error) {
    unlessGone(error);
    await forgetThisBrowser();
  }
}

/** Signs out; the service ends the notifications with the session, and the browser its own part. */
export async function signOutHere(userId: number): Promise<void> {
  await signOut(userId);
  await forgetThisBrowser().catch(() => undefined);
}
