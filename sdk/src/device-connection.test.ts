import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeviceConnection } from './device-connection.ts';
import { EdgeError } from './problem.ts';
import { setUp } from './testing/fake-device.ts';
import { fixedToken, type TokenSource } from './token-source.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('sends heartbeats at the interval, and reconnects when one is not answered', async () => {
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
  expect(last()).toMatchObject({
    ...{ status: 'waiting', code: 'connection_lost', reason: 'a beat was not answered' },
  });
  await settle(1000);
  expect(sockets).toHaveLength(2);
  stop.abort();
  expect(await run).toMatchObject({ status: 'ended', code: 'stopped' });
  // A client that stops closes the connection normally.
  expect(sockets.map(({ closedWith }) => closedWith)).toEqual([undefined, 1000]);
});

test('a disconnect and a replacement end it, without another attempt', async () => {
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

test('a device that is replaced right after a reconnection retries a few times', async () => {
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

test('two programs with one device do not replace each other without end', async () => {
  const { sockets, settle, options } = setUp();
  const run = createDeviceConnection(options).run();
  for (let i = 0; i < 5; i++) {
    await settle(8000);
    sockets[i]?.welcome();
    sockets[i]?.onclose?.({ code: i === 0 ? 1006 : 4409, reason: 'the device connected again' });
  }
  expect(await run).toMatchObject({ status: 'ended', code: 'replaced' });
});

test('a heartbeat explains a refused handshake, and ends the device if refused', async () => {
  const revoked = {
    status: 401,
    body: {
      code: 'token_revoked',
      status: 401,
      reason: 'device_deleted_by_owner',
      detail: 'The sign-in is over: deleted by you.',
    },
  };
  const { sockets, settle, options } = setUp([revoked, revoked]);
  const run = createDeviceConnection(options).run();
  await settle();
  sockets[0]?.onclose?.({ code: 1006, reason: '' });
  expect(await run).toEqual({
    status: 'ended',
    code: 'device_deleted',
    reason: 'The sign-in is over: deleted by you',
  });
});

test('without sockets it stays online over HTTP, with growing waits', async () => {
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

test('an unauthenticated handshake is repeated immediately, and only once', async () => {
  const { sockets, settle, options, last, stop } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  const refusal = new EdgeError({ status: 401, code: 'invalid_token', detail: 'Wrong time.' });
  await settle();
  sockets[0]?.onRefused?.(refusal);
  await settle();
  expect(sockets).toHaveLength(2);
  sockets[1]?.onRefused?.(refusal);
  await settle();
  expect(sockets).toHaveLength(2);
  expect(last()).toMatchObject({ status: 'waiting', code: 'invalid_token', reason: 'Wrong time' });
  await settle(1000);
  sockets[2]?.welcome();
  expect(last()).toEqual({ status: 'online', transport: 'socket' });
  stop.abort();
  await run;
});

test('a refused socket reports the problem and waits for its Retry-After', async () => {
  const { sockets, requests, settle, options, stop, last } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  await settle();
  const refusal = new EdgeError(
    { status: 429, code: 'connection_limit', detail: 'The limit is reached: 2.' },
    30,
  );
  sockets[0]?.onRefused?.(refusal);
  await settle();
  expect(last()).toMatchObject({
    ...{ status: 'waiting', code: 'connection_limit', reason: 'The limit is reached: 2', refusal },
  });
  expect(requests).toEqual(['/me/devices/n/heartbeat']);
  await settle(29_000);
  expect(sockets).toHaveLength(1);
  await settle(10_000);
  expect(sockets).toHaveLength(2);
  stop.abort();
  await run;
});

test('connections that are closed immediately back off; longer ones reset the wait', async () => {
  const { sockets, settle, options, stop, last } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  /** The wait after a connection that lived this long. */
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
  // A little longer than the limit: differences of a clock in fractions of a millisecond may fall
  // short of it.
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

test('the end of the sign-in has the reason of the closed connection', async () => {
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

test('after a 429 the connection waits for the requested time', async () => {
  const { sockets, settle, options, stop, last } = setUp([
    { status: 429, body: { code: 'rate_limited', status: 429 } },
  ]);
  const run = createDeviceConnection(options).run(stop.signal);
  await settle();
  sockets[0]?.onclose?.({ code: 1006, reason: '' });
  await settle();
  expect(last()).toMatchObject({ status: 'waiting', code: 'rate_limited' });
  stop.abort();
  await run;
});

test.each([
  [1006, 'connection_lost'],
  [1012, 'restarting'],
  [4400, 'malformed_message'],
  [4408, 'not_reading'],
  [4429, 'rate_limited'],
])('a connection that is closed with %i waits with the code %s', async (closed, code) => {
  const { sockets, settle, options, stop, last } = setUp();
  const run = createDeviceConnection(options).run(stop.signal);
  await settle();
  sockets[0]?.welcome();
  sockets[0]?.onclose?.({ code: closed, reason: 'a reason' });
  await settle();
  expect(last()).toMatchObject({ status: 'waiting', code, reason: 'a reason' });
  stop.abort();
  await run;
});

test('an error of the program waits with the code failed', async () => {
  const { settle, options, stop, last } = setUp();
  const openSocket = () => {
    throw new Error('no socket');
  };
  const run = createDeviceConnection({ ...options, openSocket }).run(stop.signal);
  await settle();
  expect(last()).toMatchObject({ status: 'waiting', code: 'failed', reason: 'no socket' });
  stop.abort();
  await run;
});
