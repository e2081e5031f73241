/** Records and parameters of the wallet endpoints. */
import Type, { type Static } from 'typebox';
import {
  Day,
  Decimal,
  DecimalInput,
  Id,
  Page,
  PageParameters,
  StringEnum,
  Timestamp,
} from '../http/index.ts';
import type { UserWallet } from '../ledger/index.ts';
import type { ExactDecimal } from '../lib/exact-json.ts';
import { LANGUAGES } from '../lib/language.ts';

export interface WalletOwner {
  readonly userId: number;
  readonly wallet: UserWallet;
}

const Code = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Currency code, for example `EDGE`.',
});

export const Account = Type.Object(
  {
    currency: Code,
    balance: Decimal('Available balance.'),
    hold: Decimal('Frozen balance, apart from the available one.'),
    deposited: Decimal('Cumulative deposit.'),
    withdrawal: Decimal('Cumulative withdrawal.'),
  },
  { $id: 'Account', description: 'One currency of the asset wallet.' },
);
export const AccountList = Type.Array(Account, { description: 'Every currency, zeros included.' });

export const RewardAsset = Type.Object(
  {
    ...Account.properties,
    by_reward_type: Type.Array(
      Type.Object({
        reward_type: Type.String({ description: 'Reward type.' }),
        amount: Decimal('Earned with it in this wallet in all, penalties deducted.'),
      }),
      { description: 'What the rewards that came into this wallet in this currency came from.' },
    ),
  },
  { $id: 'RewardAsset', description: 'One currency of the reward wallet.' },
);
export const RewardAssetList = Type.Array(RewardAsset, {
  description: 'Every currency, zeros included.',
});

export const CurrencyQuery = Type.Object({ currency: Type.Optional(Code) });

export const BillRecord = Type.Object(
  {
    id: Id('Bill.'),
    transfer_id: Id('The transfer that the bill is one side of; it can be reversed under this id.'),
    currency: Code,
    business_id: Type.String({ description: 'Transaction type, for example `deposit`.' }),
    amount_direction: Type.Integer({
      minimum: 1,
      maximum: 2,
      description: '1 = credit, 2 = debit.',
    }),
    amount: Decimal('Positive.'),
    balance_after: Decimal('Available balance and hold together, after this bill.'),
    reward_type: Type.Optional(Type.String({ description: 'Of rewards.' })),
    counterparty: Type.Optional(
      Type.String({ description: 'The other side: `user:ID`, or an account of the house.' }),
    ),
    reference: Type.Optional(Type.String({ description: 'Reference of the business server.' })),
    remark: Type.Optional(Type.String()),
    event_at: Timestamp('When it happened or was earned.'),
    created_at: Timestamp('When it was posted; bills are filtered and sorted by it.'),
    // Fields that were added stand last: so do their columns in CSV, where others keep their place.
    node_id: Type.Optional(Type.String({ description: 'The device that earned it.' })),
  },
  { $id: 'Bill', description: 'A movement of money in a wallet.' },
);
export type BillRecord = Static<typeof BillRecord>;
export const BillPage = Page(BillRecord);

export const BillFilterParameters = {
  currency: Type.Optional(Code),
  amountDirection: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2, description: '1 = credit, 2 = debit.' }),
  ),
  businessId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Transaction type, for example `deposit`.',
    }),
  ),
  beginTime: Type.Optional(Day('First day.')),
  endTime: Type.Optional(Day('Last day, included.')),
};
export const BillFilterQuery = Type.Object(BillFilterParameters);
export type BillFilterQuery = Static<typeof BillFilterQuery>;
export const BillQuery = Type.Object({ ...BillFilterParameters, ...PageParameters });
export type BillQuery = Static<typeof BillQuery>;

/** As many days as a page of bills can have. */
export const INTERVALS_MAX = 20;
export const SubtotalsQuery = Type.Object({
  intervals: Type.String({
    minLength: 1,
    maxLength: 2 * INTERVALS_MAX * 50,
    description:
      `1 to ${INTERVALS_MAX} intervals, separated by commas, each START/END (ISO 8601): instants ` +
      'in UTC with milliseconds. An interval includes its start, but not its end. The days of a ' +
      'time zone, for example: `2026-11-09T23:00:00.000Z/2026-11-10T23:00:00.000Z`.',
  }),
});
export const StatementQuery = Type.Object({
  month: Type.String({
    pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
    description: 'UTC month, `yyyy-MM`; one that is not over ends at the time of the request.',
  }),
  language: Type.Optional(
    StringEnum(LANGUAGES, 'Of the document. Default: by `Accept-Language`, or else English.'),
  ),
});
const IntervalSubtotals = Type.Object(
  {
    from: Timestamp('Start of the interval, included.'),
    before: Timestamp('End of the interval, not included.'),
    subtotals: Type.Array(
      Type.Object({
        currency: Code,
        amount: Decimal('Credits minus debits of the bills; negative where more went out.'),
        bills: Type.Integer({ minimum: 1, description: 'Number of bills.' }),
      }),
      { description: 'Currencies that have bills in the interval.' },
    ),
  },
  { $id: 'IntervalSubtotals', description: 'What the bills of an interval add up to.' },
);
export type IntervalSubtotals = Static<typeof IntervalSubtotals>;
export const IntervalSubtotalsList = Type.Array(IntervalSubtotals, {
  description: 'In the order of the request.',
});

function OrNull<T>(schema: object) {
  return Type.Unsafe<T | null>({ anyOf: [schema, { type: 'null' }] });
}

export const AssetSummary = Type.Object(
  {
    quote_currency: Code,
    total: Decimal('Sum of the values shown.'),
    partial: Type.Optional(
      Type.Boolean({
        description: 'True when an asset has no price and is left out of the total.',
      }),
    ),
    as_of: Timestamp('When the summary was made.'),
    assets: Type.Array(
      Type.Object({
        currency: Code,
        balance: Decimal('Available balance.'),
        hold: Decimal('Frozen balance.'),
        price: OrNull<ExactDecimal>(
          Decimal('Units of the quote currency for one unit; null when there is no price.'),
        ),
        priced_at: OrNull<string>(Timestamp('When the price was set; null when there is none.')),
        value: OrNull<ExactDecimal>(
          Decimal('(balance + hold) × price, rounded half to even once.'),
        ),
      }),
      { description: 'Every currency, zeros included.' },
    ),
  },
  { $id: 'AssetSummary', description: 'What a wallet is worth in one currency.' },
);
export type AssetSummary = Static<typeof AssetSummary>;
export const AssetQuery = Type.Object({
  quoteCurrency: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Default: the currency of the setting `DISPLAY_CURRENCY`.',
    }),
  ),
});

export const QuoteOrder = Type.Object(
  {
    currency: Code,
    amount: DecimalInput('How much of the reward wallet to convert; at most 10^40 minor units.'),
    to_currency: Type.Optional(Code),
  },
  {
    additionalProperties: false,
    description: 'What to convert; `to_currency` defaults to the same currency.',
  },
);
export type QuoteOrder = Static<typeof QuoteOrder>;

const QuoteFields = {
  quote_id: Type.String({ description: 'Names the offer; it can be taken once.' }),
  currency: Code,
  amount: Decimal('Leaves the reward wallet.'),
  to_currency: Code,
  to_amount: Decimal('Arrives in the asset wallet.'),
  price: Decimal('Units of `to_currency` for one unit of `currency`.'),
  priced_at: Timestamp('When the price was set.'),
  expires_at: Timestamp(
    'Until when the offer holds: a minute, or until its price is 10 minutes old.',
  ),
};
export const Quote = Type.Object(QuoteFields, {
  $id: 'ConversionQuote',
  description: 'An offer to convert rewards.',
});
export const ConvertOrder = Type.Object(
  {
    quote_id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Of the offer that is taken.',
    }),
  },
  { additionalProperties: false },
);
export const Conversion = Type.Object(
  {
    ...QuoteFields,
    converted_at: Timestamp('When it was done.'),
    debit_transfer_id: Id('The transfer out of the reward wallet.'),
    credit_transfer_id: Id('The transfer into the asset wallet.'),
  },
  { $id: 'Conversion', description: 'A conversion that was made.' },
);
