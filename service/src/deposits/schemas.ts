/** Shapes of the deposit endpoints. */
import Type, { type Static } from 'typebox';
import {
  Day,
  Decimal,
  Id,
  MessageCode,
  MessageValues,
  Page,
  PageParameters,
  StringEnum,
  Timestamp,
} from '../http/index.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';

export const DEPOSIT_STATUSES = [
  'confirming',
  'credited',
  'orphaned',
  'reversed',
  'below_minimum',
  'unsupported',
  'on_hold',
  'rejected',
] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

const CURRENCY = 'Code of the currency, for example `USDT`.';
const NETWORK = 'Network, for example `ETHEREUM`.';
const NETWORK_NAME = Type.String({
  description: 'What people call the network, for example `Ethereum`.',
});

export const AddressQuery = Type.Object(
  {
    currency: Type.String({ minLength: 1, maxLength: 32, description: CURRENCY }),
    currencyNetWork: Type.String({ minLength: 1, maxLength: 32, description: NETWORK }),
  },
  { additionalProperties: true },
);

export const AddressRecord = Type.Object(
  {
    currency: Type.String({ description: CURRENCY }),
    currency_network: Type.String({ description: NETWORK }),
    network_name: NETWORK_NAME,
    address: Type.String({ description: 'Address to send to, checksummed. It stays the same.' }),
    memo: Type.Optional(
      Type.String({
        description: 'Memo that must be given with the payment, on networks that have them.',
      }),
    ),
    contract_address: Type.Optional(
      Type.String({ description: 'The token contract; absent for the coin of the chain.' }),
    ),
    decimals: Type.Integer({ description: 'Decimals of the token on this network.' }),
    min_deposit: Decimal('Smallest amount that is credited.'),
    required_confirmations: Type.Integer({
      description: 'Blocks, the one with the payment included, after which it is credited.',
    }),
    estimated_seconds: Type.Integer({ description: 'How long that usually takes.' }),
    is_delayed: Type.Optional(
      Type.Literal(true, {
        description:
          'Present while the network is not watched: deposits are credited later, none is lost.',
      }),
    ),
    uri: Type.String({ description: 'Link for wallets and QR codes (EIP-681 or BIP-21).' }),
    warning: Type.String({
      description: 'What to mind before sending: show it beside the address.',
    }),
    created_at: Timestamp('When the address was made.'),
  },
  { description: 'The deposit address of the caller.' },
);

export const DepositRecord = Type.Object(
  {
    id: Id('Deposit.'),
    currency: Type.String({
      description: `${CURRENCY} \`UNKNOWN\` for a token that is not supported.`,
    }),
    currency_network: Type.String({ description: NETWORK }),
    network_name: NETWORK_NAME,
    amount: Decimal('Amount as the chain says; of an unknown token, its smallest units.'),
    address: Type.String({ description: 'Address that received it.' }),
    from_address: Type.Optional(
      Type.String({ description: 'Address that sent it, where the chain says.' }),
    ),
    contract_address: Type.Optional(
      Type.String({ description: 'The token contract; absent for the coin of the chain.' }),
    ),
    tx_hash: Type.String({ description: 'Transaction.' }),
    event_ordinal: Type.Integer({
      description:
        'Position in the transaction: of the log, -1 for the coin itself; of the output on UTXO ' +
        'chains.',
    }),
    block_number: Type.Integer({ description: 'Block that holds it, as last seen.' }),
    block_hash: Type.String({ description: 'Hash of that block.' }),
    confirmations: Type.Integer({
      minimum: 0,
      description: 'Blocks since, that one included; 0 while it is in no block.',
    }),
    required_confirmations: Type.Integer({ description: 'Confirmations that it needs.' }),
    status: StringEnum(
      DEPOSIT_STATUSES,
      '`confirming`: waiting for confirmations; `credited`: in the wallet; `orphaned`: its block ' +
        'was replaced, back to confirming if it is included again; `reversed`: likewise after it ' +
        'was credited, and taken back; `below_minimum`, `unsupported`, `on_hold`, `rejected`: ' +
        'not credited, see `reason`.',
    ),
    reason: Type.Optional(Type.String({ description: 'Why it has this status.' })),
    reason_code: MessageCode('reason', Object.keys(DEPOSIT_REASONS.texts)),
    reason_values: MessageValues('reason'),
    explorer_url: Type.Optional(Type.String({ description: 'Page of the transaction.' })),
    detected_at: Timestamp('First seen.'),
    confirmed_at: Type.Optional(Timestamp('Had its confirmations.')),
    credited_at: Type.Optional(Timestamp('Credited.')),
    reversed_at: Type.Optional(Timestamp('Taken back.')),
  },
  { description: 'One deposit.' },
);
export type DepositRecord = Static<typeof DepositRecord>;

export const RecordsQuery = Type.Object({
  currency: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description: `Only this currency. ${CURRENCY} \`UNKNOWN\` for tokens that are not supported.`,
    }),
  ),
  beginTime: Type.Optional(Day('First day, by `detected_at`, UTC.')),
  endTime: Type.Optional(Day('Last day, by `detected_at`, UTC.')),
  ...PageParameters,
});

export const DepositPage = Page(DepositRecord);
