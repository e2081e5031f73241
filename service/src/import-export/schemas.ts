/** The rows of the files that are imported and exported: one schema for each file. */
import Type, { type Static } from 'typebox';
import { PLAIN_TEXT, POSTING_TEXT, TEXT_MAX } from '../lib/text-limits.ts';

/** Ids below this are kept; ids of new users begin here. */
export const IMPORTED_ID_END = 2 ** 40;

const ID_DIGITS = '^[1-9][0-9]{0,15}$';
const INSTANT_FORM = 'RFC 3339, for example 2024-05-01T08:30:00Z';

const Id = (description: string) => Type.String({ pattern: ID_DIGITS, description });
const Instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ${INSTANT_FORM}.` });
const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
/** As the API takes it. */
const PlainText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: PLAIN_TEXT, description });
const PostingText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: POSTING_TEXT, description });
/** With tabs and line breaks, which histories of others have. */
const REMARK =
  '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$';
const Amount = (description: string) =>
  Type.String({
    pattern: '^-?(0|[1-9][0-9]{0,59})(\\.[0-9]{1,30})?$',
    description: `${description} Plain decimal in units of the currency, no exponent.`,
  });

const UserId = Id('Id of the user: `id` in people.');
const WalletCode = Type.String({
  pattern: '^[a-z][a-z0-9_]{1,31}$',
  description: 'Kind of wallet: `asset`, `bonus`, or one that the operator added.',
});
const CurrencyCode = Type.String({
  pattern: '^[A-Z][A-Z0-9]{1,15}$',
  description: 'Code of a currency that the service has.',
});
const UpdatedAt = Type.Optional(
  Instant('When the source last changed the row. `--since` skips imported rows that are older.'),
);
const file = { additionalProperties: false };

export const PersonRow = Type.Object(
  {
    id: Id('Id of the user in the source, below 2^40. It is kept.'),
    email: Type.Optional(
      Text(254, 'Email address, unique without regard to case. Only closed accounts have none.'),
    ),
    nickname: Type.Optional(
      Text(1600, 'Name to show, 1 to 40 characters. Default: the address up to the `@`.'),
    ),
    password: Type.Optional(
      Text(
        512,
        'MD5 of the password (32 hexadecimal digits), or a hash of that MD5 in lower case: ' +
          '`$argon2id$…`, `$2b$…` (bcrypt), `$scrypt$ln=…`, `$pbkdf2-sha256$…` or ' +
          '`$pbkdf2-sha512$…`. None: the user sets one by a reset.',
      ),
    ),
    password_input: Type.Optional(
      Type.String({
        enum: ['md5', 'plain', 'peppered_md5'],
        description:
          'What the hash was made of. Required beside a hash. `plain`: the password itself, ' +
          'which a sign-in cannot verify; the user sets a new one. `peppered_md5`: in exports.',
      }),
    ),
    referrer: Type.Optional(Id('Id of the user who referred this one; a smaller number.')),
    referral_code: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,32}$',
        description: 'Code that this user gives to others; stored in capitals. Default: a new one.',
      }),
    ),
    created_at: Instant('When the user registered.'),
    status: Type.Optional(
      Type.String({ enum: ['active', 'disabled', 'closed'], description: 'Default: `active`.' }),
    ),
    updated_at: UpdatedAt,
  },
  { ...file, title: 'people', description: 'A user of the service.' },
);

export const BalanceRow = Type.Object(
  {
    user_id: UserId,
    wallet: WalletCode,
    currency: CurrencyCode,
    amount: Amount('Balance with what is on hold, after all rows of bills.'),
    as_of: Type.Optional(Instant('When the balance was read.')),
    updated_at: UpdatedAt,
  },
  { ...file, title: 'balances', description: 'The balance of one currency in a wallet.' },
);

export const BillRow = Type.Object(
  {
    id: PostingText(64, 'Id of the bill in the source, unique within wallet and currency.'),
    user_id: UserId,
    wallet: WalletCode,
    currency: CurrencyCode,
    amount_direction: Type.String({ enum: ['1', '2'], description: '1 credit, 2 debit.' }),
    business_id: Text(64, 'Code of a transaction type that the service has.'),
    amount: Amount('Above zero.'),
    event_at: Instant('When it happened.'),
    reward_type: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,31}$',
        description: 'Type of a reward; required of an earning, as of `reward`.',
      }),
    ),
    node_id: Type.Optional(PostingText(TEXT_MAX.nodeId, 'Device that earned it.')),
    reference: Type.Optional(PostingText(TEXT_MAX.reference, 'Reference of the source.')),
    remark: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX.remark,
        pattern: REMARK,
        description: 'Text that the user sees.',
      }),
    ),
    updated_at: UpdatedAt,
  },
  { ...file, title: 'bills', description: 'An entry in the history of a wallet.' },
);

const Words = (description: string) =>
  Type.Optional(Text(8192, `${description} A JSON array of different texts.`));

export const DeviceRow = Type.Object(
  {
    node_id: Type.String({
      pattern: '^[A-Za-z0-9_-][A-Za-z0-9._:~-]{0,127}$',
      description: 'Identifier of the device, unique in the service.',
    }),
    user_id: UserId,
    device_type: Type.String({
      enum: ['TERMINAL', 'EXTENSION'],
      description: 'Kind of device.',
    }),
    key_thumbprint: Type.Optional(
      Text(128, 'RFC 7638 thumbprint of the key of a key-bound device; equal to `node_id`.'),
    ),
    name: Type.Optional(PlainText(128, 'Name that the user gave it.')),
    browser: Type.Optional(PlainText(128, 'Browser or client type.')),
    extension_version: Type.Optional(PlainText(128, 'Version of the extension or client.')),
    os: Type.Optional(PlainText(128, 'Operating system.')),
    timezone: Type.Optional(
      Type.String({ format: 'time-zone', description: 'Time zone of the IANA database.' }),
    ),
    capabilities: Words('What the device can do.'),
    granted_categories: Words('Categories of traffic that the user granted.'),
    created_at: Instant('When it was first registered.'),
    updated_at: UpdatedAt,
  },
  { ...file, title: 'devices', description: 'A device of a user. It signs in again by itself.' },
);

export const AddressRow = Type.Object(
  {
    user_id: UserId,
    network: Type.String({
      pattern: '^[A-Z][A-Z0-9_]{1,31}$',
      description: 'Code of a network that the service has; the address serves its whole family.',
    }),
    address: Text(128, 'The address, in the form with its checksum.'),
    xpub: Type.Optional(
      Text(128, 'Account key that the address derives from. Never a private key.'),
    ),
    derivation_index: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,10}$',
        description: 'Index below `xpub/0`. Required with `xpub`, and verified.',
      }),
    ),
    created_at: Instant('When the address was issued.'),
    updated_at: UpdatedAt,
  },
  { ...file, title: 'deposit_addresses', description: 'A deposit address of a user.' },
);

export const PurchaseRow = Type.Object(
  {
    id: PostingText(64, 'Id of the purchase in the source.'),
    user_id: UserId,
    currency: Type.String({
      pattern: '^[A-Z][A-Z0-9]{1,15}$',
      description: 'The reward currency, in which purchases are summed.',
    }),
    amount: Amount('Above zero.'),
    refunded: Type.Optional(Amount('Part of it that was paid back. Default: 0.')),
    reference: Type.Optional(
      PostingText(TEXT_MAX.purchaseReference, 'Reference of the source. Default: its id.'),
    ),
    created_at: Instant('When it was bought.'),
    updated_at: UpdatedAt,
  },
  { ...file, title: 'purchases', description: 'A purchase of a package; it moves no balance.' },
);

/** The files in the order in which they are applied. */
export const ROW_SCHEMAS = {
  people: PersonRow,
  balances: BalanceRow,
  bills: BillRow,
  devices: DeviceRow,
  deposit_addresses: AddressRow,
  purchases: PurchaseRow,
} as const;

export type FileName = keyof typeof ROW_SCHEMAS;
export const FILE_NAMES = Object.keys(ROW_SCHEMAS) as FileName[];

export type RowOf<Name extends FileName> = Static<(typeof ROW_SCHEMAS)[Name]>;
