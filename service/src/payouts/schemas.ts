/** Requests and responses of `/me/payout-addresses` and `/payouts`. */
import Type, { type Static } from 'typebox';
import {
  Decimal,
  DecimalInput,
  Id,
  Page,
  PageParameters,
  StringEnum,
  Timestamp,
} from '../http/index.ts';
import { PasskeyAssertion, PasskeyOptions } from '../identity/index.ts';

export const PAYOUT_STATUSES = [
  'requested',
  'in_review',
  'approved',
  'signed',
  'sent',
  'confirmed',
  'failed',
  'cancelled',
  'rejected',
] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PAYOUT_REASONS = [
  'waits_for_check',
  'needs_review',
  'needs_second_approval',
  'approved_by_policy',
  'approved_by_operators',
  'taken_by_signer',
  'waits_for_signer_limit',
  'waits_for_hot_wallet',
  'refused_by_signer',
  'released_to_queue',
  'owner_inactive',
  'approver_inactive',
  'money_frozen',
  'in_pool',
  'in_block',
  'reverted_in_block',
  'nonce_used_in_block',
  'reorganised',
  'deep_enough',
  'reverted',
  'nonce_used',
  'paid_after_refund',
  'cancelled_by_user',
  'rejected_by_operator',
  'transaction_mismatch',
  'mismatch_accepted',
  'mismatch_refunded',
] as const;
export type PayoutReason = (typeof PAYOUT_REASONS)[number];

const NetworkCode = (description: string) =>
  Type.String({ minLength: 1, maxLength: 32, description });
const CurrencyCode = Type.String({ minLength: 1, maxLength: 64, description: 'Currency code.' });

export const AddressBody = Type.Object(
  {
    network: NetworkCode('Code of the network, as `GET /currencies` lists it.'),
    address: Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'With its checksum: EIP-55 on EVM networks, bech32 (BIP-173, BIP-350) or base58check on ' +
        'UTXO networks.',
    }),
    label: Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'Name of the address, for its owner, 1 to 40 characters.',
    }),
  },
  { additionalProperties: false },
);

export const PayoutAddress = Type.Object(
  {
    id: Id('The address.'),
    network: Type.String({ description: 'Code of the network.' }),
    network_name: Type.String({ description: 'Its name.' }),
    address: Type.String({ description: 'With its checksum.' }),
    label: Type.String({ description: 'Its name.' }),
    created_at: Timestamp('When it was added.'),
    usable_at: Timestamp('From when payouts to it are possible: 24 hours later.'),
  },
  { $id: 'PayoutAddress', description: 'An address that the user may be paid at.' },
);
export type PayoutAddress = Static<typeof PayoutAddress>;

export const TokenDecimals = Type.Integer({
  minimum: 0,
  maximum: 30,
  description:
    'Decimals of the token on this network. What is signed counts in 10^-decimals of the currency.',
});

/** Where a currency is on a network, as the signed texts name it. */
export const placeFields = {
  chain_id: Type.Optional(
    Type.Integer({ description: 'Of an EVM network (EIP-155). What is signed names it.' }),
  ),
  address_prefix: Type.Optional(
    Type.String({ description: 'Of a UTXO network: the prefix of its bech32 addresses.' }),
  ),
  contract: Type.Optional(
    Type.String({
      description:
        'Of the token, with its checksum; absent: the coin of the network itself. What is signed ' +
        'has it in lower case.',
    }),
  ),
};

export const QuoteQuery = Type.Object({
  currency: CurrencyCode,
  network: NetworkCode('Code of the network.'),
  amount: Type.Optional(DecimalInput('What would leave the wallet. Default: the minimum.')),
});

export const PayoutQuote = Type.Object(
  {
    currency: Type.String(),
    network: Type.String({ description: 'Code of the network.' }),
    amount: Decimal('What leaves the wallet.'),
    fee: Decimal('The part of it that the payout costs.'),
    arrives: Decimal('What arrives at the address.'),
    minimum: Decimal('The least that may leave the wallet.'),
    decimals: TokenDecimals,
    ...placeFields,
    left_today: Decimal('What the user may still ask for, by the limits of the last 24 hours.'),
    quote_version: Type.Integer({ description: 'Names these terms in the request.' }),
    valid_until: Timestamp('Until then the fee holds.'),
  },
  { $id: 'PayoutQuote', description: 'The terms of a payout.' },
);

const orderFields = {
  wallet: StringEnum(['asset'], 'Where the money is. Rewards are converted first.'),
  currency: CurrencyCode,
  amount: DecimalInput('What leaves the wallet, fee included. Above 0.'),
  address_id: Id('One of the user’s payout addresses; it names the network.'),
  quote_version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Of the quote that the user saw: its fee is taken. Default: the fee of now.',
    }),
  ),
};
export const PayoutOrder = Type.Object(orderFields, { additionalProperties: false });

export const PayoutRequest = Type.Object(
  {
    ...orderFields,
    passkey_credential: Type.Optional(PasskeyAssertion),
  },
  { additionalProperties: false },
);

export const SigningOptions = Type.Object(
  {
    order: Type.String({
      description:
        'Canonical JSON of what is paid to whom, with the `Idempotency-Key` as `request_id` and ' +
        'what arrives as `amount`, in the smallest unit of the token. Its SHA-256 is the ' +
        'challenge.',
    }),
    options: PasskeyOptions,
  },
  { $id: 'PayoutSigningOptions', description: 'What a passkey of the user signs.' },
);

export const payoutFields = {
  id: Id('The payout.'),
  status: StringEnum(PAYOUT_STATUSES, 'Where it is.'),
  reason_code: StringEnum(PAYOUT_REASONS, 'Why it is there.'),
  reason: Type.Optional(
    Type.String({ description: 'Why an operator rejected it, in the words of the operator.' }),
  ),
  currency: Type.String(),
  network: Type.String({ description: 'Code of the network.' }),
  network_name: Type.String({ description: 'Its name.' }),
  amount: Decimal('What leaves the wallet.'),
  fee: Decimal('The part of it that the payout costs.'),
  arrives: Decimal('What arrives at the address.'),
  address: Type.String({ description: 'With its checksum.' }),
  address_label: Type.String({ description: 'The name of the address.' }),
  tx_hash: Type.Optional(Type.String({ description: 'The transaction that pays it.' })),
  explorer_url: Type.Optional(Type.String({ description: 'Its page.' })),
  confirmations: Type.Integer({ minimum: 0, description: 'Blocks from its block to the head.' }),
  required_confirmations: Type.Integer({ description: 'As many make it `confirmed`.' }),
  requested_at: Timestamp('When it was requested.'),
  decided_at: Type.Optional(Timestamp('When it was approved or rejected.')),
  sent_at: Type.Optional(Timestamp('When its transaction was sent.')),
  confirmed_at: Type.Optional(Timestamp('When it was deep enough in the chain.')),
  updated_at: Timestamp('When it last changed.'),
};
export const Payout = Type.Object(payoutFields, {
  $id: 'Payout',
  description: 'A payout to an address on a chain.',
});
export type Payout = Static<typeof Payout>;

export const PayoutPage = Page(Payout);
export const PayoutQuery = Type.Object({
  status: Type.Optional(StringEnum(PAYOUT_STATUSES, 'Only with this status.')),
  ...PageParameters,
});
