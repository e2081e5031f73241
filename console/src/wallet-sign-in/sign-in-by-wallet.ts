/** A wallet signs what the service asks, to sign in. */
import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { publicApi } from '../api/client.ts';
import type { Wallet } from './detect-wallets.ts';

export type WalletResult = ResponseBody<'/user/login/wallet/finish', 'post'>;

/** @throws WalletDeclined */
export async function signInByWallet(wallet: Wallet): Promise<WalletResult> {
  const { sign, ...body } = await wallet.connect();
  const { challenge, message } = await unwrap(publicApi.POST('/user/login/wallet', { body }));
  const signed = { challenge, signature: await sign(message) };
  return unwrap(publicApi.POST('/user/login/wallet/finish', { body: signed }));
}
