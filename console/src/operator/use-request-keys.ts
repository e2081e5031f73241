import { useState } from 'react';

/**
 * Idempotency keys of a form: a request that is sent again after a lost answer has its key, and
 * takes effect once. A corrected request is another one and gets another key: a key stands for one
 * body for ever, also where that was refused.
 */
export function useRequestKeys(): (body: unknown) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? crypto.randomUUID();
    keys.set(text, key);
    return key;
  };
}
