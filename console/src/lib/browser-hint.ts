/** A hint that this browser keeps: no secret, and no more than a hint. */
export interface BrowserHint {
  isKept(): boolean;
  keep(isTrue: boolean): void;
}

/** Storage may be forbidden: then nothing is kept. */
export function createBrowserHint(key: string): BrowserHint {
  return {
    isKept() {
      try {
        return localStorage.getItem(key) !== null;
      } catch {
        return false;
      }
    },
    keep(isTrue) {
      try {
        if (isTrue) localStorage.setItem(key, 'yes');
        else localStorage.removeItem(key);
      } catch {
        // As if it was never there.
      }
    },
  };
}
