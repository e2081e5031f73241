import { useSyncExternalStore } from 'react';
import { onSessionChange, readSession, type SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(onSessionChange, readSession);
}

/** True when the token allows it. */
export function useScope(scope: string): boolean {
  const session = useSession();
  return session.status === 'signed-in' && session.tokens.scopes.has(scope);
}
