/** A token whose contract answers other decimals than ours would be credited wrongly: its deposits are held. */
import { type Db, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { lockState } from './chain-state.ts';
import type { ChainNode } from './chains/chain.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import { listTokens, type Network, type Token } from './networks.ts';

async function distrust(
  db: Db,
  clock: Clock,
  network: Network,
  token: Token,
  reason: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockState(tx, network.code);
    const { rowCount } = await tx.query(
      'update token set distrust_reason = $2 where id = $1 and distrust_reason is null',
      [token.id, reason],
    );
    if (rowCount === 0) return;
    const { rows } = await tx.query<{ id: number }>(
      "update deposit set status = 'on_hold', reason = $2 where token_id = $1 and status = 'confirming' and decision is distinct from 'release' returning id",
      [token.id, reason],
    );
    await recordDepositEvents(
      tx,
      clock,
      rows.map((row) => row.id),
    );
    await recordEvent(tx, clock, {
      type: 'chain.token_distrusted',
      data: {
        network: network.code,
        currency: token.currency,
        contract_address: token.contract,
        reason,
      },
    });
  });
}

/** Asks one token for its decimals. @returns true when it agrees; no answer proves nothing: a node that is behind, or a fork without the contract, gives none */
async function checkToken(
  db: Db,
  clock: Clock,
  network: Network,
  node: ChainNode,
  token: Token,
): Promise<boolean> {
  if (token.contract === undefined || !token.isEnabled || token.distrustReason !== undefined)
    return false;
  const decimals = await node.readDecimals(token.contract);
  if (decimals === undefined || decimals === token.decimals) return decimals !== undefined;
  const reason = DEPOSIT_REASONS.say('decimals_differ', {
    told: decimals,
    configured: token.decimals,
  });
  await distrust(db, clock, network, token, reason);
  return false;
}

/** Asks every enabled token that has not agreed yet. @returns the keys that agreed, to be asked again only later */
export async function checkTokens(
  db: Db,
  clock: Clock,
  network: Network,
  node: ChainNode,
  agreed: ReadonlySet<string>,
): Promise<Set<string>> {
  const now = new Set(agreed);
  for (const token of await listTokens(db, network.code)) {
    const key = `${token.contract}/${token.decimals}`;
    if (!now.has(key) && (await checkToken(db, clock, network, node, token))) now.add(key);
  }
  return now;
}

/** Asks the tokens of what is about to be credited: a contract may have changed its mind a moment ago. */
export async function checkTokensOf(
  db: Db,
  clock: Clock,
  network: Network,
  node: ChainNode,
  ids: ReadonlySet<number>,
): Promise<void> {
  for (const token of await listTokens(db, network.code))
    if (ids.has(token.id)) await checkToken(db, clock, network, node, token);
}
