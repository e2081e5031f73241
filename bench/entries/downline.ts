import { listMembers } from '../../service/src/community/list-members.ts';
import { createMatchCache } from '../../service/src/community/search-cache.ts';
import { summarizeCommunity } from '../../service/src/community/summarize-community.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { buildClosure, closurePage, recursivePage } from '../community/anchors.ts';
import { closeMillion, openMillion } from '../community/million.ts';
import { medianTime } from '../community/sustain.ts';
import { type BenchEntry, round } from '../harness/entry.ts';

const entry: BenchEntry = {
  name: 'downline',
  summary:
    'first page with total of a downline of 500,000 beside one of 500, among 1,000,000 people',
  unit: 'ms',
  goal: { ratio: 1.5, is: 'at most' },
  async open() {
    const million = await openMillion();
    const { database, places } = million;
    const source = { db: database, matches: createMatchCache(), scale: 18 };
    const page = (userId: number) =>
      medianTime(() => listMembers(source, userId, { type: 'COMMUNITY', current: 1, size: 20 }));
    return {
      ours: () => page(places.half),
      anchor: () => page(places.small),
      async further() {
        await buildClosure(million);
        const { rows } = await database.query<{ tree: number; closure: number }>(
          `select pg_total_relation_size('community_member')
             + pg_total_relation_size('community_stats')
             + pg_total_relation_size('community_downline') as tree,
             pg_total_relation_size('closure') as closure`,
        );
        const times: Record<string, string> = {};
        for (const [name, userId] of [
          ['500,000', places.half],
          ['500', places.small],
        ] as const) {
          times[`recursive CTE, ${name}`] =
            `${round(await medianTime(() => recursivePage(database, userId), 5))} ms`;
          times[`closure table, ${name}`] =
            `${round(await medianTime(() => closurePage(database, userId), 5))} ms`;
        }
        const perUser = (bytes = 0) => `${Math.round(bytes / million.people)} bytes per user`;
        const summary = medianTime(() =>
          summarizeCommunity({ db: database, now: systemClock.now(), scale: 18 }, places.half, {}),
        );
        times['summary of 500,000'] = `${round(await summary)} ms`;
        return {
          ...times,
          'size of ours': perUser(rows[0]?.tree),
          'size of the closure table': perUser(rows[0]?.closure),
        };
      },
      close: async () => closeMillion(),
    };
  },
};

export default entry;
