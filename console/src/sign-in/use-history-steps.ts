import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/**
 * Marks the one entry of the history that stands above the page's own while there is a step to go
 * back to.
 */
const GUARD = 'edge-step';

function isGuard(state: unknown): boolean {
  return typeof state === 'object' && state !== null && GUARD in state;
}

function stepBack(isOurs: RefObject<boolean>): void {
  isOurs.current = true;
  history.back();
}

/**
 * Lets the browser's "back" lead to the step before, where it would otherwise leave the page: one
 * entry of the history is spent by it and made again, however many steps there are, and none is
 * left behind.
 *
 * @param isFirst there is no step to go back to
 * @returns what takes the entry away, before the page is left
 */
export function useBackGesture(isFirst: boolean, onBack: () => void): () => Promise<void> {
  // After a reload the page is at its first step, on the entry that was made for a later one.
  const [isGuarded, setGuarded] = useState(() => isGuard(history.state));

  /** The next step back in the history is made here, not by the person. */
  const isOurs = useRef(false);

  const handlePop = useEffectEvent(({ state }: PopStateEvent): void => {
    // "Forward" leads to no step: what was typed there is gone.
    if (isGuard(state)) stepBack(isOurs);
    else if (isOurs.current) isOurs.current = false;
    else if (isGuarded) {
      setGuarded(false);
      onBack();
    }
  });
  useEffect(() => {
    const handle = (event: PopStateEvent): void => handlePop(event);
    window.addEventListener('popstate', handle);
    return () => window.removeEventListener('popstate', handle);
  }, []);

  // Before the step is visible, so that "back" works from the start.
  useLayoutEffect(() => {
    if (isFirst === !isGuarded) return;
    if (isFirst) stepBack(isOurs);
    else history.pushState({ ...history.state, [GUARD]: true }, '');
    setGuarded(!isFirst);
  }, [isFirst, isGuarded]);

  return async () => {
    if (!isGuard(history.state)) return;
    setGuarded(false);
    await new Promise((resolve) => {
      window.addEventListener('popstate', resolve, { once: true });
      stepBack(isOurs);
    });
  };
}
