/**
 * The service worker of the console: shows the notifications that are pushed to this browser, and
 * opens the page that one leads to. It takes no requests of pages.
 */
import { forgetRenewal, readRenewal } from '../src/notifications/push-renewal.ts';

declare const self: ServiceWorkerGlobalScope;

/** What an open page has to say that it shows a path. */
const ANSWER_MS = 1000;

/** As the service writes it. */
interface Message {
  readonly title: string;
  readonly body: string;
  /** Path and query in the console. */
  readonly path: string;
  /** A message with the tag of an earlier one takes its place. */
  readonly tag: string;
}

function readMessage(data: PushMessageData | null): Partial<Message> {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** A browser demands that each message is shown, also one that this version cannot read. */
function show({ title = self.location.host, body = '', path = '/', tag = '' }: Partial<Message>) {
  return self.registration.showNotification(title, { body, tag, data: path });
}

/** Asks an open page to go there. Pages without the console's frame do not answer. */
async function showIn(client: WindowClient, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(resolve, ANSWER_MS, false);
  });
  client.postMessage({ path }, [port2]);
  return answer;
}

async function open(path: string): Promise<void> {
  const clients = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const client of clients)
    if (await showIn(client, path)) {
      await client.focus();
      return;
    }
  await self.clients.openWindow(path);
}

/** The push service has replaced the address of this browser, or taken it back. */
async function renew(renewed: PushSubscription | null): Promise<void> {
  const renewal = await readRenewal();
  if (!renewal) return;
  const subscription =
    renewed ??
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: renewal.applicationServerKey,
    }));
  const { endpoint, keys } = subscription.toJSON();
  const answer = await fetch('/push-subscriptions/renew', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, renewal_token: renewal.token }),
  });
  if (answer.status !== 404) return;
  // Turned off meanwhile, here or from elsewhere.
  await subscription.unsubscribe();
  await forgetRenewal();
}

self.addEventListener('push', (event) => event.waitUntil(show(readMessage(event.data))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});
self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(renew(event.newSubscription)),
);
