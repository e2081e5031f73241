/** Checks of single rows: rows that are missing, or differ from their source. */
import type { Transaction } from '../db/index.ts';

const PROBLEMS_MAX = 20;

const MISSING = `select 'user ' || u.id || ': is neither in the tree nor in the queue' as problem
  from app_user u
  where not exists (select from community_member m where m.user_id = u.id)
    and not exists (
      select from community_event e where e.user_id = u.id and e.kind <> 'rename'
    )
  limit ${PROBLEMS_MAX}`;

const TOTALS = `select
    'user ' || user_id || ': the total of purchases is not their sum' as problem
  from (
      select user_id, sum(amount - refunded) as amount from package_purchase group by user_id
    ) p
    full join community_purchase_total t using (user_id)
  where p.amount is distinct from t.amount limit ${PROBLEMS_MAX}`;

const NAMES = `select
    'user ' || m.user_id || ': is not found by the present name or address' as problem
  from community_member m join app_user u on u.id = m.user_id
  where (m.name <> fold_for_search(u.nickname) or m.email <> u.email_key)
    and not exists (
      select from community_event e where e.user_id = m.user_id and e.kind = 'rename'
    )
  limit ${PROBLEMS_MAX}`;

/** The time of registration, or a microsecond after the join before, if that is later. */
const TIMES = `select
    'user ' || user_id || ': joined at ' || joined_at || ', not at ' || expected as problem
  from (
    select m.user_id, m.joined_at, m.join_no,
      m.join_no * interval '1 microsecond' + max(
        u.created_at - m.join_no * interval '1 microsecond'
      ) over (order by m.join_no) as expected
    from community_member m join app_user u on u.id = m.user_id
  ) x
  where joined_at <> expected order by join_no limit ${PROBLEMS_MAX}`;

const STATE = `select 'the tree: the last join is number ' || s.last_join_no
      || ', not ' || coalesce(l.join_no, 0) as problem
  from community_state s
    left join (
      select join_no, joined_at from community_member order by join_no desc limit 1
    ) l on true
  where s.last_join_no <> coalesce(l.join_no, 0)
    or l.joined_at is distinct from nullif(s.last_joined_at, '-infinity')`;

/** Users outside the tree and the queue, old names, wrong totals, times and state. */
export async function findOrphans(tx: Transaction): Promise<string[]> {
  const problems: string[] = [];
  for (const check of [MISSING, TOTALS, NAMES, TIMES, STATE])
    problems.push(
      ...(await tx.query<{ problem: string }>(check)).rows.map(({ problem }) => problem),
    );
  return problems;
}
