import { EdgeError, type ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

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
export async function moveInHouse(
  { from, to, currency, amount, reason }: HouseTransfer,
  key: string,
): Promise<void> {
  const transfer = {
    debit: { house: from },
    credit: { house: to },
    ...{ currency, amount, business_id: 'adjustment', remark: reason },
  };
  const { results } = await changeAsOperator(() =>
    api.POST('/operator/transfers', {
      params: { header: { 'Idempotency-Key': key } },
      body: { transfers: [transfer], atomic: true },
    }),
  );
  // A batch is answered 200; each transfer has its own result.
  const [result] = results;
  if (result?.status !== 'posted')
    throw new EdgeError({
      status: 409,
      code: result?.code ?? 'internal_error',
      ...(result?.detail !== undefined && { detail: result.detail }),
    });
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
