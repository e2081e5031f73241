import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnection } from './http-connection.ts';
import { createRequests, findFault } from './http-requests.ts';
import { runLoad } from './run-load.ts';

const LONG = 'ä'.repeat(200_000);
let server: Server;
let port: number;
const seen: { key: string; body: string; authorization: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      seen.push({
        key: String(request.headers['idempotency-key']),
        body,
        authorization: String(request.headers.authorization),
      });
      if (request.url === '/chunks') {
        response.write('first');
        response.write(LONG);
        response.end('last');
      } else if (request.url === '/none') response.writeHead(204).end();
      else if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
      else if (request.url === '/broken') response.writeHead(500).end('it broke');
      else response.end(request.url === '/long' ? LONG : '{"results":[{"status":"posted"}]}');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

test('answers of each type are read completely, in sequence on one connection', async () => {
  const connection = openConnection(port);
  const get = (path: string) =>
    connection.exchange(createRequests({ port }, { kind: 'get', path })());
  for (let round = 0; round < 2; round++) {
    expect((await get('/short')).body.toString()).toBe('{"results":[{"status":"posted"}]}');
    expect((await get('/long')).body.toString()).toBe(LONG);
    const chunked = (await get('/chunks')).body.toString();
    expect([chunked.includes('first'), chunked.includes(LONG), chunked.includes('last')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(await get('/none')).toEqual({ status: 204, body: Buffer.alloc(0) });
    // A chunked body without chunks.
    expect(await get('/moved')).toEqual({ status: 302, body: Buffer.from('0\r\n\r\n') });
  }
  connection.close();
});

test('a connection that the server closes is an error', async () => {
  const closing = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => closing.once('listening', resolve));
  const connection = openConnection((closing.address() as AddressInfo).port);
  await expect(connection.exchange('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')).rejects.toThrow();
  closing.close();
});

test('postings have distinct keys, users are in the range, numbers keep all decimals', async () => {
  const people = { first: 50, count: 3 };
  const before = seen.length;
  const result = await runLoad({
    port,
    token: 'secret',
    connections: 4,
    what: { kind: 'rewards', people },
    until: { requests: 40 },
  });
  expect(result.answers).toBe(40);
  const rewards = seen.slice(before);
  expect(new Set(rewards.map(({ key }) => key)).size).toBe(40);
  expect(
    rewards.every(
      ({ key, authorization }) => key.length === 36 && authorization === 'Bearer secret',
    ),
  ).toBe(true);
  expect(
    rewards.every(
      ({ body }) =>
        [50, 51, 52].includes(JSON.parse(body).user_id) && body.includes('1.234567890123456789'),
    ),
  ).toBe(true);
  const batch = createRequests({ port }, { kind: 'transfers', people, size: 6, order: 'row' })();
  const { transfers } = JSON.parse(batch.slice(batch.indexOf('\r\n\r\n'))) as {
    transfers: { credit: { user_id: number } }[];
  };
  expect(transfers.map(({ credit }) => credit.user_id).toSorted()).toEqual([
    50, 50, 51, 51, 52, 52,
  ]);
});

test('a load with an unexpected answer has no figure', async () => {
  await expect(
    runLoad({
      port,
      connections: 2,
      what: { kind: 'get', path: '/broken' },
      until: { requests: 5 },
    }),
  ).rejects.toThrow(/^the load failed: the answer was 500: .*it broke/s);
  const transfers = {
    kind: 'transfers',
    people: { first: 1, count: 1 },
    size: 1,
    order: 'row',
  } as const;
  expect(findFault(transfers, 200, Buffer.from('{"results":[{"status":"refused"}]}'))).toContain(
    'an item was refused',
  );
  expect(
    findFault(transfers, 200, Buffer.from('{"results":[{"status":"posted"}]}')),
  ).toBeUndefined();
  expect(findFault({ kind: 'get', path: '/', status: 302 }, 302, Buffer.alloc(0))).toBeUndefined();
});
