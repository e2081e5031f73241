import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { isProblem } from '../../api/problem.ts';
import { checkDocument } from '../../lib/signed-payout.ts';
import { api } from '../../session/session-api.ts';
import { promptForPasskey } from '../../sign-in/passkey-prompt.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type ReviewedPayout = ResponseBody<'/operator/payouts', 'get'>['records'][number];
export type PayoutPolicy = ResponseBody<'/operator/payout-policy', 'get'>;
export type PolicyRule = PayoutPolicy['rules'][number];
export type PolicyOrder = RequestBody<'/operator/payout-policy', 'put'>;
export type ApproverKey = ResponseBody<'/operator/payout-approver-keys', 'get'>[number];
export type PayoutStatus = ReviewedPayout['status'];

const REFETCH_MS = 5000;

/** Page after page, each from the last payout of the one before. */
export function queueQuery(status: PayoutStatus) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'payouts', status],
    queryFn: ({ signal, pageParam: after }) =>
      readAsOperator(
        api.GET('/operator/payouts', {
          signal,
          params: { query: { status, after, current: 1, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ records, total }) =>
      total > records.length ? records.at(-1)?.id : undefined,
    refetchInterval: REFETCH_MS,
  });
}

export const payoutQuery = (id: number) =>
  queryOptions({
    queryKey: ['operator', 'payouts', id],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/payouts/{id}', { signal, params: { path: { id } } })),
    refetchInterval: REFETCH_MS,
  });

/**
 * The passkey signs the hash of the payout's document, once it is seen that the document pays what
 * the sheet shows. @throws SignedMismatch
 */
export async function approvePayout(payout: ReviewedPayout): Promise<unknown> {
  const { id, document: text, network, currency, address, user_id } = payout;
  const { amount: leaves, fee, arrives, decimals, chain_id, address_prefix, contract } = payout;
  const params = { path: { id } };
  const passkey_credential = await promptForPasskey(async () => {
    const options = await changeAsOperator(() =>
      api.POST('/operator/payouts/{id}/approval-options', { params }),
    );
    const place = { network, currency, address, chain_id, address_prefix, contract };
    const shown = { ...place, leaves, fee, arrives, decimals, user_id };
    await checkDocument({ text, challenge: options.challenge }, shown, id);
    return options;
  });
  return changeAsOperator(() =>
    api.POST('/operator/payouts/{id}/approve', { params, body: { passkey_credential } }),
  );
}

/** @param reason for the owner of the payout; empty: none */
export const rejectPayout = (id: number, remark: string, reason: string) =>
  changeAsOperator(() =>
    api.POST('/operator/payouts/{id}/reject', {
      params: { path: { id } },
      body: { remark, ...(reason !== '' && { reason }) },
    }),
  );

export const releasePayout = (id: number, remark: string) =>
  changeAsOperator(() =>
    api.POST('/operator/payouts/{id}/release', { params: { path: { id } }, body: { remark } }),
  );

/** @param outcome what becomes of a payout whose transaction does not pay what it should */
export const decideMismatch = (outcome: 'confirmed' | 'failed') => (id: number, remark: string) =>
  changeAsOperator(() =>
    api.POST('/operator/payouts/{id}/mismatch', {
      params: { path: { id } },
      body: { outcome, remark },
    }),
  );

export const stopsQuery = queryOptions({
  queryKey: ['operator', 'payout-stops'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/payout-stops', { signal })),
  refetchInterval: REFETCH_MS,
});

export const stopPayouts = (currency: string, reason: string) =>
  changeAsOperator(() =>
    api.PUT('/operator/payout-stops/{currency}', {
      params: { path: { currency } },
      body: { reason },
    }),
  );

export const resumePayouts = (currency: string) =>
  changeAsOperator(() =>
    api.DELETE('/operator/payout-stops/{currency}', { params: { path: { currency } } }),
  );

/** Of the caller. */
export const approverKeysQuery = queryOptions({
  queryKey: ['operator', 'payout-approver-keys'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/payout-approver-keys', { signal })),
});

/** The newest version; null while there is none. */
export const policyQuery = queryOptions({
  queryKey: ['operator', 'payout-policy'],
  queryFn: async ({ signal }): Promise<PayoutPolicy | null> => {
    try {
      return await readAsOperator(api.GET('/operator/payout-policy', { signal }));
    } catch (error) {
      if (!isProblem(error, 'not_found')) throw error;
      return null;
    }
  },
});

export const putPolicy = (body: PolicyOrder) =>
  changeAsOperator(() => api.PUT('/operator/payout-policy', { body }));
