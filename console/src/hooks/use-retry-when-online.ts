import { useEffect, useEffectEvent } from 'react';
import { send } from '../api/http.ts';
import { isProblem } from '../api/problem.ts';

const LOOK_AGAIN_MS = 3000;

/** Where nothing but the service was missing: looks for it now and then, and goes on when it answers. */
export function useWhenBack(error: unknown, goOn: () => void): void {
  const isAway = isProblem(error, 'network', 'unavailable');
  const look = useEffectEvent(() => void send('GET', '/healthz').then(goOn, () => undefined));
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
