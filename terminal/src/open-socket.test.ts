import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSocket } from './open-socket.ts';

let answer = '';
const server = createServer().on('upgrade', (_request, socket) => socket.end(answer));
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

const refusal = (body: string): string => `HTTP/1.1 429 Too Many Requests\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;

test.each([
  [refusal('{"code":"connection_limit","detail":"The limit of your live connections is reached: 2."}'), 'The limit of your live connections is reached: 2'],
  [refusal('{"code":"rate_limited","title":"Too many requests"}'), 'Too many requests'],
  [refusal('<html>'), ''],
  [refusal('null'), ''],
  ['', ''],
])('a handshake that is refused ends with its reason: %j', async (given, reason) => {
  answer = given;
  const socket = openSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, {});
  socket.onerror = () => {};
  const closed = await new Promise((resolve) => {
    socket.onclose = ({ code, reason: told }) => resolve({ code, reason: String(told) });
  });
  expect(closed).toEqual({ code: 1006, reason });
});
