import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { testConfig } from '../../test/support/test-config.ts';
import { createServer } from './server.ts';
import { closeStalledConnections, UNDER_WAY_MAX, WAITING_MAX } from './socket-limits.ts';
import type { HttpServer } from './types.ts';

let app: HttpServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** A server whose `/wait` answers on request. */
async function startServer(prepare: (app: HttpServer) => void = () => undefined) {
  app = createServer(testConfig());
  const started: string[] = [];
  const answers: (() => void)[] = [];
  app.get('/wait/:name', async (request) => {
    started.push((request.params as { name: string }).name);
    await new Promise<void>((resolve) => answers.push(resolve));
    return { isAnswered: true };
  });
  app.get('/large', { schema: { hide: true } }, async () => {
    started.push('large');
    return 'x'.repeat(50_000_000);
  });
  prepare(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { started, answers };
}

function open(): Socket {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

async function countConnections(): Promise<number> {
  return await promisify((done: (error: Error | null, count: number) => void) =>
    app.server.getConnections(done),
  )();
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test('pipelined requests begin one after another, in order', async () => {
  const { started, answers } = await startServer();
  const socket = open();
  let received = '';
  socket.on('data', (bytes) => {
    received += String(bytes);
  });
  socket.write(get('/wait/1') + get('/wait/2') + get('/wait/3'));
  for (const begun of [['1'], ['1', '2'], ['1', '2', '3']]) {
    await expect.poll(() => started).toEqual(begun);
    expect(answers).toHaveLength(1);
    answers.shift()?.();
  }
  await expect.poll(() => received.match(/"isAnswered":true/g)).toHaveLength(3);
});

test('a connection with too many waiting requests is closed, and none of them begins', async () => {
  const { started, answers } = await startServer();
  const socket = open();
  socket.resume();
  socket.write(get('/wait/0').repeat(WAITING_MAX + 2));
  await once(socket, 'close');
  answers.shift()?.();
  await expect.poll(() => answers).toEqual([]);
  expect(started).toEqual(['0']);
});

test('waiting requests of a connection that was closed do not begin', async () => {
  const { started, answers } = await startServer();
  const socket = open();
  socket.write(get('/wait/1') + get('/wait/2'));
  await expect.poll(() => started).toEqual(['1']);
  socket.destroy();
  await expect.poll(countConnections).toBe(0);
  answers.shift()?.();
  expect((await app.inject('/nowhere')).statusCode).toBe(404);
  expect(started).toEqual(['1']);
});

test('more requests of one address than the limit are refused, until others end', async () => {
  const { started, answers } = await startServer();
  const waiting = Array.from({ length: UNDER_WAY_MAX }, () => app.inject('/wait/1'));
  await expect.poll(() => started.length).toBe(UNDER_WAY_MAX);
  const refused = await app.inject('/wait/1');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.json()).toMatchObject({ code: 'rate_limited' });
  for (const answer of answers.splice(0)) answer();
  expect((await Promise.all(waiting)).every(({ statusCode }) => statusCode === 200)).toBe(true);
  const next = app.inject('/wait/2');
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.();
  expect((await next).statusCode).toBe(200);
});

test('a client that does not read an answer is disconnected, one that waits is not', async () => {
  const { started, answers } = await startServer(({ server }) => {
    server.removeAllListeners('timeout');
    closeStalledConnections(server, 100);
  });
  const patient = open();
  patient.write(get('/wait/1'));
  await expect.poll(() => started).toEqual(['1']);
  const greedy = open();
  greedy.pause();
  greedy.write(get('/large'));
  await expect.poll(() => started).toEqual(['1', 'large']);
  await expect.poll(countConnections).toBe(1);
  answers.shift()?.();
  const [answer] = await once(patient, 'data');
  expect(String(answer)).toContain('200 OK');
});

test('a connection without a request is closed', async () => {
  await startServer(({ server }) => {
    server.removeAllListeners('timeout');
    closeStalledConnections(server, 50);
  });
  const silent = open();
  silent.resume();
  await once(silent, 'close');
});
