import { useNavigate } from '@tanstack/react-router';

/**
 * Changes the filters that the page's address keeps: in the same entry of the history, and without
 * moving the page.
 */
export function useFilterChange<Filter extends object>(): (change: Filter) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      search: (all) => ({ ...all, ...change }),
      replace: true,
      resetScroll: false,
    });
}
