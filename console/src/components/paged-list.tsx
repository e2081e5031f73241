/** A paged endpoint as one long list: each page is fetched when it comes near the screen. */
import { type QueryKey, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PAGE_SIZE, type PageOf } from '../api/page.ts';
import { QueryBoundary, SkeletonLines } from './layout.tsx';
import { WindowedList } from './virtual-list.tsx';

interface Props<T> {
  readonly label: string;
  readonly queryKey: QueryKey;
  readonly fetchPage: (current: number, signal: AbortSignal) => Promise<PageOf<T>>;
  readonly rowHeight: number;
  /** The id of a record: a row belongs to its record, not to its place. */
  readonly keyOf: (record: T) => number | string;
  /** `before` is the record above, as far as it is known. */
  readonly renderRow: (record: T, open: (record: T) => void, before?: T) => ReactNode;
  /** One record in full, above the list. It continues with what becomes known of the record. */
  readonly renderSheet?: (record: T, onClose: () => void) => ReactNode;
  readonly renderMissing: () => ReactNode;
  /** A record that moves on by itself, without an event: its page is looked at again and again. */
  readonly isMoving?: (record: T) => boolean;
}

interface Findings {
  readonly empty: ReactNode;
  readonly summary?: (total: number) => ReactNode;
}

const PAGE_STALE_MS = 60_000;
const MOVING_LOOK_MS = 3000;

/** The query of one page. */
export function pageQuery<T>(
  queryKey: QueryKey,
  fetchPage: Props<T>['fetchPage'],
  current: number,
) {
  return queryOptions({
    queryKey: [...queryKey, 'page', current],
    queryFn: ({ signal }) => fetchPage(current, signal),
    staleTime: PAGE_STALE_MS,
  });
}

type PageOptions<T> = Pick<Props<T>, 'queryKey' | 'fetchPage' | 'isMoving'>;

function pageOptionsOf<T>({ queryKey, fetchPage, isMoving }: PageOptions<T>, current: number) {
  return {
    ...pageQuery(queryKey, fetchPage, current),
    refetchInterval: ({ state }: { state: { data: PageOf<T> | undefined } }) =>
      isMoving !== undefined && state.data?.records.some(isMoving) === true
        ? MOVING_LOOK_MS
        : (false as const),
  };
}

/** The list and its summary, which screen readers announce after a change of the filter. */
export function PagedList<T>({ summary, empty, ...list }: Props<T> & Findings) {
  const total = useQuery(pageOptionsOf(list, 1)).data?.total;
  return (
    <>
      <div role="status">{total === 0 ? empty : total !== undefined && summary?.(total)}</div>
      <Rows key={JSON.stringify(list.queryKey)} {...list} />
    </>
  );
}

function Rows<T>({
  label,
  rowHeight,
  keyOf,
  renderRow,
  renderSheet,
  renderMissing,
  ...query
}: Props<T>) {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const [opened, setOpened] = useState<T>();
  const pageOptions = (current: number) => pageOptionsOf(query, current);
  const firstPage = useQuery(pageOptions(1));
  const from = Math.floor(range.first / PAGE_SIZE) + 1;
  const to = Math.floor(range.last / PAGE_SIZE) + 1;
  const wanted = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const pages = useQueries({ queries: wanted.map(pageOptions) });
  const recordAt = (index: number): T | undefined => {
    const page = Math.floor(index / PAGE_SIZE) + 1;
    const data = page === 1 ? firstPage.data : pages[page - from]?.data;
    return data?.records[index % PAGE_SIZE];
  };
  const isOpened = (record: T): boolean => opened !== undefined && keyOf(record) === keyOf(opened);
  const known = [firstPage, ...pages].flatMap(({ data }) => data?.records ?? []);
  const shown = known.find(isOpened) ?? opened;
  return (
    <>
      <QueryBoundary
        query={firstPage}
        skeleton={<SkeletonLines count={6} height={rowHeight - 14} />}
      >
        {({ total }) =>
          total > 0 && (
            <WindowedList
              label={label}
              total={total}
              rowHeight={rowHeight}
              onRange={setRange}
              keyOf={(index) => {
                const record = recordAt(index);
                return record && keyOf(record);
              }}
              renderRow={(index) => {
                const record = recordAt(index);
                return record === undefined
                  ? renderMissing()
                  : renderRow(record, setOpened, index > 0 ? recordAt(index - 1) : undefined);
              }}
            />
          )
        }
      </QueryBoundary>
      {shown && renderSheet?.(shown, () => setOpened(undefined))}
    </>
  );
}
