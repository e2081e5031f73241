/** Which devices of the network are shown, by the address of the page. */
import { readOneOf, readWords, type Search } from '../../lib/search-params.ts';

/** As the service limits them. */
const LENGTH_MAX = 128;

export const STATUSES = ['online', 'offline', 'disconnected'] as const;
export const KINDS = ['TERMINAL', 'EXTENSION'] as const;

export interface NetworkDeviceFilter {
  /** A node ID, an IP address, or part of a name or of the software. */
  readonly device?: string | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly kind?: (typeof KINDS)[number] | undefined;
}

export function readNetworkDeviceFilter(search: Search): NetworkDeviceFilter {
  return {
    device: readWords(search.device, LENGTH_MAX),
    status: readOneOf(search.status, STATUSES),
    kind: readOneOf(search.kind, KINDS),
  };
}

/** Of an IPv6 address the service keeps the network, which ends in `::/64`. */
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:]*:[\da-f:]*(\/64)?)$/i;

/** The query of the service, to which a text and an address are different questions. */
export function toDeviceQuery({ device, status, kind }: NetworkDeviceFilter) {
  const isAddress = device !== undefined && ADDRESS.test(device);
  return {
    text: isAddress ? undefined : device,
    address: isAddress ? device : undefined,
    status,
    device_type: kind,
  };
}
