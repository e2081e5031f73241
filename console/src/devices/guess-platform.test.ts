import { expect, test } from 'vitest';
import { guessPlatform } from './guess-platform.ts';

const MOZILLA = 'Mozilla/5.0';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const windows = `${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`;
const edge = `${windows} Edg/142.0.0.0`;
const linux = `${MOZILLA} (X11; Linux x86_64) ${CHROME} Safari/537.36`;
const phone = `${MOZILLA} (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`;
const tablet = `${MOZILLA} (Linux; Android 10; K) ${CHROME} Safari/537.36`;
const firefox = `${MOZILLA} (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`;
const safari =
  `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ` +
  'Version/26.0 Safari/605.1.15';

const atDesk = { isTouched: false, hasProgram: false };

test.each([
  ['extension', { windows, edge, linux, phone }],
  ['windows', { firefox }],
  ['unix', { safari }],
] as const)('what is added first: %s', (platform, browsers) => {
  for (const [name, userAgent] of Object.entries(browsers))
    expect(guessPlatform({ ...atDesk, userAgent }), name).toBe(platform);
});

test('who holds a phone or tablet adds a browser on a computer', () => {
  for (const userAgent of [phone, tablet, safari])
    expect(guessPlatform({ ...atDesk, userAgent, isTouched: true })).toBe('extension');
});

test('a program that waits is no extension', () => {
  expect(guessPlatform({ ...atDesk, userAgent: windows, hasProgram: true })).toBe('windows');
  expect(guessPlatform({ userAgent: phone, isTouched: true, hasProgram: true })).toBe('unix');
});
