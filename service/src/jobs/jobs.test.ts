import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerDatabase, ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { type Database, openServer, transaction } from '../db/index.ts';
import { createJobRunner } from './index.ts';

/** Too long to elapse in a test: runs are caused by notifications. */
const NEVER_MS = 1_000_000;

describe.each(ENGINES)('jobs on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('a notification wakes a job; wakes during a run cause one more run', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    let release: () => void = () => {};
    let started: () => void = () => {};
    const firstStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const run = async (): Promise<void> => {
      running++;
      most = Math.max(most, running);
      started();
      if (runs === 0) await gate;
      runs++;
      running--;
    };
    const runner = createJobRunner(
      database,
      [{ name: 'probe', every_ms: NEVER_MS, isExclusive: false, wakeOn: ['probe'], run }],
      () => {},
    );
    await runner.start();
    await database.query("select pg_notify('probe', '')");
    await firstStarted;
    await database.query("select pg_notify('probe', '')");
    await database.query("select pg_notify('probe', '')");
    release();
    await expect.poll(() => runs).toBeGreaterThanOrEqual(2);
    await runner.stop();
    expect(most).toBe(1);
    const after = runs;
    await database.query("select pg_notify('probe', '')");
    expect(runs).toBe(after);
  });

  test('a failing job is reported and runs again', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const run = async (): Promise<void> => {
      runs++;
      throw new Error('a fault');
    };
    const runner = createJobRunner(
      database,
      [{ name: 'failing', every_ms: NEVER_MS, wakeOn: ['failing'], run }],
      (_name, error) => errors.push(error),
    );
    await runner.start();
    await database.query("select pg_notify('failing', '')");
    await expect.poll(() => errors.length).toBe(1);
    await database.query("select pg_notify('failing', '')");
    await expect.poll(() => runs).toBe(2);
    await runner.stop();
  });

  test('what a job changes is in the audit log under its name', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const run = (): Promise<void> =>
      transaction(database, async (tx) => {
        // As on one snapshot: the name takes none.
        await tx.query('set transaction isolation level repeatable read');
        await tx.query(`insert into payout_stop (currency, reason, stopped_by, stopped_at)
          values ('AAA', 'test', 'test', now())`);
        tx.afterCommit(() => runs++);
      });
    const runner = createJobRunner(
      database,
      [{ name: 'named', every_ms: NEVER_MS, wakeOn: ['named'], run }],
      (_name, error) => errors.push(error),
    );
    await runner.start();
    await database.query("select pg_notify('named', '')");
    await expect.poll(() => runs + errors.length).toBe(1);
    await runner.stop();
    expect(errors).toEqual([]);
    const { rows } = await database.query<object>(
      `select actor_kind, actor_id, subject_kind from audit_entry where subject_id = 'AAA'`,
    );
    expect(rows).toEqual([
      { actor_kind: 'service', actor_id: 'job named', subject_kind: 'payout-stops' },
    ]);
  });

  test('long jobs wait for each other, and a short one that becomes due for none', async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let [running, most, ended, runs] = [0, 0, 0, 0];
    const errors: unknown[] = [];
    const long = Array.from({ length: 12 }, (_, n) => ({
      ...{ name: `long ${n}`, every_ms: NEVER_MS, isLong: true, wakeOn: ['long'] },
      async run() {
        most = Math.max(most, ++running);
        await gate;
        running--;
        ended++;
      },
    }));
    const short = {
      ...{ name: 'short', every_ms: NEVER_MS, wakeOn: ['short'] },
      run: async () => runs++,
    };
    const runner = createJobRunner(database, [...long, short], (_, error) => errors.push(error));
    await runner.start();
    await database.query("select pg_notify('long', '')");
    await expect.poll(() => running).toBeGreaterThan(0);
    await database.query("select pg_notify('short', '')");
    await expect.poll(() => runs).toBe(1);
    expect(ended).toBe(0);
    release();
    await expect.poll(() => ended).toBe(long.length);
    await runner.stop();
    expect(errors).toEqual([]);
    expect(most).toBeLessThan(long.length / 2);
  });

  test('a job without work takes no lock; its run counts as a success', async () => {
    const locks: string[] = [];
    const watched: Database = {
      ...database,
      tryLock: (name) => {
        locks.push(name);
        return database.tryLock(name);
      },
    };
    let [isThere, runs, successes] = [false, 0, 0];
    const job = {
      name: 'idle',
      every_ms: NEVER_MS,
      wakeOn: ['idle'],
      hasWork: async () => isThere,
      run: async () => runs++,
    };
    const observer = { onSuccess: () => successes++, onFailure: () => {} };
    const runner = createJobRunner(watched, [job], () => {}, observer);
    await runner.start();
    await database.query("select pg_notify('idle', '')");
    await expect.poll(() => successes).toBe(1);
    expect({ locks, runs }).toEqual({ locks: [], runs: 0 });
    isThere = true;
    await database.query("select pg_notify('idle', '')");
    await expect.poll(() => successes).toBe(2);
    expect({ locks, runs }).toEqual({ locks: ['job idle'], runs: 1 });
    await runner.stop();
  });

  // The embedded database has one process, so there is no second instance.
  if (engine === 'server')
    test('an exclusive job runs on one instance at a time', async () => {
      let running = 0;
      let most = 0;
      let runs = 0;
      const run = async (): Promise<void> => {
        running++;
        most = Math.max(most, running);
        await database.query('select pg_sleep(0.02)');
        runs++;
        running--;
      };
      const nodes = [1, 2, 3].map(() =>
        createJobRunner(
          database,
          [{ name: 'exclusive', every_ms: NEVER_MS, wakeOn: ['exclusive'], run }],
          () => {},
        ),
      );
      for (const node of nodes) await node.start();
      for (let i = 0; i < 5; i++) await database.query("select pg_notify('exclusive', '')");
      await expect.poll(() => runs).toBeGreaterThan(0);
      for (const node of nodes) await node.stop();
      expect(most).toBe(1);
    });

  if (engine === 'server')
    test('two processes with few connections keep their jobs apart, and still answer', async () => {
      const url = await createServerDatabase();
      const errors: unknown[] = [];
      const onError = (error: unknown): number => errors.push(error);
      const processes = await Promise.all(
        [1, 2].map(() => openServer({ url, poolSize: 4, onError })),
      );
      let most = 0;
      const runs = new Map<string, number>();
      const under = new Map<string, number>();
      const jobsOf = (node: Database) =>
        Array.from({ length: 8 }, (_, n) => ({
          name: `job ${n}`,
          every_ms: NEVER_MS,
          wakeOn: ['work'],
          async run() {
            const now = (under.get(`${n}`) ?? 0) + 1;
            under.set(`${n}`, now);
            most = Math.max(most, now);
            await node.query('select pg_sleep(0.01)');
            runs.set(`${n}`, (runs.get(`${n}`) ?? 0) + 1);
            under.set(`${n}`, now - 1);
          },
        }));
      const runners = processes.map((node) =>
        createJobRunner(node, jobsOf(node), (_job, error) => errors.push(error)),
      );
      for (const runner of runners) await runner.start();
      await database.query('select 1');
      for (let i = 0; i < 5; i++) {
        await processes[0]?.query("select pg_notify('work', '')");
        await Promise.all(processes.map((node) => node.query('select 1')));
      }
      await expect.poll(() => runs.size).toBe(8);
      for (const runner of runners) await runner.stop();
      expect({ most, errors }).toEqual({ most: 1, errors: [] });
      for (const node of processes) await node.close();
    });
});
