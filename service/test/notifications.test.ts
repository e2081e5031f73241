/** Two instances under load: how many notifications reach those that listen. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openServer, transaction } from '../src/db/index.ts';
import { assignPositions, recordEvent } from '../src/events/index.ts';
import { revoke } from '../src/identity/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { sendMail } from '../src/mail/index.ts';
import { createServerDatabase } from './support/databases.ts';

/** `ANNOUNCE_EVERY_MS`, less what a timer may be early. */
const EVERY_MS = 98;
const CHANNELS = ['mail', 'token_revocation', 'events'] as const;
const TRANSACTIONS = 1500;
const AT_ONCE = 16;

let instances: Database[];
let listener: pg.Client;
const heard = new Map<string, number>();

beforeAll(async () => {
  const url = await createServerDatabase();
  const open = () => openServer({ url, poolSize: 8, onError: () => {} });
  instances = [await open(), await open()];
  listener = new pg.Client({ connectionString: url });
  listener.on('notification', ({ channel }) => heard.set(channel, (heard.get(channel) ?? 0) + 1));
  await listener.connect();
  for (const channel of CHANNELS) await listener.query(`listen ${channel}`);
});
afterAll(async () => {
  await listener.end();
  for (const database of instances) await database.close();
});

/** A registration in short: a mail, a revocation, an event, all of them committed at once. */
async function change(database: Database, n: number): Promise<void> {
  const until = new Date(Date.now() + 60_000);
  await transaction(database, async (tx) => {
    await sendMail(tx, systemClock, { to: `${n}@example.org`, subject: 'x', text: 'x' });
    const revocation = { kind: 'jti', value: `jti ${n}`, reason: 'logout', until } as const;
    await revoke(tx, systemClock, revocation);
    await recordEvent(tx, systemClock, { type: 'deposit.orphaned', data: {} });
  });
  await assignPositions(database, systemClock);
}

test('an instance notifies a channel once in 100 ms, however much changes', async () => {
  const startedAt_ms = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      const database = instances[worker % 2] as Database;
      while (next < TRANSACTIONS) await change(database, next++);
    }),
  );
  await expect.poll(() => CHANNELS.filter((channel) => !heard.has(channel))).toEqual([]);
  const elapsed_ms = performance.now() - startedAt_ms;
  const most = instances.length * (Math.floor(elapsed_ms / EVERY_MS) + 2);
  for (const channel of CHANNELS) expect(heard.get(channel)).toBeLessThanOrEqual(most);
  // One notification for each transaction would be too many.
  expect(most).toBeLessThan(TRANSACTIONS);
});
