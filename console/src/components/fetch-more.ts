/** The next page of a list, also when news refreshes the list at the same moment. */

/** What an infinite query answers and offers, as far as it matters here. */
export interface PagedQuery {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly isError: boolean;
  readonly hasNextPage: boolean;
  readonly fetchNextPage: () => Promise<Omit<PagedQuery, 'fetchNextPage'>>;
}

const TRIES = 3;

/**
 * Fetches the next page. An invalidation replaces a fetch that is under way by one of the pages
 * that are already there; the next page is then asked for again, else the click would be lost.
 */
export async function fetchMore(query: PagedQuery): Promise<void> {
  const count = query.data?.pages.length;
  for (let turn = 0; turn < TRIES; turn++) {
    const { data, isError, hasNextPage } = await query.fetchNextPage();
    if (isError || !hasNextPage || data?.pages.length !== count) return;
  }
}
