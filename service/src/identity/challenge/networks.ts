/** Networks as challenges count them, and those that users have signed in from. */
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { type Db, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';

const IPV4_BITS = 24;
const IPV6_BITS = 48;

/** @returns the /24 of an IPv4 address or the /48 of an IPv6 address, which one site has */
export function toNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_BITS}`)}/${IPV6_BITS}`
    : `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${IPV4_BITS}`)}/${IPV4_BITS}`;
}

/** True for this machine: a developer, or a proxy whose forwarded addresses are not trusted. */
export function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
}

/** Networks are stored as keyed hashes: the table does not show where users are. */
export type NetworkHash = (network: string) => Buffer;

export function createNetworkHash(masterKey: MasterKey): NetworkHash {
  const key = masterKey.derive('known-network');
  return (network) => createHmac('sha256', key).update(network).digest();
}

const REMEMBER = defineStatement(
  'identity-remember-network',
  `insert into known_network (network_hash, first_seen, last_seen) values (:hash, :now, :now)
   on conflict (network_hash) do update set last_seen = excluded.last_seen
   where known_network.last_seen < :a_day_ago`,
);

const DAY_MS = 86_400_000;

export function aDayBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS);
}

/** Notes a sign-in from a network; written at most once a day. */
export async function rememberNetwork(db: Db, clock: Clock, hash: Buffer): Promise<void> {
  const now = clock.now();
  await execute(db, REMEMBER, { hash, now, a_day_ago: aDayBefore(now) });
}
