/**
 * `POST /operator/purchases`: a person bought a package; `…/refund`: some of it was paid back. Purchases that come at
 * once share a transaction, each with its own fate.
 */
import Type, { type Static } from 'typebox';
import { findPurchase, lockPurchase, type Purchase } from '../community/index.ts';
import type { Database, Transaction } from '../db/index.ts';
import { recordEvent, recordEvents } from '../events/index.ts';
import {
  type Answer,
  createGroupSender,
  Decimal,
  DecimalInput,
  type HttpServer,
  Id,
  IdempotencyHeaders,
  sendIdempotent,
  Timestamp,
  Words,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { Failure, failure, invalidField } from '../lib/failures.ts';
import { parseAmount } from '../lib/money.ts';
import { settle } from './money-input.ts';
import { type Order, refundPackage, sellPackages } from './sell-packages.ts';

export interface PurchasesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** Decimals of the reward currency. */
  rewardScale(): Promise<number>;
}

const Reference = Type.String({ minLength: 1, maxLength: 200, description: "The business server's own name of it; shown on the bill." });

/** Far above any price, and so far below what a balance holds that sums of downlines stay exact. */
const PRICE_MAX = 10n ** 40n;

const PurchaseForm = Type.Object(
  {
    user_id: Id('Who bought.'),
    amount: DecimalInput('Price in the reward currency, above 0, at most 10^40.'),
    reference: Reference,
    external: Type.Optional(Type.Boolean({ description: 'Paid outside: nothing is debited to the wallet of the person. Default: false.' })),
  },
  // A currency that is ignored would be a purchase in another one than the operator meant.
  { additionalProperties: false },
);

const RefundForm = Type.Object(
  {
    amount: Type.Optional(DecimalInput('How much is paid back, above 0; default: all that remains.')),
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
    created_at: purchase.createdAt.toISOString(),
  };
}

function readAmount(text: string, scale: number): bigint {
  const amount = parseAmount(text, scale);
  if (amount <= 0n) throw invalidField('amount', 'not_positive', 'must be above 0');
  if (amount > PRICE_MAX * 10n ** BigInt(scale)) throw invalidField('amount', 'too_large', 'must be at most 10^40');
  return amount;
}

function readPurchaseId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || Number(text) > Number.MAX_SAFE_INTEGER) throw failure('not_found', { detail: 'There is no such purchase.' });
  return Number(text);
}

interface Asked {
  readonly form: Static<typeof PurchaseForm>;
  readonly scale: number;
}

/** Records what was bought; each purchase has its own fate. */
async function purchase(tx: Transaction, { clock, rewardCurrency }: PurchasesDeps, asked: readonly Asked[]): Promise<(Answer | Failure)[]> {
  const read = ({ form: { user_id, amount, reference, external = false }, scale }: Asked): Order => {
    return { userId: user_id, currency: rewardCurrency, amount: readAmount(amount, scale), reference, isExternal: external };
  };
  const orders = asked.map((one) => settle(() => read(one)));
  const sold = await sellPackages(
    tx,
    clock,
    orders.filter((order): order is Order => !(order instanceof Failure)),
  );
  const next = sold.values();
  const made = asked.map(({ scale }, i) => {
    const order = orders[i];
    const one = order instanceof Failure ? order : (next.next().value ?? failure('internal_error'));
    return one instanceof Failure ? one : toRecord(one, scale);
  });
  await recordEvents(
    tx,
    clock,
    made.flatMap((one) => (one instanceof Failure ? [] : [{ userId: one.user_id, type: 'package.purchased', data: { ...one } }])),
  );
  return made.map((one) => (one instanceof Failure ? one : { status: 200, body: one }));
}

async function refund(tx: Transaction, { clock }: PurchasesDeps, id: string, form: Static<typeof RefundForm>, scale: number): Promise<Answer> {
  const before = await lockPurchase(tx, readPurchaseId(id));
  const remains = before.amount - before.refunded;
  const amount = form.amount === undefined ? remains : readAmount(form.amount, scale);
  if (remains === 0n || amount > remains) throw failure('refund_too_large');
  const after = await refundPackage(tx, clock, before, amount, form.reference ?? before.reference);
  const record = toRecord(after, scale);
  await recordEvent(tx, clock, { userId: after.userId, type: 'package.refunded', data: { ...record } });
  return { status: 200, body: record };
}

export function registerPurchases(app: HttpServer, deps: PurchasesDeps): void {
  const { database, rewardScale } = deps;
  const send = createGroupSender<Asked>(database, (tx, asked) => purchase(tx, deps, asked));
  app.post(
    '/operator/purchases',
    {
      ...ACCESS,
      schema: {
        headers: IdempotencyHeaders,
        tags: ['operator'],
        summary: 'Record the purchase of a package',
        description: 'Debits the asset wallet of the person in the reward currency, or with `external` only records it. Needs an Idempotency-Key.',
        body: PurchaseForm,
        response: { 200: PurchaseVO },
      },
    },
    async (request, reply) => {
      return send(request, reply, { form: request.body, scale: await rewardScale() });
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
    async (request, reply) => {
      const scale = await rewardScale();
      return sendIdempotent(database, request, reply, (tx) => refund(tx, deps, request.params.id, request.body, scale));
    },
  );
  app.get(
    '/operator/purchases/:id',
    { ...ACCESS, schema: { tags: ['operator'], summary: 'Read a purchase', params: PurchasePath, response: { 200: PurchaseVO } } },
    async (request) => toRecord(await findPurchase(database, readPurchaseId(request.params.id)), await rewardScale()),
  );
}
