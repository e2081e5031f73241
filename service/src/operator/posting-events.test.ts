import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/support/databases.ts';
import {
  gift,
  openPostingLab,
  type PostingLab,
  pay,
  penalty,
  reward,
  take,
} from '../../test/support/posting-fixture.ts';
import { sized } from '../../test/support/scale.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { transaction } from '../db/index.ts';
import { assignPositions, deleteOldEvents, recordEvent } from '../events/index.ts';
import { type Posting, postTransfers } from '../ledger/index.ts';
import { createManualClock, systemClock } from '../lib/clock.ts';

/**
 * Positions that the events of a user must have after one, computed from the postings themselves.
 */
const EXPECTED = `select position from event where user_id = $1 and position > $2
  union all
  select r.position - 2 * (r.first_transfer + r.transfers - (t.id - 1) / 16) + 1 + side
    from event r
    join transfer t on (t.id - 1) % 16 = r.shard
      and (t.id - 1) / 16 between r.first_transfer and r.first_transfer + r.transfers - 1
    cross join generate_series(0, 1) as side
    where r.position > $2 and case side when 0 then t.debit_wallet
      else t.credit_wallet end / 32 = $1
  order by 1`;

/** A reproducible random number below `n`. */
function createRandom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

describe.each(ENGINES)('streams of events of postings on %s', (engine) => {
  let lab: PostingLab;
  beforeAll(async () => {
    lab = await openPostingLab(engine);
  });
  afterAll(() => lab.close());

  test('each user of a posting has a position, and the event is read from it', async () => {
    const [one, two] = [await insertUser(lab.database), await insertUser(lab.database)];
    const readers = [await lab.open(one), await lab.open(two)];
    for (const reader of readers) expect(await reader.next()).toMatchObject({ event: 'ready' });
    const before = await lab.lastPosition();
    const rewards = await lab.post('reward.posted', [
      reward(one, { nodeId: 'n-1', reference: 'r', remark: 'für "dich"\\' }),
      penalty(one),
      reward(two),
    ]);
    await lab.post('wallet.changed', [pay(one, two)]);
    expect(await assignPositions(lab.database, systemClock)).toBe(2);
    expect(await lab.lastPosition()).toBe(before + 8);
    const common = {
      user_id: one,
      currency: 'EDGE',
      business_id: 'reward',
      event_at: '2026-05-01T00:00:00.120Z',
    };
    expect(await take(readers[0], 3)).toEqual([
      {
        id: before + 2,
        event: 'reward.posted',
        data: {
          ...common,
          id: rewards[0],
          amount: 0.5,
          reward_type: 'TASK',
          node_id: 'n-1',
          reference: 'r',
          remark: 'für "dich"\\',
        },
      },
      {
        id: before + 3,
        event: 'reward.posted',
        data: { ...common, id: rewards[1], amount: -0.5, reward_type: 'PENALTY' },
      },
      { id: before + 7, event: 'wallet.changed', data: { wallets: ['asset'] } },
    ]);
    expect(await take(readers[1], 2)).toMatchObject([
      { id: before + 6, event: 'reward.posted', data: { id: rewards[2], user_id: two } },
      { id: before + 8, event: 'wallet.changed', data: { wallets: ['asset'] } },
    ]);
    for (const reader of readers) reader.cut();
  });

  test('a stream resumes within a range, and between the sides of a posting', async () => {
    const one = await insertUser(lab.database);
    const before = await lab.lastPosition();
    const ids = await lab.post('reward.posted', [
      reward(one),
      penalty(one),
      reward(one),
      reward(one),
    ]);
    await assignPositions(lab.database, systemClock);
    const positions = [2, 3, 6, 8].map((n) => before + n);
    const told = ids.map((id, i) => ({ id: positions[i] ?? 0, data: { id } }));
    for (let last = before; last < before + 8; last++) {
      const reader = await lab.open(one, last);
      const rest = told.filter(({ id }) => id > last);
      expect(await take(reader, rest.length)).toMatchObject(rest);
      reader.cut();
    }
  });

  test('both sides of a transfer between two wallets of one user are events', async () => {
    const one = await insertUser(lab.database);
    const before = await lab.lastPosition();
    await lab.post('wallet.changed', [
      gift(one),
      { ...gift(one, 'bonus'), debit: { userId: one, wallet: 'asset' } },
    ]);
    await assignPositions(lab.database, systemClock);
    const reader = await lab.open(one, before);
    expect((await take(reader, 3)).map(({ id, data }) => [id, data])).toEqual([
      [before + 2, { wallets: ['asset'] }],
      [before + 3, { wallets: ['asset'] }],
      [before + 4, { wallets: ['bonus'] }],
    ]);
    reader.cut();
  });

  test('a backlog of many pages is complete and in order', async () => {
    const [one, other] = [await insertUser(lab.database), await insertUser(lab.database)];
    const before = await lab.lastPosition();
    const random = createRandom(3);
    const expected: string[] = [];
    for (let batch = 0; batch < 4; batch++) {
      const wallets = Array.from(
        { length: 400 },
        () => ['asset', 'bonus', 'none'][random(batch + 1)] ?? 'none',
      );
      await lab.post(
        'wallet.changed',
        wallets.map((wallet) => (wallet === 'none' ? gift(other) : gift(one, wallet))),
      );
      expected.push(...wallets.filter((wallet) => wallet !== 'none'));
      await transaction(lab.database, (tx) =>
        recordEvent(tx, systemClock, { userId: one, type: 'device.registered', data: {} }),
      );
      expected.push('device');
      // Entries without an event.
      await postTransfers(lab.database, [gift(one), gift(one, 'bonus')], { atomic: true });
      if (batch % 2 === 0) await assignPositions(lab.database, systemClock);
    }
    await assignPositions(lab.database, systemClock);
    const reader = await lab.open(one, before);
    const events = await take(reader, expected.length);
    expect(
      events.map(({ data }) => (data.wallets as string[] | undefined)?.[0] ?? 'device'),
    ).toEqual(expected);
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    reader.cut();
  });

  test('readers that are cut off at two instances see all events once, in order', async () => {
    const people = [
      await insertUser(lab.database),
      await insertUser(lab.database),
      await insertUser(lab.database),
    ];
    const random = createRandom(11);
    const before = await lab.lastPosition();
    const person = (): number => people[random(people.length)] ?? 0;
    const transfer = (): Posting => {
      const [from, to] = [person(), person()];
      return from === to ? gift(to) : pay(from, to);
    };
    const award = (): Posting => (random(4) === 0 ? penalty(person()) : reward(person()));
    const write = async (): Promise<void> => {
      for (let n = 0; n < sized({ quick: 8, full: 8, soak: 40 }); n++) {
        const [type, make] =
          random(3) === 0
            ? (['wallet.changed', transfer] as const)
            : (['reward.posted', award] as const);
        await lab.post(type, Array.from({ length: 1 + random(6) }, make));
        await transaction(lab.database, (tx) =>
          recordEvent(tx, systemClock, {
            userId: person(),
            type: 'conversion.completed',
            data: {},
          }),
        );
      }
    };
    let isWriting = true;
    const assign = async (): Promise<void> => {
      while (isWriting) await assignPositions(lab.database, systemClock);
      await assignPositions(lab.database, systemClock);
    };
    const expectedOf = async (userId: number): Promise<number[]> =>
      (await lab.database.query<{ position: number }>(EXPECTED, [userId, before])).rows.map(
        ({ position }) => position,
      );
    const read = async (userId: number): Promise<number[]> => {
      const seen: number[] = [];
      for (;;) {
        const wasWriting = isWriting;
        const missing = (await expectedOf(userId)).length - seen.length;
        if (missing <= 0 && !wasWriting) return seen;
        const reader = await lab.open(userId, seen.at(-1) ?? before, random(2));
        for (const { id } of await take(reader, Math.min(Math.max(missing, 0), 1 + random(9))))
          seen.push(id);
        reader.cut();
      }
    };
    const writing = Promise.all([write(), write(), write()]).finally(() => {
      isWriting = false;
    });
    const assigning = assign();
    const reading = people.map(read);
    await Promise.all([writing, assigning]);
    for (const [i, userId] of people.entries()) {
      const expected = await expectedOf(userId);
      expect(expected.length).toBeGreaterThan(10);
      expect(await reading[i]).toEqual(expected);
    }
  });

  test('events are described only for users who have an open stream', async () => {
    const [one, two] = [await insertUser(lab.database), await insertUser(lab.database)];
    // The streams of earlier tests are closed once the server has noticed their ends.
    await expect.poll(() => lab.countStreams()).toBe(0);
    lab.described.length = 0;
    await lab.post('reward.posted', [reward(one)]);
    await assignPositions(lab.database, systemClock);
    expect(lab.described).toEqual([]);
    const reader = await lab.open(two);
    expect(await reader.next()).toMatchObject({ event: 'ready', id: await lab.lastPosition() });
    await lab.post('reward.posted', [reward(one), reward(two)]);
    await assignPositions(lab.database, systemClock);
    expect(await take(reader, 1)).toMatchObject([{ data: { user_id: two } }]);
    expect(lab.described).toEqual([[two]]);
    reader.cut();
  });

  test('a stream that joins while events are described sees each once', async () => {
    const [one, two] = [await insertUser(lab.database), await insertUser(lab.database)];
    const first = await lab.open(one);
    expect(await first.next()).toMatchObject({ event: 'ready' });
    const before = await lab.lastPosition();
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    lab.interrupt(() => {
      begun.resolve();
      return released.promise;
    });
    await lab.post('reward.posted', [reward(one), reward(two)]);
    await assignPositions(lab.database, systemClock);
    await begun.promise;
    const fresh = await lab.open(two);
    expect(await fresh.next()).toMatchObject({ event: 'ready', id: before + 4 });
    const resumed = await lab.open(two, before);
    expect(await take(resumed, 1)).toMatchObject([{ id: before + 4 }]);
    released.resolve();
    await lab.post('reward.posted', [reward(two)]);
    await assignPositions(lab.database, systemClock);
    expect(await take(first, 1)).toMatchObject([{ id: before + 2 }]);
    for (const reader of [fresh, resumed]) {
      expect(await take(reader, 1)).toMatchObject([{ id: before + 6 }]);
      reader.cut();
    }
    first.cut();
  });

  test('events that could not be described are described again', async () => {
    const one = await insertUser(lab.database);
    const reader = await lab.open(one);
    expect(await reader.next()).toMatchObject({ event: 'ready' });
    const before = await lab.lastPosition();
    lab.errors.length = 0;
    lab.interrupt(() => Promise.reject(new Error('planned')));
    await lab.post('reward.posted', [reward(one)]);
    await assignPositions(lab.database, systemClock);
    await expect.poll(() => lab.errors).toEqual([new Error('planned')]);
    await lab.post('reward.posted', [reward(one)]);
    await assignPositions(lab.database, systemClock);
    expect((await take(reader, 2)).map(({ id }) => id)).toEqual([before + 2, before + 4]);
    reader.cut();
  });

  // Last, because it deletes the events of all other tests.
  test('old ranges are deleted as a whole, and the last deleted position is stored', async () => {
    const one = await insertUser(lab.database);
    const clock = createManualClock(new Date().toISOString());
    await lab.post('reward.posted', [reward(one), reward(one)], clock);
    await assignPositions(lab.database, clock);
    const oldest = await lab.lastPosition();
    clock.advance(7 * 86_400_000 + 60_000);
    await lab.post('reward.posted', [reward(one)], clock);
    await assignPositions(lab.database, clock);
    await deleteOldEvents(lab.database, clock);
    const { rows } = await lab.database.query(
      'select deleted_position, (select count(*) from event) as left from event_counter',
    );
    expect(rows).toEqual([{ deleted_position: oldest, left: 1 }]);
    const reset = await lab.open(one, oldest - 1);
    expect(await reset.next()).toMatchObject({
      event: 'reset',
      data: { reason: 'events_no_longer_kept' },
    });
    reset.cut();
  });
});
