/** Requests and responses of `/operator/payouts…`. */
import Type, { type Static } from 'typebox';
import { CappedPage, Decimal, DecimalInput, Id, StringEnum, Timestamp } from '../http/index.ts';
import { PasskeyAssertion } from '../identity/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import type { Decision } from './decisions.ts';
import type { TokenNow } from './find-tokens.ts';
import type { PolicyVersion } from './policy.ts';
import { type PayoutRow, toPayout } from './queries.ts';
import { toPlace } from './quote-payout.ts';
import { REVIEW_REASONS } from './review-payouts.ts';
import { payoutFields, placeFields, TokenDecimals } from './schemas.ts';
import { COIN_DECIMALS } from './settle-payout.ts';

const Code = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });
const RULES_MAX = 200;

const ruleAmounts = {
  fee: 'What a payout costs its user.',
  minimum: 'The least that may leave the wallet, fee included; above the fee.',
  person_day_max: 'The most that one person may ask for in 24 hours, on all networks.',
  day_max: 'The most that all may ask for in 24 hours, on all networks.',
  email_only_day_max: 'As `person_day_max`, of a person without authenticator and passkey.',
  automatic_max: 'Approved by the policy up to this amount.',
  four_eyes_above: 'Two operators approve above this amount.',
} as const;
type AmountName = keyof typeof ruleAmounts;
const AMOUNT_NAMES = Object.keys(ruleAmounts) as AmountName[];

function amountFields<T>(make: (description: string) => T): Record<AmountName, T> {
  const fields = AMOUNT_NAMES.map((name) => [name, make(ruleAmounts[name])]);
  return Object.fromEntries(fields) as Record<AmountName, T>;
}

const policyFields = {
  automatic_age_days: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    description: 'Accounts that are younger are reviewed. Unit: days.',
  }),
  reviews_new_address: Type.Optional(
    Type.Boolean({
      description:
        'Whether an operator looks at payouts to an address that was never paid. Default: true.',
    }),
  ),
  sanctions_url: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        'https. Gets a POST with `payout_id, network, currency, address, document_hash`, and ' +
        'answers `{"allowed": true}` or denies. No payout is approved before it answers. Absent: ' +
        'no check.',
    }),
  ),
};

export const PolicyBody = Type.Object(
  {
    rules: Type.Array(
      Type.Object(
        {
          currency: Code('Currency code.'),
          network: Code('Code of the network.'),
          ...amountFields(DecimalInput),
        },
        { additionalProperties: false },
      ),
      { maxItems: RULES_MAX, description: 'One for each currency and network that is paid out.' },
    ),
    ...policyFields,
  },
  { additionalProperties: false },
);

export const PolicyVO = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'Number of the version.' }),
    rules: Type.Array(
      Type.Object({
        currency: Type.String(),
        network: Type.String({ description: 'Code of the network.' }),
        ...amountFields((description) => Type.String({ format: 'decimal', description })),
      }),
    ),
    ...policyFields,
    created_by: Type.String({ description: '`user:` or `client:` and the id.' }),
    created_at: Timestamp('When it was written.'),
  },
  { $id: 'PayoutPolicy', description: 'A version of the payout policy.' },
);

export const toPolicyVO = (policy: PolicyVersion): Static<typeof PolicyVO> => ({
  ...policy,
  rules: [...policy.rules],
});

const DecisionVO = Type.Object({
  decision: Type.String({ description: 'For example `approved`.' }),
  decided_by: Type.String({
    description: '`user:`, `client:`, `policy:`, `signer:`, `chain:` or `service:` and the id.',
  }),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'By decision.' }),
  created_at: Timestamp('When.'),
});

export const ReviewedPayout = Type.Object(
  {
    ...payoutFields,
    user_id: Id('Whose.'),
    review_reasons: Type.Array(StringEnum(REVIEW_REASONS, 'Why an operator looks at it.')),
    approvals_needed: Type.Integer({ description: 'Distinct operators who must approve.' }),
    step_up: StringEnum(['strong', 'email'], 'How the request was proven.'),
    document: Type.String({ description: 'Canonical JSON: what approvers sign.' }),
    document_hash: Type.String({ description: 'SHA-256 of the document, base64url.' }),
    decimals: Type.Optional(TokenDecimals),
    ...placeFields,
    sanctions: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'What the check answered.' }),
    ),
    network_fee: Type.Optional(Decimal('What the chain took, in its coin.')),
    coin: Type.Optional(
      Type.String({
        description:
          'On a UTXO network, once sent: an output that all its transactions spend. Hash of ' +
          'its transaction, a colon, its number.',
      }),
    ),
    mismatch_outcome: Type.Optional(
      StringEnum(
        ['confirmed', 'failed'],
        'What an operator decided about a transaction that does not pay what the document says.',
      ),
    ),
    refunds: Type.Integer({
      minimum: 0,
      description:
        'How often its money was given back after the signer had taken it. Above 0 and ' +
        '`confirmed`: the chain paid it after that, and the money was taken again.',
    }),
    decisions: Type.Array(DecisionVO, { description: 'In their order.' }),
  },
  { $id: 'ReviewedPayout', description: 'A payout as operators see it.' },
);

export function toReviewed(
  row: PayoutRow,
  decisions: readonly Decision[],
  token: TokenNow | undefined,
): Static<typeof ReviewedPayout> {
  const { document, document_hash, sanctions, network_fee } = row;
  const isEvm = (JSON.parse(document) as { chain_id: number | null }).chain_id !== null;
  const coinDecimals = COIN_DECIMALS[isEvm ? 'evm' : 'utxo'];
  return {
    ...toPayout(row),
    user_id: row.user_id,
    review_reasons: row.review_reasons as Static<typeof ReviewedPayout>['review_reasons'],
    approvals_needed: row.approvals_needed,
    step_up: row.step_up,
    document,
    document_hash,
    ...(token && { decimals: token.decimals, ...toPlace(token) }),
    ...(sanctions && { sanctions }),
    ...(row.coin !== null && { coin: row.coin }),
    ...(network_fee !== null && { network_fee: exactAmount(network_fee, coinDecimals) }),
    ...(row.mismatch_outcome && { mismatch_outcome: row.mismatch_outcome }),
    refunds: row.refunds,
    decisions: decisions
      .filter(({ payout_id }) => payout_id === row.id)
      .map(({ decision, decided_by, details, created_at }) => ({
        ...{ decision, decided_by, details },
        created_at: created_at.toISOString(),
      })),
  };
}

export const ReviewedPage = CappedPage(ReviewedPayout);

const PlainText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$',
    description,
  });

export const ApproveBody = Type.Object(
  { passkey_credential: PasskeyAssertion },
  { additionalProperties: false },
);
export const RejectBody = Type.Object(
  {
    remark: PlainText('Why; kept in the audit log.'),
    reason: Type.Optional(PlainText('Why, for the owner of the payout, who reads it.')),
  },
  { additionalProperties: false },
);
export const ReleaseBody = Type.Object(
  { remark: PlainText('Why; kept in the audit log.') },
  { additionalProperties: false },
);
export const MismatchBody = Type.Object(
  {
    outcome: StringEnum(
      ['confirmed', 'failed'],
      '`confirmed`: the transaction counts as the payment; `failed`: the money is given back.',
    ),
    remark: PlainText('Why; kept in the audit log.'),
  },
  { additionalProperties: false },
);
export const StopBody = Type.Object(
  { reason: PlainText('Why; kept in the audit log.') },
  { additionalProperties: false },
);
export const StopList = Type.Array(
  Type.Object({
    currency: Type.String(),
    reason: Type.String({ description: 'Why.' }),
    stopped_by: Type.String({ description: '`user:` or `client:` and the id.' }),
    stopped_at: Timestamp('Since when.'),
  }),
  { description: 'The currencies whose payouts are stopped.' },
);
export const ApproverKeys = Type.Array(
  Type.Object({
    user_id: Id('The operator.'),
    name: Type.String({ description: 'Of the passkey.' }),
    credential_id: Type.String({ description: 'base64url.' }),
    public_key: Type.String({ description: 'COSE key, base64url.' }),
  }),
  { description: 'For the configuration of the signer.' },
);
