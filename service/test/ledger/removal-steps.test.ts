/** A removal of a month by small steps, which continue where the one before ended. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryNamed } from '../../src/db/index.ts';
import { createOutgoing } from '../../src/http/index.ts';
import { createArchiver } from '../../src/ledger/archive/archive-periods.ts';
import { measureArchiveLag } from '../../src/ledger/archive/archived-months.ts';
import {
  createLedgerJobs,
  entriesAfter,
  installLedger,
  verifyLedger,
} from '../../src/ledger/index.ts';
import { measureWaiting } from '../../src/ledger/removal/next-month.ts';
import { packPeople } from '../../src/ledger/removal/pack-wallets.ts';
import { type RemoveMonths, removeMonths } from '../../src/ledger/removal/remove-months.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { testMasterKey } from '../support/test-config.ts';
import { type MonthsLedger, openMonthsLedger, readAll } from './months-fixture.ts';

const MARCH = { first: '2026-03-01', next: '2026-04-01' };

interface Removal {
  readonly at_wallet: number;
  readonly at_position: number;
  readonly entries: number;
  readonly checked_until: string | null;
  readonly is_checked: boolean;
  readonly is_removed: boolean;
}

describe.each(RUN_ENGINES)('steps of a removal on %s', (engine) => {
  let ledger: MonthsLedger;
  let before: string[];
  let remove: (others?: Partial<RemoveMonths>) => Promise<void>;
  beforeAll(async () => {
    ledger = await openMonthsLedger(engine);
    ledger.clock.set(new Date('2026-06-02T00:00:00Z'));
    before = await readAll(ledger);
    remove = (others = {}) =>
      removeMonths({
        ...{ database: ledger.database, place: ledger.place, keptMonths: 2 },
        namedSince: () => Promise.resolve(undefined),
        ...others,
      });
  });
  afterAll(async () => {
    await ledger.database.close();
    rmSync(ledger.directory, { recursive: true });
  });

  const read = async (): Promise<Removal | undefined> =>
    (
      await ledger.database.query<Removal>(
        `select at_wallet, at_position, entries, checked_until::text,
            checked_at is not null as is_checked, removed_at is not null as is_removed
          from ledger_removal`,
      )
    ).rows[0];

  /** Counts runs until `isDone`, on a clock that advances by 13 s whenever it is read. */
  async function runShortly(isDone: (removal: Removal | undefined) => boolean): Promise<number> {
    const { database, clock } = ledger;
    const fast = {
      now: () => {
        clock.advance(13_000);
        return clock.now();
      },
    };
    installLedger(database, { clock: fast, masterKey: testMasterKey });
    let runs = 0;
    for (; !isDone(await read()); runs++) await remove({ atOnce: { wallets: 1, positions: 50 } });
    installLedger(database, { clock, masterKey: testMasterKey });
    return runs;
  }

  test('it is measured how long a month has waited', async () => {
    const { database } = ledger;
    // Until 1 June; the clock is at 2 June.
    expect(await measureWaiting(database, 2)).toBe(86_400);
    expect(await measureWaiting(database, 3)).toBe(0);
  });

  test('a month that is over waits until every file of it is archived', async () => {
    const { database, place } = ledger;
    const { signal } = new AbortController();
    expect(await measureArchiveLag(database)).toBe(62 * 86_400);
    await expect(createArchiver(database, `${place}/gone`)(signal)).rejects.toThrow();
    expect(await measureArchiveLag(database)).toBe(62 * 86_400);
    for (let run = 0; run < 2; run++) await createArchiver(database, place)(signal);
    const { rows } = await database.query('select month::text from ledger_archived order by month');
    expect(rows).toEqual([{ month: '2026-03-01' }, { month: '2026-04-01' }]);
    // May is over since yesterday, and no head covers all of it.
    expect(await measureArchiveLag(database)).toBe(86_400);
  });

  test('files that were compared are not read again', async () => {
    const [first = '', second = ''] = readdirSync(ledger.directory).sort();
    const path = (name: string): string => join(ledger.directory, name);
    renameSync(path(second), path('second'));
    await expect(remove()).rejects.toThrow(`${second}: is missing`);
    expect(await read()).toMatchObject({
      ...{ checked_until: first.slice('ledger-'.length, -'.parquet'.length), is_checked: false },
    });
    renameSync(path('second'), path(second));
    renameSync(path(first), path('first'));
    // A run ends after about a minute, also between two files.
    expect(await runShortly((removal) => removal?.is_checked === true)).toBeGreaterThan(1);
    renameSync(path('first'), path(first));
  });

  /** All bills of people by pages, with something done after each. */
  async function readPages(size: number, between: () => Promise<unknown>): Promise<string[]> {
    const seen: string[] = [];
    for (let place = { wallet: 0, position: 0 }; ; ) {
      const { rows } = await queryNamed<{ wallet_id: number; position: number }>(
        ledger.database,
        `select wallet_id, position
          from ${entriesAfter(':wallet::bigint', ':position::bigint', size)} e
          order by wallet_id, position`,
        place,
      );
      const last = rows.at(-1);
      if (!last) return seen;
      seen.push(...rows.map(({ wallet_id, position }) => `${wallet_id}/${position}`));
      place = { wallet: last.wallet_id, position: last.position };
      await between();
    }
  }

  test('pages of bills lose none and repeat none while they are packed', async () => {
    const { database, clock } = ledger;
    const { rows } = await database.query<{ bill: string }>(
      `select wallet_id || '/' || position as bill from entry where wallet_id > 0
        order by wallet_id, position`,
    );
    const all = rows.map(({ bill }) => bill);
    const single = { database, now: clock.now(), atOnce: { wallets: 1, positions: 3 } };
    for (const size of [7, 50, 2]) {
      let left = 4;
      const pack = async (): Promise<unknown> => left-- > 0 && packPeople(single, MARCH);
      expect(await readPages(size, pack)).toEqual(all);
    }
  });

  test('a step takes a part of a wallet that has many entries', async () => {
    const { database, clock } = ledger;
    const places: Removal[] = [];
    const step = { database, now: clock.now(), atOnce: { wallets: 100, positions: 20 } };
    while (await packPeople(step, MARCH)) places.push((await read()) as Removal);
    const steps = places.map(({ entries }, n) => entries - (places[n - 1]?.entries ?? 0));
    expect(Math.max(...steps.slice(1))).toBeLessThanOrEqual(20);
    expect(places.filter(({ at_position }) => at_position > 0).length).toBeGreaterThan(5);
    expect(await readAll(ledger)).toEqual(before);
  });

  test('runs of a minute remove the month, one after the other', async () => {
    const jobs = createLedgerJobs(
      ledger.database,
      createOutgoing({ allowsLoopback: false }),
      { LEDGER_ARCHIVE_TO: ledger.place, LEDGER_KEPT_MONTHS: 2 },
      () => Promise.resolve(undefined),
    );
    expect(jobs.find(({ name }) => name === 'remove-archived-bills')?.every_ms).toBe(60_000);
    expect(await runShortly((removal) => removal?.is_removed === true)).toBeGreaterThan(1);
    expect(await readAll(ledger)).toEqual(before);
    expect((await verifyLedger(ledger.database)).findings).toEqual([]);
  });

  test('a page that begins behind the last pack of a wallet has those of the next', async () => {
    const { database, clock } = ledger;
    const all = await readPages(5000, () => Promise.resolve());
    clock.set(new Date('2026-09-02T00:00:00Z'));
    await remove();
    expect(await measureWaiting(database, 2)).toBe(0);
    const { rows } = await database.query(
      `select from ledger_removal where removed_at is not null`,
    );
    expect(rows.length).toBe(4);
    for (const size of [1, 2, 3])
      expect(await readPages(size, () => Promise.resolve())).toEqual(all);
  });
});
