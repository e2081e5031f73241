/** A payment of a day that is killed at a statement is continued to the same result. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { createDayNetwork } from '../../test/support/day-network.ts';
import { createDying, Killed } from '../../test/support/dying-database.ts';
import { sized } from '../../test/support/scale.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { installLedger } from '../ledger/index.ts';
import { settleDue, verifySettlements } from './index.ts';

const STRIDE = sized({ quick: 17, full: 17, soak: 1 });
const EMBEDDED_STRIDE = sized({ quick: 41, full: 41, soak: 1 });
const TIMEOUT_MS = sized({ quick: 600_000, full: 600_000, soak: 7_200_000 });

describe.each(ENGINES)('the payment of a day that is killed, on %s', (engine) => {
  let database: Database;
  let lab: Awaited<ReturnType<typeof createDayNetwork>>;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    lab = await createDayNetwork(database, 1);
  });
  afterAll(() => database.close());

  test('continues to the same result after a kill at any statement', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { clock, deps, useDay, endDay, billsOf, sumsOf } = lab;
    const stride = engine === 'embedded' ? EMBEDDED_STRIDE : STRIDE;
    let tried = 0;
    for (let at = 1, isOver = false; !isOver; at += stride) {
      const day = await useDay([0, 22]);
      await settleDue(deps());
      endDay(day);
      const dying = createDying(database, at, at % 2 === 0, () => true);
      installLedger(dying.database, { clock, masterKey: testMasterKey });
      await settleDue(deps(dying.database)).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      if (dying.count() < at) isOver = true;
      await settleDue(deps());
      const sums = (await sumsOf(day)) as { amount: string }[];
      const bills = await billsOf(day);
      expect(
        bills.map(({ amount }) => amount.replace('-', '')).sort(),
        `killed at statement ${at}`,
      ).toEqual(sums.map(({ amount }) => amount).sort());
      tried++;
    }
    expect(tried).toBeGreaterThan(2);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });
});
