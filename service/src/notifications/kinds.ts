/** What notifications are about, and where they are shown. */

/** Kinds that a user chooses from. Migration 0046 has the same list in two constraints. */
export const KINDS = ['device_offline', 'deposit', 'payout', 'sign_in', 'reward_day'] as const;
export type Kind = (typeof KINDS)[number];

/** Ways to a user. */
export const CHANNELS = ['bell', 'mail', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Messages, each with the names of its details. */
export const CODES = {
  device_offline: ['node_id', 'name', 'since'],
  devices_offline: ['count'],
  deposit_credited: ['id', 'amount', 'currency'],
  deposit_below_minimum: ['id', 'amount', 'currency'],
  deposit_on_hold: ['id', 'amount', 'currency'],
  deposit_reversed: ['id', 'amount', 'currency'],
  deposit_rejected: ['id', 'amount', 'currency'],
  // Without an amount: anyone can send a token of any name.
  deposit_unsupported: ['id'],
  payout_confirmed: ['id', 'amount', 'currency'],
  payout_rejected: ['id', 'amount', 'currency'],
  payout_failed: ['id', 'amount', 'currency'],
  sign_in: ['language'],
  reward_day: ['day', 'amount', 'currency'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Code = keyof typeof CODES;

/** What holds where a user has chosen nothing. */
export const DEFAULT_CHANNELS: Readonly<Record<Kind, readonly Channel[]>> = {
  // Who turned notifications on in a browser wants to be pushed what does not come every day.
  device_offline: ['bell', 'push'],
  deposit: ['bell', 'push'],
  payout: ['bell', 'push'],
  sign_in: ['bell', 'mail', 'push'],
  reward_day: ['bell'],
};

export const isOnByDefault = (kind: Kind, channel: Channel): boolean =>
  DEFAULT_CHANNELS[kind].includes(channel);

/** Minutes of silence after which the owner of a device is notified. */
export const OFFLINE_MINUTES = { default: 60, min: 15, max: 10_080 } as const;

/** How often a user receives a mail at most: with each run of the job, each hour, each day. */
export const DIGESTS = ['at_once', 'hourly', 'daily'] as const;
export type Digest = (typeof DIGESTS)[number];
export const DEFAULT_DIGEST: Digest = 'hourly';
