/** Rules in minor units, as settlement computes with them. */
import { createHash } from 'node:crypto';
import { fieldError } from '../lib/failures.ts';
import { parseAmount } from '../lib/money.ts';
import type { RulesBody } from './rules-schema.ts';

/** Rates of percent are kept in millionths: four decimals of a percent. */
export const MILLION = 1_000_000n;
const PERCENT_SCALE = 4;
const PERCENT_MAX = 1000n * 10_000n;
export const HOUR_MS = 3_600_000;
/** Whole units per hour, GB or report: sums over centuries stay within the ledger's limits. */
const RATE_MAX = 1_000_000_000_000n;
/** The category of traffic without a rate of its own. */
export const ANY_CATEGORY = '*';

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
 * Refuses rates that no line could pay. Only for new rules: older versions must stay readable.
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
