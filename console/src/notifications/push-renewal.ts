/**
 * What the service worker needs when the push service replaces the address of this browser. Kept
 * where pages and the worker both read it.
 */
const CACHE = 'push';
const PLACE = '/push-renewal';

export interface PushRenewal {
  /** For `POST /push-subscriptions/renew`. */
  readonly token: string;
  readonly applicationServerKey: string;
}

export async function readRenewal(): Promise<PushRenewal | undefined> {
  const kept = await (await caches.open(CACHE)).match(PLACE);
  return kept && (await kept.json());
}

export async function keepRenewal(renewal: PushRenewal): Promise<void> {
  await (await caches.open(CACHE)).put(PLACE, Response.json(renewal));
}

export async function forgetRenewal(): Promise<void> {
  await caches.delete(CACHE);
}
