/** The calculation of one line from its rules. The service explains, and verifiers check by it. */
import { fromMinorUnits } from '../decimals.ts';
import type { LineProof } from './proof.ts';
import { ANY_CATEGORY, HOUR_MS, MILLION, type PayingRules, PERCENT_SCALE } from './rules.ts';

export interface Calculation {
  readonly rate: bigint;
  /** What the line and those before it pay together. */
  readonly target: bigint;
  readonly words: string;
}

type Line = LineProof['line'];

function uptime(
  { uptime }: PayingRules,
  quantity: bigint,
  money: (minor: bigint) => string,
): Calculation {
  return {
    rate: uptime,
    target: (uptime * quantity) / BigInt(HOUR_MS),
    words: `${quantity} ms online at ${money(uptime)} per hour`,
  };
}

function traffic(
  { traffic, bytesPerDeviceHour }: PayingRules,
  line: Line,
  quantity: bigint,
  money: (minor: bigint) => string,
): Calculation | undefined {
  const found =
    traffic.find(({ category }) => category === line.part && category !== ANY_CATEGORY) ??
    traffic.find(({ category }) => category === ANY_CATEGORY);
  if (!found) return undefined;
  const paid =
    bytesPerDeviceHour !== null && quantity > bytesPerDeviceHour ? bytesPerDeviceHour : quantity;
  return {
    rate: found.rate,
    target: (found.rate * paid) / 10n ** 9n,
    words: `${paid} bytes of ${quantity} at ${money(found.rate)} per GB`,
  };
}

function share(
  millionths: bigint,
  quantity: bigint,
  money: (minor: bigint) => string,
  of: string,
): Calculation {
  return {
    rate: millionths,
    target: (quantity * millionths) / MILLION,
    words: `${fromMinorUnits(millionths, PERCENT_SCALE)} % of ${money(quantity)} (${of})`,
  };
}

/** Undefined when the rules know no such reward. */
export function calculate(
  rules: PayingRules,
  line: Line,
  currency: { code: string; scale: number },
): Calculation | undefined {
  const money = (minor: bigint): string =>
    `${fromMinorUnits(minor, currency.scale)} ${currency.code}`;
  const quantity = BigInt(line.quantity);
  const hour = new Date(line.hour);
  if (line.level > 0) {
    const level = rules.referral.find((candidate) => candidate.level === line.level);
    return (
      level && share(level.millionths, quantity, money, `earned by referees of level ${line.level}`)
    );
  }
  if (line.reward_type === 'UPTIME') return uptime(rules, quantity, money);
  if (line.reward_type === 'TRAFFIC') return traffic(rules, line, quantity, money);
  if (line.reward_type === 'PENALTY')
    return {
      rate: rules.penalty,
      target: -rules.penalty * quantity,
      words: `${quantity} implausible reports at ${money(rules.penalty)}`,
    };
  const campaign = rules.campaigns.find(
    ({ name, from, before }) => name === line.part && from <= hour && hour < before,
  );
  return campaign && share(campaign.millionths, quantity, money, `campaign ${campaign.name}`);
}

/** One sentence for a person. */
export function explain(
  line: Line,
  { words, target }: Calculation,
  currency: { code: string; scale: number },
): string {
  const money = (minor: bigint): string =>
    `${fromMinorUnits(minor, currency.scale)} ${currency.code}`;
  const before = BigInt(line.settled_before);
  const less =
    before === 0n ? '' : `, less ${money(before)} settled before, = ${money(BigInt(line.amount))}`;
  const what = `${line.reward_type} of the hour ${line.hour}`;
  const rules = `by version ${line.rule_version} of the rules`;
  return `${what}: ${words} = ${money(target)}${less}, ${rules}.`;
}
