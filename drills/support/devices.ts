/** A device of a user, with a live connection. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { expectOk } from '../../service/test/demo/http-client.ts';
import type { Lab } from './lab.ts';

const NODE_ID = 'drill-device';

/** Registers the first user's device at the first instance. @returns its token */
export async function registerDevice({
  addresses: [first = ''],
  people: [owner],
}: Lab): Promise<string> {
  const token = owner?.deviceToken ?? '';
  await expectOk(`${first}/me/devices/${NODE_ID}`, {
    ...{ token, method: 'PUT' },
    body: { device_type: 'TERMINAL' },
  });
  return token;
}

/** @returns the connection, once it is welcomed */
export async function connectDevice(address: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/me/devices/connect`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, 'message');
  return socket;
}

/** Whether the first user's device is shown as online. */
export async function isOnline(
  { people: [owner] }: Pick<Lab, 'people'>,
  address: string,
): Promise<boolean> {
  const { devices } = await expectOk<{ devices: { status: string }[] }>(`${address}/me/devices`, {
    token: owner?.accessToken ?? '',
  });
  return devices[0]?.status === 'online';
}
