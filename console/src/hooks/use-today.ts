import { useEffect, useState } from 'react';
import { todayUtc } from '../lib/time-text.ts';

const LOOK_AGAIN_MS = 5000;

/**
 * Today as the service counts days. Renders again when the day ends: an open page may have nothing
 * else to render.
 */
export function useToday(): string {
  const [today, setToday] = useState(() => todayUtc());
  useEffect(() => {
    const timer = setInterval(() => setToday(todayUtc()), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return today;
}
