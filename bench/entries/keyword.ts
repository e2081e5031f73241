import { listMembers } from '../../service/src/community/list-members.ts';
import { createMatchCache } from '../../service/src/community/search-cache.ts';
import type { Database } from '../../service/src/db/index.ts';
import { buildClosure, closureSearch } from '../community/anchors.ts';
import { closeMillion, openMillion } from '../community/million.ts';
import { medianTime } from '../community/sustain.ts';
import { type BenchEntry, round } from '../harness/entry.ts';

/** In every eighth name. */
const COMMON = 'ann';

async function recursiveSearch(database: Database, userId: number, keyword: string): Promise<void> {
  await database.query(
    `with recursive below as (
       select id from app_user where referrer_id = $1
       union all
       select u.id from below join app_user u on u.referrer_id = below.id
     )
     select u.id, u.nickname, u.email, count(*) over () as total
     from below join app_user u on u.id = below.id
     where fold_for_search(u.nickname) like '%' || fold_for_search($2) || '%'
     order by u.created_at desc, u.id desc limit 20`,
    [userId, keyword],
  );
}

const entry: BenchEntry = {
  name: 'keyword',
  summary:
    'page and total of a common keyword in a downline of 500,000 beside the page without a keyword',
  unit: 'ms',
  goal: { ratio: 5, is: 'at most' },
  async open() {
    const million = await openMillion();
    const { database, places } = million;
    const source = { db: database, matches: createMatchCache(), scale: 18 };
    const page = (keyword?: string) => () =>
      listMembers(source, places.half, {
        type: 'COMMUNITY',
        current: 1,
        size: 20,
        ...(keyword !== undefined && { keyword }),
      });
    const cold = async (keyword: string, viewer = places.half): Promise<string> => {
      const started = performance.now();
      const { total } = await listMembers({ ...source, matches: createMatchCache() }, viewer, {
        type: 'COMMUNITY',
        current: 1,
        size: 20,
        keyword,
      });
      return `${round(performance.now() - started)} ms (${total} found)`;
    };
    return {
      ours: () => medianTime(page(COMMON)),
      anchor: () => medianTime(page()),
      async further() {
        await buildClosure(million);
        const tip = await database.query<{ nickname: string }>(
          'select nickname from app_user where id = $1',
          [places.chainTip],
        );
        return {
          'asked for the first time: common': await cold(COMMON),
          'asked for the first time: middling': await cold('ann 12'),
          'asked for the first time: rare': await cold('ann 1234'),
          'asked for the first time: one character': await cold('7'),
          'asked for the first time: the tip of a chain of 10,000, from its top': await cold(
            tip.rows[0]?.nickname ?? '',
            places.chainTip - 9999,
          ),
          'recursive CTE':
            `${round(await medianTime(() => recursiveSearch(database, places.half, COMMON), 3))} ` +
            'ms',
          'closure table':
            `${round(await medianTime(() => closureSearch(database, places.half, COMMON), 3))} ` +
            'ms',
        };
      },
      close: async () => closeMillion(),
    };
  },
};

export default entry;
