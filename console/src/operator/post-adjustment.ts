import { EdgeError, type RequestBody } from '@edge-account/sdk';
import { api } from '../session/session-api.ts';
import { changeAsOperator } from './elevation.ts';

/** The business of a correction by hand, and the account of the house that it is booked to. */
export const ADJUSTMENT = 'adjustment';

type Transfer = RequestBody<'/operator/transfers', 'post'>['transfers'][number];

interface Adjustment extends Pick<Transfer, 'debit' | 'credit' | 'currency'> {
  /** Exact decimal text. */
  readonly amount: string;
  readonly reason: string;
  /** The debit passes even if the balance becomes negative. */
  readonly mayOverdraw?: boolean;
}

/** @param key one for each form: sent twice, it moves once */
export async function postAdjustment(
  { reason, mayOverdraw = false, ...sides }: Adjustment,
  key: string,
): Promise<void> {
  const transfer = {
    ...sides,
    business_id: ADJUSTMENT,
    remark: reason,
    ...(mayOverdraw && { may_overdraw: true }),
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
