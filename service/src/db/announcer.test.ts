import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { ANNOUNCE_EVERY_MS, announce } from './announcer.ts';
import { transaction } from './transaction.ts';
import type { Database } from './types.ts';

describe('many announcements', () => {
  let sent: unknown[];
  let database: Database;
  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    database = {
      isTransaction: false,
      prepared: async (_name: string, _text: string, [channel]: readonly unknown[]) => {
        sent.push(channel);
        return { rows: [], rowCount: 0 };
      },
    } as unknown as Database;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('become at most one notification per channel and interval, and none is lost', () => {
    for (let n = 0; n < 1000; n++) announce(database, 'mail');
    expect(sent).toEqual(['mail']);
    vi.advanceTimersByTime(ANNOUNCE_EVERY_MS - 1);
    announce(database, 'mail');
    announce(database, 'other');
    expect(sent).toEqual(['mail', 'other']);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['mail', 'other', 'mail']);
    vi.advanceTimersByTime(10 * ANNOUNCE_EVERY_MS);
    expect(sent).toEqual(['mail', 'other', 'mail']);
    announce(database, 'mail');
    expect(sent).toEqual(['mail', 'other', 'mail', 'mail']);
  });

  test('do not fail the work when a notification fails', async () => {
    const failing = { ...database, prepared: async () => Promise.reject(new Error('gone')) };
    announce(failing as unknown as Database, 'mail');
    await vi.advanceTimersByTimeAsync(ANNOUNCE_EVERY_MS);
  });
});

describe.each(ENGINES)('announcements on %s', (engine) => {
  test('follow the commit, and work that was rolled back has none', async () => {
    const database = await openTestDatabase(engine);
    try {
      const heard: string[] = [];
      for (const channel of ['undone', 'done'])
        await database.listen(channel, () => heard.push(channel));
      const undone = transaction(database, async (tx) => {
        await tx.query('select 1');
        announce(tx, 'undone');
        throw new Error('a fault');
      });
      await expect(undone).rejects.toThrow('a fault');
      await transaction(database, async (tx) => {
        await tx.query('select 1');
        announce(tx, 'done');
      });
      await expect.poll(() => heard).toEqual(['done']);
    } finally {
      await database.close();
    }
  });
});
