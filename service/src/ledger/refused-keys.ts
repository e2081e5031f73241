/** Idempotency keys: what each stands for already, and those that were refused. */
import {
  type Db,
  defineStatement,
  execute,
  hideLength,
  plainArray,
  type Transaction,
  textArray,
} from '../db/index.ts';
import type { FailureCode, FailureDetails } from '../lib/failures.ts';
import type { RefusalRow } from './batch-state.ts';
import type { PostResult, Refusal } from './types.ts';

/** What a key stands for. */
export interface PriorResult {
  readonly idempotency_key: string;
  /** The transfer that was posted under the key; null when it was refused. */
  readonly id: number | null;
  /** Of the request, 32 hexadecimal digits. */
  readonly hash: string;
  readonly code: FailureCode | null;
  readonly details: FailureDetails | null;
}

/**
 * Rows of `PriorResult` for a list of keys. The lateral form asks the index once per key, whatever
 * the planner expects of a growing table.
 */
export const PRIOR_RESULTS = `select prior.* from unnest(${hideLength(':idempotency_keys::text[]')})
  as k (idempotency_key) cross join lateral (
    (select idempotency_key, id, encode(request_hash, 'hex') as hash, null as code,
      null::json as details
      from transfer where idempotency_key = k.idempotency_key limit 1)
    union all
    (select idempotency_key, null, encode(request_hash, 'hex'), code, details from refused_posting
      where idempotency_key = k.idempotency_key limit 1)
  ) prior`;

const FIND_PRIOR_RESULTS = defineStatement('ledger_find_prior', PRIOR_RESULTS);

/** What keys of postings stand for. */
export async function findPriorResults(
  db: Db,
  idempotencyKeys: readonly string[],
): Promise<PriorResult[]> {
  return (
    await execute<PriorResult>(db, FIND_PRIOR_RESULTS, {
      idempotency_keys: textArray(idempotencyKeys),
    })
  ).rows;
}

export function toRefusal(code: FailureCode | null, details?: FailureDetails | null): Refusal {
  return { status: 'refused', code: code ?? 'internal_error', ...(details && { details }) };
}

/**
 * The result of a repeated request: as at first, or a conflict when another request has the key.
 */
export function replay(prior: PriorResult, requestHash: string): PostResult {
  if (prior.hash !== requestHash) return toRefusal('idempotency_key_reused');
  return prior.id === null
    ? toRefusal(prior.code, prior.details)
    : { status: 'replayed', transferId: prior.id };
}

// A key that was posted or refused meanwhile, by a request that ran at the same time, keeps what it
// stands for.
const REFUSE_KEYS = defineStatement(
  'ledger_refuse_keys',
  `insert into refused_posting (id, idempotency_key, request_hash, code, details, created_at)
  select id, idempotency_key, decode(hash, 'hex'), code, details, :at
  from unnest(${hideLength(':ids::bigint[]')}, :idempotency_keys::text[], :hashes::text[],
    :codes::text[], :details::json[]) as r (id, idempotency_key, hash, code, details)
  where not exists (select from transfer t where t.idempotency_key = r.idempotency_key)
    and not exists (select from hold_step s where s.idempotency_key = r.idempotency_key)
  on conflict (idempotency_key) do nothing`,
);

const IS_REFUSED = defineStatement(
  'ledger_is_key_refused',
  'select has_refused_key(:keys) as is_refused',
);

/** Whether one of the keys was refused by now. */
export async function isAnyRefused(tx: Transaction, keys: readonly string[]): Promise<boolean> {
  const { rows } = await execute<{ is_refused: boolean }>(tx, IS_REFUSED, {
    keys: textArray(keys),
  });
  return rows[0]?.is_refused === true;
}

/** Writes refusals; returns how many keys stood for nothing before. */
export async function insertRefusals(
  tx: Transaction,
  refusals: readonly RefusalRow[],
  at: Date,
): Promise<number> {
  const { rowCount } = await execute(tx, REFUSE_KEYS, {
    at,
    ids: plainArray(refusals.map((row) => row.id)),
    idempotency_keys: textArray(refusals.map((row) => row.idempotencyKey)),
    hashes: plainArray(refusals.map((row) => row.requestHash)),
    codes: plainArray(refusals.map((row) => row.code)),
    details: textArray(refusals.map((row) => row.details)),
  });
  return rowCount;
}
