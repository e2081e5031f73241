import { useEffect, useRef } from 'react';

/** Lets the browser's "back" lead to the step before, where it would otherwise leave the page. */
export function useBackGesture(step: string, onBack: () => void): void {
  const goBack = useRef(onBack);
  const shown = useRef(step);
  const isPopped = useRef(false);
  useEffect(() => {
    goBack.current = onBack;
  });
  useEffect(() => {
    const handle = (): void => {
      isPopped.current = true;
      goBack.current();
    };
    window.addEventListener('popstate', handle);
    return () => window.removeEventListener('popstate', handle);
  }, []);
  useEffect(() => {
    // A step that was come back to has its place in the history already.
    if (step !== shown.current && !isPopped.current) history.pushState(history.state, '');
    shown.current = step;
    isPopped.current = false;
  }, [step]);
}
