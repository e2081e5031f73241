import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSocket } from './open-socket.ts';

let answer = '';
const server = createServer().on('upgrade', (_request, socket) => socket.end(answer));
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

const refusal = (body: string): string =>
  'HTTP/1.1 429 Too Many Requests\r\nretry-after: 30\r\n' +
  `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
const open = () => openSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, {});

test.each([
  [
    '{"code":"connection_limit","detail":"The limit of your live connections is reached: 2."}',
    'connection_limit',
    'The limit of your live connections is reached: 2',
  ],
  ['{"code":"rate_limited","title":"Too many requests"}', 'rate_limited', 'Too many requests'],
  ['<html>', 'refused', 'The service answered 429 without a reason'],
  ['null', 'refused', 'The service answered 429 without a reason'],
])('a handshake that is refused says why: %j', async (given, code, words) => {
  answer = refusal(given);
  const socket = open();
  const told = await new Promise((resolve) => {
    socket.onRefused = resolve;
    socket.onerror = () => {};
  });
  expect(told).toMatchObject({ status: 429, code, words, retryAfter_s: 30 });
});

test('a handshake whose connection is closed ends without an error', async () => {
  answer = '';
  const socket = open();
  socket.onerror = () => {};
  expect(
    await new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => resolve({ code, reason: String(reason) });
    }),
  ).toEqual({ code: 1006, reason: '' });
});
