import type { ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';
import { ADJUSTMENT, postAdjustment } from '../post-adjustment.ts';
import type { StatementBill } from '../statements/queries.ts';
import { continueGroup, endsInGroup } from './group-bills.ts';

export type Person = ResponseBody<'/operator/users/{user_id}', 'get'>;
export type Referral = ResponseBody<
  '/operator/users/{user_id}/referrals',
  'get'
>['records'][number];
export type Wallet = ResponseBody<'/operator/users/{user_id}/wallets', 'get'>['wallets'][number];

type Id = number;
const keyOf = (id: Id, part: string) => ['operator', 'users', 'one', id, part] as const;
const pathOf = (id: Id) => ({ path: { user_id: id } });

export const personQuery = (id: Id) =>
  queryOptions({
    queryKey: keyOf(id, 'record'),
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/users/{user_id}', { signal, params: pathOf(id) })),
  });

export const sessionsQuery = (id: Id) =>
  queryOptions({
    queryKey: keyOf(id, 'sessions'),
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/users/{user_id}/sessions', { signal, params: pathOf(id) })),
  });

export const devicesQuery = (id: Id) =>
  queryOptions({
    queryKey: keyOf(id, 'devices'),
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/users/{user_id}/devices', { signal, params: pathOf(id) })),
  });

export const teamQuery = (id: Id) =>
  queryOptions({
    queryKey: keyOf(id, 'team'),
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/users/{user_id}/team', { signal, params: pathOf(id) })),
  });

/** Page after page, newest first. */
export const referralsQuery = (id: Id) =>
  infiniteQueryOptions({
    queryKey: keyOf(id, 'referrals'),
    queryFn: ({ signal, pageParam: current }) =>
      readAsOperator(
        api.GET('/operator/users/{user_id}/referrals', {
          signal,
          params: { ...pathOf(id), query: { current, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
  });

export const walletsQuery = (id: Id) =>
  queryOptions({
    queryKey: keyOf(id, 'wallets'),
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/users/{user_id}/wallets', { signal, params: pathOf(id) })),
  });

/** Page after page, newest first. */
export const notesQuery = (id: Id) =>
  infiniteQueryOptions({
    queryKey: keyOf(id, 'notes'),
    queryFn: ({ signal, pageParam: current }) =>
      readAsOperator(
        api.GET('/operator/users/{user_id}/notes', {
          signal,
          params: { ...pathOf(id), query: { current, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
  });

/** Page after page, newest first. */
export const securityEventsQuery = (id: Id) =>
  infiniteQueryOptions({
    queryKey: keyOf(id, 'events'),
    queryFn: ({ signal, pageParam: current }) =>
      readAsOperator(
        api.GET('/operator/users/{user_id}/security-events', {
          signal,
          params: { ...pathOf(id), query: { current, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
  });

export interface Account {
  readonly userId: Id;
  readonly wallet: string;
  readonly currency: string;
}

/** Pages that are read at once for a group that does not end. */
const PAGES_OF_GROUP_MAX = 10;

/** A page of bills, and with it those on which the group at its end continues. */
async function fetchActivity(
  { userId, wallet, currency }: Account,
  first: number,
  signal: AbortSignal,
) {
  const bills: StatementBill[] = [];
  for (let current = first; ; current += 1) {
    const query = { userId, wallet, currency, current, size: PAGE_SIZE };
    const { records, pages } = await readAsOperator(
      api.GET('/operator/statements', { signal, params: { query } }),
    );
    const goesOn = current === first ? endsInGroup(records) : continueGroup(bills, records);
    bills.push(...records);
    const next = current < pages ? current + 1 : undefined;
    if (!goesOn || next === undefined || next - first === PAGES_OF_GROUP_MAX)
      return { bills, next };
  }
}

/** Newest first. */
export const activityQuery = (account: Account) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(account.userId, 'statement'), ...[account.wallet, account.currency]],
    queryFn: ({ signal, pageParam: first }) => fetchActivity(account, first, signal),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
  });

export type Action =
  | 'disable'
  | 'enable'
  | 'end-sessions'
  | 'reset-second-factors'
  | 'freeze-money'
  | 'release-money';

export function act(id: Id, action: Action, reason: string): Promise<unknown> {
  return changeAsOperator<unknown>(() =>
    api.POST(`/operator/users/{user_id}/${action}`, { params: pathOf(id), body: { reason } }),
  );
}

/** @param key one for each form: sent twice, it is written once */
export function addNote(id: Id, text: string, key: string) {
  return changeAsOperator(() =>
    api.POST('/operator/users/{user_id}/notes', {
      params: { ...pathOf(id), header: { 'Idempotency-Key': key } },
      body: { text },
    }),
  );
}

/** Replaces them. */
export function setGroups(id: Id, groups: readonly string[]) {
  return changeAsOperator(() =>
    api.PUT('/operator/users/{user_id}/groups', {
      params: pathOf(id),
      body: { groups: [...groups] },
    }),
  );
}

export interface Adjustment extends Account {
  /** Positive: to the person. Exact decimal text. */
  readonly amount: string;
  readonly isCredit: boolean;
  readonly mayOverdraw: boolean;
  readonly reason: string;
}

/** @param key one for each form: sent twice, it moves once */
export function adjust(order: Adjustment, key: string): Promise<void> {
  const { userId, wallet, currency, amount, isCredit, mayOverdraw, reason } = order;
  const person = { user_id: userId, wallet };
  const house = { house: ADJUSTMENT };
  const [debit, credit] = isCredit ? [house, person] : [person, house];
  return postAdjustment({ debit, credit, currency, amount, reason, mayOverdraw }, key);
}
