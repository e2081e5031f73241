/** An operator corrects which currency a chain's own coin is: possible while nothing was credited as another. */
import type { Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import { lockState } from './chain-state.ts';
import { classifyDeposit } from './classify-deposit.ts';
import { recordDepositEvents } from './deposit-events.ts';
import type { Network } from './networks.ts';

/** Known by name, and so is their coin. */
const KNOWN_BY_NAME: ReadonlySet<string> = new Set([
  'ETHEREUM',
  'POLYGON',
  'ARBITRUM',
  'OPTIMISM',
  'BASE',
  'BSC',
  'BITCOIN',
  'LITECOIN',
]);

interface SeenRow {
  id: number;
  raw_amount: string;
}

/** What was seen of the coin belongs to no currency until the right one is configured; then it is judged again. */
async function setAside(
  tx: Transaction,
  clock: Clock,
  network: Network,
  tokenId: number,
): Promise<void> {
  const { rows } = await tx.query<SeenRow>(
    'select id, raw_amount from deposit where token_id = $1 order by id for update',
    [tokenId],
  );
  for (const { id, raw_amount } of rows) {
    const { status, reason, currency, decimals, amount } = classifyDeposit(
      { network: network.code, contract: undefined, rawAmount: BigInt(raw_amount) },
      undefined,
      undefined,
    );
    await tx.query(
      `update deposit set token_id = null, currency = $2, decimals = $3, amount = $4, status = case when status = 'orphaned' then status else $5 end,
         reason = case when status = 'orphaned' then reason else $6 end where id = $1`,
      [id, currency, decimals, amount.toString(), status, reason ?? null],
    );
  }
  await recordDepositEvents(
    tx,
    clock,
    rows.map(({ id }) => id),
  );
}

/** @throws `invalid_parameter` for a chain whose coin is known, and when deposits were credited as another currency */
export async function changeCoin(
  tx: Transaction,
  clock: Clock,
  network: Network,
  coin: string,
): Promise<void> {
  if (coin === network.coin) return;
  if (KNOWN_BY_NAME.has(network.code))
    throw fieldError(
      'coin',
      'not_allowed',
      `cannot be changed: the coin of ${network.code} is ${network.coin}`,
    );
  await lockState(tx, network.code);
  const { rows: wrong } = await tx.query<{ id: number; currency: string; is_credited: boolean }>(
    `select id, currency, exists (select 1 from deposit where token_id = token.id and epoch > 0) as is_credited
     from token where network = $1 and contract is null and currency <> $2`,
    [network.code, coin],
  );
  for (const { id, currency, is_credited } of wrong) {
    if (is_credited)
      throw fieldError(
        'coin',
        'in_use',
        `cannot be changed: deposits of the coin of ${network.code} were credited as ${currency}`,
      );
    await setAside(tx, clock, network, id);
    await tx.query('delete from token where id = $1', [id]);
  }
  await tx.query('update network set coin = $2 where code = $1', [network.code, coin]);
}
