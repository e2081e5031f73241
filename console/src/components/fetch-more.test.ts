import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { fetchMore } from './fetch-more.ts';

const queryKey = ['list'];

/** A list of endless pages; `onPage` runs while one is being fetched. */
async function openList(onPage: (page: number) => void) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: async ({ pageParam }) => {
      await Promise.resolve();
      onPage(pageParam);
      return pageParam;
    },
    initialPageParam: 1,
    getNextPageParam: (page: number) => page + 1,
  });
  const stop = observer.subscribe(() => undefined);
  await observer.refetch();
  return {
    invalidate: () => void client.invalidateQueries({ queryKey }),
    pages: () => observer.getCurrentResult().data?.pages,
    more: () => fetchMore(observer.getCurrentResult()),
    stop,
  };
}

test('a page is fetched once', async () => {
  const asked: number[] = [];
  const list = await openList((page) => asked.push(page));
  asked.length = 0;
  await list.more();
  expect(list.pages()).toEqual([1, 2]);
  expect(asked).toEqual([2]);
  list.stop();
});

test('a page that a refresh cut off is asked for again', async () => {
  let isFirst = true;
  const list = await openList((page) => {
    if (page === 2 && isFirst) {
      isFirst = false;
      list.invalidate();
    }
  });
  await list.more();
  expect(list.pages()).toEqual([1, 2]);
  list.stop();
});

test('a failure ends it', async () => {
  let count = 0;
  const list = await openList((page) => {
    if (page !== 2) return;
    count += 1;
    throw new Error('not now');
  });
  await list.more();
  expect(list.pages()).toEqual([1]);
  expect(count).toBe(1);
  list.stop();
});
