/**
 * Looks for rows that share a key or have none, and for keys that were both posted and refused.
 * Every other check takes a key to stand for one row, and so does the service; the constraints that
 * would keep it so are no evidence, because an attacker who can write the tables can drop them.
 */
import type { Db } from '../../db/index.ts';
import { EVERY_PACKED_TRANSFER } from '../packed-entries.ts';
import type { Findings } from './findings.ts';

/**
 * Every key of every table that is read here. In the order of an index, so that a large table is
 * neither sorted nor kept in memory.
 */
const KEYS: readonly (readonly [table: string, ...columns: string[]])[] = [
  ['transfer', 'id'],
  ['entry', 'wallet_id', 'position'],
  ['entry_pack', 'wallet_id', 'block'],
  ['hold', 'id'],
  ['hold_step', 'id'],
  ['refused_posting', 'id'],
  ['refused_posting', 'idempotency_key'],
  ['batch_seal', 'shard', 'position'],
  ['ledger_shard', 'shard'],
  ['account', 'wallet_id', 'currency_id'],
  ['app_user', 'id'],
  ['currency', 'id'],
  ['currency', 'code'],
  ['transaction_type', 'id'],
  ['transaction_type', 'code'],
  ['wallet_kind', 'id'],
  ['wallet_kind', 'code'],
  ['earning_day', 'user_id', 'day', 'currency_id', 'reward_type', 'node_id'],
  ['earning_total', 'user_id', 'kind_id', 'currency_id', 'reward_type'],
  ['entry_count_block', 'wallet_id', 'block', 'currency_id', 'business_id', 'direction'],
  ['ledger_head', 'day'],
  ['ledger_key', 'kid'],
];

function keySql([table, ...columns]: (typeof KEYS)[number]): string {
  const key = columns.join(', ');
  const name = columns.map((column) => `coalesce(${column}::text, 'null')`).join(", '/', ");
  const hasNull = columns.map((column) => `${column} is null`).join(' or ');
  return `select concat('${table} ', ${name}) as row, case when ${hasNull} then 'has no key'
    else 'stands there ' || count(*) || ' times' end as detail
    from ${table} group by ${key} having count(*) > 1 or ${hasNull} order by ${key} limit 20`;
}

/**
 * Keys that were refused and also posted, or also stand for a step of a hold (ADR 0079). Refusals
 * are few, and the index is asked once for each.
 */
const REFUSED_AND_USED = `select 'refused_posting ' || refused.id as row,
    'has the key of ' || used.row as detail
  from refused_posting refused cross join lateral (
    (select 'transfer ' || id as row from transfer
      where idempotency_key = refused.idempotency_key limit 1)
    union all
    (select 'hold_step ' || id from hold_step
      where idempotency_key = refused.idempotency_key limit 1)
  ) used order by refused.id limit 20`;

/** Bills of rewards have keys of their own for ever; no index has those that are packed. */
const PACKED_AND_USED = [
  `select 'transfer ' || t.id as row, 'stands there packed, too' as detail
  from ${EVERY_PACKED_TRANSFER} p join transfer t on t.id = p.id order by t.id limit 20`,
  `select 'transfer ' || t.id as row, 'has the key of transfer ' || p.id as detail
  from ${EVERY_PACKED_TRANSFER} p join transfer t on t.idempotency_key = p.idempotency_key
  where t.id <> p.id order by t.id limit 20`,
  `select 'transfer ' || max(id) as row, 'has the key of transfer ' || min(id) as detail
  from ${EVERY_PACKED_TRANSFER} p group by idempotency_key having count(*) > 1
  order by max(id) limit 20`,
  `select 'refused_posting ' || r.id as row, 'has the key of transfer ' || p.id as detail
  from ${EVERY_PACKED_TRANSFER} p
    join refused_posting r on r.idempotency_key = p.idempotency_key order by r.id limit 20`,
];

/** The one row of its table, without which nothing is posted. */
const MARK = `select 'reference_data_version' as row,
    'stands there ' || count(*) || ' times' as detail
  from reference_data_version having count(*) <> 1`;

export async function verifyKeys(db: Db, findings: Findings): Promise<void> {
  for (const sql of [...KEYS.map(keySql), REFUSED_AND_USED, ...PACKED_AND_USED, MARK]) {
    for (const { row, detail } of (await db.query<{ row: string; detail: string }>(sql)).rows)
      findings.add('keys', row, detail);
  }
}
