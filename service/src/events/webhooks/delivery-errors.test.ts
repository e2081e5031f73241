import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutgoing, OutgoingError } from '../../http/index.ts';
import type { CodedMessage } from '../../lib/coded-messages.ts';
import { DELIVERY_ERRORS, toDeliveryError } from './delivery-errors.ts';

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

/** The stored form of a failure; its sentence is that of the error. */
async function failAt(url: string): Promise<CodedMessage> {
  const error: unknown = await outgoing
    .send({ method: 'POST', url })
    .catch((failure: unknown) => failure);
  if (!(error instanceof OutgoingError)) throw new Error('the message was taken');
  const stored = toDeliveryError(error);
  expect(DELIVERY_ERRORS.format(stored)).toMatch(new RegExp(`: ${error.message}$`));
  return stored;
}

test('every failed delivery is stored with its cause', async () => {
  expect(await failAt(`${base}/redirect`)).toEqual({
    code: 'redirected',
    values: { status: '302' },
  });
  expect(await failAt(`${base}/large`)).toEqual({
    code: 'answer_too_large',
    values: { bytes: '65536' },
  });
  expect((await failAt(`${base}/cut`)).code).toBe('unreachable');
  expect(await failAt('http://127.0.0.1:1/')).toEqual({
    code: 'connection_failed',
    values: { cause: 'ECONNREFUSED' },
  });
  expect((await failAt('https://10.1.2.3/')).code).toBe('address_refused');
});

test('a delivery without an answer in time is stored with the time it was awaited', () => {
  const values = { milliseconds: '5000' };
  const error = new OutgoingError('timeout', 'no answer within 5000 ms', { values });
  expect(toDeliveryError(error)).toEqual({ code: 'timeout', values });
  expect(DELIVERY_ERRORS.format(toDeliveryError(error))).toBe(`timeout: ${error.message}`);
});
