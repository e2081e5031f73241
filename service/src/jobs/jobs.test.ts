import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { createJobRunner } from './index.ts';

/** Long enough never to come by itself: runs are caused by notifications. */
const NEVER_MS = 1_000_000;

describe.each(ENGINES)('jobs on %s', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('a notification wakes a job; wakes during a run lead to one more run, never two at once', async () => {
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
    const runner = createJobRunner(database, [{ name: 'probe', every_ms: NEVER_MS, isExclusive: false, wakeOn: 'probe', run }], () => {});
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
    const runner = createJobRunner(database, [{ name: 'failing', every_ms: NEVER_MS, wakeOn: 'failing', run }], (_name, error) => errors.push(error));
    await runner.start();
    await database.query("select pg_notify('failing', '')");
    await expect.poll(() => errors.length).toBe(1);
    await database.query("select pg_notify('failing', '')");
    await expect.poll(() => runs).toBe(2);
    await runner.stop();
  });

  // The embedded database has one process, so there is no second node.
  if (engine === 'server')
    test('an exclusive job runs on one node at a time', async () => {
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
      const nodes = [1, 2, 3].map(() => createJobRunner(database, [{ name: 'exclusive', every_ms: NEVER_MS, wakeOn: 'exclusive', run }], () => {}));
      for (const node of nodes) await node.start();
      for (let i = 0; i < 5; i++) await database.query("select pg_notify('exclusive', '')");
      await expect.poll(() => runs).toBeGreaterThan(0);
      for (const node of nodes) await node.stop();
      expect(most).toBe(1);
    });
});
