import { expect, test } from 'vitest';
import { isHandheld, readUserAgent } from './user-agent-text.ts';

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1'],
  ['a phone', 'Mozilla/5.0 (Linux; Android 10; K) Chrome/131.0.0.0 Mobile Safari/537.36'],
  ['a tablet', 'Mozilla/5.0 (Android 15; Tablet; rv:132.0) Gecko/132.0 Firefox/132.0'],
])('%s is held in a hand', (_what, userAgent) => {
  expect(isHandheld(userAgent)).toBe(true);
});

test.each([
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15'],
  ['a terminal', 'edge-terminal/0.1.0 (linux)'],
  ['an unknown program', ''],
])('%s is not', (_what, userAgent) => {
  expect(isHandheld(userAgent)).toBe(false);
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/147.0.0.0 Safari/537.36', 'Chrome on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101', 'Linux'],
  ['edge-terminal/0.1.0 (linux)', 'Edge Terminal'],
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.32 CPython/3.13', 'python-requests'],
  ['node', 'node'],
  ['Mozilla/5.0 (compatible; something)', ''],
  ['<script>alert(1)</script>', ''],
  ['', ''],
])('%s is shown as “%s”', (userAgent, program) => {
  const { browser, os } = readUserAgent(userAgent);
  expect([browser, os].filter(Boolean).join(' on ')).toBe(program);
});
