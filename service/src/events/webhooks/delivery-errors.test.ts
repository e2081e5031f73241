import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutgoing, OutgoingError } from '../../http/index.ts';
import { DELIVERY_ERRORS } from './delivery-errors.ts';

const outgoing = createOutgoing({ allowsLoopback: true });
let server: http.Server;
let base: string;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.url === '/redirect')
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    else if (request.url === '/large') response.end('x'.repeat(70_000));
    else response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What is stored of a failure. */
async function failAt(url: string): Promise<string> {
  const error: unknown = await outgoing
    .send({ method: 'POST', url })
    .catch((failure: unknown) => failure);
  if (!(error instanceof OutgoingError)) throw new Error('the message was taken');
  return `${error.problem}: ${error.message}`;
}

test('every failure of a message is read back with what it names', async () => {
  expect(DELIVERY_ERRORS.read(await failAt(`${base}/redirect`))).toEqual({
    code: 'redirected',
    values: { status: '302' },
  });
  expect(DELIVERY_ERRORS.read(await failAt(`${base}/large`))).toEqual({
    code: 'answer_too_large',
    values: { bytes: '65536' },
  });
  expect(DELIVERY_ERRORS.read(await failAt(`${base}/cut`))?.code).toBe('unreachable');
  expect(DELIVERY_ERRORS.read(await failAt('http://127.0.0.1:1/'))).toEqual({
    code: 'connection_failed',
    values: { cause: 'ECONNREFUSED' },
  });
  expect(DELIVERY_ERRORS.read(await failAt('https://10.1.2.3/'))?.code).toBe('address_refused');
  expect(DELIVERY_ERRORS.read('timeout: no answer within 5000 ms')).toEqual({
    code: 'timeout',
    values: { milliseconds: '5000' },
  });
  // What switches a webhook off.
  expect(DELIVERY_ERRORS.read('answered 410 Gone')).toEqual({
    code: 'answered',
    values: { status: '410 Gone' },
  });
});
