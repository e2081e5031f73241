import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE, type PageOf } from '../api/page.ts';
import { callAsMe, sendAsMe } from '../session/session.ts';
import type { MemberFilter } from './member-filter.ts';

export interface Member {
  readonly user_id: number;
  readonly nickname: string;
  readonly email: string;
  readonly level: number;
  readonly referrer_id: number;
  readonly direct_count: number;
  readonly team_count: number;
  readonly joined_at: string;
  readonly package_amount: string;
  readonly team_performance: string;
  readonly note: string;
  readonly is_closed: boolean;
}

export interface CommunitySummary {
  readonly direct_count: number;
  readonly team_count: number;
  readonly package_amount: string;
  readonly team_performance: string;
  readonly levels: readonly {
    readonly level: number;
    readonly members: number;
    readonly performance: string;
  }[];
}

export const NOTE_LENGTH_MAX = 20;

export const summaryQuery = queryOptions({
  queryKey: ['people', 'summary'],
  queryFn: ({ signal }) => callAsMe<CommunitySummary>('GET', '/community/summary', { signal }),
});

export function fetchMembers(
  filter: MemberFilter,
  current: number,
  signal: AbortSignal,
): Promise<PageOf<Member>> {
  return callAsMe('GET', '/community/members', {
    signal,
    query: { ...filter, current, size: PAGE_SIZE },
  });
}

export function exportMembers(filter: MemberFilter): Promise<Response> {
  return sendAsMe('GET', '/community/members/export', {
    query: { ...filter },
    headers: { accept: 'text/csv' },
    isStream: true,
  });
}

export async function saveNote(userId: number, note: string): Promise<void> {
  await callAsMe('POST', '/community/members/note', { body: { target_user_id: userId, note } });
}
