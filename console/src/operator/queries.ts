import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { serverNow_ms } from '../lib/server-clock.ts';
import { api } from '../session/session-api.ts';
import { changeAsOperator, readAsOperator } from './elevation.ts';

export type User = ResponseBody<'/operator/users', 'get'>['records'][number];
export type UserStatus = User['status'];
export type Chain = ResponseBody<'/operator/chains', 'get'>[number];
export type ChainToken = Chain['tokens'][number];
/** Fields that are left out keep their value. */
export type ChainChange = RequestBody<'/operator/chains/{network}', 'put'>;
type TokenSettings = RequestBody<'/operator/chains/{network}/tokens/{currency}', 'put'>;
/** Settings that are left out are reset, so a form sends all; the chain's coin has no contract. */
export type TokenChange = Required<Omit<TokenSettings, 'contract_address'>> &
  Pick<TokenSettings, 'contract_address'>;
export type Unswept = ResponseBody<'/operator/deposits/unswept', 'get'>[number];
export type HouseAccount = ResponseBody<'/operator/ledger/accounts', 'get'>[number];
export type LedgerHead = ResponseBody<'/operator/ledger/heads', 'get'>[number];
export type RulesVersion = ResponseBody<'/operator/rules', 'get'>[number];
export type DryRun = ResponseBody<'/operator/rules/{version}/dry-run', 'post'>;
export type Comparison = Pick<DryRun['users'][number], 'active' | 'draft' | 'difference'>;

/** Page after page, each from the last person of the one before. */
export const usersQuery = (keyword: string, status: UserStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'users', 'found', keyword, status ?? 'any'],
    queryFn: ({ signal, pageParam: after }) =>
      readAsOperator(
        api.GET('/operator/users', {
          signal,
          params: {
            query: { keyword: keyword || undefined, status, after, current: 1, size: PAGE_SIZE },
          },
        }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ records, total }) =>
      total > records.length ? records.at(-1)?.user_id : undefined,
  });

const REFETCH_MS = 5000;

export const chainsQuery = queryOptions({
  queryKey: ['operator', 'chains'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/chains', { signal })),
  refetchInterval: REFETCH_MS,
});

export function configureChain(network: string, body: ChainChange) {
  const params = { path: { network } };
  return changeAsOperator(() => api.PUT('/operator/chains/{network}', { params, body }));
}

/** Reads the blocks from this one to the last that was read again. Nothing is credited twice. */
export function searchChainAgain(network: string, fromHeight: number) {
  const params = { path: { network } };
  const body = { from_height: fromHeight };
  return changeAsOperator(() => api.POST('/operator/chains/{network}/backfill', { params, body }));
}

/** @param reason shown wherever the halt is */
export function haltChain(network: string, reason: string) {
  const params = { path: { network } };
  return changeAsOperator(() =>
    api.POST('/operator/chains/{network}/halt', { params, body: { reason } }),
  );
}

/** A halted network continues from a block that the operator has checked. */
export function resumeChain(
  network: string,
  block: { readonly height: number; readonly hash: string },
) {
  const params = { path: { network } };
  return changeAsOperator(() =>
    api.POST('/operator/chains/{network}/resume', { params, body: block }),
  );
}

export function configureToken(network: string, currency: string, body: TokenChange) {
  const params = { path: { network, currency } };
  return changeAsOperator(() =>
    api.PUT('/operator/chains/{network}/tokens/{currency}', { params, body }),
  );
}

/**
 * The chain is asked for the balance of each address: not again after each change by an operator,
 * as what stands below `operator`, nor whenever the page is looked at.
 */
export const unsweptQuery = (network: string) =>
  queryOptions({
    queryKey: ['unswept', network],
    queryFn: async ({ signal }): Promise<readonly Unswept[]> => {
      const params = { query: { currencyNetWork: network } };
      const found = await readAsOperator(api.GET('/operator/deposits/unswept', { signal, params }));
      // A table comes only where it is asked for.
      return typeof found === 'string' ? [] : found;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export async function exportUnswept(network: string): Promise<Response> {
  const { response } = await api.GET('/operator/deposits/unswept', {
    params: { query: { currencyNetWork: network } },
    headers: { accept: 'text/csv' },
    parseAs: 'stream',
  });
  return response;
}

export const houseQuery = queryOptions({
  queryKey: ['operator', 'house'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/ledger/accounts', { signal })),
});

interface HeadsPage {
  /** Heads at most. */
  readonly size?: number;
  /** Only of days before it. */
  readonly before?: string | undefined;
}

const readHeads = (query: HeadsPage, signal?: AbortSignal) =>
  readAsOperator(api.GET('/operator/ledger/heads', { signal, params: { query } }));

const SHOWN_HEADS = 14;

/** Of the last two weeks: the file has all. */
export const headsQuery = queryOptions({
  queryKey: ['operator', 'heads'],
  queryFn: ({ signal }) => readHeads({ size: SHOWN_HEADS }, signal),
});

/** All of them, page after page. */
export async function readAllHeads(): Promise<LedgerHead[]> {
  const all: LedgerHead[] = [];
  for (;;) {
    const page = await readHeads({ before: all.at(-1)?.day });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

export const signHead = () => changeAsOperator(() => api.POST('/operator/ledger/heads'));

/** The whole ledger: it has no range. */
export async function exportJournal(): Promise<Response> {
  const { response } = await api.GET('/operator/ledger/journal', {
    headers: { accept: 'text/plain' },
    parseAs: 'stream',
  });
  return response;
}

export const rulesQuery = queryOptions({
  queryKey: ['operator', 'rules'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/rules', { signal })),
});

type Rules = RequestBody<'/operator/rules', 'post'>['rules'];

export const draftRules = (rules: unknown) =>
  changeAsOperator(() => api.POST('/operator/rules', { body: { rules: rules as Rules } }));
/** Only a draft can be replaced. */
export const replaceRules = (version: number, rules: unknown) =>
  changeAsOperator(() =>
    api.PUT('/operator/rules/{version}', {
      params: { path: { version } },
      body: { rules: rules as Rules },
    }),
  );
/** @param from a full hour that has not begun; the next one by default */
export const activateRules = (version: number, from?: string) =>
  changeAsOperator(() =>
    api.POST('/operator/rules/{version}/activate', {
      params: { path: { version } },
      body: from === undefined ? {} : { from },
    }),
  );

const HOUR_MS = 3_600_000;
const DRY_RUN_HOURS = 24;

/** What a version would have paid in the last 24 whole hours, beside what was paid. */
export function dryRunRules(version: number): Promise<DryRun> {
  const before_ms = Math.floor(serverNow_ms() / HOUR_MS) * HOUR_MS;
  const body = {
    from: new Date(before_ms - DRY_RUN_HOURS * HOUR_MS).toISOString(),
    before: new Date(before_ms).toISOString(),
  };
  const params = { path: { version } };
  return changeAsOperator(() => api.POST('/operator/rules/{version}/dry-run', { params, body }));
}
