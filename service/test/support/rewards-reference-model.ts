/**
 * The rewards of rules, computed naively: device by device, hour by hour, from the complete data.
 * It shares only the meaning of the rules with the settlement.
 */
import type { RulesBody } from '../../src/rewards/index.ts';
import type { TestDevice } from './network.ts';

const HOUR_MS = 3_600_000;

export interface NaiveInput {
  readonly devices: readonly TestDevice[];
  /** Referrer by user. */
  readonly referrers: ReadonlyMap<number, number>;
  /** Hours in order, with the rules of each. */
  readonly hours: readonly { readonly hour: Date; readonly rules: RulesBody }[];
  readonly onlineOf: (deviceId: number, hour: Date) => number;
  /** Bytes by category. */
  readonly trafficOf: (deviceId: number, hour: Date) => ReadonlyMap<string, bigint>;
  /** At the time of the settlement. */
  readonly addressOf: (deviceId: number, hour: Date) => string;
  readonly isActive: (userId: number, hour: Date) => boolean;
  /** The first hour after a user's hold was released; undefined: not released. */
  readonly releasedFrom: (userId: number) => Date | undefined;
}

/** Sums by `user type day`, and held amounts by `referrer referee`. */
export interface NaiveResult {
  readonly paid: Map<string, bigint>;
  readonly held: Map<string, bigint>;
}

/** A decimal with 18 places. */
function units(text: string | undefined): bigint {
  const [whole = '0', fraction = ''] = (text ?? '0').split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

function percentOf(base: bigint, percent: string): bigint {
  const [whole = '0', fraction = ''] = percent.split('.');
  return (base * BigInt(whole + fraction.padEnd(4, '0'))) / 1_000_000n;
}

function add<K>(sums: Map<K, bigint>, key: K, amount: bigint): void {
  if (amount !== 0n) sums.set(key, (sums.get(key) ?? 0n) + amount);
}

interface State extends NaiveResult {
  readonly input: NaiveInput;
  readonly hour: Date;
  readonly day: string;
  readonly rules: RulesBody;
  /** Of the hour, by user. */
  readonly earned: Map<number, bigint>;
  /** Of all hours, by user. */
  readonly uptime: Map<number, number>;
  /** `user level` of eligible referees. */
  readonly counting: Set<string>;
  readonly clusters: Set<number>;
}

/** The first elements of each group. */
function limit(
  devices: readonly TestDevice[],
  groupOf: (device: TestDevice) => number | string,
  most: number | undefined,
): TestDevice[] {
  return devices.filter(
    (device, n) =>
      devices.slice(0, n).filter((other) => groupOf(other) === groupOf(device)).length <
      (most ?? Infinity),
  );
}

/** The paid devices: longest online first, up to the limit. */
function payable({ input, hour, rules }: State): TestDevice[] {
  const { devices, onlineOf, addressOf, isActive } = input;
  const online = devices
    .filter((d) => onlineOf(d.id, hour) > 0)
    .sort((a, b) => onlineOf(b.id, hour) - onlineOf(a.id, hour) || a.id - b.id);
  const active = online.filter(({ userId }) => isActive(userId, hour));
  const allowed = limit(active, ({ userId }) => userId, rules.limits?.devices_per_user);
  return limit(allowed, ({ id }) => addressOf(id, hour), rules.limits?.devices_per_address);
}

function trafficReward({ rules }: State, category: string, bytes: bigint): bigint {
  const rate =
    rules.traffic?.find((r) => r.category === category) ??
    rules.traffic?.find((r) => r.category === '*');
  const cap =
    rules.limits?.gb_per_device_hour === undefined
      ? bytes
      : BigInt(rules.limits.gb_per_device_hour) * 10n ** 9n;
  return (units(rate?.amount) * (bytes < cap ? bytes : cap)) / 10n ** 9n;
}

function campaignReward({ rules, hour }: State, device: TestDevice, base: bigint): bigint {
  const running = (rules.campaigns ?? []).filter(
    ({ from, before }) => new Date(from) <= hour && hour < new Date(before),
  );
  return running
    .filter(({ device_type }) => device_type === undefined || device_type === device.deviceType)
    .reduce((sum, { percent }) => sum + percentOf(base, percent), 0n);
}

function payDevice(state: State, device: TestDevice): void {
  const { input, hour, day, rules, paid, uptime, earned } = state;
  const { userId } = device;
  const ms = Math.min(input.onlineOf(device.id, hour), HOUR_MS);
  const forUptime = (units(rules.uptime?.amount) * BigInt(ms)) / BigInt(HOUR_MS);
  const forTraffic = [...input.trafficOf(device.id, hour)].reduce(
    (sum, [category, bytes]) => sum + trafficReward(state, category, bytes),
    0n,
  );
  const bonus = campaignReward(state, device, forUptime + forTraffic);
  add(paid, `${userId} UPTIME ${day}`, forUptime);
  add(paid, `${userId} TRAFFIC ${day}`, forTraffic);
  add(paid, `${userId} BONUS ${day}`, bonus);
  uptime.set(userId, (uptime.get(userId) ?? 0) + ms);
  add(earned, userId, forUptime + forTraffic + bonus);
}

function passGates({ input, hour, rules, uptime, counting, clusters }: State): void {
  const addressesOf = (devices: readonly TestDevice[]): string[] => [
    ...new Set(devices.map(({ id }) => input.addressOf(id, hour))),
  ];
  const usersOf = (address: string): number =>
    new Set(
      input.devices.filter(({ id }) => input.addressOf(id, hour) === address).map((d) => d.userId),
    ).size;
  for (const [n, level] of (rules.referral ?? []).entries()) {
    const ready = [...uptime].filter(
      ([userId, ms]) =>
        input.referrers.has(userId) &&
        !counting.has(`${userId} ${n}`) &&
        ms >= level.uptime_hours * HOUR_MS,
    );
    for (const [userId] of ready) {
      const addresses = addressesOf(input.devices.filter((d) => d.userId === userId));
      const own = addresses.filter((address) => usersOf(address) === 1).length;
      if (own < level.distinct_addresses && own === addresses.length) continue;
      counting.add(`${userId} ${n}`);
      if (own < level.distinct_addresses) clusters.add(userId);
    }
  }
}

function ancestor(
  referrers: ReadonlyMap<number, number>,
  userId: number,
  level: number,
): number | undefined {
  const above = referrers.get(userId);
  return level === 0 || above === undefined ? above : ancestor(referrers, above, level - 1);
}

/** Rewards of a cluster are computed separately: they are held, and paid after a release. */
function payApart(
  { input, day, paid, held }: State,
  referrer: number,
  referee: number,
  amount: bigint,
): void {
  if (input.releasedFrom(referee) === undefined) add(held, `${referrer} ${referee}`, amount);
  else add(paid, `${referrer} REFERRAL ${day}`, amount);
}

function payReferrers(state: State): void {
  const { input, hour, day, rules, paid, earned, counting, clusters } = state;
  const isHeld = (referee: number): boolean =>
    clusters.has(referee) && hour < (input.releasedFrom(referee) ?? new Date(8.64e15));
  for (const [n, level] of (rules.referral ?? []).entries()) {
    const bases = new Map<number, bigint>();
    for (const [referee, amount] of earned) {
      const referrer = ancestor(input.referrers, referee, n);
      if (
        referrer === undefined ||
        !input.isActive(referrer, hour) ||
        !counting.has(`${referee} ${n}`)
      )
        continue;
      if (isHeld(referee)) payApart(state, referrer, referee, percentOf(amount, level.percent));
      else bases.set(referrer, (bases.get(referrer) ?? 0n) + amount);
    }
    for (const [referrer, base] of bases)
      add(paid, `${referrer} REFERRAL ${day}`, percentOf(base, level.percent));
  }
}

export function settleNaively(input: NaiveInput): NaiveResult {
  const kept = {
    paid: new Map(),
    held: new Map(),
    uptime: new Map(),
    counting: new Set<string>(),
    clusters: new Set<number>(),
  };
  for (const { hour, rules } of input.hours) {
    const state: State = {
      ...kept,
      input,
      hour,
      rules,
      day: hour.toISOString().slice(0, 10),
      earned: new Map(),
    };
    for (const device of payable(state)) payDevice(state, device);
    passGates(state);
    payReferrers(state);
  }
  return { paid: kept.paid, held: kept.held };
}
