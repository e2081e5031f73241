import { installLedger } from '../../service/src/ledger/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { closeMillion, openMillion } from '../community/million.ts';
import { createSeconds, sustain } from '../community/sustain.ts';
import {
  barePurchase,
  insertBuyers,
  purchase,
  startRollUp,
  synchronousPurchase,
} from '../community/write-side.ts';
import { type BenchEntry, round } from '../harness/entry.ts';

const entry: BenchEntry = {
  name: 'purchase',
  summary:
    'a purchase at depth 30 of 1,000,000, counted until every performance above it is ' +
    'right, beside a bare ledger posting',
  unit: 'µs',
  goal: { ratio: 3, is: 'at most' },
  rounds: 1,
  async open() {
    const { database, places } = await openMillion();
    installLedger(database, { clock: systemClock, masterKey: testMasterKey });
    // Many buyers: purchases of one person take turns in every design.
    const buyers = await insertBuyers(database, places.depth30);
    const buyerOf = (n: number): number => buyers[n % buyers.length] ?? 0;
    const seconds = createSeconds();
    return {
      ours: () => {
        const roller = startRollUp(database);
        return sustain(seconds(), (n) => purchase(database, buyerOf(n)), roller.drain);
      },
      anchor: () => sustain(seconds(), () => barePurchase(database)),
      async further() {
        const synchronous = await sustain(Math.min(10, seconds()), (n) =>
          synchronousPurchase(database, buyerOf(n)),
        );
        return { 'every ancestor in the same transaction': `${round(synchronous)} µs` };
      },
      close: async () => closeMillion(),
    };
  },
};

export default entry;
