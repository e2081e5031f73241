/**
 * `POST /operator/purchases`: a person bought a package; `…/refund`: some of it was paid back. Purchases that come at
 * once share a transaction, each with its own fate.
 */
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { findPurchase, type Purchase } from '../community/index.ts';
import type { Database, Transaction } from '../db/index.ts';
import { recordEvent, recordEvents } from '../events/index.ts';
import {
  type Answer,
  callerOf,
  createGroupSender,
  Decimal,
  DecimalInput,
  type HttpServer,
  Id,
  IdempotencyHeaders,
  readIdempotencyKey,
  sendIdempotent,
  Timestamp,
  Words,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { Failure, failure, invalidField } from '../lib/failures.ts';
import { parseAmount } from '../lib/money.ts';
import { settle, TextInput } from './money-input.ts';
import { type Order, refundPackage, sellPackages } from './sell-packages.ts';

export interface PurchasesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly rewardCurrency: string;
  /** Decimals of the reward currency. */
  rewardScale(): Promise<number>;
}

const Reference = TextInput("The business server's own name of it; shown on the bill.", 200);

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
  readonly idem: string;
  readonly form: Static<typeof PurchaseForm>;
  readonly scale: number;
}

/** Records what was bought; each purchase has its own fate. */
async function purchase(tx: Transaction, { clock, rewardCurrency }: PurchasesDeps, asked: readonly Asked[]): Promise<(Answer | Failure)[]> {
  const read = ({ idem, form: { user_id, amount, reference, external = false }, scale }: Asked): Order => {
    return { idem, userId: user_id, currency: rewardCurrency, amount: readAmount(amount, scale), reference, isExternal: external };
  };
  const orders = asked.map((one) => settle(() => read(one)));
  const sales = await sellPackages(
    tx,
    clock,
    orders.filter((order): order is Order => !(order instanceof Failure)),
  );
  const next = sales.values();
  const fates = orders.map((order) => (order instanceof Failure ? order : (next.next().value ?? failure('internal_error'))));
  const answers = fates.map((fate, i) => (fate instanceof Failure ? fate : { status: 200, body: toRecord(fate.purchase, asked[i]?.scale ?? 0) }));
  const fresh = answers.flatMap((answer, i) => {
    const fate = fates[i];
    return answer instanceof Failure || fate instanceof Failure || fate?.isAgain ? [] : [answer.body];
  });
  await recordEvents(
    tx,
    clock,
    fresh.map((record) => ({ userId: record.user_id, type: 'package.purchased', data: { ...record } })),
  );
  return answers;
}

interface AskedBack {
  readonly idem: string;
  readonly id: string;
  readonly form: Static<typeof RefundForm>;
  readonly scale: number;
}

async function refund(tx: Transaction, { clock }: PurchasesDeps, { idem, id, form: { amount, reference }, scale }: AskedBack): Promise<Answer> {
  const order = { idem, purchaseId: readPurchaseId(id), ...(amount !== undefined && { amount: readAmount(amount, scale) }), ...(reference && { reference }) };
  const { purchase: after, isAgain } = await refundPackage(tx, clock, order);
  const record = toRecord(after, scale);
  if (!isAgain) await recordEvent(tx, clock, { userId: after.userId, type: 'package.refunded', data: { ...record } });
  return { status: 200, body: record };
}

/** The name of a posting: of the caller and its key. */
function nameOf(kind: 'purchase' | 'purchase-refund', request: FastifyRequest): string {
  return `${kind}:${callerOf(request).clientId}:${readIdempotencyKey(request)}`;
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
      return send(request, reply, { idem: nameOf('purchase', request), form: request.body, scale: await rewardScale() });
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
      const asked = { idem: nameOf('purchase-refund', request), id: request.params.id, form: request.body, scale: await rewardScale() };
      return sendIdempotent(database, request, reply, (tx) => refund(tx, deps, asked));
    },
  );
  app.get(
    '/operator/purchases/:id',
    { ...ACCESS, schema: { tags: ['operator'], summary: 'Read a purchase', params: PurchasePath, response: { 200: PurchaseVO } } },
    async (request) => toRecord(await findPurchase(database, readPurchaseId(request.params.id)), await rewardScale()),
  );
}
