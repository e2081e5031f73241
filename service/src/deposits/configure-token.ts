/** Configures the token of a currency on a network. */
import {
  type Db,
  defineStatement,
  execute,
  queryNamed,
  type Transaction,
  transaction,
} from '../db/index.ts';
import type { Currency } from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';
import { lockState } from './chain-state.ts';
import { type ChainContext, findToken, type Network, type Token } from './networks.ts';
import { rejudgeDeposits, UNSUPPORTED_OF_TOKEN } from './rejudge-deposits.ts';

export interface TokenSettings {
  /** Absent: the chain's own coin. */
  readonly contract?: string | undefined;
  readonly decimals: number;
  /** Minor units of the currency. */
  readonly minDeposit: bigint;
  readonly isEnabled: boolean;
}

const UPSERT = defineStatement(
  'token_upsert',
  `insert into token (network, currency, contract, decimals, min_deposit, is_enabled)
   values (:network, :currency, :contract, :decimals, :min_deposit, :is_enabled)
   on conflict (network, currency) do update set contract = excluded.contract,
     decimals = excluded.decimals, min_deposit = excluded.min_deposit,
     is_enabled = excluded.is_enabled, distrust_reason_code = null, distrust_reason_values = null`,
);

/** @throws `invalid_parameter` when the network has no contracts, or this is no address */
export async function checkContract(network: Network, contract: string | undefined): Promise<void> {
  if (contract === undefined) return;
  if (network.kind !== 'evm')
    throw fieldError(
      'contract_address',
      'not_allowed',
      `is not allowed: ${network.code} has no contracts`,
    );
  const { isAddress } = await import('./chains/evm/address.ts');
  if (!isAddress(contract))
    throw fieldError('contract_address', 'malformed', 'is no address, or its checksum is wrong');
}

/** Facts of each kind of chain, not settings. */
const COIN_DECIMALS: Readonly<Record<Network['kind'], number>> = { evm: 18, utxo: 8 };

/**
 * The coin of another chain under the name of a currency would be credited as that currency.
 * @throws `invalid_parameter`
 */
async function checkCoin(
  tx: Transaction,
  { code, kind, coin, uriScheme }: Network,
  currency: Currency,
  decimals: number,
): Promise<void> {
  if (coin === undefined) {
    const what = kind === 'evm' ? 'is required for a token, and' : 'is not used here:';
    throw fieldError(
      'contract_address',
      'required',
      `${what} for the own coin of ${code} say first which currency that is (coin)`,
    );
  }
  if (coin !== currency.code)
    throw fieldError(
      'currency',
      'not_the_coin',
      `is not the coin of ${code}, which is ${coin}: a token needs contract_address`,
    );
  if (decimals !== COIN_DECIMALS[kind])
    throw fieldError(
      'decimals',
      'not_the_coins',
      `must be ${COIN_DECIMALS[kind]}: those of the coin of ${code}`,
    );
  const { rows } = await queryNamed<{ code: string }>(
    tx,
    `select code from token join network on network.code = token.network
     where currency = :currency and contract is null and uri_scheme <> :uri_scheme`,
    { currency: currency.code, uri_scheme: uriScheme },
  );
  if (rows[0])
    throw fieldError(
      'currency',
      'coin_of_another_chain',
      `is the coin of ${rows[0].code}, another kind of chain`,
    );
}

/** Configures the token of a currency on a network. @throws `invalid_parameter` */
export async function configureToken(
  db: Db,
  chain: ChainContext,
  currency: Currency,
  settings: TokenSettings,
): Promise<Token> {
  const { network } = chain;
  const { code } = network;
  await checkContract(network, settings.contract);
  return transaction(db, async (tx) => {
    // Under the watcher's lock: what it stores meanwhile would be judged by the earlier token.
    await lockState(tx, code);
    const contract = settings.contract?.toLowerCase() ?? null;
    if (contract === null) await checkCoin(tx, network, currency, settings.decimals);
    const { rows } = await queryNamed<{ currency: string }>(
      tx,
      `select currency from token
       where network = :network and contract is not distinct from :contract
         and currency <> :currency`,
      { network: code, contract, currency: currency.code },
    );
    if (rows[0])
      throw fieldError(
        'contract_address',
        'taken',
        `already carries ${rows[0].currency} on ${code}`,
      );
    await execute(tx, UPSERT, {
      network: code,
      currency: currency.code,
      contract,
      decimals: settings.decimals,
      min_deposit: settings.minDeposit.toString(),
      is_enabled: settings.isEnabled,
    });
    const token = await findToken(tx, code, currency.code);
    if (!token) throw new Error('the token was not stored');
    if (token.isEnabled) {
      const arrived = { statement: UNSUPPORTED_OF_TOKEN, network: code, token: token.id, contract };
      await rejudgeDeposits(tx, chain, arrived, { token, currency });
    }
    await tx.query("select pg_notify('networks', $1)", [code]);
    return token;
  });
}
