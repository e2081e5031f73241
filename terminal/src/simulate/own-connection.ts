/** A live connection of a device of its own, for a client that misbehaves without harm to the fleet. */
import { bodyOf } from '@edge-account/sdk';
import { WebSocket } from 'ws';
import { createDevice, registerDevice } from './device.ts';
import type { Lab, Person } from './lab.ts';
import type { Outcome } from './tally.ts';

/** How the service ended a connection. */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export interface OwnConnection {
  readonly socket: WebSocket;
  readonly closed: Promise<Closing>;
  /** Deletes the device. */
  remove(): Promise<void>;
}

/** Begins to connect a new device of this person. */
export async function openOwn(lab: Lab, owner: Person): Promise<OwnConnection> {
  const device = await createDevice(lab, owner);
  await registerDevice(device);
  const url = `${lab.baseUrl}/me/devices/connect`;
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers: await device.client.authorize('GET', url) });
  socket.on('error', () => {});
  const closed = new Promise<Closing>((resolve) => socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })));
  async function remove(): Promise<void> {
    await bodyOf(owner.client.api.POST('/me/devices/{node_id}/delete', { params: { path: { node_id: device.nodeId } } }));
  }
  return { socket, closed, remove };
}

export function refusedBy({ code, reason }: Closing): Outcome {
  return { kind: 'refused', code: String(code), words: reason === '' ? 'closed without a word' : reason };
}
