/** Every answer on the wire is either complete or an error with the right cause. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJsonRpc, RpcError } from './json-rpc.ts';

let answer: (
  request: IncomingMessage,
  response: ServerResponse,
  body: { id: number; method: string },
) => void;
const connections = new Set<unknown>();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, JSON.parse(Buffer.concat(chunks).toString())));
});
server.on('connection', (socket) => connections.add(socket));
let base: URL;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/key`);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const result = (value: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result: value });
const kindOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof RpcError ? error.kind : String(error)),
  );

test('consecutive calls use one connection, to the path of the URL', async () => {
  const paths = new Set<string | undefined>();
  answer = (request, response, { method }) => {
    paths.add(request.url);
    response.end(result(method));
  };
  connections.clear();
  const rpc = createJsonRpc(base.href);
  for (let call = 0; call < 5; call++) expect(await rpc.call(`m${call}`, [])).toBe(`m${call}`);
  expect([...paths]).toEqual(['/v3/key']);
  expect(connections.size).toBe(1);
});

test('user and password of the URL are sent as a header', async () => {
  answer = (request, response) => response.end(result(request.headers.authorization));
  const url = new URL(base);
  url.username = 'user';
  url.password = 'p%40ss';
  expect(await createJsonRpc(url.href).call('x', [])).toBe(
    `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
  );
});

test('a compressed answer is read, a corrupt one is an error', async () => {
  const packed = gzipSync(result('x'.repeat(100_000)));
  answer = (_request, response) => response.setHeader('content-encoding', 'gzip').end(packed);
  expect(await createJsonRpc(base.href).call('x', [])).toBe('x'.repeat(100_000));
  answer = (_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(packed.subarray(0, -20));
  expect(await kindOf(createJsonRpc(base.href).call('x', []))).toBe('unreachable');
});

test('a truncated answer is an error, even if its beginning is valid JSON', async () => {
  answer = (_request, response) => {
    response.setHeader('content-length', 10_000);
    response.write(result('whole'));
    setImmediate(() => response.destroy());
  };
  expect(await kindOf(createJsonRpc(base.href).call('x', []))).toBe('unreachable');
});

test('a node that does not answer, or does not finish its answer, times out', async () => {
  answer = () => {};
  expect(await kindOf(createJsonRpc(base.href, { timeout_ms: 50 }).call('x', []))).toBe('too_slow');
  answer = (_request, response) => response.write(result('half'));
  expect(await kindOf(createJsonRpc(base.href, { timeout_ms: 50 }).call('x', []))).toBe('too_slow');
});

test('a redirect is not followed', async () => {
  const seen: (string | undefined)[] = [];
  answer = (request, response) => {
    seen.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end(result('here'));
  };
  expect(await kindOf(createJsonRpc(base.href).call('x', []))).toBe('unreachable');
  expect(new Set(seen)).toEqual(new Set(['/v3/key']));
});

test('a refusal keeps its code; one because of load is retried', async () => {
  const refusal = (code: number) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no' } });
  let calls = 0;
  answer = (_request, response) => {
    calls++;
    response.end(calls < 3 ? refusal(-32005) : result('at last'));
  };
  expect(await createJsonRpc(base.href).call('x', [])).toBe('at last');
  answer = (_request, response) => response.writeHead(500).end(refusal(-8));
  await expect(createJsonRpc(base.href).call('x', [])).rejects.toMatchObject({
    kind: 'refused',
    rpcCode: -8,
  });
});

test('a port without a listener is unreachable', async () => {
  expect(await kindOf(createJsonRpc('http://127.0.0.1:1').call('x', []))).toBe('unreachable');
});
