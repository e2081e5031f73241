/** One notification as a browser shows it, in words, with the page that it leads to. */
import type { Language } from '../../lib/language.ts';
import type { Kind } from '../kinds.ts';
import { sentenceOf } from '../write-digest.ts';

/** For how long a push service keeps a message for a browser that is off, and how soon it wakes. */
export const DELIVERY: Readonly<
  Record<Kind, { readonly ttl_s: number; readonly urgency: 'low' | 'normal' | 'high' }>
> = {
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

/** The name of a message for the browser and, as `Topic` of RFC 8030, for its push service. */
export const tagOf = ({ id }: Pick<PushedNotification, 'id'>): string => `notification-${id}`;

function pathOf({ kind, details: { node_id: node } }: PushedNotification): string {
  return kind === 'device_offline' && node !== undefined
    ? `/devices/history?node=${encodeURIComponent(node)}`
    : PAGES[kind];
}

/** @returns JSON with spaces at its end */
export function writePush(
  notification: PushedNotification,
  { language, serviceName }: { readonly language: Language; readonly serviceName: string },
): Buffer {
  const message: PushedMessage = {
    title: serviceName,
    body: sentenceOf(language, notification).slice(0, BODY_LENGTH_MAX),
    path: pathOf(notification),
    tag: tagOf(notification),
  };
  const text = Buffer.from(JSON.stringify(message));
  const padded = Buffer.alloc(Math.ceil(text.length / BLOCK_BYTES) * BLOCK_BYTES, ' ');
  text.copy(padded);
  return padded;
}
