/** A device whose sockets and responses a test controls. */
import { vi } from 'vitest';
import { createEdgeClient } from '../client.ts';
import type { DeviceState } from '../device-connection.ts';
import type { SocketLike } from '../device-socket.ts';
import { fixedToken, type TokenSource } from '../token-source.ts';

/** A socket that does what the test says. */
export class FakeSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  onRefused: SocketLike['onRefused'] = null;
  readonly sent: string[] = [];
  isClosed = false;
  closedWith: number | undefined;
  send(text: string): void {
    this.sent.push(text);
  }
  close(code?: number): void {
    this.isClosed = true;
    this.closedWith = code;
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcome(): void {
    this.hear({ type: 'state', heartbeat_interval: 30 });
  }
}

export type Answer = { status: number; body: unknown };

export function setUp(beats: Answer[] = [], tokens: TokenSource = fixedToken('token')) {
  const sockets: FakeSocket[] = [];
  const states: DeviceState[] = [];
  const requests: string[] = [];
  const send = async (request: unknown): Promise<Response> => {
    requests.push(new URL((request as Request).url).pathname);
    const { status, body } = beats.shift() ?? { status: 200, body: { heartbeat_interval: 30 } };
    return Response.json(body, { status });
  };
  const client = createEdgeClient({
    baseUrl: 'http://edge.test',
    tokens,
    fetch: send as typeof fetch,
  });
  const stop = new AbortController();
  const openSocket = (): SocketLike => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  };
  const options = {
    client,
    nodeId: 'n',
    openSocket,
    onState: (state: DeviceState) => void states.push(state),
  };
  const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
  return { sockets, states, requests, stop, settle, options, last: () => states.at(-1) };
}
