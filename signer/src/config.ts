/** The signer's own configuration: it trusts these keys and limits, and not the service. */
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

const Units = (description: string) =>
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    description: `${description} In the smallest unit of the token.`,
  });
const Wei = (description: string) =>
  Type.String({ pattern: '^[1-9][0-9]{0,38}$', description: `${description} Unit: wei.` });
const Url = (description: string) =>
  Type.String({ pattern: '^https?://', maxLength: 2048, description });

const Token = Type.Object(
  {
    currency: Type.String({ minLength: 1, description: 'Currency code.' }),
    contract: Type.Union([Type.String({ pattern: '^0x[0-9a-f]{40}$' }), Type.Null()], {
      description: 'Lower case; null: the chain’s own coin.',
    }),
    payout_max: Units('The most that one payout may pay.'),
    hour_max: Units('The most that is paid in an hour.'),
    address_hour_max: Units('The most that one address is paid in an hour.'),
    automatic_max: Units('Paid without an operator up to this amount; 0: never.'),
    four_eyes_above: Units('Two operators must have approved above this amount.'),
  },
  { additionalProperties: false },
);

const Operator = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'The person; four eyes are two of them.' }),
    user_id: Type.Integer({
      minimum: 1,
      description: 'Their account, whose payouts are not theirs.',
    }),
    keys: Type.Array(
      Type.Object({
        credential_id: Type.String({ minLength: 1 }),
        public_key: Type.String({ minLength: 1, description: 'COSE key, base64url.' }),
      }),
      { minItems: 1, description: 'As `GET /operator/payout-approver-keys` shows them.' },
    ),
  },
  { additionalProperties: false },
);

export const ConfigSchema = Type.Object(
  {
    service_url: Url('Base address of the service.'),
    client_id: Type.String({ minLength: 1, description: 'Of the client `operator:payouts-sign`.' }),
    state_file: Type.String({ minLength: 1, description: 'SQLite file; back it up like the key.' }),
    network: Type.String({ minLength: 1, description: 'Code of the network at the service.' }),
    chain_id: Type.Integer({ minimum: 1, description: 'The chain that is signed for.' }),
    rpc_url: Url('The signer’s own endpoint of the chain.'),
    tokens: Type.Array(Token, { minItems: 1 }),
    operators: Type.Array(Operator),
    ledger_keys: Type.Array(
      Type.Object({
        kid: Type.String({ minLength: 1 }),
        x: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Ed25519, base64url.' }),
      }),
      {
        minItems: 1,
        description: 'Keys of the ledger’s heads, as `GET /.well-known/ledger-keys.json` has them.',
      },
    ),
    head_age_max_s: Type.Integer({
      default: 600,
      minimum: 10,
      description: 'Heads of the ledger that are older, or newer, are refused. Unit: seconds.',
    }),
    rp_id: Type.String({
      minLength: 1,
      description: 'Relying party of the passkeys: a host name.',
    }),
    origins: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Origins of the console, of operators and users.',
    }),
    max_fee_per_gas: Wei('Never signs for more; payouts wait while the chain costs more.'),
    max_priority_fee_per_gas: Wei('What the producer of the block gets.'),
    gas_max: Type.Integer({ default: 500_000, minimum: 21_000, description: 'Of one payout.' }),
    gas_budget_day: Wei('The most that may be spent on gas in 24 hours.'),
    confirmations: Type.Integer({ default: 65, minimum: 1, description: 'Depth taken as final.' }),
    stuck_after_s: Type.Integer({
      default: 180,
      minimum: 1,
      description: 'A transaction that waits longer is replaced at a higher fee. Unit: seconds.',
    }),
    document_age_max_s: Type.Integer({
      default: 2_592_000,
      minimum: 60,
      description: 'Older documents are refused. Unit: seconds.',
    }),
    documents_since: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z$',
        description:
          'Documents issued before are refused. Required with a new state for a wallet that has ' +
          'sent transactions: the state that was lost may have paid them.',
      }),
    ),
    poll_ms: Type.Integer({ default: 1000, minimum: 10, description: 'Unit: milliseconds.' }),
    batch: Type.Integer({ default: 100, minimum: 1, maximum: 200, description: 'At a time.' }),
  },
  { additionalProperties: false },
);
export type SignerConfig = Static<typeof ConfigSchema>;

/** @throws Error that names the first wrong member */
export function parseAs<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const filled: unknown = Value.Default(schema, value);
  if (Value.Check(schema, filled)) return filled;
  const [first] = Value.Errors(schema, filled);
  throw new Error(`the configuration is wrong at ${first?.instancePath}: ${first?.message}`);
}

/**
 * Four eyes are two passkeys, and no operator approves their own payout with the key of another
 * account.
 * @throws Error for a passkey that is configured twice
 */
export function checkKeys<T extends Pick<SignerConfig, 'operators'>>(config: T): T {
  const keys = config.operators.flatMap((operator) => operator.keys);
  const twice = keys.find(
    (key, at) =>
      keys.findIndex(
        ({ credential_id, public_key }) =>
          credential_id === key.credential_id || toBytes(public_key) === toBytes(key.public_key),
      ) !== at,
  );
  if (twice) throw new Error(`the passkey ${twice.credential_id} is configured twice`);
  return config;
}

/** Texts of one key differ by their padding. */
const toBytes = (key: string): string => Buffer.from(key, 'base64url').toString('hex');

/** The configuration of a JSON value. @throws Error that names the first wrong member */
export const parseConfig = (value: unknown): SignerConfig =>
  checkKeys(parseAs(ConfigSchema, value));
