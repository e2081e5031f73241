/** Notifications as a browser shows them, in words, with the page that a message leads to. */
import { type Language, textsOf } from '../../lib/language.ts';
import type { Kind } from '../kinds.ts';
import { fill, sentenceOf } from '../write-digest.ts';

interface Delivery {
  readonly ttl_s: number;
  readonly urgency: 'low' | 'normal' | 'high';
}

/** For how long a push service keeps a message for a browser that is off, and how soon it wakes. */
const DELIVERY: Readonly<Record<Kind, Delivery>> = {
  // A device that was offline yesterday is no news.
  device_offline: { ttl_s: 43_200, urgency: 'normal' },
  deposit: { ttl_s: 259_200, urgency: 'normal' },
  payout: { ttl_s: 259_200, urgency: 'normal' },
  sign_in: { ttl_s: 259_200, urgency: 'high' },
  reward_day: { ttl_s: 86_400, urgency: 'low' },
};

/** Where each kind leads in the console, as its list of notifications does. */
const PAGES: Readonly<Record<Kind, string>> = {
  device_offline: '/devices',
  deposit: '/deposits',
  payout: '/wallets/withdraw',
  sign_in: '/security',
  reward_day: '/wallets?wallet=bonus',
};

/** Far below what a push service must take (RFC 8291: 3,993), with titles and escapes. */
const BODY_LENGTH_MAX = 300;
/** Messages are filled up to a multiple, so that their length does not tell what they are. */
const BLOCK_BYTES = 1024;

export interface PushedNotification {
  readonly id: number;
  readonly kind: Kind;
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;
  readonly created_at: Date;
}

/** What the service worker of the console reads. */
export interface PushedMessage {
  /** The name of the service. */
  readonly title: string;
  readonly body: string;
  /** Path and query in the console. */
  readonly path: string;
  /** A message with the tag of an earlier one takes its place. */
  readonly tag: string;
}

/** What one message tells; not empty. */
type Told = readonly PushedNotification[];

/** Undefined: it tells several. */
const onlyOf = (told: Told): PushedNotification | undefined =>
  told.length === 1 ? told[0] : undefined;

/**
 * The name of a message for the browser and, as `Topic` of RFC 8030, for its push service. Messages
 * of several notifications have one name: a lock screen shows the last of them.
 */
export function tagOf(told: Told): string {
  const only = onlyOf(told);
  return only ? `notification-${only.id}` : 'notifications';
}

export function urgencyOf(told: Told): Delivery['urgency'] {
  const only = onlyOf(told);
  return only ? DELIVERY[only.kind].urgency : 'normal';
}

/** Seconds for which some of it is still news; 0: it is too late. */
export function ttlOf(told: Told, now: Date): number {
  const left = told.map(({ kind, created_at }) => {
    const age_s = Math.floor((now.getTime() - created_at.getTime()) / 1000);
    return DELIVERY[kind].ttl_s - age_s;
  });
  return Math.max(0, ...left);
}

function pathOf(told: Told): string {
  const node = onlyOf(told)?.details.node_id;
  if (node !== undefined) return `/devices/history?node=${encodeURIComponent(node)}`;
  const [kind, ...others] = new Set(told.map((one) => one.kind));
  return kind === undefined || others.length > 0 ? '/notifications' : PAGES[kind];
}

function bodyOf(told: Told, language: Language): string {
  const only = onlyOf(told);
  if (only) return sentenceOf(language, only).slice(0, BODY_LENGTH_MAX);
  return fill(textsOf(language).digest.subject, { count: String(told.length) });
}

/** @returns JSON with spaces at its end */
export function writePush(
  told: Told,
  { language, serviceName }: { readonly language: Language; readonly serviceName: string },
): Buffer {
  const message: PushedMessage = {
    title: serviceName,
    body: bodyOf(told, language),
    path: pathOf(told),
    tag: tagOf(told),
  };
  const text = Buffer.from(JSON.stringify(message));
  const padded = Buffer.alloc(Math.ceil(text.length / BLOCK_BYTES) * BLOCK_BYTES, ' ');
  text.copy(padded);
  return padded;
}
