import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { api } from '../session/session-api.ts';
import type { MemberFilter } from './member-filter.ts';

export type Member = ResponseBody<'/community/members', 'get'>['records'][number];

export const NOTE_LENGTH_MAX = 20;

export const summaryQuery = queryOptions({
  queryKey: ['people', 'summary'],
  queryFn: ({ signal }) => unwrap(api.GET('/community/summary', { signal })),
});

export function fetchMembers(filter: MemberFilter, current: number, signal: AbortSignal) {
  const query = { ...filter, current, size: PAGE_SIZE };
  return unwrap(api.GET('/community/members', { signal, params: { query } }));
}

export async function exportMembers(filter: MemberFilter): Promise<Response> {
  const { response } = await api.GET('/community/members/export', {
    params: { query: filter },
    headers: { accept: 'text/csv' },
    parseAs: 'stream',
  });
  return response;
}

export async function saveNote(userId: number, note: string): Promise<void> {
  await unwrap(api.POST('/community/members/note', { body: { target_user_id: userId, note } }));
}
