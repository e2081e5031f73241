import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { type Database, transaction } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { assignPositions, deleteOldEvents, recordEvent } from './index.ts';

const clock = createManualClock('2026-03-01T00:00:00Z');

async function readAll(
  database: Database,
): Promise<{ type: string; data: string; position: number | null }[]> {
  const { rows } = await database.query<{ type: string; data: string; position: number | null }>(
    'select type, data, position from event order by id',
  );
  return rows;
}

describe.each(ENGINES)('outbox on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('an event commits or rolls back with its transaction, and keeps its amounts', async () => {
    await expect(
      transaction(database, async (tx) => {
        await recordEvent(tx, clock, { type: 'deposit.orphaned', data: {} });
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    await transaction(database, (tx) =>
      recordEvent(tx, clock, {
        type: 'deposit.credited',
        data: { amount: exactAmount(10n ** 30n + 1n, 18) },
      }),
    );
    expect(await assignPositions(database, clock)).toBe(1);
    expect(await readAll(database)).toEqual([
      {
        type: 'deposit.credited',
        data: '{"amount":1000000000000.000000000000000001}',
        position: 1,
      },
    ]);
    expect(await assignPositions(database, clock)).toBe(0);
  });

  test('a transaction that commits late gets a late position', async () => {
    if (engine === 'embedded') return; // One connection: no two transactions overlap.
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let written = (): void => {};
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const late = transaction(database, async (tx) => {
      await recordEvent(tx, clock, { type: 'deposit.confirming', data: {} });
      written();
      await gate;
    });
    await isWritten;
    await transaction(database, (tx) =>
      recordEvent(tx, clock, { type: 'deposit.on_hold', data: {} }),
    );
    await assignPositions(database, clock);
    release();
    await late;
    await assignPositions(database, clock);
    const positions = Object.fromEntries(
      (await readAll(database)).map((row) => [row.type, row.position]),
    );
    expect(positions).toMatchObject({ 'deposit.on_hold': 2, 'deposit.confirming': 3 });
  });

  test('parallel assigners assign every position once', async () => {
    const before = (await readAll(database)).length;
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        await transaction(database, (tx) =>
          recordEvent(tx, clock, { type: 'deposit.rejected', data: {} }),
        );
        await assignPositions(database, clock);
      }),
    );
    await assignPositions(database, clock);
    const positions = (await readAll(database))
      .map((row) => row.position)
      .sort((a, b) => (a ?? 0) - (b ?? 0));
    expect(positions).toEqual(Array.from({ length: before + 40 }, (_, i) => i + 1));
  });

  test('old events are deleted, and the last deleted position is stored', async () => {
    const count = (await readAll(database)).length;
    clock.advance(7 * 86_400_000 + 1);
    await transaction(database, (tx) =>
      recordEvent(tx, clock, { type: 'deposit.reversed', data: {} }),
    );
    await assignPositions(database, clock);
    expect(await deleteOldEvents(database, clock)).toBe(count);
    expect(await readAll(database)).toMatchObject([
      { type: 'deposit.reversed', position: count + 1 },
    ]);
    const { rows } = await database.query(
      'select last_position, deleted_position from event_counter',
    );
    expect(rows).toEqual([{ last_position: count + 1, deleted_position: count }]);
  });

  test('an event of an instance whose clock is ahead gets the time of its position', async () => {
    const later = (seconds: number) =>
      createManualClock(new Date(clock.now().getTime() + seconds * 1000).toISOString());
    const [ahead, nearly] = [later(3 * 86_400), later(30)];
    for (const itsClock of [ahead, nearly])
      await transaction(database, (tx) =>
        recordEvent(tx, itsClock, { type: 'deposit.unsupported', data: {} }),
      );
    await assignPositions(database, clock);
    const { rows } = await database.query(
      "select created_at from event where type = 'deposit.unsupported' order by position",
    );
    expect(rows).toEqual([{ created_at: clock.now() }, { created_at: nearly.now() }]);
  });
});
