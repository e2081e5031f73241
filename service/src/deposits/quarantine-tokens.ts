/**
 * Quarantines a token whose contract reports other decimals than are configured: its deposits would
 * be credited wrongly, and are put on hold.
 */
import { type Db, defineStatement, execute, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { messageFields } from '../http/index.ts';
import { type CodedMessage, toColumns } from '../lib/coded-messages.ts';
import { lockState } from './chain-state.ts';
import type { ChainNode } from './chains/chain.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import { type ChainContext, listTokens, type Token } from './networks.ts';

const QUARANTINE = defineStatement(
  'token_quarantine',
  `update token set distrust_reason_code = :code, distrust_reason_values = :values
   where id = :id and distrust_reason_code is null`,
);
const HOLD = defineStatement(
  'deposit_hold_of_token',
  `update deposit set status = 'on_hold', reason_code = :code, reason_values = :values
   where token_id = :id and status = 'confirming' and decision is distinct from 'release'
   returning id`,
);

async function quarantine(
  db: Db,
  { network, clock }: ChainContext,
  { id, currency, contract }: Token,
  reason: CodedMessage,
): Promise<void> {
  const values = { id, ...toColumns(reason) };
  await transaction(db, async (tx) => {
    await lockState(tx, network.code);
    const { rowCount } = await execute(tx, QUARANTINE, values);
    if (rowCount === 0) return;
    await recordDepositEvents(tx, clock, (await execute<{ id: number }>(tx, HOLD, values)).rows);
    await recordEvent(tx, clock, {
      type: 'chain.token_distrusted',
      data: {
        network: network.code,
        currency,
        contract_address: contract,
        ...messageFields('reason', DEPOSIT_REASONS, reason),
      },
    });
  });
}

/**
 * Reads the decimals of a token from its contract. @returns true when they are as configured; no
 * answer proves nothing: an endpoint that is behind, or a fork without the contract, gives none
 */
async function checkToken(
  db: Db,
  chain: ChainContext,
  node: ChainNode,
  token: Token,
): Promise<boolean> {
  const { contract, decimals: configured, isEnabled, distrustReason } = token;
  if (contract === undefined || !isEnabled || distrustReason !== undefined) return false;
  const told = await node.readDecimals(contract);
  if (told === undefined || told === configured) return told !== undefined;
  const reason = DEPOSIT_REASONS.create('decimals_differ', { told, configured });
  await quarantine(db, chain, token, reason);
  return false;
}

/**
 * Checks every enabled token that has not agreed yet. @returns the keys of those that agreed, which
 * are checked again only later
 */
export async function checkAllTokens(
  db: Db,
  chain: ChainContext,
  node: ChainNode,
  agreed: ReadonlySet<string>,
): Promise<Set<string>> {
  const now = new Set(agreed);
  for (const token of await listTokens(db, chain.network.code)) {
    const key = `${token.contract}/${token.decimals}`;
    if (!now.has(key) && (await checkToken(db, chain, node, token))) now.add(key);
  }
  return now;
}

/** Checks the tokens of deposits that are due: a contract may have changed a moment ago. */
export async function checkTokens(
  db: Db,
  chain: ChainContext,
  node: ChainNode,
  ids: ReadonlySet<number>,
): Promise<void> {
  for (const token of await listTokens(db, chain.network.code))
    if (ids.has(token.id)) await checkToken(db, chain, node, token);
}
