import { verifyCommunity } from '../../service/src/community/index.ts';
import { listMembers } from '../../service/src/community/list-members.ts';
import { closeMillion, openMillion } from './million.ts';

const { database, places } = await openMillion();

import { createMatchCache } from '../../service/src/community/match-cache.ts';

const source = { db: database, matches: createMatchCache(), scale: 18 };
const t = async (label: string, fn: () => Promise<unknown>, n = 30) => {
  const xs: number[] = [];
  let r: unknown;
  for (let i = 0; i < n; i++) {
    const s = performance.now();
    r = await fn();
    xs.push(performance.now() - s);
  }
  xs.sort((a, b) => a - b);
  console.log(
    label.padEnd(30),
    'median',
    xs[n >> 1]!.toFixed(2),
    'first/max',
    xs[n - 1]!.toFixed(1),
    JSON.stringify(r, (k, v) => (k === 'records' ? v.length : v)).slice(0, 100),
  );
};
for (const [name, id] of Object.entries(places)) {
  await t(`${name} COMMUNITY p1`, () => listMembers(source, id, { current: 1, size: 20, type: 'COMMUNITY' }));
  await t(`${name} DIRECT p1`, () => listMembers(source, id, { current: 1, size: 20 }));
}
await t('half p1000', () => listMembers(source, places.half, { current: 1000, size: 20, type: 'COMMUNITY' }));
await t('half p20000', () => listMembers(source, places.half, { current: 20000, size: 20, type: 'COMMUNITY' }));
await t('half 5 days', () => listMembers(source, places.half, { current: 1, size: 20, type: 'COMMUNITY', beginDate: '2026-01-10', endDate: '2026-01-15' }));
for (const kw of ['ann', 'wang', 'Ann 999', '王', 'zzz', '7', 'ann 12'])
  await t(`half kw ${kw}`, () => listMembers(source, places.half, { current: 1, size: 20, type: 'COMMUNITY', keyword: kw }), 5);
console.log(
  (
    await database.query(
      `select relname, pg_total_relation_size(oid)/1e6::float8 mb, reltuples from pg_class where relname in ('community_member','community_stats','community_list','app_user','community_member_name_idx') order by 1`,
    )
  ).rows,
);
console.log((await database.query(`select count(*) filter (where is_lead) leads, count(heavy_lead_id) heavy from community_stats`)).rows);
const s = performance.now();
console.log(await verifyCommunity(database), performance.now() - s);
closeMillion();
