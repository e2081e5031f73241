/** What people are called, for lists of what belongs to many. */
import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { gather } from '../lib/gather.ts';
import { api } from '../session/session-api.ts';
import { readAsOperator } from './elevation.ts';
import type { User } from './queries.ts';

/** People of a list, by their numbers. */
const findPerson = gather<number, User>(async (ids) => {
  const query = { ids: ids.join(','), current: 1, size: PAGE_SIZE };
  const { records } = await readAsOperator(api.GET('/operator/users', { params: { query } }));
  return new Map(records.map((person) => [person.user_id, person]));
}, PAGE_SIZE);

/** Names rarely change. */
const NAME_STALE_MS = 300_000;

/** What a person is called; lists ask for all of theirs at once. */
export const nameQuery = (id: number) =>
  queryOptions({
    queryKey: ['operator', 'users', 'name', id],
    queryFn: async () => (await findPerson(id)) ?? null,
    staleTime: NAME_STALE_MS,
  });
