/**
 * `POST /operator/purchases`: a person bought a package; `…/refund`: some of it was paid back. Concurrent purchases share a
 * transaction, each with its own result.
 */
import Type, { type Static } from 'typebox';
import { findPurchase, type Purchase } from '../community/index.ts';
import { type Database, isDatabaseBusy, type Transaction, transaction } from '../db/index.ts';
import { recordEvent, recordEvents } from '../events/index.ts';
import {
  Decimal,
  DecimalInput,
  type HttpServer,
  Id,
  IdempotencyHeaders,
  requestKeyOf,
  Timestamp,
  Words,
} from '../http/index.ts';
import { type RequestKey, refuseRequest, withIdempotencyKey } from '../ledger/index.ts';
import { createCallBatcher } from '../lib/call-batcher.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { Failure, failure } from '../lib/failures.ts';
import { TextInput, toAmount, toResult } from './money-schemas.ts';
import { type Order, refundPackage, sellPackages } from './sell-packages.ts';

export interface PurchasesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** Decimals of the reward currency. */
  rewardScale(): Promise<number>;
}

const Reference = TextInput("The business server's own name of it; shown on the bill.", 200);

const PurchaseForm = Type.Object(
  {
    user_id: Id('Who bought.'),
    amount: DecimalInput('Price in the reward currency, above 0, at most 10^40 minor units.'),
    reference: Reference,
    external: Type.Optional(
      Type.Boolean({
        description:
          'Paid outside: nothing is debited to the wallet of the person. Default: false.',
      }),
    ),
  },
  // A currency that is ignored would be a purchase in another one than the operator meant.
  { additionalProperties: false },
);

const RefundForm = Type.Object(
  {
    amount: Type.Optional(
      DecimalInput('How much is paid back, above 0; default: all that remains.'),
    ),
    reference: Type.Optional(Reference),
  },
  { additionalProperties: false },
);

const PurchaseVO = Type.Object(
  {
    id: Id('The purchase.'),
    user_id: Id('Who bought.'),
    currency: Type.String({ description: 'The reward currency.' }),
    amount: Decimal('Price.'),
    refunded: Decimal('What was paid back of it so far.'),
    status: Words(['confirmed', 'partly_refunded', 'refunded'], 'What became of it.'),
    reference: Reference,
    external: Type.Boolean({ description: 'Paid outside.' }),
    transfer_id: Id('The transfer that paid for it.'),
    refund_transfer_id: Type.Optional(
      Id('The transfer that paid back; only in the answer to a refund.'),
    ),
    created_at: Timestamp('When it was recorded.'),
  },
  { description: 'A package that a person bought.' },
);

const PurchasePath = Type.Object({ id: Type.String({ description: 'The purchase.' }) });

const ACCESS = { config: { access: { scopes: ['operator:purchases'] } } };

function toRecord(purchase: Purchase, scale: number): Static<typeof PurchaseVO> {
  const { amount, refunded } = purchase;
  return {
    id: purchase.purchaseId,
    user_id: purchase.userId,
    currency: purchase.currency,
    amount: exactAmount(amount, scale),
    refunded: exactAmount(refunded, scale),
    status: refunded === 0n ? 'confirmed' : refunded < amount ? 'partly_refunded' : 'refunded',
    reference: purchase.reference,
    external: purchase.isExternal,
    transfer_id: purchase.transferId,
    created_at: purchase.createdAt.toISOString(),
  };
}

function readPurchaseId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || Number(text) > Number.MAX_SAFE_INTEGER)
    throw failure('not_found', { detail: 'There is no such purchase.' });
  return Number(text);
}

interface PurchaseRequest {
  readonly key: RequestKey;
  readonly form: Static<typeof PurchaseForm>;
  readonly scale: number;
}

type PurchaseRecord = Static<typeof PurchaseVO>;

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
    sale instanceof Failure ? sale : toRecord(sale.purchase, requests[i]?.scale ?? 0),
  );
  const events = records.flatMap((record, i) => {
    const sale = results[i];
    if (record instanceof Failure || sale instanceof Failure || sale?.isAgain) return [];
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

async function refund(
  tx: Transaction,
  clock: Clock,
  { key, id, form: { amount, reference }, scale }: RefundRequest,
): Promise<PurchaseRecord> {
  const {
    purchase: after,
    transferId,
    isAgain,
  } = await refundPackage(tx, clock, {
    ...key,
    purchaseId: readPurchaseId(id),
    ...(amount !== undefined && { amount: toAmount(amount, { scale }) }),
    ...(reference && { reference }),
  });
  const record = { ...toRecord(after, scale), refund_transfer_id: transferId };
  if (!isAgain)
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
/** How long (ms) requests wait for a lock, together and apart. */
const LOCK_TIMEOUT_MS = { shared: 300, apart: 2000 } as const;

function createPurchaseBatcher(deps: PurchasesDeps) {
  const { database } = deps;
  const run = (requests: readonly PurchaseRequest[], lockTimeout_ms: number) =>
    transaction(database, async (tx) => {
      const [, results] = await Promise.all([
        tx.query(`set local lock_timeout = ${lockTimeout_ms}`),
        purchase(tx, deps, requests),
      ]);
      return results;
    });
  return createCallBatcher<PurchaseRequest, PurchaseRecord | Failure>({
    concurrencyMax: CONCURRENCY_MAX[database.kind],
    sizeMax: SHARED_MAX,
    keysOf: ({ form }) => [form.user_id],
    run: (requests) => run(requests, LOCK_TIMEOUT_MS.shared),
    runApart: (requests) => run(requests, LOCK_TIMEOUT_MS.apart),
    isShared: (error) => error instanceof Error && isDatabaseBusy(error),
  });
}

export function registerPurchases(app: HttpServer, deps: PurchasesDeps): void {
  const { database, clock, rewardScale } = deps;
  const batcher = createPurchaseBatcher(deps);
  app.post(
    '/operator/purchases',
    {
      ...ACCESS,
      schema: {
        headers: IdempotencyHeaders,
        tags: ['operator'],
        summary: 'Record the purchase of a package',
        description:
          'Debits the asset wallet of the person in the reward currency, or with `external` only records it. Needs an Idempotency-Key.',
        body: PurchaseForm,
        response: { 200: PurchaseVO },
      },
    },
    async (request) => {
      const key = requestKeyOf(request, 'purchase');
      const result = await batcher.submit({ key, form: request.body, scale: await rewardScale() });
      if (result instanceof Failure)
        throw await transaction(database, (tx) => refuseRequest(tx, key, result));
      return result;
    },
  );
  app.post(
    '/operator/purchases/:id/refund',
    {
      ...ACCESS,
      schema: {
        headers: IdempotencyHeaders,
        tags: ['operator'],
        summary: 'Refund a purchase, whole or in part',
        description: 'The money goes back to where it came from. Needs an Idempotency-Key.',
        params: PurchasePath,
        body: RefundForm,
        response: { 200: PurchaseVO },
      },
    },
    async (request) => {
      const key = requestKeyOf(request, 'purchase-refund');
      const asked = { key, id: request.params.id, form: request.body, scale: await rewardScale() };
      return withIdempotencyKey(database, key, (tx) => refund(tx, clock, asked));
    },
  );
  app.get(
    '/operator/purchases/:id',
    {
      ...ACCESS,
      schema: {
        tags: ['operator'],
        summary: 'Read a purchase',
        params: PurchasePath,
        response: { 200: PurchaseVO },
      },
    },
    async (request) =>
      toRecord(
        await findPurchase(database, readPurchaseId(request.params.id)),
        await rewardScale(),
      ),
  );
}
