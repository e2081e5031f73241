import { useSyncExternalStore } from 'react';
import { onSessionChange, readSession, type SessionState } from './session.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(onSessionChange, readSession);
}
