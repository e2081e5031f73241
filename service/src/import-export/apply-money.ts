/** Balances and bills: each becomes a posting of the ledger. */
import type { Transaction } from '../db/index.ts';
import {
  BATCH_MAX,
  type BroughtEntry,
  openBroughtAccounts,
  type PostResult,
  postBroughtEntries,
} from '../ledger/index.ts';
import { type ApplyContext, applyFile, isPending, type Outcome, rejectRow } from './apply-rows.ts';
import { nextRevision } from './record-imported.ts';
import type { FileName } from './schemas.ts';
import type { WorkRow } from './stage.ts';

const PIECE = { size: BATCH_MAX, width: 2 };

interface Due {
  readonly row: WorkRow;
  /** What the row moves now; 0: nothing. */
  readonly amount: bigint;
  readonly total: bigint;
  readonly entry: Omit<BroughtEntry, 'amount' | 'idempotencyKey' | 'userId'>;
}

function toOutcome(
  file: FileName,
  due: readonly Due[],
  results: ReadonlyMap<Due, PostResult>,
): Outcome {
  const refusalOf = (each: Due): string | undefined => {
    const result = results.get(each);
    return result?.status === 'refused' ? result.code : undefined;
  };
  return {
    applied: due
      .filter((each) => refusalOf(each) === undefined)
      .map(({ row, total }) => ({ row, amount: total })),
    rejects: due.flatMap((each) => {
      const code = refusalOf(each);
      const reason = [code ?? '', 'was refused by the ledger'] as const;
      return code === undefined ? [] : [rejectRow(file, each.row, 'amount', reason)];
    }),
  };
}

async function post(tx: Transaction, file: FileName, due: readonly Due[]): Promise<Outcome> {
  const moving = due.filter(({ amount }) => amount !== 0n);
  const results = await postBroughtEntries(
    tx,
    moving.map(({ row, amount, entry }) => ({
      ...entry,
      amount,
      userId: row.user_id,
      idempotencyKey: `import/${file}/${row.key}/${nextRevision(row)}`,
    })),
  );
  const byDue = new Map(
    moving.flatMap((each, i) => (results[i] ? [[each, results[i]] as const] : [])),
  );
  return toOutcome(file, due, byDue);
}

interface BalanceData {
  readonly wallet: string;
  readonly currency: string;
  readonly as_of: string | null;
}

/** The accounts that rows move. */
async function openAccounts({ database }: ApplyContext, due: readonly Due[]): Promise<void> {
  const moving = due.filter(({ amount }) => amount !== 0n);
  await openBroughtAccounts(
    database,
    moving.map(({ row, entry }) => ({ ...entry, userId: row.user_id })),
  );
}

/** What a balance brings besides its bills, and what it brought before. */
function openingOf(row: WorkRow): { total: bigint; before: bigint } {
  return {
    total: BigInt(row.amount ?? 0) - BigInt(row.bills ?? 0),
    before: BigInt(row.old_amount ?? 0),
  };
}

function toBalanceDue(row: WorkRow, now: Date): Due {
  const { wallet, currency, as_of } = JSON.parse(row.data) as BalanceData;
  const { total, before } = openingOf(row);
  const eventAt = as_of === null ? now : new Date(as_of);
  return { row, amount: total - before, total, entry: { wallet, currency, eventAt } };
}

/** Opening postings. A balance that changed is posted as the difference. */
export function importBalances(context: ApplyContext): Promise<void> {
  const isDue = (row: WorkRow): boolean => {
    const { total, before } = openingOf(row);
    return isPending(row) || total !== before;
  };
  const { clock } = context;
  const toDue = (row: WorkRow): Due => toBalanceDue(row, clock.now());
  const prepare = (rows: readonly WorkRow[]) => openAccounts(context, rows.map(toDue));
  return applyFile(context, 'balances', { ...PIECE, isDue, prepare }, (tx, rows) =>
    post(tx, 'balances', rows.map(toDue)),
  );
}

interface BillData {
  readonly wallet: string;
  readonly currency: string;
  readonly business_id: string;
  readonly event_at: string;
  readonly reward_type?: string;
  readonly node_id?: string;
  readonly reference?: string;
  readonly remark?: string;
}

function toBillDue(row: WorkRow): Due {
  const data = JSON.parse(row.data) as BillData;
  const amount = BigInt(row.amount ?? 0);
  return {
    row,
    amount,
    total: amount,
    entry: {
      wallet: data.wallet,
      currency: data.currency,
      eventAt: new Date(data.event_at),
      businessId: data.business_id,
      rewardType: data.reward_type,
      nodeId: data.node_id,
      reference: data.reference,
      remark: data.remark,
    },
  };
}

/** The history, in the order of the file: one piece after the other, for the balances after it. */
export function importBills(context: ApplyContext): Promise<void> {
  const prepare = (rows: readonly WorkRow[]) => openAccounts(context, rows.map(toBillDue));
  const options = { ...PIECE, width: 1, isDue: isPending, prepare };
  return applyFile(context, 'bills', options, (tx, rows) => post(tx, 'bills', rows.map(toBillDue)));
}
