import { expect, test } from 'vitest';
import { findMailSource } from './mail-source.ts';
import { isLoopback, toNetwork } from './networks.ts';

const shared = new Set(['gmail.com', 'outlook.com']);

test.each([
  ['ann@shop.example.co.uk', 'example.co.uk'],
  ['ann@a1.b2.example.com', 'example.com'],
  ['ann@example.com', 'example.com'],
  ['ann@intranet', 'intranet'],
  ['a.n.n+7@gmail.com', 'ann@gmail.com'],
  ['a.nn+7@outlook.com', 'a.nn@outlook.com'],
  ['ann@mail.outlook.com', 'outlook.com'],
])('%s is given out by %s', (email, source) => {
  expect(findMailSource(email, shared)).toBe(source);
});

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
  ['not an address', 'not an address'],
])('%s is of the network %s', (ip, network) => {
  expect(toNetwork(ip)).toBe(network);
});

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['not an address', false],
])('%s is this machine: %s', (ip, expected) => {
  expect(isLoopback(ip)).toBe(expected);
});
