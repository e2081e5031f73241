/**
 * Records purchases and refunds with their events. Concurrent purchases share a transaction, each
 * with its own result.
 */

import type { Static } from 'typebox';
import {
  type Database,
  isAudited,
  isDatabaseBusy,
  LOCK_TIMEOUT_MS,
  noteRefusal,
  runUnaudited,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { recordEvent, recordEvents } from '../events/index.ts';
import { parsePathId } from '../http/index.ts';
import type { RequestKey } from '../ledger/index.ts';
import { createCallBatcher } from '../lib/call-batcher.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure, failure } from '../lib/failures.ts';
import { toAmount, toResult } from './money-schemas.ts';
import {
  type PurchaseForm,
  type PurchaseRecord,
  type RefundForm,
  toPurchaseRecord,
} from './purchase-schemas.ts';
import { type Order, refundPackage, sellPackages } from './sell-packages.ts';

export interface PurchasesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** Decimals of the reward currency. */
  rewardScale(): Promise<number>;
}

export function parsePurchaseId(text: string): number {
  return parsePathId(text, { detail: 'There is no such purchase.' });
}

interface PurchaseRequest {
  readonly key: RequestKey;
  readonly form: Static<typeof PurchaseForm>;
  readonly scale: number;
}

function toOrder({ key, form, scale }: PurchaseRequest, currency: string): Order {
  const { user_id, amount, reference, external = false } = form;
  const price = toAmount(amount, { scale });
  return { ...key, userId: user_id, currency, amount: price, reference, isExternal: external };
}

/** Records what was bought; each purchase has its own result. */
async function purchase(
  tx: Transaction,
  { clock, rewardCurrency }: PurchasesDeps,
  requests: readonly PurchaseRequest[],
): Promise<(PurchaseRecord | Failure)[]> {
  const orders = requests.map((request) => toResult(() => toOrder(request, rewardCurrency)));
  const sales = await sellPackages(
    tx,
    clock,
    orders.filter((order): order is Order => !(order instanceof Failure)),
  );
  const next = sales.values();
  const results = orders.map((order) =>
    order instanceof Failure ? order : (next.next().value ?? failure('internal_error')),
  );
  const records = results.map((sale, i) =>
    sale instanceof Failure ? sale : toPurchaseRecord(sale.purchase, requests[i]?.scale ?? 0),
  );
  const events = records.flatMap((record, i) => {
    const sale = results[i];
    if (record instanceof Failure || sale instanceof Failure || sale?.isReplay) return [];
    return { userId: record.user_id, type: 'package.purchased' as const, data: { ...record } };
  });
  await recordEvents(tx, clock, events);
  return records;
}

interface RefundRequest {
  readonly key: RequestKey;
  readonly id: string;
  readonly form: Static<typeof RefundForm>;
  readonly scale: number;
}

export async function refund(
  tx: Transaction,
  clock: Clock,
  { key, id, form: { amount, reference }, scale }: RefundRequest,
): Promise<PurchaseRecord> {
  const {
    purchase: after,
    transferId,
    isReplay,
  } = await refundPackage(tx, clock, {
    ...key,
    purchaseId: parsePurchaseId(id),
    ...(amount !== undefined && { amount: toAmount(amount, { scale }) }),
    ...(reference && { reference }),
  });
  const record = { ...toPurchaseRecord(after, scale), refund_transfer_id: transferId };
  if (!isReplay)
    await recordEvent(tx, clock, {
      userId: after.userId,
      type: 'package.refunded',
      data: { ...record },
    });
  return record;
}

/** Requests that share a transaction, at most. */
const SHARED_MAX = 100;
const CONCURRENCY_MAX = { server: 2, embedded: 1 } as const;

/** In a transaction of its own, which names the actor. */
async function purchaseAudited(
  deps: PurchasesDeps,
  request: PurchaseRequest,
): Promise<PurchaseRecord | Failure> {
  const run = async (tx: Transaction): Promise<PurchaseRecord | Failure> => {
    const [result = failure('internal_error')] = await purchase(tx, deps, [request]);
    if (result instanceof Failure) noteRefusal();
    return result;
  };
  return transaction(deps.database, run, { lockTimeout_ms: LOCK_TIMEOUT_MS.request });
}

/** Groups concurrent purchases into shared transactions, except those that are audited. */
export function createPurchaseBatcher(deps: PurchasesDeps) {
  const { database } = deps;
  const run = (requests: readonly PurchaseRequest[], lockTimeout_ms: number) =>
    runUnaudited(() =>
      transaction(database, (tx) => purchase(tx, deps, requests), { lockTimeout_ms }),
    );
  const batcher = createCallBatcher<PurchaseRequest, PurchaseRecord | Failure>({
    concurrencyMax: CONCURRENCY_MAX[database.kind],
    sizeMax: SHARED_MAX,
    keysOf: ({ form }) => [form.user_id],
    run: (requests) => run(requests, LOCK_TIMEOUT_MS.short),
    runApart: (requests) => run(requests, LOCK_TIMEOUT_MS.request),
    isSharedError: (error) => error instanceof Error && isDatabaseBusy(error),
  });
  return {
    submit: (request: PurchaseRequest): Promise<PurchaseRecord | Failure> =>
      isAudited() ? purchaseAudited(deps, request) : batcher.submit(request),
  };
}
