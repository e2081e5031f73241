/** Rules as a form has them: text in every field, empty where nothing is set. */
import type { RequestBody } from '@edge-account/sdk';

export type Rules = RequestBody<'/operator/rules', 'post'>['rules'];

export interface Campaign {
  readonly name: string;
  readonly percent: string;
  /** UTC, as an input of date and time has it. */
  readonly from: string;
  readonly before: string;
  readonly device_type: string;
}

export interface RulesFields {
  readonly uptime: string;
  readonly traffic: readonly { readonly category: string; readonly amount: string }[];
  readonly referral: readonly {
    readonly percent: string;
    readonly uptime_hours: string;
    readonly distinct_addresses: string;
  }[];
  readonly campaigns: readonly Campaign[];
  readonly penalty: string;
  readonly limits: Readonly<Record<Limit, string>>;
}

export const LIMITS = ['devices_per_user', 'devices_per_address', 'gb_per_device_hour'] as const;
export type Limit = (typeof LIMITS)[number];

const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

const toInput = (iso: string): string => new Date(iso).toISOString().slice(0, MINUTE_LENGTH);
/** What is no time stays as it was typed: the service says what is wrong with it. */
const fromInput = (text: string): string => (text === '' ? '' : `${text}:00Z`);
const textOf = (value: unknown): string => (value === undefined ? '' : String(value));
/** What is no whole number stays text, too. */
const countOf = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);

/** The fields of rules that the service has stored. */
export function toFields(rules: Rules): RulesFields {
  return {
    uptime: textOf(rules.uptime?.amount),
    traffic: (rules.traffic ?? []).map(({ category, amount }) => ({
      category,
      amount: textOf(amount),
    })),
    referral: (rules.referral ?? []).map((level) => ({
      percent: textOf(level.percent),
      uptime_hours: textOf(level.uptime_hours),
      distinct_addresses: textOf(level.distinct_addresses),
    })),
    campaigns: (rules.campaigns ?? []).map((campaign) => ({
      name: campaign.name,
      percent: textOf(campaign.percent),
      from: toInput(campaign.from),
      before: toInput(campaign.before),
      device_type: campaign.device_type ?? '',
    })),
    penalty: textOf(rules.penalty?.amount),
    limits: {
      devices_per_user: textOf(rules.limits?.devices_per_user),
      devices_per_address: textOf(rules.limits?.devices_per_address),
      gb_per_device_hour: textOf(rules.limits?.gb_per_device_hour),
    },
  };
}

/** Rules of the fields, right or wrong; what is empty is left out. */
export function toRules({ limits, ...fields }: RulesFields): object {
  const set = LIMITS.filter((name) => limits[name] !== '');
  return {
    ...(fields.uptime !== '' && { uptime: { amount: fields.uptime } }),
    ...(fields.traffic.length > 0 && { traffic: [...fields.traffic] }),
    ...(fields.referral.length > 0 && {
      referral: fields.referral.map((level) => ({
        percent: level.percent,
        uptime_hours: countOf(level.uptime_hours),
        distinct_addresses: countOf(level.distinct_addresses),
      })),
    }),
    ...(fields.campaigns.length > 0 && {
      campaigns: fields.campaigns.map(({ from, before, device_type, ...campaign }) => ({
        ...campaign,
        from: fromInput(from),
        before: fromInput(before),
        ...(device_type !== '' && { device_type }),
      })),
    }),
    ...(fields.penalty !== '' && { penalty: { amount: fields.penalty } }),
    ...(set.length > 0 && {
      limits: Object.fromEntries(set.map((name) => [name, countOf(limits[name])])),
    }),
  };
}

/** The value of a text; undefined: it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of rules that were written by hand; undefined: the form has no place for them. */
export function fieldsOf(value: unknown): RulesFields | undefined {
  if (Array.isArray(value)) return undefined;
  try {
    const fields = toFields(value as Rules);
    const shown = listLeaves(toRules(fields));
    return listLeaves(value).every((leaf) => shown.includes(leaf)) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** Each value with its path; times and numbers in one form. */
function listLeaves(value: unknown, path = ''): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, part]) => listLeaves(part, `${path}.${name}`));
  const text = String(value);
  const isTime = /\.(from|before)$/.test(path);
  return [`${path} ${isTime ? new Date(text).toISOString() : text}`];
}
