/** Reads deposits. */
import { type Db, defineStatement, execute, listKeys } from '../db/index.ts';
import { messageFields } from '../http/index.ts';
import { type CodedMessage, fromColumns } from '../lib/coded-messages.ts';
import { COUNTED_MAX } from '../lib/counted-max.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import { explorerUrl } from './payment-request.ts';
import type { DepositRecord, DepositStatus } from './schemas.ts';

export interface DepositRow {
  id: number;
  network: string;
  tx_hash: string;
  ordinal: number;
  user_id: number;
  contract: string | null;
  currency: string;
  from_address: string | null;
  raw_amount: string;
  decimals: number;
  block_number: number;
  block_hash: string;
  required_confirmations: number;
  status: DepositStatus;
  reason_code: string | null;
  reason_values: CodedMessage['values'] | null;
  detected_at: Date;
  confirmed_at: Date | null;
  credited_at: Date | null;
  reversed_at: Date | null;
  address: string;
  network_name: string;
  explorer_url: string | null;
  confirmations: number;
}

/** A deposit in no block of the chain has no confirmations. */
const selectDeposits = (source: string): string => `select deposit.*, owned.address,
    network.name as network_name, network.explorer_url,
    case when status in ('orphaned', 'reversed') then 0
      else greatest(0, coalesce(cursor_height, 0) - block_number + 1) end as confirmations
  from ${source} deposit
  cross join lateral
    (select address from deposit_address where id = deposit.address_id limit 1) owned
  join network on network.code = deposit.network
  join chain_state on chain_state.network = deposit.network`;
const SELECT_DEPOSITS = selectDeposits('deposit');

/** The reason of the status; a deposit that is deep enough waits for the endpoints to agree. */
function reasonOf(row: DepositRow): CodedMessage | undefined {
  const waits = row.status === 'confirming' && row.confirmations >= row.required_confirmations;
  if (waits) return DEPOSIT_REASONS.create('waits_for_endpoints');
  return fromColumns(row.reason_code, row.reason_values);
}

/** A deposit in the form of the API. */
export function toDepositRecord(row: DepositRow): DepositRecord {
  const reason = reasonOf(row);
  const link = explorerUrl({ explorerUrl: row.explorer_url ?? undefined }, row.tx_hash);
  return {
    id: row.id,
    currency: row.currency,
    currency_network: row.network,
    network_name: row.network_name,
    amount: exactAmount(row.raw_amount, row.decimals),
    address: row.address,
    ...(row.from_address !== null && { from_address: row.from_address }),
    ...(row.contract !== null && { contract_address: row.contract }),
    tx_hash: row.tx_hash,
    event_ordinal: row.ordinal,
    block_number: row.block_number,
    block_hash: row.block_hash,
    confirmations: row.confirmations,
    required_confirmations: row.required_confirmations,
    status: row.status,
    ...(reason && messageFields('reason', DEPOSIT_REASONS, reason)),
    ...(link !== undefined && { explorer_url: link }),
    detected_at: row.detected_at.toISOString(),
    ...(row.confirmed_at && { confirmed_at: row.confirmed_at.toISOString() }),
    ...(row.credited_at && { credited_at: row.credited_at.toISOString() }),
    ...(row.reversed_at && { reversed_at: row.reversed_at.toISOString() }),
  };
}

export interface DepositFilter {
  readonly userId?: number;
  readonly currency?: string;
  readonly network?: string;
  readonly status?: DepositStatus;
  readonly from?: Date;
  readonly before?: Date;
}

interface Conditions {
  readonly where: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Names the conditions: statements with the same conditions have the same text. */
  readonly name: string;
}

function toConditions(filter: DepositFilter): Conditions {
  const all: readonly (readonly [name: string, comparison: string, value: unknown])[] = [
    ['user', 'user_id =', filter.userId],
    ['currency', 'currency =', filter.currency],
    ['network', 'network =', filter.network],
    ['status', 'status =', filter.status],
    ['from', 'detected_at >=', filter.from],
    ['before', 'detected_at <', filter.before],
  ];
  const given = all.filter(([, , value]) => value !== undefined);
  const conditions = given.map(([name, comparison]) => `${comparison} :${name}`);
  return {
    where: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    values: Object.fromEntries(given.map(([name, , value]) => [name, value])),
    name: given.map(([name]) => name).join('-'),
  };
}

/** One page of the deposits of all users, newest first. The total is that of `listKeys`. */
export async function listDepositsOfAll(
  db: Db,
  filter: DepositFilter,
  page: { current: number; size: number },
): Promise<{ rows: DepositRow[]; total: number }> {
  const { where, values } = toConditions(filter);
  const { keys, total } = await listKeys(
    db,
    `select id as key from deposit ${where} order by detected_at desc, id desc`,
    values,
    page,
  );
  const { rows } = await db.query<DepositRow>(
    `${SELECT_DEPOSITS} where deposit.id = any($1::bigint[])
     order by detected_at desc, deposit.id desc`,
    [keys],
  );
  return { rows, total };
}

/** Deposits that wait for an operator: up to `max`. */
export async function countOnHold(db: Db, max = COUNTED_MAX): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::int as total
     from (select from deposit where status = 'on_hold' limit $1) counted`,
    [max],
  );
  return rows[0]?.total ?? 0;
}

/** One page of a user's deposits, newest first, and their number. */
export async function listDeposits(
  db: Db,
  filter: DepositFilter & { readonly userId: number },
  { current, size }: { current: number; size: number },
): Promise<{ rows: DepositRow[]; total: number }> {
  const { where, values, name } = toConditions(filter);
  // Only the rows of the page are joined.
  const page = `(select * from deposit ${where} order by detected_at desc, id desc
    limit :size offset :skipped)`;
  const [counted, { rows }] = await Promise.all([
    execute<{ total: number }>(
      db,
      defineStatement(`deposits-count-${name}`, `select count(*) as total from deposit ${where}`),
      values,
    ),
    execute<DepositRow>(
      db,
      defineStatement(
        `deposits-page ${name}`,
        `${selectDeposits(page)} order by detected_at desc, deposit.id desc`,
      ),
      { ...values, size, skipped: (current - 1) * size },
    ),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

const FIND_DEPOSIT = defineStatement(
  'deposit',
  `${SELECT_DEPOSITS} where deposit.id = :id
     and (:user_id::bigint is null or deposit.user_id = :user_id)`,
);

/** One deposit; with `userId`, only if it is that user's. */
export async function findDeposit(
  db: Db,
  id: number,
  userId?: number,
): Promise<DepositRow | undefined> {
  const { rows } = await execute<DepositRow>(db, FIND_DEPOSIT, { id, user_id: userId ?? null });
  return rows[0];
}

/** The deposits with these ids. */
export async function readDeposits(db: Db, ids: readonly number[]): Promise<DepositRow[]> {
  const { rows } = await db.query<DepositRow>(
    `${SELECT_DEPOSITS} where deposit.id = any($1::bigint[]) order by deposit.id`,
    [[...ids]],
  );
  return rows;
}
