/**
 * Names of the ledger: kinds of wallets, currencies, transaction types. Their numbers stand in the
 * rows, so what one stands for must never change.
 */
import type { ReferenceData } from '../reference-data.ts';
import { namesOf, type SignedBusiness, type SignedNames } from '../signed-reference-data.ts';
import { USER_KINDS } from '../wallet-ids.ts';
import type { Findings } from './findings.ts';

const FIRST_KINDS: readonly (readonly [id: number, code: string])[] = [
  [1, 'asset'],
  [2, 'bonus'],
  [32, 'reward_pool'],
  [33, 'deposit_clearing'],
  [34, 'withdrawal_clearing'],
  [35, 'package_sales'],
  [36, 'conversion'],
  [37, 'adjustment'],
  [38, 'external_sales'],
  [39, 'fees'],
  [40, 'treasury'],
];

/** By their ids from 1 on. */
const FIRST_CURRENCIES: readonly (readonly [code: string, scale: number])[] = [
  ['EDGE', 18],
  ['USDT', 6],
  ['ETH', 18],
];
/**
 * Types that the baseline of the schema inserts. The list is closed: operators own the ids behind
 * it, so a type that is built in later has another id in each ledger.
 */
const FIRST_BUSINESSES: readonly Omit<SignedBusiness, 'id'>[] = [
  {
    code: 'deposit',
    is_earning: false,
    counter: 'deposited',
    credit_sign: 1,
    reversed_as: 'deposit_reversal',
  },
  {
    code: 'deposit_reversal',
    is_earning: false,
    counter: 'deposited',
    credit_sign: 1,
    reversed_as: 'deposit',
  },
  {
    code: 'withdrawal',
    is_earning: false,
    counter: 'withdrawn',
    credit_sign: -1,
    reversed_as: 'withdrawal_refund',
  },
  {
    code: 'withdrawal_refund',
    is_earning: false,
    counter: 'withdrawn',
    credit_sign: -1,
    reversed_as: 'withdrawal',
  },
  { code: 'withdrawal_fee', is_earning: false, counter: null, credit_sign: 1, reversed_as: null },
  {
    code: 'package_purchase',
    is_earning: false,
    counter: null,
    credit_sign: 1,
    reversed_as: 'package_refund',
  },
  {
    code: 'package_refund',
    is_earning: false,
    counter: null,
    credit_sign: 1,
    reversed_as: 'package_purchase',
  },
  { code: 'reward', is_earning: true, counter: null, credit_sign: 1, reversed_as: null },
  { code: 'referral_reward', is_earning: true, counter: null, credit_sign: 1, reversed_as: null },
  { code: 'conversion_in', is_earning: false, counter: null, credit_sign: 1, reversed_as: null },
  { code: 'conversion_out', is_earning: false, counter: null, credit_sign: 1, reversed_as: null },
  { code: 'adjustment', is_earning: false, counter: null, credit_sign: 1, reversed_as: null },
];

/** Those that every ledger begins with. */
const FIRST: SignedNames = {
  kinds: FIRST_KINDS.map(([id, code]) => ({ id, code })),
  currencies: FIRST_CURRENCIES.map(([code, scale], i) => ({ id: i + 1, code, scale })),
  businesses: FIRST_BUSINESSES.map((business, i) => ({ id: i + 1, ...business })),
};

/** What each row stands for, as text. */
export type KnownNames = Map<string, string>;

function describeNames({
  kinds = [],
  currencies = [],
  businesses = [],
}: SignedNames): (readonly [row: string, what: string])[] {
  return [
    ...kinds.map(({ id, code }) => [`wallet_kind ${id}`, code] as const),
    ...currencies.map(
      ({ id, code, scale }) => [`currency ${id}`, `${code} of ${scale} decimals`] as const,
    ),
    ...businesses.map(({ id, code, is_earning, counter, credit_sign, reversed_as }) => {
      const counts = `counts ${credit_sign} as ${counter ?? 'nothing'}`;
      const earning = is_earning ? 'an earning' : 'no earning';
      const what = `${code}, ${earning}, ${counts}, reversed as ${reversed_as ?? 'itself'}`;
      return [`transaction_type ${id}`, what] as const;
    }),
  ];
}

/** Takes what a head names, unless an older one named it. */
export function noteNames(known: KnownNames, names: SignedNames): void {
  for (const [row, what] of describeNames(names)) {
    if (!known.has(row)) known.set(row, what);
  }
}

/** @param signed what the oldest signed head that names a row says of it */
export function verifyNames(
  reference: ReferenceData,
  signed: KnownNames,
  findings: Findings,
): void {
  const stored = new Map(describeNames(namesOf(reference)));
  for (const [row, what] of new Map([...signed, ...describeNames(FIRST)])) {
    const now = stored.get(row);
    if (now === undefined) findings.add('names', row, `is missing: it is ${what}`);
    else if (now !== what) findings.add('names', row, `was changed: it is ${what}`);
  }
  for (const { id, isHouse } of reference.kindsById.values()) {
    if (isHouse !== id >= USER_KINDS)
      findings.add('names', `wallet_kind ${id}`, 'was changed: it is on the wrong side');
  }
}
