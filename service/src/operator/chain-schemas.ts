/** What the routes of chains share: request schemas, scope and tag. */
import Type from 'typebox';
import { DecimalInput, StringEnum } from '../http/index.ts';

export const ACCESS = { access: { scopes: ['operator:chains'] } } as const;

const HEIGHT_MAX = 2 ** 40;

export const NetworkPath = Type.Object({
  network: Type.String({ description: 'Code of the network, for example `ETHEREUM`.' }),
});

export const NetworkBody = Type.Object(
  {
    rpc_urls: Type.Optional(
      Type.Array(Type.String({ minLength: 8, maxLength: 2048 }), {
        minItems: 1,
        maxItems: 16,
        description: 'Nodes, preferred first. Kept encrypted, never shown.',
      }),
    ),
    xpub: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Extended public key of an account; a private one is refused.',
      }),
    ),
    retire_addresses: Type.Optional(
      Type.Boolean({
        description:
          'With a new `xpub`: everyone gets a new address at the next request, and every ' +
          'network of the family takes the new key; old addresses stay watched. Without it ' +
          'everyone keeps the address they have, and only others get one of the new key.',
      }),
    ),
    required_confirmations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Blocks after which a deposit is credited.',
      }),
    ),
    uses_finalized: Type.Optional(
      Type.Boolean({ description: "Also wait for the chain's own `finalized` block." }),
    ),
    reorg_window: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 1_000_000,
        description: 'Blocks remembered; a deeper reorganisation halts the network.',
      }),
    ),
    block_ms: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'Usual time between blocks.' }),
    ),
    poll_ms: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 3_600_000,
        description: 'Time between two looks at the chain.',
      }),
    ),
    explorer_url: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]+\\{tx\\}[^\\s]*$',
        maxLength: 512,
        description: 'Page of a transaction, with `{tx}` for its hash.',
      }),
    ),
    start_height: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: HEIGHT_MAX,
        description: 'First block to read; default: the head when first seen.',
      }),
    ),
    is_enabled: Type.Optional(
      Type.Boolean({ description: 'Default: true once it has nodes and a public key.' }),
    ),
    kind: Type.Optional(
      StringEnum(['evm', 'utxo'], 'Kind of chain; only for a network that is not known by name.'),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Name for people, who see it where they choose the network; only for a new one.',
      }),
    ),
    chain_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'EIP-155 chain id; only for a new EVM network.',
      }),
    ),
    address_prefix: Type.Optional(
      Type.String({
        maxLength: 10,
        description: 'First part of bech32 addresses; only for a new UTXO network.',
      }),
    ),
    coin: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9]{1,15}$',
        description:
          "Currency of the chain's own coin: no other is taken for it. Can be corrected while " +
          'nothing was credited as another.',
      }),
    ),
    uri_scheme: Type.Optional(
      Type.String({
        maxLength: 20,
        description: 'Scheme of payment links; only for a new UTXO network.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const TokenBody = Type.Object(
  {
    contract_address: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "Contract of the token; absent for the chain's own coin.",
      }),
    ),
    decimals: Type.Integer({
      minimum: 0,
      maximum: 30,
      description: 'Decimals of the token on this network; compared with what the contract says.',
    }),
    min_deposit: DecimalInput('Smallest amount that is credited.'),
    is_enabled: Type.Optional(
      Type.Boolean({
        description:
          'Default true. While false, what arrives is shown as unsupported; it is credited once ' +
          'enabled again.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const BackfillBody = Type.Object(
  {
    from_height: Type.Integer({
      minimum: 0,
      maximum: HEIGHT_MAX,
      description: 'First block to read.',
    }),
  },
  { additionalProperties: false },
);

export const ResumeBody = Type.Object(
  {
    height: Type.Integer({
      minimum: 0,
      maximum: HEIGHT_MAX,
      description: 'The last block that is believed.',
    }),
    hash: Type.String({
      minLength: 16,
      maxLength: 80,
      description: 'Its hash, as the operator checked it.',
    }),
  },
  { additionalProperties: false },
);

export const HaltBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Shown wherever the halt is.',
    }),
  },
  { additionalProperties: false },
);
