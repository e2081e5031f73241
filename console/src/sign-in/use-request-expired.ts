import { useEffect, useState } from 'react';
import { isRequestWaiting } from './api.ts';

/**
 * Whether the request of the page has expired. Checked while the page is shown, and again when the
 * user returns to it.
 *
 * @param isAnswered nothing more is asked
 * @returns also what says that it is over
 */
export function useRequestOver(
  interactionId: string,
  isAnswered: boolean,
): [isOver: boolean, end: () => void] {
  const [isOver, setOver] = useState(false);
  const isAsking = interactionId !== '' && !isAnswered && !isOver;
  useEffect(() => {
    if (!isAsking) return;
    let isGone = false;
    const ask = async (): Promise<void> => {
      // Without an answer the steps continue: each of them asks the service, too.
      const isWaiting = await isRequestWaiting(interactionId).catch(() => true);
      if (!isGone && !isWaiting) setOver(true);
    };
    const handleVisible = (): void => {
      if (document.visibilityState === 'visible') void ask();
    };
    void ask();
    document.addEventListener('visibilitychange', handleVisible);
    return () => {
      isGone = true;
      document.removeEventListener('visibilitychange', handleVisible);
    };
  }, [interactionId, isAsking]);
  return [isOver, () => setOver(true)];
}
