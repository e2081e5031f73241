/**
 * How much the service keeps for a client that sends and never reads, once the buffers of the
 * operating system are full.
 */
import { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { LiveConnections } from './live-connections.ts';

/** Where the service disconnects a reader, plus the close frame. */
const KEPT_MAX_BYTES = 64 * 1024 + 512;

/** A socket whose peer reads nothing: no write ever completes. */
class StalledSocket extends Duplex {
  setTimeout(): void {}
  setNoDelay(): void {}
  override _read(): void {}
  override _write(): void {}
}

/** A heartbeat as a client sends it: masked, here with zeros. */
function beatFrame(): Buffer {
  const beat = Buffer.from('{"type":"beat"}');
  return Buffer.concat([Buffer.from([0x81, 0x80 | beat.length, 0, 0, 0, 0]), beat]);
}

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
  function connect(deviceId: number): StalledSocket {
    const socket = new StalledSocket();
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
    await new Promise((resolve) => setImmediate(resolve));
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
