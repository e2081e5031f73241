import { verifyCommunity } from '../../service/src/community/index.ts';
import { buildClosure } from '../community/anchors.ts';
import { closeMillion, openMillion } from '../community/million.ts';
import { createSeconds, sustain } from '../community/sustain.ts';
import { bareJoin, closureJoin, join, startRollUp } from '../community/write-side.ts';
import { type BenchEntry, round } from '../harness/entry.ts';

const CHAIN_GOAL = 10;

const entry: BenchEntry = {
  name: 'join',
  summary:
    'a join at depth 30 of 1,000,000, counted until every figure above it is right, ' +
    'beside the bare insert of the person',
  unit: 'µs',
  goal: { ratio: 3, is: 'at most' },
  rounds: 1,
  async open() {
    const million = await openMillion();
    const { database, places } = million;
    const seconds = createSeconds();
    const joinBelow = (referrerId: number, length: number) => {
      const roller = startRollUp(database);
      return sustain(length, () => join(database, referrerId), roller.drain);
    };
    return {
      ours: () => joinBelow(places.depth30, seconds()),
      anchor: () => sustain(seconds(), () => bareJoin(database, 1)),
      async further() {
        // The bare inserts of the other side are in no queue: they are counted out of the
        // comparison at the end.
        await buildClosure(million);
        const short = Math.min(10, seconds());
        const chain = await joinBelow(places.chainTip, seconds());
        const bare = await sustain(short, () => bareJoin(database, 1));
        const closure = await sustain(short, () => closureJoin(database, places.depth30));
        const { problems } = await verifyCommunity(database);
        const unexpected = problems.filter(
          (problem) => !problem.includes('neither in the tree nor in the queue'),
        );
        return {
          'on a chain of 10,000':
            `${round(chain)} µs, ${round(chain / bare)} × ` +
            `a bare insert (goal ≤ ${CHAIN_GOAL})`,
          'closure table at depth 30':
            `${round(closure)} µs, ${round(closure / bare)} × (on the chain it would write ` +
            '10,000 rows a join)',
          'recursive CTE': 'the bare insert; it pays at every read',
          'recomputed and compared': unexpected.length === 0 ? 'equal' : unexpected.join('; '),
        };
      },
      close: async () => closeMillion(),
    };
  },
};

export default entry;
