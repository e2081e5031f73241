/** A live connection of a separate device, for a client that misbehaves. */
import { once } from 'node:events';
import { EdgeError, unwrap } from '@edge-account/sdk';
import { WebSocket } from 'ws';
import { readRefusal } from '../open-socket.ts';
import { createDevice, registerDevice } from './device.ts';
import { type Outcome, outcomeOf } from './outcome-counter.ts';
import type { Person, SimulationContext } from './simulation-context.ts';

/** How the service ended a connection. */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export interface OwnConnection {
  readonly socket: WebSocket;
  /** The first message of the service. */
  readonly welcome: Buffer;
  readonly closed: Promise<Closing>;
  /** Deletes the device. */
  remove(): Promise<void>;
}

/** Connects a new device of this user; the result is the refusal, if there is one. */
export async function openRawConnection(
  context: SimulationContext,
  owner: Person,
): Promise<OwnConnection | EdgeError> {
  const device = await createDevice(context, owner);
  await registerDevice(device);
  async function remove(): Promise<void> {
    await unwrap(
      owner.client.api.POST('/me/devices/{node_id}/delete', {
        params: { path: { node_id: device.nodeId } },
      }),
    );
  }
  const url = `${context.baseUrl}/me/devices/connect`;
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    headers: await device.client.authorize('GET', url),
  });
  const refused = new Promise<EdgeError>((resolve) =>
    socket.once('unexpected-response', (_request, response) => resolve(readRefusal(response))),
  );
  const closed = new Promise<Closing>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  const gone = closed.then(
    ({ code, reason }) => new EdgeError({ status: 0, code: String(code), detail: reason }),
  );
  const welcome = await Promise.race([refused, once(socket, 'message') as Promise<[Buffer]>, gone]);
  socket.on('error', () => {});
  if (!(welcome instanceof EdgeError)) return { socket, welcome: welcome[0], closed, remove };
  socket.terminate();
  await remove();
  return welcome;
}

export function refusedBy(closing: Closing | EdgeError): Outcome {
  if (closing instanceof EdgeError) return outcomeOf(closing);
  const { code, reason } = closing;
  return {
    kind: 'refused',
    code: String(code),
    words: reason === '' ? 'closed without a reason' : reason,
  };
}
