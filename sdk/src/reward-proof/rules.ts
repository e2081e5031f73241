/** What of the rules of a proof decides an amount, read at the scale of its currency. */
import { toMinorUnits } from '../decimals.ts';

/** Rates of percent are kept in millionths: four decimals of a percent. */
export const MILLION = 1_000_000n;
export const PERCENT_SCALE = 4;
export const HOUR_MS = 3_600_000;
/** Traffic that no other rate names. */
export const ANY_CATEGORY = '*';
const GB = 10n ** 9n;

export interface PayingRules {
  readonly uptime: bigint;
  readonly traffic: readonly { readonly category: string; readonly rate: bigint }[];
  readonly referral: readonly { readonly level: number; readonly millionths: bigint }[];
  readonly campaigns: readonly {
    readonly name: string;
    readonly millionths: bigint;
    readonly from: Date;
    readonly before: Date;
  }[];
  readonly penalty: bigint;
  readonly bytesPerDeviceHour: bigint | null;
}

/** Rules as operators write them. */
interface RulesText {
  readonly uptime?: { readonly amount: string };
  readonly traffic?: readonly { readonly category: string; readonly amount: string }[];
  readonly referral?: readonly { readonly percent: string }[];
  readonly campaigns?: readonly {
    readonly name: string;
    readonly percent: string;
    readonly from: string;
    readonly before: string;
  }[];
  readonly penalty?: { readonly amount: string };
  readonly limits?: { readonly gb_per_device_hour?: number };
}

/** @throws when the text is no rules */
export function readPayingRules(text: string, scale: number): PayingRules {
  const {
    uptime,
    traffic = [],
    referral = [],
    campaigns = [],
    penalty,
    limits = {},
  } = JSON.parse(text) as RulesText;
  return {
    uptime: uptime ? toMinorUnits(uptime.amount, scale) : 0n,
    traffic: traffic.map(({ category, amount }) => ({
      category,
      rate: toMinorUnits(amount, scale),
    })),
    referral: referral.map(({ percent }, n) => ({
      level: n + 1,
      millionths: toMinorUnits(percent, PERCENT_SCALE),
    })),
    campaigns: campaigns.map(({ name, percent, from, before }) => ({
      name,
      millionths: toMinorUnits(percent, PERCENT_SCALE),
      from: new Date(from),
      before: new Date(before),
    })),
    penalty: penalty ? toMinorUnits(penalty.amount, scale) : 0n,
    bytesPerDeviceHour:
      limits.gb_per_device_hour === undefined ? null : BigInt(limits.gb_per_device_hour) * GB,
  };
}
