/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('devices', {
  listDevices: {
    summary: 'List the devices of the current user',
    description:
      'Terminals and browser extensions of the person, with their state. Deleted ones are ' +
      'listed with `status=deleted` only.',
  },
  getDevice: {
    summary: 'Show one device',
    description:
      'The same record as in the list. A token that is bound to a device reads that device ' +
      'only.',
  },
  updateDevice: {
    summary: 'Rename a device, or grant it categories',
    description: 'Members that are left out stay as they are.',
    failures: ['device_deleted'],
  },
  registerDevice: {
    summary: 'Register or update the calling device',
    description:
      'The first registration binds the token to the node. With a key-bound token the node ID ' +
      'is the thumbprint of the key.',
    failures: [
      'device_limit',
      'node_key_mismatch',
      'node_taken',
      'token_bound_elsewhere',
      'token_not_fresh',
      'rate_limited',
    ],
  },
  disconnectDevice: {
    summary: 'Disconnect a device',
    description: 'Closes its live connection and revokes every token bound to it.',
    failures: ['device_deleted'],
  },
  deleteDevice: {
    summary: 'Delete a device',
    description: 'The device is no longer bound to the user; its earnings and history stay.',
  },
  sendHeartbeat: {
    summary: 'Send a heartbeat of the calling device',
    description:
      'For devices that cannot hold a live connection. A device that is silent for several ' +
      'intervals is offline.',
    failures: [
      'token_not_bound',
      'rate_limited',
      'not_found',
      'token_bound_elsewhere',
      'device_disconnected',
      'device_deleted',
    ],
  },
  getDeviceUsage: {
    summary: 'Show the hourly usage of a device',
    description:
      'Bytes and time online by hour, in UTC, as relays and the service measured them. An ' +
      'operator who archives rewards keeps the hours for a time (`REWARD_KEPT_DAYS`).',
  },
  listRefusedReports: {
    summary: 'List the traffic reports of a device that do not count',
    description:
      'Of malformed reports, and of reports whose ID another report has, the newest 20 of each ' +
      'device are kept.',
  },
  connectDevice: {
    summary: 'Open the live connection of the calling device (WebSocket)',
    description:
      'Authenticate with the Authorization header or, in a browser, with the subprotocols ' +
      '`edge-account` and a ticket. The service sends `{"type":"state"}` and pings; it sends ' +
      '`{"type":"disconnect","code","reason"}` before it closes the connection. Close codes: ' +
      '4400 unknown message, 4401 token expired or revoked, 4403 device disconnected, 4408 ' +
      'client does not read, 4409 device connected again, 4429 too many messages or ' +
      'connections, 1002 not the WebSocket protocol, 1007 not UTF-8, 1008 too many fragments, ' +
      '1009 message too large, 1012 restart. The device may send `{"type":"beat"}`.',
    failures: [
      'upgrade_required',
      'origin_refused',
      'invalid_connect_ticket',
      'token_not_bound',
      'token_revoked',
      'connection_limit',
      'rate_limited',
      'not_found',
      'token_bound_elsewhere',
      'device_disconnected',
      'device_deleted',
    ],
  },
  createConnectTicket: {
    summary: 'Get a ticket for the live connection',
    description:
      'For browsers, whose WebSocket carries no Authorization header. It is accepted once, for ' +
      'a few seconds.',
    failures: ['token_not_bound', 'rate_limited', 'device_disconnected', 'device_deleted'],
  },
});
