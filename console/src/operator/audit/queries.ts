import type { ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { readAsOperator } from '../elevation.ts';
import { type AuditFilter, toAuditQuery } from './audit-filter.ts';

export type AuditEntry = ResponseBody<'/operator/audit', 'get'>['entries'][number];

const SIZE = 30;
const NEWEST = 5;

/** Page after page. One that looked through all that it may can be short, and have a next one. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'audit', filter],
    queryFn: ({ signal, pageParam: cursor }) =>
      readAsOperator(
        api.GET('/operator/audit', {
          signal,
          params: { query: { ...toAuditQuery(filter), cursor, size: SIZE } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

/** The newest entries about a person. */
export function changesQuery(userId: number) {
  const query = { user_id: userId, size: NEWEST };
  return queryOptions({
    queryKey: ['operator', 'users', 'one', userId, 'changes'],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/audit', { signal, params: { query } })),
  });
}

export async function exportAudit(filter: AuditFilter, type: string): Promise<Response> {
  const { response } = await api.GET('/operator/audit/export', {
    params: { query: toAuditQuery(filter) },
    headers: { accept: type },
    parseAs: 'stream',
  });
  return response;
}
