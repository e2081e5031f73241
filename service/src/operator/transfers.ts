/** `POST /operator/transfers`: a batch of up to 1,000, each with its own result. */

import Type, { type Static } from 'typebox';
import { type Database, type Db, inAuditedTransaction } from '../db/index.ts';
import {
  Flag,
  type HttpServer,
  Id,
  IdempotencyHeaders,
  jsonBytesMax,
  readRequestKey,
  StringEnum,
  validateBodyBy,
} from '../http/index.ts';
import {
  BATCH_MAX,
  type Posting,
  type PostResult,
  postTransfers,
  type ReferenceData,
  type RequestKey,
  referenceOf,
  toFailure,
  toRefusedPosting,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure, failure, fieldError } from '../lib/failures.ts';
import { businessIn, currencyIn } from '../wallets/index.ts';
import {
  AccountInput,
  accountIn,
  describeFailure,
  PostingFields,
  RewardType,
  toAmount,
  toEventTime,
  toResult,
} from './money-schemas.ts';
import { operations } from './operations/money.ts';
import { createStorableItemValidator } from './validate-item.ts';

const Item = Type.Object(
  {
    debit: AccountInput,
    credit: AccountInput,
    ...PostingFields,
    business_id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Transaction type, for example `adjustment`.',
    }),
    reward_type: Type.Optional(RewardType),
    may_overdraw: Type.Optional(
      Flag(
        'The debit passes even if the account becomes negative, which freezes it, or was ' +
          'closed by its owner.',
      ),
    ),
  },
  { additionalProperties: false, description: 'Money from `debit` to `credit`.' },
);
type Item = Static<typeof Item>;

const Batch = Type.Object(
  {
    transfers: Type.Array(Item, { minItems: 1, maxItems: BATCH_MAX }),
    atomic: Type.Optional(Flag('All or nothing: one refusal refuses all.')),
  },
  { additionalProperties: false },
);

/** What the whole must look like; the items are validated one by one. */
const Envelope = Type.Object(
  {
    ...Batch.properties,
    transfers: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_MAX }),
  },
  { additionalProperties: false },
);
const validateItem = createStorableItemValidator(Item, 'item');

/** The item, if it is well-formed. @throws `invalid_parameter` */
function checkItem(item: unknown): Item {
  const checked = validateItem(item);
  if ('value' in checked) return checked.value;
  const { field, code, message } = checked.error;
  throw fieldError(field, code, message);
}

const Results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Place in the batch, from 0.' }),
        status: StringEnum(['posted', 'refused'], 'What became of it.'),
        id: Type.Optional(Id('The transfer.')),
        code: Type.Optional(
          Type.String({ description: 'Why it was refused; see `x-failure-codes`.' }),
        ),
        detail: Type.Optional(Type.String({ description: 'The same as text.' })),
      }),
    ),
  },
  { $id: 'TransferResults', description: 'In the order of the batch.' },
);
type Result = Static<typeof Results>['results'][number];

interface ItemContext {
  readonly names: ReferenceData;
  readonly now: Date;
  readonly key: RequestKey;
}

/** Keys of the items of a request; all stand for the whole request. */
function buildItemKey({ idempotencyKey, requestHash }: RequestKey, index: number): RequestKey {
  return { idempotencyKey: `${idempotencyKey}:${index}`, requestHash };
}

function toPosting({ names, now, key }: ItemContext, index: number, item: Item): Posting {
  const currency = currencyIn(names, item.currency);
  const { reward_type, node_id, reference, remark, may_overdraw } = item;
  const business = businessIn(names, item.business_id, 'business_id');
  if (business.isEarning && reward_type === undefined)
    throw fieldError('reward_type', 'required', 'is required of an earning');
  return {
    ...buildItemKey(key, index),
    requestKey: key.idempotencyKey,
    event: 'wallet.changed',
    debit: accountIn(names, 'debit.', item.debit),
    credit: accountIn(names, 'credit.', item.credit),
    currency: currency.code,
    amount: toAmount(item.amount, currency),
    businessId: business.code,
    ...toEventTime(item.event_at, now),
    ...(reward_type !== undefined && { rewardType: reward_type }),
    ...(node_id !== undefined && { nodeId: node_id }),
    ...(reference !== undefined && { reference }),
    ...(remark !== undefined && { remark }),
    ...(may_overdraw !== undefined && { mayOverdraw: may_overdraw }),
  };
}

/** Looks up everything that the items name, at once. */
async function loadReferenceData(db: Db, items: readonly Item[]): Promise<ReferenceData> {
  const accounts = items.flatMap((item) => [item.debit, item.credit]);
  return referenceOf(db, {
    currencies: items.map((item) => item.currency),
    businesses: items.map((item) => item.business_id),
    kinds: accounts.flatMap(({ wallet, house }) => wallet ?? house ?? []),
  });
}

/**
 * A result as the answer shows it. @throws `idempotency_key_reused`: the whole request is a
 * conflict then
 */
function toItemResult(result: PostResult, index: number): Result {
  if (result.status !== 'refused') return { index, status: 'posted', id: result.transferId };
  if (result.code === 'idempotency_key_reused') throw failure(result.code);
  const reason = result.details ? describeFailure(toFailure(result)) : { code: result.code };
  return { index, status: 'refused', ...reason };
}

interface Request {
  readonly key: RequestKey;
  readonly items: readonly unknown[];
  readonly atomic: boolean;
}

async function postItems(
  database: Database,
  clock: Clock,
  { key, items, atomic }: Request,
): Promise<Result[]> {
  const checked = items.map((item) => toResult(() => checkItem(item)));
  const names = await loadReferenceData(
    database,
    checked.filter((item): item is Item => !(item instanceof Failure)),
  );
  const context = { names, now: clock.now(), key };
  const named = checked.map((item, index) =>
    item instanceof Failure ? item : toResult(() => toPosting(context, index, item)),
  );
  // What cannot be posted is recorded with the rest: a currency may become known and a time come,
  // and it stays refused.
  const postings = named.map((one, index) =>
    one instanceof Failure
      ? { ...toRefusedPosting(buildItemKey(key, index), one), requestKey: key.idempotencyKey }
      : one,
  );
  const options = { atomic, persistRefusal: true };
  const results = await inAuditedTransaction(database, (db) =>
    postTransfers(db, postings, options),
  );
  return results.map(toItemResult);
}

const CONFIG = { access: { scopes: ['operator:transfers'] }, allowsUnstorableText: true } as const;

export function registerOperatorTransfers(
  app: HttpServer,
  { database, clock }: { database: Database; clock: Clock },
): void {
  app.post(
    '/operator/transfers',
    {
      bodyLimit: jsonBytesMax(Batch),
      validatorCompiler: validateBodyBy(Envelope),
      config: CONFIG,
      schema: {
        ...operations.postTransfers,
        headers: IdempotencyHeaders,
        body: Batch,
        response: { 200: Results },
      },
    },
    async (request) => {
      const { transfers, atomic = false } = request.body;
      const key = readRequestKey(request, 'transfer');
      return { results: await postItems(database, clock, { key, items: transfers, atomic }) };
    },
  );
}
