import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEdgeClient } from './client.ts';
import { createDeviceConnection, type DeviceState, type SocketLike } from './device-connection.ts';
import { EdgeError } from './problem.ts';
import { fixedToken, type TokenSource } from './token-source.ts';

/** A socket that does what the test says. */
class FakeSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  onrefused: SocketLike['onrefused'] = null;
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

type Answer = { status: number; body: unknown };

function setUp(beats: Answer[] = [], tokens: TokenSource = fixedToken('token')) {
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

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('beats at the interval, and makes the connection anew when a beat is not answered: after sleep, or on a dead path', async () => {
  const { sockets, settle, options, last, stop } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  await settle();
  sockets[0]?.welcome();
  expect(last()).toEqual({ status: 'online', transport: 'socket' });
  await settle(30_000);
  expect(sockets[0]?.sent).toEqual(['{"type":"beat"}']);
  sockets[0]?.hear({ type: 'beat' });
  await settle(30_000);
  expect(sockets[0]?.sent).toHaveLength(2);
  await settle(10_000);
  expect(sockets[0]?.isClosed).toBe(true);
  expect(last()).toMatchObject({ status: 'waiting', reason: 'a beat was not answered' });
  await settle(1000);
  expect(sockets).toHaveLength(2);
  stop.abort();
  expect(await run).toMatchObject({ status: 'ended', code: 'stopped' });
  // Who stops says goodbye.
  expect(sockets.map(({ closedWith }) => closedWith)).toEqual([undefined, 1000]);
});

test('a disconnect and a replacement end it; nothing is tried again', async () => {
  for (const [code, name] of [
    [4403, 'device_disconnected'],
    [4409, 'replaced'],
  ] as const) {
    const { sockets, settle, options } = setUp();
    const run = createDeviceConnection(options).run();
    await settle();
    sockets[0]?.welcome();
    sockets[0]?.onclose?.({ code, reason: 'disconnected by you' });
    expect(await run).toEqual({ status: 'ended', code: name, reason: 'disconnected by you' });
    await settle(120_000);
    expect(sockets).toHaveLength(1);
  }
});

test('what came back by itself and is replaced at once tries again, a few times; what has settled gives way', async () => {
  const { sockets, settle, options } = setUp();
  const run = createDeviceConnection(options).run();
  const connectFor = async (ms: number, code: number): Promise<void> => {
    await settle(8000);
    sockets.at(-1)?.welcome();
    await settle(ms);
    sockets.at(-1)?.onclose?.({ code, reason: 'the device connected again' });
  };
  await connectFor(100, 1006);
  for (let i = 0; i < 3; i++) await connectFor(100, 4409);
  await connectFor(11_000, 1006);
  await connectFor(100, 4409);
  await connectFor(11_000, 4409);
  expect(await run).toMatchObject({ status: 'ended', code: 'replaced' });
  expect(sockets).toHaveLength(7);
});

test('two that run as one device do not replace each other for ever', async () => {
  const { sockets, settle, options } = setUp();
  const run = createDeviceConnection(options).run();
  for (let i = 0; i < 5; i++) {
    await settle(8000);
    sockets[i]?.welcome();
    sockets[i]?.onclose?.({ code: i === 0 ? 1006 : 4409, reason: 'the device connected again' });
  }
  expect(await run).toMatchObject({ status: 'ended', code: 'replaced' });
});

test('a refused handshake is explained by a beat: the end when that is refused for good', async () => {
  const revoked = {
    status: 401,
    body: { code: 'token_revoked', status: 401, reason: 'deleted by you' },
  };
  const { sockets, settle, options } = setUp([revoked, revoked]);
  const run = createDeviceConnection(options).run();
  await settle();
  sockets[0]?.onclose?.({ code: 1006, reason: '' });
  expect(await run).toEqual({ status: 'ended', code: 'token_revoked', reason: 'deleted by you' });
});

test('where no socket opens it stays online by beats over HTTP, and waits longer each time', async () => {
  const { sockets, requests, settle, options, stop, states } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  for (let i = 0; i < 4; i++) {
    await settle();
    sockets.at(-1)?.onclose?.({ code: 1006, reason: '' });
    await settle();
    await settle(60_000);
  }
  expect(requests.every((path) => path === '/me/devices/n/heartbeat')).toBe(true);
  expect(requests.length).toBeGreaterThanOrEqual(4);
  const waits = states.flatMap((state) => (state.status === 'waiting' ? [state.wait_ms] : []));
  expect(Math.max(...waits)).toBeGreaterThan(2000);
  stop.abort();
  await run;
});

test('a socket that knows why it was refused says it, and is given the time that it was asked for', async () => {
  const { sockets, requests, settle, options, stop, last } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  await settle();
  const refusal = new EdgeError(
    { status: 429, code: 'connection_limit', detail: 'The limit is reached: 2.' },
    30,
  );
  sockets[0]?.onrefused?.(refusal);
  await settle();
  expect(last()).toMatchObject({ status: 'waiting', reason: 'The limit is reached: 2', refusal });
  expect(requests).toEqual(['/me/devices/n/heartbeat']);
  await settle(29_000);
  expect(sockets).toHaveLength(1);
  await settle(10_000);
  expect(sockets).toHaveLength(2);
  stop.abort();
  await run;
});

test('what is let in and turned away at once waits longer each time; what has settled, or lost its service, begins anew', async () => {
  const { sockets, settle, options, stop, last } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  /** The wait after a connection that lived so long. */
  async function waitAfter(ms: number, code: number): Promise<number> {
    await settle();
    sockets.at(-1)?.welcome();
    await settle(ms);
    sockets.at(-1)?.onclose?.({ code, reason: 'a reason' });
    await settle();
    const state = last();
    if (state?.status !== 'waiting') throw new Error('it does not wait');
    await settle(state.wait_ms);
    return state.wait_ms;
  }
  const waits: number[] = [];
  for (let i = 0; i < 5; i++) waits.push(await waitAfter(100, 4429));
  expect(waits.at(-1)).toBeGreaterThanOrEqual(8000);
  // A little longer than the limit: differences of a clock in fractions of a millisecond may fall short of it.
  expect(await waitAfter(10_100, 4408)).toBeLessThanOrEqual(1000);
  await waitAfter(100, 4429);
  expect(await waitAfter(100, 1012)).toBeLessThanOrEqual(1000);
  stop.abort();
  await run;
});

test('an expired token is renewed once, and the connection made anew', async () => {
  let renewed = 0;
  const tokens: TokenSource = {
    ...fixedToken('old'),
    renew: async () => {
      renewed++;
      return {
        accessToken: 'new',
        tokenType: 'Bearer',
        scope: '',
        expiresAt_ms: Number.POSITIVE_INFINITY,
      };
    },
  };
  const { sockets, settle, options, stop } = setUp([], tokens);
  const run = createDeviceConnection(options).run(stop.signal);
  await settle();
  sockets[0]?.welcome();
  sockets[0]?.onclose?.({ code: 4401, reason: 'the token expired' });
  await settle(2000);
  expect(renewed).toBe(1);
  expect(sockets).toHaveLength(2);
  stop.abort();
  await run;
});

test('the end of the sign-in is told with the reason that the connection was given', async () => {
  const { sockets, settle, options } = setUp();
  const run = createDeviceConnection(options).run();
  await settle();
  sockets[0]?.welcome();
  sockets[0]?.onclose?.({ code: 4401, reason: 'signed out everywhere' });
  expect(await run).toEqual({
    status: 'ended',
    code: 'signed_out',
    reason: 'The sign-in is over: signed out everywhere',
  });
});

test('a service that answers 429 is given the time that it asks for', async () => {
  const { sockets, settle, options, stop, last } = setUp([
    { status: 429, body: { code: 'rate_limited', status: 429 } },
  ]);
  const run = createDeviceConnection(options).run(stop.signal);
  await settle();
  sockets[0]?.onclose?.({ code: 1006, reason: '' });
  await settle();
  expect(last()).toMatchObject({ status: 'waiting' });
  stop.abort();
  await run;
});
