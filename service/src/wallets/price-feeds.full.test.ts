/** The price feed with the real client, against servers on this machine. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { createOutgoing } from '../http/index.ts';
import { findCurrency } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { listPriceFeeds, listPrices, putPriceFeed, refreshPrices } from './index.ts';

const clock = createManualClock('2026-11-10T12:00:00Z');
const outgoing = createOutgoing({ allowsLoopback: true });
const ANSWER = '{"last":"3012.123456789012345678"}';
const PATHS = ['good', 'slow', 'broken', 'redirect', 'huge', 'cut', 'error', 'never'] as const;
let database: Database;
let server: http.Server;
let asked: string[] = [];

function answer(path: string, response: http.ServerResponse): void {
  if (path === '/good') response.end(ANSWER);
  else if (path === '/slow')
    response.write(ANSWER.slice(0, 9), () => setImmediate(() => response.end(ANSWER.slice(9))));
  else if (path === '/broken') response.end(ANSWER.slice(0, -2));
  else if (path === '/redirect') response.writeHead(302, { location: '/good' }).end();
  else if (path === '/huge') response.end(`{"last":1,"more":"${'x'.repeat(70_000)}"}`);
  else if (path === '/cut')
    response.writeHead(200, { 'content-length': '100' }).write(ANSWER, () => response.destroy());
  else if (path === '/error') response.writeHead(500).end(ANSWER);
}

beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  database = await openTestDatabase('embedded');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [currency, quoteCurrency] = [
    await findCurrency(database, 'ETH'),
    await findCurrency(database, 'USDT'),
  ];
  if (!currency || !quoteCurrency) throw new Error('the currencies are missing');
  for (const name of PATHS)
    await putPriceFeed(database, clock, outgoing, {
      name,
      url: `${base}/${name}`,
      pointer: '/last',
      currency,
      quoteCurrency,
      every_s: 60,
    });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database.close();
});

test('an answer of a server is a price, or a reason why there is none', async () => {
  await refreshPrices(database, clock, outgoing);
  const feeds = await listPriceFeeds(database);
  expect(Object.fromEntries(feeds.map((feed) => [feed.name, feed.lastError]))).toEqual({
    good: null,
    slow: null,
    broken: 'the answer is not JSON',
    redirect: 'answered 302; redirects are not followed',
    huge: 'the answer is larger than 65536 bytes',
    cut: expect.stringMatching(/connection/),
    error: 'the answer has the status 500',
    never: 'no answer within 5000 ms',
  });
  expect(asked.filter((path) => path === '/good')).toHaveLength(1);
  expect(feeds.find((feed) => feed.name === 'never')?.lastSuccessAt).toBeNull();
  expect(await listPrices(database)).toMatchObject([
    { currency: 'ETH', quoteCurrency: 'USDT', pricedAt: clock.now() },
  ]);
});

test('a feed is fetched when due; without its server the last price stays', async () => {
  const before = await listPrices(database);
  asked = [];
  clock.advance(59_000);
  await refreshPrices(database, clock, outgoing);
  expect(asked).toEqual([]);
  server.closeAllConnections();
  server.close();
  clock.advance(1000);
  await refreshPrices(database, clock, outgoing);
  const errors = (await listPriceFeeds(database)).map((feed) => feed.lastError);
  expect(errors).toEqual(errors.map(() => expect.stringMatching(/^the connection failed/)));
  expect(await listPrices(database)).toEqual(before);
});
