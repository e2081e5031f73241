import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import {
  type EventReader,
  type ReceivedEvent,
  readEvents,
} from '../../test/support/event-stream.ts';
import { NO_POSTINGS } from '../../test/support/no-postings.ts';
import { sized } from '../../test/support/scale.ts';
import { bearer, createTestServer } from '../../test/support/test-server.ts';
import { type Database, transaction } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { systemClock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { assignPositions, EventHub, recordEvent, recordEvents, registerEvents } from './index.ts';

const CUTS = sized({ quick: 25, full: 25, soak: 100 });

interface Node {
  readonly app: HttpServer;
  readonly hub: EventHub;
  readonly url: string;
}

/** A reproducible random number below `n`. */
function createRandom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

async function nextOf(reader: EventReader): Promise<ReceivedEvent> {
  const event = await reader.next();
  if (!event) throw new Error('the stream ended');
  return event;
}

describe.each(ENGINES)('event streams on %s', (engine) => {
  let database: Database;
  const nodes: Node[] = [];
  const revoked = new Set<string>();
  const person = (userId: number, claims = {}) =>
    bearer({ userId, scopes: ['account:read'], ...claims });

  async function record(userId: number | undefined, n: number): Promise<void> {
    await transaction(database, (tx) =>
      recordEvent(tx, systemClock, {
        ...(userId === undefined ? { isBroadcast: true } : { userId }),
        type: 'wallet.changed',
        data: { n },
      }),
    );
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    for (const _ of [1, 2]) {
      const app = createTestServer();
      const getRevocationReason = ({ jti }: { jti: string }): string | undefined =>
        revoked.has(jti) ? 'logged_out' : undefined;
      const hub = new EventHub({
        database,
        clock: systemClock,
        postings: NO_POSTINGS,
        getRevocationReason,
        onError: console.error,
      });
      registerEvents(app, { db: database, hub });
      await hub.start();
      nodes.push({
        app,
        hub,
        url: `${await app.listen({ port: 0, host: '127.0.0.1' })}/me/events`,
      });
    }
  });
  afterAll(async () => {
    for (const { app } of nodes) await app.close();
    await database.close();
  });
  const urlOf = (index: number): string => nodes[index]?.url ?? '';

  test('shows events of its owner on any instance, and none of other users', async () => {
    const readers = await Promise.all([0, 1].map((index) => readEvents(urlOf(index), person(1))));
    for (const reader of readers)
      expect(await nextOf(reader)).toMatchObject({ event: 'ready', id: 0 });
    await record(2, 1);
    await record(1, 2);
    await record(undefined, 3);
    await transaction(database, (tx) =>
      recordEvent(tx, systemClock, { userId: 1, type: 'device.registered', data: {} }),
    );
    await transaction(database, (tx) =>
      recordEvent(tx, systemClock, { type: 'withdrawal.held', data: {} }),
    );
    await record(1, 4);
    await assignPositions(database, systemClock);
    for (const reader of readers) {
      const seen = [await nextOf(reader), await nextOf(reader), await nextOf(reader)];
      expect(seen.map(({ id, data }) => [id, (data as { data: { n: number } }).data.n])).toEqual([
        [2, 2],
        [3, 3],
        [6, 4],
      ]);
      expect(seen[0]).toMatchObject({
        event: 'wallet.changed',
        data: { type: 'wallet.changed', timestamp: expect.stringMatching(/Z$/) },
      });
      reader.cut();
    }
  });

  test('amounts can be asked for as strings', async () => {
    const reader = await readEvents(urlOf(0), { ...person(3), prefer: 'amounts=string' });
    await nextOf(reader);
    await transaction(database, (tx) =>
      recordEvent(tx, systemClock, {
        userId: 3,
        type: 'wallet.changed',
        data: { amount: exactAmount(1n, 18) },
      }),
    );
    await assignPositions(database, systemClock);
    expect(await nextOf(reader)).toMatchObject({
      data: { data: { amount: '0.000000000000000001' } },
    });
    reader.cut();
  });

  test('a user gets events of the two wallets, never of further ones', async () => {
    const reader = await readEvents(urlOf(0), person(26));
    await nextOf(reader);
    for (const wallets of [['savings'], ['asset', 'savings'], ['bonus']])
      await transaction(database, (tx) =>
        recordEvent(tx, systemClock, { userId: 26, type: 'wallet.changed', data: { wallets } }),
      );
    await assignPositions(database, systemClock);
    expect(await nextOf(reader)).toMatchObject({ data: { data: { wallets: ['asset'] } } });
    expect(await nextOf(reader)).toMatchObject({ data: { data: { wallets: ['bonus'] } } });
    reader.cut();
  });

  test(`a stream cut ${CUTS} times, between two instances, loses and repeats nothing`, async () => {
    const random = createRandom(7);
    const total = CUTS * 4;
    const write = async (): Promise<void> => {
      for (let n = 0; n < total; ) {
        const mine = Array.from({ length: Math.min(1 + random(5), total - n) }, () => ({
          userId: 10,
          type: 'wallet.changed' as const,
          data: { n: n++ },
        }));
        await transaction(database, (tx) =>
          recordEvents(tx, systemClock, [
            { userId: 11, type: 'wallet.changed', data: { n: -1 } },
            ...mine,
          ]),
        );
        if (random(2) === 0) await assignPositions(database, systemClock);
      }
      await assignPositions(database, systemClock);
    };
    const received: number[] = [];
    let last = 0;
    let cuts = 0;
    const read = async (): Promise<void> => {
      for (; received.length < total; cuts++) {
        const reader = await readEvents(urlOf(random(2)), person(10), last);
        for (let left = 1 + random(4); left > 0 && received.length < total; ) {
          const event = await nextOf(reader);
          if (event.id !== undefined) last = event.id;
          if (event.event !== 'wallet.changed') continue;
          received.push((event.data as { data: { n: number } }).data.n);
          left--;
        }
        reader.cut();
      }
    };
    await Promise.all([write(), read()]);
    expect(cuts).toBeGreaterThanOrEqual(CUTS);
    // The broadcast of an earlier test reaches all users.
    expect(received).toEqual([3, ...Array.from({ length: total - 1 }, (_, n) => n)]);
  });

  test('an id that is no longer kept, or never existed, causes a reset', async () => {
    await database.query('update event_counter set deleted_position = 3');
    for (const id of [0, 2, 1_000_000]) {
      const reader = await readEvents(urlOf(0), person(1), id);
      const { rows } = await database.query<{ last_position: number }>(
        'select last_position from event_counter',
      );
      expect(await nextOf(reader)).toMatchObject({
        event: 'reset',
        id: rows[0]?.last_position,
        data: { reason: id > 100_000 ? 'unknown_event_id' : 'events_no_longer_kept' },
      });
      reader.cut();
    }
    const reader = await readEvents(urlOf(0), person(1), 3);
    expect(await nextOf(reader)).toMatchObject({ event: 'ready', id: 3 });
    expect(await nextOf(reader)).toMatchObject({ event: 'wallet.changed', id: 6 });
    reader.cut();
  });

  test('ends with the reason when the token is revoked or expires', async () => {
    const first = await readEvents(urlOf(0), person(1, { jti: 'gone' }));
    await nextOf(first);
    revoked.add('gone');
    nodes[0]?.hub.closeRevokedStreams();
    expect(await nextOf(first)).toMatchObject({ event: 'closed', data: { reason: 'logged_out' } });
    expect(await first.next()).toBeUndefined();
    const second = await readEvents(urlOf(0), person(1, { expiresAt: '2020-01-01T00:00:00Z' }));
    // A sweep that comes before the stream is ready ends it then.
    const told: ReceivedEvent[] = [];
    for (let event = await second.next(); event; event = await second.next()) told.push(event);
    expect(told.at(-1)).toMatchObject({ event: 'closed', data: { reason: 'token_expired' } });
  });

  test('requires a token and a valid id, and allows at most twenty streams', async () => {
    expect((await fetch(urlOf(0))).status).toBe(401);
    expect(
      (await fetch(urlOf(0), { headers: bearer({ tokenUse: 'operator', scopes: [] }) })).status,
    ).toBe(403);
    for (const id of ['abc', '-1', '1e3', '9'.repeat(20)])
      expect(
        (await fetch(urlOf(0), { headers: { ...person(1), 'last-event-id': id } })).status,
      ).toBe(400);
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => readEvents(urlOf(1), person(50))),
    );
    expect((await fetch(urlOf(1), { headers: person(50) })).status).toBe(429);
    for (const reader of readers) reader.cut();
  });
});
