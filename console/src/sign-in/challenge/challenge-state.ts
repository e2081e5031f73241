/** The challenge that a form waits for. A page has one form of the sign-in at a time. */
import { useSyncExternalStore } from 'react';

export type WidgetProvider = 'turnstile' | 'hcaptcha';

/** A widget that the user may have to touch. */
export interface WidgetChallenge {
  readonly provider: WidgetProvider;
  readonly siteKey: string;
  readonly onSolved: (token: string) => void;
  readonly onFailed: (error: unknown) => void;
}

/** `working`: the browser computes, and the user only waits. */
export type PendingChallenge = 'working' | WidgetChallenge;

let pending: PendingChallenge | undefined;
const listeners = new Set<() => void>();

export function setPendingChallenge(challenge: PendingChallenge | undefined): void {
  pending = challenge;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePendingChallenge(): PendingChallenge | undefined {
  return useSyncExternalStore(subscribe, () => pending);
}
