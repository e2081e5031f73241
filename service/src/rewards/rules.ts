/** What rules say, as operators write them and as settlement computes with them. */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { DecimalInput, Timestamp, Words } from '../http/index.ts';
import { fieldError } from '../lib/failures.ts';
import { parseAmount } from '../lib/money.ts';

/** Rates of percent are kept in millionths: four decimals of a percent. */
export const MILLION = 1_000_000n;
const PERCENT_SCALE = 4;
const PERCENT_MAX = 1000n * 10_000n;
export const HOUR_MS = 3_600_000;
/** Whole units per hour, GB or report: a network of any size, settled for centuries, stays within what the ledger can hold. */
const RATE_MAX = 1_000_000_000_000n;
/** Traffic that no other rate names. */
export const ANY_CATEGORY = '*';

const Name = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f]+$' });
const strict = { additionalProperties: false };

function Rate(description: string) {
  return Type.Unsafe<string>({ ...DecimalInput(description), format: 'not-negative' });
}

export const RulesBody = Type.Object(
  {
    uptime: Type.Optional(Type.Object({ amount: Rate('Reward for each hour online.') }, strict)),
    traffic: Type.Optional(
      Type.Array(
        Type.Object(
          {
            category: Type.String({
              maxLength: 64,
              description: 'Category of the traffic; `*`: any other.',
            }),
            amount: Rate('Reward per GB of 10^9 bytes.'),
          },
          strict,
        ),
        {
          maxItems: 32,
          description:
            'Traffic counts when a relay reported it and the device was online in that hour.',
        },
      ),
    ),
    referral: Type.Optional(
      Type.Array(
        Type.Object(
          {
            percent: Rate(
              'Percent of what the referee earns; paid in addition, never taken from the referee.',
            ),
            uptime_hours: Type.Integer({
              minimum: 0,
              maximum: 100_000,
              description:
                'Gate: hours that the referee must have been online within the limits, whether the rules pay for them or not.',
            }),
            distinct_addresses: Type.Integer({
              minimum: 0,
              maximum: 100,
              description: 'Gate: network addresses of the referee that nobody else uses.',
            }),
          },
          strict,
        ),
        { maxItems: 3, description: 'Level 1 (direct) first.' },
      ),
    ),
    campaigns: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Name,
            percent: Rate('Percent of the uptime and traffic rewards of a device, in addition.'),
            from: Timestamp('First hour.'),
            before: Timestamp('The hour after the last one.'),
            device_type: Type.Optional(
              Words(['TERMINAL', 'EXTENSION'], 'Only devices of this type.'),
            ),
          },
          strict,
        ),
        { maxItems: 20 },
      ),
    ),
    penalty: Type.Optional(
      Type.Object(
        {
          amount: Rate(
            'Taken for each report that claims more bytes of the device than any device can move. What a relay does wrong (late, in the future, before the device was registered) costs nobody.',
          ),
        },
        strict,
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          devices_per_user: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              description: 'Devices of one person that are paid in an hour: those online longest.',
            }),
          ),
          devices_per_address: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              description:
                'Devices on one network address that are paid in an hour: those online longest. The address is the one that a device was last heard from when the hour is settled (a /64 of IPv6 is one), so the limit holds for those who stay where they are, not for somebody who changes addresses to get round it.',
            }),
          ),
          gb_per_device_hour: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000_000,
              description: 'GB of each category that are paid per device and hour.',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  { additionalProperties: false, description: 'What is paid for what.' },
);
export type RulesBody = Static<typeof RulesBody>;

export interface ReferralLevel {
  readonly level: number;
  readonly millionths: bigint;
  readonly uptime_ms: number;
  readonly addresses: number;
}

export interface Campaign {
  readonly name: string;
  readonly millionths: bigint;
  readonly from: Date;
  readonly before: Date;
  readonly deviceType: string | null;
}

/** Rules with every amount in minor units. */
export interface Rules {
  readonly uptime: bigint;
  readonly traffic: readonly { readonly category: string; readonly rate: bigint }[];
  readonly referral: readonly ReferralLevel[];
  readonly campaigns: readonly Campaign[];
  readonly penalty: bigint;
  readonly devicesPerUser: number | null;
  readonly devicesPerAddress: number | null;
  readonly bytesPerDeviceHour: bigint | null;
}

function readRate(text: string, scale: number, field: string): bigint {
  const rate = parseAmount(text, scale, field);
  if (rate < 0n) throw fieldError(field, 'negative', 'must not be negative');
  return rate;
}

function readPercent(text: string, field: string): bigint {
  const millionths = readRate(text, PERCENT_SCALE, field);
  if (millionths > PERCENT_MAX) throw fieldError(field, 'too_large', 'must not be more than 1000');
  return millionths;
}

/** True for an instant at which an hour begins. */
export function isFullHour(instant: Date): boolean {
  return instant.getTime() % HOUR_MS === 0;
}

function readCampaign(
  { name, percent, from, before, device_type }: NonNullable<RulesBody['campaigns']>[number],
  n: number,
): Campaign {
  const field = `rules.campaigns.${n}`;
  const campaign = {
    name,
    millionths: readPercent(percent, `${field}.percent`),
    from: new Date(from),
    before: new Date(before),
    deviceType: device_type ?? null,
  };
  if (!isFullHour(campaign.from) || !isFullHour(campaign.before))
    throw fieldError(`${field}.from`, 'not_a_full_hour', 'and before must be full hours');
  if (campaign.from >= campaign.before)
    throw fieldError(`${field}.from`, 'begin_after_end', 'is not before its end');
  return campaign;
}

function refuseDuplicates(names: readonly string[], field: string): void {
  if (new Set(names).size < names.length)
    throw fieldError(field, 'duplicate', 'holds the same name twice');
}

/** Reads rules at the scale of the reward currency. @throws `invalid_parameter` naming the field */
export function readRules(body: RulesBody, scale: number): Rules {
  const { uptime, traffic = [], referral = [], campaigns = [], penalty, limits = {} } = body;
  refuseDuplicates(
    traffic.map(({ category }) => category),
    'rules.traffic',
  );
  refuseDuplicates(
    campaigns.map(({ name }) => name),
    'rules.campaigns',
  );
  return {
    uptime: uptime ? readRate(uptime.amount, scale, 'rules.uptime.amount') : 0n,
    traffic: traffic.map(({ category, amount }, n) => ({
      category,
      rate: readRate(amount, scale, `rules.traffic.${n}.amount`),
    })),
    referral: referral.map(({ percent, uptime_hours, distinct_addresses }, n) => ({
      level: n + 1,
      millionths: readPercent(percent, `rules.referral.${n}.percent`),
      uptime_ms: uptime_hours * HOUR_MS,
      addresses: distinct_addresses,
    })),
    campaigns: campaigns.map(readCampaign),
    penalty: penalty ? readRate(penalty.amount, scale, 'rules.penalty.amount') : 0n,
    devicesPerUser: limits.devices_per_user ?? null,
    devicesPerAddress: limits.devices_per_address ?? null,
    bytesPerDeviceHour:
      limits.gb_per_device_hour === undefined
        ? null
        : BigInt(limits.gb_per_device_hour) * 10n ** 9n,
  };
}

/**
 * Refuses rates that no line could pay. Only new rules are held to it: what hours were settled by must stay readable.
 * @throws `invalid_parameter` naming the field
 */
export function refuseHugeRates({ uptime, traffic, penalty }: Rules, scale: number): void {
  const rates: (readonly [string, bigint])[] = [
    ['rules.uptime.amount', uptime],
    ...traffic.map(({ rate }, n) => [`rules.traffic.${n}.amount`, rate] as const),
    ['rules.penalty.amount', penalty],
  ];
  for (const [field, rate] of rates)
    if (rate > RATE_MAX * 10n ** BigInt(scale))
      throw fieldError(field, 'too_large', `must not be more than ${RATE_MAX}`);
}

/** SHA-256 of rules as they are stored. */
export function hashRules(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
