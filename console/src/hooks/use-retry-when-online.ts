import { useEffect, useEffectEvent } from 'react';
import { checkHealth } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';

const LOOK_AGAIN_MS = 3000;

/**
 * Where nothing but the service was missing: looks for it now and then, and continues when it
 * answers.
 */
export function useWhenBack(error: unknown, goOn: () => void): void {
  const isAway = isProblem(error, 'unreachable', 'unavailable');
  const look = useEffectEvent(() => void checkHealth().then(goOn, () => undefined));
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(look, LOOK_AGAIN_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [isAway]);
}
