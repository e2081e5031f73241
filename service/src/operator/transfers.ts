/** `POST /operator/transfers`: a batch of up to 1,000, each with its own result. */
import Type, { type Static } from 'typebox';
import { type Database, type Db, transaction } from '../db/index.ts';
import {
  createItemCheck,
  type HttpServer,
  Id,
  IdempotencyHeaders,
  jsonBytesMax,
  requestKeyOf,
  validateBodyBy,
  Words,
} from '../http/index.ts';
import {
  BATCH_MAX,
  type Posting,
  postTransfers,
  type Reference,
  type RequestKey,
  referenceOf,
  refuseKeys,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { findUnstorable } from '../lib/exact-json.ts';
import { Failure, failure, fieldError } from '../lib/failures.ts';
import { businessIn, currencyIn } from '../wallets/index.ts';
import {
  AccountInput,
  accountIn,
  codeOfFailure,
  PostingFields,
  RewardType,
  toAmount,
  toEventTime,
  toResult,
} from './money-schemas.ts';

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
      Type.Boolean({
        description:
          'The debit passes even if the account becomes negative, which freezes it, or was closed by its owner.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Money from `debit` to `credit`.' },
);
type Item = Static<typeof Item>;

const Batch = Type.Object(
  {
    transfers: Type.Array(Item, { minItems: 1, maxItems: BATCH_MAX }),
    atomic: Type.Optional(
      Type.Boolean({ description: 'All or nothing: one refusal refuses all.' }),
    ),
  },
  { additionalProperties: false },
);

/** What the whole must look like; the items are judged one by one. */
const Envelope = Type.Object(
  {
    ...Batch.properties,
    transfers: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_MAX }),
  },
  { additionalProperties: false },
);
const validateItem = createItemCheck(Item);

/** The item, if it is well-formed. @throws `invalid_parameter` */
function checkItem(item: unknown): Item {
  const unstorable = findUnstorable(item, 'item');
  if (unstorable !== undefined)
    throw fieldError(
      unstorable,
      'not_storable',
      'holds NUL, a lone surrogate or a field of a forbidden name',
    );
  const wrong = validateItem(item);
  if (wrong) throw fieldError(wrong.field, wrong.code, wrong.message);
  return item as Item;
}

const Results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Place in the batch, from 0.' }),
        status: Words(['posted', 'refused'], 'What became of it.'),
        id: Type.Optional(Id('The transfer.')),
        code: Type.Optional(
          Type.String({ description: 'Why it was refused; see `x-failure-codes`.' }),
        ),
        detail: Type.Optional(Type.String({ description: 'The same in words.' })),
      }),
    ),
  },
  { $id: 'TransferResults', description: 'In the order of the batch.' },
);
type Result = Static<typeof Results>['results'][number];

/** Keys of the items of a request; all stand for the whole request. */
function keyOfItem({ idempotencyKey, requestHash }: RequestKey, index: number): RequestKey {
  return { idempotencyKey: `${idempotencyKey}:${index}`, requestHash };
}

function toPosting(
  names: Reference,
  now: Date,
  key: RequestKey,
  index: number,
  item: Item,
): Posting {
  const currency = currencyIn(names, item.currency);
  const { reward_type, node_id, reference, remark, may_overdraw } = item;
  const business = businessIn(names, item.business_id, 'business_id');
  if (business.isEarning && reward_type === undefined)
    throw fieldError('reward_type', 'required', 'is required of an earning');
  return {
    ...keyOfItem(key, index),
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
async function loadReferenceData(db: Db, items: readonly Item[]): Promise<Reference> {
  const accounts = items.flatMap((item) => [item.debit, item.credit]);
  return referenceOf(db, {
    currencies: items.map((item) => item.currency),
    businesses: items.map((item) => item.business_id),
    kinds: accounts.flatMap(({ wallet, house }) => wallet ?? house ?? []),
  });
}

function refused(index: number, why: Failure): Result {
  return { index, status: 'refused', ...codeOfFailure(why) };
}

/**
 * Records the items that cannot be posted: a currency may become known and a time come, and what was refused stays refused;
 * so does the rest of a request that is all or nothing.
 * @throws `idempotency_key_reused` when a key stands for another request
 */
async function recordRefused(
  database: Database,
  key: RequestKey,
  postings: readonly (Posting | Failure)[],
  isAllRefused: boolean,
): Promise<void> {
  const refusals = postings.flatMap((posting, index) => {
    if (posting instanceof Failure) return { ...keyOfItem(key, index), code: posting.code };
    return isAllRefused ? { ...keyOfItem(key, index), code: 'batch_refused' as const } : [];
  });
  if (refusals.length === 0) return;
  const results = await transaction(database, (tx) => refuseKeys(tx, refusals));
  const isReused = results.some(
    (result) => result.status === 'refused' && result.code === 'idempotency_key_reused',
  );
  if (isReused) throw failure('idempotency_key_reused');
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
  const now = clock.now();
  const named = checked.map((item, index) =>
    item instanceof Failure ? item : toResult(() => toPosting(names, now, key, index, item)),
  );
  const results = named.map(
    (one, index): Result =>
      one instanceof Failure
        ? refused(index, one)
        : { index, status: 'refused', code: 'batch_refused' },
  );
  const postings = named.flatMap((posting, index) =>
    posting instanceof Failure ? [] : { index, posting },
  );
  const isAllRefused = atomic && postings.length < items.length;
  await recordRefused(database, key, named, isAllRefused);
  if (isAllRefused || postings.length === 0) return results;
  const posted = await postTransfers(
    database,
    postings.map(({ posting }) => posting),
    { atomic, persistRefusal: true },
  );
  for (const [i, { index }] of postings.entries()) {
    const result = posted[i];
    if (result?.status === 'refused' && result.code === 'idempotency_key_reused')
      throw failure(result.code);
    if (result?.status === 'refused')
      results[index] = { index, status: 'refused', code: result.code };
    else if (result) results[index] = { index, status: 'posted', id: result.transferId };
  }
  return results;
}

export interface OperatorTransfersDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const CONFIG = { access: { scopes: ['operator:transfers'] }, allowsUnstorableText: true } as const;

export function registerOperatorTransfers(
  app: HttpServer,
  { database, clock }: OperatorTransfersDeps,
): void {
  app.post(
    '/operator/transfers',
    {
      bodyLimit: jsonBytesMax(Batch),
      validatorCompiler: validateBodyBy(Envelope),
      config: CONFIG,
      schema: {
        headers: IdempotencyHeaders,
        tags: ['operator'],
        summary: 'Post a batch of transfers',
        description: `Up to ${BATCH_MAX}; one refusal, a malformed item included, never fails its neighbours, unless \`atomic\` is true. Needs an \`Idempotency-Key\`.`,
        body: Batch,
        response: { 200: Results },
      },
    },
    async (request) => {
      const { transfers, atomic = false } = request.body;
      const key = requestKeyOf(request, 'transfer');
      return { results: await postItems(database, clock, { key, items: transfers, atomic }) };
    },
  );
}
