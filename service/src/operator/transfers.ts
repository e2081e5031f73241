/** `POST /operator/transfers`: a batch of up to 1,000, each with its own result. */
import Type, { type Static } from 'typebox';
import type { Database, Transaction } from '../db/index.ts';
import { recordEvents } from '../events/index.ts';
import { callerOf, createItemCheck, type HttpServer, Id, IdempotencyHeaders, jsonBytesMax, sendIdempotent, validateBodyBy, Words } from '../http/index.ts';
import { BATCH_MAX, type Posting, postTransfers, type Reference, referenceOf, refuseNames, type UserWallet } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { findUnstorable } from '../lib/exact-json.ts';
import { Failure, invalidField } from '../lib/failures.ts';
import { businessIn, currencyIn } from '../wallets/index.ts';
import { AccountInput, accountIn, codeOfFailure, PostingFields, RewardType, settle, toAmount, toEventTime } from './money-input.ts';

const Item = Type.Object(
  {
    debit: AccountInput,
    credit: AccountInput,
    ...PostingFields,
    business_id: Type.String({ minLength: 1, maxLength: 64, description: 'Transaction type, for example `adjustment`.' }),
    reward_type: Type.Optional(RewardType),
    may_overdraw: Type.Optional(
      Type.Boolean({ description: 'The debit passes even if the account becomes negative, which freezes it, or was closed by its owner.' }),
    ),
  },
  { additionalProperties: false, description: 'Money from `debit` to `credit`.' },
);
type Item = Static<typeof Item>;

const Batch = Type.Object(
  {
    transfers: Type.Array(Item, { minItems: 1, maxItems: BATCH_MAX }),
    atomic: Type.Optional(Type.Boolean({ description: 'All or nothing: one refusal refuses all.' })),
  },
  { additionalProperties: false },
);

/** What the whole must look like; the items are judged one by one. */
const Envelope = Type.Object(
  { ...Batch.properties, transfers: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_MAX }) },
  { additionalProperties: false },
);
const findWrong = createItemCheck(Item);

/** The item, if it is well-formed. @throws `invalid_parameter` */
function checkItem(item: unknown): Item {
  const unstorable = findUnstorable(item, 'item');
  if (unstorable !== undefined) throw invalidField(unstorable, 'not_storable', 'holds NUL, a lone surrogate or a field of a forbidden name');
  const wrong = findWrong(item);
  if (wrong) throw invalidField(wrong.field, wrong.code, wrong.message);
  return item as Item;
}

const Results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Place in the batch, from 0.' }),
        status: Words(['posted', 'refused'], 'What became of it.'),
        id: Type.Optional(Id('The transfer.')),
        code: Type.Optional(Type.String({ description: 'Why it was refused; see `x-failure-codes`.' })),
        detail: Type.Optional(Type.String({ description: 'The same in words.' })),
      }),
    ),
  },
  { $id: 'TransferResults', description: 'In the order of the batch.' },
);
type Result = Static<typeof Results>['results'][number];

function toPosting(names: Reference, now: Date, idem: string, item: Item): Posting {
  const currency = currencyIn(names, item.currency);
  const { reward_type, node_id, reference, remark, may_overdraw } = item;
  const business = businessIn(names, item.business_id, 'business_id');
  if (business.isEarning && reward_type === undefined) throw invalidField('reward_type', 'required', 'is required of an earning');
  return {
    idem,
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

function noteOwners(changed: Map<number, Set<UserWallet>>, { debit, credit }: Posting): void {
  for (const ref of [debit, credit]) {
    if ('userId' in ref) changed.set(ref.userId, (changed.get(ref.userId) ?? new Set()).add(ref.wallet));
  }
}

/** Looks up everything that the items name, at once. */
async function lookUp(tx: Transaction, items: readonly Item[]): Promise<Reference> {
  const accounts = items.flatMap((item) => [item.debit, item.credit]);
  return referenceOf(tx, {
    currencies: items.map((item) => item.currency),
    businesses: items.map((item) => item.business_id),
    kinds: accounts.flatMap(({ wallet, house }) => wallet ?? house ?? []),
  });
}

function refused(index: number, why: Failure): Result {
  return { index, status: 'refused', ...codeOfFailure(why) };
}

interface Judged {
  idemOf(index: number): string;
  /** What is malformed is the same failure in both. */
  readonly checked: readonly (Item | Failure)[];
  readonly named: readonly (Posting | Failure)[];
  /** Nothing of the batch is posted. */
  readonly isOff: boolean;
}

/** A name may become known and a time come: what was refused for either stays refused, and the rest of a batch that is all or nothing. */
async function noteUnknown(tx: Transaction, { idemOf, checked, named, isOff }: Judged): Promise<void> {
  const names = named.flatMap((one, index) => {
    const idem = idemOf(index);
    if (one instanceof Failure) return one === checked[index] ? [] : { idem, code: one.code };
    return isOff ? { idem, code: 'batch_refused' as const } : [];
  });
  await refuseNames(tx, names);
}

async function postItems(tx: Transaction, clock: Clock, name: string, items: readonly unknown[], atomic: boolean): Promise<Result[]> {
  const checked = items.map((item) => settle(() => checkItem(item)));
  const names = await lookUp(
    tx,
    checked.filter((item): item is Item => !(item instanceof Failure)),
  );
  const now = clock.now();
  const idemOf: Judged['idemOf'] = (index) => `${name}:${index}`;
  const named = checked.map((item, index) => (item instanceof Failure ? item : settle(() => toPosting(names, now, idemOf(index), item))));
  const results = named.map((one, index): Result => (one instanceof Failure ? refused(index, one) : { index, status: 'refused', code: 'batch_refused' }));
  const postings = named.flatMap((posting, index) => (posting instanceof Failure ? [] : { index, posting }));
  const isOff = atomic && postings.length < items.length;
  await noteUnknown(tx, { idemOf, checked, named, isOff });
  if (isOff) return results;
  const posted = await postTransfers(
    tx,
    postings.map(({ posting }) => posting),
    { atomic, staysRefused: true },
  );
  const changed = new Map<number, Set<UserWallet>>();
  for (const [i, { index, posting }] of postings.entries()) {
    const result = posted[i];
    if (result?.status === 'posted') noteOwners(changed, posting);
    if (result?.status === 'refused') results[index] = { index, status: 'refused', code: result.code };
    else if (result) results[index] = { index, status: 'posted', id: result.transferId };
  }
  await recordEvents(
    tx,
    clock,
    [...changed].map(([userId, wallets]) => ({ userId, type: 'wallet.changed', data: { wallets: [...wallets] } })),
  );
  return results;
}

export interface OperatorTransfersDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const CONFIG = { access: { scopes: ['operator:transfers'] }, keepsUnstorable: true } as const;

export function registerOperatorTransfers(app: HttpServer, { database, clock }: OperatorTransfersDeps): void {
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
    async (request, reply) => {
      const name = `transfer:${callerOf(request).clientId}:${String(request.headers['idempotency-key'])}`;
      const { transfers, atomic = false } = request.body;
      return sendIdempotent(database, request, reply, async (tx) => ({
        status: 200,
        body: { results: await postItems(tx, clock, name, transfers, atomic) },
      }));
    },
  );
}
