/** A wallet signs what the service asks, to be linked. */
import { unwrap } from '@edge-account/sdk';
import { api } from '../session/session-api.ts';
import type { Wallet } from './detect-wallets.ts';

/** @throws WalletDeclined */
export async function linkWallet(wallet: Wallet): Promise<void> {
  const { sign, ...body } = await wallet.connect();
  const { challenge, message } = await unwrap(
    api.POST('/me/upstream-identities/wallet/start', { body }),
  );
  const signed = { challenge, signature: await sign(message) };
  await unwrap(api.POST('/me/upstream-identities/wallet', { body: signed }));
}
