/** An operator says which token carries a currency on a network. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { Currency } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import { lockState } from './chain-state.ts';
import { classifyDeposit, type Decision } from './classify-deposit.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { findToken, type Network, type NetworkKind, type Token } from './networks.ts';

export interface TokenSettings {
  /** Absent: the chain's own coin. */
  readonly contract?: string | undefined;
  readonly decimals: number;
  /** Minor units of the currency. */
  readonly minDeposit: bigint;
  readonly isEnabled: boolean;
}

const REVIVED_AT_ONCE = 500;

const UPSERT = `insert into token (network, currency, contract, decimals, min_deposit, is_enabled) values ($1, $2, $3, $4, $5, $6)
  on conflict (network, currency) do update set contract = excluded.contract, decimals = excluded.decimals, min_deposit = excluded.min_deposit,
    is_enabled = excluded.is_enabled, distrust_reason = null`;

interface UnsupportedRow {
  id: number;
  contract: string | null;
  raw_amount: string;
  decision: Decision | null;
  decision_reason: string | null;
}

const UNSUPPORTED = `select id, contract, raw_amount, decision, decision_reason from deposit
  where network = $1 and status = 'unsupported' and (token_id = $2 or (token_id is null and lower(contract) is not distinct from $3)) and id > $4
  order by id limit ${REVIVED_AT_ONCE} for update`;

/** What had arrived while the token was unknown or switched off is judged again; the watcher credits it. */
async function reviveUnsupported(
  tx: Transaction,
  clock: Clock,
  token: Token,
  currency: Currency,
): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await tx.query<UnsupportedRow>(UNSUPPORTED, [
      token.network,
      token.id,
      token.contract ?? null,
      after,
    ]);
    for (const row of rows) {
      const payment = {
        network: token.network,
        contract: row.contract ?? undefined,
        rawAmount: BigInt(row.raw_amount),
        decision: row.decision ?? undefined,
        decisionReason: row.decision_reason ?? undefined,
      };
      const { status, reason, amount, decimals } = classifyDeposit(payment, token, currency);
      await tx.query(
        'update deposit set token_id = $2, currency = $3, decimals = $4, amount = $5, status = $6, reason = $7 where id = $1',
        [row.id, token.id, currency.code, decimals, amount.toString(), status, reason ?? null],
      );
    }
    await recordDepositEvents(
      tx,
      clock,
      rows.map((row) => row.id),
    );
    after = rows.at(-1)?.id ?? after;
    if (rows.length < REVIVED_AT_ONCE) return;
  }
}

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

/** Facts of their kinds of chain, not settings. */
const COIN_DECIMALS: Readonly<Record<NetworkKind, number>> = { evm: 18, utxo: 8 };

/** Another chain's coin under the name of a currency would be credited as that currency. @throws `invalid_parameter` */
async function checkCoin(
  tx: Transaction,
  network: Network,
  currency: Currency,
  decimals: number,
): Promise<void> {
  if (network.coin === undefined) {
    const what = network.kind === 'evm' ? 'is required for a token, and' : 'is not used here:';
    throw fieldError(
      'contract_address',
      'required',
      `${what} for the own coin of ${network.code} say first which currency that is (coin)`,
    );
  }
  if (network.coin !== currency.code) {
    throw fieldError(
      'currency',
      'not_the_coin',
      `is not the coin of ${network.code}, which is ${network.coin}: a token needs contract_address`,
    );
  }
  if (decimals !== COIN_DECIMALS[network.kind]) {
    throw fieldError(
      'decimals',
      'not_the_coins',
      `must be ${COIN_DECIMALS[network.kind]}: those of the coin of ${network.code}`,
    );
  }
  const { rows } = await tx.query<{ code: string }>(
    `select code from token join network on network.code = token.network
     where currency = $1 and contract is null and uri_scheme <> $2`,
    [currency.code, network.uriScheme],
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
  clock: Clock,
  network: Network,
  currency: Currency,
  settings: TokenSettings,
): Promise<Token> {
  await checkContract(network, settings.contract);
  return transaction(db, async (tx) => {
    // Under the watcher's lock: what it stores meanwhile would be judged by the token as it was.
    await lockState(tx, network.code);
    const contract = settings.contract?.toLowerCase() ?? null;
    if (contract === null) await checkCoin(tx, network, currency, settings.decimals);
    const { rows } = await tx.query<{ currency: string }>(
      'select currency from token where network = $1 and contract is not distinct from $2 and currency <> $3',
      [network.code, contract, currency.code],
    );
    if (rows[0])
      throw fieldError(
        'contract_address',
        'taken',
        `already carries ${rows[0].currency} on ${network.code}`,
      );
    await tx.query(UPSERT, [
      network.code,
      currency.code,
      contract,
      settings.decimals,
      settings.minDeposit.toString(),
      settings.isEnabled,
    ]);
    const token = await findToken(tx, network.code, currency.code);
    if (!token) throw new Error('the token was not stored');
    if (token.isEnabled) await reviveUnsupported(tx, clock, token, currency);
    await tx.query("select pg_notify('networks', $1)", [network.code]);
    return token;
  });
}
