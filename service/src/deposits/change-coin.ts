/**
 * Corrects which currency the coin of a chain is; possible until deposits were credited as another
 * one.
 */
import { queryNamed, type Transaction } from '../db/index.ts';
import { fieldError } from '../lib/failures.ts';
import { lockState } from './chain-state.ts';
import type { ChainContext } from './networks.ts';
import { ALL_OF_TOKEN, rejudgeDeposits } from './rejudge-deposits.ts';

/** The networks of the baseline, whose coins are known. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'ETHEREUM',
  'POLYGON',
  'ARBITRUM',
  'OPTIMISM',
  'BASE',
  'BSC',
  'BITCOIN',
  'LITECOIN',
]);

/**
 * Deposits of the coin belong to no currency until its token is configured.
 * @throws `invalid_parameter` for a built-in network, and when deposits were credited as another
 *   currency
 */
export async function changeCoin(
  tx: Transaction,
  chain: ChainContext,
  coin: string,
): Promise<void> {
  const { code, coin: present } = chain.network;
  if (coin === present) return;
  if (BUILT_IN.has(code))
    throw fieldError('coin', 'not_allowed', `cannot be changed: the coin of ${code} is ${present}`);
  await lockState(tx, code);
  const { rows: wrong } = await queryNamed<{ id: number; currency: string; is_credited: boolean }>(
    tx,
    `select id, currency,
       exists (select 1 from deposit where token_id = token.id and epoch > 0) as is_credited
     from token where network = :network and contract is null and currency <> :coin`,
    { network: code, coin },
  );
  for (const { id: token, currency, is_credited } of wrong) {
    if (is_credited)
      throw fieldError(
        'coin',
        'in_use',
        `cannot be changed: deposits of the coin of ${code} were credited as ${currency}`,
      );
    await rejudgeDeposits(tx, chain, { statement: ALL_OF_TOKEN, token }, {});
    await tx.query('delete from token where id = $1', [token]);
  }
  await queryNamed(tx, 'update network set coin = :coin where code = :code', { code, coin });
}
