/** `/operator/chains`: operators configure networks and tokens, and see where the watchers stand. */
import Type, { type Static } from 'typebox';
import type { Database } from '../db/index.ts';
import {
  configureNetwork,
  configureToken,
  describeNetworks,
  haltByOperator,
  NetworkReport,
  type NetworkSettings,
  requestBackfill,
  requireNetworkInPath,
  resumeChain,
  type VerifyToken,
} from '../deposits/index.ts';
import { DecimalInput, type HttpServer, Words } from '../http/index.ts';
import { findCurrency, listCurrencies } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import { parseAmount } from '../lib/money.ts';
import type { MasterKey } from '../master-key.ts';

export interface OperatorChainsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
  /** Asks the chain what a contract says of itself. */
  readonly verifyToken: VerifyToken;
}

const ACCESS = { access: { scopes: ['operator:chains'] } } as const;
const TAGS = ['operator'];
const HEIGHT_MAX = 2 ** 40;

const NetworkPath = Type.Object({
  network: Type.String({ description: 'Code of the network, for example `ETHEREUM`.' }),
});

const NetworkBody = Type.Object(
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
          'With a new `xpub`: everyone gets a new address at the next request, and every network of the family takes the new key; old addresses stay watched. Without it everyone keeps the address they have, and only others get one of the new key.',
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
      Words(['evm', 'utxo'], 'Kind of chain; only for a network that is not known by name.'),
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
          "Currency of the chain's own coin: no other is taken for it. Can be corrected while nothing was credited as another.",
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

const TokenBody = Type.Object(
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
          'Default true. While false, what arrives is shown as unsupported; it is credited once enabled again.',
      }),
    ),
  },
  { additionalProperties: false },
);

function toSettings(body: Static<typeof NetworkBody>): NetworkSettings {
  return {
    rpcUrls: body.rpc_urls,
    xpub: body.xpub,
    retireAddresses: body.retire_addresses,
    requiredConfirmations: body.required_confirmations,
    usesFinalized: body.uses_finalized,
    reorgWindow: body.reorg_window,
    block_ms: body.block_ms,
    poll_ms: body.poll_ms,
    explorerUrl: body.explorer_url,
    startHeight: body.start_height,
    isEnabled: body.is_enabled,
    identity: {
      kind: body.kind,
      name: body.name,
      chainId: body.chain_id,
      addressPrefix: body.address_prefix,
      uriScheme: body.uri_scheme,
      coin: body.coin,
    },
  };
}

async function requireCurrency(database: Database, code: string) {
  const currency = await findCurrency(database, code);
  if (currency) return currency;
  throw fieldError(
    'currency',
    'unknown_currency',
    `must be one of ${(await listCurrencies(database)).map((known) => known.code).join(', ')}`,
  );
}

function registerConfiguration(app: HttpServer, deps: OperatorChainsDeps): void {
  const { database, clock, masterKey } = deps;
  app.put(
    '/operator/chains/:network',
    {
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Configure a network',
        description:
          'What is left out stays as it is. Networks that are not known by name also need `kind` and its facts, which cannot be changed later; only `coin` can, while nothing was credited as another currency.',
        params: NetworkPath,
        body: NetworkBody,
        response: { 200: NetworkReport },
      },
    },
    async (request) => {
      await configureNetwork(
        database,
        clock,
        masterKey,
        request.params.network,
        toSettings(request.body),
      );
      const [report] = await describeNetworks(database, clock, masterKey, request.params.network);
      return report;
    },
  );

  app.put(
    '/operator/chains/:network/tokens/:currency',
    {
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Configure the token that carries a currency on a network',
        params: Type.Object({
          ...NetworkPath.properties,
          currency: Type.String({ description: 'Code of the currency.' }),
        }),
        body: TokenBody,
        response: { 200: NetworkReport },
      },
    },
    async (request) => {
      const {
        contract_address: contract,
        decimals,
        min_deposit,
        is_enabled: isEnabled = true,
      } = request.body;
      const network = await requireNetworkInPath(database, request.params.network);
      const currency = await requireCurrency(database, request.params.currency);
      const minDeposit = parseAmount(min_deposit, currency.scale, 'min_deposit');
      if (minDeposit < 0n) throw fieldError('min_deposit', 'negative', 'must not be negative');
      await deps.verifyToken(network, contract, decimals);
      await configureToken(database, clock, network, currency, {
        contract,
        decimals,
        minDeposit,
        isEnabled,
      });
      const [report] = await describeNetworks(database, clock, masterKey, network.code);
      return report;
    },
  );
}

function registerOperation(
  app: HttpServer,
  { database, clock, masterKey }: OperatorChainsDeps,
): void {
  app.get(
    '/operator/chains',
    {
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Networks, their tokens, and where their watchers stand',
        response: { 200: Type.Array(NetworkReport) },
      },
    },
    () => describeNetworks(database, clock, masterKey),
  );

  app.post(
    '/operator/chains/:network/backfill',
    {
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Read old blocks again',
        description:
          'Finds deposits that were made before the network was watched or before their address was issued. Nothing is credited twice.',
        params: NetworkPath,
        body: Type.Object(
          {
            from_height: Type.Integer({
              minimum: 0,
              maximum: HEIGHT_MAX,
              description: 'First block to read.',
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          202: Type.Object({
            backfill_id: Type.Integer(),
            from_height: Type.Integer(),
            to_height: Type.Integer(),
          }),
        },
      },
    },
    async (request, reply) => {
      const backfill = await requestBackfill(
        database,
        clock,
        await requireNetworkInPath(database, request.params.network),
        request.body.from_height,
      );
      return reply.code(202).send({
        backfill_id: backfill.id,
        from_height: backfill.fromHeight,
        to_height: backfill.toHeight,
      });
    },
  );

  app.post(
    '/operator/chains/:network/resume',
    {
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Resume a halted network from a block',
        description:
          'Deposits above that block are taken back, and credited again where the chain still holds them. The nodes are asked: 409 `block_mismatch` when one has another block there, or none has any, and when a block below it that holds deposits was replaced (`replaced_height`; `sure_height` and `sure_hash` name the highest with deposits that still stands). Blocks below it that may not have been read as they are now are read again.',
        params: NetworkPath,
        body: Type.Object(
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
        ),
        response: { 200: NetworkReport },
      },
    },
    async (request) => {
      const network = await requireNetworkInPath(database, request.params.network);
      await resumeChain(database, clock, masterKey, network, request.body);
      const [report] = await describeNetworks(database, clock, masterKey, network.code);
      return report;
    },
  );

  app.post(
    '/operator/chains/:network/halt',
    {
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Halt a network',
        description:
          'Nothing is read, credited or reversed until it is resumed. The way back from a block that was believed wrongly: halt, then resume from a lower one. A halted network stays as it is.',
        params: NetworkPath,
        body: Type.Object(
          {
            reason: Type.String({
              minLength: 1,
              maxLength: 500,
              description: 'Shown wherever the halt is.',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: NetworkReport },
      },
    },
    async (request) => {
      const network = await requireNetworkInPath(database, request.params.network);
      await haltByOperator(database, clock, network, request.body.reason);
      const [report] = await describeNetworks(database, clock, masterKey, network.code);
      return report;
    },
  );
}

/** Registers `/operator/chains…`. */
export function registerOperatorChains(app: HttpServer, deps: OperatorChainsDeps): void {
  registerConfiguration(app, deps);
  registerOperation(app, deps);
}
