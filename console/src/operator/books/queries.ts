import type { ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';
import { postAdjustment } from '../post-adjustment.ts';

export type WalletKind = ResponseBody<'/operator/wallets', 'get'>[number];

export const walletKindsQuery = queryOptions({
  queryKey: ['operator', 'wallets'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/wallets', { signal })),
});

interface HouseTransfer {
  /** Codes of accounts of the house. */
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** Exact decimal text. */
  readonly amount: string;
  readonly reason: string;
}

/** @param key one for each form: sent twice, it moves once */
export function moveInHouse({ from, to, ...rest }: HouseTransfer, key: string): Promise<void> {
  return postAdjustment({ ...rest, debit: { house: from }, credit: { house: to } }, key);
}

export function putWalletKind(wallet: string, house: boolean) {
  const params = { path: { wallet } };
  return changeAsOperator(() => api.PUT('/operator/wallets/{wallet}', { params, body: { house } }));
}

export function putCurrency(currency: string, scale: number) {
  const params = { path: { currency } };
  return changeAsOperator(() =>
    api.PUT('/operator/currencies/{currency}', { params, body: { scale } }),
  );
}
