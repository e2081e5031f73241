/** `edge-account payouts book-fee`: network fees that belong to no payout. */

import { installLedger } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { bookNetworkFee, readHotWallets } from '../payouts/index.ts';
import { readArguments } from './arguments.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export const usage = `edge-account payouts book-fee NETWORK TX_HASH
  books the network fee of a transaction that paid nothing: one of edge-signer use-nonce or
  use-coin, or of a payout that was taken back. It must be final, and sent by the hot wallet of
  PAYOUT_WALLETS to itself. Repeating it is harmless`;

export async function run(args: string[]): Promise<void> {
  const { words } = readArguments(args, {});
  const [action, code, txHash] = words;
  if (action !== 'book-fee' || txHash === undefined || words.length !== 3)
    throw new CommandError(usage);
  const { database, masterKey, config } = await openPlatform({ mustExist: true });
  try {
    installLedger(database, { clock: systemClock, masterKey });
    const wallets = (await readHotWallets(database, config.PAYOUT_WALLETS)).filter(
      ({ network }) => network.code === code,
    );
    const [wallet] = wallets;
    if (!wallet) throw new CommandError(`PAYOUT_WALLETS names no hot wallet of ${code}`);
    const deps = { database, masterKey, clock: systemClock };
    const { amount, currency, isNew } = await bookNetworkFee(deps, wallet, txHash);
    console.log(`${amount} ${currency} ${isNew ? 'booked' : 'were booked before'}`);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    throw new CommandError(error.message);
  } finally {
    await database.close();
  }
}
