/** Addresses as rate limits count them. */
import ipaddr from 'ipaddr.js';

const SUBNET_GROUPS = 4;

/** @returns the IPv4 address, or the /64 of an IPv6 address, which one customer has */
export function toSubnet(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const groups = address.parts.slice(0, SUBNET_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
