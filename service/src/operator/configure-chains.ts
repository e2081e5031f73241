/** Routes that configure networks and their tokens. */

import Type, { type Static } from 'typebox';
import type { Database } from '../db/index.ts';
import {
  configureNetwork,
  configureToken,
  describeNetworks,
  NetworkReport,
  type NetworkSettings,
  requireNetworkInPath,
  type VerifyToken,
} from '../deposits/index.ts';
import type { HttpServer } from '../http/index.ts';
import { findCurrency, listCurrencies } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import { parseAmount } from '../lib/money.ts';
import type { MasterKey } from '../master-key.ts';
import { ACCESS, NetworkBody, NetworkPath, TokenBody } from './chain-schemas.ts';
import { operations } from './operations/chains.ts';

export interface OperatorChainsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
  /** Compares the given facts with what the contract reports on the chain. */
  readonly verifyToken: VerifyToken;
}

/** The report of one network. */
export async function describeNetwork(
  { database, clock, masterKey }: Omit<OperatorChainsDeps, 'verifyToken'>,
  code: string,
): Promise<NetworkReport | undefined> {
  const [report] = await describeNetworks(database, clock, masterKey, code);
  return report;
}

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

/** Registers the routes that configure networks and tokens. */
export function registerChainConfiguration(app: HttpServer, deps: OperatorChainsDeps): void {
  const { database, clock, masterKey } = deps;
  app.put(
    '/operator/chains/:network',
    {
      config: ACCESS,
      schema: {
        ...operations.putChain,
        params: NetworkPath,
        body: NetworkBody,
        response: { 200: NetworkReport },
      },
    },
    async (request) => {
      const { network } = request.params;
      await configureNetwork(database, { clock, masterKey }, network, toSettings(request.body));
      return describeNetwork(deps, network);
    },
  );

  app.put(
    '/operator/chains/:network/tokens/:currency',
    {
      config: ACCESS,
      schema: {
        ...operations.putChainToken,
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
      await configureToken(database, { network, clock }, currency, {
        contract,
        decimals,
        minDeposit,
        isEnabled,
      });
      return describeNetwork(deps, network.code);
    },
  );
}
