/** Sections that come all at once, when each was answered: none moves another under the reader. */
import type { ReactNode } from 'react';
import { isPending, SkeletonLines } from '../components/layout.tsx';

interface Props {
  /** What the sections read first. */
  readonly queries: readonly Parameters<typeof isPending>[0][];
  readonly children: ReactNode;
}

export function Together({ queries, children }: Props) {
  return queries.some((query) => isPending(query)) ? (
    <SkeletonLines count={3} height={180} />
  ) : (
    children
  );
}
