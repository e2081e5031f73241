import { useCallback, useSyncExternalStore } from 'react';

/** A phone: what stands beside a title is short. */
export const NARROW = '(max-width: 30em)';

/** Whether the screen matches the media query, updated when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
