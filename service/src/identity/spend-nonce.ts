/** A nonce that counts once, on all instances together. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { failure } from '../lib/failures.ts';

const SPEND = defineStatement(
  'identity-spend-nonce',
  'select rate_limit_consume(:subject, :window_start) as hits',
);

/**
 * @param exp_ms when the nonce expires: it is remembered until then
 * @throws `invalid_ticket` when it was spent before
 */
export async function spendNonce(db: Db, nonce: string, exp_ms: number): Promise<void> {
  const values = { subject: nonce, window_start: new Date(exp_ms) };
  const { rows } = await execute<{ hits: number }>(db, SPEND, values);
  if (rows[0]?.hits !== 1) throw failure('invalid_ticket');
}
