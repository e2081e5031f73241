/** The configuration of a signer for a chain of the Bitcoin family. */
import Type, { type Static } from 'typebox';
import { ConfigSchema, checkKeys, parseAs } from '../config.ts';

const {
  chain_id: _chain,
  tokens: { items: Token },
  max_fee_per_gas: _fee,
  max_priority_fee_per_gas: _priority,
  gas_max: _gas,
  gas_budget_day: _budget,
  confirmations: _depth,
  stuck_after_s: _stuck,
  documents_since: _since,
  ...common
} = ConfigSchema.properties;

const Rate = (description: string, rule: object = {}) =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: `${description} Unit: smallest coins a virtual byte.`,
    ...rule,
  });

export const UtxoConfigSchema = Type.Object(
  {
    kind: Type.Literal('utxo'),
    ...common,
    address_prefix: Type.String({
      pattern: '^[a-z]{2,10}$',
      description: 'First part of bech32 addresses: names the chain that is signed for.',
    }),
    tokens: Type.Array(Token, { minItems: 1, maxItems: 1, description: 'The chain’s own coin.' }),
    fee_rate_max: Rate(
      'Never signs for more; payouts wait while the chain costs more. Coins are chosen so that ' +
        'their change can pay for it.',
    ),
    fee_rate_min: Rate('Least, and what is paid where the node has no estimate.', { default: 2 }),
    fee_target: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 1008,
      description: 'The estimate is for a block among the next so many.',
    }),
    fee_budget_day: Type.String({
      pattern: '^[1-9][0-9]{0,18}$',
      description: 'The most that may be spent on fees in 24 hours, in the smallest coin.',
    }),
    documents_since: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z$',
      description:
        'Documents issued before are refused. When a state is new, this is now: one that was ' +
        'lost may have paid what is older, and the chain does not tell.',
    }),
    dust: Type.Integer({
      default: 5460,
      minimum: 0,
      description:
        'No output of this or less is made: nodes do not relay it. In the smallest coin; nodes ' +
        'of Litecoin take 5460, those of Bitcoin 546.',
    }),
    confirmations: Type.Integer({
      default: 6,
      minimum: 1,
      description: 'Depth taken as final; only coins of this depth are spent.',
    }),
    stuck_after_s: Type.Integer({
      default: 1800,
      minimum: 1,
      description: 'A transaction that waits longer is replaced at a higher fee. Unit: seconds.',
    }),
  },
  { additionalProperties: false },
);
export type UtxoConfig = Static<typeof UtxoConfigSchema>;

/** The configuration of a JSON value. @throws Error that names the first wrong member */
export const parseUtxoConfig = (value: unknown): UtxoConfig =>
  checkKeys(parseAs(UtxoConfigSchema, value));
