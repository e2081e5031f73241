/** Filters that stand above a list where there is room, and behind a button on a phone. */
import { type ReactNode, useState } from 'react';
import { FilterButton } from './filter-state.tsx';
import { NARROW, useMedia } from './use-media.ts';

interface FoldedFilters {
  readonly isShown: boolean;
  /** Beside the title of the list; false where there is room. */
  readonly button: ReactNode;
}

/** @param active how many are set */
export function useFoldedFilters(active: number): FoldedFilters {
  const isNarrow = useMedia(NARROW);
  const [isOpen, setOpen] = useState(false);
  return {
    isShown: !isNarrow || isOpen,
    button: isNarrow && (
      <FilterButton active={active} isOpen={isOpen} onClick={() => setOpen(!isOpen)} />
    ),
  };
}
