import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutgoing, isPublicAddress, type OutgoingProblem } from './outbound-client.ts';

const development = createOutgoing({ allowsLoopback: true });
const production = createOutgoing({ allowsLoopback: false });
let server: http.Server;
let base: string;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.url === '/redirect')
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    else if (request.url === '/large') response.end('x'.repeat(70_000));
    else if (request.url === '/never') response.writeHead(200).write('{');
    else if (request.url === '/upgrade')
      response.socket?.end(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      );
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
    else {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () =>
        response.end(JSON.stringify({ method: request.method, body, host: request.headers.host })),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('sends requests and returns answers', async () => {
  const answer = await development.send({ method: 'POST', url: `${base}/`, body: '{"a":"ü"}' });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({
    method: 'POST',
    body: '{"a":"ü"}',
    host: base.slice('http://'.length),
  });
  expect(
    (await development.send({ method: 'GET', url: base.replace('127.0.0.1', 'localhost') })).status,
  ).toBe(200);
});

test.each<[string, OutgoingProblem]>([
  ['/redirect', 'redirected'],
  ['/large', 'answer_too_large'],
  ['/cut', 'unreachable'],
  ['/upgrade', 'unreachable'],
])('refuses the answer of %s', async (path, problem) => {
  await expect(development.send({ method: 'GET', url: base + path })).rejects.toMatchObject({
    problem,
  });
});

test('gives up after 5 seconds, also while an answer arrives slowly', async () => {
  const start = performance.now();
  await expect(development.send({ method: 'GET', url: `${base}/never` })).rejects.toMatchObject({
    problem: 'timeout',
    message: 'no answer within 5000 ms',
  });
  expect(performance.now() - start).toBeLessThan(7000);
});

test.each<[string, OutgoingProblem]>([
  ['http://example.com/', 'not_https'],
  ['ftp://example.com/', 'not_https'],
  ['https://user:pass@example.com/', 'malformed_url'],
  ['nonsense', 'malformed_url'],
  ['https://127.0.0.1/', 'address_refused'],
  ['https://localhost/', 'address_refused'],
  ['https://0x7f000001/', 'malformed_url'],
  ['https://2130706433/', 'malformed_url'],
  ['https://134744072/', 'malformed_url'],
  ['https://8.8.2056/', 'malformed_url'],
  ['https://010.8.8.8/', 'malformed_url'],
  ['https://8.8.8.8/#part', 'malformed_url'],
  ['https://example.com/#', 'malformed_url'],
  ['https://[::ffff:10.0.0.1]/', 'address_refused'],
  ['https://[::1]/', 'address_refused'],
  ['https://169.254.169.254/latest/meta-data', 'address_refused'],
  ['http://localhost/', 'not_https'],
])('production refuses %s', async (url, problem) => {
  await expect(production.send({ method: 'GET', url })).rejects.toMatchObject({ problem });
});

test('development still refuses private addresses', async () => {
  await expect(development.send({ method: 'GET', url: 'https://10.1.2.3/' })).rejects.toMatchObject(
    { problem: 'address_refused' },
  );
  await expect(development.send({ method: 'GET', url: 'http://10.1.2.3/' })).rejects.toMatchObject({
    problem: 'not_https',
  });
});

test('distinguishes public addresses from others', () => {
  const refused = [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.0.1',
    '224.0.0.1',
  ].concat(['172.31.255.255', '192.168.1.1', '198.19.0.1', '255.255.255.255', '::', '::1']);
  const refused6 = ['fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '::ffff:8.8.8.8', 'example'].concat(
    ['64:ff9b::808:808', '2001:db8::1', '2002:7f00:1::1', '2001::1', '4000::1'],
  );
  for (const address of [...refused, ...refused6])
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});
