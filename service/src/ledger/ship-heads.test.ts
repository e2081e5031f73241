import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import type { Outgoing } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { installLedger, listHeads, signDailyHead } from './index.ts';
import { createHeadShipper } from './ship-heads.ts';

const DAY_MS = 86_400_000;
const clock = createManualClock('2026-11-10T00:10:00Z');
const folder = mkdtempSync(join(tmpdir(), 'edge-account-heads-'));
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('server');
  installLedger(database, { clock, masterKey: testMasterKey });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function signNextDay(): Promise<void> {
  clock.advance(DAY_MS);
  await signDailyHead(database);
}

/** Takes requests while `isUp`, and each key once. */
function createPlace() {
  const place = { isUp: true, bodies: [] as string[] };
  const kept = new Set<unknown>();
  const outgoing: Outgoing = {
    checkUrl: () => {},
    send: async ({ body = '', headers = {} }) => {
      const answer = (status: number) => ({ status, headers: {}, body: Buffer.of(), text: '' });
      if (!place.isUp) return answer(503);
      if (kept.has(headers['idempotency-key'])) return answer(409);
      kept.add(headers['idempotency-key']);
      place.bodies.push(String(body));
      return answer(204);
    },
  };
  return { place, outgoing };
}

test('each head becomes a file, once, and a copy is never changed', async () => {
  const { outgoing } = createPlace();
  const directory = join(folder, 'heads');
  await signNextDay();
  await signNextDay();
  const ship = createHeadShipper(database, outgoing, pathToFileURL(directory).href);
  await expect(ship()).rejects.toThrow('does not exist');
  mkdirSync(directory);
  await ship();
  const names = ['ledger-head-2026-11-10.json', 'ledger-head-2026-11-11.json'];
  expect(readdirSync(directory).sort()).toEqual(names);
  const [head] = await listHeads(database, { limit: 1 });
  const copy = readFileSync(join(directory, names[1] ?? ''), 'utf8');
  expect(JSON.parse(copy)).toEqual(head);
  // Another instance, or the same after a restart.
  await createHeadShipper(database, outgoing, pathToFileURL(directory).href)();
  expect(readFileSync(join(directory, names[1] ?? ''), 'utf8')).toBe(copy);
});

test('older heads are read by the day before which they are', async () => {
  const days = async (range: Parameters<typeof listHeads>[1]) =>
    (await listHeads(database, range)).map(({ day }) => day);
  expect(await days({ limit: 1 })).toEqual(['2026-11-11']);
  expect(await days({ limit: 400, before: '2026-11-11' })).toEqual(['2026-11-10']);
  expect(await days({ limit: 400, from: '2026-11-11' })).toEqual(['2026-11-11']);
  expect(await days({ limit: 400, before: '2026-11-10' })).toEqual([]);
});

test('an address gets each head once, and after an outage those that it missed', async () => {
  const { place, outgoing } = createPlace();
  const ship = createHeadShipper(database, outgoing, 'https://heads.example/');
  await ship();
  expect(place.bodies).toHaveLength(2);
  place.isUp = false;
  await signNextDay();
  await expect(ship()).rejects.toThrow('answered 503');
  await signNextDay();
  await expect(ship()).rejects.toThrow('answered 503');
  place.isUp = true;
  await ship();
  // After a restart.
  await createHeadShipper(database, outgoing, 'https://heads.example/')();
  await signNextDay();
  await ship();
  expect(place.bodies.map((body) => JSON.parse(body).day)).toEqual([
    ...['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14'],
  ]);
});
