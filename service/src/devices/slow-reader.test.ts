/**
 * How much the service keeps for a client that sends and never reads, once the buffers of the
 * operating system are full; and when it ends the connection of one that is still sending.
 */
import { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { LiveConnections } from './live-connections.ts';

/** Where the service disconnects a reader, plus the close frame. */
const KEPT_MAX_BYTES = 64 * 1024 + 512;

/** A socket whose peer reads what it is sent, or nothing: then no write ever completes. */
class PeerSocket extends Duplex {
  readonly #isRead: boolean;
  constructor(isRead: boolean) {
    super();
    this.#isRead = isRead;
  }
  setTimeout(): void {}
  setNoDelay(): void {}
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: unknown, done: () => void): void {
    if (this.#isRead) done();
  }
}

/** A heartbeat as a client sends it: masked, here with zeros. */
function beatFrame(): Buffer {
  const beat = Buffer.from('{"type":"beat"}');
  return Buffer.concat([Buffer.from([0x81, 0x80 | beat.length, 0, 0, 0, 0]), beat]);
}

/** The answer of a client to a closing handshake, without a code. */
const CLOSE_FRAME = Buffer.from([0x88, 0x80, 0, 0, 0, 0]);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(messagesPerSecond: number) {
  const heard: number[] = [];
  const hear = (deviceId: number): void => void heard.push(deviceId);
  const presence = {
    recordConnection: hear,
    recordConnectedHeartbeat: hear,
    recordDisconnection: () => {},
  };
  const connections = new LiveConnections({
    clock: systemClock,
    presence,
    heartbeatInterval_s: 30,
    messagesPerSecond,
  });
  const released = vi.fn();
  function connect(deviceId: number, isRead = false): PeerSocket {
    const socket = new PeerSocket(isRead);
    const request = Object.assign(new IncomingMessage(socket as never), { method: 'GET' });
    request.headers = {
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const principal = {
      jti: `jti-${deviceId}`,
      issuedAt: new Date(0),
      expiresAt: new Date('2100-01-01'),
    };
    const device = { deviceId, nodeId: `node-${deviceId}`, userId: 1 };
    connections.accept({
      request,
      socket,
      head: Buffer.alloc(0),
      principal: principal as never,
      device,
      address: '',
      register: () => released,
    });
    return socket;
  }
  return { connections, connect, heard, released };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a client that sends heartbeats and reads no answer is disconnected at 64 KB', async () => {
  const { connections, connect, heard, released } = setUp(1_000_000);
  const socket = connect(1);
  for (let i = 0; i < 100 && connections.stats().open === 1; i++) {
    for (let n = 0; n < 1000; n++) socket.push(beatFrame());
    await turn();
  }
  expect(connections.stats()).toMatchObject({ open: 0, closed: { silent: 1 } });
  expect(heard.length).toBeGreaterThan(1000);
  expect(socket.writableLength).toBeLessThan(KEPT_MAX_BYTES);
  expect(released).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1000);
  expect(socket.destroyed).toBe(true);
  expect(released).toHaveBeenCalledOnce();
});

test('a client that neither reads nor sends is disconnected after two intervals', async () => {
  const { connections, connect } = setUp(5);
  connections.start();
  const socket = connect(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(connections.stats().open).toBe(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(connections.stats()).toMatchObject({ open: 0, closed: { silent: 1 } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(socket.destroyed).toBe(true);
  connections.stop();
});

// Proxies close both directions when the service ends its own, and a client that is still sending
// then loses what it has not read.
test('the connection of a flood ends when its client has answered', async () => {
  const { connections, connect } = setUp(1);
  const socket = connect(1, true);
  for (let n = 0; n < 40; n++) socket.push(beatFrame());
  await turn();
  expect(connections.stats()).toMatchObject({ open: 0, closed: { flood: 1 } });
  expect(socket.writableEnded).toBe(false);
  socket.push(CLOSE_FRAME);
  await turn();
  expect(socket.writableEnded).toBe(true);
});

test('a flood that does not end is cut off after five seconds', async () => {
  const { connect } = setUp(1);
  const socket = connect(1, true);
  for (let n = 0; n < 50; n++) {
    expect(socket.destroyed).toBe(false);
    for (let i = 0; i < 40; i++) socket.push(beatFrame());
    await turn();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(socket.destroyed).toBe(true);
});
