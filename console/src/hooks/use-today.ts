import { useSyncExternalStore } from 'react';
import { todayUtc } from '../lib/time-text.ts';

const LOOK_AGAIN_MS = 5000;

/** One timer for all components of a page. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, LOOK_AGAIN_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Today as the service counts days. Renders again when the day ends: an open page may have nothing
 * else to render.
 */
export function useToday(): string {
  return useSyncExternalStore(subscribe, todayUtc);
}
