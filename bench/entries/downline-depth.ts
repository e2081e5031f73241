import { listMembers } from '../../service/src/community/list-members.ts';
import { createMatchCache } from '../../service/src/community/search-cache.ts';
import { buildClosure, closurePage, recursivePage } from '../community/anchors.ts';
import { closeMillion, openMillion } from '../community/million.ts';
import { medianTime } from '../community/sustain.ts';
import { type BenchEntry, round } from '../harness/entry.ts';

const DEEP = 20_000;

const entry: BenchEntry = {
  name: 'downline-depth',
  summary: 'page 20,000 of a downline of 500,000 beside page 1',
  unit: 'ms',
  goal: { ratio: 3, is: 'at most' },
  async open() {
    const million = await openMillion();
    const { database, places } = million;
    const source = { db: database, matches: createMatchCache(), scale: 18 };
    const page = (current: number) =>
      medianTime(() => listMembers(source, places.half, { type: 'COMMUNITY', current, size: 20 }));
    return {
      ours: () => page(DEEP),
      anchor: () => page(1),
      async further() {
        await buildClosure(million);
        const offset = (DEEP - 1) * 20;
        return {
          'recursive CTE':
            `${round(await medianTime(() => recursivePage(database, places.half, offset), 5))} ` +
            'ms',
          'closure table': `${round(
            await medianTime(() => closurePage(database, places.half, offset), 5),
          )} ms`,
        };
      },
      close: async () => closeMillion(),
    };
  },
};

export default entry;
